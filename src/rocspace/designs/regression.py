"""Location and scale of the scores of a class by covariates, and the influence of each case.

The score of a case with covariates x is ``z'beta + exp(w'gamma) e``: z are the columns of the mean,
w those of the logarithm of the standard deviation, and the residual e does not depend on x.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rocspace._base.arrays import Vector
from rocspace._base.words import counted

_STEPS = 50
_DONE = 1e-10
_FLAT = 1e-10  # standard deviation, as a share of the size of the scores, that is round-off
_MOST = 2000  # cases and points of a density; beyond, quantiles stand for them
_ROWS = 256  # points that are computed at once
NOWHERE = 40.0  # standard deviations from which a Normal density is 0 in float64


# --- columns of covariates ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """How one covariate becomes columns: numbers as they are or by a spline, categories as signs.

    Attributes
    ----------
    name : str
        The covariate.
    centre, scale : float
        Mean and standard deviation of a number.
    knots : tuple of float
        Knots of a restricted cubic spline of a number; none where it enters linearly.
    levels : tuple of float
        Codes of the categories that have a column of their own: all but the first.
    """

    name: str
    centre: float = 0.0
    scale: float = 1.0
    knots: tuple[float, ...] = ()
    levels: tuple[float, ...] | None = None

    def of(self, values: Vector) -> list[Vector]:
        """Return the columns of some cases."""
        if self.levels is not None:
            return [(values == level).astype(np.float64) for level in self.levels]
        found = [(values - self.centre) / self.scale]
        if self.knots:
            *inner, before, last = self.knots
            width = (last - self.knots[0]) ** 2

            def cubed(knot: float) -> Vector:
                return np.asarray(np.maximum(values - knot, 0.0) ** 3 / width / self.scale)

            for knot in inner:
                tail = (last - knot) * cubed(before) - (before - knot) * cubed(last)
                found.append(cubed(knot) - tail / (last - before))
        return found


def columns_of(
    values: Mapping[str, Vector],
    names: Sequence[str],
    categories: Mapping[str, int],
    knots: int = 0,
) -> tuple[Column, ...]:
    """Return how some covariates become columns; `categories` has the number of levels of each."""
    found = []
    for name in names:
        if name in categories:
            levels = tuple(float(code) for code in range(1, categories[name]))
            found.append(Column(name=name, levels=levels))
            continue
        x = values[name]
        sd = float(x.std())
        at: tuple[float, ...] = ()
        if knots:
            # Harrell's places: the outer knots leave 5 or 10 percent of the cases outside.
            outer = 0.1 if knots == 3 else 0.05
            shares = np.linspace(outer, 1 - outer, knots)
            at = tuple(np.unique(np.quantile(x, shares)).tolist())
            if (
                len(at) > np.unique(x).size
            ):  # between values: only knots at values can be told apart
                at = tuple(np.unique(np.quantile(x, shares, method="inverted_cdf")).tolist())
            at = at if len(at) >= 3 else ()
        found.append(Column(name=name, centre=float(x.mean()), scale=sd or 1.0, knots=at))
    return tuple(found)


def design(columns: Sequence[Column], values: Mapping[str, Vector], n: int) -> Vector:
    """Return the columns of n cases, a one first: shape (n, p)."""
    parts = [np.ones(n)]
    for column in columns:
        parts += column.of(values[column.name])
    return np.column_stack(parts)


# --- location and scale -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Regression:
    """A fitted location and scale.

    Attributes
    ----------
    beta, gamma : ndarray
        Coefficients of the mean, and of the logarithm of the standard deviation.
    residual : ndarray, shape (n,)
        Standardised residuals; their mean square is 1.
    influence : ndarray, shape (n, p + q)
        Influence of each case on (beta, gamma): their errors are the means of the rows.
    """

    beta: Vector
    gamma: Vector
    residual: Vector
    influence: Vector

    def mean(self, z: Vector) -> Vector:
        """Return the mean at some cases."""
        return product(z, self.beta)

    def sd(self, w: Vector) -> Vector:
        """Return the standard deviation at some cases."""
        return np.asarray(np.exp(product(w, self.gamma)))


def least_squares(rows: Vector, y: Vector) -> Vector:
    """Return the coefficients of least squares, the smallest where columns are collinear."""
    return np.asarray(np.linalg.lstsq(rows, y, rcond=None)[0], dtype=np.float64)


def product(rows: Vector, coefficients: Vector) -> Vector:
    """Multiply row by row, so that equal rows have equal results: ties stay ties."""
    total = np.zeros(len(rows))
    for j, each in enumerate(coefficients):
        total += rows[:, j] * each
    return total


def regress(y: Vector, z: Vector, w: Vector, whose: str) -> Regression:
    """Fit location and scale by Normal pseudo-likelihood.

    With a single column w of ones this is least squares, and the variance the mean square of the
    residuals. `whose` describes the cases, for messages.
    """
    n, p = z.shape
    if n <= p:
        msg = (
            f"The line of the scores of {whose} has {counted(p, 'coefficient')}, which takes more "
            f"than {counted(n, 'case')}. Leave out a covariate, or merge strata."
        )
        raise ValueError(msg)
    beta = least_squares(z, y)
    r = y - product(z, beta)
    size = float(np.sqrt(np.mean(r * r)))
    if not size > _FLAT * float(np.abs(y).max(initial=0.0)):
        msg = (
            f"The scores of {whose} do not vary for given covariates: they leave no residuals. "
            "Leave out a covariate that the score was computed from."
        )
        raise ValueError(msg)
    gamma = np.zeros(w.shape[1])
    gamma[0] = np.log(size)
    if gamma.size > 1:
        beta, gamma = _both(y, z, w, beta, gamma)
    s = np.asarray(np.exp(product(w, gamma)))
    e = (y - product(z, beta)) / s
    influence = _influence(e, z / s[:, None], w)
    return Regression(beta=beta, gamma=gamma, residual=e, influence=influence)


def _both(y: Vector, z: Vector, w: Vector, beta: Vector, gamma: Vector) -> tuple[Vector, Vector]:
    """Alternate weighted least squares with steps of the scale."""
    for _ in range(_STEPS):
        s = np.exp(product(w, gamma))
        beta = least_squares(z / s[:, None], y / s)
        e = (y - product(z, beta)) / s
        step = least_squares(w, (e * e - 1) / 2)
        size = float(np.abs(step).max())
        gamma = gamma + step * min(1.0, 1 / size if size else 1.0)
        if size < _DONE:
            break
    return beta, gamma


def _influence(e: Vector, z: Vector, w: Vector) -> Vector:
    """Return the influence of each case on the coefficients; z is divided by the sd already."""
    n = len(z)
    score = np.column_stack([z * e[:, None], w * (e * e - 1)[:, None]])
    cross = (z * e[:, None]).T @ w / n
    bread = np.block(
        [[z.T @ z / n, 2 * cross], [2 * cross.T, 2 * (w * (e * e)[:, None]).T @ w / n]]
    )
    # A column without variation among these cases has no coefficient.
    leverage = np.einsum("ij,ij->i", z @ np.linalg.pinv(z.T @ z), z)
    score /= np.sqrt(np.maximum(1 - leverage, 1 / n))[:, None]
    return np.asarray(score @ np.linalg.pinv(bread).T)


# --- density ------------------------------------------------------------------------------------


def density(sample: Vector, at: Vector) -> Vector:
    """Estimate the density of a sample at some points by Gaussian kernels.

    The bandwidth is Silverman's ``.9 min(sd, IQR / 1.34) n^(-1/5)``. Where there are more than
    2,000 cases, or points, 2,000 of their quantiles stand for them.
    """
    n = sample.size
    low, high = np.quantile(sample, [0.25, 0.75])
    spread = [x for x in (float(sample.std()), float(high - low) / 1.34) if x > 0]
    if not spread:
        return np.zeros(at.size)
    h = 0.9 * min(spread) * n**-0.2
    if n > _MOST:  # quantiles of a large sample stand for it
        sample = np.quantile(sample, (np.arange(_MOST) + 0.5) / _MOST)
    points = at
    if at.size > _MOST:
        points = np.unique(np.quantile(at, np.linspace(0, 1, _MOST)))
    found = np.empty(points.size)
    for start in range(0, points.size, _ROWS):
        gap = (points[start : start + _ROWS, None] - sample[None, :]) / h
        np.clip(gap, -NOWHERE, NOWHERE, out=gap)
        found[start : start + _ROWS] = np.exp(-gap * gap / 2).mean(axis=1)
    found /= h * np.sqrt(2 * np.pi)
    return found if points is at else np.asarray(np.interp(at, points, found))
