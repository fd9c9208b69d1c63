"""Isometrics: lines and contours in ROC space along which a measure has one value.

They show what a measure rewards: its slope at a point says how many true positives per
positive one more false positive per negative must bring. For most measures they are lines, all
parallel or all through one pivot.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from rocspace._base.arrays import ArrayLike, Ints, Vector
from rocspace._base.calls import explained
from rocspace._base.checks import check_fraction, check_one_fraction, check_times
from rocspace._base.exact import ratio
from rocspace._base.frozen import Result
from rocspace.counts.confusion import ConfusionMatrix, Counts
from rocspace.curves.roc import RocCurve, RocPoints
from rocspace.hull.convex import RocHull
from rocspace.measures.entry import Form
from rocspace.measures.facts import MEASURES, fact_of

Of: TypeAlias = str | Callable[[Counts], Any]
"""A measure: its name in `rocspace.MEASURES`, or a function of counts."""

_SAME = 1e-12  # values closer than this count as equal
_STEP = 1e-4  # of a derivative whose error is of the fourth order
_INSIDE = 1e-12  # how far inside a segment a contour is searched for
_HALVINGS = 60


class Isometric(Result):
    """The line or contour of equal value of a measure, through a point.

    Attributes
    ----------
    value : float
        The value.
    slope : float
        Slope at the point, inf where vertical.
    pivot : tuple of float or None
        (fpr, tpr) where all isometrics of the measure meet, usually outside the unit square;
        None if they are parallel or curved.
    fpr, tpr : ndarray of float64
        The isometric inside the unit square: two ends of a line, many points of a contour.

    See Also
    --------
    isometric
    """

    value: float
    slope: float
    pivot: tuple[float, float] | None
    fpr: Vector
    tpr: Vector


# --- what a measure is ----------------------------------------------------------------------


def _named(measure: Of) -> tuple[str, Callable[[Counts], Any], dict[str, Any]]:
    """Return the name of a measure, its function, and the options that are set."""
    if isinstance(measure, str):
        fact = fact_of(measure, MEASURES)
        return fact.name, fact.function, {}
    if isinstance(measure, partial):
        return getattr(measure.func, "__name__", ""), measure, measure.keywords
    return getattr(measure, "__name__", ""), measure, {}


def _matrix(fpr: Any, tpr: Any, n_pos: float, n_neg: float) -> ConfusionMatrix:
    return ConfusionMatrix(
        tp=tpr * n_pos, fp=fpr * n_neg, fn=(1 - tpr) * n_pos, tn=(1 - fpr) * n_neg
    )


def _values(function: Callable[[Counts], Any], fpr: Any, tpr: Any, sizes: Any) -> Any:
    with np.errstate(all="ignore"):
        return np.asarray(function(_matrix(fpr, tpr, *sizes)), dtype=np.float64)


def _check_sizes(n_pos: float, n_neg: float) -> tuple[float, float]:
    if not (0 < n_pos < np.inf and 0 < n_neg < np.inf):
        msg = f"n_pos is {n_pos} and n_neg {n_neg}, but both must be finite and above zero."
        raise ValueError(msg)
    return float(n_pos), float(n_neg)


def _form(measure: Of, n_pos: float, n_neg: float) -> Form | None:
    """Return a measure as a ratio of two linear functions of the rates, if it is one."""
    name, function, options = _named(measure)
    fact = MEASURES.get(name)
    if fact is None or fact.form is None or getattr(function, "func", function) != fact.function:
        return None
    return fact.form(n_pos, n_neg, **options)


# --- values ---------------------------------------------------------------------------------


@explained
def value_grid(
    measure: Of, fpr: ArrayLike, tpr: ArrayLike, *, n_pos: float = 1.0, n_neg: float = 1.0
) -> Vector:
    """Return a measure at every point of a grid in ROC space.

    Parameters
    ----------
    measure : str or callable
        A name in `rocspace.MEASURES`, or a function of counts, such as
        ``partial(f_beta, beta=2)``.
    fpr, tpr : array-like of float, shapes (a,) and (b,)
        Rates in [0, 1].
    n_pos, n_neg : float, default 1
        Class sizes. For most measures only their ratio matters: pass a prevalence pi as
        ``n_pos=pi, n_neg=1 - pi``.

    Returns
    -------
    ndarray of float64, shape (b, a)
        Row i has tpr[i]; nan where the measure is not defined.

    Raises
    ------
    ValueError
        If there is no such measure, a rate is outside [0, 1], or a size is not above zero.

    References
    ----------
    Flach (2003), a paper on this alone.

    Examples
    --------
    >>> value_grid("ppv", [0, 0.5], [0.5, 1], n_neg=2)
    array([[1.        , 0.33333333],
           [1.        , 0.5       ]])
    """
    across, up = (check_fraction(name, x).ravel() for name, x in (("fpr", fpr), ("tpr", tpr)))
    f, t = np.meshgrid(across, up)
    return np.asarray(_values(_named(measure)[1], f, t, _check_sizes(n_pos, n_neg)))


@explained
def isometric(
    measure: Of, fpr: float, tpr: float, *, n_pos: float = 1.0, n_neg: float = 1.0
) -> Isometric:
    """Return the line or contour through a point along which a measure stays the same.

    Parameters
    ----------
    measure : str or callable
        As for `value_grid`.
    fpr, tpr : float
        The point, in [0, 1].
    n_pos, n_neg : float, default 1
        Class sizes, as for `value_grid`.

    Returns
    -------
    Isometric
        Empty where the measure is not defined, or at the pivot itself.

    Raises
    ------
    ValueError
        As `value_grid`.

    Notes
    -----
    A closed form for the measures that are a ratio of linear functions of the rates:
    rates, accuracy, predictive values, F, lift, likelihood ratios, kappa, expected cost and the
    like. Others (matthews, chi_square, gini_gain, mutual_information, g_mean ...) by
    bisection, on the point's side of the diagonal: they must grow or fall with tpr there.

    References
    ----------
    Flach (2003), a paper on this alone; Fuernkranz and Flach (2005), pages 49 and 60, for weighted
    relative accuracy and chi squared.

    Examples
    --------
    >>> line = isometric("f_score", 0.1, 0.5)
    >>> line.value, line.slope, line.pivot
    (0.625, 0.45454545454545453, (-1.0, 0.0))
    """
    f, t = (check_one_fraction(name, x) for name, x in (("fpr", fpr), ("tpr", tpr)))
    sizes = _check_sizes(n_pos, n_neg)
    value = float(_values(_named(measure)[1], f, t, sizes))
    slope = float(effective_skew(measure, f, t, n_pos=n_pos, n_neg=n_neg))
    form = _form(measure, *sizes)
    if form is None:
        points = contour(measure, value, above=t >= f, at=f, n_pos=n_pos, n_neg=n_neg)
        return Isometric(value=value, slope=slope, pivot=None, fpr=points.fpr, tpr=points.tpr)
    across, up = _across_the_square(f, t, slope)
    return Isometric(value=value, slope=slope, pivot=_pivot(form), fpr=across, tpr=up)


def _pivot(form: Form) -> tuple[float, float] | None:
    (a, b, c), (d, e, g) = form
    det = a * e - b * d
    if det == 0:
        return None
    return (c * d - a * g) / det + 0.0, (b * g - c * e) / det + 0.0


def _across_the_square(f: float, t: float, slope: float) -> tuple[Vector, Vector]:
    """Return both ends of the line through a point inside the unit square."""
    if np.isnan(slope):
        return np.empty(0), np.empty(0)
    if np.isinf(slope):
        return np.array([f, f]), np.array([0.0, 1.0])
    left, right = 0.0, 1.0
    if slope:
        low, high = sorted((f - t / slope, f + (1 - t) / slope))
        left, right = max(left, low), min(right, high)
    across = np.array([left, right])
    return across, np.clip(t + slope * (across - f), 0.0, 1.0)


@explained
def contour(
    measure: Of,
    value: float,
    *,
    above: bool = True,
    at: ArrayLike = (),
    n_pos: float = 1.0,
    n_neg: float = 1.0,
    grid: int = 201,
) -> RocPoints:
    """Return where a measure has a given value, on one side of the diagonal.

    Parameters
    ----------
    measure : str or callable
        As for `value_grid`; it must grow, or fall, with tpr on that side.
    value : float
        The value.
    above : bool, default True
        Whether to look above the diagonal or below it.
    at : float or array-like, optional
        False positive rates to look at besides the grid.
    n_pos, n_neg : float, default 1
        Class sizes, as for `value_grid`.
    grid : int, default 201
        Number of false positive rates from 0 to 1.

    Returns
    -------
    RocPoints
        By increasing fpr, those where there is such a point.

    Raises
    ------
    ValueError
        As `value_grid`.

    Notes
    -----
    Bisection to the last digits, all rates at once.

    References
    ----------
    Flach (2003), a paper on this alone.

    Examples
    --------
    >>> contour("g_mean", 0.5, grid=3).tpr
    array([0.25, 0.5 ])
    """
    sizes = _check_sizes(n_pos, n_neg)
    function = _named(measure)[1]
    check_times("grid", grid)
    extra = check_fraction("at", at).ravel()
    f = np.union1d(np.linspace(0, 1, grid), extra)
    low = f + _INSIDE if above else np.full(f.size, _INSIDE)
    high = np.full(f.size, 1 - _INSIDE) if above else f - _INSIDE
    start, end = (_values(function, f, t, sizes) - value for t in (low, high))
    found = (low < high) & (np.sign(start) * np.sign(end) <= 0)
    # An end of the segment may itself have the value, but for what was cut off it.
    edge = np.full(f.size, np.nan)
    for t in (f, np.full(f.size, 1.0 if above else 0.0)):
        edge = np.where(np.abs(_values(function, f, t, sizes) - value) <= _SAME, t, edge)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        same = np.sign(_values(function, f, middle, sizes) - value) == np.sign(start)
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    t = np.where(found, (low + high) / 2, edge)
    there = ~np.isnan(t)
    return RocPoints(fpr=f[there], tpr=t[there])


@explained
def effective_skew(
    measure: Of, fpr: ArrayLike, tpr: ArrayLike, *, n_pos: float = 1.0, n_neg: float = 1.0
) -> Any:
    """Return the slope of a measure's isometrics: the weight it gives to false positives.

    Parameters
    ----------
    measure : str or callable
        As for `value_grid`.
    fpr, tpr : float or array-like
        Points in [0, 1].
    n_pos, n_neg : float, default 1
        Class sizes, as for `value_grid`.

    Returns
    -------
    float or ndarray
        At each point, the ratio n_neg / n_pos at which accuracy would trade the two
        rates as the measure does there. nan at a pivot, where the measure has no isometrics,
        and for curved ones on the edge of the square.

    Raises
    ------
    ValueError
        As `value_grid`.

    Notes
    -----
    A closed form for linear isometrics, else differences of the fourth order: about ten
    digits.

    References
    ----------
    Flach (2003), a paper on this alone.

    Examples
    --------
    >>> effective_skew("accuracy", 0.25, 0.5, n_neg=4), effective_skew("ppv", 0.25, 0.5)
    (4.0, 2.0)
    """
    f, t = np.broadcast_arrays(check_fraction("fpr", fpr), check_fraction("tpr", tpr))
    sizes = _check_sizes(n_pos, n_neg)
    form = _form(measure, *sizes)
    if form is None:
        function = _named(measure)[1]
        across = _derivative(lambda h: _values(function, f + h, t, sizes), f)
        up = _derivative(lambda h: _values(function, f, t + h, sizes), t)
    else:
        (a, b, c), (d, e, g) = form
        over, under = a * t + b * f + c, d * t + e * f + g
        across, up = b * under - e * over, a * under - d * over
    with np.errstate(invalid="ignore", divide="ignore"):
        slope = np.where((up == 0) & (across != 0), np.inf, -across / up) + 0.0
    return slope if slope.ndim else float(slope)


def _derivative(function: Callable[[Any], Vector], at: Vector) -> Vector:
    """Differentiate by a rate, with steps that stay inside [0, 1]."""
    h = np.minimum(_STEP, np.minimum(at, 1 - at) / 4)
    near, far = function(h) - function(-h), function(2 * h) - function(-2 * h)
    return np.asarray(ratio(8 * near - far, 12 * h))


@explained
def best_points(
    points: RocCurve | RocHull | RocPoints,
    measure: Of,
    *,
    n_pos: float | None = None,
    n_neg: float | None = None,
) -> Ints:
    """Return which points of a curve or a hull are best by a measure, ties included.

    Parameters
    ----------
    points : RocCurve, RocHull or RocPoints
        The candidates; for a curve, the points that a threshold reaches.
    measure : str or callable
        As for `value_grid`. A function that is not in `rocspace.MEASURES` is taken to be
        better the higher it is.
    n_pos, n_neg : float, optional
        Class sizes; by default those of the curve, else 1 and 1.

    Returns
    -------
    ndarray of int
        Indices of all points within 1e-12 of the best value, from the most conservative on.

    Raises
    ------
    ValueError
        If the measure is nowhere defined, or as `value_grid`.

    Notes
    -----
    O(points). For a measure whose isometrics are lines of positive slope, a vertex of the hull is
    optimal: pass the hull if the curve has many points.

    References
    ----------
    Flach (2003), a paper on this alone.

    Examples
    --------
    >>> best_points(RocPoints(fpr=[0, 0.2, 0.5], tpr=[0.3, 0.6, 0.9]), "accuracy")
    array([1, 2])
    """
    default = (getattr(points, "n_pos", 1.0), getattr(points, "n_neg", 1.0))
    sizes = _check_sizes(
        default[0] if n_pos is None else n_pos, default[1] if n_neg is None else n_neg
    )
    f, t = (check_fraction(x, getattr(points, x)).ravel() for x in ("fpr", "tpr"))
    name, function, _ = _named(measure)
    value = _values(function, f, t, sizes)
    if name in MEASURES and MEASURES[name].better == "lower":
        value = -value
    if isinstance(points, RocCurve):
        value = np.where(points.attainable, value, np.nan)
    if np.isnan(value).all():
        msg = f"{name or 'The measure'} is not defined at any of the points."
        raise ValueError(msg)
    best = np.nanmax(value)
    slack = _SAME * max(1.0, abs(best)) if np.isfinite(best) else 0.0
    return np.flatnonzero(value >= best - slack)
