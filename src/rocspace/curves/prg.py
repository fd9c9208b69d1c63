"""The precision-recall-gain curve: precision and recall on a harmonic scale from chance to 1."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from rocspace._base.arrays import ArrayLike, Ints, Mask, Vector
from rocspace._base.exact import ratio
from rocspace._base.frozen import Result
from rocspace.counts.table import ScoreTable, of_table
from rocspace.curves.sweep import Sweep, sweep_of
from rocspace.results.curve import plain


class PrgPoints(Result):
    """One or several points of a precision-recall-gain curve.

    Attributes
    ----------
    recall_gain, precision_gain : float or ndarray
        At most 1, higher is better. Calling every case positive has recall gain 1 and precision
        gain 0. -inf where no positive is called positive.

    See Also
    --------
    prg_curve
    """

    recall_gain: Any
    precision_gain: Any


class PrgCurve(Sweep[PrgPoints]):
    """Points of a precision-recall-gain curve, from recall gain 0 to 1.

    Attributes
    ----------
    tp, fp, threshold, n_pos, n_neg, higher_is_positive
        As for all sweeps: the counts called positive at each threshold.
    recall_gain, precision_gain : ndarray, shape (h,)
        Points of the curve: the last h of the m points, or the last h - 1 after an interpolated one
        where the recall gain is 0.
    attainable : ndarray of bool, shape (h,)
        False for an interpolated first point.

    See Also
    --------
    prg_curve
    """

    recall_gain: Vector
    precision_gain: Vector
    attainable: Mask

    _point = PrgPoints
    _meant: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(("auc", "auprg", "prg_area"), "area"),
        "recall": "tpr",
        "plot": "rs.plot.plot_prg(curve)",
    }

    def _columns(self) -> dict[str, Any]:
        recall, precision = _gains(self.tp, self.fp, self.n_pos, self.n_neg)
        names = ("tpr", "fpr", "threshold", "tp", "fp")
        own = {name: getattr(self, name) for name in names}
        return {"recall_gain": recall, "precision_gain": precision, **own}

    @property
    def area(self) -> float:
        """Area under the curve, at most 1, higher is better; 0 for calling all cases positive."""
        return float(np.trapezoid(self.precision_gain, self.recall_gain))

    def _points(self, threshold: ArrayLike, row: Ints) -> PrgPoints:
        recall, precision = _gains(self.tp[row], self.fp[row], self.n_pos, self.n_neg)
        return PrgPoints(recall_gain=plain(recall), precision_gain=plain(precision))


def _gains(tp: Any, fp: Any, n_pos: float, n_neg: float) -> tuple[Any, Any]:
    """1 - odds x false negatives / tp, and the same with false positives."""
    odds = n_pos / n_neg
    return 1 - odds * ratio(n_pos - tp, tp), 1 - odds * ratio(fp, tp)


@of_table
def prg_curve(table: ScoreTable) -> PrgCurve:
    """Return the precision-recall-gain curve of a table.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.

    Returns
    -------
    PrgCurve
        From recall gain 0, where the recall equals the prevalence, to 1. Points on straight lines
        between its points are reached by randomly mixing two thresholds.

    Raises
    ------
    SingleClassError
        If a class is missing; without negatives the gain is undefined.

    Notes
    -----
    O(k). ``gain(x) = (x - pi) / ((1 - pi) x)`` for the precision and the recall x. Calling
    every case positive is the point (1, 0); points of equal F1 lie on lines of slope -1.

    References
    ----------
    Flach and Kull (2015), a paper on this alone.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> curve = prg_curve(tabulate([0, 1, 0, 1], [1, 2, 3, 4]))
    >>> curve.recall_gain, curve.precision_gain
    (array([0., 0., 1., 1.]), array([1. , 0. , 0.5, 0. ]))
    """
    fields = sweep_of(table)
    tp, fp, n_pos, n_neg = (fields[name] for name in ("tp", "fp", "n_pos", "n_neg"))
    least = n_pos * (n_pos / (n_pos + n_neg))  # true positives where the recall is pi
    first = int(np.searchsorted(tp, least, "left"))
    recall, precision = _gains(tp[first:], fp[first:], n_pos, n_neg)
    attainable = np.ones(recall.size, dtype=bool)
    if tp[first] > least:
        share = (least - tp[first - 1]) / (tp[first] - tp[first - 1])
        false = fp[first - 1] + share * (fp[first] - fp[first - 1])
        recall = np.concatenate([[0.0], recall])
        precision = np.concatenate([[_gains(least, false, n_pos, n_neg)[1]], precision])
        attainable = np.concatenate([[False], attainable])
    else:
        recall[tp[first:] == tp[first]] = 0.0  # exactly, without round-off
    return PrgCurve(**fields, recall_gain=recall, precision_gain=precision, attainable=attainable)


@of_table
def auprg(table: ScoreTable) -> float:
    """Area under the precision-recall-gain curve.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.

    Returns
    -------
    float
        At most 1, a perfect ranking; 0 for calling every case positive. Worse rankings have
        negative areas, without a lower bound.

    Raises
    ------
    SingleClassError
        If a class is missing.

    Notes
    -----
    O(k). By the trapezoidal rule, negative precision gains included.

    References
    ----------
    Flach and Kull (2015), a paper on this alone.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> auprg(tabulate([0, 1, 0, 1], [1, 2, 3, 4]))
    0.25
    """
    return min(prg_curve(table).area, 1.0)
