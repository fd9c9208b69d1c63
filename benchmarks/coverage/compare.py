"""Do intervals of differences cover, and do tests of two scores keep their size?

Cells for the ledger of `benchmarks.coverage`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from benchmarks.coverage.cells import Cell, Read, at_levels, by_scales, of_pairs, sizes_of
from benchmarks.coverage.costs import CUTS
from benchmarks.coverage.ledger import CALLED
from benchmarks.coverage.populations import Skewed, paired_exponential
from rocspace.compare import (
    auc_difference,
    bootstrap_difference,
    compare_aucs,
    noninferiority_test,
    permutation_test,
    venkatraman_test,
)
from rocspace.counts import PairedScores, ScoreTable
from rocspace.resampling import tpr_at
from rocspace.results import Difference, Distribution
from rocspace.simulate import PairedPopulation, paired_binormal

SIZES = ((5, 5), (5, 50), (10, 10_000), (20, 20), (50, 50), (200, 200))
EQUAL = (0.5, 0.75, 0.9, 0.98)
UNEQUAL = ((0.95, 0.75), (0.999, 0.99))
SKEWED_SIZES = ((5, 50), (20, 20), (50, 50))
SCALES = ("moderated", "logit", "identity", "t", "hoeffding")
PAIRED = "discordance"  # scale and test of the same cases, if nothing is asked for,
APART = "unseen"  # and of those of independent samples
FPR = (0.0, 0.2)
DRAWS = 199  # permutations or replicates of each

SAME, SAME_SIZE = "difference of areas, same cases", "size of tests, same cases"
OTHER, OTHER_SIZE = (
    "difference of areas, independent samples",
    "size of tests, independent samples",
)
PARTS = "difference of parts, fpr 0 to .2"
FOUR = "size of tests, four scores"
MARGINS = "size of non-inferiority tests"
RESAMPLED, POWER = "size of tests by resampling", "power of tests by resampling"

Paired = PairedPopulation | Skewed
Size = tuple[int, int]


def kinds(areas: tuple[float, float]) -> Iterator[tuple[str, Paired]]:
    """Pairs of scores, independent to nearly alike, ratings, and skewed ones."""
    for r in (0.0, 0.5, 0.9):
        yield f"Normal, r {r:g}", paired_binormal(areas, r_pos=r, r_neg=r)
    if max(areas) < 0.999:
        yield "five ratings, r .5", paired_binormal(areas, r_pos=0.5, r_neg=0.5, cuts=CUTS)
    yield "exponential, r .5", paired_exponential(areas)


def of_kind(name: str, areas: Sequence[float]) -> Paired:
    """Scores of the same cases, by the name of their kind, r .5."""
    if name == "exponential":
        return paired_exponential(areas)
    return paired_binormal(areas, cuts=CUTS if name == "five ratings" else None)


def two(areas: tuple[float, float]) -> str:
    return f"areas {areas[0]:g} and {areas[1]:g}"


def rejections(
    section: str,
    gap: Difference,
    usual: str,
    others: Sequence[Distribution],
    levels: Sequence[float] = (CALLED,),
) -> Iterator[Read]:
    """Read what the default test rejects, whose name is `usual`, and what others do."""
    pvalues = {usual: gap.test().pvalue}
    pvalues |= {name: gap.test(distribution=name).pvalue for name in others}
    return at_levels(section, pvalues, levels)


# --- areas ------------------------------------------------------------------------------------


def paired_cells() -> Iterator[Cell]:
    """Intervals of a difference, and tests of equal areas, on the same cases."""
    for areas in (*((a, a) for a in EQUAL), *UNEQUAL):
        for name, population in kinds(areas):
            sizes = SKEWED_SIZES if "exponential" in name else SIZES
            read = partial(paired, float(population.auc[0] - population.auc[1]))
            yield from (of_pairs(f"{name}, {two(areas)}", population, size, read) for size in sizes)


def paired(truth: float, data: PairedScores, _: object) -> Iterator[Read]:
    gap = auc_difference(data, *data.names)
    yield from by_scales(SAME, gap, truth, (PAIRED, *SCALES))
    if not truth:
        yield from rejections(SAME_SIZE, gap, PAIRED, ("t", "normal"), (0.05, 0.01))


def independent_cells() -> Iterator[Cell]:
    usual = product([*((a, a) for a in EQUAL), *UNEQUAL], ((20, 20), (5, 50), (50, 50)))
    for name, areas, size in (
        *(("Normal", *situation) for situation in usual),
        ("Normal", (0.9, 0.9), (10, 10_000)),
        ("five ratings", (0.9, 0.9), (50, 50)),
        ("five ratings", (0.95, 0.75), (20, 20)),
        ("exponential", (0.9, 0.9), (50, 50)),
        ("exponential", (0.95, 0.75), (20, 20)),
    ):
        one, other = (of_kind(name, (a, a)) for a in areas)
        draw, read = partial(apart, one, other, size), partial(independent, areas[0] - areas[1])
        yield Cell(f"{name}, {two(areas)}", sizes_of(*size), draw, read)


def apart(one: Paired, other: Paired, size: Size, rng: np.random.Generator) -> Any:
    """Draw two scores, each from cases of its own."""
    first, second = (population.draw(*size, rng=rng) for population in (one, other))
    return {"first": first.table(first.names[0]), "second": second.table(second.names[0])}


def independent(truth: float, tables: Mapping[str, ScoreTable], _: object) -> Iterator[Read]:
    gap = auc_difference(tables)
    yield from by_scales(OTHER, gap, truth, (APART, *SCALES))
    if not truth:
        yield from rejections(OTHER_SIZE, gap, APART, ("t", "welch", "normal"))


def part_cells() -> Iterator[Cell]:
    usual = product(((0.75, 0.75), (0.9, 0.9), (0.95, 0.8)), ((10, 200), (50, 50), (200, 200)))
    for name, areas, size in (
        *(("Normal", *situation) for situation in usual),
        ("Normal", (0.9, 0.9), (5, 50)),
        ("Normal", (0.9, 0.9), (10, 10_000)),
        ("Normal", (0.98, 0.98), (50, 50)),
        ("five ratings", (0.9, 0.9), (50, 50)),
        ("exponential", (0.9, 0.9), (50, 50)),
        ("exponential", (0.95, 0.8), (50, 50)),
    ):
        population = of_kind(name, areas)
        first, second = part_areas(population)
        read = partial(parts, first - second)
        yield of_pairs(f"{name}, r .5, {two(areas)}", population, size, read)


def part_areas(population: Paired) -> list[float]:
    return [margin.partial_auc(fpr=FPR) for margin in population.margins]


def parts(truth: float, data: PairedScores, _: object) -> Iterator[Read]:
    gap = auc_difference(data, *data.names, fpr=FPR)
    yield from by_scales(PARTS, gap, truth, (PAIRED, *SCALES))


# --- tests ------------------------------------------------------------------------------------


def four_cells() -> Iterator[Cell]:
    """Four equal scores: the overall test, and any false rejection among the six pairs."""
    for name, area, size in (
        *(("Normal", 0.8, size) for size in ((10, 50), (20, 20), (50, 50), (200, 200))),
        ("Normal", 0.8, (5, 50)),
        ("Normal", 0.8, (10, 10_000)),
        ("Normal", 0.98, (50, 50)),
        ("five ratings", 0.8, (20, 20)),
        ("exponential", 0.8, (20, 20)),
    ):
        yield of_pairs(f"{name}, r .5, areas {area:g}", of_kind(name, [area] * 4), size, four)


def four(data: PairedScores, _: object) -> Iterator[Read]:
    found, chi_square = compare_aucs(data), compare_aucs(data, distribution="normal")
    for name, pvalue in (
        ("all at once, F", found.overall.pvalue),
        ("all at once, chi-square", chi_square.overall.pvalue),
        ("any pair, Holm", min(pair.adjusted_pvalue for pair in found.pairs)),
        ("any pair, not adjusted", min(pair.test.pvalue for pair in found.pairs)),
    ):
        yield Read(FOUR, name, bool(pvalue <= CALLED))


def margin_cells() -> Iterator[Cell]:
    """How often a score that is worse by just the margin is called not inferior, at .05."""
    usual = product(((0.75, 0.05), (0.9, 0.05), (0.95, 0.1), (0.98, 0.03)), SIZES)
    for name, (area, margin), size in (
        *(("Normal", *situation) for situation in usual),
        *product(("five ratings", "exponential"), ((0.9, 0.05),), ((20, 20), (50, 50))),
    ):
        areas = area - margin, area
        read = partial(margins, margin)
        yield of_pairs(f"{name}, r .5, {two(areas)}", of_kind(name, areas), size, read)


def margins(margin: float, data: PairedScores, _: object) -> Iterator[Read]:
    gap = auc_difference(data, *data.names)
    for method in ("interval", "t", "normal"):
        result = noninferiority_test(gap, margin, method=method)
        yield Read(MARGINS, method, bool(result.pvalue <= CALLED))


# --- resampling -------------------------------------------------------------------------------


def resampling_cells() -> Iterator[Cell]:
    """Size (both curves alike) and power (areas .75 and .85; curves that cross)."""
    alike = [(f"{n}, areas 0.8", p) for n, p in kinds((0.8, 0.8))]
    more = [("Normal, r .5, areas 0.98", paired_binormal((0.98, 0.98)))]
    rare = [("Normal, r .5, areas 0.8", paired_binormal((0.8, 0.8)))]
    apart = [("Normal, r .5, areas 0.75 and 0.85", paired_binormal((0.75, 0.85)))]
    cross = [
        ("Normal, r .5, areas 0.75, sd 1 and 3", paired_binormal((0.75, 0.75), sd_ratio=(1, 3)))
    ]
    for section, (name, population), size in (
        *product([RESAMPLED], alike, ((5, 50), (20, 20), (50, 50))),
        *product([RESAMPLED], more, ((50, 50),)),
        *product([RESAMPLED], rare, ((10, 10_000),)),
        *product([POWER], apart + cross, ((20, 20), (50, 50), (200, 200))),
    ):
        yield of_pairs(name, population, size, partial(resampled, section, "r 0," in name))


def resampled(
    section: str, uncorrelated: bool, data: PairedScores, rng: np.random.Generator
) -> Iterator[Read]:
    """Read tests of the same hypothesis on the same cases, or almost the same."""
    pvalues = {**by_formula(data), **by_bootstrap(data, rng), **by_permutation(data, rng)}
    if uncorrelated:  # pairs without correlation are two samples
        apart = {name: data.table(name) for name in data.names}
        found = venkatraman_test(apart, n_perm=DRAWS, rng=rng)
        pvalues["Venkatraman, as if independent"] = found.pvalue
    for name, pvalue in pvalues.items():
        yield Read(section, name, bool(pvalue <= CALLED))


def by_formula(data: PairedScores) -> dict[str, float]:
    gap = auc_difference(data, *data.names)
    return {
        PAIRED: gap.test().pvalue,
        "DeLong, t": gap.test(distribution="t").pvalue,
        "DeLong, normal": gap.test(distribution="normal").pvalue,
    }


def by_bootstrap(data: PairedScores, rng: np.random.Generator) -> dict[str, float]:
    first, second = data.names
    areas, rates, precisions = (
        bootstrap_difference(data, first, second, statistic, n_boot=DRAWS, rng=rng)
        for statistic in ("auc", tpr_at(0.1), "average_precision")
    )
    return {
        "bootstrap of areas, t": areas.test().pvalue,
        "bootstrap of areas, normal": areas.test(distribution="normal").pvalue,
        "bootstrap of tpr at fpr .1, t": rates.test().pvalue,
        "bootstrap of tpr at fpr .1, normal": rates.test(distribution="normal").pvalue,
        "bootstrap of average precision, t": precisions.test().pvalue,
    }


def by_permutation(data: PairedScores, rng: np.random.Generator) -> dict[str, float]:
    first, second = data.names
    areas, precisions, gaps = (
        permutation_test(data, first, second, statistic, n_perm=DRAWS, rng=rng).pvalue
        for statistic in ("auc", "average_precision", "sup")
    )
    return {
        "permutation of areas": areas,
        "permutation, average precision": precisions,
        "permutation, largest gap": gaps,
        "Venkatraman": venkatraman_test(data, *data.names, n_perm=DRAWS, rng=rng).pvalue,
    }
