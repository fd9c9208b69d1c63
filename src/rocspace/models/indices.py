"""Indices of signal detection theory: of any curve, and of one operating point."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rocspace._base.calls import explained
from rocspace._base.frozen import Result
from rocspace.counts.confusion import Counts
from rocspace.results.curve import Curve
from rocspace.results.fit import Fit


class SignalIndices(Result):
    """How far apart two classes are, in standard deviations of Normal scores.

    Attributes
    ----------
    name : str
        The curve.
    a_z : float
        Area under the curve.
    d_a : float
        Distance of the means in units of the root mean square of both standard deviations:
        ``sqrt(2) Phi^-1(area)``.
    d_e : float
        Distance in units of the mean of both standard deviations: d' at the point where tpr = 1 -
        fpr.
    delta_m : float
        Distance in standard deviations of the negatives: minus the probit of the fpr where half of
        the positives are found.
    a_z_se, d_a_se, d_e_se, delta_m_se : float
        Standard errors by the delta method; nan for curves that are not fits with a covariance.

    See Also
    --------
    signal_indices
    """

    name: str
    a_z: float
    d_a: float
    d_e: float
    delta_m: float
    a_z_se: float
    d_a_se: float
    d_e_se: float
    delta_m_se: float


@explained
def signal_indices(curve: Curve) -> SignalIndices:
    """Return the indices of signal detection theory of a curve.

    Parameters
    ----------
    curve : Curve
        Fitted, empirical, averaged or true.

    Returns
    -------
    SignalIndices
        Infinite where the classes do not overlap.

    Notes
    -----
    For a binormal curve ``d_a = a sqrt(2 / (1 + b^2))``, ``d_e = 2 a / (1 + b)`` and ``delta_m = a
    / b``; all are a for b = 1. For another curve, `d_a` is that of the binormal curve with the same
    area, `d_e` that of the one through the point where tpr = 1 - fpr, and `delta_m` that of the one
    through the point where tpr is one half.

    References
    ----------
    Swets (1986), no numbered equation.

    Examples
    --------
    >>> from rocspace import simulate
    >>> found = signal_indices(simulate.binormal(0.8))
    >>> round(found.d_a, 4), round(found.d_e, 4), round(found.delta_m, 4)
    (1.1902, 1.1902, 1.1902)
    """
    readings = {"a_z": _area, "d_a": _d_a, "d_e": _d_e, "delta_m": _delta_m}
    values = {name: reading(curve) for name, reading in readings.items()}
    errors = {f"{name}_se": _error(curve, reading) for name, reading in readings.items()}
    return SignalIndices(name=curve.name, **values, **errors)


def _error(curve: Curve, reading: Callable[[Curve], float]) -> float:
    if not isinstance(curve, Fit) or not np.isfinite(curve.covariance).all():
        return float("nan")
    return curve.estimate(reading, bounds=(-np.inf, np.inf)).se


def _area(curve: Curve) -> float:
    return float(curve.auc)


def _d_a(curve: Curve) -> float:
    from scipy.special import ndtri

    return float(np.sqrt(2) * ndtri(curve.auc))


def _d_e(curve: Curve) -> float:
    from scipy.optimize import brentq
    from scipy.special import ndtr

    def above(z: float) -> float:
        return float(curve.tpr_at(float(ndtr(z)))) - float(ndtr(-z))

    if above(-38.0) >= 0:  # a perfect curve
        return float("inf")
    if above(8.0) <= 0:
        return -float("inf")
    return -2 * float(brentq(above, -38.0, 8.0, xtol=1e-13))


def _delta_m(curve: Curve) -> float:
    from scipy.special import ndtri

    return -float(ndtri(float(curve.fpr_at(0.5))))


# --- one point ----------------------------------------------------------------------------------


class PointIndices(Result):
    """Indices of one operating point, for Normal scores of equal variance.

    Attributes
    ----------
    d_prime : float
        Distance of the means in standard deviations, ``Phi^-1(tpr) - Phi^-1(fpr)``.
    criterion : float
        Where the threshold lies, from midway between the means: above 0 it is strict.
    bias : float
        Ratio of the densities at the threshold, ``exp(d' criterion)``, often called beta.
    corrected : bool
        Whether a rate was 0 or 1, so that one half was added to the counts of both classes.

    See Also
    --------
    point_indices
    """

    d_prime: float
    criterion: float
    bias: float
    corrected: bool


@explained
def point_indices(point: Counts) -> PointIndices:
    """Return d', the criterion and the bias of one operating point.

    Parameters
    ----------
    point : OperatingPoint or ConfusionMatrix
        Anything with the four counts, as numbers.

    Returns
    -------
    PointIndices
        If a rate is 0 or 1, the indices are those of the corrected rates ``(x + 1/2) / (n + 1)``.

    Raises
    ------
    ValueError
        If a class has no cases.

    References
    ----------
    Green and Swets (1966), no numbered equation; Hautus (1995), no numbered equation, for the
    correction.

    Examples
    --------
    >>> from rocspace.counts import ConfusionMatrix
    >>> found = point_indices(ConfusionMatrix(tp=84, fp=16, fn=16, tn=84))
    >>> round(found.d_prime, 3), round(found.criterion, 3) + 0, round(found.bias, 3)
    (1.989, 0.0, 1.0)
    """
    from scipy.special import ndtri

    tp, fp, fn, tn = (float(x) for x in (point.tp, point.fp, point.fn, point.tn))
    if not (tp + fn > 0 and fp + tn > 0):
        msg = (
            f"point_indices needs cases of both classes; here are {tp + fn:g} positives and "
            f"{fp + tn:g} negatives."
        )
        raise ValueError(msg)
    corrected = min(tp, fn, fp, tn) == 0
    half = 0.5 if corrected else 0.0
    hit = float(ndtri((tp + half) / (tp + fn + 2 * half)))
    alarm = float(ndtri((fp + half) / (fp + tn + 2 * half)))
    d_prime, criterion = hit - alarm, -(hit + alarm) / 2
    return PointIndices(
        d_prime=d_prime,
        criterion=criterion,
        bias=float(np.exp(d_prime * criterion)),
        corrected=corrected,
    )
