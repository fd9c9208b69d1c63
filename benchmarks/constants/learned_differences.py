"""How many degrees of freedom has the difference of two procedures over repeated folds?

`rocspace.estimators.compare_estimators` compares learning procedures on the same folds, with the
corrected variance of Nadeau and Bengio. Repeats test the same cases again, so that the number of
splits minus one is too many degrees of freedom. This program draws samples on which two naive Bayes
classifiers of different features learn equally well, and prints how often each choice rejects at
.05.

    python -m benchmarks.constants.learned_differences               # 200 samples of each size
    python -m benchmarks.constants.learned_differences 50 100 300    # 50 samples, 100 and 300 cases
"""

from __future__ import annotations

import sys

import numpy as np
from scipy import stats
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from rocspace.estimators import compare_estimators

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
        found["plain t"].append(stats.ttest_1samp(scores, 0).pvalue < 0.05)
    return {name: 100 * float(np.mean(values)) for name, values in found.items()}


def main() -> None:
    samples, *sizes = map(int, sys.argv[1:] or ["200", "40", "100", "300"])
    for n_cases in sizes:
        words = ", ".join(
            f"{name} {share:.1f}" for name, share in rejected(n_cases, samples).items()
        )
        print(f"{n_cases} cases, {samples} samples, percent rejected: {words}")


if __name__ == "__main__":
    main()
