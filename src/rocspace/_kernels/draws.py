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
def _sum_draws(state: AnyArray, words: AnyArray, many: int, bits: int, value: AnyArray) -> int:
    """Draw `many` of 2**bits cases, and add up their values."""
    mask = (np.uint64(1) << np.uint64(bits)) - np.uint64(1)
    left = many
    total: Any = 0
    while left > 0:
        wanted = min((left + _PER_WORD - 1) // _PER_WORD, words.size)
        _fill(state, words[:wanted])
        whole = min(wanted, left // _PER_WORD)
        for i in range(whole):
            w = words[i]
            some: Any = np.int64(value[w & mask])
            some += value[(w >> _BITS) & mask]
            some += value[(w >> np.uint64(24)) & mask]
            some += value[(w >> np.uint64(36)) & mask]
            some += value[(w >> np.uint64(48)) & mask]
            total += some
        left -= _PER_WORD * whole
        if whole < wanted:
            w = words[whole]
            for _ in range(left):
                total += np.int64(value[w & mask])
                w >>= _BITS
            left = 0
    return int(total)


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
def areas_of_draws(
    seed: AnyArray,
    share: tuple[AnyArray, AnyArray],
    bits: tuple[AnyArray, AnyArray],
    beaten: tuple[AnyArray, AnyArray],
    drawn: AnyArray,
    out: AnyArray,
) -> None:
    """Area of each replicate of a table, nan where it lacks a class.

    ``seed`` has two words for each replicate; ``share`` and ``bits`` are those of `count_draws`,
    positives first. ``beaten`` are the ``above`` and ``upto`` of `_beaten_twice`; ``drawn`` is
    room for one number more than there are negatives, of integers that hold twice their number.
    """
    for r in range(out.size):
        n_pos = share[0][r].sum()
        pairs = 2 * n_pos * share[1][r].sum()
        out[r] = np.nan
        if pairs > 0:
            cumulate_draws(seed[2 * r : 2 * r + 1], share[1][r], bits[1], drawn)
            lost = _beaten_twice(
                seed[2 * r + 1 : 2 * r + 2], share[0][r], bits[0], beaten[0], beaten[1], drawn
            )
            out[r] = (pairs - lost) / pairs


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
def _beaten_twice(
    seed: AnyArray,
    share: AnyArray,
    bits: AnyArray,
    above: AnyArray,
    upto: AnyArray,
    drawn: AnyArray,
) -> int:
    """Draw one replicate of positives: 2 #(negatives above) + #(tied negatives), summed.

    Positive i has the first ``above[i]`` negatives above it, and ties up to ``upto[i]``; an
    empty ``upto`` says that nothing is tied. Both are unsigned: an index that might be negative
    takes twice as long. ``drawn`` are the negatives' draws, cumulated.
    """
    words = np.empty(_WORDS, dtype=np.uint64)
    value = np.empty(_CASES, dtype=drawn.dtype)
    total = 0
    first = 0
    for b in range(bits.size):
        size = 1 << bits[b]
        start = above[first : first + size]
        if upto.size:
            end = upto[first : first + size]
            for i in range(size):
                value[i] = drawn[start[i]] + drawn[end[i]]
        else:
            for i in range(size):
                value[i] = 2 * drawn[start[i]]
        total += _sum_draws(seed, words, share[b], bits[b], value)
        first += size
    return total


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
        out[r] = 1.0 - wins / pairs if pairs > 0 else np.nan


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
