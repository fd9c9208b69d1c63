"""The exact area in bounded memory, by several passes over a source that can be read again.

The first pass counts into a `Tabulator`. If that had to join scores into bins, some pairs of a
positive and a negative in one bin are undecided. Each further pass gathers the cases of as
many undecided bins as fit into memory, and decides them. It stops as soon as the pairs that are
left cannot move the area by more than asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocspace._count import count_twice_wins
from rocspace._exact import exact_dot
from rocspace.stream import ROW_BYTES, Tabulator
from rocspace.table import ScoreTable, need

__all__ = ["RefinedArea", "refine_auc"]

CASE_BYTES = 48  # what a gathered case costs: its score three times while sorting, and marks

Batch: TypeAlias = tuple[NDArray[np.bool_], NDArray[Any]]
"""Labels and scores of some cases."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RefinedArea:
    """An area under the curve with certain bounds.

    Attributes
    ----------
    value : float
        The area, or the middle of its bounds.
    low, high : float
        Between these the area lies for certain.
    exact : bool
        Whether every pair was decided: then all three are the area itself.
    passes : int
        How often the source was read.
    n_cases : int
        Cases in the source.
    """

    value: float
    low: float
    high: float
    exact: bool
    passes: int
    n_cases: int


def refine_auc(
    read: Callable[[], Iterable[Batch]],
    *,
    tolerance: float = 0.0,
    memory: int = 1 << 30,
    higher_is_positive: bool = True,
) -> RefinedArea:
    """Return the area under the curve of a source that does not fit into memory.

    Parameters
    ----------
    read : callable
        Returns, each time it is called, all cases anew: an iterable of labels (booleans)
        and scores, batch by batch. Batches are small beside `memory`.
    tolerance : float, default 0
        Widest distance between the bounds that is good enough; 0 asks for the exact area.
    memory : int, default 2**30
        Bytes to work in, batches not included.
    higher_is_positive : bool, default True
        False if smaller scores are more positive.

    Returns
    -------
    RefinedArea
        Area, bounds, and how many passes it took.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If there are no cases, or `tolerance` is negative.

    Notes
    -----
    About n / (memory / 48) passes for the exact area of n distinct scores; usually a single
    pass for a tolerance of 1e-6 and a gigabyte.

    Examples
    --------
    >>> import numpy as np
    >>> label = np.arange(1000) % 3 == 0
    >>> score = np.sqrt(np.arange(1000)) + label
    >>> area = refine_auc(lambda: [(label, score)], memory=1 << 14)
    >>> area.exact, area.passes
    (True, 4)
    """
    if not tolerance >= 0:
        msg = f"tolerance is {tolerance}, but must be zero or more."
        raise ValueError(msg)
    counter = Tabulator(max_rows=max(memory // ROW_BYTES, 16))
    for label, score in read():
        counter.update(label, score)
    table = counter.table()
    need("refine_auc", table)
    bins = _Bins(table, counter.joined())
    segments = list(bins.segments(tolerance, max(memory // CASE_BYTES, 1)))
    for first, last in segments:
        bins.decide(first, last, _gather(read(), *bins.ends(first, last)))
    return bins.area(higher_is_positive, passes=1 + len(segments), n_cases=counter.n_cases)


def _gather(batches: Iterable[Batch], low: Any, below: Any) -> Batch:
    """Collect the cases with ``low <= score < below``; None stands for no upper end."""
    labels, scores = [], []
    for label, score in batches:
        inside = score >= low
        if below is not None:
            inside &= score < below
        labels.append(label[inside])
        scores.append(score[inside])
    return np.concatenate(labels), np.concatenate(scores)


class _Bins:
    """Bins in ascending order, and how many of their pairs are decided."""

    def __init__(self, table: ScoreTable, joined: NDArray[np.bool_]) -> None:
        self.score = table.score[::-1]
        self.pos, self.neg = table.pos[::-1], table.neg[::-1]
        self.n_pos, self.n_neg = int(table.n_pos), int(table.n_neg)
        self.tied = np.where(joined[::-1], 0, self.neg)  # whom a positive of the bin ties
        self.open = joined[::-1] & (self.pos > 0) & (self.neg > 0)
        below = np.cumsum(self.neg) - self.neg
        self.twice_wins = exact_dot(self.pos, 2 * below + self.tied)

    def segments(self, tolerance: float, capacity: int) -> Iterator[tuple[int, int]]:
        """Yield runs of bins to decide, each of at most `capacity` cases if it can be."""
        wanted = self._worth_deciding(tolerance)
        cases = np.cumsum(self.pos + self.neg)
        start = 0
        while True:
            following = np.flatnonzero(wanted[start:])
            if not following.size:
                return
            first = start + int(following[0])
            before = int(cases[first - 1]) if first else 0
            stop = max(int(np.searchsorted(cases, before + capacity, "right")), first + 1)
            last = first + int(np.flatnonzero(wanted[first:stop])[-1])
            yield first, last
            start = last + 1

    def _worth_deciding(self, tolerance: float) -> NDArray[np.bool_]:
        """Mark open bins, those with most pairs first, until the rest is within tolerance."""
        index = np.flatnonzero(self.open)
        pairs = self.pos[index].astype(np.float64) * self.neg[index]
        order = np.argsort(-pairs, kind="stable")
        left = pairs.sum() - np.cumsum(pairs[order])
        allowed = tolerance * self.n_pos * self.n_neg * (1 - 1e-9)
        enough = 0
        if pairs.sum() > allowed:
            enough = int(np.searchsorted(-left, -allowed, "left")) + 1
        wanted = np.zeros(self.pos.size, dtype=bool)
        wanted[index[order[:enough]] if tolerance > 0 else index] = True
        return wanted

    def ends(self, first: int, last: int) -> tuple[Any, Any]:
        """Return the lowest score of a run of bins, and that of the bin after it."""
        return self.score[first], None if last + 1 == self.score.size else self.score[last + 1]

    def decide(self, first: int, last: int, cases: Batch) -> None:
        """Take in the exact order inside a run of bins."""
        run = slice(first, last + 1)
        pos, neg = self.pos[run], self.neg[run]
        below = np.cumsum(neg) - neg
        decided, n_pos, n_neg = count_twice_wins(*cases)
        if (n_pos, n_neg) != (int(pos.sum()), int(neg.sum())):
            msg = "The source changed between two passes: other cases came back."
            raise ValueError(msg)
        # The run's pairs in different bins, and its ties, have been counted already.
        self.twice_wins += decided - exact_dot(pos, 2 * below + self.tied[run])
        self.open[run] = False

    def area(self, higher_is_positive: bool, *, passes: int, n_cases: int) -> RefinedArea:
        """Return the area and what is still undecided."""
        pairs = self.n_pos * self.n_neg
        undecided = exact_dot(self.pos[self.open], self.neg[self.open])
        low, high = self.twice_wins, self.twice_wins + 2 * undecided
        if not higher_is_positive:
            low, high = 2 * pairs - high, 2 * pairs - low
        return RefinedArea(
            value=(low + high) / (4 * pairs),
            low=low / (2 * pairs),
            high=high / (2 * pairs),
            exact=undecided == 0,
            passes=passes,
            n_cases=n_cases,
        )
