"""Confidence limits of an area that allow for an unseen case at the far end of the scale.

Our own combination (docs, "Our own methods"). The area is the mean placement of the positives, and
also that of the negatives. Each class gives limits of its own: half a case is added at the worst
placement that the sample's scores allow, and the limit is the quantile of a beta distribution with
the resulting mean and variance. Adding the squared distances combines the two classes into one
interval. A yes/no test has score limits, too, and so have scores that only name a class.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import sqrt
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from rocspace._base.arrays import Vector
from rocspace.results.curve import Curve
from rocspace.results.limits import wilson_ends

HALF_A_CASE = 0.5  # from benchmarks.constants.unseen_area
A_CASE = 1.0  # Clopper and Pearson's, where a class shows no spread
_SAME = 1e-20  # sum of squared deviations that is rounding: one case of 10^8 has more
_NONE = 1e-30
_SHAPE_ROUNDING = 1e-12
_ROUNDING = 1e-9
_CLASSES = 2
_RATES = 256  # at which a curve is read between two rates
_CHANCE = 0.5
_NORMAL = 1e12  # beta distributions whose shapes are larger are Normal to 12 digits
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


class ManyMeans(NamedTuple):
    """What `ClassMean` has, of several classes (first axis) under one score or many."""

    n: Vector
    spread: Vector
    low: Vector
    high: Vector
    added: Vector | float = HALF_A_CASE


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


class TiedEnds(NamedTuple):
    """Which shares of both classes have the lowest and the highest score of a stratum."""

    pos: tuple[float, float]
    neg: tuple[float, float]


Classes: TypeAlias = tuple[ClassMean, ...] | tuple[WeightedMean, ...]


class Cuts(NamedTuple):
    """The curve between two rates of one class, whose cuts are estimates.

    Attributes
    ----------
    curve : Curve
        The rates of the other class as a function of those of this class, which has the cuts.
    low, high : float
        The range, its lower end above 0.
    n : float
        Number of cases of this class, or effective number.
    """

    curve: Curve
    low: float
    high: float
    n: float


def part_of_case(spread: Vector | float, n: Vector | float) -> Any:
    """Return the part of an unseen case that a class of two allows for.

    It is half a case, and a whole one if all cases of the class have the same placement. Such a
    class says nothing about its spread, and half a case is too little: at the ends of its scale
    Jeffreys' limit of a proportion is replaced by Clopper and Pearson's for that reason (Brown, Cai
    and DasGupta 2001, section 4.1.2).
    """
    if isinstance(spread, float):  # for one class a tenth of the time
        return HALF_A_CASE if spread * n > _SAME else A_CASE
    return np.where(np.asarray(spread) * n > _SAME, HALF_A_CASE, A_CASE)


def means_over_strata(
    variances: Sequence[float],
    sizes: Sequence[float],
    tied: Sequence[TiedEnds],
    portions: Sequence[float],
) -> tuple[ClassMean, ...]:
    """Return what limits with unseen cases need of an area that is a weighted mean over strata.

    `variances` of the mean placements of the positives and of the negatives, and their effective
    `sizes`. A case with the lowest or the highest score of its stratum has as its placement the
    mean, with these portions, of what such cases have.
    """
    found = []
    for variance, n, others, mirrored in zip(
        variances, sizes, ("neg", "pos"), (False, True), strict=True
    ):
        shares = [getattr(each, others) for each in tied]
        low, high = (sum(w * t[i] for w, t in zip(portions, shares, strict=True)) for i in (0, 1))
        low, high = (high, low) if mirrored else (low, high)
        spread = variance * max(n - 1, 0.0)
        ends = low / 2, 1 - high / 2
        found.append(ClassMean(n, spread, *ends, float(part_of_case(spread, n))))
    return tuple(found)


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


def cut_distances(cuts: Cuts, level: float) -> tuple[float, float]:
    """Return how far the mean of a curve falls, and rises, if all cuts are moved to their limits.

    The cut of a rate u has a share of u in the population. The score test of that rate rejects no
    share of the sample between ``u - z sqrt(u (1 - u) / n)`` and ``u + z sqrt(u (1 - u) / n)``
    (Wilson 1927).
    """
    from scipy.special import ndtri

    rate = cuts.low + (cuts.high - cuts.low) * (np.arange(_RATES) + 0.5) / _RATES
    step = -float(ndtri((1 - level) / 2)) * np.sqrt(rate * (1 - rate) / cuts.n)
    mean, lower, upper = (
        float(np.where(at < 0, 0.0, cuts.curve.tpr_at(np.clip(at, 0, 1))).mean())
        for at in (rate, rate - step, rate + step)
    )
    return mean - lower, upper - mean


def unseen_limits(
    area: float,
    classes: Classes,
    level: float,
    *,
    added: float | None = None,
    cuts: Cuts | None = None,
) -> tuple[float, float]:
    """Return both limits of an area strictly inside (0, 1), each class with part of an unseen case.

    By default each class says which part; `added` says it for all.
    Where weights vary, the farther of two limits is taken on each side: the limit with unseen
    effective cases, and Wilson's with the variance due to one more case of the largest weight.
    The limit of a yes/no test that lies towards the nearer end of the scale is the farther of that
    with unseen cases, and the score limit of its two rates; that of scores that only name a class
    likewise, by the mean share of right calls. With `cuts`, those of a part of a curve, the limits
    of the class that has them, the second, are no nearer than those of its cuts.
    """
    means, parts = [], []
    for c in classes:
        means.append(c.mean if isinstance(c, WeightedMean) else c)
        given = None if isinstance(c, WeightedMean) else added
        parts.append(c.added if given is None else given)
    least = (0.0, 0.0) if cuts is None else cut_distances(cuts, level)
    low, high = square_and_add(area, means, level, parts, least)
    if isinstance(classes[0], WeightedMean):
        of_heavy = heavy_limits(area, classes, level)
        return min(of_heavy[0], low), max(of_heavy[1], high)
    rates = _called_rates(area, means)
    if rates is not None:
        k, middle = len(rates), sum(rates) / len(rates)
        ends = score_limits_of_sum(rates, [c.n for c in means], level)
        of_low, of_high = (0.5 + (end - 1) / (2 * (k - 1)) for end in ends)
        low = min(of_low, low) if middle <= _CHANCE + _ROUNDING else low
        high = max(of_high, high) if middle >= _CHANCE - _ROUNDING else high
    return low, high


def square_and_add(
    area: float,
    classes: Sequence[ClassMean],
    level: float,
    added: Sequence[float],
    least: tuple[float, float] = (0.0, 0.0),
) -> tuple[float, float]:
    """Combine the limits of the classes into limits of one area.

    What `unseen_limits_of_many` does, to the bit: for one area numbers are faster than arrays. The
    limits of the last class are at `least` so far below and above.
    """
    from scipy.special import betaincinv, ndtri  # once: four imports take as long as a quantile

    tail = (1 - level) / 2
    below = above = 0.0
    leasts = [(0.0, 0.0)] * (len(classes) - 1) + [least]
    for c, part, (down, up) in zip(classes, added, leasts, strict=True):
        to_low = _distance(area, c, part, False, tail, (betaincinv, ndtri))
        to_high = _distance(area, c, part, True, tail, (betaincinv, ndtri))
        below, above = np.hypot(below, max(to_low, down)), np.hypot(above, max(to_high, up))
    return max(float(area - below), 0.0), min(float(area + above), 1.0)


def _distance(
    mean: float,
    of: ClassMean,
    added: float,
    upper: bool,
    tail: float,
    quantiles: tuple[Callable[..., Any], Callable[[float], Any]],
) -> float:
    """Return how far below or above its mean the limit of one class is.

    `quantiles` are those of the beta and of the Normal distribution.
    """
    betaincinv, ndtri = quantiles
    width = of.high - of.low
    moved, variance = _with_unseen(mean, of.n, of.spread, added, of.high if upper else of.low)
    found: float = moved
    if width > 0 and variance > _NONE:
        tail = 1 - tail if upper else tail
        p, q = _beta_shapes(moved, variance, of.low, width)
        if min(p, q) > _NORMAL:
            found = moved + float(ndtri(tail)) * sqrt(variance)
        elif min(p, q) > 0:  # else the mean is an end, and the variance rounding
            found = of.low + width * float(betaincinv(p, q, tail))
    return max(float(found - mean if upper else mean - found), 0.0)


def stacked(classes: Sequence[ClassMean], added: Sequence[float]) -> ManyMeans:
    """Return several classes as columns."""
    n, spread, low, high = np.array([of[:4] for of in classes], dtype=np.float64).T
    return ManyMeans(n, spread, low, high, np.asarray(added, dtype=np.float64))


def unseen_limits_of_many(
    area: Vector | float, classes: ManyMeans, level: float
) -> tuple[Vector, Vector]:
    """Combine the limits of the classes into limits of areas: arrays (classes, ...) and (...).

    The distance to each is the square root of the sum of the squared distances to the limits of the
    classes (Newcombe 1998, method 10).
    """
    low, high = unseen_distances(area, classes, level)
    return np.maximum(area - low, 0.0), np.minimum(area + high, 1.0)


def score_limits_of_sum(
    rates: Sequence[float], sizes: Sequence[float], level: float
) -> tuple[float, float]:
    """Return the score limits of a sum of independent proportions.

    They are where the squared distance from the sum of the sample reaches the quantile times the
    variance that the likeliest proportions with this sum have (Martín Andrés, Herranz Tejedor and
    Álvarez Hernández 2012, the whole paper); for two proportions those of Miettinen and Nurminen
    (1985, the whole paper).
    """
    x, n = np.array(rates), np.array(sizes)
    return x.size - _score_limit(1 - x, n, level), _score_limit(x, n, level)


def _score_limit(rates: Vector, n: Vector, level: float) -> float:
    """Return the upper score limit of a sum of proportions."""
    from scipy.optimize import brentq
    from scipy.special import ndtri

    total = float(n.sum())
    factor = float(ndtri((1 - level) / 2)) ** 2 * total / (total - 1)

    def excess(part: float) -> float:
        p = _likeliest(rates, n, total * part / (1 - part))
        square = float((p - rates).sum()) ** 2
        allowed = factor * float((p * (1 - p) / n).sum())
        return square / (square + allowed) - 0.5 if allowed > 0 else 0.5  # bounded: fast search

    part = brentq(excess, 0.0, 1 - 1e-9, xtol=1e-15, rtol=1e-14)
    return float(_likeliest(rates, n, total * part / (1 - part)).sum())


def _likeliest(rates: Vector, n: Vector, tilt: float) -> Vector:
    """Return the likeliest proportions whose sum is larger than observed; `tilt` says how much.

    It is Lagrange's multiplier: each p is the larger root of tilt p^2 + (n - tilt) p - n rate.
    """
    if tilt == 0:
        return rates
    linear = tilt - n
    root = np.sqrt(linear * linear + 4 * tilt * n * rates)
    below = 2 * n * rates / np.where(linear < 0, root - linear, 1.0)  # without cancellation
    return np.where(linear < 0, below, (linear + root) / (2 * tilt))


def _called_rates(area: float, classes: Sequence[ClassMean]) -> list[float] | None:
    """Return the shares that are called right if scores only name a class, otherwise None.

    None also if no share of two is inside (0, 1), or fewer than two of more classes. The area of a
    yes/no test, and Hand and Till's of k classes, is 1/2 + (S - 1) / (2 (k - 1)), where S is the
    sum of the shares. Only there the placements of each class are its largest one or 1 / (2 (k -
    1)) less, so that their variance is that of a proportion, and all of a column lie 1 / k apart.
    """
    k = len(classes)
    if k < _CLASSES:
        return None
    step = 1 / (2 * (k - 1))
    shares = [1 - (c.high - area) / step for c in classes]
    for c, share in zip(classes, shares, strict=True):
        if abs(c.high - c.low - 1 / k) > _ROUNDING:
            return None
        if abs(c.spread - share * (1 - share) * step**2) > _ROUNDING:
            return None
    inner = sum(_ROUNDING < share < 1 - _ROUNDING for share in shares)
    is_sum = abs(0.5 + (sum(shares) - 1) * step - area) < _ROUNDING
    if not is_sum or inner <= min(k - _CLASSES, 1):
        return None
    return [min(max(share, 0.0), 1.0) for share in shares]


def unseen_distances(mean: Vector | float, of: ManyMeans, level: float) -> Vector:
    """Return how far below and above a sum of class means its limits are: (2, ...).

    The limit of a class is a quantile of its mean, with part of a case added at one end, or the
    mean where that is farther. The weighted mean of the placements, the unseen case among them,
    with Dirichlet weights bounds the mean of a bounded distribution (Gaffke 2005; Learned-Miller
    and Thomas 2019). Here a beta distribution on [low, high] has the first two moments of that
    mean.
    """
    from scipy.special import betaincinv, ndtri

    width, end = of.high - of.low, np.array((of.low, of.high))
    moved, variance = _with_unseen(mean, of.n, of.spread, of.added, end)
    tail = (1 - level) / 2
    tails = np.array((tail, 1 - tail)).reshape(2, *(1,) * of.n.ndim)
    with np.errstate(divide="ignore", invalid="ignore"):
        p, q = _beta_shapes(moved, variance, of.low, width)
        found = of.low + width * betaincinv(p, q, tails)
    found = np.where(np.minimum(p, q) > _NORMAL, moved + ndtri(tails) * np.sqrt(variance), found)
    known = (variance > _NONE) & (np.minimum(p, q) > 0)  # 0: the mean is an end; nan: no width
    found = np.where(known, found, moved)
    both = np.stack((mean - found[0], found[1] - mean))
    return np.asarray(np.hypot.reduce(np.maximum(both, 0.0), axis=1))


def _with_unseen(mean: Any, n: Any, spread: Any, added: Any, end: Any) -> tuple[Any, Any]:
    """Return a mean and its variance with part of a case added at one end: numbers, or arrays."""
    total = n + added
    moved = (n * mean + added * end) / total
    shift, far = mean - moved, end - moved
    second = (n * (spread + shift * shift) + added * (far * far)) / total
    return moved, second / (total + 1)


def _beta_shapes(mean: Any, variance: Any, low: Any, width: Any) -> tuple[Any, Any]:
    """Return both shapes of a beta distribution on [low, low + width] with these moments."""
    u = (mean - low) / width
    nu = u * (1 - u) * (width * width) / variance - 1
    return _whole_if_one(u * nu), _whole_if_one((1 - u) * nu)


def _whole_if_one(shape: Any) -> Any:
    """Return 1 for a shape that is 1 but for rounding.

    There SciPy 1.17 inverts the distribution wrongly: betaincinv(1 + 2e-16, 1 + 7e-16, .25) is 0.
    """
    if isinstance(shape, float):
        return 1.0 if abs(shape - 1) < _SHAPE_ROUNDING else shape
    return np.where(np.abs(shape - 1) < _SHAPE_ROUNDING, 1.0, shape)
