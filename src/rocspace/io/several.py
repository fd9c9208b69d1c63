"""Several files as one: which files a path, a folder or a pattern names, and their columns."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from glob import glob
from pathlib import Path
from typing import TypeAlias, TypeVar

from rocspace.io.arrow import schema_of
from rocspace.io.sniff import FILE, SUFFIXES, Format, Source, look
from rocspace.io.text import Kind, NoRowsError, kind_of

Paths: TypeAlias = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]

T = TypeVar("T")
_COMPRESSED = (".gz", ".zst", ".bz2", ".lz4")
_ELSE = (".txt", ".dat", ".json")  # in folders these are often notes and settings


def look_at(
    paths: Paths,
    format: Format | None = None,  # noqa: A002 (the word everybody uses)
    separator: str | None = None,
    decimal_comma: bool | None = None,
    null_values: Sequence[str] | None = None,
) -> list[Source]:
    """Find and recognise all files that were named."""
    how = (format, separator, decimal_comma, null_values)
    return [look(path, *how) for path in files_of(paths)]


def name_files(sources: Sequence[Source]) -> None:
    """Give each of several files the column `file`, its name, for those who ask for it."""
    short = [Path(source.name).name for source in sources]
    told = short if len(set(short)) == len(short) else [source.name for source in sources]
    for source, name in zip(sources, told, strict=True):
        source.found[FILE] = name


def files_of(paths: Paths) -> list[str]:
    """Return the files that a path, a folder, a pattern such as ``*.csv``, or several of them name.

    A folder stands for all files in it and in its folders whose names end as those of a format do,
    but for names that begin with a dot or an underscore, which Spark and others leave beside data.
    A folder named ``day=2026-01-01`` gives its files a column `day`, of texts.
    """
    named = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    if not named or "" in named:
        msg = "No file was named. Name at least one."
        raise ValueError(msg)
    files = [each for path in named for each in _expanded(os.fspath(path))]
    seen: dict[str, str] = {}
    for each in files:
        key = each if each == "-" else os.path.realpath(each)
        if key in seen:
            both = each if seen[key] == each else f"{each} (which is {seen[key]})"
            msg = f"{both} is named twice, so its cases would count twice. Name it once."
            raise ValueError(msg)
        seen[key] = each
    if "-" in files and len(files) > 1:
        msg = "Standard input (-) is read alone. Leave out the files, or the -."
        raise ValueError(msg)
    return files


def _expanded(path: str) -> Iterator[str]:
    where = Path(path)
    if path != "-" and where.is_dir():
        yield from _inside(where)
    elif set(path) & set("*?[") and not where.exists():
        found = sorted(glob(path, recursive=True))
        if not found:
            msg = f"No file fits the pattern {path!r}."
            raise FileNotFoundError(msg)
        for each in found:
            yield from _expanded(each)
    else:
        yield path


def _inside(folder: Path) -> list[str]:
    """Return the files of data in a folder, which must be of one format."""
    if (folder / "_delta_log").is_dir():
        msg = (
            f"{folder} is a Delta table, whose log says which of its files count. Write the cases "
            "to one parquet file, or name the parquet files yourself."
        )
        raise IsADirectoryError(msg)
    found: dict[str, str] = {}
    others = []
    for path in sorted(folder.rglob("*")):
        inner = path.relative_to(folder)
        if not path.is_file() or any(part[0] in "._" for part in inner.parts):
            continue
        kind = format_by_name(path.name)
        if kind is None:
            others.append(str(inner))
        else:
            found[str(path)] = kind
    if not found:
        inside = f" There is {others[0]!r}." if others else ""
        msg = (
            f"{folder} is a folder without a file whose name ends in .csv, .tsv, .parquet, "
            f".arrow or .ndjson.{inside} Name one file."
        )
        raise IsADirectoryError(msg)
    kinds = sorted(set(found.values()))
    if len(kinds) > 1:
        msg = (
            f"{folder} is a folder with files of several formats ({', '.join(kinds)}). Name those "
            f"of one, as in '{folder / ('*.' + kinds[0])}'."
        )
        raise IsADirectoryError(msg)
    return list(found)


def format_by_name(name: str) -> str | None:
    """Return the format that the ending of a name says, if it is one of data."""
    for ending in _COMPRESSED:
        name = name.removesuffix(ending)
    suffix = Path(name).suffix.lower()
    return None if suffix in _ELSE else SUFFIXES.get(suffix)


def kinds_in(source: Source) -> dict[str, Kind]:
    """Return the columns of a recognised file, and their kinds."""
    schema = schema_of(source)
    times = Counter(name for name, _ in schema)
    return {name: kind_of(source, dtype) if times[name] == 1 else "other" for name, dtype in schema}


def of_each(
    sources: Sequence[Source], read: Callable[[Source], Iterable[T]]
) -> Iterator[tuple[Source, T]]:
    """Yield what is read from each file in turn; some of several may have no rows."""
    empty: NoRowsError | None = None
    filled = False
    for source in sources:
        try:
            for each in read(source):
                filled = True
                yield source, each
        except NoRowsError as error:
            empty = error
    if empty is not None and not filled:
        raise empty


def name_of(sources: Sequence[Source]) -> str:
    """Return the name of the files in messages."""
    names = [source.name for source in sources]
    if len(names) == 1:
        return names[0]
    if len(names) == 2:
        return " and ".join(names)
    return f"{names[0]} and {len(names) - 1:,} more files"


def shared_kinds(sources: Sequence[Source]) -> dict[str, Kind]:
    """Return the columns that all files have; a number here and a text there is a text."""
    first, *rest = [kinds_in(source) for source in sources]
    found: dict[str, Kind] = {}
    for name, kind in first.items():
        kinds = {kind, *(each.get(name, "") for each in rest)}
        if "" in kinds:
            continue
        mixed: Kind = "text" if kinds <= {"text", "number"} else "other"
        found[name] = kind if len(kinds) == 1 else mixed
    return found


def check_alike(sources: Sequence[Source], names: Sequence[str]) -> None:
    """Raise for a column that is of one kind here and of another there, and cannot be read."""
    shared = shared_kinds(sources)
    for name in names:
        if shared.get(name) == "other":
            kinds = {source.name: kinds_in(source)[name] for source in sources}
            if len(set(kinds.values())) > 1:
                listed = differing(kinds)
                msg = f"Column {name!r} is {listed}. Write it alike in all files."
                raise ValueError(msg)


def differing(kinds: Mapping[str, str]) -> str:
    """Say in which file a column is of which kind; two files are enough."""
    (one, first), *rest = kinds.items()
    other, second = next((name, kind) for name, kind in rest if kind != first)
    return f"{first} in {one} and {second} in {other}"
