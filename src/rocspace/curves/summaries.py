"""Summaries of a table: areas under its ROC curve, and other single numbers."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

import numpy as np

from rocspace._base import checks
from rocspace._base.arrays import ArrayLike, Vector
from rocspace._base.calls import explained
from rocspace._base.cases import MissingPolicy, check_cases, check_columns
from rocspace._base.exact import exact_dot
from rocspace._base.frozen import Result
from rocspace.counts.rows import count_twice_wins, count_twice_wins_of_columns
from rocspace.counts.table import (
    ScoreTable,
    negate,
    of_table,
    refuse,
    tabulate,
    twice_wins_and_pairs,
)
from rocspace.curves.roc import roc_curve
from rocspace.results.interval import Interval


@of_table
def auc(table: ScoreTable) -> float:
    """Area under the ROC curve: the probability that a positive outscores a negative.

    A tie counts one half.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.

    Returns
    -------
    float
        In [0, 1], higher is better; 1/2 is chance, 1 a perfect ranking. Independent of the
        prevalence.

    Raises
    ------
    SingleClassError
        If a class is missing.

    Notes
    -----
    O(k). For counts the area is a ratio of two integers of any size, rounded once.
    Also called c-statistic, concordance, A.

    References
    ----------
    Fawcett (2006), Algorithm 2 (whose printed last line is for equal class sizes); Fawcett (2006),
    section 7, after Hanley and McNeil (1982), for the probability.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> auc(tabulate([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8]))
    0.875
    """
    twice_wins, twice_pairs = twice_wins_and_pairs(table)
    return float(min(twice_wins / twice_pairs, 1.0))


@explained
def auc_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
    higher_is_positive: bool = True,
    missing: MissingPolicy = "raise",
    threads: int | None = None,
) -> float:
    """Area under the ROC curve, directly from labels and scores.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight, higher_is_positive, missing, threads
        As for `tabulate`.

    Returns
    -------
    float
        In [0, 1]; the same number as ``auc(tabulate(...))``.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError, TypeError
        As `tabulate`.

    Notes
    -----
    O(n log n), without building the table: it needs less memory and time if only the area is
    wanted.

    References
    ----------
    Fawcett (2006), section 7, on the area as the statistic of Mann and Whitney (1947), a paper on
    this alone.

    Examples
    --------
    >>> auc_score([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])
    0.875
    """
    if sample_weight is not None:
        table = tabulate(
            y_true,
            y_score,
            pos_label=pos_label,
            sample_weight=sample_weight,
            higher_is_positive=higher_is_positive,
            missing=missing,
        )
        return auc(table)
    checks.check_direction(higher_is_positive)
    cases = check_cases(y_true, {"y_score": y_score}, pos_label=pos_label, missing=missing)
    twice_wins, n_pos, n_neg = count_twice_wins(cases.label, cases.scores[0], threads)
    if not (n_pos and n_neg):
        refuse("auc_score", n_pos, n_neg)
    twice_pairs = 2 * n_pos * n_neg
    return float((twice_wins if higher_is_positive else twice_pairs - twice_wins) / twice_pairs)


@explained
def auc_scores(
    y_true: ArrayLike,
    y_scores: ArrayLike,
    *,
    pos_label: object = None,
    higher_is_positive: bool = True,
    missing: MissingPolicy = "raise",
    threads: int | None = None,
) -> Vector:
    """Areas under the ROC curves of many scores of the same cases.

    Parameters
    ----------
    y_true : array-like, shape (n,)
        Labels, as for `tabulate`.
    y_scores : array-like of shape (n, m), data frame, or mapping of names to array-likes
        One column for each score.
    pos_label, missing
        As for `tabulate`. With ``missing="omit"`` a case missing in one column is omitted from all.
    higher_is_positive : bool, default True
        False if smaller scores are more positive, in all columns.
    threads : int, optional
        Threads that the columns are divided among; by default as many as the process may use.

    Returns
    -------
    ndarray of float64, shape (m,)
        In [0, 1], in the order of the columns: the same numbers as `auc_score` gives of each.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError, TypeError
        As `tabulate`.

    See Also
    --------
    rocspace.compare.rank_features

    Notes
    -----
    O(m n log n). The cases are divided by class once for all columns. A matrix of numbers is read
    as it is, without a copy of all of it.

    References
    ----------
    Fawcett (2006), section 7, on the area as the statistic of Mann and Whitney (1947), a paper on
    this alone.

    Examples
    --------
    >>> auc_scores([0, 0, 1, 1], [[0.1, 3], [0.4, 2], [0.4, 1], [0.8, 0]])
    array([0.875, 0.   ])
    """
    checks.check_direction(higher_is_positive)
    label, score = check_columns(y_true, y_scores, pos_label=pos_label, missing=missing)
    if isinstance(score, list):
        counted = [count_twice_wins(label, column, threads) for column in score]
        n_pos, n_neg = counted[0][1:]
        wins: list[int] = [each[0] for each in counted]
    else:
        found, n_pos, n_neg = count_twice_wins_of_columns(label, score, threads)
        wins = found.tolist()
    if not (n_pos and n_neg):
        refuse("auc_scores", n_pos, n_neg)
    twice_pairs = 2 * n_pos * n_neg
    if not higher_is_positive:
        wins = [twice_pairs - each for each in wins]
    return np.array([each / twice_pairs for each in wins])


@of_table
def auc_bounds(table: ScoreTable) -> Interval:
    """Smallest and largest area under all ways to break ties.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.

    Returns
    -------
    Interval
        ``low``: every tie is broken in favour of the negative (pessimistic); ``high``: in favour of
        the positive (optimistic). They differ by the probability of a tie, and their mean is `auc`.
        If rows are bins, the area of the unbinned scores lies between them.

    Raises
    ------
    SingleClassError
        If a class is missing.

    Notes
    -----
    O(k). The upper bound is also the sum of right-end rectangles under the curve.

    References
    ----------
    Fawcett (2006), section 5.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> low, high = auc_bounds(tabulate([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8]))
    >>> low, high
    (0.75, 1.0)
    """
    twice_wins, twice_pairs = twice_wins_and_pairs(table)
    ties = float(table.pos @ table.neg) if table.is_weighted else exact_dot(table.pos, table.neg)
    return Interval(
        low=max((twice_wins - ties) / twice_pairs, 0.0),
        high=min((twice_wins + ties) / twice_pairs, 1.0),
        method="ties lost, ties won",
    )


@of_table
def gini(table: ScoreTable) -> float:
    """Gini coefficient: twice the area minus one.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.

    Returns
    -------
    float
        In [-1, 1], higher is better; 0 is chance. Also called accuracy ratio, Somers' D.

    Raises
    ------
    SingleClassError
        If a class is missing.

    Notes
    -----
    Its interval has the limits of the area's, each twice minus one, and its standard error is twice
    that of the area.

    References
    ----------
    Fawcett (2006), section 7, after Hand and Till (2001).

    Examples
    --------
    >>> from rocspace import delong, tabulate
    >>> table = tabulate([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])
    >>> gini(table)
    0.75
    >>> ["{:.2f}".format(2 * end - 1) for end in delong(table).interval()]
    ['-0.50', '1.00']
    """
    twice_wins, twice_pairs = twice_wins_and_pairs(table)
    return float(min((2 * twice_wins - twice_pairs) / twice_pairs, 1.0))


class Orientation(Result):
    """A table in the direction whose area is at least one half.

    Attributes
    ----------
    table : ScoreTable
        The table whose area is at least one half.
    flipped : bool
        Whether it is the negation of the given table.

    See Also
    --------
    best_orientation
    """

    table: ScoreTable
    flipped: bool


@of_table
def best_orientation(table: ScoreTable) -> Orientation:
    """Return the table in the direction whose area is at least one half.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.

    Returns
    -------
    Orientation
        ``table``, and ``flipped``: whether it is the negation of the given table. A table with an
        area of exactly one half is not changed.

    Raises
    ------
    SingleClassError
        If a class is missing.

    Notes
    -----
    A classifier below the diagonal has information but applies it in the wrong direction. Choosing
    the direction on the evaluation data biases the area upward: choose it on training data.

    References
    ----------
    Fawcett (2006), section 3.1.

    Examples
    --------
    >>> best_orientation(tabulate([1, 0], [0.2, 0.9])).flipped
    True
    """
    twice_wins, twice_pairs = twice_wins_and_pairs(table)
    flipped = 2 * twice_wins < twice_pairs
    return Orientation(table=negate(table) if flipped else table, flipped=flipped)


# --- distances --------------------------------------------------------------------------------


def rate_gap(table: ScoreTable) -> Vector:
    """``tpr - fpr`` at each row, rounded once where the integers fit."""
    if not table.is_weighted and int(table.n_pos) * int(table.n_neg) < 2**62:
        gap = table.tp * table.n_neg - table.fp * table.n_pos
        return np.asarray(gap / (table.n_pos * table.n_neg))
    return np.asarray(table.tp / table.n_pos - table.fp / table.n_neg)


@of_table
def youden(table: ScoreTable, *, fpr: tuple[float, float] | None = None) -> float:
    """Youden index J: the largest ``tpr - fpr`` over all thresholds.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.
    fpr : tuple of float, optional
        Range for the partial index, the largest difference on the polygon over this range.

    Returns
    -------
    float
        In [0, 1], higher is better; 0 is chance. The thresholds that reach it are
        ``optimal_points(table, criterion="youden")``. The partial index is negative if the curve is
        below the diagonal over the whole range.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If the range is not increasing inside [0, 1].

    Notes
    -----
    O(k). The value at a threshold chosen on the same data is optimistic.

    References
    ----------
    Wang, Zhu and Xu (2021), equations 31 and 34, after Youden (1950).

    Examples
    --------
    >>> from rocspace import tabulate
    >>> youden(tabulate([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8]))
    0.5
    """
    if fpr is None:
        return max(0.0, float(rate_gap(table).max()))
    _, low, high = checks.check_part(fpr, None) or ("fpr", 0.0, 1.0)
    curve = roc_curve(table)
    inside = (curve.fpr >= low) & (curve.fpr <= high)
    ends = curve.tpr_at(np.array([low, high])) - np.array([low, high])
    return float(np.max((curve.tpr - curve.fpr)[inside], initial=ends.max()))


@of_table
def curve_length(table: ScoreTable) -> float:
    """Length of the ROC curve, an index of how far it is from chance.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.

    Returns
    -------
    float
        From the root of 2, for a constant score, to 2, for a perfect one. It is also large for a
        score that ranks the classes well in one range and in reverse in another, and it grows with
        the number of distinct scores: a step curve has the length 2.

    Raises
    ------
    SingleClassError
        If a class is missing.

    Notes
    -----
    O(k). The length of the polygon. Without ties it is 2 for every score; before comparing lengths,
    merge close scores, or take the convex hull or a fitted curve.

    References
    ----------
    Wang, Zhu and Xu (2021), section 2.4, on Alonso, Nakas and Pardo (2020).

    Examples
    --------
    >>> from rocspace import tabulate
    >>> round(curve_length(tabulate([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])), 4)
    1.7071
    """
    curve = roc_curve(table)
    return min(float(np.hypot(np.diff(curve.fpr), np.diff(curve.tpr)).sum()), 2.0)


@of_table
def ks(table: ScoreTable) -> float:
    """Kolmogorov-Smirnov distance: the largest ``|tpr - fpr|`` over all thresholds.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.

    Returns
    -------
    float
        In [0, 1], higher is better; equals `youden` unless the curve is farthest from the diagonal
        below it. `rocspace.inference.ks_test` is its test.

    Raises
    ------
    SingleClassError
        If a class is missing.

    References
    ----------
    Wang, Zhu and Xu (2021), equations 30 and 31.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> ks(tabulate([1, 1, 0, 0], [0.1, 0.4, 0.4, 0.8]))
    0.5
    """
    return float(np.abs(rate_gap(table)).max())


@of_table
def closest_to_perfect(table: ScoreTable) -> float:
    """Smallest distance of a point of the curve to (0, 1), the perfect classifier.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.

    Returns
    -------
    float
        In [0, 1], lower is better: the minimum of ``sqrt(fpr^2 + (1 - tpr)^2)`` over the points of
        the curve (not between them).

    Raises
    ------
    SingleClassError
        If a class is missing.

    Notes
    -----
    O(k). The distance has no meaning as a cost; Perkins and Schisterman (2006) recommend
    `youden`.

    References
    ----------
    Wang, Zhu and Xu (2021), equation 39.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> closest_to_perfect(tabulate([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8]))
    0.5
    """
    fnr = (table.n_pos - table.tp) / table.n_pos
    return min(1.0, float(np.hypot(table.fp / table.n_neg, fnr).min()))


@of_table
def eer(table: ScoreTable) -> float:
    """Equal error rate: the rate at which fpr equals fnr.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.

    Returns
    -------
    float
        In [0, 1], lower is better: the rate at which ``fpr = fnr`` on the curve, with linear
        interpolation.

    Raises
    ------
    SingleClassError
        If a class is missing.

    Notes
    -----
    O(k). ``fpr + tpr`` grows strictly along the curve, so the rate is unique.

    References
    ----------
    Martin et al. (1997), the whole paper.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> eer(tabulate([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8]))
    0.25
    """
    curve = roc_curve(table)
    along = curve.fpr + curve.tpr
    i = int(np.searchsorted(along, 1.0, "left"))
    f0, f1 = (Fraction(x) / Fraction(curve.n_neg) for x in curve.fp[i - 1 : i + 1].tolist())
    t0, t1 = (Fraction(x) / Fraction(curve.n_pos) for x in curve.tp[i - 1 : i + 1].tolist())
    return equal_error(f0, t0, f1, t1)


def equal_error(f0: Fraction, t0: Fraction, f1: Fraction, t1: Fraction) -> float:
    """Return where ``fpr = 1 - tpr`` between two points on either side of that line."""
    return float(f0 + (1 - f0 - t0) / (f1 + t1 - f0 - t0) * (f1 - f0))


# --- parts of the area ------------------------------------------------------------------------


@of_table
def partial_auc(
    table: ScoreTable,
    *,
    fpr: tuple[float, float] | None = None,
    tpr: tuple[float, float] | None = None,
    standardised: bool = False,
) -> float:
    """Partial area: below the curve in a range of fpr, or right of it in a range of tpr.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.
    fpr : tuple of float, optional
        Range of false positive rates, (0, 1) if neither range is given.
    tpr : tuple of float, optional
        Range of true positive rates instead: the area to the right of the curve, the
        mean of ``1 - fpr`` times the width of the range.
    standardised : bool, default False
        Whether to rescale so that 1/2 is chance and 1 perfect, after McClish (1989); below 1/2
        where the curve is below the diagonal.

    Returns
    -------
    float
        Higher is better. Not standardised: from 0 to the width of the range; over (0, 1) it is
        `auc`.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If both ranges are given, or one is not increasing inside [0, 1].

    Notes
    -----
    O(k). The curve is the polygon, cut linearly at the ends of the range; vertical runs add
    nothing. pROC does not standardise by default; scikit-learn's ``max_fpr`` does.

    References
    ----------
    McClish (1989), a paper on this alone; Jiang, Metz and Nishikawa (1996), a paper on this alone,
    for the range of tpr.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> table = tabulate([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])
    >>> partial_auc(table, fpr=(0, 0.5)), partial_auc(table, fpr=(0, 0.5), standardised=True)
    (0.375, 0.8333333333333333)
    """
    _, low, high = checks.check_part(fpr, tpr) or ("fpr", 0.0, 1.0)
    whole = (low, high) == (0.0, 1.0)
    area = auc(table) if whole else roc_curve(table).partial_auc(fpr=fpr, tpr=tpr)
    if not standardised:
        return area
    least = (high**2 - low**2) / 2
    if tpr is not None:
        least = ((1 - low) ** 2 - (1 - high) ** 2) / 2
    return (1 + (area - least) / (high - low - least)) / 2


@of_table
def two_way_partial_auc(
    table: ScoreTable,
    *,
    max_fpr: float,
    min_tpr: float,
    method: Literal["polygon", "pairs"] = "polygon",
) -> float:
    """Area under the curve within the corner ``fpr <= max_fpr`` and ``tpr >= min_tpr``.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.
    max_fpr, min_tpr : float
        The corner, in [0, 1].
    method : {"polygon", "pairs"}
        Default "polygon", the area of the interpolated curve. "pairs": the share of correctly
        ranked pairs, ties one half, among the highest negatives and the lowest positives that lie
        wholly in the corner.

    Returns
    -------
    float
        From 0 to ``max_fpr * (1 - min_tpr)``, higher is better; ``max_fpr=1, min_tpr=0`` gives
        `auc`.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If an end is outside [0, 1].

    Notes
    -----
    O(k). Both methods agree if the corner cuts the curve at points without ties; otherwise they
    differ by the interpolation at the ends.

    References
    ----------
    Yang, Lu, Lyu and Hu (2019), a paper on this alone.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> two_way_partial_auc(
    ...     tabulate([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8]), max_fpr=0.5, min_tpr=0.5
    ... )
    0.125
    """
    right, bottom = (
        checks.check_one_fraction(*x) for x in (("max_fpr", max_fpr), ("min_tpr", min_tpr))
    )
    if method == "pairs":
        return _pairs_in_corner(table, right, bottom)
    left = roc_curve(table).fpr_at(bottom)
    if left >= right:
        return 0.0
    area = partial_auc(table, fpr=(left, right)) - bottom * (right - left)
    return max(float(area), 0.0)


def _pairs_in_corner(table: ScoreTable, max_fpr: float, min_tpr: float) -> float:
    """Count pairs of the highest negatives and lowest positives, ties in equal shares."""
    top = np.floor(max_fpr * table.n_neg * (1 + 1e-12))
    bottom = np.floor((1 - min_tpr) * table.n_pos * (1 + 1e-12))
    neg = np.diff(np.minimum(table.fp, top), prepend=0.0)
    pos = np.diff(np.maximum(table.tp - (table.n_pos - bottom), 0.0), prepend=0.0)
    below = neg.sum() - np.cumsum(neg)
    return float(pos @ (below + neg / 2)) / float(table.n_pos * table.n_neg)
