"""Compiled loops that rank cases of several classes by one column of scores.

As in `rocspace._kernels.sorting`: imported on first use, releasing the GIL, cached on disk,
plain loops. A loop for each thing that is counted runs twice as fast as one loop for all.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rocspace._kernels.sorting import AnyArray, IntArray, compiled

_BLOCK = 1024  # cases whose bins stay in a processor's cache
_FEW = 4  # scores of a bin that are looked at one by one


@compiled
def _bin_of(x: Any, low: float, scale: float, first: IntArray, many: AnyArray) -> Any:
    """Return which bin a score is in; a larger score is never in an earlier one.

    Wide bins of equal width, the first at `low`, are divided into `many` narrow ones each, whose
    numbers begin at `first`.
    """
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
) -> None:
    """Write where each narrow bin starts among rising distinct scores, and where the last ends."""
    b, n = 0, distinct.size - 1
    for r in range(n):
        own = _bin_of(distinct[r], low, scale, first, many)
        while b <= own:
            start[b] = r
            b += 1
    start[b:] = n


@compiled
def find_rows(
    column: AnyArray,
    distinct: AnyArray,
    low: float,
    scale: float,
    first: IntArray,
    many: AnyArray,
    start: IntArray,
    row: IntArray,
) -> None:
    """Write twice how many of the rising distinct scores are below each score of a column.

    A score that equals one of them has one more. None is above the last of them, which does not
    count. The others are divided into bins, as `fill_starts` does.
    """
    n = distinct.size - 1
    bins = np.empty(_BLOCK, dtype=np.int64)
    for begin in range(0, column.size, _BLOCK):
        held = column[begin : begin + _BLOCK]
        for c in range(held.size):
            bins[c] = _bin_of(held[c], low, scale, first, many)
        for c in range(held.size):
            x, r, end = held[c], start[bins[c]], start[bins[c] + 1]
            if end - r > _FEW:
                while r < end:
                    middle = (r + end) // 2
                    if distinct[middle] < x:
                        r = middle + 1
                    else:
                        end = middle
            else:
                r += distinct[r] < x  # no branch: it would be guessed wrong half of the time
                while distinct[r] < x:
                    r += 1
            row[begin + c] = 2 * r + ((distinct[r] == x) & (r < n))


@compiled
def count_losses(
    label: IntArray,
    weight: AnyArray,
    row: IntArray,
    below: AnyArray,
    whole: Any,
    factor: AnyArray,
    twice: AnyArray,
    losses: AnyArray,
) -> int:
    """Count the members who beat each case.

    ``below[row]`` is twice the weight of the members below a case, ties one half, of `whole` twice
    the weight; where it is empty they weigh 1 and have different scores. ``twice[j]`` grows by
    twice the weight of the pairs in which a member beats a case of class j, and ``losses[c]``,
    unless it is empty, by that of case c times the factor of its class. Return how many cases are
    tied with a member, the members among them.
    """
    tied = 0
    for c in range(label.size):
        j, r = label[c], row[c]
        tied += r & 1
        lost = whole - (below[r] if below.size else r)
        twice[j] += weight[c if weight.size > 1 else 0] * lost
        if losses.size:
            losses[c] += factor[j] * lost
    return tied


@compiled
def count_wins(
    label: IntArray, weight: AnyArray, row: IntArray, own: int, ties: bool, beaten: AnyArray
) -> None:
    """Write twice the weight of each class that a member with each distinct score beats.

    Ties count one half; those with the own class are left out. There are no others unless `ties`.
    """
    rows, k = beaten.shape
    for c in range(label.size):
        beaten[row[c] >> 1, label[c]] += weight[c if weight.size > 1 else 0]
    below = np.zeros(k, dtype=beaten.dtype)
    for r in range(rows):
        for j in range(k):
            below[j] += beaten[r, j]
            beaten[r, j] = 2 * below[j]
    if ties:
        for c in range(label.size):
            if (row[c] & 1) & (label[c] != own):
                beaten[row[c] >> 1, label[c]] -= weight[c if weight.size > 1 else 0]


@compiled
def count_ends(column: AnyArray, label: IntArray, weight: AnyArray, ends: AnyArray) -> None:
    """Write the weight of each class at the smallest and at the largest score of a column."""
    least, most = column[0], column[0]
    for c in range(label.size):
        x, j = column[c], label[c]
        if x <= least:
            if x < least:
                least = x
                ends[0, :] = 0
            ends[0, j] += weight[c if weight.size > 1 else 0]
        if x >= most:
            if x > most:
                most = x
                ends[1, :] = 0
            ends[1, j] += weight[c if weight.size > 1 else 0]


@compiled
def add_wins(
    place: IntArray, row: IntArray, beaten: AnyArray, factor: AnyArray, total: AnyArray
) -> None:
    """Add to the total of each member what it beats, times the factors of the classes."""
    won = np.empty(beaten.shape[0])
    for r in range(won.size):
        won[r] = 0.0
        for j in range(factor.size):
            won[r] += factor[j] * beaten[r, j]
    for c in place:
        total[c] += won[row[c] >> 1]
