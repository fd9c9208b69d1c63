"""What the largest column calls each case."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from rocspace._base.arrays import Vector
from rocspace.counts.weights import effective_size
from rocspace.inference.rates import rate_interval
from rocspace.multiclass.cases import MulticlassScores
from rocspace.report.classes.areas import name_of
from rocspace.report.classes.numbers import by_area
from rocspace.report.classes.shell import class_shell
from rocspace.report.explained import Entry, Shell, entries
from rocspace.report.plain import plain, plain_fields
from rocspace.report.section import Section, Summary, View, Work

_MATRIX = 16
_SHADES = 9

# --- numbers ----------------------------------------------------------------------------------


def _of_all(summary: Summary, work: Work) -> View:
    data = work.scores_of_classes
    found = zip(summary["classifiers"], data.names, strict=True)
    return {
        "classifiers": [
            {**each, "decision": decided(data, name, work.level)} for each, name in found
        ]
    }


def decided(data: MulticlassScores, name: str, level: float) -> View:
    """Count what the largest column calls each case; of several largest ones it is the first."""
    score = data.score[:, data.classifier(name), :]
    called = score.argmax(axis=1)
    largest = score[np.arange(len(data)), called]
    tied = (score == largest[:, None]).sum(axis=1) > 1
    k = len(data.classes)
    counts = np.bincount(data.label * k + called, data.weight, k * k).reshape(k, k)
    w = data.case_weight
    right = np.diagonal(counts)
    rows = [_effective(w[data.label == i]) for i in range(k)]
    columns = [_effective(w[called == i]) for i in range(k)]
    of_kind = float if data.weight is not None else int
    return {
        "counts": [[of_kind(n) for n in row] for row in counts],
        "correct": _rate(right.sum(), counts.sum(), _effective(w), level),
        "tied": of_kind(w[tied].sum()),
        "recall": [
            _rate(*each, level) for each in zip(right, counts.sum(axis=1), rows, strict=True)
        ],
        "precision": [
            _rate(*each, level) for each in zip(right, counts.sum(axis=0), columns, strict=True)
        ],
    }


def _effective(weight: Vector) -> float:
    return effective_size(weight) if weight.size else 0.0


def _rate(part: float, whole: float, n: float, level: float) -> View:
    """Return a share with its interval, by as many cases as the weights are worth."""
    value = part / whole if whole else float("nan")
    ends = rate_interval(value * n if whole else 0.0, n, level=level)
    return {"value": plain(value), **plain_fields(ends, "low", "high", "method")}


# --- what is shown ----------------------------------------------------------------------------


def _view(summary: Summary) -> View | None:
    labels = [each["label"] for each in summary["classes"]]
    if len(labels) > _MATRIX:
        return None
    return {
        "labels": labels,
        "several": len(summary["classifiers"]) > 1,
        "classifiers": [_shown(each, labels) for each in by_area(summary)],
    }


def _shown(each: Mapping[str, Any], labels: list[str]) -> View:
    found = each["decision"]
    rows = []
    for i, label in enumerate(labels):
        counts, whole = found["counts"][i], sum(found["counts"][i])
        cells = [
            {"n": n, "right": i == j, "shade": round(_SHADES * n / whole) if whole else 0}
            for j, n in enumerate(counts)
        ]
        rows.append({"label": label, "cells": cells, "recall": found["recall"][i]})
    return {"name": each["name"], "rows": rows, **found}


# --- how it was made --------------------------------------------------------------------------

_HOW = """
decision: The decision by the largest column
  Each case is called by the class whose column is the largest, which is optimal where columns are
  probabilities and all errors cost the same. Recall is the share of a class that is called so,
  precision the share of those called so that are of the class; intervals are exact.
  Source: Clopper and Pearson (1934), Biometrika 26:404-413
  Python: called = data.score[:, data.classifier({only}), :].argmax(axis=1)
  Shell: rocspace report {of_classes}{at_level}
"""


def _methods(summary: Summary, shell: Shell) -> Iterator[Entry]:
    only = name_of(summary).removeprefix(", ")
    return entries(_HOW, shell, only=only, of_classes=class_shell(summary))


SECTION = Section("class_confusion", _view, "Decisions", of_all=_of_all, methods=_methods)
