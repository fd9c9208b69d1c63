"""What the largest column calls each case."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from rocspace._base.arrays import Array, Ints, Vector
from rocspace.counts.weights import effective_size
from rocspace.inference.rates import rate_interval
from rocspace.multiclass.cases import MulticlassScores
from rocspace.multiclass.costs import ClassCostsLike, cost_matrix
from rocspace.multiclass.decisions import best_class_weights, decide_classes
from rocspace.report.classes.areas import name_of
from rocspace.report.classes.numbers import by_area
from rocspace.report.classes.shell import class_shell
from rocspace.report.explained import Entry, Shell, entries
from rocspace.report.plain import plain, plain_estimate, plain_fields, plain_list
from rocspace.report.section import Section, Summary, View, Work

_MATRIX = 16
_SHADES = 9
_SEARCHED = 20_000  # cases up to which weights are chosen
RULES = {
    "largest": "Largest column",
    "expected cost": "Least expected cost",
    "weights": "Best weights of the columns",
}

# --- numbers ----------------------------------------------------------------------------------


def _of_all(summary: Summary, work: Work) -> View:
    data = work.scores_of_classes
    found = zip(summary["classifiers"], data.names, strict=True)
    costs = None if work.more is None else work.more.costs
    return {
        "classifiers": [
            {
                **each,
                "decision": decided(data, name, work.level),
                **({} if costs is None else {"at_costs": _at_costs(data, name, costs, work.level)}),
            }
            for each, name in found
        ]
    }


def _at_costs(data: MulticlassScores, name: str, costs: ClassCostsLike, level: float) -> View:
    """Return what decisions cost: by the largest column, by expected cost, by the best weights."""
    paid = cost_matrix(costs, data.classes)
    found = {
        "largest": decide_classes(data, name, costs=paid),
        "expected cost": decide_classes(data, name, costs=paid, rule="expected cost"),
    }
    if len(data) <= _SEARCHED:
        found["weights"] = best_class_weights(data, name, costs=paid)
    return {
        "costs": [plain_list(row) for row in paid.cost],
        "rules": [
            {
                "rule": rule,
                "class_weight": plain_list(each.class_weight),
                "cost": plain_estimate(each.cost_estimate(), level),
                **_counted(data, _places_of(data, each.classify(data)), level),
            }
            for rule, each in found.items()
        ],
    }


def _places_of(data: MulticlassScores, labels: Array) -> Ints:
    place = {label: i for i, label in enumerate(data.classes)}
    return np.array([place[label] for label in labels.tolist()], dtype=np.int64)


def decided(data: MulticlassScores, name: str, level: float) -> View:
    """Count what the largest column calls each case; of several largest ones it is the first."""
    score = data.score[:, data.classifier(name), :]
    called = score.argmax(axis=1)
    largest = score[np.arange(len(data)), called]
    tied = data.case_weight[(score == largest[:, None]).sum(axis=1) > 1].sum()
    found = _counted(data, called, level)
    of_kind = float if data.weight is not None else int
    return {**found, "tied": of_kind(tied)}


def _counted(data: MulticlassScores, called: Ints, level: float) -> View:
    """Count what each case was called, and how much of that is right."""
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
    priced = "at_costs" in summary["classifiers"][0]
    labels = [each["label"] for each in summary["classes"]]
    if len(labels) > _MATRIX:
        return None
    return {
        "labels": labels,
        "several": len(summary["classifiers"]) > 1,
        "classifiers": [_shown(each, labels) for each in by_area(summary)],
        "costs": summary["classifiers"][0]["at_costs"]["costs"] if priced else None,
    }


def _shown(each: Mapping[str, Any], labels: list[str]) -> View:
    at_costs = each.get("at_costs", {"rules": ()})["rules"]
    return {
        "name": each["name"],
        "tied": each["decision"]["tied"],
        **_matrix(each["decision"], labels),
        "rules": [
            {**rule, **_matrix(rule, labels), "title": RULES[rule["rule"]]} for rule in at_costs
        ],
    }


def _matrix(found: Mapping[str, Any], labels: list[str]) -> View:
    """Return the rows of a confusion matrix, and the rates below it."""
    rows = []
    for i, label in enumerate(labels):
        counts, whole = found["counts"][i], sum(found["counts"][i])
        cells = [
            {"n": n, "right": i == j, "shade": round(_SHADES * n / whole) if whole else 0}
            for j, n in enumerate(counts)
        ]
        rows.append({"label": label, "cells": cells, "recall": found["recall"][i]})
    return {"rows": rows, "precision": found["precision"], "correct": found["correct"]}


# --- how it was made --------------------------------------------------------------------------

_HOW = """
decision: The decision by the largest column
  Each case is assigned to the class whose column is largest, which is optimal where columns are
  probabilities and all errors cost the same. Recall is the share of the cases of a class that are
  assigned to it, precision the share of the cases assigned to a class that are of it; intervals are
  exact.
  Source: Clopper and Pearson (1934), Biometrika 26:404-413
  Python: called = data.score[:, data.classifier({only}), :].argmax(axis=1)
  Shell: rocspace report {of_classes}{at_level}
"""


_COSTS = """
at_costs: Decisions at given costs
  One rule takes the class with the least expected cost, which is optimal where columns are
  probabilities. The other takes the largest product of a column and a weight of its class, with the
  weights that cost least on these same cases; its cost is optimistic.
  Source: Domingos (1999), KDD 5:155-164, section 2; Lachiche and Flach (2003), ICML 20:416-423
  Python: decide_classes(data{name}, costs=costs, rule="expected cost")
  Python: best_class_weights(data{name}, costs=costs)
  Shell: rocspace choose {of_classes} --cost-matrix COSTS
"""


def _methods(summary: Summary, shell: Shell) -> Iterator[Entry]:
    told = _HOW + (_COSTS.lstrip() if "at_costs" in summary["classifiers"][0] else "")
    only = name_of(summary).removeprefix(", ")
    words = {"only": only, "name": name_of(summary), "of_classes": class_shell(summary)}
    return entries(told, shell, **words)


SECTION = Section("class_confusion", _view, "Decisions", of_all=_of_all, methods=_methods)
