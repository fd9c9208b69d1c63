"""Targets and constraints for choosing a threshold."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Literal

import numpy as np

from rocspace._base.calls import explained
from rocspace._base.checks import as_numbers, check_choice, shown
from rocspace._base.frozen import Result
from rocspace._base.synonyms import understood
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
        The wanted value.

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
        The bound; reaching it is enough. A measure that is undefined meets none.

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

    def __str__(self) -> str:
        return f"{self.measure} {self.sense} {float(self.bound):g}"


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
