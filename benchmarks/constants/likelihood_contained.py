"""How often does the likelihood band contain the true curve, and how wide is it?

With the critical value of the table, beside that of the formula of version 0.1, on curves of which
four served for the table and seven did not. A curve is contained when the largest of its
points' least deviances is at most c^2, which `likelihood_band.py` finds without the band itself.

    python -m benchmarks.constants.likelihood_contained          # writes benchmarks/results
    python -m benchmarks.constants.likelihood_contained 50       # so many samples, printed only
    python -m benchmarks.constants.likelihood_contained lowest   # the second table, printed only
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from scipy.stats.distributions import rv_frozen

from benchmarks.constants.likelihood_band import Curve, cauchy, normal, simulated, student
from benchmarks.coverage.ledger import SEED
from rocspace import roc_curve, tabulate
from rocspace.bands.formulas import made
from rocspace.bands.likelihood import likelihood_bounds, likelihood_knots, reach

OUT = Path(__file__).resolve().parents[1] / "results" / "likelihood_contained.md"
N_SIM = 3000
N_WIDTHS = 3  # samples whose bands are compared
LEVELS = (0.9, 0.95, 0.99)
SIZES = (
    (5, 5), (10, 10), (12, 12), (20, 20), (25, 25), (40, 40), (70, 70), (150, 150), (200, 200),
    (500, 500), (3000, 3000), (10, 100), (100, 10), (20, 1000), (20, 20_000),
)  # fmt: skip
"""Those of 12, 25, 40, 70, 150, 500 and 20,000 cases are between the sizes of the table."""


def of_scores(name: str, pos: rv_frozen, neg: rv_frozen) -> Curve:
    return Curve(name, lambda f: pos.sf(neg.isf(f)), lambda t: neg.sf(pos.isf(t)))


CURVES = (
    normal(0.75),
    cauchy(3),
    student(2, 3),
    student(4, 3),
    of_scores("Normal, area .8, sd 2", stats.norm(1.88, 2), stats.norm()),
    of_scores("gamma(.5), ratio 8", stats.gamma(0.5, scale=8), stats.gamma(0.5)),
    of_scores("Laplace, shift 2", stats.laplace(2), stats.laplace()),
    of_scores("Student(6), shift 3", stats.t(6, 3), stats.t(6)),
    of_scores("Student(2.5), shift 2, sd 2", stats.t(2.5, 2, 2), stats.t(2.5)),
    of_scores("Lomax(1), ratio 8", stats.lomax(1, scale=8), stats.lomax(1)),
    of_scores("Normal, area .8, sd .5", stats.norm(0.941, 0.5), stats.norm()),
)
"""The first four served for the table, the others are validation."""
N_LOWEST = 40_000
LOWEST = ((CURVES[2], (200, 200)), (CURVES[6], (200, 200)), (CURVES[0], (5, 5)))
"""Those that were contained least often at level .9 before Student's t served for the table."""


def former(level: float, n: float) -> float:
    """Return the critical value of the two constants 13 and 3, by the larger class."""
    from scipy.optimize import brentq
    from scipy.special import ndtr

    time = max(0.0, float(np.log(n / 13)) / 3)

    def excess(c: float) -> float:
        density = np.exp(-c * c / 2) / np.sqrt(2 * np.pi)
        return float(2 * ndtr(-c) + 2 * time * c * density) - (1 - level)

    return float(brentq(excess, 1.0, 40.0))


def widths(
    curve: Curve, sizes: tuple[int, int], c: list[tuple[float, float]]
) -> NDArray[np.float64]:
    """Return the sums of the areas of bands: (level, which c)."""
    rng = np.random.default_rng([SEED, *sizes])
    n_pos, n_neg = sizes
    total = np.zeros((len(LEVELS), 2))
    for _ in range(N_WIDTHS):
        score = np.concatenate([curve.fpr_at(rng.random(n_pos)), rng.random(n_neg)])
        line = roc_curve(tabulate([1] * n_pos + [0] * n_neg, -score)).line
        knots = likelihood_knots(line)[::8]
        for i, j in np.ndindex(total.shape):
            ends = likelihood_bounds(line, knots, float(n_pos), float(n_neg), c[i][j])
            total[i, j] += made(
                knots, *ends, level=LEVELS[i], method="likelihood", simultaneous=True
            ).area
    return total


def page(n_sim: int) -> str:
    command = f"`python -m benchmarks.constants.likelihood_contained {n_sim}`"
    heads = " | ".join(f"{level:g}: contained | ratio of widths" for level in LEVELS)
    lines = [
        "# How often the likelihood band contains the curve",
        "",
        f"{command}, seed {SEED}: percent of samples, by the formula of version 0.1 and by the",
        "table; then the ratio of the mean areas of both bands. The first four served for the",
        "table.",
        "",
        f"| scores | positives | negatives | {heads} |",
        "| --- " + "| ---: " * (2 + 2 * len(LEVELS)) + "|",
    ]
    for curve in CURVES:
        for sizes in SIZES:
            c = [(former(level, max(sizes)), reach(level, *sizes)) for level in LEVELS]
            roots = simulated(
                curve, *sizes, max(n_sim // 10, n_sim * 1000 // max(1000, *sizes)), SEED + 1
            )
            inside = [[100 * float(np.mean(roots <= value + 1e-9)) for value in two] for two in c]
            cells = " | ".join(
                f"{a:.1f}, {b:.1f} | {w[1] / w[0]:.2f}"
                for (a, b), w in zip(inside, widths(curve, sizes, c), strict=True)
            )
            lines.append(f"| {curve.name} | {sizes[0]:,} | {sizes[1]:,} | {cells} |")
            print(lines[-1], flush=True)
    return "\n".join([*lines, "", *lowest()]) + "\n"


def lowest() -> list[str]:
    """Return a table of the lowest, from other samples: is it the error of the simulation?"""
    heads = " | ".join(f"{level:g}: contained | c, needed" for level in LEVELS)
    lines = [
        f"The lowest at level .9 before Student's t served, in {N_LOWEST:,} other samples:",
        "percent contained by the table, its c, and the c that the level needs.",
        "",
        f"| scores | positives | negatives | {heads} |",
        "| --- " + "| ---: " * (2 + 2 * len(LEVELS)) + "|",
    ]
    for curve, sizes in LOWEST:
        roots, c = simulated(curve, *sizes, N_LOWEST, SEED + 8), [reach(x, *sizes) for x in LEVELS]
        inside = [100 * float(np.mean(roots <= value + 1e-9)) for value in c]
        needed = np.quantile(roots, LEVELS, method="higher")
        cells = " | ".join(
            f"{a:.1f} | {b:.3f}, {q:.3f}" for a, b, q in zip(inside, c, needed, strict=True)
        )
        lines.append(f"| {curve.name} | {sizes[0]:,} | {sizes[1]:,} | {cells} |")
    return lines


if __name__ == "__main__":
    if sys.argv[1:] == ["lowest"]:
        print("\n".join(lowest()))
    elif len(sys.argv) > 1:
        page(int(sys.argv[1]))
    else:
        OUT.write_text(page(N_SIM), encoding="utf-8")
