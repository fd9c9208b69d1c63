"""What intervals of the area of a yes/no test cover, exactly: summed over all outcomes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from benchmarks.coverage.ledger import LEVEL, Row
from rocspace.counts import ScoreTable
from rocspace.inference import auc_estimate
from rocspace.results import Scale

SECTION = "area of a yes/no test"
SCALES: tuple[Scale, ...] = ("unseen", "moderated", "logit")
RATES = tuple(
    pair
    for pair in product(
        (0.26, 0.38, 0.6, 0.8, 0.87, 0.9, 0.93, 0.95, 0.98, 0.99), (0.005, 0.02, 0.05, 0.1, 0.3)
    )
    if pair[0] > pair[1]
)
SIZES = (
    (5, 5),
    (10, 10),
    (5, 50),
    (50, 5),
    (5, 200),
    (10, 200),
    (6, 300),
    (12, 60),
    (20, 400),
    (50, 50),
    (20, 1000),
    (1000, 20),
    (50, 5000),
    (100, 10_000),
)
LARGE = tuple(product((0.9, 0.95, 0.99), (0.02, 0.1, 0.3)))
_RARE = 1e-9  # outcomes that are rarer, on either side, are left out; what they add is less


def rows(_: int) -> Iterator[Row]:
    """Yield the rows, whose sums are exact: all pairs of rates, and of large sizes some."""
    for n_pos, n_neg in SIZES:
        for tpr, fpr in LARGE if n_pos * n_neg >= 20_000 else RATES:
            yield from cell(tpr, fpr, n_pos, n_neg)


def cell(tpr: float, fpr: float, n_pos: int, n_neg: int) -> Iterator[Row]:
    """Yield a row for each scale."""
    pos, neg = likely(n_pos, tpr), likely(n_neg, fpr)
    truth = (tpr + 1 - fpr) / 2
    inside: dict[str, float] = dict.fromkeys(SCALES, 0.0)
    width = inside.copy()
    for (tp, p), (fp, q) in product(pos, neg):
        for scale, low, high in limits(tp, fp, n_pos, n_neg):
            inside[scale] += p * q * (low - 1e-12 <= truth <= high + 1e-12)
            width[scale] += p * q * (high - low)
    name, size = f"tpr {tpr:g}, fpr {fpr:g}", f"{n_pos} + {n_neg}"
    for scale in SCALES:
        yield Row(SECTION, name, size, f"delong {scale}", inside[scale], width[scale])


@cache
def limits(tp: int, fp: int, n_pos: int, n_neg: int) -> list[tuple[str, float, float]]:
    """Return the ends on each scale, which outcomes of several rates share."""
    table = ScoreTable.from_counts([1, 0], [tp, n_pos - tp], [fp, n_neg - fp])
    estimate = auc_estimate(table)
    return [(scale, *estimate.interval(LEVEL, scale=scale)) for scale in SCALES]


def likely(n: int, rate: float) -> list[tuple[int, float]]:
    """Return counts and their chances, without those that are next to impossible."""
    low, high = np.asarray(stats.binom.ppf([_RARE, 1 - _RARE], n, rate))
    counts: NDArray[np.int64] = np.arange(int(low), int(high) + 1)
    return list(zip(counts.tolist(), stats.binom.pmf(counts, n, rate).tolist(), strict=True))
