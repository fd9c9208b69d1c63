"""The ROC curve: points with thresholds, ties, interpolation, dominance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np

from rocspace._base.arrays import Array, ArrayLike, Ints, Mask, Vector
from rocspace._base.calls import explained
from rocspace._base.cards import Card, picture
from rocspace._base.checks import check_choice, check_fraction
from rocspace._base.exact import exact_twice_wins
from rocspace._base.frozen import Result, own
from rocspace._base.text import count, share
from rocspace.counts.confusion import rows_called_positive
from rocspace.counts.table import ScoreTable, of_table, sums_to_floats, trusted
from rocspace.curves.sweep import Sweep, sweep_of
from rocspace.results.curve import PolygonCurve, plain

Ties: TypeAlias = Literal["expected", "optimistic", "pessimistic"]


class RocPoints(Result):
    """Rates of one or several points in ROC space.

    Attributes
    ----------
    fpr, tpr : float or ndarray
        False and true positive rates in [0, 1].

    See Also
    --------
    roc_curve
    """

    fpr: Any
    tpr: Any


class RocCurve(PolygonCurve, Sweep[RocPoints]):
    """Points of an ROC curve, from reject-all at (0, 0) to accept-all at (1, 1).

    Attributes
    ----------
    tp, fp, threshold, n_pos, n_neg, higher_is_positive
        As for all sweeps: the counts called positive at each threshold.
    attainable : ndarray of bool, shape (m,)
        False for corners inside a tie, which no threshold reaches.
    complete : bool
        False if collinear points were dropped. Then `at_threshold` is exact at the thresholds of
        the remaining points; for others it returns the nearest remaining point with fewer positive
        calls.

    See Also
    --------
    roc_curve

    Examples
    --------
    >>> from rocspace import tabulate
    >>> curve = roc_curve(tabulate([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8]))
    >>> curve.fpr, curve.tpr, curve.threshold
    (array([0. , 0. , 0.5, 1. ]), array([0. , 0.5, 1. , 1. ]), array([inf, 0.8, 0.4, 0.1]))
    >>> curve.tpr_at(0.25)
    0.75
    """

    attainable: Mask
    complete: bool = True

    name: ClassVar[str] = "ROC curve"
    _point = RocPoints
    _frame = ("fpr", "tpr", "threshold", "fp", "tp", "attainable")
    _meant: ClassVar[Mapping[str, str]] = {
        "area": "auc",
        "ci": "rs.delong(table).interval(), or rs.roc_band(table) of the whole curve",
        "interval": "rs.delong(table).interval(), or rs.roc_band(table) of the whole curve",
        "coords": "rs.optimal_points(table), or rs.point_at(table, threshold)",
        "plot": "rs.plot.plot_roc(curve)",
        "x": "fpr",
        "y": "tpr",
        "best": "rs.optimal_points(table)[0]",
        "optimal": "rs.optimal_points(table)[0]",
        "youden": "rs.youden(table), or rs.optimal_points(table)[0] for its threshold",
        "smooth": "rs.models.fit_roc(table)",
        "points": "fpr, tpr and threshold, or to_frame()",
        "at": "tpr_at(fpr), fpr_at(tpr) or at_threshold(threshold)",
        "hull": "rs.roc_hull(table)",
        "interpolate": "tpr_at(fpr) or fpr_at(tpr)",
        "fn": "rs.evaluate(table, table.score), the counts at all thresholds",
        "tn": "rs.evaluate(table, table.score), the counts at all thresholds",
        "show": "rs.plot.plot_roc(curve)",
        "thresholds": "threshold",
        "best_threshold": "rs.optimal_points(table)[0].threshold",
        "optimal_threshold": "rs.optimal_points(table)[0].threshold",
        "save": "to_frame().to_csv(path), or pickle",
        "to_numpy": "fpr, tpr and threshold, which are arrays",
        "sensitivities": "tpr",
        "specificities": "tnr",
    }
    _made = "roc_curve(tabulate(y_true, y_score))"

    def _card(self) -> Card:
        rows = {
            "Points": f"{len(self):,}",
            "Area": share(self.auc),
            "Positives": count(self.n_pos),
            "Negatives": count(self.n_neg),
        }
        return Card(rows=rows, image=picture([(self.fpr, self.tpr)]))

    @property
    def tnr(self) -> Vector:
        """True negative rate of each point, non-increasing from 1 to 0."""
        return np.asarray((self.n_neg - self.fp) / self.n_neg)

    @property
    def local_maxima(self) -> Mask:
        """Which points no neighbour beats, with one rate better and the other as good.

        These are the upper left corners of the curve. A vertical step ends, or a slanting one, and
        at the next point there are more false positives.

        References
        ----------
        No source: what pROC calls the local maxima of a curve.

        Examples
        --------
        >>> from rocspace import tabulate
        >>> curve = roc_curve(tabulate([1, 0, 1, 1, 0], [5, 4, 3, 2, 1]))
        >>> curve.threshold[curve.local_maxima]
        array([5., 2.])
        """
        rises = np.diff(self.tp, prepend=-1) > 0
        goes_on = np.diff(self.fp, append=self.n_neg + 1) > 0
        return np.asarray(rises & goes_on)

    @cached_property
    def auc(self) -> float:
        """Area under the polygon, in [0, 1], higher is better; exact for counts, rounded once."""
        if self.fp.dtype.kind == "f":
            return min(float(np.trapezoid(self.tpr, self.fpr)), 1.0)
        wins = exact_twice_wins(np.diff(self.tp), np.diff(self.fp))
        return float(wins / (2 * int(self.n_pos) * int(self.n_neg)))

    def tpr_at(self, fpr: ArrayLike, *, interpolation: Literal["linear", "step"] = "linear") -> Any:
        """Return the true positive rate at given false positive rates.

        Parameters
        ----------
        fpr : float or array-like
            False positive rates in [0, 1].
        interpolation : {"linear", "step"}, default "linear"
            "linear" follows the polygon: a point on a segment is reached by randomly mixing the
            thresholds at its ends. "step" is the empirical ROC function: the largest tpr of all
            thresholds with a false positive rate of at most `fpr`.

        Returns
        -------
        float or ndarray
            In [0, 1], higher is better; the upper end of a vertical run.

        Raises
        ------
        ValueError
            If a rate is outside [0, 1] or NaN, or if "step" is used with a curve whose collinear
            points were dropped.

        Notes
        -----
        O(log m) for each value. The integral of the polygon is the AUC; that of the step function
        counts ties between the classes as 0.

        References
        ----------
        Fawcett (2006), Algorithm 3, for the polygon; Wang, Zhu and Xu (2021), equation 10, after
        Pepe (2003), for the step function.
        """
        check_choice("interpolation", interpolation, ("linear", "step"))
        if interpolation == "linear":
            return super().tpr_at(fpr)
        at = check_fraction("fpr", fpr)
        self._need_every_point("the step function")
        reached = self.fpr[self.attainable], self.tpr[self.attainable]
        return plain(reached[1][np.searchsorted(reached[0], at, "right") - 1])

    def _row(self, threshold: ArrayLike, inclusive: bool) -> Ints:
        kept = np.flatnonzero(self.attainable[1:]) + 1
        columns = (column[kept] for column in (self.threshold, self.tp, self.fp))
        scores = trusted(*columns, higher_is_positive=self.higher_is_positive)
        row: Ints = rows_called_positive(scores, threshold, inclusive=inclusive)
        return np.append(0, kept)[row]

    def negated(self) -> RocCurve:
        """Return the curve of the reversed decisions: the reflection through (1/2, 1/2).

        Returns
        -------
        RocCurve
            Its area is 1 minus that of the curve.

        Raises
        ------
        ValueError
            If collinear points, and so some thresholds, were dropped.

        Examples
        --------
        >>> from rocspace import tabulate
        >>> curve = roc_curve(tabulate([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8]))
        >>> curve.auc, curve.negated().auc
        (0.875, 0.125)
        """
        self._need_every_point("negated")
        before = -self.threshold[0]
        return replace(
            self,
            fp=self.n_neg - self.fp[::-1],
            tp=self.n_pos - self.tp[::-1],
            threshold=np.concatenate([[before], self.threshold[:0:-1]]).astype(
                self.threshold.dtype
            ),
            attainable=self.attainable[::-1].copy(),
            higher_is_positive=not self.higher_is_positive,
        )

    def _need_every_point(self, what: str) -> None:
        if not self.complete:
            msg = (
                f"This curve dropped collinear points, but {what} needs them all. "
                'Make it with collinear="keep".'
            )
            raise ValueError(msg)


@of_table
def roc_curve(
    table: ScoreTable,
    *,
    ties: Ties = "expected",
    collinear: Literal["keep", "drop"] = "keep",
) -> RocCurve:
    """Return the ROC curve of a table: (0, 0), and one point for each distinct score.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.
    ties : {"expected", "optimistic", "pessimistic"}, default "expected"
        Path of the curve at a score that both classes share: "expected" follows the diagonal of its
        rectangle, "optimistic" the upper left corner, "pessimistic" the lower right corner. A
        corner is marked as not attainable.
    collinear : {"keep", "drop"}, default "keep"
        "drop" leaves out points inside straight runs, which changes neither the area nor the shape.
        Counts are compared exactly, as integers; weights as float64.

    Returns
    -------
    RocCurve
        Points sorted by both rates, from (0, 0) with an infinite threshold to (1, 1).

    Raises
    ------
    SingleClassError
        If a class is missing.

    Notes
    -----
    O(k). A case is positive when ``score >= threshold``.

    References
    ----------
    Fawcett (2006), Algorithm 1, and section 5 for ties.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> table = tabulate([1, 1, 0, 1, 0], [5, 4, 3, 2, 2])
    >>> roc_curve(table, ties="pessimistic").tp
    array([0, 1, 2, 2, 2, 3])
    """
    attainable = np.ones(len(table) + 1, dtype=np.bool_)
    if ties == "expected" and collinear == "keep" and sums_to_floats(table):
        return RocCurve._assembled(
            _table=table,
            threshold=table.score_from_infinity,
            n_pos=table.n_pos,
            n_neg=table.n_neg,
            higher_is_positive=table.higher_is_positive,
            attainable=own(attainable),
        )
    sweep = sweep_of(table)
    fp, tp, threshold = (sweep[name] for name in ("fp", "tp", "threshold"))
    if ties != "expected":
        corner = np.flatnonzero((table.pos > 0) & (table.neg > 0)) + 1
        up_first = ties == "optimistic"
        fp = np.insert(fp, corner, fp[corner - 1] if up_first else fp[corner])
        tp = np.insert(tp, corner, tp[corner] if up_first else tp[corner - 1])
        threshold = np.insert(threshold, corner, threshold[corner])
        attainable = np.insert(attainable, corner, np.False_)
    complete = True
    if collinear == "drop":
        kept = corners(fp, tp)
        complete = bool(kept.all())
        fp, tp, threshold, attainable = (a[kept] for a in (fp, tp, threshold, attainable))
    columns = {"fp": fp, "tp": tp, "threshold": threshold, "attainable": attainable}
    for name, column in columns.items():
        sweep[name] = own(column) if column.flags.writeable else column
    return RocCurve._assembled(**sweep, complete=complete)


def corners(fp: Array, tp: Array) -> Mask:
    """Return which points are corners; steps are compared as reduced integer ratios."""
    dx, dy = np.diff(fp), np.diff(tp)
    if fp.dtype.kind == "f" or int(dx.max()) * int(dy.max()) < 2**62:
        turns = dx[:-1] * dy[1:] != dy[:-1] * dx[1:]
    else:
        common = np.gcd(dx, dy)
        dx, dy = dx // common, dy // common
        turns = (dx[:-1] != dx[1:]) | (dy[:-1] != dy[1:])
    return np.concatenate([[True], turns, [True]])


# --- points in ROC space ----------------------------------------------------------------------


@explained
def dominates(a: RocPoints, b: RocPoints) -> bool:
    """Return whether point a dominates point b: no rate is worse, and one is better.

    Parameters
    ----------
    a, b : RocPoints
        Two single points.

    Returns
    -------
    bool
        True if a has an fpr that is not larger, a tpr that is not smaller, and differs from b.

    References
    ----------
    Fawcett (2006), section 3.

    Examples
    --------
    >>> dominates(RocPoints(fpr=0.1, tpr=0.6), RocPoints(fpr=0.2, tpr=0.6))
    True
    """
    return bool(a.fpr <= b.fpr and a.tpr >= b.tpr and (a.fpr < b.fpr or a.tpr > b.tpr))


@explained
def pareto_front(points: RocPoints) -> Ints:
    """Return the points that no other point dominates.

    Parameters
    ----------
    points : RocPoints
        k points; ``fpr`` and ``tpr`` of shape (k,).

    Returns
    -------
    ndarray of int, shape (m,)
        Indices of the Pareto front, from the most conservative point (small fpr) to the most
        liberal; equal points are all kept.

    Notes
    -----
    O(k log k): sort by fpr, then sweep with the largest tpr so far.

    References
    ----------
    Fawcett (2006), section 3, for dominance; the sweep is a plain definition.

    Examples
    --------
    >>> pareto_front(RocPoints(fpr=[0.3, 0.1, 0.4], tpr=[0.6, 0.5, 0.6]))
    array([1, 0])
    """
    fpr, tpr = check_fraction("fpr", points.fpr), check_fraction("tpr", points.tpr)
    order = np.lexsort((-tpr, fpr))
    f, t = fpr[order], tpr[order]
    best_before = np.concatenate([[-1.0], np.maximum.accumulate(t)[:-1]])
    twin = np.concatenate([[False], (f[1:] == f[:-1]) & (t[1:] == t[:-1])])
    on_front = t > best_before
    # Equal points follow each other, and are on the front if the first of them is.
    first = np.maximum.accumulate(np.where(twin, 0, np.arange(f.size)))
    return order[on_front[first]]
