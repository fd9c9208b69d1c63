"""What the page says: the summary put into words and rounded, ready for the templates."""

from __future__ import annotations

import math
import shlex
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from rocspace._base import text as words
from rocspace._base.text import number
from rocspace.report._more_view import compare_view, difference_said, score_style, uncertainty_view
from rocspace.report._warnings import same_cases
from rocspace.report.charts import ranked

Summary = Mapping[str, Any]
Score = Mapping[str, Any]
View = dict[str, Any]

_WIDTH, _PAD = 260, 8  # of the picture of one interval, in pixels
_KNOWN = {
    *("file", "format", "rows", "label", "positive", "labels", "weight", "dropped"),
    *("scores_chosen", "counting", "command"),
}


def page_view(summary: Summary, title: str | None) -> View:
    """Return everything that the page template shows."""
    scores = ranked(summary)
    ranks = {score["name"]: rank for rank, score in enumerate(scores)}
    source = summary["source"]
    file = str(source.get("file", "")).replace("\\", "/").rpartition("/")[2]
    # Best first, and those without numbers at the end.
    order = sorted(summary["scores"], key=lambda score: ranks.get(score["name"], len(ranks)))
    view = {
        "title": title or file or "ROC analysis",
        "level": words.level_text(summary["settings"]["level"]),
        "facts": _facts(summary),
        "lead": _lead(scores, summary),
        "warnings": summary["warnings"],
        "areas": _areas(scores),
        "names": [score["name"] for score in scores],
        "readout": _readout(scores[0]) if scores else None,
        "failed": [score for score in order if score["error"] is not None],
        "scores": [_score(score, ranks) for score in order],
        "methods": [{"coverage": "", **method} for method in summary["methods"]],
        "version": summary["rocspace"],
        "schema": summary["schema"],
        "command": _command(summary),
        "compare": compare_view(summary),
        "uncertainty": uncertainty_view(summary),
    }
    return view | {"contents": _contents(view)}


def _contents(view: View) -> list[View]:
    """Return the sections that the page has, with their anchors."""
    links = [
        ("Overview", "overview", True),
        ("Explorer", "explorer", view["areas"]),
        ("Compare", "compare", view["compare"]),
        ("Uncertainty", "uncertainty", view["uncertainty"]),
        ("Thresholds", "score-1", view["areas"]),
        ("Methods", "methods", True),
    ]
    return [{"name": name, "anchor": anchor} for name, anchor, there in links if there]


def _command(summary: Summary) -> str:
    if summary["source"].get("command"):
        given = summary["source"]["command"]
        return given if isinstance(given, str) else shlex.join(str(word) for word in given)
    return str(summary["methods"][0]["shell"])


# --- what was read ----------------------------------------------------------------------------


def _facts(summary: Summary) -> list[View]:
    """Return what was read, as terms with a large value and a small note."""
    source, scores = summary["source"], summary["scores"]
    first = scores[0]
    facts = [_fact("Rows", words.count(source.get("rows", first["n"])), _format(source))]
    if same_cases(scores):
        label = source.get("label")
        value = source.get("positive")
        note = f"{label} = {value}" if label is not None and value is not None else label or ""
        facts += [
            _fact("Positives", words.count(first["n_pos"]), str(note)),
            _fact("Negatives", words.count(first["n_neg"]), ""),
            _fact("Prevalence", words.percent(first["prevalence"]), ""),
        ]
    else:
        facts.append(_fact("Positives", "differ", "see each score"))
    if "dropped" in source:
        facts.append(_dropped(source["dropped"], {score["name"] for score in scores}))
    if source.get("weight") is not None:
        facts.append(_fact("Weights", str(source["weight"]), "counts are sums of weights"))
    if source.get("scores_chosen"):
        facts.append(_fact("Scores", words.count(len(scores)), str(source["scores_chosen"])))
    if len(source.get("labels") or ()) > 2:
        facts.append(_fact("Labels", _text(source["labels"]), ""))
    facts += [
        _fact(str(key).replace("_", " ").capitalize(), _text(value), "")
        for key, value in source.items()
        if key not in _KNOWN and value not in (None, "", [], {})
    ]
    return facts


def _fact(term: str, value: str, note: str) -> View:
    return {"term": term, "value": value, "note": note, "wide": len(value) > 16}


def _format(source: Mapping[str, Any]) -> str:
    return str(source.get("format") or "")


def _dropped(dropped: Any, scores: Collection[str]) -> View:
    if not isinstance(dropped, Mapping):
        return _fact("Dropped", _text(dropped), "")
    lost = {name: n for name, n in dropped.items() if n}
    if not lost:
        return _fact("Dropped", "0", "nothing missing")
    note = ", ".join(f"{_text(n)} without {name}" for name, n in lost.items())
    # One row may lack two scores, and counts for the others: there is no sum of these.
    if len(scores) > 1 and not lost.keys().isdisjoint(scores):
        return _fact("Dropped", "differ", note)
    return _fact("Dropped", words.count(sum(number(n) for n in lost.values())), note)


def _text(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {_text(each)}" for key, each in value.items())
    if isinstance(value, list):
        return ", ".join(_text(each) for each in value)
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: words.NOTHING}[value]
    return words.count(value) if isinstance(value, int) else str(value)


# --- the answer -----------------------------------------------------------------------------


def _area_texts(score: Score) -> View:
    """Return the area and its interval with as many decimals as its width is worth."""
    auc = score["auc"]
    ends = auc["interval"]
    return words.estimate(auc["value"], ends["low"], ends["high"])._asdict()


def _lead(scores: Sequence[Score], summary: Summary) -> View | None:
    """Return the answer in words."""
    if not scores:
        return None
    best = scores[0]
    area = _area_texts(best)
    level = words.level_text(summary["settings"]["level"])
    tied = len(scores) > 1 and scores[1]["auc"]["value"] == best["auc"]["value"]
    verb = "has" if len(scores) == 1 else "ties for best" if tied else "ranks best:"
    text = f"{verb} AUC {area['value']}"
    if tied:
        text = f"{verb}: AUC {area['value']}"
    chance = words.percent(best["auc"]["value"]) if best["auc"]["value"] not in (0, 1) else None
    return {
        "name": best["name"],
        "text": text,
        "interval": f"({level} CI {area['interval']}).",
        "meaning": _meaning(best, chance),
        "next": _runner_up(scores) if len(scores) > 1 else None,
        "difference": difference_said(summary, best["name"], scores[1]["name"])
        if len(scores) > 1
        else None,
    }


def _meaning(score: Score, chance: str | None) -> str:
    order = "higher" if score["direction"] == "higher" else "lower"
    how_often = chance or ("always" if score["auc"]["value"] == 1 else "never")
    counted = "" if score["tie_chance"] == 0 else ", ties counted half"
    often = f"In {how_often} of pairs, a" if chance else "A"
    ever = "" if chance else f" {how_often}"
    return f"{often} random positive{ever} scores {order} than a random negative{counted}."


def _runner_up(scores: Sequence[Score]) -> View:
    area = _area_texts(scores[1])
    return {
        "name": scores[1]["name"],
        "text": f"follows with {area['value']} ({area['interval']}).",
    }


def _readout(score: Score) -> View:
    """Return the point that is read off before the reader points at another one."""
    point = next(p for p in score["operating_points"] if p["kind"] == "youden")
    sign = "≤" if score["direction"] == "lower" else "≥"
    return {
        "name": score["name"],
        "note": "largest Youden index",
        "rows": [
            ("Threshold", f"{sign} {point['threshold_text']}", ""),
            *(
                (
                    rate.upper(),
                    words.share(point["rates"][rate]["value"]),
                    f"{words.count(point[cell])} of {words.count(score[size])} {name}",
                )
                for rate, cell, size, name in (
                    ("tpr", "tp", "n_pos", "positives"),
                    ("fpr", "fp", "n_neg", "negatives"),
                )
            ),
        ],
    }


def _areas(scores: Sequence[Score]) -> View | None:
    if not scores:
        return None
    ends = [s["auc"]["interval"] for s in scores]
    low, high, step = _axis(min(e["low"] for e in ends), max(e["high"] for e in ends))
    scale = (_WIDTH - 2 * _PAD) / (high - low)

    def x(value: float) -> float:
        return round(_PAD + (value - low) * scale, 2)

    n_ticks = round((high - low) / step) + 1
    ticks = [low + i * step for i in range(n_ticks)]
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    return {
        "width": _WIDTH,
        "ticks": [{"x": x(t), "label": f"{t:.{max(digits, 1)}f}"} for t in ticks],
        "half": x(0.5) if low <= 0.5 <= high else None,
        "rows": [_area_row(score, rank, x) for rank, score in enumerate(scores)],
        "tested": any(score["auc"]["test"] for score in scores),
    }


def _axis(low: float, high: float) -> tuple[float, float, float]:
    """Return round ends that hold both numbers, with at most five steps between."""
    for step in (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2):
        first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
        if 1 <= last - first <= 5:
            return max(first * step, 0.0), min(last * step, 1.0), step
    return 0.0, 1.0, 0.2


def _area_row(score: Score, rank: int, x: Any) -> View:
    auc = score["auc"]
    partial = score["partial_auc"][0]
    return {
        "name": score["name"],
        "style": score_style(rank),
        "anchor": f"score-{rank + 1}",
        **_area_texts(score),
        "x": x(auc["value"]),
        "low": x(auc["interval"]["low"]),
        "high": x(auc["interval"]["high"]),
        "gini": words.share(score["gini"]),
        "ks": words.share(score["ks"]),
        "eer": words.share(score["eer"]),
        "partial": words.share(partial["standardised"]),
        "pvalue": words.pvalue(auc["test"]["pvalue"]) if auc["test"] else words.NOTHING,
    }


# --- one score --------------------------------------------------------------------------------


def _score(score: Score, ranks: Mapping[str, int]) -> View:
    rank = ranks.get(score["name"])
    view: View = {
        "name": score["name"],
        "error": score["error"],
        "lower": score["direction"] == "lower",
        "anchor": f"score-{rank + 1}" if rank is not None else None,
        "rank": rank,
        "style": score_style(rank) if rank is not None else "series-other",
        "sign": "≤" if score["direction"] == "lower" else "≥",
    }
    if rank is None:
        return view
    return view | {
        **_area_texts(score),
        "numbers": _single_numbers(score),
        "points": [_point(point, score) for point in score["operating_points"]],
        "untold": _untold(score),
        "chart": _chart_note(score),
        "alt": _alt(score),
    }


def _single_numbers(score: Score) -> list[tuple[str, str, str]]:
    partial = score["partial_auc"][0]
    near = partial["interval"]
    ends = score["auc"]["bounds"]["low"], score["auc"]["bounds"]["high"]
    numbers = [
        ("Youden J", words.share(score["youden"]), "largest tpr − fpr"),
        ("KS", words.share(score["ks"]), "largest |tpr − fpr|"),
        ("Gini", words.share(score["gini"]), "2 AUC − 1"),
        ("Equal error", words.share(score["eer"]), "fpr = fnr"),
        ("Distance", words.share(score["closest_to_perfect"]), "to fpr 0, tpr 1"),
        (
            "Partial AUC",
            words.estimate(partial["value"], near["low"], near["high"]).value,
            f"fpr ≤ 0.1; standardised {words.share(partial['standardised'])}",
        ),
        (
            "Tied pairs",
            words.percent(score["tie_chance"]),
            "none" if score["tie_chance"] == 0 else f"AUC {words.interval(*ends)}",
        ),
        ("Distinct scores", words.count(score["distinct"]), _of_cases(score)),
    ]
    if score["weighted"]:
        sizes = score["n_eff"]
        text = f"{words.count(sizes['pos'])} + {words.count(sizes['neg'])}"
        numbers.append(("Effective cases", text, "positives + negatives"))
    return numbers


def _of_cases(score: Score) -> str:
    total = words.count(score["n"])
    return f"total weight {total}" if score["weighted"] else f"of {total} cases"


_CRITERIA = {"youden": "Youden", "closest": "Closest to (0, 1)"}
_COLUMNS = ("tpr", "fpr", "ppv", "npv")


def _point(point: Mapping[str, Any], score: Score) -> View:
    rates = point["rates"]
    target = point["target"]
    name = _CRITERIA.get(point["kind"]) or (
        f"fpr ≤ {target:g}" if point["kind"] == "fpr" else f"tpr ≥ {target:g}"
    )
    ratio = rates["lr_positive"]
    return {
        "kind": point["kind"],
        "name": name,
        "note": f"1 of {point['tied']:,} that tie" if point["tied"] > 1 else "",
        "threshold": "nobody"
        if point["threshold"] in ("inf", "-inf") and not point["tp"] + point["fp"]
        else point["threshold_text"],
        "rates": [_rate(rates[name]) for name in _COLUMNS],
        "ratio": words.ratio(ratio["value"], ratio["low"], ratio["high"])._asdict(),
        "counts": [words.count(point[cell]) for cell in ("tp", "fp", "fn", "tn")],
        "accuracy": words.share(point["measures"]["accuracy"]),
    }


def _rate(rate: Mapping[str, Any]) -> View:
    """Return a rate and its interval with the decimals that its width is worth."""
    return words.estimate(rate["value"], rate["low"], rate["high"])._asdict()


def _untold(score: Score) -> str | None:
    """Say which equally good points are not listed."""
    texts = []
    for kind, name in (("youden", "Youden index"), ("closest", "distance")):
        listed = [p for p in score["operating_points"] if p["kind"] == kind]
        if listed and listed[0]["tied"] > len(listed):
            texts.append(
                f"{listed[0]['tied']:,} thresholds tie for the best {name}; "
                f"the first {len(listed)} are listed."
            )
    return " ".join(texts) or None


def _chart_note(score: Score) -> str | None:
    """Say what the histogram leaves out."""
    shown = score["histogram"]
    if shown is None:
        return None
    names = {
        "below": "below the range shown",
        "above": "above the range shown",
        "minus_infinity": "with the score −∞",
        "infinity": "with the score ∞",
    }
    parts = [
        f"{words.count(n['pos'])} positives and {words.count(n['neg'])} negatives {names[key]}"
        for key, n in shown["outside"].items()
        if n["pos"] or n["neg"]
    ]
    return f"Not shown: {'; '.join(parts)}." if parts else ""


def _alt(score: Score) -> str:
    return (
        f"Distribution of the scores: {words.count(score['n_pos'])} positives upward, "
        f"{words.count(score['n_neg'])} negatives downward."
    )
