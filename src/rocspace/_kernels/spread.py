"""Compiled loops over the rows of a table: sums, wins, placements, powers of their deviations.

As in `rocspace._kernels.sorting`: imported on first use, releasing the GIL, cached on disk, plain
loops. Each number is what NumPy gives, to the bit; sums of floats are left to NumPy.
"""

from __future__ import annotations

from rocspace._kernels.sorting import AnyArray, IntArray, compiled


@compiled
def twice_wins_of_counts(pos: IntArray, neg: IntArray, n_neg: int) -> int:
    """2 #(pos > neg) + #(tied) from counts at falling scores; it has to fit 64 bits."""
    total = 0
    twice = 2 * n_neg
    for i in range(pos.size):
        total += pos[i] * (twice - neg[i])
        twice -= 2 * neg[i]
    return total


@compiled
def summed_from_zero(pos: IntArray, neg: IntArray, tp: IntArray, fp: IntArray) -> None:
    """Write the cumulative sums of both columns, each after a zero."""
    tp[0] = 0
    fp[0] = 0
    called_pos = 0
    called_neg = 0
    for i in range(pos.size):
        called_pos += pos[i]
        called_neg += neg[i]
        tp[i + 1] = called_pos
        fp[i + 1] = called_neg


@compiled
def placed_rows(
    pos: IntArray, neg: IntArray, sizes: tuple[int, int], beats: AnyArray, beaten: AnyArray
) -> None:
    """Write the placements of the cases of each row among the other class, both from 0 to 1."""
    twice_pos, twice_neg = float(2 * sizes[0]), float(2 * sizes[1])
    above = 0
    below = 2 * sizes[1]
    for i in range(pos.size):
        beats[i] = (below - neg[i]) / twice_neg
        beaten[i] = (above + pos[i]) / twice_pos
        above += 2 * pos[i]
        below -= 2 * neg[i]


@compiled
def powers_of_rows(
    pos: IntArray,
    neg: IntArray,
    called: IntArray,
    sizes: tuple[int, int],
    centre: float,
    out: AnyArray,
) -> None:
    """Write the second and fourth powers of deviations of both classes, times their cases.

    `called` are the positives and negatives above these rows; it moves on. Rows 0 and 1 of `out`
    are of positives, 2 and 3 of negatives.
    """
    twice_pos, twice_neg = float(2 * sizes[0]), float(2 * sizes[1])
    above = 2 * called[0]
    below = 2 * (sizes[1] - called[1])
    for i in range(pos.size):
        out[1, i] = below - neg[i]
        out[3, i] = above + pos[i]
        above += 2 * pos[i]
        below -= 2 * neg[i]
    called[0] = above // 2
    called[1] = sizes[1] - below // 2
    _powers(pos, out[1], twice_neg, centre, out[0])
    _powers(neg, out[3], twice_pos, centre, out[2])


@compiled
def _powers(count: IntArray, of: AnyArray, twice: float, centre: float, second: AnyArray) -> None:
    """Turn counts of the other class into fourth powers; in a loop of its own, for SIMD."""
    for i in range(count.size):
        square = of[i] / twice - centre
        square *= square
        weighted = count[i] * square
        second[i] = weighted
        of[i] = weighted * square


@compiled
def rows_with_cases(few: IntArray, many: IntArray, out: IntArray) -> int:
    """Find the rows that hold cases of a class; return how many there are.

    Writes how many of that class stand above each and above its end, and of the other class.
    """
    own = 0
    others = 0
    k = 0
    for i in range(few.size):
        if few[i]:
            out[0, k] = own
            own += few[i]
            out[1, k] = own
            out[2, k] = others
            out[3, k] = others + many[i]
            k += 1
        others += many[i]
    return k


@compiled
def powers_of_cases(
    few: IntArray, sizes: tuple[int, int], negatives: bool, centre: float, out: AnyArray
) -> None:
    """Write the second and fourth powers of deviations where each row holds one case.

    `few` marks the cases of the smaller class, and `sizes` are that of this class and of the other.
    Rows 0 and 1 of `out` are of these cases, whose last column is left; rows 2 and 3 of the cases
    of the other class before each of them and after the last, times their number.
    """
    m, n = sizes
    own = 0
    for i in range(few.size):
        out[0, own] = i - own  # cases of the other class before; no branch: classes are random
        own += few[i]
    out[0, m] = n
    before = 0.0
    for k in range(m + 1):  # in a loop of its own, for SIMD
        upto = out[0, k]
        square = float(2 * (m - k) if negatives else 2 * k) / float(2 * m) - centre
        square *= square
        weighted = (upto - before) * square
        before = upto
        out[2, k] = weighted
        out[3, k] = weighted * square
    for k in range(m):
        square = (2.0 * out[0, k] if negatives else 2.0 * (n - out[0, k])) / float(2 * n) - centre
        square *= square
        out[0, k] = square
        out[1, k] = square * square


@compiled
def products_of_two(one: AnyArray, two: AnyArray, out: AnyArray) -> None:
    """Write the products of two deviations, and powers of their difference, of each case.

    Rows of `out`: the square of the first, the product, the square of the second, and the second
    and fourth powers of the difference.
    """
    for i in range(one.size):
        square = one[i] - two[i]
        square *= square
        out[0, i] = one[i] * one[i]
        out[1, i] = one[i] * two[i]
        out[2, i] = two[i] * two[i]
        out[3, i] = square
        out[4, i] = square * square
