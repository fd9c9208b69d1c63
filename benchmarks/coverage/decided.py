"""The mean cost of decisions among classes that were fixed before: coverage of its interval."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax

from benchmarks.coverage import classes
from benchmarks.coverage.cells import Cell, Read, held, interval_of
from benchmarks.coverage.ledger import SEED
from rocspace.multiclass import decide_classes, multiclass_scores

Floats = NDArray[np.float64]
COST = "wide: cost_estimate of decisions among classes"
DESIGNS = ("shares of the data", "given shares", "in clusters")
PAID = {
    "all errors alike": None,
    "one error costs ten": [[0, 1, 10], [1, 0, 1], [1, 1, 0]],
}
SHARES = {0: 0.6, 1: 0.3, 2: 0.1}
SIZES = ((20, 20, 20), (10, 40, 100))
INSIDE = 0.5  # correlation within clusters of 5
FROM: tuple[classes.Population, ...] = tuple(classes.OF_CLASSES[i] for i in (0, 2, 3))


def cells() -> Iterator[Cell]:
    every = product(FROM, (0.75, 0.97), PAID, SIZES)
    for of, area, paid, sizes in every:
        yield cell(of, area, paid, sizes)


def probabilities(of: classes.Population, z: Floats, label: Any, area: float) -> Floats:
    """Return scores of zero or more of each class."""
    return np.asarray(softmax(np.clip(of[1](z, np.eye(3)[label], area), -30, 30), axis=1))


@cache
def confusion(of: classes.Population, area: float) -> Floats:
    """Return the true rates of decisions by the largest score."""
    label = np.repeat(np.arange(3), classes.MANY)
    z = np.random.default_rng([SEED, 12]).normal(size=(label.size, 3))
    data = multiclass_scores(label, probabilities(of, z, label, area), classes=[0, 1, 2])
    return np.asarray(decide_classes(data).counts / classes.MANY, dtype=np.float64)


def cell(of: classes.Population, area: float, said: str, sizes: tuple[int, ...]) -> Cell:
    paid: Any = PAID[said]
    cost = 1 - np.eye(3) if paid is None else np.array(paid, dtype=float)
    own = np.array(sizes) / sum(sizes)

    def truth(shares: Floats) -> float:
        return float(np.einsum("i,ij,ji->", shares, confusion(of, area), cost))

    def draw(rng: np.random.Generator) -> Any:
        label = classes.at_random(sizes, rng)
        z = rng.normal(size=(2, label.size, 3))
        shared = rng.normal(size=(label.size // 5 + 1, 3))
        cluster = np.arange(label.size) // 5
        return label, cluster, z[0], INSIDE**0.5 * shared[cluster] + (1 - INSIDE) ** 0.5 * z[1]

    def read(drawn: Any, _: object) -> Iterator[Read]:
        label, cluster, alone, together = drawn
        for name, z, priors, clusters in zip(
            DESIGNS,
            (alone, alone, together),
            (None, SHARES, None),
            (None, None, cluster),
            strict=True,
        ):
            score = probabilities(of, z, label, area)
            data = multiclass_scores(label, score, classes=[0, 1, 2], cluster=clusters)
            found = decide_classes(data, costs=paid, priors=priors).cost_estimate()
            wanted = truth(own if priors is None else np.array(list(SHARES.values())))
            yield from held(COST, name, partial(interval_of, found), wanted)

    where = f"{of[0]}, 3 classes, area {area:g}, {said}"
    return Cell(where, " + ".join(map(str, sizes)), draw, read, of[2])
