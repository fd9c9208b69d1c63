"""What a measure is: its function and its facts; and the single numbers of a whole table.

The numbers of a table come from rooms above this one, so each entry names its function as text,
and finds it when it is first asked for. What the registry holds does not depend on imports.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal, TypeAlias

Better: TypeAlias = Literal["higher", "lower", "neither"]
"""Which end of a measure is good."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A measure and its facts.

    Attributes
    ----------
    name : str
        Its name.
    home : str
        The room that has the function, such as "rocspace.curves".
    range : tuple of float
        Smallest and largest value.
    better : {"higher", "lower", "neither"}
        Which end is good.
    uses_prevalence : bool
        Whether the class mix matters when the two rates stay the same.
    rank_based : bool
        Whether only the order of the scores matters.
    """

    name: str
    home: str
    range: tuple[float, float]
    better: Better
    uses_prevalence: bool
    rank_based: bool = True

    @property
    def function(self) -> Callable[..., Any]:
        """Takes counts, or a table if it sums up a whole curve."""
        function: Callable[..., Any] = getattr(import_module(self.home), self.name)
        return function

    @property
    def meaning(self) -> str:
        """First line of the documentation of the function."""
        return (self.function.__doc__ or "").partition("\n")[0]


def _summary(
    home: str,
    name: str,
    range: tuple[float, float],
    better: Better,
    *,
    uses_prevalence: bool = False,
    rank_based: bool = True,
) -> Measure:
    return Measure(
        name=name,
        home=f"rocspace.{home}",
        range=range,
        better=better,
        uses_prevalence=uses_prevalence,
        rank_based=rank_based,
    )


_INF = float("inf")

SUMMARIES: dict[str, Measure] = {
    each.name: each
    for each in (
        _summary("curves", "auc", (0, 1), "higher"),
        _summary("curves", "gini", (-1, 1), "higher"),
        _summary("curves", "youden", (0, 1), "higher"),
        _summary("curves", "ks", (0, 1), "higher"),
        _summary("curves", "closest_to_perfect", (0, 1), "lower"),
        _summary("curves", "eer", (0, 1), "lower"),
        _summary("hull", "auch", (0.5, 1), "higher"),
        _summary("hull", "eer_hull", (0, 0.5), "lower"),
        _summary("curves", "average_precision", (0, 1), "higher", uses_prevalence=True),
        _summary("curves", "pr_area", (0, 1), "higher", uses_prevalence=True),
        _summary("curves", "break_even", (0, 1), "higher", uses_prevalence=True),
        _summary("curves", "auprg", (-_INF, 1), "higher", uses_prevalence=True),
        _summary("granular", "prob_auc", (0, 1), "higher", rank_based=False),
        _summary("granular", "buffered_auc", (0, 1), "higher", rank_based=False),
        _summary("costs", "brier_score", (0, 1), "lower", uses_prevalence=True, rank_based=False),
        _summary("costs", "h_measure", (0, 1), "higher", uses_prevalence=True),
    )
}
"""Every number of a whole table by name, with its facts."""
