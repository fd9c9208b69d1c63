"""The common interface of all optimisers: the maximum, and whether it was reached."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from rocspace._base.arrays import Vector

_MOST = 200  # steps of either optimiser
_NEAR = 1e-9  # squared length of a Newton step, in standard errors, at which it is the last
_INSIDE = 0.9  # share of the way to the border of the parameters that a step may take
_SHORTEST = 1e-12  # share of a step below which there is no way up
_UNSEEN = 16 * float(np.finfo(np.float64).eps)  # share of a value below which a gain is rounding

UNCONVERGED = {
    "unconverged": "The search for the largest likelihood stopped before it was reached, so that "
    "neither the parameters nor their errors can be trusted. Take the empirical curve."
}


@dataclass(frozen=True, slots=True)
class Maximum:
    """The location and value of a maximum, and whether the search converged."""

    x: Vector
    value: float
    converged: bool

    @property
    def flags(self) -> dict[str, str]:
        """The flag of a search that did not converge."""
        return {} if self.converged else UNCONVERGED


class Hill(Protocol):
    """A function at a point, with its gradient and a way up."""

    value: float

    @property
    def gradient(self) -> Vector:
        """Its derivatives."""

    def ascent(self) -> Vector:
        """Return a direction in which the function rises: Newton's, or one near it."""

    def reach(self, step: Vector) -> float:
        """Return how much of a step stays inside the parameters' range, perhaps infinite."""


def climb(at: Callable[[Vector], Hill], start: Vector, *, near: float = _NEAR) -> Maximum:
    """Maximise by damped Newton steps; for likelihoods with known second derivatives.

    Parameters
    ----------
    at : callable
        Returns the function at a point; its value is -inf where it has none.
    start : ndarray
        A point with a finite value.
    near : float
        Squared length of a Newton step, in standard errors, at which it is the last.

    Notes
    -----
    A step is halved until the value rises by a ten-thousandth of what the gradient predicts. The
    search has converged when Newton's step is shorter than 3e-5 standard errors; the remaining
    error is about the square of that. Where the value is so large that rounding hides such a gain
    (16 of its last digits), the search ends there, too.
    """
    x, hill = start, at(start)
    for _ in range(_MOST):
        step = hill.ascent()
        gain = float(hill.gradient @ step)
        enough = max(near, _UNSEEN * abs(hill.value))
        share = min(1.0, _INSIDE * hill.reach(step))
        if not gain > enough:  # one last step, unless rounding makes it one down
            new = at(x + share * step)
            x, value = (x + share * step, new.value) if new.value >= hill.value else (x, hill.value)
            return Maximum(x, value, converged=abs(gain) <= enough)
        while not (new := at(x + share * step)).value >= hill.value + 1e-4 * share * gain:
            share /= 2
            if share < _SHORTEST:  # rounding hides any way up
                return Maximum(x, hill.value, converged=gain < 1e3 * enough)
        x, hill = x + share * step, new
    return Maximum(x, hill.value, converged=False)


def room_for(x: float, step: float, widest: float) -> float:
    """Return the share of a step at which a parameter has the largest size allowed."""
    room = widest - np.copysign(x, step * x)
    return float(room / abs(step)) if step else np.inf


def maximise(
    function: Callable[[Vector], tuple[float, Vector]],
    starts: Sequence[Any],
    *,
    bounds: Sequence[tuple[float | None, float | None]] | None = None,
) -> Maximum:
    """Maximise a smooth function of few parameters from several starts; the best is kept.

    Parameters
    ----------
    function : callable
        Returns value and gradient at a point. Parameters should be of order 1: the logarithm of
        what is positive, scores in units of their standard deviation.
    starts : sequence of array-like
        Points to start from; local maxima need several.
    bounds : sequence of pairs, optional
        Ends of each parameter; None where it has none.

    Notes
    -----
    BFGS, or L-BFGS-B within bounds, of `scipy.optimize`. The search has converged when no component
    of the gradient that points inside is above 1e-5 of the value (at least 1e-5).
    """
    from scipy.optimize import minimize

    def downhill(x: Vector) -> tuple[float, Vector]:
        value, gradient = function(x)
        if not np.isfinite(value):
            return 1e300, np.zeros_like(x)
        return -value, -np.asarray(gradient)

    best: Maximum | None = None
    for start in starts:
        found = minimize(
            downhill,
            np.asarray(start, dtype=np.float64),
            jac=True,
            method="BFGS" if bounds is None else "L-BFGS-B",
            bounds=bounds,
            options={"gtol": 1e-9, "maxiter": _MOST * 5},
        )
        left = np.asarray(found.jac, dtype=np.float64)
        if bounds is not None:
            left = np.where(
                [_leaves(*each) for each in zip(found.x, left, bounds, strict=True)], 0.0, left
            )
        arrived = bool(np.abs(left).max() < 1e-5 * max(1.0, abs(found.fun))) and found.fun < 1e300
        each = Maximum(np.asarray(found.x), -float(found.fun), arrived)
        if best is None or (each.converged, each.value) > (best.converged, best.value):
            best = each
    assert best is not None
    return best


def _leaves(x: float, slope: float, ends: tuple[float | None, float | None]) -> bool:
    """Tell whether going downhill would leave the range."""
    low, high = ends
    return (low is not None and x <= low and slope > 0) or (
        high is not None and x >= high and slope < 0
    )


def curvature(gradient: Callable[[Vector], Vector], x: Vector) -> Vector:
    """Return the matrix of second derivatives, by central differences of a gradient."""
    size = x.size
    found = np.empty((size, size))
    for i in range(size):
        step = np.zeros(size)
        step[i] = 6e-6 * max(abs(x[i]), 1.0)
        found[i] = (gradient(x + step) - gradient(x - step)) / (2 * step[i])
    return (found + found.T) / 2
