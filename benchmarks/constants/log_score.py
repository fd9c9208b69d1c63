"""On which negatives should the log score of placements place the positives that were left out?

`rocspace.models.compare_models` places them among negatives that were left out, too. This program
compares a kernel curve with the binormal one, which is the true one here, on Normal scores: by how
much the kernel curve scores higher with the negatives that the curve was fitted to, and with those
left out; and how far both curves are from the true one.

    python -m benchmarks.constants.log_score       # writes benchmarks/results, some minutes
    python -m benchmarks.constants.log_score 20    # so many samples, printed only
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from benchmarks.coverage.ledger import SEED
from benchmarks.pages import keep
from rocspace.counts import ScoreTable
from rocspace.models import choosing, compare_models
from rocspace.models.fitting import split_counts
from rocspace.simulate import binormal

MODELS = ("binormal", "kernel")
N_SIM, CASES, AREA, FOLDS = 200, 200, 0.8, 5
AT = np.linspace(0, 1, 1001)


def among_fitted(table: ScoreTable, folds: int, rng: Any) -> Iterator[tuple[ScoreTable, Any]]:
    """Yield each part, its positives placed among the negatives that are not left out."""
    for left, out in split_counts(table, folds, rng):
        pos, neg = table.pos - left, table.neg - out
        kept = (pos > 0) | (neg > 0)
        fitted = replace(table, score=table.score[kept], pos=pos[kept], neg=neg[kept])
        yield fitted, choosing._chances(left, neg)


def compared(table: ScoreTable, seed: int) -> tuple[Any, NDArray[np.float64]]:
    """Return the comparison, and by how much each positive scores higher by the kernel curve."""
    kept: dict[str, NDArray[np.float64]] = {}
    inner = choosing._log_scores

    def keep(*args: Any) -> dict[str, NDArray[np.float64]]:
        kept.update(inner(*args))
        return kept

    with patch.object(choosing, "_log_scores", keep):
        found = compare_models(table, models=MODELS, n_folds=FOLDS, rng=seed)
    return found, kept["kernel"] - kept["binormal"]


def page(n_sim: int) -> str:
    population = binormal(AREA)
    rng = np.random.default_rng([SEED, 77])
    true = np.asarray(population.tpr_at(AT))
    gaps, far = np.empty((n_sim, 2, 2)), np.empty((n_sim, 2))
    for i in range(n_sim):
        table = population.draw(CASES, CASES, rng=rng)
        found, left_out = compared(table, i)
        with patch.object(choosing, "_parts", among_fitted):
            fitted = compared(table, i)[1]
        for j, gap in enumerate((fitted, left_out)):
            gaps[i, j] = gap.mean(), gap.mean() / (gap.std(ddof=1) / gap.size**0.5)
        far[i] = [np.abs(np.asarray(fit.tpr_at(AT)) - true).mean() for fit in found.fits.values()]
    mean, error = gaps.mean(axis=0), gaps.std(axis=0, ddof=1) / n_sim**0.5
    ratio = far[:, 1].mean() / far[:, 0].mean()
    rows = [
        f"| {name} | {mean[j, 0]:.4f} ({error[j, 0]:.4f}) | {mean[j, 1]:.2f} |"
        for j, name in enumerate(("fitted to", "left out"))
    ]
    return "\n".join(
        [
            "# The log score of placements",
            "",
            f"`python -m benchmarks.constants.log_score`, seed {SEED}, {n_sim} samples of {CASES}",
            f"+ {CASES} Normal scores of area {AREA:g}, {FOLDS} parts: by how much a kernel curve",
            "scores higher than the binormal one on average (Monte Carlo error), and in standard",
            f"errors within a sample. The kernel curve is {ratio:.2f} times as far from the true",
            "curve (mean absolute distance).",
            "",
            "| negatives that place | kernel minus binormal | standard errors |",
            "| --- | ---: | ---: |",
            *rows,
            "",
        ]
    )


if __name__ == "__main__":
    keep("log_score", page, N_SIM)
