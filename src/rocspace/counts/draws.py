"""Resampling with replacement: draw as many cases as there are, and count them by row.

All resampled counts are drawn here: case by case in compiled blocks, case by case with NumPy
where importing numba would take longer, or row by row where rows are few.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocspace._base.arrays import Array, Ints
from rocspace.counts import sorts

_COMPILED = 1 << 24  # draws from which on compiled loops pay for importing numba
_CASES_PER_ROW = 128  # with more, drawing a row's count is quicker than drawing its cases
_BITS = 12  # of the largest block
_CACHED = 1 << 16  # numbers that NumPy handles at once: of more, fewer stay in the cache
_LOOPS_FROM = 1 << 12  # draws, from which on loaded loops are called


@dataclass(frozen=True, slots=True, kw_only=True)
class Blocks:
    """A class of cases, cut into blocks whose sizes are powers of two."""

    n: int
    bits: Ints

    def shares(self, rng: np.random.Generator, total: int | Ints, many: int) -> Ints:
        """Draw how many of `total` draws fall into each block, for many replicates."""
        return rng.multinomial(total, 2.0**self.bits / self.n, size=many)


def blocks_of(n: int) -> Blocks:
    """Cut n cases into blocks of 2^12 cases, and the rest into smaller powers of two."""
    whole, rest = divmod(n, 1 << _BITS)
    small = [bit for bit in reversed(range(_BITS)) if rest >> bit & 1]
    return Blocks(n=n, bits=np.array([_BITS] * whole + small, dtype=np.int64))


def seeds(rng: np.random.Generator, many: int) -> NDArray[np.uint64]:
    """Draw starting points for the compiled generator."""
    return rng.integers(0, 2**64, size=many, dtype=np.uint64)


def rows_are_few(count: Ints) -> bool:
    """Return whether rows hold so many cases that drawing their counts directly is faster."""
    return int(count.sum()) > _CASES_PER_ROW * count.size


def pays_to_compile(draws: int) -> bool:
    """Return whether there are enough draws for compiled loops to pay."""
    return draws >= _COMPILED


def draw_by_chance(rng: np.random.Generator, n: int, chance: Array, many: int) -> Ints:
    """Draw n units with replacement, and count them; `chance` need not sum to 1."""
    drawn = np.zeros((many, chance.size), dtype=np.int64)
    some = chance > 0  # the last probability given absorbs all rounding, so it must not be zero
    drawn[:, some] = rng.multinomial(n, chance[some] / chance.sum(), size=many)
    return drawn


def draw_counts(
    rng: np.random.Generator,
    count: Ints,
    many: int,
    *,
    draws: int | None = None,
    row: Array | None = None,
) -> Ints:
    """Draw as many cases as there are, with replacement, and count them by row.

    Parameters
    ----------
    rng : numpy.random.Generator
        Generator.
    count : ndarray of int64, shape (k,)
        How many cases each row has.
    many : int
        How many replicates.
    draws : int, optional
        How many draws all calls need together, by default those of this call; the number
        decides whether compiled loops pay.
    row : ndarray of int, shape (n,), optional
        The row of each case (see `rows_of`), for repeated calls.

    Returns
    -------
    ndarray of int64, shape (many, k)
        How many cases of each row each replicate has.
    """
    n, k = int(count.sum()), count.size
    if not n:
        return np.zeros((many, k), dtype=np.int64)
    if rows_are_few(count):
        return draw_by_chance(rng, n, count, many)
    row = rows_of(count) if row is None else row
    if pays_to_compile(n * many if draws is None else draws):
        from rocspace._kernels.draws import count_draws

        cut = blocks_of(n)
        drawn = np.zeros((many, k), dtype=np.int64)
        count_draws(seeds(rng, many), cut.shares(rng, n, many), cut.bits, row, drawn)
        return drawn
    return _counted(rng.integers(0, n, size=(many, n)), row, k)


def _counted(case: Ints, row: Array, k: int) -> Ints:
    """Count by row the cases of each replicate: compiled, if that is loaded, or by NumPy."""
    many, n = case.shape
    if case.size >= _LOOPS_FROM and sorts.loaded():
        from rocspace._kernels.draws import count_cases

        drawn = np.zeros((many, k), dtype=np.int64)
        count_cases(case, row, drawn)
        return drawn
    drawn, step = np.empty((many, k), dtype=np.int64), max(1, _CACHED // max(n, k))
    for first in range(0, many, step):
        own = row[case[first : first + step]]
        own += (np.arange(len(own)) * k)[:, np.newaxis]
        part = np.bincount(own.ravel(), minlength=len(own) * k)
        drawn[first : first + step] = part.reshape(len(own), k)
    return drawn


def rows_of(count: Ints) -> Array:
    """Return the row of each case."""
    n = int(count.sum())
    if n == count.size and int(count.max()) == 1:
        return np.arange(n)
    return np.repeat(np.arange(count.size), count)
