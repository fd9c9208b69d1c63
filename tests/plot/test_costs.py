"""Cost, superiority and decision graphs show the numbers of their results."""

import numpy as np
import pytest

import rocspace as rs
from drawn import axes, reference, xy
from rocspace.costs import (
    Triangle,
    cost_curve,
    cost_difference,
    cost_lines,
    decision_curve,
    net_benefit,
    relative_superiority,
)
from slow.data import F3

matplotlib = pytest.importorskip("matplotlib", reason="the extra plot is not installed")


from rocspace import plot  # noqa: E402

T3 = rs.tabulate(*F3)


def test_cost_curve_and_lines():
    curve = cost_curve(T3)
    ax = plot.plot_cost_curve(curve, ax=axes(), lines="best")
    np.testing.assert_array_equal(xy(ax), np.column_stack([curve.probability, curve.cost]))
    (best,) = ax.collections
    ends = np.array([path.vertices for path in best.get_paths()])
    np.testing.assert_array_equal(ends[:, 0], np.column_stack([0 * curve.fpr, curve.fpr]))
    np.testing.assert_array_equal(ends[:, 1], np.column_stack([0 * curve.fpr + 1, 1 - curve.tpr]))
    ax = plot.add_cost_lines(cost_lines(T3).at_threshold(0.53), ax=axes())
    found = rs.point_at(T3, 0.53)
    (line,) = ax.collections[0].get_paths()
    assert line.vertices.tolist() == [[0, found.fpr], [1, 1 - found.tpr]]


def test_cost_difference_and_superiority():
    other = cost_curve(rs.tabulate(F3[0], F3[1][::-1]))
    difference = cost_difference(cost_curve(T3), other)
    drawn = xy(plot.plot_cost_difference(difference, ax=axes()))
    np.testing.assert_array_equal(drawn[:, 1], difference.difference)
    a = rs.ConfusionMatrix(tp=5, fn=5, fp=1, tn=9)
    b = rs.ConfusionMatrix(tp=9, fn=1, fp=4, tn=6)
    graph = relative_superiority({"a": a, "b": b, "a again": a}, prevalence=0.5)
    belief = Triangle(low=0.2, mode=0.4, high=0.8)
    ax = plot.plot_superiority(graph, ax=axes(), belief=belief)
    crossing = 3 / 7
    assert xy(ax, 0)[:2].tolist() == [[0, 0], [pytest.approx(crossing), 0]]
    assert xy(ax, 1)[:2].tolist() == [[pytest.approx(crossing), 1], [1, 1]]
    assert xy(ax, 2)[:2].tolist() == [[0, 2], [pytest.approx(crossing), 2]]
    assert reference(ax, "change")[0, 0] == pytest.approx(crossing)
    assert len(ax.patches) == 1


def test_decision_curve_jumps_at_scores():
    table = rs.tabulate([0, 0, 1, 1], [0.1, 0.4, 0.3, 0.8])
    ax = plot.plot_decision(decision_curve(table), ax=axes())
    drawn = xy(ax)
    at = drawn[:, 0]
    np.testing.assert_allclose(drawn[:, 1], net_benefit(table, at), rtol=1e-12)
    # Just above 0.4 its negative is no longer treated: 1/4 instead of 1/4 less 1/4 x 2/3.
    left, right = drawn[np.abs(at - 0.4) < 1e-9]
    assert left[1] == pytest.approx(1 / 4 - 1 / 6)
    assert right[1] == pytest.approx(1 / 4)
    scaled = xy(plot.plot_decision(decision_curve(table), ax=axes(), standardised=True))
    np.testing.assert_allclose(scaled[:, 1], drawn[:, 1] / 0.5, rtol=1e-12)
    assert reference(ax, "everybody")[0].tolist() == [0, 0.5]


def test_decision_curve_bends_between_scores():
    # Scores .1 and .9: between them half of the cases is treated, whatever the threshold.
    table = rs.tabulate([0, 0, 1, 1], [0.1, 0.1, 0.9, 0.1])
    ax = plot.plot_decision(decision_curve(table), ax=axes())
    drawn = xy(ax)
    inner = np.linspace(0.11, 0.89, 50)
    np.testing.assert_allclose(np.interp(inner, *drawn.T), 1 / 4, rtol=1e-12)
    # Treating everybody gains nothing where the threshold is the prevalence, whatever occurs.
    everybody = reference(ax, "everybody")
    exact = 0.5 - 0.5 * inner / (1 - inner)
    np.testing.assert_allclose(np.interp(inner, *everybody.T), exact, atol=2e-4)
    assert np.interp(0.5, *everybody.T) == pytest.approx(0, abs=1e-6)


def test_decision_curve_of_a_yes_or_no_test_is_whole():
    table = rs.tabulate([0, 0, 0, 1, 1, 1], [0, 0, 1, 0, 1, 1])
    ax = plot.plot_decision(decision_curve(table), ax=axes())
    assert ax.get_xlim() == (0, 1)
    at = np.array([0.001, 0.2, 0.5, 0.75, 0.9])
    np.testing.assert_allclose(np.interp(at, *xy(ax).T), net_benefit(table, at), atol=2e-4)
    # Where nobody has a score of 1 the line falls to zero, and goes on a little.
    ax = plot.plot_decision(
        decision_curve(rs.tabulate([0, 0, 1, 1], [0.1, 0.2, 0.1, 0.6])), ax=axes()
    )
    assert ax.get_xlim()[1] == pytest.approx(0.75)
    assert xy(ax)[-1].tolist() == pytest.approx([0.75, 0])
    chosen = decision_curve(table, np.linspace(0.05, 0.3, 6))
    ax = plot.plot_decision(chosen, ax=axes())
    assert ax.get_xlim() == (0, 0.3)
    assert xy(ax)[0, 0] == 0.05
