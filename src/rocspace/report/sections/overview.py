"""What was read, the answer in words, and what to be wary of."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from rocspace._base import text as words
from rocspace._base.text import number
from rocspace.report import drawing
from rocspace.report.drawing import Spec, by_rank, layer, line_of, ranked, score_style
from rocspace.report.explained import Entry, Shell, entries, table_code
from rocspace.report.section import Score, Section, Summary, View
from rocspace.report.sections.compare import tested_pair
from rocspace.report.sections.warnings import same_cases

_NAMED = 4  # scores beside the first picture
_STEP = 0.002  # of a curve there
_BAND = "likelihood"
_CELLS = ("tp", "fp", "fn", "tn")
_KNOWN = {
    *("file", "format", "rows", "label", "positive", "labels", "weight", "dropped"),
    *("scores_chosen", "counting", "command"),
}


def _view(summary: Summary) -> View:
    source, scores = summary["source"], ranked(summary)
    names = {score["name"] for score in summary["scores"]}
    return {
        "source": source,
        "first": summary["scores"][0],
        "same_cases": same_cases(summary["scores"]),
        "n_scores": len(names),
        "n_in_all": len(names) + len(summary.get("further", ())),
        "positive": _positive(source),
        "dropped": dropped_rows(source["dropped"], names) if "dropped" in source else None,
        "labels": _text(source["labels"]) if len(source.get("labels") or ()) > 2 else None,
        "others": list(other_facts(source)),
        "best": scores[0] if scores else None,
        "use": _in_use(scores[0]) if scores else None,
        "band": _band(scores[0]) is not None if scores else False,
        "drawn": [
            {"score": score, "style": score_style(rank), "anchor": f"score-{rank + 1}"}
            for rank, score in enumerate(scores[:_NAMED])
        ],
        "warned": len(summary["warnings"]),
        "next": scores[1] if len(scores) > 1 else None,
        "beside": _beside(*scores[:2]) if len(scores) > 1 else "",
        "pair": tested_pair(summary, [each["name"] for each in scores[:2]]),
        "alpha": 1 - summary["settings"]["level"],
    }


def _in_use(score: Score) -> View:
    """Say what the threshold of the largest Youden index does, for who treats and who pays."""
    point = next(p for p in score["operating_points"] if p["kind"] == "youden")
    cells = [number(point[cell]) for cell in _CELLS]
    whole = _round_number(score, cells)
    tp, fp, fn, tn = apportioned(cells, whole or round(sum(cells)))
    missed = number(point["rates"]["fnr"]["value"]) * number(score["prevalence"])
    return {
        "point": point,
        "sign": "≤" if score["direction"] == "lower" else "≥",
        "nobody": not point["tp"] + point["fp"],
        "whole": words.count(whole) if whole else "",
        "cases": words.count(score["n"]),
        **{name: words.count(n) for name, n in _named(tp, fp, tn)},
        "missed": words.count(fn) if fn or not missed else "fewer than one",
        "ill": words.count(tp + fn),
        "worth": _worth(number(score["prevalence"])),
    }


def _named(tp: int, fp: int, tn: int) -> Iterator[tuple[str, int]]:
    yield from (("called", tp + fp), ("right", tp), ("wrong", fp), ("correct", tp + tn))


def _beside(best: Score, other: Score) -> str:
    """Say how many more positives and false alarms the best score has; "" of other cases."""
    if not same_cases([best, other]):
        return ""
    found = []
    for score in (best, other):
        point = next(p for p in score["operating_points"] if p["kind"] == "youden")
        cells = [number(point[cell]) for cell in _CELLS]
        whole = _round_number(score, cells) or round(sum(cells))
        found.append(apportioned(cells, whole)[:2])
    (tp, fp), (other_tp, other_fp) = found
    finds, alarms = _more(tp - other_tp, "positive"), _more(fp - other_fp, "false alarm")
    return f"it finds {finds}, with {alarms}"


def _more(n: int, what: str) -> str:
    """Say how many more, or fewer, there are of something."""
    many = f"{words.count(abs(n))} {'more' if n > 0 else 'fewer'}" if n else "as many"
    return f"{many} {what}{'' if abs(n) == 1 else 's'}"


def _round_number(score: Score, cells: Sequence[float]) -> int | None:
    """Return of how many cases to speak: a round number, or None for the few cases themselves."""
    if not score["weighted"] and score["n"] < 1000:
        return None
    total = sum(cells)
    least = min(cells[0] + cells[2], cells[1] + cells[3]) / total
    return int(min(10 ** max(3, math.ceil(1 - math.log10(least))), 10**6))


def apportioned(parts: Sequence[float], whole: int) -> list[int]:
    """Return whole numbers in proportion to the parts that add up to `whole` (largest rest)."""
    exact = [round(part * whole / sum(parts), 6) for part in parts]
    found = [math.floor(each) for each in exact]
    order = sorted(range(len(parts)), key=lambda i: found[i] - exact[i])
    for i in order[: whole - sum(found)]:
        found[i] += 1
    return found


def _worth(prevalence: float) -> str:
    """Say for which costs the largest Youden index has the least one."""
    ratio = (1 - prevalence) / prevalence
    if 0.95 < ratio < 1.05:
        return "a missed positive costs as much as a false positive"
    errors = ("a missed positive", "false positives"), ("a false positive", "missed positives")
    one, many = errors[ratio < 1]
    return f"{one} costs as much as {words.general(max(ratio, 1 / ratio))} {many}"


def _band(score: Score) -> Mapping[str, Any] | None:
    """Return the band that is drawn around the best curve, if there is one."""
    bands = [band for band in score.get("bands", ()) if band["method"] == _BAND]
    return next((band for band in bands if band["error"] is None), None)


def other_facts(source: Mapping[str, Any], also: Collection[str] = ()) -> Iterator[tuple[str, str]]:
    """Yield what else the caller says of the source, as a term and a text."""
    for key, value in source.items():
        if key not in _KNOWN and key not in also and value not in (None, "", [], {}):
            yield str(key).replace("_", " ").capitalize(), _text(value)


def _positive(source: Mapping[str, Any]) -> str:
    label, value = source.get("label"), source.get("positive")
    return f"{label} = {value}" if label is not None and value is not None else str(label or "")


def dropped_rows(dropped: Any, scores: Collection[str]) -> tuple[str, str]:
    """Return how many rows were dropped, and a note on what they lack."""
    if not isinstance(dropped, Mapping):
        return _text(dropped), ""
    lost = {name: n for name, n in dropped.items() if n}
    if not lost:
        return "0", "nothing missing"
    note = ", ".join(f"{_text(n)} without {name}" for name, n in lost.items())
    # One row may lack two scores, and counts for the others: these numbers cannot be added up.
    if len(scores) > 1 and not lost.keys().isdisjoint(scores):
        return "differ", note
    return words.count(sum(number(n) for n in lost.values())), note


def _text(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {_text(each)}" for key, each in value.items())
    if isinstance(value, list):
        return ", ".join(_text(each) for each in value)
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: words.NOTHING}[value]
    return words.count(value) if isinstance(value, int) else str(value)


def _charts(summary: Summary) -> dict[str, Spec]:
    """Specify the curves of all scores, the band of the best, and its best threshold."""
    scores = ranked(summary)
    if not scores:
        return {}
    x = drawing.unit_axis("fpr", "False positive rate")
    y = drawing.unit_axis("tpr", "True positive rate", minExtent=30, maxExtent=30)
    along, best = drawing.in_order(x, y), scores[0]
    band = _band(best)
    edges = [] if band is None else [*line_of(band["low"]), *line_of(band["high"])[::-1]]
    youden = next(p for p in best["operating_points"] if p["kind"] == "youden")
    at = {rate: youden["rates"][rate]["value"] for rate in ("fpr", "tpr")}
    ends = [{"fpr": 0, "tpr": 0}, {"fpr": 1, "tpr": 1}]
    dot: Spec = {"shape": "circle", "size": 90, "filled": True, "opacity": 1}
    rows = [{"name": score["name"], **_rates(score)} for score in scores]
    layers = [
        layer(ends, "line", {"x": x, "y": y}, color="var(--faint)", strokeWidth=1),
        layer("band", "line", along, filled=True, fill=drawing.colour(0), fillOpacity=0.16),
        drawing.curves("curve", by_rank(summary), x, y),
        layer(
            [at], "point", {"x": x, "y": y}, color=drawing.colour(0), stroke="var(--paper)", **dot
        ),
    ]
    named = [{"fpr": fpr, "tpr": tpr, "i": i} for i, (fpr, tpr) in enumerate(edges)]
    return {"overview": drawing.chart(layers, {"curve": rows[::-1], "band": named}, 340, 340)}


def _rates(score: Score) -> dict[str, list[float]]:
    """Return the curve as far as a small picture can show it."""
    points = line_of(score["curve"])
    kept = [points[0]]
    for point in points[1:-1]:
        if abs(point[0] - kept[-1][0]) + abs(point[1] - kept[-1][1]) >= _STEP:
            kept.append(point)
    fpr, tpr = zip(*kept, points[-1], strict=True)
    return {"fpr": list(fpr), "tpr": list(tpr)}


_HOW = """
table: Counting
  Positives and negatives are counted at each distinct score, compared exactly; a case is called
  positive when score {sign} threshold. Every number is read from these counts.
  Source: Fawcett (2006), Pattern Recognition Letters 27:861-874, algorithm 1
  Python: {table}
  Shell: rocspace report {columns}{at_level}{fold}{by}{simulated}
"""


def _methods(summary: Summary, shell: Shell) -> Iterator[Entry]:
    first = summary["scores"][0]
    sign = "<=" if first["direction"] == "lower" else ">="
    many = next((fit.get("n_sim") for fit in first.get("fits", ())), None)
    simulated = f" --n-sim {many}" if many else ""
    table = table_code(first, summary["source"])
    return entries(_HOW, shell, sign=sign, table=table, simulated=simulated)


SECTION = Section("overview", _view, "Overview", charts=_charts, methods=_methods)
