"""What is resampled: a table or cases, and how a statistic is computed for all replicates.

A `Run` hides the difference, so that intervals need not know it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import numpy as np

from rocspace._base.arrays import Array, Ints, Vector
from rocspace._base.checks import check_choice
from rocspace.counts.draws import pays_to_compile
from rocspace.counts.paired import PairedScores
from rocspace.counts.table import ScoreTable, SingleClassError, need, trusted
from rocspace.counts.weights import effective_size
from rocspace.curves.summaries import auc
from rocspace.inference.area import delong
from rocspace.resampling.acceleration import (
    Stratum,
    acceleration,
    acceleration_of_area,
    strata_of_table,
)
from rocspace.resampling.errors import error_pays, replicate_areas_with_errors
from rocspace.resampling.replicates import (
    CaseStatistic,
    TableStatistic,
    areas_of_counts,
    replicate,
    replicate_areas,
    replicate_cases,
    units_of,
)
from rocspace.resampling.statistics import STATISTICS, Statistic, with_error
from rocspace.results.estimates import Estimate, n_pairs_of

BootstrapScheme: TypeAlias = Literal["stratified", "unstratified", "cluster"]
Values: TypeAlias = Vector


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Run:
    """A statistic of some data, and how to compute its replicates.

    Attributes
    ----------
    name : str
        What is computed.
    value, se : ndarray of float64, shape (q,)
        The statistic on the data, and its standard error where it has one.
    single : bool
        Whether it is one number, and no array.
    values : callable
        Draws ``(n_boot, q)`` replicates.
    errors : callable, optional
        Draws ``(n_boot, 2 q)``: the same values, then standard errors.
    moderated : ndarray of float64, shape (q,), optional
        The standard error, leaning on a model's as `Estimate.interval` does. With it, and with
        `errors`, the interval of that name is the usual one.
    parts : Run, optional
        Of a difference of two such values: the run of both, for the moderated interval.
    acceleration : callable
        Computes the acceleration of each value.
    range, mean_range : tuple of float
        What values are possible; of the mean that they are.
    n : float
        How many cases, or disjoint pairs, that mean has.
    whole, width : float, optional
        For a part of an area: the whole area, and the width of the part.
    lone : str
        Which class has a single case, whose spread no replicate shows.
    origin : tuple
        The data, the statistic and the scheme, from which `run_of` made it.
    """

    name: str
    value: Values
    se: Values
    single: bool
    values: Callable[..., Values]
    errors: Callable[..., Values] | None
    moderated: Values | None = None
    parts: Run | None = None
    acceleration: Callable[[], Values]
    range: tuple[float, float]
    mean_range: tuple[float, float]
    n: float
    whole: float | None = None
    width: float = 1.0
    lone: str = ""
    origin: tuple[Any, Any, BootstrapScheme] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Prepare the run again in the other process: its functions are made of its origin."""
        return run_of, self.origin or ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Run) and self.origin == other.origin

    def __hash__(self) -> int:
        return hash(self.name)


def usual_scheme(data: Any) -> BootstrapScheme:
    """Return how cases are drawn unless one asks for something else."""
    return "stratified" if getattr(data, "cluster", None) is None else "cluster"


def run_of(data: Any, statistic: Any, scheme: BootstrapScheme) -> Run:
    """Prepare a statistic of a table or of cases."""
    run = _prepared(data, statistic, scheme)
    parts = run.parts and replace(run.parts, origin=(data, "auc", scheme))
    return replace(run, origin=(data, statistic, scheme), parts=parts)


def _prepared(data: Any, statistic: Any, scheme: BootstrapScheme) -> Run:
    check_choice("scheme", scheme, ("stratified", "unstratified", "cluster"))
    if isinstance(statistic, str):
        check_choice("statistic", statistic, tuple(STATISTICS))
        statistic = STATISTICS[statistic]
    if isinstance(data, PairedScores):
        sizes = sizes_of_cases(data, scheme)
        if not all(sizes):
            need("bootstrap", data.table(data.names[0]))
        if isinstance(statistic, Statistic):
            return _known_of_cases(data, statistic, scheme, sizes)
        return _called_on_cases(data, statistic, scheme, sizes)
    need("bootstrap", data)
    if scheme == "cluster":
        msg = (
            "A table no longer knows its clusters. Give pair_scores(..., cluster=...) to "
            'resample whole clusters, or use scheme="stratified".'
        )
        raise ValueError(msg)
    if isinstance(statistic, Statistic):
        return _known_of_table(data, statistic, scheme)
    return _called_on_table(data, statistic, scheme)


def _size(rests_on: str, sizes: tuple[float, float]) -> float:
    return {"pairs": min(sizes), "positives": sizes[0], "negatives": sizes[1]}[rests_on]


def _lone(sizes: tuple[float, float], scheme: str) -> str:
    if scheme != "stratified":
        return ""
    names = zip(("positive", "negative"), sizes, strict=True)
    return " and ".join(f"one {name} only" for name, size in names if size <= 1)


# --- tables -----------------------------------------------------------------------------------


def _known_of_table(table: ScoreTable, statistic: Statistic, scheme: BootstrapScheme) -> Run:
    if statistic.contrast:
        msg = f"{statistic.name} compares two scores: give pair_scores(...) with two columns."
        raise TypeError(msg)
    function = statistic.values(table)
    with_se = statistic.with_se(table) if statistic.with_se else None
    whole_area = statistic.name == "auc"

    def values(**options: Any) -> Values:
        if whole_area:
            return replicate_areas(table, scheme=scheme, **options)[:, np.newaxis]
        return replicate(table, function, scheme=scheme, **options)

    errors, moderated = None, None
    if whole_area:
        moderated = np.array([delong(table)._moderated_se()])

        def errors(**options: Any) -> Values:
            return replicate_areas_with_errors(table, scheme=scheme, **options)
    elif with_se is not None:
        known = with_se

        def errors(**options: Any) -> Values:
            return replicate(table, known, scheme=scheme, **options)

    pos, neg = (x[np.newaxis].astype(np.float64) for x in (table.pos, table.neg))
    value = np.array([auc(table)]) if whole_area else function(pos, neg)[0]
    se = with_se(pos, neg)[0][1:] if with_se else np.full(value.size, np.nan)

    def skewness() -> Values:
        if statistic.part is not None:
            area = value[0]
            if not whole_area:  # undo the standardisation
                low, high = statistic.part[1:]
                area = _raw_area(statistic, area, high - low)
            return acceleration_of_area(table, area, statistic.part)
        return _acceleration_of_table(table, function, scheme)

    sizes = table.n_eff
    return Run(
        name=statistic.name,
        value=value,
        se=se,
        single=value.size == 1,
        values=values,
        errors=errors,
        moderated=moderated,
        acceleration=skewness,
        range=statistic.range,
        mean_range=statistic.mean_range or statistic.range,
        n=_size(statistic.rests_on, sizes),
        whole=auc(table) if statistic.part and not whole_area else None,
        width=statistic.part[2] - statistic.part[1] if statistic.part else 1.0,
        lone=_lone(sizes, scheme),
    )


def _raw_area(statistic: Statistic, value: float, width: float) -> float:
    """Map a standardised area to the raw one: both reach from end to end of their ranges."""
    low, high = statistic.range
    return (value - low) / (high - low) * width


def _acceleration_of_table(table: ScoreTable, function: TableStatistic, scheme: str) -> Values:
    k = len(table)
    base = np.concatenate([table.pos, table.neg])
    strata = strata_of_table(table, scheme)
    return acceleration(lambda both: function(both[:, :k], both[:, k:]), base, strata)


def _called_on_table(
    table: ScoreTable, statistic: Callable[[ScoreTable], Any], scheme: BootstrapScheme
) -> Run:
    first = _Answer.of(statistic(table))

    def function(pos: Array, neg: Array) -> Values:
        rows = np.full((len(pos), first.columns), np.nan)
        for i, (p, q) in enumerate(zip(pos, neg, strict=True)):
            kept = (p > 0) | (q > 0)
            if p.any() and q.any():
                one = replace(table, score=table.score[kept], pos=p[kept], neg=q[kept])
                rows[i] = first.like(statistic, one)
        return rows

    def both(**options: Any) -> Values:
        return replicate(table, function, scheme=scheme, **options)

    sizes = table.n_eff

    def skewness() -> Values:
        return _acceleration_of_table(table, function, scheme)[: first.value.size]

    return first.run(statistic, both, skewness, _lone(sizes, scheme))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    """What a function of the user returns: a number, an array, or an `Estimate`."""

    value: Values
    se: Values | None
    single: bool
    estimate: Estimate | None = None

    @staticmethod
    def of(found: Any) -> _Answer:
        if isinstance(found, Estimate):
            value, se = np.array([found.value]), np.array([found.se])
            return _Answer(value=value, se=se, single=True, estimate=found)
        value = np.asarray(found, dtype=np.float64)
        if value.ndim > 1 or not value.size:
            msg = (
                f"The statistic gave an array of shape {value.shape}, but must give a number, "
                "an array of one dimension, or an Estimate."
            )
            raise ValueError(msg)
        return _Answer(value=value.reshape(-1), se=None, single=value.ndim == 0)

    @property
    def columns(self) -> int:
        return self.value.size * (1 if self.se is None else 2)

    def like(self, statistic: Callable[[Any], Any], data: Any) -> Values:
        """Ask for another answer of this shape; nan where a class is too small for it."""
        try:
            found = _Answer.of(statistic(data))
        except SingleClassError:
            return np.full(self.columns, np.nan)
        if found.columns != self.columns:
            msg = (
                f"The statistic gave {found.value.size} numbers for a replicate, but "
                f"{self.value.size} for the data: it must always give as many."
            )
            raise ValueError(msg)
        return found.value if found.se is None else np.concatenate([found.value, found.se])

    def run(
        self,
        statistic: Callable[[Any], Any],
        both: Callable[..., Values],
        skewness: Callable[[], Values],
        lone: str,
    ) -> Run:
        def values(**options: Any) -> Values:
            return both(**options)[:, : self.value.size]

        known = self.estimate
        limits = (-np.inf, np.inf) if known is None else known.range
        return Run(
            name=getattr(statistic, "__name__", type(statistic).__name__),
            value=self.value,
            se=np.full(self.value.size, np.nan) if self.se is None else self.se,
            single=self.single,
            values=values,
            errors=None if self.se is None else both,
            moderated=(
                None
                if known is None or not np.isfinite(limits).all()
                else np.array([known._moderated_se()])
            ),
            acceleration=skewness,
            range=limits,
            mean_range=limits,
            n=0.0 if known is None else n_pairs_of(known),
            whole=getattr(known, "whole", None),
            width=limits[1] - limits[0],
            lone=lone,
        )


# --- cases ------------------------------------------------------------------------------------


class _Column:
    """One of the scores, its cases sorted once."""

    def __init__(self, data: PairedScores, j: int) -> None:
        order = np.argsort(data.score[:, j], kind="stable")
        self.order = order[::-1].copy() if data.rises(j) else order
        score = data.score[self.order, j]
        self.starts = np.flatnonzero(np.append(np.True_, score[1:] != score[:-1]))
        self.last = np.append(score[1:] != score[:-1], np.True_)
        self.positive = data.label[self.order]
        ones = np.ones((1, len(data)))
        pos, neg = self.counts(ones)
        self.table = trusted(score[self.starts], pos[0], neg[0], higher_is_positive=data.rises(j))

    def counts(self, weight: Values) -> tuple[Values, Values]:
        """Add up the weights of shape (b, n) by row and class."""
        sorted_weight = weight[:, self.order]
        pos, neg = (
            np.add.reduceat(np.where(own, sorted_weight, 0.0), self.starts, axis=1)
            for own in (self.positive, ~self.positive)
        )
        return pos, neg

    def areas(self, weight: Values, *, compiled: bool) -> Values:
        if not compiled:
            return areas_of_counts(*self.counts(weight))
        from rocspace._kernels.draws import areas_of_cases

        out = np.empty(len(weight))
        areas_of_cases(weight, self.order, self.positive, self.last, out)
        return out

    def areas_with_errors(self, times: Values) -> Values:
        from rocspace._kernels.errors import errors_of_cases

        out = np.empty((len(times), 2))
        errors_of_cases(times, self.order, self.positive, self.last, out)
        return out


def sizes_of_cases(data: PairedScores, scheme: str) -> tuple[float, float]:
    """Return how many positives and negatives there are: effective ones, or clusters."""
    sizes = []
    for own in (data.label, ~data.label):
        if scheme == "cluster" and data.cluster is not None:
            sizes.append(float(np.unique(data.cluster[own]).size))
        elif data.weight is None:
            sizes.append(float(np.count_nonzero(own)))
        else:
            sizes.append(effective_size(data.weight[own]))
    return sizes[0], sizes[1]


def _acceleration_of_cases(data: PairedScores, function: CaseStatistic, scheme: str) -> Values:
    strata = [
        Stratum(cell=members, unit=unit, count=np.ones(members.size, dtype=np.int64))
        for members, unit in units_of(data, scheme)
    ]
    return acceleration(function, np.ones(len(data)), strata)


def _errors_of_cases(
    data: PairedScores, statistic: Statistic, scheme: BootstrapScheme, columns: list[_Column]
) -> tuple[Callable[..., Values], Values, Values | None] | None:
    """Return what draws values with errors, the errors on the data, and the moderated ones."""
    if statistic.with_se is None:
        return None
    known = [statistic.with_se(column.table) for column in columns]
    is_area = statistic.name == "auc"

    def with_se(times: Values, *, compiled: bool = False) -> Values:
        pairs = [
            with_error(
                column.areas_with_errors(times)
                if is_area and compiled
                else of(*column.counts(times))
            )
            for of, column in zip(known, columns, strict=True)
        ]
        return np.hstack([v for v, _ in pairs] + [e for _, e in pairs])

    def errors(*, n_boot: int, **options: Any) -> Values:
        worth = error_pays(len(data) * n_boot)

        def some(times: Values) -> Values:
            return with_se(times, compiled=worth)

        return replicate_cases(data, some, n_boot=n_boot, scheme=scheme, **options)

    se = with_error(with_se(np.ones((1, len(data)))))[1][0]
    moderated = None
    if is_area:
        moderated = np.array([delong(column.table)._moderated_se() for column in columns])
    return errors, se, moderated


def _known_of_cases(
    data: PairedScores,
    statistic: Statistic,
    scheme: BootstrapScheme,
    sizes: tuple[float, float],
) -> Run:
    if statistic.contrast and len(data.names) != 2:
        msg = f"{statistic.name} needs two scores, but here are {len(data.names)}."
        raise ValueError(msg)
    columns = [_Column(data, j) for j in range(len(data.names))]
    bound = [statistic.values(column.table) for column in columns]
    is_area = statistic.name.removeprefix("difference of ") == "auc"

    def function(times: Values, *, compiled: bool = False) -> Values:
        weight = times if data.weight is None else times * data.weight
        if is_area:
            found = [column.areas(weight, compiled=compiled)[:, np.newaxis] for column in columns]
        else:
            found = [of(*column.counts(weight)) for of, column in zip(bound, columns, strict=True)]
        return found[0] - found[1] if statistic.contrast else np.hstack(found)

    def values(*, n_boot: int, **options: Any) -> Values:
        worth = pays_to_compile(len(data) * n_boot)

        def some(times: Values) -> Values:
            return function(times, compiled=worth)

        return replicate_cases(data, some, n_boot=n_boot, scheme=scheme, **options)

    plain = data.weight is None and scheme != "cluster"
    parts = None
    if statistic.contrast and is_area and plain:
        parts = _known_of_cases(data, STATISTICS["auc"], scheme, sizes)
    known = _errors_of_cases(data, statistic, scheme, columns) if plain else None
    errors, se, moderated = known or (None, None, None)
    value = function(np.ones((1, len(data))))[0]
    return Run(
        name=statistic.name,
        value=value,
        se=np.full(value.size, np.nan) if se is None else se,
        single=value.size == 1,
        values=values,
        errors=errors,
        moderated=moderated,
        parts=parts,
        acceleration=lambda: _acceleration_of_cases(data, function, scheme),
        range=statistic.range,
        mean_range=statistic.mean_range or statistic.range,
        n=_size(statistic.rests_on, sizes),
        lone=_lone(sizes, scheme),
    )


def _called_on_cases(
    data: PairedScores,
    statistic: Callable[[PairedScores], Any],
    scheme: BootstrapScheme,
    sizes: tuple[float, float],
) -> Run:
    first = _Answer.of(statistic(data))

    def function(times: Values) -> Values:
        rows = np.full((len(times), first.columns), np.nan)
        for i, often in enumerate(times.astype(np.int64)):
            chosen = np.repeat(np.arange(len(data)), often)
            label = data.label[chosen]
            if label.any() and not label.all():
                rows[i] = first.like(statistic, _repeated(data, chosen, often, scheme))
        return rows

    def both(**options: Any) -> Values:
        return replicate_cases(data, function, scheme=scheme, **options)

    def skewness() -> Values:
        return _acceleration_of_cases(data, function, scheme)[: first.value.size]

    return first.run(statistic, both, skewness, _lone(sizes, scheme))


def _repeated(data: PairedScores, chosen: Ints, often: Ints, scheme: str) -> PairedScores:
    """Return the cases drawn; a cluster drawn twice is two clusters."""
    cluster = None
    if data.cluster is not None:
        cluster = data.cluster[chosen]
        if scheme == "cluster":
            copy = np.arange(chosen.size) - np.repeat(np.cumsum(often) - often, often)
            cluster = cluster + copy * (int(data.cluster.max()) + 1)
    return replace(
        data,
        label=data.label[chosen],
        score=data.score[chosen],
        weight=None if data.weight is None else data.weight[chosen],
        cluster=cluster,
    )
