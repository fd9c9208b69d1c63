"""Targets and constraints for choosing a threshold."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Literal

import numpy as np

from rocspace._base.calls import explained
from rocspace._base.checks import as_numbers, check_choice
from rocspace._base.errors import ArgumentError, InPython
from rocspace._base.frozen import Result
from rocspace._base.synonyms import understood
from rocspace._base.words import shown
from rocspace.measures.criteria import Criterion
from rocspace.measures.facts import CRITERIA


class NoThresholdError(ValueError):
    """No threshold meets the constraints, or the criterion is undefined at all that do."""


class Target(Result, kw_only=False):
    """A measure and the value it should come nearest to, as a criterion for a threshold.

    Attributes
    ----------
    measure : str
        A name of `rocspace.measures.CRITERIA`, or a synonym.
    value : float
        The wanted value, in the range of the measure.

    See Also
    --------
    optimal_points, criterion_values

    Examples
    --------
    >>> str(Target("tnr", 0.85))
    'tnr nearest 0.85'
    """

    measure: Criterion
    value: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "measure", check_criterion(self.measure, _PLAIN))
        _check_number("value", self.value)
        _check_inside("value", self.measure, self.value, f'Target("{self.measure}", {{}})')

    def __str__(self) -> str:
        return f"{self.measure} nearest {float(self.value):g}"


class Constraint(Result, kw_only=False):
    """A requirement that a threshold must meet.

    Attributes
    ----------
    measure : str
        A name of `rocspace.measures.CRITERIA`, or a synonym; or "selected",
        how many cases are called positive.
    sense : {">=", "<="}
        Whether the bound is the least or the largest value allowed.
    bound : float
        The bound, in the range of the measure; reaching it is enough. A measure that is undefined
        meets none.

    See Also
    --------
    optimal_points, criterion_values

    Examples
    --------
    >>> str(Constraint("ppv", ">=", 0.3)), str(Constraint("selected", "<=", 800))
    ('ppv >= 0.3', 'selected <= 800')
    """

    _made = 'Constraint("tpr", ">=", 0.9)'

    measure: Criterion
    sense: Literal[">=", "<="]
    bound: float

    def __post_init__(self) -> None:
        known = (*_PLAIN, "selected")
        object.__setattr__(self, "measure", check_criterion(self.measure, known))
        check_choice("sense", self.sense, (">=", "<="))
        _check_number("bound", self.bound)
        made = f'Constraint("{self.measure}", "{self.sense}", {{}})'
        _check_inside("bound", self.measure, self.bound, made)

    def __str__(self) -> str:
        return f"{self.measure} {self.sense} {float(self.bound):g}"


_PERCENT = 100
_PLAIN = tuple(n for n, fact in CRITERIA.items() if not (not fact.rank_based or n == "cost"))


@explained
def check_criterion(name: str, known: tuple[str, ...] = tuple(CRITERIA)) -> str:
    """Return the name of a criterion, which may have been given by a synonym.

    Parameters
    ----------
    name : str
        The name or synonym.
    known : tuple of str
        The names to choose from; by default all criteria.

    Returns
    -------
    str
        One of `known`.

    Raises
    ------
    ValueError
        If it is neither a name nor a synonym; the message names the nearest.

    References
    ----------
    No source: a plain definition.

    Examples
    --------
    >>> check_criterion("recall")
    'tpr'
    """
    ours = understood(name, known)
    if ours is None and isinstance(name, str) and re.search("[<>]=?", name):
        msg = (
            f"{name!r} is a constraint, not a criterion. Say criterion=..., "
            'subject_to=rocspace.operating.Constraint("tpr", ">=", 0.9).'
        )
        raise ValueError(msg)
    if ours is None:
        check_choice("criterion", name, known)
    return ours or name


def _check_number(name: str, value: object) -> None:
    number = (
        float(as_numbers(name, value))
        if isinstance(value, int | float | Fraction | np.number)
        else np.nan
    )
    if not np.isfinite(number):
        msg = f"{name} is {shown(value)}, but must be a finite number."
        raise ValueError(msg)


def _check_inside(name: str, measure: str, value: float, made: str) -> None:
    """Refuse a value that a measure never has; `made` is the line with a place for another."""
    low, high = (0.0, np.inf) if measure == "selected" else CRITERIA[measure].range
    if low <= value <= high:
        return
    reach = f"{low:g} or more" if high == np.inf else f"between {low:g} and {high:g}"
    why = f"{measure} is {reach}, but its {name} is {shown(value)}"
    if (low, high) != (0, 1) or not 1 < value <= _PERCENT:
        raise ArgumentError(why, ".")
    share = f"{float(value) / _PERCENT:g}"
    line = InPython(f", as in {made.format(share)}")
    raise ArgumentError(why, f": {float(value):g} percent is {share}", line, ".")
