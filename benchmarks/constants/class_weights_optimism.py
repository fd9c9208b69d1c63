"""Which correction is nearest to what chosen weights of classes truly cost.

    python benchmarks/constants/class_weights_optimism.py [--samples 100]

Three classes with Normal scores, as probabilities that are right up to weights of the classes, the
same rounded to tenths, or shares of exponential scores; the truth is the cost of the chosen weights
among 60,000 other cases. Prints for each situation the mean apparent cost, the mean true cost, and
how far each correction is from the truth on average, and at last from where to where these are.
"""

import argparse
from collections.abc import Callable, Sequence
from itertools import product
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rocspace.multiclass import (
    MulticlassScores,
    class_weights_bootstrap,
    decide_classes,
    multiclass_scores,
)

COSTS = np.array([[0.0, 1, 4], [1, 0, 4], [1, 1, 0]])
Floats = NDArray[np.float64]
Draw = Callable[[np.random.Generator, Floats, float], Floats]
HOW: tuple[Literal["out of bag", ".632", "harrell"], ...] = ("out of bag", ".632", "harrell")


def normal(rng: np.random.Generator, at: Floats, distance: float) -> Floats:
    x = rng.normal(size=at.shape) + distance * at
    p = np.exp(distance * x + np.array([0.0, 0.5, -0.5]))
    return np.asarray(p / p.sum(axis=1, keepdims=True))


def rounded(rng: np.random.Generator, at: Floats, distance: float) -> Floats:
    return np.round(normal(rng, at, distance), 1)


def exponential(rng: np.random.Generator, at: Floats, distance: float) -> Floats:
    x = rng.exponential(size=at.shape) * (1 + 2 * distance * at)
    return np.asarray(x / x.sum(axis=1, keepdims=True))


KINDS = (normal, rounded, exponential)
SIZES = ((20, 20, 20), (50, 30, 20), (100, 100, 100), (10, 10, 10), (5, 50, 200))
DISTANCES = (0.5, 1.5)


def draw(
    rng: np.random.Generator, kind: Draw, sizes: Sequence[int], distance: float
) -> MulticlassScores:
    label = np.repeat(np.arange(3), sizes)
    return multiclass_scores(label, kind(rng, np.eye(3)[label], distance))


def measure(
    kind: Draw, sizes: Sequence[int], distance: float, samples: int
) -> tuple[float, float, list[float]]:
    """Return the mean apparent and true cost, and the corrections minus the true cost."""
    rng = np.random.default_rng(1)
    shares = {i: n / sum(sizes) for i, n in enumerate(sizes)}
    others = draw(rng, kind, (20_000,) * 3, distance)
    rows = []
    for _ in range(samples):
        found = class_weights_bootstrap(
            draw(rng, kind, sizes, distance), costs=COSTS, n_boot=50, rng=rng, progress=False
        )
        weight = found.decisions.class_weight
        truth = decide_classes(others, costs=COSTS, priors=shares, class_weight=weight).cost
        rows.append([found.apparent, truth, *(found.corrected_by(how) for how in HOW)])
    apparent, truth, *corrected = np.mean(rows, axis=0)
    return apparent, truth, [x - truth for x in corrected]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--samples", type=int, default=100)
    samples = parser.parse_args().samples
    every = []
    for kind, sizes, distance in product(KINDS, SIZES, DISTANCES):
        apparent, truth, gaps = measure(kind, sizes, distance, samples)
        every.append([apparent - truth, *gaps])
        said = ", ".join(f"{how} {gap:+.3f}" for how, gap in zip(HOW, gaps, strict=True))
        print(f"{kind.__name__} {sizes} d={distance}: ", end="")
        print(f"apparent {apparent:.3f}, true {truth:.3f}; {said}", flush=True)
    for how, gaps in zip(("apparent", *HOW), np.transpose(every), strict=True):
        print(f"{how}: {gaps.min():+.3f} to {gaps.max():+.3f} in {gaps.size} situations")


if __name__ == "__main__":
    main()
