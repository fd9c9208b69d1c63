"""Labels, scores and covariates of the same cases, and values of covariates as numbers.

Categories become codes, in the order of their levels; everything else here works with numbers.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import field
from typing import Any

import numpy as np

from rocspace._base import checks
from rocspace._base.arrays import Array, ArrayLike, Vector, as_vector
from rocspace._base.calls import explained
from rocspace._base.cases import (
    MissingPolicy,
    check_cases,
    check_lengths,
    check_promotion,
    named_columns,
)
from rocspace._base.checks import check_choice, check_known
from rocspace._base.frozen import Result, a_kind_of, own
from rocspace._base.words import distinct_values, shown
from rocspace.counts.paired import PairedScores
from rocspace.counts.table import refuse

_MADE = "covariate_scores(y_true, y_score, {'age': age})"


class CovariateScores(Result):
    """Labels, one or several scores, and covariates of the same cases.

    Attributes
    ----------
    cases : PairedScores
        Labels and scores.
    covariates : mapping of str to ndarray, shape (n,)
        The values of each covariate: numbers, or codes of categories.
    levels : mapping of str to tuple
        The categories of each covariate that is not a number, in the order of their codes.

    See Also
    --------
    covariate_scores

    Examples
    --------
    >>> from rocspace.designs import covariate_scores
    >>> covariate_scores([0, 1, 0, 1], [1, 3, 2, 4], {"age": [30, 40, 50, 60]})
    CovariateScores(score by age: 2 positives, 2 negatives)
    """

    cases: PairedScores
    covariates: Mapping[str, Vector]
    levels: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)

    def __len__(self) -> int:
        """Return the number of cases."""
        return len(self.cases)

    def _about(self) -> str:
        names, (_, numbers) = ", ".join(self.names), self.cases._about().rsplit(": ", 1)
        return f"{names} by {', '.join(self.covariates)}: {numbers}"

    def _columns(self) -> dict[str, Any]:
        return self.cases._columns() | {
            name: np.array(self.levels[name], dtype=object)[values.astype(np.intp)].tolist()
            if name in self.levels
            else values
            for name, values in self.covariates.items()
        }

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the scores."""
        return self.cases.names

    def column(self, name: str) -> Vector:
        """Return a score as numbers of which larger ones are more positive.

        Parameters
        ----------
        name : str
            Name of the score.

        Returns
        -------
        ndarray of float64, shape (n,)
            The score; its negative where lower scores are more positive.

        Raises
        ------
        ValueError
            If there is no such score.

        Examples
        --------
        >>> from rocspace.designs import covariate_scores
        >>> covariate_scores([0, 1], [1, 3], {"age": [30, 40]}).column("score")
        array([1., 3.])
        """
        j = self.cases.column_of(name)
        values = self.cases.score[:, j].astype(np.float64)
        return values if self.cases.rises(name) else -values

    def take(self, rows: Array) -> CovariateScores:
        """Take some of the cases.

        Parameters
        ----------
        rows : ndarray of int or bool
            Indices of the cases, which may repeat; or for each case whether it is taken.

        Returns
        -------
        CovariateScores
            Those cases, in that order.

        Examples
        --------
        >>> import numpy as np
        >>> from rocspace.designs import covariate_scores
        >>> data = covariate_scores([0, 1, 0, 1], [1, 3, 2, 4], {"age": [30, 40, 50, 60]})
        >>> len(data.take(np.array([0, 1])))
        2
        """
        from rocspace.counts.paired import take_cases

        rows = checks.check_rows(rows, len(self))
        values = {name: each[rows] for name, each in self.covariates.items()}
        return CovariateScores(
            cases=take_cases(self.cases, rows), covariates=values, levels=self.levels
        )


@explained
def covariate_scores(
    y_true: ArrayLike,
    y_scores: ArrayLike,
    covariates: Mapping[str, ArrayLike],
    *,
    names: Sequence[str] | None = None,
    pos_label: object = None,
    higher_is_positive: bool | Mapping[str, bool] = True,
    missing: MissingPolicy = "raise",
) -> CovariateScores:
    """Put labels and scores beside covariates of the same cases.

    Parameters
    ----------
    y_true : array-like, shape (n,)
        Labels, as for `rocspace.tabulate`.
    y_scores : array-like of shape (n,) or (n, m), mapping or data frame
        A score of each case, or a column for each of several.
    covariates : mapping of str to array-like, or data frame
        The covariates by name: numbers, or categories given as texts or booleans. Numbers that are
        codes of categories must be made texts, as in ``site.astype(str)``.
    names : sequence of str, optional
        Names of the scores; by default those of the columns, or "score".
    pos_label, higher_is_positive, missing
        As for `rocspace.pair_scores`; a case that lacks a covariate is missing, too.

    Returns
    -------
    CovariateScores
        The checked, read-only data.

    Raises
    ------
    ValueError, TypeError
        As `rocspace.pair_scores`; also if there is no covariate, a number is infinite, or a score
        and a covariate have the same name.

    References
    ----------
    No source: a plain definition.

    Examples
    --------
    >>> data = covariate_scores([0, 1, 0, 1], [1, 3, 2, 4], {"sex": ["f", "m", "m", "f"]})
    >>> data.levels
    {'sex': ('f', 'm')}
    """
    named = isinstance(y_scores, Mapping) or hasattr(y_scores, "columns")
    if not named and np.ndim(y_scores) == 1:
        y_scores, names = {"score": y_scores}, (names or ["score"])
    scores = named_columns(y_scores, names)
    given = _named_covariates(covariates, scores)
    coded, levels = {}, {}
    for name, values in given.items():
        coded[f"covariates[{name!r}]"], known = _coded(name, values)
        if known is not None:
            levels[name] = known
    columns = {f"y_scores[{name!r}]": values for name, values in scores.items()} | coded
    cases = check_cases(y_true, columns, pos_label=pos_label, missing=missing)
    m = len(scores)
    check_promotion(*cases.scores[:m])
    values = {n: own(x.astype(np.float64)) for n, x in zip(given, cases.scores[m:], strict=True)}
    for name, x in values.items():
        if not np.isfinite(x).all():
            i = int(np.flatnonzero(~np.isfinite(x))[0])
            msg = f"Covariate {name!r} is {x[i]} at index {i}. Covariates are finite numbers."
            raise ValueError(msg)
    return CovariateScores(
        cases=PairedScores(
            label=cases.label,
            score=own(np.column_stack(cases.scores[:m])),
            names=tuple(scores),
            higher_is_positive=higher_is_positive,
        ),
        covariates=values,
        levels=levels,
    )


def _named_covariates(covariates: Any, scores: Mapping[str, Any]) -> dict[str, Any]:
    """Return the covariates by name, checked."""
    if not (isinstance(covariates, Mapping) or hasattr(covariates, "columns")):
        msg = f"covariates is a {type(covariates).__name__}, but must map names to values: {_MADE}."
        raise TypeError(msg)
    names = list(getattr(covariates, "column_names", covariates))
    if not names:
        msg = f"There are no covariates. Name at least one: {_MADE}."
        raise ValueError(msg)
    for name in names:
        if name in scores:
            msg = f"{name!r} is both a score and a covariate. Give one of them another name."
            raise ValueError(msg)
    return {str(name): covariates[name] for name in names}


def _coded(name: str, values: Any) -> tuple[Any, tuple[Any, ...] | None]:
    """Return a covariate as numbers, and its categories if it has any."""
    array, absent = as_vector(values, f"covariates[{name!r}]")
    if array.dtype.kind in "iuf":
        return values, None
    if array.dtype.kind not in "bUSO":
        msg = (
            f"Covariate {name!r} has the type {array.dtype}. Make it numbers, or texts for "
            "categories."
        )
        raise TypeError(msg)
    there = np.ones(array.size, dtype=bool) if absent is None else ~absent
    odd = [each for each in array[there].tolist() if not isinstance(each, Hashable)]
    if odd:
        msg = f"Covariate {name!r} has {shown(odd[0])}. A category is a text or a number."
        raise TypeError(msg)
    known = distinct_values(array[there])
    place = {value: i for i, value in enumerate(known)}
    codes = np.full(array.size, np.nan)
    codes[there] = [place[value] for value in array[there].tolist()]
    return codes, tuple(known)


def chosen_score(caller: str, data: Any, name: str | None) -> str:
    """Return the name of a score, the only one by default; check the data."""
    if not isinstance(data, CovariateScores):
        msg = f"{caller} takes CovariateScores, not {a_kind_of(data)}. Make them with {_MADE}."
        raise TypeError(msg)
    n_pos = int(np.count_nonzero(data.cases.label))
    if not 0 < n_pos < len(data):
        refuse(caller, n_pos, len(data) - n_pos)
    if name is None:
        if len(data.names) > 1:
            msg = f"{caller} takes one score of {', '.join(data.names)}. Name it."
            raise ValueError(msg)
        return data.names[0]
    check_known("score", name, data.names)
    return name


def rows_at(data: CovariateScores, at: Any) -> tuple[dict[str, Vector], int]:
    """Return values of all covariates as numbers or codes, and how many rows they have."""
    if not isinstance(at, Mapping):
        example = {n: data.levels.get(n, (50,))[0] for n in data.covariates}
        msg = f"at is {shown(at)}, but must map every covariate to values: at={example!r}."
        raise TypeError(msg)
    for name in at:
        check_known("covariate", name, tuple(data.covariates))
    for name in data.covariates:
        if name not in at:
            msg = f"at lacks {name!r}. Give a value of every covariate."
            raise ValueError(msg)
    coded = {name: _coded_at(data, name, at[name]) for name in data.covariates}
    sizes = {name: x.size for name, x in coded.items() if x.size > 1}
    check_lengths(sizes)
    m = max([1, *sizes.values()])
    return {name: np.broadcast_to(x, (m,)) for name, x in coded.items()}, m


def _coded_at(data: CovariateScores, name: str, values: Any) -> Vector:
    try:
        dimensions = np.ndim(values)
    except ValueError:  # ragged
        dimensions = 2
    many = list(values) if dimensions else [values]
    if name in data.levels:
        if not many or dimensions > 1:
            msg = f"at[{name!r}] is {shown(values)}, but must be one category or a list."
            raise ValueError(msg)
        for value in many:
            check_choice(f"at[{name!r}]", value, data.levels[name])
        return np.array([data.levels[name].index(value) for value in many], dtype=np.float64)
    try:
        found = checks.as_numbers(name, many)
    except ValueError:
        found = np.array([np.nan])
    if found.ndim != 1 or found.size == 0 or not np.isfinite(found).all():
        msg = f"at[{name!r}] is {shown(values)}, but must be finite numbers, one or a list."
        raise ValueError(msg)
    return found


def check_varies(data: CovariateScores, name: str) -> None:
    """Raise if a covariate is the same in all cases, so that nothing can depend on it."""
    values = data.covariates[name]
    if (values == values[0]).all():
        levels = data.levels.get(name)
        value = f"{values[0]:g}" if levels is None else repr(levels[int(values[0])])
        msg = f"{name!r} is {value} in all cases, so no curve can depend on it. Leave it out."
        raise ValueError(msg)


def kind_called(data: CovariateScores, names: Sequence[str], values: Sequence[float]) -> str:
    """Return how cases with some values, or codes, of some covariates are called in messages."""
    return ", ".join(
        f"{name} {data.levels[name][int(value)] if name in data.levels else f'{value:g}'}"
        for name, value in zip(names, values, strict=True)
    )
