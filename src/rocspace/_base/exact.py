"""Integer arithmetic that never overflows and comparisons that never round."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from rocspace._base.arrays import Ints, Vector

_LIMB = 21  # bits: products of limbs stay below 2**42, and 2**21 of them below 2**63
_BLOCK = 1 << _LIMB
CACHED = 1 << 13  # rows whose few columns of temporaries stay in the cache
_NEAR = 1e-9  # floats this near to the best are compared again, exactly


def exact_dot(a: Ints, b: Ints) -> int:
    """Sum a[i] * b[i] of non-negative integers as a Python integer, whatever its size."""
    total = 0
    for start in range(0, a.size, _BLOCK):
        x, y = a[start : start + _BLOCK], b[start : start + _BLOCK]
        if int(x.max()) * int(y.max()) * x.size < 2**63:
            total += int(x @ y)
            continue
        for i in range(3):
            for j in range(3):
                total += int(_limb(x, i) @ _limb(y, j)) << (_LIMB * (i + j))
    return total


def blocks(size: int) -> Iterator[slice]:
    """Cut a long table into blocks, so that temporaries stay small and in the cache."""
    for start in range(0, size, CACHED):
        yield slice(start, start + CACHED)


def exact_twice_wins(pos: Ints, neg: Ints) -> int:
    """Return 2 #(pos > neg) + #(tied) from counts at falling scores."""
    below, total = int(neg.sum()), 0
    for block in blocks(pos.size):
        ties = neg[block]
        upto = np.cumsum(ties)
        total += exact_dot(pos[block], 2 * (below - upto) + ties)
        below -= int(upto[-1])
    return total


def _limb(a: Ints, i: int) -> Ints:
    return (a >> (_LIMB * i)) & (_BLOCK - 1)


def ratio(part: Any, whole: Any) -> Any:
    """Return ``part / whole``, nan for 0 / 0 without a warning; for fractions a fraction."""
    if type(part) is Fraction or type(whole) is Fraction:
        nothing = float("nan") if part == 0 or part != part else float("inf")
        return part / whole if whole else nothing
    if type(whole) is int and whole > 0:
        return np.true_divide(part, whole)  # which has nothing to warn of
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.true_divide(part, whole)


def best_rows(value: Vector, exact: Callable[[int], Fraction | int]) -> Ints:
    """Return every index whose value is largest, ties decided by exact arithmetic.

    ``value`` contains the numbers that ``exact`` returns, rounded.
    """
    top = np.nanmax(value)
    slack = _NEAR * max(1.0, abs(top)) if np.isfinite(top) else 0.0
    near = np.flatnonzero(value >= top - slack)
    numbers = [exact(int(i)) for i in near]
    best = max(numbers)
    return near[[number == best for number in numbers]]
