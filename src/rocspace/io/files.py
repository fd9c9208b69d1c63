"""Read columns of a file by batches, in bounded memory: csv, tsv, parquet, arrow, ndjson.

Only the named columns are decoded, some ten thousand rows at a time, so a file may be far larger
than memory. ``"-"`` is standard input, in any of the formats; it is copied to a temporary file
once, so that it can be read again. Needs the extra ``app``.

**What is recognised.** The first bytes decide, then the extension: parquet, arrow (feather) files
and arrow streams, JSON lines; everything else that is text is csv. Text may be compressed with
gzip, zstd, bz2 or lz4. Text is UTF-8, with or without a byte order mark.

**Kinds.** A column is ``"number"``, ``"text"`` (dates and times among them), ``"boolean"`` or
``"other"`` (lists, durations, ..., which cannot be read). In text formats the first
megabyte decides; ``kinds`` of `read_batches` overrides it. Numbers are parsed to the nearest
float64, as Python does.

**Missing values.** In csv numbers, an empty field and the texts in `NULL_VALUES` are missing. In
csv texts only the empty field is missing, since a class may be called "NA" or "None".
``null_values`` replaces both lists. In the other formats null and NaN are missing.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from rocspace._base.arrays import EXACT, Mask
from rocspace._base.calls import explained
from rocspace._base.errors import Argument, ArgumentError, InPython, Part, keyword
from rocspace._base.frozen import Result, own
from rocspace._base.optional import require
from rocspace._base.text import brief
from rocspace._base.words import nearest, shown
from rocspace.io.arrow import (
    Codes,
    NotOfKindError,
    Values,
    schema_of,
    tables,
    values_of,
)
from rocspace.io.several import Paths, look_at, of_each, shared_kinds
from rocspace.io.sniff import Format, Source, look, translated
from rocspace.io.text import BadValueError, Kind, is_float, kind_of, objects

_COUNTED = 1000  # distinct values counted exactly
_LISTED = 10  # distinct values listed with their counts
_LONGEST_SHOWN = 80  # characters of a value
_SHOWN = 20  # columns that a message lists
_ROWS = 1 << 18  # of a batch


class Batch(Result):
    """Consecutive rows of some columns of a file.

    Attributes
    ----------
    row : int
        Index of the first of these rows in the file; the first data row is 0.
    columns : dict of str to ndarray or Codes
        By name, in the order asked for; all of one length. A text is `Codes`, a boolean
        an ndarray of bool. A number is float32 if the file says so, else float64, with NaN
        where it is missing; only a batch with whole numbers beyond 2**53, which float64 would
        round, is int64 or uint64.
    missing : dict of str to ndarray of bool
        By name, which values are missing. There the column itself has NaN, code -1, False, or the
        integer 0.

    See Also
    --------
    read_batches

    Examples
    --------
    >>> batch = Batch(
    ...     row=0,
    ...     columns={"score": np.array([0.5, np.nan, 0.1])},
    ...     missing={"score": np.array([False, True, False])},
    ... )
    >>> len(batch), batch.complete()
    (3, array([ True, False,  True]))
    """

    row: int
    columns: Mapping[str, Values]
    missing: Mapping[str, Mask]

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(next(iter(self.missing.values())))

    def _columns(self) -> dict[str, Any]:
        """Return the columns by name, with texts decoded."""
        return {
            name: column.decode() if isinstance(column, Codes) else column
            for name, column in self.columns.items()
        }

    def complete(self) -> Mask:
        """Tell which rows have a value in every column.

        Returns
        -------
        ndarray of bool, shape (n,)
            One entry for each row.
        """
        missing = np.zeros(len(self), dtype=bool)
        for each in self.missing.values():
            missing |= each
        return ~missing


class Column(Result):
    """Description of one column of a file.

    Attributes
    ----------
    name, dtype : str
        Its name, and its type in the file (in text: the type that fits all of it).
    kind : {"number", "text", "boolean", "other"}
        How it can be used; "other" is not examined.
    n : int
        Rows of the file.
    missing : int or None
        Rows without a value; None for "other".
    distinct : int or None
        Distinct values, exact up to 1000; None if there are more.
    minimum, maximum : float, int or None
        Extremes of a column of numbers; None without a value.
    examples : tuple of str
        Up to five different values from the top of the file.
    counts : tuple of (str, int)
        Every value and its number of rows, most frequent first, if there are at most ten.
    note : str
        What is wrong with the column, or "".

    See Also
    --------
    scan_columns
    """

    name: str
    dtype: str
    kind: Kind
    n: int
    missing: int | None = None
    distinct: int | None = None
    minimum: float | int | None = None
    maximum: float | int | None = None
    examples: tuple[str, ...] = ()
    counts: tuple[tuple[str, int], ...] = ()
    note: str = ""


@explained
def read_schema(
    path: Paths,
    *,
    format: Format | None = None,  # noqa: A002 (the word everybody uses)
    separator: str | None = None,
    decimal_comma: bool | None = None,
    null_values: Sequence[str] | None = None,
) -> dict[str, Kind]:
    """Return the columns of a file and their kinds, without reading all of it.

    Parameters
    ----------
    path : str, path or sequence of these
        The file, or "-" for standard input. A folder, a pattern such as ``"*.parquet"``, or several
        files: the columns that all of them have.
    format : {"csv", "tsv", "parquet", "arrow", "ndjson"}, optional
        How to read it, where its bytes and its name do not show the format.
    separator : str, optional
        Of a csv file; by default the one of ``, ; tab |`` that fits the first rows.
    decimal_comma : bool, optional
        Whether a csv file writes 0.5 as ``0,5``; by default looked for if the separator is a
        semicolon.
    null_values : sequence of str, optional
        Texts that mean a missing value, as for `read_batches`: a column of numbers and these texts
        is a number.

    Returns
    -------
    dict of str to {"number", "text", "boolean", "other"}
        In the order of the file. A name that occurs twice is "other": it cannot be read.

    Raises
    ------
    FileNotFoundError, IsADirectoryError, PermissionError
        If there is no such file to read.
    ValueError
        If the file is empty, damaged, or in another format.

    Notes
    -----
    Reads the metadata of binary formats and the first megabyte of text. The keys of ndjson are
    those that occur there.

    References
    ----------
    No source: reads data, computes nothing.

    Examples
    --------
    >>> from rocspace import datasets
    >>> read_schema(datasets.path("fawcett20"))
    {'label': 'number', 'score': 'number'}
    """
    return shared_kinds(look_at(path, format, separator, decimal_comma, null_values))


@explained
def read_batches(
    path: str | os.PathLike[str],
    columns: Sequence[str],
    *,
    format: Format | None = None,  # noqa: A002
    separator: str | None = None,
    decimal_comma: bool | None = None,
    null_values: Sequence[str] | None = None,
    kinds: Mapping[str, Kind] | None = None,
    batch_rows: int = _ROWS,
) -> Iterator[Batch]:
    """Read the named columns of a file, batch by batch.

    Parameters
    ----------
    path : str or path
        One file, or "-" for standard input.
    format, separator, decimal_comma
        As for `read_schema`.
    columns : sequence of str
        Names exactly as in the file.
    null_values : sequence of str, optional
        Texts that mean a missing value, in place of `NULL_VALUES` for csv numbers and of the
        empty field for texts of any format. An empty field of csv is always missing.
    kinds : mapping of str to {"number", "text", "boolean"}, optional
        The kinds of columns whose first rows mislead, such as ``{"site": "text"}`` where the
        sites are 1, 2, ... 9, 10a.
    batch_rows : int
        Rows of a batch; the last one, and one before a change of type, may have fewer.

    Returns
    -------
    iterator of Batch
        All rows in order, blank lines left out.

    Raises
    ------
    FileNotFoundError, IsADirectoryError, PermissionError
        If there is no such file to read.
    ValueError
        At once, if a column does not exist or the file is empty or in another format; while
        reading, if it is cut off, a row has too many or too few fields, or a value does not fit
        the kind of its column. The message names the row, counted from 1 without the header.

    Notes
    -----
    Measured on two cores with 10^7 rows, two of eight columns, in a fresh process: csv of 1.06 GB
    2.6 s, its gzip 4.5 s, parquet 0.6 s; 0.65 GB of ndjson 5 s. The peak was 160 to 220 MB, of
    which a third is Python with its libraries, and does not grow with the file. Arrow files are
    mapped, not loaded; one record batch of a compressed one is in memory at a time.

    Whole numbers beyond 2**53, and decimals, are kept exactly or refused, wherever the first
    fraction is: a column of whole numbers alone is int64 or uint64 where float64 would round it;
    beside fractions, a number that float64 would round is an error.

    References
    ----------
    No source: reads data, computes nothing.

    Examples
    --------
    >>> from rocspace import datasets
    >>> batches = read_batches(datasets.path("fawcett20"), ["label", "score"], batch_rows=8)
    >>> [(batch.row, len(batch)) for batch in batches]
    [(0, 8), (8, 8), (16, 4)]
    """
    source = look(path, format, separator, decimal_comma, null_values)
    if batch_rows < 1:
        msg = f"batch_rows is {batch_rows}. It must be at least 1."
        raise ValueError(msg)
    return batches_of(source, columns, kinds or {}, batch_rows)


def batches_of(
    source: Source, columns: Sequence[str], kinds: Mapping[str, Kind], batch_rows: int = _ROWS
) -> Iterator[Batch]:
    """Read columns of a recognised file; names and kinds are checked at once."""
    schema = schema_of(source)
    names = _checked_names(source, columns, [name for name, _ in schema])
    types = dict(schema)
    found = {name: kind_of(source, types[name]) for name in names}
    return _batches(source, _checked_kinds(source, found, types, kinds), batch_rows)


@explained
def scan_columns(
    path: Paths,
    *,
    format: Format | None = None,  # noqa: A002
    separator: str | None = None,
    decimal_comma: bool | None = None,
    null_values: Sequence[str] | None = None,
) -> tuple[Column, ...]:
    """Describe every column of a file, in bounded memory.

    Parameters
    ----------
    path, format, separator, decimal_comma, null_values
        As for `read_schema`.

    Returns
    -------
    tuple of Column
        In the order of the file. Several files are one, with all their rows; a column that one of
        them lacks is "other", with a note.

    Raises
    ------
    FileNotFoundError, IsADirectoryError, PermissionError, ValueError
        As for `read_batches`, but a stray text among numbers does not stop it: such a column is a
        text, with a note that names the row.

    Notes
    -----
    One pass, and one more for each column whose kind differs from that of its first megabyte.

    References
    ----------
    No source: reads data, computes nothing.

    Examples
    --------
    >>> from rocspace import datasets
    >>> for column in scan_columns(datasets.path("fawcett20")):
    ...     print(column.name, column.kind, column.n, column.missing, column.distinct)
    label number 20 0 2
    score number 20 0 20
    """
    sources = look_at(path, format, separator, decimal_comma, null_values)
    kinds, notes = shared_kinds(sources), dict[str, str]()
    schema: list[tuple[str, Any]] = []
    for source in sources:
        columns = schema_of(source)
        names, known = [name for name, _ in columns], [name for name, _ in schema]
        times = Counter(names)
        notes |= {n: "the name occurs twice; rename one" for n in names if times[n] > 1}
        if known:
            lacking = set(names) ^ set(known)
            notes |= dict.fromkeys(lacking, "not all of the files have it")
        there = set(known)
        schema += [column for column in columns if column[0] not in there]
    while True:
        tallies = {name: _Tally(kind) for name, kind in kinds.items() if kind != "other"}
        try:
            n = sum(n for _, n in of_each(sources, partial(_counted, tallies, kinds)))
            break
        except BadValueError as error:
            notes[error.column] = error.what
            kinds[error.column] = "text" if error.kind != "text" else "other"
    return tuple(
        tallies[name].column(name, n, notes.get(name, ""))
        if name in tallies
        else Column(
            name=name, dtype=_plain_type(dtype), kind="other", n=n, note=notes.get(name, "")
        )
        for name, dtype in schema
    )


# --- names and kinds ----------------------------------------------------------------------


def _checked_names(source: Source, columns: Sequence[str], existing: list[str]) -> list[str]:
    if isinstance(columns, str):
        msg = f"columns is {columns!r}. Pass a list of names, as in [{columns!r}]."
        raise TypeError(msg)
    names = list(dict.fromkeys(columns))
    if not names:
        msg = "columns is empty. Name at least one column."
        raise ValueError(msg)
    own = [name for name in existing if name not in source.partition]
    numbered = [str(i) for i in range(len(own))]  # as data frames without column names write them
    if source.format == "csv" and own and own != numbered and all(map(is_float, own)):
        listed = ", ".join(shown(each) for each in own[:_SHOWN])
        msg = (
            f"{source.name} begins with {listed}. Its first line looks like data: add a line with "
            "the names of the columns, or that row would be lost."
        )
        raise ValueError(msg)
    times = Counter(existing)
    for name in names:
        if not times[name]:
            raise ArgumentError(*_no_column(source, name, existing))
        if times[name] > 1:
            places = [i for i, each in enumerate(existing, 1) if each == name]
            msg = (
                f"Column {name!r} occurs {len(places)} times in {source.name}, as columns "
                f"{', '.join(map(str, places))}. Rename the others."
            )
            raise ValueError(msg)
    return names


def _no_column(source: Source, name: str, existing: list[str]) -> tuple[Part, ...]:
    if not existing:
        return (f"{source.name} has no columns, so {name!r} does not exist.",)
    listed = ", ".join(shown(each) for each in existing[:_SHOWN])
    more = f", ... ({len(existing)} in all)" if len(existing) > _SHOWN else ""
    hint: tuple[Part, ...] = (nearest(name, existing),)
    parts = [part.strip() for part in name.split(",")]
    if len(parts) > 1 and set(parts) <= set(existing):
        hint = (f" Name the {len(parts)} columns one by one", InPython(f", as in {parts}"), ".")
    elif source.format == "csv" and all(is_float(each) for each in existing):
        hint = (" Its first line looks like data: add a line with the names of the columns.",)
    elif source.format == "csv" and len(existing) == 1 and name in existing[0].split():
        hint = (
            " Are its columns separated by spaces? Say so with ",
            Argument("separator", " "),
            ".",
        )
    elif source.format == "csv" and len(existing) == 1 and hint == ("",):
        hint = (" Is there another separator? Name it with ", keyword("separator"), ".")
    return f"{source.name} has no column {name!r}.", *hint, f" It has {listed}{more}."


def _checked_kinds(
    source: Source, found: dict[str, Kind], dtypes: Mapping[str, Any], said: Mapping[str, Kind]
) -> dict[str, Kind]:
    for name, kind in said.items():
        if name not in found:
            msg = f"kinds has {name!r}, which is not among the columns {list(found)}. Drop it."
            raise ValueError(msg)
        if kind not in {"number", "text", "boolean"}:
            msg = f"kinds[{name!r}] is {kind!r}. It must be 'number', 'text' or 'boolean'."
            raise ValueError(msg)
    kinds = {name: said.get(name, kind) for name, kind in found.items()}
    for name, kind in kinds.items():
        if kind == "other":
            msg = (
                f"Column {name!r} of {source.name} has {dtypes[name]}, which is neither number, "
                "text nor boolean. Convert it, or name another column."
            )
            raise ValueError(msg)
    return kinds


# --- from arrow to NumPy --------------------------------------------------------------------


def _batches(source: Source, kinds: Mapping[str, Kind], batch_rows: int) -> Iterator[Batch]:
    row = 0
    for table in _tables(source, kinds, batch_rows):
        yield _batch(source, table, kinds, row)
        row += len(table)


def _tables(source: Source, kinds: Mapping[str, Kind], batch_rows: int = _ROWS) -> Iterator[Any]:
    """Group the reader's pieces, which have sizes of their own, into tables of `batch_rows`."""
    pa = require("pyarrow", extra="app")
    held: list[Any] = []
    n = 0
    for piece in tables(source, kinds):
        if (
            held and piece.schema != held[0].schema
        ):  # the first fraction in a column of whole numbers
            yield pa.Table.from_batches(held)
            held, n = [], 0
        held.append(piece)
        n += len(piece)
        if n >= batch_rows:
            table = pa.Table.from_batches(held)
            for start in range(0, n - batch_rows + 1, batch_rows):
                yield table.slice(start, batch_rows)
            rest = table.slice(n - n % batch_rows)
            held, n = rest.to_batches(), len(rest)
    if n:
        yield pa.Table.from_batches(held)


def _batch(source: Source, table: Any, kinds: Mapping[str, Kind], row: int) -> Batch:
    columns: dict[str, Values] = {}
    missing: dict[str, Mask] = {}
    for name in table.column_names:
        kind = kinds[name]
        with translated(source):
            try:
                values, absent = values_of(table[name], kind, source.nulls(kind))
            except NotOfKindError as error:
                what = {"column": name, "value": error.value, "row": row + error.index + 1}
                raise BadValueError(source, kind=kind, why=error.why, **what) from None
        columns[name] = values if isinstance(values, Codes) else own(values)
        missing[name] = own(absent)
    return Batch(row=row, columns=columns, missing=missing)


# --- an overview of the columns -----------------------------------------------------------


def _counted(
    tallies: Mapping[str, _Tally], kinds: Mapping[str, Kind], source: Source
) -> Iterator[int]:
    """Yield the number of rows of a file, once they are counted."""
    yield _count(source, tallies, kinds)


def _count(source: Source, tallies: Mapping[str, _Tally], kinds: Mapping[str, Kind]) -> int:
    n = 0
    if not tallies:  # no column to examine, but rows to count
        if source.format == "ndjson":
            return sum(1 for _ in objects(source))
        if not kinds:
            msg = f"{source.name} has no columns."
            raise ValueError(msg)
        name = next(iter(kinds))
        return sum(len(table) for table in _tables(source, {name: "other"}))
    for table in _tables(source, {name: kinds[name] for name in tallies}):
        batch = _batch(source, table, kinds, n)
        n += len(batch)
        for name, tally in tallies.items():
            tally.dtype = table.schema.field(name).type
            tally.add(batch.columns[name], batch.missing[name])
    return n


def _plain_type(dtype: Any) -> str:
    types = require("pyarrow", extra="app").types
    if types.is_dictionary(dtype):
        dtype = dtype.value_type
    names = {"double": "float64", "float": "float32", "halffloat": "float16"}
    return names.get(str(dtype), str(dtype))


@dataclass(slots=True, eq=False)
class _Tally:
    """Running facts of one column."""

    kind: Kind
    dtype: Any = None
    missing: int = 0
    counts: dict[Any, int] | None = field(default_factory=dict)
    examples: dict[Any, None] = field(default_factory=dict)
    low: Any = None
    high: Any = None

    def add(self, values: Values, missing: Mask) -> None:
        self.missing += int(missing.sum())
        if isinstance(values, Codes):
            present = values.codes[~missing]
            texts = values.categories
            top = [texts[i] for i in present[: 20 * _LISTED]]
            n = np.bincount(present, minlength=len(texts)).tolist()
            self._merge(texts, n)
        else:
            present = values[~missing]
            top = present[: 20 * _LISTED].tolist()
            if self.counts is not None:
                distinct, number = np.unique(present, return_counts=True)
                self._merge(distinct.tolist(), number.tolist())
            if present.size and self.kind == "number":
                low, high = present.min().item(), present.max().item()
                self.low = low if self.low is None else min(self.low, low)
                self.high = high if self.high is None else max(self.high, high)
        for value in top:
            if len(self.examples) == 5:
                break
            self.examples[value] = None

    def _merge(self, values: Sequence[Any], numbers: Sequence[int]) -> None:
        if self.counts is None:
            return
        for value, n in zip(values, numbers, strict=True):
            self.counts[value] = self.counts.get(value, 0) + n
        if len(self.counts) > _COUNTED:
            self.counts = None

    def column(self, name: str, n: int, note: str) -> Column:
        counts = self.counts or {}
        ranked = sorted(counts.items(), key=lambda item: -item[1])
        return Column(
            name=name,
            dtype=_plain_type(self.dtype),
            kind=self.kind,
            n=n,
            missing=self.missing,
            distinct=None if self.counts is None else len(counts),
            minimum=self._natural(self.low),
            maximum=self._natural(self.high),
            examples=tuple(self._example(value) for value in self.examples),
            counts=tuple((self._shown(v), k) for v, k in ranked) if len(counts) <= _LISTED else (),
            note=note,
        )

    def _natural(self, value: Any) -> Any:
        """Return a value as the int that it was before it became a float."""
        whole = "int" in _plain_type(self.dtype) and isinstance(value, float)
        return int(value) if whole else value

    def _example(self, value: Any) -> str:
        """Show an example; of a fraction six digits, as of the range."""
        fraction = isinstance(value, float) and not value.is_integer()
        return brief(value) if fraction else self._shown(value)

    def _shown(self, value: Any) -> str:
        if isinstance(value, bool):
            return str(value).lower()
        whole = isinstance(value, float) and value.is_integer() and abs(value) < EXACT
        text = str(int(value) if whole else value)
        return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}..."
