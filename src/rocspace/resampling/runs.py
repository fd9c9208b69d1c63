"""Prepared runs of the bootstrap: a statistic of a table or of cases, and how to resample it.

Intervals treat all `Run` objects alike, whatever they resample.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, TypeAlias

import numpy as np

from rocspace._base.arrays import Array, Vector
from rocspace._base.checks import check_choice
from rocspace.counts.draws import pays_to_compile
from rocspace.counts.paired import PairedScores
from rocspace.counts.table import ScoreTable, SingleClassError, need, recounted, trusted
from rocspace.counts.weights import effective_size
from rocspace.curves.summaries import auc
from rocspace.inference.area import delong
from rocspace.resampling.acceleration import (
    LeftOut,
    Stratum,
    left_out,
    left_out_of_area,
    strata_of_table,
)
from rocspace.resampling.errors import error_pays, loops_agree, replicate_areas
from rocspace.resampling.replicates import (
    CaseStatistic,
    TableStatistic,
    replicate,
    replicate_cases,
    units_of,
)
from rocspace.resampling.statistics import STATISTICS, Statistic, named
from rocspace.resampling.unseen import (
    Unseen,
    exchanged,
    lacking_share,
    lacking_share_of_cases,
    replicate_unseen,
    replicate_unseen_cases,
)
from rocspace.results.estimates import Estimate, n_pairs_of
from rocspace.results.interval import Interval

BootstrapScheme: TypeAlias = Literal["stratified", "unstratified", "cluster"]


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
        Whether the statistic is a single number, not an array.
    draw : callable
        Draws ``(n_boot, q)`` replicates, or ``(n_boot, 2 q)``: replicates, then standard errors.
    moderated : ndarray of float64, shape (q,), optional
        The moderated standard error, combined with that of a model as in `Estimate.interval`. If
        given, the default interval is "moderated".
    parts : Run, optional
        For a difference of two such values: the run of both, for the moderated interval.
    left_out : callable
        Computes the values without each case.
    unseen : Unseen
        Draws replicates with unseen cases, and tells whether they matter.
    range, mean_range : tuple of float
        The range of possible values, and the range of the mean that the statistic is.
    n : float
        Number of cases, or disjoint pairs, that this mean is taken over.
    whole, width : float, optional
        For a partial area: the whole area, and the width of the part.
    limits : tuple of callable
        Functions of the level that return the default interval: one for each value, or none.
    lone : str
        The class that has a single case, so that replicates show no variance within it.
    origin : tuple
        The data, the statistic and the scheme, from which `run_of` made it.
    """

    name: str
    value: Vector
    se: Vector
    single: bool
    draw: Callable[..., Vector]
    moderated: Vector | None = None
    parts: Run | None = None
    left_out: Callable[[], LeftOut]
    unseen: Unseen
    range: tuple[float, float]
    mean_range: tuple[float, float]
    n: float
    whole: float | None = None
    width: float = 1.0
    limits: tuple[Callable[..., Interval], ...] = ()
    lone: str = ""
    origin: tuple[Any, Any, BootstrapScheme] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Rebuild the run from its origin when unpickled: its functions do not pickle."""
        return run_of, self.origin or ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Run) and self.origin == other.origin

    def __hash__(self) -> int:
        return hash(self.name)


def usual_scheme(data: Any) -> BootstrapScheme:
    """Return the default resampling scheme of the data."""
    return "stratified" if getattr(data, "cluster", None) is None else "cluster"


def run_of(data: Any, statistic: Any, scheme: BootstrapScheme) -> Run:
    """Prepare a statistic of a table or of cases."""
    run = _prepared(data, statistic, scheme)
    parts = run.parts and replace(run.parts, origin=(data, "auc", scheme))
    return replace(run, origin=(data, statistic, scheme), parts=parts)


def _prepared(data: Any, statistic: Any, scheme: BootstrapScheme) -> Run:
    check_choice("scheme", scheme, ("stratified", "unstratified", "cluster"))
    if isinstance(statistic, str):
        statistic = named(statistic)
    if not isinstance(statistic, Statistic):
        _check_called(statistic, "data" if isinstance(data, PairedScores) else "table")
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


def _check_called(statistic: Any, what: str) -> None:
    """Raise if a statistic of one's own is not a function of a table, or of cases, alone."""
    try:
        inspect.signature(statistic).bind(None)
    except ValueError:
        return  # which has no signature
    except TypeError:
        wrong = "takes other arguments" if callable(statistic) else "is not a function"
        msg = (
            f"statistic {wrong}, but is called with the {what}: say bootstrap({what}, "
            f'lambda {what}: ...), or name one, such as "auc".'
        )
        raise TypeError(msg) from None


def _lone(sizes: tuple[float, float], scheme: str) -> str:
    if scheme != "stratified":
        return ""
    names = zip(("positive", "negative"), sizes, strict=True)
    return " and ".join(f"one {name} only" for name, size in names if size <= 1)


# --- known statistics -------------------------------------------------------------------------


def _known(
    statistic: Statistic, value: Vector, sizes: tuple[float, float], scheme: str, **more: Any
) -> Run:
    """Make the run of a statistic whose range is known; `more` contains the other fields."""
    rests_on = {"pairs": min(sizes), "positives": sizes[0], "negatives": sizes[1]}
    fields: dict[str, Any] = {
        "name": statistic.name,
        "value": value,
        "se": np.full(value.size, np.nan),
        "single": value.size == 1,
        "range": statistic.range,
        "mean_range": statistic.mean_range or statistic.range,
        "n": rests_on[statistic.rests_on],
        "lone": _lone(sizes, scheme),
    }
    return Run(**(fields | more))


def _limits(
    statistic: Statistic, tables: Sequence[ScoreTable]
) -> tuple[Callable[..., Interval], ...]:
    """Return, for each table, the default interval of a statistic whose replicates mislead."""
    of = statistic.limits
    return tuple(partial(each, table) for table in tables for each in of)


def _limits_of_cases(
    data: PairedScores, statistic: Statistic, scheme: BootstrapScheme
) -> tuple[Callable[..., Interval], ...]:
    """Return `_limits` of each score; of clusters and of weighted cases only areas have them."""
    if scheme == "cluster":
        of = statistic.clustered
        return tuple(partial(of, data, name) for name in data.names) if of else ()
    if data.weight is not None and statistic.part is None:
        return ()
    return _limits(statistic, [data.table(name) for name in data.names])


def _known_of_table(table: ScoreTable, statistic: Statistic, scheme: BootstrapScheme) -> Run:
    if statistic.contrast:
        msg = f"{statistic.name} compares two scores: give pair_scores(...) with two columns."
        raise TypeError(msg)
    function = (statistic.with_se or statistic.values)(table)
    is_area = statistic.name == "auc"
    part = statistic.part
    found = function(*(x[np.newaxis].astype(np.float64) for x in (table.pos, table.neg)))[0]
    many = found.size // 2 if statistic.with_se else found.size
    value = np.array([auc(table)]) if is_area else found[:many]

    def draw(**options: Any) -> Vector:
        if is_area:
            return replicate_areas(table, scheme=scheme, **options)
        return replicate(table, function, scheme=scheme, **options)

    def without() -> LeftOut:
        if part is None:
            return _left_out_of_table(table, statistic.values(table), scheme)
        low, high = statistic.range  # for a standardised area, the range of the raw area
        raw = value[0] if is_area else (value[0] - low) / (high - low) * (part[2] - part[1])
        return left_out_of_area(table, raw, part)

    return _known(
        statistic,
        value,
        table.n_eff,
        scheme,
        se=found[many:] if statistic.with_se else np.full(many, np.nan),
        draw=draw,
        moderated=np.array([delong(table)._moderated_se()]) if is_area else None,
        left_out=without,
        unseen=_unseen_of_table(table, statistic.values(table), scheme),
        whole=auc(table) if part and not is_area else None,
        width=part[2] - part[1] if part else 1.0,
        limits=_limits(statistic, [table]),
    )


def _known_of_cases(
    data: PairedScores, statistic: Statistic, scheme: BootstrapScheme, sizes: tuple[float, float]
) -> Run:
    if statistic.contrast and len(data.names) != 2:
        msg = f"{statistic.name} needs two scores, but here are {len(data.names)}."
        raise ValueError(msg)
    plain = data.weight is None and scheme != "cluster"
    is_area = _is_area(statistic)
    with_se = statistic.with_se if plain else None
    columns = _columns(data)
    function = _of_columns(data, columns, statistic, with_se)

    def draw(*, n_boot: int, **options: Any) -> Vector:
        pays = error_pays if with_se else pays_to_compile
        compiled = pays(len(data) * n_boot) or (data.weight is None and loops_agree(len(data)))
        some = partial(function, compiled=compiled)
        return replicate_cases(data, some, n_boot=n_boot, scheme=scheme, **options)

    found = function(np.ones((1, len(data))))[0]
    value, se = np.split(found, 2) if with_se else (found, np.full(found.size, np.nan))
    parts, moderated = None, None
    if is_area and plain:
        if statistic.contrast:
            parts = _known_of_cases(data, STATISTICS["auc"], scheme, sizes)
        else:
            moderated = np.array([delong(column.table)._moderated_se() for column in columns])
    return _known(
        statistic,
        value,
        sizes,
        scheme,
        se=se,
        draw=draw,
        moderated=moderated,
        parts=parts,
        limits=_limits_of_cases(data, statistic, scheme),
        left_out=lambda: _left_out_of_cases(data, function, scheme).first(value.size),
        unseen=_unseen_of_cases(
            data, lambda both: _of_columns(both, _columns(both), statistic), scheme
        ),
    )


def _columns(data: PairedScores) -> list[ScoreColumn]:
    """Return the scores, each with its cases sorted."""
    return [ScoreColumn(data, j) for j in range(len(data.names))]


def _of_columns(
    data: PairedScores,
    columns: list[ScoreColumn],
    statistic: Statistic,
    with_se: Callable[..., Any] | None = None,
) -> Callable[..., Vector]:
    """Make a function of how often cases were drawn that returns the values of all scores."""
    is_area = _is_area(statistic)
    bound = [(with_se or statistic.values)(column.table) for column in columns]

    def function(times: Vector, *, compiled: bool = False) -> Vector:
        weight = times if data.weight is None else times * data.weight
        found = [
            column.areas(weight, errors=with_se is not None)
            if is_area and compiled
            else of(*column.counts(weight))
            for of, column in zip(bound, columns, strict=True)
        ]
        if statistic.contrast:
            return found[0] - found[1]
        q = found[0].shape[1] // (2 if with_se else 1)
        return np.hstack([each[:, :q] for each in found] + [each[:, q:] for each in found])

    return function


def _is_area(statistic: Statistic) -> bool:
    return statistic.name.removeprefix("difference of ") == "auc"


class ScoreColumn:
    """One of the scores, its cases sorted once."""

    def __init__(self, data: PairedScores, j: int) -> None:
        order = np.argsort(data.score[:, j], kind="stable")
        rises = data.rises(data.names[j])
        self.order = order[::-1].copy() if rises else order
        score = data.score[self.order, j]
        self.starts = np.flatnonzero(np.append(np.True_, score[1:] != score[:-1]))
        self.last = np.append(score[1:] != score[:-1], np.True_)
        self.positive = data.label[self.order]
        self.whole = data.weight is None  # so that sums are exact in any order
        pos, neg = self.counts(np.ones((1, len(data))))
        self.table = trusted(score[self.starts], pos[0], neg[0], higher_is_positive=rises)

    def counts(self, weight: Vector) -> tuple[Vector, Vector]:
        """Add up the weights of shape (b, n) by row and class."""
        if self.whole and loops_agree(self.order.size):
            from rocspace._kernels.draws import count_by_class

            out = np.zeros((2, len(weight), self.starts.size))
            count_by_class(weight, self.order, self.positive, self.last, out)
            return out[0], out[1]
        sorted_weight = weight[:, self.order]
        pos, neg = (
            np.add.reduceat(np.where(own, sorted_weight, 0.0), self.starts, axis=1)
            for own in (self.positive, ~self.positive)
        )
        return pos, neg

    def areas(self, weight: Vector, *, errors: bool) -> Vector:
        """Return areas of replicates by compiled loops, with standard errors if requested."""
        from rocspace._kernels.draws import areas_of_cases
        from rocspace._kernels.errors import errors_of_cases

        out = np.empty((len(weight), 2 if errors else 1))
        compute, room = (errors_of_cases, out) if errors else (areas_of_cases, out[:, 0])
        compute(weight, self.order, self.positive, self.last, room)
        return out


def sizes_of_cases(data: PairedScores, scheme: str) -> tuple[float, float]:
    """Return the numbers of positives and negatives: effective cases, or clusters."""
    sizes = []
    for own in (data.label, ~data.label):
        if scheme == "cluster" and data.cluster is not None:
            sizes.append(float(np.unique(data.cluster[own]).size))
        else:
            sizes.append(effective_size(data.case_weight[own]))
    return sizes[0], sizes[1]


def _left_out_of_table(table: ScoreTable, function: TableStatistic, scheme: str) -> LeftOut:
    k = len(table)
    base = np.concatenate([table.pos, table.neg])
    strata = strata_of_table(table, scheme)
    return left_out(lambda both: function(both[:, :k], both[:, k:]), base, strata)


def _left_out_of_cases(data: PairedScores, function: CaseStatistic, scheme: str) -> LeftOut:
    strata = [
        Stratum(cell=members, unit=unit, count=np.ones(members.size, dtype=np.int64))
        for members, unit in units_of(data, scheme)
    ]
    return left_out(function, np.ones(len(data)), strata)


# --- unseen cases -----------------------------------------------------------------------------


def _unseen_of_table(
    table: ScoreTable, function: TableStatistic, scheme: BootstrapScheme
) -> Unseen:
    draw = partial(replicate_unseen, table, function, scheme=scheme)
    return Unseen(share=partial(lacking_share, table.pos, table.neg), draw=draw)


def _unseen_of_cases(
    data: PairedScores, made: Callable[[PairedScores], CaseStatistic], scheme: BootstrapScheme
) -> Unseen:
    """Return what is unseen; `made` makes the function of the cases and their doubles."""

    def draw(**options: Any) -> Vector:
        return replicate_unseen_cases(data, made(exchanged(data)), scheme=scheme, **options)

    return Unseen(share=partial(lacking_share_of_cases, data, scheme), draw=draw)


# --- functions of the user --------------------------------------------------------------------


def _called_on_table(
    table: ScoreTable, statistic: Callable[[ScoreTable], Any], scheme: BootstrapScheme
) -> Run:
    def drawn(pos: Array, neg: Array) -> ScoreTable | None:
        return recounted(table, pos, neg) if pos.any() and neg.any() else None

    first = _Answer.of(statistic(table))
    function = partial(first.rows, statistic, drawn)
    draw = partial(replicate, table, function, scheme=scheme)
    left = partial(_left_out_of_table, table, function, scheme)
    unseen = _unseen_of_table(table, function, scheme)
    return first.run(statistic, draw, left, unseen, _lone(table.n_eff, scheme))


def _called_on_cases(
    data: PairedScores,
    statistic: Callable[[PairedScores], Any],
    scheme: BootstrapScheme,
    sizes: tuple[float, float],
) -> Run:
    first = _Answer.of(statistic(data))

    def of(cases: PairedScores) -> CaseStatistic:
        return partial(first.rows, statistic, partial(_repeated, cases, scheme))

    function = of(data)
    draw = partial(replicate_cases, data, function, scheme=scheme)
    left = partial(_left_out_of_cases, data, function, scheme)
    unseen = _unseen_of_cases(data, of, scheme)
    return first.run(statistic, draw, left, unseen, _lone(sizes, scheme))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    """What a function of the user returns: a number, an array, or an `Estimate`."""

    value: Vector
    se: Vector | None
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

    def like(self, statistic: Callable[[Any], Any], data: Any) -> Vector:
        """Call the function on other data and check the shape; nan if a class is too small."""
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

    def rows(
        self, statistic: Callable[[Any], Any], drawn: Callable[..., Any], *counts: Array
    ) -> Vector:
        """Call the function on many replicates, which `drawn` makes from counts."""
        found = np.full((len(counts[0]), self.columns), np.nan)
        for i, one in enumerate(zip(*counts, strict=True)):
            if (data := drawn(*one)) is not None:
                found[i] = self.like(statistic, data)
        return found

    def run(
        self,
        statistic: Callable[[Any], Any],
        draw: Callable[..., Vector],
        left: Callable[[], LeftOut],
        unseen: Unseen,
        lone: str,
    ) -> Run:
        known, q = self.estimate, self.value.size
        limits = (-np.inf, np.inf) if known is None else known.range
        moderated = None
        if known is not None and np.isfinite(limits).all():
            moderated = np.array([known._moderated_se()])
        enough = known is not None and known._usual_scale() == "unseen"
        return Run(
            name=getattr(statistic, "__name__", type(statistic).__name__),
            value=self.value,
            se=np.full(q, np.nan) if self.se is None else self.se,
            single=self.single,
            draw=draw,
            moderated=moderated,
            left_out=lambda: left().first(q),
            unseen=unseen,
            range=limits,
            mean_range=limits,
            n=0.0 if known is None else n_pairs_of(known),
            whole=getattr(known, "whole", None),
            width=limits[1] - limits[0],
            limits=(known.interval,) if known is not None and enough else (),
            lone=lone,
        )


def _repeated(data: PairedScores, scheme: str, times: Vector) -> PairedScores | None:
    """Return the cases drawn, None if they lack a class; a cluster drawn twice is two clusters."""
    often = times.astype(np.int64)
    chosen = np.repeat(np.arange(len(data)), often)
    label = data.label[chosen]
    if label.all() or not label.any():
        return None
    cluster = None
    if data.cluster is not None:
        cluster = data.cluster[chosen]
        if scheme == "cluster":
            copy = np.arange(chosen.size) - np.repeat(np.cumsum(often) - often, often)
            cluster = cluster + copy * (int(data.cluster.max()) + 1)
    return replace(
        data,
        label=label,
        score=data.score[chosen],
        weight=None if data.weight is None else data.weight[chosen],
        cluster=cluster,
    )
