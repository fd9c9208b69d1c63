"""What must an interval of a rate at a rate allow for, and what does it cost?

Both intervals of the true positive rate at a false positive rate (`tpr_at_interval` of
`rocspace.inference`: "profile", the default, and "rank mixture") are measured on the same samples
beside plainer or bolder forms: tied positives counted wholly or in proportion, counts at the
middle of the gap between two negatives, all of the error on one side where the other cannot err, a
distance that is enough at a right angle of the curve, too; and a known one, BTII of Zhou and Qin
(2005): the bootstrap with Agresti and Coull's added cases. Populations are those of the ledger,
and curves with one corner, read at the corner: of continuous scores and of yes/no tests. Nothing
was chosen on these samples.

    python -m benchmarks.constants.rates_at_rates       # writes benchmarks/results
    python -m benchmarks.constants.rates_at_rates 20    # so many samples, printed only
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from scipy.optimize import brentq
from scipy.special import betainc, ndtri

import rocspace as rs
from benchmarks.coverage.judge import LEAST
from benchmarks.coverage.ledger import LEVEL, SEED
from benchmarks.coverage.margins import MARGINS, Margin
from benchmarks.pages import keep
from rocspace.counts import ScoreTable
from rocspace.inference import tpr_at_interval
from rocspace.inference.on_curve import RateMethod
from rocspace.resampling import bootstrap, tpr_at

N_SIM, MORE, N_BOOT = 25, 16, 100  # at corners so many times the samples
SIZES, RATES = ((20, 50), (200, 200)), (0.05, 0.3)
CORNERS = ((0.95, 0.1), (0.8, 0.02))
CORNER_SIZES = ((20, 50), (200, 200), (1000, 1000))
Z = float(ndtri((1 + LEVEL) / 2))
Floats = NDArray[np.float64]
Limits = tuple[float, float]
Methods = dict[str, Callable[[ScoreTable, float], Limits]]


def missed(far: float) -> float:
    """Return how often two standard normal numbers are farther than that from a right angle."""
    one, two = stats.chi2.sf(far, 1), stats.chi2.sf(far, 2)
    return float(two / 4 + one / 2 + one**2 / 4)


FAR = float(brentq(lambda far: missed(far) - (1 - LEVEL), 1, 20))


# --- forms of both intervals, from counts -------------------------------------------------------


@dataclass(frozen=True)
class Counts:
    """Positives above the r-th negative and above the next, for r = 0, ..., n; the chance of r."""

    m: int
    n: int
    fpr: float
    least: Floats
    most: Floats
    chance: Floats


def counts_of(table: ScoreTable, fpr: float, *, share: bool) -> Counts:
    m, n = int(table.n_pos), int(table.n_neg)
    rank = np.arange(n + 1)
    row = np.minimum(np.searchsorted(table.fp, rank), len(table) - 1)
    before = (table.tp - table.pos)[row].astype(float)
    if share:
        order = rank - (table.fp - table.neg)[row]
        before += table.pos[row] * order / (table.neg[row] + 1)
        least = np.where(rank == 0, 0.0, before)
        most = np.append(least[1:], m)
    else:
        least = np.where(rank == 0, 0.0, before)
        most = np.append(np.asarray(table.tp, dtype=float)[row[1:]], m)
    return Counts(m, n, fpr, least, most, stats.binom.pmf(rank, n, fpr))


def mixture(table: ScoreTable, fpr: float, *, share: bool, one_sided: bool) -> Limits:
    """Return quantiles of the mixture over ranks."""
    of = counts_of(table, fpr, share=share)
    count = np.concatenate([of.least, of.most + 1])
    weight = np.tile(of.chance / 2, 2)
    inside = (count > 0) & (count < of.m + 1)
    none, count, weight = float(weight[count <= 0].sum()), count[inside], weight[inside]
    tail = (1 - LEVEL) / 2
    low, high = tail, tail
    if one_sided:  # a limit that is 0 or 1 for all samples cannot err
        low, high = (float(np.clip(x**of.n / 2, tail, 2 * tail)) for x in (fpr, 1 - fpr))

    def cdf(x: float) -> float:
        return none + float(weight @ betainc(count, of.m + 1 - count, x))

    return quantile(cdf, low), quantile(cdf, 1 - high)


def quantile(cdf: Callable[[float], float], share: float) -> float:
    last = float(np.nextafter(1.0, 0.0))
    if cdf(0.0) >= share - 1e-12:
        return 0.0
    return 1.0 if cdf(last) <= share + 1e-12 else float(brentq(lambda x: cdf(x) - share, 0, last))


def profile(
    table: ScoreTable, fpr: float, *, share: bool = True, middle: bool = False, far: float = Z * Z
) -> Limits:
    """Return the rates within a distance of the counts at some threshold."""
    of = counts_of(table, fpr, share=share)
    score_of_rank = ndtri(np.clip(np.cumsum(of.chance) - of.chance / 2, 0, 1))
    least, most = of.least, of.most
    if middle:  # but of the gaps beyond the first and last negative
        half = (least + most) / 2
        least, most = np.append(0.0, half[1:]), np.append(half[:-1], of.m)

    def excess(count: Floats, sign: int, x: float) -> float:
        many = np.where(count <= 0, 1.0, betainc(np.maximum(count, 1e-300), of.m + 1 - count, x))
        left = np.maximum(of.m - count, 1e-300)
        more = np.where(count >= of.m, 0.0, betainc(count + 1, left, x))
        score = np.clip(sign * ndtri((many + more) / 2), 0, 40)
        return float((np.clip(sign * score_of_rank, 0, 40) ** 2 + score**2).min()) - far

    lower, upper = partial(excess, least, -1), partial(excess, most, 1)
    low = 0.0 if lower(0.0) <= 0 else float(brentq(lower, 0, 1))
    return low, 1.0 if upper(1.0) <= 0 else float(brentq(upper, 0, 1))


def zhou_qin(table: ScoreTable, fpr: float) -> Limits:
    """BTII: mean and spread of bootstrap rates with z^2 cases added, half of them called."""
    sample = bootstrap(table, tpr_at(fpr), n_boot=N_BOOT, rng=0, threads=1, progress=False)
    m = int(table.n_pos)
    rate = (np.asarray(sample.replicates) * m + Z * Z / 2) / (m + Z * Z)
    middle, half = float(rate.mean()), Z * float(rate.std(ddof=1))
    return max(0.0, middle - half), min(1.0, middle + half)


def library(table: ScoreTable, fpr: float, *, method: RateMethod) -> Limits:
    found = tpr_at_interval(table, fpr, level=LEVEL, method=method)
    return found.low, found.high


METHODS: Methods = {
    "profile": partial(library, method="profile"),
    "rank mixture": partial(library, method="rank mixture"),
    "rank mixture, ties by share": partial(mixture, share=True, one_sided=False),
    "rank mixture, one-sided at an end": partial(mixture, share=False, one_sided=True),
    "profile, ties whole": partial(profile, share=False),
    "profile, middle of gaps": partial(profile, middle=True),
    f"profile, distance {FAR**0.5:.2f}": partial(profile, far=FAR),
    "Zhou and Qin, BTII": zhou_qin,
}


# --- populations --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Corner:
    """A curve of two straight pieces, of scores that are continuous or yes and no."""

    tpr: float
    fpr: float
    tied: bool

    @property
    def name(self) -> str:
        return f"{'yes/no' if self.tied else 'continuous'}, corner at {self.fpr:g}, {self.tpr:g}"

    def draw(self, n_pos: int, n_neg: int, rng: np.random.Generator) -> ScoreTable:
        scores = [
            (rng.random(size) < rate) + (0 if self.tied else rng.random(size))
            for size, rate in ((n_pos, self.tpr), (n_neg, self.fpr))
        ]
        return rs.tabulate_classes(*scores)


@dataclass(frozen=True)
class Situation:
    group: str
    population: Margin | Corner
    sizes: tuple[int, int]
    fpr: float
    truth: float
    samples: int


def situations(n_sim: int) -> Iterator[Situation]:
    for margin, sizes, x in product(MARGINS, SIZES, RATES):
        group = "ledger, few levels" if margin.discrete else "ledger, others"
        yield Situation(group, margin, sizes, x, float(margin.tpr_at(x)), n_sim)
    for tied, (tpr, fpr), sizes in product((False, True), CORNERS, CORNER_SIZES):
        group = "corners, yes/no" if tied else "corners, continuous"
        yield Situation(group, Corner(tpr, fpr, tied), sizes, fpr, tpr, MORE * n_sim)


def measured(one: Situation, methods: Methods) -> Floats:
    """Return coverage and mean width of each method."""
    rng, ends = np.random.default_rng(SEED), []
    for _ in range(one.samples):
        table = one.population.draw(*one.sizes, rng)
        ends.append([make(table, one.fpr) for make in methods.values()])
    low, high = np.array(ends).transpose(2, 0, 1) + np.array([-1e-9, 1e-9])[:, None, None]
    inside = (low <= one.truth) & (one.truth <= high)
    return np.stack([inside.mean(axis=0), (high - low).mean(axis=0)])


def groups(each: Iterable[Situation], methods: Methods) -> Iterator[str]:
    """Yield the lines of a table of each group; widths are relative to the first method."""
    found: dict[str, list[tuple[Situation, Floats]]] = {}
    for one in each:
        found.setdefault(one.group, []).append((one, measured(one, methods)))
        print(one.population.name, one.sizes, one.fpr, found[one.group][-1][1].round(3), flush=True)
    for group, rows in found.items():
        cover, width = np.array([x for _, x in rows]).transpose(1, 0, 2)
        samples = np.array([one.samples for one, _ in rows])[:, None]
        by_chance = stats.binom.cdf(np.round(cover * samples), samples, LEAST)
        below = np.asarray(by_chance < 0.05 / len(rows)).sum(axis=0)  # Bonferroni's bound
        yield from ("", f"## {group[0].upper()}{group[1:]}: {len(rows)} situations", "")
        yield from (
            "| interval | least | below | mean | width |",
            "| --- | ---: | ---: | ---: | ---: |",
        )
        for i, name in enumerate(methods):
            beside = width[:, i].mean() / width[:, 0].mean()
            least, mean = 100 * cover[:, i].min(), 100 * cover[:, i].mean()
            yield f"| {name} | {least:.1f} | {below[i]} | {mean:.1f} | {beside:.2f} |"


def page(n_sim: int) -> str:
    head = [
        "# Intervals of a true positive rate at a false positive rate",
        "",
        f"`python -m benchmarks.constants.rates_at_rates`, {n_sim} samples of each situation, at",
        f"corners {MORE * n_sim}, seed {SEED}, level .95. Of each group of situations: the least",
        f"coverage, in how many it is below {LEAST:.1%} by more than chance, the mean coverage,",
        "and the mean width relative to that of profile (ratio of the means). A right angle,",
        f"read at its corner, is missed by profile in {missed(Z * Z):.1%} of large samples,",
        f"with a distance of {FAR**0.5:.2f} in {1 - LEVEL:.0%}.",
    ]
    return "\n".join([*head, *groups(situations(n_sim), METHODS)]) + "\n"


if __name__ == "__main__":
    keep("rates_at_rates", page, N_SIM)
