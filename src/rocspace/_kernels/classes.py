"""A compiled sweep over one column of scores of cases of several classes.

As in `rocspace._kernels.sorting`: imported on first use, releasing the GIL, cached on disk,
plain loops.
"""

from __future__ import annotations

import numpy as np

from rocspace._kernels.sorting import AnyArray, IntArray, compiled


@compiled
def place_column(
    order: IntArray,
    column: AnyArray,
    label: IntArray,
    weight: AnyArray,
    own: int,
    total: AnyArray,
    twice: AnyArray,
    wins: AnyArray,
    losses: AnyArray,
) -> None:
    """Place the cases of class `own` among those of every class, and all others among them.

    `order` sorts `column` in rising order, `total` has the weight of each class. ``twice[j]``
    becomes twice the weight of the pairs in which a case of class `own` beats one of class j, ties
    one half; a row of `wins` the shares of the classes that a case of `own` beats; and
    ``losses[c, own]`` the share of class `own` that beats case c. Where `wins` is empty only
    `twice` is computed.
    """
    n, k = order.size, total.size
    below, tied = np.zeros_like(total), np.zeros_like(total)
    first = 0
    while first < n:
        value, last = column[order[first]], first
        for j in range(k):
            tied[j] = 0
        while last < n and column[order[last]] == value:
            c = order[last]
            tied[label[c]] += weight[c if weight.size > 1 else 0]
            last += 1
        for j in range(k):
            twice[j] += tied[own] * (2 * below[j] + tied[j])
        if wins.size:
            above = (total[own] - below[own] - tied[own] / 2) / total[own]
            for at in range(first, last):
                c = order[at]
                if label[c] != own:
                    losses[c, own] = above
                    continue
                for j in range(k):
                    if j != own and total[j] > 0:
                        wins[c, j] = (below[j] + tied[j] / 2) / total[j]
        for j in range(k):
            below[j] += tied[j]
        first = last
