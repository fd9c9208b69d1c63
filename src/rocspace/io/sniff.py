"""Recognise a file: its format, compression, separator and decimal sign.

Bytes decide before names do: a parquet file called ``scores.csv`` is read as parquet.
"""

from __future__ import annotations

import atexit
import csv
import io
import os
import re
import shutil
import signal
import stat
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Any, Literal, TypeAlias, get_args
from urllib.parse import unquote

from rocspace._base.errors import Argument, ArgumentError, keyword
from rocspace._base.moved import SLIP
from rocspace._base.optional import require
from rocspace._base.words import closest, shown

Format: TypeAlias = Literal["csv", "tsv", "parquet", "arrow", "ndjson"]
"""Formats that a caller may name; a feather file is arrow, jsonl is ndjson."""

FILE = "file"  # the column that tells several files apart
STANDARD_INPUT = "standard input"  # its name in messages and results
_NO_VALUE = "__HIVE_DEFAULT_PARTITION__"  # what Hive and Spark name the folder of missing values
_HEAD = 1 << 16  # bytes read to recognise a file

_COMPRESSIONS = {
    b"\x1f\x8b": "gzip",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"BZh": "bz2",
    b"\x04\x22\x4d\x18": "lz4",
}

_SAVED = b"about.json"  # the first name in an archive of `rocspace.stream.save_states`
_EXCEL = "In Excel save the sheet as 'CSV UTF-8', or convert the file: "
_UTF_16 = f"UTF-16 text. {_EXCEL}iconv -f UTF-16 -t UTF-8"
_SITE = b'"rocspace": "site counts"'  # the first key of `rocspace.stream.SiteCounts`
_FOREIGN = {
    b"PK\x03\x04": "a zip archive or an Excel workbook. Unzip it, or save the sheet as csv",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook. Save the sheet as csv",
    b"\xfd7zXZ": "compressed with xz. Run: unxz",
    b"7z\xbc\xaf": "a 7-zip archive. Unpack it",
    b"SQLite format 3": "an SQLite database. Export the table as csv",
    b"\x89HDF": "an HDF5 file. Save the table as parquet or csv",
    b"FEA1": "a Feather file of version 1. Write it again with pyarrow.feather.write_feather",
    b"X\n\0\0\0": "an R object. In R: write.csv(x, 'x.csv', row.names = FALSE)",
    b"RDX": "an R workspace. In R: write.csv(x, 'x.csv', row.names = FALSE)",
    b"ORC": "an ORC file. Save the table as parquet",
    b"Obj\x01": "an Avro file. Save the table as parquet",
    b"%PDF": "a PDF. Save the table as csv",
    b"\xff\xfe\0\0": "UTF-32 text. Run: iconv -f UTF-32 -t UTF-8",
    b"\0\0\xfe\xff": "UTF-32 text. Run: iconv -f UTF-32 -t UTF-8",
    b"\xff\xfe": _UTF_16,
    b"\xfe\xff": _UTF_16,
}

SUFFIXES: dict[str, Format] = {
    ".csv": "csv",
    ".txt": "csv",
    ".dat": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".arrows": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
    ".ndjson": "ndjson",
    ".jsonl": "ndjson",
    ".json": "ndjson",
}


NULL_VALUES = (
    *("", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "-nan", "NAN"),
    *("NULL", "null", "Null", "None", "none"),
)
"""Texts that mean a missing number in csv."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A file whose format has been recognised.

    Parameters
    ----------
    name : str
        Its name in messages.
    path : Path
        The file to read; a temporary one if the bytes came from a pipe.
    format : str
        How to read it; an arrow file and an arrow stream are two formats here.
    compression : str or None
        What the whole file is compressed with.
    separator, decimal_comma : str, bool
        Separator and decimal sign of a csv file.
    null_values : sequence of str, optional
        Texts that mean a missing value, in place of the usual ones.
    found : dict
        What was found out about the file and is wanted again, such as its columns.
    """

    name: str
    path: Path
    format: Literal["csv", "parquet", "arrow", "arrow-stream", "ndjson"]
    compression: str | None
    separator: str = ","
    decimal_comma: bool = False
    null_values: Sequence[str] | None = None
    found: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    @property
    def partition(self) -> dict[str, str | None]:
        """The columns that the names of its folders say, as in ``day=2026-01-01/part.parquet``.

        Of several files each also has a column `file`, its name, where it is asked for.
        """
        if self.name == STANDARD_INPUT:
            return {}
        said = (folder.partition("=") for folder in Path(self.name).parts[:-1])
        return {name: self.found[name] for name in (FILE,) if name in self.found} | {
            unquote(name): None if value == _NO_VALUE else unquote(value)
            for name, equals, value in said
            if name and equals
        }

    def nulls(self, kind: str) -> frozenset[str]:
        """Return the texts that mean a missing value in a column of this kind."""
        usual = NULL_VALUES if kind != "text" else ()
        empty = ("",) if self.format == "csv" else ()
        return frozenset((*(usual if self.null_values is None else self.null_values), *empty))


def look(
    path: str | os.PathLike[str],
    format: Format | None = None,  # noqa: A002 (the word everybody uses)
    separator: str | None = None,
    decimal_comma: bool | None = None,
    null_values: Sequence[str] | None = None,
) -> Source:
    """Find the file and recognise it by its first bytes and its name."""
    if format is not None and format not in get_args(Format):
        msg = f"format is {format!r}. It must be one of {', '.join(map(repr, get_args(Format)))}."
        raise ValueError(msg)
    separator = _checked_separator(separator)
    name = STANDARD_INPUT if os.fspath(path) == "-" else os.fspath(path)
    where = _re_readable(path)
    with where.open("rb") as file:
        start = file.read(64)
    if not start:
        msg = f"{name} is empty (0 bytes). Is what writes it still running?"
        raise ValueError(msg)
    compression = next((c for magic, c in _COMPRESSIONS.items() if start.startswith(magic)), None)
    known = Source(
        name=name, path=where, format="csv", compression=compression, null_values=null_values
    )
    with translated(known), open_stream(known) as stream:
        head = stream.read(_HEAD)
    if not head:
        msg = f"{name} is empty (0 bytes when decompressed). Is what writes it still running?"
        raise ValueError(msg)
    found = _format_of(known, head, format, path)
    if compression and found in {"parquet", "arrow"}:
        msg = f"{name} is a {found} file inside {compression}. Decompress it first."
        raise ValueError(msg)
    if found not in {"csv", "tsv"}:
        return replace(known, format=found)  # type: ignore[arg-type]
    text = head.decode("utf-8-sig", errors="replace")
    if len(head) == _HEAD:
        text = text[: text.rfind("\n") + 1] or text  # the last line may be cut
    separator = separator or ("\t" if found == "tsv" else _separator(text))
    if decimal_comma is None:
        decimal_comma = separator == ";" and _has_decimal_comma(text, separator)
    return replace(known, separator=separator, decimal_comma=decimal_comma)


def open_stream(source: Source) -> Any:
    """Open the file for reading from the start, decompressed on the way."""
    return require("pyarrow", extra="app").input_stream(
        str(source.path), compression=source.compression
    )


@contextmanager
def translated(source: Source) -> Iterator[None]:
    """Turn errors of the reading library into one plain sentence."""
    pa = require("pyarrow", extra="app")
    try:
        yield
    except UnicodeDecodeError:
        raise ValueError(not_utf8(source)) from None
    except pa.ArrowNotImplementedError as error:
        msg = f"{source.name} has columns that cannot be read: {error}. Name other columns."
        raise ValueError(msg) from None
    except (pa.ArrowException, OSError) as error:
        raise ValueError(_plain(source, str(error))) from None


def not_utf8(source: Source, where: str = "") -> str:
    """Return the message for text in another encoding."""
    return (
        f"{source.name} is not UTF-8 text{where}. {_EXCEL}iconv -f WINDOWS-1252 -t UTF-8, "
        "for instance."
    )


def _plain(source: Source, said: str) -> str:
    said = re.sub(r"\b\w*Exception: ", "", said.strip().partition("\n")[0])
    if re.search(r"truncated compressed|inflate failed|decompress|ended before", said, re.I):
        data = f"{source.compression} data" if source.compression else "compressed data"
        return (
            f"{source.name} is cut off or damaged: its {data} end too soon or do not add up "
            f"({said}). Copy or download it again."
        )
    if source.format not in ("csv", "ndjson"):
        return (
            f"{source.name} is not a complete {source.format.partition('-')[0]} file ({said}). "
            "It may be cut off, or still being written. Copy or write it again."
        )
    if "UTF8" in said or "UTF-8" in said:
        return not_utf8(source)
    return f"{source.name} cannot be read as {source.format}: {said.rstrip('.')}."


# --- where the bytes are ----------------------------------------------------------------


def check_local(path: str) -> None:
    """Refuse an address of another computer, and say how to count what is there."""
    if "://" in path or path.startswith("dbfs:/"):
        msg = (
            f"{path!r} is not on this computer, and rocspace reads local files. Copy it here, or "
            "count where it lies, in Spark, Dask or DuckDB: tabulate_frame in Python."
        )
        raise FileNotFoundError(msg)


def _re_readable(path: str | os.PathLike[str]) -> Path:
    """Return a file that can be read twice; a pipe is copied to disk first."""
    if os.fspath(path) == "-":
        stream = sys.stdin.buffer
        return _spooled(f"- {id(stream)}", stream, STANDARD_INPUT)
    where = Path(path)
    check_local(os.fspath(path))
    try:
        mode = where.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        raise FileNotFoundError(_not_found(where)) from None
    if stat.S_ISDIR(mode):
        some = sorted(each.name for each in where.iterdir() if each.is_file())[:3]
        inside = f", such as {' or '.join(map(repr, some))}" if some else ""
        msg = f"{where} is a folder. Name one file{inside}."
        raise IsADirectoryError(msg)
    if stat.S_ISREG(mode):
        return where
    key = f"{where} {where.stat().st_ino}"
    if key in _SPOOLED:  # opening the pipe again would wait for a writer
        return _SPOOLED[key][1]
    with where.open("rb") as pipe:
        return _spooled(key, pipe, str(where))


def _not_found(where: Path) -> str:
    folder = where.parent
    if not folder.is_dir():
        return f"There is no file {where}, since there is no folder {folder}."
    place = "the current folder" if folder == Path() else f"the folder {folder}"
    return f"There is no file {where.name!r} in {place}.{_did_you_mean(where)}"


def _did_you_mean(where: Path) -> str:
    """Ask about a file of nearly the same name; endings make names no more alike."""

    def stem(name: str) -> str:
        return name.rstrip(".").partition(".")[0] or name

    there = sorted((each.name for each in where.parent.iterdir()), reverse=True)
    there.sort(key=lambda name: Path(name).suffix == where.suffix)  # where stems are equal the last
    by_stem = {stem(name): name for name in there}
    near = closest(stem(where.name), by_stem, SLIP)
    return "" if near is None else f" Did you mean {by_stem[near]!r}?"


_TEMPORARY: list[Path] = []
_SPOOLED: dict[str, tuple[Any, Path]] = {}  # standard input can be read only once by a process


def _spooled(key: str, stream: IO[bytes], name: str) -> Path:
    """Copy a pipe to a temporary file, once; it is deleted when Python ends."""
    if key in _SPOOLED:
        return _SPOOLED[key][1]
    handle, temporary = tempfile.mkstemp(prefix="rocspace-")
    where = Path(temporary)
    _delete_at_the_end(where)
    try:
        with os.fdopen(handle, "wb") as file:
            shutil.copyfileobj(stream, file, 1 << 20)
    except OSError as error:
        _delete(where)
        msg = (
            f"{name} could not be kept in {where.parent}, where it is copied because it is read "
            f"twice: {error}. Make room, or name a larger folder with TMPDIR."
        )
        raise OSError(msg) from None
    except BaseException:
        _delete(where)
        raise
    _SPOOLED[key] = (stream, where)  # the stream is kept so that no other gets its id
    return where


def _delete_at_the_end(where: Path) -> None:
    """Delete a temporary file when Python ends, also by a signal."""
    atexit.register(_delete, where)
    _TEMPORARY.append(where)
    if threading.current_thread() is not threading.main_thread():
        return
    for number in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
        if signal.getsignal(number) == signal.SIG_DFL:

            def end(number: int, _: object) -> None:
                for each in _TEMPORARY:
                    _delete(each)
                signal.signal(number, signal.SIG_DFL)
                os.kill(os.getpid(), number)

            signal.signal(number, end)


def _delete(where: Path) -> None:
    with suppress(OSError):
        where.unlink()


# --- what the bytes are -----------------------------------------------------------------


def are_counts(path: str | os.PathLike[str]) -> bool:
    """Tell whether a file has counts that were saved, rather than cases."""
    with Path(path).open("rb") as file:
        return _has_counts(file.read(64))


def _has_counts(head: bytes) -> bool:
    return _SAVED in head[:64] or _SITE in head[:64]


def _a(name: str) -> str:
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def _format_of(
    source: Source, head: bytes, said: Format | None, path: str | os.PathLike[str]
) -> str:
    binary = _binary_format(head)
    suffixes = [each.lower() for each in Path(path).suffixes]
    by_name = next((SUFFIXES[each] for each in reversed(suffixes) if each in SUFFIXES), None)
    if binary:
        if said and said != binary.partition("-")[0]:
            head_says = f"{source.name} starts like {_a(binary)} file. Leave "
            raise ArgumentError(head_says, Argument("format", said), " out.")
        return binary
    if _has_counts(head):
        msg = (
            f"{source.name} is a file of saved counts. Merge it, alone or with others: rocspace "
            "merge. Or compare it with another: rocspace compare."
        )
        raise ValueError(msg)
    for magic, what in _FOREIGN.items():
        if head.startswith(magic):
            msg = f"{source.name} is {what}."
            raise ValueError(msg)
    wanted = said or by_name
    if wanted in {"parquet", "arrow"}:
        wrong = (
            f"{source.name} does not start like {_a(wanted)} file: it begins with "
            f"{shown(head[:8])}. Say what it is with "
        )
        raise ArgumentError(wrong, keyword("format"), ", or write it again.")
    if b"\0" in head and said is None:
        msg = (
            f"{source.name} is not text: byte {head.index(0) + 1} is zero. Files are read as csv, "
            "tsv, parquet, arrow or ndjson."
        )
        raise ValueError(msg)
    return _text_format(source, head.removeprefix(b"\xef\xbb\xbf").lstrip(), wanted)


def _text_format(source: Source, body: bytes, wanted: str | None) -> str:
    """Return the format of a text, as it is wanted or as it starts."""
    if body[:9].lower().startswith((b"<!doctype", b"<html")):
        msg = f"{source.name} is a web page, perhaps of a failed download. Get the file itself."
        raise ValueError(msg)
    wanted = wanted or ("ndjson" if body.startswith((b"{", b"[{")) else "csv")
    if wanted == "ndjson" and body.startswith(b"["):
        msg = (
            f"{source.name} is one JSON array. Write one object a line, for instance with: "
            "jq -c '.[]'."
        )
        raise ValueError(msg)
    return wanted


def _binary_format(head: bytes) -> str | None:
    if head.startswith(b"PAR1"):
        return "parquet"
    if head.startswith(b"ARROW1\0\0"):
        return "arrow"
    # A stream starts with a continuation mark and the length of its schema.
    if head.startswith(b"\xff\xff\xff\xff") and len(head) > 8 and head[4] + head[5] * 256 > 0:
        return "arrow-stream"
    return None


# --- csv --------------------------------------------------------------------------------


def _checked_separator(separator: str | None) -> str | None:
    if separator in {"\\t", "tab"}:
        return "\t"
    if separator is not None and (len(separator) != 1 or not separator.isascii()):
        why = f" is {separator!r}. It must be one character, such as ',' or '\\t'."
        raise ArgumentError(Argument("separator"), why)
    return separator


def _records(text: str, separator: str) -> list[list[str]]:
    """Return the first records of a csv text, without blank lines."""
    found: list[list[str]] = []
    with suppress(csv.Error):
        for record in csv.reader(io.StringIO(text, newline=""), delimiter=separator):
            if record:
                found.append(record)
            if len(found) == 50:
                break
    return found


def _separator(text: str) -> str:
    """Choose the separator that cuts the most rows into as many fields as the header has."""

    def fit(separator: str) -> tuple[float, int]:
        widths = [len(record) for record in _records(text, separator)]
        if not widths or widths[0] < 2:
            return (0.0, 0)
        return (widths.count(widths[0]) / len(widths), widths[0])

    return max(",;\t|", key=fit)


def _has_decimal_comma(text: str, separator: str) -> bool:
    fields: Sequence[str] = [f for record in _records(text, separator)[1:] for f in record]
    comma = any(re.fullmatch(r"\s*[-+]?\d*,\d+([eE][-+]?\d+)?\s*", field) for field in fields)
    point = any(re.fullmatch(r"\s*[-+]?\d*\.\d+([eE][-+]?\d+)?\s*", field) for field in fields)
    return comma and not point
