"""Sums over all pairs of scores of a smooth function of their difference, without all pairs.

In sums of a polynomial, weights at many scores can be replaced by weights at a few Chebyshev nodes.
With one panel of nodes over all scores this is exact for polynomials; with panels so narrow that
the sigmoid is smooth on each, the error is below a tolerance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from rocspace._base.arrays import Vector

_REACH = 40.0  # the sigmoid of this is 1 in double precision
_NEAR = 256  # pairs per row up to which all are summed directly
_HALF = 2.0  # half width of a panel, in units of 1 / beta
_PANELS = int((_REACH + 2 * _HALF) / (2 * _HALF))  # from here on panels are out of reach
# The sigmoid is analytic up to i pi. On this ellipse around a panel it is at most _LARGEST.
_RADIUS = 0.45 * np.pi + float(np.hypot(1.0, 0.45 * np.pi))
_LARGEST = 1 / float(np.sin(0.9 * np.pi)) ** 2  # and its slope, too


def _chebyshev(x: Vector, n: int) -> Iterator[Vector]:
    """Yield the first n Chebyshev polynomials at x."""
    before, now = np.ones_like(x), x
    for _ in range(n):
        yield before
        before, now = now, 2 * x * now - before


def _nodes(n: int) -> tuple[Vector, Vector]:
    """Return n Chebyshev nodes in [-1, 1], and the matrix from moments to weights at them."""
    node = np.cos(np.pi * (np.arange(n) + 0.5) / n)
    to_nodes = np.stack(list(_chebyshev(node, n)), axis=1) * 2 / n
    to_nodes[:, 0] /= 2
    return node, to_nodes


def polynomial_sum(
    score: Vector, pos: Vector, neg: Vector, tau: Callable[[Vector], Any], degree: int
) -> float:
    """Sum ``pos[i] neg[j] tau(score[i] - score[j])``, exact for a polynomial of that degree.

    O(k degree + degree^2). For any other tau, the sum is that of its interpolating polynomial.
    """
    centre, half = (score[0] + score[-1]) / 2, (score[0] - score[-1]) / 2
    node, to_nodes = _nodes(degree + 1)
    x = (score - centre) / half if half > 0 else np.zeros_like(score)
    moments = np.array([(pos @ t, neg @ t) for t in _chebyshev(x, degree + 1)])
    at_nodes = to_nodes @ moments
    values = np.asarray(tau((node[:, np.newaxis] - node) * half), dtype=np.float64)
    return float(at_nodes[:, 0] @ values @ at_nodes[:, 1])


def sigmoid_potential(
    score: Vector, weight: Vector, beta: float, tolerance: float
) -> tuple[Vector, Vector]:
    """Sum ``weight[j] s(beta (score[i] - score[j]))`` for each row i, s the logistic sigmoid.

    The second array is the same sum for the slope of s. Scores decrease. The error of a sum is at
    most `tolerance` times the sum of weights. O(k) where few pairs are near or the tolerance is not
    0; else up to O(k^2).
    """
    from rocspace._kernels import pairs as kernels

    k = score.size
    bounds = np.empty(k, dtype=np.int64), np.empty(k, dtype=np.int64)
    near = kernels.near_bounds(score, _REACH / beta, *bounds)
    if tolerance > 0 and near > _NEAR * k:
        return _by_panels(score, weight, beta, tolerance)
    out = np.empty(k), np.empty(k)
    kernels.near_potential(score, weight, beta, bounds, out)
    return out


def _by_panels(
    score: Vector, weight: Vector, beta: float, tolerance: float
) -> tuple[Vector, Vector]:
    """Carry weights to the nodes of panels, from nodes to nodes, and back to the scores."""
    from scipy.special import expit

    depth = (score[0] - score) * (beta / _HALF / 2)
    panel = np.floor(depth).astype(np.int64)
    x = 2 * (depth - panel) - 1
    start = np.flatnonzero(np.diff(panel, prepend=-1))
    number = panel[start]
    size = np.diff(np.append(start, score.size))
    n = _nodes_for(tolerance)
    node, to_nodes = _nodes(n)
    moments = np.stack([np.add.reduceat(weight * t, start) for t in _chebyshev(x, n)])
    at_nodes = to_nodes @ moments
    below = np.append(np.cumsum(moments[0][::-1])[::-1], 0.0)  # panels further down count whole
    far = below[np.searchsorted(number, number + _PANELS)]
    value, slope = np.tile(far, (n, 1)), np.zeros((n, number.size))
    for apart in range(1 - _PANELS, _PANELS):
        there = np.searchsorted(number, number + apart)
        here = np.flatnonzero(np.append(number, -1)[there] == number + apart)
        s = expit(2 * _HALF * apart + _HALF * (node - node[:, np.newaxis]))
        value[:, here] += s @ at_nodes[:, there[here]]
        slope[:, here] += (s * (1 - s)) @ at_nodes[:, there[here]]
    rows = np.repeat(np.arange(number.size), size)
    found = []
    for values in (value, slope):
        terms = zip(to_nodes.T @ values, _chebyshev(x, n), strict=True)
        found.append(np.sum([c[rows] * t for c, t in terms], axis=0))
    return found[0], found[1]


def _nodes_for(tolerance: float) -> int:
    """Return how many nodes keep a panel's error below the tolerance (Bernstein's bound)."""
    first = 4 * 4 * _LARGEST / (_RADIUS - 1)  # the other 4: interpolating an interpolation
    return 1 + int(np.ceil(np.log(first / tolerance) / np.log(_RADIUS)))
