"""Decisions among several classes: by hand, by brute force, and for two classes by thresholds."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocspace as rs
from rocspace.costs import cost_curve
from rocspace.counts import SingleClassError
from rocspace.inference import rate_interval
from rocspace.multiclass import (
    best_class_weights,
    cost_matrix,
    decide_classes,
    decided_rates,
    error_hull,
    multiclass_scores,
)
from rocspace.operating import Costs, optimal_points
from several_classes import priced

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
    data, cost = priced(5, n=60)
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


def test_the_interval_of_the_cost_has_exact_limits():
    data, _ = priced(6, n=45)
    found = decide_classes(data)
    wrong = found.counts.sum() - np.trace(found.counts)
    low, high = found.cost_estimate().interval()  # every error costs 1: a rate of all cases
    assert (low, high) == pytest.approx((*rate_interval(wrong, 45),))

    # Of given shares each class has limits of its own, also the one without an error.
    score = [[1, 0, 0]] * 10 + [[0, 1, 0]] * 20 + [[0, 0, 1]] * 28 + [[1, 0, 0]] * 2
    label = np.repeat([0, 1, 2], [10, 20, 30])
    data = multiclass_scores(label, np.array(score, dtype=float))
    shares = {0: 0.5, 1: 0.3, 2: 0.2}
    estimate = decide_classes(data, priors=shares).cost_estimate()
    ends = [rate_interval(*each) for each in ((0, 10), (0, 20), (2, 30))]
    up = sum(
        (p * (e.high - x)) ** 2
        for p, e, x in zip((0.5, 0.3, 0.2), ends, (0, 0, 1 / 15), strict=True)
    )
    assert estimate.value == pytest.approx(0.2 / 15)
    assert estimate.interval().high == pytest.approx(estimate.value + np.sqrt(up))
    assert estimate.interval().low == pytest.approx(0.2 * ends[2].low)
    assert "exact limits" in estimate.interval().method
    assert estimate.interval(scale="moderated").high < 0.1 < estimate.interval().high

    clusters = multiclass_scores(label, np.array(score, dtype=float), cluster=np.arange(60) // 6)
    of = decide_classes(clusters, priors=shares).cost_estimate()
    assert of.interval().high >= max(estimate.interval().high, of.interval(scale="moderated").high)
    weighted = multiclass_scores(
        label, np.array(score, dtype=float), sample_weight=np.full(60, 0.5)
    )
    of = decide_classes(weighted, priors=shares).cost_estimate()
    assert of.interval() == of.interval(scale="moderated")


def test_a_price_that_several_calls_have_is_one_rate():
    data, _ = priced(7, n=50)
    found = decide_classes(data, costs=[[0, 2, 2], [1, 0, 2], [1, 1, 0]])
    called = found.counts.T
    one = called[1, 0] + called[2, 0] + called[2, 1]
    two = called[0, 1] + called[0, 2] + called[1, 2]
    up = sum(
        (price * (rate_interval(times, 50).high - times / 50)) ** 2
        for price, times in ((1, one), (2, two))
    )
    estimate = found.cost_estimate()
    assert estimate.value == pytest.approx((one + 2 * two) / 50)
    assert estimate.interval().high == pytest.approx(estimate.value + np.sqrt(up))


# --- the best weights -----------------------------------------------------------------------------


def test_weights_inside_the_rule_of_the_least_expected_cost():
    for seed in range(4):
        data, cost = priced(seed, k=3 + seed % 2, n=40)
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
    data, cost = priced(3, k=2, n=50)
    found = best_class_weights(data, costs=cost, rule="expected cost")
    assert found.method == "exact"
    assert found.cost == pytest.approx(best_class_weights(data, costs=cost).cost)
    three = priced(1)[0]
    with pytest.raises(ValueError, match="An exact search by expected cost is for two classes"):
        best_class_weights(three, rule="expected cost", method="exact")
    with pytest.raises(ValueError, match="rule"):
        best_class_weights(three, rule="cheapest")


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
    data, cost = priced(seed, n=25)
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


def test_case_weights_count_cases():
    data, cost = priced(3, n=20)
    times = np.random.default_rng(1).integers(1, 4, 20)
    heavy = multiclass_scores(data.label, data.score[:, 0], sample_weight=times)
    many = multiclass_scores(
        np.repeat(data.label, times), np.repeat(data.score[:, 0], times, axis=0)
    )
    one, two = best_class_weights(heavy, costs=cost), best_class_weights(many, costs=cost)
    assert one.cost == pytest.approx(two.cost)
    assert one.counts == pytest.approx(two.counts)


def test_best_weights_are_on_the_hull_of_all():
    data, cost = priced(4, n=30)
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
        best_class_weights(priced(1, k=4)[0], method="exact")
    with pytest.raises(SingleClassError, match="no case is of 2"):
        best_class_weights(multiclass_scores([0, 1], [[1, 2, 3], [1, 1, 1]], classes=[0, 1, 2]))
    with pytest.raises(ValueError, match="Give 3 positive numbers"):
        decide_classes(DATA, class_weight=[1, 0, 1])
    with pytest.raises(ValueError, match="priors is"):
        decide_classes(DATA, priors={"a": 1, "b": 1})


def test_weights_that_are_not_given_are_equal_and_all_sum_to_one():
    assert decide_classes(DATA).class_weight.tolist() == [1 / 3] * 3
    assert decide_classes(DATA, class_weight=[4, 1, 5]).class_weight.tolist() == [0.4, 0.1, 0.5]
    named = decide_classes(DATA, class_weight={"c": 5, "a": 4, "b": 1})
    np.testing.assert_allclose(named.class_weight, [0.4, 0.1, 0.5])
    for wrong in ([1, 1], [1, 1, np.inf], [1, 1, 0], [1, 1, -1]):
        with pytest.raises(ValueError, match="Give 3 positive numbers, for 'a', 'b', 'c'"):
            decide_classes(DATA, class_weight=wrong)
