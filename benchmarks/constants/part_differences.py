"""Does the statistic of differences of areas hold for differences of their parts?

The default interval of `auc_difference` over a range of rates is the statistic of whole areas, with
the placements of parts. On some populations of the ledger, over fpr 0 to .2, this program measures
it beside the former default, which combines the intervals "moderated" of both parts, and four that
were tried: the placements of negatives correlating as they do within the range, instead of at most
as they do over all rates; the larger of both models of `part_model_variance` for each class; value
+- t se with Satterthwaite's degrees of freedom, those of each class by its kurtosis and lent by the
larger class as for whole areas; and the combined intervals "unseen" of both parts.

    python -m benchmarks.constants.part_differences      # writes results, two minutes
    python -m benchmarks.constants.part_differences 50   # so many samples, printed only
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from scipy.special import stdtrit

from benchmarks.coverage.ledger import LEVEL, SEED
from benchmarks.coverage.margins import PAIRS, Pair
from benchmarks.pages import keep, told
from rocspace.compare import auc_difference
from rocspace.counts import PairedScores
from rocspace.inference.components import components
from rocspace.results import Difference
from rocspace.results.discordance import AreaGap, AreaModel, Number, placement_variance

WIDTH, N_SIM = 0.2, 500
SAID = ("former", "default", "r of the range", "larger model", "t", "unseen")
NAMES = (
    "heavy tails, Cauchy and t2, r 0.8",
    "unequal spread, areas 0.8, sd 1 and 3, r 0.5",
    "Normal, areas 0.9 and 0.8, r 0.5",
    "exponential, areas 0.9 and 0.85, r 0.95",
)
CHOSEN = [pair for name in NAMES for pair in PAIRS if pair.name == name]
CELLS = tuple(product(CHOSEN, ((15, 15), (50, 50), (5, 50), (50, 5))))
Ends = tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LargerModel(AreaModel):
    """For each class the larger of two models: in the other, all positives reach the range."""

    def variances(self, area: Number) -> tuple[Number, Number]:
        of_pos, of_neg = AreaModel.variances(self, area)
        own = placement_variance(min(max(area, 1e-12), 1 - 1e-12))
        return max(of_pos, own), max(of_neg, own / self.width)


def within(found: Difference, data: PairedScores) -> Difference:
    """Return the difference whose placements correlate as they do within the range."""
    parts = components(data, columns=(0, 1), part=("fpr", 0.0, WIDTH))
    alone = replace(parts, whole=None).gaps(0, 1, parts.spread(np.array([1.0, -1.0])))
    return replace(found, gaps=alone)


def with_t(gap: AreaGap) -> Ends | None:
    """Return value +- t se with lent degrees of freedom, None without a variance."""
    parts = [c.spread / c.n for c in gap.classes]
    few = sum(v * v / df for v, df in zip(parts, gap._dfs, strict=True) if df > 0)
    if not few > 0:
        return None
    variance = sum(parts)
    half = -stdtrit(max(variance**2 / few, 1.0), (1 - LEVEL) / 2) * variance**0.5
    return WIDTH * max(gap.value - half, -1.0), WIDTH * min(gap.value + half, 1.0)


def ends(data: PairedScores) -> list[Ends]:
    """Return the limits of each kind; those of the default where another is not defined."""
    found = auc_difference(data, "first", "second", fpr=(0, WIDTH))
    larger = replace(found, model=LargerModel(low=0.0, high=WIDTH))
    gap = found._area_gap("discordance")
    default = tuple(found.interval(LEVEL))
    return [
        tuple(found.interval(LEVEL, scale="moderated")),
        default,
        tuple(within(found, data).interval(LEVEL)),
        tuple(larger.interval(LEVEL)),
        default if gap is None else with_t(gap) or default,
        tuple(found.interval(LEVEL, scale="unseen")),
    ]


def row(pair: Pair, size: tuple[int, int], n_sim: int) -> str:
    truth = pair.first.partial_auc(fpr=(0, WIDTH)) - pair.second.partial_auc(fpr=(0, WIDTH))
    rng = np.random.default_rng([SEED, 83, *size])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = np.array([ends(pair.draw(*size, rng)) for _ in range(n_sim)])
    low, high = found[..., 0], found[..., 1]
    above, below = (100 * x.mean(axis=0) for x in (low > truth + 1e-12, high < truth - 1e-12))
    width = (high - low).mean(axis=0)
    told = [f"{100 - a - b:.1f} ({a:.1f})" for a, b in zip(above, below, strict=True)]
    told[1:] = [f"{x}, {w:.2f}" for x, w in zip(told[1:], width[1:] / width[0], strict=True)]
    return f"| {pair.name} | {size[0]} + {size[1]} | {' | '.join(told)} |"


def rows(n_sim: int) -> Iterator[str]:
    for pair, size in CELLS:
        yield row(pair, size, n_sim)


def page(n_sim: int) -> str:
    lines = [
        "# Other intervals of differences of parts",
        "",
        f"`python -m benchmarks.constants.part_differences`, seed {SEED}, {n_sim} samples,",
        "level .95, fpr 0 to .2: percent of samples in which the interval covers (in which it lies",
        "above the truth), and the ratio of mean widths to those of the former default.",
        "",
        f"| scores | cases | {' | '.join(SAID)} |",
        f"| --- | --- |{' ---: |' * len(SAID)}",
    ]
    return told(lines, rows(n_sim))


if __name__ == "__main__":
    keep("part_differences", page, N_SIM)
