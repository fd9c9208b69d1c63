"""The rating model for many samples at once: Newton's steps over arrays of samples."""

from __future__ import annotations

import numpy as np

from rocspace._base.arrays import Array, Vector
from rocspace.results.proportions import normal_density

_MOST = 200  # steps
_INSIDE = 0.9  # share of the way to the border of the parameters that a step may take
_SHORTEST = 1e-12  # share of a step below which there is no way up
_LEAST = 1e-300  # probability of a cell below which it counts as this


def climb_together(neg: Vector, pos: Vector, start: Vector, *, near: float) -> Vector:
    """Return the maxima of the likelihoods that `fit_rating` maximises, one of each row.

    Parameters
    ----------
    neg, pos : ndarray, shape (r, k)
        Counts in k cells, the least positive first, of r samples.
    start : ndarray, shape (r, k + 1)
        a, b and increasing cuts of each.
    near : float
        Squared length of a step, in standard errors, at which it is the last.
    """
    x, todo = start.copy(), np.arange(len(start))
    for _ in range(_MOST):
        at = x[todo]
        value, slope, bend = _derivatives(neg[todo], pos[todo], at)
        step = np.linalg.solve(bend, slope[..., np.newaxis])[..., 0]
        gain = np.sum(slope * step, axis=1)
        share = np.minimum(1.0, _INSIDE * _room(at, step))
        last = gain <= near
        least = value + np.where(last, 0.0, 1e-4) * share * gain
        short = np.flatnonzero(
            ~(_values(neg[todo], pos[todo], at + share[:, np.newaxis] * step) >= least)
        )
        while short.size:
            share[short] = np.where(last[short], 0.0, share[short] / 2)
            short = short[share[short] >= _SHORTEST]
            new = at[short] + share[short, np.newaxis] * step[short]
            goal = value[short] + 1e-4 * share[short] * gain[short]
            short = short[~(_values(neg[todo][short], pos[todo][short], new) >= goal)]
        moved = np.where(share < _SHORTEST, 0.0, share)
        x[todo] = at + moved[:, np.newaxis] * step
        todo = todo[~last & (moved > 0)]
        if not todo.size:
            break
    return x


def _chances(x: Vector) -> tuple[Vector, Vector]:
    """Return the probability of each cell, of negatives and positives."""
    from scipy.special import ndtr

    cuts = x[:, 2:]
    found = []
    for u in (cuts, x[:, 1:2] * cuts - x[:, :1]):
        ends = np.full((len(u), 1), np.inf)
        low, high = np.hstack([-ends, u]), np.hstack([u, ends])
        turned = low > 0  # where the upper tail has more digits
        chance = ndtr(np.where(turned, -low, high)) - ndtr(np.where(turned, -high, low))
        found.append(np.maximum(chance, _LEAST))
    return found[0], found[1]


def _values(neg: Vector, pos: Vector, x: Vector) -> Vector:
    pairs = zip((neg, pos), _chances(x), strict=True)
    return np.asarray(sum(np.sum(n * np.log(p), axis=1) for n, p in pairs))


def _derivatives(neg: Vector, pos: Vector, x: Vector) -> tuple[Vector, Vector, Vector]:
    """Return the log-likelihoods, their gradients, and minus their second derivatives.

    Where those are not a positive matrix, their expectation.
    """
    cuts, b = x[:, 2:], x[:, 1:2]
    (r, m), value, ones = cuts.shape, np.zeros(len(x)), np.ones_like(cuts)
    slope = np.zeros((r, m + 2))
    seen, expected = np.zeros((2, r, m + 2, m + 2))
    u = b * cuts - x[:, :1]
    sides = ((neg, cuts, (0 * ones, 0 * ones, ones)), (pos, u, (-ones, cuts, b * ones)))
    place = np.arange(m)
    for (n, z, by), chance in zip(sides, _chances(x), strict=True):
        value += np.sum(n * np.log(chance), axis=1)
        density = normal_density(z)
        along = np.zeros((r, m, m + 2))  # of the argument of each distribution by a, b, the cuts
        along[..., 0], along[..., 1] = by[:2]
        along[:, place, place + 2] = by[2]
        edges = density[..., np.newaxis] * along
        none = np.zeros((r, 1, m + 2))
        change = np.diff(np.concatenate([none, edges, none], axis=1), axis=1)
        weight = n / chance
        pull = weight[:, :-1] - weight[:, 1:]
        slope += np.einsum("ri,rip->rp", pull, edges)
        many = n.sum(axis=1, keepdims=True)
        seen += np.einsum("rj,rjp,rjq->rpq", weight / chance, change, change)
        expected += np.einsum("rj,rjp,rjq->rpq", many / chance, change, change)
        seen += np.einsum("ri,rip,riq->rpq", pull * z, edges, along)
        if n is pos:  # b times a cut has a second derivative of its own
            cross = pull * density
            seen[:, 1, 2:] -= cross
            seen[:, 2:, 1] -= cross
    bad = ~(np.linalg.eigvalsh(seen)[:, 0] > 0)
    seen[bad] = expected[bad]
    return value, slope, seen


def _room(x: Vector, step: Array) -> Array:
    """Return how much of each step leaves b positive and the cuts in order."""
    now = np.hstack([x[:, 1:2], np.diff(x[:, 2:], axis=1)])
    change = np.hstack([step[:, 1:2], np.diff(step[:, 2:], axis=1)])
    room = np.divide(now, -change, out=np.full(now.shape, np.inf), where=change < 0)
    return np.asarray(room.min(axis=1))
