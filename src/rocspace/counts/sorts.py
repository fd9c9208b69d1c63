"""Sorting numbers: by NumPy, or by a compiled radix sort where that is the faster of the two.

NumPy's sort is hard to beat where its SIMD instructions fit the processor, and up to five times
slower than a radix sort where they do not: AVX-512 on Zen 4 (numpy/x86-simd-sort#6). Both give the
same order, so nothing but the time depends on which one sorts.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from time import perf_counter
from typing import Any, Literal, TypeVar

import numpy as np

from rocspace._base.arrays import Array, Ints

T = TypeVar("T")

SORTABLE = "bBhHiIlLqQfd"  # types that the radix sort accepts
RADIX_CASES = 1 << 11  # shorter runs are left to NumPy
RACED = 1 << 14
IMPORT_SECONDS = 0.3  # what numba and the compiled loops take to load
FORESEEN = 1 << 20  # of so many numbers the time is foreseen


@dataclass(slots=True)
class Clock:
    """What NumPy's sort has taken in this process, of runs long enough for a radix sort."""

    seconds: float = 0.0
    stopped: bool = False

    def timed(self, sort: Callable[[], T]) -> T:
        """Let NumPy sort, and note the time."""
        start = perf_counter()
        answer = sort()
        self.seconds += perf_counter() - start
        return answer

    def due(self, numbers: int = 0) -> bool:
        """Return whether the sorts took as long as loading compiled loops does.

        The next sort, of so many numbers, is added to them. Loops spare at least what NumPy's sort
        takes, so a process never loses more than the import costs.
        """
        coming = numbers * _seconds_of_a_number() if numbers >= FORESEEN else 0.0
        return not self.stopped and self.seconds + coming > IMPORT_SECONDS


CLOCK = Clock()


def loaded(numbers: int = 0) -> bool:
    """Return whether the compiled loops are there, or worth their import for so many numbers."""
    return "rocspace._kernels.sorting" in sys.modules or CLOCK.due(numbers)


@cache
def _seconds_of_a_number() -> float:
    """Time NumPy's sort once: 5 to 10 nanoseconds where its SIMD fits, many more elsewhere."""
    run = _sample_of(np.dtype(np.float64), RACED)
    return _fastest(lambda: run.copy().sort())[0] / RACED


def sortable(score: Array) -> bool:
    """Return whether the radix sort takes such numbers, and is not wasted on narrow ones."""
    return score.itemsize >= 4 and score.dtype.char in SORTABLE


def sort_run(run: Array) -> None:
    """Sort numbers without NaN in place, by whichever sort is the faster one here."""
    if run.size < RADIX_CASES or not sortable(run):
        run.sort()
    elif not loaded():
        CLOCK.timed(run.sort)
    else:
        _sort_compiled(run)


def _sort_compiled(run: Array) -> None:
    """Sort in place; a run that is already in order, or in reverse order, costs one pass."""
    from rocspace._kernels import sorting

    way = sorting.direction(run)
    if way < 0:
        run[:] = run[::-1].copy()
    elif way == 0 and radix_pays(run.dtype):
        radix_sort(run)
    elif way == 0:
        run.sort()


def radix_sort(run: Array) -> None:
    """Sort numbers without NaN in place, by their bytes."""
    from rocspace._kernels import sorting

    bits, *flips = bits_of(run.dtype)
    sorting.sort_bits(run.view(bits), np.empty(run.size, dtype=bits), *flips)


def bits_of(dtype: np.dtype[Any]) -> tuple[Any, Any, Any]:
    """Return the unsigned type of as many bits, and which to flip: always, and below 0."""
    bits = np.dtype(f"u{dtype.itemsize}").type
    first_bit = bits(1 << (8 * dtype.itemsize - 1))
    always = bits(0) if dtype.kind == "u" else first_bit
    return bits, always, ~first_bit if dtype.kind == "f" else bits(0)


def order_of(score: Array, *, stable: bool) -> Ints:
    """Return the places of numbers without NaN, the least number first.

    Where `stable`, equal numbers keep their order; -0.0 and 0.0 are equal.
    """
    kind: Literal["stable"] | None = "stable" if stable else None
    if score.size < RADIX_CASES or score.dtype.char not in SORTABLE:
        return np.argsort(score, kind=kind)
    if not loaded():
        return CLOCK.timed(lambda: np.argsort(score, kind=kind))
    return sorted_places(np.add(score, score.dtype.type(0)))[1].astype(np.intp)


def sorted_places(score: Array) -> tuple[Array, Array, Array]:
    """Sort scores, which are overwritten, and their places, stably, by compiled loops.

    Returns the sorted patterns of bits, the place of each, and room for as many patterns.
    """
    from rocspace._kernels import ranks

    bits, *flips = bits_of(score.dtype)
    key = score.view(bits)
    if not radix_pays(np.dtype(np.uint64)):
        return _packed_places(key, *flips)
    place = np.arange(key.size, dtype=_kind_of_places(key.size))
    spare, other = np.empty_like(key), np.empty_like(place)
    if ranks.sort_places(key, place, spare, other, *flips):
        return spare, other, key
    return key, place, spare


def _kind_of_places(size: int) -> type[np.signedinteger[Any]]:
    return np.int32 if size < 2**31 else np.int64


def _packed_places(key: Array, always: Any, negative: Any) -> tuple[Array, Array, Array]:
    """Do as `sorted_places` by NumPy's sort, of patterns and places packed into 64 bits each."""
    from rocspace._kernels import ranks

    packed: Ints = np.empty(key.size, dtype=np.uint64)
    places = np.uint64((1 << (key.size - 1).bit_length()) - 1)
    ranks.pack_places(key, always, negative, places, packed)
    packed.sort()
    ordered, place = np.empty_like(key), np.empty(key.size, dtype=_kind_of_places(key.size))
    if ranks.unpack_places(packed, places, key, ordered, place):
        return ordered, place, key
    order = np.argsort(key, kind="stable")  # scores that differ in their last bits alone
    return key[order], order.astype(place.dtype), key


@cache
def radix_pays(dtype: np.dtype[Any]) -> bool:
    """Time both sorts once, which takes a millisecond."""
    run = _sample_of(dtype, RACED)
    by_bytes, by_numpy = _fastest(lambda: radix_sort(run.copy()), lambda: run.copy().sort())
    return by_bytes < by_numpy


def _sample_of(dtype: np.dtype[Any], size: int) -> Array:
    """Return random numbers of a type, in no order, for ways to be timed with."""
    rng = np.random.default_rng(0)
    if dtype.kind == "f":
        return rng.standard_normal(size).astype(dtype)
    return rng.integers(np.iinfo(dtype).max, size=size, dtype=dtype)


def _fastest(*ways: Callable[[], object]) -> list[float]:
    """Take ways in turn, and return of each the fastest of three runs, in seconds."""
    best = [np.inf] * len(ways)
    for _ in range(3):
        for i, way in enumerate(ways):
            start = perf_counter()
            way()
            best[i] = min(best[i], perf_counter() - start)
    return best
