"""What a reader should be warned of, in plain words."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from math import isclose
from typing import Any

import numpy as np

from rocspace._base import text as words
from rocspace._base.text import number
from rocspace.counts.paired import PairedScores
from rocspace.counts.table import ScoreTable, looks_like_id
from rocspace.report.section import Score, Section, Summary, View, Warned, Work

FEW = 10  # cases of a class
TIED = 0.1  # chance of a tie between the classes
RARE = 0.01  # share of the smaller class
NEARLY = 0.995  # an area that is rarely true
TWINS = 0.01  # share of cases that are the same as another one


def _warnings(summary: Summary, work: Work) -> list[Warned]:
    """Return what matters about all the data, then about each score."""
    scores = summary["scores"]
    found = list(_about_data(scores, summary["source"]))
    found += _about_pairs(summary.get("comparison"))
    found += _about_cases(scores, work.data)
    # What is true of every score alike is about the data, and said once.
    own = [
        [*_about_score(score), *_about_numbering(table)]
        for score, table in zip(scores, work.tables.values(), strict=True)
    ]
    for code, message in own[0]:
        if len(own) > 1 and code in _OF_DATA and all((code, message) in each for each in own):
            found.append((code, None, message))
    told = {(code, message) for code, name, message in found if name is None}
    for score, notes in zip(scores, own, strict=True):
        found += [(code, score["name"], text) for code, text in notes if (code, text) not in told]
    turned = {score["name"]: score["direction"] == "lower" for score in scores}
    return [
        {
            "code": code,
            "score": name,
            "message": text,
            "higher_is_positive": turned[name] if name and code == "below_chance" else None,
        }
        for code, name, text in found
    ]


_OF_DATA = {"few_positives", "few_negatives", "rare_class", "single_class"}


def _about_data(
    scores: Sequence[Score], source: Mapping[str, Any]
) -> Iterator[tuple[str, str | None, str]]:
    dropped = source.get("dropped")
    parts = dropped if isinstance(dropped, Mapping) else {}
    lost = {name: n for name, n in parts.items() if isinstance(n, (int, float)) and n}
    if lost:
        listed = ", ".join(f"{n:,} without {name}" for name, n in lost.items())
        text = f"Rows were dropped: {listed}. If values are missing for a reason, that biases."
        yield "dropped_rows", None, text
    counting = source.get("counting")
    counting = counting if isinstance(counting, Mapping) else {}
    for score in scores:
        if counting.get(score["name"]) == "binned" and score["auc"] is not None:
            ends = (score["auc"]["bounds"][end] for end in ("low", "high"))
            low, high = (words.share(end, 6) for end in ends)
            text = (
                "There are more distinct scores than are kept, so they were counted in bins. The "
                f"exact area lies between {low} and {high}, for certain."
            )
            yield "binned", score["name"], text
    if not same_cases(scores):
        text = "Not all scores have the same cases, so their areas cannot be compared directly."
        yield "different_cases", None, text


def _about_pairs(comparison: Mapping[str, Any] | None) -> Iterator[tuple[str, str | None, str]]:
    for pair in comparison["pairs"] if comparison else ():
        if pair["test"]["note"] == "no variance" and pair["value"] == 0:
            text = f"{pair['second']} puts the cases in the same order: is it the same score?"
            yield "same_order", pair["first"], text


def _about_cases(
    scores: Sequence[Score], data: PairedScores | None
) -> Iterator[tuple[str, str | None, str]]:
    """Warn of rows that are there twice, where scores are fine enough to tell."""
    if data is None or len(data.names) < 2 or max(s["distinct"] for s in scores) < len(data) / 5:
        return
    values = np.column_stack([data.label.astype(data.score.dtype), data.score])
    order = np.lexsort(values.T)
    values = values[order]
    alike = (values[1:] == values[:-1]).all(axis=1)
    twins = int((np.append(alike, False) | np.append(np.False_, alike)).sum())
    if twins <= TWINS * len(data) or alike.sum() < 10 * _chance_twins(data):
        return
    text = (
        f"{twins:,} of {len(data):,} cases have the label and all scores of another case. If "
        "rows are there twice, every interval is too narrow; if cases share their features, "
        "they may belong together (clusters)."
    )
    yield "duplicate_cases", None, text


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


def _about_numbering(table: ScoreTable) -> Iterator[tuple[str, str]]:
    """Warn of scores that are distinct, whole, and without a gap, as row numbers are."""
    if looks_like_id(table):
        text = "The score holds every whole number of its range once, as row numbers do."
        yield "looks_like_id", text


def same_cases(scores: Sequence[Score]) -> bool:
    """Tell whether all scores have as many cases, but for the rounding of sums of weights."""
    first = scores[0]
    return all(
        isclose(score[key], first[key], rel_tol=1e-9)
        for score in scores
        for key in ("n_pos", "n_neg")
    )


def _about_score(score: Score) -> Iterator[tuple[str, str]]:
    if score["error"] is not None:
        yield "single_class", score["error"]
        return
    yield from _about_sizes(score)
    yield from _about_area(score)
    if score["distinct"] == 1:
        yield "single_score", "All cases have the same score: it cannot tell them apart."
    elif score["tie_chance"] >= TIED:
        low, high = (score["auc"]["bounds"][end] for end in ("low", "high"))
        text = (
            f"In {words.percent(score['tie_chance'])} of the pairs of a positive and a negative "
            "both have the same score; each counts one half. Were all ties lost or won, the area "
            f"would be {words.share(low)} or {words.share(high)}."
        )
        yield "heavy_ties", text


def _about_sizes(score: Score) -> Iterator[tuple[str, str]]:
    for key, code, name in (
        ("pos", "few_positives", "positive"),
        ("neg", "few_negatives", "negative"),
    ):
        n = number(score["n_eff"][key])
        if n < FEW:
            effective = "effective " if score["weighted"] else ""
            many = name if round(n, 1) == 1 else f"{name}s"
            text = f"Only {n:.3g} {effective}{many}: intervals are wide, and still approximate."
            yield code, text
    share = score["prevalence"]
    if min(share, 1 - share) < RARE:
        name = "positive" if share < 0.5 else "negative"
        text = (
            f"Only {words.percent(min(share, 1 - share))} of the cases are {name}. The area does "
            "not depend on that, but predictive values do: look at them, not at the area alone."
        )
        yield "rare_class", text


def _about_area(score: Score) -> Iterator[tuple[str, str]]:
    area, high = score["auc"]["value"], score["auc"]["interval"]["high"]
    if area in (0, 1) and score["distinct"] == 2:
        text = "The score has two values, one for each class: is it the label itself?"
        yield "score_is_label", text
    elif area == 1:
        text = "The area is exactly 1. Has the score seen the label (leakage)?"
        yield "perfect_separation", text
    elif area >= NEARLY:
        text = (
            f"An area of {words.share(area)} is rarely true. Has the score seen the label, or what "
            "was known only later (leakage)?"
        )
        yield "nearly_perfect", text
    if area < 0.5:
        sure = "Wrong direction?" if high < 0.5 else "That may be chance, or the wrong direction."
        yield "below_chance", f"The area is below one half. {sure}"


# --- what is shown ----------------------------------------------------------------------------


def _view(summary: Summary) -> list[View] | None:
    return [{**each, "remedy": _remedy(each)} for each in summary["warnings"]] or None


def _remedy(warned: Mapping[str, Any]) -> str | None:
    """Spell the argument that would help, for both who write Python and who write commands."""
    higher = warned["higher_is_positive"]
    if higher is None:
        return None
    option = f"--lower-is-positive {shlex.quote(warned['score'])}"
    shell = f"without {option}" if higher else option
    return f"If it is wrong: higher_is_positive={higher} in Python, {shell} in a shell."


SECTION = Section("warnings", view=_view, warnings=_warnings)
