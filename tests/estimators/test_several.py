"""Decisions among several classes by their costs: the functions, by hand."""

from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import RidgeClassifier
from sklearn.naive_bayes import GaussianNB

from held_out import COSTS, FOLDS, HELD3, X3, Y3
from rocspace import multiclass
from rocspace.estimators import (
    CostMatrixClassifier,
)
from rocspace.estimators.crossed import HeldOut


def test_costs_decide_among_several_classes() -> None:
    model = CostMatrixClassifier(GaussianNB(), costs=COSTS, cv=FOLDS).fit(X3, Y3)
    data = multiclass.multiclass_scores(Y3, HELD3)
    wanted = multiclass.decide_classes(data, costs=COSTS, rule="expected cost")
    assert model.decisions_.counts.tolist() == wanted.counts.tolist()
    assert (model.apparent_, model.optimism_) == (wanted.cost, 0.0)
    p = GaussianNB().fit(X3, Y3).predict_proba(X3)
    assert (model.predict(X3) == (p @ np.transpose(COSTS)).argmin(axis=1)).all()


def test_weights_of_classes_are_chosen_on_held_out_cases() -> None:
    model = CostMatrixClassifier(GaussianNB(), costs=COSTS, rule="largest", cv=FOLDS).fit(X3, Y3)
    data = multiclass.multiclass_scores(Y3, HELD3)
    assert model.apparent_ == multiclass.best_class_weights(data, costs=COSTS).cost
    # By hand: each fold by the weights of the other two.
    paid = 0.0
    for _, test in FOLDS.split(X3, Y3):
        rest = np.setdiff1d(np.arange(Y3.size), test)
        chosen = multiclass.best_class_weights(
            multiclass.multiclass_scores(Y3[rest], HELD3[rest]), costs=COSTS
        )
        called = (HELD3[test] * chosen.class_weight).argmax(axis=1)
        paid += np.array(COSTS)[called, Y3[test]].sum()
    assert model.cross_fitted_ == pytest.approx(paid / Y3.size)
    assert model.optimism_ < 0


def test_classes_keep_their_names_and_costs_may_name_them() -> None:
    words = np.array(["a", "b", "c"])[Y3]
    named = {"a": {"b": 1, "c": 9}, "b": {"a": 1, "c": 9}, "c": {"a": 1, "b": 1}}
    one = CostMatrixClassifier(GaussianNB(), costs=named, cv=FOLDS).fit(X3, words)
    other = CostMatrixClassifier(GaussianNB(), costs=COSTS, cv=FOLDS).fit(X3, Y3)
    assert (one.predict(X3) == np.array(["a", "b", "c"])[other.predict(X3)]).all()
    with pytest.raises(TypeError, match="no predict_proba"):
        CostMatrixClassifier(RidgeClassifier()).fit(X3, Y3)


def held_out(fold: Any) -> tuple[CostMatrixClassifier, HeldOut, Any]:
    label = np.array([0, 1, 0, 1, 1, 0])
    p = np.array([0.2, 0.9, 0.6, 0.4, 0.7, 0.1])
    model = CostMatrixClassifier(GaussianNB(), rule="largest", costs=[[0, 1], [3, 0]])
    model.classes_ = np.array([0, 1])
    score = np.column_stack([1 - p, p])
    return model, HeldOut(np.arange(6), np.array(fold), score), label


def test_one_fold_says_nothing_of_other_cases() -> None:
    model, held, label = held_out([0] * 6)
    model._learn(held, label, None)
    assert np.isnan(model.cross_fitted_)
    # Wrong calls of class 1 cost 3, so that the threshold is above .6 and misses one positive.
    assert model.apparent_ == pytest.approx(1 / 6)


def test_weights_count_in_what_is_expected() -> None:
    model, held, label = held_out([0, 0, 0, 1, 1, 1])
    weight = np.array([1.0, 2, 1, 1, 3, 2])
    model._learn(held, label, weight)
    twice, again, _ = held_out([0, 0, 0, 1, 1, 1])
    many = np.repeat(np.arange(6), weight.astype(int))
    rows = HeldOut(np.arange(10), again.fold[many], again.score[many])
    twice._learn(rows, label[many], None)
    assert model.apparent_ == pytest.approx(twice.apparent_)
    assert model.cross_fitted_ == pytest.approx(twice.cross_fitted_)
    assert model.optimism_ == pytest.approx(model.apparent_ - model.cross_fitted_)


def test_folds_that_lack_a_class_leave_the_expectation_open() -> None:
    model, held, label = held_out([0, 1, 0, 1, 1, 0])  # by class
    model._learn(held, label, None)
    assert np.isnan(model.cross_fitted_)
    plain = CostMatrixClassifier(GaussianNB(), costs=[[0, 1], [3, 0]])
    plain.classes_ = model.classes_
    plain._learn(held, label, None)
    assert plain.cross_fitted_ == plain.apparent_  # nothing was chosen
