"""Which constants does the unseen heavy case of weighted areas take? Coverage against width.

The default interval of an area whose importance weights vary within a class allows for one more
case of the largest weight (`rocspace.results.unseen`, `rocspace.counts.weights`). On the same
samples this program measures, for some choices of its constants, what the interval of level .95
covers, and its mean width beside that of Hajek's variance alone: of whole areas and of parts (fpr 0
to .2). Development: the kinds of samples that the choice was made on.
Validation: other cuts, tilts, areas, shapes of weights and sizes.

    python -m benchmarks.constants.heavy_case                  # writes benchmarks/results
    python -m benchmarks.constants.heavy_case --samples 50     # so many samples, printed only
    python -m benchmarks.constants.heavy_case again            # many samples of the worst, printed
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import product
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.special import expit, logit, ndtri

from benchmarks.constants.choices import Situation, main
from benchmarks.coverage.ledger import LEVEL, SEED
from benchmarks.coverage.populations import lognormal_weights, tilted, two_phase, weighted_table
from rocspace.counts import ScoreTable
from rocspace.inference import auc_estimate, partial_auc_estimate
from rocspace.results import Estimate
from rocspace.simulate import binormal

ADDED, LIGHT = "rocspace.counts.weights._ADDED", "rocspace.counts.weights._LIGHT"
DF, HALF = "rocspace.results.unseen._HEAVY_DF", "rocspace.inference.area.HALF_A_CASE"
CHOICES: dict[str, dict[str, float]] = {
    "Hajek's variance alone": {ADDED: 0.0, HALF: 0.0},
    "chosen: 2 cases, 10 degrees of freedom, a tenth": {},
    "1 case": {ADDED: 1.0},
    "4 cases": {ADDED: 4.0},
    "5 degrees of freedom": {DF: 5.0},
    "20 degrees of freedom": {DF: 20.0},
    "a light case is the lightest": {LIGHT: 0.0},
    "a light case is that of a quarter": {LIGHT: 0.25},
    "no half a case at the far end": {HALF: 0.0},
    "a quarter of a case there": {HALF: 0.25},
    "a whole case there": {HALF: 1.0},
}
Draw = Callable[..., ScoreTable]
Draws = Callable[[int], NDArray[np.float64]]


def pareto_weights(area: float, n_pos: int, n_neg: int, rng: np.random.Generator) -> ScoreTable:
    """Normal scores whose weights, Pareto's with exponent 3, know nothing of them."""
    mean = np.repeat([2**0.5 * float(ndtri(area)), 0.0], [n_pos, n_neg])
    return weighted_table(n_pos, n_neg, rng.normal(mean, 1), 1 + rng.pareto(3, mean.size))


def exponentials(rng: np.random.Generator, mean: float) -> Draws:
    return lambda n: rng.exponential(mean, n)


def logistics(rng: np.random.Generator, at: float) -> Draws:
    return lambda n: rng.logistic(at, 1, n)


def exponential(area: float, n_pos: int, n_neg: int, rng: np.random.Generator) -> ScoreTable:
    """Exponential scores, seen with probabilities 1 / (1 + s)^2; high scores weigh much."""
    means = area / (1 - area), 1.0
    return seen_by_chance(
        [exponentials(rng, m) for m in means],
        (n_pos, n_neg),
        lambda s: (1 + s) ** -2.0,
        rng,
    )


def logistic(area: float, n_pos: int, n_neg: int, rng: np.random.Generator) -> ScoreTable:
    """Logistic scores; low ones are seen in one of twenty cases, high ones nearly always."""
    shift = brentq(lambda d: logistic_part(d, 1.0) - area, 0, 20)
    return seen_by_chance(
        [logistics(rng, d) for d in (shift, 0.0)],
        (n_pos, n_neg),
        lambda s: 0.05 + 0.95 * expit(2 * (s - 2)),
        rng,
    )


def seen_by_chance(
    draws: Sequence[Draws],
    sizes: tuple[int, int],
    probability: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    rng: np.random.Generator,
) -> ScoreTable:
    """Draw cases of both classes until so many were seen; each weighs 1 / probability."""
    kept = []
    for draw, size in zip(draws, sizes, strict=True):
        score: NDArray[np.float64] = np.empty(0)
        while score.size < size:
            more = draw(8 * size + 100)
            score = np.append(score, more[rng.random(more.size) < probability(more)])
        kept.append(score[:size])
    both = np.concatenate(kept)
    return weighted_table(*sizes, both, 1 / probability(both))


def logistic_part(shift: float, fpr: float) -> float:
    """Area up to a false positive rate under the curve of logistic scores."""
    return float(quad(lambda f: expit(shift + logit(f)), 0, fpr)[0])


def part_of(draw: Draw, area: float, fpr: float) -> float:
    """Return the true partial area from 0 to `fpr`."""
    if draw is exponential:  # the curve is fpr^((1 - area) / area)
        return float(area * fpr ** (1 / area))
    if draw is logistic:
        return logistic_part(brentq(lambda d: logistic_part(d, 1.0) - area, 0, 20), fpr)
    return binormal(area).partial_auc(fpr=(0, fpr))


KINDS: dict[str, tuple[tuple[tuple[str, Draw, float], ...], tuple[tuple[int, int], ...]]] = {
    "development": (
        (
            ("two-phase, 1 in 20", two_phase, 0.8),
            ("two-phase, 1 in 10", partial(two_phase, share=0.1), 0.9),
            ("w = exp(-s)", tilted, 0.8),
            ("w = exp(s)", partial(tilted, tilt=-1.0), 0.8),
            ("lognormal, blind", lognormal_weights, 0.85),
        ),
        ((20, 500), (50, 50), (200, 200), (500, 20)),
    ),
    "validation": (
        (
            ("two-phase, 1 in 5", partial(two_phase, cut=0.5, share=0.2), 0.85),
            ("two-phase, 1 in 30", partial(two_phase, cut=0.0, share=1 / 30), 0.75),
            ("w = exp(-s/2)", partial(tilted, tilt=0.5), 0.9),
            ("w = exp(s/2)", partial(tilted, tilt=-0.5), 0.7),
            ("Pareto, blind", pareto_weights, 0.8),
            ("exponential scores, w = (1 + s)^2", exponential, 0.8),
            ("logistic scores, w from 1 to 20", logistic, 0.85),
        ),
        ((30, 300), (40, 40), (100, 100), (300, 30)),
    ),
}


def measured(
    draw: Draw, area: float, size: tuple[int, int], samples: int, seed: int
) -> NDArray[np.float64]:
    """Return coverage and mean width: (area or part, choices, 2)."""
    rng = np.random.default_rng([SEED, 61, seed, *size])
    tables = [draw(area, *size, rng) for _ in range(samples)]
    targets: tuple[tuple[Callable[[ScoreTable], Estimate], float], ...] = (
        (auc_estimate, area),
        (partial(partial_auc_estimate, fpr=(0, 0.2)), part_of(draw, area, 0.2)),
    )
    found = np.empty((len(targets), len(CHOICES), samples, 2))
    for j, constants in enumerate(CHOICES.values()):
        with ExitStack() as stack:
            for name, value in constants.items():
                stack.enter_context(patch(name, value))
            for (t, (estimate, truth)), (i, table) in product(
                enumerate(targets), enumerate(tables)
            ):
                interval = estimate(table).interval(LEVEL)
                found[t, j, i] = truth in interval, interval.width
    return np.asarray(found.mean(axis=2))


def situations(samples: int) -> Iterator[Situation]:
    for role, (kinds, sizes) in KINDS.items():
        for (seed, (name, draw, area)), size in product(enumerate(kinds), sizes):
            both = measured(draw, area, size, samples, seed)
            for target, (cover, width) in zip(
                ("area", "part"), both.transpose(0, 2, 1), strict=True
            ):
                where = f"{name}, {size[0]} + {size[1]}"
                yield Situation(f"{target}, {role}", where, cover, width / width[0])


def again(samples: int = 2500) -> None:
    """Print the coverage where few samples had the least: 200 + 200 cases."""
    for name, draw, area in KINDS["development"][0]:
        if name not in ("two-phase, 1 in 20", "w = exp(s)"):
            continue
        rng = np.random.default_rng([SEED, 62])
        covered = np.zeros(2)
        part = part_of(draw, area, 0.2)
        for _ in range(samples):
            table = draw(area, 200, 200, rng)
            whole, some = auc_estimate(table), partial_auc_estimate(table, fpr=(0, 0.2))
            covered += area in whole.interval(LEVEL), part in some.interval(LEVEL)
        print(f"{name}, 200 + 200: area {100 * covered[0] / samples:.1f}, ", end="")
        print(f"fpr 0 to .2 {100 * covered[1] / samples:.1f} of {samples} samples")


if __name__ == "__main__":
    import warnings

    warnings.simplefilter("ignore")  # each sample that lacks heavy cases says so
    if sys.argv[1:] == ["again"]:
        again()
        sys.exit()
    main(__doc__, "heavy_case", tuple(CHOICES), situations, samples=300)
