"""What intervals of fitted curves cover where the model holds: each is a default of the library.

Each model by itself, with populations of its own assumption: of areas, of rates and of parts, of
slopes, thresholds and parameters; bands in a part of their own. Models whose fits or readings take
a tenth of a second are asked for less, in a part of their own. A refused or degenerate fit says
nothing, which is the whole range.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from scipy.integrate import quad
from scipy.optimize import minimize_scalar
from scipy.special import ndtri

from benchmarks.coverage.cells import Cell, Read, Reader, held, interval_of, part, sizes_of
from benchmarks.coverage.ledger import LEVEL, SAMPLES_OF_BANDS, Role, Section
from benchmarks.coverage.models import DEAR, fit_of
from rocspace.bands import fit_band
from rocspace.counts import ScoreTable, tabulate_classes
from rocspace.models import OptimalCut, optimal_cut
from rocspace.results import Fit

AREA, PART = "wide: auc_estimate of a fit", "wide: partial_auc_estimate of a fit, fpr 0 to .2"
TPR, FPR = "wide: tpr_estimate of a fit, at fpr .1", "wide: fpr_estimate of a fit, at tpr .8"
SLOPE = "wide: slope_estimate of a fit, at fpr .1"
CATEGORY = "wide: category_ratio_estimate of a fit, fpr .1 to .3"
CUT = "wide: threshold_estimate of a fit, at fpr .1"
BEST = "wide: score_estimate of a fit, the best threshold"
INDEX = "wide: estimate of a fit, Youden's index"
SHAPE = "wide: parameter_estimate of a fit"
BAND, POINT = "wide: fit_band", "wide: fit_band, simultaneous=False"
SINGLE = (AREA, TPR, FPR, PART, SLOPE, CATEGORY, CUT, BEST, INDEX)

RANKS = ("labroc", "gls", "minimum-distance", "pseudo-likelihood", "profile-likelihood", "roc-glm")
NORMALS = ("binormal", *RANKS)
POWERS = ("yeo-johnson", "box-cox")
WITH_CUTS = ("binormal", "labroc", "box-cox")  # whose optimal cuts are read
FAMILIES = ("exponential", "weibull", "gamma", "lognormal", "logistic", "pareto")
SCORED = ("binormal", *POWERS, *FAMILIES)  # which know where a threshold is
SLOW_READINGS = {
    "wide: auc_estimate of a slow fit": AREA,
    "wide: tpr_estimate of a slow fit, at fpr .1": TPR,
    "wide: partial_auc_estimate of a slow fit, fpr 0 to .2": PART,
}
SLOW_SHAPE = "wide: parameter_estimate of a slow fit"
SLOW = (*DEAR, "beta-scores")
WITH_SHAPE = ("rank-likelihood", "beta-scores")  # whose parameters are those of the population
EVEN, FEWER_POS, FEW_POS, FEW_NEG = (30, 30), (20, 60), (50, 200), (200, 50)
GRID = np.linspace(0.005, 0.995, 199)  # where a whole curve is looked at,
POINTS = np.array([0.05, 0.1, 0.2, 0.5])  # and single points, one for each sample
CUTS = np.array([-1.0, 0.0, 0.7, 1.4])  # which make five ratings of Normal scores

Floats = NDArray[np.float64]


# --- populations ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Both:
    """Two distributions, what is applied to their scores, and the parameters of the model."""

    name: str
    pos: Any
    neg: Any
    role: Role = "development"
    scale: Callable[[Floats], Floats] = field(default=lambda x: x)
    parameters: dict[str, float] = field(default_factory=dict)

    def draw(self, size: tuple[int, int], rng: np.random.Generator) -> ScoreTable:
        drawn = (
            self.scale(each.rvs(n, random_state=rng))
            for each, n in zip((self.pos, self.neg), size, strict=True)
        )
        return tabulate_classes(*drawn)

    def tpr(self, fpr: Any) -> Any:
        return self.pos.sf(self.neg.isf(fpr))

    def truths(self) -> dict[str, float]:
        """Return what is asked of a curve, and of the thresholds of its scores."""
        at, best = float(self.neg.isf(0.1)), self.best()
        return {
            AREA: quad(self.tpr, 0, 1, limit=200)[0],
            TPR: float(self.tpr(0.1)),
            FPR: float(self.neg.sf(self.pos.isf(0.8))),
            PART: quad(self.tpr, 0, 0.2, limit=200)[0],
            SLOPE: float(self.pos.pdf(at) / self.neg.pdf(at)),
            CATEGORY: float(self.tpr(0.3) - self.tpr(0.1)) / 0.2,
            CUT: float(self.scale(np.array(at))),
            BEST: float(self.scale(self.neg.isf(best))),
            INDEX: float(self.tpr(best) - best),
        }

    def best(self) -> float:
        """Return the false positive rate where Youden's index is greatest."""
        start = GRID[np.argmax(self.tpr(GRID) - GRID)]
        ends = (max(start - 0.005, 1e-9), start + 0.005)
        done = minimize_scalar(lambda x: x - float(self.tpr(x)), bounds=ends, method="bounded")
        return float(done.x)


def normals(area: float, sd: float, role: Role = "development") -> Both:
    """Return Normal scores, the negatives standard."""
    mean = float(ndtri(area)) * (1 + sd**2) ** 0.5
    name = f"Normal, area {area:g}" + (f", sd {sd:g}" if sd != 1 else "")
    shape = {"a": mean / sd, "b": 1 / sd}
    return Both(name, stats.norm(mean, sd), stats.norm(0, 1), role, parameters=shape)


OF_NORMALS = (
    (normals(0.85, 2), EVEN),
    (normals(0.97, 1), FEW_NEG),
    (normals(0.75, 0.5, "validation"), FEW_POS),
    (normals(0.65, 1), EVEN),
)
OF_SCALES: tuple[tuple[Both, tuple[int, int], str, Role, Any], ...] = (
    (normals(0.65, 1), EVEN, "exp", "development", np.exp),
    (normals(0.92, 1), FEW_NEG, "square", "validation", lambda x: (x + 8) ** 2),
)
OF_POWERS = {
    "yeo-johnson": list(OF_NORMALS[:3:2]),
    "box-cox": [
        (Both(f"{said} of {one.name}", one.pos, one.neg, role, scale), size)
        for one, size, said, role, scale in OF_SCALES
    ],
}


def family(name: str) -> Iterator[tuple[Both, tuple[int, int]]]:
    """Yield two populations of a family."""
    later = FEW_POS if len(name) % 2 else FEW_NEG
    roles: tuple[Role, ...] = ("development", "validation")
    for given, size, role in zip(_GIVEN[name], (EVEN, later), roles, strict=True):
        said = ", ".join(f"{symbol} {value:g}" for symbol, value in given.items())
        pos, neg = _MADE[name](**given)
        shape = {symbol: value for symbol, value in given.items() if symbol != "minimum"}
        yield Both(f"{name} scores, {said}", pos, neg, role, parameters=shape), size


_GIVEN: dict[str, tuple[dict[str, float], ...]] = {
    "exponential": (
        {"scale1": 2, "scale0": 1},
        {"scale1": 9, "scale0": 1},
    ),
    "weibull": (
        {"shape": 2, "scale1": 1.5, "scale0": 1},
        {"shape": 1.5, "scale1": 5, "scale0": 1},
    ),
    "gamma": (
        {"shape1": 2, "scale1": 1, "shape0": 1, "scale0": 1},
        {"shape1": 6, "scale1": 1, "shape0": 2, "scale0": 1},
    ),
    "lognormal": (
        {"mean1": 0.6, "sd1": 1, "mean0": 0, "sd0": 1},
        {"mean1": 1.6, "sd1": 0.6, "mean0": 0, "sd0": 1},
    ),
    "logistic": (
        {"mean1": 1, "mean0": 0, "scale": 1},
        {"mean1": 4, "mean0": 0, "scale": 1},
    ),
    "pareto": (
        {"shape1": 2, "shape0": 4, "minimum": 1},
        {"shape1": 1, "shape0": 12, "minimum": 2},
    ),
    "beta-scores": (
        {"alpha1": 4, "beta1": 2, "alpha0": 2, "beta0": 3},
        {"alpha1": 3, "beta1": 0.7, "alpha0": 1, "beta0": 2},
    ),
}
_MADE: dict[str, Callable[..., tuple[Any, Any]]] = {
    "exponential": lambda scale1, scale0: (stats.expon(0, scale1), stats.expon(0, scale0)),
    "weibull": lambda shape, scale1, scale0: (
        stats.weibull_min(shape, 0, scale1),
        stats.weibull_min(shape, 0, scale0),
    ),
    "gamma": lambda shape1, scale1, shape0, scale0: (
        stats.gamma(shape1, 0, scale1),
        stats.gamma(shape0, 0, scale0),
    ),
    "lognormal": lambda mean1, sd1, mean0, sd0: (
        stats.lognorm(sd1, 0, np.exp(mean1)),
        stats.lognorm(sd0, 0, np.exp(mean0)),
    ),
    "logistic": lambda mean1, mean0, scale: (
        stats.logistic(mean1, scale),
        stats.logistic(mean0, scale),
    ),
    "beta-scores": lambda alpha1, beta1, alpha0, beta0: (
        stats.beta(alpha1, beta1),
        stats.beta(alpha0, beta0),
    ),
    "pareto": lambda shape1, shape0, minimum: (
        stats.pareto(shape1, 0, minimum),
        stats.pareto(shape0, 0, minimum),
    ),
}


def of_beta() -> Iterator[tuple[Both, tuple[int, int]]]:
    """Yield uniform negatives, among which positives have beta distributed ranks."""
    roles: tuple[Role, ...] = ("development", "validation")
    for (alpha, beta), size, role in zip(
        ((0.5, 1.2), (0.3, 1.8)), (EVEN, FEW_NEG), roles, strict=True
    ):
        shape = {"alpha": alpha, "beta": beta}
        name = f"beta curve, alpha {alpha:g}, beta {beta:g}"
        yield Both(name, stats.beta(beta, alpha), stats.uniform(0, 1), role, parameters=shape), size


def slow_populations(model: str) -> Iterator[tuple[Both, tuple[int, int]]]:
    """Yield two populations of a slow model, of few cases; smoothers assume no more than that."""
    if model == "beta-scores":
        yield from family(model)
        return
    yield normals(0.85, 1), EVEN
    yield normals(0.75, 1, "validation"), FEWER_POS


def populations(model: str) -> list[tuple[Both, tuple[int, int]]]:
    """Return populations in which the assumption of a model holds, and how many cases are drawn."""
    if model in POWERS:
        return OF_POWERS[model]
    if model in _GIVEN:
        return list(family(model))
    if model == "beta":
        return list(of_beta())
    return list(OF_NORMALS if model in ("binormal", "labroc") else OF_NORMALS[:3])


# --- what is read -----------------------------------------------------------------------------


class Asked(NamedTuple):
    """A section, what stands for the method, the truth, and the estimate of a fit."""

    section: str
    interval: str
    truth: float
    estimate: Callable[[Fit], Any]


@lru_cache(maxsize=1)
def best_cut(fit: Fit) -> OptimalCut:
    return optimal_cut(fit)


ESTIMATES: dict[str, Callable[[Fit], Any]] = {
    AREA: lambda fit: fit.auc_estimate(),
    TPR: lambda fit: fit.tpr_estimate(0.1),
    FPR: lambda fit: fit.fpr_estimate(0.8),
    PART: lambda fit: fit.partial_auc_estimate(fpr=(0, 0.2)),
    SLOPE: lambda fit: fit.slope_estimate(0.1),
    CATEGORY: lambda fit: fit.category_ratio_estimate(0.1, 0.3),
    CUT: lambda fit: fit.threshold_estimate(0.1),
    BEST: lambda fit: best_cut(fit).threshold_estimate,
    INDEX: lambda fit: best_cut(fit).index,
}


def asked_of(model: str, one: Both) -> list[Asked]:
    """Return all that is asked of a model: of few the optimal cut, of scores thresholds."""
    truths, scored = one.truths(), {CUT: model in SCORED, BEST: model in SCORED}
    usual = SINGLE if model in WITH_CUTS else SINGLE[:-2]
    names = [each for each in usual if scored.get(each, True)]
    found = [Asked(name, model, truths[name], ESTIMATES[name]) for name in names]
    return found + shape_of(model, one)


def shape_of(model: str, one: Both) -> list[Asked]:
    """Return the parameters; those of "yeo-johnson" are of the scores after a power."""
    if model in POWERS:
        return []
    return [
        Asked(SHAPE, f"{model}, {symbol}", truth, partial(Fit.parameter_estimate, symbol=symbol))
        for symbol, truth in one.parameters.items()
    ]


def reads(model: str, asked: list[Asked]) -> Reader:
    def read(table: ScoreTable, _: np.random.Generator) -> Iterator[Read]:
        fit = fit_of(table, model)
        for each in asked:
            yield from held(each.section, each.interval, partial(limits, fit, each), each.truth)

    return read


def limits(fit: Fit | None, asked: Asked) -> Any:
    """Return an interval; of a refused or degenerate fit all numbers."""
    if fit is None or "degenerate" in fit.flags:
        return -np.inf, np.inf
    return interval_of(asked.estimate(fit))


def reads_band(model: str, truth: Callable[[Any], Any], whole: Floats, single: Floats) -> Reader:
    """Return what reads a band of a whole curve, and that of one point of each sample."""

    def read(table: ScoreTable, rng: np.random.Generator) -> Iterator[Read]:
        one = single[[int(rng.integers(single.size))]]
        fit = fit_of(table, model)
        for section, at in ((BAND, whole), (POINT, one)):
            try:
                if fit is None:
                    raise ValueError(model)
                band = fit_band(fit, level=LEVEL, simultaneous=section == BAND)
            except ValueError:  # without errors there is no band
                yield Read(section, model, True, 1.0)
                continue
            low, high = (np.array(each) for each in zip(*band.at_fpr(at), strict=True))
            rates = np.asarray(truth(at))
            inside = ((low - 1e-12 <= rates) & (rates <= high + 1e-12)).all()
            yield Read(section, model, bool(inside), band.area)

    return read


# --- ratings ----------------------------------------------------------------------------------


def rated() -> Iterator[tuple[Both, tuple[int, int]]]:
    """Yield Normal scores that are cut into five ratings."""
    drawn = ((normals(0.85, 1), EVEN), (normals(0.75, 0.5, "validation"), FEW_NEG))
    for one, size in drawn:
        name = f"five ratings of {one.name}"
        yield Both(name, one.pos, one.neg, one.role, cut_in_five, one.parameters), size


def cut_in_five(score: Floats) -> Floats:
    return np.searchsorted(CUTS, score).astype(np.float64)


def of_ratings(model: str, one: Both) -> list[Asked]:
    """Return what is asked of ratings: the curve between its true points."""
    low, high = (float(one.neg.sf(CUTS[i])) for i in (3, 2))
    rate = float(one.tpr(low))
    chord = (float(one.tpr(high)) - rate) / (high - low)
    found = {
        AREA: (one.truths()[AREA], ESTIMATES[AREA]),
        TPR: (rate, lambda fit: fit.tpr_estimate(low)),
        FPR: (low, lambda fit: fit.fpr_estimate(rate)),
        CATEGORY: (chord, lambda fit: fit.category_ratio_estimate(low, high)),
    }
    asked = [Asked(section, model, *each) for section, each in found.items()]
    return asked + shape_of(model, one)


# --- the parts --------------------------------------------------------------------------------


def cell(one: Both, size: tuple[int, int], read: Reader, of: list[tuple[str, str]]) -> Cell:
    draw = partial(one.draw, size)
    return Cell(one.name, sizes_of(*size), draw, read, one.role, of=tuple(of))


def reading_cell(model: str, one: Both, size: tuple[int, int], asked: list[Asked]) -> Cell:
    of = [(each.section, each.interval) for each in asked]
    return cell(one, size, reads(model, asked), of)


def band_cell(model: str, one: Both, size: tuple[int, int], at: Floats | None = None) -> Cell:
    whole, single = (GRID, POINTS) if at is None else (at, at)
    read = reads_band(model, one.tpr, whole, single)
    return cell(one, size, read, [(BAND, model), (POINT, model)])


def slow_cells() -> Iterator[Cell]:
    """Yield the cells of models whose fits or readings take a tenth of a second."""
    for model in SLOW:
        for one, size in slow_populations(model):
            truths = one.truths()
            asked = [
                Asked(said, model, truths[name], ESTIMATES[name])
                for said, name in SLOW_READINGS.items()
            ]
            if model in WITH_SHAPE:
                asked += [each._replace(section=SLOW_SHAPE) for each in shape_of(model, one)]
            yield reading_cell(model, one, size, asked)


CHEAP = (*NORMALS, "beta", *POWERS, *FAMILIES)


def cells() -> Iterator[Cell]:
    """Yield the cells of models whose fits and readings are fast."""
    for model in CHEAP:
        for one, size in populations(model):
            yield reading_cell(model, one, size, asked_of(model, one))
    for one, size in rated():
        yield reading_cell("rating", one, size, of_ratings("rating", one))


def band_cells() -> Iterator[Cell]:
    """Yield the cells of bands of these models."""
    for model in CHEAP:
        for one, size in populations(model):
            yield band_cell(model, one, size)
    for one, size in rated():
        yield band_cell("rating", one, size, np.asarray(one.neg.sf(CUTS)))


# --- sections ---------------------------------------------------------------------------------


def named(name: str, cell: Cell) -> list[str]:
    return [interval for section, interval in cell.of if section == name]


def sections(make: Callable[[], Iterator[Cell]], said: str = "") -> tuple[Section, ...]:
    """Return a section for each reading of some cells: its defaults are the models."""
    made = list(make())
    names = dict.fromkeys(section for one in made for section, _ in one.of)
    return tuple(
        Section(
            name,
            name[0].upper() + name[1:],
            said,
            defaults=tuple(dict.fromkeys(each for one in made for each in named(name, one))),
            wide=True,
            apart=True,
        )
        for name in names
    )


MOST_OF_SLOW = 500  # samples of up to a second each
PARTS = (
    part("fits where they hold", cells, sections(cells)),
    part("slow fits where they hold", slow_cells, sections(slow_cells), MOST_OF_SLOW),
    part(
        "bands of fits where they hold",
        band_cells,
        sections(band_cells, "A fit without known errors has no band, which counts as everything."),
        SAMPLES_OF_BANDS,
    ),
)
