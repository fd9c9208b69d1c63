"""rocspace at: what thresholds do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rocspace._base.checks import check_fraction
from rocspace._base.text import in_ascii
from rocspace.cli.console import cell, interval_title, printable, table_text
from rocspace.cli.options import CHOICE, PRINTING, Choice, Files, Flag, Numbers, Printing
from rocspace.cli.reading import read
from rocspace.cli.tables import confusion_text, rate_rows
from rocspace.counts.table import ScoreTable
from rocspace.operating.points import optimal_points, point_at, point_at_fpr, point_at_tpr
from rocspace.report.sections.thresholds import MAX_TIED, described_point
from rocspace.report.summary import facts_of
from rocspace.results.point import OperatingPoint

_MEASURES = {
    "accuracy": "accuracy",
    "balanced_accuracy": "balanced accuracy",
    "f_score": "F1",
    "informedness": "informedness  tpr - fpr",
    "matthews": "Matthews correlation",
    "predicted_positive_rate": "called positive",
}


def at(
    file: Files,
    /,
    *,
    threshold: Numbers = None,
    fpr: Numbers = None,
    tpr: Numbers = None,
    youden: Flag = False,
    level: float = 0.95,
    choice: Choice = CHOICE,
    printing: Printing = PRINTING,
) -> None:
    """Print the confusion matrix and rates with intervals at given thresholds.

    A case is called positive if its score is at least the threshold (at most, with
    --lower-is-positive). Each of these options can be repeated.

    Parameters
    ----------
    file
        The file to read, or several, whose cases count together.
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

    Examples
    --------
    rocspace at adult_scores --threshold 0.5
    rocspace at scores.csv --label y --threshold 0.3 --threshold 0.6 --youden
    rocspace at scores.csv --label y --fpr 0.01 --json
    """
    if not (threshold or fpr or tpr or youden):
        msg = "Which threshold? Give --threshold, --fpr, --tpr or --youden."
        raise ValueError(msg)
    for name, rates in (("--fpr", fpr), ("--tpr", tpr)):
        check_fraction(name, rates or [])
    printing.check(file, level=level)
    found = read(file, choice, printing)
    wanted = {"threshold": threshold or [], "fpr": fpr or [], "tpr": tpr or [], "youden": youden}
    described: dict[str, Any] = {
        "schema": "rocspace.points/1",
        "source": found.source,
        "settings": {"level": level},
        "scores": [
            {
                "name": name,
                **facts_of(table),
                "operating_points": [
                    described_point(point, kind, target, tied, level)
                    for kind, target, tied, point in _points(table, wanted)
                ],
            }
            for name, table in found.tables.items()
        ],
    }
    printing.answer(described, lambda: _points_text(described))


def _points(
    table: ScoreTable, wanted: Mapping[str, Any]
) -> Iterator[tuple[str, float | None, int, OperatingPoint]]:
    ways: dict[str, Callable[[ScoreTable, float], OperatingPoint]]
    ways = {"threshold": point_at, "fpr": point_at_fpr, "tpr": point_at_tpr}
    for kind, point_of in ways.items():
        for target in wanted[kind]:
            yield kind, target, 1, point_of(table, target)
    if wanted["youden"]:
        best = optimal_points(table, criterion="youden")
        for point in best[:MAX_TIED]:
            yield "youden", None, len(best), point


def _points_text(described: dict[str, Any]) -> str:
    """Lay out each point: its confusion matrix, then its measures."""
    header = ("measure", "value", interval_title(described["settings"]["level"]))
    points = [(score, each) for score in described["scores"] for each in score["operating_points"]]
    blocks = []
    for score, point in points:
        rows = [*rate_rows(point["rates"])]
        rows += [(_MEASURES[name], cell(value), "") for name, value in point["measures"].items()]
        matrix = confusion_text(point, described["source"])
        blocks.append(f"{_title(score, point)}\n\n{matrix}\n{table_text(header, rows)}")
    if any(point["kind"] != "threshold" for _, point in points):
        blocks.append(
            "A threshold that was chosen on these cases looks better than it is, and its\n"
            "intervals are too short.\n"
        )
    return "\n".join(blocks)


def _title(score: Mapping[str, Any], point: Mapping[str, Any]) -> str:
    sign = ">=" if score["direction"] == "higher" else "<="
    tied = f", {point['tied']} tie" if point["tied"] > 1 else ""
    why = {"threshold": "", "youden": f" (largest tpr - fpr{tied})"}
    # A threshold that was given is shown as it was given.
    at = point["threshold" if point["kind"] == "threshold" else "threshold_text"]
    chosen = why.get(point["kind"], f" ({point['criterion']})")
    return printable(f"{score['name']} {sign} {in_ascii(str(at))}{chosen}")
