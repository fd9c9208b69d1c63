"""Whether probabilities mean what they say: the calibration curve, slope and intercept, Brier."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from rocspace._base import text as words
from rocspace._base.text import number
from rocspace.calibrate.probabilities import fit_isotonic
from rocspace.calibrate.reliability import calibration_curve
from rocspace.calibrate.weak import calibration_estimates
from rocspace.costs.brier import brier_parts
from rocspace.counts.table import ScoreTable, rescored
from rocspace.report import drawing
from rocspace.report.drawing import Spec, layer, line, ranked, score_style
from rocspace.report.explained import Entry, Shell, entries
from rocspace.report.plain import plain_estimate, plain_fields, plain_list, plain_test
from rocspace.report.section import Score, Section, Summary, View, Work

_NAMES = ("slope", "intercept", "in_the_large")
_PARTS = ("score", "miscalibration", "discrimination", "uncertainty")
_GROUPS, _CASES = 10, 20  # groups at most, and cases that a group should have
_FIRST = 2  # of the curves that are shown before the reader asks for all
_FEW = 100  # of a class: below it intervals of slope and intercept leave room for gross errors
_CLIP = 1e-6  # of a probability from 0 and 1 for its log odds
_TALL = 0.16  # of the picture, of the histogram below the curve

# --- numbers ----------------------------------------------------------------------------------


def _of_score(score: Score, table: ScoreTable, work: Work) -> View:
    if work.more is None or score["error"] is not None:
        return {}
    if error := not_probabilities(score):
        return {"calibration": {"error": error}}
    bins = int(np.clip(sum(table.n_eff) / _CASES, 2, _GROUPS))
    curve, fit = calibration_curve(table, bins=bins, level=work.level), fit_isotonic(table)
    columns = ("predicted", "observed", "low", "high", "size", "pos")
    ends = np.stack([fit.low, fit.high], axis=1)[::-1].ravel().astype(np.float64)
    return {
        "calibration": {
            "error": None,
            "groups": plain_fields(curve, *columns),
            "isotonic": {
                "predicted": plain_list(ends),
                "observed": plain_list(np.repeat(fit.value[::-1], 2)),
            },
            **_weak(table, work.level),
            "brier": plain_fields(brier_parts(table), *_PARTS),
        }
    }


def _weak(table: ScoreTable, level: float) -> dict[str, Any]:
    """Return slope and intercepts with their tests, or why there are none."""
    inside, remark = _inside(table)
    try:
        found = calibration_estimates(inside)
    except ValueError as error:
        return {"remark": str(error), **dict.fromkeys((*_NAMES, "joint_test"))}
    estimates = {name: getattr(found, f"{name}_estimate") for name in _NAMES}
    return {
        "remark": remark,
        **{
            name: {**plain_estimate(each, level), "test": plain_test(each.test())}
            for name, each in estimates.items()
        },
        "joint_test": plain_test(found.joint_test),
    }


def _inside(table: ScoreTable) -> tuple[ScoreTable, str]:
    """Return probabilities that have log odds, and what was done to those of 0 or 1."""
    p = table.score.astype(np.float64)
    ends = (p <= 0) | (p >= 1)
    if not ends.any():
        return table, ""
    n = words.count(float((table.pos + table.neg)[ends].sum()))
    low, high = words.share(_CLIP, 6), words.share(1 - _CLIP, 6)
    remark = (
        f"Slope and intercept take probabilities of exactly 0 or 1, which have no log odds ({n} "
        f"cases), as {low} and {high}."
    )
    return rescored(table, p.clip(_CLIP, 1 - _CLIP)), remark


def not_probabilities(score: Score) -> str:
    """Say why a score cannot be a probability of being positive; "" if it can be one."""
    ends = [number(score[end]) for end in ("lowest", "highest")]
    if score["direction"] == "lower":
        return "lower scores are the more positive ones, so it is not a probability of a positive"
    if not 0 <= min(ends) <= max(ends) <= 1:
        said = " to ".join(words.general(end) for end in ends)
        return f"its scores run from {said}, so they are not probabilities"
    if score["distinct"] == 1:
        return "all cases have the same score"
    if score["distinct"] == 2 and ends == [0, 1]:
        return "it says only 0 or 1, which is a decision and not a probability"
    return ""


# --- what is shown ----------------------------------------------------------------------------


def _view(summary: Summary) -> View | None:
    scores = [score for score in ranked(summary) if "calibration" in score]
    if not scores:
        return None
    ranks = drawing.by_rank(summary)
    rows = [
        _row(score, ranks[score["name"]]) for score in scores if not score["calibration"]["error"]
    ]
    return {
        "first": rows[:_FIRST],
        "others": rows[_FIRST:],
        "rows": rows,
        "remarks": [row for row in rows if row["found"]["remark"]],
        "alike": len({row["found"]["remark"] for row in rows}) == 1,
        "not": [score for score in scores if score["calibration"]["error"]],
    }


def _row(score: Score, rank: int) -> View:
    found = score["calibration"]
    return {
        "name": score["name"],
        "style": score_style(rank),
        "chart": f"calibration-{rank + 1}",
        "found": found,
        "verdict": _verdict(found, min(number(score["n_pos"]), number(score["n_neg"]))),
    }


def _verdict(found: Mapping[str, Any], fewest: float) -> str:
    """Say in words what slope and intercept say, with so many cases in the smaller class."""
    if found["slope"] is None:
        return ""
    slope, large = (
        _side(found[name], ideal) for name, ideal in (("slope", 1), ("in_the_large", 0))
    )
    said = []
    if large:
        said.append("too low on average" if large > 0 else "too high on average")
    if slope:
        said.append("not extreme enough" if slope > 0 else "too extreme")
    if not said:
        wary = ", but so few cases show only gross errors" if fewest < _FEW else ""
        return f"nothing speaks against these probabilities{wary}"
    return f"probabilities are {' and '.join(said)}"


def _side(found: Mapping[str, Any], ideal: float) -> int:
    """Tell on which side of the ideal value an interval lies, 0 if it contains it."""
    ends = [number(found["interval"][end]) for end in ("low", "high")]
    return int(ends[0] > ideal) - int(ends[1] < ideal)


# --- charts -----------------------------------------------------------------------------------


def _charts(summary: Summary) -> dict[str, Spec]:
    return {
        f"calibration-{rank + 1}": calibration_chart(score, rank)
        for rank, score in enumerate(ranked(summary))
        if "calibration" in score and not score["calibration"]["error"]
    }


def calibration_chart(score: Score, rank: int) -> Spec:
    """Specify observed shares against probabilities, above the distribution of these."""
    found, colour = score["calibration"], drawing.colour(rank)
    x = drawing.unit_axis("x", "Probability that was predicted")
    y = drawing.unit_axis("y", "Share of positives", minExtent=30, maxExtent=30)
    across = {"x": x, "y": y}
    groups = drawing.line_of(found["groups"], "predicted", "observed", "low", "high", "size")
    points = [_group(*row) for row in groups]
    steps = drawing.line_of(found["isotonic"], "predicted", "observed")
    ends = {"x": x, **drawing.fields(y="low", y2="high")}
    ends["y"] = {**y, "field": "low"}
    bars = {"x": {**x, "field": "from"}, "y": y, **drawing.fields(x2="to"), "y2": {"datum": 0}}
    told = [drawing.field(name) for name in ("predicted", "observed", "cases")]
    dot: Spec = {"shape": "circle", "size": 60, "filled": True, "opacity": 1}
    layers = [
        layer("bars", "bar", bars, color="var(--grid)", binSpacing=0),
        layer(
            [{"x": 0, "y": 0}, {"x": 1, "y": 1}],
            "line",
            across,
            color="var(--faint)",
            strokeWidth=1,
        ),
        line("steps", colour, drawing.in_order(x, y)),
        layer("groups", "rule", ends, color=colour, strokeWidth=1.5),
        layer(
            "groups",
            "point",
            across | {"tooltip": told},
            stroke="var(--paper)",
            color=colour,
            **dot,
        ),
    ]
    data = {
        "bars": _bars(score["histogram"]),
        "steps": [{"x": at, "y": share, "i": i} for i, (at, share) in enumerate(steps)],
        "groups": points,
    }
    return drawing.chart(layers, data, 300, 300)


def _group(x: float, y: float, low: float, high: float, size: float) -> dict[str, Any]:
    """Return a point with its limits, and what it says when it is pointed at."""
    told = {"predicted": words.share(x), "observed": words.share(y), "cases": words.count(size)}
    return {"x": x, "y": y, "low": low, "high": high, **told}


def _bars(histogram: Mapping[str, Any] | None) -> list[dict[str, float]]:
    """Return the distribution of all cases, as high as the foot of a picture."""
    if histogram is None:
        return []
    both = zip(histogram["pos"], histogram["neg"], strict=True)
    n = [number(pos) + number(neg) for pos, neg in both]
    edges: Sequence[float] = [min(max(edge, 0.0), 1.0) for edge in histogram["edges"]]
    top = max(n) or 1
    rows = zip(edges, edges[1:], n, strict=False)
    return [{"from": a, "to": b, "y": round(_TALL * size / top, 5)} for a, b, size in rows]


# --- how it was made --------------------------------------------------------------------------

_HOW = """
calibration.groups: Calibration curve
  Line: isotonic regression, the rising step function that is nearest to the labels. Points: shares
  of positives in up to ten groups of equally many cases against their mean probability, with exact
  limits of each share. {level_of_limits}
  Source: Dimitriadis, Gneiting and Jordan (2021), PNAS 118:e2016191118; Clopper and Pearson (1934),
  Biometrika 26:404-413
  Python: rs.calibrate.calibration_curve(table, bins={bins}{at}), rs.calibrate.fit_isotonic(table)
  Shell: rocspace report {columns}{at_level} --json
"""
_WEAK = """
calibration.slope: Calibration slope and intercept
  A logistic curve of the predicted log odds: slope 1 and intercept 0 are perfect, a slope below 1
  says that probabilities are too extreme. Calibration-in-the-large is the intercept if the slope
  is 1: above 0 where probabilities are too low. Intervals and tests from Firth's penalised profile
  likelihood.
  Source: Cox (1958), Biometrika 45:562-565; Van Calster et al. (2016), Journal of Clinical
  Epidemiology 74:167-176; Heinze and Schemper (2002), Statistics in Medicine 21:2409-2419
  Measured: At level 0.95 the intervals cover in 93.4 percent or more of samples, over 36 situations
  from 20 + 20 to 50 + 50 cases.
  Python: rs.calibrate.calibration_estimates(table)
  Shell: rocspace report {columns}{at_level} --json
"""
_BRIER = """
calibration.brier: Brier score and its parts
  The mean squared difference of probability and label: miscalibration minus discrimination plus
  uncertainty, by isotonic regression. Miscalibration is what calibration could save; uncertainty is
  the score of giving every case the prevalence.
  Source: Dimitriadis, Gneiting and Jordan (2021), PNAS 118:e2016191118
  Python: rs.costs.brier_parts(table)
  Shell: rocspace report {columns}{at_level} --json
"""


def _methods(summary: Summary, shell: Shell) -> Iterator[Entry]:
    known = [score["calibration"] for score in summary["scores"] if score.get("calibration")]
    known = [each for each in known if each["error"] is None]
    if not known:
        return
    level = summary["settings"]["level"]
    at = "" if level == 0.95 else f", level={level:g}"
    said = f"Their level is {level:g}."
    bins = len(known[0]["groups"]["size"])
    yield from entries(_HOW, shell, at=at, bins=bins, level_of_limits=said)
    if any(each["slope"] for each in known):
        yield from entries(_WEAK, shell)
    yield from entries(_BRIER, shell)


SECTION = Section(
    "calibration", _view, "Calibration", of_score=_of_score, charts=_charts, methods=_methods
)
