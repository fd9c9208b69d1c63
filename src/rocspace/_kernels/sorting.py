"""The few sweeps over sorted arrays that NumPy cannot do in one pass, compiled by numba.

Imported only where it pays (`counts.sorts.Clock`): numba costs a quarter of a second to import.
Every kernel releases the GIL, is cached on disk, and is a plain loop.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np
from numba import njit
from numpy.typing import NDArray

F = TypeVar("F", bound=Callable[..., Any])

IntArray = NDArray[Any]
AnyArray = NDArray[Any]

_ONE = np.uint64(1)
_ALL = np.uint64(2**64 - 1)

UPPER = 4  # bytes that a radix sort looks at first; of short runs one less is enough
SHORT = 1 << 14
MOVES = 4  # for each number, that sorting by insertion may take


def _without_linear_algebra() -> None:
    """Spare the first compiled loop the import of `scipy.linalg`.

    numba imports that with its own functions of arrays, only to see that there is a BLAS, as SciPy
    always has. A loop that calls BLAS makes numba import it then.

    Measured (fastest of five processes each): the first `tabulate` of 1.1 million scores takes
    0.25 s with this and 0.37 s without, 1.46 times as long; of ten million 0.39 and 0.53 s, 1.37
    times.
    """
    from numba.np import linalg

    needed = getattr(linalg, "ensure_blas", None)
    if needed is None or "numba.np.arraymath" in sys.modules:
        return
    linalg.ensure_blas = lambda: None
    try:
        from numba.np import arraymath
    finally:
        linalg.ensure_blas = needed
    arraymath.ensure_blas = needed  # type: ignore[attr-defined]


_without_linear_algebra()


def compiled(function: F) -> F:
    """Compile a loop on first call; keep the result on disk."""
    return cast(F, njit(nogil=True, cache=True)(function))


@compiled
def count_parts(label: AnyArray, score: AnyArray, pivots: AnyArray, count: IntArray) -> None:
    """Count the cases of each part: part 2*b + label, b = how many pivots are <= score."""
    for i in range(label.size):
        part = 0
        for j in range(pivots.size):
            part += score[i] >= pivots[j]
        count[2 * part + label[i]] += 1


@compiled
def scatter_parts(
    label: AnyArray, score: AnyArray, pivots: AnyArray, start: IntArray, out: AnyArray
) -> None:
    """Write each score to the next place of its part; `start` is used up."""
    zero = score.dtype.type(0)
    for i in range(label.size):
        x = score[i]
        part = 0
        for j in range(pivots.size):
            part += x >= pivots[j]
        key = 2 * part + label[i]
        out[start[key]] = x + zero  # -0.0 becomes 0.0, so ties have one spelling
        start[key] += 1


@compiled
def scatter_classes(label: AnyArray, score: AnyArray, out: AnyArray) -> int:
    """Write the negatives from the front, the positives from the back; return where these start."""
    zero = score.dtype.type(0)
    front = 0
    back = score.size - 1
    for i in range(score.size):
        x = score[i] + zero
        out[front] = x  # one of the two places is written again: no branch, as classes are random
        out[back] = x
        own = int(label[i])
        front += 1 - own
        back -= own
    return front


@compiled
def gather_parts(
    label: AnyArray,
    score: AnyArray,
    ends: tuple[Any, Any, bool],
    pivots: AnyArray,
    place: IntArray,
    stop: IntArray,
    out: AnyArray,
) -> bool:
    """As `scatter_parts`, for the scores from ``ends[0]`` up to, if ``ends[2]``, ``ends[1]`` only.

    `place` moves on. Ends early with False where a part has no room before `stop`.
    """
    low, below, bounded = ends
    zero = score.dtype.type(0)
    for i in range(label.size):
        x = score[i]
        if x >= low and (not bounded or x < below):
            part = 0
            for j in range(pivots.size):
                part += x >= pivots[j]
            key = 2 * part + label[i]
            at = place[key]
            if at == stop[key]:
                return False
            out[at] = x + zero
            place[key] = at + 1
    return True


@compiled
def width_of(varying: Any) -> int:
    """Return how many bits a number has, leading zeros left out."""
    left = np.uint64(varying)
    width = 0
    while left:
        left >>= _ONE
        width += 1
    return width


@compiled
def flip_bits(run: AnyArray, always: Any, negative: Any) -> int:
    """Make bit patterns unsigned integers of the same order; return from which bit on all agree.

    The bits of `always` are flipped, and those of `negative` too where the first bit is set.
    """
    first_bit = 8 * run.itemsize - 1
    zero = always ^ always
    in_all = ~zero
    in_any = zero
    for i in range(run.size):
        x = run[i]
        x ^= always ^ (negative & (zero - (x >> first_bit)))  # no branch: signs are random
        run[i] = x
        in_all &= x
        in_any |= x
    return width_of(in_all ^ in_any)


@compiled
def given(flipped: Any, always: Any, negative: Any) -> Any:
    """Undo what `flip_bits` did to one pattern."""
    x = flipped ^ always
    return x ^ negative if x & always else x


@compiled
def count_bytes(run: AnyArray, shift: int, count: IntArray) -> None:
    """Turn counts of zero into the places where the values of each byte above `shift` start."""
    n_bytes = count.shape[0]
    for i in range(run.size):
        x = run[i] >> shift
        for b in range(n_bytes):
            count[b, (x >> (8 * b)) & 255] += 1
    for b in range(n_bytes):
        start = 0
        for byte in range(256):
            start, count[b, byte] = start + count[b, byte], start


@compiled
def sort_bytes(run: AnyArray, spare: AnyArray, shift: int, n_bytes: int) -> bool:
    """Order integers by so many bytes above `shift`, the least byte first, stably (radix sort).

    Returns whether the answer is in `spare`.
    """
    place = np.zeros((n_bytes, 256), dtype=np.int64)
    count_bytes(run, shift, place)
    source, target = run, spare
    for b in range(n_bytes):
        at = place[b]
        here = shift + 8 * b
        for i in range(run.size):
            x = source[i]
            byte = (x >> here) & 255
            target[at[byte]] = x
            at[byte] += 1
        source, target = target, source
    return n_bytes % 2 == 1


@compiled
def inserted(run: AnyArray) -> bool:
    """Sort by insertion what is nearly in order; False as soon as that takes too many moves."""
    left = MOVES * run.size
    for i in range(1, run.size):
        x = run[i]
        j = i
        while j > 0 and run[j - 1] > x:
            run[j] = run[j - 1]
            j -= 1
        run[j] = x
        left -= i - j
        if left < 0:
            return False
    return True


@compiled
def upper_of(n_bytes: int, size: int) -> int:
    """Return how many of the bytes that differ a radix sort of so many numbers looks at first."""
    return min(n_bytes, UPPER - 1 if size <= SHORT else UPPER)


@compiled
def sort_bits(run: AnyArray, spare: AnyArray, always: Any, negative: Any) -> None:
    """Sort bit patterns in place, by their upper bytes first (radix sort).

    The upper bytes of those that differ leave little out of order, which insertion mends; where
    they leave much, all bytes are used. For that time patterns are what `flip_bits` makes.
    """
    width = flip_bits(run, always, negative)
    source = run
    if sort_flipped(run, spare, width):
        source = spare
    given_bits(source, always, negative, run)


@compiled
def sort_flipped(run: AnyArray, spare: AnyArray, width: int) -> bool:
    """Sort integers of which `width` bits differ; return whether the answer is in `spare`."""
    n_bytes = (width + 7) // 8
    upper = upper_of(n_bytes, run.size)
    swapped = sort_bytes(run, spare, max(0, width - 8 * upper), upper)
    if upper == n_bytes:
        return swapped
    source, target = run, spare
    if swapped:
        source, target = spare, run
    if not inserted(source) and sort_bytes(source, target, 0, n_bytes):
        return not swapped
    return swapped


@compiled
def given_bits(flipped: AnyArray, always: Any, negative: Any, run: AnyArray) -> None:
    """Undo what `flip_bits` did to bit patterns."""
    for i in range(run.size):
        run[i] = given(flipped[i], always, negative)


@compiled
def twice_wins(neg: AnyArray, pos: AnyArray) -> int:
    """2 #(pos > neg) + #(pos == neg) of two ascending runs."""
    below = 0  # negatives < the current positive
    upto = 0  # negatives <= the current positive
    total = 0
    for i in range(pos.size):
        x = pos[i]
        while below < neg.size and neg[below] < x:
            below += 1
        if upto < below:
            upto = below
        while upto < neg.size and neg[upto] <= x:
            upto += 1
        total += below + upto
    return total


@compiled
def merged_rows(
    neg: AnyArray, pos: AnyArray, score: AnyArray, n_pos: IntArray, n_neg: IntArray
) -> int:
    """Merge two ascending runs into rows (score, positives, negatives), highest score first.

    Returns how many rows there are; there is room for as many as cases. One case at a time and
    without a branch on the scores, as no processor foresees which class is next.
    """
    i = pos.size - 1
    j = neg.size - 1
    k = tp = fp = 0
    if i + j == -2:
        return 0
    last = pos[i] if j < 0 or (i >= 0 and pos[i] >= neg[j]) else neg[j]
    while i >= 0 and j >= 0:
        own = int(pos[i] >= neg[j])
        x = pos[i] if own else neg[j]
        same = int(x == last)
        k += 1 - same
        tp = own + tp * same
        fp = 1 - own + fp * same
        score[k], n_pos[k], n_neg[k] = x, tp, fp
        last = x
        i -= own
        j -= 1 - own
    for left in range(i + j + 1, -1, -1):  # of one class
        x = neg[left] if i < 0 else pos[left]
        same = int(x == last)
        k += 1 - same
        tp = int(i >= 0) + tp * same
        fp = int(i < 0) + fp * same
        score[k], n_pos[k], n_neg[k] = x, tp, fp
        last = x
    return k + 1


@compiled
def direction(a: AnyArray) -> int:
    """1 if a run ascends, -1 if it descends, 0 otherwise; stops at the first contradiction."""
    up = True
    down = True
    for i in range(1, a.size):
        up = up and a[i - 1] <= a[i]
        down = down and a[i - 1] >= a[i]
        if not (up or down):
            return 0
    return 1 if up else -1


@compiled
def count_hashed(
    label: AnyArray, bits: AnyArray, key: AnyArray, count: IntArray, shift: Any
) -> int:
    """Count cases by the bits of their score in a hash table that starts out empty.

    Returns how many distinct scores there are, or -1 as soon as half the table is full.
    `shift` is 64 minus the number of bits of the table's size.
    """
    mask = np.uint64(key.size - 1)
    used = 0
    for i in range(label.size):
        x = np.uint64(bits[i])
        place = (x * np.uint64(0x9E3779B97F4A7C15)) >> shift  # Fibonacci hashing
        while True:
            if count[place, 0] + count[place, 1] == 0:
                if 2 * used >= key.size:
                    return -1
                key[place] = x
                used += 1
                break
            if key[place] == x:
                break
            place = (place + np.uint64(1)) & mask
        count[place, label[i]] += 1
    return used


@compiled
def low_bits(level: Any) -> Any:
    """Return the low bits that vary inside a bin; shifting by 64 is undefined."""
    return _ALL if level >= 64 else (_ONE << np.uint64(level)) - _ONE


@compiled
def _bit_length(x: Any) -> int:
    bits = 0
    for step in (32, 16, 8, 4, 2, 1):
        if x >> np.uint64(step):
            x >>= np.uint64(step)
            bits += step
    return bits + 1 if x else bits


@compiled
def join_costs(
    bins: tuple[AnyArray, AnyArray, AnyArray, AnyArray],
    total: float,
    meet: AnyArray,
    cost: AnyArray,
) -> None:
    """Cost of joining each pair of neighbours in the binary trie of their keys.

    `bins` holds the ascending bins (key, level, pos, neg) of `total` cases. Bins i and i + 1
    meet in the trie node that covers 2**meet[i] keys; joining them means to join all bins of
    that node, at the cost of its positives times its negatives.
    """
    key, level, pos, neg = bins
    # Nodes that are not complete yet: where two bins meet, and the counts before the first bin.
    node = np.empty(66, dtype=np.int64)  # their levels fall, so there are 64 at most
    p_before = np.empty(66)
    q_before = np.empty(66)
    top = 0
    p_all = 0.0  # float64 is exact up to 2**53 cases
    q_all = 0.0
    for i in range(key.size):
        p_first = p_all
        q_first = q_all
        p_all += pos[i]
        q_all += neg[i]
        bits = 65
        if i < key.size - 1:
            bits = _bit_length(key[i] ^ (key[i + 1] & ~low_bits(level[i + 1])))
            meet[i] = bits
        while top > 0 and meet[node[top - 1]] < bits:
            top -= 1
            p_first = p_before[top]
            q_first = q_before[top]
            p = p_all - p_first
            q = q_all - q_first
            # Among nodes that cost nothing, the small ones go first.
            cost[node[top]] = p * q + (p + q) / (2.0 * total)
        node[top] = i
        p_before[top] = p_first
        q_before[top] = q_first
        top += 1


@compiled
def _high_word(a: Any, b: Any) -> Any:
    """Return the upper 64 bits of the 128 of a product of unsigned integers."""
    half = np.uint64(32)
    mask = np.uint64(0xFFFFFFFF)
    a0, a1 = a & mask, a >> half
    b0, b1 = b & mask, b >> half
    middle = a1 * b0 + (a0 * b0 >> half)
    other = a0 * b1 + (middle & mask)
    return a1 * b1 + (middle >> half) + (other >> half)


@compiled
def _compare_products(a: int, b: int, c: int, d: int) -> int:
    """Sign of a b - c d for non-negative 64-bit integers, whatever their size."""
    ua, ub, uc, ud = np.uint64(a), np.uint64(b), np.uint64(c), np.uint64(d)
    left, right = _high_word(ua, ub), _high_word(uc, ud)
    if left == right:
        left, right = ua * ub, uc * ud
    if left == right:
        return 0
    return 1 if left > right else -1


@compiled
def upper_hull(x: IntArray, y: IntArray, wide: bool, keep_collinear: bool, out: IntArray) -> int:
    """Find the upper hull of points that do not decrease in x nor y, by exact integers.

    `wide`: products of the coordinates need 128 bits. Writes the indices and returns how many
    of `out` are used. Twins are left out.
    """
    size = 0
    for i in range(x.size):
        if size and x[out[size - 1]] == x[i] and y[out[size - 1]] == y[i]:
            continue
        while size > 1:
            a = out[size - 2]
            b = out[size - 1]
            if wide:
                cross = _compare_products(x[b] - x[a], y[i] - y[a], y[b] - y[a], x[i] - x[a])
            else:
                cross = (x[b] - x[a]) * (y[i] - y[a]) - (y[b] - y[a]) * (x[i] - x[a])
            if cross > 0 or (cross == 0 and not keep_collinear):
                size -= 1
            else:
                break
        out[size] = i
        size += 1
    return size


@compiled
def upper_hull_near(x: AnyArray, y: AnyArray, near: float, out: IntArray) -> int:
    """As `upper_hull` for floats up to (x[-1], y[-1]), scaled to the unit square.

    A point is left out unless it lies more than `near` above the line of its neighbours, so
    a negative `near` keeps what is as little below it.
    """
    right, top = x[-1], y[-1]
    size = 0
    for i in range(x.size):
        if size and x[out[size - 1]] == x[i] and y[out[size - 1]] == y[i]:
            continue
        while size > 1:
            a = out[size - 2]
            b = out[size - 1]
            across, up = (x[i] - x[a]) / right, (y[i] - y[a]) / top
            cross = (x[b] - x[a]) / right * up - (y[b] - y[a]) / top * across
            if cross >= -near * (across + up):
                size -= 1
            else:
                break
        out[size] = i
        size += 1
    return size


@compiled
def twice_wins_of_rows(neg: AnyArray, pos: AnyArray, total: IntArray) -> None:
    """Write what `twice_wins` returns of each row of two matrices whose rows ascend."""
    for i in range(total.size):
        total[i] = twice_wins(neg[i], pos[i])


@compiled
def screen_rows(
    neg: AnyArray, pos: AnyArray, n_neg: IntArray, n_pos: IntArray, twice: IntArray, out: AnyArray
) -> None:
    """Sum up what the area of each row of two matrices needs, whose rows ascend.

    Of row i the first ``n_neg[i]`` and ``n_pos[i]`` count. ``out[i]`` becomes the sums of squared
    deviations of the placements of positives and negatives, the sum of t (N^2 - t^2) over runs of t
    equal ones of N scores, and the positives and negatives at the lowest and at the highest score.
    """
    for i in range(twice.size):
        x, y = pos[i], neg[i]
        p, n = n_pos[i], n_neg[i]
        if p == 0 or n == 0:
            twice[i] = 0
            out[i, :] = np.nan
            continue
        total = twice_wins(y[:n], x[:p])
        twice[i] = total
        area = total / (2.0 * p * n)
        a = 0
        b = 0
        of_pos = of_neg = untied = 0.0
        first_pos = first_neg = last_pos = last_neg = 0
        while a < p or b < n:
            if b == n or (a < p and x[a] < y[b]):
                value = x[a]
            else:
                value = y[b]
            from_a = a
            from_b = b
            while a < p and x[a] == value:
                a += 1
            while b < n and y[b] == value:
                b += 1
            last_pos = a - from_a
            last_neg = b - from_b
            if from_a + from_b == 0:
                first_pos = last_pos
                first_neg = last_neg
            beats = (from_b + last_neg / 2.0) / n - area
            beaten = (p - from_a - last_pos / 2.0) / p - area
            of_pos += last_pos * beats * beats
            of_neg += last_neg * beaten * beaten
            t = float(last_pos + last_neg)
            untied += t * ((p + n - t) * (p + n + t))
        out[i, 0] = of_pos
        out[i, 1] = of_neg
        out[i, 2] = untied
        out[i, 3] = first_pos
        out[i, 4] = first_neg
        out[i, 5] = last_pos
        out[i, 6] = last_neg
