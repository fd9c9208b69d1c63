"""Volumes of classes without an order, and the PDI: by hand, by brute force, as printed."""

import csv
from itertools import permutations, product
from math import factorial

import numpy as np
import pytest

import rocspace as rs
from rocspace.multiclass import (
    hum,
    hum_difference,
    hum_estimate,
    manifold,
    multiclass_scores,
    pdi,
    pdi_difference,
    pdi_estimate,
)
from several_classes import MC3, MC3_P, MC3_Y

RULES = ("euclid", "product", "sum")


def drawn(k=3, seed=1, *, m=1, weight=None):
    """Few cases with many ties."""
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(k), 3 + np.arange(k) % 2)
    blocks = {f"c{a}": rng.integers(0, 3, (y.size, k)) / 4 + np.eye(k)[y] / 4 for a in range(m)}
    return multiclass_scores(y, blocks, sample_weight=weight)


def by_sets(data, credit, a=0):
    """The credit of each set of one case of each class."""
    own = [data.score[data.label == i, a] for i in range(len(data.classes))]
    held = np.zeros([len(rows) for rows in own])
    for at in product(*(range(len(rows)) for rows in own)):
        held[at] = credit(np.array([own[i][j] for i, j in enumerate(at)]))
    return held


def assigned(rule):
    """Credit of a set: 1 / m if the right assignment is one of the m best."""
    fit = {
        "sum": lambda rows, to: sum(rows[i][j] for i, j in enumerate(to)),
        "product": lambda rows, to: np.prod([rows[i][j] for i, j in enumerate(to)]),
        "euclid": lambda rows, to: (
            -sum(np.linalg.norm(rows[i] - np.eye(len(to))[j]) for i, j in enumerate(to))
        ),
    }[rule]

    def credit(rows):
        total = np.array([fit(rows, to) for to in permutations(range(len(rows)))])
        best = total >= total.max() - 1e-12 * abs(total.max())
        return best[0] / best.sum()

    return credit


def picked(rows):
    """Credit of a set: over the classes, how often the right case is at the top of the column."""
    right = [
        (column[i] == column.max()) / (column == column.max()).sum()
        for i, column in enumerate(rows.T)
    ]
    return np.mean(right)


def variance(sets, other=0.0):
    """Sum of the variances of the mean contributions of the cases, class by class."""
    gap, found = sets - other, 0.0
    for i in range(gap.ndim):
        mine = gap.mean(axis=tuple(j for j in range(gap.ndim) if j != i))
        found += mine.var(ddof=1) / mine.size
    return found


# --- hypervolume ------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", RULES)
def test_the_printed_volume_of_ten_cases(rule):
    assert hum(MC3, rule=rule) == pytest.approx(0.6666666667, abs=1e-10)


@pytest.mark.parametrize(
    ("rule", "value", "se"),
    [
        ("product", 0.961934, 0.007966),
        ("sum", 0.965502, 0.006773),
        ("euclid", 0.963720, 0.007122),
    ],
)
def test_printed_volumes_of_vehicles(shared, rule, value, se):
    with (shared / "data" / "mc_vehicle_knn15.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["obs"] != "saab"]
    columns = {name: [float(row[f"p_{name}"]) for row in rows] for name in ("bus", "opel", "van")}
    found = hum_estimate(multiclass_scores([row["obs"] for row in rows], columns), rule=rule)
    assert (found.value, found.se) == pytest.approx((value, se), abs=6e-7)


@pytest.mark.parametrize("k", [2, 3, 4])
@pytest.mark.parametrize("rule", RULES)
def test_slow_twins(k, rule):
    data = drawn(k, seed=k, m=2)
    one, two = (by_sets(data, assigned(rule), a) for a in range(2))
    found = hum_estimate(data, "c0", rule=rule)
    assert hum(data, "c0", rule=rule) == found.value == pytest.approx(one.mean(), rel=1e-13)
    assert found.se**2 == pytest.approx(variance(one), rel=1e-11)
    gap = hum_difference(data, rule=rule)
    assert gap.value == pytest.approx(one.mean() - two.mean(), abs=1e-13)
    assert gap.se**2 == pytest.approx(variance(one, two), rel=1e-11)


@pytest.mark.filterwarnings("ignore:The variance has only")
@pytest.mark.parametrize("k", [2, 3, 4, 5])
@pytest.mark.parametrize("rule", RULES)
def test_scores_that_know_nothing_and_all(k, rule):
    y = np.repeat(np.arange(k), 3)
    none = hum_estimate(multiclass_scores(y, np.full((3 * k, k), 1 / k)), rule=rule)
    assert none.value == pytest.approx(1 / factorial(k), rel=1e-15)
    zero = multiclass_scores(y, np.zeros((3 * k, k)))
    assert hum(zero, rule=rule) == pytest.approx(1 / factorial(k), rel=1e-15)
    best = hum_estimate(multiclass_scores(y, np.eye(k)[y]), rule=rule)
    low, high = best.interval()
    assert 0 < low < high == best.value == 1
    assert hum(multiclass_scores(y, 1 - np.eye(k)[y]), rule="sum") == 0


def test_all_products_of_zero_are_tied():
    rows = [[0.5, 0.5, 0], [0.6, 0.4, 0], [0.3, 0.7, 0]]  # nobody can be of the third class
    assert hum(multiclass_scores([0, 1, 2], rows), rule="product") == pytest.approx(1 / 6)


def test_two_classes_are_the_usual_area():
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 60)
    score = rng.integers(1, 8, 60) / 8
    usual = rs.delong(rs.tabulate(y, score))
    found = hum_estimate(multiclass_scores(y, np.column_stack([1 - score, score])))
    assert found.value == pytest.approx(usual.value, rel=1e-13)
    assert found.se == pytest.approx(usual.se, rel=1e-12)


def test_blocks_change_nothing(monkeypatch):
    data = drawn(4)
    before = hum_estimate(data)
    for size in (1, 5, 30):
        monkeypatch.setattr(manifold, "_BLOCK", size)
        after = hum_estimate(data)
        assert (after.value, after.se) == pytest.approx((before.value, before.se), rel=1e-13)


@pytest.mark.parametrize("rule", RULES)
def test_drawn_sets_come_near_with_an_error_that_says_so(rule):
    data = drawn(4, m=2)
    value = hum(data, "c0", rule=rule)
    found = [hum_estimate(data, "c0", rule=rule, n_sets=400, rng=seed) for seed in range(20)]
    spread = np.std([each.value for each in found])
    assert np.mean([each.value for each in found]) == pytest.approx(value, abs=spread)
    least = hum_estimate(data, "c0", rule=rule).se
    assert np.mean([each.se for each in found]) > np.hypot(least, spread) * 0.95
    assert found[3] == hum_estimate(data, "c0", rule=rule, n_sets=400, rng=3)
    gap = hum_difference(data, rule=rule, n_sets=400, rng=3)
    assert gap.first.value == found[3].value


# --- polytomous discrimination index ----------------------------------------------------------


def test_printed_indices():
    each = {0: 0.75, 1: 0.6898148148148149, 2: 0.8657407407407407}
    assert pdi(MC3, average=None) == pytest.approx(each, rel=1e-14)
    assert pdi(MC3) == pytest.approx(0.7685185185185185, rel=1e-14)


@pytest.mark.parametrize("k", [2, 3, 4, 5])
def test_slow_twins_of_the_index(k):
    data = drawn(k, seed=k, m=2)
    one, two = (by_sets(data, picked, a) for a in range(2))
    found = pdi_estimate(data, "c0")
    assert pdi(data, "c0") == pytest.approx(found.value, rel=1e-15)
    assert found.value == pytest.approx(one.mean(), rel=1e-13)
    assert found.se**2 == pytest.approx(variance(one), rel=1e-11)
    gap = pdi_difference(data)
    assert gap.se**2 == pytest.approx(variance(one, two), rel=1e-11)


@pytest.mark.filterwarnings("ignore:The variance has only")
@pytest.mark.parametrize("k", [2, 3, 4, 7])
def test_an_index_that_knows_nothing_and_all(k):
    y = np.repeat(np.arange(k), 3)
    none = pdi_estimate(multiclass_scores(y, np.full((3 * k, k), 1 / k)))
    assert none.value == pytest.approx(1 / k, rel=1e-14)
    low, high = none.interval()
    assert low < none.value < high
    assert pdi(multiclass_scores(y, np.eye(k)[y])) == pytest.approx(1, rel=1e-14)
    assert pdi(multiclass_scores(y, -np.eye(k)[y])) == 0


# --- both -------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [hum, pdi])
def test_weights_are_repetitions(value):
    data = drawn(3)
    times = np.arange(len(data)) % 3 + 1
    rows = np.repeat(np.arange(len(data)), times)
    again = multiclass_scores(data.label[rows], data.score[rows, 0])
    assert value(drawn(3, weight=times)) == pytest.approx(value(again), rel=1e-13)


def test_class_names_and_the_order_of_columns_do_not_matter():
    named = {"c": [p[2] for p in MC3_P], "a": [p[0] for p in MC3_P], "b": [p[1] for p in MC3_P]}
    data = multiclass_scores([{0: "a", 1: "b", 2: "c"}[y] for y in MC3_Y], named)
    assert hum(data) == hum(MC3)
    assert pdi(data) == pdi(MC3)


BIG = multiclass_scores(np.arange(6000) % 3, np.zeros((6000, 3)))


def test_as_many_sets_as_the_largest_class_has_cases_are_enough():
    assert hum(BIG, n_sets=2000, rng=1) == pytest.approx(1 / 6)  # all tied: one order of six


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: hum(BIG), r"8,000,000,000 sets of one case .* n_sets=100_000"),
        (lambda: hum(BIG, n_sets=100), "a class has 2000 cases, each to be in a set"),
        (lambda: hum(drawn(weight=np.arange(1, 11)), n_sets=100), "cases without weights"),
        (lambda: hum(multiclass_scores([0, 1], -np.eye(2)), rule="product"), "zero or more"),
        (lambda: hum(multiclass_scores([0, 1], [[0, np.inf], [1, 0]])), "needs finite scores"),
        (lambda: hum(MC3, rule="mean"), "rule is 'mean', but must be one of"),
        (lambda: hum(multiclass_scores([0, 2], np.eye(3)[:2], classes=[0, 1, 2])), "is of 1"),
        (lambda: pdi(drawn(m=2)), "classifiers: 'c0', 'c1'. Which one"),
        (lambda: pdi_difference(MC3), "compares two classifiers, but here is only score"),
    ],
)
def test_what_cannot_be_answered_is_told(call, said):
    with pytest.raises((ValueError, TypeError), match=said):
        call()
