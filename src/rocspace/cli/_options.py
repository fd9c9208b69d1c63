"""What the commands have in common: which columns of which file, and how they are read."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from cyclopts import Group, Parameter

import rocspace
from rocspace import datasets
from rocspace._base.checks import check_level, nearest
from rocspace._base.progress import Counter, Elapsed
from rocspace.cli._console import count, note
from rocspace.counts.table import ScoreTable, SingleClassError
from rocspace.io.cases import Reading
from rocspace.io.files import read_schema
from rocspace.io.sniff import Format
from rocspace.io.tables import FileAreas, FileTables, refine_file, tabulate_file

STDIN = "<stdin>"  # what "-" becomes before options are parsed: it would pass for one
_ROWS = 10  # fewer may well be ranks
_LABELS = ("label", "y", "y_true", "target", "class", "outcome")

_COLUMNS = Group("Columns", sort_key=1)
_FILE = Group("File", sort_key=2)
_OUTPUT = Group("Output", sort_key=3)

Flag = Annotated[bool, Parameter(negative=(), show_default=False)]
Several = Annotated[list[str] | None, Parameter(negative=())]
Numbers = Annotated[list[float] | None, Parameter(negative=())]


def _whole(_: Any, tokens: Sequence[Any]) -> int:
    """Read a whole number: 2.5 is none, and is not rounded to one."""
    text = tokens[0].value
    try:
        return int(text)
    except ValueError:
        msg = f"{text!r} is no whole number."
        raise ValueError(msg) from None


Whole = Annotated[int, Parameter(converter=_whole)]


@Parameter(name="*", group=_FILE)
@dataclass(frozen=True, kw_only=True)
class Opening:
    """How to read a file, whatever its columns.

    Attributes
    ----------
    format
        How to read the file, where its bytes and its name do not tell.
    separator
        Of a csv file, where it is none of , ; | and tab.
    null
        Text that means a missing value, instead of the usual ones (empty, NA, NaN, null ...);
        repeat it for several.
    """

    format: Annotated[Format | None, Parameter(group=_FILE)] = None
    separator: Annotated[str | None, Parameter(group=_FILE)] = None
    null: Annotated[Several, Parameter(group=_FILE)] = None


@Parameter(name="*", group=_COLUMNS)
@dataclass(frozen=True, kw_only=True)
class Choice(Opening):
    """Which columns to read, and how.

    Attributes
    ----------
    label
        Column of the true class. By default the only one called label, y, y_true, target,
        class or outcome.
    positive
        Value of the label that counts as positive, against all others. Not needed for 0/1,
        -1/1 and true/false.
    score
        Column of scores; repeat it for several. By default every numeric column but the label
        and the weight.
    weight
        Column of case weights.
    lower_is_positive
        Lower scores are more positive.
    missing
        "omit" leaves out cases without a label or weight, and from one score those without it.
    """

    label: str | None = None
    positive: str | None = None
    score: Several = None
    weight: str | None = None
    lower_is_positive: Flag = False
    missing: Literal["raise", "omit"] = "raise"


@Parameter(name="*", group=_OUTPUT)
@dataclass(frozen=True, kw_only=True)
class Printing:
    """Where results go.

    Attributes
    ----------
    json
        Print JSON with every digit instead of a table.
    output
        Write to this file instead of standard output.
    quiet
        No notes and no progress on standard error.
    """

    json: Flag = False
    output: str | None = None
    quiet: Flag = False


def shown(quiet: bool) -> bool | None:
    """Say what --quiet means to whatever shows progress: never, or in a terminal."""
    return False if quiet else None


# --- reading ---------------------------------------------------------------------------------


def summary_of(file: str, choice: Choice, level: float, quiet: bool) -> dict[str, Any]:
    check_level(level)
    found = read(file, choice, quiet=quiet)
    with Elapsed("working out the numbers", show=shown(quiet)):
        from rocspace.report import summarise

        return summarise(found.tables, source=found.source, level=level)


def read(
    file: str,
    choice: Choice,
    *,
    quiet: bool,
    tabulate: Callable[..., FileTables] | None = None,
) -> FileTables:
    """Read the tables, and say on standard error what was not asked for."""
    path, choice, columns = columns_of(file, choice, quiet)
    with Counter("rows read", show=shown(quiet)) as progress:
        found = (tabulate or tabulate_file)(
            path, weight=choice.weight, reading=reading_of(choice, progress), **columns
        )
    if path not in (file, "-"):
        found.source["file"] = file
    note_scores(choice, found.tables, quiet)
    _check_classes(found)
    for line in _remarks(found):
        note(line, quiet=quiet)
    return found


def refined(
    file: str, choice: Choice, *, tolerance: float, memory: str | None, quiet: bool
) -> FileAreas:
    """Read areas in as many passes as they need."""
    if choice.weight is not None:
        msg = "--exact and --tolerance count cases, so they go without --weight. Leave it out."
        raise ValueError(msg)
    how = {} if memory is None else {"memory": size(memory)}
    path, choice, columns = columns_of(file, choice, quiet)
    with Counter("rows read", show=shown(quiet)) as progress:
        reading = reading_of(choice, progress, **how)
        found = refine_file(path, tolerance=tolerance, reading=reading, **columns)
    if path not in (file, "-"):
        found.source["file"] = file
    note_scores(choice, found.areas, quiet)
    for line in _remarks(found):
        note(line, quiet=quiet)
    return found


def size(text: str) -> int:
    """Return the bytes that a size such as 500MB, 1.5 GB or 2GiB means."""
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*(?:([kmgt])(i?))?b?\s*", text, re.IGNORECASE)
    if found is None:
        msg = f"--memory is {text!r}, which is no size. Write it like 500MB, 1.5GB or 2GiB."
        raise ValueError(msg)
    number, unit, binary = found.groups()
    power = " kmgt".index(unit.lower()) if unit else 0
    return int(float(number) * (1024 if binary else 1000) ** power)


def columns_of(file: str, choice: Choice, quiet: bool) -> tuple[str, Choice, dict[str, Any]]:
    """Find the file and say which columns of it are read, and how."""
    path, choice = located(file, choice, quiet=quiet)
    how = {"format": choice.format, "separator": choice.separator}
    with Elapsed("looking at the file", show=shown(quiet)):  # standard input is copied first
        kinds = read_schema(path, **how)  # type: ignore[arg-type]
    label = choice.label or _usual_label(path, kinds, quiet)
    columns = {
        "label": label,
        "score": choice.score,
        "pos_label": choice.positive,
        "higher_is_positive": not choice.lower_is_positive,
        "missing": choice.missing,
    }
    return path, choice, columns


def reading_of(choice: Choice, progress: Counter, **more: Any) -> Reading:
    return Reading(
        format=choice.format,
        separator=choice.separator,
        null_values=choice.null,
        progress=progress,
        **more,
    )


def note_scores(choice: Choice, names: Iterable[str], quiet: bool) -> None:
    if choice.score is None:
        listed = ", ".join(names)
        note(f"scores: {listed} (every numeric column; choose with --score)", quiet=quiet)


def located(file: str, choice: Choice, *, quiet: bool) -> tuple[str, Choice]:
    """Find the file; the name of a bundled set brings its own columns."""
    if file == STDIN:
        if sys.stdin.isatty():
            msg = "Standard input is a terminal. Pipe a file into it, or name one instead of -."
            raise ValueError(msg)
        return "-", choice
    if Path(file).exists() or not (bundled := nearest(file, datasets.names())):
        return file, choice
    if file not in datasets.names():
        if Path(file).suffix or Path(file).name != file:
            return file, choice
        msg = f"There is no file {file!r}, nor a bundled data set of that name.{bundled}"
        raise FileNotFoundError(msg)
    known = datasets.load(file)
    note(f"{file} is a bundled data set: {known.title}", quiet=quiet)
    if choice.label is None:
        positive = choice.positive or str(known.positive)
        choice = replace(choice, label=known.label, positive=positive)
    if choice.score is None:
        choice = replace(choice, score=list(known.scores))
    return str(known.path), choice


def _usual_label(path: str, kinds: dict[str, Any], quiet: bool) -> str:
    found = [name for name in kinds if name.lower() in _LABELS]
    if len(found) == 1:
        note(f"label: {found[0]} (by its name; choose with --label)", quiet=quiet)
        return found[0]
    listed = ", ".join(f"{name!r} ({kind})" for name, kind in list(kinds.items())[:20])
    more = f", ... ({len(kinds)} in all)" if len(kinds) > 20 else ""
    msg = f"Which column is the label? Name it with --label. There are {listed}{more}."
    raise ValueError(msg)


def _check_classes(found: FileTables) -> None:
    label, positive = found.source["label"], found.source["positive"]
    for name, table in found.tables.items():
        if not (table.n_pos and table.n_neg):
            there, absent = ("positive", "negative") if table.n_pos else ("negative", "positive")
            whose = f" with a value of {name!r}" if found.source["dropped"].get(name) else ""
            says = "" if positive is None else f" ({label} = {positive})"
            msg = (
                f"All {count(table.n_pos + table.n_neg)} cases{whose} are {there}: a curve needs "
                f"both classes, and none is {absent}. Is {label!r} the label, and its positive "
                f"value right{says}?"
            )
            raise SingleClassError(msg)


def source_remarks(source: dict[str, Any]) -> list[str]:
    """Say what was not asked for: which labels are positive, and which rows are left out."""
    lines = []
    if len(source["labels"]) > 2:
        others = ", ".join(v for v in source["labels"] if v != label_text(source["positive"]))
        lines.append(f"positive: {source['label']} = {source['positive']}, against all of {others}")
    for name, n in source["dropped"].items():
        lines.append(f"left out: {n:,} of {source['rows']:,} rows without {name}")
    return lines


def _remarks(found: FileTables | FileAreas) -> list[str]:
    source = found.source
    lines = source_remarks(source)
    if isinstance(found, FileTables):
        lines += [
            f"{name} holds every whole number from {table.score.min():.0f} to "
            f"{table.score.max():.0f} once, as row numbers do: is it a score?"
            for name, table in found.tables.items()
            if _counts_rows(table)
        ]
    for name, how in source["counting"].items():
        if how == "binned" and isinstance(found, FileTables):
            low, high = rocspace.auc_bounds(found.tables[name])
            lines.append(
                f"{name}: too many distinct scores to keep apart, so they are in "
                f"{len(found.tables[name]):,} bins; the exact area lies between {low:.9g} and "
                f"{high:.9g} for certain"
            )
    return lines


def _counts_rows(table: ScoreTable) -> bool:
    """Whether the scores are distinct, whole, and without a gap, as those of an id are."""
    low, high = float(table.score.min()), float(table.score.max())
    return (
        len(table) >= _ROWS
        and high - low == len(table) - 1 == table.n_pos + table.n_neg - 1
        and bool((table.score == np.floor(table.score)).all())
    )


def label_text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def stem(file: str) -> str:
    """Give the file name without its endings."""
    if file == STDIN:
        return "stdin"
    name = Path(file).name
    for ending in (".gz", ".zst", ".bz2", ".lz4"):
        name = name.removesuffix(ending)
    return Path(name).stem or "rocspace"
