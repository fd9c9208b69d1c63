"""What makes a threshold the best: every criterion by name, with its facts and its other names.

The table maps our names to those of the R packages OptimalCutpoints (1.1-5) and cutpointr
(1.2.0). Each criterion but the last three asks for rates and counts only.

=========================== ================================= =================================
Ours                        OptimalCutpoints                  cutpointr
=========================== ================================= =================================
``accuracy``                MaxEfficiency                     accuracy
``chi_square``                                                p_chisquared
``chi_square_corrected``    MinPvalue
``closest``                 ROC01                             roc01
``concordance``             MaxProdSpSe                       prod_sens_spec
``cost``                    CB, MCT                           misclassification_cost,
                                                              total_utility
``f_score``                                                   F1_score
``fnr``                                                       fnr
``fpr``                                                       fpr
``jaccard``                                                   Jaccard
``kappa``                   MaxKappa                          cohens_kappa
``lr_negative``                                               nlr
``lr_positive``                                               plr, risk_ratio
``matthews``
``maximin``                 MaxSpSe
``mean_cutoff``             MeanPrev
``mean_score``                                                oc_mean
``minimax``                 Minimax
``npv``                                                       npv, false_omission_rate
``observed_prevalence``     ObservedPrev
``odds_ratio``                                                odds_ratio
``odds_ratio_corrected``    MaxDOR
``ppv``                                                       ppv, precision,
                                                              false_discovery_rate
``predicted_positive_rate``
``predictive_closest``      PROC01
``predictive_maximin``      MaxNPVPPV
``predictive_product``      MaxProdNPVPPV                     prod_ppv_npv
``predictive_sum``          MaxSumNPVPPV                      sum_ppv_npv
``predictive_symmetry``     NPVEqualPPV                       abs_d_ppv_npv
``prevalence_matching``     PrevalenceMatching
``symmetry``                SpEqualSe                         abs_d_sens_spec
``tnr``                     MaxSp                             tnr, specificity, tn
``tpr``                     MaxSe                             tpr, sensitivity, recall, tp
``youden``                  Youden                            youden, sum_sens_spec
=========================== ================================= =================================

Where theirs fix a value or set a limit, ours combine a criterion with a
`rocspace.operating.Target` or a `rocspace.operating.Constraint`:

* ValueSe, ValueSp, ValuePPV, ValueNPV, ValueDLR.Positive, ValueDLR.Negative: a
  ``Target("tnr", 0.85)``, then for its ties another criterion.
* MinValueSe, MinValueSp, MinValueSpSe, MinValuePPV, MinValueNPV, MinValueNPVPPV,
  metric_constrain, sens_constrain, spec_constrain, acc_constrain: a criterion
  ``subject_to`` constraints.
* oc_manual: `rocspace.operating.point_at`. maximize_boot_metric: the mean threshold of
  `rocspace.operating.threshold_bootstrap`.

Left to fitted models, because their optimum is that of a smooth curve and not of the counts:
oc_youden_normal, oc_youden_kernel, and the spline, loess and gam methods of cutpointr. oc_median
is the median of the scores, whatever the labels: ``point_at(table, np.median(y_score))``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias

import numpy as np

from rocspace._base.exact import ratio

Criterion: TypeAlias = Literal[
    "accuracy",
    "chi_square",
    "chi_square_corrected",
    "closest",
    "concordance",
    "cost",
    "f_score",
    "fnr",
    "fpr",
    "jaccard",
    "kappa",
    "lr_negative",
    "lr_positive",
    "matthews",
    "maximin",
    "mean_cutoff",
    "mean_score",
    "minimax",
    "npv",
    "observed_prevalence",
    "odds_ratio",
    "odds_ratio_corrected",
    "ppv",
    "predicted_positive_rate",
    "predictive_closest",
    "predictive_maximin",
    "predictive_product",
    "predictive_sum",
    "predictive_symmetry",
    "prevalence_matching",
    "symmetry",
    "tnr",
    "tpr",
    "youden",
]
"""The names of `CRITERIA`."""

Number: TypeAlias = Any
"""A fraction, or an array of floats."""

_DENOMINATOR = 10**7  # no float so near to so simple a fraction means anything else


def as_fraction(x: Any) -> Fraction:
    """Return a number as it was meant: 0.1 is one tenth, 1 / 3 one third.

    Examples
    --------
    >>> as_fraction(0.1), as_fraction(1 / 3)
    (Fraction(1, 10), Fraction(1, 3))
    """
    exact = Fraction(float(x)) if isinstance(x, float | np.floating) else Fraction(x)
    simple = exact.limit_denominator(_DENOMINATOR)
    return simple if isinstance(x, float | np.floating) and float(simple) == float(x) else exact


@dataclass(frozen=True, slots=True, kw_only=True)
class Cells:
    """What criteria read: four cells, as fractions or as arrays over all thresholds.

    Attributes
    ----------
    tp, fp, fn, tn : number
        Counts, or the shares that another prevalence would make of them.
    score : number
        The threshold itself.
    weight : tuple of number
        How much a false negative and a false positive matter in comparison, for equal class
        sizes; they add up to 1.
    costs : tuple of number
        What a false negative and a false positive cost more than being right.
    """

    tp: Number
    fp: Number
    fn: Number
    tn: Number
    score: Number
    weight: tuple[Number, Number]
    costs: tuple[Number, Number]


@dataclass(frozen=True, slots=True, kw_only=True)
class CutCriterion:
    """A criterion and its facts.

    Attributes
    ----------
    name : str
        Its name.
    value : callable
        Its value from `Cells`.
    better : {"higher", "lower"}
        Which end is best.
    meaning : str
        What it asks for.
    uses_prevalence, uses_costs : bool
        Whether the class mix, or costs, may change the optimum.
    shown : callable
        From the value that is compared to the one that is reported: a root, mostly.
    finite : bool
        Whether infinite values, which every threshold beyond the last error has, are passed
        over where there are finite ones.
    uses_score : bool
        Whether it asks for the score itself, and not only for ranks.
    """

    name: str
    value: Callable[[Cells], Number]
    better: Literal["higher", "lower"]
    meaning: str
    uses_prevalence: bool
    uses_costs: bool = False
    shown: Callable[[Number], Number] | None = None
    finite: bool = False
    uses_score: bool = False


CRITERIA: dict[str, CutCriterion] = {}
"""Every criterion by name."""


def _enter(
    better: Literal["higher", "lower"], *, uses_prevalence: bool, **facts: Any
) -> Callable[[Callable[[Cells], Number]], Callable[[Cells], Number]]:
    """Enter a function into `CRITERIA` under its name; its first line is the meaning."""

    def enter(function: Callable[[Cells], Number]) -> Callable[[Cells], Number]:
        name = function.__name__.strip("_")
        CRITERIA[name] = CutCriterion(
            name=name,
            value=function,
            better=better,
            meaning=(function.__doc__ or "").partition("\n")[0],
            uses_prevalence=uses_prevalence,
            **facts,
        )
        return function

    return enter


# --- arithmetic on fractions and on arrays alike ------------------------------------------------


def _divide(part: Number, whole: Number) -> Number:
    """``part / whole``; for fractions too, something over nothing is infinite."""
    if isinstance(part, np.ndarray) or isinstance(whole, np.ndarray):
        return ratio(part, whole)
    if whole:
        return part / whole
    return float("nan") if part == 0 or part != part else float("inf")


def _least(a: Number, b: Number) -> Number:
    return np.minimum(a, b) if isinstance(a, np.ndarray) else (a if a != a else min(a, b))


def _larger(a: Number, b: Number) -> Number:
    return np.maximum(a, b) if isinstance(a, np.ndarray) else max(a, b)


def _signed_root(value: Number) -> Number:
    return np.sign(value) * np.sqrt(np.abs(value))


def _determinant(c: Cells) -> Number:
    return c.tp * c.tn - c.fp * c.fn


def _phi_squared(c: Cells) -> Number:
    """Square of the correlation of class and call, as two ratios that cannot overflow."""
    rows = _divide(_determinant(c), (c.tp + c.fp) * (c.tn + c.fn))
    return rows * _divide(_determinant(c), (c.tp + c.fn) * (c.fp + c.tn))


# --- the two rates ------------------------------------------------------------------------------


@_enter("higher", uses_prevalence=False)
def _tpr(c: Cells) -> Number:
    """Share of the positives that are found."""
    return _divide(c.tp, c.tp + c.fn)


@_enter("lower", uses_prevalence=False)
def _fpr(c: Cells) -> Number:
    """Share of the negatives that are called positive."""
    return _divide(c.fp, c.fp + c.tn)


@_enter("higher", uses_prevalence=False)
def _tnr(c: Cells) -> Number:
    """Share of the negatives that are called negative."""
    return _divide(c.tn, c.fp + c.tn)


@_enter("lower", uses_prevalence=False)
def _fnr(c: Cells) -> Number:
    """Share of the positives that are missed."""
    return _divide(c.fn, c.tp + c.fn)


@_enter("higher", uses_prevalence=False, uses_costs=True)
def _youden(c: Cells) -> Number:
    """Youden's index: tpr - fpr, or 2 (w tpr + (1 - w) tnr) - 1 with costs."""
    return 2 * (c.weight[0] * _tpr(c) - c.weight[1] * _fpr(c)) + (c.weight[1] - c.weight[0])


@_enter("lower", uses_prevalence=False, uses_costs=True, shown=np.sqrt)
def _closest(c: Cells) -> Number:
    """Distance to (0, 1): the root of fnr^2 + fpr^2, or of 2 (w fnr^2 + (1 - w) fpr^2)."""
    return 2 * (c.weight[0] * _fnr(c) ** 2 + c.weight[1] * _fpr(c) ** 2)


@_enter("higher", uses_prevalence=False)
def _concordance(c: Cells) -> Number:
    """Product of tpr and tnr: the chance that a random pair is called right."""
    return _tpr(c) * _tnr(c)


@_enter("lower", uses_prevalence=False)
def _symmetry(c: Cells) -> Number:
    """Difference of tpr and tnr, without its sign."""
    return abs(_tpr(c) - _tnr(c))


@_enter("higher", uses_prevalence=False)
def _maximin(c: Cells) -> Number:
    """Smaller one of tpr and tnr."""
    return _least(_tpr(c), _tnr(c))


@_enter("higher", uses_prevalence=False, finite=True)
def _lr_positive(c: Cells) -> Number:
    """Likelihood ratio of a positive call, tpr / fpr; the largest finite one."""
    return _divide(_tpr(c), _fpr(c))


@_enter("lower", uses_prevalence=False, finite=True)
def _lr_negative(c: Cells) -> Number:
    """Likelihood ratio of a negative call, fnr / tnr."""
    return _divide(_fnr(c), _tnr(c))


@_enter("higher", uses_prevalence=False, finite=True)
def _odds_ratio(c: Cells) -> Number:
    """Diagnostic odds ratio, tp tn / (fp fn); the largest finite one."""
    return _divide(c.tp * c.tn, c.fp * c.fn)


@_enter("higher", uses_prevalence=False)
def _odds_ratio_corrected(c: Cells) -> Number:
    """Diagnostic odds ratio in which an empty cell counts one half."""
    tp, fp, fn, tn = (_at_least_half(cell) for cell in (c.tp, c.fp, c.fn, c.tn))
    return (tp * tn) / (fp * fn)


def _at_least_half(cell: Number) -> Number:
    if isinstance(cell, np.ndarray):
        return np.where(cell == 0, 0.5, cell)
    return cell or Fraction(1, 2)


# --- both classes together ----------------------------------------------------------------------


def _total(c: Cells) -> Number:
    return c.tp + c.fp + c.fn + c.tn


@_enter("higher", uses_prevalence=True)
def _accuracy(c: Cells) -> Number:
    """Share of the cases that are right."""
    return (c.tp + c.tn) / _total(c)


@_enter("lower", uses_prevalence=True, uses_costs=True)
def _cost(c: Cells) -> Number:
    """Mean cost of a case."""
    return (c.costs[0] * c.fn + c.costs[1] * c.fp) / _total(c)


@_enter("lower", uses_prevalence=True)
def _minimax(c: Cells) -> Number:
    """Larger one of the two shares of errors among all cases."""
    return _larger(c.fn, c.fp) / _total(c)


@_enter("lower", uses_prevalence=True)
def _predicted_positive_rate(c: Cells) -> Number:
    """Share of the cases that are called positive."""
    return (c.tp + c.fp) / _total(c)


@_enter("lower", uses_prevalence=True)
def _prevalence_matching(c: Cells) -> Number:
    """Difference between the shares of positives and of positive calls, without its sign."""
    return abs(c.fn - c.fp) / _total(c)


@_enter("higher", uses_prevalence=True, uses_costs=True)
def _kappa(c: Cells) -> Number:
    """Agreement of class and call beyond chance; with costs, Kraemer's weighted kappa."""
    w = _divide(c.costs[0], c.costs[0] + c.costs[1])
    below = w * (c.tp + c.fn) * (c.fn + c.tn) + (1 - w) * (c.fp + c.tn) * (c.tp + c.fp)
    return _divide(_determinant(c), below)


@_enter("higher", uses_prevalence=True)
def _f_score(c: Cells) -> Number:
    """Harmonic mean of ppv and tpr, 2 tp / (2 tp + fp + fn)."""
    return _divide(2 * c.tp, 2 * c.tp + c.fp + c.fn)


@_enter("higher", uses_prevalence=True)
def _jaccard(c: Cells) -> Number:
    """Share of tp among all that are positive or called so, tp / (tp + fp + fn)."""
    return _divide(c.tp, c.tp + c.fp + c.fn)


@_enter("higher", uses_prevalence=True, shown=_signed_root)
def _matthews(c: Cells) -> Number:
    """Correlation of class and call; 0 where all calls are alike."""
    square = _phi_squared(c)
    if isinstance(square, np.ndarray):
        return np.where(np.isnan(square), 0.0, np.sign(_determinant(c)) * square)
    return 0 if square != square else (square if _determinant(c) > 0 else -square)


@_enter("higher", uses_prevalence=True)
def _chi_square(c: Cells) -> Number:
    """Pearson's chi-square of class against call: the smallest p value."""
    return _phi_squared(c) * _total(c)


@_enter("higher", uses_prevalence=True)
def _chi_square_corrected(c: Cells) -> Number:
    """Chi-square with Yates's correction for continuity."""
    n = _total(c)
    gap = abs(_determinant(c)) - n / 2
    gap = _larger(gap, gap * 0)
    margins = (c.tp + c.fn) * (c.fp + c.tn)
    return _divide(gap, (c.tp + c.fp) * (c.tn + c.fn)) * _divide(gap, margins) * n


# --- predictive values --------------------------------------------------------------------------


@_enter("higher", uses_prevalence=True)
def _ppv(c: Cells) -> Number:
    """Share of the positive calls that are right."""
    return _divide(c.tp, c.tp + c.fp)


@_enter("higher", uses_prevalence=True)
def _npv(c: Cells) -> Number:
    """Share of the negative calls that are right."""
    return _divide(c.tn, c.tn + c.fn)


@_enter("higher", uses_prevalence=True)
def _predictive_sum(c: Cells) -> Number:
    """Sum of ppv and npv."""
    return _ppv(c) + _npv(c)


@_enter("higher", uses_prevalence=True)
def _predictive_product(c: Cells) -> Number:
    """Product of ppv and npv."""
    return _ppv(c) * _npv(c)


@_enter("higher", uses_prevalence=True)
def _predictive_maximin(c: Cells) -> Number:
    """Smaller one of ppv and npv."""
    return _least(_ppv(c) + 0 * _npv(c), _npv(c))


@_enter("lower", uses_prevalence=True)
def _predictive_symmetry(c: Cells) -> Number:
    """Difference of ppv and npv, without its sign."""
    return abs(_ppv(c) - _npv(c))


@_enter("lower", uses_prevalence=True, shown=np.sqrt)
def _predictive_closest(c: Cells) -> Number:
    """Distance of both predictive values to 1: the root of (1 - ppv)^2 + (1 - npv)^2."""
    return (1 - _ppv(c)) ** 2 + (1 - _npv(c)) ** 2


# --- the score itself ---------------------------------------------------------------------------


@_enter("lower", uses_prevalence=True, uses_score=True)
def _observed_prevalence(c: Cells) -> Number:
    """Distance of the score to the share of positives; for scores that are chances."""
    return abs(c.score - (c.tp + c.fn) / _total(c))


@_enter("lower", uses_prevalence=False, uses_score=True)
def _mean_score(c: Cells) -> Number:
    """Distance of the score to the mean score of all cases."""
    called = c.tp + c.fp  # rises by the cases of each score; row 0 rejects all
    cases = np.diff(called)
    finite = np.isfinite(c.score[1:])
    return abs(c.score - (cases * c.score[1:])[finite].sum() / cases[finite].sum())


@_enter("lower", uses_prevalence=False, uses_score=True)
def _mean_cutoff(c: Cells) -> Number:
    """Distance of the score to the mean of the distinct scores."""
    return abs(c.score - c.score[1:][np.isfinite(c.score[1:])].mean())
