"""What bands of fitted curves contain where the model does not hold.

All models of a cell read the same samples. `own_fits` has the bands of models that hold.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from benchmarks.coverage.cells import Cell, Read, Reader, draw_of
from benchmarks.coverage.ledger import LEVEL, Row
from benchmarks.coverage.models import (
    FEWER,
    HOOKED,
    LARGE,
    RANKED,
    RATED,
    SKEWED,
    SMALL,
    fit_of,
)
from rocspace.bands import Band, fit_band
from rocspace.counts import ScoreTable
from rocspace.simulate import Population

WHOLE, POINT = "band of a fitted curve", "band of a fitted curve, at each point"
ANY = ("binormal", *RANKED, "yeo-johnson")
GRID = np.linspace(0.005, 0.995, 199)  # where a whole curve is looked at,
POINTS = np.array([0.05, 0.1, 0.2, 0.5])  # and single points, one for each sample


def grid_of(population: Population) -> np.ndarray:
    """Return where a curve is looked at; of ratings at its vertices, which models speak of."""
    if population is not RATED:
        return GRID
    slopes = np.diff(np.asarray(population.tpr_at(GRID))) / np.diff(GRID)
    bends = np.flatnonzero(np.abs(np.diff(slopes)) > 1e-6) + 1
    return GRID[bends]


def reader(population: Population, models: tuple[str, ...]) -> Reader:
    """Return what reads a sample by several models; the band of a refused fit is everything."""
    whole = grid_of(population)
    single = whole if population is RATED else POINTS

    def inside(band: Band, at: np.ndarray) -> np.ndarray:
        truth = np.asarray(population.tpr_at(at))
        return np.array([x in interval for x, interval in zip(truth, band.at_fpr(at), strict=True)])

    def read(table: ScoreTable, rng: np.random.Generator) -> Iterator[Read]:
        one = single[[int(rng.integers(len(single)))]]
        for model in models:
            fit = fit_of(table, model)
            try:
                if fit is None:
                    raise ValueError(model)
                bands = [fit_band(fit, level=LEVEL, simultaneous=each) for each in (True, False)]
            except ValueError:
                yield Read(WHOLE, model, True, 1.0)
                yield Read(POINT, model, True, 1.0)
                continue
            yield Read(WHOLE, model, bool(inside(bands[0], whole).all()), bands[0].area)
            yield Read(POINT, model, bool(inside(bands[1], one).all()), bands[1].area)

    return read


@cache
def cells() -> tuple[Cell, ...]:
    """Return all cells: a population at a size."""
    unlike = tuple(name for name in ANY if name != "beta")  # which holds for exponential scores
    tied = tuple(name for name in ANY if name != "yeo-johnson")
    several = [
        (one, models, *how)
        for one, models in ((SKEWED, unlike), (HOOKED, ANY), (RATED, tied))
        for how in ((SMALL, 1), (LARGE, FEWER))
    ]
    return tuple(
        Cell(one.name, f"{size[0]} + {size[1]}", draw_of(one, size), reader(one, models), slow=slow)
        for one, models, size, slow in several
    )


def rows(samples: int, number: int) -> list[Row]:
    return cells()[number].rows(samples)


def count() -> int:
    return len(cells())
