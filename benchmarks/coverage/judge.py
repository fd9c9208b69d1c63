"""What holds, what misses and what wastes: the rule by which the rows of the ledger are read.

A default misses in a cell if the exact binomial test of "it covers at least 93.5 percent" is
rejected, by Holm's procedure at .05 over all cells of that default; a test likewise if its size
is not at most .065 (1.3 times the nominal one). Too much is listed as well: coverage over 98.5
percent, or a mean width over 1.15 times that of the narrowest method that holds in the cell.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy import stats

from benchmarks.coverage.ledger import ROOT, Row, Section
from rocspace.compare import adjusted_pvalues

KNOWN = ROOT / "benchmarks" / "results" / "coverage_misses.csv"

LEAST = 0.935  # what an interval of level .95 has to cover
LARGER = 1.3  # how many times its nominal size a test may have
NEAR = 0.02  # how far from its plan a power may be
ERROR = 0.05  # of Holm's procedure, over all cells of one default
OVER = 0.985  # more than this is waste
WIDER = 1.15  # and so is a width above this many times the narrowest that holds
_EXACT = 1e-9  # rounding of exact sums


@dataclass(frozen=True)
class Verdict:
    """A row of the ledger, and how the rule reads it."""

    row: Row
    section: Section
    pvalue: float
    missed: bool
    narrow: Row | None = None  # the narrowest method that holds in the same cell

    @property
    def default(self) -> bool:
        return self.row.interval in self.section.defaults

    @property
    def below(self) -> bool:
        """Whether the measured number is on the wrong side, be it by chance."""
        return lack(self.row, self.section) > _EXACT

    @property
    def wider(self) -> float:
        """How many times as wide it is as the narrowest method that holds there."""
        return self.row.width / self.narrow.width if self.narrow else 1.0

    @property
    def waste(self) -> str:
        """In which way a default is wasteful in a cell, if it is."""
        row, exempt = self.row, self.row.exempt or self.section.discrete
        if not self.default or self.section.kind != "coverage" or exempt:
            return ""
        said = [f"covers {100 * row.coverage:.1f}"] if row.coverage > OVER else []
        if self.narrow and self.wider > WIDER:
            said.append(f"{self.wider:.2f} x as wide as {self.narrow.interval}")
        return ", ".join(said)

    @property
    def name(self) -> str:
        """The default that the row belongs to: Holm's procedure is over all rows of one name."""
        group = self.section.group or self.section.name
        several = self.default and (self.section.targets or self.row.interval == "default")
        return group if several else f"{group}: {self.row.interval}"


def nominal_of(row: Row, section: Section) -> float:
    """Return what is required; of a planned power what the plan told, which is its width."""
    told = section.kind == "planned" and row.width > 0
    return row.width if told else section.nominal(row.interval)


def lack(row: Row, section: Section) -> float:
    """Return how much is missing to what is required; negative where it is met."""
    nominal = nominal_of(row, section)
    if section.kind == "coverage":
        return LEAST - row.coverage
    if section.kind == "size":
        return row.coverage - LARGER * nominal
    return abs(row.coverage - nominal) - NEAR if section.kind == "planned" else -1.0


def pvalue(row: Row, section: Section) -> float:
    """Return the p value of the hypothesis that the row meets what is required."""
    if section.kind == "power":
        return 1.0
    if not row.samples:
        return 0.0 if lack(row, section) > _EXACT else 1.0
    n, hits, nominal = row.samples, row.hits, nominal_of(row, section)
    if section.kind == "coverage":
        return float(stats.binom.cdf(hits, n, LEAST))
    if section.kind == "size":
        return float(stats.binom.sf(hits - 1, n, LARGER * nominal))
    below, above = nominal - NEAR, min(nominal + NEAR, 1.0)
    tails = stats.binom.cdf(hits, n, below), stats.binom.sf(hits - 1, n, above)
    return min(1.0, 2 * float(min(tails)))


def judge(rows: Iterable[Row], sections: Mapping[str, Section]) -> list[Verdict]:
    """Return a verdict on each row that has a number, in their order."""
    read = [row for row in rows if np.isfinite(row.coverage) and counts(row, sections)]
    first = [Verdict(row, sections[row.section], 1.0, missed=False) for row in read]
    by_name: dict[str, list[int]] = {}
    for i, each in enumerate(first):
        by_name.setdefault(each.name, []).append(i)
    p = np.array([pvalue(each.row, each.section) for each in first])
    missed = np.zeros(len(first), dtype=bool)
    for places in by_name.values():
        missed[places] = adjusted_pvalues(p[places], method="holm") <= ERROR
    narrow = narrowest(first)
    return [
        Verdict(
            each.row,
            each.section,
            float(p[i]),
            missed=bool(missed[i]),
            narrow=narrow.get(place(each.row)),
        )
        for i, each in enumerate(first)
    ]


def counts(row: Row, sections: Mapping[str, Section]) -> bool:
    """Whether a row is of a method made for it: with one positive, only the default is."""
    return not row.size.startswith("1 +") or row.interval in sections[row.section].defaults


def place(row: Row) -> tuple[str, str, str]:
    return row.section, row.situation, row.size


def narrowest(verdicts: Sequence[Verdict]) -> dict[tuple[str, str, str], Row]:
    """Return of each cell the method with the least mean width among those that hold there."""
    found: dict[tuple[str, str, str], Row] = {}
    for each in verdicts:
        row = each.row
        if each.section.kind != "coverage" or each.below or not row.width > 0:
            continue
        if each.section.targets or each.section.apart:
            continue  # of several quantities, or assumptions: not comparable
        if (where := place(row)) not in found or row.width < found[where].width:
            found[where] = row
    return found


def missing(verdicts: Iterable[Verdict]) -> list[Verdict]:
    """Return the misses of defaults, the worst first."""
    found = [each for each in verdicts if each.missed and each.default]
    return sorted(found, key=lambda each: -lack(each.row, each.section))


# --- misses that are known --------------------------------------------------------------------

Key = tuple[str, ...]


def read_known(path: Path = KNOWN) -> set[Key]:
    if not path.exists():
        return set()
    with path.open(encoding="utf-8", newline="") as file:
        return {tuple(line) for line in list(csv.reader(file))[1:]}


def write_known(keys: Iterable[Key], path: Path = KNOWN) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["section", "situation", "size", "interval"])
        out.writerows(sorted(keys))


def settle(verdicts: Iterable[Verdict], *, accept: bool, path: Path = KNOWN) -> list[Key]:
    """Strike from the known misses what holds now; return new ones, or add them on request."""
    now, known = {each.row.key for each in missing(verdicts)}, read_known(path)
    new = sorted(now - known)
    write_known(now if accept else now & known, path)
    return [] if accept else new
