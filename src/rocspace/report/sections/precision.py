"""Precision and recall of all scores."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from rocspace._base.text import number
from rocspace.counts.table import ScoreTable
from rocspace.curves.pr import (
    PrCurve,
    average_precision,
    average_precision_interval,
    break_even,
    pr_area_estimate,
    pr_curve,
)
from rocspace.report import drawing
from rocspace.report.drawing import Spec, layer, ranked, score_style
from rocspace.report.explained import Entry, Shell, entries
from rocspace.report.plain import plain, plain_estimate, plain_interval
from rocspace.report.section import Score, Section, Summary, View, Work
from rocspace.report.shapes import light_line

_GRID = 200
_WHOLE = 1000  # curves of up to so many points are drawn with what lies between two of them

# --- numbers ----------------------------------------------------------------------------------


def _of_score(score: Score, table: ScoreTable, work: Work) -> View:
    if work.more is None or score["error"] is not None:
        return {}
    limits = average_precision_interval(table, work.level)
    return {
        "precision_recall": {
            "average_precision": {
                "value": plain(average_precision(table)),
                "interval": plain_interval(limits),
            },
            "area": plain_estimate(pr_area_estimate(table), work.level),
            "break_even": plain(break_even(table)),
            "curve": _drawn_curve(pr_curve(table)),
        }
    }


def _drawn_curve(curve: PrCurve) -> dict[str, Any]:
    """Return the points to draw; between two points of a short curve it bends."""
    x, y = curve.recall, curve.precision
    if len(curve) <= _WHOLE:
        after = np.minimum(x + 1e-9, 1.0)  # where it falls at one recall
        x = np.union1d(np.concatenate([x, after]), np.linspace(0, 1, _GRID + 1))
        y = np.asarray(curve.precision_at(x))
        last = float(curve.precision[-1])
        x, y = np.append(x, 1.0), np.append(y, last)
    found = light_line(x, y)
    return {"recall": found["fpr"], "precision": found["tpr"]}


# --- what is shown ----------------------------------------------------------------------------


def _view(summary: Summary) -> View | None:
    scores = _known(summary)
    if not scores:
        return None
    ranks = drawing.by_rank(summary)
    found = [
        {"name": s["name"], "style": score_style(ranks[s["name"]]), **s["precision_recall"]}
        for s in scores
    ]
    found.sort(key=lambda each: -number(each["average_precision"]["value"]))
    chance = {score["prevalence"] for score in scores}
    return {"rows": found, "prevalence": chance.pop() if len(chance) == 1 else None}


def _known(summary: Summary) -> list[Score]:
    return [score for score in ranked(summary) if "precision_recall" in score]


def _charts(summary: Summary) -> dict[str, Spec]:
    scores = _known(summary)
    if not scores:
        return {}
    ranks = drawing.by_rank(summary)
    x = drawing.unit_axis("recall", "Recall (sensitivity)")
    y = drawing.unit_axis("precision", "Precision (positive predictive value)")
    rows = [{"name": score["name"], **score["precision_recall"]["curve"]} for score in scores]
    chance = [{"y": level} for level in sorted({score["prevalence"] for score in scores})]
    return {
        "precision-recall": drawing.chart(
            [
                layer(chance, "rule", {"y": y}, color="var(--faint)", strokeDash=[4, 3]),
                drawing.curves("curve", ranks, x, y),
            ],
            {"curve": rows},
            440,
            440,
        )
    }


# --- how it was made --------------------------------------------------------------------------

_HOW = """
precision_recall.average_precision: Average precision
  The mean, over all positives, of the precision at their score. Its value depends on the
  prevalence; a random order has the prevalence itself. The interval has the variance of both
  classes, allows for cases that were not seen, and has no limit nearer than an exact one of a
  proportion (our own).
  Source: Boyd, Eng and Page (2013), LNAI 8190:451-466
  Python: rs.average_precision(table)
  Shell: rocspace report {columns}{at_level} --json
precision_recall.area: Area under the precision-recall curve
  The exact area, in which false positives grow in proportion to true ones between two thresholds,
  so that the curve bends.
  Source: Davis and Goadrich (2006), ICML, section 4; Boyd, Eng and Page (2013), LNAI 8190:451-466
  Measured: At level 0.95 the interval covers in 95 percent or more of samples, over 337 situations.
  Python: rs.curves.pr_area_estimate(table).interval({level})
  Shell: rocspace report {columns}{at_level} --json
"""


def _methods(summary: Summary, shell: Shell) -> Iterator[Entry]:
    return entries(_HOW, shell) if _known(summary) else iter(())


SECTION = Section(
    "precision", _view, "Precision", of_score=_of_score, charts=_charts, methods=_methods
)
