"""What intervals of Youden's index cover for yes/no tests, exactly: summed over all outcomes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product

from benchmarks.coverage.called import Ends, summed
from benchmarks.coverage.ledger import LEVEL, Row
from rocspace.counts import ScoreTable
from rocspace.inference import youden_interval

SECTION = "Youden's index of a yes/no test"
DEFAULT, BESIDE = "intersection", "newcombe"
TPR = (0.05, 0.2, 0.5, 0.8, 0.95, 0.97, 0.99, 0.995)
FPR = (0.0003, 0.001, 0.005, 0.01, 0.03, 0.1, 0.3)
RATES = tuple(pair for pair in product(TPR, FPR) if pair[0] > pair[1])
SIZES = (
    *((3, 3), (5, 5), (10, 10), (20, 20), (50, 50)),
    *((3, 300), (5, 100), (10, 1000), (20, 100), (50, 5), (100, 20)),
)


def rows(_: int) -> Iterator[Row]:
    """Yield the rows of all rates and sizes."""
    for sizes, rates in product(SIZES, RATES):
        yield from cell(*rates, *sizes)


def cell(tpr: float, fpr: float, n_pos: int, n_neg: int) -> Iterator[Row]:
    """Yield a row for each interval."""
    yield from summed((tpr, fpr), (n_pos, n_neg), {SECTION: tpr - fpr}, limits)


@cache
def limits(tp: int, fp: int, n_pos: int, n_neg: int) -> list[Ends]:
    """Return the ends of each interval, which outcomes of several rates share."""
    table = ScoreTable.from_counts([1, 0], [tp, n_pos - tp], [fp, n_neg - fp])
    searched = youden_interval(table, level=LEVEL)
    fixed = youden_interval(table, level=LEVEL, method="newcombe")
    return [(SECTION, DEFAULT, *searched), (SECTION, BESIDE, *fixed)]
