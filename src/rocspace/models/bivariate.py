"""The bivariate Normal distribution function in closed form by Owen's T."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocspace._base.arrays import Vector


def bivariate_normal(h: Any, k: Any, rho: Any) -> Vector:
    """Return P(X <= h, Y <= k) of two standard Normal variables with correlation rho.

    Parameters
    ----------
    h, k : float or ndarray
        Limits, which may be infinite.
    rho : float or ndarray
        Correlation, strictly between -1 and 1.

    Notes
    -----
    Owen (1956), no numbered equation: the mean of both margins, minus T(h, .) and T(k, .), minus
    one half where h and k lie on different sides of 0. About 15 digits.
    """
    from scipy.special import ndtr, owens_t

    # Adding 0 turns -0 into 0.
    h, k, rho = np.broadcast_arrays(*(np.asarray(x, dtype=np.float64) + 0.0 for x in (h, k, rho)))
    root = np.sqrt((1 - rho) * (1 + rho))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        parts = owens_t(h, (k / h - rho) / root) + owens_t(k, (h / k - rho) / root)
    apart = (np.sign(h) * np.sign(k) < 0) | ((h == 0) & (k < 0)) | ((k == 0) & (h < 0))
    found = (ndtr(h) + ndtr(k)) / 2 - parts - 0.5 * apart
    found = np.where((h == 0) & (k == 0), 0.25 + np.arcsin(rho) / (2 * np.pi), found)
    edge = np.isinf(h) | np.isinf(k)
    return np.asarray(np.clip(np.where(edge, np.minimum(ndtr(h), ndtr(k)), found), 0.0, 1.0))
