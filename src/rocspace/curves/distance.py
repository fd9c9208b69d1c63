"""Distances of two ROC curves: vertical ones, and one along the ranked cases."""

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
    """Distance of two ROC curves, taken vertically at each false positive rate.

    Parameters
    ----------
    first, second : ScoreTable or Curve
        Two curves; of a table, with ties on their diagonals.
    metric : {"area", "sup", "l2"}, default "area"
        "area" between the curves; the largest difference ("sup"); or the root of the integrated
        square ("l2").

    Returns
    -------
    float
        In [0, 1]; 0 if the curves are equal. The area between them is at least the difference
        of the areas under them, and more if they cross.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If there is no such metric.

    Notes
    -----
    Exact for polygons, crossings included; smooth curves are read at 2001 rates. O(k log k). At a
    vertical run both of its ends count for "sup". The order of the three is area <= l2 <= sup.

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


def vertical_distance(one: Line, two: Line, metric: str) -> float:
    """Measure the distance of two polygons from (0, 0) to (1, 1) that never fall."""
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
    """Mean of |d| where d goes linearly from start to stop."""
    a, b = np.abs(start), np.abs(stop)
    crossing = start * stop < 0
    total = np.where(crossing, a + b, 1.0)
    return np.where(crossing, (a * a + b * b) / (2 * total), (a + b) / 2)


# --- case by case -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class _Path:
    """A curve by how many cases have been called positive, in shares of both classes."""

    called: Vector
    fpr: Vector
    tpr: Vector

    def at(self, called: Vector) -> Vector:
        """Return (2, n): both rates when so many are called positive; ties on the diagonal."""
        return np.stack([np.interp(called, self.called, y) for y in (self.fpr, self.tpr)])

    def by_length(self) -> _Path:
        """Return the same curve by the share of its length that lies behind."""
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
    """Average metric distance of two ROC curves: the mean distance of their points, case by case.

    Parameters
    ----------
    first : ScoreTable
        Counts by distinct score, both classes present.
    second : ScoreTable or {"perfect", "chance"}
        Another curve; or the perfect one, or the diagonal, for the same classes.
    order : float, default 1
        The norm of the difference of two points: 1 adds both rates, 2 is the straight line,
        ``inf`` takes the larger.
    by : {"auto", "cases", "rate", "length", "threshold"}, default "auto"
        Which points belong together. "cases": the n-th point of a curve is what the n highest
        scores make, and the mean is over n; for scores of the same cases. "rate": those with the
        same share called positive, integrated over it. "length": those after the same share of
        the curve's length. "threshold": those with the same threshold, from the lowest to the
        highest score of either, for two scores on one scale. "auto": "cases" where both have the
        same counts of each class, else "rate".

    Returns
    -------
    float
        0 if both rank the classes alike, else more: curves with equal areas can be far
        apart. At most 2 for order 1.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If the order is less than 1, the cases cannot be matched, or thresholds cannot be
        compared: an ideal curve has none, and infinite scores have no distance.

    Notes
    -----
    Tied cases are placed in equal steps along their diagonal. "cases" costs O(n), the others
    O(k log k). "rate" and "length" cut both curves at all knots and crossings, and are exact for
    orders 1 and inf, and to 8 digits or more for others. "threshold" compares steps, and is exact.

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
    """Return the mean distance at the same threshold, evenly over the range of both scores."""
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
    if knots.size == 1:  # one score for all: any threshold calls all or none
        return 0.0
    between = knots[1:] if first.higher_is_positive else knots[:-1]  # what each piece calls
    rates = []
    for table in (first, second):
        row = rows_called_positive(table, between)
        called = ((table.fp, table.n_neg), (table.tp, table.n_pos))
        rates.append(np.stack([np.append(0, column)[row] / size for column, size in called]))
    half = knots / 2  # as the whole range may overflow
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
    lines = [d[0], d[1], d[0] - d[1], d[0] + d[1]]  # inside a piece none of them changes sign
    cuts = [knots]
    for line in lines:
        i = np.flatnonzero(line[:-1] * line[1:] < 0)
        cuts.append(knots[i] + line[i] / (line[i] - line[i + 1]) * (knots[i + 1] - knots[i]))
    knots = np.unique(np.concatenate(cuts))
    width = np.diff(knots)
    node, weight = np.polynomial.legendre.leggauss(_GAUSS)
    total = 0.0
    t = (node + 1) / 2
    # A change of variable that is flat at both ends, where roots of other orders have corners.
    smooth, slope = t**3 * (10 - 15 * t + 6 * t**2), 30 * t**2 * (1 - t) ** 2
    for x, w in zip(smooth, slope * weight / 2, strict=True):
        at = knots[:-1] + x * width
        total += w * float((width * _norms(one.at(at) - two.at(at), order)).sum())
    return total
