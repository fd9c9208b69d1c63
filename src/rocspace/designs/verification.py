"""Areas, rates and curves of all cases where the truth was looked up for a chosen part of them.

Whether a case was verified may depend on its scores and on other columns. Each estimator gives a
case a weight in each class, by a model of who was verified, by a model of who is positive, or by
both; errors allow for the models having been fitted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rocspace._base.arrays import Vector
from rocspace._base.calls import explained
from rocspace._base.cards import Card
from rocspace._base.checks import check_choice, check_level, check_times, two_names
from rocspace._base.frozen import Result
from rocspace._base.text import either
from rocspace.bands.band import Band, possible
from rocspace.counts.table import ScoreTable, tabulate
from rocspace.designs.corrected import (
    EDGE,
    CorrectedArea,
    CorrectedCurve,
    CorrectedRate,
    CorrectedRates,
    Ranked,
    Reading,
    area_reading,
    curve_of,
    difference_of,
    ranked,
    share_reading,
)
from rocspace.designs.verified import VerifiedScores, check_verified
from rocspace.designs.weighting import (
    ErrorMethod,
    Model,
    Problem,
    Read,
    Reader,
    VerificationMethod,
    problem_of,
    read_all,
    samples_of,
    warn_of,
)
from rocspace.inference.area import delong
from rocspace.resampling.replicates import Rng
from rocspace.results.estimates import CREDITED, Difference
from rocspace.results.limits import nondecreasing


def _area_reader(data: VerifiedScores, name: str) -> Reader:
    order = ranked(data.column(name), higher_is_positive=data.rises(name))

    def read(pos: Vector, neg: Vector, times: Vector | None) -> Reading:
        return area_reading(order, pos, neg, times)

    return read


def _area(data: VerifiedScores, name: str, read: Read, i: int) -> CorrectedArea:
    raw, model_se = float(read.values[i]), float(read.model_se[i])
    return CorrectedArea(
        value=min(max(raw, 0.0), 1.0),
        se=read.se(i),
        method=read.method,
        n_pairs=float(min(data.n_pos, data.n_neg)),
        df=read.df,
        model_se=model_se,
        credited=CREDITED if model_se else 0.0,
        raw=raw,
        uncorrected=delong(data.complete_cases(name)),
    )


def estimated_area(
    data: VerifiedScores,
    name: str,
    problem: Problem,
    errors: ErrorMethod = "influence",
    n_boot: int = 0,
    rng: Rng = 0,
) -> CorrectedArea:
    """Return the area of one score, by the weights of a problem."""
    return _area(data, name, read_all(problem, [_area_reader(data, name)], errors, n_boot, rng), 0)


@explained
def verified_auc_estimate(
    data: VerifiedScores,
    name: str | None = None,
    *,
    method: VerificationMethod = "doubly-robust",
    verification: Model = None,
    truth: Model = None,
    errors: ErrorMethod = "influence",
    n_boot: int = 500,
    rng: Rng = 0,
) -> CorrectedArea:
    """Area under the curve of all cases, where the truth is known for a chosen part of them.

    Parameters
    ----------
    data : VerifiedScores
        From `verified_scores`.
    name : str, optional
        The score; not needed if there is only one.
    method : {"doubly-robust", "ipw", "imputation", "mean-score"}, default "doubly-robust"
        "ipw": verified cases weigh 1 / the probability of their verification. "imputation": each
        case is positive in the part that the model of the truth says. "mean-score": the same for
        unverified cases alone. "doubly-robust": both models, of which one need be right.
    verification : sequence of str, array-like of shape (n,), or callable, optional
        Columns (scores and covariates) of the logistic regression of who was verified, by default
        all; or the probabilities of verification, where the study's plan set them; or a function
        that fits another model: it is given the columns by name and the 0/1 labels of the cases to
        fit to, and the columns of all cases, whose probabilities it returns. Fitted probabilities
        are raised to ``5 / (sqrt(n) ln n)``, or half of the share verified if that is less.
    truth : sequence of str, array-like of shape (n,), or callable, optional
        Columns of the logistic regression, among the verified, of who is positive, by default all;
        or the probability that each case is positive; or a function, as for `verification`.
    errors : {"influence", "bootstrap"}, default "influence"
        "influence": from the influence value of each case, which allows for the fitted models.
        "bootstrap": from samples of the cases, with the models fitted anew.
    n_boot : int, default 500
        Number of bootstrap samples.
    rng : numpy.random.Generator or int, default 0
        Generator or seed of the bootstrap.

    Returns
    -------
    CorrectedArea
        The area, in [0, 1], higher is better, with ``interval(level)``, and the area of the
        verified cases alone beside it.

    Raises
    ------
    ValueError
        If there is no such score, column, method or error; or probabilities are not in [0, 1], or
        0 for a verified case.

    Warns
    -----
    UserWarning
        If a logistic regression predicts without error; one case counts for more than a tenth
        of its class and ten times as much as others; or probabilities of verification were raised
        for a quarter of the cases, or for those that hold a tenth of the smaller class.

    Notes
    -----
    All methods need verification to depend on nothing but the columns of the models (missing at
    random); `verification_sensitivity` shows what follows if it does not. With the weights w1 in
    the positives and w0 in the negatives the area is the sum of ``w1_i w0_j (I(s_i > s_j) + I(s_i
    = s_j) / 2)`` over the sum of ``w1_i w0_j``, both over all pairs of different cases. "ipw":
    ``w1 = V D / pi``; "imputation": ``w1 = rho``; "mean-score": ``w1 = V D + (1 - V) rho``;
    "doubly-robust": ``w1 = V D / pi - (V - pi) rho / pi``; the same with 1 - D and 1 - rho for w0.
    With V = 1 for all, all but "imputation" are the ordinary area; with a constant pi, "ipw" is
    that of the verified cases. Doubly robust weights can be negative. O(n log n); a
    bootstrap of B samples O(B n).

    Where the model of verification is bent, some fitted probabilities are far too small, and the
    cases that were verified nevertheless weigh like thousands of others. So they have a least
    value, that of Gruber, Phillips, Lee and van der Laan (2022); half of the share verified, for
    small samples, is our own. Cases with the least value are corrected by the model of the truth,
    and by "ipw" not fully.

    The interval of "doubly-robust" is "moderated" by the standard error that both models expect
    (docs, "Our own methods"): the observed one is too small in samples in which none of the few
    cases that would weigh much was verified.

    At level 0.95, in 300 to 2000 simulated samples of 100 to 3,000 cases, 10 to 80 percent of them
    verified and 10 to 50 percent positive ("Measured coverage" in the docs), intervals covered in
    these percentages, where the model of the truth holds:

    - the model of verification too: "doubly-robust" 95.7 to 98.7, "mean-score" 95.0 to 97.7,
      "imputation" 95.3 to 97.7, "ipw" 90.3 to 96.3;
    - that of verification does not: "doubly-robust" 96.7 to 99.0, "mean-score" 94.0 to 97.0,
      "imputation" 94.0 to 97.0, "ipw" 75.3 to 93.3.

    Where only the model of verification holds, "doubly-robust" covered in 93.3 to 99.0 if the model
    of the truth lacks the score, and in 89.0 and 91.3 if the spreads of the classes are as 2 to 1;
    where neither holds in 38.0 to 87.3.

    The interval of "ipw" covered in only 82 to 91 percent of 150 samples of Cauchy scores
    (300 to 1,000 cases, 20 to 50 percent of them verified): many samples lack a case with a large
    weight, so that the standard error is 3 to 13 percent too small. The interval of
    `rocspace.auc_estimate` for a table of the verified cases with the weights 1 / pi allows for
    that: it covered in 97 percent or more, and is up to 1.5 times as wide (`python -m
    benchmarks.constants.ipw`).
    Where few cases are positive "ipw" is short, too, and "doubly-robust" the safer choice.

    Given probabilities count as known: if they were fitted to these cases, the error of "ipw" is
    too large rather than too small, and that of "imputation" and "mean-score" is too small.
    Probabilities that a function returns count as known, too, with ``errors="influence"``; the
    bootstrap calls the function anew in each sample.

    References
    ----------
    Alonzo and Pepe (2005), a paper on this alone, for rates and curves; He, Lyness and McDermott
    (2009), a paper on this alone, for the area by "ipw"; Begg and Greenes (1983), a paper on this
    alone; Rotnitzky, Faraggi and Schisterman (2006), a paper on this alone, for the doubly robust
    area; Gruber, Phillips, Lee and van der Laan (2022), no numbered equation, for the least
    probability.

    Examples
    --------
    >>> import numpy as np
    >>> from rocspace.designs import verified_scores
    >>> draw = np.random.default_rng(1)
    >>> ill = draw.random(2000) < 0.3
    >>> test = draw.normal(size=2000) + ill
    >>> seen = draw.random(2000) < 1 / (1 + np.exp(-test))
    >>> data = verified_scores(np.where(seen, ill, np.nan), test)
    >>> area = verified_auc_estimate(data)
    >>> print(area)
    0.779 (95 % interval 0.741 to 0.813)
    >>> round(area.uncorrected.value, 3)
    0.765
    """
    check_verified("verified_auc_estimate", data)
    check_choice("method", method, VerificationMethod)
    name = data.name_of(name)
    problem = problem_of(data, method, verification, truth)
    return estimated_area(data, name, problem, errors, n_boot, rng)


@explained
def verified_auc_difference(
    data: VerifiedScores,
    first: str | None = None,
    second: str | None = None,
    *,
    method: VerificationMethod = "doubly-robust",
    verification: Model = None,
    truth: Model = None,
    errors: ErrorMethod = "influence",
    n_boot: int = 500,
    rng: Rng = 0,
) -> Difference:
    """Difference of two areas of the same cases, whose truth is known for a part of them.

    Parameters
    ----------
    data : VerifiedScores
        From `verified_scores`, with two scores or more.
    first, second : str, optional
        Names of two scores; not needed where there are only two.
    method, verification, truth, errors, n_boot, rng
        As for `verified_auc_estimate`. Both areas have the same models.

    Returns
    -------
    Difference
        The first area minus the second, in [-1, 1], with ``interval(level)`` and ``test()``.
        Positive if the first score is better.

    Raises
    ------
    ValueError
        As `verified_auc_estimate`.

    Notes
    -----
    The covariance of both areas is that of the influence values of the cases, or of the bootstrap
    samples. The models are fitted once for both scores: O(n log n), and O(B n) for B samples.

    References
    ----------
    As `verified_auc_estimate`: Rotnitzky, Faraggi and Schisterman (2006), a paper on this alone.

    Examples
    --------
    >>> import numpy as np
    >>> from rocspace.designs import verified_scores
    >>> draw = np.random.default_rng(1)
    >>> ill = draw.random(2000) < 0.3
    >>> old, new = draw.normal(size=(2, 2000)) + [[1.0], [1.5]] * ill
    >>> seen = draw.random(2000) < np.where(old > 1, 0.9, 0.2)
    >>> data = verified_scores(np.where(seen, ill, np.nan), {"new": new, "old": old})
    >>> print(verified_auc_difference(data, "new", "old"))
    0.065 (95 % interval 0.001 to 0.129)
    """
    check_verified("verified_auc_difference", data)
    check_choice("method", method, VerificationMethod)
    names = two_names("verified_auc_difference", data.names, first, second)
    problem = problem_of(data, method, verification, truth)
    read = read_all(problem, [_area_reader(data, name) for name in names], errors, n_boot, rng)
    one, two = (_area(data, name, read, i) for i, name in enumerate(names))
    return difference_of(one, two, read.covariance, read.df)


@explained
def verified_rates(
    data: VerifiedScores,
    threshold: float,
    name: str | None = None,
    *,
    method: VerificationMethod = "doubly-robust",
    verification: Model = None,
    truth: Model = None,
    errors: ErrorMethod = "influence",
    n_boot: int = 500,
    rng: Rng = 0,
) -> CorrectedRates:
    """Rates, predictive values and prevalence of all cases at a threshold.

    Parameters
    ----------
    data : VerifiedScores
        From `verified_scores`.
    threshold : float
        Cases with this score, or a more positive one, are called positive.
    name, method, verification, truth, errors, n_boot, rng
        As for `verified_auc_estimate`.

    Returns
    -------
    CorrectedRates
        Each rate with its standard error and ``interval(level)``.

    Raises
    ------
    ValueError
        As `verified_auc_estimate`, or if no case or every case is called positive, so that there
        is no predictive value.

    Notes
    -----
    The intervals of "doubly-robust" are "moderated" as that of the area is: where none of the few
    positives below the threshold was verified, the observed standard error of the tpr is near 0.
    For a score with three levels and 120 cases, half of them verified, the interval of the tpr
    covered in 97 percent of 1,000 simulated samples at level 0.95; by the observed error alone it
    covered in 85. Where at least one model holds, and in a population where neither does, the rates
    and the ppv were covered in 94.4 percent or more ("Measured coverage" in the docs). O(n).

    References
    ----------
    Alonzo and Pepe (2005), a paper on this alone.

    Examples
    --------
    >>> import numpy as np
    >>> from rocspace.designs import verified_scores
    >>> draw = np.random.default_rng(1)
    >>> ill = draw.random(2000) < 0.3
    >>> test = draw.normal(size=2000) + ill
    >>> seen = draw.random(2000) < 1 / (1 + np.exp(-test))
    >>> data = verified_scores(np.where(seen, ill, np.nan), test)
    >>> rates = verified_rates(data, 1.0)
    >>> print(rates.tpr)
    0.494 (95 % interval 0.445 to 0.544)
    """
    check_verified("verified_rates", data)
    check_choice("method", method, VerificationMethod)
    name = data.name_of(name)
    score = data.column(name)
    high = data.rises(name)
    called = (score >= threshold if high else score <= threshold).astype(np.float64)
    if called.all() or not called.any():
        msg = (
            f"threshold is {threshold:g}, by which {'every' if called.all() else 'no'} case is "
            f"called positive. Choose one between {score.min():g} and {score.max():g}."
        )
        raise ValueError(msg)
    parts = {
        "tpr": ((called, 0.0), (1.0, 0.0)),
        "fpr": ((0.0, called), (0.0, 1.0)),
        "ppv": ((called, 0.0), (called, called)),
        "npv": ((0.0, 1 - called), (1 - called, 1 - called)),
        "prevalence": ((1.0, 0.0), (1.0, 1.0)),
    }

    def reader(of: Any, among: Any) -> Reader:
        return lambda pos, neg, times: share_reading(pos, neg, of, among, times)

    readers = [reader(*part) for part in parts.values()]
    read = read_all(problem_of(data, method, verification, truth), readers, errors, n_boot, rng)
    found = {
        each: CorrectedRate(
            value=min(max(float(read.values[i]), 0.0), 1.0),
            se=read.se(i),
            method=read.method,
            df=read.df,
            model_se=float(read.model_se[i]),
        )
        for i, each in enumerate(parts)
    }
    return CorrectedRates(threshold=float(threshold), **found)


@explained
def verified_curve(
    data: VerifiedScores,
    name: str | None = None,
    *,
    method: VerificationMethod = "doubly-robust",
    verification: Model = None,
    truth: Model = None,
) -> CorrectedCurve:
    """ROC curve of all cases, where the truth is known for a chosen part of them.

    Parameters
    ----------
    data, name, method, verification, truth
        As for `verified_auc_estimate`.

    Returns
    -------
    CorrectedCurve
        The curve, which plots, bands and distances take. Doubly robust rates can fall, or leave
        [0, 1]; those drawn are cut and sorted, those estimated are ``raw_fpr`` and ``raw_tpr``.

    Raises
    ------
    ValueError
        As `verified_auc_estimate`.

    Notes
    -----
    O(n log n). The area of the drawn curve differs a little from `verified_auc_estimate`, which
    leaves out pairs of a case with itself.

    References
    ----------
    Alonzo and Pepe (2005), a paper on this alone; Chernozhukov, Fernandez-Val and Galichon (2009),
    a paper on this alone, for sorting the rates.

    Examples
    --------
    >>> from rocspace.designs import verified_scores
    >>> data = verified_scores([1, 0, None, 1, 0, None], [6, 5, 4, 3, 2, 1])
    >>> curve = verified_curve(data, method="ipw", verification=[])
    >>> curve.fpr, curve.tpr
    (array([0. , 0. , 0.5, 0.5, 0.5, 1. , 1. ]), array([0. , 0.5, 0.5, 0.5, 1. , 1. , 1. ]))
    """
    check_verified("verified_curve", data)
    check_choice("method", method, VerificationMethod)
    name = data.name_of(name)
    higher = data.rises(name)
    order: Ranked = ranked(data.column(name), higher_is_positive=higher)
    problem = problem_of(data, method, verification, truth)
    solved = problem.solve()
    warn_of(problem, solved)
    pos, neg = order.summed(solved.pos), order.summed(solved.neg)
    return curve_of(order.threshold, pos, neg, f"verification, {method}", higher=higher)


@explained
def verified_band(
    data: VerifiedScores,
    name: str | None = None,
    *,
    method: VerificationMethod = "doubly-robust",
    verification: Model = None,
    truth: Model = None,
    level: float = 0.95,
    n_boot: int = 500,
    grid: int = 101,
    rng: Rng = 0,
) -> Band:
    """Band of the ROC curve of all cases, where the truth is known for a chosen part of them.

    Parameters
    ----------
    data, name, method, verification, truth
        As for `verified_auc_estimate`.
    level : float, default 0.95
        Confidence level at each false positive rate, strictly between 0 and 1.
    n_boot : int, default 500
        Number of samples of the cases; both models are fitted anew in each.
    grid : int, default 101
        Number of false positive rates, from 0 to 1.
    rng : numpy.random.Generator or int, default 0
        Generator or seed.

    Returns
    -------
    Band
        Limits at each false positive rate by itself.

    Raises
    ------
    ValueError
        As `verified_auc_estimate`, or if there are fewer than 20 samples.

    Notes
    -----
    The limits are Wilson's, with the standard error of the true positive rate over the samples and
    a t quantile. That of "doubly-robust" is "moderated", as that of `verified_rates`, by the
    standard error that both models expect at the threshold: in a sample where none of the few
    positives below it was verified, all samples of the cases agree. Where the curve is 0 or 1, the
    limits are the exact ones for 0 of the verified positives. Where a limit would fall, it is
    relaxed. In 200 to 1000 samples of each of four situations of 150 to 500 cases the limits at fpr
    .1, .3 and .6 held in 95.0 to 98.6 percent; once, where few of the positives with low scores
    were verified, at fpr .6 in 91.5 ("Measured coverage" in the docs). O(n_boot n log n).

    References
    ----------
    Alonzo and Pepe (2005), a paper on this alone, who take the bootstrap; Brown, Cai and DasGupta
    (2001), section 3.1, after Wilson (1927), for the limits; Smyth (2004), a paper on this alone,
    for moderated standard errors.

    Examples
    --------
    >>> from rocspace.designs import verified_scores
    >>> data = verified_scores([1, 0, None, 1, 0, None] * 9, [6, 5, 4, 3, 2, 1] * 9)
    >>> verified_band(data, method="ipw", verification=[], n_boot=100, grid=11)
    Band(verification, ipw, level 0.95, pointwise, area 0.384)
    """
    check_verified("verified_band", data)
    check_choice("method", method, VerificationMethod)
    check_level(level)
    check_times("grid", grid)
    name = data.name_of(name)
    order = ranked(data.column(name), higher_is_positive=data.rises(name))
    problem = problem_of(data, method, verification, truth)
    fpr = np.linspace(0, 1, max(grid, 2))

    def curve(times: Vector | None) -> CorrectedCurve:
        solved = problem.solve(times)
        many = 1.0 if times is None else times
        pos, neg = order.summed(many * solved.pos), order.summed(many * solved.neg)
        return curve_of(order.threshold, pos, neg, "", higher=True)

    whole = curve(None)
    readers = [_height_reader(order, whole, x) for x in fpr.tolist()]
    expected = read_all(problem, readers, "influence", 0, 0)
    drawn = [curve(times).tpr_at(fpr) for times in samples_of(problem, n_boot, rng)]
    spread = np.std(drawn, axis=0, ddof=1)
    low, high = _limits(whole.tpr_at(fpr), spread, expected, possible(data.n_pos, level), level)
    return Band(
        fpr=fpr,
        low=nondecreasing(low, lower=True, tight=False),
        high=nondecreasing(high, lower=False, tight=False),
        level=level,
        method=f"verification, {method}",
        simultaneous=False,
    )


def _limits(
    at: Vector, spread: Vector, expected: Read, room: float, level: float
) -> tuple[Vector, Vector]:
    """Return the limits of rates that vary so much; of 0 and 1 those that leave some room."""
    columns = at, spread, expected.dfs, expected.model_se
    rates = [
        CorrectedRate(value=value, se=se, method=expected.method, df=df, model_se=model_se)
        for value, se, df, model_se in np.column_stack(columns).tolist()
    ]
    low, high = np.array([tuple(rate.interval(level)) for rate in rates]).T
    none, all_ = at <= EDGE, at >= 1 - EDGE
    low = np.where(all_, 1 - room, np.where(none, 0.0, low))
    high = np.where(none, room, np.where(all_, 1.0, high))
    low[0], high[-1] = 0.0, 1.0
    return low, high


def _height_reader(order: Ranked, curve: CorrectedCurve, fpr: float) -> Reader:
    """Read the true positive rate at the threshold where the curve has a false positive rate.

    Between two points of the curve the cases of the lower one are called positive in part.
    """
    last = int(np.searchsorted(curve.fpr, fpr, "right")) - 1
    part = 0.0
    if last + 1 < curve.fpr.size:
        part = float((fpr - curve.fpr[last]) / (curve.fpr[last + 1] - curve.fpr[last]))
    called = (order.rank < last) + part * (order.rank == last)
    return lambda pos, neg, times: share_reading(pos, neg, (called, 0.0), (1.0, 0.0), times)


@explained
def verified_table(
    data: VerifiedScores,
    name: str | None = None,
    *,
    method: VerificationMethod = "ipw",
    verification: Model = None,
    truth: Model = None,
) -> ScoreTable:
    """Count all cases with their weights in both classes: a table that every room reads.

    Parameters
    ----------
    data, name, verification, truth
        As for `verified_auc_estimate`.
    method : {"ipw", "imputation", "mean-score", "doubly-robust"}, default "ipw"
        As for `verified_auc_estimate`. Doubly robust weights make a table only where none is
        negative.

    Returns
    -------
    ScoreTable
        Weights by distinct score: curves, thresholds, costs and net benefit of all cases. Standard
        errors read from it do not allow for the estimation of the weights.

    Raises
    ------
    ValueError
        As `verified_auc_estimate`, or if a weight is negative.

    Notes
    -----
    Each case enters twice: with its weight in the positives, and with its weight in the negatives.
    O(n log n).

    References
    ----------
    Alonzo and Pepe (2005), a paper on this alone.

    Examples
    --------
    >>> from rocspace.designs import verified_scores
    >>> data = verified_scores([1, 0, None, 1, 0, None], [6, 5, 4, 3, 2, 1])
    >>> verified_table(data, verification=[])
    ScoreTable(4 distinct scores, 3 positives, 3 negatives by weight)
    """
    check_verified("verified_table", data)
    check_choice("method", method, VerificationMethod)
    name = data.name_of(name)
    problem = problem_of(data, method, verification, truth)
    solved = problem.solve()
    warn_of(problem, solved)
    if min(solved.pos.min(), solved.neg.min()) < 0:
        msg = (
            "Some doubly robust weights are negative, which no ScoreTable can hold. Use "
            'method="ipw" or "mean-score", or read verified_curve(data).'
        )
        raise ValueError(msg)
    label, score = np.repeat([True, False], len(data)), data.column(name)
    return tabulate(
        label,
        np.concatenate([score, score]),
        sample_weight=np.concatenate([solved.pos, solved.neg]),
        higher_is_positive=data.rises(name),
    )


# --- verification that depends on the truth -------------------------------------------------------


class VerificationSensitivity(Result):
    """Areas under several assumptions on how verification depends on the truth itself.

    Attributes
    ----------
    log_odds : ndarray, shape (m,)
        Assumed log odds ratios of being verified, of a positive against a negative with the same
        columns. 0 means missing at random.
    auc, se : ndarray, shape (m,)
        The corrected area under each, and its standard error.
    prevalence : ndarray, shape (m,)
        The share of positives under each.
    estimates : tuple of CorrectedArea
        The areas, with their intervals.

    See Also
    --------
    verification_sensitivity
    """

    log_odds: Vector
    auc: Vector
    se: Vector
    prevalence: Vector
    estimates: tuple[CorrectedArea, ...]

    def _card(self) -> Card:
        rows = (
            (either(odds), str(area), either(share))
            for odds, area, share in zip(
                self.log_odds, self.estimates, self.prevalence, strict=True
            )
        )
        return Card(rows={}, header=("Log odds", "Area", "Prevalence"), table=tuple(rows))

    def _columns(self) -> dict[str, Any]:
        ends = [each.interval() for each in self.estimates]
        return {
            "log_odds": self.log_odds,
            "auc": self.auc,
            "se": self.se,
            "low": [end.low for end in ends],
            "high": [end.high for end in ends],
            "prevalence": self.prevalence,
        }


@explained
def verification_sensitivity(
    data: VerifiedScores,
    name: str | None = None,
    *,
    log_odds: Sequence[float] = (-1.0, -0.5, 0.0, 0.5, 1.0),
    truth: Model = None,
) -> VerificationSensitivity:
    """Areas if verification depends on the truth itself, by so much.

    Parameters
    ----------
    data, name, truth
        As for `verified_auc_estimate`.
    log_odds : sequence of float, default (-1, -0.5, 0, 0.5, 1)
        Log odds ratios of being verified, of a positive against a negative case with the same
        columns. No data can tell them; 0 means missing at random.

    Returns
    -------
    VerificationSensitivity
        The area under each, by "mean-score".

    Raises
    ------
    ValueError
        As `verified_auc_estimate`, or if a log odds ratio is not finite.

    Notes
    -----
    By Bayes' rule an unverified case has the odds of a verified case with the same columns, divided
    by the odds ratio, whatever else verification depends on. So the model of the truth is fitted to
    the verified cases, and its log odds are shifted for the others. The cost is that of
    `verified_auc_estimate` for each odds ratio.

    References
    ----------
    Rotnitzky, Faraggi and Schisterman (2006), a paper on this alone, who assume the same.

    Examples
    --------
    >>> import numpy as np
    >>> from rocspace.designs import verified_scores
    >>> draw = np.random.default_rng(1)
    >>> ill = draw.random(2000) < 0.3
    >>> test = draw.normal(size=2000) + ill
    >>> seen = draw.random(2000) < 1 / (1 + np.exp(-test))
    >>> data = verified_scores(np.where(seen, ill, np.nan), test)
    >>> verification_sensitivity(data, log_odds=(-1, 0, 1)).auc.round(3)
    array([0.733, 0.781, 0.808])
    """
    check_verified("verification_sensitivity", data)
    name = data.name_of(name)
    tilts = np.asarray(log_odds, dtype=np.float64).ravel()
    if tilts.size == 0 or not np.isfinite(tilts).all():
        msg = (
            f"log_odds is {log_odds!r}, but must be one finite number or more, such as (-1, 0, 1)."
        )
        raise ValueError(msg)
    plain, areas, shares = problem_of(data, "mean-score", None, truth), [], []
    for tilt in tilts.tolist():
        problem = replace(plain, tilt=tilt)
        areas.append(estimated_area(data, name, problem))
        shares.append(float(problem.solve().pos.mean()))
    return VerificationSensitivity(
        log_odds=tilts,
        auc=np.array([area.value for area in areas]),
        se=np.array([area.se for area in areas]),
        prevalence=np.array(shares),
        estimates=tuple(areas),
    )
