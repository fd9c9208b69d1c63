"""What covers differences of parts where their default does not?

Of 8 positives true positive rates of .9 to 1 take less than one: the part of the area is made of
the lowest positive alone, which tells neither how parts vary nor what is below it. Over inner
ranges the variance that "moderated" has may be that of a few cases, too: both cuts are estimates.
In situations of the ledger's ranges, most of them those where one of them covers least, this
program measures the default, "moderated", and "unseen", which combines the intervals of that name
of both parts and is the default over inner ranges.

    python -m benchmarks.constants.range_differences      # writes benchmarks/results, two minutes
    python -m benchmarks.constants.range_differences 50   # so many samples, printed only
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import numpy as np

from benchmarks.coverage.ledger import LEVEL, SEED
from benchmarks.coverage.margins import Pair
from benchmarks.coverage.ranges import PAIRS, RANGES, Range
from benchmarks.pages import keep, told
from rocspace.results import Difference

N_SIM = 500
SCALES = (None, "moderated", "unseen")
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
Four = tuple[float, float, float, float]


def ends(found: Difference) -> list[Four]:
    """Return the limits of each scale at level .95, and at level .9."""
    return [
        (*found.interval(LEVEL, scale=scale), *found.interval(2 * LEVEL - 1, scale=scale))  # type: ignore[arg-type, misc]
        for scale in SCALES
    ]


def row(where: Range, pair: Pair, size: tuple[int, int], n_sim: int) -> str:
    truth = where.truth(pair)
    names = ("first", "second") if truth < 0 else ("second", "first")
    rng = np.random.default_rng([SEED, 84, *size])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
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


def page(n_sim: int) -> str:
    lines = [
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
    return told(lines, rows(n_sim))


if __name__ == "__main__":
    keep("range_differences", page, N_SIM)
