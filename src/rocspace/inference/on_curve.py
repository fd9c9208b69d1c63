"""Intervals for values read from the curve: tpr at an fpr and the reverse, Youden's index."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Literal, TypeAlias, get_args

import numpy as np

from rocspace._base.arrays import Array, Ints, Vector
from rocspace._base.checks import check_choice, check_fraction, check_level, check_rng, check_times
from rocspace.counts.table import ScoreTable, of_table
from rocspace.curves.summaries import eer
from rocspace.inference.spread import classes_swapped
from rocspace.results.interval import Interval
from rocspace.results.proportions import difference_limits
from rocspace.results.unseen import score_limits_of_sum

RateMethod: TypeAlias = Literal["profile", "rank mixture"]
YoudenMethod: TypeAlias = Literal["intersection", "newcombe"]

_CLOSE = 1e-12  # error of a root
_ROUNDING = 1e-12  # of a sum of probabilities
_SLACK = 1e-9  # of a rank
_TINY = 1e-300
_FARTHEST = 40.0  # standard scores beyond which tail probabilities are 0
_MOST_ROWS = 4000  # most thresholds at which errors of both rates are simulated
_MOST_DRAWN = 1 << 22  # most random numbers drawn at a time
_FAR = 9.0  # standard deviations of a binomial count beyond which its probabilities are negligible


# --- a rate at a rate ---------------------------------------------------------------------------


@of_table
def tpr_at_interval(
    table: ScoreTable, fpr: float, *, level: float = 0.95, method: RateMethod = "profile"
) -> Interval:
    """Confidence interval of the true positive rate at a false positive rate.

    The population threshold with this false positive rate is unknown; the interval allows for that,
    and for the sampling error of the true positive rate at a threshold.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present. For weighted tables the effective class
        sizes are used.
    fpr : float
        False positive rate in [0, 1].
    level : float, default 0.95
        Confidence level, strictly between 0 and 1.
    method : {"profile", "rank mixture"}
        Default "profile", the rates that are compatible with some threshold. "rank mixture"
        averages over thresholds, and misses at sharp corners of the curve.

    Returns
    -------
    Interval
        Inside [0, 1]. With fewer than about ``3 / fpr`` negatives its lower end is 0: the data do
        not tell how many positives lie above the threshold. Its ``method`` is that asked for.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If the rate, the level or the method is out of range.

    Notes
    -----
    O(k + sqrt(n)) for n negatives. The number K of negatives above the threshold of the population
    is binomial(n, fpr). Given ``K = r``, that threshold lies between two neighbouring negatives;
    the positives above it number at least ``lo_r``, those above the r-th negative, and at most
    ``hi_r``, those not below the next.

    "profile" is the set of rates for which some r has a small enough distance: the squares of two
    standard scores, of r and of the nearest count of positives from ``lo_r`` to ``hi_r``, add up
    to at most the quantile of chi squared with one degree of freedom. The scores are those of
    one-sided mid-p values. It is the empirical likelihood interval of Claeskens, Jing, Peng and
    Zhou (2003) with these squares in place of two log likelihood ratios, and without smoothing.
    Tied positives are counted in proportion to the rank of a negative in the tie, as on the line
    that the curve is there. It covers at its level in large samples where the curve is smooth. At
    a corner two normal errors are too far from a right angle in 6.2 percent of samples for level
    .95, and we know of no curve for which it is more. It is not proved to be exact.

    "rank mixture": Clopper and Pearson's lower limit is a quantile of Beta(lo_r, m - lo_r + 1),
    their upper one of Beta(hi_r + 1, m - hi_r); the limits are quantiles of the mixture over r of
    both distributions, each with half of the weight. For a known threshold that is the mid-p
    interval. The combination is our own (docs, "Our own methods"); its parts are Clopper and
    Pearson (1934), the order-statistic limits of quantiles, the mid-p of Berry and Armitage (1995),
    and the confidence distributions of Xie and Singh (2013). It takes all or none of the positives
    that are tied with a negative, and is wide where levels are few. At a sharp corner of the curve
    of continuous scores it misses.

    Where the negatives are so many that the threshold is as good as known, both cover as a mid-p
    interval of 5 to 1,000 positives does: at few rates in less than 93.5 percent of samples, at
    none in less than 91.7. Bootstrap percentile and BCa limits miss their level where few cases lie
    near the threshold.

    References
    ----------
    The combinations are our own; the notes name the sources of their parts.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("two_class_example")
    >>> table = tabulate(data.y_true, data.y_score)
    >>> print("{:.3f} to {:.3f}".format(*tpr_at_interval(table, 0.1)))
    0.749 to 0.872
    """
    at = float(check_fraction("fpr", fpr))
    low, high = _limits_at(table, at, check_level(level), method)
    return Interval(low=low, high=high, level=level, method=method)


@of_table
def fpr_at_interval(
    table: ScoreTable, tpr: float, *, level: float = 0.95, method: RateMethod = "profile"
) -> Interval:
    """Confidence interval of the false positive rate at a true positive rate.

    Parameters
    ----------
    table, level, method
        As for `tpr_at_interval`.
    tpr : float
        True positive rate in [0, 1].

    Returns
    -------
    Interval
        Inside [0, 1].

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If the rate, the level or the method is out of range.

    Notes
    -----
    That of `tpr_at_interval` with the classes swapped: the true negative rate at the false
    negative rate ``1 - tpr``.

    References
    ----------
    As for `tpr_at_interval`.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("two_class_example")
    >>> table = tabulate(data.y_true, data.y_score)
    >>> print("{:.3f} to {:.3f}".format(*fpr_at_interval(table, 0.9)))
    0.122 to 0.317
    """
    at = float(check_fraction("tpr", tpr))
    low, high = _limits_at(classes_swapped(table), 1 - at, check_level(level), method)
    return Interval(low=1 - high, high=1 - low, level=level, method=method)


@of_table
def eer_interval(
    table: ScoreTable, *, level: float = 0.95, method: RateMethod = "profile"
) -> Interval:
    """Confidence interval of the equal error rate.

    Parameters
    ----------
    table, level, method
        As for `tpr_at_interval`, whose interval of that method is inverted.

    Returns
    -------
    Interval
        Inside [0, 1], contains `rocspace.curves.eer`. Its ``method`` is that asked for, with
        ", inverted".

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If the level or the method is out of range.

    Notes
    -----
    The equal error rate is x if the curve passes through ``(x, 1 - x)``. The interval contains the
    x for which `tpr_at_interval` at x contains ``1 - x``; its ends are found by root search. It
    covers the equal error rate exactly as often as that interval covers the rate of true positives
    there, so no density needs to be estimated. Of scores without ties it is the same if the classes
    are swapped. The inversion is our own (docs, "Our own methods").

    References
    ----------
    The inversion is our own; `tpr_at_interval` names the sources of its parts.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("two_class_example")
    >>> table = tabulate(data.y_true, data.y_score)
    >>> print("{:.3f} to {:.3f}".format(*eer_interval(table)))
    0.111 to 0.181
    """
    from scipy.optimize import brentq

    check_level(level)
    value = eer(table)

    def excess(x: float, side: int) -> float:
        return _excesses(table, x, level, method)[side](1 - x)

    ends = []
    for side, end in ((1, 0.0), (0, 1.0)):  # the upper limit bounds x from below
        if excess(end, side) <= _ROUNDING:
            ends.append(end)
        elif excess(value, side) >= 0:
            ends.append(value)
        else:
            ends.append(float(brentq(excess, end, value, args=(side,), xtol=_CLOSE)))
    return Interval(low=ends[0], high=ends[1], level=level, method=f"{method}, inverted")


def _limits_at(
    table: ScoreTable, fpr: float, level: float, method: RateMethod
) -> tuple[float, float]:
    from scipy.optimize import brentq

    lower, upper = _excesses(table, fpr, level, method)
    low = 0.0 if lower(0.0) <= _ROUNDING else float(brentq(lower, 0.0, 1.0, xtol=1e-14))
    return low, 1.0 if upper(1.0) <= _ROUNDING else float(brentq(upper, 0.0, 1.0, xtol=1e-14))


def _excesses(
    table: ScoreTable, fpr: float, level: float, method: RateMethod
) -> tuple[Callable[[float], float], Callable[[float], float]]:
    """Return two functions of the true positive rate: above 0 below and above the interval."""
    check_choice("method", method, get_args(RateMethod))
    if method == "profile":
        return _distances(table, fpr, _far(level))
    tail, cdf = (1 - level) / 2, _mixture(table, fpr)
    return (lambda x: tail - cdf(x)), (lambda x: cdf(x) - (1 - tail))


def _far(level: float) -> float:
    """Return the quantile of chi squared, one degree of freedom, and room for rounding."""
    from scipy.special import ndtri

    return float(ndtri((1 + level) / 2) ** 2) + _ROUNDING


def _distances(
    table: ScoreTable, fpr: float, far: float
) -> tuple[Callable[[float], float], Callable[[float], float]]:
    """Return by how much a true positive rate is farther than `far`, downwards and upwards."""
    from scipy.special import betainc, ndtri

    m, n = table.n_eff
    rank, chance = _ranks(max(round(n), 1), fpr)
    score_of_rank = ndtri(np.clip(np.cumsum(chance) - chance / 2, 0, 1))

    def distance(off: Vector, count: Vector, sign: int, x: float) -> float:
        # The chance of more positives, and half of that of as many; none and all have an end.
        inside = np.maximum(count, _TINY), np.maximum(m - count, _TINY)
        many = np.where(count <= 0, 1.0, betainc(inside[0], m + 1 - count, x))
        more = np.where(count >= m, 0.0, betainc(count + 1, inside[1], x))
        score = np.clip(sign * ndtri((many + more) / 2), 0, _FARTHEST)
        return float(np.min(off + score**2)) - far

    found = []
    for sign, after in ((-1, 0), (1, 1)):
        off = np.maximum(sign * score_of_rank, 0) ** 2
        near = off <= far
        found.append(partial(distance, off[near], _heights(table, rank[near] + after), sign))
    return found[0], found[1]


def _heights(table: ScoreTable, rank: Ints) -> Vector:
    """Return how many positives are above the negatives of given ranks, of those tied a share."""
    m, n = table.n_eff
    negatives = max(round(n), 1)
    by_neg, by_pos = negatives / float(table.n_neg), m / float(table.n_pos)
    row = np.searchsorted(table.fp * by_neg, rank - _SLACK)
    row = np.minimum(row, len(table) - 1)
    above = np.asarray(table.fp - table.neg)[row] * by_neg
    share = (rank - above) / (table.neg[row] * by_neg + 1)
    found = (np.asarray(table.tp - table.pos)[row] + table.pos[row] * share) * by_pos
    return np.where(rank <= 0, 0.0, np.where(rank > negatives, m, found))


def _mixture(table: ScoreTable, fpr: float) -> Callable[[float], float]:
    """Return the distribution function whose quantiles are the limits."""
    from scipy.special import betainc

    m, n = table.n_eff
    negatives = max(round(n), 1)
    rank, chance = _ranks(negatives, fpr)
    last, per_rank = len(table) - 1, float(table.n_neg) / negatives
    tp = np.concatenate([[0.0], table.tp]) * (m / float(table.n_pos))
    slack = 1e-9 * per_rank
    # The rows of the r-th negative from the top and of the next one.
    of_rank = np.minimum(np.searchsorted(table.fp, rank * per_rank - slack), last)
    of_next = np.minimum(np.searchsorted(table.fp, (rank + 1) * per_rank - slack), last)
    least = np.where(rank == 0, 0.0, tp[of_rank])
    most = np.where(rank == negatives, m, tp[of_next + 1])
    # Few counts differ: each distribution is Beta(count, m + 1 - count).
    count, where = np.unique(np.concatenate([least, most + 1]), return_inverse=True)
    weight = np.bincount(where, np.tile(chance / 2, 2))
    none, inside = float(weight[count <= 0].sum()), (count > 0) & (count < m + 1)
    count, weight = count[inside], weight[inside]

    def cdf(x: float) -> float:
        return none + float(weight @ betainc(count, m + 1 - count, x))

    return cdf


def _ranks(n: int, share: float) -> tuple[Ints, Vector]:
    """Return the counts with non-negligible probability under binomial(n, share), and these."""
    from scipy.special import gammaln, xlog1py, xlogy

    reach = _FAR * np.sqrt(n * share * (1 - share)) + 30
    first, end = max(0, int(n * share - reach)), min(n, int(np.ceil(n * share + reach)))
    rank = np.arange(first, end + 1)
    log = -gammaln(rank + 1) - gammaln(n - rank + 1) + xlogy(rank, share)
    log += xlog1py(n - rank, -share)
    chance = np.exp(log - log.max())
    return rank, chance / chance.sum()


# --- Youden's index -----------------------------------------------------------------------------


@of_table
def youden_interval(
    table: ScoreTable,
    *,
    level: float = 0.95,
    method: YoudenMethod = "intersection",
    n_sim: int = 1000,
    rng: np.random.Generator | int | None = 0,
) -> Interval:
    """Confidence interval of Youden's index, the largest tpr - fpr of all thresholds.

    The index of the sample is too large on average, because it is the largest of many noisy
    differences; the bias is largest for weak scores. The interval allows for it.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present. For weighted tables the effective class
        sizes are used.
    level : float, default 0.95
        Confidence level, strictly between 0 and 1.
    method : {"intersection", "newcombe"}
        Default "intersection", which allows for the search over thresholds. "newcombe" (Shan 2015):
        the interval for tpr - fpr at the best threshold as if it had been fixed before; its
        coverage is too low unless the best threshold is certain.
    n_sim : int, default 1000
        Number of simulated errors of both rates, for "intersection".
    rng : numpy.random.Generator or int, default 0
        Generator or seed; the same seed gives the same limits.

    Returns
    -------
    Interval
        Inside [0, 1]; the lower limit is never above the index of the sample, and is 0 where the
        data are compatible with chance.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If an option is out of range.

    Notes
    -----
    O(n_sim k) for up to 4000 thresholds; of more, 4000 are used. With i positives and h negatives
    called positive at a threshold, the error of its index is simulated from two order statistics
    of uniforms, ``(i / m - U_(i)) + (V_(h+1) - h / n)``: the sample is searched for its best
    threshold, which lies between the last positive called and the next negative. The thresholds
    that may be optimal are those that intersection bounds keep (Chernozhukov, Lee and Rosen
    2013): with k the quantile of the largest studentised error, those whose index is not below
    the largest ``index - k se`` by more than 2 k se. Where the threshold below all scores is among
    them, so is that above all: a score that is constant in the sample may be one whose high
    values were not drawn.

    The lower limit is the index minus the upper quantile of the largest error among these, but at
    most Newcombe's lower limit at the best threshold. The upper limit is the largest of Newcombe's
    at these thresholds; the search needs no further allowance there, because the index of the
    sample is at least its value at the optimal threshold of the population. Wilson's limits of the
    two rates, of which it is made, are no nearer than one-sided exact ones, and it is at least
    Miettinen and Nurminen's score limit at the best threshold: without both it covered yes/no tests
    with few errors in as little as 82.9 percent of samples, as all that missed lay below. With them
    it covers in 93.5 percent or more in 583 situations of such tests in the ledger of coverage; it
    is 1.03 times as wide on average, and at most 1.08 (5 + 5 cases of a score that knows nothing).
    The combination is our own (docs, "Our own methods").

    References
    ----------
    Newcombe (1998), method 10, for the upper limit, with the limits of Brown, Cai and DasGupta
    (2001), section 4.1.1; the score limit is that of the area of a yes/no test, whose source
    `rocspace.results.Estimate.interval` names; the allowance for the search is our own, after
    Chernozhukov, Lee and Rosen (2013).

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("two_class_example")
    >>> table = tabulate(data.y_true, data.y_score)
    >>> print("{:.3f} to {:.3f}".format(*youden_interval(table)))
    0.623 to 0.781
    """
    check_times("n_sim", n_sim)
    m, n = table.n_eff
    tpr, fpr = table.tp / table.n_pos, table.fp / table.n_neg
    index = tpr - fpr
    best = int(np.argmax(index))
    low, high = (float(x[0]) for x in difference_limits(tpr[[best]], m, fpr[[best]], n, level))
    if method == "intersection":
        error, rows = _search_error(table, level, n_sim, check_rng(rng))
        low = min(low, float(index[best]) - error)
        tpr, fpr = tpr[rows], fpr[rows]
        if rows[-1] == len(table) - 1:  # below all scores: then above all, too, of the same index
            tpr, fpr = np.append(tpr, 0.0), np.append(fpr, 0.0)
        highs = difference_limits(tpr, m, fpr, n, level, "modified-wilson")[1]
        high = max(high, float(highs.max()), _score_limit(table, best, level))
    return Interval(low=max(0.0, low), high=min(1.0, high), level=level, method=method)


def _score_limit(table: ScoreTable, row: int, level: float) -> float:
    """Return the upper score limit of the index of one row, a sum of two proportions less 1.

    Where each rate is 0 or 1 the sample has no variance, and Newcombe's limit is enough.
    """
    rates = float(table.tp[row] / table.n_pos), 1 - float(table.fp[row] / table.n_neg)
    if all(min(rate, 1 - rate) < _ROUNDING for rate in rates):
        return 0.0
    return score_limits_of_sum(rates, table.n_eff, level)[1] - 1


def _search_error(
    table: ScoreTable, level: float, n_sim: int, rng: np.random.Generator
) -> tuple[float, Ints]:
    """Return the upper quantile of the largest error over thresholds that may be optimal; which."""
    rows = np.unique(np.linspace(0, len(table) - 1, _MOST_ROWS).round().astype(np.int64))
    classes = tuple(
        (column[rows] * (size / column[-1]), size)
        for column, size in zip((table.tp, table.fp), table.n_eff, strict=True)
    )
    (called, m), (false, n) = classes
    index = called / m - false / n
    se = np.sqrt(sum(x * (k + 1 - x) / ((k + 1) ** 2 * (k + 2)) for x, k in classes))
    seeds = rng.integers(2**63, size=-(-n_sim * rows.size // _MOST_DRAWN))
    per_seed = -(-n_sim // seeds.size)
    mean = called / (m * (m + 1)) + (n - false) / (n * (n + 1))
    largest = _largest(classes, seeds, per_seed, lambda error: (error - mean) / se)
    reach = float(np.quantile(largest, 1 - 0.1 / np.log(max(min(m, n), 3.0))))
    kept = index >= (index - reach * se).max() - 2 * reach * se
    errors = _largest(classes, seeds, per_seed, lambda error: error[:, kept])
    return float(np.quantile(errors, (1 + level) / 2)), rows[kept]


def _largest(
    classes: Iterable[tuple[Vector, float]],
    seeds: Array,
    many: int,
    view: Callable[[Vector], Vector],
) -> Vector:
    """Return, for each draw, the largest value of `view` applied to the errors of tpr - fpr.

    The errors are those just above a case: the best threshold lies between the last positive that
    it calls and the next negative, so that the rates of the population are as low as the i-th and
    as high as the (h + 1)-th of uniform order statistics, generated as sums of gamma variables.
    """
    found = []
    for seed in seeds:
        rng = np.random.default_rng(seed)
        drawn = []
        for (called, size), beyond in zip(classes, (0.0, 1.0), strict=True):
            shapes = np.append(np.diff(called, prepend=-beyond), 1.0 - beyond)
            sums = np.cumsum(rng.standard_gamma(shapes, size=(many, shapes.size)), axis=1)
            drawn.append(called / size - sums[:, :-1] / sums[:, -1:])
        found.append(view(drawn[0] - drawn[1]).max(axis=1))
    return np.concatenate(found)
