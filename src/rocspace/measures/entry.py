"""What a measure is: one class with all its facts, and how a function enters with them.

A measure of counts is one function, which takes floats, arrays of them and fractions alike. What
chooses thresholds by it compares ``exact``, which is the function itself unless a root would
round: then it is what stands below the root, and ``shown`` takes the root.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from importlib import import_module
from typing import Any, Literal, ParamSpec, TypeAlias, TypeVar

import numpy as np

from rocspace._base.synonyms import names_of

P = ParamSpec("P")
R = TypeVar("R")

Number: TypeAlias = Any
"""A fraction or a float, or an array of floats."""

Better: TypeAlias = Literal["higher", "lower", "neither"]
"""Which end of a measure is good."""

Form: TypeAlias = tuple[tuple[float, float, float], tuple[float, float, float]]
"""(a, b, c), (d, e, g) of a measure (a t + b f + c) / (d t + e f + g) of tpr t and fpr f."""

_DENOMINATOR = 10**7  # no float so near to so simple a fraction means anything else


def as_fraction(x: Any) -> Fraction:
    """Return a number as it was meant: 0.1 is one tenth, 1 / 3 one third.

    Examples
    --------
    >>> as_fraction(0.1), as_fraction(1 / 3)
    (Fraction(1, 10), Fraction(1, 3))
    """
    exact = Fraction(float(x)) if isinstance(x, float | np.floating) else Fraction(x)
    simple = exact.limit_denominator(_DENOMINATOR)
    return simple if isinstance(x, float | np.floating) and float(simple) == float(x) else exact


@dataclass(frozen=True, slots=True, kw_only=True)
class Cells:
    """What criteria read: four cells, as fractions or as arrays over all thresholds.

    Attributes
    ----------
    tp, fp, fn, tn : number
        Counts, or the shares that another prevalence would make of them.
    score : number
        The threshold itself.
    weight : tuple of number
        How much a false negative and a false positive matter in comparison, for equal class
        sizes; they add up to 1.
    costs : tuple of number
        What a false negative and a false positive cost more than being right.
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
    """A measure of counts, a criterion for thresholds, or a number of a whole table: its facts.

    Attributes
    ----------
    name : str
        Its name.
    home : str
        The room or module that has the function, such as "rocspace.curves".
    of : {"counts", "thresholds", "table"}
        What the function reads: any four counts, the `Cells` of a choice, or a whole table.
    range : tuple of float
        Smallest and largest value.
    better : {"higher", "lower", "neither"}
        Which end is good.
    uses_prevalence, uses_costs : bool
        Whether the class mix, when the two rates stay the same, or costs matter.
    rank_based : bool
        Whether only the order of the scores matters.
    exact : callable or None
        What thresholds are compared by, from `Cells` of fractions or of arrays; None where it
        is not a criterion.
    shown : callable or None
        From the value that is compared to the one that is reported: a root, mostly.
    finite : bool
        Whether infinite values, which every threshold beyond the last error has, are passed
        over where there are finite ones.
    rational : bool
        Whether `exact` of fractions is a fraction.
    one_division : bool
        Whether it is a single division of two sums, which rounds once.
    form : callable or None
        From the class sizes (and the options of the function) to the `Form` of a measure whose
        isometrics in ROC space are lines.
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
        """Takes what `of` says."""
        function: Callable[..., Any] = getattr(import_module(self.home), self.name)
        return function

    @property
    def meaning(self) -> str:
        """First line of the documentation of the function."""
        return (self.function.__doc__ or "").partition("\n")[0]

    @property
    def synonyms(self) -> tuple[str, ...]:
        """Other names, of fields and of packages."""
        return names_of(self.name)

    @property
    def linear(self) -> bool:
        """Whether it rises in equal steps of tp and of fp."""
        # Of unequal classes: of equal ones, chance agreement is constant, and kappa linear.
        return self.form is not None and self.form(1.0, 2.0)[1][:2] == (0, 0)

    def as_shown(self, value: Any) -> Any:
        """Turn the value that is compared into the one that is reported."""
        return value if self.shown is None else self.shown(value)


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
    """Enter a function with its facts; the function stays as it is.

    One of counts is a criterion, too, unless `criterion` is False: by `exact`, or itself; where
    neither end is better, the lower one is. One of thresholds takes `Cells`.
    """

    def enter(function: Callable[P, R]) -> Callable[P, R]:
        ENTERED.append(
            Measure(
                name=function.__name__,
                home="rocspace.measures" if of == "counts" else function.__module__,
                of=of,
                range=range,
                better=better,
                exact=(exact or function) if criterion else None,  # type: ignore[arg-type]
                **facts,
            )
        )
        return function

    return enter


mixed = partial(measure, uses_prevalence=True)
"""Enter a function that depends on the class mix."""
