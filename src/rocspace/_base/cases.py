"""Checks of labels, scores, weights and whole samples, and what is said of them.

Data are checked once, when they become a table. Functions on a table trust it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from rocspace._base.arrays import NUMBERS, Array, ArrayLike, Ints, Mask, Vector, as_block, as_vector
from rocspace._base.checks import check_choice, check_names
from rocspace._base.errors import Argument, ArgumentError
from rocspace._base.labels import positive_by_word
from rocspace._base.words import closest, counted, distinct_values, listed_values, shown, warn

MissingPolicy: TypeAlias = Literal["raise", "omit"]
_NUMERAL = re.compile(r"\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*", re.IGNORECASE)
_FEW = 10  # more values than this are rarely labels


class Cases(NamedTuple):
    """Checked cases, ready to count: same length, no missing values, no zero weights."""

    label: Array
    scores: tuple[Array, ...]
    weight: Vector | None
    cluster: Ints | None
    n_omitted: int


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
        swapped = "if these are the labels, y_true and y_score are swapped"
        cure = swapped if name.startswith("y_score") else "leave it out, or convert it to numbers"
        msg = (
            f"{name} contains text or objects, the first {str(array[first])!r} at index "
            f"{_row(first, rows)}. Scores are numbers, larger meaning more positive; {cure}."
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


def _refuse_label(
    y_true: Any, scores: Mapping[str, Any], vectors: Mapping[str, tuple[Array, Any]]
) -> None:
    """Refuse a score that is the column of the labels, by its name and by all its values."""
    label = getattr(y_true, "name", None)
    if not (isinstance(label, str) and label):
        return
    for name, values in scores.items():
        same = getattr(values, "name", None) == label or name.endswith(f"[{label!r}]")
        if same and np.array_equal(vectors[name][0], vectors["y_true"][0]):
            msg = f"{name} is the column {label!r} of the labels. Leave it out of the scores."
            raise ValueError(msg)


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
    _refuse_label(y_true, scores, vectors)
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
