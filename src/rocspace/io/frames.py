"""Tables from any data frame, and back: the engine that has the data counts them.

`tabulate_frame` takes pandas and polars frames, pyarrow tables, and lazily polars, DuckDB,
Dask, Spark and Ibis. A frame in memory is counted here, and so are the batches of lazy polars,
DuckDB and Dask, as `batches` says. Another engine is asked to group by score;
where there are too many distinct scores to fetch, it puts them into bins, coarse ones first and
finer ones where positives and negatives mix, until the area is certain to the tolerance.
Only counts, and the lowest and highest score of each, leave the engine.
"""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from typing import Any, overload

import narwhals.stable.v2 as nw
import numpy as np
from narwhals.exceptions import DuplicateError

from rocspace._base import checks
from rocspace._base.calls import explained
from rocspace._base.cases import (
    MissingPolicy,
    as_kind,
    check_cases,
    check_labels,
    check_weights,
    not_told_apart,
)
from rocspace._base.frozen import Backend, Result
from rocspace._base.progress import Elapsed
from rocspace._base.text import brief, general
from rocspace._base.words import counted, nearest, shown, warn
from rocspace.counts.rows import Rows, count_rows
from rocspace.counts.table import ScoreTable, table_of
from rocspace.io import batches, engine
from rocspace.io.bins import Bins, Plan, ancestors, certain, crowded, error, plan, replaced
from rocspace.io.engine import Grid, Source

_ROUNDS = 12
_MOST_ROWS = 1 << 20
_KEPT = 1 << 24  # cases, of 9 to 16 bytes, that engines of this process may give
_NEARLY = 1.25  # an estimate up to this many times max_rows is checked by counting
_LABELS = 1000  # distinct labels that a message may list


@overload
def tabulate_frame(
    frame: Any,
    *,
    label: str,
    score: str,
    weight: str | None = None,
    by: None = None,
    pos_label: object = None,
    higher_is_positive: bool = True,
    missing: MissingPolicy = "raise",
    tolerance: float = 1e-6,
    max_rows: int | None = None,
    progress: bool | None = None,
) -> ScoreTable: ...
@overload
def tabulate_frame(
    frame: Any,
    *,
    label: str,
    score: str,
    weight: str | None = None,
    by: str,
    pos_label: object = None,
    higher_is_positive: bool = True,
    missing: MissingPolicy = "raise",
    tolerance: float = 1e-6,
    max_rows: int | None = None,
    progress: bool | None = None,
) -> dict[Any, ScoreTable]: ...
@explained
def tabulate_frame(
    frame: Any,
    *,
    label: str,
    score: str,
    weight: str | None = None,
    by: str | None = None,
    pos_label: object = None,
    higher_is_positive: bool = True,
    missing: MissingPolicy = "raise",
    tolerance: float = 1e-6,
    max_rows: int | None = None,
    progress: bool | None = None,
) -> ScoreTable | dict[Any, ScoreTable]:
    """Count positives and negatives at each distinct score of a data frame.

    Parameters
    ----------
    frame : data frame
        pandas, polars (eager or lazy), a pyarrow table, a DuckDB relation, a Dask, Spark or
        Ibis frame, or any other that narwhals supports.
    label, score : str
        The columns of labels and of scores.
    weight : str, optional
        The column of case weights.
    by : str, optional
        A column of groups: the result is then a table for each of its values.
    pos_label, higher_is_positive, missing
        As for `rocspace.tabulate`.
    tolerance : float, default 1e-6
        How far `auc` of a table may be from the exact area, where there are more than
        `max_rows` distinct scores.
    max_rows : int, optional
        Rows that may come from an engine, those of all groups together; by default 1,048,576. But
        by default an engine that works in this process (polars, DuckDB, threads of Dask), or on
        this machine (a local session of Spark), may give 16,777,216 cases, which are counted
        exactly. A frame in memory has no limit and is counted exactly.
    progress : bool, optional
        Whether to show which pass the engine is at, and for how long; by default where
        standard error is a terminal. Nothing is shown in the first two seconds.

    Returns
    -------
    ScoreTable, or dict of group to ScoreTable
        Exact where the distinct scores fit. Otherwise a row may stand for all scores
        between two that occur, of which it carries the least positive one: its points lie
        on the exact curve, and the bounds of `rocspace.auc_bounds` contain the exact area.
        With `by`, a dict in the order of the groups.

    Raises
    ------
    ValueError
        If a column does not exist, labels are ambiguous, something is missing, a weight is
        negative or infinite, there are more groups than `max_rows` allows, or the frame
        changes while it is counted.
    TypeError
        If `frame` is not a data frame, or the scores are not numbers.

    Warns
    -----
    UserWarning
        If cases are omitted, if rows stand for several scores, or if the tolerance is not reached
        with `max_rows`.

    Notes
    -----
    Cases of lazy polars, DuckDB and threads of Dask are read once, and counted all at once where
    they are few, else as they come; workers of Dask in other processes count their own parts, and
    need this package. Those of a local session of Spark are counted first, and read only where they
    are few. Where there are weights, groups, labels that are not numbers,
    or anything missing, and where that is not certain to `tolerance`, the engine groups by score,
    as all others do. It reads the data once to check them, and once more if the distinct scores
    fit. Otherwise it counts in a grid, then in ever finer parts of the bins with most undecided
    pairs of a positive and a negative; rarely more than twice. A frame whose rows
    are costly to make is better stored first. Decimals are counted as float64, and refused if
    float64 cannot tell them apart.

    After Ctrl-C the engine is as it was before: nothing is written to it, neither tables nor
    views.

    References
    ----------
    Fawcett (2006), Algorithm 1, for the sweep; the passes of an engine are our own.

    Examples
    --------
    >>> import polars as pl
    >>> visits = pl.LazyFrame({"ill": [0, 0, 1, 1], "marker": [1, 2, 2, 4], "site": list("abab")})
    >>> tabulate_frame(visits, label="ill", score="marker")
    ScoreTable(3 distinct scores, 2 positives, 2 negatives)
    >>> tables = tabulate_frame(visits, label="ill", score="marker", by="site")
    >>> tables["b"].score
    array([4, 2])
    """
    checks.check_direction(higher_is_positive)
    if not tolerance >= 0:
        msg = f"tolerance is {tolerance}, but must be zero or more."
        raise ValueError(msg)
    kept = _KEPT if max_rows is None else max_rows
    max_rows = _MOST_ROWS if max_rows is None else max_rows
    if max_rows < 16:
        msg = f"max_rows is {max_rows}. Allow at least 16 rows."
        raise ValueError(msg)
    whole = _as_frame(frame)
    names = {"label": label, "score": score, "weight": weight, "group": by}
    columns = {role: name for role, name in names.items() if name is not None}
    kinds = _kinds(whole, columns)
    if isinstance(whole, nw.DataFrame) and by is None:
        return _local(whole, columns, pos_label, higher_is_positive, missing)
    if isinstance(whole, nw.DataFrame):
        max_rows = max(max_rows, len(whole))
    with Elapsed(f"counting in {whole.implementation.name.lower()}", show=progress) as shown:
        if set(columns) == {"label", "score"} and pos_label is None:
            shown.stage = "batch by batch"
            found = batches.counted(
                whole.lazy().select(label, score),
                kinds,
                higher_is_positive,
                tolerance,
                (kept, max_rows),
            )
            if found is not None:
                table, left = found
                _tell(left, tolerance, max_rows, len(table))
                return table
        shown.stage = "looking at all cases"
        source, n_groups, n = _source(whole.lazy(), columns, kinds, pos_label, missing)
        bins = _count(source, n, n_groups, (float(tolerance), int(max_rows)), shown)
    tables = _tables(bins, higher_is_positive)
    if by is None:
        return tables[0]
    named = {group: tables[code] for group, code in source.codes.items()}
    return dict(sorted(named.items()))


def _as_frame(frame: Any) -> nw.DataFrame[Any] | nw.LazyFrame[Any]:
    try:
        whole = nw.from_native(frame)
    except DuplicateError as error:
        msg = (
            f"The frame has columns of the same name. {' '.join(str(error).split())}. Rename them."
        )
        raise ValueError(msg) from None
    except TypeError:
        if isinstance(frame, str | PathLike):
            msg = 'frame is the name of a file. Say rocspace.io.tabulate_file(path, label="y").'
            raise TypeError(msg) from None
        if hasattr(type(frame), "to_spark"):
            msg = "frame is one of pandas on Spark. Say frame.to_spark()."
            raise TypeError(msg) from None
        msg = (
            f"frame is a {type(frame).__name__}. Pass a data frame of pandas, polars, pyarrow, "
            "DuckDB, Dask, Spark or Ibis; for arrays use rocspace.tabulate."
        )
        raise TypeError(msg) from None
    return whole  # type: ignore[no-any-return]


# --- what the columns are ---------------------------------------------------------------------


def _unnamed(role: str, name: Any, columns: dict[str, Any], schema: Iterable[Any]) -> str:
    """Say what to write where a column was not chosen by its name."""
    said = f"{role} is {shown(name)}, but columns are chosen by name, one text."
    if hasattr(name, "dtype"):
        return f"{said} Of columns themselves say tabulate(y_true, y_score)."
    if name in list(schema):
        return f"{said} Flatten columns of several levels: df.columns = map('_'.join, df.columns)."
    if role == "score" and isinstance(name, list | tuple) and name:
        scores = f"pair_scores(df[{columns['label']!r}], df[{list(name)!r}])"
        return f"{said} Several scores of the same cases: say {scores}."
    return said


def _kinds(
    frame: nw.DataFrame[Any] | nw.LazyFrame[Any], columns: dict[str, Any]
) -> dict[str, nw.dtypes.DType]:
    """Find the type of each column, and refuse those that cannot have their role."""
    schema = frame.collect_schema()
    for role, name in columns.items():
        if not isinstance(name, str):
            raise TypeError(_unnamed(role, name, columns, schema))
        if name not in schema:
            listed = ", ".join(map(repr, list(schema)[:10]))
            close = nearest(name, map(str, schema))
            if name in getattr(nw.maybe_get_index(frame), "names", ()):
                close = " It is in the index: say df.reset_index()."
            msg = (
                f"There is no column {name!r} for the {role}.{close} "
                f"The frame has {listed}{', ...' if len(schema) > 10 else ''}."
            )
            raise ValueError(msg)
    if len(set(columns.values())) < len(columns):
        twice = next(n for n in columns.values() if list(columns.values()).count(n) > 1)
        roles = " and ".join(role for role, name in columns.items() if name == twice)
        msg = f"Column {twice!r} is both {roles}. Name another column for one of them."
        raise ValueError(msg)
    kinds = {role: schema[name] for role, name in columns.items()}
    for role in ("score", "weight"):
        kind = kinds.get(role, nw.Float64())
        if not (kind.is_numeric() or kind == nw.Boolean) or kind in (nw.Int128, nw.UInt128):
            msg = (
                f"Column {columns[role]!r} is of type {kind}, so it cannot be the {role}. "
                "Name a column of numbers, or cast it to Float64 or Int64."
            )
            if kind in (nw.String(), nw.Categorical()):
                msg += (
                    " If its decimals are commas, read it with them: decimal=',' of pandas, "
                    "decimal_comma=True of polars, or rocspace.io.tabulate_file(path, label=...), "
                    "which sees them."
                )
            raise TypeError(msg)
    if kinds["label"].is_nested():
        msg = f"Column {columns['label']!r} is of type {kinds['label']}. A label is a single value."
        raise TypeError(msg)
    return kinds


def _local(
    frame: nw.DataFrame[Any],
    columns: dict[str, str],
    pos_label: object,
    higher_is_positive: bool,
    missing: MissingPolicy,
) -> ScoreTable:
    """Count a frame in memory as `tabulate` does; that is faster than any group-by."""
    vectors = {role: frame[name].to_native() for role, name in columns.items()}
    cases = check_cases(
        vectors["label"],
        {columns["score"]: vectors["score"]},
        pos_label=pos_label,
        sample_weight=vectors.get("weight"),
        missing=missing,
    )
    return table_of(count_rows(cases.label, cases.scores[0], cases.weight), higher_is_positive)


# --- asking the engine for sound cases ----------------------------------------------------------


def _source(
    frame: nw.LazyFrame[Any],
    columns: dict[str, str],
    kinds: dict[str, nw.dtypes.DType],
    pos_label: object,
    missing: MissingPolicy,
) -> tuple[Source, int, int]:
    """Check all columns in one pass, and select the complete cases to count."""
    dtype, cast = _score_types(kinds["score"])
    plain = [_plain(name, kinds[role]).alias(role) for role, name in columns.items()]
    decimal = [role for role in ("score", "label") if kinds[role] == nw.Decimal]
    plain += [nw.col(columns[role]).alias(f"digits_{role}") for role in decimal]
    cases = frame.select(*plain).with_columns(nw.col("score").cast(cast))
    weighted = "weight" in columns
    if weighted:
        cases = cases.with_columns(nw.col("weight").cast(nw.Float64))
    positive = _positive(kinds["label"], pos_label)
    absent = {role: _missing(role, kind) for role, kind in kinds.items()}
    found = _look(cases, kinds, positive, absent)
    n = _check_missing(found, columns, missing)
    for role in decimal:
        if found[f"digits_{role}"] != found[f"floats_{role}"]:
            raise ValueError(not_told_apart(columns[role]))
    _check_labels(cases, found, columns["label"], pos_label)
    if weighted:
        _check_weights(found, columns["weight"])
    if found["missing"]:
        cases = cases.filter(~_any_of(absent))
    if found.get("weightless"):
        cases = cases.filter(nw.col("weight") > 0)
    groups = ["group"] if "group" in columns else []
    source = Source(
        frame=cases.select(*groups, "score", **_by_class(positive, weighted=weighted)),
        dtype=dtype,
        weighted=weighted,
        grouped="group" in columns,
        low=float(found["low"] or 0),
        high=float(found["high"] or 0),
    )
    return source, int(found.get("groups", 1)), n


def _by_class(positive: nw.Expr, *, weighted: bool) -> dict[str, nw.Expr]:
    """Return what a case adds to the sums of its score: of each class, and of squared weights."""
    case, none = (nw.lit(float(i)) if weighted else nw.lit(i, nw.Int64) for i in (1, 0))
    value = nw.col("weight") if weighted else case
    sums = {"pos": (value, none), "neg": (none, value)}
    if weighted:
        square = value * value
        sums |= {"pos_w2": (square, none), "neg_w2": (none, square)}
        sums["cases"] = (nw.lit(1, nw.Int64), nw.lit(1, nw.Int64))
    return {name: nw.when(positive).then(yes).otherwise(no) for name, (yes, no) in sums.items()}


def _score_types(kind: nw.dtypes.DType) -> tuple[np.dtype[Any], nw.dtypes.DType]:
    """Return the type of the scores in a table, and in the engine while they are counted."""
    if kind == nw.Boolean:
        return np.dtype(np.uint8), nw.Int64()
    if kind.is_integer():
        return np.dtype(str(kind).lower()), nw.UInt64() if kind == nw.UInt64 else nw.Int64()
    if kind == nw.Float32:
        return np.dtype(np.float32), nw.Float32()
    return np.dtype(np.float64), nw.Float64()


def _plain(name: str, kind: nw.dtypes.DType) -> nw.Expr:
    """Bring a column to a type that every engine compares alike."""
    if kind == nw.Boolean:
        return nw.col(name).cast(nw.Int64)
    if kind in (nw.Categorical, nw.Enum):
        return nw.col(name).cast(nw.String)
    if kind == nw.Decimal:
        return nw.col(name).cast(nw.Float64)
    return nw.col(name)


def _positive(kind: nw.dtypes.DType, pos_label: object) -> nw.Expr:
    """Tell the positive cases."""
    label = nw.col("label")
    if pos_label is None:
        return label == 1 if kind.is_numeric() or kind == nw.Boolean else label.is_null()
    value = pos_label.item() if isinstance(pos_label, np.generic) else pos_label
    if kind.is_integer() or kind.is_float():
        value = as_kind(value, np.dtype(str(kind).lower() if kind.is_float() else int))
    is_text = kind in (nw.String, nw.Categorical, nw.Enum)
    is_number = kind.is_numeric() or kind == nw.Boolean
    if isinstance(value, str) != is_text or isinstance(value, int | float) != is_number:
        return label.is_null()  # another kind than the labels: equal to none of them
    return label == (int(value) if isinstance(value, bool) else value)


def _missing(role: str, kind: nw.dtypes.DType) -> nw.Expr:
    column = nw.col(role)
    absent = column.is_null()
    if not kind.is_float():
        return absent
    # Not is_nan(): where the statistics of a parquet file do not count NaN, DuckDB takes it for
    # never true.
    number = column.is_finite() | (column == float("inf")) | (column == -float("inf"))
    return absent | ~number


def _any_of(masks: dict[str, nw.Expr]) -> nw.Expr:
    first, *others = masks.values()
    for other in others:
        first = first | other
    return first


def _look(
    cases: nw.LazyFrame[Any],
    kinds: dict[str, nw.dtypes.DType],
    positive: nw.Expr,
    missing: dict[str, nw.Expr],
) -> dict[str, Any]:
    """Count all kinds of bad values in one pass, and find the lowest and highest score."""
    label, score, weight = nw.col("label"), nw.col("score"), nw.col("weight")
    marks = {f"missing_{role}": mask for role, mask in missing.items()}
    marks |= {"missing": _any_of(missing), "positive": positive}
    if kinds["label"].is_numeric() or kinds["label"] == nw.Boolean:
        marks |= {"zeros": label == 0, "ones": label == 1, "minus": label == -1}
    if "weight" in kinds:
        marks |= {"weightless": weight == 0, "bad": ~(weight.is_finite() & (weight >= 0))}
    yes, no = nw.lit(1, nw.Int64), nw.lit(0, nw.Int64)
    flags = {k: nw.when(mark).then(yes).otherwise(no) for k, mark in marks.items()}
    real = score.cast(nw.Float64)
    finite = nw.when(real.is_finite()).then(real) if kinds["score"].is_float() else real
    questions = [nw.col(name).sum() for name in flags]
    questions += [nw.col("finite").min().alias("low"), nw.col("finite").max().alias("high")]
    questions += [nw.len().alias("n")]
    if "group" in kinds:
        questions.append(nw.col("group").n_unique().alias("groups"))
    if "weight" in kinds:
        # DuckDB sorts NaN above all numbers.
        finite_weight = nw.when(weight.is_finite()).then(weight)
        questions.append(finite_weight.max().alias("heaviest"))
    for role in ("score", "label"):
        if kinds[role] == nw.Decimal:
            questions.append(nw.col(f"digits_{role}").n_unique())
            questions.append(nw.col(role).n_unique().alias(f"floats_{role}"))
    answer = engine.fetch(cases.with_columns(**flags, finite=finite).select(*questions))
    values = {name: column.to_list()[0] for name, column in answer.items()}
    return {
        name: int(value or 0) if name in flags else value  # DuckDB adds up in decimals
        for name, value in values.items()
    }


def _check_missing(found: dict[str, Any], columns: dict[str, str], missing: MissingPolicy) -> int:
    """Raise for missing values, or warn that their cases are omitted; count the others."""
    n, n_missing = int(found["n"]), int(found["missing"])
    causes = {name: found[f"missing_{role}"] for role, name in columns.items()}
    name, most = next(((k, v) for k, v in causes.items() if v), ("", 0))
    if n_missing and missing == "raise":
        msg = (
            f"{name} has {counted(most, 'missing value')} (NaN or null). Fill them or drop "
            'those rows, or pass missing="omit".'
        )
        raise ValueError(msg)
    if n == n_missing:
        what = "all of them were omitted as missing" if n else "the frame is empty"
        msg = f"There are no cases: {what}. Pass at least one complete case."
        raise ValueError(msg)
    if n_missing:
        listed = ", ".join(f"{count} in {name}" for name, count in causes.items() if count)
        warn(f"{n_missing} of {n} cases omitted for missing values ({listed}).")
    return n - n_missing


def _check_labels(
    cases: nw.LazyFrame[Any], found: dict[str, Any], name: str, pos_label: object
) -> None:
    """Raise or warn as for labels in arrays, from the list of distinct ones."""
    present = int(found["n"]) - found["missing_label"]
    if pos_label is None and "ones" in found:
        ones = found["ones"]
        if present in (ones + found["zeros"], ones + found["minus"]):
            return
    distinct = cases.filter(~nw.col("label").is_null()).select("label").unique()
    values = engine.fetch(distinct.head(_LABELS + 1))["label"].to_list()
    if pos_label is not None and found["positive"] and len(values) > _LABELS:
        warn(
            f"{name} has more than {_LABELS} values: {pos_label!r} is taken as positive, "
            "the rest as negative."
        )
        return
    check_labels(values, pos_label, name)


def _check_weights(found: dict[str, Any], name: str) -> None:
    bad = found["bad"] - found["missing_weight"]
    if bad > 0:
        msg = (
            f"{name} has {counted(bad, 'negative or infinite value')}. "
            "Weights are finite and zero or more."
        )
        raise ValueError(msg)
    if not found["heaviest"]:
        msg = f"{name} is zero for every case, so nothing is left to count."
        raise ValueError(msg)
    check_weights(np.array([found["heaviest"]]))  # its square must be a number


# --- counting -----------------------------------------------------------------------------------


def _count(
    source: Source, n: int, n_groups: int, limits: tuple[float, int], shown: Elapsed
) -> Bins:
    """Count at each score if the rows fit, else in bins until the area is within tolerance."""
    tolerance, max_rows = limits
    shown.stage = "pass 2"
    if n <= max_rows:
        bins = engine.count_scores(source, None)
    elif engine.likely_scores(source) <= _NEARLY * max_rows:
        bins = engine.count_scores(source, max_rows)
    else:
        bins = None
    if bins is not None:
        return certain(bins)
    cells = min(engine.CELLS, max_rows // (4 * n_groups))
    if cells < 4:
        msg = (
            f"There are {n_groups} groups, too many for bins in max_rows={max_rows}. "
            f"Allow at least {16 * n_groups}."
        )
        raise ValueError(msg)
    grid = Grid(cells)
    bins = engine.count_bins(source, grid)
    if error(bins) > tolerance and crowded(bins):
        shown.stage = "pass 3, for crowded scores"
        grid = Grid(cells, crowded=True)
        bins = engine.count_bins(source, grid)
    done: list[Plan] = []
    for _ in range(_ROUNDS):
        if error(bins) <= tolerance:
            break
        todo = plan(bins, tolerance, max_rows)
        if todo is None:
            break
        shown.stage = f"finer bins, round {len(done) + 1}"
        finer = engine.count_parts(source, grid, [*ancestors(done, todo), todo])
        bins = replaced(bins, todo, finer)
        done.append(todo)
    bins = certain(bins)
    _tell(error(bins) if (bins.low != bins.high).any() else None, tolerance, max_rows, len(bins))
    return bins


def _tell(left: float | None, tolerance: float, max_rows: int, rows: int) -> None:
    """Warn of rows that stand for several scores; `left` is None where none does."""
    if left is None:
        return
    if left > tolerance:
        warn(
            f"The area is certain to {general(left)} only, not to tolerance={brief(tolerance)}, "
            f"with max_rows={max_rows}. Allow more rows."
        )
    else:
        warn(
            f"There are more than max_rows={max_rows} distinct scores: {rows} rows stand for "
            f"them. The area is certain to {general(left)}, but at a threshold that is not a row's "
            "score cases are counted only roughly. Allow more rows if that matters."
        )


def _tables(bins: Bins, higher_is_positive: bool) -> dict[int, ScoreTable]:
    """Make a table for each group from bins in rising order."""
    lows = bins.low if higher_is_positive else bins.high
    score = lows + lows.dtype.type(0)  # no negative zero
    codes, first = np.unique(bins.group, return_index=True)
    tables = {}
    for code, start, stop in zip(codes, first, [*first[1:], len(bins)], strict=True):
        columns = (score, bins.pos, bins.neg, bins.pos_w2, bins.neg_w2)
        falling = [None if c is None else c[start:stop][::-1].copy() for c in columns]
        tables[int(code)] = table_of(Rows(*falling), higher_is_positive)  # type: ignore[arg-type]
    return tables


# --- and back -----------------------------------------------------------------------------------


@explained
def to_frame(result: Any, *, backend: Backend | None = None) -> Any:
    """Turn a table, a curve or another result of arrays into a data frame.

    Parameters
    ----------
    result : ScoreTable, RocCurve or another result
        What to convert; the same as ``result.to_frame()``.
    backend : {"pandas", "polars", "pyarrow"}, optional
        Which kind of frame; by default the first of them that is installed.

    Returns
    -------
    data frame
        A column for each array, a row for each of its entries.

    Raises
    ------
    TypeError
        If the result has no columns.

    References
    ----------
    No source: copies arrays, computes nothing.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> to_frame(tabulate([0, 1, 1], [1.0, 1.0, 3.0]), backend="polars").rows()
    [(3.0, 1, 0), (1.0, 1, 1)]
    """
    if not isinstance(result, Result):
        msg = f"A {type(result).__name__} has no columns. Pass a table or a curve."
        raise TypeError(msg)
    return result.to_frame(backend=backend)
