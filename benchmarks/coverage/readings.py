"""What intervals cover that follow from a fit: optimal cuts, and differences of two fits.

Slow models are here, too, where their assumption does not hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

import numpy as np

from benchmarks.coverage.cells import Cell, Read, Reader, draw_of, held, interval_by, interval_of
from benchmarks.coverage.ledger import Row
from benchmarks.coverage.models import (
    AREA,
    AT,
    DEAR,
    HOOKED,
    NORMAL,
    RATE,
    SKEWED,
    SMALL,
    fit_of,
    reader,
)
from rocspace.compare import fit_difference
from rocspace.counts import PairedScores, ScoreTable
from rocspace.models import optimal_cut
from rocspace.results import Fit
from rocspace.simulate import Population, paired_binormal

INDEX, CUT = "best index of a model", "best threshold of a model"
DIFFERENCE, ELSEWHERE = "difference of two fits", "area of a slow model elsewhere"
ELSEWHERE_RATE = "rate of a slow model elsewhere"
CUT_MODELS = ("binormal", "labroc", "minimum-distance", "roc-glm")
KERNELS = ("kernel", "kernel, direct-plug-in")
PAIR = paired_binormal([0.8, 0.88], r_pos=0.5, r_neg=0.5)
READINGS: dict[str, tuple[Callable[[Fit], float], float]] = {
    "area": (lambda fit: fit.auc, 0.8 - 0.88),
    f"tpr at {AT:g}": (
        lambda fit: float(fit.tpr_at(AT)),
        float(np.subtract(*(one.tpr_at(AT) for one in PAIR.margins))),
    ),
}
N_BOOT = 100
SLOW = 2  # what divides the samples of differences, and of slow models


def best_cut(population: Population) -> tuple[float, float]:
    """Return the index of the true curve, and the score where it is attained."""
    fpr = np.linspace(0, 1, 200_001)
    index = np.asarray(population.tpr_at(fpr)) - fpr
    at = float(fpr[index.argmax()])
    rng = np.random.default_rng(0)
    negatives = population.neg(rng, (1, 4_000_000))[0]
    return float(index.max()), float(np.quantile(negatives, 1 - at))


def cuts(population: Population, models: tuple[str, ...]) -> Reader:
    """Return what reads the best index of some models, and of those of scores the threshold."""
    index, threshold = best_cut(population)

    def read(table: ScoreTable, _: np.random.Generator) -> Iterator[Read]:
        for model in models:
            fit = fit_of(table, *model.split(", "))
            if fit is None or "degenerate" in fit.flags:
                continue
            found = optimal_cut(fit)
            yield from held(INDEX, model, partial(interval_of, found.index), index)
            if np.isfinite(found.threshold_estimate.se):
                at = partial(interval_of, found.threshold_estimate)
                yield from held(CUT, model, at, threshold)

    return read


def differences(data: PairedScores, rng: np.random.Generator) -> Iterator[Read]:
    for model in ("binormal", "labroc"):
        for name, (reading, truth) in READINGS.items():
            ask: Any = partial(
                fit_difference, data, reading=reading, model=model, n_boot=N_BOOT, rng=rng
            )
            name_ = f"{model}, {name}"
            yield from held(DIFFERENCE, name_, partial(interval_by, ask), truth)


def elsewhere(population: Population, wanted: str = AREA) -> Reader:
    """Return what reads the areas of slow models, or their rates."""
    inner = reader(population, DEAR, (wanted,))
    name = ELSEWHERE if wanted == AREA else ELSEWHERE_RATE

    def read(table: ScoreTable, rng: np.random.Generator) -> Iterator[Read]:
        for found in inner(table, rng):
            yield Read(name, found.interval, found.inside, found.width)

    return read


@cache
def cells() -> tuple[Cell, ...]:
    """Return all cells."""
    size = f"{SMALL[0]} + {SMALL[1]}"
    found = [
        Cell(one.name, size, draw_of(one, SMALL), cuts(one, CUT_MODELS)) for one in (NORMAL, SKEWED)
    ]
    found.append(
        Cell(NORMAL.name, size, draw_of(NORMAL, SMALL), cuts(NORMAL, KERNELS[:1]), slow=SLOW)
    )
    found.append(
        Cell(PAIR.name, size, lambda rng: PAIR.draw(*SMALL, rng=rng), differences, slow=SLOW)
    )
    found += [
        Cell(one.name, size, draw_of(one, SMALL), elsewhere(one), slow=SLOW)
        for one in (SKEWED, HOOKED)
    ]
    found += [
        Cell(one.name, size, draw_of(one, SMALL), cuts(one, names), slow=SLOW)
        for one, names in ((NORMAL, KERNELS[1:]), (SKEWED, KERNELS))
    ]
    return tuple(found)


@cache
def rate_cells() -> tuple[Cell, ...]:
    """Return the cells of the rates of slow models."""
    size = f"{SMALL[0]} + {SMALL[1]}"
    return tuple(
        Cell(one.name, size, draw_of(one, SMALL), elsewhere(one, RATE)) for one in (SKEWED, HOOKED)
    )


def rate_rows(samples: int, number: int) -> list[Row]:
    return rate_cells()[number].rows(samples)


def count_rates() -> int:
    return len(rate_cells())


def rows(samples: int, number: int) -> list[Row]:
    return cells()[number].rows(samples)


def count() -> int:
    return len(cells())
