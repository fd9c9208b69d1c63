"""What the second study found, and what is measured now: each line of its table.

The study (items 1 to 12) looked at version 0.1 in populations that the ledger did not have. Where
it did not write down a whole population (the areas of the hooked ones, what is not zero of the
zero-inflated one), one of the kind stands here where version 0.1 covers about as much.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

import rocspace as rs
from benchmarks.coverage import binary
from benchmarks.coverage.cells import Cell, Read, held, interval_of, rejected
from benchmarks.coverage.learners import best_feature, centroid
from benchmarks.coverage.ledger import LEVEL, Kind, Row
from benchmarks.coverage.populations import pure_clusters, tilted, two_phase, zero_inflated
from rocspace.averaging import cv_auc_estimate, fold_tables
from rocspace.bands import roc_band
from rocspace.compare import auc_difference, equivalence_test, noninferiority_test
from rocspace.counts import PairedScores, ScoreTable
from rocspace.inference import (
    auc_estimate,
    clustered_auc_estimate,
    likelihood_ratio_interval,
    partial_auc_estimate,
)
from rocspace.operating import threshold_bootstrap
from rocspace.planning import Design, plan_paired
from rocspace.resampling import bootstrap, fpr_at, tpr_at
from rocspace.results import OperatingPoint
from rocspace.simulate import (
    PairedPopulation,
    binormal,
    exponential,
    paired_binormal,
    ratings,
)

COVERAGE = "second study"
SIZE = "second study, size of tests"
PLANNED = "second study, planned power"
OTHER = "second study, power and agreement"
HOLDS = "93.5 or more"
KEEPS = "within 3 of the best that keeps its size"


@dataclass(frozen=True)
class Line:
    """A line of the table: where it is measured, what it was, what it should be."""

    item: int
    default: str
    situation: str
    size: str
    was: str
    goal: str = HOLDS
    section: str = COVERAGE
    width: bool = False
    other: str = ""  # a method to set beside it

    @property
    def where(self) -> tuple[str, str, str]:
        return self.section, f"{self.item}: {self.situation}", self.size


@dataclass(frozen=True)
class Item:
    """Lines that are read from the same samples; without a cell, exact sums."""

    lines: tuple[Line, ...]
    draw: Callable[[np.random.Generator], Any] | None = None
    read: Callable[[Any, np.random.Generator], Iterator[Read]] | None = None
    exact: Callable[[], Sequence[Row]] | None = None

    def rows(self, samples: int) -> list[Row]:
        if self.exact:
            return list(self.exact())
        assert self.draw is not None
        assert self.read is not None
        _, situation, size = self.lines[0].where
        return Cell(situation, size, self.draw, self.read).rows(samples)


def resample(data: Any, statistic: Any, rng: np.random.Generator) -> Any:
    """Return the default limits of what is asked here, which need no replicates."""
    return bootstrap(data, statistic, n_boot=2, rng=rng, threads=1, progress=False).interval(LEVEL)


# --- 1: areas ---------------------------------------------------------------------------------

AREA, BOOT = "auc_estimate(t).interval()", 'bootstrap(t, "auc").interval()'
YES_NO = (
    (0.99, 0.02, 100, 10_000, "62.4"),
    (0.98, 0.05, 50, 5000, "62.9"),
    (0.95, 0.1, 20, 1000, "65.7"),
    (0.95, 0.3, 20, 1000, "72.3"),
    (0.9, 0.1, 20, 1000, "86.3"),
)
LOW, HIGH = (2, 8, 90), (90, 8, 2)
ONE = (
    (ratings(LOW, HIGH), "three levels", 10, 10_000, "64.3"),
    (ratings(LOW, HIGH), "three levels", 10_000, 10, "63.7"),
    (zero_inflated(0.6), "60 % zeros", 200, 5, "81.7"),
    (binormal(0.8, 3), "hooked, sd of positives 3", 5, 200, "91.3"),
    (binormal(0.8, 1 / 3), "hooked, sd of positives 1/3", 200, 5, "92.3"),
)


def yes_no(tpr: float, fpr: float, n_pos: int, n_neg: int, was: str) -> Iterator[Item]:
    name, size = f"yes/no test, tpr {tpr:g}, fpr {fpr:g}", f"{n_pos} + {n_neg}"

    def exact() -> list[Row]:
        (found, *_) = binary.cell(tpr, fpr, n_pos, n_neg)
        where = COVERAGE, f"1: {name}", size
        return [Row(*where, default, found.coverage, found.width) for default in (AREA, BOOT)]

    yield Item(tuple(Line(1, d, name, size, was) for d in (AREA, BOOT)), exact=exact)


def drawn(population: Any, n_pos: int, n_neg: int, rng: np.random.Generator) -> ScoreTable:
    return rs.tabulate_classes(
        population.pos(rng, (1, n_pos))[0], population.neg(rng, (1, n_neg))[0]
    )


def areas() -> Iterator[Item]:
    for cell in YES_NO:
        yield from yes_no(*cell)
    for population, name, n_pos, n_neg, was in ONE:

        def read(
            table: ScoreTable, rng: np.random.Generator, truth: float = population.auc
        ) -> Iterator[Read]:
            yield from held(COVERAGE, AREA, lambda: interval_of(auc_estimate(table)), truth)
            yield from held(COVERAGE, BOOT, lambda: resample(table, "auc", rng), truth)

        lines = tuple(Line(1, d, name, f"{n_pos} + {n_neg}", was) for d in (AREA, BOOT))
        yield Item(lines, partial(drawn, population, n_pos, n_neg), read)


# --- 2, 8, 9, 10: maxima, rates, thresholds, parts ----------------------------------------------

YOUDEN = 'bootstrap(t, "youden").interval()'
CHANCE = ((30, 30, "59.5"), (50, 50, "50.0"), (20, 200, "14.5"), (200, 200, "17.5"))


def youden_of(area: float) -> float:
    shift = 2**0.5 * float(ndtri(area))
    return float(2 * ndtr(shift / 2) - 1)


def one_statistic(
    line: Line, population: Any, sizes: tuple[int, int], statistic: Any, truth: float
) -> Item:
    def read(table: ScoreTable, rng: np.random.Generator) -> Iterator[Read]:
        exempt = "J = 0" if truth == 0 else ""
        make = partial(resample, table, statistic, rng)
        yield from held(COVERAGE, line.default, make, truth, exempt=exempt)

    return Item((line,), partial(drawn, population, *sizes), read)


def maxima() -> Iterator[Item]:
    for n_pos, n_neg, was in CHANCE:
        line = Line(2, YOUDEN, "area 0.5", f"{n_pos} + {n_neg}", was)
        yield one_statistic(line, binormal(0.5), (n_pos, n_neg), "youden", 0.0)
    for n in (30, 50):
        line = Line(2, YOUDEN, "area 0.52", f"{n} + {n}", "45 to 65")
        yield one_statistic(line, binormal(0.52), (n, n), "youden", youden_of(0.52))


def rates() -> Iterator[Item]:
    skewed, three = exponential(0.9), ratings(LOW, HIGH)
    for tpr, was in ((0.8, "86.5"), (0.95, "78.5")):
        name = f"bootstrap(t, fpr_at({tpr:g})).interval()"
        line = Line(8, name, "exponential, area 0.9", "20 + 50", was)
        yield one_statistic(line, skewed, (20, 50), fpr_at(tpr), float(skewed.fpr_at(tpr)))
    name = "bootstrap(t, tpr_at(0.05)).interval()"
    line = Line(8, name, "three levels", "20 + 50", "87.5")
    yield one_statistic(line, three, (20, 50), tpr_at(0.05), float(three.tpr_at(0.05)))


def threshold() -> Iterator[Item]:
    ratio = 9.0  # means of both classes, at an area of .9
    truth = float(np.log(ratio) / (1 - 1 / ratio))
    line = Line(9, "threshold_bootstrap(t).interval()", "exponential, area 0.9", "20 + 200", "76")

    def read(table: ScoreTable, rng: np.random.Generator) -> Iterator[Read]:
        def make() -> Any:
            return threshold_bootstrap(table, rng=rng, progress=False).interval(LEVEL)

        yield from held(COVERAGE, line.default, make, truth)

    yield Item((line,), partial(drawn, exponential(0.9), 20, 200), read)


def parts() -> Iterator[Item]:
    for sd, size, most in ((3, (50, 50), 0.1), (3, (20, 200), 0.2), (1 / 3, (50, 50), 0.2)):
        population = binormal(0.85, sd)
        name = f"hooked, sd of positives {sd:.3g}, fpr 0 to {most:g}"
        default = "partial_auc_estimate(t, fpr=...).interval()"
        line = Line(10, default, name, f"{size[0]} + {size[1]}", "91 to 92")
        truth = population.partial_auc(fpr=(0, most))

        def read(
            table: ScoreTable,
            _: object,
            truth: float = truth,
            most: float = most,
            default: str = default,
        ) -> Iterator[Read]:
            make = partial(partial_auc_estimate, table, fpr=(0, most))
            yield from held(COVERAGE, default, lambda: interval_of(make()), truth)

        yield Item((line,), partial(drawn, population, *size), read)


# --- 3, 7: differences and margins ------------------------------------------------------------

GAP = "auc_difference(data).interval()"
DELONG = "DeLong, normal"
NONINFERIOR = "noninferiority_test"
EQUIVALENT = "equivalence_test"


def pair(
    areas: tuple[float, float], r: float, size: tuple[int, int]
) -> Callable[[np.random.Generator], PairedScores]:
    population = paired_binormal(areas, r_pos=r, r_neg=r)
    return lambda rng: population.draw(*size, rng=rng)


def gap_of(data: PairedScores, truth: float) -> Iterator[Read]:
    gap = auc_difference(data, *data.names)
    yield from held(COVERAGE, GAP, lambda: interval_of(gap), truth)
    half = -float(ndtri((1 - LEVEL) / 2)) * float(gap.se)
    make = (gap.value - half, gap.value + half)
    yield from held(COVERAGE, DELONG, lambda: make, truth, beside=True)


def margin_of(data: PairedScores, margin: float, section: str) -> Iterator[Read]:
    """Read whether the first score is called not inferior, and both equivalent."""
    gap = auc_difference(data, *data.names)
    yield from rejected(
        section, NONINFERIOR, lambda: float(noninferiority_test(gap, margin).pvalue)
    )
    yield from rejected(section, EQUIVALENT, lambda: float(equivalence_test(gap, margin).pvalue))
    p = float(ndtr(-(gap.value + margin) / float(gap.se))) if gap.se else 1.0
    yield from rejected(section, DELONG, lambda: p, beside=True)


def differences() -> Iterator[Item]:
    lines: tuple[Line, ...]
    name, size = "r .95, areas .95 and .95", (30, 300)
    lines = (Line(3, GAP, name, "30 + 300", "100 (.081; DeLong .029)", width=True, other=DELONG),)
    yield Item(lines, pair((0.95, 0.95), 0.95, size), lambda d, _: gap_of(d, 0.0))
    name = f"{name}, margin .03"
    was = "power 49, DeLong 94"
    line = Line(3, NONINFERIOR, name, "30 + 300", was, KEEPS, OTHER, other=DELONG)
    yield Item((line,), pair((0.95, 0.95), 0.95, size), lambda d, _: margin_of(d, 0.03, OTHER))
    name = "r .95, areas .92 and .95, margin .03"
    lines = (
        Line(3, NONINFERIOR, name, "30 + 300", "0.0", "6 or less", SIZE, other=DELONG),
        Line(3, EQUIVALENT, name, "30 + 300", "", "6 or less", SIZE),
    )
    yield Item(lines, pair((0.92, 0.95), 0.95, size), lambda d, _: margin_of(d, 0.03, SIZE))
    name, was = "r .999, areas .9 and .9", "width .0036; DeLong .0015"
    line = Line(3, GAP, name, "1000 + 1000", was, width=True, other=DELONG)
    many = pair((0.9, 0.9), 0.999, (1000, 1000))
    yield Item((line,), many, lambda d, _: gap_of(d, 0.0))
    name = "r .95, areas .9 and .8"
    line = Line(3, AGREE, name, "15 + 15", "58.8 against 35.6 reject", "100, the same cases", OTHER)
    yield Item((line,), pair((0.9, 0.8), 0.95, (15, 15)), lambda d, _: agree(d))


AGREE = "interval and test agree"


def agree(data: PairedScores) -> Iterator[Read]:
    """Read whether the test of equal areas and the interval say the same."""
    gap = auc_difference(data, *data.names)
    low, high = gap.interval(LEVEL)
    outside, rejects = not low <= 0 <= high, bool(gap.test().pvalue <= 1 - LEVEL)
    yield Read(OTHER, AGREE, outside == rejects)
    yield Read(OTHER, "test rejects", rejects)
    yield Read(OTHER, "interval excludes 0", outside)


def yes_no_margin() -> Iterator[Item]:
    """Two yes/no tests of the same cases at the margin: Normal scores of r .5, cut."""
    (tpr, fpr), n_pos, n_neg = ((0.95, 0.98), (0.1, 0.05)), 20, 1000

    def draw(rng: np.random.Generator) -> PairedScores:
        label = np.repeat([True, False], [n_pos, n_neg])
        common = rng.normal(size=(label.size, 1))
        z = 0.5**0.5 * (common + rng.normal(size=(label.size, 2)))
        called = np.where(label[:, None], z <= ndtri(tpr), z <= ndtri(fpr))
        return rs.pair_scores(label, {"a": called[:, 0] * 1.0, "b": called[:, 1] * 1.0})

    margin = (tpr[1] - fpr[1] - tpr[0] + fpr[0]) / 2
    name = "two yes/no tests, .95/.1 and .98/.05"
    lines = (
        Line(7, NONINFERIOR, name, "20 + 1000", "18.3", "6 or less", SIZE),
        Line(7, EQUIVALENT, name, "20 + 1000", "", "6 or less", SIZE),
    )
    yield Item(lines, draw, lambda d, _: margin_of(d, margin, SIZE))


# --- 4: folds ---------------------------------------------------------------------------------

FOLDS = "cv_auc_estimate(tables).interval()"


def null_folds(
    fit: Callable[..., NDArray[np.float64]],
    features: int,
    n: int,
    folds: int,
    rng: np.random.Generator,
) -> Mapping[Any, ScoreTable]:
    """Cross-validate on features that know nothing: every model has an area of a half."""
    label = np.repeat([True, False], n)
    x = rng.normal(size=(2 * n, features))
    fold = np.concatenate([rng.permutation(n) % folds for _ in range(2)])
    score = np.empty(2 * n)
    for k in range(folds):
        train = fold != k
        score[~train] = x[~train] @ fit(x[train], label[train])
    return fold_tables(label, score, fold)


def weak_learners() -> Iterator[Item]:
    for fit, features, n, name, was in (
        (best_feature, 30, 25, "best of 30 null features, 5 folds", "87.8"),
        (centroid, 50, 30, "nearest centroid, 50 null features, 5 folds", "89.1"),
    ):
        line = Line(4, FOLDS, name, f"{n} + {n}", was)

        def read(tables: Any, _: object) -> Iterator[Read]:
            yield from held(COVERAGE, FOLDS, lambda: interval_of(cv_auc_estimate(tables)), 0.5)

        yield Item((line,), partial(null_folds, fit, features, n, 5), read)


# --- 5, 6: weights and clusters ---------------------------------------------------------------

WEIGHTED = "auc_estimate(t).interval(), weights"
BAND = 'roc_band(t, method="likelihood"), weights'


def weights() -> Iterator[Item]:
    usual = binormal(0.8)
    for draw, name, sizes, was in (
        (two_phase, "two-phase, 5 % of the low scores, weight 20", (20, 500), "54"),
        (tilted, "drawn by score, w = exp(-s)", (20, 500), "78.8"),
        (tilted, "drawn by score, w = exp(-s)", (200, 200), "91.2"),
    ):
        size = f"{sizes[0]} + {sizes[1]}"
        lines = [Line(5, WEIGHTED, name, size, was)]
        if sizes == (20, 500):
            lines.append(Line(5, BAND, name, size, "83"))

        def read(table: ScoreTable, _: object, band: bool = sizes == (20, 500)) -> Iterator[Read]:
            yield from held(COVERAGE, WEIGHTED, lambda: interval_of(auc_estimate(table)), 0.8)
            if band:
                made = roc_band(table)
                yield Read(COVERAGE, BAND, bool(made.contains(usual.tpr_at)))

        yield Item(tuple(lines), partial(draw, 0.8, *sizes), read)


CLUSTERED, CLUSTERED_GAP = "clustered_auc_estimate(data).interval()", f"{GAP}, clusters"
CLUSTERED_TEST = "auc_difference(data).test(), clusters"


def clusters() -> Iterator[Item]:
    name, size = "pure clusters, one of 60 and 19 of 3, ICC .8", "20 clusters"
    lines = (
        Line(6, CLUSTERED, name, size, "74.8"),
        Line(6, CLUSTERED_GAP, name, size, "82.0"),
        Line(6, CLUSTERED_TEST, name, size, "14.8", "6.5 or less", SIZE),
    )
    yield Item(lines, partial(pure_clusters, (60, *[3] * 19), 0.8, (0.8, 0.8)), clustered)
    line = Line(6, CLUSTERED, "pure clusters, 10 of 10, ICC .8", "10 clusters", "87.1")
    yield Item((line,), partial(pure_clusters, (10,) * 10, 0.8, (0.8, 0.8)), clustered)


def clustered(data: PairedScores, _: object) -> Iterator[Read]:
    def area() -> Any:
        return interval_of(clustered_auc_estimate(data, data.names[0]))

    yield from held(COVERAGE, CLUSTERED, area, 0.8)
    gap = auc_difference(data, *data.names)
    yield from held(COVERAGE, CLUSTERED_GAP, lambda: interval_of(gap), 0.0)
    yield from rejected(SIZE, CLUSTERED_TEST, lambda: float(gap.test().pvalue))


# --- 11, 12: plans and likelihood ratios ------------------------------------------------------

PLAN = "plan_paired, default test"
PlannedPair = Callable[[], tuple[PairedPopulation, Design]]
PLANS = (((0.95, 0.85), 0.9, "85.7"), ((0.98, 0.9), 0.5, "85.7"), ((0.98, 0.9), 0.9, "87.4"))


def plans() -> Iterator[Item]:
    for areas, r, was in PLANS:
        planned = cache(partial(planned_pair, areas, r))
        name = f"areas {areas[0]:g} and {areas[1]:g}, r {r:g}, planned 80"
        line = Line(11, PLAN, name, "as planned", was, "within 2 of what is told", PLANNED)

        def draw(rng: np.random.Generator, planned: PlannedPair = planned) -> PairedScores:
            population, design = planned()
            return population.draw(int(design.n_pos), int(design.n_neg), rng=rng)

        def read(data: PairedScores, _: object, planned: PlannedPair = planned) -> Iterator[Read]:
            test = auc_difference(data, *data.names).test(alternative="greater")
            told = planned()[1].power
            yield from rejected(PLANNED, PLAN, lambda: float(test.pvalue), 0.025, told)

        yield Item((line,), draw, read)


def planned_pair(areas: tuple[float, float], r: float) -> tuple[PairedPopulation, Design]:
    population = paired_binormal(areas, r_pos=r, r_neg=r)
    return population, plan_paired(population).for_power(0.8)


RATIO = 'likelihood_ratio_interval(method="log")'


def ratio() -> Iterator[Item]:
    textbook = 1.003, 1.292  # exp(log(LR) -+ z sqrt(1/tp - 1/P + 1/fp - 1/N))
    line = Line(
        12, RATIO, "tp 20, fp 29, fn 0, tn 4", "20 + 33", "[.971, 1.304]", "as the textbook's"
    )

    def exact() -> list[Row]:
        point = OperatingPoint(
            threshold=0.0, tp=20, fp=29, fn=0, tn=4, next_score=0.0, n_eff=(20.0, 33.0)
        )
        found = likelihood_ratio_interval(point, "positive", level=LEVEL, method="log")
        same = max(abs(a - b) for a, b in zip(found, textbook, strict=True)) < 6e-4
        return [Row(*line.where, RATIO, float(same), found.width, exempt="exact")]

    yield Item((line,), exact=exact)


# --- the part and the table -------------------------------------------------------------------

TOPICS = (
    areas,
    maxima,
    differences,
    weak_learners,
    weights,
    clusters,
    yes_no_margin,
    rates,
    threshold,
    parts,
    plans,
    ratio,
)


@cache
def items() -> tuple[Item, ...]:
    return tuple(item for topic in TOPICS for item in topic())


def defaults(section: str) -> tuple[str, ...]:
    lines = (line for item in items() for line in item.lines)
    return tuple(dict.fromkeys(line.default for line in lines if line.section == section))


SECTIONS: tuple[tuple[str, Kind, tuple[str, ...]], ...] = (
    (COVERAGE, "coverage", defaults(COVERAGE)),
    (SIZE, "size", defaults(SIZE)),
    (PLANNED, "planned", defaults(PLANNED)),
    (OTHER, "power", ()),
)


def count() -> int:
    return len(items())


def rows(samples: int, number: int) -> list[Row]:
    return items()[number].rows(samples)


def table(measured: Sequence[Row], missed: Collection[tuple[str, ...]] = ()) -> str:
    """Return the table of what was found and what is measured now, bold what misses."""
    found = {row.key: row for row in measured if row.part == "study"}
    head = """\
## What the second study found, and now

Each line is of a simulation study of version 0.1, in populations that this ledger did not have,
beside the same measured now by `python -m benchmarks.coverage study`: percent, with the mean width
in brackets; what misses by the rule is **bold**. Where the study did not describe a population
completely, one of its kind is used here.

| finding | default | situation | size | 0.1 | now | R | goal |
|---|---|---|---|---:|---:|---:|---|
"""
    lines = []
    for line in (line for item in items() for line in item.lines):
        row = found.get((*line.where, line.default))
        if row is None:
            continue
        other = found.get((*line.where, line.other))
        now = say(line, row, other)
        now = f"**{now}**" if row.key in missed else now
        many = str(row.samples or "exact")
        cells = line.item, line.default, line.situation, line.size, line.was, now, many, line.goal
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return head + "\n".join(lines) + "\n"


def say(line: Line, row: Row, other: Row | None) -> str:
    text = f"{100 * row.coverage:.1f}"
    if line.item == 12:
        return "as the textbook's" if row.coverage == 1 else "differs"
    if row.width > 0:
        text += f" ({'told ' if row.section == PLANNED else ''}{row.width:.3g}"
        text += f"; {other.interval} {other.width:.3g})" if other else ")"
    elif other:
        text += f" ({other.interval} {100 * other.coverage:.1f})"
    return text
