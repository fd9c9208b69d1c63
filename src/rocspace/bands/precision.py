"""Confidence bands of precision-recall curves, from those of ROC curves."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocspace._base.arrays import ArrayLike, Vector
from rocspace._base.checks import check_fractions, check_inside, check_level
from rocspace._base.frozen import Result
from rocspace._base.text import brief
from rocspace.bands.api import BandMethod, roc_band
from rocspace.counts.table import ScoreTable, of_table
from rocspace.inference.on_curve import fpr_at_interval
from rocspace.results.curve import between
from rocspace.results.interval import Interval, intervals_of
from rocspace.results.limits import nondecreasing

_STEPS = 512  # of the recall, beside the knots of a band


class PrBand(Result):
    """A confidence band of a precision-recall curve: a range of precision for every recall.

    Attributes
    ----------
    recall : ndarray of float64, shape (m,)
        Knots, increasing from 0 to 1.
    low, high : ndarray of float64, shape (m,)
        Limits of the precision at the knots.
    fpr_low, fpr_high : ndarray of float64, shape (m,)
        Limits of the false positive rate there, between which the limits are linear.
    level : float
        Confidence level in (0, 1).
    method : str
        How it was made.
    simultaneous : bool
        Whether it covers the whole curve with that probability, or each point separately.
    prevalence : tuple of float
        Least and greatest prevalence that it allows for; equal if the prevalence is known.

    See Also
    --------
    pr_band
    """

    recall: Vector
    low: Vector
    high: Vector
    fpr_low: Vector
    fpr_high: Vector
    level: float
    method: str
    simultaneous: bool
    prevalence: tuple[float, float]

    _frame = ("recall", "low", "high", "fpr_low", "fpr_high")

    def __len__(self) -> int:
        """Return the number of knots."""
        return int(self.recall.size)

    def _about(self) -> str:
        kind = "simultaneous" if self.simultaneous else "pointwise"
        return (
            f"{self.method}, level {self.level:g}, {kind}, prevalence {brief(self.prevalence[0])}"
        )

    def at_recall(self, recall: ArrayLike) -> Any:
        """Return the interval of the precision at given recalls.

        Parameters
        ----------
        recall : float or array-like, shape (m,)
            In [0, 1].

        Returns
        -------
        Interval, or a tuple of them
            Its level is that of the band, jointly for all recalls if the band is simultaneous.

        Raises
        ------
        ValueError
            If a recall is outside [0, 1] or NaN.

        Examples
        --------
        >>> from rocspace import datasets, tabulate
        >>> data = datasets.load("two_class_example")
        >>> band = pr_band(tabulate(data.y_true, data.y_score), simultaneous=False)
        >>> print("{:.3f} to {:.3f}".format(*band.at_recall(0.8)))
        0.844 to 0.957
        """
        at = check_fractions("recall", recall)
        fpr = [np.interp(at, self.recall, x) for x in (self.fpr_low, self.fpr_high)]
        low, high = _precisions(at, fpr[0], fpr[1], self.prevalence)
        return intervals_of(low, high, self.level, self.method)


@of_table
def pr_band(
    table: ScoreTable,
    *,
    simultaneous: bool = True,
    method: BandMethod = "likelihood",
    prevalence: float | Interval | None = None,
    level: float = 0.95,
) -> PrBand:
    """Confidence band of the precision-recall curve, for the whole curve or for each point.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.
    simultaneous : bool, default True
        Whether the band covers the whole curve with the given probability, or each point
        separately: the precision at one recall that was fixed before.
    method : str, default "likelihood"
        The ROC band that a simultaneous band is made of; see `rocspace.bands.roc_band`.
    prevalence : float or Interval, optional
        Share of positives where the scores will be used, taken as known; by default that of the
        data. With an interval, such as ``rate_interval(n_pos, n)`` for cases drawn at random, the
        band allows for all values in it: its error is then at most the sum of both.
    level : float, default 0.95
        Confidence level, strictly between 0 and 1.

    Returns
    -------
    PrBand
        At recall 0 it is [0, 1], at recall 1 the false positive rate may be 1.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If the level or a prevalence is not strictly between 0 and 1, the method is unknown or is
        not simultaneous, or it does not accept the data.

    Notes
    -----
    At a given prevalence the precision at a recall falls with the false positive rate there, so a
    band of the ROC curve is one of the precision-recall curve with the same level. The pointwise
    limits are those of `rocspace.inference.fpr_at_interval`. Both therefore cover as often as these
    do (docs, "Measured coverage"). Where few positives are among the highest scores, the band is
    wide: precision at a small recall rests on few cases.

    References
    ----------
    Fawcett (2006), section 4.2, for precision from both rates; that bands carry over is our own
    remark, and simple.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("two_class_example")
    >>> table = tabulate(data.y_true, data.y_score)
    >>> for simultaneous in (True, False):
    ...     band = pr_band(table, simultaneous=simultaneous)
    ...     print("{:.3f} to {:.3f}".format(*band.at_recall(0.8)))
    0.818 to 0.974
    0.844 to 0.957
    """
    check_level(level)
    mix = _prevalences(table, prevalence)
    grid = np.linspace(0, 1, _STEPS + 1)
    if simultaneous:
        band = roc_band(table, method=method, level=level)
        if not band.simultaneous:
            msg = (
                f"method={method!r} makes a band for each point. Take simultaneous=False, or a "
                'simultaneous method such as "likelihood".'
            )
            raise ValueError(msg)
        at = np.unique(np.concatenate([grid, band.low, band.high]))
        low, high = (_first_at(band.fpr, bound, at) for bound in (band.high, band.low))
        said = band.method
    else:
        at = grid[:: _STEPS // 128]
        ends = [fpr_at_interval(table, x, level=level) for x in at.tolist()]
        low, high = (
            nondecreasing(x, lower=lower, tight=False)
            for x, lower in zip(np.array([tuple(x) for x in ends]).T, (True, False), strict=True)
        )
        said = ends[0].method
    precision = _precisions(at, low, high, mix)
    return PrBand(
        recall=at,
        low=precision[0],
        high=precision[1],
        fpr_low=low,
        fpr_high=high,
        level=level,
        method=said,
        simultaneous=simultaneous,
        prevalence=mix,
    )


def _prevalences(table: ScoreTable, given: float | Interval | None) -> tuple[float, float]:
    if given is None:
        return table.prevalence, table.prevalence
    ends = tuple(given) if isinstance(given, Interval) else (given, given)
    low, high = (check_inside("prevalence", end) for end in ends)
    return low, high


def _first_at(x: Vector, y: Vector, at: Vector) -> Vector:
    """Return the least x at which a non-decreasing line reaches given heights, or else the last."""
    i = np.searchsorted(y, at, "left")
    inside = np.minimum(i, y.size - 1)
    before = np.maximum(inside - 1, 0)
    found = between(at, y[inside], y[before], x[inside], x[before])
    return np.asarray(np.where(i < y.size, found, x[-1]))


def _precisions(
    recall: Vector, fpr_low: Vector, fpr_high: Vector, prevalence: tuple[float, float]
) -> tuple[Vector, Vector]:
    """Return the limits of the precision; without any recall they are 0 and 1."""
    ends = []
    for fpr, pi, empty in ((fpr_high, prevalence[0], 0.0), (fpr_low, prevalence[1], 1.0)):
        called = pi * recall + (1 - pi) * fpr
        share = np.divide(pi * recall, called, out=np.full_like(called, empty), where=called > 0)
        ends.append(np.where(recall > 0, share, empty))
    return ends[0], ends[1]


@of_table
def precision_at_interval(
    table: ScoreTable, recall: float, *, prevalence: float | None = None, level: float = 0.95
) -> Interval:
    """Confidence interval of the precision at a recall.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.
    recall : float
        In (0, 1], fixed before.
    prevalence : float, optional
        Share of positives, taken as known; by default that of the data.
    level : float, default 0.95
        Confidence level, strictly between 0 and 1.

    Returns
    -------
    Interval
        Inside [0, 1], its ``method`` "profile".

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If the recall, the prevalence or the level is out of range.

    Notes
    -----
    The limits of `rocspace.inference.fpr_at_interval`, as precision; it covers as often as that.

    References
    ----------
    As for `pr_band`.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("two_class_example")
    >>> table = tabulate(data.y_true, data.y_score)
    >>> print("{:.3f} to {:.3f}".format(*precision_at_interval(table, 0.8)))
    0.844 to 0.957
    """
    at = check_inside("recall", recall) if recall != 1 else 1.0
    fpr = fpr_at_interval(table, at, level=level)
    ends = [np.array([x]) for x in (at, fpr.low, fpr.high)]
    found = _precisions(ends[0], ends[1], ends[2], _prevalences(table, prevalence))
    return Interval(low=float(found[0][0]), high=float(found[1][0]), level=level, method=fpr.method)
