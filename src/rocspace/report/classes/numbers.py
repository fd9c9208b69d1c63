"""The numbers of several classes, as plain JSON types."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from math import prod
from typing import Any, get_args

import numpy as np

from rocspace._base.text import count
from rocspace.counts.table import ScoreTable
from rocspace.multiclass.cases import MulticlassScores, ScoresOfClasses, need_classes
from rocspace.multiclass.manifold import hum_estimate, pdi_estimate
from rocspace.multiclass.pairs import hand_till, hand_till_estimate, mu_auc_estimate, pairwise_areas
from rocspace.multiclass.rest import Average, class_skew, one_vs_rest_estimate
from rocspace.report.plain import plain, plain_estimate

STEPS = 5 * 10**8  # of a volume: some seconds
_EXPLORED = 24  # curves of classes
_DRAWN = 20_000  # sets of cases, if there are too many


def texts_of(classes: Sequence[Hashable]) -> dict[Hashable, str]:
    """Return each label as a text of its own: 1 and "1" are told apart."""
    said = [str(label) for label in classes]
    clash = len(set(said)) < len(said)
    return {label: repr(label) if clash else str(label) for label in classes}


def first_explored(data: MulticlassScores, chosen: str | None = None) -> str:
    """Return the chosen classifier, else that with the largest area of Hand and Till."""
    need_classes("summarise", data)
    if chosen is not None:
        return data.names[data.classifier(chosen)]
    if len(data.names) == 1:
        return data.names[0]
    return max(data.names, key=lambda name: hand_till(data, name))


def others_explored(data: MulticlassScores, best: str) -> list[str]:
    """Return the next best classifiers, as many as have few curves together with the best."""
    many = _EXPLORED // max(int(np.count_nonzero(data.sizes)), 1)
    if many < 2 or len(data.names) < 2:
        return []
    names = sorted(data.names, key=lambda name: -hand_till(data, name))
    return [name for name in names if name != best][: many - 1]


def tables_against_the_rest(data: MulticlassScores, name: str) -> dict[str, ScoreTable]:
    """Return the table of each class that has cases, against all other classes."""
    sizes = zip(texts_of(data.classes).items(), data.sizes, strict=True)
    return {text: data.table(label, name=name) for (label, text), size in sizes if size}


def plain_labels(data: ScoresOfClasses) -> list[dict[str, Any]]:
    """Return each class with the number of its cases."""
    of_kind = float if data.weight is not None else int
    sizes = zip(texts_of(data.classes).values(), data.sizes.tolist(), strict=True)
    return [{"label": text, "cases": of_kind(size)} for text, size in sizes]


def plain_classifier(data: MulticlassScores, name: str, level: float) -> dict[str, Any]:
    """Return the areas of a classifier: of all classes, against the rest, and of pairs."""
    areas: dict[str, Any] = {
        "hand-till": hand_till_estimate(data, name),
        "mu": mu_auc_estimate(data, name),
    }
    for average in get_args(Average):
        areas[average] = one_vs_rest_estimate(data, name, average=average)
    text = texts_of(data.classes)
    return {
        "name": name,
        "areas": {key: plain_estimate(area, level) for key, area in areas.items()},
        "against_the_rest": _against_the_rest(data, name, text, level),
        "pairs": _pairs(data, name, text, level),
    }


def volumes_of(
    data: MulticlassScores, name: str, *, steps: int | None = None
) -> tuple[dict[str, Any], int | None]:
    """Return the volumes that take few steps, and how many sets of cases were drawn, if not all.

    None stands for one that takes longer, or that lacks a class.
    """
    k, found = len(data.classes), dict.fromkeys(("pdi", "hum"))
    sizes = np.bincount(data.label, minlength=k).tolist()
    if not data.sizes.all():
        return found, None
    if k**3 * len(data) <= STEPS:
        found["pdi"] = pdi_estimate(data, name)
    each = k * 2**k
    most = STEPS if steps is None else steps
    if prod(sizes) * each <= most:
        found["hum"] = hum_estimate(data, name)
        return found, None
    sets = max(_DRAWN, *sizes)
    if sets * each > most or data.weight is not None:
        return found, None
    found["hum"] = hum_estimate(data, name, n_sets=sets, rng=0)
    return found, sets


def _against_the_rest(
    data: MulticlassScores, name: str, text: Mapping[Hashable, str], level: float
) -> list[dict[str, Any]]:
    rest: Any = one_vs_rest_estimate(data, name, average=None)
    skew = class_skew(data, name)
    span = dict(zip(skew.classes, zip(skew.low, skew.high, strict=True), strict=True))
    return [
        {
            "label": text[each],
            **plain_estimate(area, level),
            "any_mixture": {"low": plain(span[each][0]), "high": plain(span[each][1])},
        }
        for each, area in rest.items()
    ]


def _pairs(
    data: MulticlassScores, name: str, text: Mapping[Hashable, str], level: float
) -> list[dict[str, Any]]:
    pairs = pairwise_areas(data, name)
    columns = pairs.to_frame()
    directions = zip(columns["first_column"], columns["second_column"], strict=True)
    return [
        {
            "first": text[first],
            "second": text[second],
            "first_column": plain(one),
            "second_column": plain(two),
            **plain_estimate(area, level),
        }
        for ((first, second), area), (one, two) in zip(
            pairs.estimates.items(), directions, strict=True
        )
    ]


def by_area(summary: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the classifiers, the one with the largest area of Hand and Till first."""
    found = summary["classifiers"]
    return sorted(found, key=lambda each: -each["areas"]["hand-till"]["value"])


def ranks_of(summary: Mapping[str, Any]) -> dict[str, int]:
    """Return the rank of each classifier, 0 for the largest area."""
    return {each["name"]: rank for rank, each in enumerate(by_area(summary))}


def cases_of(summary: Mapping[str, Any]) -> dict[str, str]:
    """Return the number of cases of each class, as text."""
    return {each["label"]: count(each["cases"]) for each in summary["classes"]}
