"""Defaults that are asked for rarely, in populations that no other part has.

Superiority at the margin, contrasts of several areas, the formulas of Hanley and McNeil with and
without the cases, the combination of two intervals; the precision at a recall; ranks of many
models, and what is gained by choosing among models by another measure.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import product
from typing import Any

import numpy as np
from scipy import stats
from scipy.special import ndtr

import rocspace as rs
from benchmarks.coverage.cells import (
    Cell,
    Draw,
    Read,
    Reader,
    held,
    interval_of,
    part,
    rejected,
    sizes_of,
)
from benchmarks.coverage.ledger import LEVEL, Role
from benchmarks.coverage.margins import DEV, VAL, Margin, Mixed, Normal, Pair, levels, normal
from benchmarks.coverage.wide import DEFAULT, section, several
from rocspace.bands import precision_at_interval
from rocspace.compare import (
    auc_difference,
    compare_aucs,
    hanley_mcneil_difference,
    published_difference,
    superiority_test,
)
from rocspace.counts import PairedScores, ScoreTable
from rocspace.curves import auc, bedroc, ks, partial_auc
from rocspace.inference import auc_estimate, bedroc_estimate
from rocspace.inference.area import VarianceMethod
from rocspace.results import Difference
from rocspace.select import Bootstrapped, rank_correlation, selection_experiment

SUPERIOR = "wide: size of superiority_test at the margin"
FORMULA = "wide: hanley_mcneil_difference"
FORMULA_TEST = "wide: size of the test of hanley_mcneil_difference"
PUBLISHED = "wide: published_difference"
PUBLISHED_TEST = "wide: size of the test of published_difference"
SIZED = ", with class sizes"
ERRORS: dict[str, VarianceMethod] = {"": "hanley-mcneil", ", DeLong's errors": "delong"}
PRINTED = tuple(sized + errors for sized, errors in product(("", SIZED), ERRORS))
COMBINED = "wide: Difference.of_intervals"
CONTRAST = "wide: size of AucComparison.contrast"
SIZES = ((8, 40), (60, 60), (12, 400))
FORMULA_SIZES = ((40, 8), (60, 60), (8, 40), (12, 400))


def shifted(name: str, of: Any, by: float, role: Role = DEV) -> Margin:
    return Margin(f"{name}, shift {by:g}", of(by), of(0), role)


def weibull(times: float, role: Role = DEV) -> Margin:
    """Scores of a decreasing hazard: most are near 0, some far away."""
    pos, neg = (stats.weibull_min(0.7, scale=scale) for scale in (times, 1.0))
    return Margin(f"Weibull 0.7, times {times:g}", pos, neg, role)


def twice(margin: Margin, r: float) -> Pair:
    return Pair(margin, margin, r, margin.role, f"{margin.name}, twice, r {r:g}")


T3 = shifted("t3", partial(stats.t, 3), 2, VAL)
SIX = levels("six levels", (3, 7, 10, 15, 25, 40), (35, 25, 20, 10, 7, 3), DEV)
PAIRS = (
    twice(shifted("Laplace", stats.laplace, 1.5), 0.4),
    twice(weibull(5), 0.8),
    twice(SIX, 0.7),
    twice(normal(0.985), 0.7),
    Pair(normal(0.8, 2.5), normal(0.8, 0.4), 0.3, DEV, "unequal spread, 2.5 and 0.4, r 0.3"),
    Pair(normal(0.85), normal(0.75), 0.6, DEV, "Normal, areas 0.85 and 0.75, r 0.6"),
    Pair(weibull(8), weibull(3), 0.5, DEV, "Weibull 0.7, times 8 and 3, r 0.5"),
    Pair(normal(0.97), normal(0.9), 0.9, DEV, "Normal, areas 0.97 and 0.9, r 0.9"),
    twice(T3, 0.6),
    twice(levels("yes/no, .85 and .15", (15, 85), (85, 15), VAL), 0.4),
    twice(Margin("lognormal, shift 1", stats.lognorm(1, scale=math.e), stats.lognorm(1), VAL), 0.9),
    Pair(
        shifted("Laplace", stats.laplace, 3, VAL),
        SIX,
        0.5,
        VAL,
        "Laplace, shift 3, and six levels, r 0.5",
    ),
)


def superior() -> tuple[Cell, ...]:
    return tuple(superior_cell(pair, *size) for pair, size in product(PAIRS, SIZES))


def superior_cell(pair: Pair, n_pos: int, n_neg: int) -> Cell:
    """Put the better score first, so that its lead is the margin."""
    names, truth = lead(pair)

    def read(data: PairedScores, _: object) -> Iterator[Read]:
        gap = auc_difference(data, *names)
        margin = (truth,) if truth else ()
        yield from rejected(SUPERIOR, DEFAULT, lambda: superiority_test(gap, *margin).pvalue)
        ends = [interval_of(one) for one in (gap.first, gap.second)]
        yield from held(COMBINED, DEFAULT, lambda: gap.of_intervals(*ends), truth)

    return pair_cell(pair, n_pos, n_neg, read)


def lead(pair: Pair) -> tuple[tuple[str, str], float]:
    """Return the names of both scores, the better one first, and how much better it is."""
    names = ("first", "second") if pair.truth > -1e-9 else ("second", "first")
    return names, abs(pair.truth) if abs(pair.truth) > 1e-9 else 0.0


def pair_cell(pair: Pair, n_pos: int, n_neg: int, read: Reader) -> Cell:
    draw = partial(pair.draw, n_pos, n_neg)
    return Cell(pair.name, sizes_of(n_pos, n_neg), draw, read, pair.role)


def formulas() -> tuple[Cell, ...]:
    pairs = [PAIRS[i] for i in (0, 2, 4, 5, 8, 9)]  # the correlation of ranks takes time
    return tuple(formula_cell(pair, *size) for pair, size in product(pairs, FORMULA_SIZES))


def formula_cell(pair: Pair, n_pos: int, n_neg: int) -> Cell:
    names, truth = lead(pair)

    def read(data: PairedScores, _: object) -> Iterator[Read]:
        yield from both(FORMULA, FORMULA_TEST, hanley_mcneil_difference(data, *names), truth)
        told = score_correlation(data)
        for kind, errors in product(("", SIZED), ERRORS):
            pair = [auc_estimate(data.table(name), method=ERRORS[errors]) for name in names]
            sizes: dict[str, Any] = {"n_pos": n_pos, "n_neg": n_neg} if kind else {}
            areas = [(one.value, one.se) for one in pair]
            gap = published_difference(*areas, score_correlation=told, **sizes)
            told_of = kind + errors
            yield from both(PUBLISHED + told_of, PUBLISHED_TEST + told_of, gap, truth)

    cell = pair_cell(pair, n_pos, n_neg, read)
    return replace(cell, draw=partial(printed, cell.draw))


def printed(draw: Draw, rng: np.random.Generator) -> PairedScores:
    """Draw until no score separates the classes: an area of 1 has no standard error to print."""
    while True:
        data: PairedScores = draw(rng)
        if not any(auc(data.table(name)) in (0, 1) for name in data.names):
            return data


def both(name: str, test: str, gap: Difference, truth: float) -> Iterator[Read]:
    """Read the interval of a difference, and its test where there is none."""
    yield from held(name, DEFAULT, partial(interval_of, gap), truth)
    if not truth:
        yield from rejected(test, DEFAULT, lambda: gap.test().pvalue)


def score_correlation(data: PairedScores) -> float:
    """Return the correlation that a paper would print: Pearson's, the mean of both classes."""
    within = [np.corrcoef(data.score[own].T)[0, 1] for own in (data.label, ~data.label)]
    return float(np.mean(np.nan_to_num(within)))


# --- several scores -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Scores:
    """Scores of the same cases, and combinations of their areas that are zero."""

    name: str
    margins: tuple[Margin, ...]
    r: float
    zero: tuple[tuple[float, ...], ...]
    role: Role = DEV

    def draw(self, n_pos: int, n_neg: int, rng: np.random.Generator) -> PairedScores:
        label = np.repeat([True, False], [n_pos, n_neg])
        common, own = rng.normal(size=(label.size, 1)), rng.normal(size=(label.size, self.many))
        u = np.clip(ndtr(self.r**0.5 * common + (1 - self.r) ** 0.5 * own), 1e-15, 1 - 1e-15)
        score = np.empty_like(u)
        for j, margin in enumerate(self.margins):
            score[label, j] = margin.pos_of.ppf(u[label, j])
            score[~label, j] = margin.neg_of.ppf(u[~label, j])
        return PairedScores(label=label, score=score, names=tuple("abcdef"[: self.many]))

    @property
    def many(self) -> int:
        return len(self.margins)


EQUAL = ((1.0, -1.0, 0.0), (0.0, 1.0, -1.0))
YES_NO = levels("", (15, 85), (85, 15), VAL)
LAPLACE = shifted("", stats.laplace, 2)
CURVED, AVERAGE = ((1.0, -2.0, 1.0),), ((0.5, 0.5, -1.0),)
NEIGHBOURS = tuple(tuple(map(float, row)) for row in np.eye(4, 5) - np.eye(4, 5, 1))
NEAR = (normal(0.99), normal(0.9), normal(0.81))
SEVERAL = (
    Scores("Normal, areas 0.9, 0.8 and 0.7", tuple(map(normal, (0.9, 0.8, 0.7))), 0.5, CURVED),
    Scores("three of Weibull 0.7, times 5", (weibull(5),) * 3, 0.8, EQUAL),
    Scores("three of six levels", (SIX,) * 3, 0.5, EQUAL),
    Scores("three Normal, areas 0.97", (normal(0.97),) * 3, 0.6, EQUAL),
    Scores("five Normal, areas 0.8", (normal(0.8),) * 5, 0.7, NEIGHBOURS),
    Scores("two Laplace, shift 2, against one", (LAPLACE,) * 3, 0.4, AVERAGE, VAL),
    Scores("Normal, areas 0.99, 0.9 and 0.81", NEAR, 0.4, CURVED, VAL),
    Scores("three yes/no, .85 and .15", (YES_NO,) * 3, 0.4, EQUAL, VAL),
)


def contrasts() -> tuple[Cell, ...]:
    return tuple(contrast_cell(each, *size) for each, size in product(SEVERAL, SIZES))


def contrast_cell(scores: Scores, n_pos: int, n_neg: int) -> Cell:
    def read(data: PairedScores, _: object) -> Iterator[Read]:
        found = compare_aucs(data)
        yield from rejected(CONTRAST, DEFAULT, lambda: found.contrast(scores.zero).pvalue)

    draw = partial(scores.draw, n_pos, n_neg)
    return Cell(scores.name, sizes_of(n_pos, n_neg), draw, read, scores.role)


# --- one score ----------------------------------------------------------------------------------

PRECISION = "wide: precision_at_interval"
RECALLS = (0.4, 0.7, 0.95)
AT_RECALLS = tuple(f"at {x:g}" for x in RECALLS)
SINGLE = tuple(pair.first for pair in PAIRS if pair.first.name)


def precise() -> tuple[Cell, ...]:
    sizes = ((8, 40), (60, 60))
    return tuple(precise_cell(margin, *size) for margin, size in product(SINGLE, sizes))


def precise_cell(margin: Margin, n_pos: int, n_neg: int) -> Cell:
    share = n_pos / (n_pos + n_neg)
    truths = [share * x / (share * x + (1 - share) * float(margin.fpr_at(x))) for x in RECALLS]

    def read(table: ScoreTable, _: object) -> Iterator[Read]:
        for name, recall, truth in zip(AT_RECALLS, RECALLS, truths, strict=True):
            make = partial(precision_at_interval, table, recall, level=LEVEL)
            yield from held(PRECISION, name, make, truth)

    draw = partial(margin.draw, n_pos, n_neg)
    return Cell(margin.name, sizes_of(n_pos, n_neg), draw, read, margin.role)


# --- models -------------------------------------------------------------------------------------

RANKS, GAIN = "wide: size of rank_correlation, many models", "wide: SelectionExperiment.gain"
Values = Callable[[np.random.Generator, int], Any]


def untied(rng: np.random.Generator, n: int) -> Any:
    return rng.standard_cauchy(n)


def five(rng: np.random.Generator, n: int) -> Any:
    return rng.integers(0, 5, n)


def rare(rng: np.random.Generator, n: int) -> Any:
    return rng.random(n) < 0.1


RANKED: tuple[tuple[str, Values, Values, int, Role], ...] = (
    ("untied", untied, untied, 8, DEV),
    ("untied", untied, untied, 20, DEV),
    ("five levels against untied", five, untied, 9, DEV),
    ("untied", untied, untied, 100, VAL),
    ("yes/no, .1", rare, rare, 20, VAL),
)


def ranked() -> tuple[Cell, ...]:
    return tuple(ranked_cell(*each) for each in RANKED)


def ranked_cell(name: str, first: Values, second: Values, n: int, role: Role) -> Cell:
    def draw(rng: np.random.Generator) -> tuple[Any, Any]:
        return first(rng, n), second(rng, n)

    def read(both_: tuple[Any, Any], rng: np.random.Generator) -> Iterator[Read]:
        yield from rejected(RANKS, DEFAULT, lambda: rank_correlation(*both_, rng=rng).pvalue)

    return Cell(name, f"{n} models", draw, read, role)


class Model:
    """What scikit-learn needs to copy a model: its parameters, of which none is random."""

    def get_params(self, deep: bool = True) -> dict[str, int]:
        return {}

    def set_params(self) -> Model:
        return self


class Feature(Model):
    """A model that takes one feature for its score, and learns nothing."""

    def __init__(self, column: int = 0) -> None:
        self.column = column

    def get_params(self, deep: bool = True) -> dict[str, int]:
        return {"column": self.column}

    def fit(self, x: Any, y: Any) -> Feature:
        self.classes_ = np.unique(y)
        return self

    def decision_function(self, x: Any) -> Any:
        return x[:, self.column]


class Means(Model):
    """A model of the direction between the means of both classes."""

    def fit(self, x: Any, y: Any) -> Means:
        self.classes_ = np.unique(y)
        self.direction = x[y == 1].mean(axis=0) - x[y == 0].mean(axis=0)
        return self

    def decision_function(self, x: Any) -> Any:
        return x @ self.direction


def left(table: ScoreTable) -> float:
    return float(partial_auc(table, fpr=(0, 0.3)))


def upper(table: ScoreTable) -> float:
    return float(partial_auc(table, tpr=(0.7, 1)))


@dataclass(frozen=True)
class Contest:
    """Models, and two measures whose choices rank equally well: by symmetry the gain is 0.

    Features of one distribution each are as good as another. Of Normal scores, as many of each
    class, the part of the area at the left is what the part at the top is after the classes and
    the sign are exchanged.
    """

    name: str
    margin: Margin
    models: Any
    measures: Mapping[str, Callable[[ScoreTable], float]]
    features: int
    role: Role = DEV

    def draw(self, n_pos: int, n_neg: int, rng: np.random.Generator) -> Any:
        x = [
            draw(rng, (n, self.features))
            for draw, n in ((self.margin.pos, n_pos), (self.margin.neg, n_neg))
        ]
        return np.concatenate(x), np.repeat([1, 0], [n_pos, n_neg])


BY_AREA = {"ks": ks, "auc": auc}
BY_PART = {"left": left, "upper": upper}
COLUMNS = [Feature(i) for i in range(4)]
CONTESTS = (
    (Contest("four features, Normal", normal(0.8), COLUMNS, BY_AREA, 4), (50, 50)),
    (Contest("four features, Weibull", weibull(4), COLUMNS, BY_AREA, 4), (15, 150)),
    (Contest("four features, six levels", SIX, COLUMNS, BY_AREA, 4), (20, 20)),
    (Contest("trained, Normal", normal(0.6), Bootstrapped(Means(), 4), BY_PART, 5), (60, 60)),
    (Contest("four features, t3", T3, COLUMNS, BY_AREA, 4, VAL), (100, 12)),
)


def contests() -> tuple[Cell, ...]:
    return tuple(contest_cell(*each) for each in CONTESTS)


def contest_cell(contest: Contest, size: tuple[int, int]) -> Cell:
    first, second = contest.measures

    def read(data: Any, rng: np.random.Generator) -> Iterator[Read]:
        features, label = data
        found = selection_experiment(
            features,
            label,
            contest.models,
            measures=contest.measures,
            n_splits=5,
            rng=rng,
            progress=False,
        )
        yield from held(GAIN, DEFAULT, lambda: found.gain(first, second).interval(LEVEL), 0.0)

    draw = partial(contest.draw, *size)
    return Cell(contest.name, sizes_of(*size), draw, read, contest.role)


# --- early recognition ---------------------------------------------------------------------------

BEDROC = "wide: bedroc_estimate"
TOP = stats.norm(4, 0.7)
EARLY = Margin("0.4 of the positives at the top", Mixed(((0.4, TOP), (0.6, Normal()))), Normal())
FEW_LEVELS = levels("three levels, few at the top", (50, 30, 20), (92, 7, 1), VAL)
RANKINGS = (
    *(normal(area) for area in (0.5, 0.75, 0.9, 0.97)),
    EARLY,
    weibull(5, VAL),
    SIX,
    FEW_LEVELS,
)
RANKING_SIZES = ((5, 100), (10, 200), (20, 500), (50, 50), (200, 2000))


def rankings() -> tuple[Cell, ...]:
    return tuple(ranking_cell(one, *size) for one, size in product(RANKINGS, RANKING_SIZES))


def ranking_cell(margin: Margin, n_pos: int, n_neg: int) -> Cell:
    truth = cache(partial(true_bedroc, margin, n_pos / (n_pos + n_neg)))

    def read(table: ScoreTable, _: object) -> Iterator[Read]:
        yield from held(BEDROC, DEFAULT, lambda: interval_of(bedroc_estimate(table)), truth())

    draw = partial(margin.draw, n_pos, n_neg)
    return Cell(margin.name, sizes_of(n_pos, n_neg), draw, read, margin.role)


def true_bedroc(margin: Margin, prevalence: float) -> float:
    """Return BEDROC of a population with this share of positives, from its quantiles."""
    u = (np.arange(100_000) + 0.5) / 100_000
    score = np.concatenate([margin.pos_of.ppf(u), margin.neg_of.ppf(u)])
    weight = np.repeat([prevalence, 1 - prevalence], u.size)
    return bedroc(rs.tabulate(np.repeat([1, 0], u.size), score, sample_weight=weight))


# --- the parts ----------------------------------------------------------------------------------

PARTS = (
    part("superiority", superior, (section(SUPERIOR, "size"), section(COMBINED))),
    part(
        "formulas of Hanley and McNeil",
        formulas,
        (
            section(FORMULA),
            section(FORMULA_TEST, "size"),
            *(section(PUBLISHED + kind) for kind in PRINTED),
            *(section(PUBLISHED_TEST + kind, "size") for kind in PRINTED),
        ),
    ),
    part("contrasts", contrasts, (section(CONTRAST, "size"),)),
    part("precision at a recall", precise, (several(PRECISION, AT_RECALLS),)),
    part("early recognition", rankings, (section(BEDROC),)),
    part("ranks of models", ranked, (section(RANKS, "size"),)),
    replace(part("gains", contests, (section(GAIN),)), needs="sklearn"),
)
