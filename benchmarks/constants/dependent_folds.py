"""How much may dependent folds add to the variance of a cross-validated area?

The default of `cv_auc_estimate` multiplies the variance that takes folds for independent by
``1 + shared exp(-z^2 / reach)``. For some choices of both numbers this program measures, on the
same samples of weak and null learners, how often the interval of level .95 covers the mean true
area of the fitted models, and how wide it is beside that of independent folds.

    python -m benchmarks.constants.dependent_folds [SAMPLES]      # prints
"""

from __future__ import annotations

import sys
from dataclasses import replace
from itertools import product

import numpy as np

from benchmarks.coverage.ledger import SEED
from benchmarks.coverage.wide import folds
from rocspace.averaging import cv_auc_estimate
from rocspace.results import Estimate

CHOICES = ((0.0, 1.0), *product((1.0, 1.25, 1.5), (16.0, 24.0, 32.0)))


def wider(apart: Estimate, shared: float, reach: float) -> Estimate:
    z = (apart.value - 0.5) / apart.se if apart.se > 0 else np.inf
    more = (1 + shared * np.exp(-z * z / reach)) ** 0.5
    return replace(apart, se=more * apart.se, model_se=more * apart.model_se)  # type: ignore[call-arg]


def measured(samples: int) -> dict[tuple[float, float], np.ndarray]:
    """Return coverage and mean width, a row for each situation, of each choice."""
    found: dict[tuple[float, float], list[np.ndarray]] = {choice: [] for choice in CHOICES}
    for number, cell in enumerate(folds()):
        rng = np.random.default_rng([SEED, 90, number])
        drawn = [cell.draw(rng) for _ in range(samples)]
        apart = [(cv_auc_estimate(tables, method="pooled"), truth) for tables, truth in drawn]
        for choice, rows in found.items():
            made = [(wider(one, *choice).interval(), truth) for one, truth in apart]
            rows.append(np.mean([(truth in i, i.width) for i, truth in made], axis=0))
    return {choice: np.array(rows) for choice, rows in found.items()}


if __name__ == "__main__":
    results = measured(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
    usual = results[CHOICES[0]][:, 1]
    print("shared, reach: least coverage, mean coverage, situations below .935, width ratio")
    for choice, rows in results.items():
        least, mean, low = rows[:, 0].min(), rows[:, 0].mean(), (rows[:, 0] < 0.935).sum()
        ratio = (rows[:, 1] / usual).mean()
        print(f"{choice}: {least:.3f}, {mean:.3f}, {low} of {len(rows)}, {ratio:.2f}")
