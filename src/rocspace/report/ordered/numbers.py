"""The numbers of markers of ordered classes, as plain JSON types."""

from __future__ import annotations

from collections.abc import Mapping
from math import factorial
from shlex import quote
from typing import Any

from rocspace.multiclass.cases import OrderedScores
from rocspace.multiclass.pairs import Direction, hand_till_estimate, pairwise_areas
from rocspace.multiclass.volumes import vus_estimate
from rocspace.report.classes.numbers import texts_of
from rocspace.report.explained import Shell
from rocspace.report.plain import plain_estimate


def plain_marker(
    data: OrderedScores, name: str, level: float, direction: Direction = "order"
) -> dict[str, Any]:
    """Return the volume of a marker, the mean area of its pairs of classes, and each of them."""
    volume = vus_estimate(data, name)  # which needs a case of each class
    text = texts_of(data.classes)
    pairs = pairwise_areas(data, name, direction=direction).estimates.items()
    mean = hand_till_estimate(data, name, direction=direction)
    return {
        "name": name,
        "vus": plain_estimate(volume, level),
        "hand_till": plain_estimate(mean, level),
        "pairs": [
            {"first": text[first], "second": text[second], **plain_estimate(area, level)}
            for (first, second), area in pairs
        ],
    }


def by_volume(summary: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the markers, the one with the largest volume first."""
    return sorted(summary["scores"], key=lambda each: -each["vus"]["value"])


def ranks_of(summary: Mapping[str, Any]) -> dict[str, int]:
    """Return the rank of each marker, 0 for the largest volume."""
    return {each["name"]: rank for rank, each in enumerate(by_volume(summary))}


def chance_of(summary: Mapping[str, Any]) -> float:
    """Return the volume of an uninformative marker."""
    return 1 / factorial(len(summary["classes"]))


def sense_of(volume: Mapping[str, Any], chance: float) -> str:
    """Return whether the interval of a volume lies "with" the order, "against" it, or at chance."""
    ends = volume["interval"]
    if ends["high"] < chance:
        return "against"
    return "chance" if ends["low"] <= chance else "with"


def name_of(summary: Mapping[str, Any]) -> str:
    """Return the argument that names the marker with the largest volume, where it is needed."""
    best = by_volume(summary)
    return f", {best[0]['name']!r}" if len(best) > 1 else ""


def ordered_shell(summary: Mapping[str, Any]) -> str:
    """Return the words after the verb."""
    source = {key: value for key, value in summary["source"].items() if key != "positive"}
    columns = Shell(summary["scores"], source, summary["settings"]["level"]).columns
    order = ",".join(each["label"] for each in summary["classes"])
    return f"{columns} --order {quote(order)}"
