"""What intervals of least costs, of their differences, and of the area of a PR graph cover.

`rows` gives lines for the ledger of `benchmarks.coverage`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

import rocspace as rs
from benchmarks.coverage.ledger import LEVEL, Row
from benchmarks.coverage.populations import paired_exponential
from rocspace.costs import resample_cost, resample_cost_difference
from rocspace.counts import PairedScores
from rocspace.curves import pr_area_estimate
from rocspace.simulate import (
    Population,
    binormal,
    exponential,
    gamma,
    mixture,
    paired_binormal,
    ratings,
)

MOST_SAMPLES = 1000  # more than the ledger needs here: each is resampled
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

_FPR = ndtr(np.linspace(-9, 9, 20001))  # fine where it matters


def rows(samples: int, rng: np.random.Generator) -> Iterator[Row]:
    """Measure all three."""
    yield from cost_rows(min(samples, MOST_SAMPLES), rng)
    yield from difference_rows(min(samples, MOST_SAMPLES), rng)
    yield from pr_rows(samples, rng)


def fewer(samples: int, n_neg: int, share: int) -> int:
    return max(1, samples // share) if n_neg > 1000 else samples


def true_curve(population: Population) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return many points of a population's curve, its corners among them."""
    corners = [] if population.table is None else rs.roc_curve(population.table).fpr
    fpr = np.union1d(_FPR, corners)
    tpr = np.asarray(population.tpr_at(fpr))
    return np.concatenate([[0.0], fpr, [1.0]]), np.concatenate([[0.0], tpr, [1.0]])


def least_cost(population: Population, at: NDArray[np.float64]) -> Any:
    """Return what the best thresholds of a population cost, at probability costs."""
    fpr, tpr = true_curve(population)
    fnr = 1 - tpr
    return (np.multiply.outer(at, fnr) + np.multiply.outer(1 - at, fpr)).min(axis=1)


def cost_rows(samples: int, rng: np.random.Generator) -> Iterator[Row]:
    """How often the interval of a least cost holds that of the population."""
    at = np.array(AT)
    for population, (n_pos, n_neg) in COST_SITUATIONS:
        truth = least_cost(population, at)
        many = fewer(samples, n_neg, 3)
        ends = np.empty((many, 2, at.size))
        for i in range(many):
            table = _table(population, n_pos, n_neg, rng)
            band = resample_cost(table, at, n_boot=N_BOOT, rng=rng).interval(LEVEL)
            ends[i] = band.low, band.high
        for j, x in enumerate(AT):
            name = f"at probability cost {x:g}"
            yield _row("least cost", population.name, (n_pos, n_neg), name, ends[:, :, j], truth[j])


def _table(
    population: Population, n_pos: int, n_neg: int, rng: np.random.Generator
) -> rs.ScoreTable:
    pos, neg = population.pos(rng, (1, n_pos))[0], population.neg(rng, (1, n_neg))[0]
    return rs.tabulate_classes(pos, neg)


def difference_rows(samples: int, rng: np.random.Generator) -> Iterator[Row]:
    """How often a difference of least costs is held, and how often one is claimed wrongly."""
    pairs = [(paired_binormal(areas, r_pos=r, r_neg=r), r) for areas, r in PAIRS]
    many = [(f"{p.name}, r {r:g}", p, size) for (p, r), size in product(pairs, PAIR_SIZES)]
    for name, population, size in (*many, *MORE_PAIRS):
        truth = -np.diff([least_cost(m, GRID) for m in population.margins], axis=0)[0]

        def draw(size: tuple[int, int] = size, p: Any = population) -> PairedScores:
            return p.draw(*size, rng=rng)

        yield from _differences(name, size, draw, (GRID, truth), (fewer(samples, size[1], 8), rng))
    # The second score says only on which side of the best threshold for 1/2 a case lies: there
    # it costs what the first costs, but has nothing to choose from.
    normal = paired_binormal((0.8, 0.8))
    cut = float(normal.mean[0]) / 2
    for n_pos, n_neg in PAIR_SIZES:

        def draw_cut(n_pos: int = n_pos, n_neg: int = n_neg) -> PairedScores:
            data = normal.draw(n_pos, n_neg, rng=rng)
            columns = {"all": data.score[:, 0], "cut": data.score[:, 1] >= cut}
            return rs.pair_scores(data.label, {k: v.astype(float) for k, v in columns.items()})

        name = "paired Normal, areas 0.8, the second cut in two"
        where = (np.array([0.5]), np.zeros(1))
        yield from _differences(name, (n_pos, n_neg), draw_cut, where, (samples, rng))


def _differences(
    name: str,
    size: tuple[int, int],
    draw: Callable[[], PairedScores],
    where: tuple[NDArray[np.float64], NDArray[np.float64]],
    runs: tuple[int, np.random.Generator],
) -> Iterator[Row]:
    (grid, truth), (samples, rng) = where, runs
    ends = np.empty((samples, 2, grid.size))
    together, wrong = np.zeros(samples, dtype=bool), np.zeros(samples, dtype=bool)
    wide = np.empty(samples)
    for i in range(samples):
        found = resample_cost_difference(draw(), grid, n_boot=N_BOOT, rng=rng, threads=1)
        each, all_of = found.interval(LEVEL), found.band(LEVEL)
        ends[i] = each.low, each.high
        together[i] = ((all_of.low <= truth + 1e-9) & (truth - 1e-9 <= all_of.high)).all()
        wide[i] = (all_of.high - all_of.low).mean()
        sure = np.where(all_of.high < 0, -1, np.where(all_of.low > 0, 1, 0))
        signs = np.where(np.abs(truth) < 1e-9, 0, np.sign(truth))
        wrong[i] = ((sure != 0) & (sure != signs)).any()
    section, n = "difference of least costs", f"{size[0]} + {size[1]}"
    for j in np.flatnonzero(np.isin(grid.round(9), AT)).tolist():
        x = grid[j]
        yield _row(section, name, size, f"at probability cost {x:g}", ends[:, :, j], truth[j])
    rate, width = float(together.mean()), float(wide.mean())
    yield Row(section, name, n, "band, all together", rate, width, float(wide.std()), samples)
    claims = float(1 - wrong.mean())
    yield Row(section, name, n, "no wrong claim of the better", claims, 0.0, 0.0, samples)


def pr_rows(samples: int, rng: np.random.Generator) -> Iterator[Row]:
    """How often both intervals of the area under a precision-recall curve hold the true one."""
    for population, (n_pos, n_neg) in PR_SITUATIONS:
        truth = pr_area_of(population, n_pos / (n_pos + n_neg))
        many = fewer(samples, n_neg, 2)
        tables = (_table(population, n_pos, n_neg, rng) for _ in range(many))
        estimates = [pr_area_estimate(table) for table in tables]
        for scale in ("moderated", "logit"):
            ends = np.array([tuple(e.interval(LEVEL, scale=scale)) for e in estimates])  # type: ignore[arg-type]
            section = "area under the precision-recall curve"
            yield _row(section, population.name, (n_pos, n_neg), scale, ends, truth)


def pr_area_of(population: Population, prevalence: float) -> float:
    """Return the mean precision over the recall of a population."""
    fpr, tpr = true_curve(population)
    called = prevalence * tpr + (1 - prevalence) * fpr
    precision = np.divide(prevalence * tpr, called, out=np.ones_like(tpr), where=called > 0)
    return float(np.trapezoid(precision, tpr))


def _row(
    section: str,
    situation: str,
    size: tuple[int, int],
    interval: str,
    ends: NDArray[np.float64],
    truth: float,
) -> Row:
    low, high = ends.T
    inside = (low <= truth + 1e-9) & (truth - 1e-9 <= high)
    width = high - low
    n = f"{size[0]} + {size[1]}"
    measured = (float(inside.mean()), float(width.mean()), float(width.std()))
    return Row(section, situation, n, interval, *measured, len(ends))
