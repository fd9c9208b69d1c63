"""Scorers by name: the numbers of the functions, inside scikit-learn's tools."""

import pickle
from typing import Any

import numpy as np
import pytest
import sklearn
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.linear_model import LinearRegression
from sklearn.metrics import get_scorer
from sklearn.model_selection import (
    GridSearchCV,
    TunedThresholdClassifierCV,
    cross_val_score,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import rocspace as rs
from rocspace import costs, multiclass
from rocspace.estimators import Scorer, scorer, scorer_names
from rocspace.measures import MEASURES, SUMMARIES
from rocspace.operating import Constraint, optimal_points

X, Y = make_classification(200, 6, flip_y=0.2, random_state=3)
WEIGHT = np.random.default_rng(1).uniform(0.5, 2, 200)
MODEL = GaussianNB().fit(X, Y)
P = MODEL.predict_proba(X)[:, 1]
TABLE, WEIGHTED = rs.tabulate(Y, P), rs.tabulate(Y, P, sample_weight=WEIGHT)
X3, Y3 = make_classification(150, 6, n_informative=4, n_classes=3, flip_y=0.2, random_state=3)
THREE = GaussianNB().fit(X3, Y3)
DATA = multiclass.multiclass_scores(Y3, THREE.predict_proba(X3))


@pytest.mark.parametrize("name", SUMMARIES)
def test_every_summary(name: str) -> None:
    fact = SUMMARIES[name]
    sign = -1 if fact.better == "lower" else 1
    assert scorer(name)(MODEL, X, Y) == pytest.approx(sign * fact.function(TABLE), abs=1e-15)
    low, high = scorer(name).range
    assert low <= scorer(name)(MODEL, X, Y) <= high


@pytest.mark.parametrize("name", [n for n, fact in MEASURES.items() if fact.better != "neither"])
def test_every_measure_of_what_is_predicted(name: str) -> None:
    sign = -1 if MEASURES[name].better == "lower" else 1
    for weight in (None, WEIGHT):
        counts = rs.confusion_matrix(Y, MODEL.predict(X), sample_weight=weight)
        found = scorer(name)(MODEL, X, Y, sample_weight=weight)
        assert found == pytest.approx(sign * MEASURES[name].function(counts), nan_ok=True)


@pytest.mark.parametrize(
    ("name", "theirs"),
    [
        ("auc", "roc_auc"),
        ("average_precision", "average_precision"),
        ("brier_score", "neg_brier_score"),
        ("f_score", "f1"),
        ("ppv", "precision"),
        ("recall", "recall"),
        ("matthews", "matthews_corrcoef"),
        ("balanced_accuracy", "balanced_accuracy"),
    ],
)
def test_scikit_learn_says_the_same(name: str, theirs: str) -> None:
    assert scorer(name)(MODEL, X, Y) == pytest.approx(get_scorer(theirs)(MODEL, X, Y))


@pytest.mark.parametrize("name", ["rocauc", "roc-auc", "rocAUC", "ROC_AUC", "roc auc"])
def test_the_area_by_other_spellings(name: str) -> None:
    assert scorer(name)(MODEL, X, Y) == scorer("auc")(MODEL, X, Y)


@pytest.mark.parametrize("name", ["roc_auc_ovr", "roc_auc_ovo", "neg_brier_score", "neg_log_loss"])
def test_names_of_scikit_learn_work(name: str) -> None:
    model, *cases = (THREE, X3, Y3) if "ov" in name else (MODEL, X, Y)
    assert scorer(name)(model, *cases) == pytest.approx(get_scorer(name)(model, *cases))


LIMIT = Constraint("fpr", "<=", 0.05)
WITH_NUMBER = {
    "pauc@0.1": lambda t: rs.partial_auc(t, fpr=(0, 0.1)),
    "partial_auc@0.05-0.2": lambda t: rs.partial_auc(t, fpr=(0.05, 0.2)),
    "standardised_pauc@0.1": lambda t: rs.partial_auc(t, fpr=(0, 0.1), standardised=True),
    "net_benefit@0.2": lambda t: costs.net_benefit(t, 0.2),
    "standardised_net_benefit@0.2": lambda t: costs.net_benefit(t, 0.2, standardised=True),
    "tpr@fpr<=0.05": lambda t: rs.point_at_fpr(t, 0.05).tpr,
    "sensitivity @ specificity >= 0.9": lambda t: rs.point_at_fpr(t, 0.1).tpr,
    "fpr@tpr>=0.9": lambda t: -rs.point_at_tpr(t, 0.9).fpr,
    "ppv@fpr<=0.05": lambda t: rs.measures.ppv(
        optimal_points(t, criterion="ppv", subject_to=LIMIT)[0]
    ),
    "f1@0.3": lambda t: rs.measures.f_score(rs.point_at(t, 0.3)),
    "lambda_auc:0.02": lambda t: rs.granular.granular_areas(t, 0.02).lambda_auc[0],
}


@pytest.mark.parametrize("name", WITH_NUMBER)
def test_names_with_a_number(name: str) -> None:
    weights = [(None, TABLE)] if "lambda" in name else [(None, TABLE), (WEIGHT, WEIGHTED)]
    for weight, table in weights:
        found = scorer(name)(MODEL, X, Y, sample_weight=weight)
        assert found == pytest.approx(WITH_NUMBER[name](table))
        low, high = scorer(name).range
        assert low <= found <= high


@pytest.mark.parametrize(
    ("name", "options", "wanted"),
    [
        ("hand_till", {}, multiclass.hand_till(DATA)),
        ("ovo", {}, multiclass.hand_till(DATA)),
        ("mu_auc", {}, multiclass.mu_auc(DATA)),
        ("one_vs_rest", {}, multiclass.one_vs_rest(DATA)),
        ("ovr", {"average": "micro"}, multiclass.one_vs_rest(DATA, average="micro")),
        ("pdi", {}, multiclass.pdi(DATA)),
        ("class_cost", {}, -multiclass.decide_classes(DATA).cost),
    ],
)
def test_several_classes(name: str, options: dict[str, Any], wanted: float) -> None:
    assert scorer(name, **options)(THREE, X3, Y3) == pytest.approx(wanted)
    assert name in scorer_names() or name in ("ovo", "ovr")


def test_options_of_the_function() -> None:
    counts = rs.confusion_matrix(Y, MODEL.predict(X))
    found = scorer("f_beta", beta=0.5)(MODEL, X, Y)
    assert found == rs.measures.f_beta(counts, beta=0.5)
    paid = {"fp": 1, "fn": 5}
    cost = rs.measures.expected_cost(counts, costs=paid)
    assert scorer("expected_cost", costs=paid)(MODEL, X, Y) == -cost


def test_the_positive_class() -> None:
    words = np.array(["ill", "well"])[Y]
    model = GaussianNB().fit(X, words)
    assert scorer("average_precision")(model, X, words) == rs.average_precision(TABLE)
    other = rs.tabulate(1 - Y, 1 - P)
    assert scorer("ppv", pos_label="ill")(model, X, words) == pytest.approx(
        rs.measures.ppv(rs.confusion_matrix(1 - Y, 1 - MODEL.predict(X)))
    )
    found = scorer("average_precision", pos_label="ill")(model, X, words)
    assert found == pytest.approx(rs.average_precision(other))


def test_regressors_are_scored_by_what_they_predict() -> None:
    line = LinearRegression().fit(X, Y)
    assert scorer("auc")(line, X, Y) == rs.auc_score(Y, line.predict(X))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("auk", r"no scorer 'auk'. Did you mean 'auc'\? With a number: 'pauc@0.1'"),
        ("prevalence", "Neither high nor low prevalence is better"),
        ("pauc@fpr", "No scorer is called 'pauc@fpr'. Write 'pauc@0.1'"),
        ("auc@0.3", "No scorer is called 'auc@0.3'"),
        ("net_benefit@1.5", "1.5"),
        ("auc:3", "takes no number"),
    ],
)
def test_wrong_names_are_answered(name: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        scorer(name)


def test_classes_that_do_not_fit() -> None:
    with pytest.raises(ValueError, match=r"two classes, and the model knows 3.*hand_till"):
        scorer("auc")(THREE, X3, Y3)
    with pytest.raises(TypeError, match="no predict_proba"):
        scorer("hand_till")(LinearRegression().fit(X3, Y3), X3, Y3)


# --- inside scikit-learn --------------------------------------------------------------------------

GRID = {"decisiontreeclassifier__max_depth": [1, 2, 4, 8]}
PIPE = make_pipeline(StandardScaler(), DecisionTreeClassifier(random_state=0))


def test_in_a_search() -> None:
    scoring = {"auc": scorer("auc"), "benefit": scorer("net_benefit@0.3")}
    search = GridSearchCV(PIPE, GRID, scoring=scoring, refit="benefit", cv=3)
    found = pickle.loads(pickle.dumps(clone(search).fit(X, Y)))
    again = GridSearchCV(PIPE, GRID, scoring="roc_auc", cv=3).fit(X, Y)
    auc = found.cv_results_["mean_test_auc"]
    assert auc == pytest.approx(again.cv_results_["mean_test_score"])
    assert found.best_index_ == found.cv_results_["mean_test_benefit"].argmax()
    assert -3 / 7 <= found.score(X, Y) <= 1


def test_copies_are_equal() -> None:
    one = scorer("f_beta", beta=2)
    for other in (clone(one), pickle.loads(pickle.dumps(one))):
        assert isinstance(other, Scorer)
        assert other.get_params() == one.get_params()
        assert other(MODEL, X, Y) == one(MODEL, X, Y)
    assert repr(one) == "Scorer(measure='f_beta', options={'beta': 2})"


def test_weights_are_routed() -> None:
    with sklearn.config_context(enable_metadata_routing=True):
        weighted = scorer("auc").set_score_request(sample_weight=True)
        model = GaussianNB().set_fit_request(sample_weight=False)
        params = {"sample_weight": WEIGHT}
        found = cross_validate(
            model,
            X,
            Y,
            cv=3,
            scoring=weighted,
            params=params,
            return_estimator=True,
            return_indices=True,
        )
        tests = zip(found["estimator"], found["indices"]["test"], strict=True)
        wanted = [
            rs.auc_score(Y[i], m.predict_proba(X[i])[:, 1], sample_weight=WEIGHT[i])
            for m, i in tests
        ]
        assert found["test_score"].tolist() == wanted
        assert cross_val_score(GaussianNB(), X, Y, cv=3, scoring="roc_auc").tolist() != wanted


def test_a_tuned_threshold_of_scikit_learn_takes_a_measure_of_decisions() -> None:
    """The same threshold as with the same measure of scikit-learn's own."""
    for ours, theirs in (("matthews", "matthews_corrcoef"), ("f_score", "f1")):
        chosen = [
            TunedThresholdClassifierCV(GaussianNB(), scoring=each, cv=3).fit(X, Y)
            for each in (scorer(ours), get_scorer(theirs))
        ]
        assert chosen[0].best_threshold_ == chosen[1].best_threshold_
        assert chosen[0].best_score_ == pytest.approx(chosen[1].best_score_, abs=1e-12)
    words = np.where(Y == 1, "ill", "well")
    zero = TunedThresholdClassifierCV(
        GaussianNB(), scoring=scorer("error_rate", pos_label="ill"), cv=3
    ).fit(X, words)
    assert zero.best_score_ <= 0
    with pytest.raises(AttributeError, match=r"does not depend on a threshold.*ThresholdClassifi"):
        TunedThresholdClassifierCV(GaussianNB(), scoring=scorer("auc"), cv=3).fit(X, Y)


def test_decisions_of_one_label_only_need_to_know_which_is_positive() -> None:
    score = scorer("accuracy")._score_func
    assert score(["a", "b"], ["a", "a"]) == 0.5
    assert score(["a", "a"], ["a", "a"], pos_label="b") == 1
    with pytest.raises(ValueError, match=r"only cases of .*'a'.*pos_label="):
        score(["a", "a"], ["a", "a"])


def test_the_weighted_area_of_each_class() -> None:
    ours = scorer("roc_auc_ovr_weighted")(THREE, X3, Y3)
    assert ours == pytest.approx(get_scorer("roc_auc_ovr_weighted")(THREE, X3, Y3), abs=1e-14)
    assert ours != scorer("roc_auc_ovr")(THREE, X3, Y3)


@pytest.mark.parametrize(("threshold", "least"), [("0.2", -0.25), ("0.5", -1), ("1", -np.inf)])
def test_a_net_benefit_loses_at_most_the_odds_of_its_threshold(
    threshold: str, least: float
) -> None:
    assert scorer(f"net_benefit@{threshold}").range == pytest.approx((least, 1))
