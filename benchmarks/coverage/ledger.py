"""The table of measured coverage: its rows, how it is kept, and whether new numbers agree with it.

`benchmarks.coverage` lists the parts that make rows; `benchmarks.coverage.page` shows them.
"""

from __future__ import annotations

import csv
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Literal, cast

import numpy as np
from scipy import stats

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "benchmarks" / "results" / "coverage.csv"

SEED = 20060601
SAMPLES = 2000  # of a cell, at most: it ends earlier where it is clear
SAMPLES_OF_BANDS = 1000
LEVEL = 0.95
CALLED = 0.05
UNLIKELY = 7e-6  # two-sided chance beyond which a difference is not luck: 4.5 standard errors
DRIFT = 4.5  # the same for mean widths

COLUMNS = ("part", "section", "situation", "size", "interval")
NUMBERS = ("coverage", "width", "width_sd")

Kind = Literal["coverage", "size", "planned", "power"]
Role = Literal["", "development", "validation"]


# --- what is measured -------------------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    """How one interval, band or test did in one situation.

    ``coverage`` is the share of samples where the interval held the truth, or where the test
    rejected. ``samples`` is 0 where the sums are exact. Populations of "development" may have
    served to choose a constant, those of "validation" did not. ``exempt`` says why too much
    does not count, as at a boundary of the parameter; where the coverage is NaN, why the cell
    is left out.
    """

    section: str
    situation: str
    size: str
    interval: str
    coverage: float
    width: float
    width_sd: float = 0.0
    samples: int = 0
    part: str = ""
    role: Role = ""
    exempt: str = ""

    @property
    def key(self) -> tuple[str, ...]:
        return self.section, self.situation, self.size, self.interval

    @property
    def se(self) -> float:
        """Monte Carlo standard error of the coverage; never 0 by luck."""
        if not self.samples:
            return 0.0
        p = (self.hits + 1) / (self.samples + 2)
        return float(np.sqrt(p * (1 - p) / self.samples))

    @property
    def width_se(self) -> float:
        return self.width_sd / self.samples**0.5 if self.samples else 0.0

    @property
    def hits(self) -> int:
        return round(self.coverage * self.samples)


@dataclass(frozen=True)
class Section:
    """One table of the page: the nominal level of its rows, and what needs saying.

    ``defaults`` are the intervals or tests one gets without asking; ``lacks`` says which kinds
    of populations cannot be here, and why. Sections of one ``group`` measure the same defaults
    elsewhere. ``targets`` says that the intervals are of several quantities, so that widths are
    not comparable; ``apart`` that each has an assumption of its own, with the same effect, but is a
    default by itself; ``discrete`` that exact limits of counts cover more than they need to;
    ``wide`` that it is one of the widened parts, whose populations have names of their own.
    """

    name: str
    title: str
    note: str = ""
    kind: Kind = "coverage"
    defaults: tuple[str, ...] = ()
    lacks: str = ""
    group: str = ""
    targets: bool = False
    apart: bool = False
    discrete: bool = False
    wide: bool = False
    promised: float = 0.8

    def nominal(self, interval: str) -> float:
        """Return the nominal level of an interval, size of a test, or power of a plan."""
        if self.kind == "coverage":
            return LEVEL
        if self.kind == "planned":
            return self.promised
        return called_at(interval)


def called_at(test: str) -> float:
    """Return the level of a test, which its name tells if it is not the usual one."""
    return float(test.rsplit(" at ", 1)[1]) if " at 0.0" in test else CALLED


@dataclass(frozen=True)
class Part:
    """Rows that are measured together, from a seed of their own.

    ``rows(samples)`` yields them; of a part of many cells ``rows(samples, i)`` those of the cell
    ``i`` of ``cells()``, so that processes can share them. ``quick`` samples are enough to see a
    fault; 0 of both where the sums are exact, of ``quick`` also where each takes long.
    ``needs`` names a package without which the part is left out.
    """

    name: str
    rows: Callable[..., Iterable[Row]]
    sections: tuple[Section, ...]
    samples: int = SAMPLES
    quick: int = 20
    needs: str = ""
    role: Role = "development"
    cells: Callable[[], int] | None = None

    @property
    def grows(self) -> bool:
        """Whether further samples can be drawn: the cells have seeds of their own."""
        return self.cells is not None

    def units(self) -> list[tuple[int, ...]]:
        """Return what each piece of the work is told beside the number of samples."""
        return [()] if self.cells is None else [(i,) for i in range(self.cells())]

    def measure(self, samples: int, unit: tuple[int, ...]) -> list[Row]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what users are warned of is what is measured here
            found = list(self.rows(samples, *unit))
        return [replace(row, part=self.name, role=row.role or self.role) for row in found]


# --- kinds of populations ---------------------------------------------------------------------

KINDS = ("binormal", "skewed", "tied", "tiny", "unbalanced", "near-perfect")
_SKEWED = ("exponential", "gamma", "hidden", ", sd ", "skewed")
_TINY, _UNBALANCED, _NEAR_PERFECT = 5, 1000, 0.98


def kinds(row: Row) -> set[str]:
    """Return of which kinds a situation is: by its words, its sizes, its areas."""
    found = set()
    if any(word in row.situation for word in _SKEWED):
        found.add("skewed")
    if "rating" in row.situation:
        found.add("tied")
    sizes = [int(n) for n in row.size.split(" + ")] if " + " in row.size else []
    if (sizes and sizes[0] <= _TINY) or "tiny" in row.situation:
        found.add("tiny")
    unbalanced = bool(sizes) and sizes[1] >= _UNBALANCED * sizes[0]
    if unbalanced or "1:1000" in row.situation:
        found.add("unbalanced")
    if any(_NEAR_PERFECT <= area < 1 for area in _numbers(row.situation)):
        found.add("near-perfect")
    return found or {"binormal"}


def _numbers(text: str) -> list[float]:
    words = text.replace(",", " ").split()
    return [float(word) for word in words if word.startswith("0.") and word[2:].isdigit()]


# --- the table in a file ----------------------------------------------------------------------


class Ledger:
    """All rows, in the order of their parts."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self.rows = list(rows)

    @cached_property
    def sections(self) -> dict[str, list[Row]]:
        found: dict[str, list[Row]] = {}
        for row in self.rows:
            found.setdefault(row.section, []).append(row)
        return found

    def replaced(self, part: str, rows: Sequence[Row], order: Sequence[str]) -> Ledger:
        """Return the table with the rows of one part measured anew."""
        others = [row for row in self.rows if row.part != part and row.part in order]
        return Ledger(sorted([*others, *rows], key=lambda row: order.index(row.part)))


def pooled(old: Sequence[Row], new: Sequence[Row]) -> list[Row]:
    """Return all old rows, those of which there are new samples resting on both.

    Raises
    ------
    ValueError
        If new rows are of something else, or differ by more than luck: then the method has
        changed, and its part is to be measured anew.
    """
    further = {row.key: row for row in new}
    before = {row.key: row for row in old if row.key in further}
    if found := drifted(_like(new, before), _like(list(before.values()), further)):
        msg = f"these are not samples of the same methods: {found[0]}"
        raise ValueError(msg)
    return [_joined(row, further[row.key]) if row.key in further else row for row in old]


def _like(rows: Sequence[Row], others: dict[tuple[str, ...], Row]) -> list[Row]:
    """Return rows without a width where the others know none: one interval was infinite."""
    unknown = {key for key, other in others.items() if np.isnan(other.width)}
    return [replace(row, width=float("nan")) if row.key in unknown else row for row in rows]


def _joined(old: Row, new: Row) -> Row:
    samples = old.samples + new.samples
    if not (old.samples and new.samples):
        return max(old, new, key=lambda row: row.samples)
    a, b = old.samples / samples, new.samples / samples
    apart = a * b * (old.width - new.width) ** 2  # of the means, in the variance of all widths
    return replace(
        new,
        coverage=(old.hits + new.hits) / samples,
        width=a * old.width + b * new.width,
        width_sd=float(np.sqrt(a * old.width_sd**2 + b * new.width_sd**2 + apart)),
        samples=samples,
    )


def write(rows: Iterable[Row], path: Path = RESULTS) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    whole = path.with_suffix(".part")
    with whole.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow([*COLUMNS, *NUMBERS, "samples", "coverage_se", "width_se", "role", "exempt"])
        for r in rows:
            numbers = [f"{getattr(r, name):.6g}" for name in NUMBERS]
            errors = f"{r.se:.2g}", f"{r.width_se:.2g}"
            out.writerow([r.part, *r.key, *numbers, r.samples, *errors, r.role, r.exempt])
    whole.replace(path)


def read(path: Path = RESULTS) -> list[Row]:
    with path.open(encoding="utf-8", newline="") as file:
        return [
            Row(
                section=line["section"],
                situation=line["situation"],
                size=line["size"],
                interval=line["interval"],
                coverage=float(line["coverage"]),
                width=float(line["width"]),
                width_sd=float(line["width_sd"]),
                samples=int(line["samples"]),
                part=line["part"],
                role=cast(Role, line["role"]),
                exempt=line["exempt"],
            )
            for line in csv.DictReader(file)
        ]


# --- has anything changed? --------------------------------------------------------------------


def drifted(rows: Sequence[Row], committed: Sequence[Row]) -> list[str]:
    """Say which intervals no longer do what the committed table says."""
    before = {row.key: row for row in committed}
    if {row.key for row in rows} != set(before):
        return ["the committed table has other rows: run python -m benchmarks.coverage"]
    found = []
    for row in rows:
        old = before[row.key]
        if other_share(row, old):
            found.append(f"{row.key}: coverage {row.coverage:.4g}, was {old.coverage:.4g}")
        if other_width(row, old):
            found.append(f"{row.key}: mean width {row.width:.4g}, was {old.width:.4g}")
    return found


def other_share(row: Row, old: Row) -> bool:
    """Whether two counts cannot be of the same share: Fisher's exact test, one side at a time."""
    if np.isnan(row.coverage) or np.isnan(old.coverage):
        return bool(np.isnan(row.coverage) != np.isnan(old.coverage))
    if not row.samples:
        return abs(row.coverage - old.coverage) > 2e-6
    return _unlikely(row.hits, row.samples, old.hits, old.samples)


@cache
def _unlikely(hits: int, samples: int, old_hits: int, old_samples: int) -> bool:
    counts = (samples + old_samples, hits + old_hits, samples)
    below, above = stats.hypergeom.cdf(hits, *counts), stats.hypergeom.sf(hits - 1, *counts)
    return bool(min(below, above) < UNLIKELY / 2)


def other_width(row: Row, old: Row) -> bool:
    if np.isnan(row.width) or np.isnan(old.width):
        return bool(np.isnan(row.width) != np.isnan(old.width))
    if not row.samples:
        return abs(row.width - old.width) > 5e-6 * max(1.0, old.width)  # six digits are kept
    # One more standard error, since that error is itself measured on few samples.
    sd = max(row.width_sd, old.width_sd)
    allowed = (DRIFT + 1) * sd * (1 / row.samples + 1 / old.samples) ** 0.5
    return bool(abs(row.width - old.width) > allowed + 1e-4)
