"""Plots of more than two classes."""

import numpy as np
import pytest

from rocspace import roc_curve
from rocspace.multiclass import (
    multiclass_scores,
    one_vs_rest_estimate,
    pairwise_areas,
)

pytest.importorskip("matplotlib", reason="the extra plot is not installed")

from matplotlib.figure import Figure

from rocspace.counts import SingleClassError
from rocspace.plot import plot_one_vs_rest, plot_pairwise, plot_ternary, style

RNG = np.random.default_rng(4)


def data(k, n=120, names=None):
    y = np.arange(n) % k
    p = RNG.dirichlet(np.ones(k), n) + 0.2 * np.eye(k)[y]
    labels = [f"k{i:02}" for i in range(k)] if names is None else names
    return multiclass_scores(np.array(labels)[y], p / 1.2, classes=labels)


@pytest.fixture
def ax():
    return Figure().subplots()


def legend_of(ax):
    found = ax.get_legend() or ax.figure.legends[0]
    return [text.get_text() for text in found.get_texts()]


def test_each_class_has_its_curve_its_band_and_its_area(ax):
    found = data(3)
    plot_one_vs_rest(found, ax=ax)
    curves = [line for line in ax.lines if not line.get_label().startswith("_")]
    for label, line in zip(found.classes, curves, strict=True):
        curve = roc_curve(found.table(label), collinear="drop")
        assert np.array_equal(line.get_xdata(), curve.fpr)
        assert np.array_equal(line.get_ydata(), curve.tpr)
    assert len(ax.collections) == 3
    areas = one_vs_rest_estimate(found, average=None)
    for words, (label, area) in zip(legend_of(ax), areas.items(), strict=True):
        assert words.startswith(f"{label}: {area.value:.2f}"[:8])
        assert " to " in words


@pytest.mark.parametrize(("k", "bands", "shaded"), [(5, None, 0), (5, True, 5), (3, False, 0)])
def test_bands_are_for_few_classes_unless_asked_for(ax, k, bands, shaded):
    plot_one_vs_rest(data(k), ax=ax, bands=bands)
    assert len(ax.collections) == shaded


@pytest.mark.parametrize("columns", ["single", "double"])
@pytest.mark.parametrize("k", [3, 12])
def test_long_names_leave_room_for_the_curves(columns, k):
    names = [f"a class with a very long name, number {i}" for i in range(k)]
    with style(columns):
        figure = Figure(layout="constrained")
        ax = plot_one_vs_rest(data(k, names=names), ax=figure.subplots())
        figure.draw_without_rendering()
        box = ax.get_window_extent()
        assert min(box.width, box.height) > 0.4 * figure.bbox.height
        (legend,) = figure.legends
        assert not legend.get_window_extent().overlaps(box)
    said = legend_of(ax)
    assert len(set(said)) == k
    assert max(len(words.partition(":")[0]) for words in said) <= 24


def test_the_matrix_has_the_mean_of_both_directions(ax):
    found = data(4)
    pairs = pairwise_areas(found)
    plot_pairwise(pairs, ax=ax)
    image = ax.images[0].get_array()
    assert image.shape == (3, 3)
    for (first, second), area in pairs.estimates.items():
        i, j = (found.classes.index(label) for label in (first, second))
        assert image[j - 1, i] == area.value
    assert [each.get_text() for each in ax.get_xticklabels()] == ["k00", "k01", "k02"]
    assert [each.get_text() for each in ax.get_yticklabels()] == ["k01", "k02", "k03"]
    assert np.ma.count_masked(image) == 3
    assert all("–" in text.get_text() for text in ax.texts)


def test_the_matrix_takes_scores_too(ax):
    found = data(3)
    plot_pairwise(found, ax=ax)
    mean = pairwise_areas(found).estimates["k00", "k01"].value
    assert ax.images[0].get_array()[0, 0] == mean


def test_many_classes_have_numbers_and_more_a_scale(ax):
    plot_pairwise(data(12), ax=ax)
    assert all(len(text.get_text()) < 5 for text in ax.texts)
    exact = multiclass_scores(range(12), np.eye(12))
    perfect = plot_pairwise(exact, ax=Figure().subplots())
    assert {text.get_text() for text in perfect.texts} == {"1"}
    other = plot_pairwise(data(18, 180), ax=Figure().subplots())
    assert not other.texts
    assert len(other.figure.axes) == 2


def test_words_in_cells_are_legible(ax):
    plot_pairwise(data(6, 60), ax=ax, vmin=0, cmap="Greys")
    image = ax.images[0]
    for text in ax.texts:
        x, y = map(int, text.get_position())
        light = np.mean(image.cmap(image.norm(image.get_array()[y, x]))[:3])
        assert (text.get_color() == "white") == (light < 0.5)


def test_classes_without_cases_are_left_out(ax):
    labels = ["a", "b", "c", "d"]
    found = multiclass_scores(["a", "b", "d"] * 9, RNG.random((27, 4)), classes=labels)
    with pytest.warns(UserWarning, match="No case is of class"):
        plot_pairwise(found, ax=ax)
    assert [each.get_text() for each in ax.get_xticklabels()] == ["a", "b"]


def test_the_triangle_has_a_case_where_its_probabilities_are(ax):
    found = multiclass_scores(["a", "b", "c"], np.eye(3))
    plot_ternary(found, ax=ax)
    places = [each.get_offsets()[0].tolist() for each in ax.collections]
    assert np.allclose(places, [[0, 0], [1, 0], [0.5, 0.75**0.5]])


@pytest.mark.parametrize(
    "costs", [None, [[0, 1, 9], [1, 0, 4], [1, 1, 0]], [[0, 5, 5], [1, 0, 9], [1, 9, 0]]]
)
def test_regions_are_where_a_decision_costs_least(ax, costs):
    plot_ternary(data(3), costs=costs, ax=ax)
    prices = 1 - np.eye(3) if costs is None else np.array(costs, dtype=float)
    p = RNG.dirichlet(np.ones(3), 300)
    xy = p @ np.array([[0, 0], [1, 0], [0.5, 0.75**0.5]])
    inside = np.array([patch.get_path().contains_points(xy) for patch in ax.patches])
    expected = p @ prices.T
    drawn = [patch.get_facecolor()[:3] for patch in ax.patches]
    classes = [
        next(j for j in range(3) if ax.collections[j].get_facecolor()[0, :3].tolist() == [*rgb])
        for rgb in drawn
    ]
    best = expected.argmin(axis=1)
    assert set(best) <= set(classes)
    for j, member in zip(classes, inside, strict=True):
        assert np.array_equal(member, best == j)


def test_a_decision_that_never_pays_has_no_region(ax):
    plot_ternary(data(3), costs=[[0, 1, 9], [1, 0, 9], [9, 9, 9.5]], ax=ax)
    assert len(ax.patches) == 2


def test_many_cases_are_thinned(ax):
    plot_ternary(data(3, 10_000), ax=ax)
    assert 2000 < sum(len(each.get_offsets()) for each in ax.collections) <= 3000


def test_cases_at_one_place_are_one_mark_whose_area_is_their_number(ax):
    y = [0] * 4 + [1] * 3 + [2]
    p = [[1, 0, 0]] * 4 + [[0, 1, 0]] * 2 + [[1, 0, 0]] + [[0, 0, 1]]
    plot_ternary(multiclass_scores(y, np.array(p, float)), ax=ax)
    marks = [each for each in ax.collections if len(each.get_offsets())]
    assert sorted(size for each in marks for size in each.get_sizes()) == [9, 9, 18, 36]
    beside = [each for each in marks if each.get_label() == "_beside"]
    assert sorted(each.get_sizes()[0] for each in beside) == [9, 36]  # of two classes at a corner
    ax.figure.draw_without_rendering()
    at = [each.get_offset_transform().transform(each.get_offsets())[0, 0] for each in beside]
    assert at[0] < at[1]  # in the order of the classes


def test_mistakes_are_named(ax):
    with pytest.raises(ValueError, match="draws three classes, and there are 4"):
        plot_ternary(data(4), ax=ax)
    with pytest.raises(ValueError, match="case 1 are"):
        plot_ternary(multiclass_scores([0, 1, 2], [[1, 0, 0], [3, 0, 0], [0, 0, 1]]), ax=ax)
    with pytest.raises(ValueError, match="3 rows of 3"):
        plot_ternary(data(3), costs=np.eye(2), ax=ax)
    with pytest.raises(TypeError, match="plot_one_vs_rest takes MulticlassScores, not a list"):
        plot_one_vs_rest([1, 2], ax=ax)
    with pytest.raises(
        SingleClassError, match=r"plot_pairwise needs cases of two classes .* the only case is 'a'"
    ):
        plot_pairwise(multiclass_scores(["a"], [[1, 0]], classes=["a", "b"]), ax=ax)
