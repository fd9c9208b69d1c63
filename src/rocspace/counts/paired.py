"""Several scores of the same cases, for questions that need the pairing.

Paired tests, Boolean combination and model selection need to know which scores belong
to the same case; a `ScoreTable` does not keep that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from rocspace._base import checks
from rocspace._base.arrays import Array, ArrayLike, Ints, Mask, Vector
from rocspace._base.calls import explained
from rocspace._base.cards import Card
from rocspace._base.cases import (
    MissingPolicy,
    check_block,
    check_cases,
    check_promotion,
    named_columns,
)
from rocspace._base.checks import check_rng, check_rows
from rocspace._base.frozen import Result, own
from rocspace._base.text import count
from rocspace._base.words import counted
from rocspace.counts.table import ScoreTable, tabulate
from rocspace.counts.weights import effective_size


class PairedScores(Result):
    """Several scores of the same cases, for questions that need the pairing.

    Attributes
    ----------
    label : ndarray of bool, shape (n,)
        Which cases are positive.
    score : ndarray, shape (n, m)
        Column j holds the scores of ``names[j]``.
    names : tuple of str
        One name for each column.
    weight : ndarray of float64, shape (n,), or None
        Weights of the cases.
    cluster : ndarray of int64, shape (n,), or None
        Cases with the same number belong together (one patient, one query).
    higher_is_positive : bool, or mapping of names to bool
        Whether larger scores are more positive; a mapping where the columns differ.

    See Also
    --------
    pair_scores, resample_cases, take_cases
    """

    _meant: ClassVar[Mapping[str, str]] = {
        "auc": "rs.compare_aucs(data), or rs.auc(data.table(name))",
        "tables": "{name: data.table(name) for name in data.names}",
        "y_true": "label",
        "y_score": "score",
        "shape": "data.score.shape, or len(data) and names",
    }

    label: Mask
    score: Array
    names: tuple[str, ...]
    weight: Vector | None = None
    cluster: Ints | None = None
    higher_is_positive: bool | Mapping[str, bool] = True

    def __post_init__(self) -> None:
        given = checks.check_directions(self.higher_is_positive, self.names)
        same = set(given.values())
        object.__setattr__(self, "higher_is_positive", same.pop() if len(same) == 1 else given)
        super().__post_init__()

    def __len__(self) -> int:
        """Return the number of cases."""
        return int(self.label.size)

    def _card(self) -> Card:
        pos = int(self.label.sum())
        rows = {"Positives": count(pos), "Negatives": count(len(self) - pos)}
        if self.cluster is not None:
            rows["Clusters"] = count(int(np.unique(self.cluster).size))
        if self.weight is not None:
            rows["Weights"] = f"{count(float(self.weight.sum()))} in all"
        return Card(rows={**rows, "Scores": ", ".join(self.names)})

    def _about(self) -> str:
        n_pos = int(np.count_nonzero(self.label))
        said = [counted(n_pos, "positive"), counted(len(self) - n_pos, "negative")]
        if self.cluster is not None:
            said.append(counted(int(np.unique(self.cluster).size), "cluster"))
        if self.weight is not None:
            said.append("weighted")
        return f"{', '.join(self.names)}: {', '.join(said)}"

    def _columns(self) -> dict[str, Any]:
        """Return a column for the label, each score, and the weight and cluster if there are."""
        scores = {name: self.score[:, j] for j, name in enumerate(self.names)}
        cases = {"label": self.label} | scores | {"weight": self.weight, "cluster": self.cluster}
        return {name: column for name, column in cases.items() if column is not None}

    def _meant_by(self, name: str, known: Iterable[str]) -> str:
        if name in self.__dict__.get("names", ()):
            return f"data.table({name!r}) for its counts"
        return super()._meant_by(name, known)

    def column_of(self, name: str) -> int:
        """Return which column of ``score`` has a name.

        Parameters
        ----------
        name : str
            Name of the score.

        Returns
        -------
        int
            Its column, from 0.

        Raises
        ------
        ValueError
            If there is no such score; the message names the nearest one.

        Examples
        --------
        >>> from rocspace import pair_scores
        >>> data = pair_scores([1, 0, 1], {"a": [0.9, 0.1, 0.4], "b": [3, 2, 1]})
        >>> data.column_of("b")
        1
        """
        checks.check_known("score", name, self.names)
        return self.names.index(name)

    def rises(self, name: str) -> bool:
        """Return whether larger values of a score are more positive.

        Parameters
        ----------
        name : str
            Name of the score.

        Returns
        -------
        bool
            Its direction.

        Raises
        ------
        ValueError
            If there is no such score; the message names the nearest one.

        Examples
        --------
        >>> from rocspace import pair_scores
        >>> data = pair_scores([1, 0, 1], {"a": [0.9, 0.1, 0.4], "b": [3, 2, 1]})
        >>> data.rises("a")
        True
        """
        self.column_of(name)
        given = self.higher_is_positive
        return given[name] if isinstance(given, Mapping) else given

    @property
    def case_weight(self) -> Vector:
        """Weight of each case; 1 where there are none."""
        return np.ones(len(self)) if self.weight is None else self.weight

    @property
    def n_eff(self) -> tuple[float, float]:
        """Effective numbers of positives and of negatives; of their clusters, if there are any."""
        unit = np.arange(len(self)) if self.cluster is None else self.cluster
        units = [np.unique(unit[own], return_inverse=True)[1] for own in (self.label, ~self.label)]
        weights = self.case_weight[self.label], self.case_weight[~self.label]
        pos, neg = map(effective_size, map(np.bincount, units, weights))
        return pos, neg

    def table(self, name: str) -> ScoreTable:
        """Count one of the scores, losing the pairing.

        Parameters
        ----------
        name : str
            Name of the score.

        Returns
        -------
        ScoreTable
            Its counts by distinct score.

        Raises
        ------
        ValueError
            If there is no such score; the message names the nearest one.
        """
        j = self.column_of(name)
        return tabulate(
            self.label,
            np.ascontiguousarray(self.score[:, j]),
            sample_weight=self.weight,
            higher_is_positive=self.rises(name),
        )


@explained
def pair_scores(
    y_true: ArrayLike,
    y_scores: ArrayLike,
    *,
    names: Sequence[str] | None = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
    cluster: ArrayLike | None = None,
    higher_is_positive: bool | Mapping[str, bool] = True,
    missing: MissingPolicy = "raise",
) -> PairedScores:
    """Put several scores of the same cases side by side.

    Parameters
    ----------
    y_true : array-like, shape (n,)
        Labels, as for `tabulate`.
    y_scores : mapping of names to array-likes, or array-like of shape (n, m)
        The scores; a mapping (a dict, a data frame) brings its names along.
    names : sequence of str, optional
        Names of the columns; by default those of the mapping, or score_1, score_2, ...
    pos_label, sample_weight, missing
        As for `tabulate`. With ``missing="omit"`` a case missing in one column is omitted
        from all, so that the scores stay paired.
    cluster : array-like, shape (n,), optional
        Values that are equal for cases that belong together.
    higher_is_positive : bool, or mapping of names to bool, default True
        Whether larger scores are more positive. A mapping gives each score its own direction,
        True where it leaves one out: ``{"albumin": False}``.

    Returns
    -------
    PairedScores
        The checked, read-only data.

    Raises
    ------
    ValueError, TypeError
        As `tabulate`; also if names do not fit the columns.

    References
    ----------
    No source: a plain definition.

    Examples
    --------
    >>> pair_scores([1, 0, 1], {"a": [0.9, 0.1, 0.4], "b": [3, 2, 1]})
    PairedScores(a, b: 2 positives, 1 negative)
    """
    named = named_columns(y_scores, names)
    alone = sample_weight is None and cluster is None
    block = alone and check_block(y_true, y_scores, pos_label=pos_label, missing=missing)
    if block:
        return PairedScores(
            label=block[0],
            score=own(np.array(block[1], order="F")),
            names=tuple(named),
            higher_is_positive=higher_is_positive,
        )
    # Messages speak of y_scores['a']: a column may well be called "y_true" or "cluster".
    columns = {f"y_scores[{name!r}]": values for name, values in named.items()}
    cases = check_cases(
        y_true,
        columns,
        pos_label=pos_label,
        sample_weight=sample_weight,
        cluster=cluster,
        missing=missing,
    )
    check_promotion(*cases.scores)
    return PairedScores(
        label=cases.label,
        score=own(np.array(cases.scores).T),
        names=tuple(named),
        weight=cases.weight,
        cluster=cases.cluster,
        higher_is_positive=higher_is_positive,
    )


@explained
def resample_cases(
    data: PairedScores,
    *,
    rng: np.random.Generator | int | None = None,
    stratified: bool = True,
) -> PairedScores:
    """Draw one bootstrap sample of cases, each with all its scores.

    Parameters
    ----------
    data : PairedScores
        Several scores of the same cases.
    rng : numpy.random.Generator or int, optional
        Generator or seed; the same seed gives the same sample.
    stratified : bool, default True
        Whether each class keeps its size; otherwise a sample may lack a class.

    Returns
    -------
    PairedScores
        As many cases as before, drawn with replacement.

    Notes
    -----
    O(n m). Clusters are not kept together.

    References
    ----------
    Efron and Tibshirani (1993), Algorithm 6.1.

    Examples
    --------
    >>> resample_cases(pair_scores([1, 0, 1], {"a": [3, 1, 2]}), rng=1)
    PairedScores(a: 2 positives, 1 negative)
    """
    generator = check_rng(rng)
    strata = [np.arange(len(data))]
    if stratified:
        strata = [np.flatnonzero(data.label), np.flatnonzero(~data.label)]
    chosen = np.concatenate([generator.choice(s, s.size) for s in strata if s.size])
    return take_cases(data, chosen)


@explained
def take_cases(data: PairedScores, rows: Array) -> PairedScores:
    """Take some of the cases, each with all its scores.

    Parameters
    ----------
    data : PairedScores
        Several scores of the same cases.
    rows : ndarray of int or bool
        Indices of the cases, which may repeat; or for each case whether it is taken.

    Returns
    -------
    PairedScores
        Those cases, in that order.

    Raises
    ------
    IndexError
        If there is no case with such an index, or booleans are not one for each case.

    References
    ----------
    No source: a plain definition.

    Examples
    --------
    >>> import numpy as np
    >>> take_cases(pair_scores([1, 0, 1], {"a": [3, 1, 2]}), np.array([0, 1]))
    PairedScores(a: 1 positive, 1 negative)
    """
    rows = check_rows(rows, len(data.label))
    return replace(
        data,
        label=data.label[rows],
        score=data.score[rows],
        weight=None if data.weight is None else data.weight[rows],
        cluster=None if data.cluster is None else data.cluster[rows],
    )


@explained
def take_scores(data: PairedScores, names: Sequence[str]) -> PairedScores:
    """Take some of the scores, of all cases.

    Parameters
    ----------
    data : PairedScores
        Several scores of the same cases.
    names : sequence of str
        Names of the scores to keep, in the order wanted.

    Returns
    -------
    PairedScores
        The same cases with those scores.

    Raises
    ------
    ValueError
        If there is no such score; the message names the nearest one.

    References
    ----------
    No source: a plain definition.

    Examples
    --------
    >>> take_scores(pair_scores([1, 0, 1], {"a": [3, 1, 2], "b": [1, 2, 3]}), ["b"])
    PairedScores(b: 2 positives, 1 negative)
    """
    columns = [data.column_of(name) for name in names]
    rises = {name: data.rises(name) for name in names}
    return replace(
        data, score=own(data.score[:, columns]), names=tuple(names), higher_is_positive=rises
    )
