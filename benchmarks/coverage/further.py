"""What else is read off a fit: rates of negatives, likelihood ratios, thresholds.

All models of a cell read the same samples: Normal scores of equal and of unequal spread, where the
binormal models hold, and scores and ratings for which they do not. Two scores whose fits share a
covariance are here, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from scipy.special import ndtri
from scipy.stats import norm

from benchmarks.coverage.cells import Cell, Read, Reader, draw_of, held, interval_by, interval_of
from benchmarks.coverage.ledger import Row
from benchmarks.coverage.models import AT, HOOKED, NORMAL, SKEWED, fit_of
from benchmarks.coverage.populations import paired_exponential
from benchmarks.coverage.readings import PAIR, READINGS
from rocspace.counts import PairedScores, ScoreTable, pair_scores
from rocspace.models import fit_paired
from rocspace.results import Fit
from rocspace.simulate import Population, binormal, ratings

FPR, RATIO = "false positive rate of a model", "likelihood ratio of a model"
CUT = "threshold of a model"
PAIRED = "difference of a paired fit"
TPR = 0.8
CURVES = ("binormal", "labroc", "gls", "minimum-distance", "roc-glm")
DEAR = ("beta", "yeo-johnson")
OF_SCORES = ("binormal", "yeo-johnson")  # which know where a threshold is
RATED = ("rating", "labroc", "gls", "roc-glm")
SIZES = ((30, 30), (50, 200), (500, 500))
FEWER = 8  # what divides the samples of dear models
UNEQUAL = binormal(0.85, 2)
SCORES = (NORMAL, UNEQUAL, SKEWED, HOOKED)
CUTS = np.array([-1.0, 0.0, 0.7, 1.4])  # which make five ratings of Normal scores
MANY = 10**6  # cases whose shares are those of a population of ratings
SKEWED_PAIR = paired_exponential([0.8, 0.88], r=0.5)


class Asked(NamedTuple):
    """A section, what is said after the model, the models, the truth, and the question."""

    section: str
    after: str
    models: tuple[str, ...]
    truth: float
    estimate: Callable[[Fit], Any]


# --- one score --------------------------------------------------------------------------------


def of_curve(population: Population, models: tuple[str, ...]) -> Reader:
    """Return what reads fits of scores without ties."""
    fine = np.linspace(0, 1, 200_001)
    fpr = float(np.interp(TPR, np.asarray(population.tpr_at(fine)), fine))
    step = 1e-4
    beside = np.asarray(population.tpr_at(np.array([AT - step, AT + step])))
    slope = float(beside[1] - beside[0]) / (2 * step)
    negatives = population.neg(np.random.default_rng(0), (1, 4_000_000))[0]
    cut = float(np.quantile(negatives, 1 - AT))
    scored = tuple(model for model in models if model in OF_SCORES)
    asked = [
        Asked(FPR, "", models, fpr, lambda fit: fit.fpr_estimate(TPR)),
        Asked(RATIO, "", models, slope, lambda fit: fit.slope_estimate(AT)),
        Asked(CUT, "", scored, cut, lambda fit: fit.threshold_estimate(AT)),
    ]
    return reader(asked)


def of_ratings(population: Population) -> Reader:
    """Return what reads the share of negatives that are rated as the upper two ratings."""
    neg, pos = (np.asarray(shares, dtype=float) for shares in shares_of(population))
    rate = float(pos[3:].sum())
    asked = Asked(FPR, "", RATED, float(neg[3:].sum()), lambda fit: fit.fpr_estimate(rate))
    return reader([asked])


def shares_of(population: Population) -> tuple[Any, Any]:
    """Return the shares of five ratings among negatives and positives."""
    table = population.table
    assert table is not None
    order = np.argsort(table.score)
    return table.neg[order] / table.neg.sum(), table.pos[order] / table.pos.sum()


def rated_populations() -> tuple[Population, ...]:
    """Return ratings of Normal scores, where the model holds, and of exponential ones, where not.

    Both have the same shares of negatives.
    """
    neg = np.diff(norm.cdf(np.r_[-np.inf, CUTS, np.inf]))
    shift = 2**0.5 * float(ndtri(0.85))
    normal = np.diff(norm.cdf(np.r_[-np.inf, CUTS - shift, np.inf]))
    ratio = 0.85 / 0.15  # of the means of exponential scores, the positives' to the negatives'
    above = np.r_[1.0, norm.sf(CUTS) ** (1 / ratio), 0.0]
    found = []
    for kind, pos in (("Normal", normal), ("exponential", -np.diff(above))):
        counts = [np.round(MANY * shares).astype(int) for shares in (pos, neg)]
        one = ratings(*(each.tolist() for each in counts))
        found.append(replace(one, name=f"five ratings of {kind} scores"))
    return tuple(found)


def reader(asked: list[Asked]) -> Reader:
    def read(table: ScoreTable, _: np.random.Generator) -> Iterator[Read]:
        models = dict.fromkeys(model for each in asked for model in each.models)
        fits = {model: fit_of(table, model) for model in models}
        for each in asked:
            for model in each.models:
                ask = partial(_interval, fits[model], each)
                yield from held(each.section, model + each.after, ask, each.truth)

    return read


def _interval(fit: Fit | None, asked: Asked) -> Any:
    """Return an interval; of a refused or degenerate fit the whole range."""
    if fit is None or "degenerate" in fit.flags:
        return (0.0, 1.0) if asked.section == FPR else (-np.inf, np.inf)
    return interval_of(asked.estimate(fit))


# --- two scores -------------------------------------------------------------------------------


def rated(rng: np.random.Generator, size: tuple[int, int]) -> PairedScores:
    """Draw the two scores of `PAIR`, as five ratings: their latent curves are the same."""
    data = PAIR.draw(*size, rng=rng)
    cut = np.searchsorted(CUTS, data.score)
    return pair_scores(data.label, dict(zip("ab", cut.T, strict=True)))


def joint(truths: dict[str, float]) -> Reader:
    def read(data: PairedScores, _: np.random.Generator) -> Iterator[Read]:
        fit = fit_paired(data)
        for name, truth in truths.items():
            ask = partial(fit.difference, READINGS[name][0])
            yield from held(PAIRED, name, partial(interval_by, ask), truth)

    return read


def paired_cells() -> Iterator[Cell]:
    normal = {name: truth for name, (_, truth) in READINGS.items()}
    skewed = dict(zip(READINGS, of_margins(SKEWED_PAIR.margins), strict=True))
    for size in SIZES[:2]:
        said = f"{size[0]} + {size[1]}"
        for name, truths, draw in (
            (PAIR.name, normal, lambda rng, size=size: PAIR.draw(*size, rng=rng)),
            (f"{PAIR.name}, five ratings", normal, partial(rated, size=size)),
            (SKEWED_PAIR.name, skewed, lambda rng, size=size: SKEWED_PAIR.draw(*size, rng=rng)),
        ):
            yield Cell(name, said, draw, joint(truths))


def of_margins(margins: tuple[Population, ...]) -> tuple[float, float]:
    """Return what the first score has more of: area, and rate of positives."""
    one, two = margins
    return one.auc - two.auc, float(one.tpr_at(AT)) - float(two.tpr_at(AT))


# --- the part ---------------------------------------------------------------------------------


@cache
def cells() -> tuple[Cell, ...]:
    """Return all cells."""
    found = [
        Cell(one.name, f"{size[0]} + {size[1]}", draw_of(one, size), make(one), slow=slow)
        for populations, make, slow in (
            (SCORES, partial(of_curve, models=CURVES), 1),
            (SCORES, partial(of_curve, models=DEAR), FEWER),
            (rated_populations(), of_ratings, 1),
        )
        for one, size in product(populations, SIZES)
    ]
    return (*found, *paired_cells())


def rows(samples: int, number: int) -> list[Row]:
    return cells()[number].rows(samples)


def count() -> int:
    return len(cells())
