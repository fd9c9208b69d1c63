"""How skewed a statistic is, and on how many cases its variance rests: for BCa intervals.

Each case is left out once, by lowering a count; of identical cases only one is left out. If there
are more than a thousand distinct cases, they are left out in a thousand random groups, whose
deviations have the same expected squares and cubes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from rocspace._base.arrays import Array, Ints, Vector
from rocspace.counts.table import ScoreTable
from rocspace.inference.spread import Part, below_fpr, partial_placements, placements

_MOST = 1000  # maximum number of evaluations in a stratum
_EXPANDED = 64  # cases per row up to which single cases are assigned to groups
_BLOCK = 1 << 18  # cells at once
_SEED = 39  # groups are random, but the same each time

Evaluate = Callable[[Array], Vector]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """What leaving out units tells of q values.

    Attributes
    ----------
    square, cube : ndarray, shape (strata, q)
        Sums of the squared and cubed deviations of the units of each stratum.
    size : ndarray, shape (strata,)
        Number of units in each.
    """

    square: Vector
    cube: Vector
    size: Vector

    @property
    def acceleration(self) -> Vector:
        """One sixth of the sum of cubes, divided by the sum of squares to the power 3/2."""
        square = self.square.sum(axis=0)
        some = square > 0
        return np.where(some, self.cube.sum(axis=0) / 6 / np.where(some, square, 1.0) ** 1.5, 0.0)

    @property
    def share(self) -> Vector:
        """Each stratum's share of the variance; where there is none, the smallest has all."""
        square = self.square.sum(axis=0)
        least = np.zeros(self.size.size)
        least[int(np.argmin(np.where(self.size > 1, self.size, np.inf)))] = 1.0
        some = square > 0
        return np.where(some, self.square / np.where(some, square, 1.0), least[:, np.newaxis])

    @property
    def freedom(self) -> Vector:
        """Welch and Satterthwaite's degrees of freedom of the variance; 1 at least."""
        return np.asarray(1 / (self.share**2 / self._others).sum(axis=0))

    @property
    def narrowness(self) -> Vector:
        """How many times the standard error is that of replicates: n units vary as n - 1."""
        return np.asarray(np.sqrt((self.share * (1 + 1 / self._others)).sum(axis=0)))

    @property
    def _others(self) -> Vector:
        """Number of units beside one; a single unit has no deviation, and no share."""
        return np.maximum(self.size - 1.0, 1.0)[:, np.newaxis]

    def first(self, q: int) -> LeftOut:
        """Return what is told of the first q values."""
        return replace(self, square=self.square[:, :q], cube=self.cube[:, :q])


@dataclass(frozen=True, slots=True, kw_only=True)
class Stratum:
    """Cases that are resampled separately from other cases.

    ``cell[i]`` is a cell of the counts, ``unit[i]`` the sampling unit it belongs to, and
    ``count[i]`` the number of identical cases in it.
    """

    cell: Ints
    unit: Ints
    count: Ints

    def left_out(self, cells: int) -> Iterator[tuple[Array, int, int]]:
        """Yield the counts to leave out, the number of units in them, and their multiplicity."""
        units = int(self.unit.max(initial=-1)) + 1
        if units <= _MOST:
            times = np.zeros(units, dtype=np.int64)
            times[self.unit] = self.count
            for u, own in enumerate(_parts(self.unit, units)):
                yield _amount(self.cell[own], cells), 1, int(times[u])
        elif int(self.count.sum()) <= _EXPANDED * self.count.size:
            # Each of several identical cases is a separate unit.
            entry = np.repeat(np.arange(self.cell.size), self.count)
            unit = np.arange(entry.size) if self.count.max() > 1 else self.unit
            n = int(unit.max()) + 1
            group = np.random.default_rng(_SEED).permutation(np.arange(n) % _MOST)[unit]
            for g, own in enumerate(_parts(group, _MOST)):
                yield _amount(self.cell[entry[own]], cells), len(range(g, n, _MOST)), 1
        else:
            yield from self._by_rows(cells)

    def _by_rows(self, cells: int) -> Iterator[tuple[Array, int, int]]:
        """Draw groups row by row, for rows with many cases."""
        rng = np.random.default_rng(_SEED)
        left = self.count.copy()
        for size in np.diff(np.linspace(0, left.sum(), _MOST + 1).astype(np.int64)):
            drawn = rng.multivariate_hypergeometric(left, size, method="marginals")
            left -= drawn
            amount = np.zeros(cells, dtype=np.int64)
            amount[self.cell] = drawn
            yield amount, int(size), 1

    @property
    def size(self) -> int:
        """Number of units."""
        if self.count.size and self.count.max() > 1:
            return int(self.count.sum())
        return int(self.unit.max(initial=-1)) + 1


def _parts(group: Array, n: int) -> list[Ints]:
    """Return the entries of each group."""
    order = np.argsort(group, kind="stable")
    return np.split(order, np.searchsorted(group[order], np.arange(1, n)))


def _amount(chosen: Array, cells: int) -> Ints:
    return np.bincount(chosen, minlength=cells)


def strata_of_table(table: ScoreTable, scheme: str) -> list[Stratum]:
    """Return the strata of a table, whose cells are its positives, then its negatives."""
    both = np.concatenate([table.pos, table.neg])
    parts = [np.flatnonzero(both)]
    if scheme == "stratified":
        k = len(table)
        parts = [parts[0][parts[0] < k], parts[0][parts[0] >= k]]
    return [Stratum(cell=p, unit=np.arange(p.size), count=both[p]) for p in parts]


def left_out(evaluate: Evaluate, base: Array, strata: list[Stratum]) -> LeftOut:
    """Leave out each unit.

    ``evaluate`` maps counts of shape (b, cells) to values of shape (b, q). A unit without which the
    statistic is undefined is ignored.
    """
    squares, cubes = [], []
    many = max(1, _BLOCK // base.size)
    for stratum in strata:
        values, removed, times = [], [], []
        waiting: list[Array] = []
        for amount, size, often in stratum.left_out(base.size):
            waiting.append(base - amount)
            removed.append(size)
            times.append(often)
            if len(waiting) == many:
                values.append(evaluate(np.stack(waiting)))
                waiting = []
        if waiting:
            values.append(evaluate(np.stack(waiting)))
        found = np.concatenate(values)
        often_of = np.array(times, dtype=np.float64)[:, np.newaxis]
        known = np.isfinite(found)
        weight = np.where(known, often_of, 0.0)
        total = np.maximum(weight.sum(axis=0), 1.0)
        mean = (weight * np.where(known, found, 0.0)).sum(axis=0) / total
        share = 1 - np.array(removed)[:, np.newaxis] / stratum.size
        deviation = np.where(known, share * (mean - found), 0.0)
        squares.append((weight * deviation**2).sum(axis=0))
        cubes.append((weight * deviation**3).sum(axis=0))
    units = np.array([float(stratum.size) for stratum in strata])
    return LeftOut(square=np.array(squares), cube=np.array(cubes), size=units)


def left_out_of_area(table: ScoreTable, area: float, part: Part) -> LeftOut:
    """Leave out each case of an area or a part of it, by the placements, in O(k)."""
    table, low, high = below_fpr(table, part)
    whole = (low, high) == (0.0, 1.0)
    v = placements(table) if whole else partial_placements(table, low, high)
    squares, cubes, sizes = [], [], (table.n_pos, table.n_neg)
    for count, place, n in zip((table.pos, table.neg), (v.pos, v.neg), sizes, strict=True):
        deviation = (place - area) / n
        squares.append([float((count * deviation**2).sum())])
        cubes.append([float((count * deviation**3).sum())])
    return LeftOut(square=np.array(squares), cube=np.array(cubes), size=np.array(sizes))
