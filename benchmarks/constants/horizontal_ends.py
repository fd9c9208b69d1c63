"""Which limits hold at a true positive rate that no sample of a horizontal average reaches?

Where n (1 - tpr) < 1 the threshold of the true positive rate is often below the lowest of n
positives, so that no reading of a sample's curve says what the false positive rate is there. Set
side by side at tpr .95, ten samples of 10 + 50 and of 50 + 50 cases: the default of
`AverageCurve.interval`, the same with an upper limit of 1 where n (1 - tpr) < 1, Student's t, and
`fpr_at_interval` of all cases together, which needs scores of one scale.

    python -m benchmarks.constants.horizontal_ends      # writes benchmarks/results, a minute
    python -m benchmarks.constants.horizontal_ends 50   # so many samples, printed only
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from benchmarks.coverage.ledger import LEVEL, SEED
from benchmarks.coverage.margins import BY_NAME, Margin
from benchmarks.pages import keep, told
from rocspace.averaging import horizontal_average
from rocspace.counts import ScoreTable, merge
from rocspace.inference import fpr_at_interval

N_SIM, MANY, AT = 2000, 10, 0.95
POPULATIONS = (
    "hooked, sd 3, area 0.8",
    "Normal, area 0.75",
    "Normal, area 0.98",
    "exponential, area 0.9",
    "heavy tails, Cauchy, shift 2",
    "five levels",
)
SIZES = ((10, 50), (50, 50))
METHODS = ("default", "default, or 1", "t", "together")


def limits(tables: list[ScoreTable]) -> Iterator[tuple[float, float]]:
    """Yield both limits of each method."""
    average = horizontal_average(tables, grid=[AT])
    bracket = average.interval(LEVEL)
    low, high = float(bracket.fpr_low[0]), float(bracket.fpr_high[0])
    yield low, high
    yield low, 1.0 if float(tables[0].n_pos) * (1 - AT) < 1 else high
    student = average.interval(LEVEL, method="t")
    yield float(student.fpr_low[0]), float(student.fpr_high[0])
    together = fpr_at_interval(merge(*tables), AT, level=LEVEL)
    yield together.low, together.high


def measured(margin: Margin, size: tuple[int, int], n_sim: int) -> list[tuple[float, float]]:
    """Return the coverage of each method in percent, and its mean width."""
    rng = np.random.default_rng([SEED, 95, *size])
    truth = float(margin.fpr_at(AT))
    found = np.array(
        [list(limits([margin.draw(*size, rng) for _ in range(MANY)])) for _ in range(n_sim)]
    )
    inside = (found[..., 0] <= truth + 1e-12) & (truth - 1e-12 <= found[..., 1])
    width = (found[..., 1] - found[..., 0]).mean(axis=0)
    return list(zip((100 * inside.mean(axis=0)).tolist(), width.tolist(), strict=True))


def rows(n_sim: int) -> Iterator[str]:
    for size, name in product(SIZES, POPULATIONS):
        margin = BY_NAME[name]
        told_of = (f"{share:.1f}, {width:.2f}" for share, width in measured(margin, size, n_sim))
        truth = float(margin.fpr_at(AT))
        yield f"| {name} | {size[0]} + {size[1]} | {truth:.2f} | {' | '.join(told_of)} |"


def page(n_sim: int) -> str:
    lines = [
        "# Horizontal averages at a rate that no sample reaches",
        "",
        f"`python -m benchmarks.constants.horizontal_ends`, seed {SEED}, {n_sim} samples of",
        f"{MANY} curves: percent of samples whose limits of the false positive rate at tpr {AT:g}",
        f"contain that of the true curve, at level {LEVEL:g}, and mean width.",
        "",
        f"| population | cases | truth | {' | '.join(METHODS)} |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    return told(lines, rows(n_sim))


if __name__ == "__main__":
    keep("horizontal_ends", page, N_SIM)
