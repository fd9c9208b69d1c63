"""Costs of several classes: by hand, by slow sums, and for two classes as everybody has them."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import rocspace as rs
from rocspace.costs import cost_curve
from rocspace.counts import SingleClassError
from rocspace.multiclass import (
    CostMatrix,
    class_rates,
    cost_matrix,
    cost_slice,
    counted_rates,
)
from rocspace.multiclass.costs import _next_corner

Y = ["a", "a", "a", "a", "b", "b", "c", "c"]
CALLS = {
    "one": ["a", "a", "a", "b", "b", "b", "c", "a"],
    "two": ["a", "a", "b", "c", "b", "b", "c", "c"],
    "three": ["a", "a", "a", "a", "a", "b", "b", "c"],
}
RATES = class_rates(Y, CALLS)
COSTS = [[0, 2, 4], [1, 0, 3], [5, 1, 0]]  # a row a call


def test_three_classifiers_by_hand():
    one = [[0.75, 0.25, 0], [0, 1, 0], [0.5, 0, 0.5]]
    assert RATES.rate[0].tolist() == one
    assert RATES.error[0].tolist() == [0.25, 0, 0, 0, 0.5, 0]
    assert RATES.shares.tolist() == [0.5, 0.25, 0.25]
    # one: a called b 1/4 at cost 1, c called a 1/2 at cost 4.
    assert RATES.expected(COSTS)[0] == 0.5 * 0.25 * 1 + 0.25 * 0.5 * 4
    # two: a called b and c, 1/4 each, at costs 1 and 5; three: b called a, c called b.
    assert RATES.expected(COSTS)[1] == 0.5 * (0.25 * 1 + 0.25 * 5)
    assert RATES.expected(COSTS)[2] == 0.25 * 0.5 * 2 + 0.25 * 0.5 * 3
    assert RATES.best(COSTS) == ("one", "three")
    assert RATES.best(COSTS, priors={"a": 1, "b": 1, "c": 8}) == ("two",)
    assert RATES.best() == ("one", "two", "three")  # two errors of eight each


def test_costs_of_correct_calls_are_paid():
    right = np.array(COSTS, dtype=float) + np.array([1, 2, 3])
    assert RATES.expected(right) == pytest.approx(RATES.expected(COSTS) + 0.5 + 0.5 + 0.75)


def test_names_decide_in_any_order():
    named = {
        "c": {"b": 1, "a": 5},
        "a": {"c": 4, "b": 2, "a": 0},
        "b": {"a": 1, "c": 3},
    }
    assert cost_matrix(named, ["a", "b", "c"]).cost.tolist() == COSTS
    turned = cost_matrix(named, ["c", "a", "b"])
    assert RATES.expected(turned).tolist() == RATES.expected(COSTS).tolist()
    numbers = class_rates([0, 1, 2], {"x": [0, 1, 1]})
    spelled = {str(i): {str(j): i + 2 * j for j in range(3) if j != i} for i in range(3)}
    assert numbers.expected(spelled)[0] == pytest.approx((1 + 4) / 3)


def test_a_mixture_lies_between():
    mixed = RATES.mixture({"one": 0.25, "two": 0.75}, name="both")
    assert mixed.names == ("both",)
    assert mixed.error[0] == pytest.approx(0.25 * RATES.error[0] + 0.75 * RATES.error[1])
    assert mixed.expected(COSTS)[0] == pytest.approx(
        0.25 * RATES.expected(COSTS)[0] + 0.75 * RATES.expected(COSTS)[1]
    )


def test_weights_count_cases():
    weight = [1, 2, 3, 1, 2, 1, 0, 2]
    again = np.repeat(np.arange(8), weight)
    many = class_rates(np.array(Y)[again], {n: np.array(c)[again] for n, c in CALLS.items()})
    assert class_rates(Y, CALLS, sample_weight=weight).rate == pytest.approx(many.rate)
    assert class_rates(Y, CALLS, sample_weight=weight).shares == pytest.approx(many.shares)


def test_counts_make_the_same_rates():
    counts = {"one": [[3, 1, 0], [0, 2, 0], [1, 0, 1]]}
    assert counted_rates(counts, ["a", "b", "c"]).rate[0].tolist() == RATES.rate[0].tolist()
    assert counted_rates(counts).classes == (0, 1, 2)


@pytest.mark.parametrize("odd", [-1, np.inf, np.nan])
def test_counts_are_finite_and_not_negative(odd):
    with pytest.raises(ValueError, match="counts of zero or more"):
        counted_rates({"one": [[3, 1], [odd, 2]]})


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 4), st.permutations(range(4)))
def test_costs_do_not_depend_on_the_order_of_classes(seed, k, order):
    rng = np.random.default_rng(seed)
    rate, cost = rng.dirichlet(np.ones(k), (3, k)), rng.integers(1, 9, (k, k)) * (1 - np.eye(k))
    counts = {f"c{a}": each for a, each in enumerate(rate)}
    label = [f"k{i}" for i in range(k)]
    turned = [i for i in order if i < k]
    named = {label[i]: {label[j]: cost[i, j] for j in range(k)} for i in turned}
    own = counted_rates(counts, label).expected(cost)
    moved = {n: each[np.ix_(turned, turned)] for n, each in counts.items()}
    other = counted_rates(moved, [label[i] for i in turned]).expected(named)
    assert other == pytest.approx(own, abs=1e-12)
    slow = [sum(each[i, j] * cost[j, i] / k for i in range(k) for j in range(k)) for each in rate]
    assert own == pytest.approx(slow, abs=1e-12)


# --- slices -------------------------------------------------------------------------------------


def test_two_classes_have_the_usual_cost_curve():
    data = rs.datasets.load("fawcett20")
    y, score = data.y_true, data.y_score
    calls = {f"t{t}": (score >= t).astype(int) for t in np.unique(score)}
    rates = class_rates(y.astype(int), calls)
    found = cost_slice(
        rates,
        [[0, 0], [1, 0]],
        [[0, 1], [0, 0]],
        first_priors={0: 1, 1: 1},
        second_priors={0: 1, 1: 1},
    )
    curve = cost_curve(rs.tabulate(y, score))
    assert found.corner == pytest.approx(curve.probability)
    assert 2 * found.cost == pytest.approx(curve.cost)
    assert found.cost_at(0.3) == pytest.approx(curve.cost_at(0.3) / 2)
    assert "always 0" in found.cheapest[0][0] or found.cost[0] == 0


@settings(max_examples=30, deadline=None)
@example(243, 4, 1)  # two lines that meet at the very end, and rounding put it before the end
@given(st.integers(0, 2**32), st.integers(2, 4), st.integers(1, 6))
def test_the_envelope_is_the_least_of_all_lines(seed, k, m):
    rng = np.random.default_rng(seed)
    counts = {f"c{a}": rng.integers(1, 6, (k, k)) for a in range(m)}
    rates = counted_rates(counts)
    ends = [rng.integers(1, 5, (k, k)) * (1 - np.eye(k)) for _ in range(2)]
    prior = {i: float(p) for i, p in enumerate(rng.integers(1, 4, k))}
    found = cost_slice(rates, *ends, second_priors=prior)
    at = np.linspace(0, 1, 101)
    lines = np.outer(1 - at, rates.with_trivial().expected(ends[0])) + np.outer(
        at, rates.with_trivial().expected(ends[1], priors=prior)
    )
    assert found.cost_at(at) == pytest.approx(lines.min(axis=1), abs=1e-12)
    assert (np.diff(found.corner) > 0).all()
    assert (np.diff(np.diff(found.cost) / np.diff(found.corner)) < 1e-9).all()  # concave
    for x, low, names in zip(found.corner[:-1], found.corner[1:], found.cheapest, strict=True):
        assert set(found.optimal((x + low) / 2)) == set(names)


def test_lines_that_meet_at_the_end_have_no_corner_beside_it():
    # Two trivial classifiers cost the same at the end, but for rounding.
    rng = np.random.default_rng(0)
    for _ in range(200):
        prior = {i: float(p) for i, p in enumerate(rng.integers(1, 9, 3))}
        ends = [rng.integers(1, 9, (3, 3)) * (1.0 - np.eye(3)) for _ in range(2)]
        rates = counted_rates({"a": rng.integers(1, 9, (3, 3))})
        shares = np.array(list(prior.values())) / sum(prior.values())
        ends[1][0] = ends[1][1] = 0
        ends[1][0, 1], ends[1][1, 0] = 7 * shares[0] / shares[1], 7.0
        ends[1][0, 2] = ends[1][1, 2] = 3.0
        found = cost_slice(rates, *ends, second_priors=prior)
        assert np.diff(found.corner).min() > 1e-12


def test_a_corner_within_rounding_of_the_end_is_the_end():
    # The second line falls by 2 in all, and is below the first over the last 7.5e-13 alone.
    zero, one = np.array([-1.0, 1.0]), np.array([0.0, -1.5e-12])
    assert _next_corner(zero, one, 0.0) == 1.0
    one[1] = -1.5e-10
    assert _next_corner(zero, one, 0.0) == pytest.approx(1 - 7.5e-11, abs=1e-15)


def test_the_frame_has_a_row_for_each_classifier_class_and_call():
    frame = RATES.to_frame()
    assert frame["classifier"].tolist() == [name for name in CALLS for _ in range(9)]
    assert frame["true"].tolist() == [true for true in "abc" for _ in range(3)] * 3
    assert frame["called"].tolist() == list("abc") * 9
    assert frame["rate"].tolist() == RATES.rate.ravel().tolist()


# --- what is told -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("costs", "said"),
    [
        ([[0, 1], [1, 0]], r"shape \(2, 2\), and there are 3 classes"),
        ([[0, 1, 1], [1, 0, 1], [1, np.inf, 0]], "Calling a case of 'b' 'c' costs inf"),
        ([[2, 1, 1], [1, 0, 1], [1, 1, 0]], "'a' 'b' costs 1, and calling it right 2"),
        (np.zeros((3, 3)), "No error costs more"),
        ("cheap", "not numbers"),
        ({"a": {"b": 1}}, "lacks the cost of calling a case of 'c' 'a'"),
        ({"d": {"b": 1}}, "'d', which is none of the classes 'a', 'b'"),
        ({"a": 3}, r"costs\['a'\] is 3"),
    ],
)
def test_costs_that_make_no_sense_are_told(costs, said):
    with pytest.raises(ValueError, match=said):
        RATES.expected(costs)


def test_gains_are_negative_costs():
    assert RATES.best(np.array(COSTS) - 10) == RATES.best(COSTS)
    with pytest.raises(ValueError, match="must not cost less"):
        CostMatrix(classes=("a", "b"), cost=np.array([[0, 1], [-1, 0]]))


def test_rates_that_make_no_sense_are_told():
    with pytest.raises(SingleClassError, match="No case is of class 'b'"):
        class_rates(["a", "c"], ["a", "b"])
    with pytest.raises(ValueError, match="two has the label 'd'"):
        class_rates(["a", "c"], {"one": ["a", "c"], "two": ["a", "d"]}, classes=["a", "c"])
    with pytest.raises(ValueError, match="do not sum to 1"):
        rs.multiclass.ClassRates(
            classes=("a", "b"), names=("x",), rate=np.full((1, 2, 2), 0.4), shares=np.ones(2) / 2
        )
    with pytest.raises(ValueError, match="Give 2 rows of 2 counts"):
        counted_rates({"x": [[1, 2]]}, ["a", "b"])
    with pytest.raises(ValueError, match="sum to 1"):
        RATES.mixture({"one": 0.4})
    with pytest.raises(ValueError, match="share of each of 'a', 'b'"):
        RATES.expected(priors={"a": 1})
