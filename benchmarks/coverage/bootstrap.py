"""Do bootstrap intervals hold their level? Rows for the ledger of benchmarks.coverage.

`bootstrap_rows` simulates populations whose truth is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

import rocspace as rs
from benchmarks.coverage.costs import CUTS
from benchmarks.coverage.ledger import LEVEL, Row
from benchmarks.coverage.populations import paired_exponential
from rocspace.resampling import (
    BootstrapSample,
    Statistic,
    bayesian_bootstrap,
    bootstrap,
    difference,
    partial_area,
    tpr_at,
)
from rocspace.results import Interval
from rocspace.simulate import Population, binormal, exponential, paired_binormal, ratings

N_BOOT = 600
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
    methods: tuple[str, ...]
    default: str = "bca"


QUANTITIES = (
    Quantity(
        "bootstrap of the area",
        "auc",
        lambda p: p.auc,
        ("unseen", "moderated", *METHODS, "studentised"),
        "unseen",
    ),
    Quantity(
        "bootstrap of a part, fpr 0 to 0.2",
        partial_area(fpr=(0, 0.2)),
        lambda p: p.partial_auc(fpr=(0, 0.2)),
        ("unseen", *METHODS),
        "unseen",
    ),
    Quantity(
        "bootstrap of tpr at fpr 0.1",
        tpr_at(0.1),
        lambda p: float(p.tpr_at(0.1)),
        ("rank mixture", *METHODS),
        "rank mixture",
    ),
)


PAIRS = (
    *product((((0.75, 0.75), 0.5), ((0.75, 0.9), 0.5), ((0.8, 0.8), 0.9)), ((5, 50), (20, 20))),
    *product((((0.75, 0.9), 0.5), ((0.99, 0.99), 0.5)), ((20, 200), (100, 100))),
    (((0.9, 0.9), 0.5), (10, 10_000)),
)
MORE_PAIRS = (
    ("five ratings, areas 0.8 and 0.8, r 0.5", paired_binormal((0.8, 0.8), cuts=CUTS), (20, 20)),
    ("exponential, areas 0.9 and 0.9, r 0.5", paired_exponential((0.9, 0.9)), (20, 200)),
)


def intervals(
    sample: BootstrapSample, methods: tuple[str, ...], default: str
) -> Iterator[tuple[str, Interval]]:
    for method in methods:
        asked = None if method == default else method
        yield method, sample.interval(LEVEL, method=asked)  # type: ignore[arg-type]


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
        made = list(intervals(sample, quantity.methods, quantity.default))
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


def difference_rows(samples: int, rng: np.random.Generator) -> Iterator[Row]:
    """Measure the intervals of a difference of the areas of two scores of the same cases."""
    plain = [
        (f"Normal, r {r:g}, areas {a:g} and {b:g}", paired_binormal((a, b), r_pos=r, r_neg=r), size)
        for ((a, b), r), size in PAIRS
    ]
    for name, population, (n_pos, n_neg) in (*plain, *MORE_PAIRS):
        truth = -float(np.diff(population.auc)[0])
        many = max(1, samples // 6) if n_neg > 1000 else samples
        methods = ("moderated", "bca", "percentile")
        ends = np.empty((len(methods), many, 2))
        for i in range(many):
            data = population.draw(n_pos, n_neg, rng=rng)
            sample = bootstrap(
                data, difference(), n_boot=N_BOOT, rng=rng, threads=1, progress=False
            )
            for j, (_, interval) in enumerate(intervals(sample, methods, methods[0])):
                ends[j, i] = interval.low, interval.high
        for method, (low, high) in zip(methods, ends.transpose(0, 2, 1), strict=True):
            inside = (low <= truth + 1e-12) & (truth - 1e-12 <= high)
            yield Row(
                DIFFERENCE,
                name,
                f"{n_pos} + {n_neg}",
                method,
                float(inside.mean()),
                float((high - low).mean()),
                float((high - low).std()),
                many,
            )
