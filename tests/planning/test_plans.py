"""Power and sample size: by hand, by quadrature, as printed, as pROC and pauc, by simulation."""

import csv
import re
from fractions import Fraction
from itertools import accumulate
from math import comb

import numpy as np
import pytest
from benchmarks.coverage import planning
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

import rocspace as rs
from rocspace.compare import auc_difference
from rocspace.counts import SingleClassError
from rocspace.planning import (
    Plan,
    detectable_area,
    plan_area,
    plan_difference,
    plan_from_pilot,
    plan_paired,
    plan_rate,
    simulated_power_estimate,
)
from rocspace.planning.area_variance import (
    Binormal,
    area_variance,
    covariance_of,
    normal_covariance,
    variance_of,
)
from rocspace.results import TestResult
from rocspace.simulate import binormal, clustered_binormal, paired_binormal
from slow.data import answer, assert_close, reference

Z975, Z80 = 1.959963984540054, 0.8416212335729143
ALTERNATIVE = {"two.sided": "two-sided", "one.sided": "greater"}
areas = st.floats(0.52, 0.98)
ratios = st.sampled_from([0.25, 1.0, 3.0])
variances = st.sampled_from(["empirical", "exact", "obuchowski", "hanley-mcneil"])


def pilot(request, data, label, *markers):
    path = request.getfixturevalue("shared") / "data" / f"{data}.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = [*csv.DictReader(file)]
    scores = {name: [float(r[name]) for r in rows] for name in markers}
    return rs.pair_scores([int(r[label]) for r in rows], scores)


def from_parameters(p):
    """Make the population of pROC's list of binormal parameters."""
    sd = [1 / p["B1"], 1 / p["B2"]]
    mean = [p["A1"] / p["B1"], p["A2"] / p["B2"]]
    areas = [stats.norm.cdf(m / (1 + s * s) ** 0.5) for m, s in zip(mean, sd, strict=True)]
    population = paired_binormal(areas, sd_ratio=sd, r_pos=p["ra"], r_neg=p["rn"])
    assert_close(population.mean, mean, 9)
    return population


# --- a plan -----------------------------------------------------------------------------------


def test_plan_by_hand():
    # (1.96 * 1 + .8416 * 2)^2 / .25 = 4 * (3.6432)^2.
    plan = Plan(difference=0.5, null_variance=1.0, variance=4.0, ratio=3.0, method="")
    design = plan.for_power(0.8)
    assert design.n_pos == pytest.approx(4 * (Z975 + 2 * Z80) ** 2)
    assert design.n_neg == pytest.approx(3 * design.n_pos)
    assert (design.power, design.significance, design.difference) == (0.8, 0.05, 0.5)
    # One sided 1.6449; 16 positives: (.5 * 4 - 1.6449) / 2.
    power = plan.for_cases(16, alternative="greater").power
    assert power == pytest.approx(stats.norm.cdf((2 - stats.norm.ppf(0.95)) / 2))
    power = plan.for_cases(16, alternative="less").power
    assert power == pytest.approx(stats.norm.cdf((-2 - stats.norm.ppf(0.95)) / 2))
    assert plan.for_power(0.8, alternative="less").n_pos == np.inf
    assert plan.detectable(16) == pytest.approx((Z975 + 2 * Z80) / 4)
    # Half width .5 with variance 4: 1.96^2 * 4 / .25.
    assert plan.for_width(0.5).n_pos == pytest.approx(16 * Z975**2)
    # One positive in ten: 100 cases for ten positives, and 270 / .9 for the negatives.
    design = plan.for_cases(90)
    assert design.screened(0.1) == pytest.approx(900)
    assert design.screened(0.5) == pytest.approx(540)


def test_small_samples_by_hand():
    # Variance 1 + 8 / n under both hypotheses; sqrt(n) .5 = 2.8016 sqrt(1 + 8 / n):
    # n^2 - c n - 8 c = 0 with c = 4 * 2.8016^2.
    plan = Plan(
        difference=0.5,
        null_variance=1.0,
        variance=1.0,
        ratio=1.0,
        method="",
        null_small=8.0,
        small=8.0,
    )
    c = 4 * (Z975 + Z80) ** 2
    assert plan.for_power(0.8).n_pos == pytest.approx((c + (c * c + 32 * c) ** 0.5) / 2)
    # Width: z^2 (1 + 8 / n) / n = .25.
    n = plan.for_width(0.5).n_pos
    assert Z975**2 * (1 + 8 / n) / n == pytest.approx(0.25)


@given(area=areas, null=areas, ratio=ratios, power=st.floats(0.1, 0.99), variance=variances)
@settings(max_examples=80)
def test_inverse_functions_agree(area, null, ratio, power, variance):
    if abs(area - null) < 0.01:
        area = null + 0.01
    plan = plan_area(area, null_area=null, ratio=ratio, variance=variance)
    design = plan.for_power(power)
    if design.n_pos == 0:  # so wide a spread has more than a small power with any number
        assert plan.for_cases(1e-6).power > power
        return
    assert plan.for_cases(design.n_pos).power == pytest.approx(power, abs=1e-9)
    assert plan.for_significance(design.n_pos, power).significance == pytest.approx(0.05, rel=1e-6)
    found = plan.detectable(design.n_pos, power=power)
    assert found == pytest.approx(abs(plan.difference), rel=1e-9)
    precise = plan.for_width(0.04)
    half = Z975 * ((plan.variance + plan.small / precise.n_pos) / precise.n_pos) ** 0.5
    assert half == pytest.approx(0.04)
    # More power, or a smaller difference, needs more cases.
    assert plan.for_power(min(power + 0.005, 0.995)).n_pos > design.n_pos
    assert plan.for_power(power, significance=0.04).n_pos > design.n_pos
    nearer = plan_area(null + 0.9 * (area - null), null_area=null, ratio=ratio, variance=variance)
    # Below a power of one half more spread helps, and a nearer area may have more.
    if power >= 0.5:
        assert nearer.for_power(power).n_pos > design.n_pos


def test_no_difference_needs_infinitely_many():
    assert plan_area(0.7, null_area=0.7).for_power(0.8).n_pos == np.inf
    assert plan_difference(0.7, 0.7).for_power(0.8).n_neg == np.inf
    # Non-inferiority by a margin is another matter.
    margin = plan_difference(0.8, 0.8, correlation=0.5, null_difference=-0.05).with_samples(200)
    assert margin.difference == pytest.approx(0.05)
    assert margin.for_power(0.8, alternative="greater").n_pos < 300
    assert margin.for_power(0.8, alternative="less").n_pos == np.inf


# --- one curve --------------------------------------------------------------------------------


@pytest.mark.parametrize(("area", "key"), [(0.7, "auc0.7"), (0.8, "auc0.8")])
def test_reference_one_area(area, key):
    found = plan_area(area, variance="obuchowski").for_power(0.9).n_pos
    assert_close(found, reference()[f"obuchowski_n_{key}_power.9"])
    assert round(found, 4) == {0.7: 40.2137, 0.8: 16.6192}[area]


def test_oracle_one_area(request):
    expected = answer("power__one_roc", request)
    assert len(expected["one_roc_sample_size"]) == 90
    for row in expected["one_roc_sample_size"]:
        p = row["input"]
        plan = plan_area(p["auc"], ratio=p["kappa"], variance="obuchowski")
        side = {"alternative": ALTERNATIVE[p["alternative"]], "significance": p["sig.level"]}
        design = plan.for_power(p["power"], **side)
        assert_close([design.n_pos, design.n_neg], [row["ncases"], row["ncontrols"]], 11)
    for row in expected["one_roc_power"]:
        p = row["input"]
        plan = plan_area(p["auc"], ratio=p["ncontrols"] / p["ncases"], variance="obuchowski")
        assert_close(plan.for_cases(p["ncases"]).power, row["power"], 11)
    for row in expected["one_roc_sig_level"]:
        p = row["input"]
        plan = plan_area(p["auc"], ratio=p["ncontrols"] / p["ncases"], variance="obuchowski")
        assert_close(plan.for_significance(p["ncases"], p["power"]).significance, row["sig.level"])
    for row in expected["one_roc_auc"]:
        p = row["input"]
        options = {"ratio": p["ncontrols"] / p["ncases"], "variance": "obuchowski"}
        found = detectable_area(p["ncases"], power=p["power"], **options)
        # pROC's search stops early; our answer has the power.
        assert found == pytest.approx(row["auc"], abs=2e-5)
        assert plan_area(found, **options).for_cases(p["ncases"]).power == pytest.approx(p["power"])


def test_oracle_hanley_mcneil():
    # pauc 0.2.2, whose "obuchowski" is this variance: area .6, power .8.
    plan = plan_area(0.6, variance="hanley-mcneil")
    assert plan.for_power(0.8).n_pos == pytest.approx(129.39, abs=0.005)
    # The variance itself is that of the library.
    n = 37
    table = binormal(0.8).draw(n, 2 * n, rng=1)
    area = rs.auc(table)
    planned = area_variance(area, 2.0, "hanley-mcneil")
    found = rs.auc_estimate(table, method="hanley-mcneil").se ** 2
    assert (planned.large + planned.small / n) / n == pytest.approx(found, rel=1e-12)


@pytest.mark.parametrize(("area", "factor"), [(0.7, 1.13), (0.967, 1.92)])
def test_the_published_variance_is_too_large(area, factor):
    q = 2**0.5 * stats.norm.ppf(area)
    published, exact = (area_variance(area, 1.0, v).large for v in ("obuchowski", "exact"))
    assert published / exact == pytest.approx((3 * q**2 + 8) / (q**2 + 8), rel=0.006)
    assert published / exact == pytest.approx(factor, abs=0.02)
    # With b = 1: e^(-q^2/2) (q^2 + 8)(1 + 1 / ratio) / (32 pi).
    for ratio in (1.0, 3.0):
        closed = np.exp(-(q**2) / 2) * (q**2 + 8) * (1 + 1 / ratio) / (32 * np.pi)
        assert area_variance(area, ratio, "exact").large == pytest.approx(closed, rel=1e-12)


@given(area=areas, b=st.floats(0.4, 2.5), ratio=ratios)
@settings(max_examples=15)
def test_empirical_variance_is_that_of_the_definition(area, b, ratio):
    # P(X > Y) and what two comparisons share, integrated over the shared score.
    curve = Binormal(a=stats.norm.ppf(area) * (1 + b * b) ** 0.5, b=b)
    sd, mean = 1 / b, curve.a / b
    norm = stats.norm.cdf

    def mean_square(win, centre, spread):
        def density(x):
            return win(x) ** 2 * stats.norm.pdf(x, centre, spread)

        return integrate.quad(density, centre - 9 * spread, centre + 9 * spread)[0]

    shared_pos = mean_square(norm, mean, sd) - area**2
    shared_neg = mean_square(lambda y: norm((mean - y) / sd), 0, 1) - area**2
    n_pos, n_neg = 7, 7 * ratio
    exact = area * (1 - area) + (n_neg - 1) * shared_pos + (n_pos - 1) * shared_neg
    planned = variance_of(curve, ratio, "empirical")
    found = (planned.large + planned.small / n_pos) / n_pos
    assert found == pytest.approx(exact / (n_pos * n_neg), rel=1e-6)


def test_variance_of_a_part_is_that_of_what_each_case_adds():
    a, b, low, high = 1.2, 0.8, 0.1, 0.5
    height = [stats.norm.cdf(a + b * stats.norm.ppf(f)) for f in (low, high)]

    def positive(t):  # the width of the part right of its place on the curve
        return high - min(max(stats.norm.cdf((stats.norm.ppf(t) - a) / b), low), high)

    def negative(f):  # the height that the curve gains between there and the end of the part
        return height[1] - stats.norm.cdf(a + b * stats.norm.ppf(min(max(f, low), high)))

    def spread(adds, bends):
        mean = integrate.quad(adds, 0, 1, points=bends)[0]
        return integrate.quad(lambda x: (adds(x) - mean) ** 2, 0, 1, points=bends)[0]

    found = variance_of(Binormal(a=a, b=b, low=low, high=high), 3.0, "empirical").large
    expected = spread(positive, height) + spread(negative, [low, high]) / 3
    assert found == pytest.approx(expected, rel=1e-6)


@given(a=st.floats(-1, 4), b=st.floats(0.4, 2.5), low=st.floats(0, 0.5), width=st.floats(0.05, 0.5))
@settings(max_examples=30)
def test_area_and_gradient_of_a_part(a, b, low, width):
    def area(a, b):
        return Binormal(a=a, b=b, low=low, high=low + width).area

    high = min(low + width, 1.0)
    steep = [x for x in (1e-6, 1e-4, 1e-2, 0.1) if low < x < high]
    by_quadrature = integrate.quad(
        lambda f: stats.norm.cdf(a + b * stats.norm.ppf(f)), low, high, points=steep or None
    )[0]
    assert area(a, b) == pytest.approx(by_quadrature, abs=1e-7)
    f, g = Binormal(a=a, b=b, low=low, high=high).gradient
    h = 1e-5
    assert f == pytest.approx((area(a + h, b) - area(a - h, b)) / (2 * h), abs=1e-7)
    assert g == pytest.approx((area(a, b + h) - area(a, b - h)) / (2 * h), abs=1e-7)


def test_normal_covariance_is_that_of_scipy():
    for h, k, rho in [(0.3, -1.0, 0.6), (2.0, 1.5, -0.9), (0.0, 0.0, 0.5), (-3.0, 0.2, 0.99)]:
        both = stats.multivariate_normal([0, 0], [[1, rho], [rho, 1]]).cdf([h, k])
        expected = both - stats.norm.cdf(h) * stats.norm.cdf(k)
        assert normal_covariance(h, k, rho) == pytest.approx(expected, abs=1e-7)
    # Sheppard: P(X < 0, Y < 0) = 1/4 + asin(rho) / 2 pi. One variable: min - product.
    assert normal_covariance(0, 0, 0.5) == pytest.approx(1 / 12, rel=1e-12)
    assert normal_covariance(0, 1, 1) == pytest.approx(0.5 * (1 - stats.norm.cdf(1)), abs=1e-9)


def test_detectable_area():
    for alternative in ("two-sided", "greater", "less"):
        options = {"null_area": 0.75, "ratio": 2, "variance": "empirical"}
        found = detectable_area(50, alternative=alternative, **options)
        assert (found < 0.75) == (alternative == "less")
        plan = plan_area(found, **options)
        assert plan.for_cases(50, alternative=alternative).power == pytest.approx(0.8)
    assert detectable_area(3, null_area=0.97) == 1
    assert detectable_area(1, null_area=0.03, alternative="less") == 0


def test_unequal_spread_and_parts():
    whole = plan_area(0.8, variance="exact")
    assert whole.variance == pytest.approx(plan_area(0.8, fpr=(0, 1), variance="exact").variance)
    literal = plan_area(0.8, variance="obuchowski").variance
    # .0099 and 1.414 make half a percent.
    general = plan_area(0.8, fpr=(0, 1), variance="obuchowski").variance
    assert literal == pytest.approx(general, rel=0.006)
    part = plan_area(0.8, sd_ratio=1.5, fpr=(0, 0.2))
    better, chance = (binormal(area, 1.5).partial_auc(fpr=(0, 0.2)) for area in (0.8, 0.5))
    truth = better - chance
    assert part.difference == pytest.approx(truth, abs=1e-9)
    one = plan_area(0.8, sd_ratio=1.5)
    every = plan_area(0.8, sd_ratio=1.5, fpr=(0.0, 1 - 1e-12))
    assert every.variance == pytest.approx(one.variance, rel=1e-6)


# --- two curves -------------------------------------------------------------------------------


def test_reference_pilot(request):
    expected = reference()["power_two_roc_asah_ndka_wfns"]
    data = pilot(request, "asah", "outcome", "ndka", "wfns")
    for null in ("first", "alternative"):
        plan = plan_from_pilot(data, "ndka", "wfns", variance="delong", null=null)
        found = [plan.for_cases(41).power, *(plan.for_power(p).n_pos for p in (0.8, 0.9))]
        assert_close(found, [expected[null][key] for key in ("power", "nD_80", "nD_90")], 10)
        assert plan.ratio == 72 / 41
    delong = {"variance": "delong"}
    exchanged = plan_from_pilot(data, "wfns", "ndka", null="first", **delong).for_power(0.9)
    assert_close(exchanged.n_pos, expected["first"]["nD_90_curves_exchanged"], 10)
    symmetric = plan_from_pilot(data, "wfns", "ndka", **delong).for_power(0.9)
    assert_close(symmetric.n_pos, expected["alternative"]["nD_90"], 10)


@pytest.mark.parametrize(
    ("data", "label", "one", "two"),
    [("asah", "outcome", "s100b", "ndka"), ("dm_rocdata", "Gold", "test1", "test2")],
)
def test_oracle_pilot(data, label, one, two, request):
    expected = answer(f"power__two_roc__{data}__{one}__{two}", request)
    cases = pilot(request, data, label, one, two)
    plan = plan_from_pilot(cases, one, two, variance="delong", null="first")
    row = expected["power_at_observed_n"]
    n_pos = row["ncases"]
    assert_close(plan.ratio, row["ncontrols"] / n_pos)
    assert_close(plan.difference, row["auc1"] - row["auc2"], 11)
    assert_close(plan.for_cases(n_pos).power, row["power"], 10)
    for power in (0.8, 0.9):
        design, row = plan.for_power(power), expected[f"n_for_power_{power}"]
        assert_close([design.n_pos, design.n_neg], [row["ncases"], row["ncontrols"]], 10)
    one_sided = plan.for_power(0.9, alternative="greater")
    assert_close(one_sided.n_pos, expected["n_for_power_0.9_one_sided"]["ncases"], 10)
    level = plan.for_significance(n_pos, 0.9).significance
    assert_close(level, expected["sig_level_power_0.9"]["sig.level"], 10)


def test_the_pilot_takes_the_covariance_of_comparisons():
    data = paired_binormal([0.9, 0.8], r_pos=0.7).draw(30, 50, rng=1)
    gain = auc_difference(data, "score_1", "score_2")
    plan = plan_from_pilot(data, "score_1", "score_2")
    assert plan.difference == pytest.approx(gain.value)
    assert plan.variance / 30 == pytest.approx(gain.se**2)
    part = auc_difference(data, "score_1", "score_2", fpr=(0, 0.3))
    of_part = plan_from_pilot(data, "score_1", "score_2", fpr=(0, 0.3))
    assert of_part.variance / 30 == pytest.approx(part.se**2)
    # Another ratio: only what the negatives add changes, as if each counted several times.
    many = rs.pair_scores(
        np.r_[data.label, np.zeros(50, bool)], np.r_[data.score, data.score[~data.label]]
    )
    wide = plan_from_pilot(data, "score_1", "score_2", ratio=100 / 30)
    # DeLong divides by n - 1: 49 for fifty negatives, 99 for the hundred.
    by_neg = 2 * (plan.variance - wide.variance)
    doubled = plan_from_pilot(many, "score_1", "score_2").variance
    assert 0 < by_neg < plan.variance
    assert doubled == pytest.approx((plan.variance - by_neg) + by_neg / 2 * 98 / 99)


def test_reference_planning():
    expected = reference()["obuchowski_two_auc_planning"]
    p = {"A1": 2.6, "B1": 1, "A2": 1.9, "B2": 1, "ra": 0.6, "rn": 0.6}
    old = {"variance": "obuchowski", "null": "first"}
    whole = plan_paired(from_parameters(p), difference=0.037, **old).for_power(0.8).n_pos
    part = plan_paired(from_parameters(p), fpr=(0, 0.2), difference=0.0074, **old).for_power(0.8)
    assert_close([whole, part.n_pos], [*expected.values()], 11)
    assert round(whole, 6) == 165.760455
    assert round(part.n_pos, 6) == 2675.593753


def test_oracle_planning(request):
    rows = answer("power__two_roc__obuchowski_params", request)["binormal_parlist"]
    assert len(rows) == 12
    for row in rows:
        p = row["input"]
        plan = plan_paired(
            from_parameters(p),
            fpr=(p["FPR11"], p["FPR12"]) if "FPR11" in p else None,
            difference=p["delta"],
            ratio=p["kappa"],
            variance="obuchowski",
            null="first",
        )
        design = plan.for_power(p["power"], significance=p["sig.level"])
        assert_close([design.n_pos, design.n_neg], [row["ncases"], row["ncontrols"]], 11)


@given(
    areas=st.tuples(areas, areas),
    b=st.floats(0.5, 2),
    r=st.tuples(st.floats(-0.9, 0.95), st.floats(-0.9, 0.95)),
    ratio=ratios,
)
@settings(max_examples=10)
def test_covariances_by_two_ways(areas, b, r, ratio):
    one, two = (Binormal(a=stats.norm.ppf(x) * (1 + b * b) ** 0.5, b=b) for x in areas)
    for variance in ("exact", "empirical"):
        both = covariance_of(one, two, *r, ratio, variance)
        turned = covariance_of(two, one, *r, ratio, variance)
        assert both.large == pytest.approx(turned.large, rel=1e-9)
        # One score twice: its own variance; "exact" is why "obuchowski" is not.
        alone = variance_of(one, ratio, variance)
        assert covariance_of(one, one, 1, 1, ratio, variance).large == pytest.approx(alone.large)
    # A part that is nearly whole, integrated over pairs of cuts, against comparisons shared.
    nearly = [Binormal(a=c.a, b=c.b, low=0, high=1 - 1e-12) for c in (one, two)]
    part = covariance_of(*nearly, *r, ratio, "empirical").large
    assert part == pytest.approx(covariance_of(one, two, *r, ratio, "empirical").large, abs=1e-7)
    assert variance_of(nearly[0], ratio, "empirical").large == pytest.approx(
        variance_of(one, ratio, "empirical").large, abs=1e-7
    )


@pytest.mark.no_cover
@pytest.mark.parametrize("part", [None, (0.0, 0.2), (0.1, 0.5)])
def test_planned_variances_are_those_of_samples(part):
    population = paired_binormal([0.85, 0.75], sd_ratio=1.3, r_pos=0.6, r_neg=0.3)
    n_pos, n_neg, samples = 120, 180, 1000
    blocks = population.draw_blocks(n_pos, n_neg, n_sim=samples, rng=7)
    found = np.empty((samples, 2))
    for i in range(samples):
        for j in range(2):
            table = rs.tabulate_classes(blocks.pos[i, :, j], blocks.neg[i, :, j])
            found[i, j] = rs.auc(table) if part is None else rs.partial_auc(table, fpr=part)
    plan = plan_paired(population, fpr=part, ratio=n_neg / n_pos)
    assert plan.difference == pytest.approx(np.subtract(*found.mean(axis=0)), abs=0.004)
    # The variance of a variance of 1000 values is 2 / 1000 of its square: 4.5 percent.
    measured = np.var(found[:, 0] - found[:, 1], ddof=1) * n_pos
    assert plan.variance + plan.small / n_pos == pytest.approx(measured, rel=0.16)


def test_groups_of_cases_and_pairs():
    # Two groups: no covariance, whichever way it is planned.
    apart = plan_paired(paired_binormal([0.85, 0.75], r_pos=0, r_neg=0))
    simple = plan_difference(0.85, 0.75)
    assert apart.variance == pytest.approx(simple.variance)
    assert apart.small == pytest.approx(simple.small)
    assert simple.variance == pytest.approx(plan_area(0.85).variance + plan_area(0.75).variance)
    # Planned from correlated areas: 2 v (1 - r).
    paired = plan_difference(0.8, 0.8, correlation=0.3, variance="obuchowski", null="first")
    assert paired.variance == pytest.approx(1.4 * plan_area(0.8, variance="obuchowski").variance)
    # r sqrt(v1 v2) is the covariance of areas whose correlation is r.
    r = 0.6
    one, two = (Binormal(a=2**0.5 * stats.norm.ppf(x), b=1.0) for x in (0.85, 0.75))
    v1, v2 = (variance_of(c, 1, "exact").large for c in (one, two))
    shared = covariance_of(one, two, r, r, 1, "exact").large / (v1 * v2) ** 0.5
    by_areas = plan_difference(0.85, 0.75, correlation=shared, variance="exact")
    by_scores = plan_paired(paired_binormal([0.85, 0.75], r_pos=r, r_neg=r), variance="exact")
    assert by_areas.variance == pytest.approx(by_scores.variance)


# --- a rate -----------------------------------------------------------------------------------


def test_rate_by_hand():
    # (1.96 sqrt(.16) + .8416 sqrt(.09))^2 / .01; 1.96^2 * .09 / .0025.
    plan = plan_rate(0.9, null_rate=0.8, ratio=2, variance="normal")
    assert plan.for_power(0.8).n_pos == pytest.approx((Z975 * 0.4 + Z80 * 0.3) ** 2 / 0.01)
    assert plan.for_width(0.05).n_pos == pytest.approx(Z975**2 * 0.09 / 0.0025)
    # Of the negatives the same number of negatives.
    options = {"of": "negatives", "ratio": 2, "variance": "normal"}
    other = plan_rate(0.9, null_rate=0.8, **options).for_power(0.8)
    assert other.n_neg == pytest.approx(plan.for_power(0.8).n_pos)
    assert other.n_pos == pytest.approx(other.n_neg / 2)


def test_one_case_can_be_enough():
    # One case shows .3 against .99 with an error of .3; none is fewer.
    found = plan_rate(0.99, null_rate=0.3).for_power(0.8, significance=0.5, alternative="greater")
    assert (found.n_pos, found.power) == (1, pytest.approx(0.99))


@pytest.mark.parametrize("significance", [0.05, 1e-10, 1e-20, 1e-40, 1e-320])
def test_exact_power_is_a_sum_of_binomial_probabilities(significance):
    n, tail = 600, Fraction(significance) / 2

    def above(rate: Fraction) -> list[Fraction]:
        odds = [comb(n, i) * rate**i * (1 - rate) ** (n - i) for i in range(n, -1, -1)]
        return [*reversed(list(accumulate(odds)))]  # of at least 0, 1, ... n

    null, rate = above(Fraction(1, 4)), above(Fraction(1, 2))
    least = next((i for i, share in enumerate(null) if share <= tail), None)
    power = 0.0 if least is None else float(rate[least])
    plan = plan_rate(0.5, null_rate=0.25)
    assert plan.for_cases(n, significance=significance).power == pytest.approx(power, rel=1e-9)
    found = plan.for_power(0.8, significance=significance)
    assert found.power >= 0.8
    assert found.n_pos == int(found.n_pos)
    assert plan.for_cases(found.n_pos - 1, significance=significance).power < 0.8
    wide = plan.for_width(0.05, level=min(1 - significance, 1 - 1e-15))
    assert wide.half_width <= 0.05


# --- by simulation ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("plan", "population"),
    [
        (plan_area(0.7, variance="empirical"), binormal(0.7)),
        (plan_area(0.7, ratio=4, variance="empirical"), binormal(0.7)),
        (
            plan_paired(paired_binormal([0.85, 0.7], r_pos=0.6, r_neg=0.6), variance="empirical"),
            paired_binormal([0.85, 0.7], r_pos=0.6, r_neg=0.6),
        ),
    ],
    ids=["one", "one, 1:4", "paired"],
)
def test_simulation_agrees_with_the_formula(plan, population):
    n_pos = int(np.ceil(plan.for_power(0.8).n_pos))
    found = simulated_power_estimate(population, n_pos, round(n_pos * plan.ratio), n_sim=500, rng=5)
    # Four standard errors, and .02 for what the Normal law leaves out.
    assert found.value == pytest.approx(plan.for_cases(n_pos).power, abs=4 * 0.018 + 0.02)
    assert found.se == pytest.approx((found.value * (1 - found.value) / 500) ** 0.5)


def test_simulation_of_a_true_hypothesis_is_the_size():
    found = simulated_power_estimate(binormal(0.5), 30, 30, n_sim=1000, rng=2)
    assert 0.02 < found.value < 0.08
    same = simulated_power_estimate(binormal(0.5), 30, 30, n_sim=1000, rng=2, progress=False)
    assert found == same
    low, high = found.interval(0.99)
    assert low < 0.05 < high


def test_the_table_of_measured_power_is_of_these_formulas():
    text = simulated_power_estimate.__doc__
    told = [int(n) for n in re.findall(r"(\d+): \d\d\b", text)]
    plans = [lambda v, a=a: plan_area(a, variance=v) for a in (0.6, 0.7, 0.85)]
    for areas, r in (((0.85, 0.75), 0), ((0.85, 0.75), 0.6), ((0.95, 0.9), 0.6), ((0.7, 0.6), 0.9)):
        pair = paired_binormal(areas, r_pos=r, r_neg=r)
        plans.append(lambda v, pair=pair: plan_paired(pair, variance=v))
    pair = paired_binormal((0.9, 0.8))
    plans.append(lambda v: plan_paired(pair, variance=v, fpr=(0, 0.2)))
    kinds = ("empirical", "exact", "obuchowski")
    assert told == [int(np.ceil(p(v).for_power(0.8).n_pos)) for p in plans for v in kinds]


@pytest.mark.filterwarnings("ignore:.*the variance is hardly known", "ignore:One cluster")
def test_rows_for_the_ledger_are_all_different():
    makers = (planning.cluster_cells, planning.cluster_test_cells, planning.power_cells)
    rows = [row for make in makers for cell in make() for row in cell.rows(2)]
    assert len({row.key for row in rows}) == len(rows) == 186
    assert {row.samples for row in rows} == {2}
    assert all(0 <= row.coverage <= 1 for row in rows)


def test_simulation_of_clusters_and_own_tests():
    population = clustered_binormal([0.9, 0.6], sizes=(3,), r=0.6)
    assert simulated_power_estimate(population, 60, n_sim=60, rng=1).value > 0.9
    assert simulated_power_estimate(clustered_binormal([0.9]), 60, n_sim=40, rng=1).value > 0.9
    paired = paired_binormal([0.8])
    assert simulated_power_estimate(paired, 40, 40, n_sim=40, rng=1).value > 0.9

    def never(sample):
        assert (sample.n_pos, sample.n_neg) == (5, 6)
        return TestResult(
            statistic=0.0, pvalue=np.nan, alternative="two-sided", method="", difference=0.0
        )

    found = simulated_power_estimate(binormal(0.9), 5, 6, test=never, n_sim=7, rng=1)
    assert (found.value, found.method) == (0, "simulation, 7 of 7 without a p value")


def test_bad_input():
    data = paired_binormal([0.8, 0.7]).draw(5, 5, rng=1)
    plan = plan_area(0.8)
    wrong = [
        (lambda: plan_area(1.0), "area is 1.0, but must lie strictly between 0 and 1"),
        (lambda: plan_area(0.8, null_area=0), "null_area is 0"),
        (lambda: plan_area(0.8, ratio=0), "ratio is 0, but must be a positive number"),
        (lambda: plan_area(0.8, variance="exat"), "variance is 'exat'"),
        (lambda: plan_area(0.8, fpr=(0, 0.1), variance="hanley-mcneil"), "take 'empirical'"),
        (lambda: plan_area(0.8, fpr=(0.2, 0.1)), "first end must be the smaller"),
        (lambda: plan_area(0.8, sd_ratio=-1), "sd_ratio is -1"),
        (lambda: plan.for_power(0.03), "power is 0.03"),
        (lambda: plan.for_power(80), "power is 80"),
        (lambda: plan.for_power(1), "power is 1, but"),
        (lambda: plan.for_power(0.8, significance=0), "significance is 0"),
        (lambda: plan.for_power(0.8, alternative="more"), "alternative is 'more'"),
        (lambda: plan.for_cases(0), "n_pos is 0"),
        (lambda: plan.for_width(-0.1), "half_width is -0.1"),
        (lambda: plan.for_width(0.1, level=95), "level is 95"),
        (lambda: plan.for_cases(9).screened(0), "prevalence is 0"),
        (lambda: plan_difference(0.8, 0.7, correlation=-1), "correlation is -1"),
        (lambda: plan_difference(0.8, 0.7, null="second"), "null is 'second'"),
        (lambda: plan_paired(paired_binormal([0.8])), "two scores"),
        (lambda: plan_paired(paired_binormal([0.8, 0.7], cuts=(0, 1, 2))), "not ratings"),
        (lambda: plan_from_pilot(data, "score_1", "scor_2"), "no score 'scor_2'"),
        (lambda: plan_rate(0.9, null_rate=1), "null_rate is 1"),
        (lambda: simulated_power_estimate(binormal(0.8), 5, 5, n_sim=0), "n_sim is 0"),
        (lambda: simulated_power_estimate(paired_binormal([0.8] * 3), 5, 5), "give test"),
    ]
    for call, said in wrong:
        with pytest.raises(ValueError, match=said):
            call()
    with pytest.raises(SingleClassError, match=r"plan_from_pilot needs .* 2 positives and 0"):
        plan_from_pilot(rs.pair_scores([1, 1], {"a": [1, 2], "b": [2, 1]}, pos_label=1), "a", "b")
    fractions = rs.pair_scores([1, 1, 0, 0], data.score[:4], sample_weight=[1, 2, 0.5, 1])
    with pytest.raises(ValueError, match="Frequency weights are whole numbers"):
        plan_from_pilot(fractions, "score_1", "score_2", weight_type="frequency")
    for column, said in (("sample_weight", 'Use weight_type="frequency"'), ("cluster", "clusters")):
        wrong_data = rs.pair_scores([1, 1, 0, 0], data.score[:4], **{column: [1, 1, 1, 1]})
        with pytest.raises(ValueError, match=said):
            plan_from_pilot(wrong_data, "score_1", "score_2")
    with pytest.raises(ValueError, match="1 positive and 2 negatives"):
        plan_from_pilot(rs.pair_scores([1, 0, 0], data.score[:3]), "score_1", "score_2")


def test_a_pilot_of_frequencies_is_that_of_repeated_cases():
    rng = np.random.default_rng(4)
    label, score = np.arange(20) < 8, rng.normal(size=(20, 2))
    often = rng.integers(1, 4, 20)
    weighted = rs.pair_scores(label, score, sample_weight=often)
    repeated = rs.pair_scores(label.repeat(often), score.repeat(often, axis=0))
    for fpr in (None, (0, 0.4)):
        one = plan_from_pilot(weighted, "score_1", "score_2", fpr=fpr, weight_type="frequency")
        two = plan_from_pilot(repeated, "score_1", "score_2", fpr=fpr)
        for name in ("difference", "variance", "null_variance", "ratio"):
            assert getattr(one, name) == pytest.approx(getattr(two, name), rel=1e-12)


def test_without_variance_a_difference_is_found_surely_and_none_never():
    alike = rs.pair_scores([1, 1, 0, 0, 1, 0], {"a": [6, 4, 5, 3, 2, 1], "b": [12, 8, 10, 6, 4, 2]})
    plans = [
        plan_from_pilot(alike, "a", "b"),
        plan_difference(0.8, 0.8, correlation=1),
    ]
    for plan in plans:
        assert plan.for_cases(50).power == 0
        assert plan.for_significance(50, 0.8).significance == 1
        assert plan.for_power().n_pos == np.inf
    margin = plan_from_pilot(alike, "a", "b", null_difference=-0.1)
    assert margin.for_cases(50).power == 1
    assert margin.for_significance(50, 0.8).significance == 0


def test_a_small_power_may_need_no_cases():
    # The null variance is far smaller, so that few cases exceed the critical value by chance.
    plan = plan_area(0.75, null_area=0.9375, ratio=0.25, variance="exact")
    assert plan.for_power(0.125).n_pos == 0
    assert plan.for_cases(1).power > 0.125
    assert plan.detectable(20, power=0.125) == 0


def test_a_plan_prints_what_to_ask_it_and_no_internals():
    shown = str(plan_area(0.8, ratio=2))
    assert "Negatives per positive: 2" in " ".join(shown.split())
    assert "for_power(0.8), for_cases(100) or for_width(0.1)" in shown
    assert "small" not in shown.lower()
