"""Lines thinned to what can be seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rocspace._base.arrays import Array, Ints, Vector
from rocspace.report.plain import plain_list

GRID = 400  # along the curve, a kept point at least every 2 / GRID where there is one
_WITHIN = 0.001  # largest distance of the drawn line from the true one
_CELLS = 4000


def thin(
    x: Vector, y: Vector, within: float, marked: Ints | Sequence[int] = (), *, grid: int = GRID
) -> Ints:
    """Choose points of a polygon so that none left out is far from what is drawn.

    The first and last point, those `marked`, and one near each of `grid` steps along the
    curve stay (where nothing decreases; elsewhere ask for none); between them the farthest
    point is taken until none lies farther than `within` from the segment that replaces it
    (Douglas and Peucker, 1973).

    O(k) for each level of splitting, of which there are about log k.
    """
    along = x + y
    steps = np.linspace(along[0], along[-1], grid + 1)
    nearby = np.minimum(np.searchsorted(along, steps), x.size - 1)[: grid and None]
    fixed = np.unique(np.concatenate([nearby, [0, x.size - 1], marked])).astype(np.int64)
    kept = [fixed]
    start, end = fixed[:-1], fixed[1:]
    while start.size:
        length = end - start
        first = np.cumsum(length) - length
        at = np.arange(length.sum()) + np.repeat(start - first, length)
        far = _distance(x, y, at, np.repeat(start, length), np.repeat(end, length))
        worst = np.maximum.reduceat(far, first)
        segment = np.repeat(np.arange(start.size), length)
        hit = np.flatnonzero((far == worst[segment]) & (worst[segment] > within))
        one = np.flatnonzero(np.diff(segment[hit], prepend=-1))  # segments ascend
        which, middle = segment[hit[one]], at[hit[one]]
        kept.append(middle)
        start, end = (np.concatenate([start[which], middle]), np.concatenate([middle, end[which]]))
    return np.sort(np.concatenate(kept))


def _distance(x: Array, y: Array, p: Array, a: Array, b: Array) -> Vector:
    """Distance of the points p to the segments from a to b."""
    dx, dy = x[b] - x[a], y[b] - y[a]
    px, py = x[p] - x[a], y[p] - y[a]
    square = dx * dx + dy * dy
    share = np.divide(px * dx + py * dy, square, out=np.zeros_like(square), where=square > 0)
    share = np.clip(share, 0.0, 1.0)
    return np.asarray(np.hypot(px - share * dx, py - share * dy))


def light_line(fpr: Vector, tpr: Vector) -> dict[str, Any]:
    """Return the points of a line, which need not rise, that a picture needs."""
    cell = np.round(np.stack([fpr, tpr]) * _CELLS)
    moved = np.append(np.True_, (cell[:, 1:] != cell[:, :-1]).any(axis=0))
    moved[-1] = True
    x, y = fpr[moved], tpr[moved]
    rows = thin(x, y, _WITHIN - 1 / _CELLS, grid=0)
    return {"fpr": plain_list(x[rows]), "tpr": plain_list(y[rows])}
