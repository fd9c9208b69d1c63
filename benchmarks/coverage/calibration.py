"""Calibration: slope, intercepts and their joint test, with labels drawn at random given scores.

The scores are log odds that are calibrated, so that the slope is 1 and both intercepts are 0, or
that are too far from 0, where the calibration-in-the-large is the root of its own equation, or
those of a truth that follows no line, whose parameters are those of the nearest logistic curve.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import product
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import expit, logit, ndtri

from benchmarks.coverage.cells import Cell, Read, held, interval_of, rejected
from benchmarks.coverage.ledger import LEVEL, SEED, Role
from rocspace.calibrate import CalibrationEstimates, calibration_estimates
from rocspace.counts import ScoreTable, tabulate

PARAMETERS = ("slope", "intercept")
LARGE = "wide: calibration, in the large"
SECTIONS = {name: f"wide: calibration, {name}" for name in PARAMETERS}
WEIGHTED = {
    **{name: f"{section} with weights" for name, section in SECTIONS.items()},
    "in_the_large": f"{LARGE} with weights",
}
BENT = {
    **{name: f"{section} off the line" for name, section in SECTIONS.items()},
    "in_the_large": f"{LARGE} off the line",
}
FEW = {
    **{name: f"{section} with few positives" for name, section in SECTIONS.items()},
    "in_the_large": f"{LARGE} with few positives",
}
JOINT = "wide: size of the joint test of calibration"
FEW_JOINT = f"{JOINT} with few positives"
WEIGHTED_JOINT = f"{JOINT} with weights"
DEFAULT = "default"
MANY = 20_000  # scores by which a population is made
MANY_BENT = 400_000  # scores by which the nearest line is found
STEPS = 30  # of Newton

Floats = NDArray[np.float64]
Draw = Callable[[float, float, int, np.random.Generator], Floats]


# --- populations ------------------------------------------------------------------------------


def normal(area: float, share: float, n: int, rng: np.random.Generator, sd: float = 1.0) -> Floats:
    """Draw Normal scores of two kinds of cases, one of which has another spread."""
    high = rng.random(n) < share
    shift = float(ndtri(area)) * (1 + sd**2) ** 0.5
    return np.asarray(rng.normal(size=n) * np.where(high, sd, 1.0) + shift * high)


def unequal(area: float, share: float, n: int, rng: np.random.Generator) -> Floats:
    return normal(area, share, n, rng, 2.0)


def exponential(area: float, share: float, n: int, rng: np.random.Generator) -> Floats:
    return rng.exponential(size=n) * np.where(rng.random(n) < share, area / (1 - area), 1.0)


def rounded(area: float, share: float, n: int, rng: np.random.Generator) -> Floats:
    return np.asarray(np.round(normal(area, share, n, rng)))


@dataclass(frozen=True)
class Calibrated:
    """Log odds with a given expected share of positives and a given area."""

    draw_scores: Draw
    area: float
    share: float

    @cached_property
    def line(self) -> tuple[float, float]:
        """Level and slope that make log odds of the scores."""
        x = np.sort(self.draw_scores(self.area, self.share, MANY, np.random.default_rng(SEED)))
        group = np.unique(x, return_inverse=True)[1]

        def level(slope: float) -> float:
            far = 50 + slope * float(np.abs(x).max())
            return float(brentq(lambda a: expit(a + slope * x).mean() - self.share, -far, far))

        def excess(slope: float) -> float:
            p = expit(level(slope) + slope * x)
            pos, neg = np.bincount(group, p), np.bincount(group, 1 - p)
            wins = pos @ (np.cumsum(neg) - neg / 2)
            return float(wins / (pos.sum() * neg.sum())) - self.area

        slope = float(brentq(excess, 1e-3, 50))
        return level(slope), slope

    @cached_property
    def large(self) -> float:
        """The calibration-in-the-large of log odds `EXTREME` times as far from 0."""
        level, slope = self.line
        x = self.draw_scores(self.area, self.share, MANY, np.random.default_rng(SEED))
        odds = level + slope * x
        share, far = float(expit(odds).mean()), 50 + EXTREME * float(np.abs(odds).max())
        return float(brentq(lambda a: expit(a + EXTREME * odds).mean() - share, -far, far))

    def draw(self, n: int, rng: np.random.Generator) -> tuple[NDArray[np.bool_], Floats]:
        """Draw log odds, and labels at random given them; both classes are there."""
        level, slope = self.line
        while True:
            x = level + slope * self.draw_scores(self.area, self.share, n, rng)
            label = rng.random(n) < expit(x)
            if 0 < label.sum() < n:
                return label, x


def lognormal(x: Floats, rng: np.random.Generator) -> Floats:
    return rng.lognormal(0, 1, x.size)


def by_score(x: Floats, _: np.random.Generator) -> Floats:
    return np.where(x > np.median(x), 1.0, 5.0)


@dataclass(frozen=True)
class Bent:
    """Predicted log odds that were calibrated once; those of the truth now follow no line."""

    calibrated: Calibrated
    truth: Callable[[Floats], Floats]

    @cached_property
    def nearest(self) -> dict[str, float]:
        """The parameters of the nearest logistic curves."""
        level, slope = self.calibrated.line
        rng = np.random.default_rng(SEED)
        x = level + slope * self.calibrated.draw_scores(
            self.calibrated.area, self.calibrated.share, MANY_BENT, rng
        )
        p = expit(self.truth(x))
        design, found = np.stack([x, np.ones(x.size)]), np.array([0.0, logit(p.mean())])
        for _ in range(STEPS):
            now = expit(found @ design)
            step = np.linalg.solve(design * (now * (1 - now)) @ design.T, design @ (p - now))
            found = found + step / max(1.0, float(np.abs(step).max()))
        far = 50 + float(np.abs(x).max())
        large = float(brentq(lambda a: (expit(a + x) - p).sum(), -far, far))
        return {"slope": float(found[0]), "intercept": float(found[1]), "in_the_large": large}

    def draw(self, n: int, rng: np.random.Generator) -> tuple[NDArray[np.bool_], Floats]:
        """Draw predicted log odds, and labels at random given the true ones."""
        level, slope = self.calibrated.line
        while True:
            x = level + slope * self.calibrated.draw_scores(
                self.calibrated.area, self.calibrated.share, n, rng
            )
            label = rng.random(n) < expit(self.truth(x))
            if 0 < label.sum() < n:
                return label, x


def hidden(x: Floats) -> Floats:
    return np.asarray(logit(0.03 + 0.97 * expit(x)))


def at_most_even(x: Floats) -> Floats:
    return np.minimum(x, 0.0)


def at_least(x: Floats) -> Floats:
    return np.maximum(x, -1.5)


def one_group(x: Floats) -> Floats:
    return np.where((x > -2) & (x < -1), x + 2, x)


# --- cells ------------------------------------------------------------------------------------

POPULATIONS: tuple[tuple[str, Draw, Role], ...] = (
    ("binormal", normal, "development"),
    ("binormal, sd 2", unequal, "validation"),
    ("exponential", exponential, "validation"),
    ("rounded", rounded, "validation"),
)
AREAS = (0.7, 0.9, 0.97)
SIZES = ((20, 20), (50, 50), (20, 200))
WEIGHTS = (("lognormal weights", lognormal), ("weights by score", by_score))
WEIGHT_SIZES = ((50, 50), (50, 500))
FEW_SIZES = ((5, 500), (10, 1000), (20, 500))
FEWEST = (("binormal, sd 2", (5, 5000)), ("rounded", (20, 5000)))
BESIDE: tuple[Literal["likelihood", "identity"], ...] = ("likelihood", "identity")
EXTREME = 3.0
BENDS: tuple[tuple[str, Callable[[Floats], Floats]], ...] = (
    ("3% positives at the lowest", hidden),
    ("odds at most even", at_most_even),
    ("log odds at least -1.5", at_least),
    ("log odds -2 to -1 too low by 2", one_group),
)


def cells() -> tuple[Cell, ...]:
    return tuple(cell(*each) for each in product(POPULATIONS, AREAS, SIZES))


def large_cells() -> tuple[Cell, ...]:
    """Cells of calibration-in-the-large, where log odds are calibrated, and where too extreme."""
    every = product(POPULATIONS, AREAS, SIZES)
    extreme = product(POPULATIONS[:3:2], AREAS[:2], SIZES, (EXTREME,))
    return tuple(large_cell(*each) for each in (*every, *extreme))


def large_cell(
    population: tuple[str, Draw, Role], area: float, sizes: tuple[int, int], times: float = 1.0
) -> Cell:
    """Read calibration-in-the-large of log odds 1 or `EXTREME` times as far from 0 as right."""
    name, scores, role = population
    n = sum(sizes)
    calibrated = Calibrated(scores, area, sizes[0] / n)

    def draw(rng: np.random.Generator) -> ScoreTable:
        label, x = calibrated.draw(n, rng)
        return tabulate(label, times * x)

    def read(table: ScoreTable, _: object) -> Iterator[Read]:
        found = calibration_estimates(table, scores="log odds").in_the_large_estimate
        truth = 0.0 if times == 1 else calibrated.large
        for scale in (None, *BESIDE):
            make = partial(found.interval, LEVEL, scale=scale)
            beside = scale is not None
            yield from held(LARGE, scale or DEFAULT, make, truth, beside=beside)

    told = "" if times == 1 else f", log odds {times:g} times as far from 0"
    return Cell(f"{name}, area {area:g}{told}", f"{sizes[0]} + {sizes[1]}", draw, read, role)


def bent_cells() -> tuple[Cell, ...]:
    """Cells of all three parameters where the truth follows no line."""
    every = product(POPULATIONS[:3:2], BENDS, SIZES)
    return tuple(bent_cell(*each) for each in every)


def bent_cell(
    population: tuple[str, Draw, Role],
    bend: tuple[str, Callable[[Floats], Floats]],
    sizes: tuple[int, int],
) -> Cell:
    """Read one truth; `sizes` are the expected numbers of classes before it was bent."""
    name, scores, role = population
    n = sum(sizes)
    bent = Bent(Calibrated(scores, 0.9, sizes[0] / n), bend[1])

    def draw(rng: np.random.Generator) -> ScoreTable:
        label, x = bent.draw(n, rng)
        return tabulate(label, x)

    def read(table: ScoreTable, _: object) -> Iterator[Read]:
        found = calibration_estimates(table, scores="log odds")
        for parameter, truth in bent.nearest.items():
            estimate = getattr(found, f"{parameter}_estimate")
            yield from held(BENT[parameter], DEFAULT, partial(interval_of, estimate), truth)

    return Cell(f"{name}, area 0.9, {bend[0]}", f"{sizes[0]} + {sizes[1]}", draw, read, role)


def weighted_cells() -> tuple[Cell, ...]:
    several = product(POPULATIONS[1:2], (0.7, 0.9), WEIGHT_SIZES, WEIGHTS)
    return tuple(cell(*each, sections=WEIGHTED, joint=WEIGHTED_JOINT) for each in several)


def few_cells() -> Iterator[Cell]:
    """Cells with few positives among many negatives: each area at all sizes, in turn."""
    for (i, population), (j, area) in product(enumerate(POPULATIONS), enumerate(AREAS)):
        yield few_cell(population, area, FEW_SIZES[(i + j) % len(FEW_SIZES)])
    for name, sizes in FEWEST:
        (population,) = (each for each in POPULATIONS if each[0] == name)
        yield few_cell(population, AREAS[1], sizes)


def few_cell(population: tuple[str, Draw, Role], area: float, sizes: tuple[int, int]) -> Cell:
    return cell(population, area, sizes, sections=FEW, joint=FEW_JOINT, scales=())


def cell(
    population: tuple[str, Draw, Role],
    area: float,
    sizes: tuple[int, int],
    weights: tuple[str, Callable[..., Floats]] | None = None,
    *,
    sections: Mapping[str, str] = SECTIONS,
    joint: str = JOINT,
    scales: tuple[Any, ...] = BESIDE,
) -> Cell:
    """Read one population: `sizes` are the expected numbers of positives and negatives."""
    name, scores, role = population
    n = sum(sizes)
    calibrated = Calibrated(scores, area, sizes[0] / n)

    def draw(rng: np.random.Generator) -> ScoreTable:
        label, x = calibrated.draw(n, rng)
        return tabulate(label, x, sample_weight=weights[1](x, rng) if weights else None)

    def read(table: ScoreTable, _: object) -> Iterator[Read]:
        try:
            found = calibration_estimates(table, scores="log odds")
        except ValueError:
            return
        for parameter in sections:
            estimate = getattr(found, f"{parameter}_estimate")
            for scale in (None, *scales):
                yield from held(
                    sections[parameter],
                    scale or DEFAULT,
                    partial(estimate.interval, LEVEL, scale=scale),
                    estimate.ideal,
                    beside=scale is not None,
                )
        yield from tests(found, joint)

    situation = f"{name}, area {area:g}{f', {weights[0]}' if weights else ''}"
    return Cell(situation, f"{sizes[0]} + {sizes[1]}", draw, read, role)


def tests(found: CalibrationEstimates, joint: str) -> Iterator[Read]:
    test: Any = found.joint_test
    yield from rejected(joint, DEFAULT, lambda: float(test.pvalue))
