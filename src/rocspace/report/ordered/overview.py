"""What was read of ordered classes, and the answer in words."""

from __future__ import annotations

from collections.abc import Iterator

from rocspace.report.classes.numbers import cases_of, plain_labels
from rocspace.report.explained import Entry, Shell, entries
from rocspace.report.ordered.numbers import (
    by_volume,
    chance_of,
    ordered_shell,
    plain_marker,
    sense_of,
)
from rocspace.report.section import Section, Summary, View, Work
from rocspace.report.sections.compare import tested_pair
from rocspace.report.sections.overview import dropped_rows, other_facts


def _of_all(summary: Summary, work: Work) -> View:
    data = work.scores_in_order
    lower = summary["source"].get("lower_is_positive", ())
    return {
        "classes": plain_labels(data),
        "scores": [
            {
                **plain_marker(data, name, work.level),
                "direction": "lower" if name in lower else "higher",
            }
            for name in data.names
        ],
    }


def _view(summary: Summary) -> View:
    source, found = summary["source"], by_volume(summary)
    labels = [each["label"] for each in summary["classes"]]
    others = [("Order", " < ".join(labels))]
    if len(found) > 1:
        others.append(("Markers", str(len(found))))
    return {
        "anchor": "overview",
        "source": source,
        "n": sum(each["cases"] for each in summary["classes"]),
        "classes": summary["classes"],
        "classifiers": 1,
        "sizes": ", ".join(f"{label}: {n}" for label, n in cases_of(summary).items()),
        "dropped": dropped_rows(source["dropped"], set()) if "dropped" in source else None,
        "others": [*others, *other_facts(source, also=("lower_is_positive",))],
        "best": found[0],
        "next": found[1] if len(found) > 1 else None,
        "pair": tested_pair(summary, [each["name"] for each in found[:2]]),
        "alpha": 1 - summary["settings"]["level"],
        "chance": chance_of(summary),
        "sense": sense_of(found[0]["vus"], chance_of(summary)),
        "hardest": min(found[0]["pairs"], key=lambda pair: pair["value"]),
    }


_HOW = """
scores: Cases and markers
  Each case has a label, and a score that is larger for later classes.
  Source: Nakas and Yiannoutsos (2004), Statistics in Medicine 23:3437-3449
  Python: from rocspace.multiclass import *
  Python: data = ordered_scores({label}, scores, order={order})
  Shell: rocspace report {of_order}{at_level}
"""


def _methods(summary: Summary, shell: Shell) -> Iterator[Entry]:
    source = summary["source"]
    label = f"data[{source['label']!r}]" if "label" in source else "y_true"
    order = [each["label"] for each in summary["classes"]]
    yield from entries(_HOW, shell, label=label, order=order, of_order=ordered_shell(summary))


SECTION = Section("ordered_overview", _view, "Overview", of_all=_of_all, methods=_methods)
