"""What does `threshold_bootstrap` say of a score most of whose values are rare?

Half of the positives and 85 percent of the negatives score 0; the others are spread over 1 to 9, of
the positives evenly, of the negatives the less the higher. The best threshold is 1, a score that a
sample may lack. How often do the limits contain it, and by how much do the apparent and the
corrected index differ from the one that the chosen threshold truly has?

    python -m benchmarks.constants.rare_levels      # writes benchmarks/results, a minute
    python -m benchmarks.constants.rare_levels 50   # so many samples, printed only
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.coverage.ledger import LEVEL, SEED
from benchmarks.pages import keep, told
from rocspace import tabulate
from rocspace.operating import threshold_bootstrap

N_SIM, N_BOOT = 500, 300
SIZES = ((5, 20), (8, 40), (20, 20), (40, 8), (5, 200))
POS = np.append(0.5, np.full(9, 0.5 / 9))
NEG = np.append(0.85, 0.15 * np.arange(9, 0, -1) / 45)
BEST = 1  # the threshold with the largest index


def index_from(threshold: float) -> float:
    """Return Youden's index of a threshold in the population."""
    called = np.arange(POS.size) >= threshold
    return float(POS[called].sum() - NEG[called].sum())


def measured(size: tuple[int, int], n_sim: int) -> tuple[float, float, float]:
    """Return the percentage of limits that contain the best threshold, and both mean errors."""
    rng = np.random.default_rng([SEED, 86, *size])
    label, found = np.repeat([1, 0], size), []
    for _ in range(n_sim):
        sides = [rng.choice(10, n, p=p) for n, p in zip(size, (POS, NEG), strict=True)]
        table = tabulate(label, np.concatenate(sides))
        chosen = threshold_bootstrap(table, n_boot=N_BOOT, rng=rng, progress=False)
        true = index_from(chosen.point.threshold)
        inside = BEST in chosen.interval(LEVEL)
        found.append((100 * inside, chosen.apparent - true, chosen.corrected - true))
    covered, apparent, corrected = np.nanmean(found, axis=0)
    return float(covered), float(apparent), float(corrected)


def rows(n_sim: int) -> Iterator[str]:
    for size in SIZES:
        covered, apparent, corrected = measured(size, n_sim)
        yield f"| {size[0]} + {size[1]} | {covered:.1f} | {apparent:.3f} | {corrected:.3f} |"


def page(n_sim: int) -> str:
    lines = [
        "# Best thresholds of a score with rare values",
        "",
        f"`python -m benchmarks.constants.rare_levels`, seed {SEED}, {n_sim} samples, {N_BOOT}",
        f"replicates: percent of limits of level {LEVEL:g} that contain the best threshold, and",
        "mean differences of the apparent and the corrected index from the true one of the choice.",
        "",
        "| cases | covered | apparent | corrected |",
        "| --- | ---: | ---: | ---: |",
    ]
    return told(lines, rows(n_sim))


if __name__ == "__main__":
    keep("rare_levels", page, N_SIM)
