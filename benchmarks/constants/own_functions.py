"""Would another bootstrap interval hold where that of a function of one's own misses?

The default interval of `bootstrap` for a function of one's own is "expanded-bca". For the area in a
corner and the populations of the ledger this program measures it beside others: percentiles, plain
and expanded; value +- c t se, t and c being those of "expanded-bca" and se that of the replicates;
the farther of this and the default; where there are few distinct scores, quantiles of (replicate -
value) / the replicate's own jackknife error; and the farther of the default and expanded
percentiles of replicates in which each class also has half a case of the other's scores.

    python -m benchmarks.constants.own_functions       # writes benchmarks/results, some minutes
    python -m benchmarks.constants.own_functions 20    # so many samples, printed only
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, stdtrit

from benchmarks.coverage.ledger import LEVEL, SEED
from benchmarks.coverage.margins import MARGINS, Margin
from benchmarks.coverage.wide import corner_area
from benchmarks.pages import keep, told
from rocspace.counts import ScoreTable
from rocspace.resampling import bootstrap, two_way_area

N_SIM, N_BOOT, SIZES = 200, 1000, (20, 50)
FEW, HALF_A_CASE = 6, 0.5
TAIL = np.array([(1 - LEVEL) / 2, (1 + LEVEL) / 2])
STATISTIC = two_way_area(max_fpr=0.4, min_tpr=0.5)
METHODS = ("expanded-bca", "bca", "percentile")
SAID = (*METHODS, "expanded", "t", "or t", "studentised", "half a case")
Floats = NDArray[np.float64]


def corners(pos: Floats, neg: Floats) -> Floats:
    """Return the area in the corner of many samples of the same scores."""
    return np.asarray(STATISTIC.values(None)(pos, neg)[:, 0])  # type: ignore[arg-type]


def ends(table: ScoreTable, rng: np.random.Generator) -> Floats:
    """Return the limits of each kind, nan where it was left out."""
    drawn = bootstrap(table, STATISTIC, n_boot=N_BOOT, rng=rng, threads=1, progress=False)
    sample = replace(drawn, _run=replace(drawn._run, range=(-np.inf, np.inf), limits=()))
    found = [tuple(sample.interval(LEVEL, method=method)) for method in METHODS]  # type: ignore[arg-type]
    default = found[0]
    if not np.isfinite(default).all():  # all replicates are equal: none knows more
        return np.full((len(SAID), 2), (-np.inf, np.inf))
    left, value = sample._left_out, float(sample.value)
    z = left.narrowness[0] * stdtrit(left.freedom[0], TAIL)
    found.append(tuple(np.quantile(sample.replicates, ndtr(z))))
    found.append(tuple(value + z * sample.replicates.std(ddof=1)))
    found.append(farther(default, found[-1]))
    few = len(table) <= FEW
    found.append(studentised(table, value, rng) if few else (np.nan, np.nan))
    found.append(farther(default, tuple(np.quantile(half_unseen(table, rng), ndtr(z)))))
    return np.array(found)


def farther(one: tuple[float, ...], two: tuple[float, ...]) -> tuple[float, float]:
    return min(one[0], two[0]), max(one[1], two[1])


def half_unseen(table: ScoreTable, rng: np.random.Generator) -> Floats:
    """Draw each class with half a case of the other class's scores."""
    own = [table.pos / SIZES[0], table.neg / SIZES[1]]
    drawn = []
    for n, mine, others in zip(SIZES, own, own[::-1], strict=True):
        share = (n * mine + HALF_A_CASE * others) / (n + HALF_A_CASE)
        drawn.append(rng.multinomial(n, share / share.sum(), size=N_BOOT).astype(np.float64))
    return corners(*drawn)


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


def page(n_sim: int) -> str:
    lines = [
        "# Other intervals of a function of one's own",
        "",
        f"`python -m benchmarks.constants.own_functions`, seed {SEED}, {n_sim} samples of",
        f"{SIZES[0]} + {SIZES[1]} cases (three levels: {5 * n_sim}), {N_BOOT} replicates, level",
        ".95, the area in the corner of fpr to .4 and tpr from .5: percent covered, ratio of mean",
        "widths to the default's, and how many intervals have no end (more than the default's).",
        "",
        f"| scores | role | {' | '.join(SAID)} |",
        f"| --- | --- |{' ---: |' * len(SAID)}",
    ]
    return told(lines, rows(n_sim))


if __name__ == "__main__":
    keep("own_functions", page, N_SIM)
