"""What intervals of least costs, of their differences, and of the area of a PR graph cover.

Cells for the ledger of `benchmarks.coverage`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats
from scipy.special import ndtr

import rocspace as rs
from benchmarks.coverage.cells import Cell, Read, by_scales, of_pairs, of_population, sizes_of
from benchmarks.coverage.ledger import LEVEL
from benchmarks.coverage.margins import DEV, VAL, Margin, Mixed, Normal, levels
from benchmarks.coverage.populations import Skewed, paired_exponential
from rocspace.costs import resample_cost, resample_cost_difference
from rocspace.counts import PairedScores, ScoreTable
from rocspace.curves import pr_area_estimate
from rocspace.simulate import (
    PairedPopulation,
    Population,
    binormal,
    exponential,
    gamma,
    mixture,
    paired_binormal,
    ratings,
)

COST, GAP = "least cost", "difference of least costs"
PR = "area under the precision-recall curve"
TOGETHER = "band, all together"
N_BOOT = 400
AT = (0.2, 0.5, 0.8)  # probability costs
GRID = np.arange(1, 20) / 20

COST_POPULATIONS = (binormal(0.64), binormal(0.75), binormal(0.9), binormal(0.98), mixture(0.2))
COST_SIZES = ((10, 10), (20, 20), (50, 50), (20, 200), (200, 200))
COST_SITUATIONS = (
    *product(COST_POPULATIONS, COST_SIZES),
    *product((exponential(0.9), ratings()), ((50, 50), (20, 200))),
    *product((binormal(0.75), binormal(0.9)), ((5, 50), (10, 10_000))),
)
PR_POPULATIONS = (
    binormal(0.6),
    binormal(0.75),
    binormal(0.9),
    binormal(0.99),
    exponential(0.9),
    gamma(2, 3),
    mixture(0.2),
)
PR_SIZES = ((5, 50), (10, 10), (10, 1000), (20, 200), (50, 50), (100, 10), (200, 200))
PR_SITUATIONS = (
    *product(PR_POPULATIONS, PR_SIZES),
    *product((ratings(),), ((10, 10), (20, 200), (200, 200))),
    *product((binormal(0.9), exponential(0.9)), ((10, 10_000),)),
)
PAIRS = (((0.8, 0.8), 0.5), ((0.9, 0.9), 0.8), ((0.75, 0.85), 0.5))
PAIR_SIZES = ((20, 20), (50, 50), (20, 200), (200, 200))
CUTS = (0.0, 0.5, 1.0, 1.8)
MORE_PAIRS = (
    ("Normal, areas 0.8 and 0.8, r .5", paired_binormal((0.8, 0.8)), (5, 50)),
    ("Normal, areas 0.8 and 0.8, r .5", paired_binormal((0.8, 0.8)), (10, 10_000)),
    ("Normal, areas 0.75 and 0.85, r .5", paired_binormal((0.75, 0.85)), (10, 10_000)),
    ("Normal, areas 0.98 and 0.98, r .5", paired_binormal((0.98, 0.98)), (50, 50)),
    ("five ratings, areas 0.8 and 0.8, r .5", paired_binormal((0.8, 0.8), cuts=CUTS), (50, 50)),
    ("exponential, areas 0.9 and 0.9, r .5", paired_exponential((0.9, 0.9)), (50, 50)),
    ("exponential, areas 0.75 and 0.85, r .5", paired_exponential((0.75, 0.85)), (20, 200)),
)

UNCUT = paired_binormal((0.8, 0.8))
ROUNDING = 1e-9  # of a true cost
Truth = Callable[[], Any]

_FPR = ndtr(np.linspace(-9, 9, 20001))  # fine where it matters


def true_curve(population: Population) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return many points of a population's curve, its corners among them."""
    corners: ArrayLike = [] if population.table is None else rs.roc_curve(population.table).fpr
    fpr = np.union1d(_FPR, corners)
    tpr = np.asarray(population.tpr_at(fpr))
    return np.concatenate([[0.0], fpr, [1.0]]), np.concatenate([[0.0], tpr, [1.0]])


def least_cost(population: Population, at: NDArray[np.float64]) -> Any:
    """Return what the best thresholds of a population cost, at probability costs."""
    fpr, tpr = true_curve(population)
    fnr = 1 - tpr
    return (np.multiply.outer(at, fnr) + np.multiply.outer(1 - at, fpr)).min(axis=1)


def at(probability: float) -> str:
    return f"at probability cost {probability:g}"


def cost_cells() -> Iterator[Cell]:
    """How often the interval of a least cost holds that of the population."""
    for population, size in COST_SITUATIONS:
        truth = cache(partial(least_cost, population, np.array(AT)))
        yield of_population(population, size, partial(costs, truth))


def costs(truth: Truth, table: ScoreTable, rng: np.random.Generator) -> Iterator[Read]:
    band = resample_cost(table, np.array(AT), n_boot=N_BOOT, rng=rng).interval(LEVEL)
    for x, *one in zip(AT, band.low, band.high, truth(), strict=True):
        yield of_cost(COST, at(x), *one)


def of_cost(section: str, name: str, low: float, high: float, truth: float) -> Read:
    return Read(section, name, inside(low, high, truth), float(high - low))


def inside(low: Any, high: Any, truth: Any) -> bool:
    return bool(np.all((low <= truth + ROUNDING) & (truth - ROUNDING <= high)))


FAR = "least cost of rare levels, and at far costs"
FAR_AT = (0.005, 0.05, 0.3, 0.7, 0.95)
RARE_TOP = levels(
    "four levels, .8 % of negatives on top", (10, 15, 15, 60), (70, 20, 9.2, 0.8), DEV
)
RARE_BOTTOM = levels(
    "four levels, .8 % of positives at the bottom", (0.8, 9.2, 20, 70), (60, 15, 15, 10), DEV
)
FAR_SITUATIONS = (
    *product((RARE_TOP,), ((20, 20), (8, 40), (15, 400), (100, 100))),
    *product((RARE_BOTTOM,), ((20, 20), (40, 8))),
    *product((levels("yes/no, .9 and .01", (10, 90), (99, 1), VAL),), ((20, 20), (40, 8))),
    *product(
        (
            Margin(
                "positives of two kinds",
                Mixed(((0.4, Normal(-1, 0.5)), (0.6, Normal(3, 0.7)))),
                Normal(),
                VAL,
            ),
            Margin("heavy tails, Cauchy, shift 5", stats.cauchy(5), stats.cauchy(), VAL),
        ),
        ((8, 40), (300, 3000)),
    ),
)


def far_cells() -> Iterator[Cell]:
    """How often a least cost is held where few errors decide, or one error costs far more."""
    for margin, size in FAR_SITUATIONS:
        truth = [margin.least_cost(x) for x in FAR_AT]
        draw = partial(margin.draw, *size)
        yield Cell(margin.name, sizes_of(*size), draw, partial(far_costs, truth), margin.role)


def far_costs(truth: list[float], table: ScoreTable, rng: np.random.Generator) -> Iterator[Read]:
    found = resample_cost(table, FAR_AT, n_boot=N_BOOT, rng=rng, threads=1)
    band = found.interval(LEVEL)
    for x, *one in zip(FAR_AT, band.low, band.high, truth, strict=True):
        yield of_cost(FAR, at(x), *one)


# --- differences of two scores ----------------------------------------------------------------


def difference_cells() -> Iterator[Cell]:
    """How often a difference of least costs is held, and how often one is claimed wrongly."""
    pairs = [(paired_binormal(areas, r_pos=r, r_neg=r), r) for areas, r in PAIRS]
    many = [(f"{p.name}, r {r:g}", p, size) for (p, r), size in product(pairs, PAIR_SIZES)]
    every: tuple[tuple[str, PairedPopulation | Skewed, tuple[int, int]], ...]
    every = (*many, *MORE_PAIRS)
    for name, population, size in every:
        truth = cache(partial(cost_gap, population.margins))
        yield of_pairs(name, population, size, partial(differences, GRID, truth))
    # The second score says only on which side of the best threshold for 1/2 a case lies: there
    # it costs what the first costs, but has nothing to choose from.
    name = "paired Normal, areas 0.8, the second cut in two"
    read = partial(differences, np.array([0.5]), lambda: np.zeros(1))
    for size in PAIR_SIZES:
        yield Cell(name, sizes_of(*size), partial(cut_in_two, size), read)


def cost_gap(margins: Sequence[Population]) -> Any:
    first, second = (least_cost(margin, GRID) for margin in margins)
    return first - second


def cut_in_two(size: tuple[int, int], rng: np.random.Generator) -> PairedScores:
    data = UNCUT.draw(*size, rng=rng)
    called = data.score[:, 1] >= float(UNCUT.mean[0]) / 2
    return rs.pair_scores(data.label, {"all": data.score[:, 0], "cut": called.astype(float)})


def differences(
    grid: NDArray[np.float64], truth: Truth, data: PairedScores, rng: np.random.Generator
) -> Iterator[Read]:
    gaps = truth()
    found = resample_cost_difference(data, grid, n_boot=N_BOOT, rng=rng, threads=1)
    each, band = found.interval(LEVEL), found.band(LEVEL)
    for x, *one in zip(grid.round(9).tolist(), each.low, each.high, gaps, strict=True):
        if x in AT:
            yield of_cost(GAP, at(x), *one)
    width = float((band.high - band.low).mean())
    yield Read(GAP, TOGETHER, inside(band.low, band.high, gaps), width)
    sure = np.where(band.high < 0, -1, np.where(band.low > 0, 1, 0))
    signs = np.where(np.abs(gaps) < ROUNDING, 0, np.sign(gaps))
    wrong = (sure != 0) & (sure != signs)
    yield Read(GAP, "no wrong claim of the better", not wrong.any())


ALIKE = "difference of least costs of like scores"
ALIKE_AT = (0.1, 0.5)
_CUTS = np.linspace(-12, 12, 48001)


def alike_cells() -> Iterator[Cell]:
    """How often a difference is held of scores that hardly differ, or are hardly of use."""
    for share, size in (*product((0.02, 0.1), ((15, 150), (20, 20))), (0.0, (15, 150))):
        name = f"{share:.0%} of the cases drawn anew, shift 1.8" if share else "shifts .5 and -.5"
        draw = partial(redrawn, share, size) if share else partial(opposite, size)
        truth = (redrawn_gap if share else opposite_gap)(share)
        yield Cell(name, sizes_of(*size), draw, partial(gaps_alike, truth))


def redrawn(share: float, size: tuple[int, int], rng: np.random.Generator) -> PairedScores:
    label = np.arange(sum(size)) < size[0]
    first = rng.normal(size=label.size) + 1.8 * label
    anew = rng.random(label.size) < share
    second = np.where(anew, rng.normal(size=label.size), first)
    return rs.pair_scores(label, {"first": first, "second": second})


def opposite(size: tuple[int, int], rng: np.random.Generator) -> PairedScores:
    """Draw a score that is too high in positives, and one that is too low."""
    label = np.arange(sum(size)) < size[0]
    both, one, other = rng.normal(size=(3, label.size))
    columns = {"first": both + 0.6 * one + 0.5 * label, "second": both + 0.6 * other - 0.5 * label}
    return rs.pair_scores(label, columns)


def redrawn_gap(share: float) -> list[float]:
    missed = ndtr(_CUTS - 1.8)
    return _gap(missed, (1 - share) * missed + share * ndtr(_CUTS), 1 - ndtr(_CUTS))


def opposite_gap(_: float) -> list[float]:
    first, second, called = (ndtr(cut / 1.36**0.5) for cut in (_CUTS - 0.5, _CUTS + 0.5, -_CUTS))
    return _gap(first, second, called)


def _gap(first: Any, second: Any, fpr: Any) -> list[float]:
    return [
        float((x * first + (1 - x) * fpr).min() - (x * second + (1 - x) * fpr).min())
        for x in ALIKE_AT
    ]


def gaps_alike(truth: list[float], data: PairedScores, rng: np.random.Generator) -> Iterator[Read]:
    found = resample_cost_difference(data, ALIKE_AT, n_boot=N_BOOT, rng=rng, threads=1)
    band = found.interval(LEVEL)
    for x, *one in zip(ALIKE_AT, band.low, band.high, truth, strict=True):
        yield of_cost(ALIKE, at(x), *one)


# --- precision and recall ---------------------------------------------------------------------


def pr_cells() -> Iterator[Cell]:
    """How often intervals of the area under a precision-recall curve hold the true one."""
    for population, (n_pos, n_neg) in PR_SITUATIONS:
        truth = cache(partial(pr_area_of, population, n_pos / (n_pos + n_neg)))
        yield of_population(population, (n_pos, n_neg), partial(pr_areas, truth))


def pr_areas(truth: Truth, table: ScoreTable, _: object) -> Iterator[Read]:
    yield from by_scales(PR, pr_area_estimate(table), truth(), ("unseen", "moderated", "logit"))


def pr_area_of(population: Population, prevalence: float) -> float:
    """Return the mean precision over the recall of a population."""
    fpr, tpr = true_curve(population)
    called = prevalence * tpr + (1 - prevalence) * fpr
    precision = np.divide(prevalence * tpr, called, out=np.ones_like(tpr), where=called > 0)
    return float(np.trapezoid(precision, tpr))
