"""Bands from kernel densities: the slope of the curve, and its variance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from rocspace._base.arrays import ArrayLike, Ints, Vector
from rocspace._base.calls import explained
from rocspace._base.checks import check_choice, check_fraction
from rocspace.bands.band import Band, effective, least_room, rates, thinned
from rocspace.bands.formulas import Future, growth, made
from rocspace.counts.table import ScoreTable
from rocspace.curves.roc import roc_curve
from rocspace.inference.area import WeightType
from rocspace.models.binormal import oriented, two_normals
from rocspace.results.curve import left_right
from rocspace.results.proportions import normal_quantile

Slope: TypeAlias = Literal["kernel", "binormal"]

ROWS = 512  # to how many rows a table is thinned
_ROUNDING = 1e-12
ROOM = 4.0  # bandwidths beyond the outermost scores


# --- kernels ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Smooth:
    """A smoothed curve by threshold: rates, and the slope there; thresholds fall."""

    fpr: Vector
    tpr: Vector
    slope: Vector


@dataclass(frozen=True, slots=True, eq=False)
class Cases:
    """Scores of one class with their shares, their standard deviation and its robust form."""

    score: Vector
    share: Vector
    sd: float
    spread: float
    n: float

    def bandwidth(self, rule: Literal["density", "cdf"]) -> float:
        """Return a rule of thumb: for the density, or (smaller) for the distribution."""
        if rule == "density":
            return float(0.9 * self.spread * self.n**-0.2)
        return float(4 ** (1 / 3) * self.sd * self.n ** (-1 / 3))

    def above(self, at: Vector, h: float) -> Vector:
        """Return the share above thresholds, smoothed."""
        from scipy.special import ndtr

        return np.asarray(ndtr((self.score - at[:, np.newaxis]) / h) @ self.share)

    def density(self, at: Vector, h: float) -> Vector:
        """Return the kernel density."""
        z = (self.score - at[:, np.newaxis]) / h
        return np.asarray(np.exp(-z * z / 2) @ self.share / (h * np.sqrt(2 * np.pi)))


def both_classes(name: str, table: ScoreTable) -> tuple[Cases, Cases]:
    """Return positives and negatives with their scores, larger meaning more positive."""
    score, _ = oriented(name, table)
    return _cases(name, score, table.pos), _cases(name, score, table.neg)


def _cases(name: str, score: Vector, count: Ints) -> Cases:
    there = count > 0
    x, many = score[there][::-1], count[there][::-1]  # ascending
    n = float(many.sum())
    mean = float(many @ x) / n
    sd = float(np.sqrt(many @ (x - mean) ** 2 / max(n - 1, 1)))
    if x.size < 2 or not sd > 0:  # of equal scores rounding may leave a spread
        msg = (
            f"{name} smooths the scores of each class, but those of a class do not vary. "
            'Take a rank-based method, such as "likelihood".'
        )
        raise ValueError(msg)
    before = np.cumsum(many) - many
    quartile = [_quantile(x, before, n, q) for q in (0.25, 0.75)]
    iqr = (quartile[1] - quartile[0]) / 1.34
    if x.size > 4 * ROWS:  # neighbours become one case at their mean
        group = np.floor(np.arcsin(np.sqrt((before + many / 2) / n)) * (8 * ROWS / np.pi))
        first = np.flatnonzero(np.diff(group, prepend=-1))
        total = np.add.reduceat(many, first)
        x, many = np.add.reduceat(many * x, first) / total, total
    return Cases(score=x, share=many / n, sd=sd, spread=min(sd, iqr) if iqr > 0 else sd, n=n)


def _quantile(x: Vector, before: Ints, n: float, q: float) -> float:
    """Return a quantile of repeated scores, linear between neighbours."""
    place = q * (n - 1)
    ends = [float(x[np.searchsorted(before, np.floor(place) + i, "right") - 1]) for i in (0, 1)]
    return float(ends[0] + (place - np.floor(place)) * (ends[1] - ends[0]))


def smooth_curve(name: str, table: ScoreTable) -> Smooth:
    """Return the kernel curve, undersmoothed, with the ratio of two kernel densities."""
    pos, neg = both_classes(name, table)
    h1, h0 = pos.bandwidth("cdf"), neg.bandwidth("cdf")
    d1, d0 = pos.bandwidth("density"), neg.bandwidth("density")
    at = thresholds(pos, neg, ROOM * max(h1, h0, d1, d0))
    # Sums of shares may end a rounding error beside 1, where the slope is 0 / 0.
    f, t = (
        np.where(x > 1 - _ROUNDING, 1.0, np.where(x < _ROUNDING, 0.0, x))
        for x in (neg.above(at, h0), pos.above(at, h1))
    )
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        slope = pos.density(at, d1) / neg.density(at, d0)
    return Smooth(fpr=f, tpr=t, slope=slope)


def thresholds(pos: Cases, neg: Cases, room: float) -> Vector:
    """Return falling thresholds: evenly, and at quantiles of both classes."""
    low = min(pos.score[0], neg.score[0]) - room
    high = max(pos.score[-1], neg.score[-1]) + room
    parts = [np.linspace(low, high, ROWS)]
    for cases in (pos, neg):
        step = max(1, cases.score.size // ROWS)
        parts.append(cases.score[::step])
    return np.unique(np.concatenate(parts))[::-1]


# --- the variance of the empirical curve ------------------------------------------------------


@explained
def curve_variance(
    table: ScoreTable,
    fpr: ArrayLike,
    *,
    slope: Slope = "kernel",
    weight_type: WeightType = "importance",
) -> Vector:
    """Variance of the empirical true positive rate at given false positive rates.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.
    fpr : float or array-like, shape (m,)
        False positive rates in [0, 1].
    slope : {"kernel", "binormal"}, default "kernel"
        How the slope of the curve is estimated: by the ratio of two kernel densities, or of
        two normal distributions.
    weight_type : {"importance", "frequency"}, default "importance"
        What weights are, as for `rocspace.auc_variance`. Importance weights give each class
        its effective number of cases.

    Returns
    -------
    ndarray of float64, shape (m,)
        Infinite or nan where the slope is.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If frequency weights are not whole, scores are infinite, or those of a class do not vary.

    Notes
    -----
    O(k). ``R (1 - R) / P + R'^2 f (1 - f) / N``: the positives' share, and the negatives'
    threshold. Where R is 0 or 1 the first term is that of Wilson's interval at 0.95.

    References
    ----------
    Hsieh and Turnbull (1996), the whole paper.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> table = tabulate(data.y_true, data.y_score)
    >>> curve_variance(table, [0.2], slope="binormal").round(4)
    array([0.0466])
    """
    counts = effective("curve_variance", table, weight_type)
    check_choice("slope", slope, ("kernel", "binormal"))
    at = check_fraction("fpr", fpr)
    line = roc_curve(counts).line
    seen = left_right(line, np.atleast_1d(at))[1]
    found = slopes_at("curve_variance", counts, np.atleast_1d(at), slope)
    return variance_at(counts, np.atleast_1d(at), seen, found, 0.95, None).reshape(at.shape)


def slopes_at(name: str, table: ScoreTable, fpr: Vector, slope: Slope) -> Vector:
    """Return the slope of a smoothed curve at given rates."""
    if slope == "binormal":
        return np.asarray(two_normals(name, table).slope_at(fpr))
    smooth = smooth_curve(name, table)
    return np.interp(fpr, smooth.fpr, smooth.slope)


def variance_at(
    table: ScoreTable, fpr: Vector, tpr: Vector, slope: Vector, level: float, future: Future
) -> Vector:
    """Return the variance of the curve at points whose rates and slopes are given."""
    of_pos, of_neg = (factor**2 for factor in growth(future, table.n_pos, table.n_neg))
    first = tpr * (1 - tpr) / table.n_pos
    edge = _edge(float(table.n_pos), normal_quantile(level))
    first = np.where((tpr <= 0) | (tpr >= 1), edge, first)
    with np.errstate(invalid="ignore", over="ignore"):
        second = np.where((fpr <= 0) | (fpr >= 1), 0.0, slope**2 * fpr * (1 - fpr) / table.n_neg)
    return np.asarray(of_pos * first + of_neg * second)


def _edge(n: float, z: float) -> float:
    """Return the variance of a share of 0 or 1 that belongs to Wilson's interval."""
    return z * z / (4 * n * n) / (1 + z * z / n) ** 2


def around(centre: Vector, half: Vector) -> tuple[Vector, Vector]:
    """Return both bounds; where the width is unknown they are trivial."""
    half = np.where(np.isnan(half), np.inf, half)
    return centre - half, centre + half


@explained
def hsieh_turnbull_band(
    table: ScoreTable,
    *,
    level: float = 0.95,
    slope: Slope = "kernel",
    future: Future = None,
    weight_type: WeightType = "importance",
) -> Band:
    """Pointwise normal intervals of the empirical curve with its asymptotic variance.

    Parameters
    ----------
    table, slope, weight_type
        As for `curve_variance`.
    level : float, default 0.95
        Confidence level of each point by itself.
    future : tuple of int, optional
        Positives and negatives of a new sample; both variances grow by ``1 + n / n_new``.

    Returns
    -------
    Band
        Pointwise. Trivial where the density of the negatives is zero.

    Raises
    ------
    SingleClassError, ValueError
        As `curve_variance`.

    Notes
    -----
    O(k). Measured at level 0.95, the true rate at fpr .1 and .3 was inside in 94 to 100 percent of
    50 to 200 samples of 50 or more of each class, in 91 with five ratings at .3; in 87 with 5
    positives at .1, and in 90 to 92 with 20 among 20 000 negatives.

    References
    ----------
    Hsieh and Turnbull (1996), the whole paper.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> hsieh_turnbull_band(tabulate([0] * 20 + [1] * 20, [*range(20), *range(9, 29)])).method
    'hsieh-turnbull'
    """
    counts = effective("hsieh_turnbull_band", table, weight_type)
    z = normal_quantile(level)
    check_choice("slope", slope, ("kernel", "binormal"))
    line = roc_curve(thinned(counts, ROWS)).line
    fpr = rates(line.x)
    seen = left_right(line, fpr)[1]
    found = slopes_at("hsieh_turnbull_band", counts, fpr, slope)
    half = z * np.sqrt(variance_at(counts, fpr, seen, found, level, future))
    low, high = around(seen, half)
    return made(
        fpr, low, high, level=level, method="hsieh-turnbull", simultaneous=False, future=future
    )


@explained
def kernel_band(
    table: ScoreTable,
    *,
    level: float = 0.95,
    future: Future = None,
    weight_type: WeightType = "importance",
) -> Band:
    """Pointwise normal intervals of the kernel-smoothed curve.

    Parameters
    ----------
    table, weight_type
        As for `curve_variance`.
    level : float, default 0.95
        Confidence level of each point by itself.
    future : tuple of int, optional
        Positives and negatives of a new sample; both variances grow by ``1 + n / n_new``.

    Returns
    -------
    Band
        Pointwise.

    Raises
    ------
    SingleClassError, ValueError
        As `curve_variance`.

    Notes
    -----
    O(k). Gaussian kernels; bandwidths ``1.587 sd n^(-1/3)`` for the curve, which undersmooth, and
    ``0.9 min(sd, IQR / 1.34) n^(-1/5)`` for the densities of the slope. The variance is that of
    `curve_variance`. Where the smoothed curve has less of it than Wilson's interval of a share of
    1, it is so near to 0 or 1 that kernels tell nothing; there the band holds the exact interval
    of the rate, and nothing is known where all negatives may lie on one side by chance.
    Changes with the scale of the scores: transform skewed ones first. Measured
    at level 0.95, the true rate at fpr .1 and .3 was inside in 94 to 100 percent of 50 to 200
    samples, in 92 with five ratings at .3.

    References
    ----------
    Hall, Hyndman and Fan (2004), the whole paper.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> kernel_band(tabulate([0] * 20 + [1] * 20, [*range(20), *range(9, 29)])).simultaneous
    False
    """
    counts = effective("kernel_band", table, weight_type)
    z = normal_quantile(level)
    smooth = smooth_curve("kernel_band", counts)
    variance = variance_at(counts, smooth.fpr, smooth.tpr, smooth.slope, level, future)
    low, high = around(smooth.tpr, z * np.sqrt(variance))
    sizes = float(counts.n_pos), float(counts.n_neg)
    grown = growth(future, *sizes)[0]
    few = variance <= grown**2 * _edge(sizes[0], z)
    least = least_room(smooth.fpr, smooth.tpr, sizes, level)
    out = [smooth.tpr + grown * (end - smooth.tpr) for end in least]
    low = np.where(few, np.minimum(low, out[0]), low)
    high = np.where(few, np.maximum(high, out[1]), high)
    return made(
        np.concatenate([[0.0], smooth.fpr, [1.0]]),
        np.concatenate([[0.0], low, [low[-1]]]),
        np.concatenate([high[:1], high, [1.0]]),
        level=level,
        method="kernel",
        simultaneous=False,
        future=future,
    )
