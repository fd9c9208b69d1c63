"""Regression of the ROC curve itself on covariates, from placements among negatives alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import sqrt
from typing import Any

import numpy as np

from rocspace._base.arrays import Vector
from rocspace.designs.covariate_cases import CovariateScores, check_varies
from rocspace.designs.covariate_models import (
    Settled,
    settled,
)
from rocspace.designs.kinds import Kinds
from rocspace.designs.reference import Reference, references
from rocspace.designs.regression import columns_of, design, product
from rocspace.results.proportions import normal_density

_STEPS = 100
_DONE = 1e-10
_FAR = 50.0  # size of a parameter beyond which there is no finite one
_LEAST = 1e-6  # slope b below which the curve of a regression is flat


@dataclass(frozen=True, kw_only=True)
class RocGlm:
    """The fitted curve Phi(a + b Phi^-1(t) + c'x), and the error that each case adds.

    ``theta`` is (a, b, c); ``errors`` has a row for each of them, a column for each case.
    """

    theta: Vector
    errors: Vector
    columns: Any
    count: float

    @cached_property
    def covariance(self) -> Vector:
        """Covariance of theta."""
        return np.asarray(self.errors @ self.errors.T)

    @staticmethod
    def fit(data: CovariateScores, name: str, found: Settled) -> RocGlm:
        """Fit to placements among negatives of the same kind."""
        for each in data.covariates:
            if each not in data.levels:  # a category has no coefficient for its first value
                check_varies(data, each)
        by = replace(found.model, method="location-scale" if found.columns else "stratified")
        parts = references(data, data.column(name), settled(data, by))
        categories = {n: len(known) for n, known in data.levels.items()}
        columns = columns_of(data.covariates, tuple(data.covariates), categories, found.model.knots)
        rows = design(columns, data.covariates, len(data))[:, 1:]
        theta, errors = fit_placements(parts, rows, len(data), found.model.rates)
        n1, n0 = (
            sum(side) for side in zip(*((p.pos.size, p.neg.size) for p in parts), strict=True)
        )
        return RocGlm(theta=theta, errors=errors, columns=columns, count=float(min(n1, n0)))

    def shifts(self, values: Mapping[str, Vector], m: int) -> Vector:
        """Return what the covariates of m kinds add to a, as rows to be multiplied with theta."""
        rows = design(self.columns, values, m)[:, 1:]
        return np.column_stack([np.ones(m), np.zeros(m), rows])

    def areas(self, values: Mapping[str, Vector], m: int) -> Kinds:
        """Return the areas for m kinds of cases."""
        from scipy.special import ndtr

        rows = self.shifts(values, m)
        height, b = product(rows, self.theta), float(self.theta[1])
        root = float(np.hypot(1, b))
        d = height / root
        top = normal_density(d)
        slopes = rows * (top / root)[:, None]
        slopes[:, 1] = -top * height * b / root**3
        many = np.full(m, self.count)
        df = np.full(m, max(self.count - self.theta.size, 1.0))
        errors = slopes @ self.errors
        return Kinds(
            values=np.asarray(ndtr(d)),
            covariance=errors @ errors.T,
            errors=errors,
            df=df,
            pairs=many,
        )


def fit_placements(
    parts: list[Reference], rows: Vector, n: int, many: int
) -> tuple[Vector, Vector]:
    """Fit the curve to placements by probit regression, and return the errors of each case."""
    from scipy.special import ndtri

    t = np.arange(1, many + 1) / (many + 1)
    z = ndtri(t)
    pos = np.concatenate([part.pos for part in parts])
    above = np.concatenate([part.beaten()[1] for part in parts])
    below = (above[:, None] <= t * (1 + 1e-14)).astype(np.float64)
    x = rows[pos]
    theta = _climb(below, z, x)
    work = _Working(theta, z, x)
    bread = np.linalg.inv(work.information)
    errors = np.zeros((theta.size, n))
    residual = work.weight * (below - work.fitted)
    errors[:, pos] = (bread @ work.summed(residual).T) * sqrt(pos.size / (pos.size - theta.size))
    # A negative moves the share of negatives above a threshold, and with it the placements.
    moved = work.weight * theta[1] * work.density / normal_density(z)
    at = 0
    for part in parts:
        own = slice(at, at + part.pos.size)
        at += part.pos.size
        pull = _pulled(part, work, moved, own, (t, z))
        errors[:, part.neg] = -(bread @ pull) * part.loss / part.neg.size
    return theta, errors


class _Working:
    """Fitted probabilities, weights and information of the regression at some parameters."""

    def __init__(self, theta: Vector, z: Vector, x: Vector) -> None:
        from scipy.special import log_ndtr, ndtr

        self.z, self.x = z, x
        eta = (theta[0] + product(x, theta[2:]))[:, None] + theta[1] * z
        self.fitted = ndtr(eta)
        self.density = normal_density(eta)
        log = -eta * eta / 2 - np.log(2 * np.pi) / 2 - log_ndtr(eta) - log_ndtr(-eta)
        self.weight = np.exp(log)
        own = self.weight * self.density
        by_case, by_z, by_square = own.sum(axis=1), own @ z, own @ (z * z)
        size = 2 + x.shape[1]
        info = np.empty((size, size))
        info[0, 0], info[1, 1] = by_case.sum(), by_square.sum()
        info[0, 1] = info[1, 0] = by_z.sum()
        info[0, 2:] = info[2:, 0] = by_case @ x
        info[1, 2:] = info[2:, 1] = by_z @ x
        info[2:, 2:] = (x * by_case[:, None]).T @ x
        self.information = info

    def summed(self, values: Vector, own: slice = slice(None)) -> Vector:
        """Return, for each positive, the sum over the rates of values times its row."""
        total = values.sum(axis=1)
        return np.column_stack([total, values @ self.z, self.x[own] * total[:, None]])


def _climb(below: Vector, z: Vector, x: Vector) -> Vector:
    """Return the parameters of the probit regression by Fisher's scoring."""
    from scipy.special import ndtri

    share = np.clip(below.mean(axis=0), 1e-3, 1 - 1e-3)
    theta = np.zeros(2 + x.shape[1])
    line = np.column_stack([np.ones(z.size), z])
    theta[:2] = np.linalg.lstsq(line, ndtri(share), rcond=None)[0]
    for _ in range(_STEPS):
        work = _Working(theta, z, x)
        score = work.summed(work.weight * (below - work.fitted)).sum(axis=0)
        step = np.linalg.lstsq(work.information, score, rcond=None)[0]
        size = float(np.abs(step).max())
        if not size < 1e6:
            break
        theta = theta + step * min(1.0, 1 / size if size > 0 else 1.0)
        largest = float(np.abs(theta).max())
        if largest > _FAR:
            break
        if size < _DONE * (1 + largest) and theta[1] > _LEAST:
            return np.asarray(theta)
    msg = (
        "The regression of the curve has no finite solution here: placements of some kind of "
        'positives are all 0 or all 1, or the curve is flat. Take the method "stratified" or '
        '"location-scale", or leave out a covariate.'
    )
    raise ValueError(msg)


def _pulled(
    part: Reference, work: _Working, moved: Vector, own: slice, rates: tuple[Vector, Vector]
) -> Vector:
    """Return how each negative of a stratum moves the score equations, shape (q, n)."""
    t, z = rates
    mine = moved[own]
    total = np.zeros((2 + work.x.shape[1], part.neg.size))
    if not part.normal:
        by_rate = np.vstack([mine.sum(axis=0), mine.sum(axis=0) * z, work.x[own].T @ mine])
        left = np.searchsorted(part.ordered, part.at_neg, "left")
        right = np.searchsorted(part.ordered, part.at_neg, "right")
        n = part.neg.size
        inner = 1 - (left + right) / (2 * n)  # its own placement
        counted = np.cumsum(by_rate[:, ::-1], axis=1)[:, ::-1]
        counted = np.concatenate([counted, np.zeros((len(counted), 1))], axis=1)
        total += counted[:, np.searchsorted(t, inner, side="left")] - (by_rate @ t)[:, None]
    if part.line is None:
        return total
    at = -z if part.normal else np.quantile(part.at_neg, 1 - t)
    weight = mine * part.density_at(at)
    scaled = weight * at
    # Influences on the share of negatives above a threshold: minus those on the share below.
    for which, columns, mean, influence in (
        (weight, part.z_pos, part.z_neg, part.line.influence[:, : part.z_pos.shape[1]]),
        (scaled, part.w_pos, part.w_neg, part.line.influence[:, part.z_pos.shape[1] :]),
    ):
        centred = columns if part.normal else columns - mean.mean(axis=0)
        total += work.summed(which, own).T @ centred @ influence.T
    return total
