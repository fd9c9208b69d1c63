"""Precision-recall, its gain version, detection error trade-off, gains and lift."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocspace._base.arrays import Array, Ints, Vector
from rocspace._base.text import brief
from rocspace.curves.det import DetCurve, det_position
from rocspace.curves.gains import GainsCurve
from rocspace.curves.pr import PrCurve
from rocspace.curves.prg import PrgCurve
from rocspace.plot.asked import drawn
from rocspace.plot.axes import (
    axes_for,
    bent,
    equal_ranges,
    is_fresh,
    kept_corners,
    reference_line,
    set_up,
)
from rocspace.plot.legends import draw_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# --- precision and recall -----------------------------------------------------------------------


@drawn
def plot_pr(curve: PrCurve, *, ax: Axes | None = None, **line: Any) -> Axes:
    """Draw a precision-recall curve, with counts interpolated between its points.

    Parameters
    ----------
    curve : PrCurve
        From `rocspace.pr_curve`.
    ax : matplotlib.axes.Axes, optional
        By default pyplot's current axes.
    **line
        Properties of the curve's line.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, to draw more on.

    Notes
    -----
    Between two thresholds the counts are interpolated, which gives hyperbolas; straight
    lines would show points that no mixture reaches. A thin line shows the prevalence, the
    precision of a random ranking.

    References
    ----------
    Davis and Goadrich (2006), section 4.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from rocspace import pr_curve, tabulate
    >>> curve = pr_curve(tabulate([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8]))
    >>> ax = plot_pr(curve, ax=Figure().subplots())
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('Recall', 'Precision')
    """
    ax = set_up(ax, "Recall", "Precision", square=True)
    guessing = curve.prevalence
    reference_line(ax, f"prevalence {brief(guessing)}", [0, 1], [guessing, guessing])
    kept = np.union1d(kept_corners(curve.fp, curve.tp), [1])  # where the flat start ends
    draw_line(ax, *bent(curve.recall[kept], curve.precision[kept], curve.precision_at), line)
    return ax


@drawn
def plot_prg(curve: PrgCurve, *, ax: Axes | None = None, **line: Any) -> Axes:
    """Draw a precision-recall-gain curve.

    Parameters
    ----------
    curve : PrgCurve
        From `rocspace.curves.prg_curve`.
    ax : matplotlib.axes.Axes, optional
        By default pyplot's current axes.
    **line
        Properties of the curve's line.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, to draw more on.

    Notes
    -----
    On the thin line the F1 score is that of calling every case positive. The part of a curve
    with a negative precision gain lies below the axes.

    References
    ----------
    Flach and Kull (2015), a paper on this alone.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from rocspace.curves import prg_curve
    >>> from rocspace import tabulate
    >>> table = tabulate([0, 0, 1, 1, 1], [1, 3, 2, 4, 5])
    >>> ax = plot_prg(prg_curve(table), ax=Figure().subplots())
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('Recall gain', 'Precision gain')
    """
    ax = set_up(ax, "Recall gain", "Precision gain", square=True)
    reference_line(ax, "always", [0, 1], [1, 0])
    draw_line(ax, curve.recall_gain, curve.precision_gain, line)
    return ax


# --- detection error trade-off ------------------------------------------------------------------

# Ticks in per cent, the most useful first, of each scale.
_TICKS = [50, 20, 80, 5, 95, 1, 99, 0.1, 99.9, 0.01, 99.99, 0.001, 99.999, 0.0001, 99.9999]
_TICKS += [10, 90, 2, 98, 0.5, 99.5, 40, 60, 30, 70, 0.2, 99.8, 0.02, 0.05]
_LOG = [100, 10, 1, 0.1, 0.01, 0.001, 0.0001, 50, 20, 5, 2, 0.5, 0.2, 0.05, 0.02]
_MIXED = np.arange(1, 16) / 16  # shares of the mixtures that are drawn between tied points


@drawn
def plot_det(curve: DetCurve, *, ax: Axes | None = None, **line: Any) -> Axes:
    """Draw a detection error trade-off curve on the transformed axes of its scale, in per cent.

    Parameters
    ----------
    curve : DetCurve
        From `rocspace.curves.det_curve`; its scale is that of the axes.
    ax : matplotlib.axes.Axes, optional
        By default pyplot's current axes; those of another curve must have the same scale.
    **line
        Properties of the curve's line.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, to draw more on. Their units are places on the scale: see
        `rocspace.curves.det_position`.

    Notes
    -----
    Where both classes tie, the curve is that of random mixtures of the two thresholds: it bends.
    On the thin line both error rates are equal. Of a class with a single case, whose rates are 0
    or 1, clipped rates are drawn at a quarter and three quarters: half a case from both ends they
    would meet.

    References
    ----------
    Martin et al. (1997), a paper on this alone.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from rocspace import datasets, tabulate
    >>> from rocspace.curves import det_curve
    >>> data = datasets.load("two_class_example")
    >>> ax = plot_det(det_curve(tabulate(data.y_true, data.y_score)), ax=Figure().subplots())
    >>> ax.get_xlabel()
    'False positive rate (%)'
    """
    names = "False positive rate (%)", "False negative rate (%)"
    ax = axes_for(ax, names)
    fresh = is_fresh(ax)
    set_up(ax, *names)
    reference_line(ax, "equal", [-20, 20], [-20, 20])
    kept = kept_corners(curve.fp, curve.tp)
    x, y = _bent(curve, kept)
    draw_line(ax, x, y, line)
    shown = np.isfinite(x) & np.isfinite(y)
    low = float(min(x[shown].min(), y[shown].min()))
    # Up to four fifths, which is beyond interest, or up to the equal error of a poor curve.
    equal = float(np.maximum(x[shown], y[shown]).min())
    high = max(det_position(0.8, scale=curve.scale), equal + 0.5)
    rates = _LOG if curve.scale == "log" else _TICKS
    places = (float(det_position(percent / 100, scale=curve.scale)) for percent in rates)
    equal_ranges(ax, fresh, low, high, zip(places, map(brief, rates), strict=True))
    return ax


def _bent(curve: DetCurve, kept: Ints) -> tuple[Array, ...]:
    """Return positions of the kept points, and of mixtures between the ends of ties."""
    if curve.limits == "clip":
        curve = replace(curve, margin=(min(curve.margin[0], 0.25), min(curve.margin[1], 0.25)))
    f, m, x, y = (column[kept] for column in (curve.fpr, curve.fnr, curve.x, curve.y))
    tied = (np.diff(f) > 0) & (np.diff(m) < 0) & (np.hypot(np.diff(x), np.diff(y)) > 0.02)

    def with_mixtures(rate: Vector, place: Vector, gap: float) -> Array:
        mixed = (rate[:-1][tied, None] + _MIXED * np.diff(rate)[tied, None]).ravel()
        inner = det_position(np.clip(mixed, gap, 1 - gap), scale=curve.scale)
        return np.insert(place, np.repeat(np.flatnonzero(tied) + 1, _MIXED.size), inner)

    return tuple(map(with_mixtures, (f, m), (x, y), curve.margin))


# --- gains and lift -----------------------------------------------------------------------------


@drawn
def plot_gains(curve: GainsCurve, *, ax: Axes | None = None, **line: Any) -> Axes:
    """Draw a cumulative gains curve between those of a random and of a perfect ranking.

    Parameters
    ----------
    curve : GainsCurve
        From `rocspace.curves.gains_curve`.
    ax : matplotlib.axes.Axes, optional
        By default pyplot's current axes.
    **line
        Properties of the curve's line.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, to draw more on.

    References
    ----------
    Fawcett (2006), section 4.2, for lift.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from rocspace.curves import gains_curve
    >>> from rocspace import tabulate
    >>> table = tabulate([0, 0, 1, 1, 1], [1, 3, 2, 4, 5])
    >>> ax = plot_gains(gains_curve(table), ax=Figure().subplots())
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('Share of cases selected', 'Share of positives found')
    """
    ax = set_up(ax, "Share of cases selected", "Share of positives found", square=True)
    most = curve.prevalence
    reference_line(ax, "chance", [0, 1], [0, 1])
    reference_line(ax, f"perfect {brief(most)}", [0, most, 1], [0, 1, 1])
    kept = kept_corners(curve.fp, curve.tp)
    draw_line(ax, curve.depth[kept], curve.tpr[kept], line)
    return ax


@drawn
def plot_lift(curve: GainsCurve, *, ax: Axes | None = None, **line: Any) -> Axes:
    """Draw a lift curve, from the first case on.

    Parameters
    ----------
    curve : GainsCurve
        From `rocspace.curves.gains_curve`.
    ax : matplotlib.axes.Axes, optional
        By default pyplot's current axes.
    **line
        Properties of the curve's line.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, to draw more on.

    Notes
    -----
    Within a tie the lift is its expectation, and the curve bends. The thin lines are the lift
    of a random ranking, which is 1, and the largest lift that is possible.

    References
    ----------
    Fawcett (2006), section 4.2, for lift.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from rocspace.curves import gains_curve
    >>> from rocspace import tabulate
    >>> table = tabulate([0, 0, 1, 1, 1], [1, 3, 2, 4, 5])
    >>> ax = plot_lift(gains_curve(table), ax=Figure().subplots())
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('Share of cases selected', 'Lift')
    """
    names = "Share of cases selected", "Lift"
    ax = axes_for(ax, names)
    fresh = is_fresh(ax)
    set_up(ax, *names, share=True)
    reference_line(ax, "chance", [0, 1], [1, 1])
    most = np.linspace(curve.prevalence, 1, 200)
    name = f"most {brief(curve.prevalence)}"
    reference_line(ax, name, np.append(0, most), 1 / np.append(curve.prevalence, most))
    kept = np.union1d(kept_corners(curve.fp, curve.tp)[1:], [1])  # at depth 0 there is no lift
    draw_line(ax, *bent(curve.depth[kept], curve.lift[kept], curve.lift_at), line)
    top = 1.08 * min(1 / curve.prevalence, 1.1 * float(curve.lift[kept].max()))
    ax.set_ylim(0, top if fresh else max(top, ax.get_ylim()[1]))
    return ax
