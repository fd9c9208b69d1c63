"""Events that come later: net benefit, and areas of incident cases, where the truth is exact.

A score has five values, each with a constant hazard, so that every truth is a finite sum or an
integral. The last score is rare, and few of those who are called stay free of the event for long.
Samples with fewer than two events within the bandwidth of the incident area are drawn anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import quad

from benchmarks.coverage.cells import Cell, Read, held, interval_of
from rocspace.designs import (
    SurvivalScores,
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
