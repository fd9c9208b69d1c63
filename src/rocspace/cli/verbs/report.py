"""rocspace report: everything about the scores in one page, or in tables and figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

from rocspace._base.arrays import Array
from rocspace._base.checks import check_level
from rocspace._base.progress import Elapsed
from rocspace.cli.class_report import report_classes
from rocspace.cli.console import as_json, check_output, count, printable, write
from rocspace.cli.figures import literal, write_all
from rocspace.cli.options import CHOICE, PRINTING, Choice, Printing, Whole, check_least
from rocspace.cli.reading import (
    KeptCases,
    label_text,
    paired,
    read_by,
    read_cases,
    read_classes,
)
from rocspace.cli.tables import print_areas
from rocspace.cli.tokens import STDIN
from rocspace.counts.paired import PairedScores
from rocspace.counts.table import ScoreTable
from rocspace.curves.roc import RocCurve, roc_curve
from rocspace.io.cases import FileCases, Reading, SeveralLabelsError
from rocspace.io.tables import FileTables, tabulate_cases
from rocspace.operating.points import optimal_points
from rocspace.report.markup import markdown_text

_KEPT = 40_000_000  # values of all columns that are kept: 320 MB


def report(
    file: str,
    /,
    *,
    title: str | None = None,
    level: float = 0.95,
    fold: str | None = None,
    n_sim: Whole = 0,
    cost_matrix: str | None = None,
    to: Literal["html", "md", "json", "pdf-figures"] = "html",
    choice: Choice = CHOICE,
    printing: Printing = PRINTING,
) -> None:
    """Write everything about the scores to one HTML file.

    Prints the table of areas, and on the last line the path of the report. The report needs
    no network. Several scores of the same cases are compared with each other. With --json the
    summary is printed instead, and a report written only where --output says so.

    Of more than two classes, with a column of scores for each (p_a, p_b, p_c for a, b, c), it shows
    the areas of all classes and of each pair, decisions, and a threshold for each class.

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
    n_sim
        Samples of each smooth curve for its test of fit, such as 200; 0 for no test. It takes a few
        seconds for each score.
    cost_matrix
        Of more than two classes: a csv or json file of costs, as for rocspace choose; the report
        then has the decisions that cost least.
    to
        What to make: the interactive page, tables for papers in Markdown, the summary as JSON,
        or a folder of vector figures. --format html|md|json|pdf-figures says the same.
    printing
        Options of the output; --output is the path of the report, by default the name of the
        file with -roc.html in the current folder (a folder with -figures for pdf-figures;
        standard output for md and json).

    Examples
    --------
    rocspace report adult_scores
    rocspace report visits.parquet --label ill --positive yes --score risk
    rocspace report folds.csv --label y --fold fold
    rocspace report species.csv --label species --score 'p_*'
    rocspace report scores.csv --to md > tables.md
    rocspace report scores.csv --json | jq '.scores[].auc.value'
    """
    check_level(level)
    check_least("--n-sim", n_sim, 0)
    output, ending = printing.output, {"html": "-roc.html", "pdf-figures": "-figures"}.get(to)
    if output is None and not printing.json and ending is not None:
        output = f"{stem(file)}{ending}"
    if to != "pdf-figures":
        check_output(output, file)
    try:
        found = read_for_report(file, choice, printing, fold=fold)
    except SeveralLabelsError as several:
        if fold is not None or n_sim:
            asked = "--n-sim" if fold is None else "--fold"
            msg = f"{asked} is for two classes. Leave it out, or name one class with --positive."
            raise ValueError(msg) from several
        classes = read_classes(file, choice, printing, several)
        how: dict[str, Any] = {"level": level, "to": to, "cost_matrix": cost_matrix}
        report_classes(classes, printing, output=output, title=title, **how)
        return
    if cost_matrix is not None:
        msg = "--cost-matrix is for more than two classes; of two the report has sliders."
        raise ValueError(msg)
    with Elapsed("working out the numbers", show=printing.progress):
        from rocspace.report import More, summarise

        more = More(fold=found.fold, n_sim=n_sim, progress=False)
        summary = summarise(
            found.tables, data=found.data, more=more, source=found.source, level=level
        )
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
    file: str, choice: Choice, printing: Printing, *, fold: str | None = None
) -> ReportCases:
    """Read a file once: as cases if all of them have all scores, else only as tables."""
    if fold is not None:
        found = read_cases(file, choice, printing, beside=[fold])
        return ReportCases(
            tables=found.tables,
            source=found.source | {"fold": fold},
            data=found.data,
            fold=found.beside[fold],
        )
    keeping = _Keeping()
    tables = read_by(keeping, file, choice, printing)
    if keeping.why:
        printing.note(f"scores are not compared: {keeping.why}")
    return ReportCases(tables=tables.tables, source=tables.source, data=keeping.data)


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
    write_all(((name, partial(_alone, draw)) for name, draw in _figures(found, summary)), folder)


def _alone(draw: Callable[..., Any], canvas: Any) -> None:
    draw(ax=canvas.add_subplot())


def _figures(
    found: ReportCases, summary: dict[str, Any]
) -> Iterator[tuple[str, Callable[..., Any]]]:
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
        yield f"scores-{i}", partial(draw_scores, name, table, class_names(found.source))
    if found.data is not None and len(found.data.names) > 1:
        yield "comparison", partial(plot.plot_comparison, compare_aucs(found.data), level=level)


def _draw_all(draw: Callable[..., Any], curves: dict[str, Any], *, ax: Any) -> None:
    from rocspace.plot import label_lines

    for name, curve in curves.items():
        draw(curve, ax=ax, label=literal(name))
    if len(curves) > 1:
        label_lines(ax)


def class_names(source: Mapping[str, Any]) -> tuple[str, str]:
    """Name the classes as the file does: the positive label, and the other one if there is one."""
    label, positive = source["label"], label_text(source["positive"])
    known = {positive, str(source["positive"])}
    others = [each for each in source.get("labels") or () if each not in known]
    other = label_text(others[0]) if len(others) == 1 else f"not {positive}"
    return literal(f"{label} = {positive}"), literal(f"{label} = {other}")


def draw_scores(name: str, table: ScoreTable, classes: tuple[str, str], *, ax: Any) -> None:
    """Draw the distributions of a score under its name."""
    from rocspace import plot

    plot.plot_scores(table, ax=ax, classes=classes)
    ax.set_xlabel(literal(name))


def _draw_band(name: str, curve: RocCurve, band: Any, *, ax: Any) -> None:
    from rocspace import plot

    plot.plot_roc(curve, ax=ax, label=literal(name))
    plot.plot_band(band, ax=ax)
    ax.set_title(literal(name))


class _Keeping:
    """Tabulates a file as `tabulate_file` does, and keeps its cases as long as they fit.

    `data` are all scores of each case; None if some are lacking, or not all were kept: `why`.
    """

    data: PairedScores | None = None
    why = ""

    def __call__(
        self,
        path: str,
        *,
        reading: Reading,
        higher_is_positive: Mapping[str, bool],
        weight: str | None = None,
        **columns: Any,
    ) -> FileTables:
        cases = FileCases(path, reading=reading, weight=weight, **columns)
        room = _KEPT // len(cases.scores)
        several = len(cases.scores) > 1
        kept = {name: KeptCases(room) for name in cases.scores} if several else {}
        found = tabulate_cases(cases, higher_is_positive=higher_is_positive, also=kept or None)
        if lacking := [name for name in kept if found.source["dropped"].get(name)]:
            self.why = f"some cases lack {lacking[0]}"
        elif any(each.room < 0 for each in kept.values()):
            self.why = f"there are more than {count(room)} cases"
        elif kept:
            try:
                self.data, _ = paired(kept, higher_is_positive, weighted=weight is not None)
            except ValueError as error:  # large whole numbers beside fractions: no common type
                self.why = str(error)
        return found
