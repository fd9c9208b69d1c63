"""What studies of one rate have that were planned: power and width, summed over all outcomes.

A study rejects where the interval that one gets without asking leaves the null hypothesis out.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from benchmarks.coverage.cells import sizes_of
from benchmarks.coverage.ledger import LEVEL, Part, Role, Row, Section
from benchmarks.coverage.margins import DEV, VAL
from rocspace.inference import rate_interval
from rocspace.planning import Design, plan_rate

POWER, WIDTH = "wide: power of plan_rate", "wide: width of plan_rate"
DEFAULT, FORMULA = "default", "normal"
VARIANCES: dict[str, Any] = {DEFAULT: "exact", FORMULA: "normal"}
WANTED = (0.8, 0.9)
MORE = 17  # positives beyond the plan, of which a discrete test may have less power
AGAINST: tuple[tuple[float, float, str, float, Role], ...] = (
    (0.9, 0.8, "positives", 1.0, DEV),
    (0.7, 0.5, "positives", 1.0, DEV),
    (0.99, 0.9, "positives", 0.25, DEV),
    (0.1, 0.25, "negatives", 4.0, DEV),
    (0.02, 0.05, "negatives", 1.0, DEV),
    (0.6, 0.55, "positives", 1.0, VAL),
    (0.999, 0.98, "negatives", 0.5, VAL),
    (0.3, 0.7, "positives", 1.0, VAL),
)
AROUND: tuple[tuple[float, float, Role], ...] = (
    (0.5, 0.1, DEV),
    (0.8, 0.1, DEV),
    (0.9, 0.05, DEV),
    (0.98, 0.02, DEV),
    (0.05, 0.03, DEV),
    (0.7, 0.02, VAL),
    (0.995, 0.01, VAL),
)


def intervals(n: int, level: float) -> NDArray[np.float64]:
    """Return both limits of each outcome."""
    return np.array([[*rate_interval(k, n, level=level)] for k in range(n + 1)]).T


# --- power ------------------------------------------------------------------------------------


def power_rows() -> Iterator[Row]:
    for (rate, null, of, ratio, role), wanted in product(AGAINST, WANTED):
        side: Any = "two-sided" if wanted == WANTED[0] else "greater" if rate > null else "less"
        for name, variance in VARIANCES.items():
            plan = plan_rate(rate, null_rate=null, of=of, ratio=ratio, variance=variance)  # type: ignore[arg-type]
            design = plan.for_power(wanted, alternative=side)
            more = plan.for_cases(design.n_pos + MORE, alternative=side)
            where = f"{rate:g} against {null:g}, {side}, planned {100 * wanted:g}"
            yield powered(where, name, design, (rate, null, of, side), role)
            if name == DEFAULT:
                where = f"{where}, and {MORE} positives more"
                yield powered(where, name, more, (rate, null, of, side), role)


def powered(
    where: str, name: str, design: Design, asked: tuple[float, float, str, str], role: Role
) -> Row:
    """Return how often a study of such a size rejects, and the power that it was told to have."""
    rate, null, of, side = asked
    n_pos, n_neg = (int(np.ceil(n - 1e-6)) for n in (design.n_pos, design.n_neg))
    n = n_pos if of == "positives" else n_neg
    low, high = intervals(n, LEVEL if side == "two-sided" else 2 * LEVEL - 1)
    rejects = {"greater": low > null, "less": high < null}.get(side, (low > null) | (high < null))
    has = float(stats.binom.pmf(np.arange(n + 1), n, rate) @ rejects)
    return Row(POWER, where, sizes_of(n_pos, n_neg), name, has, design.power, role=role)


# --- width ------------------------------------------------------------------------------------


def width_rows() -> Iterator[Row]:
    for (rate, half, role), (name, variance) in product(AROUND, VARIANCES.items()):
        design = plan_rate(rate, variance=variance).for_width(half)
        n = int(np.ceil(design.n_pos - 1e-9))
        low, high = intervals(n, LEVEL)
        chance = stats.binom.pmf(np.arange(n + 1), n, rate)
        wider, width = (float(chance @ x) for x in (high - low > 2 * half, high - low))
        where = f"{rate:g}, planned {2 * half:g} wide"
        yield Row(WIDTH, where, sizes_of(n, n), name, wider, width, role=role)


# --- the part ---------------------------------------------------------------------------------


def rows(_: int) -> Iterator[Row]:
    yield from power_rows()
    yield from width_rows()


SUMS = "Sums over all outcomes, without simulation."
SECTIONS = (
    Section(
        POWER,
        "Wide: power of plan_rate",
        f'{SUMS} In brackets the power that was told. "normal" is the formula of most programs.',
        kind="planned",
        defaults=(DEFAULT,),
        wide=True,
    ),
    Section(
        WIDTH,
        "Wide: width of plan_rate",
        f"{SUMS} Percent of studies whose interval is wider than `for_width` planned, and the mean "
        "width, which is what it plans.",
        kind="power",
        defaults=(DEFAULT,),
        wide=True,
    ),
)
PARTS = (Part("plans of rates", rows, SECTIONS, samples=0, quick=0),)
