"""Populations for the ledger that `rocspace.simulate` does not have: several skewed scores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr, ndtri

from rocspace.counts import PairedScores, ScoreTable, tabulate
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


# --- weights that know the score, and clusters whose labels are pure ---------------------------


def weighted_table(
    n_pos: int, n_neg: int, score: NDArray[np.float64], weight: NDArray[np.float64]
) -> ScoreTable:
    label = np.repeat([True, False], [n_pos, n_neg])
    return tabulate(label, score, sample_weight=weight)


def two_phase(
    area: float,
    n_pos: int,
    n_neg: int,
    rng: np.random.Generator,
    *,
    cut: float = 1.0,
    share: float = 0.05,
) -> ScoreTable:
    """Normal scores: all above a cut are looked at, of the rest a share, which weighs more.

    As many of each class as the numbers say were looked at.
    """
    shift = 2**0.5 * float(ndtri(area))
    scores = []
    for n, mean in ((n_pos, shift), (n_neg, 0.0)):
        kept: NDArray[np.float64] = np.empty(0)
        while kept.size < n:
            drawn = rng.normal(mean, 1, 4 * n + 100)
            seen = (drawn > cut) | (rng.random(drawn.size) < share)
            kept = np.concatenate([kept, drawn[seen]])
        scores.append(kept[:n])
    score = np.concatenate(scores)
    return weighted_table(n_pos, n_neg, score, np.where(score > cut, 1.0, 1 / share))


def tilted(
    area: float, n_pos: int, n_neg: int, rng: np.random.Generator, *, tilt: float = 1.0
) -> ScoreTable:
    """Normal scores drawn in proportion to exp(tilt s), each case weighing exp(-tilt s)."""
    shift = 2**0.5 * float(ndtri(area))
    mean = np.repeat([shift + tilt, tilt], [n_pos, n_neg])
    score = rng.normal(mean, 1)
    return weighted_table(n_pos, n_neg, score, np.exp(-tilt * score))


def pure_clusters(
    sizes: Sequence[int],
    intraclass: float,
    areas: Sequence[float],
    rng: np.random.Generator,
    *,
    prevalence: float = 0.5,
    r: float = 0.5,
) -> PairedScores:
    """Normal scores in clusters of given sizes, of which each is of one class."""
    many, m = len(sizes), len(areas)
    positive = np.zeros(many, dtype=bool)
    while positive.all() or not positive.any():
        positive = rng.random(many) < prevalence
    return cluster_scores(np.repeat(positive, sizes), sizes, intraclass, areas, rng, r=r, m=m)


def mixed_clusters(
    sizes: Sequence[int],
    intraclass: float,
    areas: Sequence[float],
    rng: np.random.Generator,
    *,
    prevalence: float = 0.5,
    r: float = 0.5,
) -> PairedScores:
    """The same, the labels of a cluster's cases independent of each other."""
    label = np.zeros(sum(sizes), dtype=bool)
    while label.all() or not label.any():
        label = rng.random(label.size) < prevalence
    return cluster_scores(label, sizes, intraclass, areas, rng, r=r, m=len(areas))


def cluster_scores(
    label: NDArray[np.bool_],
    sizes: Sequence[int],
    intraclass: float,
    areas: Sequence[float],
    rng: np.random.Generator,
    *,
    r: float,
    m: int,
) -> PairedScores:
    cluster = np.repeat(np.arange(len(sizes)), sizes)

    def correlated(n: int) -> NDArray[np.float64]:
        return np.asarray(
            r**0.5 * rng.normal(size=(n, 1)) + (1 - r) ** 0.5 * rng.normal(size=(n, m))
        )

    common, own = correlated(len(sizes))[cluster], correlated(label.size)
    score = intraclass**0.5 * common + (1 - intraclass) ** 0.5 * own
    score += np.outer(label, 2**0.5 * ndtri(np.asarray(areas)))
    names = tuple(f"score_{i + 1}" for i in range(m))
    return PairedScores(label=label, score=score, names=names, cluster=cluster)


def lognormal_weights(area: float, n_pos: int, n_neg: int, rng: np.random.Generator) -> ScoreTable:
    """Normal scores whose weights know nothing of them."""
    mean = np.repeat([2**0.5 * float(ndtri(area)), 0.0], [n_pos, n_neg])
    return weighted_table(n_pos, n_neg, rng.normal(mean, 1), rng.lognormal(0, 1, mean.size))
