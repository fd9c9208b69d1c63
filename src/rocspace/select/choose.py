"""Choose one of many models by any measure, and find out whether the measure chooses well.

A measure is good for choosing if the model that it chooses on one sample ranks best on another.
`select_model` chooses among scores; `selection_experiment` splits data repeatedly, trains many
models, lets each measure choose on validation data, and evaluates the choices on test data.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Literal, TypeAlias

import numpy as np

from rocspace._base import checks
from rocspace._base.arrays import ArrayLike, Ints, Vector
from rocspace._base.calls import explained
from rocspace._base.cards import Card, first_rows
from rocspace._base.cases import check_cases
from rocspace._base.checks import check_rng
from rocspace._base.frozen import Result, shortened
from rocspace._base.optional import require
from rocspace._base.progress import Progress
from rocspace._base.synonyms import understood
from rocspace._base.text import brief, count, either, share
from rocspace._base.words import counted
from rocspace.averaging.folds import corrected_se
from rocspace.counts.paired import PairedScores
from rocspace.counts.table import ScoreTable
from rocspace.granular.curve import granular_areas
from rocspace.granular.pairwise import soft_auc
from rocspace.inference.components import need_cases
from rocspace.measures.facts import SUMMARIES, fact_of
from rocspace.results.interval import Interval
from rocspace.select.trials import SHARES, Bootstrapped, TableMeasure, Trial

_PERMUTED = 1 << 20  # values permuted at once
_ORDERS = 9999  # random ones; all, where there are no more,
_FEW = 7  # which is so for up to this many models

Measures: TypeAlias = Sequence[str] | Mapping[str, TableMeasure]


# --- choosing among scores ----------------------------------------------------------------------


class ModelChoice(Result):
    """Several measures of several models, and the model that each measure chooses.

    Attributes
    ----------
    measures, models : tuple of str
        Their names.
    value : ndarray of float64, shape (measures, models)
        Every measure of every model.
    chosen : tuple of int
        For each measure the index of the model that it chooses: the first of the best.
    n_tied : tuple of int
        For each measure how many models share its best value.

    See Also
    --------
    select_model
    """

    measures: tuple[str, ...]
    models: tuple[str, ...]
    value: Vector
    chosen: tuple[int, ...]
    n_tied: tuple[int, ...]

    def _columns(self) -> dict[str, Any]:
        chosen = [self.models[i] for i in self.chosen]
        values = {name: self.value[:, i] for i, name in enumerate(self.models)}
        return {"measure": self.measures, "chosen": chosen, "n_tied": self.n_tied, **values}

    def _about(self) -> str:
        pairs = zip(self.measures, self.chosen, strict=True)
        return ", ".join(f"{measure}: {self.models[i]}" for measure, i in pairs)

    def _card(self) -> Card:
        columns = zip(self.measures, self.chosen, self.value, self.n_tied, strict=True)
        rows = [(m, self.models[i], either(v[i]), count(n)) for m, i, v, n in columns]
        return Card(
            rows={"Models": shortened(", ".join(self.models))},
            header=("Measure", "Chooses", "Value", "As good"),
            table=first_rows(rows, len(rows)),
        )

    def by(self, measure: str) -> str:
        """Return the name of the model that a measure chooses.

        Parameters
        ----------
        measure : str
            One of ``measures``.

        Returns
        -------
        str
            Name of the model.

        Raises
        ------
        ValueError
            If there is no such measure; the message names the nearest one.

        Examples
        --------
        >>> from rocspace import pair_scores
        >>> data = pair_scores([0, 0, 1, 1], {"a": [1, 3, 2, 4], "b": [1, 2, 3, 4]})
        >>> select_model(data, ("auc", "ks")).by("auc")
        'b'
        """
        return self.models[self.chosen[_place(measure, self.measures)]]


def _place(name: str, names: Sequence[str]) -> int:
    checks.check_known("measure", name, names)
    return list(names).index(name)


@explained
def select_model(data: PairedScores, measures: Measures = ("auc",)) -> ModelChoice:
    """Choose one of several scores of the same cases, by each of several measures.

    Parameters
    ----------
    data : PairedScores
        Scores of the candidates on the same cases; no candidate was trained on these.
    measures : sequence of str, or mapping of names to callables, default ("auc",)
        Names as for `named_measure`, or functions of a `ScoreTable`. A summary for which
        lower is better counts as its negative; for a function, higher is better.

    Returns
    -------
    ModelChoice
        The first of the best candidates, by each measure, and how many share its value.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If a measure is unknown, or cannot be computed for any candidate.

    Notes
    -----
    The best of many candidates looks better than it is: evaluate the choice on other data. A
    measure that is nan for a model never chooses it. O(m n log n) for m candidates.

    References
    ----------
    Dong, Li and Li, gROC, section 4.2.

    Examples
    --------
    >>> from rocspace import pair_scores
    >>> data = pair_scores([0, 0, 1, 1], {"a": [1, 3, 2, 4], "b": [1, 2, 3, 4]})
    >>> select_model(data, ("auc", "ks"))
    ModelChoice(auc: b, ks: b)
    """
    need_cases("select_model", data)
    functions = _functions(measures)
    tables = [data.table(name) for name in data.names]
    value = np.array([[f(table) for table in tables] for f in functions.values()])
    chosen, n_tied = _choices(value, tuple(functions))
    return ModelChoice(
        measures=tuple(functions),
        models=data.names,
        value=value,
        chosen=tuple(chosen.tolist()),
        n_tied=tuple(n_tied.tolist()),
    )


def _functions(measures: Measures) -> dict[str, TableMeasure]:
    """Return a function for each measure, for which higher is better."""
    names = (measures,) if isinstance(measures, str) else measures
    named = dict(names) if isinstance(names, Mapping) else named_measures(names)
    if not named:
        msg = "There is no measure to choose by: give at least one, such as 'auc'."
        raise ValueError(msg)
    return named


def _lambda_auc(table: ScoreTable, delta: float) -> float:
    return float(granular_areas(table, delta, progress=False).lambda_auc[0])


# Each asks for one number, by this name.
_WITH_NUMBER: dict[str, tuple[str, Callable[..., float]]] = {
    "lambda_auc": ("delta", _lambda_auc),
    "soft_auc": ("beta", soft_auc),
}


def named_measures(names: Sequence[str]) -> dict[str, TableMeasure]:
    """Return `named_measure` of each name, by our name."""
    return {understood(name, SUMMARIES) or name: named_measure(name) for name in names}


@explained
def named_measure(name: str) -> TableMeasure:
    """Return a summary as a function for which higher is better.

    Parameters
    ----------
    name : str
        One of `rocspace.SUMMARIES`, by our or another name of the field; or "lambda_auc:0.02" and
        "soft_auc:10", whose number is the granularity and the steepness.

    Returns
    -------
    callable
        The summary, or its negative where lower is better.

    Raises
    ------
    ValueError
        If there is no such summary; the message names the nearest one.

    References
    ----------
    No source: a plain definition.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> named_measure("eer")(tabulate([0, 1, 0, 1], [1, 2, 3, 4]))
    -0.5
    """
    head, colon, number = name.partition(":")
    if head in _WITH_NUMBER:
        parameter, with_number = _WITH_NUMBER[head]
        try:
            return partial(with_number, **{parameter: float(number)})
        except ValueError:
            msg = f"Measure {name!r} needs a number, as in {head}:0.02."
            raise ValueError(msg) from None
    if colon:
        msg = f"Measure {head!r} takes no number. Leave out what follows the colon."
        raise ValueError(msg)
    summary = fact_of(name, SUMMARIES, "summary")
    if summary.better == "higher":
        return summary.function
    return partial(_negative, summary.function)  # which can be sent to another process


def _negative(function: TableMeasure, table: ScoreTable) -> float:
    return -function(table)


def _choices(value: Vector, names: Sequence[str]) -> tuple[Ints, Ints]:
    """Return the first best model of each measure, and how many are as good."""
    unknown = np.isnan(value).all(axis=-1)
    if unknown.any():
        name = names[np.argwhere(unknown)[0, -1]]
        msg = f"The measure {name!r} is nan for every model, so it cannot choose one."
        raise ValueError(msg)
    best = np.nanmax(value, axis=-1, keepdims=True)
    reached = value == best
    return reached.argmax(axis=-1), reached.sum(axis=-1)


# --- does a measure choose well? ----------------------------------------------------------------


class RankCorrelation(Result):
    """Correlation of two numbers over several models, with its p value.

    Attributes
    ----------
    value : float
        The correlation in [-1, 1]; 1 is the same order. nan where one side is constant.
    pvalue : float
        Two-sided p value of no association between the two.
    method : str
        Which correlation, and how its p value was made.
    n : int
        How many models.

    See Also
    --------
    rank_correlation, SelectionExperiment.correlation
    """

    value: float
    pvalue: float
    method: str
    n: int


@explained
def rank_correlation(
    a: ArrayLike,
    b: ArrayLike,
    *,
    method: Literal["spearman", "pearson"] = "spearman",
    pvalue: Literal["t", "permutation"] | None = None,
    rng: np.random.Generator | int | None = None,
) -> RankCorrelation:
    """Correlate two numbers over several models.

    Parameters
    ----------
    a, b : array-like, shape (n,)
        The two numbers of each model, such as a measure on validation data and the area on
        test data.
    method : {"spearman", "pearson"}, default "spearman"
        Correlation of the ranks (ties share theirs), or of the numbers.
    pvalue : {"t", "permutation"}, optional
        From Student's distribution with n - 2 degrees of freedom; or from all orders of up to 7
        models, of more from 9999 random ones. By default "t" of numbers, and of ranks that differ
        of more than 7 models; else "permutation".
    rng : numpy.random.Generator or int, optional
        Generator or seed of the random orders.

    Returns
    -------
    RankCorrelation
        Pairs with a nan are left out.

    Raises
    ------
    ValueError
        If the lengths differ, or fewer than three pairs are known.

    Notes
    -----
    With r the correlation, ``t = r sqrt((n - 2) / (1 - r^2))``, whose distribution ranks of few
    models, or with ties, do not have: of three models "t" rejects a true hypothesis at .05 in 33
    percent of orders, of five in 8. Models that were trained on
    resamples of the same data are not a random sample: the p value is then valid for these models
    on these data only.

    References
    ----------
    No source: the coefficients of Pearson and Spearman, by their plain definitions.

    Examples
    --------
    >>> found = rank_correlation([1, 2, 3, 4, 5], [2, 1, 4, 3, 5])
    >>> print(f"{found.value:.2f}, p = {found.pvalue:.3f}")
    0.80, p = 0.133
    """
    from scipy import stats

    x, y = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if x.shape != y.shape or x.ndim != 1:
        msg = f"a and b must be two lists of the same length, not of shapes {x.shape}, {y.shape}."
        raise ValueError(msg)
    known = ~(np.isnan(x) | np.isnan(y))
    x, y = x[known], y[known]
    if x.size < 3:
        msg = f"A correlation needs at least three models, but {x.size} have both numbers."
        raise ValueError(msg)
    if method == "spearman":
        x, y = stats.rankdata(x), stats.rankdata(y)
    pvalue = pvalue or _usual_pvalue(x, y, method)
    r, p = float("nan"), float("nan")
    if np.ptp(x) > 0 and np.ptp(y) > 0:
        found = stats.pearsonr(x, y)
        r, p = float(found.statistic), float(found.pvalue)
        if pvalue == "permutation":
            batch = max(1, _PERMUTED // x.size)  # scipy would keep all of them in memory at once
            generator = check_rng(rng)
            orders = stats.PermutationMethod(n_resamples=_ORDERS, batch=batch, rng=generator)
            p = float(stats.pearsonr(x, y, method=orders).pvalue)
    return RankCorrelation(value=r, pvalue=p, method=f"{method}, {pvalue}", n=int(x.size))


def _usual_pvalue(x: Vector, y: Vector, method: str) -> Literal["t", "permutation"]:
    """Return how a p value is made by default: ranks that tie, or are few, do not follow t."""
    tied = min(np.unique(x).size, np.unique(y).size) < x.size
    return "permutation" if method == "spearman" and (tied or x.size <= _FEW) else "t"


# --- the experiment -----------------------------------------------------------------------------


class SelectionExperiment(Result):
    """Test areas of the models that several measures chose, over many splits.

    Attributes
    ----------
    measures : tuple of str
        Names of the measures.
    validation : ndarray of float64, shape (repeats, measures, models)
        Each measure of each model on the validation data.
    test : ndarray of float64, shape (repeats, models)
        Area of each model on the test data.
    chosen : ndarray of int64, shape (repeats, measures)
        The model that each measure chooses: the first of the best.
    n_tied : ndarray of int64, shape (repeats, measures)
        How many models share the best value.
    share_tested : float
        Cases tested for each case trained on, which the corrected interval needs.

    See Also
    --------
    selection_experiment
    """

    measures: tuple[str, ...]
    validation: Vector
    test: Vector
    chosen: Ints
    n_tied: Ints
    share_tested: float

    def _columns(self) -> dict[str, Any]:
        repeats = len(self.test)
        each = {name: getattr(self, name).ravel() for name in ("chosen", "n_tied", "n_better")}
        return {
            "repeat": np.repeat(np.arange(repeats), len(self.measures)),
            "measure": self.measures * repeats,
            **each,
            "chosen_auc": self.chosen_auc.ravel(),
        }

    def _about(self) -> str:
        repeats, models = self.test.shape
        return f"{', '.join(self.measures)}: {repeats} x {models} models"

    def _card(self) -> Card:
        repeats, models = self.test.shape
        means = zip(self.chosen_auc.mean(axis=0), self.n_better.mean(axis=0), strict=True)
        rows = [
            (name, share(area), count(better))
            for name, (area, better) in zip(self.measures, means, strict=True)
        ]
        return Card(
            rows={"Splits": count(repeats), "Models": count(models)},
            header=("Measure", "Mean test area of its choice", "Better models"),
            table=first_rows(rows, len(rows)),
        )

    @property
    def chosen_auc(self) -> Vector:
        """Test area of each choice, shape (repeats, measures); higher is better."""
        return np.take_along_axis(self.test, self.chosen, axis=1)

    @property
    def n_better(self) -> Ints:
        """How many models beat each choice on test data, shape (repeats, measures)."""
        beaten = self.test[:, np.newaxis, :] > self.chosen_auc[:, :, np.newaxis]
        return np.asarray(beaten.sum(axis=2))

    def correlation(
        self,
        measure: str,
        repeat: int = 0,
        *,
        method: Literal["spearman", "pearson"] = "spearman",
        pvalue: Literal["t", "permutation"] | None = None,
        rng: np.random.Generator | int | None = None,
    ) -> RankCorrelation:
        """Correlate a measure on validation data with the area on test data, in one repeat.

        Parameters
        ----------
        measure : str
            One of ``measures``.
        repeat : int, default 0
            Which of the splits.
        method, pvalue, rng
            As for `rank_correlation`.

        Returns
        -------
        RankCorrelation
            Over the models of that split.

        Examples
        --------
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from rocspace.select import Bootstrapped
        >>> x, y = np.random.default_rng(1).normal(size=(60, 2)), np.repeat([0, 1], 30)
        >>> x += y[:, np.newaxis]
        >>> models = Bootstrapped(GaussianNB(), 4)
        >>> found = selection_experiment(x, y, models, measures=("auc", "ks"), n_splits=3, rng=1)
        >>> found.correlation("ks").pvalue <= 1
        True
        """
        values = self.validation[repeat, _place(measure, self.measures)]
        return rank_correlation(values, self.test[repeat], method=method, pvalue=pvalue, rng=rng)

    def gain(self, measure: str, reference: str = "auc") -> SelectionGain:
        """Compare the test areas of the choices by two measures.

        Parameters
        ----------
        measure, reference : str
            Two of ``measures``.

        Returns
        -------
        SelectionGain
            Of the areas on test data, split by split; above 0 favours `measure`.

        Raises
        ------
        ValueError
            If a name is unknown.

        Examples
        --------
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from rocspace.select import Bootstrapped
        >>> x, y = np.random.default_rng(1).normal(size=(60, 2)), np.repeat([0, 1], 30)
        >>> x += y[:, np.newaxis]
        >>> models = Bootstrapped(GaussianNB(), 4)
        >>> found = selection_experiment(x, y, models, measures=("auc", "ks"), n_splits=3, rng=1)
        >>> found.gain("ks").differences.shape
        (3,)
        """
        areas, names = self.chosen_auc, self.measures
        return SelectionGain(
            differences=areas[:, _place(measure, names)] - areas[:, _place(reference, names)],
            share_tested=self.share_tested,
        )


class SelectionGain(Result):
    """Test area of the choice by one measure minus that by another, in each split.

    Attributes
    ----------
    differences : ndarray of float64, shape (repeats,)
        Difference of the areas on test data of the two choices, in [-1, 1].
    share_tested : float
        Cases tested for each case trained on.

    See Also
    --------
    SelectionExperiment.gain
    """

    differences: Vector
    share_tested: float

    def _about(self) -> str:
        return f"{brief(self.value)} on average of {counted(self.differences.size, 'split')}"

    @property
    def value(self) -> float:
        """Mean difference."""
        return float(self.differences.mean())

    def interval(self, level: float = 0.95, *, corrected: bool = True) -> Interval:
        """Return a confidence interval for the mean difference.

        Parameters
        ----------
        level : float, default 0.95
            Confidence level, strictly between 0 and 1.
        corrected : bool, default True
            Whether to allow for training sets that overlap between the splits, so that it is valid
            for other data of the same kind. Otherwise it is an interval for the mean over
            all splits of these data.

        Returns
        -------
        Interval
            ``mean +- t s sqrt(1 / R + share_tested)`` over R splits, t of R - 1 degrees of
            freedom; without the second term if not corrected.

        Raises
        ------
        ValueError
            If there are fewer than two splits.

        References
        ----------
        Nadeau and Bengio (2003), the whole paper, for the correction.
        """
        from scipy.special import stdtrit

        tail = (1 - checks.check_level(level)) / 2
        n = self.differences.size
        if n < 2:
            msg = (
                "One split gives no standard error. Run the experiment with n_splits of 2 or more."
            )
            raise ValueError(msg)
        se = corrected_se(self.differences, self.share_tested if corrected else 0.0)
        half = -float(stdtrit(n - 1, tail)) * se
        return Interval(
            low=max(self.value - half, -1.0),
            high=min(self.value + half, 1.0),
            level=level,
            method="corrected resampled t" if corrected else "t over the splits",
        )


@explained
def selection_experiment(
    features: Any,
    y_true: ArrayLike,
    models: Any,
    *,
    measures: Measures = ("auc",),
    n_splits: int = 1,
    rng: np.random.Generator | int | None = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> SelectionExperiment:
    """Train models, let measures choose one on validation data, and test the choices.

    Parameters
    ----------
    features : array-like or data frame, shape (n, p)
        Features of the cases.
    y_true : array-like, shape (n,)
        Labels, as for `tabulate`.
    models : sequence of scikit-learn classifiers, or Bootstrapped
        Several classifiers, each trained on all training data; or one of them, trained on
        bootstrap samples of it. They need ``predict_proba`` or ``decision_function``.
    measures : sequence of str, or mapping of names to callables, default ("auc",)
        As for `select_model`.
    n_splits : int, default 1
        How many random splits into 60 % training, 20 % validation and 20 % test data, each
        with the same share of positives.
    rng : numpy.random.Generator or int, optional
        Generator or seed; the same seed gives the same result, whatever `n_jobs`.
    n_jobs : int, optional
        Processes at once, as in joblib; -1 for all cores. By default one.
    progress : bool, optional
        Whether to show progress; by default in a terminal.

    Returns
    -------
    SelectionExperiment
        Ask it for ``chosen_auc``, ``n_better``, ``correlation`` and ``gain``.

    Raises
    ------
    ModuleNotFoundError
        If scikit-learn is not installed.
    ValueError
        If labels are not binary, or a class has fewer than five cases.

    Notes
    -----
    A bootstrap sample that lacks a class is drawn again.

    References
    ----------
    Dong, Li and Li, section 4.2, whose experiment is one repeat with one classifier.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> rng = np.random.default_rng(1)
    >>> y = np.repeat([0, 1], 100)
    >>> x = rng.normal(size=(200, 3)) + y[:, np.newaxis]
    >>> found = selection_experiment(
    ...     x, y, Bootstrapped(GaussianNB(), 10), measures=("auc", "ks"), n_splits=3, rng=1
    ... )
    >>> found
    SelectionExperiment(auc, ks: 3 x 10 models)
    """
    joblib = require("joblib", extra="sklearn")
    cases = check_cases(y_true, {})
    checks.check_sizes(n_splits=n_splits)
    if not isinstance(models, Sequence | Bootstrapped):
        msg = (
            f"models is one {type(models).__name__}. Give several, [...], or bootstrap copies of "
            "it, Bootstrapped(...)."
        )
        raise TypeError(msg)
    n_pos = int(np.count_nonzero(cases.label))
    if min(n_pos, cases.label.size - n_pos) < 5:
        msg = (
            f"There are {n_pos} positives and {cases.label.size - n_pos} negatives, but a split "
            "into three parts needs at least five of each."
        )
        raise ValueError(msg)
    trial = Trial(features, cases.label, models, _functions(measures))
    generators = check_rng(rng).spawn(n_splits)
    found = []
    with Progress("splits", n_splits, show=progress) as shown:
        runs = joblib.Parallel(n_jobs=n_jobs, return_as="generator")(
            joblib.delayed(trial.run)(generator) for generator in generators
        )
        for one in runs:
            found.append(one)
            shown.add()
    validation, test = (np.array(part) for part in zip(*found, strict=True))
    names = tuple(trial.measures)
    chosen, n_tied = _choices(validation, names)
    return SelectionExperiment(
        measures=names,
        validation=validation,
        test=test,
        chosen=chosen,
        n_tied=n_tied,
        share_tested=SHARES[2] / SHARES[0],
    )
