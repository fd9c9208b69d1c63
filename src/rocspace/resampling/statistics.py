"""Statistics of many tables at once: of all bootstrap replicates, from their counts.

Counts come as arrays of shape (b, k): b replicates of the same k scores, most positive first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Literal, TypeAlias

import numpy as np

from rocspace._base.arrays import Array, ArrayLike, Ints, Vector
from rocspace._base.calls import explained
from rocspace._base.checks import check_fraction, check_part
from rocspace._base.exact import ratio
from rocspace._base.frozen import Result
from rocspace._base.synonyms import understood
from rocspace._base.words import nearest
from rocspace.counts.confusion import ConfusionMatrix, rows_called_positive
from rocspace.counts.paired import PairedScores
from rocspace.counts.table import ScoreTable
from rocspace.curves.pr import average_precision_interval
from rocspace.inference.area import delong, partial_auc_estimate
from rocspace.inference.clustered import clustered_auc_estimate
from rocspace.inference.corner import check_corner, two_way_partial_auc_interval
from rocspace.inference.on_curve import fpr_at_interval, tpr_at_interval, youden_interval
from rocspace.inference.rates import point_interval, predictive_value_interval
from rocspace.inference.spread import Part
from rocspace.resampling.errors import area_with_error
from rocspace.resampling.replicates import TableStatistic, areas_of_counts, rates_of_counts
from rocspace.results.curve import between
from rocspace.results.interval import Interval


class Statistic(Result):
    """One or several numbers that the bootstrap computes for many replicates at once.

    Attributes
    ----------
    name : str
        Name of the statistic.
    values : callable
        Given a table, returns a function of counts (pos, neg), each of shape (b, k), that
        returns an array of shape (b, q).
    with_se : callable, optional
        The same, with standard errors after the values: shape (b, 2 q).
    range : tuple of float
        The range of possible values.
    rests_on : {"pairs", "positives", "negatives"}
        The cases that the statistic is (approximately) a mean over; determines the width of an
        interval if all replicates agree.
    mean_range : tuple of float, optional
        The range of the mean that the statistic is based on, if that is wider.
    part : tuple, optional
        For a partial area: the name of the rate, and its range.
    contrast : bool
        Whether it is the first score's value minus the second's.
    limits : tuple of callable
        Functions of a table and a level that return the default interval of each value if
        replicates mislead; empty if they do not.
    clustered : callable, optional
        The same of cases in clusters, the name of a score and a level.

    See Also
    --------
    difference, fpr_at, partial_area, two_way_area
    """

    name: str
    values: Callable[[ScoreTable], TableStatistic]
    with_se: Callable[[ScoreTable], TableStatistic] | None = None
    range: tuple[float, float] = (0.0, 1.0)
    rests_on: Literal["pairs", "positives", "negatives"] = "pairs"
    mean_range: tuple[float, float] | None = None
    part: tuple[str, float, float] | None = None
    contrast: bool = False
    limits: tuple[Callable[..., Interval], ...] = ()
    clustered: Callable[..., Interval] | None = None

    def _about(self) -> str:
        return f"{self.name}"


# --- curves of many replicates ----------------------------------------------------------------


def _pick(rates: Vector, at: Ints) -> Vector:
    return np.take_along_axis(rates, at[:, np.newaxis], axis=1)[:, 0]


def _each(function: TableStatistic, pos: Array, neg: Array) -> Vector:
    """Make a function of counts return columns, with nan where a replicate lacks a class."""
    found = function(pos, neg).reshape(len(pos), -1)
    lacks = (pos.sum(axis=1) == 0) | (neg.sum(axis=1) == 0)
    return np.where(lacks[:, np.newaxis], np.nan, found)


def _of_any(function: TableStatistic, table: ScoreTable) -> TableStatistic:
    """Wrap a function of counts that needs no other information about the table."""
    return partial(_each, function)


# --- the statistics ---------------------------------------------------------------------------


def _youden(pos: Array, neg: Array) -> Vector:
    tpr, fpr = rates_of_counts(pos, neg)
    return np.asarray((tpr - fpr).max(axis=1))


def _average_precision(pos: Array, neg: Array) -> Vector:
    tp = np.cumsum(pos, axis=1, dtype=np.float64)
    called = np.maximum(tp + np.cumsum(neg, axis=1), np.finfo(float).tiny)
    return np.asarray(ratio(np.einsum("ij,ij->i", pos, tp / called), tp[:, -1]))


def _area_limits(table: ScoreTable, level: float) -> Interval:
    return delong(table).interval(level)


def _clustered_area_limits(data: PairedScores, name: str, level: float) -> Interval:
    return clustered_auc_estimate(data, name).interval(level)


STATISTICS = {
    "auc": Statistic(
        name="auc",
        values=partial(_of_any, areas_of_counts),
        with_se=partial(_of_any, area_with_error),
        part=("fpr", 0.0, 1.0),
        limits=(_area_limits,),
        clustered=_clustered_area_limits,
    ),
    # For a fixed threshold (1 + J) / 2 is a mean over pairs.
    "youden": Statistic(
        name="youden",
        values=partial(_of_any, _youden),
        mean_range=(-1.0, 1.0),
        limits=(youden_interval,),
    ),
    "average_precision": Statistic(
        name="average_precision",
        values=partial(_of_any, _average_precision),
        rests_on="positives",
        limits=(average_precision_interval,),
    ),
}


def named(statistic: str) -> Statistic:
    """Return the statistic of a name; the command line's texts are answered with ours."""
    what, at, where = statistic.replace(" ", "").partition("@")
    value = where.rpartition("=")[2]
    if at and statistic not in STATISTICS:
        rate = {"tpr": f"tpr_at({value})", "fpr": f"fpr_at({value})"}.get(what)
        line = rate if rate and not where.startswith("threshold") else ""
        if what in ("area", "auc", "pauc"):
            line = f"partial_area({where.partition('=')[0]}=({value}))"
        line = line or f"rate_at({value}, rate={what!r})"
        msg = f"statistic is {statistic!r}. In Python say rocspace.resampling.{line}."
        raise ValueError(msg)
    if statistic not in STATISTICS:
        meant = understood(statistic, STATISTICS)
        close = f" Did you mean {meant!r}?" if meant else nearest(statistic, STATISTICS)
        msg = (
            f"statistic is {statistic!r}, but must be one of {', '.join(map(repr, STATISTICS))}, "
            "a statistic of rocspace.resampling such as tpr_at(0.1), rate_at(0.5) or "
            f"partial_area(fpr=(0, 0.1)), or for bootstrap a function of a table.{close}"
        )
        raise ValueError(msg)
    return STATISTICS[statistic]


@explained
def partial_area(
    *,
    fpr: tuple[float, float] | None = None,
    tpr: tuple[float, float] | None = None,
    standardised: bool = False,
) -> Statistic:
    """Area under a part of the curve, for `bootstrap`.

    Parameters
    ----------
    fpr, tpr, standardised
        As for `rocspace.partial_auc`.

    Returns
    -------
    Statistic
        To be passed to `bootstrap`.

    Raises
    ------
    ValueError
        If both ranges are given, or one is not increasing inside [0, 1].

    References
    ----------
    McClish (1989), a paper on this alone; Jiang, Metz and Nishikawa (1996), a paper on this alone.

    Examples
    --------
    >>> partial_area(fpr=(0, 0.2))
    Statistic(partial_area, fpr 0 to 0.2)
    """
    name, low, high = check_part(fpr, tpr) or ("fpr", 0.0, 1.0)
    width = high - low
    least = (high**2 - low**2) / 2 if tpr is None else ((1 - low) ** 2 - (1 - high) ** 2) / 2

    area = partial(_part, name, low, high, least if standardised else None)
    scale = ", standardised" if standardised else ""
    return Statistic(
        name=f"partial_area, {name} {low:g} to {high:g}{scale}",
        values=partial(_of_any, area),
        range=((1 - least / (width - least)) / 2, 1.0) if standardised else (0.0, width),
        part=(name, low, high),
        limits=(partial(_part_limits, (name, low, high), least if standardised else None),),
        clustered=partial(_clustered_limits, (name, low, high), least if standardised else None),
    )


def _part_limits(part: Part, least: float | None, table: ScoreTable, level: float) -> Interval:
    ends: Any = {part[0]: part[1:]}
    return _standardised(partial_auc_estimate(table, **ends).interval(level), part, least)


def _clustered_limits(
    part: Part, least: float | None, data: PairedScores, name: str, level: float
) -> Interval:
    ends: Any = {part[0]: part[1:]}
    return _standardised(clustered_auc_estimate(data, name, **ends).interval(level), part, least)


def _standardised(raw: Interval, part: Part, least: float | None) -> Interval:
    """Put an interval of a part on the scale of the whole area; `least` is what chance has."""
    if least is None:
        return raw
    ends = [(1 + (end - least) / (part[2] - part[1] - least)) / 2 for end in raw]
    return replace(raw, low=ends[0], high=ends[1])


def _part(
    rate: str, low: float, high: float, least: float | None, pos: Array, neg: Array
) -> Vector:
    """Return partial areas, standardised if the minimal area of the part is given."""
    x, y = rates_of_counts(neg, pos)
    if rate == "tpr":
        x, y = y, 1 - x
    found = _polygons(x, y, low, high)
    return found if least is None else (1 + (found - least) / (high - low - least)) / 2


def _polygons(x: Vector, y: Vector, low: float | Vector, high: float) -> Vector:
    """Integrate polygons with non-decreasing x from low to high, cut linearly at both ends."""
    left, right = (np.clip(x[:, part], low, high) for part in (slice(-1), slice(1, None)))
    run = np.diff(x, axis=1)
    slope = np.diff(y, axis=1) / np.where(run > 0, run, 1.0)
    middle = y[:, :-1] + ((left + right) / 2 - x[:, :-1]) * slope
    return np.asarray(np.einsum("ij,ij->i", right - left, middle))


@explained
def two_way_area(*, max_fpr: float, min_tpr: float) -> Statistic:
    """Area under the curve within a corner of few false and many true positives, for `bootstrap`.

    Parameters
    ----------
    max_fpr, min_tpr : float
        As for `rocspace.curves.two_way_partial_auc`.

    Returns
    -------
    Statistic
        To be passed to `bootstrap`. The default interval of a sample is that of
        `rocspace.inference.two_way_partial_auc_interval`.

    Raises
    ------
    ValueError
        If a rate is outside [0, 1], or the corner has no area.

    References
    ----------
    Yang, Lu, Lyu and Hu (2019), a paper on this alone.

    Examples
    --------
    >>> two_way_area(max_fpr=0.3, min_tpr=0.8)
    Statistic(two_way_area, fpr to 0.3, tpr from 0.8)
    """
    right, bottom = check_corner(max_fpr, min_tpr)
    return Statistic(
        name=f"two_way_area, fpr to {right:g}, tpr from {bottom:g}",
        values=partial(_of_any, partial(_in_corner, right, bottom)),
        range=(0.0, right * (1 - bottom)),
        limits=(partial(two_way_partial_auc_interval, max_fpr=right, min_tpr=bottom),),
    )


def _in_corner(right: float, bottom: float, pos: Array, neg: Array) -> Vector:
    x, y = rates_of_counts(neg, pos)
    left = np.minimum(_fpr_at(bottom, pos, neg), right)[:, np.newaxis]
    return np.maximum(_polygons(x, y - bottom, left, right), 0.0)


@explained
def tpr_at(fpr: ArrayLike) -> Statistic:
    """Rate of true positives at one or several false positive rates, for `bootstrap`.

    Parameters
    ----------
    fpr : float or array-like, shape (q,)
        False positive rates in [0, 1]; the curve is linear between its points.

    Returns
    -------
    Statistic
        To be passed to `bootstrap`; for several rates call ``intervals(level)`` on the sample.

    Raises
    ------
    ValueError
        If a rate is outside [0, 1], or there is none.

    References
    ----------
    Fawcett (2006), section 8.1, for reading a curve.

    Examples
    --------
    >>> tpr_at(0.1), tpr_at([0.1, 0.2])
    (Statistic(tpr at fpr 0.1), Statistic(tpr at fpr 0.1, 0.2))
    """
    at = _rates_of("fpr", fpr)
    return Statistic(
        name=f"tpr at fpr {', '.join(f'{x:g}' for x in at)}",
        values=partial(_of_any, partial(_at_each, _tpr_at, at)),
        rests_on="positives",
        limits=tuple(partial(tpr_at_interval, fpr=x) for x in at),
    )


def _rates_of(name: str, given: ArrayLike) -> tuple[float, ...]:
    rates = tuple(float(check_fraction(name, x)) for x in np.ravel(given).tolist())
    if not rates:
        msg = f"{name} is empty: give a rate, or several."
        raise ValueError(msg)
    return rates


def _at_each(
    read: Callable[[float, Array, Array], Vector], at: tuple[float, ...], pos: Array, neg: Array
) -> Vector:
    """Read curves at each rate."""
    return np.column_stack([read(x, pos, neg) for x in at])


def _tpr_at(at: float, pos: Array, neg: Array) -> Vector:
    x, y = rates_of_counts(neg, pos)
    i = np.maximum((x <= at).sum(axis=1) - 1, 0)
    j = np.minimum(i + 1, x.shape[1] - 1)
    return np.asarray(between(at, _pick(x, i), _pick(x, j), _pick(y, i), _pick(y, j)))


@explained
def fpr_at(tpr: ArrayLike) -> Statistic:
    """Smallest false positive rate at one or several true positive rates, for `bootstrap`.

    Parameters
    ----------
    tpr : float or array-like, shape (q,)
        True positive rates in [0, 1]; the curve is linear between its points.

    Returns
    -------
    Statistic
        To be passed to `bootstrap`; for several rates call ``intervals(level)`` on the sample.

    Raises
    ------
    ValueError
        If a rate is outside [0, 1], or there is none.

    References
    ----------
    Fawcett (2006), section 8.1, for reading a curve, with the axes exchanged.

    Examples
    --------
    >>> fpr_at(0.9)
    Statistic(fpr at tpr 0.9)
    """
    at = _rates_of("tpr", tpr)
    return Statistic(
        name=f"fpr at tpr {', '.join(f'{x:g}' for x in at)}",
        values=partial(_of_any, partial(_at_each, _fpr_at, at)),
        rests_on="negatives",
        limits=tuple(partial(fpr_at_interval, tpr=x) for x in at),
    )


def _fpr_at(at: float, pos: Array, neg: Array) -> Vector:
    x, y = rates_of_counts(neg, pos)
    i = np.minimum((y < at).sum(axis=1), x.shape[1] - 1)
    j = np.maximum(i - 1, 0)
    return np.asarray(between(at, _pick(y, i), _pick(y, j), _pick(x, i), _pick(x, j)))


Rate: TypeAlias = Literal["tpr", "fpr", "tnr", "fnr", "ppv", "npv"]
"""Rates at a threshold."""

# Of what a rate is the share, and the rest: (of the positives?, above the threshold?).
_PARTS = {
    "tpr": ((True, True), (True, False)),
    "fnr": ((True, False), (True, True)),
    "fpr": ((False, True), (False, False)),
    "tnr": ((False, False), (False, True)),
    "ppv": ((True, True), (False, True)),
    "npv": ((False, False), (True, False)),
}


@explained
def rate_at(threshold: float, *, rate: Rate = "tpr") -> Statistic:
    """Rate at a prespecified threshold, for `bootstrap`.

    Parameters
    ----------
    threshold : float
        Threshold on the scale of the score; it need not be an observed score.
    rate : {"tpr", "fpr", "tnr", "fnr", "ppv", "npv"}, default "tpr"
        Which rate. Predictive values are those at the share of positives in the data.

    Returns
    -------
    Statistic
        To be passed to `bootstrap`. Rates of one class also have the "studentised" interval.

    Raises
    ------
    ValueError
        If the threshold is NaN, or there is no such rate.

    Notes
    -----
    A predictive value of a replicate that calls no case positive (or none negative) is nan: that
    replicate is left out, and counted as failed.

    References
    ----------
    No source: a plain definition.

    Examples
    --------
    >>> rate_at(0.5, rate="fpr")
    Statistic(fpr at threshold 0.5)
    """
    part, rest = _PARTS[rate]
    mixed = part[0] != rest[0]
    return Statistic(
        name=f"{rate} at threshold {threshold:g}",
        values=partial(_rate_at, threshold, rate, False),
        with_se=None if mixed else partial(_rate_at, threshold, rate, True),
        rests_on="pairs" if mixed else "positives" if part[0] else "negatives",
        limits=(partial(_rate_limits, threshold, rate),),
    )


def _rate_limits(threshold: float, rate: Rate, table: ScoreTable, level: float) -> Interval:
    row = int(rows_called_positive(table, threshold, inclusive=True))
    tp, fp = int(table.pos[:row].sum()), int(table.neg[:row].sum())
    n_pos, n_neg = int(table.n_pos), int(table.n_neg)
    counts = ConfusionMatrix(tp=tp, fp=fp, fn=n_pos - tp, tn=n_neg - fp)
    if rate in ("ppv", "npv"):
        share = n_pos / (n_pos + n_neg)
        return predictive_value_interval(counts, rate, prevalence=share, level=level)
    return point_interval(counts, rate, level=level)


def _rate_at(threshold: float, rate: str, with_se: bool, table: ScoreTable) -> TableStatistic:
    row = int(rows_called_positive(table, threshold, inclusive=True))
    return partial(_each, partial(_share_above, row, rate, with_se))


def _share_above(row: int, rate: str, with_se: bool, pos: Array, neg: Array) -> Vector:
    part, rest = (
        (pos if of_pos else neg)[:, : row if above else None][:, 0 if above else row :].sum(
            axis=1, dtype=np.float64
        )
        for of_pos, above in _PARTS[rate]
    )
    share = ratio(part, part + rest)
    found = [share, np.sqrt(ratio(share * (1 - share), part + rest))] if with_se else [share]
    return np.column_stack(found)


@explained
def difference(statistic: Statistic | str = "auc") -> Statistic:
    """Difference of a statistic between two scores of the same cases, for `bootstrap`.

    Parameters
    ----------
    statistic : Statistic or str, default "auc"
        The statistic to compute for both scores.

    Returns
    -------
    Statistic
        To be passed to `bootstrap` with `PairedScores` of two columns: the first column's value
        minus the second's.

    Raises
    ------
    ValueError
        If there is no such statistic.

    References
    ----------
    No source: a plain definition.

    Examples
    --------
    >>> difference("youden")
    Statistic(difference of youden)
    """
    if isinstance(statistic, str):
        statistic = named(statistic)
    width = statistic.range[1] - statistic.range[0]
    return replace(
        statistic,
        name=f"difference of {statistic.name}",
        range=(-width, width),
        contrast=True,
        limits=(),
        clustered=None,
        with_se=None,
        mean_range=None,
        part=None,
    )
