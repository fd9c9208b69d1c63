"""Which constants does the default statistic of a difference of areas take?

For each choice of `rocspace.results.discordance.Constants`, for two corrections for skewness and
for the other intervals of a difference this program measures, on the same samples, how often the
interval of level .95 covers the true difference, how wide it is beside value +- 1.96 se where that
holds, how often a score that is worse by just the margin is called not inferior at .05, and how
often one that is as good is. The development populations chose the constants; the validation
populations, of other shapes, areas, correlations and sizes, chose nothing. Both scores are
functions of Normal variables with a given correlation within each class.

    python -m benchmarks.constants.differences          # writes benchmarks/results and the figure
    python -m benchmarks.constants.differences 50       # so many samples, printed only
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri

from benchmarks.coverage.ledger import SEED
from benchmarks.coverage.wide import placements
from rocspace import pair_scores
from rocspace.compare import auc_difference
from rocspace.results import Difference
from rocspace.results.discordance import AreaGap, Constants
from rocspace.results.test import student_tail

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / "benchmarks" / "results" / "differences.md"
FIGURE = ROOT / "docs" / "_static" / "differences.png"
N_SIM = {"validation": 500, "power": 500, "development": 150}
AGAIN = 4  # times as many samples where the chosen statistic did worst
WIDTHS = 30  # samples of each situation whose widths are measured
FINE = 200_001  # quantiles by which the true area of a population is found
HOLDS, SIZE, BOTH = 0.935, 0.06, 30
Quantile = Callable[[NDArray[np.float64]], NDArray[np.float64]]
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
    "reach 1": Constants(reach=1.0),
    "reach 2": Constants(reach=2.0),
}
SKEWED = ("tilted by the sample", "t, skewness corrected")
KNOWN = ("identity", "t", "moderated")
NAMES = (*CHOICES, *SKEWED, *KNOWN)


@dataclass(frozen=True, kw_only=True)
class Tilted(AreaGap):
    """The variance follows the hypothesis as the skewness of the sample says, not as a model does.

    If the cases of a class are tilted exponentially until their mean differs by m (Efron 1981),
    their variance changes by m times the ratio of the third moment to the variance, to first order.
    """

    slopes: tuple[float, float]

    def _variances(self, areas: tuple[float, float]) -> list[float]:
        own = super()._variances(self.areas)
        shift = (areas[0] - areas[1] - self.value) / sum(own)
        known = zip(own, self.classes, self.slopes, strict=True)
        return [v + max(slope * shift * v, -c.spread / 2) / c.n for v, c, slope in known]


@dataclass(frozen=True, kw_only=True)
class Hall(AreaGap):
    """Student's t, its skewness removed by a monotone cubic (Hall 1992, equation 2.6)."""

    se: float
    df: float
    skewness: float

    def statistic(self, null: float) -> tuple[float, float]:
        t, a = (self.value - null) / max(self.se, 1e-12), self.skewness
        return t + a * t * t / 3 + a * a * t**3 / 27 + a / 6, self.df


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


def hidden(area: float, share: float, among: float = 0.5) -> Score:
    """Some positives look like negatives, or have another area than the rest."""
    z = np.linspace(-9, 14, 20_001)
    shifts = ndtri(area) * 2**0.5, ndtri(among) * 2**0.5
    rises = (1 - share) * ndtr(z - shifts[0]) + share * ndtr(z - shifts[1])
    return Score(lambda u: np.interp(u, rises, z), ndtri)


def student(area: float, df: float) -> Score:
    u = (np.arange(20_001) + 0.5) / 20_001
    x = stats.t.ppf(u, df)
    shift = brentq(lambda by: stats.t.cdf(x + by, df).mean() - area, 0, 60)
    return Score(lambda u: shift + stats.t.ppf(u, df), lambda u: stats.t.ppf(u, df))


def poisson(pos: float, neg: float) -> Score:
    return Score(lambda u: stats.poisson.ppf(u, pos), lambda u: stats.poisson.ppf(u, neg))


def levels(pos: tuple[float, ...], neg: tuple[float, ...]) -> Score:
    ends = np.cumsum(pos)[:-1], np.cumsum(neg)[:-1]
    return Score(
        lambda u: np.searchsorted(ends[0], u) * 1.0, lambda u: np.searchsorted(ends[1], u) * 1.0
    )


CUTS = (0.0, 0.5, 1.0, 1.8)
MORE_CUTS = (-1.0, -0.3, 0.3, 0.8, 1.4, 2.0)


@dataclass(frozen=True)
class Population:
    """Two scores, and the correlation of the Normal variables in either class."""

    name: str
    first: Score
    second: Score
    r: float
    r_neg: float | None = None

    @property
    def truth(self) -> float:
        return self.first.area - self.second.area

    def draw(self, n_pos: int, n_neg: int, rng: np.random.Generator) -> tuple[Any, Any]:
        label = np.repeat([True, False], [n_pos, n_neg])
        z = rng.normal(size=(2, label.size))
        r = np.where(label, self.r, self.r if self.r_neg is None else self.r_neg)
        u = ndtr(np.stack([z[0], r * z[0] + np.sqrt(1 - r * r) * z[1]]))
        both = zip((self.first, self.second), u, strict=True)
        return label, np.transpose([np.where(label, s.pos(x), s.neg(x)) for s, x in both])


def pair(name: str, make: Any, one: Any, two: Any, r: float, r_neg: float | None = None) -> Any:
    scores = (make(*x) if isinstance(x, tuple) else make(x) for x in (one, two))
    return Population(f"{name} {one} and {two}, r {r:g}", *scores, r, r_neg)


DEVELOPMENT = (
    *(
        pair("Normal", normal, *areas, r)
        for r, areas in product(
            (0.0, 0.5, 0.95, 0.995), ((0.95, 0.95), (0.8, 0.8), (0.9, 0.8), (0.95, 0.98))
        )
    ),
    pair("Normal", normal, 0.9, 0.9, 0.999),
    pair("Normal", normal, 0.9, 0.8, -0.5),
    pair("Normal", normal, 0.999, 0.9, 0.5),
    pair("Normal", normal, 0.99, 0.995, 0.9),
    pair("Normal", normal, 0.9, 0.95, 0.95),
    pair("exponential", exponential, 0.85, 0.9, 0.9),
    pair("exponential", exponential, 0.95, 0.9, 0.95),
    pair("Cauchy", cauchy, 0.8, 0.85, 0.9),
    pair("Cauchy", cauchy, 0.95, 0.9, 0.95),
    pair("hooked", normal, (0.9, 3), (0.95, 3), 0.95),
    pair("hooked", normal, (0.8, 0.3), (0.9, 0.3), 0.9),
    Population(
        "60 % zeros, r .8", many_zeros(normal(0.85), 0.6), many_zeros(normal(0.9), 0.6), 0.8
    ),
    Population(
        "three levels, r .7",
        levels((0.1, 0.2, 0.7), (0.6, 0.3, 0.1)),
        levels((0.05, 0.15, 0.8), (0.6, 0.3, 0.1)),
        0.7,
    ),
    Population("five levels, r .9", cut(normal(0.9), CUTS), cut(normal(0.85), CUTS), 0.9),
    pair("yes/no", binary, (0.95, 0.1), (0.98, 0.05), 0.5),
    pair("yes/no", binary, (0.9, 0.1), (0.98, 0.1), 0.8),
    pair("some hidden", hidden, (0.99, 0.1), (0.99, 0.05), 0.9),
)
DEVELOPMENT_SIZES = ((10, 10), (5, 100), (30, 300), (50, 50), (20, 200), (200, 20), (20, 1000))
VALIDATION = (
    pair("Normal", normal, 0.7, 0.75, 0.9),
    pair("Normal", normal, 0.92, 0.94, 0.98),
    pair("Normal", normal, 0.97, 0.85, 0.3),
    pair("t3", student, (0.9, 3), (0.85, 3), 0.8),
    pair("t5", student, (0.93, 5), (0.93, 5), 0.95),
    pair("power", power, 0.8, 0.7, 0.9),
    pair("power", power, 0.95, 0.97, 0.95),
    pair("hooked", normal, (0.85, 2), (0.85, 2), 0.9),
    pair("hooked and not", normal, (0.85, 0.5), 0.85, 0.8),
    pair("Poisson", poisson, (3, 1), (4, 1.5), 0.7),
    Population(
        "seven levels, r .9", cut(normal(0.88), MORE_CUTS), cut(normal(0.92), MORE_CUTS), 0.9
    ),
    pair("yes/no", binary, (0.85, 0.2), (0.9, 0.15), 0.6),
    pair("yes/no", binary, (0.99, 0.05), (0.95, 0.02), 0.3),
    Population("40 % zeros, r .9", many_zeros(normal(0.8), 0.4), many_zeros(normal(0.8), 0.4), 0.9),
    Population("some weak, and Normal, r .7", hidden(0.95, 0.2, 0.6), normal(0.85), 0.7),
    Population("Normal and exponential, r .9", normal(0.85), exponential(0.85), 0.9),
    pair("Normal", normal, 0.95, 0.96, 0.999),
    Population("Normal and its cut, r .99", normal(0.85), cut(normal(0.85), (0.7,)), 0.99),
    pair("Normal, negatives r .9:", normal, 0.8, 0.85, 0.2, 0.9),
)
VALIDATION_SIZES = ((12, 40), (40, 12), (30, 100), (100, 100), (15, 500), (300, 300))
POWER = (
    (pair("Normal", normal, 0.95, 0.95, 0.95), (30, 300), 0.03),
    (pair("Normal", normal, 0.9, 0.9, 0.95), (50, 50), 0.05),
    (pair("Normal", normal, 0.9, 0.9, 0.99), (200, 200), 0.01),
    (pair("Normal", normal, 0.8, 0.8, 0.5), (100, 100), 0.1),
    (pair("Cauchy", cauchy, 0.8, 0.8, 0.7), (40, 80), 0.1),
    (pair("exponential", exponential, 0.85, 0.85, 0.9), (40, 40), 0.07),
    (pair("yes/no", binary, (0.9, 0.1), (0.9, 0.1), 0.5), (100, 100), 0.06),
    (pair("yes/no", binary, (0.9, 0.1), (0.9, 0.1), 0.5), (50, 500), 0.08),
    (pair("Normal", normal, 0.9, 0.9, 0.999), (30, 300), 0.008),
    (pair("Normal", normal, 0.95, 0.95, 0.5), (20, 200), 0.1),
)
"""Equal areas, sizes, and the margin."""


@dataclass(frozen=True)
class Situation:
    """What was measured of all choices, in the order of `NAMES`."""

    population: Population
    size: tuple[int, int]
    cover: NDArray[np.float64]
    width: NDArray[np.float64]
    margin: NDArray[np.float64]
    """How often the worse score was called not inferior, on the side where that is more often."""

    @property
    def fair(self) -> bool:
        return bool(self.cover[NAMES.index("identity")] >= HOLDS and min(self.size) >= BOTH)


def corrected(whole: AreaGap, gap: Difference, label: Any, score: Any) -> list[AreaGap]:
    """Return the two statistics that know the skewness of the sample."""
    slopes, third = [], 0.0
    for own, sign in ((label, 1), (~label, -1)):  # a negative above positives counts against
        v = [placements(score[own, j], score[~own, j]) for j in range(2)]
        d = sign * (v[0] - v[1] - (v[0] - v[1]).mean())
        cube, square = float((d**3).mean()), float((d**2).mean())
        slopes.append(cube / square if square > 1e-24 else 0.0)
        third += cube / own.sum() ** 2
    skewness = third / gap.se**3 if gap.se > 1e-12 else 0.0
    same: Any = {"areas": whole.areas, "classes": whole.classes}
    return [
        Tilted(**same, slopes=(slopes[0], slopes[1])),
        Hall(**same, se=gap.se, df=gap.df, skewness=skewness),
    ]


def read(gap: Difference, label: Any, score: Any, null: float, wide: bool) -> NDArray[np.float64]:
    """Return cover, width, p of the alternatives "less" and "greater" of a null, by choice."""
    found = np.full((len(NAMES), 4), np.nan)
    whole = gap._area_gap("discordance")
    if whole is None:  # perfect scores
        low = float(gap.test(null=null, alternative="greater").pvalue)
        found[: -len(KNOWN)] = null in gap.interval(), gap.interval().width, 1 - low, low
    else:
        asked = [replace(whole, constants=constants) for constants in CHOICES.values()]
        for j, one in enumerate([*asked, *corrected(whole, gap, label, score)]):
            low = student_tail(*one.statistic(null), "greater")
            found[j] = 0.025 <= low <= 0.975, np.nan, 1 - low, low
            if wide:
                found[j, 1] = np.diff(ends(one))[0]
    for j, scale in enumerate(KNOWN, len(NAMES) - len(KNOWN)):
        own, inner = (gap.interval(level, scale=scale) for level in (0.95, 0.9))
        found[j] = null in own, own.width, null <= inner.high, null >= inner.low
    return found


def ends(gap: AreaGap) -> tuple[float, float]:
    try:
        return gap.limits(0.95)
    except ValueError:  # nothing is rejected
        return -1.0, 1.0


def situation(
    population: Population, size: tuple[int, int], n_sim: int, key: tuple[int, ...]
) -> Situation:
    truth = population.truth
    rng = np.random.default_rng([SEED, 13, *key, *size])
    found = np.empty((n_sim, len(NAMES), 4))
    for i in range(n_sim):
        label, score = population.draw(*size, rng)
        gap = auc_difference(pair_scores(label, score))
        found[i] = read(gap, label, score, truth, i < WIDTHS)
    wrong = (found[..., 2:] <= 0.05).mean(axis=0)
    return Situation(
        population,
        size,
        found[..., 0].mean(axis=0),
        np.nanmean(found[:WIDTHS, :, 1], axis=0),
        wrong.max(axis=1),
    )


def measured(kind: str, n_sim: int) -> list[Situation]:
    populations, sizes = {
        "development": (DEVELOPMENT, DEVELOPMENT_SIZES),
        "validation": (VALIDATION, VALIDATION_SIZES),
    }[kind]
    return [
        situation(population, size, n_sim, (len(populations), seed))
        for seed, population in enumerate(populations)
        for size in sizes
    ]


def powers(n_sim: int) -> NDArray[np.float64]:
    """Return how often a score that is as good is called not inferior, by situation and choice."""
    found = []
    for seed, (population, size, margin) in enumerate(POWER):
        rng = np.random.default_rng([SEED, 14, seed])
        called = np.zeros(len(NAMES))
        for _ in range(n_sim):
            label, score = population.draw(*size, rng)
            gap = auc_difference(pair_scores(label, score))
            called += read(gap, label, score, -margin, False)[:, 3] <= 0.05
        found.append(called / n_sim)
    return np.array(found)


@dataclass(frozen=True)
class Sum:
    """A choice in all situations of a set."""

    least: float
    below: int
    ratio: float
    worst: float
    above: int
    excess: float


def sums(found: list[Situation]) -> dict[str, Sum]:
    fair = [one for one in found if one.fair]
    usual = sum(one.width[NAMES.index("identity")] for one in fair)
    out = {}
    for j, name in enumerate(NAMES):
        cover, margin = (np.array([getattr(one, of)[j] for one in found]) for of in MEASURED)
        out[name] = Sum(
            float(cover.min()),
            int((cover < HOLDS).sum()),
            float(sum(one.width[j] for one in fair) / usual),
            float(margin.max()),
            int((margin > SIZE).sum()),
            float(np.maximum(margin - SIZE, 0).mean()),
        )
    return out


MEASURED = ("cover", "margin")


def again(found: list[Situation], n_sim: int) -> list[str]:
    """Draw new samples where the chosen one did worst: the extremes were partly chance."""
    worst = sorted(found, key=lambda one: -one.margin[0])[:12]
    least = sorted(found, key=lambda one: one.cover[0])[:6]
    lines = [
        "",
        f"The twelve worst margins and the six lowest coverages again, by {n_sim} other samples:",
        "",
        "| situation | coverage | margin | margin of t |",
        "| --- | ---: | ---: | ---: |",
    ]
    for one in [*worst, *(other for other in least if other not in worst)]:
        truth, size = one.population.truth, one.size
        rng = np.random.default_rng([SEED, 15, *size])
        low = np.empty((n_sim, 2))
        for i in range(n_sim):
            gap = auc_difference(pair_scores(*one.population.draw(*size, rng)))
            for j, test in enumerate((None, "t")):
                asked: Any = {"null": truth, "alternative": "greater", "distribution": test}
                low[i, j] = gap.test(**asked).pvalue
        cover = ((low[:, 0] >= 0.025) & (low[:, 0] <= 0.975)).mean()
        margin = np.maximum((low <= 0.05).mean(axis=0), (low >= 0.95).mean(axis=0))
        row = " | ".join(f"{100 * x:.1f}" for x in (cover, *margin))
        lines.append(f"| {one.population.name}, {size[0]} + {size[1]} | {row} |")
    return lines


def page(
    sets: dict[str, list[Situation]], power: NDArray[np.float64], n_sim: dict[str, int]
) -> str:
    many = ", ".join(f"{name} {n}" for name, n in n_sim.items())
    lines = [
        "# The difference of two areas of the same cases",
        "",
        f"`python -m benchmarks.constants.differences`, seed {SEED}; samples: {many}.",
        f"Width: ratio of mean widths to value +- 1.96 se, where that covers {HOLDS:.1%} and both",
        f"classes have {BOTH} cases. Margin: how often a score that is worse by it is called not",
        "inferior at .05, on the worse side; excess: mean of what is above 6 %, in points.",
    ]
    for name, found in sets.items():
        lines += ["", f"## {name}: {len(found)} situations", ""]
        lines += [
            "| choice | least coverage | below 93.5 % | width | worst margin | above 6 | excess |",
            "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
        ]
        for choice, of in sums(found).items():
            row = f"{100 * of.least:.1f} | {of.below} | {of.ratio:.3f} | {100 * of.worst:.1f}"
            lines.append(f"| {choice} | {row} | {of.above} | {100 * of.excess:.2f} |")
        lines += again(found, AGAIN * n_sim[name])
    lines += ["", "## Power against a margin, areas equal", ""]
    shown = ("chosen", "reach 1", *SKEWED, *KNOWN)
    lines += ["| situation | " + " | ".join(shown) + " |", "| --- |" + " ---: |" * len(shown)]
    for (population, size, margin), row in zip(POWER, power, strict=True):
        values = " | ".join(f"{100 * row[NAMES.index(name)]:.1f}" for name in shown)
        lines.append(f"| {population.name}, {size[0]} + {size[1]}, margin {margin} | {values} |")
    return "\n".join(lines) + "\n"


def draw(sets: dict[str, list[Situation]]) -> None:
    """Draw the frontier of each set: width to the right, what is wrong upwards."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    fig, axes = plt.subplots(1, 2, figsize=(9, 4), layout="constrained", sharex=True)
    shown = ("chosen", "reach 1", "credited 16", *SKEWED, *KNOWN)
    found = sets["validation"]
    for ax, of, text in zip(
        axes,
        ("below", "above"),
        ("covered below 93.5 %", "more than 6 % at the margin"),
        strict=True,
    ):
        for name in shown:
            colour = "C0" if name == "chosen" else "C7"
            at = sums(found)[name]
            y = getattr(at, of)
            ax.plot(at.ratio, y, "o" if name == "chosen" else "x", color=colour)
            ax.annotate(name, (at.ratio, y), (4, 3), textcoords="offset points", fontsize=7)
        ax.axvline(1.1, color="C7", linewidth=0.6, linestyle=":")
        ax.set_xlabel("width beside value +- 1.96 se")
        ax.set_ylabel(f"situations of {len(found)}:\n{text}")
        ax.set_yscale("symlog", linthresh=4)
        ax.set_ylim(bottom=-1)
        ax.spines[["top", "right"]].set_visible(False)
    fig.savefig(FIGURE, dpi=150)


if __name__ == "__main__":
    asked = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    n_sim = {name: asked or n for name, n in N_SIM.items()}
    sets = {"validation": measured("validation", n_sim["validation"])}
    power = powers(n_sim["power"])
    print(page({}, power, n_sim), flush=True)
    sets["development"] = measured("development", n_sim["development"])
    text = page(sets, power, n_sim)
    print(text)
    if not asked:
        OUT.write_text(text, encoding="utf-8")
        draw(sets)
