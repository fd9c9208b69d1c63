"""Areas at given times, of events that come later: coverage of intervals and bands, size of tests.

Times to the event have proportional hazards in the score; censoring is exponential and has nothing
to do with either, but where two centres with different scores censor at different rates. The truth
is the plain area, or concordance, of many cases of whom nobody is censored. Samples in
which nobody is observed beyond the last time, or nobody has the event by the first, are drawn anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from benchmarks.coverage.cells import Cell, Read
from benchmarks.coverage.ledger import CALLED, LEVEL, SEED
from rocspace import partial_auc, tabulate
from rocspace.designs import (
    SurvivalScores,
    auc_over_time,
    auc_over_time_difference,
    concordance_difference,
    concordance_estimate,
    rates_at_time,
    survival_scores,
)

AREA, BAND = "wide: auc_over_time", "wide: auc_over_time, band of four times"
FREE = "wide: auc_over_time, event-free controls"
GAP, GAP_BAND = "wide: auc_over_time_difference", "wide: auc_over_time_difference, band"
PART = "wide: auc_over_time, fpr 0 to 0.2"
UNO, UNO_GAP = "wide: concordance_estimate", "wide: concordance_difference"
RATES = ("tpr", "fpr", "ppv", "npv")
RATE = "wide: rates_at_time, late, {}"
TEST = "wide: size of the test of auc_over_time_difference"
WHEN = {0: "early", 3: "late"}  # which of the four times
INTERVALS = (
    *(f"{name}, {when}" for name in (AREA, FREE, PART, GAP) for when in WHEN.values()),
    *(BAND, GAP_BAND, UNO, UNO_GAP),
    *(RATE.format(name) for name in RATES),
)
TESTS = tuple(f"{TEST}, {when}" for when in WHEN.values())
DEFAULT = "default"
FEW = "wide: auc_over_time, few events"
FEW_AREAS: dict[str, dict[str, Any]] = {
    "area": {},
    "fpr 0 to .2": {"fpr": (0.0, 0.2)},
    "tpr .8 to 1": {"tpr": (0.8, 1.0)},
}
FEW_PLACES = (*(f"{name}, {when}" for name in FEW_AREAS for when in ("early", "late")), "band")
FEW_GAP, FEW_UNO = (
    f"wide: {name}, few events" for name in ("auc_over_time_difference", "concordance_estimate")
)
FEW_GAPS = ("early", "late", "fpr 0 to .2, late")
FEW_TEST = "wide: size of the test of auc_over_time_difference, few events"
SIZES = (60, 200)
MANY = 200_000  # cases by which a truth is found
RISKS = (0.15, 0.25, 0.35, 0.45)  # shares with the event by the four times
SHARES = (0.1, 0.3, 0.6)  # of cases that are censored at any time

Floats = NDArray[Any]
SCORES: dict[str, Callable[[np.random.Generator, int], Floats]] = {
    "Normal": lambda rng, n: rng.normal(size=n),
    "strong": lambda rng, n: 2.5 * rng.normal(size=n),
    "five levels": lambda rng, n: np.clip(np.round(rng.normal(size=n)), -2, 2),
    "yes/no": lambda rng, n: 1.5 * (rng.random(n) < 0.2),
    "heavy tails": lambda rng, n: np.clip(rng.standard_t(2, size=n), -6, 6),
}
FEW_SCORES: dict[str, Callable[[np.random.Generator, int], Floats]] = {
    "Normal": lambda rng, n: rng.normal(size=n),
    "three levels": lambda rng, n: rng.choice([0.0, 1.0, 2.0], size=n, p=[0.8, 0.15, 0.05]),
    "yes/no of three tenths": lambda rng, n: 1.5 * (rng.random(n) < 0.3),
    "yes/no of a twentieth": lambda rng, n: 2.5 * (rng.random(n) < 0.05),
    "many zeros": lambda rng, n: np.where(rng.random(n) < 0.7, 0.0, rng.gamma(2.0, 0.8, n)),
    "skewed": lambda rng, n: np.minimum(rng.gamma(0.7, 1.5, n), 8.0),
    "of no use": lambda rng, n: rng.choice([0.0, 1.0, 2.0], size=n, p=[0.5, 0.3, 0.2]),
}
FEW_DESIGNS = ((100, 0.5), (150, 0.8), (400, 0.9))  # cases, and the share that is censored
FEW_RISKS = (0.05, 0.15)


@dataclass(frozen=True)
class Followed:
    """Two scores that say equally much, times to the event, and perhaps to another one."""

    name: str
    competing: bool = False
    centres: bool = False

    def events(self, rng: np.random.Generator, n: int) -> tuple[Floats, Floats, Floats, Floats]:
        """Return times, which event it was, both scores, and the centre."""
        scores = np.column_stack([SCORES[self.name](rng, n) for _ in range(2)])
        centre = rng.integers(0, 2, n) if self.centres else np.zeros(n, dtype=int)
        scores += centre[:, None]
        time = rng.exponential(np.exp(-scores.mean(axis=1)))
        kind = np.ones(n)
        if self.competing:
            other = rng.exponential(2 * np.exp(0.5 * scores[:, 0] - 0.5 * scores[:, 1]))
            kind = np.where(other < time, 2.0, 1.0)
            time = np.minimum(time, other)
        return time, kind, scores, centre

    @property
    def truth(self) -> Truth:
        return truth_of(self)

    def draw(self, n: int, rate: float, rng: np.random.Generator) -> SurvivalScores:
        """Draw a sample that has what the estimates need."""
        at = self.truth.at
        while True:
            time, kind, scores, centre = self.events(rng, n)
            end = rng.exponential(1 / rate, size=n) / (1 + 3 * centre)
            seen, status = np.minimum(time, end), np.where(end < time, 0, kind).astype(int)
            case = (seen <= at[0]) & (status == 1)
            if case.sum() > 1 and (seen > at[-1]).any():
                columns = {"first": scores[:, 0], "second": scores[:, 1]}
                strata = centre if self.centres else None
                found = survival_scores(seen, status, columns, cause=1, strata=strata)
                if self.beyond(found, at[-1]):
                    return found

    def beyond(self, data: SurvivalScores, at: float) -> bool:
        """Tell whether each centre has cases that are observed beyond a time."""
        late = data.time > at
        return data.stratum is None or all(
            late[data.stratum == s].any() for s in np.unique(data.stratum)
        )


@dataclass(frozen=True)
class Truth:
    """The four times and what is true at each of them, and rates of censoring by their shares.

    ``areas`` has both areas, ``parts`` the first partial area, ``concordance`` that of both scores
    before the last time, ``called`` the rates of the threshold at the last time.
    """

    at: Floats
    areas: dict[str, Floats]
    parts: Floats
    concordance: Floats
    threshold: float
    called: dict[str, float]
    rates: dict[float, float]


def plain_area(case: NDArray[np.bool_], score: Floats) -> float:
    """Return the area of cases against the others, by ranks."""
    rank, many = stats.rankdata(score), int(case.sum())
    return float((rank[case].sum() - many * (many + 1) / 2) / many / (case.size - many))


def concordant(time: Floats, score: Floats, until: float, rng: np.random.Generator) -> float:
    """Return the concordance by many random pairs."""
    won, among = 0.0, 0
    for _ in range(20):
        other = rng.permutation(time.size)
        first = (time < time[other]) & (time < until)
        won += float(((score > score[other]) + (score == score[other]) / 2)[first].sum())
        among += int(first.sum())
    return won / among


@cache
def truth_of(population: Followed) -> Truth:
    """Find times, areas and rates of censoring from many cases."""
    rng = np.random.default_rng([SEED, crc32(f"{population}".encode())])
    time, kind, scores, centre = population.events(rng, MANY)
    late = np.where(kind == 1, time, np.inf)
    at = np.quantile(late, RISKS)
    areas: dict[str, Floats] = {}
    for controls in ("not-failed", "event-free"):
        found = []
        for t in at:
            case = late <= t
            used = case | (time > t) if controls == "event-free" else np.ones(MANY, dtype=bool)
            found.append([plain_area(case[used], scores[used, j]) for j in (0, 1)])
        areas[controls] = np.array(found).T
    end, rates = rng.exponential(size=MANY), {}
    for share in SHARES:
        low, high = 1e-4, 1e4
        for _ in range(30):
            middle = float(np.sqrt(low * high))
            ends = end / middle / (1 + 3 * centre)
            low, high = (low, middle) if np.mean(ends < time) > share else (middle, high)
        rates[share] = low
    first, case = scores[:, 0], late <= at[-1]
    threshold = float(np.quantile(first, 0.7))
    called = first >= threshold
    return Truth(
        at=at,
        areas=areas,
        parts=np.array([partial_auc(tabulate(late <= t, first), fpr=(0, 0.2)) for t in at]),
        concordance=np.array([concordant(late, scores[:, j], at[-1], rng) for j in (0, 1)]),
        threshold=threshold,
        called={
            "tpr": float(called[case].mean()),
            "fpr": float(called[~case].mean()),
            "ppv": float(case[called].mean()),
            "npv": float(1 - case[~called].mean()),
        },
        rates=rates,
    )


def read_areas(population: Followed, data: SurvivalScores, controls: Any) -> Iterator[Read]:
    """Read the intervals at the first and the last time, and the band."""
    truth = population.truth.areas[controls][0]
    found = auc_over_time(data, list(population.truth.at), "first", controls=controls)
    name = AREA if controls == "not-failed" else FREE
    for j, when in WHEN.items():
        for scale in (None, "identity"):
            interval = found.estimates[j].interval(LEVEL, scale=scale)
            read = truth[j] in interval, interval.width
            yield Read(f"{name}, {when}", scale or DEFAULT, *read, beside=scale is not None)
    if controls == "not-failed":
        band = found.band(LEVEL, rng=1, n_boot=2000)
        inside = bool(((band.low <= truth) & (truth <= band.high)).all())
        yield Read(BAND, DEFAULT, inside, float((band.high - band.low).mean()))


def read_others(population: Followed, data: SurvivalScores) -> Iterator[Read]:
    """Read partial areas, rates of a threshold, and concordances."""
    truth = population.truth
    part = auc_over_time(data, list(truth.at), "first", fpr=(0, 0.2))
    for j, when in WHEN.items():
        interval = part.estimates[j].interval(LEVEL)
        yield Read(f"{PART}, {when}", DEFAULT, truth.parts[j] in interval, interval.width)
    rates = rates_at_time(data, truth.at[-1], truth.threshold, "first")
    for name in RATES:
        if (rate := getattr(rates, name)) is not None:
            interval = rate.interval(LEVEL)
            inside = truth.called[name] in interval
            yield Read(RATE.format(name), DEFAULT, inside, interval.width)
    if population.competing:
        return
    first, second = truth.concordance
    found: Any = {
        UNO: (first, concordance_estimate(data, "first", until=truth.at[-1])),
        UNO_GAP: (first - second, concordance_difference(data, until=truth.at[-1])),
    }
    for name, (true, estimate) in found.items():
        interval = estimate.interval(LEVEL)
        yield Read(name, DEFAULT, true in interval, interval.width)


def read_gaps(population: Followed, data: SurvivalScores) -> Iterator[Read]:
    """Read the difference of both scores, its test, and its band."""
    first, second = population.truth.areas["not-failed"]
    # Both scores enter alike unless others compete: what differs is the error of the truth.
    truth = first - second if population.competing else np.zeros(len(RISKS))
    found = auc_over_time_difference(data, list(population.truth.at), "first", "second")
    for j, when in WHEN.items():
        gap: Any = found.estimates[j]
        interval = gap.interval(LEVEL)
        yield Read(f"{GAP}, {when}", DEFAULT, truth[j] in interval, interval.width)
        if not population.competing:  # there the scores are equally good
            yield Read(f"{TEST}, {when}", DEFAULT, gap.test().pvalue <= CALLED)
    band = found.band(LEVEL, rng=1, n_boot=2000)
    inside = bool(((band.low <= truth) & (truth <= band.high)).all())
    yield Read(GAP_BAND, DEFAULT, inside, float((band.high - band.low).mean()))


def cells() -> tuple[Cell, ...]:
    """Return each population at each size and share of censored cases."""
    populations = [Followed(name) for name in SCORES]
    populations += [Followed(name, competing=True) for name in ("Normal", "five levels")]
    populations += [Followed("Normal", centres=True)]
    return tuple(cell(*each) for each in product(populations, SHARES, SIZES))


def cell(population: Followed, share: float, n: int) -> Cell:
    def draw(rng: np.random.Generator) -> SurvivalScores:
        return population.draw(n, population.truth.rates[share], rng)

    def read(data: SurvivalScores, _: object) -> Iterator[Read]:
        yield from read_areas(population, data, "not-failed")
        if population.competing:
            yield from read_areas(population, data, "event-free")
        yield from read_gaps(population, data)
        yield from read_others(population, data)

    name = population.name + (", competing events" if population.competing else "")
    name += ", two centres" if population.centres else ""
    return Cell(f"{name}, {share:.0%} censored", f"{n} cases", draw, read)


# --- few events -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Early:
    """Two scores that say equally much, and a follow-up after which most have no event yet."""

    name: str
    share: float

    def events(self, rng: np.random.Generator, n: int) -> tuple[Floats, Floats, Floats]:
        """Return times to the event, both scores, and times of censoring but for their unit."""
        scores = np.column_stack([FEW_SCORES[self.name](rng, n) for _ in range(2)])
        hazard = np.exp(0.0 if self.name == "of no use" else 0.6 * scores.sum(axis=1))
        time = (rng.exponential(size=n) / hazard) ** (1 / 1.5)
        return time, scores, rng.uniform(size=n)

    @property
    def truth(self) -> EarlyTruth:
        return early_truth_of(self)

    def draw(self, n: int, rng: np.random.Generator) -> SurvivalScores:
        """Draw a sample in which two have had the event by the first time."""
        truth = self.truth
        while True:
            time, scores, end = self.events(rng, n)
            seen, status = np.minimum(time, end * truth.unit), time <= end * truth.unit
            case = (seen <= truth.at[0]) & status
            if case.sum() > 1 and (seen > truth.at[-1]).any():
                columns = {"first": scores[:, 0], "second": scores[:, 1]}
                return survival_scores(seen, status, columns)


@dataclass(frozen=True)
class EarlyTruth:
    """Two times, each area of the first score at both, its concordance, and the last censoring."""

    at: Floats
    areas: dict[str, list[float]]
    concordance: float
    unit: float


@cache
def early_truth_of(population: Early) -> EarlyTruth:
    """Find times, areas and the unit of censoring from many cases."""
    rng = np.random.default_rng([SEED, crc32(f"{population}".encode())])
    time, scores, end = population.events(rng, MANY)
    at, first = np.quantile(time, FEW_RISKS), scores[:, 0]
    tables = [tabulate(time <= t, first) for t in at]
    return EarlyTruth(
        at=at,
        areas={
            name: [partial_auc(table, **(part or {"fpr": (0, 1)})) for table in tables]
            for name, part in FEW_AREAS.items()
        },
        concordance=concordant(time, first, at[-1], rng),
        unit=float(np.quantile(time / end, 1 - population.share)),
    )


def few_cells() -> tuple[Cell, ...]:
    return tuple(few_cell(name, *design) for name in FEW_SCORES for design in FEW_DESIGNS)


def few_cell(name: str, n: int, share: float) -> Cell:
    population = Early(name, share)

    def draw(rng: np.random.Generator) -> SurvivalScores:
        return population.draw(n, rng)

    def read(data: SurvivalScores, _: object) -> Iterator[Read]:
        yield from read_few_areas(population, data)
        yield from read_few_others(population, data)

    return Cell(f"{name}, {share:.0%} censored", f"{n} cases", draw, read, "validation")


def read_few_areas(population: Early, data: SurvivalScores) -> Iterator[Read]:
    """Read whole and partial areas at both times, and the band."""
    truth = population.truth
    for name, part in FEW_AREAS.items():
        found = auc_over_time(data, list(truth.at), "first", **part)
        for j, when in enumerate(("early", "late")):
            of, true = found.estimates[j], truth.areas[name][j]
            interval, old = of.interval(LEVEL), of.interval(LEVEL, scale="moderated")
            yield Read(FEW, f"{name}, {when}", true in interval, interval.width)
            yield Read(FEW, f"{name}, {when}, moderated", true in old, old.width, beside=True)
        if not part:
            band, areas = found.band(LEVEL, rng=1, n_boot=1000), np.array(truth.areas[name])
            inside = bool(((band.low <= areas) & (areas <= band.high)).all())
            yield Read(FEW, "band", inside, float((band.high - band.low).mean()))


def read_few_others(population: Early, data: SurvivalScores) -> Iterator[Read]:
    """Read differences, which are truly 0, their tests, and a concordance."""
    at = list(population.truth.at)
    gaps = auc_over_time_difference(data, at, "first", "second").estimates
    part = auc_over_time_difference(data, at, "first", "second", fpr=(0, 0.2)).estimates[1]
    for name, gap in zip(FEW_GAPS, (*gaps, part), strict=True):
        interval = gap.interval(LEVEL)
        yield Read(FEW_GAP, name, 0 in interval, interval.width)
        yield Read(FEW_TEST, name, gap.test().pvalue <= CALLED)  # type: ignore[attr-defined]
    interval = concordance_estimate(data, "first", until=at[-1]).interval(LEVEL)
    yield Read(FEW_UNO, DEFAULT, population.truth.concordance in interval, interval.width)
