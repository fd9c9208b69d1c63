"""How many degrees of freedom has the difference of two procedures over repeated folds?

`rocspace.estimators.compare_estimators` compares learning procedures on the same folds, with the
corrected variance of Nadeau and Bengio. Repeats test the same cases again, so that the number of
splits minus one is too many degrees of freedom. This program draws samples on which two naive Bayes
classifiers of different features learn equally well, and prints how often each choice rejects at
.05. With the word "nested" it does so for nested cross-validation, which fits models three times as
often, beside the corrected test.

    python -m benchmarks.constants.learned_differences               # 200 samples of each size
    python -m benchmarks.constants.learned_differences 50 100 300    # 50 samples, 100 and 300 cases
    python -m benchmarks.constants.learned_differences nested 50 100
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, Literal, Self

import numpy as np
from scipy import stats
from sklearn.base import BaseEstimator
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from rocspace.estimators import compare_estimators

WHAT = ("covered", "rejected", "width")
SHIFT, TELLING = 0.35, 4  # how far the positives lie, in so many of ten features
COLUMNS = {"a": [0, 1, 4, 5, 6], "b": [2, 3, 7, 8, 9]}  # two that tell, three that do not


def model(columns: list[int]) -> object:
    return make_pipeline(FunctionTransformer(lambda x: x[:, columns]), GaussianNB())


def rejected(n_cases: int, samples: int) -> dict[str, float]:
    """Share of samples in which each degrees of freedom, and a plain t test, find a difference."""
    rng = np.random.default_rng([20261123, n_cases])
    models = {name: model(columns) for name, columns in COLUMNS.items()}
    found: dict[str, list[bool]] = {"folds - 1": [], "splits - 1": [], "plain t": []}
    label = np.arange(n_cases) % 2
    for _ in range(samples):
        features = rng.normal(size=(n_cases, 10))
        features[:, :TELLING] += SHIFT * label[:, None]
        compared = compare_estimators(models, features, label, rng=rng)
        gap = compared.pairs[0].difference
        scores = compared.scores[:, 0] - compared.scores[:, 1]
        found["folds - 1"].append(compared.pairs[0].test.pvalue < 0.05)
        t = abs(gap.value) / gap.se
        found["splits - 1"].append(2 * stats.t.sf(t, scores.size - 1) < 0.05)
        found["plain t"].append(bool(stats.ttest_1samp(scores, 0).pvalue < 0.05))
    return {name: 100 * float(np.mean(values)) for name, values in found.items()}


class Centroid(BaseEstimator):
    """Project on the line between the means of some features; fast to fit."""

    def __init__(self, columns: Sequence[int] = ()) -> None:
        self.columns = columns

    def fit(self, features: Any, label: Any) -> Self:
        own = features[:, self.columns]
        self.classes_ = np.unique(label)
        self.line_ = own[label == 1].mean(axis=0) - own[label == 0].mean(axis=0)
        return self

    def decision_function(self, features: Any) -> Any:
        return features[:, self.columns] @ self.line_

    def area(self) -> float:
        """The true area of the fitted model: all features are Normal with variance 1."""
        telling = np.isin(self.columns, range(TELLING))
        gap = SHIFT * self.line_[telling].sum()
        return float(stats.norm.cdf(gap / np.sqrt(2 * (self.line_**2).sum())))


def covered(n_cases: int, samples: int) -> dict[str, float]:
    """Share of samples whose interval contains the mean true difference of the fitted models."""
    rng = np.random.default_rng([20261124, n_cases])
    models = {name: Centroid(columns) for name, columns in COLUMNS.items()}
    label = np.arange(n_cases) % 2
    ways: tuple[Literal["nested", "corrected", "nadeau-bengio"], ...] = (
        "nested",
        "corrected",
        "nadeau-bengio",
    )
    found: dict[str, list[float]] = {f"{way}, {what}": [] for way in ways for what in WHAT}
    for _ in range(samples):
        features = rng.normal(size=(n_cases, 10))
        features[:, :TELLING] += SHIFT * label[:, None]
        cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=4, random_state=int(rng.integers(2**31)))
        splits = list(cv.split(features, label))
        areas = [
            [m.fit(features[train], label[train]).area() for m in models.values()]
            for train, _ in splits
        ]
        true = np.mean([first - second for first, second in areas])
        for way in ways:
            compared = compare_estimators(models, features, label, cv=splits, method=way)
            low, high = compared.pairs[0].difference.interval(0.95)
            values = (bool(low <= true <= high), low > 0 or high < 0, high - low)
            for what, value in zip(WHAT, values, strict=True):
                found[f"{way}, {what}"].append(float(value))
    return {
        name: (1 if name.endswith("width") else 100) * float(np.mean(values))
        for name, values in found.items()
    }


def main() -> None:
    given = sys.argv[1:]
    run = covered if given[:1] == ["nested"] else rejected
    samples, *sizes = map(int, given[run is covered :] or ["200", "40", "100", "300"])
    for n_cases in sizes:
        words = ", ".join(f"{name} {share:.3g}" for name, share in run(n_cases, samples).items())
        print(f"{n_cases} cases, {samples} samples, percent: {words}")


if __name__ == "__main__":
    main()
