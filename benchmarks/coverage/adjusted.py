"""Bands of covariate-adjusted curves, and differences of areas for given covariates.

The populations are those of adjusted areas. Two scores of the same cases are equally good.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial

import numpy as np
from scipy.special import ndtr, ndtri

from benchmarks.coverage.cells import Cell, Read, held, interval_of, rejected
from benchmarks.coverage.covariates import AT, OLDER, POPULATIONS, Floats, Population, drawn
from benchmarks.coverage.ledger import LEVEL, Row
from rocspace.designs import CovariateScores, adjusted_band, auc_by_covariate_difference
from rocspace.results import Difference

BAND = "band of the adjusted curve"
POINT = "limits of the adjusted curve at fpr .2"
GAP = "difference of areas for a given covariate"
GAP_BAND = "band of a difference of areas by a covariate"
TEST = "size of the test of a difference for a given covariate"
N_BOOT = 100
GRID = 21
PLACE = 4  # of the grid: fpr .2


@cache
def heights(population: Population) -> Floats:
    """Return the true adjusted curve on the grid: the mean over the ages of positives."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(60)
    d = population.gain + population.slope * (nodes + OLDER)
    fpr = np.linspace(0, 1, GRID)[1:-1]
    if population.skewed:  # residuals are exponential, and d is positive
        rise = np.minimum(np.exp(d) * fpr[:, None], 1.0)
    else:
        rise = ndtr(d + ndtri(fpr)[:, None])
    return np.concatenate([[0.0], rise @ weights / weights.sum(), [1.0]])


def read(population: Population, data: CovariateScores, rng: np.random.Generator) -> Iterator[Read]:
    truth, seed = heights(population), int(rng.integers(2**31))
    for name, simultaneous in (("whole curve", True), ("each rate", False)):
        band = adjusted_band(
            data, "a", n_boot=N_BOOT, grid=GRID, rng=seed, level=LEVEL, simultaneous=simultaneous
        )
        inside = (band.low <= truth + 1e-9) & (truth <= band.high + 1e-9)
        if simultaneous:
            yield Read(BAND, name, bool(inside.all()), band.area)
        else:
            low, high = float(band.low[PLACE]), float(band.high[PLACE])
            yield Read(POINT, name, bool(inside[PLACE]), high - low)
    gap = auc_by_covariate_difference(data, "age", at=AT)
    one = gap.estimates[2]
    assert isinstance(one, Difference)
    yield from held(GAP, "default", lambda: interval_of(one), 0.0)
    yield from rejected(TEST, "default", lambda: one.test().pvalue)
    limits = gap.band(LEVEL)
    width = float(np.mean(limits.high - limits.low))
    yield Read(GAP_BAND, "default", limits.contains(np.zeros(len(AT))), width)


@cache
def cells() -> tuple[Cell, ...]:
    """Return three cells."""
    plain, sloped, skewed = POPULATIONS
    return tuple(
        Cell(
            population.name,
            f"{sizes[0]} + {sizes[1]}",
            drawn(population.draw, sizes),
            partial(read, population),
            population.role,
        )
        for population, sizes in ((plain, (50, 50)), (sloped, (20, 200)), (skewed, (30, 60)))
    )


def count() -> int:
    """Return how many cells there are."""
    return len(cells())


def rows(samples: int, i: int) -> list[Row]:
    """Measure one cell."""
    return cells()[i].rows(samples)
