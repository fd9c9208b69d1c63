"""What must a fitted probability of verification be at least?

A verified case weighs 1 / the fitted probability of its verification. Where the model of it is
bent, a few weigh like thousands: a doubly robust area is then anywhere, with a standard error that
tells little of it. Beside the default, 5 / (sqrt(n) ln n) of Gruber, Phillips, Lee and van der Laan
(2022), this program has the probabilities as fitted, fixed least ones, and restricted cubic splines
of the score, with three knots as Harrell places them, in the model of verification or of the truth.

    python -m benchmarks.constants.least_chance       # writes benchmarks/results, three minutes
    python -m benchmarks.constants.least_chance 50    # so many samples, printed only
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any

import numpy as np

from benchmarks.constants.choices import Situation, page
from benchmarks.coverage.ledger import LEVEL, SEED
from benchmarks.coverage.truth import (
    ENDS,
    FLOORED,
    LOGISTIC,
    STEP,
    Chosen,
    Scored,
    exponential,
    normal,
    unequal,
    verification,
)
from benchmarks.pages import keep
from rocspace.designs import VerifiedScores, verified_auc_estimate
from rocspace.designs.regression import columns_of
from rocspace.designs.verification import estimated_area
from rocspace.designs.weighting import Problem, VerificationMethod, problem_of

SAMPLES, CHECKED = 300, 3
AS_FITTED = 1e-9
RIGHT, WRONG = "model of the truth right", "model of the truth wrong"
USUAL, SPREAD = normal(0.8), unequal(0.8, 2)
SITUATIONS: tuple[tuple[str, Scored, float, int, Chosen, float], ...] = (
    (RIGHT, USUAL, 0.2, 300, LOGISTIC, 0.3),
    (RIGHT, USUAL, 0.1, 1000, LOGISTIC, 0.1),
    (RIGHT, USUAL, 0.2, 100, FLOORED, 0.5),
    (RIGHT, USUAL, 0.2, 300, FLOORED, 0.3),
    (RIGHT, USUAL, 0.2, 1000, FLOORED, 0.3),
    (RIGHT, USUAL, 0.2, 1000, FLOORED, 0.1),
    (RIGHT, USUAL, 0.2, 3000, FLOORED, 0.3),
    (RIGHT, exponential(0.8), 0.2, 500, FLOORED, 0.3),
    (RIGHT, USUAL, 0.2, 300, STEP, 0.3),
    (RIGHT, USUAL, 0.2, 300, ENDS, 0.3),
    (WRONG, SPREAD, 0.2, 300, LOGISTIC, 0.3),
    (WRONG, SPREAD, 0.2, 1000, LOGISTIC, 0.3),
    (WRONG, SPREAD, 0.2, 1000, FLOORED, 0.3),
)


@dataclass(frozen=True, slots=True, eq=False)
class Bounded(Problem):
    """A problem whose fitted probabilities of verification have this least one."""

    floor: float = AS_FITTED

    @property
    def least(self) -> float:
        return self.floor


Change = Callable[[Problem, np.ndarray], Problem]


def bounded(floor: float, problem: Problem, _: np.ndarray) -> Problem:
    return Bounded(
        **{each.name: getattr(problem, each.name) for each in fields(Problem)}, floor=floor
    )


def bent(model: str, problem: Problem, score: np.ndarray) -> Problem:
    """Add the bend of a spline of the score to one of the models."""
    (column,) = columns_of({"": score}, ("",), {}, 3)
    bend: dict[str, Any] = {
        model: np.column_stack([getattr(problem, model), *column.of(score)[1:]])
    }
    return replace(problem, **bend)


def bent_as_fitted(problem: Problem, score: np.ndarray) -> Problem:
    return bounded(AS_FITTED, bent("verification", problem, score), score)


def unchanged(problem: Problem, _: np.ndarray) -> Problem:
    return problem


CHOICES: dict[str, tuple[VerificationMethod, Change]] = {
    "doubly robust, as fitted": ("doubly-robust", partial(bounded, AS_FITTED)),
    "**doubly robust, 5 / (sqrt(n) ln n)**": ("doubly-robust", unchanged),
    "doubly robust, .01": ("doubly-robust", partial(bounded, 0.01)),
    "doubly robust, .025": ("doubly-robust", partial(bounded, 0.025)),
    "doubly robust, spline of verification, as fitted": ("doubly-robust", bent_as_fitted),
    "doubly robust, spline of verification": ("doubly-robust", partial(bent, "verification")),
    "doubly robust, spline of the truth": ("doubly-robust", partial(bent, "truth")),
    "ipw, as fitted": ("ipw", partial(bounded, AS_FITTED)),
    "**ipw, 5 / (sqrt(n) ln n)**": ("ipw", unchanged),
    "ipw, spline": ("ipw", partial(bent, "verification")),
    "mean-score": ("mean-score", unchanged),
}


def intervals(data: VerifiedScores, check: bool) -> list[tuple[float, float]]:
    found = []
    for method, change in CHOICES.values():
        problem = change(problem_of(data, method, None, None), data.column())
        ends = estimated_area(data, data.names[0], problem).interval(LEVEL)
        if check and change is unchanged:
            assert ends == verified_auc_estimate(data, method=method).interval(LEVEL)
        found.append((ends.low, ends.high))
    return found


def measured(
    role: str, scored: Scored, share: float, n: int, chosen: Chosen, prevalence: float, samples: int
) -> tuple[Situation, str]:
    """Return what each choice covers, and its row."""
    cell = verification(scored, share, n, chosen, prevalence)
    rng = np.random.default_rng([SEED, n])
    ends = [intervals(cell.draw(rng), i < CHECKED) for i in range(samples)]
    low, high = np.array(ends).transpose(2, 1, 0)
    cover = ((low <= scored.area) & (scored.area <= high)).mean(axis=1)
    width = (high - low).mean(axis=1)
    cells = " | ".join(f"{100 * a:.1f} ({b:.3f})" for a, b in zip(cover, width, strict=True))
    name = f"{cell.situation} of {n}"
    print(f"| {role} | {name} | {cells} |", flush=True)
    return Situation(role, name, cover, width / width[1]), f"| {role} | {name} | {cells} |"


def whole_page(samples: int) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = [measured(*situation, samples) for situation in SITUATIONS]
    command = f"python -m benchmarks.constants.least_chance, {samples} samples"
    lines = [
        "",
        "Widths are beside that of the doubly robust default. Percent covered (mean width):",
        "",
        f"| half | situation | {' | '.join(CHOICES)} |",
        f"| --- | --- |{' ---: |' * len(CHOICES)}",
        *(row for _, row in found),
    ]
    return page(command, list(CHOICES), [each for each, _ in found]) + "\n".join(lines) + "\n"


if __name__ == "__main__":
    keep("least_chance", whole_page, SAMPLES)
