"""What a threshold should achieve beside being the best: targets, and promises to keep."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np

from rocspace._base.checks import check_choice
from rocspace.measures.criteria import CRITERIA, Criterion


@dataclass(frozen=True, slots=True)
class Target:
    """A measure and the value it should come nearest to, to choose a threshold by.

    Attributes
    ----------
    measure : str
        A name of `CRITERIA`.
    value : float
        The wanted value.

    Examples
    --------
    >>> str(Target("tnr", 0.85))
    'tnr nearest 0.85'
    """

    measure: Criterion
    value: float

    def __post_init__(self) -> None:
        check_criterion(self.measure, _PLAIN)
        _check_number("value", self.value)

    def __str__(self) -> str:
        return f"{self.measure} nearest {float(self.value):g}"


@dataclass(frozen=True, slots=True)
class Constraint:
    """A promise that a threshold must keep.

    Attributes
    ----------
    measure : str
        A name of `CRITERIA`, or "selected": how many cases are called positive.
    sense : {">=", "<="}
        Whether the bound is the least or the largest value allowed.
    bound : float
        The bound; reaching it is enough. A measure that is undefined keeps no promise.

    Examples
    --------
    >>> str(Constraint("ppv", ">=", 0.3)), str(Constraint("selected", "<=", 800))
    ('ppv >= 0.3', 'selected <= 800')
    """

    measure: Criterion | Literal["selected"]
    sense: Literal[">=", "<="]
    bound: float

    def __post_init__(self) -> None:
        check_criterion(self.measure, (*_PLAIN, "selected"))
        check_choice("sense", self.sense, (">=", "<="))
        _check_number("bound", self.bound)

    def __str__(self) -> str:
        return f"{self.measure} {self.sense} {float(self.bound):g}"


_PLAIN = tuple(n for n, fact in CRITERIA.items() if not (fact.uses_score or n == "cost"))

# Names of other programs, for the message only.
_ELSEWHERE = {
    theirs.casefold(): ours
    for ours, names in {
        "accuracy": ("MaxEfficiency", "efficiency"),
        "chi_square": ("p_chisquared",),
        "chi_square_corrected": ("MinPvalue",),
        "closest": ("ROC01", "closest.topleft", "topleft"),
        "concordance": ("MaxProdSpSe", "prod_sens_spec", "g_mean"),
        "cost": ("CB", "MCT", "misclassification_cost", "total_utility", "expected_cost"),
        "f_score": ("F1_score", "f1"),
        "jaccard": ("Jaccard",),
        "kappa": ("MaxKappa", "cohens_kappa"),
        "lr_negative": ("nlr", "DLR.Negative"),
        "lr_positive": ("plr", "risk_ratio", "DLR.Positive"),
        "matthews": ("mcc", "phi"),
        "maximin": ("MaxSpSe",),
        "mean_cutoff": ("MeanPrev",),
        "mean_score": ("oc_mean",),
        "minimax": ("Minimax",),
        "npv": ("false_omission_rate",),
        "observed_prevalence": ("ObservedPrev",),
        "odds_ratio": ("diagnostic_odds_ratio", "dor"),
        "odds_ratio_corrected": ("MaxDOR",),
        "ppv": ("precision", "false_discovery_rate"),
        "predicted_positive_rate": ("ppr",),
        "predictive_closest": ("PROC01",),
        "predictive_maximin": ("MaxNPVPPV",),
        "predictive_product": ("MaxProdNPVPPV", "prod_ppv_npv"),
        "predictive_sum": ("MaxSumNPVPPV", "sum_ppv_npv", "markedness"),
        "predictive_symmetry": ("NPVEqualPPV", "abs_d_ppv_npv"),
        "prevalence_matching": ("PrevalenceMatching",),
        "symmetry": ("SpEqualSe", "abs_d_sens_spec", "eer"),
        "tnr": ("MaxSp", "specificity", "selectivity"),
        "tpr": ("MaxSe", "sensitivity", "recall"),
        "youden": ("Youden", "sum_sens_spec", "informedness", "balanced_accuracy"),
    }.items()
    for theirs in names
}


def check_criterion(name: object, known: tuple[str, ...]) -> None:
    """Check the name of a criterion; other programs' names are translated in the message."""
    ours = _ELSEWHERE.get(name.casefold()) if isinstance(name, str) else None
    if name not in known and ours in known:
        msg = f"{name!r} is called {ours!r} here."
        raise ValueError(msg)
    check_choice("criterion", name, known)


def _check_number(name: str, value: object) -> None:
    if not isinstance(value, int | float | Fraction | np.number) or not np.isfinite(float(value)):
        msg = f"{name} is {value!r}, but must be a finite number."
        raise ValueError(msg)
