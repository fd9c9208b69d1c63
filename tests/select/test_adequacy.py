"""Fitted scores against chance: by enumeration, and whether the tests hold."""

from itertools import combinations

import numpy as np
import pytest

import rocspace as rs
from learners import by_means
from rocspace.counts import SingleClassError
from rocspace.inference import auc_test
from rocspace.select import adequacy_test


def as_it_is(x, y):
    """A score that nothing was fitted for."""
    return lambda new: new


def test_permutations_by_enumeration():
    # All 10 ways to call 2 of 5 cases positive, the fit redone for each.
    x = np.array([[0.0, 1.0], [2.0, 0.5], [1.0, 3.0], [-1.0, 0.2], [0.3, -2.0]])
    y = np.array([True, True, False, False, False])
    areas = []
    for pair in combinations(range(5), 2):
        label = np.isin(np.arange(5), pair)
        areas.append(rs.auc_score(label, by_means(x, label)(x)))
    exact = np.mean(np.array(areas) >= areas[0] - 1e-12)
    found = adequacy_test(by_means, x, y, n_perm=3000, rng=1)
    assert found.statistic == areas[0]
    assert found.pvalue == pytest.approx(exact, abs=4 * (exact * (1 - exact) / 3000) ** 0.5 + 1e-3)
    assert found.difference == pytest.approx(areas[0] - np.mean(areas), abs=0.02)


def test_five_hundred_permutations_if_not_asked_for_more():
    y = np.arange(20) < 10
    assert adequacy_test(as_it_is, y * 1.0, y, rng=1).pvalue == 1 / 501


def test_without_fitting_it_is_the_mann_whitney_test():
    rng = np.random.default_rng(2)
    y = np.arange(60) < 25
    x = rng.normal(size=60) + 0.5 * y
    plain = auc_test(rs.tabulate(y, x), alternative="greater")
    for method in ("permutation", "bootstrap"):
        found = adequacy_test(as_it_is, x, y, method=method, n_perm=3000, rng=1)
        # Four standard errors of 3000 permutations; the plain test is that of a Normal law.
        assert found.pvalue == pytest.approx(plain.pvalue, abs=0.03)
        assert found.difference == pytest.approx(plain.difference, abs=0.01)


def test_the_split_tests_what_was_held_out():
    rng = np.random.default_rng(3)
    y = np.arange(40) < 10
    x = rng.normal(size=(40, 3))
    seen = []

    def fit(features, label):
        seen.append((features, label))

        def score(new):
            seen.append(new)
            return by_means(features, label)(new)

        return score

    found = adequacy_test(fit, x, y, method="split", test_share=0.3, rng=1)
    (train, label), test = seen
    assert (len(train), label.sum(), len(test)) == (28, 7, 12)
    assert not {tuple(row) for row in train} & {tuple(row) for row in test}
    held = np.array([(row == x).all(axis=1).argmax() for row in test])
    alone = auc_test(rs.tabulate(y[held], by_means(train, label)(test)), alternative="greater")
    assert (found.statistic, found.pvalue) == (alone.statistic, alone.pvalue)


@pytest.mark.no_cover
@pytest.mark.parametrize("method", ["permutation", "split", "bootstrap"])
def test_they_hold_where_the_plain_test_does_not(method):
    rng, plain, ours = np.random.default_rng(4), [], []
    y = np.arange(40) < 15
    for _ in range(150):
        x = rng.normal(size=(40, 8))
        score = by_means(x, y)(x)
        plain.append(auc_test(rs.tabulate(y, score), alternative="greater").pvalue)
        ours.append(adequacy_test(by_means, x, y, method=method, n_perm=39, rng=rng).pvalue)
    assert (np.array(plain) <= 0.05).mean() > 0.8
    # The bootstrap repeats cases, so that less can be fitted: its size here is about .1.
    size = 0.1 if method == "bootstrap" else 0.05
    assert (np.array(ours) <= 0.05).mean() < size + 3 * (size * (1 - size) / 150) ** 0.5
    assert 0.35 < np.mean(ours) < 0.7


@pytest.mark.parametrize("method", ["permutation", "split", "bootstrap"])
def test_they_find_what_is_there(method):
    rng = np.random.default_rng(5)
    y = np.arange(200) < 80
    x = rng.normal(size=(200, 5)) + 0.8 * y[:, None]
    assert adequacy_test(by_means, x, y, method=method, n_perm=99, rng=1).pvalue <= 0.01


def test_one_seed_one_answer():
    rng = np.random.default_rng(6)
    y, x = np.arange(30) < 12, rng.normal(size=(30, 4))
    one, two, other = (adequacy_test(by_means, x, y, n_perm=60, rng=k) for k in (1, 1, 2))
    assert one == two
    assert one.difference != other.difference


@pytest.mark.parametrize("method", ["permutation", "split", "bootstrap"])
def test_a_classifier_is_cloned_and_fitted(method):
    linear_model = pytest.importorskip("sklearn.linear_model")
    rng = np.random.default_rng(7)
    y = np.arange(40) < 15
    x = rng.normal(size=(40, 3)) + 0.8 * y[:, None]
    model = linear_model.LogisticRegression(random_state=0)

    def by_hand(features, label):
        fitted = linear_model.LogisticRegression().fit(features, label)
        return lambda new: fitted.predict_proba(new)[:, 1]

    options = {"method": method, "n_perm": 20, "rng": 1}
    assert adequacy_test(model, x, y, **options) == adequacy_test(by_hand, x, y, **options)
    assert not hasattr(model, "classes_")
    # A single feature, and a classifier that decides.
    ridge = linear_model.RidgeClassifier(random_state=0)
    found = adequacy_test(ridge, x[:, 0], y, **options)
    assert 0 < found.pvalue <= 1


def test_a_random_classifier_takes_the_seed():
    ensemble = pytest.importorskip("sklearn.ensemble")
    rng = np.random.default_rng(8)
    y, x = np.arange(24) < 10, rng.normal(size=(24, 2))
    model = ensemble.RandomForestClassifier(n_estimators=3, max_depth=2)
    one, two = (adequacy_test(model, x, y, n_perm=5, rng=3) for _ in range(2))
    assert one == two


def test_what_is_no_classifier():
    tree = pytest.importorskip("sklearn.tree")
    x, y = np.zeros((4, 2)), [1, 0, 1, 0]
    with pytest.raises(TypeError, match=r"Give DecisionTreeClassifier\(\.\.\.\), not the class"):
        adequacy_test(tree.DecisionTreeClassifier, x, y)
    with pytest.raises(TypeError, match="must be a classifier with predict_proba"):
        adequacy_test(tree.DecisionTreeRegressor(), x, y)
    with pytest.raises(TypeError, match="fit is 'logistic', but must be"):
        adequacy_test("logistic", x, y)


def test_messages():
    x, y = np.zeros((4, 2)), [1, 0, 1, 0]
    with pytest.raises(ValueError, match=r"values 'no', 'yes'; give booleans.*y_true == 'yes'"):
        adequacy_test(by_means, x, ["no", "yes", "no", "yes"])
    with pytest.raises(ValueError, match=r"values 1, 2; give booleans.*y_true == 2"):
        adequacy_test(by_means, x, [1, 2, 1, 2])
    with pytest.raises(ValueError, match="method is 'permute'"):
        adequacy_test(by_means, x, y, method="permute")
    with pytest.raises(ValueError, match=r"features has shape \(3, 2\) and y_true \(4,\)"):
        adequacy_test(by_means, x[:3], y)
    with pytest.raises(ValueError, match="n_perm is 0"):
        adequacy_test(by_means, x, y, n_perm=0)
    with pytest.raises(ValueError, match="test_share is 1, but must lie"):
        adequacy_test(by_means, x, y, method="split", test_share=1)
    with pytest.raises(SingleClassError, match="4 positives and 0 negatives"):
        adequacy_test(by_means, x, [True] * 4)
    with pytest.raises(SingleClassError, match="needs at least 2 positives"):
        adequacy_test(by_means, x, [1, 0, 0, 0], method="split")
    with pytest.raises(ValueError, match="features has missing values"):
        adequacy_test(by_means, np.ma.masked_equal(x, 0), y)
