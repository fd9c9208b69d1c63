"""Draw cases with replacement, in blocks that stay in the fastest cache.

A class of n cases is cut into blocks of 2^12 cases, and the rest into blocks of smaller powers
of two. How many draws fall into each block is drawn first; within a block each draw is 12
random bits, without division or rejection, so that the distribution is exact.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocspace._kernels.sorting import compiled

AnyArray = NDArray[Any]

_WORDS = 512  # random words made at once
_CASES = 4096  # in the largest block
_BITS = np.uint64(12)
_PER_WORD = 5  # draws from 64 bits
_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)


@compiled
def _fill(state: AnyArray, words: AnyArray) -> None:
    """Fill an array with random words: SplitMix64, which mixes a counter."""
    start = state[0]
    for i in range(words.size):
        z = start + np.uint64(i + 1) * _STEP
        z = (z ^ (z >> np.uint64(30))) * _MIX_1
        z = (z ^ (z >> np.uint64(27))) * _MIX_2
        words[i] = z ^ (z >> np.uint64(31))
    state[0] = start + np.uint64(words.size) * _STEP


@compiled
def _add_draws(state: AnyArray, words: AnyArray, many: int, bits: int, count: AnyArray) -> None:
    """Draw `many` of 2**bits cases, and count how often each was drawn."""
    mask = (np.uint64(1) << np.uint64(bits)) - np.uint64(1)
    left = many
    while left > 0:
        wanted = min((left + _PER_WORD - 1) // _PER_WORD, words.size)
        _fill(state, words[:wanted])
        whole = min(wanted, left // _PER_WORD)
        for i in range(whole):
            w = words[i]
            count[w & mask] += 1
            count[(w >> _BITS) & mask] += 1
            count[(w >> np.uint64(24)) & mask] += 1
            count[(w >> np.uint64(36)) & mask] += 1
            count[(w >> np.uint64(48)) & mask] += 1
        left -= _PER_WORD * whole
        if whole < wanted:
            w = words[whole]
            for _ in range(left):
                count[w & mask] += 1
                w >>= _BITS
            left = 0


@compiled
def count_draws(
    seed: AnyArray, share: AnyArray, bits: AnyArray, row: AnyArray, out: AnyArray
) -> None:
    """Count by row the cases drawn, for many replicates.

    ``share[r, b]`` draws of replicate r fall into block b, of 2**bits[b] cases; case i
    is in row ``row[i]``; ``out`` of shape (replicates, rows) is zero at first.
    """
    words = np.empty(_WORDS, dtype=np.uint64)
    count = np.zeros(_CASES, dtype=np.int32)
    for r in range(out.shape[0]):
        own = out[r]
        first = 0
        for b in range(bits.size):
            _add_draws(seed[r : r + 1], words, share[r, b], bits[b], count)
            size = 1 << bits[b]
            for i in range(size):
                own[np.uint64(row[first + i])] += count[np.uint64(i)]
                count[np.uint64(i)] = 0
            first += size


@compiled
def count_cases(case: AnyArray, row: AnyArray, out: AnyArray) -> None:
    """Count by row the cases that were drawn: one more in row ``row[case[r, i]]`` of ``out[r]``."""
    for r in range(out.shape[0]):
        own, drawn = out[r], case[r]
        for i in range(drawn.size):
            own[np.uint64(row[np.uint64(drawn[i])])] += 1


@compiled
def cumulate_draws(seed: AnyArray, share: AnyArray, bits: AnyArray, out: AnyArray) -> None:
    """Draw one replicate: ``out[i]`` is how many draws fall on the first i cases."""
    words = np.empty(_WORDS, dtype=np.uint64)
    count = np.zeros(_CASES, dtype=np.int32)
    out[0] = 0
    first = 1
    for b in range(bits.size):
        _add_draws(seed, words, share[b], bits[b], count)
        size = 1 << bits[b]
        own = out[first : first + size]
        total = out[first - 1]  # of the type of the array: a wider one takes twice as long
        for i in range(size):
            total += count[i]
            own[i] = total
        count[:size] = 0
        first += size


@compiled
def cumulate_numbers(case: AnyArray, out: AnyArray) -> None:
    """Turn the numbers of the cases drawn into how many draws fall on the first i: ``out[i]``."""
    out[:] = 0
    for i in range(case.size):
        out[np.uint64(case[i] + 1)] += 1
    total = out[0]
    for i in range(out.size):
        total += out[i]
        out[i] = total


@compiled
def areas_of_cases(
    weight: AnyArray, order: AnyArray, positive: AnyArray, last: AnyArray, out: AnyArray
) -> None:
    """Area of one score for each replicate, from the weights that cases have in it.

    ``order`` puts the cases in the order of their scores, most positive first; in that order
    ``positive`` tells their class, and ``last`` where rows of equal scores end.
    """
    for r in range(weight.shape[0]):
        above = 0.0  # negatives in rows before
        called = 0.0  # positives so far
        wins = 0.0  # twice, of negatives over positives
        p = 0.0
        q = 0.0
        own = weight[r]
        for i in range(order.size):
            w = own[np.uint64(order[i])]
            if positive[i]:
                p += w
            else:
                q += w
            if last[i]:
                wins += p * (2.0 * above + q)
                above += q
                called += p
                p = 0.0
                q = 0.0
        pairs = 2.0 * called * above
        out[r] = (pairs - wins) / pairs if pairs > 0 else np.nan


@compiled
def count_by_class(
    weight: AnyArray, order: AnyArray, positive: AnyArray, last: AnyArray, out: AnyArray
) -> None:
    """Add up by row, for each replicate, the weights of positives and those of negatives.

    As `areas_of_cases`; ``out`` of shape (2, replicates, rows) is zero at first.
    """
    for r in range(weight.shape[0]):
        own, row = weight[r], 0
        for i in range(order.size):
            out[0 if positive[i] else 1, r, row] += own[np.uint64(order[i])]
            row += last[i]


@compiled
def add_by_cell(
    drawn: AnyArray,
    unit: AnyArray,
    weight: AnyArray,
    first: AnyArray,
    second: AnyArray,
    one: AnyArray,
    two: AnyArray,
) -> None:
    """Add up by the cells of two scores how often units were drawn, times their weights.

    Entry i is unit ``unit[i]``, in the cells ``first[i]`` and ``second[i]``; an empty ``weight``
    says that all weigh 1. The sums are added to ``one`` and ``two``.
    """
    weighted = weight.size > 0
    for i in range(unit.size):
        w = np.float64(drawn[np.uint64(unit[i])])
        if weighted:
            w *= weight[i]
        one[np.uint64(first[i])] += w
        two[np.uint64(second[i])] += w
