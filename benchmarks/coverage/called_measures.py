"""What intervals of measures of all four counts cover for yes/no tests, exactly.

Balanced accuracy is not among them: its interval is that of the informedness, halved.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product

from benchmarks.coverage.called import Ends, summed
from benchmarks.coverage.called_odds import RATES, SIZES
from benchmarks.coverage.ledger import LEVEL, Row
from rocspace import measures
from rocspace.counts import ConfusionMatrix
from rocspace.inference import point_interval

MEASURES = ("accuracy", "predicted_positive_rate", "f_score", "informedness")
DEFAULT = "clopper-pearson"


def section_of(measure: str) -> str:
    """Return the section of a measure."""
    return f"{measure} of a yes/no test"


def rows(_: int) -> Iterator[Row]:
    """Yield the rows of all rates and sizes."""
    for sizes, rates in product(SIZES, RATES):
        yield from cell(*rates, *sizes)


def cell(tpr: float, fpr: float, n_pos: int, n_neg: int) -> Iterator[Row]:
    """Yield a row for each measure; the true one is that of the expected counts."""
    expected = ConfusionMatrix(
        tp=n_pos * tpr, fp=n_neg * fpr, fn=n_pos * (1 - tpr), tn=n_neg * (1 - fpr)
    )
    truth = {section_of(name): float(getattr(measures, name)(expected)) for name in MEASURES}
    yield from summed((tpr, fpr), (n_pos, n_neg), truth, limits)


@cache
def limits(tp: int, fp: int, n_pos: int, n_neg: int) -> list[Ends]:
    """Return the ends of each interval, which outcomes of several rates share."""
    counts = ConfusionMatrix(tp=tp, fp=fp, fn=n_pos - tp, tn=n_neg - fp)
    return [
        (section_of(name), DEFAULT, *point_interval(counts, name, level=LEVEL))  # type: ignore[arg-type]
        for name in MEASURES
    ]
