"""Does `covariate_test` hold its level where a category has few negatives?

Negatives of a category place all its positives, which share their error. Old age shifts both
classes here and leaves the curve as it is, so that each rejection at .05 is an error: by Wald's
test where half of the positives and so many negatives are old, and by both methods where a share of
the negatives is.

    python -m benchmarks.constants.rare_categories      # writes benchmarks/results, a minute
    python -m benchmarks.constants.rare_categories 50   # so many samples, printed only
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from benchmarks.coverage.ledger import SEED
from benchmarks.pages import keep, told
from rocspace._base.arrays import Ints, Mask
from rocspace.designs import CovariateScores, covariate_scores, covariate_test

N_SIM, N_PERM, LEVEL = 1000, 19, 0.05
WALD = (
    *product(((100, 25), (40, 40)), (8, 5, 3, 2, 1)),
    *product(((100, 100),), (12, 8, 5)),
    *product(((400, 400),), (20, 12)),
)
BOTH = tuple(product(((40, 40),), (4, 12)))


def drawn(rng: np.random.Generator, label: Ints, is_old: Mask) -> CovariateScores:
    """Draw scores that old age shifts in both classes alike."""
    score = 2.0 * is_old + 1.2 * label + rng.normal(size=label.size)
    return covariate_scores(label, score, {"age": np.where(is_old, "old", "young")})


def pvalue(data: CovariateScores, rng: np.random.Generator | None = None) -> float:
    """Return the p value of Wald's test, or with a generator that of permutations."""
    how: dict[str, Any] = {"method": "permutation", "n_perm": N_PERM, "rng": rng}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that a category is rare
        return covariate_test(data, progress=False, **({} if rng is None else how)).pvalue


def rejected(size: tuple[int, int], old: int, n_sim: int, *, permuted: bool) -> tuple[float, float]:
    """Return the percentages of samples that Wald's test and the permutations reject."""
    rng = np.random.default_rng([SEED, 85, *size, old])
    label = np.repeat([1, 0], size)
    found = np.full((n_sim, 2), np.nan)
    for i in range(n_sim):
        is_old = np.concatenate([rng.random(size[0]) < 0.5, np.arange(size[1]) < old])
        data = drawn(rng, label, is_old)
        found[i] = pvalue(data), pvalue(data, rng) if permuted else np.nan
    wald, by_permutation = 100 * (found <= LEVEL + 1e-9).mean(axis=0)
    return float(wald), float(by_permutation)


def rows(n_sim: int) -> Iterator[str]:
    for (size, old), permuted in [*product(WALD, [False]), *product(BOTH, [True])]:
        wald, other = rejected(size, old, n_sim, permuted=permuted)
        more = f"{other:.1f}" if permuted else ""
        yield f"| {size[0]} + {size[1]} | {old} | {wald:.1f} | {more} |"


def page(n_sim: int) -> str:
    lines = [
        "# Tests of covariates where a category has few negatives",
        "",
        f"`python -m benchmarks.constants.rare_categories`, seed {SEED}, {n_sim} samples:",
        f"percent of true hypotheses rejected at {LEVEL:g}, by {N_PERM} permutations.",
        "",
        "| cases | negatives of the category | Wald | permutations |",
        "| --- | ---: | ---: | ---: |",
    ]
    return told(lines, rows(n_sim))


if __name__ == "__main__":
    keep("rare_categories", page, N_SIM)
