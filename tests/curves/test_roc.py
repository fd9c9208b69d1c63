"""The curve: points, tie modes, thinning, values between points, dominance."""

import copy
import pickle
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocspace as rs
import slow.counts
import slow.curves
import slow.data
import slow.operating
from rocspace.counts import ScoreTable, SingleClassError, negate, sorts
from rocspace.curves import RocCurve, auc, auc_bounds, dominates, pareto_front, roc_curve
from rocspace.curves import roc as roc_module
from rocspace.curves.roc import RocPoints
from slow.data import F3, F4, F6, INF, answer, assert_close, cases, reference, samples

TIES = ["expected", "optimistic", "pessimistic"]

scores_with_infinities = st.one_of(
    st.integers(-4, 4).map(float), st.floats(-3, 3), st.sampled_from([INF, -INF])
)
dyadic = st.integers(1, 12).map(lambda k: k / 4)


def pairs(curve):
    return list(zip(curve.fpr.tolist(), curve.tpr.tolist(), strict=True))


def exact(curve):
    """The corners of a curve as fractions of the counts."""
    n_pos, n_neg = Fraction(curve.n_pos), Fraction(curve.n_neg)
    steps = zip(curve.fp.tolist(), curve.tp.tolist(), strict=True)
    return [(Fraction(f) / n_neg, Fraction(t) / n_pos) for f, t in steps]


# --- points -----------------------------------------------------------------------------------


def test_points_by_hand():
    # Scores from the top: 8 has a positive; 4 a positive and a negative; 1 a negative.
    curve = roc_curve(rs.tabulate([0, 0, 1, 1], [1, 4, 4, 8]))
    assert pairs(curve) == [(0, 0), (0, 0.5), (0.5, 1), (1, 1)]
    assert curve.threshold.tolist() == [INF, 8, 4, 1]
    assert curve.fp.tolist() == [0, 0, 1, 2]
    assert curve.attainable.all()
    assert len(curve) == 4
    assert repr(curve) == "RocCurve(4 points, 2 positives, 2 negatives)"


def test_area_of_a_curve_is_rounded_once_and_never_above_one():
    # 17 of 21 pairs; trapezoids of rates would add seven rounded numbers.
    curve = roc_curve(rs.tabulate([1, 1, 0, 0, 1, 0, 0, 0, 0, 0], range(10, 0, -1)))
    assert curve.auc == 19 / 21
    weights = [0.5, 0.25, 0.5, 1.25, 3.5]
    weighted = roc_curve(rs.tabulate([1, 0, 1, 0, 1], [5, 4, 3, 2, 2], sample_weight=weights))
    wins = 0.5 * 1.5 + 0.5 * 1.25 + 3.5 * 1.25 / 2
    assert weighted.auc == pytest.approx(wins / (4.5 * 1.5), rel=1e-14)


def test_fawcett_figure_3():
    curve = roc_curve(rs.tabulate(*F3))
    expected = reference()["F3_points_fpr_tpr_thr"]
    assert [list(p) for p in zip(curve.fpr, curve.tpr, curve.threshold, strict=True)] == expected
    assert pairs(curve)[1] == (0, 0.1)  # printed: the first positive gives (0, 0.1)


def test_fawcett_figure_4_is_perfect():
    assert (0, 1) in pairs(roc_curve(rs.tabulate(*F4)))


@given(sample=samples(values=scores_with_infinities, weights=dyadic), higher=st.booleans())
@settings(max_examples=50)
def test_points_are_those_of_the_definition(sample, higher):
    label, score, weight = sample
    for w in (None, weight):
        table = rs.tabulate(label, score, sample_weight=w, higher_is_positive=higher)
        curve = roc_curve(table)
        expected = slow.curves.points(label, score, w, higher=higher)
        assert exact(curve) == [(f, t) for f, t, _ in expected]
        assert curve.threshold.tolist() == [threshold for *_, threshold in expected]
        if higher:
            assert slow.curves.fawcett_points(label, score, w) == expected


@given(sample=samples(values=st.integers(-20, 20).map(lambda k: k / 8)))
@settings(max_examples=60)
def test_points_are_those_of_the_conceptual_sweep(sample):
    assert exact(roc_curve(rs.tabulate(*sample))) == slow.curves.conceptual_points(*sample)


def test_conceptual_sweep_needs_half_the_gap():
    # .08 + (.23 - .08) > .23, so a whole gap would miss a point.
    sample = ([1, 0, 1], [0.08, 0.23, 0.67])
    assert slow.curves.conceptual_points(*sample) == exact(roc_curve(rs.tabulate(*sample)))
    assert slow.curves.conceptual_points([1, 0], [7.0, 7.0]) == [(0, 0), (1, 1)]
    with pytest.raises(ValueError, match="Infinite scores"):
        slow.curves.conceptual_points([1, 0], [INF, 0.0])
    with pytest.raises(ValueError, match="more than 100000 steps"):
        slow.curves.conceptual_points([1, 0, 1], [0.0, 1e-9, 1.0])


@given(sample=samples(values=scores_with_infinities))
@settings(max_examples=60)
def test_shape_of_every_curve(sample):
    table = rs.tabulate(*sample)
    for ties in TIES:
        for collinear in ("keep", "drop"):
            curve = roc_curve(table, ties=ties, collinear=collinear)
            assert pairs(curve)[0] == (0, 0)
            assert pairs(curve)[-1] == (1, 1)
            assert (np.diff(curve.fpr) >= 0).all()
            assert (np.diff(curve.tpr) >= 0).all()
            assert curve.threshold[0] == INF
            assert (curve.threshold[:-1] >= curve.threshold[1:]).all()
    assert len(roc_curve(table)) == len(set(sample[1])) + 1


def test_an_infinite_score_has_its_own_point():
    curve = roc_curve(rs.tabulate([1, 0, 0], [INF, 3, -INF]))
    assert curve.threshold.tolist() == [INF, INF, 3, -INF]
    assert pairs(curve) == [(0, 0), (0, 1), (0.5, 1), (1, 1)]
    lower = roc_curve(rs.tabulate([1, 0], [-INF, 3], higher_is_positive=False))
    assert lower.threshold.tolist() == [-INF, -INF, 3]
    only = roc_curve(rs.tabulate([1, 0], [-INF, -INF]))  # Fawcett's f_prev = -inf loses (0, 0)
    assert pairs(only) == [(0, 0), (1, 1)]


def test_types_of_thresholds():
    for dtype in (np.float16, np.float32, np.float64, np.longdouble):
        curve = roc_curve(rs.tabulate([1, 0], np.array([0.1, 0.3], dtype=dtype)))
        assert curve.threshold.dtype == dtype
        assert curve.negated().threshold.dtype == dtype
    for dtype in (np.int8, np.uint64, np.int64, bool):
        curve = roc_curve(rs.tabulate([1, 0], np.array([1, 0], dtype=dtype)))
        assert curve.threshold.dtype == np.float64
        assert curve.threshold.tolist() == [INF, 1, 0]


@pytest.mark.parametrize("ties", TIES)
def test_large_integers_lose_no_digit(ties):
    score = np.array([2**53 + 1, 2**53, 2**53, -(2**63)])
    curve = roc_curve(rs.tabulate([1, 0, 1, 0], score), ties=ties)
    expected = [INF, 2**53 + 1, 2**53, -(2**63)]
    assert sorted(set(curve.threshold), reverse=True) == expected
    assert curve.threshold.dtype == object
    reached = curve.at_threshold(curve.threshold[curve.attainable])
    assert reached.fpr.tolist() == curve.fpr[curve.attainable].tolist()
    assert curve.at_threshold(2**53 + 2).tpr == 0
    assert curve.at_threshold(float(2**53)).tpr == 1
    assert curve.negated().threshold.tolist()[0] == -INF


def test_arrays_are_read_only():
    curve = roc_curve(rs.tabulate(*F3))
    with pytest.raises(ValueError, match="read-only"):
        curve.fp[0] = 1


def test_a_curve_freezes_views_and_not_the_arrays_of_others():
    fp, tp = np.array([0, 1, 2]), np.array([0, 2, 2])
    threshold, attainable = np.array([INF, 0.5, 0.1]), np.ones(3, dtype=bool)
    curve = RocCurve(fp=fp, tp=tp, threshold=threshold, n_pos=2, n_neg=2, attainable=attainable)
    assert not curve.fp.flags.writeable
    assert all(array.flags.writeable for array in (fp, tp, threshold, attainable))


def test_a_missing_class_is_refused():
    with pytest.raises(SingleClassError, match="roc_curve needs at least 1 positive"):
        roc_curve(rs.tabulate([1, 1], [0.2, 0.3]))
    with pytest.raises(ValueError, match="ties is 'worst', but must be one of 'expected'"):
        roc_curve(rs.tabulate(*F3), ties="worst")
    with pytest.raises(ValueError, match="collinear is 'none'"):
        roc_curve(rs.tabulate(*F3), collinear="none")


# --- ties -------------------------------------------------------------------------------------


def test_ties_by_hand():
    # Fawcett, figure 6: one score for all. Up then right, right then up, or the diagonal.
    expected = reference()
    table = rs.tabulate(*F6)
    for ties, key, corner in (
        ("expected", "fig6_expected", []),
        ("optimistic", "fig6_opt", [(0, 1)]),
        ("pessimistic", "fig6_pess", [(1, 0)]),
    ):
        curve = roc_curve(table, ties=ties)
        assert pairs(curve) == [(0, 0), *corner, (1, 1)]
        assert slow.curves.trapezoids(exact(curve)) == Fraction(expected[key])
    assert roc_curve(table, ties="optimistic").threshold.tolist() == [INF, 0.5, 0.5]
    assert roc_curve(table, ties="optimistic").attainable.tolist() == [True, False, True]


@given(sample=samples())
@settings(max_examples=50)
def test_tie_modes_are_orders_of_the_cases(sample):
    table = rs.tabulate(*sample)
    curves = {ties: roc_curve(table, ties=ties) for ties in TIES}
    area = {ties: slow.curves.trapezoids(exact(curve)) for ties, curve in curves.items()}
    for ties, first in (("optimistic", True), ("pessimistic", False)):
        walk = slow.curves.staircase(*sample, positives_first=first)
        assert area[ties] == slow.curves.trapezoids(walk)
        curve = curves[ties]
        assert set(exact(curve)) <= set(walk)
        inside = [p for p, a in zip(exact(curve), curve.attainable, strict=True) if a]
        assert inside == exact(curves["expected"])
        corners = curve.threshold[~curve.attainable]
        mixed = table.score[(table.pos > 0) & (table.neg > 0)]
        assert corners.tolist() == mixed.tolist()
    assert area["optimistic"] + area["pessimistic"] == 2 * area["expected"]
    tied = Fraction(int(table.pos @ table.neg), table.n_pos * table.n_neg)
    assert area["optimistic"] - area["pessimistic"] == tied
    assert float(area["expected"]) == auc(table)
    low, high = auc_bounds(table)
    assert (low, high) == (float(area["pessimistic"]), float(area["optimistic"]))


# --- thinning ---------------------------------------------------------------------------------


def turns(corner):
    """Which inner corners are real, by exact cross products."""
    found = [True]
    for (x0, y0), (x1, y1), (x2, y2) in zip(corner, corner[1:], corner[2:], strict=False):
        found.append((x1 - x0) * (y2 - y1) != (y1 - y0) * (x2 - x1))
    return [*found, True]


def check_thinned(table, ties):
    whole = roc_curve(table, ties=ties)
    thin = roc_curve(table, ties=ties, collinear="drop")
    kept = np.array(turns(exact(whole)))
    assert exact(thin) == [p for p, k in zip(exact(whole), kept, strict=True) if k]
    assert thin.threshold.tolist() == whole.threshold[kept].tolist()
    assert thin.attainable.tolist() == whole.attainable[kept].tolist()
    assert slow.curves.trapezoids(exact(thin)) == slow.curves.trapezoids(exact(whole))
    assert thin.complete == kept.all()


def test_thinning_by_hand():
    # Two positives in a row, then two mixed scores of the same slope, then two negatives.
    curve = roc_curve(rs.tabulate([1, 1, 1, 0, 1, 0, 0, 0], [9, 8, 7, 7, 6, 6, 5, 4]))
    thin = roc_curve(
        rs.tabulate([1, 1, 1, 0, 1, 0, 0, 0], [9, 8, 7, 7, 6, 6, 5, 4]), collinear="drop"
    )
    assert len(curve) == 7
    assert pairs(thin) == [(0, 0), (0, 0.5), (0.5, 1), (1, 1)]
    assert thin.threshold.tolist() == [INF, 8, 6, 4]


@given(sample=samples(weights=dyadic), ties=st.sampled_from(TIES))
@settings(max_examples=50)
def test_thinning_loses_no_area_and_no_corner(sample, ties):
    label, score, weight = sample
    check_thinned(rs.tabulate(label, score), ties)
    check_thinned(rs.tabulate(label, score, sample_weight=weight), ties)


@given(
    rows=st.lists(
        st.tuples(st.integers(1, 3), st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=6
    ),  # 6 x 3 x 3 x 2**56 is below 2**62, where tables end
    ties=st.sampled_from(TIES),
    off=st.integers(-1, 1),
)
@settings(max_examples=50)
def test_thinning_is_exact_for_huge_counts(rows, ties, off):
    # Multiples of 2**52, 2**53 and 3 * 2**52 are collinear; one case more or less is not.
    size = 2**56
    pos = [size * a * p for a, p, _ in rows] + [size + off]
    neg = [size * a * n for a, _, n in rows] + [size]
    check_thinned(ScoreTable.from_counts(list(range(len(pos))), pos, neg), ties)


def test_thinning_sees_one_case_in_2_to_the_60():
    half = 2**60
    straight = ScoreTable.from_counts([2, 1], [half, half], [half, half])
    bent = ScoreTable.from_counts([2, 1], [half, half], [half, half + 1])
    assert len(roc_curve(straight, collinear="drop")) == 2
    assert len(roc_curve(bent, collinear="drop")) == 3


# --- between points ---------------------------------------------------------------------------


def test_between_points_by_hand():
    # Corners (0, 0), (0, 1/2), (1/2, 1/2), (1/2, 1), (1, 1): two vertical and two level runs.
    curve = roc_curve(rs.tabulate([1, 0, 1, 0], [4, 3, 2, 1]))
    assert [curve.tpr_at(f) for f in (0, 0.25, 0.5, 0.75, 1)] == [0.5, 0.5, 1, 1, 1]
    assert [curve.fpr_at(t) for t in (0, 0.25, 0.5, 0.75, 1)] == [0, 0, 0, 0.5, 0.5]
    assert curve.tpr_at([[0.0, 0.6]]).tolist() == [[0.5, 1]]
    tied = roc_curve(rs.tabulate([1, 1, 0, 0], [2, 1, 1, 0]))  # (0, 1/2) to (1/2, 1)
    assert tied.tpr_at(0.1) == 0.6
    assert tied.fpr_at(0.6) == pytest.approx(0.1, rel=1e-14)
    assert tied.tpr_at(0.1, interpolation="step") == 0.5


def test_step_function_of_fawcett_figure_3():
    curve = roc_curve(rs.tabulate(*F3))
    assert [curve.tpr_at(f, interpolation="step") for f in (0.1, 0.15, 0.45)] == [0.5, 0.5, 0.7]
    assert curve.tpr_at(0.15) == 0.5
    assert roc_curve(rs.tabulate(*F6)).tpr_at(0.99, interpolation="step") == 0


@given(sample=samples(values=scores_with_infinities), f=st.floats(0, 1), k=st.integers(0, 25))
@settings(max_examples=60)
def test_values_between_points_are_those_of_the_definition(sample, f, k):
    label, score = sample
    curve = roc_curve(rs.tabulate(label, score))
    thin = roc_curve(rs.tabulate(label, score), collinear="drop")
    polygon = exact(curve)
    n_neg, n_pos = curve.n_neg, curve.n_pos
    for at in (f, 0.0, 1.0, min(k, n_neg) / n_neg):
        step = slow.curves.step_roc(label, score, at)
        for ties in TIES:
            bent = roc_curve(rs.tabulate(label, score), ties=ties)
            assert bent.tpr_at(at, interpolation="step") == step
        if all(x == at or abs(x - at) > 1e-9 for x, _ in polygon):  # no rounded rate
            assert curve.tpr_at(at) == pytest.approx(
                float(slow.curves.highest_at(polygon, at)), abs=1e-12
            )
            assert thin.tpr_at(at) == pytest.approx(curve.tpr_at(at), abs=1e-12)
        assert step <= curve.tpr_at(at)
    for at in (f, 0.0, min(k, n_pos) / n_pos):
        g = curve.fpr_at(at)
        assert curve.tpr_at(g) >= at - 1e-12
        if g > 1e-9:
            assert curve.tpr_at(g * (1 - 1e-9)) <= at + 1e-9
        assert thin.fpr_at(at) == pytest.approx(g, abs=1e-12)


def test_rates_are_compared_as_one_division():
    # .29 * 100 is 28.999999999999996: a count made of the rate would be one too small.
    table = ScoreTable.from_counts(list(range(100, 0, -1)), [1] * 100, [1] * 100)
    curve = roc_curve(table)
    for k in range(101):
        assert curve.tpr_at(k / 100, interpolation="step") == k / 100
        assert curve.tpr_at(k / 100) == k / 100
        assert curve.fpr_at(k / 100) == k / 100


def test_rates_outside_are_refused():
    curve = roc_curve(rs.tabulate(*F3))
    for bad in (-0.1, 1.1, float("nan")):
        with pytest.raises(ValueError, match="must be between 0 and 1"):
            curve.tpr_at(bad)
        with pytest.raises(ValueError, match="must be between 0 and 1"):
            curve.fpr_at([0.5, bad])
    with pytest.raises(ValueError, match="interpolation is 'cubic'"):
        curve.tpr_at(0.5, interpolation="cubic")


@given(
    sample=samples(values=scores_with_infinities),
    at=st.lists(st.floats(-5, 5), min_size=1, max_size=5),
    inclusive=st.booleans(),
    higher=st.booleans(),
    ties=st.sampled_from(TIES),
)
@settings(max_examples=50)
def test_at_counts_any_threshold(sample, at, inclusive, higher, ties):
    label, score = sample
    curve = roc_curve(rs.tabulate(label, score, higher_is_positive=higher), ties=ties)
    at = [*at, score[0], INF, -INF]
    reached = curve.at_threshold(at, inclusive=inclusive)
    for t, f, r in zip(at, reached.fpr, reached.tpr, strict=True):
        c = slow.counts.counts_at(label, score, t, inclusive=inclusive, higher=higher)
        assert (f, r) == (float(c["fp"] / curve.n_neg), float(c["tp"] / curve.n_pos))


@given(sample=samples())
@settings(max_examples=40)
def test_at_on_a_thinned_curve(sample):
    whole = roc_curve(rs.tabulate(*sample))
    thin = roc_curve(rs.tabulate(*sample), collinear="drop")
    reached = thin.at_threshold(thin.threshold[1:])
    assert reached.fpr.tolist() == thin.fpr[1:].tolist()
    assert reached.tpr.tolist() == thin.tpr[1:].tolist()
    # A dropped threshold takes the nearest kept point that calls fewer cases positive.
    at = thin.at_threshold(whole.threshold)
    for i, (f, t) in enumerate(zip(at.fpr, at.tpr, strict=True)):
        below = [p for p in pairs(thin) if p[0] <= whole.fpr[i] and p[1] <= whole.tpr[i]]
        assert (f, t) == max(below)


def test_a_thinned_curve_refuses_what_it_no_longer_knows():
    table = rs.tabulate([1, 0, 1, 0, 1, 1, 0], [5, 5, 3, 3, 2, 1, 1])
    thin = roc_curve(table, collinear="drop")
    assert not thin.complete
    with pytest.raises(ValueError, match="dropped collinear points, but the step function"):
        thin.tpr_at(0.5, interpolation="step")
    with pytest.raises(ValueError, match="dropped collinear points, but negated"):
        thin.negated()
    assert roc_curve(rs.tabulate([1, 0], [1, 0]), collinear="drop").negated().complete


# --- negation ---------------------------------------------------------------------------------


@given(sample=samples(values=scores_with_infinities, weights=dyadic), higher=st.booleans())
@settings(max_examples=60)
def test_negation_reflects_the_curve(sample, higher):
    label, score, weight = sample
    other = {"expected": "expected", "optimistic": "pessimistic", "pessimistic": "optimistic"}
    for w in (None, weight):
        table = rs.tabulate(label, score, sample_weight=w, higher_is_positive=higher)
        for ties in TIES:
            curve = roc_curve(table, ties=ties)
            back = curve.negated()
            assert exact(back) == [(1 - f, 1 - t) for f, t in reversed(exact(curve))]
            direct = roc_curve(negate(table), ties=other[ties])
            for name in ("fp", "tp", "threshold", "attainable"):
                assert getattr(back, name).tolist() == getattr(direct, name).tolist()
            again = back.negated()
            for name in ("fp", "tp", "threshold", "attainable", "higher_is_positive"):
                assert np.array_equal(getattr(again, name), getattr(curve, name))


@given(sample=samples())
@settings(max_examples=40)
def test_classes_and_direction_change_places(sample):
    label, score = sample
    swapped = roc_curve(rs.tabulate(np.logical_not(label), np.negative(score)))
    mirrored = [(1 - t, 1 - f) for f, t in reversed(exact(roc_curve(rs.tabulate(label, score))))]
    assert exact(swapped) == mirrored


@given(sample=samples(weights=st.integers(0, 3)).filter(lambda s: sum(s[2]) > 0))
@settings(max_examples=60)
def test_invariants_of_every_curve(sample):
    label, score, weight = sample
    label, score = np.array(label), np.array(score)
    plain = exact(roc_curve(rs.tabulate(label, score)))
    assert exact(roc_curve(rs.tabulate(label[::-1], score[::-1]))) == plain
    assert exact(roc_curve(rs.tabulate(label, np.exp(score)))) == plain
    twice = rs.tabulate(np.tile(label, 2), np.tile(score, 2))
    assert exact(roc_curve(twice)) == plain
    repeated = np.repeat(label, weight), np.repeat(score, weight)
    if 0 < repeated[0].sum() < repeated[0].size:
        weighted = roc_curve(rs.tabulate(label, score, sample_weight=weight))
        assert exact(weighted) == exact(roc_curve(rs.tabulate(*repeated)))
        one_class = np.where(label, weight, 8 * np.array(weight))
        assert exact(roc_curve(rs.tabulate(label, score, sample_weight=one_class))) == exact(
            weighted
        )


# --- points in ROC space ----------------------------------------------------------------------


grid = st.tuples(st.integers(0, 4), st.integers(0, 4))


def test_dominance_by_hand():
    # Fawcett, figure 2: C near (.7, .7), D perfect at (0, 1).
    c, d = RocPoints(fpr=0.7, tpr=0.7), RocPoints(fpr=0.0, tpr=1.0)
    assert dominates(d, c)
    assert not dominates(c, d)
    assert not dominates(c, c)
    front = pareto_front(RocPoints(fpr=[0.7, 0.0, 0.0, 0.2], tpr=[0.7, 0.5, 0.5, 0.9]))
    assert front.tolist() == [1, 2, 3]


@given(a=grid, b=grid, c=grid)
@settings(max_examples=100)
def test_dominance_is_a_strict_partial_order(a, b, c):
    x, y, z = (RocPoints(fpr=f / 4, tpr=t / 4) for f, t in (a, b, c))
    assert not (dominates(x, y) and dominates(y, x))
    if dominates(x, y) and dominates(y, z):
        assert dominates(x, z)
    assert dominates(x, y) == (a != b and a[0] <= b[0] and a[1] >= b[1])


@given(points=st.lists(grid, max_size=14))
@settings(max_examples=150)
def test_pareto_front_is_what_nobody_dominates(points):
    fpr, tpr = [f / 4 for f, _ in points], [t / 4 for _, t in points]
    found = pareto_front(RocPoints(fpr=fpr, tpr=tpr)).tolist()
    assert sorted(found) == slow.operating.front(list(zip(fpr, tpr, strict=True)))
    order = [(fpr[i], tpr[i]) for i in found]
    assert order == sorted(order)
    for (f0, t0), (f1, t1) in pairwise(order):
        assert (f0, t0) == (f1, t1) or (f0 < f1 and t0 < t1)


def test_points_outside_are_refused():
    with pytest.raises(ValueError, match="tpr is nan"):
        pareto_front(RocPoints(fpr=[0.1], tpr=[float("nan")]))


# --- other programs ---------------------------------------------------------------------------


PROC = {
    "pathology__scan": "pathology",
    "two_class_example__Class1": "two_class_example",
    "asah__ndka": "asah",
    "asah__s100b": "asah",
    "breast_w__Cl_thickness": "breast_w",
    "dm_rocdata__test1": "dm_rocdata",
    "dm_rocdata__test2": "dm_rocdata",
    "rocr_simple__prediction": "rocr_simple",
    "sonar__V11": "sonar",
    "suicide__dsi": "suicide",
}


@pytest.mark.parametrize("name", PROC)
def test_proc_points(name, request):
    found = answer(f"auc__{name}", request)
    label, score = cases(found["dataset"], request, found["marker"])
    curve = roc_curve(rs.tabulate(label, score))
    assert (curve.n_pos, curve.n_neg) == (found["n_pos"], found["n_neg"])
    assert curve.tpr[::-1].tolist() == found["sensitivities"]
    assert ((curve.n_neg - curve.fp) / curve.n_neg)[::-1].tolist() == found["specificities"]
    # pROC's thresholds are the midpoints between scores, ours the scores; its first is -Inf.
    ascending = curve.threshold[:0:-1]
    midpoints = ((ascending[1:] + ascending[:-1]) / 2).tolist()
    assert_close(found["thresholds"], [-INF, *midpoints, INF], digits=15)
    # Either way the same cases are called positive.
    reached = curve.at_threshold(found["thresholds"])
    assert reached.tpr.tolist() == found["sensitivities"]


COORDS = [
    "asah__ndka",
    "asah__s100b",
    "dm_rocdata__test1",
    "rocr_simple__prediction",
    "suicide__dsi",
]


@pytest.mark.parametrize("name", COORDS)
def test_proc_interpolation(name, request):
    found = answer(f"coords__{name}", request)
    curve = roc_curve(rs.tabulate(*cases(found["dataset"], request, found["marker"])))
    at = found["at_specificity"]
    assert_close(curve.tpr_at(1 - np.array(at["specificity"])), at["sensitivity"])
    at = found["at_sensitivity"]
    assert_close(1 - curve.fpr_at(at["sensitivity"]), at["specificity"])


SKLEARN = [
    "sonar_rf",
    "breast_w_knn15",
    "two_class_example",
    "vehicle_tree5",
    "asah_ndka",
    "asah_s100b",
    "rocr_simple",
    "suicide",
]


@pytest.mark.parametrize("name", SKLEARN)
def test_sklearn_points(name, request):
    found = answer(f"sklearn__{name}", request)
    label, score = cases(name, request)
    table = rs.tabulate(label, score)
    curve = roc_curve(table)
    for key in ("fpr", "tpr"):
        assert getattr(curve, key).tolist() == found["roc_curve_all"][key]
    assert curve.threshold.tolist() == found["roc_curve_all"]["thresholds"]
    # scikit-learn drops a point only where the two steps beside it are equal; ours also where
    # they point the same way, so ours are some of its points.
    theirs = found["roc_curve_drop_intermediate"]
    thin = roc_curve(table, collinear="drop")
    some = set(zip(theirs["fpr"], theirs["tpr"], theirs["thresholds"], strict=True))
    assert set(zip(thin.fpr, thin.tpr, thin.threshold, strict=True)) <= some
    det = found["det_curve"]
    reached = curve.at_threshold(det["thresholds"])
    assert_close(reached.fpr, det["fpr"], digits=15)
    assert_close(1 - reached.tpr, det["fnr"], digits=13)


@pytest.mark.parametrize("name", SKLEARN)
def test_sklearn_weighted_points(name, request):
    found = answer(f"sklearn__{name}", request)["weighted"]
    label, score = cases(name, request)
    weight = 1 + np.arange(1, len(label) + 1) % 5
    curve = roc_curve(rs.tabulate(label, score, sample_weight=weight))
    assert curve.threshold.tolist() == found["thresholds"]
    assert_close(curve.fpr, found["fpr"], digits=15)
    assert_close(curve.tpr, found["tpr"], digits=15)


@pytest.mark.parametrize("name", ["sonar__knn15", "vehicle__tree5"])
def test_weighted_roc_points(name, request):
    found = answer(f"weighted__{name}", request)
    label, score = cases(found["dataset"], request, found["score"])
    weight = 1 + np.arange(1, len(label) + 1) % 5
    curve = roc_curve(rs.tabulate(label, score, sample_weight=weight))
    # WeightedROC goes from the lowest threshold up to Inf, and calls score >= threshold positive.
    assert curve.threshold[::-1].tolist() == found["threshold"]
    assert_close(curve.fpr[::-1], found["fpr"], digits=15)
    assert_close(curve.tpr[::-1], found["tpr"], digits=15)


def test_classic_points(request):
    found = answer("classic__fawcett20", request)["points"]
    curve = roc_curve(rs.tabulate(*F3))
    assert curve.fpr.tolist() == found["fpr"]
    assert curve.tpr.tolist() == found["tpr"]
    assert curve.threshold.tolist() == found["cutoff"]


def test_a_curve_is_frozen_wherever_it_is():
    curve = rs.roc_curve(rs.tabulate(*F3))
    again = pickle.loads(pickle.dumps(curve))
    assert (again.fpr == curve.fpr).all()
    for each in (curve, again):
        for name in ("fp", "tp", "threshold", "attainable", "fpr", "tpr"):
            assert not getattr(each, name).flags.writeable, name


@pytest.mark.parametrize("loaded", [False, True])
@pytest.mark.parametrize("decimals", [1, 15])
@pytest.mark.parametrize("first", ["fpr", "tpr", "tp", "fp", "fnr", "auc"])
def test_counts_and_rates_are_the_same_whichever_is_asked_for_first(
    first, decimals, loaded, monkeypatch
):
    """A curve divides the table's counts without storing sums, by loops once they are loaded."""
    rng = np.random.default_rng(7)
    y = rng.random(500) < 0.3
    table = rs.tabulate(y, np.round(rng.normal(size=500) + y, decimals))
    monkeypatch.setattr(roc_module, "sums_to_floats", lambda _: False)
    stored = rs.roc_curve(table)
    assert "tp" in vars(stored)
    monkeypatch.undo()
    monkeypatch.setattr(sorts, "loaded", lambda *_: loaded)
    curve = rs.roc_curve(table)
    assert "tp" not in vars(curve)
    getattr(curve, first)
    for name in ("fpr", "tpr", "tp", "fp", "fnr", "tnr", "threshold", "attainable"):
        one, other = getattr(curve, name), getattr(stored, name)
        assert one.dtype == other.dtype
        assert np.array_equal(one, other)
        assert one.flags.writeable == other.flags.writeable
    assert curve == stored
    assert hash(curve) == hash(stored)
    assert pickle.loads(pickle.dumps(curve)) == copy.copy(curve) == stored
    assert curve.to_frame().equals(stored.to_frame())
    assert {"tp", "fp", "tpr"} <= set(dir(curve))
    assert curve.at_threshold(0.5) == stored.at_threshold(0.5)
    assert curve.negated() == stored.negated()
