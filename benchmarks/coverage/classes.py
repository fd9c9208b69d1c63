"""Areas and volumes of several classes: coverage of their intervals, size of their paired tests.

Each cell draws two classifiers of the same cases that are equally good. The interval of the first
is read, and the test of their difference. Areas that depend on the shares of the classes are read
from samples whose labels were drawn at random, all others from samples with fixed sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from functools import cache, partial
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr, ndtri, softmax

from benchmarks.coverage.cells import Cell, Read, held, pvalue_by, rejected
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
    pairwise_areas,
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
    design: str = ""  # said after the name where cases have weights or clusters

    @property
    def section(self) -> str:
        return f"wide: {self.name}{self.design}"

    @property
    def test(self) -> str:
        return f"wide: size of the test of {self.name}{self.design}"

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


IN_DESIGNS = tuple(
    measure._replace(design=", in weights and clusters") for measure in (AREAS[0], VUS, PDI)
)


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
    return np.asarray(np.eye(z.shape[1])[best])


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
    at = label.astype(np.float64)
    scores = {"a": of[1](one, at, area), "b": of[1](two, at, area)}
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
        yield from of_measures(measures, truths(), lambda measure: drawn[measure.by_shares])

    ordered = "ordered " if draw_pair is markers else ""
    name = f"{ordered}{of[0]}, {k} classes, area {area:g}"
    return Cell(name, " + ".join(map(str, sizes)), draw, read, of[2])


def of_measures(
    measures: tuple[Measure, ...], truths: list[float], data_of: Callable[[Measure], Any]
) -> Iterator[Read]:
    """Read the interval of the first classifier, and the test of the difference of both."""
    for measure, truth in zip(measures, truths, strict=True):
        gap = measure.difference(data_of(measure))
        for scale in (None, *BESIDE):
            yield from held(
                measure.section,
                scale or DEFAULT,
                partial(gap.first.interval, LEVEL, scale=scale),
                truth,
                beside=scale is not None,
            )
        yield from rejected(measure.test, DEFAULT, partial(pvalue_by, gap.test))


# --- weights and clusters ---------------------------------------------------------------------

KNOWN, OFTEN, RARELY = 0.85, 1.0, 0.1  # a part of the cases is drawn more often than the others
DRAWN = 6  # times as many cases are drawn first, where weights know the scores
INSIDE = 0.5  # correlation within a cluster
DESIGN_SIZES = ((20, 20, 20), (10, 50, 100), (10, 10, 40, 40, 40, 40))
DESIGN_LEVELS = (0.5, 0.8, 0.97)


class Sample(NamedTuple):
    """Labels, what two classifiers see of each case beside its class, and the design."""

    label: Labels
    noise: tuple[Floats, Floats]
    weight: Floats | None = None
    cluster: Labels | None = None


Design = Callable[[tuple[int, ...], int, np.random.Generator], Sample]


def noise(shape: tuple[int, ...], rng: np.random.Generator) -> tuple[Floats, Floats]:
    one, other = rng.normal(size=(2, *shape))
    return one, CORRELATION * one + (1 - CORRELATION**2) ** 0.5 * other


def independent_weights(sizes: tuple[int, ...], columns: int, rng: np.random.Generator) -> Sample:
    label = at_random(sizes, rng)
    return Sample(label, noise((label.size, columns), rng), np.exp(rng.normal(size=label.size)))


def weights_that_know(sizes: tuple[int, ...], columns: int, rng: np.random.Generator) -> Sample:
    """Draw cases with a large first column ten times as often as others."""
    while True:
        label = at_random(tuple(DRAWN * n for n in sizes), rng)
        one, two = noise((label.size, columns), rng)
        chance = np.where(one[:, 0] > ndtri(KNOWN), OFTEN, RARELY)
        kept = rng.random(label.size) < chance
        if (np.bincount(label[kept], minlength=len(sizes)) > 1).all():
            return Sample(label[kept], (one[kept], two[kept]), 1 / chance[kept])


def in_clusters(
    sizes: tuple[int, ...], columns: int, rng: np.random.Generator, *, pure: bool
) -> Sample:
    """Draw clusters of 2 to 10 cases, of one class each or of any; each class is in two or more."""
    n, shares = sum(sizes), np.array(sizes) / sum(sizes)
    while True:
        size = rng.integers(2, 11, n)
        cluster = np.repeat(np.arange(n), size)[:n]
        drawn = rng.choice(len(sizes), size=n, p=shares)
        label = drawn[cluster] if pure else drawn
        if min(np.unique(cluster[label == i]).size for i in range(len(sizes))) > 1:
            break
    shared, own = noise((n, columns), rng), noise((n, columns), rng)
    one, two = (
        INSIDE**0.5 * of_cluster[cluster] + (1 - INSIDE) ** 0.5 * of_case
        for of_cluster, of_case in zip(shared, own, strict=True)
    )
    return Sample(label, (one, two), cluster=cluster)


def pure_clusters(sizes: tuple[int, ...], columns: int, rng: np.random.Generator) -> Sample:
    return in_clusters(sizes, columns, rng, pure=True)


def mixed_clusters(sizes: tuple[int, ...], columns: int, rng: np.random.Generator) -> Sample:
    return in_clusters(sizes, columns, rng, pure=False)


DESIGNS: tuple[tuple[str, Design], ...] = (
    ("independent weights", independent_weights),
    ("weights that know a column", weights_that_know),
    ("clusters of one class", pure_clusters),
    ("mixed clusters", mixed_clusters),
)


def design_cells() -> tuple[Cell, ...]:
    found = []
    for design, of, area, sizes in product(DESIGNS, OF_CLASSES[:4], DESIGN_LEVELS, DESIGN_SIZES):
        if not known(of, area):
            found.append(design_cell(design, of, area, sizes, ordered=False))
            if of in ORDERED:
                found.append(design_cell(design, of, area, sizes, ordered=True))
    return tuple(found)


def design_cell(
    design: tuple[str, Design],
    of: Population,
    area: float,
    sizes: tuple[int, ...],
    *,
    ordered: bool,
) -> Cell:
    k = len(sizes)
    measures = in_designs(ordered)

    def draw(rng: np.random.Generator) -> Any:
        return scored(design[1](sizes, 1 if ordered else k, rng), of, area, k, ordered=ordered)

    def read(data: Any, _: object) -> Iterator[Read]:
        truths = design_truths(of, area, k, ordered=ordered)
        yield from of_measures(measures, truths, lambda measure: data)

    name = f"{design[0]}, {'ordered ' if ordered else ''}{of[0]}, {k} classes, area {area:g}"
    return Cell(name, " + ".join(map(str, sizes)), draw, read, of[2])


def in_designs(ordered: bool) -> tuple[Measure, ...]:
    return tuple(each for each in IN_DESIGNS if (each.name == VUS.name) == ordered)


def scored(sample: Sample, of: Population, area: float, k: int, *, ordered: bool) -> Any:
    """Return the two classifiers, or markers, of the cases of a sample."""
    label = sample.label
    design: dict[str, Any] = {"sample_weight": sample.weight, "cluster": sample.cluster}
    at: Any = label[:, None] if ordered else np.eye(k)[label]
    one, two = (of[1](each, at, area) for each in sample.noise)
    if ordered:
        both = {"a": one[:, 0], "b": two[:, 0]}
        return ordered_scores(label, both, order=list(range(k)), **design)
    return multiclass_scores(label, {"a": one, "b": two}, classes=list(range(k)), **design)


@cache
def design_truths(of: Population, area: float, k: int, *, ordered: bool) -> list[float]:
    """Return the truths, which do not depend on weights, clusters or the sizes of classes."""
    data = many(of, area, k, ordered=ordered)
    return [each.truth(data) for each in in_designs(ordered)]


def many(of: Population, area: float, k: int, *, ordered: bool) -> Any:
    """Draw many cases, as many of each class, without weights or clusters."""
    rng = np.random.default_rng([SEED, k])
    label = np.arange(MANY // 4) % k
    sample = Sample(label, noise((label.size, 1 if ordered else k), rng))
    return scored(sample, of, area, k, ordered=ordered)


# --- pairs of classes -------------------------------------------------------------------------

PAIRS = "wide: pairwise_areas"
IN_DESIGN = f"{PAIRS}, in weights and clusters"
PLACES = ("first two classes", "first and last class")
CHOSEN = "first two classes, direction chosen"  # by the data: no default
PAIR_SIZES = ((5, 5, 50), (5, 50, 500), (20, 20, 20), (5, 5, 50, 50, 50, 50), (100, 10, 1000))


def pair_cells() -> Iterator[Cell]:
    """Cells of pairs of classes: each population and area at two sizes, in turn."""
    of_each = [(pair, of, area) for of, area in product(OF_CLASSES, LEVELS) if not known(of, area)]
    of_one = [(markers, of, area) for of, area in product(ORDERED, LEVELS[:3])]
    for i, (draw_pair, of, area) in enumerate((*of_each, *of_one)):
        for j in (i, i + 2):
            sizes = PAIR_SIZES[j % len(PAIR_SIZES)]
            label = np.repeat(np.arange(len(sizes)), sizes)
            draw = partial(draw_pair, of, area, label, len(sizes))
            yield of_pairs("", of, area, sizes, draw, ordered=draw_pair is markers)


def pair_design_cells() -> Iterator[Cell]:
    """Cells with weights or clusters: each design and population at one size, in turn."""
    several = product(DESIGNS, OF_CLASSES[:4], DESIGN_LEVELS[1:])
    for i, (design, of, area) in enumerate(several):
        sizes, ordered = DESIGN_SIZES[i % len(DESIGN_SIZES)], i % 4 == 3

        def draw(
            rng: np.random.Generator,
            made: Design = design[1],
            of: Population = of,
            area: float = area,
            sizes: tuple[int, ...] = sizes,
            ordered: bool = ordered,
        ) -> Any:
            sample = made(sizes, 1 if ordered else len(sizes), rng)
            return scored(sample, of, area, len(sizes), ordered=ordered)

        yield of_pairs(f"{design[0]}, ", of, area, sizes, draw, ordered=ordered)


def of_pairs(
    design: str,
    of: Population,
    area: float,
    sizes: tuple[int, ...],
    draw: Callable[[np.random.Generator], Any],
    *,
    ordered: bool,
) -> Cell:
    k, section = len(sizes), IN_DESIGN if design else PAIRS
    asked = dict(zip(PLACES, ((0, 1), (0, k - 1)), strict=True))

    def read(data: Any, _: object) -> Iterator[Read]:
        truth, found = pair_truths(of, area, k, ordered=ordered), pairwise_areas(data, "a")
        for place, two in asked.items():
            make = partial(found.estimates[two].interval, LEVEL)
            yield from held(section, place, make, truth[two])
        if ordered:
            chosen = pairwise_areas(data, "a", direction="pairwise").estimates[0, 1]
            better = max(truth[0, 1], 1 - truth[0, 1])
            yield from held(section, CHOSEN, partial(chosen.interval, LEVEL), better)

    name = f"{design}{'ordered ' if ordered else ''}{of[0]}, {k} classes, area {area:g}"
    return Cell(name, " + ".join(map(str, sizes)), draw, read, of[2])


@cache
def pair_truths(
    of: Population, area: float, k: int, *, ordered: bool
) -> dict[tuple[Hashable, Hashable], float]:
    """Return the area of the first classifier for each pair of classes."""
    data = many(of, area, k, ordered=ordered)
    return {two: each.value for two, each in pairwise_areas(data, "a").estimates.items()}
