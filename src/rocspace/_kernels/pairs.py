"""Compiled sweeps over pairs of a positive and a negative: near ones, sums up to a distance.

Rows are distinct scores, falling. Conventions as in `_kernels`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocspace._kernels.sorting import compiled

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
AnyArray = NDArray[Any]


@compiled
def near_bounds(score: FloatArray, reach: float, first: IntArray, last: IntArray) -> int:
    """Write which rows are nearer than `reach` to each, from first to before last; sum them up."""
    total = j = k = 0
    for i in range(score.size):
        while score[j] - score[i] >= reach:
            j += 1
        while k < score.size and score[i] - score[k] < reach:
            k += 1
        first[i] = j
        last[i] = k
        total += k - j
    return total


@compiled
def near_potential(
    score: FloatArray,
    weight: FloatArray,
    beta: float,
    bounds: tuple[IntArray, IntArray],
    out: tuple[FloatArray, FloatArray],
) -> None:
    """Add up weights times the sigmoid of the differences to each row, and times its slope.

    Of rows that are near only; those below count whole.
    """
    first, last = bounds
    value, slope = out
    below = 0.0
    for i in range(score.size - 1, -1, -1):
        if i < score.size - 1:
            for j in range(last[i], last[i + 1]):
                below += weight[j]
        total, steep = below, 0.0
        for j in range(first[i], last[i]):
            if weight[j] > 0:
                s = 1.0 / (1.0 + np.exp(-beta * (score[i] - score[j])))
                total += weight[j] * s
                steep += weight[j] * s * (1.0 - s)
        value[i] = total
        slope[i] = steep


@compiled
def sums_up_to(
    score: FloatArray, tp: FloatArray, heap: FloatArray, neg: FloatArray, t: float
) -> tuple[float, float]:
    """Share of pairs with a difference up to `t`, and the mean of it over all pairs.

    ``tp`` and ``heap`` are the cumulative weights of the positives, and of weights times scores.
    """
    j = 0
    count = total = 0.0
    for i in range(score.size):
        while j < score.size and score[j] - score[i] > t:
            j += 1
        if neg[i] > 0:
            above = tp[j - 1] if j > 0 else 0.0
            lifted = heap[j - 1] if j > 0 else 0.0
            count += neg[i] * (tp[-1] - above)
            total += neg[i] * ((heap[-1] - lifted) - score[i] * (tp[-1] - above))
    return count, total


@compiled
def inversions(rank: IntArray, spare: IntArray) -> int:
    """Count the pairs in falling order, by merging; both arrays are used up."""
    total = 0
    width = 1
    while width < rank.size:
        for start in range(0, rank.size, 2 * width):
            middle = min(start + width, rank.size)
            end = min(start + 2 * width, rank.size)
            i, j = start, middle
            for at in range(start, end):
                if i < middle and (j >= end or rank[i] <= rank[j]):
                    spare[at] = rank[i]
                    i += 1
                else:
                    spare[at] = rank[j]
                    total += middle - i
                    j += 1
        rank, spare = spare, rank
        width *= 2
    return total
