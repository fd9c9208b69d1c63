"""Weights that are whole numbers count equal cases; others do not, and where they are is said."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rocspace.table import ScoreTable

__all__ = ["as_counts", "first_fraction"]


def first_fraction(table: ScoreTable) -> str | None:
    """Say which class weighs no whole number, and at which score; None if all are whole."""
    for name, column in (("positives", table.pos), ("negatives", table.neg)):
        broken = np.flatnonzero(column != np.round(column))
        if broken.size:
            at = broken[0]
            return f"the {name} with score {table.score[at]} weigh {column[at]} together"
    return None


def as_counts(table: ScoreTable) -> ScoreTable:
    """Return whole weights as counts of equal cases."""
    pos, neg = table.pos.astype(np.int64), table.neg.astype(np.int64)
    return replace(table, pos=pos, neg=neg, pos_w2=None, neg_w2=None)
