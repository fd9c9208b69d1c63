"""What covers differences of parts where their default does not?

Of 8 positives true positive rates of .9 to 1 take less than one: the part of the area is made of
the lowest positive alone, which tells neither how parts vary nor what is below it. Over inner
ranges the variance that "moderated" has may be that of a few cases, too: both cuts are estimates.
In situations of the ledger's ranges, most of them those where one of them covers least, this
program measures the default, "moderated", and "unseen", which combines the intervals of that name
of both parts and is the default over inner ranges.

A second table is the frontier of outer ranges, for a default that would be "unseen" where fewer
than k cases of the class whose rate has the range are in it, m of them, and the correlation r of
the parts, shrunk to r m / (m + 1), is no more than c; elsewhere "discordance", the default. The
limits "unseen" are made monotone in the level there, as a test needs that is to invert them. The
populations that are not marked as validation were meant to choose k.

    python -m benchmarks.constants.range_differences      # writes benchmarks/results, ten minutes
    python -m benchmarks.constants.range_differences 50   # so many samples, printed only
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.coverage.judge import LEAST
from benchmarks.coverage.ledger import LEVEL, SEED
from benchmarks.coverage.margins import Pair
from benchmarks.coverage.ranges import PAIRS, RANGES, Range
from benchmarks.pages import keep, told
from rocspace.results import Difference

N_SIM = 500
SCALES = (None, "moderated", "unseen")
TAKEN = (0.8, 1.2, 2.4, 3, 4, 5, 6)  # cases in the range
OTHERS = (40, 400)  # cases of the other class
RULES = (  # k and c
    *((k, 0.5) for k in (0, 1, 2, 3, 4, 5, 6, 7)),
    *((5, c) for c in (0.3, 0.4, 0.6, 1)),
)
CELLS = (
    ("tpr .8 to 1", "unequal spread", (12, 400)),
    ("tpr .9 to 1", "unequal spread", (8, 40)),
    ("tpr .9 to 1", "six and three levels", (8, 40)),
    ("tpr .9 to 1", "four levels and yes/no", (12, 400)),
    ("tpr .8 to 1", "hooked, sd 0.333", (12, 400)),
    ("tpr .9 to 1", "Normal, areas 0.97", (12, 400)),
    ("tpr .7 to .9", "unequal spread", (12, 400)),
    ("tpr .7 to .9", "hooked, areas 0.8", (8, 40)),
    ("tpr .7 to .9", "Cauchy", (60, 60)),
    ("tpr .7 to .9", "Normal, areas 0.97", (60, 60)),
)
OUTER = tuple(where for where in RANGES if where.high == 1 or where.low == 0)
Two = tuple[float, float]
Four = tuple[float, float, float, float]
Floats = NDArray[np.float64]


class Cell(NamedTuple):
    """Samples of one pair of scores: limits of both intervals, and shrunk correlations."""

    taken: float
    role: str
    truth: float
    limits: Floats
    shrunk: Floats

    def told(self, few: float, alike: float) -> tuple[float, float, float]:
        """Return the coverage, the larger error of one side at level .9, and the mean width."""
        unseen = (self.taken < few) & ~(self.shrunk > alike)
        low, high, lower, upper = self.limits[np.arange(len(unseen)), unseen.astype(int)].T
        return (*errors(low, high, lower, upper, self.truth), float((high - low).mean()))


def errors(
    low: Floats, high: Floats, lower: Floats, upper: Floats, truth: float
) -> tuple[float, float]:
    """Return the coverage in percent, and the larger error of one side of a test at .05."""
    inside = (low <= truth + 1e-12) & (truth - 1e-12 <= high)
    sides = (lower > truth + 1e-12).mean(), (upper < truth - 1e-12).mean()
    return 100 * float(inside.mean()), 100 * float(max(sides))


def ends(found: Difference) -> list[Four]:
    """Return the limits of each scale at level .95, and at level .9."""
    return [
        (*found.interval(LEVEL, scale=scale), *found.interval(2 * LEVEL - 1, scale=scale))  # type: ignore[arg-type]
        for scale in SCALES
    ]


def monotone(found: Difference, level: float) -> Two:
    """Return the limits "unseen" of a difference, monotone in the level.

    With a positive correlation the distance to a limit can fall where that to a limit of one part
    grows. Here it is the largest that smaller distances have: the function is convex, and has it at
    a corner.
    """
    low, high = found.interval(level, scale="unseen")
    a, b = found.first, found.second
    one, two = (each.interval(level, scale="unseen") for each in (a, b))
    below = max(a.value - one.low, two.high - b.value)
    above = max(one.high - a.value, b.value - two.low)
    least, most = found.range
    return max(min(low, found.value - below), least), min(max(high, found.value + above), most)


def limits_of(found: Difference) -> list[Four]:
    """Return the limits of the default and of "unseen", monotone, at level .95 and at .9."""
    levels = LEVEL, 2 * LEVEL - 1
    usual = [end for level in levels for end in found.interval(level)]
    return [tuple(usual), tuple(end for x in levels for end in monotone(found, x))]  # type: ignore[list-item]


def row(where: Range, pair: Pair, size: tuple[int, int], n_sim: int) -> str:
    truth = where.truth(pair)
    names = ("first", "second") if truth < 0 else ("second", "first")
    rng = np.random.default_rng([SEED, 84, *size])
    found = np.array([ends(where.gap(pair.draw(*size, rng), *names)) for _ in range(n_sim)])
    low, high, lower, upper = np.moveaxis(found, -1, 0)
    truth = -abs(truth)
    inside = (low <= truth + 1e-12) & (truth - 1e-12 <= high)
    above, below = lower > truth + 1e-12, upper < truth - 1e-12
    width = (high - low).mean(axis=0)
    shares = (100 * x.mean(axis=0) for x in (inside, above, below))
    told_of = [
        f"{a:.1f} ({b:.1f}, {c:.1f}), {w:.2f}"
        for a, b, c, w in zip(*shares, width / width[0], strict=True)
    ]
    return f"| {where.name} | {pair.name} | {size[0]} + {size[1]} | {' | '.join(told_of)} |"


def rows(n_sim: int) -> Iterator[str]:
    for name, start, size in CELLS:
        (where,) = (each for each in RANGES if each.name == name)
        (pair,) = (each for each in PAIRS if each.name.startswith(start))
        yield row(where, pair, size, n_sim)


def cells(n_sim: int) -> Iterator[Cell]:
    """Draw each pair over each outer range, so many cases of its class being in the range."""
    for (i, taken), where, (j, pair) in product(enumerate(TAKEN), OUTER, enumerate(PAIRS)):
        n = round(taken / (where.high - where.low))
        other = OTHERS[(i + j) % len(OTHERS)]
        yield cell(taken, where, pair, (n, other) if where.rate == "tpr" else (other, n), n_sim)


def cell(taken: float, where: Range, pair: Pair, size: tuple[int, int], n_sim: int) -> Cell:
    truth = where.truth(pair)
    names = ("first", "second") if truth < 0 else ("second", "first")
    rng = np.random.default_rng([SEED, 86, *size])
    gaps = [where.gap(pair.draw(*size, rng), *names) for _ in range(n_sim)]
    limits = np.array([limits_of(gap) for gap in gaps])
    shrunk = np.array([gap.correlation for gap in gaps]) * taken / (taken + 1)
    print(f"{where.name}, {pair.name}, {size[0]} + {size[1]}", file=sys.stderr, flush=True)
    return Cell(taken, pair.role, -abs(truth), limits, shrunk)


def frontier(drawn: Sequence[Cell]) -> Iterator[str]:
    for few, alike in RULES:
        columns = [
            summary([each for each in drawn if each.role == role], few, alike)
            for role in ("development", "validation")
        ]
        yield f"| {few:g} | {alike:g} | {' | '.join(columns)} |"


def summary(drawn: Sequence[Cell], few: float, alike: float) -> str:
    """Tell one rule: the least coverage, how many are low, the worst error, and the widths."""
    found = np.array([each.told(few, alike) for each in drawn])
    before = np.array([each.told(0, alike) for each in drawn])
    held = (before[:, 0] >= 100 * LEAST) & np.array([each.taken < few for each in drawn])
    ratio = found[held, 2] / before[held, 2] if held.any() else np.ones(1)
    least, worst = found[:, 0].min(), found[:, 1].max()
    low = int((found[:, 0] < 100 * LEAST).sum())
    return f"{least:.1f}, {low} | {worst:.1f} | {ratio.mean():.2f}, {ratio.max():.2f}"


def by_taken(drawn: Sequence[Cell]) -> Iterator[str]:
    """Tell both intervals by the number of cases in the range."""
    for taken in TAKEN:
        own = [each for each in drawn if each.taken == taken]
        one, two = (np.array([each.told(few, 1) for each in own]) for few in (0, 99))
        held = one[:, 0] >= 100 * LEAST
        ratio = two[held, 2] / one[held, 2]
        told_of = [f"{x[:, 0].min():.1f}, {int((x[:, 0] < 100 * LEAST).sum())}" for x in (one, two)]
        yield f"| {taken:g} | {' | '.join(told_of)} | {ratio.mean():.2f}, {ratio.max():.2f} |"


def outer(drawn: Sequence[Cell], n_sim: int) -> str:
    few = f"{TAKEN[0]:g} to {TAKEN[-1]:g}"
    second = [
        "",
        "## The frontier of outer ranges",
        "",
        f"{n_sim} samples of each of {len(drawn)} situations, {few} cases in the range:",
        '"unseen", monotone, where fewer than k are in it and r m / (m + 1) is at most c, else',
        'the default, "discordance": least coverage and how many are below 93.5; the largest',
        'error of one side at .05; mean and largest ratio of mean widths to "discordance", of the',
        "situations with fewer than k cases in the range in which that covers. First of the",
        "development populations, then of those of validation.",
        "",
        "| k | c | coverage | one side | width | validation: coverage | one side | width |",
        "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    third = [
        "",
        'By m, all populations: least coverage of "discordance" and of "unseen", how many are',
        'below 93.5, and mean and largest ratio of widths where "discordance" covers.',
        "",
        "| m | discordance | unseen | width |",
        "| ---: | ---: | ---: | ---: |",
    ]
    return told(second, frontier(drawn)) + told(third, by_taken(drawn))


def page(n_sim: int) -> str:
    warnings.simplefilter("ignore")
    drawn = list(cells(2 * n_sim // 5))
    first = [
        "# Other intervals of differences over ranges",
        "",
        f"`python -m benchmarks.constants.range_differences`, seed {SEED}, {n_sim} samples,",
        "level .95: percent of samples in which the interval covers; in brackets those in which a",
        "test at .05 calls the worse score not inferior, and the better one superior, the margin",
        "being the true difference; and the ratio of mean widths to the default's.",
        "",
        "| range | scores | cases | default | moderated | unseen |",
        "| --- | --- | --- | ---: | ---: | ---: |",
    ]
    return told(first, rows(n_sim)) + outer(drawn, 2 * n_sim // 5)


if __name__ == "__main__":
    keep("range_differences", page, N_SIM)
