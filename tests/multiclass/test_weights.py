"""Weights of classes with the least cost: brute force in the plane, along lines, searches."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocspace.multiclass import (
    best_class_weights,
    decide_classes,
    multiclass_scores,
    weights,
)
from several_classes import priced
from slow.multiclass import least_cost_around


@pytest.mark.parametrize("seed", range(8))
def test_along_one_weight_no_expected_cost_is_better(seed):
    k = 3 + seed % 2
    data, cost = priced(seed, k=k, n=5 + 3 * seed, steps=(0, 6)[seed % 2])
    score = data.score[:, 0].astype(float)
    score /= score.max(axis=1, keepdims=True)
    paid, rng = cost.T[data.label] / len(data), np.random.default_rng(seed)
    for j in range(k):
        shift = rng.normal(size=k)
        moved, least = weights._along_lines(np.log(score), paid, shift, j, cost)
        fixed = np.delete(moved, j) == np.delete(shift, j)
        assert fixed.all()

        def paid_at(at, j=j, shift=shift):
            weight = np.exp(np.where(np.arange(k) == j, at, shift))
            called = ((score * weight) @ cost.T).argmin(axis=1)
            return paid[np.arange(len(data)), called].sum()

        assert paid_at(moved[j]) == pytest.approx(least)
        # Between all places where two calls of a case cost the same, nothing changes.
        other = np.where(np.arange(k) == j, 0, score * np.exp(shift)) @ cost.T
        slope = score[:, [j]] * cost[:, j]
        with np.errstate(divide="ignore", invalid="ignore"):
            cross = (other[:, :, None] - other[:, None]) / (slope[:, None] - slope[:, :, None])
        turns = np.unique(np.log(cross[(cross > 0) & np.isfinite(cross)]))
        tries = [*(turns[1:] + turns[:-1]) / 2, *(turns[[0, -1]] + [-1, 1])] if turns.size else [0]
        assert least <= min(map(paid_at, tries)) + 1e-12


@pytest.mark.parametrize("seed", range(12))
def test_no_weights_are_better_in_the_plane(seed):
    data, cost = priced(seed, n=4 + seed, steps=(0, 6)[seed % 2])
    found = best_class_weights(data, costs=cost)
    assert found.method == "exact"
    assert found.cost == pytest.approx(least_cost_around(data, cost), abs=1e-12)
    assert cost[found.classify(data), data.label].mean() == pytest.approx(found.cost)


def test_zeros_are_never_called(monkeypatch):
    rng = np.random.default_rng(8)
    y = rng.integers(0, 3, 18)
    p = rng.integers(0, 3, (18, 3)) * (rng.random((18, 3)) < 0.7) + 1.0 * np.eye(3)[y]
    data = multiclass_scores(y, p)
    cost = rng.integers(1, 9, (3, 3)) * (1 - np.eye(3))
    found = best_class_weights(data, costs=cost)
    slow = least_cost_around(multiclass_scores(y, np.where(p > 0, p, 1e-9)), cost)
    assert found.cost == pytest.approx(slow)
    assert (p[np.arange(18), found.classify(data)] > 0).all()
    monkeypatch.setattr(weights, "_COMPILED", 1)
    assert best_class_weights(data, costs=cost) == found


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32), st.integers(4, 40), st.sampled_from([0, 4, 9]))
def test_both_sweeps_agree(seed, n, steps):
    data, cost = priced(seed, n=n, steps=steps)
    own = weights._COMPILED
    try:
        weights._COMPILED = 1
        fast = best_class_weights(data, costs=cost)
        weights._COMPILED = 10**6
        slow = best_class_weights(data, costs=cost)
    finally:
        weights._COMPILED = own
    assert fast.cost == slow.cost
    assert fast.class_weight == pytest.approx(slow.class_weight, abs=1e-12)


@pytest.mark.parametrize("k", [3, 4, 5])
def test_a_search_is_never_worse_than_equal_weights_or_one_change(k):
    data, cost = priced(k, k=k, n=60)
    found = best_class_weights(data, costs=cost, method="search", rng=1)
    assert found.method == "search"
    equal = decide_classes(data, costs=cost)
    assert found.cost <= equal.cost
    for j in range(k):
        for factor in np.exp(np.linspace(-4, 4, 17)):
            other = found.class_weight * np.where(np.arange(k) == j, factor, 1)
            assert decide_classes(data, costs=cost, class_weight=other).cost >= found.cost - 1e-12
    if k == 3:
        exact = best_class_weights(data, costs=cost)
        assert exact.cost <= found.cost + 1e-12
        assert found.cost <= exact.cost * 1.02
    else:  # as many random weights as one has patience for
        rng = np.random.default_rng(k)
        tried = [
            decide_classes(data, costs=cost, class_weight=np.exp(rng.normal(0, 1, k))).cost
            for _ in range(300)
        ]
        assert found.cost <= min(tried) + 1e-12


# --- by hand --------------------------------------------------------------------------------------


def test_values_nearer_than_rounding_are_one_level():
    values = np.array([1.0, -np.inf, 1 + 1e-10, 3, np.inf, 1 - 1e-10, 2])
    kept, level = weights._levels(values)
    np.testing.assert_allclose(kept, [1, 2, 3], atol=1e-9)
    assert level.tolist() == [0, -1, 0, 2, 3, 0, 1]


@pytest.mark.parametrize(
    ("low", "high", "middle"),
    [(1, 2, 1.5), (-1, 1, 0), (3, 9, 4), (-9, -3, -4), (-9, 3, 0), (-np.inf, 4, 0),
     (-np.inf, -4, -5), (7, np.inf, 8), (-np.inf, np.inf, 0), (0.5, 4, 1.5)],
)  # fmt: skip
def test_a_place_in_a_stretch_is_its_middle_or_near_0(low, high, middle):
    assert weights._middle(np.array([low]), np.array([high])).tolist() == [middle]


def test_the_cheapest_place_along_a_line_by_hand():
    # From 5 on: at -1 it falls by 3, at 2 by 2 more, at 6 it rises by 1. One case has turned before
    # all places, and one never will.
    value = np.array([-1.0, 2, 6])
    level, more = np.array([0, 1, 2, -1, 3]), np.array([-3.0, -2, 1, 4, 9])
    place, cost = weights._cheapest(value, level, more, 5.0, 19.0)
    assert (place, cost) == (3, 5 + 4 - 3 - 2)  # between 2 and 6, one inside
    # Of places that cost the same, the one that is nearest to 0.
    place, cost = weights._cheapest(np.array([-3.0, 0.5, 4]), np.arange(3), -np.eye(3)[0], 1.0, 1.0)
    assert (place, cost) == (-0.5, 0)


def test_logarithms_of_scores_are_relative_and_of_none_minus_infinite():
    found = weights.log_scores(np.array([[2.0, 1, 0], [1e-140, 1, 1e-131], [1e-300, 1e-301, 0]]))
    assert found[0].tolist() == [0, np.log(0.5), -np.inf]
    assert found[1].tolist() == [-np.inf, 0, -np.inf]
    np.testing.assert_allclose(found[2, :2], [0, np.log(0.1)])


def test_equal_cases_are_one_with_the_sum_of_their_costs():
    score = np.array([[1.0, 2], [3, 1], [1, 2]])
    log, paid = weights._merged(score, np.array([[1.0, 0], [0, 2], [4, 1]]))
    np.testing.assert_allclose(np.exp(log), [[0.5, 1], [1, 1 / 3]])
    assert paid.tolist() == [[5, 1], [0, 2]]


def test_one_column_moves_to_where_it_costs_least():
    # Case by case the first column would have to be 0, 2 and -1 lower or higher than the others.
    log = np.array([[0.0, 0, -5], [0, 2, -5], [0, -1, -5]])
    paid = np.array([[0.0, 1, 1], [3, 0, 1], [0, 1, 1]])  # the second case belongs to class 1
    moved, cost = weights._along(log, paid, np.zeros(3), 0)
    assert cost == 0
    assert 0 < moved[0] < 2
    assert moved[1:].tolist() == [0, 0]
    stays, same = weights._moved(log, paid, moved, (0,), (cost, 1e-9))
    assert (stays.tolist(), same) == (moved.tolist(), 0)  # not cheaper: nothing moves


def test_starts_of_a_search_are_compared_on_thousands_of_cases(monkeypatch):
    rng = np.random.default_rng(2)
    score, sizes = rng.dirichlet(np.ones(4), 12_000), []
    improved = weights._improved

    def noted(log, *rest, **how):
        sizes.append(len(log))
        return improved(log, *rest, **how)

    monkeypatch.setattr(weights, "_improved", noted)
    paid = 1 - np.eye(4)[rng.integers(0, 4, 12_000)]
    weights.least_cost(score, paid, method="search", n_starts=5, rng=rng)
    assert sorted(set(sizes)) == [6000, 12_000]
    assert sizes.count(6000) == 5


def test_cases_that_cost_nothing_do_not_decide():
    rng = np.random.default_rng(4)
    score = rng.random((20, 3))
    paid = rng.random((20, 3)) * (np.arange(20) < 12)[:, None]
    every = weights.least_cost(score, paid, rng=rng)
    some = weights.least_cost(score[:12], paid[:12], rng=rng)
    np.testing.assert_allclose(every.shift, some.shift)
    assert every.method == "exact"
    none = weights.least_cost(score, np.zeros((20, 3)), rng=rng)
    assert none.shift.tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("k", "plane", "method"),
    [(2, 0, "exact"), (3, 12, "exact"), (3, 11, "search"), (4, 99, "search")],
)
def test_the_plane_is_searched_for_so_many_distinct_cases(k, plane, method):
    rng = np.random.default_rng(1)
    score = np.repeat(rng.random((12, k)), 2, axis=0)  # twelve of 24 are distinct
    paid = rng.random((24, k))
    found = weights.least_cost(score, paid, plane=plane, n_starts=2, rng=rng)
    assert found.method == method


def test_two_columns_at_once_are_no_dearer_than_one():
    """Of four classes: pairs of columns are tried after the search by single ones."""
    rng = np.random.default_rng(6)
    score, paid = rng.random((15, 4)), rng.random((15, 4))
    log = weights.log_scores(score)

    def cost(shift):
        return paid[np.arange(15), (log + shift).argmax(axis=1)].sum()

    for begin in rng.normal(size=(6, 4)):
        one, alone = weights._improved(log, paid, begin)
        two, both = weights._improved(log, paid, one, pairs=True)
        assert cost(one) == pytest.approx(alone)
        assert cost(two) == pytest.approx(both)
        assert both <= alone <= cost(begin) + 1e-12
        for i, j in combinations(range(4), 2):
            assert weights._across(log, paid, two, (i, j))[1] >= both - 1e-9
            for x, y in rng.normal(scale=2, size=(40, 2)):
                other = two.copy()
                other[[i, j]] = x, y
                assert cost(other) >= both - 1e-9


@pytest.mark.parametrize("compiled", [0, 10**9])
def test_the_last_strip_of_the_plane_is_looked_at(compiled, monkeypatch):
    monkeypatch.setattr(weights, "_COMPILED", compiled)
    log = np.array([[0.0, -1, -9], [0, -2, -9], [0, -3, -9]])
    paid = np.array([[1.0, 0, 1]] * 3)  # all are to be called the second class
    shift, cost = weights._across(log, paid, np.zeros(3), (1, 2))
    assert cost == 0
    assert ((log + shift).argmax(axis=1) == 1).all()


@pytest.mark.parametrize("compiled", [0, 10**9])
@pytest.mark.parametrize(
    "paid", [[[0, 1, 1], [1, 0, 1], [1, 1, 0]], [[1, 0, 1], [1, 1, 0], [0, 1, 1]]]
)
def test_where_three_lines_meet_there_is_no_cell(paid, compiled, monkeypatch):
    monkeypatch.setattr(weights, "_COMPILED", compiled)
    log = np.array([[0.0, 0, -50], [-50, 0, 0], [0, -50, 0]])  # each case is between two classes
    paid = np.array(paid, dtype=float)
    shift, cost = weights._across(log, paid, np.zeros(3), (1, 2))
    assert cost == pytest.approx(1)  # a circle of three preferences
    assert paid[np.arange(3), (log + shift).argmax(axis=1)].sum() == cost


@pytest.mark.parametrize("compiled", [0, 10**9])
def test_in_a_plane_where_nothing_costs_the_place_nearest_to_zero_is_taken(compiled, monkeypatch):
    monkeypatch.setattr(weights, "_COMPILED", compiled)
    log = np.random.default_rng(4).normal(size=(6, 3))
    shift, cost = weights._across(log, np.zeros((6, 3)), np.zeros(3), (1, 2))
    assert cost == 0
    assert np.abs(shift).max() < 1


def test_an_exact_search_of_three_classes_has_so_many_cases(monkeypatch):
    monkeypatch.setattr(weights, "_PLANE", 5)
    rng = np.random.default_rng(2)
    for k in (2, 3):
        score, paid = rng.random((6, k)), rng.random((6, k))
        if k == 2:
            assert weights.least_cost(score, paid, method="exact", rng=rng).method == "exact"
        else:
            with pytest.raises(
                ValueError, match="or three and 5 distinct cases; these are 3 and 6"
            ):
                weights.least_cost(score, paid, method="exact", rng=rng)
            assert weights.least_cost(score[:5], paid[:5], method="exact", rng=rng)


def test_a_search_ends_with_two_columns_at_once():
    rng = np.random.default_rng(12)
    score, paid = rng.random((12, 4)), rng.random((12, 4))
    log = weights.log_scores(score)
    alone = weights._improved(log, paid, np.zeros(4))[1]  # nothing helps that moves one
    shift = weights.least_cost(score, paid, n_starts=1, rng=rng).shift
    assert paid[np.arange(12), (log + shift).argmax(axis=1)].sum() < alone - 0.1
