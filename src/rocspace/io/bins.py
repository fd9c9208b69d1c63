"""Bins that an engine has counted: choose which to refine, and how finely.

All arithmetic here is on counts, in this process. Nothing relies on the engine's arithmetic on
scores: a bin is the range from the lowest to the highest score that the engine found in it, and
bins whose ranges meet are joined.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocspace._base.arrays import Array, Ints, Vector

_MOST = 1 << 16  # bins that are refined in one round: the engine is told the range of each
_SAFETY = 0.8  # share of the tolerance aimed at: classes are not uniform within a bin
_SMALL = 1e-290  # ranges below are stretched first, so that no step is beyond float64
STRETCH = 2.0**200

# Times a bin can be divided, by depth: together with the depth before, keys stay below 2**62.
FINEST = (0, 1 << 20, 1 << 12, 1 << 11)


@dataclass(frozen=True, slots=True)
class Bins:
    """Counts by group and range of scores; entry i of each column is bin i.

    ``key[i]`` is what the engine grouped by, ``depth[i]`` how often the bin was divided.
    """

    group: Ints
    depth: NDArray[np.int8]
    key: Ints
    low: Array
    high: Array
    cases: Ints
    pos: Array
    neg: Array
    pos_w2: Vector | None = None
    neg_w2: Vector | None = None

    def __len__(self) -> int:
        return int(self.key.size)

    def each(self, change: Callable[[Array], Array]) -> Bins:
        """Apply the same choice or order to all columns."""
        columns = {name: getattr(self, name) for name in self.__slots__}
        return Bins(**{k: None if c is None else change(c) for k, c in columns.items()})  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Plan:
    """One round: the bins of a depth that are divided, each into about ``parts[i]``."""

    depth: int
    key: Ints
    low: Array
    stretch: Vector
    step: Vector  # parts per unit of (score - low) * stretch

    def __len__(self) -> int:
        return int(self.key.size)

    def only(self, keys: Ints) -> Plan:
        """Leave out all but some bins."""
        kept = np.isin(self.key, keys)
        return Plan(self.depth, self.key[kept], self.low[kept], self.stretch[kept], self.step[kept])


def ancestors(done: list[Plan], todo: Plan) -> list[Plan]:
    """Return the plans, of those carried out, that made the bins of the next one."""
    keys, chain = todo.key, []
    for depth in range(todo.depth - 1, 0, -1):
        keys = np.unique(keys // (FINEST[depth] + 2))
        parts = [plan.only(keys) for plan in done if plan.depth == depth]
        columns = zip(*((p.key, p.low, p.stretch, p.step) for p in parts), strict=True)
        key, low, stretch, step = (np.concatenate(column) for column in columns)
        chain.append(Plan(depth, key, low, stretch, step))
    return chain[::-1]


def shares(bins: Bins) -> Vector:
    """Return the share of its group's pairs that each bin leaves undecided, true ties excluded."""
    n_groups = int(bins.group.max(initial=-1)) + 1
    sizes = [np.bincount(bins.group, column, n_groups) for column in (bins.pos, bins.neg)]
    pairs = (sizes[0] * sizes[1])[bins.group]
    open_pairs = np.where(bins.low != bins.high, bins.pos * bins.neg.astype(np.float64), 0.0)
    share: Vector = open_pairs / np.where(pairs > 0, pairs, 1.0)
    return share


def error(bins: Bins) -> float:
    """Return how far, in the worst group, `auc` of the bins may be from the exact area."""
    return float(np.bincount(bins.group, shares(bins)).max(initial=0.0)) / 2


def crowded(bins: Bins) -> bool:
    """Whether one bin has a quarter of the undecided pairs: scores are concentrated there."""
    share = shares(bins)
    return bool(share.max(initial=0.0) > np.bincount(bins.group, share).max(initial=0.0) / 4)


def plan(bins: Bins, tolerance: float, max_rows: int) -> Plan | None:
    """Choose the bins to divide in the next round, or None where that would not help.

    A bin with the share e of undecided pairs, divided into m parts over which the classes are
    uniformly distributed, leaves e / m. For a given sum of parts the sum of e / m is smallest
    where m is proportional to the root of e. Groups share their keys: the finest need counts.
    """
    share = shares(bins)
    width = _widths(bins)
    deepest = len(FINEST)
    open_to = (share > 0) & (width > 0) & np.isfinite(width) & (bins.depth < deepest)
    by_depth = np.bincount(bins.depth[open_to], share[open_to], deepest)
    depth = int(by_depth.argmax())
    candidate = open_to & (bins.depth == depth)
    if not candidate.any():
        return None
    n_groups = int(bins.group.max()) + 1
    rest = np.bincount(bins.group, np.where(candidate, 0.0, share), n_groups)
    # What other bins leave undecided cannot be decided in this round.
    aim = np.maximum(_SAFETY * 2 * tolerance - rest, 0.25 * 2 * tolerance) + 1e-30
    root = np.sqrt(share[candidate])
    group = bins.group[candidate]
    need = root * (np.bincount(group, root, n_groups) / aim)[group]

    if max_rows - len(bins) < max_rows // 16:
        return None  # too few rows are left to gain much
    keys, place = np.unique(bins.key[candidate], return_inverse=True)
    wanted = np.zeros(keys.size)
    np.maximum.at(wanted, place, need)
    if keys.size > _MOST:
        wanted[np.argpartition(wanted, -_MOST)[:-_MOST]] = 0.0
    # Bins of the same key in other groups, whatever their share, are divided alike.
    alike = (bins.depth == depth) & np.isin(bins.key, keys)
    parts = _fitted(
        wanted,
        FINEST[depth],
        np.searchsorted(keys, bins.key[alike]),
        bins.cases[alike],
        max_rows - len(bins),
    )
    return _ranges(bins.each(lambda column: column[alike]), keys, parts, depth)


def _widths(bins: Bins) -> Vector:
    if bins.low.dtype.kind == "f":
        with np.errstate(over="ignore", invalid="ignore"):  # from -inf to inf, and inf - inf
            return bins.high.astype(np.float64) - bins.low.astype(np.float64)
    # Unsigned differences of integers never overflow.
    return (bins.high.astype(np.uint64) - bins.low.astype(np.uint64)).astype(np.float64)


def _fitted(
    wanted: Vector,
    finest: int,
    place: Ints,
    cases: Ints,
    room: int,
) -> Ints:
    """Scale the wanted numbers of parts down until the rows fit for certain."""

    def parts_at(factor: float) -> Ints:
        return np.ceil(np.minimum(wanted * factor, finest)).astype(np.int64)

    def new_rows(parts: Ints) -> int:
        each = np.where(parts[place] > 1, np.minimum(parts[place] + 1, cases), 1)
        return int((each - 1).sum())

    if new_rows(parts_at(1.0)) <= room:
        return parts_at(1.0)
    low, high = -np.log2(wanted.max()) - 1, 0.0  # binary logarithms of the factor
    for _ in range(30):
        middle = (low + high) / 2
        if new_rows(parts_at(2.0**middle)) <= room:
            low = middle
        else:
            high = middle
    return parts_at(2.0**low)


def _ranges(bins: Bins, keys: Ints, parts: Ints, depth: int) -> Plan | None:
    """Return where each range starts and how long its steps are, for the engine."""
    order = np.argsort(bins.key, kind="stable")
    first = np.searchsorted(bins.key[order], keys)
    low = np.minimum.reduceat(bins.low[order], first)
    high = np.maximum.reduceat(bins.high[order], first)
    none = np.zeros(keys.size)
    ends = Bins(keys, none.astype(np.int8), keys, low, high, keys, none, none)
    width = _widths(ends)
    kept = (parts > 1) & np.isfinite(width)
    if not kept.any():
        return None
    stretch = np.where(width[kept] < _SMALL, STRETCH, 1.0)
    step = parts[kept] / (width[kept] * stretch)
    return Plan(depth, keys[kept], low[kept], stretch, step)


def replaced(bins: Bins, done: Plan, finer: Bins) -> Bins:
    """Put the parts of divided bins in their place; the cases must be the same."""
    divided = (bins.depth == done.depth) & np.isin(bins.key, done.key)
    before, after = int(bins.cases[divided].sum()), int(finer.cases.sum())
    if before != after:
        msg = (
            f"The frame changed while it was counted: {before} cases in one pass were {after} "
            "in the next. Store it before counting."
        )
        raise ValueError(msg)
    kept = bins.each(lambda column: column[~divided])
    columns: dict[str, Any] = {}
    for name in bins.__slots__:
        old, new = getattr(kept, name), getattr(finer, name)
        columns[name] = None if old is None else np.concatenate([old, new])
    return Bins(**columns)


def certain(bins: Bins) -> Bins:
    """Sort the bins by group and score, and join those whose ranges meet.

    Then every score of a bin lies above every score of the bin before, whatever the engine
    computed. It finds nothing to join unless a logarithm was not monotone in its last digit,
    or -0.0 and 0.0 came apart.
    """
    order = np.lexsort((bins.low, bins.group))
    ranked = bins.each(lambda column: column[order])
    starts = np.flatnonzero(np.append(np.True_, ranked.group[1:] != ranked.group[:-1]))
    reach = ranked.high.copy()
    for start, stop in zip(starts, np.append(starts[1:], len(ranked)), strict=True):
        np.maximum.accumulate(reach[start:stop], out=reach[start:stop])
    opens = np.append(np.True_, ranked.low[1:] > reach[:-1])
    opens[starts] = True
    first = np.flatnonzero(opens)

    def added(name: str) -> Any:
        column = getattr(ranked, name)
        return None if column is None else np.add.reduceat(column, first)

    sums = {name: added(name) for name in ("cases", "pos", "neg", "pos_w2", "neg_w2")}
    chosen = ranked.each(lambda column: column[first])
    return replace(
        chosen,
        high=np.maximum.reduceat(ranked.high, first),
        **sums,
    )
