"""The rules of all plots: looks, axes that are kept, small files."""

import io
import re
import sys

import numpy as np
import pytest

import rocspace as rs
from drawn import axes, main
from rocspace.calibrate import fit_isotonic
from rocspace.costs import (
    bayes_error_curve,
    cost_curve,
    cost_difference,
    decision_curve,
    expected_performance,
    rate_driven_curve,
    relative_value_curve,
)
from rocspace.curves import det_curve, gains_curve, prg_curve
from slow.data import F3

matplotlib = pytest.importorskip("matplotlib", reason="the extra plot is not installed")

from matplotlib import pyplot as plt  # noqa: E402

from rocspace import plot  # noqa: E402

T3 = rs.tabulate(*F3)

TIED = rs.tabulate([0, 0, 1, 1, 1, 0, 1], [1, 2, 2, 2, 3, 3, 4])

RESULTS = {
    "roc": (plot.plot_roc, rs.roc_curve(T3)),
    "hull": (plot.plot_hull, rs.roc_hull(T3)),
    "pr": (plot.plot_pr, rs.pr_curve(T3)),
    "prg": (plot.plot_prg, prg_curve(T3)),
    "det": (plot.plot_det, det_curve(T3)),
    "gains": (plot.plot_gains, gains_curve(T3)),
    "lift": (plot.plot_lift, gains_curve(T3)),
    "cost": (plot.plot_cost_curve, cost_curve(T3)),
    "difference": (plot.plot_cost_difference, cost_difference(cost_curve(T3), cost_curve(TIED))),
    "decision": (plot.plot_decision, decision_curve(T3)),
    "calibration": (plot.plot_calibration, fit_isotonic(T3)),
    "rate driven": (plot.plot_rate_driven, rate_driven_curve(T3)),
    "relative value": (plot.plot_relative_value, relative_value_curve(T3)),
    "Bayes error": (plot.plot_bayes_error, bayes_error_curve(T3, scores="probability")),
    "performance": (plot.plot_expected_performance, expected_performance(T3, T3)),
}


@pytest.mark.parametrize("name", RESULTS)
def test_every_plot_keeps_the_rules(name):
    draw, result = RESULTS[name]
    before = dict(matplotlib.rcParams)
    ax = axes()
    assert draw(result, ax=ax, c="#123456", lw=3, label="mine") is ax
    (line,) = [line for line in ax.lines if line.get_label() == "mine"]
    assert (line.get_color(), line.get_linewidth()) == ("#123456", 3)
    # A second result has a look of its own and leaves the axes as the user set them.
    ax.set(xlim=(0.1, 0.5), xlabel="mine")
    draw(result, ax=ax)
    one, two = main(ax)
    assert one.get_linestyle() != two.get_linestyle()
    assert ax.get_xlabel() == "mine"
    if name != "det":  # whose limits grow with what is drawn
        assert ax.get_xlim() == (0.1, 0.5)
    assert dict(matplotlib.rcParams) == before
    assert plt.get_fignums() == []


def test_without_axes_the_current_ones_are_used():
    _, ax = plt.subplots()
    try:
        assert plot.plot_roc(rs.roc_curve(T3)) is ax
        assert plot.label_lines() is ax
    finally:
        plt.close("all")


def luminance(colour):
    r, g, b = matplotlib.colors.to_rgb(colour)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def test_looks_differ_without_colour():
    from rocspace.plot.axes import LOOKS

    assert len({str(dashes) for _, dashes in LOOKS}) == len(LOOKS)
    assert len({colour for colour, _ in LOOKS}) == len(LOOKS)
    assert all(luminance(colour) < 0.7 for colour, _ in LOOKS)  # dark enough on white


def test_twelve_lines_differ_in_grey():
    ax = axes()
    for _ in range(21):
        plot.plot_roc(rs.roc_curve(T3), ax=ax)
    looks = [(line._dash_pattern[1], line.get_marker()) for line in main(ax)]
    assert len({str(look) for look in looks}) == 21
    assert [line.get_marker() for line in main(ax)[:7]] == ["None"] * 7


def test_another_kind_of_graph_has_axes_of_its_own():
    try:
        first = plot.plot_roc(rs.roc_curve(T3))
        assert plot.plot_hull(rs.roc_hull(T3)) is first
        other = plot.plot_pr(rs.pr_curve(T3))
        assert other is not first
        assert other.figure is not first.figure
        assert plot.plot_pr(rs.pr_curve(TIED)) is other
        assert plot.plot_det(det_curve(T3)) is not other
        # What was asked for is done, and axes of the user's own are taken.
        assert plot.plot_pr(rs.pr_curve(T3), ax=first) is first
        _, mine = plt.subplots()
        mine.set_xlabel("mine")
        assert plot.plot_lift(gains_curve(T3)) is mine
    finally:
        plt.close("all")


def test_ticks_are_written_alike():
    ax = plot.plot_lift(gains_curve(T3), ax=axes())
    ax.figure.draw_without_rendering()
    written = [tick.get_text() for axis in (ax.xaxis, ax.yaxis) for tick in axis.get_ticklabels()]
    assert "0.5" in written
    assert not any("." in text and text.endswith("0") for text in written)
    ax = plot.plot_scores(rs.tabulate([0, 1, 0, 1], [1e9, 2e9, 3e9, 4e9]), ax=axes())
    ax.figure.draw_without_rendering()
    assert ax.xaxis.get_offset_text().get_text() == "1e9"


@pytest.fixture(scope="module")
def million():
    rng = np.random.default_rng(1)
    label = rng.random(10**6) < 0.5
    return rs.tabulate(label, rng.normal(size=10**6) + label)


@pytest.mark.parametrize(
    ("draw", "make"),
    [
        (plot.plot_roc, rs.roc_curve),
        (plot.plot_pr, rs.pr_curve),
        (plot.plot_det, det_curve),
        (plot.plot_gains, gains_curve),
        (plot.plot_lift, gains_curve),
    ],
    ids=["roc", "pr", "det", "gains", "lift"],
)
def test_files_of_a_million_scores_are_small(million, draw, make):
    ax = draw(make(million), ax=axes())
    for kind in ("pdf", "svg"):
        file = io.BytesIO()
        ax.figure.savefig(file, format=kind)
        assert len(file.getvalue()) < 120_000, kind


def test_an_svg_shows_the_curve_within_half_a_pixel(million):
    """What a renderer leaves out of a long path is too small to be seen."""
    curve = rs.roc_curve(million)
    ax = plot.plot_roc(curve, ax=axes())
    ax.lines[-1].set_gid("curve")
    file = io.StringIO()
    ax.figure.savefig(file, format="svg")
    path = re.search(r'<g id="curve">\s*<path d="([^"]+)"', file.getvalue())[1]
    points = np.array([pair.split() for pair in re.findall(r"[ML] ([-\d. ]+)", path)], dtype=float)
    # The vertices of the file, back in data units, against the exact curve.
    high = ax.figure.get_figheight() * 72
    points = np.column_stack([points[:, 0], high - points[:, 1]]) * ax.figure.dpi / 72
    f, t = ax.transData.inverted().transform(points).T
    pixel = 1 / ax.get_window_extent().height
    inside = (f > 0) & (f < 1)
    assert inside.sum() > 100
    nearest = np.minimum(
        np.abs(curve.tpr_at(np.clip(f, 0, 1)) - t), np.abs(curve.fpr_at(np.clip(t, 0, 1)) - f)
    )
    assert nearest[inside].max() < 0.5 * pixel


class Absent:
    """A finder that knows that matplotlib is not there."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == "matplotlib":
            raise ModuleNotFoundError(name=name)


def test_without_matplotlib_the_cure_is_named(monkeypatch):
    for name in ("matplotlib", "matplotlib.pyplot"):
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [Absent, *sys.meta_path])
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'rocspace\[plot\]'"):
        plot.plot_roc(rs.roc_curve(T3))
