"""Volumes of ordered classes: by hand, by brute force, as printed."""

import csv
from fractions import Fraction
from itertools import groupby, pairwise, permutations, product
from math import factorial

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocspace as rs
from rocspace.multiclass import (
    multiclass_scores,
    ordered_scores,
    volumes,
    vus,
    vus_difference,
    vus_estimate,
)

# x1 = 1, 2, 2, 3; x2 = 2, 3, 4; x3 = 3, 4, 5, 6.
Y = [1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3]
SCORE = [1, 2, 2, 3, 2, 3, 4, 3, 4, 5, 6]
ELEVEN = ordered_scores(Y, SCORE, order=[1, 2, 3])


def drawn(k=3, seed=1, *, m=1, each=4, decimals=0):
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(k), each + np.arange(k) % 2)
    scores = {f"s{a}": (rng.normal(size=y.size) + 0.8 * y).round(decimals) for a in range(m)}
    return ordered_scores(y, scores, order=list(range(k)))


def in_order(values):
    """Share of the orders of tied cases that are right, 0 if any is out of order."""
    if any(a > b for a, b in pairwise(values)):
        return Fraction(0)
    whole = Fraction(1)
    for _, tied in groupby(values):
        whole /= factorial(len(list(tied)))
    return whole


def by_sets(data, a=0):
    """Each set of one case of each class."""
    k = len(data.classes)
    own = [data.score[data.label == i, a] for i in range(k)]
    held = np.zeros([x.size for x in own])
    for at in product(*(range(x.size) for x in own)):
        held[at] = in_order([own[i][j] for i, j in enumerate(at)])
    return held


def variance(sets, other=None):
    """Sum of the variances of the mean contributions of the cases, class by class."""
    gap = sets if other is None else sets - other
    found = 0.0
    for i in range(gap.ndim):
        mine = gap.mean(axis=tuple(j for j in range(gap.ndim) if j != i))
        found += mine.var(ddof=1) / mine.size
    return found


def test_the_printed_volume_of_eleven_cases():
    assert vus(ELEVEN) == pytest.approx(0.6284722222222222, abs=1e-15)


@pytest.mark.parametrize("k", [2, 3, 4, 5])
def test_slow_twins(k):
    data = drawn(k, seed=k, m=2)
    one, two = by_sets(data), by_sets(data, 1)
    found = vus_estimate(data, "s0")
    assert vus(data, "s0") == found.value == pytest.approx(one.mean(), rel=1e-14)
    assert found.se**2 == pytest.approx(variance(one), rel=1e-12)
    gap = vus_difference(data)
    assert gap.value == pytest.approx(one.mean() - two.mean(), abs=1e-14)
    assert gap.se**2 == pytest.approx(variance(one, two), rel=1e-11)


def test_published_volumes_of_a_cancer_marker(shared):
    with (shared / "data" / "trinroc_cancer.csv").open() as file:
        rows = list(csv.DictReader(file))
    markers = {name: [float(row[name]) for row in rows] for name in ("Class2", "Class4")}
    order = ["healthy", "intermediate", "diseased"]
    data = ordered_scores([row["trueClass"] for row in rows], markers, order=order)
    one, two = (vus_estimate(data, name) for name in markers)
    assert (one.value, one.se) == pytest.approx((0.4410810811, 0.0645049734), abs=1e-10)
    assert (two.value, two.se) == pytest.approx((0.3774110953, 0.0607040079), abs=1e-10)
    gap = vus_difference(data)
    assert gap.value == pytest.approx(0.0636699858, abs=1e-10)
    assert gap.value / gap.se == pytest.approx(0.8982073, abs=1e-7)
    assert (one.se**2 + two.se**2 - gap.se**2) / 2 == pytest.approx(0.0014105481, abs=1e-10)


@given(st.integers(0, 10**6), st.integers(2, 5))
@settings(max_examples=50)
def test_what_changes_nothing(seed, k):
    data = drawn(k, seed)
    value = vus(data)
    assert 0 <= value <= 1
    order = np.random.default_rng(seed).permutation(len(data))
    classes = list(range(k))
    bent = np.exp(data.score[order, 0])
    assert vus(ordered_scores(data.label[order], bent, order=classes)) == value
    turned = ordered_scores(data.label, -data.score[:, 0], order=classes[::-1])
    assert vus(turned) == value
    twice = np.append(np.arange(len(data)), np.flatnonzero(data.label == 1))
    more = ordered_scores(data.label[twice], data.score[twice, 0], order=classes)
    assert vus(more) == pytest.approx(value, abs=1e-15)
    weight = 1.0 + (data.label == 1)
    weighted = ordered_scores(data.label, data.score[:, 0], order=classes, sample_weight=weight)
    assert vus(weighted) == pytest.approx(value, abs=1e-14)


@pytest.mark.filterwarnings("ignore:The variance has only")
@pytest.mark.parametrize("k", [2, 3, 4, 6])
def test_a_constant_a_perfect_and_a_reversed_score(k):
    y, order = np.repeat(np.arange(k), 3), list(range(k))
    none = vus_estimate(ordered_scores(y, np.ones(3 * k), order=order))
    assert none.value == 1 / factorial(k)
    low, high = none.interval()
    assert low < none.value < high
    best = vus_estimate(ordered_scores(y, 2 * y, order=order))
    assert best.value == 1
    low, high = best.interval()
    assert 0 < low < high == 1
    assert vus(ordered_scores(y, -y, order=order)) == 0


@pytest.mark.parametrize("sizes", [(1, 2, 2), (2, 2, 1, 1), (3, 1, 2), (2, 3)])
def test_the_variance_of_a_score_that_knows_nothing_by_all_orders(sizes):
    label = np.repeat(np.arange(len(sizes)), sizes)
    values = [
        vus(ordered_scores(order, np.arange(label.size), order=range(len(sizes))))
        for order in set(permutations(label.tolist()))
    ]
    assert volumes.null_variance(sizes) == pytest.approx(np.var(values), rel=1e-12)


def test_that_variance_is_lower_with_ties_and_bounds_the_interval():
    rng = np.random.default_rng(5)
    sizes = np.array([5, 5, 20, 20])
    label, score = np.repeat(np.arange(4), sizes), rng.normal(size=50)
    chance = 1 / 24
    shapes = []
    for each in (score, np.round(score), (score > 1).astype(float)):
        counts, _ = volumes.counts_by_score(each, label, None, 4)
        shapes.append(volumes.null_shape(counts, sizes))
    exact = volumes.null_variance(sizes.tolist()) / chance / (1 - chance)
    # all ranks differ, but there are only 50 of them
    assert shapes[0] == pytest.approx(exact, rel=0.1)
    assert shapes[0] > shapes[1] > shapes[2] > 0
    low = vus_estimate(ordered_scores(label, -label + 3 * score, order=range(4)))
    assert 0 < low.value < chance / 4
    assert low.interval().high > chance > low.interval(scale="moderated").high


def test_two_classes_are_the_usual_area():
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 60)
    score = (rng.normal(size=60) + y).round(1)
    usual = rs.delong(rs.tabulate(y, score))
    found = vus_estimate(ordered_scores(y, score, order=[0, 1]))
    assert found.value == usual.value
    assert found.se == pytest.approx(usual.se, rel=1e-12)
    assert tuple(found.interval()) == pytest.approx(tuple(usual.interval()), rel=1e-9)


def test_counts_that_do_not_fit_64_bits_are_rounded():
    y = np.repeat(np.arange(5), 20_000)
    score = np.tile(np.arange(1, 20_001), 5) + 1e-3 * y
    found = vus(ordered_scores(y, score, order=range(5)))
    assert found == pytest.approx(1 / 120, rel=2e-3)


def test_clusters_of_one_case_are_cases():
    data = drawn(3, each=12)
    again = ordered_scores(
        data.label, data.score[:, 0], order=[0, 1, 2], cluster=np.arange(len(data))
    )
    assert vus_estimate(again).se == pytest.approx(vus_estimate(data).se, rel=0.05)


def test_names_missing_values_and_frames():
    frame = pd.DataFrame({"a": SCORE, "b": SCORE[::-1]})
    both = ordered_scores(Y, frame, order=[1, 2, 3])
    assert repr(both) == "OrderedScores(3 classes (1, 2, 3), 11 cases, 2 markers)"
    assert list(both.to_frame(backend="pandas")) == ["label", "a", "b"]
    assert vus(both, "a") == vus(ELEVEN)
    assert ordered_scores(Y, SCORE, order=[1, 2, 3], names=["x"]).names == ("x",)
    with pytest.warns(UserWarning, match="1 of 11 cases omitted"):
        kept = ordered_scores(Y, [np.nan, *SCORE[1:]], order=[1, 2, 3], missing="omit")
    assert len(kept) == 10


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: vus(multiclass_scores([0, 1], np.eye(2))), r"takes OrderedScores, not a Multi"),
        (lambda: vus(ordered_scores([0, 2], [1, 2], order=[0, 1, 2])), "no case is of 1"),
        (lambda: ordered_scores(Y, SCORE, order=[1, 2]), r"Pass order=\[...\] with all labels"),
        (lambda: ordered_scores(Y, SCORE, order=[1]), "order is .*, the smallest first"),
        (lambda: ordered_scores(Y, SCORE[1:], order=[1, 2, 3]), "Lengths differ"),
        (lambda: vus(drawn(m=2)), "classifiers: 's0', 's1'. Which one"),
        (lambda: vus_difference(ELEVEN), "compares two classifiers, but here is only score"),
    ],
)
def test_what_cannot_be_answered_is_told(call, said):
    with pytest.raises((ValueError, TypeError), match=said):
        call()
