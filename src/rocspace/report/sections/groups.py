"""Subgroups: the area of each, and what one threshold for all does in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from rocspace._base import text as words
from rocspace._base.arrays import Array
from rocspace._base.text import number
from rocspace.averaging.folds import fold_tables
from rocspace.counts.paired import PairedScores
from rocspace.counts.table import ScoreTable
from rocspace.inference.area import delong
from rocspace.inference.rates import point_interval
from rocspace.measures import rates as measures
from rocspace.operating.points import optimal_points, point_at
from rocspace.report.drawing import by_rank, drawn_interval, ranked, score_style, whisker_axis
from rocspace.report.explained import Entry, Shell, entries
from rocspace.report.plain import plain, plain_estimate, plain_fields
from rocspace.report.section import Score, Section, Summary, View, Work
from rocspace.report.sections.thresholds import Share

MOST = 100
_RATES: tuple[Share, ...] = ("tpr", "tnr", "ppv", "npv")

# --- numbers ----------------------------------------------------------------------------------


def _of_score(score: Score, table: ScoreTable, work: Work) -> View:
    data, group = work.data, None if work.more is None else work.more.group
    if data is None or group is None or score["error"] is not None:
        return {}
    return {"groups": described_groups(data, score["name"], table, group, work.level)}


def group_tables(data: PairedScores, name: str, group: Array) -> dict[str, ScoreTable]:
    """Return the table of one score in each group of cases."""
    tables = fold_tables(
        data.label,
        data.score[:, data.names.index(name)],
        group,
        sample_weight=data.weight,
        higher_is_positive=data.rises(name),
    )
    if len(tables) > MOST:
        msg = f"There are {len(tables):,} groups, and a report shows at most {MOST}. Join some."
        raise ValueError(msg)
    return {str(name): table for name, table in tables.items()}


def described_groups(
    data: PairedScores, name: str, table: ScoreTable, group: Array, level: float
) -> list[dict[str, Any]]:
    """Describe each group, with the rates of the best threshold of all cases, whose table it is."""
    threshold, tables = optimal_points(table)[0].threshold, group_tables(data, name, group)
    return [_described(name, each, threshold, level) for name, each in tables.items()]


def _described(name: str, table: ScoreTable, threshold: float, level: float) -> dict[str, Any]:
    """Describe the cases of one group; without an area where a class is missing."""
    point, both = point_at(table, threshold), bool(table.n_pos and table.n_neg)
    found: dict[str, Any] = {
        "name": name,
        **plain_fields(table, "n_pos", "n_neg"),
        "auc": plain_estimate(delong(table), level) if both else None,
    }
    for rate in _RATES:
        ends = point_interval(point, rate, level=level)
        with np.errstate(divide="ignore", invalid="ignore"):
            value = plain(getattr(measures, rate)(point))
        found[rate] = {"value": value, **plain_fields(ends, "low", "high", "method")}
    return found


# --- what is shown ----------------------------------------------------------------------------


def _view(summary: Summary) -> View | None:
    scores = [score for score in ranked(summary) if score.get("groups")]
    if not scores:
        return None
    ranks = by_rank(summary)
    areas = [group["auc"] for score in scores for group in score["groups"] if group["auc"]]
    ends = [number(area["interval"][end]) for area in areas for end in ("low", "high")]
    axis, x = whisker_axis(ends or [0.0, 1.0], 0.0, smallest=-3)
    return {
        **axis,
        "by": summary["source"].get("by") or "group",
        "half": x(0.5) if axis["low"] <= 0.5 <= axis["high"] else None,
        "scores": [
            {
                "name": score["name"],
                "style": score_style(ranks[score["name"]]),
                "sign": "≤" if score["direction"] == "lower" else "≥",
                "threshold": _threshold(score),
                "rows": [_row(group, x) for group in score["groups"]],
            }
            for score in scores
        ],
    }


def _threshold(score: Score) -> str:
    point = next(p for p in score["operating_points"] if p["kind"] == "youden")
    return str(point["threshold_text"])


def _row(group: Mapping[str, Any], x: Any) -> View:
    drawn = {"value": words.NOTHING, "interval": ""}
    drawn = drawn if group["auc"] is None else drawn_interval(group["auc"], x)
    return {"group": group, "rates": [group[rate] for rate in _RATES], **drawn}


# --- how it was made --------------------------------------------------------------------------

_HOW = """
groups: Subgroups
  The area of the cases of each group, and what the threshold with the largest Youden index of all
  cases does among them, each with its interval by itself. Groups differ by chance, the more so the
  smaller they are.
  Source: DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44:837-845
  Python: rs.delong(rs.fold_tables({label}, {score}, {group})[{name!r}])
  Shell: rocspace report {columns}{at_level}{by} --json
"""


def _methods(summary: Summary, shell: Shell) -> Iterator[Entry]:
    scores = [score for score in summary["scores"] if score.get("groups")]
    if not scores:
        return iter(())
    source, first = summary["source"], scores[0]
    column = source.get("by")
    return entries(
        _HOW,
        shell,
        label=f"data[{source['label']!r}]" if "label" in source else "y_true",
        score=f"data[{first['name']!r}]" if "label" in source else "y_score",
        group="group" if column is None else f"data[{column!r}]",
        name=first["groups"][0]["name"],
    )


SECTION = Section("groups", _view, "Subgroups", of_score=_of_score, methods=_methods)
