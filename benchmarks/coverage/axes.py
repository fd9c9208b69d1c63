"""Averages of curves along other axes than false positive rates: limits at each point.

The curves are of independent samples of one population. The truth is the point of its curve at the
same true positive rate, angle, share of cases called positive, or threshold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.coverage.cells import Cell, Read, held, part, sizes_of
from benchmarks.coverage.ledger import LEVEL, SAMPLES_OF_BANDS
from benchmarks.coverage.margins import BY_NAME, Margin
from benchmarks.coverage.wide import several
from rocspace.averaging import (
    AverageCurve,
    horizontal_average,
    radial_average,
    rate_average,
    threshold_average,
)
from rocspace.counts import ScoreTable

Floats = NDArray[np.float64]
FINE = 200  # parts of each side of a polygon, where an angle is looked for
AT_FPR = (0.1, 0.4)  # where averages are read at a false positive rate


class Average(NamedTuple):
    """An average, where it is read, what is read there, and the true rates."""

    name: str
    at: tuple[float, ...]
    said: str
    rates: tuple[str, ...]
    make: Callable[[list[ScoreTable], Floats], AverageCurve]
    truth: Callable[[Margin, Floats, tuple[int, int]], tuple[Any, Any]]

    @property
    def section(self) -> str:
        return f"wide: {self.name}_average"

    @property
    def places(self) -> tuple[str, ...]:
        return tuple(f"{rate} {self.said} {x:g}" for x, rate in product(self.at, self.rates))


# --- where the true curve is met ----------------------------------------------------------------


def at_tpr(margin: Margin, at: Floats, _: tuple[int, int]) -> tuple[Any, Any]:
    return margin.fpr_at(at), at


def at_angle(margin: Margin, at: Floats, _: tuple[int, int]) -> tuple[Any, Any]:
    x, y = margin.polygon
    if x.size < FINE:
        along = np.linspace(0, x.size - 1, FINE * (x.size - 1) + 1)
        x, y = (np.interp(along, np.arange(x.size), rate) for rate in (x, y))
    seen = np.arctan2(y, 1 - x)
    return np.interp(at * np.pi / 180, seen, x), np.interp(at * np.pi / 180, seen, y)


def at_called(margin: Margin, at: Floats, size: tuple[int, int]) -> tuple[Any, Any]:
    x, y = margin.polygon
    called = (size[0] * y + size[1] * x) / sum(size)
    return np.interp(at, called, x), np.interp(at, called, y)


def at_threshold(margin: Margin, at: Floats, _: tuple[int, int]) -> tuple[Any, Any]:
    fixed = thresholds(margin, at)
    return 1 - margin.neg_of.cdf(fixed), 1 - margin.pos_of.cdf(fixed)


def thresholds(margin: Margin, fpr: Floats) -> Floats:
    """Return scores that no case has, with such false positive rates or lower ones."""
    return np.asarray(margin.neg_of.ppf(1 - fpr) + (0.5 if margin.discrete else 1e-9))


# --- cells --------------------------------------------------------------------------------------

BOTH = ("fpr", "tpr")
AVERAGES = (
    Average(
        "horizontal",
        (0.5, 0.8, 0.95),
        "at tpr",
        BOTH[:1],
        lambda tables, at: horizontal_average(tables, grid=at),
        at_tpr,
    ),
    Average(
        "radial",
        (25, 50, 75),
        "at degrees of",
        BOTH,
        lambda tables, at: radial_average(tables, grid=at * np.pi / 180),
        at_angle,
    ),
    Average(
        "rate",
        (0.1, 0.3, 0.6),
        "at a share of",
        BOTH,
        lambda tables, at: rate_average(tables, grid=at),
        at_called,
    ),
)
LIMITED = "wide: limits at thresholds of threshold_average"
AT_THRESHOLD = (0.05, 0.3)
THRESHOLD_PLACES = tuple(f"{rate} at fpr {x:g}" for x, rate in product(AT_THRESHOLD, BOTH))
READ = "wide: at_fpr of averages"
READ_PLACES = tuple(
    f"{name}, at {x:g}" for name, x in product(("horizontal", "radial", "rate"), AT_FPR)
)
SIZES = ((20, 20), (10, 50), (50, 10), (100, 100))  # cases of each curve
POPULATIONS = (
    "Normal, area 0.75",
    "Normal, area 0.98",
    "exponential, area 0.9",
    "heavy tails, Cauchy, shift 2",
    "hooked, sd 3, area 0.8",
    "five levels",
    "zero-inflated, 0.6 and 0.3",
    "exponential, area 0.75",
    "zero-inflated, 0.8 and 0.05",
    "four levels",
    "bounded, beta(.5, .5) against beta(2, 5)",
)
MANY = (5, 10)


def cells() -> Iterator[Cell]:
    """Yield the cells: each population at two sizes, in turn."""
    for i, name in enumerate(POPULATIONS):
        for j in (i, i + 1):
            yield cell(BY_NAME[name], MANY[j % 2], SIZES[j % len(SIZES)])


def cell(margin: Margin, many: int, size: tuple[int, int]) -> Cell:
    fixed = thresholds(margin, np.array(AT_THRESHOLD))
    known = at_threshold(margin, np.array(AT_THRESHOLD), size)

    def draw(rng: np.random.Generator) -> list[ScoreTable]:
        return [margin.draw(*size, rng) for _ in range(many)]

    def read(tables: list[ScoreTable], _: object) -> Iterator[Read]:
        for each in AVERAGES:
            at = np.array(each.at, dtype=float)
            curve, truth = each.make(tables, at), each.truth(margin, at, size)
            yield from at_points(each.section, each.places, curve, each.rates, truth)
            curve = each.make(tables, np.linspace(0, 1, 101) * (90 if each.name == "radial" else 1))
            for x in AT_FPR:
                make = partial(curve.at_fpr, x, level=LEVEL)
                yield from held(READ, f"{each.name}, at {x:g}", make, float(margin.tpr_at(x)))
        curve = threshold_average(tables, same_scale=True, grid=np.sort(fixed)[::-1])
        yield from at_points(LIMITED, THRESHOLD_PLACES, curve, BOTH, known)

    return Cell(f"{margin.name}, {many} samples", sizes_of(*size), draw, read, margin.role)


def at_points(
    section: str,
    places: tuple[str, ...],
    curve: AverageCurve,
    rates: tuple[str, ...],
    truth: tuple[Any, Any],
) -> Iterator[Read]:
    """Read the limits of each rate at each point."""
    limits = curve.interval(LEVEL)
    points = product(range(len(curve)), rates)
    for place, (i, rate) in zip(places, points, strict=True):
        ends = getattr(limits, f"{rate}_low")[i], getattr(limits, f"{rate}_high")[i]
        yield from held(section, place, partial(tuple, ends), truth[BOTH.index(rate)][i])


PARTS = (
    part(
        "averages along other axes",
        cells,
        (
            *(several(each.section, each.places) for each in AVERAGES),
            several(LIMITED, THRESHOLD_PLACES),
            several(READ, READ_PLACES),
        ),
        SAMPLES_OF_BANDS,
    ),
)
