"""Comparing two areas by the method of Hanley and McNeil, which needs no scores.

It is for published results without the cases. With the cases, use `auc_difference`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, TypeAlias

import numpy as np

from rocspace._base.arrays import Vector
from rocspace._base.calls import explained
from rocspace._base.checks import check_choice, check_inside, check_positive
from rocspace._base.errors import Argument, ArgumentError
from rocspace.counts.paired import PairedScores
from rocspace.inference.area import auc_estimate
from rocspace.inference.area_models import area_model_variance, fewest_cases
from rocspace.inference.components import need_cases, score_columns, two_scores
from rocspace.results.estimates import AreaEstimate, Difference, Estimate, n_pairs_of

ScoreCorrelation: TypeAlias = Literal["kendall", "pearson"]
Sizes: TypeAlias = float | tuple[float, float]


@explained
def area_correlation(score_correlation: float, area: float) -> float:
    """Correlation of two areas, from the correlation of the scores and the mean area.

    Parameters
    ----------
    score_correlation : float
        Correlation of the two scores within a class, averaged over both classes, in [-1, 1].
    area : float
        Mean of both areas, strictly between 0 and 1.

    Returns
    -------
    float
        In [-1, 1]; lower than the correlation of the scores if the area is large.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    For Normal distributions with equal variances and as many positives as negatives: with F the
    joint distribution function of two standard Normal variables with correlation c, and z the
    Normal quantile of the area A, ``(F(z, z; r / 2) - A^2) / (F(z, z; 1 / 2) - A^2)``. It agrees
    with the printed table within .01.

    References
    ----------
    Hanley and McNeil (1983), Table I.

    Examples
    --------
    >>> round(area_correlation(0.5, 0.7), 2), round(area_correlation(0.5, 0.95), 2)
    (0.47, 0.38)
    """
    if not -1 <= score_correlation <= 1:
        msg = f"score_correlation is {score_correlation}, but must be in [-1, 1]."
        raise ValueError(msg)
    check_inside("area", area)
    from scipy.special import ndtri

    z = float(ndtri(area))
    whole = _shared(z, 0.5)
    if not whole:
        msg = f"area is {area}, so near an end that its variance is below every float."
        raise ValueError(msg)
    return _shared(z, score_correlation / 2) / whole


def _shared(z: float, r: float) -> float:
    """Probability that two Normal variables are both below z, minus that under independence.

    The integral over the correlation, from 0 to r, of their joint density at (z, z).
    """
    node, weight = np.polynomial.legendre.leggauss(40)
    at = r * (node + 1) / 2
    density = np.exp(-z * z / (1 + at)) / (2 * np.pi * np.sqrt(1 - at * at))
    return float((weight * density).sum()) * r / 2


@explained
def hanley_mcneil_difference(
    data: PairedScores,
    first: str | None = None,
    second: str | None = None,
    *,
    score_correlation: ScoreCorrelation | float = "kendall",
) -> Difference:
    """Difference of two areas of the same cases, by the formulas of Hanley and McNeil.

    Parameters
    ----------
    data : PairedScores
        Several scores of the same cases, without weights or clusters.
    first, second : str, optional
        Names of two scores; not needed where there are only two.
    score_correlation : {"kendall", "pearson"} or float, default "kendall"
        Measure of the correlation of the scores within each class; or its mean over both classes as
        a number.

    Returns
    -------
    Difference
        First minus second. Ask it for ``test()`` and ``interval(level)``.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If a name is unknown, there are weights or clusters, or the correlation is not in [-1, 1].

    Notes
    -----
    ``se^2 = se1^2 + se2^2 - 2 r se1 se2``, with the standard errors of Hanley and McNeil (1982) and
    r from `area_correlation`. Provided for comparison with papers: DeLong's covariance, which
    `rocspace.compare.auc_difference` uses, assumes no model. In 12 situations of the ledger of
    coverage its interval covers in 92.6 percent or more, least of scores of very unequal spread.
    O(n log n).

    References
    ----------
    Hanley and McNeil (1982), equations 1 and 2; Hanley and McNeil (1983), Table I.

    Examples
    --------
    >>> from rocspace import pair_scores
    >>> scores = {"a": [5, 2, 4, 3, 1, 2, 0, 1], "b": [2, 4, 3, 1, 2, 3, 1, 0]}
    >>> data = pair_scores([1, 1, 1, 1, 0, 0, 0, 0], scores)
    >>> round(hanley_mcneil_difference(data, "a", "b", score_correlation=0.4).se, 4)
    0.1801
    """
    names = two_scores("hanley_mcneil_difference", data, first, second)
    need_cases("hanley_mcneil_difference", data)
    columns = score_columns(data, names)
    if data.weight is not None:
        msg = "These formulas need counts of cases: leave out the weights, or use auc_difference."
        raise ValueError(msg)
    if data.cluster is not None:
        msg = (
            "These formulas take cases to be independent, but the data have clusters. Use "
            "auc_difference of rocspace.compare, which respects them."
        )
        raise ValueError(msg)
    one, two = (auc_estimate(data.table(data.names[j]), method="hanley-mcneil") for j in columns)
    if isinstance(score_correlation, str):
        check_choice("score_correlation", score_correlation, ScoreCorrelation)
        score_correlation = _mean_correlation(data, columns, score_correlation)
    return _joined(one, two, float(score_correlation))


def _mean_correlation(data: PairedScores, columns: tuple[int, ...], method: str) -> float:
    """Mean correlation over both classes; 0 where a score is constant in a class."""
    from scipy import stats

    found = []
    for own in (data.label, ~data.label):
        x, y = (data.score[own, j].astype(np.float64) for j in columns)
        known = _varies(x) and _varies(y)
        if not known:
            found.append(0.0)
        elif method == "kendall":
            found.append(float(stats.kendalltau(x, y).statistic))
        else:
            found.append(float(np.clip(np.corrcoef(x, y)[0, 1], -1, 1)))
    return sum(found) / 2


def _varies(values: Vector) -> bool:
    return bool((values != values[0]).any())


def _joined(one: Estimate, two: Estimate, score_correlation: float) -> Difference:
    mean = (one.value + two.value) / 2
    r = area_correlation(score_correlation, mean) if 0 < mean < 1 else 0.0
    variance = one.se**2 + two.se**2 - 2 * r * one.se * two.se
    return Difference(
        value=one.value - two.value,
        se=float(np.sqrt(max(variance, 0.0))),
        method="hanley-mcneil",
        n_pairs=min(n_pairs_of(one), n_pairs_of(two)),
        range=(-1.0, 1.0),
        df=min(one.df, two.df),
        first=one,
        second=two,
        correlation=r,
    )


@explained
def published_difference(
    first: tuple[float, float],
    second: tuple[float, float],
    *,
    score_correlation: float,
    n_pos: Sizes | None = None,
    n_neg: Sizes | None = None,
) -> Difference:
    """Difference of two published areas, of the same cases or of two samples.

    Parameters
    ----------
    first, second : tuple of float
        An area and its standard error.
    score_correlation : float
        Correlation of the scores within a class, averaged over both classes, in [-1, 1]; 0 for
        independent samples.
    n_pos, n_neg : float or tuple of float, optional
        Numbers of positives and of negatives: one for both areas, or a pair, (first, second), for
        areas of two samples. Give both or neither; they make the interval narrower as a rule.

    Returns
    -------
    Difference
        First minus second, with ``test()`` and ``interval(level)``. The default test rejects
        exactly the differences outside the interval.

    Raises
    ------
    ValueError
        If an area is outside [0, 1], a standard error is not positive, the correlation is not in
        [-1, 1], only one of the class sizes is given, or a size is below 1.

    Notes
    -----
    Areas and standard errors do not tell how many cases a standard error was estimated from; the
    interval ("moderated") and its test need to know. With the class sizes an area has the degrees
    of freedom of its smaller class, n - 1: the fewest that Welch's formula gives for any variances
    of the two classes; where its standard error is below that of Newcombe's model for these sizes,
    it is moderated.

    Without them an area A with standard error s has the n of the fewest cases with which one class
    can have this standard error under the model of Hanley and McNeil, if the other class is without
    limit and either class may be the smaller one: ``A (1 - A) / s^2`` times the smaller of
    ``(1 - A) / (2 - A)`` and ``A / (1 + A)``; n - 1 degrees of freedom, 1 at least. That is few
    for an area near 1 (.98 with an error of .02: 1) and for a large error: give the class sizes.

    In the ledger of coverage (6 populations; 8 + 40 to 60 + 60 cases and 12 + 400; errors of Hanley
    and McNeil or of DeLong, Pearson's correlation) the interval covers in 94.8 percent of samples
    or more without class sizes, where it is up to three times as wide as with them. With them it
    covers in 94 percent or more by DeLong's errors. Of scores of very unequal spread the
    formula of Hanley and McNeil understates the errors, and their table, which assumes equal
    variances, overstates the correlation of the areas: by its errors the interval covers in 91.8
    percent there, elsewhere in 95 or more. Both do as much: with 60 + 60 cases and two areas of .8,
    of positives that spread 2.5 and .4 times as far as the negatives, the error of the difference
    is .057; it is .049 by formula and table, .053 by either alone. Published numbers do not show
    the spread: prefer DeLong's errors where a paper has both.

    They do not mend the correlation. With 60 + 60 cases and two areas of .7, of positives that
    spread 3 and 1/3 times as far as the negatives, the interval covers in 88.0 percent of 200
    samples, by DeLong's errors in 89.5; nor do larger errors by Obuchowski's formula (88.5). In 52
    situations a correlation of 0 covers in 95.0 percent or more, and makes the interval 1.2 to 1.4
    times as wide on average, and up to 2.3 times where scores correlate strongly (``python -m
    benchmarks.constants.published_errors``): give 0 where spreads may differ that much.

    No population has a larger error than ``sqrt(A (1 - A) / min(n_pos, n_neg))``. With this error
    for both areas and a correlation of 0 the interval rests on no model, and is too wide unless
    scores correlate negatively: in that population 1.5 times as wide as by the formula.

    References
    ----------
    Hanley and McNeil (1982), equations 1 and 2; Hanley and McNeil (1983), Table I; Newcombe (2006),
    method 5; Birnbaum and Klose (1957), a paper on this alone, for the largest error.

    Examples
    --------
    >>> areas = (0.93, 0.02), (0.86, 0.03)
    >>> gain = published_difference(*areas, score_correlation=0.5, n_pos=60, n_neg=60)
    >>> round(gain.correlation, 2), round(gain.test().pvalue, 3)
    (0.42, 0.019)
    >>> round(published_difference(*areas, score_correlation=0.5).test().pvalue, 3)
    0.031
    """
    pairs = [_both("n_pos", n_pos), _both("n_neg", n_neg)]
    if (n_pos is None) != (n_neg is None):
        msg = "Give both n_pos and n_neg, as n_pos=60, n_neg=80, or neither."
        raise ValueError(msg)
    sizes = list(zip(*pairs, strict=True))
    one, two = (_published(*pair, *n) for pair, n in zip((first, second), sizes, strict=True))
    return replace(_joined(one, two, score_correlation), usual="moderated")


def _both(name: str, size: Sizes | None) -> tuple[float | None, float | None]:
    """Return the numbers of cases of a class, of the first area and of the second."""
    if size is None:
        return None, None
    each = list(size) if isinstance(size, (tuple, list)) else [size, size]
    if len(each) != 2 or not all(check_positive(name, n) >= 1 for n in each):
        why = f" is {size}, but must be a number of cases, 1 or more, or a pair, as (60, 80)."
        raise ArgumentError(Argument(name), why)
    return float(each[0]), float(each[1])


def _published(area: float, se: float, n_pos: float | None, n_neg: float | None) -> Estimate:
    if not (0 <= area <= 1 and 0 < se < np.inf):
        msg = f"An area of {area} with standard error {se}: give (area, se), as (0.9, 0.03)."
        raise ValueError(msg)
    if n_pos is None or n_neg is None:
        n = fewest_cases(area, se)
        return AreaEstimate(
            value=area, se=se, method="published", n_pairs=n, df=max(n - 1, 1.0), credited=0.0
        )
    n = min(n_pos, n_neg)
    model_se = area_model_variance(area, n_pos, n_neg) ** 0.5
    return AreaEstimate(
        value=area, se=se, method="published", n_pairs=n, df=n - 1, model_se=model_se
    )
