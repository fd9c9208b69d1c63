"""Checks of options and other arguments, and what is said of them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

import numpy as np

from rocspace._base.arrays import NUMBERS, Array, ArrayLike, Vector
from rocspace._base.errors import Argument, ArgumentError, InPython
from rocspace._base.synonyms import CRITERIA, folded, words_meant
from rocspace._base.words import counted, listed_values, nearest, shown

Ends: TypeAlias = tuple[float, float]
Axis: TypeAlias = Literal["fpr", "tpr"]
_MOST = 20  # how many of the words that are known


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
        meant = words_meant(value, [each for each in known if isinstance(each, str)])
        close = nearest(str(value), map(str, known))
        if meant:
            several = f" Of that kind are {', '.join(map(repr, meant))}."
            close = several if len(meant) > 1 else f" Did you mean {meant[0]!r}?"
        if name == "criterion" and (line := CRITERIA.get(folded(str(value)))):
            close = f" Say {line}."
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
        listed, first = listed_values(names), shown(names[0])
        msg = f"There are several {what}s: {listed}. Which one? Name it, as in name={first}."
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
