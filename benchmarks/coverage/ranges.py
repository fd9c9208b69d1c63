"""Differences of areas over ranges of rates, and tests at a margin of them.

Ranges that no other part has: of true positive rates, of few false positives, and inner ones, which
have another interval. Where both parts of the area differ in the population, their difference is
the margin. The cells of one pair and size draw the same samples, and all tests are read from one
difference, which takes most of the time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import product

from scipy import stats

from benchmarks.coverage.cells import Cell, Read, held, interval_of, part
from benchmarks.coverage.ledger import CALLED, Section
from benchmarks.coverage.margins import BY_NAME, DEV, VAL, Margin, Pair, levels, normal, normals
from benchmarks.coverage.rarer import SIX, pair_cell, shifted, twice, weibull
from benchmarks.coverage.wide import DEFAULT, section
from rocspace.compare import auc_difference, equivalence_test, superiority_test
from rocspace.compare.margins import one_sided_test
from rocspace.counts import PairedScores
from rocspace.results import Difference

NONINFERIOR = "wide: size of noninferiority_test at the margin, over a range"
SUPERIOR = "wide: size of superiority_test at the margin, over a range"
EQUIVALENT = "wide: size of equivalence_test at the margin, over a range"
TEST = "wide: size of the test of auc_difference, over a range"
SIZES = {
    "tpr": ((8, 40), (12, 400), (60, 60), (500, 500)),
    "fpr": ((8, 40), (40, 8), (60, 60), (500, 500)),
}


@dataclass(frozen=True)
class Range:
    """A range of one rate, and how it is told."""

    rate: str
    low: float
    high: float

    @property
    def name(self) -> str:
        low, high = (f"{x:g}".removeprefix("0") or "0" for x in (self.low, self.high))
        return f"{self.rate} {low} to {high}"

    @property
    def section(self) -> str:
        return f"wide: auc_difference, {self.name}"

    def gap(self, data: PairedScores, first: str, second: str) -> Difference:
        ends = self.low, self.high
        fpr, tpr = (ends, None) if self.rate == "fpr" else (None, ends)
        return auc_difference(data, first, second, fpr=fpr, tpr=tpr)

    def truth(self, pair: Pair) -> float:
        """Return the difference of both parts of the area, first minus second."""
        one, two = (self.area(margin) for margin in (pair.first, pair.second))
        return one - two

    def area(self, margin: Margin) -> float:
        if self.rate == "fpr":
            return margin.partial_auc(fpr=(self.low, self.high))
        return margin.part_beside(self.low, self.high)


RANGES = (
    Range("tpr", 0.8, 1),
    Range("tpr", 0.9, 1),
    Range("tpr", 0.7, 0.9),
    Range("fpr", 0, 0.1),
    Range("fpr", 0.1, 0.3),
)


# --- populations ------------------------------------------------------------------------------


def two(name: str, first: Margin, second: Margin, r: float) -> Pair:
    return Pair(first, second, r, first.role, f"{name}, r {r:g}")


def cauchy(shift: float) -> Margin:
    return shifted("Cauchy", stats.cauchy, shift)


def t3(shift: float) -> Margin:
    return shifted("t3", partial(stats.t, 3), shift, VAL)


THREE = levels("three levels", (20, 30, 50), (60, 30, 10), DEV)
YES_NO = levels("yes/no", (25, 75), (85, 15), VAL)
LOGNORMAL = Margin("lognormal, times 4", stats.lognorm(1, scale=4), stats.lognorm(1), VAL)
PAIRS = (
    normals(0.85, 0.75, 0.6),
    normals(0.97, 0.9, 0.9),
    two("Weibull 0.7, times 8 and 3", weibull(8), weibull(3), 0.5),
    twice(weibull(5), 0.8),
    two("Cauchy, shifts 4 and 2", cauchy(4), cauchy(2), 0.8),
    two("unequal spread, areas 0.8, sd 2.5 and 0.4", normal(0.8, 2.5), normal(0.8, 0.4), 0.3),
    two("hooked, areas 0.8 and 0.7, sd 3", normal(0.8, 3), normal(0.7, 3), 0.7),
    two("six and three levels", SIX, THREE, 0.7),
    two("t3, shifts 3 and 2", t3(3), t3(2), 0.9),
    two("hooked, sd 0.333, and Normal, area 0.85", normal(0.85, 1 / 3, VAL), normal(0.85), 0.6),
    two("four levels and yes/no", BY_NAME["four levels"], YES_NO, 0.5),
    twice(LOGNORMAL, 0.5),
)


# --- cells ------------------------------------------------------------------------------------


def cells() -> Iterator[Cell]:
    """Yield the cells: over each range each pair at two of four sizes, in turn."""
    for (k, where), (i, pair) in product(enumerate(RANGES), enumerate(PAIRS)):
        sizes = SIZES[where.rate]
        for j in (i + k, i + k + 2):
            yield range_cell(where, pair, sizes[j % len(sizes)])


def range_cell(where: Range, pair: Pair, size: tuple[int, int]) -> Cell:
    truth = where.truth(pair)
    margin = abs(truth) if abs(truth) > 1e-9 else 0.0
    names = ("first", "second") if truth < 0 else ("second", "first")

    def read(data: PairedScores, _: object) -> Iterator[Read]:
        gap = where.gap(data, *names)
        yield from held(where.section, DEFAULT, partial(interval_of, gap), -margin)
        for name, pvalue in pvalues(gap, margin).items():
            yield Read(name, where.name, bool(pvalue <= CALLED))

    tests = (NONINFERIOR, EQUIVALENT, SUPERIOR) if margin else (TEST, SUPERIOR)
    of = ((where.section, DEFAULT), *((name, where.name) for name in tests))
    return replace(pair_cell(pair, *size, read), of=of)


def pvalues(gap: Difference, margin: float) -> dict[str, float]:
    """Return the p values of tests of a difference that is minus the margin, the worse first.

    The test of non-inferiority is one side of that of equivalence. That the better score is
    superior is tested by the same difference, from the other side.
    """
    if not margin:
        return {TEST: gap.test().pvalue, SUPERIOR: superiority_test(gap).pvalue}
    both = equivalence_test(gap, margin)
    superior = one_sided_test(gap, -margin, "less", "interval")
    return {NONINFERIOR: both.low.pvalue, EQUIVALENT: both.pvalue, SUPERIOR: superior.pvalue}


def sizes_of_tests(name: str) -> Section:
    """Return the section of a test over all ranges, of which each has a default."""
    asked = tuple(where.name for where in RANGES)
    title = name[0].upper() + name[1:]
    return Section(name, title, kind="size", defaults=asked, wide=True, targets=True)


PARTS = (
    part(
        "ranges",
        cells,
        (
            *(section(where.section) for where in RANGES),
            *map(sizes_of_tests, (NONINFERIOR, EQUIVALENT, SUPERIOR, TEST)),
        ),
    ),
)
