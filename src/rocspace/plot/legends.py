"""The main lines of results, and legends that name them, say their areas and stay on the page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import product
from textwrap import wrap
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from rocspace._base.arrays import Array
from rocspace._base.optional import require
from rocspace._base.text import shortened
from rocspace._base.words import warn
from rocspace.plot.axes import add_main, inside, look_of, main_lines, pixels, samples
from rocspace.plot.files import LEGEND_INSIDE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.legend import Legend
    from matplotlib.lines import Line2D

_LINE = 32  # letters of a name in one line of a legend
_CORNERS = [f"{low} {side}" for low, side in product(("lower", "upper"), ("right", "left"))]
_CORNERS += ["center right", "lower center", "upper center", "center left", "center"]
_COLUMN = 4.5  # inches of one column
_LONG = 4  # more names below the axes stand in two columns if they can
_MOST_COLUMNS = 6
_SHORTEST = 14  # letters of a name where room is scarce
_NO_ROOM = (
    "The legend finds no room on the page. Make the figure larger, or draw fewer curves or "
    "shorter names."
)
_WIDE = 0.85  # share of the width of axes that a legend may take
_COVER = 0.2, 0.12  # and of the area, with entries in one line and in several
_LEAST = 0.45  # share of their width or height that axes keep
_EDGE = 3.0  # pixels between words and the end of the page
_GAP = 6.0  # points between the axes and a legend beside or below them

_SAID: WeakKeyDictionary[Line2D, tuple[str, ...]] = WeakKeyDictionary()
_SHOWN: WeakKeyDictionary[Axes, Legend] = WeakKeyDictionary()
_PLACE: WeakKeyDictionary[Axes, tuple[Any, Any]] = WeakKeyDictionary()  # before they shrank


def draw_line(
    ax: Axes,
    x: Any,
    y: Any,
    line: Mapping[str, Any],
    *,
    more: Sequence[str] = (),
    legend: bool = True,
) -> Line2D:
    """Draw the main line of a result, and name it in a legend if it has a label.

    `more` is what the legend says of it in brackets, the longest version first.
    """
    (drawn,) = ax.plot(x, y, **look_of(ax, line))
    if not np.isfinite(drawn.get_xydata()).all(axis=1).any():
        drawn.set_markevery(None)  # matplotlib cannot space marks on a line without points
    add_main(drawn)
    _SAID[drawn] = tuple(more)
    if legend and is_named(drawn):
        show_legend(ax)
    return drawn


def is_named(line: Line2D) -> bool:
    """Whether a line has a label that a legend shows."""
    return not str(line.get_label()).startswith("_")


def named_lines(ax: Axes) -> list[Line2D]:
    """Return the lines that results have on these axes, and that have a name."""
    return [line for line in main_lines(ax) if is_named(line)]


def folded(names: Iterable[str], letters: int) -> list[str]:
    """Return names in lines of so many letters."""
    return [name if "$" in name else "\n".join(wrap(name, letters)) for name in names]


# --- legends ------------------------------------------------------------------------------------


def clear_legend(ax: Axes) -> None:
    """Take away the legend that was drawn here, but none of the user's, and give back its room."""
    legend = _SHOWN.pop(ax, None)
    figure: Any = ax.get_figure()
    if legend is not None and (legend is ax.get_legend() or legend in figure.legends):
        legend.remove()
    if ax in _PLACE:
        place, anchor = _PLACE.pop(ax)
        move(ax, place, anchor)


def show_legend(
    ax: Axes,
    lines: Sequence[Line2D] | None = None,
    *,
    title: str | None = None,
    few: int = LEGEND_INSIDE,
) -> None:
    """Name lines in a legend: inside the axes if few, else beside or below them.

    Where even that leaves no room, entries are broken into two lines, say less, and at last long
    names lose their middle.
    """
    clear_legend(ax)
    lines = named_lines(ax) if lines is None else lines
    if not lines or ax.get_legend() is not None:
        return
    ax.apply_aspect()
    frame, entries = ax.bbox, list(_entries(lines))
    look: dict[str, Any] = {"title": title, "fontsize": _letters(_root(ax))[0]}
    for words, most in zip(entries, _COVER, strict=False) if len(lines) <= few else ():
        size = _size(ax, words, title)
        cover = size[0] * size[1] / (frame.width * frame.height)
        if size[0] <= _WIDE * frame.width and cover <= most:
            look["loc"] = _free_corner(ax, size)
            _SHOWN[ax] = ax.legend(lines, words, **look)
            return
    figure: Any = ax.get_figure()
    engine = figure.get_layout_engine()
    constrained = require("matplotlib.layout_engine", extra="plot").ConstrainedLayoutEngine
    if len(figure.axes) == 1 and isinstance(engine, constrained):
        words, place = _outside(ax, entries, title)
        _SHOWN[ax] = figure.legend(lines, words, **place, **look)
    else:
        words, place = _beside(ax, entries, title, shrink=engine is None)
        _SHOWN[ax] = ax.legend(lines, words, borderaxespad=0, **place, **look)


def _free_corner(ax: Axes, size: tuple[float, float]) -> str:
    """Return where a box covers least of the lines and bars; of equal places the first."""
    ax.get_xlim(), ax.get_ylim()  # which are worked out only when they are asked for
    drawn = [*map(pixels, ax.lines), *_bars(ax)]
    path = np.concatenate([samples(xy, ax.bbox) for xy in drawn])
    (x0, y0), (x1, y1) = ax.bbox.min, ax.bbox.max
    pad = 0.5 * _letters(_root(ax))[1]
    left = {"left": x0 + pad, "center": (x0 + x1 - size[0]) / 2, "right": x1 - pad - size[0]}
    low = {"lower": y0 + pad, "center": (y0 + y1 - size[1]) / 2, "upper": y1 - pad - size[1]}
    at = [(left[corner.split()[-1]], low[corner.split()[0]]) for corner in _CORNERS]
    boxes = np.array([(x, y, x + size[0], y + size[1]) for x, y in at])
    return _CORNERS[int(np.argmin(inside(path, boxes, pad / 2)))]


def _bars(ax: Axes) -> Iterator[Array]:
    """Yield the pixels of the bars of errors."""
    for each in ax.containers:
        for bars in getattr(each, "lines", ((), (), ()))[2]:
            yield from map(bars.get_transform().transform, bars.get_segments())


def _entries(lines: Sequence[Line2D]) -> Iterator[list[str]]:
    """Yield what a legend says of each line, the longest first."""
    names = [str(line.get_label()) for line in lines]
    more = [_SAID.get(line) or ("",) for line in lines]
    full, brief = [each[0] for each in more], [each[-1] for each in more]
    in_lines, short, shorter = folded(names, _LINE), shortened(names), shortened(names, _SHORTEST)
    yield [f"{name} ({said})" if said else name for name, said in zip(names, full, strict=True)]
    for written, rest in ((in_lines, full), (in_lines, brief), (short, full)):
        yield [f"{name}\n{said}".strip() for name, said in zip(written, rest, strict=True)]
    for written in (short, shorter):
        yield [
            f"{name} ({said})" if said else name for name, said in zip(written, brief, strict=True)
        ]
    yield shorter


def _root(artist: Any) -> Any:
    """Return the whole figure that an artist is on, and not a part of it."""
    return artist.get_figure().figure


# --- sizes and places -----------------------------------------------------------------------------


def _letters(root: Any) -> tuple[float, float]:
    """Return the size of a legend's letters, smaller than the text's: in points, and in pixels."""
    settings = require("matplotlib", extra="plot").rcParams
    size = settings["legend.fontsize"]
    points = 0.833 * float(settings["font.size"]) if isinstance(size, str) else float(size)
    return points, points * root.dpi / 72


def width_of(root: Any, words: str, points: float) -> float:
    """Return how many pixels the longest line of a text is wide."""
    settings = require("matplotlib", extra="plot").rcParams
    family = tuple(settings["font.family"]), tuple(settings["font.sans-serif"])
    return max(_width(root.dpi, line, points, family) for line in words.split("\n"))


@cache
def _renderer(dpi: float) -> Any:
    """Return what measures texts; a figure without a canvas would draw all of itself for it."""
    return require("matplotlib.backends.backend_agg", extra="plot").RendererAgg(8, 8, dpi)


@lru_cache(4096)
def _width(dpi: float, line: str, points: float, _: object) -> float:
    manager = require("matplotlib.font_manager", extra="plot")
    math = require("matplotlib.cbook", extra="plot").is_math_text(line)
    font = manager.FontProperties(size=points)
    return float(_renderer(dpi).get_text_width_height_descent(line, font, math)[0])


def _size(
    ax: Axes, words: Sequence[str], title: str | None = None, columns: int = 1
) -> tuple[float, float]:
    """Return width and height of a legend in pixels, about as matplotlib lays it out."""
    root = _root(ax)
    points, letter = _letters(root)
    legend = {
        name: letter * float(require("matplotlib", extra="plot").rcParams[f"legend.{name}"])
        for name in ("borderpad", "handlelength", "handletextpad", "labelspacing", "columnspacing")
    }
    rows = -(-len(words) // columns)
    parts = [words[i : i + rows] for i in range(0, len(words), rows)]
    handle = legend["handlelength"] + legend["handletextpad"]
    wide = sum(handle + max(width_of(root, said, points) for said in part) for part in parts)
    wide += legend["columnspacing"] * (len(parts) - 1)
    each = [1.25 * letter * (said.count("\n") + 1) for said in words]
    high = max(sum(each[i : i + rows]) for i in range(0, len(words), rows))
    high += legend["labelspacing"] * (rows - 1) + (1.6 * letter if title else 0)
    if title:
        wide = max(wide, width_of(root, title, points))
    return wide + 2 * legend["borderpad"], high + 2 * legend["borderpad"]


def _outside(
    ax: Axes, entries: Sequence[list[str]], title: str | None
) -> tuple[list[str], dict[str, Any]]:
    """Put the legend of axes that are alone where the layout makes room: right, or below."""
    figure: Any = ax.get_figure()
    page = figure.bbox
    wide = page.width / figure.figure.dpi > _COLUMN
    room = (page.width * (1 - _LEAST), page.height) if wide else (page.width, page.height / 2)
    usual = [1] if wide or len(entries[0]) <= _LONG else [2, 1]
    more = [n for n in _abreast(len(entries[0])) if n not in usual]
    for words, columns in [
        *product(entries, usual),
        *((words, n) for n in more for words in entries),
    ]:
        size = _size(ax, words, title, columns)
        if size[0] <= room[0] and size[1] <= room[1]:
            break
    else:
        warn(_NO_ROOM)
    return words, {
        "loc": "outside right center" if wide else "outside lower center",
        "ncols": columns,
    }


def _abreast(n: int) -> list[int]:
    """Return in how many columns a legend of n names may stand, each with fewer rows."""
    return list({-(-n // k): k for k in range(min(n, _MOST_COLUMNS), 0, -1)}.values())[::-1]


def _beside(
    ax: Axes, entries: Sequence[list[str]], title: str | None, *, shrink: bool
) -> tuple[list[str], dict[str, Any]]:
    """Put a legend right of axes, or below them, and let the axes shrink if no layout does."""
    figure: Any = ax.get_figure()
    points = figure.figure.dpi / 72
    slot, page = ax.get_position(original=True), figure.bbox
    wide, high = slot.width * page.width, slot.height * page.height
    right = page.width * (1 - slot.x0) - 2 * points if len(figure.axes) == 1 else wide
    around = 2 * min(slot.x0, 1 - slot.x1) * page.width if len(figure.axes) == 1 else 0.0
    below = _below(ax)
    for columns, words, side in product(_abreast(len(entries[0])), entries, ("right", "below")):
        size = _size(ax, words, title, columns)
        width, height = wide, high
        if side == "right":
            width = min(wide, right - size[0] - _GAP * points)
        else:
            height = (
                high - size[1] - _GAP * points - max(below + 2 * points - slot.y0 * page.height, 0)
            )
        fits = width >= _LEAST * wide and height >= _LEAST * high
        if fits and size[1] <= high and size[0] <= (right if side == "right" else wide + around):
            break
    else:
        if len(figure.axes) == 1:  # beside other axes there may be room that is not theirs
            warn(_NO_ROOM)
    if shrink:
        _PLACE[ax] = slot, ax.get_anchor()
        width, height = max(width, _LEAST * wide), max(height, _LEAST * high)
        share = width / page.width, height / page.height
        place = [slot.x0, slot.y0 + slot.height - share[1], *share]
        move(ax, place, "W" if side == "right" else "N")
    shift = (_GAP, 0.0) if side == "right" else (0.0, -_GAP - below / points)
    translation = require("matplotlib.transforms", extra="plot").ScaledTranslation
    moved = ax.transAxes + translation(*(x / 72 for x in shift), figure.figure.dpi_scale_trans)
    at = ("upper left", (1, 1)) if side == "right" else ("upper center", (0.5, 0))
    where = {"loc": at[0], "bbox_to_anchor": at[1], "bbox_transform": moved}
    return words, {**where, "ncols": columns}


def _below(ax: Axes) -> float:
    """Return how many pixels the ticks and the name of the horizontal axis take below it."""
    box = ax.xaxis.get_tightbbox(_renderer(_root(ax).dpi))
    return 0.0 if box is None else max(float(ax.bbox.y0 - box.y0), 0.0)


def make_room(ax: Axes) -> None:
    """Make axes so much smaller that their words stay on the page, unless a layout does."""
    root, page = _root(ax), _root(ax).bbox
    if root.get_layout_engine() is not None:
        return
    root.draw_without_rendering()
    box, slot = ax.get_tightbbox(_renderer(root.dpi)), ax.get_position(original=True)
    if box is None:
        return
    if box.x0 >= page.x0 + _EDGE and box.y0 >= page.y0 + _EDGE:
        return
    # Axes of fixed proportions may lie anywhere in their slot: only what stands out counts.
    x0 = max((ax.bbox.x0 - box.x0 + _EDGE) / page.width, slot.x0)
    y0 = max((ax.bbox.y0 - box.y0 + _EDGE) / page.height, slot.y0)
    move(ax, [x0, y0, slot.x1 - x0, slot.y1 - y0], ax.get_anchor())


def move(ax: Axes, place: Any, anchor: Any) -> None:
    """Give axes another place, without taking them out of layouts."""
    ax.set_position(place)
    ax.set_in_layout(True)
    ax.set_anchor(anchor)
