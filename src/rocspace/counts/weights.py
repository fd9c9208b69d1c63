"""Sizes of weighted samples: counts of equal cases, or an effective number."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from rocspace._base.arrays import Array, Vector
from rocspace.counts.table import ScoreTable

_ALIKE = 1e-9  # weights whose ratio differs from 1 by less are equal
_ADDED = 2.0  # heavy cases that Agresti and Coull would add
_LIGHT = 0.1  # the share of a class that weighs no more than a light case


def effective_size(weight: Array) -> float:
    """Return the effective number of cases: (sum w)^2 / sum w^2, or 0."""
    w = weight.astype(np.float64)
    squares = float((w * w).sum())
    return float(w.sum()) ** 2 / squares if squares else 0.0


def squares_of(table: ScoreTable) -> tuple[Array, Array]:
    """Return the sums of squared weights of each row by class; for counts, the counts."""
    pos = table.pos if table.pos_w2 is None else table.pos_w2
    return pos, table.neg if table.neg_w2 is None else table.neg_w2


def equal_cases(table: ScoreTable) -> tuple[Array, Array] | None:
    """Return the numbers of cases at each score, or None if the weights of a class differ."""
    if table.pos_w2 is None or table.neg_w2 is None:
        return table.pos, table.neg
    numbers = []
    for weight, squares in ((table.pos, table.pos_w2), (table.neg, table.neg_w2)):
        of_one = squares.sum() / weight.sum()
        number = np.rint(weight / of_one)
        if not np.allclose((number * of_one, number * of_one**2), (weight, squares), _ALIKE, 0):
            return None
        numbers.append(number)
    return numbers[0], numbers[1]


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


# --- the heaviest case that a class may have --------------------------------------------------


class Heaviest(NamedTuple):
    """The largest weight that a case of a class may have, in units of the class.

    Attributes
    ----------
    weight : float
        The weight of a light case of the class times a ratio: that of heaviest to light case in
        the class where weights vary more.
    seen : float
        Number of cases of the class that weigh at least half of `weight`.
    typical, total : float
        The mean weight of the class, and the sum of its weights.
    """

    weight: float
    seen: float
    typical: float
    total: float

    @property
    def missing(self) -> float:
        """Number of such cases to add: Agresti and Coull's two, fewer if such were seen."""
        return _ADDED / (1 + self.seen)


def heaviest_of(table: ScoreTable) -> tuple[Heaviest, Heaviest] | None:
    """Return the heaviest case of both classes, or None for counts and equal weights.

    Cases of one row are taken to weigh the same. The weight of a light case is that which a
    tenth of its class does not exceed.
    """
    if not table.is_weighted:
        return None
    rows = [_rows(*each) for each in ((table.pos, table.pos_w2), (table.neg, table.neg_w2))]
    light = [_light(*each) for each in rows]
    ratio = max(float(weight.max()) / base for (weight, _), base in zip(rows, light, strict=True))
    if ratio <= 1 + _ALIKE:
        return None
    pos, neg = (
        Heaviest(
            weight=base * ratio,
            seen=float(many[weight >= base * ratio / 2 * (1 - _ALIKE)].sum()),
            typical=float((weight * many).sum() / many.sum()),
            total=float((weight * many).sum()),
        )
        for (weight, many), base in zip(rows, light, strict=True)
    )
    return pos, neg


def _rows(weight: Array, square: Array | None) -> tuple[Vector, Vector]:
    """Return the weight of one case of a class, and their number, in each row that has some."""
    assert square is not None
    own = square > 0  # else it weighs nothing beside the others
    return square[own] / weight[own], weight[own] ** 2 / square[own]


def _light(weight: Vector, many: Vector) -> float:
    order = np.argsort(weight)
    reached = np.cumsum(many[order])
    return float(weight[order][np.searchsorted(reached, _LIGHT * reached[-1] * (1 - _ALIKE))])
