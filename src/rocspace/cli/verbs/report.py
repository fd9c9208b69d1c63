"""rocspace report: everything about the scores in one page, or in tables and figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal

from cyclopts import Parameter

from rocspace._base.checks import check_level
from rocspace._base.progress import Elapsed
from rocspace.cli.class_report import report_classes, report_ordered
from rocspace.cli.console import check_output, printable, write
from rocspace.cli.figures import write_all
from rocspace.cli.options import CHOICE, PRINTING, Choice, Files, Printing, Whole, check_least
from rocspace.cli.reading import read_by, read_cases, read_classes, read_ordered
from rocspace.cli.tables import areas_text, note_warnings
from rocspace.cli.tokens import STDIN
from rocspace.io.cases import FileCases, SeveralLabelsError
from rocspace.io.kept import TablesAndCases, tabulate_and_keep
from rocspace.io.tables import FileTables
from rocspace.report.cases import ReportCases, paper_tables
from rocspace.report.figures import figures_of

_ENDINGS = {"html": "-roc.html", "pdf-figures": "-figures"}  # of reports that are not printed
_PAGES = ("", ".html", ".htm", ".xhtml")  # endings of what a report is written to


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Parts:
    """Parts of the cases that are looked at by themselves.

    Attributes
    ----------
    fold
        Column of the fold in which each case was tested: its areas and curves are shown. A case
        without one of the scores is then left out of all.
    by
        Column of subgroups: the area of each, and what the threshold of all does in it. A case
        without one of the scores is then left out of all.
    """

    fold: str | None = None
    by: str | None = None

    @property
    def asked(self) -> dict[str, str]:
        """The columns that were asked for, by option."""
        both = {"fold": self.fold, "by": self.by}
        return {name: column for name, column in both.items() if column is not None}


PARTS = Parts()


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class OfClasses:
    """What there is to say of more than two classes.

    Attributes
    ----------
    cost_matrix
        A csv or json file of costs, as for rocspace choose; the report then has the decisions that
        cost least.
    explored
        Classifier whose curves stand first in the page; by default the one with the largest area.
    order
        Labels of ordered classes with commas between, the one with the smallest scores first.
    """

    cost_matrix: str | None = None
    explored: str | None = None
    order: str | None = None

    @property
    def asked(self) -> dict[str, str]:
        """What was given that says nothing of two classes, nor of ordered ones."""
        both = {"cost-matrix": self.cost_matrix, "explored": self.explored}
        return {name: value for name, value in both.items() if value is not None}


OF_CLASSES = OfClasses()


def report(
    file: Files,
    /,
    *,
    title: str | None = None,
    level: float = 0.95,
    n_sim: Whole = 0,
    of_classes: OfClasses = OF_CLASSES,
    to: Literal["html", "md", "json", "pdf-figures"] = "html",
    parts: Parts = PARTS,
    choice: Choice = CHOICE,
    printing: Printing = PRINTING,
) -> None:
    """Write everything about the scores to one HTML file.

    Prints the table of areas, and on the last line the path of the report. The report needs
    no network. Several scores of the same cases are compared with each other. With --json the
    summary is printed instead, and a report written only where --output says so.

    Of more than two classes, with a column of scores for each (p_a, p_b, p_c for a, b, c), it shows
    the areas of all classes and of each pair, decisions, and a threshold for each class.

    With --order the classes have an order, in which each score should rise: it shows the volume
    under the ROC surface of each score, pairs of classes, the best cuts, and of three classes the
    surface.

    Parameters
    ----------
    file
        The file to read; several files, a folder or a pattern count as one.
    title
        Title of the report.
    level
        Confidence level of all intervals.
    n_sim
        Samples of each smooth curve for its test of fit, such as 200; 0 for no test. It takes a few
        seconds for each score.
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
    rocspace report tumours.csv --label grade --score size --order none,mild,bad
    rocspace report scores.csv --to md > tables.md
    rocspace report scores.csv --json | jq '.scores[].auc.value'
    """
    check_level(level)
    check_least("--n-sim", n_sim, 0)
    output = _checked_output(file, to, printing)
    how: dict[str, Any] = {"output": output, "title": title, "level": level, "to": to}
    order = of_classes.order
    if order is not None:
        _refuse_with_order({**parts.asked, **of_classes.asked}, n_sim)
        in_order = read_ordered(file, choice, printing, order)
        report_ordered(in_order, printing, lower=choice.lower_is_positive, **how)
        return
    try:
        found = read_for_report(file, choice, printing, parts)
    except SeveralLabelsError as several:
        if parts.asked or n_sim:
            asked = next(iter(parts.asked), "n-sim")
            msg = f"--{asked} is for two classes. Leave it out, or name one class with --positive."
            raise ValueError(msg) from several
        classes = read_classes(file, choice, printing, several)
        how |= {"cost_matrix": of_classes.cost_matrix, "explored": of_classes.explored}
        report_classes(classes, printing, **how)
        return
    for name in of_classes.asked:
        msg = f"--{name} is for more than two classes; of two the report has sliders."
        raise ValueError(msg)
    _report_two(found, printing, n_sim=n_sim, **how)


def _checked_output(file: Files, to: str, printing: Printing) -> str | None:
    """Return where the report goes; raise, before any work, if it cannot go there."""
    output, ending = printing.output, _ENDINGS.get(to)
    if output is None and not printing.as_json and ending is not None:
        output = f"{stem(file)}{ending}"
    if to != "pdf-figures":
        check_output(output, file)
    if to == "html" and output is not None and Path(output).suffix.lower() not in _PAGES:
        msg = (
            f"--output {output!r} is not the name of a page. Name it .html, or say --to "
            "pdf-figures for figures."
        )
        raise ValueError(msg)
    return output


def _report_two(
    found: ReportCases,
    printing: Printing,
    *,
    n_sim: int,
    output: str | None,
    title: str | None,
    level: float,
    to: str,
) -> None:
    """Write the report on two classes."""
    with Elapsed("working out the numbers", show=printing.progress):
        from rocspace.report import More, summarise

        more = More(fold=found.fold, group=found.group, n_sim=n_sim, progress=False)
        summary = summarise(
            found.tables, data=found.data, more=more, source=found.source, level=level
        )
    if to == "pdf-figures" and output is not None:
        write_all(figures_of(found, summary), output)
    elif to == "md":
        write(paper_tables(found, level, title=title) + "\n", output)
    elif to == "json":
        write(printing.in_json(summary), output)
    elif output is not None:
        from rocspace.report import render_html

        write(render_html(summary, title=title), output)
    if printing.as_json:
        write(printing.in_json(summary))
    elif output != "-" and to in _ENDINGS:
        write(areas_text(summary))
        note_warnings(summary, printing)
        write(f"\n{printable(output)}\n")


def _refuse_with_order(asked: Mapping[str, str], n_sim: int) -> None:
    """Raise for options that say nothing of classes that have an order."""
    given = {**asked, "n-sim": n_sim or None}
    for name, value in given.items():
        if value is not None:
            msg = f"--{name} has nothing to say of ordered classes. Leave it out, or --order."
            raise ValueError(msg)


def stem(file: Files) -> str:
    """Give the file name without its endings, that of the first one of several."""
    if file[0] == STDIN:
        return "stdin"
    name = Path(file[0]).absolute().name
    for ending in (".gz", ".zst", ".bz2", ".lz4"):
        name = name.removesuffix(ending)
    return Path(name).stem or "rocspace"


def read_for_report(file: Files, choice: Choice, printing: Printing, parts: Parts) -> ReportCases:
    """Read a file once: as cases if all of them have all scores, else only as tables."""
    asked = parts.asked
    if asked:
        found = read_cases(file, choice, printing, beside=list(dict.fromkeys(asked.values())))
        return ReportCases(
            tables=found.tables,
            source=found.source | asked,
            data=found.data,
            fold=found.beside[asked["fold"]] if "fold" in asked else None,
            group=found.beside[asked["by"]] if "by" in asked else None,
        )
    kept: list[TablesAndCases] = []
    tables = read_by(partial(_keep, kept), file, choice, printing)
    if kept[0].why:
        printing.note(f"scores are not compared: {kept[0].why}")
    return ReportCases(tables=tables.tables, source=tables.source, data=kept[0].data)


def _keep(
    kept: list[TablesAndCases],
    path: list[str],
    *,
    higher_is_positive: Mapping[str, bool],
    weight: str | None = None,
    **columns: Any,
) -> FileTables:
    """Tabulate a file, and keep its cases beside."""
    cases = FileCases(path, weight=weight, **columns)
    kept[:] = [tabulate_and_keep(cases, higher_is_positive=higher_is_positive)]
    return kept[0].found
