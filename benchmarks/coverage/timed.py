"""Events that come later: net benefit, and areas of incident cases, where the truth is exact.

A score has five values, each with a constant hazard, so that every truth is a finite sum or an
integral. The last score is rare, and few of those who are called stay free of the event for long.
Samples with fewer than two events within the bandwidth of the incident area are drawn anew. So have
the scores of the part "concordances of few events", where most cases are censored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from scipy.integrate import quad
from scipy.optimize import brentq

from benchmarks.coverage.cells import Cell, Read, held, interval_of
from benchmarks.coverage.ledger import CALLED as REJECTED
from benchmarks.coverage.ledger import LEVEL
from rocspace.designs import (
    SurvivalScores,
    concordance_difference,
    concordance_estimate,
    incident_auc_over_time,
    integrated_auc_estimate,
    net_benefit_over_time,
    survival_scores,
)

BENEFIT = "wide: net_benefit_over_time"
INCIDENT = "wide: incident_auc_over_time"
MEAN = "wide: integrated_auc_estimate"
CALLED = (1, 3, 4)  # the lowest value that is treated
BENEFITS = {j: f"default, score from {j}" for j in CALLED}
DEFAULT = "default"
SIZES, TIMES = (60, 200), (0.5, 2.0, 7.0)
LAST = 8.0  # the end of the study

Floats = NDArray[np.float64]
SHARE = np.array([0.35, 0.25, 0.2, 0.15, 0.05])
HAZARD = 0.05 * np.exp(0.6 * np.arange(5))


def never(rng: np.random.Generator, n: int) -> Floats:
    return np.full(n, LAST)


def some(rng: np.random.Generator, n: int) -> Floats:
    return np.minimum(rng.uniform(0, 9, n), LAST)


CENSORED: dict[str, Callable[[np.random.Generator, int], Floats]] = {
    "nobody censored": never,
    "uniform censoring": some,
}


def wins(case: Floats, control: Floats) -> float:
    """Return the area of weights in both classes, by value of the score."""
    below = np.cumsum(control) - control / 2
    return float(case @ below / case.sum() / control.sum())


def at_events(t: float) -> tuple[Floats, Floats]:
    """Return who has the event at a time, and who is still free of it."""
    free = SHARE * np.exp(-HAZARD * t)
    return HAZARD * free, free


def mean_area(until: float) -> float:
    """Return the mean area of incident cases, weighted by f(t) S(t)."""

    def weight(t: float) -> float:
        case, free = at_events(t)
        return float(case.sum() * free.sum())

    def each(t: float) -> float:
        return weight(t) * wins(*at_events(t))

    return float(quad(each, 0, until)[0] / quad(weight, 0, until)[0])


def benefit(at: float, level: int) -> tuple[float, float]:
    """Return a risk, that of a value of the score, and the net benefit of treating from it on."""
    risk = 1 - np.exp(-HAZARD * at)
    odds = risk[level] / (1 - risk[level])
    gain = SHARE * (risk - odds * (1 - risk))
    return float(risk[level]), float(gain[level:].sum())


def cells() -> tuple[Cell, ...]:
    return tuple(cell(*each) for each in product(CENSORED, TIMES, SIZES))


def cell(censored: str, at: float, n: int) -> Cell:
    benefits = {level: benefit(at, level) for level in CALLED}
    incident, mean = wins(*at_events(at)), mean_area(at)

    def draw(rng: np.random.Generator) -> SurvivalScores:
        while True:
            score = rng.choice(5, n, p=SHARE)
            time, end = rng.exponential(1 / HAZARD[score]), CENSORED[censored](rng, n)
            seen, status = np.minimum(time, end), (time <= end).astype(int)
            near = seen[(status == 1) & (np.abs(seen - at) < at / 2) & (seen < seen.max())]
            if status[seen <= at].any() and (seen > at).any() and near.size > 1:
                return survival_scores(seen, status, score)

    def read(data: SurvivalScores, _: object) -> Iterator[Read]:
        for level, (risk, truth) in benefits.items():
            found = net_benefit_over_time(data, at, risk, threshold=level).estimates[0]
            yield from held(BENEFIT, BENEFITS[level], partial(interval_of, found), truth)
        yield from held(INCIDENT, DEFAULT, lambda: interval_of(around(data, at)), incident)
        found = integrated_auc_estimate(data, until=at)
        yield from held(MEAN, DEFAULT, partial(interval_of, found), mean)

    return Cell(f"five values, {censored}, at {at:g}", f"{n} cases", draw, read)


def around(data: SurvivalScores, at: float) -> Any:
    return incident_auc_over_time(data, at, bandwidth=at / 2).estimates[0]


# --- few events -------------------------------------------------------------------------------


def even(quantile: Callable[[Floats], Floats]) -> tuple[Floats, Floats]:
    """Return thirty values of a distribution, all with the same chance."""
    return quantile((np.arange(30) + 0.5) / 30), np.full(30, 1 / 30)


def of_levels(*shares: float) -> tuple[Floats, Floats]:
    return np.arange(len(shares), dtype=np.float64), np.array(shares)


GAMMA, GAMMA_SHARE = even(stats.gamma(2, scale=0.8).ppf)
# Values, the chance of each, and by how much one more raises the log hazard.
FEW_SCORES: dict[str, tuple[Floats, Floats, float]] = {
    "three levels": (*of_levels(0.8, 0.15, 0.05), 0.6),
    "yes/no of three tenths": (*of_levels(0.7, 0.3), 0.9),
    "yes/no of a twentieth": (*of_levels(0.95, 0.05), 2.0),
    "strong yes/no of a fifth": (*of_levels(0.8, 0.2), 3.5),
    "many zeros": (np.append(0.0, GAMMA), np.append(0.7, 0.3 * GAMMA_SHARE), 0.8),
    "Normal": (*even(stats.norm.ppf), 1.0),
    "strong Normal": (*even(stats.norm.ppf), 2.5),
    "of no use": (*of_levels(0.5, 0.3, 0.2), 0.0),
}
ALIKE = 0.7  # the chance that both scores are the same draw
# Cases, the risk of the event by time 1, and the end of uniform censoring.
FEW_DESIGNS = ((60, 0.2, 1.6), (150, 0.15, 1.6), (150, 0.1, 1.15), (400, 0.06, 1.15))
CONCORDANCES: dict[str, Any] = {"Uno's": "uno", "Harrell's": "harrell"}
FEW_INCIDENT, FEW_MEAN, FEW_CONCORDANCE = (
    f"wide: {name}, few events of levels"
    for name in ("incident_auc_over_time", "integrated_auc_estimate", "concordance_estimate")
)
FEW_GAP = "wide: concordance_difference, few events of levels"
FEW_TEST = "wide: size of the test of concordance_difference, few events of levels"
UNTIL, MIDDLE = 1.0, 0.5


@dataclass(frozen=True)
class Levels:
    """Two scores that say equally much, of few values, and constant hazards.

    Attributes
    ----------
    value : ndarray of float64, shape (2, m)
        Both scores of each pair of values.
    share, hazard : ndarray of float64, shape (m,)
        The chance of the pair, and its hazard.
    """

    value: Floats
    share: Floats
    hazard: Floats

    @classmethod
    def of(cls, name: str, risk: float) -> Levels:
        """Return the population with a given risk of the event by time 1."""
        each, chance, slope = FEW_SCORES[name]
        value = np.stack(np.meshgrid(each, each, indexing="ij")).reshape(2, -1)
        share = (ALIKE * np.diag(chance) + (1 - ALIKE) * np.outer(chance, chance)).ravel()
        relative = np.exp(slope * value.mean(axis=0))

        def excess(log: float) -> float:
            return float(share @ -np.expm1(-np.exp(log) * relative)) - risk

        return cls(value, share, np.exp(brentq(excess, -20, 5)) * relative)

    def area(self, t: float) -> tuple[float, float]:
        """Return the area of the first score at a time, and f(t) S(t)."""
        free = self.share * np.exp(-self.hazard * t)
        case = self.hazard * free
        level = np.unique(self.value[0], return_inverse=True)[1]
        cases, frees = (np.asarray(np.bincount(level, by), float) for by in (case, free))
        return wins(cases, frees), float(case.sum() * free.sum())

    def mean_area(self) -> float:
        """Return the mean area until time 1, weighted by f(t) S(t): the concordance."""
        at, weight = np.polynomial.legendre.leggauss(20)
        areas, density = np.array([self.area(t) for t in (at + 1) / 2]).T
        return float(weight * density @ areas / (weight @ density))

    def draw(self, n: int, end: float, rng: np.random.Generator) -> SurvivalScores:
        """Draw a sample with events at two times before 1, and a case beyond."""
        while True:
            pair = rng.choice(self.share.size, n, p=self.share)
            time, censored = rng.exponential(1 / self.hazard[pair]), rng.uniform(0, end, n)
            seen, status = np.minimum(time, censored), (time <= censored).astype(int)
            if status[seen < UNTIL].sum() > 1 and (seen > UNTIL).any():
                columns = {"first": self.value[0, pair], "second": self.value[1, pair]}
                return survival_scores(seen, status, columns)


def few_cells() -> tuple[Cell, ...]:
    return tuple(few_cell(name, *design) for name in FEW_SCORES for design in FEW_DESIGNS)


def few_cell(name: str, n: int, risk: float, end: float) -> Cell:
    population = Levels.of(name, risk)
    incident, mean = population.area(MIDDLE)[0], population.mean_area()

    def read(data: SurvivalScores, _: object) -> Iterator[Read]:
        smooth = incident_auc_over_time(data, MIDDLE, "first", bandwidth=MIDDLE).estimates[0]
        asked: list[Any] = [
            (FEW_INCIDENT, DEFAULT, smooth, incident),
            (FEW_MEAN, DEFAULT, integrated_auc_estimate(data, "first", until=UNTIL), mean),
        ]
        for method, called in CONCORDANCES.items():
            found = concordance_estimate(data, "first", method=called, until=UNTIL)
            asked.append((FEW_CONCORDANCE, method, found, mean))
            gap = concordance_difference(data, method=called, until=UNTIL)
            yield from held(FEW_GAP, method, partial(interval_of, gap), 0.0)
            yield Read(FEW_TEST, method, gap.test().pvalue <= REJECTED)
        for name, place, estimate, truth in asked:
            yield from held(name, place, partial(interval_of, estimate), truth)
            old = partial(estimate.interval, LEVEL, scale="moderated")
            yield from held(name, f"{place}, moderated", old, truth, beside=True)

    def draw(rng: np.random.Generator) -> SurvivalScores:
        return population.draw(n, end, rng)

    return Cell(f"{name}, risk {risk:g}", f"{n} cases", draw, read, "validation")
