"""Which constants does the default statistic of a difference of areas take? Coverage against width.

For each choice of `rocspace.results.discordance.Constants` this program measures, on the same
samples, how often the interval of level .95 covers the true difference, how wide it is beside
value +- 1.96 se where that holds, and how often a score that is worse by just the margin is
called not inferior. The development populations chose the constants; the validation populations,
of other shapes, areas, correlations and sizes, chose nothing. Both scores are functions of Normal
variables with a given correlation within each class.

    python -m benchmarks.constants.differences          # writes benchmarks/results
    python -m benchmarks.constants.differences 50       # so many samples, printed only
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from scipy.special import ndtr, ndtri

from benchmarks.coverage.ledger import SEED
from rocspace import pair_scores
from rocspace.compare import auc_difference
from rocspace.results import Difference
from rocspace.results.discordance import Constants
from rocspace.results.test import student_tail

OUT = Path(__file__).resolve().parents[1] / "results" / "differences.csv"
N_SIM = 200
WIDTHS = 30  # samples of each situation whose widths are measured
FINE = 200_001  # quantiles by which the true area of a population is found
Quantile = Callable[[np.ndarray], np.ndarray]
CHOICES = {
    "chosen": Constants(),
    "credited 4": Constants(credited=4.0),
    "credited 16": Constants(credited=16.0),
    "quantile_df 2": Constants(quantile_df=2.0),
    "quantile_df 8": Constants(quantile_df=8.0),
    "step 0": Constants(step=0.0),
    "step 1": Constants(step=1.0),
    "apart 0": Constants(apart=0.0),
    "apart 2": Constants(apart=2.0),
    "reach 0": Constants(reach=0.0),
    "reach 2": Constants(reach=2.0),
}
KNOWN = ("identity", "t", "moderated")


@dataclass(frozen=True)
class Score:
    """A score by its quantile functions in both classes."""

    pos: Quantile
    neg: Quantile

    @property
    def area(self) -> float:
        u = (np.arange(FINE) + 0.5) / FINE
        neg = np.sort(self.neg(u))
        beats = np.searchsorted(neg, x := self.pos(u)) + np.searchsorted(neg, x, "right")
        return float(beats.mean() / 2 / FINE)


def normal(area: float, sd: float = 1.0) -> Score:
    shift = ndtri(area) * np.hypot(1, sd)
    return Score(lambda u: shift + sd * ndtri(u), ndtri)


def exponential(area: float) -> Score:
    mean = area / (1 - area)
    return Score(lambda u: -mean * np.log1p(-u), lambda u: -np.log1p(-u))


def power(area: float) -> Score:
    return Score(lambda u: u ** ((1 - area) / area), lambda u: u)


def cauchy(area: float) -> Score:
    shift = 2 * np.tan(np.pi * (area - 0.5))
    return Score(lambda u: shift + np.tan(np.pi * (u - 0.5)), lambda u: np.tan(np.pi * (u - 0.5)))


def binary(tpr: float, fpr: float) -> Score:
    return Score(lambda u: (u > 1 - tpr) * 1.0, lambda u: (u > 1 - fpr) * 1.0)


def cut(score: Score, cuts: tuple[float, ...]) -> Score:
    return Score(
        lambda u: np.searchsorted(cuts, score.pos(u)) * 1.0,
        lambda u: np.searchsorted(cuts, score.neg(u)) * 1.0,
    )


def many_zeros(score: Score, share: float) -> Score:
    least = score.neg(np.array([share]))
    return Score(
        lambda u: np.maximum(score.pos(u) - least, 0), lambda u: np.maximum(score.neg(u) - least, 0)
    )


def hidden(area: float, share: float) -> Score:
    """Some positives look like negatives."""
    z = np.linspace(-9, 14, 20_001)
    rises = (1 - share) * ndtr(z - ndtri(area) * 2**0.5) + share * ndtr(z)
    return Score(lambda u: np.interp(u, rises, z), ndtri)


CUTS = (0.0, 0.5, 1.0, 1.8)
MORE_CUTS = (-1.0, -0.3, 0.3, 0.8, 1.4, 2.0)
Population = tuple[str, Score, Score, float]
DEVELOPMENT: tuple[Population, ...] = (
    ("Normal, r 0", normal(0.95), normal(0.98), 0.0),
    ("Normal, r .5", normal(0.9), normal(0.8), 0.5),
    ("Normal, r .5", normal(0.999), normal(0.9), 0.5),
    ("Normal, r .95", normal(0.95), normal(0.95), 0.95),
    ("Normal, r .95", normal(0.95), normal(0.98), 0.95),
    ("Normal, r .999", normal(0.9), normal(0.9), 0.999),
    ("exponential, r .9", exponential(0.85), exponential(0.9), 0.9),
    ("Cauchy, r .9", cauchy(0.8), cauchy(0.85), 0.9),
    ("hooked, r .95", normal(0.9, 3), normal(0.95, 3), 0.95),
    ("60 % zeros, r .8", many_zeros(normal(0.85), 0.6), many_zeros(normal(0.9), 0.6), 0.8),
    ("five levels, r .9", cut(normal(0.9), CUTS), cut(normal(0.85), CUTS), 0.9),
    ("yes/no, r .5", binary(0.95, 0.1), binary(0.98, 0.05), 0.5),
    ("some hidden, r .9", hidden(0.99, 0.1), hidden(0.99, 0.05), 0.9),
)
DEVELOPMENT_SIZES = ((10, 10), (5, 100), (30, 300), (50, 50), (200, 20))
VALIDATION: tuple[Population, ...] = (
    ("Normal, r .9", normal(0.7), normal(0.75), 0.9),
    ("Normal, r .98", normal(0.92), normal(0.94), 0.98),
    ("Normal, r .3", normal(0.97), normal(0.85), 0.3),
    ("power, r .9", power(0.8), power(0.7), 0.9),
    ("power, r .95", power(0.95), power(0.97), 0.95),
    ("hooked, r .9", normal(0.85, 2), normal(0.85, 2), 0.9),
    ("hooked and not, r .8", normal(0.85, 0.5), normal(0.85), 0.8),
    ("seven levels, r .9", cut(normal(0.88), MORE_CUTS), cut(normal(0.92), MORE_CUTS), 0.9),
    ("yes/no, r .6", binary(0.85, 0.2), binary(0.9, 0.15), 0.6),
    ("yes/no, r .3", binary(0.99, 0.05), binary(0.95, 0.02), 0.3),
    ("40 % zeros, r .9", many_zeros(normal(0.8), 0.4), many_zeros(normal(0.8), 0.4), 0.9),
    ("Normal and exponential, r .9", normal(0.85), exponential(0.85), 0.9),
    ("Normal and its cut, r .99", normal(0.85), cut(normal(0.85), (0.7,)), 0.99),
)
VALIDATION_SIZES = ((12, 40), (40, 12), (30, 100), (100, 100), (15, 500))


def draws(population: Population, size: tuple[int, int], rng: np.random.Generator) -> Difference:
    _, one, two, r = population
    label = np.repeat([True, False], size)
    z = rng.normal(size=(2, label.size))
    u = ndtr(np.stack([z[0], r * z[0] + np.sqrt(1 - r * r) * z[1]]))
    scores = [np.where(label, s.pos(x), s.neg(x)) for s, x in zip((one, two), u, strict=True)]
    return auc_difference(pair_scores(label, np.transpose(scores)))


def situation(population: Population, size: tuple[int, int], n_sim: int, seed: int) -> np.ndarray:
    """Cover, width, called not inferior, not superior: by choice, then by known interval."""
    truth = population[1].area - population[2].area
    rng = np.random.default_rng([SEED, 13, seed, *size])
    found = np.full((n_sim, len(CHOICES) + len(KNOWN), 4), np.nan)
    for i in range(n_sim):
        gap = draws(population, size, rng)
        whole = gap._area_gap("discordance")
        for j, constants in enumerate(CHOICES.values()):
            if whole is None:
                own, wide = gap.interval(), gap.interval(0.9)
                found[i, j] = truth in own, own.width, truth < wide.low, truth > wide.high
                continue
            chosen = replace(whole, constants=constants)
            below = student_tail(*chosen.statistic(truth), "less")
            found[i, j, [0, 2, 3]] = 0.025 <= below <= 0.975, below >= 0.95, below <= 0.05
            if i < WIDTHS:
                found[i, j, 1] = np.diff(chosen.limits(0.95))[0]
        for j, scale in enumerate(KNOWN, len(CHOICES)):
            own, wide = (gap.interval(level, scale=scale) for level in (0.95, 0.9))
            found[i, j] = truth in own, own.width, truth < wide.low, truth > wide.high
    return np.nanmean(found, axis=0)


def rows(n_sim: int) -> Iterator[str]:
    yield "set,choice,situations,least_cover,below_93.5,width_ratio,worst_margin,above_6"
    sets = (
        ("development", DEVELOPMENT, DEVELOPMENT_SIZES),
        ("validation", VALIDATION, VALIDATION_SIZES),
    )
    for name, populations, sizes in sets:
        found = np.array([
            situation(population, size, n_sim, seed)
            for seed, population in enumerate(populations)
            for size in sizes
        ])  # fmt: skip
        usual = found[:, len(CHOICES)]
        fair = (usual[:, 0] >= 0.935) & np.tile([min(s) >= 30 for s in sizes], len(populations))
        for j, choice in enumerate([*CHOICES, *KNOWN]):
            cover, width, *wrong = found[:, j].T
            worst = np.max(wrong, axis=0)
            ratio = width[fair].sum() / usual[fair, 1].sum()
            yield (
                f"{name},{choice},{len(found)},{cover.min():.3f},{(cover < 0.935).sum()},"
                f"{ratio:.3f},{worst.max():.3f},{(worst > 0.06).sum()}"
            )


if __name__ == "__main__":
    asked = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    lines = []
    for line in rows(asked or N_SIM):
        print(line, flush=True)
        lines.append(line)
    if not asked:
        OUT.write_text("\n".join(lines) + "\n", encoding="utf-8")
