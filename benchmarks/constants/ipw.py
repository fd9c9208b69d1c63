"""What does the interval of an area by inverse probabilities of verification cover, and why?

Beside the default of `verified_auc_estimate(method="ipw")`: the same with degrees of freedom by the
effective number of verified cases, and the interval of the verified cases as weighted ones, which
allows for a heavy case that was not seen ("A heavy case that was not seen"). Of Cauchy scores the
chance of verification rises and levels off, and the model of it is right.

    python -m benchmarks.constants.ipw       # writes benchmarks/results, a minute
    python -m benchmarks.constants.ipw 50    # so many samples, printed only
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy import stats
from scipy.optimize import brentq
from scipy.special import expit, stdtrit

from benchmarks.coverage.ledger import LEVEL, SEED
from benchmarks.coverage.truth import PREVALENCE, Scored, exponential, normal, verification
from benchmarks.pages import keep, told
from rocspace.counts import tabulate
from rocspace.designs import VerifiedScores, verified_auc_estimate, verified_scores
from rocspace.designs.weighting import problem_of
from rocspace.inference import auc_estimate
from rocspace.results.limits import wilson_ends

N_SIM = 150
SHIFT = 2.0
CAUCHY = Scored(
    "Cauchy, area 0.75",
    lambda rng, ill: rng.standard_cauchy(ill.size) + SHIFT * ill,
    float(stats.cauchy(scale=2).cdf(SHIFT)),
)
WAYS = ("default", "effective numbers", "weighted, a heavy case unseen")
Draw = Callable[[np.random.Generator], VerifiedScores]


def levelling(share: float, n: int) -> Draw:
    """Draw cases whose log odds of verification are bounded in the score."""

    def draw(rng: np.random.Generator) -> VerifiedScores:
        ill = rng.random(n) < PREVALENCE
        ill[:2] = True, False
        score, sign = CAUCHY.draw(rng, ill), rng.normal(size=n) + 0.7 * ill
        bent = np.tanh(score / 3)
        odds = 2 * bent + 0.5 * sign
        level = brentq(lambda a: expit(a + odds).mean() - share, -20, 20)
        seen = rng.random(n) < expit(level + odds)
        seen[:2] = True
        truth = np.where(seen, ill, np.nan)
        return verified_scores(truth, score, covariates={"sign": sign, "bent": bent})

    return draw


def intervals(data: VerifiedScores, model: list[str] | None) -> tuple[Any, list[Any], Any]:
    """Return the estimate, its interval by each way, and the effective numbers of both classes."""
    found = verified_auc_estimate(data, method="ipw", verification=model)
    problem = problem_of(data, "ipw", model, None)
    solved = problem.solve()
    seen = problem.verified > 0
    weight = (solved.pos + solved.neg)[seen]
    label, score = problem.label[seen] > 0, data.column(data.names[0])[seen]
    effective = [each.sum() ** 2 / (each @ each) for each in (solved.pos, solved.neg)]
    usual, value = tuple(found.interval(LEVEL)), found.value
    fewer = usual
    if 0 < value < 1:
        df = min(found.df, max(min(effective) - 1, 1.0))
        t = float(stdtrit(df, (1 - LEVEL) / 2))
        fewer = wilson_ends(value, (t * found.se) ** 2 / (value * (1 - value)))
    table = tabulate(label, score, sample_weight=weight)
    return found, [usual, fewer, tuple(auc_estimate(table).interval(LEVEL))], effective


def row(scored: Scored, share: float, n: int, n_sim: int) -> str:
    rng = np.random.default_rng([SEED, 79, n])
    own = scored is CAUCHY
    draw: Any = levelling(share, n) if own else verification(scored, share, n).draw
    model = ["bent", "sign"] if own else None
    ends, known, numbers = [], [], []
    for _ in range(n_sim):
        found, limits, effective = intervals(draw(rng), model)
        ends.append(limits)
        known.append((found.value, found.se))
        numbers.append(effective)
    low, high = np.array(ends).transpose(2, 1, 0)
    inside = 100 * ((low <= scored.area) & (scored.area <= high)).mean(axis=1)
    width = (high - low).mean(axis=1)
    value, se = np.array(known).T
    cells = " | ".join(f"{a:.1f} ({b:.3f})" for a, b in zip(inside, width, strict=True))
    pos, neg = np.median(numbers, axis=0)
    errors = f"{value.std():.3f} | {np.sqrt(np.mean(se**2)):.3f} | {pos:.0f} + {neg:.0f}"
    return f"| {scored.name}, {share:.0%} of {n} | {cells} | {errors} |"


def rows(n_sim: int) -> Iterator[str]:
    for share, n in ((0.2, 300), (0.2, 1000), (0.5, 300), (0.5, 500)):
        yield row(CAUCHY, share, n, n_sim)
    usual, skewed = normal(0.8), exponential(0.8)
    for share, n in ((0.2, 300), (0.2, 1000), (0.5, 300), (0.8, 300)):
        yield row(usual, share, n, n_sim)
    for share, n in ((0.2, 500), (0.5, 500)):
        yield row(skewed, share, n, n_sim)


def page(n_sim: int) -> str:
    lines = [
        "# Areas by inverse probabilities of verification",
        "",
        f"`python -m benchmarks.constants.ipw`, seed {SEED}, {n_sim} samples, level .95: percent",
        "covered (mean width); the standard deviation of the area over samples, the root mean",
        "square of its standard error, and median effective numbers of verified cases.",
        "",
        f"| situation | {' | '.join(WAYS)} | sd | error | effective |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return told(lines, rows(n_sim))


if __name__ == "__main__":
    keep("ipw", page, N_SIM)
