"""The plot of a meta-analysis: what is drawn is what the fit says."""

import numpy as np
import pytest

from rocspace.models import fit_summary_roc

matplotlib = pytest.importorskip("matplotlib", reason="the extra plot is not installed")

from matplotlib.colors import to_rgba  # noqa: E402

from drawn import axes  # noqa: E402
from rocspace import plot  # noqa: E402
from rocspace.plot.axes import main_lines  # noqa: E402
from studies import AUDIT_C, counts  # noqa: E402

FIT = fit_summary_roc(**counts())
LEGEND = ["summary curve", "summary point", "95 % confidence region", "95 % prediction region"]
STUDY = "study, area by its cases"
OTHER = {"tp": [20, 45, 18], "fp": [5, 20, 1], "fn": [5, 5, 7], "tn": [45, 30, 49]}
ALIKE = {"tp": [9, 9, 9], "fp": [2, 2, 2], "fn": [1, 1, 1], "tn": [20, 20, 20]}


def line(ax, label):
    (found,) = [each for each in ax.lines if each.get_label() == label]
    return found


def said(ax):
    return [words.get_text() for words in ax.get_legend().get_texts()]


def test_studies_are_points_whose_area_is_by_their_cases() -> None:
    ax = plot.plot_summary_roc(FIT, ax=axes())
    tp, fn, fp, tn = AUDIT_C.T
    points = ax.collections[-1]
    places = np.column_stack([fp / (fp + tn), tp / (tp + fn)])
    assert np.asarray(points.get_offsets()) == pytest.approx(places)
    area, cases = points.get_sizes(), AUDIT_C.sum(axis=1)
    assert area.max() == pytest.approx(11**2)
    large = area > 2.5**2
    assert large.sum() >= 8
    assert area[large] / cases[large] == pytest.approx(11**2 / cases.max())
    assert points.get_facecolor().size == 0  # open: those that share a place are all seen
    assert not points.get_clip_on()  # a tpr of 1 is on the border


def test_the_curve_is_solid_over_the_studies_and_dashed_beyond() -> None:
    ax = plot.plot_summary_roc(FIT, ax=axes())
    (curve,) = main_lines(ax)
    x, y = curve.get_data()
    assert (x[0], x[-1]) == FIT.fpr_range
    assert y == pytest.approx(FIT.tpr_at(x))
    assert curve.get_linestyle() == "-"
    before, after = (each for each in ax.lines if each.get_label() == "_beyond")
    assert (before.get_xdata()[0], before.get_xdata()[-1]) == (0, FIT.fpr_range[0])
    assert (after.get_xdata()[0], after.get_xdata()[-1]) == (FIT.fpr_range[1], 1)
    for beyond in (before, after):
        assert beyond.get_ydata() == pytest.approx(FIT.tpr_at(beyond.get_xdata()))
        assert beyond.get_linestyle() == "--"
        assert beyond.get_linewidth() < curve.get_linewidth()


def test_regions_are_those_of_the_summary_point() -> None:
    ax = plot.plot_summary_roc(FIT, ax=axes(), level=0.9)
    point = FIT.summary_point
    assert line(ax, "summary point").get_xydata().tolist() == [[point.fpr, point.tpr]]
    for name, region in (
        ("confidence", point.region(0.9)),
        ("prediction", point.prediction_region(0.9)),
    ):
        drawn = line(ax, f"90 % {name} region").get_xydata()
        assert drawn == pytest.approx(np.column_stack([region.fpr, region.tpr]))
    shades = [patch.get_alpha() for patch in ax.patches]
    assert len(shades) == 2
    assert shades[0] > shades[1]
    assert line(ax, "90 % confidence region").get_linestyle() == "-"
    assert line(ax, "90 % prediction region").get_linestyle() != "-"


@pytest.mark.parametrize("method", ["binomial", "reml", "ml", "moses-littenberg"])
def test_every_method_is_drawn(method: str) -> None:
    ax = plot.plot_summary_roc(fit_summary_roc(**counts(), method=method), ax=axes())
    mean = method != "moses-littenberg"
    assert said(ax) == [*(LEGEND if mean else LEGEND[:1]), STUDY]
    assert len(ax.patches) == (2 if mean else 0)


def test_what_is_not_known_is_not_drawn() -> None:
    ax = plot.plot_summary_roc(fit_summary_roc(**ALIKE), ax=axes())
    assert said(ax) == [*LEGEND[1:], STUDY]
    empty = fit_summary_roc([9, 8, 7], [0, 0, 3], [1, 2, 3], [20, 20, 20])
    ax = plot.plot_summary_roc(empty, ax=axes())
    assert said(ax) == [*LEGEND[:3], STUDY]
    falling = fit_summary_roc([5, 8], [5, 5], [5, 2], [5, 10], method="moses-littenberg")
    with pytest.raises(ValueError, match="Only between -1 and 1 does the curve rise"):
        plot.plot_summary_roc(falling, ax=axes())


def test_two_fits_differ_in_colour_and_shape() -> None:
    ax = axes()
    plot.plot_summary_roc(FIT, ax=ax, label="AUDIT-C")
    plot.plot_summary_roc(fit_summary_roc(**OTHER), ax=ax, label="other")
    assert said(ax) == ["AUDIT-C", *LEGEND[1:], STUDY, "other"]
    first, second = main_lines(ax)
    assert to_rgba(first.get_color()) != to_rgba(second.get_color())
    circles, squares = ax.collections
    assert len(circles.get_paths()[0].vertices) != len(squares.get_paths()[0].vertices)
    handles = ax.get_legend().legend_handles
    assert [each.get_marker() for each in (handles[1], handles[-1])] == ["o", "s"]


def test_many_studies_are_smaller() -> None:
    many = {name: np.tile(column, 4) for name, column in counts().items()}
    ax = plot.plot_summary_roc(fit_summary_roc(**many, method="reml"), ax=axes())
    assert ax.collections[-1].get_sizes().max() == pytest.approx(11**2 * 15 / 56)


def test_names_stand_beside_their_studies() -> None:
    few = fit_summary_roc([47, 126, 19], [101, 672, 12], [9, 51, 10], [738, 1143, 192])
    ax = plot.plot_summary_roc(few, ax=axes(), names=["one", "two", "three"])
    assert [words.get_text() for words in ax.texts] == ["one", "two", "three"]
    long = [f"a study with a name that is longer than its place, number {i}" for i in range(14)]
    with pytest.warns(UserWarning, match="no room for the names of"):
        plot.plot_summary_roc(FIT, ax=axes(), names=long)
    with pytest.raises(ValueError, match="The fit has 14 studies, but there are 2 names"):
        plot.plot_summary_roc(FIT, ax=axes(), names=["a", "b"])


def test_another_object_is_refused_with_what_to_write() -> None:
    with pytest.raises(TypeError, match=r"Say plot_summary_roc\(fit_summary_roc\(tp, fp, fn, tn"):
        plot.plot_summary_roc(FIT.summary_point, ax=axes())
