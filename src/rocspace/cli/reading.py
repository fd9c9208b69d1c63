"""What the verbs read: which columns of which file, as tables or as cases."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

import rocspace
from rocspace import datasets
from rocspace._base.arrays import Array, Mask
from rocspace._base.checks import joined_exactly, nearest
from rocspace._base.progress import Counter, Elapsed
from rocspace.cli.console import count, note
from rocspace.cli.options import Choice
from rocspace.cli.tokens import STDIN, UNNAMED
from rocspace.counts.paired import PairedScores, pair_scores
from rocspace.counts.table import ScoreTable, SingleClassError
from rocspace.io.cases import FileCases, Reading
from rocspace.io.files import read_schema
from rocspace.io.tables import FileAreas, FileTables, tabulate_file

_ROWS = 10  # fewer may well be ranks
_LABELS = ("label", "y", "y_true", "target", "class", "outcome")


def shown(quiet: bool) -> bool | None:
    """Say what --quiet means to whatever shows progress: never, or in a terminal."""
    return False if quiet else None


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
        found = replace(found, source={**found.source, "file": file})
    note_scores(choice, found.tables, quiet)
    _check_classes(found)
    for line in _remarks(found):
        note(line, quiet=quiet)
    return found


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


def read_cases(file: str, choice: Choice, *, beside: Sequence[str] = (), quiet: bool) -> FoundCases:
    """Read all scores of each case, and say on standard error what was not asked for."""
    path, choice, columns = columns_of(file, choice, quiet)
    higher = columns.pop("higher_is_positive")
    with Counter("rows read", show=shown(quiet)) as progress:
        cases = FileCases(
            path,
            weight=choice.weight,
            reading=reading_of(choice, progress),
            beside=beside,
            **columns,
        )
        takers = {name: _Collector() for name in cases.scores}
        cases.read(takers, progress)
    cases.count.check_some()
    source = cases.described({})
    if path not in (file, "-"):
        source["file"] = file
    note_scores(choice, takers, quiet)
    for line in source_remarks(source):
        note(line, quiet=quiet)
    found = {name: taker.columns() for name, taker in takers.items()}
    label, _, *more = next(iter(found.values()))
    _check_both(label, source)
    weight = more.pop(0) if choice.weight is not None else None
    data = pair_scores(
        label,
        {name: column[1] for name, column in found.items()},
        sample_weight=weight,
        higher_is_positive=higher,
    )
    return FoundCases(data=data, beside=dict(zip(beside, more, strict=True)), source=source)


class _Collector:
    """Takes the cases of one score as they are."""

    def __init__(self) -> None:
        self.parts: list[tuple[Any, ...]] = []

    def update(self, *columns: Any) -> None:
        """Take a batch."""
        self.parts.append(tuple(np.array(column) for column in columns))

    def columns(self) -> list[Any]:
        return [joined_exactly(column) for column in zip(*self.parts, strict=True)]


def _check_both(label: Mask, source: dict[str, Any]) -> None:
    if label.all() or not label.any():
        there, absent = ("positive", "negative") if label.any() else ("negative", "positive")
        msg = (
            f"All {count(int(label.size))} cases are {there}: a curve needs both classes, and "
            f"none is {absent}. Is {source['label']!r} the label, and its positive value right?"
        )
        raise SingleClassError(msg)


def columns_of(file: str, choice: Choice, quiet: bool) -> tuple[str, Choice, dict[str, Any]]:
    """Find the file and say which columns of it are read, and how."""
    path, choice = located(file, choice)
    how = {"format": choice.format, "separator": choice.separator}
    with Elapsed("looking at the file", show=shown(quiet)):  # standard input is copied first
        kinds = read_schema(path, **how)  # type: ignore[arg-type]
    label = choice.label or _usual_label(path, kinds, quiet)
    columns = {
        "label": label,
        "score": choice.score,
        "pos_label": choice.positive,
        "higher_is_positive": _directions(choice, label, kinds),
        "missing": choice.missing,
    }
    return path, choice, columns


def _directions(choice: Choice, label: str, kinds: dict[str, Any]) -> dict[str, bool]:
    """Say which scores are more positive where they are lower; one alone needs no name."""
    lower = choice.lower_is_positive or []
    if UNNAMED in lower:
        columns = [name for name, kind in kinds.items() if kind == "number"]
        taken = (label, choice.weight)
        names = choice.score or [name for name in columns if name not in taken]
        if len(names) != 1:
            msg = (
                f"Which score is more positive where it is lower? There are {', '.join(names)}. "
                f"Name it, as in --lower-is-positive {names[0] if names else 'NAME'}."
            )
            raise ValueError(msg)
        lower = names
    return dict.fromkeys(lower, False)


def reading_of(choice: Choice, progress: Counter, **more: Any) -> Reading:
    """Return how the file is read, as the options say."""
    return Reading(
        format=choice.format,
        separator=choice.separator,
        null_values=choice.null,
        progress=progress,
        **more,
    )


def note_scores(choice: Choice, names: Iterable[str], quiet: bool) -> None:
    """Say which columns are the scores, if nobody did."""
    if choice.score is None:
        listed = ", ".join(names)
        note(f"scores: {listed} (every numeric column; choose with --score)", quiet=quiet)


def located(file: str, choice: Choice) -> tuple[str, Choice]:
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
    """Return a label as files have it: true, not True."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def about_cases(found: FoundCases) -> str:
    """Return the heading of what is printed: the file, how many cases, the label."""
    n, n_pos = len(found.data), int(np.count_nonzero(found.data.label))
    label = f"{found.source['label']} = {label_text(found.source['positive'])}"
    return f"{found.source['file']}, {n:,} cases, {n_pos:,} positive, {label}"
