"""Which degrees of freedom do areas of clusters take? Coverage against width.

On the same samples of clusters of several sizes, labels and correlations this program measures
what the interval of level .95 of an area and of a difference of two areas covers, and its mean
width beside that of Obuchowski's variance: as chosen, and with parts of the choice left out or
replaced. The choice was made on kinds of clusters like the development half.

    python -m benchmarks.constants.clusters                  # writes benchmarks/results
    python -m benchmarks.constants.clusters --samples 50     # so many samples, printed only
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import numpy as np

from benchmarks.constants.choices import Situation, main
from benchmarks.coverage.ledger import LEVEL, SEED, Role
from benchmarks.coverage.populations import mixed_clusters, pure_clusters
from benchmarks.coverage.wide import pareto
from rocspace.compare import auc_difference
from rocspace.counts import PairedScores
from rocspace.inference import clustered_auc_estimate
from rocspace.inference.clustered import ClusteredComponents, clustered_components
from rocspace.results import Difference, Estimate, Interval

CHOICES = (
    "Obuchowski's variance",
    "jackknife, chosen degrees of freedom",
    "jackknife, I - 1",
    "jackknife, fourth moments only",
    "jackknife, Bell and McCaffrey only",
    "jackknife, chosen, not moderated",
)


def geometric(n: int) -> tuple[int, ...]:
    """Return sizes at the middles of n equal shares of a geometric distribution of mean 4."""
    u = (np.arange(n) + 0.5) / n
    return tuple(np.ceil(np.log(u) / np.log(0.75)).astype(int).tolist())


SIZES: tuple[tuple[str, tuple[int, ...], Role], ...] = (
    ("10 of 10", (10,) * 10, "development"),
    ("20 of 10", (10,) * 20, "development"),
    ("50 of 4", (4,) * 50, "development"),
    ("one of 60 and 19 of 3", (60, *[3] * 19), "development"),
    ("one of 60 and 9 of 3", (60, *[3] * 9), "development"),
    ("Pareto, 20", pareto(20), "development"),
    ("20 of 2", (2,) * 20, "validation"),
    ("30 of 3", (3,) * 30, "validation"),
    ("two of 30 and 10 of 4", (30, 30, *[4] * 10), "validation"),
    ("geometric, 12", geometric(12), "validation"),
    ("geometric, 30", geometric(30), "validation"),
)
KINDS = (("pure", pure_clusters), ("mixed", mixed_clusters))
ICC = (0.3, 0.8)


def of_area(found: ClusteredComponents, data: PairedScores) -> list[Interval | None]:
    usual = found.estimates[0]
    fourth = found.kinds(np.array([1.0, 0.0])).df
    dfs = (found.moved.shape[1] - 1.0, fourth, found.leverage_df(0))
    others: list[Estimate] = [replace(usual, df=df) for df in dfs]
    others.append(replace(usual, model_se=0.0))
    old = clustered_auc_estimate(data, data.names[0], method="obuchowski")
    # The other limit of the default, "unseen", is the same for all.
    return [each.interval(LEVEL, scale="moderated") for each in (old, usual, *others)]


def of_difference(found: ClusteredComponents, data: PairedScores) -> list[Interval | None]:
    usual, old = (auc_difference(data, method=method) for method in ("jackknife", "obuchowski"))
    fourth = found.kinds(np.array([1.0, -1.0])).df
    dfs = found.moved.shape[1] - 1.0, fourth
    others: list[Difference] = [replace(usual, df=df) for df in dfs]
    return [each.interval(LEVEL) for each in (old, usual, *others)] + [None, None]


def situations(samples: int) -> Iterator[Situation]:
    kinds = product(SIZES, KINDS, ICC)
    for number, ((name, sizes, role), (labels, make), icc) in enumerate(kinds):
        rng = np.random.default_rng([SEED, 60, number])
        area = 0.8 if role == "development" else 0.88
        found = np.full((2, samples, len(CHOICES), 2), np.nan)
        for i in range(samples):
            data = make(sizes, icc, (area, area), rng)
            each = clustered_components(data, columns=(0, 1), part=None, weight_type="importance")
            for target, (truth, read) in enumerate(((area, of_area), (0.0, of_difference))):
                for j, interval in enumerate(read(each, data)):
                    if interval is not None and np.isfinite(interval.width):
                        found[target, i, j] = truth in interval, interval.width
        for what, rows in zip(("area", "difference"), found, strict=True):
            cover, width = np.nanmean(rows, axis=0).T
            name_of = f"{labels}, {name}, ICC {icc:g}"
            yield Situation(f"{what}, {role}", name_of, cover, width / width[0])


if __name__ == "__main__":
    main(__doc__, "clusters", CHOICES, situations, samples=400)
