"""The calibration curve: predicted against observed shares of positives."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from rocspace._base.arrays import Array, Vector
from rocspace._base.checks import check_level, check_sizes
from rocspace._base.exact import ratio
from rocspace._base.frozen import Result
from rocspace.calibrate.probabilities import rows_by_frequency, rows_by_share
from rocspace.counts.table import ScoreTable, of_table
from rocspace.counts.weights import squares_of
from rocspace.curves.sweep import need_probabilities
from rocspace.results.proportions import rate_limits


class CalibrationCurve(Result):
    """Predicted and observed shares of positives in groups of similar probabilities.

    Attributes
    ----------
    predicted : ndarray of float64, shape (b,)
        Mean probability of each group, increasing.
    observed : ndarray of float64, shape (b,)
        Share of positives of each group.
    low, high : ndarray of float64, shape (b,)
        Exact confidence limits of the observed share.
    size, pos : ndarray, shape (b,)
        Cases and positives of each group, or sums of weights.
    least, most : ndarray, shape (b,)
        The least and the largest probability of each group.
    level : float
        Confidence level of the limits.

    See Also
    --------
    calibration_curve
    """

    predicted: Vector
    observed: Vector
    low: Vector
    high: Vector
    size: Array
    pos: Array
    least: Array
    most: Array
    level: float

    _frame = ("predicted", "observed", "low", "high", "size", "pos", "least", "most")

    def __len__(self) -> int:
        """Return the number of groups."""
        return int(self.predicted.size)

    def _about(self) -> str:
        return f"{len(self)} groups"

    def _columns(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self._frame}


@of_table
def calibration_curve(
    table: ScoreTable,
    *,
    bins: int = 10,
    level: float = 0.95,
    strategy: Literal["quantile", "uniform"] = "quantile",
) -> CalibrationCurve:
    """Compare predicted with observed shares of positives, in groups of similar probabilities.

    Parameters
    ----------
    table : ScoreTable
        Cases that the model was not fitted to, both classes present; scores are probabilities.
    bins : int, default 10
        Largest number of groups; cases with the same probability stay together.
    level : float, default 0.95
        Level of the limits, strictly between 0 and 1.
    strategy : {"quantile", "uniform"}, default "quantile"
        Groups of about equally many cases, or equally wide ones from 0 to 1, of which those
        without cases are left out; on an edge a probability belongs to the group below.

    Returns
    -------
    CalibrationCurve
        One row for each group, the least probabilities first.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If scores are not probabilities, `bins` is below 1, or the level is not between 0 and 1.

    Notes
    -----
    O(k). The limits are those of Clopper and Pearson, of each group by itself; of weighted cases
    with the effective size (sum w)^2 / sum w^2 of the group. They are limits of the share where the
    probabilities of the group are as these are; that of `fit_isotonic`, which needs no groups, has
    none.

    References
    ----------
    Brown, Cai and DasGupta (2001), section 4.2.1, for the limits.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> table = tabulate([0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.4, 0.6, 0.9])
    >>> curve = calibration_curve(table, bins=2)
    >>> curve.predicted.round(2), curve.observed.round(2)
    (array([0.2 , 0.63]), array([0.33, 0.67]))
    """
    need_probabilities("calibration_curve", table)
    check_sizes(bins=bins)
    check_level(level)
    first = (rows_by_frequency if strategy == "quantile" else rows_by_share)(table, bins)
    weights = (table.pos, table.neg, *squares_of(table))
    pos, neg, *squares = (np.add.reduceat(column, first)[::-1] for column in weights)
    size = pos + neg
    each = table.score.astype(np.float64) * (table.pos + table.neg)
    one = (squares[0] + squares[1]) / size  # weight of a case: 1 of counts
    observed = np.asarray(ratio(pos, size), dtype=np.float64)
    limits = [rate_limits(*case, level, "clopper-pearson") for case in _cases(pos, size, one)]
    low, high = np.array([[float(end[0]) for end in ends] for ends in limits]).T
    last = np.append(first[1:], len(table)) - 1
    return CalibrationCurve(
        predicted=np.add.reduceat(each, first)[::-1] / size,
        observed=observed,
        low=low,
        high=high,
        size=size,
        pos=pos,
        least=table.score[last][::-1],
        most=table.score[first][::-1],
        level=level,
    )


def _cases(pos: Array, size: Array, one: Vector) -> list[tuple[Vector, float]]:
    """Return the positives and the cases of each group as effective numbers."""
    pairs = zip(pos / one, size / one, strict=True)
    return [(np.array([min(k, n)]), float(n)) for k, n in pairs]
