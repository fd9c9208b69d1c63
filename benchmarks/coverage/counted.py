"""What intervals of counts cover, exactly: summed over all outcomes at rates that are fixed.

The difference of two paired proportions, the mean cost of a case, and the half total error rate of
a threshold that was chosen on other cases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import product
from typing import Any

import numpy as np
from scipy import stats

from benchmarks.coverage.cells import sizes_of
from benchmarks.coverage.ledger import LEVEL, Part, Role, Row, Section
from benchmarks.coverage.margins import DEV, VAL
from rocspace.bands import tango_interval
from rocspace.bands.segments import TangoMethod
from rocspace.costs import expected_performance
from rocspace.counts import ScoreTable
from rocspace.operating import Costs, cost_interval, point_at

TANGO, HALF = "wide: tango_interval", "wide: expected_performance"
COST = "wide: cost_interval"
DEFAULT = "default"
COSTS = {
    "equal costs": (Costs(), None),
    "misses cost 20": (Costs(fn=20), None),
    "misses cost 20, prevalence .02": (Costs(fn=20), 0.02),
}

Ends = tuple[float, float]


def section(name: str, defaults: Sequence[str] = (DEFAULT,)) -> Section:
    """Return the section of a default; at several places its widths are not comparable."""
    return Section(
        name,
        name[0].upper() + name[1:],
        "Sums over all outcomes, without simulation, at a threshold that was fixed before.",
        defaults=tuple(defaults),
        wide=True,
        discrete=True,
        targets=len(defaults) > 1,
    )


def summed(where: Row, chance: Any, ends: Sequence[Ends], truth: float) -> Row:
    """Return a row of exact sums: how often the ends hold the truth, and how far they are apart."""
    low, high = np.array(ends).T
    inside = (low - 1e-12 <= truth) & (truth <= high + 1e-12)
    covered, width = float(chance @ inside), float(chance @ (high - low))
    return Row(
        where.section,
        where.situation,
        where.size,
        where.interval,
        covered,
        width,
        role=where.role,
    )


def place(section_: str, situation: str, size: str, name: str, role: Role) -> Row:
    return Row(section_, situation, size, name, 0.0, 0.0, role=role)


# --- pairs of answers ---------------------------------------------------------------------------

PAIRED_SIZES = (5, 10, 20, 40)
DISCORDANT: tuple[tuple[float, float, Role], ...] = (
    (0.1, 0.1, DEV),
    (0.02, 0.02, DEV),
    (0.3, 0.05, DEV),
    (0.25, 0.0, DEV),
    (0.05, 0.002, DEV),
    (0.6, 0.05, DEV),
    (0.4, 0.4, VAL),
    (0.15, 0.01, VAL),
    (0.9, 0.02, VAL),
)


TANGOS: dict[str, TangoMethod | None] = {DEFAULT: None, "score": "score"}


def tango_ends(outcomes: Any, n: int, method: TangoMethod | None) -> list[Ends]:
    found = [tango_interval(int(b), int(c), n, level=LEVEL, method=method) for b, c in outcomes]
    return [(one.low, one.high) for one in found]


def paired_rows() -> Iterator[Row]:
    for n in PAIRED_SIZES:
        outcomes = np.array([(b, c) for b in range(n + 1) for c in range(n + 1 - b)])
        rest = n - outcomes.sum(axis=1)
        ends = {name: tango_ends(outcomes, n, method) for name, method in TANGOS.items()}
        for first, second, role in DISCORDANT:
            shares = [first, second, 1 - first - second]
            chance = stats.multinomial.pmf(np.column_stack([outcomes, rest]), n, shares)
            where = f"only the first {first:g}, only the second {second:g}"
            for name in TANGOS:
                at = place(TANGO, where, f"{n} pairs", name, role)
                yield summed(at, chance, ends[name], first - second)


# --- both error rates of a threshold ------------------------------------------------------------

SIZES = ((5, 5), (10, 10), (8, 60), (60, 8), (30, 30))
ERRORS: tuple[tuple[float, float, Role], ...] = (
    (0.005, 0.02, DEV),
    (0.05, 0.1, DEV),
    (0.2, 0.05, DEV),
    (0.35, 0.35, DEV),
    (0.02, 0.3, DEV),
    (0.5, 0.005, DEV),
    (0.1, 0.1, VAL),
    (0.02, 0.005, VAL),
    (0.25, 0.01, VAL),
)


def error_rows() -> Iterator[Row]:
    for size, errors in product(SIZES, ERRORS):
        yield from error_rows_at(size, errors)


def error_rows_at(size: tuple[int, int], errors: tuple[float, float, Role]) -> Iterator[Row]:
    fnr, fpr, role = errors
    chance = chances(size, fnr, fpr)
    at = partial(place, situation=f"fnr {fnr:g}, fpr {fpr:g}", size=sizes_of(*size), role=role)
    yield summed(at(HALF, name=DEFAULT), chance, halves(*size), (fnr + fpr) / 2)
    for name, (paid, prevalence) in COSTS.items():
        pi = size[0] / sum(size) if prevalence is None else prevalence
        truth = pi * paid.fn * fnr + (1 - pi) * paid.fp * fpr
        yield summed(at(COST, name=name), chance, costs(*size, name), truth)


def chances(size: tuple[int, int], fnr: float, fpr: float) -> Any:
    each = (stats.binom.pmf(np.arange(n + 1), n, p) for n, p in zip(size, (fnr, fpr), strict=True))
    return np.outer(*each).ravel()


def of_all(n_pos: int, n_neg: int, ends: Callable[[ScoreTable], Ends]) -> list[Ends]:
    """Return the ends for all numbers of misses and false alarms of a yes/no test."""
    return [
        ends(ScoreTable.from_counts([1, 0], [n_pos - fn, fn], [fp, n_neg - fp]))
        for fn, fp in product(range(n_pos + 1), range(n_neg + 1))
    ]


@cache
def halves(n_pos: int, n_neg: int) -> list[Ends]:
    before = ScoreTable.from_counts([1, 0], [9, 1], [1, 9])

    def ends(table: ScoreTable) -> Ends:
        band = expected_performance(before, table, share=[0.5]).interval(LEVEL)
        return float(band.low[0]), float(band.high[0])

    return of_all(n_pos, n_neg, ends)


@cache
def costs(n_pos: int, n_neg: int, name: str) -> list[Ends]:
    paid, prevalence = COSTS[name]

    def ends(table: ScoreTable) -> Ends:
        found = cost_interval(point_at(table, 1), paid, prevalence=prevalence, level=LEVEL)
        return found.low, found.high

    return of_all(n_pos, n_neg, ends)


def rows(_: int) -> Iterator[Row]:
    yield from paired_rows()
    yield from error_rows()


SECTIONS = (
    section(TANGO),
    section(HALF),
    section(COST, tuple(COSTS)),
)
PARTS = (Part("counted", rows, SECTIONS, samples=0, quick=0),)
