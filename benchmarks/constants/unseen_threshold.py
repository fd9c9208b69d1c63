"""How many unseen cases should the interval of a best threshold allow for? Coverage against width.

The default interval of `threshold_bootstrap` gives the replicates a few more cases of each class,
at scores of the other class. For some mean numbers of them this program measures, on the same
samples, how often the interval of level .95 holds the best threshold of the population, and its
median width beside that without them. The number was chosen on the development populations and
sizes; the validation populations, at other sizes, chose nothing.

    python -m benchmarks.constants.unseen_threshold                 # writes benchmarks/results
    python -m benchmarks.constants.unseen_threshold --samples 20    # so many samples, printed only
"""

from __future__ import annotations

from collections.abc import Iterator
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from benchmarks.constants.choices import Situation, main
from benchmarks.coverage.ledger import LEVEL, SEED
from benchmarks.coverage.margins import MARGINS, Margin
from rocspace.operating import threshold_bootstrap

NUMBERS = (0.0, 1.0, 2.0, 3.0, 4.0)
N_BOOT = 300
SIZES = {
    "development": ((5, 100), (20, 50), (100, 20)),
    "validation": ((8, 60), (30, 40), (150, 12)),
}
CHOICES = tuple(f"{number:g} unseen cases" for number in NUMBERS)


def measured(
    margin: Margin, size: tuple[int, int], samples: int, number: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return coverage and median width, beside that of no unseen case, of each choice."""
    rng = np.random.default_rng([SEED, 31, number, *size])
    truth, _ = margin.best_threshold()
    found = np.empty((samples, len(NUMBERS), 2))
    for i, j in np.ndindex(samples, len(NUMBERS)):
        if j == 0:
            table = margin.draw(*size, rng)
        with patch("rocspace.operating.optimism._UNSEEN", NUMBERS[j]):
            drawn = threshold_bootstrap(table, n_boot=N_BOOT, rng=i, progress=False)
        low, high = drawn.interval(LEVEL)
        found[i, j] = low <= truth <= high, high - low
    width = np.median(found[..., 1], axis=0)
    return found[..., 0].mean(axis=0), width / width[0]


def situations(samples: int) -> Iterator[Situation]:
    for number, margin in enumerate(MARGINS):
        if margin.discrete or margin.youden < 1e-6:
            continue  # where several thresholds are nearly optimal, the target jumps
        for size in SIZES[margin.role]:
            cover, ratio = measured(margin, size, samples, number)
            yield Situation(margin.role, f"{margin.name}, {size[0]} + {size[1]}", cover, ratio)


if __name__ == "__main__":
    main(__doc__, "unseen_threshold", CHOICES, situations, samples=100)
