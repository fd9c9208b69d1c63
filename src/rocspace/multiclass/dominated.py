"""Volumes that several classifiers of k classes dominate together, exact or drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import factorial
from typing import Any

import numpy as np

from rocspace._base.arrays import ArrayLike, Mask, Vector
from rocspace._base.calls import explained
from rocspace._base.checks import as_numbers, check_fraction, check_rng, check_times
from rocspace._base.frozen import a_kind_of
from rocspace._base.text import count
from rocspace.multiclass.costs import ClassRates
from rocspace.multiclass.hull import error_hull, widest_margin
from rocspace.results.estimates import AreaEstimate

_MOST = 10**7  # boxes that slices are cut into
_BLOCK = 1 << 22  # comparisons at a time
_DRAWN = 100_000
_SOLVED = 1_000  # draws that each need a linear program
_CORNERS = 400  # of a hull whose volume is computed exactly
_ON = 1e-9


@explained
def dominated_volume(rates: ArrayLike) -> float:
    """Volume of the correct rates that at least one of several classifiers reaches.

    Parameters
    ----------
    rates : array-like, shape (m, k)
        For each classifier, or each operating point, the share of each class that it calls right.

    Returns
    -------
    float
        In [0, 1], higher is better: the volume of all vectors of k rates in which no rate is larger
        than that of one and the same classifier. Mixtures of classifiers and trivial ones do not
        count.

    Raises
    ------
    ValueError
        If rates are not in [0, 1], not of two classes or more, or too many to cut into boxes.

    Notes
    -----
    This is the simplified volume under the surface: only the k correct rates, not the k (k - 1)
    errors. For two classes it is the area under the steps of the curve, Pr(X > Y) where the points
    are all thresholds of a score. Slices along one class after another: O(m^(k - 1)).

    References
    ----------
    Landgrebe and Duin (2006), a paper on this alone.

    Examples
    --------
    >>> dominated_volume([[0.5, 1.0, 0.5], [1.0, 0.5, 0.5]])
    0.375
    """
    points = _checked_points(rates)
    boxes = len(points) ** (points.shape[1] - 1)
    if boxes > _MOST:
        msg = (
            f"{count(len(points))} points of {points.shape[1]} classes make up to {count(boxes)} "
            f"boxes, and at most {count(_MOST)} are cut. Leave out points, or see "
            "dominated_volume_estimate."
        )
        raise ValueError(msg)
    return _dominated(points)


def _dominated(points: Vector) -> float:
    """Sum slices along the last class; in each, the points that reach so far."""
    if points.shape[1] == 1:
        return float(points.max())
    if points.shape[1] == 2:
        falling = points[np.argsort(-points[:, 1])]
        reached = np.maximum.accumulate(falling[:, 0])
        return float((reached * -np.diff(falling[:, 1], append=0.0)).sum())
    ends, volume = np.unique(points[:, -1]), 0.0
    for low, high in zip(np.concatenate([[0.0], ends[:-1]]), ends, strict=True):
        volume += float(high - low) * _dominated(points[points[:, -1] >= high, :-1])
    return volume


def _checked_points(rates: ArrayLike) -> Vector:
    """Return distinct points of correct rates."""
    points = as_numbers("rates", rates)
    if points.ndim != 2 or points.shape[1] < 2 or not len(points):
        msg = f"rates has shape {points.shape}. Pass (m, k): the k correct rates of m classifiers."
        raise ValueError(msg)
    check_fraction("rates", points.ravel())
    return np.unique(points, axis=0)


@explained
def dominated_volume_estimate(
    rates: ArrayLike, *, n_draws: int = _DRAWN, rng: np.random.Generator | int | None = None
) -> AreaEstimate:
    """Volume of the correct rates that one of several classifiers reaches, from random points.

    Parameters
    ----------
    rates : array-like, shape (m, k)
        As for `dominated_volume`.
    n_draws : int, default 100000
        Points to draw.
    rng : numpy.random.Generator or int, optional
        Source of random points, or its seed.

    Returns
    -------
    Estimate
        Its standard error and interval are of the draw alone, not of the classifiers' rates.

    Raises
    ------
    ValueError
        If rates are not in [0, 1], or not of two classes or more.

    Notes
    -----
    The share of points, drawn uniformly from the unit cube, that are nowhere larger than the rates
    of one of the classifiers. For where `dominated_volume` has too many boxes. O(n_draws m k).

    References
    ----------
    Landgrebe and Duin (2006), a paper on this alone, for the volume.

    Examples
    --------
    >>> found = dominated_volume_estimate([[0.5, 1.0, 0.5], [1.0, 0.5, 0.5]], rng=1)
    >>> print(f"{found.value:.3f} +- {found.se:.4f}")
    0.376 +- 0.0015
    """
    points = _checked_points(rates)
    check_times("n_draws", n_draws)
    drawn = check_rng(rng).random((n_draws, points.shape[1]))
    return _share(_reached(-drawn, -points), "drawn from the cube")


# --- in the space of errors -----------------------------------------------------------------


@explained
def polytope_volume(rates: ClassRates) -> float:
    """Volume in the space of errors that mixtures of classifiers are better than, beyond chance.

    Parameters
    ----------
    rates : ClassRates
        Classifiers of two classes, or a few of three.

    Returns
    -------
    float
        In [0, 1], higher is better: 0 if mixtures of the trivial classifiers, which call all cases
        one class, are as good, and 1 if a classifier makes no errors. For two classes twice the
        area under the ROC convex hull, minus 1.

    Raises
    ------
    TypeError
        If these are not rates.
    ValueError
        If there are more than three classes, or the hull has more than 400 corners.

    Notes
    -----
    A classifier makes k (k - 1) error rates, of which those of one class sum to 1 at most. A
    mixture dominates a vector of error rates if none of its own is larger. The volume is that of
    all vectors that some mixture of the classifiers and the trivial ones dominates, minus the
    volume that the trivial ones alone dominate (1/180 for three classes, where all vectors together
    have 1/8), divided by its largest possible value. The rescaling is ours. The body is cut out by
    the corners of `error_hull`, each of which bounds a weighted sum of the errors.

    References
    ----------
    Ferri, Hernandez-Orallo and Salido (2003), a paper on this alone, for the volume.

    Examples
    --------
    >>> from rocspace.multiclass import counted_rates
    >>> round(polytope_volume(counted_rates({"a": [[3, 1], [1, 3]]})), 6)
    0.5
    """
    k = _classes_of("polytope_volume", rates)
    corners = None if k > 3 else error_hull(rates).corners
    if corners is None or len(corners) > _CORNERS:
        many = f"a hull of {len(corners)} corners" if corners is not None else f"{k} classes"
        msg = (
            f"The exact volume is for two or three classes and {_CORNERS} corners, and these have "
            f"{many}. See polytope_volume_estimate."
        )
        raise ValueError(msg)
    whole = factorial(k - 1) ** -float(k)
    chance = 0.5 if k == 2 else 1 / 180
    return float((_volume(corners.weight, corners.cost, k) - chance) / (whole - chance))


@explained
def polytope_volume_estimate(
    rates: ClassRates,
    *,
    n_draws: int | None = None,
    rng: np.random.Generator | int | None = None,
) -> AreaEstimate:
    """Volume that mixtures of classifiers are better than, from random vectors of errors.

    Parameters
    ----------
    rates : ClassRates
        The classifiers, of any number of classes.
    n_draws : int, optional
        Vectors of errors to draw; by default 100,000 for two or three classes, and 1,000 for more,
        where each may need a linear program, about 5 ms.
    rng : numpy.random.Generator or int, optional
        Source of random vectors, or its seed.

    Returns
    -------
    Estimate
        As `polytope_volume`. Its standard error and interval are of the draw alone.

    Raises
    ------
    TypeError
        If these are not rates.
    ValueError
        If there are too many classifiers, or `n_draws` is less than 1.

    Notes
    -----
    A mixture dominates a vector of error rates if none of its own is larger. Vectors are drawn
    uniformly from those that no mixture of trivial classifiers dominates; the estimate is the share
    of them that a mixture of the classifiers and the trivial ones dominates.

    References
    ----------
    Ferri, Hernandez-Orallo and Salido (2003), a paper on this alone, for the volume.

    Examples
    --------
    >>> from rocspace.multiclass import counted_rates
    >>> rates = counted_rates({"a": [[3, 1], [1, 3]]})
    >>> found = polytope_volume_estimate(rates, n_draws=10_000, rng=1)
    >>> print(f"{found.value:.3f} +- {found.se:.4f}")
    0.501 +- 0.0050
    """
    k = _classes_of("polytope_volume_estimate", rates)
    many = (_DRAWN if k <= 3 else _SOLVED) if n_draws is None else n_draws
    check_times("n_draws", many)
    error = rates.with_trivial().error
    inside: Callable[[Vector], Mask] = _Mixtures(error).reach
    if k <= 3:
        corners = error_hull(rates).corners
        weight, cost = corners.weight.T, corners.cost

        def inside(drawn: Vector) -> Mask:
            return np.asarray(np.all(drawn @ weight >= cost - _ON, axis=1))

    blocks = _better_than_chance(k, many, check_rng(rng))
    return _share(np.concatenate([inside(block) for block in blocks]), "drawn from the errors")


@explained
def pareto_volume_estimate(
    rates: ClassRates,
    *,
    n_draws: int = _DRAWN,
    rng: np.random.Generator | int | None = None,
) -> AreaEstimate:
    """Share of the errors better than chance that at least one of several classifiers dominates.

    Parameters
    ----------
    rates : ClassRates
        The classifiers, such as the operating points of one.
    n_draws : int, default 100000
        Vectors of errors to draw.
    rng : numpy.random.Generator or int, optional
        Source of random vectors, or its seed.

    Returns
    -------
    Estimate
        In [0, 1], higher is better; 0 for trivial classifiers, 1 for one without errors. Its
        standard error and interval are of the draw alone.

    Raises
    ------
    TypeError
        If these are not rates.
    ValueError
        If `n_draws` is less than 1.

    Notes
    -----
    This is the generalised Gini coefficient. A classifier dominates a vector of k (k - 1) error
    rates if none of its own is larger. Vectors are drawn uniformly from those that a classifier can
    have and that no mixture of the trivial ones dominates; the coefficient is the share of them
    that a single classifier dominates. Mixtures of classifiers do not count, so that it is at most
    `polytope_volume_estimate`. O(n_draws m k^2).

    References
    ----------
    Everson and Fieldsend (2006), a paper on this alone.

    Examples
    --------
    >>> from rocspace.multiclass import counted_rates
    >>> rates = counted_rates({"a": [[3, 1], [1, 3]]})
    >>> found = pareto_volume_estimate(rates, n_draws=10_000, rng=1)  # 2 (1/2)^2 / 2
    >>> print(f"{found.value:.3f} +- {found.se:.4f}")
    0.244 +- 0.0043
    """
    k = _classes_of("pareto_volume_estimate", rates)
    check_times("n_draws", n_draws)
    error = rates.error
    blocks = _better_than_chance(k, n_draws, check_rng(rng))
    return _share(np.concatenate([_reached(block, error) for block in blocks]), "drawn, Pareto")


def _classes_of(function: str, rates: Any) -> int:
    if not isinstance(rates, ClassRates):
        line = f"{function}(class_rates(y_true, decisions))"
        msg = f"{function} takes ClassRates, not {a_kind_of(rates)}: {line}."
        raise TypeError(msg)
    return len(rates.classes)


def _share(hit: Mask, method: str) -> AreaEstimate:
    """Return the share of draws that hit, with its error."""
    value = float(hit.mean())
    se = float(np.sqrt(value * (1 - value) / hit.size))
    return AreaEstimate(value=value, se=se, method=method, n_pairs=float(hit.size))


def _reached(drawn: Vector, points: Vector) -> Mask:
    """Tell which draws are nowhere less than one of the points."""
    found = np.zeros(len(drawn), dtype=np.bool_)
    step = max(1, _BLOCK // points.size)
    for start in range(0, len(drawn), step):
        some = drawn[start : start + step, None]
        found[start : start + step] = np.any(np.all(some >= points, axis=2), axis=1)
    return found


def _better_than_chance(k: int, many: int, rng: np.random.Generator) -> Iterator[Vector]:
    """Draw errors uniformly from those that no mixture of trivial classifiers nowhere exceeds.

    Such a mixture calls a share of all cases j, whatever their class; the shares of all j together
    are 1.
    """
    off, left = ~np.eye(k, dtype=np.bool_), many
    while left > 0:
        rate = rng.dirichlet(np.ones(k), (min(2 * left + 10, _BLOCK // (k * k)), k))
        least = np.where(off, rate, 1.0).min(axis=1)
        drawn = rate[least.sum(axis=1) < 1][:, off][:left]
        left -= len(drawn)
        yield drawn


class _Mixtures:
    """Tells which errors a mixture of points nowhere exceeds, by linear programs.

    Each program that says no finds weights of the errors that show it; they show it of others, too.
    """

    def __init__(self, error: Vector) -> None:
        self.error = error
        self.weight = np.zeros((0, error.shape[1]))
        self.least = np.zeros(0)

    def reach(self, drawn: Vector) -> Mask:
        return np.array([self._reaches(each) for each in drawn], dtype=np.bool_)

    def _reaches(self, each: Vector) -> bool:
        if bool(np.any(np.all(self.error <= each, axis=1))):
            return True
        if bool(np.any(self.weight @ each < self.least - _ON)):
            return False
        margin, weight = widest_margin(each - self.error)
        if margin <= _ON:
            return True
        self.weight = np.vstack([self.weight, weight])
        self.least = np.append(self.least, (self.error @ weight).min())
        return False


def _volume(weight: Vector, cost: Vector, k: int) -> float:
    """Return the volume of the errors whose weighted sums are all as large, a row at most 1."""
    from scipy.spatial import ConvexHull, HalfspaceIntersection

    d = k * (k - 1)
    rows = np.repeat(np.eye(k), k - 1, axis=1)
    sides = np.vstack([np.column_stack([-weight, cost]), np.column_stack([rows, -np.ones(k)])])
    inside = np.full(d, (1 / k + 1 / (k - 1)) / 2)  # worse than a guess, but possible
    met = HalfspaceIntersection(sides, inside).intersections
    return float(ConvexHull(np.unique(met.round(12), axis=0)).volume)
