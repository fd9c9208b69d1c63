"""Do intervals cover what they promise? Measured on populations whose truth is known.

``python -m benchmarks.coverage`` writes docs/coverage.md and benchmarks/results/coverage.csv
in less than ten minutes on one core. ``--quick`` draws fewer samples, writes nothing, and
fails if an interval is no longer what the committed table says.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import stats

import rocspace as rs
from rocspace.inference import auc_estimate, auc_test, ks_test, partial_auc_estimate
from rocspace.intervals import (
    joint_rectangle,
    likelihood_ratio_interval,
    predictive_value_interval,
    rate_interval,
)
from rocspace.results import Estimate, Interval, OperatingPoint
from rocspace.simulate import Population, binormal, exponential, gamma, mixture, ratings
from rocspace.table import ScoreTable

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results" / "coverage.csv"
PAGE = ROOT / "docs" / "coverage.md"

SEED = 20060601
SAMPLES, QUICK_SAMPLES = 2000, 40
LEVEL = 0.95
DRIFT = 4.5  # standard errors between a quick result and the committed one


# --- populations ------------------------------------------------------------------------------


POPULATIONS = (
    binormal(0.6),
    binormal(0.75),
    binormal(0.9),
    binormal(0.99),
    binormal(0.999),
    binormal(0.9, 2),
    binormal(0.9, 0.5),
    exponential(0.9),
    exponential(0.99),
    gamma(2, 3),
    ratings(),
    mixture(0.2),
)
SIZES = ((1, 200), (5, 5), (5, 50), (10, 10_000), (20, 20), (20, 200), (50, 50), (200, 200))
PARTIAL_SIZES = ((10, 10_000), (20, 200), (50, 50), (200, 200), (1000, 1000))
PARTS = ((0.0, 0.1), (0.0, 0.2))


# --- measuring --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    """How one interval did in one situation; ``samples`` is 0 where the sums are exact."""

    section: str
    situation: str
    size: str
    interval: str
    coverage: float
    width: float
    width_sd: float = 0.0
    samples: int = 0

    @property
    def key(self) -> tuple[str, ...]:
        return self.section, self.situation, self.size, self.interval

    @property
    def se(self) -> float:
        """Monte Carlo standard error of the coverage; never 0 by luck."""
        if not self.samples:
            return 0.0
        p = (self.coverage * self.samples + 1) / (self.samples + 2)
        return float(np.sqrt(p * (1 - p) / self.samples))


@dataclass(frozen=True)
class Cell:
    """What is to be measured in one situation: samples to draw, intervals to ask for."""

    section: str
    population: Population
    n_pos: int
    n_neg: int
    truth: float
    intervals: Callable[[ScoreTable], Iterator[tuple[str, Interval]]]
    weighted: bool = False

    def measure(self, samples: int, rng: np.random.Generator) -> list[Row]:
        found: dict[str, list[tuple[bool, float]]] = {}
        for table in self.tables(samples, rng):
            for name, interval in self.intervals(table):
                inside = interval.low - 1e-12 <= self.truth <= interval.high + 1e-12
                found.setdefault(name, []).append((inside, interval.width))
        size = f"{self.n_pos} + {self.n_neg}"
        rows = []
        for name, pairs in found.items():
            inside, width = np.array(pairs, dtype=float).T
            rows.append(
                Row(
                    self.section,
                    self.population.name,
                    size,
                    name,
                    float(inside.mean()),
                    float(width.mean()),
                    float(width.std()),
                    samples,
                )
            )
        return rows

    def tables(self, samples: int, rng: np.random.Generator) -> Iterator[ScoreTable]:
        pos = self.population.pos(rng, (samples, self.n_pos))
        chunk = max(1, 2_000_000 // self.n_neg)
        label = np.repeat([True, False], [self.n_pos, self.n_neg])
        for start in range(0, samples, chunk):
            rows = pos[start : start + chunk]
            neg = self.population.neg(rng, (len(rows), self.n_neg))
            for x, y in zip(rows, neg, strict=True):
                if self.weighted:
                    weight = rng.lognormal(0, 1, label.size)
                    yield rs.tabulate(label, np.concatenate([x, y]), sample_weight=weight)
                else:
                    yield rs.tabulate_classes(x, y)


def area_intervals(table: ScoreTable) -> Iterator[tuple[str, Interval]]:
    estimate = auc_estimate(table)
    yield from scales("delong", estimate, ("moderated", "logit", "identity", "hoeffding"))
    for method in ("hanley-mcneil", "bamber", "unbiased"):
        yield from scales(method, auc_estimate(table, method=method), ("logit",))


def scales(name: str, estimate: Estimate, names: Sequence[str]) -> Iterator[tuple[str, Interval]]:
    for scale in names:
        yield f"{name} {scale}", estimate.interval(LEVEL, scale=scale)  # type: ignore[arg-type]


def weighted_intervals(table: ScoreTable) -> Iterator[tuple[str, Interval]]:
    yield from scales("delong", auc_estimate(table), ("moderated", "logit"))


def part_intervals(
    part: tuple[float, float],
) -> Callable[[ScoreTable], Iterator[tuple[str, Interval]]]:
    def intervals(table: ScoreTable) -> Iterator[tuple[str, Interval]]:
        estimate = partial_auc_estimate(table, fpr=part)
        yield from scales("placements", estimate, ("moderated", "logit"))

    return intervals


def cells() -> Iterator[Cell]:
    for population in POPULATIONS:
        truth = population.auc
        for n_pos, n_neg in SIZES:
            yield Cell("area", population, n_pos, n_neg, truth, area_intervals)
    for low, high in PARTS:
        for population in POPULATIONS:
            truth = population.partial_auc(low, high)
            for n_pos, n_neg in PARTIAL_SIZES:
                name = f"part of the area, fpr {low:g} to {high:g}"
                yield Cell(name, population, n_pos, n_neg, truth, part_intervals((low, high)))
    for population in (binormal(0.75), binormal(0.9), ratings()):
        for n_pos, n_neg in ((20, 200), (50, 50), (200, 200)):
            yield Cell(
                "area, lognormal weights",
                population,
                n_pos,
                n_neg,
                population.auc,
                weighted_intervals,
                weighted=True,
            )


# --- tests: how often they reject a true hypothesis -------------------------------------------


NULL_SIZES = ((5, 5), (5, 50), (20, 20), (10, 1000), (200, 200))


def test_rows(samples: int, rng: np.random.Generator) -> Iterator[Row]:
    for name, (n_pos, n_neg) in product(("continuous", "five ratings"), NULL_SIZES):
        draw = binormal(0.5).neg if name == "continuous" else ratings().neg
        pos, neg = draw(rng, (samples, n_pos)), draw(rng, (samples, n_neg))
        tables = [rs.tabulate_classes(x, y) for x, y in zip(pos, neg, strict=True)]
        for test in (auc_test, ks_test):
            pvalues = np.array([test(table).pvalue for table in tables])
            for level in (0.05, 0.01):
                rejected = float((pvalues <= level).mean())
                what = f"{test.__name__} at {level:g}"
                size = f"{n_pos} + {n_neg}"
                yield Row("size of tests", name, size, what, rejected, 0.0, 0.0, samples)


# --- shares and their ratios: sums over all outcomes, no simulation ---------------------------


RATE_METHODS = ("wilson", "clopper-pearson", "jeffreys", "agresti-coull")
RATE_SIZES, RATES = (5, 10, 20, 50, 100, 1000), (0.5, 0.8, 0.9, 0.95, 0.99, 0.999)
POINTS = ((0.8, 0.1), (0.95, 0.05), (0.5, 0.01))
POINT_SIZES = ((10, 10), (20, 20), (50, 50), (20, 200))


def rate_rows() -> Iterator[Row]:
    for n, method in product(RATE_SIZES, RATE_METHODS):
        intervals = [rate_interval(x, n, level=LEVEL, method=method) for x in range(n + 1)]
        width = np.array([interval.width for interval in intervals])
        for p in RATES:
            chance = stats.binom.pmf(np.arange(n + 1), n, p)
            inside = np.array([p in interval for interval in intervals])
            yield Row(
                "rate", f"{p:g}", str(n), method, float(chance @ inside), float(chance @ width)
            )


def point_rows() -> Iterator[Row]:
    """Joint rectangles, likelihood ratios and predictive values at a fixed threshold."""
    for n_pos, n_neg in POINT_SIZES:
        outcomes = list(product(range(n_pos + 1), range(n_neg + 1)))
        made = [point_intervals(tp, fp, n_pos, n_neg) for tp, fp in outcomes]
        for tpr, fpr in POINTS:
            chance = np.outer(
                stats.binom.pmf(np.arange(n_pos + 1), n_pos, tpr),
                stats.binom.pmf(np.arange(n_neg + 1), n_neg, fpr),
            ).ravel()
            yield from point_row(made, chance, tpr, fpr, f"{n_pos} + {n_neg}")


def point_intervals(tp: int, fp: int, n_pos: int, n_neg: int) -> dict[str, tuple[Interval, ...]]:
    point = OperatingPoint(
        threshold=0.0,
        tp=tp,
        fp=fp,
        fn=n_pos - tp,
        tn=n_neg - fp,
        next_score=0.0,
        n_eff=(float(n_pos), float(n_neg)),
    )
    found: dict[str, tuple[Interval, ...]] = {}
    for method in ("clopper-pearson", "wilson"):
        box = joint_rectangle(point, level=LEVEL, method=method)  # type: ignore[arg-type]
        found[f"rectangle {method}"] = (box.fpr, box.tpr)
    for which in ("positive", "negative", "odds"):
        name = "diagnostic odds ratio" if which == "odds" else f"likelihood ratio {which}"
        found[name] = (likelihood_ratio_interval(point, which, level=LEVEL),)  # type: ignore[arg-type]
    for which in ("ppv", "npv"):
        interval = predictive_value_interval(point, which, prevalence=0.1, level=LEVEL)  # type: ignore[arg-type]
        found[f"{which} at prevalence 0.1"] = (interval,)
    return found


def point_row(
    made: Sequence[dict[str, tuple[Interval, ...]]],
    chance: NDArray[np.float64],
    tpr: float,
    fpr: float,
    size: str,
) -> Iterator[Row]:
    right, wrong = 0.1 * tpr, 0.9 * fpr
    truth = {
        "rectangle clopper-pearson": (fpr, tpr),
        "rectangle wilson": (fpr, tpr),
        "likelihood ratio positive": (tpr / fpr,),
        "likelihood ratio negative": ((1 - tpr) / (1 - fpr),),
        "diagnostic odds ratio": (tpr * (1 - fpr) / (fpr * (1 - tpr)),),
        "ppv at prevalence 0.1": (right / (right + wrong),),
        "npv at prevalence 0.1": (0.9 * (1 - fpr) / (0.9 * (1 - fpr) + 0.1 * (1 - tpr)),),
    }
    for name, values in truth.items():
        inside = np.array(
            [all(v in i for v, i in zip(values, each[name], strict=True)) for each in made]
        )
        # The ratios' widths can be infinite: say how wide the predictive values and sides are.
        width = np.array([np.prod([i.width for i in each[name]]) for each in made])
        mean = float(chance @ width) if np.isfinite(width).all() else float("nan")
        situation = f"tpr {tpr:g}, fpr {fpr:g}"
        yield Row("operating point", situation, size, name, float(chance @ inside), mean)


# --- all of it --------------------------------------------------------------------------------


def measure(samples: int, *, progress: bool = False) -> list[Row]:
    rows = [*rate_rows(), *point_rows()]
    rows += test_rows(samples, np.random.default_rng([SEED, 0]))
    last = ""
    for number, cell in enumerate(cells(), 1):
        if progress and cell.section + cell.population.name != last:
            last = cell.section + cell.population.name
            print(f"{cell.section}: {cell.population.name}", file=sys.stderr, flush=True)
        rows += cell.measure(samples, np.random.default_rng([SEED, number]))
    return rows


def write(rows: Iterable[Row], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow([*COLUMNS, "coverage_se"])
        for r in rows:
            numbers = [f"{x:.6g}" for x in (r.coverage, r.width, r.width_sd)]
            out.writerow([*r.key, *numbers, r.samples, f"{r.se:.2g}"])


COLUMNS = (
    "section",
    "situation",
    "size",
    "interval",
    "coverage",
    "width",
    "width_sd",
    "samples",
)


def read(path: Path) -> list[Row]:
    with path.open(encoding="utf-8", newline="") as file:
        return [
            Row(
                *(line[name] for name in COLUMNS[:4]),
                *(float(line[name]) for name in COLUMNS[4:7]),
                int(line["samples"]),
            )
            for line in csv.DictReader(file)
        ]


def drifted(rows: Sequence[Row], committed: Sequence[Row]) -> list[str]:
    """Say which intervals no longer do what the committed table says."""
    before = {row.key: row for row in committed}
    if {row.key for row in rows} != set(before):
        return ["the committed table has other rows: run python -m benchmarks.coverage"]
    found = []
    for row in rows:
        old = before[row.key]
        rounding = 2e-6
        if row.samples:
            both = row.samples * row.coverage + old.samples * old.coverage
            p = (both + 1) / (row.samples + old.samples + 2)
            shares = 1 / row.samples + 1 / old.samples
            allowed = DRIFT * np.sqrt(p * (1 - p) * shares) + 0.5 / row.samples
            sd = max(row.width_sd, old.width_sd)
            allowed_width = (DRIFT + 0.5) * sd * np.sqrt(shares) + 1e-4
        else:
            allowed, allowed_width = rounding, rounding * max(1.0, old.width)
        if abs(row.coverage - old.coverage) > allowed:
            found.append(f"{row.key}: coverage {row.coverage:.4g}, was {old.coverage:.4g}")
        if abs(row.width - old.width) > allowed_width:
            found.append(f"{row.key}: mean width {row.width:.4g}, was {old.width:.4g}")
    return found


# --- the page ---------------------------------------------------------------------------------


HEAD = f"""\
# Measured coverage

How often intervals of level {LEVEL:g} contain the truth, on populations whose truth is known.
Made by `python -m benchmarks.coverage` (seed {SEED}, {{samples}} samples in each situation), which
also writes `benchmarks/results/coverage.csv` with the Monte Carlo error of every number. Each
entry is the coverage in percent, and after it in brackets the mean width. The standard error of
a coverage is {{se}} percentage points or less near 95. Entries below 93 are **bold**. A shorter run
of the same program is among the tests.
"""

AREA = """\
Sizes are positives + negatives. "moderated" is the default of
{meth}`Estimate.interval <rocspace.results.Estimate.interval>`: {moderated}.
"logit" on DeLong's standard error: {logit}.
With one positive there is no DeLong standard error, and its columns show the "hoeffding" interval.
"""


def page(rows: Sequence[Row]) -> str:
    sections: dict[str, list[Row]] = {}
    for row in rows:
        sections.setdefault(row.section, []).append(row)
    samples = max(row.samples for row in rows)
    se = 100 * np.sqrt(LEVEL * (1 - LEVEL) / samples)
    text = [HEAD.format(samples=samples, se=f"{se:.1f}")]
    order = ["area", *(name for name in sections if name.startswith("part"))]
    order += ["area, lognormal weights", "rate", "operating point", "size of tests"]
    for name in order:
        part = sections[name]
        text.append(f"## {TITLES.get(name, name.capitalize())}\n")
        if name == "area":
            told = {scale: summary(part, f"delong {scale}") for scale in ("moderated", "logit")}
            text.append(
                AREA.replace("{moderated}", told["moderated"]).replace("{logit}", told["logit"])
            )
        elif name in NOTES:
            text.append(NOTES[name])
        text.append(grid(part, bold=name != "size of tests"))
    return "\n".join(text)


TITLES = {
    "area": "Area under the curve",
    "area, lognormal weights": "Area, with lognormal importance weights",
    "rate": "Rates",
    "operating point": "Both rates, likelihood ratios and predictive values",
    "size of tests": "How often tests reject a true hypothesis",
}
NOTES = {
    "rate": "Sums over all outcomes, without simulation. Situation: the true rate. Size: cases.\n",
    "operating point": (
        "Sums over all outcomes, without simulation, at a threshold that was fixed before. "
        "The brackets of a rectangle hold its mean area.\n"
    ),
    "size of tests": "Percent of samples with p at or below the level.\n",
}


def summary(rows: Sequence[Row], interval: str) -> str:
    found = [r.coverage for r in rows if r.interval == interval and not r.size.startswith("1 +")]
    low = sum(c < 0.93 for c in found)
    return (
        f"{100 * min(found):.1f} to {100 * max(found):.1f}, below 93 in {low} of {len(found)} "
        "situations with more than one positive"
    )


def grid(rows: Sequence[Row], *, bold: bool) -> str:
    """One line for each situation and size, one column for each interval."""
    names = list(dict.fromkeys(row.interval for row in rows))
    lines: dict[tuple[str, str], dict[str, Row]] = {}
    for row in rows:
        lines.setdefault((row.situation, row.size), {})[row.interval] = row
    text = [f"| situation | size | {' | '.join(names)} |", "|---|---|" + "---:|" * len(names)]
    for (situation, size), found in lines.items():
        entries = [entry(found[name], bold=bold) for name in names]
        text.append(f"| {situation} | {size} | {' | '.join(entries)} |")
    return "\n".join(text) + "\n"


def entry(row: Row, *, bold: bool) -> str:
    coverage = f"{100 * row.coverage:.1f}"
    if bold and row.coverage < 0.93:
        coverage = f"**{coverage}**"
    return coverage if not row.width > 0 else f"{coverage} ({row.width:.3g})"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="check against the committed table")
    quick = parser.parse_args(arguments).quick
    start = time.perf_counter()
    if not quick:
        rows = measure(SAMPLES, progress=True)
        write(rows, RESULTS)
        PAGE.write_text(page(read(RESULTS)), encoding="utf-8")
        print(f"{len(rows)} intervals, {time.perf_counter() - start:.0f} s")
        return 0
    found = drifted(measure(QUICK_SAMPLES), read(RESULTS))
    print("\n".join(found) or f"no drift, {time.perf_counter() - start:.0f} s")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
