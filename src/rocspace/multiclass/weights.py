"""The weights of classes with the least cost: an exact search in the plane, else along lines.

A case is called the class whose score times weight is largest. On the scale of logarithms each
weight shifts a column, so that the cost of all calls is constant between lines: one line for each
case and pair of classes. Or it is called the class whose cost is least if weighted scores are
probabilities: the expected cost of each call is a line in each weight, and calls change where the
lowest of the lines does.
"""

from __future__ import annotations

from itertools import combinations
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from rocspace._base.arrays import Ints, Vector
from rocspace._base.text import count

Method: TypeAlias = Literal["exact", "search"]

_NEAR = 1e-9  # logarithms of scores that differ by less are tied
_SAME = 1e-12  # costs that differ by less, relatively, are tied
_ZERO = 1e-130  # a score that is smaller, as a share of its case's largest, is 0
_PLANE = 10_000  # distinct cases up to which the plane is searched: five seconds
_PAIRS = 2_000  # and up to which it is for each pair of more classes
_COMPILED = 64  # importing numba pays from this many cases on
_CYCLES = 100
_THIN = 5_000  # cases that the starts of a search are compared on
_KEPT = 3  # starts that go on with all cases


class Found(NamedTuple):
    """Logarithms of weights, and how they were found."""

    shift: Vector
    method: Method


def least_cost(
    score: Vector,
    paid: Vector,
    *,
    method: Method | None = None,
    n_starts: int = 20,
    rng: np.random.Generator,
    start: Vector | None = None,
    plane: int = _PLANE,
    prices: Vector | None = None,
) -> Found:
    """Return the shifts of the columns of log scores with the least sum of costs.

    ``paid[c, j]`` is the cost of calling case c class j. `start` is one more place to begin a
    search, `plane` the number of distinct cases up to which the plane is searched. With `prices`
    the least expected cost decides, and ``prices[i, j]`` is the cost of predicting class i for a
    case of class j.
    """
    k = score.shape[1]
    if prices is not None:
        return _least_expected(score, paid, prices, n_starts=n_starts, rng=rng, start=start)
    held = paid.any(axis=1)
    log, paid = _merged(score[held], paid[held])
    if method is None:
        method = "exact" if k == 2 or (k == 3 and len(log) <= plane) else "search"
    if method == "exact" and (k > 3 or (k == 3 and len(log) > _PLANE)):
        msg = (
            f"An exact search is for two classes, or three and {count(_PLANE)} distinct cases; "
            f'these are {k} and {count(len(log))}. Pass method="search".'
        )
        raise ValueError(msg)
    if k == 2 and len(log):
        return Found(_along(log, paid, np.zeros(2), 1)[0], "exact")
    if method == "exact" and len(log):
        return Found(_across(log, paid, np.zeros(k), (1, 2))[0], "exact")
    return Found(_searched(log, paid, n_starts, rng, start), "search")


def _least_expected(
    score: Vector,
    paid: Vector,
    prices: Vector,
    *,
    n_starts: int,
    rng: np.random.Generator,
    start: Vector | None,
) -> Found:
    """Return the shifts for which decisions by the least expected cost are cheapest."""
    held = paid.any(axis=1)
    log, paid = _merged(score[held], paid[held])
    if len(prices) == 2 and len(log):
        return Found(_along_lines(log, paid, np.zeros(2), 1, prices)[0], "exact")
    return Found(_searched(log, paid, n_starts, rng, start, prices), "search")


def log_scores(score: Vector) -> Vector:
    """Return logarithms, minus infinity where a score is practically zero."""
    ratio = score / score.max(axis=1, keepdims=True)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(np.where(ratio > _ZERO, ratio, 0.0)))


def _merged(score: Vector, paid: Vector) -> tuple[Vector, Vector]:
    """Return the log scores of distinct cases, and the sums of their costs."""
    if not len(score) or len(score) > 10 * _PLANE:
        return log_scores(score) if len(score) else score, paid
    rows, place = np.unique(score, axis=0, return_inverse=True)
    total = np.zeros((len(rows), paid.shape[1]))
    np.add.at(total, place.ravel(), paid)
    return log_scores(rows), total


# --- searching --------------------------------------------------------------------------------


def _searched(
    log: Vector,
    paid: Vector,
    n_starts: int,
    rng: np.random.Generator,
    start: Vector | None,
    prices: Vector | None = None,
) -> Vector:
    """Improve one or two columns at a time until nothing helps, from several starts."""
    k = log.shape[1]
    if not len(log):
        return np.zeros(k)
    gaps = np.diff(log[np.isfinite(log).all(axis=1)], axis=1)  # a score of 0 has no logarithm
    spread = max(float(gaps.std()), 0.5) if gaps.size else 1.0
    starts: list[Vector] = [np.zeros(k), *([] if start is None else [start])]
    starts += list(rng.normal(scale=spread, size=(n_starts - 1, k)))
    if len(log) > 2 * _THIN:  # the starts are compared on some of the cases
        some = slice(None, None, len(log) // _THIN)
        ends = [_improved(log[some], paid[some], begin, prices) for begin in starts]
        starts = [starts[0], *(each for each, _ in sorted(ends, key=_cost_of)[:_KEPT])]
    best = min((_improved(log, paid, begin, prices) for begin in starts), key=_cost_of)
    if k > 3 and len(log) <= _PAIRS and prices is None:
        best = _improved(log, paid, best[0], pairs=True)
    return best[0]


def _cost_of(found: tuple[Vector, float]) -> float:
    return found[1]


def _improved(
    log: Vector,
    paid: Vector,
    shift: Vector,
    prices: Vector | None = None,
    *,
    pairs: bool = False,
) -> tuple[Vector, float]:
    """Change one column at a time until nothing helps; then perhaps two, and so on."""
    k, cost = len(shift), np.inf
    same = _SAME * float(np.abs(paid).sum())
    for _ in range(_CYCLES):
        before = cost
        for j in range(k):
            shift, cost = _moved(log, paid, shift, (j,), (cost, same), prices)
        if cost < before - same:
            continue
        for pair in combinations(range(k), 2) if pairs else ():
            shift, cost = _moved(log, paid, shift, pair, (cost, same))
        if cost >= before - same:
            break
    return shift, cost


def _moved(
    log: Vector,
    paid: Vector,
    shift: Vector,
    move: tuple[int, ...],
    before: tuple[float, float],
    prices: Vector | None = None,
) -> tuple[Vector, float]:
    """Change one or two columns if that is cheaper than before, by more than rounding."""
    cost, same = before
    if prices is not None:
        other, found = _along_lines(log, paid, shift, move[0], prices)
    elif len(move) == 1:
        other, found = _along(log, paid, shift, move[0])
    else:
        other, found = _across(log, paid, shift, (move[0], move[1]))
    return (other, found) if found < cost - same else (shift, cost)


class _Rest(NamedTuple):
    """For each case the largest shifted log score among some classes, and the cost of its call."""

    top: Vector
    cost: Vector


def _rest(log: Vector, paid: Vector, shift: Vector, without: tuple[int, ...]) -> _Rest:
    shifted = log + shift
    shifted[:, list(without)] = -np.inf
    at = shifted.argmax(axis=1)
    row = np.arange(len(log))
    return _Rest(shifted[row, at], paid[row, at])


def _along(log: Vector, paid: Vector, shift: Vector, j: int) -> tuple[Vector, float]:
    """Find the best shift of one column, the others fixed: one sort."""
    rest = _rest(log, paid, shift, (j,))
    with np.errstate(invalid="ignore"):
        turns = np.where(np.isneginf(rest.top), -np.inf, rest.top - log[:, j])
    value, level = _levels(turns)
    more = paid[:, j] - rest.cost
    moved = shift.copy()
    moved[j], cost = _cheapest(value, level, more, float(rest.cost.sum()), np.abs(paid).sum())
    return moved, cost


def _cheapest(
    value: Vector, level: Ints, more: Vector, base: float, whole: float
) -> tuple[float, float]:
    """Return where a running sum of steps is least, and that sum; the place nearest to 0."""
    inner = (level >= 0) & (level < value.size)
    steps = np.bincount(level[inner], more[inner], value.size)
    cost = base + float(more[level < 0].sum()) + np.concatenate([[0.0], np.cumsum(steps)])
    ends = np.concatenate([[-np.inf], value, [np.inf]])
    place = _middle(ends[:-1], ends[1:])
    tied = np.flatnonzero(cost <= cost.min() + _SAME * whole)
    best = int(tied[np.argmin(np.abs(place[tied]))])
    return float(place[best]), float(cost[best])


def _along_lines(
    log: Vector, paid: Vector, shift: Vector, j: int, prices: Vector
) -> tuple[Vector, float]:
    """Find the best weight of one column by expected costs, the others fixed.

    Each call has an expected cost that is a line in the weight. From the weight 0 on, each case
    goes from the lowest line to the next one that falls below it, at most k - 1 times.
    """
    weighted = np.exp(log + shift)
    weighted[:, j] = 0.0
    start, slope = weighted @ prices.T, np.exp(log[:, [j]]) * prices[:, j]
    row, k = np.arange(len(log)), len(prices)
    near = 1e-12 * (np.abs(start).max(axis=1, keepdims=True) + 1e-300)
    lowest = start <= start.min(axis=1, keepdims=True) + near
    at = np.where(lowest, slope, np.inf).argmin(axis=1)
    base, turns, more = float(paid[row, at].sum()), [], []
    for _ in range(k - 1):
        falls = slope[row, at][:, None] - slope
        falls[falls <= 1e-12 * np.abs(slope).max(axis=1, keepdims=True)] = 0.0
        with np.errstate(divide="ignore", invalid="ignore"):
            rises = np.maximum(start - start[row, at][:, None], 0.0)
            cross = np.where(falls > 0, rises / falls, np.inf)
        first = cross.min(axis=1, keepdims=True)
        turned = np.flatnonzero(np.isfinite(first[:, 0]))
        if not turned.size:
            break
        following = np.where(cross <= first * (1 + 1e-12), slope, np.inf).argmin(axis=1)
        with np.errstate(divide="ignore"):
            turns.append(np.log(first[turned, 0]))
        more.append((paid[row, following] - paid[row, at])[turned])
        at[turned] = following[turned]
    if not turns:
        return shift, base
    value, level = _levels(np.concatenate(turns))
    moved = shift.copy()
    moved[j], cost = _cheapest(value, level, np.concatenate(more), base, np.abs(paid).sum())
    return moved, cost


def _across(
    log: Vector, paid: Vector, shift: Vector, pair: tuple[int, int]
) -> tuple[Vector, float]:
    """Find the best shifts of two columns, the others fixed: all cells of the plane."""
    i, j = pair
    rest = _rest(log, paid, shift, pair)
    with np.errstate(invalid="ignore"):
        lines = [
            np.where(np.isneginf(rest.top), -np.inf, rest.top - log[:, i]),
            np.where(np.isneginf(rest.top), -np.inf, rest.top - log[:, j]),
            np.where(np.isneginf(log[:, i]), -np.inf, log[:, i] - log[:, j]),
        ]
    lines[1] = np.where(np.isneginf(log[:, j]), np.inf, lines[1])
    lines[2] = np.where(np.isneginf(log[:, j]), np.inf, lines[2])
    lines[0] = np.where(np.isneginf(log[:, i]), np.inf, lines[0])
    values, levels = zip(*map(_levels, lines), strict=True)
    cost = np.ascontiguousarray(np.stack([rest.cost, paid[:, i], paid[:, j]]))
    same = _SAME * float(np.abs(cost).sum())
    out = np.zeros(3)
    if len(log) < _COMPILED:
        _sweep_plane(values, np.stack(levels), cost, same, out)
    else:
        from rocspace._kernels.planes import sweep_plane

        across, flat, slant = values
        sweep_plane(across, flat, slant, np.stack(levels), cost, _NEAR, same, out)
    moved = shift.copy()
    moved[[i, j]] = out[1:]
    return moved, float(out[0])


def _levels(values: Vector) -> tuple[Vector, Ints]:
    """Return the distinct finite values, rising, and which each is: -1 below, their number above.

    Values nearer than `_NEAR` to their neighbour are one.
    """
    rising = np.sort(values[np.isfinite(values)])
    kept = rising[np.append(True, np.diff(rising) > _NEAR)] if rising.size else rising
    level = np.searchsorted(kept, values, side="right") - 1
    level[np.isposinf(values)] = kept.size
    return kept, level


def _middle(low: Vector, high: Vector) -> Vector:
    """Return the middle of short stretches; in long ones what is nearest to 0, one inside."""
    with np.errstate(invalid="ignore"):
        inside = np.minimum(np.maximum(0.0, low + 1), high - 1)
        return np.where(high - low <= 2, (low + high) / 2, inside)


def _sweep_plane(
    values: tuple[Vector, ...], level: Ints, cost: Vector, same: float, out: Vector
) -> None:
    """Do as `rocspace._kernels.planes.sweep_plane`, for few cases."""
    across = np.concatenate([[-np.inf], values[0], [np.inf]])
    best = least = np.inf
    for s in range(across.size - 1):
        left, right = across[s], across[s + 1]
        moved = level[0] < s
        more = cost[2] - np.where(moved, cost[1], cost[0])
        slant, slants = _steps(values[2], level[2, moved], more[moved])
        flat, flats = _steps(values[1], level[1, ~moved], more[~moved])
        low, high, below, above = slant[:-1, None], slant[1:, None], flat[:-1], flat[1:]
        value = float(np.where(moved, cost[1], cost[0]).sum()) + slants[:, None] + flats
        met = (above > left + low + _NEAR) & (below < right + high - _NEAR)
        if not met.any() or value[met].min() > best + same:
            continue
        p, q = np.nonzero(met & (value <= value[met].min() + same))
        u = _middle(
            np.maximum(left, below[q] - high[p, 0]), np.minimum(right, above[q] - low[p, 0])
        )
        v = _middle(np.maximum(below[q], u + low[p, 0]), np.minimum(above[q], u + high[p, 0]))
        away = u * u + v * v - u * v
        at = int(away.argmin())
        found = float(value[p[at], q[at]])
        if found < best - same or away[at] < least:
            best, least = min(best, found), float(away[at])
            out[:] = found, u[at], v[at]


def _steps(values: Vector, level: Ints, more: Vector) -> tuple[Vector, Vector]:
    """Return the values that occur between infinite ends, and running sums from each on."""
    there, place = np.unique(level[(level >= 0) & (level < values.size)], return_inverse=True)
    before = float(more[level < 0].sum())
    steps = np.bincount(place, more[(level >= 0) & (level < values.size)], there.size)
    ends = np.concatenate([[-np.inf], values[there], [np.inf]])
    return ends, before + np.concatenate([[0.0], np.cumsum(steps)])
