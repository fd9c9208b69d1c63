"""What intervals of areas and of their parts cover."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

import numpy as np
from numpy.typing import NDArray
from scipy import stats

import rocspace as rs
from benchmarks.coverage.ledger import LEVEL, SEED, Row
from benchmarks.coverage.populations import Single, heavy_tailed, zero_inflated
from rocspace.counts import ScoreTable
from rocspace.inference import (
    auc_estimate,
    joint_rectangle,
    likelihood_ratio_interval,
    partial_auc_estimate,
    predictive_value_interval,
    rate_interval,
)
from rocspace.inference.rates import RateMethod
from rocspace.results import Estimate, Interval, OperatingPoint
from rocspace.simulate import Population, binormal, exponential, gamma, mixture, ratings

# --- populations ------------------------------------------------------------------------------


POPULATIONS = (
    binormal(0.6),
    binormal(0.75),
    binormal(0.9),
    binormal(0.99),
    binormal(0.999),
    binormal(0.9, 2),
    binormal(0.9, 0.5),
    exponential(0.9),
    exponential(0.99),
    gamma(2, 3),
    ratings(),
    mixture(0.2),
)
SIZES = ((1, 200), (5, 5), (5, 50), (10, 10_000), (20, 20), (20, 200), (50, 50), (200, 200))
# Populations that chose nothing: they only validate.
OTHERS: tuple[Population | Single, ...] = (
    binormal(0.85, 3),
    binormal(0.85, 1 / 3),
    ratings((2, 8, 90), (90, 8, 2)),
    ratings((1, 2, 3, 6), (6, 3, 2, 1)),
    binormal(0.99, 2),
    mixture(0.05),
    zero_inflated(0.6),
    zero_inflated(0.9),
    heavy_tailed(2.0),
)
OTHER_SIZES = (
    (5, 200),
    (200, 5),
    (10, 10),
    (20, 1000),
    (1000, 20),
    (10, 10_000),
    (10_000, 10),
    (50, 50),
    (500, 500),
)
PARTIAL_SIZES = ((10, 10_000), (20, 200), (50, 50), (200, 200), (1000, 1000))
PARTS = ((0.0, 0.1), (0.0, 0.2))


# --- measuring --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Cell:
    """What is to be measured in one situation: samples to draw, intervals to ask for."""

    section: str
    population: Population | Single
    n_pos: int
    n_neg: int
    truth: float
    intervals: Callable[[ScoreTable], Iterator[tuple[str, Interval]]]
    weighted: bool = False

    def measure(self, samples: int, rng: np.random.Generator) -> list[Row]:
        found: dict[str, list[tuple[bool, float]]] = {}
        for table in self.tables(samples, rng):
            for name, interval in self.intervals(table):
                inside = interval.low - 1e-12 <= self.truth <= interval.high + 1e-12
                found.setdefault(name, []).append((inside, interval.width))
        size = f"{self.n_pos} + {self.n_neg}"
        rows = []
        for name, pairs in found.items():
            inside, width = np.array(pairs, dtype=float).T
            rows.append(
                Row(
                    self.section,
                    self.population.name,
                    size,
                    name,
                    float(inside.mean()),
                    float(width.mean()),
                    float(width.std()),
                    samples,
                )
            )
        return rows

    def tables(self, samples: int, rng: np.random.Generator) -> Iterator[ScoreTable]:
        pos = self.population.pos(rng, (samples, self.n_pos))
        chunk = max(1, 2_000_000 // self.n_neg)
        label = np.repeat([True, False], [self.n_pos, self.n_neg])
        for start in range(0, samples, chunk):
            rows = pos[start : start + chunk]
            neg = self.population.neg(rng, (len(rows), self.n_neg))
            for x, y in zip(rows, neg, strict=True):
                if self.weighted:
                    weight = rng.lognormal(0, 1, label.size)
                    yield rs.tabulate(label, np.concatenate([x, y]), sample_weight=weight)
                else:
                    yield rs.tabulate_classes(x, y)


def area_intervals(table: ScoreTable) -> Iterator[tuple[str, Interval]]:
    estimate = auc_estimate(table)
    scaled = ("unseen", "moderated", "logit", "identity", "hoeffding")
    yield from scales("delong", estimate, scaled)
    for method in ("hanley-mcneil", "bamber", "unbiased"):
        yield from scales(method, auc_estimate(table, method=method), ("logit",))


def other_intervals(table: ScoreTable) -> Iterator[tuple[str, Interval]]:
    yield from scales("delong", auc_estimate(table), ("unseen", "moderated", "logit"))


def scales(name: str, estimate: Estimate, names: Sequence[str]) -> Iterator[tuple[str, Interval]]:
    for scale in names:
        yield f"{name} {scale}", estimate.interval(LEVEL, scale=scale)  # type: ignore[arg-type]


def weighted_intervals(table: ScoreTable) -> Iterator[tuple[str, Interval]]:
    yield from scales("delong", auc_estimate(table), ("unseen", "moderated", "logit"))


def part_intervals(
    part: tuple[float, float],
) -> Callable[[ScoreTable], Iterator[tuple[str, Interval]]]:
    def intervals(table: ScoreTable) -> Iterator[tuple[str, Interval]]:
        estimate = partial_auc_estimate(table, fpr=part)
        yield from scales("placements", estimate, ("unseen", "moderated", "logit"))

    return intervals


# Kinds that came later keep their places at the end: a cell's number is its seed.
MORE_WEIGHTED = (
    (binormal(0.75), 5, 50),
    (binormal(0.9), 10, 10_000),
    (exponential(0.9), 50, 50),
    (exponential(0.9), 20, 200),
    (binormal(0.99), 50, 50),
    (binormal(0.99), 20, 200),
)


def area_rows(kind: str) -> Callable[[int], Iterator[Row]]:
    """Return what measures the cells of one kind, each from its own seed."""

    def rows(samples: int) -> Iterator[Row]:
        for number, cell in enumerate(cells(), 1):
            if cell.section.startswith(kind) and (kind != "area" or cell.section == "area"):
                yield from cell.measure(samples, np.random.default_rng([SEED, number]))

    return rows


def other_rows(samples: int) -> Iterator[Row]:
    """Measure areas in populations that served to choose no constant."""
    for i, (population, (n_pos, n_neg)) in enumerate(product(OTHERS, OTHER_SIZES)):
        cell = Cell("area, validation", population, n_pos, n_neg, population.auc, other_intervals)
        yield from cell.measure(samples, np.random.default_rng([SEED, 131, i]))


def cells() -> Iterator[Cell]:
    for population in POPULATIONS:
        truth = population.auc
        for n_pos, n_neg in SIZES:
            yield Cell("area", population, n_pos, n_neg, truth, area_intervals)
    for low, high in PARTS:
        for population in POPULATIONS:
            truth = population.partial_auc(fpr=(low, high))
            for n_pos, n_neg in PARTIAL_SIZES:
                name = f"part of the area, fpr {low:g} to {high:g}"
                yield Cell(name, population, n_pos, n_neg, truth, part_intervals((low, high)))
    for population in (binormal(0.75), binormal(0.9), ratings()):
        for n_pos, n_neg in ((20, 200), (50, 50), (200, 200)):
            yield Cell(
                "area, lognormal weights",
                population,
                n_pos,
                n_neg,
                population.auc,
                weighted_intervals,
                weighted=True,
            )
    for low, high in PARTS:
        for population in POPULATIONS:
            truth = population.partial_auc(fpr=(low, high))
            name = f"part of the area, fpr {low:g} to {high:g}"
            yield Cell(name, population, 5, 50, truth, part_intervals((low, high)))
    for population, n_pos, n_neg in MORE_WEIGHTED:
        yield Cell(
            "area, lognormal weights",
            population,
            n_pos,
            n_neg,
            population.auc,
            weighted_intervals,
            weighted=True,
        )


# --- shares and their ratios: sums over all outcomes, no simulation ---------------------------


RATE_METHODS: tuple[RateMethod, ...] = (
    "clopper-pearson",
    "wilson",
    "jeffreys",
    "agresti-coull",
    "rubin-schenker",
    "wald-corrected",
)
RATE_SIZES, RATES = (5, 10, 20, 50, 100, 1000), (0.5, 0.8, 0.9, 0.95, 0.99, 0.999)
RATIO_METHODS = ("mover", "score", "log")
POINTS = ((0.8, 0.1), (0.95, 0.05), (0.5, 0.01), (0.9, 0.001))
PREVALENCE = 0.1
POINT_SECTIONS = {
    "rectangle": "both rates",
    "positive": "likelihood ratio",
    "negative": "likelihood ratio",
    "ppv": "predictive value",
    "npv": "predictive value",
}
POINT_SIZES = ((10, 10), (20, 20), (50, 50), (20, 200), (5, 5000))


def rate_rows() -> Iterator[Row]:
    for n, method in product(RATE_SIZES, RATE_METHODS):
        intervals = [rate_interval(x, n, level=LEVEL, method=method) for x in range(n + 1)]
        width = np.array([interval.width for interval in intervals])
        for p in RATES:
            chance = stats.binom.pmf(np.arange(n + 1), n, p)
            inside = np.array([p in interval for interval in intervals])
            yield Row(
                "rate", f"{p:g}", str(n), method, float(chance @ inside), float(chance @ width)
            )


def point_rows() -> Iterator[Row]:
    """Joint rectangles, likelihood ratios and predictive values at a fixed threshold."""
    for n_pos, n_neg in POINT_SIZES:
        made: dict[tuple[int, int], dict[str, tuple[Interval, ...]]] = {}
        for tpr, fpr in POINTS:
            tps, p_tp = likely(n_pos, tpr)
            fps, p_fp = likely(n_neg, fpr)
            outcomes = list(product(tps.tolist(), fps.tolist()))
            for tp, fp in outcomes:
                if (tp, fp) not in made:
                    made[tp, fp] = point_intervals(tp, fp, n_pos, n_neg)
            chance = np.outer(p_tp, p_fp).ravel()
            where = (tpr, fpr, f"{n_pos} + {n_neg}")
            yield from point_row([made[outcome] for outcome in outcomes], chance, *where)


def likely(n: int, p: float) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """All outcomes of n trials and their chances; of very many those above 1e-12."""
    chance = stats.binom.pmf(np.arange(n + 1), n, p)
    outcomes = np.flatnonzero(chance > (1e-12 if n > 1000 else -1))
    return outcomes, chance[outcomes]


def point_intervals(tp: int, fp: int, n_pos: int, n_neg: int) -> dict[str, tuple[Interval, ...]]:
    point = OperatingPoint(
        threshold=0.0,
        tp=tp,
        fp=fp,
        fn=n_pos - tp,
        tn=n_neg - fp,
        next_score=0.0,
        n_eff=(float(n_pos), float(n_neg)),
    )
    found: dict[str, tuple[Interval, ...]] = {}
    for method in ("clopper-pearson", "wilson"):
        box = joint_rectangle(point, level=LEVEL, method=method)
        found[f"rectangle {method}"] = (box.fpr, box.tpr)
    for which, method in product(("positive", "negative"), RATIO_METHODS):
        interval = likelihood_ratio_interval(point, which, level=LEVEL, method=method)  # type: ignore[arg-type]
        found[f"{which}, {method}"] = (interval,)
    for which, method in product(("ppv", "npv"), RATIO_METHODS):
        found[f"{which}, {method}"] = (
            predictive_value_interval(
                point,
                which,  # type: ignore[arg-type]
                prevalence=PREVALENCE,
                level=LEVEL,
                method=method,  # type: ignore[arg-type]
            ),
        )
    return found


def point_row(
    made: Sequence[dict[str, tuple[Interval, ...]]],
    chance: NDArray[np.float64],
    tpr: float,
    fpr: float,
    size: str,
) -> Iterator[Row]:
    right, wrong = PREVALENCE * tpr, (1 - PREVALENCE) * fpr
    missed, quiet = PREVALENCE * (1 - tpr), (1 - PREVALENCE) * (1 - fpr)
    truth = {
        "rectangle": (fpr, tpr),
        "positive": (tpr / fpr,),
        "negative": ((1 - tpr) / (1 - fpr),),
        "ppv": (right / (right + wrong),),
        "npv": (quiet / (quiet + missed),),
    }
    for name in made[0]:
        what = next(what for what in truth if name.startswith(what))
        values = truth[what]
        inside = np.array(
            [all(v in i for v, i in zip(values, each[name], strict=True)) for each in made]
        )
        # The ratios' widths can be infinite: say how wide the predictive values and sides are.
        width = np.array([prod([i.width for i in each[name]]) for each in made])
        mean = float(chance @ width) if np.isfinite(width).all() else float("nan")
        situation = f"tpr {tpr:g}, fpr {fpr:g}"
        section = POINT_SECTIONS[what]
        yield Row(section, situation, size, name, float(chance @ inside), mean)
