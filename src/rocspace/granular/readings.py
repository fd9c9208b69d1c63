"""Alternative readings of the paper's granular ROC, for comparison with its figures.

The text, the algorithm and the printed numbers of Dong, Li and Li do not agree. `groc` is the
consistent reading; the others are here, each named after what it does differently.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal, TypeAlias

import numpy as np

from rocspace._base.arrays import Ints, Mask, Vector
from rocspace._base.calls import explained
from rocspace.counts.distances import Boundary, Ladder, ladder_of
from rocspace.counts.table import ScoreTable
from rocspace.granular.curve import GranularRoc, groc

GrocReading: TypeAlias = Literal[
    "canonical",
    "closed",
    "never-self",
    "always-self",
    "printed-lines",
    "never-reset",
    "fixed-sizes",
    "symmetric",
    "sorted",
    "absolute",
]

READINGS: dict[str, str] = {
    "canonical": "As `groc`: the score itself is in its window where another one is.",
    "closed": "A score just delta away is inside the window.",
    "never-self": "The score itself is never in its window: definition 1 to the letter.",
    "always-self": "The score itself is always in its window, even alone.",
    "printed-lines": "Lines 18, 27 and 28 as printed: only p is raised before the lower point.",
    "never-reset": "Line 4 as printed: counts of windows add up and are never reset.",
    "fixed-sizes": "Class sizes stay as they are.",
    "symmetric": "The window reaches delta to both sides; only cases at or above are called.",
    "sorted": "As canonical, but points are sorted by fpr before the area.",
    "absolute": "As canonical, but every trapezoid counts as positive.",
}
"""What each reading does, by name."""


@explained
def groc_reading(
    table: ScoreTable, delta: float, reading: GrocReading, *, boundary: Boundary = "exact"
) -> GranularRoc:
    """Lower and upper curve by another reading of the paper.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.
    delta : float
        Granularity, zero or more, on the scale of the scores.
    reading : str
        One of `READINGS`, which says what each does.
    boundary : {"exact", "float"}, default "exact"
        As for `groc`.

    Returns
    -------
    GranularRoc
        As `groc` returns; the curves of "never-reset" leave the unit square. The points of
        "sorted" are sorted, each curve separately, so that `threshold` no longer belongs to
        them.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If `delta` is negative or not finite, or the reading is unknown.

    Notes
    -----
    O(k log k), in plain Python: this is for small tables. Scores that tie are one row here, where
    the paper takes case after case, so that its numbers depend on their order.

    References
    ----------
    Dong, Li and Li, gROC, section 3, lines 1 to 30, and Table 3.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("groc_table3")
    >>> table = tabulate(data.y_true, data.columns["b"])
    >>> groc_reading(table, 0.02, "closed")
    GranularRoc(delta=0.02, auc_low=0.664811, auc=0.69, auc_high=0.729268)
    """
    found = groc(table, delta, boundary=boundary)
    if reading == "canonical":
        return found
    if reading not in ("sorted", "absolute"):
        lower, upper = _points(table, _windows(table, delta, reading, boundary), reading)
    else:
        lower = np.stack([found.low_fpr, found.low_tpr])
        upper = np.stack([found.high_fpr, found.high_tpr])
    if reading == "sorted":
        lower, upper = (x[:, np.lexsort((x[1], x[0]))] for x in (lower, upper))
    absolute = reading == "absolute"
    return replace(
        found,
        low_fpr=lower[0],
        low_tpr=lower[1],
        high_fpr=upper[0],
        high_tpr=upper[1],
        auc_low=_area(lower, absolute=absolute),
        auc_high=_area(upper, absolute=absolute),
    )


def _area(points: Vector, *, absolute: bool) -> float:
    width = np.diff(points[0])
    height = (points[1, 1:] + points[1, :-1]) / 2
    return float((np.abs(width) if absolute else width) @ height)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class _Windows:
    """Rows ``first[i]`` to ``last[i] - 1`` are in the window of row i, unless it is alone."""

    first: Ints
    last: Ints
    alone: Mask


def _windows(table: ScoreTable, delta: float, reading: GrocReading, boundary: Boundary) -> _Windows:
    ladder = ladder_of(table, boundary)
    numbers, width = _numbers(ladder, delta)
    rising = numbers[::-1]
    k = len(numbers)
    row = np.arange(k)
    search = bisect_right if reading == "closed" else bisect_left
    outside = np.array([k - search(rising, x + width) for x in numbers], dtype=np.int64)
    first = np.minimum(outside, row)
    last = row + 1
    if reading == "symmetric":
        below = np.array([k - bisect_right(rising, x - width) for x in numbers], dtype=np.int64)
        last = np.maximum(below, last)
    alone = (first == row) & (last == row + 1)
    if reading == "never-self":
        last = row
    if reading == "always-self":
        alone = np.zeros(k, dtype=bool)
    return _Windows(first=first, last=last, alone=alone)


def _numbers(ladder: Ladder, delta: float) -> tuple[Sequence[Any], Any]:
    """Return scores and granularity as numbers whose sums are as exact as `boundary` requires."""
    if ladder.literal:
        return ladder.score.tolist(), float(delta)
    width = Fraction(repr(float(delta)))
    if ladder.step is not None:
        return [step * ladder.unit for step in ladder.step.tolist()], width
    # An infinite score stays a float, and infinite in every sum; fractions compare with floats.
    return [Fraction(repr(x)) if np.isfinite(x) else x for x in map(float, ladder.score)], width


def _points(table: ScoreTable, windows: _Windows, reading: GrocReading) -> tuple[Vector, Vector]:
    """Return the points of both curves between (0, 0) and (1, 1), fpr above tpr."""
    tp, fp = (np.concatenate([[0.0], x.astype(np.float64)]) for x in (table.tp, table.fp))
    first, last, row = windows.first, windows.last, np.arange(len(table))
    pos, neg = tp[row + 1], fp[row + 1]
    in_pos = np.where(windows.alone, 0.0, tp[last] - tp[first])
    in_neg = np.where(windows.alone, 0.0, fp[last] - fp[first])
    # The part of the window called positive: all but the lower part of the symmetric one.
    called = np.minimum(last, row + 1)
    p = np.where(windows.alone, 0.0, tp[called] - tp[first])
    n = np.where(windows.alone, 0.0, fp[called] - fp[first])
    up, low = (neg - n, pos + n), (neg + p, pos - p)
    if reading == "printed-lines":
        low = np.where(windows.alone, low, (neg - n, pos + n))  # type: ignore[assignment]
    if reading == "never-reset":
        in_pos, in_neg = np.cumsum(in_pos), np.cumsum(in_neg)
        in_pos, in_neg = (np.where(windows.alone, 0.0, x) for x in (in_pos, in_neg))
    if reading == "fixed-sizes":
        in_pos = in_neg = np.zeros(len(table))
    sizes = (
        (table.n_neg - in_neg, table.n_pos + in_neg),
        (table.n_neg + in_pos, table.n_pos - in_pos),
    )
    curves = []
    for counts, size in ((low, sizes[1]), (up, sizes[0])):
        inner = [
            np.where(s != 0, c / np.where(s != 0, s, 1), 0)
            for c, s in zip(counts, size, strict=True)
        ]
        ends = np.pad(np.array(inner), ((0, 0), (1, 1)))
        ends[:, -1] = 1
        curves.append(ends)
    return curves[0], curves[1]
