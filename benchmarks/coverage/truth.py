"""Areas and rates where the truth is known for some, is wrong for some, or is a judge's for most.

The score and a covariate are independent in each class, so that the log odds of the truth are
linear in both (but for ratings and for scores of unequal spread). Verification depends on both, by
a logistic model or by one that is not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit
from scipy.stats import norm

from benchmarks.coverage.cells import Cell, Read
from benchmarks.coverage.ledger import LEVEL, Row
from rocspace import ScoreTable, auc, tabulate
from rocspace.designs import (
    VerifiedScores,
    audited_noise,
    denoised_auc_bounds,
    denoised_auc_estimate,
    flip_noise,
    positive_unlabelled,
    powered_auc_estimate,
    verified_auc_estimate,
    verified_rates,
    verified_scores,
)
from rocspace.results import Estimate

AREA, RATE = "area, partly verified", "rates, partly verified"
NOISE, POWERED = "area, wrong labels", "area, prediction-powered"
METHODS: tuple[Any, ...] = ("doubly-robust", "ipw", "mean-score", "imputation")
RATES = ("tpr", "fpr", "ppv")
WRONG = "doubly-robust, one model wrong"
BOTH_WRONG = "doubly-robust, both models wrong"
PREVALENCE = 0.3
JUDGED = 800  # cases that a judge alone labelled

Scores = Callable[[np.random.Generator, np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Scored:
    """How scores are drawn, given the class, the true area, and whether the log odds are linear."""

    name: str
    draw: Scores
    area: float
    linear: bool = True


def normal(area: float) -> Scored:
    shift = float(np.sqrt(2) * norm.ppf(area))
    return Scored(
        f"Normal, area {area:g}", lambda rng, ill: rng.normal(size=ill.size) + shift * ill, area
    )


def unequal(area: float, sd: float) -> Scored:
    shift = float(np.sqrt(1 + sd**2) * norm.ppf(area))
    draw = lambda rng, ill: rng.normal(size=ill.size) * np.where(ill, sd, 1.0) + shift * ill  # noqa: E731
    return Scored(f"Normal, sd {sd:g} and 1, area {area:g}", draw, area, linear=False)


def exponential(area: float) -> Scored:
    ratio = area / (1 - area)
    draw = lambda rng, ill: rng.exponential(np.where(ill, ratio, 1.0))  # noqa: E731
    return Scored(f"exponential, area {area:g}", draw, area)


def ratings() -> Scored:
    cuts, shift = np.array([-0.5, 0.4, 1.1, 1.9]), 1.2

    def draw(rng: np.random.Generator, ill: np.ndarray) -> np.ndarray:
        return np.searchsorted(cuts, rng.normal(size=ill.size) + shift * ill).astype(float)

    chances = [np.diff(norm.cdf([-np.inf, *(cuts - s), np.inf])) for s in (shift, 0.0)]
    label = np.repeat([True, False], 5)
    table = tabulate(label, np.tile(np.arange(5), 2), sample_weight=np.concatenate(chances))
    return Scored("five ratings", draw, auc(table))


def held(
    section: str, name: str, estimate: Estimate, truth: float, *, beside: bool = False
) -> Read:
    low, high = estimate.interval(LEVEL)
    return Read(section, name, bool(low <= truth <= high), high - low, beside=beside)


# --- verification ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Chosen:
    """How verification depends on the standardised score and the sign.

    The log odds are `odds` and a constant, and no probability is below `least`.
    """

    name: str
    odds: Callable[[np.ndarray, np.ndarray], np.ndarray]
    least: float = 0.0

    def chance(self, shift: float, odds: np.ndarray) -> np.ndarray:
        return np.maximum(expit(shift + odds), self.least)


LOGISTIC = Chosen("", lambda z, sign: z + 0.5 * sign)
FLOORED = Chosen("steeply, at least 2%", lambda z, sign: 3 * z + 0.5 * sign, 0.02)
STEP = Chosen("by a cut", lambda z, sign: np.where(z > 0.8, 2.0, -2.0) + 0.5 * sign)
ENDS = Chosen("at both ends", lambda z, sign: 1.5 * np.abs(z) + 0.5 * sign)


def _cases(
    scored: Scored, n: int, rng: np.random.Generator, prevalence: float = PREVALENCE
) -> tuple[np.ndarray, ...]:
    ill = rng.random(n) < prevalence
    ill[:2] = True, False
    score = scored.draw(rng, ill)
    sign = rng.normal(size=n) + 0.7 * ill
    return ill, score, sign


@cache
def _large(scored: Scored, prevalence: float) -> tuple[np.ndarray, ...]:
    """Return whether the cases of a large sample are ill, their scores and their signs."""
    return _cases(scored, 200_000, np.random.default_rng(1), prevalence)


def verification(
    scored: Scored,
    share: float,
    n: int,
    chosen: Chosen = LOGISTIC,
    prevalence: float = PREVALENCE,
) -> Cell:
    ill, score, sign = _large(scored, prevalence)
    mean, sd = float(score.mean()), float(score.std())
    odds = chosen.odds((score - mean) / sd, sign)
    shift = float(brentq(lambda a: chosen.chance(a, odds).mean() - share, -40, 40))
    threshold = float(np.quantile(score, 0.7))
    called = score >= threshold
    truths = {"tpr": called[ill].mean(), "fpr": called[~ill].mean(), "ppv": ill[called].mean()}
    holds = chosen is LOGISTIC
    lacking = WRONG if holds else BOTH_WRONG
    default = METHODS[0] if scored.linear else lacking

    def draw(rng: np.random.Generator) -> VerifiedScores:
        ill, score, sign = _cases(scored, n, rng, prevalence)
        seen = rng.random(n) < chosen.chance(shift, chosen.odds((score - mean) / sd, sign))
        seen[:2] = True
        truth = np.where(seen, ill, np.nan)
        return verified_scores(truth, score, covariates={"sign": sign})

    def read(data: VerifiedScores, _: np.random.Generator) -> Iterator[Read]:
        for method in METHODS:
            found = verified_auc_estimate(data, method=method)
            name = default if method == METHODS[0] else method
            yield held(AREA, name, found, scored.area, beside=name != METHODS[0])
        if scored.linear:
            found = verified_auc_estimate(data, truth=["sign"])
            yield held(AREA, lacking, found, scored.area, beside=True)
        rates = verified_rates(data, threshold).estimates
        for name, truth in truths.items():
            yield held(RATE, name, rates[name], float(truth))

    how = f"{share:.0%} verified{f' {chosen.name}' if chosen.name else ''}"
    rare = "" if prevalence == PREVALENCE else f", {prevalence:.0%} positive"
    return Cell(f"{scored.name}{rare}, {how}", f"{n}", draw, read)


# --- wrong labels ---------------------------------------------------------------------------------


def wrong(scored: Scored, flips: tuple[float, float], n: int, audited: int = 0) -> Cell:
    """Flip labels of both classes at these rates; `audited` labels of each are checked."""

    def draw(rng: np.random.Generator) -> Any:
        ill = rng.random(n) < 0.4
        ill[:2] = True, False
        score = scored.draw(rng, ill)
        label = ill ^ (rng.random(n) < np.where(ill, *flips))
        if not 2 < label.sum() < n - 2:
            return draw(rng)
        return tabulate(label, score), ill, label

    def read(drawn: Any, rng: np.random.Generator) -> Iterator[Read]:
        table, ill, label = drawn
        if audited:
            checks = {}
            for name, side in (("pos", label), ("neg", ~label)):
                seen = rng.permutation(np.flatnonzero(side))[:audited]
                checks[name] = int((ill[seen] != label[seen]).sum()), seen.size
            noise = audited_noise(**checks)
        else:
            noise = flip_noise(table, pos=flips[0], neg=flips[1])
        yield held(NOISE, "un-mixed", denoised_auc_estimate(table, noise), scored.area)
        ends = denoised_auc_bounds(table, pos=(0.0, 0.2), neg=(0.0, 0.3)).interval(LEVEL)
        inside = bool(ends.low <= scored.area <= ends.high)
        yield Read(NOISE, "bounds, to .2 and .3", inside, ends.high - ends.low, beside=True)

    what = f"{flips[0]:.0%} and {flips[1]:.0%} flipped"
    return Cell(
        f"{scored.name}, {what}{f', {audited} audited' * (audited > 0)}", f"{n}", draw, read
    )


def unlabelled(scored: Scored, share: float, n: int) -> Cell:
    """Half of the cases are labelled positives; this share of the others is positive, too."""
    noise = positive_unlabelled(share)

    def draw(rng: np.random.Generator) -> ScoreTable:
        label = np.arange(n) % 2 == 0
        ill = label | (rng.random(n) < share)
        return tabulate(label, scored.draw(rng, ill))

    def read(table: ScoreTable, _: np.random.Generator) -> Iterator[Read]:
        yield held(NOISE, "un-mixed", denoised_auc_estimate(table, noise), scored.area)
        ends = denoised_auc_bounds(table, neg=(0.0, 0.4)).interval(LEVEL)
        inside = bool(ends.low <= scored.area <= ends.high)
        yield Read(NOISE, "bounds, to 0 and .4", inside, ends.high - ends.low, beside=True)

    return Cell(f"{scored.name}, {share:.0%} of the unlabelled positive", f"{n}", draw, read)


# --- a judge --------------------------------------------------------------------------------------


def judged(scored: Scored, right: float, n: int) -> Cell:
    def draw(rng: np.random.Generator) -> VerifiedScores:
        ill, score, _ = _cases(scored, n + JUDGED, rng)
        judge = ill ^ (rng.random(ill.size) >= right)
        truth = np.where(np.arange(ill.size) < n, ill, np.nan)
        return verified_scores(truth, score, covariates={"judge": judge})

    def read(data: VerifiedScores, _: np.random.Generator) -> Iterator[Read]:
        found = powered_auc_estimate(data, "judge")
        yield held(POWERED, "prediction-powered", found, scored.area)
        yield held(POWERED, "true labels alone", found.uncorrected, scored.area, beside=True)

    return Cell(f"{scored.name}, judge right in {right:.0%}", f"{n} of {n + JUDGED}", draw, read)


@cache
def cells() -> tuple[Cell, ...]:
    """Return all cells."""
    usual, skewed, flips = normal(0.8), exponential(0.8), (0.1, 0.05)
    spread = unequal(0.8, 2)
    return (
        *(verification(usual, 0.2, n) for n in (300, 1000)),
        *(verification(usual, share, 300) for share in (0.5, 0.8)),
        *(verification(skewed, share, 500) for share in (0.2, 0.5)),
        *(verification(usual, 0.2, n, FLOORED) for n in (300, 1000, 3000)),
        verification(usual, 0.2, 1000, FLOORED, 0.1),
        verification(usual, 0.2, 100, FLOORED, 0.5),
        verification(usual, 0.1, 1000, LOGISTIC, 0.1),
        verification(skewed, 0.2, 500, FLOORED),
        verification(normal(0.9), 0.3, 300, FLOORED, 0.2),
        *(verification(usual, 0.2, 300, chosen) for chosen in (STEP, ENDS)),
        *(verification(spread, 0.2, n) for n in (300, 1000)),
        verification(spread, 0.2, 1000, FLOORED),
        *(wrong(usual, flips, n) for n in (100, 400)),
        wrong(ratings(), flips, 400),
        wrong(normal(0.98), flips, 100),
        wrong(skewed, flips, 400, audited=50),
        *(unlabelled(usual, share, 200) for share in (0.1, 0.3)),
        unlabelled(ratings(), 0.3, 200),
        judged(usual, 0.9, 50),
        *(judged(usual, right, 100) for right in (0.9, 0.6, 0.5)),
    )


def rows(samples: int, number: int) -> list[Row]:
    return cells()[number].rows(samples)


def count() -> int:
    return len(cells())
