"""Measures of a confusion matrix, each defined once, with its facts.

Every measure takes anything that has ``tp``, ``fp``, ``fn`` and ``tn``, numbers or arrays: a
`ConfusionMatrix`, an `OperatingPoint`, or `evaluate` of many thresholds at once. It returns a
float, or an array of that shape; of fractions, a fraction. A ratio 0 / 0 is nan; ``zero_division``
replaces it where a measure has that option. The range, the good end and the dependence on
prevalence and costs stand beside each measure, in `rocspace.MEASURES`; the documentation, the
report, the choice of thresholds, the isometrics and a common test read them there.

In the formulas P = TP + FN and N = FP + TN are the class sizes, n = P + N.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from rocspace._base.checks import check_fraction
from rocspace._base.exact import ratio
from rocspace.counts.confusion import Counts
from rocspace.measures.costs_of_errors import Costs, as_costs
from rocspace.measures.entry import Form, Number, as_fraction, measure, mixed

_INF = float("inf")
_NAN = float("nan")
_ONE = (0.0, 0.0, 1.0)


def total(c: Counts) -> Number:
    """Return the number of cases, n."""
    return c.tp + c.fp + c.fn + c.tn


def _four(c: Counts) -> tuple[Number, Number, Number, Number]:
    """Return tp, fp, fn, tn as float64, so that products cannot overflow, or as fractions."""
    counts = c.tp, c.fp, c.fn, c.tn
    if isinstance(c.tp, Fraction):
        return counts
    tp, fp, fn, tn = (np.asarray(x, dtype=np.float64)[()] for x in counts)
    return tp, fp, fn, tn


def _like(c: Counts, option: float) -> Number:
    """Return an option of a measure, as a fraction if the counts are fractions."""
    return as_fraction(option) if isinstance(c.tp, Fraction) else option


def _where_nan(value: Number, instead: Number) -> Number:
    if isinstance(value, Fraction):
        return value
    result: Any = np.where(np.isnan(value), instead, value)
    return result if result.ndim else float(result)


def _least(a: Number, b: Number) -> Number:
    """Return the smaller one; nan where either is."""
    a, b = a + 0 * b, b + 0 * a
    return np.minimum(a, b) if isinstance(a, np.ndarray) else (a if a != a else min(a, b))


def _larger(a: Number, b: Number) -> Number:
    return np.maximum(a, b) if isinstance(a, np.ndarray) else max(a, b)


def _xlogy(x: Number, y: Number) -> Number:
    """``x log2(y)``, zero where x is."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(np.asarray(x) == 0, 0.0, x * np.log2(y))


def _root(value: Number) -> Number:
    """Return the square root, with its sign."""
    return np.sign(value) * np.sqrt(np.abs(value))


def _phi_squared(c: Counts) -> Number:
    """Square of the correlation of class and call, as two ratios that cannot overflow."""
    tp, fp, fn, tn = _four(c)
    determinant = tp * tn - fp * fn
    rows = ratio(determinant, (tp + fp) * (tn + fn))
    return rows * ratio(determinant, (tp + fn) * (fp + tn))


def _signed_phi_squared(c: Counts) -> Number:
    square, (tp, fp, fn, tn) = _phi_squared(c), _four(c)
    if isinstance(square, Fraction):
        return square if tp * tn > fp * fn else -square
    return np.sign(tp * tn - fp * fn) * _where_nan(square, 0.0)


def _kappa(c: Counts, net: tuple[Number, Number]) -> Number:
    tp, fp, fn, tn = _four(c)
    w = ratio(net[0], net[0] + net[1])
    # Numerator and denominator times n^2: 1 - e would lose digits for a rare class.
    below = w * (tp + fn) * (fn + tn) + (1 - w) * (fp + tn) * (tp + fp)
    return ratio(tp * tn - fp * fn, below)


def _kappa_form(P: float, N: float, costs: Any = None) -> Form:
    miss, alarm = (1.0, 1.0) if costs is None else map(float, as_costs(costs).net)
    w, v = miss / (miss + alarm), alarm / (miss + alarm)
    return (P * N, -P * N, 0), (v * P * N - w * P * P, v * N * N - w * P * N, w * P * (P + N))


def _f_form(P: float, N: float, beta: float = 2.0, **_: Any) -> Form:
    b2 = beta * beta
    return ((1 + b2) * P, 0.0, 0.0), (P, N, b2 * P)


def _smoothed_form(P: float, N: float, strength: float = 2.0, prior: float = 0.5) -> Form:
    return (P, 0.0, strength * prior), (P, N, strength)


def cost_form(P: float, N: float, costs: Any = None, prevalence: float | None = None) -> Form:
    """Return the form of the mean cost, without the costs of correct calls."""
    net = (1.0, 1.0) if costs is None else tuple(map(float, as_costs(costs).net))
    pi = P / (P + N) if prevalence is None else prevalence
    return (-pi * net[0], (1 - pi) * net[1], pi * net[0]), _ONE


# --- rates, each within one class -------------------------------------------------------------


@measure(form=lambda P, N: ((1, 0, 0), _ONE), one_division=True)
def tpr(c: Counts) -> Number:
    """Share of the positives that are called positive: TP / P.

    nan without positives. Also called sensitivity, recall, hit rate.

    References
    ----------
    Fawcett (2006), figure 1; Wang, Zhu and Xu (2021), equation 3.

    Examples
    --------
    >>> from rocspace import ConfusionMatrix
    >>> print(f"{tpr(ConfusionMatrix(tp=5, fp=1, fn=5, tn=9)):.4f}")
    0.5000
    """
    return ratio(c.tp, c.tp + c.fn)


@measure(better="lower", form=lambda P, N: ((0, 1, 0), _ONE), one_division=True)
def fpr(c: Counts) -> Number:
    """Share of the negatives that are called positive: FP / N.

    nan without negatives. Also called false alarm rate, fall-out, 1 - specificity.

    References
    ----------
    Fawcett (2006), figure 1; Wang, Zhu and Xu (2021), equation 4.

    Examples
    --------
    >>> from rocspace import ConfusionMatrix
    >>> print(f"{fpr(ConfusionMatrix(tp=5, fp=1, fn=5, tn=9)):.4f}")
    0.1000
    """
    return ratio(c.fp, c.fp + c.tn)


@measure(form=lambda P, N: ((0, -1, 1), _ONE), one_division=True)
def tnr(c: Counts) -> Number:
    """Share of the negatives that are called negative: TN / N = 1 - fpr.

    nan without negatives. Also called specificity, selectivity.

    References
    ----------
    Fawcett (2006), section 2.

    Examples
    --------
    >>> from rocspace import ConfusionMatrix
    >>> print(f"{tnr(ConfusionMatrix(tp=5, fp=1, fn=5, tn=9)):.4f}")
    0.9000
    """
    return ratio(c.tn, c.fp + c.tn)


@measure(better="lower", form=lambda P, N: ((-1, 0, 1), _ONE), one_division=True)
def fnr(c: Counts) -> Number:
    """Share of the positives that are called negative: FN / P = 1 - tpr.

    nan without positives. Also called miss rate.

    References
    ----------
    No source: a plain definition, 1 minus `tpr`.

    Examples
    --------
    >>> from rocspace import ConfusionMatrix
    >>> print(f"{fnr(ConfusionMatrix(tp=5, fp=1, fn=5, tn=9)):.4f}")
    0.5000
    """
    return ratio(c.fn, c.tp + c.fn)


@measure(range=(-1, 1), criterion=False, form=lambda P, N: ((1, -1, 0), _ONE))
def informedness(c: Counts) -> Number:
    """Difference of the two rates: tpr - fpr, 0 for guessing.

    nan without either class. Its largest value over all thresholds is the Youden index.

    References
    ----------
    Wang, Zhu and Xu (2021), equation 31, after Youden (1950).

    Examples
    --------
    >>> from rocspace import ConfusionMatrix
    >>> print(f"{informedness(ConfusionMatrix(tp=5, fp=1, fn=5, tn=9)):.4f}")
    0.4000
    """
    return tpr(c) - fpr(c)


@measure(form=lambda P, N: ((0.5, -0.5, 0.5), _ONE))
def balanced_accuracy(c: Counts) -> Number:
    """Mean of the shares of both classes that are called right: (tpr + tnr) / 2.

    nan without either class; 1/2 for guessing.

    References
    ----------
    No source: a plain definition.

    Examples
    --------
    >>> from rocspace import ConfusionMatrix
    >>> print(f"{balanced_accuracy(ConfusionMatrix(tp=5, fp=1, fn=5, tn=9)):.4f}")
    0.7000
    """
    return (tpr(c) + tnr(c)) / 2


@measure(
    range=(0, 2**0.5),
    better="lower",
    exact=lambda c: 2 * (c.weight[0] * fnr(c) ** 2 + c.weight[1] * fpr(c) ** 2),
    uses_costs=True,
    shown=np.sqrt,
)
def closest(c: Counts) -> Number:
    """Distance to (0, 1): the root of fnr^2 + fpr^2, or of 2 (w fnr^2 + (1 - w) fpr^2).

    References
    ----------
    Wang, Zhu and Xu (2021), equation 39.

    Examples
    --------
    >>> from rocspace import ConfusionMatrix
    >>> print(f"{closest(ConfusionMatrix(tp=5, fp=1, fn=5, tn=9)):.4f}")
    0.5099
    """
    return np.sqrt(fnr(c) ** 2 + fpr(c) ** 2)


@measure()
def concordance(c: Counts) -> Number:
    """Product of tpr and tnr: the probability that both cases of a random pair are called right.

    References
    ----------
    As for `rocspace.operating.optimal_points`.

    Examples
    --------
    >>> from rocspace import ConfusionMatrix
    >>> print(f"{concordance(ConfusionMatrix(tp=5, fp=1, fn=5, tn=9)):.4f}")
    0.4500
    """
    return tpr(c) * tnr(c)


@measure(better="lower")
def symmetry(c: Counts) -> Number:
    """Absolute difference of tpr and tnr.

    References
    ----------
    As for `rocspace.operating.optimal_points`.

    Examples
    --------
    >>> from rocspace import ConfusionMatrix
    >>> print(f"{symmetry(ConfusionMatrix(tp=5, fp=1, fn=5, tn=9)):.4f}")
    0.4000
    """
    return abs(tpr(c) - tnr(c))


@measure()
def maximin(c: Counts) -> Number:
    """Minimum of tpr and tnr.

    References
    ----------
    As for `rocspace.operating.optimal_points`.

    Examples
    --------
    >>> from rocspace import ConfusionMatrix
    >>> print(f"{maximin(ConfusionMatrix(tp=5, fp=1, fn=5, tn=9)):.4f}")
    0.5000
    """
    return _least(tpr(c), tnr(c))


@measure(exact=concordance, shown=np.sqrt)
def g_mean(c: Counts) -> Number:
    """Geometric mean of tpr and tnr: sqrt(tpr tnr); Kubat et al. (1998).

    References
    ----------
    No source: a plain definition; its authors are named above.

    Examples
    --------
    >>> from rocspace import ConfusionMatrix
    >>> print(f"{g_mean(ConfusionMatrix(tp=5, fp=1, fn=5, tn=9)):.4f}")
    0.6708
    """
    return np.sqrt(tpr(c) * tnr(c))


@measure()
def index_of_balanced_accuracy(c: Counts, *, alpha: float = 0.1) -> Number:
    """Squared g-mean, tilted towards the positives: (1 + alpha (tpr - tnr)) tpr tnr.

    ``alpha`` in [0, 1] is the weight of the tilt; Lopez et al. (2013).

    References
    ----------
    No source: a plain definition; its authors are named above.

    Examples
    --------
    >>> from rocspace import ConfusionMatrix
    >>> print(f"{index_of_balanced_accuracy(ConfusionMatrix(tp=5, fp=1, fn=5, tn=9)):.4f}")
    0.4320
    """
    return (1 + _like(c, alpha) * (tpr(c) - tnr(c))) * tpr(c) * tnr(c)


@measure(range=(0, _INF), finite=True, form=lambda P, N: ((1, 0, 0), (0, 1, 0)))
def lr_positive(c: Counts) -> Number:
    """Factor by which a positive call raises the odds of being positive: tpr / fpr.

    inf if only positives are called positive, nan if no case is.

    References
    ----------
    No source: a plain definition.

    Examples
    --------
    >>> from rocspace import ConfusionMatrix
    >>> print(f"{lr_positive(ConfusionMatrix(tp=5, fp=1, fn=5, tn=9)):.4f}")
    5.0000
    """
    return ratio(tpr(c), fpr(c))


@measure(range=(0, _INF), better="lower", finite=True, form=lambda P, N: ((-1, 0, 1), (0, -1, 1)))
def lr_negative(c: Counts) -> Number:
    """Factor by which a negative call lowers the odds of being positive: fnr / tnr.

    inf if only positives are called negative, nan if no case is.

    References
    ----------
    No source: a plain definition.

    Examples
    --------
    >>> from rocspace import ConfusionMatrix
    >>> print(f"{lr_negative(ConfusionMatrix(tp=5, fp=1, fn=5, tn=9)):.4f}")
    0.5556
    """
    return ratio(fnr(c), tnr(c))


@measure(range=(0, _INF), finite=True)
def diagnostic_odds_ratio(c: Counts) -> Number:
    """Ratio of the two likelihood ratios: TP TN / (FP FN).

    inf where FP FN = 0 < TP TN, nan where both products are 0.

    References
    ----------
    No source: a plain definition.

    Examples
    --------
    >>> from rocspace import ConfusionMatrix
    >>> print(f"{diagnostic_odds_ratio(ConfusionMatrix(tp=5, fp=1, fn=5, tn=9)):.4f}")
    9.0000
    """
    tp, fp, fn, tn = _four(c)
    return ratio(tp * tn, fp * fn)


# --- measures of both classes together ----------------------------------------------------------


@mixed(better="neither", criterion=False)
def prevalence(c: Counts) -> Number:
    """Share of the cases that are positive: P / n.

    References
    ----------
    No source: a plain definition.

    Examples
    --------
    >>> from rocspace import ConfusionMatrix
    >>> print(f"{prevalence(ConfusionMatrix(tp=5, fp=1, fn=5, tn=9)):.4f}")
    0.5000
    """
    return ratio(c.tp + c.fn, total(c))


@mixed(better="neither", form=lambda P, N: ((P, N, 0), (0, 0, P + N)), one_division=True)
def predicted_positive_rate(c: Counts) -> Number:
    """Share of the cases that are called positive: (TP + FP) / n.

    References
    ----------
    No source: a plain definition.

    Examples
    --------
    >>> from rocspace import ConfusionMatrix
    >>> print(f"{predicted_positive_rate(ConfusionMatrix(tp=5, fp=1, fn=5, tn=9)):.4f}")
    0.3000
    """
    return ratio(c.tp + c.fp, total(c))


@mixed(form=lambda P, N: ((P, -N, N), (0, 0, P + N)), one_division=True)
def accuracy(c: Counts) -> Number:
    """Share of the cases that are called right: (TP + TN) / n.

    References
    ----------
    Fawcett (2006), figure 1; Wang, Zhu and Xu (2021), equation 2.

    Examples
    --------
    >>> from rocspace import ConfusionMatrix
    >>> print(f"{accuracy(ConfusionMatrix(tp=5, fp=1, fn=5, tn=9)):.4f}")
    0.7000
    """
    return ratio(c.tp + c.tn, total(c))


@mixed(better="lower", form=lambda P, N: ((-P, N, P), (0, 0, P + N)), one_division=True)
def error_rate(c: Counts) -> Number:
    """Share of the cases that are called wrong: (FP + FN) / n.

    References
    ----------
    No source: a plain definition, 1 minus `accuracy`.

    Examples
    --------
    >>> from rocspace import ConfusionMatrix
    >>> print(f"{error_rate(ConfusionMatrix(tp=5, fp=1, fn=5, tn=9)):.4f}")
    0.3000
    """
    return ratio(c.fp + c.fn, total(c))


@mixed(better="lower")
def minimax(c: Counts) -> Number:
    """Larger of the shares of false positives and of false negatives among all cases.

    References
    ----------
    As for `rocspace.operating.optimal_points`.

    Examples
    --------
    >>> from rocspace import ConfusionMatrix
    >>> print(f"{minimax(ConfusionMatrix(tp=5, fp=1, fn=5, tn=9)):.4f}")
    0.2500
    """
    return ratio(_larger(c.fn, c.fp), total(c))


@mixed(better="lower")
def prevalence_matching(c: Counts) -> Number:
    """Absolute difference of the shares of positives and of positive calls.

    References
    ----------
    As for `rocspace.operating.optimal_points`.

    Examples
    --------
    >>> from rocspace import ConfusionMatrix
    >>> print(f"{prevalence_matching(ConfusionMatrix(tp=5, fp=1, fn=5, tn=9)):.4f}")
    0.2000
    """
    _, fp, fn, _ = _four(c)
    return ratio(abs(fn - fp), total(c))


@mixed(form=lambda P, N, **_: ((P, 0, 0), (P, N, 0)), one_division=True)
def ppv(c: Counts, *, zero_division: float = _NAN) -> Number:
    """Share of the positive calls that are right: TP / (TP + FP).

    ``zero_division`` where no case is called positive. Also called precision.

    References
    ----------
    Fawcett (2006), figure 1; Wang, Zhu and Xu (2021), equation 5.

    Examples
    --------
    >>> from rocspace import ConfusionMatrix
    >>> print(f"{ppv(ConfusionMatrix(tp=5, fp=1, fn=5, tn=9)):.4f}")
    0.8333
    """
    return _where_nan(ratio(c.tp, c.tp + c.fp), zero_division)


@mixed(criterion=False, form=_smoothed_form)
def smoothed_ppv(c: Counts, *, strength: float = 2.0, prior: float = 0.5) -> Number:
    """Share of the positive calls that are right, smoothed: an m-estimate.

    (TP + m b) / (TP + FP + m): `strength` is the number m of cases added to the calls,
    `prior` the share b of positives among them. Laplace's precision by default, `ppv` with a
    strength of 0. Fuernkranz and Flach (2005).

    References
    ----------
    No source: a plain definition; its authors are named above.

    Examples
    --------
    >>> from rocspace import ConfusionMatrix
    >>> print(f"{smoothed_ppv(ConfusionMatrix(tp=5, fp=1, fn=5, tn=9), strength=10):.4f}")
    0.6250
    """
    m, b = _like(c, strength), _like(c, prior)
    return ratio(c.tp + m * b, c.tp + c.fp + m)


@mixed(form=lambda P, N, **_: ((0, -N, N), (-P, -N, P + N)), one_division=True)
def npv(c: Counts, *, zero_division: float = _NAN) -> Number:
    """Share of the negative calls that are right: TN / (TN + FN).

    ``zero_division`` where no case is called negative.

    References
    ----------
    No source: a plain definition.

    Examples
    --------
    >>> from rocspace import ConfusionMatrix
    >>> print(f"{npv(ConfusionMatrix(tp=5, fp=1, fn=5, tn=9)):.4f}")
    0.6429
    """
    return _where_nan(ratio(c.tn, c.tn + c.fn), zero_division)


@mixed(better="lower", form=lambda P, N: ((0, N, 0), (P, N, 0)), one_division=True)
def false_discovery_rate(c: Counts) -> Number:
    """Share of the positive calls that are wrong: FP / (TP + FP) = 1 - ppv.

    References
    ----------
    No source: a plain definition.

    Examples
    --------
    >>> from rocspace import ConfusionMatrix
    >>> print(f"{false_discovery_rate(ConfusionMatrix(tp=5, fp=1, fn=5, tn=9)):.4f}")
    0.1667
    """
    return ratio(c.fp, c.tp + c.fp)


@mixed(better="lower", form=lambda P, N: ((-P, 0, P), (-P, -N, P + N)), one_division=True)
def false_omission_rate(c: Counts) -> Number:
    """Share of the negative calls that are wrong: FN / (TN + FN) = 1 - npv.

    References
    ----------
    No source: a plain definition.

    Examples
    --------
    >>> from rocspace import ConfusionMatrix
    >>> print(f"{false_omission_rate(ConfusionMatrix(tp=5, fp=1, fn=5, tn=9)):.4f}")
    0.3571
    """
    return ratio(c.fn, c.tn + c.fn)


@mixed(range=(0, _INF), form=lambda P, N: ((P + N, 0, 0), (P, N, 0)))
def lift(c: Counts) -> Number:
    """Share of positives among positive calls over that among all cases: ppv / prevalence.

    References
    ----------
    Fawcett (2006), section 4.2.

    Examples
    --------
    >>> from rocspace import ConfusionMatrix
    >>> print(f"{lift(ConfusionMatrix(tp=5, fp=1, fn=5, tn=9)):.4f}")
    1.6667
    """
    return ratio(ppv(c), prevalence(c))


@mixed(form=lambda P, N, **_: _f_form(P, N, 1.0), one_division=True)
def f_score(c: Counts, *, zero_division: float = _NAN) -> Number:
    """Harmonic mean of precision and recall: 2 TP / (2 TP + FP + FN).

    0 where TP is 0 and something is wrong; ``zero_division`` where TP = FP = FN = 0.

    References
    ----------
    Fawcett (2006), figure 1; Wang, Zhu and Xu (2021), equation 6.

    Examples
    --------
    >>> from rocspace import ConfusionMatrix
    >>> print(f"{f_score(ConfusionMatrix(tp=5, fp=1, fn=5, tn=9)):.4f}")
    0.6250
    """
    return f_beta(c, beta=1.0, zero_division=zero_division)


@mixed(form=_f_form)
def f_beta(c: Counts, *, beta: float = 2.0, zero_division: float = _NAN) -> Number:
    """Mean of precision and recall, recall ``beta`` times as important.

    (1 + b^2) TP / ((1 + b^2) TP + b^2 FN + FP); ``beta`` > 0, 2 by default.

    References
    ----------
    No source: a plain definition, the weighted mean of which `f_score` is the case of beta 1.

    Examples
    --------
    >>> from rocspace import ConfusionMatrix
    >>> print(f"{f_beta(ConfusionMatrix(tp=5, fp=1, fn=5, tn=9), beta=0.5):.4f}")
    0.7353
    """
    tp, fp, fn, _ = _four(c)
    b2 = _like(c, beta) ** 2
    return _where_nan(ratio((1 + b2) * tp, (1 + b2) * tp + b2 * fn + fp), zero_division)


@mixed(one_division=True)
def jaccard(c: Counts) -> Number:
    """Share of TP among all cases that are positive or called positive: TP / (TP + FP + FN).

    nan where TP = FP = FN = 0.

    References
    ----------
    No source: a plain definition.

    Examples
    --------
    >>> from rocspace import ConfusionMatrix
    >>> print(f"{jaccard(ConfusionMatrix(tp=5, fp=1, fn=5, tn=9)):.4f}")
    0.4545
    """
    return ratio(c.tp, c.tp + c.fp + c.fn)


@mixed(range=(-1, 1))
def markedness(c: Counts) -> Number:
    """Predictive values above chance: ppv + npv - 1; nan where either is.

    References
    ----------
    No source: a plain definition.

    Examples
    --------
    >>> from rocspace import ConfusionMatrix
    >>> print(f"{markedness(ConfusionMatrix(tp=5, fp=1, fn=5, tn=9)):.4f}")
    0.4762
    """
    return ppv(c) + npv(c) - 1


@mixed(range=(0, 2))
def predictive_sum(c: Counts) -> Number:
    """Sum of ppv and npv.

    References
    ----------
    As for `rocspace.operating.optimal_points`.

    Examples
    --------
    >>> from rocspace import ConfusionMatrix
    >>> print(f"{predictive_sum(ConfusionMatrix(tp=5, fp=1, fn=5, tn=9)):.4f}")
    1.4762
    """
    return ppv(c) + npv(c)


@mixed()
def predictive_product(c: Counts) -> Number:
    """Product of ppv and npv.

    References
    ----------
    As for `rocspace.operating.optimal_points`.

    Examples
    --------
    >>> from rocspace import ConfusionMatrix
    >>> print(f"{predictive_product(ConfusionMatrix(tp=5, fp=1, fn=5, tn=9)):.4f}")
    0.5357
    """
    return ppv(c) * npv(c)


@mixed()
def predictive_maximin(c: Counts) -> Number:
    """Minimum of ppv and npv.

    References
    ----------
    As for `rocspace.operating.optimal_points`.

    Examples
    --------
    >>> from rocspace import ConfusionMatrix
    >>> print(f"{predictive_maximin(ConfusionMatrix(tp=5, fp=1, fn=5, tn=9)):.4f}")
    0.6429
    """
    return _least(ppv(c), npv(c))


@mixed(better="lower")
def predictive_symmetry(c: Counts) -> Number:
    """Absolute difference of ppv and npv.

    References
    ----------
    As for `rocspace.operating.optimal_points`.

    Examples
    --------
    >>> from rocspace import ConfusionMatrix
    >>> print(f"{predictive_symmetry(ConfusionMatrix(tp=5, fp=1, fn=5, tn=9)):.4f}")
    0.1905
    """
    return abs(ppv(c) - npv(c))


@mixed(
    range=(0, 2**0.5),
    better="lower",
    exact=lambda c: (1 - ppv(c)) ** 2 + (1 - npv(c)) ** 2,
    shown=np.sqrt,
)
def predictive_closest(c: Counts) -> Number:
    """Distance of both predictive values to 1: the root of (1 - ppv)^2 + (1 - npv)^2.

    References
    ----------
    As for `rocspace.operating.optimal_points`.

    Examples
    --------
    >>> from rocspace import ConfusionMatrix
    >>> print(f"{predictive_closest(ConfusionMatrix(tp=5, fp=1, fn=5, tn=9)):.4f}")
    0.3941
    """
    return np.sqrt((1 - ppv(c)) ** 2 + (1 - npv(c)) ** 2)


@mixed(range=(-1, 1), exact=_signed_phi_squared, shown=_root)
def matthews(c: Counts, *, zero_division: float = 0.0) -> Number:
    """Correlation of class and call, (TP TN - FP FN) / sqrt((TP+FP) P N (TN+FN)).

    ``zero_division``, 0 by default, where one of the four margins is zero. Also called
    MCC, phi.

    References
    ----------
    No source: a plain definition.

    Examples
    --------
    >>> from rocspace import ConfusionMatrix
    >>> print(f"{matthews(ConfusionMatrix(tp=5, fp=1, fn=5, tn=9)):.4f}")
    0.4364
    """
    tp, fp, fn, tn = _four(c)
    # Two roots, so that the product of four margins cannot overflow.
    scale = np.sqrt((tp + fp) * (tp + fn)) * np.sqrt((tn + fp) * (tn + fn))
    return _where_nan(ratio(tp * tn - fp * fn, scale), zero_division)


@mixed(range=(-1, 1), uses_costs=True, exact=lambda c: _kappa(c, c.costs), form=_kappa_form)
def kappa(c: Counts, *, costs: Costs | Mapping[str, float] | None = None) -> Number:
    """Agreement of class and call beyond chance; Cohen (1960).

    (accuracy - e) / (1 - e), e the accuracy of independent calls with the same margins;
    nan where e is 1. With `costs`, the weighted kappa of Kraemer (1992).

    Raises
    ------
    ValueError
        If a cost is not finite, an error costs less than a correct call of the same class, or no
        error costs more than a correct call.

    References
    ----------
    No source: a plain definition; the authors are named above.

    Examples
    --------
    >>> from rocspace import ConfusionMatrix
    >>> print(f"{kappa(ConfusionMatrix(tp=5, fp=1, fn=5, tn=9)):.4f}")
    0.4000
    """
    return _kappa(c, (1, 1) if costs is None else as_costs(costs).net)


@mixed(range=(-0.25, 0.25), form=lambda P, N: ((P * N, -P * N, 0), (0, 0, (P + N) ** 2)))
def weighted_relative_accuracy(c: Counts) -> Number:
    """Informedness weighted by the class mix: pi (1 - pi) (tpr - fpr).

    References
    ----------
    Fuernkranz and Flach (2005), pages 49 and 60.

    Examples
    --------
    >>> from rocspace import ConfusionMatrix
    >>> print(f"{weighted_relative_accuracy(ConfusionMatrix(tp=5, fp=1, fn=5, tn=9)):.4f}")
    0.1000
    """
    pi = prevalence(c)
    return pi * (1 - pi) * informedness(c)


@mixed(range=(0, _INF), exact=lambda c: _phi_squared(c) * total(c))
def chi_square(c: Counts) -> Number:
    """Pearson's chi-square of class against call, n mcc^2; nan where a margin is zero.

    References
    ----------
    Fuernkranz and Flach (2005), pages 49 and 60.

    Examples
    --------
    >>> from rocspace import ConfusionMatrix
    >>> print(f"{chi_square(ConfusionMatrix(tp=5, fp=1, fn=5, tn=9)):.4f}")
    3.8095
    """
    mcc = matthews(c, zero_division=_NAN)
    return total(c) * mcc * mcc


@mixed(range=(0, _INF))
def chi_square_corrected(c: Counts) -> Number:
    """Chi-square with Yates' correction: the p value of R's chisq.test.

    References
    ----------
    No source: a plain definition, as in R's chisq.test.

    Examples
    --------
    >>> from rocspace import ConfusionMatrix
    >>> print(f"{chi_square_corrected(ConfusionMatrix(tp=5, fp=1, fn=5, tn=9)):.4f}")
    2.1429
    """
    tp, fp, fn, tn = _four(c)
    n = tp + fp + fn + tn
    gap = abs(tp * tn - fp * fn) - n / 2
    gap = _larger(gap, gap * 0)
    margins = (tp + fn) * (fp + tn)
    return ratio(gap, (tp + fp) * (tn + fn)) * ratio(gap, margins) * n


def _gini_of(c: Counts, phi_squared: Number) -> Number:
    pi = prevalence(c)
    return 2 * pi * (1 - pi) * _least(phi_squared, 1)


@mixed(range=(0, 0.5), exact=lambda c: _gini_of(c, _where_nan(_phi_squared(c), 0.0)))
def gini_gain(c: Counts) -> Number:
    """Decrease of the Gini impurity 2 p (1 - p) given the calls: 2 pi (1 - pi) mcc^2.

    0 where all calls are the same; the gain of a split of a decision tree.

    References
    ----------
    No source: a plain definition.

    Examples
    --------
    >>> from rocspace import ConfusionMatrix
    >>> print(f"{gini_gain(ConfusionMatrix(tp=5, fp=1, fn=5, tn=9)):.4f}")
    0.0952
    """
    mcc = matthews(c)
    return _gini_of(c, mcc * mcc)


@mixed(rational=False)
def mutual_information(c: Counts) -> Number:
    """Mutual information of call and class in bits, at most the entropy of the class.

    References
    ----------
    No source: a plain definition.

    Examples
    --------
    >>> from rocspace import ConfusionMatrix
    >>> print(f"{mutual_information(ConfusionMatrix(tp=5, fp=1, fn=5, tn=9)):.4f}")
    0.1468
    """
    tp, fp, fn, tn = _four(c)
    n, columns = tp + fp + fn + tn, (tp + fn, fp + tn)
    bits = sum(
        _xlogy(ratio(cell, n), ratio(cell * n, row * column))
        for pair, row in (((tp, fp), tp + fp), ((fn, tn), fn + tn))
        for cell, column in zip(pair, columns, strict=True)
    )
    return np.maximum(bits, 0.0)  # round-off can make zero negative


@mixed(range=(0, _INF), better="lower", criterion=False, form=cost_form)
def expected_cost(
    c: Counts,
    *,
    costs: Costs | Mapping[str, float] | None = None,
    prevalence: float | None = None,
) -> Number:
    """Mean cost per case: pi fnr fn + (1 - pi) fpr fp, plus the costs of correct calls.

    `costs` are a `Costs` or a mapping such as ``dict(fp=1, fn=20)``, by default 1 for each
    error; ``prevalence`` is the share pi of positives where the calls will be used, by
    default that of the data.

    Raises
    ------
    ValueError
        If a cost is not finite, an error costs less than a correct call of the same class, no error
        costs more than a correct call, or `prevalence` is outside [0, 1].

    References
    ----------
    Fawcett (2006), section 4.2; Fawcett (2006), equation 1, for the line of equal costs.

    Examples
    --------
    >>> from rocspace import ConfusionMatrix
    >>> cost = expected_cost(ConfusionMatrix(tp=5, fp=1, fn=5, tn=9), costs={"fp": 1, "fn": 20})
    >>> print(f"{cost:.4f}")
    5.0500
    """
    paid = as_costs(costs)
    if prevalence is None:
        right = paid.tp * c.tp + paid.tn * c.tn
        return ratio(right + (paid.fn * c.fn + paid.fp * c.fp), total(c))
    pi = check_fraction("prevalence", prevalence)
    right = pi * tpr(c) * paid.tp + (1 - pi) * tnr(c) * paid.tn
    return right + (pi * fnr(c) * paid.fn + (1 - pi) * fpr(c) * paid.fp)
