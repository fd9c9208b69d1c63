"""The summary has the panels that a score allows."""

from itertools import combinations

import numpy as np
import pytest

import rocspace as rs
from slow.data import F3

matplotlib = pytest.importorskip("matplotlib", reason="the extra plot is not installed")

from matplotlib.figure import Figure  # noqa: E402

from rocspace import plot  # noqa: E402

T3 = rs.tabulate(*F3)


def test_summary_has_the_panels_that_fit():
    panels = plot.plot_summary(T3, figure=Figure(figsize=(10, 5)))
    every = {"scores", "roc", "pr", "det", "gains", "cost", "calibration", "decision"}
    assert set(panels) == every
    assert panels["roc"].get_title() == "ROC and hull: area 0.680"
    low = rs.tabulate(*F3, higher_is_positive=False)
    panels = plot.plot_summary(low, figure=Figure(figsize=(10, 5)))
    assert set(panels) == every - {"calibration", "decision"}
    with pytest.raises(rs.SingleClassError, match="plot_summary"):
        plot.plot_summary(rs.tabulate([1, 1], [1, 2]))


def grid_of(figure):
    return figure.axes[0].get_subplotspec().get_gridspec().get_geometry()


@pytest.mark.parametrize(
    ("size", "grid"), [((10, 5.2), (2, 4)), ((8, 6), (3, 3)), ((6, 9), (4, 2)), ((3.5, 16), (8, 1))]
)
def test_graphs_stand_in_rows_that_have_room_for_their_words(size, grid):
    figure = Figure(figsize=size)
    axes = plot.plot_summary(T3, figure=figure)
    assert grid_of(figure) == grid
    figure.draw_without_rendering()
    places = [ax.get_tightbbox() for ax in axes.values()]
    for one, other in combinations(places, 2):
        shared = np.minimum(one.max, other.max) - np.maximum(one.min, other.min)
        assert not (shared > 1.5).all()
    for place in places:
        assert place.x0 > -1
        assert place.x1 < figure.bbox.x1 + 1


def test_a_figure_too_small_for_the_words_is_told_a_size_that_is_not():
    small = Figure(figsize=(3.35, 3.2))
    with pytest.warns(UserWarning, match="8 graphs have no room.*at least 4 by 15 inches"):
        plot.plot_summary(T3, figure=small)
    plot.plot_summary(T3, figure=Figure(figsize=(4, 15)))
