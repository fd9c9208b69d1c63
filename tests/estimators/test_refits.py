"""Which candidate a search refits: by hand, and inside a search."""

import pickle

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from rocspace.estimators import LowerBoundRefit, SimplestRefit, scorer
from rocspace.estimators.refits import _limits

X, Y = make_classification(200, 6, flip_y=0.2, random_state=3)


RESULTS = {
    "params": [{"depth": 1, "alpha": 9}, {"depth": 2, "alpha": 5}, {"depth": 3, "alpha": 1}],
    "split0_test_score": np.array([0.80, 0.82, 0.70]),
    "split1_test_score": np.array([0.80, 0.81, 0.99]),
    "split2_test_score": np.array([0.79, 0.82, 0.80]),
    "mean_test_score": np.array([0.7967, 0.8167, 0.83]),
}


GRID = {"decisiontreeclassifier__max_depth": [1, 2, 4, 8]}
PIPE = make_pipeline(StandardScaler(), DecisionTreeClassifier(random_state=0))


def test_the_steady_candidate_has_the_higher_lower_end() -> None:
    # The third is best in the mean, .83, but its standard deviation is .147.
    assert RESULTS["mean_test_score"].argmax() == 2
    assert LowerBoundRefit()(RESULTS) == 1


def test_the_lower_end_by_hand() -> None:
    # Candidate 1: mean .81666, s = .0057735, 3 splits, overlap 1/2: se = s sqrt(1/3 + 1/2)
    # = .0052705; t(2, .95) = 4.302653: .816667 - .022677 = .793989.
    assert _limits(RESULTS, "score", 0.95, None)[1][1] == pytest.approx(0.793989, abs=1e-6)
    # Twice as many splits as folds overlap more: n_folds=2 gives overlap 1.
    assert _limits(RESULTS, "score", 0.95, 2)[1][1] == pytest.approx(0.787982, abs=1e-6)


def test_the_simplest_within_the_interval_of_the_best() -> None:
    assert SimplestRefit("depth")(RESULTS) == 0
    assert SimplestRefit("-depth")(RESULTS) == 2
    assert SimplestRefit(("-alpha", "depth"))(RESULTS) == 0
    assert SimplestRefit(lambda params: abs(params["depth"] - 2))(RESULTS) == 1
    # At a low level the interval is short, and only the best lies in it.
    assert SimplestRefit("depth", level=0.01)(RESULTS) == 2


def test_refits_inside_a_search() -> None:
    names = ("decisiontreeclassifier__max_depth",)
    chosen = []
    for refit in (LowerBoundRefit("auc"), SimplestRefit(names, score="auc")):
        search = GridSearchCV(PIPE, GRID, scoring={"auc": scorer("auc")}, refit=refit, cv=3)
        found = pickle.loads(pickle.dumps(search.fit(X, Y)))
        assert found.best_estimator_.predict(X).shape == Y.shape
        chosen.append(found.best_params_[names[0]])
    assert chosen[1] <= chosen[0]


def test_refits_say_what_is_missing() -> None:
    with pytest.raises(ValueError, match="score 'auk'"):
        LowerBoundRefit("auk")(RESULTS)
    with pytest.raises(ValueError, match=r"parameter 'dept'.*Did you mean 'depth'"):
        SimplestRefit("dept")(RESULTS)
    with pytest.raises(ValueError, match="at least two splits"):
        LowerBoundRefit()({"split0_test_score": [1.0], "params": [{}]})


def test_scores_that_failed_are_passed_over() -> None:
    lost = {**RESULTS, "split1_test_score": np.array([0.80, np.nan, 0.99])}
    assert LowerBoundRefit()(lost) == 0
    assert SimplestRefit("-depth")(lost) == 2
    none = {**RESULTS, "split1_test_score": np.full(3, np.nan)}
    assert LowerBoundRefit()(none) == 0
    assert SimplestRefit("-depth")(none) == 0


def test_of_equal_candidates_the_first_and_of_equally_simple_ones_the_best() -> None:
    same = {**RESULTS, **{f"split{i}_test_score": np.full(3, 0.8) for i in range(3)}}
    assert LowerBoundRefit()(same) == 0
    assert SimplestRefit(lambda params: 0)(RESULTS) == 2
    assert SimplestRefit(lambda params: params["depth"] // 3)(RESULTS) == 1


def test_splits_are_those_of_the_score_that_is_named() -> None:
    two = {
        "params": [{}, {}],
        **{f"split{i}_test_auc": np.array([0.9, 0.8 + i / 100]) for i in range(3)},
        **{f"split{i}_test_loss": np.array([0.1, 0.7 - i / 100]) for i in range(3)},
        **{f"split{i}_train_auc": np.array([0.1, 0.99]) for i in range(3)},
    }
    assert LowerBoundRefit("auc")(two) == 0
    assert LowerBoundRefit("loss")(two) == 1
    with pytest.raises(ValueError, match="n_folds is 1, but cases are divided into at least two"):
        LowerBoundRefit("auc", n_folds=1)(two)
    assert LowerBoundRefit("auc", n_folds=2)(two) == 0
    with pytest.raises(ValueError, match="level"):
        LowerBoundRefit("auc", level=95)(two)
