"""How often tests against chance reject where both classes are alike.

Of many features that are all alike in both classes, a test of all of them rejects if any is found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from benchmarks.coverage.cells import Cell, Read, at_levels, sizes_of
from benchmarks.coverage.ledger import CALLED
from rocspace.compare import adjusted_pvalues, rank_features
from rocspace.counts import ScoreTable, tabulate_classes
from rocspace.inference import auc_test, ks_test
from rocspace.simulate import Population, binormal, ratings

SECTION = "size of tests"
POPULATIONS = (("continuous", binormal(0.5)), ("five ratings", ratings()))
SIZES = ((5, 5), (5, 50), (20, 20), (10, 1000), (200, 200), (10, 10_000))
FOUND, NORMAL = "wide: size of rank_features", "Mann-Whitney, Normal"
FEATURES = 200

Floats = NDArray[Any]
Shape = tuple[int, ...]
MOSTLY_ZERO: dict[str, Callable[[np.random.Generator, Shape], Floats]] = {
    "yes/no, 2 % yes": lambda rng, shape: (rng.random(shape) < 0.02) * 1.0,
    "counts of mean 0.3": lambda rng, shape: rng.poisson(0.3, shape) * 1.0,
    "counts of mean 0.9, overdispersed": lambda rng, shape: (
        rng.poisson(rng.gamma(0.15, 6, shape)) * 1.0
    ),
    "20 % exponential, else 0": lambda rng, shape: np.maximum(
        rng.exponential(size=shape) - np.log(5), 0
    ),
}
MOST_ZERO_SIZES = ((5, 50), (8, 400), (30, 300))


def cells() -> Iterator[Cell]:
    for (name, population), size in product(POPULATIONS, SIZES):
        yield Cell(name, sizes_of(*size), partial(draw, population, size), read)
    for name, (n_pos, n_neg) in product(MOSTLY_ZERO, MOST_ZERO_SIZES):
        zero = partial(draw_mostly_zero, name, n_pos, n_neg)
        yield Cell(name, sizes_of(n_pos, n_neg), zero, read_both, "validation")


def screened() -> Iterator[Cell]:
    """Return as many features of rare values, of which none tells the classes apart."""
    for name, (n_pos, n_neg) in product(MOSTLY_ZERO, MOST_ZERO_SIZES[1:]):

        def draw(rng: np.random.Generator, name: str = name, n: int = n_pos + n_neg) -> Floats:
            return MOSTLY_ZERO[name](rng, (n, FEATURES))

        def read(features: Floats, _: object, n_pos: int = n_pos) -> Iterator[Read]:
            ranked = rank_features(features, np.arange(len(features)) < n_pos)
            yield Read(FOUND, "default", bool(np.nanmin(ranked.adjusted_pvalue) <= CALLED))
            pos, neg = features[:n_pos], features[n_pos:]
            normal = np.asarray(stats.mannwhitneyu(pos, neg, False, method="asymptotic").pvalue)
            found = adjusted_pvalues(normal[~np.isnan(normal)], method="benjamini-hochberg")
            yield Read(FOUND, NORMAL, bool(found.min() <= CALLED), beside=True)

        situation = f"{FEATURES} features, {name}"
        yield Cell(situation, sizes_of(n_pos, n_neg), draw, read, "validation")


def draw_mostly_zero(name: str, n_pos: int, n_neg: int, rng: np.random.Generator) -> ScoreTable:
    return tabulate_classes(*(MOSTLY_ZERO[name](rng, (n,)) for n in (n_pos, n_neg)))


def draw(population: Population, size: tuple[int, int], rng: np.random.Generator) -> ScoreTable:
    pos, neg = (population.neg(rng, (1, n))[0] for n in size)
    return tabulate_classes(pos, neg)


def read(table: ScoreTable, _: object) -> Iterator[Read]:
    pvalues = {test.__name__: test(table).pvalue for test in (auc_test, ks_test)}
    return at_levels(SECTION, pvalues, (0.05, 0.01))


def read_both(table: ScoreTable, rng: object) -> Iterator[Read]:
    """Read the tests, and that of the areas by the Normal distribution."""
    yield from read(table, rng)
    normal = 2 * stats.norm.sf(abs(auc_test(table).statistic))
    for each in at_levels(SECTION, {NORMAL: float(normal)}, (0.05, 0.01)):
        yield replace(each, beside=True)
