"""Which argument of a call is not of the kind that its annotation says.

Asked only after a call has failed: a call that works pays nothing. An annotation that cannot be
judged, such as a protocol, fits everything.
"""

from __future__ import annotations

import builtins
import collections.abc
import dis
import inspect
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from decimal import Decimal
from fractions import Fraction
from functools import cache
from numbers import Integral
from pathlib import Path
from types import FunctionType, NoneType, TracebackType, UnionType
from typing import Any, ForwardRef, Literal, Union, get_args, get_origin

import numpy as np

from rocspace._base.arrays import NUMBERS
from rocspace._base.words import shown

_PACKAGE = str(Path(__file__).parents[1]) + os.sep
_RAISE = dis.opmap["RAISE_VARARGS"]


class KindError(TypeError):
    """An argument is not of the kind that its annotation says."""


class _Named:
    """A class that is known by name only: it is imported for those who check types."""

    def __class_getitem__(cls, _: Any) -> type[_Named]:
        return cls


class _Column(_Named):
    """Anything that has several entries, of any type."""


class _Numbers(_Named):
    """One number, or several."""


_OWN = {
    "ArrayLike": _Column,
    "Array": _Numbers,
    "Vector": _Numbers,
    "Ints": _Numbers,
    "Rng": np.random.Generator | int | None,
}
_SAID: dict[Any, str] = {
    bool: "True or False",
    int: "a whole number",
    float: "a number",
    str: "a text",
    NoneType: "None",
    _Column: "an array",
    _Numbers: "a number or an array of numbers",
    np.random.Generator: "a generator",
}
_ARRAYS = ("Array", "Vector", "Ints", "Mask", "Any", "object", "Frame", "self")
_LARGE = 2**62  # whole numbers from here on are no sizes
_SIZE = 2**31  # and from here on they may be what no memory had room for
_TOO_BIG = "array is too big", "Maximum allowed dimension"
_EDGES = 1e-150, 1e150  # numbers beyond have squares that are 0 or infinite
_UNJUDGED = (Any, object, inspect.Parameter.empty)


def is_ours(error: BaseException) -> bool:
    """Tell whether an error was raised by a line of this package, with a message of its own."""
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    return last is not None and _raised_there(last)


def _raised_there(place: TracebackType) -> bool:
    code = place.tb_frame.f_code
    return code.co_filename.startswith(_PACKAGE) and code.co_code[place.tb_lasti] == _RAISE


def check_fields(result: Any) -> None:
    """Check that each field of an object is of the kind that its annotation says."""
    kind = type(result)
    for name, annotation in inspect.get_annotations(kind).items():
        if annotation.startswith("ClassVar") or name[0] == "_":
            continue
        meant = _evaluated(annotation, vars(sys.modules[kind.__module__]))
        value = getattr(result, name)
        if not fits(value, meant):
            msg = f"{kind.__name__} takes {_kind(meant)} as {name}, not {shown(value)}."
            raise KindError(msg)


def misfit(
    function: FunctionType, args: Sequence[Any], given: Mapping[str, Any], error: Exception
) -> str:
    """Say which argument a call could not use, of those that failed by an error; "" if none.

    The first that is not of the kind that its annotation says, or else the first that is unusual.
    """
    signature = inspect.signature(function)
    try:
        bound = signature.bind(*args, **given).arguments
    except TypeError:
        return ""
    for name, value in bound.items():
        parameter = signature.parameters[name]
        if name == "self" or parameter.kind is parameter.VAR_KEYWORD:
            continue
        meant = _meaning(function, name)
        values = value if parameter.kind is parameter.VAR_POSITIONAL else (value,)
        default = parameter.default
        for each in values:
            if each is not default and not fits(each, meant) and (kind := _kind(meant)):
                called = function.__qualname__.removesuffix(".__init__")
                return f"{called} takes {kind} as {name}, not {shown(each)}."
    return _mixed(function, bound) or _unusual(function, bound) or _extreme(function, bound, error)


def no_number(
    function: FunctionType, args: Sequence[Any], given: Mapping[str, Any], error: Exception
) -> str:
    """Say which argument has a text that was to be a number; "" if that was not what failed."""
    if "could not convert string to float" not in str(error):
        return ""
    for name, value in inspect.signature(function).bind(*args, **given).arguments.items():
        if "ArrayLike" not in str(function.__annotations__.get(name)):
            continue
        for each in np.asarray(value, dtype=object).ravel().tolist():
            if isinstance(each, str) and repr(str(each)) in str(error):
                return f"{name} has {shown(str(each))}, but must be numbers."
    return ""


def _mixed(function: FunctionType, bound: Mapping[str, Any]) -> str:
    """Say which array has entries of several kinds, such as a text beside numbers; "" if none."""
    for name, value in _columns(function, bound):
        entries = np.asarray(value, dtype=object).ravel().tolist()
        odd = [each for each in entries if not isinstance(each, NUMBERS) and not _is_nan(each)]
        kinds = {type(each) for each in odd}
        if len(kinds) > 1 or (odd and len(odd) < len(entries)) or (kinds and kinds != {str}):
            return f"{function.__name__} cannot use {shown(odd[0])}, which is in {name}."
    return ""


def _columns(function: FunctionType, bound: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the arguments that are arrays, and the arrays that are in mappings, by their names."""
    for name, value in bound.items():
        meant = str(function.__annotations__.get(name)).removesuffix(" | None").split(" | ")
        if isinstance(value, Mapping) and "Mapping[str, ArrayLike]" in meant:
            yield from ((f"{name}[{key!r}]", each) for key, each in value.items())
        elif "ArrayLike" in meant:
            yield name, value


def _is_nan(value: Any) -> bool:
    try:
        return bool(value != value)
    except (TypeError, ValueError):  # an array, pandas' NA
        return False


def _unusual(function: FunctionType, bound: Mapping[str, Any]) -> str:
    """Say which number no double precision holds, or which array stands for something else."""
    called = function.__qualname__.removesuffix(".__init__")
    for name, value in bound.items():
        meant = str(function.__annotations__.get(name, ""))
        if isinstance(value, Fraction | Decimal):
            return f"{called} takes a float as {name}, not {value!r}."
        parts = value if isinstance(value, list | tuple) else ()
        if odd := [each for each in parts if isinstance(each, Fraction | Decimal)]:
            return f"{called} takes floats in {name}, not {odd[0]!r}."
        if large := [each for each in _entries(value) if _is_large(each)]:
            said = "is" if large[0] is value else "has"
            return f"{name} {said} {shown(large[0])}, which is too large for {called}."
        if isinstance(value, str) and not value and "Path" in meant:
            return f"{name} is an empty text, but {called} takes the name of a file."
        if any(word in meant for word in _ARRAYS):
            continue
        for each in value.values() if isinstance(value, Mapping) else (value,):
            if hasattr(each, "__array__") and getattr(each, "ndim", 0) > 0:
                kind, said = type(each).__name__, "as" if each is value else "in"
                return f"{called} takes no {kind} {said} {name}: pass a list, or one value."
    return ""


def _entries(value: Any) -> list[Any]:
    """Return what a list or an array of objects has, however deep; anything else itself."""
    if isinstance(value, np.ndarray) and value.dtype.kind == "O":
        value = value.ravel().tolist()
    if isinstance(value, list | tuple):
        return [entry for each in value for entry in _entries(each)]
    return [value]


def _is_large(value: Any) -> bool:
    return isinstance(value, int) and abs(value) >= _LARGE


def _extreme(function: FunctionType, bound: Mapping[str, Any], error: Exception) -> str:
    """Say which number was too large or too small for what was computed; "" if none."""
    called = function.__qualname__.removesuffix(".__init__")
    wide = isinstance(error, MemoryError) or str(error).startswith(_TOO_BIG)
    for name, value in bound.items():
        size = abs(float(value)) if isinstance(value, NUMBERS) else 0.0
        if size >= _SIZE if wide else size > _EDGES[1]:
            return f"{name} is {shown(value)}, which is too large for {called}."
        if isinstance(error, ArithmeticError) and 0 < size < _EDGES[0]:
            return f"{name} is {shown(value)}, which is too small for {called}."
    return ""


@cache
def _meaning(function: FunctionType, name: str) -> Any:
    """Return the annotation of a parameter as an object."""
    return _evaluated(function.__annotations__.get(name, Any), function.__globals__)


class _Names(dict[str, Any]):
    """The names of a module, and those that it imports only for those who check types."""

    def __missing__(self, name: str) -> Any:
        if hasattr(builtins, name):
            return getattr(builtins, name)
        loaded = [vars(each) for key, each in sys.modules.items() if key.startswith("rocspace.")]
        found = next((each[name] for each in loaded if name in each), None)
        return type(name, (_Named,), {}) if found is None else found


def _evaluated(annotation: Any, space: Mapping[str, Any]) -> Any:
    if not isinstance(annotation, str):
        return annotation
    try:
        return eval(annotation, {}, _Names({**space, **_OWN}))
    except Exception:  # what cannot be evaluated cannot be judged
        return Any


def fits(value: Any, meant: Any) -> bool:
    """Tell whether a value is of the kind of an annotation."""
    if meant in _UNJUDGED or isinstance(meant, str | ForwardRef):
        return True
    kind, parts = get_origin(meant), get_args(meant)
    if kind in (Union, UnionType):
        return any(fits(value, part) for part in parts)
    if kind is Literal:
        return any(type(value) is type(part) and value == part for part in parts)
    if kind is not None:
        return _fits_parts(value, kind, parts)
    if isinstance(meant, type):
        return _is_one(value, meant)
    return value is None if meant is None else True


def _is_one(value: Any, meant: type) -> bool:
    if meant is bool:
        return isinstance(value, bool | np.bool_)
    if meant is int:
        return isinstance(value, Integral) and not isinstance(value, bool)
    if meant is float:
        numeric = isinstance(value, np.ndarray) and value.ndim == 0 and value.dtype.kind in "biuf"
        return numeric or (isinstance(value, NUMBERS) and not isinstance(value, bool | np.bool_))
    if meant in (_Column, _Numbers):
        return _is_array(value, numbers=meant is _Numbers)
    if issubclass(meant, _Named):
        return any(each.__name__ == meant.__name__ for each in type(value).__mro__)
    if getattr(meant, "_is_protocol", False):
        protocol: Any = meant
        return all(hasattr(value, name) for name in _members(protocol))
    return isinstance(value, meant)


@cache
def _members(protocol: Any) -> frozenset[str]:
    """Return what an object of a protocol has."""
    return frozenset(
        name
        for each in protocol.__mro__
        if getattr(each, "_is_protocol", False)
        for name in (*inspect.get_annotations(each), *vars(each))
        if name[0] != "_"
    )


def _is_array(value: Any, *, numbers: bool) -> bool:
    if isinstance(value, str | bytes | Mapping | set | type) or value is None:
        return False
    try:
        array = np.asarray(value)
    except (TypeError, ValueError):
        return False
    if numbers:
        return array.dtype.kind in "biuf" or all(isinstance(x, NUMBERS) for x in array.flat)
    return array.ndim > 0


def _fits_parts(value: Any, kind: Any, parts: tuple[Any, ...]) -> bool:
    """Tell whether a value is a container of parts of the right kinds."""
    if kind is np.ndarray:
        return _is_array(value, numbers=False)
    if kind is collections.abc.Callable:
        return callable(value)
    if kind in (type, collections.abc.Iterator):
        return True
    if isinstance(kind, type) and issubclass(kind, Mapping):
        of_keys, of_values = parts or (Any, Any)
        return isinstance(value, Mapping) and all(
            fits(key, of_keys) and fits(each, of_values) for key, each in value.items()
        )
    if isinstance(kind, type) and issubclass(kind, Iterable):
        return _fits_each(value, kind, parts)
    return not isinstance(kind, type) or isinstance(value, kind)


def _fits_each(value: Any, kind: Any, parts: tuple[Any, ...]) -> bool:
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        return False
    if isinstance(value, np.ndarray) and value.ndim == 0:
        return False
    if isinstance(value, Set) and issubclass(kind, Sequence):  # has no order
        return False
    if kind is tuple and parts and parts[-1] is not Ellipsis:
        each = list(value)
        return len(each) == len(parts) and all(map(fits, each, parts))
    if iter(value) is value:  # used up by looking
        return True
    return all(fits(each, parts[0]) for each in value) if parts else True


def _kind(meant: Any) -> str:
    """Say what an annotation asks for; "" where there are no plain words for it."""
    kind, parts = get_origin(meant), get_args(meant)
    if kind in (Union, UnionType):
        said = list(dict.fromkeys(filter(None, map(_kind, parts))))
        return " or ".join(filter(None, [", ".join(said[:-1]), *said[-1:]]))
    if kind is Literal:
        return " or ".join(map(repr, parts))
    if kind is np.ndarray:
        return "an array"
    if kind is collections.abc.Callable:
        return "a function"
    if isinstance(kind, type) and issubclass(kind, Mapping):
        return "a mapping" + _of(parts, 1)
    if kind is tuple and parts and parts[-1] is not Ellipsis:
        return f"{len(parts)} values in a tuple"
    if isinstance(kind, type) and issubclass(kind, Iterable):
        return "a list" + _of(parts, 0)
    if not isinstance(meant, type):
        return ""
    if meant in _SAID:
        return _SAID[meant]
    name = meant.__name__
    return f"{'an' if name[0] in 'AEIO' else 'a'} {name}"


_PLURAL = {
    bool: "True and False",
    int: "whole numbers",
    float: "numbers",
    str: "texts",
    _Column: "arrays",
}


def _of(parts: tuple[Any, ...], place: int) -> str:
    meant = parts[place] if len(parts) > place else Any
    said = _PLURAL.get(meant, "") if isinstance(meant, type) else ""
    if not said and isinstance(meant, type) and meant not in _SAID and meant is not object:
        said = f"{meant.__name__} objects"
    return f" of {said}" if said else ""
