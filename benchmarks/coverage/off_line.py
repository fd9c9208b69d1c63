"""Calibration with few cases of a class, where the truth follows no line.

Predicted log odds are u and a level; those of the truth are a shape of u and a level, by which so
many positives are expected. What a fit tends to in large samples is the nearest logistic curve:
its slope and intercepts are computed by numeric integration over u.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from scipy.optimize import brentq
from scipy.special import expit, logit

from benchmarks.coverage.calibration import DEFAULT, FEW, FEW_JOINT, STEPS, tests
from benchmarks.coverage.cells import Cell, Read, held, interval_of, sizes_of
from benchmarks.coverage.ledger import Role
from rocspace.calibrate import calibration_estimates
from rocspace.counts import ScoreTable, tabulate

Floats = NDArray[np.float64]
Shape = Callable[[Floats], Floats]

SECTIONS = {name: f"{section} off the line" for name, section in FEW.items()}
JOINT = f"{FEW_JOINT} or negatives"
NODES, FAR = 600, 80.0


@dataclass(frozen=True)
class Odds:
    """Scores u, the true log odds minus their level, and how many of each class are expected."""

    scores: str
    shape: str
    sizes: tuple[int, int]

    @property
    def n(self) -> int:
        return sum(self.sizes)

    @property
    def share(self) -> float:
        return self.sizes[0] / self.n

    @property
    def predicted(self) -> float:
        """The level of the predicted log odds: the true one, if there is a line."""
        return self.level if self.shape == LINE else float(logit(self.share))

    @cached_property
    def nodes(self) -> tuple[Floats, Floats]:
        """Values of u and their weights, on either side of the corner that a shape has at 0."""
        at, weight = np.polynomial.legendre.leggauss(NODES)
        at, weight = (at + 1) / 2, weight / 2
        u = at / (1 - at)
        weight = weight * SCORES[self.scores].pdf(u) / (1 - at) ** 2
        return np.concatenate([-u, u]), np.concatenate([weight, weight])

    @cached_property
    def level(self) -> float:
        """The level of the true log odds."""
        u, weight = self.nodes
        of = SHAPES[self.shape](u)
        return float(brentq(lambda a: weight @ expit(a + of) - self.share, -FAR, FAR))

    @cached_property
    def nearest(self) -> dict[str, float]:
        """The parameters of the nearest logistic curves."""
        u, weight = self.nodes
        p, x = expit(self.level + SHAPES[self.shape](u)), u + self.predicted
        design, found = np.stack([x, np.ones(x.size)]), np.array([0.0, self.predicted])
        for _ in range(STEPS):
            now = expit(found @ design)
            information = (design * (weight * now * (1 - now))) @ design.T
            step = np.linalg.solve(information, design @ (weight * (p - now)))
            found = found + step / max(1.0, float(np.abs(step).max()))
        large = brentq(lambda a: weight @ (expit(a + x) - p), -FAR, FAR)
        return {"slope": float(found[0]), "intercept": float(found[1]), "in_the_large": large}

    def draw(self, rng: np.random.Generator) -> ScoreTable:
        """Draw predicted log odds, and labels at random given the true ones."""
        while True:
            u = SCORES[self.scores].rvs(size=self.n, random_state=rng)
            label = rng.random(self.n) < expit(self.level + SHAPES[self.shape](u))
            if 0 < label.sum() < self.n:
                return tabulate(label, u + self.predicted)


LINE = "u"


def at_most_0(u: Floats) -> Floats:
    return np.minimum(u, 0.0)


SCORES: dict[str, Any] = {"Normal u": stats.norm, "t5 u": stats.t(5)}
SHAPES: dict[str, Shape] = {
    LINE: lambda u: u,
    "|u|": np.abs,
    "-|u|": lambda u: -np.abs(u),
    "0.3 u^2": lambda u: 0.3 * u**2,
    "min(u, 0)": at_most_0,
    "2 tanh u": lambda u: np.asarray(2 * np.tanh(u)),
}
V_SIZES = ((5, 500), (10, 2000), (20, 500), (40, 200))
SITUATIONS: tuple[tuple[Role, Odds], ...] = (
    *(("development", Odds("Normal u", "|u|", sizes)) for sizes in V_SIZES),
    ("development", Odds("Normal u", "-|u|", (500, 10))),
    ("development", Odds("Normal u", "min(u, 0)", (5, 500))),
    ("development", Odds("Normal u", "min(u, 0)", (10, 5000))),
    ("development", Odds("Normal u", "min(u, 0)", (500, 20))),
    ("development", Odds("Normal u", "0.3 u^2", (5, 500))),
    ("development", Odds("Normal u", "0.3 u^2", (20, 2000))),
    ("development", Odds("Normal u", "2 tanh u", (10, 500))),
    ("development", Odds("Normal u", "2 tanh u", (40, 200))),
    ("development", Odds("Normal u", "2 tanh u", (2000, 10))),
    ("development", Odds("t5 u", "|u|", (10, 2000))),
    ("development", Odds("t5 u", "|u|", (40, 200))),
    ("validation", Odds("t5 u", "0.3 u^2", (20, 500))),
    ("development", Odds("t5 u", "min(u, 0)", (10, 1000))),
    ("validation", Odds("t5 u", "2 tanh u", (5, 500))),
    ("validation", Odds("t5 u", "2 tanh u", (200, 40))),
    ("development", Odds("Normal u", LINE, (10, 500))),
    ("development", Odds("Normal u", LINE, (2000, 20))),
    ("development", Odds("t5 u", LINE, (500, 10))),
)

HEAVY = ("t5 u, true log odds |u|", "t5 u, true log odds 0.3 u^2")


def cells() -> Iterator[Cell]:
    for role, odds in SITUATIONS:
        situation = f"{odds.scores}, true log odds {odds.shape}"
        yield Cell(situation, sizes_of(*odds.sizes), odds.draw, partial(read, odds), role)


def read(odds: Odds, table: ScoreTable, _: object) -> Iterator[Read]:
    """Read all three parameters, and the joint test where its hypothesis is true."""
    found = calibration_estimates(table, scores="log odds")
    for parameter, truth in odds.nearest.items():
        estimate = getattr(found, f"{parameter}_estimate")
        yield from held(SECTIONS[parameter], DEFAULT, partial(interval_of, estimate), truth)
    if odds.shape == LINE:
        yield from tests(found, JOINT)
