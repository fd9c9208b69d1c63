"""At which false positive rates, and at how many, does generalized least squares see a curve?

The rates of `fit_gls` are those at the negatives. First, what is lost with some of them only: the
area of the ellipse of a and b with all, over that with so many evenly spaced in probits, where
the curve is known; rates that no positive, or each, is expected to pass are left out. Second, what
the fit makes of samples by rates of three kinds: how many it refuses, b in the mean (of ln b), its
spread, and how many of 100 bands hold the whole curve where it is fitted; the last, of scores that
are rounded to halves.

    python -m benchmarks.constants.least_squares_rates        # prints tables, two minutes;
                                                              # benchmarks/results has them
    python -m benchmarks.constants.least_squares_rates 50     # of so many samples
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from benchmarks.coverage.ledger import LEVEL, SEED
from benchmarks.coverage.own_fits import EVEN, FEW_NEG, GRID, Both, normals
from benchmarks.speed.common import table
from rocspace.bands import fit_band
from rocspace.counts import ScoreTable
from rocspace.models import fit_gls, placements
from rocspace.results import Fit

Floats = NDArray[np.float64]

N_SIM = 500
MANY = (5, 9, 15, 20, 30)
SIZES = ((50, 50), (200, 50), (50, 200), (200, 200), (500, 500))
CURVES = ((0.7, 1.0), (0.85, 1.0), (0.85, 0.5), (0.85, 2.0), (0.97, 1.0))
SETTINGS = (
    (normals(0.8, 1), (50, 50)),
    (normals(0.85, 2), EVEN),
    (normals(0.9, 1), (20, 20)),
    (normals(0.97, 1), (50, 50)),
    (normals(0.97, 1), FEW_NEG),
    (
        replace(normals(0.85, 1), name="Normal, area .85, halves", scale=lambda x: np.round(2 * x)),
        (50, 50),
    ),
)


# --- how many ---------------------------------------------------------------------------------


def at_negatives(n_neg: int, many: int) -> Floats:
    """Return the rates of so many of the negatives, evenly spaced in probits."""
    rates = np.arange(1, n_neg + 1) / (n_neg + 1)
    z = ndtri(rates)
    goals = np.linspace(z[0], z[-1], many)
    return np.asarray(rates[np.unique(np.abs(z[:, np.newaxis] - goals).argmin(axis=0))])


def ellipse(a: float, b: float, size: tuple[int, int], rates: Floats) -> float:
    """Return the area of the ellipse of a and b, up to a factor."""
    n1, n0 = size
    tpr = ndtr(a + b * ndtri(rates))
    at = rates[(tpr * n1 >= 0.5) & ((1 - tpr) * n1 >= 0.5)]
    z = ndtri(at)
    line = np.column_stack([np.ones(z.size), z])
    errors = placements._errors_of_points(np.array([a, b]), at, z, (n0, n1))
    information = line.T @ np.linalg.solve(errors, line)
    return float(1 / np.sqrt(np.linalg.det(information))) if z.size > 1 else np.inf


def shares() -> Iterator[list[str]]:
    """Yield a line for each size and curve."""
    for size in SIZES:
        for area, b in CURVES:
            a = float(ndtri(area)) * np.hypot(1, b)
            all_of_them = ellipse(a, b, size, at_negatives(size[1], size[1]))
            parts = [all_of_them / ellipse(a, b, size, at_negatives(size[1], k)) for k in MANY]
            yield [f"{size[0]} + {size[1]}, area {area:g}, b {b:g}", *(f"{p:.2f}" for p in parts)]


# --- which ------------------------------------------------------------------------------------


def by_count(sample: ScoreTable) -> Floats:
    """Return j / (k + 1), k the root of the cases of the smaller class, from 2 to 9."""
    k = max(2, min(9, int(np.sqrt(min(sample.n_pos, sample.n_neg)))))
    return np.arange(1, k + 1) / (k + 1)


def by_probits(sample: ScoreTable) -> Floats:
    """Return as many, evenly spaced in probits from 1.5 / (N + 1) to k / (k + 1)."""
    last = by_count(sample)
    low, high = ndtri([1.5 / (float(sample.n_neg) + 1), last[-1]])
    return np.asarray(ndtr(np.linspace(low, high, last.size)))


KINDS: dict[str, Callable[[ScoreTable], Floats | None]] = {
    "j / (k + 1)": by_count,
    "from 1.5 / (N + 1)": by_probits,
    "at negatives": lambda _: None,
}


def fitted(sample: ScoreTable, rates: Floats | None) -> Fit | None:
    try:
        fit = fit_gls(sample, rates=rates)
    except ValueError:
        return None
    return None if "degenerate" in fit.flags else fit


def holds(fit: Fit, one: Both) -> bool:
    limits = zip(*fit_band(fit, level=LEVEL).at_fpr(GRID), strict=True)
    low, high = (np.array(each) for each in limits)
    truth = one.tpr(GRID)
    return bool(((low <= truth) & (truth <= high)).all())


def kinds(one: Both, size: tuple[int, int], n_sim: int) -> Iterator[list[str]]:
    """Yield a line for each kind of rates."""
    rng = np.random.default_rng(SEED)
    drawn = [one.draw(size, rng) for _ in range(n_sim)]
    for name, rates in KINDS.items():
        fits = [fit for fit in (fitted(sample, rates(sample)) for sample in drawn) if fit]
        log = np.log([fit.parameters["b"] for fit in fits])
        wide = np.mean([fit_band(fit, level=LEVEL).area for fit in fits])
        held = np.mean([holds(fit, one) for fit in fits])
        numbers = [one.parameters["b"], np.exp(log.mean()), log.std(), wide]
        refused = f"{1 - len(fits) / n_sim:.0%}"
        yield [name, refused, *(f"{number:.3g}" for number in numbers), f"{held:.1%}"]


def main() -> None:
    n_sim = int(sys.argv[1]) if len(sys.argv) > 1 else N_SIM
    print(table(["", *map(str, MANY)], list(shares())), end="\n\n", flush=True)
    head = ["", "refused", "b", "mean", "spread", "band", "held"]
    for one, size in SETTINGS:
        print(f"{one.name}, {size[0]} + {size[1]}, {n_sim} samples\n")
        print(table(head, list(kinds(one, size, n_sim))), end="\n\n", flush=True)


if __name__ == "__main__":
    main()
