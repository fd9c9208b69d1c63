"""rocspace at: what thresholds do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rocspace._base.checks import check_fraction, check_level
from rocspace._base.text import in_ascii
from rocspace.cli.console import (
    as_json,
    check_output,
    count,
    estimate,
    interval_title,
    printable,
    ratio,
    share,
    table_text,
    write,
)
from rocspace.cli.options import CHOICE, PRINTING, Choice, Flag, Numbers, Printing
from rocspace.cli.reading import read
from rocspace.counts.table import ScoreTable
from rocspace.io.tables import FileTables
from rocspace.operating.points import optimal_points, point_at, point_at_fpr, point_at_tpr
from rocspace.report.sections.thresholds import MAX_TIED, described_point
from rocspace.report.summary import facts_of
from rocspace.results.point import OperatingPoint

_NAMES = {
    "tpr": "tpr  sensitivity, recall",
    "fpr": "fpr  false alarm rate",
    "tnr": "tnr  specificity",
    "fnr": "fnr  miss rate",
    "ppv": "ppv  precision",
    "npv": "npv",
    "lr_positive": "positive likelihood ratio",
    "lr_negative": "negative likelihood ratio",
    "diagnostic_odds_ratio": "diagnostic odds ratio",
    "accuracy": "accuracy",
    "balanced_accuracy": "balanced accuracy",
    "f_score": "F1",
    "informedness": "informedness  tpr - fpr",
    "matthews": "Matthews correlation",
    "predicted_positive_rate": "called positive",
}
_RATIOS = ("lr_positive", "lr_negative", "diagnostic_odds_ratio")


EXAMPLES = (
    "rocspace at adult_scores --threshold 0.5",
    "rocspace at scores.csv --label y --threshold 0.3 --threshold 0.6 --youden",
    "rocspace at scores.csv --label y --fpr 0.01 --json",
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
    choice: Choice = CHOICE,
    printing: Printing = PRINTING,
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
    write(as_json(points) if printing.json else points_text(points), printing.output)


def described_points(found: FileTables, wanted: Mapping[str, Any], level: float) -> dict[str, Any]:
    """Describe the points asked for, as `summarise` describes its own."""
    return {
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


def points_text(points: Mapping[str, Any]) -> str:
    """Lay out each point: its confusion matrix, then its measures."""
    level = interval_title(points["settings"]["level"])
    source = points["source"]
    blocks = []
    chosen = False
    for score in points["scores"]:
        for point in score["operating_points"]:
            chosen |= point["kind"] != "threshold"
            blocks.append(_block(score, point, source, level))
    if chosen:
        blocks.append(
            "A threshold that was chosen on these cases looks better than it is, and its\n"
            "intervals are too short.\n"
        )
    return "\n".join(blocks)


def _block(
    score: Mapping[str, Any], point: Mapping[str, Any], source: Mapping[str, Any], level: str
) -> str:
    sign = ">=" if score["direction"] == "higher" else "<="
    tied = f", {point['tied']} tie" if point["tied"] > 1 else ""
    why = {"threshold": "", "youden": f" (largest tpr - fpr{tied})"}
    chosen = why.get(point["kind"], f" ({point['criterion']})")
    # A threshold that was given is shown as it was given.
    at = point["threshold" if point["kind"] == "threshold" else "threshold_text"]
    title = printable(f"{score['name']} {sign} {in_ascii(str(at))}{chosen}")
    positive = printable(f"{source['label']} = {source['positive']}")
    tp, fp, fn, tn = (point[name] for name in ("tp", "fp", "fn", "tn"))
    matrix = table_text(
        ("", "called positive", "called negative", "all"),
        [
            (positive, count(tp), count(fn), count(score["n_pos"])),
            ("all others", count(fp), count(tn), count(score["n_neg"])),
        ],
    )
    rows = []
    for name, rate in point["rates"].items():
        show = ratio if name in _RATIOS else estimate
        rows.append((_NAMES[name], *show(rate["value"], rate["low"], rate["high"])))
    rows += [(_NAMES[name], share(value), "") for name, value in point["measures"].items()]
    return f"{title}\n\n{matrix}\n{table_text(('measure', 'value', level), rows)}"
