"""Checks of arrays and labels; all messages about input are written here.

Data are checked once, when they become a table. Functions on a table trust it.
"""

from __future__ import annotations

import difflib
import os
import re
import reprlib
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from rocspace._base.arrays import NUMBERS, Array, ArrayLike, Ints, Mask, Vector, as_block, as_vector
from rocspace._base.errors import Argument, ArgumentError, InPython
from rocspace._base.labels import positive_by_word
from rocspace._base.synonyms import understood

MissingPolicy: TypeAlias = Literal["raise", "omit"]
Ends: TypeAlias = tuple[float, float]
Axis: TypeAlias = Literal["fpr", "tpr"]

_SHOWN = 5  # how many offending values a message lists
_LONGEST = 60  # characters of a value that a message quotes
_MOST = 20  # how many of the words that are known
_PACKAGE = str(Path(__file__).parents[1]) + os.sep


class Cases(NamedTuple):
    """Checked cases, ready to count: same length, no missing values, no zero weights."""

    label: Array
    scores: tuple[Array, ...]
    weight: Vector | None
    cluster: Ints | None
    n_omitted: int


def warn(message: str) -> None:
    """Warn at the line of the caller that lies outside this package."""
    level, frame = 1, sys._getframe(0)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, UserWarning, stacklevel=level)


_NUMERAL = re.compile(r"\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*", re.IGNORECASE)
_NEAR = 0.55  # likeness from which on one word may be meant by another
_FEW = 10  # more values than this are rarely labels


# --- labels ------------------------------------------------------------------------------


def _as_labels(array: Array, pos_label: object, name: str = "y_true") -> Mask:
    """Tell which cases are positive."""
    if pos_label is not None:
        return _labels_equal_to(array, pos_label, name)
    if array.dtype.kind == "b":
        return array
    if array.dtype.kind in "iu":
        low, high = (array.min(), array.max()) if array.size else (0, 1)
        if low >= 0 and high <= 1:
            return array.view(np.bool_) if array.itemsize == 1 else array.astype(np.bool_)
        if low == -1 and high <= 1 and array.all():
            return array > 0
    elif array.dtype.kind == "f":
        positive = np.asarray(array == 1)
        if (positive | (array == 0)).all() or (positive | (array == -1)).all():
            return positive
    raise ValueError(_unknown_labels(array, name))


def check_labels(values: ArrayLike, pos_label: object, name: str) -> Mask:
    """Check labels that stand alone, such as predictions."""
    array = complete(values, name)
    return _as_labels(array, pos_label, name)


def _labels_equal_to(array: Array, pos_label: object, name: str) -> Mask:
    positive = _equals(array, pos_label)
    others = array[~positive]
    comparable = isinstance(pos_label, str | bytes) or array.dtype.kind not in "US"
    comparable &= not isinstance(pos_label, str | bytes) or array.dtype.kind not in "biufcmM"
    if comparable and (others.size == 0 or (others == others[:1]).all()):
        return positive
    values = distinct_values(others)
    if not positive.any():
        msg = (
            f"pos_label {shown(pos_label)} does not occur in {name}, whose values are "
            f"{listed_values(values)}.{_nearest_label(pos_label, values)}"
            + (" Are y_true and y_score swapped?" if len(values) > _FEW else "")
        )
        raise ValueError(msg)
    warn(
        f"{name} has {len(values) + 1} values: {shown(pos_label)} is taken as positive, "
        f"the rest ({listed_values(values)}) as negative."
    )
    return positive


def as_kind(value: Any, kind: np.dtype[Any]) -> Any:
    """Return a label as the labels' kind compares it exactly, None if that cannot hold it.

    Comparing numbers of two kinds would round the large ones.
    """
    if isinstance(value, np.number) and value.itemsize <= 8:
        value = value.item()
    if kind.kind in "iu" and isinstance(value, float) and value.is_integer():
        return int(value)
    if kind.kind == "f" and kind.itemsize <= 8 and type(value) is int:
        with suppress(OverflowError), np.errstate(over="ignore"):
            return value if float(kind.type(value)) == value else None
        return None
    if isinstance(value, str) and value.endswith("\0"):  # which NumPy's texts cannot end with
        return np.array([value, None], dtype=object)[:1] if kind.kind == "O" else None
    return value


def _equals(array: Array, pos_label: object) -> Mask:
    if not isinstance(pos_label, str | bytes) and hasattr(pos_label, "__len__"):
        msg = (
            f"pos_label is {shown(pos_label)}, but must be the one label that is positive. Where "
            "several are, say which cases have one of them: numpy.isin(y_true, [...])."
        )
        raise TypeError(msg)
    if type(pos_label).__name__ == "NAType":  # equal to nothing, not even told whether
        msg = f"pos_label is {shown(pos_label)}, a missing value, but must be the positive label."
        raise ValueError(msg)
    if (pos_label := as_kind(pos_label, array.dtype)) is None:
        return np.zeros(array.shape, dtype=bool)
    if array.dtype.kind == "b" and isinstance(pos_label, int):
        array = array.astype(object)
    positive = np.asarray(array == pos_label)
    if positive.shape != array.shape:  # not comparable, such as numbers with a text
        return np.zeros(array.shape, dtype=bool)
    return positive


def _nearest_label(pos_label: object, values: Sequence[Any]) -> str:
    spelled = {str(value): value for value in values}
    wanted = str(pos_label)
    close = closest(wanted, spelled) if isinstance(pos_label, str) else None
    close = wanted if wanted in spelled else close
    return "" if close is None else f" Did you mean {spelled[close]!r}?"


def _unknown_labels(array: Array, name: str) -> str:
    values = distinct_values(array)
    hint = ""
    if array.dtype.kind == "f" and len(values) > 2:
        hint = " It looks like a score: " + (
            "are y_true and y_score swapped?"
            if name == "y_true"
            else f"call it positive from a threshold on, as in {name} >= 0.5."
        )
    meant = positive_by_word(values)
    return (
        f"{name} has the values {listed_values(values)}; which of them is positive? Say so with "
        f"pos_label, as in pos_label={values[-1] if meant is None else meant!r}."
        f"{hint or _of_all(values)}"
    )


def _of_all(values: Sequence[Any]) -> str:
    if len(values) <= 2:
        return ""
    return " For all of them, with a score for each: rocspace.multiclass.multiclass_scores."


def distinct_values(array: Array) -> list[Any]:
    try:
        return list(np.unique(array).tolist())
    except TypeError:  # objects of several types have no order, and some no hash
        kinds = {(type(each), str(each)): each for each in array.tolist()}
        return sorted(kinds.values(), key=str)


def listed_values(values: Sequence[Any]) -> str:
    listed = ", ".join(map(shown, values[:_SHOWN]))
    return listed if len(values) <= _SHOWN else f"{listed}, ... ({len(values)} in all)"


def nearest(wanted: str, existing: Iterable[str]) -> str:
    """Return " Did you mean ...?" for the existing name nearest to the wanted one, or ""."""
    close = closest(wanted, existing)
    return "" if close is None else f" Did you mean {close!r}?"


def closest(wanted: str, existing: Iterable[str], likeness: float = _NEAR) -> str | None:
    """Return the existing name nearest to the wanted one, if one is as like it as that."""
    names = list(existing)
    folded = {name.casefold(): name for name in names}
    close = difflib.get_close_matches(wanted, names, n=1, cutoff=likeness)
    if not close and len(wanted) > 2:
        close = [name for name in names if wanted.casefold() in name.casefold()]
    return close[0] if close else folded.get(wanted.casefold())


# --- scores and weights ------------------------------------------------------------------


def check_scores(array: Array, name: str = "y_score", rows: Ints | None = None) -> Array:
    """Check that a vector can be ranked as a score; booleans become 0 and 1.

    ``rows[i]`` is where entry i stood before others were omitted, for the message.
    """
    kind = array.dtype.kind
    if kind == "b":
        return array.view(np.uint8)
    if kind in "iuf":
        return np.ascontiguousarray(array)
    if kind in "USO":
        first = next((i for i, x in enumerate(array) if not isinstance(x, NUMBERS)), None)
        if first is None:
            raise ValueError(not_told_apart(name))
        numeric = _NUMERAL.fullmatch(str(array[first]))
        msg = (
            f"{name} contains text or objects, the first {str(array[first])!r} at index "
            f"{_row(first, rows)}. Scores are numbers, larger meaning more positive; if these "
            "are the labels, y_true and y_score are swapped."
            + (" Numbers that were read as text: [float(x) for x in ...]." if numeric else "")
        )
        raise TypeError(msg)
    msg = f"{name} has the type {array.dtype}, which cannot be ranked. Convert it to numbers."
    raise TypeError(msg)


def not_told_apart(name: str) -> str:
    """Return the message for numbers that float64 would make equal."""
    return (
        f"{name} has distinct numbers that float64 cannot tell apart. "
        "Scale them, or round them yourself."
    )


def _row(i: int, rows: Ints | None) -> int:
    return i if rows is None else int(rows[i])


def check_weights(weight: Array, rows: Ints | None = None) -> Vector:
    """Check that weights are finite and zero or more; `rows` as for `check_scores`."""
    if weight.dtype.kind not in "biuf":
        msg = f"sample_weight has the type {weight.dtype}. Weights are numbers, zero or more."
        raise TypeError(msg)
    checked = np.ascontiguousarray(weight, dtype=np.float64)
    bad = np.flatnonzero(~(np.isfinite(checked) & (checked >= 0)))
    if bad.size:
        raise ArgumentError(
            Argument("sample_weight"),
            f" has {counted(bad.size, 'negative or infinite value')}, the first "
            f"{checked[bad[0]]} at index {_row(bad[0], rows)}. "
            "Weights are finite and zero or more.",
        )
    largest = checked.max(initial=0.0)
    if largest > HEAVIEST or 0 < largest < 1 / HEAVIEST:
        largest_of = "The largest "
        raise ArgumentError(
            largest_of,
            Argument("sample_weight"),
            f" is {largest}, whose square may not fit float64. "
            "Multiply all weights by one number; only their proportions matter.",
        )
    return checked


HEAVIEST = 1e100


class DigitsLostError(ValueError):
    """Numbers of several types have no common type that keeps all their digits."""


def holds(dtype: np.dtype[Any], numbers: Array) -> bool:
    """Tell whether every number can be written in a type exactly."""
    if numbers.size == 0 or numbers.dtype == dtype:
        return True
    if dtype.kind == "f":
        if numbers.dtype.kind not in "iu":
            return True
        moved = numbers.astype(dtype)
        inside = moved < float(np.iinfo(numbers.dtype).max) + 1
        with np.errstate(invalid="ignore"):
            return bool((inside & (moved.astype(numbers.dtype) == numbers)).all())
    limits, low, high = np.iinfo(dtype), numbers.min(), numbers.max()
    if numbers.dtype.kind == "f":
        inside = low >= float(limits.min) and high < float(limits.max) + 1
        return bool(inside and (numbers == np.floor(numbers)).all())
    return bool(int(low) >= limits.min and int(high) <= limits.max)


def exact_type(*columns: Array) -> np.dtype[Any]:
    """Return the type in which numbers of several types keep all their digits.

    It is NumPy's common type. Where that is a float that cannot represent all of these numbers,
    and all of them are whole, it is a 64-bit integer.
    """
    common = np.result_type(*columns)
    choices = (common, np.dtype(np.int64), np.dtype(np.uint64)) if common.kind == "f" else (common,)
    for dtype in choices:
        if all(holds(dtype, column) for column in columns):
            return dtype
    raise DigitsLostError(_digits_lost(columns, common))


def _digits_lost(columns: Sequence[Array], common: np.dtype[Any]) -> str:
    worst = next(column.dtype for column in columns if not holds(common, column))
    return (
        f"Scores of type {worst} do not fit {common} without losing digits. Pass all scores in "
        "one type."
    )


def joined_exactly(columns: Sequence[Array]) -> Array:
    """Put columns one after the other, in a type that keeps all their digits."""
    if columns[0].dtype.kind not in "iuf":
        return np.concatenate(columns)
    dtype = exact_type(*columns)
    return np.concatenate([column.astype(dtype, copy=False) for column in columns])


def check_promotion(*columns: Array) -> None:
    """Check that scores of several types lose nothing in their common one."""
    common = np.result_type(*columns)
    if not all(holds(common, column) for column in columns):
        raise DigitsLostError(_digits_lost(columns, common))


# --- whole samples -------------------------------------------------------------------------


def check_cases(
    y_true: ArrayLike,
    scores: Mapping[str, ArrayLike],
    *,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
    cluster: ArrayLike | None = None,
    missing: MissingPolicy = "raise",
    of_many: bool = False,
    as_labels: Callable[[Array], Array] | None = None,
) -> Cases:
    """Check labels, scores, weights and clusters together; all cases enter here.

    A batch `of_many` may be empty, and may lack the positive label. Labels of several classes are
    what `as_labels` makes of them.
    """
    check_choice("missing", missing, MissingPolicy)
    for name, values in scores.items():
        if values is y_true and y_true is not None:
            msg = f"{name} is the very same object as y_true. Pass the scores of the cases."
            raise ValueError(msg)
    warn_of_order(y_true, scores)
    extra = {"sample_weight": sample_weight, "cluster": cluster}
    given = {name: values for name, values in extra.items() if values is not None}
    named = {"y_true": y_true, **scores, **given}
    vectors = {name: as_vector(values, name) for name, values in named.items()}
    check_lengths({name: array.size for name, (array, _) in vectors.items()})
    arrays, rows = without_missing(vectors, missing)
    n_omitted = 0 if rows is None else vectors["y_true"][0].size - rows.size
    if arrays["y_true"].size == 0 and not of_many:
        what = "all of them were omitted as missing" if n_omitted else "y_true is empty"
        msg = f"There are no cases: {what}. Pass at least one complete case."
        raise ValueError(msg)
    if as_labels is not None:
        label = as_labels(arrays["y_true"])
    elif of_many and pos_label is not None:
        label = _equals(arrays["y_true"], pos_label)
    else:
        label = _as_labels(arrays["y_true"], pos_label)
    columns = [check_scores(arrays[name], name, rows) for name in scores]
    weight = check_weights(arrays["sample_weight"], rows) if "sample_weight" in arrays else None
    number = numbered(arrays["cluster"]) if "cluster" in arrays else None
    if weight is not None and not weight.all():
        kept = weight > 0
        if not (kept.any() or of_many):
            why = " is zero for every case, so nothing is left to count."
            raise ArgumentError(Argument("sample_weight"), why)
        label, weight = label[kept], weight[kept]
        columns = [column[kept] for column in columns]
        number = None if number is None else number[kept]
    return Cases(
        label=label,
        scores=tuple(columns),
        weight=weight,
        cluster=number,
        n_omitted=n_omitted,
    )


def warn_of_order(y_true: Any, scores: Mapping[str, Any]) -> None:
    """Warn if pandas would take scores for those of other cases: equal indexes in another order.

    Cases are taken by their place, as everywhere in NumPy.
    """
    own: Any = getattr(y_true, "index", None)
    if not hasattr(type(own), "equals"):  # of its type: a column of Spark has any attribute
        return
    for name, values in scores.items():
        index: Any = getattr(values, "index", None)
        if not hasattr(type(index), "equals") or len(index) != len(own):
            continue
        if not index.equals(own) and index.sort_values().equals(own.sort_values()):
            warn(
                f"The indexes of y_true and {name} have the same labels in another order. Cases "
                f"are taken by their place; if the index says which is which, pass "
                f"{name}.loc[y_true.index]."
            )
            return


def check_block(
    y_true: ArrayLike, y_scores: ArrayLike, *, pos_label: object, missing: MissingPolicy
) -> tuple[Mask, Array] | None:
    """Check labels and a matrix of numbers at once; None if columns have to be checked one by one.

    The matrix is the one given, not a copy.
    """
    plain = type(y_scores) is np.ndarray and y_scores is not y_true
    if not (plain and isinstance(y_scores, np.ndarray) and y_scores.ndim == 2):
        return None
    numbers = y_scores.dtype.kind in "iuf" and y_scores.dtype.isnative
    if not (numbers and y_scores.size) or _has_nan(y_scores):
        return None
    check_choice("missing", missing, MissingPolicy)
    given, holes = as_vector(y_true, "y_true")
    if (holes is not None and holes.any()) or _has_nan(given) or given.size != len(y_scores):
        return None
    return _as_labels(given, pos_label), y_scores


def check_columns(
    y_true: ArrayLike,
    y_scores: ArrayLike,
    *,
    pos_label: object = None,
    missing: MissingPolicy = "raise",
) -> tuple[Mask, Array | list[Array]]:
    """Check labels and many scores: a matrix of numbers at once, anything else column by column.

    The scores are a matrix where all have one type, else a list of columns.
    """
    block = check_block(y_true, y_scores, pos_label=pos_label, missing=missing)
    if block is not None:
        return block
    named = named_columns(y_scores, None)
    columns = {f"y_scores[{name!r}]": values for name, values in named.items()}
    cases = check_cases(y_true, columns, pos_label=pos_label, missing=missing)
    if len({column.dtype for column in cases.scores}) == 1:
        return cases.label, np.array(cases.scores).T
    return cases.label, list(cases.scores)


def _has_nan(array: Array) -> bool:
    """Tell whether there may be a NaN, without an array of answers; infinities look like one."""
    with np.errstate(invalid="ignore", over="ignore"):
        return array.dtype.kind == "f" and bool(np.isnan(np.add.reduce(array, axis=None)))


def numbered(cluster: Array) -> Ints:
    if cluster.dtype.kind == "O":  # of several types, which have no order
        place = {value: i for i, value in enumerate(distinct_values(cluster))}
        cluster = np.array([place[value] for value in cluster.tolist()])
    return np.unique(cluster, return_inverse=True)[1].astype(np.int64)


def check_class(scores: ArrayLike, name: str, missing: MissingPolicy) -> Array:
    """Check the scores of one class; a class may be empty."""
    check_choice("missing", missing, MissingPolicy)
    arrays, _ = without_missing({name: as_vector(scores, name)}, missing)
    array = arrays[name]
    return check_scores(array.astype(np.float64) if array.size == 0 else array, name)


def named_columns(scores: ArrayLike, names: Sequence[str] | None) -> dict[str, ArrayLike]:
    """Give each column of a mapping, a frame or a matrix its name."""
    if isinstance(scores, Mapping):
        keys = list(scores)
    elif hasattr(scores, "columns") or hasattr(scores, "column_names"):
        keys = list(getattr(scores, "column_names", getattr(scores, "columns", ())))
    else:
        block, missing = as_block(scores, "y_scores")
        if block.ndim != 2:
            msg = (
                f"y_scores has shape {block.shape}. Pass (n, m): one column for each score; or "
                'name each, as in {"a": a}.'
            )
            raise ValueError(msg)
        if missing is not None:
            block = np.ma.MaskedArray(block, missing)
        keys = [f"score_{j + 1}" for j in range(block.shape[1])]
        scores = dict(zip(keys, block.T, strict=True))
    given = [str(key) for key in keys]
    chosen = given if names is None else list(names)
    if names is not None:
        check_names(chosen)
    if len(chosen) != len(keys) or len(set(chosen)) != len(chosen) or len(set(given)) < len(given):
        msg = f"{len(keys)} scores are named {listed_values(chosen)}. Give each a name of its own."
        raise ValueError(msg)
    if not keys:
        msg = "y_scores has no columns. Pass at least one score."
        raise ValueError(msg)
    return {name: scores[key] for name, key in zip(chosen, keys, strict=True)}


def check_lengths(sizes: Mapping[str, int]) -> None:
    """Check that all vectors have the same length."""
    if len(set(sizes.values())) > 1:
        (first, n), *others = sizes.items()
        if len(others) == n > 1 and len({size for _, size in others}) == 1:
            name, m = others[0]
            msg = (
                f"Lengths differ: {first} has {n}, and each of {n} columns, such as {name}, has "
                f'{m}. Pass one column for each score, as in {{"a": a, "b": b}}.'
            )
            raise ValueError(msg)
        listed = ", ".join(f"{name} has {size}" for name, size in sizes.items())
        msg = f"Lengths differ: {listed}. Pass one entry per case in each."
        raise ValueError(msg)


def complete(values: ArrayLike, name: str) -> Array:
    """Turn a container into a vector; raise if a value is missing."""
    return _complete(*as_vector(values, name), name)


def complete_scores(values: ArrayLike, name: str = "scores") -> Array:
    """Turn a container into scores; raise if one is missing or cannot be ranked."""
    return check_scores(complete(values, name), name)


def _complete(array: Array, mask: Mask | None, name: str) -> Array:
    missing = _missing_mask(array, mask)
    if missing is not None:
        raise ValueError(_missing_text(name, missing, "Fill them or drop those rows."))
    return array


def _missing_text(name: str, mask: Mask, cure: str) -> str:
    where = np.flatnonzero(mask)
    return (
        f"{name} has {counted(where.size, 'missing value')} (NaN or null), the first at index "
        f"{where[0]}. {cure}"
    )


def without_missing(
    vectors: dict[str, tuple[Array, Mask | None]], missing: MissingPolicy
) -> tuple[dict[str, Array], Ints | None]:
    """Return the complete cases, and which rows they were if some had to go."""
    arrays, found = {}, {}
    for name, (array, mask) in vectors.items():
        arrays[name] = array
        absent = _missing_mask(array, mask)
        if absent is not None:
            found[name] = absent
    if not found:
        return arrays, None
    if missing == "raise":
        name, mask = next(iter(found.items()))
        cure = 'Fill them or drop those rows, or pass missing="omit".'
        raise ValueError(_missing_text(name, mask, cure))
    omitted = np.logical_or.reduce(list(found.values()))
    causes = ", ".join(f"{np.count_nonzero(m)} in {name}" for name, m in found.items())
    rows = np.flatnonzero(~omitted)
    n_omitted = omitted.size - rows.size
    warn(f"{n_omitted} of {omitted.size} cases omitted for missing values ({causes}).")
    return {name: array[rows] for name, array in arrays.items()}, rows


def _missing_mask(array: Array, mask: Mask | None) -> Mask | None:
    # The minimum is NaN (NaT) as soon as one entry is: one quick pass tells the usual case.
    if array.dtype.kind in "fmM" and array.size:
        least = np.minimum.reduce(array)
        if least != least:
            absent = np.isnan(array)
            return absent if mask is None else mask | absent
    return mask


def as_counts(values: ArrayLike, name: str) -> Ints:
    """Check ready-made counts: whole, zero or more, together below 2**62."""
    array, mask = as_vector(values, name)
    if array.dtype.kind not in "biuf":
        msg = f"{name} has the type {array.dtype}. Counts are whole numbers, zero or more."
        raise TypeError(msg)
    array = _complete(array, mask, name)
    if array.dtype.kind == "f":
        array = array.astype(np.result_type(array, np.float64))  # 2**62 is beyond float16
    bad = ~((array >= 0) & (array == np.floor(array)) & (array < 2**62))
    if bad.any():
        first = int(np.flatnonzero(bad)[0])
        msg = (
            f"{name} is {array[first]} at index {first}. Counts are whole numbers, zero or "
            "more, below 2**62; for fractions give sample_weight to tabulate."
        )
        raise ValueError(msg)
    counts = array.astype(np.int64)
    check_total(name, exact_sum(counts))
    return counts


def exact_sum(counts: Ints) -> int:
    """Add up int64 counts as a Python integer, whatever its size."""
    return (int((counts >> 31).sum()) << 31) + int((counts & (2**31 - 1)).sum())


def check_total(name: str, total: int) -> None:
    """Check that a class is not too large to be counted."""
    if total >= 2**62:
        msg = f"{name} adds up to 2**62 or more, beyond what this table can count."
        raise ValueError(msg)


# --- options -------------------------------------------------------------------------------


def check_times(name: str, times: int, numbers: float = 1, *, least: int = 1) -> None:
    """Refuse too many repetitions before they start; each of them keeps ``numbers`` numbers."""
    check_sizes(**{name: times})
    if times < least:
        raise ArgumentError(Argument(name), f" is {times}, but must be {least} or more.")
    if times > _MOST_TIMES:
        msg = (
            f"{name} is {times:,}, but {_MOST_TIMES:,} is the most: random error is then "
            "below 1/10,000 of a result's standard error. Ask for fewer."
        )
        raise ValueError(msg)
    check_room(name, times, numbers)


def check_room(name: str, size: int, numbers: float = 1) -> None:
    """Refuse a size that does not fit into half of the memory; each keeps ``numbers`` numbers."""
    check_sizes(**{name: size})
    needed, there = 8 * numbers * size, _memory()
    if needed > there / 2:
        msg = (
            f"{name} is {size:,}, whose results would take {needed / 2**30:,.1f} GB of the "
            f"{there / 2**30:,.1f} GB of this machine. Ask for fewer."
        )
        raise ValueError(msg)


_MOST_TIMES = 10**8


def _memory() -> int:
    """Return the bytes of memory of this machine; 16 GB where the system does not say."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return 1 << 34


def check_choice(name: str, value: object, choices: Any) -> None:
    """Check a word against the words that are known: several, or a ``Literal`` of them."""
    known = getattr(choices, "__args__", choices)
    if not is_among(value, known):
        more = f", ... ({len(known)} in all)" if len(known) > _MOST else ""
        listed = ", ".join(repr(c) for c in known[:_MOST]) + more
        meant = understood(value, [each for each in known if isinstance(each, str)])
        close = f" Did you mean {meant!r}?" if meant else nearest(str(value), map(str, known))
        why = f" is {shown(value)}, but must be one of {listed}.{close}"
        raise ArgumentError(Argument(name), why)


def is_among(value: object, known: Any) -> bool:
    try:
        hash(value)  # an array may be equal to a word in part
        return bool(value in known)
    except (TypeError, ValueError):  # not hashable, or an array
        return False


def check_known(what: str, name: object, names: Iterable[str]) -> None:
    """Check the name of one of several things, such as scores."""
    known = tuple(names)
    if not is_among(name, known):
        hint = nearest(str(name), known)
        msg = f"There is no {what} {shown(name)} among {', '.join(known)}.{hint}"
        raise ValueError(msg)


def name_or_only(name: str | None, names: Sequence[str], what: str = "score") -> str:
    """Return the name of one of several things, which need not be given where there is only one."""
    if name is None and len(names) > 1:
        msg = f"There are several {what}s: {listed_values(names)}. Which one? Name it."
        raise ValueError(msg)
    name = names[0] if name is None else name
    check_known(what, name, names)
    return name


def two_names(
    asked: str, names: Sequence[str], first: Any, second: Any, what: str = "score"
) -> tuple[str, str]:
    """Return the names of two things to compare, not needed where there are only two."""
    if len(names) < 2:
        msg = f"{asked} compares two {what}s, but here is only {', '.join(names) or 'none'}."
        raise ValueError(msg)
    if first is None and second is None and len(names) == 2:
        return names[0], names[1]
    if first is None or second is None:
        msg = (
            f"{asked} compares two {what}s of {', '.join(names)}. Name them, as in "
            f"first={names[0]!r}, second={names[1]!r}."
        )
        raise TypeError(msg)
    for each in (first, second):
        check_known(what, each, names)
    if first == second:
        msg = f"{asked} compares two {what}s, but both are {first!r}, of {', '.join(names)}."
        raise ValueError(msg)
    return first, second


def check_rows(rows: Any, n: int) -> Array:
    """Check indices of cases, or for each case whether it is taken."""
    found = np.asarray(rows)
    if found.size == 0:
        found = found.astype(np.int64)
    if found.dtype.kind == "b" and found.shape == (n,):
        return found
    if found.dtype.kind in "iu" and found.ndim == 1 and ((found >= -n) & (found < n)).all():
        return found
    msg = (
        f"rows is {shown(rows)}, but must be whole numbers from 0 to {n - 1}, or for each of the "
        f"{n} cases whether it is taken."
    )
    raise IndexError(msg)


def check_names(names: Iterable[object]) -> None:
    """Check that the names of scores are texts."""
    odd = [each for each in names if not isinstance(each, str)]
    if odd:
        msg = f"The name of a score is a text, not {shown(odd[0])}."
        raise TypeError(msg)


def check_direction(value: object) -> bool:
    """Check that `higher_is_positive` of one score is True or False, not a value like them."""
    if isinstance(value, bool | np.bool_):
        return bool(value)
    msg = f"higher_is_positive is {shown(value)}, but must be True or False."
    if isinstance(value, str) and value.casefold() == "auto":
        msg += " rocspace.curves.best_orientation(table) finds the direction of a score."
    elif isinstance(value, Mapping | Sequence) and not isinstance(value, str):
        msg += (
            " For several scores, pass a mapping with the direction of each: "
            'pair_scores(y_true, {"a": ..., "b": ...}, higher_is_positive={"a": False}).'
        )
    raise TypeError(msg)


def check_directions(value: object, names: Sequence[str]) -> dict[str, bool]:
    """Check `higher_is_positive` of several scores; those that a mapping leaves out are True."""
    if not isinstance(value, Mapping):
        return dict.fromkeys(names, check_direction(value))
    if unknown := [name for name in value if name not in names]:
        raise ArgumentError(
            Argument("higher_is_positive"),
            f" names {unknown[0]!r}, which is not a score; there are "
            f"{listed_values(list(names))}.{nearest(str(unknown[0]), names)}",
        )
    return {name: check_direction(value.get(name, True)) for name in names}


def as_numbers(name: str, values: ArrayLike) -> Vector:
    """Return one number or several of any shape in double precision; refuse anything else."""
    try:
        if np.iscomplexobj(values):
            raise TypeError
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        why = f" is {shown(values)}, but must be a number, or an array of numbers."
        raise ArgumentError(Argument(name), why) from None


def check_fraction(name: str, values: ArrayLike) -> Vector:
    """Check that every value is a number in [0, 1]."""
    if np.ma.is_masked(values):
        hidden = counted(int(np.ma.getmask(values).sum()), "masked value")
        why = f" has {hidden}, but every value must be between 0 and 1. Leave them out."
        raise ArgumentError(Argument(name), why)
    try:
        if np.iscomplexobj(values):
            raise TypeError
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        why = f" is {shown(values)}, but must be a number between 0 and 1, or an array of such."
        raise ArgumentError(Argument(name), why) from None
    bad = ~((array >= 0) & (array <= 1))
    if bad.any():
        first = array[bad].ravel()[0]
        why = f" is {first}, but must be between 0 and 1.{_as_share(first)}"
        raise ArgumentError(Argument(name), why)
    return array


def check_fractions(name: str, values: ArrayLike) -> Vector:
    """Check one number in [0, 1], or a list of them."""
    array = check_fraction(name, values)
    if array.ndim > 1:
        why = f" has shape {array.shape}, but must be one number between 0 and 1, or a list."
        raise ArgumentError(Argument(name), why)
    return array


class _Short(reprlib.Repr):
    """Quote the first entries, and numbers of NumPy as they are written: 1, not np.int64(1)."""

    def repr1(self, x: Any, level: int) -> str:
        return super().repr1(x.item() if isinstance(x, np.generic) and not x.ndim else x, level)


_SHORT = _Short()
_SHORT.maxstring = _SHORT.maxother = _LONGEST


def shown(value: object) -> str:
    """Quote a value for a message, shortened, on one line."""
    if isinstance(value, str):  # perhaps of many megabytes
        value = value[: _LONGEST + 1]
    if isinstance(value, list | tuple | dict | np.generic):
        text = _SHORT.repr(value)
    else:
        text = repr(value)
    text = re.sub(r"\s*\n\s*", " ", text)
    if len(text) <= _LONGEST:
        return text
    return f"{text[:_LONGEST]}...{text[0] if isinstance(value, str) else ''}"


def counted(n: float, what: str) -> str:
    """Return a number and what it counts, in the plural unless it is one."""
    return f"{n:.10g} {what}{'' if n == 1 else 's'}"


def _is_one_number(value: object) -> bool:
    array = np.asarray(value)
    return array.ndim == 0 and array.dtype.kind in "biuf" and value is not np.ma.masked


def _check_number(name: str, value: Any) -> None:
    if not (_is_one_number(value) or isinstance(value, NUMBERS)):
        raise ArgumentError(Argument(name), f" is {shown(value)}, but must be one number.")
    as_float(name, value)


def as_float(name: str, value: Any) -> float:
    """Return a number in double precision."""
    try:
        return float(value)
    except OverflowError:
        why = f" is {shown(value)}, which is too large for a number in double precision."
        raise ArgumentError(Argument(name), why) from None


def check_clip(clip: float) -> None:
    """Check how far at least probabilities are kept from 0 and 1."""
    if not 0 <= clip < 0.5:
        msg = f"clip is {clip}, but must be at least 0 and less than one half."
        raise ValueError(msg)


def check_one_fraction(name: str, value: float) -> float:
    """Check that a value is one number in [0, 1]."""
    if not _is_one_number(value):
        msg = f"{name} is {shown(value)}, but must be one number between 0 and 1."
        raise TypeError(msg)
    return float(check_fraction(name, value))


def check_inside(name: str, value: float) -> float:
    """Check a number strictly between 0 and 1."""
    _check_number(name, value)
    if not 0 < value < 1:
        why = f" is {value}, but must lie strictly between 0 and 1.{_as_share(value)}"
        raise ArgumentError(Argument(name), why)
    return float(value)


def _as_share(value: float) -> str:
    """Return, for what looks like percent, how to write it; "" for any other number."""
    return f" {value:g} percent is {value / 100:g}." if 2 <= value <= 100 else ""


def check_positive(name: str, value: float) -> float:
    """Check a finite number above 0, whose square is one, too."""
    _check_number(name, value)
    if not 0 < value < np.inf:
        raise ArgumentError(Argument(name), f" is {value}, but must be a positive number.")
    if not 0 < float(value) * float(value) < np.inf:
        raise ArgumentError(Argument(name), f" is {value}, whose square does not fit float64.")
    return float(value)


def check_sizes(**sizes: object) -> None:
    """Check that each size is a whole number, 1 or more."""
    for name, size in sizes.items():
        whole = isinstance(size, (int, np.integer)) and not isinstance(size, bool)
        if not whole or size < 1:  # type: ignore[operator]
            why = f" is {shown(size)}, but must be a whole number, 1 or more."
            raise ArgumentError(Argument(name), why)


def check_not_negative(name: str, value: float) -> float:
    """Check a number that is zero or more, infinity included."""
    _check_number(name, value)
    if not value >= 0:
        raise ArgumentError(Argument(name), f" is {value}, but must be zero or more.")
    return float(value)


def check_level(level: float) -> float:
    """Check a confidence level: a number strictly between 0 and 1."""
    if not _is_one_number(level):
        msg = (
            f"level is {shown(level)}, but must be one number strictly between 0 and 1, as 0.95 is."
        )
        raise TypeError(msg)
    if not 0 < level < 1:
        why = f" is {level}, but must lie strictly between 0 and 1, as 0.95 does."
        raise ArgumentError(Argument("level"), why)
    if not 1 - float(level) < 1:
        why = f" is {level}, which float64 cannot tell from 0. Say 0.95, for instance."
        raise ArgumentError(Argument("level"), why)
    return float(level)


def check_rng(rng: object) -> np.random.Generator:
    """Return the generator of an argument ``rng``: a generator, a seed, or None."""
    try:
        return np.random.default_rng(rng)  # type: ignore[arg-type]
    except (TypeError, ValueError) as error:
        msg = (
            f"rng is {shown(rng)}, but must be a numpy.random.Generator or a seed, a whole number, "
            "zero or more."
        )
        raise type(error)(msg) from None


def check_range(name: str, ends: tuple[float, float]) -> tuple[float, float]:
    """Check a range inside [0, 1] whose lower end comes first."""
    if np.iscomplexobj(ends):
        check_fraction(name, ends)
    try:
        low, high = map(float, ends)
    except (TypeError, ValueError):
        msg = f"{name} is {shown(ends)}, but a range has two ends, as in {name}=(0, 0.1)."
        raise ValueError(msg) from None
    if not (0 <= low <= 1 and 0 <= high <= 1):
        check_fraction(name, (low, high))
    if low >= high:
        why = f" is ({low}, {high}), but its first end must be the smaller one."
        raise ArgumentError(Argument(name), why)
    return low, high


def check_part(fpr: Ends | None, tpr: Ends | None) -> tuple[Axis, float, float] | None:
    """Return the rate that an area is restricted to, and its range; None for the whole area."""
    if fpr is not None and tpr is not None:
        msg = "Give a range of fpr or of tpr, not both; for both see two_way_partial_auc."
        raise ValueError(msg)
    if fpr is None and tpr is None:
        return None
    name: Axis = "fpr" if tpr is None else "tpr"
    ends = fpr if tpr is None else tpr
    assert ends is not None
    if np.shape(ends) == (2,) and ends[0] == ends[1] and 0 <= ends[0] <= 1:
        other = "tpr_at" if name == "fpr" else "fpr_at"
        reading = InPython(f": the rate there is curve.{other}({ends[0]})")
        raise ArgumentError(Argument(name), f" is {ends}, which has no width", reading, ".")
    return (name, *check_range(name, ends))
