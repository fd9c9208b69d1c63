"""Counts that are saved to be merged: `rocspace auc --save-state`, `rocspace merge`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rocspace.cli.console import check_output, write
from rocspace.cli.options import check_least
from rocspace.io.cases import FileCases
from rocspace.io.tables import FileTables, count_cases, tables_of
from rocspace.stream.archive import save_states
from rocspace.stream.federated import coarsen
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
