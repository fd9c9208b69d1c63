"""Losses, errors and values against the conditions of use; bands of precision-recall curves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocspace._base.arrays import Vector
from rocspace._base.text import brief
from rocspace.bands.precision import PrBand
from rocspace.costs.likelihood_ratios import BayesErrorCurve
from rocspace.costs.performance import ExpectedPerformance
from rocspace.costs.rate_driven import RateDrivenCurve
from rocspace.costs.relative_values import RelativeValueCurve
from rocspace.plot.asked import drawn
from rocspace.plot.axes import LOOKS, last_colour, reference_line, set_up, shade
from rocspace.plot.legends import draw_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_STEPS = 401  # points of a line that bends


@drawn
def plot_rate_driven(
    curve: RateDrivenCurve, *, ax: Axes | None = None, kendall: bool = False, **line: Any
) -> Axes:
    """Draw a rate-driven cost curve, or the Kendall curve, the part of it due to the ranking.

    Parameters
    ----------
    curve : RateDrivenCurve
        From `rocspace.costs.rate_driven_curve`.
    ax : matplotlib.axes.Axes, optional
        By default pyplot's current axes.
    kendall : bool, default False
        Whether to draw the Kendall curve.
    **line
        Properties of the curve's line.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, to draw more on.

    Notes
    -----
    The thin line is that of a random ranking. A rate-driven curve of a perfect ranking is drawn
    too; that of the Kendall curve is zero.

    References
    ----------
    Hernandez-Orallo, Flach and Ferri (2013), a paper on this alone.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from rocspace import tabulate
    >>> from rocspace.costs import rate_driven_curve
    >>> curve = rate_driven_curve(tabulate([0, 1, 0, 1], [1, 2, 3, 4]))
    >>> plot_rate_driven(curve, ax=Figure().subplots()).get_ylabel()
    'Loss'
    """
    words = "Loss minus that of a perfect ranking" if kendall else "Loss"
    ax = set_up(ax, "Cost share of a miss = share called positive", words, share=True)
    at = np.union1d(np.linspace(0, 1, _STEPS), curve.rate)
    pi = curve.prevalence
    perfect = 2 * at * (pi - at) + 2 * np.maximum(at - pi, 0)
    guessing = 2 * at * (pi - at) + 2 * at * (1 - pi)
    if kendall:
        guessing = guessing - perfect
    else:
        reference_line(ax, "perfect", at, perfect, linestyle="--", color=shade(ax, "0.6"))
    reference_line(ax, "guessing", at, guessing)
    draw_line(ax, at, (curve.kendall_at if kendall else curve.loss_at)(at), line)
    return ax


@drawn
def plot_relative_value(
    curve: RelativeValueCurve, *, ax: Axes | None = None, best: bool = True, **line: Any
) -> Axes:
    """Draw the relative economic value of a score against the cost-loss ratio.

    Parameters
    ----------
    curve : RelativeValueCurve
        From `rocspace.costs.relative_value_curve`.
    ax : matplotlib.axes.Axes, optional
        By default pyplot's current axes.
    best : bool, default True
        Whether to draw the value of the best threshold at each ratio too, dotted.
    **line
        Properties of the curve's line.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, to draw more on. Values far below zero, where the score does harm, are cut off.

    References
    ----------
    Richardson (2000), a paper on this alone.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from rocspace import tabulate
    >>> from rocspace.costs import relative_value_curve
    >>> curve = relative_value_curve(tabulate([0, 1, 0, 1], [0.1, 0.3, 0.6, 0.9]))
    >>> plot_relative_value(curve, ax=Figure().subplots()).get_xlabel()
    'Cost-loss ratio'
    """
    ax = set_up(ax, "Cost-loss ratio", "Relative value", share=True, ylim=(-0.25, 1.02))
    reference_line(ax, "none", [0, 1], [0, 0])
    top = [-0.25, float(curve.best.max())]
    name = f"prevalence {brief(curve.prevalence)}"
    reference_line(ax, name, [curve.prevalence] * 2, top, linestyle=":", color=shade(ax, "0.6"))
    known = bool(np.isfinite(curve.value).any())
    draw_line(ax, curve.ratio, curve.value if known else curve.best, line)
    if best and known:
        _best_line(ax, curve.ratio, curve.best)
    return ax


@drawn
def plot_bayes_error(
    curve: BayesErrorCurve, *, ax: Axes | None = None, normalised: bool = False, **line: Any
) -> Axes:
    """Draw the error rate of Bayes decisions by likelihood ratios, against the prior.

    Parameters
    ----------
    curve : BayesErrorCurve
        From `rocspace.costs.bayes_error_curve`.
    ax : matplotlib.axes.Axes, optional
        By default pyplot's current axes.
    normalised : bool, default False
        Whether to divide by the error rate without a score.
    **line
        Properties of the curve's line.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, to draw more on.

    Notes
    -----
    The dotted line of the same colour is the error rate of the best threshold at each prior; the
    thin line is that without a score.

    References
    ----------
    Brummer and du Preez (2006), a paper on this alone.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from rocspace import tabulate
    >>> from rocspace.costs import bayes_error_curve
    >>> curve = bayes_error_curve(tabulate([0, 0, 1, 1], [-2, 0.5, -0.5, 3]))
    >>> plot_bayes_error(curve, ax=Figure().subplots()).get_xlabel()
    'Logarithm of the prior odds'
    """
    words = "Normalised error rate" if normalised else "Error rate"
    limits = 0, 1.25 if normalised else 0.52
    ax = set_up(ax, "Logarithm of the prior odds", words, ylim=limits)
    nothing = np.ones_like(curve.trivial) if normalised else curve.trivial
    reference_line(ax, "no score", curve.log_odds, nothing)
    drawn = (curve.normalised, curve.normalised_least) if normalised else (curve.error, curve.least)
    draw_line(ax, curve.log_odds, drawn[0], line)
    _best_line(ax, curve.log_odds, drawn[1])
    return ax


def _best_line(ax: Axes, x: Vector, y: Vector) -> None:
    """Draw the best of what a curve could reach, dotted, in the colour of the line before."""
    name = f"best of line {len(ax.lines)}"
    reference_line(ax, name, x, y, linestyle=":", color=last_colour(ax, LOOKS[0][0]))


@drawn
def plot_expected_performance(
    curve: ExpectedPerformance, *, ax: Axes | None = None, level: float = 0.95, **line: Any
) -> Axes:
    """Draw an expected performance curve: error rates of thresholds chosen on other cases.

    Parameters
    ----------
    curve : ExpectedPerformance
        From `rocspace.costs.expected_performance`.
    ax : matplotlib.axes.Axes, optional
        By default pyplot's current axes.
    level : float, default 0.95
        Level of the interval that is drawn at each point.
    **line
        Properties of the curve's line.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, to draw more on.

    References
    ----------
    Bengio, Mariethoz and Keller (2005), a paper on this alone.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from rocspace import tabulate
    >>> from rocspace.costs import expected_performance
    >>> half = tabulate([0, 1, 0, 1], [1, 2, 3, 4])
    >>> ax = plot_expected_performance(expected_performance(half, half), ax=Figure().subplots())
    >>> ax.get_ylabel()
    'Half total error rate'
    """
    words = "Weight of the false positive rate", "Half total error rate"
    ax = set_up(ax, *words, share=True, ylim=(0, 0.55))
    reference_line(ax, "guessing", [0, 1], [0.5, 0.5])
    draw_line(ax, curve.share, curve.half_total_error, line)
    band = curve.interval(level)
    look = {"color": last_colour(ax, LOOKS[0][0]), "alpha": 0.2, "linewidth": 0.6}
    ax.fill_between(band.share, band.low, band.high, zorder=1.3, **look)
    return ax


@drawn
def plot_pr_band(band: PrBand, *, ax: Axes | None = None, **patch: Any) -> Axes:
    """Draw the confidence band of a precision-recall curve.

    Parameters
    ----------
    band : PrBand
        From `rocspace.bands.pr_band`.
    ax : matplotlib.axes.Axes, optional
        By default pyplot's current axes.
    **patch
        Properties of the area; by default it has the colour of the line drawn last.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, to draw more on.

    References
    ----------
    Fawcett (2006), section 4.2, for precision from both rates.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from rocspace import tabulate
    >>> from rocspace.bands import pr_band
    >>> band = pr_band(tabulate([0] * 20 + [1] * 20, range(40)), method="ks")
    >>> len(plot_pr_band(band, ax=Figure().subplots()).collections)
    1
    """
    ax = set_up(ax, "Recall", "Precision", square=True)
    look = {"color": last_colour(ax, LOOKS[0][0]), "alpha": 0.2, "linewidth": 0.6, "zorder": 1.3}
    ax.fill_between(band.recall, band.low, band.high, **(look | patch))
    return ax
