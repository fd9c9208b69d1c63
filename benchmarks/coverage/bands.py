"""Do bands contain the true curve as often as their level says? And how wide are they for it?

`rows` is for the ledger of `benchmarks.coverage`: in each situation every method gets the same
samples. Where rocci is installed, its own band takes part.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from benchmarks.coverage.ledger import LEVEL, SEED, Row
from benchmarks.coverage.populations import paired_exponential
from rocspace import simulate
from rocspace.bands import Band, band_coverage, difference_band, roc_band
from rocspace.bands.quality import MakeBand
from rocspace.counts import PairedScores, ScoreTable, tabulate
from rocspace.simulate import Population

N_BOOT = 1000
POINTS = (0.1, 0.3)

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
SLOW = ("psn", "jms", "kernel", "hsieh-turnbull", "rocci")
POINTWISE = ("vertical", "threshold", "binormal", "tilbury", "kernel", "hsieh-turnbull")


@dataclass(frozen=True)
class Situation:
    name: str
    population: Population
    n_pos: int
    n_neg: int


def situations() -> tuple[Situation, ...]:
    return (
        Situation("Normal, area 0.85", simulate.binormal(0.85), 100, 100),
        Situation("Normal, area 0.85", simulate.binormal(0.85), 1000, 1000),
        Situation("skewed: exponential, area 0.9", simulate.exponential(0.9), 100, 100),
        Situation("five ratings", simulate.ratings(), 100, 100),
        Situation("tiny: Normal, area 0.85", simulate.binormal(0.85), 5, 50),
        Situation("1:1000: Normal, area 0.85", simulate.binormal(0.85), 20, 20_000),
        Situation("near-perfect: Normal, area 0.995", simulate.binormal(0.995), 50, 50),
    )


def ours(method: str) -> MakeBand:
    def make(table: ScoreTable, rng: np.random.Generator) -> Band:
        return roc_band(table, method=method, level=LEVEL, n_boot=N_BOOT, rng=rng, threads=1)  # type: ignore[arg-type]

    return make


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


def rows(samples: int, *, methods: dict[str, MakeBand]) -> Iterator[Row]:
    """Yield the simultaneous coverage of each method, its width being the mean area.

    Pointwise methods have rows for the coverage of two points too, their width being the
    mean height there. Samples a method refuses are left out of its row's count.
    """
    for number, s in enumerate(situations()):
        size = f"{s.n_pos} + {s.n_neg}"
        for name, make in methods.items():
            rng = np.random.default_rng([SEED, number])  # the same samples for each method
            many = fewer(name, s.n_neg, samples)
            samples_of = _Fixed(s.population, s.n_pos, s.n_neg, rng, many)
            found = band_coverage(
                samples_of,
                make,
                sizes=(s.n_pos, s.n_neg),
                n_sim=many,
                fpr=POINTS,
                rng=np.random.default_rng([SEED, number, 1]),
                progress=False,
            )
            done = [
                Row(
                    "band of the whole curve",
                    s.name,
                    size,
                    name,
                    found.containment,
                    found.area,
                    found.area_sd,
                    found.n_sim,
                )
            ]
            if name in POINTWISE:
                done += [
                    Row(
                        f"band at fpr {f:g}",
                        s.name,
                        size,
                        name,
                        float(c),
                        float(w),
                        float(sd),
                        found.n_sim,
                    )
                    for f, c, w, sd in zip(
                        POINTS, found.pointwise, found.width, found.width_sd, strict=True
                    )
                ]
            yield from done


class _Fixed:
    """The same samples again and again, whatever else a method draws."""

    def __init__(
        self, population: Population, n_pos: int, n_neg: int, rng: np.random.Generator, n: int
    ) -> None:
        self.population = population
        self.generators = iter(rng.spawn(n))

    def draw(self, n_pos: int, n_neg: int, *, rng: np.random.Generator) -> ScoreTable:
        return self.population.draw(n_pos, n_neg, rng=next(self.generators))

    def tpr_at(self, fpr: object) -> object:
        return self.population.tpr_at(fpr)  # type: ignore[arg-type]


# --- bands of weighted cases ----------------------------------------------------------------------

WEIGHTED_METHODS = ("likelihood", "jms", "working-hotelling")


class _Lognormal(_Fixed):
    """The same, each case with a lognormal importance weight: the curve stays what it is."""

    def draw(self, n_pos: int, n_neg: int, *, rng: np.random.Generator) -> ScoreTable:
        generator = next(self.generators)
        table = self.population.draw(n_pos, n_neg, rng=generator)
        score = [np.repeat(table.score, many) for many in (table.pos, table.neg)]
        weight = generator.lognormal(0, 1, n_pos + n_neg)
        label = np.repeat([True, False], [n_pos, n_neg])
        return tabulate(label, np.concatenate(score), sample_weight=weight)


def weighted_rows(samples: int) -> Iterator[Row]:
    """Yield the simultaneous coverage of bands that know importance weights."""
    for number, s in enumerate(situations()):
        for name in WEIGHTED_METHODS:
            rng = np.random.default_rng([SEED, 78, number])
            many = fewer(name, s.n_neg, samples)
            found = band_coverage(
                _Lognormal(s.population, s.n_pos, s.n_neg, rng, many),
                ours(name),
                sizes=(s.n_pos, s.n_neg),
                n_sim=many,
                rng=np.random.default_rng([SEED, 78, number, 1]),
                progress=False,
            )
            yield Row(
                "band of the whole curve, lognormal weights",
                s.name,
                f"{s.n_pos} + {s.n_neg}",
                name,
                found.containment,
                found.area,
                found.area_sd,
                found.n_sim,
            )


# --- bands of a difference ----------------------------------------------------------------------

CUTS = (0.0, 0.6, 1.2, 1.8)
DIFFERENCE_BOOT = 500


class Drawn(Protocol):
    """Several scores of the same cases, of whose curves the truth is known."""

    @property
    def margins(self) -> tuple[Population, ...]: ...

    def draw(self, *sizes: int, rng: np.random.Generator) -> PairedScores: ...


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


def difference_rows(samples: int) -> Iterator[Row]:
    """Yield how often `difference_band` contains the whole true difference of two curves."""
    for number, (name, population, sizes) in enumerate(pairs()):
        first, second = population.margins
        inside, width = [], []
        for rng in np.random.default_rng([SEED, 77, number]).spawn(samples):
            data = population.draw(*sizes, rng=rng)
            band = difference_band(data, n_boot=DIFFERENCE_BOOT, rng=rng, threads=1, progress=False)
            truth = first.tpr_at(band.fpr) - second.tpr_at(band.fpr)
            inside.append(band.contains(lambda _, truth=truth: truth))
            width.append(float(np.trapezoid(band.high - band.low, band.fpr)))
        yield Row(
            "band of a difference",
            name,
            " + ".join(map(str, sizes)) if len(sizes) > 1 else f"{sizes[0]} clusters",
            "bootstrap",
            float(np.mean(inside)),
            float(np.mean(width)),
            float(np.std(width)),
            samples,
        )


def fewer(method: str, n_neg: int, samples: int) -> int:
    """Return fewer samples where a large one takes a third of a second."""
    return max(1, samples // 4) if method in SLOW and n_neg > 500 else samples
