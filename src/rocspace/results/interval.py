"""Confidence intervals."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rocspace._base.arrays import Vector
from rocspace._base.cards import Card, ends_of, level_of
from rocspace._base.frozen import Result


class Interval(Result):
    """A confidence interval with its level; it unpacks as ``low, high = interval``.

    Attributes
    ----------
    low, high : float
        Lower and upper limit, both included.
    level : float
        Confidence level in (0, 1); nan for a bound that holds with certainty.
    method : str
        Name of the method.

    See Also
    --------
    rocspace.inference.rate_interval, Estimate.interval
    """

    low: float
    high: float
    level: float = float("nan")
    method: str = ""

    def __str__(self) -> str:
        """Return both ends, and the level."""
        level = "" if self.level != self.level else f" ({level_of(self.level)})"
        return ends_of(self) + level

    def _card(self) -> Card:
        rows = {"From, to": ends_of(self), "Level": level_of(self.level)}
        return Card(rows=rows | ({"Method": self.method} if self.method else {}))

    def __getitem__(self, index: int) -> float:
        """Return low, then high."""
        return (self.low, self.high)[index]

    def __iter__(self) -> Iterator[float]:
        """Yield low, then high."""
        yield self.low
        yield self.high

    def __contains__(self, value: float) -> bool:
        """Tell whether a value lies between the ends, ends included."""
        return bool(self.low <= value <= self.high)

    @property
    def width(self) -> float:
        """``high - low``."""
        return self.high - self.low


def intervals_of(
    low: Vector, high: Vector, level: float, method: str
) -> Interval | tuple[Interval, ...]:
    """Return limits as an interval, or as a tuple of intervals if they are arrays."""
    found = tuple(
        Interval(low=float(a), high=float(b), level=level, method=method)
        for a, b in zip(np.atleast_1d(low), np.atleast_1d(high), strict=True)
    )
    return found[0] if low.ndim == 0 else found
