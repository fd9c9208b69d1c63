"""Which critical value does the likelihood band need? Simulated, for class sizes and levels.

The band of `rocspace.bands.likelihood_band` contains the true curve when each of its points has a
point of the sample's polygon near enough: the largest of the least deviances must not exceed c^2.
This program draws samples, finds the root of that largest value for each, and writes what c has to
be to the table that the band reads: the largest of what some populations need. Scores are
continuous, so the polygon is a staircase, and its nearest point is found exactly.

    python -m benchmarks.constants.likelihood_band            # writes the table, and a page
    python -m benchmarks.constants.likelihood_band 200 20     # 200 samples, up to 20 cases: printed
                                                              # and compared with the table
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri, stdtr, stdtrit

from benchmarks.coverage.ledger import SEED

Vector: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "src" / "rocspace" / "bands" / "critical_values.txt"
PAGE = ROOT / "benchmarks" / "results" / "likelihood_band.md"
N_SIM = 3000
LEVELS = (0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995)
SHOWN = (0.9, 0.95, 0.99)
SIZES = (
    *range(2, 11), 15, 20, 25, 30, 40, 50, 70, 100, 150, 200, 300, 1000, 3000, 10_000,
)  # fmt: skip
ONE_NEEDS_MOST = (100, 300)  # cases of both classes where one curve needs more than all others,
MORE = 4  # so that the largest of nine is not too large by chance: so many times the samples
MANY = 2500  # cases of a class from which on fewer samples are drawn
ON_PAGE = (
    (4, 4), (10, 10), (20, 20), (50, 50), (100, 100), (300, 300), (1000, 1000), (10_000, 10_000),
    (4, 50), (10, 100), (20, 300), (20, 1000), (20, 10_000),
)  # fmt: skip
FINE = 1200  # true points that are looked at
AT_ONCE = 1_000_000  # scores


@dataclass(frozen=True)
class Curve:
    """A true curve, as a function and its inverse, both of shares in (0, 1)."""

    name: str
    tpr_at: Callable[[Vector], Vector]
    fpr_at: Callable[[Vector], Vector]

    def reflected(self) -> Curve:
        """Return the curve of the other class: scores and labels negated."""
        return Curve(
            f"{self.name}, reflected",
            lambda f: 1 - self.fpr_at(1 - f),
            lambda t: 1 - self.tpr_at(1 - t),
        )


def normal(area: float) -> Curve:
    shift = 2**0.5 * float(ndtri(area))
    return Curve(
        f"Normal, area {area:g}",
        lambda f: ndtr(ndtri(f) + shift),
        lambda t: ndtr(ndtri(t) - shift),
    )


def exponential(area: float) -> Curve:
    power = (1 - area) / area
    return Curve(f"exponential, area {area:g}", lambda f: f**power, lambda t: t ** (1 / power))


def cauchy(shift: float) -> Curve:
    def tail(x: Vector) -> Vector:
        return np.arctan2(1.0, x) / np.pi

    return Curve(
        f"Cauchy, shift {shift:g}",
        lambda f: tail(1 / np.tan(np.pi * f) - shift),
        lambda t: tail(1 / np.tan(np.pi * t) + shift),
    )


def student(df: int, shift: float) -> Curve:
    return Curve(
        f"Student({df}), shift {shift:g}",
        lambda f: stdtr(df, stdtrit(df, f) + shift),
        lambda t: stdtr(df, stdtrit(df, t) - shift),
    )


CURVES = (
    Curve("chance", np.copy, np.copy),
    normal(0.75),
    normal(0.9),
    normal(0.97),
    exponential(0.9),
    exponential(0.9).reflected(),
    cauchy(3),
    student(2, 3),
    student(4, 3),
)
"""With each of these curves its reflection is here, so c is symmetric in the class sizes. Curves of
scores with heavy tails need the largest c at some sizes: Cauchy's at 30 to 50 cases of both
classes, Student's t at 100 to 1000, the later the more degrees of freedom it has."""


def true_points(curve: Curve, n_pos: int, n_neg: int) -> tuple[Vector, Vector]:
    """Return points of the true curve, dense where either rate is near 0 or 1."""
    small = np.geomspace(1e-3 / n_neg, 0.5, FINE // 4)
    fpr = np.concatenate([small, 1 - small])
    rate = np.geomspace(1e-3 / n_pos, 0.5, FINE // 4)
    fpr = np.union1d(fpr, curve.fpr_at(np.concatenate([rate, 1 - rate])))
    fpr = fpr[(fpr > 0) & (fpr < 1)]
    tpr = np.asarray(curve.tpr_at(fpr))
    inside = (tpr > 0) & (tpr < 1)
    return fpr[inside], tpr[inside]


def in_order(rng: np.random.Generator, n_sim: int, n: int) -> Vector:
    """Draw uniform numbers, sorted in each row."""
    total = np.cumsum(rng.exponential(size=(n_sim, n + 1)), axis=1)
    return total[:, :-1] / total[:, -1:]


def entropies(n: int) -> Vector:
    """Return 2 (k log(k / n) + (n - k) log((n - k) / n)) of all k of n."""
    from scipy.special import xlogy

    k = np.arange(n + 1.0)
    return 2 * (xlogy(k, k / n) + xlogy(n - k, (n - k) / n))


@njit()
def nearest(
    a: Ints, b: Ints, at: int, f: float, t: float, own: tuple[Vector, Vector], enough: float
) -> float:
    """Return the least deviance of a true point from a staircase, or one that is no more than
    `enough`.

    The staircase of counts (a, b) is walked from where the true threshold meets it, both ways,
    until it has passed the true point in both directions.
    """
    last, n_neg, n_pos = a.size - 1, a[-1], b[-1]
    x, y = n_neg * f, n_pos * t
    odds_f, odds_t = 2 * np.log(f / (1 - f)), 2 * np.log(t / (1 - t))
    least_f, least_t = 2 * n_neg * np.log1p(-f), 2 * n_pos * np.log1p(-t)
    least = np.inf
    for way in (1, -1):
        j = at
        while least > enough:
            across = own[0][a[j]] - a[j] * odds_f - least_f
            along = own[1][b[j]] - b[j] * odds_t - least_t
            least = min(least, max(across + along, 0.0))
            # Beyond the true point in one direction the deviance in it can only grow.
            if way * (a[j] - x) > 0 and across >= least:
                break
            if way * (b[j] - y) > 0 and along >= least:
                break
            j += way
            if j < 0 or j > last:
                break
            # On a level run the nearest point is at the true rate itself, on a steep one too.
            if (a[j] - x) * (a[j - way] - x) < 0:
                least = min(least, along)
            if (b[j] - y) * (b[j - way] - y) < 0:
                least = min(least, across)
            if min(way * (a[j - way] - x), way * (b[j - way] - y)) >= 0:
                break
    return least


@njit()
def largest(
    neg: Vector, pos: Vector, fpr: Vector, tpr: Vector, own: tuple[Vector, Vector]
) -> Vector:
    """Return for each sample the root of the largest of the least deviances of true points.

    A sample is a row of the true false positive rates at its negatives, and one at its positives.
    """
    (n_sim, n_neg), n_pos = neg.shape, pos.shape[1]
    steps = n_neg + n_pos
    found = np.empty(n_sim)
    a, b = np.zeros(steps + 1, np.int64), np.zeros(steps + 1, np.int64)
    score = np.empty(steps)
    for s in range(n_sim):
        for j in range(steps):
            i, k = a[j], b[j]
            first = k == n_pos or (i < n_neg and neg[s, i] <= pos[s, k])
            a[j + 1], b[j + 1] = i + first, k + (not first)
            score[j] = neg[s, i] if first else pos[s, k]
        most = 0.0
        for each in (
            16,
            1,
        ):  # some points first: once one is far, others need not be looked at long
            at = 0
            for i in range(0, fpr.size, each):
                while at < steps and score[at] <= fpr[i]:
                    at += 1
                most = max(most, nearest(a, b, at, fpr[i], tpr[i], own, most))
        found[s] = np.sqrt(most)
    return found


def simulated(curve: Curve, n_pos: int, n_neg: int, n_sim: int, seed: int = SEED) -> Vector:
    """Return the roots of the largest of the least deviances of so many samples."""
    rng = np.random.default_rng([seed, n_pos, n_neg])
    points = true_points(curve, n_pos, n_neg)
    own = entropies(n_neg), entropies(n_pos)
    many = max(1, AT_ONCE // (n_pos + n_neg))
    parts = []
    for start in range(0, n_sim, many):
        rows = min(many, n_sim - start)
        neg, pos = in_order(rng, rows, n_neg), curve.fpr_at(in_order(rng, rows, n_pos))
        parts.append(largest(neg, pos, *points, own))
    return np.concatenate(parts)


def needed(n_pos: int, n_neg: int, n_sim: int) -> Vector:
    """Return the critical values: (curves, levels). Of large sizes fewer samples are drawn."""
    low, high = ONE_NEEDS_MOST
    exact = low <= n_pos <= n_neg <= high
    drawn = n_sim * MORE if exact else min(n_sim, n_sim * MANY // n_neg)
    found = (simulated(curve, n_pos, n_neg, drawn) for curve in CURVES)
    return np.array([np.quantile(roots, LEVELS, method="inverted_cdf") for roots in found])


def row(n_pos: int, n_neg: int, found: Vector) -> str:
    """Write what the most demanding curve needs, rounded up."""
    values = " ".join(f"{c:.3f}" for c in np.ceil(found.max(axis=0) * 1000) / 1000)
    return f"{n_pos} {n_neg} {values}"


def table(n_sim: int, largest_size: int) -> tuple[str, str]:
    """Return the table that the band reads, and a page with some of it by curve."""
    command = f"python -m benchmarks.constants.likelihood_band, {n_sim} samples, seed {SEED}"
    lines = [f"# {command}", "# Cases of both classes, and the critical values of the levels:"]
    lines.append("0 0 " + " ".join(f"{level:g}" for level in LEVELS))
    page = [
        "# The critical value of the likelihood band",
        "",
        f"`{command}`: what true curves need. The band takes the largest.",
        "",
        "| cases | of the other class | level | " + " | ".join(c.name for c in CURVES) + " |",
        "| ---: " * (3 + len(CURVES)) + "|",
    ]
    sizes = [size for size in SIZES if size <= largest_size]
    for few, many in ((a, b) for b in sizes for a in sizes if a <= b):
        found = needed(few, many, n_sim)
        lines.append(row(few, many, found))
        print(lines[-1], flush=True)
        for level in SHOWN if (few, many) in ON_PAGE else ():
            cells = " | ".join(f"{c:.2f}" for c in found[:, LEVELS.index(level)])
            page.append(f"| {few:,} | {many:,} | {level:g} | {cells} |")
    return "\n".join(lines) + "\n", "\n".join(page) + "\n"


def compared(values: str) -> str:
    """Say how far the values of a smaller run are from those of the table, level by level."""
    new = np.loadtxt(values.splitlines())
    old = np.loadtxt(TABLE)
    place = [int(np.flatnonzero((old[:, :2] == own).all(axis=1))[0]) for own in new[1:, :2]]
    ratio = new[1:, 2:] / old[place, 2:]
    lines = ["level: mean ratio to the table, least, greatest"]
    for level, each in zip(LEVELS, ratio.T, strict=True):
        lines.append(f"{level:g}: {each.mean():.3f}, {each.min():.3f}, {each.max():.3f}")
    return "\n".join(lines)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(compared(table(int(sys.argv[1]), int(sys.argv[2]))[0]))
    else:
        values, page = table(N_SIM, max(SIZES))
        TABLE.write_text(values, encoding="utf-8")
        PAGE.write_text(page, encoding="utf-8")
