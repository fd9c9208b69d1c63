"""Uncertain costs and prevalence: vertices of a hull that can be optimal, with probabilities.

A vertex is optimal for a range of slopes of iso-performance lines. Where costs and prevalence
are not known, neither is the slope: it has a range, a density, or weights.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Protocol, TypeAlias

import numpy as np

from rocspace._base.arrays import NUMBERS, ArrayLike, Vector
from rocspace._base.calls import explained
from rocspace._base.cases import check_lengths
from rocspace._base.checks import check_inside
from rocspace._base.frozen import Result
from rocspace._base.text import brief
from rocspace._base.words import shown
from rocspace.hull.convex import RocHull
from rocspace.measures.costs_of_errors import Costs, as_costs
from rocspace.results.interval import Interval

Range: TypeAlias = float | tuple[float, float]
"""A number, or the lowest and the highest that it may be."""

_STEEPENS_LESS = ("fn", "tn")  # their cost lowers the slope, (fp - tn) / (fn - tp) at even classes
_LOST = 1e-9  # probability outside [0, 1] up to which a density counts as inside


class CostShareDensity(Protocol):
    """A distribution of a share in [0, 1], such as a frozen one of `scipy.stats`.

    See Also
    --------
    best_by_density

    Examples
    --------
    >>> from scipy.stats import beta
    >>> density: CostShareDensity = beta(2, 2)
    >>> float(density.cdf(0.5))
    0.5
    """

    def cdf(self, x: Any, /) -> Any:
        """Return the probability of at most `x`.

        Parameters
        ----------
        x : float or ndarray
            Shares in [0, 1].

        Returns
        -------
        float or ndarray
            Probabilities, of the shape of `x`.
        """


class VertexShare(Result):
    """The share of possible costs and prevalences for which a vertex is optimal.

    Attributes
    ----------
    vertex : int
        Index of the vertex in the hull.
    share : float
        In [0, 1]; 0 if it is optimal at a single slope only. All shares add up to 1.

    See Also
    --------
    best_by_density, best_by_weights, best_in_range
    """

    vertex: int
    share: float


@explained
def slope_interval(
    *, costs: Costs | Mapping[str, Range] | None = None, prevalence: Range = 0.5
) -> Interval:
    """Return the slopes of iso-performance lines that ranges of costs and prevalence allow.

    Parameters
    ----------
    costs : Costs or mapping, optional
        Costs of a false positive ``fp`` and of a false negative ``fn``, by default 1 each. In
        a mapping each is a number, or the lowest and the highest: ``dict(fp=1, fn=(5, 10))``.
    prevalence : float or tuple of float, default 0.5
        Share of positives where the classifier will be used.

    Returns
    -------
    Interval
        In [0, inf]: low where false positives are cheap or positives frequent.

    Raises
    ------
    ValueError
        If the ends of a range are in the wrong order, or as
        `rocspace.operating.Costs.iso_performance_slope`.

    References
    ----------
    Fawcett (2006), section 6, after Provost and Fawcett (2001).

    Examples
    --------
    >>> slope_interval(costs=dict(fn=(5, 10)), prevalence=(0.1, 0.2))
    Interval(low=0.4, high=1.8, level=nan, method='slopes')
    """
    given = costs if isinstance(costs, Mapping) else asdict(as_costs(costs))
    ends = {name: _ends(f"The cost {name}", of) for name, of in given.items()}
    # Slopes are least where false positives cost little and false negatives much.
    cheap = {name: of[name in _STEEPENS_LESS] for name, of in ends.items()}
    costly = {name: of[name not in _STEEPENS_LESS] for name, of in ends.items()}
    pi_low, pi_high = _ends("prevalence", prevalence)
    return Interval(
        low=as_costs(cheap).iso_performance_slope(pi_high),
        high=as_costs(costly).iso_performance_slope(pi_low),
        method="slopes",
    )


def _is_number(value: object) -> bool:
    return isinstance(value, NUMBERS) or (isinstance(value, np.ndarray) and value.ndim == 0)


def _ends(name: str, given: Range) -> tuple[float, float]:
    low, high = given if isinstance(given, tuple) and len(given) == 2 else (given, given)
    if not all(map(_is_number, (low, high))):
        msg = f"{name} is {shown(given)}, but must be a number, or a range of two in a tuple."
        raise TypeError(msg)
    if low > high:
        msg = f"{name} is ({low}, {high}), but its first end must not be the larger one."
        raise ValueError(msg)
    return low, high


@explained
def best_in_range(hull: RocHull, low: float, high: float) -> tuple[VertexShare, ...]:
    """Return every vertex that can be optimal where the slope is only known to lie in a range.

    Parameters
    ----------
    hull : RocHull
        The classifiers.
    low, high : float
        Lowest and highest slope, in [0, inf]; see `slope_interval`.

    Returns
    -------
    tuple of VertexShare
        From the most conservative vertex on. Shares are those of the range of 1 / (1 + slope),
        the positives' share of the cost, which is finite and treats both classes alike.

    Raises
    ------
    ValueError
        If the ends are negative, NaN, or in the wrong order.

    Notes
    -----
    O(log m) for what is found. A mixture of two neighbours is as good as both where they tie.

    References
    ----------
    Fawcett (2006), section 6, after Provost and Fawcett (2001); Fawcett (2004), on cost curves, no
    numbered equation, after Drummond and Holte (2006), for the share of the cost.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> from rocspace.hull import roc_hull
    >>> hull = roc_hull(tabulate([0, 1, 0, 1], [1, 2, 3, 4]))
    >>> best_in_range(hull, 0.0, np.inf)
    (VertexShare(vertex=1, share=0.5), VertexShare(vertex=2, share=0.5))
    """
    _ends("The range of slopes", (low, high))
    first, last = hull.optimal(high)[0], hull.optimal(low)[-1]
    if low == high:
        share = 1 / (last - first + 1)
        return tuple(VertexShare(vertex=i, share=share) for i in range(first, last + 1))
    start, end = (1 / (1 + slope) for slope in (high, low))
    if start == end:  # slopes that no share of the cost tells apart
        return best_in_range(hull, low, low)
    ends = np.clip(_cost_shares(hull, 1.0), start, end)[first : last + 2]
    shares = np.diff(ends) / (end - start)
    return tuple(VertexShare(vertex=i, share=s) for i, s in enumerate(shares.tolist(), start=first))


def _cost_shares(hull: RocHull, odds: float) -> Vector:
    """Return where vertex i is optimal, from entry i to entry i + 1: 0, one for each edge, 1."""
    return np.concatenate([[0.0], 1 / (1 + hull.slopes * odds), [1.0]])


@explained
def best_by_density(
    hull: RocHull, density: CostShareDensity, *, prevalence: float = 0.5
) -> tuple[VertexShare, ...]:
    """Return the probability that each vertex is optimal, given a distribution of the costs.

    Parameters
    ----------
    hull : RocHull
        The classifiers.
    density : distribution
        Distribution of the cost share fn / (fn + fp) in [0, 1]: a frozen continuous distribution of
        `scipy.stats`, such as ``beta(2, 2)``.
    prevalence : float, default 0.5
        Share of positives where the classifier will be used, strictly inside (0, 1). With
        one half, the density may be one of the positives' share of the whole cost,
        1 / (1 + slope), which is uncertain in prevalence too.

    Returns
    -------
    tuple of VertexShare
        The vertices that are optimal with probability above zero.

    Raises
    ------
    ValueError
        If prevalence is not strictly inside (0, 1), or the density not inside [0, 1].

    Notes
    -----
    O(m), exact: one difference of the distribution function for each vertex.

    References
    ----------
    Fawcett (2004), on relative superiority graphs, no numbered equation, after Adams and Hand
    (1999); Fawcett (2006), section 6, after Provost and Fawcett (2001).

    Examples
    --------
    >>> from rocspace import tabulate
    >>> from rocspace.hull import roc_hull
    >>> from scipy.stats import uniform
    >>> hull = roc_hull(tabulate([0, 1, 0, 1], [1, 2, 3, 4]))
    >>> best_by_density(hull, uniform(0.25, 0.5))
    (VertexShare(vertex=1, share=0.5), VertexShare(vertex=2, share=0.5))
    """
    check_inside("prevalence", prevalence)
    below, inside = float(density.cdf(0.0)), float(density.cdf(1.0))
    if below > _LOST or inside < 1 - _LOST:
        msg = (
            f"The density has {brief(below + 1 - inside)} of its probability outside [0, 1]. A "
            "cost share lies between 0 and 1, as a beta or a uniform distribution there does."
        )
        raise ValueError(msg)
    odds = prevalence / (1 - prevalence)
    chance = np.diff(np.asarray(density.cdf(_cost_shares(hull, odds)), dtype=np.float64))
    return _found(chance / chance.sum())


def _found(share: Vector) -> tuple[VertexShare, ...]:
    return tuple(VertexShare(vertex=int(i), share=float(share[i])) for i in np.flatnonzero(share))


@explained
def best_by_weights(
    hull: RocHull, slopes: ArrayLike, slope_weight: ArrayLike
) -> tuple[VertexShare, ...]:
    """Return how often each vertex is optimal over a grid of slopes with weights.

    Parameters
    ----------
    hull : RocHull
        The classifiers.
    slopes : array-like of float, shape (g,)
        Slopes in [0, inf], such as draws from a distribution of costs and prevalence.
    slope_weight : array-like of float, shape (g,)
        Weight of each slope, zero or more; they need not add up to 1.

    Returns
    -------
    tuple of VertexShare
        The vertices that are optimal for some slope; those that tie share its weight equally.

    Raises
    ------
    ValueError
        If lengths differ, a slope or weight is negative or NaN, or all weights are zero.

    Notes
    -----
    O(g log m).

    References
    ----------
    Fawcett (2006), section 6, for the vertex that a slope selects; the weights over a grid are our
    own.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> from rocspace.hull import roc_hull
    >>> hull = roc_hull(tabulate([0, 1, 0, 1], [1, 2, 3, 4]))
    >>> best_by_weights(hull, [0.5, 1, 2], [1, 2, 1])
    (VertexShare(vertex=1, share=0.5), VertexShare(vertex=2, share=0.5))
    """
    at, weight = (np.asarray(x, dtype=np.float64).ravel() for x in (slopes, slope_weight))
    check_lengths({"slopes": at.size, "slope_weight": weight.size})
    if not ((at >= 0).all() and (weight >= 0).all() and 0 < weight.sum() < np.inf):
        msg = "Slopes and weights must be zero or more, and the weights finite and not all zero."
        raise ValueError(msg)
    distinct, place = np.unique(at, return_inverse=True)
    share = np.zeros(len(hull))
    for slope, mass in zip(distinct.tolist(), np.bincount(place, weight).tolist(), strict=True):
        best = list(hull.optimal(slope))
        share[best] += mass / len(best)
    return _found(share / share.sum())
