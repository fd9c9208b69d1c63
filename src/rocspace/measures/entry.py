"""The class `Measure` with all facts of a measure, and the decorator that registers a function.

A measure of counts is one function, for floats, arrays and fractions alike. A search for the
optimal threshold compares ``exact``. That is the function itself, unless a root would round: then
it is the radicand, and ``shown`` takes the root.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from importlib import import_module
from inspect import cleandoc
from typing import Any, Literal, ParamSpec, TypeAlias, TypeVar

import numpy as np

from rocspace._base.calls import COUNTS, explained
from rocspace._base.checks import as_numbers
from rocspace._base.errors import Argument, ArgumentError
from rocspace._base.synonyms import names_of
from rocspace._base.words import shown

P = ParamSpec("P")
R = TypeVar("R")

Number: TypeAlias = Any
"""A fraction or a float, or an array of floats."""

Better: TypeAlias = Literal["higher", "lower", "neither"]
"""Which end of a measure is good."""

Form: TypeAlias = tuple[tuple[float, float, float], tuple[float, float, float]]
"""(a, b, c), (d, e, g) of a measure (a t + b f + c) / (d t + e f + g) of tpr t and fpr f."""

_DENOMINATOR = 10**7  # a float this close to so simple a fraction is taken for that fraction


@explained
def as_fraction(x: Any) -> Fraction:
    """Return the simple fraction that a float stands for: 0.1 is one tenth, 1 / 3 one third.

    Parameters
    ----------
    x : number
        A float, or what `fractions.Fraction` takes.

    Returns
    -------
    Fraction
        Of a denominator of at most 10^7 if the float is nearest to one, else exactly the float.

    Raises
    ------
    ValueError
        If it is not a finite number.

    References
    ----------
    No source: a plain definition.

    Examples
    --------
    >>> as_fraction(0.1), as_fraction(1 / 3)
    (Fraction(1, 10), Fraction(1, 3))
    """
    try:
        exact = Fraction(float(x)) if isinstance(x, float | np.floating) else Fraction(x)
    except (TypeError, ValueError, OverflowError):  # Python's message does not name the value
        msg = f"{shown(x)} is not a finite number."
        raise ValueError(msg) from None
    simple = exact.limit_denominator(_DENOMINATOR)
    return simple if isinstance(x, float | np.floating) and float(simple) == float(x) else exact


@dataclass(frozen=True, slots=True, kw_only=True)
class Cells:
    """The input of criteria: four cells, as fractions or as arrays over all thresholds.

    Attributes
    ----------
    tp, fp, fn, tn : number
        Counts, or shares after a change of prevalence.
    score : number
        The threshold itself.
    weight : tuple of number
        Relative weights of fnr and fpr, from the costs and the prevalence; their sum is 1.
    costs : tuple of number
        Costs of a false negative and of a false positive, minus those of correct calls.

    See Also
    --------
    rocspace.operating.criterion_values, Measure
    """

    tp: Number
    fp: Number
    fn: Number
    tn: Number
    score: Number
    weight: tuple[Number, Number]
    costs: tuple[Number, Number]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A measure of counts, a criterion for thresholds or a summary of a table, with its facts.

    Attributes
    ----------
    name : str
        Its name.
    home : str
        The room or module that has the function, such as "rocspace.curves".
    of : {"counts", "thresholds", "table"}
        Argument of the function: any four counts, the `Cells` of all thresholds, or a whole table.
    range : tuple of float
        Smallest and largest value.
    better : {"higher", "lower", "neither"}
        Which end is good.
    uses_prevalence, uses_costs : bool
        Whether the value depends on the prevalence at given rates, or on costs.
    rank_based : bool
        Whether the value depends on the order of the scores alone.
    exact : callable or None
        The function by which thresholds are compared, of `Cells` of fractions or of arrays; None
        for what is not a criterion.
    shown : callable or None
        Maps the compared value to the reported one; usually a root.
    finite : bool
        Whether thresholds with infinite values, as all thresholds without errors have, are passed
        over where others have finite values.
    rational : bool
        Whether `exact` of fractions is a fraction.
    one_division : bool
        Whether the value is one division of two sums, which rounds once.
    form : callable or None
        Maps the class sizes (and the options of the function) to the `Form` of a measure whose
        isometrics in ROC space are lines; else None.

    See Also
    --------
    MEASURES, CRITERIA, rocspace.SUMMARIES

    Examples
    --------
    >>> from rocspace import MEASURES
    >>> fact = MEASURES["ppv"]
    >>> fact.range, fact.better, fact.uses_prevalence
    ((0, 1), 'higher', True)
    """

    name: str
    home: str
    of: Literal["counts", "thresholds", "table"]
    range: tuple[float, float]
    better: Better
    uses_prevalence: bool = False
    uses_costs: bool = False
    rank_based: bool = True
    exact: Callable[[Cells], Number] | None = None
    shown: Callable[[Number], Number] | None = None
    finite: bool = False
    rational: bool = True
    one_division: bool = False
    form: Callable[..., Form] | None = None

    @property
    def function(self) -> Callable[..., Any]:
        """The function; its argument is described by `of`."""
        function: Callable[..., Any] = getattr(import_module(self.home), self.name)
        return function

    @property
    def meaning(self) -> str:
        """First line of the function's docstring."""
        return (self.function.__doc__ or "").partition("\n")[0]

    @property
    def synonyms(self) -> tuple[str, ...]:
        """Synonyms in other fields and packages."""
        return names_of(self.name)

    @property
    def linear(self) -> bool:
        """Whether the value is linear in tp and fp at fixed class sizes."""
        # Checked with unequal classes: with equal ones chance agreement is constant, and kappa
        # linear.
        return self.form is not None and self.form(1.0, 2.0)[1][:2] == (0, 0)

    @explained
    def as_shown(self, value: Any) -> Any:
        """Convert the compared value to the reported one.

        Parameters
        ----------
        value : float, ndarray or Fraction
            As `exact` returns it.

        Returns
        -------
        float, ndarray or Fraction
            Its root, for most measures that are compared without one; else the value itself.

        Raises
        ------
        ValueError
            If it is not a number, or an array of numbers, or has no root.

        Examples
        --------
        >>> from rocspace import MEASURES
        >>> float(MEASURES["g_mean"].as_shown(0.25))
        0.5
        """
        numbers = as_numbers("value", value)
        if self.shown is None:
            return value
        if self.range[0] == 0 and (numbers < 0).any():
            why = f" is {shown(value)}, but what {self.name} is the root of is not negative."
            raise ArgumentError(Argument("value"), why)
        return self.shown(numbers)


ENTERED: list[Measure] = []
"""Measures and criteria in the order of their definitions; `rocspace.measures.facts` has all."""


def measure(
    *,
    of: Literal["counts", "thresholds"] = "counts",
    range: tuple[float, float] = (0, 1),
    better: Better = "higher",
    criterion: bool = True,
    exact: Callable[[Cells], Number] | None = None,
    **facts: Any,
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Register a function with its facts, and complete its docstring by them.

    A measure of counts is also a criterion unless `criterion` is False; thresholds are then
    compared by `exact`, or by the function itself. Where neither end is better, lower values are
    preferred. A criterion of thresholds takes `Cells`.
    """

    def enter(function: Callable[P, R]) -> Callable[P, R]:
        fact = Measure(
            name=function.__name__,
            home="rocspace.measures" if of == "counts" else function.__module__,
            of=of,
            range=range,
            better=better,
            exact=(exact or function) if criterion else None,  # type: ignore[arg-type]
            **facts,
        )
        ENTERED.append(fact)
        if of == "counts" and function.__doc__:
            # The sections go before the first that the docstring has, which from Python 3.13 is
            # not indented.
            text = re.split(r"(?=^\w+\n---)", cleandoc(function.__doc__), maxsplit=1, flags=re.M)
            text[0] = text[0].rstrip() + "\n\n"
            text.insert(1, _SECTIONS.format(**_words(function, fact)))
            function.__doc__ = "".join(text)
        return explained(function, _need_counts, checked=False) if of == "counts" else function

    return enter


def _need_counts(name: str, given: object) -> None:
    """Raise an error if a measure of counts is given something without counts."""
    if not hasattr(given, "tp"):
        msg = f"{name} takes {COUNTS.format(name)}."
        raise TypeError(msg)


# What the docstrings of all measures of counts say, before their references.
_SECTIONS = """Parameters
----------
c : Counts
    Anything with ``tp``, ``fp``, ``fn`` and ``tn``: numbers, or arrays of one shape.{options}

Returns
-------
float, Fraction or ndarray
    In [{low:g}, {high:g}]{better}. {prevalence} on the prevalence.

"""


def _words(function: Callable[..., Any], fact: Measure) -> dict[str, Any]:
    """Return what `_SECTIONS` says of one measure."""
    options = getattr(function, "__kwdefaults__", None) or {}
    return {
        "options": "".join(f"\n{name} : optional, by default {options[name]}" for name in options),
        "low": fact.range[0],
        "high": fact.range[1],
        "better": "" if fact.better == "neither" else f"; {fact.better} is better",
        "prevalence": "It depends" if fact.uses_prevalence else "It does not depend",
    }


mixed = partial(measure, uses_prevalence=True)
"""Registers a function that depends on the prevalence."""
