"""Classifiers with a threshold of your own: chosen on held-out scores, or mixed at random."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from rocspace._base.arrays import Array, Mask, Vector
from rocspace._base.checks import check_one_fraction
from rocspace.averaging.folds import Response
from rocspace.combine.mixtures import Mixture, RulePath, at_budget, mixture_at, path_of
from rocspace.counts.confusion import ConfusionMatrix
from rocspace.counts.table import ScoreTable, SingleClassError, merge
from rocspace.estimators.crossed import Folds, HeldOut, OpenClassifier, others
from rocspace.estimators.needed import check_is_fitted
from rocspace.hull.convex import roc_hull
from rocspace.measures.costs_of_errors import CostsLike
from rocspace.operating.constraints import Constraint, NoThresholdError
from rocspace.operating.optimism import ThresholdBootstrap, criterion_of_counts, threshold_bootstrap
from rocspace.operating.points import Goal, optimal_points, point_at


class ThresholdClassifier(OpenClassifier):
    """A classifier whose threshold is optimal by any criterion, on scores of held-out cases.

    Parameters
    ----------
    estimator : classifier
        With ``predict_proba`` or ``decision_function``; two classes.
    criterion : str, Target, or a sequence of them, default "youden"
        What is optimal, as for `rocspace.optimal_points`; "cost" with `costs`.
    subject_to : Constraint or sequence of Constraint, optional
        Requirements, such as ``Constraint("ppv", ">=", 0.3)``.
    costs : Costs or mapping, optional
        What errors cost, as in ``dict(fp=1, fn=20)``.
    prevalence : float, optional
        Share of positives where the classifier will be used; by default that of the data.
    cv : int, splitter, iterable or "prefit", optional
        Folds, by default five, stratified. With "prefit" the estimator is fitted already, and ``y``
        belongs to cases that it did not see.
    response_method : {"auto", "predict_proba", "decision_function"}, default "auto"
        Which scores; "auto" takes probabilities if there are any.
    pos_label : object, optional
        The positive class, by default the second of ``classes_``.
    n_jobs : int, optional
        Processes that fit folds.

    Attributes
    ----------
    estimator_ : classifier
        Fitted to all cases.
    classes_ : ndarray
        Labels of both classes.
    table_ : ScoreTable
        Held-out scores of all cases.
    point_ : OperatingPoint
        The choice: its threshold and its counts among the held-out scores.
    threshold_ : float
        Scores at or above it are called positive.
    apparent_ : float
        The criterion at the choice, on the cases that chose it.
    cross_fitted_ : float
        The criterion where each fold is decided by the threshold that the other folds choose: what
        to expect on other cases. nan with one fold, or where a fold offers no threshold.
    cross_fitted_counts_ : ConfusionMatrix or None
        The counts of those decisions; their rates say whether constraints hold on other cases.
    optimism_ : float
        ``apparent_ - cross_fitted_``; negative for a cost.

    See Also
    --------
    rocspace.operating.optimal_points, rocspace.operating.threshold_bootstrap, MixtureClassifier

    Notes
    -----
    Scores of all folds are counted in one table: they must be on one scale, as probabilities are.
    The threshold is that of `rocspace.optimal_points` of this table, the most conservative of those
    that tie. Unlike scikit-learn's ``TunedThresholdClassifierCV``, which tries 100 thresholds and
    averages over folds, it tries every threshold on the counts of all folds together.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = ThresholdClassifier(GaussianNB(), criterion="cost", costs=dict(fp=5, fn=1), cv=3)
    >>> model = model.fit(X, y)
    >>> print(f"{model.apparent_:.3f} apparent, {model.cross_fitted_:.3f} on other cases")
    0.107 apparent, 0.158 on other cases
    """

    def __init__(
        self,
        estimator: Any,
        *,
        criterion: Goal | Sequence[Goal] = "youden",
        subject_to: Constraint | Sequence[Constraint] = (),
        costs: CostsLike | None = None,
        prevalence: float | None = None,
        cv: Folds = None,
        response_method: Response = "auto",
        pos_label: object = None,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.criterion = criterion
        self.subject_to = subject_to
        self.costs = costs
        self.prevalence = prevalence
        self.cv = cv
        self.response_method = response_method
        self.pos_label = pos_label
        self.n_jobs = n_jobs

    def _learn(self, held: HeldOut, y: Array, weight: Vector | None) -> None:
        tables = self._tables(held, y, weight)
        self.table_ = merge(*tables)
        self.point_ = optimal_points(self.table_, **self._question)[0]
        self.threshold_ = self.point_.threshold
        self.apparent_ = criterion_of_counts(self.point_, **self._question)
        self.cross_fitted_counts_ = self._decided(tables)
        self.cross_fitted_ = float("nan")
        if self.cross_fitted_counts_ is not None:
            found = criterion_of_counts(self.cross_fitted_counts_, **self._question)
            self.cross_fitted_ = found
        self.optimism_ = self.apparent_ - self.cross_fitted_

    @property
    def _question(self) -> dict[str, Any]:
        names = ("criterion", "subject_to", "costs", "prevalence")
        return {name: getattr(self, name) for name in names}

    def _decided(self, tables: list[ScoreTable]) -> ConfusionMatrix | None:
        """Count the decisions of each fold at the threshold that the other folds choose."""
        if len(tables) < 2:
            return None
        try:
            with warnings.catch_warnings():  # said once, of all folds together
                warnings.filterwarnings("ignore", message="No costs were given")
                chosen = [
                    optimal_points(others(tables, k), **self._question)[0]
                    for k in range(len(tables))
                ]
        except (NoThresholdError, SingleClassError):
            return None
        at = [point_at(table, p.threshold) for table, p in zip(tables, chosen, strict=True)]
        return ConfusionMatrix(
            **{name: sum(getattr(p, name) for p in at) for name in ("tp", "fp", "fn", "tn")}
        )

    def predict(self, X: Any) -> Array:
        """Assign each case to one of the two classes.

        Parameters
        ----------
        X : array, sparse matrix, data frame or list, n rows
            Features.

        Returns
        -------
        ndarray, shape (n,)
            Labels: the positive class where the score is at least ``threshold_``.

        Raises
        ------
        NotFittedError
            If it was not fitted.
        """
        return self._labels(self._score(X) >= self.threshold_)

    def bootstrap(
        self,
        *,
        n_boot: int = 1000,
        rng: np.random.Generator | int | None = None,
        progress: bool | None = None,
    ) -> ThresholdBootstrap:
        """Bootstrap the choice: an interval of the threshold, and another estimate of its optimism.

        Parameters
        ----------
        n_boot : int, default 1000
            Replicates.
        rng : numpy.random.Generator or int, optional
            Generator or seed; the same seed gives the same numbers.
        progress : bool, optional
            Whether to show progress; by default in a terminal.

        Returns
        -------
        ThresholdBootstrap
            For the held-out scores, with the models taken as fixed.

        Raises
        ------
        ValueError
            If it was fitted with weights.

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer
        >>> from sklearn.naive_bayes import GaussianNB
        >>> X, y = load_breast_cancer(return_X_y=True)
        >>> model = ThresholdClassifier(GaussianNB(), cv=3).fit(X[:, :2], y)
        >>> low, high = model.bootstrap(n_boot=100, rng=1).interval(0.9)
        >>> bool(low <= model.threshold_ <= high)
        True
        """
        check_is_fitted(self, "estimator_")
        return threshold_bootstrap(
            self.table_, **self._question, n_boot=n_boot, rng=rng, progress=progress
        )


# --- decisions at random --------------------------------------------------------------------------


class MixtureClassifier(OpenClassifier):
    """A classifier that reaches a rate, or a budget, exactly, by mixing two thresholds at random.

    Parameters
    ----------
    estimator : classifier
        With ``predict_proba`` or ``decision_function``; two classes.
    fpr, tpr, selected : float, optional
        What to reach, one of the three: the false positive rate (with the largest true positive
        rate that the hull allows), the true positive rate (with the smallest false positive rate),
        or the share of all cases that is called positive.
    prevalence : float, optional
        Share of positives where the classifier will be used, which only `selected` needs; by
        default that of the data.
    cv, response_method, pos_label, n_jobs
        As for `ThresholdClassifier`.

    Attributes
    ----------
    estimator_ : classifier
        Fitted to all cases.
    classes_ : ndarray
        Labels of both classes.
    table_ : ScoreTable
        Held-out scores of all cases.
    mixture_ : Mixture
        The two thresholds, the share of each, and the rates of the choice on held-out scores.
    cross_fitted_counts_ : ConfusionMatrix or None
        Expected counts where each fold is decided by the mixture of the other folds: what to expect
        on other cases. None with one fold.

    See Also
    --------
    rocspace.combine.Mixture, rocspace.hull.roc_hull, ThresholdClassifier

    Notes
    -----
    The two thresholds are neighbours on the convex hull of the held-out scores. Of all rules based
    on the score, such mixtures have the largest true positive rate at each false positive rate.
    Which of the two decides a case is drawn from its features: the same features always have the
    same draw, whatever their place, so that ``predict`` can be repeated. For draws by ids use
    ``decide``.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = MixtureClassifier(GaussianNB(), fpr=0.05, cv=3).fit(X, y)
    >>> print(f"{model.mixture_.fpr:.3f} {model.cross_fitted_counts_.fp / (y == 0).sum():.3f}")
    0.050 0.057
    """

    def __init__(
        self,
        estimator: Any,
        *,
        fpr: float | None = None,
        tpr: float | None = None,
        selected: float | None = None,
        prevalence: float | None = None,
        cv: Folds = None,
        response_method: Response = "auto",
        pos_label: object = None,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.fpr = fpr
        self.tpr = tpr
        self.selected = selected
        self.prevalence = prevalence
        self.cv = cv
        self.response_method = response_method
        self.pos_label = pos_label
        self.n_jobs = n_jobs

    def _learn(self, held: HeldOut, y: Array, weight: Vector | None) -> None:
        tables = self._tables(held, y, weight)
        self.table_ = merge(*tables)
        self.mixture_ = self._mixed(self.table_)
        self.cross_fitted_counts_ = None
        if len(tables) > 1:
            parts = [
                _expected(self._mixed(others(tables, k)), table) for k, table in enumerate(tables)
            ]
            tp, fp = (float(sum(column)) for column in zip(*parts, strict=True))
            pos, neg = float(self.table_.n_pos), float(self.table_.n_neg)
            self.cross_fitted_counts_ = ConfusionMatrix(tp=tp, fp=fp, fn=pos - tp, tn=neg - fp)

    def _mixed(self, table: ScoreTable) -> Mixture:
        """Return the mixture of these held-out scores that reaches what is wanted."""
        given = {name: getattr(self, name) for name in ("fpr", "tpr", "selected")}
        wanted = {name: value for name, value in given.items() if value is not None}
        if len(wanted) != 1:
            said = " and ".join(f"{name}={value}" for name, value in wanted.items()) or "nothing"
            msg = f"Give one of fpr, tpr and selected, as in fpr=0.1; here is {said}."
            raise ValueError(msg)
        ((name, value),) = wanted.items()
        share = check_one_fraction(name, value)
        path: RulePath = path_of(roc_hull(table))
        if name == "fpr":
            return mixture_at(path, fpr=share)
        if name == "tpr":
            return mixture_at(path, tpr=share)
        own = float(table.n_pos / (table.n_pos + table.n_neg))
        p = own if self.prevalence is None else check_one_fraction("prevalence", self.prevalence)
        return at_budget(path, selected=share, n_pos=p, n_neg=1 - p)

    def chances(self, X: Any) -> Vector:
        """Return the probability that each case is called positive.

        Parameters
        ----------
        X : array, sparse matrix, data frame or list, n rows
            Features.

        Returns
        -------
        ndarray of float64, shape (n,)
            0 or 1 where both thresholds agree.

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer
        >>> from sklearn.naive_bayes import GaussianNB
        >>> X, y = load_breast_cancer(return_X_y=True)
        >>> model = MixtureClassifier(GaussianNB(), selected=0.5, cv=3).fit(X, y)
        >>> print(f"{model.chances(X).mean():.2f}")
        0.51
        """
        score = self._score(X)
        return self.mixture_.chances(score)

    def predict(self, X: Any) -> Array:
        """Assign each case to one of the two classes, at random where thresholds differ.

        Parameters
        ----------
        X : array, sparse matrix, data frame or list, n rows
            Features.

        Returns
        -------
        ndarray, shape (n,)
            Labels. Equal features have equal labels.

        Raises
        ------
        NotFittedError
            If it was not fitted.
        """
        return self._labels(self.decide(X, ids=_row_ids(X)))

    def decide(
        self, X: Any, *, ids: Any = None, rng: np.random.Generator | int | None = None
    ) -> Mask:
        """Decide each case, by a draw from its id, or by a new draw.

        Parameters
        ----------
        X : array, sparse matrix, data frame or list, n rows
            Features.
        ids : array-like, shape (n,), optional
            Ids of the cases, as for `rocspace.combine.uniform_of`.
        rng : numpy.random.Generator or int, optional
            Generator or seed, for new draws.

        Returns
        -------
        ndarray of bool, shape (n,)
            Whether each case is called positive.

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer
        >>> from sklearn.naive_bayes import GaussianNB
        >>> X, y = load_breast_cancer(return_X_y=True)
        >>> model = MixtureClassifier(GaussianNB(), selected=0.5, cv=3).fit(X, y)
        >>> model.decide(X[:3], ids=["ann", "bob", "eve"]).dtype
        dtype('bool')
        """
        score = self._score(X)
        return self.mixture_.decide(score, ids=ids, rng=rng)


def _expected(mixture: Mixture, table: ScoreTable) -> tuple[float, float]:
    """Return how many positives and negatives of a table a mixture is expected to call positive."""
    chance = mixture.chances(table.score)
    return float(chance @ table.pos), float(chance @ table.neg)


def _row_ids(X: Any) -> Array:
    """Return a text of each row of features, the same wherever the row stands."""
    if hasattr(X, "tocsr"):
        X = X.tocsr()
        return np.array([X[i].toarray().astype(np.float64).tobytes() for i in range(X.shape[0])])
    block = np.asarray(X.to_numpy() if hasattr(X, "to_numpy") else X)
    if block.dtype.kind in "biuf":
        rows = np.ascontiguousarray(block, dtype=np.float64) + 0.0  # minus 0 is 0
        return np.array([row.tobytes() for row in rows])
    return np.array([repr(row) for row in block.tolist()])
