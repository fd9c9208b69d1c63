"""Do intervals of differences cover, and do tests of two scores keep their size?

Rows for the ledger of `benchmarks.coverage`. Resampling tests are run on fewer samples.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

import numpy as np

from benchmarks.coverage.ledger import LEVEL, SEED, Row
from benchmarks.coverage.populations import Skewed, paired_exponential
from rocspace.compare import (
    auc_difference,
    bootstrap_difference,
    compare_aucs,
    noninferiority_test,
    permutation_test,
    venkatraman_test,
)
from rocspace.counts import PairedScores
from rocspace.resampling import tpr_at
from rocspace.results import Difference, Distribution
from rocspace.simulate import PairedPopulation, paired_binormal

SIZES = ((5, 5), (5, 50), (10, 10_000), (20, 20), (50, 50), (200, 200))
EQUAL = (0.5, 0.75, 0.9, 0.98)
UNEQUAL = ((0.95, 0.75), (0.999, 0.99))
SKEWED_SIZES = ((5, 50), (20, 20), (50, 50))
CUTS = (0.0, 0.5, 1.0, 1.8)
SCALES = ("moderated", "logit", "identity", "t", "hoeffding")
PAIRED = "discordance"  # scale and test of areas of the same cases, if nothing is asked for,
APART = "unseen"  # and of those of independent samples
RESAMPLED = 400  # samples for tests that resample each
DRAWS = 199  # permutations or replicates of each
CALLED = 0.05

Test = Callable[[PairedScores], float]


def kinds(areas: tuple[float, float]) -> Iterator[tuple[str, PairedPopulation | Skewed]]:
    """Pairs of scores, independent to nearly alike, ratings, and skewed ones."""
    for r in (0.0, 0.5, 0.9):
        yield f"Normal, r {r:g}", paired_binormal(areas, r_pos=r, r_neg=r)
    if max(areas) < 0.999:
        yield "five ratings, r .5", paired_binormal(areas, r_pos=0.5, r_neg=0.5, cuts=CUTS)
    yield "exponential, r .5", paired_exponential(areas)


def fewer(samples: int, n_neg: int) -> int:
    return max(samples // 8, 1) if n_neg > 1000 else samples


def draws(
    population: PairedPopulation | Skewed, size: tuple[int, int], samples: int, key: tuple[int, ...]
) -> Iterator[PairedScores]:
    rng = np.random.default_rng([SEED, *key])
    return (population.draw(*size, rng=rng) for _ in range(samples))


@dataclass
class Tally:
    """What became of one situation: intervals, or p values, by their names."""

    found: dict[str, list[tuple[float, float]]] = field(default_factory=dict)

    def interval(self, name: str, difference: Difference, truth: float, scale: str) -> None:
        ends = difference.interval(LEVEL, scale=scale)  # type: ignore[arg-type]
        inside = ends.low - 1e-12 <= truth <= ends.high + 1e-12
        self.found.setdefault(name, []).append((inside, ends.width))

    def rejects(self, name: str, pvalue: float, level: float = CALLED) -> None:
        self.found.setdefault(name, []).append((pvalue <= level, 0.0))

    def tests(
        self, gap: Difference, usual: str, others: Sequence[Distribution], levels: Sequence[float]
    ) -> None:
        """Count what the default test rejects, whose name is `usual`, and what others do."""
        pvalues = {usual: gap.test().pvalue}
        pvalues |= {name: gap.test(distribution=name).pvalue for name in others}
        for (name, pvalue), level in product(pvalues.items(), levels):
            self.rejects(f"{name} at {level:g}", pvalue, level)

    def rows(self, section: str, situation: str, size: tuple[int, int]) -> Iterator[Row]:
        for name, pairs in self.found.items():
            inside, width = np.array(pairs, dtype=float).T
            shape = f"{size[0]} + {size[1]}"
            mean, sd = float(width.mean()), float(width.std())
            yield Row(section, situation, shape, name, float(inside.mean()), mean, sd, len(pairs))


# --- areas ------------------------------------------------------------------------------------


def paired_rows(samples: int) -> Iterator[Row]:
    """Intervals of a difference, and tests of the true difference, on the same cases."""
    situations = product([*((a, a) for a in EQUAL), *UNEQUAL], SIZES)
    for number, (areas, size) in enumerate(situations):
        for which, (name, population) in enumerate(kinds(areas)):
            cover, size_of = Tally(), Tally()
            truth = float(population.auc[0] - population.auc[1])
            many = fewer(samples, size[1])
            if "exponential" in name and size not in SKEWED_SIZES:
                continue
            for data in draws(population, size, many, (60, number, which)):
                gap = auc_difference(data, *data.names)
                for scale in (PAIRED, *SCALES):
                    cover.interval(scale, gap, truth, scale)
                size_of.tests(gap, PAIRED, ("t", "normal"), (0.05, 0.01))
            where = f"{name}, areas {areas[0]:g} and {areas[1]:g}"
            yield from cover.rows("difference of areas, same cases", where, size)
            if areas[0] == areas[1]:
                yield from size_of.rows("size of tests, same cases", where, size)


def independent_rows(samples: int) -> Iterator[Row]:
    usual = product([*((a, a) for a in EQUAL), *UNEQUAL], ((20, 20), (5, 50), (50, 50)))
    situations = [("Normal", *situation) for situation in usual] + [
        ("Normal", (0.9, 0.9), (10, 10_000)),
        ("five ratings", (0.9, 0.9), (50, 50)),
        ("five ratings", (0.95, 0.75), (20, 20)),
        ("exponential", (0.9, 0.9), (50, 50)),
        ("exponential", (0.95, 0.75), (20, 20)),
    ]
    for number, (name, areas, size) in enumerate(situations):
        one, two = (of_kind(name, (a, a)) for a in areas)
        many = fewer(samples, size[1])
        cover, size_of = Tally(), Tally()
        drawn = (draws(p, size, many, (61, number, i)) for i, p in enumerate((one, two)))
        for a, b in zip(*drawn, strict=True):
            gap = auc_difference({"first": a.table(a.names[0]), "second": b.table(b.names[0])})
            for scale in (APART, *SCALES):
                cover.interval(scale, gap, areas[0] - areas[1], scale)
            size_of.tests(gap, APART, ("t", "welch", "normal"), (CALLED,))
        where = f"{name}, areas {areas[0]:g} and {areas[1]:g}"
        yield from cover.rows("difference of areas, independent samples", where, size)
        if areas[0] == areas[1]:
            yield from size_of.rows("size of tests, independent samples", where, size)


def of_kind(name: str, areas: Sequence[float]) -> PairedPopulation | Skewed:
    """Scores of the same cases, by the name of their kind, r .5."""
    if name == "exponential":
        return paired_exponential(areas)
    return paired_binormal(areas, cuts=CUTS if name == "five ratings" else None)


def part_rows(samples: int) -> Iterator[Row]:
    part = (0.0, 0.2)
    usual = product(((0.75, 0.75), (0.9, 0.9), (0.95, 0.8)), ((10, 200), (50, 50), (200, 200)))
    situations = [("Normal", *situation) for situation in usual] + [
        ("Normal", (0.9, 0.9), (5, 50)),
        ("Normal", (0.9, 0.9), (10, 10_000)),
        ("Normal", (0.98, 0.98), (50, 50)),
        ("five ratings", (0.9, 0.9), (50, 50)),
        ("exponential", (0.9, 0.9), (50, 50)),
        ("exponential", (0.95, 0.8), (50, 50)),
    ]
    for number, (name, areas, size) in enumerate(situations):
        population = of_kind(name, areas)
        truth = float(np.subtract(*(m.partial_auc(fpr=part) for m in population.margins)))
        tally = Tally()
        for data in draws(population, size, fewer(samples, size[1]), (62, number)):
            gap = auc_difference(data, *data.names, fpr=part)
            for scale in SCALES:
                tally.interval(scale, gap, truth, scale)
        where = f"{name}, r .5, areas {areas[0]:g} and {areas[1]:g}"
        yield from tally.rows("difference of parts, fpr 0 to .2", where, size)


def many_rows(samples: int) -> Iterator[Row]:
    """Four equal scores: the overall test, and any false rejection among the six pairs."""
    situations = [
        *(("Normal", 0.8, size) for size in ((10, 50), (20, 20), (50, 50), (200, 200))),
        ("Normal", 0.8, (5, 50)),
        ("Normal", 0.8, (10, 10_000)),
        ("Normal", 0.98, (50, 50)),
        ("five ratings", 0.8, (20, 20)),
        ("exponential", 0.8, (20, 20)),
    ]
    for number, (name, area, size) in enumerate(situations):
        tally, population = Tally(), of_kind(name, [area] * 4)
        for data in draws(population, size, fewer(samples, size[1]), (63, number)):
            found = compare_aucs(data)
            tally.rejects("all at once, F", found.overall.pvalue)
            chi_square = compare_aucs(data, distribution="normal").overall
            tally.rejects("all at once, chi-square", chi_square.pvalue)
            tally.rejects("any pair, Holm", min(p.adjusted_pvalue for p in found.pairs))
            tally.rejects("any pair, not adjusted", min(p.test.pvalue for p in found.pairs))
        yield from tally.rows("size of tests, four scores", f"{name}, r .5, areas {area:g}", size)


def margin_rows(samples: int) -> Iterator[Row]:
    """How often a score that is worse by just the margin is called not inferior, at .05."""
    usual = product(((0.75, 0.05), (0.9, 0.05), (0.95, 0.1), (0.98, 0.03)), SIZES)
    situations = [("Normal", *situation) for situation in usual] + [
        (name, (0.9, 0.05), size)
        for name, size in product(("five ratings", "exponential"), ((20, 20), (50, 50)))
    ]
    for number, (name, (area, margin), size) in enumerate(situations):
        population, tally = of_kind(name, (area - margin, area)), Tally()
        for data in draws(population, size, fewer(samples, size[1]), (64, number)):
            gap = auc_difference(data, *data.names)
            for method in ("interval", "t", "normal"):
                result = noninferiority_test(gap, margin, method=method)  # type: ignore[arg-type]
                tally.rejects(method, result.pvalue)
        where = f"{name}, r .5, areas {area - margin:g} and {area:g}"
        yield from tally.rows("size of non-inferiority tests", where, size)


# --- resampling -------------------------------------------------------------------------------


def resampling_tests(rng: np.random.Generator) -> dict[str, Test]:
    """Tests of the same hypothesis on the same cases, or almost the same."""

    def gap(data: PairedScores) -> Difference:
        return auc_difference(data, *data.names)

    def drawn(data: PairedScores, statistic: object = "auc") -> Difference:
        return bootstrap_difference(data, *data.names, statistic, n_boot=DRAWS, rng=rng)  # type: ignore[arg-type]

    def permuted(data: PairedScores, statistic: str) -> float:
        return permutation_test(data, *data.names, statistic, n_perm=DRAWS, rng=rng).pvalue

    return {
        PAIRED: lambda data: gap(data).test().pvalue,
        "DeLong, t": lambda data: gap(data).test(distribution="t").pvalue,
        "DeLong, normal": lambda data: gap(data).test(distribution="normal").pvalue,
        "bootstrap of areas, t": lambda data: drawn(data).test().pvalue,
        "bootstrap of areas, normal": lambda data: drawn(data).test(distribution="normal").pvalue,
        "bootstrap of tpr at fpr .1, t": lambda data: drawn(data, tpr_at(0.1)).test().pvalue,
        "bootstrap of tpr at fpr .1, normal": (
            lambda data: drawn(data, tpr_at(0.1)).test(distribution="normal").pvalue
        ),
        "bootstrap of average precision, t": (
            lambda data: drawn(data, "average_precision").test().pvalue
        ),
        "permutation of areas": lambda data: permuted(data, "auc"),
        "permutation, average precision": lambda data: permuted(data, "average_precision"),
        "permutation, largest gap": lambda data: permuted(data, "sup"),
        "Venkatraman": lambda data: (
            venkatraman_test(data, *data.names, n_perm=DRAWS, rng=rng).pvalue
        ),
        "Venkatraman, as if independent": lambda data: (
            venkatraman_test(
                {name: data.table(name) for name in data.names}, n_perm=DRAWS, rng=rng
            ).pvalue
        ),
    }


def resampling_rows(samples: int) -> Iterator[Row]:
    """Size (both curves alike) and power (areas .75 and .85; curves that cross)."""
    alike = [(f"{n}, areas 0.8", p) for n, p in kinds((0.8, 0.8))]
    apart = [("Normal, r .5, areas 0.75 and 0.85", paired_binormal((0.75, 0.85)))]
    more = [("Normal, r .5, areas 0.98", paired_binormal((0.98, 0.98)))]
    rare = [("Normal, r .5, areas 0.8", paired_binormal((0.8, 0.8)))]
    cross = [
        ("Normal, r .5, areas 0.75, sd 1 and 3", paired_binormal((0.75, 0.75), sd_ratio=(1, 3)))
    ]
    situations = [
        *product(["size of tests by resampling"], alike, ((5, 50), (20, 20), (50, 50))),
        *product(["size of tests by resampling"], more, ((50, 50),)),
        *product(["size of tests by resampling"], rare, ((10, 10_000),)),
        *product(["power of tests by resampling"], apart + cross, ((20, 20), (50, 50), (200, 200))),
    ]
    for number, (section, (name, population), size) in enumerate(situations):
        tally, rng = Tally(), np.random.default_rng([SEED, 65, number])
        tests = resampling_tests(rng)
        for data in draws(population, size, fewer(min(samples, RESAMPLED), size[1]), (66, number)):
            for test, pvalue in tests.items():
                # The last one is for independent samples: pairs without correlation are two.
                if "independent" not in test or "r 0," in name:
                    tally.rejects(test, pvalue(data))
        yield from tally.rows(section, name, size)


def rows(samples: int) -> Iterator[Row]:
    """Return all rows."""
    for part in (
        paired_rows,
        independent_rows,
        part_rows,
        many_rows,
        margin_rows,
        resampling_rows,
    ):
        yield from part(samples)
