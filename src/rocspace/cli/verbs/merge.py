"""rocspace merge: areas of counts that were saved apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from glob import glob
from pathlib import Path
from typing import Any

from rocspace._base.checks import check_fraction, counted
from rocspace._base.progress import Elapsed
from rocspace.cli.console import check_output
from rocspace.cli.estimating import AreaScale, Estimating
from rocspace.cli.figures import save_figure
from rocspace.cli.options import PRINTING, Files, Printing, To
from rocspace.cli.outcome import Gate, areas_by_name
from rocspace.cli.tables import areas_text, draw_tables, in_papers, note_warnings
from rocspace.counts.table import ScoreTable
from rocspace.io.several import format_by_name
from rocspace.report.explained import SAVED_COUNTS
from rocspace.stream.archive import SavedStates, load_states, merge_states, save_states
from rocspace.stream.federated import SiteCounts, pool


def merge(
    state: Files,
    /,
    *,
    level: float = 0.95,
    scale: AreaScale | None = None,
    figure: str | None = None,
    to: To = "text",
    fail_below: float | None = None,
    save_state: str | None = None,
    printing: Printing = PRINTING,
) -> None:
    """Add up saved counts of several days or sites, and print the areas of all cases.

    Counts are saved by rocspace auc --save-state, or in Python by a Tabulator. The areas are those
    of all cases together, to the last digit. Of .json files, with rows of at least --min-cases
    cases, the exact area lies between certain bounds.

    Parameters
    ----------
    state
        The files of saved counts, all of the same scores, or patterns of their names in quotes.
    level
        Confidence level of the interval.
    scale
        Scale of the interval; by default that with the best measured coverage. "identity" is value
        +- z se, as pROC prints it.
    figure
        Also draw the curves, to a .png, .svg or .pdf file.
    to
        What to print: text, or a table for papers in Markdown, LaTeX or HTML.
    fail_below
        End with exit status 3 if an area is below this, after printing all.
    save_state
        Also write the merged counts to this file.

    Examples
    --------
    rocspace auc monday.parquet --label y --save-state monday.state
    rocspace merge monday.state tuesday.state --save-state week.state
    rocspace merge site-*.json --json
    """
    state = list(_expanded(state))
    printing.check(state, figure, level=level)
    if scale is not None and figure is not None:
        msg = "--scale goes without --figure. Leave one of them out."
        raise ValueError(msg)
    check_output(save_state, [], option="--save-state")
    if fail_below is not None:
        check_fraction("--fail-below", fail_below)
    tables, source, merged = _read(state)
    if save_state is not None:
        if merged is None:
            msg = "--save-state keeps all counts, which .json files lack. Leave it out."
            raise ValueError(msg)
        save_states(save_state, merged.states, source=merged.source)
    if scale is not None:
        from rocspace.cli.estimates import FoundGroups, plain_estimates, print_estimates

        how, found = Estimating(scale=scale), FoundGroups(tables={"": tables}, source=source)
        described = plain_estimates(found, how, level)
        gate = Gate(fail_below, areas_by_name(described["scores"]))
        print_estimates(gate.told(described), to, printing)
        gate.check()
        return
    with Elapsed("working out the numbers", show=printing.progress):
        from rocspace.report import summarise

        summary = summarise(tables, source=source, level=level)
    gate = Gate(fail_below, areas_by_name(summary["scores"]))
    printing.answer(
        gate.told(summary),
        lambda: areas_text(summary) if to == "text" else in_papers(tables, to, level=level),
    )
    if not printing.as_json:
        note_warnings(summary, printing)
    save_figure(figure, partial(draw_tables, tables), printing, panels=1)
    gate.check()


def _expanded(names: Sequence[str]) -> Iterator[str]:
    for name in names:
        if not set(name) & set("*?[") or Path(name).exists():
            yield name
        elif found := sorted(glob(name, recursive=True)):
            yield from found
        else:
            msg = f"No file fits the pattern {name!r}."
            raise FileNotFoundError(msg)


def _read(
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
