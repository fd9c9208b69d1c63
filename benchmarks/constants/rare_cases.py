"""What if few cases tell two scores apart, and a sample of one class lacks them?

Two scores of the same cases are equal but for a share of the cases. In a small class a sample may
have none of these: it shows a small difference and a small variance. On samples of such
populations, and of the validation populations of `differences.py`, this program measures how often
the default interval of a difference covers the truth, in how many samples `auc_difference` warns,
and how often the interval covers in the others; and the same interval with a correlation of
placements that is pooled over both classes in the variance that the model expects, which was tried.

    python -m benchmarks.constants.rare_cases          # writes benchmarks/results, three minutes
    python -m benchmarks.constants.rare_cases 50       # so many samples, printed only
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from benchmarks.constants.differences import VALIDATION, Population, Score, exponential, normal
from benchmarks.constants.gaps import (
    APART,
    CORRELATION,
    DF,
    FIRST,
    SECOND,
    SPREAD,
    STEP,
    Gaps,
    Statistic,
    of_gap,
)
from benchmarks.coverage.ledger import SEED
from benchmarks.pages import keep, told
from rocspace import pair_scores
from rocspace.compare import auc_difference
from rocspace.results.discordance import ClassGap, placement_variance, rare_cases

Floats = NDArray[np.float64]
N_SIM, CHECKED = 300, 10
SIZES, USUAL_SIZES = ((15, 300), (10, 60), (8, 200), (40, 40)), ((15, 500), (12, 40), (30, 100))


@dataclass(frozen=True)
class Partly:
    """The second score is the first, but of a share of the cases another one."""

    name: str
    first: Score
    other: Score
    share: float
    neg_share: float | None = None

    @property
    def truth(self) -> float:
        return self.share * (self.first.area - self.other.area)

    def draw(self, size: tuple[int, int], n_sim: int, rng: np.random.Generator) -> Floats:
        m, n = size[0], sum(size)
        share = np.full(n, self.share)
        share[m:] = self.share if self.neg_share is None else self.neg_share
        u = ndtr(rng.normal(size=(2, n_sim, n)))
        scores = np.empty((n_sim, 2, n))
        for j, score in enumerate((self.first, self.other)):
            scores[:, j, :m], scores[:, j, m:] = score.pos(u[j, :, :m]), score.neg(u[j, :, m:])
        same = rng.random((n_sim, n)) >= share
        scores[:, 1] = np.where(same, scores[:, 0], scores[:, 1])
        return scores


PARTLY = (
    Partly("a fifth, .85 and .785", normal(0.85), normal(0.785), 0.2),
    Partly("a tenth, .9 and .6", normal(0.9), normal(0.6), 0.1),
    Partly("15 %, exponential, .85 and .7", exponential(0.85), exponential(0.7), 0.15),
    Partly("a quarter, .95 and .8", normal(0.95), normal(0.8), 0.25),
    Partly("a fifth of the positives alone, .85 and .7", normal(0.85), normal(0.7), 0.2, 0.0),
)


class Pooled(Statistic):
    """The correlation that the model expects is the mean over all cases of both classes."""

    def variances(self, areas: tuple[Floats, Floats]) -> list[Floats]:
        chosen, found = self.constants, []
        shift = areas[0] - areas[1] - self.value
        sizes = np.array(self.gaps.size)
        pooled = (self.gaps.classes[:, :, CORRELATION] * sizes).sum(axis=1) / sizes.sum()
        for c, n in enumerate(self.gaps.size):
            known = zip((FIRST, SECOND), areas, self.areas, strict=True)
            one, two = (
                self.of(c, of) * placement_variance(a) / placement_variance(at)
                for of, a, at in known
            )
            spread, r = self.of(c, SPREAD), self.of(c, CORRELATION)
            now = spread + self.change(c, (one, two), r, shift)
            now = np.maximum(now, chosen.least * spread)
            unseen = chosen.step * self.of(c, STEP)
            unseen = unseen + chosen.apart * np.sqrt(1 - r) * self.of(c, APART)
            models = [placement_variance(a) for a in areas]
            larger = np.maximum(one, models[0]), np.maximum(two, models[1])
            more = np.maximum(of_gap(*larger, pooled) - now, 0) + unseen / n
            found.append((now + chosen.credited / (self.df(c) + chosen.credited) * more) / n)
        return found


def warned(gaps: Gaps) -> NDArray[np.bool_]:
    """Return in which samples the library warns."""

    def gap(n: int, of: Floats) -> ClassGap:
        spreads = of[FIRST], of[SECOND]
        return ClassGap(
            n=n,
            spread=of[SPREAD],
            df=of[DF],
            spreads=spreads,
            correlation=of[CORRELATION],
            step=of[STEP],
            apart=of[APART],
        )

    both = [
        [gap(n, of) for n, of in zip(gaps.size, classes, strict=True)] for classes in gaps.classes
    ]
    told = [rare_cases(*pair) or rare_cases(*pair[::-1]) for pair in both]
    return np.array([each is not None for each in told]) & ~gaps.perfect


def check(size: tuple[int, int], scores: Floats, expected: NDArray[np.bool_]) -> None:
    label = np.arange(sum(size)) < size[0]
    for score, wanted in zip(scores, expected, strict=True):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            auc_difference(pair_scores(label, score.T))
        assert wanted == any("tell the two scores apart" in str(each.message) for each in caught)


def row(population: Partly | Population, size: tuple[int, int], n_sim: int, seed: int) -> str:
    rng = np.random.default_rng([SEED, 19, seed, *size])
    scores = population.draw(size, n_sim, rng)
    gaps = Gaps.of(size, scores)
    told = warned(gaps)
    check(size, scores[:CHECKED], told[:CHECKED])
    held, power = [], []
    for method in (Statistic, Pooled):
        p, at_zero = method(gaps).pvalue(population.truth), method(gaps).pvalue(0.0)
        held.append(((p >= 0.025) & (p <= 0.975)) | gaps.perfect)
        power.append(((at_zero < 0.025) | (at_zero > 0.975)) & ~gaps.perfect)
    shares = [held[0].mean(), told.mean(), held[0][~told].mean() if not told.all() else np.nan]
    shares += [held[1].mean(), power[0].mean(), power[1].mean()]
    numbers = " | ".join("" if np.isnan(x) else f"{100 * x:.1f}" for x in shares)
    return f"| {population.name} | {size[0]} + {size[1]} | {population.truth:.4f} | {numbers} |"


def rows(n_sim: int) -> Iterator[str]:
    for seed, (population, size) in enumerate(product(PARTLY, SIZES)):
        yield row(population, size, n_sim, seed)
    for seed, (usual, size) in enumerate(product(VALIDATION, USUAL_SIZES)):
        yield row(usual, size, n_sim, 100 + seed)


def page(n_sim: int) -> str:
    lines = [
        "# When few cases tell two scores apart",
        "",
        f"`python -m benchmarks.constants.rare_cases`, seed {SEED}, {n_sim} samples, level .95, in",
        "percent: how often the default interval covers, how often `auc_difference` warns, how",
        "often the interval covers where it does not (unwarned); coverage with a pooled",
        "correlation; how often the tests of equal areas reject, of both. First scores that differ",
        "in a share of the cases,",
        "then the validation populations of `benchmarks.constants.differences`.",
        "",
        "| scores | cases | truth | covers | warns | unwarned | pooled | rejects | pooled, too |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    return told(lines, rows(n_sim))


if __name__ == "__main__":
    keep("rare_cases", page, N_SIM)
