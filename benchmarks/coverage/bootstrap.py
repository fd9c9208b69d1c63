"""Do bootstrap intervals hold their level? Cells for the ledger of benchmarks.coverage."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from benchmarks.coverage.cells import Cell, Read, held, of_pairs, of_population
from benchmarks.coverage.costs import CUTS
from benchmarks.coverage.ledger import LEVEL
from benchmarks.coverage.populations import Skewed, paired_exponential
from rocspace.counts import PairedScores, ScoreTable
from rocspace.resampling import (
    BootstrapSample,
    Statistic,
    bayesian_bootstrap,
    bootstrap,
    difference,
    partial_area,
    tpr_at,
)
from rocspace.simulate import (
    PairedPopulation,
    Population,
    binormal,
    exponential,
    paired_binormal,
    ratings,
)

N_BOOT = 600
OPTIONS: dict[str, Any] = {"n_boot": N_BOOT, "threads": 1, "progress": False}
DIFFERENCE = "bootstrap of a difference of areas"
METHODS = ("bca", "percentile", "basic", "normal")
POPULATIONS = (binormal(0.75), binormal(0.9), binormal(0.99), ratings())
SIZES = ((5, 50), (20, 20), (20, 200), (100, 100))
SITUATIONS = (
    *product(POPULATIONS, SIZES),
    *product((exponential(0.9),), ((5, 50), (20, 200), (100, 100))),
    (binormal(0.9), (10, 10_000)),
)


@dataclass(frozen=True)
class Quantity:
    """What is bootstrapped, and its true value; `default` names what one gets without asking."""

    section: str
    statistic: str | Statistic
    truth: Callable[[Population], float]
    default: str
    methods: tuple[str, ...] = METHODS


QUANTITIES = (
    Quantity(
        "bootstrap of the area",
        "auc",
        lambda p: p.auc,
        "unseen",
        ("moderated", *METHODS, "studentised"),
    ),
    Quantity(
        "bootstrap of a part, fpr 0 to 0.2",
        partial_area(fpr=(0, 0.2)),
        lambda p: p.partial_auc(fpr=(0, 0.2)),
        "unseen",
    ),
    Quantity(
        "bootstrap of tpr at fpr 0.1",
        tpr_at(0.1),
        lambda p: float(p.tpr_at(0.1)),
        "profile",
    ),
)
OF_DIFFERENCE = "moderated"


def intervals(
    section: str, sample: BootstrapSample, default: str, methods: tuple[str, ...], truth: float
) -> Iterator[Read]:
    yield from held(section, default, partial(sample.interval, LEVEL), truth)
    for method in methods:
        make = partial(sample.interval, LEVEL, method=method)  # type: ignore[arg-type]
        yield from held(section, method, make, truth)


def cells() -> Iterator[Cell]:
    """Each method for each quantity."""
    for population, size in SITUATIONS:
        truths = [quantity.truth(population) for quantity in QUANTITIES]
        yield of_population(population, size, partial(quantities, truths))


def quantities(truths: list[float], table: ScoreTable, rng: np.random.Generator) -> Iterator[Read]:
    for each, truth in zip(QUANTITIES, truths, strict=True):
        sample = bootstrap(table, each.statistic, rng=rng, **OPTIONS)
        yield from intervals(each.section, sample, each.default, each.methods, truth)
        if each.statistic == "auc":
            drawn = bayesian_bootstrap(table, fpr=[0.5], rng=rng, **OPTIONS)
            yield from held(each.section, "bayesian", partial(drawn.interval, LEVEL), truth)


# --- differences of the areas of two scores of the same cases ---------------------------------

PAIRS = (
    *product((((0.75, 0.75), 0.5), ((0.75, 0.9), 0.5), ((0.8, 0.8), 0.9)), ((5, 50), (20, 20))),
    *product((((0.75, 0.9), 0.5), ((0.99, 0.99), 0.5)), ((20, 200), (100, 100))),
    (((0.9, 0.9), 0.5), (10, 10_000)),
)
MORE_PAIRS = (
    ("five ratings, areas 0.8 and 0.8, r 0.5", paired_binormal((0.8, 0.8), cuts=CUTS), (20, 20)),
    ("exponential, areas 0.9 and 0.9, r 0.5", paired_exponential((0.9, 0.9)), (20, 200)),
)


def difference_cells() -> Iterator[Cell]:
    plain = [
        (f"Normal, r {r:g}, areas {a:g} and {b:g}", paired_binormal((a, b), r_pos=r, r_neg=r), size)
        for ((a, b), r), size in PAIRS
    ]
    every: tuple[tuple[str, PairedPopulation | Skewed, tuple[int, int]], ...]
    every = (*plain, *MORE_PAIRS)
    for name, population, size in every:
        truth = float(population.auc[0] - population.auc[1])
        yield of_pairs(name, population, size, partial(differences, truth))


def differences(truth: float, data: PairedScores, rng: np.random.Generator) -> Iterator[Read]:
    sample = bootstrap(data, difference(), rng=rng, **OPTIONS)
    yield from intervals(DIFFERENCE, sample, OF_DIFFERENCE, ("bca", "percentile"), truth)
