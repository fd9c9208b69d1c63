"""The paired comparison of areas in many samples of one size at once, for simulations.

What `rocspace.compare.auc_difference` finds in one sample is found here on arrays with an entry for
each sample: the same sums, the same statistic.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rocspace._base.arrays import Ints, Mask, Vector
from rocspace.results.discordance import ARRAYS, AreaGap, ClassGap
from rocspace.results.test import Alternative

_TOGETHER = 1 << 14  # scores of a block, so that temporaries stay in the cache
_EDGE = 1e-12  # areas as near to 0 or 1 are perfect
_NONE = 1e-24
_ROUNDING = 2e-13  # round-off in differences of placements, which are at most 1
_HALVINGS = 56


class SampledGaps(NamedTuple):
    """Differences of two areas in many samples.

    Attributes
    ----------
    gap : AreaGap
        What the statistic needs, an entry for each sample.
    perfect : ndarray of bool
        In which samples both areas are 0 or 1, where the statistic is not defined.
    """

    gap: AreaGap
    perfect: Mask

    def pvalues(self, null: float, side: Alternative) -> Vector:
        """Return the one-sided p values of a hypothetical difference; nan where not defined."""
        from scipy.special import stdtr

        statistic, df = self.gap.statistic(min(max(null, -1.0), 1.0))
        found = stdtr(df, statistic if side == "less" else -statistic)
        return np.where(self.perfect, np.nan, found)

    def half_widths(self, level: float) -> Vector:
        """Return half of the widths of the intervals; nan where not defined."""
        from scipy.special import stdtrit

        value = self.gap.value
        ends = []
        for far in (-1.0, 1.0):
            inner, outer = value.copy(), np.full(value.shape, far)
            for _ in range(_HALVINGS):
                middle = (inner + outer) / 2
                statistic, df = self.gap.statistic(middle)
                rejected = np.abs(statistic) > -stdtrit(df, (1 - level) / 2)
                outer = np.where(rejected, middle, outer)
                inner = np.where(rejected, inner, middle)
            ends.append(inner)
        return np.where(self.perfect, np.nan, (ends[1] - ends[0]) / 2)


def sampled_gaps(score: Vector, n_pos: int) -> SampledGaps:
    """Find the differences of two areas in many samples of the same size.

    `score` has the shape (samples, cases, 2), positives first, higher being more positive; each
    class has two cases or more. One sort of each sample for each score.
    """
    step = max(1, _TOGETHER // score.shape[1])
    parts = [_gaps(score[at : at + step], n_pos) for at in range(0, len(score), step)]
    rows = np.concatenate(parts, axis=-1)
    sizes = n_pos, score.shape[1] - n_pos
    classes = [
        ClassGap(
            n=float(n),
            spread=c[0],
            df=c[1],
            spreads=(c[2], c[3]),
            correlation=c[4],
            step=c[5],
            apart=c[6],
        )
        for n, c in zip(sizes, (rows[2:9], rows[9:]), strict=True)
    ]
    perfect = np.all(np.minimum(rows[:2], 1 - rows[:2]) < _EDGE, axis=0)
    end = 0.5 / (sizes[0] * sizes[1])  # half of a pair
    first, second = np.clip(rows[:2], end, 1 - end)
    gap = AreaGap(areas=(first, second), classes=(classes[0], classes[1]), of=ARRAYS)
    return SampledGaps(gap, np.asarray(perfect))


def _gaps(score: Vector, n_pos: int) -> Vector:
    """Return the two areas and the data of both classes, shape (16, samples)."""
    first, second = (_Placed.of(np.ascontiguousarray(score[..., j]), n_pos) for j in (0, 1))
    rows = [first.area, second.area]
    for c in (0, 1):
        rows += _class(first.deviations[c], second.deviations[c], (first.steps[c], second.steps[c]))
    return np.array(rows)


def _class(x: Vector, y: Vector, steps: tuple[Vector, Vector]) -> list[Vector]:
    """Return the fields of a `ClassGap` from the deviations of placements under both scores."""
    n = x.shape[1]
    square = (x - y) ** 2
    second = square.sum(axis=1)
    fourth = (square * square).sum(axis=1)
    second[second <= n * _ROUNDING**2] = 0.0  # scores that rank alike: what remains is round-off
    mean2 = second / n
    some = np.where(mean2 > 0, mean2, 1.0)
    noise = np.where(mean2 > 0, np.maximum(fourth / n / some / some - 1, 0.0), 0.0) / n
    df = np.where(mean2 > 0, 1 / np.maximum(1 / (n - 1), noise / 2), 0.0)
    spreads = [n * ((d * d).sum(axis=1) / n / (n - 1)) for d in (x, y)]
    scale = np.sqrt(spreads[0] * spreads[1])
    shared = n * ((x * y).sum(axis=1) / n / (n - 1))
    r = np.where(scale > _NONE, np.clip(shared / np.maximum(scale, _NONE), -1, 1), 0.0)
    r[r > 1 - 1e-12] = 1.0
    apart = [
        2 * v * (n - 1) / n / np.where(v > 0, 1 - alike, 1.0)
        for v, (_, alike) in zip(spreads, steps, strict=True)
    ]
    return [
        n * (mean2 / (n - 1)),
        df,
        *spreads,
        r,
        np.maximum(steps[0][0], steps[1][0]),
        np.maximum(*apart),
    ]


class _Placed(NamedTuple):
    """One score of many samples: areas, deviations of placements, and `neighbour_steps`."""

    area: Vector
    deviations: tuple[Vector, Vector]
    steps: tuple[Vector, Vector]

    @classmethod
    def of(cls, score: Vector, n_pos: int) -> _Placed:
        """Count the scores of each sample, and place its cases."""
        samples, n = score.shape
        n_neg = n - n_pos
        order = score.argsort(axis=1)
        rising = np.take_along_axis(score, order, axis=1)
        new = np.ones(score.shape, dtype=np.bool_)
        np.not_equal(rising[:, 1:], rising[:, :-1], out=new[:, 1:])
        last = np.cumsum(new).reshape(score.shape) - 1  # row of counts of each case in order
        row = np.empty(score.shape, dtype=np.intp)
        np.put_along_axis(row, order, last, axis=1)
        pos = np.bincount(row[:, :n_pos].ravel(), minlength=last[-1, -1] + 1)
        neg = np.bincount(row[:, n_pos:].ravel(), minlength=pos.size)
        first = last[:, 0]  # where the rows of each sample begin
        # Sums run over all samples: each has n_neg negatives, and n_pos positives, before it.
        before = np.arange(samples)[:, np.newaxis]
        beaten = 2 * neg.cumsum() - neg  # twice the negatives below
        beating = 2 * n_pos - 2 * pos.cumsum() + pos
        wins = np.add.reduceat(pos * beaten, first) - 2 * n_pos * n_neg * before[:, 0]
        area = wins / (2 * n_pos * n_neg)
        by_pos = (beaten[row[:, :n_pos]] - 2 * n_neg * before) / (2 * n_neg)
        by_neg = (beating[row[:, n_pos:]] + 2 * n_pos * before) / (2 * n_pos)
        by_pos -= area[:, np.newaxis]
        by_neg -= area[:, np.newaxis]
        steps = _steps(pos, neg, first, n_pos, n_neg), _steps(neg, pos, first, n_neg, n_pos)
        return cls(area, (by_pos, by_neg), steps)


def _steps(own: Ints, other: Ints, first: Ints, n: int, others: int) -> Vector:
    """Return `rocspace.inference.spread.neighbour_steps` of each sample, shape (2, samples).

    `first` is where the rows of each sample begin.
    """
    between = other[1:] + other[:-1]
    between[first[1:] - 1] = 0
    far = np.zeros_like(own)
    far[:-1] = between
    np.maximum(far[1:], between, out=far[1:])
    steps = np.add.reduceat(far * far * own, first)
    ends = np.append(between > 0, True)  # of the runs of cases that share a placement
    ends[first[1:] - 1] = True
    below = np.append(0, own.cumsum()[ends])
    tied = np.diff(below)
    runs = np.searchsorted(below[:-1], n * np.arange(first.size), side="right") - 1
    ties = np.add.reduceat(tied * tied, runs)  # runs without a case add nothing
    return np.array([steps / n / (2 * others) ** 2, ties / n**2])
