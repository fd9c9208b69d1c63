"""Checks of a curve against the properties of every ROC curve of two distributions."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocspace._base.arrays import Vector
from rocspace._base.calls import explained
from rocspace._base.checks import check_times
from rocspace._base.frozen import Result
from rocspace._base.text import brief
from rocspace.results.curve import Curve, Line

_NEAR = 1e-4  # of the distance to the nearer end, over which slopes are taken
_ROUNDING = 1e-9  # of rates
_ALIKE = 1e-3  # relative difference of slopes by differences that is rounding
_AREA = 5e-4  # difference of areas by sums that is discretisation
_VALUES = 4001  # rates at which the area is summed


class CurveCheck(Result):
    """Violations of the properties of an ROC curve, and whether the curve is concave.

    Attributes
    ----------
    name : str
        The curve.
    problems : tuple of str
        Contradictions of the definition of an ROC curve, or between methods of the curve; empty if
        it is sound.
    concave : bool
        Whether the slope never rises. If so, a larger score is never less likely to be positive.
    rise : float
        The largest rise of the slope between neighbouring rates, as a share of the larger slope.
    rise_at : float
        The false positive rate where it is; nan if there is none.
    below : float
        Largest distance of the curve below the diagonal, 0 or more.
    slope_error, ratio_error, inverse_error, area_error : float
        Largest differences: of `slope_at` and a difference quotient; of `slope_at` and the ratio of
        the densities at the threshold (nan if the curve has no densities); of ``tpr_at(fpr_at(t))``
        and t; of `auc` and a sum. Those of slopes are relative.

    See Also
    --------
    check_curve
    """

    name: str
    problems: tuple[str, ...]
    concave: bool
    rise: float
    rise_at: float
    below: float
    slope_error: float
    ratio_error: float
    inverse_error: float
    area_error: float

    def __bool__(self) -> bool:
        """Return whether the curve is sound."""
        return not self.problems


@explained
def check_curve(curve: Curve, *, grid: int = 401) -> CurveCheck:
    """Check a curve: its ends, that it rises, its slope, inverse and area, and concavity.

    Parameters
    ----------
    curve : Curve
        Anything with the methods of a `rocspace.results.Curve`: fitted, empirical, averaged, true.
    grid : int, default 401
        Number of false positive rates at which the curve is evaluated.

    Returns
    -------
    CurveCheck
        True if nothing is wrong. A curve that is not concave, or below the diagonal, is sound.

    Raises
    ------
    ValueError
        If `grid` is not positive.

    Notes
    -----
    O(grid) evaluations. The slope of an ROC curve is the ratio f1 / f0 of the densities at the
    threshold, and it never rises exactly if that ratio never falls as the score rises; a curve that
    is not changed by increasing functions of the scores has these properties on each scale. The
    rates are denser towards both ends.

    References
    ----------
    Pepe (2003), no numbered equation, for the properties.

    Examples
    --------
    >>> from rocspace import simulate
    >>> found = check_curve(simulate.binormal(0.8, sd_ratio=2))
    >>> bool(found), found.concave, found.below > 0
    (True, False, True)
    """
    check_times("grid", grid)
    f = np.sin(np.linspace(0, np.pi / 2, grid + 2)[1:-1]) ** 2
    tpr = np.asarray(curve.tpr_at(f), dtype=np.float64)
    slope = np.asarray(curve.slope_at(f), dtype=np.float64)
    rise, rise_at = _rise(slope, f)
    errors = {
        "slope_error": _slope_error(curve, f, slope),
        "ratio_error": _ratio_error(curve, f, slope),
        "inverse_error": _inverse_error(curve, tpr),
        "area_error": _area_error(curve),
    }
    return CurveCheck(
        name=curve.name,
        problems=(*_shape(curve, tpr), *_spoken(errors)),
        concave=rise <= _ALIKE,
        rise=rise,
        rise_at=rise_at,
        below=float(max((f - tpr).max(), 0.0)),
        **errors,
    )


def _shape(curve: Curve, tpr: Vector) -> list[str]:
    """Return what is wrong with ends and rates."""
    first, last = float(curve.tpr_at(0.0)), float(curve.tpr_at(1.0))
    found = []
    if not abs(last - 1) <= _ROUNDING:
        found.append(f"The curve ends at tpr {brief(last)}, not at 1.")
    whole = np.concatenate([[first], tpr, [last]])
    if not ((whole >= -_ROUNDING) & (whole <= 1 + _ROUNDING)).all():
        found.append("A true positive rate is outside [0, 1], or not a number.")
    if (np.diff(whole) < -_ROUNDING).any():
        found.append(f"The curve falls, by as much as {brief(-np.diff(whole).min())}.")
    return found


_SAID = {
    "slope_error": (_ALIKE, "slope_at differs from the change of tpr_at"),
    "ratio_error": (_ALIKE, "slope_at differs from the ratio of the densities at the threshold"),
    "inverse_error": (1e-7, "fpr_at is not the inverse of tpr_at"),
    "area_error": (_AREA, "auc differs from the sum over tpr_at"),
}


def _spoken(errors: dict[str, float]) -> list[str]:
    said = ((errors[name], *_SAID[name]) for name in errors)
    return [f"{text}, by {brief(error)}." for error, most, text in said if error > most]


def _rise(slope: Vector, f: Vector) -> tuple[float, float]:
    """Return the largest relative rise of the slope to the next rate, and where it is."""
    largest = np.maximum(slope[1:], slope[:-1])
    with np.errstate(invalid="ignore", divide="ignore"):
        rise = np.where(largest > 0, np.diff(slope) / largest, 0.0)
    rise = np.where(np.isfinite(rise) & (largest > _ROUNDING), rise, 0.0)
    if not (rise > 0).any():
        return 0.0, float("nan")
    where = int(np.argmax(rise))
    return float(rise[where]), float(f[where])


def _slope_error(curve: Curve, f: Vector, slope: Vector) -> float:
    step = np.minimum(f, 1 - f) * _NEAR
    before, here, after = (np.asarray(curve.tpr_at(f + end)) for end in (-step, 0.0, step))
    left, right = (here - before) / step, (after - here) / step
    # At a vertex, and where a piece is too short, both sides differ: then either will do. Where
    # rates hardly change, their last digits are all that is left.
    low, high = np.minimum(left, right), np.maximum(left, right)
    off = np.maximum(np.maximum(low - slope, slope - high), 0.0)
    known = (slope * step > 1e-12) & np.isfinite(slope)
    return float((off / np.where(known, slope, 1.0))[known].max(initial=0.0))


def _ratio_error(curve: Any, f: Vector, slope: Vector) -> float:
    ratio_at = getattr(curve, "likelihood_ratio_at", None)
    if ratio_at is None:
        return float("nan")
    ratio = np.asarray(ratio_at(curve.threshold_at(f)))
    known = np.isfinite(ratio) & np.isfinite(slope) & (slope > _ROUNDING)
    return float(np.abs(ratio[known] / slope[known] - 1).max(initial=0.0))


def _inverse_error(curve: Curve, tpr: Vector) -> float:
    """Return how far below t the curve is at fpr_at(t); jumps may lie above."""
    at = np.asarray(curve.tpr_at(np.clip(curve.fpr_at(tpr), 0.0, 1.0)))
    return float(np.maximum(tpr - at, 0.0).max())


def _area_error(curve: Curve) -> float:
    line = getattr(curve, "line", None)
    if isinstance(line, Line):  # a polygon, exactly
        return abs(float(np.trapezoid(line.y, line.x)) - curve.auc)
    # Steps that are even after x = sin^2, where the integrand vanishes at both ends.
    angle = np.linspace(0, np.pi / 2, _VALUES)
    inner = np.asarray(curve.tpr_at(np.sin(angle) ** 2)) * np.sin(2 * angle)
    return abs(float(np.trapezoid(inner, angle)) - curve.auc)
