"""Which interval holds for the area under the convex hull of a curve?

The hull lies above the curve of its sample, by more the fewer cases there are, and so does each
resampled one above the hull of the sample. Set side by side at level .95: the default of
`rocspace.resampling.bootstrap` of `rocspace.hull.auch`, its percentiles, and the interval of
`rocspace.delong`, which is of the curve and not of its hull: both are the same where the curve of
the population is concave.

    python -m benchmarks.constants.hull_areas      # writes benchmarks/results, six minutes
    python -m benchmarks.constants.hull_areas 50   # so many samples, printed only
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from itertools import product

import numpy as np

from benchmarks.coverage.ledger import LEVEL, SEED
from benchmarks.coverage.margins import BY_NAME, Margin
from benchmarks.pages import keep, told
from rocspace.counts import ScoreTable
from rocspace.hull import auch
from rocspace.inference import delong
from rocspace.resampling import bootstrap

N_SIM, N_BOOT, MANY = 200, 400, 200_000
POPULATIONS = ("Normal, area 0.75", "hooked, sd 3, area 0.8", "five levels")
SIZES = ((20, 20), (50, 50), (200, 200))
METHODS = ("bootstrap", "percentile", "delong")


def limits(table: ScoreTable, rng: np.random.Generator) -> Iterator[tuple[float, float]]:
    """Yield both limits of each method."""
    drawn = bootstrap(table, auch, n_boot=N_BOOT, rng=rng, progress=False, threads=1)
    for interval in (drawn.interval(LEVEL), drawn.interval(LEVEL, method="percentile")):
        yield interval.low, interval.high
    plain = delong(table).interval(LEVEL)
    yield plain.low, plain.high


def measured(margin: Margin, size: tuple[int, int], n_sim: int) -> tuple[float, float, list[str]]:
    """Return the area of the hull, its bias, and the coverage and mean width of each method."""
    rng = np.random.default_rng([SEED, 77, *size])
    truth = auch(margin.draw(MANY, MANY, rng))
    tables = [margin.draw(*size, rng) for _ in range(n_sim)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = np.array([list(limits(table, rng)) for table in tables]).clip(0, 1)
    inside = (found[..., 0] <= truth) & (truth <= found[..., 1])
    width = (found[..., 1] - found[..., 0]).mean(axis=0)
    bias = float(np.mean([auch(table) for table in tables])) - truth
    shares = zip(100 * inside.mean(axis=0), width, strict=True)
    return truth, bias, [f"{share:.1f}, {wide:.3f}" for share, wide in shares]


def rows(n_sim: int) -> Iterator[str]:
    for name, size in product(POPULATIONS, SIZES):
        truth, bias, shares = measured(BY_NAME[name], size, n_sim)
        cells = f"{truth:.3f} | {bias:+.3f} | {' | '.join(shares)}"
        yield f"| {name} | {size[0]} + {size[1]} | {cells} |"


def page(n_sim: int) -> str:
    lines = [
        "# Areas under the convex hull",
        "",
        f"`python -m benchmarks.constants.hull_areas`, seed {SEED}, {n_sim} samples, {N_BOOT}",
        f"replicates: percent of samples whose interval of level {LEVEL:g} contains the area under",
        "the hull of the population's curve, and mean width. The bias is that of the area under",
        "the hull of a sample.",
        "",
        f"| population | cases | truth | bias | {' | '.join(METHODS)} |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    return told(lines, rows(n_sim))


if __name__ == "__main__":
    keep("hull_areas", page, N_SIM)
