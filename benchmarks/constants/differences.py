"""Which constants does the default statistic of a difference of areas take?

For each choice of `rocspace.results.discordance.Constants`, and for what was tried in its place
(`gaps.py`), this program measures on the same samples how often the interval of level .95 covers
the true difference, how wide it is beside value +- 1.96 se where that holds, how often a score that
is worse by just the margin is called not inferior at .05, how often one that is as good is, and how
often two different areas are found to differ. The development populations chose the constants; the
validation populations, of other shapes, areas, correlations and sizes, chose nothing. Both scores
are functions of Normal variables with a given correlation within each class.

    python -m benchmarks.constants.differences          # writes benchmarks/results and the figure
    python -m benchmarks.constants.differences 50       # so many samples, printed only
    python -m benchmarks.constants.differences figure   # the figure, from the page
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri

from benchmarks.constants.gaps import METHODS, SPREAD, Gaps
from benchmarks.coverage.ledger import SEED
from benchmarks.coverage.margins import PAIRS, Pair
from benchmarks.coverage.rarer import PAIRS as RARER
from rocspace import pair_scores
from rocspace.compare import adjusted_pvalues, auc_difference

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / "benchmarks" / "results" / "differences.md"
FIGURE = ROOT / "docs" / "_static" / "differences.png"
N_SIM = {"validation": 2000, "power": 3000, "development": 500}
FRESH = 10_000  # new samples of situations that are above 6 percent, and of the ledger's worst
WIDTHS = 60  # samples of each situation whose widths are measured
FORMER = 60  # samples of each situation by the library, for our former default, "moderated"
CHECKED = 2  # of these, in how many the statistics here are compared with the library's
BLOCK = 2_000_000  # scores drawn at once
FINE = 200_001  # quantiles by which the true area of a population is found
HOLDS, SIZE, BOTH = 0.935, 0.06, 30
PART = 0.0, 0.2  # of the false positive rates
DIFFERENT = 0.005  # areas that differ by as much should be found to differ
Quantile = Callable[[NDArray[np.float64]], NDArray[np.floating[Any]]]
NAMES = (*METHODS, "moderated")


@dataclass(frozen=True)
class Score:
    """A score by its quantile functions in both classes."""

    pos: Quantile
    neg: Quantile

    @cached_property
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

    def draw(self, size: tuple[int, int], n_sim: int, rng: np.random.Generator) -> Any:
        """Draw both scores, shape (n_sim, 2, n), positives first."""
        n_pos = size[0]
        label = np.arange(sum(size)) < n_pos
        z = rng.normal(size=(2, n_sim, label.size))
        r = np.where(label, self.r, self.r if self.r_neg is None else self.r_neg)
        u = ndtr(np.stack([z[0], r * z[0] + np.sqrt(1 - r * r) * z[1]]))
        scores = np.empty((n_sim, 2, label.size))
        for j, score in enumerate((self.first, self.second)):
            scores[:, j, :n_pos] = score.pos(u[j, :, :n_pos])
            scores[:, j, n_pos:] = score.neg(u[j, :, n_pos:])
        return scores

    def gaps(self, size: tuple[int, int], n_sim: int, rng: np.random.Generator) -> Gaps:
        step = max(BLOCK // sum(size), 1)
        many = [min(step, n_sim - start) for start in range(0, n_sim, step)]
        found = [Gaps.of(size, self.draw(size, n, rng)) for n in many]
        areas, classes = (
            np.concatenate([getattr(x, of) for x in found]) for of in ("areas", "classes")
        )
        return Gaps(size, areas, classes)


def pair(name: str, make: Any, one: Any, two: Any, r: float, r_neg: float | None = None) -> Any:
    first, second = (make(*x) if isinstance(x, tuple) else make(x) for x in (one, two))
    return Population(f"{name} {one} and {two}, r {r:g}", first, second, r, r_neg)


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


def of_ledger(pairs: tuple[Pair, ...], name: str) -> Population:
    (found,) = (pair for pair in pairs if pair.name == name)
    first, second = (Score(one.pos_of.ppf, one.neg_of.ppf) for one in (found.first, found.second))
    return Population(name, first, second, found.r)


HEAVY = of_ledger(PAIRS, "heavy tails, Cauchy and t2, r 0.8")
SPREAD_APART = of_ledger(RARER, "unequal spread, 2.5 and 0.4, r 0.3")
WORST = (
    *((HEAVY, size) for size in ((20, 1000), (30, 300), (15, 15))),
    *((SPREAD_APART, size) for size in ((8, 40), (12, 400), (60, 60))),
    *((one, (15, 500)) for one in VALIDATION if one.name.startswith(("t3", "Normal and exp"))),
)
"""The ledger's worst sizes with their neighbours, and those of the validation populations."""


@dataclass(frozen=True)
class Situation:
    """What was measured of all methods, in the order of `NAMES`."""

    population: Population
    size: tuple[int, int]
    cover: NDArray[np.float64]
    width: NDArray[np.float64]
    margin: NDArray[np.float64]
    """How often the worse score was called not inferior, on the side where that is more often."""
    differ: NDArray[np.float64]
    """How often the test of equal areas rejected."""

    @property
    def fair(self) -> bool:
        return bool(self.cover[NAMES.index("identity")] >= HOLDS and min(self.size) >= BOTH)


def situation(
    population: Population, size: tuple[int, int], n_sim: int, key: tuple[int, ...]
) -> Situation:
    truth = population.truth
    rng = np.random.default_rng([SEED, 13, *key, *size])
    gaps = population.gaps(size, n_sim, rng)
    rows = [measure(name, gaps, truth) for name in METHODS]
    rows.append(former(population, size, truth, min(FORMER, n_sim), rng))
    return Situation(population, size, *np.transpose(rows))


def measure(name: str, gaps: Gaps, truth: float) -> tuple[float, float, float, float]:
    """Return coverage, mean width, error at a margin, and how often areas are told apart."""
    method, some = METHODS[name](gaps), gaps[slice(WIDTHS)]
    p, at_zero, rest = method.pvalue(truth), method.pvalue(0.0), ~gaps.perfect
    cover = (((p >= 0.025) & (p <= 0.975)) | ~rest).mean()  # perfect scores: a bound
    wrong = max(((p <= 0.05) & rest).mean(), ((p >= 0.95) & rest).mean())
    differ = (((at_zero < 0.025) | (at_zero > 0.975)) & rest).mean()
    width = np.nan
    if min(gaps.size) >= BOTH:
        width = METHODS[name](some).width()[~some.perfect].mean()
    return cover, width, wrong, differ


def former(
    population: Population,
    size: tuple[int, int],
    truth: float,
    n_sim: int,
    rng: np.random.Generator,
) -> tuple[float, float, float, float]:
    """Return the same of "moderated", by the library, and compare its default with `METHODS`."""
    label = np.arange(sum(size)) < size[0]
    scores, found = population.draw(size, n_sim, rng), []
    twin = METHODS["chosen"](Gaps.of(size, scores[:CHECKED]))
    expected, perfect = twin.pvalue(truth), twin.gaps.perfect
    for i, score in enumerate(scores):
        gap = auc_difference(pair_scores(label, score.T))
        own, inner = (gap.interval(level, scale="moderated") for level in (0.95, 0.9))
        found.append((truth in own, own.width, truth <= inner.high, truth >= inner.low, 0 in own))
        if i < CHECKED and not perfect[i]:
            p = gap.test(null=truth, alternative="greater").pvalue
            assert abs(p - expected[i]) < 1e-9, (population.name, size, p, expected[i])
    cover, width, below, above, equal = np.mean(found, axis=0)
    return cover, width, 1 - min(below, above), 1 - equal


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
    """Return how often a score that is as good is called not inferior, by situation and method."""
    found = []
    for seed, (population, size, margin) in enumerate(POWER):
        rng = np.random.default_rng([SEED, 14, seed])
        gaps = population.gaps(size, n_sim, rng)
        called = [(METHODS[name](gaps).pvalue(-margin) <= 0.05).mean() for name in METHODS]
        label, few = np.arange(sum(size)) < size[0], min(3 * FORMER, n_sim)
        limits = [
            auc_difference(pair_scores(label, score.T)).interval(0.9, scale="moderated").low
            for score in population.draw(size, few, rng)
        ]
        found.append([*called, np.mean(np.array(limits) >= -margin)])
    return np.array(found)


def one_sided() -> NDArray[np.float64]:
    """Return how often either score is called better by more than it is, at .05.

    Of the situations of `WORST`, by method: the first score, the second one.
    """
    found = []
    for place, (population, size) in enumerate(WORST):
        gaps = population.gaps(size, FRESH, np.random.default_rng([SEED, 16, place]))
        rest = ~gaps.perfect
        pvalues = [METHODS[name](gaps).pvalue(population.truth) for name in METHODS]
        found.append([[((p <= 0.05) & rest).mean(), ((p >= 0.95) & rest).mean()] for p in pvalues])
    return np.array(found)


@dataclass(frozen=True)
class Sum:
    """A method in all situations of a set."""

    least: float
    below: int
    ratio: float
    worst: float
    above: int
    excess: float
    differ: float


def sums(found: list[Situation]) -> dict[str, Sum]:
    fair = [one for one in found if one.fair]
    usual = sum(one.width[NAMES.index("identity")] for one in fair)
    unequal = [one for one in found if abs(one.population.truth) > DIFFERENT]
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
            float(np.mean([one.differ[j] for one in unequal])),
        )
    return out


MEASURED = ("cover", "margin")
COLUMNS = (
    "method",
    "least coverage",
    "below 93.5 %",
    "width",
    "worst margin",
    "above 6 %",
    "excess",
    "differ",
)


def worst(found: list[Situation]) -> list[str]:
    """Return the situations where the chosen one does worst, beside Student's t."""
    rows = sorted(found, key=lambda one: -one.margin[0])[:16]
    rows += [one for one in found if one.cover[0] < HOLDS and one not in rows]
    lines = ["", "The worst margins, and all coverages below 93.5 %:", ""]
    lines += ["| situation | coverage | margin | margin of t |", "| --- | ---: | ---: | ---: |"]
    for one in rows:
        values = one.cover[0], one.margin[0], one.margin[NAMES.index("t")]
        row = " | ".join(f"{100 * x:.1f}" for x in values)
        lines.append(f"| {one.population.name}, {one.size[0]} + {one.size[1]} | {row} |")
    return lines


def again(found: list[Situation]) -> list[str]:
    """Return what new samples say of the situations above 6 percent: were they so by chance?

    The exact binomial test of "in at most 6 percent", with Holm's adjustment over all situations
    for the samples by which they were found, and over these few for the new ones.
    """
    above = [one for one in found if one.margin[0] > SIZE]
    if not above:
        return ["", "None is above 6 percent."]
    first = [binomial(one.margin[0], N_SIM["validation"]) for one in above]
    rest = [1.0] * (len(found) - len(above))
    adjusted = adjusted_pvalues([*first, *rest])[: len(above)]
    fresh = []
    for one in above:
        place = VALIDATION.index(one.population)
        rng = np.random.default_rng([SEED, 15, place, *one.size])
        gaps = one.population.gaps(one.size, FRESH, rng)
        fresh.append(measure("chosen", gaps, one.population.truth)[2])
    later = adjusted_pvalues([binomial(share, FRESH) for share in fresh])
    lines = ["", f"Those above 6 percent, in {FRESH} new samples:", ""]
    lines += ["| situation | first | adjusted p | new samples | 95 % | adjusted p |"]
    lines += ["| --- | ---: | ---: | ---: | ---: | ---: |"]
    for one, p, share, q in zip(above, adjusted, fresh, later, strict=True):
        low, high = stats.binomtest(round(share * FRESH), FRESH).proportion_ci()
        lines.append(
            f"| {one.population.name}, {one.size[0]} + {one.size[1]} | {100 * one.margin[0]:.1f} | "
            f"{p:.2g} | {100 * share:.1f} | {100 * low:.1f} to {100 * high:.1f} | {q:.2g} |"
        )
    return lines


def binomial(share: float, n: int) -> float:
    """Return the exact p value of "in at most 6 percent"."""
    return float(stats.binomtest(round(share * n), n, SIZE, alternative="greater").pvalue)


def why() -> list[str]:
    """Return how a difference and its standard error go together in the samples of `one_sided`."""
    lines = ["", "In the same samples: the share of the positives in the mean of the squared"]
    lines += ["standard error, its correlation with the difference, and its mean where the score"]
    lines += ["of the larger error was wrongly called better, relative to all samples; then both"]
    lines += [
        "errors with the standard deviation of the differences of all samples in its place.",
        "",
    ]
    lines += ["| situation | share of positives | correlation | where wrong | errors |"]
    lines += ["| --- | ---: | ---: | ---: | --- |"]
    for place, (population, size) in enumerate(WORST):
        gaps = population.gaps(size, FRESH, np.random.default_rng([SEED, 16, place]))
        method = METHODS["chosen"](gaps)
        variances = [method.of(c, SPREAD) / n for c, n in enumerate(size)]
        se, p = np.sqrt(sum(variances)), method.pvalue(population.truth)
        wrong = max(p <= 0.05, p >= 0.95, key=np.mean)
        share = variances[0].mean() / (se * se).mean()
        numbers = share, np.corrcoef(method.value, se)[0, 1], se[wrong].mean() / se.mean()
        row = " | ".join(f"{x:.2f}" for x in numbers)
        df = method.statistic(np.full(se.shape, population.truth))[1]
        known = stats.t.cdf((method.value - population.truth) / method.value.std(), df)
        sides = f"{100 * np.mean(known >= 0.95):.1f}, {100 * np.mean(known <= 0.05):.1f}"
        lines.append(f"| {population.name}, {size[0]} + {size[1]} | {row} | {sides} |")
    return lines


def parts(n_sim: int) -> list[str]:
    """Return what the intervals of a difference of parts, fpr 0 to .2, miss, by the library."""
    (pair,) = (one for one in PAIRS if one.name == HEAVY.name)
    truth = [one.partial_auc(fpr=PART) for one in (pair.first, pair.second)]
    lines = ["", f"## Parts of areas, fpr 0 to .2: {pair.name}", ""]
    lines += [f"{n_sim} samples: how often the interval of level .95 lies below the difference of"]
    lines += ["the parts and above it, how much too large both parts are on average, the standard"]
    lines += ["deviation of the difference, and the mean standard error of all samples and of the"]
    lines += ["missed ones."]
    lines += ["", "| cases | below | above | first | second | sd | se | se where missed |"]
    lines += ["| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"]
    for size in ((15, 15), (50, 50)):
        rng = np.random.default_rng([SEED, 17, *size])
        found = []
        for _ in range(n_sim):
            gap = auc_difference(pair.draw(*size, rng), "first", "second", fpr=PART)
            low, high = gap.interval()
            found.append((low, high, gap.first.value, gap.second.value, gap.se))
        low, high, first, second, se = np.transpose(found)
        below, above = high < truth[0] - truth[1], low > truth[0] - truth[1]
        missed = se[below | above].mean()
        errors = first.mean() - truth[0], second.mean() - truth[1], (first - second).std()
        shares = " | ".join(f"{100 * x.mean():.1f}" for x in (below, above))
        numbers = " | ".join(f"{x:.4f}" for x in (*errors, se.mean(), missed))
        lines.append(f"| {size[0]} + {size[1]} | {shares} | {numbers} |")
    return lines


def by_side(found: NDArray[np.float64]) -> list[str]:
    """Return the table of `one_sided`, a line for each method."""
    situations = [f"{one.name}, {size[0]} + {size[1]}" for one, size in WORST]
    lines = ["", "## The worst sizes of the ledger and of the validation populations", ""]
    lines += ["How often the first score, and the second, is called better by more than it is, at"]
    lines += [f".05; {FRESH} samples of their own.", ""]
    lines += ["| method | " + " | ".join(situations) + " |", "| --- |" + " --- |" * len(WORST)]
    for j, name in enumerate(METHODS):
        shares = (f"{100 * one:.1f}, {100 * two:.1f}" for one, two in found[:, j])
        lines.append(f"| {name} | " + " | ".join(shares) + " |")
    return lines


def page(
    sets: dict[str, list[Situation]],
    power: NDArray[np.float64],
    sides: NDArray[np.float64],
    more: list[str],
    n_sim: dict[str, int],
) -> str:
    many = ", ".join(f"{name} {n}" for name, n in n_sim.items())
    lines = [
        "# The difference of two areas of the same cases",
        "",
        f"`python -m benchmarks.constants.differences`, seed {SEED}; samples: {many}",
        f'(of "moderated" {FORMER} and {3 * FORMER}, so that its extremes are partly chance).',
        f"Width: ratio of mean widths to value +- 1.96 se, where that covers {HOLDS:.1%} and both",
        f"classes have {BOTH} cases. Margin: how often a score that is worse by it is called not",
        "inferior at .05, on the worse side; excess: mean of what is above 6 %, in points. Differ:",
        "how often the test of equal areas rejects, mean over the situations of unequal areas.",
    ]
    for name, found in sets.items():
        lines += ["", f"## {name}: {len(found)} situations", ""]
        lines += [
            "| " + " | ".join(COLUMNS) + " |",
            "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
        ]
        for method, of in sums(found).items():
            row = f"{100 * of.least:.1f} | {of.below} | {of.ratio:.3f} | {100 * of.worst:.1f}"
            row += f" | {of.above} | {100 * of.excess:.3f} | {100 * of.differ:.1f}"
            lines.append(f"| {method} | {row} |")
        lines += worst(found)
        if name == "validation":
            lines += again(found)
    lines += [*by_side(sides), *more]
    lines += ["", "## Power against a margin, areas equal", ""]
    lines += ["| situation | " + " | ".join(SHOWN) + " |", "| --- |" + " ---: |" * len(SHOWN)]
    for (population, size, margin), row in zip(POWER, power, strict=True):
        values = " | ".join(f"{100 * row[NAMES.index(name)]:.1f}" for name in SHOWN)
        lines.append(f"| {population.name}, {size[0]} + {size[1]}, margin {margin} | {values} |")
    means = " | ".join(f"{100 * power[:, NAMES.index(name)].mean():.1f}" for name in SHOWN)
    return "\n".join([*lines, f"| mean | {means} |"]) + "\n"


SHOWN = (
    "chosen",
    "credited 16",
    "apart 2",
    "reach 0",
    "least 1",
    "model and sample, larger",
    "binormal correlation",
    "quantile_df 8",
    "kurtosis of its own",
    "t, skewness corrected",
    "t",
    "identity",
    "moderated",
)


def draw(text: str) -> None:
    """Draw the frontier from the page: the worst size against width and power, by method."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines()]
    first = next(i for i, row in enumerate(rows) if tuple(row) == COLUMNS)
    found = {row[0]: row for row in rows[first + 2 : first + 2 + len(NAMES)]}
    powers = dict(zip(SHOWN, next(row[1:] for row in rows if row[:1] == ["mean"]), strict=True))
    drawn = [name for name in SHOWN if name in METHODS]
    sides = (
        ("width beside value +- 1.96 se", {name: found[name][3] for name in drawn}),
        ("power against a margin, areas equal, %", powers),
        ("power against equality, areas unequal, %", {name: found[name][7] for name in drawn}),
    )
    fig, axes = plt.subplots(1, 3, figsize=(13, 4.6), layout="constrained", sharey=True)
    for ax, (label, x) in zip(axes, sides, strict=True):
        for i, name in enumerate(drawn, 1):
            ax.plot(
                float(x[name]),
                float(found[name][4]),
                marker=f"${i}$",
                ms=6 + 4 * (i > 9),
                mew=0,
                ls="",
                color="C3" if i == 1 else "0.3",
                zorder=3 - i / len(drawn),  # the chosen one on top
                label=name,
            )
        ax.set_xlabel(label)
        ax.set_yscale("log")
        ax.set_yticks(TICKS, [str(tick) for tick in TICKS])
        ax.minorticks_off()
        ax.axhline(100 * SIZE, color="C7", linewidth=0.6, linestyle=":")
        ax.margins(x=0.1, y=0.08)
        ax.spines[["top", "right"]].set_visible(False)
    axes[0].axvline(1.1, color="C7", linewidth=0.6, linestyle=":")
    axes[0].set_ylabel("worst error at a margin, %")
    fig.legend(*axes[0].get_legend_handles_labels(), loc="outside right center", frameon=False)
    fig.savefig(FIGURE, dpi=150)


TICKS = (6, 8, 10, 15, 20, 30, 40)


if __name__ == "__main__":
    if sys.argv[1:] == ["figure"]:
        draw(OUT.read_text(encoding="utf-8"))
        sys.exit()
    asked = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    n_sim = {name: asked or n for name, n in N_SIM.items()}
    sets = {name: measured(name, n_sim[name]) for name in ("validation", "development")}
    rejected = powers(n_sim["power"])
    more = [*why(), *parts(n_sim["validation"])]
    text = page(sets, rejected, one_sided(), more, n_sim)
    print(text)
    if not asked:
        OUT.write_text(text, encoding="utf-8")
        draw(text)
