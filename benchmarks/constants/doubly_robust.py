"""What must the standard error of a doubly robust area lean on?

A case that had hardly a chance of being verified weighs much if it was, and most samples have none
such: the influence values then say too little of the error. The default interval leans on the error
that both models expect ("moderated", `rocspace.designs.verified_auc_estimate`). On the same samples
this program measures it beside the influence values alone and what else was tried. Development: the
situations that served to choose. Validation: other areas, shapes and sizes. Last come situations
where the model of the truth lacks the score, so that the error that it expects is not the true one.

    python -m benchmarks.constants.doubly_robust       # writes benchmarks/results, six minutes
    python -m benchmarks.constants.doubly_robust 50    # so many samples, printed only
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri, stdtrit

from benchmarks.constants.choices import Situation, page
from benchmarks.coverage.ledger import LEVEL, SEED
from benchmarks.coverage.truth import Scored, exponential, normal, ratings, verification
from benchmarks.pages import keep
from rocspace.designs import VerifiedScores, verified_auc_estimate
from rocspace.designs.corrected import area_reading, ranked
from rocspace.designs.weighting import Chance, problem_of
from rocspace.results.limits import wilson_ends

Floats = NDArray[np.float64]
SAMPLES, CHECKED = 2000, 3
WRONG = "validation, wrong model of the truth"
USUAL, SKEWED = normal(0.8), exponential(0.8)
SITUATIONS: tuple[tuple[str, Scored, float, int], ...] = (
    ("development", USUAL, 0.2, 300),
    ("development", USUAL, 0.2, 1000),
    ("development", USUAL, 0.5, 300),
    ("development", USUAL, 0.8, 300),
    ("development", SKEWED, 0.2, 500),
    ("validation", normal(0.65), 0.2, 400),
    ("validation", normal(0.9), 0.25, 400),
    ("validation", exponential(0.9), 0.3, 400),
    ("validation", exponential(0.7), 0.15, 800),
    ("validation", ratings(), 0.2, 400),
    (WRONG, USUAL, 0.2, 300),
    (WRONG, USUAL, 0.2, 1000),
    (WRONG, normal(0.9), 0.25, 400),
    (WRONG, ratings(), 0.2, 400),
)


@dataclass(frozen=True)
class Errors:
    """An area, and its standard errors and degrees of freedom by several ways."""

    value: float
    se: float
    df: float
    model_se: float
    hc3: float
    effective: float

    def ends(self, se: float, df: float) -> tuple[float, float]:
        """Wilson's interval, as `AreaEstimate` has it."""
        tail = (1 - LEVEL) / 2
        t = -float(stdtrit(df, tail) if df < 1e9 else ndtri(tail))
        low, high = wilson_ends(self.value, (t * se) ** 2 / (self.value * (1 - self.value)))
        return float(low), float(high)

    def leaning(self, model_df: float, credited: float) -> tuple[float, float]:
        both = self.df * self.se**2 + model_df * self.model_se**2
        se = max(self.se, float(np.sqrt(both / (self.df + model_df))))
        return self.ends(se, self.df + credited)

    def all(self) -> dict[str, tuple[float, float]]:
        return {
            "influence alone": self.ends(self.se, self.df),
            "**chosen: the models, 20 and 5**": self.leaning(20, 5),
            "the models, 10 and 5": self.leaning(10, 5),
            "the models, 5 and 5": self.leaning(5, 5),
            "the models, 20 and 20": self.leaning(20, 20),
            "the larger of both": self.ends(max(self.se, self.model_se), self.df),
            "HC3": self.ends(self.hc3, self.df),
            "effective number of verified": self.ends(self.se, min(self.df, self.effective)),
        }


def leverage(model: Chance, counted: Floats) -> Floats:
    """Return the leverage of each case that a logistic regression was fitted to."""
    assert model.design is not None
    rows = model.design * np.sqrt(counted * model.values * (1 - model.values))[:, None]
    found: Floats = np.einsum("ij,ij->i", rows @ np.linalg.pinv(rows.T @ rows), rows)
    return found


def errors(data: VerifiedScores, truth: list[str] | None) -> Errors:
    found = verified_auc_estimate(data, truth=truth)
    problem = problem_of(data, "doubly-robust", None, truth)
    solved = problem.solve()
    seen, name = problem.verified, data.names[0]
    order = ranked(data.column(name), higher_is_positive=data.rises(name))
    influence = solved.influence(area_reading(order, solved.pos, solved.neg))
    (of_truth, *_), (chosen, *_) = solved.slopes
    taken = leverage(of_truth, seen) + leverage(chosen, np.ones(seen.size))
    known, effective = [], []
    for side, weight in ((problem.label, solved.pos), (1 - problem.label, solved.neg)):
        some = np.abs(weight) * side * seen
        taken += some / some.sum()
        inverse = side * seen / chosen.values
        known.append(float((side * seen).sum()))
        effective.append(float(inverse.sum() ** 2 / (inverse @ inverse)))
    corrected = influence / np.maximum(1 - taken, 0.1)
    few = min(known)
    return Errors(
        value=found.value,
        se=found.se,
        df=found.df,
        model_se=found.model_se,
        hc3=float(np.sqrt(corrected @ corrected * few / (few - 1))) / seen.size,
        effective=max(min(effective) - 1, 1.0),
    )


def check(data: VerifiedScores, truth: list[str] | None, each: Errors) -> None:
    wanted = tuple(verified_auc_estimate(data, truth=truth).interval(LEVEL))
    np.testing.assert_allclose(each.leaning(20, 5), wanted, rtol=1e-9)


def measured(
    role: str, scored: Scored, share: float, n: int, samples: int
) -> tuple[Situation, str]:
    """Return what each choice covers, and a row on the errors of the area."""
    cell, rng, ends, sampled = verification(scored, share, n), np.random.default_rng(SEED), [], []
    truth = ["sign"] if role == WRONG else None
    for i in range(samples):
        data = cell.draw(rng)
        each = errors(data, truth)
        if not 0 < each.value < 1:
            continue  # "hoeffding", whatever the standard error
        if i < CHECKED:
            check(data, truth, each)
        ends.append(list(each.all().values()))
        sampled.append((each.value, each.se, each.model_se))
    low, high = np.array(ends).transpose(2, 1, 0)
    cover = ((low <= scored.area) & (scored.area <= high)).mean(axis=1)
    width = (high - low).mean(axis=1)
    value, se, model_se = np.array(sampled).T
    sizes = (value.std(), *(np.sqrt(np.mean(x**2)) for x in (se, model_se)))
    name = f"{scored.name}, {share:.0%} of {n}"
    cells = [f"{100 * cover[j]:.1f} ({width[j]:.3f})" for j in (0, 1)]
    row = " | ".join([role, name, *cells, *(f"{x:.4f}" for x in sizes), str(samples - len(ends))])
    print(f"| {row} |", flush=True)
    return Situation(role, name, cover, width / width[0]), f"| {row} |"


def whole_page(samples: int) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = [measured(*situation, samples) for situation in SITUATIONS]
    names = list(Errors(0.5, 0.1, 10, 0.1, 0.1, 10).all())
    command = f"python -m benchmarks.constants.doubly_robust, {samples} samples"
    lines = [
        "",
        "Percent covered (mean width); the standard deviation of the area over samples, and the",
        "root mean squares of the error that influence values show and of the one that models",
        "expect; samples whose area was 0 or 1, which are left out.",
        "",
        "| half | situation | influence alone | chosen | sd | influence | models | left out |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |",
        *(row for _, row in found),
    ]
    return page(command, names, [each for each, _ in found]) + "\n".join(lines) + "\n"


if __name__ == "__main__":
    keep("doubly_robust", whole_page, SAMPLES)
