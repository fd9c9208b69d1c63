"""Which limits of an area of precision and recall hold where errors are rare?

Wilson's interval misses proportions near 0 and 1 (Brown, Cai and DasGupta 2001, section 4.1.1), and
an area of precision and recall with few positives is little more than a proportion of them. This
program sums over all outcomes of yes/no tests on a fine grid of rates, fpr 1 / 10,000 to .3, what
the default interval covers, what it covered without one-sided exact limits, and what other
intervals do. Validation are sizes that served for no choice. Widths are ratios of mean widths to
those of the former default, where that holds.

    python -m benchmarks.constants.precision_limits      # writes benchmarks/results, some minutes
    python -m benchmarks.constants.precision_limits 5    # a grid of so many rates, printed only
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from benchmarks.coverage.called import AREA, STEPS, truths
from benchmarks.coverage.judge import LEAST
from benchmarks.coverage.ledger import LEVEL
from benchmarks.pages import keep, told
from rocspace.counts import ScoreTable
from rocspace.curves import pr_area_estimate
from rocspace.curves.pr import step_sum_estimate
from rocspace.results.estimates import AreaEstimate
from rocspace.results.proportions import rate_limits

N_RATES = 24
HALVES = {
    "choice": ((5, 20), (5, 50), (5, 100), (5, 1000), (10, 100), (10, 1000), (20, 100), (20, 1000)),
    "validation": ((2, 50), (4, 4), (7, 300), (8, 50), (15, 600), (30, 30), (50, 5), (100, 20)),
}
FORMER, CHOSEN = "Wilson, unseen cases below (former)", "**and one-sided exact limits**"
CHOICES = (
    FORMER,
    CHOSEN,
    "of as many trials as positives",
    "the upper one only",
    "and Jeffreys' limits instead",
    "two-sided exact (Korn and Graubard)",
    "log odds, t",
    "arcsine, t",
    "log odds, binomial (Boyd, Eng, Page)",
)
Floats = NDArray[np.float64]
Estimator = Callable[[ScoreTable], AreaEstimate]
ESTIMATORS: dict[str, Estimator] = {AREA: pr_area_estimate, STEPS: step_sum_estimate}  # type: ignore[dict-item]


def intervals(found: AreaEstimate) -> list[tuple[float, float]]:
    """Return the ends of each choice."""
    now = found.interval(LEVEL)
    if found.worse is None or not now.method.endswith("unseen"):
        return [(now.low, now.high)] * len(CHOICES)  # an area of 1: exact limits of a proportion
    x, n = found.value, found.n_pairs
    wilson = found.interval(LEVEL, scale="moderated")
    low, high = min(wilson.low, found.worse.interval(LEVEL, scale="moderated").low), wilson.high
    trials = min(n, x * (1 - x) / found.se**2)

    def exact(trials: float, level: float, method: str = "clopper-pearson") -> tuple[float, float]:
        ends = rate_limits(np.array([trials * x]), trials, level, method)
        return float(ends[0][0]), float(ends[1][0])

    def farther(ends: tuple[float, float]) -> tuple[float, float]:
        return min(low, ends[0]), max(high, ends[1])

    quantile = -float(stats.t.ppf((1 - LEVEL) / 2, found.df))
    z = -float(stats.norm.ppf((1 - LEVEL) / 2))
    rule = (x * (1 - x) / n) ** 0.5
    return [
        (low, high),
        (now.low, now.high),
        farther(exact(n, 2 * LEVEL - 1)),
        (low, max(high, exact(trials, 2 * LEVEL - 1)[1])),
        farther(exact(trials, LEVEL, "jeffreys")),
        exact(trials, LEVEL),
        on_log_odds(x, quantile * found.se),
        on_arcsines(x, quantile * found.se),
        on_log_odds(x, z * rule),
    ]


def on_log_odds(x: float, half: float) -> tuple[float, float]:
    """Return x +- half on the scale of the log odds."""
    middle, half = np.log(x / (1 - x)), half / (x * (1 - x))
    low, high = 1 / (1 + np.exp(-(middle + half * np.array([-1, 1]))))
    return float(low), float(high)


def on_arcsines(x: float, half: float) -> tuple[float, float]:
    """Return x +- half on the scale of the arcsine of the root."""
    middle, half = np.arcsin(x**0.5), half / (2 * (x * (1 - x)) ** 0.5)
    low, high = np.sin(np.clip(middle + half * np.array([-1, 1]), 0, np.pi / 2)) ** 2
    return float(low), float(high)


def rates(many: int) -> list[tuple[float, float]]:
    """Return pairs of a true and a false positive rate, close to 0 and to 1 among them."""
    tpr = np.unique([0.02, 0.96, 0.98, 0.99, 0.995, 0.998, *np.linspace(0.05, 0.95, many - 5)])
    fpr = np.geomspace(1e-4, 0.3, many)
    return [(t, f) for t, f in product(tpr.tolist(), fpr.tolist()) if t > f]


def all_ends(estimator: Estimator, n_pos: int, n_neg: int, most: int) -> Floats:
    """Return both ends of each choice for each number of true and of false positives."""
    ends = np.empty((2, len(CHOICES), n_pos + 1, most + 1))
    for tp, fp in product(range(n_pos + 1), range(most + 1)):
        table = ScoreTable.from_counts([1, 0], [tp, n_pos - tp], [fp, n_neg - fp])
        ends[:, :, tp, fp] = np.array(intervals(estimator(table))).T
    return ends


def covered(section: str, size: tuple[int, int], at: Sequence[tuple[float, float]]) -> Floats:
    """Return coverage and mean width, a row for each pair of rates: (2, pairs, choices)."""
    n_pos, n_neg = size
    most = min(n_neg, int(stats.binom.ppf(1 - 1e-10, n_neg, max(f for _, f in at))))
    low, high = all_ends(ESTIMATORS[section], n_pos, n_neg, most)
    found = np.empty((2, len(at), len(CHOICES)))
    for i, (tpr, fpr) in enumerate(at):
        truth = truths(tpr, fpr, n_pos / (n_pos + n_neg))[section]
        p = stats.binom.pmf(np.arange(n_pos + 1), n_pos, tpr)
        q = stats.binom.pmf(np.arange(most + 1), n_neg, fpr)
        inside = (low - 1e-12 <= truth) & (truth <= high + 1e-12)
        found[0, i], found[1, i] = p @ inside @ q, p @ (high - low) @ q
    return found


def table(many: int) -> Iterator[str]:
    at = rates(many)
    for (half, sizes), section in product(HALVES.items(), ESTIMATORS):
        each = np.array([covered(section, size, at) for size in sizes])
        cover, width = each.transpose(1, 0, 2, 3).reshape(2, -1, len(CHOICES))
        names = [(size, rate) for size in sizes for rate in at]
        holds = cover[:, 0] >= LEAST
        ratio = (width / width[:, :1])[holds]
        for j, choice in enumerate(CHOICES):
            (n_pos, n_neg), (tpr, fpr) = names[int(cover[:, j].argmin())]
            below = f"{(cover[:, j] < LEAST).sum()} of {len(cover)}"
            yield (
                f"| {half} | {section.removesuffix(' of a yes/no test')} | {choice} | "
                f"{100 * cover[:, j].min():.1f} | {n_pos} + {n_neg}, {tpr:.3g}, {fpr:.2g} | "
                f"{below} | {ratio[:, j].mean():.2f} | {ratio[:, j].max():.2f} |"
            )


def page(many: int) -> str:
    lines = [
        "# Limits of areas of precision and recall where errors are rare",
        "",
        "`python -m benchmarks.constants.precision_limits`, level .95, exact sums over all",
        "outcomes of yes/no tests: least percent covered, where (size, tpr, fpr), situations",
        f"below {100 * LEAST:g}, and widths relative to the first row where that holds.",
        "",
        "| sizes | quantity | interval | least | where | below | width | widest |",
        "| --- | --- | --- | ---: | --- | ---: | ---: | ---: |",
    ]
    return told(lines, table(many))


if __name__ == "__main__":
    keep("precision_limits", page, N_RATES)
