"""Uncertainty of the area under the curve: standard errors and tests, in O(k).

The placement of a positive is the share of negatives that it beats, that of a negative the
share of positives that beat it. Their mean is the area, and their spread its variance.
"""

from __future__ import annotations

from math import sqrt
from typing import Literal, TypeAlias

import numpy as np

from rocspace._base.calls import explained
from rocspace._base.checks import check_choice, check_part, warn
from rocspace._base.exact import exact_dot, exact_twice_wins
from rocspace.counts.table import ScoreTable, need
from rocspace.counts.weights import Heaviest, frequencies, heaviest_of
from rocspace.curves.summaries import auc, ks, partial_auc
from rocspace.inference.area_models import (
    area_model_variance,
    hanley_mcneil_pairs,
    pair_variance,
    part_model_variance,
)
from rocspace.inference.spread import (
    ClassSpread,
    Placements,
    Spread,
    below_fpr,
    partial_placements,
    placement_blocks,
    spread_of,
)
from rocspace.results.estimates import AreaEstimate
from rocspace.results.test import Alternative, TestResult, student_tail
from rocspace.results.unseen import Classes, ClassMean, WeightedMean

VarianceMethod: TypeAlias = Literal["delong", "hanley-mcneil", "bamber", "unbiased"]
WeightType: TypeAlias = Literal["importance", "frequency"]

_FEW, _OFTEN = 5, 3  # fewer cases, of more than so many mean weights, are warned of
_EXACT_KS = 10_000  # up to this many cases the exact distribution of the KS distance is used


# --- variances of the area ------------------------------------------------------------------


@explained
def auc_variance(
    table: ScoreTable,
    *,
    method: VarianceMethod = "delong",
    weight_type: WeightType = "importance",
) -> float:
    """Variance of the area under the curve.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.
    method : {"delong", "hanley-mcneil", "bamber", "unbiased"}, default "delong"
        "delong": from the spread of the placements. "hanley-mcneil": from the area and
        the class sizes alone, as if scores were exponential. "bamber": the plug-in
        value, which a bootstrap within classes tends to. "unbiased": unbiased, and for
        tiny samples possibly negative.
    weight_type : {"importance", "frequency"}, default "importance"
        What the weights of a weighted table are: how much a case matters, or (whole
        numbers) how many equal cases a row stands for. All methods but "delong" need
        counts or frequencies.

    Returns
    -------
    float
        nan where a class has a single case and the method needs two.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If the method does not know such weights, or frequencies are not whole.

    Notes
    -----
    O(k) in the number of distinct scores. With counts or frequencies the result is that
    of the repeated cases; with importance weights their scale does not matter.

    References
    ----------
    DeLong et al. (1988), the whole paper, with the sums of Sun and Xu (2014), Algorithm 2; Hanley
    and McNeil (1982), equations 1 and 2; Bamber (1975), the whole paper.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> table = tabulate([0, 0, 0, 1, 1, 1], [1, 2, 4, 3, 5, 6])
    >>> round(auc_variance(table) * 81, 9)  # both placement variances are 1/27
    2.0
    """
    counts = _counts_for("auc_variance", table, method, weight_type)
    area = auc(counts)
    return _variance(counts, method, area, spread_of(counts, placement_blocks(counts), area))


def _counts_for(name: str, table: ScoreTable, method: str, weight_type: str) -> ScoreTable:
    """Return the counts or importance weights that a method reads, once all is checked."""
    need(name, table)
    check_choice("method", method, VarianceMethod)
    return _known_weights(table, weight_type, needs_counts=method != "delong")


def _variance(counts: ScoreTable, method: str, area: float, spread: Spread) -> float:
    """Return the variance of an area, given the spread of its placements."""
    sizes = counts.n_pos, counts.n_neg
    if method == "delong":
        return spread.variance
    if method == "hanley-mcneil":
        return pair_variance(*hanley_mcneil_pairs(area), *sizes)
    if min(sizes) < 2:
        return np.nan  # a class of one case has no spread
    # A comparison is 1, 1/2 or 0, so its square falls short of it by 1/4 at ties.
    ties = exact_dot(counts.pos, counts.neg) / (int(counts.n_pos) * int(counts.n_neg))
    of_pair = area * (1 - area) - ties / 4
    of_pos, of_neg = spread.squares
    if method == "bamber":
        return pair_variance(of_pair, of_pos, of_neg, *sizes)
    # A^2 - [S^2 - sum r^2 - sum c^2 + q] / (P N (P-1) (N-1)), rearranged so that no two large
    # numbers cancel.
    n_pos, n_neg = sizes
    total = n_neg * of_pos + n_pos * of_neg - of_pair
    return total / ((n_pos - 1) * (n_neg - 1))


def _known_weights(table: ScoreTable, weight_type: str, *, needs_counts: bool) -> ScoreTable:
    """Return the table as counts if its weights are frequencies."""
    check_choice("weight_type", weight_type, WeightType)
    if not table.is_weighted or weight_type == "frequency":
        return frequencies(table)
    if needs_counts:
        msg = (
            "This method needs counts, but the table has importance weights. Use "
            'method="delong", or weight_type="frequency" if weights count equal cases.'
        )
        raise ValueError(msg)
    return table


@explained
def auc_estimate(
    table: ScoreTable,
    *,
    method: VarianceMethod = "delong",
    weight_type: WeightType = "importance",
) -> AreaEstimate:
    """Area under the curve with its standard error.

    Parameters
    ----------
    table, method, weight_type
        As for `auc_variance`.

    Returns
    -------
    Estimate
        Ask it for ``interval(level)``. A variance below zero ("unbiased", tiny samples)
        becomes a standard error of zero, whose interval is the boundary-safe one.

    Raises
    ------
    SingleClassError, ValueError
        As `auc_variance`.

    Warns
    -----
    UserWarning
        As `delong`.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> table = tabulate([0, 0, 1, 0, 1, 1], [1, 2, 2, 3, 4, 5])
    >>> round(auc_estimate(table, method="hanley-mcneil").se, 6)
    0.184039
    """
    counts = _counts_for("auc_estimate", table, method, weight_type)
    _warn_of_missing(counts)
    return _estimate(counts, method)


def _warn_of_missing(table: ScoreTable) -> None:
    """Warn if a class hardly has cases that weigh as much as some that it may have."""
    for name, each in zip(("positives", "negatives"), heaviest_of(table) or (), strict=False):
        if each.seen < _FEW and each.weight > _OFTEN * each.typical:
            few = f"Only {each.seen:.3g}" if each.seen else "None"
            warn(
                f"{few} of the {name} weigh at least half of "
                f"{each.weight / each.typical:.3g} times their mean weight, the most that a case "
                "may weigh here. What others like them score is hardly known: the default interval "
                "allows for one that was not seen. If weights have nothing to do with scores, "
                'interval(scale="moderated") is narrower.'
            )
            return


def _estimate(counts: ScoreTable, method: str) -> AreaEstimate:
    area, sizes = auc(counts), counts.n_eff
    spread = spread_of(counts, placement_blocks(counts), area)
    return AreaEstimate(
        value=area,
        se=_root(_variance(counts, method, area, spread)),
        method=method,
        tied=is_constant(counts),
        n_pairs=min(sizes),
        df=spread.df,
        model_se=_root(area_model_variance(area, *sizes)),
        classes=_class_means(counts, spread, area) if method == "delong" else None,
    )


def _class_means(
    table: ScoreTable,
    spread: Spread,
    area: float,
    part: Placements | None = None,
    width: float = 1.0,
) -> Classes | None:
    """Return the mean placements of both classes, or None if nothing is known of them.

    Of a part of an area, `width` at most, its placements are `part`.
    """
    heaviest = heaviest_of(table)
    if heaviest is not None:
        if not spread.variance > 0:
            return None
        means = _means(table, spread) if width == 1 else (None, None)
        one, two = (
            _weighted_mean(of, seen, area / width, mean, width)
            for of, seen, mean in zip(spread.classes, heaviest, means, strict=True)
        )
        return one, two
    return _means(table, spread, part, width)


def _weighted_mean(
    of: ClassSpread, seen: Heaviest, share: float, mean: ClassMean | None, width: float
) -> WeightedMean:
    """Look at one class whose cases weigh differently; the area is a `share` of its range."""
    part = seen.weight / (seen.total + seen.weight)
    return WeightedMean(
        mean=mean,
        variance=of.variance / width**2,
        df=of.df,
        unseen=seen.missing * part**2 * share * (1 - share),
        heavy=seen.seen,
    )


def _means(
    table: ScoreTable, spread: Spread, part: Placements | None = None, width: float = 1.0
) -> tuple[ClassMean, ClassMean]:
    """Return the mean placements of both classes, with their effective numbers of cases."""
    n_pos, n_neg = float(table.n_pos), float(table.n_neg)
    if part is None:
        of_pos = table.neg.item(-1) / 2 / n_neg, 1 - table.neg.item(0) / 2 / n_neg
        of_neg = table.pos.item(0) / 2 / n_pos, 1 - table.pos.item(-1) / 2 / n_pos
    else:
        of_pos = part.pos.item(-1), part.pos.item(0)
        of_neg = part.neg.item(0), part.neg.item(-1)
    pos, neg = (
        ClassMean(n=float(n), spread=square / width**2, low=low / width, high=high / width)
        for n, square, (low, high) in zip(
            table.n_eff, spread.squares, (of_pos, of_neg), strict=True
        )
    )
    return pos, neg


def is_constant(table: ScoreTable) -> bool:
    """Tell whether all cases have one score."""
    return bool(np.count_nonzero(table.pos + table.neg) == 1)


def _root(variance: float) -> float:
    return sqrt(max(variance, 0.0)) if variance == variance else np.nan


@explained
def delong(table: ScoreTable, *, weight_type: WeightType = "importance") -> AreaEstimate:
    """Area under the curve with DeLong's standard error; the usual choice.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.
    weight_type : {"importance", "frequency"}, default "importance"
        What the weights of a weighted table are, as for `auc_variance`.

    Returns
    -------
    Estimate
        Ask it for ``interval(level)``. With a single case in a class the standard error
        is nan, and the interval the boundary-safe one.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If frequencies are not whole.

    Warns
    -----
    UserWarning
        If importance weights vary and fewer than five cases of a class weigh at least half of the
        largest weight, which is more than three times the mean weight.

    Notes
    -----
    O(k). The same as ``auc_estimate(table, method="delong")``. With few positives and an area
    near 1 the standard error is often far too small: with 10 positives and a true area of
    .99, value +- 1.96 se on the log odds covers the truth in 71 percent of samples. The
    default interval, which allows for that, covers it in 99 (5-point ratings: 84 and 99; 200
    of each class, area .9: 95 and 96).

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988), by Sun and Xu (2014), Algorithm 2.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> round(delong(tabulate([0, 0, 0, 1, 1, 1], [1, 2, 4, 3, 5, 6])).se, 6)
    0.157135
    """
    counts = _counts_for("delong", table, "delong", weight_type)
    _warn_of_missing(counts)
    return _estimate(counts, "delong")


# --- tests ------------------------------------------------------------------------------------


@explained
def auc_test(
    table: ScoreTable,
    *,
    alternative: Alternative = "two-sided",
    weight_type: WeightType = "importance",
) -> TestResult:
    """Test whether the scores tell the classes apart: the area against one half.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.
    alternative : {"two-sided", "less", "greater"}, default "two-sided"
        Alternative hypothesis; the null hypothesis is that both classes have the same score
        distribution.
    weight_type : {"importance", "frequency"}, default "importance"
        What the weights of a weighted table are, as for `auc_variance`.

    Returns
    -------
    TestResult
        z statistic, p value, and the area minus one half.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If frequencies are not whole.

    Notes
    -----
    The Mann-Whitney-Wilcoxon test: the variance is that under the null hypothesis, ``(P + N + 1) /
    (12 P N)``, corrected for ties, and not that of the interval. Where all scores are tied, p = 1.
    The score must not have been fitted to these cases. Measured from 5 + 5 cases to 200 + 200 and
    10 + 10 000: rejects 3.6 to 6 percent of true hypotheses at .05.

    With frequencies the result is that of the repeated cases. With importance weights P and N are
    the effective sizes ``(sum w)^2 / sum w^2``, which is the exact variance without ties if
    weights do not depend on scores. Where they do, the excess of ``sum w^2 (G - 1/2)^2`` over its
    value without that dependence is added, G being the mean rank as a share. Measured from 5 + 50
    to 200 + 200 cases whose weights have a standard deviation of .7 or .8 on the log scale: 3 to 5
    percent are rejected if weights do not depend on scores; if the cases were drawn by their
    scores 2 to 10, and from 50 + 50 on at most 7.

    References
    ----------
    Mann and Whitney (1947), a paper on this alone; Lehmann (1975), the whole book, for the
    correction for ties.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> round(auc_test(tabulate([0, 0, 0, 1, 1, 1], [1, 2, 4, 3, 5, 6])).pvalue, 6)
    0.12663
    """
    need("auc_test", table)
    check_choice("alternative", alternative, Alternative)
    difference = auc(table) - 0.5
    se = _root(null_variance(table, weight_type=weight_type))
    z = difference / se if se > 0 else 0.0
    return TestResult(
        statistic=z,
        pvalue=student_tail(z, np.inf, alternative),
        alternative=alternative,
        method="Mann-Whitney",
        difference=difference,
    )


def mann_whitney_u(table: ScoreTable) -> float:
    """Mann-Whitney's U: in how many pairs the positive has the more positive score.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.

    Returns
    -------
    float
        In [0, P N], ties counted half: `rocspace.auc` times P N. Counts give the exact half of a
        whole number; of weights it is the sum of their products.

    Raises
    ------
    SingleClassError
        If a class is missing.

    Notes
    -----
    O(k). The rank sum of the positives is ``U + P (P + 1) / 2``. `auc_test` is its test.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> mann_whitney_u(tabulate([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8]))
    3.5
    """
    need("mann_whitney_u", table)
    if table.is_weighted:
        return auc(table) * float(table.n_pos) * float(table.n_neg)
    return exact_twice_wins(table.pos, table.neg) / 2


def null_variance(table: ScoreTable, *, weight_type: WeightType = "importance") -> float:
    """Variance of the area when both classes have the same score distribution, given the ties."""
    known = _known_weights(table, weight_type, needs_counts=False)
    if known.is_weighted:
        return _weighted_null_variance(known)
    n = float(known.n_pos + known.n_neg)
    tied = (known.pos + known.neg).astype(np.float64)
    # 1 - sum(t^3 - t) / (n^3 - n), written so that nothing cancels.
    untied = float((tied * ((n - tied) * (n + tied))).sum()) / ((n - 1) * n * (n + 1))
    return (n + 1) / (12 * float(known.n_pos) * float(known.n_neg)) * untied


def _weighted_null_variance(table: ScoreTable) -> float:
    """Variance over all ways to give the scores to the cases, who keep class and weight.

    A comparison lies 1/2 above or below 1/2, or 1/2 for a tie: its variance is (1 - c2) / 4,
    with c2 the chance that two cases tie, and its covariance with another that shares a case
    (1 - c3) / 12, with c3 the chance that three do. Comparisons without a shared case have none.
    """
    n_pos, n_neg = table.n_eff
    n = n_pos + n_neg
    # In cases: a class may have any scale of weights.
    of_pos, of_neg = n_pos / table.n_pos, n_neg / table.n_neg
    pos, neg = table.pos * of_pos, table.neg * of_neg
    pos_w2, neg_w2 = np.asarray(table.pos_w2) * of_pos**2, np.asarray(table.neg_w2) * of_neg**2
    w, w2 = pos + neg, pos_w2 + neg_w2
    two = float((w * w - w2).sum()) / (n * (n - 1))
    of_one = w2 / np.where(w > 0, w, 1.0)  # what one case of a row weighs
    three = float((w - of_one) @ (w * w - 2 * w2)) / (n * (n - 1) * (n - 2)) if n > 2 else 0.0
    both, alone = 1 / (n_pos * n_neg), (n_pos + n_neg - 2) / (n_pos * n_neg)
    variance = both * (1 - min(two, 1.0)) / 4 + alone * (1 - min(three, 1.0)) / 12
    # Larger weights may go with scores far from the middle, and then count for more.
    off_middle = ((np.cumsum(w) - w / 2) / n - 0.5) ** 2
    more = [
        float((squares / total - own) @ off_middle) / total
        for own, squares, total in ((pos / n_pos, pos_w2, n_pos), (neg / n_neg, neg_w2, n_neg))
    ]
    return variance + max(sum(more), 0.0)


@explained
def ks_test(table: ScoreTable) -> TestResult:
    """Test whether both classes have the same score distribution (Kolmogorov and Smirnov).

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.

    Returns
    -------
    TestResult
        The distance, which also is its ``difference``, and the two-sided p value.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If the table has weights.

    Notes
    -----
    Up to 10 000 cases by the exact distribution of the distance given the ties, in O(n min(P, N)):
    all ways to label the scores are equally likely. Beyond, by the limit for continuous scores,
    which is conservative with ties. Few distances are possible in small samples: 20 + 20
    cases reject 3 percent of true hypotheses at .05, 200 + 200 cases 4.

    References
    ----------
    Hodges (1958), a paper on this alone; Schroeer and Trenkler (1995), a paper on this alone, for
    ties.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> round(ks_test(tabulate([0, 0, 0, 1, 1, 1], [1, 2, 4, 3, 5, 6])).pvalue, 6)
    0.6
    """
    need("ks_test", table)
    if table.is_weighted:
        msg = "This test counts cases, but the table has weights."
        raise ValueError(msg)
    distance = ks(table)
    n_pos, n_neg = int(table.n_pos), int(table.n_neg)
    if n_pos + n_neg <= _EXACT_KS:
        pvalue = _exact_ks_tail(table)
    else:
        from scipy import stats

        effective = n_pos * n_neg / (n_pos + n_neg)
        pvalue = float(stats.kstwo.sf(distance, round(effective)))
        if np.isnan(pvalue):  # beyond 10^15 cases or so, where the limit is as good
            pvalue = float(stats.kstwobign.sf(distance * np.sqrt(effective)))
    return TestResult(
        statistic=distance,
        pvalue=min(max(pvalue, 0.0), 1.0),
        alternative="two-sided",
        method="Kolmogorov-Smirnov",
        difference=distance,
    )


def _exact_ks_tail(table: ScoreTable) -> float:
    """Chance that, of all ways to label these scores, one has as large a distance.

    ``reach[i]`` is the chance that i of the first cases are of the smaller class and no row
    has been as far from the diagonal; what leaves at the end of a row adds up.
    """
    few, many = sorted((int(table.n_pos), int(table.n_neg)))
    n = few + many
    gap = int(np.abs(table.tp * int(table.n_neg) - table.fp * int(table.n_pos)).max())
    i = np.arange(few + 1)
    reach = (i == 0).astype(np.float64)
    left = 0.0
    ends = set((table.tp + table.fp).tolist())
    for drawn in range(n):
        stay, step = reach * (many - drawn + i), reach * (few - i)
        reach = stay / (n - drawn)
        reach[1:] += step[:-1] / (n - drawn)
        if drawn + 1 in ends:
            far = np.abs(i * many - (drawn + 1 - i) * few) >= gap
            left += float(reach[far].sum())
            reach[far] = 0.0
    return left


# --- parts of the area ------------------------------------------------------------------------


@explained
def partial_auc_estimate(
    table: ScoreTable,
    *,
    fpr: tuple[float, float] | None = None,
    tpr: tuple[float, float] | None = None,
    weight_type: WeightType = "importance",
) -> AreaEstimate:
    """Area under a part of the curve with its standard error, from placements.

    Parameters
    ----------
    table, fpr, tpr
        As for `rocspace.partial_auc`.
    weight_type : {"importance", "frequency"}, default "importance"
        What the weights of a weighted table are, as for `auc_variance`.

    Returns
    -------
    Estimate
        The raw area; its range is 0 to the width of the range asked for.

    Raises
    ------
    SingleClassError, ValueError
        As `rocspace.partial_auc` and `auc_variance`.

    Notes
    -----
    O(k). The threshold that belongs to the end of the range is itself an estimate; its
    variance is part of the result (without that term it would be far too large). Over
    (0, 1) this is DeLong's variance. The default interval of counts is "unseen". Measured at
    level 0.95 over 22 populations (smooth, hooked, heavy-tailed, zero-inflated, yes/no), fpr (0,
    .1), (0, .3) and tpr (.8, 1), from 5 + 50 to 500 + 500 cases, 528 situations of 100 samples: it
    covers in 90 percent or more, in three of them in less than 92, as chance has it; "moderated"
    in 62 or more, "logit" in 18 or more. It is 17 percent wider than "logit" where that holds.

    References
    ----------
    He and Escobar (2008), a paper on this alone.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> table = tabulate([0, 0, 0, 1, 1, 1], [1, 2, 4, 3, 5, 6])
    >>> round(partial_auc_estimate(table, fpr=(0, 0.5)).se, 6)
    0.157135
    """
    area = partial_auc(table, fpr=fpr, tpr=tpr)
    known = _known_weights(table, weight_type, needs_counts=False)
    known, low, high = below_fpr(known, check_part(fpr, tpr))
    width = high - low
    part = partial_placements(known, low, high)
    spread = spread_of(known, [(slice(None), (part.pos, part.neg))], area)
    return AreaEstimate(
        value=area,
        se=_root(spread.variance),
        method="placements",
        n_pairs=min(known.n_eff),
        range=(0.0, width),
        df=spread.df,
        model_se=_root(part_model_variance(area, low, high, *known.n_eff)),
        whole=auc(table),
        tied=is_constant(table),
        classes=_class_means(known, spread, area, None if width == 1 else part, width),
    )
