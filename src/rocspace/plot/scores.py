"""Scores themselves: their distributions by class, and how well they are calibrated."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from rocspace._base.arrays import Array, Vector
from rocspace._base.checks import check_sizes
from rocspace.calibrate.probabilities import (
    BinnedCalibration,
    IsotonicCalibration,
    PlattCalibration,
)
from rocspace.calibrate.reliability import CalibrationCurve
from rocspace.counts.table import ScoreTable
from rocspace.curves.sweep import check_probabilities
from rocspace.plot.asked import drawn
from rocspace.plot.axes import LOOKS, large_ticks, last_colour, reference_line, set_up
from rocspace.plot.legends import draw_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Calibration: TypeAlias = BinnedCalibration | IsotonicCalibration | PlattCalibration

_MOST = 40  # bins of a histogram whose shape is seen at a glance
_FEW = 12  # up to this many distinct scores, such as ratings, are drawn one by one


@drawn
def plot_scores(
    table: ScoreTable,
    *,
    ax: Axes | None = None,
    bins: int | None = None,
    classes: tuple[str, str] = ("positive", "negative"),
    **line: Any,
) -> Axes:
    """Draw the distributions of the scores of both classes.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score.
    ax : matplotlib.axes.Axes, optional
        By default pyplot's current axes.
    bins : int, optional
        How many bins of equal width, by default twice the cube root of the number of cases, and
        at most 40. Few distinct scores, such as ratings, are drawn one by one instead. Infinite
        scores are left out.
    classes : tuple of str, default ("positive", "negative")
        What the legend calls the positives and the negatives.
    **line
        Properties of both outlines.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, to draw more on. Heights are shares of each class.

    Raises
    ------
    ValueError
        If finite scores are more than 9e307 apart, or `bins` is less than 1.

    References
    ----------
    No source: histograms; twice the cube root is known as the rule of Rice University.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("two_class_example")
    >>> ax = plot_scores(tabulate(data.y_true, data.y_score), ax=Figure().subplots())
    >>> [line.get_label() for line in ax.lines]
    ['positive', 'negative']
    """
    ax = set_up(ax, "Score", "Share of the class")
    finite = np.isfinite(table.score.astype(np.float64))
    score = table.score[finite].astype(np.float64)
    if score.size and np.ptp(score / 8) > np.finfo(np.float64).max / 16:  # no room beside them
        low, high = score.min(), score.max()
        msg = f"Scores from {low:g} to {high:g} are too far apart for one axis. Draw their ranks."
        raise ValueError(msg)
    large_ticks(ax.xaxis, score)
    if bins is None:
        cases = sum(table.n_eff)
        bins = min(max(math.ceil(2 * cases ** (1 / 3)), 1), _MOST)
    check_sizes(bins=bins)
    edge = _edges(score, bins)
    counts = ((table.pos, table.n_pos), (table.neg, table.n_neg))
    for i, (name, (count, total)) in enumerate(zip(classes, counts, strict=True)):
        color, dashes = LOOKS[i]
        height = np.histogram(score, edge, weights=count[finite])[0] / max(total, 1e-300)
        look = {"color": color, "linestyle": dashes, "label": name, "linewidth": 1.0}
        x, y = np.repeat(edge, 2), np.concatenate([[0], np.repeat(height, 2), [0]])
        colour = draw_line(ax, x, y, look | line).get_color()
        fill: dict[str, Any] = {"color": colour, "alpha": 0.3}
        if i:
            fill = {"facecolor": "none", "hatch": "/////", "edgecolor": colour, "alpha": 0.25}
        ax.fill_between(x, y, linewidth=0, zorder=1, **fill)
    ax.set_ylim(bottom=0)
    return ax


def _edges(score: Vector, bins: int) -> Vector:
    """Return the edges of bins: of equal width, or around each of few distinct scores."""
    at = np.sort(score)
    if 1 < at.size <= _FEW:
        middle = (at[1:] + at[:-1]) / 2
        return np.concatenate([[2 * at[0] - middle[0]], middle, [2 * at[-1] - middle[-1]]])
    if at.size == 0:
        return np.array([0.0, 1.0])
    return np.asarray(np.histogram_bin_edges(at[[0, -1]], bins))


# --- calibration ----------------------------------------------------------------------------------


@drawn
def plot_calibration(
    calibration: IsotonicCalibration | BinnedCalibration | PlattCalibration | CalibrationCurve,
    *,
    limits: bool = True,
    ax: Axes | None = None,
    **line: Any,
) -> Axes:
    """Draw a reliability diagram: the share of positives against the score.

    Parameters
    ----------
    calibration : IsotonicCalibration, BinnedCalibration, PlattCalibration or CalibrationCurve
        Fitted to predicted probabilities on the data that evaluate them, by
        `rocspace.calibrate.fit_isotonic` (which needs no choice of bins), `fit_binning` or
        `fit_platt`; or the groups of `rocspace.calibrate.calibration_curve`, drawn as points.
    limits : bool, default True
        Whether the confidence limits of such groups are drawn.
    ax : matplotlib.axes.Axes, optional
        By default pyplot's current axes.
    **line
        Properties of the line.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, to draw more on. On the diagonal the scores are calibrated; above it they are too
        low.

    Raises
    ------
    ValueError
        If the scores that it was fitted to are not probabilities.

    References
    ----------
    Dimitriadis, Gneiting and Jordan (2021), a paper on this alone, for isotonic regression.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from rocspace import tabulate
    >>> from rocspace.calibrate import fit_isotonic
    >>> steps = fit_isotonic(tabulate([0, 1, 0, 1], [0.1, 0.3, 0.6, 0.9]))
    >>> ax = plot_calibration(steps, ax=Figure().subplots())
    >>> ax.lines[-1].get_ydata().tolist()
    [0.0, 0.0, 0.5, 0.5, 1.0, 1.0]
    """
    if not isinstance(calibration, CalibrationCurve):
        _need_probabilities(calibration)
    ax = set_up(ax, "Score", "Share of positives", square=True)
    reference_line(ax, "calibrated", [0, 1], [0, 1])
    if isinstance(calibration, CalibrationCurve):
        draw_line(ax, calibration.predicted, calibration.observed, {"marker": "o", **line})
        if limits:
            draw_limits(ax, calibration)
    else:
        draw_line(ax, *_steps(calibration), line)
    return ax


def draw_limits(ax: Axes, groups: CalibrationCurve) -> None:
    """Draw the confidence limits of groups, in the colour of the last line."""
    ends = groups.predicted, groups.low, groups.high
    ax.vlines(*ends, color=last_colour(ax, LOOKS[0][0]), linewidth=0.8, alpha=0.6)


def _need_probabilities(calibration: Calibration) -> None:
    """Raise unless a calibration was fitted to probabilities of being positive."""
    if isinstance(calibration, IsotonicCalibration):
        ends: tuple[Any, ...] = (calibration.high[0], calibration.low[-1])
    else:
        ends = calibration.score_range or ()
    check_probabilities("plot_calibration", ends, getattr(calibration, "higher_is_positive", True))


def _steps(calibration: Calibration) -> tuple[Array, Array]:
    """Return the corners of a calibration as a function of the score, from 0 to 1."""
    if isinstance(calibration, PlattCalibration):
        at = np.linspace(0, 1, 201)
        return at, calibration.predict(at)
    if isinstance(calibration, BinnedCalibration):
        edge = [1.0, *calibration.boundary, 0.0]
    else:  # from one block to the next less positive one the value changes just below `low`
        edge = [calibration.high[0], *calibration.low]
    whole = np.asarray(edge, dtype=np.float64)
    return np.repeat(whole, 2)[1:-1][::-1], np.repeat(calibration.value, 2)[::-1]
