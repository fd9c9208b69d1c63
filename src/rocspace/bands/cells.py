"""Two scores of the same cases, cut into joint cells, whose counts are drawn again and again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocspace._base.arrays import Array, Ints, Vector
from rocspace.bands.band import cell_ends
from rocspace.counts.draws import draw_counts, pays_to_compile, rows_are_few, rows_of
from rocspace.counts.paired import PairedScores
from rocspace.counts.table import ScoreTable
from rocspace.counts.weights import effective_size
from rocspace.inference.components import ranked
from rocspace.resampling.replicates import run_blocks
from rocspace.results.curve import Line


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class _Class:
    """The units of one class: whose draws count for them, how much, and in which cells."""

    group: int
    unit: NDArray[np.intp]
    weight: Vector  # empty if all weigh 1
    cell: tuple[NDArray[np.intp], NDArray[np.intp]]

    def reached(self, drawn: Ints, sizes: tuple[int, int], *, compiled: bool) -> list[Vector]:
        """Return for each score which share of the class is called positive, cell by cell."""
        if compiled:
            from rocspace._kernels.draws import add_by_cell

            sums: list[Array] = [np.zeros(size) for size in sizes]
            add_by_cell(drawn, self.unit, self.weight, *self.cell, *sums)
        else:
            own = drawn[self.unit] * (self.weight if self.weight.size else 1.0)
            sums = [np.bincount(c, own, k) for c, k in zip(self.cell, sizes, strict=True)]
        totals = [np.append(0.0, np.cumsum(each)) for each in sums]
        with np.errstate(invalid="ignore"):  # a replicate of clusters may lack a class
            return [total / total[-1] for total in totals]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class JointCells:
    """Cases counted by class and by the cells of two scores, ready to be drawn again.

    Attributes
    ----------
    tables : tuple of ScoreTable
        Both scores, counted in full.
    sizes : tuple of float
        Effective numbers of positives and negatives: cases, or clusters.
    ends : tuple of ndarray
        Where cells end among the rows of both tables.
    counts : tuple of ndarray of int64
        The cases of each unit that is drawn, for groups that are drawn by themselves: joint
        cells of positives and of negatives, or clusters.
    classes : tuple
        The positives and the negatives of these units.
    """

    tables: tuple[ScoreTable, ScoreTable]
    sizes: tuple[float, float]
    ends: tuple[NDArray[np.intp], NDArray[np.intp]]
    counts: tuple[Ints, ...]
    classes: tuple[_Class, _Class]

    def curves(self) -> list[Line]:
        """Return both polygons of the ends of cells, which are points of both curves."""
        found = []
        for table, ends in zip(self.tables, self.ends, strict=True):
            f, t = table.fp[ends] / table.n_neg, table.tp[ends] / table.n_pos
            found.append(Line(np.append(0.0, f), np.append(0.0, t)))
        return found

    def replicates(
        self,
        fpr: Vector,
        *,
        n_boot: int,
        rng: np.random.Generator | int | None,
        threads: int | None,
        progress: bool | None,
    ) -> Vector:
        """Draw differences of the heights of both curves; nan where a class is missing."""
        draws = n_boot * sum(int(count.sum()) for count in self.counts)
        rows = [None if rows_are_few(count) else rows_of(count) for count in self.counts]
        sizes = self.ends[0].size, self.ends[1].size
        read = n_boot * sum(own.unit.size for own in self.classes)
        compiled = pays_to_compile(max(draws, read))

        def heights(times: list[Ints]) -> Vector:
            pos, neg = (
                own.reached(times[own.group], sizes, compiled=compiled) for own in self.classes
            )
            # Where several points have one rate, np.interp takes the last: the top.
            one, two = (np.interp(fpr, f, t) for f, t in zip(neg, pos, strict=True))
            return np.asarray(one - two)

        def block(generator: np.random.Generator, many: int) -> Vector:
            times = [
                draw_counts(generator, count, many, draws=draws, row=row)
                for count, row in zip(self.counts, rows, strict=True)
            ]
            return np.stack([heights([drawn[r] for drawn in times]) for r in range(many)])

        width = sum(count.size for count in self.counts)
        return run_blocks(block, n_boot, width, rng, threads, progress)


def joint_cells(
    data: PairedScores,
    columns: tuple[int, int],
    *,
    weight: Array | None,
    cells: int,
) -> JointCells:
    """Cut two scores into cells, and count what falls into each pair of them.

    Tables of at most so many rows are not cut. Whole weights (int64) count equal cases; others
    multiply how often a case is drawn. Clusters are drawn whole. No weight is zero.
    """
    scores = [ranked(data, j, weight) for j in columns]
    ends = [cell_ends(score.table, cells) for score in scores]
    cell = [
        np.searchsorted(end, np.arange(len(score.table)))[score.row]
        for score, end in zip(scores, ends, strict=True)
    ]
    code = cell[0] * ends[1].size + cell[1]
    size = int(ends[0].size) * int(ends[1].size)
    cluster, counts = None, []
    if data.cluster is not None:
        seen, cluster = np.unique(data.cluster, return_inverse=True)
        counts.append(np.ones(seen.size, dtype=np.int64))
    classes, sizes = [], []
    for own in (data.label, ~data.label):
        w = None if weight is None else weight[own]
        group = 0
        if cluster is None:
            group = len(counts)
            key, count, value = _alike(code[own], w)
            counts.append(count)
            unit = np.arange(key.size)
        else:
            key, value = _summed(cluster[own] * size + code[own], w)
            unit = key // size
            sizes.append(effective_size(np.bincount(cluster[own], weights=w)))
        cells_of = key % size // ends[1].size, key % size % ends[1].size
        classes.append(_Class(group=group, unit=unit, weight=value, cell=cells_of))
    tables = scores[0].table, scores[1].table
    return JointCells(
        tables=tables,
        sizes=(sizes[0], sizes[1]) if sizes else tables[0].n_eff,
        ends=(ends[0], ends[1]),
        counts=tuple(counts),
        classes=(classes[0], classes[1]),
    )


def _alike(code: Ints, weight: Array | None) -> tuple[Ints, Ints, Vector]:
    """Merge cases of one joint cell that weigh the same: its code, their number and weight."""
    if weight is None or (weight.dtype.kind == "f" and weight.min() == weight.max()):
        key, count = np.unique(code, return_counts=True)
        return key, count, np.empty(0)
    if weight.dtype.kind == "i":
        key, total = _summed(code, weight)
        return key, total.astype(np.int64), np.empty(0)
    order = np.lexsort((weight, code))
    code, weight = code[order], weight[order]
    first = np.append(np.True_, (code[1:] != code[:-1]) | (weight[1:] != weight[:-1]))
    count = np.diff(np.append(np.flatnonzero(first), code.size))
    return code[first], count, weight[first]


def _summed(code: Ints, weight: Array | None) -> tuple[Ints, Vector]:
    """Return the distinct codes, and how much weighs what has each of them."""
    key, place = np.unique(code, return_inverse=True)
    return key, np.bincount(place, weights=weight).astype(np.float64)
