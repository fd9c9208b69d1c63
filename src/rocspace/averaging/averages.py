"""Averages of ROC curves: pooled, or at equal fpr, tpr, threshold, angle or rate.

The curves are those of folds, of repeated samples, of sites or of readers, each a `ScoreTable`;
averages along rates and angles take any `rocspace.results.Curve` too.
Which average is right depends on how thresholds will be set: at a wanted false positive rate
(`vertical_average`), at a wanted sensitivity (`horizontal_average`), at a fixed score
(`threshold_average`) or at a fixed share of cases (`rate_average`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np

from rocspace._base.arrays import Array, ArrayLike, Vector
from rocspace._base.calls import explained
from rocspace._base.checks import as_numbers, check_fraction, check_inside, check_times
from rocspace._base.frozen import own
from rocspace._base.words import shown
from rocspace.averaging import meeting
from rocspace.averaging.average_curve import AverageCurve
from rocspace.averaging.meeting import Curves, Tables, listed_curves, listed_tables
from rocspace.averaging.scale import need_same_scale
from rocspace.counts.table import ScoreTable, merge, need
from rocspace.results.curve import Curve, Line, left_right, line_of

# --- what all averages begin with -------------------------------------------------------------


def _shares(curve_weight: ArrayLike | None, n: int) -> Vector:
    given = np.ones(n) if curve_weight is None else as_numbers("curve_weight", curve_weight)
    if given.shape != (n,) or not (np.isfinite(given).all() and (given > 0).all()):
        msg = (
            f"curve_weight is {shown(curve_weight)}. Pass {n} positive numbers, one of each curve."
        )
        raise ValueError(msg)
    return np.asarray(given / given.sum())


def _average(
    method: str,
    given: tuple[list[ScoreTable], list[Curve]],
    curve_weight: ArrayLike | None,
    at: Array,
    each_fpr: Vector,
    each_tpr: Vector,
) -> AverageCurve:
    tables, curves = given
    sizes = [table.n_eff for table in tables] or [
        (getattr(curve, "n_pos", np.nan), getattr(curve, "n_neg", np.nan)) for curve in curves
    ]
    n_pos, n_neg = (sum(size[i] for size in sizes) for i in (0, 1))
    return AverageCurve(
        method=method,
        at=at,
        each_fpr=each_fpr,
        each_tpr=each_tpr,
        weight=_shares(curve_weight, len(curves)),
        n_pos=n_pos,
        n_neg=n_neg,
        tables=tuple(tables),
    )


def _steps(grid: int | ArrayLike) -> Vector:
    """Return the rates j / grid (not by repeated addition), or given rates, sorted."""
    if isinstance(grid, int | np.integer):
        check_times("grid", int(grid))
        return np.arange(grid + 1) / grid
    rates = np.sort(np.atleast_1d(check_fraction("grid", grid)))
    if rates.ndim != 1 or rates.size == 0:
        msg = f"grid has the shape {rates.shape}. Pass a number of steps, or a list of rates."
        raise ValueError(msg)
    return rates


# --- pooling ----------------------------------------------------------------------------------


@explained
def pooled_table(tables: Tables, *, same_scale: bool = False) -> ScoreTable:
    """Pool the cases of all tables into one test set.

    Parameters
    ----------
    tables : sequence or mapping of ScoreTable
        One table for each fold or sample; single classes may be missing.
    same_scale : bool, default False
        Must be True: confirms that a score means the same in all tables. If the models of the folds
        have different scales, pass ``[on_rank_scale(t) for t in tables]``.

    Returns
    -------
    ScoreTable
        Its curve is the pooled curve. It does not show the variance between folds, and its area is
        not the mean of their areas, because cases of different folds are compared too.

    Raises
    ------
    ValueError
        If `same_scale` is False, there is no table, or directions differ.

    Notes
    -----
    O(k log k) in the rows of all tables.

    References
    ----------
    Fawcett (2006), section 8.

    Examples
    --------
    >>> from rocspace import auc, tabulate
    >>> from rocspace.averaging import on_rank_scale
    >>> folds = [tabulate([0, 1], [1, 2]), tabulate([0, 1], [3, 4])]
    >>> auc(pooled_table(folds, same_scale=True))
    0.75
    >>> auc(pooled_table([on_rank_scale(t) for t in folds], same_scale=True))
    1.0
    """
    need_same_scale("pooled_table", same_scale)
    if isinstance(tables, ScoreTable):
        tables = [tables]
    listed = tables.values() if isinstance(tables, Mapping) else tables
    for table in listed:
        need("pooled_table", table, pos=0, neg=0)
    return merge(*listed)


# --- averages ---------------------------------------------------------------------------------


@explained
def vertical_average(
    tables: Curves, *, grid: int | ArrayLike | None = 100, curve_weight: ArrayLike | None = None
) -> AverageCurve:
    """Average the true positive rates at equal false positive rates.

    Parameters
    ----------
    tables : sequence or mapping of ScoreTable or Curve
        One for each curve; a table needs both classes.
    grid : int, array-like or None, default 100
        Number of equal steps of the false positive rate, or its values in [0, 1]. None gives the
        exact average: every value at which a curve has a vertex, twice where a curve jumps.
    curve_weight : array-like, shape (c,), optional
        Weights of the curves, such as the sizes of the folds; by default equal.

    Returns
    -------
    AverageCurve
        Non-decreasing. At fpr 0 it may be above 0, as the curves may be: plot it from (0, 0).

    Raises
    ------
    SingleClassError
        If a table lacks a class.
    ValueError
        If a rate is outside [0, 1], weights do not fit, or there is no table.

    Notes
    -----
    The value of a curve is the upper end of a vertical run, and linear between points. The area of
    the exact average equals the mean of the areas. O(c m log k) for m steps; the exact average has
    up to twice as many points as all curves together.

    References
    ----------
    Fawcett (2006), Algorithm 3, after Provost, Fawcett and Kohavi (1998).

    Examples
    --------
    >>> from rocspace import tabulate
    >>> folds = [tabulate([0, 1, 0, 1], [1, 2, 3, 4]), tabulate([0, 1, 0, 1], [1, 3, 2, 4])]
    >>> exact = vertical_average(folds, grid=None)
    >>> exact.fpr, exact.tpr, exact.auc
    (array([0. , 0. , 0.5, 0.5, 1. ]), array([0.  , 0.75, 0.75, 1.  , 1.  ]), 0.875)
    """
    given = listed_curves("vertical_average", tables)
    if grid is None:
        at, each = meeting.every_knot([line_of(curve) for curve in given[1]])
    else:
        at = _steps(grid)
        each = np.stack([curve.tpr_at(at) for curve in given[1]])
    each = _rising(each)
    return _average("vertical", given, curve_weight, at, np.broadcast_to(at, each.shape), each)


@explained
def horizontal_average(
    tables: Curves, *, grid: int | ArrayLike | None = 100, curve_weight: ArrayLike | None = None
) -> AverageCurve:
    """Average the false positive rates at equal true positive rates.

    Parameters
    ----------
    tables : sequence or mapping of ScoreTable or Curve
        One for each curve; a table needs both classes.
    grid : int, array-like or None, default 100
        Number of equal steps of the true positive rate, or its values in [0, 1]; None for the exact
        average, as in `vertical_average`.
    curve_weight : array-like, shape (c,), optional
        Weights of the curves; by default equal.

    Returns
    -------
    AverageCurve
        Non-decreasing; lower rates are better. At tpr 1 it may be below 1.

    Raises
    ------
    SingleClassError, ValueError
        As `vertical_average`.

    Notes
    -----
    The value of a curve is the smallest false positive rate that reaches the true positive rate.
    The area of the exact average equals the mean of the areas. O(c m log k).

    Above tpr 1 - 1 / n, n the positives of a curve, the true threshold is often below all of them,
    and the limits of `AverageCurve.interval` hold for concave true curves only. If scores
    have one scale, take `rocspace.inference.fpr_at_interval` of ``merge(*tables)`` there.

    References
    ----------
    Fawcett (2006), Algorithm 3, with the axes exchanged; the exact grid is our own.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> folds = [tabulate([0, 1, 0, 1], [1, 2, 3, 4]), tabulate([0, 1, 0, 1], [1, 3, 2, 4])]
    >>> horizontal_average(folds, grid=2).fpr
    array([0.  , 0.  , 0.25])
    """
    given = listed_curves("horizontal_average", tables)
    beside = [Line(line.y, line.x) for line in map(line_of, given[1])]
    if grid is None:
        at, each = meeting.every_knot(beside)
    else:
        at = _steps(grid)
        each = np.stack([left_right(line, at)[0] for line in beside])
    each = _rising(each)
    return _average("horizontal", given, curve_weight, at, each, np.broadcast_to(at, each.shape))


def _rising(each: Vector) -> Vector:
    """Undo what rounding between points may exceed the next point by."""
    # A copy in another order in memory would be summed in another order: another last digit.
    return own(np.minimum.accumulate(each[:, ::-1], axis=1)[:, ::-1])


@explained
def threshold_average(
    tables: Tables,
    *,
    same_scale: bool = False,
    grid: int | ArrayLike | None = None,
    mode: Literal["operating", "literal"] = "operating",
    curve_weight: ArrayLike | None = None,
) -> AverageCurve:
    """Average both rates at equal thresholds: the expected performance of a common threshold.

    Parameters
    ----------
    tables : sequence or mapping of ScoreTable
        One table for each curve, both classes present, all with the same direction.
    same_scale : bool, default False
        Must be True: confirms that a score means the same in all tables. If it does not, pass
        ``[on_rank_scale(t) for t in tables]``.
    grid : int, array-like or None, optional
        Number of steps through the sorted distinct scores, or the thresholds, in any order; by
        default all distinct scores.
    mode : {"operating", "literal"}, default "operating"
        "operating" takes the point of each curve given by the rule ``score >= threshold``;
        "literal" is the published algorithm, which is one point too far where no score equals the
        threshold.
    curve_weight : array-like, shape (c,), optional
        Weights of the curves; by default equal.

    Returns
    -------
    AverageCurve
        Mean rates. Unless thresholds are given, the first point is (0, 0), where no case is called
        positive.

    Raises
    ------
    SingleClassError
        If a table lacks a class.
    ValueError
        If `same_scale` is False, directions differ, or an option is wrong.

    Notes
    -----
    O(c m log k), m thresholds. Steps take the thresholds of ranks floor(j (d - 1) / grid +
    1/2) among d distinct ones, so the first and the last are always there.

    References
    ----------
    Fawcett (2006), Algorithm 4.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> folds = [tabulate([0, 1, 0, 1], [1, 2, 3, 4]), tabulate([0, 1, 0, 1], [1, 3, 2, 4])]
    >>> curve = threshold_average(folds, same_scale=True)
    >>> curve.at, curve.tpr
    (array([inf,  4.,  3.,  2.,  1.]), array([0.  , 0.5 , 0.75, 1.  , 1.  ]))
    """
    need_same_scale("threshold_average", same_scale)
    listed = listed_tables("threshold_average", tables)
    given = listed_curves("threshold_average", listed)
    at = _thresholds_on(merge(*listed).score_from_infinity, grid, listed[0].higher_is_positive)
    fpr, tpr = meeting.points_at_thresholds(*given, at, mode)
    first = 0 if grid is None or isinstance(grid, int | np.integer) else 1
    return _average("threshold", given, curve_weight, at[first:], fpr[:, first:], tpr[:, first:])


def _thresholds_on(existing: Array, grid: int | ArrayLike | None, higher: bool) -> Array:
    """Choose among the scores, the most positive first after the infinite one."""
    if grid is None:
        return existing
    if isinstance(grid, int | np.integer):
        steps = int(_steps(grid).size - 1)
        last = existing.size - 2
        # Half up in integers: neither rounding to even nor a float decides.
        rank = (2 * np.arange(steps + 1) * last + steps) // (2 * steps)
        return np.asarray(existing[np.concatenate([[0], 1 + np.unique(rank)])])
    given = np.atleast_1d(np.asarray(grid))
    if given.dtype.kind not in "iuf":
        given = np.atleast_1d(as_numbers("grid", grid))
    if given.ndim != 1 or given.size == 0:
        msg = f"grid has the shape {given.shape}. Pass a number of steps, or thresholds."
        raise ValueError(msg)
    ordered = np.sort(given)[::-1] if higher else np.sort(given)
    return np.concatenate([existing[:1], ordered])


@explained
def radial_average(
    tables: Curves, *, grid: int | ArrayLike = 100, curve_weight: ArrayLike | None = None
) -> AverageCurve:
    """Average the distances from (1, 0) at equal angles.

    Parameters
    ----------
    tables : sequence or mapping of ScoreTable or Curve
        One for each curve; a table needs both classes.
    grid : int or array-like, default 100
        Number of equal steps of the angle at (1, 0), or angles in radians, from 0 (along the fpr
        axis) to pi / 2.
    curve_weight : array-like, shape (c,), optional
        Weights of the curves; by default equal.

    Returns
    -------
    AverageCurve
        Mean points on the rays, from (0, 0) to (1, 1); both rates non-decreasing.

    Raises
    ------
    SingleClassError, ValueError
        As `vertical_average`; also if an angle is not from 0 to pi / 2.

    Notes
    -----
    Treats both rates alike; each ray meets a curve once. O(c m log k).

    References
    ----------
    Macskassy and Provost (2004), "radial sweep", the whole paper.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> folds = [tabulate([0, 1, 0, 1], [1, 2, 3, 4]), tabulate([0, 1, 0, 1], [1, 3, 2, 4])]
    >>> middle = radial_average(folds, grid=2)
    >>> middle.fpr.round(6), middle.tpr.round(6)
    (array([0.  , 0.25, 1.  ]), array([0.  , 0.75, 1.  ]))
    """
    given = listed_curves("radial_average", tables)
    if isinstance(grid, int | np.integer):
        angle = _steps(grid) * (np.pi / 2)
    else:
        angle = np.sort(np.atleast_1d(np.asarray(grid, dtype=np.float64)))
        if angle.ndim != 1 or angle.size == 0 or not (0 <= angle[0] <= angle[-1] <= np.pi / 2):
            msg = f"grid is {shown(grid)}. Angles are in radians, from 0 to pi / 2."
            raise ValueError(msg)
    fpr, tpr = meeting.points_at_angles(given[1], angle)
    return _average("radial", given, curve_weight, angle, fpr, tpr)


@explained
def rate_average(
    tables: Curves,
    *,
    grid: int | ArrayLike | None = 100,
    prevalence: float | None = None,
    curve_weight: ArrayLike | None = None,
) -> AverageCurve:
    """Average both rates at equal shares of cases called positive.

    Parameters
    ----------
    tables : sequence or mapping of ScoreTable or Curve
        One for each curve; a table needs both classes.
    grid : int, array-like or None, default 100
        How many equal steps of the share, or shares in [0, 1]; None for every share at which a
        curve turns.
    prevalence : float, optional
        One share of positives for all curves, strictly between 0 and 1; by default each
        curve's own.
    curve_weight : array-like, shape (c,), optional
        Weights of the curves; by default equal.

    Returns
    -------
    AverageCurve
        From (0, 0) to (1, 1), both rates non-decreasing. It rests on ranks alone, so the
        scales of the scores may differ.

    Raises
    ------
    SingleClassError, ValueError
        As `vertical_average`; also if the prevalence is not strictly between 0 and 1.

    Notes
    -----
    Right where a fixed share of cases is acted on, whatever they score. O(c m log k).

    References
    ----------
    Millard, Kull and Flach (2014), a paper on this alone.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> folds = [tabulate([0, 1, 0, 1], [1, 2, 3, 4]), tabulate([0, 1, 0, 1], [1, 3, 2, 4])]
    >>> half = rate_average(folds, grid=2)
    >>> half.fpr, half.tpr
    (array([0.  , 0.25, 1.  ]), array([0.  , 0.75, 1.  ]))
    """
    if prevalence is not None:
        check_inside("prevalence", prevalence)
    given = listed_curves("rate_average", tables)
    steps = None if grid is None else _steps(grid)
    at, fpr, tpr = meeting.points_at_called(given[1], steps, prevalence)
    return _average("rate", given, curve_weight, at, fpr, tpr)
