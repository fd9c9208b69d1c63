"""What a reader of ordered classes should be warned of, in plain words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rocspace._base import text as words
from rocspace.report.classes import warnings as of_classes
from rocspace.report.explained import blocks
from rocspace.report.ordered.numbers import by_volume, chance_of, sense_of
from rocspace.report.section import Section, Summary, View, Warned, Work
from rocspace.report.sections.warnings import NEARLY

_TEXTS = """
volume_below_chance: The volume of {volume} is less than that of chance, {chance}: do the scores
  fall where they should rise?
volume_by_chance: The volume of {volume} ({interval}) may be that of chance, {chance}.
perfect_separation: The volume is 1. Has the score seen the label (leakage)?
nearly_perfect: A volume of {volume} is rarely genuine. Has the score seen the label, or what was
  known only later (leakage)?
"""
_SAID = dict(" ".join(lines).split(": ", 1) for lines in blocks(_TEXTS))


def _warnings(summary: Summary, work: Work) -> list[Warned]:
    found = of_classes.about_data(summary)
    several = len(summary["scores"]) > 1
    for each in by_volume(summary):
        name = each["name"] if several else None
        for code, known in _about_marker(each["vus"], chance_of(summary)):
            text = _SAID[code].format(**known)
            found.append({"code": code, "score": name, "message": text, "higher_is_positive": None})
    return found


def _about_marker(volume: Any, chance: float) -> Iterator[tuple[str, View]]:
    ends = volume["interval"]
    value, interval = words.estimate(volume["value"], ends["low"], ends["high"])
    known = {"volume": value, "interval": interval, "chance": words.share(chance)}
    sense = sense_of(volume, chance)
    if sense == "against":
        yield "volume_below_chance", known
    elif sense == "chance":
        yield "volume_by_chance", known
    if volume["value"] == 1:
        yield "perfect_separation", known
    elif volume["value"] >= NEARLY:
        yield "nearly_perfect", known


SECTION = Section("warnings", of_classes.SECTION.view, warnings=_warnings)
