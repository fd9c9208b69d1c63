"""What intervals of areas of precision and recall cover for yes/no tests, summed exactly.

The rates near 0 and 1 are among them, where almost all samples err on one side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import product

from benchmarks.coverage.binary import likely
from benchmarks.coverage.ledger import LEVEL, Row
from rocspace.counts import ScoreTable, tabulate
from rocspace.curves import average_precision, pr_area, pr_area_estimate
from rocspace.resampling import bootstrap
from rocspace.results import Scale

AREA = "precision-recall area of a yes/no test"
STEPS = "average precision of a yes/no test"
SCALES: tuple[Scale, ...] = ("unseen", "moderated", "logit")
DEFAULT = "classes, unseen"
TPR = (0.03, 0.1, 0.45, 0.8, 0.95, 0.99, 0.998)
FPR = (0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1)
RATES = tuple(pair for pair in product(TPR, FPR) if pair[0] > pair[1])
SIZES = ((5, 100), (5, 1000), (10, 100), (10, 1000), (20, 100), (20, 1000), (50, 5), (100, 20))
Ends = tuple[str, str, float, float]


def rows(_: int) -> Iterator[Row]:
    """Yield the rows of all rates and sizes."""
    for (n_pos, n_neg), (tpr, fpr) in product(SIZES, RATES):
        yield from cell(tpr, fpr, n_pos, n_neg)


def cell(tpr: float, fpr: float, n_pos: int, n_neg: int) -> Iterator[Row]:
    """Yield a row for each interval of both quantities."""
    truth = truths(tpr, fpr, n_pos / (n_pos + n_neg))
    yield from summed((tpr, fpr), (n_pos, n_neg), truth, limits)


def summed(
    rates: tuple[float, float],
    sizes: tuple[int, int],
    truth: Mapping[str, float],
    ends: Callable[[int, int, int, int], list[Ends]],
) -> Iterator[Row]:
    """Yield a row for each interval of the quantities in `truth`; `ends` gives its limits."""
    found: dict[tuple[str, str], list[float]] = {}
    pos, neg = (likely(n, rate) for n, rate in zip(sizes, rates, strict=True))
    for (tp, p), (fp, q) in product(pos, neg):
        for section, name, low, high in ends(tp, fp, *sizes):
            sums = found.setdefault((section, name), [0.0, 0.0])
            sums[0] += p * q * (low - 1e-12 <= truth[section] <= high + 1e-12)
            sums[1] += p * q * (high - low)
    situation, size = f"tpr {rates[0]:g}, fpr {rates[1]:g}", f"{sizes[0]} + {sizes[1]}"
    for (section, name), (inside, width) in found.items():
        yield Row(section, situation, size, name, inside, width)


def truths(tpr: float, fpr: float, prevalence: float) -> dict[str, float]:
    """Return both quantities of a population; the area is that of interpolated counts."""
    shares = [prevalence * tpr, prevalence * (1 - tpr)]
    shares += [(1 - prevalence) * fpr, (1 - prevalence) * (1 - fpr)]
    table = tabulate([1, 1, 0, 0], [1, 0, 1, 0], sample_weight=shares)
    return {AREA: pr_area(table), STEPS: average_precision(table)}


@cache
def limits(tp: int, fp: int, n_pos: int, n_neg: int) -> list[Ends]:
    """Return the ends of each interval, which outcomes of several rates share."""
    table = ScoreTable.from_counts([1, 0], [tp, n_pos - tp], [fp, n_neg - fp])
    estimate = pr_area_estimate(table)
    drawn = bootstrap(table, "average_precision", n_boot=2, rng=1, threads=1, progress=False)
    ends = [(AREA, scale, *estimate.interval(LEVEL, scale=scale)) for scale in SCALES]
    return [*ends, (STEPS, DEFAULT, *drawn.interval(LEVEL))]
