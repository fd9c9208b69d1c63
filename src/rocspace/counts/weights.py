"""Sizes of weighted samples: counts of equal cases, or an effective number."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rocspace._base.arrays import Array
from rocspace.counts.table import ScoreTable


def effective_size(weight: Array) -> float:
    """Return the effective number of cases: (sum w)^2 / sum w^2, or 0."""
    w = weight.astype(np.float64)
    squares = float((w * w).sum())
    return float(w.sum()) ** 2 / squares if squares else 0.0


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
