"""How often tests against chance reject where both classes are alike."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import product

import numpy as np

from benchmarks.coverage.cells import Cell, Read, at_levels, sizes_of
from rocspace.counts import ScoreTable, tabulate_classes
from rocspace.inference import auc_test, ks_test
from rocspace.simulate import Population, binormal, ratings

SECTION = "size of tests"
POPULATIONS = (("continuous", binormal(0.5)), ("five ratings", ratings()))
SIZES = ((5, 5), (5, 50), (20, 20), (10, 1000), (200, 200), (10, 10_000))


def cells() -> Iterator[Cell]:
    for (name, population), size in product(POPULATIONS, SIZES):
        yield Cell(name, sizes_of(*size), partial(draw, population, size), read)


def draw(population: Population, size: tuple[int, int], rng: np.random.Generator) -> ScoreTable:
    pos, neg = (population.neg(rng, (1, n))[0] for n in size)
    return tabulate_classes(pos, neg)


def read(table: ScoreTable, _: object) -> Iterator[Read]:
    pvalues = {test.__name__: test(table).pvalue for test in (auc_test, ks_test)}
    return at_levels(SECTION, pvalues, (0.05, 0.01))
