"""Classifiers with a threshold of their own, or a mixture of two: the functions, by hand."""

from typing import Any

import numpy as np
import pytest
import sklearn
from scipy.sparse import csr_array
from sklearn.linear_model import RidgeClassifier
from sklearn.model_selection import (
    ShuffleSplit,
)
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.pipeline import make_pipeline

import rocspace as rs
from held_out import FOLDS, HELD, TABLE, WEIGHT, X3, Y3, X, Y
from rocspace import combine
from rocspace.estimators import (
    MixtureClassifier,
    ThresholdClassifier,
)
from rocspace.estimators.crossed import HeldOut
from rocspace.estimators.thresholds import _expected, _row_ids
from rocspace.operating import Constraint, NoThresholdError, Target

QUESTIONS: list[dict[str, Any]] = [
    {},
    {"criterion": "f1"},
    {"criterion": "cost", "costs": {"fp": 1, "fn": 5}},
    {"criterion": "cost", "costs": {"fp": 1, "fn": 5}, "prevalence": 0.1},
    {"criterion": "tpr", "subject_to": Constraint("ppv", ">=", 0.6)},
    {"criterion": Target("tnr", 0.85)},
]


@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_the_threshold_is_that_of_the_held_out_scores(question: dict[str, Any]) -> None:
    model = ThresholdClassifier(GaussianNB(), cv=FOLDS, **question).fit(X, Y)
    assert model.table_ == TABLE
    wanted = rs.optimal_points(TABLE, **{"criterion": "youden", **question})[0]
    assert model.point_ == wanted
    p = GaussianNB().fit(X, Y).predict_proba(X)[:, 1]
    assert (model.predict(X) == (p >= wanted.threshold)).all()
    assert np.allclose(model.predict_proba(X)[:, 1], p)
    assert model.optimism_ == model.apparent_ - model.cross_fitted_


def test_what_to_expect_on_other_cases() -> None:
    """By hand: each fold is decided by the threshold of the other two."""
    model = ThresholdClassifier(GaussianNB(), cv=FOLDS).fit(X, Y)
    called = np.zeros(Y.size, dtype=bool)
    for _, test in FOLDS.split(X, Y):
        rest = np.setdiff1d(np.arange(Y.size), test)
        at = rs.optimal_points(rs.tabulate(Y[rest], HELD[rest]))[0].threshold
        called[test] = HELD[test] >= at
    counts = rs.confusion_matrix(Y, called)
    assert model.cross_fitted_counts_ == counts
    assert model.cross_fitted_ == pytest.approx(rs.measures.informedness(counts))
    assert model.apparent_ == pytest.approx(rs.youden(TABLE))
    assert model.optimism_ > 0
    assert model.bootstrap(n_boot=20, rng=1).apparent == model.apparent_


def test_weights_count_where_cases_are_counted() -> None:
    model = ThresholdClassifier(RidgeClassifier(), cv=FOLDS).fit(X, Y, sample_weight=WEIGHT)
    parts = []
    for train, test in FOLDS.split(X, Y):
        one = RidgeClassifier().fit(X[train], Y[train], sample_weight=WEIGHT[train])
        score = one.decision_function(X[test])
        parts.append(rs.tabulate(Y[test], score, sample_weight=WEIGHT[test]))
    assert model.table_ == rs.merge(*parts)
    with pytest.raises(ValueError, match="weighted table"):
        model.bootstrap(n_boot=5)


def test_a_model_that_was_fitted_before() -> None:
    fitted = GaussianNB().fit(X[:150], Y[:150])
    model = ThresholdClassifier(fitted, cv="prefit").fit(X[150:], Y[150:])
    table = rs.tabulate(Y[150:], fitted.predict_proba(X[150:])[:, 1])
    assert model.point_ == rs.optimal_points(table)[0]
    assert model.estimator_ is fitted
    assert np.isnan(model.cross_fitted_)
    assert model.cross_fitted_counts_ is None


@pytest.mark.parametrize("cv", [ShuffleSplit(4, test_size=0.3, random_state=1), 2, None])
def test_other_folds(cv: Any) -> None:
    model = ThresholdClassifier(GaussianNB(), cv=cv).fit(X, Y)
    assert 0 < model.threshold_ < 1


def test_labels_keep_their_names() -> None:
    words = np.array(["ill", "well"])[Y]
    for positive, label in ((None, Y == 1), ("ill", Y == 0)):
        score = HELD if positive is None else 1 - HELD
        model = ThresholdClassifier(GaussianNB(), cv=FOLDS, pos_label=positive).fit(X, words)
        at = rs.optimal_points(rs.tabulate(label, score))[0].threshold
        assert model.threshold_ == pytest.approx(at)
        assert set(model.predict(X)) == {"ill", "well"}
        assert (model.predict(X) == words).mean() > 0.7


def test_what_cannot_be_fitted_is_said() -> None:
    strict = Constraint("matthews", ">=", 1.0)
    with pytest.raises(NoThresholdError, match="the largest is"):
        ThresholdClassifier(GaussianNB(), subject_to=strict).fit(X, Y)
    with pytest.raises(ValueError, match=r"Only binary.*CostMatrixClassifier"):
        ThresholdClassifier(GaussianNB()).fit(X3, Y3)
    with pytest.raises(ValueError, match=r"pos_label is 'yes', but y has 0, 1"):
        ThresholdClassifier(GaussianNB(), pos_label="yes").fit(X, Y)
    with pytest.raises(ValueError, match="cv"):
        ThresholdClassifier(GaussianNB(), cv="folds").fit(X, Y)


PATH = combine.path_of(rs.roc_hull(TABLE))


@pytest.mark.parametrize("wanted", [{"fpr": 0.1}, {"tpr": 0.75}, {"selected": 0.4}], ids=str)
def test_a_mixture_reaches_what_is_wanted(wanted: dict[str, float]) -> None:
    model = MixtureClassifier(GaussianNB(), cv=FOLDS, **wanted).fit(X, Y)
    ((name, value),) = wanted.items()
    if name == "selected":
        found = combine.at_budget(PATH, selected=value * 300, n_pos=TABLE.n_pos, n_neg=TABLE.n_neg)
        reached = model.mixture_.expected(n_pos=TABLE.n_pos, n_neg=TABLE.n_neg)
        assert (reached.tp + reached.fp) / 300 == pytest.approx(value)
    else:
        found = combine.mixture_at(PATH, **wanted)
        assert getattr(model.mixture_, name) == pytest.approx(value)
    assert model.mixture_.share == pytest.approx(found.share)
    counts = model.cross_fitted_counts_
    assert counts.tp + counts.fn == TABLE.n_pos
    assert rs.measures.tpr(counts) == pytest.approx(model.mixture_.tpr, abs=0.1)


def test_draws_follow_the_features() -> None:
    model = MixtureClassifier(BernoulliNB(), fpr=0.2, cv=FOLDS).fit(X > 0, Y)
    chance = model.chances(X > 0)
    between = (chance > 0) & (chance < 1)
    assert between.mean() > 0.1  # many cases share a score
    called = model.predict(X > 0)
    order = np.random.default_rng(1).permutation(300)
    assert (model.predict((X > 0)[order]) == called[order]).all()
    assert (model.predict(csr_array((X > 0).astype(float))) == called).all()
    ids = np.arange(300)
    drawn = np.mean([model.decide(X > 0, ids=ids + 300 * i) for i in range(200)], axis=0)
    assert np.abs(drawn - chance).max() < 0.15
    assert (model.decide(X > 0, rng=1) == model.decide(X > 0, rng=1)).all()


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({}, r"here is nothing\."),
        ({"fpr": 0.1, "tpr": 0.5}, r"here is fpr=0\.1 and tpr=0\.5\."),
        ({"fpr": 1.2}, r"1\.2"),
    ],
)
def test_a_mixture_needs_one_goal(wanted: dict[str, float], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        MixtureClassifier(GaussianNB(), **wanted).fit(X, Y)


def test_rows_of_words_have_ids() -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(X > 0, columns=list("abcdef")).assign(word=np.where(Y, "a", "b"))
    pipe = make_pipeline(sklearn.preprocessing.OrdinalEncoder(), BernoulliNB())
    model = MixtureClassifier(pipe, selected=0.3, cv=FOLDS).fit(frame, Y)
    called = model.predict(frame)
    assert (model.predict(frame.iloc[::-1]) == called[::-1]).all()
    assert called.mean() == pytest.approx(0.3, abs=0.1)


def test_expected_counts_of_a_mixture_by_hand() -> None:
    # Between thresholds 2 and 1 with equal shares: a half of the cases at 1 are called.
    table = rs.tabulate_classes([2.0, 1, 1, 0], [1.0, 0, 0])
    model = MixtureClassifier(GaussianNB(), tpr=0.5)
    mixture = model._mixed(table)
    assert mixture.tpr == pytest.approx(0.5)
    assert _expected(mixture, table) == pytest.approx((2, mixture.fpr * 3))


def test_a_budget_counts_cases_of_the_prevalence_of_use() -> None:
    rare = MixtureClassifier(GaussianNB(), selected=0.2, prevalence=0.05, cv=FOLDS).fit(X, Y)
    called = 0.05 * rare.mixture_.tpr + 0.95 * rare.mixture_.fpr
    assert called == pytest.approx(0.2)
    own = MixtureClassifier(GaussianNB(), selected=0.2, cv=FOLDS).fit(X, Y)
    assert Y.mean() * own.mixture_.tpr + (1 - Y.mean()) * own.mixture_.fpr == pytest.approx(0.2)


def test_what_others_may_expect_of_a_mixture() -> None:
    """By hand: each fold by the mixture of the other two."""
    model = MixtureClassifier(GaussianNB(), fpr=0.1, cv=FOLDS).fit(X, Y)
    called = np.zeros(300)
    for _, test in FOLDS.split(X, Y):
        rest = np.setdiff1d(np.arange(300), test)
        path = combine.path_of(rs.roc_hull(rs.tabulate(Y[rest], HELD[rest])))
        called[test] = combine.mixture_at(path, fpr=0.1).chances(HELD[test])
    counts = model.cross_fitted_counts_
    assert (counts.tp, counts.fp) == pytest.approx((called @ Y, called @ (1 - Y)))
    assert (counts.tp + counts.fn, counts.fp + counts.tn) == (Y.sum(), 300 - Y.sum())


def test_equal_rows_have_equal_ids() -> None:
    block = np.array([[0.0, 1], [-0.0, 1], [1, 0]])
    one, two, three = _row_ids(block)
    assert one == two != three
    assert (_row_ids(block.astype(np.float32)) == _row_ids(block)).all()
    assert (_row_ids(csr_array(block)) == _row_ids(block)).all()
    assert _row_ids(np.array([["a", 1], ["b", 1]], dtype=object)).tolist() == [
        "['a', 1]",
        "['b', 1]",
    ]


def test_a_threshold_that_some_folds_do_not_offer_leaves_the_expectation_open() -> None:
    # The positives that others need stand in one fold alone.
    label = np.array([1, 1, 0, 0, 0, 0, 0, 0])
    held = HeldOut(np.arange(8), np.repeat([0, 1], 4), np.arange(8, 0, -1.0))
    model = ThresholdClassifier(GaussianNB())
    model.classes_ = np.array([0, 1])
    model._learn(held, label, None)
    assert model.cross_fitted_counts_ is None
    assert np.isnan(model.cross_fitted_)
    assert model.apparent_ == 1


def test_missing_costs_are_said_once() -> None:
    """Not once more for each fold."""
    with pytest.warns(UserWarning, match="No costs were given") as said:
        ThresholdClassifier(GaussianNB(), criterion="cost", cv=FOLDS).fit(X, Y)
    assert len(said) == 1
