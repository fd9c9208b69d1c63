"""Fits over the empirical curve and on probit axes show the numbers of both."""

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

import rocspace as rs
from rocspace import datasets
from rocspace.bands import roc_band
from rocspace.models import compare_models, fit_labroc, fit_rating

pytest.importorskip("matplotlib", reason="the extra plot is not installed")

from matplotlib.figure import Figure

from rocspace import plot
from rocspace.plot.axes import main_lines

RATED = rs.tabulate(datasets.load("hanley_mcneil").y_true, datasets.load("hanley_mcneil").y_score)
FIT = fit_rating(RATED)


def axes():
    return Figure().subplots()


def test_fits_lie_over_the_curve_and_its_band():
    ax = plot.plot_fits(RATED, {"rating": FIT}, ax=axes(), level=0.8)
    (drawn,) = main_lines(ax)
    x, y = drawn.get_xydata().T
    np.testing.assert_allclose(y, FIT.tpr_at(x))
    (steps,) = [line for line in ax.lines if line.get_label() == "_empirical"]
    curve = rs.roc_curve(RATED)
    assert steps.get_xydata().tolist() == np.column_stack([curve.fpr, curve.tpr]).tolist()
    band = roc_band(RATED, level=0.8)
    (area,) = ax.collections
    corners = area.get_paths()[0].vertices
    for column in (band.low, band.high):
        assert {(f, t) for f, t in zip(band.fpr, column, strict=True)} <= set(map(tuple, corners))


def test_comparisons_are_drawn_by_name_without_what_failed():
    found = compare_models(RATED, models=["rating", "beta-scores", "binormal"], n_folds=0)
    ax = plot.plot_fits(RATED, found, ax=axes(), linewidth=3)
    assert [line.get_label() for line in main_lines(ax)] == ["rating", "binormal"]
    assert {line.get_linewidth() for line in main_lines(ax)} == {3}


def test_many_fits_have_looks_of_their_own():
    ax = plot.plot_fits(RATED, {f"model {i}": FIT for i in range(8)}, ax=axes())
    looks = {(line.get_color(), str(line._unscaled_dash_pattern)) for line in main_lines(ax)}
    assert len(looks) == 8


def test_probit_axes_show_points_and_a_straight_fit():
    ax = plot.plot_probit(RATED, FIT, ax=axes())
    points, line = main_lines(ax)
    curve = rs.roc_curve(RATED)
    inside = slice(1, -1)
    np.testing.assert_allclose(ndtr(points.get_xdata()), curve.fpr[inside])
    np.testing.assert_allclose(ndtr(points.get_ydata()), curve.tpr[inside])
    a, b = FIT.parameters.values()
    np.testing.assert_allclose(line.get_ydata(), a + b * line.get_xdata(), atol=1e-7)
    for axis in (ax.xaxis, ax.yaxis):
        words = [float(text.get_text()) for text in axis.get_ticklabels()]
        np.testing.assert_allclose(ndtri(words), axis.get_ticklocs(), atol=1e-6)
        assert 0.5 in words


def test_many_points_are_a_line_and_axes_hold_two_tables():
    draws = np.random.default_rng(5)
    table = rs.tabulate_classes(draws.normal(1, 1, 200), draws.normal(0, 1, 200))
    ax = plot.plot_probit(table, fit_labroc(table), ax=axes())
    assert main_lines(ax)[0].get_linestyle() == "-"
    wide = ax.get_xlim()
    plot.plot_probit(RATED, ax=ax)
    assert ax.get_xlim() == wide


def test_a_curve_without_inner_points_has_axes_only():
    ax = plot.plot_probit(rs.tabulate_classes([3, 4], [1, 2]), ax=axes())
    assert main_lines(ax)[0].get_xydata().size == 0
    assert ax.get_xlim()[0] == pytest.approx(ndtri(0.001) - 0.25)


def test_first_mistakes():
    with pytest.raises(rs.SingleClassError, match=r"plot_probit needs .* 2 positives and 0"):
        plot.plot_probit(rs.tabulate_classes([1, 2], []), ax=axes())
    with pytest.raises(TypeError, match="takes a curve, not a ScoreTable"):
        plot.plot_fits(RATED, {"table": RATED}, ax=axes())
