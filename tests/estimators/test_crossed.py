"""Classifiers that learn from held-out scores: the numbers of the functions, by another way."""

import pickle
from typing import Any

import joblib
import numpy as np
import pytest
import sklearn
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    cross_val_predict,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import rocspace as rs
from held_out import WEIGHT, X, Y
from rocspace.estimators import (
    BinningCalibrator,
    CostMatrixClassifier,
    IsotonicCalibrator,
    LowerBoundRefit,
    MixtureClassifier,
    PlattCalibrator,
    ThresholdClassifier,
    crossed,
)

# --- inside scikit-learn --------------------------------------------------------------------------

ALL = [
    ThresholdClassifier(GaussianNB(), cv=2),
    MixtureClassifier(GaussianNB(), fpr=0.2, cv=2),
    IsotonicCalibrator(GaussianNB(), cv=2),
    PlattCalibrator(GaussianNB(), cv=2),
    BinningCalibrator(GaussianNB(), cv=2),
    CostMatrixClassifier(GaussianNB(), rule="largest", cv=2),
]


@pytest.mark.parametrize("model", ALL, ids=lambda model: type(model).__name__)
def test_in_pipelines_searches_copies_and_pickles(model: Any) -> None:
    pipe = make_pipeline(StandardScaler(), clone(model))
    grid = {f"{pipe.steps[1][0]}__estimator__var_smoothing": [1e-9, 1e-2]}
    search = GridSearchCV(pipe, grid, cv=2, scoring=rs.estimators.scorer("matthews")).fit(X, Y)
    again = pickle.loads(pickle.dumps(search))
    assert (again.predict(X) == search.predict(X)).all()
    assert clone(model).get_params().keys() == model.get_params().keys()


@pytest.mark.parametrize("model", ALL, ids=lambda model: type(model).__name__)
def test_workers_and_routed_weights_give_the_same(model: Any) -> None:
    one = clone(model).fit(X, Y, sample_weight=WEIGHT)
    with joblib.parallel_config(backend="threading"):
        two = clone(model).set_params(n_jobs=2).fit(X, Y, sample_weight=WEIGHT)
    with sklearn.config_context(enable_metadata_routing=True):
        inner = GaussianNB().set_fit_request(sample_weight=True)
        routed = clone(model).set_params(estimator=inner).set_fit_request(sample_weight=True)
        routed.fit(X, Y, sample_weight=WEIGHT)
        with pytest.raises(ValueError, match="sample_weight"):  # which nobody asked for
            clone(model).fit(X, Y, sample_weight=WEIGHT)
    for other in (two, routed):
        assert (other.predict(X) == one.predict(X)).all()
        assert np.array_equal(other.predict_proba(X), one.predict_proba(X))
    unweighted = clone(model).fit(X, Y).predict_proba(X)
    assert not np.array_equal(unweighted, one.predict_proba(X))


@pytest.mark.slow
def test_two_processes_give_the_same() -> None:
    one, two = (
        ThresholdClassifier(GaussianNB(), cv=3, n_jobs=n).fit(X, Y).table_ for n in (None, 2)
    )
    assert one == two
    way = rs.estimators.scorer("auc")
    found = cross_validate(ALL[0], X, Y, cv=2, n_jobs=2, scoring=way)
    wanted = cross_validate(ALL[0], X, Y, cv=2, scoring="roc_auc")
    assert found["test_score"].tolist() == pytest.approx(wanted["test_score"].tolist())
    grid = {"estimator__var_smoothing": [1e-9, 1e-2]}
    by_two, by_one = (
        GridSearchCV(ALL[0], grid, cv=2, n_jobs=n, scoring=way, refit=LowerBoundRefit()).fit(X, Y)
        for n in (2, None)
    )
    assert by_two.best_index_ == by_one.best_index_
    names = [f"split{i}_test_score" for i in (0, 1)]
    assert [[*by_two.cv_results_[n]] for n in names] == [[*by_one.cv_results_[n]] for n in names]


def test_metadata_are_routed() -> None:
    groups = np.arange(300) // 10
    with sklearn.config_context(enable_metadata_routing=True):
        inner = GaussianNB().set_fit_request(sample_weight=True)
        model = ThresholdClassifier(inner, cv=GroupKFold(3)).set_fit_request(sample_weight=True)
        found = model.fit(X, Y, sample_weight=WEIGHT, groups=groups)
        splits = list(GroupKFold(3).split(X, Y, groups))
        p = cross_val_predict(
            inner, X, Y, cv=splits, method="predict_proba", params={"sample_weight": WEIGHT}
        )[:, 1]
        assert found.table_ == rs.tabulate(Y, p, sample_weight=WEIGHT)
        model.set_score_request(sample_weight=False)
        search = GridSearchCV(model, {"criterion": ["youden", "f1"]}, cv=GroupKFold(2))
        assert search.fit(X, Y, sample_weight=WEIGHT, groups=groups).best_score_ > 0.5


# --- parts ----------------------------------------------------------------------------------------


def test_parameters_for_each_case_are_taken_by_rows() -> None:
    rows = np.array([2, 0])
    given = {
        "weight": np.array([1.0, 2, 3]),
        "names": ["a", "b", "c"],
        "other": [1, 2],
        "word": "abc",
        "table": {"x": 1, "y": 2, "z": 3},
        "rate": 0.1,
    }
    found = crossed.of_rows(given, rows, 3)
    assert found.pop("weight").tolist() == [3, 1]
    assert found.pop("names").tolist() == ["c", "a"]
    assert found == {name: given[name] for name in found}


def test_weights_are_one_for_each_case() -> None:
    assert crossed.checked_weight(None, 3) is None
    found = crossed.checked_weight([1, 0, 2], 3)
    assert found is not None
    assert found.tolist() == [1, 0, 2]
    for wrong, says in (([1, 2], "3"), ([[1], [2], [3]], "1D array"), ([1, -1, 1], "negative")):
        with pytest.raises(ValueError, match=says):
            crossed.checked_weight(wrong, 3)


def test_labels_are_classes() -> None:
    assert crossed.checked_labels(["b", "a", "b"]).tolist() == ["b", "a", "b"]
    for wrong, says in (
        (None, "requires y"),
        ([0.1, 0.2, 0.3], "Unknown label type"),
        ([0, np.nan, 1], "NaN"),
    ):
        with pytest.raises(ValueError, match=says):
            crossed.checked_labels(wrong)


def test_each_case_is_scored_by_a_model_that_did_not_see_it() -> None:
    """Of a model that remembers: the share of positives among its training cases as bad as it."""

    class Memory(ClassifierMixin, BaseEstimator):
        def fit(self, x: Any, y: Any) -> Any:
            self.classes_, self.seen_ = np.unique(y), x[:, 0].copy()
            return self

        def decision_function(self, x: Any) -> Any:
            return np.isin(x[:, 0], self.seen_).astype(float)

    assert np.unique(X[:, 0]).size == 300
    model = ThresholdClassifier(Memory(), cv=4).fit(X, Y)
    assert model.table_.score.tolist() == [0]  # nobody was seen
    assert model.estimator_.decision_function(X).min() == 1  # of all cases everybody is
    again = ThresholdClassifier(model.estimator_, cv="prefit").fit(X, Y)
    assert again.table_.score.tolist() == [1]


def test_others_are_all_folds_but_one() -> None:
    tables = [rs.tabulate([1, 0], [i, i + 1]) for i in range(3)]
    assert crossed.others(tables, 1) == rs.merge(tables[0], tables[2])


def test_names_of_other_libraries_are_answered() -> None:
    model = ThresholdClassifier(GaussianNB(), cv=2).fit(X, Y)
    with pytest.raises(AttributeError, match=r"no attribute 'best_threshold_'\. Use threshold_"):
        _ = model.best_threshold_
    with pytest.raises(AttributeError, match=r"no attribute 'thresholds'$"):
        _ = model.thresholds


@pytest.mark.parametrize(
    ("weight", "label", "says"),
    [
        (np.where(Y == 1, 0.0, 1.0), Y, "Every weight of the class 1 is zero"),
        (None, np.zeros(300, dtype=int), "one class only, 0"),
    ],
)
def test_classes_need_cases_with_weight(weight: Any, label: Any, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        ThresholdClassifier(GaussianNB(), cv=2).fit(X, label, sample_weight=weight)


def test_a_fold_that_lacks_one_of_several_classes_is_told() -> None:
    label = np.where(np.arange(300) < 4, 2, Y)
    splits = [(np.arange(4, 300), np.arange(4)), (np.arange(150), np.arange(150, 300))]
    with pytest.raises(ValueError, match="A fold lacks a class"):
        CostMatrixClassifier(GaussianNB(), cv=splits).fit(X, label)
