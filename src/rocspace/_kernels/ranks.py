"""Compiled loops over cases that stay paired: ranks of several scores, and their permutations.

As in `rocspace._kernels.sorting`: imported on first use, releasing the GIL, cached on disk,
plain loops.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rocspace._kernels.sorting import (
    MOVES,
    AnyArray,
    IntArray,
    compiled,
    count_bytes,
    flip_bits,
    given,
    upper_of,
)


@compiled
def sort_places(
    bits: AnyArray, place: IntArray, spare: AnyArray, other: IntArray, always: Any, negative: Any
) -> bool:
    """Sort bit patterns together with the place of each, stably (radix sort).

    As `rocspace._kernels.sorting.sort_bits`, by the upper bytes first; the patterns keep their
    flipped signs. Returns whether the answer is in `spare` and `other`.
    """
    width = flip_bits(bits, always, negative)
    n_bytes = (width + 7) // 8
    upper = upper_of(n_bytes, bits.size)
    swapped = _sort_pairs((bits, spare), (place, other), max(0, width - 8 * upper), upper)
    if upper == n_bytes:
        return swapped
    if swapped:
        if not _inserted_pairs(spare, other):
            swapped = not _sort_pairs((spare, bits), (other, place), 0, n_bytes)
    elif not _inserted_pairs(bits, place):
        swapped = _sort_pairs((bits, spare), (place, other), 0, n_bytes)
    return swapped


@compiled
def _sort_pairs(
    bits: tuple[AnyArray, AnyArray], place: tuple[IntArray, IntArray], shift: int, n_bytes: int
) -> bool:
    """As `rocspace._kernels.sorting.sort_bytes`, with the numbers; each pair is array and room."""
    start = np.zeros((n_bytes, 256), dtype=np.int64)
    source, target = bits
    here, there = place
    count_bytes(source, shift, start)
    for b in range(n_bytes):
        at = start[b]
        low = shift + 8 * b
        for i in range(source.size):
            x = source[i]
            digit = (x >> low) & 255
            j = at[digit]
            target[j] = x
            there[j] = here[i]
            at[digit] = j + 1
        source, target = target, source
        here, there = there, here
    return n_bytes % 2 == 1


@compiled
def _inserted_pairs(bits: AnyArray, place: IntArray) -> bool:
    """As `rocspace._kernels.sorting.inserted`, with the numbers; ties keep their order."""
    left = MOVES * bits.size
    for i in range(1, bits.size):
        x = bits[i]
        if bits[i - 1] <= x:
            continue
        own = place[i]
        j = i
        while j > 0 and bits[j - 1] > x:
            bits[j] = bits[j - 1]
            place[j] = place[j - 1]
            j -= 1
        bits[j] = x
        place[j] = own
        left -= i - j
        if left < 0:
            return False
    return True


@compiled
def pack_places(bits: AnyArray, always: Any, negative: Any, places: Any, packed: AnyArray) -> None:
    """Make bit patterns what `flip_bits` does, and write each with its place below it, in 64 bits.

    There the patterns lack the upper bits in which all agree, and those lower ones where `places`,
    a mask, has room for a place.
    """
    up = np.uint64(min(64 - flip_bits(bits, always, negative), 63))
    for i in range(bits.size):
        packed[i] = ((np.uint64(bits[i]) << up) & ~places) | np.uint64(i)


@compiled
def unpack_places(
    packed: AnyArray, places: Any, bits: AnyArray, key: AnyArray, own: IntArray
) -> bool:
    """Write patterns, and the place of each, in the order of what `pack_places` wrote, now sorted.

    Patterns that differ only in the bits that are lacking there are put in order by insertion;
    returns whether that came to an end.
    """
    for i in range(packed.size):
        at = np.int64(packed[i] & places)
        key[i] = bits[at]
        own[i] = at
    return _inserted_pairs(key, own)


@compiled
def rows_in_order(
    bits: AnyArray,
    place: IntArray,
    label: AnyArray,
    rising: bool,
    row: IntArray,
    counts: tuple[IntArray, IntArray],
    flips: tuple[Any, Any],
    distinct: AnyArray,
) -> int:
    """Give numbers to the distinct scores of sorted cases, and count each class there.

    Writes the row of each case, the bits of each row's score, from which those that `flip_bits`
    flipped are flipped back, and the counts of positives and negatives; returns how many rows
    there are. Row 0 has the lowest score if `rising`, else the highest.
    """
    pos, neg = counts
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
            distinct[k] = given(last, *flips)
        row[place[i]] = k
        if label[place[i]]:
            pos[k] += 1
        else:
            neg[k] += 1
    return k + 1


@compiled
def mark_places(label: AnyArray, n_neg: int, place: IntArray) -> None:
    """Write for each case its place among all of them, the negatives first, in their order."""
    pos = n_neg
    neg = 0
    for i in range(label.size):
        own = int(label[i])
        place[i] = own * pos + (1 - own) * neg  # no branch: classes are random
        pos += own
        neg += 1 - own


@compiled
def give_places(score: AnyArray, place: IntArray, out: AnyArray) -> None:
    """Write each score at its place; -0.0 becomes 0.0, so that they tie."""
    zero = score.dtype.type(0)
    for i in range(score.size):
        out[place[i]] = score[i] + zero


@compiled
def counts_in_order(
    bits: AnyArray,
    place: IntArray,
    n_neg: int,
    rising: bool,
    counts: tuple[IntArray, IntArray],
    flips: tuple[Any, Any],
    distinct: AnyArray,
) -> int:
    """Count each class at the distinct scores of sorted cases, among whom negatives come first.

    Writes what `rows_in_order` does but the row of each case, and returns as much.
    """
    pos, neg = counts
    n = bits.size
    last = bits[0] if rising else bits[n - 1]
    k = cases = positives = 0
    for step in range(n):
        i = step if rising else n - 1 - step
        if bits[i] != last:
            pos[k], neg[k] = positives, cases - positives
            distinct[k] = given(last, *flips)
            k += 1
            last = bits[i]
            cases = positives = 0
        positives += int(place[i] >= n_neg)
        cases += 1
    pos[k], neg[k] = positives, cases - positives
    distinct[k] = given(last, *flips)
    return k + 1


@compiled
def place_out(
    place: IntArray,
    n_neg: int,
    rising: bool,
    count: tuple[IntArray, IntArray],
    centre: float,
    out: AnyArray,
) -> None:
    """Do as `spread_out` with the placements of `placed_rows`, which are worked out on the way."""
    pos, neg = count
    n = place.size
    twice_pos, twice_neg = float(2 * (n - n_neg)), float(2 * n_neg)
    above = 0
    below = 2 * n_neg
    step = 0
    for k in range(pos.size):
        cases = pos[k] + neg[k]
        if cases == 1:  # one division for one case
            at = place[step] if rising else place[n - 1 - step]
            positive = at >= n_neg
            twice = below if positive else above
            out[at] = twice / (twice_neg if positive else twice_pos) - centre
        else:
            high = (below - neg[k]) / twice_neg - centre
            low = (above + pos[k]) / twice_pos - centre
            for i in range(step, step + cases):
                at = place[i] if rising else place[n - 1 - i]
                out[at] = high if at >= n_neg else low
        step += cases
        above += 2 * pos[k]
        below -= 2 * neg[k]


@compiled
def spread_out(
    place: IntArray,
    n_neg: int,
    rising: bool,
    count: tuple[IntArray, IntArray],
    value: tuple[AnyArray, AnyArray],
    centre: float,
    out: AnyArray,
) -> None:
    """Give each case the value of its row and class, less `centre`, at its own place.

    `count` and `value` are pairs: of positives, and of negatives.
    """
    of_pos, of_neg = value
    n = place.size
    step = 0
    for k in range(of_pos.size):
        high = of_pos[k] - centre
        low = of_neg[k] - centre
        for _ in range(count[0][k] + count[1][k]):
            at = place[step] if rising else place[n - 1 - step]
            out[at] = high if at >= n_neg else low
            step += 1


@compiled
def neighbour_steps(one: AnyArray, two: AnyArray, zero: Any) -> tuple[float, float, float, float]:
    """Sum over cases the squared step to the farther neighbouring row, and over ties their square.

    `one` and `two` count both classes by row, and both sums are returned for each class. A step is
    twice the number of cases of the other class between two rows; cases without any of them between
    them are tied. Steps are summed in the type of `zero`: whole numbers add faster.
    """
    steps_one = steps_two = before_one = before_two = zero
    ties_one = tied_one = one[0] - one[0]  # zero, in the type of the counts
    ties_two = tied_two = two[0] - two[0]
    for i in range(one.size):
        end = i + 1 == one.size
        after_one = zero if end else zero + two[i] + two[i + 1]
        after_two = zero if end else zero + one[i] + one[i + 1]
        far = max(before_one, after_one)
        steps_one += one[i] * far * far
        far = max(before_two, after_two)
        steps_two += two[i] * far * far
        tied_one += one[i]
        tied_two += two[i]
        last = end or after_one > 0
        ties_one += tied_one * tied_one if last else 0  # no branch: classes are random
        tied_one = 0 if last else tied_one
        last = end or after_two > 0
        ties_two += tied_two * tied_two if last else 0
        tied_two = 0 if last else tied_two
        before_one = after_one
        before_two = after_two
    return float(steps_one), float(ties_one), float(steps_two), float(ties_two)


@compiled
def steps_of_cases(one: IntArray, two: IntArray) -> tuple[float, float, float, float]:
    """Return what `neighbour_steps` does where each row holds one case.

    A case has a step of one if a neighbour is of the other class. A run of L cases of a class in a
    row is tied, and its square is the sum of 2 j - 1 over j = 1 to L. No branch: classes are
    random.
    """
    n = one.size
    last = n - 1
    steps_one = one[0] * (n > 1 and two[1]) + one[last] * (n > 1 and two[last - 1])
    steps_two = two[0] * (n > 1 and one[1]) + two[last] * (n > 1 and one[last - 1])
    for i in range(1, last):
        steps_one += one[i] * (two[i - 1] | two[i + 1])
        steps_two += two[i] * (one[i - 1] | one[i + 1])
    run = 1
    ties = ties_one = 1
    for i in range(1, n):
        run = 1 + run * (one[i] == one[i - 1])
        ties += 2 * run - 1
        ties_one += one[i] * (2 * run - 1)
    ties_one -= two[0]
    return float(steps_one), float(ties_one), float(steps_two), float(ties - ties_one)


@compiled
def rank_gaps(
    of_one: IntArray, of_two: IntArray, sign: IntArray, bits: AnyArray, gap: IntArray
) -> None:
    """Sum over all cuts how many more errors one ranking makes than the other, swapped at random.

    ``of_one[t, v]`` is the case at rank v of the first score, for the t-th way to break ties;
    ``bits[r, i] & 1`` swaps the ranks of case i in replicate r, and ``bits[r, v] & 2`` tells
    which of two cases at rank v comes first. Adds to ``gap[r]`` over all t.
    """
    n = sign.size
    one = np.empty(n, dtype=np.int8)
    two = np.empty(n, dtype=np.int8)
    for r in range(bits.shape[0]):
        for t in range(of_one.shape[0]):
            i = 0
            j = 0
            for v in range(n):
                x = of_one[t, v]
                y = of_two[t, v]
                swap_x = bits[r, x] & 1
                swap_y = bits[r, y] & 1
                if swap_x == swap_y:
                    if swap_x:
                        x, y = y, x
                    one[i] = sign[x]
                    two[j] = sign[y]
                    i += 1
                    j += 1
                    continue
                if bits[r, v] & 2:
                    x, y = y, x
                if swap_y:  # both are ranked v by the first score now
                    one[i] = sign[x]
                    one[i + 1] = sign[y]
                    i += 2
                else:
                    two[j] = sign[x]
                    two[j + 1] = sign[y]
                    j += 2
            ahead = 0
            total = 0
            for v in range(n):
                ahead += one[v] - two[v]
                total += abs(ahead)
            gap[r] += total


@compiled
def deal(chance: AnyArray, wanted: int, chosen: AnyArray) -> None:
    """Choose so many of each row, all choices as likely, from uniform numbers."""
    for r in range(chance.shape[0]):
        open_places = wanted
        n = chance.shape[1]
        for i in range(n):
            if chance[r, i] * (n - i) < open_places:
                chosen[r, i] = True
                open_places -= 1
            else:
                chosen[r, i] = False


@compiled
def curve_gaps(
    positive: AnyArray, second: AnyArray, sizes: IntArray, kappa: float, gap: AnyArray
) -> None:
    """Area between the error curves of two samples whose cases stand in one common order.

    Row r holds one replicate: ``second[r, i]`` tells the sample of case i, the least positive
    first. ``sizes`` are the positives and negatives of both samples: P1, N1, P2, N2.
    """
    n = positive.size
    step = np.empty(4)
    step[0], step[1] = kappa / sizes[0], (1 - kappa) / sizes[1]
    step[2], step[3] = kappa / sizes[2], (1 - kappa) / sizes[3]
    x = np.empty((2, n + 1))
    e = np.empty((2, n + 1))
    for r in range(second.shape[0]):
        last = np.zeros(2, dtype=np.int64)
        for g in range(2):
            x[g, 0] = 0.0
            e[g, 0] = 1 - kappa
        for i in range(n):
            g = 1 if second[r, i] else 0
            k = last[g]
            up = step[2 * g] if positive[i] else step[2 * g + 1]
            x[g, k + 1] = x[g, k] + up
            e[g, k + 1] = e[g, k] + up if positive[i] else e[g, k] - up
            last[g] = k + 1
        for g in range(2):
            x[g, last[g]] = 1.0  # but for rounding
            e[g, last[g]] = kappa
        i = 0
        j = 0
        at = 0.0
        before = 0.0
        total = 0.0
        while i < last[0] or j < last[1]:
            # The next knot of either curve; the other one is read off its current piece.
            if j == last[1] or (i < last[0] and x[0, i + 1] <= x[1, j + 1]):
                i += 1
                here = x[0, i]
                if j < last[1] and x[1, j + 1] == here:
                    j += 1
            else:
                j += 1
                here = x[1, j]
            apart = abs(_read(x[0], e[0], i, last[0], here) - _read(x[1], e[1], j, last[1], here))
            total += (here - at) * (apart + before) / 2
            at, before = here, apart
        gap[r] += total


@compiled
def _read(x: AnyArray, e: AnyArray, k: int, last: int, here: float) -> Any:
    """Read a polygon between its knots k and k + 1."""
    if k == last or x[k] == here:
        return e[k]
    return e[k] + (here - x[k]) / (x[k + 1] - x[k]) * (e[k + 1] - e[k])
