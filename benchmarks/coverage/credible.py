"""How often credible intervals and bands contain the truth, over many samples.

A posterior says nothing about that; those who plan by it want to know all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammainc, ndtr, ndtri

from benchmarks.coverage.cells import Cell, Draw, Read, held
from benchmarks.coverage.ledger import LEVEL, Role, Row
from rocspace.counts import PairedScores, pair_scores
from rocspace.designs import (
    binormal_posterior,
    credible_band,
    posterior,
    posterior_difference,
)
from rocspace.inference import youden_interval
from rocspace.resampling import bayesian_bootstrap, partial_area
from rocspace.simulate import binormal

AREA = "credible interval of the area"
PART = "credible interval of a partial area"
DIFFERENCE = "credible interval of a difference"
BAND = "credible band"
YOUDEN = "credible interval of Youden's index"

PART_TO = 0.2
N_BOOT = 400
FPR = np.linspace(0, 1, 26)
RATING_CUTS = np.array([-0.5, 0.5, 1.2, 2.0])

Floats = NDArray[np.float64]


class Population(NamedTuple):
    """Normal scores of an area, or what a transformation makes of them."""

    name: str
    area: float
    change: Callable[[Floats], Floats] | None = None
    role: Role = "development"

    @property
    def shift(self) -> float:
        return float(np.sqrt(2) * ndtri(self.area))

    def draw(self, sizes: tuple[int, int], rng: np.random.Generator) -> PairedScores:
        y = np.repeat([1, 0], sizes)
        z = rng.normal(size=(3, y.size))
        scores = {
            name: 0.7**0.5 * z[0] + 0.3**0.5 * each + self.shift * y
            for name, each in zip("ab", z[1:], strict=True)
        }
        if self.change is not None:
            scores = {name: self.change(each) for name, each in scores.items()}
        return pair_scores(y, scores)


def rated(z: Floats) -> Floats:
    """Five ratings."""
    return np.asarray(np.digitize(z, RATING_CUTS).astype(np.float64))


POPULATIONS = (
    Population("Normal scores, area 0.75", 0.75),
    Population("Normal scores, area 0.9", 0.9),
    Population("five ratings, of Normal scores of area 0.85", 0.85, rated, role="validation"),
)


@cache
def truth(population: Population) -> tuple[float, float]:
    """Return the area, and the partial area."""
    curve = binormal(population.area)
    if population.change is None:
        return float(curve.auc), float(curve.partial_auc(fpr=(0, PART_TO)))
    cuts = np.array([np.inf, 2.0, 1.2, 0.5, -0.5, -np.inf])
    x, y = ndtr(-cuts), ndtr(population.shift - cuts)
    grid = np.linspace(0, PART_TO, 20_001)
    return float(np.trapezoid(y, x)), float(np.trapezoid(np.interp(grid, x, y), grid))


def read(population: Population, data: PairedScores, rng: np.random.Generator) -> Iterator[Read]:
    area, part = truth(population)
    table = data.table("a")
    options: dict[str, Any] = {"n_boot": N_BOOT, "threads": 1, "progress": False}
    seed = int(rng.integers(2**31))
    bayes = posterior(table, rng=seed, **options)
    yield from held(AREA, "Bayesian bootstrap", partial(bayes.interval, LEVEL), area)
    shortest = partial(bayes.interval, LEVEL, kind="highest-density")
    yield from held(AREA, "Bayesian bootstrap, highest-density", shortest, area)
    found = posterior(table, partial_area(fpr=(0, PART_TO)), rng=seed, **options)
    yield from held(PART, "Bayesian bootstrap", partial(found.interval, LEVEL), part)
    gain = posterior_difference(data, "a", "b", rng=seed, **options)
    yield from held(DIFFERENCE, "Bayesian bootstrap", partial(gain.interval, LEVEL), 0.0)
    if population.change is not None:
        return
    curve = binormal(population.area)
    draws = bayesian_bootstrap(table, fpr=FPR, rng=seed, **options)
    yield from _band("Bayesian bootstrap", credible_band(draws, level=LEVEL), curve)
    smooth = binormal_posterior(table, n_sim=N_BOOT, rng=seed)
    yield from held(AREA, "Normal scores", partial(smooth.auc.interval, LEVEL), area)
    of_part = smooth.partial_auc(fpr=(0, PART_TO))
    yield from held(PART, "Normal scores", partial(of_part.interval, LEVEL), part)
    yield from _band("Normal scores", credible_band(smooth.curves(FPR), level=LEVEL), curve)


def _band(name: str, band: Any, curve: Any) -> Iterator[Read]:
    """Read a band at the rates of its grid, between which it is drawn as straight."""
    heights = curve.tpr_at(FPR)
    inside = (heights >= band.low - 1e-12) & (heights <= band.high + 1e-12)
    yield Read(BAND, name, bool(inside.all()), band.area)


def drawn(population: Population, sizes: tuple[int, int]) -> Callable[[Any], Any]:
    return lambda rng: population.draw(sizes, rng)


@cache
def cells() -> tuple[Cell, ...]:
    fair, good, rated_scores = POPULATIONS
    return tuple(
        Cell(
            population.name,
            f"{sizes[0]} + {sizes[1]}",
            drawn(population, sizes),
            partial(read, population),
            population.role,
        )
        for population, sizes in ((fair, (5, 50)), (good, (50, 50)), (rated_scores, (20, 20)))
    )


def count() -> int:
    return len(cells())


def rows(samples: int, i: int) -> list[Row]:
    return cells()[i].rows(samples)


# --- Youden's index: a part of its own, which needs fewer samples ------------------------------


def of_normal(population: Population) -> float:
    """Return Youden's index of a population of `POPULATIONS`."""
    cuts = np.array([population.shift / 2]) if population.change is None else RATING_CUTS
    return float(np.max(ndtr(cuts) - ndtr(cuts - population.shift)))


def of_gamma() -> float:
    """Return Youden's index of `gamma_scores`: distribution functions on a fine grid."""
    x = np.linspace(0, 10, 100_001)
    return float(np.max(gammainc(0.6, x) - gammainc(1.5, x / 1.5)))


def gamma_scores(sizes: tuple[int, int], rng: np.random.Generator) -> PairedScores:
    """Draw skewed scores of unequal spread, whose area is .85."""
    pos, neg = 1.5 * rng.gamma(1.5, size=sizes[0]), rng.gamma(0.6, size=sizes[1])
    return pair_scores(np.repeat([1, 0], sizes), {"a": np.concatenate([pos, neg])})


def read_youden(index: float, data: PairedScores, rng: np.random.Generator) -> Iterator[Read]:
    table, seed = data.table("a"), int(rng.integers(2**31))
    drawn = posterior(table, "youden", n_boot=N_BOOT, rng=seed, threads=1, progress=False)
    yield from held(YOUDEN, "Bayesian bootstrap", partial(drawn.interval, LEVEL), index)
    limits = partial(youden_interval, table, level=LEVEL, rng=seed)
    yield from held(YOUDEN, "youden_interval", limits, index)


@cache
def youden_cells() -> tuple[Cell, ...]:
    fair, _, ratings = POPULATIONS
    gamma = "skewed: gamma 1.5 times 1.5 against gamma .6"
    every: tuple[tuple[str, tuple[int, int], Callable[[tuple[int, int]], Draw], float, Role], ...]
    every = (
        (fair.name, (5, 50), partial(drawn, fair), of_normal(fair), fair.role),
        (ratings.name, (20, 20), partial(drawn, ratings), of_normal(ratings), ratings.role),
        *(
            (gamma, sizes, lambda n: partial(gamma_scores, n), of_gamma(), fair.role)
            for sizes in ((6, 40), (20, 20), (100, 100))
        ),
    )
    return tuple(
        Cell(name, f"{sizes[0]} + {sizes[1]}", draw(sizes), partial(read_youden, index), role)
        for name, sizes, draw, index, role in every
    )


def youden_count() -> int:
    return len(youden_cells())


def youden_rows(samples: int, i: int) -> list[Row]:
    return youden_cells()[i].rows(samples)
