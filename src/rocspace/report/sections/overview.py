"""What was read, the answer in words, and what to be wary of."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from rocspace._base import text as words
from rocspace._base.text import number
from rocspace.report.drawing import ranked
from rocspace.report.explained import Entry, Shell, entries, table_code
from rocspace.report.section import Section, Summary, View
from rocspace.report.sections.compare import tested_pair
from rocspace.report.sections.warnings import same_cases

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
        "positive": _positive(source),
        "dropped": dropped_rows(source["dropped"], names) if "dropped" in source else None,
        "labels": _text(source["labels"]) if len(source.get("labels") or ()) > 2 else None,
        "others": list(other_facts(source)),
        "best": scores[0] if scores else None,
        "next": scores[1] if len(scores) > 1 else None,
        "pair": tested_pair(summary, {each["name"] for each in scores[:2]}),
        "alpha": 1 - summary["settings"]["level"],
    }


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


SECTION = Section("overview", _view, "Overview", methods=_methods)
