"""One cell of the ledger: the same samples for all that is read from them, until it is clear.

A reader yields a `Read` for each interval or test of one sample; `measure` counts them.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import product
from typing import Any
from zlib import crc32

import numpy as np
from scipy import stats

from benchmarks.coverage.judge import LARGER, LEAST
from benchmarks.coverage.ledger import (
    CALLED,
    LEVEL,
    SAMPLES,
    SEED,
    Part,
    Role,
    Row,
    Section,
    called_at,
)
from rocspace.counts import ScoreTable, tabulate_classes
from rocspace.results import Difference, Estimate
from rocspace.simulate import Population

CLEAR_MISS = 1e-7  # a chance below which more samples would change nothing
FIRST = 100  # samples before anything is called clear,
SHARE = 8  # and at least this part of all
LEFT_OUT = "left out: "


@dataclass(frozen=True)
class Begun:
    """What a table has: the rows of each situation and size, and which of all need more."""

    rows: Mapping[tuple[str, str], Sequence[Row]]
    open: Collection[tuple[str, ...]]


_begun: ContextVar[Begun | None] = ContextVar("begun", default=None)


@contextmanager
def going_on(begun: Begun) -> Iterator[None]:
    """Draw further samples of cells that are not clear, from other seeds than before."""
    token = _begun.set(begun)
    try:
        yield
    finally:
        _begun.reset(token)


@dataclass(frozen=True)
class Read:
    """What one interval or test said of one sample.

    ``inside`` is whether the interval holds the truth, or whether the test rejects.
    """

    section: str
    interval: str
    inside: bool
    width: float = 0.0
    exempt: str = ""
    beside: bool = False  # a method that is only set beside the default


Draw = Callable[[np.random.Generator], Any]
Reader = Callable[[Any, np.random.Generator], Iterable[Read]]


@dataclass(frozen=True)
class Cell:
    """One population at one size: how to draw a sample, and what to read from it.

    ``slow`` divides the number of samples where each is dear and nothing is a default. ``of``
    names what is read, where other cells have the same samples.
    """

    situation: str
    size: str
    draw: Draw
    read: Reader
    role: Role = "development"
    slow: int = 1
    of: tuple[tuple[str, str], ...] = ()

    def rows(self, samples: int) -> list[Row]:
        """Measure the cell, from a seed of its own; return what was drawn now."""
        begun, most = _begun.get(), max(1, samples // self.slow)
        had = self.had(begun) if begun else {}
        if begun and not any(row.key in begun.open for row in had.values()):
            return []
        first = drawn(had.values())
        seed = [SEED, crc32(f"{self.situation}; {self.size}".encode())]
        rng = np.random.default_rng([*seed, first, 1] if begun else seed)
        counts: dict[tuple[str, str], Count] = {}
        for i in range(first, most):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                for read in self.read(self.draw(rng), rng):
                    counts.setdefault((read.section, read.interval), Count()).add(read)
            if not (i + 1) % FIRST and enough(i + 1, most) and clear(counts, had):
                break
        return [count.row(*key, self) for key, count in counts.items()]

    def had(self, begun: Begun) -> dict[tuple[str, str], Row]:
        """Return the rows that a table has of the cell."""
        rows = begun.rows.get((self.situation, self.size), ())
        keyed = {(row.section, row.interval): row for row in rows}
        return {key: row for key, row in keyed.items() if not self.of or key in self.of}


@dataclass
class Count:
    """What became of one interval or test so far."""

    inside: list[bool] = field(default_factory=list)
    width: list[float] = field(default_factory=list)
    exempt: str = ""
    beside: bool = False

    def add(self, read: Read) -> None:
        self.inside.append(read.inside)
        self.width.append(read.width)
        self.exempt, self.beside = read.exempt, read.beside

    def row(self, section: str, interval: str, cell: Cell) -> Row:
        width, gone = np.array(self.width), self.exempt.startswith(LEFT_OUT)
        if not np.isfinite(width).all():  # a threshold may be infinite
            width = np.full(1, np.nan)
        return Row(
            section,
            cell.situation,
            cell.size,
            interval,
            float("nan") if gone else float(np.mean(self.inside)),
            float(width.mean()),
            float(width.std()),
            0 if gone else len(self.inside),
            role=cell.role,
            exempt=self.exempt,
        )


def drawn(rows: Iterable[Row]) -> int:
    """Return how many samples a cell has."""
    return max((row.samples for row in rows), default=0)


def enough(samples: int, most: int) -> bool:
    """Whether a cell has enough samples to ask whether it is clear."""
    return samples >= max(FIRST, most // SHARE)


def clear(
    counts: Mapping[tuple[str, str], Count], had: Mapping[tuple[str, str], Row] | None = None
) -> bool:
    """Whether no default of a cell needs more samples, with those that it had.

    Of a cell without a default all samples are drawn.
    """
    had = had or {}
    if all(count.beside for count in counts.values()):
        return False
    for key, count in counts.items():
        if count.beside or count.exempt.startswith(LEFT_OUT):
            continue
        before = had.get(key)
        n, hits = len(count.inside), sum(count.inside)
        if before is not None:
            n, hits = n + before.samples, hits + before.hits
        if undecided(*key, n, hits):
            return False
    return True


def undecided(section: str, interval: str, n: int, hits: int) -> bool:
    """Whether more samples may change what is said of a default: it neither holds nor misses.

    A share on the right side of the nominal level is not going to be called a miss; of a planned
    power or width both sides count, so that all samples are drawn.
    """
    if "power" in section or "width" in section:
        return True
    least, nominal = LEAST, LEVEL
    if "size" in section:
        called = called_at(interval)
        hits, least, nominal = n - hits, 1 - LARGER * called, 1 - called
    return hits < nominal * n and bool(stats.binom.cdf(hits, n, least) > CLEAR_MISS)


# --- parts ------------------------------------------------------------------------------------


def part(
    name: str,
    make: Callable[[], Iterable[Cell]],
    sections: Sequence[Section],
    samples: int = SAMPLES,
    quick: int = 0,
) -> Part:
    """Return a part whose cells are made when asked for; what is no default is read beside."""
    defaults = {(each.name, default) for each in sections for default in each.defaults}

    @cache
    def made() -> tuple[Cell, ...]:
        return tuple(replace(cell, read=partial(beside, cell.read, defaults)) for cell in make())

    def rows(many: int, number: int) -> list[Row]:
        return made()[number].rows(many)

    return Part(name, rows, tuple(sections), samples, quick, cells=lambda: len(made()))


def beside(
    read: Reader, defaults: Collection[tuple[str, str]], sample: Any, rng: np.random.Generator
) -> Iterator[Read]:
    """Read a sample; mark what is only set beside the defaults of its section."""
    for each in read(sample, rng):
        named = (each.section, each.interval) in defaults
        yield each if named or each.beside else replace(each, beside=True)


def sizes_of(n_pos: int, n_neg: int) -> str:
    return f"{n_pos} + {n_neg}"


def draw_of(population: Population, size: tuple[int, int]) -> Draw:
    def draw(rng: np.random.Generator) -> ScoreTable:
        pos, neg = population.pos(rng, (1, size[0])), population.neg(rng, (1, size[1]))
        return tabulate_classes(pos[0], neg[0])

    return draw


def of_population(population: Population, size: tuple[int, int], read: Reader) -> Cell:
    return Cell(population.name, sizes_of(*size), draw_of(population, size), read)


def of_pairs(situation: str, population: Any, size: tuple[int, int], read: Reader) -> Cell:
    return Cell(situation, sizes_of(*size), lambda rng: population.draw(*size, rng=rng), read)


# --- readers ----------------------------------------------------------------------------------


def held(
    section: str,
    name: str,
    make: Callable[[], Any],
    truth: float,
    *,
    exempt: str = "",
    beside: bool = False,
) -> Iterator[Read]:
    """Read whether an interval, made by its default, holds a truth; nothing if it is refused."""
    try:
        low, high = make()
    except ValueError:
        return
    inside = low - 1e-12 <= truth <= high + 1e-12
    yield Read(section, name, bool(inside), float(high - low), exempt, beside)


def by_scales(
    section: str, estimate: Estimate | Difference, truth: float, scales: Sequence[Any]
) -> Iterator[Read]:
    for scale in scales:
        yield from held(section, scale, partial(estimate.interval, LEVEL, scale=scale), truth)


def rejected(
    section: str,
    name: str,
    make: Callable[[], float],
    level: float = CALLED,
    told: float = 0.0,
    *,
    beside: bool = False,
) -> Iterator[Read]:
    """Read whether a test, made by its default, rejects, and the power that its plan told."""
    try:
        pvalue = make()
    except ValueError:
        return
    yield Read(section, name, bool(pvalue <= level), width=told, beside=beside)


def at_levels(
    section: str, pvalues: Mapping[str, float], levels: Sequence[float] = (CALLED,)
) -> Iterator[Read]:
    for (name, pvalue), level in product(pvalues.items(), levels):
        yield Read(section, f"{name} at {level:g}", bool(pvalue <= level))


def interval_of(estimate: Any) -> Any:
    return estimate.interval(LEVEL)


def interval_by(make: Callable[[], Any]) -> Any:
    """Return the interval of an estimate that is yet to be made."""
    return interval_of(make())


def pvalue_by(make: Callable[[], Any]) -> float:
    """Return the p value of a test that is yet to be made."""
    return float(make().pvalue)
