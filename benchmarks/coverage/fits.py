"""What intervals of areas and rates of fitted curves cover, where the model holds and where not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

import numpy as np

from benchmarks.coverage.areas import Cell
from benchmarks.coverage.ledger import LEVEL, SEED, Row
from rocspace.counts import ScoreTable
from rocspace.models import fit_roc
from rocspace.results import Fit, Interval
from rocspace.simulate import Population, binormal, exponential, mixture, ratings

POPULATIONS = (
    binormal(0.75),
    binormal(0.95),
    binormal(0.9, 2),
    binormal(0.85, 1 / 3),
    exponential(0.9),
    mixture(0.2),
    ratings(),
)
SIZES = ((10, 10), (20, 200), (50, 50), (200, 200))
MODELS = ("binormal", "labroc")
RATE = 0.1


def area_of(fit: Fit) -> Interval:
    return fit.auc_estimate().interval(LEVEL)


def rate_of(fit: Fit) -> Interval:
    return fit.tpr_estimate(RATE).interval(LEVEL)


def intervals(
    read: Callable[[Fit], Interval],
) -> Callable[[ScoreTable], Iterator[tuple[str, Interval]]]:
    def of_models(table: ScoreTable) -> Iterator[tuple[str, Interval]]:
        for model in MODELS:
            yield model, _interval(table, model, read)

    return of_models


def _interval(table: ScoreTable, model: str, read: Callable[[Fit], Interval]) -> Interval:
    try:
        fit = fit_roc(table, model=model)
    except ValueError:  # too few runs for two parameters
        return Interval(low=0.0, high=1.0, level=LEVEL, method="whole range")
    return read(fit)


def sections() -> tuple[tuple[str, Callable[[Population], float], Callable[[Fit], Interval]], ...]:
    return (
        ("area of a fit", lambda population: population.auc, area_of),
        ("rate of a fit", lambda population: float(population.tpr_at(RATE)), rate_of),
    )


def fit_rows(samples: int) -> Iterator[Row]:
    for i, (name, truth, read) in enumerate(sections()):
        for j, (population, (n_pos, n_neg)) in enumerate(product(POPULATIONS, SIZES)):
            cell = Cell(name, population, n_pos, n_neg, truth(population), intervals(read))
            yield from cell.measure(samples, np.random.default_rng([SEED, 14, i, j]))
