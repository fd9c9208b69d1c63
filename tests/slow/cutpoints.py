"""What cutpointr and OptimalCutpoints call our criteria, for tests of library and shell."""

import numpy as np
from scipy.interpolate import BSpline
from scipy.optimize import minimize_scalar
from scipy.stats import chi2

from rocspace.operating import Constraint, Costs, Target

CUTPOINTR = {
    "youden": "youden",
    "accuracy": "accuracy",
    "sum_sens_spec": "youden",
    "prod_sens_spec": "concordance",
    "sum_ppv_npv": "predictive_sum",
    "prod_ppv_npv": "predictive_product",
    "cohens_kappa": "kappa",
    "F1_score": "f_score",
    "odds_ratio": "odds_ratio",
    "risk_ratio": "lr_positive",  # its "risk" is of a positive call, in either class
    "roc01": "closest",
    "misclassification_cost": "cost",
    "total_utility": "cost",
    "Jaccard": "jaccard",
    "false_omission_rate": "npv",
    "false_discovery_rate": "ppv",
    "plr": "lr_positive",
    "nlr": "lr_negative",
    "abs_d_sens_spec": "symmetry",
    "abs_d_ppv_npv": "predictive_symmetry",
    "p_chisquared": "chi_square",
}
CUTPOINTR_COSTS = {
    "misclassification_cost": Costs(fp=1, fn=5),
    "total_utility": Costs(fp=1, fn=5, tp=-1, tn=-1),
}
# What their value of a criterion is of ours, where it is not the same.
CUTPOINTR_VALUES = {
    "sum_sens_spec": lambda youden: youden + 1,
    "false_omission_rate": lambda npv: 1 - npv,
    "false_discovery_rate": lambda ppv: 1 - ppv,
    "p_chisquared": lambda statistic: chi2.sf(statistic, 1),
    "total_utility": lambda cost: -cost,
}
# Best of one rate where another has this value at least.
CUTPOINTR_CONSTRAINED = {
    "sens_constrain_0.9": {"criterion": "tpr", "subject_to": Constraint("tnr", ">=", 0.9)},
    "spec_constrain_0.9": {"criterion": "tnr", "subject_to": Constraint("tpr", ">=", 0.9)},
    "acc_constrain_0.6": {"criterion": "accuracy", "subject_to": Constraint("tpr", ">=", 0.6)},
}


def at_least(measure, bound):
    return Constraint(measure, ">=", bound)


# Their settings: costs 1 and 5 (CB: ratio 1), Se, Sp .85, NPV .9, PPV .8, likelihood ratios 2, .5.
OPTIMAL_CUTPOINTS = {
    "CB": {"criterion": "cost"},
    "MCT": {"criterion": "cost", "costs": Costs(fp=1, fn=5)},
    "MinValueSp": {"criterion": ("tpr", "tnr"), "subject_to": at_least("tnr", 0.85)},
    "MinValueSe": {"criterion": ("tnr", "tpr"), "subject_to": at_least("tpr", 0.85)},
    "ValueSp": {"criterion": (Target("tnr", 0.85), "tpr")},
    "ValueSe": {"criterion": (Target("tpr", 0.85), "tnr")},
    "MinValueSpSe": {
        "criterion": ("tnr", "tpr"),
        "subject_to": (at_least("tpr", 0.85), at_least("tnr", 0.85)),
    },
    "MaxSp": {"criterion": ("tnr", "tpr")},
    "MaxSe": {"criterion": ("tpr", "tnr")},
    "MaxSpSe": {"criterion": "maximin"},
    "MaxProdSpSe": {"criterion": "concordance"},
    "ROC01": {"criterion": "closest"},
    "SpEqualSe": {"criterion": "symmetry"},
    "Youden": {"criterion": "youden"},
    "MaxEfficiency": {"criterion": "accuracy"},
    "Minimax": {"criterion": ("minimax", "tnr", "tpr")},
    "MaxDOR": {"criterion": "odds_ratio_corrected"},
    "MaxKappa": {"criterion": "kappa"},
    "MinValueNPV": {"criterion": ("ppv", "npv"), "subject_to": at_least("npv", 0.9)},
    "MinValuePPV": {"criterion": ("npv", "ppv"), "subject_to": at_least("ppv", 0.8)},
    "ValueNPV": {"criterion": (Target("npv", 0.9), "ppv")},
    "ValuePPV": {"criterion": (Target("ppv", 0.8), "npv")},
    "MinValueNPVPPV": {
        "criterion": ("npv", "ppv"),
        "subject_to": (at_least("npv", 0.9), at_least("ppv", 0.8)),
    },
    "PROC01": {"criterion": "predictive_closest"},
    "NPVEqualPPV": {"criterion": "predictive_symmetry"},
    "MaxNPVPPV": {"criterion": "predictive_maximin"},
    "MaxSumNPVPPV": {"criterion": "predictive_sum"},
    "MaxProdNPVPPV": {"criterion": "predictive_product"},
    "ValueDLR.Negative": {"criterion": Target("lr_negative", 0.5)},
    "ValueDLR.Positive": {"criterion": Target("lr_positive", 2)},
    "MinPvalue": {"criterion": "chi_square_corrected"},
    "ObservedPrev": {"criterion": "observed_prevalence"},
    "MeanPrev": {"criterion": "mean_cutoff"},
    "PrevalenceMatching": {"criterion": "prevalence_matching"},
}
OPTIMAL_VALUES = {
    "ROC01": lambda distance: distance**2,
    "PROC01": lambda distance: distance**2,
    "MinPvalue": lambda statistic: chi2.sf(statistic, 1),
}


def smoothing_spline(x, n_knots, lam=None):
    """The hat matrix of a cubic smoothing spline with knots at some of the x, by its definition.

    ``lam=None`` is what R's smooth.spline makes of ``spar=1``: 256 squared times the ratio of the
    traces of both quadratic forms, but for some terms at the ends; to 0.3 percent, because its
    integrals of the second derivatives have .333 for 1 / 3.
    """
    u = (x - x[0]) / (x[-1] - x[0])
    at = u[np.linspace(1, u.size, n_knots).astype(int) - 1]
    knots = np.concatenate([np.zeros(3), at, np.ones(3)])
    values = BSpline.design_matrix(u, knots, 3).toarray()
    middle, half = (at[1:] + at[:-1]) / 2, np.diff(at) / 2
    nodes = (middle[:, np.newaxis] + half[:, np.newaxis] * np.array([-1, 1]) / 3**0.5).ravel()
    curved = BSpline(knots, np.eye(values.shape[1]), 3).derivative(2)(nodes)
    squares, penalty = values.T @ values, (curved.T * np.repeat(half, 2)) @ curved
    if lam is None:
        ratio = np.trace(squares[2:-3, 2:-3]) / np.trace(penalty[2:-3, 2:-3])
        lam = ratio * 256.0**2
    return values @ np.linalg.solve(squares + lam * penalty, values.T)


def cross_validated_spline(x, y):
    """The hat matrix of the spline with knots at all x whose generalised error is least."""

    def error(log):
        hat = smoothing_spline(x, x.size, np.exp(log))
        return x.size * ((y - hat @ y) ** 2).sum() / (x.size - np.trace(hat)) ** 2

    tried = np.linspace(-24, 4, 57)
    best = tried[np.argmin([error(log) for log in tried])]
    found = minimize_scalar(error, bounds=(best - 0.5, best + 0.5), method="bounded")
    return smoothing_spline(x, x.size, np.exp(found.x))
