"""Limits of an area that allow for a case that was not seen, at the far end of the scale.

Our own combination (docs, "Our own methods"). The area is the mean placement of the positives,
and that of the negatives. Each class gives limits of its own: half a case is added at the worst
placement that the sample's scores allow, a beta distribution takes the mean and the variance that
follow, and its quantile is the limit. Square-and-add makes one interval of both.
"""

from __future__ import annotations

from math import hypot
from typing import NamedTuple

_ADDED = 0.5  # of a case; 1 gives Clopper and Pearson's limits where placements are 0 or 1
_NONE = 1e-30


class ClassMean(NamedTuple):
    """The mean placement of a class.

    Attributes
    ----------
    n : float
        Cases, or their effective number.
    spread : float
        Mean squared deviation of the placements from their mean, the area.
    low, high : float
        Placements of a case with the lowest and with the highest score of the sample, the one
        that is worse for the area first.
    """

    n: float
    spread: float
    low: float
    high: float


def unseen_limits(
    area: float, classes: tuple[ClassMean, ClassMean], level: float
) -> tuple[float, float]:
    """Return both limits of an area strictly inside (0, 1).

    Each holds the square root of the sum of the squared distances to the limits by class
    (Newcombe 1998, method 10, for the squares).
    """
    tail = (1 - level) / 2
    below = [max(area - _limit(area, c, c.low, tail), 0.0) for c in classes]
    above = [max(_limit(area, c, c.high, 1 - tail) - area, 0.0) for c in classes]
    return max(area - hypot(*below), 0.0), min(area + hypot(*above), 1.0)


def _limit(area: float, of: ClassMean, end: float, tail: float) -> float:
    """Return a quantile of the mean placement of one class, with half a case more at an end.

    The mean of seen placements under Dirichlet weights, one of them that of the unseen case,
    bounds the mean of a bounded distribution (Gaffke 2005; Learned-Miller and Thomas 2019).
    A beta distribution on [low, high] has its first two moments.
    """
    from scipy.special import betaincinv

    n, width = of.n + _ADDED, of.high - of.low
    mean = (of.n * area + _ADDED * end) / n
    second = (of.n * (of.spread + (area - mean) ** 2) + _ADDED * (end - mean) ** 2) / n
    variance = second / (n + 1)
    if not (width > 0 and variance > _NONE):
        return mean
    u = (mean - of.low) / width
    nu = u * (1 - u) * width**2 / variance - 1
    return of.low + width * float(betaincinv(u * nu, (1 - u) * nu, tail))
