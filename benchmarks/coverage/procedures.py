"""Learning procedures compared on the same folds: what is claimed of the procedures themselves.

Features are Normal, and those of each block tell the classes apart equally well, so that two
procedures that learn alike from different blocks are equally good. The truth is the mean area of
the models that a procedure learns from training sets of that size.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr
from sklearn.base import BaseEstimator, ClassifierMixin

from benchmarks.coverage.cells import Cell, Read, held, interval_of, rejected, sizes_of
from benchmarks.coverage.learners import Fit, best_feature, centroid, ridge
from benchmarks.coverage.ledger import LEVEL, SEED
from rocspace.estimators import EstimatorComparison, compare_estimators

AREA = "wide: compare_estimators, area"
DIFFERENCE = "wide: compare_estimators, difference"
TEST = "wide: size of the test of compare_estimators"
DEFAULT = "default"
BLOCK = 4  # features
TRAINED = 20_000  # training sets whose mean area is the truth
FOLDS = 5  # the default of `compare_estimators`
LEARNERS: dict[str, Fit] = {"best feature": best_feature, "centroid": centroid, "ridge": ridge}

Floats = NDArray[np.float64]
Labels = NDArray[np.bool_]


class Learner(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Learns a direction from one block of features."""

    def __init__(self, how: str = "centroid", block: int = 0) -> None:
        self.how, self.block = how, block

    def part(self, x: Floats) -> Floats:
        return x[:, self.block * BLOCK : (self.block + 1) * BLOCK]

    def fit(self, x: Floats, y: Labels) -> Learner:
        self.weight_ = LEARNERS[self.how](self.part(x), y.astype(bool))
        self.classes_ = np.array([False, True])
        return self

    def decision_function(self, x: Floats) -> Floats:
        return self.part(x) @ self.weight_


class Question(NamedTuple):
    """Two ways of learning, by how much each feature shifts, and the sizes of the classes."""

    first: str
    second: str
    shift: float
    n_pos: int
    n_neg: int

    @property
    def name(self) -> str:
        other = "itself, of other features" if self.first == self.second else self.second
        return f"{self.first} against {other}, shift {self.shift:g}"

    def draw(self, rng: np.random.Generator) -> tuple[Floats, Labels]:
        label = np.repeat([True, False], [self.n_pos, self.n_neg])
        x = rng.normal(size=(label.size, 2 * BLOCK))
        x[label] += self.shift
        return x, label


QUESTIONS = (
    Question("centroid", "centroid", 0.3, 30, 30),
    Question("centroid", "centroid", 1, 20, 200),
    Question("best feature", "best feature", 0, 50, 50),
    Question("best feature", "best feature", 0.5, 100, 100),
    Question("ridge", "ridge", 0.5, 15, 15),
    Question("centroid", "best feature", 0.5, 50, 50),
)


@cache
def mean_area(how: str, shift: float, n_pos: int, n_neg: int) -> float:
    """Return the mean area of models from training sets of a size."""
    rng = np.random.default_rng([SEED, n_pos, n_neg])
    label = np.repeat([True, False], [n_pos, n_neg])
    areas = []
    for _ in range(TRAINED):
        x = rng.normal(size=(label.size, BLOCK))
        x[label] += shift
        weight = LEARNERS[how](x, label)
        areas.append(ndtr(shift * weight.sum() / np.sqrt(2 * weight @ weight)))
    return float(np.mean(areas))


def cells() -> tuple[Cell, ...]:
    return tuple(
        Cell(
            each.name,
            sizes_of(each.n_pos, each.n_neg),
            each.draw,
            partial(read, each),
            role="validation" if number % 3 == 1 else "development",
        )
        for number, each in enumerate(QUESTIONS)
    )


def read(
    asked: Question, sample: tuple[Floats, Labels], rng: np.random.Generator
) -> Iterator[Read]:
    found = compared(asked, sample, int(rng.integers(2**31)))
    truths = [
        mean_area(
            how, asked.shift, asked.n_pos - asked.n_pos // FOLDS, asked.n_neg - asked.n_neg // FOLDS
        )
        for how in (asked.first, asked.second)
    ]
    yield from held(AREA, DEFAULT, partial(interval_of, found.estimate("first")), truths[0])
    pair = found.pair("first", "second")
    yield from held(
        DIFFERENCE, DEFAULT, partial(pair.difference.interval, LEVEL), truths[0] - truths[1]
    )
    if asked.first == asked.second:
        yield from rejected(TEST, DEFAULT, lambda: float(pair.test.pvalue))


def compared(asked: Question, sample: tuple[Floats, Labels], seed: int) -> EstimatorComparison:
    x, label = sample
    both: dict[str, Any] = {"first": Learner(asked.first, 0), "second": Learner(asked.second, 1)}
    return compare_estimators(both, x, label, rng=seed)
