"""Interval for the area of the curve in a corner: few false positives, many true ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rocspace._base.checks import check_level, check_one_fraction
from rocspace.counts.table import ScoreTable, of_table
from rocspace.curves.roc import roc_curve
from rocspace.inference.area import partial_auc_estimate
from rocspace.inference.spread import classes_swapped
from rocspace.results.interval import Interval

_STARTS = 16  # false positive rates at which the area may begin, besides the sample's own
_NARROW = 1e-9  # parts of the curve narrower than this have no area worth an interval


@of_table
def two_way_partial_auc_interval(
    table: ScoreTable, *, max_fpr: float, min_tpr: float, level: float = 0.95
) -> Interval:
    """Confidence interval of the area in the corner ``fpr <= max_fpr`` and ``tpr >= min_tpr``.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present; of weighted tables the weights are
        importance weights.
    max_fpr, min_tpr : float
        The corner, as for `rocspace.curves.two_way_partial_auc`; it needs an area of its own.
    level : float, default 0.95
        Confidence level, strictly between 0 and 1.

    Returns
    -------
    Interval
        Inside [0, max_fpr (1 - min_tpr)], its ``method`` "corner". The lower end is 0 where the
        data do not tell whether the curve reaches the corner, both are where they tell that it does
        not.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If a rate or the level is out of range, or if ``max_fpr`` is 0 or ``min_tpr`` 1.

    Notes
    -----
    O(k). As a curve never falls, the area in the corner is the largest of ``A(t) - min_tpr (max_fpr
    - t)`` over all t up to ``max_fpr``, with A(t) the partial area from t to ``max_fpr``. It is at
    least its value at any t, and equal to that at the t where the curve enters the corner. So the
    largest of the upper limits of all t is an upper limit, without an allowance for the search. The
    lower limit is that at the t of the sample, where the derivative is zero: the error of t matters
    little. So limits of partial areas are those of `partial_auc_estimate` without its moved cuts; t
    takes 17 values. The combination is our own (docs, "Our own methods").

    The same holds with the classes exchanged, along the true positive rate. The search is along the
    rate of which the corner holds more cases, ``max_fpr`` times the negatives or ``1 - min_tpr``
    times the positives; for ``min_tpr=0`` or ``max_fpr=1`` along the one that needs none, which
    gives the interval of the partial area.

    References
    ----------
    Yang, Lu, Lyu and Hu (2019), a paper on this alone, for the area; the interval is our own.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("two_class_example")
    >>> table = tabulate(data.y_true, data.y_score)
    >>> found = two_way_partial_auc_interval(table, max_fpr=0.4, min_tpr=0.5)
    >>> print("{:.3f} to {:.3f}".format(*found))
    0.126 to 0.160
    """
    right, bottom = check_corner(max_fpr, min_tpr)
    level = check_level(level)
    most = right * (1 - bottom)

    n_pos, n_neg = table.n_eff
    if bottom > 0 and (right >= 1 or right * n_neg < (1 - bottom) * n_pos):
        table, right, bottom = classes_swapped(table), 1 - bottom, 1 - right

    def limits(start: float) -> tuple[float, float]:
        part = replace(partial_auc_estimate(table, fpr=(start, right)), cuts=None).interval(level)
        below = bottom * (right - start)
        return part.low - below, part.high - below

    if bottom <= 0:  # no search: the area begins at a rate of 0
        ends = limits(0.0)
    else:
        starts = np.linspace(0, right, _STARTS, endpoint=False).tolist()
        low, high = 0.0, max(limits(start)[1] for start in starts)
        entered = float(roc_curve(table).fpr_at(bottom))
        if entered < right - _NARROW:
            low, its_high = limits(entered)
            high = max(high, its_high)
        ends = low, high
    low, high = np.clip(ends, 0.0, most).tolist()
    return Interval(low=low, high=high, level=level, method="corner")


def check_corner(max_fpr: float, min_tpr: float) -> tuple[float, float]:
    """Return the rates of a corner; raise unless it has an area."""
    right, bottom = check_one_fraction("max_fpr", max_fpr), check_one_fraction("min_tpr", min_tpr)
    if right <= _NARROW or bottom >= 1:
        msg = (
            f"The corner of max_fpr={max_fpr} and min_tpr={min_tpr} has no area. "
            "Take a max_fpr above 0 and a min_tpr below 1."
        )
        raise ValueError(msg)
    return right, bottom
