"""The permutation distribution of the area where one score has more than half of all cases.

A count that is mostly zero, or a test that few cases pass, has a null distribution that is skewed
and coarse, so that the Normal approximation of the Mann-Whitney test has tails far too thin.
"""

from __future__ import annotations

import numpy as np

from rocspace._base.arrays import Array, Vector
from rocspace.results.test import Alternative

_MOST, _AT_ONCE = 1 << 8, 1 << 20  # outcomes that are told apart; what is left then is Normal
_ROUNDING = 1e-9  # of sums of ranks, each a share of all cases
_NEVER = 1e-300  # outcomes that are less probable are left out


def dominated_pvalue(pos: Array, neg: Array, alternative: Alternative) -> float | None:
    """Return the p value of the area over all permutations of the classes, given the ties.

    The number of positives at the score that most cases have is hypergeometric; so it is, given
    that, at the next score, and so on. Where these are too many outcomes, the rank sum of the cases
    that are left is Normal given their number, with the moments of sampling without replacement.
    For a yes/no test this is Fisher's exact test. Return None where no score has more than half of
    the cases.

    Parameters
    ----------
    pos, neg : ndarray of int64
        Numbers of positives and of negatives at each score, the scores decreasing.
    alternative : {"two-sided", "less", "greater"}
        Alternative hypothesis of the area.
    """
    from scipy.special import ndtr

    total = (pos + neg).astype(np.float64)
    n, n_pos = float(total.sum()), float(pos.sum())
    if not n < 2 * total.max() < 2 * n:
        return None
    centred = 0.5 - (np.cumsum(total) - total / 2) / n  # midranks, as shares of all cases
    seen = float(pos @ centred)
    chance, left, summed, others = _peeled(total, centred, n_pos)
    n_left = float(total[others].sum())
    mean = float(total[others] @ centred[others]) / n_left
    spread = float(total[others] @ (centred[others] - mean) ** 2) / n_left
    sd = np.sqrt(spread * left * (n_left - left) / max(n_left - 1, 1.0))
    summed = summed + left * mean

    def tail(sign: float, least: float) -> float:
        over = sign * summed - least + _ROUNDING
        z = np.where(sd > _ROUNDING, over / np.maximum(sd, _ROUNDING), np.inf * np.sign(over))
        return float(chance @ ndtr(z))

    if alternative == "two-sided":
        return min(tail(1.0, abs(seen)) + tail(-1.0, abs(seen)), 1.0)
    return min(tail(1.0, seen) if alternative == "greater" else tail(-1.0, -seen), 1.0)


def _peeled(total: Vector, value: Vector, n_pos: float) -> tuple[Vector, Vector, Vector, Array]:
    """Return the outcomes at the most frequent scores, as far as they are not too many.

    Of each outcome there are the probability, the number of positives elsewhere, and the sum of the
    values of the others; then the rows of the scores that are left.
    """
    order = np.argsort(-total, kind="stable")
    chance, left, summed = np.ones(1), np.array([n_pos]), np.zeros(1)
    rest, used = float(total.sum()), 0
    for row in order:
        here, elsewhere = float(total[row]), rest - float(total[row])
        most = min(float(left.max()), elsewhere)
        if elsewhere == 0 or left.size > _MOST or left.size * (most + 1) > _AT_ONCE:
            break
        then = np.arange(most + 1)
        joint = chance[:, None] * _hypergeometric(then, elsewhere, here, left[:, None])
        kept = joint > _NEVER
        summed = (summed[:, None] + (left[:, None] - then) * value[row])[kept]
        left = np.broadcast_to(then, joint.shape)[kept]
        chance, rest, used = joint[kept], elsewhere, used + 1
    return chance, left, summed, order[used:]


def _hypergeometric(x: Vector, n_first: float, n_second: float, drawn: Vector) -> Vector:
    """Probability that x of some cases drawn without replacement are of the first kind."""
    from scipy.special import gammaln

    def ways(n: float, k: Vector) -> Vector:
        out = (k < 0) | (k > n)
        k = np.where(out, 0, k)
        log = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
        return np.where(out, -np.inf, log)

    found = ways(n_first, x) + ways(n_second, drawn - x) - ways(n_first + n_second, drawn)
    return np.asarray(np.exp(found))
