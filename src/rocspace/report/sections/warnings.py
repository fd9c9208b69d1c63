"""What a reader should be warned of, in plain words."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from math import isclose
from typing import Any, TypeAlias

import numpy as np

from rocspace._base import text as words
from rocspace._base.text import number
from rocspace.counts.paired import PairedScores
from rocspace.counts.table import ScoreTable, looks_like_id
from rocspace.report.explained import blocks
from rocspace.report.section import Score, Section, Summary, View, Warned, Work

FEW = 10  # cases of a class
TIED = 0.1  # probability of a tie between the classes
RARE = 0.01  # share of the smaller class
NEARLY = 0.995  # an area so large that it is rarely real
TWINS = 0.01  # share of cases that are equal to another one


_TEXTS = """
binned: There are more distinct scores than are kept, so they were counted in bins. The exact area
  lies between {low} and {high}, for certain.
different_cases: Not all scores are of the same cases, so their areas cannot be compared directly.
  To compare them, keep the cases that have all scores, as rocspace compare does.
dropped_rows: Rows were dropped: {lost}. If values are not missing at random, the areas are biased.
left_out: Column {column} is left out: {why}.
duplicate_cases: {twins:,} of {n:,} rows are equal to another row in the label and all scores.
  Were cases entered twice? Remove the copies, or every interval is too narrow. Are they different
  cases that happen to be alike? Then nothing is wrong. Are they of one patient, or of one family?
  Then give the column that says so as cluster.
same_order: {second} puts the cases in the same order: is it the same score?
few_positives: Only {n} {positives}: intervals are wide, and still approximate.
few_negatives: Only {n} {negatives}: intervals are wide, and still approximate.
rare_class: Only {share} of the cases are {rare}. The area does not depend on that, but predictive
  values do: look at them, not at the area alone.
single_class: {error}
single_score: All cases have the same score: it cannot tell them apart.
heavy_ties: In {chance} of the pairs of a positive and a negative both have the same score; each
  counts one half. Were all ties lost or won, the area would be {low} or {high}.
score_is_label: The score has two values, one for each class: is it the label itself?
perfect_separation: The area is exactly 1. Has the score seen the label (leakage)?
nearly_perfect: An area of {area} is rarely genuine. Has the score seen the label, or what was known
  only later (leakage)?
below_chance: The area is below one half. {sure}
looks_like_id: The score has every whole number of its range once, as row numbers do.
"""
_SAID = dict(" ".join(lines).split(": ", 1) for lines in blocks(_TEXTS))
_OF_DATA = {"few_positives", "few_negatives", "rare_class", "single_class"}

About: TypeAlias = tuple[str, str | None, str]
"""The code of a warning, the score that it is about (None: all), and its words."""


def _about(code: str, name: str | None = None, **known: Any) -> About:
    return code, name, _SAID[code].format(**known)


# --- what is wrong ----------------------------------------------------------------------------


def _warnings(summary: Summary, work: Work) -> list[Warned]:
    return warnings_of(summary, work.tables, work.data)


def warnings_of(
    summary: Summary, tables: Mapping[str, ScoreTable], data: PairedScores | None = None
) -> list[Warned]:
    """Return what matters about all the data, then about each score."""
    scores = summary["scores"]
    found = list(_about_data(scores, summary["source"]))
    found += _about_pairs(summary.get("comparison"))
    found += _about_cases(scores, data)
    # A warning that applies to every score is about the data, and given once.
    own = [
        [*_about_score(score), *_about_numbering(score["name"], table)]
        for score, table in zip(scores, tables.values(), strict=True)
    ]
    told = [{(code, text) for code, _, text in each} for each in own]
    once = set.intersection(*told) if len(own) > 1 else set()
    once = {each for each in once if each[0] in _OF_DATA}
    found += [(code, None, text) for code, _, text in own[0] if (code, text) in once]
    found += [about for each in own for about in each if (about[0], about[2]) not in once]
    turned = {score["name"]: score["direction"] == "lower" for score in scores}
    mends = [turned[name] if name and code == "below_chance" else None for code, name, _ in found]
    return [
        {"code": code, "score": name, "message": text, "higher_is_positive": mend}
        for (code, name, text), mend in zip(found, mends, strict=True)
    ]


def _about_data(scores: Sequence[Score], source: Mapping[str, Any]) -> Iterator[About]:
    counting = source.get("counting")
    counting = counting if isinstance(counting, Mapping) else {}
    if lost := lost_rows(source):
        yield _about("dropped_rows", lost=lost)
    left_out = source.get("left_out")
    for column, why in left_out.items() if isinstance(left_out, Mapping) else ():
        yield _about("left_out", column=column, why=why)
    for score in scores:
        if counting.get(score["name"]) == "binned" and score["auc"] is not None:
            low, high = (words.share(score["auc"]["bounds"][end], 6) for end in ("low", "high"))
            yield _about("binned", score["name"], low=low, high=high)
    if not same_cases(scores):
        yield _about("different_cases")


def lost_rows(source: Mapping[str, Any]) -> str:
    """Return in words how many rows lack what; "" where none does."""
    dropped = source.get("dropped")
    known = dropped if isinstance(dropped, Mapping) else {}
    lost = {name: n for name, n in known.items() if isinstance(n, (int, float)) and n}
    return ", ".join(f"{n:,} without {name}" for name, n in lost.items())


def _about_pairs(comparison: Mapping[str, Any] | None) -> Iterator[About]:
    for pair in comparison["pairs"] if comparison else ():
        if pair["test"]["note"] == "no variance" and pair["value"] == 0:
            yield _about("same_order", pair["first"], second=pair["second"])


def _about_cases(scores: Sequence[Score], data: PairedScores | None) -> Iterator[About]:
    """Warn of rows that are there twice, where scores are fine enough to tell."""
    if data is None or len(data.names) < 2 or max(s["distinct"] for s in scores) < len(data) / 5:
        return
    values = np.column_stack([data.label.astype(data.score.dtype), data.score])
    order = np.lexsort(values.T)
    values = values[order]
    alike = (values[1:] == values[:-1]).all(axis=1)
    twins = int((np.append(alike, False) | np.append(np.False_, alike)).sum())
    if twins > TWINS * len(data) and alike.sum() >= 10 * _chance_twins(data):
        yield _about("duplicate_cases", twins=twins, n=len(data))


def _chance_twins(data: PairedScores) -> float:
    """Return how many pairs of equal cases there would be if the scores were independent."""
    pairs = 0.0
    for of_class in (data.label, ~data.label):
        n = float(of_class.sum())
        chance = n * (n - 1) / 2
        for column in data.score[of_class].T:
            same = np.unique(column, return_counts=True)[1].astype(np.float64)
            chance *= float((same * (same - 1)).sum()) / max(n * (n - 1), 1.0)
        pairs += chance
    return pairs


def _about_numbering(name: str, table: ScoreTable) -> Iterator[About]:
    """Warn of scores that are distinct, whole, and without a gap, as row numbers are."""
    if looks_like_id(table):
        yield _about("looks_like_id", name)


def same_cases(scores: Sequence[Score]) -> bool:
    """Tell whether all scores have as many cases, but for the rounding of sums of weights."""
    first = scores[0]
    return all(
        isclose(score[key], first[key], rel_tol=1e-9)
        for score in scores
        for key in ("n_pos", "n_neg")
    )


def _about_score(score: Score) -> Iterator[About]:
    name = score["name"]
    if score["error"] is not None:
        yield _about("single_class", name, error=score["error"])
        return
    yield from _about_sizes(score)
    yield from _about_area(score)
    if score["distinct"] == 1:
        yield _about("single_score", name)
    elif score["tie_chance"] >= TIED:
        low, high = (words.share(score["auc"]["bounds"][end]) for end in ("low", "high"))
        chance = words.percent(score["tie_chance"])
        yield _about("heavy_ties", name, chance=chance, low=low, high=high)


def _about_sizes(score: Score) -> Iterator[About]:
    for key, name in (("pos", "positive"), ("neg", "negative")):
        n = number(score["n_eff"][key])
        if n < FEW:
            effective = "effective " if score["weighted"] else ""
            many = f"{effective}{name}{'' if round(n, 1) == 1 else 's'}"
            yield _about(f"few_{name}s", score["name"], n=words.count(n), **{f"{name}s": many})
    share = score["prevalence"]
    if min(share, 1 - share) < RARE:
        least = words.percent(min(share, 1 - share))
        rare = "positive" if share < 0.5 else "negative"
        yield _about("rare_class", score["name"], share=least, rare=rare)


def _about_area(score: Score) -> Iterator[About]:
    name, area, high = score["name"], score["auc"]["value"], score["auc"]["interval"]["high"]
    if area in (0, 1) and score["distinct"] == 2:
        yield _about("score_is_label", name)
    elif area == 1:
        yield _about("perfect_separation", name)
    elif area >= NEARLY:
        yield _about("nearly_perfect", name, area=words.share(area))
    if area < 0.5:
        sure = "Wrong direction?" if high < 0.5 else "That may be chance, or the wrong direction."
        yield _about("below_chance", name, sure=sure)


# --- what is shown ----------------------------------------------------------------------------


def _view(summary: Summary) -> list[View] | None:
    return [{**each, "remedy": _remedy(each)} for each in summary["warnings"]] or None


def _remedy(warned: Mapping[str, Any]) -> str | None:
    """Spell the argument that would help, both in Python and on the command line."""
    higher = warned["higher_is_positive"]
    if higher is None:
        return None
    option = f"--lower-is-positive {shlex.quote(warned['score'])}"
    shell = f"without {option}" if higher else option
    return f"If it is wrong: higher_is_positive={higher} in Python, {shell} in a shell."


SECTION = Section("warnings", _view, warnings=_warnings)
