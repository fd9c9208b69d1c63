"""Folds: their tables, what scikit-learn returns, and how sure the mean of their areas is."""

from fractions import Fraction
from math import sqrt

import numpy as np
import pandas as pd
import polars as pl
import pytest
from benchmarks.coverage import folds as simulated
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse, stats
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    RepeatedStratifiedKFold,
    StratifiedKFold,
    cross_val_predict,
    cross_validate,
)
from sklearn.svm import LinearSVC

import rocspace as rs
import slow.averaging
import slow.curves
import slow.data
from learners import by_means
from rocspace.averaging import (
    corrected_estimate,
    cv_auc_estimate,
    cv_tables,
    fold_numbers,
    fold_tables,
    repeated_auc_estimate,
    vertical_average,
)
from rocspace.counts import SingleClassError
from rocspace.inference import auc_estimate
from slow.data import answer, samples

several = st.lists(samples(max_size=12), min_size=1, max_size=4)


def tabulated(sets):
    return [rs.tabulate(label, score) for label, score in sets]


# --- tables of the folds ----------------------------------------------------------------------


@given(sets=several, seed=st.integers(0, 99))
@settings(max_examples=40)
def test_tables_are_those_of_each_fold_alone(sets, seed):
    rows = [
        (i, y, s)
        for i, (label, score) in enumerate(sets)
        for y, s in zip(label, score, strict=True)
    ]
    order = np.random.default_rng(seed).permutation(len(rows))
    fold, label, score = zip(*(rows[i] for i in order), strict=True)
    found = fold_tables(label, score, fold)
    assert list(found) == list(range(len(sets)))
    assert list(found.values()) == tabulated(sets)
    named = fold_tables(label, score, [f"fold {i}" for i in fold])
    assert list(named.values()) == tabulated(sets)


def test_frames_give_the_same_tables():
    rng = np.random.default_rng(1)
    fold = np.arange(40) % 3
    label, score = rng.random(40) < 0.5, rng.integers(0, 9, 40)
    found = fold_tables(label, score, fold)
    frame = {"y": label, "s": score, "fold": fold}
    for make in (pd.DataFrame, pl.DataFrame):
        by = rs.tabulate_frame(make(frame), label="y", score="s", by="fold")
        assert found == by
        assert found == fold_tables(*(make(frame)[name] for name in ("y", "s", "fold")))


def test_tables_take_what_tabulate_takes():
    label, fold = ["ill", "well", "ill", "well", "ill"], ["b", "b", 1, 1, 1]
    with pytest.warns(UserWarning, match="1 of 5 cases omitted"):
        found = fold_tables(
            label,
            [5, 3, 1, np.nan, 2.0],
            np.array(fold, dtype=object),
            pos_label="ill",
            sample_weight=[1, 2, 1, 1, 0],
            higher_is_positive=False,
            missing="omit",
        )
    assert list(found) == ["b", 1]
    assert not found["b"].higher_is_positive
    assert found["b"].neg.tolist() == [2, 0]
    assert found[1].score.tolist() == [1]
    # A fold of which nothing is left has no table.
    with pytest.warns(UserWarning, match="omitted"):
        assert list(fold_tables([0, 1, 1], [1, 2, np.nan], [4, 4, 7], missing="omit")) == [4]
    # One fold may lack a class; the labels are understood from all.
    found = fold_tables([-1, 1, 1], [1, 2, 3], [0, 0, 1])
    assert (found[1].n_pos, found[1].n_neg) == (1, 0)


def test_messages_of_tables():
    with pytest.raises(ValueError, match="fold has 1 missing value"):
        fold_tables([0, 1], [1, 2], [0, np.nan])
    with pytest.raises(ValueError, match=r"y_true has 2, y_score has 2, fold has 3"):
        fold_tables([0, 1], [1, 2], [0, 0, 1])
    with pytest.raises(ValueError, match="which of them is positive"):
        fold_tables(["a", "b"], [1, 2], [0, 0])


def test_numbers_of_splits():
    X, y = np.zeros((9, 1)), np.array([0, 1, 0, 1, 0, 1, 0, 1, 1])
    splits = list(StratifiedKFold(3, shuffle=True, random_state=1).split(X, y))
    number = fold_numbers(splits, 9)
    for i, (_, test) in enumerate(splits):
        assert np.flatnonzero(number == i).tolist() == sorted(test)
    repeated = RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=1).split(X, y)
    with pytest.raises(ValueError, match=r"Split 3 tests cases again, such as case \d"):
        fold_numbers(repeated, 9)
    with pytest.raises(ValueError, match="Split 0 tests cases again, such as case 2"):
        fold_numbers([([0], [1, 2, 2])], 3)
    with pytest.raises(ValueError, match="2 of 9 cases are in no test set, the first at index 4"):
        fold_numbers([([], [0, 1, 2, 3]), ([], [5, 7, 8])], 9)


# --- what scikit-learn returns ----------------------------------------------------------------


def learned(model, X, y, splits=4):
    cv = StratifiedKFold(splits, shuffle=True, random_state=0)
    results = cross_validate(model, X, y, cv=cv, return_estimator=True, return_indices=True)
    return results, cv


def points_in_classes(n=60, classes=2):
    rng = np.random.default_rng(3)
    y = np.arange(n) % classes
    return rng.normal(size=(n, 2)) + y[:, None] * 0.8, y


def test_results_of_cross_validate_are_tables_of_out_of_fold_scores():
    X, y = points_in_classes()
    results, cv = learned(LogisticRegression(), X, y)
    found = cv_tables(results, X, y)
    score = cross_val_predict(LogisticRegression(), X, y, cv=cv, method="predict_proba")[:, 1]
    assert found == fold_tables(y, score, fold_numbers(cv.split(X, y), len(y)))
    decided = cv_tables(results, X, y, response="decision_function")
    assert [rs.auc(t) for t in decided.values()] == [rs.auc(t) for t in found.values()]
    # The averages take them as they are.
    assert vertical_average(found, grid=None).auc == pytest.approx(
        cv_auc_estimate(found).value, rel=1e-13
    )


@pytest.mark.parametrize(
    "container",
    [
        lambda X: pd.DataFrame(X, index=np.arange(len(X))[::-1]),
        pl.DataFrame,
        lambda X: pl.DataFrame(X).to_arrow(),
        sparse.csr_array,
        lambda X: X.tolist(),
    ],
)
def test_any_container_of_features(container):
    X, y = points_in_classes()
    results, _ = learned(LogisticRegression(), X, y)
    for model in results["estimator"]:
        # Fitted without names, so that frames need not have them.
        assert not hasattr(model, "feature_names_in_")
    expected = cv_tables(results, X, y)
    for i, model in enumerate(results["estimator"]):
        results["estimator"][i] = Plain(model)
    # A product of a matrix depends in its last bit on how the matrix lies in memory.
    for fold, table in cv_tables(results, container(X), y).items():
        np.testing.assert_array_equal(table.pos, expected[fold].pos)
        np.testing.assert_array_equal(table.neg, expected[fold].neg)
        np.testing.assert_allclose(table.score, expected[fold].score, rtol=1e-13)


class Plain:
    """A model that takes any features."""

    def __init__(self, model):
        self.model, self.classes_ = model, model.classes_

    def predict_proba(self, X):
        if sparse.issparse(X):
            X = X.toarray()
        X = np.column_stack(X.columns) if hasattr(X, "column_names") else np.asarray(X)
        return self.model.predict_proba(X)


def test_any_label_may_be_the_positive_one():
    X, y = points_in_classes()
    names = np.array(["ill", "well"])[y]
    results, _ = learned(LinearSVC(), X, names)
    one = cv_tables(results, X, names, pos_label="well")
    two = cv_tables(results, X, names, pos_label="ill")
    for a, b in zip(one.values(), two.values(), strict=True):
        assert rs.auc(a) == pytest.approx(rs.auc(b), rel=1e-14)
        assert a.n_pos == b.n_neg
    weighted = cv_tables(results, X, names, pos_label="well", sample_weight=np.full(60, 2.0))
    assert weighted[0].n_pos == 2 * one[0].n_pos
    X, y = points_in_classes(90, 3)
    for model in (LogisticRegression(), LinearSVC()):
        results, cv = learned(model, X, y)
        with pytest.warns(UserWarning, match="2 is taken as positive"):
            found = cv_tables(results, X, y, pos_label=2)
        method = "predict_proba" if hasattr(model, "predict_proba") else "decision_function"
        score = cross_val_predict(model, X, y, cv=cv, method=method)[:, 2]
        assert found == fold_tables(y == 2, score, fold_numbers(cv.split(X, y), 90))


def test_messages_of_results():
    X, y = points_in_classes()
    results, _ = learned(LinearSVC(), X, y)
    with pytest.raises(ValueError, match=r"no 'estimator' and no 'indices'\. Call cross_validate"):
        cv_tables({"test_score": [1]}, X, y)
    with pytest.raises(TypeError, match="LinearSVC has no predict_proba, so it gives no scores"):
        cv_tables(results, X, y, response="predict_proba")
    with pytest.raises(ValueError, match="response is 'predict'"):
        cv_tables(results, X, y, response="predict")
    with pytest.raises(ValueError, match=r"but not the positive one, 'b'"):
        cv_tables(results, X, np.array(["a", "b"])[y], pos_label="b")


# --- the mean area of the folds ---------------------------------------------------------------


def test_variances_by_hand():
    # Fold 1 separates its classes: all placements are 1. Fold 2 has positives 2 and 4,
    # negatives 1 and 3: placements 1/2, 1 and 1, 1/2 around the area 3/4.
    tables = fold_tables(
        [0, 1, 0, 1, 0, 1, 0, 1], [1, 3, 2, 4, 1, 2, 3, 4], [1, 1, 1, 1, 2, 2, 2, 2]
    )
    got = cv_auc_estimate(tables, method="pooled")
    assert got.value == 0.875
    # Each class: squares 1/8 by 2 + 2 - 2 degrees, times (1/2 + 1/2) / 2^2.
    assert got.se == pytest.approx(sqrt(2 * (1 / 8 / 2) / 4), rel=1e-15)
    # Influences are 0, and twice +- 1/4: mean square 1/4 in fold 2, so 1/8, by 8 cases.
    got = cv_auc_estimate(tables, method="ledell")
    assert got.se == pytest.approx(sqrt(1 / 8 / 8), rel=1e-15)
    said = "cross-validated, ledell, folds assumed independent"
    assert (got.method, got.n_pairs) == (said, 4)
    # The area lies 3/8 = 2.1213 errors from 1/2: 1.5 exp(-4.5 / 32) more.
    got = cv_auc_estimate(tables)
    assert got.se == pytest.approx(sqrt((1 + 1.5 * np.exp(-4.5 / 32)) / 32), rel=1e-14)
    assert got.method == "cross-validated, allowing for dependent folds"


@given(sets=several)
@settings(max_examples=50)
def test_variances_are_those_of_the_definition(sets):
    tables = tabulated(sets)
    areas = [slow.curves.auc_by_pairs(*one) for one in sets]
    got = cv_auc_estimate(tables, method="pooled")
    assert got.value == pytest.approx(float(sum(areas) / len(areas)), rel=1e-14, abs=1e-15)
    exact = slow.averaging.pooled_fold_variance(sets)
    if exact is None:
        assert np.isnan(got.se)
    else:
        assert got.se == pytest.approx(sqrt(exact), rel=1e-12, abs=1e-15)
    ledell = cv_auc_estimate(tables, method="ledell")
    exact = slow.averaging.influence_variance(sets, Fraction(1, 2))
    assert ledell.se == pytest.approx(sqrt(exact), rel=1e-12, abs=1e-15)
    usual = cv_auc_estimate(tables)
    assert usual.value == got.value
    if len(tables) == 1 or exact is None:
        assert usual.se == got.se or np.isnan(got.se)
    else:  # never less than given the models, nor more than 2.5 times its variance
        assert got.se <= usual.se <= sqrt(2.5) * got.se * (1 + 1e-12) or np.isnan(got.se)
    for estimate in (got, ledell, usual):
        low, high = estimate.interval()
        assert 0 <= low <= estimate.value <= high <= 1
        assert low < high


@pytest.mark.parametrize("n_far", [0, 1])
def test_degrees_of_freedom_by_definition(n_far):
    """Welch's, or fewer by the kurtosis where one positive of 40 lies far below the others."""
    rng = np.random.default_rng(5)
    fold = np.arange(120) % 2
    label = np.arange(120) // 2 % 3 == 0
    score = rng.normal(size=120) + (3 if n_far else 0.5) * label
    score[np.flatnonzero(label)[:n_far]] = -9
    placed = {True: [], False: []}
    for k in (0, 1):
        pos, neg = (score[(fold == k) & (label == y)] for y in (True, False))
        wins = pos[:, None] > neg
        placed[True].append(wins.mean(axis=1) - wins.mean())
        placed[False].append(wins.mean(axis=0) - wins.mean())
    variance, welch, noise = [], [], []
    for each in placed.values():
        n, both = np.array([x.size for x in each]), np.concatenate(each)
        variance.append((both**2).sum() / (n.sum() - 2) * (1 / n).sum() / 4)
        welch.append(1 / (n.sum() - 2))
        noise.append((stats.kurtosis(both, fisher=False) - 1) / n.sum())
    share = np.array(variance) / sum(variance)
    few = [float(share**2 @ np.array(each)) for each in (welch, noise)]
    assert (few[1] / 2 > few[0]) == (n_far == 1)
    found = cv_auc_estimate(list(fold_tables(label, score, fold).values()), method="pooled")
    assert found.se == pytest.approx(sum(variance) ** 0.5)
    assert found.df == pytest.approx(1 / max(few[0], few[1] / 2))


@pytest.mark.parametrize("name", ["sonar_rf", "breast_w_nb", "vehicle_tree5"])
def test_cvauc(name, request):
    theirs = answer(f"rocr_avg__{name}", request)["cvAUC"]
    data, column = name.rsplit("_", 1)
    part = rs.datasets.load("uci_scores").where("dataset", data)
    tables = fold_tables(part.y_true, part.columns[column], part.columns["fold"])
    got = cv_auc_estimate(tables, method="ledell")
    assert got.value == pytest.approx(theirs["cvAUC"], rel=1e-14)
    if name == "sonar_rf":  # hardly a tie
        assert got.se == pytest.approx(theirs["se"], rel=1e-12)
        assert tuple(got.interval(scale="identity")) == pytest.approx(theirs["ci95"], rel=1e-9)
    # cvAUC takes each tie for lost: with many, its influences no longer add up to 0, and its
    # standard error is up to twice as large.
    fold = np.asarray(part.columns["fold"])
    sets = [
        (part.y_true[fold == k].astype(bool).tolist(), part.columns[column][fold == k].tolist())
        for k in np.unique(fold)
    ]
    assert sqrt(slow.averaging.influence_variance(sets, 0)) == pytest.approx(
        theirs["se"], rel=1e-12
    )
    half = slow.averaging.influence_variance(sets, Fraction(1, 2))
    assert got.se == pytest.approx(sqrt(half), rel=1e-12)


def repeats(seed, n_partitions, n_folds=4, n=40):
    """Return tables of repeated cross-validation, and the label, features and folds."""
    rng = np.random.default_rng(seed)
    label, x = np.arange(n) < n // 2, rng.normal(size=(n, 6))
    tables, folds = [], []
    for _ in range(n_partitions):
        fold = np.concatenate([rng.permutation(n // 2) % n_folds for _ in range(2)])
        score = np.empty(n)
        for k in range(n_folds):
            train = fold != k
            score[~train] = by_means(x[train], label[train])(x[~train])
        tables += fold_tables(label, score, fold).values()
        folds.append(fold)
    return tables, (label, x, folds)


@given(seed=st.integers(0, 999), n_partitions=st.sampled_from([2, 4, 5, 6]))
@settings(max_examples=15, deadline=None)
def test_repeats_add_the_variance_between_them(seed, n_partitions):
    tables, _ = repeats(seed, n_partitions)
    parts = [tables[i : i + 4] for i in range(0, len(tables), 4)]
    each = [cv_auc_estimate(part, method="pooled") for part in parts]
    got = cv_auc_estimate(tables, n_partitions=n_partitions)
    assert got.value == pytest.approx(np.mean([e.value for e in each]), rel=1e-14)
    within = np.mean([e.se**2 for e in each])
    if n_partitions >= 5:
        between = np.var([e.value for e in each], ddof=1)
        assert got.method.endswith(f"variance between {n_partitions} repeats")
    else:
        between = within * 1.5 * np.exp(-((got.value - 0.5) ** 2) / within / 32)
        assert got.method.endswith("allowing for dependent folds")
    assert got.se**2 == pytest.approx(within + between, rel=1e-12)
    pooled = cv_auc_estimate(tables, n_partitions=n_partitions, method="pooled")
    assert pooled.se**2 == pytest.approx(within, rel=1e-12)


def test_repeats_have_as_many_folds_each():
    tables, _ = repeats(1, 2)
    with pytest.raises(ValueError, match="n_partitions is 3, but 8 tables"):
        cv_auc_estimate(tables, n_partitions=3)
    with pytest.raises(ValueError, match="n_partitions"):
        cv_auc_estimate(tables, n_partitions=0)


def test_what_dependent_folds_add_vanishes_far_from_chance():
    label = np.repeat([True, False], 200)
    fold = np.tile(np.arange(5), 80)
    score = label * 2.0 + np.random.default_rng(3).normal(size=400)
    tables = fold_tables(label, score, fold)
    assert cv_auc_estimate(tables).se == pytest.approx(
        cv_auc_estimate(tables, method="pooled").se, rel=1e-6
    )


@pytest.mark.filterwarnings("ignore:(Only|None)")
def test_one_fold_is_delong():
    rng = np.random.default_rng(2)
    for weight in (None, rng.lognormal(size=80)):
        label, score = rng.random(80) < 0.4, rng.normal(size=80).round(1)
        table = rs.tabulate(label, score, sample_weight=weight)
        one, delong = cv_auc_estimate([table]), auc_estimate(table)
        assert one.value == delong.value
        for name in ("se", "df", "n_pairs", "model_se"):
            assert getattr(one, name) == pytest.approx(getattr(delong, name), rel=1e-12)


def test_weights_of_cases():
    rng = np.random.default_rng(4)
    label, fold = np.arange(60) % 2 == 0, np.arange(60) // 20
    score = label + rng.normal(size=60)
    plain = fold_tables(label, score, fold)
    equal = fold_tables(label, score, fold, sample_weight=np.full(60, 3.0))
    for method in ("pooled", "ledell"):
        one, two = (cv_auc_estimate(t, method=method) for t in (plain, equal))
        assert one.se == pytest.approx(two.se, rel=1e-12)
        assert one.df == pytest.approx(two.df, rel=1e-12)


def test_of_one_fold_it_has_the_interval_of_a_plain_area_or_a_wider_one():
    rng = np.random.default_rng(8)
    y = np.arange(80) % 3 == 0
    for score in (rng.normal(size=80) + y, (rng.random(80) < 0.2 + 0.5 * y).astype(float)):
        table = rs.tabulate(y, score)
        found, plain = cv_auc_estimate([table]), rs.delong(table)
        both = found.interval(scale="moderated"), plain.interval()
        assert found.interval().low == pytest.approx(min(each.low for each in both), rel=1e-9)
        assert found.interval().high == pytest.approx(max(each.high for each in both), rel=1e-9)


def test_cases_that_were_not_seen_widen_intervals_of_few_values():
    """All six positives are called, one of 20 negatives of each fold is: the positives may err."""
    label, score = [True] * 2 + [False] * 20, [1] * 2 + [1] + [0] * 19
    tables = [rs.tabulate(label, score)] * 3
    found = cv_auc_estimate(tables)
    low, high = found.interval()
    assert found.interval(scale="moderated").low > low + 0.05
    pos, neg = found.classes
    assert (pos.n, neg.n) == pytest.approx((6, 60))
    # A called positive beats 19 negatives and ties with 1, one not called ties with 19.
    assert (pos.low, pos.high) == pytest.approx((19 / 40, 39 / 40))
    # Of a negative that is called the positives tie, of one that is not all are above.
    assert (neg.low, neg.high) == pytest.approx((1 / 2, 1))
    assert neg.spread == pytest.approx(found.se**2 * 59, rel=0.01)
    assert (pos.added, neg.added) == (1.0, 0.5)  # the positives are all alike
    assert 0 < low < found.value < high < 1


def test_repeats_of_the_same_folds_have_their_cases():
    rng = np.random.default_rng(3)
    label, score = np.arange(60) < 20, rng.integers(0, 3, 60)
    tables = list(fold_tables(label, score, np.arange(60) % 4).values())
    once, twice = (cv_auc_estimate(tables * k, n_partitions=k) for k in (1, 2))
    assert np.allclose(once.classes, twice.classes, rtol=1e-12)
    assert tuple(once.interval()) == pytest.approx(tuple(twice.interval()), rel=1e-9)


def test_weights_and_published_variances_have_moderated_intervals():
    rng = np.random.default_rng(3)
    label, score, weight = np.arange(60) < 20, rng.normal(size=60), rng.lognormal(size=60)
    fold = np.arange(60) % 4
    weighed = cv_auc_estimate(fold_tables(label, score, fold, sample_weight=weight))
    published = cv_auc_estimate(fold_tables(label, score, fold), method="ledell")
    for found in (weighed, published):
        assert found.interval() == found.interval(scale="moderated")


def test_boundaries_of_the_mean_area():
    perfect = [rs.tabulate([0, 1, 0, 1], [1, 3, 2, 4])] * 3
    got = cv_auc_estimate(perfect)
    assert (got.value, got.se) == (1, 0)
    # Six disjoint pairs, two in each fold: the bound .025^(1/6).
    assert got.interval().low == pytest.approx(0.025 ** (1 / 6), rel=1e-12)
    single = [rs.tabulate([0, 1], [1, 2])] * 3
    assert np.isnan(cv_auc_estimate(single).se)
    assert cv_auc_estimate(single).interval().low == pytest.approx(0.025 ** (1 / 3), rel=1e-12)
    with pytest.raises(SingleClassError, match="of table 'b'"):
        cv_auc_estimate({"a": perfect[0], "b": rs.tabulate([1], [1])})
    with pytest.raises(ValueError, match="method is 'delong'"):
        cv_auc_estimate(perfect, method="delong")


# --- repeated cross-validation ----------------------------------------------------------------


def test_corrected_by_hand():
    # Mean .8, squares 4 * .01 by 5: s^2 = .008. Variance (1/6 + 1/2) * .008, 5 degrees.
    got = corrected_estimate([0.8, 0.9, 0.7, 0.8, 0.9, 0.7], n_train=100, n_test=50)
    assert got.value == pytest.approx(0.8, rel=1e-15)
    assert got.se == pytest.approx(sqrt(0.008 * 2 / 3), rel=1e-12)
    assert got.df == 5
    low, high = got.interval(0.9, scale="t")
    half = stats.t.ppf(0.95, 5) * got.se
    assert (low, high) == pytest.approx((0.8 - half, 0.8 + half), rel=1e-12)


@given(
    values=st.lists(st.floats(0, 1), min_size=2, max_size=30),
    train=st.integers(1, 99),
    test=st.integers(1, 99),
)
@settings(max_examples=60)
def test_corrected_is_the_formula(values, train, test):
    got = corrected_estimate(values, n_train=train, n_test=test)
    spread = np.std(values, ddof=1)
    assert got.se == pytest.approx(sqrt(1 / len(values) + test / train) * spread, abs=1e-9)
    assert min(values) <= got.value <= max(values)
    for scale in ("t", "moderated", "identity"):
        low, high = got.interval(scale=scale)
        assert 0 <= low <= got.value <= high <= 1
        assert low < high
    # More repeats of the same values never undo what the training sets share.
    more = corrected_estimate(values * 50, n_train=train, n_test=test)
    assert more.se >= sqrt(test / train) * np.std(values) - 1e-12


def test_any_range():
    got = corrected_estimate([-2.0, 4.0], n_train=3, n_test=1, range=(-10, 10))
    assert got.range == (-10, 10)
    assert got.se == pytest.approx(sqrt((1 / 2 + 1 / 3) * 18), rel=1e-12)


def test_repeated_areas():
    X, y = points_in_classes()
    cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=3, random_state=0)
    results = cross_validate(
        LogisticRegression(),
        X,
        y,
        cv=cv,
        scoring="roc_auc",
        return_estimator=True,
        return_indices=True,
    )
    tables = cv_tables(results, X, y)
    got = repeated_auc_estimate(tables, n_train=48)
    same = corrected_estimate(results["test_score"], n_train=48, n_test=12)
    assert got.value == pytest.approx(same.value, rel=1e-14)
    assert got.se == pytest.approx(same.se, rel=1e-12)
    # 5 folds of 6 + 6 cases: 30 pairs, however often they are tested.
    assert got.n_pairs == pytest.approx(30, rel=1e-14)
    perfect = [rs.tabulate([0, 1, 0, 1], [1, 3, 2, 4])] * 6
    bound = repeated_auc_estimate(perfect, n_train=8).interval()
    assert bound.low == pytest.approx(0.025 ** (1 / 6), rel=1e-12)


def test_repeated_areas_lean_on_a_model_and_on_the_cases_there_are():
    # Folds of 1 + 2, areas 1, 1/2, 1, 1/2, 1, 1: mean 5/6, s^2 = (4 / 36 + 2 / 9) / 5 = 1 / 15.
    # 6 trained on and 3 tested: 3 folds of 3 + 6 cases, so 2 degrees of freedom, not 5.
    right, wrong = rs.tabulate([0, 0, 1], [1, 2, 3]), rs.tabulate([0, 0, 1], [1, 3, 2])
    got = repeated_auc_estimate([right, wrong, right, wrong, right, right], n_train=6)
    assert got.value == pytest.approx(5 / 6, rel=1e-14)
    assert got.se == pytest.approx(sqrt((1 / 6 + 1 / 2) / 15), rel=1e-12)
    assert got.df == pytest.approx(2, rel=1e-14)
    # Newcombe's variance of an area of 5/6 in 1 + 2 cases: a (1 - a) / 2 times
    # 1 + 1/2 (1/6 / (7/6) + 5/6 / (11/6)) = 1 + 1/2 (1/7 + 5/11) = 1 + 23 / 77.
    model = 5 / 36 / 2 * (100 / 77)
    assert got.model_se == pytest.approx(sqrt((1 / 6 + 1 / 2) * model), rel=1e-12)
    # The moderated variance, of 2 and 20 degrees; Wilson's interval with Student's t of 7.
    variance = (2 * got.se**2 + 20 * got.model_se**2) / 22
    c = stats.t.ppf(0.975, 7) ** 2 * variance / (5 / 36)
    low, high = got.interval()
    for a in (low, high):
        assert (5 / 6 - a) ** 2 == pytest.approx(c * a * (1 - a), rel=1e-9)
    # The published interval stays: of the areas alone.
    published = corrected_estimate([1, 0.5, 1, 0.5, 1, 1], n_train=6, n_test=3)
    assert (published.df, published.model_se) == (5, 0)
    assert published.se == pytest.approx(got.se, rel=1e-12)


def test_many_cases_leave_the_degrees_of_the_splits():
    rng = np.random.default_rng(0)
    tables = [rs.tabulate([0, 1] * 30, rng.normal(size=60)) for _ in range(6)]
    assert repeated_auc_estimate(tables, n_train=120).df == 5
    # Weighted cases count as fewer: 1 and 1.5^2 / 1.25 = 1.8, and 1 of them trained on.
    light = [rs.tabulate([0, 1, 0], rng.normal(size=3), sample_weight=[1, 1, 0.5])] * 2
    assert repeated_auc_estimate(light, n_train=1).df == pytest.approx(1 / 2.8, rel=1e-12)
    assert repeated_auc_estimate(light, n_train=30).df == 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: corrected_estimate([0.5], n_train=1, n_test=1), "two splits or more"),
        (lambda: corrected_estimate([0.5, 2], n_train=1, n_test=1), "A value is 2.0, outside"),
        (lambda: corrected_estimate([0.5, np.nan], n_train=1, n_test=1), "A value is nan"),
        (lambda: corrected_estimate([0.5, 1], n_train=0, n_test=1), "must be positive"),
        (lambda: repeated_auc_estimate([rs.tabulate([0, 1], [0, 1])], n_train=2), "two tables"),
        (
            lambda: repeated_auc_estimate([rs.tabulate([0, 1], [0, 1])] * 2, n_train=0),
            "n_train is 0",
        ),
    ],
)
def test_messages_of_repeated(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_student_scale_is_the_textbook_interval():
    got = corrected_estimate([0.4, 0.5, 0.6], n_train=2, n_test=1)
    low, high = got.interval(scale="t")
    half = stats.t.ppf(0.975, 2) * got.se
    assert (low, high) == pytest.approx((max(0.5 - half, 0), min(0.5 + half, 1)), rel=1e-12)
    wide, narrow = (got.interval(scale=scale).width for scale in ("t", "identity"))
    assert wide > narrow


# --- the simulation that the docstrings quote -------------------------------------------------


@pytest.mark.no_cover
def test_the_simulation_of_coverage(monkeypatch):
    monkeypatch.setattr(simulated, "FITTED", simulated.FITTED[1:2])
    monkeypatch.setattr(simulated, "LEARNED", simulated.LEARNED[:1])
    monkeypatch.setattr(simulated, "CURVES", simulated.CURVES[:1])
    cells = [*simulated.fitted_cells(), *simulated.learned_cells()]
    rows = [row for cell in cells for row in cell.rows(30)]
    rows += simulated.curve_rows(30, np.random.default_rng(1))
    assert len({row.key for row in rows}) == len(rows)
    found = {(row.section, row.interval): row for row in rows}
    for key in (
        ("cross-validated area", "default"),
        ("vertical average", "prediction"),
    ):
        assert found[key].coverage >= 0.8
        assert (found[key].samples, found[key].width > 0) == (30, True)
    ratings = simulated.Situation(0.9, 30, 30, 3, kind="five ratings")
    sample = ratings.draw(np.random.default_rng(1))
    assert all(len(table) <= 5 for table in sample.tables)
    # The truth of a fitted model is what ever more of its cases would show.
    many = simulated.Situation(0.9, 200_000, 200_000, 2, kind="five ratings")
    sample = many.draw(np.random.default_rng(2))
    got = [rs.auc(table) for table in sample.tables]
    np.testing.assert_allclose(got, sample.areas, atol=3e-3)
    got = [rs.roc_curve(table).tpr_at(simulated.RATES) for table in sample.tables]
    np.testing.assert_allclose(got, sample.curves, atol=1e-2)
    skewed = simulated.Situation(0.9, 100_000, 100_000, 2, kind="exponential")
    sample = skewed.draw(np.random.default_rng(3))
    np.testing.assert_allclose([rs.auc(t) for t in sample.tables], sample.areas, atol=3e-3)
    # What models get on average is the mean over samples of the areas of their folds.
    for kind, many in (("Normal", 1000), ("five ratings", 1000), ("exponential", 100)):
        way = simulated.Situation(0.75, 5, 50, 5, kind=kind)
        rng = np.random.default_rng(4)
        areas = [np.mean(way.draw(rng).areas) for _ in range(many)]
        error = np.std(areas) / many**0.5
        assert abs(np.mean(areas) - way.learned_area()) < 4 * error < 0.025


@pytest.mark.parametrize("ends", [(1, 0), (0, np.inf), (0, 0), (0, np.nan)])
def test_a_range_without_ends_is_no_range(ends):
    with pytest.raises(ValueError, match="two finite numbers"):
        corrected_estimate([0.5, 0.6], n_train=9, n_test=1, range=ends)
