"""Displays: the curves, bands and numbers of the functions, of models, predictions and folds."""

from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure
from numpy.testing import assert_allclose
from sklearn.calibration import calibration_curve as binned_by_scikit_learn
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import cross_validate
from sklearn.naive_bayes import GaussianNB

import rocspace as rs
from rocspace import averaging, bands, calibrate
from rocspace.calibrate import calibration_curve
from rocspace.estimators import CalibrationDisplay, DetDisplay, PrDisplay, RocDisplay

X, Y = make_classification(240, 6, flip_y=0.2, weights=[0.7], random_state=3)
MODEL = LogisticRegression().fit(X[:120], Y[:120])
NEW, TRUE = X[120:], Y[120:]
P = MODEL.predict_proba(NEW)[:, 1]
TABLE = rs.tabulate(TRUE, P)
CV = cross_validate(LogisticRegression(), X, Y, cv=4, return_estimator=True, return_indices=True)
FOLDS = averaging.cv_tables(CV, X, Y)
DISPLAYS = [RocDisplay, PrDisplay, DetDisplay, CalibrationDisplay]


def axes() -> Any:
    return Figure().subplots()


def shaded(display: Any) -> Any:
    """The corners of what is shaded."""
    ax = display.ax_
    return ax.collections[0].get_paths()[0].vertices if ax.collections else ax.patches[0].get_xy()


@pytest.mark.parametrize("kind", DISPLAYS)
def test_a_model_and_its_predictions_are_drawn_alike(kind: Any) -> None:
    one = kind.from_estimator(MODEL, NEW, TRUE, ax=axes(), color="red")
    two = kind.from_predictions(TRUE, P, name="LogisticRegression", ax=axes())
    assert one.tables == two.tables == (TABLE,)
    assert np.array_equal(one.line_.get_xydata(), two.line_.get_xydata(), equal_nan=True)
    assert one.line_.get_label() == two.line_.get_label()
    assert one.line_.get_color() == "red"
    assert one.figure_ is one.ax_.figure
    assert one.ax_.get_legend() is not None
    again = one.plot(ax=axes(), band=False)
    assert not again.ax_.collections
    assert not again.ax_.patches


def test_legends_give_the_numbers_of_the_functions() -> None:
    said = {kind: kind.from_estimator(MODEL, NEW, TRUE, ax=axes()) for kind in DISPLAYS}
    found = {kind: display.line_.get_label() for kind, display in said.items()}
    low, high = rs.delong(TABLE).interval()
    auc = f"LogisticRegression (AUC {rs.auc(TABLE):.3f}, {low:.3f} to {high:.3f})"
    assert found[RocDisplay] == found[DetDisplay] == auc
    assert f"area {rs.curves.pr_area(TABLE):.3f}" in found[PrDisplay]
    slope = calibrate.calibration_estimates(TABLE).slope_estimate
    assert f"slope {slope.value:.3f}" in found[CalibrationDisplay]


def test_the_level_is_that_of_band_and_legend() -> None:
    narrow, wide = (
        RocDisplay.from_predictions(TRUE, P, ax=axes(), level=level) for level in (0.5, 0.99)
    )
    assert np.ptp(shaded(narrow)[:, 1]) <= np.ptp(shaded(wide)[:, 1])
    low, high = rs.delong(TABLE).interval(0.5)
    assert f"{low:.3f} to {high:.3f}" in narrow.line_.get_label()


def test_bands_on_other_axes_hold_the_same_points() -> None:
    """A point of the ROC graph lies in the band there just if it lies in that of precision."""
    from matplotlib.path import Path

    band = bands.roc_band(TABLE)
    region = Path(shaded(PrDisplay.from_predictions(TRUE, P, ax=axes())))
    rng = np.random.default_rng(1)
    fpr, tpr = rng.random(400), rng.random(400)
    low, high = (np.interp(fpr, band.fpr, edge) for edge in (band.low, band.high))
    inside = (low < tpr) & (tpr < high)
    near = np.minimum(abs(tpr - low), abs(tpr - high)) < 0.02
    precision = tpr * TABLE.n_pos / (tpr * TABLE.n_pos + fpr * TABLE.n_neg)
    drawn = region.contains_points(np.column_stack([tpr, precision]))
    assert inside[~near].sum() > 20
    assert (~inside[~near]).sum() > 20
    assert (drawn == inside)[~near].mean() > 0.99


@pytest.mark.parametrize("kind", DISPLAYS)
def test_folds(kind: Any) -> None:
    shown = kind.from_cv_results(CV, X, Y, ax=axes())
    assert shown.tables == tuple(FOLDS.values())
    thin = [line for line in shown.ax_.lines if line.get_label() == "_each"]
    assert len(thin) == (0 if kind is CalibrationDisplay else 4)
    label = shown.line_.get_label()
    if kind in (RocDisplay, DetDisplay):
        estimate = rs.cv_auc_estimate(FOLDS)
        assert label.startswith(f"LogisticRegression (4 folds: AUC {estimate.value:.3f}, ")
    if kind is PrDisplay:
        areas = [rs.curves.pr_area(table) for table in FOLDS.values()]
        assert f"4 folds: area {np.mean(areas):.3f}" in label
    if kind is RocDisplay:
        average = rs.vertical_average(FOLDS)
        at = shown.line_.get_xydata()
        assert np.abs(np.interp(average.fpr, *at.T) - average.tpr).max() < 0.2


@pytest.mark.parametrize("kind", DISPLAYS)
def test_two_models_have_two_colours(kind: Any) -> None:
    ax = axes()
    one = kind.from_cv_results(CV, X, Y, ax=ax, name="a")
    two = kind.from_cv_results(CV, X, Y, ax=ax, name="b")
    assert one.line_.get_color() != two.line_.get_color()
    assert len(ax.get_legend().get_texts()) == 2


@pytest.mark.parametrize("kind", DISPLAYS)
def test_weights(kind: Any) -> None:
    weight = np.where(np.arange(120) % 3, 1.0, 2.5)
    shown = kind.from_predictions(TRUE, P, sample_weight=weight, ax=axes())
    assert shown.tables == (rs.tabulate(TRUE, P, sample_weight=weight),)


def test_labels_and_scores_of_other_kinds() -> None:
    words = np.array(["ill", "well"])[Y]
    model = RidgeClassifier().fit(X, words)
    score = model.decision_function(X)
    one = RocDisplay.from_estimator(model, X, words, ax=axes(), pos_label="ill")
    assert one.tables == (rs.tabulate(words == "ill", -score),)
    two = RocDisplay.from_estimator(model, X, words, ax=axes())
    assert two.tables == (rs.tabulate(words == "well", score),)
    with pytest.raises(ValueError, match="pos_label="):
        RocDisplay.from_predictions(words, score, ax=axes())
    with pytest.raises(TypeError, match="no predict_proba"):
        CalibrationDisplay.from_estimator(model, X, words, ax=axes())
    with pytest.raises(ValueError, match="plot_one_vs_rest"):
        RocDisplay.from_estimator(GaussianNB().fit(X, np.arange(240) % 3), X, Y, ax=axes())
    with pytest.raises(rs.SingleClassError, match="RocDisplay"):
        RocDisplay.from_predictions([1, 1], [0.1, 0.2], ax=axes())
    with pytest.raises(ValueError, match="return_estimator=True"):
        RocDisplay.from_cv_results({}, X, Y, ax=axes())


def test_probabilities_of_0_and_1_have_no_slope() -> None:
    shown = CalibrationDisplay.from_predictions([0, 1, 0, 1], [0.0, 0.4, 0.6, 1.0], ax=axes())
    assert shown.line_.get_label() == "Classifier"


@pytest.mark.parametrize(
    ("options", "bins", "strategy"),
    [
        ({"n_bins": 7}, 7, "uniform"),
        ({"n_bins": 6, "strategy": "quantile"}, 6, "quantile"),
        ({"strategy": "uniform"}, 5, "uniform"),
    ],
    ids=str,
)
def test_calibration_in_groups_as_in_scikit_learn(options, bins, strategy) -> None:
    """Equally wide groups are those of scikit-learn; its quantiles part cases of a score."""
    shown = CalibrationDisplay.from_predictions(TRUE, P, ax=axes(), **options)
    groups = calibration_curve(rs.tabulate(TRUE, P), bins=bins, strategy=strategy)
    assert_allclose(shown.line_.get_xydata(), np.stack([groups.predicted, groups.observed], 1))
    assert shown.line_.get_marker() == "o"
    (bars,) = shown.ax_.collections
    ends = np.stack([np.stack([groups.predicted, end], 1) for end in (groups.low, groups.high)], 1)
    assert_allclose(bars.get_segments(), ends)
    if strategy == "uniform":
        theirs = binned_by_scikit_learn(TRUE, P, n_bins=bins)
        assert_allclose([groups.observed, groups.predicted], theirs, rtol=1e-12)
    bare = shown.plot(ax=axes(), band=False, **options)
    assert not bare.ax_.collections
    assert (
        bare.line_.get_label()
        == CalibrationDisplay.from_predictions(TRUE, P, ax=axes()).line_.get_label()
    )
    smooth = shown.plot(ax=axes())
    assert smooth.line_.get_marker() == "None"


def test_groups_of_a_model_and_of_folds() -> None:
    shown = CalibrationDisplay.from_estimator(MODEL, NEW, TRUE, ax=axes(), n_bins=4)
    groups = calibration_curve(shown.tables[0], bins=4, strategy="uniform")
    assert_allclose(shown.line_.get_ydata(), groups.observed)
    folds = CalibrationDisplay.from_cv_results(CV, X, Y, ax=axes(), strategy="quantile")
    groups = calibration_curve(rs.counts.merge(*folds.tables), bins=5)
    assert_allclose(folds.line_.get_ydata(), groups.observed)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"n_bins": 0}, "n_bins is 0"),
        ({"n_bins": 2.5}, "n_bins is 2.5"),
        ({"strategy": "kmeans"}, "strategy is 'kmeans'.*uniform"),
    ],
    ids=str,
)
def test_groups_that_cannot_be(options, said) -> None:
    with pytest.raises(ValueError, match=said):
        CalibrationDisplay.from_predictions(TRUE, P, ax=axes(), **options)


def test_each_display_has_a_figure_of_its_own_unless_axes_are_given() -> None:
    plt = pytest.importorskip("matplotlib.pyplot")
    try:
        y, p = [0, 0, 1, 0, 1, 1], [0.1, 0.3, 0.4, 0.5, 0.7, 0.9]
        one = RocDisplay.from_predictions(y, p, name="one")
        two = RocDisplay.from_predictions(y, p, name="two")
        assert one.figure_ is not two.figure_
        assert len(plt.get_fignums()) == 2
        both = RocDisplay.from_predictions(y, p, name="three", ax=one.ax_)
        assert both.ax_ is one.ax_
        assert len(plt.get_fignums()) == 2
    finally:
        plt.close("all")


@pytest.mark.parametrize("kind", DISPLAYS)
def test_a_model_that_is_not_fitted_is_told(kind: Any) -> None:
    with pytest.raises(ValueError, match=r"GaussianNB has no classes_\. Fit it first"):
        kind.from_estimator(GaussianNB(), X, Y)


def test_a_display_says_what_it_is_of() -> None:
    shown = RocDisplay.from_predictions([0, 0, 1, 0, 1], [1, 2, 3, 4, 5], name="new", ax=axes())
    assert repr(shown) == "RocDisplay(new: 2 positives, 3 negatives)"
    folds = PrDisplay.from_cv_results(CV, X, Y, ax=axes())
    n_pos = int(Y.sum())
    said = f"4 folds, {n_pos} positives, {Y.size - n_pos} negatives"
    assert repr(folds) == f"PrDisplay(LogisticRegression: {said})"


def test_labels_that_the_model_does_not_know_are_named() -> None:
    words = np.where(TRUE == 1, "yes", "no")
    first, second = dict.fromkeys(words.tolist())
    wrong = rf"y has the labels '{first}', '{second}', but the model knows 0, 1\. Pass y"
    with pytest.raises(ValueError, match=wrong):
        RocDisplay.from_estimator(MODEL, NEW, words, ax=axes())
    same = RocDisplay.from_estimator(MODEL, NEW, TRUE.astype(bool), ax=axes())
    assert same.tables == (TABLE,)
