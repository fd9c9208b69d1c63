"""What a reader of several classes should be warned of, in plain words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rocspace._base import text as words
from rocspace.report.classes.numbers import by_area
from rocspace.report.explained import blocks
from rocspace.report.section import Section, Summary, View, Warned, Work
from rocspace.report.sections.warnings import FEW, NEARLY, lost_rows

WIDE = 0.1  # of an area against the rest, from mixture to mixture
_TEXTS = """
dropped_rows: Rows were dropped: {lost}. If values are not missing at random, the areas are biased.
absent_class: No case is of {label}: everything here is about the other classes.
few_cases: Only {n} of {label}: intervals of its areas are wide, and still approximate.
class_skew: Against the rest, {label} has an area of {area} in this mixture of the other classes,
  and between {low} and {high} in other mixtures: {hardest} is the hardest to tell from it.
pair_below_chance: {first} and {second} are told apart the wrong way round, in {area} of pairs. Do
  the columns belong to these classes?
pair_by_chance: {first} and {second} are hardly told apart: {area} ({interval}).
perfect_separation: All areas are 1. Have the scores seen the label (leakage)?
nearly_perfect: An area of {area} is rarely genuine. Have the scores seen the label, or what was
  known only later (leakage)?
tied_columns: In {tied} cases several columns are equally large; the first of them decides.
"""
_SAID = dict(" ".join(lines).split(": ", 1) for lines in blocks(_TEXTS))
_TIED = 0.01


def _warnings(summary: Summary, work: Work) -> list[Warned]:
    several = len(summary["classifiers"]) > 1
    found = about_data(summary)
    for each in by_area(summary):
        name = each["name"] if several else None
        found += [_about(code, name, **known) for code, known in _about_classifier(summary, each)]
    return found


def about_data(summary: Summary) -> list[Warned]:
    """Return what there is to say of the rows and the classes."""
    return [_about(code, None, **known) for code, known in _about_data(summary)]


def _about(code: str, name: str | None, **known: Any) -> Warned:
    text = _SAID[code].format(**known)
    return {"code": code, "score": name, "message": text, "higher_is_positive": None}


def _about_data(summary: Summary) -> Iterator[tuple[str, View]]:
    if lost := lost_rows(summary["source"]):
        yield "dropped_rows", {"lost": lost}
    for each in summary["classes"]:
        if not each["cases"]:
            yield "absent_class", {"label": each["label"]}
        elif each["cases"] < FEW:
            n = words.count(each["cases"])
            yield "few_cases", {"label": each["label"], "n": f"{n} case{'' if n == '1' else 's'}"}


def _about_classifier(summary: Summary, each: Any) -> Iterator[tuple[str, View]]:
    area = each["areas"]["hand-till"]["value"]
    if area == 1:
        yield "perfect_separation", {}
    elif area >= NEARLY:
        yield "nearly_perfect", {"area": words.share(area)}
    for pair in each["pairs"]:
        ends = pair["interval"]
        said = {"first": pair["first"], "second": pair["second"]}
        if ends["high"] < 0.5:
            yield "pair_below_chance", {**said, "area": words.percent(pair["value"])}
        elif ends["low"] <= 0.5 and ends["high"] - ends["low"] < 0.4:
            value, interval = words.estimate(pair["value"], ends["low"], ends["high"])
            yield "pair_by_chance", {**said, "area": value, "interval": interval}
    yield from _about_skew(each)
    tied = each["decision"]["tied"]
    if tied > _TIED * sum(one["cases"] for one in summary["classes"]):
        yield "tied_columns", {"tied": words.count(tied)}


def _about_skew(each: Any) -> Iterator[tuple[str, View]]:
    """Warn of the class whose area depends most on the mixture of the others."""
    if len(each["against_the_rest"]) < 3:
        return

    def width(one: Any) -> float:
        return float(one["any_mixture"]["high"] - one["any_mixture"]["low"])

    widest = max(each["against_the_rest"], key=width)
    if width(widest) > WIDE:
        yield (
            "class_skew",
            {
                "label": widest["label"],
                "area": words.share(widest["value"]),
                **{end: words.share(widest["any_mixture"][end]) for end in ("low", "high")},
                "hardest": hardest_of(each, widest["label"]),
            },
        )


def hardest_of(each: Any, label: str) -> str:
    """Return the class that is hardest to tell from one, in its own column."""
    own: dict[str, float] = {
        **{p["second"]: p["first_column"] for p in each["pairs"] if p["first"] == label},
        **{p["first"]: p["second_column"] for p in each["pairs"] if p["second"] == label},
    }
    return min(own, key=own.__getitem__)


def _view(summary: Summary) -> list[View] | None:
    return [{**each, "remedy": None} for each in summary["warnings"]] or None


SECTION = Section("warnings", _view, warnings=_warnings)
