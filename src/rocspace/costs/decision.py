"""Decision curves: the net benefit of acting on probabilities, at each threshold probability."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from rocspace._base.arrays import ArrayLike, Vector
from rocspace._base.calls import explained
from rocspace._base.checks import as_numbers, check_fraction
from rocspace._base.errors import Argument, ArgumentError
from rocspace._base.frozen import Result
from rocspace.counts.confusion import evaluate
from rocspace.counts.table import ScoreTable, need, of_positives
from rocspace.curves.sweep import best_counts, need_probabilities, need_rows
from rocspace.results.curve import plain


def _odds(threshold: ArrayLike) -> tuple[Vector, Vector]:
    """Return thresholds in [0, 1) and their odds, the weight of a false positive."""
    at = check_fraction("threshold", threshold)
    if (at == 1).any():
        msg = "A threshold is 1, where nobody acts, whatever the benefit. Give thresholds below 1."
        raise ValueError(msg)
    return at, at / (1 - at)


@explained
def net_benefit(table: ScoreTable, threshold: ArrayLike, *, standardised: bool = False) -> Any:
    """Net benefit of treating those whose probability is at least a threshold.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score; scores are probabilities of being positive.
    threshold : float or array-like
        Probabilities in [0, 1) at or above which one would treat. The threshold states how many
        false positives a true positive is worth: ``(1 - threshold) / threshold``.
    standardised : bool, default False
        Divide by the prevalence, the largest net benefit.

    Returns
    -------
    float or ndarray
        True positives minus weighted false ones, per case: at most the prevalence (1 if
        standardised); 0 for treating no case; negative if harm exceeds benefit.

    Raises
    ------
    ValueError
        If scores are not probabilities, or a threshold is not in [0, 1).

    Notes
    -----
    O(log k) for each threshold. ``TP / n - FP / n * w``, w the odds of the threshold; it
    depends on the prevalence of the data. For a study with chosen class sizes, reweight
    the table first.

    References
    ----------
    Vickers and Elkin (2006), a paper on this alone.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> print(f"{net_benefit(tabulate(data.y_true, data.y_score), 0.2):.4f}")
    0.3875
    """
    need_probabilities("net_benefit", table)
    at, odds = _odds(threshold)
    found = evaluate(table, at)
    scale = table.n_pos if standardised else table.n_pos + table.n_neg
    if standardised:
        need("standardised net benefit", table, neg=0)
    return plain((found.tp - found.fp * odds) / scale)


@explained
def net_benefit_untreated(table: ScoreTable, threshold: ArrayLike) -> Any:
    """Net benefit of not treating those whose probability is below a threshold.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score; scores are probabilities of being positive.
    threshold : float or array-like
        Probabilities in (0, 1).

    Returns
    -------
    float or ndarray
        True negatives minus weighted false ones, per case: at most ``1 - prevalence``; 0
        for treating every case.

    Raises
    ------
    ValueError
        If scores are not probabilities, or a threshold is not in (0, 1).

    Notes
    -----
    O(log k) for each threshold. ``TN / n - FN / n / w``: the excess of `net_benefit` over that of
    treating all, in units of true negatives. It is therefore also the number of interventions
    avoided per case, at no loss of true positives.

    References
    ----------
    Vickers and Elkin (2006), a paper on this alone, for interventions avoided; Rousson and Zumbrunn
    (2011), the whole paper.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> net_benefit_untreated(tabulate([0, 0, 1, 1], [0.1, 0.4, 0.3, 0.8]), 0.5)
    0.25
    """
    need_probabilities("net_benefit_untreated", table)
    at, odds = _odds(threshold)
    if (at == 0).any():
        msg = "A threshold is 0, where everybody is treated. Give thresholds above 0."
        raise ValueError(msg)
    found = evaluate(table, at)
    return plain((found.tn - found.fn / odds) / (table.n_pos + table.n_neg))


@explained
def best_net_benefit(table: ScoreTable, threshold: ArrayLike) -> Any:
    """Net benefit if the scores were calibrated: the best cut for each threshold.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, on any scale.
    threshold : float or array-like
        Probabilities in [0, 1).

    Returns
    -------
    float or ndarray
        At least 0 and the benefit of treating all: the upper envelope of all cuts. Convex
        in the odds of the threshold, not in the threshold.

    Raises
    ------
    ValueError
        If a threshold is not in [0, 1).

    Notes
    -----
    O(k), then O(log h) for each threshold: the best cut is a vertex of the convex hull. It is
    chosen and evaluated on the same data, so the benefit is optimistic.

    References
    ----------
    Vickers and Elkin (2006), a paper on this alone, for the net benefit; the best cut on the hull
    is our own.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> best_net_benefit(tabulate([0, 0, 1, 1], [1, 4, 3, 8]), 0.5)
    0.25
    """
    need_rows("best_net_benefit", table)
    at, odds = _odds(threshold)
    tp, fp = best_counts(table, at)
    return plain((tp - fp * odds) / (table.n_pos + table.n_neg))


# --- the curve --------------------------------------------------------------------------------


class DecisionPoints(Result):
    """One or several points of a decision curve.

    Attributes
    ----------
    threshold, net_benefit : float or ndarray
        Threshold probability, and its net benefit per case.

    See Also
    --------
    DecisionCurve.at_threshold
    """

    threshold: Any
    net_benefit: Any


class DecisionCurve(Result):
    """Net benefit against the threshold probability.

    Attributes
    ----------
    threshold : ndarray of float64, shape (m,)
        Increasing, in [0, 1).
    net_benefit : ndarray of float64, shape (m,)
        Net benefit of treating those with at least that probability.
    treat_all : ndarray of float64, shape (m,)
        Net benefit of treating every case; that of treating none is 0.
    prevalence : float
        Share of positives, the largest net benefit.
    table : ScoreTable
        The table that the curve was computed from.

    See Also
    --------
    decision_curve
    """

    _meant: ClassVar[Mapping[str, str]] = {
        "at": "at_threshold(0.2)",
        "plot": 'rs.plot.plot_decision(curve, label="a"), and another on the same axes: ax=',
        "treat_none": "0, which treating none is worth",
    }

    threshold: Vector
    net_benefit: Vector
    treat_all: Vector
    prevalence: float
    table: ScoreTable

    _frame = ("threshold", "net_benefit", "treat_all", "standardised")

    def __len__(self) -> int:
        """Return the number of points."""
        return int(self.threshold.size)

    @property
    def standardised(self) -> Vector:
        """Net benefit over the prevalence: at most 1."""
        return np.asarray(self.net_benefit / self.prevalence)

    def at_threshold(self, threshold: ArrayLike) -> DecisionPoints:
        """Return the points of other thresholds in [0, 1), exactly.

        Parameters
        ----------
        threshold : float or array-like of float
            Threshold probabilities in [0, 1).

        Returns
        -------
        DecisionPoints
            The thresholds with their net benefits.

        Raises
        ------
        ValueError
            If a threshold is outside [0, 1).

        Examples
        --------
        >>> from rocspace import tabulate
        >>> curve = decision_curve(tabulate([0, 0, 1, 1], [0.1, 0.4, 0.3, 0.8]), [0.2, 0.5])
        >>> round(curve.at_threshold(0.4).net_benefit, 4)
        0.0833
        """
        gained = net_benefit(self.table, threshold)
        at = np.asarray(threshold, dtype=np.float64)
        return DecisionPoints(threshold=plain(at), net_benefit=gained)


@of_positives
def decision_curve(table: ScoreTable, thresholds: ArrayLike | None = None) -> DecisionCurve:
    """Return the decision curve of probabilities.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score; scores are probabilities of being positive.
    thresholds : array-like of shape (m,), optional
        Increasing, in [0, 1); by default 0 and the scores that occur, where the curve
        jumps.

    Returns
    -------
    DecisionCurve
        Net benefit of the scores and of treating every case.

    Raises
    ------
    SingleClassError
        If there are no positives.
    ValueError
        If scores are not probabilities, or thresholds do not increase in [0, 1).

    Notes
    -----
    O(m log k). Between two scores the calls stay the same and the net benefit falls with the
    odds.

    References
    ----------
    Vickers and Elkin (2006), a paper on this alone.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> curve = decision_curve(tabulate([0, 0, 1, 1], [0.1, 0.4, 0.3, 0.8]), [0.2, 0.5])
    >>> curve.net_benefit, curve.treat_all
    (array([0.4375, 0.25  ]), array([0.375, 0.   ]))
    """
    need_probabilities("decision_curve", table)
    if thresholds is None:
        score = table.score[::-1].astype(np.float64)
        at = np.union1d([0.0], score[score < 1])
    else:
        at = np.atleast_1d(as_numbers("thresholds", thresholds)).copy()
        if at.ndim > 1:
            why = f" has shape {at.shape}, but must be one number or a list."
            raise ArgumentError(Argument("thresholds"), why)
        if not (np.diff(at) > 0).all():
            i = int(np.flatnonzero(~(np.diff(at) > 0))[0])
            msg = f"thresholds must increase, but {at[i]} is followed by {at[i + 1]}. Sort them."
            raise ValueError(msg)
    at, odds = _odds(at)
    pi = table.prevalence
    return DecisionCurve(
        threshold=at,
        net_benefit=net_benefit(table, at),
        treat_all=pi - (1 - pi) * odds,
        prevalence=pi,
        table=table,
    )
