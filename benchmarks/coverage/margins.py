"""Populations of the widened ledger: two distributions for each, so that scores can be coupled.

Each `Margin` knows the quantiles and the cumulated distribution of either class. Curves and areas
follow from them; several scores of the same cases are quantiles of correlated Normal numbers. Of a
discrete score the truth is its polygon.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from scipy.special import ndtr, ndtri

import rocspace as rs
from benchmarks.coverage.ledger import Role
from rocspace.counts import PairedScores, ScoreTable

Floats: TypeAlias = NDArray[np.float64]


class Distribution(Protocol):
    """What a class's scores are distributed as."""

    def cdf(self, x: Any) -> Any: ...

    def ppf(self, u: Any) -> Any: ...


@dataclass(frozen=True)
class Normal:
    mean: float = 0.0
    sd: float = 1.0

    def cdf(self, x: Any) -> Any:
        return ndtr((np.asarray(x) - self.mean) / self.sd)

    def ppf(self, u: Any) -> Any:
        return self.mean + self.sd * ndtri(u)


@dataclass(frozen=True)
class Mixed:
    """A mixture: quantiles by halving between those of its parts."""

    parts: tuple[tuple[float, Any], ...]

    def cdf(self, x: Any) -> Any:
        return sum(share * part.cdf(x) for share, part in self.parts)

    @cached_property
    def _grid(self) -> tuple[Floats, Floats]:
        u = ndtr(np.linspace(-7, 7, 20_001))
        x = np.unique(np.concatenate([part.ppf(u) for _, part in self.parts]))
        return np.asarray(self.cdf(x)), x

    def ppf(self, u: Any) -> Any:
        return np.interp(u, *self._grid)


@dataclass(frozen=True)
class Steps:
    """Levels 0, 1, ... with shares."""

    shares: tuple[float, ...]

    @property
    def cumulated(self) -> Floats:
        total = np.cumsum(self.shares)
        return np.asarray(total / total[-1])

    def cdf(self, x: Any) -> Any:
        at = np.floor(np.asarray(x, dtype=float)).astype(int)
        found = self.cumulated[np.clip(at, 0, len(self.shares) - 1)]
        return np.where(at < 0, 0.0, found)

    def ppf(self, u: Any) -> Any:
        return np.searchsorted(self.cumulated[:-1], u, side="left").astype(float)


@dataclass(frozen=True)
class Inflated:
    """A share of zeros, above them another distribution of positive numbers."""

    zeros: float
    above: Any

    def cdf(self, x: Any) -> Any:
        x = np.asarray(x, dtype=float)
        return np.where(x < 0, 0.0, self.zeros + (1 - self.zeros) * self.above.cdf(x))

    def ppf(self, u: Any) -> Any:
        rest = np.clip((np.asarray(u) - self.zeros) / (1 - self.zeros), 0, 1)
        return np.where(np.asarray(u) <= self.zeros, 0.0, self.above.ppf(rest))


@dataclass(frozen=True)
class Margin:
    """One score: what its classes are distributed as, and what it is there for."""

    name: str
    pos_of: Any
    neg_of: Any
    role: Role = "development"
    discrete: bool = False

    def pos(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        return np.asarray(self.pos_of.ppf(rng.random(shape)), dtype=float)

    def neg(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        return np.asarray(self.neg_of.ppf(rng.random(shape)), dtype=float)

    def draw(self, n_pos: int, n_neg: int, rng: np.random.Generator) -> ScoreTable:
        return rs.tabulate_classes(self.pos(rng, (n_pos,)), self.neg(rng, (n_neg,)))

    @cached_property
    def polygon(self) -> tuple[Floats, Floats]:
        """Rates at all levels, or at very many thresholds."""
        u = ndtr(np.linspace(-8, 8, 20_001))
        x = np.unique(np.concatenate([self.pos_of.ppf(u), self.neg_of.ppf(u)]))[::-1]
        fpr, tpr = (1 - d.cdf(x) for d in (self.neg_of, self.pos_of))
        ends = np.array([0.0]), np.array([1.0])
        return np.concatenate([ends[0], fpr, ends[1]]), np.concatenate([ends[0], tpr, ends[1]])

    def tpr_at(self, fpr: Any) -> Any:
        """Return the curve, of vertical runs the top."""
        return np.interp(fpr, *self._tops)

    def fpr_at(self, tpr: Any) -> Any:
        """Return the least false positive rate where the curve is as high."""
        return np.interp(tpr, *self._lefts)

    @cached_property
    def _tops(self) -> tuple[Floats, Floats]:
        x, y = self.polygon
        x, first = np.unique(x[::-1], return_index=True)
        return x, y[::-1][first]

    @cached_property
    def _lefts(self) -> tuple[Floats, Floats]:
        x, y = self.polygon
        y, first = np.unique(y, return_index=True)
        return y, x[first]

    @cached_property
    def auc(self) -> float:
        x, y = self.polygon
        return float(np.trapezoid(y, x))

    def partial_auc(self, *, fpr: tuple[float, float]) -> float:
        (low, high), (x, y) = fpr, self.polygon
        inside = (x > low) & (x < high)
        at = np.concatenate([[low], x[inside], [high]])
        tpr = np.concatenate([[self.tpr_at(low)], y[inside], [self.tpr_at(high)]])
        return float(np.trapezoid(tpr, at))

    @cached_property
    def youden(self) -> float:
        x, y = self.polygon
        return float(max(0.0, (y - x).max()))

    def least_cost(self, probability: float) -> float:
        x, y = self.polygon
        return float((probability * (1 - y) + (1 - probability) * x).min())

    def best_threshold(self) -> tuple[float, float]:
        """Return the best score by Youden's index, and how much worse the next best level is."""
        u = ndtr(np.linspace(-8, 8, 20_001))
        x = np.unique(np.concatenate([self.pos_of.ppf(u), self.neg_of.ppf(u)]))
        step = 1e-9 * (1 + np.abs(x)) if not self.discrete else 0.5
        value = self.neg_of.cdf(x - step) - self.pos_of.cdf(x - step)
        order = np.argsort(-value)
        return float(x[order[0]]), float(value[order[0]] - value[order[1]])

    def average_precision(self, prevalence: float, *, steps: bool) -> float:
        """Return the mean precision over the recall; by steps, each level has one precision."""
        x, y = self.polygon
        if not steps:  # along the polygon, whose pieces are no lines beside the precision
            at = np.arange(x.size)
            fine = np.unique(np.concatenate([at, np.linspace(0, x.size - 1, 60_001)]))
            x, y = np.interp(fine, at, x), np.interp(fine, at, y)
        called = prevalence * y + (1 - prevalence) * x
        precision = np.divide(prevalence * y, called, out=np.ones_like(y), where=called > 0)
        if steps:
            return float((np.diff(y) * precision[1:]).sum())
        return float(np.trapezoid(precision, y))

    def part_beside(self, low: float, high: float) -> float:
        """Return the area to the right of the curve between two true positive rates."""
        at = np.linspace(low, high, 2001)
        return float(np.trapezoid(1 - self.fpr_at(at), at))


# --- populations ------------------------------------------------------------------------------


def normal(area: float, sd: float = 1.0, role: Role = "development") -> Margin:
    mean = float(ndtri(area)) * (1 + sd * sd) ** 0.5
    kind = "Normal" if sd == 1 else f"hooked, sd {sd:.3g}"
    if area == 0.5 and sd != 1:
        kind = f"unequal spread, sd {sd:.3g}"
    return Margin(f"{kind}, area {area:g}", Normal(mean, sd), Normal(), role)


def scaled(area: float, role: Role = "development") -> Margin:
    above = stats.expon(scale=area / (1 - area))
    return Margin(f"exponential, area {area:g}", above, stats.expon(), role)


def levels(name: str, pos: Sequence[float], neg: Sequence[float], role: Role) -> Margin:
    shares = [tuple(float(x) for x in of) for of in (pos, neg)]
    return Margin(name, Steps(shares[0]), Steps(shares[1]), role, discrete=True)


def zeros(of_pos: float, of_neg: float, ratio: float, role: Role) -> Margin:
    pos = Inflated(of_pos, stats.expon(scale=ratio))
    neg = Inflated(of_neg, stats.expon())
    return Margin(f"zero-inflated, {of_neg:g} and {of_pos:g}", pos, neg, role)


def bent(fpr: float, tpr: float, role: Role) -> Margin:
    """Return continuous scores whose curve is two straight lines that meet at a corner."""
    pos, neg = (
        Mixed(((1 - rate, stats.uniform()), (rate, stats.uniform(1)))) for rate in (tpr, fpr)
    )
    return Margin(f"one corner, at {fpr:g} and {tpr:g}", pos, neg, role)


DEV: Role = "development"
VAL: Role = "validation"
MARGINS = (
    normal(0.5),
    normal(0.6),
    normal(0.75),
    normal(0.9),
    normal(0.98),
    normal(0.8, 3),
    normal(0.5, 3),
    scaled(0.9),
    Margin("heavy tails, Cauchy, shift 2", stats.cauchy(2), stats.cauchy()),
    Margin("outliers, 3 % of negatives", Normal(1.5), Mixed(((0.97, Normal()), (0.03, Normal(9))))),
    Margin("bounded, beta(4, 1.5) against uniform", stats.beta(4, 1.5), stats.uniform()),
    zeros(0.3, 0.6, 4, DEV),
    levels("three levels", (2, 8, 90), (90, 8, 2), DEV),
    levels("five levels", (5, 5, 10, 25, 55), (55, 15, 12, 12, 6), DEV),
    levels("yes/no, .95 and .1", (5, 95), (90, 10), DEV),
    normal(0.85, 1 / 3, VAL),
    scaled(0.75, VAL),
    Margin("heavy tails, t2, shift 3", stats.t(2, 3), stats.t(2), VAL),
    Margin(
        "outliers, 10 % of positives", Mixed(((0.9, Normal(2)), (0.1, Normal(-4)))), Normal(), VAL
    ),
    Margin("bounded, beta(.5, .5) against beta(2, 5)", stats.beta(0.5, 0.5), stats.beta(2, 5), VAL),
    zeros(0.05, 0.8, 9, VAL),
    levels("four levels", (1, 2, 3, 6), (6, 3, 2, 1), VAL),
    levels("yes/no, .8 and .02", (20, 80), (98, 2), VAL),
)
BENT = (bent(0.1, 0.95, DEV), bent(0.05, 0.8, VAL))
BY_NAME = {margin.name: margin for margin in MARGINS}


# --- several scores of the same cases ---------------------------------------------------------


@dataclass(frozen=True)
class Pair:
    """Two scores of the same cases: quantiles of Normal numbers with a correlation."""

    first: Margin
    second: Margin
    r: float
    role: Role = "development"
    spoken: str = ""

    @property
    def name(self) -> str:
        names = self.first.name, self.second.name
        return self.spoken or f"{names[0]} and {names[1]}, r {self.r:g}"

    @property
    def truth(self) -> float:
        return self.first.auc - self.second.auc

    def draw(self, n_pos: int, n_neg: int, rng: np.random.Generator) -> PairedScores:
        label = np.repeat([True, False], [n_pos, n_neg])
        z = rng.normal(size=(label.size, 2))
        z[:, 1] = self.r * z[:, 0] + (1 - self.r**2) ** 0.5 * z[:, 1]
        u = np.clip(ndtr(z), 1e-15, 1 - 1e-15)
        score = np.empty_like(u)
        for j, margin in enumerate((self.first, self.second)):
            score[label, j] = margin.pos_of.ppf(u[label, j])
            score[~label, j] = margin.neg_of.ppf(u[~label, j])
        return PairedScores(label=label, score=score, names=("first", "second"))


def normals(a: float, b: float, r: float, role: Role = "development") -> Pair:
    spoken = f"Normal, areas {a:g} and {b:g}, r {r:g}"
    return Pair(normal(a), normal(b), r, role, spoken)


PAIRS = (
    *(normals(0.8, 0.8, r) for r in (-0.5, 0.0, 0.5, 0.9, 0.95)),
    *(normals(0.9, 0.9, r) for r in (0.5, 0.99, 0.999)),
    normals(0.95, 0.95, 0.95),
    normals(0.9, 0.8, 0.5),
    normals(0.95, 0.98, 0.95),
    normals(0.5, 0.5, 0.5),
    Pair(normal(0.8), normal(0.8, 3), 0.5, DEV, "unequal spread, areas 0.8, sd 1 and 3, r 0.5"),
    Pair(scaled(0.9), scaled(0.85), 0.95, DEV, "exponential, areas 0.9 and 0.85, r 0.95"),
    Pair(BY_NAME["three levels"], BY_NAME["three levels"], 0.5, DEV, "three levels, r 0.5"),
    Pair(
        BY_NAME["yes/no, .95 and .1"],
        levels("", (2, 98), (95, 5), DEV),
        0.5,
        DEV,
        "yes/no, .95/.1 and .98/.05, r 0.5",
    ),
    normals(0.85, 0.85, -0.3, VAL),
    normals(0.75, 0.7, 0.8, VAL),
    normals(0.93, 0.98, 0.0, VAL),
    normals(0.88, 0.88, 0.97, VAL),
    Pair(scaled(0.8), scaled(0.8), 0.7, VAL, "exponential, areas 0.8, r 0.7"),
    Pair(
        BY_NAME["heavy tails, Cauchy, shift 2"],
        BY_NAME["heavy tails, t2, shift 3"],
        0.8,
        VAL,
        "heavy tails, Cauchy and t2, r 0.8",
    ),
    Pair(BY_NAME["four levels"], BY_NAME["five levels"], 0.6, VAL, "four and five levels, r 0.6"),
    Pair(zeros(0.05, 0.8, 9, VAL), zeros(0.3, 0.6, 4, VAL), 0.5, VAL, "zero-inflated, r 0.5"),
)
