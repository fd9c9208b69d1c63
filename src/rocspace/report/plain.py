"""Numbers as plain JSON types, and back."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from rocspace.results.estimates import Interval

INFINITIES = {"inf": math.inf, "-inf": -math.inf}


def plain(value: Any) -> Any:
    """Return a number as JSON has it: infinities as "inf" and "-inf", NaN as null."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if hasattr(value, "item"):  # a NumPy scalar
        value = value.item()
    if isinstance(value, (bool, int)):
        return value
    number = float(value)
    if math.isnan(number):
        return None
    if math.isinf(number):
        return "inf" if number > 0 else "-inf"
    return number


def plain_list(values: Any) -> list[Any]:
    """Return a vector of numbers as a list of plain ones."""
    return [plain(value) for value in values.tolist()]


def plain_interval(interval: Interval) -> dict[str, Any]:
    """Return an interval with its level and method."""
    return {
        "low": plain(interval.low),
        "high": plain(interval.high),
        "level": plain(interval.level),
        "method": interval.method,
    }


def plain_copy(value: Any) -> Any:
    """Copy nested mappings and sequences into dicts and lists of plain values.

    What JSON has no type for (a path, a date) becomes its text.
    """
    if isinstance(value, Mapping):
        return {str(key): plain_copy(each) for key, each in value.items()}
    if isinstance(value, (str, bytes)):
        return value if isinstance(value, str) else repr(value)
    if hasattr(value, "tolist"):
        return plain_copy(value.tolist())
    if isinstance(value, Iterable):
        return [plain_copy(each) for each in value]
    if value is None or isinstance(value, (bool, int, float)):
        return plain(value)
    return str(value)


def number(value: Any) -> float:
    """Read a plain number back: "inf" becomes infinity, null NaN."""
    if value is None:
        return math.nan
    return INFINITIES[value] if isinstance(value, str) else float(value)
