"""Tests against chance: one classifier, the best of several, and regions of ROC space.

The null hypothesis is that calls are independent of the classes. The best of many random
classifiers looks good by chance, so the best of several is compared with the best of as many random
ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np

from rocspace._base.arrays import Array, ArrayLike, Ints, Mask, Vector
from rocspace._base.calls import explained
from rocspace._base.cases import complete
from rocspace._base.checks import check_inside, check_rng, check_times
from rocspace._base.frozen import Result
from rocspace._base.progress import Progress
from rocspace._base.words import shown
from rocspace.counts.confusion import ConfusionMatrix, Counts
from rocspace.counts.paired import PairedScores, pair_scores
from rocspace.counts.table import refuse
from rocspace.measures.facts import MEASURES, fact_of
from rocspace.results.test import TestResult

Statistic: TypeAlias = str | Callable[[Counts], Any]
"""A measure: its name in `rocspace.MEASURES`, or a function of counts, higher being better."""

_SAME = 1e-12  # statistics closer than this count as equal, which makes p larger
_CELLS = 1 << 22  # number of labels permuted at once


# --- one classifier -------------------------------------------------------------------------


@explained
def point_pvalue(c: Counts) -> Any:
    """Return the probability that as many random calls find at least as many positives.

    Parameters
    ----------
    c : object with tp, fp, fn and tn
        Whole counts, numbers or arrays: a `ConfusionMatrix`, an `OperatingPoint`, or
        `evaluate` of many thresholds.

    Returns
    -------
    float or ndarray
        One-sided p-value in (0, 1]: Fisher's exact test. Valid only for a classifier that
        was chosen without these cases; for the best of several see `best_of_test`.

    Raises
    ------
    ValueError
        If a count is negative or not whole.

    Notes
    -----
    Given the class sizes P and N and k calls, the true positives of random calls are
    hypergeometric. The p-value falls with tp and rises with fp.

    References
    ----------
    Fisher (1935), the whole paper; the question is that of Forman (2002), the construction our own.

    Examples
    --------
    >>> point_pvalue(ConfusionMatrix(tp=5, fp=1, fn=5, tn=9)).round(7)
    np.float64(0.0704334)
    """
    from scipy.stats import hypergeom

    tp, fp, fn, tn = (_whole(x) for x in (c.tp, c.fp, c.fn, c.tn))
    value = hypergeom.sf(tp - 1, tp + fp + fn + tn, tp + fn, tp + fp)
    return np.clip(value, 0.0, 1.0)[()]


def _whole(count: Any) -> Vector:
    array = np.asarray(count, dtype=np.float64)
    if not ((array >= 0) & (array == np.floor(array))).all():
        msg = (
            "Counts must be whole and not negative, but these look like weights. "
            "Use best_permutation_test with the cases instead."
        )
        raise ValueError(msg)
    return array


@explained
def point_test(c: Counts) -> TestResult:
    """Test whether one classifier, fixed in advance, is better than chance.

    Parameters
    ----------
    c : object with tp, fp, fn and tn
        Whole counts: numbers.

    Returns
    -------
    TestResult
        The statistic is tp; the difference is tp minus its expectation under random calls.

    Raises
    ------
    ValueError
        If a count is negative or not whole.
    SingleClassError
        If a class is missing.

    References
    ----------
    Fisher (1935), the whole paper; the question is that of Forman (2002), the construction our own.

    Examples
    --------
    >>> point_test(ConfusionMatrix(tp=5, fp=1, fn=5, tn=9)).difference
    2.0
    """
    n_pos, n_neg = c.tp + c.fn, c.fp + c.tn
    if not (n_pos and n_neg):
        refuse("point_test", n_pos, n_neg)
    expected = (c.tp + c.fp) * n_pos / (n_pos + n_neg)
    return TestResult(
        statistic=float(c.tp),
        pvalue=float(point_pvalue(c)),
        alternative="greater",
        method="Fisher's exact test",
        difference=float(c.tp - expected),
    )


class SignificanceContour(Result):
    """Fewest true positives that are better than chance, for each number of false positives.

    Attributes
    ----------
    fp : ndarray of int64, shape (n_neg + 1,)
        0, 1, ..., n_neg.
    tp : ndarray of float64, shape (n_neg + 1,)
        Fewest significant true positives; nan where even all positives are not enough.
    fpr, tpr : ndarray of float64
        The same as rates, in [0, 1].
    significance : float
        The level.

    See Also
    --------
    significance_contour
    """

    fp: Ints
    tp: Vector
    fpr: Vector
    tpr: Vector
    significance: float


@explained
def significance_contour(
    n_pos: int, n_neg: int, *, significance: float = 0.05
) -> SignificanceContour:
    """Return the border in ROC space beyond which a single classifier is better than chance.

    Parameters
    ----------
    n_pos, n_neg : int
        Class sizes, one or more.
    significance : float, default 0.05
        Level of the one-sided test, strictly inside (0, 1).

    Returns
    -------
    SignificanceContour
        Above the diagonal, and non-decreasing where it is not nan.

    Raises
    ------
    ValueError
        If a size is below 1 or not whole, or significance not inside (0, 1).

    Notes
    -----
    O(n_neg log n_pos) p-values, by bisection for all false positives at once.

    References
    ----------
    The question is that of Forman (2002), the construction our own.

    Examples
    --------
    >>> significance_contour(10, 10).tp
    array([ 4.,  6.,  7.,  8.,  9., 10., 10., nan, nan, nan, nan])
    """
    check_inside("significance", significance)
    if not (n_pos >= 1 and n_neg >= 1 and n_pos == int(n_pos) and n_neg == int(n_neg)):
        msg = f"n_pos is {n_pos} and n_neg {n_neg}, but both must be whole and at least 1."
        raise ValueError(msg)
    fp = np.arange(n_neg + 1)

    def significant(tp: Ints) -> Mask:
        c = ConfusionMatrix(tp=tp, fp=fp, fn=n_pos - tp, tn=n_neg - fp)
        return np.asarray(point_pvalue(c) <= significance * (1 + _SAME))

    low, high = np.zeros(fp.size, dtype=np.int64), np.full(fp.size, n_pos, dtype=np.int64)
    reachable = significant(high)
    while (high - low > 1).any():
        middle = (low + high) // 2
        enough = significant(middle)
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    tp = np.where(reachable, high, np.nan)
    return SignificanceContour(
        fp=fp, tp=tp, fpr=fp / n_neg, tpr=tp / n_pos, significance=significance
    )


# --- the best of many -----------------------------------------------------------------------


def _higher_is_better(measure: Statistic) -> Callable[[Counts], Vector]:
    """Return a statistic that is higher for better counts, minus infinity where undefined."""
    function, sign = measure, 1.0
    if isinstance(measure, str):
        fact = fact_of(measure, MEASURES)
        function, sign = fact.function, -1.0 if fact.better == "lower" else 1.0
    if not callable(function):
        msg = f"measure is {shown(measure)}, but must be the name of a measure, or a function."
        raise TypeError(msg)

    def statistic(c: Counts) -> Vector:
        with np.errstate(all="ignore"):
            value = sign * np.asarray(function(c), dtype=np.float64)
        return np.where(np.isnan(value), -np.inf, value)

    return statistic


def _reached(value: Vector, best: float) -> Mask:
    return np.asarray(value >= best - _SAME * max(1.0, abs(best)))


@explained
def best_of_test(
    points: Counts | Sequence[Counts], *, measure: Statistic = "accuracy"
) -> TestResult:
    """Test whether the best of several classifiers is better than the best of as many random ones.

    Parameters
    ----------
    points : counts, or sequence of counts
        Whole counts of all classifiers that were tried, on one test set; a matrix of many
        thresholds counts as one classifier for each threshold.
    measure : str or callable, default "accuracy"
        Measure by which the best is chosen: a name in `rocspace.MEASURES`, or a function of counts,
        higher being better.

    Returns
    -------
    TestResult
        The statistic is the best value (negated where lower is better); the difference is the best
        value minus the largest expected value of any single random classifier.

    Raises
    ------
    ValueError
        If there are no points, counts are not whole, test sets differ, or the measure is undefined
        at all points.
    SingleClassError
        If a class is missing.

    Notes
    -----
    The random classifiers are taken to be independent, each with as many positive calls as one of
    those tried: ``p = 1 - prod (1 - p_j)``. Where classifiers agree this is conservative, and
    `best_permutation_test` has more power. O(cases) for each number of calls.

    References
    ----------
    The question is that of Forman (2002), the construction our own.

    Examples
    --------
    >>> tried = [ConfusionMatrix(tp=5, fp=1, fn=5, tn=9), ConfusionMatrix(tp=4, fp=2, fn=6, tn=8)]
    >>> round(best_of_test(tried).pvalue, 6)
    0.135906
    """
    statistic = _higher_is_better(measure)
    given = points if isinstance(points, Sequence) else [points]
    if not given:
        msg = "points is empty. Pass the counts of each classifier that was tried."
        raise ValueError(msg)
    tp, fp, fn, tn = (
        np.concatenate([_whole(getattr(c, name)).ravel() for c in given])
        for name in ("tp", "fp", "fn", "tn")
    )
    n_pos, n_neg = float((tp + fn)[0]), float((fp + tn)[0])
    if (tp + fn != n_pos).any() or (fp + tn != n_neg).any():
        msg = "The points have different class sizes, so they are not of one test set."
        raise ValueError(msg)
    if not (n_pos and n_neg):
        refuse("best_of_test", n_pos, n_neg)
    best = float(statistic(ConfusionMatrix(tp=tp, fp=fp, fn=fn, tn=tn)).max())
    if best == -np.inf:
        msg = f"{measure} is not defined at any of the points."
        raise ValueError(msg)
    log_none, expected = 0.0, -np.inf
    calls, times = np.unique(tp + fp, return_counts=True)
    for k, many in zip(calls.tolist(), times.tolist(), strict=True):
        chance, value = _random_calls(statistic, k, n_pos, n_neg)
        p = min(float(chance[_reached(value, best)].sum()), 1.0)
        log_none += many * (np.log1p(-p) if p < 1 else -np.inf)
        expected = max(expected, float(chance[value > -np.inf] @ value[value > -np.inf]))
    return TestResult(
        statistic=best,
        pvalue=float(-np.expm1(log_none)),
        alternative="greater",
        method=f"best of {tp.size}, independent",
        difference=best - expected,
    )


def _random_calls(
    statistic: Callable[[Counts], Vector], k: float, n_pos: float, n_neg: float
) -> tuple[Vector, Vector]:
    """Return the probabilities and the values of all outcomes of k random calls."""
    from scipy.stats import hypergeom

    tp = np.arange(max(0.0, k - n_neg), min(k, n_pos) + 1)
    value = statistic(ConfusionMatrix(tp=tp, fp=k - tp, fn=n_pos - tp, tn=n_neg - k + tp))
    return hypergeom.pmf(tp, n_pos + n_neg, n_pos, k), value


@explained
def best_permutation_test(
    data: PairedScores | tuple[ArrayLike, ArrayLike],
    *,
    measure: Statistic = "accuracy",
    n_perm: int = 999,
    rng: np.random.Generator | int | None = None,
    progress: bool | None = None,
) -> TestResult:
    """Test the best of several classifiers against their best under permuted labels.

    Parameters
    ----------
    data : PairedScores, or tuple of y_true and decisions
        Scores of the same cases: every threshold of every score is a classifier. Or labels (n,) and
        decisions (n, k) of 0 and 1: every column is a classifier.
    measure : str or callable, default "accuracy"
        As for `best_of_test`.
    n_perm : int, default 999
        Number of permutations of the labels, the same for all classifiers.
    rng : numpy.random.Generator or int, optional
        Generator or seed.
    progress : bool, optional
        Whether to show progress; by default in a terminal.

    Returns
    -------
    TestResult
        The p-value is (1 + permutations at least as good) / (1 + permutations), never zero; the
        difference is the best value minus the mean of the best values under permuted labels.

    Raises
    ------
    ValueError
        If cases come in clusters, whose labels cannot be exchanged, or the measure is undefined for
        all classifiers.
    SingleClassError
        If a class is missing.

    Notes
    -----
    O(n_perm x n x classifiers). Permutations keep the dependence between the classifiers, which
    gives more power than `best_of_test`. Weights stay with their cases.

    References
    ----------
    Forman (2002) for the question, the construction being our own; Phipson and Smyth (2010), a
    paper on this alone, for the p-value.

    Examples
    --------
    >>> label, decisions = [1, 1, 1, 0, 0, 0], [[1, 1], [1, 0], [1, 1], [0, 0], [0, 1], [0, 0]]
    >>> best_permutation_test((label, decisions), rng=0, n_perm=199).pvalue
    0.07
    """
    statistic = _higher_is_better(measure)
    label, weight, classifiers = _calls(data)
    n_pos = int(label.sum())
    if not 0 < n_pos < label.size:
        refuse("best_permutation_test", n_pos, label.size - n_pos)

    def best(labels: Vector) -> Vector:
        found = np.full(labels.shape[0], -np.inf)
        total = labels.sum(axis=1, keepdims=True)
        for tp, calls in classifiers(labels):
            c = ConfusionMatrix(
                tp=tp, fp=calls - tp, fn=total - tp, tn=weight.sum() - total - calls + tp
            )
            found = np.maximum(found, statistic(c).max(axis=1, initial=-np.inf))
        return found

    observed = float(best((label * weight)[None])[0])
    if observed == -np.inf:
        msg = f"{measure} is not defined for any of the classifiers."
        raise ValueError(msg)
    generator = check_rng(rng)
    check_times("n_perm", n_perm)
    batch = max(1, _CELLS // label.size)
    sizes = [min(batch, n_perm - i) for i in range(0, n_perm, batch)]
    found = []
    with Progress("permutations", n_perm, show=progress) as shown:
        for size in sizes:
            labels = generator.permuted(np.tile(label, (size, 1)), axis=1)
            found.append(best(labels * weight))
            shown.add(size)
    return _permuted(observed, np.concatenate(found), "best by permutation")


def _permuted(observed: float, random: Vector, method: str) -> TestResult:
    as_good = int(np.count_nonzero(_reached(random, observed)))
    return TestResult(
        statistic=observed,
        pvalue=(1 + as_good) / (1 + random.size),
        alternative="greater",
        method=f"{method}, {random.size} permutations",
        difference=observed - float(random.mean()),
    )


Calls: TypeAlias = Callable[[Vector], Iterator[tuple[Vector, Vector]]]
"""From labels (b, n) times weights to (true positives (b, k), calls (k,)), block by block."""


def _calls(
    cases: PairedScores | tuple[ArrayLike, ArrayLike],
) -> tuple[Mask, Vector, Calls]:
    if isinstance(cases, PairedScores):
        if cases.cluster is not None:
            msg = (
                "The cases come in clusters, and labels cannot be exchanged between clusters. Make "
                "the data without cluster= if the cases are independent."
            )
            raise ValueError(msg)
        weight = np.ones(len(cases)) if cases.weight is None else cases.weight
        return cases.label, weight, _threshold_calls(cases, weight)
    y_true, decisions = cases
    given = pair_scores(y_true, decisions)
    if not np.isin(given.score, (0, 1)).all():
        other = given.score[~np.isin(given.score, (0, 1))][0]
        msg = (
            f"decisions has the value {other}, not only 0 and 1. For scores give pair_scores(...)."
        )
        raise ValueError(msg)
    block = given.score.astype(np.float64)

    def decided(labels: Vector) -> Iterator[Any]:
        yield labels @ block, block.sum(axis=0)

    return given.label, np.ones(len(given)), decided


def _threshold_calls(cases: PairedScores, weight: Vector) -> Calls:
    """Sort once: a permutation changes only which of the sorted cases are positive."""
    sorted_columns = []
    for name, column in zip(cases.names, cases.score.T, strict=True):
        order = np.argsort(column, kind="stable")
        order = order[::-1] if cases.rises(name) else order
        ranked = column[order]
        last = np.flatnonzero(np.append(ranked[1:] != ranked[:-1], np.True_))
        sorted_columns.append((order, last, np.cumsum(weight[order])[last]))

    def thresholds(labels: Vector) -> Iterator[Any]:
        for order, last, calls in sorted_columns:
            yield np.cumsum(labels[:, order], axis=1)[:, last], calls

    return thresholds


@explained
def unlearnability_test(
    score: Callable[[Array], float],
    y_true: ArrayLike,
    *,
    n_perm: int = 99,
    rng: np.random.Generator | int | None = None,
    progress: bool | None = None,
) -> TestResult:
    """Test whether a learner learns more than it would from random labels.

    Parameters
    ----------
    score : callable
        Takes labels, runs the whole procedure with them (training, selection and cross-validation
        included), and returns its performance, higher being better.
    y_true : array-like, shape (n,)
        The true labels.
    n_perm : int, default 99
        Number of runs with permuted labels.
    rng : numpy.random.Generator or int, optional
        Generator or seed.
    progress : bool, optional
        Whether to show progress; by default in a terminal.

    Returns
    -------
    TestResult
        The statistic is the score with the true labels. A large p-value means no evidence that
        anything was learnt.

    Raises
    ------
    ValueError
        If a label is missing or a score is not a number.

    Notes
    -----
    n_perm + 1 runs of `score`.

    References
    ----------
    Forman (2002) for the question, the construction being our own; Ojala and Garriga (2010), Test
    1.

    Examples
    --------
    >>> marker = np.arange(20)
    >>> test = unlearnability_test(lambda y: marker[y == 1].mean(), marker > 9, rng=0)
    >>> test.pvalue
    0.01
    """
    labels = complete(y_true, "y_true")
    generator = check_rng(rng)
    observed = float(score(labels))
    check_times("n_perm", n_perm)
    random = np.empty(n_perm)
    with Progress("permutations", n_perm, show=progress) as shown:
        for i in range(n_perm):
            random[i] = float(score(generator.permutation(labels)))
            shown.add()
    if np.isnan(observed) or np.isnan(random).any():
        msg = "score returned nan. A comparison needs a number for every permutation of labels."
        raise ValueError(msg)
    return _permuted(observed, random, "unlearnability")
