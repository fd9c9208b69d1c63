"""From cases to counts: split by class, sort the parts in threads, merge in one sweep.

Small samples are counted with NumPy alone, most of them by keys (see `keys`); large ones with the
compiled sweeps of `_kernels`. `compiled_from` tells which are large. All give the same integers.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np

from rocspace._base.arrays import Array, Ints, Mask, Vector
from rocspace._base.calls import explained
from rocspace._base.checks import check_sizes
from rocspace._base.exact import exact_dot
from rocspace._base.words import shown
from rocspace.counts import sorts
from rocspace.counts.keys import (
    counts_of_integers,
    room,
    rows_of_keys,
    sorted_keys,
    twice_wins_of_keys,
)

T = TypeVar("T")
R = TypeVar("R")

MOST_THREADS = 1024
UNLESS_SET = 1 << 24
KERNEL_CASES = UNLESS_SET  # from here on compiled loops count at once; see `compiled_from`
SWEPT = 1 << 20  # from here on loops that are loaded hash scores, and share work among threads
OF_COLUMNS = 1 << 22  # importing numba pays for so many scores of all columns
KEYED_WINS = 1 << 13  # from here on keys beat a search among the other class
KEYED_ROWS = 1 << 12  # and a sort of places
LOOPS_FROM = 1 << 9  # and compiled loops that are loaded beat all that
PARTS_PER_THREAD = 4  # more parts than threads: uneven parts even out
HASHED_BITS = 17  # scores with at most 2**16 distinct values are counted without sorting
_CACHED = 1 << 17  # scores of the columns that are sorted together
_SAMPLED = 1 << 12  # scores looked at to choose pivots
_APIECE = 1 << 22  # cases that make another thread worth its start
_TRIED = 1 << 17  # scores hashed before the threads start: continuous ones give up here


@dataclass(frozen=True, slots=True)
class Rows:
    """Counts at distinct scores, highest score first; squares of weights where weighted.

    `threshold` is the array whose end `score` is a view of, if infinity stands before the scores.
    """

    score: Array
    pos: Array
    neg: Array
    pos_w2: Vector | None = None
    neg_w2: Vector | None = None
    threshold: Array | None = None

    @classmethod
    def below_infinity(cls, threshold: Array, pos: Array, neg: Array) -> Rows:
        """Make rows of counts and of scores, before which there is room for infinity."""
        if threshold.dtype.kind != "f":
            return cls(threshold[1:], pos, neg)
        threshold[0] = np.inf
        return cls(threshold[1:], pos, neg, threshold=threshold)


def upwards(rows: Any) -> Rows:
    """Return rows, or those of a table, in the reverse order, as new arrays."""
    columns = (rows.score, rows.pos, rows.neg, rows.pos_w2, rows.neg_w2)
    return Rows(*(None if c is None else c[::-1].copy() for c in columns))  # type: ignore[arg-type]


def default_threads() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def check_threads(threads: int | None) -> int:
    """Check a number of threads; None means as many as this process may use."""
    if threads is None:
        return default_threads()
    number = isinstance(threads, int | float | np.number)
    if not number or not 1 <= threads <= MOST_THREADS or threads % 1 != 0:
        msg = (
            f"threads is {shown(threads)}, but must be a whole number from 1 to {MOST_THREADS}, "
            "or None for all processors."
        )
        raise ValueError(msg)
    return int(threads)


def _worth_starting(threads: int | None, cases: int) -> int:
    """Check a number of threads; None means as many as so many cases pay for."""
    if threads is None and cases < _APIECE:
        return 1
    most = check_threads(threads)
    return most if threads is not None else min(most, 1 + cases // _APIECE)


def count_rows(
    label: Mask,
    score: Array,
    weight: Vector | None,
    threads: int | None = None,
) -> Rows:
    """Count positives and negatives (or sum their weights) at each distinct score."""
    threads = _worth_starting(threads, score.size)
    if weight is not None:
        return _rows_by_order(label, score, weight)
    if not _fits_kernels(score):
        rows = _rows_by_numbers(label, score)
        return _rows_by_order(label, score, None) if rows is None else rows
    rows = _rows_by_hashing(label, score, threads)
    if rows is not None:
        return rows
    return _rows_by_loops(label, score) if threads == 1 else _rows_by_parts(label, score, threads)


def count_twice_wins(label: Mask, score: Array, threads: int | None = None) -> tuple[int, int, int]:
    """Return 2 #(pos > neg) + #(pos == neg), without building rows, and both class sizes."""
    threads = _worth_starting(threads, score.size)
    if not _fits_kernels(score):
        return _twice_wins_by_numpy(label, score)
    rows = _rows_by_hashing(label, score, threads)
    if rows is not None:
        return _twice_wins_of_rows(rows)
    if threads == 1:
        return _twice_wins_by_loops(label, score)
    return twice_wins_of_parts(_partition(label, score, threads), threads)


def count_twice_wins_of_columns(
    label: Mask, score: Array, threads: int | None = None
) -> tuple[Ints, int, int]:
    """Return what `count_twice_wins` does of each column of a matrix, and both class sizes.

    The cases are divided by class once, and the columns go through the threads.
    """
    threads = check_threads(threads)
    members = np.flatnonzero(label), np.flatnonzero(~label)
    n_pos, n_neg = (own.size for own in members)
    twice = np.zeros(score.shape[1], dtype=np.int64)
    if not (n_pos and n_neg):
        return twice, n_pos, n_neg

    if not _columns_fit(score):

        def count(j: int) -> None:
            if label.size >= KEYED_WINS:
                twice[j] = _twice_wins_by_numpy(label, np.ascontiguousarray(score[:, j]))[0]
                return
            pos, neg = (np.sort(score[own, j]) for own in members)
            twice[j] = _twice_wins_by_search(pos, neg)

        in_threads(threads, count, range(score.shape[1]))
        return twice, n_pos, n_neg
    from rocspace._kernels import sorting

    def work(columns: slice) -> None:
        pos, neg = sorted_by_class(score, members, columns)
        sorting.twice_wins_of_rows(neg, pos, twice[columns])

    in_threads(threads, work, column_blocks(score))
    return twice, n_pos, n_neg


def column_blocks(score: Array) -> list[slice]:
    """Divide the columns of a matrix into blocks that fit the processor's cache."""
    n, m = score.shape
    width = max(1, _CACHED // max(n, 1))
    return [slice(start, min(start + width, m)) for start in range(0, m, width)]


def sorted_by_class(score: Array, members: tuple[Ints, Ints], columns: slice) -> tuple[Array, ...]:
    """Return the columns as rows, divided by class and sorted; NaN comes last, -0.0 becomes 0.0."""
    rows = np.add(score[:, columns].T, score.dtype.type(0), order="C")  # always a copy
    parts = tuple(rows[:, own] for own in members)
    radix = parts[0].dtype.itemsize > 2 and sorts.radix_pays(parts[0].dtype)
    for part in parts:
        if radix and part.shape[1] >= sorts.RADIX_CASES and not _has_nan(part):
            for run in part:
                sorts.sort_run(run)
        else:
            part.sort(axis=1)
    return parts


def _has_nan(part: Array) -> bool:
    return part.dtype.kind == "f" and bool(np.isnan(part).any())


@explained
def compiled_from(cases: int | None = None) -> int:
    """Return from how many cases on counting uses compiled loops, and set it if asked to.

    Parameters
    ----------
    cases : int, optional
        The new number, for all that this process counts from now on; by default it stays as it is.
        A number beyond all samples keeps numba from being imported for counting.

    Returns
    -------
    int
        The number that was in force before: 16,777,216 unless it was set. It depends on nothing
        else.

    Raises
    ------
    ValueError
        If it is not a whole number, 1 or more.

    Notes
    -----
    Importing numba takes about .3 s, and loops come compiled from the disk, so NumPy counts until
    they are worth it: until its sorts, the next one included, have taken as long in this process.
    Where NumPy's sort has SIMD instructions that fit the processor, that is after four areas of ten
    million cases; where it is slow (AVX-512 on Zen 4), before the first one. A number above
    16,777,216 stops this. Once the loops are loaded, samples from 512 cases on are counted by them,
    in one to two thirds of the time. Ranks of several scores of the same cases use them from
    131,072 cases on, or from this number if it is less, and areas of many columns from 4,194,304
    scores on. The counts are the same on every way.

    References
    ----------
    No source: a setting.

    Examples
    --------
    >>> before = compiled_from(100_000)
    >>> compiled_from(before)
    100000
    """
    global KERNEL_CASES  # noqa: PLW0603  a setting of the process
    before = KERNEL_CASES
    if cases is not None:
        check_sizes(cases=cases)
        KERNEL_CASES = int(cases)
        sorts.CLOCK.stopped = cases > UNLESS_SET
    return before


def _fits_kernels(score: Array) -> bool:
    """Return whether compiled loops count these scores, by hashing them or in threads."""
    n = score.size
    return _fit(score) and (n >= KERNEL_CASES or (n >= SWEPT and sorts.loaded(n)))


def _columns_fit(score: Array) -> bool:
    """Return whether compiled loops count the columns of a matrix."""
    n = score.size
    return _fit(score) and (
        n >= min(KERNEL_CASES, OF_COLUMNS) or (n >= LOOPS_FROM and sorts.loaded())
    )


def _fit(score: Array) -> bool:
    return score.dtype.itemsize <= 8 and score.dtype.char != "e"


# --- NumPy alone -----------------------------------------------------------------------


def _rows_by_order(label: Mask, score: Array, weight: Vector | None) -> Rows:
    # A stable order makes float sums of weights the same on every machine.
    order = sorts.order_of(score, stable=weight is not None)[::-1]
    ranked = score[order]
    ends = np.ones(score.size, dtype=np.bool_)
    np.not_equal(ranked[1:], ranked[:-1], out=ends[:-1])
    positive = label[order]
    if weight is None and ends.all():
        pos = positive.astype(np.int64)
        return Rows(ranked + score.dtype.type(0), pos, 1 - pos)
    last = np.flatnonzero(ends)
    rows_score = ranked[last] + score.dtype.type(0)
    if weight is None:
        tp = np.cumsum(positive, dtype=np.int64)[last]
        pos, both = tp.copy(), last + 1
        pos[1:] -= tp[:-1]
        both[1:] = last[1:] - last[:-1]
        return Rows(rows_score, pos, both - pos)
    first = np.concatenate([[0], last[:-1] + 1])
    w = weight[order]
    w_pos, w_neg = np.where(positive, w, 0.0), np.where(positive, 0.0, w)
    sums = (np.add.reduceat(x, first) for x in (w_pos, w_neg, w_pos * w_pos, w_neg * w_neg))
    return Rows(rows_score, *sums)


def _rows_by_numbers(label: Mask, score: Array) -> Rows | None:
    """Count by looking up, or by sorting plain numbers; None where sorting places is as good."""
    found = counts_of_integers(label, score) if score.size >= KEYED_ROWS else None
    if found is not None:
        return Rows(*found)
    if _fits_loops(score):
        return _rows_by_loops(label, score)
    keys = sorted_keys(label, score) if score.size >= KEYED_ROWS else None
    return None if keys is None else Rows(*rows_of_keys(keys))


def _twice_wins_by_numpy(label: Mask, score: Array) -> tuple[int, int, int]:
    found = counts_of_integers(label, score) if score.size >= KEYED_WINS else None
    if found is not None:
        return _twice_wins_of_rows(Rows(*found))
    if _fits_loops(score):
        return _twice_wins_by_loops(label, score)
    if score.size >= KEYED_WINS:
        keys = sorted_keys(label, score)
        if keys is not None:
            return twice_wins_of_keys(keys)
    pos, neg = score[label], score[~label]
    plain = score.size < sorts.RADIX_CASES or _has_nan(score)
    for part in (pos, neg):
        part.sort() if plain else sorts.sort_run(part)
    return _twice_wins_by_search(pos, neg), pos.size, neg.size


def _twice_wins_of_rows(rows: Rows) -> tuple[int, int, int]:
    n_neg = int(rows.neg.sum())
    twice = exact_dot(rows.pos, 2 * (n_neg - np.cumsum(rows.neg)) + rows.neg)
    return twice, int(rows.pos.sum()), n_neg


def _twice_wins_by_search(pos: Array, neg: Array) -> int:
    """Count wins of two ascending runs by searching the longer one for values of the shorter."""
    few, many = (pos, neg) if pos.size <= neg.size else (neg, pos)
    twice = np.add.reduce(many.searchsorted(few, "left") + many.searchsorted(few, "right"))
    return int(twice if few is pos else 2 * pos.size * neg.size - twice)


# --- compiled loops on one processor ------------------------------------------------------------


def _fits_loops(score: Array) -> bool:
    """Return whether compiled loops that are loaded count these scores."""
    return score.size >= LOOPS_FROM and sorts.sortable(score) and sorts.loaded(score.size)


def _sorted_classes(label: Mask, score: Array) -> tuple[Array, Array]:
    """Return the negatives and the positives, both ascending."""
    from rocspace._kernels import sorting

    run = room(score.size, score.dtype)
    n_neg = sorting.scatter_classes(label.view(np.uint8), score, run)
    return _sorted_pair(run[:n_neg], run[n_neg:])


def _sorted_pair(neg: Array, pos: Array) -> tuple[Array, Array]:
    sorts.sort_run(neg)
    sorts.sort_run(pos)
    return neg, pos


def _twice_wins_by_loops(label: Mask, score: Array) -> tuple[int, int, int]:
    from rocspace._kernels import sorting

    neg, pos = _sorted_classes(label, score)
    return int(sorting.twice_wins(neg, pos)), pos.size, neg.size


def _rows_by_loops(label: Mask, score: Array) -> Rows:
    from rocspace._kernels import sorting

    n = score.size
    threshold, counts = np.empty(n + 1, dtype=score.dtype), np.empty((2, n), dtype=np.int64)
    k = sorting.merged_rows(*_sorted_classes(label, score), threshold[1:], *counts)
    if k < n:
        threshold, counts = threshold[: k + 1].copy(), counts[:, :k].copy()
    return Rows.below_infinity(threshold, *counts)


# --- few distinct scores: a hash table, no sorting -----------------------------------------


def _rows_by_hashing(label: Mask, score: Array, threads: int) -> Rows | None:
    """Count by hashing; None, after little work, if there are too many distinct scores."""
    from rocspace._kernels import sorting

    bits = score.view(f"u{score.dtype.itemsize}")
    marks = label.view(np.uint8)

    def count_chunk(chunk: slice) -> tuple[Array, Ints] | None:
        key = np.empty(1 << HASHED_BITS, dtype=np.uint64)
        count = np.zeros((key.size, 2), dtype=np.int64)
        shift = np.uint64(64 - HASHED_BITS)
        if sorting.count_hashed(marks[chunk], bits[chunk], key, count, shift) < 0:
            return None
        used = np.flatnonzero(count.any(axis=1))
        return key[used].astype(bits.dtype).view(score.dtype), count[used]

    if count_chunk(slice(0, min(score.size, _TRIED))) is None:
        return None
    found = in_threads(threads, count_chunk, chunks(score.size, threads))
    if any(part is None for part in found):
        return None
    value, count = (np.concatenate(columns) for columns in zip(*found, strict=True))
    order = np.argsort(value)[::-1]
    ranked = value[order]
    first = np.flatnonzero(np.append(np.True_, ranked[1:] != ranked[:-1]))
    sums = np.add.reduceat(count[order], first)
    return Rows(ranked[first] + score.dtype.type(0), sums[:, 1].copy(), sums[:, 0].copy())


# --- parts: by class, and by ranges of the score ------------------------------------------


@dataclass(frozen=True, slots=True)
class Parts:
    """Scores rearranged so that part 2*b + c holds range b (ascending) of class c."""

    score: Array
    end: Ints

    def pair(self, b: int) -> tuple[Array, Array]:
        """Return the negatives and the positives of range b."""
        start = int(self.end[2 * b - 1]) if b else 0
        middle, stop = int(self.end[2 * b]), int(self.end[2 * b + 1])
        return self.score[start:middle], self.score[middle:stop]

    @property
    def n_ranges(self) -> int:
        """Return the number of ranges."""
        return self.end.size // 2


def in_threads(threads: int, work: Callable[[T], R], items: Iterable[T]) -> list[R]:
    """Apply `work` to each item, in that many threads, of which this one is the first."""
    if threads == 1:
        return [work(item) for item in items]
    left = deque(enumerate(items))
    found: dict[int, R] = {}

    def run() -> None:
        while True:
            try:
                i, item = left.popleft()
            except IndexError:
                return
            try:
                found[i] = work(item)
            except BaseException:
                left.clear()  # nothing more is begun
                raise

    with ThreadPoolExecutor(threads - 1) as pool:
        others = [pool.submit(run) for _ in range(threads - 1)]
        run()
        for other in others:
            other.result()
    return [found[i] for i in range(len(found))]


def chunks(size: int, threads: int) -> list[slice]:
    """Divide `size` cases among threads."""
    edges = np.linspace(0, size, threads + 1).astype(np.int64)
    return [slice(*ends) for ends in pairwise(edges.tolist())]


def _partition(label: Mask, score: Array, threads: int) -> Parts:
    """Rearrange the scores by class and range, two passes over the data in each thread."""
    from rocspace._kernels import sorting

    pivots = _pivots(score, PARTS_PER_THREAD * threads)
    marks = label.view(np.uint8)
    n_parts = 2 * (pivots.size + 1)
    pieces = chunks(score.size, threads)
    count = np.zeros((threads, n_parts), dtype=np.int64)

    def count_chunk(t: int) -> None:
        sorting.count_parts(marks[pieces[t]], score[pieces[t]], pivots, count[t])

    def scatter_chunk(t: int) -> None:
        sorting.scatter_parts(marks[pieces[t]], score[pieces[t]], pivots, start[t], out)

    in_threads(threads, count_chunk, range(threads))
    # Part by part, and inside a part chunk by chunk.
    start = np.cumsum(count.T.ravel()).reshape(n_parts, threads).T - count
    start = np.ascontiguousarray(start)
    out = np.empty(score.size, dtype=score.dtype)
    in_threads(threads, scatter_chunk, range(threads))
    return Parts(out, np.cumsum(count.sum(axis=0)))


def _pivots(score: Array, n_ranges: int) -> Array:
    """Choose distinct scores that cut the sample into ranges of like size."""
    sample = np.sort(score[:: max(1, score.size // _SAMPLED)])
    at = np.arange(1, n_ranges) * sample.size // n_ranges
    return np.unique(sample[at])


def twice_wins_of_parts(parts: Parts, threads: int) -> tuple[int, int, int]:
    """Return what `count_twice_wins` does, for cases in parts; sort each part in place."""
    from rocspace._kernels import sorting

    def work(b: int) -> tuple[int, int, int]:
        neg, pos = _sorted_pair(*parts.pair(b))
        return int(sorting.twice_wins(neg, pos)), pos.size, neg.size

    twice = n_pos = n_neg = 0
    for wins, p, n in in_threads(threads, work, range(parts.n_ranges)):
        twice += wins + 2 * p * n_neg  # n_neg so far: the negatives of lower ranges
        n_pos += p
        n_neg += n
    return twice, n_pos, n_neg


def _rows_by_parts(label: Mask, score: Array, threads: int) -> Rows:
    from rocspace._kernels import sorting

    parts = _partition(label, score, threads)
    n = score.size
    stop = n - np.append(0, parts.end[1::2])  # the highest range comes first
    threshold = np.empty(n + 1, dtype=score.dtype)
    pos, neg = (np.empty(n, dtype=np.int64) for _ in range(2))
    columns = threshold[1:], pos, neg

    def work(b: int) -> int:
        place = slice(int(stop[b + 1]), int(stop[b]))
        runs = _sorted_pair(*parts.pair(b))
        return int(sorting.merged_rows(*runs, *(c[place] for c in columns)))

    used = in_threads(threads, work, range(parts.n_ranges))
    if sum(used) == n:
        return Rows.below_infinity(threshold, pos, neg)
    kept = [slice(start, start + k) for start, k in zip(stop[1:].tolist(), used, strict=True)][::-1]
    scores, pos, neg = (np.concatenate([c[own] for own in kept]) for c in columns)
    return Rows(scores, pos, neg)
