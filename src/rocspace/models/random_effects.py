"""Two log odds of each study, Normal between studies: restricted and full maximum likelihood."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from rocspace._base.arrays import Vector
from rocspace.models.maximum import Hill, Maximum, climb

# Derivatives of the variances between studies by (variance, covariance, variance).
_UNITS = np.array([[[1, 0], [0, 0]], [[0, 1], [1, 0]], [[0, 0], [0, 1]]], dtype=np.float64)
_NONE = 1e-8  # variance between studies, as a share of that within, which is 0 but for rounding
_FLAT = 1e-10  # curvature, as a share of the largest, below which there is none

# Exponent of the determinant of the root in the density of a Wishart distribution of 2 + 2.5
# degrees of freedom and infinite scale: twice (4.5 - 2 - 1) / 2.
PENALTY = 1.5


@dataclass(frozen=True, slots=True)
class RandomEffects:
    """What a bivariate Normal distribution between studies was estimated as.

    Attributes
    ----------
    mean : ndarray of float64, shape (2,)
        Means of logit tpr and logit fpr.
    root : ndarray of float64, shape (2, 2)
        Lower triangular root of the covariance between studies; a 0 on its diagonal is exact.
    covariance : ndarray of float64, shape (4, 4)
        Covariance of the estimates of both means and both standard deviations; nan for those of
        standard deviations that are 0.
    loglik : float
        Log-likelihood, or restricted log-likelihood.
    converged : bool
        Whether the search found its maximum.
    """

    mean: Vector
    root: Vector
    covariance: Vector
    loglik: float
    converged: bool

    @property
    def sds(self) -> Vector:
        """Standard deviations between studies of logit tpr and logit fpr."""
        return np.hypot(self.root[:, 0], self.root[:, 1])

    @property
    def correlation(self) -> float:
        """Correlation between studies of logit tpr and logit fpr; nan without variance."""
        if not self.sds.all():
            return float("nan")
        if not self.root[1, 1]:
            return float(np.sign(self.root[1, 0]))
        return float(self.root[1, 0] / self.sds[1])


def normal_effects(
    points: Vector, within: Vector, *, restricted: bool, penalised: bool = False
) -> RandomEffects:
    """Fit the bivariate Normal model to log odds whose errors have known variances.

    Parameters
    ----------
    points : ndarray of float64, shape (n, 2)
        logit tpr and logit fpr of each study.
    within : ndarray of float64, shape (n, 2)
        Variances of their errors, which are independent.
    restricted : bool
        Whether the likelihood is the restricted one.
    penalised : bool
        Whether it has the factor of `Penalised`.

    Notes
    -----
    Reitsma et al. (2005). Newton's method on the triangular root of the
    covariance between studies, which has no border where a variance is 0 or a correlation 1; from
    two starts. A step takes O(n).
    """

    def at(x: Vector) -> NormalHill:
        return NormalHill(x, points, within, restricted)

    def looked_at(x: Vector) -> RootHill:
        return Penalised(at(x)) if penalised else at(x)

    found = best_climb(looked_at, starts(points, within.mean(axis=0)))
    root = tidied(found.x, within)
    flat = root[np.tril_indices(2)]
    hill, top = at(flat), looked_at(flat)
    covariance = np.zeros((5, 5))
    covariance[:2, :2] = hill.mean_covariance
    covariance[2:, 2:] = inverse(-top.curvature)
    return RandomEffects(
        mean=hill.mean,
        root=root,
        covariance=by_sds(covariance, root),
        loglik=top.value,
        converged=found.converged,
    )


class NormalHill:
    """The (restricted) log-likelihood at a triangular root; its means are the best ones for it.

    With V the variances of the points, X the design and P = W - W X (X'WX)^-1 X'W, W = V^-1, the
    gradient by a variance is (y'P V_j P y - tr(P V_j)) / 2; the likelihood that is not restricted
    has W in place of P in the trace. All matrices are 2 x 2 for each study.
    """

    def __init__(self, x: Vector, points: Vector, within: Vector, restricted: bool) -> None:
        self.x = x
        self._restricted = restricted
        root = lower(x)
        variance = root @ root.T + within[:, :, None] * np.eye(2)
        self._w = np.linalg.inv(variance)
        total = self._w.sum(axis=0)
        self.mean_covariance = np.linalg.inv(total)
        self.mean = self.mean_covariance @ np.einsum("nij,nj->i", self._w, points)
        apart = points - self.mean
        self._e = np.einsum("nij,nj->ni", self._w, apart)  # P y
        size, extra = points.size, 0.0
        if restricted:
            size -= 2
            extra = float(np.linalg.slogdet(total)[1]) - 2 * np.log(len(points))
        value = np.linalg.slogdet(variance)[1].sum() + (apart * self._e).sum() + extra
        self.value = -(float(value) + size * np.log(2 * np.pi)) / 2

    @cached_property
    def _slopes(self) -> Vector:
        """Derivatives by (variance, covariance, variance) between studies."""
        w, c = self._w, self.mean_covariance
        traces = np.einsum("nij,kji->k", w, _UNITS)
        if self._restricted:
            traces = traces - np.einsum("ij,kji->k", c, self._spread)
        return np.asarray((np.einsum("ni,kij,nj->k", self._e, _UNITS, self._e) - traces) / 2)

    @cached_property
    def _spread(self) -> Vector:
        """X'W V_j W X of each derivative."""
        return np.asarray(np.einsum("nij,kjl,nlm->kim", self._w, _UNITS, self._w))

    @property
    def _bend(self) -> Vector:
        """Minus the second derivatives by (variance, covariance, variance)."""
        w, c, a = self._w, self.mean_covariance, self._spread
        we = np.einsum("nij,kjl->nkil", w, _UNITS)
        traces = np.einsum("njab,nkba->jk", we, we)
        if self._restricted:
            thrice = np.einsum("njab,nkbc,ncd->jkad", we, we, w)
            ca = c @ a
            traces = traces - 2 * np.einsum("ij,kmji->km", c, thrice)
            traces = traces + np.einsum("jab,kba->jk", ca, ca)
        z = np.einsum("kij,nj->kni", _UNITS, self._e)
        wz = np.einsum("nij,knj->kni", w, z)
        sums = wz.sum(axis=1)
        return np.asarray(np.einsum("jni,kni->jk", z, wz) - sums @ c @ sums.T - traces / 2)

    @cached_property
    def gradient(self) -> Vector:
        """Derivatives by the entries of the root."""
        return np.asarray(by_root(self.x).T @ self._slopes)

    @cached_property
    def curvature(self) -> Vector:
        """Second derivatives by the entries of the root."""
        (first, shared, last), by = self._slopes, by_root(self.x)
        own = np.array([[2 * first, shared, 0], [shared, 2 * last, 0], [0, 0, 2 * last]])
        return np.asarray(own - by.T @ self._bend @ by)

    def ascent(self) -> Vector:
        """Newton's step, turned upward where the function is not concave."""
        return upward(self.curvature, self.gradient)

    def reach(self, step: Vector) -> float:
        """Return infinity: a root has no border."""
        return np.inf


# --- off the border ---------------------------------------------------------------------------


class RootHill(Hill, Protocol):
    """A function whose last three parameters are a triangular root, with second derivatives."""

    @property
    def x(self) -> Vector:
        """The point."""

    @property
    def curvature(self) -> Vector:
        """Its second derivatives."""


class Penalised:
    """A log-likelihood plus 3/4 log |Sigma|, so that Sigma, the variance, is never singular.

    The maximum is the mode of a posterior whose prior is a Wishart distribution of infinite scale
    (Chung et al. 2015), with 2 + 2.5 degrees of freedom as in the R package blme.
    """

    def __init__(self, hill: RootHill) -> None:
        self.x, self._hill = hill.x, hill
        self._at = [hill.x.size - 3, hill.x.size - 1]  # the diagonal of the root
        with np.errstate(divide="ignore"):
            self.value = hill.value + PENALTY * float(np.log(np.abs(self.x[self._at])).sum())

    @property
    def gradient(self) -> Vector:
        """Its derivatives."""
        found = self._hill.gradient.copy()
        found[self._at] += PENALTY / self.x[self._at]
        return found

    @property
    def curvature(self) -> Vector:
        """Its second derivatives."""
        found = self._hill.curvature.copy()
        found[self._at, self._at] -= PENALTY / self.x[self._at] ** 2
        return found

    def ascent(self) -> Vector:
        """Newton's step, turned upward where the function is not concave."""
        return upward(self.curvature, self.gradient)

    def reach(self, step: Vector) -> float:
        """Return how much of a step leaves the diagonal on its side of 0."""
        x, by = self.x[self._at], step[self._at]
        towards = x * by < 0
        return float(np.min(-x[towards] / by[towards], initial=np.inf))


# --- what all likelihoods share ---------------------------------------------------------------


def lower(x: Vector) -> Vector:
    """Return the lower triangular matrix of three entries, by rows."""
    return np.array([[x[0], 0.0], [x[1], x[2]]])


def by_root(x: Vector) -> Vector:
    """Return derivatives of (variance, covariance, variance) by the entries of their root."""
    return np.array([[2 * x[0], 0, 0], [x[1], x[0], 0], [0, 2 * x[1], 2 * x[2]]])


def upward(curvature: Vector, gradient: Vector) -> Vector:
    """Return Newton's step, with the absolute values of all curvatures."""
    size, axes = np.linalg.eigh(curvature)
    size = np.abs(size)
    return np.asarray(axes @ ((axes.T @ gradient) / np.maximum(size, _FLAT * size.max())))


def inverse(information: Vector) -> Vector:
    """Return the inverse of a positive semidefinite matrix; nothing is known of flat directions."""
    size, axes = np.linalg.eigh(information)
    known = size > _FLAT * np.abs(size).max()
    return np.asarray((axes * np.where(known, 1 / np.where(known, size, 1.0), 0.0)) @ axes.T)


def starts(points: Vector, within: Vector) -> list[Vector]:
    """Return roots to start from: of the moments, and the same without correlation."""
    spread = np.cov(points.T)
    least = 0.1 * within
    variance = np.maximum(np.diag(spread) - within, least)
    first, second = np.sqrt(variance)
    together = spread[0, 1] / np.sqrt(spread[0, 0] * spread[1, 1] + 1e-300)
    return [
        np.array([first, r * second, np.sqrt(1 - r * r) * second])
        for r in (min(max(together, -0.9), 0.9), 0.0)
    ]


def best_climb(at: Callable[[Vector], Hill], begin: list[Vector]) -> Maximum:
    """Return the highest of the maxima that are reached from several starts."""
    found = [climb(at, start) for start in begin]
    return max(found, key=lambda each: (each.converged, each.value))


def tidied(x: Vector, within: Vector) -> Vector:
    """Return a root with positive diagonal, and 0 where only rounding keeps it from that."""
    root = lower(x)
    root[:, 0] *= np.copysign(1.0, root[0, 0])
    root[1, 1] = abs(root[1, 1])
    square, least = (root**2).sum(axis=1), _NONE * within.min()
    if square[1] <= least:
        root[1] = 0.0
    if square[0] <= least:
        return np.diag([0.0, np.hypot(*root[1])])
    if root[1, 1] ** 2 <= _NONE * square[1]:
        root[1, 1] = 0.0
    return root


def by_sds(covariance: Vector, root: Vector) -> Vector:
    """Turn the covariance of means and root into that of means and standard deviations."""
    sds = np.hypot(root[:, 0], root[:, 1])
    by = np.zeros((4, 5))
    by[0, 0] = by[1, 1] = by[2, 2] = 1
    if sds[1]:
        by[3, 3:] = root[1] / sds[1]
    found = by @ covariance @ by.T
    unknown = np.concatenate([[False, False], sds == 0])
    found[unknown] = found[:, unknown] = np.nan
    return np.asarray(found)
