"""Scores as likelihood ratios: their cost (Cllr), and the error rate of Bayes decisions."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from rocspace._base.arrays import ArrayLike, Vector
from rocspace._base.checks import as_numbers, check_inside
from rocspace._base.frozen import Result
from rocspace._base.geometry import hull_indices
from rocspace.costs.curves import cost_curve
from rocspace.costs.proper_scores import LossEstimate, Part, mean_loss
from rocspace.counts.table import ScoreTable, of_table
from rocspace.curves.roc import roc_curve
from rocspace.curves.sweep import need_probabilities

Ratios: TypeAlias = Literal["log ratio", "probability"]
"""What scores are: log likelihood ratios, or probabilities of being positive."""

_LOG2 = float(np.log(2))


def _log_ratios(name: str, table: ScoreTable, scores: str, prior: float) -> Vector:
    """Return the log likelihood ratio of each row."""
    from scipy.special import logit

    shift = float(logit(check_inside("prior", prior)))
    x = table.score.astype(np.float64)
    if scores == "probability":
        need_probabilities(name, table)
        return np.asarray(logit(x) - shift)
    if not table.higher_is_positive:
        msg = (
            f"{name} needs log likelihood ratios for the positives, but lower scores are positive."
        )
        raise ValueError(msg)
    return x - shift


class CllrParts(Result):
    """The cost of likelihood ratios taken apart: ``discrimination + calibration``.

    Attributes
    ----------
    score : float
        Cllr.
    discrimination : float
        The cost that remains with the best calibration, in [0, 1] (Cllr-min).
    calibration : float
        What better calibration would save, 0 or more (Cllr-cal).

    See Also
    --------
    cllr_parts
    """

    score: float
    discrimination: float
    calibration: float


@of_table
def cllr(table: ScoreTable, *, scores: Ratios = "log ratio", prior: float = 0.5) -> float:
    """Cost of log likelihood ratios: their mean information loss in bits, both classes alike.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.
    scores : {"log ratio", "probability"}, default "log ratio"
        Natural logarithms of likelihood ratios (or log odds), or probabilities of being positive.
    prior : float, default 0.5
        Share of positives that log odds or probabilities assume; their prior odds are divided out.

    Returns
    -------
    float
        0 is perfect, 1 is what a ratio of 1 for every case costs, above 1 is worse than that;
        infinite where a ratio is certain and wrong.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If scores cannot be what they are said to be, or the prior is not strictly between 0 and 1.

    Notes
    -----
    O(k). The mean of ``log2(1 + 1 / LR)`` over the positives and that of ``log2(1 + LR)`` over the
    negatives, halved: the log loss of the posteriors at a prior of 1/2, in bits. It does not depend
    on the prevalence of the data.

    References
    ----------
    Brummer and du Preez (2006), a paper on this alone.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> print(f"{cllr(tabulate([0, 0, 1, 1], [-2, 0.5, -0.5, 3])):.4f}")
    0.7660
    """
    return _estimate("cllr", table, scores, prior).value


@of_table
def cllr_estimate(
    table: ScoreTable, *, scores: Ratios = "log ratio", prior: float = 0.5
) -> LossEstimate:
    """Cost of log likelihood ratios with its standard error, interval and test.

    Parameters
    ----------
    table, scores, prior
        As for `cllr`.

    Returns
    -------
    LossEstimate
        Ask it for ``interval(level)``. The numbers of positives and negatives may have been chosen.

    Raises
    ------
    SingleClassError, ValueError
        As `cllr`.

    Warns
    -----
    UserWarning
        If a probability is 0 or 1: the interval cannot allow for a mistake there.

    Notes
    -----
    O(k). The variances of the means of both classes are added, with Satterthwaite's degrees of
    freedom.

    References
    ----------
    Brummer and du Preez (2006), a paper on this alone; for the interval see
    `LossEstimate.interval`.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> print(cllr_estimate(tabulate(data.y_true, data.y_score), scores="probability"))
    0.911 (95 % interval 0.689 to 1.13)
    """
    return _estimate("cllr_estimate", table, scores, prior)


def _estimate(name: str, table: ScoreTable, scores: str, prior: float) -> LossEstimate:
    x = _log_ratios(name, table, scores, prior)
    with np.errstate(over="ignore"):  # bits may be more than the largest double
        losses = np.logaddexp(0, -x) / _LOG2, np.logaddexp(0, x) / _LOG2
    weights = table.pos.astype(np.float64), table.neg.astype(np.float64)
    parts = tuple(
        Part(0.5, loss, weight, n, loss, other)
        for loss, weight, n, other in zip(losses, weights, table.n_eff, weights[::-1], strict=True)
    )
    return mean_loss(parts, "Cllr", (0.0, float("inf")))


@of_table
def cllr_parts(table: ScoreTable, *, scores: Ratios = "log ratio", prior: float = 0.5) -> CllrParts:
    """Take the cost of likelihood ratios apart into discrimination and calibration.

    Parameters
    ----------
    table, scores, prior
        As for `cllr`.

    Returns
    -------
    CllrParts
        The two parts add up to the score.

    Raises
    ------
    SingleClassError, ValueError
        As `cllr`.

    Notes
    -----
    O(k). The best calibration is isotonic: the ratio of each edge of the convex hull is its slope.
    It is fitted to the very cases, so that the part for calibration is somewhat too large.

    References
    ----------
    Brummer and du Preez (2006), a paper on this alone.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> parts = cllr_parts(tabulate([0, 0, 1, 1], [-2, 0.5, -0.5, 3]))
    >>> print(f"{parts.discrimination:.4f} + {parts.calibration:.4f}")
    0.5000 + 0.2660
    """
    score = _estimate("cllr_parts", table, scores, prior).value
    curve = roc_curve(table)
    kept = hull_indices(curve.fp, curve.tp)
    up, right = np.diff(curve.tpr[kept]), np.diff(curve.fpr[kept])
    both = up + right
    with np.errstate(divide="ignore", invalid="ignore"):
        bits = [np.where(part > 0, part * np.log2(both / part), 0.0).sum() for part in (up, right)]
    least = min(float(sum(bits)) / 2, 1.0)
    return CllrParts(score=score, discrimination=least, calibration=max(score - least, 0.0))


# --- Bayes decisions at all priors ------------------------------------------------------------


class BayesErrorCurve(Result):
    """Error rate of Bayes decisions by likelihood ratios, against the prior.

    Attributes
    ----------
    log_odds : ndarray of float64, shape (m,)
        Logarithm of the prior odds, increasing.
    error : ndarray of float64, shape (m,)
        Probability of an error if each case is called positive whose posterior odds are at least 1.
    least : ndarray of float64, shape (m,)
        Error rate of the best threshold at each prior.
    trivial : ndarray of float64, shape (m,)
        Error rate without a score: the smaller one of the prior and its complement.

    See Also
    --------
    bayes_error_curve
    """

    log_odds: Vector
    error: Vector
    least: Vector
    trivial: Vector

    _frame = ("log_odds", "error", "least", "trivial", "normalised", "normalised_least")

    def __len__(self) -> int:
        """Return the number of points."""
        return int(self.log_odds.size)

    @property
    def normalised(self) -> Vector:
        """Error rate divided by that without a score: above 1 where the ratios do harm."""
        return np.asarray(self.error / self.trivial)

    @property
    def normalised_least(self) -> Vector:
        """Error rate of the best threshold, divided by that without a score."""
        return np.asarray(self.least / self.trivial)


@of_table
def bayes_error_curve(
    table: ScoreTable,
    *,
    scores: Ratios = "log ratio",
    prior: float = 0.5,
    log_odds: ArrayLike | None = None,
) -> BayesErrorCurve:
    """Return the error rate of Bayes decisions for all priors, and that of the best thresholds.

    Parameters
    ----------
    table, scores, prior
        As for `cllr`.
    log_odds : array-like, shape (m,), optional
        Logarithms of prior odds; by default -7 to 7 in steps of .1.

    Returns
    -------
    BayesErrorCurve
        Where `error` is above `trivial`, the ratios are worse than none; where it is above `least`,
        they are not calibrated. The largest `least` is the equal error rate of the convex hull,
        `rocspace.hull.eer_hull`.

    Raises
    ------
    SingleClassError, ValueError
        As `cllr`; also if a prior is not finite.

    Notes
    -----
    O(k + m log k). At the log odds a of the prior a case is called positive if its log likelihood
    ratio is at least -a. With errors of other costs, their ratio belongs to the prior odds. The
    least error is the cost curve, `rocspace.costs.cost_curve`, at that prior. Cllr is an integral
    of the error over all log odds.

    References
    ----------
    Brummer and du Preez (2006), a paper on this alone; there, the applied probability of error.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> table = tabulate([0, 0, 1, 1], [-2, 0.5, -0.5, 3])
    >>> curve = bayes_error_curve(table, log_odds=[0, 2])
    >>> curve.error.round(3), curve.least.round(3), curve.normalised.round(3)
    (array([0.5  , 0.119]), array([0.25, 0.06]), array([1., 1.]))
    """
    from scipy.special import expit

    x = _log_ratios("bayes_error_curve", table, scores, prior)
    given = np.arange(-70, 71) / 10 if log_odds is None else log_odds
    at = np.unique(as_numbers("log_odds", given))
    if not np.isfinite(at).all():
        msg = f"log_odds has {at[~np.isfinite(at)][0]}, but priors of 0 or 1 need no score."
        raise ValueError(msg)
    row = np.searchsorted(-x, at, "right")  # rows of falling ratios, at least -a
    curve = roc_curve(table)
    share, other = expit(at), expit(-at)
    return BayesErrorCurve(
        log_odds=at,
        error=share * curve.fnr[row] + other * curve.fpr[row],
        least=np.asarray(cost_curve(table).cost_at(share)),
        trivial=np.minimum(share, other),
    )
