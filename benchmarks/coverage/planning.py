"""Do clusters cover, do their tests keep their size, do formulas give the power of tests?

Rows for the ledger of `benchmarks.coverage`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from typing import Any

import numpy as np

import rocspace as rs
from benchmarks.coverage.ledger import LEVEL, SEED, Row
from benchmarks.coverage.populations import Skewed, clustered_exponential
from rocspace.compare import auc_difference
from rocspace.counts import PairedScores
from rocspace.inference import clustered_auc_estimate, clustered_test
from rocspace.planning import plan_area, plan_paired, simulated_power_estimate
from rocspace.results import Difference, Estimate
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
    eyes = {"sizes": (2,), "prevalence": 0.4}
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


def cluster_rows(samples: int) -> Iterator[Row]:
    """Coverage and width of intervals of the area, clusters respected and ignored."""
    cells: list[tuple[int, float, str, Drawn, int]] = []
    for number, (area, many) in enumerate(product((0.75, 0.93), CLUSTERS)):
        cells += [(number, area, name, population, many) for name, population in clusters((area,))]
    for area in (0.75, 0.93):
        cells += [(6, area, *cell) for cell in more_clusters((area,))]
    for name, population in islice(clusters((0.99,)), 3):
        cells += [(7, 0.99, name, population, 50)]
    for number, area, name, population, many in cells:
        rng = np.random.default_rng([SEED, 50, number])
        found: dict[str, list[tuple[bool, float]]] = {}
        truth = float(population.auc[0])
        runs = fewer(samples, many)
        for _ in range(runs):
            data = draw(population, many, rng)
            for method, estimate in estimates(data):
                interval = estimate.interval(LEVEL)
                found.setdefault(method, []).append((truth in interval, interval.width))
        where = ("area, clusters", f"{name}, area {area:g}", f"{many} clusters")
        for method, pairs in found.items():
            inside, width = np.array(pairs, dtype=float).T
            mean, sd = float(width.mean()), float(width.std())
            yield Row(*where, method, float(inside.mean()), mean, sd, runs)


def estimates(data: PairedScores) -> Iterator[tuple[str, Estimate]]:
    yield "clustered", clustered_auc_estimate(data)
    yield "clusters ignored", rs.delong(data.table(data.names[0]))


def cluster_test_rows(samples: int) -> Iterator[Row]:
    """How often tests of clusters reject at .05: that areas are equal, that one is 1/2."""
    for number, many in enumerate(CLUSTERS):
        for name, population in clusters((0.8, 0.8)):
            rng = np.random.default_rng([SEED, 51, number])
            drawn = (population.draw(many, rng=rng) for _ in range(samples))
            tests = [equal_areas(data) for data in drawn]
            where = ("size of tests of clusters", name, f"{many} clusters")
            yield rejected(where, "difference, t", [d.test().pvalue for d in tests], samples)
            normal = [d.test(distribution="normal").pvalue for d in tests]
            yield rejected(where, "difference, normal", normal, samples)
        for name, population in clusters((0.5,)):
            rng = np.random.default_rng([SEED, 52, number])
            pvalue = [clustered_test(population.draw(many, rng=rng)).pvalue for _ in range(samples)]
            where = ("size of tests of clusters", name, f"{many} clusters")
            yield rejected(where, "area 1/2", pvalue, samples)
    for name, population, many in more_clusters((0.8, 0.8)):
        rng, runs = np.random.default_rng([SEED, 51, 3]), fewer(samples, many)
        tests = [equal_areas(draw(population, many, rng)) for _ in range(runs)]
        where = ("size of tests of clusters", name, f"{many} clusters")
        yield rejected(where, "difference, t", [d.test().pvalue for d in tests], runs)
        normal = [d.test(distribution="normal").pvalue for d in tests]
        yield rejected(where, "difference, normal", normal, runs)


def fewer(samples: int, many: int) -> int:
    return max(1, samples // 8) if many > 200 else samples


def equal_areas(data: PairedScores) -> Difference:
    return auc_difference(data, *data.names)


def rejected(where: tuple[str, str, str], test: str, pvalue: list[float], samples: int) -> Row:
    return Row(*where, test, float((np.array(pvalue) <= 0.05).mean()), 0.0, 0.0, samples)


# --- power ------------------------------------------------------------------------------------


VARIANCES = ("empirical", "exact", "obuchowski")


def power_rows(samples: int) -> Iterator[Row]:
    """Simulated power of the usual tests, where each formula promises 80 percent."""
    yield from one_curve_rows(samples)
    yield from two_curve_rows(samples)
    yield from part_rows(samples)


def one_curve_rows(samples: int) -> Iterator[Row]:
    for number, (area, ratio) in enumerate(product((0.6, 0.7, 0.85), (1, 4))):
        for variance in (*VARIANCES, "hanley-mcneil"):
            design = plan_area(area, ratio=ratio, variance=variance).for_power(0.8)  # type: ignore[arg-type]
            model = exponential if variance == "hanley-mcneil" else binormal
            size = int(np.ceil(design.n_pos)), int(np.ceil(ratio * np.ceil(design.n_pos)))
            rng = np.random.default_rng([SEED, 53, number])
            found = simulated_power_estimate(model(area), *size, n_sim=samples, rng=rng)
            where = ("power, promised 80", f"area {area:g} against .5", f"{size[0]} + {size[1]}")
            yield Row(*where, variance, found.value, 0.0, 0.0, samples)


def two_curve_rows(samples: int) -> Iterator[Row]:
    pairs = (((0.85, 0.75), 0.0), ((0.85, 0.75), 0.6), ((0.95, 0.9), 0.6), ((0.7, 0.6), 0.9))
    for number, ((areas, r), ratio) in enumerate(product(pairs, (1, 4))):
        population = paired_binormal(areas, r_pos=r, r_neg=r)
        for variance in VARIANCES:
            plan = plan_paired(population, ratio=ratio, variance=variance)  # type: ignore[arg-type]
            n_pos = int(np.ceil(plan.for_power(0.8).n_pos))
            rng = np.random.default_rng([SEED, 54, number])
            found = simulated_power_estimate(
                population, n_pos, ratio * n_pos, n_sim=samples, rng=rng
            )
            where = f"areas {areas[0]:g} and {areas[1]:g}, r {r:g}", f"{n_pos} + {ratio * n_pos}"
            yield Row("power, promised 80", *where, variance, found.value, 0.0, 0.0, samples)


def part_rows(samples: int) -> Iterator[Row]:
    part, population = (0.0, 0.2), paired_binormal((0.9, 0.8), r_pos=0.5, r_neg=0.5)
    for variance in VARIANCES:
        plan = plan_paired(population, fpr=part, variance=variance)  # type: ignore[arg-type]
        n_pos = int(np.ceil(plan.for_power(0.8).n_pos))
        rng = np.random.default_rng([SEED, 55])
        found = simulated_power_estimate(
            population,
            n_pos,
            n_pos,
            test=lambda data: auc_difference(data, *data.names, fpr=part).test(),
            n_sim=samples,
            rng=rng,
        )
        where = ("power, promised 80", "fpr 0 to .2 of areas .9 and .8, r .5", f"{n_pos} + {n_pos}")
        yield Row(*where, variance, found.value, 0.0, 0.0, samples)


def rows(samples: int) -> Iterator[Row]:
    """Return all rows."""
    yield from cluster_rows(samples)
    yield from cluster_test_rows(samples)
    yield from power_rows(samples)
