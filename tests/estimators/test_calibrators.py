"""Classifiers with calibrated probabilities: the functions, and scikit-learn's."""

from typing import Any

import numpy as np
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.linear_model import RidgeClassifier
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB

import rocspace as rs
from held_out import FOLDS, TABLE, X, Y
from rocspace import calibrate
from rocspace.estimators import (
    BinningCalibrator,
    IsotonicCalibrator,
    PlattCalibrator,
)


def test_calibrators_are_the_functions() -> None:
    p = GaussianNB().fit(X, Y).predict_proba(X)[:, 1]
    for model, wanted in (
        (
            IsotonicCalibrator(GaussianNB(), cv=FOLDS, clip=0.01),
            calibrate.fit_isotonic(TABLE, clip=0.01),
        ),
        (BinningCalibrator(GaussianNB(), cv=FOLDS, bins=5), calibrate.fit_binning(TABLE, bins=5)),
        (PlattCalibrator(GaussianNB(), cv=FOLDS), calibrate.fit_platt(TABLE)),
    ):
        found = model.fit(X, Y)
        assert found.calibration_ == wanted
        assert np.allclose(found.predict_proba(X)[:, 1], wanted.predict(p))
        assert (found.predict(X) == (wanted.predict(p) > 0.5)).all()
        assert np.allclose(found.predict_proba(X).sum(axis=1), 1)


@pytest.mark.parametrize(
    ("ours", "method", "tolerance"),
    [
        (IsotonicCalibrator(RidgeClassifier(), cv=FOLDS, interpolation="linear"), "isotonic", 1e-9),
        (PlattCalibrator(RidgeClassifier(), cv=FOLDS), "sigmoid", 1e-3),
    ],
)
def test_scikit_learn_calibrates_alike(ours: Any, method: str, tolerance: float) -> None:
    theirs = CalibratedClassifierCV(RidgeClassifier(), method=method, cv=FOLDS, ensemble=False)
    p, q = (model.fit(X, Y).predict_proba(X)[:, 1] for model in (ours, theirs))
    assert np.abs(p - q).max() < tolerance


def test_the_other_class_can_be_positive() -> None:
    one, other = (
        IsotonicCalibrator(GaussianNB(), cv=FOLDS, pos_label=label).fit(X, Y) for label in (1, 0)
    )
    assert np.abs(one.predict_proba(X) - other.predict_proba(X)).mean() < 0.02


def test_probabilities_are_those_of_the_classes_in_order() -> None:
    """With the first class positive, its column comes first all the same."""
    model = PlattCalibrator(GaussianNB(), cv=FOLDS, pos_label=0).fit(X, Y)
    score = model.estimator_.predict_proba(X)[:, 0]
    p = model.predict_proba(X)
    np.testing.assert_allclose(p[:, 0], model.calibration_.predict(score))
    np.testing.assert_allclose(p.sum(axis=1), 1)
    assert (model.predict(X) == p.argmax(axis=1)).all()


def test_platt_reads_the_decision_function_where_there_is_one() -> None:
    score = cross_val_predict(RidgeClassifier(), X, Y, cv=FOLDS, method="decision_function")
    found = PlattCalibrator(RidgeClassifier(), cv=FOLDS).fit(X, Y)
    assert found.table_ == rs.tabulate(Y, score)
    bayes = PlattCalibrator(GaussianNB(), cv=FOLDS).fit(X, Y)
    assert bayes.table_ == TABLE  # it has probabilities alone


def test_probabilities_stay_inside_the_clip_and_linear_ones_between_steps() -> None:
    clipped = IsotonicCalibrator(GaussianNB(), cv=FOLDS, clip=0.1).fit(X, Y)
    p = clipped.predict_proba(X)
    assert (p.min(), p.max()) == (0.1, 0.9)
    linear = IsotonicCalibrator(GaussianNB(), cv=FOLDS, interpolation="linear").fit(X, Y)
    step = IsotonicCalibrator(GaussianNB(), cv=FOLDS).fit(X, Y)
    many, few = (np.unique(each.predict_proba(X)[:, 1]).size for each in (linear, step))
    assert few < many
