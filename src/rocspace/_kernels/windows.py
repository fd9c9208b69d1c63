"""Compiled sweeps of the granular ROC: where windows end, areas, and all granularities at once.

Rows are distinct scores, the most positive first. ``left[i]`` is how many rows lie at or beyond
the end of the window of row i: rows ``left[i]`` to i are what cannot be told from it, and a row
with ``left[i] == i`` is alone. Conventions as in `_kernels`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np
from numba import njit
from numpy.typing import NDArray

AnyArray = NDArray[Any]
IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]


F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """Compile as `_kernels` does, but divide as NumPy does: its loops check no divisor."""
    return cast(F, njit(nogil=True, cache=True, error_model="numpy")(function))


# --- scores as decimals --------------------------------------------------------------------------


@compiled
def shortest_decimals(score: AnyArray, ten: FloatArray, out: FloatArray) -> None:
    """Write the doubles of the shortest decimals that read back as float32 scores, not too small.

    Decimals of 6 digits all differ as float32, and 9 tell all float32 apart.
    """
    for i in range(score.size):
        x = float(score[i])
        exponent = int(np.floor(np.log10(abs(x))))
        for digits in range(6, 10):
            places = digits - 1 - exponent
            if places >= 0:
                out[i] = np.rint(x * ten[places]) / ten[places]
            else:
                out[i] = np.rint(x / ten[-places]) * ten[-places]
            if np.float32(out[i]) == score[i]:
                break


# --- where windows end ------------------------------------------------------------------------
# Rows and their windows' ends are merged like two sorted runs, without a branch to guess.


@compiled
def left_of_steps(step: AnyArray, width: Any, left: IntArray) -> None:
    """Fill `left` from whole numbers: rows at least `width` steps away, 1 or more, are outside."""
    i = j = 0
    while i < step.size:
        beyond = step[j] - step[i] >= width
        left[i] = j
        j += beyond
        i += not beyond


@compiled
def left_of_sums(score: FloatArray, delta: float, left: IntArray) -> None:
    """Fill `left` by the literal test of doubles, ``score[j] >= score[i] + delta``."""
    i = j = 0
    while i < score.size:
        beyond = (j < i) & (score[j] >= score[i] + delta)
        left[i] = j
        j += beyond
        i += not beyond


@compiled
def left_for_sure(score: FloatArray, delta: float, slack: float, left: IntArray) -> int:
    """Fill `left` with the rows more than `delta` and `slack` away.

    Returns for how many rows the next one is not nearer than `delta` less `slack` either.
    """
    i = j = n = 0
    low, high = delta - slack, delta + slack
    while i < score.size:
        distance = score[j] - score[i]
        beyond = distance > high
        n += (not beyond) & (distance >= low) & (j < i)
        left[i] = j
        j += beyond
        i += not beyond
    return n


@compiled
def left_and_doubts(score: FloatArray, delta: float, left: IntArray, doubt: IntArray) -> int:
    """Fill `left` with the rows that are outside beyond doubt, each with a slack of its own.

    Writes the rows whose next neighbour is too near to the end of the window for doubles to
    tell, and returns how many. Each score may be off by half a unit in its last place.
    """
    j = n = 0
    for i in range(score.size):
        while j < i:
            beyond = (score[j] - score[i]) - delta
            slack = 2.0**-51 * (abs(score[j]) + abs(score[i]) + delta) + 2.0**-1070
            if beyond <= slack:
                if beyond >= -slack:
                    doubt[n] = i
                    n += 1
                break
            j += 1
        left[i] = j
    return n


# --- areas --------------------------------------------------------------------------------------


@compiled
def share(part: float, rest: float) -> float:
    """``part / (part + rest)``, and 0 of nothing."""
    whole = part + rest
    return part / (whole if whole > 0 else 1.0)


@compiled
def window_point(
    i: int, first: int, tp: FloatArray, fp: FloatArray
) -> tuple[float, float, float, float]:
    """Return fpr and tpr of row i, lower then upper, with the window from row `first`."""
    n_pos, n_neg = tp[-1], fp[-1]
    if first == i:
        return fp[i] / n_neg, tp[i] / n_pos, fp[i] / n_neg, tp[i] / n_pos
    p = tp[first - 1] if first > 0 else 0.0
    n = fp[first - 1] if first > 0 else 0.0
    xi_p, xi_n = tp[i] - p, fp[i] - n
    return (
        (fp[i] + xi_p) / (n_neg + xi_p),
        share(p, n_pos - tp[i]),
        share(n, n_neg - fp[i]),
        (tp[i] + xi_n) / (n_pos + xi_n),
    )


@compiled
def window_areas(left: IntArray, tp: FloatArray, fp: FloatArray, area: FloatArray) -> bool:
    """Add up the signed trapezoids of the lower and upper curve; tell if any row has a window."""
    low = up = 0.0
    xl = yl = xu = yu = 0.0
    found = False
    for i in range(left.size):
        found |= left[i] != i
        x, y, v, w = window_point(i, left[i], tp, fp)
        low += (x - xl) * (y + yl)
        up += (v - xu) * (w + yu)
        xl, yl, xu, yu = x, y, v, w
    area[0] = (low + (1.0 - xl) * (1.0 + yl)) / 2
    area[1] = (up + (1.0 - xu) * (1.0 + yu)) / 2
    return found


@compiled
def window_points(left: IntArray, tp: FloatArray, fp: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the points of both curves between (0, 0) and (1, 1), fpr above tpr."""
    lower, upper = np.zeros((2, left.size + 2)), np.zeros((2, left.size + 2))
    for i in range(left.size):
        x, y, v, w = window_point(i, left[i], tp, fp)
        lower[0, i + 1], lower[1, i + 1] = x, y
        upper[0, i + 1], upper[1, i + 1] = v, w
    lower[:, -1] = upper[:, -1] = 1.0
    return lower, upper


# --- all granularities at once ------------------------------------------------------------------


@compiled
def sift(heap: IntArray, size: int, key: AnyArray, at: int) -> None:
    """Move the row at a place of the heap down to where its key belongs, the least on top."""
    row = heap[at]
    while True:
        child = 2 * at + 1
        if child >= size:
            break
        if child + 1 < size and key[heap[child + 1]] < key[heap[child]]:
            child += 1
        if not key[heap[child]] < key[row]:
            break
        heap[at] = heap[child]
        at = child
    heap[at] = row


@compiled
def twice_around(points: FloatArray, i: int) -> float:
    """Twice the signed area of the two trapezoids that meet at a point."""
    before = (points[i, 0] - points[i - 1, 0]) * (points[i, 1] + points[i - 1, 1])
    after = (points[i + 1, 0] - points[i, 0]) * (points[i + 1, 1] + points[i, 1])
    return float(before + after)


@compiled
def starting_points(tp: FloatArray, fp: FloatArray) -> FloatArray:
    """Return the points of the ordinary curve, between (0, 0) and (1, 1)."""
    points = np.zeros((tp.size + 2, 2))
    for i in range(tp.size):
        points[i + 1, 0] = fp[i] / fp[-1]
        points[i + 1, 1] = tp[i] / tp[-1]
    points[-1, 0] = points[-1, 1] = 1.0
    return points


@compiled
def integrals(
    score: AnyArray, whole: float, tp: FloatArray, fp: FloatArray, auc: float, out: FloatArray
) -> None:
    """Integrate auc / upper area and lower area / auc over granularities from 0 to `whole`.

    Each row's next neighbour waits in a heap under its distance; a step takes the least,
    moves one point of each curve and with it two trapezoids.
    """
    k = score.size
    upper, lower = starting_points(tp, fp), starting_points(tp, fp)
    # Loops, as numba compiles them in a tenth of the time that it needs for operations on slices.
    left, heap = np.empty(k, np.int64), np.empty(k, np.int64)
    key = np.empty(k, score.dtype)
    for i in range(k):
        left[i], heap[i] = i, i + 1
        key[i] = score[max(i - 1, 0)] - score[i]
    size = k - 1
    for at in range(size // 2, -1, -1):
        if size:
            sift(heap, size, key, at)
    twice = np.full(2, 2 * auc)  # of the lower and the upper curve
    lost = np.zeros(2)  # low digits of those sums
    done = 0.0
    while size:
        i = heap[0]
        now = min(key[i] / whole, 1.0)
        if now > done:
            out[0] += (now - done) * (2 * auc / twice[1])
            out[1] += (now - done) * (twice[0] / (2 * auc))
            done = now
        left[i] -= 1
        before_low, before_up = twice_around(lower, i + 1), twice_around(upper, i + 1)
        x, y, v, w = window_point(i, left[i], tp, fp)
        lower[i + 1, 0], lower[i + 1, 1] = x, y
        upper[i + 1, 0], upper[i + 1, 1] = v, w
        add(twice, lost, 0, twice_around(lower, i + 1) - before_low)
        add(twice, lost, 1, twice_around(upper, i + 1) - before_up)
        if left[i] > 0:
            key[i] = score[left[i] - 1] - score[i]
        else:
            size -= 1
            heap[0] = heap[size]
        if size:
            sift(heap, size, key, 0)
    out[0] += (1 - done) * (2 * auc / twice[1])
    out[1] += (1 - done) * (twice[0] / (2 * auc))


@compiled
def add(total: FloatArray, lost: FloatArray, which: int, change: float) -> None:
    """Add to a sum and keep what rounding would lose (Kahan)."""
    change -= lost[which]
    grown = total[which] + change
    lost[which] = (grown - total[which]) - change
    total[which] = grown
