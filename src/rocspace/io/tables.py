"""Tables from a file in one pass and in bounded memory, however long the file.

`tabulate_file` reads the label, the scores and the weights batch by batch and counts each
score in a `Tabulator` of its own, so a file may be far larger than memory. It gives the same
tables as `tabulate` of the columns, and a description of what was read for `summarise`.
`refine_file` reads it several times if need be, for areas that are exact or certain within a
tolerance.

**Which value is positive.** True of booleans; 1 of the numbers 0 and 1, or -1 and 1; of texts
"true" beside "false" in any case, and "1" beside "0" or "-1". All other labels need ``pos_label``,
the positive value against all others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from rocspace._base.calls import explained
from rocspace._base.cases import MissingPolicy
from rocspace._base.checks import check_directions
from rocspace._base.errors import Argument, ArgumentError, keyword
from rocspace._base.frozen import Result
from rocspace._base.words import counted
from rocspace.counts.table import ScoreTable
from rocspace.io.cases import FileCases, Reading, Taker
from rocspace.io.several import Paths
from rocspace.stream.refine import RefinedArea, Refinement
from rocspace.stream.tabulator import ROW_BYTES, Tabulator

_FLOOR = 1 << 16  # rows that each score may have, however many scores there are
_KEPT = 3  # cases that take the room of one row of counts, and of what joins them
_READING = Reading()
_PROGRAM = 320 << 20  # bytes of Python, its libraries and the batches that are being read


class FileTables(Result):
    """Tables of a file, and a description of the file.

    Attributes
    ----------
    tables : dict of str to ScoreTable
        One for each score, by the name of its column.
    source : dict
        What was read, in plain JSON types: ``file``, ``files`` (only of several), ``format``,
        ``rows``, ``label`` and ``weight`` (columns), ``positive`` (the value of the label),
        ``labels`` (rows by value, the ten most frequent and ``"(others)"``), ``scores_chosen`` ("by
        name" or "every numeric column"), ``dropped`` (rows by column, where there are any),
        ``left_out`` (only where texts keep a column from being a score: why, by column), and
        ``counting`` ("exact", or "binned" where there were more than `Reading.max_rows` distinct
        scores: then the bounds of `auc_bounds` contain the exact area).

    See Also
    --------
    tabulate_cases, tabulate_file
    """

    tables: dict[str, ScoreTable]
    source: dict[str, Any]

    _several = True

    def _columns(self) -> dict[str, Any]:
        tables = self.tables.values()
        sizes = {name: [getattr(t, name) for t in tables] for name in ("n_pos", "n_neg")}
        return {"score": [*self.tables], **sizes, "distinct": [len(t) for t in tables]}


class FileAreas(Result):
    """Areas of the scores of a file, and a description of the file.

    Attributes
    ----------
    areas : dict of str to RefinedArea
        One for each score, by the name of its column.
    source : dict
        What was read, as in `FileTables`; ``counting`` is "exact" or "bounded".

    See Also
    --------
    refine_file
    """

    areas: dict[str, RefinedArea]
    source: dict[str, Any]

    _several = True

    def _columns(self) -> dict[str, Any]:
        columns = ("value", "low", "high", "exact", "n_cases", "n_pos")
        found = {name: [getattr(a, name) for a in self.areas.values()] for name in columns}
        return {"score": [*self.areas], **found}


@explained
def tabulate_file(
    path: Paths,
    *,
    label: str,
    score: str | Sequence[str] | None = None,
    pos_label: object = None,
    weight: str | None = None,
    higher_is_positive: bool | Mapping[str, bool] = True,
    missing: MissingPolicy = "raise",
    reading: Reading = _READING,
) -> FileTables:
    """Count positives and negatives at each distinct score of columns of a file.

    Parameters
    ----------
    path : str, path or sequence of these
        A csv, parquet, arrow or ndjson file, or "-" for standard input; or several files whose rows
        are counted as those of one: a folder of them, a pattern such as ``"day-*.parquet"``, or a
        list.
    label : str
        The column of true labels.
    score : str or sequence of str, optional
        The columns of scores; by default every numeric column but the label, the weight,
        and columns that are ids or row numbers by name (``id``, ``patient_id``, ``Unnamed: 0``).
        A warning names the ids, and each score whose values look like those of an id.
    pos_label : object, optional
        The value of the label that is positive, against all others. Not needed for
        booleans, 0/1, -1/1 and true/false.
    weight : str, optional
        The column of case weights.
    higher_is_positive : bool, or mapping of names to bool, default True
        Whether larger scores are more positive; a mapping gives each score its own direction,
        True where it leaves one out.
    missing : {"raise", "omit"}, default "raise"
        What to do with a missing value. "omit" leaves out each case whose label or weight
        is missing, and from the table of a score each case without a value of that score;
        ``source["dropped"]`` counts them.
    reading : Reading
        How to read the file, and how much to keep.

    Returns
    -------
    FileTables
        The tables, and what was read.

    Raises
    ------
    FileNotFoundError, IsADirectoryError, PermissionError, ValueError
        As for `rocspace.io.read_batches`, and if a column cannot have its role, if it is not clear
        which label is positive, or if a value is missing. Messages count rows from 1, without the
        header.

    Notes
    -----
    One pass in batches. Up to three times ``reading.max_rows`` cases, those of all scores
    together, are counted at once, exactly; beyond, the memory needed depends on the distinct scores
    that are kept, not on the length of the file: with the default, at most 1.25 GB, however long
    the file and however many its scores. Measured on two busy cores: csv of 1.08 GB
    with 19 million rows and two continuous scores, all of `rocspace auc`, 30 s and 1.1 GB.

    References
    ----------
    Fawcett (2006), Algorithm 1, for the sweep; the count in batches is our own.

    Examples
    --------
    >>> from rocspace import auc, datasets
    >>> found = tabulate_file(datasets.path("fawcett20"), label="label")
    >>> found.tables
    {'score': ScoreTable(20 distinct scores, 10 positives, 10 negatives)}
    >>> round(auc(found.tables["score"]), 9), found.source["rows"]
    (0.68, 20)
    """
    cases = FileCases(
        path,
        label=label,
        score=score,
        pos_label=pos_label,
        weight=weight,
        missing=missing,
        reading=reading,
    )
    return tabulate_cases(cases, higher_is_positive=higher_is_positive)


@explained
def tabulate_cases(
    cases: FileCases,
    *,
    higher_is_positive: bool | Mapping[str, bool],
    also: Mapping[str, Taker] | None = None,
) -> FileTables:
    """Count the cases of a file in one pass, and pass them on to other takers.

    Parameters
    ----------
    cases : FileCases
        The columns.
    higher_is_positive : bool, or mapping of names to bool
        As for `tabulate_file`.
    also : mapping of str to Taker, optional
        Further takers by the name of the score; they get the same batches.

    Returns
    -------
    FileTables
        As `tabulate_file`.

    Raises
    ------
    ValueError
        If no case is left, or all weights of a score are zero; and what reading the file raises.

    References
    ----------
    No source: reads data, computes nothing.

    Examples
    --------
    >>> from rocspace import datasets
    >>> from rocspace.io.cases import FileCases
    >>> cases = FileCases(
    ...     datasets.path("fawcett20"),
    ...     label="label",
    ...     score="score",
    ...     pos_label=None,
    ...     weight=None,
    ...     missing="raise",
    ...     reading=Reading(),
    ... )
    >>> tabulate_cases(cases, higher_is_positive=True).tables["score"]
    ScoreTable(20 distinct scores, 10 positives, 10 negatives)
    """
    counted = count_cases(cases, higher_is_positive=higher_is_positive, also=also, keep=_KEPT)
    return tables_of(cases, counted)


def count_cases(
    cases: FileCases,
    *,
    higher_is_positive: bool | Mapping[str, bool],
    also: Mapping[str, Taker] | None = None,
    keep: int = 0,
) -> dict[str, Tabulator]:
    """Count the cases of a file in one pass; parameters as for `tabulate_cases`.

    `keep` times as many cases as rows are kept, and counted exactly if there are no more.
    """
    reading = cases.reading
    higher = check_directions(higher_is_positive, cases.scores)
    room = max(2 * reading.max_rows // len(cases.scores), _FLOOR)
    tabulators = {
        name: Tabulator(max_rows=min(reading.max_rows, room), higher_is_positive=higher[name])
        for name in cases.scores
    }
    for tabulator in tabulators.values() if keep else ():
        tabulator.keep(max(keep * reading.max_rows // len(cases.scores), 1))
    takers: dict[str, Taker] = dict(tabulators)
    if also is not None:
        takers = {name: _Both(taker, also[name]) for name, taker in takers.items()}
    cases.read(takers, reading.progress)
    cases.count.check_some()
    for name, tabulator in tabulators.items():
        if not tabulator.n_cases:
            weight = cases.described({})["weight"]
            msg = f"Weight {weight!r} is zero for every case of {name!r}: nothing is left to count."
            raise ValueError(msg)
    return tabulators


def tables_of(cases: FileCases, tabulators: Mapping[str, Tabulator]) -> FileTables:
    """Return the tables of cases that were counted, and what was read."""
    tables = {name: tabulator.table() for name, tabulator in tabulators.items()}
    cases.count.warn_of_ids(tables)
    counting = {name: "exact" if t.is_exact else "binned" for name, t in tabulators.items()}
    return FileTables(tables=tables, source=cases.described(counting))


class _Both:
    """Gives each batch to two takers."""

    def __init__(self, *takers: Taker) -> None:
        self._takers = takers

    def update(self, *columns: Any) -> None:
        """Take a batch."""
        for taker in self._takers:
            taker.update(*columns)


@explained
def refine_file(
    path: Paths,
    *,
    label: str,
    score: str | Sequence[str] | None = None,
    tolerance: float = 0.0,
    pos_label: object = None,
    higher_is_positive: bool | Mapping[str, bool] = True,
    missing: MissingPolicy = "raise",
    reading: Reading = _READING,
) -> FileAreas:
    """Return the area under the curve of scores of a file, exact or certain within a tolerance.

    Parameters
    ----------
    path, label, score, pos_label, higher_is_positive, missing
        As for `tabulate_file`.
    tolerance : float, default 0
        Largest acceptable distance between the bounds; 0 asks for the exact area.
    reading : Reading
        How to read the file, and the memory that the process may need.

    Returns
    -------
    FileAreas
        The areas with their bounds, and what was read.

    Raises
    ------
    FileNotFoundError, IsADirectoryError, PermissionError, ValueError
        As for `tabulate_file`, and if the memory or the tolerance is too small.
    SingleClassError
        If a class is missing.

    Notes
    -----
    One pass, and further ones while the bounds are too wide; all scores share the passes and
    the memory. With the default of 1 GB one continuous score is certain within 1e-6 after a
    single pass, however long the file, and exact after one more for each 50 million rows.

    References
    ----------
    No source: our own.

    Examples
    --------
    >>> from rocspace import datasets
    >>> found = refine_file(datasets.path("fawcett20"), label="label")
    >>> found.areas["score"].value, found.areas["score"].exact
    (0.68, True)
    """
    cases = FileCases(
        path,
        label=label,
        score=score,
        pos_label=pos_label,
        weight=None,
        missing=missing,
        reading=reading,
    )
    higher = check_directions(higher_is_positive, cases.scores)
    room = (reading.memory - _PROGRAM) // len(cases.scores)
    if room < ROW_BYTES << 10:
        needed = _PROGRAM + len(cases.scores) * (ROW_BYTES << 10)
        raise ArgumentError(
            Argument("memory"),
            f" is {reading.memory:,} bytes, but the program and "
            f"{counted(len(cases.scores), 'score')} need {needed:,} at least. Allow more, or "
            "name fewer scores with ",
            keyword("score"),
            ".",
        )
    refinements = {
        name: Refinement(tolerance=tolerance, memory=room, higher_is_positive=higher[name])
        for name in cases.scores
    }
    watch = partial(_watch, reading.progress)
    cases.read({name: each.counter for name, each in refinements.items()}, watch("rows read"))
    cases.count.check_some()
    cases.count.warn_of_ids()
    source = cases.described({})
    more = max(each.plan() for each in refinements.values())
    for i in range(more):
        cases.read(refinements, watch(f"rows read, pass {i + 2} of {more + 1}"))
        for each in refinements.values():
            each.settle()
    areas = {name: each.area() for name, each in refinements.items()}
    counting = {name: "exact" if area.exact else "bounded" for name, area in areas.items()}
    return FileAreas(areas=areas, source=source | {"counting": counting})


def _watch(progress: Callable[..., None] | None, stage: str) -> Callable[[int], None] | None:
    """Give the number of the pass to `progress`, if it can show that."""
    if progress is None or not hasattr(progress, "stage"):
        return progress
    progress.stage = stage
    return progress
