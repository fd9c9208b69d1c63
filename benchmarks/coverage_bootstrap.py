"""Do bootstrap intervals cover what they promise? Rows for the ledger of benchmarks.coverage.

`bootstrap_rows` simulates populations whose truth is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

import rocspace as rs
from benchmarks.ledger import LEVEL, Row
from rocspace.bootstrap import (
    BootstrapSample,
    Statistic,
    bayesian_bootstrap,
    bootstrap,
    partial_area,
    tpr_at,
)
from rocspace.results import Interval
from rocspace.simulate import Population, binormal, exponential, ratings

N_BOOT = 600
METHODS = ("bca", "percentile", "basic", "normal", "studentised")
POPULATIONS = (binormal(0.75), binormal(0.9), binormal(0.99), ratings())
SIZES = ((5, 50), (20, 20), (20, 200), (100, 100))
SITUATIONS = (
    *product(POPULATIONS, SIZES),
    *product((exponential(0.9),), ((5, 50), (20, 200), (100, 100))),
    (binormal(0.9), (10, 10_000)),
)


@dataclass(frozen=True)
class Quantity:
    """What is bootstrapped, and its true value."""

    section: str
    statistic: str | Statistic
    truth: Callable[[Population], float]
    methods: tuple[str, ...]


QUANTITIES = (
    Quantity("bootstrap of the area", "auc", lambda p: p.auc, METHODS),
    Quantity(
        "bootstrap of a part, fpr 0 to 0.2",
        partial_area(fpr=(0, 0.2)),
        lambda p: p.partial_auc(0, 0.2),
        METHODS[:4],
    ),
    Quantity(
        "bootstrap of tpr at fpr 0.1",
        tpr_at(0.1),
        lambda p: float(p.tpr_at(0.1)),
        METHODS[:4],
    ),
)


def intervals(sample: BootstrapSample, methods: tuple[str, ...]) -> Iterator[tuple[str, Interval]]:
    for method in methods:
        yield method, sample.interval(LEVEL, method=method)  # type: ignore[arg-type]


def bootstrap_rows(samples: int, rng: np.random.Generator) -> Iterator[Row]:
    """Measure each method for each quantity, population and size."""
    for quantity in QUANTITIES:
        for population, (n_pos, n_neg) in SITUATIONS:
            many = max(1, samples // 6) if n_neg > 1000 else samples
            yield from measure(quantity, population, (n_pos, n_neg), many, rng)


def measure(
    quantity: Quantity,
    population: Population,
    size: tuple[int, int],
    samples: int,
    rng: np.random.Generator,
) -> Iterator[Row]:
    (n_pos, n_neg), truth = size, quantity.truth(population)
    found: dict[str, list[tuple[bool, float]]] = {}
    for _ in range(samples):
        table = rs.tabulate_classes(population.pos(rng, n_pos), population.neg(rng, n_neg))
        sample = bootstrap(
            table, quantity.statistic, n_boot=N_BOOT, rng=rng, threads=1, progress=False
        )
        made = list(intervals(sample, quantity.methods))
        if quantity.statistic == "auc":
            drawn = bayesian_bootstrap(
                table, fpr=[0.5], n_boot=N_BOOT, rng=rng, threads=1, progress=False
            )
            made.append(("bayesian", drawn.interval(LEVEL)))
        for name, interval in made:
            inside = interval.low - 1e-12 <= truth <= interval.high + 1e-12
            found.setdefault(name, []).append((inside, interval.width))
    for name, pairs in found.items():
        inside_of, width = np.array(pairs, dtype=float).T
        yield Row(
            quantity.section,
            population.name,
            f"{n_pos} + {n_neg}",
            name,
            float(inside_of.mean()),
            float(width.mean()),
            float(width.std()),
            samples,
        )
