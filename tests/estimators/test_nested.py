"""Nested cross-validation of several models: by its definition, fold by fold."""

from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_classification
from sklearn.model_selection import (
    ShuffleSplit,
    StratifiedKFold,
)

from rocspace import averaging
from rocspace.estimators import compare_estimators
from rocspace.estimators.nested import NestedAreas, _left_out, _partitions
from rocspace.results.estimates import AreaEstimate
from slow.estimators import nested_difference

X, Y = make_classification(120, 6, flip_y=0.2, random_state=3)


CV = StratifiedKFold(4, shuffle=True, random_state=1)


class Centroid(ClassifierMixin, BaseEstimator):
    """Project on the line between the means of some columns: fast, and fitted by one formula."""

    def __init__(self, columns: tuple[int, ...] = (0, 1)) -> None:
        self.columns = columns

    def fit(self, x: Any, y: Any) -> "Centroid":
        self.classes_ = np.unique(y)
        one, two = (x[y == c][:, self.columns].mean(axis=0) for c in self.classes_)
        self.line_ = two - one
        return self

    def decision_function(self, x: Any) -> Any:
        return x[:, self.columns] @ self.line_


def test_nested_cross_validation_by_its_definition() -> None:
    """Equation by equation, with areas by counting pairs, for one partition into four folds."""
    models = {"a": Centroid((0, 1)), "b": Centroid((2, 3, 4))}
    found = compare_estimators(models, X, Y, cv=CV, method="nested")
    tests = [test for _, test in CV.split(X, Y)]
    areas, value, variance = nested_difference(list(models.values()), X, Y, tests)
    difference = found.pair("a", "b").difference
    assert difference.value == pytest.approx(value)
    assert difference.se == pytest.approx(variance**0.5)
    assert difference.method == "nested cross-validation"
    assert found.scores == pytest.approx(areas)
    low, high = difference.interval(1 - found.pairs[0].test.pvalue)  # test and interval agree
    assert min(abs(low), abs(high)) == pytest.approx(0, abs=1e-9)


def test_nested_estimates_of_single_models_are_those_of_averaging() -> None:
    """The same folds, in the same order, as `nested_cv_auc_estimate` draws them from its seed."""
    rng = np.random.default_rng(5)
    splits = []
    for _ in range(2):
        fold = np.empty(Y.size, dtype=int)
        for own in (Y == 1, Y == 0):
            fold[own] = rng.permutation(int(own.sum())) % 3
        splits += [(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(3)]
    wanted = averaging.nested_cv_auc_estimate(
        Centroid(), X, Y, n_folds=3, n_partitions=2, rng=np.random.default_rng(5)
    )
    models = {"a": Centroid(), "b": Centroid((1, 2)), "c": Centroid((0, 5))}
    found = compare_estimators(models, X, Y, cv=splits, method="nested")
    assert found.estimate("a").value == pytest.approx(wanted.value)
    assert found.estimate("a").se == pytest.approx(wanted.se)
    two = compare_estimators(dict(list(models.items())[:2]), X, Y, cv=splits, method="nested")
    assert two.pairs[0].difference == found.pairs[0].difference
    contrast = np.array([1, -1])
    assert contrast @ two.covariance @ contrast == pytest.approx(two.pairs[0].difference.se ** 2)
    assert np.linalg.eigvalsh(found.covariance).min() > -1e-12


def test_nested_with_weights_of_one_is_without() -> None:
    models = {"a": Centroid(), "b": Centroid((1, 2))}
    plain, ones = (
        compare_estimators(models, X, Y, cv=CV, method="nested", sample_weight=weight)
        for weight in (None, np.ones(len(Y)))
    )
    assert ones.scores == pytest.approx(plain.scores)
    assert ones.pairs[0].difference.se == pytest.approx(plain.pairs[0].difference.se)


def test_what_nested_cross_validation_refuses() -> None:
    models = {"a": Centroid(), "b": Centroid((1, 2))}
    for cv in (2, ShuffleSplit(4, random_state=0), [*CV.split(X, Y)][:3]):
        with pytest.raises(ValueError, match="three or more folds that test each case once"):
            compare_estimators(models, X, Y, cv=cv, method="nested")
    with pytest.raises(ValueError, match="for measure=\"auc\", and not for 'accuracy'"):
        compare_estimators(models, X, Y, method="nested", measure="accuracy")
    rare = np.arange(len(Y)) < 4
    with pytest.raises(ValueError, match="one case of a class"):
        compare_estimators(models, X, rare, cv=4, method="nested")


# --- parts ----------------------------------------------------------------------------------------


def test_splits_are_grouped_into_partitions() -> None:
    folds = [(np.delete(np.arange(6), each), np.array(each)) for each in ([0, 1], [2, 3], [4, 5])]
    assert [len(each) for each in _partitions(folds, 6)] == [3]
    assert [len(each) for each in _partitions([*folds, *folds[::-1]], 6)] == [3, 3]
    uneven = [(np.arange(4), np.array([i])) for i in range(6)]
    for wrong in (folds[:2], [*folds, folds[0]], [*folds, *uneven], [*folds[:2], folds[0]]):
        with pytest.raises(ValueError, match="three or more folds that test each case once"):
            _partitions(wrong, 6)


def test_each_two_folds_are_left_out_together() -> None:
    folds = [(np.delete(np.arange(6), each), np.array(each)) for each in ([0, 1], [2, 3], [4, 5])]
    found = _left_out(folds)
    assert [train.tolist() for train, _ in found[:3]] == [f[0].tolist() for f in folds]
    left = [(train.tolist(), [t.tolist() for t in tests]) for train, tests in found[3:]]
    assert left == [
        ([4, 5], [[2, 3], [0, 1]]),
        ([2, 3], [[4, 5], [0, 1]]),
        ([0, 1], [[4, 5], [2, 3]]),
    ]


def made(gaps: Any, naive: Any, value: tuple[float, ...] = (0.8, 0.7)) -> NestedAreas:
    estimates = [
        AreaEstimate(value=v, se=0.1 + i / 10, method="x", n_pairs=20.0 - i, df=9.0 - i)
        for i, v in enumerate(value)
    ]
    return NestedAreas(np.zeros((3, 2)), np.array(gaps), np.array(naive), 3, estimates)


def test_the_variance_of_a_contrast_by_hand() -> None:
    gaps = [[0.1, 0.0], [-0.2, 0.0], [0.3, 0.1]]
    found = made(gaps, [[0.004, 0.001], [0.001, 0.003]])
    # Gaps of the difference .1, -.2, .2: mean square .03; naive .004 + .003 - .002 = .005.
    assert found.variance(np.array([1, -1])) == pytest.approx(2 / 3 * (0.03 - 3 * 0.005))
    gain = found.difference(0, 1)
    assert gain.value == pytest.approx(0.1)
    assert gain.se**2 == pytest.approx(0.01)
    assert gain.correlation == pytest.approx(0.001 / 0.000012**0.5)
    assert (gain.df, gain.n_pairs) == (8, 19)
    # Never below what the folds alone leave, nor above that of three times as few cases.
    calm, wild = made(np.zeros((3, 2)), found.naive), made(np.ones((3, 2)) * [1, 0], found.naive)
    assert calm.variance(np.array([1, -1])) == pytest.approx(0.005)
    assert wild.variance(np.array([1, -1])) == pytest.approx(0.015)


def test_a_covariance_has_the_variances_of_its_differences() -> None:
    found = made([[0.1, 0.0], [-0.2, 0.0], [0.3, 0.1]], [[0.004, 0.001], [0.001, 0.003]])
    covariance = found.covariance()
    np.testing.assert_allclose(np.diag(covariance), [0.01, 0.04])
    gap = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    assert gap == pytest.approx(found.variance(np.array([1, -1])))
