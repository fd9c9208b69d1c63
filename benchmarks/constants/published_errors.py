"""Which standard errors should `published_difference` use where the class sizes are known?

Published numbers do not show how far the positives spread beside the negatives. The errors as they
are given are compared with larger ones: those of Obuchowski's formula, and the largest that any
population has. Coverage against width, in the pairs of the ledger (part "formulas of Hanley and
McNeil") and in pairs that served for nothing but to check.

    python -m benchmarks.constants.published_errors     # writes benchmarks/results, some minutes
    python -m benchmarks.constants.published_errors 50  # so many samples, printed only
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import product

import numpy as np

from benchmarks.coverage.ledger import LEVEL, SEED
from benchmarks.coverage.margins import PAIRS as FURTHER
from benchmarks.coverage.margins import Pair, normal
from benchmarks.coverage.rarer import ERRORS, FORMULA_SIZES, lead, printed, score_correlation
from benchmarks.coverage.rarer import PAIRS as RARER
from benchmarks.pages import keep, told
from rocspace.compare import published_difference
from rocspace.inference import auc_estimate
from rocspace.planning.area_variance import area_variance
from rocspace.results import Difference
from rocspace.results.estimates import AreaEstimate

N_SIM, HOLDS = 200, 0.935
MEASURED = tuple(RARER[i] for i in (0, 2, 4, 5, 8, 9))
APART = (
    Pair(normal(0.7, 3), normal(0.7, 1 / 3), 0.5, spoken="unequal spread, areas 0.7, 3 and 1/3"),
    Pair(normal(0.9, 2), normal(0.9, 0.5), 0.6, spoken="unequal spread, areas 0.9, 2 and 0.5"),
)
CHECKED = (RARER[1], RARER[6], FURTHER[12], *RARER[10:], *APART)
METHODS: dict[str, Callable[..., float]] = {
    "as given": lambda se, *_: se,
    "Obuchowski's, if larger": lambda se, area, *size: max(se, obuchowski(area, *size)),
    "moderated by Obuchowski's": lambda se, *_: se,
    "largest": lambda _, area, *size: largest(area, *size),
    "as given, correlation 0": lambda se, *_: se,
}


def obuchowski(area: float, n_pos: int, n_neg: int) -> float:
    """Return the standard error by Obuchowski's formula for Normal scores of equal variance."""
    return float((area_variance(area, n_neg / n_pos, "obuchowski").large / n_pos) ** 0.5)


def largest(area: float, n_pos: int, n_neg: int) -> float:
    """Return the largest standard error that any population has."""
    return float((area * (1 - area) / min(n_pos, n_neg)) ** 0.5)


def by_obuchowski(gap: Difference, size: tuple[int, int]) -> Difference:
    """Moderate both errors by Obuchowski's formula where it gives the larger error."""
    given = [each for each in (gap.first, gap.second) if isinstance(each, AreaEstimate)]
    one, two = (
        replace(each, model_se=max(each.model_se, obuchowski(each.value, *size))) for each in given
    )
    return replace(gap, first=one, second=two)


def measured(pair: Pair, size: tuple[int, int], n_sim: int) -> np.ndarray:
    """Return the coverage and the mean width, by kind of errors and method: (2, methods, 2)."""
    rng = np.random.default_rng([SEED, 86, *size, *pair.name.encode()])
    draw = partial(printed, partial(pair.draw, *size))
    names, truth = lead(pair)
    found = np.zeros((len(ERRORS), len(METHODS), 2))
    for _ in range(n_sim):
        data = draw(rng)
        told_r, tables = score_correlation(data), [data.table(name) for name in names]
        for i, errors in enumerate(ERRORS.values()):
            given = [auc_estimate(table, method=errors) for table in tables]
            for j, (name, of) in enumerate(METHODS.items()):
                areas = [(one.value, of(one.se, one.value, *size)) for one in given]
                r = 0.0 if "correlation 0" in name else told_r
                gap = published_difference(
                    *areas, score_correlation=r, n_pos=size[0], n_neg=size[1]
                )
                if name.startswith("moderated"):
                    gap = by_obuchowski(gap, size)
                low, high = gap.interval(LEVEL)
                found[i, j] += low <= truth <= high, high - low
    return found / n_sim


def rows(n_sim: int) -> Iterator[str]:
    for served, pairs in (("measured", MEASURED), ("checked", CHECKED)):
        cells = list(product(pairs, FORMULA_SIZES))
        found = np.array([measured(pair, size, n_sim) for pair, size in cells])
        for i, errors in enumerate(ERRORS.values()):
            holds = found[:, i, 0, 0] >= HOLDS
            for j, name in enumerate(METHODS):
                cover, width = found[:, i, j, 0], found[:, i, j, 1]
                ratio = (width / found[:, i, 0, 1])[holds]
                pair, size = cells[int(cover.argmin())]
                least = f"{100 * cover.min():.1f} | {pair.name}, {size[0]} + {size[1]}"
                misses = int((cover < HOLDS).sum())
                below = f"{misses} of {len(cells)}"
                wide = f"{ratio.mean():.2f} | {ratio.max():.2f}"
                yield f"| {served} | {errors} | {name} | {least} | {below} | {wide} |"


def page(n_sim: int) -> str:
    lines = [
        "# Differences of published areas, with class sizes: which standard errors?",
        "",
        f"`python -m benchmarks.constants.published_errors`, seed {SEED}, {n_sim} samples of each",
        (
            f"situation: coverage at {LEVEL:g} in percent, how many are "
            f"below {100 * HOLDS:g}, and mean"
        ),
        "widths divided by those of the errors as they are given, where these are not below.",
        "",
        "| situations | errors given | errors used | least | where | misses | width | at most |",
        "| --- | --- | --- | ---: | --- | ---: | ---: | ---: |",
    ]
    return told(lines, rows(n_sim))


if __name__ == "__main__":
    keep("published_errors", page, N_SIM)
