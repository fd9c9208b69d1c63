"""Compiled sweeps over the bins of a `Tabulator`: merging, joining, and finding bins by index.

Keys are unsigned 64-bit integers in the order of the scores; a bin is a node of their binary
trie, so that two bins are nested or apart. Conventions as in `_kernels`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocspace._kernels.sorting import compiled, low_bits

AnyArray = NDArray[Any]
IntArray = NDArray[np.int64]

# Columns of a record of `find_bins`.
LOWEST, LOW_BITS, COUNT = 0, 1, 2

_ONE = np.uint64(1)
_TOP = np.uint64(1 << 63)
_BLOCK = 256  # cases that are looked up together
_MANY = 8  # bins in a cell of the index from which halving beats stepping


@compiled
def merge_bins(
    a: tuple[AnyArray, AnyArray, AnyArray, AnyArray],
    b: tuple[AnyArray, AnyArray, AnyArray, AnyArray],
    out: tuple[AnyArray, AnyArray, AnyArray, AnyArray],
) -> int:
    """Add up two ascending runs of bins (key, level, pos, neg); a bin swallows those inside it.

    Returns how many bins of `out` are used.
    """
    key_a, level_a, pos_a, neg_a = a
    key_b, level_b, pos_b, neg_b = b
    key, level, pos, neg = out
    i = 0
    j = 0
    n = 0
    reach = np.uint64(0)  # last key of the bin written last
    while i < key_a.size or j < key_b.size:
        from_a = i < key_a.size
        if from_a and j < key_b.size:
            start_a = key_a[i] & ~low_bits(level_a[i])
            start_b = key_b[j] & ~low_bits(level_b[j])
            # Of two bins with one start the wider comes first, and swallows the other.
            from_a = start_a < start_b or (start_a == start_b and level_a[i] >= level_b[j])
        if from_a:
            x, wide, p, q = key_a[i], level_a[i], pos_a[i], neg_a[i]
            i += 1
        else:
            x, wide, p, q = key_b[j], level_b[j], pos_b[j], neg_b[j]
            j += 1
        if n > 0 and x & ~low_bits(wide) <= reach:
            key[n - 1] = min(key[n - 1], x)
            pos[n - 1] += p
            neg[n - 1] += q
        else:
            key[n], level[n], pos[n], neg[n] = x, wide, p, q
            reach = x | low_bits(wide)
            n += 1
    return n


@compiled
def join_bins(
    bins: tuple[AnyArray, AnyArray, AnyArray, AnyArray],
    meet: AnyArray,
    cost: AnyArray,
    limit: float,
    out: tuple[AnyArray, AnyArray, AnyArray, AnyArray],
) -> int:
    """Join neighbours whose cost is within the limit, and widen bins into the gaps beside them.

    ``meet[i]`` is the level of the node where bins i and i + 1 meet, ``cost[i]`` that of joining
    it. A bin that is none of one tied score grows to the widest node that holds no other bin, so
    that later scores find it. Returns how many bins of `out` are used.
    """
    key, level, pos, neg = bins
    new_key, new_level, new_pos, new_neg = out
    n = 0
    i = 0
    left = 65  # level where the bin meets the one before; 65 where there is none
    while i < key.size:
        lowest = key[i]
        wide = int(level[i])
        p = pos[i]
        q = neg[i]
        while i < key.size - 1 and cost[i] <= limit:
            wide = max(wide, int(meet[i]))
            i += 1
            p += pos[i]
            q += neg[i]
        right = 65 if i == key.size - 1 else int(meet[i])
        free = min(left, right) - 1
        if free < 64 and (wide > 0 or p + q == 1):
            wide = max(wide, free)
        new_key[n], new_level[n], new_pos[n], new_neg[n] = lowest, wide, p, q
        left = right
        n += 1
        i += 1
    return n


@compiled
def index_bins(record: AnyArray, shift: Any, base: AnyArray, width: AnyArray) -> int:
    """Plan an index: slot s of equal width gets cells base[s] to base[s + 1], 2**width[s] of them.

    Returns the number of cells: one to two for each bin, and one for each empty slot.
    """
    origin = record[0, LOWEST] & ~record[0, LOW_BITS]
    base[:] = 0
    for i in range(record.shape[0]):
        first = (record[i, LOWEST] & ~record[i, LOW_BITS]) - origin
        base[first >> shift] += 1
    total = 0
    for s in range(width.size):
        bins = base[s]
        bits = 0
        while bits < shift and (1 << bits) < bins:
            bits += 1
        width[s] = bits
        base[s] = total
        total += 1 << bits
    base[width.size] = total
    return total


@compiled
def fill_index(
    record: AnyArray, shift: Any, base: AnyArray, width: AnyArray, cell: AnyArray
) -> None:
    """Write into each cell the first bin that does not end before the cell."""
    origin = record[0, LOWEST] & ~record[0, LOW_BITS]
    n = record.shape[0]
    j = 0
    last = (record[0, LOWEST] | record[0, LOW_BITS]) - origin
    for s in range(width.size):
        step = shift - np.uint64(width[s])
        for c in range(base[s + 1] - base[s]):
            start = (np.uint64(s) << shift) + (np.uint64(c) << step)
            while j < n and last < start:
                j += 1
                if j < n:
                    last = (record[j, LOWEST] | record[j, LOW_BITS]) - origin
            cell[base[s] + c] = j
    cell[base[width.size]] = n


@compiled
def _key(bits: Any, of_floats: bool, flip: Any) -> Any:
    """Turn the bits of a score into a key: floats to their order, integers by `flip`."""
    if not of_floats:
        return bits ^ flip
    bits = np.uint64(0) if bits == _TOP else bits  # -0.0 is 0.0
    return bits ^ (_TOP | (np.uint64(0) - (bits >> np.uint64(63))))


@compiled
def _ends(record: AnyArray) -> tuple[Any, Any]:
    """Return the first key of all bins, and how many more there are to the last."""
    n = record.shape[0]
    origin = record[0, LOWEST] & ~record[0, LOW_BITS]
    return origin, (record[n - 1, LOWEST] | record[n - 1, LOW_BITS]) - origin


@compiled
def count_slots(
    bits: AnyArray,
    of_floats: bool,
    flip: Any,
    record: AnyArray,
    shift: Any,
    part: AnyArray,
    count: IntArray,
) -> None:
    """Count the cases of each part, a run of neighbouring slots."""
    origin, end = _ends(record)
    for i in range(bits.size):
        # Below the origin the difference wraps around to a large number.
        place = min(_key(bits[i], of_floats, flip) - origin, end)
        count[part[place >> shift]] += 1


@compiled
def scatter_slots(
    label: AnyArray,
    bits: AnyArray,
    of_floats: bool,
    flip: Any,
    record: AnyArray,
    shift: Any,
    part: AnyArray,
    start: IntArray,
    to_label: AnyArray,
    to_bits: AnyArray,
) -> None:
    """Write each case to the next place of its part; `start` is used up."""
    origin, end = _ends(record)
    for i in range(bits.size):
        p = part[min(_key(bits[i], of_floats, flip) - origin, end) >> shift]
        at = start[p]
        to_label[at] = label[i]
        to_bits[at] = bits[i]
        start[p] = at + 1


@compiled
def find_bins(
    label: AnyArray,
    bits: AnyArray,
    of_floats: bool,
    flip: Any,
    record: AnyArray,
    shift: Any,
    base: AnyArray,
    width: AnyArray,
    cell: AnyArray,
    left: AnyArray,
) -> int:
    """Count each case in the bin that its key lies in; note the indices of cases in none.

    `record` has a row (lowest key, low bits, negatives, positives) for each bin. Returns how
    many of `left` are used.
    """
    n = record.shape[0]
    origin, end = _ends(record)
    key = np.empty(_BLOCK, dtype=np.uint64)
    at = np.empty(_BLOCK, dtype=np.int64)
    low = np.empty(_BLOCK, dtype=np.int64)
    outside = 0
    # Memory is far away, so a block of cases asks for all it needs before it decides anything.
    for start in range(0, label.size, _BLOCK):
        size = min(_BLOCK, label.size - start)
        for i in range(size):
            key[i] = _key(bits[start + i], of_floats, flip)
            place = min(key[i] - origin, end)
            s = place >> shift
            at[i] = base[s] + np.int64((place - (s << shift)) >> (shift - np.uint64(width[s])))
        for i in range(size):
            low[i] = cell[at[i]]
        for i in range(size):
            x = key[i]
            j = low[i]
            stop = cell[at[i] + 1]
            if stop - j > _MANY:
                while j < stop:
                    middle = (j + stop) >> 1
                    if (record[middle, LOWEST] | record[middle, LOW_BITS]) < x:
                        j = middle + 1
                    else:
                        stop = middle
            else:
                while j < n and (record[j, LOWEST] | record[j, LOW_BITS]) < x:
                    j += 1
            if j < n and (record[j, LOWEST] & ~record[j, LOW_BITS]) <= x:
                record[j, COUNT + label[start + i]] += _ONE
                if x < record[j, LOWEST]:
                    record[j, LOWEST] = x
            else:
                left[outside] = start + i
                outside += 1
    return outside
