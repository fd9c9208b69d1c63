"""Words beside lines cover nothing."""

import pytest

import rocspace as rs
from drawn import axes, main
from rocspace import datasets
from slow.data import F3

matplotlib = pytest.importorskip("matplotlib", reason="the extra plot is not installed")


from matplotlib.figure import Figure  # noqa: E402

from rocspace import plot  # noqa: E402

T3 = rs.tabulate(*F3)


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


def many(ax):
    for k in range(12):
        plot.plot_roc(rs.roc_curve(T3), ax=ax, label=f"gradient boosting of {k} trees, calibrated")
    return plot.label_lines(ax)


def test_where_labels_find_no_room_there_is_a_legend():
    ax = many(Figure().subplots())
    assert not ax.texts
    assert len(ax.get_legend().get_texts()) == 12
    looks = {(line.get_color(), str(line._dash_pattern)) for line in main(ax)}
    assert len(looks) == 12
    # Alone in a figure that makes room, it stands beside the axes and covers nothing.
    ax = many(Figure(layout="constrained", figsize=(9, 4)).subplots())
    ax.figure.draw_without_rendering()
    (legend,) = ax.figure.legends
    box = legend.get_window_extent()
    assert ax.get_window_extent().x1 <= box.x0 <= box.x1 <= ax.figure.bbox.x1
