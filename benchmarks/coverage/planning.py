"""Do clusters cover, do their tests keep their size, do formulas give the power of tests?

Cells for the ledger of `benchmarks.coverage`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice, product
from typing import Any

import numpy as np

import rocspace as rs
from benchmarks.coverage.cells import Cell, Read, held, interval_of, sizes_of
from benchmarks.coverage.ledger import CALLED, LEVEL, Role
from benchmarks.coverage.populations import Skewed, clustered_exponential
from rocspace.compare import auc_difference
from rocspace.counts import PairedScores
from rocspace.inference import clustered_auc_estimate, clustered_test
from rocspace.planning import plan_area, plan_paired, simulated_power_estimate
from rocspace.results import TestResult
from rocspace.simulate import (
    ClusteredPopulation,
    binormal,
    clustered_binormal,
    exponential,
    paired_binormal,
)

Drawn = ClusteredPopulation | Skewed

# --- clusters ---------------------------------------------------------------------------------


def clusters(areas: tuple[float, ...]) -> Iterator[tuple[str, ClusteredPopulation]]:
    """Populations of clusters, from hardly alike to nearly copies."""
    eyes: dict[str, Any] = {"sizes": (2,), "prevalence": 0.4}
    yield "pairs, r .3", clustered_binormal(areas, intraclass=0.3, label_correlation=0.3, **eyes)
    yield "pairs, r .8", clustered_binormal(areas, intraclass=0.8, label_correlation=0.8, **eyes)
    yield (
        "sizes 1 to 20, r .5",
        clustered_binormal(areas, sizes=(1, 2, 5, 20), intraclass=0.5, prevalence=0.3),
    )
    yield (
        "labels of a cluster alike, r .5",
        clustered_binormal(areas, sizes=(5,), intraclass=0.5, label_correlation=0.9),
    )
    yield (
        "five ratings, sizes 4, r .5",
        clustered_binormal(areas, sizes=(4,), intraclass=0.5, cuts=(0, 0.5, 1, 1.5)),
    )


def more_clusters(areas: tuple[float, ...]) -> Iterator[tuple[str, Drawn, int]]:
    """The kinds of populations that are not among `clusters`, and how many clusters each has."""
    pairs: dict[str, Any] = {"sizes": (2,), "prevalence": 0.4, "label_correlation": 0.3}
    for many in (20, 50):
        yield "exponential, pairs, r .5", clustered_exponential(areas, **pairs), many
    few = clustered_binormal(areas, sizes=(2,), prevalence=0.1, intraclass=0.5)
    yield "tiny: about 5 positives, pairs, r .5", few, 25
    rare = clustered_binormal(areas, sizes=(50,), prevalence=0.001, intraclass=0.5)
    yield "1:1000, sizes 50, r .5", rare, 400


def draw(population: Drawn, many: int, rng: np.random.Generator) -> PairedScores:
    """Draw a sample with two or more positives: others have no interval."""
    while (data := population.draw(many, rng=rng)).label.sum() < 2:
        pass
    return data


CLUSTERS = (20, 50, 200)
REPEATED = "area, repeated readings"
AREA, TESTS = "area, clusters", "size of tests of clusters"
EQUAL, HALF = ("difference, t", "difference, normal"), "area 1/2"


def cluster_cells() -> Iterator[Cell]:
    """Intervals of the area, clusters respected and ignored."""
    situations: list[tuple[float, str, Drawn, int]] = [
        (area, name, population, many)
        for area, many in product((0.75, 0.93), CLUSTERS)
        for name, population in clusters((area,))
    ]
    situations += [(area, *each) for area in (0.75, 0.93) for each in more_clusters((area,))]
    situations += [(0.99, *each, 50) for each in islice(clusters((0.99,)), 3)]
    for area, name, population, many in situations:
        where, read = f"{name}, area {area:g}", partial(areas, float(population.auc[0]))
        yield Cell(where, f"{many} clusters", partial(draw, population, many), read)


def areas(truth: float, data: PairedScores, _: object) -> Iterator[Read]:
    for method, estimate in (
        ("clustered", clustered_auc_estimate(data)),
        ("clusters ignored", rs.delong(data.table(data.names[0]))),
    ):
        yield from held(AREA, method, partial(interval_of, estimate), truth)


def repeated_cells() -> Iterator[Cell]:
    """Intervals of areas near 1 of many readings each of few cases, most of which keep a label."""
    long: dict[str, Any] = {"sizes": (30,), "prevalence": 0.2, "label_correlation": 0.95}
    short: dict[str, Any] = {"sizes": (10,), "prevalence": 0.3, "label_correlation": 0.999}
    for area, r, many in product((0.95, 0.99), (0.5, 0.95), (20, 50)):
        of_long = clustered_binormal((area,), intraclass=r, **long)
        yield repeated(f"30 readings, r {r:g}", area, of_long, many)
    for area, many in product((0.95, 0.98), (20, 50)):
        of_short = clustered_binormal((area,), intraclass=0.95, **short)
        yield repeated("10 readings of one label, r .95", area, of_short, many)
    skewed: dict[str, Any] = {"sizes": (12,), "prevalence": 0.25, "label_correlation": 0.95}
    for area, many in product((0.9, 0.97), (25, 60)):
        drawn = clustered_exponential((area,), **skewed)
        yield repeated("exponential, 12 readings, r .5", area, drawn, many, "validation")


def repeated(name: str, area: float, of: Drawn, many: int, role: Role = "development") -> Cell:
    def read(data: PairedScores, _: object) -> Iterator[Read]:
        estimate = clustered_auc_estimate(data)
        yield from held(REPEATED, "clustered", partial(interval_of, estimate), float(of.auc[0]))
        plain = partial(estimate.interval, LEVEL, scale="moderated")
        yield from held(REPEATED, "moderated", plain, float(of.auc[0]), beside=True)

    where, drawn = f"{name}, area {area:g}", partial(draw_both, of, many)
    return Cell(where, f"{many} clusters", drawn, read, role)


def draw_both(population: Drawn, many: int, rng: np.random.Generator) -> PairedScores:
    """Draw a sample with two or more cases of either class."""
    while (~(data := draw(population, many, rng)).label).sum() < 2:
        pass
    return data


def cluster_test_cells() -> Iterator[Cell]:
    """How often tests of clusters reject at .05: that areas are equal, that one is 1/2."""
    for many in CLUSTERS:
        for name, population in clusters((0.8, 0.8)):
            yield tested(name, population, many, equal_areas)
        for name, population in clusters((0.5,)):
            yield tested(name, population, many, no_better)
    for name, other, many in more_clusters((0.8, 0.8)):
        yield tested(name, other, many, equal_areas)


def tested(
    name: str, population: Drawn, many: int, pvalues: Callable[[PairedScores], dict[str, float]]
) -> Cell:
    def read(data: PairedScores, _: object) -> Iterator[Read]:
        for test, pvalue in pvalues(data).items():
            yield Read(TESTS, test, bool(pvalue <= CALLED))

    of = EQUAL if pvalues is equal_areas else (HALF,)
    size, drawn = f"{many} clusters", partial(draw, population, many)
    return Cell(name, size, drawn, read, of=tuple((TESTS, test) for test in of))


def equal_areas(data: PairedScores) -> dict[str, float]:
    gap = auc_difference(data, *data.names)
    pvalues = gap.test().pvalue, gap.test(distribution="normal").pvalue
    return dict(zip(EQUAL, pvalues, strict=True))


def no_better(data: PairedScores) -> dict[str, float]:
    return {HALF: clustered_test(data).pvalue}


# --- power ------------------------------------------------------------------------------------

POWER = "power, promised 80"
VARIANCES = ("empirical", "exact", "obuchowski")
PAIRS = (((0.85, 0.75), 0.0), ((0.85, 0.75), 0.6), ((0.95, 0.9), 0.6), ((0.7, 0.6), 0.9))


def power_cells() -> Iterator[Cell]:
    """Simulated power of the usual tests, where each formula promises 80 percent."""
    for area, ratio in product((0.6, 0.7, 0.85), (1, 4)):
        for variance in (*VARIANCES, "hanley-mcneil"):
            model = exponential if variance == "hanley-mcneil" else binormal
            plan = plan_area(area, ratio=ratio, variance=variance)  # type: ignore[arg-type]
            yield powered(f"area {area:g} against .5", variance, plan, model(area), ratio)
    for (two, r), ratio in product(PAIRS, (1, 4)):
        population = paired_binormal(two, r_pos=r, r_neg=r)
        for variance in VARIANCES:
            paired = plan_paired(population, ratio=ratio, variance=variance)  # type: ignore[arg-type]
            where = f"areas {two[0]:g} and {two[1]:g}, r {r:g}"
            yield powered(where, variance, paired, population, ratio)
    part, population = (0.0, 0.2), paired_binormal((0.9, 0.8), r_pos=0.5, r_neg=0.5)
    for variance in VARIANCES:
        paired = plan_paired(population, fpr=part, variance=variance)  # type: ignore[arg-type]
        where = "fpr 0 to .2 of areas .9 and .8, r .5"
        yield powered(where, variance, paired, population, 1, partial(part_test, part))


def part_test(fpr: tuple[float, float], data: PairedScores) -> TestResult:
    return auc_difference(data, *data.names, fpr=fpr).test()


def powered(
    situation: str, variance: str, plan: Any, population: Any, ratio: int, test: Any = None
) -> Cell:
    """Return a cell of the size that a plan asks for, where other plans may ask for the same."""
    n_pos = int(np.ceil(plan.for_power(0.8).n_pos))

    def rejected(rng: np.random.Generator) -> float:
        options: dict[str, Any] = {"n_sim": 1, "rng": rng, "progress": False, "test": test}
        return simulated_power_estimate(population, n_pos, ratio * n_pos, **options).value

    def read(share: float, _: object) -> Iterator[Read]:
        yield Read(POWER, variance, bool(share))

    size = sizes_of(n_pos, ratio * n_pos)
    return Cell(situation, size, rejected, read, of=((POWER, variance),))
