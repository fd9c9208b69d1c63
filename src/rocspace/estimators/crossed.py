"""What the classifiers of this room share: they fit another one, and learn from held-out scores.

Each case is scored by a model that did not see it (cross-fitting), the scores are counted, and
what is learned from the counts, a threshold or a calibration, goes with the model of all cases.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self, TypeAlias

import numpy as np

from rocspace._base.arrays import Array, ArrayLike, Ints, Vector
from rocspace._base.calls import explained
from rocspace._base.cases import check_lengths, check_weights
from rocspace._base.checks import check_choice
from rocspace._base.errors import unknown_attribute
from rocspace._base.words import listed_values
from rocspace.averaging.folds import Response, rows_of, scores_of
from rocspace.counts.table import ScoreTable, merge, tabulate
from rocspace.estimators.needed import (
    BaseEstimator,
    ClassifierMixin,
    MetadataRouter,
    MetaEstimatorMixin,
    MethodMapping,
    Parallel,
    assert_all_finite,
    available_if,
    check_cv,
    check_is_fitted,
    clone,
    column_or_1d,
    delayed,
    get_config,
    get_tags,
    has_fit_parameter,
    indexable,
    process_routing,
    type_of_target,
)

Folds: TypeAlias = Any
"""Number of folds, a splitter, an iterable of splits, or "prefit"; None is five folds."""

PREFIT = "prefit"


class HeldOut(NamedTuple):
    """Scores of cases by models that did not see them."""

    rows: Ints  # which case each score belongs to; one may be tested more than once
    fold: Ints  # the split that tested it
    score: Array


def scores_of_rows(model: Any, X: Any, positive: Any, response: Response) -> Array:
    """Return a score for each case; without a positive class, a column for each class."""
    if positive is not None:
        return scores_of(model, X, positive, response)
    if not hasattr(model, "predict_proba"):
        msg = f"{type(model).__name__} has no predict_proba; decisions among classes need it."
        raise TypeError(msg)
    return np.asarray(model.predict_proba(X), dtype=np.float64)


def fit_and_score(
    model: Any, X: Any, y: Array, split: tuple[Ints, Ints], how: Mapping[str, Any]
) -> Array:
    """Fit a model to the training cases of a split, and score its test cases."""
    train, test = split
    model.fit(rows_of(X, train), y[train], **of_rows(how["fit"], train, y.size))
    if how["positive"] is None and not np.array_equal(model.classes_, np.unique(y)):
        msg = "A fold lacks a class. Use fewer folds, or folds that keep the shares of classes."
        raise ValueError(msg)
    return scores_of_rows(model, rows_of(X, test), how["positive"], how["response"])


def fit_rows(model: Any, X: Any, y: Array, weight: Vector | None, train: Ints) -> None:
    """Fit a model to the training cases, with their weights where its ``fit`` takes them."""
    routed = get_config().get("enable_metadata_routing", False)
    takes = routed or has_fit_parameter(model, "sample_weight")
    fitting = {"sample_weight": weight[train]} if weight is not None and takes else {}
    model.fit(rows_of(X, train), y[train], **fitting)


def of_rows(params: Mapping[str, Any], rows: Ints, n: int) -> dict[str, Any]:
    """Take the rows of those parameters that have a value for each case."""
    return {
        name: rows_of(np.asarray(value) if isinstance(value, list | tuple) else value, rows)
        if hasattr(value, "__len__") and not isinstance(value, str | Mapping) and len(value) == n
        else value
        for name, value in params.items()
    }


def checked_weight(sample_weight: ArrayLike | None, n: int) -> Vector | None:
    """Check one weight for each case."""
    if sample_weight is None:
        return None
    weight = np.asarray(sample_weight, dtype=np.float64)
    if weight.ndim != 1:
        msg = f"Sample weights must be 1D array or scalar, but have the shape {weight.shape}."
        raise ValueError(msg)
    check_lengths({"y": n, "sample_weight": weight.size})
    return check_weights(weight)


def checked_labels(y: Any) -> Array:
    """Return labels of classes as one array, or say what is wrong in scikit-learn's words."""
    if y is None:
        msg = "This estimator requires y to be passed, but the target y is None."
        raise ValueError(msg)
    labels = np.asarray(column_or_1d(y, warn=True))
    assert_all_finite(labels, input_name="y")
    kind = type_of_target(labels, input_name="y")
    if kind not in ("binary", "multiclass"):
        msg = f"Unknown label type: {kind}. y must hold the labels of classes."
        raise ValueError(msg)
    return labels


def _has(name: str) -> Any:
    """Tell scikit-learn whether the classifier inside has a method."""

    def check(self: Any) -> bool:
        return hasattr(getattr(self, "estimator_", self.estimator), name)

    return check


class CrossedClassifier(ClassifierMixin, MetaEstimatorMixin, BaseEstimator, ABC):
    """Base of classifiers that hold another one, and learn from scores of held-out cases.

    A subclass sets ``estimator``, ``cv``, ``n_jobs`` and, for two classes, ``pos_label`` and
    ``response_method``, and writes `_learn`.
    """

    _meant: ClassVar[Mapping[str, str]] = {
        "best_threshold_": "threshold_",
        "best_score_": "cross_fitted_, or apparent_ on the cases that chose it",
        "calibrated_classifiers_": "estimator_",
        "best_estimator_": "estimator_",
        "base_estimator": "estimator",
    }
    _binary = True
    response_method: Response = "auto"
    pos_label: object = None

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "__init__" in cls.__dict__:  # a call that does not fit is answered
            cls.__init__ = explained(cls.__init__, checked=False)  # type: ignore[method-assign]

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            meant = self._meant.get(name)
            hint = f". Use {meant}." if meant else ""
            msg = f"{type(self).__name__!r} object has no attribute {name!r}{hint}"
            raise unknown_attribute(msg, name, self)

    def fit(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, **fit_params: Any
    ) -> Self:
        """Fit the classifier, score held-out cases, and learn from these scores.

        Parameters
        ----------
        X : array, sparse matrix, data frame or list, n rows
            Features.
        y : array-like, shape (n,)
            Labels.
        sample_weight : array-like, shape (n,), optional
            Weight of each case where held-out cases are counted; also passed to the classifier if
            its ``fit`` takes weights (with metadata routing: if it requests them).
        **fit_params
            Passed to the ``fit`` of the classifier, and, with metadata routing, to the splitter.

        Returns
        -------
        object
            Itself.

        Raises
        ------
        ValueError
            If labels, weights or folds do not fit, or a class has no cases.
        """
        labels = checked_labels(y)
        X, labels = indexable(X, labels)
        weight = checked_weight(sample_weight, labels.size)
        self.classes_ = np.unique(labels)
        self._check_classes(labels, weight)
        routed = self._routed(weight, fit_params)
        held = self._hold_out(X, labels, routed)
        self._learn(held, labels, weight)
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))
        return self

    @abstractmethod
    def _learn(self, held: HeldOut, y: Array, weight: Vector | None) -> None:
        """Learn from the scores of held-out cases what the classifier adds to the model."""

    def _check_classes(self, y: Array, weight: Vector | None) -> None:
        """Refuse classes that are too many, too few, or without weight."""
        known = self.classes_
        empty = [] if weight is None else [c for c in known.tolist() if not weight[y == c].any()]
        if empty:
            msg = f"Every weight of the class {empty[0]!r} is zero; each class needs some weight."
            raise ValueError(msg)
        if known.size < 2:
            n = "no cases" if not known.size else f"one class only, {known.tolist()[0]!r}"
            msg = f"y has {n}; two classes are needed."
            raise ValueError(msg)
        if not self._binary:
            return
        if known.size > 2:
            msg = (
                "Only binary classification is supported. The type of the target is multiclass: "
                f"{listed_values(known.tolist())}. For several classes use CostMatrixClassifier."
            )
            raise ValueError(msg)
        if self.pos_label is not None and self.pos_label not in known:
            msg = f"pos_label is {self.pos_label!r}, but y has {listed_values(known.tolist())}."
            raise ValueError(msg)
        check_choice("response_method", self.response_method, Response)

    @property
    def _positive(self) -> Any:
        """The label of the positive class; None for decisions among several."""
        if not self._binary:
            return None
        return self.classes_[1] if self.pos_label is None else self.pos_label

    @property
    def _response(self) -> Response:
        """Which scores of the classifier are read."""
        return self.response_method

    def _routed(self, weight: Vector | None, params: Mapping[str, Any]) -> dict[str, Any]:
        """Return what goes to the classifier's fit, and to the splitter."""
        if get_config().get("enable_metadata_routing", False):
            given = dict(params) if weight is None else {**params, "sample_weight": weight}
            found = process_routing(self, "fit", **given)
            return {"fit": found.estimator.fit, "split": found.splitter.split}
        fit = dict(params)
        if weight is not None and has_fit_parameter(self.estimator, "sample_weight"):
            fit["sample_weight"] = weight
        return {"fit": fit, "split": {}}

    def _hold_out(self, X: Any, y: Array, routed: Mapping[str, Any]) -> HeldOut:
        """Fit the classifier to all cases, and score each by one that did not see it."""
        how = {"positive": self._positive, "response": self._response, "fit": routed["fit"]}
        if isinstance(self.cv, str):
            check_choice("cv", self.cv, (PREFIT,))
            check_is_fitted(self.estimator)
            self.estimator_ = self.estimator
            self.classes_ = np.asarray(self.estimator_.classes_)
            score = scores_of_rows(self.estimator_, X, how["positive"], how["response"])
            return HeldOut(np.arange(y.size), np.zeros(y.size, dtype=np.int64), score)
        splits = list(check_cv(self.cv, y, classifier=True).split(X, y, **routed["split"]))
        self.estimator_ = clone(self.estimator).fit(X, y, **routed["fit"])
        found = Parallel(n_jobs=self.n_jobs)(
            delayed(fit_and_score)(clone(self.estimator), X, y, split, how) for split in splits
        )
        tests = [np.asarray(test) for _, test in splits]
        fold = np.repeat(np.arange(len(tests)), [test.size for test in tests])
        return HeldOut(np.concatenate(tests), fold, np.concatenate(found))

    def _tables(self, held: HeldOut, y: Array, weight: Vector | None) -> list[ScoreTable]:
        """Count the held-out scores of each fold."""
        label = y == self._positive
        tables = []
        for k in range(int(held.fold.max()) + 1):
            at = held.fold == k
            rows = held.rows[at]
            own = None if weight is None else weight[rows]
            tables.append(tabulate(label[rows], held.score[at], sample_weight=own))
        return tables

    def _score(self, X: Any) -> Array:
        """Return the score of each case by the model of all cases."""
        check_is_fitted(self, "estimator_")
        return scores_of(self.estimator_, X, self._positive, self._response)

    def _labels(self, called: Array) -> Array:
        """Return the labels of the classes of cases that are called positive or negative."""
        other = self.classes_[self.classes_ != self._positive][0]
        return np.where(called, np.array(self._positive, dtype=self.classes_.dtype), other)

    def get_metadata_routing(self) -> Any:
        """Return which metadata goes to the classifier, and which to the splitter.

        Returns
        -------
        MetadataRouter
            scikit-learn's.
        """
        fit = MethodMapping().add(caller="fit", callee="fit")
        split = MethodMapping().add(caller="fit", callee="split")
        router = MetadataRouter(owner=self).add_self_request(self)
        router = router.add(estimator=self.estimator, method_mapping=fit)
        return router.add(splitter=self.cv, method_mapping=split)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = not self._binary
        tags.input_tags.sparse = get_tags(self.estimator).input_tags.sparse
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "estimator_")


class OpenClassifier(CrossedClassifier):
    """A classifier that decides in its own way, and shows the scores of the one inside."""

    @available_if(_has("predict_proba"))
    def predict_proba(self, X: Any) -> Vector:
        """Return the probabilities of the classes by the classifier inside.

        Parameters
        ----------
        X : array, sparse matrix, data frame or list, n rows
            Features.

        Returns
        -------
        ndarray of float64, shape (n, k)
            A column for each of ``classes_``.
        """
        check_is_fitted(self, "estimator_")
        return np.asarray(self.estimator_.predict_proba(X))

    @available_if(_has("decision_function"))
    def decision_function(self, X: Any) -> Vector:
        """Return the decision function of the classifier inside.

        Parameters
        ----------
        X : array, sparse matrix, data frame or list, n rows
            Features.

        Returns
        -------
        ndarray of float64, shape (n,)
            Larger for ``classes_[1]``.
        """
        check_is_fitted(self, "estimator_")
        return np.asarray(self.estimator_.decision_function(X))


def others(tables: list[ScoreTable], k: int) -> ScoreTable:
    """Return the counts of all folds but one."""
    return merge(*(table for i, table in enumerate(tables) if i != k))
