"""What using the scores is worth: net benefit of probabilities, gains and lift of any score."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from rocspace._base import text as words
from rocspace._base.text import number
from rocspace.costs.decision import decision_curve
from rocspace.counts.confusion import at_prevalence
from rocspace.counts.table import ScoreTable
from rocspace.curves.gains import gains_curve, gains_table
from rocspace.inference.rates import predictive_value_interval
from rocspace.measures import rates as measures
from rocspace.operating.points import optimal_points
from rocspace.report import drawing
from rocspace.report.drawing import Spec, layer, ranked, score_style
from rocspace.report.explained import Entry, Shell, entries
from rocspace.report.plain import plain, plain_fields, plain_list
from rocspace.report.section import Score, Section, Summary, View, Work
from rocspace.report.sections.calibration import not_probabilities
from rocspace.report.shapes import light_line

PREVALENCES = (0.01, 0.05, 0.1, 0.2, 0.5)
DEPTHS = (0.01, 0.05, 0.1, 0.2, 0.3, 0.5)
_AT = np.union1d(np.linspace(0, 0.99, 100), np.geomspace(0.0002, 0.1, 40).round(5))
_VALUES: tuple[Literal["ppv", "npv"], ...] = ("ppv", "npv")
_WORTH = 0.02  # of the prevalence: net benefits below it are not worth a picture

# --- numbers ----------------------------------------------------------------------------------


def _of_score(score: Score, table: ScoreTable, work: Work) -> View:
    if work.more is None or score["error"] is not None:
        return {}
    return {
        "decision": _decision(score, table),
        "gains": _gains(table),
        "predictive_values": _predictive_values(table, work.level),
    }


def _predictive_values(table: ScoreTable, level: float) -> list[dict[str, Any]]:
    """Return both predictive values of the first best point where positives are rarer or not."""
    point = optimal_points(table)[0]
    found = []
    for prevalence in PREVALENCES:
        there = at_prevalence(point, prevalence)
        each: dict[str, Any] = {"prevalence": prevalence}
        for which in _VALUES:
            value = getattr(measures, which)(there)
            ends = predictive_value_interval(point, which, prevalence=prevalence, level=level)
            each[which] = {"value": plain(value), **plain_fields(ends, "low", "high", "method")}
        found.append(each)
    return found


def _decision(score: Score, table: ScoreTable) -> dict[str, Any]:
    if error := not_probabilities(score):
        return {"error": error}
    found = decision_curve(table, _AT)
    return {"error": None, **plain_fields(found, "threshold", "net_benefit", "treat_all")}


def _gains(table: ScoreTable) -> dict[str, Any]:
    curve = gains_curve(table)
    found = gains_table(table, parts=[*DEPTHS, 1])
    line = light_line(curve.depth, curve.tpr)
    at = np.union1d(np.array([0.002, 0.005]), np.linspace(0.01, 1, 100))
    return {
        "depth": list(DEPTHS),
        "tpr": plain_list(found.tpr[:-1]),
        "lift": plain_list(found.cumulative_lift[:-1]),
        "precision": plain_list(found.cumulative_response_rate[:-1]),
        "curve": {"depth": line["fpr"], "tpr": line["tpr"]},
        "lift_curve": {"depth": plain_list(at), "lift": plain_list(np.asarray(curve.lift_at(at)))},
    }


# --- what is shown ----------------------------------------------------------------------------


def _view(summary: Summary) -> View | None:
    scores = _known(summary)
    if not scores:
        return None
    ranks = drawing.by_rank(summary)
    return {
        "net": _drawn_net(scores),
        "not": [score for score in scores if score["decision"]["error"]],
        "depths": [words.percent(depth) for depth in DEPTHS],
        "rows": [
            {
                "name": score["name"],
                "style": score_style(ranks[score["name"]]),
                "cells": _cells(score["gains"]),
                "values": score["predictive_values"],
            }
            for score in scores
        ],
    }


def _cells(gains: Any) -> list[View]:
    pairs = zip(gains["tpr"], gains["lift"], strict=True)
    # Without rounding a lift that is 1 but for the last digit would read 1.00.
    return [
        {"found": words.percent(tpr), "lift": words.general(round(number(lift), 9))}
        for tpr, lift in pairs
    ]


def _known(summary: Summary) -> list[Score]:
    return [score for score in ranked(summary) if "gains" in score]


def _drawn_net(scores: Sequence[Score]) -> list[Score]:
    return [score for score in scores if not score["decision"]["error"]]


def _charts(summary: Summary) -> dict[str, Spec]:
    scores = _known(summary)
    if not scores:
        return {}
    net, ranks = _drawn_net(scores), drawing.by_rank(summary)
    charts = {"gains": _gains_chart(scores, ranks), "lift": _lift_chart(scores, ranks)}
    return charts | ({"decision": _net_chart(net, ranks)} if net else {})


def _net_chart(scores: Sequence[Score], ranks: Mapping[str, int]) -> Spec:
    """Specify net benefit against the threshold probability, as far as anything is worth it."""
    top = max(number(score["prevalence"]) for score in scores)
    rows, reach = [], 0.02
    for score in scores:
        found = score["decision"]
        worth = [
            at
            for at, net in zip(found["threshold"], found["net_benefit"], strict=True)
            if number(net) > _WORTH * top
        ]
        reach = max([reach, *worth])
        rows.append({"name": score["name"], "x": found["threshold"], "y": found["net_benefit"]})
    first = scores[0]["decision"]
    everyone = [
        {"x": at, "y": net}
        for at, net in zip(first["threshold"], first["treat_all"], strict=True)
        if number(net) > -top
    ]
    end = min(round(reach * 1.08 + 0.005, 2), 0.99)
    x = drawing.axis("x", "Threshold probability", 0, end, tickCount=6, format=".2~f")
    scale = {"domain": [-0.18 * top, 1.06 * top], "nice": False}
    y = drawing.field("y", "y", scale=scale, title="Net benefit per case", axis={"tickCount": 5})
    faint: Spec = {"color": "var(--muted)", "strokeWidth": 1, "strokeDash": [4, 3], "clip": True}
    layers = [
        layer([{"y": 0}], "rule", {"y": y}, color="var(--rule)"),
        layer(everyone, "line", {"x": x, "y": y}, **faint),
        drawing.curves("curve", ranks, x, y),
    ]
    return drawing.chart(layers, {"curve": rows}, 440, 300)


def _gains_chart(scores: Sequence[Score], ranks: Mapping[str, int]) -> Spec:
    x = drawing.unit_axis("depth", "Share of all cases that are called")
    y = drawing.unit_axis("tpr", "Share of positives found")
    even = [{"depth": 0, "tpr": 0}, {"depth": 1, "tpr": 1}]
    rows = [{"name": score["name"], **score["gains"]["curve"]} for score in scores]
    layers = [
        layer(even, "line", {"x": x, "y": y}, color="var(--faint)", strokeWidth=1),
        drawing.curves("curve", ranks, x, y),
    ]
    return drawing.chart(layers, {"curve": rows}, 300, 300)


def _lift_chart(scores: Sequence[Score], ranks: Mapping[str, int]) -> Spec:
    top = max(number(lift) for score in scores for lift in score["gains"]["lift_curve"]["lift"])
    x = drawing.unit_axis("depth", "Share of all cases that are called")
    scale = {"domain": [0, top * 1.05], "nice": False}
    y = drawing.field("lift", "y", scale=scale, title="Lift", axis={"tickCount": 5})
    rows = [{"name": score["name"], **score["gains"]["lift_curve"]} for score in scores]
    layers = [
        layer([{"lift": 1}], "rule", {"y": y}, color="var(--faint)"),
        drawing.curves("curve", ranks, x, y),
    ]
    return drawing.chart(layers, {"curve": rows}, 300, 300)


# --- how it was made --------------------------------------------------------------------------

_NET = """
decision.net_benefit: Net benefit
  True positives minus false positives, these weighted with the odds of the threshold probability,
  per case: who calls at probability p finds one true positive worth (1 - p) / p false ones. Calling
  nobody has 0. It is read at each threshold exactly, and holds where probabilities are calibrated.
  Source: Vickers and Elkin (2006), Medical Decision Making
  Python: rs.costs.decision_curve(table)
  Shell: rocspace report {columns}{at_level} --json
"""
_VALUES_HOW = """
predictive_values: Predictive values at another prevalence
  Of the first threshold with the largest Youden index: the odds of the prevalence times a
  likelihood ratio, whose exact limits become those of the predictive value. The prevalence is taken
  as known.
  Source: Mercaldo, Lau and Zhou (2007), Statistics in Medicine 26:2170-2183; Donner and Zou (2012),
  Statistical Methods in Medical Research 21:347-359
  Python: rs.inference.predictive_value_interval(rs.optimal_points(table)[0], "ppv",
  prevalence=0.1, level={level})
  Shell: rocspace report {columns}{at_level} --json
"""
_GAINS = """
gains: Gains and lift
  If the cases with the highest scores are called, the share of all positives among them, and how
  many times as many positives they hold as cases taken at random. Inside a tie positives are
  divided in proportion.
  Source: Fawcett (2006), Pattern Recognition Letters 27:861-874, section 4.2
  Python: rs.curves.gains_table(table, parts={parts})
  Shell: rocspace report {columns}{at_level} --json
"""


def _methods(summary: Summary, shell: Shell) -> Iterator[Entry]:
    scores = _known(summary)
    if _drawn_net(scores):
        yield from entries(_NET, shell)
    if scores:
        yield from entries(_GAINS, shell, parts=[*DEPTHS, 1])
        yield from entries(_VALUES_HOW, shell)


SECTION = Section(
    "decisions", _view, "Decisions", of_score=_of_score, charts=_charts, methods=_methods
)
