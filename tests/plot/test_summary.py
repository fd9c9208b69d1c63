"""The summary has the panels that a score allows."""

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
