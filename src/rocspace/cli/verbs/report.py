"""rocspace report: everything about the scores in one page, or in tables and figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np

from rocspace._base.arrays import Array
from rocspace._base.checks import check_level, joined_exactly
from rocspace._base.optional import require
from rocspace._base.progress import Elapsed
from rocspace.cli.areas import print_areas
from rocspace.cli.console import as_json, check_output, note, printable, write
from rocspace.cli.options import CHOICE, PRINTING, Choice, Printing
from rocspace.cli.reading import read, read_cases, shown
from rocspace.cli.tokens import STDIN
from rocspace.counts.paired import PairedScores, pair_scores
from rocspace.counts.table import ScoreTable
from rocspace.curves.roc import RocCurve, roc_curve
from rocspace.io.cases import FileCases, Reading
from rocspace.io.tables import FileTables, tabulate_cases
from rocspace.operating.points import optimal_points
from rocspace.report.markup import markdown_text

_KEPT = 40_000_000  # values of all columns that are kept: 320 MB


EXAMPLES = (
    "rocspace report adult_scores",
    "rocspace report visits.parquet --label ill --positive yes --score risk",
    "rocspace report folds.csv --label y --fold fold",
    "rocspace report scores.csv --to md > tables.md",
    "rocspace report scores.csv --json | jq '.scores[].auc.value'",
)


def report(
    file: str,
    /,
    *,
    title: str | None = None,
    level: float = 0.95,
    fold: str | None = None,
    to: Literal["html", "md", "json", "pdf-figures"] = "html",
    choice: Choice = CHOICE,
    printing: Printing = PRINTING,
) -> None:
    """Write everything about the scores to one HTML file.

    Prints the table of areas, and on the last line the path of the report. The report needs
    no network. Several scores of the same cases are compared with each other. With --json the
    summary is printed instead, and a report written only where --output says so.

    Parameters
    ----------
    file
        The file to read.
    title
        Title of the report.
    level
        Confidence level of all intervals.
    fold
        Column of the fold in which each case was tested: its areas and curves are shown. A case
        without one of the scores is then left out of all.
    to
        What to make: the interactive page, tables for papers in Markdown, the summary as JSON,
        or a folder of vector figures. --format html|md|json|pdf-figures says the same.
    printing
        Options of the output; --output is the path of the report, by default the name of the
        file with -roc.html in the current folder (a folder with -figures for pdf-figures;
        standard output for md and json).
    """
    check_level(level)
    output, ending = printing.output, {"html": "-roc.html", "pdf-figures": "-figures"}.get(to)
    if output is None and not printing.json and ending is not None:
        output = f"{stem(file)}{ending}"
    if to != "pdf-figures":
        check_output(output, file)
    found = read_for_report(file, choice, fold=fold, quiet=printing.quiet)
    summary = report_summary(found, level, quiet=printing.quiet)
    if to == "pdf-figures" and output is not None:
        write_figures(found, summary, output)
    elif to == "md":
        write(paper_tables(found, level, title=title) + "\n", output)
    elif to == "json":
        write(as_json(summary), output)
    elif output is not None:
        from rocspace.report import render_html

        write(render_html(summary, title=title), output)
    if printing.json:
        write(as_json(summary))
    elif output != "-" and ending is not None:
        print_areas(summary, printing, None)
        write(f"\n{printable(output)}\n")


def stem(file: str) -> str:
    """Give the file name without its endings."""
    if file == STDIN:
        return "stdin"
    name = Path(file).name
    for ending in (".gz", ".zst", ".bz2", ".lz4"):
        name = name.removesuffix(ending)
    return Path(name).stem or "rocspace"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReportCases:
    """The tables of a file, and its cases.

    Attributes
    ----------
    tables : dict of str to ScoreTable
        One for each score.
    source : dict
        What was read.
    data : PairedScores, optional
        All scores of each case; None where some cases lack one, or there are too many to keep.
    fold : ndarray, optional
        The fold of each case.
    """

    tables: dict[str, ScoreTable]
    source: dict[str, Any]
    data: PairedScores | None = None
    fold: Array | None = None


def read_for_report(
    file: str, choice: Choice, *, fold: str | None = None, quiet: bool
) -> ReportCases:
    """Read a file once: as cases if all of them have all scores, else only as tables."""
    if fold is not None:
        found = read_cases(file, choice, beside=[fold], quiet=quiet)
        return ReportCases(
            tables={name: found.data.table(name) for name in found.data.names},
            source=found.source
            | {"counting": dict.fromkeys(found.data.names, "exact"), "fold": fold},
            data=found.data,
            fold=found.beside[fold],
        )
    keeping = _Keeping()
    tables = read(file, choice, quiet=quiet, tabulate=keeping)
    data = keeping.pairs() if len(tables.tables) > 1 else None
    if data is None and keeping.why:
        note(f"scores are not compared: {keeping.why}", quiet=quiet)
    return ReportCases(tables=tables.tables, source=tables.source, data=data)


def report_summary(found: ReportCases, level: float, *, quiet: bool) -> dict[str, Any]:
    """Work out every number of the report."""
    with Elapsed("working out the numbers", show=shown(quiet)):
        from rocspace.report import More, summarise

        return summarise(
            found.tables,
            data=found.data,
            more=More(fold=found.fold, progress=False),
            source=found.source,
            level=level,
        )


def paper_tables(found: ReportCases, level: float, *, title: str | None = None) -> str:
    """Return the tables of a paper, as Markdown."""
    from rocspace.compare.areas import compare_aucs
    from rocspace.report import paper as tables

    several = found.data is not None and len(found.data.names) > 1
    of_areas = compare_aucs(found.data) if several and found.data else found.tables
    parts = [tables.to_markdown(of_areas, level=level)]
    for name, table in found.tables.items():
        best = optimal_points(table)[0]
        cross = tables.stard_table(best, level=level)
        caption = f"{name} at the threshold of its largest Youden index on these very cases"
        parts.append(tables.to_markdown(replace(cross, caption=caption)))
        if not table.is_weighted and found.source.get("dropped"):
            flow = tables.flow_of(
                {**found.source, "dropped": _own(found, name)},
                n_pos=int(table.n_pos),
                n_neg=int(table.n_neg),
            )
            parts.append(tables.to_markdown(flow))
    head = [] if title is None else [f"# {markdown_text(title)}"]
    return "\n\n".join([*head, *parts])


def _own(found: ReportCases, name: str) -> dict[str, int]:
    """Return the cases that are lacking from one score: of other scores only if all go together."""
    dropped = found.source["dropped"]
    if found.fold is None:
        others = set(found.tables) - {name}
        return {key: n for key, n in dropped.items() if key not in others}
    n = found.source["rows"] - len(found.data or ())
    known = {key: n for key, n in dropped.items() if key not in found.tables}
    rest = n - sum(known.values())
    return known | ({"score": rest} if rest else {})


def write_figures(found: ReportCases, summary: dict[str, Any], folder: str) -> None:
    """Write the figures of a paper as vector graphics into a folder."""
    target = Path(folder)
    if target.exists() and not target.is_dir():
        msg = f"--output {folder!r} is a file, but the figures need a folder. Name another one."
        raise FileExistsError(msg)
    target.mkdir(exist_ok=True)
    figure = require("matplotlib.figure", extra="plot")
    from rocspace.plot import style

    with style("single"):
        for name, draw in _figures(found, summary):
            made = figure.Figure()
            draw(made.add_subplot())
            made.savefig(target / f"{name}.pdf", bbox_inches="tight")


def _figures(found: ReportCases, summary: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the name of each figure, and what draws it."""
    from rocspace import plot
    from rocspace.bands.api import roc_band
    from rocspace.compare.areas import compare_aucs
    from rocspace.costs.curves import cost_curve
    from rocspace.curves.det import det_curve
    from rocspace.curves.pr import pr_curve

    level, tables = summary["settings"]["level"], found.tables
    kinds: dict[str, tuple[Callable[..., Any], Callable[[ScoreTable], Any]]] = {
        "roc": (plot.plot_roc, roc_curve),
        "pr": (plot.plot_pr, pr_curve),
        "det": (plot.plot_det, det_curve),
        "cost": (plot.plot_cost_curve, cost_curve),
    }
    for kind, (draw, curve_of) in kinds.items():
        curves = {name: curve_of(table) for name, table in tables.items()}
        yield kind, partial(_draw_all, draw, curves)
    # Names of columns may be anything; those of files are not.
    for i, (name, table) in enumerate(tables.items(), 1):
        if any(band["error"] is None for band in summary["scores"][i - 1]["bands"][:1]):
            band = roc_band(table, level=level)
            yield f"band-{i}", partial(_draw_band, name, roc_curve(table), band)
        yield f"scores-{i}", partial(_draw_scores, table)
    if found.data is not None and len(found.data.names) > 1:
        yield "comparison", partial(_draw_comparison, compare_aucs(found.data), level)


def _draw_all(draw: Callable[..., Any], curves: dict[str, Any], ax: Any) -> None:
    from rocspace.plot import label_lines

    for name, curve in curves.items():
        draw(curve, ax=ax, label=_literal(name))
    if len(curves) > 1:
        label_lines(ax)


def _draw_band(name: str, curve: RocCurve, band: Any, ax: Any) -> None:
    from rocspace import plot

    plot.plot_roc(curve, ax=ax, label=_literal(name))
    plot.plot_band(band, ax=ax)
    ax.set_title(_literal(name))


def _draw_scores(table: ScoreTable, ax: Any) -> None:
    from rocspace import plot

    plot.plot_scores(table, ax=ax)


def _draw_comparison(comparison: Any, level: float, ax: Any) -> None:
    from rocspace import plot

    plot.plot_comparison(comparison, ax=ax, level=level)


def _literal(name: str) -> str:
    """Return a name that matplotlib does not take for a formula, nor for one to hide."""
    return name.replace("$", r"\$").lstrip("_") or "score"


class _Keeping:
    """Tabulates a file as `tabulate_file` does, and keeps its cases as long as they fit."""

    why = ""

    def __call__(
        self, path: str, *, reading: Reading, higher_is_positive: bool, **columns: Any
    ) -> FileTables:
        cases = FileCases(path, reading=reading, **columns)
        self.higher_is_positive, self.weighted = higher_is_positive, columns["weight"] is not None
        room = _KEPT // len(cases.scores)
        kept = {name: _Kept(room) for name in cases.scores}
        self.kept = kept if len(kept) > 1 else {}
        found = tabulate_cases(
            cases, higher_is_positive=higher_is_positive, also=kept if self.kept else None
        )
        lacking = [name for name in kept if found.source["dropped"].get(name)]
        if self.kept and lacking:
            self.why = f"some cases lack {lacking[0]}"
        elif any(each.parts is None for each in self.kept.values()):
            self.why = f"there are more than {room:,} cases"
        return found

    def pairs(self) -> PairedScores | None:
        """Return all scores of each case; None if some are lacking, or not all were kept."""
        if self.why:
            return None
        columns = {name: each.columns() for name, each in self.kept.items()}
        label, _, *weight = next(iter(columns.values()))
        try:
            return pair_scores(
                label,
                {name: column[1] for name, column in columns.items()},
                sample_weight=weight[0] if self.weighted else None,
                higher_is_positive=self.higher_is_positive,
            )
        except ValueError as error:  # large whole numbers beside fractions: no common type
            self.why = str(error)
            return None


class _Kept:
    """Keeps the columns of one score until there are too many cases."""

    def __init__(self, room: int) -> None:
        self.parts: list[tuple[Any, ...]] | None = []
        self._room = room

    def update(self, *columns: Any) -> None:
        """Take a batch."""
        self._room -= len(columns[0])
        if self._room < 0:
            self.parts = None
        if self.parts is not None:
            self.parts.append(tuple(np.array(column) for column in columns))

    def columns(self) -> list[Array]:
        """Return all batches put together."""
        assert self.parts is not None
        return [joined_exactly(column) for column in zip(*self.parts, strict=True)]
