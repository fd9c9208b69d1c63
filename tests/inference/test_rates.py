"""Intervals at an operating point: by hand, by definition, and as epiR and a script compute."""

import json
import warnings
from fractions import Fraction
from math import comb, exp, sqrt
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import optimize, special, stats

import rocspace as rs
from rocspace.inference import (
    joint_rectangle,
    likelihood_ratio_interval,
    point_interval,
    predictive_value_interval,
    rate_interval,
)
from rocspace.results import OperatingPoint
from rocspace.results.proportions import midp_odds_limits
from slow.data import F3, answer, assert_close, reference

METHODS = [
    "clopper-pearson",
    "wilson",
    "jeffreys",
    "agresti-coull",
    "rubin-schenker",
    "wald-corrected",
]
RATIO_METHODS = ["mover", "score", "log"]
LEVELS = st.floats(0.01, 0.9999)
CELLS = st.tuples(*[st.integers(0, 30)] * 4)
TWO_BY_TWO = ["pathology_scan", "asah_s100b_0.205", "suicide_dsi_2"]
ORACLES = Path(__file__).parents[1] / "oracles"
Z = 1.959963984540054


def at(tp, fp, fn, tn, n_eff=None):
    n_eff = (float(tp + fn), float(fp + tn)) if n_eff is None else n_eff
    return OperatingPoint(threshold=0.5, tp=tp, fp=fp, fn=fn, tn=tn, next_score=0.4, n_eff=n_eff)


# --- rates ------------------------------------------------------------------------------------


def test_rubin_and_schenker_as_optimal_cutpoints(request):
    # Suicide, dsi >= 2: 32 of 36 and 428 of 496.
    got = answer("optimalcutpoints__suicide__dsi", request)["criteria"]["Youden__RubinSchenker"]
    for name, (x, n) in {"Se": (32, 36), "Sp": (428, 496)}.items():
        ends = rate_interval(x, n, method="rubin-schenker")
        assert_close(tuple(ends), (got[name]["ll"][0], got[name]["ul"][0]), 12)
    # By hand, 1 of 1: log odds of 1.5 to .5, variance 1 / (2 * .75 * .25); 1 itself is inside.
    low, high = rate_interval(1, 1, method="rubin-schenker")
    assert_close(low, 1 / (1 + np.exp(-np.log(3) + Z / np.sqrt(0.375))), 12)
    assert high == 1


def test_wald_as_optimal_cutpoints(request):
    got = answer("optimalcutpoints__suicide__dsi", request)["criteria"]["Youden__Wald"]
    for name, (x, n) in {"Se": (32, 36), "Sp": (428, 496)}.items():
        ends = rate_interval(x, n, method="wald-corrected")
        assert_close(tuple(ends), (got[name]["ll"][0], min(got[name]["ul"][0], 1)), 12)


def test_wald_by_hand():
    # 8 of 20: .4 -+ (1.959964 sqrt(.4 * .6 / 20) + 1/40), and 10 of 10: 1 - 1/20, cut at 1.
    half = Z * np.sqrt(0.012) + 0.025
    assert_close([*rate_interval(8, 20, method="wald-corrected")], [0.4 - half, 0.4 + half], 12)
    assert_close([*rate_interval(10, 10, method="wald-corrected")], [0.95, 1], 12)


def test_wilson_by_hand():
    # 8 of 10: (x + z^2/2 -+ z sqrt(x (n - x)/n + z^2/4)) / (n + z^2), z^2 = 3.841459.
    low, high = rate_interval(8, 10, method="wilson")
    middle, half = 9.92073 / 13.841459, 3.136166 / 13.841459
    assert_close([low, high], [middle - half, middle + half], 5)
    assert_close([low, high], [0.4901625, 0.9433178], 6)


@pytest.mark.parametrize(("x", "n"), [(0, 5), (1, 5), (8, 10), (10, 10), (30, 1000)])
def test_rates_by_definition(x, n):
    # Wilson: |x/n - p| = z sqrt(p (1 - p)/n) at both ends (but at 0 and n).
    wilson = rate_interval(x, n, method="wilson")
    for p in wilson:
        if p not in (0, 1):
            assert_close(abs(x / n - p), Z * sqrt(p * (1 - p) / n), 9)
    # Clopper-Pearson: each tail at its end has half the error.
    exact = rate_interval(x, n)
    assert exact.method == "clopper-pearson"
    if x > 0:
        assert_close(stats.binom.sf(x - 1, n, exact.low), 0.025, 9)
    if x < n:
        assert_close(stats.binom.cdf(x, n, exact.high), 0.025, 9)
    # Jeffreys: quantiles of Beta(x + 1/2, n - x + 1/2), an end of the range where x is one.
    jeffreys = rate_interval(x, n, method="jeffreys")
    beta = stats.beta(x + 0.5, n - x + 0.5)
    assert_close(jeffreys.low, beta.ppf(0.025) if x > 0 else 0, 9)
    assert_close(jeffreys.high, beta.ppf(0.975) if x < n else 1, 9)
    # Agresti-Coull: Wald after z^2/2 successes and z^2/2 failures more, cut at the range.
    p = (x + Z**2 / 2) / (n + Z**2)
    half = Z * sqrt(p * (1 - p) / (n + Z**2))
    assert_close(
        list(rate_interval(x, n, method="agresti-coull")), [max(p - half, 0), min(p + half, 1)], 9
    )


def test_clopper_pearson_at_the_end_is_a_power():
    assert_close(rate_interval(0, 20, method="clopper-pearson").high, 1 - 0.025 ** (1 / 20), 12)
    assert_close(rate_interval(7, 7, method="clopper-pearson").low, 0.025 ** (1 / 7), 12)


def test_wilson_variance_of_a_perfect_rate():
    # The printed variance is (width / 2 z)^2.
    printed = reference()["wilson_var_R1_P10"]
    assert_close((rate_interval(10, 10, method="wilson").width / 2 / Z) ** 2, printed, 12)


def test_a_rate_in_place_of_a_count_is_noticed():
    with pytest.warns(UserWarning, match=r"If it is the rate, say rate_interval\(18, 20\)\.$"):
        low, _ = rate_interval(0.9, 20)
    assert low < 0.001
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rate_interval(1, 20)
        rate_interval(0.4, 20.8)  # effective numbers


@given(st.integers(0, 60), st.integers(0, 60), LEVELS, st.sampled_from(METHODS))
def test_rate_interval_contains_stays_inside_and_is_no_point(x, more, level, method):
    assume(x + more > 0)
    share = x / (x + more)
    interval = rate_interval(x, x + more, level=level, method=method)
    assert 0 <= interval.low <= share <= interval.high <= 1
    assert interval.low < interval.high
    assert (interval.level, interval.method) == (level, method)


@given(st.integers(0, 40), st.integers(0, 40), LEVELS, LEVELS, st.sampled_from(METHODS))
def test_rate_intervals_nest_and_mirror(x, more, one, other, method):
    assume(x + more > 0)
    n, (inner, outer) = x + more, sorted((one, other))
    low, high = rate_interval(x, n, level=outer, method=method)
    a, b = rate_interval(x, n, level=inner, method=method)
    assert low <= a + 1e-9
    assert b <= high + 1e-9
    mirrored = rate_interval(more, n, level=outer, method=method)
    np.testing.assert_allclose([1 - mirrored.high, 1 - mirrored.low], [low, high], 1e-8, 1e-9)


@given(st.floats(0, 30), st.floats(1e-3, 30), st.sampled_from(METHODS))
def test_rates_of_effective_numbers(x, more, method):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        interval = rate_interval(x, x + more, method=method)
    assert 0 <= interval.low <= x / (x + more) <= interval.high <= 1
    assert interval.width > (1 / 121 if method == "wald-corrected" else 0.05)


@pytest.mark.parametrize("method", METHODS)
def test_rates_of_a_billion(method):
    # Normal at this size: all methods within 1e-9 of the Wald interval.
    n, x = 10**9, 3 * 10**8
    half = Z * sqrt(0.21 / n)
    np.testing.assert_allclose(
        list(rate_interval(x, n, method=method)), [0.3 - half, 0.3 + half], atol=2e-9
    )
    rare = rate_interval(1, n, method=method)
    assert 0 <= rare.low < 1e-9 < rare.high < 1e-8


@pytest.mark.parametrize("n", [1, 2, 7, 30])
def test_clopper_pearson_never_covers_too_little(n):
    intervals = [rate_interval(x, n, level=0.9, method="clopper-pearson") for x in range(n + 1)]
    for p in np.linspace(0.001, 0.999, 97):
        inside = [p in interval for interval in intervals]
        assert stats.binom.pmf(range(n + 1), n, p) @ inside >= 0.9


def test_rate_of_nothing_and_bad_rates():
    assert list(rate_interval(0, 0)) == [0.0, 1.0]
    for bad in ((3, 2), (-1, 2), (float("nan"), 2), (1, float("inf")), (0, -1)):
        with pytest.raises(ValueError, match=r"is not a proportion: give 0 <= successes"):
            rate_interval(*bad)
    with pytest.raises(
        ValueError, match=r"^method is 'wald', but must be one of 'clopper-pearson'"
    ):
        rate_interval(1, 2, method="wald")
    with pytest.raises(ValueError, match=r"^level is 1, but must lie strictly between"):
        rate_interval(1, 2, level=1)


@pytest.mark.parametrize("level", [1e-9, 1 - 1e-12, np.nextafter(1, 0)])
@pytest.mark.parametrize("method", METHODS)
def test_extreme_levels(level, method):
    interval = rate_interval(3, 10, level=level, method=method)
    assert 0 <= interval.low <= 0.3 <= interval.high <= 1
    assert interval.width < 0.101 or interval.width > 0.85  # 1/10 for continuity, or less


# --- at an operating point --------------------------------------------------------------------


@pytest.mark.parametrize("name", TWO_BY_TWO)
def test_rates_as_the_script_and_epir(name, request):
    got = answer(f"twobytwo__{name}", request)
    point = at(got["tp"], got["fp"], got["fn"], got["tn"])
    for ours, theirs in (
        ("tpr", "sensitivity"),
        ("tnr", "specificity"),
        ("ppv", "ppv"),
        ("npv", "npv"),
    ):
        for method in METHODS[:4]:
            interval = point_interval(point, ours, method=method)
            low, high = got[theirs][method.replace("-", "_")]
            assert_close(list(interval), [low, high], 9)
    for method in METHODS[:4]:
        low, high = got["accuracy"][method.replace("-", "_")]
        accuracy = rate_interval(got["accuracy"]["k"], got["accuracy"]["n"], method=method)
        assert_close(list(accuracy), [low, high], 9)
    # Rates of the wrong decisions are the others' complements.
    missed, found = point_interval(point, "fnr"), point_interval(point, "tpr")
    assert_close([missed.low, missed.high], [1 - found.high, 1 - found.low], 11)
    alarm, quiet = point_interval(point, "fpr"), point_interval(point, "tnr")
    assert_close([alarm.low, alarm.high], [1 - quiet.high, 1 - quiet.low], 11)


@pytest.mark.parametrize("name", TWO_BY_TWO)
def test_ratios_as_epir(name, request):
    got = answer(f"twobytwo__{name}", request)
    point = at(got["tp"], got["fp"], got["fn"], got["tn"])
    rows = got["epi_tests"]
    epir = {
        s: (low, high)
        for s, low, high in zip(rows["statistic"], rows["lower"], rows["upper"], strict=True)
    }
    positive = likelihood_ratio_interval(point, method="log")
    assert_close(list(positive), got["lr_pos_ci_log"][1:], 11)
    textbook = likelihood_ratio_interval(point, "odds", method="log")
    assert_close(list(textbook), got["dor_ci"][1:], 11)
    assert_close(list(positive), epir["lr.pos"], 9)
    negative = likelihood_ratio_interval(point, "negative", method="log")
    assert_close(list(negative), epir["lr.neg"], 9)
    assert_close(list(textbook), epir["diag.or"], 9)


@pytest.mark.parametrize("name", TWO_BY_TWO)
def test_predictive_values_at_other_prevalences_lie_inside(name, request):
    got = answer(f"twobytwo__{name}", request)
    point = at(got["tp"], got["fp"], got["fn"], got["tn"])
    for row in got["at_prevalence"]:
        for which in ("ppv", "npv"):
            interval = predictive_value_interval(
                point, which, prevalence=row["prevalence"], method="log"
            )
            odds = [p / (1 - p) for p in interval]
            value = row[which]
            assert_close(sqrt(odds[0] * odds[1]), value / (1 - value), 9)  # centred on the log odds


def test_predictive_value_by_hand():
    # Se .9 of 100, Sp .7 of 100, prevalence .1: odds (.9 x .1)/(.3 x .9) = 1/3; variance
    # .1/(.9 x 100) + .7/(.3 x 100) = .0244444.
    low, high = predictive_value_interval(at(90, 30, 10, 70), prevalence=0.1, method="log")
    half = Z * sqrt(0.1 / 90 + 0.7 / 30)
    assert_close([low, high], [1 / (1 + 3 * exp(half)), 1 / (1 + 3 * exp(-half))], 12)
    # NPV: odds (.7 x .9)/(.1 x .1) = 63; variance .9/(.1 x 100) + .3/(.7 x 100).
    point = at(90, 30, 10, 70)
    low, high = predictive_value_interval(point, "npv", prevalence=0.1, method="log")
    half = Z * sqrt(0.9 / 10 + 0.3 / 70)
    assert_close([low, high], [63 / (63 + exp(half)), 63 / (63 + exp(-half))], 12)


def test_likelihood_ratios_by_hand():
    # 3 with variance 1/90 - 1/100 + 1/30 - 1/100; 1/7 with 1/10 - 1/100 + 1/70 - 1/100.
    point = at(90, 30, 10, 70)
    for which, ratio, variance in (
        ("positive", 3, 1 / 90 - 1 / 100 + 1 / 30 - 1 / 100),
        ("negative", 1 / 7, 1 / 10 - 1 / 100 + 1 / 70 - 1 / 100),
        ("odds", 21, 1 / 90 + 1 / 30 + 1 / 10 + 1 / 70),
    ):
        half = Z * sqrt(variance)
        interval = likelihood_ratio_interval(point, which, method="log")
        assert_close(list(interval), [ratio * exp(-half), ratio * exp(half)], 12)
        assert interval.method == "log"


def test_empty_cell_adds_one_half():
    # tp 5, fp 0, fn 5, tn 10 -> 5.5, .5, 5.5, 10.5: LR+ (5.5/11)/(.5/11) = 11.
    interval = likelihood_ratio_interval(at(5, 0, 5, 10), method="log")
    half = Z * sqrt(1 / 5.5 - 1 / 11 + 1 / 0.5 - 1 / 11)
    assert_close(interval.low, 11 * exp(-half), 12)
    assert interval.high == np.inf
    assert interval.method == "log, one half added to each cell"


def test_an_empty_cell_that_the_ratio_does_not_rest_on():
    # exp(log(1 / (29 / 33)) -+ z sqrt(1/20 - 1/20 + 1/29 - 1/33)): fn = 0 takes no part in it.
    point = at(20, 29, 0, 4)
    half = stats.norm.ppf(0.975) * sqrt(1 / 29 - 1 / 33)
    textbook = 33 / 29 * np.exp([-half, half])
    interval = likelihood_ratio_interval(point, method="log")
    assert list(interval) == pytest.approx(textbook, rel=1e-12)
    assert list(interval) == pytest.approx([1.003, 1.292], abs=1e-3)
    assert interval.method == "log"
    # The negative ratio, and the odds, rest on fn; with all called positive nothing would vary.
    for which, counts in (("negative", point), ("odds", point), ("positive", at(20, 30, 0, 0))):
        low, high = likelihood_ratio_interval(counts, which, method="log")
        assert low < high
        assert "one half" in likelihood_ratio_interval(counts, which, method="log").method
    negative = likelihood_ratio_interval(at(4, 0, 29, 20), "negative", method="log")
    half = stats.norm.ppf(0.975) * sqrt(1 / 29 - 1 / 33)
    assert list(negative) == pytest.approx(29 / 33 * np.exp([-half, half]), rel=1e-12)


@pytest.mark.parametrize("method", RATIO_METHODS)
def test_ends_of_the_range_where_a_cell_is_empty(method):
    nobody = at(0, 0, 10, 10)  # 0 / 0
    assert list(likelihood_ratio_interval(nobody, method=method)) == [0, np.inf]
    assert list(predictive_value_interval(nobody, prevalence=0.5, method=method)) == [0, 1]
    low, high = likelihood_ratio_interval(at(0, 3, 10, 7), method=method)
    assert low == 0 < high < np.inf
    low, high = likelihood_ratio_interval(at(5, 0, 5, 10), method=method)
    assert 0 < low < high == np.inf
    low, high = predictive_value_interval(at(5, 0, 5, 10), prevalence=0.2, method=method)
    assert 0 < low < high == 1
    low, high = predictive_value_interval(at(10, 3, 0, 7), "npv", prevalence=0.2, method=method)
    assert 0 < low < high == 1


@pytest.mark.parametrize("point", [at(0, 3, 0, 7), at(3, 0, 7, 0), at(0, 0, 0, 0)])
def test_missing_class_leaves_everything_open(point):
    assert list(likelihood_ratio_interval(point, "odds")) == [0, np.inf]
    for method in RATIO_METHODS:
        for which in ("positive", "negative"):
            assert list(likelihood_ratio_interval(point, which, method=method)) == [0, np.inf]
        for which in ("ppv", "npv"):
            interval = predictive_value_interval(point, which, prevalence=0.2, method=method)
            assert list(interval) == [0, 1]
    for rate in ("tpr", "fpr", "tnr", "fnr", "ppv", "npv"):
        low, high = point_interval(point, rate)
        assert 0 <= low < high <= 1


@given(CELLS, LEVELS, st.floats(0.001, 0.999), st.sampled_from(RATIO_METHODS))
def test_ratios_and_predictive_values_contain_and_are_no_points(cells, level, prevalence, method):
    tp, fp, fn, tn = cells
    assume(tp + fn > 0 and fp + tn > 0)
    point = at(*cells)
    t, f = point.tpr, point.fpr
    for which, above, below in (
        ("positive", t, f),
        ("negative", 1 - t, 1 - f),
        ("odds", t * (1 - f), f * (1 - t)),
    ):
        of = None if which == "odds" else method
        interval = likelihood_ratio_interval(point, which, level=level, method=of)
        assert 0 <= interval.low < interval.high
        if above or below:
            ratio = above / below if below else np.inf
            assert interval.low <= ratio * (1 + 1e-12)
            assert ratio <= interval.high * (1 + 1e-12)
    for which, right, wrong in (
        ("ppv", t * prevalence, f * (1 - prevalence)),
        ("npv", (1 - f) * (1 - prevalence), (1 - t) * prevalence),
    ):
        interval = predictive_value_interval(
            point, which, prevalence=prevalence, level=level, method=method
        )
        assert 0 <= interval.low < interval.high <= 1
        if right or wrong:
            assert interval.low - 1e-12 <= right / (right + wrong) <= interval.high + 1e-12


@given(CELLS, LEVELS, LEVELS, st.sampled_from(RATIO_METHODS))
def test_ratio_intervals_nest_and_mirror(cells, one, other, method):
    tp, fp, fn, tn = cells
    inner, outer = sorted((one, other))
    for which in ("positive", "negative", "odds"):
        of = None if which == "odds" else method
        a, b = likelihood_ratio_interval(at(*cells), which, level=inner, method=of)
        low, high = likelihood_ratio_interval(at(*cells), which, level=outer, method=of)
        assert low <= a * (1 + 1e-11)
        assert b <= high * (1 + 1e-11)
    # The reversed decisions of the other class: the positive ratio of one is the inverse
    # negative ratio of the other.
    positive = likelihood_ratio_interval(at(tp, fp, fn, tn), method=method)
    swapped = likelihood_ratio_interval(at(tn, fn, fp, tp), "negative", method=method)
    inverse = [
        1 / swapped.high if swapped.high else np.inf,
        1 / swapped.low if swapped.low else np.inf,
    ]
    np.testing.assert_allclose(list(positive), inverse, rtol=1e-9)


# --- measures of all four counts ----------------------------------------------------------------


def test_measures_of_all_counts_by_hand():
    point = at(12, 3, 8, 27)  # 39 of 50 right, 15 called, 12 of 23 that are positive or called
    for name, right in (("accuracy", 39), ("predicted_positive_rate", 15)):
        found = point_interval(point, name)
        assert_close(tuple(found), tuple(stats.binomtest(right, 50).proportion_ci()), 9)
    jaccard = stats.binomtest(12, 23).proportion_ci()
    assert_close(tuple(point_interval(point, "f_score")), [2 * j / (1 + j) for j in jaccard], 9)
    tpr, tnr = (point_interval(point, name) for name in ("tpr", "tnr"))
    down = sqrt((0.6 - tpr.low) ** 2 + (0.9 - tnr.low) ** 2)
    up = sqrt((tpr.high - 0.6) ** 2 + (tnr.high - 0.9) ** 2)
    assert_close(tuple(point_interval(point, "informedness")), (0.5 - down, 0.5 + up), 12)
    half = point_interval(point, "balanced_accuracy")
    assert_close(tuple(half), (0.75 - down / 2, 0.75 + up / 2), 12)
    swapped = point_interval(at(8, 27, 12, 3), "informedness")  # what is called no
    assert_close(tuple(swapped), (-0.5 - up, -0.5 + down), 12)
    even = point_interval(at(10, 3, 10, 3), "informedness")  # half of either class
    pos, neg = (stats.binomtest(n // 2, n).proportion_ci() for n in (20, 6))
    up = sqrt((pos.high - 0.5) ** 2 + (neg.high - 0.5) ** 2)
    assert_close(tuple(even), (-up, up), 9)
    assert found.method == "clopper-pearson"
    assert half.method == "clopper-pearson, squared distances"


OF_ALL_COUNTS = (
    *("accuracy", "predicted_positive_rate", "f_score", "informedness", "balanced_accuracy"),
)


@given(CELLS, LEVELS, st.sampled_from(OF_ALL_COUNTS), st.sampled_from(METHODS))
def test_intervals_of_measures_contain_them_inside_their_range(cells, level, name, method):
    assume(sum(cells) > 0)
    low, high = point_interval(at(*cells), name, level=level, method=method)
    least = -1 if name == "informedness" else 0
    assert least <= low < high <= 1
    with np.errstate(invalid="ignore"):
        value = getattr(rs.measures, name)(rs.ConfusionMatrix(*cells))
    if value == value:
        assert low - 1e-12 <= value <= high + 1e-12


@pytest.mark.parametrize("name", OF_ALL_COUNTS)
def test_measures_of_equal_weights_are_those_of_effective_cases(name):
    label, score = [0, 0, 0, 1, 1, 1, 0], [1, 2, 4, 3, 5, 6, 5]
    plain = rs.point_at(rs.tabulate(label, score), 4)
    heavy = rs.point_at(rs.tabulate(label, score, sample_weight=[2.5] * 7), 4)
    assert_close(tuple(point_interval(heavy, name)), tuple(point_interval(plain, name)), 9)


def test_accuracy_of_weighted_classes_counts_effective_cases():
    # Positives weigh 3 and 1, 16 / 10 effective of weight 2.5; negatives weigh 1.
    table = rs.tabulate([1, 1, 0, 0, 0], [5, 1, 2, 3, 4], sample_weight=[3, 1, 1, 1, 1])
    found = point_interval(rs.point_at(table, 4), "accuracy")
    n = 7**2 / (4 * 2.5 + 3 * 1)
    assert_close(tuple(found), tuple(rate_interval(5 / 7 * n, n)), 9)


@pytest.mark.parametrize("method", ["clopper-pearson", "wilson"])
def test_predictive_values_of_weighted_classes_count_effective_cases(method):
    # Positives weigh 2.5. Of the 7 and 3 cases that are called the log odds vary by 1 / 7 + 1 / 3,
    # which is 1 / (n P (1 - P)) of n equal cases; of 4 and 9 others by 1 / 9 + 1 / 4.
    label, score = [1] * 7 + [0] * 3 + [1] * 4 + [0] * 9, [1] * 10 + [0] * 13
    weight = np.where(label, 2.5, 1)
    point = rs.point_at(rs.tabulate(label, score, sample_weight=weight), 1)
    for name, right, wrong, share in (
        ("ppv", 7, 3, 17.5 / 20.5),
        ("npv", 9, 4, 9 / 19),
    ):
        n = 1 / (share * (1 - share) * (1 / right + 1 / wrong))
        found = point_interval(point, name, method=method)
        assert_close(tuple(found), tuple(rate_interval(share * n, n, method=method)), 9)


def test_measures_without_a_class():
    for name, least in (("informedness", -1), ("balanced_accuracy", 0)):
        found = point_interval(at(0, 2, 0, 5), name)
        assert (*found, found.method) == (least, 1, "whole range")
    assert tuple(point_interval(at(0, 0, 0, 9), "f_score")) == (0, 1)
    assert tuple(point_interval(at(0, 0, 0, 0), "accuracy")) == (0, 1)
    told = at(0, 2, 0, 5, n_eff=(4.0, 7.0))  # a point made by hand
    assert tuple(point_interval(told, "tpr")) == (0, 1)


# --- odds ratios, given the sums of the cells -------------------------------------------------


def half_and_beyond(cells, ratio, sign):
    """Return the chance of outcomes beyond the observed one, and half of its own, by fractions."""
    tp, fp, fn, tn = cells
    outcomes = range(max(0, tp - tn), min(tp + fn, tp + fp) + 1)
    ways = {k: comb(tp + fn, k) * comb(fp + tn, tp + fp - k) for k in outcomes}
    chances = {k: many * Fraction(ratio) ** k for k, many in ways.items()}
    beyond = sum(chance for k, chance in chances.items() if sign * (k - tp) > 0)
    return float((beyond + chances[tp] / 2) / sum(chances.values()))


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
@pytest.mark.parametrize(
    "cells", [(90, 30, 10, 70), (5, 1, 5, 9), (3, 0, 2, 15), (0, 3, 5, 4), (12, 2, 43, 7)]
)
def test_midp_limits_are_where_half_and_beyond_has_the_tail(cells, level):
    low, high = likelihood_ratio_interval(at(*cells), "odds", level=level)
    tail = (1 - level) / 2
    if low:
        assert half_and_beyond(cells, low, 1) == pytest.approx(tail, rel=1e-9)
    if high < np.inf:
        assert half_and_beyond(cells, high, -1) == pytest.approx(tail, rel=1e-9)
    assert (low > 0, high < np.inf) == (min(cells[0], cells[3]) > 0, min(cells[1:3]) > 0)
    assert likelihood_ratio_interval(at(*cells), "odds", level=level).method == "mid-p"


def test_midp_limits_as_epitools():
    # oddsratio.midp of epitools 0.5-10.1, whose search stops at four digits
    for cells, ends in (
        ((90, 30, 10, 70), (9.66488286274, 47.0549573776)),
        ((5, 1, 5, 9), (0.829884186831, 235.24766742)),
    ):
        interval = likelihood_ratio_interval(at(*cells), "odds")
        assert list(interval) == pytest.approx(ends, rel=2e-3)


def test_midp_limits_of_many_cases_sum_what_matters():
    cells = (9000, 2500, 4000, 16000)  # fewer outcomes are summed than there are
    fisher = stats.nchypergeom_fisher
    low, high = likelihood_ratio_interval(at(*cells), "odds")
    sums = sum(cells), cells[0] + cells[2], cells[0] + cells[1]
    for ratio, beyond in ((low, fisher.sf), (high, fisher.cdf)):
        own = fisher.pmf(cells[0], *sums, ratio) / 2
        of_others = beyond(cells[0] - (beyond == fisher.cdf), *sums, ratio)
        assert own + of_others == pytest.approx(0.025, rel=1e-6)
    textbook = likelihood_ratio_interval(at(*cells), "odds", method="log")
    assert [low, high] == pytest.approx(list(textbook), rel=1e-3)


def test_midp_limits_of_too_many_cases_are_the_textbook_s():
    cells = (10**11,) * 4
    interval = likelihood_ratio_interval(at(*cells), "odds")
    assert interval == likelihood_ratio_interval(at(*cells), "odds", method="log")
    assert interval.method == "log"
    few = likelihood_ratio_interval(at(2, 10**11, 10**11, 10**11), "odds")
    assert few.method == "mid-p"  # two of one kind decide


def test_midp_limits_go_on_between_whole_cases():
    whole = midp_odds_limits(1.0, 3.0, 5.0, 4.0, 0.95)
    for tp in (1 - 1e-9, 1 + 1e-9):
        assert midp_odds_limits(tp, 3.0, 5.0, 4.0, 0.95) == pytest.approx(whole, rel=1e-6)
    assert midp_odds_limits(1e-9, 3.0, 5.0, 4.0, 0.95)[0] < 1e-8


def test_midp_limits_mirror():
    low, high = likelihood_ratio_interval(at(7, 2, 5, 11), "odds")
    other = likelihood_ratio_interval(at(2, 7, 11, 5), "odds")
    assert [1 / high, 1 / low] == pytest.approx(list(other), rel=1e-10)


# --- ratios, by combination of limits and by the score test -----------------------------------


def ends_of(cells, which="positive", **options):
    return likelihood_ratio_interval(at(*cells), which, **options)


def test_combined_limits_by_hand():
    # tpr 1 of 1, fpr 1 of 1: exact limits .025 and 1 of both. (1 - r)^2 <= .975^2 + r^2 (1 - 1)^2
    # from r = .025; the upper end is its inverse.
    low, high = ends_of((1, 1, 0, 0))
    assert_close([low, high], [0.025, 40], 12)
    # 2 of 2 and 0 of 1: limits sqrt(.025) to 1 and 0 to .975. The lowest r solves
    # 1 = (1 - sqrt(.025))^2 + (.975 r)^2.
    low, high = ends_of((2, 0, 0, 1))
    assert_close(low, sqrt(1 - (1 - sqrt(0.025)) ** 2) / 0.975, 12)
    assert high == np.inf
    assert ends_of((2, 0, 0, 1)).method == "mover"
    assert ends_of((2, 0, 0, 1), method="score").method == "score"


@given(st.tuples(*[st.integers(0, 30)] * 4), LEVELS, st.sampled_from(["positive", "negative"]))
def test_combined_limits_by_definition(cells, level, which):
    tp, fp, fn, tn = cells
    assume(tp + fn and fp + tn)
    x, y = (tp, fp) if which == "positive" else (fn, tn)
    m, n = tp + fn, fp + tn
    p, q = x / m, y / n
    of_p, of_q = (rate_interval(*pair, level=level) for pair in ((x, m), (y, n)))
    low, high = ends_of(cells, which, level=level)
    for r, a, b in ((low, of_p.low, of_q.high), (high, of_p.high, of_q.low)):
        if 0 < r < np.inf:
            there = (p - a) ** 2 + r**2 * (q - b) ** 2
            np.testing.assert_allclose((p - r * q) ** 2, there, rtol=1e-6, atol=1e-13 * (1 + r * r))
    # Inside the rectangle of both, outside the interval with the other rate known.
    assert low >= of_p.low / of_q.high * (1 - 1e-12)
    if of_q.low:
        assert high <= of_p.high / of_q.low * (1 + 1e-12)
    if p and q:
        assert low <= min(of_p.low / q, p / of_q.high) * (1 + 1e-12)
        assert high >= of_p.high / q * (1 - 1e-12)


def slow_score(x, m, y, n, ratio):
    """Standard errors between p and ratio q; the likeliest q among many, then nearer by thirds."""
    top = min(1.0, 1 / ratio)

    def fit(q):
        return -(
            special.xlogy(x, ratio * q)
            + special.xlog1py(m - x, -np.minimum(ratio * q, 1))
            + special.xlogy(y, q)
            + special.xlog1py(n - y, -q)
        )

    best = optimize.minimize_scalar(
        fit, bounds=(0, top), method="bounded", options={"xatol": 1e-13}
    )
    q = best.x
    p = min(ratio * q, 1.0)
    variance = (p * (1 - p) / m + ratio**2 * q * (1 - q) / n) * (m + n) / (m + n - 1)
    return (x / m - ratio * y / n) / sqrt(variance)


@pytest.mark.parametrize(
    "cells", [(90, 30, 10, 70), (5, 1, 5, 9), (9, 3, 1, 27), (4, 50, 1, 950), (2, 7, 18, 3)]
)
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_score_limits_by_definition(cells, level):
    tp, fp, fn, tn = cells
    z = stats.norm.isf((1 - level) / 2)
    low, high = ends_of(cells, level=level, method="score")
    args = tp, tp + fn, fp, fp + tn
    assert_close([slow_score(*args, low), slow_score(*args, high)], [z, -z], 4)
    # On a grid the test accepts what lies between, and nothing else.
    for ratio in np.geomspace(low / 5, high * 5, 60):
        assert (abs(slow_score(*args, ratio)) <= z) == (low <= ratio <= high), ratio


def test_score_limits_as_statsmodels():
    with (ORACLES / "score_ratio__statsmodels.json").open(encoding="utf-8") as file:
        answers = json.load(file)
    for row in answers["rows"]:
        x, m, y, n = row["counts"]
        low, high = ends_of((x, y, m - x, n - y), level=answers["level"], method="score")
        np.testing.assert_allclose(low, max(row["low"], 0.0), rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(high, float(row["high"]), rtol=1e-9)


@pytest.mark.parametrize("sizes", [(5, 5), (5, 50), (12, 8)])
@pytest.mark.parametrize("which", ["positive", "negative"])
def test_default_ratio_covers_by_exact_sums(sizes, which):
    m, n = sizes
    outcomes = [(x, y) for x in range(m + 1) for y in range(n + 1)]
    ends = np.array([list(ends_of((x, y, m - x, n - y), which)) for x, y in outcomes])
    for p in (0.02, 0.3, 0.5, 0.85, 0.99):
        for q in (0.001, 0.05, 0.4, 0.9):
            chance = np.outer(
                stats.binom.pmf(range(m + 1), m, p), stats.binom.pmf(range(n + 1), n, q)
            )
            ratio = p / q if which == "positive" else (1 - p) / (1 - q)
            inside = (ends[:, 0] <= ratio) & (ratio <= ends[:, 1])
            assert chance.ravel() @ inside >= 0.95


@given(CELLS, LEVELS, st.floats(0.001, 0.999), st.sampled_from(RATIO_METHODS))
def test_predictive_values_are_ratios_in_other_words(cells, level, prevalence, method):
    tp, fp, fn, tn = cells
    assume(tp + fn and fp + tn)
    odds = prevalence / (1 - prevalence)
    with np.errstate(divide="ignore"):
        ratio = np.array(list(ends_of(cells, level=level, method=method)))
        ppv = predictive_value_interval(
            at(*cells), prevalence=prevalence, level=level, method=method
        )
        np.testing.assert_allclose(list(ppv), 1 / (1 + 1 / (odds * ratio)), rtol=1e-12)
        ratio = np.array(list(ends_of(cells, "negative", level=level, method=method)))
        npv = predictive_value_interval(
            at(*cells), "npv", prevalence=prevalence, level=level, method=method
        )
        np.testing.assert_allclose(list(npv), 1 / (1 + odds * ratio[::-1]), rtol=1e-12)


def test_many_negatives_leave_the_interval_of_one_rate():
    # With fpr as good as known at .1, the limits are those of tpr, 4 of 5, times 10.
    point = at(4, 10**9, 1, 9 * 10**9)
    for method, rate in (("mover", "clopper-pearson"), ("score", "wilson")):
        low, high = rate_interval(4, 5, method=rate)
        got = likelihood_ratio_interval(point, method=method)
        np.testing.assert_allclose(list(got), [10 * low, 10 * high], rtol=1e-4)


def test_joint_rectangle_has_the_level_of_both():
    point = at(90, 30, 10, 70)
    box = joint_rectangle(point, level=0.9)
    assert box.level == 0.9
    assert_close([box.tpr.level, box.fpr.level], [sqrt(0.9)] * 2, 15)
    for side, x in ((box.tpr, 90), (box.fpr, 30)):
        tail = (1 - sqrt(0.9)) / 2
        assert_close(
            [stats.binom.sf(x - 1, 100, side.low), stats.binom.cdf(x, 100, side.high)],
            [tail] * 2,
            9,
        )
    wilson = joint_rectangle(point, method="wilson")
    assert wilson.tpr == rate_interval(90, 100, level=sqrt(0.95), method="wilson")


# --- weights ----------------------------------------------------------------------------------


def test_weighted_rates_rest_on_effective_sizes():
    label, score = F3
    table = rs.tabulate(label, score, sample_weight=[1, 3] * 10)
    point = rs.point_at(table, 0.5)
    p_eff, n_eff = table.n_eff
    tpr, fpr = point_interval(point, "tpr"), point_interval(point, "fpr")
    assert_close(list(tpr), list(rate_interval(point.tpr * p_eff, p_eff)), 13)
    assert_close(list(fpr), list(rate_interval(point.fpr * n_eff, n_eff)), 13)


def test_weights_of_one_size_change_nothing():
    label, score = F3
    plain = rs.point_at(rs.tabulate(label, score), 0.5)
    scaled = rs.point_at(rs.tabulate(label, score, sample_weight=[4.0] * 20), 0.5)
    for rate in ("tpr", "fpr", "tnr", "fnr", "ppv", "npv"):
        assert_close(list(point_interval(scaled, rate)), list(point_interval(plain, rate)), 12)
    for which in ("positive", "negative", "odds"):
        for method in ["log"] if which == "odds" else RATIO_METHODS:
            got, expected = (
                likelihood_ratio_interval(point, which, method=method) for point in (scaled, plain)
            )
            assert_close(list(got), list(expected), 12)


def test_precision_where_negatives_weigh_more():
    # 50 of 100 positives and 4 of 100 negatives are called; negatives weigh 9 each. On the
    # log odds the variance of 50 : 36 is 1/50 + 1/4, whatever the weights.
    point = at(50, 36, 50, 864, n_eff=(100.0, 100.0))
    interval = point_interval(point, "ppv", method="wilson")
    p = 50 / 86
    m = 1 / (p * (1 - p) * (1 / 50 + 1 / 4))
    assert_close(list(interval), list(rate_interval(p * m, m, method="wilson")), 12)
    # No false alarm: as when a share has the total 50 x (1 / 9).
    none = point_interval(at(50, 0, 50, 900, n_eff=(100.0, 100.0)), "ppv")
    assert_close(list(none), list(rate_interval(50 / 9, 50 / 9)), 12)


def test_cells_of_next_to_no_weight():
    # Next to nothing says of the ratio what nothing does; on the log scale it says nothing.
    point, none = at(5.0, 1e-12, 5.0, 10.0), at(5, 0, 5, 10)
    assert list(likelihood_ratio_interval(point, method="log")) == [0, np.inf]
    for method in ("mover", "score"):
        low, high = likelihood_ratio_interval(point, method=method)
        assert_close(low, likelihood_ratio_interval(none, method=method).low, 9)
        assert high > 1e9
    few = at(0.3, 0.2, 0.3, 0.1, n_eff=(0.4, 0.5))  # no score test of one case
    assert list(likelihood_ratio_interval(few, method="score")) == [0, np.inf]
    low, high = likelihood_ratio_interval(few)
    assert 0 <= low < high


def test_unknown_options():
    point = at(1, 1, 1, 1)
    with pytest.raises(ValueError, match=r"^rate is 'recall', but must be one of 'tpr'"):
        point_interval(point, "recall")
    with pytest.raises(ValueError, match=r"^which is 'neither'"):
        likelihood_ratio_interval(point, "neither")
    for which, method in (("positive", "wald"), ("odds", "score")):
        with pytest.raises(ValueError, match=rf"^method is '{method}', but must be one of"):
            likelihood_ratio_interval(point, which, method=method)
    with pytest.raises(ValueError, match=r"^method is 'logit', but must be one of 'mover'"):
        predictive_value_interval(point, prevalence=0.5, method="logit")
    with pytest.raises(ValueError, match=r"^which is 'tpr'"):
        predictive_value_interval(point, "tpr", prevalence=0.5)
    for prevalence in (0, 1, float("nan")):
        with pytest.raises(ValueError, match=r"^prevalence is .*, but must lie strictly between"):
            predictive_value_interval(point, prevalence=prevalence)
    with pytest.raises(ValueError, match=r"^level is 2"):
        joint_rectangle(point, level=2)


def test_a_table_of_two_by_two_is_enough():
    matrix, point = rs.ConfusionMatrix(tp=26, fp=14, fn=15, tn=58), at(26, 14, 15, 58)
    assert point_interval(matrix, "ppv") == point_interval(point, "ppv")
    assert point_interval(rs.confusion_matrix([1, 1, 0], [True, False, False]), "tpr").low > 0
    assert likelihood_ratio_interval(matrix, "odds") == likelihood_ratio_interval(point, "odds")
    assert joint_rectangle(matrix) == joint_rectangle(point)
    wanted = predictive_value_interval(point, prevalence=0.1)
    assert predictive_value_interval(matrix, prevalence=0.1) == wanted
    low, high = stats.binomtest(26, 41).proportion_ci(method="exact")
    assert tuple(point_interval(matrix, "tpr")) == pytest.approx((low, high))


def test_of_weights_and_of_many_thresholds_there_is_no_matrix_to_take():
    weighted = rs.confusion_matrix([1, 0, 1], [1, 0, 0], sample_weight=[0.5, 1, 1])
    with pytest.raises(ValueError, match="has weights"):
        point_interval(weighted, "tpr")
    table = rs.tabulate([0, 1, 1], [1, 2, 3])
    with pytest.raises(ValueError, match="several matrices"):
        likelihood_ratio_interval(rs.evaluate(table, [1, 2]))


def test_a_false_positive_rate_of_one_half_has_a_ratio():
    # 90 of 100 and 50 of 100: 1.8, and on the log scale 1/90 - 1/100 + 1/50 - 1/100 = 1/90.
    point = OperatingPoint(
        threshold=0.5, tp=90, fp=50, fn=10, tn=50, next_score=0.4, n_eff=(100, 100)
    )
    low, high = likelihood_ratio_interval(point, method="log")
    half = stats.norm.ppf(0.975) / sqrt(90)
    assert (low, high) == pytest.approx((1.8 * exp(-half), 1.8 * exp(half)))
