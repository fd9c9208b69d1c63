"""A compiled sweep over the plane of two weights, for the least cost of three calls.

As in `rocspace._kernels.sorting`: imported on first use, releasing the GIL, cached on disk,
plain loops.
"""

from __future__ import annotations

import numpy as np

from rocspace._kernels.sorting import AnyArray, IntArray, compiled


@compiled
def middle(low: float, high: float) -> float:
    """Return the middle of a short stretch, or what is nearest to 0 and one inside a long one."""
    if high - low <= 2.0:
        return (low + high) / 2
    return min(max(0.0, low + 1.0), high - 1.0)


@compiled
def sweep_plane(
    across: AnyArray,
    flat: AnyArray,
    slant: AnyArray,
    level: IntArray,
    cost: AnyArray,
    near: float,
    same: float,
    out: AnyArray,
) -> None:
    """Find the point (u, v) with the least sum of costs, and of several nearly the one nearest 0.

    Case c costs ``cost[0, c]`` where u is below its value `across` and v below its value `flat`,
    ``cost[1, c]`` where u is above and v - u below its value `slant`, else ``cost[2, c]``. The
    distinct values of each kind rise, with gaps above `near`; ``level[:, c]`` says which a case
    has, -1 for one below all and their number for one above all. `out` becomes the least cost, u
    and v. Costs that differ by less than `same` are tied.
    """
    n = level.shape[1]
    kinds = flat.size, slant.size
    size = max(kinds) + 1
    step, seen = np.zeros((2, size)), np.full((2, size), -1)
    edge, total = np.zeros((2, size + 1)), np.zeros((2, size))
    met = [0, 0]
    best, least = np.inf, np.inf
    for s in range(across.size + 1):
        left = across[s - 1] if s > 0 else -np.inf
        right = across[s] if s < across.size else np.inf
        base = 0.0
        for c in range(n):
            moved = 1 if level[0, c] < s else 0
            at = level[1 + moved, c]
            if at < 0:
                base += cost[2, c]
                continue
            base += cost[moved, c]
            if at < kinds[moved]:
                if seen[moved, at] < s:
                    seen[moved, at] = s
                    step[moved, at] = 0.0
                step[moved, at] += cost[2, c] - cost[moved, c]
        for moved in range(2):  # the lines that are there, from left to right, and running sums
            edge[moved, 0] = -np.inf
            many = 0
            for at in range(kinds[moved]):
                if seen[moved, at] == s:
                    many += 1
                    edge[moved, many] = flat[at] if moved == 0 else slant[at]
                    total[moved, many] = total[moved, many - 1] + step[moved, at]
            met[moved] = many
            edge[moved, many + 1] = np.inf
        first, fixed = 0, met[0]
        for p in range(met[1] + 1):
            low, high = edge[1, p], edge[1, p + 1]
            while first < fixed and edge[0, first + 1] <= left + low + near:
                first += 1
            bound, most = right + high - near, best + same - base - total[1, p]
            for q in range(first, fixed + 1):
                if edge[0, q] >= bound:
                    break
                if total[0, q] > most:
                    continue
                value = base + total[1, p] + total[0, q]
                below, above = edge[0, q], edge[0, q + 1]
                u = middle(max(left, below - high), min(right, above - low))
                v = middle(max(below, u + low), min(above, u + high))
                away = u * u + v * v - u * v
                if value < best - same or away < least:
                    best, least = min(best, value), away
                    out[0], out[1], out[2] = value, u, v
                    most = best + same - base - total[1, p]
