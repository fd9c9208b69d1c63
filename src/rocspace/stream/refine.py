"""The exact area in bounded memory, by several passes over a source that can be read again.

The first pass counts into a `Tabulator`. If that had to join scores into bins, some pairs of a
positive and a negative in one bin are undecided. Each further pass gathers the cases of as
many undecided bins as fit into memory, and decides them. It stops as soon as the pairs that are
left cannot move the area by more than asked. Several scores can be refined in shared passes:
a `Refinement` for each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias, cast

import numpy as np

from rocspace._base.arrays import Array, ArrayLike, Mask, Vector
from rocspace._base.calls import explained, explained_methods
from rocspace._base.checks import check_direction, check_not_negative, check_positive
from rocspace._base.exact import exact_dot
from rocspace._base.frozen import Result
from rocspace._base.progress import Elapsed
from rocspace.counts.rows import Parts, check_threads, count_twice_wins, twice_wins_of_parts
from rocspace.counts.table import ScoreTable, need, refuse
from rocspace.stream.tabulator import ROW_BYTES, Tabulator

_MOST_ROWS = 1 << 22  # more bins in the first pass cost more than they save later
_COARSE = 1 << 15  # bins where all are to be decided: cases of each are counted in the cache
_HELD_BYTES = 64  # what a case may cost that is kept until it is known whether all fit
_BIN_BYTES = 96  # what a bin costs while cases are gathered
_PART = 1 << 20  # cases that are sorted at a time
_MOST_PARTS = 32

Batch: TypeAlias = tuple[Mask, Array]
"""Labels and scores of some cases."""


class RefinedArea(Result):
    """An area under the curve with certain bounds.

    Attributes
    ----------
    value : float
        The area, or the middle of its bounds.
    low, high : float
        The area lies between them for certain.
    exact : bool
        Whether every pair was decided: then all three are the area itself.
    passes : int
        How often the source was read.
    n_cases, n_pos : int
        Cases in the source, and how many of them are positive.

    See Also
    --------
    refine_auc, Refinement.area
    """

    value: float
    low: float
    high: float
    exact: bool
    passes: int
    n_cases: int
    n_pos: int


@explained
def refine_auc(
    read: Callable[[], Iterable[Batch]],
    *,
    tolerance: float = 0.0,
    memory: int = 1 << 30,
    higher_is_positive: bool = True,
    threads: int | None = None,
    progress: bool | None = None,
) -> RefinedArea:
    """Return the area under the curve of a source that does not fit into memory.

    Parameters
    ----------
    read : callable
        Returns, each time it is called, all cases anew: an iterable of labels (booleans)
        and scores, batch by batch. A batch should need far less than `memory`.
    tolerance : float, default 0
        Largest acceptable distance between the bounds; 0 asks for the exact area.
    memory : int, default 2**30
        Bytes to work in, batches not included.
    higher_is_positive : bool, default True
        False if smaller scores are more positive.
    threads : int, optional
        Threads for sorting; by default as many as the process may use. The result does
        not depend on it.
    progress : bool, optional
        Whether to show which pass it is, and for how long; by default in a terminal.

    Returns
    -------
    RefinedArea
        Area, bounds, and how many passes it took.

    Raises
    ------
    SingleClassError
        If a class is missing.
    TypeError
        If `read` cannot be called: an iterator can be read only once.
    ValueError
        If there are no cases, `tolerance` is negative, `memory` is not positive, or a batch is
        not a pair of labels and scores. Weights are not accepted.

    Notes
    -----
    The exact area of n distinct scores of 8 bytes takes about 1 + 8 n / memory passes; usually
    a single pass is enough for a tolerance of 1e-6. Up to memory / 64 cases are kept and
    counted at once, so their area is exact, whatever the tolerance.

    References
    ----------
    No source: our own.

    Examples
    --------
    >>> import numpy as np
    >>> label = np.arange(5000) % 3 == 0
    >>> score = np.sqrt(np.arange(5000)) + label
    >>> area = refine_auc(lambda: [(label, score)], memory=1 << 14)
    >>> area.exact, area.passes > 1
    (True, True)
    """
    refinement = Refinement(
        tolerance=tolerance, memory=memory, higher_is_positive=higher_is_positive, threads=threads
    )
    with Elapsed("refining", show=progress) as shown:
        shown.stage = "pass 1"
        for label, score in _batches(read):
            refinement.counter.update(label, score)
        more = refinement.plan()
        for i in range(more):
            shown.stage = f"pass {i + 2} of {more + 1}"
            for label, score in _batches(read):
                refinement.update(label, score)
            refinement.settle()
    return refinement.area()


def _batches(read: Callable[[], Iterable[Batch]]) -> Iterator[Batch]:
    if not callable(cast(Any, read)):
        msg = (
            f"read is a {type(read).__name__}. Give a function that begins anew each time it is "
            "called, such as lambda: batches(), since the source may be read several times."
        )
        raise TypeError(msg)
    for number, batch in enumerate(read()):
        if len(cast(Any, batch)) != 2:
            msg = (
                f"Batch {number} has {len(batch)} parts, but must be labels and scores. For "
                "weighted cases use Tabulator, whose bounds are as certain."
            )
            raise ValueError(msg)
        yield batch


@explained_methods
class Refinement:
    """The area of one score, pass by pass over the same cases.

    In the first pass give the cases to `counter`. Then `plan` tells how many more passes are
    needed; in each give the cases to `update`, and call `settle` at its end.

    Parameters
    ----------
    tolerance, memory, higher_is_positive, threads
        As for `refine_auc`.

    Attributes
    ----------
    counter : Tabulator
        Takes the cases of the first pass.

    See Also
    --------
    refine_auc

    Examples
    --------
    >>> work = Refinement(tolerance=0, memory=2**30)
    >>> work.counter.update([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> for _ in range(work.plan()):
    ...     work.update([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    ...     work.settle()
    >>> work.area().value
    0.75
    """

    def __init__(
        self,
        *,
        tolerance: float,
        memory: int,
        higher_is_positive: bool = True,
        threads: int | None = None,
    ) -> None:
        self.tolerance = check_not_negative("tolerance", tolerance)
        self.memory = memory = int(check_positive("memory", memory))
        self.higher_is_positive = check_direction(higher_is_positive)
        self.threads = check_threads(threads)
        rows = min(max(memory // ROW_BYTES, 16), _MOST_ROWS)
        self.counter = Tabulator(max_rows=rows, threads=threads)
        self.counter.keep(max(memory // _HELD_BYTES, 1))
        if tolerance == 0:
            self.counter._join_to(_COARSE)
        self._passes = 0  # until the first has ended
        self._decided: tuple[int, int, int] | None = None  # where all cases fit into memory
        self._gathered: _Gathered | None = None
        self._runs: list[tuple[int, int]] = []

    def plan(self) -> int:
        """End the first pass; return how many more are needed.

        Returns
        -------
        int
            Passes still needed; 0 if the area is known well enough.

        Raises
        ------
        SingleClassError
            If a class is missing.
        ValueError
            If the first pass has ended already.
        """
        if self._passes:
            msg = "plan was called before: the first pass has ended. A new Refinement begins anew."
            raise ValueError(msg)
        self._n_cases = self.counter.n_cases
        held = self.counter._given_up()
        if held is not None:
            twice_wins, n_pos, n_neg = count_twice_wins(*held, self.threads)
            if not (n_pos and n_neg):
                refuse("refine_auc", n_pos, n_neg)
            self._passes = 1
            self._decided = twice_wins, n_pos, n_neg
            return 0
        table = self.counter.table()
        need("refine_auc", table)
        self._passes = 1
        self._bins = _Bins(table, self.counter.joined())
        del self.counter
        size = max(self._bins.score.dtype.itemsize, 4)
        room = (self.memory - _BIN_BYTES * len(table)) // size
        self._runs = self._bins.runs(self.tolerance, max(room, self.memory // (4 * size), 1))
        more = len(self._runs)
        self._start()
        return more

    def _check_planned(self) -> None:
        if not self._passes:
            msg = "The first pass has not ended: give its cases to counter, then call plan()."
            raise ValueError(msg)

    def _start(self) -> None:
        self._gathered = _Gathered(self._bins, *self._runs.pop(0)) if self._runs else None

    def update(self, y_true: ArrayLike, y_score: ArrayLike) -> None:
        """Count a batch of a later pass; without effect once all pairs are decided.

        Parameters
        ----------
        y_true : array-like, shape (n,)
            Labels: True or 1 for positives.
        y_score : array-like, shape (n,)
            Their scores.

        Raises
        ------
        ValueError
            If the first pass has not ended.
        """
        self._check_planned()
        if self._gathered is not None:
            score, known = np.asarray(y_score), self._bins.score.dtype
            if (
                score.dtype.kind != known.kind
            ):  # compare scores in the type in which they were counted
                score = score.astype(known)
            self._gathered.add(np.asarray(y_true, dtype=bool), score)

    def settle(self) -> None:
        """End a later pass.

        Raises
        ------
        ValueError
            If the first pass has not ended.
        """
        self._check_planned()
        if self._gathered is not None:
            self._passes += 1
            self._gathered.decide(self.threads)
            self._start()

    def area(self) -> RefinedArea:
        """Return the area and what is still undecided.

        Returns
        -------
        RefinedArea
            The area with its bounds.

        Raises
        ------
        ValueError
            If the first pass has not ended.
        """
        self._check_planned()
        twice_wins, n_pos, n_neg = self._decided or self._bins.decided()
        pairs, undecided = n_pos * n_neg, 0 if self._decided else self._bins.undecided()
        low, high = twice_wins, twice_wins + 2 * undecided
        if not self.higher_is_positive:
            low, high = 2 * pairs - high, 2 * pairs - low
        return RefinedArea(
            value=(low + high) / (4 * pairs),
            low=low / (2 * pairs),
            high=high / (2 * pairs),
            exact=undecided == 0,
            passes=self._passes,
            n_cases=self._n_cases,
            n_pos=n_pos,
        )


class _Bins:
    """Bins in ascending order, and how many of their pairs are decided."""

    def __init__(self, table: ScoreTable, joined: Mask) -> None:
        self.score = table.score[::-1]
        self.pos, self.neg = table.pos[::-1], table.neg[::-1]
        self.n_pos, self.n_neg = int(table.n_pos), int(table.n_neg)
        self.tied = np.where(joined[::-1], 0, self.neg)  # negatives tied with a positive of the bin
        self.open = joined[::-1] & (self.pos > 0) & (self.neg > 0)
        below = np.cumsum(self.neg) - self.neg
        self.twice_wins = exact_dot(self.pos, 2 * below + self.tied)

    def decided(self) -> tuple[int, int, int]:
        """Return twice the wins that are decided, and both class sizes."""
        return self.twice_wins, self.n_pos, self.n_neg

    def undecided(self) -> int:
        """Return how many pairs are not decided."""
        return exact_dot(self.pos[self.open], self.neg[self.open])

    def runs(self, tolerance: float, capacity: int) -> list[tuple[int, int]]:
        """Return first and last of runs of bins to decide, in as few passes as possible.

        What is left is within the tolerance. A run has at most `capacity` cases if possible.
        """
        pairs = np.where(self.open, self.pos.astype(np.float64) * self.neg, 0.0)
        excess = float(pairs.sum()) - tolerance * self.n_pos * self.n_neg * (1 - 1e-9)
        if tolerance == 0:
            return self._runs(self.open, capacity)
        if excess <= 0:
            return []
        ways = (self._stretch(pairs, excess), self._largest(pairs, excess))
        return min((self._runs(wanted, capacity) for wanted in ways), key=len)

    def _stretch(self, pairs: Vector, excess: float) -> Mask:
        """Mark neighbouring bins with so many pairs, and as few cases as possible."""
        upto, cases = np.cumsum(pairs), np.cumsum(self.pos + self.neg)
        last = np.searchsorted(upto, upto - pairs + excess * (1 + 1e-9))
        reached = np.flatnonzero(last < pairs.size)
        if not reached.size:
            return self.open
        cost = cases[last[reached]] - (cases - self.pos - self.neg)[reached]
        first = int(reached[np.argmin(cost)])
        wanted = np.zeros(pairs.size, dtype=bool)
        wanted[first : int(last[first]) + 1] = True
        return wanted & self.open

    def _largest(self, pairs: Vector, excess: float) -> Mask:
        """Mark the bins with most pairs, as few as are needed."""
        order = np.argsort(-pairs, kind="stable")
        enough = int(np.searchsorted(np.cumsum(pairs[order]), excess * (1 + 1e-9))) + 1
        wanted = np.zeros(pairs.size, dtype=bool)
        wanted[order[:enough]] = True
        return wanted & self.open

    def _runs(self, wanted: Mask, capacity: int) -> list[tuple[int, int]]:
        """Divide bins into runs of like size, so that passes are of like length."""
        chosen = np.flatnonzero(wanted)
        if not chosen.size:
            return []
        size = self.pos + self.neg
        cases = np.cumsum(size)
        total = int(cases[chosen[-1]] - cases[chosen[0]] + size[chosen[0]])
        capacity = min(capacity, total // -(-total // capacity) + int(size[chosen].max()))
        runs, at = [], 0
        while at < chosen.size:
            first = int(chosen[at])
            room = int(cases[first] - size[first]) + capacity
            stop = max(int(np.searchsorted(cases, room, "right")), first + 1)
            at = int(np.searchsorted(chosen, stop))
            runs.append((first, int(chosen[at - 1])))
        return runs


class _Gathered:
    """The cases of a run of bins, in parts of known size: no case is stored twice."""

    def __init__(self, bins: _Bins, first: int, last: int) -> None:
        self.bins, self.run = bins, slice(first, last + 1)
        self.dtype = np.dtype(np.float32) if bins.score.dtype.char == "e" else bins.score.dtype
        self.bounded = last + 1 < bins.score.size
        self.low = self.dtype.type(bins.score[first])
        self.below = self.dtype.type(bins.score[last + 1]) if self.bounded else self.low
        pos, neg = bins.pos[self.run], bins.neg[self.run]
        upto = np.cumsum(pos + neg)
        n_parts = min(max(int(upto[-1]) // _PART, 1), _MOST_PARTS)
        starts = np.searchsorted(upto, np.arange(1, n_parts) * int(upto[-1]) // n_parts)
        starts = np.unique(np.clip(starts, 1, None)) if len(pos) > 1 else starts[:0]
        self.pivots = np.ascontiguousarray(bins.score[self.run][starts], dtype=self.dtype)
        edges = np.concatenate([[0], starts])
        sizes = np.stack([np.add.reduceat(neg, edges), np.add.reduceat(pos, edges)], axis=1)
        self.end = np.cumsum(sizes.ravel())
        self.place = self.end - sizes.ravel()
        self.score = np.empty(int(self.end[-1]), dtype=self.dtype)

    def add(self, label: Mask, score: Array) -> None:
        from rocspace._kernels import sorting

        ends = (self.low, self.below, self.bounded)
        score = score.astype(self.dtype, copy=False)
        marks = np.ascontiguousarray(label).view(np.uint8)
        parts = (self.pivots, self.place, self.end, self.score)
        if not sorting.gather_parts(marks, np.ascontiguousarray(score), ends, *parts):
            raise ValueError(_CHANGED)

    def decide(self, threads: int) -> None:
        """Count the pairs inside the run in their exact order."""
        if (self.place < self.end).any():
            raise ValueError(_CHANGED)
        bins, run = self.bins, self.run
        pos, neg = bins.pos[run], bins.neg[run]
        below = np.cumsum(neg) - neg
        decided, _, _ = twice_wins_of_parts(Parts(self.score, self.end), threads)
        # The run's pairs in different bins, and its ties, have been counted already.
        bins.twice_wins += decided - exact_dot(pos, 2 * below + bins.tied[run])
        bins.open[run] = False


_CHANGED = "The source changed between two passes. Let read return the same cases each time."
