"""Labels beside lines and points instead of a legend, where they cover nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from rocspace._base.arrays import Array
from rocspace._base.calls import explained
from rocspace._base.optional import require
from rocspace._base.text import shortened
from rocspace.plot.axes import (
    ASIDE,
    GREY,
    axes_or_current,
    inside,
    main_lines,
    paper,
    pixels,
    samples,
    shade,
)
from rocspace.plot.legends import (
    clear_legend,
    folded,
    is_named,
    named_lines,
    show_legend,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

# Sides of an anchor on which a label may stand, the most natural first.
_SIDES = ((1, -1), (-1, 1), (1, 0), (1, 1), (-1, -1), (-1, 0), (0, -1), (0, 1))
_ALIGN_X = {1: "left", 0: "center", -1: "right"}
_ALIGN_Y = {1: "bottom", 0: "center", -1: "top"}
_MOST = 8  # lines that can be told apart by words beside them
_LONG = 40  # letters of a name that stands beside a line
# Points between an anchor and its label, the nearest first.
_GAPS = {"line": (3.0,), "point": (4.0, 14.0, 26.0, 40.0, 56.0)}
_CROWDED = 40.0  # labels of a larger penalty cover others, or leave the axes
_ALONG = np.linspace(0.04, 0.96, 60)  # shares of a line's length where its label may stand


@explained
def label_lines(
    ax: Axes | None = None, *, only: Iterable[Line2D] | None = None, **text: Any
) -> Axes:
    """Write the label of each line beside it, where it covers no line: instead of a legend.

    Of more than 8 lines, or where a name has more than 40 letters or finds no room, a legend is
    drawn instead.

    Parameters
    ----------
    ax : matplotlib.axes.Axes, optional
        By default pyplot's current axes.
    only : iterable of matplotlib.lines.Line2D, optional
        The lines to label; by default those that results have on the axes.
    **text
        Properties of the text, such as ``fontsize``.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, to draw more on.

    Notes
    -----
    Call it last, when limits and size of the figure are settled. Lines without a label are
    skipped.

    References
    ----------
    No source: our own.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from rocspace import datasets, roc_curve, tabulate
    >>> from rocspace.plot import plot_roc
    >>> data = datasets.load("fawcett20")
    >>> curve = roc_curve(tabulate(data.y_true, data.y_score))
    >>> ax = label_lines(plot_roc(curve, ax=Figure().subplots(), label="twenty cases"))
    >>> [words.get_text() for words in ax.texts]
    ['twenty cases']
    """
    ax = axes_or_current(ax)
    named = named_lines(ax) if only is None else [line for line in only if is_named(line)]
    if len(named) > _MOST or max((len(str(line.get_label())) for line in named), default=0) > _LONG:
        show_legend(ax, named)
        return ax
    clear_legend(ax)
    page, written = _Page(ax), []
    for line in named:
        path = page.paths[line]
        if len(path):
            anchors = path[(_ALONG * (len(path) - 1)).astype(int)]
            look = {"color": line.get_color(), **text}
            written.append(page.write(str(line.get_label()), anchors, look, own=line))
    if any(cost > _CROWDED for _, cost in written):
        for words, _ in written:
            words.remove()
        show_legend(ax, named)
    return ax


def label_points(ax: Axes, x: Any, y: Any, words: Sequence[str], **text: Any) -> list[str]:
    """Write labels beside points, where they cover neither lines nor each other.

    Where there is no room next to a point its label stands further away, with a thin line to it.
    Those that find no room at all are left out, and returned.
    """
    page = _Page(ax)
    places = ax.transData.transform(np.column_stack([x, y]))
    page.spots = np.concatenate([page.spots, places])
    words, left_out = list(words), []
    versions = zip(words, folded(words, 24), shortened(words), shortened(words, 12), strict=True)
    for place, (said, *shorter) in zip(places, versions, strict=True):
        for each in dict.fromkeys([said, *shorter]):
            label, cost = page.write(each, place[None, :], text, own=None)
            if cost <= _CROWDED:
                break
            label.remove()
            page.boxes.pop()
        else:
            left_out.append(said)
    return left_out


class _Page:
    """What is already on the axes, in pixels."""

    def __init__(self, ax: Axes) -> None:
        self.ax = ax
        figure: Any = ax.get_figure()
        root = figure.figure  # of a subfigure, the whole one
        root.draw_without_rendering()  # settles the layout and the scale of the axes
        self.unit = root.dpi / 72
        self.size = ASIDE * require("matplotlib", extra="plot").rcParams["font.size"]
        self.frame: Any = ax.get_window_extent()
        self.paths = {line: self.visible(samples(pixels(line), self.frame)) for line in ax.lines}
        few = [line for line in ax.lines if np.size(line.get_xdata()) < 200]
        few = [line for line in few if line.get_markevery() is None]
        marked = [pixels(line) for line in few if line.get_marker() not in ("None", None, "")]
        self.spots = np.concatenate([np.empty((0, 2)), *marked])
        shown = [words for words in ax.texts if words.get_visible() and words.get_text()]
        self.boxes = [words.get_window_extent().extents for words in shown]

    def write(
        self, words: str, anchors: Array, look: dict[str, Any], own: Line2D | None
    ) -> tuple[Any, float]:
        """Place labels where their penalty is least; return them and the penalty."""
        text = self._annotate(words, anchors[0], (0.0, 0.0), look)
        box = text.get_window_extent()
        extent = box.width, box.height
        text.remove()
        gaps = _GAPS["point" if own is None else "line"]
        places = list(product(range(len(gaps)), range(len(_SIDES))))
        ends = 0.6 * np.abs(np.linspace(-1, 1, len(anchors)))  # the middle is preferred
        costs = [
            self._cost(self._boxes_at(anchors, _SIDES[rank], extent, gaps[far]), own)
            + 2.0 * far
            + rank * (0.2 if own is None else 0.05)
            + ends
            for far, rank in places
        ]
        best, i = divmod(int(np.argmin(costs)), len(anchors))
        far, rank = places[best]
        side, gap = _SIDES[rank], gaps[far]
        if far:
            thin = {
                "arrowstyle": "-",
                "linewidth": 0.5,
                "color": shade(self.ax, GREY),
                "shrinkA": 0,
                "shrinkB": 2,
            }
            look = {"arrowprops": thin, **look}
        text = self._annotate(words, anchors[i], (side[0] * gap, side[1] * gap), look)
        text.set(ha=_ALIGN_X[side[0]], va=_ALIGN_Y[side[1]])
        self.boxes.append(self._boxes_at(anchors[i : i + 1], side, extent, gap)[0])
        return text, float(costs[best][i])

    def _annotate(
        self, words: str, anchor: Array, shift: tuple[float, float], look: dict[str, Any]
    ) -> Any:
        effects = require("matplotlib.patheffects", extra="plot")
        return self.ax.annotate(
            words,
            self._data(anchor),
            xytext=shift,
            textcoords="offset points",
            path_effects=[effects.withStroke(linewidth=2, foreground=paper(self.ax))],  # on lines
            in_layout=False,
            **{"fontsize": self.size, "zorder": 4, "annotation_clip": False, **look},
        )

    def visible(self, path: Array) -> Array:
        """Return the part of a path that the axes show."""
        low, high = self.frame.min - 0.5, self.frame.max + 0.5
        return np.asarray(path[((path >= low) & (path <= high)).all(axis=1)])

    def _data(self, pixel: Array) -> tuple[float, float]:
        x, y = self.ax.transData.inverted().transform(pixel)
        return float(x), float(y)

    def _boxes_at(
        self, anchors: Array, side: tuple[int, int], extent: tuple[float, float], gap: float
    ) -> Array:
        """Return the corners (x0, y0, x1, y1) of the label at each anchor."""
        (width, height), gap = extent, gap * self.unit
        left = anchors[:, 0] + {1: gap, 0: -width / 2, -1: -gap - width}[side[0]]
        low = anchors[:, 1] + {1: gap, 0: -height / 2, -1: -gap - height}[side[1]]
        return np.column_stack([left, low, left + width, low + height])

    def _cost(self, boxes: Array, own: Line2D | None) -> Array:
        """Return each box's penalty for covering something, leaving the axes, or misleading."""
        pad = 1.0 * self.unit
        low, high = self.frame.min + pad, self.frame.max - pad
        out = np.maximum(low - boxes[:, :2], 0) + np.maximum(boxes[:, 2:] - high, 0)
        cost: Array = 10.0 * out.sum(axis=1) + 20.0 * inside(self.spots, boxes, 2.5 * self.unit)
        mains = main_lines(self.ax)
        for line, path in self.paths.items():
            cost = cost + inside(path, boxes, pad)
            if own is not None and line is not own:  # a label is nearest to its own line
                near = 6.0 if line in mains else 2.0
                cost = cost + 0.3 * inside(path, boxes, near * self.unit)
        for other in self.boxes:
            shared = np.minimum(boxes[:, 2:], other[2:]) - np.maximum(boxes[:, :2], other[:2])
            cost = cost + 50.0 * (shared > -pad).all(axis=1)
        return cost
