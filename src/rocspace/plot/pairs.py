"""The curves of all pairs of classes, as a matrix of small graphs."""

from __future__ import annotations

import textwrap
from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from rocspace._base.calls import explained
from rocspace._base.optional import require
from rocspace._base.text import count, estimate
from rocspace._base.words import listed_values
from rocspace.counts.paired import pair_scores
from rocspace.counts.table import ScoreTable
from rocspace.curves.roc import roc_curve
from rocspace.inference.area import delong
from rocspace.inference.clustered import clustered_auc_estimate
from rocspace.multiclass.cases import MulticlassScores, need_classes, warn_of_absent
from rocspace.multiclass.pairs import pairwise_areas
from rocspace.plot.axes import LOOKS, kept_corners, reference_line, set_up, shade
from rocspace.plot.classes import brief_area, cell_width, short_names
from rocspace.plot.legends import draw_line
from rocspace.results.estimates import AreaEstimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Panels: TypeAlias = "dict[tuple[Hashable, Hashable], Axes]"

_FEWEST, _MOST = 4, 8  # classes that are drawn of more, where none are chosen: as many as
_LEAST = 0.5  # inches for each has the figure
_LIMIT = 12  # and where some are
_PANEL, _MARGIN = 1.1, 0.7  # inches of a panel, and of the words around all of them
_TINT = 0.18  # of the panel of a pair that cannot be told apart
_LETTERS, _LINES = 10, 4  # of the name of a class in its panel
_ACROSS, _ACROSS_BRIEF = 6.8, 5.0  # heights of a letter in the width of a panel
_NARROW = 45.0  # points of a panel that has no room for numbers at the middle of its axes
_WRITTEN = 5.0  # points; smaller letters are not drawn


@explained
def plot_pairwise_curves(
    data: MulticlassScores,
    name: str | None = None,
    *,
    classes: Sequence[Hashable] | None = None,
    figure: Any = None,
    level: float = 0.95,
    **line: Any,
) -> Panels:
    """Draw the ROC curve of each class against each other one, as a matrix of small graphs.

    Parameters
    ----------
    data : MulticlassScores
        Scores for each class.
    name : str, optional
        The classifier; not needed where there is only one.
    classes : sequence, optional
        The classes to draw, in order, at most 12. By default all; of more than eight those of the
        pairs that are hardest to tell apart, fewer (but four) where the figure does not have half
        an inch for each.
    figure : matplotlib.figure.Figure, optional
        An empty figure, best as high as wide; by default a new one of pyplot, in which each graph
        is about 1.1 inches wide.
    level : float, default 0.95
        Level of the intervals.
    **line
        Properties of all curves.

    Returns
    -------
    dict of pairs of labels to matplotlib.axes.Axes
        The graph of the first class against the second.

    Raises
    ------
    SingleClassError, TypeError, ValueError
        As `rocspace.multiclass.pairwise_areas`; also if fewer than two or more than 12 classes are
        chosen, or one has no cases.

    Warns
    -----
    UserWarning
        If a class has no cases, and is left out.

    Notes
    -----
    A graph stands in the row of the class whose cases are its positives and whose column of scores
    is read; the cases of the other class are its negatives. Both directions of a pair differ, since
    they read different columns. The darker a graph, the harder the pair. The interval is left out
    where its letters would be smaller than 5 points, and the area, too, in very small graphs.

    References
    ----------
    Hand and Till (2001), equation 3, for the area in each graph; Fawcett (2006), section 9.2.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from rocspace.multiclass import multiclass_scores
    >>> y = [0, 0, 1, 1, 2, 2]
    >>> p = [[.7, .2, .1], [.4, .5, .1], [.2, .6, .2], [.1, .3, .6], [.2, .3, .5], [.3, .1, .6]]
    >>> panels = plot_pairwise_curves(multiclass_scores(y, p), figure=Figure())
    >>> sorted(panels)
    [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]
    """
    need_classes("plot_pairwise_curves", data)
    warn_of_absent(data)
    shown = _chosen(data, classes) if classes else _hardest(data, name, _room(figure))
    k = len(shown)
    figure = _canvas(figure, k)
    grid = figure.subplots(k, k, squeeze=False)
    areas, panels = {}, {}
    for i, first in enumerate(shown):
        for j, second in enumerate(shown):
            if i != j:
                table = data.table(first, second, name=name)
                area = areas[first, second] = _area_of(data, (first, second), name, table)
                ax = panels[first, second] = grid[i, j]
                _draw_pair(ax, table, area, line)
                ax.label_outer()
    for ax in np.diagonal(grid):
        ax.set_axis_off()
        ax.set_box_aspect(1)
    _say_what(figure, k, int(np.count_nonzero(data.sizes)) if classes is None else k)
    _write_all(data, grid, areas, panels, level)
    return panels


def _canvas(figure: Any, k: int) -> Any:
    """Return the figure that was given, or a new one of pyplot; with a layout for squares."""
    if figure is None:
        side = _PANEL * k + _MARGIN
        figure = require("matplotlib.pyplot", extra="plot").figure(figsize=(side, side))
    squares(figure, w_pad=0.02, h_pad=0.02, wspace=0.02, hspace=0.02)
    return figure


def squares(figure: Any, **pads: float) -> None:
    """Give a figure a layout that keeps squares together, unless it has one of another kind."""
    fixed = require("matplotlib.layout_engine", extra="plot").ConstrainedLayoutEngine
    if figure.get_layout_engine() is None or isinstance(figure.get_layout_engine(), fixed):
        figure.set_layout_engine("compressed", **pads)


def _room(figure: Any) -> int:
    """Return for how many classes there is room."""
    if figure is None:
        return _MOST
    return min(max(int((min(figure.get_size_inches()) - _MARGIN) / _LEAST), _FEWEST), _MOST)


def _chosen(data: MulticlassScores, classes: Sequence[Hashable]) -> list[Hashable]:
    """Return the classes that were chosen, once each has cases and there are not too many."""
    shown = list(dict.fromkeys(classes))
    lacking = [label for label in shown if not data.sizes[data.place(label)]]
    if not 2 <= len(shown) <= _LIMIT or lacking:
        why = f"{listed_values(lacking)} without cases" if lacking else f"{len(shown)} of them"
        msg = (
            f"classes has {why}. Choose 2 to {_LIMIT} classes that have cases; plot_pairwise draws "
            "a matrix of numbers, which has room for more."
        )
        raise ValueError(msg)
    return shown


def _hardest(data: MulticlassScores, name: str | None, most: int) -> list[Hashable]:
    """Return all classes that have cases; of too many, those of the pairs of least area."""
    present = [c for c, size in zip(data.classes, data.sizes, strict=True) if size]
    if len(present) <= most:
        return present
    pairs = pairwise_areas(data, name).estimates
    ranked = sorted(pairs, key=lambda pair: pairs[pair].value)
    hard = list(dict.fromkeys(label for pair in ranked for label in pair))[:most]
    return [label for label in present if label in hard]


def _area_of(
    data: MulticlassScores, pair: tuple[Hashable, Hashable], name: str | None, table: ScoreTable
) -> AreaEstimate:
    if data.cluster is None:
        return delong(table)
    first, second = map(data.place, pair)
    rows = np.isin(data.label, (first, second))
    cases = pair_scores(
        data.label[rows] == first,
        {"score": data.column(pair[0], name)[rows]},
        sample_weight=None if data.weight is None else data.weight[rows],
        cluster=data.cluster[rows],
    )
    return clustered_auc_estimate(cases)


def _draw_pair(ax: Axes, table: ScoreTable, area: AreaEstimate, line: Mapping[str, Any]) -> None:
    set_up(ax, "", "", square=True)
    reference_line(ax, "chance", [0, 1], [0, 1], linewidth=0.6)
    ax.set_facecolor(shade(ax, str(1 - _TINT * min(2 - 2 * area.value, 1.0))))
    curve = roc_curve(table)
    kept = kept_corners(curve.fp, curve.tp)
    look: dict[str, Any] = {"color": LOOKS[0][0], "linewidth": 1.1}
    draw_line(ax, curve.fpr[kept], curve.tpr[kept], {**look, **line}, legend=False)
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_ticks([0, 0.5, 1], labels=["0", "0.5", "1"])


def _write_all(
    data: MulticlassScores,
    grid: Any,
    areas: Mapping[tuple[Hashable, Hashable], AreaEstimate],
    panels: Panels,
    level: float,
) -> None:
    """Write names, areas and intervals in letters for which the panels have room."""
    width = cell_width(grid[0, 0], 1)
    largest = 0.9 * float(require("matplotlib", extra="plot").rcParams["font.size"])
    shown = list(dict.fromkeys(first for first, _ in panels))
    _name_all(data, shown, np.diagonal(grid), min(max(width / _ACROSS, _WRITTEN), largest))
    for pair, ax in panels.items():
        if width < _NARROW:
            _name_ends(ax)
        if width / _ACROSS >= _WRITTEN:
            ends = areas[pair].interval(level)
            value, limits = estimate(areas[pair].value, ends.low, ends.high)
            words = f"{value}\n{limits.replace(' to ', '–')}"
            _write_area(ax, areas[pair], words, min(width / _ACROSS, largest))
        elif width / _ACROSS_BRIEF >= _WRITTEN:
            brief = brief_area(areas[pair].value)
            _write_area(ax, areas[pair], brief, min(width / _ACROSS_BRIEF, largest))


def _name_ends(ax: Axes) -> None:
    """Write numbers at the ends of both axes only, so that they stay apart from the next ones."""
    for axis, sides in ((ax.xaxis, ("left", "right")), (ax.yaxis, ("bottom", "top"))):
        axis.set_ticks([0, 1], labels=["0", "1"])
        for mark, side in zip(axis.get_major_ticks(), sides, strict=True):
            mark.label1.set(**{"ha" if axis is ax.xaxis else "va": side})


def _write_area(ax: Axes, area: AreaEstimate, words: str, letters: float) -> None:
    """Write words below the curve, or above a curve below the diagonal."""
    below = area.value >= 0.5
    at, side = ((0.97, 0.05), ("right", "bottom")) if below else ((0.03, 0.95), ("left", "top"))
    effects = require("matplotlib.patheffects", extra="plot")
    ax.text(
        *at,
        words,
        transform=ax.transAxes,
        ha=side[0],
        va=side[1],
        fontsize=letters,
        linespacing=1.1,
        path_effects=[effects.withStroke(linewidth=1.5, foreground=ax.get_facecolor())],
    )


def _name_all(
    data: MulticlassScores, shown: Sequence[Hashable], diagonal: Any, letters: float
) -> None:
    """Write each class on the diagonal, with the number of its cases."""
    words = short_names(shown)
    kind = "cases" if data.weight is None else "by weight"
    for ax, label in zip(diagonal, shown, strict=True):
        lines = textwrap.wrap(words[label].replace("…", "… "), _LETTERS)[:_LINES] or [""]
        size = count(data.sizes[data.place(label)])
        named = {"ha": "center", "transform": ax.transAxes, "parse_math": False}
        ax.text(
            0.5, 0.5, "\n".join(lines), va="bottom", fontweight="bold", fontsize=letters, **named
        )
        ax.text(0.5, 0.44, f"{size} {kind}", va="top", fontsize=0.9 * letters, **named)


def _say_what(figure: Any, k: int, of: int) -> None:
    """Name both axes of all graphs, and say which of the classes they are."""
    size = require("matplotlib", extra="plot").rcParams["axes.labelsize"]
    figure.supxlabel("False positive rate: the column's class called the row's", fontsize=size)
    figure.supylabel("True positive rate of the row's class", fontsize=size)
    if k < of:
        words = f"{k} of {of} classes, those of the hardest pairs"
        figure.suptitle(words, fontsize=size, x=0.01, ha="left")
