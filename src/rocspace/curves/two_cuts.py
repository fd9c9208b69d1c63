"""The ROC curve of two cuts: positive where a score is very high or very low, or in between."""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np

from rocspace._base.arrays import Array, ArrayLike, Ints, Vector
from rocspace._base.calls import explained
from rocspace._base.checks import check_fraction
from rocspace._base.frozen import Result
from rocspace._base.text import brief
from rocspace.counts.sorts import CLOCK, loaded
from rocspace.counts.table import ScoreTable, need
from rocspace.results.curve import Line, PolygonCurve, left_right, moving, plain

Side: TypeAlias = Literal["outside", "inside"]
"""Which scores two cuts call positive: those beyond them, or those between them."""

_MOST = 1000  # steps of the false positive rate where there are more negatives
_BLOCK = 1 << 21  # pairs of a rate and a cut that are read at a time
_NEAR = 1e-12


class TwoCuts(Result):
    """One or several pairs of cuts.

    Attributes
    ----------
    low, high : number or ndarray
        For the side "outside" scores up to `low` and from `high` on are called positive, for
        "inside" those strictly between them. An infinite cut calls no case on its side.
    fpr, tpr : float or ndarray
        Both rates.

    See Also
    --------
    TwoCutRoc.cuts_at
    """

    low: Any
    high: Any
    fpr: Any
    tpr: Any


class TwoCutRoc(PolygonCurve, Result):
    """The best ROC curve that two cuts of one score can have: a `rocspace.results.Curve`.

    Attributes
    ----------
    fpr, tpr : ndarray of float64, shape (m,)
        Vertices from (0, 0) to (1, 1); a repeated `fpr` is a step.
    side : {"outside", "inside"}
        Which scores are called positive.
    cuts : TwoCuts
        Pairs of cuts with the greatest tpr for rising false positive rates.

    See Also
    --------
    two_cut_roc
    """

    fpr: Vector
    tpr: Vector
    side: Side
    cuts: TwoCuts

    name: ClassVar[str] = "ROC curve of two cuts"
    _frame = ("fpr", "tpr")

    def _about(self) -> str:
        return f"{self.side}, {len(self)} points, auc={brief(self.auc)}"

    def __len__(self) -> int:
        """Return the number of points."""
        return int(self.fpr.size)

    @property
    def auc(self) -> float:
        """Area under the curve; above 1/2 on average also for an uninformative score."""
        return float(np.trapezoid(self.tpr, self.fpr))

    def cuts_at(self, fpr: ArrayLike) -> TwoCuts:
        """Return the pair of cuts with the greatest tpr whose fpr is not above a given one.

        Parameters
        ----------
        fpr : float or array-like
            False positive rates in [0, 1] that are allowed.

        Returns
        -------
        TwoCuts
            The cuts and their rates, in the shape of `fpr`.

        Raises
        ------
        ValueError
            If a rate is outside [0, 1].

        Examples
        --------
        >>> from rocspace import tabulate
        >>> curve = two_cut_roc(tabulate([1, 0, 0, 0, 1, 1], [1, 2, 3, 4, 5, 6]))
        >>> curve.cuts_at(0.2)
        TwoCuts(low=1.0, high=5.0, fpr=0.0, tpr=1.0)
        """
        at = check_fraction("fpr", fpr)
        row = np.searchsorted(self.cuts.fpr, at + _NEAR, "right") - 1
        names = ("low", "high", "fpr", "tpr")
        return TwoCuts(**{name: plain(getattr(self.cuts, name)[row]) for name in names})


@explained
def two_cut_roc(table: ScoreTable, *, side: Side = "outside") -> TwoCutRoc:
    """Return the ROC curve of the best two cuts: for markers that are abnormal both high and low.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present; the direction of the scores does not matter.
    side : {"outside", "inside"}, default "outside"
        Whether scores beyond both cuts are called positive, or those between them.

    Returns
    -------
    TwoCutRoc
        For each false positive rate the greatest true positive rate of any two cuts.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If the side is unknown.

    Notes
    -----
    For the rate t, "outside" takes the greatest of ``U(u) + L(t - u)``, where U and L are the
    curves of calling from the top and from the bottom, so that it lies on or above both of them:
    O(m n) for n negatives and m rates, which are all that occur for up to 1000 negatives, and
    otherwise 1001 of them, equally spaced; O(m k log k) with weights. The curve is exact there, and
    linear between. Inside a tie cases are shared, as in a ROC curve. Rules of neighbouring points
    need not be nested: a case that is called positive at one rate need not be so at a larger one.
    "inside" is the curve of "outside" with the classes exchanged, seen from the other corner.

    Both cuts are chosen for each rate on the cases that are judged, so that the area exceeds 1/2
    even if the score is uninformative: it is .66 on average for 20 + 20 cases, .61 for 50 + 50 and
    .56 for 200 + 200. `rocspace.inference.two_cut_test` allows for that.

    References
    ----------
    Martinez-Camblor et al. (2017), a paper on this alone.

    Examples
    --------
    >>> from rocspace import auc, tabulate
    >>> table = tabulate([1, 0, 0, 0, 1, 1], [1, 2, 3, 4, 5, 6])
    >>> two_cut_roc(table).auc, round(auc(table), 4)
    (1.0, 0.6667)
    """
    need("two_cut_roc", table)
    order = np.argsort(table.score, kind="stable")[::-1]  # from the top, whatever it means
    score = table.score[order].astype(np.float64)
    pos, neg = (np.asarray(c[order], dtype=np.float64) for c in (table.pos, table.neg))
    if side == "inside":
        pos, neg = neg, pos
    x, left, right = two_cut_points(pos, neg)
    low, high, fp, tp = _cuts(score, pos, neg, x)
    n_pos, n_neg = pos.sum(), neg.sum()
    fpr, tpr = _polygon(x / n_neg, left / n_pos, right / n_pos)
    rates = np.minimum(fp / n_neg, 1.0), np.minimum(tp / n_pos, 1.0)
    if side == "inside":
        fpr, tpr = 1 - tpr[::-1], 1 - fpr[::-1]
        low, high = low[::-1], high[::-1]
        rates = 1 - rates[1][::-1], 1 - rates[0][::-1]
    cuts = TwoCuts(low=low, high=high, fpr=np.maximum.accumulate(rates[0]), tpr=rates[1])
    return TwoCutRoc(fpr=fpr, tpr=tpr, side=side, cuts=cuts)


def two_cut_points(pos: Vector, neg: Vector) -> tuple[Vector, Vector, Vector]:
    """Return numbers of negatives, and the most positives that two cuts call with each of them.

    The rows come from the top. The most positives are given as a limit from the left and a value.
    """
    whole = float(neg.sum())
    up, down = (Line(_summed(n), _summed(p)) for n, p in ((neg, pos), (neg[::-1], pos[::-1])))
    at = np.linspace(0, whole, _MOST + 1)
    if (neg == np.rint(neg)).all():
        at = np.unique(np.rint(at)) if whole > _MOST else np.arange(whole + 1)
        left, right = _sums_of_counts(up, down, at.astype(np.intp))
    else:
        left, right = _sums(up, down, at)
    left, right = (np.minimum(np.maximum.accumulate(x), pos.sum()) for x in (left, right))
    left[0] = 0.0
    return at, left, right


def _sums_of_counts(up: Line, down: Line, at: Ints) -> tuple[Vector, Vector]:
    """Return what `_sums` does where both lines bend at whole numbers only, as `at` are."""
    whole = np.arange(up.x[-1] + 1)
    (before, here), (left, right) = (left_right(line, whole) for line in (up, down))
    one, other = (before, here), (left[::-1].copy(), right[::-1].copy())
    limit, value = np.full(at.size, -np.inf), np.empty(at.size)
    if loaded():
        from rocspace._kernels.sums import greatest_sums

        greatest_sums(one, other, at, limit, value)
    else:
        CLOCK.timed(partial(_greatest_sums, one, other, at, limit, value))
    return limit, value


def _greatest_sums(
    one: tuple[Vector, Vector],
    other: tuple[Vector, Vector],
    at: Ints,
    limit: Vector,
    value: Vector,
) -> None:
    """Do what the compiled `greatest_sums` does."""
    before, here = one
    left, right = other
    for i, t in enumerate(at.tolist()):
        of_right = right[right.size - 1 - t :]
        value[i] = (here[: t + 1] + of_right).max()
        if t:
            of_left = left[right.size - 1 - t : -1]
            limit[i] = max((before[1 : t + 1] + of_right[1:]).max(), (here[:t] + of_left).max())


def _sums(up: Line, down: Line, at: Vector) -> tuple[Vector, Vector]:
    """Return the greatest sums of two lines at numbers that add up to `at`: limits, and values."""
    found = [np.full(at.size, -np.inf), np.full(at.size, -np.inf)]
    for one, other in ((up, down), (down, up)):
        knots = np.unique(one.x)
        before, here = left_right(one, knots)
        step = max(1, _BLOCK // knots.size)
        for first in range(0, at.size, step):
            part = slice(first, first + step)
            rest = at[part, np.newaxis] - knots
            there = rest >= 0
            ends = left_right(other, np.maximum(rest, 0.0).ravel())
            left, right = (end.reshape(rest.shape) for end in ends)
            value = np.where(there, here + right, -np.inf)
            limit = np.maximum(
                np.where(there & (knots > 0), before + right, -np.inf),
                np.where(rest > 0, here + left, -np.inf),
            )
            for side, each in enumerate((limit, value)):
                found[side][part] = np.maximum(found[side][part], each.max(axis=1))
    return found[0], found[1]


def _summed(counts: Vector) -> Vector:
    return np.concatenate([[0.0], np.cumsum(counts)])


def _polygon(x: Vector, left: Vector, right: Vector) -> tuple[Vector, Vector]:
    """Return the vertices of a line that may jump at each x, without repeated points."""
    fpr, tpr = np.repeat(x, 2), np.column_stack([left, right]).ravel()
    fpr, tpr = np.append(np.minimum(fpr, 1.0), 1.0), np.append(np.clip(tpr, 0.0, 1.0), 1.0)
    kept = moving(fpr, tpr)
    return fpr[kept], tpr[kept]


def _cuts(score: Array, pos: Vector, neg: Vector, at: Vector) -> tuple[Vector, ...]:
    """Return the cuts that call the most positives with at most so many negatives."""
    top = [_summed(c) for c in (neg, pos)]
    bottom = [_summed(c) for c in (neg[::-1], pos[::-1])]
    rows: list[tuple[int, int]] = []
    best = _most_rows(top[0])
    for most in at:
        i = best[top[0][best] <= most + _NEAR]
        j = np.searchsorted(bottom[0], most - top[0][i] + _NEAR, "right") - 1
        j = np.minimum(j, score.size - i)
        found = int(np.argmax(top[1][i] + bottom[1][j]))
        rows.append((int(i[found]), int(j[found])))
    i, j = np.array(rows).T
    high = np.append(np.inf, score)[i]
    low = np.append(-np.inf, score[::-1])[j]
    return low, high, top[0][i] + bottom[0][j], top[1][i] + bottom[1][j]


def _most_rows(called: Vector) -> Ints:
    """Return, for each number of negatives, the most rows with it."""
    return np.flatnonzero(np.append(np.diff(called) > 0, True))
