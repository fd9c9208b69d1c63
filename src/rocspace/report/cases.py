"""What a report is made from, and its tables for a paper."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from rocspace._base import text as words
from rocspace._base.arrays import Array
from rocspace.counts.paired import PairedScores
from rocspace.counts.table import ScoreTable
from rocspace.multiclass.cases import MulticlassScores, OrderedScores
from rocspace.operating.points import optimal_points
from rocspace.report.markup import markdown_text
from rocspace.report.paper.areas import comparison_table
from rocspace.report.paper.classes import classes_table, decisions_table, ordered_table
from rocspace.report.paper.flow import flow_of
from rocspace.report.paper.formats import to_markdown
from rocspace.report.paper.parts import PaperTable, interval_name, table_of
from rocspace.report.paper.points import stard_table
from rocspace.report.sections.groups import described_groups


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
    group : ndarray, optional
        The subgroup of each case.
    """

    tables: dict[str, ScoreTable]
    source: dict[str, Any]
    data: PairedScores | None = None
    fold: Array | None = None
    group: Array | None = None


def paper_tables(found: ReportCases, level: float, *, title: str | None = None) -> str:
    """Return the tables of a paper, as Markdown."""
    from rocspace.compare.areas import compare_aucs

    several = found.data is not None and len(found.data.names) > 1
    of_areas = compare_aucs(found.data) if several and found.data else found.tables
    parts = [to_markdown(of_areas, level=level)]
    for name, table in found.tables.items():
        best = optimal_points(table)[0]
        cross = stard_table(best, level=level)
        caption = f"{name} at the threshold of its largest Youden index on these very cases"
        parts.append(to_markdown(replace(cross, caption=caption)))
        if not table.is_weighted and found.source.get("dropped"):
            flow = flow_of(
                {**found.source, "dropped": _own(found, name)},
                n_pos=int(table.n_pos),
                n_neg=int(table.n_neg),
            )
            parts.append(to_markdown(flow))
    if found.data is not None and found.group is not None:
        parts.append(to_markdown(_groups_table(found, found.data, found.group, level)))
    head = [] if title is None else [f"# {markdown_text(title)}"]
    return "\n\n".join([*head, *parts])


def _groups_table(found: ReportCases, data: PairedScores, group: Array, level: float) -> PaperTable:
    """Return the area of each subgroup, and its rates at the best threshold of all cases."""
    rows = []
    for name, table in found.tables.items():
        for each in described_groups(data, name, table, group, level):
            area = each["auc"] and {"value": each["auc"]["value"], **each["auc"]["interval"]}
            cells = [_in_brackets(one) for one in (area, each["tpr"], each["tnr"])]
            positive = f"{words.count(each['n_pos'])}/{words.count(each['n_pos'] + each['n_neg'])}"
            rows.append((name, each["name"], positive, *cells))
    by = str(found.source.get("by") or "Group")
    return table_of(
        f"Subgroups by {by}",
        ("Score", by, "Positive", "AUC", "Sensitivity", "Specificity"),
        rows,
        f"{interval_name(level)} in brackets. Sensitivity and specificity are those of the "
        "threshold with the largest Youden index of all cases.",
    )


def _in_brackets(found: Mapping[str, Any] | None) -> str:
    """Return a number with its interval in brackets, or a dash where there is none."""
    if found is None or found["value"] is None:
        return words.NOTHING
    return "{} ({})".format(*words.estimate(found["value"], found["low"], found["high"]))


def class_tables(data: MulticlassScores, level: float, *, title: str | None = None) -> str:
    """Return the tables of a paper about several classes, as Markdown."""
    from rocspace.multiclass.several import compare_classifiers

    parts: list[Any] = [classes_table(data, level=level)]
    if len(data.names) > 1:
        parts.append(comparison_table(compare_classifiers(data), level=level))
    parts += [decisions_table(data, name, level=level) for name in data.names]
    head = [] if title is None else [f"# {markdown_text(title)}"]
    return "\n\n".join([*head, *map(to_markdown, parts)])


def ordered_tables(data: OrderedScores, level: float, *, title: str | None = None) -> str:
    """Return the tables of a paper about markers of ordered classes, as Markdown."""
    from rocspace.multiclass.several import compare_classifiers

    parts: list[Any] = [ordered_table(data, level=level)]
    if len(data.names) > 1:
        compared = compare_classifiers(data, measure="vus")
        parts.append(comparison_table(compared, level=level))
    head = [] if title is None else [f"# {markdown_text(title)}"]
    return "\n\n".join([*head, *map(to_markdown, parts)])


def _own(found: ReportCases, name: str) -> dict[str, int]:
    """Return the cases that are lacking from one score: of other scores only if all go together."""
    dropped = found.source["dropped"]
    if found.fold is None and found.group is None:
        others = set(found.tables) - {name}
        return {key: n for key, n in dropped.items() if key not in others}
    n = found.source["rows"] - len(found.data or ())
    known = {key: n for key, n in dropped.items() if key not in found.tables}
    rest = n - sum(known.values())
    return known | ({"score": rest} if rest else {})
