"""Columns of csv and JSON lines as arrow batches; errors name the row."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from math import isinf
from sys import getrefcount, maxsize
from time import monotonic, sleep
from typing import Any, Literal, TypeAlias

from rocspace._base.arrays import EXACT
from rocspace._base.errors import Argument, ArgumentError, InPython, Part
from rocspace._base.optional import require
from rocspace._base.words import shown
from rocspace.io.sniff import Source, not_utf8, open_stream

Kind: TypeAlias = Literal["number", "text", "boolean", "other"]

_BLOCK = 1 << 20  # bytes of text parsed at a time
_LARGEST_BLOCK = 1 << 26  # a row longer than this is a quote that was never closed
_SEARCHED = 2_000_000  # rows read at most, to turn a row number into a line number
_HEX = (b"0x", b"0X")
_HEXADECIMAL = re.compile(r"[-+]?0[xX]")
_WHOLE = r"^\s*-?\d+\s*$"  # as the reader of integers takes it
_MINUS = r"^\s*-"
_PLAIN = re.compile(r"[-+]?\d+(?:\.0*)?")
_DOUBTFUL = r"^\s*[-+]?(?:\d{16,}(?:\.0*)?\s*$|0[xX]|\d{100}|[\d.]+[eE]\+?\d{3})"
_LONGEST = 30
_MOST_DIGITS = 1100  # no float64 has more
_PATIENCE = 0.5  # seconds in which the reader's thread drops what it read
_UNLENT = next(getrefcount(one) for one in [object()])  # of a list's item that nobody else holds


ROUNDED = "float64 would round"


class BadValueError(ArgumentError):
    """A value that does not fit the kind of its column; rows count from 1."""

    def __init__(
        self, source: Source, *, column: str, value: object, row: int, kind: Kind, why: str = ""
    ) -> None:
        self.column, self.kind, self.value = column, kind, value
        why = why or f"is not {'text' if kind == 'text' else f'a {kind}'}"
        self.what = f"row {row} holds {shown(value)}, which {why}"
        mend: tuple[Part, ...]
        if why == ROUNDED:
            told = (
                "A column of whole numbers alone is exact from -2**63 to 2**64. Round it "
                "yourself, or if it is not a number but a name, leave it out or write it as text."
            )
            mend = (told,)
        elif source.format == "csv":
            null = Argument("null_values", value, f"null_values=[..., {shown(value)}]")
            as_text = f", or read the column as text with kinds={{{column!r}: 'text'}}"
            mend = ("Correct it, or declare it missing with ", null, InPython(as_text), ".")
        else:
            mend = ("Correct it, or write null where the value is missing.",)
        super().__init__(
            f"Column {column!r} of {source.name}: row {row}{in_line(source, row)} holds "
            f"{shown(value)}, which {why}. ",
            *mend,
        )


def kind_of(source: Source, dtype: Any) -> Kind:
    """Return the kind of a column of this arrow type."""
    types = require("pyarrow", extra="app").types
    if types.is_dictionary(dtype):
        dtype = dtype.value_type
    if types.is_null(dtype) or types.is_integer(dtype):
        return "number"
    if types.is_floating(dtype) or types.is_decimal(dtype):
        return "number"
    if types.is_boolean(dtype):
        return "boolean"
    if source.format == "csv":  # any other type that the reader guessed, such as a date, was text
        return "text"
    if (
        types.is_string(dtype)
        or types.is_large_string(dtype)
        or types.is_string_view(dtype)
        or types.is_date(dtype)  # written out: days are groups, not numbers
        or types.is_timestamp(dtype)
        or types.is_time(dtype)
    ):
        return "text"
    return "other"


def fits(number: str) -> bool:
    """Return whether float64 keeps all digits of a number as it was written."""
    if len(number) > _MOST_DIGITS:
        return False
    value = Decimal(number)
    digits = len(value.as_tuple().digits)
    return not value.is_finite() or Decimal(f"{float(value):.{digits - 1}e}") == value


def is_float(text: str) -> bool:
    """Return whether a text reads as a number."""
    try:
        float(text[:_MOST_DIGITS])
    except ValueError:
        return False
    return len(text) <= _MOST_DIGITS


class NoRowsError(ValueError):
    """A file without rows."""


def no_rows(source: Source) -> NoRowsError:
    """Return the error for a file without rows."""
    what = "a header but no rows" if source.format == "csv" else "no rows"
    return NoRowsError(f"{source.name} has {what}. Is what writes it still running?")


def guess_schema(source: Source) -> list[tuple[str, Any]]:
    """Return the columns, with the types that fit the first megabyte; they are guessed once."""
    if "schema" not in source.found:
        guess = _guess_json if source.format == "ndjson" else _guess_csv
        source.found["schema"] = guess(source)
    return list(source.found["schema"])


def _guess_csv(source: Source) -> list[tuple[str, Any]]:
    pa = require("pyarrow", extra="app")
    block = _BLOCK
    while True:
        try:
            found = _open_csv(source, pa.BufferReader(_head(source, block)), None, block)
            return list(zip(found.schema.names, found.schema.types, strict=True))
        except pa.ArrowInvalid as error:
            said = str(error)
        block = _larger_block(source, said, block, 0)


def _head(source: Source, block: int) -> bytes:
    """Return the first block and a byte more, so that the reader takes no row to be the last.

    They are bytes, since the reader would go on reading a stream in a thread, which may
    outlive the interpreter.
    """
    head = b""
    with open_stream(source) as stream:
        watched = _Watched(source, stream)
        while len(head) <= block and (more := watched.read(block + 1 - len(head))):
            head += more
    return head


def read_text(source: Source, kinds: Mapping[str, Kind]) -> Iterator[Any]:
    """Read csv or ndjson; start again where a block was too short or a type too narrow.

    A column that looks whole is read as int64, which is exact, until its first fraction; from
    there on as float64. Where float64 may have rounded numbers, `_Digits` looks at
    the texts. Rows that were already given are skipped.
    """
    pa = require("pyarrow", extra="app")
    schema = guess_schema(source)
    types = _first_types(source, dict(schema), kinds)
    digits = _Digits(source, kinds)
    block, done, said = _BLOCK, 0, ""
    while True:
        skip, again, reader = done, False, None
        try:
            with open_stream(source) as stream:
                watched = _Watched(source, stream)
                try:
                    if source.format == "csv":
                        reader = _open_csv(source, watched.lend(), types, block)
                    else:
                        reader = _open_json(stream, types, block)
                    for batch in reader:
                        if again := digits.narrowed(batch, types, block, watched.hexadecimal):
                            break
                        fresh = batch.slice(min(skip, len(batch)))
                        skip -= len(batch) - len(fresh)
                        done += len(fresh)
                        if len(fresh):
                            yield fresh.select(list(kinds))
                finally:
                    reader = None
                    watched.wait()
            if not again:
                break
            continue
        except pa.ArrowInvalid as error:
            said = str(error)
        # Raised outside of the except clause, so that the reader's error is not shown too.
        mended = _mended_csv if source.format == "csv" else _mended_json
        block = mended(source, said, types, kinds, block, done)
    if watched.quotes % 2:
        _check_last_quote(source, schema[-1][0], block, done)


def check_digits(source: Source, name: str) -> None:
    """Raise for the first number of a column of text that float64 would round."""
    if source.format in ("csv", "ndjson"):
        _Digits(source, {name: "number"}).check([name], _BLOCK)


def _first_types(
    source: Source, guessed: Mapping[str, Any], kinds: Mapping[str, Kind]
) -> dict[str, Any]:
    """Choose the arrow types to read the columns as, at first."""
    pa = require("pyarrow", extra="app")
    coded = pa.dictionary(pa.int32(), pa.string())

    def first(name: str) -> Any:
        dtype = guessed[name]
        unseen = pa.types.is_null(dtype)
        number = pa.int64() if pa.types.is_integer(dtype) or unseen else pa.float64()
        if source.format == "csv":
            return number if kinds[name] == "number" else coded
        # JSON marks numbers and texts: read each as such.
        kind = kinds[name] if unseen else kind_of(source, dtype)
        return {"number": number, "boolean": pa.bool_()}.get(kind, pa.string())

    return {name: first(name) for name in kinds}


def _larger_block(source: Source, said: str, block: int, done: int) -> int:
    """Return a larger block size if a larger block is needed, else raise."""
    if re.search(r"Empty (CSV|JSON)", said):
        raise no_rows(source)
    if "straddl" not in said:
        raise ValueError(_damaged_row(source, said, done))
    if source.compression is None and source.path.stat().st_size < block:
        raise no_rows(source)  # a header without its line end
    if block >= _LARGEST_BLOCK:
        raise ValueError(_too_long(source, done))
    return block * 8


def _too_long(source: Source, done: int) -> str:
    what = "A quote may never be closed" if source.format == "csv" else "Line ends may be lost"
    return (
        f"{source.name} has a row longer than {_LARGEST_BLOCK >> 20} MB after row {done}. "
        f"{what}. Correct that row."
    )


def _damaged_row(source: Source, said: str, done: int) -> str:
    ragged = re.search(r"(?:Row #(\d+): )?Expected (\d+) columns, got (\d+): ?(.*)", said, re.S)
    if ragged is None:
        said = said.strip().partition("\n")[0].rstrip(".")
        return f"{source.name} cannot be read as {source.format} after row {done}: {said}."
    n, wanted, got, text = ragged.groups()
    at = f"Row {int(n) - 1}{in_line(source, int(n) - 1)}" if n else f"A row after row {done}"
    cure = f"Quote fields that contain {source.separator!r}, or name the right separator."
    if wanted == "1":
        cure = "If a title stands above the names of the columns, take it away."
    return (
        f"{at} of {source.name} has {got} field{'s' * (got != '1')} where the header has {wanted}: "
        f"{shown(text)}. {cure}"
    )


# --- csv ----------------------------------------------------------------------------------


class _Watched:
    """A stream that counts quotation marks, finds hexadecimal numbers and stops at long rows."""

    def __init__(self, source: Source, stream: Any) -> None:
        self.stream, self.quotes, self.hexadecimal = stream, 0, False
        self._source, self._last, self._lines, self._length = source, b"", 0, 0
        self._lent: list[bytes] = []  # blocks that the reader may still hold
        self._own = maxsize  # references to the stream without the reader's, once lent

    @property
    def closed(self) -> bool:
        return bool(self.stream.closed)

    def read(self, size: int = -1) -> bytes:
        data: bytes = self.stream.read(size)
        self.quotes += data.count(b'"')
        first, last = data.find(b"\n"), data.rfind(b"\n")
        row = self._length + (len(data) if first < 0 else first)
        self._length = row if last < 0 else len(data) - 1 - last
        if row >= _LARGEST_BLOCK:  # the reader would need minutes and all memory
            raise ValueError(_too_long(self._source, max(self._lines - 1, 0)))
        self._lines += data.count(b"\n")
        if not self.hexadecimal:
            self.hexadecimal = b"0x" in data or b"0X" in data or self._last + data[:1] in _HEX
        self._last = data[-1:]
        self._lent = [*self._still_held(), data]
        return data

    def lend(self) -> _Watched:
        """Return the stream for a reader, which gives it back before `wait` returns."""
        self._own = self._references()
        return self

    def wait(self) -> None:
        """Wait a moment until the reader's thread has dropped the stream and its blocks.

        The thread takes Python's lock to do so, and would abort a program that ends just then.
        """
        end = monotonic() + _PATIENCE
        while (self._references() > self._own or self._still_held()) and monotonic() < end:
            sleep(0.0005)

    def _references(self) -> int:
        return getrefcount(self)

    def _still_held(self) -> list[bytes]:
        return [block for block in self._lent if block and getrefcount(block) > _UNLENT]


class _Digits:
    """Checks the texts of numbers that float64 may have rounded, once for each column."""

    def __init__(self, source: Source, kinds: Mapping[str, Kind]) -> None:
        self._source, self._kinds = source, kinds
        self._known: set[str] = set()
        self._hexadecimal = False

    def narrowed(
        self, batch: Any, types: dict[str, Any], block: int, hexadecimal: bool = False
    ) -> bool:
        """Read columns of whole numbers as integers; return whether any type changed."""
        pa, compute = require("pyarrow", extra="app"), require("pyarrow.compute", extra="app")
        if hexadecimal and not self._hexadecimal:
            self._hexadecimal = True
            whole = [name for name, dtype in types.items() if pa.types.is_integer(dtype)]
            self.check(whole, block, rounded=False)
        large = []
        for name, dtype in types.items():
            if dtype == pa.float64() and name not in self._known:
                ends = compute.min_max(batch[name]).as_py()
                if ends["min"] is not None and max(-ends["min"], ends["max"]) >= EXACT:
                    large.append(name)
        if not large:
            return False
        self._known.update(large)
        found = self.check(large, block)
        types.update(found)
        return bool(found)

    def check(self, names: Sequence[str], block: int, *, rounded: bool = True) -> dict[str, Any]:
        """Refuse numbers whose digits float64 loses; return the type of columns that are whole."""
        pa = require("pyarrow", extra="app")
        notes = {name: _Note() for name in names}
        texts = self._csv_texts if self._source.format == "csv" else self._json_texts
        for row, name, text in texts(names, block, notes):
            if _HEXADECIMAL.match(text):
                kind = self._kinds[name]
                raise BadValueError(self._source, column=name, value=text, row=row, kind=kind)
            if rounded:
                notes[name].take(text, row)
        found = {}
        for name, note in notes.items():
            if note.lost is None:
                continue
            if (dtype := note.whole_type()) is None:
                at, lost = note.lost
                kind = self._kinds[name]
                raise BadValueError(
                    self._source, column=name, value=lost, row=at, kind=kind, why=ROUNDED
                )
            found[name] = getattr(pa, dtype)()
        return found

    def _csv_texts(
        self, names: Sequence[str], block: int, notes: Mapping[str, _Note]
    ) -> Iterator[tuple[int, str, str]]:
        """Yield row, column and text of numbers that may lose digits or be hexadecimal."""
        pa, compute = require("pyarrow", extra="app"), require("pyarrow.compute", extra="app")
        row = 1
        try:
            with open_stream(self._source) as stream:
                types = dict.fromkeys(names, pa.string())
                for batch in _open_csv(self._source, stream, types, block, missing_texts=True):
                    for name in names:
                        column = batch[name]
                        whole = compute.match_substring_regex(column, _WHOLE)
                        minus = compute.match_substring_regex(column, _MINUS)
                        notes[name].whole &= compute.all(whole).as_py() is not False
                        notes[name].minus |= compute.any(minus).as_py() is True
                        doubt = compute.match_substring_regex(column, _DOUBTFUL)
                        for i in compute.indices_nonzero(doubt.fill_null(False)).to_pylist():
                            yield row + i, name, column[i].as_py().strip()
                    row += len(batch)
        except pa.ArrowInvalid as error:  # reading reports what is damaged
            if "straddl" in str(error) and block < _LARGEST_BLOCK:
                yield from self._csv_texts(names, block * 8, notes)

    def _json_texts(
        self, names: Sequence[str], _: int, notes: Mapping[str, _Note]
    ) -> Iterator[tuple[int, str, str]]:
        for row, line, item in objects(self._source):
            written = json.loads(line, parse_float=str)
            for name in names:
                value = item.get(name)
                if isinstance(value, int | float):
                    notes[name].whole &= isinstance(value, int)
                    notes[name].minus |= value < 0
                    if re.match(_DOUBTFUL, str(written[name])):
                        yield row, name, str(written[name])


@dataclass(slots=True)
class _Note:
    """Facts about the texts of a column of numbers."""

    whole: bool = True
    minus: bool = False
    low: int = 0
    high: int = 0
    lost: tuple[int, str] | None = None  # row and text of the first that float64 rounds

    def take(self, text: str, row: int) -> None:
        if len(text) > _LONGEST or not text.lstrip("-").isdecimal():  # beyond any integer type
            self.whole = False
        else:
            self.low, self.high = min(self.low, int(text)), max(self.high, int(text))
        # Other decimals are read as the nearest float64, but none as infinity.
        kept = fits(text) if _PLAIN.fullmatch(text) else not isinf(float(text))
        if self.lost is None and not kept:
            self.lost = (row, text)

    def whole_type(self) -> str | None:
        """Return the name of the integer type that fits the column."""
        if not self.whole or self.low < -(2**63) or self.high >= 2**64:
            return None
        if self.high < 2**63:
            return "int64"
        return None if self.minus else "uint64"


def _open_csv(
    source: Source,
    stream: Any,
    types: Mapping[str, Any] | None,
    block: int,
    *,
    missing_texts: bool = False,
) -> Any:
    arrow_csv = require("pyarrow.csv", extra="app")
    convert = arrow_csv.ConvertOptions(
        include_columns=None if types is None else list(types),
        column_types=types,
        decimal_point="," if source.decimal_comma else ".",
        null_values=list(source.nulls("number")),
        strings_can_be_null=missing_texts,
    )
    # One thread is as fast here (reading is the limit) and gives row numbers for messages.
    return arrow_csv.open_csv(
        stream,
        read_options=arrow_csv.ReadOptions(block_size=block, use_threads=False),
        parse_options=arrow_csv.ParseOptions(delimiter=source.separator, newlines_in_values=True),
        convert_options=convert,
    )


def _mended_csv(
    source: Source,
    said: str,
    types: dict[str, Any],
    kinds: Mapping[str, Kind],
    block: int,
    done: int,
) -> int:
    """Widen the type that was too narrow or the block that was too short, else raise."""
    pa = require("pyarrow", extra="app")
    bad = re.search(
        r"In CSV column #(\d+): Row #(\d+): CSV conversion error to .+?: "
        r"(?:invalid value '(.*)'|(.*))",
        said,
        re.S,
    )
    if bad is None:
        return _larger_block(source, said, block, done)
    column = guess_schema(source)[int(bad[1])][0]
    row = int(bad[2]) - 1  # the reader counts the header
    value = bad[3]
    if value is None:
        where = f": column {column!r} in row {row}{in_line(source, row)}"
        raise ValueError(not_utf8(source, where) if "UTF8" in said else f"{said}{where}")
    digits = value.replace(",", ".") if source.decimal_comma else value
    if types[column] == pa.int64() and is_float(digits):
        types[column] = pa.float64()
        return block
    raise BadValueError(source, column=column, value=value, row=row, kind=kinds[column])


def _check_last_quote(source: Source, column: str, block: int, n: int) -> None:
    """Tell whether a quote in the last column, never closed, swallowed the rows after it.

    Elsewhere such a row has too few fields. Called where the number of quotes is odd.
    """
    pa = require("pyarrow", extra="app")
    last = ""
    with open_stream(source) as stream:
        for batch in _open_csv(source, stream, {column: pa.string()}, block):
            last = (batch.column(0)[-1].as_py() or "") if len(batch) else last
    if "\n" in last or "\r" in last:
        msg = (
            f"Row {n}{in_line(source, n)} of {source.name} opens a quote that is never closed, "
            f"in column {column!r}: {shown(last)}. Close it."
        )
        raise ValueError(msg)


def _line_of(source: Source, row: int) -> int | None:
    """Return the line where a csv row starts, unless it is far down; rows count from 1."""
    if source.format != "csv" or row > _SEARCHED:
        return None
    with suppress(csv.Error, OSError), open_stream(source) as stream:
        text = io.TextIOWrapper(stream, encoding="utf-8-sig", errors="replace", newline="")
        records = csv.reader(text, delimiter=source.separator)
        line, n = 1, -1
        for record in records:
            n += bool(record)
            if n == row and record:
                return line
            line = records.line_num + 1
    return None


def in_line(source: Source, row: int) -> str:
    """Say in brackets on which line of a csv file a row starts; "" if that is not known."""
    line = _line_of(source, row)
    return f" (line {line})" if line else ""


# --- JSON lines -----------------------------------------------------------------------------


def _open_json(stream: Any, types: Mapping[str, Any], block: int) -> Any:
    pa, arrow_json = require("pyarrow", extra="app"), require("pyarrow.json", extra="app")
    options = arrow_json.ParseOptions(
        explicit_schema=pa.schema(list(types.items())), unexpected_field_behavior="ignore"
    )
    read = arrow_json.ReadOptions(block_size=block, use_threads=False)
    return arrow_json.open_json(stream, read_options=read, parse_options=options)


def _guess_json(source: Source) -> list[tuple[str, Any]]:
    """Guess types from the first megabyte; reading reports values of another type."""
    pa = require("pyarrow", extra="app")
    other = pa.list_(pa.null())
    natural = {bool: pa.bool_(), int: pa.int64(), float: pa.float64(), str: pa.string()}
    types: dict[str, Any] = {}
    size = 0
    for _, line, item in objects(source):
        for name, value in item.items():
            dtype = pa.null() if value is None else natural.get(type(value), other)
            seen = types.setdefault(name, dtype)
            if seen == pa.null() or (seen == pa.int64() and dtype == pa.float64()):
                types[name] = dtype
        size += len(line)
        if size > _BLOCK:
            break
    if not types:
        raise no_rows(source)
    return list(types.items())


def objects(source: Source, skip: int = 0) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Yield row, text and value of each JSON line after the first `skip`."""
    row = 0
    with open_stream(source) as stream:
        lines = io.TextIOWrapper(stream, encoding="utf-8-sig")
        for at in range(1, 1 << 62):
            line = lines.readline(_LARGEST_BLOCK)
            if not line:
                return
            if len(line) == _LARGEST_BLOCK:
                raise ValueError(_too_long(source, row))
            row += bool(line.strip())
            if row <= skip or not line.strip():
                continue
            try:
                item = json.loads(line)
            except (ValueError, RecursionError):
                item = None
            if not isinstance(item, dict):
                msg = (
                    f"Line {at} of {source.name} is not a JSON object: "
                    f"{shown(line[:99].rstrip())}. "
                    "Write each object on one line, for instance with: jq -c ."
                )
                raise ValueError(msg)
            yield row, line, item


def _mended_json(
    source: Source,
    said: str,
    types: dict[str, Any],
    kinds: Mapping[str, Kind],
    block: int,
    done: int,
) -> int:
    """Widen the types that were too narrow or the block that was too short, else raise."""
    pa = require("pyarrow", extra="app")
    if "straddl" in said or "Empty" in said:
        return _larger_block(source, said, block, done)
    if "to int64" in said and pa.int64() in types.values():  # the message names no column
        types.update({name: pa.float64() for name, t in types.items() if t == pa.int64()})
        return block
    # The reader counts rows within a block only: find the object that it refused.
    python = {pa.string(): str, pa.bool_(): bool}
    for row, _, item in objects(source, done):
        for name, dtype in types.items():
            value = item.get(name)
            fits = isinstance(value, python.get(dtype, int | float))
            boolean = isinstance(value, bool) and dtype != pa.bool_()
            if value is not None and (boolean or not fits):
                raise BadValueError(source, column=name, value=value, row=row, kind=kinds[name])
    raise ValueError(_damaged_row(source, said, done))
