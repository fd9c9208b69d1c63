"""Confidence segments: the part of an ROC curve where the errors of both classes balance."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import numpy as np

from rocspace._base.arrays import Mask, Vector
from rocspace._base.calls import explained
from rocspace._base.checks import check_choice
from rocspace._base.frozen import Result
from rocspace.counts.table import ScoreTable, of_table
from rocspace.counts.weights import frequencies
from rocspace.curves.roc import RocCurve, roc_curve
from rocspace.inference.area import WeightType
from rocspace.results.interval import Interval
from rocspace.results.proportions import exact_tango_limits, normal_quantile, tango_limits

TangoMethod: TypeAlias = Literal["exact", "score"]
_FEW = 50  # cases up to which the exact interval takes less than a tenth of a second


@explained
def tango_interval(
    b: int, c: int, n: int, *, level: float = 0.95, method: TangoMethod | None = None
) -> Interval:
    """Score interval of the difference of two paired proportions, ``(b - c) / n``.

    Parameters
    ----------
    b, c : int
        Numbers of discordant pairs: cases where only the first, or only the second, of two
        yes-or-no answers is yes. For a classifier, its missed positives and its false alarms.
    n : int
        Number of all cases.
    level : float, default 0.95
        Confidence level, strictly between 0 and 1.
    method : {"exact", "score"}, optional
        "score" is Tango's interval as published. "exact" takes the exact distribution of the same
        statistic instead of the Normal one. By default "exact" up to 50 cases, "score" above.

    Returns
    -------
    Interval
        Inside [-1, 1], around ``(b - c) / n``.

    Raises
    ------
    ValueError
        If counts are not whole, are negative, or exceed n, or the method is unknown.

    Notes
    -----
    "score" contains all differences D with ``|T| <= z``, ``T = (b - c - n D) / sqrt(n (2 q + D (1 -
    D)))``, q being the maximum likelihood estimate of the rate of c given D. With ``b = c = 0`` the
    ends are ``-+ z^2 / (n + z^2)``. D = 0 is inside if and only if McNemar's test does not reject.

    "exact" contains all D for which outcomes with a ``|T|`` at least as large as the observed one
    have a probability above ``1 - level`` at some pair of rates that differ by D; the ends are
    searched in steps of .01, then by bisection, with 81 pairs of rates for each D. Its work grows
    with n^2.

    Summed over all outcomes, at all pairs of rates in steps of .01, of 5, 10, 20 and 40 cases,
    "exact" covers in 95.0 percent or more, "score" in 85.8, 90.0, 92.4 and 92.8, with few cases
    least where one answer alone is yes in nearly all; "exact" is on average 1.06, 1.05, 1.03 and
    1.03 times as wide (``python -m benchmarks.constants.paired_rates``, also of other intervals).

    References
    ----------
    Tango (1998), equations 24 to 26; Hsueh, Liu and Chen (2001), a paper on this alone, for
    exact distributions.

    Examples
    --------
    >>> low, high = tango_interval(10, 3, 100)
    >>> round(low, 6), round(high, 6)
    (-0.000766, 0.149864)
    >>> low, high = tango_interval(10, 3, 40)
    >>> round(low, 3), round(high, 3)
    (-0.003, 0.353)
    """
    for name, value in (("b", b), ("c", c), ("n", n)):
        if value != int(value) or value < 0:
            msg = f"{name} is {value}, but counts are whole numbers, zero or more."
            raise ValueError(msg)
    if b + c > n or n == 0:
        msg = f"b and c are {b} and {c}, more than the {n} cases there are."
        raise ValueError(msg)
    z = normal_quantile(level)
    chosen: TangoMethod = method or ("exact" if n <= _FEW else "score")
    check_choice("method", chosen, TangoMethod)
    if chosen == "exact":
        low, high = exact_tango_limits(int(b), int(c), int(n), level)
        return Interval(low=low, high=high, level=level, method="tango, exact")
    ends = tango_limits(np.array([float(b)]), np.array([float(c)]), float(n), z)
    return Interval(low=float(ends[0][0]), high=float(ends[1][0]), level=level, method="tango")


class ConfidenceSegment(Result):
    """Points of a curve whose misses and false alarms do not differ significantly in number.

    Attributes
    ----------
    curve : RocCurve
        The whole curve.
    difference, low, high : ndarray, shape (m,)
        ``(misses - false alarms) / n`` at each point of the curve, with Tango's score interval.
    inside : ndarray of bool, shape (m,)
        Whether the interval of the point contains zero; such points are consecutive.
    level : float
        Confidence level of each interval.

    See Also
    --------
    confidence_segment
    """

    curve: RocCurve
    difference: Vector
    low: Vector
    high: Vector
    inside: Mask
    level: float

    def _columns(self) -> dict[str, Any]:
        curve = {name: getattr(self.curve, name) for name in ("fpr", "tpr", "threshold")}
        own = {name: getattr(self, name) for name in ("difference", "low", "high", "inside")}
        return curve | own

    @property
    def fpr(self) -> Vector:
        """False positive rates of the points inside; empty if there is none."""
        return self.curve.fpr[self.inside]

    @property
    def tpr(self) -> Vector:
        """True positive rates of the points inside."""
        return self.curve.tpr[self.inside]

    @property
    def mean_difference(self) -> float:
        """Mean difference over the points inside; nan if there is none."""
        return float(self.difference[self.inside].mean()) if self.inside.any() else float("nan")

    @property
    def area(self) -> float:
        """Area under the segment, by trapezoids."""
        return float(np.diff(self.fpr) @ (self.tpr[1:] + self.tpr[:-1]) / 2)

    @property
    def normalised_area(self) -> float:
        """Area divided by the segment's width: the mean height; nan if the width is zero."""
        width = float(self.fpr[-1] - self.fpr[0]) if self.inside.any() else 0.0
        return self.area / width if width > 0 else float("nan")


@of_table
def confidence_segment(
    table: ScoreTable, *, level: float = 0.95, weight_type: WeightType = "importance"
) -> ConfidenceSegment:
    """Find the part of a curve where a classifier errs about equally often on both classes.

    If one class is rare, most thresholds err mainly on one side; the segment contains the remaining
    candidates.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.
    level : float, default 0.95
        Confidence level of the interval at each point.
    weight_type : {"importance", "frequency"}, default "importance"
        How the weights of a weighted table are interpreted. Only "frequency" weights (whole numbers
        of identical cases) are supported.

    Returns
    -------
    ConfidenceSegment
        It may be empty.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If the table has importance weights, or frequencies are not whole.

    Notes
    -----
    O(k). A point is inside when Tango's interval for ``(FN - FP) / n`` contains zero, that is when
    ``|FN - FP| <= z sqrt(FN + FP)``: along the curve FN decreases and FP increases, so these points
    are consecutive.

    References
    ----------
    Elazmeh, Japkowicz and Matwin (2006), a paper on this alone; Tango (1998), equations 24 to 26.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> segment = confidence_segment(tabulate(data.y_true, data.y_score))
    >>> len(segment.fpr), segment.fpr[0], segment.tpr[-1]
    (12, np.float64(0.1), np.float64(0.8))
    """
    if table.is_weighted and weight_type == "importance":
        msg = (
            "confidence_segment counts errors, but the table has importance weights. Tabulate "
            'without, or say weight_type="frequency" if whole weights count equal cases.'
        )
        raise ValueError(msg)
    z = normal_quantile(level)
    curve = roc_curve(frequencies(table))
    misses, alarms = (curve.n_pos - curve.tp).astype(float), curve.fp.astype(float)
    n = float(curve.n_pos + curve.n_neg)
    low, high = tango_limits(misses, alarms, n, z)
    inside = (misses - alarms) ** 2 <= z * z * (misses + alarms)
    return ConfidenceSegment(
        curve=curve,
        difference=(misses - alarms) / n,
        low=low,
        high=high,
        inside=inside,
        level=level,
    )
