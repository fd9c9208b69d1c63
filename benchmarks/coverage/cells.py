"""One cell of the ledger: the same samples for all that is read from them, until it is clear.

A reader yields a `Read` for each interval or test of one sample; `measure` counts them.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any
from zlib import crc32

import numpy as np
from scipy import stats

from benchmarks.coverage.judge import LARGER, LEAST
from benchmarks.coverage.ledger import LEVEL, SEED, Role, Row

CLEAR_MISS = 1e-7  # a chance below which more samples would change nothing
FIRST = 100  # samples before anything is called clear,
SHARE = 8  # and at least this part of all
CALLED = 0.05
LEFT_OUT = "left out: "

_beyond: ContextVar[int] = ContextVar("beyond", default=0)


@contextmanager
def beyond(samples: int) -> Iterator[None]:
    """Draw other samples than the first so many: those of a seed that their number goes into."""
    token = _beyond.set(samples)
    try:
        yield
    finally:
        _beyond.reset(token)


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

    ``slow`` divides the number of samples, where each is resampled or large.
    """

    situation: str
    size: str
    draw: Draw
    read: Reader
    role: Role = "development"
    slow: int = 1

    def rows(self, samples: int) -> list[Row]:
        """Measure the cell, from a seed of its own."""
        name, further = f"{self.situation}; {self.size}", _beyond.get()
        rng = np.random.default_rng([SEED, crc32(name.encode()), *([further] if further else [])])
        counts: dict[tuple[str, str], Count] = {}
        most = max(1, samples // self.slow)
        for i in range(most):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                for read in self.read(self.draw(rng), rng):
                    counts.setdefault((read.section, read.interval), Count()).add(read)
            if i + 1 >= most // SHARE and not (i + 1) % FIRST and clear(counts):
                break
        return [count.row(*key, self) for key, count in counts.items()]


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


def clear(counts: dict[tuple[str, str], Count]) -> bool:
    """Whether no default of a cell needs more samples: it misses for sure, or is not below.

    A share on the right side of the nominal level is not going to be called a miss; of a planned
    power or width both sides count, so that all samples are drawn.
    """
    for (section, _), count in counts.items():
        if count.beside or count.exempt.startswith(LEFT_OUT):
            continue
        if "power" in section or "width" in section:
            return False
        n, hits, least, nominal = len(count.inside), sum(count.inside), LEAST, LEVEL
        if "size" in section:
            hits, least, nominal = n - hits, 1 - LARGER * CALLED, 1 - CALLED
        if hits < nominal * n and stats.binom.cdf(hits, n, least) > CLEAR_MISS:
            return False
    return True


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


def rejected(
    section: str, name: str, make: Callable[[], float], level: float = CALLED, told: float = 0.0
) -> Iterator[Read]:
    """Read whether a test, made by its default, rejects, and the power that its plan told."""
    try:
        pvalue = make()
    except ValueError:
        return
    yield Read(section, name, bool(pvalue <= level), width=told)


def interval_of(estimate: Any) -> Any:
    return estimate.interval(LEVEL)
