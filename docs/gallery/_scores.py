"""Scores whose ROC curve is known, for figures whose data were never printed."""

from statistics import NormalDist

import numpy as np

import rocspace as rs


def binormal(shift: float, spread: float = 1.0, n: int = 60) -> rs.ScoreTable:
    """Evenly spread quantiles: negatives Normal(0, 1), positives Normal(shift, spread)."""
    z = np.array([NormalDist().inv_cdf((i + 0.5) / n) for i in range(n)])
    return rs.tabulate(np.repeat([True, False], n), np.concatenate([shift + spread * z, z]))
