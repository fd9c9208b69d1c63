"""The precision-recall curve and areas under it.

Precision depends on both classes, so everything here depends on the prevalence. For another
prevalence reweight the table first: ``pr_curve(reweight(table, prevalence=0.1))``. No classifier
reaches the straight line between two points of this graph, so the counts are interpolated between
thresholds, not the precision.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property, partial
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np

from rocspace._base.arrays import Array, ArrayLike, Vector
from rocspace._base.calls import explained
from rocspace._base.cards import Card, picture
from rocspace._base.checks import check_fraction, check_one_fraction
from rocspace._base.exact import ratio
from rocspace._base.frozen import Result, own
from rocspace._base.text import count, share
from rocspace.counts.table import ScoreTable, from_zero, of_positives, trusted
from rocspace.curves.sweep import Sweep, sweep_of
from rocspace.results.curve import plain
from rocspace.results.estimates import AreaEstimate, Estimate
from rocspace.results.interval import Interval

PrArea: TypeAlias = Literal["continuous", "davis-goadrich", "interpolated"]
"""Definitions of the area under the precision-recall curve."""

PrVariance: TypeAlias = Literal["classes", "binomial"]
"""Estimators of the variance of such an area."""

_SAID = {"classes": "variance over both classes", "binomial": "binomial variance"}

_UNSEEN = 0.25  # of a case of each class, from benchmarks.constants.average_precision
_STEPS = 16  # unit steps summed one by one; the rest by a series


class PrPoints(Result):
    """One or several points of a precision-recall curve.

    Attributes
    ----------
    recall, precision : float or ndarray
        In [0, 1].

    See Also
    --------
    pr_curve
    """

    recall: Any
    precision: Any


class PrCurve(Sweep[PrPoints]):
    """Points of a precision-recall curve, from recall 0 to recall 1.

    Attributes
    ----------
    tp, fp, threshold, n_pos, n_neg, higher_is_positive
        As for all sweeps: the counts called positive at each threshold.
    start : {"flat", "one"}
        Precision of the first point, where no case is called positive: that of the next point, or
        1.

    See Also
    --------
    pr_curve
    """

    start: Literal["flat", "one"] = "flat"

    _point = PrPoints
    _frame = ("recall", "precision", "fpr", "threshold", "tp", "fp")
    _meant: ClassVar[Mapping[str, str]] = {
        "auc": "rs.curves.pr_area(table), or rs.average_precision(table)",
        "area": "rs.curves.pr_area(table), or rs.average_precision(table)",
        "average_precision": "rs.average_precision(table)",
        "thresholds": "threshold",
        "plot": "rs.plot.plot_pr(curve)",
    }

    def _card(self) -> Card:
        rows = {
            "Average precision": share(self._average_precision),
            "Area, interpolated": share(self._area),
            "Points": f"{len(self):,}",
            "Positives": count(self.n_pos),
            "Negatives": count(self.n_neg),
        }
        line = (self.recall, self.precision)
        return Card(rows=rows, image=picture([line], name="PR curve", diagonal=False))

    @property
    def _average_precision(self) -> float:
        """The step sum, as `average_precision` of the table."""
        found = np.diff(self.tp) @ ratio(self.tp, self.tp + self.fp)[1:]
        return min(float(found) / self.n_pos, 1.0)

    @property
    def _area(self) -> float:
        """The integral of the interpolated counts, as `pr_area` of the table."""
        called = self.tp + self.fp
        area = _area_of(_integral, self.tp, called, np.diff(self.tp), np.diff(called))
        return min(area / self.n_pos, 1.0)

    @cached_property
    def recall(self) -> Vector:
        """Share of the positives called positive, non-decreasing from 0 to 1."""
        return self.tpr

    @cached_property
    def precision(self) -> Vector:
        """Share of the positive calls that are right."""
        precision = ratio(self.tp, self.tp + self.fp)
        precision[0] = 1.0 if self.start == "one" else precision[1]
        return own(precision)

    def precision_at(self, recall: ArrayLike) -> Any:
        """Return the precision at given recalls, interpolating the counts between points.

        Parameters
        ----------
        recall : float or array-like
            In [0, 1].

        Returns
        -------
        float or ndarray
            In [0, 1], higher is better: the precision of a random mixture of the two neighbouring
            thresholds. Where several points have the same recall, the highest precision.

        Raises
        ------
        ValueError
            If a recall is outside [0, 1] or NaN.

        Notes
        -----
        O(log m) for each value. Between two points false positives are linear in true positives;
        from the origin to the first point the precision is constant.

        References
        ----------
        Davis and Goadrich (2006), section 4.
        """
        at = check_fraction("recall", recall)
        i = np.searchsorted(self.recall, at, "left")
        before = np.maximum(i - 1, 0)
        hit = self.recall[i] == at
        called = self.tp + self.fp
        tp = np.where(hit, self.tp[i], at * self.n_pos)
        slope = ratio(called[i] - called[before], self.tp[i] - self.tp[before])
        inner = ratio(tp, called[before] + (tp - self.tp[before]) * slope)
        return plain(np.where(hit, self.precision[i], inner))


@of_positives
def pr_curve(table: ScoreTable, *, start: Literal["flat", "one"] = "flat") -> PrCurve:
    """Return the precision-recall curve of a table: one point for each distinct score.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score; negatives may be missing.
    start : {"flat", "one"}, default "flat"
        The precision where no case is called positive, which is 0 / 0: "flat" takes that of the
        first score, "one" takes 1, as scikit-learn does.

    Returns
    -------
    PrCurve
        From recall 0, with an infinite threshold, to recall 1, where the precision is
        the prevalence.

    Raises
    ------
    SingleClassError
        If there are no positives.

    Notes
    -----
    O(k). One precision-recall curve dominates another exactly if its ROC curve dominates the
    other's.

    References
    ----------
    Fawcett (2006), section 4.2; Davis and Goadrich (2006), Theorem 3.2, for dominance.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> curve = pr_curve(tabulate([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8]))
    >>> curve.recall, curve.precision
    (array([0. , 0.5, 1. , 1. ]), array([1.        , 1.        , 0.66666667, 0.5       ]))
    >>> curve.precision_at(0.75)
    0.75
    """
    return PrCurve(**sweep_of(table), start=start)


# --- numbers ----------------------------------------------------------------------------------


@of_positives
def average_precision(table: ScoreTable) -> float:
    """Average precision: the mean, over positives, of the precision at their score.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score; negatives may be missing.

    Returns
    -------
    float
        In (0, 1]; 1 is a perfect ranking, and guessing gives about the prevalence.

    Raises
    ------
    SingleClassError
        If there are no positives.

    Notes
    -----
    O(k). The sum over thresholds of the increase of recall times the precision, as in scikit-learn.
    See `pr_area` for areas that interpolate.

    References
    ----------
    No source: a plain definition, that of information retrieval.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> average_precision(tabulate([0, 1, 0, 1], [1, 2, 3, 4]))
    0.8333333333333333
    """
    return _mean(table, table.tp / (table.tp + table.fp))


def _mean(table: ScoreTable, value: Vector) -> float:
    """Average values of the rows over the positives; at most 1."""
    return min(float(table.pos @ value) / table.n_pos, 1.0)


@of_positives
def pr_area(table: ScoreTable, *, method: PrArea = "continuous") -> float:
    """Area under the precision-recall curve.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score; negatives may be missing.
    method : {"continuous", "davis-goadrich", "interpolated"}, default "continuous"
        "continuous" integrates the curve of interpolated counts exactly; it equals ``auc.integral``
        of PRROC and the area of precrec. "davis-goadrich" connects its points at whole numbers of
        true positives by straight lines; it equals ``auc.davis.goadrich`` of PRROC. "interpolated"
        is the step sum with the highest precision at this or a larger recall, as in information
        retrieval.

    Returns
    -------
    float
        In [0, 1]; 1 is a perfect ranking. Not below `least_pr_area`, except slightly with
        "davis-goadrich".

    Raises
    ------
    SingleClassError
        If there are no positives.
    ValueError
        If the method is unknown, or "davis-goadrich" is used with a weighted table, which has no
        unit steps.

    Notes
    -----
    O(k). On a segment that starts with T true positives among S positive calls and adds dT among
    dS, the mean precision is ``g T / S + (1 - g) dT / dS``, where ``g = log(1 + u) / u`` and ``u =
    dS / S``: a weighted mean, without cancellation. The sum over unit steps is the same integral
    with Euler-Maclaurin corrections.

    References
    ----------
    Davis and Goadrich (2006), section 4; Keilwagen, Grosse and Grau (2014), a paper on this alone,
    for the integral.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> table = tabulate([0, 1, 0, 1], [1, 2, 3, 4])
    >>> print(f"{pr_area(table):.4f}, {pr_area(table, method='davis-goadrich'):.4f}")
    0.7973, 0.7917
    """
    if method == "interpolated":
        precision = table.tp / (table.tp + table.fp)
        return _mean(table, np.maximum.accumulate(precision[::-1])[::-1])
    if method == "davis-goadrich" and table.is_weighted:
        msg = (
            "davis-goadrich counts true positives one by one, but this table holds weights. "
            'Use method="continuous".'
        )
        raise ValueError(msg)
    segments = _integral if method == "continuous" else _unit_steps
    tp, called = from_zero(table.tp), from_zero(table.tp + table.fp)
    area = _area_of(segments, tp, called, table.pos, table.pos + table.neg)
    return min(area / table.n_pos, 1.0)


def _area_of(
    segments: Callable[..., Vector], tp: Array, called: Array, d_tp: Array, d_called: Array
) -> float:
    """Sum the segments on which true positives are added, of counts that begin with zero."""
    rising = np.flatnonzero(d_tp > 0)
    columns = (tp[:-1], called[:-1], d_tp, d_called)
    return float(segments(*(column[rising].astype(np.float64) for column in columns)).sum())


def _integral(tp: Vector, called: Vector, d_tp: Vector, d_called: Vector) -> Vector:
    """Integrate the precision over the true positives of each segment."""
    with np.errstate(divide="ignore"):
        rest = one_minus_log_ratio(d_called / called)
    before = np.where(called > 0, tp / np.where(called > 0, called, 1.0), 0.0)
    return np.asarray(d_tp * ((1 - rest) * before + rest * (d_tp / d_called)))


def one_minus_log_ratio(u: Any) -> Any:
    """``1 - log(1 + u) / u`` to full precision; it rises from 0 at 0 to 1 at infinity."""
    small = np.minimum(u, 0.02)
    series = np.zeros_like(small)
    for power in range(11, 1, -1):  # u/2 - u^2/3 + u^3/4 - ...
        series = small * (1 / power - series)
    with np.errstate(invalid="ignore", divide="ignore"):
        direct = 1 - np.log1p(u) / u
    return np.where(u <= 0.02, series, np.where(np.isinf(u), 1.0, direct))


def _unit_steps(tp: Vector, called: Vector, d_tp: Vector, d_called: Vector) -> Vector:
    """Sum trapezoids of width one true positive over each segment."""
    area = np.zeros_like(tp)
    slope = d_called / d_tp

    def precision(step: Vector) -> Vector:
        at = ratio(tp + step, called + slope * step)
        return np.where(called + slope * step > 0, at, 1 / slope)

    for i in range(_STEPS):
        now = np.full_like(tp, i)
        area += np.where(now < d_tp, (precision(now) + precision(now + 1)) / 2, 0.0)
    long = d_tp > _STEPS
    if not long.any():
        return area
    tp, called, d_tp, d_called, slope = (x[long] for x in (tp, called, d_tp, d_called, slope))
    tp, called = tp + _STEPS, called + _STEPS * slope
    d_tp, d_called = d_tp - _STEPS, d_called - _STEPS * slope
    # The precision is (1 - q / z) / slope, z = called / slope: its odd derivatives at both ends.
    start, end = called / slope, (called + d_called) / slope
    q = start - tp
    # Bernoulli numbers B(2j) / 2j.
    terms = ((2, 1 / 12), (4, -1 / 120), (6, 1 / 252), (8, -1 / 240), (10, 1 / 132))
    tail = sum(c * (end**-power - start**-power) for power, c in terms)
    area[long] += _integral(tp, called, d_tp, d_called) + q / slope * tail
    return area


@of_positives
def pr_area_estimate(
    table: ScoreTable, *, method: PrArea = "continuous", variance: PrVariance = "classes"
) -> Estimate:
    """Area under the precision-recall curve with its standard error.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score; negatives may be missing.
    method : {"continuous", "davis-goadrich", "interpolated"}, default "continuous"
        As for `pr_area`.
    variance : {"classes", "binomial"}, default "classes"
        "binomial" treats the area as a proportion of the positives, ``area (1 - area) / n_pos``, a
        rule of thumb that ignores the negatives. "classes" is the infinitesimal jackknife over the
        cases of both classes, or "binomial" where that is larger.

    Returns
    -------
    Estimate
        With "binomial", ``interval(scale="logit")`` is the interval of Boyd, Eng and Page. The
        default interval is Wilson's, for "classes" with a quantile of Student's t and, of counts, a
        lower limit that allows for unseen cases, and no limit nearer than a one-sided exact one
        ("unseen", see `Estimate.interval`).

    Raises
    ------
    SingleClassError
        If there are no positives.
    ValueError
        As `pr_area`, or if the variance is unknown.

    Notes
    -----
    O(k). Let P be the precision at a score, T and F the rates there, and the prevalence fixed. The
    influence of a positive on the area is P at its score plus the effect of dP/dT at all lower
    positives, that of a negative the effect of dP/dF; tied cases count at the middle of their tie.
    The variance is the sum over both classes of the variance of these influences divided by the
    number of cases minus one, with Satterthwaite's degrees of freedom.

    The coverage of "binomial" falls to 70 percent where most cases are positive, so that few
    negatives determine the area, or where the curve is hooked; that of the jackknife alone is too
    low where few cases show too little variance. With 20 negatives the infinitesimal jackknife is
    about 15 percent below the delete-one jackknife. In 337 situations (5 + 5 to 10,000 + 10 cases,
    mostly 300 samples) the default covered in 95.2 percent of samples or more at level .95, that on
    the log odds in 88; of yes/no tests in 368 situations, summed exactly, in 94.9 or more, without
    one-sided limits in 86.9 (docs, "Measured coverage"). At an area of 1 the interval is the exact
    one of a proportion.

    References
    ----------
    Boyd, Eng and Page (2013), the whole paper, for "binomial"; Efron (1982), chapter 6, for the
    infinitesimal jackknife.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> table = tabulate(data.y_true, data.y_score)
    >>> low, high = pr_area_estimate(table, variance="binomial").interval(scale="logit")
    >>> print(f"{low:.4f} to {high:.4f}")
    0.3927 to 0.9109
    """
    found = _with_error(table, pr_area(table, method=method), f"{method} area", variance)
    # A part of a case has no unit steps; the integral differs from their sum by next to nothing.
    smooth: PrArea = "continuous" if method == "davis-goadrich" else method
    return _with_worse(found, table, partial(pr_area, method=smooth), variance)


def _with_error(table: ScoreTable, area: float, said: str, variance: PrVariance) -> AreaEstimate:
    """Return an area with the variance of both classes or that of a proportion."""
    trials, others = table.n_eff
    rule, df = area * (1 - area) / trials, float("inf")
    squared = rule
    if variance == "classes" and 0 < area < 1:
        free = np.maximum([trials - 1, others - 1], 1.0)
        each = _class_variances(table) / free
        squared, few = max(rule, float(each.sum())), float((each**2 / free).sum())
        df = float(each.sum()) ** 2 / few if few > 0 else df
    return AreaEstimate(
        value=area,
        se=float(np.sqrt(squared)),
        method=f"{said}, {_SAID[variance]}",
        n_pairs=trials,
        df=df,
    )


def _with_worse(
    found: AreaEstimate,
    table: ScoreTable,
    area: Callable[[ScoreTable], float],
    variance: PrVariance,
) -> AreaEstimate:
    """Add the estimate with part of a case of each class where it lowers the precision most."""
    if variance == "binomial" or table.is_weighted:
        return found
    pos, neg = (np.asarray(column, dtype=np.float64).copy() for column in (table.pos, table.neg))
    pos[-1] += _UNSEEN
    neg[0] += _UNSEEN
    up = table.higher_is_positive
    worse = trusted(table.score, pos, neg, pos.copy(), neg.copy(), higher_is_positive=up)
    return replace(found, worse=_with_error(worse, area(worse), found.method, variance))


def average_precision_interval(table: ScoreTable, level: float) -> Interval:
    """Return a confidence interval of the average precision of counted cases.

    Variance, unseen cases and exact limits are those of `pr_area_estimate`.
    """
    return replace(step_sum_estimate(table).interval(level), method="classes, unseen")


def step_sum_estimate(table: ScoreTable) -> AreaEstimate:
    """Return the average precision with the variance of both classes."""
    found = _with_error(table, average_precision(table), "average precision", "classes")
    return _with_worse(found, table, average_precision, "classes")


def _class_variances(table: ScoreTable) -> Vector:
    """Return the variances of the influences on the area, by class."""
    pi = table.prevalence
    share = [np.asarray(c / c.sum(), dtype=np.float64) for c in (table.pos, table.neg)]
    t, f = (np.cumsum(x) - x / 2 for x in share)
    called = np.maximum(pi * t + (1 - pi) * f, 1e-300)
    slope = pi * (1 - pi) * share[0] / called**2
    by_tpr, by_fpr = slope * f, -slope * t
    # A rise of the rate at a score is a rise at all lower scores too, and half of it inside a tie.
    own = pi * t / called + by_tpr.sum() - np.cumsum(by_tpr) + by_tpr / 2
    other = by_fpr.sum() - np.cumsum(by_fpr) + by_fpr / 2
    pairs = zip(share, (own, other), strict=True)
    return np.array([x @ (value - x @ value) ** 2 for x, value in pairs])


@explained
def least_pr_area(prevalence: float) -> float:
    """Smallest possible area under a precision-recall curve at a given prevalence.

    Parameters
    ----------
    prevalence : float
        Share of positives, in [0, 1].

    Returns
    -------
    float
        In [0, 1]: `pr_area` of the worst ranking, with all negatives first. To compare areas at
        different prevalences, subtract it from each.

    Raises
    ------
    ValueError
        If `prevalence` is outside [0, 1].

    Notes
    -----
    ``1 + (1 - pi) log(1 - pi) / pi``, about ``pi / 2`` where pi is small.

    References
    ----------
    Boyd, Costa, Davis and Page (2012), Theorem 2.

    Examples
    --------
    >>> print(f"{least_pr_area(0.5):.4f}")
    0.3069
    """
    pi = check_one_fraction("prevalence", prevalence)
    return float(one_minus_log_ratio(np.float64(pi) / (1 - pi) if pi < 1 else np.inf))


@of_positives
def break_even(table: ScoreTable) -> float:
    """Precision-recall break-even point: the precision when n_pos cases are called positive.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score; negatives may be missing.

    Returns
    -------
    float
        In [0, 1], where precision equals recall; 1 is perfect.

    Raises
    ------
    SingleClassError
        If there are no positives.

    Notes
    -----
    O(k). Precision equals recall exactly where n_pos cases are called positive; inside a tie the
    counts are interpolated. Also called R-precision.

    References
    ----------
    No source: a plain definition; the interpolation is that of Davis and Goadrich (2006), section
    4.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> break_even(tabulate([0, 1, 0, 1], [1, 2, 3, 4]))
    0.5
    """
    called = table.tp + table.fp
    i = int(np.searchsorted(called, table.n_pos, "left"))
    tp, before = (0, 0) if i == 0 else (table.tp[i - 1], called[i - 1])
    share = (table.n_pos - before) / (called[i] - before)
    return min(float(tp + share * table.pos[i]) / table.n_pos, 1.0)
