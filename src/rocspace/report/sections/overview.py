"""What was read, the answer in words, and what to be wary of."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from rocspace._base import text as words
from rocspace._base.text import number
from rocspace.report.drawing import ranked, said
from rocspace.report.explained import Entry, Shell, entries, table_code
from rocspace.report.section import Score, Section, Summary, View
from rocspace.report.sections.compare import difference_said
from rocspace.report.sections.warnings import same_cases

_KNOWN = {
    *("file", "format", "rows", "label", "positive", "labels", "weight", "dropped"),
    *("scores_chosen", "counting", "command"),
}


def _view(summary: Summary) -> View:
    return {"facts": _facts(summary), "lead": _lead(ranked(summary), summary)}


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


def _lead(scores: Sequence[Score], summary: Summary) -> View | None:
    """Return the answer in words."""
    if not scores:
        return None
    best = scores[0]
    area = said(best["auc"])
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
    area = said(scores[1]["auc"])
    return {
        "name": scores[1]["name"],
        "text": f"follows with {area['value']} ({area['interval']}).",
    }


_HOW = """
table: Counting
Positives and negatives are counted at each distinct score, compared exactly; a case is called
positive when score {sign} threshold. Every number is read from these counts.
Source: Fawcett (2006), Pattern Recognition Letters 27:861-874, algorithm 1
Python: {table}
Shell: rocspace report {columns}{at_level}
"""


def _methods(summary: Summary, shell: Shell) -> Iterator[Entry]:
    first = summary["scores"][0]
    sign = "<=" if first["direction"] == "lower" else ">="
    return entries(_HOW, shell, sign=sign, table=table_code(first, summary["source"]))


SECTION = Section("overview", view=_view, title="Overview", methods=_methods)
