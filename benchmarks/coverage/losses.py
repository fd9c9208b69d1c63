"""Mean losses, reclassification and equal error rates, with labels drawn at random given scores.

Three models of the same cases: log odds that are calibrated, the same doubled, and the same with
noise. The truths are means over many cases, taken over the labels exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property, partial
from itertools import product
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import expit, log_expit

from benchmarks.coverage.calibration import POPULATIONS, Calibrated, Draw
from benchmarks.coverage.cells import Cell, Read, held, interval_of
from benchmarks.coverage.ledger import LEVEL, SEED, Role
from rocspace.compare import reclassification
from rocspace.costs import brier_estimate, cllr_estimate, log_loss_estimate, loss_difference
from rocspace.counts import PairedScores, pair_scores
from rocspace.inference import auc_binomial_interval, eer_interval

LOG, BOLD = "wide: log loss", "wide: log loss of too extreme probabilities"
BRIER, CLLR = "wide: Brier score", "wide: Cllr"
LOG_GAP, BRIER_GAP = "wide: difference of log losses", "wide: difference of Brier scores"
LOG_FEW = "wide: difference of log losses of scores that differ in few cases"
NET = "wide: net reclassification, every change"
NET_CUT = "wide: net reclassification, two cuts"
IDI = "wide: integrated discrimination improvement"
EER = "wide: equal error rate"
BINOMIAL = "wide: binomial interval of an area"
SECTIONS = (BINOMIAL, LOG, BOLD, BRIER, CLLR, LOG_GAP, NET, NET_CUT, IDI, EER)
DEFAULT, PLAIN = "default", "t"
AREAS, SIZES = (0.7, 0.97), ((20, 20), (20, 200))
CUTS = (0.2, 0.5)
MANY = 200_000  # cases by which the truths are computed

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Models:
    """Log odds of three models of the same cases."""

    calibrated: Calibrated

    def draw(self, n: int, rng: np.random.Generator) -> tuple[NDArray[np.bool_], list[Floats]]:
        label, x = self.calibrated.draw(n, rng)
        return label, [x, 2 * x, x + rng.normal(size=n)]

    @cached_property
    def truths(self) -> dict[str, float]:
        """What the estimates estimate, by name."""
        _, (x, bold, noisy) = self.draw(MANY, np.random.default_rng(SEED + 1))
        p, q = expit(x), expit(-x)
        pos, neg = p / p.sum(), q / q.sum()

        def mean(of_pos: Floats, of_neg: Floats) -> float:
            return float((p * of_pos + q * of_neg).mean())

        def log(z: Floats) -> float:
            return mean(-log_expit(z), -log_expit(-z))

        def net(before: Floats, after: Floats) -> float:
            step = np.sign(after - before)
            return float(pos @ step - neg @ step)

        def square(z: Floats) -> float:
            return mean(expit(-z) ** 2, expit(z) ** 2)

        gain = expit(noisy) - p
        order = np.argsort(-x)
        fpr, fnr = np.cumsum(neg[order]), 1 - np.cumsum(pos[order])
        cut = [np.searchsorted(CUTS, expit(z), "right") for z in (x, noisy)]
        return {
            "log": log(x),
            "log, bold": log(bold),
            "brier, bold": square(bold),
            "cllr, bold": float(-pos @ log_expit(bold) - neg @ log_expit(-bold)) / np.log(4),
            "log gap": log(bold) - log(noisy),
            "brier gap": square(bold) - square(noisy),
            "free": net(x, noisy),
            "cut": net(cut[0].astype(float), cut[1].astype(float)),
            "idi": float(pos @ gain - neg @ gain),
            "eer": float(fpr[np.argmax(fpr >= fnr)]),
        }


def cells() -> tuple[Cell, ...]:
    return tuple(cell(*each) for each in product(POPULATIONS, AREAS, SIZES))


def cell(population: tuple[str, Draw, Role], area: float, sizes: tuple[int, int]) -> Cell:
    """Read one population: `sizes` are the expected numbers of positives and negatives."""
    name, scores, role = population
    n = sum(sizes)
    models = Models(Calibrated(scores, area, sizes[0] / n))

    def draw(rng: np.random.Generator) -> PairedScores:
        label, odds = models.draw(n, rng)
        columns = dict(zip(("plain", "bold", "noisy"), map(expit, odds), strict=True))
        return pair_scores(label, columns)

    def read(data: PairedScores, _: object) -> Iterator[Read]:
        truth = models.truths
        plain, bold = data.table("plain"), data.table("bold")
        for section, estimate, wanted in (
            (LOG, log_loss_estimate(plain), truth["log"]),
            (BOLD, log_loss_estimate(bold), truth["log, bold"]),
            (BRIER, brier_estimate(bold), truth["brier, bold"]),
            (CLLR, ratios(bold), truth["cllr, bold"]),
            (LOG_GAP, loss_difference(data, "bold", "noisy"), truth["log gap"]),
        ):
            yield from beside(section, estimate, PLAIN, wanted)
        yield from binomial(plain, models.calibrated.area)
        yield from reclassified(data, truth)
        if "rounded" not in name:  # ties leave the population's curve to convention
            yield from held(EER, DEFAULT, lambda: eer_interval(plain), truth["eer"])

    return Cell(f"{name}, area {area:g}", f"{sizes[0]} + {sizes[1]}", draw, read, role)


def ratios(table: Any) -> Any:
    """Return Cllr of doubled log odds as they are: the prior is not divided out."""
    return cllr_estimate(table, scores="probability", prior=0.5)


def binomial(table: Any, area: float) -> Iterator[Read]:
    kinds: tuple[tuple[str, Literal["smaller", "all"]], ...]
    kinds = (DEFAULT, "smaller"), ("all cases", "all")
    for said, cases in kinds:
        make = partial(auc_binomial_interval, table, cases=cases)
        yield from held(BINOMIAL, said, make, area, beside=said != DEFAULT)


def reclassified(data: PairedScores, truth: dict[str, float]) -> Iterator[Read]:
    free = reclassification(data, "plain", "noisy")
    cut = reclassification(data, "plain", "noisy", cuts=CUTS)
    yield from beside(NET, free.nri_estimate, "identity", truth["free"])
    yield from beside(NET_CUT, cut.nri_estimate, "identity", truth["cut"])
    yield from beside(IDI, free.idi_estimate, PLAIN, truth["idi"])


# --- differences of Brier scores ----------------------------------------------------------------


def gap_cells() -> tuple[Cell, ...]:
    """The same populations, and some where few cases decide which score is better."""
    return (
        *(gap_cell(*each) for each in product(POPULATIONS, AREAS, SIZES)),
        *(decisive_cell(*each) for each in DECISIVE),
    )


def gap_cell(population: tuple[str, Draw, Role], area: float, sizes: tuple[int, int]) -> Cell:
    name, scores, role = population
    models = Models(Calibrated(scores, area, sizes[0] / sum(sizes)))

    def draw(rng: np.random.Generator) -> PairedScores:
        label, (_, bold, noisy) = models.draw(sum(sizes), rng)
        return pair_scores(label, {"first": expit(bold), "second": expit(noisy)})

    read = partial(gaps, lambda: models.truths["brier gap"])
    return Cell(f"{name}, area {area:g}", f"{sizes[0]} + {sizes[1]}", draw, read, role)


def gaps(truth: Callable[[], float], data: PairedScores, _: object) -> Iterator[Read]:
    yield from beside(BRIER_GAP, loss_difference(data, score="brier"), PLAIN, truth())


def two_kinds(n: int, rng: np.random.Generator) -> Floats:
    return np.asarray(rng.normal(np.where(rng.random(n) < 0.7, -2, 2), 0.5))


def heavy(n: int, rng: np.random.Generator) -> Floats:
    return rng.standard_cauchy(n)


def wide(n: int, rng: np.random.Generator) -> Floats:
    return 4 * rng.normal(size=n)


def skew(n: int, rng: np.random.Generator) -> Floats:
    return 2 * rng.exponential(size=n)


Odds = Callable[[int, np.random.Generator], Floats]
DECISIVE: tuple[tuple[str, Odds, float, int, Role], ...] = (
    ("log odds of two kinds, 90 % positive", two_kinds, 0.9, 48, "development"),
    ("log odds of two kinds, 90 % positive", two_kinds, 0.9, 440, "development"),
    ("heavy-tailed log odds, 90 % positive", heavy, 0.9, 48, "development"),
    ("heavy-tailed log odds, 2 % positive", heavy, 0.02, 440, "development"),
    ("log odds of sd 4, 2 % positive", wide, 0.02, 100, "development"),
    ("log odds of two kinds, 10 % positive", two_kinds, 0.1, 80, "validation"),
    ("log odds of sd 4, 95 % positive", wide, 0.95, 200, "validation"),
    ("exponential log odds, 5 % positive", skew, 0.05, 120, "validation"),
)


def decisive_cell(name: str, odds: Odds, share: float, n: int, role: Role) -> Cell:
    """Set log odds that are too far from 0 beside calibrated ones."""

    @cache
    def level() -> float:
        x = odds(MANY, np.random.default_rng(SEED))
        return float(brentq(lambda a: expit(a + x).mean() - share, -99, 99))

    @cache
    def truth() -> float:
        z = level() + odds(MANY, np.random.default_rng(SEED + 1))
        p, bold = expit(z), expit(2 * z)
        of_pos, of_neg = (1 - bold) ** 2 - (1 - p) ** 2, bold**2 - p**2
        return float((p * of_pos + (1 - p) * of_neg).mean())

    def draw(rng: np.random.Generator) -> PairedScores:
        while True:
            z = level() + odds(n, rng)
            label = rng.random(n) < expit(z)
            if 0 < label.sum() < n:
                return pair_scores(label, {"first": expit(2 * z), "second": expit(z)})

    return Cell(name, f"{n} cases", draw, partial(gaps, truth), role)


# --- scores that agree in most cases --------------------------------------------------------------


def few_levels(*shares: tuple[float, float]) -> Odds:
    """Draw one of a few log odds, each with its share of the cases."""
    levels, p = zip(*shares, strict=True)
    return lambda n, rng: np.asarray(rng.choice(levels, n, p=p))


def plain(n: int, rng: np.random.Generator) -> Floats:
    return rng.normal(size=n)


def laplace(n: int, rng: np.random.Generator) -> Floats:
    return rng.laplace(size=n)


def tailed(n: int, rng: np.random.Generator) -> Floats:
    return rng.standard_t(2, size=n)


def surer(x: Floats, _: float) -> Floats:
    """Move the highest tenth or so away from 0."""
    return np.asarray(np.where(x > 1.5, x + 2, x))


def capped(x: Floats, prior: float) -> Floats:
    """Keep log odds below the prior ones plus 1."""
    return np.minimum(x, prior + 1)


def to_both_sides(x: Floats, _: float) -> Floats:
    """Move the far ones, in turn up and down."""
    return np.asarray(np.where(np.abs(x) > 2, x + 1.5 * np.sign(np.sin(9 * x)), x))


TWO, THREE = few_levels((0, 0.9), (3, 0.1)), few_levels((-2, 0.6), (0, 0.3), (3, 0.1))
FIVE = few_levels((-3, 0.3), (-1.5, 0.3), (0, 0.2), (1.5, 0.15), (3, 0.05))
SEVEN = few_levels(*((k - 3, share / 100) for k, share in enumerate((9, 20, 25, 20, 14, 8, 4))))
Change = Callable[[Floats, float], Floats]
FEW: tuple[tuple[str, Odds, Change, float, int, Role], ...] = (
    ("two levels, surer at the top", TWO, surer, 0.5, 60, "development"),
    ("two levels, capped", TWO, capped, 0.02, 100, "development"),
    ("three levels, surer at the top", THREE, surer, 0.5, 300, "development"),
    ("five levels, surer at the top", FIVE, surer, 0.5, 200, "development"),
    ("five levels, surer at the top", FIVE, surer, 0.1, 60, "development"),
    ("five levels, capped", FIVE, capped, 0.05, 100, "development"),
    ("Normal log odds, capped", plain, capped, 0.02, 300, "development"),
    ("Normal log odds, surer at the top", plain, surer, 0.5, 100, "development"),
    ("t2 log odds, to both sides", tailed, to_both_sides, 0.02, 440, "development"),
    ("seven levels, surer at the top", SEVEN, surer, 0.3, 150, "validation"),
    ("seven levels, capped", SEVEN, capped, 0.05, 400, "validation"),
    ("Laplace log odds, capped", laplace, capped, 0.1, 80, "validation"),
    ("Laplace log odds, to both sides", laplace, to_both_sides, 0.05, 1000, "validation"),
    ("exponential log odds, surer at the top", skew, surer, 0.1, 200, "validation"),
)


def few_cells() -> tuple[Cell, ...]:
    """Two scores that differ in few cases, one of them calibrated."""
    return tuple(few_cell(*each) for each in FEW)


def few_cell(name: str, odds: Odds, change: Change, share: float, n: int, role: Role) -> Cell:
    prior = float(np.log(share / (1 - share)))

    @cache
    def level() -> float:
        x = odds(MANY, np.random.default_rng(SEED))
        return float(brentq(lambda a: expit(a + x).mean() - share, -99, 99))

    def changed(x: Floats) -> tuple[Floats, Floats]:
        """Return both log odds, of cases whose own differ from the common level by x."""
        return level() + change(x, prior - level()), level() + x

    @cache
    def truth() -> float:
        z, calibrated = changed(odds(MANY, np.random.default_rng(SEED + 1)))
        p = expit(calibrated)
        of_pos, of_neg = (
            log_expit(calibrated) - log_expit(z),
            log_expit(-calibrated) - log_expit(-z),
        )
        return float((p * of_pos + (1 - p) * of_neg).mean())

    def draw(rng: np.random.Generator) -> PairedScores:
        while True:
            z, calibrated = changed(odds(n, rng))
            label = rng.random(n) < expit(calibrated)
            if 0 < label.sum() < n:
                return pair_scores(label, {"first": expit(z), "second": expit(calibrated)})

    def read(data: PairedScores, _: object) -> Iterator[Read]:
        yield from beside(LOG_FEW, loss_difference(data), PLAIN, truth())

    return Cell(f"{name}, {share:.0%} positive", f"{n} cases", draw, read, role)


def beside(section: str, estimate: Any, scale: str, truth: float) -> Iterator[Read]:
    """Read the default interval of one quantity, and one on another scale beside it."""
    yield from held(section, DEFAULT, partial(interval_of, estimate), truth)
    plain = partial(estimate.interval, LEVEL, scale=scale)
    yield from held(section, scale, plain, truth, beside=True)
