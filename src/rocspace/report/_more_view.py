"""What the sections on comparison and uncertainty say: rounded, and put into words."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from rocspace._base.text import joint_law
from rocspace.report import words
from rocspace.report.charts import PALETTE, ranked
from rocspace.report.plain import number
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
    # The better score first: its difference is positive.
    pairs = sorted((_better_first(pair) for pair in found["pairs"]), key=lambda p: -p["value"])
    shown = pairs[:_PAIRS]
    low, high, step = _signed_axis(
        min(0.0, *(p["low"] for p in shown)), max(0.0, *(p["high"] for p in shown))
    )
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
        "adjustment": found["adjustment"].capitalize(),
        "overall": _overall(found) if len(found["names"]) > 2 else None,
        "difference": _difference(found["difference"], ranks),
        "costs": _costs(found["costs"], ranks),
    }


def _better_first(pair: Mapping[str, Any]) -> View:
    flip = pair["value"] < 0
    sign = -1 if flip else 1
    ends = sorted(sign * number(pair["interval"][end]) for end in ("low", "high"))
    return {
        "first": pair["second" if flip else "first"],
        "second": pair["first" if flip else "second"],
        "value": abs(pair["value"]),
        "low": ends[0],
        "high": ends[1],
        "pvalue": pair["test"]["pvalue"],
        "adjusted": pair["adjusted_pvalue"],
        "correlation": pair["correlation"],
        "note": pair["test"]["note"],
    }


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


def _pair_texts(pair: Mapping[str, Any]) -> tuple[str, str]:
    digits = words.decimals_for(pair["high"] - pair["low"])
    return words.share(pair["value"], digits), words.interval(pair["low"], pair["high"], digits)


def _pair_row(pair: Mapping[str, Any], ranks: Mapping[str, int], x: Any) -> View:
    value, interval = _pair_texts(pair)
    r = number(pair["correlation"])
    return {
        "first": pair["first"],
        "second": pair["second"],
        "style": score_style(ranks[pair["first"]]),
        "value": value,
        "interval": interval,
        "x": x(pair["value"]),
        "low": x(pair["low"]),
        "high": x(pair["high"]),
        "pvalue": words.pvalue(pair["pvalue"]),
        "adjusted": words.pvalue(pair["adjusted"]),
        "correlation": words.NOTHING if math.isnan(r) else _signed(r, 2),
        "note": pair["note"],
    }


def _overall(found: Mapping[str, Any]) -> str:
    test = found["overall"]
    statistic, df, second = (number(test[key]) for key in ("statistic", "df", "df_denominator"))
    law = joint_law(statistic, df, second)
    note = f" ({test['note']})" if test["note"] else ""
    return (
        f"That all {len(found['names'])} areas are equal: {law}p {_equals(test['pvalue'])}{note}."
    )


def _equals(pvalue: Any) -> str:
    text = words.pvalue(pvalue)
    return text if text.startswith("<") else f"= {text}"


def difference_said(summary: Summary, first: str, second: str) -> str | None:
    """Say whether two areas differ by more than chance; None if they were not compared."""
    for pair in (summary.get("comparison") or {"pairs": ()})["pairs"]:
        if {pair["first"], pair["second"]} == {first, second}:
            said = _better_first(pair)
            value, interval = _pair_texts(said)
            p = number(said["pvalue"])
            if math.isnan(p):
                return None
            alpha = 1 - summary["settings"]["level"]
            sure = "is more than chance would do" if p < alpha else "may be chance"
            return f"The difference of {value} ({interval}) {sure}: p {_equals(p)}, paired test."
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
        "level": f"{100 * found['level']:.6g}\u202f%",
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
    digits = words.decimals_for(number(ends["high"]) - number(ends["low"]))
    return {
        "value": words.share(mean["value"], digits),
        "interval": words.interval(ends["low"], ends["high"], digits),
    }
