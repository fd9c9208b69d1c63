"""How cases rank among the members of one class by its column, without sorting the column.

Only the members are sorted, and every case is looked up among them. All is counted in whole
numbers where the cases are.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rocspace._base.arrays import Array, Ints, Vector
from rocspace.counts.rows import default_threads, in_threads

_WIDE = 1024  # bins of equal width
_NARROW = 2  # narrow bins, for each member
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
    places = members_by_class(label, k)
    twice = np.zeros((k, k), dtype=np.int64 if weight is None else np.float64)
    ends = np.zeros((k, 2, k))

    def half(turn: int) -> Vector:
        total = np.zeros(0 if factor is None else label.size)
        for i in range(turn, k, 2):
            if not places[i].size:
                continue
            ranks = RankedColumn(score[:, i], label, weight, places[i])
            of_pairs = np.zeros(k) if factor is None else np.where(np.arange(k) == i, 0, factor[i])
            twice[i] = ranks.twice(k, of_pairs, total)
            if factor is not None:
                ranks.add_wins(i, of_pairs, total)
                ends[i] = ranks.ends(k)
        return total

    one, two = in_threads(min(2, default_threads()), half, range(2))
    return Swept(twice=twice, contribution=one + two, ends=ends)


def members_by_class(label: Ints, k: int) -> list[Ints]:
    """Return which cases are of each class."""
    narrow = label.astype(np.int16) if k < 1 << 15 else label  # sorted by radix
    order = np.argsort(narrow, kind="stable")
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
        distinct = np.append(rising[first], _above(rising.dtype))
        self._upto = (
            None if order is None and first.size == rising.size else np.append(first, rising.size)
        )
        if weight is not None:
            self._upto = np.append(0.0, np.cumsum(weight[place][order]))[self._upto]
        one = np.ones(1, dtype=np.int64) if weight is None else weight
        self._label, self._weight, self._column = label, one, column
        self.place, self.size, self._ties = place, first.size, True
        self.row = np.empty(label.size, dtype=np.int32)
        find_rows(column, distinct, *_bins(rising, distinct), self.row)

    def twice(self, k: int, factor: Vector, losses: Vector) -> Array:
        """Return twice the weight of the pairs of a member and a case of each class that it beats.

        ``losses[c]``, unless it is empty, grows by twice the weight of the members who beat case c
        times the factor of its class.
        """
        from rocspace._kernels.classes import count_losses

        found = np.zeros(k, dtype=self._weight.dtype)
        if self._upto is None:
            below, whole = np.zeros(0, dtype=np.int64), 2 * self.size
        else:
            below = np.repeat(2 * self._upto, 2)
            below[1:-1:2] = self._upto[1:] + self._upto[:-1]
            whole = below[-1]
        tied = count_losses(
            self._label, self._weight, self.row, below, whole, factor, found, losses
        )
        self._ties = tied > self.place.size
        return found

    def beaten(self, own: int, k: int) -> Array:
        """Return twice the weight of each class that a member beats, by the row of its score."""
        from rocspace._kernels.classes import count_wins

        whole = self._weight.dtype.kind == "i" and self.row.size < 1 << 30
        found = np.zeros((self.size + 1, k), dtype=np.int32 if whole else self._weight.dtype)
        count_wins(self._label, self._weight, self.row, own, self._ties, found)
        return found

    def add_wins(self, own: int, factor: Vector, total: Vector) -> None:
        """Add to the total of each member twice what it beats, times the factors of the classes."""
        from rocspace._kernels.classes import add_wins

        add_wins(self.place, self.row, self.beaten(own, factor.size), factor, total)

    def ends(self, k: int) -> Vector:
        """Return the weight of each class at the smallest and at the largest score."""
        from rocspace._kernels.classes import count_ends

        found = np.zeros((2, k))
        count_ends(self._column, self._label, self._weight, found)
        return found


def _above(kind: np.dtype) -> Array:
    """Return a value that no score of a type exceeds."""
    top = np.inf if kind.kind == "f" else np.iinfo(kind).max
    return np.array([top], dtype=kind)


def _bins(rising: Array, distinct: Array) -> tuple[float, float, Array, Vector, Array]:
    """Divide the range of rising scores into bins: narrow ones where there are many scores."""
    from rocspace._kernels.classes import count_wide, fill_starts

    cut = min(_TAIL, rising.size - 1)
    low, high = np.float64(rising[cut]), np.float64(rising[-1 - cut])
    with np.errstate(all="ignore"):
        scale = _WIDE / (high - low)
    if not 0 < scale < np.inf:
        low = scale = np.float64(0)
    count = np.zeros(_WIDE, dtype=np.int64)
    count_wide(distinct[:-1], low, scale, count)
    many = np.maximum(_NARROW * count, 1)
    first = np.append(0, np.cumsum(many)).astype(np.int32)
    start = np.empty(int(first[-1]) + 1, dtype=np.int32)
    bins = float(low), float(scale), first, many.astype(np.float64), start
    fill_starts(distinct, *bins)
    return bins
