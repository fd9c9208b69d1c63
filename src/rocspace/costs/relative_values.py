"""Relative economic value: the share of the value of perfect knowledge that a score has."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocspace._base.arrays import ArrayLike, Vector
from rocspace._base.calls import explained
from rocspace._base.checks import check_fraction
from rocspace._base.frozen import Result
from rocspace.counts.confusion import evaluate
from rocspace.counts.table import ScoreTable, of_table
from rocspace.curves.sweep import best_counts, need_probabilities
from rocspace.results.curve import plain


def _ratios(ratio: ArrayLike) -> Vector:
    at = check_fraction("ratio", ratio)
    if ((at == 0) | (at == 1)).any():
        msg = (
            f"A cost-loss ratio is {float(at[(at == 0) | (at == 1)].flat[0]):g}, where everybody "
            "decides alike without a score. Give ratios strictly between 0 and 1."
        )
        raise ValueError(msg)
    return at


def _value(table: ScoreTable, ratio: Vector, tp: Any, fp: Any) -> Any:
    """Return the expense saved, over that which perfect knowledge would save, both per case."""
    n, pi = table.n_pos + table.n_neg, table.prevalence
    known = np.minimum(ratio, pi)  # the cheaper one of protecting always and never
    expense = (ratio * (tp + fp) + table.n_pos - tp) / n
    return (known - expense) / (known - pi * ratio)


@of_table
@explained
def relative_value(table: ScoreTable, ratio: ArrayLike) -> Any:
    """Relative economic value of acting on probabilities, for users with a given cost-loss ratio.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present; scores are probabilities of being positive.
    ratio : float or array-like
        Cost of protecting oneself divided by the loss that protection prevents, strictly between 0
        and 1. A user protects where the probability is at least the ratio.

    Returns
    -------
    float or ndarray
        1 for perfect knowledge, 0 for the better of protecting always and never (the climate);
        negative if acting on the probabilities is worse than that.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If scores are not probabilities, or a ratio is not strictly between 0 and 1.

    Notes
    -----
    O(log k) for each ratio. ``(E0 - E) / (E0 - E1)`` with the mean expenses, in units of the loss:
    E of the score, E0 of the climate, ``min(ratio, pi)``, and E1 of perfect knowledge, ``pi
    ratio``. At ``ratio = pi`` it is ``tpr - fpr``, and of a fixed threshold it is greatest there.
    It is the net benefit minus that of the better of treating all and none, divided by its greatest
    value: Baker's relative utility. For another prevalence reweight the table first.

    References
    ----------
    Richardson (2000), a paper on this alone; Baker et al. (2009), a paper on this alone, for
    relative utility.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> table = tabulate(data.y_true, data.y_score)
    >>> relative_value(table, [0.2, 0.5]).round(3)
    array([0.1, 0.2])
    """
    need_probabilities("relative_value", table)
    at = _ratios(ratio)
    found = evaluate(table, at)
    return plain(_value(table, at, found.tp, found.fp))


@of_table
@explained
def best_relative_value(table: ScoreTable, ratio: ArrayLike) -> Any:
    """Relative economic value of the best threshold for each cost-loss ratio.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present; scores on any scale.
    ratio : float or array-like
        Cost-loss ratios, strictly between 0 and 1.

    Returns
    -------
    float or ndarray
        In [0, 1]: what the score would be worth if it were calibrated. It is greatest at the
        prevalence, where it is Youden's index.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If a ratio is not strictly between 0 and 1.

    Notes
    -----
    O(k), then O(log h) for each ratio: the best threshold is a vertex of the convex hull. It is
    chosen and evaluated on the same data, so the value is optimistic.

    References
    ----------
    Richardson (2000), a paper on this alone, whose "potential value" is the envelope.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> table = tabulate(data.y_true, data.y_score)
    >>> best_relative_value(table, [0.2, 0.5]).round(3)
    array([0.1, 0.4])
    """
    at = _ratios(ratio)
    return plain(np.clip(_value(table, at, *best_counts(table, at)), 0.0, 1.0))


class RelativeValueCurve(Result):
    """Relative economic value against the cost-loss ratio.

    Attributes
    ----------
    ratio : ndarray of float64, shape (m,)
        Increasing, strictly between 0 and 1.
    value : ndarray of float64, shape (m,)
        Value of acting on the scores as probabilities; nan where they are not probabilities.
    best : ndarray of float64, shape (m,)
        Value of the best threshold at each ratio.
    prevalence : float
        Share of positives, where `best` is greatest.

    See Also
    --------
    relative_value_curve
    """

    ratio: Vector
    value: Vector
    best: Vector
    prevalence: float

    _frame = ("ratio", "value", "best")

    def __len__(self) -> int:
        """Return the number of points."""
        return int(self.ratio.size)


@of_table
def relative_value_curve(table: ScoreTable, ratios: ArrayLike | None = None) -> RelativeValueCurve:
    """Return the relative economic value of a score for users of all cost-loss ratios.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.
    ratios : array-like of shape (m,), optional
        Strictly between 0 and 1; by default .01 to .99 and the prevalence.

    Returns
    -------
    RelativeValueCurve
        Its `value` is nan if the scores are not probabilities; its `best` never is.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If a ratio is not strictly between 0 and 1.

    Notes
    -----
    O(k + m log k).

    References
    ----------
    Richardson (2000), a paper on this alone.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> curve = relative_value_curve(tabulate([0, 1, 0, 1], [0.1, 0.3, 0.6, 0.9]), [0.2, 0.5])
    >>> curve.value, curve.best
    (array([0.5, 0. ]), array([0.5, 0.5]))
    """
    pi = table.prevalence
    given = np.append(np.arange(1, 100) / 100, pi) if ratios is None else ratios
    at = np.unique(_ratios(given))
    ends = float(min(table.score[0], table.score[-1])), float(max(table.score[0], table.score[-1]))
    probabilities = table.higher_is_positive and ends[0] >= 0 and ends[1] <= 1
    value = relative_value(table, at) if probabilities else np.full(at.size, np.nan)
    return RelativeValueCurve(
        ratio=at, value=value, best=best_relative_value(table, at), prevalence=pi
    )
