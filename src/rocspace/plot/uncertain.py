"""Averages with error bars, confidence bands and granular curves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocspace._base import text
from rocspace.averaging.average_curve import AverageCurve, AverageInterval
from rocspace.bands.band import Band
from rocspace.bands.formulas import average_band
from rocspace.granular.curve import GranularAreas, GranularRoc
from rocspace.plot.asked import drawn
from rocspace.plot.axes import GREY, LOOKS, last_colour, look_of, reference_line, set_up, shade
from rocspace.plot.graph import roc_axes
from rocspace.plot.legends import draw_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# --- averages and bands -------------------------------------------------------------------------


@drawn
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
            ax.plot(
                *_whole(fpr, tpr), color=shade(ax, "0.6"), linewidth=0.6, zorder=1.6, label="_each"
            )
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


@drawn
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


# --- granular curves ----------------------------------------------------------------------------


@drawn
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
    name = f"{drawn.get_label()}, lower" if "label" in line else "lower"
    look = {"color": drawn.get_color(), "linestyle": ":", "label": name}
    draw_line(ax, *lower, look)


@drawn
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
    reference_line(ax, f"auc {text.brief(areas.auc)}", ends, [areas.auc] * 2, color=shade(ax, GREY))
    _both(ax, (delta, areas.auc_high[order]), (delta, areas.auc_low[order]), line)
    return ax
