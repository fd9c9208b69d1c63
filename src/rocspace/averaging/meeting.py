"""Points of several curves at equal rates, thresholds, angles or shares called positive."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from numbers import Real
from typing import Any, TypeAlias, TypeVar, cast

import numpy as np

from rocspace._base.arrays import Array, Vector
from rocspace.counts.confusion import rows_called_positive
from rocspace.counts.table import ScoreTable, need
from rocspace.curves.roc import RocCurve, roc_curve
from rocspace.results.curve import Curve, Line, PolygonCurve, left_right, line_of

Tables: TypeAlias = Sequence[ScoreTable] | Mapping[Any, ScoreTable]
Curves: TypeAlias = Sequence[ScoreTable | Curve] | Mapping[Any, ScoreTable | Curve]

T = TypeVar("T")

_ROUND = 1e-9  # ranks that differ by less are equal


# --- what comes in ----------------------------------------------------------------------------


def listed_tables(name: str, tables: Tables) -> list[ScoreTable]:
    """List the tables of a sequence or mapping, which all must have both classes."""
    if isinstance(tables, Mapping) and "fit_time" in tables:
        msg = (
            f"{name} takes tables, not the result of cross_validate. Say {name}(cv_tables("
            "cv_results, X, y)), with return_estimator=True and return_indices=True."
        )
        raise TypeError(msg)
    named = _named(name, tables)
    if all(isinstance(each, Real) for each in named.values()):
        msg = (
            f"{name} takes the tables of folds, not a number of each, which do not tell how "
            "uncertain they are. Say fold_tables(y_true, y_score, fold), or "
            "cv_tables(cv_results, X, y) of scikit-learn's cross_validate."
        )
        raise TypeError(msg)
    for key, table in named.items():
        need(f"{name}, of table {key!r},", table)
    return list(named.values())


def listed_curves(name: str, curves: Curves) -> tuple[list[ScoreTable], list[Curve]]:
    """List the curves of a sequence or mapping; and the tables, if all came as tables."""
    if not any(isinstance(one, Curve) for one in _named(name, curves).values()):
        tables = listed_tables(name, cast(Tables, curves))
        return tables, [roc_curve(table) for table in tables]
    named = _named(name, curves).items()
    return [], [c if isinstance(c, Curve) else listed_curves(name, {k: c})[1][0] for k, c in named]


def _named(name: str, several: Mapping[Any, T] | Sequence[T]) -> dict[Any, T]:
    if isinstance(several, ScoreTable | Curve):
        msg = f"{name} takes several tables, not one. Pass a list, or a dict as of fold_tables."
        raise TypeError(msg)
    named = dict(several) if isinstance(several, Mapping) else dict(enumerate(several))
    if not named:
        msg = f"{name} needs at least one table, but the list is empty."
        raise ValueError(msg)
    return named


# --- meeting a curve --------------------------------------------------------------------------


def axes_swapped(curve: RocCurve) -> RocCurve:
    """Exchange both rates, so that a method along one axis works along the other."""
    return replace(
        curve, fp=curve.tp, tp=curve.fp, n_pos=curve.n_neg, n_neg=curve.n_pos, complete=False
    )


def every_knot(lines: Sequence[Line]) -> tuple[Vector, Vector]:
    """Return all fpr where a curve turns, twice where one jumps, and each curve there."""
    knots = np.unique(np.concatenate([line.x for line in lines]))
    foot, top = (np.stack(x) for x in zip(*(left_right(c, knots) for c in lines), strict=True))
    jumps = (foot != top).any(axis=0)
    source = np.repeat(np.arange(knots.size), 1 + jumps)
    each = top[:, source]
    each[:, np.flatnonzero(source[1:] == source[:-1])] = foot[:, jumps]
    return knots[source], each


def points_at_thresholds(
    tables: Sequence[ScoreTable], curves: Sequence[Curve], at: Array, mode: str
) -> tuple[Vector, Vector]:
    """Return each curve's point at each threshold, the first of which rejects all."""
    fpr, tpr = [], []
    reject = np.inf if tables[0].higher_is_positive else -np.inf
    for table, curve in zip(tables, map(line_of, curves), strict=True):
        row = rows_called_positive(table, at[1:], inclusive=mode == "operating")
        if mode == "literal":  # the first point whose score is not above the threshold
            row = np.minimum(row + (at[1:] != reject), len(table))
        row = np.concatenate([[0], row])
        fpr.append(curve.x[row])
        tpr.append(curve.y[row])
    return np.stack(fpr), np.stack(tpr)


def points_at_called(
    curves: Sequence[Curve], at: Vector | None, prevalence: float | None
) -> tuple[Vector, Vector, Vector]:
    """Return the shares of cases called positive, every knot unless given, and each point."""
    lines = [line_of(curve) for curve in curves]
    called = [_called(*both, prevalence) for both in zip(curves, lines, strict=True)]
    rate = np.unique(np.concatenate(called)) if at is None else at
    fpr = [np.interp(rate, x, line.x) for x, line in zip(called, lines, strict=True)]
    tpr = [np.interp(rate, x, line.y) for x, line in zip(called, lines, strict=True)]
    return rate, np.stack(fpr), np.stack(tpr)


def _called(curve: Curve, line: Line, prevalence: float | None) -> Vector:
    """Return the share of cases called positive at each point of a line."""
    if prevalence is not None:
        return prevalence * line.y + (1 - prevalence) * line.x
    if isinstance(curve, RocCurve):
        return np.asarray((curve.tp + curve.fp) / (curve.n_pos + curve.n_neg))
    msg = f"A {curve.name} has no prevalence. Pass prevalence=, the share of positive cases."
    raise ValueError(msg)


def points_at_angles(curves: Sequence[Curve], angle: Vector) -> tuple[Vector, Vector]:
    """Return where the rays from (1, 0), at angles from the fpr axis, cross each curve."""
    points = [_crossings(curve, line_of(curve), angle) for curve in curves]
    return np.stack([p[0] for p in points]), np.stack([p[1] for p in points])


def _crossings(curve: Curve, line: Line, angle: Vector) -> tuple[Vector, Vector]:
    x, y = curve.tnr if isinstance(curve, PolygonCurve) else 1 - line.x, line.y
    # Seen from (1, 0) a curve only turns clockwise; rounding must not turn it back.
    seen = np.maximum.accumulate(np.arctan2(y, x))
    i = np.clip(np.searchsorted(seen, angle, "right") - 1, 0, x.size - 2)
    sine, cosine = np.sin(angle), np.cos(angle)
    before = x[i] * sine - y[i] * cosine
    after = y[i + 1] * cosine - x[i + 1] * sine
    with np.errstate(invalid="ignore"):
        share = np.clip(np.nan_to_num(before / (before + after)), 0, 1)
    fpr = line.x[i] + share * (line.x[i + 1] - line.x[i])
    tpr = y[i] + share * (y[i + 1] - y[i])
    start, end = angle == 0, angle == np.pi / 2  # along an axis a ray can meet many points
    fpr, tpr = (np.where(end, 1.0, np.where(start, 0.0, v)) for v in (fpr, tpr))
    return fpr, tpr


def readings(method: str, tables: Sequence[ScoreTable], at: Vector) -> tuple[Vector, Vector]:
    """Read curves at rates from two neighbouring ranks: too low and too high on average.

    The negative of rank r among n, the highest first, has an expected true false positive rate of
    r / (n + 1), so rank (n + 1) f lies at f on average; a concave curve has a lower mean there than
    its value at f. Rank n f + 1, the usual reading, lies beyond f on average. Along the other axis
    the same is true with the two rates, and the two sides, exchanged.
    """
    low, high = [], []
    for table in tables:
        curve, n = roc_curve(table), table.n_eff[1]
        if method == "horizontal":
            curve, n = axes_swapped(curve), table.n_eff[0]
            below = _at_ranks(curve, n, n * at)
            low.append(np.where(n * at < 1 - _ROUND, 0.0, below))  # no case before the first
            high.append(_at_ranks(curve, n, (n + 1) * at))
        else:
            low.append(_at_ranks(curve, n, (n + 1) * at))
            above = _at_ranks(curve, n, n * at + 1)
            high.append(np.where(n * (1 - at) < 1 - _ROUND, 1.0, above))
    return np.stack(low), np.stack(high)


def _at_ranks(curve: RocCurve, n: float, rank: Vector) -> Vector:
    """Return the heights at ranks from 0 to n + 1 along the first axis, n cases wide.

    Ties of g cases are broken at random: before the l-th of them come l / (g + 1) of the tied
    cases of the other class, on average. Between ranks the heights are linear.
    """
    begin = curve.fp * (n / curve.n_neg)
    ties, rise = np.diff(begin), np.diff(curve.tpr)
    step = ties > 0
    begin, foot, ties, rise = begin[:-1][step], curve.tpr[:-1][step], ties[step], rise[step]
    first = np.minimum(1, (ties + 1) / 2)  # a weight below one case has one rank
    last = ties + 1 - first
    knots = (begin[:, None] + np.column_stack([first, last])).ravel()
    share = np.column_stack([first, last]) / (ties + 1)[:, None]
    heights = (foot[:, None] + rise[:, None] * share).ravel()
    knots = np.maximum.accumulate(np.concatenate([[0.0], knots, [n + 1]]))
    return np.asarray(np.interp(rank, knots, np.concatenate([[0.0], heights, [1.0]])))
