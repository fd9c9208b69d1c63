"""Two binomial counts of each study, Normal log odds between studies: adaptive quadrature."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from rocspace._base.arrays import Vector
from rocspace.models.random_effects import (
    Penalised,
    RandomEffects,
    RootHill,
    best_climb,
    by_sds,
    inverse,
    lower,
    starts,
    tidied,
    upward,
)

_NODES = 15  # of the quadrature, in each direction
_STEPS = 60  # of the search for a study's most likely log odds
_CLOSE = 1e-10  # change of it, in standard deviations between studies, that ends the search


def binomial_effects(hits: Vector, n: Vector, *, penalised: bool = False) -> RandomEffects:
    """Fit the bivariate Normal model to counts, by their exact binomial likelihood.

    Parameters
    ----------
    hits : ndarray of float64, shape (n, 2)
        Cases called positive among the positives and among the negatives of each study.
    n : ndarray of float64, shape (n, 2)
        Positives and negatives of each study.
    penalised : bool
        Whether the likelihood has the factor of `Penalised`.

    Notes
    -----
    Chu and Cole (2006). Each study's integral over both log odds is a Gauss-Hermite sum around its
    most likely log odds, scaled by the curvature there, as Pinheiro and Bates (1995) do, with 15 x
    15 nodes. A step takes O(225 n).
    """
    near = np.log((hits + 0.5) / (n - hits + 0.5))
    error = (1 / (hits + 0.5) + 1 / (n - hits + 0.5)).mean(axis=0)

    def at(x: Vector) -> RootHill:
        hill = BinomialHill(x, hits, n)
        return Penalised(hill) if penalised else hill

    begin = [np.concatenate([near.mean(axis=0), root]) for root in starts(near, error)]
    found = best_climb(at, begin[:1])
    if not found.converged:
        found = best_climb(at, begin)
    root = tidied(found.x[2:], 1 / n)
    hill = at(np.concatenate([found.x[:2], root[np.tril_indices(2)]]))
    return RandomEffects(
        mean=found.x[:2],
        root=root,
        covariance=by_sds(inverse(-hill.curvature), root),
        loglik=hill.value,
        converged=found.converged,
    )


class BinomialHill:
    """The log-likelihood at both means and the triangular root of the covariance between studies.

    With u standard Normal and the log odds z = mean + root u, so that nothing happens at a border
    of the covariance. Derivatives are those of the integrand, averaged over the distribution of u
    given the counts, as Louis (1982) shows.
    """

    def __init__(self, x: Vector, hits: Vector, n: Vector) -> None:
        from scipy.special import expit, gammaln, roots_hermitenorm

        self.x, self._n = x, n
        self._root = root = lower(x[2:])
        mode, scale = self._modes(hits)
        at, weight = roots_hermitenorm(_NODES)
        first, second = (each.ravel() for each in np.meshgrid(at, at, indexing="ij"))
        t = np.stack([first, second], axis=-1)
        self._u = mode[:, None] + np.einsum("nij,mj->nmi", scale, t)  # study, node, axis
        z = x[:2] + self._u @ root.T
        logs = (hits[:, None] * z - n[:, None] * np.logaddexp(0, z)).sum(axis=-1)
        logs += ((t**2).sum(axis=-1) - (self._u**2).sum(axis=-1)) / 2
        logs += np.log(np.outer(weight, weight).ravel() / (2 * np.pi))
        logs += np.log(scale[:, 0, 0] * scale[:, 1, 1])[:, None]
        top = logs.max(axis=1, keepdims=True)
        likely = np.exp(logs - top)
        total = likely.sum(axis=1, keepdims=True)
        ways = (gammaln(n + 1) - gammaln(hits + 1) - gammaln(n - hits + 1)).sum()
        self.value = float((top + np.log(total)).sum() + ways)
        self._share = likely / total
        rate = expit(z)
        self._score, self._bend = hits[:, None] - n[:, None] * rate, n[:, None] * rate * (1 - rate)

    def _modes(self, hits: Vector) -> tuple[Vector, Vector]:
        """Return each study's most likely u, and a lower root of its inverse curvature."""
        from scipy.special import expit

        u, root = np.zeros(hits.shape), self._root
        for _ in range(_STEPS):
            rate = expit(self.x[:2] + u @ root.T)
            slope = (hits - self._n * rate) @ root - u
            bend = np.einsum("ji,nj,jk->nik", root, self._n * rate * (1 - rate), root) + np.eye(2)
            step = np.linalg.solve(bend, slope[:, :, None])[:, :, 0]
            far = np.abs(step).max(axis=1, keepdims=True)
            u = u + step / np.maximum(1.0, far)  # at most 1: far out the logistic is flat
            if far.max() < _CLOSE:
                break
        return u, np.linalg.cholesky(np.linalg.inv(bend))

    @cached_property
    def _by(self) -> Vector:
        """Derivatives of each node's log-likelihood by the five parameters."""
        s, u = self._score, self._u
        return np.stack(
            [
                s[..., 0],
                s[..., 1],
                s[..., 0] * u[..., 0],
                s[..., 1] * u[..., 0],
                s[..., 1] * u[..., 1],
            ],
            axis=-1,
        )

    @cached_property
    def gradient(self) -> Vector:
        """Derivatives by both means and the entries of the root."""
        return np.asarray(self._share.ravel() @ self._by.reshape(-1, 5))

    @cached_property
    def curvature(self) -> Vector:
        """Second derivatives by both means and the entries of the root."""
        share, by, u = self._share[..., None], self._by, self._u
        mean = (share * by).sum(axis=1)
        found = _products(by, share * by) - mean.T @ mean
        one = np.ones(share.shape)
        first, second = np.append(one, u[..., :1], axis=-1), np.append(one, u, axis=-1)
        for design, at, i in ((first, [0, 2], 0), (second, [1, 3, 4], 1)):
            bend = self._bend[..., i, None]
            found[np.ix_(at, at)] -= _products(design, share * bend * design)
        return np.asarray(found)

    def ascent(self) -> Vector:
        """Newton's step, turned upward where the function is not concave."""
        return upward(self.curvature, self.gradient)

    def reach(self, step: Vector) -> float:
        """Return infinity: a root has no border."""
        return np.inf


def _products(first: Vector, second: Vector) -> Vector:
    """Sum the products of columns over all studies and nodes."""
    return np.asarray(first.reshape(-1, first.shape[-1]).T @ second.reshape(-1, second.shape[-1]))
