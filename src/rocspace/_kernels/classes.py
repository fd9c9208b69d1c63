"""Compiled loops that rank cases of several classes by one column of scores.

As in `rocspace._kernels.sorting`: imported on first use, releasing the GIL, cached on disk,
plain loops. A loop for each thing that is counted runs twice as fast as one loop for all.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rocspace._kernels.sorting import AnyArray, IntArray, compiled

_BLOCK = 1024  # cases whose rows stay in a processor's cache


class Bins(NamedTuple):
    """Rising distinct scores, and where to look for one.

    Attributes
    ----------
    distinct : ndarray, shape (n + 1,)
        The scores, and a last one that no score exceeds, which does not count.
    low, scale : float
        A wide bin is the whole part of ``(x - low) * scale``.
    first : ndarray of int32, many : ndarray of float64
        Each wide bin is divided into `many` narrow ones, whose numbers begin at `first`.
    start : ndarray of int32
        Where each narrow bin starts among the scores, and where the last one ends.
    light : bool
        Whether no bin has many scores, so that they can be looked at one by one.
    """

    distinct: AnyArray
    low: float
    scale: float
    first: IntArray
    many: AnyArray
    start: IntArray
    light: bool


@compiled
def _bin_of(x: Any, low: float, scale: float, first: IntArray, many: AnyArray) -> Any:
    """Return which narrow bin a score is in; a larger score is never in an earlier one."""
    at = (np.float64(x) - low) * scale
    if not at > 0:
        return 0
    if at >= many.size:
        return first[many.size] - 1
    wide = int(at)
    return first[wide] + int((at - wide) * many[wide])


@compiled
def count_wide(distinct: AnyArray, low: float, scale: float, count: IntArray) -> None:
    """Count the scores in each wide bin."""
    for r in range(distinct.size):
        at = (np.float64(distinct[r]) - low) * scale
        if 0 <= at < count.size:
            count[int(at)] += 1


@compiled
def fill_starts(
    distinct: AnyArray, low: float, scale: float, first: IntArray, many: AnyArray, start: IntArray
) -> int:
    """Write where each narrow bin starts and the last ends; return the largest number in one.

    `start` is zero before; of `distinct` the last does not count.
    """
    most = 0
    for r in range(distinct.size - 1):
        start[_bin_of(distinct[r], low, scale, first, many) + 1] += 1
    for b in range(1, start.size):
        most = max(most, start[b])
        start[b] += start[b - 1]
    return most


@compiled
def find_rows(column: AnyArray, bins: Bins, row: IntArray) -> None:
    """Write twice how many of the rising distinct scores are below each score of a column.

    A score that equals one of them has one more.
    """
    distinct, start = bins.distinct, bins.start
    where = np.empty(_BLOCK, dtype=np.int64)
    for begin in range(0, column.size, _BLOCK):
        held, out = column[begin : begin + _BLOCK], row[begin : begin + _BLOCK]
        for c in range(held.size):
            where[c] = _bin_of(held[c], bins.low, bins.scale, bins.first, bins.many)
        if bins.light:
            for c in range(held.size):
                x, r = held[c], start[where[c]]
                r += distinct[r] < x  # no branch: it would be guessed wrong half of the time
                while distinct[r] < x:
                    r += 1
                out[c] = 2 * r + (distinct[r] == x)
            continue
        for c in range(held.size):
            x, r, end = held[c], start[where[c]], start[where[c] + 1]
            while r < end:
                middle = (r + end) // 2
                if distinct[middle] < x:
                    r = middle + 1
                else:
                    end = middle
            out[c] = 2 * r + (distinct[r] == x)


@compiled
def count_losses(
    label: IntArray,
    weight: AnyArray | None,
    row: IntArray,
    below: AnyArray | None,
    whole: Any,
    factor: AnyArray,
    twice: AnyArray,
    losses: AnyArray | None,
) -> int:
    """Count the members who beat each case.

    ``below[row]`` is twice the weight of the members below a case, ties one half, of `whole` twice
    the weight; where it is None they weigh 1 and have different scores. ``twice[j]`` grows by
    twice the weight of the pairs in which a member beats a case of class j, and ``losses[c]``,
    unless it is None, by that of case c times the factor of its class. Return how many cases are
    tied with a member, the members among them.
    """
    tied = 0
    for c in range(label.size):
        j, r = label[c], row[c]
        tied += r & 1
        lost = whole - (r if below is None else below[r])
        twice[j] += lost if weight is None else weight[c] * lost
        if losses is not None:
            losses[c] += factor[j] * lost
    return tied


@compiled
def count_wins(
    label: IntArray,
    weight: AnyArray | None,
    row: IntArray,
    own: int,
    ties: bool,
    beaten: AnyArray,
) -> None:
    """Write twice the weight of each class that a member with each distinct score beats.

    Ties count one half; those with the own class are left out. There are no others unless `ties`.
    """
    rows, k = beaten.shape
    for c in range(label.size):
        beaten[row[c] >> 1, label[c]] += 1 if weight is None else weight[c]
    below = np.zeros(k, dtype=beaten.dtype)
    for r in range(rows):
        for j in range(k):
            below[j] += beaten[r, j]
            beaten[r, j] = 2 * below[j]
    if ties:
        for c in range(label.size):
            if (row[c] & 1) & (label[c] != own):
                beaten[row[c] >> 1, label[c]] -= 1 if weight is None else weight[c]


@compiled
def add_wins(
    place: IntArray,
    label: IntArray,
    weight: AnyArray | None,
    row: IntArray,
    ties: bool,
    factor: AnyArray,
    won: AnyArray,
    total: AnyArray,
) -> None:
    """Add to the total of each member twice the weight of what it beats, times factors of classes.

    The factor of the own class is 0. `won` is zero before, and has a place for each distinct score.
    """
    for c in range(label.size):
        f = factor[label[c]]
        won[row[c] >> 1] += f if weight is None else f * weight[c]
    below = 0.0
    for r in range(won.size):
        below += won[r]
        won[r] = 2 * below
    if ties:
        for c in range(label.size):
            f = (row[c] & 1) * factor[label[c]]
            won[row[c] >> 1] -= f if weight is None else f * weight[c]
    for c in place:
        total[c] += won[row[c] >> 1]


@compiled
def count_ends(column: AnyArray, label: IntArray, weight: AnyArray | None, ends: AnyArray) -> None:
    """Write the weight of each class at the smallest and at the largest score of a column."""
    least, most = column[0], column[0]
    for c in range(label.size):
        x = column[c]
        if x <= least or x >= most:
            if x < least:
                least = x
                ends[0, :] = 0
            if x > most:
                most = x
                ends[1, :] = 0
            w = 1.0 if weight is None else weight[c]
            ends[0, label[c]] += w * (x == least)
            ends[1, label[c]] += w * (x == most)
