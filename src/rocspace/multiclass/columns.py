"""How cases rank among the members of one class by its column, without sorting the column.

Only the members are sorted, and every case is looked up among them. All is counted in whole
numbers where the cases are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rocspace._base.arrays import Array, Ints, Vector
from rocspace.counts.rows import default_threads, in_threads

if TYPE_CHECKING:
    from rocspace._kernels.classes import Bins

_WIDE = 1024  # bins of equal width
_NARROW = 2  # narrow bins, for each member
_LIGHT = 16  # members of a narrow bin that are looked at one by one
_TAIL = 4  # members beyond the bins at either end, who would make them too wide


class Swept(NamedTuple):
    """What all columns say of the pairs of classes.

    Attributes
    ----------
    twice : ndarray, shape (k, k)
        ``twice[i, j]``: twice the weight of the pairs in which a case of class i beats one of
        class j in column i, ties one half.
    contribution : ndarray of float64, shape (n,) or (0,)
        For each case, the sum of what it wins and what it loses in all columns, times the factors.
    ends : ndarray of float64, shape (k, 2, k)
        ``ends[i]``: weight of each class at the smallest and at the largest score of column i.
    """

    twice: Array
    contribution: Vector
    ends: Vector


def sweep_columns(
    score: Array, label: Ints, weight: Vector | None, factor: Vector | None = None
) -> Swept:
    """Rank all cases by each column among the members of its class: O(n k + n log n).

    The contribution of a case of class i is the sum over all other classes j of ``factor[i, j]``
    times twice the weight of class j that it beats in column i, and of ``factor[j, i]`` times
    twice the weight of class j that beats it in column j. Two threads have half of the columns
    each.
    """
    k = score.shape[1]
    short = label.astype(np.min_scalar_type(k))  # read again for each column
    places = members_by_class(short, k)
    twice = np.zeros((k, k), dtype=np.int64 if weight is None else np.float64)
    ends = np.zeros((k, 2, k))

    def half(turn: int) -> Vector:
        total = np.zeros(0 if factor is None else label.size)
        for i in range(turn, k, 2):
            if not places[i].size:
                continue
            ranks = RankedColumn(score[:, i], short, weight, places[i])
            if factor is None:
                twice[i] = ranks.twice(np.zeros(k))
            else:
                of_pairs = np.where(np.arange(k) == i, 0.0, factor[i])
                twice[i] = ranks.twice(of_pairs, total)
                ranks.add_wins(of_pairs, total)
                ends[i] = ranks.ends(k)
        return total

    one, two = in_threads(min(2, default_threads()), half, range(2))
    return Swept(twice=twice, contribution=one + two, ends=ends)


def members_by_class(label: Ints, k: int) -> list[Ints]:
    """Return which cases are of each class."""
    order = np.argsort(label, kind="stable")  # by radix if the labels are short
    return np.split(order, np.cumsum(np.bincount(label, minlength=k))[:-1])


class RankedColumn:
    """All cases ranked by one column among the members of one class.

    Parameters
    ----------
    column : ndarray, shape (n,)
        A score for each case.
    label : ndarray of int64, shape (n,)
        The class of each case.
    weight : ndarray of float64, shape (n,), or None
        Weights of the cases.
    place : ndarray of int64
        Which cases are members of the class.
    """

    def __init__(self, column: Array, label: Ints, weight: Vector | None, place: Ints) -> None:
        from rocspace._kernels.classes import find_rows

        score = column[place]
        order = None if weight is None else np.argsort(score, kind="stable")
        rising = np.sort(score) if order is None else score[order]
        first = np.flatnonzero(np.append(np.True_, rising[1:] != rising[:-1]))
        below = np.append(first, rising.size)
        if weight is not None:
            below = np.append(0.0, np.cumsum(weight[place][order]))[below]
        different = weight is None and first.size == rising.size and rising.dtype.kind == "f"
        self._below = None if different else _half_of_ties(below)
        self._whole = 2 * below[-1]
        self._label, self._weight, self._column = label, weight, column
        self.place, self.size, self._ties = place, first.size, True
        self.row = np.empty(label.size, dtype=np.int32)
        find_rows(column, _bins(rising, rising[first]), self.row)

    def twice(self, factor: Vector, losses: Vector | None = None) -> Array:
        """Return twice the weight of the pairs of a member and a case of each class that it beats.

        ``losses[c]``, if they are given, grows by twice the weight of the members who beat case c
        times the factor of its class.
        """
        from rocspace._kernels.classes import count_losses

        found = np.zeros(factor.size, dtype=np.int64 if self._weight is None else np.float64)
        tied = count_losses(
            self._label, self._weight, self.row, self._below, self._whole, factor, found, losses
        )
        self._ties = tied > self.place.size
        return found

    def beaten(self, own: int, k: int) -> Array:
        """Return twice the weight of each class that a member beats, by the row of its score."""
        from rocspace._kernels.classes import count_wins

        kind = np.float64 if self._weight is not None else np.int64
        brief = self._weight is None and self.row.size < 1 << 30
        found = np.zeros((self.size + 1, k), dtype=np.int32 if brief else kind)
        count_wins(self._label, self._weight, self.row, own, self._ties, found)
        return found

    def add_wins(self, factor: Vector, total: Vector) -> None:
        """Add to the total of each member twice what it beats, times the factors of the classes.

        The factor of their own class is 0.
        """
        from rocspace._kernels.classes import add_wins

        won = np.zeros(self.size + 1)
        add_wins(self.place, self._label, self._weight, self.row, self._ties, factor, won, total)

    def ends(self, k: int) -> Vector:
        """Return the weight of each class at the smallest and at the largest score."""
        from rocspace._kernels.classes import count_ends

        found = np.zeros((2, k))
        count_ends(self._column, self._label, self._weight, found)
        return found


def _half_of_ties(below: Array) -> Array:
    """Return twice the weight below each row: below a distinct score, at it, and below the next."""
    found = np.repeat(2 * below, 2)
    found[1:-1:2] = below[1:] + below[:-1]
    return found


def _bins(rising: Array, distinct: Array) -> Bins:
    """Divide the range of rising scores into bins: narrow ones where there are many scores."""
    from rocspace._kernels.classes import Bins, count_wide, fill_starts

    cut = min(_TAIL, rising.size - 1)
    low, high = np.float64(rising[cut]), np.float64(rising[-1 - cut])
    with np.errstate(all="ignore"):
        scale = _WIDE / (high - low)
    if not 0 < scale < np.inf:
        low = scale = np.float64(0)
    count = np.zeros(_WIDE, dtype=np.int64)
    count_wide(distinct, low, scale, count)
    many = np.maximum(_NARROW * count, 1)
    first = np.append(0, np.cumsum(many)).astype(np.int32)
    start = np.zeros(int(first[-1]) + 1, dtype=np.int32)
    kind = distinct.dtype  # nothing exceeds the last one; no float equals it
    last = np.array([np.nan if kind.kind == "f" else np.iinfo(kind).max], dtype=kind)
    distinct = np.append(distinct, last)
    where = float(low), float(scale), first, many.astype(np.float64)
    most = fill_starts(distinct, *where, start)
    return Bins(distinct, *where, start, most <= _LIGHT)
