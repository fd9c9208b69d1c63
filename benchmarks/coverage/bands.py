"""Do bands contain the true curve as often as their level says? And how wide are they for it?

Cells for the ledger of `benchmarks.coverage`, where every method gets the same samples. If rocci is
installed, its own band takes part.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

import numpy as np

from benchmarks.coverage.cells import Cell, Read, draw_of, held, sizes_of
from benchmarks.coverage.ledger import LEVEL, SEED, Row
from benchmarks.coverage.populations import paired_exponential
from rocspace import simulate
from rocspace.bands import Band, band_coverage, difference_band, roc_band
from rocspace.counts import PairedScores, ScoreTable, tabulate
from rocspace.simulate import Population

N_BOOT = 1000
POINTS = (0.1, 0.3)
WHOLE = "band of the whole curve"

SIMULTANEOUS = (
    "likelihood",
    "envelope",
    "ks",
    "dkw",
    "fixed-width",
    "working-hotelling",
    "psn",
    "jms",
)
POINTWISE = ("vertical", "threshold", "binormal", "tilbury", "kernel", "hsieh-turnbull")


def point(fpr: float) -> str:
    return f"band at fpr {fpr:g}"


@dataclass(frozen=True)
class Situation:
    name: str
    population: Population
    size: tuple[int, int]


def situations() -> tuple[Situation, ...]:
    return (
        Situation("Normal, area 0.85", simulate.binormal(0.85), (100, 100)),
        Situation("Normal, area 0.85", simulate.binormal(0.85), (1000, 1000)),
        Situation("skewed: exponential, area 0.9", simulate.exponential(0.9), (100, 100)),
        Situation("five ratings", simulate.ratings(), (100, 100)),
        Situation("tiny: Normal, area 0.85", simulate.binormal(0.85), (5, 50)),
        Situation("1:1000: Normal, area 0.85", simulate.binormal(0.85), (20, 20_000)),
        Situation("near-perfect: Normal, area 0.995", simulate.binormal(0.995), (50, 50)),
    )


def rocci(table: ScoreTable, rng: np.random.Generator) -> Band:
    """rocci's own band, read as ours: linear between its points."""
    import rocci as peer

    label = np.repeat([True, False] * len(table), np.stack([table.pos, table.neg], 1).ravel())
    score = np.repeat(np.repeat(table.score, 2), np.stack([table.pos, table.neg], 1).ravel())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = peer.roc_band(
            label.astype(int),
            score,
            confidence=LEVEL,
            n_boot=N_BOOT,
            random_state=int(rng.integers(2**31)),
            n_threads=1,
        )
    fpr, lower, upper = (np.asarray(x, dtype=float) for x in (found.fpr, found.low, found.high))
    # Its ends at 0 and 1 are what it says about the points beside them.
    return Band(
        fpr=np.concatenate([[0.0], fpr, [1.0]]),
        low=np.concatenate([[0.0], np.maximum.accumulate(lower), lower[-1:]]),
        high=np.concatenate([upper[:1], np.maximum.accumulate(upper), [1.0]]),
        level=LEVEL,
        method="rocci",
        simultaneous=True,
    )


def rocci_rows(samples: int) -> Iterator[Row]:
    """Yield the simultaneous coverage of rocci's band; fewer large samples are drawn."""
    for number, s in enumerate(situations()):
        found = band_coverage(
            s.population,
            rocci,
            sizes=s.size,
            n_sim=max(1, samples // 4) if s.size[1] > 500 else samples,
            rng=np.random.default_rng([SEED, number]),
            progress=False,
        )
        numbers = found.containment, found.area, found.area_sd, found.n_sim
        yield Row(WHOLE, s.name, sizes_of(*s.size), "rocci", *numbers)


def cells() -> Iterator[Cell]:
    """The simultaneous coverage of each method, its width being the mean area."""
    for s in situations():
        draw, read = draw_of(s.population, s.size), partial(own_bands, s.population)
        yield Cell(s.name, sizes_of(*s.size), draw, read)


def own_bands(
    population: Population, table: ScoreTable, rng: np.random.Generator
) -> Iterator[Read]:
    """Read all methods, pointwise ones also at two points, their width being the height there."""
    for method in (*SIMULTANEOUS, *POINTWISE):
        for band in made(method, table, rng):
            yield whole(WHOLE, method, band, population)
            if method in POINTWISE:
                for x in POINTS:
                    make = partial(band.at_fpr, x)
                    yield from held(point(x), method, make, float(population.tpr_at(x)))


def made(method: str, table: ScoreTable, rng: np.random.Generator) -> Iterator[Band]:
    """Yield a band; none if it is refused, as of scores without variance."""
    try:
        yield roc_band(table, method=method, level=LEVEL, n_boot=N_BOOT, rng=rng, threads=1)  # type: ignore[arg-type]
    except ValueError:
        return


def whole(section: str, method: str, band: Band, population: Population) -> Read:
    return Read(section, method, bool(band.contains(population.tpr_at)), band.area)


# --- bands of weighted cases ----------------------------------------------------------------------

WEIGHTED = "band of the whole curve, lognormal weights"
WEIGHTED_METHODS = ("likelihood", "jms", "working-hotelling")


def weighted_cells() -> Iterator[Cell]:
    """The simultaneous coverage of bands that know importance weights."""
    for s in situations():
        draw, read = partial(draw_weighted, s), partial(weighted_bands, s.population)
        yield Cell(s.name, sizes_of(*s.size), draw, read)


def draw_weighted(situation: Situation, rng: np.random.Generator) -> ScoreTable:
    """Give each case a lognormal importance weight: the curve stays what it is."""
    table = situation.population.draw(*situation.size, rng=rng)
    score = [np.repeat(table.score, many) for many in (table.pos, table.neg)]
    label = np.repeat([True, False], situation.size)
    weight = rng.lognormal(0, 1, label.size)
    return tabulate(label, np.concatenate(score), sample_weight=weight)


def weighted_bands(
    population: Population, table: ScoreTable, rng: np.random.Generator
) -> Iterator[Read]:
    for method in WEIGHTED_METHODS:
        for band in made(method, table, rng):
            yield whole(WEIGHTED, method, band, population)


# --- bands of a difference ----------------------------------------------------------------------

DIFFERENCE = "band of a difference"
CUTS = (0.0, 0.6, 1.2, 1.8)
DIFFERENCE_BOOT = 500


class Drawn(Protocol):
    """Several scores of the same cases, of whose curves the truth is known."""

    @property
    def margins(self) -> tuple[Population, ...]: ...

    @property
    def draw(self) -> Callable[..., PairedScores]: ...


@dataclass(frozen=True)
class Weighted:
    """Cases with lognormal importance weights: less is known, but the curves are the same."""

    population: Drawn

    @property
    def margins(self) -> tuple[Population, ...]:
        return self.population.margins

    def draw(self, *sizes: int, rng: np.random.Generator) -> PairedScores:
        data = self.population.draw(*sizes, rng=rng)
        return replace(data, weight=rng.lognormal(0, 1, len(data)))


def pairs() -> tuple[tuple[str, Drawn, tuple[int, ...]], ...]:
    """Two scores of the same cases: positives and negatives, or clusters, of each sample."""
    areas = (0.85, 0.75)
    normal = simulate.paired_binormal(areas)
    near = simulate.paired_binormal([0.995, 0.98])
    fours = simulate.clustered_binormal(areas, sizes=(4,), intraclass=0.5)
    many = simulate.clustered_binormal(areas, sizes=(1, 2, 5, 20), intraclass=0.5, prevalence=0.3)
    alike = simulate.clustered_binormal(areas, sizes=(5,), intraclass=0.5, label_correlation=0.9)
    return (
        ("Normal, areas 0.85 and 0.75", normal, (100, 100)),
        ("Normal, areas 0.85 and 0.75", normal, (500, 500)),
        ("Normal, areas 0.8 and 0.8", simulate.paired_binormal([0.8, 0.8]), (100, 100)),
        ("skewed: exponential, areas 0.9 and 0.8", paired_exponential([0.9, 0.8]), (100, 100)),
        ("five ratings", simulate.paired_binormal(areas, cuts=CUTS), (100, 100)),
        ("tiny: Normal, areas 0.85 and 0.75", normal, (5, 50)),
        ("1:1000: Normal, areas 0.85 and 0.75", normal, (20, 20_000)),
        ("near-perfect: Normal, areas 0.995 and 0.98", near, (50, 50)),
        ("Normal, areas 0.85 and 0.75, lognormal weights", Weighted(normal), (100, 100)),
        ("Normal, areas 0.85 and 0.75, lognormal weights", Weighted(normal), (500, 500)),
        ("near-perfect: areas 0.995 and 0.98, lognormal weights", Weighted(near), (50, 50)),
        ("Normal, clusters of 4, r .5", fours, (50,)),
        ("Normal, clusters of 4, r .5", fours, (200,)),
        ("Normal, clusters of 1 to 20, r .5", many, (100,)),
        ("Normal, labels of a cluster alike", alike, (100,)),
    )


def difference_cells() -> Iterator[Cell]:
    """How often `difference_band` contains the whole true difference of two curves."""
    for name, population, sizes in pairs():
        size = sizes_of(*sizes) if len(sizes) > 1 else f"{sizes[0]} clusters"
        draw, read = partial(draw_pairs, population, sizes), partial(differences, population)
        yield Cell(name, size, draw, read)


def draw_pairs(population: Drawn, sizes: tuple[int, ...], rng: np.random.Generator) -> PairedScores:
    return population.draw(*sizes, rng=rng)


def differences(population: Drawn, data: PairedScores, rng: np.random.Generator) -> Iterator[Read]:
    band = difference_band(data, n_boot=DIFFERENCE_BOOT, rng=rng, threads=1, progress=False)
    first, second = (margin.tpr_at(band.fpr) for margin in population.margins)
    width = float(np.trapezoid(band.high - band.low, band.fpr))
    yield Read(DIFFERENCE, "bootstrap", bool(band.contains(lambda _: first - second)), width)
