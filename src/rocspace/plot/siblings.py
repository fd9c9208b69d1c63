"""Precision-recall, its gain version, detection error trade-off, gains and lift."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocspace._base.arrays import Array, Ints
from rocspace.curves.det import DetCurve, det_position
from rocspace.curves.gains import GainsCurve
from rocspace.curves.pr import PrCurve
from rocspace.curves.prg import PrgCurve
from rocspace.plot.axes import (
    axes_or_current,
    between,
    draw_line,
    is_fresh,
    kept_corners,
    reference_line,
    set_up,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def _with_inner(x: Array, y: Array, inner: Array, height: Array) -> tuple[Array, Array]:
    """Put points strictly between others in their place."""
    at = np.searchsorted(x, inner, "left")
    return np.insert(x, at, inner), np.insert(y, at, height)


# --- precision and recall -----------------------------------------------------------------------


def plot_pr(curve: PrCurve, *, ax: Axes | None = None, **line: Any) -> Axes:
    """Draw a precision-recall curve, bent between its points as it must be.

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
        The axes, for more.

    Notes
    -----
    Between two thresholds the counts are interpolated, which gives hyperbolas; straight
    lines would show what no classifier reaches. A thin line shows the prevalence, the
    precision of guessing.

    References
    ----------
    Davis and Goadrich (2006), the whole paper.

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
    prevalence = curve.n_pos / (curve.n_pos + curve.n_neg)
    reference_line(ax, f"prevalence {prevalence:.6g}", [0, 1], [prevalence, prevalence])
    kept = kept_corners(curve.fp, curve.tp)
    kept = np.union1d(kept, [1])  # where the flat start ends
    x, y = curve.recall[kept], curve.precision[kept]
    inner = between(x)
    draw_line(ax, *_with_inner(x, y, inner, curve.precision_at(inner)), line)
    return ax


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
        The axes, for more.

    Notes
    -----
    On the thin line the F1 score is that of calling everybody positive. The part of a curve
    with a negative precision gain is below the axes.
    """
    ax = set_up(ax, "Recall gain", "Precision gain", square=True)
    reference_line(ax, "always", [0, 1], [1, 0])
    draw_line(ax, curve.recall_gain, curve.precision_gain, line)
    return ax


# --- detection error trade-off ------------------------------------------------------------------

# In per cent, the most welcome first.
_TICKS = (50, 20, 80, 5, 95, 1, 99, 0.1, 99.9, 0.01, 99.99, 0.001, 99.999, 0.0001, 99.9999)
_MORE = (10, 90, 2, 98, 0.5, 99.5, 40, 60, 30, 70, 0.2, 99.8, 0.02, 0.05)
_LOG = (100, 10, 1, 0.1, 0.01, 0.001, 0.0001, 50, 20, 5, 2, 0.5, 0.2, 0.05, 0.02)


def plot_det(curve: DetCurve, *, ax: Axes | None = None, **line: Any) -> Axes:
    """Draw a detection error trade-off curve on its stretched axes, with rates in per cent.

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
        The axes, for more. Their units are places on the scale: see
        `rocspace.curves.det_position`.

    Notes
    -----
    Where both classes tie, the curve is bent as a random mixture of the two thresholds
    is. On the thin line both error rates are equal.

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
    ax = axes_or_current(ax)
    fresh = is_fresh(ax)
    set_up(ax, "False positive rate (%)", "False negative rate (%)")
    reference_line(ax, "equal", [-20, 20], [-20, 20])
    kept = kept_corners(curve.fp, curve.tp)
    x, y = _bent(curve, kept)
    draw_line(ax, x, y, line)
    shown = np.isfinite(x) & np.isfinite(y)
    low = float(min(x[shown].min(), y[shown].min()))
    # Up to four fifths, which is beyond interest, or where a poor curve has its equal error.
    equal = float(np.maximum(x[shown], y[shown]).min())
    high = max(det_position(0.8, scale=curve.scale), equal + 0.5)
    old = None if fresh else ax.get_xlim()
    limits = (low, high) if old is None else (min(low, old[0]), max(high, old[1]))
    ax.set(xlim=limits, ylim=limits, aspect="equal")
    _rate_ticks(ax, curve, limits)
    return ax


def _bent(curve: DetCurve, kept: Ints) -> tuple[Array, Array]:
    """Return places of the kept points, and between the ends of ties those of mixtures."""
    parts = 16
    step = np.arange(kept.size - 1)
    f, m = curve.fpr[kept], curve.fnr[kept]
    tied = (np.diff(f) > 0) & (np.diff(m) < 0)
    tied &= np.hypot(np.diff(curve.x[kept]), np.diff(curve.y[kept])) > 0.02
    share = np.arange(1, parts) / parts
    inner = [
        (column[:-1][tied, None] + share * np.diff(column)[tied, None]).ravel() for column in (f, m)
    ]
    places = [
        det_position(np.clip(rate, gap, 1 - gap), scale=curve.scale)
        for rate, gap in zip(inner, curve.margin, strict=True)
    ]
    at = np.repeat(step[tied] + 1, parts - 1)
    ends = curve.x[kept], curve.y[kept]
    x, y = (np.insert(end, at, place) for end, place in zip(ends, places, strict=True))
    return x, y


def _rate_ticks(ax: Axes, curve: DetCurve, limits: tuple[float, float]) -> None:
    """Put per cents on both axes, none too close to another."""
    apart = (limits[1] - limits[0]) / 9
    taken: list[tuple[float, float]] = []
    for percent in _LOG if curve.scale == "log" else _TICKS + _MORE:
        place = float(det_position(percent / 100, scale=curve.scale))
        inside = limits[0] <= place <= limits[1]
        if inside and all(abs(place - other) >= apart for other, _ in taken):
            taken.append((place, percent))
    places = [place for place, _ in taken]
    words = [f"{percent:.10g}" for _, percent in taken]
    ax.set_xticks(places, labels=words)
    ax.set_yticks(places, labels=words)
    ax.minorticks_off()


# --- gains and lift -----------------------------------------------------------------------------


def plot_gains(curve: GainsCurve, *, ax: Axes | None = None, **line: Any) -> Axes:
    """Draw a cumulative gains curve between guessing and perfection.

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
        The axes, for more.
    """
    ax = set_up(ax, "Share of cases selected", "Share of positives found", square=True)
    prevalence = curve.n_pos / (curve.n_pos + curve.n_neg)
    reference_line(ax, "chance", [0, 1], [0, 1])
    reference_line(ax, f"perfect {prevalence:.6g}", [0, prevalence, 1], [0, 1, 1])
    kept = kept_corners(curve.fp, curve.tp)
    draw_line(ax, curve.depth[kept], curve.tpr[kept], line)
    return ax


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
        The axes, for more.

    Notes
    -----
    Within a tie lift is taken as the expectation, and bends. The thin lines are the lift of
    guessing, which is 1, and the most that is possible.
    """
    ax = axes_or_current(ax)
    fresh = is_fresh(ax)
    set_up(ax, "Share of cases selected", "Lift", share=True)
    prevalence = curve.n_pos / (curve.n_pos + curve.n_neg)
    reference_line(ax, "chance", [0, 1], [1, 1])
    most = np.linspace(prevalence, 1, 200)
    name = f"most {prevalence:.6g}"
    reference_line(ax, name, np.append(0, most), np.append(1 / prevalence, 1 / most))
    kept = kept_corners(curve.fp, curve.tp)
    kept = np.union1d(kept[1:], [1])  # at depth 0 there is no lift
    x, y = curve.depth[kept], curve.lift[kept]
    inner = between(x)
    draw_line(ax, *_with_inner(x, y, inner, curve.lift_at(inner)), line)
    top = 1.08 * min(1 / prevalence, 1.1 * float(y.max()))
    ax.set_ylim(0, top if fresh else max(top, ax.get_ylim()[1]))
    return ax
