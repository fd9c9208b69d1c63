"""Decisions among any number of classes by the cost of each error."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocspace._base.arrays import Array, Vector
from rocspace._base.checks import check_choice
from rocspace.estimators.crossed import Folds, HeldOut, OpenClassifier
from rocspace.estimators.needed import check_is_fitted
from rocspace.multiclass.cases import MulticlassScores, multiclass_scores
from rocspace.multiclass.costs import ClassCostsLike, Priors
from rocspace.multiclass.decisions import (
    ClassDecisions,
    Rule,
    best_class_weights,
    decide_classes,
)


class CostMatrixClassifier(OpenClassifier):
    """A classifier for any number of classes that decides by the costs of errors.

    Parameters
    ----------
    estimator : classifier
        With ``predict_proba``.
    costs : CostMatrix, array-like of shape (k, k), or mapping, optional
        ``costs[i, j]``: cost of predicting class i for a case of class j, in the order of
        ``classes_``, or by name, ``costs[called][true]``; by default each error costs 1.
    rule : {"expected cost", "largest"}, default "expected cost"
        "expected cost": the class whose cost is least if probabilities are right. "largest": the
        class with the largest weighted probability, with the weights that cost least on held-out
        cases; the probabilities need not be right.
    priors : mapping of labels to float, optional
        Shares of the classes where decisions will be used, by which costs are weighted; by default
        those of the data.
    cv : int, splitter, iterable or "prefit", optional
        As for `ThresholdClassifier`.
    n_jobs : int, optional
        Processes that fit folds.

    Attributes
    ----------
    estimator_ : classifier
        Fitted to all cases.
    classes_ : ndarray
        Labels of the classes.
    decisions_ : ClassDecisions
        The rule, its weights, and what it does to held-out cases.
    apparent_ : float
        Expected cost per case at these decisions, on the cases that chose the weights.
    cross_fitted_ : float
        Expected cost where each fold is decided by the weights that the other folds choose: what to
        expect on other cases. nan with one fold, or where other folds lack a class.
    optimism_ : float
        ``apparent_ - cross_fitted_``: negative where weights were chosen, 0 by "expected cost".

    See Also
    --------
    rocspace.multiclass.decide_classes, rocspace.multiclass.best_class_weights, ThresholdClassifier

    Notes
    -----
    To use probabilities among other shares of the classes, weight them by the new share over the
    old: `priors` changes what costs are weighted by, not the probabilities. `sample_weight` counts
    held-out cases, as everywhere.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> costs = [[0, 1, 10], [1, 0, 10], [1, 1, 0]]  # missing class 2 costs 10
    >>> model = CostMatrixClassifier(GaussianNB(), costs=costs).fit(X, y)
    >>> model.decisions_.counts
    array([[50,  0,  0],
           [ 0, 40, 10],
           [ 0,  2, 48]])
    """

    _binary = False

    def __init__(
        self,
        estimator: Any,
        *,
        costs: ClassCostsLike | None = None,
        rule: Rule = "expected cost",
        priors: Priors | None = None,
        cv: Folds = None,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.costs = costs
        self.rule = rule
        self.priors = priors
        self.cv = cv
        self.n_jobs = n_jobs

    def _learn(self, held: HeldOut, y: Array, weight: Vector | None) -> None:
        check_choice("rule", self.rule, Rule)
        label = y[held.rows]
        own = None if weight is None else weight[held.rows]
        data = self._cases(label, held.score, own)
        self.decisions_ = self._decided(data)
        self.apparent_ = self.decisions_.cost
        self.cross_fitted_ = self._cross_fitted(held, label, own)
        self.optimism_ = self.apparent_ - self.cross_fitted_

    def _cases(self, label: Array, score: Array, weight: Vector | None) -> MulticlassScores:
        names = self.classes_.tolist()
        return multiclass_scores(label, score, names, sample_weight=weight)

    def _decided(self, data: MulticlassScores, chosen: Vector | None = None) -> ClassDecisions:
        """Return decisions by weights that were chosen, or that these cases choose."""
        given: dict[str, Any] = {"costs": self.costs, "priors": self.priors}
        if self.rule == "expected cost":
            return decide_classes(data, **given, rule=self.rule)
        if chosen is not None:
            return decide_classes(data, **given, class_weight=chosen)
        return best_class_weights(data, **given)

    def _cross_fitted(self, held: HeldOut, label: Array, weight: Vector | None) -> float:
        """Return the cost where the weights for each fold are chosen by the other folds."""
        n_folds = int(held.fold.max()) + 1
        if n_folds < 2:
            return float("nan")
        if self.rule == "expected cost":
            return self.apparent_
        moved = np.array(held.score)
        for k in range(n_folds):
            own = held.fold == k
            rest = label[~own]
            if np.unique(rest).size < self.classes_.size:
                return float("nan")
            of_rest = None if weight is None else weight[~own]
            moved[own] *= self._decided(self._cases(rest, held.score[~own], of_rest)).class_weight
        equal = np.ones(self.classes_.size)
        return self._decided(self._cases(label, moved, weight), equal).cost

    def predict(self, X: Any) -> Array:
        """Assign each case to a class.

        Parameters
        ----------
        X : array, sparse matrix, data frame or list, n rows
            Features.

        Returns
        -------
        ndarray, shape (n,)
            Labels.

        Raises
        ------
        NotFittedError
            If it was not fitted.
        """
        check_is_fitted(self, "estimator_")
        called = self.decisions_.classify(np.asarray(self.estimator_.predict_proba(X)))
        return np.asarray(called).astype(self.classes_.dtype)
