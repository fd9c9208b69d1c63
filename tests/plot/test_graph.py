"""The ROC graph shows the numbers of its results, and so does what is added to it."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings

import rocspace as rs
from drawn import axes, on_polygon, reference, xy
from rocspace.curves.roc import RocPoints
from rocspace.granular import groc
from rocspace.hull import isometric, value_grid
from rocspace.models import fit_binormal
from slow.data import F3, F6, samples

matplotlib = pytest.importorskip("matplotlib", reason="the extra plot is not installed")


from rocspace import plot  # noqa: E402

T3 = rs.tabulate(*F3)

TIED = rs.tabulate([0, 0, 1, 1, 1, 0, 1], [1, 2, 2, 2, 3, 3, 4])


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


def test_a_legend_leaves_out_an_interval_that_says_nothing():
    fit = fit_binormal(rs.tabulate([0, 0, 1, 1, 1], [1, 3, 2, 4, 5]))
    ends = fit.auc_estimate().interval()
    assert 0 < ends.low < 1e-7
    ax = plot.plot_roc(fit, ax=axes(), label="fit")
    assert ax.get_legend().get_texts()[0].get_text() == "fit (AUC 0.851)"


def test_roc_by_hand():
    ax = plot.plot_roc(rs.roc_curve(T3), ax=axes(), label="twenty")
    assert xy(ax)[:4].tolist() == [[0, 0], [0, 0.2], [0.1, 0.2], [0.1, 0.5]]
    assert reference(ax, "chance").tolist() == [[0, 0], [1, 1]]
    assert ax.get_aspect() == 1
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("False positive rate", "True positive rate")


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


def test_an_iso_performance_line_of_costs():
    hull = rs.roc_hull(T3)
    costs = {"fp": 1, "fn": 4}
    line = plot.add_iso_performance(hull, costs=costs, prevalence=0.1, ax=axes()).lines[-2]
    slope = rs.Costs(**costs).iso_performance_slope(0.1)
    assert slope == 9 / 4
    expected = plot.add_iso_performance(hull, slope, ax=axes()).lines[-2]
    np.testing.assert_array_equal(line.get_xydata(), expected.get_xydata())
    with pytest.raises(ValueError, match="Leave one of slope and costs out"):
        plot.add_iso_performance(hull, 2, costs=costs, ax=axes())


def test_points_of_counts_and_of_rates():
    matrix = rs.ConfusionMatrix(tp=6, fp=1, fn=4, tn=9)
    ax = plot.add_points({"A": matrix, "B": (0.2, 0.9)}, ax=axes())
    assert ax.lines[-1].get_xydata().tolist() == [[0.1, 0.6], [0.2, 0.9]]
    with pytest.raises(ValueError, match="true positive rate of 'B' is 9"):
        plot.add_points({"B": (0.2, 9)}, ax=axes())


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


# --- messages and numbers ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("other", "hint"),
    [
        (T3, r"plot_roc\(roc_curve\(table\)\)"),
        ([0.1, 0.2], r"plot_roc\(roc_curve\(tabulate\(\.\.\.\)\)\)"),
        (groc(T3, 0.1), r"plot_granular\(\.\.\.\)"),
        (rs.pr_curve(T3), r"plot_pr\(\.\.\.\)"),
    ],
    ids=["table", "list", "granular", "pr"],
)
def test_what_is_not_a_curve_gets_the_line_to_write(other, hint):
    with pytest.raises(TypeError, match=f"takes a curve, not a .*Say {hint}"):
        plot.plot_roc(other, ax=axes())


def test_plots_write_numbers_as_texts_do():
    curve = rs.roc_curve(rs.tabulate([0, 1, 0, 1], [0.1, 0.3000001, 0.30000004, 0.9]))
    ax = plot.add_thresholds(curve, [np.inf, 0.9, 0.3000001, 0.30000004], ax=axes())
    assert [words.get_text() for words in ax.texts] == ["∞", "0.9", "0.3000001", "0.3"]
    falling = rs.roc_curve(rs.tabulate([1, 1, 0, 0], [1, 2, 3, 4], higher_is_positive=False))
    assert [t.get_text() for t in plot.add_thresholds(falling, [2, 4], ax=axes()).texts] == [
        "2",
        "4",
    ]
    grid = np.linspace(0, 1, 11)
    values = value_grid("accuracy", grid, grid, n_neg=1)
    drawn = plot.add_contours(grid, grid, values, ax=axes(), levels=[0.3, 0.30004, 0.7])
    words = {words.get_text() for words in drawn.texts}
    assert words <= {"0.3", "0.30004", "0.7"}
    assert "0.7" in words


def test_many_vertices_are_named_once_for_each_run():
    rng = np.random.default_rng(1)
    label = rng.random(5000) < 0.5
    hull = rs.roc_hull({"smooth": rs.tabulate(label, rng.normal(size=5000) + label)})
    assert len(hull) > 30
    ax = plot.plot_hull(hull, ax=axes(), names=True)
    words = [text.get_text() for text in ax.texts]
    assert words.count("smooth") == 1
    assert ax.lines[-1].get_marker() == "None"


def test_thresholds_are_written_as_they_were_typed_once_for_each_point():
    curve = rs.roc_curve(rs.tabulate([0, 1], [0.2, 0.8]))
    ax = plot.add_thresholds(curve, [0.505, 0.1, 0.05], ax=axes())
    assert [text.get_text() for text in ax.texts] == ["0.505", "0.1"]
    ax = plot.add_thresholds(curve, 0.512345678, ax=axes())  # as many digits as it takes
    assert [text.get_text() for text in ax.texts] == ["0.5"]
