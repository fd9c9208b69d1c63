"""Areas and volumes of several classes: coverage of their intervals, size of their paired tests.

Each cell draws two classifiers of the same cases that are equally good. The interval of the first
is read, and the test of their difference. Areas that depend on the shares of the classes are read
from samples whose labels were drawn at random, all others from samples with fixed sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr, ndtri, softmax

from benchmarks.coverage.cells import Cell, Read, held, rejected
from benchmarks.coverage.ledger import LEVEL, SEED, Role
from rocspace.multiclass import (
    MulticlassScores,
    OrderedScores,
    hand_till_difference,
    hum,
    hum_difference,
    mu_auc_difference,
    multiclass_scores,
    one_vs_rest_difference,
    ordered_scores,
    pdi_difference,
    vus_difference,
)

DEFAULT = "default"
BESIDE = ("moderated", "logit", "identity")
CORRELATION = 0.5
MANY = 200_000  # cases by which a truth is found
SETS = 400_000

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]


class Measure(NamedTuple):
    """What is read: its name, the difference of two classifiers, and whether shares matter."""

    name: str
    difference: Callable[[Any], Any]
    by_shares: bool = False

    @property
    def section(self) -> str:
        return f"wide: {self.name}"

    @property
    def test(self) -> str:
        return f"wide: size of the test of {self.name}"

    def truth(self, data: Any) -> float:
        if self.name == "hum_estimate":
            return hum(data, "a", n_sets=SETS, rng=SEED)
        return float(self.difference(data).first.value)


def rest(average: Any) -> Measure:
    return Measure(
        f"one_vs_rest_estimate, {average}",
        lambda data: one_vs_rest_difference(data, average=average),
        by_shares=True,
    )


AREAS = (
    Measure("hand_till_estimate", hand_till_difference),
    Measure("mu_auc_estimate", mu_auc_difference),
    *map(rest, ("macro", "weighted", "micro")),
)
VUS = Measure("vus_estimate", vus_difference)
PDI = Measure("pdi_estimate", pdi_difference)
HUM = Measure("hum_estimate", hum_difference)
VOLUMES = (VUS, PDI, HUM)


# --- populations ------------------------------------------------------------------------------


def normal(z: Floats, at: Floats, area: float) -> Floats:
    """Shift Normal scores, where `at` counts steps, by what gives two neighbours their area."""
    return z + 2**0.5 * float(ndtri(area)) * at


def ratings(z: Floats, at: Floats, area: float) -> Floats:
    return np.asarray(np.clip(np.round(normal(z, at, area)), -1, 1 + 2 * at.max()))


def exponential(z: Floats, at: Floats, area: float) -> Floats:
    return np.asarray(-log_ndtr(-z) * (area / (1 - area)) ** at)


def probabilities(z: Floats, at: Floats, area: float) -> Floats:
    return np.asarray(softmax(1.5 * normal(z, at, area), axis=1))


def votes(z: Floats, at: Floats, area: float) -> Floats:
    return np.asarray(np.round(15 * probabilities(z, at, area)) / 15)


def names(z: Floats, at: Floats, area: float) -> Floats:
    """Only the name of the class with the largest score."""
    best = normal(z, at, area).argmax(axis=1)
    return np.eye(z.shape[1])[best]


Population = tuple[str, Callable[[Floats, Floats, float], Floats], Role]
OF_CLASSES: tuple[Population, ...] = (
    ("Normal", normal, "development"),
    ("ratings", ratings, "development"),
    ("names only", names, "development"),
    ("exponential", exponential, "validation"),
    ("votes of 15", votes, "validation"),
)
ORDERED: tuple[Population, ...] = (OF_CLASSES[0], OF_CLASSES[1], OF_CLASSES[3])
LEVELS = (0.5, 0.75, 0.9, 0.98)
SIZES = (
    (10, 10, 10),
    (50, 50, 50),
    (5, 50, 50),
    (20,) * 6,
    (5, 5, 50, 50, 50, 50),
)


def pair(
    of: Population, area: float, label: Labels, k: int, rng: np.random.Generator
) -> MulticlassScores:
    """Draw two classifiers that are equally good, and correlate."""
    make, at = of[1], np.eye(k)[label]
    one, other = rng.normal(size=(2, label.size, k))
    two = CORRELATION * one + (1 - CORRELATION**2) ** 0.5 * other
    blocks = {"a": make(one, at, area), "b": make(two, at, area)}
    return multiclass_scores(label, blocks, classes=list(range(k)))


def markers(
    of: Population, area: float, label: Labels, k: int, rng: np.random.Generator
) -> OrderedScores:
    """Draw two markers of ordered classes that are equally good, and correlate."""
    one, other = rng.normal(size=(2, label.size))
    two = CORRELATION * one + (1 - CORRELATION**2) ** 0.5 * other
    scores = {"a": of[1](one, label, area), "b": of[1](two, label, area)}
    return ordered_scores(label, scores, order=list(range(k)))


def at_random(sizes: tuple[int, ...], rng: np.random.Generator) -> Labels:
    """Draw labels whose expected counts are the sizes; each class has a case at least."""
    shares = np.array(sizes) / sum(sizes)
    while True:
        label = rng.choice(len(sizes), size=sum(sizes), p=shares)
        if np.bincount(label, minlength=len(sizes)).all():
            return label


# --- cells ------------------------------------------------------------------------------------


def area_cells() -> tuple[Cell, ...]:
    several = product(OF_CLASSES, LEVELS, SIZES)
    return tuple(cell(pair, AREAS, *each) for each in several if not known(*each[:2]))


def volume_cells() -> tuple[Cell, ...]:
    ordered = [cell(markers, (VUS,), *each) for each in product(ORDERED, LEVELS, SIZES)]
    others = []
    for each in product(OF_CLASSES, LEVELS, SIZES):
        if not known(*each[:2]):
            measures = (PDI, HUM) if len(each[2]) == 3 else (PDI,)
            others.append(cell(pair, measures, *each))
    return (*ordered, *others)


def known(of: Population, area: float) -> bool:
    """Whether a cell says what another one says: no score is better than others at chance."""
    return area == 0.5 and of[0] in ("exponential", "votes of 15")


def cell(
    draw_pair: Callable[..., Any],
    measures: tuple[Measure, ...],
    of: Population,
    area: float,
    sizes: tuple[int, ...],
) -> Cell:
    k, fixed = len(sizes), np.repeat(np.arange(len(sizes)), sizes)
    random = any(each.by_shares for each in measures)

    @cache
    def truths() -> list[float]:
        rng = np.random.default_rng([SEED, k])
        data = draw_pair(of, area, np.repeat(fixed, MANY // fixed.size), k, rng)
        return [each.truth(data) for each in measures]

    def draw(rng: np.random.Generator) -> tuple[Any, Any]:
        data = draw_pair(of, area, fixed, k, rng)
        return data, draw_pair(of, area, at_random(sizes, rng), k, rng) if random else None

    def read(drawn: tuple[Any, Any], _: object) -> Iterator[Read]:
        for measure, truth in zip(measures, truths(), strict=True):
            gap = measure.difference(drawn[measure.by_shares])
            for scale in (None, *BESIDE):
                yield from held(
                    measure.section,
                    scale or DEFAULT,
                    lambda gap=gap, scale=scale: gap.first.interval(LEVEL, scale=scale),
                    truth,
                    beside=scale is not None,
                )
            yield from rejected(measure.test, DEFAULT, lambda gap=gap: float(gap.test().pvalue))

    ordered = "ordered " if draw_pair is markers else ""
    name = f"{ordered}{of[0]}, {k} classes, area {area:g}"
    return Cell(name, " + ".join(map(str, sizes)), draw, read, of[2])
