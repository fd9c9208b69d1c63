"""What intervals of least costs, of their differences, and of the area of a PR graph cover.

`rows` gives lines for the ledger of `benchmarks.coverage`. Alone,
``python -m benchmarks.coverage_costs`` prints them; ``--samples 100`` is a look.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

import rocspace as rs
from rocspace.cost_samples import resample_cost, resample_cost_difference
from rocspace.paired import PairedScores
from rocspace.pr import pr_area_estimate
from rocspace.simulate import (
    Population,
    binormal,
    exponential,
    gamma,
    mixture,
    paired_binormal,
)

if TYPE_CHECKING:
    from benchmarks.coverage import Row

LEVEL = 0.95
MOST_SAMPLES = 1000  # more than the ledger needs here: each is resampled
N_BOOT = 400
AT = (0.2, 0.5, 0.8)  # probability costs
GRID = np.arange(1, 20) / 20

COST_POPULATIONS = (binormal(0.64), binormal(0.75), binormal(0.9), binormal(0.98), mixture(0.2))
COST_SIZES = ((10, 10), (20, 20), (50, 50), (20, 200), (200, 200))
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
PAIRS = (((0.8, 0.8), 0.5), ((0.9, 0.9), 0.8), ((0.75, 0.85), 0.5))
PAIR_SIZES = ((20, 20), (50, 50), (20, 200), (200, 200))

_FPR = ndtr(np.linspace(-9, 9, 20001))  # fine where it matters


def rows(samples: int, rng: np.random.Generator) -> Iterator[Row]:
    """Measure all three."""
    yield from cost_rows(min(samples, MOST_SAMPLES), rng)
    yield from difference_rows(min(samples, MOST_SAMPLES), rng)
    yield from pr_rows(samples, rng)


def least_cost(curve: Callable[[NDArray[np.float64]], Any], at: NDArray[np.float64]) -> Any:
    """Return what the best thresholds of a population cost, at probability costs."""
    fpr = np.concatenate([[0.0], _FPR, [1.0]])
    fnr = 1 - np.concatenate([[0.0], curve(_FPR), [1.0]])
    return (np.multiply.outer(at, fnr) + np.multiply.outer(1 - at, fpr)).min(axis=1)


def cost_rows(samples: int, rng: np.random.Generator) -> Iterator[Row]:
    """How often the interval of a least cost holds that of the population."""
    at = np.array(AT)
    for population in COST_POPULATIONS:
        truth = least_cost(population.tpr_at, at)
        for n_pos, n_neg in COST_SIZES:
            ends = np.empty((samples, 2, at.size))
            for i in range(samples):
                table = _table(population, n_pos, n_neg, rng)
                band = resample_cost(table, at, n_samples=N_BOOT, rng=rng).interval(LEVEL)
                ends[i] = band.low, band.high
            for j, x in enumerate(AT):
                name = f"at probability cost {x:g}"
                yield _row(
                    "least cost", population.name, (n_pos, n_neg), name, ends[:, :, j], truth[j]
                )


def _table(
    population: Population, n_pos: int, n_neg: int, rng: np.random.Generator
) -> rs.ScoreTable:
    pos, neg = population.pos(rng, (1, n_pos))[0], population.neg(rng, (1, n_neg))[0]
    return rs.tabulate_classes(pos, neg)


def difference_rows(samples: int, rng: np.random.Generator) -> Iterator[Row]:
    """How often a difference of least costs is held, and how often one is claimed wrongly."""
    for areas, r in PAIRS:
        population = paired_binormal(areas, r_pos=r, r_neg=r)
        truth = -np.diff([least_cost(m.tpr_at, GRID) for m in population.margins], axis=0)[0]
        for n_pos, n_neg in PAIR_SIZES:

            def draw(n_pos: int = n_pos, n_neg: int = n_neg, p: Any = population) -> PairedScores:
                return p.draw(n_pos, n_neg, rng=rng)

            yield from _differences(
                f"{population.name}, r {r:g}", (n_pos, n_neg), draw, (GRID, truth), (samples, rng)
            )
    # The second score says only on which side of the best threshold for 1/2 a case lies: there
    # it costs what the first costs, but has nothing to choose from.
    population = paired_binormal((0.8, 0.8))
    cut = float(population.mean[0]) / 2
    for n_pos, n_neg in PAIR_SIZES:

        def draw_cut(n_pos: int = n_pos, n_neg: int = n_neg) -> PairedScores:
            data = population.draw(n_pos, n_neg, rng=rng)
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
    from benchmarks.coverage import Row

    (grid, truth), (samples, rng) = where, runs
    ends = np.empty((samples, 2, grid.size))
    together, wrong = np.zeros(samples, dtype=bool), np.zeros(samples, dtype=bool)
    wide = np.empty(samples)
    for i in range(samples):
        found = resample_cost_difference(draw(), grid, n_samples=N_BOOT, rng=rng, threads=1)
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
    for population in PR_POPULATIONS:
        for n_pos, n_neg in PR_SIZES:
            truth = pr_area_of(population, n_pos / (n_pos + n_neg))
            tables = (_table(population, n_pos, n_neg, rng) for _ in range(samples))
            estimates = [pr_area_estimate(table) for table in tables]
            for scale in ("moderated", "logit"):
                ends = np.array([tuple(e.interval(LEVEL, scale=scale)) for e in estimates])  # type: ignore[arg-type]
                section = "area under the precision-recall curve"
                yield _row(section, population.name, (n_pos, n_neg), scale, ends, truth)


def pr_area_of(population: Population, prevalence: float) -> float:
    """Return the mean precision over the recall of a population."""
    fpr = np.concatenate([[0.0], _FPR, [1.0]])
    tpr = np.concatenate([[0.0], np.asarray(population.tpr_at(_FPR)), [1.0]])
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
    from benchmarks.coverage import Row  # which may import this module

    low, high = ends.T
    inside = (low <= truth + 1e-9) & (truth - 1e-9 <= high)
    width = high - low
    n = f"{size[0]} + {size[1]}"
    measured = (float(inside.mean()), float(width.mean()), float(width.std()))
    return Row(section, situation, n, interval, *measured, len(ends))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=MOST_SAMPLES)
    parser.add_argument("--only", choices=("cost", "difference", "pr"))
    options = parser.parse_args()
    makers = {"cost": cost_rows, "difference": difference_rows, "pr": pr_rows}
    for name, make in makers.items():
        if options.only in (None, name):
            for row in make(options.samples, np.random.default_rng([20060601, 57])):
                text = f"{row.section:30.30} {row.situation:40.40} {row.size:>9} {row.interval:30}"
                print(f"{text} {100 * row.coverage:5.1f} {row.width:.3f}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
