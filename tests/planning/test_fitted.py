"""Plans from fitted curves: by hand, by all samples, by another code path, by simulation."""

from itertools import product

import numpy as np
import pytest
from benchmarks.coverage.wide import OfFit
from hypothesis import given, settings
from hypothesis import strategies as st

import rocspace as rs
from rocspace.compare import auc_difference
from rocspace.counts import tabulate_classes
from rocspace.curves import partial_auc
from rocspace.inference import auc_test
from rocspace.models import (
    MODELS,
    fit_binormal,
    fit_kernel,
    fit_labroc,
    fit_paired,
    fit_rating,
    fit_roc,
)
from rocspace.planning import (
    plan_area,
    plan_difference,
    plan_from_fit,
    plan_from_fits,
    plan_paired,
    simulated_power_estimate,
)
from rocspace.planning.area_variance import Binormal, covariance_of, variance_of
from rocspace.planning.fitted import CurvePart, Placed, PlacedPair, part_of
from rocspace.results.curve import Line
from rocspace.simulate import binormal, gamma, paired_binormal, ratings

GAMMA = gamma(2.0, 3.0)
PILOT = GAMMA.draw(25, 30, rng=1)
PAIRED = paired_binormal([0.9, 0.75], r_pos=0.6, r_neg=0.3).draw(40, 60, rng=1)
TWO_RATINGS = CurvePart(Line(np.array([0, 0.2, 1]), np.array([0, 0.6, 1])), rated=True, area=0.7)


# --- variances --------------------------------------------------------------------------------


def test_two_ratings_by_hand():
    # Positives beat .9 or .4 of the negatives, with probabilities .6 and .4: variance .06.
    # Negatives lie below .7 or .2 of the positives, with probabilities .2 and .8: variance .04.
    # Comparisons: mean .7, ties .6 x .2 + .4 x .8 = .44, so variance .21 - .44 / 4 = .1.
    found = TWO_RATINGS.variance(2.0)
    assert found.large == pytest.approx(0.06 + 0.04 / 2)
    assert found.small == pytest.approx((0.1 - 0.06 - 0.04) / 2)


def test_what_each_rating_adds_by_hand():
    # Up to a rate of .6, which lies in the middle of the second rating's piece (tpr .8). Of the
    # first rating's positives each adds .6 - .1; of the second's one half .2, the others nothing.
    part = CurvePart(TWO_RATINGS.line, rated=True, area=0.34, low=0.0, high=0.6)
    pos, neg = part._added
    assert pos.tolist() == pytest.approx([0.5, 0.1])
    assert neg.tolist() == pytest.approx([0.5, 0.05])
    whole, beaten = TWO_RATINGS._added
    assert whole.tolist() == pytest.approx([0.9, 0.4])
    assert beaten.tolist() == pytest.approx([0.7, 0.2])


def test_two_ratings_by_all_samples():
    def chance(cases, share):
        return np.prod([share[0] if case else share[1] for case in cases])

    mean = square = 0.0
    for pos, neg in product(product((1, 0), repeat=3), product((1, 0), repeat=2)):
        p = chance(pos, (0.6, 0.4)) * chance(neg, (0.2, 0.8))
        area = rs.auc_score([1] * 3 + [0] * 2, [*pos, *neg])
        mean, square = mean + p * area, square + p * area**2
    found = TWO_RATINGS.variance(2 / 3)
    assert mean == pytest.approx(0.7)
    assert found.large / 3 + found.small / 9 == pytest.approx(square - mean**2)


@given(
    area=st.floats(0.55, 0.97),
    sd=st.floats(0.6, 1.7),
    ratio=st.sampled_from([0.3, 1.0, 4.0]),
    low=st.floats(0, 0.5),
    width=st.floats(0.05, 0.5),
)
@settings(max_examples=25)
def test_variances_are_those_of_binormal_curves(area, sd, ratio, low, width):
    fit = fit_binormal(binormal(area, sd).draw(40, 40, rng=3))
    for part in ((0.0, 1.0), (low, low + width)):
        curve = Binormal(a=fit.a, b=fit.b, low=part[0], high=part[1])
        found, expected = part_of(fit, None, part), variance_of(curve, ratio, "empirical")
        assert found.area == pytest.approx(curve.area, abs=1e-9)
        assert found.variance(ratio).large == pytest.approx(expected.large, rel=2e-4)
        assert found.variance(ratio).small == pytest.approx(expected.small, rel=1e-3, abs=1e-6)


@pytest.mark.parametrize("part", [(0.0, 1.0), (0.0, 0.3), (0.2, 0.6)])
@pytest.mark.parametrize("correlations", [(0.3, 0.7), (-0.4, 0.9), (0.0, 0.5)])
def test_covariances_are_those_of_binormal_curves(part, correlations):
    fits = [fit_binormal(binormal(a, sd).draw(60, 60, rng=5)) for a, sd in ((0.9, 1.3), (0.7, 0.9))]
    one, two = (part_of(fit, None, part) for fit in fits)
    curves = [Binormal(a=fit.a, b=fit.b, low=part[0], high=part[1]) for fit in fits]
    expected = covariance_of(*curves, correlations[1], correlations[0], 1.5, "empirical")
    found = one.covariance(two, correlations, 1.5)
    assert found.large == pytest.approx(expected.large, rel=1e-4, abs=1e-7)
    if part == (0.0, 1.0):
        assert found.small == pytest.approx(expected.small, abs=0.002)
        with_itself = one.covariance(one, (1.0, 1.0), 1.5)
        assert with_itself.large == pytest.approx(one.variance(1.5).large, rel=2e-3)


@pytest.mark.no_cover
@pytest.mark.parametrize("part", [(0.0, 1.0), (0.1, 0.45)])
@pytest.mark.parametrize("kind", ["ratings", "gamma"])
def test_variances_are_those_of_samples(kind, part):
    rated = kind == "ratings"
    fit = fit_rating(ratings().draw(60, 60, rng=2)) if rated else fit_roc(PILOT, model="gamma")
    found, rng = part_of(fit, None, part), np.random.default_rng(4)
    drawn = [OfFit(fit).draw(150, 300, rng=rng) for _ in range(1500)]
    areas = [partial_auc(table, fpr=part) for table in drawn]
    spread = found.variance(2.0)
    assert np.mean(areas) == pytest.approx(found.area, abs=0.003)
    # The variance of 1500 samples has an error of 4 percent.
    assert np.var(areas) == pytest.approx(spread.large / 150 + spread.small / 150**2, rel=0.13)


# --- samples ----------------------------------------------------------------------------------


@pytest.mark.parametrize("model", [*MODELS])
def test_every_model_has_a_plan(model):
    table = PILOT
    if model == "beta-scores":
        pos, neg = GAMMA.draw_blocks(25, 30, n_sim=1, rng=1).pos[0], np.linspace(0.1, 5, 30)
        table = tabulate_classes(pos / (1 + pos), neg / (1 + neg))
    fit = fit_roc(table, model=model)
    plan = plan_from_fit(fit, variance="empirical")
    area = part_of(fit, None, (0.0, 1.0)).area  # of ratings that of their polygon
    assert plan.difference == pytest.approx(area - 0.5)
    assert area == pytest.approx(fit.auc, abs=2e-4)
    assert 0 < plan.variance < 1
    drawn = Placed(part_of(fit, False, (0.0, 1.0)).line, rated=False).draw(
        4000, 4000, rng=np.random.default_rng(1)
    )
    curve = rs.roc_curve(drawn)
    for fpr in (0.05, 0.2, 0.5, 0.9):
        se = (0.25 / 4000 * (1 + float(fit.slope_at(fpr)) ** 2)) ** 0.5
        assert curve.tpr_at(fpr) == pytest.approx(fit.tpr_at(fpr), abs=5 * se + 0.002)


def test_ratings_are_drawn_as_they_were_fitted():
    fit = fit_rating(ratings().draw(80, 90, rng=2))
    part = part_of(fit, None, (0.0, 1.0))
    assert part.rated
    drawn = Placed(part.line, rated=True).draw(20_000, 20_000, rng=np.random.default_rng(1))
    other = OfFit(fit).draw(20_000, 20_000, rng=np.random.default_rng(2))
    assert len(drawn) == len(other) == 5
    assert drawn.pos / 20_000 == pytest.approx(other.pos / 20_000, abs=0.018)
    assert drawn.neg / 20_000 == pytest.approx(other.neg / 20_000, abs=0.018)
    assert not part_of(fit, False, (0.0, 1.0)).rated
    # A curve from continuous scores has a larger area than its polygon of five ratings.
    continuous, rated = (plan_from_fit(fit, rated=x, variance="empirical") for x in (False, True))
    assert continuous.difference > rated.difference


def test_pairs_are_those_of_the_paired_model():
    pair = fit_paired(PAIRED)
    parts = [Placed(part_of(f, None, (0, 1)).line, rated=False) for f in (pair.first, pair.second)]
    drawn = PlacedPair(*parts, correlations=pair.correlations)
    samples = [
        population.draw(4000, 4000, rng=np.random.default_rng(3))
        for population in (drawn, pair.population())
    ]
    found, expected = (auc_difference(sample) for sample in samples)
    assert found.value == pytest.approx(expected.value, abs=5 * found.se)
    assert found.se == pytest.approx(expected.se, rel=0.06)
    assert found.correlation == pytest.approx(expected.correlation, abs=0.05)


# --- plans ------------------------------------------------------------------------------------


def test_a_plan_of_a_binormal_fit_is_that_of_its_parameters():
    fit = fit_labroc(binormal(0.8).draw(50, 50, rng=1))
    sd, options = 1 / fit.b, {"ratio": 2.0, "null_area": 0.6}
    for variance in ("empirical", "exact", "obuchowski"):
        for fpr in (None, (0.0, 0.3)):
            found = plan_from_fit(fit, variance=variance, fpr=fpr, **options)
            expected = plan_area(fit.auc, sd_ratio=sd, variance=variance, fpr=fpr, **options)
            assert found.variance == pytest.approx(expected.variance, rel=1e-4)
            null = plan_area(0.7, variance=variance, fpr=fpr, **options)
            assert found.null_variance == pytest.approx(null.null_variance, rel=1e-4)
    pair = fit_paired(PAIRED)
    fits = {"correlations": pair.correlations, "ratio": 1.5, "null_difference": 0.02}
    for variance in ("empirical", "exact", "obuchowski"):
        found = plan_from_fits(pair.first, pair.second, variance=variance, **fits)
        expected = plan_paired(
            pair.population(), variance=variance, ratio=1.5, null_difference=0.02
        )
        assert found.difference == pytest.approx(expected.difference)
        assert found.for_power(0.8).n_pos == pytest.approx(expected.for_power(0.8).n_pos, rel=3e-3)


@pytest.mark.no_cover
@pytest.mark.parametrize("kind", ["gamma", "ratings", "pair", "groups"])
def test_planned_power_is_what_the_test_has(kind):
    if kind in ("gamma", "ratings"):
        table = PILOT if kind == "gamma" else ratings().draw(40, 60, rng=2)
        fit = fit_roc(table, model="gamma" if kind == "gamma" else "rating")
        population, judged = OfFit(fit), auc_test
        plan = plan_from_fit(fit, ratio=1.5)
    else:
        pair = fit_paired(PAIRED)
        r = pair.correlations if kind == "pair" else (0.0, 0.0)
        plan = plan_from_fits(pair.first, pair.second, correlations=r, ratio=1.5)
        population = pair.population()
        if kind == "groups":
            population = paired_binormal(
                [pair.first.auc, pair.second.auc],
                sd_ratio=[1 / pair.first.b, 1 / pair.second.b],
            )

        def judged(sample):
            if kind == "pair":
                return auc_difference(sample).test()
            return auc_difference({name: sample.table(name) for name in sample.names}).test()

    design = plan.with_samples(400).for_power(0.8)
    sizes = int(design.n_pos), int(design.n_neg)
    assert sizes[1] == pytest.approx(1.5 * sizes[0], abs=1)
    found = simulated_power_estimate(population, *sizes, test=judged, n_sim=400, rng=8)
    assert found.value == pytest.approx(design.power, abs=4 * (2 * 0.16 / 400) ** 0.5)


def test_limits_parts_and_nulls_are_those_of_the_test():
    fits = [fit_labroc(binormal(a).draw(50, 50, rng=2)) for a in (0.85, 0.84)]
    equal = plan_from_fits(*fits, correlations=(0.5, 0.5), null_difference=(-0.1, 0.1))
    assert equal.limits == (-0.1, 0.1)
    assert 0 < equal.with_samples(50).for_cases(150).power < 1
    part = plan_from_fit(fits[0], fpr=(0, 0.2), null_area=0.6)
    null = binormal(0.6).partial_auc(fpr=(0, 0.2))
    assert part.difference == pytest.approx(fits[0].partial_auc(fpr=(0, 0.2)) - null, abs=1e-9)
    assert part.with_samples(100).for_cases(60).power > 0.8
    assert plan_from_fit(fits[0]).with_samples(50).for_width(0.05).half_width > 0.04


# --- errors -----------------------------------------------------------------------------------


def test_first_mistakes_are_answered():
    fit, pair = fit_labroc(PILOT), fit_paired(PAIRED)
    asked = {
        "say plan_from_fit(fit)": lambda: plan_area(fit),
        "say plan_from_fits(first, second)": lambda: plan_difference(fit, fit),
        "say plan_paired(fit.population())": lambda: plan_paired(pair),
        "plan_from_fit does not take a PairedFit": lambda: plan_from_fit(pair),
        "not a ScoreTable: say plan_from_fit(fit_roc(table": lambda: plan_from_fit(PILOT),
    }
    for said, wrong in asked.items():
        with pytest.raises(TypeError) as error:
            wrong()
        assert said in str(error.value)


def test_bad_input():
    fit, kernel = fit_labroc(PILOT), fit_kernel(PILOT)
    with pytest.raises(ValueError, match="no cuts between ratings"):
        plan_from_fit(kernel, rated=True)
    with pytest.raises(ValueError, match="variance='exact' is for binormal fits"):
        plan_from_fit(kernel, variance="exact")
    with pytest.raises(ValueError, match="not for ratings"):
        plan_from_fit(fit, rated=True, variance="exact")
    separated = fit_labroc(rs.tabulate([0, 0, 1, 1], [1, 2, 3, 4]))
    with pytest.raises(ValueError, match="A degenerate fit tells nothing"):
        plan_from_fit(separated)
    for wrong in ((0.2, 1.2), 0.3, (float("nan"), 0.1)):
        with pytest.raises(ValueError, match="two numbers from -1 to 1"):
            plan_from_fits(fit, kernel, correlations=wrong)
    with pytest.raises(ValueError, match="null_area is 1"):
        plan_from_fit(fit, null_area=1)
    with pytest.raises(ValueError, match="ratio is 0"):
        plan_from_fits(fit, fit, ratio=0)
