"""How often the test of a model rejects it: where its assumption holds, and where it does not."""

from __future__ import annotations

from functools import cache, partial

import numpy as np

from benchmarks.coverage.cells import Cell, Read, Reader, rejected
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
    draw_of,
    of_families,
    own,
)
from rocspace.counts import ScoreTable
from rocspace.models import goodness_of_fit
from rocspace.simulate import Population

SIZE, POWER = "size of goodness of fit", "power of goodness of fit"
N_SIM = 19  # samples of a fit: p is at most .05 where none of them is as far from its curve
SLOW = 4  # what divides the samples of dear models
ON_RATINGS = ("rating", "labroc", "proper")
UNTIED = ("gls", "profile-likelihood")  # on ratings their fits are flagged "tied"


@cache
def cells() -> tuple[Cell, ...]:
    """Return all cells: a population, with the models that hold in it, or some that do not."""
    of_names = [(one.name, models) for one, models in of_families()]
    held = {one.name: one for one in (NORMAL, SKEWED, *(one for one, _ in of_families()))}
    names: list[tuple[Population, str, tuple[str, ...], int]] = []
    for name, population in held.items():
        cheap = tuple(each for each in (*ANY, *POSITIVE) if own(each) == name)
        families = dict(of_names).get(name, ())
        names.append((population, SIZE, tuple(dict.fromkeys((*cheap, *families))), 1))
    names += [
        (NORMAL, SIZE, DEAR, SLOW),
        (RATED, SIZE, ON_RATINGS, SLOW),
        (SKEWED, POWER, ("binormal", "logistic", "labroc", "proper"), SLOW),
        (HOOKED, POWER, ("binormal", "labroc", "proper", "log-concave"), SLOW),
        (RATED, POWER, UNTIED, SLOW),
    ]
    size = f"{SMALL[0]} + {SMALL[1]}"
    return tuple(
        Cell(one.name, size, draw_of(one, SMALL), reader(section, models), slow=slow)
        for one, section, models, slow in names
    )


def reader(section: str, models: tuple[str, ...]) -> Reader:
    """Return what tests several models on one sample; nothing of one that cannot be fitted."""

    def read(table: ScoreTable, rng: np.random.Generator) -> list[Read]:
        found: list[Read] = []
        for model in models:
            ask = partial(goodness_of_fit, table, model=model, n_sim=N_SIM, rng=rng)
            found += rejected(section, model, lambda ask=ask: ask().pvalue)
        return found

    return read


def rows(samples: int, number: int) -> list[Row]:
    return cells()[number].rows(samples)


def count() -> int:
    return len(cells())
