"""Which differences of areas are called larger than they are, why, and what would not call them?

Two scores of the same cases can have one area and very different spreads: a score whose positives
spread 2.5 times as far as the negatives, beside one whose positives spread .4 times as far. In 250
situations, of such scores and of others, this program measures how often the tests of one side err
at .05 and .025 on either side, the margin being the true difference, how often the interval covers,
and how wide it is beside DeLong's. On the hardest of them, and on calm ones, it does so for slower
methods, too: the squared and added limits of both areas, the studentised bootstrap and BCa. It says
why the errors are made, and whether a rule that a sample can be asked tells where.

    python -m benchmarks.constants.superiority_limits          # writes benchmarks/results, a figure
    python -m benchmarks.constants.superiority_limits 50       # so many samples, printed only
    python -m benchmarks.constants.superiority_limits figure   # the figure, from the page
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from benchmarks.constants import differences as study
from benchmarks.constants import gaps
from benchmarks.constants.gaps import CUBE, FIRST, SECOND, SPREAD, Gaps, Statistic
from benchmarks.coverage.ledger import LEVEL, SEED
from benchmarks.pages import RESULTS, keep, told
from rocspace import pair_scores
from rocspace.compare import auc_difference
from rocspace.results.discordance import Constants

FIGURE = Path(__file__).resolve().parents[2] / "docs" / "_static" / "superiority-limits.png"
N_SIM, N_BOOT = 1000, 399
WIDTHS = 60  # samples of each situation whose widths are measured
SIZES = ((8, 40), (40, 8), (12, 400), (60, 60), (20, 20))
SPREADS = ((2.5, 0.4), (2, 0.5), (1, 1))
HOLDS, SIZE = 100 * study.HOLDS, 100 * study.SIZE
ALPHA = 0.05, 0.025
POPULATIONS = (
    *(
        study.pair("Normal", study.normal, (a, sd[0]), (a, sd[1]), r)
        for sd, a, r in product(SPREADS, (0.7, 0.8, 0.9, 0.95), (0.0, 0.5, 0.97))
    ),
    study.pair("Normal", study.normal, (0.9, 2.5), (0.8, 0.4), 0.3),
    study.pair("Normal", study.normal, (0.8, 2.5), (0.9, 0.4), 0.3),
    study.pair("Normal", study.normal, 0.9, 0.8, 0.5),
    study.pair("hooked", study.normal, (0.8, 0.3), (0.9, 0.3), 0.9),
    study.pair("hooked", study.normal, (0.9, 3), (0.95, 3), 0.9),
    study.pair("Cauchy", study.cauchy, 0.8, 0.85, 0.8),
    study.pair("Cauchy", study.cauchy, 0.9, 0.9, 0.5),
    study.pair("Cauchy", study.cauchy, 0.95, 0.9, 0.95),
    study.pair("yes/no", study.binary, (0.9, 0.1), (0.85, 0.1), 0.5),
    study.Population(
        "five levels, r 0.9",
        study.cut(study.normal(0.9), study.CUTS),
        study.cut(study.normal(0.85), study.CUTS),
        0.9,
    ),
    study.Population(
        "three levels, r 0.7",
        study.levels((0.1, 0.2, 0.7), (0.6, 0.3, 0.1)),
        study.levels((0.05, 0.15, 0.8), (0.6, 0.3, 0.1)),
        0.7,
    ),
)
SITUATIONS = tuple(product(POPULATIONS, SIZES))
Situations = Sequence[tuple[Any, tuple[int, int]]]
LEDGER = study.SPREAD_APART  # the ledger's scores of unequal spread


def named(name: str) -> Any:
    (found,) = (one for one in POPULATIONS if one.name == name)
    return found


HARD = (
    (LEDGER, (8, 40)),
    (LEDGER, (12, 400)),
    (LEDGER, (60, 60)),
    (named("Normal (0.9, 2.5) and (0.9, 0.4), r 0.5"), (12, 400)),
    (named("Normal (0.9, 2) and (0.9, 0.5), r 0.97"), (12, 400)),
    (named("Normal (0.9, 2) and (0.9, 0.5), r 0.97"), (40, 8)),
    (named("Normal (0.95, 2.5) and (0.95, 0.4), r 0.97"), (12, 400)),
    (named("Cauchy 0.95 and 0.9, r 0.95"), (12, 400)),
    (named("hooked (0.9, 3) and (0.95, 3), r 0.9"), (12, 400)),
    (named("five levels, r 0.9"), (12, 400)),
)
CALM = (
    *((named(f"Normal (0.8, 1) and (0.8, 1), r {r:g}"), (60, 60)) for r in (0, 0.5, 0.97)),
    (named("Normal (0.7, 2) and (0.7, 0.5), r 0.5"), (60, 60)),
    (named("Cauchy 0.8 and 0.85, r 0.8"), (60, 60)),
    (named("yes/no (0.9, 0.1) and (0.85, 0.1), r 0.5"), (60, 60)),
)
LESS = {f"lent model, credited {k}": Constants(credited=float(k), apart=0.0) for k in (8, 4, 2)}
METHODS: dict[str, Callable[[Gaps], Statistic]] = {
    "discordance": Statistic,
    "DeLong": gaps.METHODS["identity"],
    "t, Welch; jackknife": gaps.Welch,
    "t": gaps.Student,
    "t, skewness corrected": gaps.Hall,
    "tilted, whole": gaps.METHODS["model and sample, larger, whole"],
    "apart 2, credited 12": gaps.METHODS["apart 2, credited 12"],
    "lent spread, areas weighted": gaps.Weighted,
    "lent model": gaps.LentModel,
    **{name: partial(gaps.LentModel, constants=constants) for name, constants in LESS.items()},
}
SCALES = ("unseen", "moderated", "logit")
SLOW = (*SCALES, "bootstrap t", "BCa")


REASONS = (
    "share",
    "skewness",
    "correlation",
    "where wrong",
    "such cases",
    "by the error",
    "by the deviation",
    "Welch's t",
)
COLUMNS = "worst", "width, calm", "width, hard"


class Read(NamedTuple):
    """Percent of samples in which a method errs, covers, and its mean width."""

    first: float
    """The first score is called better by more than it is, at .05."""
    second: float
    half: float
    """The larger error of one side at .025."""
    cover: float
    width: float

    @property
    def worst(self) -> float:
        return max(self.first, self.second)


@dataclass(frozen=True)
class Cell:
    """What was measured in a situation."""

    name: str
    size: tuple[int, int]
    read: dict[str, Read]

    @property
    def told(self) -> str:
        return f"{self.name}, {self.size[0]} + {self.size[1]}"

    @property
    def fair(self) -> bool:
        """Whether DeLong's interval holds, with enough cases that this is no accident."""
        return min(self.size) >= study.BOTH and self.read["DeLong"].cover >= HOLDS


# --- methods on arrays ------------------------------------------------------------------------


def of_pvalues(p: gaps.Floats, rest: NDArray[np.bool_], width: float) -> Read:
    """Read one-sided p values at the truth; perfect scores have a bound, which does not err."""
    low, high = ([100 * float((x & rest).mean()) for x in of] for of in sides(p))
    return Read(low[0], high[0], max(low[1], high[1]), 100 - low[1] - high[1], width)


def sides(p: gaps.Floats) -> tuple[list[Any], list[Any]]:
    return [p <= alpha for alpha in ALPHA], [p >= 1 - alpha for alpha in ALPHA]


def cell(population: Any, size: tuple[int, int], n_sim: int, place: int) -> Cell:
    found = population.gaps(size, n_sim, np.random.default_rng([SEED, 91, place, *size]))
    return Cell(population.name, size, by_arrays(found, population.truth))


def by_arrays(found: Gaps, truth: float) -> dict[str, Read]:
    some, read = found[slice(WIDTHS)], {}
    for name, method in METHODS.items():
        width = method(some).width()[~some.perfect].mean() if min(found.size) >= 20 else np.nan
        read[name] = of_pvalues(method(found).pvalue(truth), ~found.perfect, float(width))
    return read


# --- slower methods ---------------------------------------------------------------------------


@cache
def resampled(size: tuple[int, int]) -> tuple[gaps.Floats, gaps.Floats]:
    """Return how often each case is drawn, by class; the same resamples serve all samples."""
    rng = np.random.default_rng([SEED, 92, *size])
    pos, neg = (rng.multinomial(n, np.full(n, 1 / n), N_BOOT) / n for n in size)
    return pos, neg


def weighted_variance(placed: gaps.Floats, weight: gaps.Floats) -> gaps.Floats:
    """Return the variance of a mean, by replicate: cases in rows."""
    n = len(weight)
    mean = (weight * placed).sum(axis=0)
    return np.asarray((weight * (placed - mean) ** 2).sum(axis=0) / (n - 1))


def bootstraps(kernel: gaps.Floats, levels: tuple[float, ...]) -> Iterator[list[float]]:
    """Return limits by the studentised bootstrap and by BCa, from the kernel of the difference."""
    n_pos, n_neg = kernel.shape
    pos, neg = resampled((n_pos, n_neg))
    by_pos, by_neg = kernel @ neg.T, kernel.T @ pos.T
    value = kernel.mean()
    drawn = (pos.T * by_pos).sum(axis=0)
    se = np.sqrt(weighted_variance(by_pos, pos.T) + weighted_variance(by_neg, neg.T))
    placed = kernel.mean(axis=1) - value, kernel.mean(axis=0) - value
    own = np.sqrt(sum((d * d).sum() / len(d) / (len(d) - 1) for d in placed))
    far = np.where(drawn > value, 9e9, np.where(drawn < value, -9e9, 0.0))
    t = np.where(se > 1e-12, (drawn - value) / np.maximum(se, 1e-12), far)
    yield [float(np.clip(value - own * np.quantile(t, 1 - q), -1, 1)) for q in levels]
    below = (drawn < value - 1e-12).mean() + (abs(drawn - value) <= 1e-12).mean() / 2
    bias = ndtri(np.clip(below, 0.5 / N_BOOT, 1 - 0.5 / N_BOOT))
    cube = sum((d**3).sum() / len(d) ** 3 for d in placed)
    square = sum((d * d).sum() / len(d) ** 2 for d in placed)
    bent = cube / 6 / max(square, 1e-24) ** 1.5
    z = bias + ndtri(np.array(levels))
    yield [float(x) for x in np.quantile(drawn, ndtr(bias + z / (1 - bent * z)))]


def kernel_of(score: gaps.Floats, n_pos: int) -> gaps.Floats:
    """Return the kernel of a difference of areas, a row for each positive."""
    one, two = (np.sign(x[:n_pos, None] - x[n_pos:]) / 2 for x in score)
    return np.asarray(one - two)


def limits(score: gaps.Floats, size: tuple[int, int]) -> list[list[float]]:
    """Return four limits of each of the slow methods, at 1 - 2 alpha and at the level."""
    label = np.arange(sum(size)) < size[0]
    gap = auc_difference(pair_scores(label, score.T))
    found = []
    for scale in SCALES:
        wide, narrow = (gap.interval(1 - 2 * alpha, scale=scale) for alpha in ALPHA[::-1])  # type: ignore[arg-type]
        found.append([wide.low, narrow.low, narrow.high, wide.high])
    levels = (ALPHA[1], ALPHA[0], 1 - ALPHA[0], 1 - ALPHA[1])
    return [*found, *bootstraps(kernel_of(score, size[0]), levels)]


def hard(population: Any, size: tuple[int, int], n_sim: int, place: int) -> Cell:
    """Measure all methods on the same samples."""
    rng = np.random.default_rng([SEED, 93, place])
    scores = population.draw(size, n_sim, rng)
    found = Gaps.of(size, scores)
    read = by_arrays(found, population.truth)
    if min(size) < 20:
        some = found[slice(WIDTHS)]
        for name, method in METHODS.items():
            width = method(some).width()[~some.perfect].mean()
            read[name] = read[name]._replace(width=float(width))
    ends = np.array([limits(score, size) for score in scores])
    rest = ~found.perfect
    for name, end in zip(SLOW, np.moveaxis(ends, 1, 0), strict=True):
        read[name] = of_limits(end, population.truth, rest)
    print(f"{population.name}, {size[0]} + {size[1]}", file=sys.stderr, flush=True)
    return Cell(population.name, size, read)


def of_limits(end: gaps.Floats, truth: float, rest: NDArray[np.bool_]) -> Read:
    low, narrow, high, top = end.T[0], end.T[1], end.T[2], end.T[3]
    first, second, below, above = (
        100 * float((x & rest).mean())
        for x in (narrow > truth, high < truth, low > truth + 1e-12, top < truth - 1e-12)
    )
    width = (top - low)[:WIDTHS][rest[:WIDTHS]].mean()
    return Read(first, second, max(below, above), 100 - below - above, float(width))


# --- why, and can a sample tell? --------------------------------------------------------------


def why(n_sim: int) -> Iterator[str]:
    """Tell by what the errors of the hard situations are made."""
    for place, (population, size) in enumerate(HARD):
        scores = population.draw(size, n_sim, np.random.default_rng([SEED, 93, place]))
        reasons = reasons_of(scores, size, population.truth)
        yield f"| {population.name}, {size[0]} + {size[1]} | {' | '.join(reasons)} |"


def reasons_of(scores: gaps.Floats, size: tuple[int, int], truth: float) -> tuple[str, ...]:
    found, c = Gaps.of(size, scores), int(size[1] < size[0])
    p = Statistic(found).pvalue(truth)
    wrong = max(p <= ALPHA[0], p >= 1 - ALPHA[0], key=np.mean) & ~found.perfect
    by_class = [found.classes[:, k, SPREAD] / n for k, n in enumerate(size)]
    centred, se = gaps.Student(found).value - truth, np.sqrt(sum(by_class))
    skew = (centred**3).mean() / centred.std() ** 3
    third, square = (found.classes[:, c, column].mean() for column in (CUBE, SPREAD))
    tail = missing(scores, size, c)
    return (
        f"{by_class[c].mean() / (se * se).mean():.2f}",
        f"{third / square**1.5:.2f}, {skew:.2f}",
        f"{np.corrcoef(centred, se)[0, 1]:.2f}",
        f"{se[wrong].mean() / se.mean():.2f}",
        f"{tail.mean():.1f}, {tail[wrong].mean():.1f}",
        both_sides(ndtr(-centred / np.maximum(se, 1e-12))),
        both_sides(ndtr(-centred / centred.std())),
        both_sides(gaps.Welch(found).pvalue(truth)),
    )


def both_sides(p: gaps.Floats) -> str:
    first, second = 100 * (p <= ALPHA[0]).mean(), 100 * (p >= 1 - ALPHA[0]).mean()
    return f"{first:.1f}, {second:.1f}"


def missing(scores: gaps.Floats, size: tuple[int, int], c: int) -> gaps.Floats:
    """Return how many cases of the small class one score alone puts on the wrong side.

    That is, beyond the median of the other class, where the other score does not.
    """
    pos, neg = scores[:, :, : size[0]], scores[:, :, size[0] :]
    own, other = (pos, neg) if c == 0 else (-neg, -pos)
    wrong = own < np.median(other, axis=2, keepdims=True)
    return np.asarray((wrong[:, 0] != wrong[:, 1]).sum(axis=1))


class Asked(NamedTuple):
    """What rules could ask a sample before a score is called better."""

    small: gaps.Floats
    """How many times as far placements spread in one score as in the other: the smaller class."""
    large: gaps.Floats
    """... the larger class."""
    claimed: gaps.Floats
    """... the larger class, in the other score relative to the one that is called better; 0 if
    the latter does not spread, being perfect or constant."""
    lent: gaps.Floats
    """How many times the variance of the sample the one is that the larger class implies."""


def asked(found: Gaps, sign: int) -> Asked:
    """Ask the samples of a situation; the first score is called better if the sign is 1."""
    c = int(found.size[1] < found.size[0])
    small, large = (log_ratio(found, k) for k in (c, 1 - c))
    model = gaps.LentModel(found)
    one, two, both = model.matrix(c, model.areas)
    lent = (one + two - 2 * both) / np.maximum(model.of(c, SPREAD), 1e-12)
    spreads = found.classes[:, 1 - c, FIRST if sign > 0 else SECOND] > 1e-12
    claimed = np.where(spreads, np.exp(sign * large), 0.0)
    return Asked(np.exp(abs(small)), np.exp(abs(large)), claimed, lent)


def log_ratio(found: Gaps, c: int) -> gaps.Floats:
    """Return that of the spreads of a class, second to first; if one is 0 it is very large."""
    one, two = (np.maximum(found.classes[:, c, column], 1e-12) for column in (FIRST, SECOND))
    return np.asarray(np.log(two / one) / 2)


RULES = (
    *((0, "ratio of spreads in the smaller class", k) for k in (1.5, 2, 3)),
    *((1, "ratio of spreads in the larger class", k) for k in (1.5, 2, 3)),
    *((2, "... of the other score to the one called better", k) for k in (1.5, 2, 3)),
    *((3, "variance lent by the larger class to the sample's", k) for k in (1.5, 2, 3)),
)
TAKEN = 2, 2  # what is asked, and the bound: the rule by which the library warns
CHECKED = ((15, 200), (20, 60), (20, 400), (30, 300), (50, 500), (99, 1000))
UNEQUAL = (
    *POPULATIONS[:24],
    study.pair("Normal", study.normal, (0.7, 3), (0.7, 1 / 3), 0.5),
    study.pair("Normal", study.normal, (0.85, 3), (0.85, 0.5), 0.8),
    study.pair("Normal", study.normal, (0.9, 1.5), (0.9, 0.7), 0.9),
    study.Population("Cauchy and Normal", study.cauchy(0.85), study.normal(0.85, 0.4), 0.7),
)
OTHERS = tuple(product(study.VALIDATION, ((12, 40), (40, 12), (30, 100), (15, 500))))


class Told(NamedTuple):
    """A rule in one situation, for one score that may be called better; percent of samples."""

    wrong: float
    said: float
    caught: float
    """Of the wrong decisions, those of which it warns."""
    left: float
    """Wrong decisions of which it does not."""

    @property
    def missed(self) -> bool:
        """Whether the default errs clearly more often than it may."""
        return self.wrong > SIZE + 1


def each_rule(situations: Situations, n_sim: int, key: int) -> NDArray[np.float64]:
    """Return what each rule says, by situation and the score that may be called better."""
    found = []
    for place, (population, size) in enumerate(situations):
        rng = np.random.default_rng([SEED, key, place, *size])
        some = population.gaps(size, n_sim, rng)
        p = Statistic(some).pvalue(population.truth)
        for sign, claim in ((1, p <= ALPHA[0]), (-1, p >= 1 - ALPHA[0])):
            read, wrong = asked(some, sign), claim & ~some.perfect
            found.append([told_by(read[i] > bound, wrong) for i, _, bound in RULES])
    return np.array(found)


def told_by(said: NDArray[np.bool_], wrong: NDArray[np.bool_]) -> Told:
    caught = said[wrong].mean() if wrong.any() else 1.0
    return Told(
        *(100 * float(x) for x in (wrong.mean(), said.mean(), caught, (wrong & ~said).mean()))
    )


def rules(read: NDArray[np.float64]) -> Iterator[str]:
    """Tell what rules say in situations that miss, and in those that hold."""
    for (_, name, bound), rows in zip(RULES, np.moveaxis(read, 1, 0), strict=True):
        yield f"| {name}, above {bound:g} | {judged(rows)} |"


def judged(rows: NDArray[np.float64]) -> str:
    found = [Told(*row) for row in rows]
    bad, good = ([x for x in found if x.missed == of] for of in (True, False))
    caught, left = (
        np.array([getattr(x, of) for x in bad] or [np.nan]) for of in ("caught", "left")
    )
    said = np.array([x.said for x in good])
    return (
        f"{len(bad)} of {len(found)} | {max(x.wrong for x in found):.1f} | {caught.mean():.0f}"
        f" | {left.mean():.1f}, {left.max():.1f} | {said.mean():.0f}, {said.max():.0f}"
    )


def checked(n_sim: int) -> Iterator[str]:
    """Tell what the rule that is taken says at other sizes, and of other scores."""
    place = next(i for i, (of, _, bound) in enumerate(RULES) if (of, bound) == TAKEN)
    sets: dict[str, Situations] = {
        f"unequal spread, {m} + {n}": tuple((one, (m, n)) for one in UNEQUAL) for m, n in CHECKED
    }
    sets["validation of `differences`"] = OTHERS
    for key, (name, situations) in enumerate(sets.items()):
        yield f"| {name} | {judged(each_rule(situations, n_sim, 95 + key)[:, place])} |"


# --- the page ---------------------------------------------------------------------------------


def summed(cells: list[Cell], power: dict[str, float]) -> Iterator[str]:
    fair = [one for one in cells if one.fair]
    for name in METHODS:
        worst = np.array([one.read[name].worst for one in cells])
        half = max(one.read[name].half for one in cells)
        cover = np.array([one.read[name].cover for one in cells])
        width = np.mean([one.read[name].width / one.read["DeLong"].width for one in fair])
        numbers = (
            f"{worst.max():.1f}",
            f"{(worst > SIZE).sum()}, {(worst > SIZE + 2).sum()}",
            f"{np.maximum(worst - SIZE, 0).mean():.2f}",
            f"{half:.1f}",
            f"{cover.min():.1f}, {(cover < HOLDS).sum()}",
            f"{width:.3f}",
            f"{power[name]:.1f}",
        )
        yield f"| {name} | {' | '.join(numbers)} |"


def powers(n_sim: int) -> dict[str, float]:
    """Return the mean power against a margin where areas are equal, as `differences` has it."""
    found = []
    for place, (population, size, margin) in enumerate(study.POWER):
        drawn = population.gaps(size, n_sim, np.random.default_rng([SEED, 94, place]))
        found.append([(of(drawn).pvalue(-margin) <= ALPHA[0]).mean() for of in METHODS.values()])
    return dict(zip(METHODS, 100 * np.mean(found, axis=0), strict=True))


def worst_of(cells: list[Cell]) -> Iterator[str]:
    shown = ("discordance", "t, Welch; jackknife", "lent spread, areas weighted", "lent model")
    for one in sorted(cells, key=lambda one: -one.read["discordance"].worst)[:24]:
        row = (f"{one.read[x].first:.1f}, {one.read[x].second:.1f}" for x in shown)
        yield f"| {one.told} | {one.read['discordance'].cover:.1f} | {' | '.join(row)} |"


def all_methods(cells: list[Cell], calm: list[Cell]) -> Iterator[str]:
    for name in (*METHODS, *SLOW):
        row = (f"{one.read[name].first:.1f}, {one.read[name].second:.1f}" for one in cells)
        yield f"| {name} | {' | '.join(row)} | {frontier(name, cells, calm)} |"


def frontier(name: str, cells: list[Cell], calm: list[Cell]) -> str:
    """Return the worst error of one side, and widths beside DeLong's: calm, and hard."""
    worst = max(one.read[name].worst for one in (*cells, *calm))
    widths = [
        np.mean([one.read[name].width / one.read["DeLong"].width for one in of])
        for of in (calm, cells)
    ]
    return f"{worst:.1f} | {widths[0]:.2f} | {widths[1]:.2f}"


def page(n_sim: int) -> str:
    warnings.simplefilter("ignore")
    cells = [cell(*situation, n_sim, i) for i, situation in enumerate(SITUATIONS)]
    hardest = [hard(*situation, n_sim, i) for i, situation in enumerate(HARD)]
    calm = [hard(*situation, n_sim, len(HARD) + i) for i, situation in enumerate(CALM)]
    few = [(one, size) for one, size in SITUATIONS if min(size) < study.BOTH]
    return (
        told(head_of_sums(n_sim, len(cells)), summed(cells, powers(n_sim)))
        + told(HEAD_OF_WORST, worst_of(cells))
        + told(head_of_all(n_sim, hardest, calm), all_methods(hardest, calm))
        + told(HEAD_OF_REASONS, why(n_sim))
        + told(head_of_rules(len(few)), rules(each_rule(few, n_sim, 95)))
        + told(HEAD_OF_CHECKED, checked(n_sim))
    )


def head_of_sums(n_sim: int, many: int) -> list[str]:
    return [
        "# Differences of areas of unequal spread, and others",
        "",
        f"`python -m benchmarks.constants.superiority_limits`, seed {SEED}, {n_sim} samples of",
        f"each of {many} situations: the largest error of one side at .05, the margin being the",
        f"true difference, in percent; in how many situations it is above {SIZE:g} and above",
        f"{SIZE + 2:g}; the mean of what is above {SIZE:g}; the largest error at .025; the least",
        f"coverage at {LEVEL:g}, and how many are below {HOLDS}; the mean ratio of widths to",
        "DeLong's, of situations with 30 cases or more of each class in which that covers; and the",
        "mean power against a margin in the ten situations of `differences`. The lent models with",
        'credited degrees of freedom named lack the term "apart".',
        "",
        "| method | worst | above | excess | at .025 | coverage | width | power |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]


HEAD_OF_WORST = (
    "",
    "## The worst situations",
    "",
    "Coverage of the default; and how often the first score, and the second, is called better by",
    "more than it is, by the default, by t, and with the models that are lent.",
    "",
    "| situation | coverage | discordance | t, Welch | lent spread | lent model |",
    "| --- | ---: | ---: | ---: | ---: | ---: |",
)


def head_of_all(n_sim: int, hardest: list[Cell], calm: list[Cell]) -> list[str]:
    return [
        "",
        "## All methods, the hardest situations",
        "",
        f"{n_sim} samples, {N_BOOT} resamples. How often the first score, and the second, is",
        "called better by more than it is; the worst of these and of the calm situations, and mean",
        "ratios of widths to DeLong's of the calm ones and of the hardest. Calm are:",
        f"{'; '.join(one.told for one in calm)}.",
        "",
        f"| method | {' | '.join(one.told for one in hardest)} | {' | '.join(COLUMNS)} |",
        "| --- |" + " ---: |" * (len(hardest) + len(COLUMNS)),
    ]


HEAD_OF_REASONS = (
    "",
    "## Why",
    "",
    "The share of the smaller class in the variance; the skewness of the differences of its",
    "placements (moments of all samples), and of the difference of the areas; its correlation with",
    "the standard error; the mean standard error where the decision is wrong, relative to all",
    "samples; how many cases of the smaller class one score alone puts beyond the median of the",
    "other class, in all samples and in those wrong; and errors of both sides of the difference",
    "divided by its standard error and by the standard deviation of all samples, with Normal",
    "quantiles, and of Welch's t.",
    "",
    f"| situation | {' | '.join(REASONS)} |",
    "| --- |" + " ---: |" * len(REASONS),
)


JUDGED = (
    "missed",
    "worst",
    "of wrong decisions",
    "wrong without",
    "where it holds",
)


def head_of_rules(few: int) -> list[str]:
    return [
        "",
        "## Rules that a sample can be asked",
        "",
        f"The {few} situations with fewer than 30 cases of a class, and in each of them both",
        f"scores that may be called better: in how many the default errs in more than {SIZE + 1:g}",
        "percent, and the worst. Of those: percent of the wrong decisions of which the rule warns,",
        "and of samples with a wrong decision of which it does not, mean and largest. Of the",
        "others: in how many samples it warns, mean and largest.",
        "",
        f"| rule | {' | '.join(JUDGED)} |",
        "| --- |" + " ---: |" * len(JUDGED),
    ]


HEAD_OF_CHECKED = (
    "",
    "The same of the rule that is taken, twice the spread of the score that is called better, at",
    f"other sizes ({len(UNEQUAL)} pairs of scores of unequal spread) and of other scores:",
    "",
    f"| situations | {' | '.join(JUDGED)} |",
    "| --- |" + " ---: |" * len(JUDGED),
)


def draw(text: str) -> None:
    """Draw the worst error of one side against the width, by method, from the page."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    rows = [[x.strip() for x in line.split("|")[1:-1]] for line in text.splitlines()]
    start = next(i for i, row in enumerate(rows) if tuple(row[-3:]) == COLUMNS)
    found = rows[start + 2 : start + 2 + len(METHODS) + len(SLOW)]
    figure, axes = plt.subplots(1, 2, figsize=(11, 4.8), layout="constrained", sharey=True)
    sides_of = (-2, "where DeLong's holds"), (-1, "where it fails")
    for ax, (column, of) in zip(axes, sides_of, strict=True):
        for i, row in enumerate(found, 1):
            chosen = row[0] == "discordance"
            style: dict[str, Any] = {"marker": f"${i}$", "ms": 6 + 4 * (i > 9), "mew": 0, "ls": ""}
            color = "C3" if chosen else "0.3"
            ax.plot(float(row[column]), float(row[-3]), color=color, label=row[0], **style)
        ax.axhline(SIZE, color="C7", linewidth=0.6, linestyle=":")
        ax.set_xlabel(f"width beside DeLong's, {of}")
        ax.set_yscale("log")
        ax.set_yticks(TICKS, [str(tick) for tick in TICKS])
        ax.minorticks_off()
        ax.margins(x=0.08, y=0.08)
        ax.spines[["top", "right"]].set_visible(False)
    axes[0].axvline(1.1, color="C7", linewidth=0.6, linestyle=":")
    axes[0].set_ylabel("worst error of one side at .05, %")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside right center", frameon=False)
    figure.savefig(FIGURE, dpi=150, metadata={"Software": None})
    plt.close(figure)


TICKS = (5, 6, 8, 10, 15, 20, 30, 40)

if __name__ == "__main__":
    if sys.argv[1:] != ["figure"]:
        keep("superiority_limits", page, N_SIM)
    if sys.argv[1:] in ([], ["figure"]):
        draw((RESULTS / "superiority_limits.md").read_text(encoding="utf-8"))
