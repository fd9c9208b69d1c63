"""Areas adjusted for covariates and for given covariates: intervals, bands and tests.

Age shifts the scores of both classes, and positives are older. Two scores of the same cases are
equally good. The truth is known: positives lie ``gain + slope * age`` above negatives of their age.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from scipy.special import ndtr

from benchmarks.coverage.cells import Cell, Read, held, interval_of, pvalue_by, rejected, sizes_of
from benchmarks.coverage.ledger import LEVEL, Role, Row
from rocspace.designs import (
    CovariateModel,
    CovariateScores,
    aauc_difference,
    auc_by_covariate,
    auc_by_covariate_difference,
    covariate_scores,
    covariate_test,
)

AREA = "adjusted area"
DIFFERENCE = "difference of adjusted areas"
TEST = "size of the test of adjusted areas"
POINT = "area for a given covariate"
BAND = "band of the area by a covariate"
WALD = "size of the test that the curve depends on a covariate"

OLDER = 0.8  # by how much positives are older, in standard deviations
AT = (-0.7, 0.0, 0.8, 1.6, 2.3)  # ages, most of them between the 5th and 95th percentile
SITES = ((0.5, 0.3, 0.2), (0.2, 0.3, 0.5))  # shares among negatives and positives

Floats = NDArray[np.float64]


class Population(NamedTuple):
    """How far positives lie above negatives of their age, and how residuals are distributed."""

    name: str
    gain: float
    slope: float = 0.0
    skewed: bool = False
    role: Role = "development"

    def auc(self, age: Floats) -> Floats:
        """Return the area at some ages."""
        d = self.gain + self.slope * age
        if self.skewed:
            return np.asarray(np.where(d >= 0, 1 - np.exp(-d) / 2, np.exp(d) / 2))
        return np.asarray(ndtr(d / np.sqrt(2)))

    @property
    def adjusted(self) -> float:
        """The adjusted area: the mean over the ages of positives."""
        nodes, weights = np.polynomial.hermite_e.hermegauss(60)
        return float(weights @ self.auc(nodes + OLDER) / weights.sum())

    def draw(self, sizes: tuple[int, int], rng: np.random.Generator) -> CovariateScores:
        n_pos, n_neg = sizes
        y = np.repeat([1, 0], sizes)
        age = rng.normal(size=n_pos + n_neg) + OLDER * y
        z = rng.normal(size=(3, age.size))
        e = [(0.7**0.5) * z[0] + (0.3**0.5) * each for each in z[1:]]
        if self.skewed:
            e = [-np.log(ndtr(-each)) for each in e]
        scores = {
            name: age + y * (self.gain + self.slope * age) + each
            for name, each in zip("ab", e, strict=True)
        }
        return covariate_scores(y, scores, {"age": age})


POPULATIONS = (
    Population("Normal residuals, gain 1", 1.0),
    Population("Normal residuals, gain 0.5 + 0.5 age", 0.5, 0.5, role="validation"),
    Population("skewed residuals, gain 0.7", 0.7, skewed=True),
)
GAINS = (0.4, 1.0, 1.6)  # by site
LEVELS = "wide: aauc_estimate, few values"
LEVELS_GAP = "wide: aauc_difference, few values"
LEVELS_TEST = "wide: size of the test of aauc_difference, few values"
LEVELS_SIZES = ((6, 60), (10, 100), (30, 30), (60, 12), (200, 10))
CUTS = {  # where latent Normal scores, 1.2 higher for positives, are cut
    "yes/no, high": (1.3,),
    "yes/no, low": (-0.3,),
    "yes/no, rare": (2.2,),
    "three levels": (0.8, 2.0),
    "Normal": (),
}
FEW = (60, 15)  # few negatives, by which positives are placed


def draw_sites(sizes: tuple[int, int], rng: np.random.Generator) -> CovariateScores:
    """Draw cases of three sites, each with a negative: else its positives would be left out."""
    y = np.repeat([1, 0], sizes)
    site = np.zeros(y.size, dtype=np.int64)
    while np.unique(site[y == 0]).size < len(GAINS):
        of_pos, of_neg = (rng.choice(3, y.size, p=shares) for shares in SITES[::-1])
        site = np.where(y == 1, of_pos, of_neg)
    shift = site + y * np.take(GAINS, site)
    z = rng.normal(size=(3, y.size))
    scores = {
        name: shift + (0.7**0.5) * z[0] + (0.3**0.5) * each
        for name, each in zip("ab", z[1:], strict=True)
    }
    return covariate_scores(y, scores, {"site": np.take(["x", "y", "z"], site)})


def read_areas(truth: float, data: CovariateScores) -> Iterator[Read]:
    try:
        gap = aauc_difference(data)
    except ValueError:
        return
    yield from held(AREA, "default", lambda: interval_of(gap.first), truth)
    for scale in ("logit", "identity"):
        make = partial(gap.first.interval, LEVEL, scale=scale)
        yield from held(AREA, scale, make, truth, beside=True)
    yield from held(DIFFERENCE, "default", lambda: interval_of(gap), 0.0)
    yield from rejected(TEST, "default", lambda: gap.test().pvalue)


def read(population: Population, data: CovariateScores, _: np.random.Generator) -> Iterator[Read]:
    yield from read_areas(population.adjusted, data)
    truth = population.auc(np.array(AT))
    for name, each in (
        ("location-scale", CovariateModel()),
        ("Normal residuals", CovariateModel(residuals="normal")),
        ("roc-glm", CovariateModel(method="roc-glm")),
    ):
        wrong = population.skewed and name != "location-scale"
        wrong |= bool(population.slope) and name == "roc-glm"
        if wrong:
            continue
        try:
            found = auc_by_covariate(data, "age", "a", at=AT, model=each)
        except ValueError:
            continue
        yield from held(POINT, name, partial(interval_of, found.estimates[2]), truth[2])
        band = found.band(LEVEL)
        width = float(np.mean(band.high - band.low))
        yield Read(BAND, name, band.contains(truth), width)
    if not population.slope:
        yield from rejected(WALD, "Wald", lambda: covariate_test(data, name="a").pvalue)


def read_few(truth: float, data: CovariateScores, _: np.random.Generator) -> Iterator[Read]:
    yield from read_areas(truth, data)


def read_sites(data: CovariateScores, _: np.random.Generator) -> Iterator[Read]:
    truth = float(ndtr(np.array(GAINS) / np.sqrt(2)) @ SITES[1])
    yield from read_areas(truth, data)


def drawn(make: Callable[..., Any], sizes: tuple[int, int]) -> Callable[[Any], Any]:
    return lambda rng: make(sizes, rng)


@cache
def cells() -> tuple[Cell, ...]:
    plain, sloped, skewed = POPULATIONS
    found = []
    for population, sizes in ((plain, (50, 50)), (sloped, (20, 200)), (skewed, (20, 20))):
        draw, reader = drawn(population.draw, sizes), partial(read, population)
        size = f"{sizes[0]} + {sizes[1]}"
        found.append(Cell(population.name, size, draw, reader, population.role))
    for sizes in ((20, 20), FEW):
        size = f"{sizes[0]} + {sizes[1]}"
        found.append(Cell("three sites", size, drawn(draw_sites, sizes), read_sites))
    for population in POPULATIONS:
        draw, reader = drawn(population.draw, FEW), partial(read_few, population.adjusted)
        size = f"{FEW[0]} + {FEW[1]}"
        found.append(Cell(population.name, size, draw, reader, population.role))
    return tuple(found)


def count() -> int:
    return len(cells())


def rows(samples: int, i: int) -> list[Row]:
    return cells()[i].rows(samples)


# --- few values -------------------------------------------------------------------------------


def level_cells() -> tuple[Cell, ...]:
    return tuple(level_cell(name, *sizes) for name in CUTS for sizes in LEVELS_SIZES)


def level_cell(name: str, n_pos: int, n_neg: int) -> Cell:
    """Return two scores of few values at three sites, where all cases are alike."""
    y = np.repeat([1, 0], (n_pos, n_neg))

    def draw(rng: np.random.Generator) -> CovariateScores:
        site = np.zeros(y.size, dtype=np.int64)
        while np.unique(site[y == 0]).size < len(GAINS):
            site = rng.integers(0, len(GAINS), y.size)
        z = rng.normal(size=(3, y.size))
        latent = {
            score: 1.2 * y + (0.5**0.5) * (z[0] + each)
            for score, each in zip("ab", z[1:], strict=True)
        }
        scores = {score: levels(each, CUTS[name]) for score, each in latent.items()}
        return covariate_scores(y, scores, {"site": np.take(["x", "y", "z"], site)})

    def read(data: CovariateScores, _: object) -> Iterator[Read]:
        gap = aauc_difference(data)
        yield from held(LEVELS, "default", lambda: interval_of(gap.first), area_of(CUTS[name]))
        make = partial(gap.first.interval, LEVEL, scale="moderated")
        yield from held(LEVELS, "moderated", make, area_of(CUTS[name]), beside=True)
        yield from held(LEVELS_GAP, "default", lambda: interval_of(gap), 0.0)
        yield from rejected(LEVELS_TEST, "default", lambda: gap.test().pvalue)

    return Cell(name, sizes_of(n_pos, n_neg), draw, read, "validation")


def levels(latent: Floats, cuts: tuple[float, ...]) -> Floats:
    """Cut latent scores; without cuts they stay as they are."""
    return np.searchsorted(cuts, latent).astype(np.float64) if cuts else latent


def area_of(cuts: tuple[float, ...]) -> float:
    """Return the area of latent scores that are cut."""
    if not cuts:
        return float(ndtr(1.2 / np.sqrt(2)))
    edges = np.array([-np.inf, *cuts, np.inf])
    pos, neg = np.diff(ndtr(edges - 1.2)), np.diff(ndtr(edges))
    return float(pos @ (np.cumsum(neg) - neg / 2))


# --- far from the middle ----------------------------------------------------------------------

FAR, FAR_GAP, FAR_TEST = (
    f"wide: {name}, rare covariates"
    for name in (
        "auc_by_covariate",
        "auc_by_covariate_difference",
        "size of the test of auc_by_covariate_difference",
    )
)
FAR_SIZES = ((8, 40), (40, 12), (40, 200))
MODELS = {
    "location-scale": CovariateModel(),
    "Normal residuals": CovariateModel(residuals="normal"),
    "roc-glm": CovariateModel(method="roc-glm"),
}
QUANTILES = {"median": 0.5, "90 percent": 0.9, "99 percent": 0.99}
FAR_PLACES = tuple(f"{model}, {where}" for model in MODELS for where in QUANTILES)


class Exposed(NamedTuple):
    """How a covariate is distributed, the same in both classes, and the gain of positives by it."""

    name: str
    covariate: Any
    gain: float
    slope: float = 0.0


EXPOSED = (
    Exposed("Normal covariate, gain 0.3", stats.norm, 0.3),
    Exposed("Normal covariate, gain 1 + 0.3 x", stats.norm, 1.0, 0.3),
    Exposed("skewed covariate, gain 0.3", stats.gamma(1.5), 0.3),
    Exposed("skewed covariate, gain 1.5", stats.gamma(1.5), 1.5),
    Exposed("skewed covariate, gain 1 + 0.3 x", stats.gamma(1.5), 1.0, 0.3),
)


def far_cells() -> tuple[Cell, ...]:
    return tuple(far_cell(population, *sizes) for population in EXPOSED for sizes in FAR_SIZES)


def far_cell(population: Exposed, n_pos: int, n_neg: int) -> Cell:
    """Return areas at values of a covariate that are rare, by models that are right."""
    _, covariate, gain, slope = population
    y, at = np.repeat([1, 0], (n_pos, n_neg)), covariate.ppf(list(QUANTILES.values()))
    truth = ndtr((gain + slope * at) / np.sqrt(2))

    def gaps(data: CovariateScores, model: CovariateModel) -> Any:
        return auc_by_covariate_difference(data, "x", at=at, model=model).estimates

    def draw(rng: np.random.Generator) -> CovariateScores:
        """Draw a sample in which the regression of the curve has a finite solution."""
        while True:
            x, z = covariate.rvs(size=y.size, random_state=rng), rng.normal(size=(3, y.size))
            scores = {
                name: x + y * (gain + slope * x) + (0.5**0.5) * (z[0] + each)
                for name, each in zip("ab", z[1:], strict=True)
            }
            data = covariate_scores(y, scores, {"x": x})
            with suppress(ValueError):
                gaps(data, MODELS["roc-glm"])
                return data

    def read(data: CovariateScores, _: object) -> Iterator[Read]:
        for name, model in MODELS.items():
            for where, gap, true in zip(QUANTILES, gaps(data, model), truth, strict=True):
                place = f"{name}, {where}"
                yield from held(FAR, place, partial(interval_of, gap.first), true)
                old = partial(gap.first.interval, LEVEL, scale="moderated")
                yield from held(FAR, f"{place}, moderated", old, true, beside=True)
                yield from held(FAR_GAP, place, partial(interval_of, gap), 0.0)
                yield from rejected(FAR_TEST, place, partial(pvalue_by, gap.test))

    return Cell(population.name, sizes_of(n_pos, n_neg), draw, read, "validation")
