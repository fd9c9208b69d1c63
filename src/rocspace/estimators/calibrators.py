"""Classifiers with calibrated probabilities, learned from the scores of held-out cases."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Literal

import numpy as np

from rocspace._base.arrays import Array, Vector
from rocspace.averaging.folds import Response
from rocspace.calibrate.leaves import Smoothing
from rocspace.calibrate.probabilities import (
    BinnedCalibration,
    IsotonicCalibration,
    PlattCalibration,
    fit_binning,
    fit_isotonic,
    fit_platt,
)
from rocspace.counts.table import ScoreTable, merge
from rocspace.estimators.crossed import CrossedClassifier, Folds, HeldOut


class _Calibrator(CrossedClassifier):
    """Base of the three: a calibration between the score of the classifier and its probability."""

    def _learn(self, held: HeldOut, y: Array, weight: Vector | None) -> None:
        self.table_ = merge(*self._tables(held, y, weight))
        self.calibration_ = self._calibration(self.table_)

    @abstractmethod
    def _calibration(self, table: ScoreTable) -> Any:
        """Fit the calibration to held-out scores."""

    def _calibrated(self, score: Array) -> Vector:
        return np.asarray(self.calibration_.predict(score))

    def predict_proba(self, X: Any) -> Vector:
        """Return calibrated probabilities.

        Parameters
        ----------
        X : array, sparse matrix, data frame or list, n rows
            Features.

        Returns
        -------
        ndarray of float64, shape (n, 2)
            A column for each of ``classes_``; rows sum to 1.

        Raises
        ------
        NotFittedError
            If it was not fitted.
        """
        p = self._calibrated(self._score(X))
        both = (1 - p, p) if self._positive == self.classes_[1] else (p, 1 - p)
        return np.stack(both, axis=1)

    def predict(self, X: Any) -> Array:
        """Assign each case to the more probable class.

        Parameters
        ----------
        X : array, sparse matrix, data frame or list, n rows
            Features.

        Returns
        -------
        ndarray, shape (n,)
            Labels; the first class where both probabilities are equal.

        Raises
        ------
        NotFittedError
            If it was not fitted.
        """
        called = self.predict_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[called])


class IsotonicCalibrator(_Calibrator):
    """A classifier whose probabilities are calibrated by isotonic regression.

    Parameters
    ----------
    estimator : classifier
        With ``predict_proba`` or ``decision_function``; two classes.
    smoothing : {"none", "laplace"}, default "none"
        As for `rocspace.calibrate.fit_isotonic`.
    clip : float, default 0
        Probabilities are kept inside [clip, 1 - clip].
    interpolation : {"step", "linear"}, default "step"
        Between training scores; "linear" keeps more scores apart.
    cv, response_method, pos_label, n_jobs
        As for `ThresholdClassifier`.

    Attributes
    ----------
    estimator_ : classifier
        Fitted to all cases.
    classes_ : ndarray
        Labels of both classes.
    table_ : ScoreTable
        Held-out scores of all cases.
    calibration_ : IsotonicCalibration
        From held-out scores to probabilities.

    See Also
    --------
    rocspace.calibrate.fit_isotonic, PlattCalibrator, BinningCalibrator

    Notes
    -----
    This does what scikit-learn's ``CalibratedClassifierCV(method="isotonic", ensemble=False)``
    does, which interpolates. Cases of one step are tied: the ROC curve of the new probabilities on
    the held-out cases is the convex hull of the old one.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> IsotonicCalibrator(GaussianNB(), cv=3).fit(X, y).calibration_
    IsotonicCalibration(11 blocks)
    """

    def __init__(
        self,
        estimator: Any,
        *,
        smoothing: Literal["none", "laplace"] = "none",
        clip: float = 0.0,
        interpolation: Literal["step", "linear"] = "step",
        cv: Folds = None,
        response_method: Response = "auto",
        pos_label: object = None,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.smoothing = smoothing
        self.clip = clip
        self.interpolation = interpolation
        self.cv = cv
        self.response_method = response_method
        self.pos_label = pos_label
        self.n_jobs = n_jobs

    def _calibration(self, table: ScoreTable) -> IsotonicCalibration:
        return fit_isotonic(table, smoothing=self.smoothing, clip=self.clip)

    def _calibrated(self, score: Array) -> Vector:
        return np.asarray(self.calibration_.predict(score, interpolation=self.interpolation))


class PlattCalibrator(_Calibrator):
    """A classifier whose probabilities are calibrated by Platt's logistic curve.

    Parameters
    ----------
    estimator : classifier
        With ``predict_proba`` or ``decision_function``; two classes.
    cv, pos_label, n_jobs
        As for `ThresholdClassifier`.
    response_method : {"auto", "predict_proba", "decision_function"}, default "decision_function"
        Which scores to calibrate. The curve suits scores without bounds; "auto" takes
        probabilities.

    Attributes
    ----------
    estimator_ : classifier
        Fitted to all cases.
    classes_ : ndarray
        Labels of both classes.
    table_ : ScoreTable
        Held-out scores of all cases.
    calibration_ : PlattCalibration
        From held-out scores to probabilities.

    See Also
    --------
    rocspace.calibrate.fit_platt, IsotonicCalibrator, BinningCalibrator

    Notes
    -----
    This does what scikit-learn's ``CalibratedClassifierCV(method="sigmoid", ensemble=False)`` does.
    For a classifier without a decision function the scores are its probabilities.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = PlattCalibrator(LinearDiscriminantAnalysis(), cv=3).fit(X, y)
    >>> round(model.calibration_.slope, 2)
    0.73
    """

    def __init__(
        self,
        estimator: Any,
        *,
        cv: Folds = None,
        response_method: Response = "decision_function",
        pos_label: object = None,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.cv = cv
        self.response_method = response_method
        self.pos_label = pos_label
        self.n_jobs = n_jobs

    @property
    def _response(self) -> Response:
        lacks = not hasattr(getattr(self, "estimator_", self.estimator), "decision_function")
        return "auto" if lacks else self.response_method

    def _calibration(self, table: ScoreTable) -> PlattCalibration:
        return fit_platt(table)


class BinningCalibrator(_Calibrator):
    """A classifier whose probabilities are the shares of positives in bins of its score.

    Parameters
    ----------
    estimator : classifier
        With ``predict_proba`` or ``decision_function``; two classes.
    bins : int, default 10
        Largest number of bins.
    width : {"frequency", "score"}, default "frequency"
        Bins with equal numbers of cases, or with equal ranges of scores.
    smoothing : {"none", "laplace", "m"}, default "none"
        As for `rocspace.calibrate.fit_binning`.
    cv, response_method, pos_label, n_jobs
        As for `ThresholdClassifier`.

    Attributes
    ----------
    estimator_ : classifier
        Fitted to all cases.
    classes_ : ndarray
        Labels of both classes.
    table_ : ScoreTable
        Held-out scores of all cases.
    calibration_ : BinnedCalibration
        From held-out scores to probabilities.

    See Also
    --------
    rocspace.calibrate.fit_binning, IsotonicCalibrator, PlattCalibrator

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> BinningCalibrator(GaussianNB(), bins=5, cv=3).fit(X, y).calibration_
    BinnedCalibration(5 bins)
    """

    def __init__(
        self,
        estimator: Any,
        *,
        bins: int = 10,
        width: Literal["frequency", "score"] = "frequency",
        smoothing: Smoothing = "none",
        cv: Folds = None,
        response_method: Response = "auto",
        pos_label: object = None,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.bins = bins
        self.width = width
        self.smoothing = smoothing
        self.cv = cv
        self.response_method = response_method
        self.pos_label = pos_label
        self.n_jobs = n_jobs

    def _calibration(self, table: ScoreTable) -> BinnedCalibration:
        return fit_binning(table, bins=self.bins, width=self.width, smoothing=self.smoothing)
