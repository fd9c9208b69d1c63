"""Limits of shares, for arrays: what the intervals of single rates and of averages rest on."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["normal_quantile", "rate_limits"]


def normal_quantile(level: float) -> float:
    """Return z, between whose negative and itself a standard normal lies with chance `level`."""
    from scipy.special import ndtri

    return -float(ndtri((1 - level) / 2))


def rate_limits(
    x: NDArray[np.float64], n: float, level: Any, method: str
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return both limits of the shares ``x / n``, which lie between them.

    `x` need not be whole; `method` is "wilson", "clopper-pearson", "jeffreys" or "agresti-coull".
    Each share may have a level of its own with the second and the third.
    """
    if method in ("clopper-pearson", "jeffreys"):
        low, high = _beta_ends(x, n, level, 0.0 if method == "clopper-pearson" else 0.5)
    else:
        low, high = _score_ends(x, n, level, agresti=method == "agresti-coull")
    share = x / n
    return np.minimum(np.maximum(low, 0.0), share), np.maximum(np.minimum(high, 1.0), share)


def _beta_ends(x: NDArray[np.float64], n: float, level: Any, prior: float) -> tuple[Any, Any]:
    from scipy.special import betaincinv

    tail = (1 - level) / 2
    exact = 1.0 if prior == 0 else 0.0  # Clopper-Pearson shifts one end's shape by one case
    with np.errstate(invalid="ignore"):  # a shape of zero, at the ends that are known
        low = np.where(x == 0, 0.0, betaincinv(x + prior, n - x + prior + exact, tail))
        high = np.where(x == n, 1.0, betaincinv(x + prior + exact, n - x + prior, 1 - tail))
    return low, high


def _score_ends(
    x: NDArray[np.float64], n: float, level: float, *, agresti: bool
) -> tuple[Any, Any]:
    z2 = normal_quantile(level) ** 2
    centre = (x + z2 / 2) / (n + z2)
    if agresti:
        half = np.sqrt(z2 * centre * (1 - centre) / (n + z2))
        return centre - half, centre + half
    half = np.sqrt(z2 * (x * (n - x) / n + z2 / 4)) / (n + z2)
    # At the ends of the range the algebra is exact, the arithmetic not.
    return np.where(x == 0, 0.0, centre - half), np.where(x == n, 1.0, centre + half)
