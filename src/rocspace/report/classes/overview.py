"""What was read, the answer in words, and the areas of all pairs of classes as a picture."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rocspace._base.text import count
from rocspace.multiclass.cases import MulticlassScores
from rocspace.report.classes.numbers import (
    by_area,
    cases_of,
    plain_classifier,
    plain_labels,
    volumes_of,
)
from rocspace.report.classes.shell import class_shell
from rocspace.report.drawing import said
from rocspace.report.explained import Entry, Shell, entries
from rocspace.report.plain import plain_estimate
from rocspace.report.section import Section, Summary, View, Work
from rocspace.report.sections.compare import tested_pair
from rocspace.report.sections.overview import dropped_rows, other_facts

_MATRIX = 16  # classes of a matrix that can be read; intervals are written for up to
_INTERVALS = 6
_VOLUMES = 6  # classes
_STEPS = 4 * 10**7  # of a hypervolume: less than a second
_SHADES = 9

# --- numbers ----------------------------------------------------------------------------------


def _of_all(summary: Summary, work: Work) -> View:
    data = work.scores_of_classes
    return {
        "classes": plain_labels(data),
        "classifiers": [
            {**plain_classifier(data, name, work.level), **_volumes(data, name, work.level)}
            for name in data.names
        ],
    }


def _volumes(data: MulticlassScores, name: str, level: float) -> View:
    """Return the volumes of few classes, and how many sets of cases were drawn, if not all."""
    if len(data.classes) > _VOLUMES:
        return {"pdi": None, "hum": None, "n_sets": None}
    found, sets = volumes_of(data, name, steps=_STEPS)
    volumes = {
        key: None if each is None else plain_estimate(each, level) for key, each in found.items()
    }
    return {**volumes, "n_sets": sets}


# --- what is shown ----------------------------------------------------------------------------


def _view(summary: Summary) -> View:
    source, found = summary["source"], by_area(summary)
    best, names = found[0], [each["name"] for each in found[:2]]
    hardest = min(best["pairs"], key=lambda pair: pair["value"])
    return {
        "anchor": "overview",
        "source": source,
        "n": sum(each["cases"] for each in summary["classes"]),
        "classes": summary["classes"],
        "classifiers": len(found),
        "sizes": ", ".join(f"{label}: {n}" for label, n in cases_of(summary).items()),
        "dropped": dropped_rows(source["dropped"], set()) if "dropped" in source else None,
        "others": list(other_facts(source, also=("columns",))),
        "best": best,
        "use": _use(summary, best),
        "area": best["areas"]["hand-till"],
        "next": found[1] if len(found) > 1 else None,
        "pair": tested_pair(summary, names),
        "alpha": 1 - summary["settings"]["level"],
        "hardest": hardest,
        "unsure": hardest["interval"]["low"] <= 0.5,
        "matrix": _matrix(summary, best["pairs"], hardest),
    }


def _use(summary: Summary, best: Mapping[str, Any]) -> View:
    """Return what the largest column achieves, beside always naming the most frequent class."""
    decision, labels = best["decision"], [each["label"] for each in summary["classes"]]
    members = [each["cases"] for each in summary["classes"]]
    present = [i for i, n in enumerate(members) if n]
    worst = min(present, key=lambda i: decision["recall"][i]["value"])
    common = max(present, key=lambda i: members[i])
    return {
        "cases": count(sum(members)),
        "right": count(sum(row[i] for i, row in enumerate(decision["counts"]))),
        "share": decision["correct"]["value"],
        "common": labels[common],
        "alone": members.count(members[common]) == 1,
        "idle": members[common] / sum(members),
        "worst": labels[worst],
        "recall": decision["recall"][worst]["value"],
        "members": count(members[worst]),
    }


def _matrix(
    summary: Summary, pairs: Sequence[Mapping[str, Any]], hardest: Mapping[str, Any]
) -> View | None:
    """Return the lower triangle of the areas of pairs, darker where a pair is harder to tell."""
    held = {label for pair in pairs for label in (pair["first"], pair["second"])}
    labels = [each["label"] for each in summary["classes"] if each["label"] in held]
    if not 2 < len(labels) <= _MATRIX:
        return None
    known = {(pair["first"], pair["second"]): pair for pair in pairs}
    low = min(math.floor(10 * hardest["value"]) / 10, 0.9)
    rows = [
        {
            "label": second,
            "cells": [
                {
                    **said(known[first, second]),
                    "shade": round(_SHADES * (1 - known[first, second]["value"]) / (1 - low)),
                    "hardest": known[first, second] is hardest,
                }
                for first in labels[:i]
            ],
            "empty": len(labels) - 1 - i,
        }
        for i, second in enumerate(labels)
        if i
    ]
    return {"columns": labels[:-1], "rows": rows, "intervals": len(labels) <= _INTERVALS}


# --- how it was made --------------------------------------------------------------------------

_HOW = """
scores: Cases and columns
  Each case has a label, and a score for each class; a larger score speaks for that class. The
  scores of a case need not sum to 1.
  Source: Fawcett (2006), Pattern Recognition Letters 27:861-874, section 9
  Python: from rocspace.multiclass import *
  Python: data = multiclass_scores({label}, scores)
  Shell: rocspace report {of_classes}{at_level}
"""


def _methods(summary: Summary, shell: Shell) -> Iterator[Entry]:
    source = summary["source"]
    label = f"data[{source['label']!r}]" if "label" in source else "y_true"
    return entries(_HOW, shell, label=label, of_classes=class_shell(summary))


SECTION = Section("class_overview", _view, "Overview", of_all=_of_all, methods=_methods)
