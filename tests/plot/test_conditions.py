"""Graphs of losses, values and errors against the conditions of use show their results."""

import numpy as np
import pytest

import rocspace as rs
from drawn import axes, reference, xy
from rocspace.bands import pr_band
from rocspace.costs import (
    bayes_error_curve,
    expected_performance,
    rate_driven_curve,
    relative_value_curve,
)
from slow.data import F3

matplotlib = pytest.importorskip("matplotlib", reason="the extra plot is not installed")


from rocspace import plot  # noqa: E402

T3 = rs.tabulate(*F3)


def test_rate_driven_and_kendall_curves():
    curve = rate_driven_curve(T3)
    ax = plot.plot_rate_driven(curve, ax=axes())
    at, loss = xy(ax).T
    np.testing.assert_allclose(loss, curve.loss_at(at))
    guess = reference(ax, "guessing")
    np.testing.assert_allclose(guess[:, 1], 2 * guess[:, 0] * (1 - guess[:, 0]), atol=1e-12)
    best = rate_driven_curve(rs.tabulate(F3[0], [float(y) for y in F3[0]]))
    perfect = reference(ax, "perfect")
    np.testing.assert_allclose(perfect[:, 1], best.loss_at(perfect[:, 0]), atol=1e-12)
    ax = plot.plot_rate_driven(curve, ax=axes(), kendall=True)
    at, loss = xy(ax).T
    np.testing.assert_allclose(loss, curve.kendall_at(at))


def test_relative_value():
    curve = relative_value_curve(T3)
    ax = plot.plot_relative_value(curve, ax=axes(), label="score")
    np.testing.assert_array_equal(xy(ax), np.column_stack([curve.ratio, curve.value]))
    dotted = [line for line in ax.lines if line.get_linestyle() == ":"]
    assert any(np.array_equal(line.get_ydata(), curve.best) for line in dotted)
    ranks = relative_value_curve(rs.tabulate([0, 1, 0, 1], [1, 2, 3, 4]))
    drawn = xy(plot.plot_relative_value(ranks, ax=axes()))
    np.testing.assert_array_equal(drawn[:, 1], ranks.best)


def test_bayes_error():
    curve = bayes_error_curve(T3, scores="probability")
    ax = plot.plot_bayes_error(curve, ax=axes())
    np.testing.assert_array_equal(xy(ax), np.column_stack([curve.log_odds, curve.error]))
    np.testing.assert_array_equal(reference(ax, "no score")[:, 1], curve.trivial)
    ax = plot.plot_bayes_error(curve, ax=axes(), normalised=True)
    np.testing.assert_array_equal(xy(ax)[:, 1], curve.normalised)
    assert any(np.array_equal(line.get_ydata(), curve.normalised_least) for line in ax.lines)


@pytest.mark.parametrize(
    ("draw", "curve_of"),
    [
        (plot.plot_relative_value, relative_value_curve),
        (plot.plot_bayes_error, lambda table: bayes_error_curve(table, scores="probability")),
    ],
)
def test_each_line_has_its_best_line(draw, curve_of):
    ax, curve = axes(), curve_of(T3)
    for _ in range(6):  # whatever the curve is, or where in memory
        draw(curve, ax=ax)
    solid, dotted = (
        [line.get_color() for line in ax.lines if line.get_label()[:5] == start]
        for start in ("_chil", "_best")
    )
    assert len(dotted) == 6
    assert dotted == solid


def test_expected_performance():
    curve = expected_performance(T3, rs.tabulate([0, 1, 1, 0], [0.3, 0.5, 0.7, 0.6]))
    ax = plot.plot_expected_performance(curve, ax=axes())
    np.testing.assert_array_equal(xy(ax)[:, 1], curve.half_total_error)
    band = curve.interval()
    (area,) = ax.collections
    vertices = area.get_paths()[0].vertices
    assert vertices[:, 1].min() == pytest.approx(band.low.min())
    assert vertices[:, 1].max() == pytest.approx(band.high.max())
    narrow = plot.plot_expected_performance(curve, ax=axes(), level=0.5).collections[0]
    assert np.ptp(narrow.get_paths()[0].vertices[:, 1]) < np.ptp(vertices[:, 1])


def test_band_of_precision_and_recall():
    band = pr_band(T3)
    ax = plot.plot_pr_band(band, ax=axes())
    (area,) = ax.collections
    vertices = area.get_paths()[0].vertices
    assert {tuple(v) for v in np.column_stack([band.recall, band.low])} <= {
        tuple(v) for v in vertices
    }
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("Recall", "Precision")
