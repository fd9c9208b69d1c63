"""Bands from kernel densities: the slope of the curve, its variance, and simulated samples."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np

from rocspace._base.arrays import ArrayLike, Ints, Vector
from rocspace._base.calls import explained
from rocspace._base.checks import check_fraction, check_positive, check_range
from rocspace.bands.band import (
    Band,
    check_replicates,
    counted,
    effective,
    least_room,
    rates,
    thinned,
    wilson_variance,
)
from rocspace.bands.formulas import Future, corners, growth, made, on_range
from rocspace.counts.table import ScoreTable
from rocspace.curves.roc import roc_curve
from rocspace.inference.area import WeightType
from rocspace.models.binormal import oriented, two_normals
from rocspace.models.cases import Cases, cases_of
from rocspace.resampling.replicates import Rng, run_blocks
from rocspace.results.curve import left_right
from rocspace.results.proportions import normal_quantile

Slope: TypeAlias = Literal["kernel", "binormal"]

ROWS = 512  # number of rows to which a table is thinned
_ROUNDING = 1e-12
ROOM = 4.0  # bandwidths beyond the outermost scores


# --- kernels ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Smooth:
    """A smoothed curve by threshold: rates and slopes at decreasing thresholds."""

    fpr: Vector
    tpr: Vector
    slope: Vector


def both_classes(name: str, table: ScoreTable) -> tuple[Cases, Cases]:
    """Return positives and negatives with their scores, larger meaning more positive."""
    score, _ = oriented(name, table)
    return _cases(name, score, table.pos), _cases(name, score, table.neg)


def _cases(name: str, score: Vector, count: Ints) -> Cases:
    cases = cases_of(name, score, count)
    if cases.score.size <= 4 * ROWS:
        return cases
    many = cases.share * cases.n  # neighbours are merged into one case at their mean
    before = np.cumsum(many) - many
    group = np.floor(np.arcsin(np.sqrt((before + many / 2) / cases.n)) * (8 * ROWS / np.pi))
    return cases.grouped(group)


def smooth_curve(name: str, table: ScoreTable) -> Smooth:
    """Return the kernel curve, undersmoothed, with the ratio of two kernel densities."""
    pos, neg = both_classes(name, table)
    h1, h0 = pos.bandwidth("cdf"), neg.bandwidth("cdf")
    d1, d0 = pos.bandwidth("silverman"), neg.bandwidth("silverman")
    at = thresholds(pos, neg, ROOM * max(h1, h0, d1, d0))
    # Due to rounding, sums of shares may differ from 1 at the end, where the slope is 0 / 0.
    f, t = (
        np.where(x > 1 - _ROUNDING, 1.0, np.where(x < _ROUNDING, 0.0, x))
        for x in (neg.above(at, h0), pos.above(at, h1))
    )
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        slope = pos.density(at, d1) / neg.density(at, d0)
    return Smooth(fpr=f, tpr=t, slope=slope)


def thresholds(pos: Cases, neg: Cases, room: float) -> Vector:
    """Return decreasing thresholds: an even grid, and the quantiles of both classes."""
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
    fpr: ArrayLike | None = None,
    *,
    tpr: ArrayLike | None = None,
    slope: Slope = "kernel",
    weight_type: WeightType = "importance",
) -> Vector:
    """Variance of one empirical rate at given values of the other.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.
    fpr : float or array-like, shape (m,), optional
        False positive rates in [0, 1]: the variance is that of the true positive rate there.
    tpr : float or array-like, shape (m,), optional
        True positive rates in [0, 1], instead: the variance is that of the smallest false positive
        rate there.
    slope : {"kernel", "binormal"}, default "kernel"
        How the slope of the curve is estimated: by the ratio of two kernel densities, or of
        two normal distributions.
    weight_type : {"importance", "frequency"}, default "importance"
        How weights are interpreted, as for `rocspace.auc_variance`. With importance weights each
        class has its effective number of cases.

    Returns
    -------
    ndarray of float64, shape (m,)
        The variances; infinite or nan where the slope is infinite or nan.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If both rates or none are given, frequency weights are not whole, scores are infinite, or
        those of a class do not vary.

    Notes
    -----
    O(k). ``R (1 - R) / P + R'^2 f (1 - f) / N``: the first term is due to the positives, the second
    to the threshold, which the negatives determine. Where R is 0 or 1, the first term is that of
    Wilson's interval at 0.95. With `tpr` the classes exchange their roles: ``f (1 - f) / N + t (1 -
    t) / (P R'^2)``.

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
    if (fpr is None) == (tpr is None):
        msg = "Give either fpr or tpr: curve_variance(table, 0.1), curve_variance(table, tpr=0.9)."
        raise ValueError(msg)
    name, given = ("fpr", fpr) if tpr is None else ("tpr", tpr)
    side = counts if tpr is None else exchanged(counts)
    at = check_fraction(name, np.asarray(given, dtype=np.float64))
    seen = left_right(roc_curve(side).line, at.ravel())[name == "fpr"]
    found = slopes_at("curve_variance", side, at.ravel(), slope)
    return variance_at(side, at.ravel(), seen, found, 0.95, None).reshape(at.shape)


def exchanged(table: ScoreTable) -> ScoreTable:
    """Exchange the classes: the curve of the result is this curve with the axes exchanged."""
    return replace(table, pos=table.neg, neg=table.pos, pos_w2=table.neg_w2, neg_w2=table.pos_w2)


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
    of_pos, of_neg = (factor**2 for factor in growth(future, table))
    first = tpr * (1 - tpr) / table.n_pos
    edge = wilson_variance(0.0, float(table.n_pos), normal_quantile(level))
    first = np.where((tpr <= 0) | (tpr >= 1), edge, first)
    with np.errstate(invalid="ignore", over="ignore"):
        second = np.where((fpr <= 0) | (fpr >= 1), 0.0, slope**2 * fpr * (1 - fpr) / table.n_neg)
    return np.asarray(of_pos * first + of_neg * second)


def around(centre: Vector, half: Vector) -> tuple[Vector, Vector]:
    """Return both bounds; where the width is unknown, they are infinite."""
    half = np.where(np.isnan(half), np.inf, half)
    return centre - half, centre + half


@explained
def hsieh_turnbull_band(
    table: ScoreTable,
    *,
    level: float = 0.95,
    rate: Literal["tpr", "fpr"] = "tpr",
    slope: Slope = "kernel",
    future: Future = None,
    weight_type: WeightType = "importance",
) -> Band:
    """Pointwise Normal intervals of the empirical curve with its asymptotic variance.

    Parameters
    ----------
    table, slope, weight_type
        As for `curve_variance`.
    level : float, default 0.95
        Confidence level of each point separately.
    rate : {"tpr", "fpr"}, default "tpr"
        The rate that the intervals are for: vertical intervals at each false positive rate, or
        horizontal intervals at each true positive rate.
    future : tuple of int, optional
        Numbers of positives and negatives in a new sample; both variances are multiplied by ``1 + n
        / n_new``.

    Returns
    -------
    Band
        Pointwise. The bounds are 0 and 1 where the density of the negatives is zero.

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
    upright = rate == "tpr"
    side = counts if upright else exchanged(counts)
    line = roc_curve(thinned(side, ROWS)).line
    at = rates(line.x)
    seen = left_right(line, at)[int(upright)]
    found = slopes_at("hsieh_turnbull_band", side, at, slope)
    new = future if upright or future is None else future[::-1]
    half = z * np.sqrt(variance_at(side, at, seen, found, level, new))
    low, high = around(seen, half)
    method = "hsieh-turnbull"
    if upright:
        return made(at, low, high, level=level, method=method, simultaneous=False, future=future)
    return corners(np.clip(low, 0, 1), np.clip(high, 0, 1), at, at, level, method, future)


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
        Confidence level of each point separately.
    future : tuple of int, optional
        Numbers of positives and negatives in a new sample; both variances are multiplied by ``1 + n
        / n_new``.

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
    `curve_variance`. Where the variance of the smoothed curve is smaller than that of Wilson's
    interval for a proportion of 1, the curve is so close to 0 or 1 that kernel estimates are
    unreliable; there the band contains the exact interval of the rate, or [0, 1] where all
    negatives may lie on one side by chance. The band depends on the scale of the scores: transform
    skewed scores first. Measured at level 0.95, the true rate at fpr .1 and .3 was inside in 94 to
    100 percent of 50 to 200 samples, in 92 with five ratings at .3.

    References
    ----------
    Hall, Hyndman and Fan (2004), a paper on this alone.

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
    grown = growth(future, counts)[0]
    few = variance <= grown**2 * wilson_variance(0.0, sizes[0], z)
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


_BRIDGES = ("simulated bridges", "n_boot")
_BRIDGE = 1500  # knots of the simulated bridges
_STEEP = 1e150  # the squares of steeper slopes are no numbers of float64


# --- simultaneous: the sup of two Brownian bridges --------------------------------------------


@explained
def jms_band(
    table: ScoreTable,
    *,
    level: float = 0.95,
    fpr: tuple[float, float] = (0.05, 0.95),
    n_boot: int = 2000,
    rng: Rng = None,
    threads: int | None = None,
    progress: bool | None = None,
    weight_type: WeightType = "importance",
) -> Band:
    """Simultaneous band on a part of the range, from the limit process of the empirical curve.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.
    level : float, default 0.95
        Confidence level, strictly between 0 and 1.
    fpr : tuple of float, default (0.05, 0.95)
        The range over which the band must cover, inside (0, 1). Outside it the bounds follow from
        monotonicity.
    n_boot : int, default 2000
        Number of pairs of Brownian bridges to draw.
    rng : numpy.random.Generator or int, optional
        Generator or seed.
    threads : int, optional
        Threads; the result does not depend on it.
    progress : bool, optional
        Whether to show progress; by default in a terminal.
    weight_type : {"importance", "frequency"}, default "importance"
        As for `curve_variance`.

    Returns
    -------
    Band
        Simultaneous.

    Raises
    ------
    SingleClassError, ValueError
        As `curve_variance`; also if the range reaches 0 or 1, or there are too few bridges for
        the level.

    Notes
    -----
    O(k + n_boot). The bounds are ``R(f) +- K sqrt(Var(f))``, with the variance of `curve_variance`
    by kernel densities, and K the quantile of the largest studentised value of ``P^(-1/2) B1(R(f))
    + N^(-1/2) R'(f) B0(f)`` with two independent Brownian bridges. Measured at level 0.95, the true
    curve was inside in 93 to 100 percent of 200 samples of normal scores, 5 + 50 to 100 + 100; in
    82 of exponential ones, 88 of five ratings, and 86 to 90 of 50 samples of 1000 + 1000 and 20 +
    20 000; with lognormal importance weights in 80 to 100.

    References
    ----------
    Jensen, Mueller and Schaefer (2000), a paper on this alone.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> table = tabulate([0] * 20 + [1] * 20, [*range(20), *range(9, 29)])
    >>> jms_band(table, n_boot=200, rng=1).simultaneous
    True
    """
    from scipy.special import ndtr, ndtri

    counts = effective("jms_band", table, weight_type)
    check_replicates(n_boot, level)
    low_end, high_end = check_range("fpr", fpr)
    if low_end <= 0 or high_end >= 1:
        msg = f"fpr is {fpr}, but this band exists strictly between 0 and 1 only."
        raise ValueError(msg)
    z = np.linspace(float(ndtri(low_end)), float(ndtri(high_end)), _BRIDGE)
    f: Vector = np.clip(ndtr(z), low_end, high_end)
    f[0], f[-1] = low_end, high_end
    smooth = smooth_curve("jms_band", counts)
    tpr, slope = (np.interp(f, smooth.fpr, column) for column in (smooth.tpr, smooth.slope))
    seen = left_right(roc_curve(counts).line, f)[1]
    sd = np.sqrt(variance_at(counts, f, seen, slope, level, None))
    sizes = float(counts.n_pos), float(counts.n_neg)
    sup = bridge_sups(
        f, tpr, slope, sizes, n_boot=n_boot, rng=rng, threads=threads, progress=progress
    )
    low, high = around(seen, float(np.quantile(sup, level)) * sd)
    return on_range((low_end, high_end), f, low, high, level, "jms")


def bridge_sups(
    fpr: Vector,
    tpr: Vector,
    slope: Vector,
    sizes: tuple[float, float],
    *,
    n_boot: int,
    rng: Rng,
    threads: int | None = None,
    progress: bool | None = None,
) -> Vector:
    """Draw the largest studentised value of the limit process on increasing rates."""
    steep = np.where(
        np.abs(slope) < _STEEP, slope, 0
    )  # beyond, the variance of a point is infinite
    scale1, scale0 = 1 / np.sqrt(sizes[0]), steep / np.sqrt(sizes[1])
    variance = scale1**2 * tpr * (1 - tpr) + scale0**2 * fpr * (1 - fpr)
    sd = np.sqrt(np.where(variance > 0, variance, np.inf))

    def block(generator: np.random.Generator, many: int) -> Vector:
        values = scale1 * _bridges(generator, tpr, many) + scale0 * _bridges(generator, fpr, many)
        return np.asarray(np.abs(values / sd).max(axis=1))

    return run_blocks(block, n_boot, fpr.size, rng, threads, progress, _BRIDGES)


def _bridges(rng: np.random.Generator, at: Vector, many: int) -> Vector:
    """Draw Brownian bridges at increasing times in [0, 1]."""
    steps = np.sqrt(np.maximum(np.diff(at, prepend=0.0, append=1.0), 0.0))
    walk = np.cumsum(rng.standard_normal((many, at.size + 1)) * steps, axis=1)
    return np.asarray(walk[:, :-1] - at * walk[:, -1:])


# --- simultaneous: the smoothed bootstrap -----------------------------------------------------


@explained
def psn_band(
    table: ScoreTable,
    *,
    level: float = 0.95,
    scale: float = 1.0,
    n_boot: int = 2000,
    rng: Rng = None,
    threads: int | None = None,
    progress: bool | None = None,
    weight_type: WeightType = "importance",
) -> Band:
    """Simultaneous band from a smoothed bootstrap, its error divided to make it narrowest.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.
    level : float, default 0.95
        Confidence level, strictly between 0 and 1.
    scale : float, default 1
        Factor s of the bandwidths ``s min(P, N)^(-1/5) sd``.
    n_boot : int, default 2000
        Replicates.
    rng, threads, progress
        As for `jms_band`.
    weight_type : {"importance", "frequency"}, default "importance"
        Only "frequency" weights (whole numbers of identical cases) can be resampled.

    Returns
    -------
    Band
        Simultaneous; its `Band.without_width` is the share of rates at which all replicates agree.

    Raises
    ------
    SingleClassError, ValueError
        As `curve_variance`; also if the scale is not positive, there are importance weights, or
        too few replicates for the level.

    Notes
    -----
    O(k + n_boot). A smoothed sample is a sample from the kernel density, so its counts between
    fixed thresholds are drawn directly. The deviations of a replicate are the largest and the
    smallest value of ``(R* - R) / sd(R* - R)``; the error is divided between the two so that the
    distance of their quantiles is smallest. Where all replicates agree, the band has zero width, so
    it misses the curve at both ends of the range: with 100 normal scores of each class the whole
    true curve was inside the band of level 0.95 in 45 percent of 200 samples, with exponential ones
    in 2.

    References
    ----------
    Martinez-Camblor, Perez-Fernandez and Corral (2018), a paper on this alone.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> table = tabulate([0] * 20 + [1] * 20, [*range(20), *range(9, 29)])
    >>> psn_band(table, n_boot=200, rng=1).simultaneous
    True
    """
    counts = counted("psn_band", table, weight_type)
    check_replicates(n_boot, level)
    check_positive("scale", scale)
    line = roc_curve(thinned(counts, ROWS)).line
    fpr = rates(line.x)
    seen = left_right(line, fpr)[1]
    block, cells = _smoothed_replicates(counts, fpr, scale)
    away = run_blocks(block, n_boot, cells, rng, threads, progress) - seen
    sd = away.std(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        away = np.where(sd > 0, away / sd, 0.0)
    high, low = narrowest(away.max(axis=1), away.min(axis=1), 1 - level)
    return made(
        fpr, seen - high * sd, seen - low * sd, level=level, method="psn", simultaneous=True
    )


def _smoothed_replicates(
    table: ScoreTable, fpr: Vector, scale: float
) -> tuple[Callable[[np.random.Generator, int], Vector], int]:
    """Return a function that draws smoothed replicates at given rates, and its number of cells."""
    classes = both_classes("psn_band", table)
    widths = [scale * min(c.n for c in classes) ** -0.2 * c.sd for c in classes]
    at = thresholds(*classes, ROOM * max(widths))
    chances = []
    for cases, h in zip(classes, widths, strict=True):
        chance = np.maximum(np.diff(cases.above(at, h), prepend=0.0, append=1.0), 0.0)
        chances.append(chance / chance.sum())

    def block(generator: np.random.Generator, many: int) -> Vector:
        lines = []
        for cases, chance in zip(classes, chances, strict=True):
            drawn = generator.multinomial(int(cases.n), chance, size=many)
            lines.append(np.cumsum(drawn, axis=1) / cases.n)
        t, f = (np.concatenate([np.zeros((many, 1)), line], axis=1) for line in lines)
        return np.stack([np.interp(fpr, *one) for one in zip(f, t, strict=True)])

    return block, at.size + 1


def narrowest(largest: Vector, smallest: Vector, error: float) -> tuple[float, float]:
    """Divide an error between two one-sided quantiles so that their distance is smallest."""
    shares = np.linspace(0, error, 41)[1:-1]
    high = np.quantile(largest, 1 - shares)
    low = np.quantile(smallest, error - shares)
    best = int(np.argmin(high - low))
    return float(high[best]), float(low[best])
