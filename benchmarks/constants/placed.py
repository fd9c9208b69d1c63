"""How biased are fits to placements, and which errors know it?

Of Normal scores, by each model and each form of its errors: b in the mean and in the median (the
mean is that of ln b), the mean standard error of b beside the spread of its estimates, and how many
of 100 intervals of b and of the area up to fpr .2 hold the truth.

    python -m benchmarks.constants.placed        # prints tables, half a minute
    python -m benchmarks.constants.placed 50     # of so many samples
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from benchmarks.coverage.ledger import SEED
from benchmarks.coverage.own_fits import ESTIMATES, EVEN, FEW_NEG, PART, Both, normals
from benchmarks.speed.common import table
from rocspace.counts import ScoreTable
from rocspace.models import fit_minimum_distance, fit_profile_likelihood, fit_pseudo_likelihood
from rocspace.results import Fit

N_SIM = 200
SETTINGS = ((normals(0.85, 1), (50, 50)), (normals(0.85, 2), EVEN), (normals(0.97, 1), FEW_NEG))
FITS: dict[str, Callable[[ScoreTable], Fit]] = {
    "midpoints, sandwich": partial(
        fit_pseudo_likelihood, placements="midpoints", covariance="sandwich"
    ),
    "pseudo-likelihood, midpoints": partial(fit_pseudo_likelihood, placements="midpoints"),
    "pseudo-likelihood": fit_pseudo_likelihood,
    "minimum-distance, sandwich": partial(fit_minimum_distance, covariance="sandwich"),
    "minimum-distance": fit_minimum_distance,
    "profile-likelihood, observed": partial(fit_profile_likelihood, covariance="observed"),
    "profile-likelihood": fit_profile_likelihood,
}
HEAD = ["", "b", "mean", "median", "spread", "error", "covered", "part covered"]


def rows(one: Both, size: tuple[int, int], n_sim: int) -> Iterator[list[str]]:
    """Yield a line for each model."""
    rng = np.random.default_rng(SEED)
    drawn = [one.draw(size, rng) for _ in range(n_sim)]
    truth = {"b": one.parameters["b"], PART: one.truths()[PART]}
    for name, fit in FITS.items():
        fits = [fitted for fitted in map(fit, drawn) if "degenerate" not in fitted.flags]
        b = np.array([fitted.parameters["b"] for fitted in fits])
        held = {
            "b": [truth["b"] in found.parameter_estimate("b").interval() for found in fits],
            PART: [truth[PART] in ESTIMATES[PART](found).interval() for found in fits],
        }
        numbers: list[Any] = [truth["b"], np.exp(np.log(b).mean()), np.median(b), b.std()]
        numbers.append(np.mean([found.se["b"] for found in fits]))
        shares = [f"{np.mean(each):.0%}" for each in held.values()]
        yield [name, *(f"{number:.3g}" for number in numbers), *shares]


def main() -> None:
    n_sim = int(sys.argv[1]) if len(sys.argv) > 1 else N_SIM
    for one, size in SETTINGS:
        print(f"{one.name}, {size[0]} + {size[1]}, {n_sim} samples\n")
        print(table(HEAD, list(rows(one, size, n_sim))), end="\n\n", flush=True)


if __name__ == "__main__":
    main()
