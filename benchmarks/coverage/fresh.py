"""Three populations that no part of the ledger has: `python -m benchmarks.coverage.fresh`.

Outliers of one class on the other side, four unequal levels with a rare top, and a detection limit
below which two fifths of the negatives lie. Every default of daily use is read from 2,000 samples,
and what is below 93.5 percent or above 98.5 is marked. They served to choose no constant.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from scipy.special import expit, logit

from benchmarks.coverage.cells import Count, Read, held, interval_of
from benchmarks.coverage.ledger import LEVEL, SEED
from benchmarks.coverage.margins import VAL, Inflated, Margin, Mixed, Normal, Pair, levels
from benchmarks.pages import keep, told
from rocspace.bands import roc_band
from rocspace.calibrate import calibration_estimates
from rocspace.compare import auc_difference
from rocspace.costs import brier_estimate
from rocspace.counts import ScoreTable, tabulate, tabulate_classes
from rocspace.curves import pr_area_estimate
from rocspace.inference import (
    auc_estimate,
    fpr_at_interval,
    likelihood_ratio_interval,
    partial_auc_estimate,
    point_interval,
    predictive_value_interval,
    tpr_at_interval,
    youden_interval,
)
from rocspace.operating import point_at
from rocspace.resampling import bootstrap

SIZES = ((8, 40), (25, 25), (30, 500))
N_SIM = 2000
PREVALENCE = 0.2
LOW, HIGH = 0.935, 0.985  # of what is named
MANY = 200_000  # scores by which the truth of a calibration is computed

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Fresh:
    """Two scores of the same cases, a threshold of the first, and its log odds but for a constant.

    ``odds`` are the log likelihood ratios that a modeller would take the scores for.
    """

    pair: Pair
    threshold: float
    odds: Callable[[Floats], Floats]

    @property
    def margin(self) -> Margin:
        return self.pair.first

    def probability(self, x: Floats, share: float) -> Floats:
        return np.asarray(expit(self.odds(x) + logit(share)))

    def calibration(self, share: float) -> tuple[float, float]:
        """Return the slope of the log odds of the population, and the mean squared error."""
        u = (np.arange(MANY) + 0.5) / MANY
        x = np.concatenate([self.margin.pos_of.ppf(u), self.margin.neg_of.ppf(u)])
        y = np.repeat([1.0, 0.0], MANY)
        w = np.where(y > 0, share, 1 - share) / MANY
        odds = self.odds(x) + logit(share)  # finite where their probability rounds to 1
        design = np.column_stack([np.ones(x.size), odds])
        beta = np.array([0.0, 1.0])
        for _ in range(50):
            now = expit(design @ beta)
            hessian = (design * (w * now * (1 - now))[:, None]).T @ design
            beta = beta + np.linalg.solve(hessian, design.T @ (w * (y - now)))
        return float(beta[1]), float(w @ (y - expit(odds)) ** 2)

    def labelled(self, n_pos: int, n_neg: int, rng: np.random.Generator) -> ScoreTable:
        """Draw cases whose labels are drawn, too, with their probabilities for scores."""
        share, n = n_pos / (n_pos + n_neg), n_pos + n_neg
        while not 0 < (label := rng.random(n) < share).sum() < n:
            pass
        u = rng.random(n)
        x = np.where(label, self.margin.pos_of.ppf(u), self.margin.neg_of.ppf(u))
        return tabulate(label, self.probability(x, share))


def outliers() -> Fresh:
    strange = Mixed(((0.97, Normal(1.7)), (0.03, Normal(-4, 0.5))))
    first = Margin("outliers, 3 % of positives on the other side", strange, Normal(), VAL)
    second = Margin("", Normal(1.2), Normal(), VAL)
    return Fresh(Pair(first, second, 0.7, VAL), 1.0, lambda x: 1.7 * x - 1.7**2 / 2)


def rare_top() -> Fresh:
    pos, neg = (25.0, 30.0, 35.0, 10.0), (70.0, 20.0, 9.5, 0.5)
    first = levels("four unequal levels, a rare top", pos, neg, VAL)
    second = levels("", (30, 35, 30, 5), (65, 22, 12, 1), VAL)
    told = np.log(np.divide(pos, neg))
    return Fresh(Pair(first, second, 0.6, VAL), 2.0, lambda x: told[x.astype(int)])


def limited(below: float, mean: float) -> Margin:
    """Exponential scores of which so large a share of the negatives is below the limit."""
    pos = Inflated(1 - (1 - below) ** (1 / mean), stats.expon(scale=mean))
    return Margin(
        f"exponential, {below:.0%} of negatives below the limit",
        pos,
        Inflated(below, stats.expon()),
        VAL,
    )


def detection() -> Fresh:
    first = limited(0.4, 4.0)
    below = first.pos_of.zeros / 0.4, (1 - first.pos_of.zeros) / 0.6 / 4.0

    def odds(x: Floats) -> Floats:
        return np.asarray(np.where(x > 0, np.log(below[1]) + 0.75 * x, np.log(below[0])))

    return Fresh(Pair(first, limited(0.4, 3.0), 0.8, VAL), float(-np.log(0.1 / 0.6)), odds)


POPULATIONS = (outliers, rare_top, detection)


def asked(fresh: Fresh, size: tuple[int, int]) -> dict[str, tuple[Any, float]]:
    """Return by name what is read of the counts of one score, and the truth."""
    margin, share = fresh.margin, size[0] / sum(size)
    step = fresh.threshold - (0.5 if margin.discrete else 0.0)
    tpr, fpr = (float(1 - of.cdf(step)) for of in (margin.pos_of, margin.neg_of))
    odds = PREVALENCE * tpr / ((1 - PREVALENCE) * fpr)

    def at(make: Callable[..., Any], *args: Any, **options: Any) -> Any:
        return lambda table: make(point_at(table, fresh.threshold), *args, level=LEVEL, **options)

    return {
        "area": (lambda t: interval_of(auc_estimate(t)), margin.auc),
        "partial area, fpr 0 to .2": (
            lambda t: interval_of(partial_auc_estimate(t, fpr=(0, 0.2))),
            margin.partial_auc(fpr=(0, 0.2)),
        ),
        "tpr at fpr .1": (lambda t: tpr_at_interval(t, 0.1), float(margin.tpr_at(0.1))),
        "fpr at tpr .8": (lambda t: fpr_at_interval(t, 0.8), float(margin.fpr_at(0.8))),
        "Youden's index": (youden_interval, margin.youden),
        "average precision": (
            lambda t: bootstrap(t, "average_precision", n_boot=2, rng=1, progress=False).interval(
                LEVEL
            ),
            margin.average_precision(share, steps=True),
        ),
        "precision-recall area": (
            lambda t: interval_of(pr_area_estimate(t)),
            margin.average_precision(share, steps=False),
        ),
        "tpr of a threshold": (at(point_interval, "tpr"), tpr),
        "fpr of a threshold": (at(point_interval, "fpr"), fpr),
        "ppv": (at(predictive_value_interval, "ppv", prevalence=PREVALENCE), odds / (1 + odds)),
        "positive likelihood ratio": (at(likelihood_ratio_interval, "positive"), tpr / fpr),
        "negative likelihood ratio": (
            at(likelihood_ratio_interval, "negative"),
            (1 - tpr) / (1 - fpr),
        ),
    }


def reads(fresh: Fresh, size: tuple[int, int]) -> Callable[[np.random.Generator], Iterator[Read]]:
    margin, wanted = fresh.margin, asked(fresh, size)
    slope, square = fresh.calibration(size[0] / sum(size))
    truth = fresh.pair.truth

    def read(rng: np.random.Generator) -> Iterator[Read]:
        data = fresh.pair.draw(*size, rng)
        table = tabulate_classes(data.score[data.label, 0], data.score[~data.label, 0])
        for name, (make, true) in wanted.items():
            yield from held(name, "", partial(make, table), true)
        gap = auc_difference(data, "first", "second")
        yield from held("difference of areas", "", lambda: interval_of(gap), truth)
        band = roc_band(table)
        yield Read("band", "", bool(band.contains(margin.tpr_at)), float(band.area))
        told = fresh.labelled(*size, rng)
        yield from held("Brier score", "", lambda: interval_of(brier_estimate(told)), square)
        try:
            found = calibration_estimates(told).slope_estimate
        except ValueError:
            return
        yield from held("calibration slope", "", lambda: interval_of(found), slope)

    return read


def rows(fresh: Fresh, size: tuple[int, int], n_sim: int) -> Iterator[str]:
    rng = np.random.default_rng([SEED, crc32(fresh.margin.name.encode()), *size])
    read = reads(fresh, size)
    counts: dict[str, Count] = {}
    for _ in range(n_sim):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for one in read(rng):
                counts.setdefault(one.section, Count()).add(one)
    for name, count in counts.items():
        share, width = float(np.mean(count.inside)), np.array(count.width)
        error = (share * (1 - share) / len(count.inside)) ** 0.5
        known = width[np.isfinite(width)]
        said = "below" if share < LOW else "above" if share > HIGH else ""
        endless = f" ({100 * (1 - known.size / width.size):.1f} % endless)"
        yield (
            f"| {fresh.margin.name} | {size[0]} + {size[1]} | {name} | {100 * share:.1f} "
            f"({100 * error:.1f}) | {known.mean():.3g}{endless if known.size < width.size else ''} "
            f"| {len(count.inside)} | {said} |"
        )


def page(n_sim: int) -> str:
    lines = [
        "# Defaults on three fresh populations",
        "",
        f"`python -m benchmarks.coverage.fresh`, seed {SEED}, {n_sim} samples, level .95: percent",
        "covered (its standard error), mean width, samples, and whether the share is below",
        f"{100 * LOW:g} percent or above {100 * HIGH:g}. Labels of the last two defaults are",
        "drawn, too; what a sample does not let one compute is left out.",
        "",
        "| population | cases | default | covered | width | samples | marked |",
        "| --- | --- | --- | ---: | ---: | ---: | --- |",
    ]
    cells = product(POPULATIONS, SIZES)
    return told(lines, (line for make, size in cells for line in rows(make(), size, n_sim)))


if __name__ == "__main__":
    keep("fresh", page, N_SIM)
