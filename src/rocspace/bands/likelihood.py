"""The band of likelihood-ratio regions, which respect the boundaries 0 and 1."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TypeAlias

import numpy as np

from rocspace._base.arrays import Mask, Vector
from rocspace._base.calls import explained
from rocspace.bands.band import Band, effective
from rocspace.bands.formulas import made
from rocspace.counts.table import ScoreTable, from_zero
from rocspace.counts.weights import Heaviest, heaviest_of
from rocspace.curves.roc import roc_curve
from rocspace.inference.area import WeightType, warn_of_missing
from rocspace.results.curve import Line, left_right
from rocspace.results.proportions import normal_quantile

Size: TypeAlias = float | Callable[[Vector], Vector]  # of a class, or effective, at given rates

_ANGLES = 17  # number of ways in which the deviance is divided between the two rates
_STEPS = 10  # of Newton's method
_KNOTS = 512
_SMALLEST = 1e-9  # rates nearer to 0 or 1 get no knot of their own
_SHARED = 1.0  # number of effective cases of mean weight added beyond each rate
_ALLOWED = (
    "the band allows for one that was not seen, on either side of each threshold. If weights have "
    "nothing to do with scores, likelihood_band(table, informative=False) is narrower."
)


@explained
def likelihood_band(
    table: ScoreTable,
    *,
    level: float = 0.95,
    weight_type: WeightType = "importance",
    informative: bool = True,
) -> Band:
    """Band of all points that the likelihood ratio of some point of the curve does not reject.

    Likelihood ratios respect the boundaries 0 and 1, so the band neither vanishes where classes are
    separated nor bulges at the corners. It needs no replicates. Its critical value is our own.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.
    level : float, default 0.95
        Confidence level, strictly between 0 and 1.
    weight_type : {"importance", "frequency"}, default "importance"
        How weights are interpreted, as for `rocspace.auc_variance`. With importance weights each
        class has its effective number of cases.
    informative : bool, default True
        Whether importance weights may depend on scores. If weights and scores are independent,
        False gives a narrower band.

    Returns
    -------
    Band
        Simultaneous.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If frequency weights are not whole, or the level is not between 0 and 1.

    Warns
    -----
    UserWarning
        If importance weights vary and a class has hardly any cases of large weight, as for
        `rocspace.delong`.

    Notes
    -----
    O(k), and some 10 000 logarithms. The point (f, t) is inside when a point (F, T) of the curve's
    polygon has ``2 N KL(F, f) + 2 P KL(T, t) <= c^2``, KL the divergence of two binary
    distributions: the sum is the deviance of the observed rates (F, T) if (f, t) were the true
    rates. For large samples this is the studentised band ``R +- c sd(R)`` without an estimate of
    the slope. c depends on P, N and the level: it is interpolated in a table of the largest value
    that any of seven simulated populations needs to cover its whole true curve (chance, Normal,
    exponential, Cauchy; docs, "Our own methods"). In new samples of two of these and of four other
    curves, with 5 + 5 to 3000 + 3000 cases, 10 + 100, 20 + 1000 and 20 + 20 000 among them, the
    whole true curve was inside in 93.8 to 98.6 percent at level 0.95, in 98.6 to 99.8 at 0.99, and
    at 0.9 in 87.0 (Student's t, 200 + 200) to 96.5. Near-perfect curves are covered more often.

    With importance weights P is ``(sum w)^2 / sum w^2``, or smaller where the cases beyond a rate t
    have larger weights than others: ``W / (r (1 - t) + q t)``, W being the sum of weights, r and q
    the weighted mean weights on the two sides; likewise for N. Where weights vary within a class, r
    and q are taken with ``1 / (1 + h)`` more cases of the largest weight that the class may have
    (see `Estimate.interval`), h being the number of observed cases with at least half of that
    weight; so the band is wide if hardly any was observed. This is our own method (docs, "Our own
    methods", with what was measured): at level .95, in 25 samples of each of 40 situations
    (two-phase samples, cases drawn in proportion to exp(tilt score), blind weights; 20 + 500 to 300
    + 30), it contained the curve in 99 percent of all and 23 of 25 or more, ``informative=False``
    in 11 of 25 or more. It is 1.8 times as wide with 20 + 500 cases in two phases (.8 to .9), and
    with blind lognormal weights 1.3 (200 + 200) to 1.8 (20 + 500) times as wide as necessary.

    References
    ----------
    Wilks (1938), a paper on this alone, for the deviance.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> band = likelihood_band(tabulate([0] * 20 + [1] * 20, range(40)))
    >>> print(f"{band.at_fpr(0.5).low:.3f} to {band.at_fpr(0.5).high:.3f}")
    0.876 to 1.000
    """
    counts = effective("likelihood_band", table, weight_type)
    line = roc_curve(counts).line
    knots = likelihood_knots(line)
    sizes = (float(counts.n_pos), float(counts.n_neg))
    c = reach(level, *sizes)
    if counts.pos_w2 is None or counts.neg_w2 is None:
        lower, upper = likelihood_bounds(line, knots, *sizes, c)
    else:
        pos_heaviest, neg_heaviest = (informative and heaviest_of(counts)) or (None, None)
        if pos_heaviest:
            warn_of_missing(counts, _ALLOWED)
        pos = _local(counts.tp, counts.pos_w2, pos_heaviest)
        neg = _local(counts.fp, counts.neg_w2, neg_heaviest)
        lower, upper = likelihood_bounds(line, knots, pos, neg, c)
    return made(knots, lower, upper, level=level, method="likelihood", simultaneous=True)


def _local(total: Vector, w2: Vector, heaviest: Heaviest | None) -> Callable[[Vector], Vector]:
    """Return the effective number of cases of a class at each rate.

    A weighted share s has the variance ``s (1 - s) / n``, n being W / (r (1 - s) + q s): W is the
    total weight, r and q are the weighted mean weights of the cases above the threshold and of the
    others, in units of `effective`, where the mean of all cases is 1. At the ends that mean is
    uncertain because it is based on few cases, so it is shrunk towards 1, or towards the heaviest
    case that the class may have, with half of the unobserved cases on either side. The number is
    nowhere larger than that of the whole class.
    """
    many, weight = (heaviest.missing / 2, heaviest.weight) if heaviest else (_SHARED, 1.0)
    more = many * weight
    total, above = from_zero(total), from_zero(np.cumsum(w2))
    n = float(total[-1])
    r = (above + more * weight) / (total + more)
    q = (np.maximum(above[-1] - above, 0.0) + more * weight) / (n - total + more)
    share = total / n
    size = n / np.maximum(r * (1 - share) + q * share, 1.0)
    return lambda rate: np.interp(rate, share, size)


def _size(n: Size, rate: Vector) -> Vector | float:
    return n(rate) if callable(n) else n


@cache
def _critical_values() -> tuple[Vector, Vector, Vector]:
    """Read log sizes (k), Normal quantiles of levels (m), and c (k, k, m), by class sizes."""
    rows = np.loadtxt(Path(__file__).with_name("critical_values.txt"))
    z = np.array([normal_quantile(level) for level in rows[0, 2:]])
    sizes, place = np.unique(rows[1:, :2], return_inverse=True)
    one, two = place.reshape(-1, 2).T
    c = np.empty((sizes.size, sizes.size, z.size))
    c[one, two] = c[two, one] = rows[1:, 2:]
    return np.log(sizes), np.append(0.0, z), np.insert(c, 0, 0.0, axis=2)


def reach(level: float, n_pos: float, n_neg: float) -> float:
    """Return the critical value of the square root of the deviance for a whole curve.

    It is interpolated between simulated values, linearly in the logarithms of the sizes and in the
    Normal quantile of the level, and extrapolated linearly beyond the last level. Beyond the
    largest sizes, ``c^2`` grows by twice the logarithm of the duration of the limiting process
    along the curve, which is proportional to ``log(P) + log(N)``.
    """
    size, quantile, table = _critical_values()
    logs = np.maximum(np.log([n_pos, n_neg]), size[0])
    inside = np.minimum(logs, size[-1])
    place = np.interp(inside, size, np.arange(size.size))
    first = np.minimum(place.astype(int), size.size - 2)
    one, two = np.array([1 - (place - first), place - first]).T
    i, j = first
    values = np.einsum("i,j,ijk->k", one, two, table[i : i + 2, j : j + 2])
    z = normal_quantile(level)
    c = float(np.interp(z, quantile, values)) + max(z - quantile[-1], 0.0)
    return float(np.sqrt(c * c + 2 * np.log(logs.sum() / inside.sum())))


def likelihood_knots(line: Line) -> Vector:
    """Return the rates at which the bounds are computed: dense (logarithmic) at both ends."""
    small = np.geomspace(_SMALLEST, 1e-2, 60)
    middle = np.sin(np.linspace(0, np.pi / 2, _KNOTS + 1)) ** 2
    few = line.x if line.x.size <= _KNOTS else line.x[:0]
    return np.unique(np.concatenate([small, middle, few, 1 - small, [0.0, 1.0]]))


def likelihood_bounds(
    line: Line, fpr: Vector, n_pos: Size, n_neg: Size, c: float
) -> tuple[Vector, Vector]:
    """Return the lowest and the highest tpr inside the band at each false positive rate."""
    angle = np.linspace(0, np.pi / 2, _ANGLES)
    across, along = c * np.cos(angle), c * np.sin(angle)
    f = np.clip(fpr, _SMALLEST, 1 - _SMALLEST)[:, np.newaxis]
    of_neg = _size(n_neg, f)
    right, _ = _farthest(f, of_neg, across)
    tops = left_right(line, right.ravel())[1].reshape(right.shape)
    upper = np.asarray(_highest(tops, _size(n_pos, tops), along).max(axis=1))
    mirrored, beyond = _farthest(1 - f, of_neg, across)
    bottoms = left_right(line, (1 - mirrored).ravel())[0].reshape(right.shape)
    bottoms = np.where(beyond, 0.0, bottoms)  # possibly no case is called positive
    lower = 1 - np.asarray(_highest(1 - bottoms, _size(n_pos, bottoms), along).max(axis=1))
    return np.where(fpr <= 0, 0.0, lower), np.where(fpr >= 1, 1.0, upper)


def _deviance(seen: Vector, true: Vector, n: Vector | float) -> Vector:
    """Return 2 n KL(seen, true), with 0 log 0 taken as 0."""
    from scipy.special import xlogy

    with np.errstate(divide="ignore", invalid="ignore"):
        twice = xlogy(seen, seen / true) + xlogy(1 - seen, (1 - seen) / (1 - true))
    return np.asarray(2 * n * np.maximum(twice, 0.0))


def _highest(seen: Vector, n: Vector | float, root: Vector) -> Vector:
    """Solve deviance(seen, true) = root^2 for the true rate above the observed one.

    Newton's method for the square root of the deviance as a function of u = -log(1 - true): it
    grows like a line or a square root, however close to 1 the solution is.
    """
    root = np.broadcast_to(root, seen.shape)
    with np.errstate(divide="ignore", invalid="ignore"):
        least = -np.log1p(-seen)
        u = -np.log1p(-_start(seen, n, root))
        for _ in range(_STEPS):
            true = -np.expm1(-u)
            d = np.sqrt(_deviance(seen, true, n))
            slope = n * ((1 - seen) - seen * np.exp(-u) / true)
            u = np.maximum(u - (d - root) * d / slope, (u + least) / 2)
    solved = -np.expm1(-u)
    none = -np.expm1(-root * root / (2 * n))  # the solution for an observed rate of 0
    return np.where(seen <= 0, none, np.where((seen >= 1) | (root <= 0), seen, solved))


def _farthest(true: Vector, n: Vector | float, root: Vector) -> tuple[Vector, Mask]:
    """Solve deviance(seen, true) = root^2 for the observed rate above the true one.

    Also return where even an observed rate of 1 has a smaller deviance.
    """
    true, root = np.broadcast_arrays(true, root)
    low, high = true.copy(), np.ones_like(true)
    seen = _start(true, n, root)
    with np.errstate(divide="ignore", invalid="ignore"):
        for _ in range(_STEPS):
            d = np.sqrt(_deviance(seen, true, n))
            low, high = np.where(d <= root, seen, low), np.where(d > root, seen, high)
            slope = n * (np.log(seen / true) - np.log((1 - seen) / (1 - true)))
            step = seen - (d - root) * d / slope
            # A step that leaves its bracket is replaced by the midpoint of the bracket.
            seen = np.where((step >= low) & (step <= high), step, np.sqrt(low * high))
    beyond = root * root >= -2 * n * np.log(true)
    return np.where(beyond, 1.0, np.where(root <= 0, true, seen)), beyond


def _start(rate: Vector, n: Vector | float, root: Vector) -> Vector:
    """Return a first guess of the solution on the variance-stabilising scale."""
    angle = np.arcsin(np.sqrt(rate)) + root / (2 * np.sqrt(n))
    return np.asarray(np.sin(np.minimum(angle, np.pi / 2 - 1e-4)) ** 2)
