"""Classifiers that learn from held-out scores: the numbers of the functions, by another way."""

import pickle
from typing import Any

import joblib
import numpy as np
import pytest
import sklearn
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import make_classification
from sklearn.linear_model import RidgeClassifier
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    ShuffleSplit,
    StratifiedKFold,
    cross_val_predict,
    cross_validate,
)
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import rocspace as rs
from rocspace import calibrate, combine, multiclass
from rocspace.estimators import (
    BinningCalibrator,
    CostMatrixClassifier,
    IsotonicCalibrator,
    LowerBoundRefit,
    MixtureClassifier,
    PlattCalibrator,
    ThresholdClassifier,
)
from rocspace.operating import Constraint, NoThresholdError, Target

X, Y = make_classification(300, 6, flip_y=0.2, weights=[0.7], random_state=3)
WEIGHT = np.random.default_rng(1).uniform(0.5, 2, 300)
FOLDS = StratifiedKFold(3)
HELD = cross_val_predict(GaussianNB(), X, Y, cv=FOLDS, method="predict_proba")[:, 1]
TABLE = rs.tabulate(Y, HELD)
X3, Y3 = make_classification(240, 6, n_informative=4, n_classes=3, flip_y=0.2, random_state=3)
HELD3 = cross_val_predict(GaussianNB(), X3, Y3, cv=FOLDS, method="predict_proba")
COSTS = [[0, 1, 9], [1, 0, 9], [1, 1, 0]]


# --- thresholds -----------------------------------------------------------------------------------

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
    strict = Constraint("ppv", ">=", 2.0)
    with pytest.raises(NoThresholdError, match="the largest is"):
        ThresholdClassifier(GaussianNB(), subject_to=strict).fit(X, Y)
    with pytest.raises(ValueError, match=r"Only binary.*CostMatrixClassifier"):
        ThresholdClassifier(GaussianNB()).fit(X3, Y3)
    with pytest.raises(ValueError, match=r"pos_label is 'yes', but y has 0, 1"):
        ThresholdClassifier(GaussianNB(), pos_label="yes").fit(X, Y)
    with pytest.raises(ValueError, match="cv"):
        ThresholdClassifier(GaussianNB(), cv="folds").fit(X, Y)


# --- mixtures -------------------------------------------------------------------------------------

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


@pytest.mark.parametrize("wanted", [{}, {"fpr": 0.1, "tpr": 0.5}, {"fpr": 1.2}])
def test_a_mixture_needs_one_goal(wanted: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"Give one of fpr, tpr and selected|1\.2"):
        MixtureClassifier(GaussianNB(), **wanted).fit(X, Y)


def test_rows_of_words_have_ids() -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(X > 0, columns=list("abcdef")).assign(word=np.where(Y, "a", "b"))
    pipe = make_pipeline(sklearn.preprocessing.OrdinalEncoder(), BernoulliNB())
    model = MixtureClassifier(pipe, selected=0.3, cv=FOLDS).fit(frame, Y)
    called = model.predict(frame)
    assert (model.predict(frame.iloc[::-1]) == called[::-1]).all()
    assert called.mean() == pytest.approx(0.3, abs=0.1)


# --- calibration ----------------------------------------------------------------------------------


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


# --- several classes ------------------------------------------------------------------------------


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
