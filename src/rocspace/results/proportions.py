"""The Normal quantile and density; limits of proportions, of a ratio of two, of an odds ratio."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from math import sqrt
from typing import Any

import numpy as np

from rocspace._base.arrays import Vector
from rocspace._base.checks import check_level

_HALVINGS = 60  # bisections
_TINY = 1e-300  # instead of a rate of 0, whose logarithm is infinite
_RATES, _STEP = 81, 0.01  # of an exact interval: rates for each difference, and between differences


def normal_quantile(level: float) -> float:
    """Return z such that a standard normal lies between -z and z with probability `level`."""
    from scipy.special import ndtri

    return -float(ndtri((1 - check_level(level)) / 2))


def normal_density(z: Vector) -> Vector:
    """Return the density of a standard Normal variable."""
    return np.asarray(np.exp(-z * z / 2) / np.sqrt(2 * np.pi))


def rate_limits(x: Vector, n: float, level: Any, method: str) -> tuple[Vector, Vector]:
    """Return both confidence limits of the proportions ``x / n``.

    The limits enclose ``x / n``. `x` need not be whole; `method` is "wilson", "clopper-pearson",
    "jeffreys", "agresti-coull", "rubin-schenker", "wald-corrected" or "modified-wilson". With the
    second and the third method each proportion may have its own level. "modified-wilson" is
    Wilson's interval with no limit nearer than the one-sided exact one (Brown, Cai and DasGupta
    2001, section 4.1.1, where Poisson limits of the counts next to an end stand for these).
    """
    if method == "modified-wilson":
        of_two = rate_limits(x, n, level, "wilson")
        of_one = one_sided_limits(x, n, level)
        return np.minimum(of_two[0], of_one[0]), np.maximum(of_two[1], of_one[1])
    if method in ("clopper-pearson", "jeffreys"):
        low, high = _beta_ends(x, n, level, 0.0 if method == "clopper-pearson" else 0.5)
    elif method == "rubin-schenker":
        low, high = _logit_ends(x, n, level)
    elif method == "wald-corrected":
        half = normal_quantile(level) * np.sqrt(x * (n - x) / n) / n + 1 / (2 * n)
        low, high = x / n - half, x / n + half
    else:
        low, high = _score_ends(x, n, level, agresti=method == "agresti-coull")
    share = x / n
    return np.minimum(np.maximum(low, 0.0), share), np.maximum(np.minimum(high, 1.0), share)


def _beta_ends(x: Vector, n: float, level: Any, prior: float) -> tuple[Any, Any]:
    from scipy.special import betaincinv

    tail = (1 - level) / 2
    exact = 1.0 if prior == 0 else 0.0  # Clopper-Pearson: one more case at one end
    with np.errstate(invalid="ignore"):  # a shape parameter of zero, where a limit is 0 or 1
        low = np.where(x == 0, 0.0, betaincinv(x + prior, n - x + prior + exact, tail))
        high = np.where(x == n, 1.0, betaincinv(x + prior + exact, n - x + prior, 1 - tail))
    return low, high


def _logit_ends(x: Vector, n: float, level: float) -> tuple[Any, Any]:
    """Return Wald's limits of the log odds, with half a case more of each kind."""
    from scipy.special import expit, logit

    share = (x + 0.5) / (n + 1)
    half = normal_quantile(level) / np.sqrt((n + 1) * share * (1 - share))
    return expit(logit(share) - half), expit(logit(share) + half)


def _score_ends(x: Vector, n: float, level: float, *, agresti: bool) -> tuple[Any, Any]:
    z2 = normal_quantile(level) ** 2
    centre = (x + z2 / 2) / (n + z2)
    if agresti:
        half = np.sqrt(z2 * centre * (1 - centre) / (n + z2))
        return centre - half, centre + half
    half = np.sqrt(z2 * (x * (n - x) / n + z2 / 4)) / (n + z2)
    # At 0 and 1 the limits are known exactly; the arithmetic would round.
    return np.where(x == 0, 0.0, centre - half), np.where(x == n, 1.0, centre + half)


def one_sided_limits(x: Vector, n: float, level: Any) -> tuple[Vector, Vector]:
    """Return the exact limits of which each errs with the whole of 1 - level.

    Wilson's interval misses proportions near 0 and 1, where almost all samples err on one side
    (Brown, Cai and DasGupta 2001, section 4.1.1).
    """
    return rate_limits(x, n, 2 * level - 1, "clopper-pearson")


def difference_limits(
    p: Vector, m: float, q: Vector, n: float, level: float, method: str = "wilson"
) -> tuple[Vector, Vector]:
    """Return both limits of p - q, by adding the squared distances of two Wilson intervals."""
    p_low, p_high = rate_limits(p * m, m, level, method)
    q_low, q_high = rate_limits(q * n, n, level, method)
    return p - q - np.hypot(p - p_low, q_high - q), p - q + np.hypot(p_high - p, q - q_low)


# --- differences of paired proportions ---------------------------------------------------------


def tango_statistic(b: Vector, c: Vector, n: Vector | float, d: Vector) -> Vector:
    """Return Tango's T, which decreases in d."""
    second = -b - c + (2 * n - b + c) * d
    third = -c * d * (1 - d)
    q = (np.sqrt(np.maximum(second**2 - 8 * n * third, 0.0)) - second) / (4 * n)
    variance = n * (2 * q + d * (1 - d))
    with np.errstate(divide="ignore", invalid="ignore"):
        found = (b - c - n * d) / np.sqrt(np.maximum(variance, 0.0))
    return np.where(b - c - n * d == 0, 0.0, found)


def tango_limits(b: Vector, c: Vector, n: Vector | float, z: float) -> tuple[Vector, Vector]:
    """Return Tango's limits of the difference of two paired proportions, ``(b - c) / n``."""
    centre = (b - c) / n
    ends = []
    for outer in (-1.0, 1.0):
        inside, outside = centre.copy(), np.full_like(centre, outer)
        for _ in range(_HALVINGS):
            middle = (inside + outside) / 2
            held = np.abs(tango_statistic(b, c, n, middle)) <= z
            inside, outside = np.where(held, middle, inside), np.where(held, outside, middle)
        ends.append(inside)
    return ends[0], ends[1]


def exact_tango_limits(b: int, c: int, n: int, level: float) -> tuple[float, float]:
    """Return the limits of Tango's statistic by its exact distribution, of n pairs.

    A difference is inside if outcomes with a statistic as large have a probability above 1 - level
    for some pair of rates that differ by it (Hsueh, Liu and Chen 2001). They need not be all those
    between two others; the interval goes from the first to the last.
    """
    one, two = (x.ravel() for x in np.mgrid[: n + 1, : n + 1])
    counts = np.column_stack([one, two, n - one - two])[one + two <= n].astype(float)
    many = log_multinomial(counts)
    own = int(np.flatnonzero((counts[:, 0] == b) & (counts[:, 1] == c))[0])

    def is_inside(d: float) -> bool:
        far = np.abs(tango_statistic(counts[:, 0], counts[:, 1], float(n), np.asarray(d)))
        as_far = far >= far[own] * (1 - 1e-9)
        second = np.linspace(max(-d, 0.0), (1 - d) / 2, _RATES)
        rates = np.column_stack([second + d, second, 1 - d - 2 * second])
        logs = np.log(np.maximum(rates, _TINY)) @ counts[as_far].T + many[as_far]
        return bool(np.exp(logs).sum(axis=1).max() > 1 - level)

    return _first_inside(is_inside, -1.0, (b - c) / n), _first_inside(is_inside, 1.0, (b - c) / n)


def log_multinomial(counts: Vector) -> Vector:
    """Return the logarithm of the number of orders of each row of counts."""
    from scipy.special import gammaln

    return np.asarray(gammaln(counts.sum(axis=1) + 1) - gammaln(counts + 1).sum(axis=1))


def _first_inside(is_inside: Callable[[float], bool], outer: float, inner: float) -> float:
    """Return the end of the differences inside that is nearest to `outer`."""
    steps = np.linspace(outer, inner, int(abs(inner - outer) / _STEP) + 2)[:-1]
    first = next((i for i, d in enumerate(steps) if is_inside(float(d))), len(steps))
    if first == 0:
        return outer
    outside = float(steps[first - 1])
    inside = float(steps[first]) if first < len(steps) else inner
    for _ in range(_HALVINGS):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if is_inside(middle) else (inside, middle)
    return inside


# --- ratios of two proportions ------------------------------------------------------------------

_FAR = 300.0  # log of a ratio larger than any that counts can show; its square is still finite


def _inverse(ratio: float) -> float:
    return 1 / ratio if ratio > 0 else np.inf


# --- from the limits of both proportions ------------------------------------------------------


def mover_limits(x: float, m: float, y: float, n: float, level: float) -> tuple[float, float]:
    """Return both limits of ``(x / m) / (y / n)``, from exact limits of the two proportions.

    They enclose the ratios r with ``(p - r q)^2 <= (p - p')^2 + r^2 (q - q')^2``, where p and q are
    the proportions, and p' and q' those of their limits that lie towards r: Fieller's inequality,
    with variances recovered from the limits (MOVER).
    """
    p, q = x / m, y / n
    of_p, of_q = _exact(x, m, level), _exact(y, n, level)
    return _smallest(p, of_p[0], q, of_q[1]), _inverse(_smallest(q, of_q[0], p, of_p[1]))


@lru_cache(maxsize=1024)  # tables of ratios have few distinct counts
def _exact(x: float, n: float, level: float) -> tuple[float, float]:
    low, high = rate_limits(np.array([x]), n, level, "clopper-pearson")
    return float(low[0]), float(high[0])


def _smallest(p: float, low: float, q: float, high: float) -> float:
    """Return the smaller root of the quadratic in r, without cancellation."""
    part = low * (2 * p - low)
    if part <= 0:
        return 0.0
    root = np.sqrt(max((p * q) ** 2 - part * high * (2 * q - high), 0.0))
    return part / float(p * q + root)


# --- by the score test ------------------------------------------------------------------------


def score_limits(x: float, m: float, y: float, n: float, level: float) -> tuple[float, float]:
    """Return the limits between which the score test rejects no ratio."""
    z = normal_quantile(level)
    if m + n <= 1:  # less than one effective case gives no variance
        return 0.0, np.inf
    return _least_ratio(x, m, y, n, z), _inverse(_least_ratio(y, n, x, m, z))


@lru_cache(maxsize=256)  # predictive values are made of the same limits as likelihood ratios
def _least_ratio(x: float, m: float, y: float, n: float, z: float) -> float:
    from scipy.optimize import brentq

    if x <= 0:
        return 0.0

    def excess(log_ratio: float) -> float:
        return _score(x, m, y, n, float(np.exp(log_ratio))) - z

    top = float(np.log(x / m / (y / n))) if y > 0 else _FAR
    found = brentq(excess, -_FAR, min(top, _FAR), xtol=1e-14)
    return float(np.exp(found))


def _score(x: float, m: float, y: float, n: float, ratio: float) -> float:
    """Return ``p - ratio q`` in units of its standard error under ``p = ratio q``."""
    # Maximum likelihood estimate of q under p = ratio q: the smaller root of a quadratic.
    square, linear = (m + n) * ratio, m * ratio + x + n + y * ratio
    root = sqrt(max(linear * linear - 4 * square * (x + y), 0.0))
    q = min(2 * (x + y) / (linear + root), 1.0)
    p = min(ratio * q, 1.0)
    gap = x / m - ratio * (y / n)
    variance = (p * (1 - p) / m + ratio * ratio * q * (1 - q) / n) * (m + n) / (m + n - 1)
    if variance > 0:
        return gap / sqrt(variance)
    return float(np.sign(gap)) * np.inf if gap else 0.0


# --- of an odds ratio -------------------------------------------------------------------------

_SPAN, _MARGIN = 30.0, 60.0  # outcomes that matter: so many standard deviations and cases around
_MOST = 1 << 22  # outcomes on one side that are summed


def midp_odds_limits(
    tp: float, fp: float, fn: float, tn: float, level: float
) -> tuple[float, float] | None:
    """Return the mid-p limits of the odds ratio ``tp tn / (fp fn)``; None of too many outcomes.

    Given the sums of rows and columns, one cell has Fisher's noncentral hypergeometric
    distribution. At the lower limit the outcomes above the observed one and half of that one have
    the probability ``(1 - level) / 2``, at the upper one those below it and half of it. Between
    whole numbers of cases factorials are gamma functions.
    """
    cells = np.array((tp, fp, fn, tn))
    sd = 1 / sqrt(float((1 / (cells + 0.5)).sum()))
    most = int(_SPAN * sd + _MARGIN)
    if most > _MOST:
        return None
    more, less = _log_chances(fn, fp, tp, tn, most), _log_chances(tp, tn, fn, fp, most)
    middle = float(np.log(cells + 0.5) @ (1, -1, -1, 1))
    tail = (1 - level) / 2
    low = _log_odds_of_tail(more, less, tail, middle, 1 / sd)
    high = -_log_odds_of_tail(less, more, tail, -middle, 1 / sd)
    with np.errstate(over="ignore"):  # a cell of almost no weight gives infinite limits
        return float(np.exp(low)), float(np.exp(high))


def _log_chances(a: float, b: float, c: float, d: float, most: int) -> Vector:
    """Return the logs of how much likelier 1, 2, ... cases moved from a and b to c and d are."""
    moved = np.arange(min(most, int(np.ceil(min(a, b)))))
    ratio = (a - moved) * (b - moved) / ((c + 1 + moved) * (d + 1 + moved))
    return np.asarray(np.cumsum(np.log(ratio)))


def _log_odds_of_tail(more: Vector, less: Vector, tail: float, start: float, step: float) -> float:
    """Return the log odds ratio at which more, and half of what was observed, has a chance."""
    from scipy.optimize import brentq

    up, down = np.arange(1, more.size + 1), np.arange(1, less.size + 1)
    sought = np.log(tail / (1 - tail))

    def excess(log_odds: float) -> float:
        above, below = more + up * log_odds, less - down * log_odds
        top = max(0.0, above.max(initial=0.0), below.max(initial=0.0))
        half = np.exp(-top) / 2
        shares = [np.exp(each - top).sum() + half + _TINY for each in (above, below)]
        return float(np.log(shares[0] / shares[1]) - sought)

    if not less.size:  # the chance is one half or more
        return -np.inf
    ends = [start - step, start + step]
    for i, sign in enumerate((1, -1)):
        way = step
        while sign * excess(ends[i]) > 0:
            ends[i], way = ends[i] - sign * way, 2 * way
    return float(brentq(excess, ends[0], ends[1], xtol=1e-13))


def added_distances(rates: Iterable[tuple[Any, Any, Any, Any]]) -> tuple[Any, Any]:
    """Return how far the limits of a weighted sum of rates are from it, below and above.

    Each independent rate has a weight, its value and its own two limits; the squares of the
    weighted distances are added (Zou and Donner, 2008).
    """
    down: Any = 0.0
    up: Any = 0.0
    for weight, rate, low, high in rates:
        down = down + (weight * (rate - low)) ** 2
        up = up + (weight * (high - rate)) ** 2
    return np.sqrt(down), np.sqrt(up)
