"""Criteria smoothed over thresholds by a cubic spline with given degrees of freedom."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from rocspace._base.arrays import Array, Ints, Vector
from rocspace._base.checks import check_positive
from rocspace._base.errors import Argument, ArgumentError
from rocspace._base.text import brief
from rocspace._base.words import counted

_FEWEST = 4  # distinct scores: a cubic through fewer is no more than they are
_STEPS = (50, 200, 800, 3200)  # distinct scores at which R's smooth.spline has
_KNOTS = (50, 100, 140, 200)  # so many knots


@dataclass(frozen=True, slots=True)
class _Spline:
    """A natural cubic spline at given places, linear in a straight line and one bend for each knot.

    Between two knots it is ``columns @ numbers``, with the values and the scaled curvatures at both
    knots for numbers; `line` and `bends` have these four numbers of each interval for each
    parameter. The integral of the squared second derivative is the sum of the squared bends.
    """

    columns: Array
    interval: Ints
    line: Array
    bends: Array


def smoothed_values(score: Vector, value: Vector, smooth: float, name: str) -> Vector:
    """Return a criterion smoothed over the finite thresholds, nan at others.

    `score` and `value` have one entry for each row, from the most conservative threshold on;
    `name` is the criterion's, for messages.
    """
    degrees = check_positive("smooth", smooth)
    rows = np.flatnonzero(np.isfinite(score))[::-1]
    place = _places(score[rows])
    knots = np.unique(place[_chosen(place.size)]) if place.size else place
    _check(degrees, knots.size, place.size)
    _check_finite(score[rows], value[rows], name)
    found = np.full(score.shape, np.nan)
    through = degrees == place.size  # as many degrees as values: nothing is smoothed
    found[rows] = value[rows] if through else _fitted(place, knots, value[rows], degrees)
    return found


def _check(degrees: float, knots: int, distinct: int) -> None:
    if knots < _FEWEST:
        why = (
            f" fits a cubic spline over the thresholds, for which there must be {_FEWEST} distinct "
            f"finite scores or more, but there {'is' if distinct == 1 else 'are'} {distinct}. "
            "Leave it out."
        )
        raise ArgumentError(Argument("smooth"), why)
    if not 2 < degrees <= knots:
        of = f"{knots} knots among " if knots < distinct else ""
        why = (
            f" is {brief(degrees)} degrees of freedom, but must be more than 2, which is a "
            f"straight line, and at most {knots}, of {of}{counted(distinct, 'distinct score')}."
        )
        raise ArgumentError(Argument("smooth"), why)


def _check_finite(score: Vector, value: Vector, name: str) -> None:
    bad = np.flatnonzero(~np.isfinite(value))
    if bad.size:
        why = (
            f" cannot be had of {name}: it is infinite or undefined at {bad.size} of {score.size} "
            f"thresholds, such as {score[bad[-1]]:g}. Choose a criterion that is finite at all, "
            "such as youden or accuracy, or leave it out."
        )
        raise ArgumentError(Argument("smooth"), why)


def _places(score: Vector) -> Vector:
    """Return where scores lie between the two outermost, 0 and 1, ascending; any scale will do."""
    if score.size == 0:
        return score
    _, power = np.frexp(np.abs(score).max())
    scaled = np.ldexp(score, -power)
    far = np.abs(scaled - scaled[0])
    return np.asarray(far / (far[-1] or 1.0))


def _chosen(n: int) -> Ints:
    """Return which of n places are knots, as R's smooth.spline chooses them: all of up to 49."""
    if n < _STEPS[0]:
        return np.arange(n)
    if n < _STEPS[-1]:
        most = 2 ** np.interp(n, _STEPS, np.log2(_KNOTS))
    else:
        most = _KNOTS[-1] + (n - _STEPS[-1]) ** 0.2
    return np.linspace(1, n, int(most)).astype(np.int64) - 1


def _fitted(place: Vector, knots: Vector, y: Vector, degrees: float) -> Vector:
    """Return the values of the smoothing spline: in the Demmler-Reinsch basis, each is shrunk."""
    from scipy.linalg import solve_triangular

    spline = _natural(place, knots)
    rows, z = _condensed(spline, y)
    parts = np.concatenate([spline.line, spline.bends], axis=2)
    equations = np.concatenate([own @ part for own, part in zip(rows, parts, strict=True)])
    q, r = np.linalg.qr(equations)
    z, line, bends = q.T @ z, r[:, :2], r[:, 2:]
    whole, corner = np.linalg.qr(line, mode="complete")
    straight, rest = whole[:, :2], whole[:, 2:]
    u, sigma, v = np.linalg.svd(rest.T @ bends, full_matrices=False)
    rounding = max(sigma[0], np.linalg.norm(bends)) * sigma.size * np.finfo(np.float64).eps
    told = int((sigma > rounding).sum())
    _check_told(degrees, 2 + told)
    u, sigma, v = u[:, :told], sigma[:told], v[:told]
    shrunk = sigma / (sigma**2 + _penalty(sigma**2, degrees - 2))
    bend = v.T @ (shrunk * (u.T @ (rest.T @ z)))
    level = solve_triangular(corner[:2], straight.T @ (z - bends @ bend))
    numbers = parts @ np.concatenate([level, bend])
    return np.asarray(np.einsum("ij,ij->i", spline.columns, numbers[spline.interval]))


def _check_told(degrees: float, most: int) -> None:
    if degrees > most:
        why = (
            f" is {brief(degrees)} degrees of freedom, but the scores lie so unevenly that "
            f"floats tell only {most} apart. {'Take fewer' if most > 2 else 'Leave it out'}, or "
            "tabulate the logarithms or ranks of the scores."
        )
        raise ArgumentError(Argument("smooth"), why)


def _penalty(mu: Vector, wanted: float) -> float:
    """Return lambda such that the sum of mu / (mu + lambda) is as wanted."""
    from scipy.optimize import brentq

    def excess(log: float) -> float:
        return float((mu / (mu + np.exp(log))).sum() - wanted)

    low, high = np.log(mu.min()) - 30, np.log(mu.sum() / wanted) + 1
    return float(np.exp(low if excess(low) <= 0 else brentq(excess, low, high)))


def _natural(place: Vector, knots: Vector) -> _Spline:
    """Return the natural spline over these places: a line, and curvatures at the inner knots."""
    from scipy.linalg import solve_triangular

    h = np.diff(knots)[:, np.newaxis]
    inner = h[1:-1, 0] / 6
    gram = np.diag((h[1:, 0] + h[:-1, 0]) / 3) + np.diag(inner, 1) + np.diag(inner, -1)
    # The curvatures at the knots that have a squared integral of 1, and of no product.
    own = solve_triangular(np.linalg.cholesky(gram), np.eye(len(gram)), lower=True).T
    curved = np.pad(own, ((1, 1), (0, 0)))
    near, far = curved[:-1], curved[1:]
    first = np.zeros((1, len(gram)))
    slope = np.cumsum(np.concatenate([first, h * (near + far) / 2]), axis=0)[:-1]
    value = np.cumsum(
        np.concatenate([first, h * slope + h**2 * (near / 3 + far / 6)]),
        axis=0,
    )
    flat = np.stack([np.ones_like(knots), knots], axis=1)
    none = np.zeros_like(flat[1:])
    interval = np.clip(np.searchsorted(knots, place, "right") - 1, 0, len(h) - 1)
    s = (place - knots[interval]) / h[interval, 0]
    r = 1 - s
    return _Spline(
        columns=np.stack([r, s, r**3 - r, s**3 - s], axis=1),
        interval=interval,
        line=np.stack([flat[:-1], flat[1:], none, none], axis=1),
        bends=np.stack([value[:-1], value[1:], h**2 * near / 6, h**2 * far / 6], axis=1),
    )


def _condensed(spline: _Spline, y: Vector) -> tuple[list[Array], Vector]:
    """Return at most four equations for each interval that have the least squares of all."""
    ends = np.searchsorted(spline.interval, np.arange(len(spline.line) + 1))
    rows, sums = [], []
    for first, last in pairwise(ends):
        q, r = np.linalg.qr(spline.columns[first:last])
        rows.append(r)
        sums.append(q.T @ y[first:last])
    return rows, np.concatenate(sums)
