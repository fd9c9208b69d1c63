"""What a worker does with a file: look at it, make its report, its figures, a comparison.

Each function takes and returns what JSON can express, and is called in a process of its own, which
`rocspace.web.workers` ends when its time is over.
"""

from __future__ import annotations

import io
import json
import warnings
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

from rocspace import datasets
from rocspace._base import text as words
from rocspace._base.errors import Argument, ArgumentError, Caller, Part, spelled
from rocspace.counts.paired import PairedScores
from rocspace.counts.table import ScoreTable
from rocspace.io.cases import FileCases, Reading, SeveralLabelsError
from rocspace.io.files import Column, read_batches, scan_columns
from rocspace.io.kept import keep_cases, pair_file, tabulate_and_keep
from rocspace.io.text import BadValueError, is_float
from rocspace.multiclass.cases import MulticlassScores, OrderedScores
from rocspace.multiclass.files import ByClass
from rocspace.report.cases import ReportCases, class_tables, ordered_tables, paper_tables
from rocspace.report.figures import class_figures, figures_of, ordered_figures
from rocspace.report.plain import plain_comparison, plain_copy, plain_estimate
from rocspace.web.choices import Choice, RequestError, choice_of
from rocspace.web.classes import (
    columns_by_label,
    compare_files,
    make_class_report,
    make_ordered_report,
    order_shown,
    read_classes,
    read_order,
)
from rocspace.web.guesses import guess, guess_positive
from rocspace.web.lines import class_comparison_lines, comparison_lines, report_lines
from rocspace.web.problems import Fix, Problem
from rocspace.web.said import Answer, clustered_table, keep_report, of_area

_PICTURES = ("pdf", "svg", "png")
EXAMPLES = {
    "wdbc": ("mean_texture", "worst_concave_points"),
    "hanley_mcneil": None,
    "two_class_example": None,
    "adult_scores": None,
    "vehicle_scores": None,
}
"""Bundled data sets that the page offers, with the scores that are ticked at first."""


# --- the jobs -----------------------------------------------------------------------------------


def look(path: str, *, name: str, example: str | None = None) -> Answer:
    """Describe the columns of a file, and guess what they are for."""
    found = [_with_reason(path, each) for each in scan_columns(path)]
    by_label = columns_by_label(path, found)
    guessed = guess(found, by_label)
    if example is not None:
        known = datasets.load(example)
        if known.label not in by_label:
            guessed.label, guessed.positive = known.label, str(known.positive)
            guessed.scores = list(EXAMPLES[example] or known.scores)
        told = dict.fromkeys(("label", "positive", "scores"), "Known of this example.")
        guessed.why |= told if known.label not in by_label else {"label": told["label"]}
    return {
        "name": name,
        "rows": found[0].n if found else 0,
        "columns": [_plain_column(each, by_label.get(each.name, {})) for each in found],
        "guess": asdict(guessed),
    }


def _with_reason(path: str, column: Column) -> Column:
    """Say of a text that is nearly a column of numbers which value is not a number."""
    if column.kind != "text" or column.note or not any(map(is_float, column.examples)):
        return column
    try:
        next(read_batches(path, [column.name], kinds={column.name: "number"}))
    except BadValueError as error:
        return replace(column, note=error.what)
    except (ValueError, StopIteration):
        pass
    return column


def _plain_column(column: Column, by_class: ByClass) -> Answer:
    positive, why = guess_positive(column)
    ends = [column.minimum, column.maximum]
    span = "" if None in ends else " to ".join(words.brief(end) for end in ends)
    more: Answer = {"span": span, "positive": positive, "why_positive": why, "classes": by_class}
    more["order"] = order_shown(column)
    return dict(plain_copy({**asdict(column), **more}))


def make_report(
    path: str, *, name: str, choice: Mapping[str, Any], folder: str, **how: Any
) -> Answer:
    """Write the page and the numbers of a file into a folder, and say how they were made."""
    from rocspace.report import More, summarise

    chosen = choice_of(choice)
    example = how.get("example") is not None
    if chosen.order:
        return make_ordered_report(path, name=name, choice=chosen, folder=folder, **how)
    try:
        found, why = _read(path, chosen, name)
    except SeveralLabelsError:
        return make_class_report(path, name=name, choice=chosen, folder=folder, **how)
    more = More(group=found.group, progress=False)
    summary = summarise(
        found.tables, data=found.data, more=more, source=found.source, level=chosen.level
    )
    keep_report(summary, folder, str(how.get("title") or name))
    notes = [f"The scores are not compared: {why}."] if why else []
    clusters = None if chosen.cluster is None else _clustered(path, chosen)
    return {
        "notes": notes,
        "fixes": [asdict(fix) for fix in _turned(summary, chosen)],
        "outcomes": [asdict(each) for each in _outcomes(summary, chosen)],
        "scores": [_brief(score, chosen.level) for score in summary["scores"]],
        "clusters": clusters,
        "lines": report_lines(name, chosen, example=example, paired=found.data is not None),
    }


def make_files(
    path: str, *, name: str, choice: Mapping[str, Any], folder: str, **how: Any
) -> Answer:
    """Write the figures or tables of a report into a zip file in its folder."""
    chosen, kind = choice_of(choice), str(how["kind"])
    if kind not in (*_PICTURES, "tables"):
        raise RequestError(kind)
    figures, tables = _drawn_and_told(path, chosen, name, folder)
    parts: Mapping[str, str | bytes] = (
        tables(chosen.level)
        if kind == "tables"
        else {f"{name}.{kind}": picture for name, picture in _pictures(figures, kind)}
    )
    target = Path(folder) / f"{kind}.zip"
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for each, content in parts.items():
            archive.writestr(each, content)
    return {"file": target.name}


def _drawn_and_told(path: str, chosen: Choice, name: str, folder: str) -> tuple[Any, Any]:
    """Return the figures of a report, and what makes its tables."""
    if chosen.order:
        data = read_order(path, chosen, name).data
        return ordered_figures(data, chosen.level), partial(_ordered_tables, data)
    try:
        found, _ = _read(path, chosen, name)
    except SeveralLabelsError:
        several = read_classes(path, chosen, name).data
        return class_figures(several, chosen.level), partial(_class_tables, several)
    summary = json.loads((Path(folder) / "summary.json").read_text(encoding="utf-8"))
    return figures_of(found, summary), partial(_tables, found)


def compare(sides: Sequence[Mapping[str, Any]], *, level: float = 0.95) -> Answer:
    """Compare the areas of a score in two files, or in two groups: independent samples.

    Of several classes the mean area of all pairs, or the volume of classes in an order.
    """
    read = {str(side["title"]): (side, choice_of(side["choice"])) for side in sides}
    told = {
        title: (side["name"], chosen, side.get("example") is not None)
        for title, (side, chosen) in read.items()
    }
    if any(chosen.order for _, chosen in read.values()):
        compared, cases = _compared_classes(read)
    else:
        try:
            compared, cases = _compared(read)
        except SeveralLabelsError:
            compared, cases = _compared_classes(read)
    return _said_of_pair(plain_comparison(compared, level), cases, told, level)


def _compared(read: Mapping[str, tuple[Mapping[str, Any], Choice]]) -> tuple[Any, list[Answer]]:
    """Compare a score of two classes in two files; also return how many cases each has."""
    from rocspace.compare.areas import compare_aucs

    tables: dict[str, ScoreTable] = {}
    for title, (side, chosen) in read.items():
        found, _ = _read(side["path"], replace(chosen, by=None), side["name"])
        tables[title] = found.tables[chosen.scores[0]]
    cases = [
        {"n_pos": words.count(each.n_pos), "n_neg": words.count(each.n_neg)}
        for each in tables.values()
    ]
    return compare_aucs(tables), cases


def _compared_classes(
    read: Mapping[str, tuple[Mapping[str, Any], Choice]],
) -> tuple[Any, list[Answer]]:
    paths = {title: (side["path"], side["name"], one) for title, (side, one) in read.items()}
    compared, sizes = compare_files(paths)
    return compared, [{"cases": words.count(n)} for n in sizes]


def _said_of_pair(
    compared: Mapping[str, Any],
    cases: Sequence[Answer],
    told: Mapping[str, tuple[str, Choice, bool]],
    level: float,
) -> Answer:
    """Say what a comparison of two samples found."""
    measure = _measure(told)
    (pair,) = compared["pairs"]
    ends = pair["interval"]
    value, between = words.estimate(pair["value"], ends["low"], ends["high"])
    return {
        "comparison": compared,
        "scores": [
            {**of_area(each["name"], each["auc"]), **n}
            for each, n in zip(compared["scores"], cases, strict=True)
        ],
        "difference": {
            "name": words.difference_name(pair["first"], pair["second"]),
            "value": value,
            "interval": between,
            "level": words.level_text(level),
            "pvalue": words.pvalue(pair["test"]["pvalue"]),
        },
        "measure": measure,
        "verdict": " ".join((_verdict(pair, level, measure), *_of_rows(told))),
        "lines": _lines_of(told, level),
    }


def _measure(told: Mapping[str, tuple[str, Choice, bool]]) -> str:
    """Name what is compared."""
    if any(each.order for _, each, _ in told.values()):
        return "volume under the surface"
    several = any(each.positive is None for _, each, _ in told.values())
    return "mean area of all pairs" if several else "area"


def _of_rows(told: Mapping[str, tuple[str, Choice, bool]]) -> list[str]:
    """Say where rows that belong together were taken as cases of their own."""
    together = any(each.cluster for _, each, _ in told.values())
    said = "Each row counts as a case of its own here, although rows belong together."
    return [said] if together and _measure(told) == "area" else []


def _lines_of(told: Mapping[str, tuple[str, Choice, bool]], level: float) -> Answer:
    lines = comparison_lines if _measure(told) == "area" else class_comparison_lines
    return lines(told, level)


JOBS: dict[str, Callable[..., Answer]] = {
    "look": look,
    "report": make_report,
    "files": make_files,
    "compare": compare,
}


# --- their parts --------------------------------------------------------------------------------


def _read(path: str, chosen: Choice, name: str) -> tuple[ReportCases, str]:
    beside = None if chosen.by is None else (chosen.by,)
    cases = FileCases(path, reading=Reading(), beside=beside, **chosen.columns)
    if chosen.by is not None:
        kept = keep_cases(cases, higher_is_positive=chosen.higher)
        source = {**kept.source, "file": name, "by": chosen.by}
        group = kept.beside[chosen.by]
        return ReportCases(tables=kept.tables, source=source, data=kept.data, group=group), ""
    read = tabulate_and_keep(cases, higher_is_positive=chosen.higher)
    source = {**read.found.source, "file": name}
    return ReportCases(tables=read.found.tables, source=source, data=read.data), read.why


def _clustered(path: str, chosen: Choice) -> Answer:
    """Return the areas with intervals that allow for clusters, and the differences of scores."""
    from rocspace.compare.areas import compare_aucs
    from rocspace.inference.clustered import clustered_auc_estimate

    cases: PairedScores = pair_file(
        path, cluster=chosen.cluster, higher_is_positive=chosen.higher, **chosen.columns
    )
    if len(cases.names) > 1:
        described = plain_comparison(compare_aucs(cases), chosen.level)
        areas = {each["name"]: each["auc"] for each in described["scores"]}
        pairs = described["pairs"]
    else:
        found = clustered_auc_estimate(cases)
        areas, pairs = {cases.names[0]: plain_estimate(found, chosen.level)}, []
    return clustered_table(areas, pairs, chosen)


def _brief(score: Mapping[str, Any], level: float) -> Answer:
    if score["error"] is not None:
        return {"name": score["name"], "error": score["error"]}
    return {**of_area(score["name"], score["auc"]), "level": words.level_text(level)}


def _turned(summary: Mapping[str, Any], chosen: Choice) -> list[Fix]:
    """Offer the other direction of each score whose area is below one half."""
    below = [w["score"] for w in summary["warnings"] if w["code"] == "below_chance"]
    fixes = []
    for name in below:
        lower = [each for each in chosen.lower if each != name]
        which = "Higher" if name in chosen.lower else "Lower"
        change = {"lower": lower if which == "Higher" else [*lower, name]}
        fixes.append(Fix(words=f"{which} values of “{name}” mean positive", change=change))
    return fixes


_LEAKS = {"score_is_label", "perfect_separation"}


def _outcomes(summary: Mapping[str, Any], chosen: Choice) -> Iterator[Problem]:
    """Ask about each score that tells the classes apart without an error."""
    for name in dict.fromkeys(w["score"] for w in summary["warnings"] if w["code"] in _LEAKS):
        said = f"“{name}” tells the classes apart without an error. It may be the outcome itself."
        rest = [each for each in chosen.scores if each != name]
        fixes = (Fix(words="Leave it out", change={"scores": rest}),) if rest else ()
        yield Problem(field="scores", message=said, fixes=fixes)


def _verdict(pair: Mapping[str, Any], level: float, measure: str) -> str:
    low, high = pair["interval"]["low"], pair["interval"]["high"]
    between = f"{pair['first']} and {pair['second']}"
    if low <= 0 <= high:
        return (
            f"These cases do not show a difference between {between}: the "
            f"{words.level_text(level)} interval of the difference contains zero. "
            "That does not prove that there is none."
        )
    larger, other = (pair["first"], pair["second"]) if low > 0 else (pair["second"], pair["first"])
    return (
        f"The {measure} is larger in {larger} than in {other}: the interval does not contain zero."
    )


def _pictures(figures: Iterable[tuple[str, Any]], kind: Any) -> list[tuple[str, bytes]]:
    from rocspace.plot.files import drawn

    return [(name, drawn(draw, kind, size="single")) for name, draw in figures]


def _tables(found: ReportCases, level: float) -> dict[str, str]:
    """Return the tables of a paper: as text, and the areas for LaTeX and spreadsheets."""
    from rocspace import report
    from rocspace.compare.areas import compare_aucs

    if found.data is not None and len(found.data.names) > 1:
        table = report.comparison_table(compare_aucs(found.data), level=level)
    else:
        table = report.areas_table(found.tables, level=level)
    return {"tables.md": paper_tables(found, level) + "\n", **_of_table(table)}


def _class_tables(data: MulticlassScores, level: float) -> dict[str, str]:
    from rocspace import report

    table = report.classes_table(data, level=level)
    return {"tables.md": class_tables(data, level) + "\n", **_of_table(table)}


def _ordered_tables(data: OrderedScores, level: float) -> dict[str, str]:
    from rocspace import report

    table = report.ordered_table(data, level=level)
    return {"tables.md": ordered_tables(data, level) + "\n", **_of_table(table)}


def _of_table(table: Any) -> dict[str, str]:
    from rocspace import report

    return {
        "areas.tex": report.to_latex(table) + "\n",
        "areas.html": report.to_html(table) + "\n",
        "areas.csv": _csv(table),
    }


def _csv(table: Any) -> str:
    """Return a table of a paper as csv; what a spreadsheet would run as a formula is text."""
    import csv

    kept = io.StringIO()
    writer = csv.writer(kept, lineterminator="\r\n")
    for part in table.parts:
        writer.writerows([[_cell(each) for each in row] for row in (part.header, *part.rows)])
    return kept.getvalue()


def _cell(text: str) -> str:
    risky = text[:1] in ("=", "+", "@", "\t", "\r") or (text[:1] == "-" and not text[1:2].isdigit())
    return f"'{text}" if risky else text


# --- what went wrong ----------------------------------------------------------------------------


def answer(job: Mapping[str, Any]) -> Answer:
    """Do a job; what went wrong is an answer too, in sentences for people who look at the page."""
    arguments = dict(job["arguments"])
    paths = {str(arguments.get("path") or ""): arguments.get("name") or ""}
    paths |= {str(each["path"]): each["name"] for each in arguments.get("sides", [])}
    try:
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always", UserWarning)
            done = JOBS[job["do"]](**arguments)
    except MemoryError:
        said = (
            "This needs more memory than the page may use. Choose fewer scores, or use the command "
            "line, which reads files of any size."
        )
        return {"problems": [asdict(Problem(field="file", message=said))]}
    except (ValueError, OSError, ModuleNotFoundError) as error:
        said = _told(spelled(error, _on_page), paths)
        return {"problems": [asdict(Problem(field="file", message=said, fixes=_fixes(error)))]}
    except Exception as error:
        said = _told(f"{type(error).__name__}: {error}. This is a fault of rocspace.", paths)
        return {"problems": [asdict(Problem(field="fault", message=said))]}
    notes = dict.fromkeys(_told(str(each.message), paths) for each in warned)
    return {**done, "notes": [*done.get("notes", []), *notes]}


_FIELDS = {
    "pos_label": "“Positive value”",
    "y_true": "“Label”",
    "label": "“Label”",
    "score": "“Scores”",
    "weight": "“Weight”",
    "sample_weight": "“Weight”",
    "cluster": "“Belong together”",
    "missing": "“Leave out rows with missing values”",
    "order": "“Order of the classes”",
    "higher_is_positive": "“Direction”",
    "level": "“Level of intervals”",
}


def _on_page(part: Part) -> str:
    """Spell a part of a message for those who look at the page."""
    if isinstance(part, Argument):
        named = _FIELDS.get(part.name, f"“{part.name.replace('_', ' ')}”")
        return named if part.value is None or part.name == "missing" else f"{named}: {part.value}"
    return "This" if isinstance(part, Caller) else ""


def _told(message: str, paths: Mapping[str, str]) -> str:
    for path, name in paths.items():
        if path:
            message = message.replace(path, name).replace(f"{Path(path).parent}", "the folder")
    return message.replace(" with “", " under “").strip() or "It could not be read."


def _fixes(error: BaseException) -> tuple[Fix, ...]:
    said = error.args if isinstance(error, ArgumentError) else ()
    parts = [each for each in said if isinstance(each, Argument)]
    omit = any(each.name == "missing" and each.value == "omit" for each in parts)
    words = "Leave out rows with missing values"
    return (Fix(words=words, change={"missing": "omit"}),) if omit else ()
