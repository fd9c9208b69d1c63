"""Cases whose truth is known for a part of them: the data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rocspace._base import checks
from rocspace._base.arrays import Array, ArrayLike, Mask, as_vector
from rocspace._base.calls import explained
from rocspace._base.cards import Card
from rocspace._base.cases import (
    check_cases,
    check_lengths,
    check_promotion,
    complete,
    named_columns,
)
from rocspace._base.frozen import Result, a_kind_of, own
from rocspace._base.words import counted, listed_values
from rocspace.counts.table import ScoreTable, refuse, tabulate


class VerifiedScores(Result):
    """Scores of cases whose truth is known for a part of them.

    Attributes
    ----------
    label : ndarray of bool, shape (n,)
        Which cases are positive; False where the truth is not known.
    verified : ndarray of bool, shape (n,)
        For which cases the truth is known.
    score : ndarray, shape (n, m)
        Column j holds the scores of ``names[j]``.
    names : tuple of str
        Names of the scores.
    covariates : mapping of str to ndarray
        Further columns for the models, by name.
    higher_is_positive : bool, or mapping of names to bool
        Whether larger scores are more positive.

    See Also
    --------
    verified_scores
    """

    label: Mask
    verified: Mask
    score: Array
    names: tuple[str, ...]
    covariates: Mapping[str, Array]
    higher_is_positive: bool | Mapping[str, bool]

    def __len__(self) -> int:
        """Return the number of cases."""
        return int(self.label.size)

    def _about(self) -> str:
        return (
            f"{', '.join(self.names)}: {len(self):,} cases, {int(self.verified.sum()):,} verified, "
            f"{counted(self.n_pos, 'positive')}"
        )

    def _card(self) -> Card:
        return Card(
            rows={
                "Scores": ", ".join(self.names),
                "Cases": f"{len(self):,}",
                "Verified": f"{int(self.verified.sum()):,}",
                "Positives": f"{self.n_pos:,}",
                "Negatives": f"{self.n_neg:,}",
                "Covariates": ", ".join(self.covariates) or "none",
            }
        )

    def _columns(self) -> dict[str, Any]:
        scores = {name: self.score[:, j] for j, name in enumerate(self.names)}
        return {"label": self.label, "verified": self.verified} | scores | dict(self.covariates)

    @property
    def n_pos(self) -> int:
        """Number of cases that are known to be positive."""
        return int(self.label.sum())

    @property
    def n_neg(self) -> int:
        """Number of cases that are known to be negative."""
        return int(self.verified.sum()) - self.n_pos

    def column(self, name: str | None = None) -> Array:
        """Return one of the scores.

        Parameters
        ----------
        name : str, optional
            Its name; not needed where there is only one.

        Returns
        -------
        ndarray, shape (n,)
            The scores.

        Raises
        ------
        ValueError
            If there is no such score, or there are several and none was named.

        Examples
        --------
        >>> data = verified_scores([1, 0, None], [3.0, 2.0, 1.0])
        >>> data.column()
        array([3., 2., 1.])
        """
        return np.ascontiguousarray(self.score[:, self.names.index(self.name_of(name))])

    def name_of(self, name: str | None = None) -> str:
        """Return the name of a score, which need not be given where there is only one.

        Parameters
        ----------
        name : str, optional
            Its name.

        Returns
        -------
        str
            The name.

        Raises
        ------
        ValueError
            If there is no such score, or there are several and none is named.

        Examples
        --------
        >>> verified_scores([1, 0, None], {"test": [3.0, 2.0, 1.0]}).name_of()
        'test'
        """
        return checks.name_or_only(name, self.names)

    def rises(self, name: str | None = None) -> bool:
        """Return whether larger values of a score are more positive.

        Parameters
        ----------
        name : str, optional
            Its name; not needed where there is only one.

        Returns
        -------
        bool
            Its direction.

        Raises
        ------
        ValueError
            If there is no such score, or there are several and none was named.

        Examples
        --------
        >>> verified_scores([1, 0, None], [3, 2, 1], higher_is_positive=False).rises()
        False
        """
        known, given = self.name_of(name), self.higher_is_positive
        return given[known] if isinstance(given, Mapping) else given

    def complete_cases(self, name: str | None = None) -> ScoreTable:
        """Count one score of the verified cases alone, as if they were all.

        Parameters
        ----------
        name : str, optional
            The score; not needed if there is only one.

        Returns
        -------
        ScoreTable
            Its counts by distinct score. Its rates and its area are biased where cases were chosen
            for verification by their scores.

        Raises
        ------
        ValueError
            If there is no such score, or there are several and none was named.

        Examples
        --------
        >>> verified_scores([1, 0, None], [3.0, 2.0, 1.0]).complete_cases()
        ScoreTable(2 distinct scores, 1 positive, 1 negative)
        """
        return tabulate(
            self.label[self.verified],
            self.column(name)[self.verified],
            higher_is_positive=self.rises(name),
        )


@explained
def verified_scores(
    y_true: ArrayLike,
    y_scores: ArrayLike,
    *,
    covariates: Mapping[str, ArrayLike] | None = None,
    names: Sequence[str] | None = None,
    pos_label: object = None,
    higher_is_positive: bool | Mapping[str, bool] = True,
) -> VerifiedScores:
    """Hold scores of cases whose truth is known for a part of them.

    Parameters
    ----------
    y_true : array-like, shape (n,)
        Labels, as for `tabulate`; missing (None, NaN) where the truth is not known.
    y_scores : array-like of shape (n,) or (n, m), or mapping of names to array-likes
        One score or several, finite and known for all cases.
    covariates : mapping of names to array-likes, or data frame, optional
        Further columns, known for all cases: what verification, or the truth, may depend on
        beside the scores, or the labels of a judge. Texts are categories.
    names : sequence of str, optional
        Names of the scores; by default those of the mapping, or score_1, score_2, ...
    pos_label : optional
        The label that is positive, as for `tabulate`.
    higher_is_positive : bool, or mapping of names to bool, default True
        Whether larger scores are more positive.

    Returns
    -------
    VerifiedScores
        The checked, read-only data.

    Raises
    ------
    SingleClassError
        If no verified case is positive, or none is negative.
    ValueError, TypeError
        As `pair_scores`; also if a score or a covariate is missing or infinite for a case.

    References
    ----------
    No source: a plain definition.

    Examples
    --------
    >>> verified_scores([1, 0, None, 1, 0], {"test": [0.9, 0.1, 0.4, 0.6, 0.7]})
    VerifiedScores(test: 5 cases, 4 verified, 2 positives)
    """
    scores = _score_columns(y_scores, names)
    further = {} if covariates is None else named_columns(covariates, None)
    for name in further:
        if name in scores:
            msg = (
                f"{name!r} is both a score and a covariate. Leave it out of the covariates: models "
                "contain all scores anyway."
            )
            raise ValueError(msg)
    label, verified = _known(y_true)
    columns = {f"y_scores[{name!r}]": values for name, values in scores.items()}
    cases = check_cases(label, columns, pos_label=pos_label)
    check_promotion(*cases.scores)
    beside = {name: complete(v, f"covariates[{name!r}]") for name, v in further.items()}
    check_lengths({"y_true": label.size} | {k: v.size for k, v in beside.items()})
    found = VerifiedScores(
        label=own(cases.label & verified),
        verified=own(verified),
        score=own(np.column_stack(cases.scores)),
        names=tuple(scores),
        covariates=beside,
        higher_is_positive=checks.check_directions(higher_is_positive, tuple(scores)),
    )
    for name, column in {**dict(zip(columns, cases.scores, strict=True)), **beside}.items():
        if column.dtype.kind == "f" and not np.isfinite(column).all():
            at = int(np.flatnonzero(~np.isfinite(column))[0])
            msg = f"{name} is infinite at index {at}; models need finite numbers. Clip it."
            raise ValueError(msg)
    if not (found.n_pos and found.n_neg):
        refuse("verified_scores", found.n_pos, found.n_neg)
    return found


def check_verified(name: str, data: object) -> None:
    """Refuse anything but data of `verified_scores`."""
    if not isinstance(data, VerifiedScores):
        msg = (
            f"{name} takes the data of verified_scores, not {a_kind_of(data)}. Make it with "
            "verified_scores(y_true, scores), y_true being None where the truth is not known."
        )
        raise TypeError(msg)


def _score_columns(y_scores: ArrayLike, names: Sequence[str] | None) -> dict[str, ArrayLike]:
    """Name the columns of the scores; a single vector is called "score"."""
    if isinstance(y_scores, Mapping) or hasattr(y_scores, "columns"):
        return named_columns(y_scores, names)
    if np.ndim(y_scores) == 1:
        named = ["score"] if names is None else list(names)
        checks.check_names(named)
        if len(named) != 1:
            msg = f"One score is named {listed_values(named)}. Give it one name."
            raise ValueError(msg)
        return {named[0]: y_scores}
    return named_columns(y_scores, names)


def _known(y_true: ArrayLike) -> tuple[Array, Mask]:
    """Return labels, a known one where they are missing, and where they are known."""
    label, absent = as_vector(y_true, "y_true")
    missing = np.zeros(label.size, dtype=bool) if absent is None else absent.copy()
    if label.dtype.kind == "f":
        missing |= np.isnan(label)
    if label.size == 0 or missing.all():
        msg = "y_true has no known label. Pass those of the verified cases, None for the others."
        raise ValueError(msg)
    filled = label.copy()
    filled[missing] = label[~missing][0]
    return filled, ~missing
