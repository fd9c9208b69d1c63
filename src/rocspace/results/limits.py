"""Confidence limits from a few numbers, and p values by inverting an interval."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocspace._base.arrays import Vector
from rocspace._base.text import AT_MOST

_LEAST = 1e-12  # neither p values nor limits are resolved below this


def hoeffding_limits(x: float, m: float, level: float) -> tuple[float, float]:
    """Solve m KL(x, a) <= ln(2 / (1 - level)) for a, on either side of x."""
    if m <= 0:
        return 0.0, 1.0
    x = min(max(x, 0.0), 1.0)
    bound = float(np.log(2 / (1 - level))) / m
    # The upper limit is the lower limit of 1 - x, reflected.
    return _lower_limit(x, bound), 1 - _lower_limit(1 - x, bound)


def _lower_limit(x: float, bound: float) -> float:
    """Return the smallest a with KL(x, a) <= bound; it is below x unless x is 0."""
    from scipy.optimize import brentq
    from scipy.special import rel_entr

    def excess(a: float) -> float:
        return float(rel_entr(x, a) + rel_entr(1 - x, 1 - a)) - bound

    if x == 0:
        return 0.0
    if x == 1:
        return min(float(np.exp(-bound)), float(np.nextafter(1, 0)))
    tiny = float(np.finfo(float).tiny)
    return float(brentq(excess, tiny, x, xtol=1e-15)) if excess(tiny) > 0 else 0.0


def wilson_ends(x: Any, c: Any) -> tuple[Any, Any]:
    """Solve (x - a)^2 = c a (1 - a) for a, with sums of positive numbers only (no cancellation)."""
    root = np.sqrt(c * (4 * x * (1 - x) + c))
    return 2 * x * x / (2 * x + c + root), 1 - 2 * (1 - x) ** 2 / (2 * (1 - x) + c + root)


def nondecreasing(limit: Vector, *, lower: bool, tight: bool) -> Vector:
    """Make a limit of a nondecreasing curve nondecreasing, as the curve is: raise or lower it.

    Simultaneous limits hold at all places or fail, so they may be tight: a curve above its lower
    limit is above the largest one on the left, too, and below the smallest upper one on the right.
    The limits of each place by itself must not: the largest of several lower limits fails wherever
    one of them does, and so more often than one. They are relaxed, to the smallest lower limit on
    the right and to the largest upper one on the left.
    """
    if lower == tight:
        return np.asarray(np.maximum.accumulate(limit))
    return np.asarray(np.minimum.accumulate(limit[::-1])[::-1])


def untied_share(m: float, level: float) -> float:
    """Upper limit of the probability that a pair is not tied, after m ties in m pairs."""
    return max(1 - ((1 - level) / 2) ** (1 / m), _LEAST) if m > 0 else 1.0


def touching_pvalue(
    found: Any, null: float, alternative: str, *, scale: str | None = None
) -> float:
    """Return the p for which an end of the interval equals the null hypothesis; never 0.

    Intervals are not inverted beyond level 1 - 2e-12: a smaller p is told as 1e-12 of one side,
    2e-12 of two, and `floor_note` says that it is.

    A two-sided p belongs to the interval of level 1 - p, a one-sided p up to 1/2 to that of level 1
    - 2 p; a larger one-sided p is one minus the p of the other side.
    """
    if alternative == "two-sided":
        side = "greater" if found.value >= null else "less"
        return min(1.0, 2 * touching_pvalue(found, null, side, scale=scale))
    from scipy.optimize import brentq

    gap = found.value - null if alternative == "greater" else null - found.value
    if not gap:
        return 0.5
    if gap != gap:
        return float("nan")
    lower_end = (alternative == "greater") == (gap > 0)

    def excess(p: float) -> float:
        """Distance of the nearer end from the null hypothesis."""
        low, high = found.interval(1 - 2 * p, scale=scale)
        return float(low - null if lower_end else null - high)

    if excess(_LEAST) > 0:
        p = _LEAST
    elif excess(0.5 - _LEAST) <= 0:
        p = 0.5
    else:
        p = float(brentq(excess, _LEAST, 0.5 - _LEAST, xtol=1e-15))
    return p if gap > 0 else 1 - p


def floor_note(pvalue: float) -> str:
    """Say of a p value that ends of intervals do not tell it from smaller ones; else ""."""
    return AT_MOST if pvalue <= 2 * _LEAST else ""


def noted(*notes: str) -> str:
    """Join the notes that are not empty."""
    return "; ".join(filter(None, notes))
