"""Would an interval that holds for differences of areas hold for differences of their parts?

The default interval of `auc_difference` over a range of rates combines those of both parts. On some
populations of the ledger, over fpr 0 to .2, this program measures it beside three that were tried:
value +- t se with Satterthwaite's degrees of freedom, those of each class by its kurtosis and lent
by the larger class as for whole areas; the whole statistic of whole areas, with the placements of
parts and the variances of `part_model_variance` (also with the difference of two typical cases
taken over all cases, and not over those of unequal placements); and the combined intervals "unseen"
of both parts.

    python -m benchmarks.constants.part_differences      # writes results, twenty minutes
    python -m benchmarks.constants.part_differences 50   # so many samples, printed only
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from benchmarks.coverage.ledger import LEVEL, SEED
from benchmarks.coverage.margins import PAIRS, Pair, normals
from benchmarks.pages import keep, told
from rocspace.compare import auc_difference
from rocspace.counts import PairedScores, ScoreTable
from rocspace.inference.area_models import _shape
from rocspace.inference.components import class_gap, components
from rocspace.inference.spread import Placements, partial_placements
from rocspace.results.discordance import (
    AreaGap,
    ClassGap,
    Number,
    _class_variance,
    placement_variance,
)

WIDTH, N_SIM = 0.2, 2000
SAID = ("default", "t", "discordance", "discordance, all", "unseen")
BY_NAME = {pair.name: pair for pair in PAIRS}
HEAVY = BY_NAME["heavy tails, Cauchy and t2, r 0.8"]
OTHERS = (
    normals(0.8, 0.8, 0.3),
    normals(0.8, 0.8, 0.9),
    BY_NAME["Normal, areas 0.9 and 0.8, r 0.5"],
    BY_NAME["three levels, r 0.5"],
    BY_NAME["exponential, areas 0.8, r 0.7"],
    BY_NAME["exponential, areas 0.9 and 0.85, r 0.95"],
)
CELLS = (
    *product((HEAVY,), ((15, 15), (50, 50), (50, 200), (200, 200))),
    *product(OTHERS, ((15, 15), (30, 30), (50, 200), (200, 200))),
    *product((HEAVY, *OTHERS[:4]), ((5, 50), (50, 5))),
)
Floats = NDArray[np.float64]
Ends = tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class PartGap(AreaGap):
    """The statistic of whole areas, of parts as shares of their range."""

    @cached_property
    def _at(self) -> list[tuple[float, float]]:
        return [variances(x) for x in self.areas]

    def _variances(self, areas: tuple[Number, Number]) -> list[Number]:
        models, found = [variances(x) for x in areas], []
        for c, (gap, df) in enumerate(zip(self.classes, self._dfs, strict=True)):
            model = models[0][c], models[1][c]
            moved = model[0] / self._at[0][c], model[1] / self._at[1][c]
            found.append(_class_variance(gap, df, model, moved, self.constants, self.of))
        return found


def variances(mean: float) -> tuple[float, float]:
    """Return the variances of both classes' placements that `part_model_variance` adds up."""
    mean = min(max(mean, 1e-9), 1 - 1e-9)
    top = WIDTH ** _shape(mean * WIDTH, 0.0, WIDTH)
    area = min(mean / top, 1.0)
    own = placement_variance(area)
    square = mean**2 + top**2 * own
    height = WIDTH * mean + (1 - WIDTH) * top
    of_neg = (WIDTH * square + (1 - WIDTH) * top**2 - height**2) / WIDTH**2
    return top * (area**2 + own) - mean**2, of_neg


def steps(count: Floats, place: Floats) -> tuple[float, float]:
    """Return what `neighbour_steps` does of a class, for the placements of a part."""
    gap, n = np.abs(np.diff(place)), count.sum()
    far = np.maximum(np.append(gap, 0.0), np.append(0.0, gap))
    of = np.unique(np.round(place, 12), return_inverse=True)[1]
    alike = float(((np.bincount(of, weights=count) / n) ** 2).sum())
    return float((far * far * count).sum() / n), min(alike, 1 - 1e-9)


def gaps_of(data: PairedScores) -> tuple[Floats, list[ClassGap], list[ClassGap]]:
    """Return both parts as shares, and their gaps: with ties set apart, and without."""
    found = components(data, columns=(0, 1), part=("fpr", 0.0, WIDTH))
    classes = found.spread(np.array([1.0, -1.0])).classes
    both = [(t, partial_placements(t, 0.0, WIDTH)) for t in found.tables]
    told: tuple[list[ClassGap], list[ClassGap]] = [], []
    for c, (of, size) in enumerate(zip(classes, found.sizes, strict=True)):
        near = [steps(*columns(t, v)[c]) for t, v in both]
        covariance = found.by_class[c].tolist()
        for some, untied in zip(told, (near, [(step, 0.0) for step, _ in near]), strict=True):
            some.append(shares(class_gap(covariance, size[1], of, untied)))
    return found.value / WIDTH, *told


def columns(table: ScoreTable, v: Placements) -> tuple[tuple[Floats, Floats], ...]:
    return (table.pos, v.pos), (table.neg, v.neg)


def shares(gap: ClassGap) -> ClassGap:
    """Divide by the width of the range."""
    square = WIDTH**2
    return replace(
        gap,
        spread=gap.spread / square,
        spreads=(gap.spreads[0] / square, gap.spreads[1] / square),
        step=gap.step / square,
        apart=gap.apart / square,
    )


def with_t(gap: PartGap) -> Ends | None:
    """Return value +- t se with lent degrees of freedom, None without a variance."""
    parts = [c.spread / c.n for c in gap.classes]
    few = sum(v * v / df for v, df in zip(parts, gap._dfs, strict=True) if df > 0)
    if not few > 0:
        return None
    variance = sum(parts)
    half = -stdtrit(max(variance**2 / few, 1.0), (1 - LEVEL) / 2) * variance**0.5
    return max(gap.value - half, -1.0), min(gap.value + half, 1.0)


def ends(data: PairedScores) -> list[Ends]:
    """Return the limits of each kind; those of the default where another is not defined."""
    found = auc_difference(data, "first", "second", fpr=(0, WIDTH))
    default = tuple(found.interval(LEVEL))
    parts, told, alike = gaps_of(data)
    end = 0.5 / (told[0].n * told[1].n)
    first, second = (min(max(float(x), end), 1 - end) for x in parts)
    made = [PartGap(areas=(first, second), classes=(of[0], of[1])) for of in (told, alike)]
    known = any(end < x < 1 - end for x in parts)
    limits = [with_t(made[0]), *(each.limits(LEVEL) if known else None for each in made)]
    scaled = [default if x is None else (WIDTH * x[0], WIDTH * x[1]) for x in limits]
    return [default, *scaled, tuple(found.interval(LEVEL, scale="unseen"))]  # type: ignore[list-item]


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
        "above the truth), and the ratio of mean widths to the default's.",
        "",
        f"| scores | cases | {' | '.join(SAID)} |",
        f"| --- | --- |{' ---: |' * len(SAID)}",
    ]
    return told(lines, rows(n_sim))


if __name__ == "__main__":
    keep("part_differences", page, N_SIM)
