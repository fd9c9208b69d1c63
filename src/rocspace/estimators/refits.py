"""Choice of the candidate that a search refits: by the lower limit, or the simplest good one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from rocspace._base.arrays import Vector
from rocspace._base.checks import check_known, check_level
from rocspace.averaging.folds import corrected_se
from rocspace.estimators.needed import BaseEstimator


def _by_split(results: Mapping[str, Any], score: str) -> Vector:
    """Return the scores of each split, a row for each candidate."""
    names = sorted(key for key in results if key.endswith(f"_test_{score}") and key[:5] == "split")
    if not names:
        have = [key.removeprefix("mean_test_") for key in results if key.startswith("mean_test_")]
        check_known("score", score, have)
    return np.stack([np.asarray(results[name], dtype=np.float64) for name in names], axis=1)


def _limits(
    results: Mapping[str, Any], score: str, level: float, n_folds: int | None
) -> tuple[Vector, Vector]:
    """Return the mean of each candidate and the lower end of its corrected interval."""
    from scipy.special import stdtrit

    check_level(level)
    values = _by_split(results, score)
    many = values.shape[1]
    if many < 2:
        msg = "An interval needs at least two splits; here is one. Use folds, or refit=True."
        raise ValueError(msg)
    folds = many if n_folds is None else n_folds
    if folds < 2:
        msg = f"n_folds is {n_folds}, but cases are divided into at least two folds."
        raise ValueError(msg)
    se = np.array([corrected_se(row, 1 / (folds - 1)) for row in values])
    mean = values.mean(axis=1)
    return mean, mean + float(stdtrit(many - 1, (1 - level) / 2)) * se


class LowerBoundRefit(BaseEstimator):
    """Refit the candidate whose confidence interval has the highest lower end.

    Parameters
    ----------
    score : str, default "score"
        Which score, where a search has several.
    level : float, default 0.95
        Level of the interval.
    n_folds : int, optional
        Into how many folds each partition divides the cases; by default the number of splits. Give
        it for repeated cross-validation, and for random splits the number of cases over those of a
        test set.

    See Also
    --------
    SimplestRefit, scorer, rocspace.averaging.corrected_estimate

    Notes
    -----
    Pass it as ``refit=`` to scikit-learn's ``GridSearchCV`` or ``RandomizedSearchCV``. The lower
    end is the mean over splits minus t standard errors, with the correction for overlapping
    training sets (see `rocspace.averaging.corrected_estimate`) and j - 1 degrees of freedom for j
    splits. A candidate whose mean is good but whose scores vary loses to a steadier one.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from rocspace.estimators import scorer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> search = GridSearchCV(
    ...     DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2, 3]},
    ...     scoring=scorer("auc"), refit=LowerBoundRefit())
    >>> search.fit(X, y).best_params_
    {'max_depth': 2}
    """

    def __init__(
        self, score: str = "score", *, level: float = 0.95, n_folds: int | None = None
    ) -> None:
        self.score = score
        self.level = level
        self.n_folds = n_folds

    def __call__(self, cv_results: Mapping[str, Any]) -> int:
        """Return the index of the candidate; of equal limits the first."""
        low = _limits(cv_results, self.score, self.level, self.n_folds)[1]
        return int(np.argmax(np.where(np.isnan(low), -np.inf, low)))


class SimplestRefit(BaseEstimator):
    """Refit the simplest candidate whose mean lies within the interval of the best one.

    Parameters
    ----------
    by : str, sequence of str, or callable
        What makes a candidate simple: a parameter whose smaller values are simpler, "-alpha" one
        whose larger values are, several in the order of their weight, or a function of the
        parameters of a candidate that returns smaller values for simpler ones.
    score, level, n_folds
        As for `LowerBoundRefit`.

    See Also
    --------
    LowerBoundRefit, scorer

    Notes
    -----
    This is the rule of one standard error (Breiman et al. 1984), but with the corrected interval of
    `LowerBoundRefit`: one standard error of overlapping folds is too short. Of candidates that are
    equally simple, the one with the best mean is taken.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from rocspace.estimators import scorer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> search = GridSearchCV(
    ...     DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2, 3]},
    ...     scoring=scorer("auc"), refit=SimplestRefit("max_depth"))
    >>> search.fit(X, y).best_params_
    {'max_depth': 2}
    """

    def __init__(
        self,
        by: str | Sequence[str] | Callable[[Mapping[str, Any]], Any],
        *,
        score: str = "score",
        level: float = 0.95,
        n_folds: int | None = None,
    ) -> None:
        self.by = by
        self.score = score
        self.level = level
        self.n_folds = n_folds

    def __call__(self, cv_results: Mapping[str, Any]) -> int:
        """Return the index of the candidate."""
        mean, low = _limits(cv_results, self.score, self.level, self.n_folds)
        if np.isnan(mean).all():
            return 0
        best = int(np.nanargmax(mean))
        good = [i for i in range(mean.size) if mean[i] >= low[best]]
        return min(good, key=lambda i: (self._size(cv_results["params"][i]), -mean[i]))

    def _size(self, params: Mapping[str, Any]) -> Any:
        if callable(self.by):
            return self.by(params)
        names = (self.by,) if isinstance(self.by, str) else self.by
        return tuple(
            -params[known] if name.startswith("-") else params[known]
            for name in names
            for known in [_known(name.removeprefix("-"), params)]
        )


def _known(name: str, params: Mapping[str, Any]) -> str:
    check_known("parameter", name, params)
    return name
