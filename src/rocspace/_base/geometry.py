"""The upper hull of points that are sorted by both coordinates: exact for counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rocspace._base.arrays import Array, Ints, Vector

NEAR = 1e-12  # rates of weighted points, and slopes, nearer than this are the same
ROUNDING = 1e-15  # what a float may be off
_COMPILED = 1 << 14  # points from which on importing numba pays


def hull_indices(x: Array, y: Array, *, keep_collinear: bool = False) -> Ints:
    """Return which points of a curve are on its upper hull.

    Parameters
    ----------
    x, y : ndarray, shape (k,)
        Non-decreasing counts, compared exactly, or weights; the last point is the
        upper right corner.
    keep_collinear : bool, default False
        Whether points inside an edge are kept.

    Returns
    -------
    ndarray of int
        The vertices from the first point to the last; of equal points, the first.

    Notes
    -----
    O(k): each point is pushed and popped at most once.

    References
    ----------
    Fawcett (2004), Algorithm 3; Andrew (1979), a paper on this alone.
    """
    if x.dtype.kind == "f":
        return near_hull(x, y, -NEAR if keep_collinear else ROUNDING)
    if x.dtype == object or x.size < _COMPILED:
        return _chain(x.tolist(), y.tolist(), keep_collinear)
    from rocspace._kernels import sorting

    wide = int(x[-1]) * int(y[-1]) >= 2**62
    kept = np.empty(x.size, dtype=np.int64)
    return kept[: sorting.upper_hull(x, y, wide, keep_collinear, kept)].copy()


def near_hull(x: Array, y: Array, near: float) -> Ints:
    """Scan sorted floats; a point must lie more than `near` above its neighbours' line."""
    if x.size < _COMPILED:
        return _chain((x / x[-1]).tolist(), (y / y[-1]).tolist(), near <= 0, near)
    from rocspace._kernels import sorting

    kept = np.empty(x.size, dtype=np.int64)
    return kept[: sorting.upper_hull_near(x, y, near, kept)].copy()


def _chain(x: Sequence[Any], y: Sequence[Any], keep_collinear: bool, near: float = 0) -> Ints:
    """Scan sorted points once, dropping those that the next one shows to be under the hull."""
    kept: list[int] = []
    for i in range(len(x)):
        if kept and x[kept[-1]] == x[i] and y[kept[-1]] == y[i]:
            continue
        while len(kept) > 1:
            a, b = kept[-2], kept[-1]
            across, up = x[i] - x[a], y[i] - y[a]
            above = (y[b] - y[a]) * across - (x[b] - x[a]) * up - near * (across + up)
            if above < 0 or (above == 0 and not keep_collinear):
                kept.pop()
            else:
                break
        kept.append(i)
    return np.array(kept, dtype=np.int64)


def straightened(f: Vector, t: Vector) -> Ints:
    """Leave out vertices of a hull as long as none lies more than `NEAR` above what remains."""
    kept, last = [0], f.size - 1
    while (a := kept[-1]) < last:
        reach, step = a + 1, 1
        while step:
            b = min(reach + step, last)
            across, up = f[b] - f[a], t[b] - t[a]
            above = (t[a:b] - t[a]) * across - (f[a:b] - f[a]) * up
            fits = b > reach and above.max() <= NEAR * (across + up)
            reach = b if fits else reach
            step = 2 * step if fits else step // 2
        kept.append(reach)
    return np.array(kept, dtype=np.int64)
