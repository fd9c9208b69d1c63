"""The widened ledger: every default in populations of every kind that users have.

Each cell draws its samples once and reads all defaults from them. A third of the populations are
of validation: they served to choose no constant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

import rocspace as rs
from benchmarks.coverage import (
    calibration,
    classes,
    covariates,
    decided,
    losses,
    off_line,
    procedures,
    survival,
    timed,
)
from benchmarks.coverage import folds as crossed
from benchmarks.coverage.cells import (
    LEFT_OUT,
    Cell,
    Read,
    Reader,
    held,
    interval_of,
    part,
    rejected,
    sizes_of,
)
from benchmarks.coverage.learners import Fit, best_feature, centroid, ridge
from benchmarks.coverage.ledger import (
    CALLED,
    LEVEL,
    SAMPLES_OF_BANDS,
    SEED,
    Kind,
    Role,
    Section,
)
from benchmarks.coverage.margins import (
    BENT,
    BY_NAME,
    DEV,
    MARGINS,
    PAIRS,
    VAL,
    Margin,
    Pair,
    levels,
)
from benchmarks.coverage.populations import (
    lognormal_weights,
    mixed_clusters,
    pure_clusters,
    tilted,
    two_phase,
)
from rocspace import results
from rocspace.averaging import cv_auc_estimate, fold_tables
from rocspace.bands import difference_band, roc_band
from rocspace.compare import auc_difference, equivalence_test, noninferiority_test
from rocspace.costs import resample_cost, resample_cost_difference
from rocspace.counts import PairedScores, ScoreTable, pair_scores, tabulate_classes
from rocspace.curves import pr_area_estimate, two_way_partial_auc
from rocspace.inference import (
    auc_estimate,
    auc_test,
    clustered_auc_estimate,
    clustered_test,
    delong,
    fpr_at_interval,
    ks_test,
    partial_auc_estimate,
    tpr_at_interval,
    two_way_partial_auc_interval,
    youden_interval,
)
from rocspace.models import fit_kernel, fit_labroc, fit_paired, fit_rating
from rocspace.operating import threshold_bootstrap
from rocspace.planning import (
    Plan,
    plan_area,
    plan_difference,
    plan_from_fit,
    plan_from_fits,
    plan_from_pilot,
    plan_paired,
)
from rocspace.resampling import bootstrap, difference, two_way_area
from rocspace.results import Interval
from rocspace.simulate import Population, binormal, gamma, paired_binormal, ratings

DEFAULT = "default"
AT_CHANCE = "at the boundary: no discrimination"


def section(name: str, kind: Kind = "coverage", *, targets: bool = False) -> Section:
    """Return the section of one default, whose only interval is what one gets without asking."""
    return Section(
        name, name[0].upper() + name[1:], kind=kind, defaults=(DEFAULT,), wide=True, targets=targets
    )


def left_out(section_: str, why: str) -> Iterator[Read]:
    yield Read(section_, DEFAULT, inside=False, width=float("nan"), exempt=f"{LEFT_OUT}{why}")


# --- one score --------------------------------------------------------------------------------

AREA, PR = "wide: auc_estimate", "wide: pr_area_estimate"
PART, BESIDE = "wide: partial_auc_estimate, fpr 0 to .1", "wide: partial_auc_estimate, tpr .8 to 1"
WIDER_PART = "wide: partial_auc_estimate, fpr 0 to .3"
ONE_SIZES = (
    (5, 5),
    (5, 50),
    (50, 5),
    (20, 20),
    (20, 200),
    (200, 20),
    (50, 50),
    (20, 1000),
    (10_000, 10),
    (10, 10_000),
    (500, 500),
)


INNER: dict[str, dict[str, Any]] = {
    "wide: partial_auc_estimate, fpr .1 to .3": {"fpr": (0.1, 0.3)},
    "wide: partial_auc_estimate, tpr .6 to .9": {"tpr": (0.6, 0.9)},
}
INNER_SIZES = ((8, 30), (20, 20), (20, 100), (100, 12), (60, 60), (400, 400))


def one_score(
    make: Callable[[Margin, int, int], Cell], sizes: Iterable[tuple[int, int]] = ONE_SIZES
) -> tuple[Cell, ...]:
    return tuple(make(margin, *each) for margin, each in product(MARGINS, sizes))


def area_cell(margin: Margin, n_pos: int, n_neg: int) -> Cell:
    def read(table: ScoreTable, _: object) -> Iterator[Read]:
        estimate = auc_estimate(table)
        yield from held(AREA, DEFAULT, lambda: interval_of(estimate), margin.auc)
        for scale in ("logit", "identity"):
            make = partial(estimate.interval, LEVEL, scale=scale)
            yield from held(AREA, f"DeLong, {scale}", make, margin.auc, beside=True)

    return one_cell(margin, (n_pos, n_neg), read)


def part_cell(margin: Margin, n_pos: int, n_neg: int) -> Cell:
    asked: tuple[tuple[str, Callable[[ScoreTable], Any], float], ...] = (
        (PART, partial(partial_auc_estimate, fpr=(0, 0.1)), margin.partial_auc(fpr=(0, 0.1))),
        (WIDER_PART, partial(partial_auc_estimate, fpr=(0, 0.3)), margin.partial_auc(fpr=(0, 0.3))),
        (BESIDE, partial(partial_auc_estimate, tpr=(0.8, 1)), margin.part_beside(0.8, 1)),
    )

    def read(table: ScoreTable, _: object) -> Iterator[Read]:
        for name, estimate, truth in asked:
            found = estimate(table)
            yield from held(name, DEFAULT, partial(found.interval, LEVEL), truth)
            make = partial(found.interval, LEVEL, scale="logit")
            yield from held(name, "logit", make, truth, beside=True)

    return one_cell(margin, (n_pos, n_neg), read)


def inner_cell(margin: Margin, n_pos: int, n_neg: int) -> Cell:
    """Read parts over rates that begin above 0, or end below 1."""
    truths = {
        name: margin.partial_auc(**of) if "fpr" in of else margin.part_beside(*of["tpr"])
        for name, of in INNER.items()
    }

    def read(table: ScoreTable, _: object) -> Iterator[Read]:
        for name, of in INNER.items():
            found = partial_auc_estimate(table, **of)
            yield from held(name, DEFAULT, partial(found.interval, LEVEL), truths[name])
            for scale in ("moderated", "logit"):
                make = partial(found.interval, LEVEL, scale=scale)
                yield from held(name, scale, make, truths[name], beside=True)

    return one_cell(margin, (n_pos, n_neg), read)


FEW = ((5, 100), (10, 1000), (5, 1000))
FEW_RARE = ((5, 100), (5, 1000), (20, 1000))
RARE = (  # false positives in one of a thousand negatives or fewer
    levels("three levels, rare", (10, 30, 60), (950, 49.5, 0.5), DEV),
    levels("five levels, rare", (2, 3, 15, 20, 60), (800, 150, 40, 9, 1), DEV),
    levels("yes/no, .99 and .0005", (1, 99), (9995, 5), DEV),
    levels("three levels, rare and weak", (60, 25, 15), (900, 99, 1), VAL),
    levels("yes/no, .97 and .0002", (3, 97), (9998, 2), VAL),
)


def with_precision(name: str, margin: Margin, n_pos: int, n_neg: int) -> Cell:
    """Read the area of precision and recall alone, or the average precision."""
    steps = name == BOOT_AP
    truth = margin.average_precision(n_pos / (n_pos + n_neg), steps=steps)

    def read(table: ScoreTable, rng: np.random.Generator) -> Iterator[Read]:
        if steps:
            make = partial(boot, table, "average_precision", rng, n_boot=2)
            yield from held(name, DEFAULT, make, truth)
            return
        found = pr_area_estimate(table)
        yield from held(name, DEFAULT, partial(found.interval, LEVEL), truth)
        make = partial(found.interval, LEVEL, scale="logit")
        yield from held(name, "logit", make, truth, beside=True)

    return one_cell(margin, (n_pos, n_neg), read)


def few_positives(name: str, sizes: Iterable[tuple[int, int]] = FEW) -> Iterator[Cell]:
    """Cells of a few positives among many negatives, and of rare false positives."""
    for margin, size in (*product(MARGINS, sizes), *product(RARE, FEW_RARE)):
        yield with_precision(name, margin, *size)


def one_cell(margin: Margin, sizes: tuple[int, int], read: Reader) -> Cell:
    draw = partial(margin.draw, *sizes)
    return Cell(margin.name, sizes_of(*sizes), draw, read, margin.role)


# --- tests against chance ---------------------------------------------------------------------

AUC_TEST, KS_TEST = "wide: size of auc_test", "wide: size of ks_test"


def alike() -> tuple[Cell, ...]:
    """Both classes have the same distribution: that of the negatives of some populations."""
    names = (
        "Normal, area 0.75",
        "zero-inflated, 0.8 and 0.05",
        "five levels",
        "yes/no, .95 and .1",
        "heavy tails, t2, shift 3",
        "four levels",
    )
    sizes = ((5, 5), (5, 100), (100, 5), (20, 20), (20, 1000), (200, 200))
    return tuple(alike_cell(BY_NAME[name], *size) for name, size in product(names, sizes))


def alike_cell(margin: Margin, n_pos: int, n_neg: int) -> Cell:
    def draw(rng: np.random.Generator) -> ScoreTable:
        return rs.tabulate_classes(margin.neg(rng, (n_pos,)), margin.neg(rng, (n_neg,)))

    def read(table: ScoreTable, _: object) -> Iterator[Read]:
        yield from rejected(AUC_TEST, DEFAULT, lambda: float(auc_test(table).pvalue))
        yield from rejected(KS_TEST, DEFAULT, lambda: float(ks_test(table).pvalue))

    name = f"both as negatives of: {margin.name}"
    return Cell(name, sizes_of(n_pos, n_neg), draw, read, margin.role)


# --- what is resampled ------------------------------------------------------------------------

BOOT_SIZES = ((20, 50), (50, 50), (100, 20), (5, 100), (200, 200))
LARGE = ((1000, 1000), (20, 2000))
BENT_SIZES = ((20, 20), (50, 50), (5, 100), (200, 200))
LARGE_NAMES = (
    "Normal, area 0.75",
    "Normal, area 0.5",
    "hooked, sd 3, area 0.8",
    "zero-inflated, 0.8 and 0.05",
    "yes/no, .8 and .02",
)
RATES = (0.01, 0.05, 0.1, 0.3, 0.7, 0.99)
TPRS = (0.05, 0.5, 0.8, 0.95, 0.99)
PROBABILITIES = (0.2, 0.5, 0.8)
BOOT, BOOT_PART = "wide: bootstrap of auc", "wide: bootstrap of a part, fpr 0 to .2"
BOOT_TPR, BOOT_FPR = "wide: bootstrap of tpr_at", "wide: bootstrap of fpr_at"
BOOT_J, BOOT_AP = "wide: bootstrap of youden", "wide: bootstrap of average_precision"
TWO_WAY = "wide: bootstrap of one's own function, a two-way area, fpr to .4, tpr from .5"
CORNERS = ((0.4, 0.5), (0.1, 0.8))
CORNER_SIZES = ((10, 10), (20, 50), (50, 20), (15, 300), (200, 200))
THRESHOLD, COST = "wide: threshold_bootstrap", "wide: resample_cost"


def boot(data: Any, statistic: Any, rng: np.random.Generator, **options: Any) -> Any:
    options |= {"rng": rng, "threads": 1, "progress": False}
    return bootstrap(data, statistic, **options).interval(LEVEL)


def boot_cell(margin: Margin, n_pos: int, n_neg: int) -> Cell:
    chance = AT_CHANCE if margin.youden < 1e-6 else ""
    costs = [margin.least_cost(p) for p in PROBABILITIES]

    def read(table: ScoreTable, rng: np.random.Generator) -> Iterator[Read]:
        band = resample_cost(table, PROBABILITIES, rng=rng, threads=1, progress=False)
        ends = band.interval(LEVEL)
        for p, low, high, truth in zip(PROBABILITIES, ends.low, ends.high, costs, strict=True):
            yield from held(COST, f"at {p:g}", partial(tuple, (low, high)), truth, exempt=chance)

    return one_cell(margin, (n_pos, n_neg), read)


# --- areas, rates, maxima: limits without replicates, which `bootstrap` gives, too ---------------


def boot_cells(make: Callable[[Margin, int, int], Cell]) -> tuple[Cell, ...]:
    """Return the cells of what `bootstrap` is asked for."""
    small = [make(margin, *size) for margin, size in product(MARGINS, BOOT_SIZES)]
    large = [make(BY_NAME[name], *size) for name, size in product(LARGE_NAMES, LARGE)]
    return (*small, *large)


def limits_cells() -> tuple[Cell, ...]:
    """Return the cells of all populations, and of curves with a corner at rates asked for."""
    bent = [limits_cell(margin, *size) for margin, size in product(BENT, BENT_SIZES)]
    return (*boot_cells(limits_cell), *bent)


def limits_cell(margin: Margin, n_pos: int, n_neg: int) -> Cell:
    ends = {True: "at 0 or 1", False: ""}
    asked: list[tuple[str, float, Callable[..., Any], float]] = [
        *((BOOT_TPR, x, tpr_at_interval, float(margin.tpr_at(x))) for x in RATES),
        *((BOOT_FPR, x, fpr_at_interval, float(margin.fpr_at(x))) for x in TPRS),
    ]

    part = margin.partial_auc(fpr=(0, 0.2))

    def read(table: ScoreTable, _: object) -> Iterator[Read]:
        yield from held(BOOT, DEFAULT, lambda: interval_of(auc_estimate(table)), margin.auc)
        found = partial_auc_estimate(table, fpr=(0, 0.2))
        yield from held(BOOT_PART, DEFAULT, lambda: interval_of(found), part)
        for name, x, interval, truth in asked:
            make = partial(interval, table, x, level=LEVEL)
            yield from held(name, f"at {x:g}", make, truth, exempt=ends[truth in (0.0, 1.0)])
            if margin in BENT:
                other = partial(make, method="rank mixture")
                yield from held(name, f"rank mixture at {x:g}", other, truth, beside=True)

    return one_cell(margin, (n_pos, n_neg), read)


def precisions() -> tuple[Cell, ...]:
    """Cells of the average precision: 5 + 100 cases are among the sizes of all."""
    return (*boot_cells(partial(with_precision, BOOT_AP)), *few_positives(BOOT_AP, FEW[1:]))


def index_cell(margin: Margin, n_pos: int, n_neg: int) -> Cell:
    chance = AT_CHANCE if margin.youden < 1e-6 else ""

    def read(table: ScoreTable, _: object) -> Iterator[Read]:
        make = partial(youden_interval, table, level=LEVEL)
        yield from held(BOOT_J, DEFAULT, make, margin.youden, exempt=chance)

    return one_cell(margin, (n_pos, n_neg), read)


def best_cell(margin: Margin, n_pos: int, n_neg: int) -> Cell:
    threshold, gap = margin.best_threshold()
    jumps = margin.youden < 1e-6 or (margin.discrete and gap < 1e-3)

    def read(table: ScoreTable, rng: np.random.Generator) -> Iterator[Read]:
        if jumps:
            yield from left_out(THRESHOLD, "the target jumps, several thresholds are optimal")
            return
        yield from held(
            THRESHOLD,
            DEFAULT,
            lambda: threshold_bootstrap(table, rng=rng, progress=False).interval(LEVEL),
            threshold,
        )

    return one_cell(margin, (n_pos, n_neg), read)


def corner_section(corner: tuple[float, float]) -> str:
    """Name a corner, without zeros before points."""
    max_fpr, min_tpr = (f"{x:g}"[1:] for x in corner)
    return f"wide: two_way_partial_auc_interval, fpr to {max_fpr}, tpr from {min_tpr}"


def corners() -> tuple[Cell, ...]:
    return tuple(corner_cell(margin, *size) for margin, size in product(MARGINS, CORNER_SIZES))


def corner_cell(margin: Margin, n_pos: int, n_neg: int) -> Cell:
    asked = [(corner_section(each), each, corner_area(margin, *each)) for each in CORNERS]

    def read(table: ScoreTable, _: object) -> Iterator[Read]:
        for name, (max_fpr, min_tpr), truth in asked:
            make = partial(
                two_way_partial_auc_interval, table, max_fpr=max_fpr, min_tpr=min_tpr, level=LEVEL
            )
            yield from held(name, DEFAULT, make, truth, exempt="" if truth > 0 else "at 0")

    return one_cell(margin, (n_pos, n_neg), read)


def corner_area(margin: Margin, max_fpr: float, min_tpr: float) -> float:
    x = np.linspace(0, max_fpr, 20_001)
    return float(np.trapezoid(np.maximum(margin.tpr_at(x) - min_tpr, 0), x))


def two_way_parts() -> tuple[Cell, ...]:
    """A statistic of one's own: few cells."""
    return tuple(two_way_cell(margin, 20, 50) for margin in MARGINS)


def own_corner(sample: ScoreTable) -> float:
    """Return an area in a corner, as a function of one's own."""
    return float(two_way_partial_auc(sample, max_fpr=0.4, min_tpr=0.5))


def of_own(table: ScoreTable, rng: np.random.Generator) -> Interval:
    """Return the default interval of `own_corner`, its replicates computed all at once."""
    statistic = two_way_area(max_fpr=0.4, min_tpr=0.5)
    sample = bootstrap(table, statistic, rng=rng, threads=1, progress=False)
    unknown = replace(sample._run, range=(-np.inf, np.inf), limits=())
    return replace(sample, _run=unknown).interval(LEVEL)


def two_way_cell(margin: Margin, n_pos: int, n_neg: int) -> Cell:
    truth = corner_area(margin, 0.4, 0.5)

    def read(table: ScoreTable, rng: np.random.Generator) -> Iterator[Read]:
        yield from held(TWO_WAY, DEFAULT, lambda: of_own(table, rng), truth)

    draw = partial(margin.draw, n_pos, n_neg)
    return Cell(margin.name, sizes_of(n_pos, n_neg), draw, read, margin.role)


# --- two scores of the same cases -------------------------------------------------------------

GAP, GAP_PART = "wide: auc_difference", "wide: auc_difference, fpr 0 to .2"
GAP_TEST = "wide: size of the test of auc_difference"
NONINFERIOR = "wide: size of noninferiority_test at the margin"
EQUIVALENT = "wide: size of equivalence_test at the margin"
PAIR_SIZES = ((5, 5), (5, 50), (15, 15), (50, 5), (30, 300), (20, 1000), (50, 50), (200, 200))


def two_scores() -> tuple[Cell, ...]:
    return tuple(pair_cell(pair, *sizes) for pair, sizes in product(PAIRS, PAIR_SIZES))


def placements(own: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the share of others below each, ties half."""
    ordered = np.sort(others)
    both = np.searchsorted(ordered, own) + np.searchsorted(ordered, own, "right")
    return np.asarray(both / (2 * others.size))


def textbook(data: PairedScores) -> tuple[float, float]:
    """Return DeLong's interval as in textbooks, by a second implementation."""
    pos, neg = data.score[data.label], data.score[~data.label]
    v = [placements(pos[:, j], neg[:, j]) for j in range(2)]
    w = [placements(neg[:, j], pos[:, j]) for j in range(2)]
    value = float((v[0] - v[1]).mean())
    variance = sum(float((a - b).var(ddof=1)) / a.size for a, b in (v, w))
    half = -float(ndtri((1 - LEVEL) / 2)) * variance**0.5
    return value - half, value + half


def pair_cell(pair: Pair, n_pos: int, n_neg: int) -> Cell:
    truth = pair.truth if abs(pair.truth) > 1e-9 else 0.0
    part_truth = pair.first.partial_auc(fpr=(0, 0.2)) - pair.second.partial_auc(fpr=(0, 0.2))

    def read(data: PairedScores, _: object) -> Iterator[Read]:
        gap = auc_difference(data, "first", "second")
        yield from held(GAP, DEFAULT, lambda: interval_of(gap), truth)
        yield from held(GAP, "DeLong, normal", lambda: textbook(data), truth, beside=True)
        part_of = auc_difference(data, "first", "second", fpr=(0, 0.2))
        yield from held(GAP_PART, DEFAULT, lambda: interval_of(part_of), part_truth)
        if truth == 0:
            yield from rejected(GAP_TEST, DEFAULT, lambda: float(gap.test().pvalue))
            return
        worse = gap if truth < 0 else auc_difference(data, "second", "first")
        margin = abs(truth)
        yield from rejected(
            NONINFERIOR, DEFAULT, lambda: float(noninferiority_test(worse, margin).pvalue)
        )
        yield from rejected(
            EQUIVALENT, DEFAULT, lambda: float(equivalence_test(worse, margin).pvalue)
        )

    draw = partial(pair.draw, n_pos, n_neg)
    return Cell(pair.name, sizes_of(n_pos, n_neg), draw, read, pair.role)


BOOT_GAP, COST_GAP = "wide: bootstrap of a difference of areas", "wide: resample_cost_difference"
BAND_GAP, BAND = "wide: difference_band", "wide: roc_band"


def resampled_pairs() -> tuple[Cell, ...]:
    sizes = ((20, 50), (50, 50), (200, 100))
    return tuple(boot_pair(pair, *size) for pair, size in product(PAIRS, sizes))


def boot_pair(pair: Pair, n_pos: int, n_neg: int) -> Cell:
    truth = pair.truth
    costs = [pair.first.least_cost(p) - pair.second.least_cost(p) for p in PROBABILITIES]

    def read(data: PairedScores, rng: np.random.Generator) -> Iterator[Read]:
        yield from held(BOOT_GAP, DEFAULT, lambda: boot(data, difference(), rng), truth)
        found = resample_cost_difference(
            data, PROBABILITIES, rng=rng, threads=1, progress=False
        ).interval(LEVEL)
        for p, low, high, value in zip(PROBABILITIES, found.low, found.high, costs, strict=True):
            yield from held(COST_GAP, f"at {p:g}", partial(tuple, (low, high)), value)
        band = difference_band(data, rng=rng, threads=1, progress=False)
        curve = pair.first.tpr_at(band.fpr) - pair.second.tpr_at(band.fpr)
        width = float(np.trapezoid(band.high - band.low, band.fpr))
        yield Read(BAND_GAP, DEFAULT, bool(band.contains(lambda _: curve)), width)

    draw = partial(pair.draw, n_pos, n_neg)
    return Cell(pair.name, sizes_of(n_pos, n_neg), draw, read, pair.role)


# --- bands ------------------------------------------------------------------------------------

BAND_SIZES = ((5, 50), (20, 20), (50, 500), (200, 200), (20, 2000))


def whole_curves() -> tuple[Cell, ...]:
    return tuple(band_cell(margin, *sizes) for margin, sizes in product(MARGINS, BAND_SIZES))


def band_cell(margin: Margin, n_pos: int, n_neg: int) -> Cell:
    def read(table: ScoreTable, rng: np.random.Generator) -> Iterator[Read]:
        for name, method in ((DEFAULT, {}), ("working-hotelling", {"method": "working-hotelling"})):
            try:
                band = roc_band(table, rng=rng, threads=1, progress=False, **method)  # type: ignore[arg-type]
            except ValueError:
                continue
            width = float(np.trapezoid(band.high - band.low, band.fpr))
            inside = bool(band.contains(margin.tpr_at))
            yield Read(BAND, name, inside, width, beside=name != DEFAULT)

    draw = partial(margin.draw, n_pos, n_neg)
    return Cell(margin.name, sizes_of(n_pos, n_neg), draw, read, margin.role)


# --- weights ----------------------------------------------------------------------------------

WEIGHTED, WEIGHTED_BAND = "wide: auc_estimate with weights", "wide: roc_band with weights"
WEIGHTED_PART = "wide: partial_auc_estimate with weights, fpr 0 to .2"
WEIGHT_SIZES = ((20, 500), (50, 50), (200, 200), (500, 20))


def weights() -> tuple[Cell, ...]:
    kinds: tuple[tuple[str, Callable[..., ScoreTable], float, Role], ...] = (
        ("two-phase, 1 in 20", two_phase, 0.8, DEV),
        ("two-phase, 1 in 10", partial(two_phase, share=0.1), 0.9, DEV),
        ("tilted, w = exp(-s)", tilted, 0.8, DEV),
        ("tilted, w = exp(s)", partial(tilted, tilt=-1.0), 0.8, DEV),
        ("lognormal, blind to scores", lognormal_weights, 0.85, DEV),
        ("two-phase, 1 in 5", partial(two_phase, cut=0.5, share=0.2), 0.85, VAL),
        ("tilted, w = exp(-s/2)", partial(tilted, tilt=0.5), 0.9, VAL),
    )
    return tuple(weight_cell(*kind, *sizes) for kind, sizes in product(kinds, WEIGHT_SIZES))


def weight_cell(
    name: str, draw: Callable[..., ScoreTable], area: float, role: Role, n_pos: int, n_neg: int
) -> Cell:
    population = binormal(area)
    part_of = population.partial_auc(fpr=(0, 0.2))

    def read(table: ScoreTable, _: object) -> Iterator[Read]:
        yield from held(WEIGHTED, DEFAULT, lambda: interval_of(auc_estimate(table)), area)
        found = partial_auc_estimate(table, fpr=(0, 0.2))
        yield from held(WEIGHTED_PART, DEFAULT, lambda: interval_of(found), part_of)
        band = roc_band(table)
        width = float(np.trapezoid(band.high - band.low, band.fpr))
        yield Read(WEIGHTED_BAND, DEFAULT, bool(band.contains(population.tpr_at)), width)

    situation = f"{name}, area {area:g}"
    return Cell(situation, sizes_of(n_pos, n_neg), partial(draw, area, n_pos, n_neg), read, role)


# --- clusters ---------------------------------------------------------------------------------

CLUSTERED, CLUSTERED_GAP = "wide: clustered_auc_estimate", "wide: auc_difference, clusters"
CLUSTERED_PART = "wide: clustered_auc_estimate, fpr 0 to .3"
CLUSTERED_TEST = "wide: size of the test of auc_difference, clusters"
CLUSTERED_CHANCE = "wide: size of clustered_test"


def pareto(n: int) -> tuple[int, ...]:
    """Return sizes whose tail is Pareto's with exponent 1.2, at the middles of n equal shares."""
    return tuple(int(np.ceil(2 * (1 - (i + 0.5) / n) ** (-1 / 1.2))) for i in range(n))


CLUSTER_SIZES: tuple[tuple[str, tuple[int, ...], Role], ...] = (
    ("10 of 10", (10,) * 10, DEV),
    ("one of 60 and 19 of 3", (60, *[3] * 19), DEV),
    ("Pareto, 20", pareto(20), DEV),
    ("50 of 4", (4,) * 50, DEV),
    ("20 of 2", (2,) * 20, VAL),
    ("two of 30 and 10 of 4", (30, 30, *[4] * 10), VAL),
)


def clusters() -> tuple[Cell, ...]:
    kinds = (("pure", pure_clusters), ("mixed", mixed_clusters))
    cells = product(CLUSTER_SIZES, kinds, (0.05, 0.3, 0.8))
    return tuple(cluster_cell(*size, *kind, icc) for size, kind, icc in cells)


def cluster_cell(
    sizes_name: str,
    sizes: tuple[int, ...],
    role: Role,
    kind: str,
    make: Callable[..., PairedScores],
    icc: float,
) -> Cell:
    area = 0.8 if role == DEV else 0.88
    part_of = binormal(area).partial_auc(fpr=(0, 0.3))

    def draw(rng: np.random.Generator) -> tuple[PairedScores, PairedScores]:
        return make(sizes, icc, (area, area), rng), make(sizes, icc, (0.5,), rng)

    def read(both: tuple[PairedScores, PairedScores], _: object) -> Iterator[Read]:
        data, null = both
        name = data.names[0]
        area_of = partial(clustered_auc_estimate, data, name)
        yield from held(CLUSTERED, DEFAULT, lambda: interval_of(area_of()), area)
        yield from held(
            CLUSTERED_PART, DEFAULT, lambda: interval_of(area_of(fpr=(0, 0.3))), part_of
        )
        gap = auc_difference(data, *data.names)
        yield from held(CLUSTERED_GAP, DEFAULT, lambda: interval_of(gap), 0.0)
        yield from rejected(CLUSTERED_TEST, DEFAULT, lambda: float(gap.test().pvalue))
        yield from rejected(CLUSTERED_CHANCE, DEFAULT, lambda: float(clustered_test(null).pvalue))

    situation = f"{kind}, {sizes_name}, ICC {icc:g}"
    return Cell(situation, f"{len(sizes)} clusters", draw, read, role)


# --- folds ------------------------------------------------------------------------------------

FOLDS = "wide: cv_auc_estimate, weak learners"
LEARNERS: tuple[tuple[str, Fit, int, Role], ...] = (
    ("best of 10 features", best_feature, 10, DEV),
    ("best of 50 features", best_feature, 50, DEV),
    ("nearest centroid of 50", centroid, 50, DEV),
    ("ridge of 20", ridge, 20, VAL),
)


def folds() -> tuple[Cell, ...]:
    sizes = ((25, 25, 5), (50, 50, 10), (20, 80, 5))
    return tuple(
        fold_cell(*learner, signal, *size)
        for learner, signal, size in product(LEARNERS, (0.0, 0.5, 1.0), sizes)
    )


def fold_cell(
    name: str, fit: Fit, features: int, role: Role, signal: float, n_pos: int, n_neg: int, k: int
) -> Cell:
    def draw(rng: np.random.Generator) -> tuple[Any, float]:
        """Cross-validate; only the first feature knows something, so true areas are known."""
        label = np.repeat([True, False], [n_pos, n_neg])
        x = rng.normal(size=(label.size, features))
        x[label, 0] += signal
        fold = np.concatenate([rng.permutation(n) % k for n in (n_pos, n_neg)])
        score, areas = np.empty(label.size), []
        for i in range(k):
            train = fold != i
            weight = fit(x[train], label[train])
            score[~train] = x[~train] @ weight
            shift = signal * weight[0] / np.linalg.norm(weight)
            areas.append(float(ndtr(shift / 2**0.5)))
        return fold_tables(label, score, fold), float(np.mean(areas))

    def read(drawn: tuple[Any, float], _: object) -> Iterator[Read]:
        tables, truth = drawn
        yield from held(FOLDS, DEFAULT, lambda: interval_of(cv_auc_estimate(tables)), truth)

    situation = f"{name}, shift {signal:g}, {k} folds"
    return Cell(situation, sizes_of(n_pos, n_neg), draw, read, role)


# --- planned power ----------------------------------------------------------------------------

PLANNED = "wide: power of plan_paired, default test"
PLANNED_ONE = "wide: power of plan_area, default test"
PLANNED_TWO = "wide: power of plan_difference, default test"
PLANNED_MARGIN = "wide: power of plans of non-inferiority"
PLANNED_LIMITS = "wide: power of plans of equivalence"
PLANNED_PILOT = "wide: power of plan_from_pilot, default test"
PLANNED_FIT = "wide: power of plan_from_fit and plan_from_fits, default test"


def plans() -> tuple[Cell, ...]:
    pairs: tuple[tuple[tuple[float, float], float, Role], ...] = (
        ((0.95, 0.85), 0.9, DEV),
        ((0.98, 0.9), 0.5, DEV),
        ((0.85, 0.75), 0.5, DEV),
        ((0.7, 0.6), 0.9, DEV),
        ((0.9, 0.8), 0.0, VAL),
        ((0.8, 0.75), 0.7, VAL),
    )
    two = [planned_pair(*pair, ratio) for pair, ratio in product(pairs, (1, 4))]
    one = [planned_area(*areas, ratio) for areas, ratio in product(AGAINST, (1, 4))]
    groups = [planned_groups(*areas) for areas in ((0.85, 0.75), (0.95, 0.85), (0.9, 0.88))]
    margins = [
        planned_margin(*each)
        for each in product((((0.8, 0.8), 0.6), ((0.95, 0.95), 0.9), ((0.9, 0.88), 0.8)), (-1, 0))
    ]
    return (*two, *one, *groups, *margins, planned_pilot(), *planned_fits())


AGAINST = ((0.6, 0.5), (0.75, 0.5), (0.9, 0.5), (0.8, 0.7), (0.97, 0.9))


def planned(
    section_: str,
    name: str,
    size: str,
    plan: Callable[[], Plan],
    population: Any,
    test: Callable[[Any], float],
    *,
    level: float = 0.025,
    role: Role = DEV,
) -> Cell:
    """Plan a power of .8 when it is first asked, and test studies of that size on one side."""
    side: Any = "greater" if section_ == PLANNED_MARGIN else "two-sided"
    design = cache(lambda: plan().for_power(0.8, alternative=side))

    def draw(rng: np.random.Generator) -> Any:
        return population.draw(int(design().n_pos), int(design().n_neg), rng=rng)

    def read(sample: Any, _: object) -> Iterator[Read]:
        yield from rejected(section_, DEFAULT, lambda: test(sample), level, design().power)

    return Cell(name, size, draw, read, role)


def greater(data: Any) -> float:
    return float(auc_difference(data).test(alternative="greater").pvalue)


def planned_pair(areas: tuple[float, float], r: float, role: Role, ratio: int) -> Cell:
    population = paired_binormal(areas, r_pos=r, r_neg=r)
    name = f"areas {areas[0]:g} and {areas[1]:g}, r {r:g}"
    plan = partial(plan_paired, population, ratio=ratio)
    return planned(PLANNED, name, f"1 to {ratio}", plan, population, greater, role=role)


def planned_area(area: float, null: float, ratio: int) -> Cell:
    def test(table: ScoreTable) -> float:
        if null == 0.5:
            return float(auc_test(table, alternative="greater").pvalue)
        return float(delong(table).interval(0.95).low <= null)

    plan = partial(plan_area, area, null_area=null, ratio=ratio)
    name = f"area {area:g} against {null:g}"
    return planned(PLANNED_ONE, name, f"1 to {ratio}", plan, binormal(area), test)


@dataclass(frozen=True)
class Groups:
    """Two groups of cases."""

    areas: tuple[float, float]

    def draw(self, n_pos: int, n_neg: int, *, rng: np.random.Generator) -> dict[str, ScoreTable]:
        return {f"{a:g}": binormal(a).draw(n_pos, n_neg, rng=rng) for a in self.areas}


def planned_groups(first: float, second: float) -> Cell:
    name, groups = f"two groups, areas {first:g} and {second:g}", Groups((first, second))
    plan = partial(plan_difference, first, second)
    return planned(PLANNED_TWO, name, "1 to 1", plan, groups, greater)


def planned_margin(pair: tuple[tuple[float, float], float], high: int) -> Cell:
    """Plan non-inferiority, or (high 0) equivalence."""
    areas, r = pair
    population, margin = paired_binormal(areas, r_pos=r, r_neg=r), 0.05
    name = f"areas {areas[0]:g} and {areas[1]:g}, r {r:g}, margin {margin:g}"
    null: Any = -margin if high else (-margin, margin)

    def test(data: PairedScores) -> float:
        gap = auc_difference(data)
        return float((noninferiority_test if high else equivalence_test)(gap, margin).pvalue)

    section_ = PLANNED_MARGIN if high else PLANNED_LIMITS
    plan = partial(plan_paired, population, null_difference=null)
    return planned(section_, name, "1 to 1", plan, population, test, level=CALLED)


def planned_pilot() -> Cell:
    """Draw studies from a pilot's 40 + 60 cases, as its plan does."""
    data = paired_binormal([0.9, 0.75], r_pos=0.6, r_neg=0.6).draw(40, 60, rng=SEED)
    plan = partial(plan_from_pilot, data, *data.names)
    cases = Again(data)
    return planned(PLANNED_PILOT, "a pilot of 40 + 60 cases", "1 to 1.5", plan, cases, greater)


@dataclass(frozen=True)
class OfFit:
    """Cases by their false positive rates on a fitted curve; ratings by their probabilities."""

    fit: Any

    def draw(self, n_pos: int, n_neg: int, *, rng: np.random.Generator) -> ScoreTable:
        if self.fit.method != "rating":
            pos = self.fit.fpr_at(rng.random(n_pos))
            return tabulate_classes(pos, rng.random(n_neg), higher_is_positive=False)
        fpr = np.concatenate([self.fit.cuts[1], [1.0]])
        shares = (np.diff(each) for each in (self.fit.tpr_at(fpr), fpr))
        pos, neg = (
            rng.choice(share.size, n, p=share / share.sum())
            for share, n in zip(shares, (n_pos, n_neg), strict=True)
        )
        return tabulate_classes(pos, neg, higher_is_positive=False)


def planned_fits() -> Iterator[Cell]:
    """Draw studies from curves that were fitted to pilots of 40 + 60 cases."""
    size = "1 to 1.5"
    one: dict[str, tuple[Callable[[ScoreTable], results.Fit], Population, float]] = {
        "labroc of Normal scores, against .5": (fit_labroc, binormal(0.7), 0.5),
        "kernel of gamma scores, against .6": (fit_kernel, gamma(2.0, 3.0), 0.6),
        "five ratings, against .75": (fit_rating, ratings(), 0.75),
    }
    for name, (model, population, null) in one.items():
        fit = model(population.draw(40, 60, rng=SEED))
        plan = partial(plan_from_fit, fit, null_area=null, ratio=1.5)

        def test(table: ScoreTable, null: float = null) -> float:
            if null == 0.5:
                return float(auc_test(table, alternative="greater").pvalue)
            return float(delong(table).interval(0.95).low <= null)

        yield planned(PLANNED_FIT, name, size, plan, OfFit(fit), test)
    pilot = paired_binormal([0.9, 0.75], r_pos=0.6, r_neg=0.6).draw(40, 60, rng=SEED)
    pair = fit_paired(pilot)
    correlations = pair.correlations
    plan = partial(plan_from_fits, pair.first, pair.second, correlations=correlations, ratio=1.5)
    yield planned(PLANNED_FIT, "two scores, paired fit", size, plan, pair.population(), greater)


WIDTH, WIDTH_PAIR = "wide: width of plan_area", "wide: width of plan_paired"


def widths() -> tuple[Cell, ...]:
    one = product((0.7, 0.8, 0.9, 0.95), (0.1, 0.05))
    two = product((((0.85, 0.75), 0.5), ((0.95, 0.85), 0.7)), (0.1, 0.05))
    return (*(width_cell(*each) for each in one), *(width_pair(*each) for each in two))


def width_cell(area: float, half: float) -> Cell:
    plan = partial(plan_area, area)
    name = f"area {area:g}, planned {2 * half:g} wide"
    return planned_width(WIDTH, name, half, plan, binormal(area), delong)


def width_pair(pair: tuple[tuple[float, float], float], half: float) -> Cell:
    areas, r = pair
    population = paired_binormal(areas, r_pos=r, r_neg=r)
    name = f"areas {areas[0]:g} and {areas[1]:g}, r {r:g}, planned {2 * half:g} wide"
    plan = partial(plan_paired, population)
    return planned_width(WIDTH_PAIR, name, half, plan, population, auc_difference)


def planned_width(
    section_: str,
    name: str,
    half: float,
    plan: Callable[[], Plan],
    population: Any,
    estimate: Callable[[Any], Any],
) -> Cell:
    """Plan a width, and read which intervals of studies of that size are wider."""
    design = plan().for_width(half)
    n_pos, n_neg = int(np.ceil(design.n_pos)), int(np.ceil(design.n_neg))

    def draw(rng: np.random.Generator) -> Any:
        return population.draw(n_pos, n_neg, rng=rng)

    def read(sample: Any, _: object) -> Iterator[Read]:
        found = estimate(sample)
        for label, options in ((DEFAULT, {}), ("identity", {"scale": "identity"})):
            low, high = found.interval(LEVEL, **options)
            beside = label != DEFAULT
            yield Read(section_, label, high - low > 2 * half, high - low, beside=beside)

    return Cell(name, sizes_of(n_pos, n_neg), draw, read)


@dataclass(frozen=True)
class Again:
    """The cases of a sample, drawn with replacement."""

    data: PairedScores

    def draw(self, n_pos: int, n_neg: int, *, rng: np.random.Generator) -> PairedScores:
        pos, neg = np.flatnonzero(self.data.label), np.flatnonzero(~self.data.label)
        row = np.concatenate([rng.choice(pos, n_pos), rng.choice(neg, n_neg)])
        return pair_scores(self.data.label[row], np.asarray(self.data.score)[row])


# --- the parts --------------------------------------------------------------------------------


def several(name: str, places: tuple[str, ...]) -> Section:
    """Return the section of a default that is asked at several places."""
    return Section(name, name[0].upper() + name[1:], defaults=places, wide=True, targets=True)


def of_classes(measures: tuple[classes.Measure, ...]) -> tuple[Section, ...]:
    """Return a section of intervals and one of paired tests for each area or volume."""
    intervals = [section(each.section) for each in measures]
    return (*intervals, *(section(each.test, "size") for each in measures))


AT_TPR = tuple(f"at {x:g}" for x in RATES)
AT_FPR = tuple(f"at {x:g}" for x in TPRS)
AT_COST = tuple(f"at {x:g}" for x in PROBABILITIES)

WIDE = (
    part(
        "one score",
        partial(one_score, area_cell),
        (section(AREA),),
    ),
    part(
        "parts of one score",
        partial(one_score, part_cell),
        tuple(section(name) for name in (PART, WIDER_PART, BESIDE)),
    ),
    part(
        "inner parts of one score",
        partial(one_score, inner_cell, INNER_SIZES),
        tuple(map(section, INNER)),
    ),
    part(
        "precision and recall",
        lambda: (*one_score(partial(with_precision, PR)), *few_positives(PR)),
        (section(PR),),
    ),
    part("alike", alike, (section(AUC_TEST, "size"), section(KS_TEST, "size"))),
    part(
        "resampled",
        partial(boot_cells, boot_cell),
        (several(COST, AT_COST),),
    ),
    part("precision by formula", precisions, (section(BOOT_AP),)),
    part(
        "bootstrap by formula",
        limits_cells,
        (section(BOOT), section(BOOT_PART), several(BOOT_TPR, AT_TPR), several(BOOT_FPR, AT_FPR)),
    ),
    part("maxima", partial(boot_cells, index_cell), (section(BOOT_J),)),
    part("best thresholds", partial(boot_cells, best_cell), (section(THRESHOLD),)),
    part("corners", corners, tuple(section(corner_section(each)) for each in CORNERS)),
    part("two-way parts", two_way_parts, (section(TWO_WAY),)),
    part(
        "two scores",
        two_scores,
        (
            section(GAP),
            section(GAP_PART),
            *(section(name, "size") for name in (GAP_TEST, NONINFERIOR, EQUIVALENT)),
        ),
    ),
    part(
        "resampled pairs",
        resampled_pairs,
        (section(BOOT_GAP), section(BAND_GAP), several(COST_GAP, AT_COST)),
    ),
    part("whole curves", whole_curves, (section(BAND),), SAMPLES_OF_BANDS),
    part(
        "informative weights",
        weights,
        (section(WEIGHTED), section(WEIGHTED_PART), section(WEIGHTED_BAND)),
    ),
    part(
        "dominating clusters",
        clusters,
        (
            section(CLUSTERED),
            section(CLUSTERED_PART),
            section(CLUSTERED_GAP),
            section(CLUSTERED_TEST, "size"),
            section(CLUSTERED_CHANCE, "size"),
        ),
    ),
    part(
        "calibration",
        calibration.cells,
        (*map(section, calibration.SECTIONS.values()), section(calibration.JOINT, "size")),
    ),
    part("calibration in the large", calibration.large_cells, (section(calibration.LARGE),)),
    part(
        "calibration off the line",
        calibration.bent_cells,
        tuple(map(section, calibration.BENT.values())),
        samples=1000,
    ),
    part(
        "calibration with weights",
        calibration.weighted_cells,
        (*map(section, calibration.WEIGHTED.values()), section(calibration.WEIGHTED_JOINT, "size")),
    ),
    part(
        "calibration of few positives",
        calibration.few_cells,
        (*map(section, calibration.FEW.values()), section(calibration.FEW_JOINT, "size")),
        samples=SAMPLES_OF_BANDS,
    ),
    part(
        "calibration of few cases off the line",
        off_line.cells,
        (*map(section, off_line.SECTIONS.values()), section(off_line.JOINT, "size")),
        samples=SAMPLES_OF_BANDS,
    ),
    part("losses", losses.cells, tuple(map(section, losses.SECTIONS))),
    part("differences of Brier scores", losses.gap_cells, (section(losses.BRIER_GAP),)),
    part("differences in few cases", losses.few_cells, (section(losses.LOG_FEW),)),
    part("several classes", classes.area_cells, of_classes(classes.AREAS)),
    part("volumes", classes.volume_cells, of_classes(classes.VOLUMES)),
    part("designs of classes", classes.design_cells, of_classes(classes.IN_DESIGNS)),
    part(
        "pairs of classes",
        lambda: (*classes.pair_cells(), *classes.pair_design_cells()),
        (several(classes.PAIRS, classes.PLACES), several(classes.IN_DESIGN, classes.PLACES)),
    ),
    part(
        "time",
        survival.cells,
        (*map(section, survival.INTERVALS), *(section(n, "size") for n in survival.TESTS)),
    ),
    part(
        "adjusted areas of few values",
        covariates.level_cells,
        (
            section(covariates.LEVELS),
            section(covariates.LEVELS_GAP),
            section(covariates.LEVELS_TEST, "size"),
        ),
    ),
    part(
        "areas at rare covariates",
        covariates.far_cells,
        (
            several(covariates.FAR, covariates.FAR_PLACES),
            several(covariates.FAR_GAP, covariates.FAR_PLACES),
            replace(several(covariates.FAR_TEST, covariates.FAR_PLACES), kind="size"),
        ),
        samples=SAMPLES_OF_BANDS,
    ),
    part(
        "few events",
        survival.few_cells,
        (
            several(survival.FEW, survival.FEW_PLACES),
            several(survival.FEW_GAP, survival.FEW_GAPS),
            section(survival.FEW_UNO),
            replace(several(survival.FEW_TEST, survival.FEW_GAPS), kind="size"),
        ),
    ),
    part(
        "exact times",
        timed.cells,
        (
            several(timed.BENEFIT, tuple(timed.BENEFITS.values())),
            section(timed.INCIDENT),
            section(timed.MEAN),
        ),
    ),
    part(
        "concordances of few events",
        timed.few_cells,
        (
            section(timed.FEW_INCIDENT),
            section(timed.FEW_MEAN),
            several(timed.FEW_CONCORDANCE, tuple(timed.CONCORDANCES)),
            several(timed.FEW_GAP, tuple(timed.CONCORDANCES)),
            replace(several(timed.FEW_TEST, tuple(timed.CONCORDANCES)), kind="size"),
        ),
    ),
    part("weak learners", folds, (section(FOLDS),)),
    part("folds of few values", crossed.few_cells, (section(crossed.FEW),)),
    part(
        "decisions among classes",
        decided.cells,
        (several(decided.COST, decided.DESIGNS),),
    ),
    part(
        "procedures",
        procedures.cells,
        (
            section(procedures.AREA),
            section(procedures.DIFFERENCE),
            section(procedures.TEST, kind="size"),
        ),
    ),
    part(
        "widths of plans",
        widths,
        tuple(
            Section(
                name,
                name[0].upper() + name[1:],
                "Percent of samples whose interval is wider than `for_width` planned, and the mean "
                "width.",
                kind="power",
                defaults=(DEFAULT,),
                wide=True,
            )
            for name in (WIDTH, WIDTH_PAIR)
        ),
    ),
    part(
        "plans",
        plans,
        tuple(
            section(name, "planned")
            for name in (
                PLANNED,
                PLANNED_ONE,
                PLANNED_TWO,
                PLANNED_MARGIN,
                PLANNED_LIMITS,
                PLANNED_PILOT,
                PLANNED_FIT,
            )
        ),
    ),
)
