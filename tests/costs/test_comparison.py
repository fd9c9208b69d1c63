"""Which of several classifiers costs less: by hand, by trying every condition, as printed."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import triang

import rocspace as rs
import slow.curves
import slow.data
from rocspace.costs import (
    Triangle,
    cost_curve,
    cost_difference,
    lc_index,
    relative_superiority,
)
from rocspace.counts import SingleClassError
from rocspace.hull import roc_hull
from rocspace.operating import Costs
from slow.data import F3, assert_close, reference, samples

A = rs.ConfusionMatrix(tp=5, fn=5, fp=1, tn=9)
B = rs.ConfusionMatrix(tp=9, fn=1, fp=4, tn=6)
BELIEF = Triangle(low=0.2, mode=0.4, high=0.8)
grid = np.linspace(0.005, 0.995, 100)


@st.composite
def triangles(draw):
    low, mode, high = sorted(draw(st.integers(0, 20)) / 20 for _ in range(3))
    return Triangle(low=low, mode=mode, high=high)


@st.composite
def classifiers(draw):
    """A point or a table, with its corners as fractions."""
    if draw(st.booleans()):
        tp, fp = draw(st.integers(0, 5)), draw(st.integers(0, 5))
        matrix = rs.ConfusionMatrix(tp=tp, fn=5 - tp, fp=fp, tn=5 - fp)
        return matrix, [(Fraction(fp, 5), Fraction(tp, 5))]
    sample = draw(samples(max_size=12))
    return rs.tabulate(*sample), [(f, t) for f, t, _ in slow.curves.points(*sample)]


def loss(corners, c, pi):
    return min(c * pi * (1 - t) + (1 - c) * (1 - pi) * f for f, t in corners)


# --- differences ------------------------------------------------------------------------------


def test_difference_by_hand():
    # The first costs min(x, 1 - x) / 2; the second x / 3 up to 3/4, then 1 - x: they cross
    # where (1 - x) / 2 = x / 3.
    first = cost_curve(rs.tabulate([0, 1, 0, 1], [1, 2, 3, 4]))
    second = cost_curve(rs.tabulate([1, 0, 1, 1, 0], [1, 2, 3, 4, 1]))
    found = cost_difference(first, second)
    assert_close(found.crossings, [0.6], 14)
    assert_close(found.probability, [0, 0.5, 0.6, 0.75, 1], 14)
    assert_close(found.difference, [0, 1 / 12, 0, -1 / 8, 0], 13)
    assert [tuple(piece) for piece in found.second_better] == [(0, pytest.approx(0.6))]
    assert [tuple(piece) for piece in found.first_better] == [(pytest.approx(0.6), 1)]
    assert found.difference_at(0.25) == pytest.approx(1 / 24)


@given(one=samples(max_size=14), two=samples(max_size=14))
@settings(max_examples=80)
def test_differences_are_exact(one, two):
    first, second = (cost_curve(rs.tabulate(*sample)) for sample in (one, two))
    found = cost_difference(first, second)
    exact = first.cost_at(grid) - second.cost_at(grid)
    np.testing.assert_allclose(found.difference_at(grid), exact, atol=1e-12)
    for piece, sign in ((found.first_better, -1), (found.second_better, 1)):
        inside = np.zeros(grid.size, dtype=bool)
        for low, high in piece:
            inside |= (grid > low + 1e-9) & (grid < high - 1e-9)
        assert (sign * exact[inside] > 0).all()
        far = sign * exact > 1e-9
        covered = [any(low <= x <= high for low, high in piece) for x in grid[far]]
        assert all(covered)
    for x in found.crossings:
        assert first.cost_at(x) == pytest.approx(second.cost_at(x), abs=1e-12)
    turned = cost_difference(second, first)
    assert turned.crossings == pytest.approx(found.crossings)
    assert len(turned.first_better) == len(found.second_better)
    same = cost_difference(first, first)
    assert (same.crossings, same.first_better, same.second_better) == ((), (), ())


# --- superiority ------------------------------------------------------------------------------


def test_reference_index():
    expected = reference()
    graph = relative_superiority({"A": A, "B": B}, prevalence=0.5)
    for half in (np.array(0.5), np.float32(0.5), Fraction(1, 2), Decimal("0.5")):
        assert relative_superiority({"A": A, "B": B}, prevalence=half) == graph
    assert_close(graph.share[1], expected["lc_cross"], 15)
    assert graph.best == (("A",), ("B",))
    index = lc_index(A, B, prevalence=0.5, belief=BELIEF)
    assert_close(index, expected["lc_index_A_vs_B_tri(.2,.4,.8)"], 13)
    confidence = graph.confidence(BELIEF)
    assert_close(confidence["A"], expected["lc_k_version"]["LC_A"], 13)
    assert_close(confidence["B"], expected["lc_k_version"]["LC_B"], 13)


def test_shares_of_costs():
    assert Costs().cost_share == 0.5
    assert Costs(fn=4).cost_share == 0.8
    assert Costs(fp=0).cost_share == 1
    with pytest.raises(ValueError, match="No error costs more"):
        Costs(fp=0, fn=0)


@given(
    given_=st.lists(classifiers(), min_size=1, max_size=4),
    pi=st.integers(1, 9).map(lambda k: k / 10),
    belief=triangles(),
)
@settings(max_examples=80)
def test_superiority_is_that_of_trying_all(given_, pi, belief):
    named = {f"c{i}": pair for i, pair in enumerate(given_)}
    graph = relative_superiority({k: v[0] for k, v in named.items()}, prevalence=pi)
    assert (graph.share[0], graph.share[-1]) == (0, 1)
    assert (np.diff(graph.share) > 0).all()
    exact_pi = Fraction(pi)
    for i, best in enumerate(graph.best):
        c = Fraction((graph.share[i] + graph.share[i + 1]) / 2)
        losses = {name: loss(corners, c, exact_pi) for name, (_, corners) in named.items()}
        least = min(losses.values())
        assert set(best) == {name for name, value in losses.items() if value == least}
    confidence = graph.confidence(belief)
    assert sum(confidence.values()) == pytest.approx(1, abs=1e-12)
    for name in named:
        for low, high in graph.where(name):
            middle = (low + high) / 2
            assert name in graph.best[int(np.searchsorted(graph.share, middle)) - 1]


@given(one=classifiers(), two=classifiers(), belief=triangles())
@settings(max_examples=60)
def test_index_is_antisymmetric(one, two, belief):
    index = lc_index(one[0], two[0], prevalence=0.3, belief=belief)
    assert -1 <= index <= 1 + 1e-12
    back = lc_index(two[0], one[0], prevalence=0.3, belief=belief)
    assert back == pytest.approx(-index, abs=1e-12)
    assert lc_index(one[0], one[0], prevalence=0.3, belief=belief) == pytest.approx(0, abs=1e-12)


def test_index_by_numbers():
    # Ten thousand cost shares drawn from the triangle, each asked who is cheaper.
    first, second = rs.tabulate(*F3), rs.tabulate(F3[0], reference()["paired_s2"])
    belief = Triangle(low=0.3, mode=0.35, high=0.9)
    law = triang((0.35 - 0.3) / 0.6, 0.3, 0.6)
    c = law.ppf((np.arange(10_000) + 0.5) / 10_000)
    corners = [np.array([(f, t) for f, t, _ in slow.curves.points(F3[0], s)], dtype=float)
               for s in (F3[1], reference()["paired_s2"])]  # fmt: skip
    costs = [
        (np.outer(c, 0.2 * (1 - x[:, 1])) + np.outer(1 - c, 0.8 * x[:, 0])).min(axis=1)
        for x in corners
    ]
    drawn = np.mean(np.sign(np.round(costs[1] - costs[0], 12)))
    assert lc_index(first, second, prevalence=0.2, belief=belief) == pytest.approx(drawn, abs=2e-3)


def test_a_better_curve_has_all_the_belief():
    good = rs.tabulate([1, 1, 0, 0], [4, 3, 2, 1])
    bad = rs.tabulate([1, 0, 1, 0], [4, 3, 2, 1])
    assert lc_index(good, bad, prevalence=0.5, belief=BELIEF) == pytest.approx(1)
    assert lc_index(bad, good, prevalence=0.5, belief=BELIEF) == pytest.approx(-1)


def test_twins_share():
    graph = relative_superiority({"a": A, "twin": A, "b": B}, prevalence=0.5)
    assert graph.best == (("a", "twin"), ("b",))
    confidence = graph.confidence(BELIEF)
    assert (
        confidence["a"]
        == confidence["twin"]
        == pytest.approx(reference()["lc_k_version"]["LC_A"] / 2)
    )


def test_one_name_may_have_several_settings():
    graph = relative_superiority({"both": [A, B], "b": B}, prevalence=0.5)
    assert graph.best == (("both",), ("both", "b"))
    assert [tuple(x) for x in graph.where("both")] == [(0, 1)]
    assert [tuple(x) for x in graph.where("b")] == [(pytest.approx(3 / 7), 1)]


def test_certainty_is_a_point():
    graph = relative_superiority({"A": A, "B": B}, prevalence=0.5)
    for at, expected in ((0.3, 1.0), (0.7, 0.0), (float(graph.share[1]), 0.5)):
        belief = Triangle(low=at, mode=at, high=at)
        assert graph.confidence(belief) == {"A": expected, "B": 1 - expected}


@given(belief=triangles(), at=st.floats(0, 1))
@settings(max_examples=80)
def test_belief_is_scipys(belief, at):
    width = belief.high - belief.low
    if width:
        law = triang((belief.mode - belief.low) / width, belief.low, width)
        assert belief.cdf(at) == pytest.approx(law.cdf(at), abs=1e-9)
    else:
        assert belief.cdf(at) == (at >= belief.low)


def test_a_point_stays_what_it_is():
    # Nothing trivial takes part: B alone is best even where rejecting all would be cheaper.
    assert relative_superiority({"B": B}, prevalence=0.01).best == (("B",),)
    hull = cost_curve(roc_hull({"B": B}))
    assert [points[0].name for points in hull.points] == ["never", "B", "always"]


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="at least one classifier"):
        relative_superiority({}, prevalence=0.5)
    with pytest.raises(ValueError, match="prevalence is 1"):
        relative_superiority({"A": A}, prevalence=1)
    with pytest.raises(SingleClassError, match="'empty' needs"):
        relative_superiority({"empty": rs.ConfusionMatrix(tp=1, fn=0, fp=0, tn=0)}, prevalence=0.5)
    with pytest.raises(ValueError, match="must not decrease"):
        Triangle(low=0.5, mode=0.4, high=0.6)
    with pytest.raises(ValueError, match="There is no classifier 'C'"):
        relative_superiority({"A": A}, prevalence=0.5).where("C")
