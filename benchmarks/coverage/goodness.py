"""How often the test of a model rejects it: where its assumption holds, and where it does not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, partial

import numpy as np

from benchmarks.coverage.cells import Cell, Read, Reader, draw_of, rejected
from benchmarks.coverage.ledger import Row
from benchmarks.coverage.models import (
    ANY,
    DEAR,
    HOOKED,
    NORMAL,
    POSITIVE,
    RATED,
    SKEWED,
    SMALL,
    of_families,
    own,
)
from rocspace.counts import ScoreTable
from rocspace.models import goodness_of_fit

SIZE, POWER = "size of goodness of fit", "power of goodness of fit"
SAMPLES = 500  # at most: one of rank likelihood is twenty fits, and takes seconds
N_SIM = 19  # samples of a fit: p is at most .05 where none of them is as far from its curve
ON_RATINGS = ("rating", "labroc", "proper")
UNTIED = ("gls", "profile-likelihood")  # on ratings their fits are flagged "tied"


@cache
def cells() -> tuple[Cell, ...]:
    """Return all cells: a population, with models that hold in it, and some that do not."""
    held: dict[str, list[str]] = {NORMAL.name: [*DEAR], RATED.name: [*ON_RATINGS]}
    families = list(of_families())
    for one in (NORMAL, SKEWED, *(one for one, _ in families)):
        own_models = [each for each in (*ANY, *POSITIVE) if own(each) == one.name]
        held[one.name] = [*own_models, *held.get(one.name, ())]
    for one, models in families:
        held[one.name] += models
    elsewhere: Mapping[str, tuple[str, ...]] = {
        SKEWED.name: ("binormal", "logistic", "labroc", "proper"),
        HOOKED.name: ("binormal", "labroc", "proper", "log-concave"),
        RATED.name: UNTIED,
    }
    size = f"{SMALL[0]} + {SMALL[1]}"
    # Each model by itself: some take seconds a sample, and most are clear before others are.
    return tuple(
        Cell(one.name, size, draw_of(one, SMALL), reader(section, model), of=((section, model),))
        for one in (NORMAL, SKEWED, *(one for one, _ in families), RATED, HOOKED)
        for section, models in ((SIZE, held), (POWER, elsewhere))
        for model in dict.fromkeys(models.get(one.name, ()))
    )


def reader(section: str, model: str) -> Reader:
    """Return what tests a model on one sample; nothing if it cannot be fitted."""

    def read(table: ScoreTable, rng: np.random.Generator) -> Iterator[Read]:
        ask = partial(goodness_of_fit, table, model=model, n_sim=N_SIM, rng=rng)
        return rejected(section, model, lambda: ask().pvalue, beside=section == POWER)

    return read


def rows(samples: int, number: int) -> list[Row]:
    return cells()[number].rows(samples)


def count() -> int:
    return len(cells())
