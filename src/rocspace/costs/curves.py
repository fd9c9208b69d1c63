"""Cost curves: expected cost against the operating conditions.

The conditions (the class mix and the two costs) are one number in [0, 1], the probability
cost: the share of the positives in the cost of calling everything wrong. A classifier with one
threshold is a straight line. A score has the lower envelope of its thresholds' lines,
the dual of its ROC convex hull: an edge of slope m there is a corner at 1 / (1 + m) here.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from rocspace._base.arrays import ArrayLike, Vector
from rocspace._base.calls import explained
from rocspace._base.checks import check_fraction, check_one_fraction
from rocspace._base.frozen import Result
from rocspace._base.geometry import hull_indices
from rocspace.costs.expected_loss import mean_of_lines
from rocspace.counts.table import ScoreTable, of_table
from rocspace.curves.roc import roc_curve
from rocspace.curves.sweep import Sweep, check_beta, sweep_of
from rocspace.hull.convex import HullPoint, Reached, RocHull
from rocspace.results.curve import plain
from rocspace.results.interval import Interval

# --- lines of single thresholds ---------------------------------------------------------------


class CostLine(Result):
    """The lines of one or several thresholds.

    Attributes
    ----------
    at_zero : float or ndarray
        Cost where the probability cost is 0: the false positive rate.
    at_one : float or ndarray
        Cost where it is 1: the false negative rate.

    See Also
    --------
    CostCurve.at_threshold
    """

    at_zero: Any
    at_one: Any

    def cost_at(self, probability: ArrayLike) -> Any:
        """Return the normalised expected cost at a probability cost in [0, 1].

        Parameters
        ----------
        probability : float or array-like of float
            Probability costs in [0, 1].

        Returns
        -------
        float or ndarray
            In [0, 1]; lower is better.

        Raises
        ------
        ValueError
            If a probability cost is outside [0, 1].
        """
        at = check_fraction("probability", probability)
        return plain(self.at_one * at + self.at_zero * (1 - at))


class CostLines(Sweep[CostLine]):
    """One line in cost space for each threshold, from reject-all on.

    Attributes
    ----------
    tp, fp, threshold, n_pos, n_neg, higher_is_positive
        As for all sweeps: the counts called positive at each threshold.

    See Also
    --------
    cost_lines
    """

    _point = CostLine
    _frame = ("at_zero", "at_one", "threshold", "tp", "fp")

    @cached_property
    def at_zero(self) -> Vector:
        """Left end of each line, the false positive rate."""
        return self.fpr

    @cached_property
    def at_one(self) -> Vector:
        """Right end of each line, the false negative rate."""
        return self.fnr


@of_table
def cost_lines(table: ScoreTable) -> CostLines:
    """Return the line of every threshold of a table.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.

    Returns
    -------
    CostLines
        The first line is that of rejecting all, the last that of accepting all.

    Raises
    ------
    SingleClassError
        If a class is missing.

    References
    ----------
    Fawcett (2004), on cost curves, no numbered equation, after Drummond and Holte (2006).

    Examples
    --------
    >>> from rocspace import tabulate
    >>> lines = cost_lines(tabulate([0, 1, 0, 1], [1, 2, 3, 4]))
    >>> lines.at_threshold(2.5)
    CostLine(at_zero=0.5, at_one=0.5)
    """
    return CostLines(**sweep_of(table))


# --- the envelope -----------------------------------------------------------------------------


class CostCurve(Reached):
    """Lower envelope of lines in cost space: the least cost under all operating conditions.

    Attributes
    ----------
    probability : ndarray of float64, shape (m + 1,)
        Probability costs of the corners, from 0 to 1.
    cost : ndarray of float64, shape (m + 1,)
        Normalised expected cost at the corners; 0 at both ends.
    fpr, tpr : ndarray of float64, shape (m,)
        ``fpr[i]``: of the classifier that is optimal from ``probability[i]`` to ``[i + 1]``.
    points : tuple of tuple of HullPoint, length m
        Every classifier and threshold that is optimal there.
    lines : CostLines or None
        The lines of all thresholds, if the curve is that of one table.

    See Also
    --------
    cost_curve

    Examples
    --------
    >>> from rocspace import tabulate
    >>> curve = cost_curve(tabulate([0, 1, 0, 1], [1, 2, 3, 4]))
    >>> curve.probability, curve.cost
    (array([0. , 0.5, 1. ]), array([0.  , 0.25, 0.  ]))
    >>> curve.cost_at(0.2), [point.threshold for point in curve.points[0]]
    (0.1, [np.float64(4.0)])
    """

    probability: Vector
    cost: Vector
    lines: CostLines | None = None

    _noun = "lines"

    def _columns(self) -> dict[str, Any]:
        """Return the corners, each with the line that begins there; at 1 with the one that ends."""
        lines = {name: [*column, column[-1]] for name, column in super()._columns().items()}
        return {"probability": self.probability, "cost": self.cost, **lines}

    @cached_property
    def area(self) -> float:
        """Area under the curve, in [0, 1/4]: the mean cost if all conditions are equally likely."""
        return float(np.trapezoid(self.cost, self.probability))

    @property
    def operating_range(self) -> Interval:
        """Probability costs for which neither rejecting all nor accepting all is optimal."""
        own = np.flatnonzero(((self.fpr > 0) | (self.tpr > 0)) & ((self.fpr < 1) | (self.tpr < 1)))
        ends = (0.5, 0.5)
        if own.size:
            ends = float(self.probability[own[0]]), float(self.probability[own[-1] + 1])
        return Interval(low=ends[0], high=ends[1], method="operating range")

    def cost_at(self, probability: ArrayLike) -> Any:
        """Return the least normalised expected cost at given probability costs.

        Parameters
        ----------
        probability : float or array-like
            In [0, 1]; see `rocspace.operating.Costs.probability_cost`.

        Returns
        -------
        float or ndarray
            From 0 to the smaller of ``probability`` and ``1 - probability``, which the
            trivial classifiers cost.

        Raises
        ------
        ValueError
            If a value is outside [0, 1] or NaN.

        Notes
        -----
        O(log m) for each value.
        """
        at = check_fraction("probability", probability)
        return plain(np.interp(at, self.probability, self.cost))

    def optimal(self, probability: float) -> tuple[int, ...]:
        """Return which lines are lowest at a probability cost: one, or two at a corner.

        Parameters
        ----------
        probability : float
            In [0, 1].

        Returns
        -------
        tuple of int
            Indices into ``points``, ``fpr`` and ``tpr``.

        Raises
        ------
        ValueError
            If the value is outside [0, 1] or NaN.
        """
        at = check_one_fraction("probability", probability)
        inner = self.probability[1:-1]
        first, last = (int(np.searchsorted(inner, at, side)) for side in ("left", "right"))
        return tuple(range(first, last + 1))

    def expected(self, alpha: float = 1.0, beta: float = 1.0) -> float:
        """Return the mean cost under a Beta density of the probability cost.

        Parameters
        ----------
        alpha, beta : float, default 1
            Parameters of the density; 1 and 1 is the uniform one, whose mean is `area`.

        Returns
        -------
        float
            In [0, 1/2], lower is better.

        Raises
        ------
        ValueError
            If a parameter is not a positive number.
        """
        parameters = check_beta("the density", (alpha, beta))
        return mean_of_lines(self.probability, self.fpr, 1 - self.tpr, parameters)

    def at_threshold(self, threshold: ArrayLike, *, inclusive: bool = True) -> CostLine:
        """Return the lines of thresholds of the table that the curve belongs to.

        Parameters
        ----------
        threshold : float or array-like
            Thresholds on the scale of the score.
        inclusive : bool, default True
            Whether a score equal to the threshold is called positive.

        Returns
        -------
        CostLine
            They touch the curve where the threshold is optimal.

        Raises
        ------
        ValueError
            If a threshold is NaN, or the curve is that of a hull, where a threshold may
            belong to several scores.

        Examples
        --------
        >>> from rocspace import tabulate
        >>> curve = cost_curve(tabulate([0, 0, 1, 1], [1, 3, 2, 4]))
        >>> line = curve.at_threshold(3)
        >>> line.at_zero, line.at_one, line.cost_at(0.5)
        (0.5, 0.5, 0.5)
        """
        if self.lines is None:
            msg = "A threshold belongs to one score. Ask cost_lines(table).at_threshold(threshold)."
            raise ValueError(msg)
        return self.lines.at_threshold(threshold, inclusive=inclusive)


@explained
def cost_curve(source: ScoreTable | RocHull) -> CostCurve:
    """Return the lower envelope of a table's thresholds, or of the classifiers of a hull.

    Parameters
    ----------
    source : ScoreTable or RocHull
        Counts by distinct score, both classes present; or `rocspace.hull.roc_hull` of any
        number of scores and single points.

    Returns
    -------
    CostCurve
        Concave, 0 at both ends. The two trivial classifiers take part.

    Raises
    ------
    SingleClassError
        If a class is missing.

    Notes
    -----
    O(k) for a table, O(h) for a hull of h vertices. The corners of a table of counts are
    ratios of integers, rounded once.

    References
    ----------
    Fawcett (2004), on cost curves, no numbered equation, after Drummond and Holte (2006).

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> curve = cost_curve(tabulate(data.y_true, data.y_score))
    >>> print(curve.probability.round(3), f"{curve.area:.4f}")
    [0.    0.25  0.571 0.667 1.   ] 0.1899
    """
    if isinstance(source, RocHull):
        rates = source.fpr, source.tpr
        return _envelope(*rates, 1.0, 1.0, rates, source.points, None)
    lines = cost_lines(source)
    curve = roc_curve(source)
    kept = hull_indices(curve.fp, curve.tp)
    points = tuple((HullPoint(name="score", threshold=curve.threshold[i]),) for i in kept)
    fp, tp = (column[kept].astype(object) for column in (curve.fp, curve.tp))
    rates = curve.fpr[kept], curve.tpr[kept]
    return _envelope(fp, tp, curve.n_pos, curve.n_neg, rates, points, lines)


def _envelope(
    fp: Any,
    tp: Any,
    n_pos: float,
    n_neg: float,
    rates: tuple[Vector, Vector],
    points: tuple[tuple[HullPoint, ...], ...],
    lines: CostLines | None,
) -> CostCurve:
    """Turn the vertices of a hull into lines, and its edges into the corners between them."""
    wrong, right = np.diff(fp) * n_pos, np.diff(tp) * n_neg
    corner = (wrong / (wrong + right)).astype(np.float64)
    cost = ((n_pos - tp[1:]) * np.diff(fp) + fp[1:] * np.diff(tp)) / (wrong + right)
    x = np.maximum.accumulate(np.concatenate([[0.0], corner, [1.0]]))
    y = np.concatenate([[0.0], cost.astype(np.float64), [0.0]])
    long = np.flatnonzero(np.diff(x) > 0)  # a vertical first edge leaves reject-all no room
    return CostCurve(
        probability=np.append(x[long], 1.0),
        cost=np.append(y[long], 0.0),
        fpr=rates[0][long],
        tpr=rates[1][long],
        points=tuple(points[i] for i in long),
        lines=lines,
    )
