"""Does Wald's test of `covariate_test` hold its level where a category has few positives?

A coefficient of the category fits its positives: a single one leaves no residual, and what the
sandwich estimates of its variance is nearly 0. Old age shifts both classes here and leaves the
curve as it is, so that each rejection at .05 is an error. Half of the negatives are old.

    python -m benchmarks.constants.rare_positives      # writes benchmarks/results, three minutes
    python -m benchmarks.constants.rare_positives 50   # so many samples, printed only
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from benchmarks.constants.rare_categories import LEVEL, N_PERM, drawn, pvalue
from benchmarks.coverage.ledger import SEED
from benchmarks.pages import keep, told

N_SIM = 1000
SITUATIONS = (
    *product(((25, 80), (40, 40)), (12, 8, 5, 3, 2, 1)),
    *product(((100, 100),), (20, 12, 8)),
    *product(((400, 400),), (50, 30, 20)),
)
PERMUTED = ((40, 40), 2), ((100, 100), 8)


def rejected(size: tuple[int, int], old: int, n_sim: int, *, permuted: bool) -> float:
    """Return the percentage of samples that a test rejects."""
    rng = np.random.default_rng([SEED, 86, *size, old])
    label = np.repeat([1, 0], size)
    is_old = np.concatenate([np.arange(size[0]) < old, np.arange(size[1]) < size[1] // 2])
    found = []
    for _ in range(n_sim):
        data = drawn(rng, label, is_old)
        found.append(pvalue(data, rng if permuted else None))
    return 100 * float(np.mean(np.array(found) <= LEVEL + 1e-9))


def rows(n_sim: int) -> Iterator[str]:
    for size, old in SITUATIONS:
        wald, more = rejected(size, old, n_sim, permuted=False), ""
        if (size, old) in PERMUTED:
            more = f"{rejected(size, old, n_sim, permuted=True):.1f}"
        yield f"| {size[0]} + {size[1]} | {old} | {wald:.1f} | {more} |"


def page(n_sim: int) -> str:
    lines = [
        "# Tests of covariates where a category has few positives",
        "",
        f"`python -m benchmarks.constants.rare_positives`, seed {SEED}, {n_sim} samples:",
        f"percent of true hypotheses rejected at {LEVEL:g}, by {N_PERM} permutations.",
        "",
        "| cases | positives of the category | Wald | permutations |",
        "| --- | ---: | ---: | ---: |",
    ]
    return told(lines, rows(n_sim))


if __name__ == "__main__":
    keep("rare_positives", page, N_SIM)
