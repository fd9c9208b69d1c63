"""Compiled loops over cases that stay paired: ranks of several scores, and their permutations.

As in `rocspace._kernels`: imported on first use, releasing the GIL, cached on disk, plain loops.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rocspace._kernels import AnyArray, IntArray, compiled

__all__ = ["rows_in_order", "sort_places"]


@compiled
def sort_places(
    bits: AnyArray, place: IntArray, spare: AnyArray, other: IntArray, always: Any, negative: Any
) -> bool:
    """Sort bit patterns together with the places where they stood, stably (radix sort).

    As `rocspace._kernels.sort_bits`, one byte at a time; the patterns keep their flipped
    signs. Returns whether the answer is in `spare` and `other`.
    """
    n_bytes = bits.itemsize
    first_bit = 8 * n_bytes - 1
    zero = always ^ always
    start = np.zeros((n_bytes, 256), dtype=np.int64)
    for i in range(bits.size):
        x = bits[i]
        x ^= always ^ (negative & (zero - (x >> first_bit)))
        bits[i] = x
        place[i] = i
        for b in range(n_bytes):
            start[b, (x >> (8 * b)) & 255] += 1
    source, target, here, there = bits, spare, place, other
    swapped = False
    for b in range(n_bytes):
        at = start[b]
        if at[(source[0] >> (8 * b)) & 255] == bits.size:
            continue  # all are alike in these bits
        total = 0
        for digit in range(256):
            total, at[digit] = total + at[digit], total
        for i in range(bits.size):
            x = source[i]
            digit = (x >> (8 * b)) & 255
            j = at[digit]
            target[j] = x
            there[j] = here[i]
            at[digit] = j + 1
        source, target = target, source
        here, there = there, here
        swapped = not swapped
    return swapped


@compiled
def rows_in_order(
    bits: AnyArray,
    place: IntArray,
    label: AnyArray,
    rising: bool,
    row: IntArray,
    pos: IntArray,
    neg: IntArray,
    first: IntArray,
) -> int:
    """Give numbers to the distinct scores of sorted cases, and count each class there.

    Writes the row of each case, where the row's score stands, and the counts; returns how
    many rows there are. Row 0 has the lowest score if `rising`, else the highest.
    """
    n = bits.size
    k = -1
    last = bits[0]
    for step in range(n):
        i = step if rising else n - 1 - step
        if step == 0 or bits[i] != last:
            k += 1
            last = bits[i]
            pos[k] = 0
            neg[k] = 0
            first[k] = place[i]
        row[place[i]] = k
        if label[place[i]]:
            pos[k] += 1
        else:
            neg[k] += 1
    return k + 1
