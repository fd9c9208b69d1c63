"""Which critical value does the likelihood band need? Simulated, beside the formula that it takes.

The band of `rocspace.bands.likelihood_band` contains the true curve when each of its points has a
point of the sample's polygon near enough: the largest of the least deviances must not exceed c^2.
This program draws samples, computes that largest value for each, and prints the root of its
quantiles for a grid of class sizes and levels, next to the c of the formula, whose two constants
were found in this way. Scores are continuous, so the polygon is a staircase, and on each of its
steps the nearest point is found exactly.

    python -m benchmarks.constants.likelihood_band          # writes benchmarks/results
    python -m benchmarks.constants.likelihood_band 50       # so many samples, printed only
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from benchmarks.coverage.ledger import SEED
from rocspace import roc_curve, simulate
from rocspace.bands.likelihood import reach
from rocspace.counts import ScoreTable
from rocspace.simulate import Population

OUT = Path(__file__).resolve().parents[1] / "results" / "likelihood_band.md"
N_SIM = 1000
LEVELS = (0.9, 0.95, 0.99)
SIZES = (
    (5, 5), (10, 10), (20, 20), (50, 50), (100, 100), (300, 300), (1000, 1000),
    (5, 50), (50, 5), (10, 100), (20, 200), (20, 2000), (2000, 20), (20, 20_000),
)  # fmt: skip
POPULATIONS = {
    "Normal, area .75": simulate.binormal(0.75),
    "Normal, area .9": simulate.binormal(0.9),
    "exponential, area .9": simulate.exponential(0.9),
    "Normal, area .995": simulate.binormal(0.995),
}
FINE = 400  # true points that are looked at


def steps(table: ScoreTable) -> np.ndarray:
    """Return the height and both ends of each horizontal run of a staircase: (k, 3)."""
    curve = roc_curve(table, collinear="drop")
    fpr, tpr = curve.fpr, curve.tpr
    flat = np.flatnonzero(np.diff(fpr) > 0)
    return np.column_stack([tpr[flat], fpr[flat], fpr[flat + 1]])


def divergence(seen: np.ndarray, true: np.ndarray) -> np.ndarray:
    """Return KL(seen, true), zero times log zero being zero."""
    from scipy.special import xlogy

    return xlogy(seen, seen / true) + xlogy(1 - seen, (1 - seen) / (1 - true))


def largest(table: ScoreTable, fpr: np.ndarray, tpr: np.ndarray) -> float:
    """Return the root of the largest of the least deviances of true points from the polygon."""
    n_pos, n_neg = float(table.n_pos), float(table.n_neg)
    height, left, right = steps(table).T
    f, t = fpr[:, np.newaxis], tpr[:, np.newaxis]
    # On a horizontal run the nearest point is the true rate, cut to the run; vertical ones alike.
    flat = n_neg * divergence(np.clip(f, left, right), f) + n_pos * divergence(height, t)
    at = np.append(left, 1.0)
    low, high = np.append(0.0, height), np.append(height, 1.0)
    steep = n_neg * divergence(at, f) + n_pos * divergence(np.clip(t, low, high), t)
    least = np.minimum(flat.min(axis=1), steep.min(axis=1))
    return float(np.sqrt(2 * max(least.max(), 0.0)))


def true_points(population: Population, sizes: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """Return points of the true curve, dense where either rate is near 0 or 1."""
    small = np.geomspace(1e-3 / sizes[1], 0.5, FINE // 2)
    fpr = np.concatenate([small, 1 - small])
    rate = np.geomspace(1e-3 / sizes[0], 0.5, FINE // 4)
    fpr = np.union1d(fpr, population.fpr_at(np.concatenate([rate, 1 - rate])))
    tpr = np.asarray(population.tpr_at(fpr))
    inside = (fpr > 0) & (fpr < 1) & (tpr > 0) & (tpr < 1)
    return fpr[inside], tpr[inside]


def quantiles(population: Population, sizes: tuple[int, int], n_sim: int) -> np.ndarray:
    """Return the critical values of the levels."""
    rng = np.random.default_rng(SEED)
    fpr, tpr = true_points(population, sizes)
    found = [largest(population.draw(*sizes, rng=rng), fpr, tpr) for _ in range(n_sim)]
    return np.quantile(found, LEVELS)


def page(n_sim: int) -> str:
    names = " | ".join(POPULATIONS)
    command = f"`python -m benchmarks.constants.likelihood_band {n_sim}`"
    lines = [
        "# The critical value of the likelihood band",
        "",
        f"{command}, seed {SEED}: what true curves need, and the c of the formula.",
        "",
        f"| positives | negatives | level | {names} | formula |",
        "| ---: " * (4 + len(POPULATIONS)) + "|",
    ]
    for sizes in SIZES:
        needed = np.array([quantiles(p, sizes, n_sim) for p in POPULATIONS.values()])
        for j, level in enumerate(LEVELS):
            c = reach(level, float(max(sizes)))
            cells = " | ".join(f"{value:.2f}" for value in needed[:, j])
            lines.append(f"| {sizes[0]:,} | {sizes[1]:,} | {level:g} | {cells} | {c:.2f} |")
        print("\n".join(lines[-len(LEVELS) :]), flush=True)
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    if len(sys.argv) > 1:
        page(int(sys.argv[1]))
    else:
        OUT.write_text(page(N_SIM), encoding="utf-8")
