"""The ROC graph, and what is drawn into it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocspace import measures
from rocspace._base.arrays import ArrayLike
from rocspace._base.calls import explained
from rocspace._base.checks import check_fraction
from rocspace._base.frozen import a_kind_of
from rocspace._base.optional import require
from rocspace._base.text import LONGEST, distinct, estimate, share, threshold, tick
from rocspace._base.words import listed_values, warn
from rocspace.counts.confusion import ConfusionMatrix
from rocspace.counts.paired import PairedScores
from rocspace.counts.table import ScoreTable, trusted
from rocspace.curves.roc import RocCurve
from rocspace.hull.convex import RocHull
from rocspace.hull.isometrics import Isometric
from rocspace.inference.area import delong
from rocspace.measures.costs_of_errors import CostsLike, as_costs
from rocspace.plot.asked import drawn
from rocspace.plot.axes import (
    GREY,
    INK,
    LIGHT,
    kept_corners,
    last_colour,
    paper,
    reference_line,
    set_up,
    shade,
)
from rocspace.plot.labels import label_points
from rocspace.plot.legends import draw_line, show_legend
from rocspace.results.curve import Curve, HasRates, line_of
from rocspace.results.estimates import Estimate
from rocspace.results.fit import Fit

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_TYPED = 4  # digits of a threshold that somebody chose
_POINTS = 'add_points({"A": (0.1, 0.7), "B": confusion_matrix(y_true, y_pred)})'
_MANY = 30  # dots and names of more vertices would hide the hull

# What is drawn by a function of its own, which the message of `plot_roc` names.
_OTHERS = {
    "CostCurve": "plot_cost_curve",
    "DecisionCurve": "plot_decision",
    "DetCurve": "plot_det",
    "GainsCurve": "plot_gains",
    "GranularRoc": "plot_granular",
    "PrCurve": "plot_pr",
    "PrgCurve": "plot_prg",
}


@explained
def roc_axes(ax: Axes | None = None) -> Axes:
    """Set up empty ROC space: the unit square and the chance diagonal.

    Parameters
    ----------
    ax : matplotlib.axes.Axes, optional
        By default pyplot's current axes.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, to draw more on.

    References
    ----------
    Fawcett (2006), section 3, figure 2.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = roc_axes(Figure().subplots())
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('False positive rate', 'True positive rate')
    """
    ax = set_up(ax, "False positive rate", "True positive rate", square=True)
    reference_line(ax, "chance", [0, 1], [0, 1])
    return ax


@explained
def plot_roc(
    curve: Curve | Sequence[Curve] | Mapping[str, Curve],
    *,
    ax: Axes | None = None,
    area: Literal["interval", "value", "none"] = "interval",
    level: float = 0.95,
    **line: Any,
) -> Axes:
    """Draw an ROC curve, or several with a legend.

    Parameters
    ----------
    curve : Curve, sequence or mapping of str to Curve
        From `rocspace.roc_curve`, an average, a summary curve or the true one of a population;
        the names of a mapping appear in the legend.
    ax : matplotlib.axes.Axes, optional
        By default pyplot's current axes.
    area : {"interval", "value", "none"}, default "interval"
        What the legend says of the area of a curve that has a label. The interval is that of
        `rocspace.delong`, or of a fitted model; one from 0 to 1 is left out. Curves of weights,
        averages, curves without some of their points, and the true curve of a population have the
        value only.
    level : float, default 0.95
        Level of the interval.
    **line
        Properties of the curve's line, such as ``color`` and ``label``. By default each
        curve on the same axes has a colour and dashes of its own.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, to draw more on.

    Raises
    ------
    TypeError
        If it is not a curve but, for example, a table.

    Notes
    -----
    Points inside straight runs are left out by exact arithmetic: the file stays
    small and the curve does not change. A smooth curve is drawn through 2001 points.

    A curve with a label is named in a legend, which stands beside or below the axes for more than
    six; `label_lines` writes names beside the lines instead. Where there is too little room the
    legend leaves out intervals, and at last the middle of long names.

    References
    ----------
    Fawcett (2006), section 4, figure 3.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from rocspace import roc_curve, tabulate
    >>> curve = roc_curve(tabulate([0, 0, 1, 1, 1], [1, 3, 2, 4, 5]))
    >>> ax = plot_roc(curve, ax=Figure().subplots(), label="five cases")
    >>> print(ax.lines[-1].get_xydata().round(2).tolist())
    [[0.0, 0.0], [0.0, 0.67], [0.5, 0.67], [0.5, 1.0], [1.0, 1.0]]
    >>> ax.get_legend().get_texts()[0].get_text()
    'five cases (AUC 0.833, 0.219 to 1)'
    """
    curves = _named_curves(curve)
    ax = roc_axes(ax)
    for name, one in curves.items():
        x_y = line_of(one)
        kept = kept_corners(one.fp, one.tp) if isinstance(one, RocCurve) else slice(None)
        look = {"label": name, **line} if name else line
        more = _area_words(one, area, level) if "label" in look else ()
        draw_line(ax, x_y.x[kept], x_y.y[kept], look, more=more, legend=False)
    if any(curves) or "label" in line:
        show_legend(ax)
    return ax


def _area_words(
    curve: Curve, area: Literal["interval", "value", "none"], level: float
) -> tuple[str, ...]:
    """Return what a legend says of the area of a curve, the longest version first."""
    if area == "none":
        return ()
    found = _estimate(curve) if area == "interval" else None
    if found is None:
        return (f"AUC {share(curve.auc)}",)
    value, ends = estimate(found.value, *found.interval(level))
    brief_words = f"AUC {value}"
    return (brief_words,) if ends == "0 to 1" else (f"{brief_words}, {ends}", brief_words)


def _estimate(curve: Curve) -> Estimate | None:
    """Estimate the area of a curve of counts or of a fit; None where what is needed is lost."""
    if isinstance(curve, Fit):
        found = curve.auc_estimate()
        return found if np.isfinite(found.se) else None
    if not isinstance(curve, RocCurve) or curve.tp.dtype.kind == "f":
        return None
    if not (curve.complete and curve.attainable.all()):
        return None
    pos, neg, rising = np.diff(curve.tp), np.diff(curve.fp), curve.higher_is_positive
    return delong(trusted(curve.threshold[1:], pos, neg, higher_is_positive=rising))


def _named_curves(given: Curve | Sequence[Curve] | Mapping[str, Curve]) -> dict[str, Curve]:
    """Return curves by their names in a legend; a curve alone has none, a list has numbers."""
    named: dict[str, Any] = {"": given}
    if isinstance(given, Mapping):
        named = dict(given)
    elif isinstance(given, list | tuple):
        named = {f"curve {i}": one for i, one in enumerate(given, 1)}
    for one in named.values():
        if not isinstance(one, Curve):
            kind = type(one).__name__
            table = "table" if isinstance(one, ScoreTable) else "tabulate(...)"
            table = "data.table(name)" if isinstance(one, PairedScores) else table
            hint = f"{_OTHERS[kind]}(...)" if kind in _OTHERS else f"plot_roc(roc_curve({table}))"
            msg = f"plot_roc takes a curve, not {a_kind_of(one)}. Say {hint}."
            raise TypeError(msg)
    return named


@drawn
def plot_hull(hull: RocHull, *, ax: Axes | None = None, names: bool = False, **line: Any) -> Axes:
    """Draw a convex hull, with a dot at each vertex.

    Parameters
    ----------
    hull : RocHull
        From `rocspace.roc_hull`.
    ax : matplotlib.axes.Axes, optional
        By default pyplot's current axes.
    names : bool, default False
        Whether to write at each vertex which classifiers reach it, where there is room. Of more
        than 30 vertices, which have no dots, one in each run of the same classifiers is named.
    **line
        Properties of the hull's line.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, to draw more on.

    References
    ----------
    Fawcett (2006), section 6, figure 7.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from rocspace import roc_hull
    >>> from rocspace import tabulate
    >>> table = tabulate([0, 0, 1, 1, 1], [1, 3, 2, 4, 5])
    >>> ax = plot_hull(roc_hull(table), ax=Figure().subplots())
    >>> print(ax.lines[-1].get_xydata().round(2).tolist())
    [[0.0, 0.0], [0.0, 0.67], [0.5, 1.0], [1.0, 1.0]]
    """
    ax = roc_axes(ax)
    look: dict[str, Any] = {"marker": "o", "markersize": 3.5, "markerfacecolor": paper(ax)}
    draw_line(ax, hull.fpr, hull.tpr, look | line if len(hull) <= _MANY else line)
    if names:
        words = [_said_of(sorted({point.name for point in at})) for at in hull.points]
        at = list(range(len(hull)))
        if len(hull) > _MANY:
            new = [i for i in at if not i or words[i] != words[i - 1]]
            at = [(i + end - 1) // 2 for i, end in pairwise([*new, len(hull)])]
        label_points(ax, hull.fpr[at], hull.tpr[at], [words[i] for i in at])
    return ax


def _said_of(names: Sequence[str]) -> str:
    """Name the classifiers at a vertex; of several whose names are long, say how many."""
    whole = ", ".join(names)
    return whole if len(names) < 2 or len(whole) <= LONGEST else f"{len(names)} classifiers"


# --- what is added to the graph -----------------------------------------------------------------


@explained
def add_points(
    points: Mapping[str, HasRates | ConfusionMatrix | tuple[float, float]],
    *,
    ax: Axes | None = None,
    **marker: Any,
) -> Axes:
    """Draw single classifiers as points with their names.

    Parameters
    ----------
    points : mapping of str to OperatingPoint, RocPoints, ConfusionMatrix or (fpr, tpr)
        By name; anything with ``fpr`` and ``tpr``, the counts of a classifier, or the two rates.
    ax : matplotlib.axes.Axes, optional
        By default pyplot's current axes.
    **marker
        Properties of the markers, such as ``marker`` and ``color``.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, to draw more on.

    Raises
    ------
    TypeError
        If it is not a mapping, or a point has no rates.

    Warns
    -----
    UserWarning
        If there is no room for some of the names.

    References
    ----------
    Fawcett (2006), section 3, figure 2.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from rocspace.curves.roc import RocPoints
    >>> point = RocPoints(fpr=0.2, tpr=0.7)
    >>> ax = add_points({"A": point, "B": (0.4, 0.9)}, ax=Figure().subplots())
    >>> ax.texts[0].get_text()
    'A'
    """
    given: Any = points
    if not isinstance(given, Mapping):
        msg = f"add_points takes a mapping of names to points: {_POINTS}."
        raise TypeError(msg)
    rates = [_rates(name, point) for name, point in points.items()]
    ax = roc_axes(ax)
    fpr, tpr = np.array(rates).reshape(-1, 2).T
    look = {"color": shade(ax, INK), "label": "_points", **marker}
    if lacking := _mark(ax, fpr, tpr, list(map(str, points)), look):
        warn(
            f"There is no room for the names of {listed_values(lacking)}. Make the figure larger, "
            "or draw fewer points."
        )
    return ax


def _rates(name: str, point: Any) -> tuple[float, float]:
    """Return the false and the true positive rate of a classifier."""
    if isinstance(point, ConfusionMatrix):
        return float(measures.fpr(point)), float(measures.tpr(point))
    if hasattr(point, "fpr") and hasattr(point, "tpr"):
        return float(point.fpr), float(point.tpr)
    if isinstance(point, tuple | list) and len(point) == 2:
        fpr, tpr = map(float, point)
        check_fraction(f"the false positive rate of {name!r}", fpr)
        check_fraction(f"the true positive rate of {name!r}", tpr)
        return fpr, tpr
    msg = f"{name!r} is of type {type(point).__name__}, without rates. Say {_POINTS}."
    raise TypeError(msg)


def _mark(
    ax: Axes, fpr: Any, tpr: Any, words: Sequence[str], look: Mapping[str, Any]
) -> Sequence[str]:
    """Draw points with labels beside them; return those that find no room."""
    dots: dict[str, Any] = {"linestyle": "none", "marker": "o", "zorder": 3, "clip_on": False}
    ax.plot(fpr, tpr, **{**dots, **look})
    return label_points(ax, fpr, tpr, words) if words else []


@drawn
def add_thresholds(
    curve: RocCurve,
    thresholds: ArrayLike,
    *,
    ax: Axes | None = None,
    text: str | None = None,
    **marker: Any,
) -> Axes:
    """Mark the points of a curve that thresholds reach, with the thresholds beside them.

    Those that find no room next to their point stand further away with a thin line to it; where
    even that covers others a threshold is left out, but not its mark.

    Parameters
    ----------
    curve : RocCurve
        From `rocspace.roc_curve`.
    thresholds : float or array-like
        Thresholds on the scale of the score, whether or not they occur in it.
    ax : matplotlib.axes.Axes, optional
        By default pyplot's current axes.
    text : str, optional
        How a threshold is written, such as ``"{:.2f}"``; by default with the fewest digits that
        make the same decisions. That of rejecting all is ∞.
    **marker
        Properties of the markers.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, to draw more on.

    Raises
    ------
    ValueError
        If the thresholds are neither one number nor a list of numbers.

    References
    ----------
    Fawcett (2006), section 4, figure 3.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from rocspace import roc_curve
    >>> from rocspace import tabulate
    >>> table = tabulate([0, 0, 1, 1, 1], [1, 3, 2, 4, 5])
    >>> ax = add_thresholds(roc_curve(table), [2, 4], ax=Figure().subplots())
    >>> [text.get_text() for text in ax.texts]
    ['2', '4']
    """
    ax = roc_axes(ax)
    at = np.atleast_1d(np.asarray(thresholds))
    if at.ndim > 1:
        msg = f"thresholds has shape {at.shape}. Pass one number, or a list of numbers."
        raise ValueError(msg)
    points = curve.at_threshold(at)
    look = {"markersize": 3.5, "color": last_colour(ax, shade(ax, INK)), "label": "_thresholds"}
    words = [
        text.format(t) if text and np.isfinite(t) else _as_typed(curve, t) for t in at.tolist()
    ]
    places = list(zip(points.fpr.tolist(), points.tpr.tolist(), strict=True))
    new = [i for i, place in enumerate(places) if place not in places[:i]]  # others decide the same
    _mark(ax, points.fpr[new], points.tpr[new], [words[i] for i in new], look | marker)
    return ax


def _as_typed(curve: RocCurve, at: float) -> str:
    """Write a threshold with the few digits that it was given with, or the fewest that suffice."""
    typed = f"{at:.{_TYPED}g}"
    if np.isfinite(at) and float(typed) == at:
        return tick(at)
    return threshold(at, _next_score(curve, at))


def _next_score(curve: RocCurve, at: float) -> Any:
    """Return the first threshold of a curve that is less positive than another one."""
    every = curve.threshold
    beyond = every[every < at] if curve.higher_is_positive else every[every > at]
    return beyond[0] if beyond.size else -every[0]


@drawn
def add_ties(curve: RocCurve, *, ax: Axes | None = None, **patch: Any) -> Axes:
    """Shade the rectangles of ties, inside which the curve of any order of the tied cases runs.

    Parameters
    ----------
    curve : RocCurve
        From `rocspace.roc_curve` with ``ties="expected"`` and all its points.
    ax : matplotlib.axes.Axes, optional
        By default pyplot's current axes.
    **patch
        Properties of the rectangles, such as ``facecolor``.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, to draw more on.

    Raises
    ------
    ValueError
        If points were left out of the curve, so that ties cannot be recognised.

    References
    ----------
    Fawcett (2006), section 5, figure 6.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from rocspace import roc_curve, tabulate
    >>> curve = roc_curve(tabulate([0, 0, 1, 1], [1, 2, 2, 3]))
    >>> ax = add_ties(curve, ax=Figure().subplots())
    >>> len(ax.patches), len(ax.collections)
    (0, 1)
    """
    curve._need_every_point("the tie rectangles")
    ax = roc_axes(ax)
    x, y = curve.fpr, curve.tpr
    tied = np.flatnonzero((np.diff(curve.fp) > 0) & (np.diff(curve.tp) > 0))
    ends = ((0, 0), (1, 0), (1, 1), (0, 1))
    boxes = np.stack([np.column_stack([x[tied + a], y[tied + b]]) for a, b in ends], axis=1)
    collections = require("matplotlib.collections", extra="plot")
    look: dict[str, Any] = {"facecolor": shade(ax, "0.85"), "edgecolor": shade(ax, GREY)}
    look |= {"linewidth": 0.6, "zorder": 1}
    ax.add_collection(collections.PolyCollection(boxes, **(look | patch)), autolim=False)
    return ax


@drawn
def add_iso_performance(
    hull: RocHull,
    slope: float | None = None,
    *,
    costs: CostsLike | None = None,
    prevalence: float | None = None,
    ax: Axes | None = None,
    text: str = "",
    **line: Any,
) -> Axes:
    """Draw the iso-performance line of a slope where it touches a hull.

    Parameters
    ----------
    hull : RocHull
        From `rocspace.roc_hull`.
    slope : float, optional
        In [0, inf]; by default that of the costs and the prevalence, as
        `rocspace.operating.Costs.iso_performance_slope` computes it.
    costs : Costs or mapping, optional
        What each kind of error costs, as in ``dict(fp=1, fn=10)``; by default each costs 1.
    prevalence : float, optional
        The share of positives where the classifier will be used, such as ``table.prevalence``;
        needed unless there is a slope.
    ax : matplotlib.axes.Axes, optional
        By default pyplot's current axes.
    text : str, default ""
        Label of the point where the line touches the hull.
    **line
        Properties of the line.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, to draw more on.

    Raises
    ------
    ValueError
        If both a slope and costs are given, neither a slope nor a prevalence, or one of them is
        not allowed.

    References
    ----------
    Fawcett (2006), equation 1 and section 6.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from rocspace import roc_hull
    >>> from rocspace import tabulate
    >>> table = tabulate([0, 0, 1, 1, 1], [1, 3, 2, 4, 5])
    >>> ax = add_iso_performance(roc_hull(table), 1.0, ax=Figure().subplots(), text="here")
    >>> ax.texts[0].get_text()
    'here'
    """
    if slope is None:
        if prevalence is None:
            msg = (
                "The slope depends on the share of positives, which a hull does not know. Say "
                "prevalence=table.prevalence, or a slope."
            )
            raise ValueError(msg)
        slope = as_costs(costs).iso_performance_slope(prevalence)
    elif costs is not None:
        msg = "A slope says what costs say. Leave one of slope and costs out."
        raise ValueError(msg)
    at = hull.optimal(slope)[0]
    ax = roc_axes(ax)
    f, t = float(hull.fpr[at]), float(hull.tpr[at])
    look: dict[str, Any] = {"color": shade(ax, INK), "linewidth": 0.8, "linestyle": (0, (6, 2))}
    ax.plot(*_across(f, t, slope), **(look | {"label": "_slope"} | line))
    dot = {"color": shade(ax, INK), "markersize": 4, "label": "_touch"}
    _mark(ax, [f], [t], [text] if text else [], dot)
    return ax


def _across(f: float, t: float, slope: float) -> tuple[list[float], list[float]]:
    """Return the ends of a line through a point, where it leaves the unit square."""
    if np.isinf(slope):
        return [f, f], [0.0, 1.0]
    left, right = 0.0, 1.0
    if slope:
        left, right = max(left, f - t / slope), min(right, f + (1 - t) / slope)
    return [left, right], [t + slope * (left - f), t + slope * (right - f)]


@drawn
def add_isometric(
    isometric: Isometric, *, ax: Axes | None = None, text: str | None = None, **line: Any
) -> Axes:
    """Draw the line along which a measure stays the same, with its value.

    Parameters
    ----------
    isometric : Isometric
        From `rocspace.hull.isometric`.
    ax : matplotlib.axes.Axes, optional
        By default pyplot's current axes.
    text : str, optional
        How the value is written, such as ``"{:.2f}"``; "" leaves it out.
    **line
        Properties of the line.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, to draw more on.

    References
    ----------
    Flach (2003), a paper on this alone.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from rocspace.hull import isometric
    >>> line = isometric("accuracy", 0.1, 0.5)
    >>> ax = add_isometric(line, ax=Figure().subplots())
    >>> ax.texts[0].get_text()
    '0.7'
    """
    ax = roc_axes(ax)
    look: dict[str, Any] = {"color": shade(ax, GREY), "linewidth": 0.8, "label": "_isometric"}
    ax.plot(isometric.fpr, isometric.tpr, **(look | line))
    if text != "" and isometric.fpr.size:
        middle = isometric.fpr.size // 2 if isometric.fpr.size > 2 else 1
        (words,) = [text.format(isometric.value)] if text else distinct([isometric.value])
        place = isometric.fpr[middle], isometric.tpr[middle]
        label_points(ax, *place, [words], color=shade(ax, GREY))
    return ax


@explained
def add_contours(
    fpr: ArrayLike,
    tpr: ArrayLike,
    values: ArrayLike,
    *,
    ax: Axes | None = None,
    levels: int | Sequence[float] = 8,
    **line: Any,
) -> Axes:
    """Draw the contours of a measure over ROC space, with their values.

    Parameters
    ----------
    fpr, tpr : array-like of float, shapes (a,) and (b,)
        The rates of the grid.
    values : array-like of float, shape (b, a)
        From `rocspace.hull.value_grid` of these rates.
    ax : matplotlib.axes.Axes, optional
        By default pyplot's current axes.
    levels : int or sequence of float, default 8
        How many contours, or at which values.
    **line
        Properties of matplotlib's ``contour``, such as ``colors``.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, to draw more on.

    References
    ----------
    Flach (2003), a paper on this alone.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from rocspace.hull import value_grid
    >>> rates = np.linspace(0, 1, 11)
    >>> grid = value_grid("accuracy", rates, rates)
    >>> ax = add_contours(rates, rates, grid, ax=Figure().subplots(), levels=[0.5, 0.7])
    >>> [text.get_text() for text in ax.texts]
    ['0.5', '0.7']
    """
    ax = roc_axes(ax)
    look: dict[str, Any] = {"colors": shade(ax, LIGHT), "linewidths": 0.7, "zorder": 1.2}
    inside = np.ma.masked_invalid(np.asarray(values, dtype=np.float64))
    drawn = ax.contour(np.asarray(fpr), np.asarray(tpr), inside, levels=levels, **(look | line))
    heights = [float(level) for level in drawn.levels]
    words = dict(zip(heights, distinct(heights), strict=True))
    ax.clabel(drawn, fmt=words, fontsize="small", colors=shade(ax, GREY))
    return ax
