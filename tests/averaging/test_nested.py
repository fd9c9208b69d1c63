"""Nested cross-validation of a way of learning."""

from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from learners import by_means
from rocspace.averaging import cv_auc_estimate, fold_tables, nested_cv_auc_estimate
from rocspace.counts import SingleClassError


def literal(x, y, rng, n_folds, n_partitions):
    """Algorithm 1 of Bates, Hastie and Tibshirani as it stands, every inner model fitted anew."""
    rng = np.random.default_rng(rng)
    areas, variances, squares = [], [], []
    for _ in range(n_partitions):
        fold = np.empty(y.size, dtype=int)
        for own in (y, ~y):
            fold[own] = rng.permutation(int(own.sum())) % n_folds
        score = np.empty(y.size)
        for k in range(n_folds):
            rest = fold != k
            score[~rest] = by_means(x[rest], y[rest])(x[~rest])
            inner = []
            for j in set(range(n_folds)) - {k}:
                train, test = rest & (fold != j), fold == j
                inner.append(roc_auc_score(y[test], by_means(x[train], y[train])(x[test])))
            squares.append((np.mean(inner) - roc_auc_score(y[~rest], score[~rest])) ** 2)
        apart = cv_auc_estimate(fold_tables(y, score, fold), method="pooled")
        areas.append(apart.value)
        variances.append(apart.se**2)
    naive = np.mean(variances)
    mse = (n_folds - 1) / n_folds * max(np.mean(squares) - n_folds * naive, 0)
    return np.mean(areas), min(max(sqrt(mse), sqrt(naive)), sqrt(n_folds * naive)), sqrt(naive)


@given(
    seed=st.integers(0, 999),
    n_folds=st.integers(3, 5),
    n_partitions=st.integers(1, 3),
    shift=st.sampled_from([0.0, 0.5, 2.0]),
)
@settings(max_examples=25, deadline=None)
def test_it_is_the_algorithm(seed, n_folds, n_partitions, shift):
    rng = np.random.default_rng(seed)
    y, x = np.arange(35) < 15, rng.normal(size=(35, 4))
    x[y] += shift
    found = nested_cv_auc_estimate(
        by_means, x, y, n_folds=n_folds, n_partitions=n_partitions, rng=seed
    )
    value, se, naive = literal(x, y, seed, n_folds, n_partitions)
    assert found.value == pytest.approx(value, rel=1e-12)
    assert found.se == pytest.approx(se, rel=1e-10, abs=1e-15)
    assert naive * (1 - 1e-10) <= found.se <= sqrt(n_folds) * naive * (1 + 1e-10)
    low, high = found.interval()
    assert 0 <= low <= found.value <= high <= 1


def test_a_score_that_is_not_fitted_has_about_the_error_of_its_cases():
    rng, ratios = np.random.default_rng(2), []
    for _ in range(15):
        y = np.arange(100) < 50
        x = (y + rng.normal(size=100))[:, None]
        found = nested_cv_auc_estimate(
            lambda *_: lambda new: new[:, 0], x, y, rng=1, n_partitions=4
        )
        apart = cv_auc_estimate(fold_tables(y, x[:, 0], np.arange(100) % 5), method="pooled")
        assert found.value == pytest.approx(roc_auc_score(y, x[:, 0]), abs=0.02)
        ratios.append(found.se / apart.se)
    assert np.median(ratios) < 1.25


def test_classifiers_single_features_and_seeds():
    rng = np.random.default_rng(3)
    y = np.arange(60) % 2 == 0
    x = y + rng.normal(size=60)
    model = LogisticRegression()
    found = nested_cv_auc_estimate(model, x, y.astype(int), rng=4, n_partitions=2)
    assert not hasattr(model, "coef_")
    assert found.method == "nested cross-validation"
    assert found.value == nested_cv_auc_estimate(model, x, y, rng=4, n_partitions=2).value
    assert found.value > 0.6


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        ({"n_folds": 2}, ValueError, "n_folds is 2"),
        ({"n_partitions": 0}, ValueError, "n_partitions"),
        ({"n_folds": 9}, SingleClassError, "8 positives"),
        ({"fit": LogisticRegression}, TypeError, "not the class"),
        ({"fit": 3}, TypeError, "must be a classifier"),
        ({"y_true": np.arange(20)}, ValueError, "give booleans"),
    ],
)
def test_messages(call, kind, message):
    usual = {"fit": by_means, "features": np.ones((20, 2)), "y_true": np.arange(20) < 8}
    with pytest.raises(kind, match=message):
        nested_cv_auc_estimate(**(usual | call))
