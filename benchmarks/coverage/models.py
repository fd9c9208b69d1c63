"""What intervals of every model's area, rate and part cover, under its assumption and off it.

All models of a cell read the same samples. `own` says where the assumption of a model holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

import numpy as np

from benchmarks.coverage.cells import Cell, Read, Reader, draw_of, held
from benchmarks.coverage.ledger import LEVEL, Row
from rocspace.counts import ScoreTable
from rocspace.models import family_roc, fit_roc
from rocspace.results import Estimate, Fit
from rocspace.simulate import Population, binormal, exponential, mixture, ratings

AREA, RATE, PART = "area of a model", "rate of a model", "part of a model"
AT, TO = 0.1, 0.2
SMALL, LARGE = (50, 50), (200, 200)
FEWER = 3  # what divides the samples of the larger size,
SLOW = 2  # and of dear models

RANKED = (
    "rating",
    "labroc",
    "gls",
    "minimum-distance",
    "pseudo-likelihood",
    "profile-likelihood",
    "roc-glm",
    "beta",
)
ANY = ("binormal", *RANKED, "yeo-johnson", "logistic")
POSITIVE = ("box-cox", "exponential", "weibull", "gamma", "lognormal", "pareto")  # of the scores
DEAR = (
    "proper",
    "rank-likelihood",
    "density-ratio",
    "kernel",
    "likelihood-ratio",
    "local",
    "log-concave",
)
WITHOUT_ERRORS = ("probit-line", "uniform")

NORMAL, SKEWED = binormal(0.85), exponential(0.9)
HOOKED, RATED = mixture(0.2), ratings()
_ON_SKEWED = ("exponential", "weibull", "gamma", "beta")
_ON_FAMILY = ("lognormal", "logistic", "beta-scores", "pareto")


def own(model: str) -> str:
    """Return the situation in which a model's assumption holds."""
    if model == "box-cox":
        return "lognormal scores"
    if model in _ON_FAMILY:
        return f"{model} scores"
    return (SKEWED if model in _ON_SKEWED else NORMAL).name


def of_families() -> Iterator[tuple[Population, tuple[str, ...]]]:
    """Yield a population of each family that has no other, and the models that are fitted."""

    def population(family: str, pos: Any, neg: Any, **parameters: float) -> Population:
        curve = family_roc(family, **parameters)  # type: ignore[arg-type]
        name = f"{family} scores"
        return Population(name=name, pos=pos, neg=neg, curve=curve.tpr_at, auc=curve.auc)

    yield (
        population(
            "lognormal",
            lambda rng, size: rng.lognormal(1.5, 1, size),
            lambda rng, size: rng.lognormal(0, 1, size),
            mean1=1.5,
            sd1=1,
            mean0=0,
            sd0=1,
        ),
        ("lognormal", "box-cox"),
    )
    yield (
        population(
            "logistic",
            lambda rng, size: rng.logistic(2, 1, size),
            lambda rng, size: rng.logistic(0, 1, size),
            mean1=2,
            mean0=0,
            scale=1,
        ),
        ("logistic",),
    )
    yield (
        population(
            "beta-scores",
            lambda rng, size: rng.beta(4, 2, size),
            lambda rng, size: rng.beta(2, 3, size),
            alpha1=4,
            beta1=2,
            alpha0=2,
            beta0=3,
        ),
        ("beta-scores",),
    )
    yield (
        population(
            "pareto",
            lambda rng, size: 1 + rng.pareto(1, size),
            lambda rng, size: 1 + rng.pareto(4, size),
            shape1=1,
            shape0=4,
            minimum=1,
        ),
        ("pareto",),
    )


@cache
def cells() -> tuple[Cell, ...]:
    """Return all cells: a population at a size, and cheap or dear models."""
    many = [
        (NORMAL, ANY, DEAR),
        (SKEWED, (*ANY, *POSITIVE), ()),
        (HOOKED, ANY, ()),
        (RATED, ANY, DEAR),
        *((population, models, ()) for population, models in of_families()),
    ]
    return tuple(
        Cell(population.name, f"{size[0]} + {size[1]}", draw_of(population, size), read, slow=slow)
        for population, cheap, dear in many
        for size, models, slow, sections in (
            (SMALL, cheap, 1, (AREA, RATE, PART)),
            (LARGE, cheap, FEWER, (AREA, RATE, PART)),
            (SMALL, dear, SLOW, (AREA, RATE) if population is NORMAL else (AREA,)),
        )
        if models
        for read in [reader(population, models, sections)]
    )


def reader(population: Population, models: tuple[str, ...], sections: tuple[str, ...]) -> Reader:
    """Return what reads a sample by several models: of dear ones the area, at most a rate."""
    truths: list[tuple[str, float, Callable[[Fit], Estimate]]] = [
        (AREA, population.auc, lambda fit: fit.auc_estimate()),
        (RATE, float(population.tpr_at(AT)), lambda fit: fit.tpr_estimate(AT)),
        (
            PART,
            population.partial_auc(fpr=(0, TO)),
            lambda fit: fit.partial_auc_estimate(fpr=(0, TO)),
        ),
    ]

    def read(table: ScoreTable, _: np.random.Generator) -> Iterator[Read]:
        for model in models:
            fit = fit_of(table, model)
            for section, truth, estimate in truths:
                if section in sections:
                    yield from held(section, model, partial(_interval, fit, estimate), truth)

    return read


def fit_of(table: ScoreTable, model: str, bandwidth: str | None = None) -> Fit | None:
    options = {} if bandwidth is None else {"bandwidth": bandwidth}
    try:
        return fit_roc(table, model=model, **options)
    except ValueError:  # too few runs for two parameters, or no variation
        return None


def _interval(fit: Fit | None, estimate: Callable[[Fit], Estimate]) -> tuple[float, float]:
    if fit is None:
        return 0.0, 1.0
    low, high = estimate(fit).interval(LEVEL)
    return low, high


def rows(samples: int, number: int) -> list[Row]:
    return cells()[number].rows(samples)


def count() -> int:
    return len(cells())
