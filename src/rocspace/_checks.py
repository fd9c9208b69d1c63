"""Arrays and labels in, sound arrays out; every message about input lives here.

Data are checked once, when they become a table. Functions on a table trust it.
"""

from __future__ import annotations

import difflib
import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "ArrayLike",
    "Cases",
    "MissingPolicy",
    "as_counts",
    "as_vector",
    "check_cases",
    "check_choice",
    "check_class",
    "check_fraction",
    "check_labels",
    "check_lengths",
    "check_level",
    "check_no_missing",
    "check_range",
    "check_scores",
    "check_weights",
    "named_columns",
    "nearest",
    "warn",
]

ArrayLike: TypeAlias = Any
"""Anything one-dimensional: list, NumPy, pandas, polars, pyarrow, torch on the CPU, DLPack."""

MissingPolicy: TypeAlias = Literal["raise", "omit"]

_SHOWN = 5  # how many offending values a message lists


_PACKAGE = str(Path(__file__).parent)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cases:
    """Checked cases, ready to count: same length, no missing values, no zero weights."""

    label: NDArray[np.bool_]
    scores: tuple[NDArray[Any], ...]
    weight: NDArray[np.float64] | None
    cluster: NDArray[np.int64] | None
    n_omitted: int


def warn(message: str) -> None:
    """Warn at the line of the caller that lies outside this package."""
    level, frame = 1, sys._getframe(0)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, UserWarning, stacklevel=level)


# --- from any container to a NumPy vector ---------------------------------------------


def as_vector(values: ArrayLike, name: str) -> tuple[NDArray[Any], NDArray[np.bool_] | None]:
    """Turn any one-dimensional container into a NumPy vector and a mask of what is missing.

    The mask is None where nothing is missing; NaN inside a float vector is not
    looked for here. No package is imported: containers are known by what they offer.
    """
    array, missing = _to_numpy(values, name)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
        missing = None if missing is None else missing[:, 0]
    if array.ndim != 1:
        hint = (
            f" Pass one column, for instance {name}[:, 1]."
            if array.ndim == 2
            else " Pass a vector, one entry per case."
        )
        msg = f"{name} has shape {array.shape}, but one value per case is needed.{hint}"
        raise ValueError(msg)
    if array.dtype.kind == "O":
        array, missing = _from_objects(array)
    elif array.dtype.kind == "T":  # NumPy's variable-width strings
        array = array.astype(str)
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    if missing is not None and not missing.any():
        missing = None
    return array, missing


def _to_numpy(values: ArrayLike, name: str) -> tuple[NDArray[Any], NDArray[np.bool_] | None]:
    if isinstance(values, np.ma.MaskedArray):
        return np.asarray(values.data), np.ma.getmaskarray(values)
    if isinstance(values, np.ndarray):
        return values, None
    if isinstance(values, str | bytes) or np.isscalar(values) or values is None:
        msg = f"{name} is {values!r}, a single value. Pass one value per case."
        raise TypeError(msg)
    if hasattr(values, "isna") and hasattr(values, "to_numpy"):  # pandas
        return _from_pandas(values)
    if hasattr(values, "is_null") and hasattr(values, "to_numpy"):  # polars, pyarrow
        return _from_arrow_like(values)
    if hasattr(values, "detach") and hasattr(values, "cpu"):  # torch
        return _from_torch(values, name), None
    if hasattr(values, "__array__"):
        return np.asarray(values), None
    if hasattr(values, "__dlpack__"):
        return np.from_dlpack(values), None
    if not isinstance(values, Sequence) and isinstance(values, Iterable):
        values = list(values)
    try:
        return np.asarray(values), None
    except ValueError:
        msg = f"{name} is ragged: its entries have different lengths. Pass one value per case."
        raise ValueError(msg) from None


def _from_pandas(values: Any) -> tuple[NDArray[Any], NDArray[np.bool_] | None]:
    """Convert a pandas Series, Index or array; nullable and arrow types keep their integers."""
    missing = np.asarray(values.isna())
    if not missing.any():
        array = np.asarray(values.to_numpy())
        if array.dtype.kind == "O":
            kind = getattr(values.dtype, "kind", "O")
            if kind in "biuf":  # arrow- or mask-backed numbers come as objects in old versions
                array = array.astype(getattr(values.dtype, "numpy_dtype", np.float64))
        return array, None
    kind = getattr(values.dtype, "kind", "O")
    if kind == "f":
        return np.asarray(values.to_numpy(dtype=np.float64, na_value=np.nan)), missing
    if kind in "biu":  # an integer or boolean column with holes: fill them, the mask remembers
        return np.asarray(values.fillna(False if kind == "b" else 0).to_numpy()), missing
    array = np.asarray(values.to_numpy(), dtype=object)
    return array, missing


def _from_arrow_like(values: Any) -> tuple[NDArray[Any], NDArray[np.bool_] | None]:
    """Convert a polars Series or a pyarrow (chunked) array without losing integers to nulls."""
    if not getattr(values, "null_count", 0) or (
        callable(values.null_count) and values.null_count() == 0
    ):
        return _plain_numpy(values), None
    missing = _plain_numpy(values.is_null()).astype(bool)
    if hasattr(values, "drop_nulls"):  # polars
        present = _plain_numpy(values.drop_nulls())
    else:
        present = _plain_numpy(values.drop_null())
    array = np.zeros(missing.size, dtype=present.dtype)
    array[~missing] = present
    return array, missing


def _plain_numpy(values: Any) -> NDArray[Any]:
    try:
        return np.asarray(values.to_numpy())
    except ValueError:  # pyarrow arrays that cannot be viewed without a copy
        return np.asarray(values.to_numpy(zero_copy_only=False))


def _from_torch(values: Any, name: str) -> NDArray[Any]:
    if str(values.device.type) != "cpu":
        msg = f"{name} is a tensor on {values.device}. Move it first: {name}.cpu()."
        raise TypeError(msg)
    try:
        return np.asarray(values.detach().numpy())
    except TypeError as error:
        msg = f"{name} is a tensor of {values.dtype}, which NumPy lacks: {name}.float() mends it."
        raise TypeError(msg) from error


def _from_objects(array: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Give an object vector its natural type: bool, int, float, or text."""
    missing = np.fromiter((_is_missing(x) for x in array), dtype=bool, count=array.size)
    present = array[~missing]
    kinds = {type(x) for x in present}
    if kinds <= {bool, np.bool_}:
        natural: Any = bool
    elif all(issubclass(kind, int | np.integer) for kind in kinds):
        natural = np.int64
    elif all(issubclass(kind, str) for kind in kinds):
        return np.where(missing, "", array).astype(str), missing
    else:
        natural = np.float64
    filled = array.copy()
    filled[missing] = 0
    try:
        return filled.astype(natural), missing
    except (TypeError, ValueError, OverflowError):
        return array, missing


def _is_missing(value: object) -> bool:
    """Tell None, NaN, NaT and pandas.NA, each of which is not equal to itself or has no truth."""
    if value is None:
        return True
    try:
        return bool(value != value)
    except TypeError:  # pandas.NA
        return True


# --- labels ------------------------------------------------------------------------------


def _as_labels(array: NDArray[Any], pos_label: object, name: str = "y_true") -> NDArray[np.bool_]:
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


def check_labels(values: ArrayLike, pos_label: object, name: str) -> NDArray[np.bool_]:
    """Check labels that stand alone, such as predictions."""
    array = check_no_missing(as_vector(values, name), name)
    return _as_labels(array, pos_label, name)


def _labels_equal_to(array: NDArray[Any], pos_label: object, name: str) -> NDArray[np.bool_]:
    positive = _equals(array, pos_label)
    others = array[~positive]
    if others.size == 0 or (others == others[0]).all():
        return positive
    values = _distinct(others)
    if not positive.any():
        texts = [str(v) for v in values]
        msg = (
            f"pos_label {pos_label!r} does not occur in {name}, whose values are "
            f"{_listed(values)}.{nearest(str(pos_label), texts)}"
        )
        raise ValueError(msg)
    warn(
        f"{name} has {len(values) + 1} values: {pos_label!r} is taken as positive, "
        f"the rest ({_listed(values)}) as negative."
    )
    return positive


def _equals(array: NDArray[Any], pos_label: object) -> NDArray[np.bool_]:
    positive = np.asarray(array == pos_label)
    if positive.shape != array.shape:  # not comparable, such as numbers with a text
        return np.zeros(array.shape, dtype=bool)
    return positive


def _unknown_labels(array: NDArray[Any], name: str) -> str:
    values = _distinct(array)
    swapped = (
        " It looks like a score: are y_true and y_score swapped?"
        if array.dtype.kind == "f" and len(values) > 2
        else ""
    )
    return (
        f"{name} has the values {_listed(values)}; which of them is positive? "
        f"Say so with pos_label, as in pos_label={values[-1]!r}.{swapped}"
    )


def _distinct(array: NDArray[Any]) -> list[Any]:
    try:
        return list(np.unique(array).tolist())
    except TypeError:  # objects of several types have no order
        return sorted(set(array.tolist()), key=str)


def _listed(values: Sequence[Any]) -> str:
    shown = ", ".join(repr(v) for v in values[:_SHOWN])
    return shown if len(values) <= _SHOWN else f"{shown}, ... ({len(values)} in all)"


def nearest(wanted: str, existing: Iterable[str]) -> str:
    """Return " Did you mean ...?" for the existing name nearest to the wanted one, or ""."""
    names = list(existing)
    close = difflib.get_close_matches(wanted, names, n=1, cutoff=0.5)
    if not close:
        folded = {name.casefold(): name for name in names}
        close = [folded[wanted.casefold()]] if wanted.casefold() in folded else []
    return f" Did you mean {close[0]!r}?" if close else ""


# --- scores and weights ------------------------------------------------------------------


def check_scores(array: NDArray[Any], name: str = "y_score") -> NDArray[Any]:
    """Check that a vector can be ranked as a score; booleans become 0 and 1."""
    kind = array.dtype.kind
    if kind == "b":
        return array.view(np.uint8)
    if kind in "iuf":
        return np.ascontiguousarray(array)
    if kind in "USO":
        first = next((i for i, x in enumerate(array) if not _is_number(x)), 0)
        msg = (
            f"{name} holds text or objects, the first {array[first].__str__()!r} at index "
            f"{first}. Scores are numbers, larger meaning more positive; if these are the "
            "labels, y_true and y_score are swapped."
        )
        raise TypeError(msg)
    msg = f"{name} has the type {array.dtype}, which cannot be ranked. Convert it to numbers."
    raise TypeError(msg)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | np.number)


def check_weights(weight: NDArray[Any]) -> NDArray[np.float64]:
    if weight.dtype.kind not in "biuf":
        msg = f"sample_weight has the type {weight.dtype}. Weights are numbers, zero or more."
        raise TypeError(msg)
    checked = np.ascontiguousarray(weight, dtype=np.float64)
    bad = np.flatnonzero(~(np.isfinite(checked) & (checked >= 0)))
    if bad.size:
        msg = (
            f"sample_weight has {bad.size} negative or infinite values, the first "
            f"{checked[bad[0]]} at index {bad[0]}. Weights are finite and zero or more."
        )
        raise ValueError(msg)
    return checked


# --- whole samples -------------------------------------------------------------------------


def check_cases(
    y_true: ArrayLike,
    scores: Mapping[str, ArrayLike],
    *,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
    cluster: ArrayLike | None = None,
    nan: MissingPolicy = "raise",
    of_many: bool = False,
) -> Cases:
    """Check labels, scores, weights and clusters together; the one door for cases.

    A batch `of_many` may be empty, and may lack the positive label.
    """
    check_choice("nan", nan, ("raise", "omit"))
    for name, values in scores.items():
        if values is y_true:
            msg = f"{name} is the very same object as y_true. Pass the scores of the cases."
            raise ValueError(msg)
    extra = {"sample_weight": sample_weight, "cluster": cluster}
    given = {name: values for name, values in extra.items() if values is not None}
    named = {"y_true": y_true, **scores, **given}
    vectors = {name: as_vector(values, name) for name, values in named.items()}
    check_lengths({name: array.size for name, (array, _) in vectors.items()})
    arrays, n_omitted = _without_missing(vectors, nan)
    if arrays["y_true"].size == 0 and not of_many:
        what = "all of them were omitted as missing" if n_omitted else "y_true is empty"
        msg = f"There are no cases: {what}. Pass at least one complete case."
        raise ValueError(msg)
    if of_many and pos_label is not None:
        label = _equals(arrays["y_true"], pos_label)
    else:
        label = _as_labels(arrays["y_true"], pos_label)
    columns = [check_scores(arrays[name], name) for name in scores]
    weight = check_weights(arrays["sample_weight"]) if "sample_weight" in arrays else None
    numbers = None
    if "cluster" in arrays:
        numbers = np.unique(arrays["cluster"], return_inverse=True)[1].astype(np.int64)
    if weight is not None and not weight.all():
        kept = weight > 0
        if not (kept.any() or of_many):
            msg = "sample_weight is zero for every case, so nothing is left to count."
            raise ValueError(msg)
        label, weight = label[kept], weight[kept]
        columns = [column[kept] for column in columns]
        numbers = None if numbers is None else numbers[kept]
    return Cases(
        label=label,
        scores=tuple(columns),
        weight=weight,
        cluster=numbers,
        n_omitted=n_omitted,
    )


def check_class(scores: ArrayLike, name: str, nan: MissingPolicy) -> NDArray[Any]:
    """Check the scores of one class; a class may be empty."""
    check_choice("nan", nan, ("raise", "omit"))
    arrays, _ = _without_missing({name: as_vector(scores, name)}, nan)
    array = arrays[name]
    return check_scores(array.astype(np.float64) if array.size == 0 else array, name)


def named_columns(scores: ArrayLike, names: Sequence[str] | None) -> dict[str, ArrayLike]:
    """Give each column of a mapping, a frame or a matrix its name."""
    if hasattr(scores, "keys") and hasattr(scores, "__getitem__"):
        columns = {str(key): scores[key] for key in scores.keys()}  # noqa: SIM118 (frames)
    elif hasattr(scores, "columns") and hasattr(scores, "__getitem__"):  # polars
        columns = {str(key): scores[key] for key in scores.columns}
    else:
        block, _ = _to_numpy(scores, "y_scores")
        if block.ndim != 2:
            msg = f"y_scores has shape {block.shape}. Pass (n, m): one column for each score."
            raise ValueError(msg)
        columns = {f"score_{j + 1}": block[:, j] for j in range(block.shape[1])}
    if names is None:
        return columns
    if len(names) != len(columns) or len(set(names)) != len(names):
        msg = f"names has {len(names)} entries for {len(columns)} scores. Give distinct ones."
        raise ValueError(msg)
    return dict(zip(names, columns.values(), strict=True))


def check_lengths(sizes: Mapping[str, int]) -> None:
    """Check that all vectors have the same length."""
    if len(set(sizes.values())) > 1:
        listed = ", ".join(f"{name} has {size}" for name, size in sizes.items())
        msg = f"Lengths differ: {listed}. Pass one entry per case in each."
        raise ValueError(msg)


def check_no_missing(
    vector: tuple[NDArray[Any], NDArray[np.bool_] | None], name: str
) -> NDArray[Any]:
    """Raise if a value is missing; return the vector."""
    return _without_missing({name: vector}, "raise")[0][name]


def _without_missing(
    vectors: dict[str, tuple[NDArray[Any], NDArray[np.bool_] | None]], nan: MissingPolicy
) -> tuple[dict[str, NDArray[Any]], int]:
    masks = {name: _missing_mask(array, mask) for name, (array, mask) in vectors.items()}
    found = {name: mask for name, mask in masks.items() if mask is not None}
    arrays = {name: array for name, (array, _) in vectors.items()}
    if not found:
        return arrays, 0
    if nan == "raise":
        name, mask = next(iter(found.items()))
        where = np.flatnonzero(mask)
        msg = (
            f"{name} has {where.size} missing values (NaN or null), the first at index "
            f'{where[0]}. Fill them or drop those rows, or pass nan="omit".'
        )
        raise ValueError(msg)
    omitted = np.logical_or.reduce(list(found.values()))
    n_omitted = int(np.count_nonzero(omitted))
    causes = ", ".join(f"{np.count_nonzero(m)} in {name}" for name, m in found.items())
    warn(f"{n_omitted} of {omitted.size} cases omitted for missing values ({causes}).")
    return {name: array[~omitted] for name, array in arrays.items()}, n_omitted


def _missing_mask(array: NDArray[Any], mask: NDArray[np.bool_] | None) -> NDArray[np.bool_] | None:
    # min() is NaN as soon as one entry is: one quick pass tells the usual case.
    if array.dtype.kind == "f" and array.size and np.isnan(array.min()):
        nan = np.isnan(array)
        mask = nan if mask is None else mask | nan
    return mask


def as_counts(values: ArrayLike, name: str) -> NDArray[np.int64]:
    """Check ready-made counts: whole, zero or more, together below 2**62."""
    array, missing = as_vector(values, name)
    if array.dtype.kind not in "biuf":
        msg = f"{name} has the type {array.dtype}. Counts are whole numbers, zero or more."
        raise TypeError(msg)
    bad = ~((array >= 0) & (array == np.floor(array)) & (array < 2**62))
    if missing is not None:
        bad |= missing
    if bad.any():
        first = int(np.flatnonzero(bad)[0])
        msg = (
            f"{name} is {array[first]} at index {first}. Counts are whole numbers, zero or "
            "more, below 2**62; for fractions give sample_weight to tabulate."
        )
        raise ValueError(msg)
    counts = array.astype(np.int64)
    if float(counts.sum(dtype=np.float64)) >= 2.0**62:
        msg = f"{name} adds up to 2**62 or more, beyond what this table can count."
        raise ValueError(msg)
    return counts


# --- options -------------------------------------------------------------------------------


def check_choice(name: str, value: object, choices: Sequence[str]) -> None:
    """Check a word against the words that are known."""
    if value not in choices:
        listed = ", ".join(repr(c) for c in choices)
        msg = f"{name} is {value!r}, but must be one of {listed}.{nearest(str(value), choices)}"
        raise ValueError(msg)


def check_fraction(name: str, values: ArrayLike) -> NDArray[np.float64]:
    """Check that every value is a number in [0, 1]."""
    array = np.asarray(values, dtype=np.float64)
    bad = ~((array >= 0) & (array <= 1))
    if bad.any():
        msg = f"{name} is {array[bad].ravel()[0]}, but must be between 0 and 1."
        raise ValueError(msg)
    return array


def check_level(level: float) -> float:
    """Check a confidence level: a number strictly between 0 and 1."""
    if not 0 < level < 1:
        msg = f"level is {level}, but must lie strictly between 0 and 1, as 0.95 does."
        raise ValueError(msg)
    return float(level)


def check_range(name: str, ends: tuple[float, float]) -> tuple[float, float]:
    """Check a range inside [0, 1] whose lower end comes first."""
    low, high = (float(end) for end in check_fraction(name, ends))
    if low >= high:
        msg = f"{name} is ({low}, {high}), but its first end must be the smaller one."
        raise ValueError(msg)
    return low, high
