"""The commands: their options, their help, and what each one prints."""

from __future__ import annotations

import dataclasses
import sys
import textwrap
from pathlib import Path
from typing import Any, Literal

from cyclopts import App
from cyclopts.help import DefaultFormatter, PanelSpec
from rich.box import ASCII

import rocspace
from rocspace import datasets
from rocspace._base.checks import check_fraction, check_level
from rocspace.cli._console import (
    as_json,
    check_output,
    count,
    interval,
    note,
    printable,
    pvalue,
    share,
    table_text,
    write,
)
from rocspace.cli._options import (
    Choice,
    Flag,
    Numbers,
    Opening,
    Printing,
    label_text,
    located,
    read,
    refined,
    stem,
    summary_of,
)
from rocspace.cli._report_cases import paper_tables, read_for_report, report_summary, write_figures
from rocspace.io.files import Column, scan_columns
from rocspace.io.tables import FileAreas

_CHOICE = Choice()
_OPENING = Opening()
_PRINTING = Printing()


def _examples(*lines: str, title: str = "Examples") -> str:
    return "\n".join([f"{title}:\n", "```", *lines, "```"])


def _formatter() -> DefaultFormatter:
    """Frame the help in ASCII unless a terminal shows it."""
    return DefaultFormatter(panel_spec=PanelSpec(box=None if sys.stdout.isatty() else ASCII))


app = App(
    name="rocspace",
    help=(
        "ROC analysis of a file with a column of labels and columns of scores.\n\n"
        "FILE is csv (also .gz), tsv, parquet, arrow or ndjson, the name of a bundled data set "
        "(rocspace data), or - for standard input."
    ),
    help_epilogue=_examples(
        "rocspace report adult_scores          # a bundled data set",
        "rocspace columns mine.csv             # what is in the file",
        "rocspace report mine.csv --label ill --positive yes",
        title="Start with",
    ),
    version=lambda: f"rocspace {rocspace.__version__}",
    help_format="markdown",
    help_formatter=_formatter(),
    suppress_keyboard_interrupt=False,
)


@app.command(
    help_epilogue=_examples(
        "rocspace report adult_scores",
        "rocspace report visits.parquet --label ill --positive yes --score risk",
        "rocspace report folds.csv --label y --fold fold",
        "rocspace report scores.csv --to md > tables.md",
        "rocspace report scores.csv --json | jq '.scores[].auc.value'",
    )
)
def report(
    file: str,
    /,
    *,
    title: str | None = None,
    level: float = 0.95,
    fold: str | None = None,
    to: Literal["html", "md", "json", "pdf-figures"] = "html",
    choice: Choice = _CHOICE,
    printing: Printing = _PRINTING,
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
        _print_areas(summary, printing, None)
        write(f"\n{printable(output)}\n")


@app.command(
    help_epilogue=_examples(
        "rocspace auc adult_scores",
        "rocspace auc scores.csv --label y --score new --score old --level 0.9",
        "rocspace auc huge.parquet --tolerance 1e-6 --memory 1GB",
        "zcat big.csv.gz | rocspace auc - --label y --json",
    )
)
def auc(
    file: str,
    /,
    *,
    level: float = 0.95,
    exact: Flag = False,
    tolerance: float | None = None,
    memory: str | None = None,
    choice: Choice = _CHOICE,
    printing: Printing = _PRINTING,
) -> None:
    """Print the area under the curve of each score, with its interval.

    Beside it the Gini coefficient, the Kolmogorov-Smirnov distance, and the p value of the
    Mann-Whitney test of area 1/2. With --json the whole summary that a report shows.

    Beyond some four million distinct scores the area comes with bounds, between which it lies
    for certain. With --exact or --tolerance the file is read again until they are closed; then
    only the area, its bounds and the number of passes are printed.

    Parameters
    ----------
    file
        The file to read.
    level
        Confidence level of the interval.
    exact
        The exact area, however many distinct scores there are.
    tolerance
        The area with bounds at most so far apart, such as 1e-6.
    memory
        Of --exact and --tolerance: what the process may need at most, such as 500MB or 2GiB.
        By default 1GB; less memory takes more passes.
    """
    check_output(printing.output, file)
    if exact or tolerance is not None:
        if exact and tolerance is not None:
            msg = "--exact asks for a tolerance of zero. Leave out one of --exact and --tolerance."
            raise ValueError(msg)
        found = refined(
            file, choice, tolerance=tolerance or 0.0, memory=memory, quiet=printing.quiet
        )
        _print_refined(found, printing)
        return
    if memory is not None:
        msg = "--memory goes with --exact or --tolerance. Add one of them, or leave it out."
        raise ValueError(msg)
    summary = summary_of(file, choice, level, printing.quiet)
    if printing.json:
        write(as_json(summary), printing.output)
    else:
        _print_areas(summary, printing, printing.output)


@app.command(
    help_epilogue=_examples(
        "rocspace curve fawcett20",
        "rocspace curve scores.csv --label y --drop-collinear --output curve.parquet",
    )
)
def curve(
    file: str,
    /,
    *,
    ties: Literal["expected", "optimistic", "pessimistic"] = "expected",
    drop_collinear: Flag = False,
    choice: Choice = _CHOICE,
    printing: Printing = _PRINTING,
) -> None:
    """Print the points of the ROC curve of each score, as csv.

    One row for each distinct score, and one for the threshold that calls nobody positive.
    With --output the ending .csv, .json or .parquet says what is written.

    Parameters
    ----------
    file
        The file to read.
    ties
        How a score that both classes have is passed.
    drop_collinear
        Leave out points inside straight runs; no area and no corner is lost.
    """
    from rocspace.cli._points import KINDS, curve_content

    check_output(printing.output, file)
    kind = "json" if printing.json else "csv"
    if printing.output not in (None, "-"):
        kind = Path(str(printing.output)).suffix.lower().removeprefix(".")
        if kind not in KINDS or (printing.json and kind != "json"):
            wanted = ".json" if printing.json else "one of .csv, .json and .parquet"
            msg = f"--output {printing.output!r} must end in {wanted}, which says what to write."
            raise ValueError(msg)
    found = read(file, choice, quiet=printing.quiet)
    curves = {
        name: rocspace.roc_curve(table, ties=ties, collinear="drop" if drop_collinear else "keep")
        for name, table in found.tables.items()
    }
    write(curve_content(curves, kind), printing.output)


@app.command(
    help_epilogue=_examples(
        "rocspace at adult_scores --threshold 0.5",
        "rocspace at scores.csv --label y --threshold 0.3 --threshold 0.6 --youden",
        "rocspace at scores.csv --label y --fpr 0.01 --json",
    )
)
def at(
    file: str,
    /,
    *,
    threshold: Numbers = None,
    fpr: Numbers = None,
    tpr: Numbers = None,
    youden: Flag = False,
    level: float = 0.95,
    choice: Choice = _CHOICE,
    printing: Printing = _PRINTING,
) -> None:
    """Print what thresholds do: the confusion matrix, and rates with intervals.

    A case is called positive if its score is at least the threshold (at most, with
    --lower-is-positive). Each of these options can be repeated.

    Parameters
    ----------
    file
        The file to read.
    threshold
        A threshold.
    fpr
        The best threshold with at most this false positive rate.
    tpr
        The best threshold with at least this true positive rate.
    youden
        The thresholds of the largest tpr - fpr.
    level
        Confidence level of the intervals.
    """
    from rocspace.cli._points import described_points, points_text

    if not (threshold or fpr or tpr or youden):
        msg = "Which threshold? Give --threshold, --fpr, --tpr or --youden."
        raise ValueError(msg)
    check_level(level)
    for name, rates in (("--fpr", fpr), ("--tpr", tpr)):
        check_fraction(name, rates or [])
    check_output(printing.output, file)
    found = read(file, choice, quiet=printing.quiet)
    wanted = {"threshold": threshold or [], "fpr": fpr or [], "tpr": tpr or [], "youden": youden}
    points = described_points(found, wanted, level)
    if printing.json:
        write(as_json(points), printing.output)
    else:
        write(points_text(points), printing.output)


@app.command(help_epilogue=_examples("rocspace columns mine.csv", "rocspace columns - < mine.csv"))
def columns(
    file: str,
    /,
    *,
    opening: Opening = _OPENING,
    printing: Printing = _PRINTING,
) -> None:
    """Print what each column of a file holds.

    Parameters
    ----------
    file
        The file to read.
    """
    check_output(printing.output, file)
    path, _ = located(file, _CHOICE, quiet=printing.quiet)
    found = scan_columns(
        path, format=opening.format, separator=opening.separator, null_values=opening.null
    )
    if printing.json:
        write(
            as_json({"file": path, "columns": [_plain_column(c) for c in found]}), printing.output
        )
        return
    header = ("column", "kind", "missing", "distinct", "range", "examples")
    text = table_text(header, [_column_row(c) for c in found], left=(0, 1, 4, 5))
    notes = "".join(f"{printable(c.name)}: {printable(c.note)}\n" for c in found if c.note)
    n = found[0].n if found else 0
    write(f"{n:,} rows\n\n{text}{notes and chr(10)}{notes}", printing.output)


@app.command(help_epilogue=_examples("rocspace data"))
def data(*, printing: Printing = _PRINTING) -> None:
    """Print which data sets are bundled; their names serve as FILE."""
    sets = [datasets.load(name) for name in datasets.names()]
    if printing.json:
        found = [
            {
                "name": each.name,
                "title": each.title,
                "rows": len(each),
                "positives": int(each.y_true.sum()),
                "label": each.label,
                "positive": each.positive,
                "scores": list(each.scores),
                "source": each.source,
                "licence": each.licence,
                "path": str(each.path),
            }
            for each in sets
        ]
        write(as_json(found), printing.output)
        return
    write("\n".join(map(_described, sets)), printing.output)


def _described(each: datasets.Dataset) -> str:
    sizes = f"{len(each):,} rows, {int(each.y_true.sum()):,} positive"
    lines = (each.title, f"From {each.source}.")
    wrapped = (textwrap.fill(x, 78, initial_indent="  ", subsequent_indent="  ") for x in lines)
    return "\n".join([f"{each.name}: {sizes}", *wrapped, ""])


# --- printing -----------------------------------------------------------------------------------


def _print_areas(summary: dict[str, Any], printing: Printing, output: str | None) -> None:
    scores, source = summary["scores"], summary["source"]
    alike = len({(count(score["n"]), count(score["n_pos"])) for score in scores}) == 1
    binned = "binned" in source["counting"].values()
    header = ["score", *([] if alike else ["cases", "positive"]), "AUC"]
    header += [f"{100 * summary['settings']['level']:g} % interval"]
    header += [*(["certain bounds"] if binned else []), "Gini", "KS", "p"]
    rows = []
    for score in scores:
        area = score["auc"]
        row = [score["name"], *([] if alike else [count(score["n"]), count(score["n_pos"])])]
        row += [share(area["value"]), interval(area["interval"]["low"], area["interval"]["high"])]
        if binned:
            row.append(
                interval(area["bounds"]["low"], area["bounds"]["high"], lambda x: f"{x:.7f}")
            )
        row += [share(score["gini"]), share(score["ks"])]
        rows.append((*row, pvalue(area["test"] and area["test"]["pvalue"])))
    about = [printable(source["file"])]
    if alike:
        first = scores[0]
        about.append(f"{count(first['n'])} cases{' by weight' if first['weighted'] else ''}")
        about.append(f"{count(first['n_pos'])} positive ({100 * first['prevalence']:.3g} %)")
    about.append(printable(f"{source['label']} = {label_text(source['positive'])}"))
    if any(score["direction"] == "lower" for score in scores):
        about.append("lower is positive")
    write(f"{', '.join(about)}\n\n{table_text(header, rows)}", output)
    for warning in summary["warnings"]:
        if warning["code"] not in ("dropped_rows", "looks_like_id"):  # that has been said
            where = "" if warning["score"] is None else f"{warning['score']}: "
            note(f"{where}{warning['message']}", quiet=printing.quiet)


def _print_refined(found: FileAreas, printing: Printing) -> None:
    if printing.json:
        areas = [{"name": name, **dataclasses.asdict(a)} for name, a in found.areas.items()]
        about = {"schema": "rocspace.areas/1", "rocspace": rocspace.__version__}
        write(as_json({**about, "source": found.source, "scores": areas}), printing.output)
        return
    header = ("score", "cases", "positive", "AUC", "certain bounds", "width", "passes")
    rows = []
    for name, area in found.areas.items():
        bounds = "exact" if area.exact else interval(area.low, area.high, lambda x: f"{x:.10f}")
        width = "0" if area.exact else f"{area.high - area.low:.1e}"
        value = f"{area.value:.10f}"
        cases = (count(area.n_cases), count(area.n_pos))
        rows.append((name, *cases, value, bounds, width, str(area.passes)))
    source = found.source
    title = f"{source['file']}, {source['label']} = {label_text(source['positive'])}"
    write(f"{printable(title)}\n\n{table_text(header, rows)}", printing.output)


def _plain_column(column: Column) -> dict[str, Any]:
    from rocspace.report.plain import plain_copy

    described = dataclasses.asdict(column) | {"counts": dict(column.counts)}
    return dict(plain_copy(described))


def _column_row(column: Column) -> tuple[str, ...]:
    distinct = "-" if column.kind == "other" else "> 1,000"
    if column.distinct is not None:
        distinct = count(column.distinct)
    ends = ""
    if column.minimum is not None and column.maximum is not None:
        ends = f"{column.minimum:.6g} to {column.maximum:.6g}"
    counts = sorted(column.counts, key=lambda pair: -pair[1])
    if 0 < len(counts) <= 4:
        examples = ", ".join(f"{value} ({n:,})" for value, n in counts)
    else:
        examples = ", ".join(column.examples[:3])
    kind = column.dtype if column.kind == "other" else column.kind
    return (column.name, kind, count(column.missing), distinct, ends, examples)
