"""Posteriors: by hand, by exact moments, by quadrature, and in known cases."""

import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtr, ndtri
from scipy.stats import chi2

import rocspace as rs
from rocspace._base.cards import level_of
from rocspace.designs import (
    BinormalPosterior,
    Posterior,
    binormal_posterior,
    credible_band,
    posterior,
    posterior_difference,
)
from rocspace.resampling import bayesian_bootstrap, difference, partial_area, tpr_at

Y = np.array([1, 1, 1, 1, 0, 0, 0, 0])
SCORES = {"a": [5, 2, 4, 3, 1, 2, 0, 1], "b": [2, 4, 3, 1, 2, 3, 1, 0]}
DATA = rs.pair_scores(Y, SCORES)
DRAWS = Posterior(
    name="x", value=0.5, draws=np.arange(10.0), range=(0.0, 9.0), method="by hand", n_pairs=0.0
)


@pytest.fixture(scope="module")
def fawcett():
    data = rs.datasets.load("fawcett20")
    return rs.tabulate(data.y_true, data.y_score)


# --- readings by hand -----------------------------------------------------------------------------


def test_probabilities_by_hand():
    assert DRAWS.probability(above=6.5) == 0.3
    assert DRAWS.probability(above=6) == 0.35  # the draw at 6 counts one half
    assert DRAWS.mean == 4.5


def test_intervals_by_hand():
    assert tuple(DRAWS.interval(0.8)) == pytest.approx((0.9, 8.1))
    skewed = Posterior(
        name="x", value=0.0, draws=np.arange(10.0) ** 2, range=(0.0, 81.0), method="", n_pairs=0.0
    )
    low, high = skewed.interval(0.5, kind="highest-density")
    assert (low, high) == (0, 25)  # six draws: the shortest range of half the draws and one more


def test_regions_by_hand():
    found = DRAWS.region(2, 5)
    assert (found.below, found.inside, found.above) == pytest.approx((0.2, 0.4, 0.4))
    assert found.decision == "undecided"
    assert DRAWS.region(-1, 20).decision == "equivalent"
    assert DRAWS.region(20, 30).decision == "different"
    assert DRAWS.region(-30, -20).decision == "different"


# --- the Bayesian bootstrap -----------------------------------------------------------------------


def test_moments_of_the_area_are_exact(fawcett):
    # Mean .68, sd .1174664
    found = posterior(fawcett, n_boot=20_000, rng=1)
    assert found.value == 0.68
    assert found.mean == pytest.approx(0.68, abs=4 * 0.1174664 / 20_000**0.5)
    assert found.sd == pytest.approx(0.1174664, rel=0.03)


def test_it_is_the_older_function_with_the_same_seed(fawcett):
    np.testing.assert_allclose(
        posterior(fawcett, n_boot=50, rng=3).draws,
        bayesian_bootstrap(fawcett, n_boot=50, rng=3).auc,
    )


def slow_difference(weight):
    """The difference of two areas over all pairs, ties one half, with weights of the cases."""
    total = []
    for scores in SCORES.values():
        s = np.array(scores, dtype=float)
        gap = np.subtract.outer(s[Y == 1], s[Y == 0])
        wins = (gap > 0) + (gap == 0) / 2
        p, n = weight[Y == 1], weight[Y == 0]
        total.append(p @ wins @ n / p.sum() / n.sum())
    return total[0] - total[1]


def test_differences_are_those_of_weighted_pairs():
    from rocspace.resampling.replicates import replicate_cases

    weights = replicate_cases(
        DATA, lambda times: times, n_boot=40, rng=5, scheme="bayesian", progress=False
    )
    found = posterior_difference(DATA, n_boot=40, rng=5)
    np.testing.assert_allclose(found.draws, [slow_difference(w) for w in weights])
    assert found.value == pytest.approx(slow_difference(np.ones(8)))
    assert posterior_difference(DATA, "b", "a", n_boot=40, rng=5).draws == pytest.approx(
        -found.draws
    )


def test_a_score_is_not_better_than_itself():
    same = rs.pair_scores(Y, {"a": SCORES["a"], "c": np.exp(SCORES["a"])})
    found = posterior_difference(same, n_boot=30, rng=1)
    assert (found.draws == 0).all()
    assert posterior_difference(same).draws.size == 4000  # if not asked otherwise
    assert found.probability() == 0.5
    low, high = found.interval()
    assert low < 0 < high  # Hoeffding's: draws that do not vary know nothing


def test_scores_that_separate_have_an_interval():
    low, high = posterior(rs.tabulate(Y, 2 * Y), n_boot=20, rng=1).interval()
    assert low < 0.6
    assert high == 1
    part = posterior(rs.tabulate(Y, 2 * Y), partial_area(fpr=(0, 0.5)), n_boot=20, rng=1)
    assert tuple(part.interval()) == (0.0, 0.5)
    assert part.interval().method == "whole range"


@pytest.mark.parametrize("statistic", ["auc", partial_area(fpr=(0, 0.4)), tpr_at(0.3), "youden"])
def test_a_difference_of_any_statistic_is_that_of_its_values(statistic):
    found = posterior_difference(DATA, statistic=statistic, n_boot=20, rng=2)
    one, two = (posterior(DATA, statistic, name, n_boot=20, rng=2) for name in "ab")
    np.testing.assert_allclose(found.draws, one.draws - two.draws)
    assert found.range[0] == -found.range[1]


def test_weights_of_cases_are_multiplied():
    twice = rs.pair_scores(Y, SCORES, sample_weight=np.full(8, 2.0))
    assert posterior(twice, name="a", n_boot=20, rng=1).draws == pytest.approx(
        posterior(DATA, name="a", n_boot=20, rng=1).draws
    )


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6))
def test_monotone_changes_and_threads_change_nothing(seed):
    rng = np.random.default_rng(seed)
    y, s = np.arange(30) % 2, rng.integers(0, 8, 30)
    one = posterior(rs.tabulate(y, s), n_boot=30, rng=seed)
    two = posterior(rs.tabulate(y, np.exp(s)), n_boot=30, rng=seed, threads=1)
    assert one == two
    assert ((one.draws >= 0) & (one.draws <= 1)).all()


# --- the binormal posterior -----------------------------------------------------------------------


def quadrature_mean(pos, neg):
    """The posterior mean of the area: over both standard deviations, the means in closed form."""
    u = (np.arange(400) + 0.5) / 400
    sds = [np.sqrt(len(x) * np.var(x) / chi2.ppf(u, len(x) - 1)) for x in (pos, neg)]
    spread = np.hypot(
        sds[0][:, None] * (1 + 1 / len(pos)) ** 0.5, sds[1] * (1 + 1 / len(neg)) ** 0.5
    )
    return ndtr((np.mean(pos) - np.mean(neg)) / spread).mean()


def test_the_posterior_mean_of_the_area_is_that_of_quadrature():
    rng = np.random.default_rng(4)
    pos, neg = rng.normal(1, 2, 12), rng.normal(0, 1, 20)
    found = binormal_posterior(rs.tabulate_classes(pos, neg), n_sim=40_000, rng=1)
    assert found.auc.mean == pytest.approx(quadrature_mean(pos, neg), abs=4 * 0.1 / 200)
    np.testing.assert_allclose(found.auc.draws, ndtr(found.a / np.hypot(1, found.b)))


def test_readings_of_a_known_curve():
    one = BinormalPosterior(
        a=np.full(3, 1.2), b=np.full(3, 0.8), n_pos=5, n_neg=5, method="one curve"
    )
    x = np.linspace(0.1, 0.4, 2001)
    heights = ndtr(1.2 + 0.8 * ndtri(x))
    assert one.partial_auc(fpr=(0.1, 0.4)).mean == pytest.approx(np.trapezoid(heights, x), abs=1e-7)
    assert one.tpr_at(0.1).mean == pytest.approx(heights[0])
    assert one.curve().tpr[10] == pytest.approx(heights[0])
    assert (one.curve().tpr[0], one.curve().tpr[-1]) == (0, 1)


def test_lower_scores_can_be_positive_in_the_binormal_posterior():
    rng = np.random.default_rng(1)
    score = rng.normal(size=40) + (y := np.arange(40) % 2)
    one = binormal_posterior(rs.tabulate(y, score), n_sim=10, rng=1)
    two = binormal_posterior(rs.tabulate(y, -score, higher_is_positive=False), n_sim=10, rng=1)
    np.testing.assert_allclose(one.a, two.a)


@pytest.mark.parametrize("power", [-900, -520, 520, 1000])
def test_the_binormal_posterior_has_no_unit(power):
    pos, neg = np.array([0.3, 1.1, 2.0, 0.7]), np.array([-0.2, 0.4, 0.6, -1.0])
    small = binormal_posterior(rs.tabulate_classes(pos, neg), n_sim=10, rng=1)
    scaled = (np.ldexp(each, power) for each in (pos, neg))
    other = binormal_posterior(rs.tabulate_classes(*scaled), n_sim=10, rng=1)
    np.testing.assert_array_equal(other.a, small.a)
    np.testing.assert_array_equal(other.b, small.b)


def test_it_varies_where_scores_separate():
    found = binormal_posterior(rs.tabulate(Y, Y * 10 + np.arange(8)), n_sim=500, rng=1)
    low, high = found.auc.interval()
    assert 0.5 < low < high <= 1


# --- bands ----------------------------------------------------------------------------------------


def test_the_band_contains_the_share_of_curves_and_no_more_than_needed(fawcett):
    draws = bayesian_bootstrap(fawcett, n_boot=400, rng=1)
    band = credible_band(draws, level=0.9)
    inside = ((draws.tpr >= band.low) & (draws.tpr <= band.high)).all(axis=1).mean()
    assert 0.9 <= inside <= 0.97
    points = draws.curve(0.9)
    assert (band.low <= points.low + 1e-12).all()
    assert (band.high >= points.high - 1e-12).all()
    assert credible_band(draws, level=0.5).area < band.area
    smooth = binormal_posterior(fawcett, rng=1)
    curve = smooth.curve()
    assert credible_band(smooth, level=0.9).contains(lambda x: np.interp(x, curve.fpr, curve.tpr))


def test_a_band_on_a_short_grid_reaches_both_ends(fawcett):
    band = credible_band(bayesian_bootstrap(fawcett, fpr=[0.5, 0.2], n_boot=100, rng=1))
    np.testing.assert_array_equal(band.fpr, [0, 0.2, 0.5, 1])
    assert (band.low[0], band.high[-1]) == (0, 1)


# --- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: posterior(DATA), ValueError, "one score of a, b"),
        (lambda: posterior(DATA, difference(), "a"), ValueError, "posterior_difference"),
        (lambda: posterior(DATA, np.mean, "a"), TypeError, "takes a statistic"),
        (lambda: posterior(DATA, "acu", "a"), ValueError, "Did you mean 'auc'"),
        (lambda: posterior(DATA, "auc", "c"), ValueError, "no score 'c'"),
        (lambda: posterior([1, 2]), TypeError, "tabulate"),
        (
            lambda: posterior(rs.pair_scores(Y, SCORES, cluster=Y), name="a"),
            ValueError,
            "in clusters",
        ),
        (
            lambda: posterior(rs.tabulate(Y, SCORES["a"], sample_weight=np.arange(1.0, 9))),
            ValueError,
            "weighted table",
        ),
        (
            lambda: binormal_posterior(
                rs.tabulate(Y, SCORES["a"], sample_weight=np.arange(1.0, 9))
            ),
            ValueError,
            "has weights",
        ),
        (lambda: binormal_posterior(rs.tabulate(Y, 2 * Y)), ValueError, "positives do not vary"),
        (lambda: binormal_posterior(rs.tabulate([0, 1], [1, np.inf])), ValueError, "infinite"),
        (lambda: credible_band(DATA), TypeError, "takes drawn curves"),
        (lambda: DRAWS.region(1, 1), ValueError, "first end must be the smaller"),
        (lambda: DRAWS.interval(kind="hdi"), ValueError, "equal-tailed"),
    ],
)
def test_first_mistakes(call, error, says):
    with pytest.raises(error, match=says):
        call()


def test_posteriors_survive_pickling(fawcett):
    for each in (posterior(fawcett, n_boot=10, rng=1), binormal_posterior(fawcett, n_sim=9, rng=1)):
        assert pickle.loads(pickle.dumps(each)) == each


def test_the_band_of_known_curves_by_hand():
    # Ten curves, at one height each: depths 1, 2, 3, 4, 5, 5, 4, 3, 2, 1. Of these 8 are 2 or
    # more, and all are 1.
    heights = np.arange(10.0)[:, None] / 10 + 0.05
    draws = bayesian_bootstrap(rs.tabulate([0, 1, 0, 1], [1, 2, 3, 4]), n_boot=20, rng=1)
    known = replace(draws, fpr=np.array([0.0, 0.5, 1.0]), tpr=heights * np.ones(3))
    for level, low, high in ((0.8, 0.15, 0.85), (0.81, 0.05, 0.95), (0.2, 0.45, 0.55)):
        band = credible_band(known, level=level)
        np.testing.assert_allclose((band.low[1], band.high[1]), (low, high))


def test_draws_are_summed_up_in_print_and_not_shown(fawcett):
    drawn = bayesian_bootstrap(fawcett, n_boot=50, rng=1)
    low, high = drawn.interval()
    assert str(drawn).splitlines() == [
        "BayesianBootstrap",
        f"  Mean area:          {drawn.mean:.3f}",
        f"  Standard deviation: {drawn.sd:.3f}",
        f"  {level_of()} interval:      {low:.3f} to {high:.3f}",
        "  Draws:              50",
        f"  Curve:              at {drawn.fpr.size} false positive rates",
    ]
    fitted = binormal_posterior(fawcett, rng=1)
    shown = str(fitted).splitlines()
    low, high = fitted.auc.interval()
    assert shown[:3] == [
        "BinormalPosterior",
        f"  Area:                   {fitted.auc.value:.3f}",
        f"  {level_of()} credible interval: {low:.3f} to {high:.3f}",
    ]
    medians = f"{np.median(fitted.a):.3f} and {np.median(fitted.b):.3f}"
    assert f"  Medians of a and b:     {medians}" in shown
    assert f"  Draws:                  {fitted.a.size:,}" in shown
    assert len(shown) == 8
