"""Convert any container to a NumPy vector and a mask of missing values.

No package is imported for this: containers are recognised by their attributes.
"""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Mapping, Sequence, Set
from decimal import Decimal
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

ArrayLike: TypeAlias = Any
"""Anything one-dimensional: list, NumPy, pandas, polars, pyarrow, torch on the CPU, DLPack."""

Array: TypeAlias = NDArray[Any]
"""An array of any type and shape."""

Vector: TypeAlias = NDArray[np.float64]
"""Numbers in double precision, of any shape."""

Ints: TypeAlias = NDArray[np.int64]
"""Whole numbers, of any shape."""

Mask: TypeAlias = NDArray[np.bool_]
"""True or False for each place, of any shape."""

NUMBERS = (numbers.Real, Decimal, np.bool_)
EXACT = 2**53  # float64 has every whole number up to here


_FRAME = 'Say tabulate_frame(df, label="y", score="s"), with the names of columns'


def as_vector(values: ArrayLike, name: str) -> tuple[Array, Mask | None]:
    """Turn any one-dimensional container into a NumPy vector and a mask of what is missing.

    The mask is None where nothing is missing; NaN inside a float vector is not
    looked for here.
    """
    if type(values) is np.ndarray and values.ndim == 1 and _is_plain(values.dtype):
        return values, None
    array, missing = as_block(values, name)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
        missing = None if missing is None else missing[:, 0]
    if array.ndim != 1:
        hint = " Pass a vector, one entry per case."
        if array.ndim == 2:
            names: Any = getattr(values, "column_names", getattr(values, "columns", ()))
            column = f"[{list(names)[-1]!r}]" if len(names) else "[:, 1]"
            hint = f" Pass one column, for instance {name}{column}."
            if array.shape[1] > 2:
                hint += (
                    " Of several classes: rocspace.multiclass.multiclass_scores(y_true, scores)."
                )
        msg = f"{name} has shape {array.shape}, but one value per case is needed.{hint}"
        raise ValueError(msg)
    if array.dtype.kind in "OT":  # objects, NumPy's variable-width strings
        array, absent = _from_objects(array.astype(object))
        missing = absent if missing is None else missing | absent
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    if missing is not None and not missing.any():
        missing = None
    return array, missing


def _is_plain(dtype: np.dtype[Any]) -> bool:
    """Tell whether a vector of this type is taken as it is: numbers in native order, or texts."""
    return dtype.kind not in "OT" and dtype.isnative


def as_block(values: ArrayLike, name: str) -> tuple[Array, Mask | None]:
    """Turn any container into a NumPy array of whatever shape, and its mask."""
    if isinstance(values, np.ma.MaskedArray):
        return np.asarray(values.data), np.ma.getmaskarray(values)
    if isinstance(values, np.ndarray | memoryview):
        return np.asarray(values), None
    _check_ordered(values, name)
    if hasattr(values, "toarray") and hasattr(values, "tocoo"):  # SciPy's sparse matrices
        return np.asarray(values.toarray()), None
    values = _sole_column(values)
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
    if not isinstance(values, Iterable):
        cure = "Pass one value per case."
        if hasattr(values, "get_params"):  # a model of scikit-learn
            cure = "Pass its scores of the cases, as model.predict_proba(X)[:, 1]."
        elif hasattr(type(values), "columns") or hasattr(type(values), "toDF"):  # of Spark
            cure = f"{_FRAME}."
        kind = type(values).__name__
        msg = f"{name} is {'an' if kind[0] in 'AEIO' else 'a'} {kind}, not a vector. {cure}"
        raise TypeError(msg)
    return _from_sequence(values if isinstance(values, Sequence) else list(values), name), None


def _check_ordered(values: Any, name: str) -> None:
    """Raise if it is an expression, a single value, or several without an order."""
    if type(values).__name__ in ("Expr", "Column") and not hasattr(type(values), "to_numpy"):
        # Of polars and Spark, not worked out yet; Spark's has every attribute that it is asked for.
        msg = f"{name} is an expression of columns, not a vector. {_FRAME}."
        raise TypeError(msg)
    if isinstance(values, str | bytes) or np.isscalar(values) or values is None:
        msg = f"{name} is {values!r}, a single value. Pass one value per case."
        raise TypeError(msg)
    if isinstance(values, Set | Mapping) and not hasattr(values, "__array__"):
        cure = "Pass a list or an array."
        if "fit_time" in values:
            cure = (
                "Of the result of cross_validate say rocspace.averaging.cv_tables(results, X, y)."
            )
        msg = f"{name} is a {type(values).__name__}, which has no order. {cure}"
        raise TypeError(msg)


def _sole_column(values: Any) -> Any:
    """Return the only column of a one-column data frame, so that its nulls are kept."""
    if isinstance(shape := getattr(values, "shape", None), tuple) and shape[1:] == (1,):
        names = getattr(values, "column_names", getattr(values, "columns", None))  # pyarrow; others
        return values if names is None else values[names[0]]
    return values


def _from_sequence(values: Sequence[Any], name: str) -> Array:
    try:
        array = np.asarray(values)
    except ValueError:
        msg = f"{name} is ragged: its entries have different lengths. Pass one value per case."
        raise ValueError(msg) from None
    # NumPy writes a NaN among texts as "nan", and rounds whole numbers next to floats.
    if array.dtype.kind in "US" or (array.dtype.kind == "f" and (np.abs(array) >= EXACT).any()):
        return np.asarray(values, dtype=object)
    return array


def _from_pandas(values: Any) -> tuple[Array, Mask | None]:
    """Convert a pandas Series, Index or array; nullable and arrow types keep their numbers."""
    missing = np.asarray(values.isna())
    if missing.ndim != 1 or not missing.any():
        return np.asarray(values.to_numpy()), None
    return _with_holes(np.asarray(values[~missing].to_numpy()), missing), missing


def _from_arrow_like(values: Any) -> tuple[Array, Mask | None]:
    """Convert a polars Series or a pyarrow (chunked) array with integers exact beside nulls."""
    n_missing = values.null_count() if callable(values.null_count) else values.null_count
    if not n_missing:
        return _plain_numpy(values), None
    missing = _plain_numpy(values.is_null()).astype(bool)
    polars = hasattr(values, "drop_nulls")
    present = _plain_numpy(values.drop_nulls() if polars else values.drop_null())
    return _with_holes(present, missing), missing


def _with_holes(present: Array, missing: Mask) -> Array:
    """Put the values that are present in their places; the mask marks the others."""
    array = np.zeros(missing.size, dtype=present.dtype)
    array[~missing] = present
    return array


def _plain_numpy(values: Any) -> Array:
    if str(getattr(values, "dtype", "")) in {"Int128", "UInt128"}:  # of polars; NumPy has none
        return np.array(values.to_list(), dtype=object)
    try:
        return np.asarray(values.to_numpy())
    except ValueError:  # pyarrow arrays that cannot be viewed without a copy
        return np.asarray(values.to_numpy(zero_copy_only=False))


def _from_torch(values: Any, name: str) -> Array:
    if str(values.device.type) != "cpu":
        msg = f"{name} is a tensor on {values.device}. Move it first: {name}.cpu()."
        raise TypeError(msg)
    try:
        return np.asarray(values.detach().numpy())
    except TypeError as error:
        msg = f"{name} is a tensor of {values.dtype}, which NumPy lacks. Pass {name}.float()."
        raise TypeError(msg) from error


def _from_objects(array: Array) -> tuple[Array, Mask]:
    """Give an object vector its natural type: bool, int, float, or text.

    It stays as it is where no such type keeps all distinct values distinct.
    """
    missing = np.fromiter((_is_missing(x) for x in array), dtype=bool, count=array.size)
    present = array[~missing]
    kinds = {type(x) for x in present}
    natural: list[Any]
    if kinds <= {bool, np.bool_}:
        natural = [bool]
    elif all(issubclass(kind, str) for kind in kinds):
        natural = [str]
    elif all(issubclass(kind, int | np.integer | np.bool_) for kind in kinds):
        natural = [np.int64, np.uint64, np.float64]
    elif all(issubclass(kind, NUMBERS) for kind in kinds):
        natural = [np.float64]
    else:
        natural = []
    for kind in natural:
        try:
            converted = present.astype(kind)
        except (TypeError, ValueError, OverflowError):
            continue
        if kind is np.float64:
            kept = np.unique(converted).size == len(set(present))
        else:  # NumPy drops zero characters at the end of a text
            kept = kind is not str or not any(text.endswith("\0") for text in set(present))
        if kept:
            return _with_holes(converted, missing), missing
    return array, missing


def _is_missing(value: object) -> bool:
    """Tell whether a value is None, or NaN, NaT or pandas.NA, which do not equal themselves."""
    if value is None:
        return True
    try:
        return bool(value != value)
    except (TypeError, ArithmeticError):  # pandas.NA; a signalling NaN of decimal
        return True
    except ValueError:  # an array
        return False
