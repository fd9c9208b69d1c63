"""Measures of a confusion matrix, each with its facts.

Every measure takes anything that has ``tp``, ``fp``, ``fn`` and ``tn``, numbers or arrays: a
`ConfusionMatrix`, an `OperatingPoint`, or `evaluate` of many thresholds at once. It returns
a float, or an array of that shape. A ratio of nothing to nothing is nan; ``zero_division``
replaces it where a measure offers that. Ranges, directions and what a measure depends on
stand beside it and feed the documentation, the report and one test of them all: `MEASURES`.

In the formulas P = TP + FN and N = FP + TN are the class sizes, n = P + N.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeAlias, TypeVar

import numpy as np

from rocspace._base.checks import check_fraction
from rocspace._base.exact import ratio
from rocspace.counts.confusion import Counts
from rocspace.measures.facts import Better, Measure

P = ParamSpec("P")
R = TypeVar("R")
Number: TypeAlias = Any
"""A float, or an array of them where the counts are arrays."""

_INF = float("inf")
_NAN = float("nan")


MEASURES: dict[str, Measure] = {}
"""Every measure of a confusion matrix by name."""


def measure(
    *, range: tuple[float, float], better: Better, uses_prevalence: bool
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Enter a function with its facts into `MEASURES`; the function stays as it is."""

    def enter(function: Callable[P, R]) -> Callable[P, R]:
        MEASURES[function.__name__] = Measure(
            name=function.__name__,
            home="rocspace.measures",
            range=range,
            better=better,
            uses_prevalence=uses_prevalence,
        )
        return function

    return enter


def _where_nan(value: Number, instead: Number) -> Number:
    result: Any = np.where(np.isnan(value), instead, value)
    return result if result.ndim else float(result)


def _xlogy(x: Number, y: Number) -> Number:
    """``x log2(y)``, zero where x is."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(np.asarray(x) == 0, 0.0, x * np.log2(np.where(np.asarray(x) == 0, 1.0, y)))


# --- rates, each within one class -------------------------------------------------------------


@measure(range=(0, 1), better="higher", uses_prevalence=False)
def tpr(c: Counts) -> Number:
    """Share of the positives that are called positive: TP / P.

    nan without positives. Also called sensitivity, recall, hit rate.
    """
    return ratio(c.tp, c.tp + c.fn)


@measure(range=(0, 1), better="lower", uses_prevalence=False)
def fpr(c: Counts) -> Number:
    """Share of the negatives that are called positive: FP / N.

    nan without negatives. Also called false alarm rate, fall-out, 1 - specificity.
    """
    return ratio(c.fp, c.fp + c.tn)


@measure(range=(0, 1), better="higher", uses_prevalence=False)
def tnr(c: Counts) -> Number:
    """Share of the negatives that are called negative: TN / N = 1 - fpr.

    nan without negatives. Also called specificity, selectivity.
    """
    return ratio(c.tn, c.fp + c.tn)


@measure(range=(0, 1), better="lower", uses_prevalence=False)
def fnr(c: Counts) -> Number:
    """Share of the positives that are called negative: FN / P = 1 - tpr.

    nan without positives. Also called miss rate.
    """
    return ratio(c.fn, c.tp + c.fn)


@measure(range=(-1, 1), better="higher", uses_prevalence=False)
def informedness(c: Counts) -> Number:
    """Difference of the two rates: tpr - fpr, 0 for guessing.

    nan without either class. Its largest value over all thresholds is the Youden index.
    """
    return tpr(c) - fpr(c)


@measure(range=(0, 1), better="higher", uses_prevalence=False)
def balanced_accuracy(c: Counts) -> Number:
    """Mean of the shares of both classes that are right: (tpr + tnr) / 2.

    nan without either class; 1/2 for guessing.
    """
    return (tpr(c) + tnr(c)) / 2


@measure(range=(0, 1), better="higher", uses_prevalence=False)
def g_mean(c: Counts) -> Number:
    """Geometric mean of the shares that are right: sqrt(tpr tnr); Kubat et al. (1998)."""
    return np.sqrt(tpr(c) * tnr(c))


@measure(range=(0, 1), better="higher", uses_prevalence=False)
def index_of_balanced_accuracy(c: Counts, *, alpha: float = 0.1) -> Number:
    """Squared g-mean, tilted towards the positives: (1 + alpha (tpr - tnr)) tpr tnr.

    ``alpha`` in [0, 1] is the weight of the tilt; Lopez et al. (2013).
    """
    return (1 + alpha * (tpr(c) - tnr(c))) * tpr(c) * tnr(c)


@measure(range=(0, _INF), better="higher", uses_prevalence=False)
def lr_positive(c: Counts) -> Number:
    """How much a positive call raises the odds: tpr / fpr.

    inf if only positives are called positive, nan if nobody is.
    """
    return ratio(tpr(c), fpr(c))


@measure(range=(0, _INF), better="lower", uses_prevalence=False)
def lr_negative(c: Counts) -> Number:
    """How much a negative call lowers the odds: fnr / tnr.

    inf if only positives are called negative, nan if nobody is.
    """
    return ratio(fnr(c), tnr(c))


@measure(range=(0, _INF), better="higher", uses_prevalence=False)
def diagnostic_odds_ratio(c: Counts) -> Number:
    """Ratio of the two likelihood ratios: TP TN / (FP FN).

    inf where FP FN = 0 < TP TN, nan where both products are 0.
    """
    return ratio(np.multiply(c.tp, c.tn, dtype=float), np.multiply(c.fp, c.fn, dtype=float))


# --- measures of both classes together ----------------------------------------------------------


@measure(range=(0, 1), better="neither", uses_prevalence=True)
def prevalence(c: Counts) -> Number:
    """Share of the cases that are positive: P / n."""
    return ratio(c.tp + c.fn, _total(c))


@measure(range=(0, 1), better="neither", uses_prevalence=True)
def predicted_positive_rate(c: Counts) -> Number:
    """Share of the cases that are called positive: (TP + FP) / n."""
    return ratio(c.tp + c.fp, _total(c))


@measure(range=(0, 1), better="higher", uses_prevalence=True)
def accuracy(c: Counts) -> Number:
    """Share of the cases that are right: (TP + TN) / n."""
    return ratio(c.tp + c.tn, _total(c))


@measure(range=(0, 1), better="lower", uses_prevalence=True)
def error_rate(c: Counts) -> Number:
    """Share of the cases that are wrong: (FP + FN) / n."""
    return ratio(c.fp + c.fn, _total(c))


@measure(range=(0, 1), better="higher", uses_prevalence=True)
def ppv(c: Counts, *, zero_division: float = _NAN) -> Number:
    """Share of the positive calls that are right: TP / (TP + FP).

    ``zero_division`` where nobody is called positive. Also called precision.
    """
    return _where_nan(ratio(c.tp, c.tp + c.fp), zero_division)


@measure(range=(0, 1), better="higher", uses_prevalence=True)
def npv(c: Counts, *, zero_division: float = _NAN) -> Number:
    """Share of the negative calls that are right: TN / (TN + FN).

    ``zero_division`` where nobody is called negative.
    """
    return _where_nan(ratio(c.tn, c.tn + c.fn), zero_division)


@measure(range=(0, 1), better="lower", uses_prevalence=True)
def false_discovery_rate(c: Counts) -> Number:
    """Share of the positive calls that are wrong: FP / (TP + FP) = 1 - ppv."""
    return ratio(c.fp, c.tp + c.fp)


@measure(range=(0, 1), better="lower", uses_prevalence=True)
def false_omission_rate(c: Counts) -> Number:
    """Share of the negative calls that are wrong: FN / (TN + FN) = 1 - npv."""
    return ratio(c.fn, c.tn + c.fn)


@measure(range=(0, _INF), better="higher", uses_prevalence=True)
def lift(c: Counts) -> Number:
    """How many times more positives among the positive calls than among all: ppv / prevalence."""
    return ratio(ppv(c), prevalence(c))


@measure(range=(0, 1), better="higher", uses_prevalence=True)
def f_score(c: Counts, *, zero_division: float = _NAN) -> Number:
    """Harmonic mean of precision and recall: 2 TP / (2 TP + FP + FN).

    0 where TP is 0 and something is wrong; ``zero_division`` where TP = FP = FN = 0.
    """
    return f_beta(c, beta=1.0, zero_division=zero_division)


@measure(range=(0, 1), better="higher", uses_prevalence=True)
def f_beta(c: Counts, *, beta: float = 2.0, zero_division: float = _NAN) -> Number:
    """Mean of precision and recall, recall ``beta`` times as important.

    (1 + b^2) TP / ((1 + b^2) TP + b^2 FN + FP); ``beta`` > 0, 2 by default.
    """
    b2 = beta * beta
    return _where_nan(ratio((1 + b2) * c.tp, (1 + b2) * c.tp + b2 * c.fn + c.fp), zero_division)


@measure(range=(-1, 1), better="higher", uses_prevalence=True)
def markedness(c: Counts) -> Number:
    """How much the calls tell about the class: ppv + npv - 1; nan where either is."""
    return ppv(c) + npv(c) - 1


@measure(range=(-1, 1), better="higher", uses_prevalence=True)
def matthews(c: Counts, *, zero_division: float = 0.0) -> Number:
    """Correlation of class and call, (TP TN - FP FN) / sqrt((TP+FP) P N (TN+FN)).

    ``zero_division``, 0 by default, where one of the four margins is zero. Also called
    MCC, phi.
    """
    tp, fp, fn, tn = _floats(c)
    # Two roots, so that the product of four margins cannot overflow.
    scale = np.sqrt((tp + fp) * (tp + fn)) * np.sqrt((tn + fp) * (tn + fn))
    return _where_nan(ratio(tp * tn - fp * fn, scale), zero_division)


@measure(range=(-1, 1), better="higher", uses_prevalence=True)
def kappa(c: Counts) -> Number:
    """Agreement of class and call beyond chance; Cohen (1960).

    (accuracy - e) / (1 - e), e the accuracy of independent calls with the same margins;
    nan where e is 1.
    """
    tp, fp, fn, tn = _floats(c)
    # Both sides times n^2: 1 - e would lose the digits of a rare class.
    return ratio(2 * (tp * tn - fp * fn), (tp + fp) * (fp + tn) + (tp + fn) * (fn + tn))


@measure(range=(-0.25, 0.25), better="higher", uses_prevalence=True)
def weighted_relative_accuracy(c: Counts) -> Number:
    """Informedness weighted by the class mix: pi (1 - pi) (tpr - fpr)."""
    pi = prevalence(c)
    return pi * (1 - pi) * informedness(c)


@measure(range=(0, _INF), better="higher", uses_prevalence=True)
def chi_square(c: Counts) -> Number:
    """Pearson's chi-square of class against call, n mcc^2; nan where a margin is zero."""
    mcc = matthews(c, zero_division=_NAN)
    return _total(c) * mcc * mcc


@measure(range=(0, 0.5), better="higher", uses_prevalence=True)
def gini_gain(c: Counts) -> Number:
    """Fall of the Gini impurity 2 p (1 - p) when the calls are known: 2 pi (1 - pi) mcc^2.

    0 where all calls are alike; what a split of a decision tree gains.
    """
    pi, mcc = prevalence(c), matthews(c)
    return 2 * pi * (1 - pi) * np.minimum(mcc * mcc, 1.0)


@measure(range=(0, 1), better="higher", uses_prevalence=True)
def mutual_information(c: Counts) -> Number:
    """Bits that the call tells about the class, at most the entropy of the class."""
    tp, fp, fn, tn = _floats(c)
    n, columns = tp + fp + fn + tn, (tp + fn, fp + tn)
    bits = sum(
        _xlogy(ratio(cell, n), ratio(cell * n, row * column))
        for pair, row in (((tp, fp), tp + fp), ((fn, tn), fn + tn))
        for cell, column in zip(pair, columns, strict=True)
    )
    return np.maximum(bits, 0.0)  # rounding may leave -1e-17 of nothing


@measure(range=(0, _INF), better="lower", uses_prevalence=True)
def expected_cost(
    c: Counts, *, cost_fp: float = 1.0, cost_fn: float = 1.0, prevalence: float | None = None
) -> Number:
    """Mean cost of a case: pi fnr cost_fn + (1 - pi) fpr cost_fp.

    ``cost_fp`` and ``cost_fn`` are the costs of a false positive and a false negative, in any
    unit; ``prevalence`` is the share pi of positives where the calls will be used, by
    default that of the data. Fawcett (2006), section 4.2.
    """
    if prevalence is None:
        return ratio(cost_fn * c.fn + cost_fp * c.fp, _total(c))
    pi = check_fraction("prevalence", prevalence)
    return pi * fnr(c) * cost_fn + (1 - pi) * fpr(c) * cost_fp


def _total(c: Counts) -> Number:
    return c.tp + c.fp + c.fn + c.tn


def _floats(c: Counts) -> tuple[Number, Number, Number, Number]:
    """Return tp, fp, fn, tn as float64, whose products cannot overflow."""
    tp, fp, fn, tn = (np.asarray(x, dtype=np.float64)[()] for x in (c.tp, c.fp, c.fn, c.tn))
    return tp, fp, fn, tn
