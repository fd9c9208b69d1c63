"""Would another bootstrap interval hold where that of a function of one's own misses?

The default interval of `bootstrap` for a function of one's own is "unseen-bca" where a class lacks
a score that enough cases of the other share, else "expanded-bca". For the area in a corner and the
populations of the ledger this program measures both beside others: percentiles, plain and expanded;
value +- c t se, t and c being those of "expanded-bca" and se that of the replicates; the farther of
this and "expanded-bca"; and, where there are few distinct scores, quantiles of (replicate - value)
/ the replicate's own jackknife error. A second table has populations that chose nothing, small
classes, and other functions.

    python -m benchmarks.constants.own_functions       # writes benchmarks/results, half an hour
    python -m benchmarks.constants.own_functions 20    # so many samples, printed only
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, stdtrit

from benchmarks.coverage.ledger import LEVEL, SEED
from benchmarks.coverage.margins import BY_NAME, DEV, MARGINS, Margin, Pair, levels, normal, zeros
from benchmarks.coverage.wide import corner_area
from benchmarks.pages import keep, told
from rocspace.counts import PairedScores, ScoreTable
from rocspace.resampling import (
    BootstrapSample,
    Statistic,
    bootstrap,
    difference,
    partial_area,
    tpr_at,
    two_way_area,
)
from rocspace.resampling.statistics import STATISTICS

N_SIM, N_BOOT, SIZES = 200, 1000, (20, 50)
FEW, NEAR = 6, 1e-12
TAIL = np.array([(1 - LEVEL) / 2, (1 + LEVEL) / 2])
STATISTIC = two_way_area(max_fpr=0.4, min_tpr=0.5)
ANY = ScoreTable.from_counts([1, 0], [1, 0], [0, 1])  # its counts are not looked at
METHODS = ("expanded-bca", "bca", "percentile", "unseen-bca")
SAID = (*METHODS, "default", "expanded", "t", "or t", "studentised")
Floats = NDArray[np.float64]


def corners(pos: Floats, neg: Floats) -> Floats:
    """Return the area in the corner of many samples of the same scores."""
    return np.asarray(STATISTIC.values(ANY)(pos, neg)[:, 0])


def sample_of(data: Any, statistic: Statistic, rng: np.random.Generator, **more: Any) -> Any:
    """Draw replicates of a statistic of which nothing is known, as of a function."""
    more |= {"n_boot": N_BOOT, "rng": rng, "threads": 1, "progress": False}
    drawn = bootstrap(data, statistic, **more)
    return replace(drawn, _run=replace(drawn._run, range=(-np.inf, np.inf), limits=()))


def ends(table: ScoreTable, rng: np.random.Generator) -> Floats:
    """Return the limits of each kind, nan where it was left out."""
    sample = sample_of(table, STATISTIC, rng)
    found = [tuple(sample.interval(LEVEL, method=method)) for method in METHODS]
    expanded = found[0]
    if not np.isfinite(expanded).all():  # all replicates are equal: none knows more
        return np.full((len(SAID), 2), (-np.inf, np.inf))
    found.append(tuple(sample.interval(LEVEL)))
    left, value = sample._left_out, float(sample.value)
    z = left.narrowness[0] * stdtrit(left.freedom[0], TAIL)
    found.append(tuple(np.quantile(sample.replicates, ndtr(z))))
    found.append(tuple(value + z * sample.replicates.std(ddof=1)))
    found.append(farther(expanded, found[-1]))
    few = len(table) <= FEW
    found.append(studentised(table, value, rng) if few else (np.nan, np.nan))
    return np.array(found)


def farther(one: tuple[float, ...], two: tuple[float, ...]) -> tuple[float, float]:
    return min(one[0], two[0]), max(one[1], two[1])


def studentised(table: ScoreTable, value: float, rng: np.random.Generator) -> tuple[float, float]:
    """Return quantiles of pivots: infinite where replicates have no error."""
    data = [np.array([count], dtype=np.float64) for count in (table.pos, table.neg)]
    drawn = [
        rng.multinomial(n, x[0] / n, size=N_BOOT).astype(np.float64)
        for n, x in zip(SIZES, data, strict=True)
    ]
    se, own = jackknife(*drawn), float(jackknife(*data)[0])
    gap = corners(*drawn) - value
    with np.errstate(divide="ignore", invalid="ignore"):
        pivot = np.where(np.abs(gap) < 1e-12, 0.0, gap / np.where(se > 1e-12, se, 0.0))
    low, high = np.quantile(pivot, TAIL, method="nearest")
    return value - high * own, value - low * own


def jackknife(pos: Floats, neg: Floats) -> Floats:
    """Return the standard error of each sample, cases of both classes being left out."""
    square = np.zeros(len(pos))
    for c, n in enumerate(SIZES):
        count, without = (pos, neg)[c], []
        for row in range(count.shape[1]):
            less = count.copy()
            less[:, row] = np.maximum(less[:, row] - 1, 0)
            without.append(corners(less, neg) if c == 0 else corners(pos, less))
        values = np.transpose(without)
        mean = (count * values).sum(axis=1, keepdims=True) / n
        square += (n - 1) / n * (count * (values - mean) ** 2).sum(axis=1)
    return np.asarray(np.sqrt(square))


def row(margin: Margin, n_sim: int, seed: int) -> str:
    truth, rng = corner_area(margin, 0.4, 0.5), np.random.default_rng([SEED, 84, seed])
    found = np.array([ends(margin.draw(*SIZES, rng), rng) for _ in range(n_sim)])
    low, high = found[..., 0], found[..., 1]
    inside, width = (low <= truth) & (truth <= high), high - low
    told = []
    for j in range(len(SAID)):
        if np.isnan(low[:, j]).any():
            told.append("")
            continue
        both = np.isfinite(width[:, j]) & np.isfinite(width[:, 0])
        text = f"{100 * inside[:, j].mean():.1f}"
        if j and both.any():
            text += f", {width[both, j].mean() / width[both, 0].mean():.2f}"
        endless = np.isinf(width[:, j]).mean() - (np.isinf(width[:, 0]).mean() if j else 0)
        told.append(text + (f", {100 * endless:.1f} % endless" if endless > 0 else ""))
    return f"| {margin.name} | {margin.role} | {' | '.join(told)} |"


def rows(n_sim: int) -> Iterator[str]:
    for seed, margin in enumerate(MARGINS):
        yield row(margin, n_sim * (5 if margin.name == "three levels" else 1), seed)


# --- populations that chose nothing -----------------------------------------------------------


@dataclass(frozen=True)
class Rounded:
    """Scores of a distribution, rounded to multiples of a step."""

    of: Any
    step: float

    def ppf(self, u: Any) -> Any:
        return np.round(self.of.ppf(u) / self.step) * self.step

    def cdf(self, x: Any) -> Any:
        return self.of.cdf((np.floor(np.asarray(x) / self.step + 1e-9) + 0.5) * self.step)


def rounded(area: float, step: float) -> Margin:
    of, name = normal(area), f"Normal, area {area:g}, rounded to {step:g}"
    return Margin(name, Rounded(of.pos_of, step), Rounded(of.neg_of, step), discrete=True)


FRESH = (
    levels("four levels, the top rare", (20, 30, 40, 10), (50, 30, 19, 1), DEV),
    levels("four levels, the lowest rare", (2, 10, 30, 58), (60, 25, 10, 5), DEV),
    levels(
        "ten levels",
        (1, 2, 3, 5, 7, 10, 14, 18, 20, 20),
        (20, 20, 18, 14, 10, 7, 5, 3, 2, 1),
        DEV,
    ),
    zeros(0.02, 0.9, 4, DEV),
    zeros(0.1, 0.7, 4, DEV),
    rounded(0.8, 0.5),
    rounded(0.8, 0.1),
    normal(0.8),
)
FRESH_SIZES = ((20, 50), (5, 100), (100, 5), (200, 200))
FUNCTIONS: dict[str, tuple[Statistic, Callable[[Margin], float]]] = {
    "corner": (STATISTIC, lambda of: corner_area(of, 0.4, 0.5)),
    "tpr at fpr .1": (tpr_at(0.1), lambda of: float(of.tpr_at(0.1))),
    "area, fpr to .2": (partial_area(fpr=(0, 0.2)), lambda of: of.partial_auc(fpr=(0, 0.2))),
    "Youden's index": (STATISTICS["youden"], lambda of: of.youden),
}


def held(drawn: Iterable[BootstrapSample], truth: float) -> tuple[str, float]:
    """Tell how both intervals cover and their widths, and how often unseen cases are drawn."""
    found, unseen = [], 0
    for sample in drawn:
        usual = sample.interval(LEVEL)
        found.append([tuple(sample.interval(LEVEL, method="expanded-bca")), tuple(usual)])
        unseen += sample._run.unseen.matters(LEVEL)
    low, high = np.moveaxis(np.array(found), 2, 0)
    inside, width = (low - NEAR <= truth) & (truth <= high + NEAR), high - low
    one, two = width[np.isfinite(width).all(axis=1)].mean(axis=0)
    covers = " to ".join(f"{100 * share:.1f}" for share in inside.mean(axis=0))
    return f"{covers}, {two / one:.2f}", unseen / len(found)


def drawn_of(
    margin: Margin, sizes: tuple[int, int], statistic: Statistic, n_sim: int
) -> Iterator[BootstrapSample]:
    rng = np.random.default_rng([SEED, 85, FRESH.index(margin), *sizes])
    for _ in range(n_sim):
        yield sample_of(margin.draw(*sizes, rng), statistic, rng)


def fresh(n_sim: int) -> Iterator[str]:
    asked = [*product(FRESH[:-1], FRESH_SIZES), *product(FRESH[-1:], FRESH_SIZES[:-1])]
    for margin, sizes in asked:
        cells = [
            held(drawn_of(margin, sizes, statistic, n_sim), truth_of(margin))
            for statistic, truth_of in FUNCTIONS.values()
        ]
        said = " | ".join(cell for cell, _ in cells)
        yield f"| {margin.name} | {sizes[0]} + {sizes[1]} | {100 * cells[0][1]:.0f} | {said} |"


# --- cases that are weighted, clustered, paired ------------------------------------------------

LEVELS, OTHER = BY_NAME["three levels"], BY_NAME["five levels"]


def weighted(rng: np.random.Generator) -> PairedScores:
    """Draw cases of which half, whatever their scores, count four times."""
    data = Pair(LEVELS, LEVELS, 0.0).draw(*SIZES, rng)
    weight = np.where(rng.random(len(data)) < 0.5, 4.0, 1.0)
    return replace(data, score=data.score[:, :1], names=("first",), weight=weight)


def clustered(rng: np.random.Generator) -> PairedScores:
    """Draw clusters of two cases of one class, whose scores are alike."""
    data = Pair(LEVELS, LEVELS, 0.8).draw(*SIZES, rng)
    twice = np.concatenate([data.score[:, 0], data.score[:, 1]])[:, np.newaxis]
    cluster = np.tile(np.arange(len(data)), 2)
    return PairedScores(
        label=np.tile(data.label, 2), score=twice, names=("first",), cluster=cluster
    )


def designs(n_sim: int) -> Iterator[str]:
    one, two = (corner_area(margin, 0.4, 0.5) for margin in (LEVELS, OTHER))
    gap = difference(STATISTIC)
    asked: dict[str, tuple[Callable[..., Any], Statistic, float, str]] = {
        "class sizes drawn": (partial(LEVELS.draw, *SIZES), STATISTIC, one, "unstratified"),
        "weights of 1 and 4": (weighted, STATISTIC, one, "stratified"),
        "clusters of two": (clustered, STATISTIC, one, "cluster"),
        "difference of two scores, r .5, of three levels": (
            *(partial(Pair(LEVELS, LEVELS, 0.5).draw, *SIZES), gap, 0.0),
            "stratified",
        ),
        "difference of two scores, r .5, of three and five levels": (
            *(partial(Pair(LEVELS, OTHER, 0.5).draw, *SIZES), gap, one - two),
            "stratified",
        ),
    }
    for seed, (name, (draw, statistic, truth, scheme)) in enumerate(asked.items()):
        rng = np.random.default_rng([SEED, 86, seed])
        drawn = (sample_of(draw(rng=rng), statistic, rng, scheme=scheme) for _ in range(n_sim))
        cell, unseen = held(drawn, truth)
        yield f"| {name} | {100 * unseen:.0f} | {cell} |"


# --- the page ---------------------------------------------------------------------------------


def page(n_sim: int) -> str:
    lines = [
        "# Other intervals of a function of one's own",
        "",
        f"`python -m benchmarks.constants.own_functions`, seed {SEED}, {n_sim} samples of",
        f"{SIZES[0]} + {SIZES[1]} cases (three levels: {5 * n_sim}), {N_BOOT} replicates, level",
        ".95, the area in the corner of fpr to .4 and tpr from .5: percent covered, ratio of mean",
        'widths to those of "expanded-bca", and how many intervals have no end (more than its).',
        "",
        f"| scores | role | {' | '.join(SAID)} |",
        f"| --- | --- |{' ---: |' * len(SAID)}",
    ]
    more = [
        "",
        f"Populations that chose nothing, {5 * n_sim // 2} samples each: in how many percent of",
        'samples the default is "unseen-bca"; for each function percent covered by "expanded-bca"',
        "and by the default, and the ratio of their mean widths.",
        "",
        f"| scores | cases | unseen | {' | '.join(FUNCTIONS)} |",
        f"| --- | --- | ---: |{' ---: |' * len(FUNCTIONS)}",
    ]
    last = [
        "",
        f"The area in the corner of {SIZES[0]} + {SIZES[1]} cases (or clusters) of three levels,",
        f"{5 * n_sim // 2} samples each, the same figures.",
        "",
        "| cases | unseen | corner |",
        "| --- | ---: | ---: |",
    ]
    many = 5 * n_sim // 2
    return told(lines, chain(rows(n_sim), more, fresh(many), last, designs(many)))


if __name__ == "__main__":
    keep("own_functions", page, N_SIM)
