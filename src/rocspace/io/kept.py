"""The cases of a file kept as they are: scores of the same cases, side by side."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rocspace._base.arrays import Array
from rocspace._base.calls import explained
from rocspace._base.cases import MissingPolicy, joined_exactly
from rocspace._base.checks import check_directions
from rocspace._base.text import count
from rocspace.counts.paired import PairedScores, pair_scores
from rocspace.counts.table import ScoreTable
from rocspace.io.cases import FileCases, Reading
from rocspace.io.several import Paths
from rocspace.io.tables import FileTables, tabulate_cases

_KEPT = 40_000_000  # values of all columns that are kept: 320 MB
_READING = Reading()


@explained
def pair_file(
    path: Paths,
    *,
    label: str,
    score: str | Sequence[str] | None = None,
    pos_label: object = None,
    weight: str | None = None,
    cluster: str | None = None,
    higher_is_positive: bool | Mapping[str, bool] = True,
    missing: MissingPolicy = "raise",
    reading: Reading = _READING,
) -> PairedScores:
    """Read several scores of the same cases from columns of a file.

    Parameters
    ----------
    path, label, score, pos_label, weight, higher_is_positive, reading
        As for `tabulate_file`.
    cluster : str, optional
        The column that says which cases belong together, such as those of a patient.
    missing : {"raise", "omit"}, default "raise"
        What to do with a missing value. "omit" leaves out each case that lacks one of the columns.

    Returns
    -------
    PairedScores
        Every case with all its scores.

    Raises
    ------
    FileNotFoundError, IsADirectoryError, PermissionError, ValueError
        As for `tabulate_file`.

    Notes
    -----
    One pass; all cases are kept in memory, 8 bytes for each value.

    References
    ----------
    No source: reads data, computes nothing.

    Examples
    --------
    >>> from rocspace import auc_difference, datasets
    >>> cases = pair_file(datasets.path("groc_table3"), label="label")
    >>> len(cases), cases.names
    (20, ('a', 'b'))
    >>> abs(round(auc_difference(cases).value, 9))
    0.0
    """
    cases = FileCases(
        path,
        label=label,
        score=score,
        pos_label=pos_label,
        weight=weight,
        missing=missing,
        reading=reading,
        beside=() if cluster is None else (cluster,),
    )
    higher = check_directions(higher_is_positive, cases.scores)
    found = keep_cases(cases, higher_is_positive=higher)
    return found.data if cluster is None else found.in_clusters(cluster)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FoundCases:
    """The cases of a file that have all scores.

    Attributes
    ----------
    data : PairedScores
        Their labels, scores and weights.
    beside : dict of str to ndarray
        Further columns of the same cases, by name.
    source : dict
        What was read.
    """

    data: PairedScores
    beside: dict[str, Array]
    source: dict[str, Any]

    @property
    def tables(self) -> dict[str, ScoreTable]:
        """The table of each score."""
        return {name: self.data.table(name) for name in self.data.names}

    def in_clusters(self, name: str) -> PairedScores:
        """Return the cases with the clusters that a column says."""
        number = np.unique(self.beside[name], return_inverse=True)[1]
        return replace(self.data, cluster=number)


def keep_cases(cases: FileCases, *, higher_is_positive: Mapping[str, bool]) -> FoundCases:
    """Read the cases of a file that have all scores, in one pass."""
    beside = cases.beside
    kept = {name: KeptCases() for name in cases.scores}
    cases.read(kept, cases.reading.progress)
    cases.count.check_some()
    cases.count.warn_of_ids()
    source = cases.described(dict.fromkeys(cases.scores, "exact"))
    weighted = source["weight"] is not None
    data, more = paired(kept, higher_is_positive, weighted=weighted)
    return FoundCases(data=data, beside=dict(zip(beside, more, strict=True)), source=source)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TablesAndCases:
    """The tables of a file, and its cases where they fit.

    Attributes
    ----------
    found : FileTables
        The table of each score, and what was read.
    data : PairedScores, optional
        All scores of each case; None for a single score, or where they were not kept.
    why : str
        Why several scores were not kept.
    """

    found: FileTables
    data: PairedScores | None = None
    why: str = ""


def tabulate_and_keep(
    cases: FileCases, *, higher_is_positive: Mapping[str, bool]
) -> TablesAndCases:
    """Tabulate a file in one pass, and keep several scores of its cases as long as they fit."""
    several = len(cases.scores) > 1
    room = _KEPT // len(cases.scores)
    kept = {name: KeptCases(room) for name in cases.scores} if several else {}
    found = tabulate_cases(cases, higher_is_positive=higher_is_positive, also=kept or None)
    if lacking := [name for name in kept if found.source["dropped"].get(name)]:
        return TablesAndCases(found=found, why=f"some cases lack {lacking[0]}")
    if any(each.room < 0 for each in kept.values()):
        return TablesAndCases(found=found, why=f"there are more than {count(room)} cases")
    if not kept:
        return TablesAndCases(found=found)
    weighted = found.source["weight"] is not None
    try:
        data, _ = paired(kept, higher_is_positive, weighted=weighted)
    except ValueError as error:  # large whole numbers beside fractions: no common type
        return TablesAndCases(found=found, why=str(error))
    return TablesAndCases(found=found, data=data)


class KeptCases:
    """Takes the cases of one score as they are, until there are too many."""

    def __init__(self, room: float = math.inf) -> None:
        self.room = room
        self._parts: list[tuple[Array, ...]] = []

    def update(self, *columns: Any) -> None:
        """Take a batch."""
        self.room -= len(columns[0])
        if self.room < 0:
            self._parts = []
        else:
            self._parts.append(tuple(np.array(column) for column in columns))

    def columns(self) -> list[Array]:
        """Return all batches put together."""
        return [joined_exactly(column) for column in zip(*self._parts, strict=True)]


def paired(
    kept: Mapping[str, KeptCases], higher_is_positive: Mapping[str, bool], *, weighted: bool
) -> tuple[PairedScores, list[Array]]:
    """Put the scores of the same cases side by side; also return further columns of the cases."""
    columns = {name: each.columns() for name, each in kept.items()}
    label, _, *more = next(iter(columns.values()))
    weight = more.pop(0) if weighted else None
    scores = {name: column[1] for name, column in columns.items()}
    data = pair_scores(label, scores, sample_weight=weight, higher_is_positive=higher_is_positive)
    return data, more
