"""What intervals of the odds ratio cover for yes/no tests, exactly: summed over all outcomes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product

from benchmarks.coverage.called import Ends, summed
from benchmarks.coverage.ledger import LEVEL, Row
from rocspace.counts import ConfusionMatrix
from rocspace.inference import likelihood_ratio_interval

SECTION = "odds ratio of a yes/no test"
DEFAULT, BESIDE = "mid-p", "log"
TPR = (0.05, 0.2, 0.5, 0.8, 0.95, 0.995)
FPR = (0.001, 0.005, 0.02, 0.1, 0.3, 0.5)
RATES = tuple(pair for pair in product(TPR, FPR) if pair[0] >= pair[1])
SIZES = (
    *((3, 3), (5, 5), (10, 10), (20, 20), (50, 50), (200, 200)),
    *((8, 40), (21, 137), (137, 21), (10, 200), (200, 10), (20, 1000)),
)


def rows(_: int) -> Iterator[Row]:
    """Yield the rows of all rates and sizes."""
    for sizes, rates in product(SIZES, RATES):
        yield from cell(*rates, *sizes)


def cell(tpr: float, fpr: float, n_pos: int, n_neg: int) -> Iterator[Row]:
    """Yield a row for each interval; widths are those of odds as shares, ``r / (1 + r)``."""
    truth = tpr * (1 - fpr) / (tpr * (1 - fpr) + fpr * (1 - tpr))
    yield from summed((tpr, fpr), (n_pos, n_neg), {SECTION: truth}, limits)


@cache
def limits(tp: int, fp: int, n_pos: int, n_neg: int) -> list[Ends]:
    """Return the ends of each interval, which outcomes of several rates share."""
    counts = ConfusionMatrix(tp=tp, fp=fp, fn=n_pos - tp, tn=n_neg - fp)
    found: list[Ends] = []
    for name in (DEFAULT, BESIDE):
        ends = likelihood_ratio_interval(counts, "odds", level=LEVEL, method=name)  # type: ignore[arg-type]
        low, high = (end / (1 + end) if end < float("inf") else 1.0 for end in ends)
        found.append((SECTION, name, low, high))
    return found
