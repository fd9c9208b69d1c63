"""Distances between two ROC curves: vertical ones, and the average metric distance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from rocspace._base.arrays import Vector
from rocspace._base.calls import explained
from rocspace._base.checks import check_choice
from rocspace.counts.confusion import rows_called_positive
from rocspace.counts.table import ScoreTable, need, of_table
from rocspace.curves.roc import roc_curve
from rocspace.results.curve import Curve, Line, left_right, line_of

Metric: TypeAlias = Literal["area", "sup", "l2"]

_GAUSS = 24  # nodes of the quadrature of each piece


# --- vertical ---------------------------------------------------------------------------------


@explained
def curve_distance(
    first: ScoreTable | Curve, second: ScoreTable | Curve, *, metric: Metric = "area"
) -> float:
    """Vertical distance between two ROC curves.

    Parameters
    ----------
    first, second : ScoreTable or Curve
        Two curves. The curve of a table has its ties on diagonals.
    metric : {"area", "sup", "l2"}, default "area"
        "area": the area between the curves. "sup": the largest difference of tpr. "l2": the root of
        the integrated squared difference.

    Returns
    -------
    float
        In [0, 1]; 0 if the curves are equal. The area between two curves is at least the difference
        of their AUCs, and larger if they cross.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If the metric is unknown.

    Notes
    -----
    Exact for polygons, also if they cross; smooth curves are evaluated at 2001 rates. O(k log k).
    "sup" includes both ends of vertical runs. Always area <= l2 <= sup.

    References
    ----------
    No source: plain definitions; "sup" of a curve and the diagonal is the distance of Wang, Zhu and
    Xu (2021), equation 31.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> one = tabulate([1, 1, 0, 0], [4, 3, 2, 1])
    >>> other = tabulate([1, 0, 1, 0], [4, 3, 2, 1])
    >>> curve_distance(one, other), curve_distance(one, other, metric="sup")
    (0.25, 0.5)
    """
    one, two = (_line("curve_distance", curve) for curve in (first, second))
    return vertical_distance(one, two, metric)


def _line(name: str, curve: Any) -> Line:
    if not isinstance(curve, Curve):
        need(name, curve)
        curve = roc_curve(curve)
    return line_of(curve)


@explained
def vertical_distance(one: Line, two: Line, metric: str) -> float:
    """Return the distance of two non-decreasing polygons from (0, 0) to (1, 1).

    Parameters
    ----------
    one, two : Line
        Points with x and y non-decreasing; a repeated x is a jump.
    metric : {"area", "sup", "l2"}
        As for `curve_distance`.

    Returns
    -------
    float
        In [0, 1].

    References
    ----------
    No source: a plain definition.

    Examples
    --------
    >>> from rocspace.results.curve import Line
    >>> chance = Line(np.array([0.0, 1.0]), np.array([0.0, 1.0]))
    >>> perfect = Line(np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 1.0]))
    >>> vertical_distance(chance, perfect, "area")
    0.5
    """
    knots = np.union1d(one.x, two.x)
    (left1, right1), (left2, right2) = left_right(one, knots), left_right(two, knots)
    start, stop = (right1 - right2)[:-1], (left1 - left2)[1:]  # of the pieces between knots
    if metric == "sup":
        ends = np.concatenate([left1 - left2, right1 - right2])
        return float(np.abs(ends).max())
    width = np.diff(knots)
    if metric == "l2":
        square = (start * start + start * stop + stop * stop) / 3
        return float(np.sqrt((width * square).sum()))
    return float((width * _mean_absolute(start, stop)).sum())


def _mean_absolute(start: Vector, stop: Vector) -> Vector:
    """Mean of |d|, where d is linear from start to stop."""
    a, b = np.abs(start), np.abs(stop)
    crossing = start * stop < 0
    total = np.where(crossing, a + b, 1.0)
    return np.where(crossing, (a * a + b * b) / (2 * total), (a + b) / 2)


# --- case by case -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class _Path:
    """A curve as a function of the number of cases called positive."""

    called: Vector
    fpr: Vector
    tpr: Vector

    def at(self, called: Vector) -> Vector:
        """Return both rates, (2, n), at numbers of cases called positive; ties on the diagonal."""
        return np.stack([np.interp(called, self.called, y) for y in (self.fpr, self.tpr)])

    def by_length(self) -> _Path:
        """Return the same curve as a function of the share of its length."""
        behind = np.cumsum(np.hypot(np.diff(self.fpr), np.diff(self.tpr)))
        return _Path(called=np.append(0.0, behind / behind[-1]), fpr=self.fpr, tpr=self.tpr)


@of_table
def average_metric_distance(
    first: ScoreTable,
    second: ScoreTable | Literal["perfect", "chance"],
    *,
    order: float = 1.0,
    by: Literal["auto", "cases", "rate", "length", "threshold"] = "auto",
) -> float:
    """Average metric distance of two ROC curves: the mean distance of corresponding points.

    Parameters
    ----------
    first : ScoreTable
        Counts by distinct score, both classes present.
    second : ScoreTable or {"perfect", "chance"}
        Another table; or the perfect curve or the diagonal ("chance") for the same classes.
    order : float, default 1
        Order of the norm of the difference of two points: 1 is the sum of the differences of both
        rates, 2 the Euclidean distance, ``inf`` the larger difference.
    by : {"auto", "cases", "rate", "length", "threshold"}, default "auto"
        Which points of the two curves correspond. "cases": points with the same number n of cases
        called positive, averaged over n; for scores of the same cases. "rate": points with the same
        share of cases called positive, integrated over that share. "length": points at the same
        share of the curve's length. "threshold": points with the same threshold, from the lowest to
        the highest score of either table, for two scores on one scale. "auto": "cases" if both
        tables have the same class counts, else "rate".

    Returns
    -------
    float
        0 if the two curves are the same, else positive, at most 2 for order 1. Curves with equal
        areas can be far apart.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If the order is less than 1; if `by` is "cases" and the class counts differ; or if it is
        "threshold" and a curve has no thresholds ("perfect", "chance") or infinite scores.

    Notes
    -----
    Tied cases are equally spaced on their diagonal. "cases" costs O(n), the others O(k log k).
    "rate" and "length" cut both curves at all knots and crossings, and are exact for orders 1 and
    inf, and to 8 digits or more for others. "threshold" integrates step functions, and is exact.

    References
    ----------
    Wang, Zhu and Xu (2021), equation 38, after Alsing (2002).

    Examples
    --------
    >>> from rocspace import tabulate
    >>> one = tabulate([1, 1, 0, 0], [4, 3, 2, 1])
    >>> other = tabulate([1, 0, 1, 0], [4, 3, 2, 1])
    >>> average_metric_distance(one, other), average_metric_distance(other, "perfect")
    (0.25, 0.25)
    """
    if not order >= 1:
        msg = f"order is {order}, but a norm has an order from 1 to infinity."
        raise ValueError(msg)
    if by == "threshold":
        return _by_threshold(first, second, order)
    one = _path(first)
    if isinstance(second, str):
        check_choice("second", second, ("perfect", "chance"))
        two, matched = _ideal(first, second), not first.is_weighted
    else:
        need("average_metric_distance", second)
        two = _path(second)
        sizes = (first.n_pos, first.n_neg) == (second.n_pos, second.n_neg)
        matched = sizes and not (first.is_weighted or second.is_weighted)
    if by == "cases" and not matched:
        msg = 'by="cases" needs the same counts of both classes, without weights. Use by="rate".'
        raise ValueError(msg)
    if by == "length":
        one, two = one.by_length(), two.by_length()
    elif matched and by != "rate":
        n = int(first.n_pos + first.n_neg)
        called = np.arange(1, n + 1) / n
        return float(_norms(one.at(called) - two.at(called), order).mean())
    return float(_integral(one, two, order))


def _path(table: ScoreTable) -> _Path:
    curve = roc_curve(table)
    called = (curve.tp + curve.fp) / (table.n_pos + table.n_neg)
    called[-1] = 1.0
    return _Path(called=called, fpr=curve.fpr, tpr=curve.tpr)


def _by_threshold(first: ScoreTable, second: Any, order: float) -> float:
    """Return the distance at equal thresholds, averaged over the range of both scores."""
    if isinstance(second, str):
        msg = f'by="threshold" compares two scores, but {second!r} has no thresholds.'
        raise ValueError(msg)
    need("average_metric_distance", second)
    knots = np.union1d(first.score, second.score)
    if first.higher_is_positive != second.higher_is_positive or not np.isfinite(knots).all():
        msg = (
            'by="threshold" needs finite scores, of which both are higher for positives, or lower.'
        )
        raise ValueError(msg)
    if knots.size == 1:  # one distinct score: any threshold calls all cases or none
        return 0.0
    between = knots[1:] if first.higher_is_positive else knots[:-1]  # the threshold of each piece
    rates = []
    for table in (first, second):
        row = rows_called_positive(table, between)
        called = ((table.fp, table.n_neg), (table.tp, table.n_pos))
        rates.append(np.stack([np.append(0, column)[row] / size for column, size in called]))
    half = knots / 2  # the whole range may overflow
    width = np.diff(half) / (half[-1] - half[0])
    return float(width @ _norms(rates[0] - rates[1], order))


def _ideal(table: ScoreTable, name: str) -> _Path:
    ends = np.array([0.0, 1.0])
    if name == "chance":
        return _Path(called=ends, fpr=ends, tpr=ends)
    corner = np.array([0.0, table.prevalence, 1.0])
    return _Path(called=corner, fpr=np.array([0.0, 0.0, 1.0]), tpr=np.array([0.0, 1.0, 1.0]))


def _norms(d: Vector, order: float) -> Vector:
    """Norms of the columns of (2, n)."""
    return np.asarray(np.linalg.norm(d, ord=order, axis=0))


def _integral(one: _Path, two: _Path, order: float) -> float:
    knots = np.union1d(one.called, two.called)
    d = one.at(knots) - two.at(knots)
    lines = [d[0], d[1], d[0] - d[1], d[0] + d[1]]  # none of them changes sign inside a piece
    cuts = [knots]
    for line in lines:
        i = np.flatnonzero(line[:-1] * line[1:] < 0)
        cuts.append(knots[i] + line[i] / (line[i] - line[i + 1]) * (knots[i + 1] - knots[i]))
    knots = np.unique(np.concatenate(cuts))
    width = np.diff(knots)
    node, weight = np.polynomial.legendre.leggauss(_GAUSS)
    total = 0.0
    t = (node + 1) / 2
    # A substitution with zero slope at both ends, where the integrand of other orders has corners.
    smooth, slope = t**3 * (10 - 15 * t + 6 * t**2), 30 * t**2 * (1 - t) ** 2
    for x, w in zip(smooth, slope * weight / 2, strict=True):
        at = knots[:-1] + x * width
        total += w * float((width * _norms(one.at(at) - two.at(at), order)).sum())
    return total
