"""How often does the test of two Ms reject where a class has few clusters, each of one class?

Two classifiers are equally good: Hand and Till's M of both is 1/2, of three classes of about 10, 50
and 100 cases, in clusters of 2 to 10 cases of one class that correlate by one half (the ledger's
"clusters of one class"). The rejections at .05 are counted by the fewest clusters of a class, with
the degrees of freedom of the library and with those of the class alone, one less than its clusters.

    python -m benchmarks.constants.few_clusters          # writes benchmarks/results, two minutes
    python -m benchmarks.constants.few_clusters 50       # so many samples, printed only
"""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from benchmarks.coverage.classes import OF_CLASSES, pure_clusters, scored
from benchmarks.coverage.ledger import SEED
from benchmarks.pages import keep
from rocspace.multiclass import hand_till_difference

N_SIM, SIZE, SIZES = 2000, 0.05, (10, 50, 100)
GROUPS = ((2, 2), (3, 4), (5, 10_000), (2, 10_000))


def measured(n_sim: int) -> NDArray[np.float64]:
    """Return the fewest clusters, and the p values of both tests."""
    rng, found = np.random.default_rng([SEED, 23]), []
    for _ in range(n_sim):
        sample = pure_clusters(SIZES, len(SIZES), rng)
        data = scored(sample, OF_CLASSES[0], 0.5, len(SIZES), ordered=False)
        assert sample.cluster is not None
        held = (sample.cluster[sample.label == i] for i in range(len(SIZES)))
        few = min(np.unique(each).size for each in held)
        gap = hand_till_difference(data)
        own = 2 * stats.t.sf(abs(gap.value) / gap.se, few - 1)
        found.append((few, gap.test().pvalue, own))
    return np.array(found)


def page(n_sim: int) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of few clusters
        few, *both = measured(n_sim).T
    lines = [
        "# The test of two Ms in clusters of one class",
        "",
        f"`python -m benchmarks.constants.few_clusters`, seed {SEED}, {n_sim} samples; percent",
        f"rejected at {SIZE:g}, by the fewest clusters of a class.",
        "",
        "| fewest clusters | samples | library | degrees of freedom of that class |",
        "| --- | ---: | ---: | ---: |",
    ]
    for low, high in GROUPS:
        some = (few >= low) & (few <= high)
        name = "any" if high - low > 10 and low == GROUPS[0][0] else f"{low} to {high}"
        name = {"5 to 10000": "5 or more", "2 to 2": "2"}.get(name, name)
        shares = (f"{100 * (p[some] < SIZE).mean():.1f}" if some.any() else "" for p in both)
        lines.append(f"| {name} | {some.sum()} | {' | '.join(shares)} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    keep("few_clusters", page, N_SIM)
