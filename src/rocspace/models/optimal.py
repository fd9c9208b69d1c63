"""Optimal cuts of fitted curves: where the slope is that of the costs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from rocspace._base.arrays import Vector
from rocspace._base.calls import explained
from rocspace._base.cards import Card
from rocspace._base.frozen import Result
from rocspace._base.text import either
from rocspace.models.binormal import Normals
from rocspace.models.families import FamilyFit
from rocspace.models.sampled import TwoSided
from rocspace.results.curve import PolygonCurve, line_of
from rocspace.results.estimates import Estimate
from rocspace.results.fit import Fit

_NEAR = 1e-3  # step of the curvature, as a share of the distance to the nearer end


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
    threshold_estimate : Estimate
        The same with its standard error, which is nan for fits that take thresholds from the
        observed scores.
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
    threshold_estimate: Estimate
    fpr: Estimate
    tpr: Estimate
    index: Estimate

    def _card(self) -> Card:
        return Card(
            rows={
                "Curve": self.name,
                "Slope": either(self.slope),
                "Threshold": either(self.threshold)
                if np.isnan(self.threshold_estimate.se)
                else str(self.threshold_estimate),
                "fpr": str(self.fpr),
                "tpr": str(self.tpr),
                "tpr - slope fpr": str(self.index),
            }
        )


@explained
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
        Its threshold, rates and index are estimates by the delta method. Where a corner of the
        unit square is optimal, so that all or no case is to be called positive, the rates have no
        standard error.

    Raises
    ------
    ValueError
        If the slope is not positive and finite.

    Notes
    -----
    For a binormal curve with ``D = a / b`` and ``g = 1 / b``, in units of the negatives, the cut is
    ``(D^2 + g^2 L) / (D + g sqrt(D^2 + (g^2 - 1) L))`` with ``L = 2 ln(g slope)``; for D <= 0 the
    other form of the same root, ``(g sqrt(D^2 + (g^2 - 1) L) - D) / (g^2 - 1)``. For other curves
    it is the root of ``slope_at(fpr) = slope`` next to the best of 2,001 points. The index is
    stationary in the cut: its standard error is that at a fixed point. That of the rates is larger,
    because the cut moves with the sample: by the change of the slope there, divided by the
    curvature. The standard error of the threshold also allows for the scale of the scores, such as
    mean and standard deviation of the negatives. Where the threshold is one of the observed scores,
    take ``threshold_bootstrap(table)``.

    How much a threshold varies is hardly told by its standard error where scores are weak, because
    the curvature that it is divided by is as uncertain. The default interval of "binormal",
    "box-cox" and "yeo-johnson" is therefore that of Krinsky and Robb: 4,000 curves are drawn from
    the distribution of the parameters, Student's t with the covariance of the fit, and the ends are
    quantiles of their optimal cuts, of 95 percent each the 100th from an end; they are infinite
    where a corner is optimal. With 30 + 30 scores of area .65 it covers in 95 percent of samples,
    value +- t se (``scale="t"``) in 92. The curve of "density-ratio" is a polygon; its rates have
    the errors of a fixed threshold.

    Of a kernel fit and slope 1 it is the cut-off where Youden's index of kernel-smoothed
    distributions is greatest; R's cutpointr takes ``bandwidth="direct-plug-in"`` for it. The errors
    are those with a fixed bandwidth, without the bias of smoothing: intervals of thresholds cover
    less than their level where a density is far from Normal.

    References
    ----------
    Schisterman and Perkins (2007), no numbered equation, for slope 1 and Normal scores; Krinsky and
    Robb (1986), no numbered equation, for drawn parameters; Fluss, Faraggi and Reiser (2005), a
    paper on this alone, for kernels.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> from rocspace.models import fit_binormal
    >>> data = datasets.load("fawcett20")
    >>> found = optimal_cut(fit_binormal(tabulate(data.y_true, data.y_score)))
    >>> print(f"{found.threshold:.3f}: fpr {found.fpr.value:.3f}, tpr {found.tpr.value:.3f}")
    0.513: fpr 0.260, tpr 0.541
    """
    if not (np.isfinite(slope) and slope > 1e-300):
        msg = f"slope is {slope!r}, but must be positive and finite; 1 is Youden's index."
        raise ValueError(msg)
    at = _optimum(fit, slope)
    inside = 0 < at < 1
    point = _moving(fit, slope, at)
    fpr, tpr = _corner(fit, at), _corner(fit, float(fit.tpr_at(at)))
    if inside:
        fpr = fit.estimate(lambda one: point(one)[0])
        tpr = fit.estimate(lambda one: point(one)[1])

    def gain(one: Any) -> float:
        x, y, _ = (at, float(one.tpr_at(at)), 0) if isinstance(fit, PolygonCurve) else point(one)
        return y - slope * x

    index = fit.estimate(gain, bounds=(max(0.0, 1 - slope), 1.0))
    cut = fit.score_estimate(lambda one: point(one)[2], drawn=_drawn_cuts(fit, slope))
    return OptimalCut(
        name=fit.name,
        slope=float(slope),
        threshold=cut.value,
        threshold_estimate=cut,
        fpr=fpr,
        tpr=tpr,
        index=index,
    )


def _moving(fit: Fit, slope: float, at: float) -> Callable[[Any], tuple[float, float, float]]:
    """Return the readings fpr, tpr and threshold of the optimum near that of this fit.

    Away from closed forms they take one step of Newton's method from it, whose derivative by the
    parameters is that of the optimum.
    """
    width = min(at, 1 - at)
    if isinstance(fit, FamilyFit | TwoSided) and width > 0:
        rates = np.array([1 - _NEAR, 1, 1 + _NEAR]) * at
        if rates[2] >= 1:
            rates = at + np.array([-0.5, 0, 0.5]) * (1 - at)
        scores = np.asarray(fit.threshold_at(rates))
        first, middle, last = (fit.at_score(score) for score in scores)
        with np.errstate(all="ignore"):
            steep = np.subtract(last[2], first[2]) / np.subtract(scores[2], scores[0])

        def of_score(one: Any) -> tuple[float, float, float]:
            excess = one.at_score(scores[1])[2] - middle[2]
            x = float(scores[1] - excess / steep)
            fpr, tpr, _ = one.at_score(x).tolist()
            return fpr, tpr, x

        if np.isfinite([steep, *middle]).all() and steep:
            return of_score

    ends = at + np.array([-_NEAR, _NEAR]) * width
    steep = 0.0
    if width > 0 and not isinstance(fit, PolygonCurve | Normals):
        with np.errstate(all="ignore"):
            steep = float(np.diff(np.log(fit.slope_at(ends)))[0] / np.diff(ends)[0])

    def of_rate(one: Any) -> tuple[float, float, float]:
        rate = at
        if isinstance(fit, PolygonCurve | Normals):
            rate = _optimum(one, slope)
        elif steep and np.isfinite(steep):
            with np.errstate(all="ignore"):
                excess = float(np.log(one.slope_at(at)) - np.log(fit.slope_at(at)))
            rate = float(np.clip(at - excess / steep, at - width / 2, at + width / 2))
        if np.isnan(rate):
            return rate, rate, rate
        return rate, float(one.tpr_at(rate)), _threshold(one, rate)

    return of_rate


def _threshold(fit: Fit, at: float) -> float:
    try:
        return float(fit.threshold_at(at))
    except ValueError:  # it knows no scores
        return float("nan")


def _corner(fit: Fit, at: float) -> Estimate:
    return Estimate(value=at, se=float("nan"), method=f"{fit.method}, a corner", df=fit.df)


def _optimum(fit: Fit, slope: float) -> float:
    """Return the false positive rate of the best point; that nearest to 0 of equal ones."""
    inner = _of_curve(fit, slope) if not isinstance(fit, Normals) else _rate_of(fit, slope)
    if np.isnan(inner):
        return 0.0 if slope >= 1 else 1.0
    candidates = (0.0, inner, 1.0)
    gains = [
        float(fit.tpr_at(at)) - slope * at if 0 < at < 1 else at * (1 - slope) for at in candidates
    ]
    if isinstance(fit, PolygonCurve):
        gains[0] = float(fit.tpr_at(0.0))
    return candidates[int(np.argmax(gains))]


def _rate_of(fit: Normals, slope: float) -> float:
    from scipy.special import ndtr

    return float(ndtr(_of_normals(fit.a, fit.b, slope)))


def _of_normals(a: Any, b: Any, slope: float) -> Vector:
    """Return the probits of the false positive rates where the slopes are as asked; nan if none."""
    with np.errstate(all="ignore"):
        far, wide = np.asarray(a / b), np.asarray(1 / b)
        level = 2 * np.log(wide * slope)
        root = wide * np.sqrt(far**2 + (wide**2 - 1) * level)
        ahead = -(far**2 + wide**2 * level) / (far + root)
        return np.asarray(np.where(far > 0, ahead, -(root - far) / (wide**2 - 1)))


def _drawn_cuts(fit: Fit, slope: float) -> Vector | None:
    """Return the optimal thresholds of curves whose parameters are drawn, where they can be."""
    found = fit.drawn() if isinstance(fit, Normals) else None
    if found is None:
        return None
    from scipy.special import ndtr

    parameters, thresholds = found
    a, b = parameters["a"], parameters["b"]
    z = _of_normals(a, b, slope)
    gain = ndtr(a + b * z) - slope * ndtr(z)
    corner = -np.inf if slope >= 1 else np.inf
    return thresholds(np.where(gain > max(0.0, 1 - slope), z, corner))


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
