"""What must an interval of Youden's index allow for?

The default interval ("intersection", `rocspace.inference.youden_interval`) searches the thresholds
that may be optimal for the largest error just above a case (lower limit) and for the largest upper
limit. On the same samples this program measures it beside plainer ones: upper limits made of
Wilson's alone; the same search with errors at the cases, about their mean; the upper limit of the
best threshold of the sample alone; another choice of the thresholds (Andrews and Soares 2010); no
search (Newcombe); and, for a score that knows nothing, the bootstrap. Nothing was chosen on these
samples. The same of yes/no tests is summed over all outcomes.

    python -m benchmarks.constants.youden          # writes benchmarks/results, some ten minutes
    python -m benchmarks.constants.youden 50       # so many samples, printed only
"""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from scipy.special import ndtr

from benchmarks.coverage.judge import LEAST
from benchmarks.coverage.ledger import LEVEL, SEED
from benchmarks.coverage.margins import Margin, levels, normal
from benchmarks.pages import keep
from rocspace.counts import ScoreTable
from rocspace.inference import youden_interval
from rocspace.resampling import bootstrap
from rocspace.results.proportions import difference_limits
from rocspace.results.unseen import score_limits_of_sum

N_SIM, CHECKED, RESAMPLED, N_BOOT = 100, 2, 200, 400
DRAWS = 1000  # as the library
AREAS = (0.5, 0.6, 0.75, 0.9, 0.97)
SIZES = ((5, 5), (5, 50), (50, 5), (15, 300), (50, 50))
MANY = (15, 3000)  # heaped scores alone have few thresholds there
CHOSEN = "present"
METHODS = (
    CHOSEN,
    "no score limit",
    "no exact limits",
    "Wilson's limits alone",
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
    return levels(f"heaped, area {area:g}", both[0].tolist(), both[1].tolist(), "validation")


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
    below = difference_limits(tp / m, m, fp / n, n, LEVEL)[0]
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

    rows, plain, alone = kept(past - mean), kept(at), np.arange(index.size) == best
    slack = index >= index[best] - np.sqrt(np.log(few)) * se
    plainest, exact = (upper(table, alone, method) for method in ("wilson", "modified-wilson"))
    score = by_score(table, best)
    nearest = max(exact, score)
    found = (
        (lower(past, rows), max(upper(table, rows, "modified-wilson"), nearest)),
        (lower(past, rows), max(upper(table, rows, "modified-wilson"), exact)),
        (lower(past, rows), max(upper(table, rows, "wilson"), plainest, score)),
        (lower(past, rows), max(upper(table, rows, "wilson"), plainest)),
        (lower(at, plain), max(upper(table, plain, "modified-wilson"), nearest)),
        (lower(past, rows), nearest),
        (lower(past, slack), max(upper(table, slack, "modified-wilson"), nearest)),
        (float(below[best]), plainest),
    )
    return np.asarray(np.clip(np.array(found), 0, 1))


def upper(table: ScoreTable, rows: NDArray[np.bool_], method: str) -> float:
    """Return the largest upper limit of some rows, above all scores if below all is among them."""
    tpr, fpr = (table.tp / table.n_pos)[rows], (table.fp / table.n_neg)[rows]
    if rows[-1]:
        tpr, fpr = np.append(tpr, 0.0), np.append(fpr, 0.0)
    m, n = table.n_eff
    return float(difference_limits(tpr, m, fpr, n, LEVEL, method)[1].max())


def by_score(table: ScoreTable, row: int) -> float:
    """Return Miettinen and Nurminen's upper limit, where a rate of the row is inside (0, 1)."""
    rates = float(table.tp[row] / table.n_pos), 1 - float(table.fp[row] / table.n_neg)
    inside = any(1e-12 < rate < 1 - 1e-12 for rate in rates)
    return score_limits_of_sum(rates, table.n_eff, LEVEL)[1] - 1 if inside else 0.0


def check(table: ScoreTable, found: Floats) -> None:
    np.testing.assert_allclose(tuple(youden_interval(table, level=LEVEL)), found, rtol=1e-9)


# --- yes/no tests, summed over all outcomes ------------------------------------------------------

YES_NO_SIZES = ((3, 3), (5, 5), (10, 10), (20, 20), (50, 50), (3, 300), (5, 100), (20, 100))
TPR = (0.02, *(k / 20 for k in range(1, 20)), 0.97, 0.98, 0.99, 0.995)
FPR = (*np.geomspace(1e-4, 0.3, 18), 0.1, 0.4, 0.5)
RATES = tuple(pair for pair in product(TPR, FPR) if pair[0] > pair[1])


def called(m: int, n: int) -> Floats:
    """Return coverage and mean width of each method at each pair of rates: (pairs, 2, methods)."""
    counts = product(range(m + 1), range(n + 1))
    ends = [limits(ScoreTable.from_counts([1, 0], [tp, m - tp], [fp, n - fp])) for tp, fp in counts]
    low, high = np.array(ends).transpose(2, 0, 1) + np.array([-1e-12, 1e-12])[:, None, None]
    found = []
    for tpr, fpr in RATES:
        chance = np.outer(
            stats.binom.pmf(np.arange(m + 1), m, tpr), stats.binom.pmf(np.arange(n + 1), n, fpr)
        ).ravel()
        inside = (low <= tpr - fpr) & (tpr - fpr <= high)
        found.append((chance @ inside, chance @ (high - low)))
    return np.array(found)


def yes_no() -> list[str]:
    """Return a table of the least coverage of yes/no tests, and of the mean relative width."""
    lines = [
        f"Yes/no tests, summed over all outcomes: the least coverage at {len(RATES)} pairs of a",
        f"tpr ({TPR[0]:g} to {TPR[-1]:g}) and an fpr ({FPR[0]:g} to {FPR[-1]:g}), at how many of",
        f"them it is below {LEAST:.1%}, and the mean relative width.",
        "",
        "| cases | " + " | ".join(METHODS) + " |",
        "| --- | " + " | ".join("---:" for _ in METHODS) + " |",
    ]
    for m, n in YES_NO_SIZES:
        cover, width = called(m, n).transpose(1, 2, 0)
        below, beside = (cover < LEAST).sum(axis=1), (width / width[0]).mean(axis=1)
        cells = (
            f"{100 * c:.1f}, {k} ({w:.2f})"
            for c, k, w in zip(cover.min(axis=1), below, beside, strict=True)
        )
        lines.append(f"| {m} + {n} | " + " | ".join(cells) + " |")
        print(lines[-1], flush=True)
    return [*lines, ""]


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
    lines += ["", *yes_no()]
    lines += [f"| of {len(every)} situations | " + " | ".join(METHODS) + " |"]
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
