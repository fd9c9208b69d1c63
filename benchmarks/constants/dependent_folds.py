"""How much may dependent folds add to the variance of a cross-validated area?

The default of `cv_auc_estimate` multiplies the variance that takes folds for independent by
``1 + shared exp(-z^2 / reach)``. For some choices of both numbers this program measures, on the
same samples of weak and null learners, how often the interval of level .95 covers the mean true
area of the fitted models, and its mean width beside that of independent folds. The learners of the
ledger served to choose, those of validation, with other features, sizes and folds, did not.

    python -m benchmarks.constants.dependent_folds                  # writes benchmarks/results
    python -m benchmarks.constants.dependent_folds --samples 50     # so many samples, printed only
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import numpy as np

from benchmarks.constants.choices import Situation, main
from benchmarks.coverage.cells import Cell
from benchmarks.coverage.learners import best_feature, centroid, ridge
from benchmarks.coverage.ledger import LEVEL, SEED
from benchmarks.coverage.wide import fold_cell, folds
from rocspace.averaging import cv_auc_estimate
from rocspace.results import Estimate
from rocspace.results.estimates import AreaEstimate

CONSTANT = 0.5, np.inf
CHOICES = ((0.0, 1.0), *product((1.0, 1.25, 1.5), (16.0, 32.0)), (2.0, 32.0), CONSTANT)
NAMES = tuple(
    "1.5, whatever z" if (shared, reach) == CONSTANT else f"1 + {shared:g} exp(-z^2 / {reach:g})"
    for shared, reach in CHOICES
)
LEARNERS = (
    ("best of 30 features", best_feature, 30),
    ("nearest centroid of 20", centroid, 20),
    ("ridge of 40", ridge, 40),
)
SIZES = ((30, 30, 6), (40, 40, 10), (60, 20, 4))


def validation() -> Iterator[Cell]:
    for (name, fit, features), signal, size in product(LEARNERS, (0.0, 0.7), SIZES):
        yield fold_cell(name, fit, features, "validation", signal, *size)


def wider(apart: AreaEstimate, shared: float, reach: float) -> Estimate:
    z = (apart.value - 0.5) / apart.se if apart.se > 0 else np.inf
    more = (1 + shared * np.exp(-z * z / reach)) ** 0.5
    return replace(apart, se=more * apart.se, model_se=more * apart.model_se)


def situations(samples: int) -> Iterator[Situation]:
    cells = [("development", cell) for cell in folds()]
    cells += [("validation", cell) for cell in validation()]
    for number, (role, cell) in enumerate(cells):
        rng = np.random.default_rng([SEED, 90, number])
        found = np.empty((samples, len(CHOICES), 2))
        for i in range(samples):
            tables, truth = cell.draw(rng)
            apart = cv_auc_estimate(tables, method="pooled")
            assert isinstance(apart, AreaEstimate)
            for j, choice in enumerate(CHOICES):
                interval = wider(apart, *choice).interval(LEVEL, scale="moderated")
                found[i, j] = truth in interval, interval.width
        cover, width = found.mean(axis=0).T
        yield Situation(role, f"{cell.situation}, {cell.size}", cover, width / width[0])


if __name__ == "__main__":
    main(__doc__, "dependent_folds", NAMES, situations, samples=1000)
