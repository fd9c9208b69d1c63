"""Criteria for choosing a threshold, by our names and by those of other packages.

The table maps our names to those of the R packages OptimalCutpoints (1.1-5) and cutpointr (1.2.0).
Every criterion reads rates and counts only, except `mean_cutoff`, `mean_score` and
`observed_prevalence`, which read the score. The names of the other packages are understood too, as
in ``criterion="MaxKappa"``.

============================== ================================= =================================
Ours                           OptimalCutpoints                  cutpointr
============================== ================================= =================================
``accuracy``                   MaxEfficiency                     accuracy
``balanced_accuracy``
``chi_square``                                                   p_chisquared
``chi_square_corrected``       MinPvalue
``closest``                    ROC01                             roc01
``concordance``                MaxProdSpSe                       prod_sens_spec
``cost``                       CB, MCT                           misclassification_cost,
                                                                 total_utility
``diagnostic_odds_ratio``                                        odds_ratio
``error_rate``
``f_beta``
``f_score``                                                      F1_score
``false_discovery_rate``                                         false_discovery_rate
``false_omission_rate``                                          false_omission_rate
``fnr``                                                          fnr
``fpr``                                                          fpr
``g_mean``
``gini_gain``
``index_of_balanced_accuracy``
``jaccard``                                                      Jaccard
``kappa``                      MaxKappa                          cohens_kappa
``lift``
``lr_negative``                                                  nlr
``lr_positive``                                                  plr, risk_ratio
``markedness``
``matthews``
``maximin``                    MaxSpSe
``mean_cutoff``                MeanPrev
``mean_score``                                                   oc_mean
``minimax``                    Minimax
``mutual_information``
``npv``                                                          npv
``observed_prevalence``        ObservedPrev
``odds_ratio_corrected``       MaxDOR
``ppv``                                                          ppv, precision
``predicted_positive_rate``
``predictive_closest``         PROC01
``predictive_maximin``         MaxNPVPPV
``predictive_product``         MaxProdNPVPPV                     prod_ppv_npv
``predictive_sum``             MaxSumNPVPPV                      sum_ppv_npv
``predictive_symmetry``        NPVEqualPPV                       abs_d_ppv_npv
``prevalence_matching``        PrevalenceMatching
``symmetry``                   SpEqualSe                         abs_d_sens_spec
``tnr``                        MaxSp                             tnr, specificity, tn
``tpr``                        MaxSe                             tpr, sensitivity, recall, tp
``weighted_relative_accuracy``
``youden``                     Youden                            youden, sum_sens_spec
============================== ================================= =================================

For their criteria that fix a value or set a limit, combine one of ours with a
`rocspace.operating.Target` or a `rocspace.operating.Constraint`:

* ValueSe, ValueSp, ValuePPV, ValueNPV, ValueDLR.Positive, ValueDLR.Negative: a
  ``Target("tnr", 0.85)``, with another criterion for ties.
* MinValueSe, MinValueSp, MinValueSpSe, MinValuePPV, MinValueNPV, MinValueNPVPPV,
  metric_constrain, sens_constrain, spec_constrain, acc_constrain: a criterion
  ``subject_to`` constraints.
* oc_manual: `rocspace.operating.point_at`. maximize_boot_metric: the mean threshold of
  `rocspace.operating.threshold_bootstrap`.
* maximize_spline_metric: `rocspace.operating.optimal_points` with ``smooth``. maximize_gam_metric
  has no option of its own: what it finds is best without smoothing, too.

Not included, because they optimise a smooth curve and not the counts: oc_youden_normal and
oc_youden_kernel, which are `rocspace.models.optimal_cut` of a fit. oc_median is the median of all
scores: ``point_at(table, np.median(y_score))``.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

import numpy as np

from rocspace.measures.entry import Cells, Number, measure, mixed
from rocspace.measures.rates import cost_form, fpr, total, tpr

Criterion: TypeAlias = str
"""A name in `rocspace.measures.CRITERIA`, or a synonym."""

_INF = float("inf")
_HALF = Fraction(1, 2)


@measure(
    of="thresholds", range=(-1, 1), uses_costs=True, form=lambda P, N: ((1, -1, 0), (0.0, 0.0, 1.0))
)
def youden(c: Cells) -> Number:
    """Youden's index: tpr - fpr, or 2 (w tpr + (1 - w) tnr) - 1 with costs."""
    return 2 * (c.weight[0] * tpr(c) - c.weight[1] * fpr(c)) + (c.weight[1] - c.weight[0])


@mixed(of="thresholds", range=(0, _INF), better="lower", uses_costs=True, form=cost_form)
def cost(c: Cells) -> Number:
    """Mean cost per case."""
    return (c.costs[0] * c.fn + c.costs[1] * c.fp) / total(c)


@measure(of="thresholds", range=(0, _INF))
def odds_ratio_corrected(c: Cells) -> Number:
    """Diagnostic odds ratio in which an empty cell counts one half."""
    tp, fp, fn, tn = (_at_least_half(cell) for cell in (c.tp, c.fp, c.fn, c.tn))
    return (tp * tn) / (fp * fn)


def _at_least_half(cell: Number) -> Number:
    return np.where(cell == 0, 0.5, cell) if isinstance(cell, np.ndarray) else cell or _HALF


# --- the score itself ---------------------------------------------------------------------------


@mixed(of="thresholds", range=(0, _INF), better="lower", rank_based=False, rational=False)
def observed_prevalence(c: Cells) -> Number:
    """Distance of the threshold to the share of positives; for scores that are probabilities."""
    return abs(c.score - (c.tp + c.fn) / total(c))


@measure(of="thresholds", range=(0, _INF), better="lower", rank_based=False, rational=False)
def mean_score(c: Cells) -> Number:
    """Distance of the threshold to the mean score of all cases."""
    called = c.tp + c.fp  # cumulative number of cases; no case is called positive in row 0
    cases = np.diff(called)
    finite = np.isfinite(c.score[1:])
    return abs(c.score - (cases * c.score[1:])[finite].sum() / cases[finite].sum())


@measure(of="thresholds", range=(0, _INF), better="lower", rank_based=False, rational=False)
def mean_cutoff(c: Cells) -> Number:
    """Distance of the threshold to the mean of the distinct scores."""
    return abs(c.score - c.score[1:][np.isfinite(c.score[1:])].mean())
