"""Intervals, bands and tests that belong to no other part: each where its truth is known.

Bands of average and of precision-recall curves, nested cross-validation, classifiers of several
classes, drawn volumes, summary curves, groups of calibration, and regions of equivalence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from benchmarks.coverage import classes
from benchmarks.coverage.calibration import POPULATIONS, Calibrated
from benchmarks.coverage.cells import Cell, Read, held, interval_of, part, rejected, sizes_of
from benchmarks.coverage.folds import Situation
from benchmarks.coverage.ledger import LEVEL, SAMPLES_OF_BANDS, Role, Section
from benchmarks.coverage.margins import BY_NAME, PAIRS, Margin
from benchmarks.coverage.wide import DEFAULT, section
from rocspace.averaging import nested_cv_auc_estimate, threshold_average, vertical_average
from rocspace.bands import average_band, optimise_band, pr_band, roc_band
from rocspace.calibrate import calibration_curve
from rocspace.counts import ScoreTable, tabulate
from rocspace.designs import posterior_difference
from rocspace.models import BivariateRoc, SummaryRoc, fit_summary_roc, pooled_odds_ratio
from rocspace.multiclass import (
    ClassRates,
    compare_classifiers,
    counted_rates,
    dominated_volume,
    dominated_volume_estimate,
    multiclass_scores,
    pareto_volume_estimate,
    polytope_volume,
    polytope_volume_estimate,
)

Floats = NDArray[np.float64]


def several(name: str, places: tuple[str, ...], *, discrete: bool = False) -> Section:
    title = name[0].upper() + name[1:]
    return Section(name, title, defaults=places, wide=True, targets=True, discrete=discrete)


# --- bands of averages ----------------------------------------------------------------------------

AVERAGE = "wide: average_band"
AVERAGE_AT = (0.05, 0.2, 0.55)
AVERAGE_PLACES = tuple(f"vertical, at fpr {x:g}" for x in AVERAGE_AT)
THRESHOLD_PLACES = tuple(f"threshold, at fpr {x:g}" for x in AVERAGE_AT)
AVERAGED = (
    ("Normal, area 0.75", 5),
    ("exponential, area 0.9", 10),
    ("zero-inflated, 0.8 and 0.05", 5),
)
EACH = ((20, 20), (10, 50))  # cases of each curve


def average_cells() -> Iterator[Cell]:
    for (name, many), size in list(product(AVERAGED, EACH))[::2]:
        yield average_cell(BY_NAME[name], many, size)


def average_cell(margin: Margin, many: int, size: tuple[int, int]) -> Cell:
    truth = [float(margin.tpr_at(x)) for x in AVERAGE_AT]

    def draw(rng: np.random.Generator) -> list[ScoreTable]:
        return [margin.draw(*size, rng) for _ in range(many)]

    def read(tables: list[ScoreTable], _: object) -> Iterator[Read]:
        for curve, places in (
            (vertical_average(tables), AVERAGE_PLACES),
            (threshold_average(tables, same_scale=True, grid=50), THRESHOLD_PLACES),
        ):
            band = average_band(curve.interval(LEVEL))
            for x, place, wanted in zip(AVERAGE_AT, places, truth, strict=True):
                yield from held(AVERAGE, place, partial(band.at_fpr, x), wanted)

    return Cell(f"{margin.name}, {many} samples", sizes_of(*size), draw, read, margin.role)


# --- precision and recall -------------------------------------------------------------------------

PR_BAND = "wide: pr_band"
WHOLE = np.linspace(0.01, 1, 100)
PR_BANDS = (
    ("three levels", (30, 30)),
    ("four levels", (20, 60)),
)


def precision(margin: Margin, recall: Floats, prevalence: float) -> Floats:
    called = prevalence * recall + (1 - prevalence) * margin.fpr_at(recall)
    return np.asarray(prevalence * recall / called)


def pr_band_cells() -> Iterator[Cell]:
    for name, size in PR_BANDS:
        yield pr_band_cell(BY_NAME[name], size)


def pr_band_cell(margin: Margin, size: tuple[int, int]) -> Cell:
    truth = precision(margin, WHOLE, size[0] / sum(size))

    def read(table: ScoreTable, _: object) -> Iterator[Read]:
        ends = np.array([(each.low, each.high) for each in pr_band(table).at_recall(WHOLE)])
        inside = (ends[:, 0] <= truth + 1e-9) & (truth - 1e-9 <= ends[:, 1])
        yield Read(PR_BAND, DEFAULT, bool(inside.all()), float(np.diff(ends).mean()))

    return Cell(margin.name, sizes_of(*size), partial(margin.draw, *size), read, margin.role)


# --- bands scaled to replicates -------------------------------------------------------------------

OPTIMISED = "wide: optimise_band"
OPTIMISED_OF = ("of the default band", "of vertical")
OPTIMISED_CELLS = (
    ("Normal, area 0.75", (50, 50)),
    ("exponential, area 0.75", (30, 100)),
)
N_BOOT = 500


def optimised_cells() -> Iterator[Cell]:
    for name, size in OPTIMISED_CELLS:
        yield optimised_cell(BY_NAME[name], size)


def optimised_cell(margin: Margin, size: tuple[int, int]) -> Cell:
    def read(table: ScoreTable, rng: np.random.Generator) -> Iterator[Read]:
        how: dict[str, Any] = {"n_boot": N_BOOT, "rng": rng, "threads": 1, "progress": False}
        first = roc_band(table, method="vertical", **how), roc_band(table)
        for band, name in zip(first[::-1], OPTIMISED_OF, strict=True):
            try:
                found = optimise_band(table, band, **how).band
            except ValueError:  # without width where replicates vary
                continue
            yield Read(OPTIMISED, name, bool(found.contains(margin.tpr_at)), found.area)

    return Cell(margin.name, sizes_of(*size), partial(margin.draw, *size), read, margin.role)


# --- nested cross-validation ----------------------------------------------------------------------

NESTED = "wide: nested_cv_auc_estimate"
NESTED_SITUATIONS = (
    Situation(0.75, 25, 25, 5),
    Situation(0.9, 15, 60, 5),
    Situation(0.9, 40, 40, 5, kind="exponential"),
)


def nested_cells() -> Iterator[Cell]:
    for i, each in enumerate(NESTED_SITUATIONS):
        yield nested_cell(each, "validation" if i >= 2 else "development")


def nested_cell(situation: Situation, role: Role) -> Cell:
    label = np.repeat([True, False], [situation.n_pos, situation.n_neg])
    least = label.size - -(-situation.n_pos // 5) - -(-situation.n_neg // 5)

    def draw(rng: np.random.Generator) -> Floats:
        return situation.features(label, rng)

    def read(x: Floats, rng: np.random.Generator) -> Iterator[Read]:
        areas: list[float] = []

        def weights(x: Floats, y: NDArray[np.bool_]) -> Floats:
            weight = x[y].mean(axis=0) - x[~y].mean(axis=0)
            return np.asarray(weight / np.linalg.norm(weight))

        def fit(x: Floats, y: NDArray[np.bool_]) -> Callable[[Floats], Floats]:
            weight = weights(x, y)
            if y.size >= least:  # of all cases but one fold
                areas.append(area(weight))
            return lambda new: new @ weight

        def area(weight: Floats) -> float:
            return float(situation.areas(weight, np.zeros(())))

        found = nested_cv_auc_estimate(fit, x, label, rng=rng, progress=False)
        make = partial(interval_of, found)
        yield from held(NESTED, DEFAULT, make, float(np.mean(areas)))
        whole = area(weights(x, label))
        yield from held(NESTED, "model of all cases", make, whole, beside=True)

    return Cell(situation.name, situation.size, draw, read, role)


# --- several classifiers --------------------------------------------------------------------------

FOUR_OF: tuple[classes.Population, ...] = tuple(classes.OF_CLASSES[i] for i in (0, 2, 3))
FOUR = "wide: size of the tests of compare_classifiers, four classifiers"
FOUR_TESTS = ("all at once", "any pair, Holm", "contrast of two and two")
APART = "wide: compare_classifiers, independent samples"
APART_TEST = "wide: size of the test of compare_classifiers, independent samples"
FOUR_MEASURES: tuple[Any, ...] = ("hand-till", "pdi")
FOUR_SIZES = ((10, 10, 10), (5, 50, 50))


def four_cells() -> Iterator[Cell]:
    every = list(product(FOUR_MEASURES, FOUR_OF, FOUR_SIZES))
    for measure, of, sizes in every[::4]:
        yield four_cell(measure, of, sizes)


def many(of: classes.Population, label: Any, columns: int, rng: np.random.Generator) -> Any:
    """Draw so many classifiers of the same cases that are equally good, and correlate."""
    shared, own = rng.normal(size=(label.size, 3)), rng.normal(size=(columns, label.size, 3))
    root = classes.CORRELATION**0.5
    z = root * shared + (1 - classes.CORRELATION) ** 0.5 * own
    blocks = {
        name: of[1](each, np.eye(3)[label], 0.8) for name, each in zip("abcd", z, strict=False)
    }
    return multiclass_scores(label, blocks, classes=[0, 1, 2])


def four_cell(measure: Any, of: classes.Population, sizes: tuple[int, ...]) -> Cell:
    label = np.repeat(np.arange(3), sizes)

    def draw(rng: np.random.Generator) -> Any:
        return many(of, label, 4, rng), {name: many(of, label, 1, rng) for name in "ab"}

    def read(drawn: Any, _: object) -> Iterator[Read]:
        four = compare_classifiers(drawn[0], measure=measure)
        pvalues = (
            four.overall.pvalue,
            min(pair.adjusted_pvalue for pair in four.pairs),
            four.contrast([1, 1, -1, -1]).pvalue,
        )
        for name, pvalue in zip(FOUR_TESTS, pvalues, strict=True):
            yield from rejected(FOUR, name, partial(float, pvalue))
        (pair,) = compare_classifiers(drawn[1], measure=measure).pairs
        yield from held(APART, DEFAULT, partial(interval_of, pair.difference), 0.0)
        yield from rejected(APART_TEST, DEFAULT, lambda: float(pair.test.pvalue))

    name = f"{measure}, {of[0]}, 3 classes, area 0.8"
    return Cell(name, " + ".join(map(str, sizes)), draw, read, of[2])


# --- drawn volumes --------------------------------------------------------------------------------

DOMINATED, POLYTOPE, PARETO = (
    "wide: dominated_volume_estimate",
    "wide: polytope_volume_estimate",
    "wide: pareto_volume_estimate",
)
RIGHT = (0.4, 0.8, 0.995)  # shares of each class that classifiers call right
DRAWS = (500,)


def drawn_cells() -> Iterator[Cell]:
    for right, draws in product(RIGHT, DRAWS):
        yield drawn_cell(right, draws)


def rates_of(right: float, k: int = 2) -> ClassRates:
    """Return two classifiers of so many classes; each is better at another class."""
    counts = {}
    for j, name in enumerate("ab"):
        share = np.full(k, right)
        share[j] = (1 + right) / 2
        matrix = np.repeat((1 - share)[:, None] / (k - 1), k, axis=1)
        np.fill_diagonal(matrix, share)
        counts[name] = 10_000 * matrix
    return counted_rates(counts)


def pareto_of_two(rates: ClassRates) -> float:
    """Return the exact share of errors of two classes that one of the classifiers dominates."""
    x = np.linspace(0, 1, 200_001)
    least = np.min([np.where(x >= a, b, 1.0) for a, b in rates.error], axis=0)
    return float(2 * np.trapezoid(np.maximum(1 - x - least, 0.0), x))


def drawn_cell(right: float, draws: int) -> Cell:
    points = [[(1 + right) / 2, right, right], [right, (1 + right) / 2, right]]
    two = rates_of(right)

    @cache
    def truths() -> tuple[float, float, float]:
        return dominated_volume(points), polytope_volume(two), pareto_of_two(two)

    def read(_: object, rng: np.random.Generator) -> Iterator[Read]:
        how: dict[str, Any] = {"n_draws": draws, "rng": rng}
        for name, estimate, truth in zip(
            (DOMINATED, POLYTOPE, PARETO),
            (
                dominated_volume_estimate(points, **how),
                polytope_volume_estimate(two, **how),
                pareto_volume_estimate(two, **how),
            ),
            truths(),
            strict=True,
        ):
            yield from held(name, DEFAULT, partial(interval_of, estimate), truth)

    role: Role = "validation" if right == RIGHT[1] else "development"
    name = f"two classifiers, {right:g} right"
    return Cell(name, f"{draws} draws", lambda rng: None, read, role)


# --- summary curves of studies --------------------------------------------------------------------

Q_STAR = "wide: q_star of fit_summary_roc"
SUMMARY = "wide: bivariate model of fit_summary_roc"
SUMMARY_PLACES = (
    *("summary tpr", "summary fpr", "summary region", "prediction region"),
    *("area", "sd_tpr"),
)
PREDICTED: dict[Any, str] = {"penalised": "", "estimated": " of the estimate"}
POOLED = "wide: pooled_odds_ratio"
ONE_RATIO = "wide: size of heterogeneity_test of pooled_odds_ratio"
STUDIES = (  # a of D = a + b S, b, the mean of S, and how far studies differ beyond their cases
    (2.0, 0.0, 0.0, 0.0),
    (3.0, 0.0, -1.0, 0.5),
    (2.0, 0.3, 0.0, 0.5),
    (4.0, 0.0, -1.5, 0.0),
)
STUDY_SIZES = ((6, 40, 60), (15, 100, 100), (40, 20, 60))  # studies, positives, negatives
NORMAL_STUDIES = (  # means and standard deviations of logit tpr and logit fpr, their correlation
    (1.5, -2.0, 0.8, 0.5, 0.5),
    (1.0, -2.5, 0.6, 1.0, 0.2),
)
SAMPLES_OF_STUDIES = 300  # of each, two likelihoods and their curves take a tenth of a second
NORMAL_SIZES = ((6, 40, 60), (10, 100, 300), (20, 15, 40), (40, 20, 60))


@dataclass(frozen=True)
class StudyKind:
    """Where studies come from: the Normal distribution of logit tpr and logit fpr."""

    name: str
    mean: Floats
    root: Floats

    @classmethod
    def of_line(cls, a: float, b: float, centre: float, apart: float) -> StudyKind:
        """Studies whose D is a + b S, and apart times a Normal variable; S varies by 1."""
        halves = np.array([[1.0, 1.0], [1.0, -1.0]]) / 2  # of S and D
        name = f"D = {a:g} + {b:g} S, S about {centre:g}, studies {apart:g} apart"
        of_s_and_d = np.array([[1.0, 0.0], [b, apart]])
        return cls(name, halves @ [centre, a + b * centre], halves @ of_s_and_d)

    @classmethod
    def of_moments(cls, tpr: float, fpr: float, s1: float, s2: float, r: float) -> StudyKind:
        name = f"logit tpr {tpr:g} +- {s1:g}, logit fpr {fpr:g} +- {s2:g}, r {r:g}"
        root = np.array([[s1, 0.0], [r * s2, np.sqrt(1 - r * r) * s2]])
        return cls(name, np.array([tpr, fpr]), root)

    @property
    def sds(self) -> Floats:
        return np.asarray(np.sqrt((self.root**2).sum(axis=1)))

    @property
    def one_ratio(self) -> bool:
        return bool(np.allclose(self.root[0], self.root[1]))

    @property
    def line(self) -> SummaryRoc:
        """The true summary curve."""
        (s1, s2), (tpr, fpr) = self.sds, self.mean
        a, b = 2 * (s2 * tpr - s1 * fpr) / (s1 + s2), (s1 - s2) / (s1 + s2)
        return SummaryRoc(
            method="true",
            parameters={"intercept": a, "slope": b},
            covariance=np.zeros((2, 2)),
            covariance_method="true",
            n_studies=2,
            fpr_range=(0.0, 1.0),
        )

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        return self.mean + rng.normal(size=(n, 2)) @ self.root.T


def summary_cells() -> Iterator[Cell]:
    lines = [StudyKind.of_line(*each) for each in STUDIES]
    others = [StudyKind.of_moments(*each) for each in NORMAL_STUDIES]
    cells = [*product(lines, STUDY_SIZES), *product(others, NORMAL_SIZES)]
    for i, (kind, size) in enumerate(cells):
        yield summary_cell(kind, size, "validation" if i % 3 == 0 else "development")


def summary_cell(kind: StudyKind, size: tuple[int, int, int], role: Role) -> Cell:
    studies, n_pos, n_neg = size

    def draw(rng: np.random.Generator) -> dict[str, Any]:
        tpr, fpr = expit(kind.draw(studies, rng)).T
        tp, fp = rng.binomial(n_pos, tpr), rng.binomial(n_neg, fpr)
        return {"tp": tp, "fp": fp, "fn": n_pos - tp, "tn": n_neg - fp}

    def read(cells: dict[str, Any], rng: np.random.Generator) -> Iterator[Read]:
        truth = float(np.exp(kind.mean[0] - kind.mean[1]))
        named = pooled_odds_ratio(**cells, method="dersimonian-laird")
        with suppress(ValueError):
            pooled = pooled_odds_ratio(**cells)
            yield from held(POOLED, DEFAULT, partial(interval_of, pooled), truth)
        yield from held(POOLED, "dersimonian-laird", partial(interval_of, named), truth)
        if kind.one_ratio:
            yield from rejected(ONE_RATIO, DEFAULT, lambda: named.heterogeneity_test().pvalue)
        for name in (DEFAULT, "reml", "moses-littenberg"):
            how: dict[str, Any] = {} if name == DEFAULT else {"method": name}
            with suppress(ValueError):
                fit = fit_summary_roc(**cells, **how)
                middle = float(expit(kind.line.intercept / 2))
                yield from held(Q_STAR, name, partial(interval_of, fit.q_star), middle)
                if isinstance(fit, BivariateRoc):
                    yield from summary_reads(fit, kind, rng, f", {name}" if how else "")

    return Cell(kind.name, f"{studies} x ({n_pos} + {n_neg})", draw, read, role)


def summary_reads(
    fit: BivariateRoc, kind: StudyKind, rng: np.random.Generator, how: str
) -> Iterator[Read]:
    point, (tpr, fpr) = fit.summary_point, expit(kind.mean)
    for place, found, truth in (
        ("summary tpr", point.tpr_estimate(), tpr),
        ("summary fpr", point.fpr_estimate(), fpr),
        ("sd_tpr", fit.parameter_estimate("sd_tpr"), kind.sds[0]),
    ):
        yield from held(SUMMARY, place + how, partial(interval_of, found), float(truth))
    yield from held(
        *(SUMMARY, "area" + how),
        lambda: fit.auc_estimate().interval(LEVEL),
        kind.line.auc,
    )
    next_tpr, next_fpr = expit(kind.draw(1, rng)[0])
    yield Read(SUMMARY, "summary region" + how, point.region(LEVEL).contains(fpr, tpr))
    for variance, of in PREDICTED.items():
        prediction = point.prediction_region(LEVEL, variance=variance)
        name = f"prediction region{of}{how}"
        yield Read(SUMMARY, name, prediction.contains(next_fpr, next_tpr))


# --- groups of calibration ------------------------------------------------------------------------

GROUPS = "wide: groups of calibration_curve"
GROUP_PLACES = ("least", "middle", "most")
GROUP_SIZES = ((20, 20), (15, 150), (150, 50))


def group_cells() -> Iterator[Cell]:
    for population, area, sizes in product(POPULATIONS[::2], (0.8,), GROUP_SIZES):
        yield group_cell(population, area, sizes)


def group_cell(population: tuple[str, Any, Role], area: float, sizes: tuple[int, int]) -> Cell:
    name, scores, role = population
    n = sum(sizes)
    calibrated = Calibrated(scores, area, sizes[0] / n)

    def draw(rng: np.random.Generator) -> ScoreTable:
        label, odds = calibrated.draw(n, rng)
        return tabulate(label, expit(odds))

    def read(table: ScoreTable, _: object) -> Iterator[Read]:
        curve = calibration_curve(table)
        for place, i in zip(GROUP_PLACES, (0, len(curve) // 2, len(curve) - 1), strict=True):
            ends = float(curve.low[i]), float(curve.high[i])
            yield from held(GROUPS, place, partial(tuple, ends), float(curve.predicted[i]))

    return Cell(f"{name}, area {area:g}", sizes_of(*sizes), draw, read, role)


# --- regions of practical equivalence -------------------------------------------------------------

REGION = "wide: size of decisions by the region of posterior_difference"
REGION_OF = ("different, though equal", "equivalent, though at the end")
REGION_PAIRS = (
    ("Normal, areas 0.8 and 0.8, r 0.5", (20, 20)),
    ("exponential, areas 0.9 and 0.85, r 0.95", (50, 50)),
    ("exponential, areas 0.8, r 0.7", (30, 100)),
)


def region_cells() -> Iterator[Cell]:
    pairs = {pair.name: pair for pair in PAIRS}
    for name, size in REGION_PAIRS:
        yield region_cell(pairs[name], size)


def region_cell(pair: Any, size: tuple[int, int]) -> Cell:
    half = 1e-9  # next to no region: equal areas are inside, and no others

    def read(data: Any, rng: np.random.Generator) -> Iterator[Read]:
        how: dict[str, Any] = {"n_boot": 400, "rng": rng, "threads": 1, "progress": False}
        found = posterior_difference(data, **how)
        at = found.region(pair.truth - half, pair.truth + half).decision == "different"
        end = found.region(pair.truth - 1.0, pair.truth).decision == "equivalent"
        for name, wrong in zip(REGION_OF, (at, end), strict=True):
            yield Read(REGION, name, bool(wrong))

    return Cell(pair.name, sizes_of(*size), partial(pair.draw, *size), read, pair.role)


# --- the parts ------------------------------------------------------------------------------------


def sized(name: str, tests: tuple[str, ...], note: str = "") -> Section:
    title = name[0].upper() + name[1:]
    return Section(name, title, note, kind="size", defaults=tests, wide=True)


REGION_NOTE = (
    "How often equal areas, or areas that differ by exactly what the region is around, are called "
    "different, and how often a difference at the end of the region is called equivalent. A "
    "posterior promises neither."
)
PARTS = (
    part(
        "bands of averages", average_cells, (several(AVERAGE, AVERAGE_PLACES + THRESHOLD_PLACES),)
    ),
    part("bands of precision", pr_band_cells, (section(PR_BAND),), SAMPLES_OF_BANDS),
    part(
        "optimised bands",
        optimised_cells,
        (several(OPTIMISED, OPTIMISED_OF[:1]),),
        SAMPLES_OF_BANDS,
    ),
    part("nested cross-validation", nested_cells, (section(NESTED),)),
    part(
        "classifiers of classes",
        four_cells,
        (sized(FOUR, FOUR_TESTS), section(APART), section(APART_TEST, "size")),
    ),
    part("drawn volumes", drawn_cells, (section(DOMINATED), section(POLYTOPE), section(PARETO))),
    part(
        "summary curves",
        summary_cells,
        (
            section(Q_STAR),
            several(SUMMARY, SUMMARY_PLACES),
            section(POOLED),
            section(ONE_RATIO, "size"),
        ),
        SAMPLES_OF_STUDIES,
    ),
    part(
        "groups of calibration",
        group_cells,
        (several(GROUPS, GROUP_PLACES, discrete=True),),
    ),
    part("regions", region_cells, (sized(REGION, (), REGION_NOTE),), 300),
)
