"""Variances of whole and partial areas under models of the scores, without data."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rocspace._base.arrays import Vector
from rocspace.inference.area_models import hanley_mcneil_pairs

_TWO_PI = 2 * np.pi
_NODES, _ANGLES = 128, 48  # of the quadratures over a part of a curve
_NEARLY = 0.9999  # correlations above this are treated as this value
_FAR = 9.0  # Normal quantiles beyond this are ignored


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """(Co)variance of areas times the number of positives: ``large + small / n_pos``."""

    large: float
    small: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Binormal:
    """The curve ``tpr = Phi(a + b Phi^-1(fpr))`` between two false positive rates."""

    a: float
    b: float
    low: float = 0.0
    high: float = 1.0

    @cached_property
    def z(self) -> float:
        """Normal quantile of the whole area."""
        return float(self.a / (1 + self.b**2) ** 0.5)

    @cached_property
    def area(self) -> float:
        """Area under the curve between the rates."""
        return self._up_to(self.high) - self._up_to(self.low)

    def _up_to(self, fpr: float) -> float:
        from scipy.special import ndtr, ndtri

        # P(Y > t, X > Y) with fpr = P(Y > t): two correlated Normal variables.
        whole, at = float(ndtr(self.z)), float(ndtri(fpr))
        if not np.isfinite(at):
            return whole if at > 0 else 0.0
        rho = -self.b / (1 + self.b**2) ** 0.5
        return fpr * whole + normal_covariance(at, self.z, rho)

    @property
    def is_whole(self) -> bool:
        """Whether this is the area between 0 and 1."""
        return (self.low, self.high) == (0.0, 1.0)

    @cached_property
    def gradient(self) -> tuple[float, float]:
        """Derivatives of the area by a and by b."""
        from scipy.special import ndtr, ndtri

        a, b, s = self.a, self.b, 1 + self.b**2
        e = np.exp(-(a**2) / (2 * s))
        ends = (ndtri(np.array([self.low, self.high])) + a * b / s) * s**0.5
        part = np.diff(ndtr(ends))[0]
        fall = -np.diff(np.exp(-(ends**2) / 2))[0]
        f = e / (_TWO_PI * s) ** 0.5 * part
        g = e / (_TWO_PI * s) * fall - a * b * e / (_TWO_PI * s**3) ** 0.5 * part
        return float(f), float(g)


def normal_covariance(h: float, k: float, rho: float) -> float:
    """Covariance of the events X < h and Y < k of Normal variables with correlation rho.

    Plackett's integral of the density over the correlation: ``P(X < h, Y < k) - P(X < h) P(Y <
    k)``, smooth where it matters, and without cancellation in the tails.
    """
    from scipy.integrate import quad

    def density(angle: float) -> float:
        cos = np.cos(angle)
        if cos < 1e-12:
            return 1.0 if h == k and angle > 0 else 0.0
        return float(np.exp(-(h * h + k * k - 2 * h * k * np.sin(angle)) / (2 * cos * cos)))

    top = float(np.arcsin(min(max(rho, -1.0), 1.0)))
    return float(quad(density, 0, top, epsabs=1e-14, epsrel=1e-12)[0]) / _TWO_PI


# --- one area ---------------------------------------------------------------------------------


def area_variance(area: float, ratio: float, variance: str) -> Planned:
    """Return the variance of an area, given only the area: Normal scores of equal variance."""
    from scipy.special import ndtri

    if variance == "obuchowski":
        # Literally, .0099 for 1 / (32 pi) and 1.414 for the root of 2.
        q = 1.414 * float(ndtri(area))
        v = 0.0099 * np.exp(-(q**2) / 2) * ((5 * q**2 + 8) + (q**2 + 8) / ratio)
        return Planned(large=float(v))
    if variance == "hanley-mcneil":
        return _of_kernels(*hanley_mcneil_pairs(area), ratio)
    curve = Binormal(a=2**0.5 * float(ndtri(area)), b=1.0)
    return variance_of(curve, ratio, variance)


def variance_of(curve: Binormal, ratio: float, variance: str) -> Planned:
    """Return the variance of the area under a curve, or of a part of it."""
    if variance == "empirical":
        if not curve.is_whole:
            return _part_variance(curve, ratio)
        return _empirical_covariance(curve, curve, 1.0, 1.0, ratio)
    exact = covariance_of(curve, curve, 1.0, 1.0, ratio, variance)
    if variance == "exact":
        return exact
    (f, g), a, b = curve.gradient, curve.a, curve.b
    return Planned(large=exact.large - f * g * a * b)


# --- two areas --------------------------------------------------------------------------------


def covariance_of(
    one: Binormal, two: Binormal, r_pos: float, r_neg: float, ratio: float, variance: str
) -> Planned:
    """Return the covariance of the areas of two scores of the same cases."""
    if variance == "empirical":
        return _empirical_covariance(one, two, r_pos, r_neg, ratio)
    (f1, g1), (f2, g2) = one.gradient, two.gradient
    a1, b1, a2, b2 = one.a, one.b, two.a, two.b
    square_pos, square_neg = r_pos**2, r_neg**2
    c = f1 * f2 * (r_pos + r_neg * b1 * b2 / ratio + square_pos * a1 * a2 / 2)
    c += g1 * g2 * b1 * b2 * (square_neg + ratio * square_pos) / (2 * ratio)
    c += f1 * g2 * square_pos * a1 * b2 / 2 + f2 * g1 * square_pos * a2 * b1 / 2
    return Planned(large=c)


def _empirical_covariance(
    one: Binormal, two: Binormal, r_pos: float, r_neg: float, ratio: float
) -> Planned:
    """Return the covariance of empirical areas, over pairs that share one case or both."""
    if not (one.is_whole and two.is_whole):
        return _part_covariance(one, two, r_pos, r_neg, ratio)
    scale = ((1 + one.b**2) * (1 + two.b**2)) ** 0.5
    by_pos, by_neg = r_pos / scale, r_neg * one.b * two.b / scale
    both, pos, neg = (
        normal_covariance(one.z, two.z, rho) for rho in (by_pos + by_neg, by_pos, by_neg)
    )
    return _of_kernels(both, pos, neg, ratio)


def _of_kernels(both: float, by_pos: float, by_neg: float, ratio: float) -> Planned:
    """Put together covariances of wins that share both cases, the positive, or the negative.

    ``P N Cov = both + (N - 1) by_pos + (P - 1) by_neg``, as of all two-sample U-statistics.
    """
    return Planned(large=by_pos + by_neg / ratio, small=(both - by_pos - by_neg) / ratio)


def _part_variance(curve: Binormal, ratio: float) -> Planned:
    """Return the variance of an empirical part of an area, in large samples.

    A positive contributes the width of the part right of it; a negative contributes, through
    the cuts, the height of the curve from there to the end of the part.
    """
    from scipy.special import ndtr

    z, weight = _nodes(curve)
    at, height = ndtr(z), ndtr(curve.a + curve.b * z)
    pos = float((weight * 2 * (curve.high - at) * height).sum()) - curve.area**2
    ends = ndtr(curve.a + curve.b * _quantiles(curve))
    rise, whole = ends[1] - height, float(ends[1] - ends[0])
    mean = curve.low * whole + float((weight * rise).sum())
    neg = curve.low * whole**2 + float((weight * rise**2).sum()) - mean**2
    return Planned(large=pos + neg / ratio)


def _part_covariance(
    one: Binormal, two: Binormal, r_pos: float, r_neg: float, ratio: float
) -> Planned:
    """Return the covariance of two empirical parts of areas, in large samples.

    A part is the integral of the true positive rate at cuts that are themselves estimated. So
    positives add the covariances of their counts above two cuts, and negatives those of
    theirs, times the slopes of both curves; integrated over both parts.
    """
    (z1, w1), (z2, w2) = _nodes(one), _nodes(two)
    height1, height2 = one.a + one.b * z1, two.a + two.b * z2
    pos = np.outer(w1, w2) * _covariances(height1, height2, r_pos)
    slope1, slope2 = (
        curve.b * np.exp((z**2 - height**2) / 2)
        for curve, z, height in ((one, z1, height1), (two, z2, height2))
    )
    neg = np.outer(w1 * slope1, w2 * slope2) * _covariances(z1, z2, r_neg)
    return Planned(large=float(pos.sum() + neg.sum() / ratio))


def _nodes(curve: Binormal) -> tuple[Vector, Vector]:
    """Return Normal quantiles of false positive rates, and weights that integrate over them."""
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    low, high = _quantiles(curve)
    z = (low + high + (high - low) * nodes) / 2
    return z, weights * (high - low) / 2 * np.exp(-(z**2) / 2) / _TWO_PI**0.5


def _quantiles(curve: Binormal) -> Vector:
    from scipy.special import ndtri

    return np.asarray(np.clip(ndtri(np.array([curve.low, curve.high])), -_FAR, _FAR))


def _covariances(h: Vector, k: Vector, rho: float) -> Vector:
    """Return `normal_covariance` of all pairs; nearly, where the correlation is nearly 1."""
    top = float(np.arcsin(np.clip(rho, -_NEARLY, _NEARLY)))
    h, k = h[:, np.newaxis], k[np.newaxis, :]
    total = np.zeros((h.size, k.size))
    for node, weight in zip(*np.polynomial.legendre.leggauss(_ANGLES), strict=True):
        angle = top * (node + 1) / 2
        squares = h**2 + k**2 - 2 * h * k * np.sin(angle)
        total += weight * np.exp(-squares / (2 * np.cos(angle) ** 2))
    return total * top / 2 / _TWO_PI
