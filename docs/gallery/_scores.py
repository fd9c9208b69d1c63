"""Scores whose ROC curve is known, for figures whose data were never printed."""

from statistics import NormalDist

import numpy as np

import rocspace as rs
from rocspace.simulate import binormal as population

# Of N(.65, .2^2) against N(.45, .2^2), whose difference of means is one standard deviation.
GRANULAR = population(NormalDist().cdf(0.5**0.5))


def binormal(shift: float, spread: float = 1.0, n: int = 60) -> rs.ScoreTable:
    """Evenly spread quantiles: negatives Normal(0, 1), positives Normal(shift, spread)."""
    z = np.array([NormalDist().inv_cdf((i + 0.5) / n) for i in range(n)])
    return rs.tabulate(np.repeat([True, False], n), np.concatenate([shift + spread * z, z]))


def granular_sample(n: int = 2000, rng: np.random.Generator | None = None) -> rs.ScoreTable:
    """The simulation of Dong, Li and Li: N(.65, .2^2) against N(.45, .2^2), n of each."""
    rng = np.random.default_rng(4230) if rng is None else rng
    return rs.tabulate_classes(rng.normal(0.65, 0.2, n), rng.normal(0.45, 0.2, n))
