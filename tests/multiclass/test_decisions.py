"""Decisions among several classes: by hand, by brute force, and for two classes by thresholds."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocspace as rs
from rocspace.costs import cost_curve
from rocspace.counts import SingleClassError
from rocspace.multiclass import (
    best_class_weights,
    cost_matrix,
    decide_classes,
    decided_rates,
    error_hull,
    multiclass_scores,
    weights,
)
from rocspace.operating import Costs, optimal_points

Y = ["a", "a", "b", "b", "c", "c"]
P = [
    [0.7, 0.2, 0.1],
    [0.4, 0.5, 0.1],
    [0.2, 0.6, 0.2],
    [0.1, 0.3, 0.6],
    [0.2, 0.3, 0.5],
    [0.3, 0.1, 0.6],
]
DATA = multiclass_scores(Y, P)
COSTS = {"a": {"b": 1, "c": 4}, "b": {"a": 1, "c": 4}, "c": {"a": 1, "b": 1}}


def drawn(seed, k=3, n=12, *, steps=0):
    rng = np.random.default_rng(seed)
    y = np.concatenate([np.arange(k), rng.integers(0, k, n - k)])
    p = rng.dirichlet(np.ones(k), n) + 0.3 * np.eye(k)[y]
    if steps:
        p = np.round(p * steps) + 1
    cost = rng.integers(1, 9, (k, k)) * (1 - np.eye(k))
    return multiclass_scores(y, p, classes=range(k)), cost


def brute(data, cost):
    """The least cost over points around all crossings of lines, by what is really called."""
    log = np.log(data.score[:, 0].astype(float))
    lines = [(1, 0, log[:, 0] - log[:, 1]), (0, 1, log[:, 0] - log[:, 2])]
    lines.append((-1, 1, log[:, 1] - log[:, 2]))
    rows = np.array([(a, b, c) for a, b, values in lines for c in values])
    spots = [np.zeros(2)]
    for i in range(len(rows)):
        for j in range(i):
            both = rows[[i, j], :2]
            if abs(np.linalg.det(both)) > 0.5:
                spots.append(np.linalg.solve(both, rows[[i, j], 2]))
    turn = np.linspace(0.1, 2 * np.pi + 0.1, 24, endpoint=False)
    around = np.column_stack([np.cos(turn), np.sin(turn)])
    points = (np.array(spots)[:, None] + np.concatenate([1e-5 * around, 30 * around])).reshape(
        -1, 2
    )
    shift = np.column_stack([np.zeros(len(points)), points])
    called = (shift[:, None] + log).argmax(axis=2)
    return cost[called, data.label].mean(axis=1).min()


# --- given weights ------------------------------------------------------------------------------


def test_decisions_by_hand():
    found = decide_classes(DATA, costs=COSTS)
    assert found.counts.tolist() == [[1, 1, 0], [0, 1, 1], [0, 0, 2]]
    assert found.cost == pytest.approx(2 / 6)  # a called b, b called c, at 1 each
    assert found.classify(P).tolist() == ["a", "b", "b", "c", "c", "c"]
    # Expected costs of the first case: a .2 + 4 * .1, b .7 + .4, c .9; of the third: b 1, c .8.
    careful = decide_classes(DATA, costs=COSTS, rule="expected cost")
    assert careful.classify(P).tolist() == ["a", "b", "c", "c", "c", "c"]
    assert careful.cost == pytest.approx(3 / 6)
    assert decided_rates(DATA).rate[0] == pytest.approx(found.rates.rate[0])
    other = decide_classes(DATA, costs=COSTS, priors={"a": 2, "b": 1, "c": 1})
    assert other.cost == pytest.approx(0.5 * 0.5 + 0.25 * 0.5)


def test_weights_move_decisions_and_may_be_named():
    by_name = decide_classes(DATA, class_weight={"c": 1, "a": 4, "b": 1})
    in_order = decide_classes(DATA, class_weight=[4, 1, 1])
    assert by_name.classify(P).tolist() == in_order.classify(P).tolist()
    assert in_order.classify(P).tolist() == ["a", "a", "a", "c", "a", "a"]
    assert in_order.class_weight.sum() == pytest.approx(1)
    named = {"p_c": [0.1, 0.6], "p_a": [0.7, 0.1], "p_b": [0.2, 0.3]}
    assert in_order.classify(named).tolist() == ["a", "c"]


def test_the_standard_error_is_that_of_means():
    rng = np.random.default_rng(5)
    data, cost = drawn(5, n=60)
    found = decide_classes(data, costs=cost)
    each = cost[found.classify(data), data.label]
    assert found.cost == pytest.approx(each.mean())
    estimate = found.cost_estimate()
    assert estimate.se == pytest.approx(each.std(ddof=1) / np.sqrt(60))
    assert estimate.interval().low > 0
    fixed = decide_classes(data, costs=cost, priors={0: 1, 1: 1, 2: 2}).cost_estimate()
    own = [each[data.label == i] for i in range(3)]
    parts = [p * x.mean() for p, x in zip([0.25, 0.25, 0.5], own, strict=True)]
    spread = [p**2 * x.var(ddof=1) / x.size for p, x in zip([0.25, 0.25, 0.5], own, strict=True)]
    assert fixed.value == pytest.approx(sum(parts))
    assert fixed.se == pytest.approx(np.sqrt(sum(spread)))
    alone = multiclass_scores(data.label, data.score[:, 0], cluster=rng.permutation(60))
    assert decide_classes(alone, costs=cost).cost_estimate().se == pytest.approx(estimate.se)


# --- the best weights -----------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
def test_along_one_weight_no_expected_cost_is_better(seed):
    k = 3 + seed % 2
    data, cost = drawn(seed, k=k, n=5 + 3 * seed, steps=(0, 6)[seed % 2])
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


def test_weights_inside_the_rule_of_the_least_expected_cost():
    for seed in range(4):
        data, cost = drawn(seed, k=3 + seed % 2, n=40)
        best = best_class_weights(data, costs=cost, rule="expected cost")
        assert (best.rule, best.method) == ("expected cost", "search")
        plain = decide_classes(data, costs=cost, rule="expected cost")
        assert best.cost <= plain.cost
        given = {"costs": cost, "rule": "expected cost"}
        again = decide_classes(data, class_weight=best.class_weight, **given)
        assert again.counts.tolist() == best.counts.tolist()
        rng = np.random.default_rng(seed)
        for weight in rng.lognormal(size=(200, len(data.classes))):
            assert decide_classes(data, class_weight=weight, **given).cost >= best.cost - 1e-12
        called = best.classify(data)
        assert cost[called, data.label].mean() == pytest.approx(best.cost)


def test_shares_that_changed_are_found_by_the_weights():
    """Probabilities that are right but for the shares of the classes need these as weights."""
    rng = np.random.default_rng(2)
    y = rng.choice(3, size=4000, p=[0.7, 0.2, 0.1])
    x = rng.normal(size=(y.size, 3)) + 1.2 * np.eye(3)[y]
    p = np.exp(1.2 * x)  # right for equal shares
    data = multiclass_scores(y, p / p.sum(axis=1, keepdims=True), classes=range(3))
    cost = [[0, 1, 8], [2, 0, 2], [1, 1, 0]]
    known = decide_classes(data, costs=cost, class_weight=[7, 2, 1], rule="expected cost")
    best = best_class_weights(data, costs=cost, rule="expected cost")
    assert best.cost <= known.cost < decide_classes(data, costs=cost, rule="expected cost").cost
    assert np.log(best.class_weight / [0.7, 0.2, 0.1]).std() < 0.35


def test_of_two_classes_both_rules_have_the_same_best_threshold():
    data, cost = drawn(3, k=2, n=50)
    found = best_class_weights(data, costs=cost, rule="expected cost")
    assert found.method == "exact"
    assert found.cost == pytest.approx(best_class_weights(data, costs=cost).cost)
    three = drawn(1)[0]
    with pytest.raises(ValueError, match="An exact search by expected cost is for two classes"):
        best_class_weights(three, rule="expected cost", method="exact")
    with pytest.raises(ValueError, match="rule"):
        best_class_weights(three, rule="cheapest")


@pytest.mark.parametrize("seed", range(12))
def test_no_weights_are_better_in_the_plane(seed):
    data, cost = drawn(seed, n=4 + seed, steps=(0, 6)[seed % 2])
    found = best_class_weights(data, costs=cost)
    assert found.method == "exact"
    assert found.cost == pytest.approx(brute(data, cost), abs=1e-12)
    assert cost[found.classify(data), data.label].mean() == pytest.approx(found.cost)


def test_zeros_are_never_called(monkeypatch):
    rng = np.random.default_rng(8)
    y = rng.integers(0, 3, 18)
    p = rng.integers(0, 3, (18, 3)) * (rng.random((18, 3)) < 0.7) + 1.0 * np.eye(3)[y]
    data = multiclass_scores(y, p)
    cost = rng.integers(1, 9, (3, 3)) * (1 - np.eye(3))
    found = best_class_weights(data, costs=cost)
    slow = brute(multiclass_scores(y, np.where(p > 0, p, 1e-9)), cost)
    assert found.cost == pytest.approx(slow)
    assert (p[np.arange(18), found.classify(data)] > 0).all()
    monkeypatch.setattr(weights, "_COMPILED", 1)
    assert best_class_weights(data, costs=cost) == found


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32), st.integers(4, 40), st.sampled_from([0, 4, 9]))
def test_both_sweeps_agree(seed, n, steps):
    data, cost = drawn(seed, n=n, steps=steps)
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


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([0, 5]), st.integers(1, 9), st.integers(1, 9))
def test_two_classes_have_the_best_threshold(seed, steps, fp, fn):
    rng = np.random.default_rng(seed)
    y = np.append([0, 1], rng.integers(0, 2, 30))
    p = rng.random(32) * 0.98 + 0.01
    if steps:
        p = (np.round(p * steps) + 1) / (steps + 2)
    data = multiclass_scores(y, np.column_stack([1 - p, p]))
    found = best_class_weights(data, costs=[[0, fn], [fp, 0]])
    table = rs.tabulate(y, p)
    costs = Costs(fp=fp, fn=fn)
    point = optimal_points(table, criterion="cost", costs=costs)[0]
    assert found.cost == pytest.approx(costs.expected(point))
    # The weight of the other class is a threshold: of probabilities, those above it.
    assert (found.classify(data) == (p > found.class_weight[0])).all()
    at = costs.probability_cost(table.prevalence)
    norm = fp * (1 - table.prevalence) + fn * table.prevalence
    assert found.cost == pytest.approx(norm * cost_curve(table).cost_at(at))


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32), st.permutations(range(3)))
def test_names_and_scales_do_not_matter(seed, order):
    data, cost = drawn(seed, n=25)
    label = np.array(["x", "y", "z"])
    costs = {label[i]: {label[j]: cost[i, j] for j in range(3)} for i in range(3)}
    own = multiclass_scores(label[data.label], dict(zip(label, data.score[:, 0].T, strict=True)))
    found = best_class_weights(own, costs=costs)
    turned = multiclass_scores(
        label[data.label], data.score[:, 0][:, order], classes=[str(label[i]) for i in order]
    )
    again = best_class_weights(turned, costs=costs)
    assert again.cost == pytest.approx(found.cost)
    # Columns and cases may have any scale; costs any unit, and each class its cost of being right.
    scaled = multiclass_scores(data.label, data.score[:, 0] * np.array([2.0, 1.0, 0.1]))
    assert best_class_weights(scaled, costs=cost).cost == pytest.approx(found.cost)
    row = np.random.default_rng(seed).uniform(0.1, 3, (25, 1))
    assert best_class_weights(
        multiclass_scores(data.label, data.score[:, 0] * row), costs=cost
    ).cost == pytest.approx(found.cost)
    paid = best_class_weights(own, costs=cost_matrix(3 * cost + 7, list(label)))
    assert paid.cost == pytest.approx(3 * found.cost + 7)


@pytest.mark.parametrize("k", [3, 4, 5])
def test_a_search_is_never_worse_than_equal_weights_or_one_change(k):
    data, cost = drawn(k, k=k, n=60)
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


def test_case_weights_count_cases():
    data, cost = drawn(3, n=20)
    times = np.random.default_rng(1).integers(1, 4, 20)
    heavy = multiclass_scores(data.label, data.score[:, 0], sample_weight=times)
    many = multiclass_scores(
        np.repeat(data.label, times), np.repeat(data.score[:, 0], times, axis=0)
    )
    one, two = best_class_weights(heavy, costs=cost), best_class_weights(many, costs=cost)
    assert one.cost == pytest.approx(two.cost)
    assert one.counts == pytest.approx(two.counts)


def test_best_weights_are_on_the_hull_of_all():
    data, cost = drawn(4, n=30)
    best = best_class_weights(data, costs=cost)
    rng = np.random.default_rng(1)
    tried = [decide_classes(data, class_weight=rng.dirichlet(np.ones(3))).counts for _ in range(30)]
    counts = {f"c{i}": each for i, each in enumerate([best.counts, *tried])}
    hull = error_hull(rs.multiclass.counted_rates(counts))
    assert "c0" in hull.best(cost)


def test_what_cannot_be_answered_is_told():
    with pytest.raises(ValueError, match=r"those of case 1 are \[-1.0, 1.0\]"):
        best_class_weights(multiclass_scores([0, 1], [[1.0, 2.0], [-1.0, 1.0]]))
    with pytest.raises(ValueError, match="two classes, or three and 10,000"):
        best_class_weights(drawn(1, k=4)[0], method="exact")
    with pytest.raises(SingleClassError, match="no case is of 2"):
        best_class_weights(multiclass_scores([0, 1], [[1, 2, 3], [1, 1, 1]], classes=[0, 1, 2]))
    with pytest.raises(ValueError, match="Give 3 positive numbers"):
        decide_classes(DATA, class_weight=[1, 0, 1])
    with pytest.raises(ValueError, match="priors is"):
        decide_classes(DATA, priors={"a": 1, "b": 1})
