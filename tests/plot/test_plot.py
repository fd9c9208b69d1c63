"""Plots show their result's numbers, keep to the rules, and make small files."""

import io
import re
import sys
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings

import rocspace as rs
import slow.counts
import slow.curves
import slow.data
from rocspace import datasets
from rocspace.calibrate import fit_binning, fit_isotonic, fit_platt
from rocspace.costs import (
    Triangle,
    cost_curve,
    cost_difference,
    cost_lines,
    decision_curve,
    net_benefit,
    relative_superiority,
)
from rocspace.curves import det_curve, det_position, gains_curve, prg_curve
from rocspace.curves.roc import RocPoints
from rocspace.hull import isometric, value_grid
from slow.data import F3, F6, samples

matplotlib = pytest.importorskip("matplotlib", reason="the extra plot is not installed")

from matplotlib import pyplot as plt  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402

from rocspace import plot  # noqa: E402

T3 = rs.tabulate(*F3)
TIED = rs.tabulate([0, 0, 1, 1, 1, 0, 1], [1, 2, 2, 2, 3, 3, 4])


def axes():
    return Figure().subplots()


def main(ax):
    """The lines that results have, reference lines and marks left out."""
    return [line for line in ax.lines if not str(line.get_label()).startswith("_") or owned(line)]


def owned(line):
    from rocspace.plot.axes import _MAIN

    return line in _MAIN


def xy(ax, i=-1):
    return main(ax)[i].get_xydata()


def reference(ax, start):
    (found,) = [line for line in ax.lines if str(line.get_label()).startswith(f"_{start}")]
    return found.get_xydata()


# --- what is drawn is what was found ------------------------------------------------------------


def on_polygon(corners, points):
    """Tell which points lie on a chain of segments."""
    corners, points = np.asarray(corners), np.asarray(points)
    found = np.zeros(len(points), dtype=bool)
    for a, b in pairwise(corners):
        d = b - a
        off = np.abs(d[0] * (points[:, 1] - a[1]) - d[1] * (points[:, 0] - a[0]))
        low, high = np.minimum(a, b) - 1e-12, np.maximum(a, b) + 1e-12
        found |= (off < 1e-12) & ((points >= low) & (points <= high)).all(axis=1)
    return found


@given(sample=samples())
@settings(max_examples=25)
def test_roc_line_is_the_curve_without_what_is_straight(sample):
    label, score = sample
    curve = rs.roc_curve(rs.tabulate(label, score))
    drawn = xy(plot.plot_roc(curve, ax=axes()))
    # Nothing is lost: every point of the curve lies on the line, and the line turns at each.
    assert on_polygon(drawn, np.column_stack([curve.fpr, curve.tpr])).all()
    every = {(f, t) for f, t in zip(curve.fpr, curve.tpr, strict=True)}
    assert {tuple(point) for point in drawn.tolist()} <= every
    exact = [[Fraction(x).limit_denominator(10**4) for x in point] for point in drawn.tolist()]
    for (x0, y0), (x1, y1), (x2, y2) in zip(exact, exact[1:], exact[2:], strict=False):
        assert (x1 - x0) * (y2 - y1) != (y1 - y0) * (x2 - x1)


def test_roc_by_hand():
    ax = plot.plot_roc(rs.roc_curve(T3), ax=axes(), label="twenty")
    assert xy(ax)[:4].tolist() == [[0, 0], [0, 0.2], [0.1, 0.2], [0.1, 0.5]]
    assert reference(ax, "chance").tolist() == [[0, 0], [1, 1]]
    assert ax.get_aspect() == 1
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("False positive rate", "True positive rate")


def test_pr_bends_between_points():
    # 1 positive above, then 1 positive and 4 negatives tied: at recall 3/4 the counts are
    # 1.5 true and 2 false positives, so the precision is 3/7; a straight line has 2/3.
    curve = rs.pr_curve(rs.tabulate([1, 1, 0, 0, 0, 0], [2, 1, 1, 1, 1, 1]))
    drawn = xy(plot.plot_pr(curve, ax=axes()))
    assert np.interp(0.75, *drawn.T) == pytest.approx(3 / 7, abs=1e-3)
    assert drawn[0].tolist() == [0, 1]
    assert drawn[-1].tolist() == [1, 1 / 3]


@given(sample=samples())
@settings(max_examples=25)
def test_pr_line_follows_the_definition(sample):
    label, score = sample
    table = rs.tabulate(label, score)
    ax = plot.plot_pr(rs.pr_curve(table), ax=axes())
    drawn, corners = xy(ax), slow.counts.sweep(label, score)
    P = corners[-1][0]
    assert (np.diff(drawn[:, 0]) >= 0).all()
    for recall, precision in drawn.tolist():
        at = [(tp, fp) for tp, fp, _ in corners if tp + fp and recall == float(tp / P)]
        allowed = [tp / (tp + fp) for tp, fp in at]
        if recall in (0, 1) or allowed:  # at a vertical run any of its precisions
            first = next((tp, fp) for tp, fp, _ in corners if tp + fp)
            allowed.append(first[0] / sum(first) if recall == 0 else 0)
            assert any(precision == pytest.approx(float(p), abs=1e-12) for p in allowed)
        else:
            expected = slow.curves.precision_along(corners, Fraction(recall) * P)
            assert precision == pytest.approx(float(expected), abs=1e-9)
    assert reference(ax, "prevalence")[:, 1].tolist() == [table.prevalence] * 2


def test_prg_det_gains_and_lift_show_their_points():
    prg = prg_curve(T3)
    drawn = xy(plot.plot_prg(prg, ax=axes()))
    np.testing.assert_array_equal(drawn, np.column_stack([prg.recall_gain, prg.precision_gain]))
    det = det_curve(T3)
    ax = plot.plot_det(det, ax=axes())
    assert on_polygon(xy(ax), np.column_stack([det.x, det.y])).all()
    assert ax.get_xlim() == ax.get_ylim()
    ticks = dict(zip((t.get_text() for t in ax.get_xticklabels()), ax.get_xticks(), strict=True))
    assert ticks["20"] == det_position(0.2)
    assert ticks["50"] == 0
    gains = gains_curve(T3)
    ax = plot.plot_gains(gains, ax=axes())
    assert on_polygon(xy(ax), np.column_stack([gains.depth, gains.tpr])).all()
    assert reference(ax, "perfect").tolist() == [[0, 0], [0.5, 1], [1, 1]]
    drawn = xy(plot.plot_lift(gains, ax=axes()))
    assert drawn[0].tolist() == [0.05, 2]  # the first of twenty, half of them positive
    np.testing.assert_allclose(drawn[:, 1], gains.lift_at(drawn[:, 0]), rtol=1e-12)


@pytest.mark.parametrize("scale", ["probit", "logit", "log"])
def test_det_bends_where_classes_tie(scale):
    # All tie: the curve is the mixture fnr = 1 - fpr, which is straight as a probit only.
    curve = det_curve(rs.tabulate([0] * 40 + [1] * 40, [1] * 80), scale=scale)
    ax = plot.plot_det(curve, ax=axes())
    for share in (0.2, 0.5, 0.7):
        place = det_position(share, scale=scale)
        at = np.interp(place, *xy(ax).T)
        assert at == pytest.approx(det_position(1 - share, scale=scale), abs=0.03)


def test_det_without_a_place_for_zero():
    ax = plot.plot_det(det_curve(T3, limits="drop"), ax=axes())
    assert np.isnan(xy(ax)).any()
    assert np.isfinite(ax.get_xlim()).all()


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


@pytest.mark.parametrize("fit", [fit_isotonic, fit_platt, lambda t: fit_binning(t, bins=4)])
def test_calibration_is_what_would_be_predicted(fit):
    table = rs.tabulate(F3[0], F3[1])
    calibration = fit(table)
    drawn = xy(plot.plot_calibration(calibration, ax=axes()))
    assert (np.diff(drawn[:, 0]) >= 0).all()
    for score in table.score.tolist():
        near = drawn[np.abs(drawn[:, 0] - score) < 1e-12][:, 1]
        low, high = (near.min(), near.max()) if near.size else (2, -2)
        value = float(calibration.predict([score])[0])
        assert low <= value <= high or np.interp(score, *drawn.T) == pytest.approx(value, abs=1e-3)


def test_scores_are_counted_by_class():
    ax = plot.plot_scores(rs.ScoreTable.from_counts([1, 2, 4], [1, 1, 2], [5, 0, 5]), ax=axes())
    positive, negative = (line.get_xydata() for line in main(ax))
    assert positive[1:-1:2].tolist() == [[0.5, 0.25], [1.5, 0.25], [3, 0.5]]
    assert negative[1:-1:2].tolist() == [[0.5, 0.5], [1.5, 0], [3, 0.5]]
    # Bins: shares of each class add up to 1, weights count, infinite scores are left out.
    rng = np.random.default_rng(2)
    label, weight = rng.random(500) < 0.3, rng.random(500)
    ax = plot.plot_scores(rs.tabulate(label, rng.normal(size=500), sample_weight=weight), ax=axes())
    assert all(sum(line.get_ydata()[1:-1:2]) == pytest.approx(1) for line in main(ax))
    ax = plot.plot_scores(rs.tabulate([0, 1, 1, 0], [0, 1, np.inf, -np.inf]), ax=axes())
    assert max(main(ax)[0].get_ydata()) == 0.5


# --- what is added to the ROC graph -------------------------------------------------------------


def test_hull_and_iso_performance_lines():
    hull = rs.roc_hull(T3)
    ax = plot.plot_hull(hull, ax=axes(), names=True)
    np.testing.assert_array_equal(xy(ax), np.column_stack([hull.fpr, hull.tpr]))
    assert len(ax.texts) == len(hull)
    for slope in (0, 0.3, 1, 4, np.inf):
        ax = plot.add_iso_performance(hull, slope, ax=axes(), text="best")
        line, touch = ax.lines[-2].get_xydata(), ax.lines[-1].get_xydata()
        best = hull.optimal(slope)[0]
        assert touch.tolist() == [[hull.fpr[best], hull.tpr[best]]]
        assert ((line >= -1e-12) & (line <= 1 + 1e-12)).all()
        (f0, t0), (f1, t1) = line
        if np.isinf(slope):
            assert f0 == f1 == touch[0, 0]
            continue
        assert t1 - t0 == pytest.approx(slope * (f1 - f0))
        assert touch[0, 1] - t0 == pytest.approx(slope * (touch[0, 0] - f0))
        assert (hull.tpr - slope * hull.fpr <= t0 - slope * f0 + 1e-12).all()


def test_points_and_thresholds():
    ax = plot.add_points({"A": rs.point_at(T3, 0.54), "B": RocPoints(fpr=0.7, tpr=0.7)}, ax=axes())
    assert ax.lines[-1].get_xydata().tolist() == [[0.1, 0.5], [0.7, 0.7]]
    assert [text.get_text() for text in ax.texts] == ["A", "B"]
    curve = rs.roc_curve(T3)
    ax = plot.plot_roc(curve, ax=axes(), color="black")
    plot.add_thresholds(curve, [0.9, 0.53], ax=ax, text="{:.2f}")
    found = curve.at_threshold([0.9, 0.53])
    np.testing.assert_array_equal(ax.lines[-1].get_xdata(), found.fpr)
    np.testing.assert_array_equal(ax.lines[-1].get_ydata(), found.tpr)
    assert ax.lines[-1].get_color() == "black"
    assert [text.get_text() for text in ax.texts] == ["0.90", "0.53"]
    assert len(plot.add_thresholds(curve, 0.9, ax=axes()).texts) == 1


def test_tie_rectangles():
    # Fawcett's figure 6: all tie, so the rectangle is the whole square.
    (box,) = plot.add_ties(rs.roc_curve(rs.tabulate(*F6)), ax=axes()).collections
    (path,) = box.get_paths()
    assert path.vertices[:4].tolist() == [[0, 0], [1, 0], [1, 1], [0, 1]]
    # Two scores that both classes have; areas add up to the width of the tie bounds.
    boxes = plot.add_ties(rs.roc_curve(TIED), ax=axes()).collections[0].get_paths()
    sides = [np.ptp(path.vertices, axis=0) for path in boxes]
    assert len(sides) == 2
    assert sum(w * h for w, h in sides) == pytest.approx(rs.auc_bounds(TIED).width)
    with pytest.raises(ValueError, match="needs them all"):
        plot.add_ties(rs.roc_curve(T3, collinear="drop"), ax=axes())


def test_isometrics_and_contours():
    line = isometric("accuracy", 0.1, 0.5)
    ax = plot.add_isometric(line, ax=axes())
    np.testing.assert_array_equal(ax.lines[-1].get_xydata(), np.column_stack([line.fpr, line.tpr]))
    assert ax.texts[0].get_text() == "0.7"
    bent = isometric("matthews", 0.2, 0.5)
    assert len(plot.add_isometric(bent, ax=axes(), text="").lines[-1].get_xdata()) == bent.fpr.size
    grid = np.linspace(0, 1, 21)
    values = value_grid("ppv", grid, grid, n_neg=2)  # nan at (0, 0)
    ax = plot.add_contours(grid, grid, values, ax=axes(), levels=[0.5])
    (path,) = ax.collections[0].get_paths()
    x, y = path.vertices[path.vertices[:, 0] > 0.05].T  # beside the undefined corner
    np.testing.assert_allclose(y, 2 * x, atol=0.02)  # t / (t + 2 f) = 1/2
    assert len(x) > 4


# --- the summary --------------------------------------------------------------------------------


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


# --- the rules of all plots ---------------------------------------------------------------------


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


def boxes_of(ax):
    return [text.get_window_extent() for text in ax.texts]


def test_labels_cover_neither_lines_nor_each_other():
    data = datasets.load("uci_scores").where("dataset", "sonar")
    ax = axes()
    for name in data.scores:
        curve = rs.roc_curve(rs.tabulate(data.y_true, data.columns[name]))
        plot.plot_roc(curve, ax=ax, label=name)
    plot.label_lines(ax)
    boxes = boxes_of(ax)
    assert [text.get_text() for text in ax.texts] == list(data.scores)
    for i, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[:i])
        inside = ax.get_window_extent()
        assert inside.x0 <= box.x0 <= box.x1 <= inside.x1
        assert inside.y0 <= box.y0 <= box.y1 <= inside.y1
        for line in main(ax):
            path = line.get_path().transformed(line.get_transform())
            assert not path.intersects_bbox(box, filled=False)


def test_lines_without_a_label_get_none():
    ax = plot.plot_roc(rs.roc_curve(T3), ax=axes())
    assert not plot.label_lines(ax).texts
    assert not plot.label_lines(plot.plot_scores(T3, ax=axes()), only=[]).texts
    assert len(plot.label_lines(plot.plot_scores(T3, ax=axes()), fontsize=5).texts) == 2


# --- journals and files -------------------------------------------------------------------------


def test_style_is_for_the_block_only():
    before = dict(matplotlib.rcParams)
    with plot.style("double", font_size=6.5):
        figure = plt.figure()
        assert figure.get_figwidth() == 7
        assert matplotlib.rcParams["font.size"] == 6.5
    plt.close(figure)
    assert dict(matplotlib.rcParams) == before
    with pytest.raises(ValueError, match="columns"), plot.style("triple"):
        pass
    with pytest.raises(ValueError, match="font_sise"), plot.style(font_sise=3):
        pass


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
