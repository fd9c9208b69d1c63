"""Populations for the ledger that `rocspace.simulate` does not have: several skewed scores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr

from rocspace.counts import PairedScores
from rocspace.simulate import Population, clustered_binormal, exponential, paired_binormal

Draw: TypeAlias = Callable[[np.random.Generator, tuple[int, int]], NDArray[np.float64]]


class Normal(Protocol):
    """Correlated Normal scores: the negatives standard, the positives with another mean."""

    names: tuple[str, ...]
    mean: NDArray[np.float64]

    def draw(self, *sizes: int, rng: np.random.Generator) -> PairedScores: ...


@dataclass(frozen=True)
class Skewed:
    """Normal scores made exponential: the correlations stay, the curves are those of Hanley."""

    name: str
    normal: Normal
    margins: tuple[Population, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return self.normal.names

    @property
    def auc(self) -> NDArray[np.float64]:
        return np.array([margin.auc for margin in self.margins])

    def draw(self, *sizes: int, rng: np.random.Generator) -> PairedScores:
        data = self.normal.draw(*sizes, rng=rng)
        z = data.score - data.label[:, None] * self.normal.mean
        times = np.where(data.label[:, None], self.auc / (1 - self.auc), 1)
        return replace(data, score=-log_ndtr(-z) * times)


def paired_exponential(areas: Sequence[float], r: float = 0.5) -> Skewed:
    """Several exponential scores of the same cases, with Normal copulas."""
    normal = paired_binormal(areas, r_pos=r, r_neg=r)
    listed = ", ".join(f"{area:g}" for area in areas)
    return Skewed(f"paired exponential, areas {listed}", normal, _margins(areas))  # type: ignore[arg-type]


def clustered_exponential(areas: Sequence[float], **kind: Any) -> Skewed:
    """Exponential scores of cases in clusters."""
    normal = clustered_binormal(areas, **kind)
    return Skewed("clustered exponential", normal, _margins(areas))  # type: ignore[arg-type]


def _margins(areas: Sequence[float]) -> tuple[Population, ...]:
    return tuple(exponential(area) for area in areas)


# --- single scores --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Single:
    """One score: its true area, and what draws blocks of it for either class."""

    name: str
    auc: float
    pos: Draw
    neg: Draw


def zero_inflated(share: float) -> Single:
    """Exponential scores, of which a share is 0 in the negatives, and half of it in the positives.

    Above 0 positives are four times as large.
    """

    def draw(zeros: float, scale: float) -> Draw:
        def scores(rng: np.random.Generator, shape: tuple[int, int]) -> NDArray[np.float64]:
            return np.where(rng.random(shape) < zeros, 0.0, scale * rng.exponential(size=shape))

        return scores

    of_pos, of_neg = share / 2, share
    area = of_pos * of_neg / 2 + (1 - of_pos) * (of_neg + (1 - of_neg) * 0.8)
    return Single(f"{share:g} zeros, skewed", area, draw(of_pos, 4.0), draw(of_neg, 1.0))


def heavy_tailed(shift: float) -> Single:
    """Scores of Cauchy's distribution, the positives shifted."""

    def neg(rng: np.random.Generator, shape: tuple[int, int]) -> NDArray[np.float64]:
        return rng.standard_cauchy(shape)

    def pos(rng: np.random.Generator, shape: tuple[int, int]) -> NDArray[np.float64]:
        return neg(rng, shape) + shift

    # The difference of two is Cauchy's with scale 2.
    return Single(
        f"heavy tails, shift {shift:g}", 0.5 + float(np.arctan(shift / 2) / np.pi), pos, neg
    )
