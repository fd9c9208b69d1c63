"""Distances of curves: by hand, by definition, and as metrics behave."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import integrate

import rocspace as rs
from rocspace.counts import SingleClassError
from rocspace.curves import average_metric_distance, curve_distance
from slow.curves import points, step_roc
from slow.data import F3, samples

ORDERS = [1, 1.5, 2, np.inf]
thirds = st.integers(1, 9).map(lambda k: k / 3)


def test_reference():
    # f = (0, .5), (0, 1), (.5, 1), (1, 1) and g = (0, .5), (.5, .5), (.5, 1), (1, 1).
    f = rs.tabulate([1, 1, 0, 0], [4, 3, 2, 1])
    g = rs.tabulate([1, 0, 1, 0], [4, 3, 2, 1])
    assert average_metric_distance(f, g) == 0.25
    assert average_metric_distance(f, g, order=2) == pytest.approx(0.1767767, abs=5e-8)
    assert average_metric_distance(f, g, order=np.inf) == 0.125
    # By rate: from 1/4 to 1/2 both rates part linearly, to 3/4 they meet again: a triangle.
    assert average_metric_distance(f, g, by="rate") == pytest.approx(0.25, abs=1e-15)


def test_ties_go_along_the_diagonal():
    # One row: points (k/4, k/4), as chance has them. Perfect: (0, .5), (0, 1), (.5, 1), (1, 1).
    tied = rs.tabulate([1, 1, 0, 0], [1, 1, 1, 1])
    assert average_metric_distance(tied, "chance") == 0
    assert average_metric_distance(tied, "perfect") == (0.5 + 1 + 0.5 + 0) / 4
    assert average_metric_distance(rs.tabulate([1, 0], [2, 1]), "perfect", by="rate") == 0


def test_vertical_by_hand():
    # A corner at (0, 1) against one at (1/2, 1/2): up to fpr 1/2 they differ by one half.
    f = rs.tabulate([1, 1, 0, 0], [4, 3, 2, 1])
    g = rs.tabulate([1, 0, 1, 0], [4, 3, 2, 1])
    assert curve_distance(f, g) == 0.25
    assert curve_distance(f, g, metric="l2") == pytest.approx((0.25 / 2) ** 0.5)
    assert curve_distance(rs.roc_curve(f), g, metric="sup") == 0.5
    # Chance against chance reversed is a cross: negatives and positives in turns.
    a = rs.ScoreTable.from_counts([3, 2, 1], [0, 2, 0], [1, 0, 1])  # (0,0) (.5,0) (.5,1) (1,1)
    b = rs.ScoreTable.from_counts([1], [2], [2])
    # |a - b| = f below one half, 1 - f above: 1/4; the largest difference is 1/2, at 1/2.
    assert curve_distance(a, b) == 0.25
    assert curve_distance(a, b, metric="sup") == 0.5
    assert curve_distance(a, b, metric="l2") == pytest.approx((1 / 12) ** 0.5)


@given(sample=samples(max_size=14), other=samples(max_size=14))
@settings(max_examples=60)
def test_vertical_is_the_integral_of_the_definition(sample, other):
    def height(polygon, f):
        """The polygon just beside f, no knot of either."""
        (x0, y0) = max(p for p in polygon if p[0] <= f)
        (x1, y1) = min(p for p in polygon if p[0] > f)
        return y0 + (f - x0) / (x1 - x0) * (y1 - y0)

    a, b = ([(float(f), float(t)) for f, t, *_ in points(*s)] for s in (sample, other))
    knots = sorted({x for x, _ in a + b})
    gap = lambda f: height(a, f) - height(b, f)  # noqa: E731
    one, two = (rs.tabulate(*s) for s in (sample, other))
    area = square = top = 0.0
    for low, high in pairwise(knots):
        eps = (high - low) * 1e-9
        start, stop = gap(low + eps), gap(high - eps)
        where = [low + (high - low) * start / (start - stop)] if start * stop < 0 else []
        area += integrate.quad(lambda f: abs(gap(f)), low + eps, high - eps, points=where)[0]
        square += integrate.quad(lambda f: gap(f) ** 2, low + eps, high - eps)[0]
        top = max(top, abs(start), abs(stop))
    assert curve_distance(one, two) == pytest.approx(area, abs=1e-7)
    assert curve_distance(one, two, metric="l2") == pytest.approx(square**0.5, abs=1e-4)
    assert curve_distance(one, two, metric="sup") >= top - 1e-7
    assert curve_distance(one, two) >= abs(rs.auc(one) - rs.auc(two)) - 1e-12


@given(sample=samples(max_size=16), score=st.permutations(range(16)))
@settings(max_examples=50)
def test_cases_by_the_definition(sample, score):
    label, one = sample
    n, two = len(label), score[: len(label)]
    P, N = sum(label), len(label) - sum(label)

    def steps(scores):
        """After the k highest scores; inside a tie the expectation over its orders."""
        found = []
        for k in range(1, n + 1):
            cut = sorted(scores, reverse=True)[k - 1]
            above = [y for y, s in zip(label, scores, strict=True) if s > cut]
            tied = [y for y, s in zip(label, scores, strict=True) if s == cut]
            share = Fraction(k - len(above), len(tied))
            tp = sum(above) + share * sum(tied)
            found.append((float(Fraction(k - tp) / N), float(Fraction(tp) / P)))
        return np.transpose(found)

    a, b = (rs.tabulate(label, s) for s in (one, two))
    gap = np.abs(steps(one) - steps(two))
    for order in ORDERS:
        norm = gap.max(axis=0) if order == np.inf else (gap**order).sum(axis=0) ** (1 / order)
        assert average_metric_distance(a, b, order=order) == pytest.approx(norm.mean(), abs=1e-12)


@given(
    triple=st.tuples(*[samples(max_size=12, weights=thirds)] * 3),
    order=st.sampled_from(ORDERS),
)
@settings(max_examples=60)
def test_they_are_metrics(triple, order):
    tables = [rs.tabulate(y, s, sample_weight=w) for y, s, w in triple]
    measures = [lambda a, b: average_metric_distance(a, b, order=order)]
    measures += [lambda a, b, m=m: curve_distance(a, b, metric=m) for m in ("area", "sup", "l2")]
    for distance in measures:
        ab, bc, ac = (distance(tables[i], tables[j]) for i, j in ((0, 1), (1, 2), (0, 2)))
        assert distance(tables[1], tables[0]) == pytest.approx(ab, abs=1e-12)
        assert distance(tables[0], tables[0]) == 0
        assert ac <= ab + bc + 1e-9
        assert ab >= 0
    area, l2, sup = (curve_distance(*tables[:2], metric=m) for m in ("area", "l2", "sup"))
    assert area <= l2 + 1e-12
    assert l2 <= sup + 1e-12


@given(
    sample=samples(max_size=10, weights=thirds),
    other=samples(max_size=10, weights=thirds),
    order=st.sampled_from(ORDERS),
)
@example(  # two lines that cross in such a place that quad misses the kink and does not know it
    sample=(
        [0, 0, 1, 1, 1, 1, 0],
        [0, 0, 0, 0, 1, 0, 1],
        [2 / 3, 3, 1 / 3, 1 / 3, 2 / 3, 2, 1 / 3],
    ),
    other=([1, 1, 1, 1, 1, 0, 0], [0, 0, 0, 1, 1, 0, 0], [1 / 3, 1 / 3, 8 / 3, 3, 3, 4 / 3, 3]),
    order=1,
)
@settings(max_examples=30)
def test_rates_by_quadrature(sample, other, order):
    (la, sa, wa), (lb, sb, wb) = sample, other
    one, two = rs.tabulate(la, sa, sample_weight=wa), rs.tabulate(lb, sb, sample_weight=wb)

    def called(table):
        return np.append(0, (table.tp + table.fp) / (table.n_pos + table.n_neg))

    def gap(u):
        a, b = (
            [np.interp(u, called(t), np.append(0, c / c[-1])) for c in (t.fp, t.tp)]
            for t in (one, two)
        )
        return np.subtract(a, b)

    def norm(u):
        return np.linalg.norm(gap(u), ord=order)

    knots = np.union1d(called(one), called(two)).tolist()
    # quad overlooks kinks: between the knots both gaps are lines, and so are sum and difference.
    lines = np.array([[1, 0], [0, 1], [1, 1], [1, -1]])
    crossed = [
        low + (high - low) * at_low / (at_low - at_high)
        for low, high in pairwise(knots)
        for at_low, at_high in zip(lines @ gap(low), lines @ gap(high), strict=True)
        if at_low * at_high < 0
    ]
    ends = [each for each in pairwise(sorted({*knots, *crossed})) if each[1] - each[0] > 1e-12]
    precise = {"epsabs": 1e-12, "epsrel": 1e-12, "limit": 500}
    slow = sum(integrate.quad(norm, *each, **precise)[0] for each in ends)
    found = average_metric_distance(one, two, order=order, by="rate")
    assert found == pytest.approx(slow, abs=1e-8)


def test_equal_areas_can_be_far_apart():
    a = rs.tabulate([1, 0, 0, 1], [4, 3, 2, 1])
    b = rs.tabulate([0, 1, 1, 0], [4, 3, 2, 1])
    assert rs.auc(a) == rs.auc(b) == 0.5
    assert average_metric_distance(a, b) > 0.4
    assert curve_distance(a, b) > 0


@given(sample=samples())
@settings(max_examples=30)
def test_monotone_maps_and_replication_change_nothing(sample):
    label, score = sample
    other = rs.tabulate(label, np.sin(score))
    one, bent = rs.tabulate(label, score), rs.tabulate(label, np.exp(score))
    assert average_metric_distance(one, other) == average_metric_distance(bent, other)
    twice = rs.tabulate(label * 2, score * 2)
    assert average_metric_distance(one, twice) == pytest.approx(0, abs=1e-12)
    assert curve_distance(one, twice) == pytest.approx(0, abs=1e-12)


def test_heights_agree_with_the_step_roc():
    # The top of a vertical run is the value of the function there.
    label, score = F3
    flat = rs.ScoreTable.from_counts([1], [1], [1])
    found = curve_distance(rs.tabulate(label, score), flat, metric="sup")
    heights = [abs(step_roc(label, score, k / 10) - k / 10) for k in range(11)]
    assert found >= float(max(heights)) - 1e-12


@pytest.mark.parametrize("by", ["cases", "rate"])
@pytest.mark.parametrize("order", [1, 2, np.inf])
def test_distances_are_plain_floats(by, order):
    one, two = rs.tabulate(*F3), rs.tabulate(F3[0], np.round(F3[1], 1))
    assert type(average_metric_distance(one, two, by=by, order=order)) is float
    assert type(average_metric_distance(one, "perfect", by=by, order=order)) is float
    assert type(average_metric_distance(one, one, by=by, order=order)) is float
    assert {type(curve_distance(one, two, metric=m)) for m in ("area", "sup", "l2")} == {float}


def test_messages():
    table = rs.tabulate(*F3)
    with pytest.raises(ValueError, match=r"order is 0\.5, but a norm"):
        average_metric_distance(table, table, order=0.5)
    with pytest.raises(ValueError, match="needs the same counts of both classes"):
        average_metric_distance(table, rs.tabulate([1, 0], [2, 1]), by="cases")
    with pytest.raises(ValueError, match=r"second is 'prefect'.*'perfect'"):
        average_metric_distance(table, "prefect")
    with pytest.raises(ValueError, match="metric is 'l1'"):
        curve_distance(table, table, metric="l1")
    with pytest.raises(SingleClassError, match=r"curve_distance needs .* 1 positive and 0"):
        curve_distance(table, rs.tabulate([True], [1]))
    with pytest.raises(TypeError, match="takes a ScoreTable"):
        curve_distance(table, [1, 2])


def test_by_length_by_hand():
    # Both have the length 2. After the shares 0, 1/4, ... of it f is at (0, 0), (0, .5), (0, 1),
    # (.5, 1), (1, 1), and g at (0, 0), (0, .5), (.5, .5), (.5, 1), (1, 1): apart by 1 at one half.
    f = rs.tabulate([1, 1, 0, 0], [4, 3, 2, 1])
    g = rs.tabulate([1, 0, 1, 0], [4, 3, 2, 1])
    assert average_metric_distance(f, g, by="length") == pytest.approx(1 / 4)
    assert average_metric_distance(f, "perfect", by="length") == pytest.approx(0)
    # The diagonal and the corner: (u, u) against (0, 2u) up to one half, apart by 2u.
    tied = rs.tabulate([1, 0], [1, 1])
    assert average_metric_distance(tied, "perfect", by="length") == pytest.approx(1 / 2)


def test_by_threshold_by_hand():
    # From 1 to 2 f calls all but the negative, g all; from 2 to 4 f calls the positive, g nobody.
    f, g = rs.tabulate([1, 0], [4, 1]), rs.tabulate([1, 0], [2, 2])
    # (0, 1) against (1, 1), a third of the way; (0, 1) against (0, 0), two thirds.
    assert average_metric_distance(f, g, by="threshold") == pytest.approx(1)
    down = [rs.tabulate([1, 0], s, higher_is_positive=False) for s in ([-4, -1], [-2, -2])]
    assert average_metric_distance(*down, by="threshold") == pytest.approx(1)
    half = rs.tabulate([1, 0], [4, 2])
    # They differ from 1 to 2 only: half calls both there, f one.
    assert average_metric_distance(f, half, by="threshold") == pytest.approx(1 / 3)
    one = rs.tabulate([1, 0], [3, 3])
    assert average_metric_distance(one, one, by="threshold") == 0
    with pytest.raises(ValueError, match="no thresholds"):
        average_metric_distance(f, "perfect", by="threshold")
    with pytest.raises(ValueError, match="finite"):
        average_metric_distance(f, rs.tabulate([1, 0], [np.inf, 1]), by="threshold")


@pytest.mark.parametrize("by", ["length", "threshold", "rate"])
@given(one=samples(), two=samples(), three=samples(), order=st.sampled_from(ORDERS))
@settings(max_examples=30)
def test_each_way_is_a_metric(by, one, two, three, order):
    a, b, c = (rs.tabulate(*s) for s in (one, two, three))
    distance = lambda x, y: average_metric_distance(x, y, order=order, by=by)  # noqa: E731
    assert distance(a, a) == pytest.approx(0, abs=1e-12)
    assert distance(a, b) == pytest.approx(distance(b, a), abs=1e-12)
    if by != "threshold":  # whose range depends on both
        assert distance(a, c) <= distance(a, b) + distance(b, c) + 1e-7
