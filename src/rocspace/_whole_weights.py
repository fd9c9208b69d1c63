"""Weights that are whole numbers count equal cases; others do not, and where they are is said."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rocspace.table import ScoreTable

__all__ = ["frequencies"]


def frequencies(table: ScoreTable) -> ScoreTable:
    """Return frequency weights as counts of equal cases; they must be whole."""
    if not table.is_weighted:
        return table
    for name, column in (("positives", table.pos), ("negatives", table.neg)):
        broken = np.flatnonzero(column != np.round(column))
        if broken.size:
            at = broken[0]
            msg = (
                f"Frequency weights are whole numbers, but the {name} with score "
                f"{table.score[at]} weigh {column[at]} together."
            )
            raise ValueError(msg)
    pos, neg = table.pos.astype(np.int64), table.neg.astype(np.int64)
    return replace(table, pos=pos, neg=neg, pos_w2=None, neg_w2=None)
