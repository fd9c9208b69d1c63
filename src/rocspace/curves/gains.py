"""Cumulative gains and lift: the share of positives found among the highest scores."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from rocspace._base.arrays import Array, ArrayLike, Vector
from rocspace._base.checks import check_fraction, check_times
from rocspace._base.exact import ratio
from rocspace._base.frozen import Result, own
from rocspace.counts.table import ScoreTable, of_positives, twice_wins_and_pairs
from rocspace.curves.summaries import gini
from rocspace.curves.sweep import Sweep, sweep_of
from rocspace.results.curve import plain


class GainsPoints(Result):
    """One or several points of a gains curve.

    Attributes
    ----------
    depth : float or ndarray
        Share of all cases called positive, in [0, 1].
    tpr : float or ndarray
        Share of the positives that are called positive, in [0, 1].
    lift : float or ndarray
        ``tpr / depth``; nan at depth 0.

    See Also
    --------
    gains_curve
    """

    depth: Any
    tpr: Any
    lift: Any


class GainsCurve(Sweep[GainsPoints]):
    """Points of a cumulative gains curve, from (0, 0) to (1, 1).

    Attributes
    ----------
    tp, fp, threshold, n_pos, n_neg, higher_is_positive
        As for all sweeps: the counts called positive at each threshold.
    area : float
        Area under the curve: 1/2 for guessing, ``1 - prevalence / 2`` if perfect.
    accuracy_ratio : float
        ``area - 1/2`` divided by its largest value: equal to `rocspace.gini`, also with ties. nan
        without negatives.

    See Also
    --------
    gains_curve
    """

    area: float
    accuracy_ratio: float

    _point = GainsPoints
    _frame = ("depth", "tpr", "lift", "fpr", "threshold", "tp", "fp")

    @cached_property
    def depth(self) -> Vector:
        """Share of all cases called positive, strictly increasing from 0 to 1."""
        return own((self.tp + self.fp) / (self.n_pos + self.n_neg))

    @cached_property
    def lift(self) -> Vector:
        """Positives found, relative to as many random cases; the first value is nan, the last 1."""
        return own(ratio(self.tpr, self.depth))

    def tpr_at(self, depth: ArrayLike) -> Any:
        """Return the share of the positives found at given depths.

        Parameters
        ----------
        depth : float or array-like
            Shares of the cases, highest scores first, in [0, 1].

        Returns
        -------
        float or ndarray
            In [0, 1]. Inside a tie it is the expectation under random order, which is linear.

        Raises
        ------
        ValueError
            If a depth is outside [0, 1] or NaN.

        Notes
        -----
        O(log m) for each value.
        """
        return plain(np.interp(check_fraction("depth", depth), self.depth, self.tpr))

    def lift_at(self, depth: ArrayLike) -> Any:
        """Return the lift at given depths.

        Parameters
        ----------
        depth : float or array-like
            Shares of the cases, highest scores first, in [0, 1].

        Returns
        -------
        float or ndarray
            From 0 to the smaller of 1 / prevalence and 1 / depth; nan at depth 0.

        Raises
        ------
        ValueError
            If a depth is outside [0, 1] or NaN.

        Notes
        -----
        O(log m) for each value.
        """
        at = check_fraction("depth", depth)
        return plain(ratio(self.tpr_at(at), at))


@of_positives
def gains_curve(table: ScoreTable) -> GainsCurve:
    """Return the cumulative gains curve of a table, which also holds the lift curve.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score; negatives may be missing.

    Returns
    -------
    GainsCurve
        (0, 0), and one point for each distinct score.

    Raises
    ------
    SingleClassError
        If there are no positives.

    Notes
    -----
    O(k). For counts the area is a ratio of integers, rounded once. Also called cumulative accuracy
    profile (CAP).

    References
    ----------
    Fawcett (2006), section 4.2, on why these graphs depend on the class mix.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> curve = gains_curve(tabulate([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8]))
    >>> curve.depth, curve.tpr
    (array([0.  , 0.25, 0.75, 1.  ]), array([0. , 0.5, 1. , 1. ]))
    >>> curve.lift_at(0.25), curve.accuracy_ratio
    (2.0, 0.75)
    """
    # The area in pairs: half the squared number of positives, plus all pairs that positives win.
    twice_wins, _ = twice_wins_and_pairs(table)
    n_pos, n = table.n_pos, table.n_pos + table.n_neg
    return GainsCurve(
        **sweep_of(table),
        area=float((n_pos * n_pos + twice_wins) / (2 * n * n_pos)),
        accuracy_ratio=gini(table) if table.n_neg else float("nan"),
    )


class GainsTable(Result):
    """Cases and positives in each part of the ranked cases, highest scores first.

    Attributes
    ----------
    depth : ndarray, shape (b,)
        End of each part, as a share of all cases.
    size, pos : ndarray, shape (b,)
        Numbers of cases and of positives in each part; not whole where an end falls inside a tie,
        whose positives are divided in proportion.
    threshold : ndarray, shape (b,)
        The lowest score of each part.
    n_pos, n_neg : int or float
        Class sizes.

    See Also
    --------
    gains_table
    """

    depth: Vector
    size: Vector
    pos: Vector
    threshold: Array
    n_pos: int | float
    n_neg: int | float

    _frame = (
        "depth",
        "size",
        "pos",
        "response_rate",
        "tpr",
        "lift",
        "cumulative_response_rate",
        "cumulative_lift",
        "threshold",
    )

    def __len__(self) -> int:
        """Return the number of parts."""
        return int(self.depth.size)

    @property
    def response_rate(self) -> Vector:
        """Share of positives in each part."""
        return np.asarray(self.pos / self.size)

    @property
    def lift(self) -> Vector:
        """Share of positives in each part, divided by that among all cases."""
        return np.asarray(self.response_rate * ((self.n_pos + self.n_neg) / self.n_pos))

    @property
    def tpr(self) -> Vector:
        """Share of all positives found up to the end of each part."""
        return np.asarray(np.cumsum(self.pos) / self.n_pos)

    @property
    def cumulative_response_rate(self) -> Vector:
        """Share of positives among the cases up to the end of each part: the precision."""
        return np.asarray(np.cumsum(self.pos) / np.cumsum(self.size))

    @property
    def cumulative_lift(self) -> Vector:
        """Lift up to the end of each part."""
        prevalence = self.n_pos / (self.n_pos + self.n_neg)
        return np.asarray(self.cumulative_response_rate / prevalence)


@of_positives
def gains_table(table: ScoreTable, *, parts: int | ArrayLike = 10) -> GainsTable:
    """Divide the ranked cases into parts, by default deciles, and count the positives in each.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score; negatives may be missing.
    parts : int or array-like of float, default 10
        Number of parts of equal size, or the depths at which parts end, increasing in (0, 1] up to
        1.

    Returns
    -------
    GainsTable
        One row for each part, highest scores first.

    Raises
    ------
    SingleClassError
        If there are no positives.
    ValueError
        If the number of parts is below 1, or the depths do not increase up to 1.

    Notes
    -----
    O(k + b log k). A tie that is divided by an end gives each part its expected share, so the table
    does not depend on the order of the cases.

    References
    ----------
    Fawcett (2006), section 4.2, for lift; the expected shares inside a tie are our own.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> rows = gains_table(tabulate([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8]), parts=2)
    >>> rows.pos, rows.lift
    (array([1.5, 0.5]), array([1.5, 0.5]))
    """
    curve = gains_curve(table)
    depth = _depths(parts)
    called = curve.tp + curve.fp
    end = depth * float(called[-1])
    reached = np.interp(end, called, curve.tp)
    # Round-off must not pass the end of a row.
    row = np.searchsorted(called, end * (1 - 1e-12), "left")
    return GainsTable(
        depth=depth,
        size=np.diff(end, prepend=0.0),
        pos=np.diff(reached, prepend=0.0),
        threshold=curve.threshold[row],
        n_pos=table.n_pos,
        n_neg=table.n_neg,
    )


def _depths(parts: int | ArrayLike) -> Vector:
    if isinstance(parts, int | np.integer):
        check_times("parts", int(parts))
        return np.arange(1, parts + 1) / parts
    depth = np.atleast_1d(check_fraction("parts", parts))
    sound = depth.ndim == 1 and depth.size > 0 and depth[-1] == 1
    if not sound or not (np.diff(depth, prepend=0.0) > 0).all():
        msg = "parts must be depths that increase from above 0 to 1, such as [0.1, 0.5, 1]."
        raise ValueError(msg)
    return depth
