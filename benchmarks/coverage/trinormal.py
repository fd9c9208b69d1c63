"""Volumes under trinormal surfaces, and what tests of these surfaces reject.

Two markers of the same cases are equally good. Their scores are Normal and read as they are, or
exponential and read after a power, with which they are nearly Normal: these are the defaults.
Exponential scores that are read as they are stand beside them, since no surface is trinormal there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import product
from typing import Any, Literal

import numpy as np

from benchmarks.coverage.cells import Cell, Read, held, interval_of, pvalue_by, rejected
from benchmarks.coverage.classes import MANY, OF_CLASSES, VUS, markers
from benchmarks.coverage.ledger import SEED
from rocspace.multiclass import (
    OrderedScores,
    fit_trinormal,
    trinormal_difference,
    trinormal_test,
)

VOLUME, GAP = "volume of a trinormal surface", "difference of trinormal volumes"
SIZE = "size of tests of trinormal surfaces"
NORMAL, EXPONENTIAL = 0, 3  # which of `OF_CLASSES`
READ: tuple[tuple[int, Literal["box-cox"] | None], ...] = (
    (NORMAL, None),
    (EXPONENTIAL, "box-cox"),
    (EXPONENTIAL, None),
)
SIZES = ((20, 20, 20), (10, 50, 100), (100, 100, 100))
HOLDS = ("as they are", "box-cox")  # what is said of scores that are Normal, or nearly so
TESTS = ("trinormal_difference", "trinormal_test", "TrinormalSurface.test", "vus_test")
OF_TESTS = tuple(f"{test}, {said}" for test, said in product(TESTS, HOLDS))
CHANCE, GOOD = 0.5, 0.8  # areas of neighbouring classes


@cache
def volume(number: int, area: float) -> float:
    """Return the volume under the surface of classes, from many cases."""
    rng = np.random.default_rng([SEED, 3])
    label = np.repeat(np.arange(3), MANY)
    return 1 / 6 if area == CHANCE else VUS.truth(markers(OF_CLASSES[number], area, label, 3, rng))


def tests_of(data: OrderedScores, transform: Any, *, alone: bool) -> dict[str, Callable[[], Any]]:
    """Return the tests of two markers, and of one that knows nothing."""
    fit = fit_trinormal(data, "a", transform=transform)
    two: dict[str, Callable[[], Any]] = {
        "trinormal_difference": lambda: trinormal_difference(data, transform=transform).test(),
        "trinormal_test": lambda: trinormal_test(data, transform=transform),
    }
    return two | ({"TrinormalSurface.test": fit.test, "vus_test": fit.vus_test} if alone else {})


def cell(number: int, transform: Any, area: float, sizes: tuple[int, ...]) -> Cell:
    name, _, role = OF_CLASSES[number]
    label, said = np.repeat(np.arange(3), sizes), transform or HOLDS[0]
    if number == EXPONENTIAL and transform is None:
        said = "no power"

    def draw(rng: np.random.Generator) -> OrderedScores:
        return markers(OF_CLASSES[number], area, label, 3, rng)

    def read(data: OrderedScores, _: object) -> Iterator[Read]:
        one = fit_trinormal(data, "a", transform=transform).vus_estimate()
        yield from held(VOLUME, said, lambda: interval_of(one), volume(number, area))
        gap = trinormal_difference(data, transform=transform)
        yield from held(GAP, said, lambda: interval_of(gap), 0.0)
        for test, make in tests_of(data, transform, alone=area == CHANCE).items():
            yield from rejected(SIZE, f"{test}, {said}", partial(pvalue_by, make))

    situation = f"ordered {name}, 3 classes, area {area:g}"
    of = ((VOLUME, said), (GAP, said), *((SIZE, f"{test}, {said}") for test in TESTS))
    return Cell(situation, " + ".join(map(str, sizes)), draw, read, role, of=of)


def cells() -> Iterator[Cell]:
    """Yield all cells."""
    for read in READ:
        for where in product((CHANCE, GOOD), SIZES):
            yield cell(*read, *where)
