"""What the sections on comparison and uncertainty say: rounded, and put into words."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from rocspace._base import text as words
from rocspace._base.text import number
from rocspace.report.charts import PALETTE, ranked
from rocspace.report.uncertain import BAND_NAMES

Summary = Mapping[str, Any]
View = dict[str, Any]

_WIDTH, _PAD = 260, 8  # of the picture of one interval, in pixels
_STRIP = 480  # of the picture of ranges of costs
_PAIRS = 30  # rows of the table of differences
_RATIO = 1000.0  # costs of a missed positive are drawn from 1/1000 to 1000 false alarms
_RANGES = 12  # ranges of costs in words


def score_style(rank: int) -> str:
    """Return the style class of the score with that rank."""
    return f"series-{rank + 1}" if rank < PALETTE else "series-other"


# --- comparison -------------------------------------------------------------------------------


def compare_view(summary: Summary) -> View | None:
    """Return what the comparison of scores shows; None without one."""
    found = summary.get("comparison")
    if not found:
        return None
    ranks = {score["name"]: rank for rank, score in enumerate(ranked(summary))}
    pairs = sorted(found["pairs"], key=lambda pair: -abs(pair["value"]))
    shown = pairs[:_PAIRS]
    ends = [number(pair["interval"][end]) for pair in shown for end in ("low", "high")]
    low, high, step = _signed_axis(min(0.0, *ends), max(0.0, *ends))
    scale = (_WIDTH - 2 * _PAD) / (high - low)

    def x(value: float) -> float:
        return round(_PAD + (value - low) * scale, 2)

    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    ticks = [low + i * step for i in range(round((high - low) / step) + 1)]
    return {
        "width": _WIDTH,
        "zero": x(0.0),
        "ticks": [{"x": x(t), "label": _signed(t, digits)} for t in ticks],
        "pairs": [_pair_row(pair, ranks, x) for pair in shown],
        "untold": len(pairs) - len(shown),
        "reference": found["reference"],
        "adjusted": len(found["pairs"]) > 1,
        "p_adjusted": words.adjusted(found["adjustment"]),
        "note": words.adjustment_note(found["adjustment"], summary["settings"]["level"]),
        "overall": _overall(found) if len(found["names"]) > 2 else None,
        "difference": _difference(found["difference"], ranks),
        "costs": _costs(found["costs"], ranks),
    }


def _pair_said(pair: Mapping[str, Any]) -> words.Said:
    return words.estimate(pair["value"], pair["interval"]["low"], pair["interval"]["high"])


def _signed(value: float, digits: int) -> str:
    text = f"{value:.{max(digits, 1)}f}"
    return text.replace("-", words.MINUS) if float(text) else "0"


def _signed_axis(low: float, high: float) -> tuple[float, float, float]:
    """Return round ends that hold both numbers, with at most five steps between."""
    for power in range(-6, 1):
        for factor in (1, 2, 5):
            step = factor * 10.0**power
            first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
            if 1 <= last - first <= 5:
                return first * step, last * step, step
    return -1.0, 1.0, 0.5


def _pair_row(pair: Mapping[str, Any], ranks: Mapping[str, int], x: Any) -> View:
    r = number(pair["correlation"])
    return {
        "first": pair["first"],
        "second": pair["second"],
        "style": score_style(min(ranks[pair["first"]], ranks[pair["second"]])),
        **_pair_said(pair)._asdict(),
        "x": x(pair["value"]),
        "low": x(pair["interval"]["low"]),
        "high": x(pair["interval"]["high"]),
        "pvalue": words.pvalue(pair["test"]["pvalue"]),
        "adjusted": words.pvalue(pair["adjusted_pvalue"]),
        "correlation": words.NOTHING if math.isnan(r) else _signed(r, 2),
        "note": pair["test"]["note"],
    }


def _overall(found: Mapping[str, Any]) -> str:
    test = found["overall"]
    shown = words.joint_distribution(test["statistic"], test["df"], test["df_denominator"])
    note = f" ({test['note']})" if test["note"] else ""
    said = f"{shown}{words.p_equals(test['pvalue'])}{note}"
    return f"That all {len(found['names'])} areas are equal: {said}."


def difference_said(summary: Summary, first: str, second: str) -> str | None:
    """Say whether two areas differ by more than chance; None if they were not compared."""
    for pair in (summary.get("comparison") or {"pairs": ()})["pairs"]:
        if {pair["first"], pair["second"]} == {first, second}:
            value, interval = _pair_said(pair)
            p = number(pair["test"]["pvalue"])
            if math.isnan(p):
                return None
            alpha = 1 - summary["settings"]["level"]
            sure = "is more than chance would do" if p < alpha else "may be chance"
            name = words.difference_name(pair["first"], pair["second"])
            test = f"{words.p_equals(p)}, paired test"
            return f"The difference of {value} ({interval}), {name}, {sure}: {test}."
    return None


def _difference(found: Mapping[str, Any] | None, ranks: Mapping[str, int]) -> View | None:
    if found is None:
        return None
    runs = [run for run in found["differs"] if number(run["high"]) > number(run["low"])]
    ranges = [
        {"name": run["above"], "at": words.interval(run["low"], run["high"])} for run in runs[:8]
    ]
    return {
        "first": found["first"],
        "second": found["second"],
        "style": score_style(ranks[found["first"]]),
        "level": words.level_text(found["level"]),
        "replicates": words.count(found["replicates"]),
        "ranges": ranges,
        "untold": len(runs) - len(ranges),
    }


# --- costs ------------------------------------------------------------------------------------


def _costs(found: Mapping[str, Any] | None, ranks: Mapping[str, int]) -> View | None:
    if found is None:
        return None
    pieces = [
        {"low": low, "high": high, "best": best}
        for low, high, best in zip(
            found["share"][:-1], found["share"][1:], found["best"], strict=True
        )
    ]
    winners = {name for piece in pieces for name in piece["best"]}
    everybody = set(ranks)
    rows = [
        {"name": name, "style": score_style(ranks[name]), "pieces": _strip(pieces, name, everybody)}
        for name in sorted(winners, key=ranks.__getitem__)[:PALETTE]
    ]
    ticks = [(1 / 1000, "1/1000"), (1 / 100, "1/100"), (1 / 10, "1/10"), (1, "1"), (10, "10")]
    ticks += [(100, "100"), (1000, "1000")]
    return {
        "width": _STRIP,
        "rows": [row for row in rows if row["pieces"]],
        "ticks": [{"x": _place(ratio), "label": label} for ratio, label in ticks],
        "prevalence": words.percent(found["prevalence"]),
        "said": [_range_said(piece, everybody) for piece in pieces[:_RANGES]],
        "untold": max(len(pieces) - _RANGES, 0),
    }


def _ratio(share: float) -> float:
    return share / (1 - share) if share < 1 else math.inf


def _place(ratio: float) -> float:
    """Return where a ratio of costs is drawn, on a scale of logarithms."""
    inside = min(max(ratio, 1 / _RATIO), _RATIO)
    share = 0.5 + math.log(inside) / math.log(_RATIO) / 2
    return round(_PAD + share * (_STRIP - 2 * _PAD), 2)


def _strip(pieces: Sequence[Mapping[str, Any]], name: str, everybody: set[str]) -> list[View]:
    found = []
    for piece in pieces:
        start, end = _place(_ratio(piece["low"])), _place(_ratio(piece["high"]))
        if name in piece["best"] and end > start:
            alike = len(everybody) > 1 and set(piece["best"]) == everybody
            found.append({"x": start, "width": round(end - start, 2), "alike": alike})
    return found


def _range_said(piece: Mapping[str, Any], everybody: set[str]) -> View:
    low, high = _ratio(piece["low"]), _ratio(piece["high"])
    alike = len(everybody) > 1 and set(piece["best"]) == everybody
    if low == 0 and high == math.inf:
        at = "at every ratio"
    elif low == 0:
        at = f"up to {_times(high)}"
    else:
        at = f"{_times(low)} to {_times(high)}" if high < math.inf else f"from {_times(low)} on"
    return {"names": [] if alike else list(piece["best"]), "at": at}


def _times(ratio: float) -> str:
    return words.general(ratio) if ratio >= 1 else f"1/{words.general(1 / ratio)}"


# --- uncertainty ------------------------------------------------------------------------------


def uncertainty_view(summary: Summary) -> View | None:
    """Return what the section on uncertainty shows before the reader chooses; None without."""
    scores = [score for score in ranked(summary)[:PALETTE] if "bands" in score]
    if not scores:
        return None
    granular = scores[0]["granular"]
    return {
        "style": score_style(0),
        "names": [score["name"] for score in scores],
        "methods": [BAND_NAMES[band["method"]] for band in scores[0]["bands"]],
        "granular": any(score["granular"] for score in scores),
        "steps": len(granular["curves"]) - 1 if granular else 9,
        "folds": _folds(summary),
    }


def _folds(summary: Summary) -> View | None:
    scores = [score for score in ranked(summary) if score.get("folds")]
    if not scores:
        return None
    names = scores[0]["folds"]["names"]
    lacking = max(score["folds"]["single_class"] for score in scores)
    return {
        "drawn": any(score["folds"]["average"] for score in scores[:PALETTE]),
        "names": names[:50],
        "untold": max(len(names) - 50, 0),
        "lacking": lacking,
        "rows": [
            {
                "name": score["name"],
                "style": score_style(rank),
                "mean": _mean(score["folds"]["mean"]),
                "auc": [words.share(area) for area in score["folds"]["auc"][:50]],
            }
            for rank, score in enumerate(scores)
        ],
    }


def _mean(mean: Mapping[str, Any] | None) -> View:
    if mean is None:
        return {"value": words.NOTHING, "interval": ""}
    ends = mean["interval"]
    return words.estimate(mean["value"], ends["low"], ends["high"])._asdict()
