"""Areas that depend on the distances of scores, not only on their order.

The area under the ROC curve is the mean, over all pairs of a positive and a negative, of a step
function of their difference. Other functions of it give other areas. None of them is known to
select better models than the ordinary area.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from rocspace._base.arrays import Array, ArrayLike, Vector
from rocspace._base.calls import explained
from rocspace._base.cases import check_labels, check_lengths
from rocspace._base.checks import check_positive
from rocspace._base.frozen import Result
from rocspace.counts.distances import granularities, ladder_of
from rocspace.counts.table import ScoreTable, need, of_table
from rocspace.granular.series import polynomial_sum, sigmoid_potential

_BLOCK = 1 << 20  # pairs whose differences are in memory at once
_POLYNOMIALS = (
    np.polynomial.Polynomial,
    np.polynomial.Chebyshev,
    np.polynomial.Legendre,
    np.polynomial.Laguerre,
    np.polynomial.Hermite,
    np.polynomial.HermiteE,
)
_STEPS = 200  # more halvings than two doubles need to become neighbours


def _finite_scores(name: str, table: ScoreTable) -> Vector:
    """Return the scores as doubles, most positive first; all must be finite."""
    need(name, table)
    score = table.score.astype(np.float64)
    if not np.isfinite(score[[0, -1]]).all():
        msg = (
            f"{name} needs finite scores, but one is {score[~np.isfinite(score)][0]}: an infinite "
            "score has no distance to others. Replace scores by their ranks first."
        )
        raise ValueError(msg)
    return score if table.higher_is_positive else -score


# --- means of differences ---------------------------------------------------------------------


@explained
def scored_auc(table: ScoreTable) -> float:
    """Scored AUC: the mean amount by which a positive outscores a negative, 0 where it does not.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present; finite scores.

    Returns
    -------
    float
        From 0 to the range of the scores; higher is better. At most `auc` for scores in [0, 1].
        It scales with the scores, and does not depend on prevalence.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If a score is infinite.

    Notes
    -----
    The mean of ``max(x - y, 0)`` over all pairs, and the area under `margin_curve`. O(k): every gap
    between neighbouring scores counts once for each pair that it separates.

    References
    ----------
    Wu, Flach and Ferri (2007), a paper on this alone.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> print(f"{scored_auc(tabulate(data.y_true, data.y_score)):.4f}")
    0.1604
    """
    score = _finite_scores("scored_auc", table)
    gap = score[:-1] - score[1:]
    above, below = table.tp[:-1] / table.n_pos, (table.n_neg - table.fp[:-1]) / table.n_neg
    return float((gap * above * below).sum())


class MarginCurve(Result):
    """Share of pairs in which the positive is ahead, by margin.

    Attributes
    ----------
    margin : ndarray of float64, shape (m,)
        Margins, on the scale of the scores.
    auc : ndarray of float64, shape (m,)
        ``auc[i]``: share of pairs in which the positive is more than ``margin[i]`` ahead.

    See Also
    --------
    margin_curve
    """

    margin: Vector
    auc: Vector


@of_table
def margin_curve(table: ScoreTable, margin: ArrayLike) -> MarginCurve:
    """Share of pairs in which the positive outscores the negative by more than a margin.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.
    margin : float or array-like, shape (m,)
        Margins, zero or more.

    Returns
    -------
    MarginCurve
        Shares in [0, 1], non-increasing in the margin; a tie does not count. The area under the
        whole curve is `scored_auc`.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If a margin is negative or not finite.

    Notes
    -----
    O(k) for each margin. Distances are compared as decimals, without rounding, as by
    `rocspace.granular.groc`: 0.57 is not more than 0.02 ahead of 0.55.

    References
    ----------
    Wu, Flach and Ferri (2007), a paper on this alone.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> margin_curve(tabulate([1, 1, 0, 0], [0.57, 0.9, 0.55, 0.1]), [0, 0.02, 0.5]).auc
    array([1.  , 0.75, 0.25])
    """
    margins = granularities(margin, "margin")
    ladder = ladder_of(table, "exact")
    left = np.empty(len(table), dtype=np.int64)
    above = np.concatenate([[0.0], table.tp / table.n_pos])
    wins = []
    for each in margins:
        ladder.left(ladder.width(each, strict=True), left, strict=True)
        wins.append(float((table.neg * above[left]).sum()) / table.n_neg)
    return MarginCurve(
        margin=np.array([float(each) for each in margins]),
        auc=np.minimum(wins, 1.0),
    )


@explained
def prob_auc(table: ScoreTable) -> float:
    """Probabilistic AUC: one half plus half the difference of the classes' mean scores.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present; scores in [0, 1].

    Returns
    -------
    float
        In [0, 1]; 1/2 where both classes have the same mean, 1 if all positives have 1 and all
        negatives 0. Does not depend on prevalence.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If a score lies outside [0, 1].

    Notes
    -----
    The mean of ``(x - y + 1) / 2`` over all pairs. O(k). Often written pAUC, which here is the
    partial area. Twice it minus 1 is the discrimination slope of Yates.

    References
    ----------
    Ferri, Flach, Hernandez-Orallo and Senad (2005), a paper on this alone.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> print(f"{prob_auc(tabulate(data.y_true, data.y_score)):.5f}")
    0.55825
    """
    score = _finite_scores("prob_auc", table)
    size = np.abs(score[[0, -1]])
    if not ((size <= 1).all() and (table.score[[0, -1]] >= 0).all()):
        wrong = next(x for x in table.score[[0, -1]].tolist() if not 0 <= x <= 1)
        msg = f"prob_auc needs scores in [0, 1], but one is {wrong}. Scale them first."
        raise ValueError(msg)
    ahead = float(table.pos @ score) / table.n_pos - float(table.neg @ score) / table.n_neg
    return float(min(max((1 + ahead) / 2, 0.0), 1.0))


# --- the sigmoid ------------------------------------------------------------------------------


@explained
def soft_auc(table: ScoreTable, *, beta: float = 1.0, tolerance: float = 1e-12) -> float:
    """Soft AUC: the mean over all pairs of a sigmoid of the positive's score minus the negative's.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present; finite scores.
    beta : float, default 1.0
        Steepness of the sigmoid, positive. A large one gives `auc`, one near 0 gives 1/2.
    tolerance : float, default 1e-12
        Largest error allowed, 1e-13 or more; 0 sums over all pairs for which the sigmoid is
        neither 0 nor 1, which with a small `beta` are all pairs.

    Returns
    -------
    float
        In (0, 1), higher is better. Does not depend on prevalence.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If a score is infinite, `beta` is not positive, or the tolerance is out of range.

    Notes
    -----
    The mean of ``1 / (1 + exp(-beta (x - y)))`` over all pairs. O(k): where many scores are so
    near that the sigmoid is neither 0 nor 1, it is replaced by Chebyshev polynomials on panels
    of width 4 / beta, of a degree for which Bernstein's bound is below the tolerance; a sum over
    pairs of a polynomial needs power sums only. One polynomial for the whole range, as in
    the paper, is `pairwise_auc` with a degree.

    References
    ----------
    Calders and Jaroszewicz (2007), a paper on this alone.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> table = tabulate(data.y_true, data.y_score)
    >>> print(f"{soft_auc(table):.7f} {soft_auc(table, beta=100):.7f}")
    0.5285877 0.6712991
    """
    score = _finite_scores("soft_auc", table)
    _check_soft(beta, tolerance)
    below, _ = sigmoid_potential(score, table.neg / table.n_neg, beta, tolerance)
    return _mean_over_pos(table, below)


def _mean_over_pos(table: ScoreTable, values: Vector) -> float:
    """Average over the positives, and clip rounding errors to [0, 1]."""
    return min(max(float(table.pos @ values) / table.n_pos, 0.0), 1.0)


def _check_soft(beta: float, tolerance: float) -> None:
    check_positive("beta", beta)
    if tolerance != 0 and not 1e-13 <= tolerance < 1:
        msg = f"tolerance is {tolerance}, but must be 0, or from 1e-13 to below 1."
        raise ValueError(msg)


class SoftGradient(Result):
    """`soft_auc`, and its derivative with respect to each score.

    Attributes
    ----------
    value : float
        The soft AUC.
    pos, neg : ndarray of float64, shape (k,)
        Derivative with respect to the score of one positive (negative) case of weight 1, by row.
    score : ndarray, shape (k,)
        Scores of the rows.

    See Also
    --------
    soft_auc_gradient
    """

    value: float
    pos: Vector
    neg: Vector
    score: Array

    def of_cases(
        self, y_true: ArrayLike, y_score: ArrayLike, *, pos_label: object = None
    ) -> Vector:
        """Return the gradient with respect to the scores of cases that are in the table.

        Parameters
        ----------
        y_true, y_score : array-like, shape (n,)
            Labels and scores that the table was made of. If it has weights, multiply the result by
            them.
        pos_label : object, optional
            As for `tabulate`.

        Returns
        -------
        ndarray of float64, shape (n,)
            Derivative with respect to each score.

        Raises
        ------
        ValueError
            If a score is not in the table.
        """
        label = check_labels(y_true, pos_label, "y_true")
        score = np.asarray(y_score)
        check_lengths({"y_true": label.size, "y_score": score.size})
        order = np.argsort(self.score)
        row = order[np.minimum(np.searchsorted(self.score, score, sorter=order), order.size - 1)]
        strange = np.flatnonzero(self.score[row] != score)
        if strange.size:
            msg = f"y_score has {score[strange[0]]}, which is not a score of the table."
            raise ValueError(msg)
        return np.where(label, self.pos[row], self.neg[row])


@explained
def soft_auc_gradient(
    table: ScoreTable, *, beta: float = 1.0, tolerance: float = 1e-12
) -> SoftGradient:
    """Soft AUC and its derivatives with respect to all scores, for gradient ascent.

    Parameters
    ----------
    table, beta, tolerance
        As for `soft_auc`.

    Returns
    -------
    SoftGradient
        Derivatives for rows; its ``of_cases`` gives those for cases. Adding a constant to all
        scores changes nothing, so the derivatives of all cases sum to 0.

    Raises
    ------
    SingleClassError, ValueError
        As `soft_auc`.

    Notes
    -----
    With s the sigmoid and ``s' = s (1 - s)``, a positive x has ``beta / (P N)`` times the sum of
    ``s'(beta (x - y))`` over the negatives y, a negative the same over the positives with the sign
    reversed. O(k), as `soft_auc`. Where lower scores are positive, all signs are reversed.

    References
    ----------
    Calders and Jaroszewicz (2007), a paper on this alone.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> y, x = [1, 0], [0.2, 0.2]
    >>> found = soft_auc_gradient(tabulate(y, x), beta=4)
    >>> found.value, found.of_cases(y, x)
    (0.5, array([ 1., -1.]))
    """
    score = _finite_scores("soft_auc_gradient", table)
    _check_soft(beta, tolerance)
    below, from_neg = sigmoid_potential(score, table.neg / table.n_neg, beta, tolerance)
    _, from_pos = sigmoid_potential(score, table.pos / table.n_pos, beta, tolerance)
    sign = 1 if table.higher_is_positive else -1
    return SoftGradient(
        value=_mean_over_pos(table, below),
        pos=sign * beta * from_neg / table.n_pos,
        neg=-sign * beta * from_pos / table.n_neg,
        score=table.score,
    )


# --- any function of the difference -----------------------------------------------------------


@explained
def pairwise_auc(
    table: ScoreTable,
    tau: Callable[[Vector], Any],
    *,
    degree: int | None = None,
) -> float:
    """Mean over all pairs of any function of the positive's score minus the negative's.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present; finite scores.
    tau : callable
        Takes an array of differences, positive score minus negative, and returns as many values.
        For an area it does not decrease, and is 1/2 at 0: the step ``np.heaviside(d, 0.5)``
        gives `auc`, ``np.maximum(d, 0)`` gives `scored_auc`, ``(d + 1) / 2`` gives `prob_auc`.
    degree : int, optional
        Replace `tau` by the polynomial of this degree that agrees with it at Chebyshev nodes of
        either class's scores. A polynomial of `numpy.polynomial` needs no degree: it is exact.

    Returns
    -------
    float
        In the range of `tau`. Where lower scores are positive, differences are reversed.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If a score is infinite, the degree is negative, or `tau` returns another shape.

    Notes
    -----
    All pairs of distinct scores: O(k^2) in time, with a million pairs at a time in memory. With
    a polynomial of degree d O(k d + d^2), by sums of Chebyshev polynomials over each class.

    References
    ----------
    Dong, Li and Li, gROC, section 1, on Vanderlooy and Huellermeier (2008), who found that none of
    these selects better than the AUC.

    Examples
    --------
    >>> from numpy.polynomial import Polynomial
    >>> from rocspace import tabulate
    >>> table = tabulate([1, 1, 0, 0], [0.9, 0.4, 0.5, 0.1])
    >>> pairwise_auc(table, lambda d: np.heaviside(d, 0.5))
    0.75
    >>> print(f"{pairwise_auc(table, Polynomial([0.5, 0.5])):.3f} {prob_auc(table):.3f}")
    0.675 0.675
    """
    score = _finite_scores("pairwise_auc", table)
    pos, neg = table.pos / table.n_pos, table.neg / table.n_neg
    if degree is None and isinstance(tau, _POLYNOMIALS):
        degree = tau.degree()
    if degree is not None:
        if degree < 0:
            msg = f"degree is {degree}, but must be 0 or more."
            raise ValueError(msg)
        return polynomial_sum(score, pos, neg, tau, int(degree))
    x, y = np.flatnonzero(pos), np.flatnonzero(neg)
    total, step = 0.0, max(1, _BLOCK // y.size)
    for start in range(0, x.size, step):
        some = x[start : start + step]
        difference = score[some, np.newaxis] - score[y]
        value = np.asarray(tau(difference), dtype=np.float64)
        if value.shape != difference.shape:
            msg = (
                f"tau returned the shape {value.shape} of differences of shape {difference.shape}."
            )
            raise ValueError(msg)
        total += float(pos[some] @ value @ neg[y])
    return total


# --- buffered ---------------------------------------------------------------------------------


@explained
def buffered_auc(table: ScoreTable) -> float:
    """Buffered AUC: a lower bound of the area that decreases with near misses, too.

    Order all pairs by the positive's score minus the negative's, and take as many of the lowest as
    have a mean difference of 0. The buffered area is the share of the other pairs.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present; finite scores.

    Returns
    -------
    float
        In [0, 1]; at most the share of pairs in the right order. 0 if the positives' mean is not
        above the negatives', 1 if every positive is above all negatives. Does not depend on
        prevalence, nor on the origin and the unit of the scores.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If a score is infinite.

    Notes
    -----
    ``1 - min E max(1 - a (x - y), 0)`` over a >= 0, with the mean over all pairs. The best a is one
    over a difference; it is found by halving, with one sweep of O(k) for each of some 60 steps.

    References
    ----------
    Norton and Uryasev (2019), a paper on this alone.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> print(f"{buffered_auc(tabulate(data.y_true, data.y_score)):.6f}")
    0.275000
    """
    from rocspace._kernels import pairs as kernels

    score = _finite_scores("buffered_auc", table)
    pos, neg = table.pos / table.n_pos, table.neg / table.n_neg
    some_pos, some_neg = np.flatnonzero(pos), np.flatnonzero(neg)
    if some_pos[-1] <= some_neg[0]:  # no positive is behind a negative
        return 1.0 - float(pos @ neg)
    if max(abs(score[0]), abs(score[-1])) > np.finfo(np.float64).max / 2:
        score = score / 2  # the scale does not matter, but distances must be finite
    span = score[0] - score[-1]
    x = (score - score[-1]) / span - 0.5
    columns = x, np.cumsum(pos), np.cumsum(pos * x), neg

    low, high = 0.0, 1.0  # differences up to the first add up to less than 0
    if not kernels.sums_up_to(*columns, high)[1] > 0:
        return 0.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        if kernels.sums_up_to(*columns, middle)[1] < 0:
            low = middle
        else:
            high = middle
    share, mean = kernels.sums_up_to(*columns, high)
    return float(min(max(1 - (share - mean / high), 0.0), 1.0))
