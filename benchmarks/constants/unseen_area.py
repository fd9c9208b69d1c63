"""How much of an unseen case should the interval of an area allow for? Coverage against width.

The default interval of an area adds a part of a case in each class at the worst placement
(`rocspace.results.unseen`). This program draws samples of the populations of the ledger's first
section, and sums over all outcomes of yes/no tests; for a quarter, a half, three quarters of a
case and a whole one in each class it says what the interval covers, and how wide it is beside the
interval on the log odds where that holds. The half was chosen on these populations. A second table
sums over all outcomes of yes/no tests on a fine grid of rates: with half a case alone, with a whole
one where a class shows no spread, and with their score limits, too, as the default has them.

    python -m benchmarks.constants.unseen_area       # writes benchmarks/results and the figure
    python -m benchmarks.constants.unseen_area 50    # so many samples, printed only
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from benchmarks.coverage.areas import POPULATIONS, SIZES
from benchmarks.coverage.ledger import LEVEL, SEED
from rocspace.counts import ScoreTable
from rocspace.inference import delong
from rocspace.results.estimates import AreaEstimate
from rocspace.results.unseen import HALF_A_CASE, ClassMean, square_and_add, unseen_limits

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / "benchmarks" / "results" / "unseen_area.md"
FIGURE = ROOT / "docs" / "_static" / "unseen-area.png"
N_SIM = 1000
ADDED = {"1/4": 0.25, "1/2": 0.5, "3/4": 0.75, "1": 1.0}
RATES = tuple(product((0.6, 0.8, 0.9, 0.93, 0.95, 0.98, 0.99), (0.02, 0.05, 0.1, 0.3)))
YES_NO = ((5, 5), (10, 10), (5, 50), (50, 5), (5, 200), (10, 200), (50, 50), (20, 1000))
FINE = (
    *((3, 3), (5, 5), (5, 6), (6, 6), (5, 10), (10, 10), (15, 15), (20, 20), (5, 50), (20, 100)),
    *((8, 30), (12, 60), (6, 300), (10, 150), (25, 200), (20, 400)),
)
SENSITIVITIES = np.unique([*np.arange(4, 100, 2), 93, 97, 99, 99.5, 87.1]) / 100
FALSE_ALARMS = np.unique([*np.arange(2, 51, 2), 0.5, 1, 5]) / 100
HOLDS = 0.935
SMALL = "5 + 5"


@dataclass(frozen=True)
class Cell:
    """What was covered, and how wide it was: of log odds first, then for each part of a case."""

    kind: str
    size: str
    coverage: NDArray[np.float64]
    width: NDArray[np.float64]


def intervals(estimate: AreaEstimate) -> list[tuple[float, float]]:
    """Return the interval on the log odds, and those that add parts of a case."""
    usual, logit = estimate.interval(LEVEL), estimate.interval(LEVEL, scale="logit")
    if not usual.method.endswith("unseen") or estimate.classes is None:
        return [(logit.low, logit.high)] + [(usual.low, usual.high)] * len(ADDED)
    unseen = [
        unseen_limits(estimate.value, estimate.classes, LEVEL, added=added)
        for added in ADDED.values()
    ]
    return [(logit.low, logit.high), *unseen]


def simulated(n_sim: int) -> Iterator[Cell]:
    """Draw samples of the populations; of those with 10,000 negatives a tenth."""
    rng = np.random.default_rng(SEED)
    for population, (n_pos, n_neg) in product(POPULATIONS, SIZES):
        many = n_sim if n_neg < 1000 else max(n_sim // 10, 1)
        ends = np.array(
            [intervals(delong(population.draw(n_pos, n_neg, rng=rng))) for _ in range(many)]
        )
        inside = (ends[..., 0] <= population.auc) & (population.auc <= ends[..., 1])
        width = ends[..., 1] - ends[..., 0]
        yield Cell("drawn", f"{n_pos} + {n_neg}", inside.mean(axis=0), width.mean(axis=0))


def yes_no() -> Iterator[Cell]:
    """Sum over all outcomes of yes/no tests."""
    for n_pos, n_neg in YES_NO:
        outcomes = list(product(range(n_pos + 1), range(n_neg + 1)))
        tables = [
            ScoreTable.from_counts([1, 0], [tp, n_pos - tp], [fp, n_neg - fp])
            for tp, fp in outcomes
        ]
        ends = np.array([intervals(delong(table)) for table in tables])
        tp, fp = np.array(outcomes).T
        for tpr, fpr in RATES:
            chance = stats.binom.pmf(tp, n_pos, tpr) * stats.binom.pmf(fp, n_neg, fpr)
            truth = (tpr + 1 - fpr) / 2
            inside = (ends[..., 0] - 1e-12 <= truth) & (truth <= ends[..., 1] + 1e-12)
            width = ends[..., 1] - ends[..., 0]
            yield Cell("yes/no", f"{n_pos} + {n_neg}", chance @ inside, chance @ width)


def fine(n_pos: int, n_neg: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return coverage and mean width at all rates of the grid.

    First with half a case, then with a whole one where there is no spread, then by default.
    """
    ends = np.zeros((3, 2, n_pos + 1, n_neg + 1))
    for tp, fp in product(range(n_pos + 1), range(n_neg + 1)):
        found = delong(ScoreTable.from_counts([1, 0], [tp, n_pos - tp], [fp, n_neg - fp]))
        usual = found.interval(LEVEL)
        plain = whole = usual.low, usual.high
        if usual.method.endswith("unseen") and found.classes is not None:
            means = [c for c in found.classes if isinstance(c, ClassMean)]
            plain = square_and_add(found.value, means, LEVEL, [HALF_A_CASE] * 2)
            whole = square_and_add(found.value, means, LEVEL, [c.added for c in means])
        ends[:, :, tp, fp] = plain, whole, tuple(usual)
    tpr, fpr = SENSITIVITIES, FALSE_ALARMS
    of_pos = stats.binom.pmf(np.arange(n_pos + 1), n_pos, tpr[:, None])
    of_neg = stats.binom.pmf(np.arange(n_neg + 1), n_neg, fpr[:, None])
    truth = (tpr[:, None] + 1 - fpr)[:, :, None, None] / 2
    chance = np.asarray(of_pos)[:, None, :, None] * np.asarray(of_neg)[None, :, None, :]
    covered = [(chance * (abs(truth - truth.clip(*e)) < 1e-12)).sum((2, 3)) for e in ends]
    width = [(chance * (e[1] - e[0])).sum((2, 3)) for e in ends]
    return np.array(covered), np.array(width)


def fine_lines() -> Iterator[str]:
    yield from (
        "",
        "## Yes/no tests on a fine grid",
        "",
        "Exact sums for a tpr from .04 to .995 and an fpr from .005 to .5: least percent covered,",
        "and the share of the grid below 93.5, with half a case in each class, with a whole one",
        "where a class shows no spread, and with Miettinen and Nurminen's score limits, too (the",
        "default). Width: the mean ratio of the default's to that of half a case, and the largest.",
        "",
        "| cases | half | below | whole | below | default | below | mean width | largest |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    )
    for n_pos, n_neg in FINE:
        covered, width = fine(n_pos, n_neg)
        ratio = width[2] / width[0]
        shown = [f"{100 * c.min():.1f} | {100 * (c < HOLDS).mean():.1f}" for c in covered]
        numbers = f"{ratio.mean():.3f} | {ratio.max():.3f}"
        yield f"| {n_pos} + {n_neg} | {' | '.join(shown)} | {numbers} |"


@dataclass(frozen=True)
class Point:
    """The frontier at one part of a case: the least coverage, and what it costs."""

    lowest: float
    below: int
    cells: int
    ratio: float


def point(cells: list[Cell], j: int) -> Point:
    """Sum up; the width is the ratio of mean widths where the log odds hold."""
    coverage = np.array([cell.coverage for cell in cells])
    width = np.array([cell.width for cell in cells])[coverage[:, 0] >= HOLDS]
    return Point(
        float(coverage[:, j].min()),
        int((coverage[:, j] < HOLDS).sum()),
        len(cells),
        float(width[:, j].sum() / width[:, 0].sum()),
    )


def groups(cells: list[Cell]) -> dict[str, list[Cell]]:
    exact = [cell for cell in cells if cell.kind == "yes/no"]
    return {
        "populations of the ledger's first section": [c for c in cells if c.kind == "drawn"],
        "yes/no tests but for 5 + 5 cases": [c for c in exact if c.size != SMALL],
        "yes/no tests, 5 + 5 cases": [c for c in exact if c.size == SMALL],
    }


def page(cells: list[Cell], n_sim: int) -> str:
    lines = [
        "# How much of an unseen case",
        "",
        f"`python -m benchmarks.constants.unseen_area`, seed {SEED}, {n_sim} samples (a tenth with",
        "10,000 negatives); yes/no tests are exact sums. Width: ratio of mean widths to that",
        f"of the interval on the log odds, in the cells where that covers {HOLDS:.1%} or more.",
        "",
        "| populations | case | lowest coverage | cells below 93.5 % | width |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for name, some in groups(cells).items():
        for j, case in enumerate(("log odds", *ADDED)):
            at = point(some, j)
            row = f"{100 * at.lowest:.1f} | {at.below} of {at.cells} | {at.ratio:.2f}"
            lines.append(f"| {name} | {case} | {row} |")
    lines += fine_lines()
    return "\n".join(lines) + "\n"


def draw(cells: list[Cell]) -> None:
    """Draw the frontier: width to the right, the least coverage upwards."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(6.4, 4), layout="constrained")
    styles = (("#0b5394", "o"), ("#b45f06", "s"), ("#6a329f", "^"))
    for (name, some), (colour, marker) in zip(groups(cells).items(), styles, strict=True):
        points = [point(some, j + 1) for j in range(len(ADDED))]
        x, y = [p.ratio for p in points], [100 * p.lowest for p in points]
        axes.plot(x, y, color=colour, marker=marker, label=name)
        for case, at in zip(ADDED, zip(x, y, strict=True), strict=True):
            axes.annotate(case, at, xytext=(4, -11), textcoords="offset points", color=colour)
    axes.axhline(100 * HOLDS, color="#888888", linewidth=0.8, linestyle="--")
    axes.set_xlabel("width, where the log odds hold: ratio of mean widths to theirs")
    axes.set_ylabel("lowest coverage, percent")
    axes.legend(frameon=False, fontsize="small", loc="lower right")
    figure.savefig(FIGURE, dpi=160, metadata={"Software": None})


def main() -> None:
    n_sim = int(sys.argv[1]) if len(sys.argv) > 1 else N_SIM
    cells = [*simulated(n_sim), *yes_no()]
    print(page(cells, n_sim))
    if len(sys.argv) == 1:
        OUT.write_text(page(cells, n_sim), encoding="utf-8")
        draw(cells)


if __name__ == "__main__":
    main()
