"""Optimal cuts of fitted curves: where the slope is that of the costs."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocspace._base.cards import Card
from rocspace._base.frozen import Result
from rocspace._base.text import either
from rocspace.models.binormal import Normals
from rocspace.results.curve import PolygonCurve, line_of
from rocspace.results.estimates import Estimate
from rocspace.results.fit import Fit


class OptimalCut(Result):
    """The point of a fitted curve where tpr - slope fpr is largest.

    Attributes
    ----------
    name : str
        The curve.
    slope : float
        The weight of fpr against tpr; 1 for Youden's index.
    threshold : float
        On the scale of the scores, as `Fit.threshold_at`; nan if the fit has no scale of scores.
    fpr, tpr : Estimate
        The rates of the point.
    index : Estimate
        tpr - slope fpr: Youden's index for slope 1.

    See Also
    --------
    optimal_cut
    """

    name: str
    slope: float
    threshold: float
    fpr: Estimate
    tpr: Estimate
    index: Estimate

    def _card(self) -> Card:
        return Card(
            rows={
                "Curve": self.name,
                "Slope": either(self.slope),
                "Threshold": either(self.threshold),
                "fpr": str(self.fpr),
                "tpr": str(self.tpr),
                "tpr - slope fpr": str(self.index),
            }
        )


def optimal_cut(fit: Fit, *, slope: float = 1.0) -> OptimalCut:
    """Find the point of a fitted curve where tpr - slope fpr is largest.

    Parameters
    ----------
    fit : Fit
        A fitted curve.
    slope : float, default 1
        Positive, for example ``Costs(fp=1, fn=10).iso_performance_slope(prevalence)``. 1 maximises
        Youden's index.

    Returns
    -------
    OptimalCut
        Its rates and index are estimates by the delta method. Where a corner of the unit square is
        optimal, so that all or no case is to be called positive, the rates have no standard
        error.

    Raises
    ------
    ValueError
        If the slope is not positive and finite.

    Notes
    -----
    Of a binormal curve with ``D = a / b`` and ``g = 1 / b``, in units of the negatives, the cut is
    ``(D^2 + g^2 L) / (D + g sqrt(D^2 + (g^2 - 1) L))`` with ``L = 2 ln(g slope)``; for D <= 0 the
    other form of the same root, ``(g sqrt(D^2 + (g^2 - 1) L) - D) / (g^2 - 1)``. Of other curves it
    is the root of ``slope_at(fpr) = slope`` next to the best of 2,001 points. The index is
    stationary in the cut: its standard error is that at a fixed point. That of the rates is larger,
    because the cut moves with the sample. For the standard error of the threshold, use
    ``threshold_bootstrap(table)``.

    References
    ----------
    Schisterman and Perkins (2007), no numbered equation, for slope 1.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> from rocspace.models import fit_binormal
    >>> data = datasets.load("fawcett20")
    >>> found = optimal_cut(fit_binormal(tabulate(data.y_true, data.y_score)))
    >>> print(f"{found.threshold:.3f}: fpr {found.fpr.value:.3f}, tpr {found.tpr.value:.3f}")
    0.513: fpr 0.260, tpr 0.541
    """
    if not (np.isfinite(slope) and slope > 0):
        msg = f"slope is {slope!r}, but must be positive and finite; 1 is Youden's index."
        raise ValueError(msg)
    at = _optimum(fit, slope)
    inside = 0 < at < 1

    def rate(one: Any) -> float:
        return _optimum(one, slope)

    fpr = fit.estimate(rate) if inside else _corner(fit, at)
    tpr = _corner(fit, float(fit.tpr_at(at)))
    if inside:
        tpr = fit.estimate(lambda one: float(one.tpr_at(rate(one))))
    index = fit.estimate(
        lambda one: float(one.tpr_at(at)) - slope * at, bounds=(max(0.0, 1 - slope), 1.0)
    )
    try:
        threshold = float(fit.threshold_at(at))
    except ValueError:
        threshold = float("nan")
    return OptimalCut(
        name=fit.name, slope=float(slope), threshold=threshold, fpr=fpr, tpr=tpr, index=index
    )


def _corner(fit: Fit, at: float) -> Estimate:
    return Estimate(value=at, se=float("nan"), method=f"{fit.method}, a corner", df=fit.df)


def _optimum(fit: Fit, slope: float) -> float:
    """Return the false positive rate of the best point; that nearest to 0 of equal ones."""
    inner = _of_normals(fit, slope) if isinstance(fit, Normals) else _of_curve(fit, slope)
    if inner is None:
        return 0.0 if slope >= 1 else 1.0
    candidates = (0.0, inner, 1.0)
    gains = [
        float(fit.tpr_at(at)) - slope * at if 0 < at < 1 else at * (1 - slope) for at in candidates
    ]
    if isinstance(fit, PolygonCurve):
        gains[0] = float(fit.tpr_at(0.0))
    return candidates[int(np.argmax(gains))]


def _of_normals(fit: Normals, slope: float) -> float | None:
    from scipy.special import ndtr

    far, wide = fit.a / fit.b, 1 / fit.b
    level = 2 * np.log(wide * slope)
    inside = far**2 + (wide**2 - 1) * level
    if inside < 0 or (wide == 1 and far <= 0):
        return None
    root = wide * np.sqrt(inside)
    if far > 0:
        return float(ndtr(-(far**2 + wide**2 * level) / (far + root)))
    return float(ndtr(-(root - far) / (wide**2 - 1)))


def _of_curve(fit: Fit, slope: float) -> float:
    from scipy.optimize import brentq

    line = line_of(fit)
    best = int(np.argmax(line.y - slope * line.x))
    if isinstance(fit, PolygonCurve) or not 0 < best < line.x.size - 1:
        return float(line.x[best])
    ends = float(line.x[best - 1]), float(line.x[best + 1])

    def excess(at: float) -> float:
        return float(fit.slope_at(at)) - slope

    if not excess(ends[0]) > 0 > excess(ends[1]):
        return float(line.x[best])
    return float(brentq(excess, *ends, xtol=1e-15))
