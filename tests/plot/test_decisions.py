"""Pictures of decisions among several classes: the matrix, slices, and regions of weights."""

import numpy as np
import pytest

import rocspace as rs
from rocspace.multiclass import (
    best_class_weights,
    class_rates,
    cost_slice,
    decide_classes,
    multiclass_scores,
)

pytest.importorskip("matplotlib", reason="the extra plot is not installed")

from matplotlib.figure import Figure
from matplotlib.path import Path

from rocspace.plot import plot_confusion, plot_cost_slice, plot_ternary

RNG = np.random.default_rng(4)


def data(k, n=60):
    y = np.arange(n) % k
    p = RNG.dirichlet(np.ones(k), n) + 0.4 * np.eye(k)[y]
    return multiclass_scores([f"k{i:02}" for i in y], p / 1.4)


@pytest.fixture
def ax():
    return Figure().subplots()


def test_the_matrix_has_counts_and_shares(ax):
    found = decide_classes(data(3))
    plot_confusion(found, ax=ax)
    assert np.array_equal(ax.images[0].get_array(), found.rates.rate[0])
    said = [text.get_text() for text in ax.texts]
    assert [int(each.partition("\n")[0]) for each in said] == found.counts.ravel().tolist()
    assert all("%" in each for each in said)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("Called", "True class")
    x, y = ax.texts[1].get_position()
    assert (x, y) == (1, 0)  # a row a true class
    for text in ax.texts:
        x, y = map(int, text.get_position())
        red, green, blue, _ = ax.images[0].cmap(found.rates.rate[0][y, x])
        light = 0.299 * red + 0.587 * green + 0.114 * blue
        assert (text.get_color() == "white") == (light < 0.5)


def test_a_matrix_of_two_classes(ax):
    plot_confusion(rs.ConfusionMatrix(tp=5, fp=1, fn=15, tn=9), ax=ax)
    assert [text.get_text().replace("\u202f", " ") for text in ax.texts] == [
        *("5\n25.0 %", "15\n75.0 %"),
        *("1\n10.0 %", "9\n90.0 %"),
    ]
    assert [text.get_text() for text in ax.get_yticklabels()] == ["positive", "negative"]
    table = rs.tabulate([0, 1, 1, 0], [1, 2, 3, 4])
    assert len(plot_confusion(rs.point_at(table, 2), ax=Figure().subplots()).texts) == 4
    with pytest.raises(ValueError, match="draws one matrix, and these are several"):
        plot_confusion(rs.evaluate(table, [1, 2]), ax=ax)


@pytest.mark.parametrize(
    ("k", "texts", "shares"), [(8, 64, True), (12, 144, False), (18, 0, False)]
)
def test_more_classes_have_less_in_a_cell(ax, k, texts, shares):
    plot_confusion(decide_classes(data(k, 180)), ax=ax)
    assert len(ax.texts) == texts
    assert any("%" in text.get_text() for text in ax.texts) == shares
    assert (len(ax.figure.axes) == 2) == (texts == 0)


def test_a_slice_has_its_lines_and_their_envelope(ax):
    y = [0, 0, 1, 1]
    rates = class_rates(y, {"a": [0, 1, 1, 1], "b": [0, 0, 0, 1], "c": [1, 1, 0, 0]})
    found = cost_slice(rates, [[0, 1], [9, 0]], [[0, 9], [1, 0]])
    plot_cost_slice(found, ax=ax)
    named = {line.get_label(): line for line in ax.lines}
    assert np.array_equal(named["_least"].get_xdata(), found.corner)
    assert np.array_equal(named["_least"].get_ydata(), found.cost)
    assert list(named["a"].get_ydata()) == [found.at_zero[0], found.at_one[0]]
    assert sum(line.get_label() == "_other" for line in ax.lines) == 3
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["b", "a"]
    assert ax.get_ylim()[1] > found.cost.max()
    assert named["_least"].get_zorder() < named["a"].get_zorder()  # so that all lines are seen


@pytest.mark.parametrize("rule", ["chosen", "expected cost"])
def test_the_regions_are_those_of_the_decisions(ax, rule):
    found = data(3, 90)
    cost = np.array([[0, 1, 5], [2, 0, 1], [1, 3, 0]])
    if rule == "chosen":
        decisions = best_class_weights(found, costs=cost)
    else:
        decisions = decide_classes(found, costs=cost, class_weight=[1, 2, 1], rule=rule)
    plot_ternary(found, decisions=decisions, ax=ax)
    regions = [Path(patch.get_xy()) for patch in ax.patches]
    colours = [patch.get_facecolor()[:3] for patch in ax.patches]
    assert len(set(colours)) == len(regions)
    corners = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, 3**0.5 / 2]])
    called = decisions.classify(found)
    where = [
        [region.contains_point(xy) for region in regions] for xy in found.score[:, 0] @ corners
    ]
    assert (np.sum(where, axis=1) == 1).all()
    held = np.argmax(where, axis=1)
    shown = dict(zip(colours, found.classes, strict=False))
    if len(regions) == 3:
        assert [shown[colours[i]] for i in held] == called.tolist()
    else:
        assert len(set(called)) <= len(regions)


def test_regions_of_other_classes_are_refused(ax):
    found = data(3)
    decisions = decide_classes(found)
    with pytest.raises(ValueError, match="costs or decisions, and not both"):
        plot_ternary(found, decisions=decisions, costs=1 - np.eye(3), ax=ax)
    other = multiclass_scores([0, 1, 2], np.eye(3))
    with pytest.raises(ValueError, match="decisions are about 'k00'"):
        plot_ternary(other, decisions=decisions, ax=ax)
