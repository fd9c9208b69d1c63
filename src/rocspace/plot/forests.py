"""Forest plots: estimates and differences with their intervals, one below the other."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocspace._base import text
from rocspace._base.calls import explained
from rocspace._base.optional import require
from rocspace._base.text import shortened
from rocspace._base.words import warn
from rocspace.compare.areas import AucComparison, PairTest
from rocspace.counts.paired import PairedScores
from rocspace.counts.table import ScoreTable
from rocspace.plot.asked import drawn
from rocspace.plot.axes import INK, reference_line, set_up, shade
from rocspace.plot.legends import draw_line, folded, move, width_of
from rocspace.results.estimates import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SHAPES = ((" ", 10**9), ("\n", 10**9), ("\n", 24), (" ", 20), ("\n", 12), (" ", 12))  # of pairs
_NAMES, _WORDS = 0.35, 0.42  # shares of the figure's width that names and numbers may take
_LEAST = 0.25  # share of their width that axes keep
_LINE = 1.25  # height of a line of text, in that of its letters
_STEPS = (1, 2, 2.5, 5, 10)  # of ticks
_READ = 4.5  # points of the smallest letters that can be read on paper
_SPACE = 4.0  # points between axes and what stands beside them


@explained
def plot_forest(
    estimates: Mapping[str, Estimate] | AucComparison,
    *,
    ax: Axes | None = None,
    level: float = 0.95,
    **line: Any,
) -> Axes:
    """Draw estimates with their intervals, one below the other.

    Parameters
    ----------
    estimates : mapping of str to Estimate, or AucComparison
        By name, in the order from top to bottom; differences too. For a comparison, its areas.
    ax : matplotlib.axes.Axes, optional
        By default pyplot's current axes.
    level : float, default 0.95
        Level of the intervals.
    **line
        Properties of the marks.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, to draw more on. The numbers are to the right of them.

    Raises
    ------
    TypeError
        If estimates are given without names, or anything else than estimates.

    References
    ----------
    No source: a forest plot.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from rocspace import datasets, delong, tabulate
    >>> data = datasets.load("two_class_example")
    >>> found = delong(tabulate(data.y_true, data.y_score))
    >>> ax = plot_forest({"Class1": found}, ax=Figure().subplots())
    >>> ax.texts[0].get_text()
    '0.939 (0.915 to 0.957)'
    """
    if isinstance(estimates, AucComparison):
        estimates = dict(zip(estimates.names, estimates.estimates, strict=True))
    _need_estimates(estimates)
    ax = _forest_axes(ax, "Estimate", level)
    return _forest(ax, shorter_names(estimates), list(estimates.values()), level, line)


def _need_estimates(given: Any) -> None:
    """Refuse what is not a mapping of estimates, with the line to write."""
    say = 'plot_forest({"name": estimate})'
    if isinstance(given, PairedScores):
        say = "plot_forest(compare_aucs(data))"
    elif isinstance(given, Mapping):
        if all(isinstance(each, Estimate) for each in given.values()):
            return
        if any(isinstance(each, ScoreTable) for each in given.values()):
            say = "plot_forest({name: delong(table) for name, table in tables.items()})"
    msg = f"plot_forest takes estimates by their names. Say {say}."
    raise TypeError(msg)


def _forest_axes(ax: Axes | None, what: str, level: float, note: str = "") -> Axes:
    words = f"{what} and {text.spaced(text.level_text(level))} interval{note}"
    return set_up(ax, words, "", kind=object())  # rows of a second one would hide the first


def _forest(
    ax: Axes,
    names: Sequence[Sequence[str]],
    estimates: Sequence[Estimate],
    level: float,
    line: Mapping[str, Any],
    beside: Sequence[str] = (),
) -> Axes:
    """Draw a row for each estimate, with its numbers and other words beside it."""
    n = len(estimates)
    value = np.array([estimate.value for estimate in estimates])
    ends = np.array([tuple(estimate.interval(level)) for estimate in estimates])
    row = np.arange(n)
    x = np.column_stack([ends, np.full(n, np.nan)]).ravel()
    ax.plot(x, np.repeat(row, 3), color=shade(ax, INK), linewidth=1.0, label="_intervals")
    look = {"linestyle": "none", "marker": "s", "markersize": 4.5, "color": shade(ax, INK)}
    draw_line(ax, value, row, {**look, **line})
    said = [text.estimate(at, *limits) for at, limits in zip(value, ends, strict=True)]
    numbers = [f"{each.value} ({each.interval})" if each.interval else each.value for each in said]
    more = beside or [""] * n
    ax.set_ylim(n - 0.4, -0.6)
    broken = [
        [f"{a}{sep}{b}" if b else a for a, b in zip(numbers, more, strict=True)]
        for sep in (", ", "\n")
    ]
    write_rows(ax, names, broken)
    ax.spines["left"].set_visible(False)
    return ax


@drawn
def plot_comparison(
    comparison: AucComparison,
    *,
    ax: Axes | None = None,
    show: Literal["differences", "areas"] = "differences",
    level: float = 0.95,
    **line: Any,
) -> Axes:
    """Draw the differences between the areas of several scores as a forest, or the areas.

    Parameters
    ----------
    comparison : AucComparison
        From `rocspace.compare.compare_aucs`.
    ax : matplotlib.axes.Axes, optional
        By default pyplot's current axes.
    show : {"differences", "areas"}, default "differences"
        Every pair that was compared, with its difference, interval and adjusted p value; or every
        score.
    level : float, default 0.95
        Level of the intervals, each on its own.
    **line
        Properties of the marks.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, to draw more on.

    Raises
    ------
    ValueError
        If there is no such thing to show.

    References
    ----------
    Those of the comparison; the picture is a forest plot.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from rocspace import pair_scores
    >>> from rocspace.compare import compare_aucs
    >>> scores = {"a": [5, 2, 4, 3, 1, 2, 0, 1], "b": [2, 4, 3, 1, 2, 3, 1, 0]}
    >>> found = compare_aucs(pair_scores([1, 1, 1, 1, 0, 0, 0, 0], scores))
    >>> ax = plot_comparison(found, ax=Figure().subplots())
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['a − b']
    """
    if show == "areas":
        what = comparison.quantity.removesuffix("s").capitalize()
        ax = _forest_axes(ax, what, level)
        return _forest(ax, shorter_names(comparison.names), comparison.estimates, level, line)
    pairs = comparison.pairs
    names = [_pair_names(pairs, *shape) for shape in _SHAPES]
    adjusted = comparison.adjustment != "none"
    said = [comparison.adjustment.title()] * adjusted
    said += ["one-sided"] * any(pair.test.alternative != "two-sided" for pair in pairs)
    how = f" ({', '.join(said)})" if said else ""
    words = [_p_words(pair.adjusted_pvalue, how) for pair in pairs]
    ax = _forest_axes(
        ax, f"Difference of {comparison.quantity}", level, ", unadjusted" if adjusted else ""
    )
    reference_line(ax, "zero", [0, 0], [-0.6, len(pairs) - 0.4])
    return _forest(ax, names, [pair.difference for pair in pairs], level, line, words)


def _pair_names(pairs: Sequence[PairTest], join: str, most: int) -> list[str]:
    full = list(dict.fromkeys(name for p in pairs for name in (p.first, p.second)))
    said = dict(zip(full, shortened(full, most), strict=True))
    return [f"{said[p.first]}{join}{text.MINUS} {said[p.second]}" for p in pairs]


def _p_words(pvalue: float, how: str) -> str:
    """Return what is written of a p value after an interval."""
    return f"{text.p_equals(pvalue)}{how}" if math.isfinite(pvalue) else "no p value"


# --- rows -----------------------------------------------------------------------------------------


def shorter_names(names: Iterable[str]) -> list[list[str]]:
    """Return names, and versions of them that need less room."""
    full = list(map(str, names))
    return [full, folded(full, 26), shortened(full), shortened(full, 12)]


def write_rows(
    ax: Axes, names: Sequence[Sequence[str]], beside: Sequence[Sequence[str]] = ()
) -> None:
    """Name the rows of a graph, left of it, and write numbers right of it, all on the page.

    Both come in versions, the longest first. Letters are as small as the rows; where no layout
    makes room the axes shrink.
    """
    figure: Any = ax.get_figure()
    page, slot = figure.bbox, ax.get_position(original=True)
    points = figure.figure.dpi / 72
    sizes = require("matplotlib", extra="plot").rcParams
    row = slot.height * page.height / points / abs(np.subtract(*ax.get_ylim()))
    size = min(float(sizes["font.size"]), 0.85 * row)
    if size < _READ:
        high = math.ceil(_READ / size * figure.figure.get_figheight())
        warn(
            f"{len(names[0])} rows have letters of {text.brief(size)} points, too small to read. "
            f"Make the figure {high} inches high, or draw fewer rows."
        )
    left, right = _bounds(ax)
    labels, wide = _that_fit(ax, names, size, row, _NAMES * page.width)
    ax.set_yticks(range(len(labels)), labels=labels, fontsize=size)
    ax.tick_params(axis="y", length=0)
    far = 0.0
    if beside:
        small = min(0.833 * float(sizes["font.size"]), size)
        words, far = _that_fit(ax, beside, small, row, _WORDS * page.width)
        for at, said in enumerate(words):
            ax.annotate(
                said,
                (1, at),
                (2 * _SPACE, 0),
                xycoords=ax.get_yaxis_transform(),
                textcoords="offset points",
                va="center",
                fontsize=small,
                annotation_clip=False,
            )
        far += 3 * _SPACE * points
    _fold_title(ax)
    if figure.get_layout_engine() is None:
        start = max(slot.x0, left + (wide + 2 * _SPACE * points) / page.width)
        end = min(slot.x1, right - far / page.width)
        if (start, end) != (slot.x0, slot.x1):
            width = max(end - start, _LEAST * slot.width)
            move(ax, [start, slot.y0, width, slot.height], ax.get_anchor())
    _few_ticks(ax, page.width - wide - far - 8 * _SPACE * points)


def _few_ticks(ax: Axes, width: float) -> None:
    """Leave so many ticks that their numbers stand apart on an axis of so many pixels."""
    figure: Any = ax.get_figure()
    each = width_of(figure.figure, "−0.00005", float(ax.xaxis.get_ticklabels()[0].get_fontsize()))
    bins = max(int(width / each) - 1, 1)
    if bins < 6:
        ax.xaxis.set_major_locator(
            require("matplotlib.ticker", extra="plot").MaxNLocator(bins, steps=_STEPS)
        )


def _bounds(ax: Axes) -> tuple[float, float]:
    """Return where the room of axes begins and ends, as shares of the figure's width."""
    figure: Any = ax.get_figure()
    own = ax.get_position(original=True)
    others = [other.get_position(original=True) for other in figure.axes if other is not ax]
    left = max((box.x1 for box in others if box.x1 <= own.x0), default=0.0)
    return left, own.x1 if any(box.x0 >= own.x1 for box in others) else 1.0


def _that_fit(
    ax: Axes, versions: Sequence[Sequence[str]], size: float, row: float, most: float
) -> tuple[Sequence[str], float]:
    """Return the first version whose words are narrow enough, or the narrowest; and its width.

    Versions whose lines are higher than the rows are passed over.
    """
    root = ax.get_figure().figure  # type: ignore[union-attr]
    found: list[tuple[float, Sequence[str]]] = []
    for words in versions:
        lines = max((said.count("\n") + 1 for said in words), default=1)
        if lines == 1 or lines * _LINE * size <= row:
            wide = max((width_of(root, said, size) for said in words), default=0.0)
            if wide <= most:
                return words, wide
            found.append((wide, words))
    wide, words = min(found, key=lambda each: each[0])
    return words, wide


def _fold_title(ax: Axes) -> None:
    """Break the name of the horizontal axis into two lines if it is too wide for the page."""
    figure: Any = ax.get_figure()
    name = ax.xaxis.label
    if (
        width_of(figure.figure, name.get_text(), float(name.get_fontsize()))
        > 0.7 * figure.bbox.width
    ):
        name.set_text("\n".join(wrap(name.get_text(), len(name.get_text()) // 2 + 6)))
