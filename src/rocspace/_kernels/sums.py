"""Compiled search for the greatest sums of two lines. Conventions as in `_kernels`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocspace._kernels.sorting import compiled

AnyArray = NDArray[Any]


@compiled
def greatest_sums(
    one: tuple[AnyArray, AnyArray],
    other: tuple[AnyArray, AnyArray],
    at: AnyArray,
    limit: AnyArray,
    value: AnyArray,
) -> None:
    """Write the greatest sums of two lines at whole numbers that add up to each of `at`.

    Of each line the limits from the left and the values at 0, 1, ...; ``other`` backwards.
    ``limit`` becomes the limits of the sums from the left, -inf at 0, and ``value`` the sums.
    """
    before, here = one
    left, right = other
    for i in range(at.size):
        t = at[i]
        back = right.size - 1 - t
        edge, most = -np.inf, here[t] + right[back + t]
        for k in range(t):
            most = max(most, here[k] + right[back + k])
            edge = max(edge, here[k] + left[back + k])
            edge = max(edge, before[k + 1] + right[back + k + 1])
        limit[i], value[i] = edge, most
