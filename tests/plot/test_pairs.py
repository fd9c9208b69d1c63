"""The matrix of the curves of pairs."""

from itertools import pairwise

import numpy as np
import pytest

from rocspace import auc, delong, roc_curve
from rocspace.counts import SingleClassError
from rocspace.inference import clustered_auc_estimate
from rocspace.multiclass import multiclass_scores, pairwise_areas

pytest.importorskip("matplotlib", reason="the extra plot is not installed")

from matplotlib.figure import Figure

from rocspace import pair_scores
from rocspace.plot import plot_pairwise_curves, style

RNG = np.random.default_rng(7)


def data(k, per=30, names=None, **more):
    y = np.repeat(np.arange(k), per)
    p = RNG.dirichlet(np.ones(k), y.size) + 0.3 * np.eye(k)[y]
    labels = [f"k{i:02}" for i in range(k)] if names is None else names
    return multiclass_scores(np.array(labels)[y], p, classes=labels, **more)


def drawn(found, **more):
    return plot_pairwise_curves(found, figure=Figure(figsize=(6, 6)), **more)


def said(ax):
    return [text.get_text() for text in ax.texts]


def test_each_ordered_pair_has_its_curve_and_its_area():
    found = data(3)
    panels = drawn(found, level=0.9)
    assert set(panels) == {(a, b) for a in found.classes for b in found.classes if a != b}
    for (first, second), ax in panels.items():
        table = found.table(first, second)
        curve = roc_curve(table, collinear="drop")
        line = ax.lines[-1]
        assert np.array_equal(line.get_xdata(), curve.fpr)
        assert np.array_equal(line.get_ydata(), curve.tpr)
        low, high = delong(table).interval(0.9)
        (words,) = said(ax)
        value, _, limits = words.partition("\n")
        assert float(value) == pytest.approx(auc(table), abs=6e-4)
        assert [float(end) for end in limits.split("–")] == pytest.approx([low, high], abs=6e-4)


def test_a_panel_stands_in_the_row_of_its_positives():
    panels = drawn(data(3))
    places = {pair: ax.get_subplotspec() for pair, ax in panels.items()}
    for (first, second), at in places.items():
        assert at.rowspan.start == int(first[1:])
        assert at.colspan.start == int(second[1:])
    diagonal = [ax for ax in panels["k00", "k01"].figure.axes if ax not in panels.values()]
    assert [said(ax) for ax in diagonal] == [[f"k{i:02}", "30 cases"] for i in range(3)]


def test_harder_pairs_are_darker():
    found = data(3)
    panels = drawn(found)
    shade = {pair: ax.get_facecolor()[0] for pair, ax in panels.items()}
    area = {pair: auc(found.table(*pair)) for pair in panels}
    assert sorted(shade, key=shade.get) == sorted(area, key=area.get)
    exact = multiclass_scores(["a", "b"] * 3, np.eye(2)[[0, 1] * 3], classes=["a", "b"])
    assert drawn(exact)["a", "b"].get_facecolor()[:3] == (1, 1, 1)


def test_of_many_classes_the_hardest_are_drawn():
    found = data(9, 12)
    panels = drawn(found)
    kept = {label for pair in panels for label in pair}
    assert len(kept) == 8
    pairs = pairwise_areas(found).estimates
    ranked = sorted(pairs, key=lambda pair: pairs[pair].value)
    assert set(ranked[0]) | set(ranked[1]) <= kept
    figure = next(iter(panels.values())).figure
    assert figure.get_suptitle() == "8 of 9 classes, those of the hardest pairs"
    assert not drawn(data(3, 9))["k00", "k01"].figure.get_suptitle()


def test_classes_can_be_chosen_in_any_order():
    panels = drawn(data(4), classes=["k03", "k01"])
    assert list(panels) == [("k03", "k01"), ("k01", "k03")]
    assert panels["k03", "k01"].get_subplotspec().rowspan.start == 0
    assert not panels["k03", "k01"].figure.get_suptitle()


@pytest.mark.parametrize("k", [3, 7])
def test_words_stay_inside_their_panels(k):
    names = [f"a class of $x^2$ with a very long name, number {i}" for i in range(k)]
    with style("double", figure_figsize=(7, 7)):
        panels = plot_pairwise_curves(data(k, 3, names), figure=Figure(figsize=(7, 7)))
        figure = next(iter(panels.values())).figure
        figure.draw_without_rendering()
        for ax in figure.axes:
            box = ax.get_window_extent()
            assert box.width == pytest.approx(box.height, rel=0.01)
            for text in ax.texts:
                inner = text.get_window_extent()
                assert box.x0 - 2 <= inner.x0
                assert inner.x1 <= box.x1 + 2
                assert box.y0 - 2 <= inner.y0
                assert inner.y1 <= box.y1 + 2


def test_numbers_that_would_be_too_small_are_left_out():
    panels = plot_pairwise_curves(data(4, 3), figure=Figure(figsize=(1.5, 1.5)))
    assert not any(said(ax) for ax in panels.values())


def test_a_curve_below_the_diagonal_has_its_words_above():
    turned = multiclass_scores([0, 0, 1, 1], [[0.1, 0.9], [0.2, 0.8], [0.9, 0.1], [0.8, 0.2]])
    (text,) = drawn(turned)[0, 1].texts
    assert text.get_position() == (0.03, 0.95)


def test_clusters_widen_the_intervals():
    alone = data(2, 40)
    cluster = np.arange(80) // 8  # of one class each
    same = multiclass_scores(
        [alone.classes[i] for i in alone.label],
        {label: alone.column(label) for label in alone.classes},
        cluster=cluster,
    )
    words = said(drawn(same)["k00", "k01"])[0]
    paired = pair_scores(same.label == 0, {"k00": same.column("k00")}, cluster=cluster)
    ends = clustered_auc_estimate(paired).interval(0.95)
    found = [float(end) for end in words.partition("\n")[2].split("–")]
    assert found == pytest.approx([ends.low, ends.high], abs=6e-4)
    assert words != said(drawn(alone)["k00", "k01"])[0]


def test_classes_without_cases_are_left_out_with_a_warning():
    labels = ["a", "b", "c"]
    found = multiclass_scores(["a", "b"] * 9, RNG.random((18, 3)), classes=labels)
    with pytest.warns(UserWarning, match="No case is of class 'c'"):
        assert set(drawn(found)) == {("a", "b"), ("b", "a")}
    with (
        pytest.warns(UserWarning, match="No case"),
        pytest.raises(ValueError, match="classes has 'c' without cases"),
    ):
        drawn(found, classes=["a", "c"])


def test_a_small_figure_has_fewer_classes_and_shorter_numbers():
    with style("single"):
        figure = Figure(figsize=(3.35, 3.2))
        panels = plot_pairwise_curves(data(12, 6), figure=figure)
        figure.draw_without_rendering()
        assert figure.get_suptitle() == "5 of 12 classes, those of the hardest pairs"
        words = [text for ax in panels.values() for text in ax.texts]
        assert len(words) == 20
        assert all("–" not in text.get_text() for text in words)
        for text in words:
            inner, box = text.get_window_extent(), text.axes.get_window_extent()
            assert box.x0 - 1 <= inner.x0
            assert inner.x1 <= box.x1 + 1
        below = [ax for ax in panels.values() if ax.xaxis.get_ticklabels()]
        numbers = [text for ax in below for text in ax.get_xticklabels() if text.get_text()]
        boxes = sorted((text.get_window_extent() for text in numbers), key=lambda box: box.x0)
        assert all(a.x1 <= b.x0 for a, b in pairwise(boxes))


def test_long_names_are_not_broken_inside_a_number():
    names = [f"a gradient boosting with {n} trees" for n in (50, 100, 200)]
    panels = drawn(data(3, names=names))
    diagonal = [ax for ax in panels[names[0], names[1]].figure.axes if ax not in panels.values()]
    for ax, n in zip(diagonal, (50, 100, 200), strict=True):
        assert str(n) in said(ax)[0].replace("\n", " ").split()


def test_mistakes_are_named():
    with pytest.raises(TypeError, match="plot_pairwise_curves takes MulticlassScores"):
        plot_pairwise_curves([1, 2])
    with pytest.raises(ValueError, match=r"classes has 1 of them\. Choose 2 to 12"):
        drawn(data(3), classes=["k00"])
    with pytest.raises(ValueError, match="classes has 13 of them"):
        drawn(data(13, 3), classes=[f"k{i:02}" for i in range(13)])
    with pytest.raises(ValueError, match="class"):
        drawn(data(3), classes=["k00", "other"])
    with pytest.raises(
        SingleClassError,
        match=r"plot_pairwise_curves needs cases of two classes .* the only case is 'a'",
    ):
        drawn(multiclass_scores(["a"], [[1, 0]], classes=["a", "b"]))
