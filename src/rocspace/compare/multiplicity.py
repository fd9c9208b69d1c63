"""p values adjusted for multiple comparisons."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from rocspace._base.arrays import ArrayLike, Vector
from rocspace._base.calls import explained
from rocspace._base.checks import as_numbers

Adjustment: TypeAlias = Literal[
    "holm",
    "bonferroni",
    "hochberg",
    "hommel",
    "benjamini-hochberg",
    "benjamini-yekutieli",
    "none",
]


@explained
def adjusted_pvalues(pvalues: ArrayLike, *, method: Adjustment = "holm") -> Vector:
    """Adjust p values for the number of tests.

    Parameters
    ----------
    pvalues : array-like, shape (m,)
        In [0, 1]; nan for a test without a p value, which does not count.
    method : str, default "holm"
        "holm" and "bonferroni" control the probability of any false rejection (family-wise error)
        under any dependence of the tests; Holm rejects at least as often. "hochberg" and "hommel"
        control it for independent tests, and for many that depend positively; they reject at least
        as often as Holm, and Hommel at least as often as Hochberg. "benjamini-hochberg" controls
        the expected share of false rejections among all rejections (false discovery rate), for
        independent or positively dependent tests, and "benjamini-yekutieli" under any dependence.
        "none" leaves them as they are.

    Returns
    -------
    ndarray of float64, shape (m,)
        In [0, 1] and not below the p values. Reject where the adjusted p value is at most the
        level.

    Raises
    ------
    ValueError
        If a p value is outside [0, 1], or the method is not one of those named.

    Notes
    -----
    O(m log m); "hommel" O(m^2). With m tests and the i-th smallest p value p(i): Bonferroni
    ``m p``; Holm the running maximum of ``(m - i + 1) p(i)``, and Hochberg the running minimum of
    the same from the largest; Benjamini and Hochberg the running minimum from the largest of ``m
    p(i) / i``, and Benjamini and Yekutieli of ``(1 + 1/2 + ... + 1/m)`` times as much; none above
    1. Hommel's is the largest p value of Simes' test, ``min k p(i) / i``, among all sets of k tests
    that hold this one. All are those of ``p.adjust`` in R.

    References
    ----------
    Holm (1979), a paper on this alone; Hochberg (1988), a paper on this alone; Hommel (1988), a
    paper on this alone, in the form of Wright (1992), no numbered equation; Benjamini and Hochberg
    (1995), Theorem 1; Benjamini and Yekutieli (2001), Theorem 1.3.

    Examples
    --------
    >>> adjusted_pvalues([0.01, 0.04, 0.02])
    array([0.03, 0.04, 0.04])
    >>> adjusted_pvalues([0.01, 0.04, 0.02], method="benjamini-hochberg")
    array([0.03, 0.04, 0.03])
    """
    p = as_numbers("pvalues", pvalues)
    if p.ndim != 1:
        msg = f"pvalues has shape {p.shape}, but must be a vector: one for each test."
        raise ValueError(msg)
    if ((p < 0) | (p > 1)).any():
        msg = f"A p value is {p[(p < 0) | (p > 1)][0]}, but must be between 0 and 1."
        raise ValueError(msg)
    known = np.flatnonzero(~np.isnan(p))
    order = known[np.argsort(p[known], kind="stable")]
    m, rising = order.size, p[order]
    rank = np.arange(1, m + 1)
    match method:
        case "bonferroni":
            rising = m * rising
        case "holm":
            rising = np.maximum.accumulate((m + 1 - rank) * rising)
        case "hochberg":
            rising = _least_from((m + 1 - rank) * rising)
        case "hommel":
            rising = _hommel(rising)
        case "benjamini-hochberg":
            rising = _least_from(m / rank * rising)
        case "benjamini-yekutieli":
            rising = _least_from((1 / rank).sum() * (m / rank) * rising)
    adjusted = p.copy()
    adjusted[order] = np.minimum(rising, 1.0)
    return adjusted


def _least_from(x: Vector) -> Vector:
    """Return the least of each number and all behind it."""
    return np.asarray(np.minimum.accumulate(x[::-1])[::-1])


def _hommel(rising: Vector) -> Vector:
    """Adjust p values in rising order by Hommel's method.

    Of the sets of k tests that hold a given one, that with the k - 1 largest others has the largest
    p value of Simes' test.
    """
    m, found = rising.size, rising.copy()
    for k in range(2, m + 1):
        others, first = rising[m - k + 1 :], rising[: m - k + 1]
        worst = np.minimum(k * first, (k / np.arange(2, k + 1) * others).min())
        found[: m - k + 1] = np.maximum(found[: m - k + 1], worst)
        found[m - k + 1 :] = np.maximum(found[m - k + 1 :], worst[-1])
    return found
