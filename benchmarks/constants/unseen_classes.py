"""How should several classes share an unseen case? Coverage against width of three rules.

The default interval of an area or a volume of several classes adds parts of one unseen case
(`rocspace.multiclass.placements`): in proportion to 1 / n, at most half of it in one class. This
program draws samples of the populations of the ledger's part "several classes", and reads Hand and
Till's M with equal parts, with the present ones, and with half a case in each class. For each rule
it says what the interval covers, and how wide it is beside equal parts. Two more tables are of
scores that only name a class: one sums over all outcomes of classes of one size, the other draws
classes that differ in size and in the share of right calls, with and without score limits.

    python -m benchmarks.constants.unseen_classes       # writes benchmarks/results
    python -m benchmarks.constants.unseen_classes 50    # so many samples, printed only
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from benchmarks.coverage.classes import (
    LEVELS,
    MANY,
    OF_CLASSES,
    SIZES,
    Labels,
    Population,
    known,
)
from benchmarks.coverage.ledger import LEVEL, SEED
from rocspace.multiclass import MulticlassScores, hand_till_estimate, multiclass_scores
from rocspace.results.estimates import AreaEstimate
from rocspace.results.unseen import Classes, square_and_add

OUT = Path(__file__).resolve().parents[2] / "benchmarks" / "results" / "unseen_classes.md"
N_SIM = 100
NAMED = ((10,) * 3, (50,) * 3, (20,) * 6)
CALLED: tuple[tuple[tuple[int, ...], tuple[float, ...]], ...] = (
    ((10,) * 3, (0.98,) * 3),
    ((10,) * 3, (0.9,) * 3),
    ((10,) * 3, (0.4,) * 3),
    ((10,) * 4, (0.97,) * 4),
    ((20,) * 6, (0.96,) * 6),
    ((5, 5, 5), (0.9, 0.95, 0.9)),
    ((5, 20, 40), (0.97,) * 3),
    ((5, 50, 50), (0.95, 0.98, 0.99)),
    ((10, 10, 10), (0.999, 0.9, 0.95)),
    ((10, 10, 30), (0.7, 0.95, 0.99)),
    ((10,) * 5, (0.97, 0.99, 0.9, 0.95, 0.99)),
)
N_CALLED = 3000
HOLDS = 0.935
NEAR_1 = 0.9  # areas of neighbours from which on widths are told apart
RULES = ("log odds", "equal parts", "present parts", "half a case each")


@dataclass(frozen=True)
class Cell:
    """What the rules covered, and how wide they were, in the order of RULES."""

    population: str
    area: float
    size: str
    coverage: NDArray[np.float64]
    width: NDArray[np.float64]

    @property
    def about(self) -> str:
        return f"{self.population}, area {self.area:g}, {self.size}"


def intervals(estimate: AreaEstimate) -> list[tuple[float, float]]:
    """Return the interval by each rule."""
    usual, logit = estimate.interval(LEVEL), estimate.interval(LEVEL, scale="logit")
    found = [(logit.low, logit.high)]
    classes = estimate.classes
    assert classes is not None
    for part in (1 / len(classes), None, 0.5):
        if part is None:
            found.append((usual.low, usual.high))
            continue
        given = cast(Classes, tuple(c._replace(added=part) for c in classes))
        ends = replace(estimate, classes=given).interval(LEVEL)
        found.append((ends.low, ends.high))
    return found


def drawn(
    of: Population, area: float, label: Labels, k: int, rng: np.random.Generator
) -> MulticlassScores:
    score = of[1](rng.normal(size=(label.size, k)), np.eye(k)[label], area)
    return multiclass_scores(label, score, classes=list(range(k)))


@cache
def truth(of: Population, area: float, k: int) -> float:
    label = np.arange(MANY // 2) % k
    rng = np.random.default_rng([SEED, k])
    return float(hand_till_estimate(drawn(of, area, label, k, rng)).value)


def measured(of: Population, area: float, sizes: tuple[int, ...], n_sim: int) -> Cell:
    k, fixed = len(sizes), np.repeat(np.arange(len(sizes)), sizes)
    at = truth(of, area, k)
    rng = np.random.default_rng([SEED, k, n_sim])
    ends = np.empty((n_sim, len(RULES), 2))
    for i in range(n_sim):
        ends[i] = intervals(hand_till_estimate(drawn(of, area, fixed, k, rng)))
    inside = (ends[..., 0] <= at) & (at <= ends[..., 1])
    width = (ends[..., 1] - ends[..., 0]).mean(axis=0)
    size = " + ".join(map(str, sizes))
    return Cell(of[0], area, size, inside.mean(axis=0), width)


def cells(n_sim: int) -> Iterator[Cell]:
    for of, area, sizes in product(OF_CLASSES, LEVELS, SIZES):
        if not known(of, area):
            yield measured(of, area, sizes, n_sim)


def rows(some: list[Cell]) -> Iterator[str]:
    coverage = np.array([cell.coverage for cell in some])
    ratio = np.array([cell.width / cell.width[1] for cell in some])
    near = np.array([cell.area >= NEAR_1 for cell in some])
    for j, rule in enumerate(RULES):
        below, low = int((coverage[:, j] < HOLDS).sum()), 100 * coverage[:, j].min()
        wide = [f"{ratio[at, j].mean():.2f} | {ratio[at, j].max():.2f}" for at in (~near, near)]
        yield f"| {rule} | {low:.1f} | {below} of {len(some)} | {' | '.join(wide)} |"


def called(sizes: tuple[int, ...], right: tuple[int, ...]) -> AreaEstimate:
    """Return M of a classifier that only names a class, with so many right calls of each class.

    The wrong ones are spread evenly over the other names, which M does not depend on.
    """
    k, label = len(sizes), np.repeat(np.arange(len(sizes)), sizes)
    score = np.zeros((label.size, k))
    for i, many in enumerate(right):
        own = np.flatnonzero(label == i)
        score[own[:many], i] = 1
        wrong = own[many:]
        score[wrong, (i + 1 + np.arange(wrong.size) % (k - 1)) % k] = 1
    return hand_till_estimate(multiclass_scores(label, score, classes=list(range(k))))


def evenly(right: int, k: int) -> tuple[int, ...]:
    return tuple(right // k + (i < right % k) for i in range(k))


def without_score_limits(estimate: AreaEstimate) -> tuple[float, float]:
    if not 0 < estimate.value < 1 or estimate.tied:
        low, high = estimate.interval(LEVEL)
        return low, high
    classes = estimate.classes
    assert classes is not None
    parts = [c.added for c in classes]
    return square_and_add(estimate.value, classes, LEVEL, parts)  # type: ignore[arg-type]


def called_lines(draws: int) -> Iterator[str]:
    """Draw classes of several sizes and shares of right calls."""
    yield from (
        "",
        "## Classes that differ, with score limits and without",
        "",
        f"{draws} samples; percent covered, and the ratio of mean widths.",
        "",
        "| cases | shares called right | M | without | with | width |",
        "| --- | --- | ---: | ---: | ---: | ---: |",
    )
    rng = np.random.default_rng([SEED, 5])
    for sizes, shares in CALLED:
        drawn = np.array(
            [rng.binomial(n, p, size=draws) for n, p in zip(sizes, shares, strict=True)]
        )
        right, many = np.unique(drawn.T, axis=0, return_counts=True)
        ends = np.empty((len(right), 2, 2))
        for row, x in enumerate(right):
            estimate = called(sizes, tuple(x.tolist()))
            ends[row] = without_score_limits(estimate), tuple(estimate.interval(LEVEL))
        m = 0.5 + (sum(shares) - 1) / (2 * (len(sizes) - 1))
        cover = many @ ((ends[..., 0] <= m) & (m <= ends[..., 1])) / draws
        width = many @ (ends[..., 1] - ends[..., 0])
        listed = ", ".join(
            f"{share:g}" for share in (shares if len(set(shares)) > 1 else shares[:1])
        )
        numbers = " | ".join(f"{100 * x:.1f}" for x in cover)
        size = " + ".join(map(str, sizes))
        yield f"| {size} | {listed} | {m:.3f} | {numbers} | {width[1] / width[0]:.3f} |"


def names_lines() -> Iterator[str]:
    """Sum over all numbers of right calls where a class is only named and M is a sum of rates."""
    yield from (
        "",
        "## Scores that only name a class",
        "",
        "M is 1/2 + (S - 1) / (2 (k - 1)), S the sum of the shares that are called right. Summed",
        "over all numbers of right calls, which are spread evenly over classes of one size; the",
        "samples that miss are below or above the interval. Wilson's is that of the mean share.",
        "",
        "| cases, area | M | covers | truth below | above | Wilson's |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    )
    z = float(stats.norm.isf((1 - LEVEL) / 2))
    for sizes, area in product(NAMED, LEVELS):
        n, k = sum(sizes), len(sizes)
        ends = np.array([tuple(called(sizes, evenly(x, k)).interval(LEVEL)) for x in range(n + 1)])
        m = truth(OF_CLASSES[2], area, k)
        share = (1 + (2 * m - 1) * (k - 1)) / k
        chance = stats.binom.pmf(np.arange(n + 1), n, share)
        below, above = chance[m < ends[:, 0]].sum(), chance[m > ends[:, 1]].sum()
        part = np.arange(n + 1) / n
        wilson = chance[(part - share) ** 2 <= z * z * share * (1 - share) / n].sum()
        shares = (1 - below - above, below, above, wilson)
        numbers = " | ".join(f"{100 * x:.1f}" for x in shares)
        yield f"| {' + '.join(map(str, sizes))}, {area:g} | {m:.3f} | {numbers} |"


def page(found: list[Cell], n_sim: int) -> str:
    lines = [
        "# How several classes share an unseen case",
        "",
        f"`python -m benchmarks.constants.unseen_classes`, seed {SEED}, {n_sim} samples a cell",
        f"(so that 95 percent have a standard error of {100 * (0.95 * 0.05 / n_sim) ** 0.5:.1f}).",
        "Widths are ratios of mean widths to those of equal parts, their mean and the largest;",
        f"near 1 are areas of neighbours of {NEAR_1:g} and more.",
        "",
        "| rule | lowest | below 93.5 % | width | largest | width near 1 | largest |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
        *rows(found),
    ]
    lines += ["", f"## Cells below {HOLDS:.1%} by the present parts", ""]
    lines += ["| situation | " + " | ".join(RULES) + " |", "| --- |" + " ---: |" * len(RULES)]
    for cell in sorted(found, key=lambda cell: float(cell.coverage[2])):
        if cell.coverage[2] < HOLDS:
            numbers = " | ".join(f"{100 * x:.1f}" for x in cell.coverage)
            lines.append(f"| {cell.about} | {numbers} |")
    lines += names_lines()
    lines += called_lines(N_CALLED if n_sim >= N_SIM else 10 * n_sim)
    return "\n".join(lines) + "\n"


def main() -> None:
    n_sim = int(sys.argv[1]) if len(sys.argv) > 1 else N_SIM
    found: list[Cell] = []
    for cell in cells(n_sim):
        found.append(cell)
        print(cell.about, np.round(100 * cell.coverage, 1), file=sys.stderr, flush=True)
    if len(sys.argv) == 1:
        OUT.write_text(page(found, n_sim), encoding="utf-8")
    print(page(found, n_sim))


if __name__ == "__main__":
    main()
