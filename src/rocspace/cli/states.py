"""Counts that are saved, to be merged or compared: how they are written and read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from glob import glob
from pathlib import Path
from typing import Any

from rocspace._base.words import counted
from rocspace.cli.console import check_output, write
from rocspace.cli.options import check_least
from rocspace.counts.table import ScoreTable
from rocspace.io.cases import FileCases
from rocspace.io.several import format_by_name
from rocspace.io.sniff import are_counts
from rocspace.io.tables import FileTables, count_cases, tables_of
from rocspace.report.explained import SAVED_COUNTS
from rocspace.stream.archive import SavedStates, load_states, merge_states, save_states
from rocspace.stream.federated import SiteCounts, coarsen, pool
from rocspace.stream.tabulator import Tabulator


class CountingStates:
    """Tabulates a file as `tabulate_file` does, and keeps the states."""

    def __init__(self) -> None:
        self.states: dict[str, Tabulator] = {}

    def __call__(
        self,
        path: Sequence[str],
        *,
        higher_is_positive: Mapping[str, bool],
        weight: str | None = None,
        **columns: Any,
    ) -> FileTables:
        """Count the cases of the files."""
        cases = FileCases(path, weight=weight, **columns)
        self.states = count_cases(cases, higher_is_positive=higher_is_positive)
        return tables_of(cases, self.states)


def check_state(path: str | None, min_cases: int | None, source: Sequence[str]) -> None:
    """Refuse, before any work, a place for counts that cannot be written, or that is the input."""
    shared = path is not None and Path(path).suffix.lower() == ".json"
    if min_cases is not None:
        check_least("--min-cases", min_cases, 1)
        if not shared:
            msg = "--min-cases goes with --save-state and a name that ends in .json."
            raise ValueError(msg)
    if shared and min_cases is None:
        msg = (
            "A .json file of counts may leave a site, so say how many cases each of its rows must "
            "have: --min-cases 10. For all counts choose another ending, such as .state."
        )
        raise ValueError(msg)
    check_output(path, source, option="--save-state")


def save_counts(
    path: str, states: Mapping[str, Tabulator], source: Mapping[str, Any], min_cases: int | None
) -> None:
    """Save all counts, or with `min_cases` those that may leave a site."""
    if min_cases is None:
        save_states(path, states, source=source)
        return
    if len(states) > 1:
        msg = f"A .json file of counts has one score, here are {', '.join(states)}. Name one: "
        msg += "--score."
        raise ValueError(msg)
    write(coarsen(next(iter(states.values())), min_cases=min_cases).to_json(), path)


# --- read ----------------------------------------------------------------------------------------


def expanded(names: Sequence[str]) -> Iterator[str]:
    """Yield the names, and of patterns those of the files that fit."""
    for name in names:
        if not set(name) & set("*?[") or Path(name).exists():
            yield name
        elif found := sorted(glob(name, recursive=True)):
            yield from found
        else:
            msg = f"No file fits the pattern {name!r}."
            raise FileNotFoundError(msg)


def saved_files(names: Sequence[str]) -> list[str]:
    """Return the files, if they are saved counts; none if they are cases."""
    found = [
        each
        for name in names
        for each in (sorted(glob(name)) if set(name) & set("*?[") else ()) or [name]
    ]
    saved = [name for name in found if Path(name).is_file() and are_counts(name)]
    if saved and len(saved) < len(found):
        other = next(name for name in found if name not in saved)
        msg = (
            f"{saved[0]} is a file of saved counts, and {other} is not. Save its counts, too: "
            f"rocspace auc {other} --save-state NAME."
        )
        raise ValueError(msg)
    return saved


def read_counts(
    files: Sequence[str],
) -> tuple[dict[str, ScoreTable], dict[str, Any], SavedStates | None]:
    """Return the tables of all cases, what was read, and the states if there are any."""
    shared = [name for name in files if Path(name).suffix.lower() == ".json"]
    if shared and len(shared) < len(files):
        other = next(name for name in files if name not in shared)
        msg = f"{shared[0]} has rounded counts and {other} all of them. Merge one kind at a time."
        raise ValueError(msg)
    if len({Path(name).resolve() for name in files}) < len(files):
        msg = "A file is named twice, so its cases would count twice. Name each once."
        raise ValueError(msg)
    if shared:
        sites = [
            _of_file(name, lambda p: SiteCounts.from_json(p.read_text("utf-8"))) for name in files
        ]
        table = pool(*sites)
        tables = {"score": table}
        return tables, _source({}, files, tables, {"score": "binned"}), None
    merged = merge_states([_of_file(name, load_states) for name in files])
    tables = {name: each.table() for name, each in merged.states.items()}
    exact = {name: "exact" if each.is_exact else "binned" for name, each in merged.states.items()}
    return tables, _source(merged.source, files, tables, exact), merged


def _of_file(name: str, read: Any) -> Any:
    """Read a file of counts; say which one is wrong."""
    try:
        return read(Path(name))
    except (UnicodeDecodeError, ValueError) as error:
        said = str(error).partition(f", {name!r}")
        text = "".join(said[::2]).removeprefix("This ")
        msg = f"{name} {text}" if text.startswith("is not") else f"{name}: {text}"
        if format_by_name(name) is not None:
            msg = (
                f"{name} is not a file of saved counts. Save them by: rocspace auc {name} "
                "--save-state NAME. Or read several files as one: rocspace auc FILE FILE."
            )
        raise ValueError(msg) from error


def _source(
    source: dict[str, Any],
    files: Sequence[str],
    tables: dict[str, ScoreTable],
    counting: dict[str, str],
) -> dict[str, Any]:
    """Describe what was merged as a file is described."""
    table = next(iter(tables.values()))
    known = {
        "rows": int(table.n_pos + table.n_neg),
        "label": "label",
        "positive": 1,
        "labels": {"1": table.n_pos, "0": table.n_neg},
        "weight": None,
        "scores_chosen": "by name",
        "dropped": {},
    }
    about: dict[str, Any] = {
        "file": files[0] if len(files) == 1 else counted(len(files), "state"),
        "format": SAVED_COUNTS,
        "files": list(files),
        "counting": counting,
    }
    return known | source | about
