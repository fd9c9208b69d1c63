"""scikit-learn's own checks, of each classifier of the room."""

from typing import Any

from sklearn.linear_model import RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.utils.estimator_checks import parametrize_with_checks

from rocspace.estimators import (
    BinningCalibrator,
    CostMatrixClassifier,
    IsotonicCalibrator,
    MixtureClassifier,
    PlattCalibrator,
    ThresholdClassifier,
)

ESTIMATORS = [
    ThresholdClassifier(GaussianNB(), cv=2),
    MixtureClassifier(GaussianNB(), fpr=0.1, cv=2),
    IsotonicCalibrator(GaussianNB(), cv=2),
    PlattCalibrator(RidgeClassifier(solver="cholesky"), cv=2),
    BinningCalibrator(GaussianNB(), bins=4, cv=2),
    CostMatrixClassifier(GaussianNB(), cv=2),
]

DECIDING = (ThresholdClassifier, MixtureClassifier)
OWN = "it decides by a threshold of its own, not by the largest probability"


def exempt(estimator: Any) -> dict[str, str]:
    return {"check_classifiers_train": OWN} if type(estimator) in DECIDING else {}


@parametrize_with_checks(ESTIMATORS, expected_failed_checks=exempt)
def test_a_classifier_passes(estimator: Any, check: Any) -> None:
    check(estimator)
