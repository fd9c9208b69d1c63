"""The words of messages: what was given, what is near it, and warnings at the caller's line."""

from __future__ import annotations

import difflib
import os
import re
import reprlib
import sys
import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rocspace._base.arrays import Array

_SHOWN = 5  # how many offending values a message lists
_LONGEST = 60  # characters of a value that a message quotes
_PACKAGE = str(Path(__file__).parents[1]) + os.sep
_NEAR = 0.55  # likeness from which on one word may be meant by another


def warn(message: str) -> None:
    """Warn at the line of the caller that lies outside this package."""
    level, frame = 1, sys._getframe(0)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, UserWarning, stacklevel=level)


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
    """Return the existing name nearest to the wanted one, if one is as like it as that.

    Capitals do not count.
    """
    folded: dict[str, str] = {}
    for name in existing:
        folded.setdefault(name.casefold(), name)
    wanted = wanted.casefold()
    close = difflib.get_close_matches(wanted, folded, n=1, cutoff=likeness)
    if not close and len(wanted) > 2:
        close = [name for name in folded if wanted in name]
    return folded[close[0]] if close else None


class _Short(reprlib.Repr):
    """Quote the first entries, and numbers of NumPy as they are written: 1, not np.int64(1)."""

    def repr1(self, x: Any, level: int) -> str:
        return super().repr1(x.item() if isinstance(x, np.generic) and not x.ndim else x, level)

    def repr_instance(self, x: Any, level: int) -> str:
        """Name a result by its class, as in Estimate(...): half of its fields tell nothing."""
        text = super().repr_instance(x, level)
        name, bracket, _ = text.partition("(")
        return f"{name}(...)" if bracket and "..." in text and name.isidentifier() else text


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
