"""Queries to an engine, as narwhals expressions: only sums, counts, minima and maxima come back.

The columns of a `Source` have our own names. Its frame is lazy; each query is one pass over the
data. The scores are put into bins by arithmetic that every engine has. Its last digit may differ
between engines: `bins` reads the range of a bin from the scores found in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from math import log
from typing import Any, cast

import narwhals.stable.v2 as nw
import numpy as np

from rocspace.io.bins import FINEST, STRETCH, Bins, Plan

CELLS = 1 << 13  # bins of equal width in the first pass
_TINIEST = 1e-300  # sizes below are not told apart by their logarithm
_INFINITE = 1 << 16  # a key beyond all others
_SAMPLED = 1 << 17
_INTERRUPTED = re.compile("(INTERRUPT Error: |Query )interrupted!?", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Complete cases in an engine: columns ``score``, ``pos``, ``neg`` and optional ones.

    There is ``group`` if there are groups; ``cases``, ``pos_w2`` and ``neg_w2`` where
    there are weights.
    """

    frame: nw.LazyFrame[Any]
    dtype: np.dtype[Any]
    weighted: bool
    grouped: bool
    low: float  # lowest and highest finite score
    high: float
    codes: dict[Any, int] = field(default_factory=dict)  # numbers of the groups met so far

    @property
    def sums(self) -> tuple[str, ...]:
        """The columns to add up."""
        weights = ("pos_w2", "neg_w2", "cases") if self.weighted else ()
        return ("pos", "neg", *weights)

    @property
    def groups(self) -> tuple[str, ...]:
        """The columns to group by, beside the score."""
        return ("group",) if self.grouped else ()


@dataclass(frozen=True, slots=True)
class Grid:
    """The number of first bins, and whether there are more where scores may be dense."""

    cells: int
    crowded: bool = False


@contextmanager
def interruptible() -> Iterator[None]:
    """Let Ctrl-C end a query of DuckDB as it ends other work: DuckDB raises an error of its own."""
    try:
        yield
    except Exception as error:
        if _INTERRUPTED.fullmatch(str(error)) is None:
            raise
        raise KeyboardInterrupt from None


def fetch(frame: nw.LazyFrame[Any]) -> dict[str, Any]:
    """Run the query; only here do data come into this process."""
    streaming: Any = {"engine": "streaming"} if frame.implementation.is_polars() else {}
    with interruptible():
        answer = frame.collect(**streaming)
    return {name: answer[name] for name in answer.columns}


def likely_scores(source: Source) -> float:
    """Estimate the number of distinct scores from the first cases; rarely too high.

    References
    ----------
    Chao (1984), a paper on this alone: a lower bound from the numbers that occur once and twice.
    """
    keys = ("score", *source.groups)
    sample = source.frame.head(_SAMPLED).group_by(*keys).agg(times=nw.len())
    answer = fetch(sample.group_by("times").agg(scores=nw.len()))
    times, scores = (np.asarray(answer[name].to_numpy()) for name in ("times", "scores"))
    once, twice = (float(scores[times == i].sum()) for i in (1, 2))
    return float(scores.sum()) + once * (once - 1) / (2 * (twice + 1))


def count_scores(source: Source, max_rows: int | None) -> Bins | None:
    """Count at each distinct score; None where there are more than `max_rows`."""
    counted = _counted(source, source.frame, "score")
    answer = fetch(counted if max_rows is None else counted.head(max_rows + 1))
    if max_rows is not None and len(answer["score"]) > max_rows:
        return None
    return _bins_of(source, answer, 0)


def count_bins(source: Source, grid: Grid) -> Bins:
    """Count in a first grid of bins."""
    return _bins_of(source, fetch(_counted(source, _with_key(source, grid), "key")), 1)


def _with_key(source: Source, grid: Grid) -> nw.LazyFrame[Any]:
    """Add the place of each score on the first grid.

    The key is a whole number that never falls as the score rises: its place among equal
    steps from the lowest score to the highest, to which, where scores are dense, are added its
    places among equal ratios from zero, up and down, and from both ends. A sum of places is as fine
    as all of them together, and bins are ranges. In IEEE arithmetic subtracting, multiplying by a
    positive number and rounding to a whole number never reverse an order; a logarithm may in its
    last digit, which `bins.certain` corrects.
    """
    x = nw.col("score").cast(nw.Float64)
    inside = x.clip(source.low, source.high)
    # Halved, the range does not overflow; stretched, its steps do not.
    scale = STRETCH if source.high / 2 - source.low / 2 < 1 / STRETCH else 0.5
    low, high = source.low * scale, source.high * scale
    place = inside * scale
    key = ((place - low) * (grid.cells / (high - low) if high > low else 0.0)).cast(nw.Int64)
    if grid.crowded:
        fineness = grid.cells / CELLS
        ratio = _folds(inside.abs(), _TINIEST, 2 * fineness)
        key = key + nw.when(inside < 0).then(-1 * ratio).otherwise(ratio)
        least = max((high - low) * 1e-17, _TINIEST)
        key = key + _folds(place - low, least, 32 * fineness)
        key = key - _folds(high - place, least, 32 * fineness)
    key = nw.when(x > source.high).then(nw.lit(_INFINITE)).otherwise(key)
    key = nw.when(x < source.low).then(nw.lit(-_INFINITE)).otherwise(key)
    return source.frame.with_columns(key=key.cast(nw.Int64))


def _folds(size: nw.Expr, least: float, fineness: float) -> nw.Expr:
    """Return the number of steps of equal ratio from the least size."""
    return ((size.clip(least, None).log() - log(least)) * fineness).cast(nw.Int64)


def count_parts(source: Source, grid: Grid, chain: list[Plan]) -> Bins:
    """Count in finer parts of some bins, without the cases of other bins.

    The chain has a plan for each depth: the last has the bins to divide, the earlier ones the bins
    of which these are parts.
    """
    frame = _with_key(source, grid)
    columns = [*source.groups, "score", *source.sums]
    sent = [_ranges(frame, plan) for plan in chain]
    for plan, ranges in zip(chain, sent, strict=True):
        score = nw.col("score")
        if source.dtype.kind == "f":
            score = score.cast(nw.Float64)
        # Whole numbers are subtracted as such: float64 skips some beyond 2**53.
        above = nw.when(score > nw.col("bin_low")).then(score - nw.col("bin_low"))
        steps = above.otherwise(nw.lit(0)).cast(nw.Float64) * nw.col("stretch") * nw.col("step")
        key = nw.col("key") * (FINEST[plan.depth] + 2) + steps.cast(nw.Int64)
        joined = frame.join(ranges, on="key", how="inner").with_columns(key=key)
        frame = joined.select(*columns, "key")  # in two steps: Ibis takes one for a longer join
    try:
        return _bins_of(source, fetch(_counted(source, frame, "key")), chain[-1].depth + 1)
    finally:
        for ranges in sent:
            _forget(source, ranges)


def _ranges(frame: nw.LazyFrame[Any], plan: Plan) -> nw.LazyFrame[Any]:
    """Give the engine the start and steps of some bins; a few thousand numbers."""
    kinds = {"f": np.float64, "i": np.int64, "u": np.int64}
    whole = plan.low.dtype == np.uint64  # the one type whose values int64 may not fit
    low = plan.low.astype(np.uint64 if whole else kinds[plan.low.dtype.kind])
    columns = {"key": plan.key, "bin_low": low, "stretch": plan.stretch, "step": plan.step}
    kind = frame.implementation
    native = frame.to_native()
    if kind.is_duckdb():
        # Only a relation made from this one is sure to share its connection. No row of it is read.
        texts = [
            f"unnest('{column.tolist()}'::{_SQL[column.dtype.kind]}[]) AS {name}"
            for name, column in columns.items()
        ]
        rows = native.limit(0).aggregate("count(*) AS nothing").project(", ".join(texts))
        return cast(nw.LazyFrame[Any], nw.from_native(rows))
    if kind.is_polars():
        return nw.from_dict(columns, backend="polars").lazy()
    if kind.is_dask():
        return nw.from_dict(columns, backend="pandas").lazy("dask")
    table = nw.from_dict(columns, backend="pyarrow")
    if kind.is_ibis():
        return table.lazy("ibis")
    if kind.is_spark_like():
        ranges = table.lazy(kind, session=native.sparkSession).to_native()
        return cast(nw.LazyFrame[Any], nw.from_native(ranges.hint("broadcast")))
    return nw.from_dict(columns, backend=kind).lazy()  # a frame in memory


def _forget(source: Source, ranges: nw.LazyFrame[Any]) -> None:
    """Drop the ranges sent to the engine; Ibis would keep them until the program ends."""
    if ranges.implementation.is_ibis():
        engine, name = source.frame.to_native().get_backend(), ranges.to_native().op().name
        with suppress(Exception):  # an interrupt may have come before it was sent
            drop = engine._make_memtable_finalizer(name)
            if drop is None:  # in DuckDB
                engine.con.unregister(name)
            else:
                drop()


_SQL = {"f": "DOUBLE", "i": "BIGINT", "u": "UBIGINT"}


def _counted(source: Source, frame: nw.LazyFrame[Any], key: str) -> nw.LazyFrame[Any]:
    score = nw.col("score")
    ends = [] if key == "score" else [score.min().alias("low"), score.max().alias("high")]
    sums = [nw.col(name).sum() for name in source.sums]
    counted = frame.group_by(*source.groups, key).agg(*ends, *sums)
    # DuckDB's sums of integers have 128 bits, which few libraries read.
    whole = ("cases",) if source.weighted else ("pos", "neg")
    return counted.with_columns(nw.col(*whole).cast(nw.Int64))


def _bins_of(source: Source, answer: dict[str, Any], depth: int) -> Bins:
    """Convert an answer to NumPy; groups become numbers in order of appearance."""
    n = len(answer["pos"])
    columns = {name: np.asarray(answer[name].to_numpy()) for name in source.sums}
    columns.setdefault("cases", columns["pos"] + columns["neg"])
    ends = ("score", "score") if depth == 0 else ("low", "high")
    low, high = (np.asarray(answer[name].to_numpy()).astype(source.dtype) for name in ends)
    group = np.zeros(n, dtype=np.int64)
    if source.grouped:
        codes = source.codes
        values = answer["group"].to_list()
        group = np.fromiter((codes.setdefault(v, len(codes)) for v in values), np.int64, n)
    key = group if depth == 0 else np.asarray(answer["key"].to_numpy())
    return Bins(
        group=group, depth=np.full(n, depth, dtype=np.int8), key=key, low=low, high=high, **columns
    )
