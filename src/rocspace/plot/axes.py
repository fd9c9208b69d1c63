"""What all plots share: axes, looks that survive black and white, reference lines, small paths."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, WeakSet

import numpy as np

from rocspace._base.arrays import Array, Ints, Vector
from rocspace._base.optional import require
from rocspace._base.text import tick
from rocspace.curves.roc import corners

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

GREY, LIGHT, INK = "0.45", "0.75", "black"  # on a white page; `shade` fits them to another
# The colours of Okabe and Ito, which the colour-blind can tell apart, each with its own dashes,
# which can be told apart in black-and-white print. Lines after the seventh have a mark, too.
LOOKS: tuple[tuple[str, Any], ...] = (
    ("#0072B2", "-"),
    ("#D55E00", (0, (5, 1.5))),
    ("#009E73", (0, (5, 1.5, 1, 1.5))),
    ("#CC79A7", (0, (1.2, 1.2))),
    (INK, (0, (5, 1.5, 1, 1.5, 1, 1.5))),
    ("#E69F00", (0, (9, 2))),
    ("#56B4E9", (0, (2.5, 1))),
)
MARKS = ("", "o", "s")
ASIDE = 0.9  # size of labels beside a line, as a share of the text's
_MARGIN = 0.015  # so that a curve on the edge of its square is not cut in half
_GAP = 1 / 400  # a longer step in x between two points of a bent curve gets more points,
_SHARES = (np.arange(1, 24) / 24) ** 2  # at these shares of the step
_MAIN: WeakSet[Line2D] = WeakSet()
_KIND: WeakKeyDictionary[Axes, object] = WeakKeyDictionary()
_LONGEST_TICK = 1e7  # larger numbers on an axis are left to matplotlib, which writes powers of ten


def axes_or_current(ax: Axes | None) -> Axes:
    """Return the axes that were given, or pyplot's current ones."""
    if ax is not None:
        return ax
    current: Axes = require("matplotlib.pyplot", extra="plot").gca()
    return current


def axes_for(ax: Axes | None, kind: object) -> Axes:
    """Return the axes that were given, or pyplot's current ones for a kind of graph.

    If another kind of graph is on the current ones, they are those of a new figure.
    """
    if ax is None:
        ax = axes_or_current(ax)
        if _KIND.get(ax, kind) != kind:
            ax = require("matplotlib.pyplot", extra="plot").figure().add_subplot()
    _KIND.setdefault(ax, kind)
    return ax


def paper(ax: Axes) -> Any:
    """Return the colour of the page behind the axes."""
    own = require("matplotlib.colors", extra="plot").to_rgba(ax.get_facecolor())
    return own if own[3] else ax.get_figure().figure.get_facecolor()  # type: ignore[union-attr]


def shade(ax: Axes, grey: str) -> str:
    """Return a grey, or black, that stands out from the page as this one does from white."""
    red, green, blue, alpha = require("matplotlib.colors", extra="plot").to_rgba(paper(ax))
    if not alpha or 0.299 * red + 0.587 * green + 0.114 * blue >= 0.5:
        return grey
    return "white" if grey == INK else str(1 - float(grey))


def main_lines(ax: Axes) -> list[Line2D]:
    """Return the lines that results have on these axes, in the order they were drawn."""
    return [line for line in ax.lines if line in _MAIN]


def is_fresh(ax: Axes) -> bool:
    """Whether nothing has set these axes up: no result is on them, and no label."""
    return not main_lines(ax) and not ax.get_xlabel()


def last_colour(ax: Axes, default: str) -> Any:
    """Return the colour of the last main line, for what is drawn with it."""
    drawn = main_lines(ax)
    return drawn[-1].get_color() if drawn else default


def look_of(ax: Axes, line: Mapping[str, Any]) -> dict[str, Any]:
    """Return keywords for the next main line: its own look, overridden by what was given."""
    lines = require("matplotlib.lines", extra="plot")
    given = require("matplotlib.cbook", extra="plot").normalize_kwargs(line, lines.Line2D)
    turn, i = divmod(len(main_lines(ax)), len(LOOKS))
    dashes = LOOKS[(i + turn) % len(LOOKS)][1]  # a colour that is used again has other dashes
    colour = LOOKS[i][0]
    look = {"color": shade(ax, INK) if colour == INK else colour, "linestyle": dashes}
    if mark := MARKS[turn % len(MARKS)]:
        # Along the line, and not where the marks of its neighbours are.
        look |= {"marker": mark, "markersize": 4, "markevery": (0.02 + 0.02 * i, 0.16)}
    if "marker" in given:
        look.pop("markevery", None)
    return {**look, **given}


def add_main(line: Line2D) -> None:
    """Remember that a line is that of a result."""
    _MAIN.add(line)


def reference_line(ax: Axes, name: str, x: Any, y: Any, **line: Any) -> None:
    """Draw a line that results are compared with, unless the axes have it already."""
    label = f"_{name}"  # with an underscore: not in legends
    if all(old.get_label() != label for old in ax.lines):
        look: dict[str, Any] = {"color": shade(ax, LIGHT), "linewidth": 0.8, "linestyle": "-"}
        ax.plot(x, y, **{**look, "zorder": 1.5, "label": label, **line})


def set_up(
    ax: Axes | None,
    xlabel: str,
    ylabel: str,
    *,
    square: bool = False,
    share: bool = False,
    kind: object = None,
    **settings: Any,
) -> Axes:
    """Return the axes that were given, or those for a kind of graph; name both of fresh ones.

    The kind is that of graphs with the same names of both axes. With `square` they become the unit
    square, with `share` the horizontal one goes from 0 to 1.
    """
    ax = axes_for(ax, (xlabel, ylabel) if kind is None else kind)
    if not is_fresh(ax):
        return ax
    ax.set(xlabel=xlabel, ylabel=ylabel, **settings)
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter(plain_tick)
    limits = (-_MARGIN, 1 + _MARGIN)
    if square:
        ax.set(aspect="equal", ylim=limits)
        unit_ticks(ax.yaxis)
    if square or share:
        ax.set_xlim(limits)
        unit_ticks(ax.xaxis)
    return ax


def unit_ticks(axis: Any) -> None:
    """Put ticks at fifths, written 0, 0.2, ..., 1."""
    at = [0, 0.2, 0.4, 0.6, 0.8, 1]
    axis.set_ticks(at, labels=[plain_tick(x) for x in at])


def plain_tick(x: float, _: Any = None) -> str:
    """Write the number of a tick with no more digits than it needs, in every graph alike."""
    return tick(x)


def large_ticks(axis: Any, values: Vector) -> None:
    """Leave numbers with many digits to matplotlib."""
    if values.size and np.abs(values).max() >= _LONGEST_TICK:
        axis.set_major_formatter(require("matplotlib.ticker", extra="plot").ScalarFormatter())


# --- paths ------------------------------------------------------------------------------------


def equal_ranges(
    ax: Axes, fresh: bool, low: float, high: float, ticks: Iterable[tuple[float, str]]
) -> None:
    """Let both axes span a range and what they showed before; of the ticks, keep those with room.

    The most useful ticks come first.
    """
    if not fresh:
        low, high = min(low, ax.get_xlim()[0]), max(high, ax.get_xlim()[1])
    ax.set(xlim=(low, high), ylim=(low, high), aspect="equal")
    apart, taken = (high - low) / 9, dict[float, str]()
    for place, words in ticks:
        if low <= place <= high and all(abs(place - other) >= apart for other in taken):
            taken[place] = words
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_ticks(list(taken), labels=list(taken.values()))
    ax.minorticks_off()


def kept_corners(fp: Array, tp: Array) -> Ints:
    """Return the points where a curve turns, by exact arithmetic on counts.

    The others lie on straight lines in every graph whose axes are linear in both counts, so
    that leaving them out changes nothing but the size of the file.
    """
    return np.flatnonzero(corners(fp, tp))


def bent(x: Vector, y: Vector, curve: Callable[[Any], Any]) -> tuple[Array, Array]:
    """Return points of a curve with more of them in the long gaps of increasing x.

    They are closer together where a gap begins. There a curve that bends between its points is
    drawn by pieces too short to be seen.
    """
    long = np.flatnonzero(np.diff(x) > _GAP)
    inner = (x[long, None] + _SHARES * (x[long + 1] - x[long])[:, None]).ravel()
    at = np.searchsorted(x, inner, "left")
    return np.insert(x, at, inner), np.insert(y, at, curve(inner))


# --- what is where, in pixels ---------------------------------------------------------------------


def pixels(line: Line2D) -> Vector:
    """Return the points of a line where they are shown, without infinite ones."""
    xy = np.asarray(line.get_transform().transform(line.get_xydata()), dtype=np.float64)
    return xy[np.isfinite(xy).all(axis=1)]


def samples(xy: Array, frame: Any) -> Array:
    """Return points along a line of pixels, about two apart where the frame shows them."""
    # Points far outside are moved near, so that they take no samples from the visible part.
    xy = np.clip(xy, frame.min - 9, frame.max + 9)
    if len(xy) < 2:
        return xy
    length = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(xy, axis=0).T))])
    at = np.linspace(0, length[-1], int(np.clip(length[-1] / 2, 2, 2000)))
    return np.column_stack([np.interp(at, length, column) for column in xy.T])


def inside(points: Array, boxes: Array, pad: float) -> Array:
    """Count the points in each box."""
    if not len(points):
        return np.zeros(len(boxes))
    x, y = points[:, 0], points[:, 1]
    x0, y0, x1, y1 = (column[:, None] for column in boxes.T)
    within = (x > x0 - pad) & (x < x1 + pad) & (y > y0 - pad) & (y < y1 + pad)
    return np.asarray(within.sum(axis=1), dtype=np.float64)
