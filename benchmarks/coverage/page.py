"""The page of measured coverage: a summary, a figure, and a table for each section."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

from benchmarks.coverage.ledger import (
    KINDS,
    LEVEL,
    MISS,
    ROOT,
    SEED,
    Ledger,
    Part,
    Row,
    Section,
    kinds,
)

PAGE = ROOT / "docs" / "coverage.md"
FIGURE = ROOT / "docs" / "_static" / "coverage.png"
SHORT = 24  # lines: longer tables are shown by kinds of populations

HEAD = f"""\
# Measured coverage

How often intervals and bands of level {LEVEL:g} contain the truth, and how often tests reject,
where the truth is known. Made by `python -m benchmarks.coverage` (seed {SEED}), which writes
`benchmarks/results/coverage.csv` too: {{rows}} rows, one for each method in each situation, with
their numbers of samples and Monte Carlo errors. A shorter run of the same program is among the
tests: it fails if a method no longer does what this page says.

The populations are of six kinds: *binormal*; *skewed* (exponential, gamma, hidden positives,
unequal spread); *tied* (five ratings); *tiny* (5 positives or fewer); *unbalanced* (1:1000);
*near-perfect* (an area of .98 or more). Sizes are positives + negatives. One situation can be of
several kinds, and then counts in each.

Entries are percent, with the mean width in brackets. The nominal level is {100 * LEVEL:g} for
intervals and bands, and at most 5 (or 1) for tests. What misses it by more than
{100 * MISS:g} points is **bold**. The standard error of an entry near 95 is 0.5 with 2000
samples, 1.1 with 400, 1.5 with 200.
"""

SUMMARY = """\
## Summary

Over all situations of each section. A star marks what one gets without asking. "Holds" says in
how many situations the nominal level is missed by more than 2 points; "by chance" are misses of
less than two standard errors more, which more samples may take back. Of tests the highest is the
worst, of intervals the lowest.
"""

FIGURE_TEXT = """\
![Coverage of every interval and band, one dot for each situation](_static/coverage.png)

*One dot for each situation, a bar at the median. The line is the nominal level, the dashed line two
points from it. Black, with a star: what one gets without asking. What lies beyond an axis is put
at its end.*
"""

KINDS_TEXT = """\
## Which populations

How many situations of each kind every section has.
"""


# --- what is said of one method ---------------------------------------------------------------


@dataclass(frozen=True)
class Told:
    """All situations of one method in one section."""

    section: Section
    interval: str
    rows: tuple[Row, ...]

    @property
    def default(self) -> bool:
        return self.interval in self.section.defaults

    @property
    def shares(self) -> list[float]:
        return sorted(row.coverage for row in self.rows)

    @property
    def width(self) -> float:
        found = [row.width for row in self.rows if np.isfinite(row.width)]
        return float(np.mean(found)) if found else float("nan")

    @property
    def missed(self) -> list[Row]:
        return [row for row in self.rows if self.section.misses(row)]

    @property
    def verdict(self) -> str:
        missed = self.missed
        sure = [row for row in missed if self.section.misses_surely(row)]
        if not missed:
            return "yes"
        if not sure:
            return f"yes, {len(missed)} of {len(self.rows)} by chance"
        return f"no: {len(missed)} of {len(self.rows)}"


def told(section: Section, rows: Sequence[Row]) -> list[Told]:
    found: dict[str, list[Row]] = {}
    for row in rows:
        if not row.size.startswith("1 +"):  # no method but hoeffding's is for one positive
            found.setdefault(row.interval, []).append(row)
    return [Told(section, interval, tuple(of)) for interval, of in found.items()]


# --- the page ---------------------------------------------------------------------------------


def write(rows: Sequence[Row], parts: Sequence[Part]) -> None:
    """Write page and figure."""
    PAGE.write_text(page(rows, parts), encoding="utf-8")
    draw(rows, parts)


def sections(rows: Sequence[Row], parts: Sequence[Part]) -> Iterator[tuple[Section, list[Row]]]:
    by_name = Ledger(rows).sections
    for section in (s for part in parts for s in part.sections):
        if section.name in by_name:
            yield section, by_name[section.name]


def page(rows: Sequence[Row], parts: Sequence[Part]) -> str:
    """Return the page that belongs to a table."""
    shown = list(sections(rows, parts))
    text = [HEAD.format(rows=len(rows)), FIGURE_TEXT, SUMMARY, summary(shown)]
    text += [KINDS_TEXT, kinds_table(shown)]
    for section, of in shown:
        text.append(f"## {section.title}\n")
        samples = sorted({row.samples for row in of})
        many = " or ".join(map(str, samples)) + " samples." if any(samples) else ""
        text.append(" ".join(filter(None, [section.note, many])) + "\n")
        text.append(grid(section, of))
    return "\n".join(text)


def summary(shown: Sequence[tuple[Section, list[Row]]]) -> str:
    lines = [
        "| | method | lowest | median | highest | mean width | holds |",
        "|---|---|---:|---:|---:|---:|---|",
    ]
    for section, rows in shown:
        if section.kind == "power":
            continue
        first = section.title if section.kind == "coverage" else f"{section.title} (size)"
        for each in told(section, rows):
            low, middle, high = each.shares[0], median(each.shares), each.shares[-1]
            shares = " | ".join(f"{100 * x:.1f}" for x in (low, middle, high))
            width = f"{each.width:.3g}" if each.width > 0 else ""
            star = " *" if each.default else ""
            name = f"{each.interval}{star}".replace("*", "\\*")
            lines.append(f"| {first} | {name} | {shares} | {width} | {each.verdict} |")
            first = ""
    return "\n".join(lines) + "\n"


def kinds_table(shown: Sequence[tuple[Section, list[Row]]]) -> str:
    lines = [f"| | {' | '.join(KINDS)} | not here |", "|---|" + "---:|" * len(KINDS) + "---|"]
    for section, rows in shown:
        situations = {(row.situation, row.size): row for row in rows}
        many = Counter(kind for row in situations.values() for kind in kinds(row))
        counts = " | ".join(str(many[kind] or "") for kind in KINDS)
        lines.append(f"| {section.title} | {counts} | {section.lacks} |")
    return "\n".join(lines) + "\n"


def grid(section: Section, rows: Sequence[Row]) -> str:
    """One column for each method; a line for each situation, or for each kind if there are many."""
    names = list(dict.fromkeys(row.interval for row in rows))
    lines: dict[tuple[str, str], dict[str, list[Row]]] = {}
    for row in rows:
        lines.setdefault((row.situation, row.size), {}).setdefault(row.interval, []).append(row)
    first = "situation | size"
    if len(lines) > SHORT:
        first, lines = "kind | situations", by_kind(rows)
    text = [f"| {first} | {' | '.join(names)} |", "|---|---|" + "---:|" * len(names)]
    for where, found in lines.items():
        entries = [entry(section, found.get(name, [])) for name in names]
        text.append(f"| {' | '.join(where)} | {' | '.join(entries)} |")
    return "\n".join(text) + "\n"


def by_kind(rows: Sequence[Row]) -> dict[tuple[str, str], dict[str, list[Row]]]:
    found: dict[tuple[str, str], dict[str, list[Row]]] = {}
    for kind in KINDS:
        of = [row for row in rows if kind in kinds(row)]
        many = str(len({(row.situation, row.size) for row in of}))
        for row in of:
            found.setdefault((kind, many), {}).setdefault(row.interval, []).append(row)
    return found


def entry(section: Section, rows: Sequence[Row]) -> str:
    """Return one number, or from the lowest to the highest."""
    if not rows:
        return ""
    shares = sorted(row.coverage for row in rows)
    text = f"{100 * shares[0]:.1f}"
    if len(rows) > 1:
        text += f" to {100 * shares[-1]:.1f}"
    if any(section.misses(row) for row in rows):
        text = f"**{text}**"
    width = float(np.mean([row.width for row in rows]))
    return f"{text} ({width:.3g})" if width > 0 else text


# --- the figure -------------------------------------------------------------------------------

LEFT = 0.6  # where the axis of coverage begins; what is lower is put there
RIGHT_MOST = 0.2  # where the axis of rejections ends
_AXIS = 5  # lines that an axis with its label takes
_HEADING = 1.4  # lines that a section's title takes


def draw(rows: Sequence[Row], parts: Sequence[Part]) -> None:
    """Draw all coverages, readable without colour."""
    from matplotlib import pyplot as plt

    from rocspace.plot import style

    shown = [(section, told(section, of)) for section, of in sections(rows, parts)]
    covers = [(s, of) for s, of in shown if s.kind == "coverage"]
    sizes = [(s, of) for s, of in shown if s.kind == "size"]
    half = (_lines(covers) + _lines(sizes)) / 2
    first = [covers[i] for i in range(len(covers)) if _lines(covers[:i]) < half]
    second = covers[len(first) :]
    heights = [_lines(second) + 1, _lines(sizes) + 1]
    tall = max(_lines(first), sum(heights) + _AXIS)
    with style("double", figure_figsize=(7.5, 0.115 * tall + 0.6)):
        figure = plt.figure()
        left, right = figure.subfigures(1, 2)
        axes = [left.subplots(), *right.subplots(2, 1, height_ratios=heights)]
        _panel(axes[0], first, tall, nominal=LEVEL, ends=(LEFT, 1.0))
        _panel(axes[1], second, heights[0], nominal=LEVEL, ends=(LEFT, 1.0))
        _panel(axes[2], sizes, heights[1], nominal=0.05, ends=(0.0, RIGHT_MOST))
        for ax in axes[:2]:
            ax.set_xlabel("Coverage, nominal .95")
        axes[2].set_xlabel("Rejections of true hypotheses, nominal .05")
        FIGURE.parent.mkdir(exist_ok=True)
        figure.savefig(FIGURE, dpi=160, metadata={"Software": None})
        plt.close(figure)


Shown = Sequence[tuple[Section, Sequence[Told]]]


def _lines(shown: Shown) -> float:
    return sum(_HEADING + len([e for e in of if _drawn(e)]) for _, of in shown)


def _drawn(each: Told) -> bool:
    return " at 0.01" not in each.interval


def _panel(
    ax: object, shown: Shown, tall: float, *, nominal: float, ends: tuple[float, float]
) -> None:
    from matplotlib.axes import Axes

    assert isinstance(ax, Axes)
    y, ticks, names = 0.0, [], []
    low, high = ends
    for section, of in shown:
        y += _HEADING
        ax.text(low, y - 0.45, section.title, fontsize=6, fontweight="bold", va="center")
        for each in filter(_drawn, of):
            shares = np.clip(each.shares, low, high)
            colour = "black" if each.default else "0.55"
            ax.plot(
                shares, np.full(shares.size, y + 0.5), "o", ms=1.8, mew=0, alpha=0.6, color=colour
            )
            middle = float(np.clip(median(each.shares), low, high))
            ax.plot([middle] * 2, [y + 0.1, y + 0.9], color=colour, lw=1.4)
            ticks.append(y + 0.5)
            names.append(each.interval + (" *" if each.default else ""))
            y += 1
    off = nominal - MISS if nominal > 0.5 else nominal + MISS
    ax.axvline(nominal, color="black", lw=0.6, zorder=0)
    ax.axvline(off, color="black", lw=0.6, ls=(0, (4, 3)), zorder=0)
    ax.set_yticks(ticks, names, fontsize=5.5)
    ax.tick_params(axis="y", length=0)
    ax.set(xlim=(low - 0.005, high + 0.005), ylim=(tall, 0))
