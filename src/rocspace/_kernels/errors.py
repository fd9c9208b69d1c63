"""Areas of bootstrap replicates with their standard errors, in one sweep over the draws of each.

What DeLong's variance needs of a replicate are three sums over its cases, all of negatives above
positives, so that nothing cancels where the area is near 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocspace._kernels.draws import cumulate_draws, cumulate_numbers
from rocspace._kernels.sorting import compiled

AnyArray = NDArray[Any]

_ROUNDING = 1e-14  # a spread below this share of the squared mean is rounding


@compiled
def _area_and_error(n_pos: float, n_neg: float, sums: AnyArray, out: AnyArray) -> None:
    """Put area and DeLong's standard error into a row; `sums` are those of `sums_of_draws`."""
    out[:] = np.nan
    if n_pos > 0 and n_neg > 0:
        lost = sums[0] / (2 * n_pos * n_neg)
        out[0] = (2 * n_pos * n_neg - sums[0]) / (2 * n_pos * n_neg)
        if n_pos > 1 and n_neg > 1:
            mean_pos, mean_neg = n_pos * lost * lost, n_neg * lost * lost
            of_pos = sums[1] / (4 * n_neg * n_neg) - mean_pos
            of_neg = sums[2] / (4 * n_pos * n_pos) - mean_neg
            variance = 0.0
            if of_pos > _ROUNDING * mean_pos:
                variance += of_pos / (n_pos * (n_pos - 1))
            if of_neg > _ROUNDING * mean_neg:
                variance += of_neg / (n_neg * (n_neg - 1))
            out[1] = np.sqrt(variance)


@compiled
def errors_of_draws(
    seed: AnyArray,
    share: tuple[AnyArray, AnyArray],
    bits: tuple[AnyArray, AnyArray],
    beaten: tuple[AnyArray, AnyArray],
    drawn: tuple[AnyArray, AnyArray],
    out: AnyArray,
) -> None:
    """Area and standard error of each replicate of a table, nan where it lacks a class.

    ``seed`` has two words for each replicate; ``share`` and ``bits`` are those of `count_draws`,
    positives first. ``beaten`` are the ``above`` and ``upto`` of `sums_of_draws`; ``drawn`` is
    room for one number more than there are cases, positives first, of integers that hold twice
    the number of negatives.
    """
    sums = np.empty(3)
    for r in range(out.shape[0]):
        cumulate_draws(seed[2 * r : 2 * r + 1], share[1][r], bits[1], drawn[1])
        cumulate_draws(seed[2 * r + 1 : 2 * r + 2], share[0][r], bits[0], drawn[0])
        sums_of_draws(drawn[0], drawn[1], beaten[0], beaten[1], sums)
        _area_and_error(float(drawn[0][-1]), float(drawn[1][-1]), sums, out[r])


@compiled
def errors_of_numbers(
    case: tuple[AnyArray, AnyArray],
    beaten: tuple[AnyArray, AnyArray],
    drawn: tuple[AnyArray, AnyArray],
    out: AnyArray,
) -> None:
    """As `errors_of_draws`, of cases that are drawn already: ``case[0][r]`` are the positives."""
    sums = np.empty(3)
    for r in range(out.shape[0]):
        cumulate_numbers(case[0][r], drawn[0])
        cumulate_numbers(case[1][r], drawn[1])
        sums_of_draws(drawn[0], drawn[1], beaten[0], beaten[1], sums)
        _area_and_error(float(drawn[0][-1]), float(drawn[1][-1]), sums, out[r])


@compiled
def sums_of_draws(
    pos: AnyArray, neg: AnyArray, above: AnyArray, upto: AnyArray, out: AnyArray
) -> None:
    """Add up one replicate, whose draws of positives and of negatives are cumulated.

    Positive i has the first ``above[i]`` negatives above it, and ties up to ``upto[i]``; an
    empty ``upto`` says that nothing is tied. ``out`` becomes the sum over the positives of twice
    the negatives above and once the tied, that of its squares, and the sum over the negatives
    of the squares of twice the positives below and once the tied.

    The last without a look at the negatives: a square counts pairs of positives below the same
    negative, and how many negatives are above both, the upper of them says.
    """
    n_pos = pos.size - 1
    total = float(pos[n_pos])
    lost, of_pos, of_neg, before = 0.0, 0.0, 0.0, 0.0
    if not upto.size:
        later = pos[1:]
        for i in range(n_pos):
            after = float(later[i])
            some = after - before
            twice = 2.0 * neg[above[i]]
            lost += some * twice
            of_pos += some * twice * twice
            of_neg += some * twice * (2.0 * total - after - before)
            before = after
        out[0], out[1], out[2] = lost, of_pos, 2.0 * of_neg
        return
    i = 0
    while i < n_pos:
        first, last = above[i], upto[i]
        i += 1
        while i < n_pos and above[i] == first and upto[i] == last:
            i += 1
        after = float(pos[i])
        some = after - before
        higher = float(neg[first])
        twice = higher + neg[last]
        lost += some * twice
        of_pos += some * twice * twice
        # Two positives tied with the same negative count a quarter, not a half.
        of_neg += 4.0 * some * (total - after) * twice + some * some * (twice + 2.0 * higher)
        before = after
    out[0], out[1], out[2] = lost, of_pos, of_neg


@compiled
def errors_of_cases(
    weight: AnyArray, order: AnyArray, positive: AnyArray, last: AnyArray, out: AnyArray
) -> None:
    """Area and standard error of one score for each replicate, from how often cases are in it.

    As `areas_of_cases`; ``out`` has two columns.
    """
    sums = np.empty(3)
    for r in range(weight.shape[0]):
        own = weight[r]
        total = 0.0
        for i in range(order.size):
            if positive[i]:
                total += own[np.uint64(order[i])]
        above, called, p, q = 0.0, 0.0, 0.0, 0.0
        sums[:] = 0.0
        for i in range(order.size):
            w = own[np.uint64(order[i])]
            if positive[i]:
                p += w
            else:
                q += w
            if last[i]:
                twice = 2.0 * above + q
                below = 2.0 * (total - called) - p
                sums[0] += p * twice
                sums[1] += p * twice * twice
                sums[2] += q * below * below
                above += q
                called += p
                p, q = 0.0, 0.0
        _area_and_error(called, above, sums, out[r])
