"""The best thresholds by trying each."""

from fractions import Fraction

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.optimize import brentq

from slow.curves import points
from slow.data import INF, weights_of


def best_thresholds(label, score, criterion, weight=None, *, higher=True):
    """The best value of a criterion over all points, and every threshold that reaches it."""
    w = weights_of(label, weight)
    pi = sum(v for y, v in zip(label, w, strict=True) if y) / sum(w)
    value = {
        "youden": lambda f, t: t - f,
        "closest": lambda f, t: -(f**2 + (1 - t) ** 2),
        "accuracy": lambda f, t: pi * t + (1 - pi) * (1 - f),
    }[criterion]
    found = [
        (value(f, t), threshold) for f, t, threshold in points(label, score, weight, higher=higher)
    ]
    best = max(v for v, _ in found)
    return best, [threshold for v, threshold in found if v == best]


def front(pairs):
    """Indices of the points that no other dominates, by looking at all pairs."""

    def dominated(a, b):
        return b[0] <= a[0] and b[1] >= a[1] and b != a

    return [i for i, a in enumerate(pairs) if not any(dominated(a, b) for b in pairs)]


def criterion_value(name, f, t, pi, n, miss=1, alarm=1):
    """A criterion at the point (f, t), larger better; None where undefined or infinite.

    All from the two rates, the prevalence and the number of cases, as the textbooks write them.
    """
    w = pi * miss / (pi * miss + (1 - pi) * alarm)  # of a miss, in all that errors could cost
    called = pi * t + (1 - pi) * f
    ppv = pi * t / called if called else None
    npv = (1 - pi) * (1 - f) / (1 - called) if called != 1 else None
    tp, fp, fn, tn = n * pi * t, n * (1 - pi) * f, n * pi * (1 - t), n * (1 - pi) * (1 - f)
    both = ppv is not None and npv is not None
    chance = pi * called + (1 - pi) * (1 - called)
    r = Fraction(miss) / (miss + alarm)
    below = pi * (1 - called) * r + (1 - pi) * called * (1 - r)
    margins = pi * (1 - pi) * called * (1 - called)
    phi = pi * (1 - pi) * (t - f)  # times 1 / sqrt(margins)
    half = [x or Fraction(1, 2) for x in (tp, fp, fn, tn)]
    yates = max(abs(tp * tn - fp * fn) - n / 2, 0)
    weighed = miss != 1 or alarm != 1
    values = {
        "accuracy": lambda: pi * t + (1 - pi) * (1 - f),
        "balanced_accuracy": lambda: (t + 1 - f) / 2,
        "error_rate": lambda: -(pi * (1 - t) + (1 - pi) * f),
        "f_beta": lambda: 5 * tp / (5 * tp + 4 * fn + fp),
        "false_discovery_rate": lambda: None if ppv is None else ppv - 1,
        "false_omission_rate": lambda: None if npv is None else npv - 1,
        "g_mean": lambda: t * (1 - f),
        "gini_gain": lambda: phi**2 / margins if margins else Fraction(0),
        "index_of_balanced_accuracy": lambda: (1 + (t - (1 - f)) / 10) * t * (1 - f),
        "lift": lambda: None if ppv is None else ppv / pi,
        "markedness": lambda: ppv + npv - 1 if both else None,
        "weighted_relative_accuracy": lambda: pi * (1 - pi) * (t - f),
        "chi_square": lambda: n * phi**2 / margins if margins else None,
        "chi_square_corrected": lambda: yates**2 / (n**3 * margins) if margins else None,
        "closest": lambda: -(w * (1 - t) ** 2 + (1 - w) * f**2 if weighed else (1 - t) ** 2 + f**2),
        "concordance": lambda: t * (1 - f),
        "cost": lambda: -(pi * (1 - t) * miss + (1 - pi) * f * alarm),
        "f_score": lambda: 2 * ppv * t / (ppv + t) if ppv else Fraction(0),
        "fnr": lambda: t,
        "fpr": lambda: -f,
        "jaccard": lambda: tp / (tp + fp + fn),
        "kappa": lambda: (
            (phi / below if below else None)
            if weighed
            else ((pi * t + (1 - pi) * (1 - f) - chance) / (1 - chance) if chance != 1 else None)
        ),
        "lr_negative": lambda: -(1 - t) / (1 - f) if f != 1 else None,
        "lr_positive": lambda: t / f if f else None,
        "matthews": lambda: (1 if phi > 0 else -1) * phi**2 / margins if margins else Fraction(0),
        "maximin": lambda: min(t, 1 - f),
        "minimax": lambda: -max(pi * (1 - t), (1 - pi) * f),
        "npv": lambda: npv,
        "diagnostic_odds_ratio": lambda: (
            t / (1 - t) * (1 - f) / f if f and t != 1 else (None if tp * tn == 0 else INF)
        ),
        "odds_ratio_corrected": lambda: half[0] * half[3] / (half[1] * half[2]),
        "ppv": lambda: ppv,
        "predicted_positive_rate": lambda: -called,
        "predictive_closest": lambda: -((1 - ppv) ** 2 + (1 - npv) ** 2) if both else None,
        "predictive_maximin": lambda: min(ppv, npv) if both else None,
        "predictive_product": lambda: ppv * npv if both else None,
        "predictive_sum": lambda: ppv + npv if both else None,
        "predictive_symmetry": lambda: -abs(ppv - npv) if both else None,
        "prevalence_matching": lambda: -abs(called - pi),
        "symmetry": lambda: -abs(t - (1 - f)),
        "tnr": lambda: 1 - f,
        "tpr": lambda: t,
        "youden": lambda: (w * t + (1 - w) * (1 - f)) * 2 - 1 if weighed else t - f,
    }
    return values[name]()


def best_by(name, label, score, *, prevalence=None, miss=1, alarm=1, higher=True):
    """Every threshold that is best by a criterion, by trying them all; finite values first."""
    found = []
    for f, t, threshold in points(label, score, higher=higher):
        pi = Fraction(sum(label), len(label)) if prevalence is None else prevalence
        if name == "odds_ratio_corrected":
            pi = Fraction(sum(label), len(label))
        found.append((criterion_value(name, f, t, pi, len(label), miss, alarm), threshold))
    known = [pair for pair in found if pair[0] is not None and abs(pair[0]) != INF]
    if name == "lr_positive" and not known:
        known = [(1, threshold) for f, t, threshold in points(label, score, higher=higher) if t]
    known = known or [pair for pair in found if pair[0] is not None]
    best = max((value for value, _ in known), default=None)
    return [threshold for value, threshold in known if value == best]


def smoothing_hat(x, degrees, n_knots=None):
    """The hat matrix of the natural cubic smoothing spline that has so many degrees of freedom.

    Of the splines that are 1 at one knot and 0 at all others: their values at the x, and the
    integrals of the products of their second derivatives, which are lines between knots.
    """
    n_knots = x.size if n_knots is None else n_knots
    knots = x[np.linspace(1, x.size, n_knots).astype(int) - 1]
    knots, x = (each / (x[-1] - x[0]) for each in (knots, x))
    spline = CubicSpline(knots, np.eye(n_knots), bc_type="natural")
    values, bent = spline(x), spline(knots, 2)
    h = np.diff(knots)
    penalty = (bent[:-1].T * h / 3) @ bent[:-1] + (bent[1:].T * h / 3) @ bent[1:]
    product = (bent[:-1].T * h / 6) @ bent[1:]
    penalty += product + product.T

    def hat(log):
        return values @ np.linalg.solve(values.T @ values + np.exp(log) * penalty, values.T)

    return hat(brentq(lambda log: np.trace(hat(log)) - degrees, -40, 10, xtol=1e-13))
