"""What a result shows of itself, in a notebook and when printed, and the numbers on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rocspace._base.text import NOTHING, Said, count, estimate, interval, level_text, share

LEVEL = 0.95
ROWS = 8  # of a table that is longer


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """Rows by name, perhaps a table, and a picture for notebooks."""

    rows: Mapping[str, str]
    header: Sequence[str] = ()
    table: Sequence[Sequence[str]] = ()
    image: str = ""


def ends_of(found: Any) -> str:
    """Return both ends of an interval."""
    return interval(found.low, found.high)


def said(found: Any) -> Said:
    """Return an estimate and its interval as texts."""
    return estimate(found.value, *found.interval(LEVEL))


def level_of(level: float = LEVEL) -> str:
    """Return a confidence level; a certain bound has none."""
    return level_text(level) if level == level else "certain"


def first_rows(rows: Sequence[Sequence[str]], n: int) -> list[Sequence[str]]:
    """Return the first of n rows, and how many more there are."""
    first = list(rows[:ROWS])
    if n > ROWS:
        first.append((f"and {n - ROWS:,} more", *[""] * (len(first[0]) - 1)))
    return first


def crossed(counts: Any, before: Mapping[str, str], after: Mapping[str, str]) -> Card:
    """Return the card of four counts: a cross table, and three rates between other rows."""
    pairs = {
        "True positive rate": (counts.tp, counts.fn),
        "False positive rate": (counts.fp, counts.tn),
        "Precision": (counts.tp, counts.fp),
    }
    rates = {
        name: share(part / (part + rest)) if part + rest else NOTHING
        for name, (part, rest) in pairs.items()
    }
    return Card(
        rows={**before, **rates, **after},
        header=("", "called positive", "called negative"),
        table=[
            ("positive", count(counts.tp), count(counts.fn)),
            ("negative", count(counts.fp), count(counts.tn)),
        ],
    )
