"""Populations for the ledger that `rocspace.simulate` does not have: several skewed scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr

from rocspace.counts import PairedScores
from rocspace.simulate import Population, clustered_binormal, exponential, paired_binormal


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
