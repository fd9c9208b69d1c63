"""Cost curves, superiority of classifiers, and decision curves."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal
from weakref import WeakKeyDictionary

import numpy as np

from rocspace._base.arrays import Vector
from rocspace._base.optional import require
from rocspace._base.text import brief
from rocspace.costs.comparison import CostDifference, Superiority, Triangle
from rocspace.costs.curves import CostCurve, CostLine
from rocspace.costs.decision import DecisionCurve
from rocspace.plot.asked import drawn
from rocspace.plot.axes import LIGHT, LOOKS, reference_line, set_up, shade, unit_ticks
from rocspace.plot.forests import shorter_names, write_rows
from rocspace.plot.legends import draw_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ENDS: WeakKeyDictionary[Axes, float] = WeakKeyDictionary()  # of the axes of decision curves
_SMOOTH = 1001  # points of a line that bends between scores


def _cost_axes(ax: Axes | None) -> Axes:
    limits = (-0.0075, 0.5075)
    ax = set_up(ax, "Probability cost", "Normalised expected cost", share=True, ylim=limits)
    reference_line(ax, "trivial", [0, 0.5, 1], [0, 0.5, 0])
    return ax


@drawn
def plot_cost_curve(
    curve: CostCurve,
    *,
    ax: Axes | None = None,
    lines: Literal["best", "none"] = "none",
    **line: Any,
) -> Axes:
    """Draw a cost curve, the lower envelope of the lines of its thresholds.

    Parameters
    ----------
    curve : CostCurve
        From `rocspace.costs.cost_curve`.
    ax : matplotlib.axes.Axes, optional
        By default pyplot's current axes.
    lines : {"none", "best"}, default "none"
        Whether to draw the whole lines of the classifiers that are optimal somewhere.
    **line
        Properties of the curve's line.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, to draw more on.

    Notes
    -----
    The thin triangle is the cost of the better of the two trivial classifiers.

    References
    ----------
    Fawcett (2004), on cost curves, no numbered equation, after Drummond and Holte (2006).

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from rocspace import tabulate
    >>> from rocspace.costs import cost_curve
    >>> curve = cost_curve(tabulate([0, 1, 0, 1], [1, 2, 3, 4]))
    >>> ax = plot_cost_curve(curve, ax=Figure().subplots())
    >>> ax.lines[-1].get_ydata().tolist()
    [0.0, 0.25, 0.0]
    """
    ax = _cost_axes(ax)
    if lines == "best":
        add_cost_lines(CostLine(at_zero=curve.fpr, at_one=1 - curve.tpr), ax=ax)
    draw_line(ax, curve.probability, curve.cost, line)
    return ax


@drawn
def add_cost_lines(lines: CostLine, *, ax: Axes | None = None, **line: Any) -> Axes:
    """Draw the lines of single classifiers or thresholds in cost space.

    Parameters
    ----------
    lines : CostLine
        From ``cost_lines(table).at_threshold(thresholds)``.
    ax : matplotlib.axes.Axes, optional
        By default pyplot's current axes.
    **line
        Properties of the lines.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, to draw more on.

    References
    ----------
    Fawcett (2004), on cost curves, no numbered equation, after Drummond and Holte (2006).

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from rocspace.costs import cost_lines
    >>> from rocspace import tabulate
    >>> table = tabulate([0, 0, 1, 1, 1], [1, 3, 2, 4, 5])
    >>> ax = add_cost_lines(cost_lines(table).at_threshold([2, 4]), ax=Figure().subplots())
    >>> len(ax.collections[0].get_segments())
    2
    """
    ax = _cost_axes(ax)
    ends = np.atleast_1d(lines.at_zero), np.atleast_1d(lines.at_one)
    segments = np.stack([np.column_stack([np.full(e.size, i), e]) for i, e in enumerate(ends)], 1)
    collections = require("matplotlib.collections", extra="plot")
    faint = min(1.0, 60 / max(len(segments), 1))  # many lines shade the graph
    look = {"color": shade(ax, LIGHT), "linewidth": 0.6, "zorder": 1.4, "alpha": faint}
    ax.add_collection(collections.LineCollection(segments, **(look | line)), autolim=False)
    return ax


@drawn
def plot_cost_difference(
    difference: CostDifference, *, ax: Axes | None = None, **line: Any
) -> Axes:
    """Draw the difference of two cost curves, whose sign tells which classifier costs less.

    Parameters
    ----------
    difference : CostDifference
        From `rocspace.costs.cost_difference`.
    ax : matplotlib.axes.Axes, optional
        By default pyplot's current axes.
    **line
        Properties of the line.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, to draw more on. Below zero the first curve costs less.

    References
    ----------
    Fawcett (2004), on cost curves, no numbered equation, after Drummond and Holte (2006).

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from rocspace.costs import cost_curve, cost_difference
    >>> from rocspace import tabulate
    >>> table = tabulate([0, 0, 1, 1, 1], [1, 3, 2, 4, 5])
    >>> other = tabulate([0, 0, 1, 1, 1], [1, 2, 3, 5, 4])
    >>> ax = plot_cost_difference(
    ...     cost_difference(cost_curve(table), cost_curve(other)), ax=Figure().subplots()
    ... )
    >>> ax.get_xlabel()
    'Probability cost'
    """
    ax = set_up(ax, "Probability cost", "Cost of the first minus that of the second", share=True)
    reference_line(ax, "zero", [0, 1], [0, 0])
    draw_line(ax, difference.probability, difference.difference, line)
    return ax


@drawn
def plot_superiority(
    graph: Superiority, *, ax: Axes | None = None, belief: Triangle | None = None, **line: Any
) -> Axes:
    """Draw for which costs each classifier is optimal, as parallel lines.

    Parameters
    ----------
    graph : Superiority
        From `rocspace.costs.relative_superiority`.
    ax : matplotlib.axes.Axes, optional
        By default pyplot's current axes.
    belief : Triangle, optional
        Density of the share of the costs, drawn as a grey triangle behind the lines.
    **line
        Properties of all lines.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, to draw more on.

    References
    ----------
    Fawcett (2004), on relative superiority graphs, no numbered equation, after Adams and Hand
    (1999).

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from rocspace import ConfusionMatrix
    >>> from rocspace.costs import relative_superiority
    >>> a = ConfusionMatrix(tp=5, fn=5, fp=1, tn=9)
    >>> b = ConfusionMatrix(tp=9, fn=1, fp=4, tn=6)
    >>> graph = relative_superiority({"a": a, "b": b}, prevalence=0.5)
    >>> ax = plot_superiority(graph, ax=Figure().subplots())
    >>> [tick.get_text() for tick in ax.get_yticklabels()]
    ['a', 'b']
    """
    n = len(graph.names)
    ax = set_up(ax, "Cost of a false negative, as a share of both costs", "", kind=object())
    for row, name in enumerate(graph.names):
        ends = [end for piece in graph.where(name) for end in (piece.low, piece.high, np.nan)]
        look = {"color": LOOKS[row % len(LOOKS)][0], "linestyle": "-", "linewidth": 3.0, **line}
        look = {"label": name, "marker": "", "solid_capstyle": "butt", **look}
        draw_line(ax, ends or [np.nan], [row] * max(len(ends), 1), look, legend=False)
    for share, (before, after) in zip(graph.share[1:-1], pairwise(graph.best), strict=True):
        if before != after:  # and not only the threshold of the same one
            reference_line(ax, f"change {share!r}", [share, share], [-0.5, n - 0.5], linewidth=0.5)
    if belief is not None:
        corners = [belief.low, belief.mode, belief.high]
        heights = [n - 0.5, -0.45, n - 0.5]
        ax.fill(corners, heights, color=shade(ax, "0.92"), zorder=0.5, linewidth=0, label="_belief")
    ax.set(xlim=(0, 1), ylim=(n - 0.5, -0.5))
    write_rows(ax, shorter_names(graph.names))
    unit_ticks(ax.xaxis)
    return ax


@drawn
def plot_decision(
    curve: DecisionCurve, *, ax: Axes | None = None, standardised: bool = False, **line: Any
) -> Axes:
    """Draw a decision curve, with the net benefit of treating all and of treating none.

    Parameters
    ----------
    curve : DecisionCurve
        From `rocspace.costs.decision_curve`.
    ax : matplotlib.axes.Axes, optional
        By default pyplot's current axes.
    standardised : bool, default False
        Whether to draw the net benefit divided by the prevalence.
    **line
        Properties of the curve's line.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, to draw more on.

    Notes
    -----
    At a score that occurs the benefit jumps, and so does the line; between two scores it falls with
    the odds of the threshold, and is drawn bent as it is. By default the axis goes to 1 if a score
    is 1, or else a tenth beyond the last score and at least to one and a half times the prevalence;
    of thresholds that were chosen it ends at the last one. Benefits far below zero are cut off.

    References
    ----------
    Vickers and Elkin (2006), a paper on this alone.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from rocspace import datasets, tabulate
    >>> from rocspace.costs import decision_curve
    >>> data = datasets.load("two_class_example")
    >>> curve = decision_curve(tabulate(data.y_true, data.y_score))
    >>> plot_decision(curve, ax=Figure().subplots()).get_xlabel()
    'Threshold probability'
    """
    scale = curve.prevalence if standardised else 1.0
    words = f"{'Standardised n' if standardised else 'N'}et benefit"
    top = curve.prevalence / scale
    at, end = _threshold_grid(curve)
    limits = (0, end), (-0.15 * top, 1.05 * top)
    ax = set_up(ax, "Threshold probability", words, xlim=limits[0], ylim=limits[1])
    if ax.get_xlim()[1] == _ENDS.setdefault(ax, end) < end:  # nobody has changed it
        ax.set_xlim(right=end)
        _ENDS[ax] = end
    reference_line(ax, "nobody", [0, 1], [0, 0])
    name = f"everybody {brief(curve.prevalence)}"
    smooth = np.linspace(at[0], at[-1], _SMOOTH)
    everybody = (curve.prevalence - (1 - curve.prevalence) * smooth / (1 - smooth)) / scale
    reference_line(ax, name, smooth, everybody, linestyle="--", color=shade(ax, "0.6"))
    draw_line(ax, at, curve.at_threshold(at).net_benefit / scale, line)
    return ax


def _threshold_grid(curve: DecisionCurve) -> tuple[Vector, float]:
    """Return the thresholds at which a decision curve is drawn, and the end of its axis.

    They are each score, the next number, beyond which its cases are not treated, and steps between
    them that are too short to be seen.
    """
    score = curve.table.score[::-1].astype(np.float64)
    first, last = float(curve.threshold[0]), float(curve.threshold[-1])
    end = last
    if np.array_equal(curve.threshold, np.union1d([0.0], score[score < 1])):  # nobody chose them
        end = 1.0 if score[-1] == 1 else min(max(1.1 * last, 1.5 * curve.prevalence), 1.0)
    stop = min(end, np.nextafter(1.0, 0.0))
    jumps = np.concatenate([score, np.nextafter(score, 1.0), curve.threshold])
    steps = np.linspace(first, stop, _SMOOTH)
    return np.union1d(steps, jumps[(jumps >= first) & (jumps <= stop)]), end
