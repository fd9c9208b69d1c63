"""Several learning procedures on the same folds: the corrected test, by hand and by definition."""

from typing import Any

import numpy as np
import pytest
import sklearn
from matplotlib.figure import Figure
from scipy import stats
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.linear_model import RidgeClassifier
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    StratifiedKFold,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

import rocspace as rs
from rocspace import averaging
from rocspace.estimators import compare_estimators, scorer
from rocspace.plot import plot_comparison, plot_forest

X, Y = make_classification(120, 6, flip_y=0.2, random_state=3)
MODELS = {
    "bayes": GaussianNB(),
    "tree": DecisionTreeClassifier(max_depth=3, random_state=0),
    "ridge": RidgeClassifier(),
}
CV = StratifiedKFold(4, shuffle=True, random_state=1)
FOUND = compare_estimators(MODELS, X, Y, cv=CV)


def test_scores_are_those_of_cross_validation() -> None:
    for i, model in enumerate(MODELS.values()):
        theirs = cross_validate(model, X, Y, cv=CV, scoring="roc_auc")["test_score"]
        assert FOUND.scores[:, i] == pytest.approx(theirs)
    assert (FOUND.n_train, FOUND.n_test) == (90, 30)
    assert not hasattr(MODELS["bayes"], "classes_")


def test_the_corrected_test_by_its_definition() -> None:
    gap = FOUND.scores[:, 0] - FOUND.scores[:, 1]
    se = np.sqrt((1 / 4 + 30 / 90) * gap.var(ddof=1))
    pair = FOUND.pair("bayes", "tree")
    assert pair.difference.value == pytest.approx(gap.mean())
    assert pair.difference.se == pytest.approx(se)
    assert pair.test.pvalue == pytest.approx(2 * stats.t.sf(abs(gap.mean() / se), 3))
    low, high = pair.difference.interval()
    assert (low + high) / 2 == pytest.approx(gap.mean())
    assert (high - low) / 2 == pytest.approx(stats.t.ppf(0.975, 3) * se)
    contrast = np.array([1, -1, 0])
    assert contrast @ FOUND.covariance @ contrast == pytest.approx(se**2)


def test_repeats_add_no_degrees_of_freedom() -> None:
    """Four partitions into five folds: the correction 1/20 + 1/4, and four degrees of freedom."""
    found = compare_estimators({name: MODELS[name] for name in ("bayes", "tree")}, X, Y)
    gap = found.scores[:, 0] - found.scores[:, 1]
    assert gap.size == 20
    se = np.sqrt((1 / 20 + 1 / 4) * gap.var(ddof=1))
    pair = found.pairs[0]
    assert pair.difference.se == pytest.approx(se)
    assert pair.difference.df == 4
    assert pair.test.pvalue == pytest.approx(2 * stats.t.sf(abs(gap.mean() / se), 4))
    low, high = pair.difference.interval(1 - pair.test.pvalue)  # test and interval agree
    assert min(abs(low), abs(high)) == pytest.approx(0, abs=1e-9)


def test_single_areas_are_those_of_repeated_cross_validation() -> None:
    results = cross_validate(GaussianNB(), X, Y, cv=CV, return_estimator=True, return_indices=True)
    tables = averaging.cv_tables(results, X, Y)
    assert FOUND.estimate("bayes") == averaging.repeated_auc_estimate(tables, n_train=90)


def test_default_folds_come_from_the_seed() -> None:
    two = {name: MODELS[name] for name in ("bayes", "ridge")}
    one, again, other = (compare_estimators(two, X, Y, rng=seed) for seed in (1, 1, 2))
    assert one == again
    assert one != other
    assert one.scores.shape == (20, 2)


def test_a_search_is_tuned_inside_each_training_set() -> None:
    grid = {"max_depth": [1, 2, 4]}
    tuned = GridSearchCV(DecisionTreeClassifier(random_state=0), grid, scoring=scorer("auc"), cv=3)
    found = compare_estimators({"tuned": tuned, "bayes": GaussianNB()}, X, Y, cv=CV)
    wanted = cross_validate(tuned, X, Y, cv=CV, scoring="roc_auc")["test_score"]
    assert found.scores[:, 0] == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("measure", "sign"),
    [("brier_score", -1), ("f_score", 1), ("tpr@fpr<=0.2", 1), (scorer("net_benefit@0.3"), 1)],
)
def test_other_measures(measure: Any, sign: int) -> None:
    two = {name: MODELS[name] for name in ("bayes", "tree")}
    found = compare_estimators(two, X, Y, cv=CV, measure=measure)
    way = scorer(measure) if isinstance(measure, str) else measure
    theirs = cross_validate(GaussianNB(), X, Y, cv=CV, scoring=way)["test_score"]
    assert found.scores[:, 0] == pytest.approx(theirs)
    assert np.sign(found.estimates[0].value) == sign
    low, high = found.estimates[0].interval()
    assert way.range[0] <= low < high <= way.range[1]
    ax = plot_comparison(found, ax=Figure().subplots())
    assert f"Difference of {way.measure} scores" in ax.get_xlabel()


WEIGHT = np.random.default_rng(2).integers(1, 5, 120).astype(float)


@pytest.mark.parametrize("measure", ["auc", "brier_score"])
def test_weights_are_fitted_and_scored_with(measure: str) -> None:
    two = {name: MODELS[name] for name in ("bayes", "tree")}
    found = compare_estimators(two, X, Y, sample_weight=WEIGHT, measure=measure, cv=CV)
    for i, model in enumerate(two.values()):
        for j, (train, test) in enumerate(CV.split(X, Y)):
            fitted = clone(model).fit(X[train], Y[train], sample_weight=WEIGHT[train])
            value = scorer(measure)(fitted, X[test], Y[test], WEIGHT[test])
            assert found.scores[j, i] == pytest.approx(value)
    ones = compare_estimators(two, X, Y, sample_weight=np.ones(120), measure=measure, cv=CV)
    plain = compare_estimators(two, X, Y, measure=measure, cv=CV)
    assert ones.scores == pytest.approx(plain.scores)
    assert not np.allclose(found.scores, plain.scores)
    low, high = found.estimates[0].interval()
    assert low < found.estimates[0].value < high


def test_weights_go_where_fit_takes_them() -> None:
    two = {"neighbours": KNeighborsClassifier(), "bayes": make_pipeline(GaussianNB())}
    found = compare_estimators(two, X, Y, sample_weight=WEIGHT, cv=CV)
    train, test = next(CV.split(X, Y))
    fitted = KNeighborsClassifier().fit(X[train], Y[train])
    assert found.scores[0, 0] == scorer("auc")(fitted, X[test], Y[test], WEIGHT[test])
    with sklearn.config_context(enable_metadata_routing=True):
        asked = make_pipeline(GaussianNB().set_fit_request(sample_weight=True))
        tree = MODELS["tree"].set_fit_request(sample_weight=True)
        routed = compare_estimators(
            {"bayes": asked, "tree": tree}, X, Y, sample_weight=WEIGHT, cv=CV
        )
    straight = compare_estimators(
        {"bayes": GaussianNB(), "tree": MODELS["tree"]}, X, Y, sample_weight=WEIGHT, cv=CV
    )
    assert routed.scores == pytest.approx(straight.scores)
    with pytest.raises(ValueError, match=r"sample_weight|119"):
        compare_estimators(MODELS, X, Y, sample_weight=WEIGHT[1:])


def test_the_published_degrees_of_freedom() -> None:
    two = {name: MODELS[name] for name in ("bayes", "tree")}
    published, ours = (
        compare_estimators(two, X, Y, method=m) for m in ("nadeau-bengio", "corrected")
    )
    gap = published.scores[:, 0] - published.scores[:, 1]
    pair = published.pairs[0]
    assert (pair.difference.df, ours.pairs[0].difference.df) == (19, 4)
    assert pair.difference.se == ours.pairs[0].difference.se
    t = gap.mean() / np.sqrt((1 / 20 + 1 / 4) * gap.var(ddof=1))
    assert pair.test.pvalue == pytest.approx(2 * stats.t.sf(abs(t), 19))
    with pytest.raises(ValueError, match="method"):
        compare_estimators(two, X, Y, method="repeats")  # type: ignore[arg-type]


# --- nested cross-validation ------------------------------------------------------------------


def test_several_classes() -> None:
    x, y = make_classification(150, 6, n_informative=4, n_classes=3, random_state=3)
    two = {name: MODELS[name] for name in ("bayes", "tree")}
    found = compare_estimators(two, x, y, cv=3, measure="hand_till")
    assert ((found.scores > 0.5) & (found.scores <= 1)).all()


def test_equal_models_are_not_different() -> None:
    found = compare_estimators({"a": GaussianNB(), "b": GaussianNB()}, X, Y, cv=CV)
    assert found.pairs[0].difference.value == 0
    assert found.pairs[0].adjusted_pvalue == 1


def test_results_are_shown_and_framed() -> None:
    frame = FOUND.to_frame(backend="pandas")
    assert list(frame["first"]) == ["bayes", "bayes", "tree"]
    assert {"first_value", "difference", "low", "high", "adjusted_pvalue"} <= set(frame)
    assert "bayes minus tree" in str(FOUND)
    assert len(plot_forest(FOUND, ax=Figure().subplots()).get_yticklabels()) == 3
    against = compare_estimators(MODELS, X, Y, cv=CV, reference="tree", adjust="none")
    assert [(p.first, p.second) for p in against.pairs] == [("bayes", "tree"), ("ridge", "tree")]


def test_what_cannot_be_compared_is_said() -> None:
    two = {name: MODELS[name] for name in ("bayes", "tree")}
    with pytest.raises(ValueError, match="compare_estimators needs at least two"):
        compare_estimators({"bayes": GaussianNB()}, X, Y)
    with pytest.raises(ValueError, match="two splits or more"):
        compare_estimators(two, X, Y, cv=[(np.arange(60), np.arange(60, 120))])
    with pytest.raises(rs.SingleClassError, match=r"auc needs .* in split 0 all 40 cases are 0\."):
        compare_estimators(two, np.sort(X, axis=0), np.sort(Y), cv=KFold(3))
    with pytest.raises(ValueError, match=r"ppv of 'bayes' is nan in split 0"):
        compare_estimators(two, X, np.arange(120) >= 118, cv=2, measure="ppv")
    with pytest.raises(ValueError, match="range"):
        compare_estimators(two, X, Y, cv=2, measure="auprg")


def test_models_that_are_fitted_already_are_warned_of() -> None:
    """They are cloned; the numbers are those of models that were never fitted."""
    fitted = {"bayes": GaussianNB().fit(X, Y), "tree": MODELS["tree"]}
    with pytest.warns(UserWarning, match=r"^Fitted already: bayes\..*compare_aucs\(pair_scores\("):
        found = compare_estimators(fitted, X, Y, cv=CV)
    pair = {name: MODELS[name] for name in fitted}
    assert found == compare_estimators(pair, X, Y, cv=CV)


def test_a_printed_comparison_says_what_was_fitted() -> None:
    assert "4 test sets; models fitted anew to 90 cases each" in str(FOUND)
