"""Engines that hand over their cases in batches: counted in one pass.

Grouping by score is what engines do worst where nearly every score is another: theirs takes
several passes, and a join. Polars, DuckDB and the threads of Dask work in this process and give up
their cases for nothing: they are kept while they are few enough to be counted exactly, all at once,
and counted as they come where they are more. A local session of Spark works on this machine: few
enough cases are handed over. Of workers of Dask in other processes only counts come back. What is
not a sound case of a plain kind is left to the queries of `engine`, which name what is wrong in it.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from typing import Any, TypeAlias

import narwhals.stable.v2 as nw
import numpy as np

from rocspace._base.arrays import Array
from rocspace.counts.table import ScoreTable
from rocspace.io.engine import interruptible
from rocspace.stream.tabulator import Tabulator

_ROOM = 4  # times as many rows as asked for are kept while counting, so that the last are fine
_BATCH = 1 << 20
_FLOATS = (nw.Float32, nw.Float64)

Batches: TypeAlias = Generator[tuple[Array, Array], None, None]
"""Labels and scores of some cases."""


def counted(
    frame: nw.LazyFrame[Any],
    kinds: dict[str, nw.dtypes.DType],
    higher_is_positive: bool,
    tolerance: float,
    most: tuple[int, int],
) -> tuple[ScoreTable, float | None] | None:
    """Count a frame of a label and a score; None where that is left to queries.

    `most` are the numbers of cases that are counted exactly, and of rows where there are more.
    With the table comes how far its area may be from the exact one, None where it is exact.
    """
    if not _is_plain(kinds):
        return None
    try:
        counter = _counter(frame, *most, higher_is_positive)
        if counter is None or not counter.n_cases:
            return None
        if not counter.keeps_all:
            counter.shrink(most[1])
        table, joined = counter.table(), counter.joined()
    except (ArithmeticError, ImportError, TypeError, ValueError):
        return None  # a query names the column, and the value
    if not joined.any():
        return table, None
    undecided = np.dot(table.pos[joined].astype(np.float64), table.neg[joined])
    left = float(undecided / max(float(table.n_pos) * float(table.n_neg), 1.0)) / 2
    return (table, left) if left <= tolerance else None


def _is_plain(kinds: dict[str, nw.dtypes.DType]) -> bool:
    """Whether NumPy has both types: no texts, no decimals, nothing beyond 64 bits."""
    label, score = kinds["label"], kinds["score"]
    huge = (nw.Int128, nw.UInt128)
    return (label == nw.Boolean or label.is_integer() or label in _FLOATS) and (
        (score.is_integer() or score in _FLOATS) and score not in huge and label not in huge
    )


def _counter(
    frame: nw.LazyFrame[Any], cases: int, max_rows: int, higher_is_positive: bool
) -> Tabulator | None:
    options: dict[str, Any] = {
        "max_rows": _ROOM * max_rows,
        "higher_is_positive": higher_is_positive,
    }
    kind, native = frame.implementation, frame.to_native()
    if kind.is_dask():
        return _of_parts(native, cases, options)
    if kind.is_polars() and hasattr(native, "collect_batches"):
        batches = _of_polars(native)
    elif kind.is_duckdb():
        batches = _of_duckdb(native)
    elif kind.is_pyspark() and _is_local(native.sparkSession) and native.count() <= cases:
        batches = _of_spark(frame)
    else:
        return None
    counter = Tabulator(**options)
    counter.keep(cases)
    with closing(batches):
        for label, score in batches:
            counter.update(label, score)
    return counter


def _of_polars(frame: Any) -> Batches:
    for batch in frame.collect_batches(maintain_order=False):
        label, score = (_whole(batch[name], batch[name].null_count()) for name in batch.columns)
        yield label, score


def _of_duckdb(relation: Any) -> Batches:
    read = getattr(relation, "to_arrow_reader", None) or relation.fetch_record_batch
    with interruptible(), read(_BATCH) as reader:
        for batch in reader:
            label, score = (_whole(column, column.null_count) for column in batch.columns)
            yield label, score


def _is_local(session: Any) -> bool:
    """Return whether a session of Spark has all its workers in one process, on this machine."""
    context = getattr(session, "sparkContext", None)
    return context is not None and context.master.partition("[")[0] == "local"


def _of_spark(frame: nw.LazyFrame[Any]) -> Batches:
    from py4j.protocol import Py4JError

    try:
        table = frame.collect("pyarrow").to_native()
    except Py4JError as error:
        msg = "there is more than spark.driver.maxResultSize"
        raise ValueError(msg) from error
    label, score = (_whole(column, column.null_count) for column in table.columns)
    yield label, score


def _whole(column: Any, nulls: int) -> Array:
    """Return a column of polars or Arrow as an array; a null has no place in one."""
    if nulls:
        msg = "there are nulls"
        raise ValueError(msg)
    is_arrow = hasattr(column, "type")
    return np.asarray(column.to_numpy(zero_copy_only=False) if is_arrow else column.to_numpy())


def _of_parts(frame: Any, cases: int, options: dict[str, Any]) -> Tabulator:
    """Let the workers of Dask take their parts, and merge them in pairs."""
    from dask.base import compute
    from dask.delayed import delayed

    work = [delayed(_of_part)(part, cases, options) for part in frame.to_delayed()]
    while len(work) > 1:
        pairs = [delayed(_both)(*work[i : i + 2]) for i in range(0, len(work) - 1, 2)]
        work = pairs + work[len(pairs) * 2 :]
    found: Tabulator = compute(*work)[0]  # type: ignore[no-untyped-call]
    found.threads = None
    return found


def _of_part(part: Any, cases: int, options: dict[str, Any]) -> Tabulator:
    counter = Tabulator(threads=1, **options)  # as parts are counted side by side
    counter.keep(cases)
    label, score = (part[name].to_numpy() for name in part.columns)
    counter.update(label, score)
    return counter


def _both(one: Tabulator, other: Tabulator) -> Tabulator:
    one.merge(other)
    return one
