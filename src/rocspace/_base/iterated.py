"""Results read row by row, told apart from results unpacked as if they were tuples."""

from __future__ import annotations

import sys
from collections import namedtuple
from collections.abc import Iterator, Mapping
from dis import opmap
from functools import cache
from typing import Any, NoReturn

_UNPACKS = {opmap["UNPACK_SEQUENCE"], opmap["UNPACK_EX"]}


def is_unpacking(depth: int) -> bool:
    """Tell whether the code that asked for an iterator is at ``a, b = result``.

    Python asks with the same call for ``a, b = result`` and for ``list(result)``, but the
    instruction that asked is known: unpacking has two of its own.

    Parameters
    ----------
    depth : int
        How many calls above this one the asking code is: 2 for the caller of ``__iter__``.
    """
    asking = sys._getframe(depth)
    return asking.f_code.co_code[asking.f_lasti] in _UNPACKS


def rows_of(columns: Mapping[str, Any], refusal: str) -> Iterator[tuple[Any, ...]]:
    """Return an iterator of the rows of columns, each a named tuple of plain values.

    Parameters
    ----------
    columns : mapping
        Arrays or lists of one length by name.
    refusal : str
        What to say where NumPy is about to take the rows for a matrix of numbers.
    """
    plain = [each.tolist() if hasattr(each, "tolist") else each for each in columns.values()]
    make = _row_class(tuple(map(str, columns)), refusal)._make
    return map(make, zip(*plain, strict=True))


@cache
def _row_class(names: tuple[str, ...], refusal: str) -> Any:
    """Return the class of rows; a name that is no identifier is kept, as pandas reads it."""

    def refuse(*_: Any, **__: Any) -> NoReturn:
        raise TypeError(refusal)

    def state(row: tuple[Any, ...]) -> tuple[Any, ...]:
        return _row, (names, refusal, tuple(row))

    base: Any = namedtuple("Row", names, rename=True)  # type: ignore[misc]
    told = {"_fields": names, "__reduce__": state, "__array__": refuse, "__slots__": ()}
    return type("Row", (base,), told)


def _row(names: tuple[str, ...], refusal: str, values: tuple[Any, ...]) -> Any:
    """Return a row that was pickled."""
    return _row_class(names, refusal)._make(values)
