"""p values adjusted for multiple comparisons."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from rocspace._base.arrays import ArrayLike, Vector
from rocspace._base.calls import explained
from rocspace._base.checks import as_numbers

Adjustment: TypeAlias = Literal["holm", "bonferroni", "benjamini-hochberg", "none"]


@explained
def adjusted_pvalues(pvalues: ArrayLike, *, method: Adjustment = "holm") -> Vector:
    """Adjust p values for the number of tests.

    Parameters
    ----------
    pvalues : array-like, shape (m,)
        In [0, 1]; nan for a test without a p value, which does not count.
    method : {"holm", "bonferroni", "benjamini-hochberg", "none"}, default "holm"
        "holm" and "bonferroni" control the probability of any false rejection (family-wise error)
        under any dependence of the tests; Holm rejects at least as often. "benjamini-hochberg"
        controls the expected share of false rejections among all rejections (false discovery rate),
        for independent or positively dependent tests.

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
    O(m log m). With m tests and the i-th smallest p value p(i): Bonferroni ``m p``; Holm the
    running maximum of ``(m - i + 1) p(i)``; Benjamini and Hochberg the running minimum
    from the largest of ``m p(i) / i``; none above 1.

    References
    ----------
    Holm (1979), a paper on this alone; Benjamini and Hochberg (1995), Theorem 1.

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
    if method == "bonferroni":
        rising = m * rising
    elif method == "holm":
        rising = np.maximum.accumulate(np.arange(m, 0, -1) * rising)
    elif method == "benjamini-hochberg":
        rising = np.minimum.accumulate((m / np.arange(1, m + 1) * rising)[::-1])[::-1]
    adjusted = p.copy()
    adjusted[order] = np.minimum(rising, 1.0)
    return adjusted
