"""Which of several learning procedures is better: the same folds, corrected intervals and tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal, TypeAlias

import numpy as np

from rocspace._base.arrays import Array, ArrayLike, Ints, Vector
from rocspace._base.calls import explained
from rocspace._base.cards import Card
from rocspace._base.checks import check_rng
from rocspace._base.text import count
from rocspace._base.words import warn
from rocspace.averaging.folds import (
    corrected_estimate,
    corrected_se,
    repeated_auc_estimate,
    rows_of,
    scores_of,
)
from rocspace.compare.areas import AucComparison, Pairs, check_several, comparison_of
from rocspace.compare.multiplicity import Adjustment
from rocspace.counts.table import ScoreTable, SingleClassError, tabulate
from rocspace.estimators.crossed import checked_labels, checked_weight, fit_rows
from rocspace.estimators.needed import (
    Parallel,
    RepeatedStratifiedKFold,
    check_cv,
    clone,
    delayed,
    indexable,
)
from rocspace.estimators.nested import nested_areas
from rocspace.estimators.scorers import Scorer, scorer
from rocspace.results.estimates import Difference, Estimate, n_pairs_of

_FOLDS, _REPEATS = 5, 4

Method: TypeAlias = Literal["corrected", "nadeau-bengio", "nested"]
"""How the standard error of a mean difference is estimated, and its degrees of freedom."""


class EstimatorComparison(AucComparison):
    """Several learning procedures, compared on the same folds.

    Attributes
    ----------
    names, estimates, covariance, pairs, overall, distribution, df, adjustment, paired
        As for `AucComparison`, for the mean score over the splits.
    measure : str
        What was scored; larger is better.
    scores : ndarray of float64, shape (j, m)
        The score of each model in each split.
    n_train, n_test : float
        Mean numbers of cases that models were fitted to, and tested on.

    See Also
    --------
    compare_estimators, rocspace.plot.plot_forest, rocspace.plot.plot_comparison
    """

    measure: str
    scores: Vector
    n_train: float
    n_test: float

    @property
    def quantity(self) -> str:
        """What is compared, in the plural."""
        return super().quantity if self.measure == "auc" else f"{self.measure} scores"

    def _card(self) -> Card:
        shown = super()._card()
        cases = count(round(self.n_train))
        how = f"{len(self.scores)} test sets; models fitted anew to {cases} cases each"
        return replace(shown, rows={"Scored on": how, **shown.rows})

    def _columns(self) -> dict[str, Any]:
        found = super()._columns()
        return {name.replace("_auc", "_value"): column for name, column in found.items()}


@explained
def compare_estimators(
    estimators: Mapping[str, Any],
    X: Any,
    y: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    measure: str | Scorer = "auc",
    cv: Any = None,
    method: Method = "corrected",
    reference: str | None = None,
    adjust: Adjustment = "holm",
    n_jobs: int | None = None,
    rng: np.random.Generator | int | None = 0,
) -> EstimatorComparison:
    """Compare learning procedures by cross-validation on the same folds.

    Parameters
    ----------
    estimators : mapping of str to estimator
        Two or more, by name; they are cloned and not changed, so what they were fitted to before
        has no effect, which is warned of. A search, such as ``GridSearchCV``,
        is one of them and is tuned inside each training set: nested cross-validation.
    X : array, sparse matrix, data frame or list, n rows
        Features.
    y : array-like, shape (n,)
        Labels.
    sample_weight : array-like, shape (n,), optional
        Weight of each case: in the measure, and in fitting where an estimator's ``fit`` takes
        ``sample_weight``. A pipeline takes it where metadata routing is enabled and asked for.
    measure : str or Scorer, default "auc"
        A name as for `scorer`, or a scorer; measures for which lower is better are negative.
    cv : int, splitter or iterable of splits, optional
        The folds; by default five, stratified, in four random partitions.
    method : {"corrected", "nadeau-bengio", "nested"}, default "corrected"
        "corrected" is the variance of Nadeau and Bengio with the number of folds of one partition
        minus one as degrees of freedom, our own choice; "nadeau-bengio" takes all splits minus one,
        as published. "nested" is the nested cross-validation of Bates, Hastie and Tibshirani, of
        areas only: models are also fitted without two folds at a time.
    reference : str, optional
        Compare every other model with this one; by default all pairs are compared.
    adjust : str, default "holm"
        Adjustment of the p values, by a method of `rocspace.compare.adjusted_pvalues`.
    n_jobs : int, optional
        Processes that fit models.
    rng : numpy.random.Generator or int, default 0
        Source of the default folds, or its seed.

    Returns
    -------
    EstimatorComparison
        Mean scores, their covariance matrix, the test of equality, and the differences of pairs,
        with ``interval(level)`` and ``test()``.

    Raises
    ------
    SingleClassError
        If a test set lacks a class that the measure needs.
    ValueError
        If there are fewer than two models or splits, a score is undefined, or the measure has no
        finite range.

    Notes
    -----
    The question is which procedure learns the better models from training sets of this size, not
    which of the models at hand is better; for that, keep cases that no model saw and use
    `rocspace.compare_aucs`. Training sets overlap, so scores of splits are dependent: the variance
    of a mean difference is ``(1 / j + n_test / n_train) s^2`` for j splits, s the standard
    deviation of the differences, and interval and test are Student's t with it. The paper takes j -
    1 degrees of freedom. The default here is the number of folds minus one (training cases over
    test cases), because repeats test the same cases again; this is our own choice (docs, "Our own
    methods"). Weights change the scores and not the correction, which counts cases.

    "nested": the difference of two areas on a fold is compared with that of models which also lack
    another fold. From the mean square of these gaps the variance within folds, DeLong's for paired
    scores, is subtracted; the standard error is not below the one that takes folds for
    independent, nor above ``sqrt(K)`` times it, as in `rocspace.averaging.nested_cv_auc_estimate`,
    for K folds. The bias correction of the paper is left out; that areas are not means over cases,
    and Student's t with DeLong's degrees of freedom, are our adaptation.

    In simulations with two equally good procedures, 40 and 100 cases, and five folds in four
    partitions, the default test rejected 1 and 3.5 percent of true hypotheses at .05,
    "nadeau-bengio" 8 and 12.5, and a plain t test over splits 45 and 54.5 (200 samples). The
    default interval contained the mean true difference of the fitted models in 97 and 97 percent,
    "nested" in 95 and 93, and "nadeau-bengio" in 88 and 90 (100 samples).

    Folds are made once, and every model is fitted to each training set: j m fits; "nested" fits
    each j (K + 1) / 2 times.

    References
    ----------
    Nadeau and Bengio (2003), section 3, with the references at
    `rocspace.averaging.corrected_estimate`; Bengio and Grandvalet (2004), Corollary 3, on dependent
    folds; Bates, Hastie and Tibshirani (2023), Algorithm 1 and section 4.3, for "nested".

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> models = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    >>> found = compare_estimators(models, X, y)
    >>> pair = found.pair("bayes", "tree")
    >>> low, high = pair.difference.interval(0.95)
    >>> print(f"{pair.difference.value:.3f}, {low:.3f} to {high:.3f}")
    0.059, 0.021 to 0.097
    """
    given: Any = estimators
    if not isinstance(given, Mapping):
        msg = 'estimators must have names, as in compare_estimators({"a": one, "b": two}, X, y).'
        raise TypeError(msg)
    names = tuple(estimators)
    check_several("compare_estimators", names)
    _warn_of_fitted(estimators)
    way = scorer(measure) if isinstance(measure, str) else measure
    X, labels = indexable(X, checked_labels(y))
    weight = checked_weight(sample_weight, labels.size)
    splits = _splits(cv, X, labels, rng)
    n_train, n_test = (float(np.mean([len(split[side]) for split in splits])) for side in (0, 1))
    models = list(estimators.values())
    estimates: Sequence[Estimate]
    if method == "nested":
        nested = nested_areas(models, X, labels, weight, splits, way, n_jobs=n_jobs)
        scores, estimates = nested.areas, nested.estimates
        covariance, difference = nested.covariance(), nested.difference
    else:
        found = Parallel(n_jobs=n_jobs)(
            delayed(_fit_and_score)(clone(model), X, labels, weight, number, split, way)
            for model in models
            for number, split in enumerate(splits)
        )
        scores = np.array([score for score, _ in found]).reshape(len(names), -1).T
        _check_scores(scores, names, way.measure)
        sizes = n_train, n_test
        estimates = _corrected(scores, [table for _, table in found], way, sizes)
        covariance = (1 / len(splits) + n_test / n_train) * np.atleast_2d(np.cov(scores.T))
        difference = partial(_difference, scores, estimates, n_test / n_train, method)
    compared = comparison_of(
        names,
        estimates,
        covariance,
        Pairs(difference),
        reference=reference,
        adjust=adjust,
        distribution=None,
    )
    return EstimatorComparison(
        **compared.__getstate__(),
        measure=way.measure,
        scores=scores,
        n_train=n_train,
        n_test=n_test,
    )


def _warn_of_fitted(estimators: Mapping[str, Any]) -> None:
    """Warn of models that are fitted already: they are not what is compared."""
    fitted = [name for name, model in estimators.items() if hasattr(model, "classes_")]
    if fitted:
        first = fitted[0]
        warn(
            f"Fitted already: {', '.join(fitted)}. Learning procedures are compared here, so clones"
            " are fitted anew in each fold of X. To compare fitted models on cases that they did "
            "not see, say compare_aucs(pair_scores(y, {"
            f"{first!r}: model.predict_proba(X)[:, 1], ...}}))."
        )


def _splits(cv: Any, X: Any, y: Array, rng: Any) -> list[tuple[Ints, Ints]]:
    """Return the splits, the same for all models."""
    if cv is None:
        seed = int(check_rng(rng).integers(2**31))
        cv = RepeatedStratifiedKFold(n_splits=_FOLDS, n_repeats=_REPEATS, random_state=seed)
    made = check_cv(cv, y, classifier=True).split(X, y)
    found = [(np.asarray(train), np.asarray(test)) for train, test in made]
    if len(found) < 2:
        msg = "compare_estimators needs two splits or more: it uses the variance between them."
        raise ValueError(msg)
    return found


def _fit_and_score(
    model: Any,
    X: Any,
    y: Array,
    weight: Vector | None,
    number: int,
    split: tuple[Ints, Ints],
    way: Scorer,
) -> tuple[float, ScoreTable | None]:
    """Fit a model to a training set, and score it; of areas also count the scores."""
    train, test = split
    fit_rows(model, X, y, weight, train)
    new, label = rows_of(X, test), y[test]
    of_test = None if weight is None else weight[test]
    try:
        value = way(model, new, label, of_test)
    except SingleClassError as error:
        if len(set(label.tolist())) > 1:
            raise
        msg = (
            f"{way.measure} needs both classes in each test set, but in split {number} all "
            f"{len(test)} cases are {label.tolist()[0]!r}. Use stratified folds, as cv=None does."
        )
        raise SingleClassError(msg) from error
    if way.measure != "auc":
        return value, None
    positive = model.classes_[-1] if way.pos_label is None else way.pos_label
    score = scores_of(model, new, positive, way.response_method)
    return value, tabulate(label == positive, score, sample_weight=of_test)


def _check_scores(scores: Vector, names: tuple[str, ...], measure: str) -> None:
    bad = np.argwhere(~np.isfinite(scores))
    if bad.size:
        split, model = bad[0]
        msg = (
            f"{measure} of {names[model]!r} is {scores[split, model]} in split {split}. Use larger "
            "test sets, or a measure that is defined there."
        )
        raise ValueError(msg)


def _corrected(
    scores: Vector, tables: list[Any], way: Scorer, sizes: tuple[float, float]
) -> list[Estimate]:
    """Return the mean score of each model, with the corrected standard error."""
    n_train, n_test = sizes
    if way.measure == "auc":
        j = len(scores)
        return [
            repeated_auc_estimate(tables[i : i + j], n_train=n_train)
            for i in range(0, len(tables), j)
        ]
    return [
        corrected_estimate(column, n_train=n_train, n_test=n_test, range=way.range)
        for column in scores.T
    ]


def _difference(
    scores: Vector, estimates: Sequence[Estimate], overlap: float, method: Method, i: int, k: int
) -> Difference:
    """Return the mean difference of the scores of two models, with the corrected error."""
    (first, second), one, two = scores[:, [i, k]].T, estimates[i], estimates[k]
    spread = float(first.std()) * float(second.std())
    together = float(((first - first.mean()) * (second - second.mean())).mean())
    width = one.range[1] - one.range[0]
    return Difference(
        value=float((first - second).mean()),
        se=corrected_se(first - second, overlap),
        method="corrected resampled",
        n_pairs=min(n_pairs_of(one), n_pairs_of(two)),
        range=(-width, width),
        df=min(first.size - 1, max(1 / overlap, 1.0) if method == "corrected" else np.inf),
        first=one,
        second=two,
        correlation=together / spread if spread > 0 else float("nan"),
        usual="t",
    )
