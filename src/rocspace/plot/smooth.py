"""Fitted curves over the empirical one, and the points of an empirical curve on probit axes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from rocspace._base.text import brief
from rocspace.bands.api import roc_band
from rocspace.counts.table import ScoreTable, of_table
from rocspace.curves.roc import roc_curve
from rocspace.models.choosing import ModelComparison
from rocspace.plot.axes import (
    GREY,
    axes_for,
    equal_ranges,
    is_fresh,
    reference_line,
    set_up,
    shade,
)
from rocspace.plot.graph import plot_roc, roc_axes
from rocspace.plot.legends import draw_line
from rocspace.results.curve import Curve, line_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_TICKS = (0.5, 0.1, 0.9, 0.01, 0.99, 0.001, 0.999, 0.3, 0.7, 0.03, 0.97)  # the most useful first
_DOTS = 60  # more points are drawn as a line
_ENDS = (0.001, 0.999)  # what the axes reach where no point is inside


@of_table
def plot_fits(
    table: ScoreTable,
    fits: Mapping[str, Curve] | ModelComparison,
    *,
    ax: Axes | None = None,
    level: float = 0.95,
    **line: Any,
) -> Axes:
    """Draw fitted curves over the empirical one and its band.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, to which they were fitted.
    fits : mapping of str to Curve, or ModelComparison
        Fits by the name that appears in the legend.
    ax : matplotlib.axes.Axes, optional
        By default pyplot's current axes.
    level : float, default 0.95
        Level of the band of the empirical curve, `rocspace.bands.roc_band`.
    **line
        Properties of the lines of the fits.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, to draw more on.

    Raises
    ------
    SingleClassError
        If a class is missing.

    Notes
    -----
    The empirical curve is grey. A fit that leaves the band contradicts the data.

    References
    ----------
    No source: our own.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from rocspace import datasets, tabulate
    >>> from rocspace.models import compare_models
    >>> data = datasets.load("fawcett20")
    >>> table = tabulate(data.y_true, data.y_score)
    >>> found = compare_models(table, models=["binormal", "labroc"], n_folds=0)
    >>> ax = plot_fits(table, found, ax=Figure().subplots())
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['binormal (AUC 0.687, 0.401 to 0.889)', 'labroc (AUC 0.690, 0.400 to 0.894)']
    """
    ax = roc_axes(ax)
    band = roc_band(table, level=level)
    ax.fill_between(band.fpr, band.low, band.high, color=shade(ax, "0.9"), linewidth=0, zorder=1.2)
    steps = line_of(roc_curve(table))
    reference_line(ax, "empirical", steps.x, steps.y, color=shade(ax, GREY), linewidth=1.0)
    named = fits.fits if isinstance(fits, ModelComparison) else fits
    return plot_roc(named, ax=ax, **line)


@of_table
def plot_probit(
    table: ScoreTable, fit: Curve | None = None, *, ax: Axes | None = None, **line: Any
) -> Axes:
    """Draw the points of an empirical curve on probit axes, where a binormal curve is straight.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.
    fit : Curve, optional
        A fit to draw through them.
    ax : matplotlib.axes.Axes, optional
        By default pyplot's current axes.
    **line
        Properties of the points.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, to draw more on. Their units are Phi^-1 of the rates, their ticks the rates.

    Raises
    ------
    SingleClassError
        If a class is missing.

    Notes
    -----
    Points on a bent line show that no increasing function of the scores makes both classes Normal;
    those near the corners rest on few cases and may scatter. Points with a rate of 0 or 1 lie
    beyond the axes. On the thin line both rates are equal.

    References
    ----------
    Swets (1986), no numbered equation.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from rocspace import datasets, tabulate
    >>> from rocspace.models import fit_labroc
    >>> data = datasets.load("fawcett20")
    >>> table = tabulate(data.y_true, data.y_score)
    >>> ax = plot_probit(table, fit_labroc(table), ax=Figure().subplots())
    >>> ax.lines[-1].get_label()
    'labroc fit'
    """
    from scipy.special import ndtr, ndtri

    names = "False positive rate (probit scale)", "True positive rate (probit scale)"
    ax = axes_for(ax, names)
    fresh = is_fresh(ax)
    set_up(ax, *names)
    reference_line(ax, "chance", [-20, 20], [-20, 20])
    curve = roc_curve(table)
    inside = (curve.fpr > 0) & (curve.fpr < 1) & (curve.tpr > 0) & (curve.tpr < 1)
    x, y = ndtri(curve.fpr[inside]), ndtri(curve.tpr[inside])
    dots = {"linestyle": "none", "marker": "o", "markersize": 3.5} if x.size <= _DOTS else {}
    label = "empirical" if x.size else "empirical: no point inside"
    draw_line(ax, x, y, {"label": label, **dots, **line})
    both = np.concatenate([x, y]) if x.size else ndtri(np.array(_ENDS))
    low, high = float(both.min()) - 0.25, float(both.max()) + 0.25
    if fit is not None:
        at = np.linspace(low, high, 400)
        with np.errstate(divide="ignore"):
            draw_line(ax, at, ndtri(fit.tpr_at(ndtr(at))), {"label": fit.name})
    equal_ranges(ax, fresh, low, high, [(float(ndtri(rate)), brief(rate)) for rate in _TICKS])
    return ax
