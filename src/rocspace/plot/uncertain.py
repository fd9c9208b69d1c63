"""Averages with error bars, confidence bands, forest plots and granular curves."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocspace._base import text
from rocspace._base.calls import explained
from rocspace.averaging.average_curve import AverageCurve, AverageInterval
from rocspace.bands.band import Band
from rocspace.bands.formulas import average_band
from rocspace.compare.areas import AucComparison
from rocspace.granular.curve import GranularAreas, GranularRoc
from rocspace.plot.axes import GREY, LOOKS, draw_line, last_colour, look_of, reference_line, set_up
from rocspace.plot.graph import roc_axes
from rocspace.results.estimates import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# --- averages and bands -------------------------------------------------------------------------


def plot_average(
    curve: AverageCurve,
    *,
    ax: Axes | None = None,
    bars: AverageInterval | None = None,
    each: bool = False,
    **line: Any,
) -> Axes:
    """Draw the average of several ROC curves.

    Parameters
    ----------
    curve : AverageCurve
        From `rocspace.averaging.vertical_average`, `threshold_average` or another.
    ax : matplotlib.axes.Axes, optional
        By default pyplot's current axes.
    bars : AverageInterval, optional
        From ``curve.interval(level)``: a bar at each point, in the direction or directions
        in which the curves were averaged.
    each : bool, default False
        Whether to draw the single curves too, thin and grey, through the averaged points.
    **line
        Properties of the average's line.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, to draw more on.

    References
    ----------
    Fawcett (2006), section 8.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from rocspace import tabulate
    >>> from rocspace.averaging import vertical_average
    >>> folds = [tabulate([0, 1, 0, 1], s) for s in ([1, 2, 3, 4], [1, 3, 2, 4], [2, 1, 3, 4])]
    >>> curve = vertical_average(folds, grid=2)
    >>> ax = plot_average(curve, bars=curve.interval(0.9), ax=Figure().subplots())
    >>> print(ax.lines[-1].get_ydata().round(2))
    [0.   0.67 0.83 1.  ]
    """
    ax = roc_axes(ax)
    if each:
        for fpr, tpr in zip(curve.each_fpr, curve.each_tpr, strict=True):
            ax.plot(*_whole(fpr, tpr), color="0.6", linewidth=0.6, zorder=1.6, label="_each")
    look = look_of(ax, line)
    if bars is not None:
        across = _lengths(curve.fpr, bars.fpr_low, bars.fpr_high)
        up = _lengths(curve.tpr, bars.tpr_low, bars.tpr_high)
        thin = {"ecolor": look["color"], "elinewidth": 0.8, "capsize": 1.8, "label": "_bars"}
        ax.errorbar(curve.fpr, curve.tpr, up, across, "none", **thin)
    draw_line(ax, *_whole(curve.fpr, curve.tpr), look)
    return ax


def _whole(fpr: Any, tpr: Any) -> tuple[Any, Any]:
    """Join a sampled curve to both corners, which every curve passes."""
    whole = np.column_stack([fpr, tpr])
    start, end = (0.0, 0.0), (1.0, 1.0)
    whole = whole if tuple(whole[0]) == start else np.vstack([start, whole])
    whole = whole if tuple(whole[-1]) == end else np.vstack([whole, end])
    return whole[:, 0], whole[:, 1]


def _lengths(at: Any, low: Any, high: Any) -> Any:
    """Return the lengths of bars either way, or None where there is no bar."""
    lengths = np.maximum(np.stack([at - low, high - at]), 0)
    return lengths if lengths.any() else None


def plot_band(band: Band | AverageInterval, *, ax: Axes | None = None, **patch: Any) -> Axes:
    """Shade a confidence band in the ROC graph, in the colour of the last curve there.

    Parameters
    ----------
    band : Band or AverageInterval
        From `rocspace.bands.roc_band` or another; for the limits of an average curve,
        ``average.interval(level)``, its `rocspace.bands.average_band`.
    ax : matplotlib.axes.Axes, optional
        By default pyplot's current axes.
    **patch
        Properties of the area, such as ``facecolor`` and ``alpha``.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, to draw more on.

    References
    ----------
    Those of each band.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from rocspace import bands, tabulate
    >>> band = bands.roc_band(tabulate([0] * 20 + [1] * 20, range(40)), method="ks")
    >>> ax = plot_band(band, ax=Figure().subplots())
    >>> len(ax.collections)
    1
    """
    if isinstance(band, AverageInterval):
        band = average_band(band)
    ax = roc_axes(ax)
    look = {"color": last_colour(ax, LOOKS[0][0]), "alpha": 0.2, "linewidth": 0.6, "zorder": 1.3}
    ax.fill_between(band.fpr, band.low, band.high, **(look | patch))
    return ax


# --- comparisons --------------------------------------------------------------------------------


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
    return _forest(_forest_axes(ax, "Estimate", level), estimates, level, line)


def _forest_axes(ax: Axes | None, what: str, level: float, note: str = "") -> Axes:
    words = f"{what} and {text.spaced(text.level_text(level))} interval{note}"
    return set_up(ax, words, "", kind=object())  # rows of a second one would hide the first


def _forest(
    ax: Axes,
    estimates: Mapping[str, Estimate],
    level: float,
    line: Mapping[str, Any],
    beside: Sequence[str] = (),
) -> Axes:
    """Draw a row for each estimate, with its numbers and other words beside it."""
    n = len(estimates)
    value = np.array([estimate.value for estimate in estimates.values()])
    ends = np.array([tuple(estimate.interval(level)) for estimate in estimates.values()])
    row = np.arange(n)
    x = np.column_stack([ends, np.full(n, np.nan)]).ravel()
    ax.plot(x, np.repeat(row, 3), color="black", linewidth=1.0, label="_intervals")
    look = {"linestyle": "none", "marker": "s", "markersize": 4.5, "color": "black"}
    draw_line(ax, value, row, {**look, **line})
    said = [text.estimate(at, *limits) for at, limits in zip(value, ends, strict=True)]
    across = ax.get_yaxis_transform()
    for at, (each, more) in enumerate(zip(said, beside or [""] * n, strict=True)):
        words = f"{each.value} ({each.interval})" if each.interval else each.value
        ax.text(1.02, at, words + more, transform=across, va="center", fontsize="small")
    ax.set_yticks(row, labels=list(estimates))
    ax.set_ylim(n - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    return ax


@explained
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
        areas = dict(zip(comparison.names, comparison.estimates, strict=True))
        return _forest(_forest_axes(ax, "Area", level), areas, level, line)
    pairs = {f"{pair.first} {text.MINUS} {pair.second}": pair for pair in comparison.pairs}
    adjusted = comparison.adjustment != "none"
    how = f" ({comparison.adjustment.capitalize()})" if adjusted else ""
    words = [_p_words(pair.adjusted_pvalue, how) for pair in comparison.pairs]
    ax = _forest_axes(ax, "Difference of areas", level, ", unadjusted" if adjusted else "")
    reference_line(ax, "zero", [0, 0], [-0.6, len(pairs) - 0.4])
    differences = {name: pair.difference for name, pair in pairs.items()}
    return _forest(ax, differences, level, line, words)


def _p_words(pvalue: float, how: str) -> str:
    """Return what is written of a p value after an interval."""
    return f", {text.p_equals(pvalue)}{how}" if math.isfinite(pvalue) else ", no p value"


# --- granular curves ----------------------------------------------------------------------------


def plot_granular(curve: GranularRoc, *, ax: Axes | None = None, **line: Any) -> Axes:
    """Draw the lower and the upper curve of a granular ROC.

    Parameters
    ----------
    curve : GranularRoc
        From `rocspace.granular.groc`.
    ax : matplotlib.axes.Axes, optional
        By default pyplot's current axes.
    **line
        Properties of the upper curve's line; the lower one has its colour and dots.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, to draw more on.

    Notes
    -----
    Neither curve need increase, so their points are joined in the order of their thresholds.

    References
    ----------
    Dong, Li and Li, gROC, definitions 1 to 5.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from rocspace import datasets, tabulate
    >>> from rocspace.granular import groc
    >>> data = datasets.load("groc_table3")
    >>> curve = groc(tabulate(data.y_true, data.columns["a"]), 0.02)
    >>> ax = plot_granular(curve, ax=Figure().subplots())
    >>> [line.get_label() for line in ax.lines[1:]]
    ['upper', 'lower']
    """
    ax = roc_axes(ax)
    _both(ax, (curve.high_fpr, curve.high_tpr), (curve.low_fpr, curve.low_tpr), line)
    return ax


def _both(ax: Axes, upper: tuple[Any, Any], lower: tuple[Any, Any], line: dict[str, Any]) -> None:
    """Draw an upper line, and a lower one in its colour and dots."""
    drawn = draw_line(ax, *upper, {"label": "upper", **line})
    look = {"color": drawn.get_color(), "linestyle": ":", "label": "lower"}
    draw_line(ax, *lower, look)


def plot_granular_areas(areas: GranularAreas, *, ax: Axes | None = None, **line: Any) -> Axes:
    """Draw the lower and the upper area against the granularity.

    Parameters
    ----------
    areas : GranularAreas
        From `rocspace.granular.granular_areas`.
    ax : matplotlib.axes.Axes, optional
        By default pyplot's current axes.
    **line
        Properties of the upper area's line; the lower one has its colour and dots.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, to draw more on. The thin line is the ordinary area.

    References
    ----------
    Dong, Li and Li, gROC, definition 5.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from rocspace.granular import granular_areas
    >>> from rocspace import tabulate
    >>> table = tabulate([0, 0, 1, 1, 1], [1, 3, 2, 4, 5])
    >>> ax = plot_granular_areas(granular_areas(table, [0, 1, 2]), ax=Figure().subplots())
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('Granularity', 'Area')
    """
    ax = set_up(ax, "Granularity", "Area")
    order = np.argsort(areas.delta, kind="stable")
    delta = areas.delta[order]
    ends = delta[[0, -1]]
    reference_line(ax, f"auc {text.brief(areas.auc)}", ends, [areas.auc, areas.auc], color=GREY)
    _both(ax, (delta, areas.auc_high[order]), (delta, areas.auc_low[order]), line)
    return ax
