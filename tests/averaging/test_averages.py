"""Averages of curves: by hand, by the published algorithms, as ROCR has them; their intervals."""

from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product
from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, stats

import rocspace as rs
import slow.averaging
import slow.curves
import slow.data
from rocspace.averaging import (
    average_curve,
    fold_tables,
    horizontal_average,
    meeting,
    on_rank_scale,
    pooled_table,
    radial_average,
    rate_average,
    threshold_average,
    vertical_average,
)
from rocspace.calibrate import fit_ranks
from rocspace.counts import ScoreTable, SingleClassError, negate
from slow.data import answer, reference, samples

# Two curves by hand, with their thresholds.
A = ScoreTable.from_counts([0.9, 0.6, 0.4, 0.1], [1, 0, 1, 0], [0, 1, 0, 1])
B = ScoreTable.from_counts([0.8, 0.3], [3, 2], [1, 4])
BOTH = [A, B]

several = st.lists(samples(max_size=12), min_size=1, max_size=4)
thirds = st.integers(1, 9).map(lambda k: k / 3)
weighted = st.lists(samples(max_size=10, weights=thirds), min_size=1, max_size=3)
steps = st.integers(1, 12)


def tabulated(sets):
    return [rs.tabulate(*one[:2], sample_weight=one[2] if len(one) == 3 else None) for one in sets]


def polygons(sets):
    return [slow.curves.points(*one) for one in sets]


def assert_near(actual, exact):
    np.testing.assert_allclose(actual, [float(x) for x in exact], rtol=0, atol=1e-14)


def mean(pairs):
    return [sum(column) / len(pairs) for column in zip(*pairs, strict=True)]


def every_average(tables, **options):
    yield vertical_average(tables, **options)
    yield vertical_average(tables, grid=None, **options)
    yield horizontal_average(tables, **options)
    yield horizontal_average(tables, grid=None, **options)
    yield threshold_average(tables, same_scale=True, **options)
    yield threshold_average(tables, same_scale=True, grid=4, **options)
    yield radial_average(tables, **options)
    yield rate_average(tables, **options)
    yield rate_average(tables, grid=None, **options)


# --- by hand ----------------------------------------------------------------------------------


def test_vertical_by_hand():
    # A is a staircase: its tops at 0, .25, .5, .75, 1 are .5 .5 1 1 1. B goes (0,0), (.2,.6),
    # (1,1): 0, then .6 + .4 (f - .2) / .8, which is .625 .75 .875 1.
    assert vertical_average(BOTH).at.tolist() == (np.arange(101) / 100).tolist()
    curve = vertical_average(BOTH, grid=4)
    assert curve.at.tolist() == curve.fpr.tolist() == [0, 0.25, 0.5, 0.75, 1]
    assert curve.each_tpr.tolist() == [[0.5, 0.5, 1, 1, 1], [0, 0.625, 0.75, 0.875, 1]]
    assert curve.tpr.tolist() == [0.25, 0.5625, 0.875, 0.9375, 1]
    assert curve.tpr.tolist() == reference()["vertical_avg"]
    # Sample standard deviation of (.5, 0): .5 / sqrt 2.
    assert curve.tpr_sd[0] == pytest.approx(sqrt(0.125), rel=1e-15)
    assert curve.tpr_sd[4] == 0


def test_exact_vertical_by_hand():
    # Knots 0, .2, .5, 1. A jumps at 0 from 0 to .5, at .5 from .5 to 1; B nowhere.
    curve = vertical_average(BOTH, grid=None)
    assert curve.fpr.tolist() == [0, 0, 0.2, 0.5, 0.5, 1]
    assert_near(curve.tpr, [0, 0.25, 0.55, 0.625, 0.875, 1])
    assert curve.auc == pytest.approx(reference()["vertical_avg_exact_area"], rel=1e-15)
    assert curve.auc == pytest.approx((rs.auc(A) + rs.auc(B)) / 2, rel=1e-15)
    # Without the left limits the line would cut across the jump.
    last = [i for i in range(6) if i == 5 or curve.fpr[i + 1] > curve.fpr[i]]
    area = np.trapezoid(curve.tpr[last], curve.fpr[last])
    assert area == pytest.approx(reference()["vertical_avg_area_without_left_limits"], rel=1e-15)


def test_horizontal_by_hand():
    assert horizontal_average(BOTH).at.tolist() == (np.arange(101) / 100).tolist()
    # A reaches 0 .25 .5 at fpr 0, .75 and 1 at .5. B: t / 3 up to .6, then .2 + 2 (t - .6).
    curve = horizontal_average(BOTH, grid=4)
    assert curve.tpr.tolist() == reference()["horizontal_avg"]["t"]
    assert_near(curve.fpr, reference()["horizontal_avg"]["fpr"])
    assert_near(curve.each_fpr[1], [0, 0.25 / 3, 0.5 / 3, 0.5, 1])
    assert horizontal_average(BOTH, grid=None).auc == pytest.approx(0.725, rel=1e-15)


def test_threshold_by_hand():
    # At .8 A has called its first positive, (0, .5), and B is at (.2, .6). Literally, A's first
    # point whose score is not above .8 is that of .6: (.5, .5).
    for mode, expected in (("operating", (0.1, 0.55)), ("literal", (0.35, 0.55))):
        curve = threshold_average(BOTH, same_scale=True, grid=[0.8], mode=mode)
        assert curve.at.tolist() == [0.8]
        assert (curve.fpr[0], curve.tpr[0]) == pytest.approx(expected, rel=1e-15)
    # At .1 all scores of B are above: the literal algorithm would read past its end.
    last = threshold_average(BOTH, same_scale=True, grid=[0.1], mode="literal")
    assert (last.each_fpr[1, 0], last.each_tpr[1, 0]) == (1, 1)
    # Distinct thresholds are .9 .8 .6 .4 .3 .1; two steps take ranks 0, floor(2.5 + .5), 5.
    curve = threshold_average(BOTH, same_scale=True, grid=2)
    assert curve.at.tolist() == [np.inf, 0.9, 0.4, 0.1]
    assert threshold_average(BOTH, same_scale=True).at.tolist() == [
        *(np.inf, 0.9, 0.8, 0.6, 0.4, 0.3, 0.1)
    ]
    # More steps than scores: each once, where the paper's step would be 0.
    assert len(threshold_average(BOTH, same_scale=True, grid=100)) == 7


def test_a_score_of_infinity_follows_reject_all():
    table = rs.tabulate([1, 0], [np.inf, 1.0])
    curve = threshold_average([table], same_scale=True)
    assert curve.at.tolist() == [np.inf, np.inf, 1]
    assert curve.tpr.tolist() == [0, 1, 1]
    literal = threshold_average([table], same_scale=True, mode="literal")
    assert literal.tpr.tolist() == [0, 0, 1]


def test_radial_by_hand():
    # At 45 degrees A is left at (.5, .5), r = sqrt .5. B: .6 + (f - .2) / 2 = 1 - f at f = 1/3.
    expected = reference()["radial_avg"]
    curve = radial_average(BOTH, grid=[np.pi / 4, np.pi / 8])
    for i, degrees in enumerate(("22.5", "45")):
        assert (curve.fpr[i], curve.tpr[i]) == pytest.approx(expected[degrees], rel=1e-13)
    radius = np.hypot(1 - curve.each_fpr, curve.each_tpr)[:, 1]
    assert radius == pytest.approx(expected["45_radii"], rel=1e-14)
    ends = radial_average(BOTH, grid=1)
    assert (ends.fpr.tolist(), ends.tpr.tolist()) == ([0, 1], [0, 1])
    # Every negative before every positive: all rays meet the curve in (1, 0).
    worst = radial_average([rs.tabulate([0, 1], [2, 1])], grid=2)
    assert (worst.fpr[1], worst.tpr[1]) == (1, 0)


def test_rate_by_hand():
    for rate, expected in reference()["ppr_avg_pi.5"].items():
        curve = rate_average(BOTH, grid=[float(rate)], prevalence=0.5)
        assert (curve.fpr[0], curve.tpr[0]) == pytest.approx(expected, rel=1e-15)
    # Both sets happen to have as many positives as negatives: the same without saying so.
    own, common = rate_average(BOTH), rate_average(BOTH, prevalence=0.5)
    np.testing.assert_allclose(own.tpr, common.tpr, atol=1e-15)
    exact = rate_average(BOTH, grid=None)
    assert exact.at.tolist() == [0, 0.25, 0.4, 0.5, 0.75, 1]


def test_pooled_by_hand():
    pooled = pooled_table({"a": A, "b": B}, same_scale=True)
    assert pooled == rs.merge(A, B)
    assert pooled_table(A, same_scale=True) == A
    # The mean area is .725; pooled, positives .9 | .8 .8 .8 | .4 | .3 .3 and negatives
    # .8 | .6 | .3 .3 .3 .3 | .1 win 7 + 3 * 6.5 + 5 + 2 * 3 = 37.5 of 49.
    assert rs.auc(pooled) == 37.5 / 49
    assert (rs.auc(A) + rs.auc(B)) / 2 == 0.725


def test_ranks_are_those_of_fit_ranks():
    table = rs.tabulate([0, 1, 1, 0, 1], [10, 20, 20, 40, 30])
    ranked = on_rank_scale(table)
    assert ranked.score.tolist() == [0.8, 0.6, 0.2, 0]
    np.testing.assert_array_equal(ranked.score, fit_ranks(table).transform(table.score))
    np.testing.assert_array_equal(ranked.pos, table.pos)
    falling = negate(table)
    assert on_rank_scale(falling).higher_is_positive
    assert rs.auc(on_rank_scale(falling)) == rs.auc(falling)
    # A weight too small to move the rank: the rows become one.
    heavy = rs.tabulate([1, 0, 1], [3, 2, 1], sample_weight=[1, 1e-20, 1])
    assert len(on_rank_scale(heavy)) == 2
    # Folds whose models have other scales are pooled by rank.
    folds = [rs.tabulate([0, 1], [1, 2]), rs.tabulate([0, 1], [100, 200])]
    ranks = [on_rank_scale(table) for table in folds]
    assert rs.auc(pooled_table(folds, same_scale=True)) == 0.75
    assert rs.auc(pooled_table(ranks, same_scale=True)) == 1


# --- by definition ----------------------------------------------------------------------------


@given(sets=st.one_of(several, weighted), n=steps)
@settings(max_examples=60)
def test_vertical_and_horizontal_are_those_of_the_definition(sets, n):
    tables, rocs = tabulated(sets), polygons(sets)
    vertical = vertical_average(tables, grid=n)
    np.testing.assert_array_equal(vertical.fpr, np.arange(n + 1) / n)
    whole = all(len(one) == 2 for one in sets)
    if whole:  # with float weights a rate may miss a corner by rounding, and a jump with it
        assert_near(vertical.tpr, slow.averaging.vertical_by_algorithm(rocs, n))
        horizontal = horizontal_average(tables, grid=n)
        exact = [
            sum(slow.averaging.lowest_reaching(roc, Fraction(j, n)) for roc in rocs) / len(rocs)
            for j in range(n + 1)
        ]
        assert_near(horizontal.fpr, exact)
    else:
        tops = [rs.roc_curve(table).tpr_at(vertical.fpr) for table in tables]
        assert_near(vertical.tpr, np.mean(tops, axis=0))


@given(sets=several)
@settings(max_examples=60)
def test_exact_averages_have_both_limits_at_every_knot(sets):
    tables, rocs = tabulated(sets), polygons(sets)
    curve = vertical_average(tables, grid=None)
    expected = []
    for f in sorted({p[0] for roc in rocs for p in roc}):
        left = sum(min(top_and_foot(roc, f)) for roc in rocs) / len(rocs)
        value = sum(slow.averaging.fawcett_tpr_for_fpr(f, roc) for roc in rocs) / len(rocs)
        expected += [(f, left)] if left == value else [(f, left), (f, value)]
    assert_near(curve.fpr, [f for f, _ in expected])
    assert_near(curve.tpr, [t for _, t in expected])


def top_and_foot(roc, f):
    at = [p[1] for p in roc if p[0] == f]
    return at or [slow.averaging.fawcett_tpr_for_fpr(f, roc)]


@given(sets=several, n=steps, mode=st.sampled_from(["operating", "literal"]))
@settings(max_examples=60)
def test_threshold_average_is_that_of_the_algorithm(sets, n, mode):
    tables, rocs = tabulated(sets), polygons(sets)
    curve = threshold_average(tables, same_scale=True, grid=n, mode=mode)
    thresholds = slow.averaging.thresholds_by_rank(rocs, n)
    assert curve.at.tolist() == [np.inf, *thresholds]
    points = [
        mean([slow.averaging.point_at_score(roc, t, mode) for roc in rocs]) for t in thresholds
    ]
    assert_near(curve.fpr, [0, *(f for f, _ in points)])
    assert_near(curve.tpr, [0, *(t for _, t in points)])
    assert (curve.fpr[-1], curve.tpr[-1]) == (1, 1)


@given(sets=several, n=steps, share=st.fractions(Fraction(1, 9), Fraction(8, 9), max_denominator=9))
@settings(max_examples=60)
def test_rate_and_radial_averages_are_those_of_the_definition(sets, n, share):
    tables, rocs = tabulated(sets), polygons(sets)
    curve = rate_average(tables, grid=n, prevalence=float(share))
    own = rate_average(tables, grid=n)
    for j in range(n + 1):
        rate = Fraction(j, n)
        points = mean([slow.averaging.point_at_called(roc, rate, share) for roc in rocs])
        assert_near((curve.fpr[j], curve.tpr[j]), points)
        shares = [Fraction(sum(map(bool, label)), len(label)) for label, _ in sets]
        found = zip(rocs, shares, strict=True)
        points = mean([slow.averaging.point_at_called(roc, rate, pi) for roc, pi in found])
        assert_near((own.fpr[j], own.tpr[j]), points)
    # Rays through lattice points have exact directions.
    for x, y in ((1, 1), (1, 2), (3, 1)):
        ray = radial_average(tables, grid=[float(np.arctan2(y, x))])
        points = mean([slow.averaging.point_on_ray(roc, y, x) for roc in rocs])
        assert_near((ray.fpr[0], ray.tpr[0]), points)


# --- other programs ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["sonar_rf", "breast_w_nb", "vehicle_tree5"])
def test_rocr(name, request):
    theirs = answer(f"rocr_avg__{name}", request)
    data, column = name.rsplit("_", 1)
    part = rs.datasets.load("uci_scores").where("dataset", data)
    tables = fold_tables(part.y_true, part.columns[column], part.columns["fold"])
    check_rocr(theirs, tables)


def test_rocr_on_its_own_folds(request, shared):
    theirs = answer("rocr_avg__rocr_xval", request)
    import csv

    with (shared / "data" / "rocr_xval.csv").open(encoding="utf-8", newline="") as file:
        rows = [(r["fold"], int(r["label"]), float(r["prediction"])) for r in csv.DictReader(file)]
    fold, label, score = zip(*rows, strict=True)
    check_rocr(theirs, fold_tables(label, score, [int(f) for f in fold]))


def check_rocr(theirs, tables):
    assert [rs.auc(t) for t in tables.values()] == pytest.approx(theirs["auc_by_fold"], rel=1e-14)
    pooled = rs.auc(pooled_table(tables, same_scale=True))
    assert pooled == pytest.approx(theirs["auc_pooled"], rel=1e-14)
    exact = vertical_average(tables, grid=None)
    assert exact.auc == pytest.approx(theirs["auc_mean"], rel=1e-13)
    upper = theirs["vertical_upper_linear"]
    curve = vertical_average(tables, grid=20)
    np.testing.assert_allclose(curve.fpr, upper["fpr"], atol=1e-15)
    np.testing.assert_allclose(curve.tpr, upper["tpr_mean"], rtol=0, atol=1e-14)
    np.testing.assert_allclose(curve.tpr_sd, upper["tpr_sd"], rtol=0, atol=1e-14)
    step = theirs["threshold_step"]
    curve = threshold_average(tables, same_scale=True, grid=step["threshold"])
    for name in ("fpr", "tpr"):
        found, spread = getattr(curve, name), getattr(curve, f"{name}_sd")
        np.testing.assert_allclose(found, step[f"{name}_mean"], rtol=0, atol=1e-14)
        np.testing.assert_allclose(spread, step[f"{name}_sd"], rtol=0, atol=1e-14)


# --- invariants -------------------------------------------------------------------------------


@given(sample=samples(max_size=14))
@settings(max_examples=50)
def test_one_curve_is_its_own_average(sample):
    table = rs.tabulate(*sample)
    roc = rs.roc_curve(table)
    assert pooled_table([table], same_scale=True) == table
    threshold = threshold_average([table], same_scale=True)
    np.testing.assert_array_equal(threshold.fpr, roc.fpr)
    np.testing.assert_array_equal(threshold.tpr, roc.tpr)
    np.testing.assert_array_equal(threshold.at, roc.threshold)
    rate = rate_average([table], grid=None)
    np.testing.assert_array_equal(rate.fpr, roc.fpr)
    np.testing.assert_array_equal(rate.tpr, roc.tpr)
    on_curve = set(zip(roc.fpr.tolist(), roc.tpr.tolist(), strict=True))
    for average in (vertical_average, horizontal_average):
        exact = average([table], grid=None)
        assert set(zip(exact.fpr.tolist(), exact.tpr.tolist(), strict=True)) <= on_curve
        assert exact.auc == pytest.approx(rs.auc(table), rel=1e-13, abs=1e-15)
    radial = radial_average([table], grid=7)
    inner = (radial.fpr > 0) & (radial.fpr < 1)
    top = roc.tpr_at(radial.fpr)
    assert (radial.tpr <= top + 1e-12).all()
    assert (roc.fpr_at(radial.tpr[inner]) <= radial.fpr[inner] + 1e-12).all()


@given(sets=st.one_of(several, weighted))
@settings(max_examples=50)
def test_averages_rise_and_lie_between_the_curves(sets):
    tables = tabulated(sets)
    for curve in every_average(tables):
        for name in ("fpr", "tpr"):
            rate, each = getattr(curve, name), getattr(curve, f"each_{name}")
            assert (np.diff(rate) >= 0).all(), (curve.method, name)
            assert (rate >= each.min(axis=0)).all()
            assert (rate <= each.max(axis=0)).all()
            assert ((rate >= 0) & (rate <= 1)).all()
        if curve.method != "horizontal":
            assert (curve.fpr[-1], curve.tpr[-1]) == (1, 1)
    areas = np.mean([rs.auc(table) for table in tables])
    for average in (vertical_average, horizontal_average):
        assert average(tables, grid=None).auc == pytest.approx(areas, rel=1e-12, abs=1e-14)


@given(sample=samples(), times=st.integers(2, 4))
@settings(max_examples=30)
def test_identical_curves_are_their_average(sample, times):
    table = rs.tabulate(*sample)
    pairs = zip(every_average([table]), every_average([table] * times), strict=True)
    for one, many in pairs:
        np.testing.assert_array_equal(one.fpr, many.fpr)
        np.testing.assert_array_equal(one.tpr, many.tpr)
        assert not many.tpr_sd.any()


@given(sets=several)
@settings(max_examples=40)
def test_scales_matter_only_to_thresholds(sets):
    tables = tabulated(sets)
    cubes = [rs.tabulate(label, np.array(score) ** 3 + i) for i, (label, score) in enumerate(sets)]
    same = [rs.tabulate(label, np.array(score) ** 3) for label, score in sets]
    for average in (vertical_average, horizontal_average, radial_average, rate_average):
        np.testing.assert_array_equal(average(tables).tpr, average(cubes).tpr)
        np.testing.assert_array_equal(average(tables).fpr, average(cubes).fpr)
    one, two = (threshold_average(t, same_scale=True) for t in (tables, same))
    np.testing.assert_array_equal(one.tpr, two.tpr)
    ranks = [[on_rank_scale(t) for t in tables] for tables in (tables, cubes)]
    one, two = (threshold_average(t, same_scale=True) for t in ranks)
    np.testing.assert_array_equal(one.tpr, two.tpr)


@given(sets=several)
@settings(max_examples=30)
def test_horizontal_is_vertical_in_the_mirror(sets):
    tables = tabulated(sets)
    mirrored = [rs.tabulate([not y for y in label], [-s for s in score]) for label, score in sets]
    rates = np.arange(9) / 8
    one = horizontal_average(tables, grid=rates)
    two = vertical_average(mirrored, grid=rates)
    np.testing.assert_allclose(one.fpr, 1 - two.tpr[::-1], atol=1e-15)


@given(sets=st.lists(samples(max_size=8, weights=st.integers(1, 3)), min_size=1, max_size=3))
@settings(max_examples=30)
def test_whole_weights_repeat_cases(sets):
    by_weight = tabulated(sets)
    repeated = [
        rs.tabulate(slow.data.repeated(label, weight), slow.data.repeated(score, weight))
        for label, score, weight in sets
    ]
    for one, two in zip(every_average(by_weight), every_average(repeated), strict=True):
        np.testing.assert_allclose(one.tpr, two.tpr, atol=1e-14)
        np.testing.assert_allclose(one.fpr, two.fpr, atol=1e-14)


def test_lower_scores_may_be_positive():
    falling = [
        ScoreTable.from_counts(-t.score, t.pos, t.neg, higher_is_positive=False) for t in BOTH
    ]
    for one, two in zip(every_average(BOTH), every_average(falling), strict=True):
        np.testing.assert_array_equal(one.tpr, two.tpr)
        np.testing.assert_array_equal(one.fpr, two.fpr)
    for mode in ("operating", "literal"):
        curves = [
            threshold_average(t, same_scale=True, grid=at, mode=mode)
            for t, at in ((BOTH, [0.8, 0.2, 0.5]), (falling, [-0.8, -0.2, -0.5]))
        ]
        assert curves[1].at.tolist() == [-0.8, -0.5, -0.2]
        np.testing.assert_array_equal(curves[0].tpr, curves[1].tpr)


def test_weights_of_curves():
    for plain, weighed in zip(
        every_average([A, A, A, B]), every_average([A, B], curve_weight=[3, 1]), strict=True
    ):
        np.testing.assert_allclose(plain.fpr, weighed.fpr, atol=1e-15)
        np.testing.assert_allclose(plain.tpr, weighed.tpr, atol=1e-15)
    curve = vertical_average([A, B], curve_weight=[3, 1], grid=4)
    # Values .5 and 0 with shares 3/4 and 1/4: mean .375, variance (3/4 * 1/64 + 1/4 * 9/64)
    # / (1 - 5/8) = (3/64) / (3/8) = 1/8.
    assert curve.tpr[0] == 0.375
    assert curve.tpr_sd[0] == pytest.approx(sqrt(1 / 8), rel=1e-15)
    # The curves count as 1 / (9/16 + 1/16) = 1.6.
    low = curve.interval(0.5, method="normal").tpr_low[0]
    assert low == pytest.approx(0.375 - stats.norm.ppf(0.75) * sqrt(1 / 8 / 1.6), rel=1e-12)
    half = stats.t.ppf(0.55, 0.6) * sqrt(1 / 8 / 1.6)
    assert curve.interval(0.1, method="t").tpr_high[0] == pytest.approx(0.375 + half, rel=1e-12)
    at = curve.interval(0.5, method="percentile")
    assert (at.tpr_low[0], at.tpr_high[0]) == (0.0, 0.5)


# --- intervals --------------------------------------------------------------------------------


def folds_of(values, n_pos=8):
    """Tables whose tpr at fpr 0 are values / n_pos."""
    return [ScoreTable.from_counts([3, 2, 1], [v, 0, n_pos - v], [0, 2, 6]) for v in values]


def test_intervals_by_hand():
    curve = vertical_average(folds_of([2, 4, 6]), grid=4)
    # tpr at 0: .25 .5 .75, mean .5, s .25, s / sqrt 3 = .14434; z = 1.95996, t_2 = 4.30265.
    for method, half in (
        ("normal", 1.959963984540054 * 0.25 / sqrt(3)),
        ("t", 4.302652729696142 * 0.25 / sqrt(3)),
        ("prediction", 4.302652729696142 * 0.25 * sqrt(4 / 3)),
        ("wald", 1.959963984540054 * sqrt(0.25 / 24)),
    ):
        found = curve.interval(0.95, method=method)
        assert found.tpr_low[0] == pytest.approx(max(0.5 - half, 0), rel=1e-12)
        assert found.tpr_high[0] == pytest.approx(min(0.5 + half, 1), rel=1e-12)
        assert not found.fell_back[0]
        np.testing.assert_array_equal(found.fpr_low, curve.fpr)
        np.testing.assert_array_equal(found.fpr_high, curve.fpr)
    assert (found.level, found.method) == (0.95, "wald")
    low, high = np.quantile([0.25, 0.5, 0.75], [0.025, 0.975])
    found = curve.interval(method="percentile")
    assert (found.tpr_low[0], found.tpr_high[0]) == (low, high)


@pytest.mark.parametrize("method", ["wilson", "clopper-pearson", "agresti-coull"])
def test_intervals_of_shares_are_those_of_all_cases(method):
    curve = threshold_average(folds_of([2, 4, 6]), same_scale=True)
    found = curve.interval(0.9, method=method)
    # Pooled: 24 positives and 24 negatives.
    for i in range(1, len(curve)):
        for name in ("fpr", "tpr"):
            rate = float(getattr(curve, name)[i])
            one = rs.rate_interval(24 * rate, 24, level=0.9, method=method)
            assert getattr(found, f"{name}_low")[i] == pytest.approx(one.low, abs=1e-15)
            assert getattr(found, f"{name}_high")[i] == pytest.approx(one.high, abs=1e-15)
    assert not found.fell_back.any()


def test_where_the_spread_tells_nothing_wilson_stands_in():
    same = vertical_average(folds_of([4, 4, 4]), grid=4)
    wilson = rs.rate_interval(12, 24, method="wilson")
    for method in ("t", "normal"):
        found = same.interval(method=method)
        assert found.fell_back.tolist() == [True] * 4 + [False]
        assert (found.tpr_low[0], found.tpr_high[0]) == pytest.approx(tuple(wilson), abs=1e-15)
        # All curves end in (1, 1), whatever the sample.
        assert (found.tpr_low[4], found.tpr_high[4]) == (1, 1)
    one = vertical_average([A], grid=4)
    assert np.isnan(one.tpr_sd).all()
    assert one.interval(method="t").fell_back.tolist() == [True] * 4 + [False]
    assert one.interval(method="percentile").fell_back.any()
    found = same.interval(method="prediction")
    # One more curve of 8 positives, of which 3 others tell: as if of 24 / 4 cases.
    ahead = rs.rate_interval(3, 6, method="wilson")
    assert (found.tpr_low[0], found.tpr_high[0]) == pytest.approx(tuple(ahead), abs=1e-15)
    perfect = vertical_average([rs.tabulate([0, 1], [0, 1])] * 3, grid=1)
    found = perfect.interval(method="wald")
    assert found.fell_back[0]
    three = rs.rate_interval(3, 3, method="wilson")
    assert found.tpr_low[0] == pytest.approx(three.low, abs=1e-15)


def test_only_the_ends_of_the_range_are_certain():
    # All begin in (0, 0), but how far along the axis they run is as unsure as any rate.
    folds = [rs.tabulate([0, 0, 1, 1], s) for s in ([1, 5, 2, 4], [2, 6, 3, 4])]
    curve = horizontal_average(folds, grid=None)
    assert (curve.tpr[:2].tolist(), curve.fpr[:2].tolist()) == ([0, 0], [0, 0.5])
    found = curve.interval(method="t")
    assert (found.fpr_high[0], found.fell_back[:2].tolist()) == (0, [False, True])
    assert found.fpr_low[1] < 0.5 < found.fpr_high[1]
    curve = vertical_average([negate(table) for table in folds], grid=None)
    found = curve.interval(method="t")
    assert curve.fpr[-2:].tolist() == [0.5, 1]
    assert (found.tpr_low[-1], found.fell_back[-2]) == (1, True)


def test_percentiles_may_miss_the_mean():
    # 99 curves start at 0 and one at 1.
    curve = vertical_average(folds_of([0] * 99 + [8]), grid=2)
    assert curve.tpr[0] == 0.01
    found = curve.interval(method="percentile")
    assert (found.tpr_low[0], found.tpr_high[0]) == (0, 0)


def test_normal_prediction_of_ten_curves_would_cover_too_little():
    # mu +- z s is mu +- t s sqrt(1.1) for the t whose chance is 90.6 percent.
    covered = 1 - 2 * stats.t.sf(stats.norm.ppf(0.975) / sqrt(1.1), 9)
    assert covered == pytest.approx(0.906, abs=5e-4)
    curve = vertical_average(folds_of([2, 3, 4, 5, 6, 2, 3, 4, 5, 6]), grid=2)
    wide = curve.interval(covered, method="prediction")
    z = stats.norm.ppf(0.975) * curve.tpr_sd[0]
    assert wide.tpr_high[0] - curve.tpr[0] == pytest.approx(z, rel=1e-9)


METHODS = (
    *("bracket", "t", "normal", "wilson", "clopper-pearson", "agresti-coull", "wald"),
    *("prediction", "percentile"),
)


@given(sets=st.one_of(several, weighted), level=st.sampled_from([0.5, 0.95]))
@settings(max_examples=25)
def test_intervals_hold_the_mean_and_stay_in_range(sets, level):
    for curve in every_average(tabulated(sets)):
        for method in METHODS:
            found = curve.interval(level, method=method)
            for name in ("fpr", "tpr"):
                rate = getattr(curve, name)
                low, high = (getattr(found, f"{name}_{end}") for end in ("low", "high"))
                assert ((low >= 0) & (low <= high) & (high <= 1)).all()
                if method != "percentile":
                    assert ((low <= rate) & (rate <= high)).all()
                    certain = low == high
                    known = (rate == 0) | (rate == 1)
                    given = (curve.method, name) in (("vertical", "fpr"), ("horizontal", "tpr"))
                    assert given or known[certain].all()


def test_intervals_narrow_as_curves_grow_in_number():
    rng = np.random.default_rng(5)
    for method in ("t", "normal"):
        width = []
        for n in (4, 64, 1024):
            curve = vertical_average(folds_of(rng.integers(1, 8, n)), grid=2)
            found = curve.interval(method=method)
            width.append(found.tpr_high[0] - found.tpr_low[0])
        assert width[0] > 2 * width[1] > 4 * width[2]


def test_both_rates_of_a_threshold_average_have_limits():
    folds = [rs.tabulate([0, 0, 1, 1], s) for s in ([1, 3, 2, 4], [2, 3, 3, 4], [1, 2, 4, 5])]
    curve = threshold_average(folds, same_scale=True, grid=[np.inf, 3])
    # At 3 the curves are at (.5, .5), (.5, 1), (0, 1): sd .28868 of both, / sqrt 3 = 1/6.
    found = curve.interval(0.5, method="t")
    half = stats.t.ppf(0.75, 2) / 6
    assert found.fpr_low[1] == pytest.approx(1 / 3 - half, rel=1e-12)
    assert found.tpr_high[1] == pytest.approx(min(5 / 6 + half, 1), rel=1e-12)
    # The first point rejects all, in every sample.
    assert found.tpr_high[0] == found.fpr_high[0] == 0
    assert not found.fell_back[0]


# --- limits of the true curve -----------------------------------------------------------------


def heights_by_ordering(table, rank):
    """Mean height just before the negative of a rank, over all orders of tied cases."""
    rows = zip(table.pos.tolist(), table.neg.tolist(), strict=True)
    blocks = [["p"] * round(pos) + ["n"] * round(neg) for pos, neg in rows]
    found = []
    for orders in product(*(sorted(set(permutations(block))) for block in blocks)):
        labels = [label for order in orders for label in order]
        negatives = [i for i, label in enumerate(labels) if label == "n"]
        found.append(labels[: negatives[rank - 1]].count("p") / labels.count("p"))
    return np.mean(found)


TIED = rs.tabulate([0, 0, 0, 1, 1, 0, 1, 1], [1, 2, 2, 2, 3, 3, 3, 4])


def test_readings_are_means_over_all_orders_of_ties():
    # 4 negatives: rank r stands at f = r / 5 of the lower reading and (r - 1) / 4 of the upper.
    for table in (TIED, negate(TIED), A, B):
        n = round(table.n_neg)
        want = [heights_by_ordering(table, rank) for rank in range(1, n + 1)]
        rank = np.arange(1, n + 1)
        low, _ = meeting.readings("vertical", [table], rank / (n + 1))
        _, high = meeting.readings("vertical", [table], (rank - 1) / n)
        np.testing.assert_allclose(low[0], want, atol=1e-14)
        np.testing.assert_allclose(high[0], want, atol=1e-14)
    # By hand: of rank 1, tied with two positives below the one at 4: 1/4, and half of the
    # tied two, 1/2. Of ranks 2 and 3, tied with one positive: 3/4 + 1/3 and 2/3 of a quarter.
    low, high = meeting.readings("vertical", [TIED], np.array([0.2, 0.4, 0.6, 0.8, 0.3, 0, 1]))
    want = [1 / 2, 5 / 6, 11 / 12, 1, (1 / 2 + 5 / 6) / 2, 0, 1]
    np.testing.assert_allclose(low[0], want, atol=1e-14)
    # Beyond the last negative nothing was seen, so the curve may be at 1: from fpr 3/4 on.
    np.testing.assert_array_equal(high[0, [3, 6]], 1)
    assert high[0, 2] < 1


def test_readings_along_both_axes_are_alike():
    # Turned by half a turn, a horizontal average is a vertical one.
    turned = ScoreTable.from_counts([4, 3, 2, 1], TIED.neg[::-1], TIED.pos[::-1])
    at = np.linspace(0, 1, 13)
    low, high = meeting.readings("horizontal", [TIED], at)
    low_turned, high_turned = meeting.readings("vertical", [turned], 1 - at)
    np.testing.assert_allclose(low, 1 - high_turned, atol=1e-14)
    np.testing.assert_allclose(high, 1 - low_turned, atol=1e-14)
    assert (low <= high).all()


def test_without_ties_the_upper_reading_is_the_usual_one():
    rng = np.random.default_rng(3)
    table = rs.tabulate([0] * 10 + [1] * 12, rng.permutation(22))
    at = np.arange(11) / 10
    low, high = meeting.readings("vertical", [table], at)
    np.testing.assert_allclose(high[0], rs.roc_curve(table).tpr_at(at), atol=1e-14)
    assert (low <= high).all()


def test_weights_of_less_than_a_case_are_read_too():
    label, score = [0, 0, 1, 1, 0, 1], [1, 2, 2, 3, 4, 5]
    light = rs.tabulate(label, score, sample_weight=[0.1, 0.4, 1, 2, 0.3, 0.7])
    alike = rs.tabulate(label, score, sample_weight=[2.5] * 6)
    at = np.linspace(0, 1, 21)
    for low, high in (
        meeting.readings("vertical", [light], at),
        meeting.readings("horizontal", [light], at),
    ):
        assert (np.diff(low) >= 0).all()
        assert (np.diff(high) >= 0).all()
        assert (low <= high).all()
    plain = meeting.readings("vertical", [rs.tabulate(label, score)], at)
    for one, other in zip(meeting.readings("vertical", [alike], at), plain, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-12)


@given(gap=st.floats(0, 50), level=st.floats(0.01, 0.999), df=st.sampled_from([0.6, 2, 9, np.inf]))
@settings(max_examples=60)
def test_quantile_of_a_gap_solves_its_equation(gap, level, df):
    law = stats.t(df) if df < np.inf else stats.norm()
    (q,) = average_curve._quantile_of_gap(np.array([gap]), level, df)
    if law.cdf(gap) - 0.5 >= level:
        assert q == pytest.approx(max(law.ppf(level), 0), abs=1e-9)
    else:
        assert law.cdf(q + gap) - law.cdf(-q) == pytest.approx(level, abs=1e-12)
    # Between the one-sided quantile and the two-sided one.
    assert law.ppf(level) - 1e-9 <= q <= law.ppf((1 + level) / 2) * (1 + 1e-9)


def test_bracket_by_hand():
    # Threshold averages have one reading, so no gap: tpr .25 .5 .75, mean .5, s^2 / 3 = 1/48,
    # and t_2 at level .8 is .8 sqrt(2 / .36). Around 1/2 Student's ends are the furthest.
    curve = threshold_average(folds_of([2, 4, 6]), same_scale=True, grid=[3])
    found = curve.interval(0.8)
    half = 0.8 * sqrt(2 / 0.36) / sqrt(48)
    assert (found.level, found.method) == (0.8, "bracket")
    assert found.tpr_low[0] == pytest.approx(0.5 - half, rel=1e-12)
    assert found.tpr_high[0] == pytest.approx(0.5 + half, rel=1e-12)
    # Near the end Wilson's is the furthest inwards, and Student's outwards: tpr 7/8, 1, 1 and so
    # 23/24, s^2 / 3 = 1 / 576: c = t^2 / 576 / (23 / 576) = t^2 / 23. With f = 1/24 the rate
    # missed, (f - a)^2 = c a (1 - a) has the greater root of (1 + c) a^2 - (2 f + c) a + f^2.
    found = threshold_average(folds_of([7, 8, 8]), same_scale=True, grid=[3]).interval(0.8)
    c, f = 0.8**2 * 2 / 0.36 / 23, 1 / 24
    root = (2 * f + c + sqrt((2 * f + c) ** 2 - 4 * (1 + c) * f * f)) / (2 * (1 + c))
    assert found.tpr_low[0] == pytest.approx(1 - root, rel=1e-12)
    assert found.tpr_high[0] == 1
    # Where all agree the counts are left: 12 of 24.
    found = threshold_average(folds_of([4, 4, 4]), same_scale=True, grid=[3]).interval()
    exact = rs.rate_interval(12, 24, method="clopper-pearson")
    assert found.tpr_low[0] == pytest.approx(exact.low, abs=1e-12)
    assert found.tpr_high[0] == pytest.approx(exact.high, abs=1e-12)
    assert found.fell_back[0]
    # Folds of 2 and 6 positives: 1 / (1 / 8 + 1 / 24) = 6 cases, not 8.
    folds = [*folds_of([1], 2), *folds_of([3], 6)]
    found = threshold_average(folds, same_scale=True, grid=[3]).interval()
    exact = rs.rate_interval(3, 6, method="clopper-pearson")
    assert found.tpr_low[0] == pytest.approx(exact.low, abs=1e-12)


def test_a_bracket_falls_back_only_where_both_readings_of_all_curves_agree():
    low, high = np.array([[0.0, 0.25], [0.5, 0.25]]), np.array([[0.75, 0.25], [0.75, 0.25]])
    for one, other in ((low, high), (1 - high, 1 - low)):
        fell_back = average_curve.bracket_limits(one, other, np.full(2, 0.5), 16.0, 0.95)[2]
        assert fell_back.tolist() == [False, True]


def test_bracket_of_a_vertical_average_takes_both_readings():
    # Of 8 positives 2, 4, 6 lie above all 8 negatives: at fpr 0 the usual mean is .5; the lower
    # reading there is 0, and a curve can begin no lower.
    found = (curve := vertical_average(folds_of([2, 4, 6]), grid=8)).interval()
    assert (found.tpr_low[0], curve.tpr[0]) == (0, 0.5)
    low, high = meeting.readings("vertical", curve.tables, curve.at)
    means = [each[:, 3].mean() for each in (low, high)]
    spread = [each[:, 3].var(ddof=1) / 3 for each in (low, high)]
    gap = (means[1] - means[0]) / sqrt(max(*spread, *(x * (1 - x) / 24 for x in means)))
    t = optimize.brentq(lambda q: stats.t.cdf(q + gap, 2) - stats.t.cdf(-q, 2) - 0.95, 0, 9)
    z = optimize.brentq(lambda q: stats.norm.cdf(q + gap) - stats.norm.cdf(-q) - 0.95, 0, 9)
    for x, s2, end in zip(means, spread, ("low", "high"), strict=True):
        sign = -1 if end == "low" else 1
        c = t * t * s2 / (x * (1 - x))
        share = stats.beta(24 * x + (sign > 0), 24 * (1 - x) + (sign < 0))
        ends = (
            min(max(x + sign * t * sqrt(s2), 0), 1),
            optimize.brentq(lambda a, x=x, c=c: (x - a) ** 2 - c * a * (1 - a), x, 0.5 + sign / 2),
            share.ppf(stats.norm.cdf(sign * z)),
        )
        furthest = max(ends) if sign > 0 else min(ends)
        assert getattr(found, f"tpr_{end}")[3] == pytest.approx(furthest, abs=1e-10)


def test_bracket_nears_the_mean_as_curves_grow():
    rng = np.random.default_rng(8)
    label = np.repeat([0, 1], 20_000)
    folds = [rs.tabulate(label, rng.normal(size=40_000) + label) for _ in range(10)]
    curve = vertical_average(folds, grid=[0.1, 0.5])
    bracket, student = curve.interval(), curve.interval(method="t")
    np.testing.assert_allclose(bracket.tpr_low, student.tpr_low, atol=6e-4)
    np.testing.assert_allclose(bracket.tpr_high, student.tpr_high, atol=6e-4)


def test_curves_alone_have_one_reading():
    curve = vertical_average(folds_of([2, 4, 6]), grid=8)
    alone = replace(curve, tables=()).interval(0.8)
    assert alone.tpr_low[0] == pytest.approx(0.5 - 0.8 * sqrt(2 / 0.36 / 48), abs=1e-12)


# --- bad input --------------------------------------------------------------------------------


def test_mixed_types_and_huge_integers():
    small = rs.tabulate([0, 1], np.array([1, 2], dtype=np.int8))
    floats = rs.tabulate([0, 1], [1.5, 2.5])
    assert threshold_average([small, floats], same_scale=True).at.tolist() == [
        *(np.inf, 2.5, 2, 1.5, 1)
    ]
    big = 2**62
    huge = [rs.tabulate([0, 1], [big, big + 1]), rs.tabulate([0, 1], [big + 1, big + 2])]
    curve = threshold_average(huge, same_scale=True)
    assert list(curve.at[1:]) == [big + 2, big + 1, big]
    assert curve.tpr.tolist() == [0, 0.5, 1, 1]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: vertical_average([]), "needs at least one table"),
        (lambda: vertical_average(BOTH, grid=0), "whole number, 1 or more"),
        (lambda: vertical_average(BOTH, grid=[0.5, 1.2]), r"grid is 1\.2"),
        (lambda: vertical_average(BOTH, grid=[]), "has the shape"),
        (lambda: vertical_average(BOTH, curve_weight=[1]), "Pass 2 positive numbers"),
        (lambda: vertical_average(BOTH, curve_weight=[1, -1]), "Pass 2 positive numbers"),
        (lambda: threshold_average(BOTH), "Pass same_scale=True"),
        (lambda: threshold_average(BOTH, same_scale=True, mode="exact"), "mode is 'exact'"),
        (lambda: threshold_average(BOTH, same_scale=True, grid=[np.nan]), "is NaN"),
        (lambda: threshold_average(BOTH, same_scale=True, grid=[]), "has the shape"),
        (lambda: threshold_average(BOTH, same_scale=True, grid=0), "whole number, 1 or more"),
        (lambda: pooled_table(BOTH), "Pass same_scale=True"),
        (lambda: pooled_table([], same_scale=True), "at least one table"),
        (lambda: pooled_table([A, negate(B)], same_scale=True), "the same higher_is_positive"),
        (lambda: threshold_average([A, negate(B)], same_scale=True), "the same higher_is_positive"),
        (lambda: radial_average(BOTH, grid=[2.0]), "from 0 to pi / 2"),
        (lambda: radial_average(BOTH, grid=[np.nan]), "from 0 to pi / 2"),
        (lambda: rate_average(BOTH, prevalence=1), "strictly between 0 and 1"),
        (lambda: vertical_average(BOTH).interval(1.0), "level is 1"),
        (lambda: vertical_average(BOTH).interval(method="exact"), "method is 'exact'"),
    ],
)
def test_messages(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_messages_name_the_table():
    folds = {"a": A, "b": rs.tabulate([1, 1], [1, 2])}
    with pytest.raises(SingleClassError, match=r"of table 'b'.*here are 2 positives and 0 neg"):
        vertical_average(folds)
    with pytest.raises(TypeError, match="several tables, not one"):
        vertical_average(A)
    with pytest.raises(TypeError, match="takes a ScoreTable, not an ndarray"):
        vertical_average([np.array([1, 2])])
    with pytest.raises(TypeError, match="takes a ScoreTable, not a list"):
        pooled_table([[1, 2]], same_scale=True)


def test_arrays_are_read_only():
    curve = vertical_average(BOTH)
    for name in ("at", "fpr", "tpr", "each_fpr", "each_tpr", "weight"):
        assert not getattr(curve, name).flags.writeable
    assert (curve.n_pos, curve.n_neg, curve.n_curves, len(curve)) == (7, 7, 2, 101)
    assert repr(curve) == "AverageCurve(vertical, 2 curves, 101 points)"


# --- curves that are no tables ------------------------------------------------------------------

AVERAGES = {
    "vertical": vertical_average,
    "horizontal": horizontal_average,
    "radial": radial_average,
    "rate": rate_average,
}


@pytest.mark.parametrize("kind", AVERAGES)
def test_averages_of_curves_are_those_of_their_tables(kind):
    tables = [rs.simulate.binormal(0.8).draw(20, 30, rng=i) for i in range(3)]
    some = [tables[0], *(rs.roc_curve(table) for table in tables[1:])]
    of_tables, of_curves = (AVERAGES[kind](x) for x in (tables, some))
    assert np.array_equal(of_tables.fpr, of_curves.fpr)
    assert np.array_equal(of_tables.tpr, of_curves.tpr)
    assert of_curves.tables == ()


@pytest.mark.parametrize("kind", AVERAGES)
def test_averages_of_smooth_curves(kind):
    curves = {area: rs.simulate.binormal(area) for area in (0.7, 0.9)}
    options = {"prevalence": 0.3} if kind == "rate" else {}
    found = AVERAGES[kind](curves, **options)
    assert 0.7 < found.auc < 0.9
    if kind == "vertical":
        expected = (curves[0.7].tpr_at(0.2) + curves[0.9].tpr_at(0.2)) / 2
        assert found.tpr_at(0.2) == pytest.approx(expected, rel=1e-12)
        assert found.interval(method="t").tpr_low[20] < expected
    alone = AVERAGES[kind]([curves[0.7]], **options)
    assert alone.auc == pytest.approx(0.7, abs=2e-3)
    with pytest.raises(ValueError, match='use method="t"'):
        found.interval()


def test_a_share_of_cases_needs_a_class_mix():
    with pytest.raises(ValueError, match="Pass prevalence="):
        rate_average([rs.simulate.binormal(0.7)])
    with pytest.raises(TypeError, match="takes several tables"):
        vertical_average(rs.simulate.binormal(0.7))
    with pytest.raises(TypeError, match="threshold_average"):
        threshold_average([rs.simulate.binormal(0.7)], same_scale=True)


@pytest.mark.parametrize("kind", AVERAGES)
def test_interval_at_a_rate(kind):
    tables = [rs.simulate.binormal(0.8).draw(20, 30, rng=i) for i in range(4)]
    curve = AVERAGES[kind](tables)
    at = np.array([0.0, 0.13, 0.5, 1.0])
    for method in ("bracket", "t"):
        found = curve.at_fpr(at, level=0.9, method=method)
        for fpr, each in zip(at, found, strict=True):
            assert each.low <= curve.tpr_at(fpr) + 1e-12
            assert curve.tpr_at(fpr) <= each.high + 1e-12
            assert (each.level, each.method) == (0.9, f"{kind} average, {method}")
        assert curve.at_fpr(0.13, level=0.9, method=method) == found[1]
    if kind == "vertical":
        limits = curve.interval(0.9)
        assert tuple(curve.at_fpr(0.5, level=0.9)) == (limits.tpr_low[50], limits.tpr_high[50])
    with pytest.raises(ValueError, match="fpr"):
        curve.at_fpr(1.1)
