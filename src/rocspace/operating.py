"""Operating points: what one threshold does, and which threshold is best by a criterion."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocspace._checks import check_choice, check_fraction
from rocspace._exact import best_rows
from rocspace.confusion import rows_called_positive
from rocspace.results import OperatingPoint
from rocspace.table import ScoreTable, need

__all__ = ["Criterion", "optimal_points", "point_at", "point_at_fpr", "point_at_tpr"]

Criterion: TypeAlias = Literal["youden", "closest", "accuracy"]

_SAME = 1e-12  # criteria of weighted tables nearer than this tie


def point_at(table: ScoreTable, threshold: float, *, inclusive: bool = True) -> OperatingPoint:
    """Return what a threshold does to the cases.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score.
    threshold : float
        Any threshold on the scale of the score; it need not occur.
    inclusive : bool, default True
        Whether a score equal to the threshold is called positive.

    Returns
    -------
    OperatingPoint
        Its counts, and the threshold as given.

    Raises
    ------
    ValueError
        If the threshold is NaN.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> point = point_at(tabulate([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8]), 0.5)
    >>> point.tpr, point.fpr
    (0.5, 0.0)
    """
    row = int(rows_called_positive(table, threshold, inclusive=inclusive))
    return replace(_point(table, row, "fixed threshold"), threshold=threshold)


def _point(table: ScoreTable, row: int, criterion: str) -> OperatingPoint:
    """Return the point that calls the first `row` rows positive."""
    outer = np.inf if table.higher_is_positive else -np.inf
    tp, fp = (0, 0) if row == 0 else (table.tp[row - 1].item(), table.fp[row - 1].item())
    return OperatingPoint(
        threshold=outer if row == 0 else table.score[row - 1].item(),
        tp=tp,
        fp=fp,
        fn=max(table.n_pos - tp, 0),
        tn=max(table.n_neg - fp, 0),
        next_score=-outer if row == len(table) else table.score[row].item(),
        n_eff=table.n_eff,
        criterion=criterion,
    )


def optimal_points(
    table: ScoreTable, *, criterion: Criterion = "youden"
) -> tuple[OperatingPoint, ...]:
    """Return every threshold that is best by a criterion, ties included.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.
    criterion : {"youden", "closest", "accuracy"}, default "youden"
        The largest ``tpr - fpr``, the smallest distance to (0, 1), or the largest share of
        right calls. Rejecting all is a candidate too.

    Returns
    -------
    tuple of OperatingPoint
        All that tie for best, the most conservative first.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If there is no such criterion.

    Notes
    -----
    O(k). Ties of counts are decided by exact fractions; those of weights, which are sums of
    rounded numbers, within 1e-12. A threshold that is best on the data that evaluate it
    looks better than it is.

    References
    ----------
    Youden (1950); Perkins and Schisterman (2006) for the distance; Fawcett (2006),
    section 4, for accuracy.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> points = optimal_points(tabulate([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8]))
    >>> [point.threshold for point in points]
    [0.8, 0.4]
    """
    need("optimal_points", table)
    check_choice("criterion", criterion, tuple(_CRITERIA))
    tp, fp = (np.concatenate([column[:1] * 0, column]) for column in (table.tp, table.fp))
    n_pos, n_neg = Fraction(table.n_pos), Fraction(table.n_neg)
    value = _CRITERIA[criterion]
    floats = value(tp, fp, table.n_pos, table.n_neg)
    if table.is_weighted:
        rows = np.flatnonzero(floats >= floats.max() - _SAME)
        return tuple(_point(table, int(i), criterion) for i in rows)

    def exact(i: int) -> Any:
        return value(Fraction(tp[i].item()), Fraction(fp[i].item()), n_pos, n_neg)

    return tuple(_point(table, int(i), criterion) for i in best_rows(floats, exact))


def _youden(tp: Any, fp: Any, n_pos: Any, n_neg: Any) -> Any:
    return tp / n_pos - fp / n_neg


def _closeness(tp: Any, fp: Any, n_pos: Any, n_neg: Any) -> Any:
    """Minus the squared distance to (0, 1), so that larger is better."""
    return -((fp / n_neg) ** 2 + (1 - tp / n_pos) ** 2)


def _accuracy(tp: Any, fp: Any, n_pos: Any, n_neg: Any) -> Any:
    return (tp + (n_neg - fp)) / (n_pos + n_neg)


_CRITERIA: dict[str, Callable[[Any, Any, Any, Any], Any]] = {
    "youden": _youden,
    "closest": _closeness,
    "accuracy": _accuracy,
}


def point_at_fpr(table: ScoreTable, max_fpr: float) -> OperatingPoint:
    """Return the threshold of largest true positive rate whose false one is at most `max_fpr`.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.
    max_fpr : float
        In [0, 1].

    Returns
    -------
    OperatingPoint
        The point of largest tpr that keeps the promise, the most conservative if several
        do; rejecting all always does.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If `max_fpr` is outside [0, 1].

    Examples
    --------
    >>> from rocspace import tabulate
    >>> point_at_fpr(tabulate([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8]), 0.1).threshold
    0.8
    """
    need("point_at_fpr", table)
    wanted = float(check_fraction("max_fpr", max_fpr))
    allowed = int(np.searchsorted(table.fp / table.n_neg, wanted, "right"))
    # Rows that add no positive are no use: step back to the last one that does.
    reached: NDArray[Any] = np.concatenate([table.tp[:1] * 0, table.tp])
    row = int(np.searchsorted(reached, reached[allowed], "left"))
    return _point(table, row, f"fpr <= {wanted:g}")


def point_at_tpr(table: ScoreTable, min_tpr: float) -> OperatingPoint:
    """Return the most conservative threshold whose true positive rate is at least `min_tpr`.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.
    min_tpr : float
        In [0, 1].

    Returns
    -------
    OperatingPoint
        The point of smallest fpr that keeps the promise; accepting all always does.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If `min_tpr` is outside [0, 1].

    Examples
    --------
    >>> from rocspace import tabulate
    >>> point_at_tpr(tabulate([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8]), 0.9).threshold
    0.4
    """
    need("point_at_tpr", table)
    wanted = float(check_fraction("min_tpr", min_tpr))
    rates: NDArray[Any] = np.concatenate([[0.0], table.tp / table.n_pos])
    return _point(table, int(np.searchsorted(rates, wanted, "left")), f"tpr >= {wanted:g}")
