"""How often tests reject that exchange labels: exactly, summed over all labels and permutations.

Given who is called, every choice of the positives is as likely where the null hypothesis is true. A
permutation test with n_perm permutations rejects an outcome with the binomial probability that few
of them reach its statistic, which the test itself returns. All numbers are exact for the cases that
a situation names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from inspect import signature
from itertools import combinations, permutations, product
from math import comb, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from benchmarks.coverage.cells import sizes_of
from benchmarks.coverage.ledger import CALLED, SEED, Part, Role, Row, Section
from benchmarks.coverage.margins import DEV, VAL
from rocspace.counts import ConfusionMatrix, ScoreTable
from rocspace.inference import (
    best_of_test,
    best_permutation_test,
    point_test,
    significance_contour,
    two_cut_test,
    unlearnability_test,
)
from rocspace.select import adequacy_test, rank_correlation

POINT, CONTOUR = "wide: size of point_test", "wide: size of significance_contour"
BEST, PERMUTED = "wide: size of best_of_test", "wide: size of best_permutation_test"
TWO_CUTS, LEARNT = "wide: size of two_cut_test", "wide: size of unlearnability_test"
ADEQUATE, RANKS = "wide: size of adequacy_test", "wide: size of rank_correlation"
NAMES = (POINT, CONTOUR, BEST, PERMUTED, TWO_CUTS, LEARNT, ADEQUATE, RANKS)
DEFAULT = "default"
_SAME = 1e-12  # statistics that differ by less are equal but for rounding

Floats = NDArray[np.float64]


def row(section: str, situation: str, size: str, rejected: float, role: Role) -> Row:
    return Row(section, situation, size, DEFAULT, rejected, 0.0, role=role)


def by_permutation(test: Callable[..., Any], statistic: Floats, chance: Floats) -> float:
    """Return how often a test rejects, whose p value is (1 + as good) / (1 + n_perm)."""
    n_perm = signature(test).parameters["n_perm"].default
    most = int(np.floor(CALLED * (n_perm + 1) * (1 + 1e-12))) - 1
    tail = np.array([chance[statistic >= each - _SAME].sum() for each in statistic])
    return float(chance @ stats.binom.cdf(most, n_perm, np.minimum(tail, 1.0)))


# --- one classifier -----------------------------------------------------------------------------

POINT_SIZES = ((5, 5), (10, 40), (40, 10), (6, 150), (25, 25))
RATES: tuple[tuple[float, Role], ...] = (
    (0.03, DEV),
    (0.1, DEV),
    (0.3, DEV),
    (0.5, DEV),
    (0.2, VAL),
    (0.85, VAL),
)


def point_rows() -> Iterator[Row]:
    """Both classes are called at one rate; the border is that of the default level."""
    for n_pos, n_neg in POINT_SIZES:
        border = significance_contour(n_pos, n_neg)
        outcomes = list(product(range(n_pos + 1), range(n_neg + 1)))
        beyond = np.array([tp >= border.tp[fp] for tp, fp in outcomes])
        pvalues = np.array(
            [
                point_test(ConfusionMatrix(tp=tp, fp=fp, fn=n_pos - tp, tn=n_neg - fp)).pvalue
                for tp, fp in outcomes
            ]
        )
        for rate, role in RATES:
            each = (stats.binom.pmf(np.arange(n + 1), n, rate) for n in (n_pos, n_neg))
            chance = np.outer(*each).ravel()
            at = f"both rates {rate:g}", sizes_of(n_pos, n_neg)
            yield row(POINT, *at, float(chance @ (pvalues <= CALLED)), role)
            yield row(CONTOUR, *at, float(chance @ beyond), role)


# --- several classifiers, and scores of few levels ----------------------------------------------


@dataclass(frozen=True)
class Groups:
    """Cases in groups within which they are alike, some of them positive."""

    name: str
    totals: tuple[int, ...]
    n_pos: int
    role: Role = DEV

    @property
    def size(self) -> str:
        return sizes_of(self.n_pos, sum(self.totals) - self.n_pos)

    def outcomes(self) -> tuple[list[tuple[int, ...]], Floats]:
        """Return how many of each group may be positive, and with which chance."""
        ranges = (range(min(n, self.n_pos) + 1) for n in self.totals)
        found = [each for each in product(*ranges) if sum(each) == self.n_pos]
        ways = [prod(map(comb, self.totals, each)) for each in found]
        return found, np.array(ways) / comb(sum(self.totals), self.n_pos)


STEPS = ((1, 1, 1, 1), (0, 1, 1, 1), (0, 0, 1, 1), (0, 0, 0, 1), (0, 0, 0, 0))
OPPOSITE = ((1, 0), (0, 1))
APART = ((1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, 0))
CROSSED = tuple(product((0, 1), repeat=3))
TRIED: tuple[tuple[Groups, tuple[tuple[int, ...], ...]], ...] = (
    (Groups("four thresholds of one score", (3, 4, 5, 6, 7), 10), STEPS),
    (Groups("a classifier and its opposite", (12, 20), 9), OPPOSITE),
    (Groups("three that never agree", (6, 6, 6, 12), 8), APART),
    (Groups("three that are independent", (2,) * 8, 6, VAL), CROSSED),
    (Groups("a classifier and its opposite, 2 against 60", (2, 60), 20, VAL), OPPOSITE),
)


def tried_rows() -> Iterator[Row]:
    for groups, calls in TRIED:
        outcomes, chance = groups.outcomes()
        at = groups.name, groups.size
        pvalues = np.array([best_of_pvalue(groups, calls, each) for each in outcomes])
        yield row(BEST, *at, float(chance @ (pvalues <= CALLED)), groups.role)
        best = np.array([best_value(groups, calls, each) for each in outcomes])
        rejected = by_permutation(best_permutation_test, best, chance)
        yield row(PERMUTED, *at, rejected, groups.role)


def best_of_pvalue(
    groups: Groups, calls: Sequence[Sequence[int]], positive: Sequence[int]
) -> float:
    called, pos = np.array(calls), np.array(positive)
    neg = np.array(groups.totals) - pos
    tp, fp = pos @ called, neg @ called
    every = ConfusionMatrix(tp=tp, fp=fp, fn=pos.sum() - tp, tn=neg.sum() - fp)
    return float(best_of_test(every).pvalue)


def best_value(groups: Groups, calls: Sequence[Sequence[int]], positive: Sequence[int]) -> float:
    label = [
        i < some for some, total in zip(positive, groups.totals, strict=True) for i in range(total)
    ]
    decisions = np.repeat(np.array(calls), groups.totals, axis=0)
    found = best_permutation_test((label, decisions), n_perm=1, rng=1, progress=False)
    return float(found.statistic)


LEVELS = (
    Groups("nine untied cases", (1,) * 9, 4),
    Groups("five levels, 6, 5, 4, 3 and 2 cases", (6, 5, 4, 3, 2), 7),
    Groups("four levels, 40, 10, 5 and 3 cases", (40, 10, 5, 3), 6),
    Groups("yes/no, 25 and 5 cases", (25, 5), 5),
    Groups("three levels of 30 cases", (30, 30, 30), 12, VAL),
    Groups("four levels, 2, 3, 3 and 25 cases", (2, 3, 3, 25), 25, VAL),
)


def two_cut_rows() -> Iterator[Row]:
    for groups in LEVELS:
        outcomes, chance = groups.outcomes()
        area = np.array([two_cut_area(groups.totals, each) for each in outcomes])
        rejected = by_permutation(two_cut_test, area, chance)
        yield row(TWO_CUTS, groups.name, groups.size, rejected, groups.role)


def two_cut_area(totals: Sequence[int], positive: Sequence[int]) -> float:
    pos = np.array(positive)
    table = ScoreTable.from_counts(np.arange(pos.size)[::-1], pos, np.array(totals) - pos)
    return float(two_cut_test(table, n_perm=1, rng=1, progress=False).statistic)


# --- what is learnt -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Learning:
    """Features that were drawn once, of cases of which some are positive."""

    name: str
    draw: Callable[[np.random.Generator, tuple[int, int]], Floats]
    shape: tuple[int, int]
    n_pos: int
    role: Role = DEV

    @property
    def features(self) -> Floats:
        return np.asarray(self.draw(np.random.default_rng([SEED, *self.shape]), self.shape))

    def labels(self) -> Iterator[NDArray[np.bool_]]:
        for chosen in combinations(range(self.shape[0]), self.n_pos):
            label = np.zeros(self.shape[0], dtype=bool)
            label[list(chosen)] = True
            yield label


def gaussian(rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
    return rng.normal(size=shape)


def heavy(rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
    return rng.standard_t(1.5, size=shape)


def binary(rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
    return (rng.random(shape) < 0.3).astype(float)


LEARNT_FROM = (
    Learning("two Normal features", gaussian, (12, 2), 5),
    Learning("five Normal features", gaussian, (12, 5), 4),
    Learning("three yes/no features", binary, (12, 3), 5),
    Learning("two features of heavy tails", heavy, (13, 2), 3, VAL),
)


def means(x: Floats, y: NDArray[np.bool_]) -> Callable[[Floats], Floats]:
    """Fit the direction between the means of both classes."""
    direction = x[y].mean(axis=0) - x[~y].mean(axis=0)
    return lambda new: np.asarray(new @ direction)


def learnt_rows() -> Iterator[Row]:
    for learning in LEARNT_FROM:
        x, labels = learning.features, list(learning.labels())
        n, _ = learning.shape
        at = learning.name, sizes_of(learning.n_pos, n - learning.n_pos)
        chance = np.full(len(labels), 1 / len(labels))
        fitted = [adequacy_test(means, x, y, n_perm=1, rng=1, progress=False) for y in labels]
        area = np.array([each.statistic for each in fitted])
        yield row(ADEQUATE, *at, by_permutation(adequacy_test, area, chance), learning.role)

        def right(y: Any, x: Floats = x) -> float:
            """Return how many cases are called right by a fit to the others."""
            return sum(left_out(x, np.asarray(y, dtype=bool), i) for i in range(len(y)))

        runs = [unlearnability_test(right, y, n_perm=1, rng=1, progress=False) for y in labels]
        many = np.array([each.statistic for each in runs])
        yield row(LEARNT, *at, by_permutation(unlearnability_test, many, chance), learning.role)


def left_out(x: Floats, y: NDArray[np.bool_], i: int) -> bool:
    others = np.arange(y.size) != i
    pos, neg = (x[others & own].mean(axis=0) for own in (y, ~y))
    nearer = ((x[i] - pos) ** 2).sum() < ((x[i] - neg) ** 2).sum()
    return bool(nearer == y[i])


# --- ranks of models ----------------------------------------------------------------------------

RANKED: tuple[tuple[str, tuple[int, ...], tuple[int, ...], Role], ...] = (
    ("untied", (1, 2, 3), (1, 2, 3), DEV),
    ("untied", (1, 2, 3, 4), (1, 2, 3, 4), DEV),
    ("untied", (1, 2, 3, 4, 5), (1, 2, 3, 4, 5), DEV),
    ("untied", (1, 2, 3, 4, 5, 6), (1, 2, 3, 4, 5, 6), DEV),
    ("two of one tied", (1, 2, 3, 4, 5, 6), (1, 1, 2, 3, 4, 5), DEV),
    ("one is best", (0, 0, 0, 0, 0, 0, 1), (0, 0, 0, 0, 0, 0, 1), DEV),
    ("untied", (1, 2, 3, 4, 5, 6, 7), (1, 2, 3, 4, 5, 6, 7), VAL),
    ("three levels against untied", (0, 0, 1, 1, 2, 2), (1, 2, 3, 4, 5, 6), VAL),
)


def ranked_rows() -> Iterator[Row]:
    """All orders of few models are as likely; the p value depends on the products of the ranks."""
    for name, first, second, role in RANKED:
        known: dict[float, float] = {}
        found = []
        for other in permutations(second):
            product_ = float(stats.rankdata(first) @ stats.rankdata(other))
            if product_ not in known:
                known[product_] = rank_correlation(first, other).pvalue
            found.append(known[product_])
        rejected = float(np.mean(np.array(found) <= CALLED))
        yield row(RANKS, name, f"{len(first)} models", rejected, role)


def rows(_: int) -> Iterator[Row]:
    for make in (point_rows, tried_rows, two_cut_rows, learnt_rows, ranked_rows):
        yield from make()


def section(name: str) -> Section:
    return Section(
        name,
        name[0].upper() + name[1:],
        "Summed over all labels that are as likely, and over all permutations that may be drawn.",
        kind="size",
        defaults=(DEFAULT,),
        wide=True,
    )


PARTS = (Part("exchanged", rows, tuple(map(section, NAMES)), samples=0, quick=0),)
