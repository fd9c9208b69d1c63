"""What must an interval of Youden's index allow for?

The default interval ("intersection", `rocspace.inference.youden_interval`) searches the thresholds
that may be optimal for the largest error just above a case (lower limit) and for the largest upper
limit. On the same samples this program measures it beside plainer ones: the same search with errors
at the cases, about their mean; the upper limit of the best threshold of the sample alone; another
choice of the thresholds (Andrews and Soares 2010); no search (Newcombe); and, for a score that
knows nothing, the bootstrap. Nothing was chosen on these samples.

    python -m benchmarks.constants.youden          # writes benchmarks/results, some six minutes
    python -m benchmarks.constants.youden 50       # so many samples, printed only
"""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from benchmarks.coverage.judge import LEAST
from benchmarks.coverage.ledger import LEVEL, SEED
from benchmarks.coverage.margins import Margin, levels, normal
from benchmarks.pages import keep
from rocspace.counts import ScoreTable
from rocspace.inference import youden_interval
from rocspace.resampling import bootstrap
from rocspace.results.proportions import difference_limits

N_SIM, CHECKED, RESAMPLED, N_BOOT = 500, 2, 200, 400
DRAWS = 1000  # as the library
AREAS = (0.5, 0.6, 0.75, 0.9, 0.97)
SIZES = ((5, 5), (5, 50), (50, 5), (15, 300), (50, 50))
MANY = (15, 3000)  # heaped scores alone have few thresholds there
CHOSEN = "present"
METHODS = (
    CHOSEN,
    "errors at the cases",
    "upper limit of the best threshold",
    "Andrews and Soares",
    "no search",
)
Floats = NDArray[np.float64]


def heaped(area: float) -> Margin:
    """Normal scores read to a tenth of a standard deviation, most of them to a whole one."""
    exact = normal(area)
    ends = np.arange(-60, 101) + 0.5

    def shares(of: Margin, which: str) -> Floats:
        cdf = getattr(of, which).cdf
        fine = np.diff(cdf(ends / 10), prepend=0)
        level = np.arange(-60, 101)
        whole = cdf((level + 5) / 10) - cdf((level - 5) / 10)
        return np.asarray(0.3 * fine + 0.7 * np.where(level % 10 == 0, whole, 0))

    both = [shares(exact, which) for which in ("pos_of", "neg_of")]
    return levels(f"heaped, area {area:g}", both[0], both[1], "validation")


def truth_of(margin: Margin, area: float) -> float:
    if not margin.discrete:
        return float(2 * ndtr(margin.pos_of.mean / 2) - 1)
    pos, neg = margin.pos_of.cumulated, margin.neg_of.cumulated
    return 0.0 if area == 0.5 else float((neg - pos).max())


# --- the interval and its alternatives ----------------------------------------------------------


def drawn(called: Floats, size: float, beyond: float, rng: np.random.Generator) -> Floats:
    """Draw uniform order statistics: of the cases called, or of the next one (beyond = 1)."""
    shapes = np.append(np.diff(called, prepend=-beyond), 1.0 - beyond)
    sums = np.cumsum(rng.standard_gamma(shapes, size=(DRAWS, shapes.size)), axis=1)
    return sums[:, :-1] / sums[:, -1:]


def limits(table: ScoreTable) -> Floats:
    """Return both limits of each method."""
    tp, fp = table.tp.astype(float), table.fp.astype(float)
    m, n = float(table.n_pos), float(table.n_neg)
    index = tp / m - fp / n
    best = int(np.argmax(index))
    below, above = difference_limits(tp / m, m, fp / n, n, LEVEL)
    se = np.sqrt(sum(x * (k + 1 - x) / ((k + 1) ** 2 * (k + 2)) for x, k in ((tp, m), (fp, n))))
    rng = np.random.default_rng(np.random.default_rng(0).integers(2**63, size=1)[0])
    u = drawn(tp, m, 0.0, rng)
    after = drawn(fp, n, 1.0, rng)  # as the library draws
    past = (tp / m - u) - (fp / n - after)
    at = (tp / (m + 1) - u) - (fp / (n + 1) - drawn(fp, n, 0.0, rng))
    mean = tp / (m * (m + 1)) + (n - fp) / (n * (n + 1))
    few = max(min(m, n), 3.0)

    def kept(centred: Floats) -> NDArray[np.bool_]:
        reach = float(np.quantile((centred / se).max(axis=1), 1 - 0.1 / np.log(few)))
        return np.asarray(index >= (index - reach * se).max() - 2 * reach * se)

    def lower(error: Floats, rows: NDArray[np.bool_]) -> float:
        most = float(np.quantile(error[:, rows].max(axis=1), (1 + LEVEL) / 2))
        return min(float(below[best]), float(index[best]) - most)

    rows, plain = kept(past - mean), kept(at)
    slack = index >= index[best] - np.sqrt(np.log(few)) * se
    found = (
        (lower(past, rows), above[rows].max()),
        (lower(at, plain), above[plain].max()),
        (lower(past, rows), above[best]),
        (lower(past, slack), above[slack].max()),
        (below[best], above[best]),
    )
    return np.clip(np.array([(low, max(high, above[best])) for low, high in found]), 0, 1)


def check(table: ScoreTable, found: Floats) -> None:
    np.testing.assert_allclose(tuple(youden_interval(table, level=LEVEL)), found, rtol=1e-9)


# --- the page -----------------------------------------------------------------------------------


def measured(margin: Margin, truth: float, sizes: tuple[int, int], n_sim: int) -> Floats:
    """Return coverage and mean width of each method."""
    rng = np.random.default_rng(SEED)
    ends = []
    for i in range(n_sim):
        table = margin.draw(*sizes, rng)
        ends.append(limits(table))
        if i < CHECKED:
            check(table, ends[-1][0])
    low, high = np.array(ends).transpose(2, 0, 1)
    covers = (low <= truth) & (truth <= high)
    return np.stack([covers.mean(axis=0), (high - low).mean(axis=0)])


def by_bootstrap(sizes: tuple[int, int], n_sim: int) -> list[str]:
    """Return how often replicates cover the index 0 of a score that knows nothing, in percent."""
    rng, held = np.random.default_rng(SEED), []
    for _ in range(n_sim):
        table = normal(0.5).draw(*sizes, rng)
        found = bootstrap(table, "youden", n_boot=N_BOOT, rng=rng, threads=1, progress=False)
        held.append([found.interval(LEVEL, method=each).low <= 0 for each in ("percentile", "bca")])
    return [f"{x:.1%}" for x in np.mean(held, axis=0)]


def page(n_sim: int) -> str:
    few = min(n_sim, RESAMPLED)
    lines = [
        "# The interval of Youden's index",
        "",
        f"`python -m benchmarks.constants.youden`, {n_sim} samples of each situation, seed {SEED},",
        "level .95: percent covered, and in brackets the mean width relative to that of the",
        "present interval. Heaped: read to a tenth of a standard deviation, seven of ten cases",
        "to a whole one.",
        "",
        "| scores | cases | " + " | ".join(METHODS) + " |",
        "| --- | --- | " + " | ".join("---:" for _ in METHODS) + " |",
    ]
    every = []
    for area, make in product(AREAS, (normal, heaped)):
        margin = make(area)
        for sizes in SIZES if make is normal else (*SIZES, MANY):
            found = measured(margin, truth_of(margin, area), sizes, n_sim)
            every.append(found)
            cells = (
                f"{100 * c:.1f} ({w:.2f})"
                for c, w in zip(*found / [[1], found[1, :1]], strict=True)
            )
            lines.append(f"| {margin.name} | {sizes[0]} + {sizes[1]} | " + " | ".join(cells) + " |")
            print(lines[-1], flush=True)
    cover, width = np.array(every).transpose(1, 0, 2)
    lines += ["", f"| of {len(every)} situations | " + " | ".join(METHODS) + " |"]
    lines += ["| --- | " + " | ".join("---:" for _ in METHODS) + " |"]
    least = " | ".join(f"{100 * x:.1f}" for x in cover.min(axis=0))
    below = " | ".join(f"{x}" for x in (cover < LEAST).sum(axis=0))
    beside = " | ".join(f"{x:.2f}" for x in (width / width[:, :1]).mean(axis=0))
    lines += [f"| least | {least} |", f"| below {LEAST:.1%} | {below} |"]
    lines += [f"| mean relative width | {beside} |", ""]
    lines += [f"Bootstrap of a score that knows nothing, {few} samples of {N_BOOT} replicates:", ""]
    lines += ["| cases | percentile | BCa |", "| --- | ---: | ---: |"]
    for sizes in (*SIZES, (200, 200)):
        lines.append(f"| {sizes[0]} + {sizes[1]} | " + " | ".join(by_bootstrap(sizes, few)) + " |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    keep("youden", page, N_SIM)
