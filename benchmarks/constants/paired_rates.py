"""Which interval of the difference of two paired proportions holds where pairs are few?

Tango's score interval, its exact form and other published methods, summed over all outcomes at all
pairs of rates of a grid. All take the numbers of discordant pairs only, b and c of n.

    python -m benchmarks.constants.paired_rates     # writes benchmarks/results, a minute or two
    python -m benchmarks.constants.paired_rates 10  # steps between rates of 1 / 10, printed only
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from scipy.special import xlogy

from benchmarks.coverage.ledger import LEVEL
from benchmarks.pages import keep, told
from rocspace._base.arrays import Vector
from rocspace.results.proportions import (
    exact_tango_limits,
    log_multinomial,
    normal_quantile,
    rate_limits,
    tango_limits,
)

STEPS, SIZES, HOLDS = 100, (5, 10, 20, 40), 0.935
Z = normal_quantile(LEVEL)
Ends = tuple[Vector, Vector]


def chances(n: int, b: Vector, c: Vector, first: Vector, second: Vector) -> Vector:
    """Return the probabilities of outcomes (columns) at pairs of rates (rows)."""
    rest, left = n - b - c, np.maximum(1 - first - second, 0)[:, None]
    of = xlogy(b, first[:, None]) + xlogy(c, second[:, None]) + xlogy(rest, left)
    return np.asarray(np.exp(of + log_multinomial(np.column_stack([b, c, rest]))))


def tango(b: Vector, c: Vector, n: int) -> Ends:
    return tango_limits(b, c, float(n), Z)


def adjusted(added: float) -> Callable[[Vector, Vector, int], Ends]:
    """Return Wald's interval with cases added to each number of discordant pairs, twice in all."""

    def of(b: Vector, c: Vector, n: int) -> Ends:
        p, q = (b + added) / (n + 2), (c + added) / (n + 2)
        half = Z * np.sqrt((p + q - (p - q) ** 2) / (n + 2))
        return np.maximum(p - q - half, -1.0), np.minimum(p - q + half, 1.0)

    return of


def both_exact(b: Vector, c: Vector, n: int) -> Ends:
    """Return the difference of both exact intervals, each with half of the error (Bonferroni)."""
    (l1, u1), (l2, u2) = (rate_limits(x, n, (1 + LEVEL) / 2, "clopper-pearson") for x in (b, c))
    return l1 - u2, u1 - l2


def exact(b: Vector, c: Vector, n: int) -> Ends:
    pairs = zip(b, c, strict=True)
    ends = [exact_tango_limits(int(one), int(two), n, LEVEL) for one, two in pairs]
    low, high = np.array(ends).T
    return low, high


METHODS: dict[str, Callable[[Vector, Vector, int], Ends]] = {
    "Tango's score (1998)": tango,
    "Agresti and Min's Wald (2005)": adjusted(0.5),
    "Bonett and Price's Wald (2012)": adjusted(1.0),
    "exact unconditional, Tango's statistic (Hsueh, Liu and Chen 2001)": exact,
    "difference of two Clopper and Pearson's, Bonferroni": both_exact,
}


def rows(steps: int) -> Iterator[str]:
    i, j = (x.ravel() for x in np.mgrid[: steps + 1, : steps + 1])
    first, second = (x[i + j <= steps] / steps for x in (i, j))
    for n in SIZES:
        b, c = (x.ravel().astype(float) for x in np.mgrid[: n + 1, : n + 1])
        b, c = b[b + c <= n], c[b + c <= n]
        chance, width = chances(n, b, c, first, second), {}
        for name, method in METHODS.items():
            low, high = method(b, c, n)
            d = (first - second)[:, None]
            cover = (chance * ((low - 1e-9 <= d) & (d <= high + 1e-9))).sum(axis=1)
            width[name] = (chance * (high - low)).sum(axis=1)
            ratio = width[name] / width[next(iter(METHODS))]
            at = int(cover.argmin())
            where = f"{first[at]:g} and {second[at]:g}"
            below = 100 * (cover < HOLDS).mean()
            at_four = cover[(first == 0.4) & (second == 0.4)][0]
            yield (
                f"| {n} | {name} | {100 * cover.min():.1f} | {where} | {below:.1f} | "
                f"{100 * at_four:.1f} | {ratio.mean():.2f} | {ratio.max():.2f} |"
            )


def page(steps: int) -> str:
    lines = [
        "# Differences of paired proportions of few pairs",
        "",
        (
            "`python -m benchmarks.constants.paired_rates`: coverage in "
            "percent, summed over all outcomes"
        ),
        f"at all pairs of rates in steps of 1 / {steps}: the rate of pairs in which only the first",
        (
            "is yes, and that in which only the second is. Widths are "
            "divided by Tango's: the mean over"
        ),
        (
            f"these pairs of rates, and the largest. Below: share of "
            f"rates covered below {100 * HOLDS:g}."
        ),
        "",
        "| pairs | interval | least | at | below | at .4 and .4 | width | at most |",
        "| ---: | --- | ---: | --- | ---: | ---: | ---: | ---: |",
    ]
    return told(lines, rows(steps))


if __name__ == "__main__":
    keep("paired_rates", page, STEPS)
