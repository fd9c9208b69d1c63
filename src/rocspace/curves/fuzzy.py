"""Fuzzy ROC curves: degrees of disease, and degrees to which a test is positive.

Each case is positive to a degree in [0, 1] (its membership) and negative to the remaining degree. A
case with a score near the threshold may also be called positive to a degree. The four counts are
sums of the degrees to which both hold.
"""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

import numpy as np

from rocspace._base import checks
from rocspace._base.arrays import ArrayLike, Vector
from rocspace._base.calls import explained
from rocspace._base.cases import check_lengths, check_scores, complete
from rocspace._base.frozen import Result
from rocspace._base.text import brief
from rocspace.counts.table import ScoreTable, SingleClassError, tabulate
from rocspace.results.curve import PolygonCurve, moving

TNorm: TypeAlias = Literal["minimum", "product"]
"""How two degrees are combined into the degree to which both hold (t-norm)."""


class FuzzyRoc(PolygonCurve, Result):
    """Points of a fuzzy ROC curve: a `rocspace.results.Curve`.

    Attributes
    ----------
    threshold : ndarray of float64, shape (m,)
        Thresholds, the strictest first.
    fpr, tpr : ndarray of float64, shape (m,)
        Non-decreasing from 0 to 1.

    See Also
    --------
    fuzzy_roc
    """

    threshold: Vector
    fpr: Vector
    tpr: Vector

    name: ClassVar[str] = "fuzzy ROC curve"

    def _about(self) -> str:
        return f"{len(self)} points, auc={brief(self.auc)}"

    def __len__(self) -> int:
        """Return the number of points."""
        return int(self.threshold.size)

    @property
    def auc(self) -> float:
        """Area under the polygon of the points, in [0, 1]; higher is better."""
        return float(np.trapezoid(self.tpr, self.fpr))


@explained
def fuzzy_table(
    membership: ArrayLike, y_score: ArrayLike, *, sample_weight: ArrayLike | None = None
) -> ScoreTable:
    """Count each case as positive with its membership, and as negative with the rest.

    Parameters
    ----------
    membership : array-like, shape (n,)
        Degree in [0, 1] to which each case has the disease.
    y_score : array-like of numbers, shape (n,)
        Scores, higher being more positive.
    sample_weight : array-like, shape (n,), optional
        Weight of each case.

    Returns
    -------
    ScoreTable
        A weighted table, which every function of a table accepts.

    Raises
    ------
    ValueError
        If lengths differ, or a membership is outside [0, 1].

    Notes
    -----
    O(n log n). The ROC curve of this table is the fuzzy curve of a sharp test (``spread=0``), under
    either t-norm.

    References
    ----------
    Castanho, Barros, Yamakami and Vendite (2007), a paper on this alone.

    Examples
    --------
    >>> import rocspace as rs
    >>> rs.auc(fuzzy_table([1, 0.5, 0], [3, 2, 1]))
    0.9444444444444444
    """
    degree = checks.check_fraction("membership", membership)
    weight = np.ones(degree.size) if sample_weight is None else np.asarray(sample_weight)
    score = np.asarray(y_score)
    check_lengths({"membership": degree.size, "y_score": score.size, "weight": weight.size})
    label = np.repeat([True, False], degree.size)
    weights = np.concatenate([weight * degree, weight * (1 - degree)])
    return tabulate(label, np.concatenate([score, score]), sample_weight=weights)


@explained
def fuzzy_roc(
    membership: ArrayLike,
    y_score: ArrayLike,
    *,
    spread: float = 0.0,
    t_norm: TNorm = "minimum",
    thresholds: ArrayLike | None = None,
) -> FuzzyRoc:
    """ROC curve for degrees of disease, and for a test that is fuzzy around its threshold.

    Parameters
    ----------
    membership : array-like, shape (n,)
        Degree in [0, 1] to which each case has the disease.
    y_score : array-like of numbers, shape (n,)
        Finite scores, higher being more positive.
    spread : float, default 0.0
        Width of the band around a threshold, in units of the score, in which the degree of a
        positive call rises linearly from 0 to 1, with 1/2 at the threshold. 0 is a sharp test,
        ``score >= threshold``.
    t_norm : {"minimum", "product"}, default "minimum"
        How the degrees of disease and of the call are combined. With the product, a case's
        contributions to tp and fn add up to its membership.
    thresholds : array-like, shape (m,), optional
        Thresholds of the points; by default all at which a rate changes slope, so that the polygon
        is the exact curve.

    Returns
    -------
    FuzzyRoc
        Points from (0, 0) to (1, 1). With memberships of 0 and 1 and ``spread=0`` it is the
        ordinary curve.

    Raises
    ------
    SingleClassError
        If all memberships are 0, or all are 1, so that a rate is undefined.
    ValueError
        If lengths differ, a membership is outside [0, 1], a score is not finite, or the spread
        is negative or not finite.

    Notes
    -----
    ``tpr`` is the sum of T(call, membership) divided by the sum of memberships, ``fpr`` the same
    with 1 - membership, where T is the t-norm. Under either t-norm the curve ends at (0, 0) and (1,
    1), because a call of degree 1 counts the whole membership. The degrees are piecewise linear in
    the threshold, so their sums follow from sorted break points: O((n + m) log n). The formulas
    follow the paper's abstract, with the usual cardinalities and t-norms of fuzzy sets.

    References
    ----------
    Castanho, Barros, Yamakami and Vendite (2007), a paper on this alone.

    Examples
    --------
    >>> fuzzy_roc([1, 0.5, 0], [3, 2, 1])
    FuzzyRoc(4 points, auc=0.944444)
    >>> fuzzy_roc([1, 0.5, 0], [3, 2, 1], spread=2)
    FuzzyRoc(5 points, auc=0.888889)
    """
    degree = checks.check_fraction("membership", membership)
    score = check_scores(complete(y_score, "y_score"), "y_score")
    score = score.astype(np.float64)
    if degree.ndim != 1:
        msg = f"membership has shape {degree.shape}, but one value per case is needed."
        raise ValueError(msg)
    check_lengths({"membership": degree.size, "y_score": score.size})
    if not np.isfinite(score).all():
        msg = f"fuzzy_roc needs finite scores, but one is {score[~np.isfinite(score)][0]}."
        raise ValueError(msg)
    if not 0 <= spread < np.inf:
        msg = f"spread is {spread}, but must be zero or more, and finite."
        raise ValueError(msg)
    if not 0 < degree.sum() < degree.size:
        msg = (
            f"fuzzy_roc needs positives and negatives, at least in part; the memberships of "
            f"{degree.size} cases add up to {brief(degree.sum())}."
        )
        raise SingleClassError(msg)
    at = corners(score, degree, spread, t_norm)
    if thresholds is not None:
        wanted = complete(thresholds, "thresholds")
        at = np.unique(wanted.astype(np.float64))[::-1]
    rates = [_found(score, part, at, spread, t_norm) for part in (1 - degree, degree)]
    ends = np.concatenate([[np.inf], at, [-np.inf]])
    fpr, tpr = (np.concatenate([[0.0], rate, [1.0]]) for rate in rates)
    # Points that repeat the one before are dropped, unless their thresholds were given.
    kept = moving(fpr, tpr)
    kept[1:-1] |= thresholds is not None
    return FuzzyRoc(threshold=ends[kept], fpr=fpr[kept], tpr=tpr[kept])


def corners(score: Vector, degree: Vector, spread: float, t_norm: TNorm) -> Vector:
    """Return the thresholds at which degrees change slope, the strictest first."""
    shares = [np.zeros_like(degree), np.ones_like(degree)]
    if t_norm == "minimum":
        shares += [degree, 1 - degree]
    corners = [score + (0.5 - share) * spread for share in shares]
    return np.unique(np.concatenate(corners))[::-1]


def _found(
    score: Vector,
    part: Vector,
    at: Vector,
    spread: float,
    t_norm: TNorm,
) -> Vector:
    """Return the rate of positive calls in a class with memberships `part`.

    As the threshold falls, the degree of a call rises with the slope 1 / spread; the minimum stops
    at the membership, the product rises more slowly up to it.
    """
    if spread == 0:
        rising = np.sort(score)
        upto = np.append(0.0, np.cumsum(part[np.argsort(score, kind="stable")][::-1]))
        return np.asarray(upto[score.size - np.searchsorted(rising, at)] / upto[-1])
    slope = part if t_norm == "product" else np.ones_like(part)
    stop = np.ones_like(part) if t_norm == "product" else part
    start = score + spread / 2
    found = _ramps(start, slope, at) - _ramps(start - spread * stop, slope, at)
    rate = np.clip(found / (spread * part.sum()), 0, 1)
    rate[at <= (start - spread).min()] = 1.0
    return np.asarray(np.maximum.accumulate(rate))


def _ramps(start: Vector, slope: Vector, at: Vector) -> Vector:
    """Sum ``slope[i] max(start[i] - at, 0)`` for each threshold."""
    order = np.argsort(start)[::-1]
    centre = float(start.mean())  # centring keeps round-off small
    above = np.searchsorted(-start[order], -at)
    slopes = np.append(0.0, np.cumsum(slope[order]))
    products = np.append(0.0, np.cumsum((slope * (start - centre))[order]))
    return np.asarray(products[above] - (at - centre) * slopes[above])
