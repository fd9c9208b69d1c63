"""Confidence limits of an area that allow for an unseen case at the far end of the scale.

Our own combination (docs, "Our own methods"). The area is the mean placement of the positives, and
also that of the negatives. Each class gives limits of its own: half a case is added at the worst
placement that the sample's scores allow, and the limit is the quantile of a beta distribution with
the resulting mean and variance. Adding the squared distances combines the two classes into one
interval. A yes/no test has score limits, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import hypot, sqrt
from typing import NamedTuple, TypeAlias

import numpy as np

from rocspace._base.arrays import Vector
from rocspace.results.discordance import restricted_areas
from rocspace.results.limits import wilson_ends

HALF_A_CASE = 0.5  # from benchmarks.constants.unseen_area; 1 is Clopper and Pearson's
_NONE = 1e-30
_ROUNDING = 1e-9
_CLASSES = 2
_CHANCE = 0.5
_HEAVY_DF = 10.0  # degrees of freedom per heavy case, seen or unseen


class ClassMean(NamedTuple):
    """The mean placement of a class.

    Attributes
    ----------
    n : float
        Number of cases, or effective number.
    spread : float
        Mean squared deviation of the placements from the area, their mean.
    low, high : float
        Placements that a case with the lowest or the highest score of the sample would have, the
        smaller one first.
    added : float
        The part of an unseen case that its limits allow for.
    """

    n: float
    spread: float
    low: float
    high: float
    added: float = HALF_A_CASE


class WeightedMean(NamedTuple):
    """The mean placement of a class whose cases have different weights.

    Attributes
    ----------
    mean : ClassMean
        The mean placement with the effective number of cases.
    variance, df : float
        Hajek's variance of the mean, and its degrees of freedom.
    unseen : float
        Variance due to one more case of the largest weight.
    heavy : float
        Number of cases with at least half of the largest weight.
    added : float
        Number of effective cases to add at the least favourable placement.
    """

    mean: ClassMean
    variance: float
    df: float
    unseen: float
    heavy: float
    added: float = HALF_A_CASE


Classes: TypeAlias = tuple[ClassMean, ...] | tuple[WeightedMean, ...]


def weighted_variance(classes: Iterable[WeightedMean]) -> tuple[float, float]:
    """Return the variance with one more heavy case in each class, and its degrees of freedom.

    Each heavy case, seen or unseen, counts as ten degrees of freedom.
    """
    parts = [
        part
        for c in classes
        for part in ((c.variance, c.df), (c.unseen, _HEAVY_DF * (1 + c.heavy)))
        if part[0] > 0
    ]
    variance = sum(v for v, _ in parts)
    few = sum(v * v / df for v, df in parts)
    return variance, variance * variance / few if few > 0 else 0.0


def heavy_half(classes: Classes, level: float) -> float:
    """Return the half width of an interval that allows for one more heavy case in each class."""
    from scipy.special import stdtrit

    variance, df = weighted_variance(c for c in classes if isinstance(c, WeightedMean))
    return -float(stdtrit(df, (1 - level) / 2)) * sqrt(variance)


def heavy_limits(area: float, classes: Classes, level: float) -> tuple[float, float]:
    """Return Wilson's limits with the variance due to one more heavy case in each class."""
    low, high = wilson_ends(area, heavy_half(classes, level) ** 2 / (area * (1 - area)))
    return float(low), float(high)


def null_limits(value: float, shape: float, level: float) -> tuple[float, float]:
    """Return Wilson's limits of a volume whose variance is ``shape v (1 - v)`` at the value v."""
    from scipy.special import ndtri

    low, high = wilson_ends(value, float(ndtri((1 - level) / 2)) ** 2 * shape)
    return float(low), float(high)


def unseen_limits(
    area: float, classes: Classes, level: float, *, added: float | None = None
) -> tuple[float, float]:
    """Return both limits of an area strictly inside (0, 1), each class with part of an unseen case.

    By default each class says which part; `added` says it for all.
    Where weights vary, the farther of two limits is taken on each side: the limit with unseen
    effective cases, and Wilson's with the variance due to one more case of the largest weight.
    The limit of a yes/no test that lies towards the nearer end of the scale is the farther of that
    with unseen cases, and the score limit of its two rates.
    """
    means, parts = [], []
    for c in classes:
        means.append(c.mean if isinstance(c, WeightedMean) else c)
        given = None if isinstance(c, WeightedMean) else added
        parts.append(c.added if given is None else given)
    low, high = square_and_add(area, means, level, parts)
    if isinstance(classes[0], WeightedMean):
        of_heavy = heavy_limits(area, classes, level)
        return min(of_heavy[0], low), max(of_heavy[1], high)
    rates = _inner_rates(area, means)
    if rates is not None:
        of_rates = _score_limits(*rates, (means[0].n, means[1].n), level)
        low = min(of_rates[0], low) if area <= _CHANCE else low
        high = max(of_rates[1], high) if area >= _CHANCE else high
    return low, high


def square_and_add(
    area: float, classes: Sequence[ClassMean], level: float, added: Sequence[float]
) -> tuple[float, float]:
    """Combine the limits of the classes into limits of the area.

    The distance to each is the square root of the sum of the squared distances to the limits of the
    classes (Newcombe 1998, method 10).
    """
    tail = (1 - level) / 2
    both = list(zip(classes, added, strict=True))
    below = [max(area - _limit(area, c, c.low, tail, k), 0.0) for c, k in both]
    above = [max(_limit(area, c, c.high, 1 - tail, k) - area, 0.0) for c, k in both]
    return max(area - hypot(*below), 0.0), min(area + hypot(*above), 1.0)


def _score_limits(
    tpr: float, fpr: float, sizes: tuple[float, float], level: float
) -> tuple[float, float]:
    """Return the score limits of the area of a yes/no test, (1 + tpr - fpr) / 2.

    They are those of a difference of proportions: where the score statistic of Miettinen and
    Nurminen (1985, the whole paper) reaches the quantile of the Normal distribution.
    """
    from scipy.optimize import brentq
    from scipy.special import ndtri

    n_pos, n_neg = sizes
    factor = float(ndtri((1 - level) / 2)) ** 2 * (n_pos + n_neg) / (n_pos + n_neg - 1)

    def excess(gap: float) -> float:
        one, two = restricted_areas(tpr, fpr, gap, ratio=n_neg / n_pos)
        square = (tpr - fpr - gap) ** 2
        allowed = factor * (one * (1 - one) / n_pos + two * (1 - two) / n_neg)
        return square / (square + allowed) - 0.5 if allowed > 0 else 0.5  # bounded: fast search

    ends = (brentq(excess, tpr - fpr, end, xtol=1e-15, rtol=1e-14) for end in (-1.0, 1.0))
    low, high = ((1 + float(end)) / 2 for end in ends)
    return low, high


def _inner_rates(area: float, classes: Sequence[ClassMean]) -> tuple[float, float] | None:
    """Return the tpr and fpr of a yes/no test if both are inside (0, 1), otherwise None.

    Only there have both classes no placements but those of the lowest and the highest score, so
    that their variance is the largest possible (Bhatia and Davis 2000), and these lie 1/2 apart.
    """
    shares = []
    for c in classes:
        most = (area - c.low) * (c.high - area)
        share = 2 * (area - c.low)
        if abs(c.high - c.low - 0.5) > _ROUNDING or abs(c.spread - most) > _ROUNDING:
            return None
        if not _ROUNDING < share < 1 - _ROUNDING:
            return None
        shares.append(share)
    tpr, specificity = shares[0], shares[-1]
    is_whole = len(shares) == _CLASSES and abs(tpr + specificity - 2 * area) < _ROUNDING
    return (tpr, 1 - specificity) if is_whole else None


def unseen_limits_of_many(
    area: Vector, classes: Sequence[ManyMeans], level: float
) -> tuple[Vector, Vector]:
    """Return what `unseen_limits` does of many areas of counts at once."""
    tail = (1 - level) / 2
    below = [np.maximum(area - _limits(area, c, c.low, tail), 0.0) for c in classes]
    above = [np.maximum(_limits(area, c, c.high, 1 - tail) - area, 0.0) for c in classes]
    return np.maximum(area - np.hypot(*below), 0.0), np.minimum(area + np.hypot(*above), 1.0)


class ManyMeans(NamedTuple):
    """What `ClassMean` has, of one class under many scores."""

    n: Vector
    spread: Vector
    low: Vector
    high: Vector


def _limits(area: Vector, of: ManyMeans, end: Vector, tail: float) -> Vector:
    """Return what `_limit` does, for many areas at once."""
    from scipy.special import betaincinv

    n, width = of.n + HALF_A_CASE, of.high - of.low
    mean = (of.n * area + HALF_A_CASE * end) / n
    second = (of.n * (of.spread + (area - mean) ** 2) + HALF_A_CASE * (end - mean) ** 2) / n
    variance = second / (n + 1)
    varies = (width > 0) & (variance > _NONE)
    width, variance = np.where(varies, width, 1.0), np.where(varies, variance, 1.0)
    u = np.where(varies, (mean - of.low) / width, 0.5)
    nu = np.where(varies, u * (1 - u) * width**2 / variance - 1, 2.0)
    found = of.low + width * betaincinv(u * nu, (1 - u) * nu, tail)
    return np.asarray(np.where(varies, found, mean))


def _limit(area: float, of: ClassMean, end: float, tail: float, added: float) -> float:
    """Return a quantile of the mean placement of one class, with part of a case added at one end.

    The weighted mean of the placements, the unseen case among them, with Dirichlet weights bounds
    the mean of a bounded distribution (Gaffke 2005; Learned-Miller and Thomas 2019). Here a beta
    distribution on [low, high] has the first two moments of that mean.
    """
    from scipy.special import betaincinv

    n, width = of.n + added, of.high - of.low
    mean = (of.n * area + added * end) / n
    second = (of.n * (of.spread + (area - mean) ** 2) + added * (end - mean) ** 2) / n
    variance = second / (n + 1)
    if not (width > 0 and variance > _NONE):
        return mean
    u = (mean - of.low) / width
    nu = u * (1 - u) * width**2 / variance - 1
    return of.low + width * float(betaincinv(u * nu, (1 - u) * nu, tail))
