"""Do intervals of cross-validated areas and of average curves hold their level?

Cases of both classes are Normal in `DIMENSIONS` dimensions; a model is the difference of the
class means of its training cases. So the true area and curve of each fitted model are known, and
the mean over many training sets is what such models get on average.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from scipy.special import ndtr, ndtri

import rocspace as rs
from benchmarks.coverage.cells import Cell, Read, held, interval_of, sizes_of
from benchmarks.coverage.ledger import LEVEL, SEED, Role, Row
from benchmarks.coverage.populations import Single, zero_inflated
from rocspace.averaging import (
    AverageCurve,
    corrected_estimate,
    cv_auc_estimate,
    fold_tables,
    repeated_auc_estimate,
    vertical_average,
)
from rocspace.counts import ScoreTable
from rocspace.results import Interval
from rocspace.simulate import Population, binormal, exponential, ratings

DIMENSIONS = 5
TRAINED = 50_000  # training sets: a mean area is known to .0005 at worst
RATES = (0.05, 0.1, 0.3)  # where vertical averages are looked at
CUTS = (-1.5, -0.5, 0.5, 1.5)  # between the five ratings

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Fitted:
    """One sample that was cross-validated: a table, and the truth, for each fold."""

    tables: list[ScoreTable]
    areas: list[float]
    curves: Floats  # (folds, rates)


@dataclass(frozen=True)
class Situation:
    """What is sampled: the area of the best model, the sizes, the folds."""

    area: float
    n_pos: int
    n_neg: int
    folds: int
    repeats: int = 1
    kind: Literal["Normal", "five ratings", "exponential"] = "Normal"

    @property
    def name(self) -> str:
        kind = self.kind if self.n_pos // self.folds > 1 else f"tiny: {self.kind}"
        many = f"{self.repeats} x " if self.repeats > 1 else ""
        return f"{kind}, area {self.area:g}, {many}{self.folds} folds"

    @property
    def size(self) -> str:
        return f"{self.n_pos} + {self.n_neg}"

    @property
    def shift(self) -> float:
        return float(stats.norm.ppf(self.area)) * 2**0.5

    def features(self, label: NDArray[np.bool_], rng: np.random.Generator) -> Floats:
        """Draw cases: the first feature tells the classes apart, the others nothing."""
        if self.kind == "exponential":
            x = rng.exponential(size=(label.size, DIMENSIONS))
            x[label, 0] *= self._odds
        else:
            x = rng.normal(size=(label.size, DIMENSIONS))
            x[label, 0] += self.shift
        return x

    def draw(self, rng: np.random.Generator) -> Fitted:
        """Draw a sample and cross-validate it, as often as there are repeats."""
        label = np.repeat([True, False], [self.n_pos, self.n_neg])
        x = self.features(label, rng)
        tables: list[ScoreTable] = []
        areas, curves = [], []
        for _ in range(self.repeats):
            fold = self._folds(rng)
            score = np.empty(label.size)
            for k in range(self.folds):
                test = fold == k
                score[test], area, curve = self._fit(x, label, test)
                areas.append(area)
                curves.append(curve)
            tables += fold_tables(label, score, fold).values()
        return Fitted(tables, areas, np.array(curves))

    def _folds(self, rng: np.random.Generator) -> NDArray[np.int64]:
        """Stratified: the folds share the cases of each class out evenly."""
        parts = [rng.permutation(n) % self.folds for n in (self.n_pos, self.n_neg)]
        return np.concatenate(parts)

    def _fit(
        self, x: Floats, label: NDArray[np.bool_], test: NDArray[np.bool_]
    ) -> tuple[Floats, float, Floats]:
        weight, middle = model_of(*(x[c & ~test].mean(axis=0) for c in (label, ~label)))
        score, area = x[test] @ weight - middle, float(self.areas(weight, middle))
        if self.kind == "exponential":
            return score, area, self._tried(weight)
        pos, neg = self._means(weight, middle)
        if self.kind == "Normal":
            return score, area, ndtr(pos - neg - ndtri(1 - np.array(RATES)))
        curve = np.interp(RATES, _above(neg), _above(pos))
        return np.searchsorted(CUTS, score).astype(float), area, curve

    def areas(self, weight: Floats, middle: Floats) -> Floats:
        """Return the true areas of linear models, whose weights are along the last axis."""
        if self.kind == "exponential":
            pos, neg = weight[..., :1] * self._odds, -weight[..., :1]
            first = np.where(pos > 0, [1.0], [0.0])
            same = np.abs(weight[..., 1:])
            up = np.concatenate([np.where(first, pos, neg), same], axis=-1)
            down = np.concatenate([np.where(first, -neg, -pos), same], axis=-1)
            return _larger(up, down)
        pos, neg = self._means(weight, middle)
        if self.kind == "Normal":
            return np.asarray(ndtr((pos - neg) / 2**0.5))
        return np.asarray(np.trapezoid(_above(pos), _above(neg)))

    def _means(self, weight: Floats, middle: Floats) -> tuple[Floats, Floats]:
        """Return around which means a model's scores are Normal, with variance 1."""
        return weight[..., 0] * self.shift - middle, -middle

    @property
    def _odds(self) -> float:
        return self.area / (1 - self.area)

    def _tried(self, weight: Floats) -> Floats:
        """Curve of a model by a large sample, where there is no formula."""
        label, x = _large_sample(self)
        return np.asarray(rs.roc_curve(rs.tabulate(label, x @ weight)).tpr_at(RATES))

    def learned_area(self) -> float:
        """Return the mean area of models over many training sets, of which the means are drawn."""
        rng = np.random.default_rng([SEED, 7, 8])
        pos, neg = (self._trained(n - n // self.folds, rng) for n in (self.n_pos, self.n_neg))
        if self.kind == "exponential":
            pos[:, 0] *= self._odds
        else:
            pos[:, 0] += self.shift
        return float(self.areas(*model_of(pos, neg)).mean())

    def _trained(self, n: int, rng: np.random.Generator) -> Floats:
        """Draw means of so many negatives, or of as many positives before they are shifted."""
        shape = TRAINED, DIMENSIONS
        if self.kind == "exponential":
            return rng.gamma(n, 1 / n, size=shape)
        return rng.normal(0, n**-0.5, size=shape)


def model_of(pos: Floats, neg: Floats) -> tuple[Floats, Floats]:
    """Return the weights of a model, of length 1, and its score in the middle of both means."""
    weight = pos - neg
    weight = weight / np.linalg.norm(weight, axis=-1, keepdims=True)
    return weight, np.asarray((weight * (pos + neg)).sum(axis=-1) / 2)


def _above(mean: Floats) -> Floats:
    """Return which shares of Normal scores of variance 1 are above each cut, from 0 to 1."""
    return np.asarray(ndtr(mean[..., None] - np.array([np.inf, *CUTS[::-1], -np.inf])))


def _larger(a: Floats, b: Floats) -> Floats:
    """Return how often one sum of exponential variables, of these means, exceeds another.

    The density of such a sum is a mixture of exponential ones, some weights being negative.
    """
    a_over, b_over = a[..., :, None], b[..., None, :]
    return np.asarray(
        np.einsum("...j,...k,...jk", _shares(a), _shares(b), a_over / (a_over + b_over))
    )


def _shares(mean: Floats) -> Floats:
    own = np.eye(mean.shape[-1], dtype=bool)
    gaps = np.where(own, mean[..., :, None], mean[..., :, None] - mean[..., None, :])
    return np.asarray((mean[..., :, None] / gaps).prod(axis=-1))


@cache
def _large_sample(situation: Situation) -> tuple[NDArray[np.bool_], Floats]:
    """20 000 cases of each class: an area is known to .002, a tpr to .003."""
    label = np.repeat([True, False], 20_000)
    return label, situation.features(label, np.random.default_rng([SEED, 7, 9]))


def spread(values: Floats) -> Interval:
    """The interval that takes folds for independent, as it is often printed."""
    mean, se = values.mean(), values.std(ddof=1) / values.size**0.5
    half = float(stats.t.ppf((1 + LEVEL) / 2, values.size - 1)) * se
    return Interval(low=float(mean - half), high=float(mean + half))


class Tally:
    """Counts how often each interval holds the truth."""

    def __init__(self) -> None:
        self.found: dict[str, list[tuple[bool, float]]] = {}

    def add(self, name: str, low: float, high: float, truth: float) -> None:
        inside = low - 1e-12 <= truth <= high + 1e-12
        self.found.setdefault(name, []).append((inside, high - low))

    def rows(self, section: str, situation: str, size: str) -> Iterator[Row]:
        for name, pairs in self.found.items():
            inside, width = np.array(pairs, dtype=float).T
            spread = float(width.std())
            coverage, mean = float(inside.mean()), float(width.mean())
            yield Row(section, situation, size, name, coverage, mean, spread, len(pairs))


# --- the mean area of the fitted models -------------------------------------------------------

VALIDATED, USUAL = "cross-validated area", "default"
FITTED = (
    Situation(0.75, 20, 20, 5),
    Situation(0.75, 50, 50, 10),
    Situation(0.75, 200, 200, 10),
    Situation(0.9, 20, 200, 5),
    Situation(0.9, 20, 200, 10),
    Situation(0.9, 50, 50, 5),
    Situation(0.9, 50, 50, 10),
    Situation(0.99, 20, 200, 5),
    Situation(0.99, 50, 50, 5),
    Situation(0.99, 200, 200, 10),
    Situation(0.9, 50, 50, 5, kind="five ratings"),
    Situation(0.9, 200, 200, 10, kind="five ratings"),
    Situation(0.9, 50, 50, 5, kind="exponential"),
    Situation(0.9, 20, 200, 5, kind="exponential"),
    Situation(0.75, 5, 50, 5),
    Situation(0.9, 5, 50, 5),
    Situation(0.9, 20, 20_000, 5),
)


def fitted_cells() -> Iterator[Cell]:
    return (Cell(each.name, each.size, each.draw, fitted) for each in FITTED)


def fitted(sample: Fitted, _: object) -> Iterator[Read]:
    truth = float(np.mean(sample.areas))
    usual = partial(interval_of, cv_auc_estimate(sample.tables))
    yield from held(VALIDATED, USUAL, usual, truth)
    for method, scale in (
        ("dependent", "moderated"),
        ("pooled", "moderated"),
        ("pooled", "logit"),
        ("ledell", "logit"),
        ("ledell", "identity"),
    ):
        estimate = cv_auc_estimate(sample.tables, method=method)  # type: ignore[arg-type]
        make = partial(estimate.interval, LEVEL, scale=scale)  # type: ignore[arg-type]
        yield from held(VALIDATED, f"{method} {scale}", make, truth)
    areas = np.array([rs.auc(table) for table in sample.tables])
    yield from held(VALIDATED, "t of the folds", partial(spread, areas), truth)


# --- few values -------------------------------------------------------------------------------

FEW = "wide: cv_auc_estimate, few values"
FEW_KINDS: tuple[tuple[str, Population | Single, Role], ...] = (
    ("yes/no, tpr .7, fpr .1", ratings((3, 7), (9, 1)), "development"),
    ("yes/no, tpr .8, fpr .3", ratings((2, 8), (7, 3)), "validation"),
    ("yes/no, tpr .6, fpr .5", ratings((4, 6), (5, 5)), "development"),
    ("yes/no, tpr .95, fpr .05", ratings((5, 95), (95, 5)), "validation"),
    ("three levels, area .84", ratings((20, 20, 60), (70, 20, 10)), "validation"),
    ("three levels, area .97", ratings((1, 9, 90), (90, 8, 2)), "development"),
    ("0.6 zeros, skewed", zero_inflated(0.6), "validation"),
    ("exponential, area .9", exponential(0.9), "development"),
    ("exponential, area .75", exponential(0.75), "validation"),
    ("Normal, area .8", binormal(0.8), "development"),
)
DIVIDED = (
    *((6, 60, 3), (10, 100, 3), (10, 100, 5), (60, 6, 3)),
    *((20, 20, 5), (20, 20, 10), (20, 200, 5)),
)


def few_cells() -> Iterator[Cell]:
    for kind in FEW_KINDS:
        for sizes in DIVIDED:
            yield few_cell(kind, *sizes)
        yield few_cell(kind, 10, 100, 5, repeats=5)


def few_cell(
    kind: tuple[str, Population | Single, Role],
    n_pos: int,
    n_neg: int,
    folds: int,
    repeats: int = 1,
) -> Cell:
    """Return scores by one model, which is that of all folds: yes/no tests, levels, zeros."""
    name, population, role = kind
    label = np.repeat([True, False], [n_pos, n_neg])

    def draw(rng: np.random.Generator) -> list[ScoreTable]:
        pos, neg = population.pos(rng, (1, n_pos)), population.neg(rng, (1, n_neg))
        score, tables = np.concatenate([pos[0], neg[0]]), list[ScoreTable]()
        for _ in range(repeats):
            fold = np.concatenate([rng.permutation(n) % folds for n in (n_pos, n_neg)])
            tables += fold_tables(label, score, fold).values()
        return tables

    def read(tables: list[ScoreTable], _: object) -> Iterator[Read]:
        estimate = cv_auc_estimate(tables, n_partitions=repeats)
        yield from held(FEW, USUAL, partial(interval_of, estimate), population.auc)
        make = partial(estimate.interval, LEVEL, scale="moderated")
        yield from held(FEW, "moderated", make, population.auc, beside=True)

    many = f"{repeats} x " if repeats > 1 else ""
    return Cell(f"{name}, {many}{folds} folds", sizes_of(n_pos, n_neg), draw, read, role)


# --- what such models get on average ----------------------------------------------------------

WAY, REPEATED = "area of a way of learning", "repeated moderated"
LEARNED = (
    Situation(0.75, 50, 50, 5),
    Situation(0.75, 50, 50, 5, repeats=10),
    Situation(0.9, 20, 200, 5, repeats=10),
    Situation(0.9, 50, 50, 5),
    Situation(0.9, 50, 50, 5, repeats=10),
    Situation(0.9, 200, 200, 10, repeats=10),
    Situation(0.99, 50, 50, 5, repeats=10),
    Situation(0.9, 50, 50, 5, kind="five ratings"),
    Situation(0.9, 20, 200, 5, kind="exponential"),
    Situation(0.75, 5, 50, 5),
    Situation(0.75, 5, 50, 5, repeats=10),
    Situation(0.9, 5, 50, 5, repeats=10),
    Situation(0.75, 10, 100, 5, repeats=10),
    Situation(0.9, 20, 20_000, 5),
)


def learned_cells() -> Iterator[Cell]:
    for each in LEARNED:
        read = partial(learned, each, cache(each.learned_area))
        yield Cell(each.name, each.size, each.draw, read)


def learned(
    situation: Situation, truth: Callable[[], float], sample: Fitted, _: object
) -> Iterator[Read]:
    n_train = (situation.n_pos + situation.n_neg) * (1 - 1 / situation.folds)
    repeated = repeated_auc_estimate(sample.tables, n_train=n_train)
    yield from held(WAY, REPEATED, partial(interval_of, repeated), truth())
    areas = np.array([rs.auc(table) for table in sample.tables])
    n_test = n_train / (situation.folds - 1)
    published = corrected_estimate(areas, n_train=n_train, n_test=n_test)
    for scale in ("t", "moderated"):
        make = partial(published.interval, LEVEL, scale=scale)
        yield from held(WAY, f"corrected {scale}", make, truth())
    yield from held(WAY, "t of the folds", partial(spread, areas), truth())


# --- average curves ---------------------------------------------------------------------------


CURVES = (
    Situation(0.75, 200, 200, 10),
    Situation(0.9, 200, 200, 10),
    Situation(0.9, 1000, 1000, 10),
    Situation(0.9, 200, 200, 10, kind="five ratings"),
    Situation(0.9, 200, 200, 10, kind="exponential"),
    Situation(0.99, 200, 200, 10),
    Situation(0.9, 5, 50, 5),
    Situation(0.9, 20, 20_000, 10),
)
POINTWISE = ("bracket", "t", "normal", "wilson", "clopper-pearson")


def scored(situation: Situation, rng: np.random.Generator) -> ScoreTable:
    """Draw as many cases as a fold has, and score them by the best model."""
    n_pos, n_neg = situation.n_pos // situation.folds, situation.n_neg // situation.folds
    label = np.repeat([True, False], [n_pos, n_neg])
    score = situation.features(label, rng)[:, 0]
    if situation.kind == "five ratings":
        score = np.searchsorted(CUTS, score - situation.shift / 2).astype(float)
    return rs.tabulate(label, score)


def independent(situation: Situation, rng: np.random.Generator) -> Fitted:
    """Draw as many such samples as there are folds: curves that are independent."""
    tables = [scored(situation, rng) for _ in range(situation.folds)]
    curve = stats.norm.sf(stats.norm.isf(RATES) - situation.shift)
    if situation.kind == "five ratings":
        tpr, fpr = (
            stats.norm.sf([np.inf, *CUTS[::-1], -np.inf], m * situation.shift / 2) for m in (1, -1)
        )
        curve = np.interp(RATES, fpr, tpr)
    elif situation.kind == "exponential":
        curve = np.power(RATES, (1 - situation.area) / situation.area)
    return Fitted(tables, [], np.tile(curve, (situation.folds, 1)))


def curve_rows(samples: int, rng: np.random.Generator) -> Iterator[Row]:
    """Whether intervals hold the true curve; and with "of such" the mean of all such curves."""
    for situation in CURVES:
        for kind in ("folds", "independent samples"):
            draw = situation.draw if kind == "folds" else partial(independent, situation)
            drawn = [draw(rng) for _ in range(samples)]
            curves = [vertical_average(sample.tables, grid=RATES) for sample in drawn]
            usual = np.mean([curve.tpr for curve in curves], axis=0)
            tallies = [Tally() for _ in RATES]
            for sample, curve in zip(drawn, curves, strict=True):
                tally_curve(tallies, curve, sample.curves.mean(axis=0), "")
                tally_curve(tallies, curve, usual, " of such")
                if kind == "independent samples":  # others of the same kind foretell a curve
                    after = rs.roc_curve(scored(situation, rng)).tpr_at(RATES)
                    tally_curve(tallies, curve, after, "", ("prediction",))
            for rate, tally in zip(RATES, tallies, strict=True):
                name = f"{situation.name.replace('folds', kind)}, fpr {rate:g}"
                yield from tally.rows("vertical average", name, situation.size)


def tally_curve(
    tallies: list[Tally],
    curve: AverageCurve,
    truth: Floats,
    what: str,
    methods: tuple[str, ...] = POINTWISE,
) -> None:
    for method in methods:
        limits = curve.interval(LEVEL, method=method)  # type: ignore[arg-type]
        for i, tally in enumerate(tallies):
            tally.add(method + what, limits.tpr_low[i], limits.tpr_high[i], truth[i])
