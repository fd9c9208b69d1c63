"""The page of measured coverage: what misses, the second study, waste, and all tables."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

from benchmarks.coverage import index, study
from benchmarks.coverage.cells import FIRST, LEFT_OUT
from benchmarks.coverage.goodness import SAMPLES as OF_FITS
from benchmarks.coverage.judge import (
    ERROR,
    LARGER,
    LEAST,
    NEAR,
    OVER,
    WIDER,
    Verdict,
    judge,
    lack,
    missing,
)
from benchmarks.coverage.ledger import (
    KINDS,
    LEVEL,
    ROOT,
    SAMPLES,
    SAMPLES_OF_BANDS,
    SEED,
    Part,
    Row,
    Section,
    kinds,
)

PAGE = ROOT / "docs" / "coverage.md"
FIGURE = ROOT / "docs" / "_static" / "coverage.png"
SHORT = 24  # lines: longer tables are shown by kinds of populations
MANY = 10  # columns: wider tables have them as lines, if these are more

HEAD = f"""\
# Measured coverage

{{answer}}

## How it was measured

How often intervals and bands of level {LEVEL:g} contain the truth, and how often tests reject,
where the truth is known. The page is made by `python -m benchmarks.coverage` (seed {SEED}), which
also writes `benchmarks/results/coverage.csv`: {{rows}} rows, one for each method in each situation,
with their numbers of samples and Monte Carlo errors. Any part of it runs alone. A shorter run of
the same program is among the tests: it fails if a method no longer does what this page says.

**The rule.** A default *misses* in a cell if the exact binomial test of "it covers at least
{100 * LEAST:g} percent" is rejected, by Holm's procedure at {ERROR:g} over all cells of that
default. A test misses if it rejects a true hypothesis more than {LARGER:g} times as often as its
level states (6.5 percent instead of 5), a plan if its power is not within {100 * NEAR:g} points of
the planned one. Exact sums are held to the same numbers without a test. *Waste* is listed too:
coverage over {100 * OVER:g} percent, or a mean width over {WIDER:g} times that of the narrowest
method that holds in the same cell. It is not counted where the parameter is at its boundary, nor
for exact limits of counts. Populations that may have served to choose a constant belong to the
*development* half, the others to *validation*. The true curve of a discrete population is its
polygon; cells whose target jumps are left out. Sizes are positives + negatives.

**How many samples.** A cell of a default is drawn until it is clear or has {SAMPLES:,} samples, of
whole curves {SAMPLES_OF_BANDS:,}, of the goodness of fit {OF_FITS}, where one takes up to seconds.
It is clear where each of its defaults is on the right side of its level, or misses beyond doubt,
which is asked after an eighth of the samples, and every {FIRST} from there on. Methods of which
none is a default are measured on fewer where they are slow.
The largest number of samples in a cell of each part:

{{samples}}
"""

ANSWER_TEXT = """\
**In short.** {cells} cells of {defaults} defaults, each a method in one situation, have been
measured: intervals and bands, which should contain the truth in {level:g} percent of samples,
tests and plans. {missed} The table has a line for each question. "Worst" and "median" are over the
cells that were measured with at least {enough} samples, or exactly: percentages that contain the
truth; of tests, percentages of true hypotheses that are rejected (5 is right, less is careful); of
plans, the power (80 was planned).
"""

NAMED = 4  # defaults in the first sentence
ENOUGH = 200  # samples, with a standard error of 1.5 points

# What people ask, and how the names of the defaults that answer it begin.
QUESTIONS = {
    "the area of one score": (
        *("area:", "area, log", "bootstrap of the area"),
        *("wide: auc_estimate", "wide: bootstrap of auc"),
    ),
    "a part of an area": ("part of", "wide: partial_auc", "bootstrap of a part"),
    "precision and recall": (
        "area under the prec",
        "wide: pr_area",
        "wide: bootstrap of average",
        "wide: precision_at",
    ),
    "a difference of areas": (
        *("difference of areas", "difference of parts", "bootstrap of a difference"),
        *("wide: auc_difference", "wide: bootstrap of a difference"),
    ),
    "a difference by formulas, or of printed numbers": (
        *("wide: Difference.", "wide: hanley_mcneil", "wide: published_difference"),
    ),
    "a rate, or a ratio of rates": ("rate:", "both rates", "likelihood ratio", "predictive value"),
    "a curve fitted by a model": (),
    "a band of a curve, or of a difference": (
        *("band of", "wide: roc_band", "wide: difference_band", "wide: pr_band"),
        *("wide: average_band", "wide: denoised_band", "wide: verified_band"),
        "wide: optimise_band",
    ),
    "the least cost, the cost of a threshold": (
        *("least cost", "difference of least", "wide: resample_cost"),
        *("wide: cost_interval", "wide: expected_performance"),
    ),
    "calibration": ("wide: calibration",),
    "losses and reclassification": (
        *("wide: log loss", "wide: Brier", "wide: Cllr"),
        *("wide: difference of log", "wide: difference of Brier"),
        *("wide: net recl", "wide: integrated disc"),
    ),
    "cases in clusters": ("area, clusters", "wide: clustered"),
    "cross-validation and averages": (
        *("cross-val", "area of a way", "vertical", "wide: cv_", "wide: nested_cv"),
        "wide: compare_estimators",
    ),
    "other readings of the curve, thresholds": (),
    "tests": (),
    "plans of studies": (),
}

MISSES_TEXT = """\
## What misses, the worst first

{misses} of {cells} cells of defaults miss. Each line is a default with a miss, or with cells that
are on the wrong side by no more than chance; "validation" is the number of its misses in the
validation half. `benchmarks/results/coverage_misses.csv` names every cell that misses; a test
ensures that this list only shrinks.
"""

WASTE_TEXT = f"""\
## Waste

Cells of defaults whose coverage is over {100 * OVER:g} percent, or whose mean width is over
{WIDER:g} times that of the narrowest method of the ledger that holds there; and the widest of them.
"""

LEFT_TEXT = """\
## Cells that are left out
"""

SUMMARY = """\
## Summary

The numbers are over all situations of each section. A star marks the default. The worst situation
of a test is the one with the highest percentage, that of an interval the one with the lowest.
"""

FIGURE_TEXT = """\
![Coverage of the defaults, one dot for each situation](_static/coverage.png)

*Defaults: each situation is a dot, and each median a bar. The line is the nominal level, the dashed
line the least coverage that the rule accepts. Dots beyond an axis are drawn at its end.*
"""

KINDS_TEXT = """\
## Which populations

The table counts the situations of each kind in the older sections: *binormal*; *skewed*
(exponential, gamma, hidden positives, unequal spread); *tied* (five ratings); *tiny* (5 positives
or fewer); *unbalanced* (1:1000); *near-perfect* (an area of .98 or more). A situation can be of
several kinds.
"""

INDEX_TEXT = """\
## Where each function is measured

Every public function that tells an interval, a band or a test, and the tables below that measure
it. A test compares this list with the library.
"""

TABLES_TEXT = """\
## All tables

Entries are percent, with the mean width in brackets; what misses is **bold**. The standard error
of an entry near 95 is 0.5 with 2000 samples, 1.1 with 400, 1.5 with 200.
"""


# --- what is said of one method ---------------------------------------------------------------


@dataclass(frozen=True)
class Told:
    """All situations of one method in one section."""

    section: Section
    interval: str
    verdicts: tuple[Verdict, ...]

    @property
    def default(self) -> bool:
        return self.interval in self.section.defaults

    @property
    def shares(self) -> list[float]:
        return sorted(each.row.coverage for each in self.verdicts)

    @property
    def width(self) -> float:
        found = [each.row.width for each in self.verdicts if np.isfinite(each.row.width)]
        return float(np.mean(found)) if found else float("nan")

    @property
    def verdict(self) -> str:
        missed = sum(each.missed for each in self.verdicts)
        below = sum(each.below for each in self.verdicts) - missed
        if not missed:
            return f"yes, {below} of {len(self.verdicts)} by chance" if below else "yes"
        return f"no: {missed} of {len(self.verdicts)}"


def told(section: Section, verdicts: Sequence[Verdict]) -> list[Told]:
    found: dict[str, list[Verdict]] = {}
    for each in verdicts:
        found.setdefault(each.row.interval, []).append(each)
    return [Told(section, interval, tuple(of)) for interval, of in found.items()]


# --- the page ---------------------------------------------------------------------------------

Shown = list[tuple[Section, list[Verdict]]]


def write(rows: Sequence[Row], parts: Sequence[Part]) -> None:
    """Write page and figure."""
    PAGE.write_text(page(rows, parts), encoding="utf-8")
    draw(rows, parts)


def sections(rows: Sequence[Row], parts: Sequence[Part]) -> Iterator[tuple[Section, list[Verdict]]]:
    every = {section.name: section for part in parts for section in part.sections}
    found: dict[str, list[Verdict]] = {}
    for each in judge(rows, every):
        found.setdefault(each.section.name, []).append(each)
    for name, section in every.items():
        if name in found:
            yield section, found[name]


def page(rows: Sequence[Row], parts: Sequence[Part]) -> str:
    """Return the page that belongs to a table."""
    shown = list(sections(rows, parts))
    every = [each for _, of in shown for each in of]
    text = [HEAD.format(rows=len(rows), samples=how_many(rows, parts), answer=answer(every))]
    text += [
        misses(every),
        fold_tables(study.table(rows, {each.row.key for each in every if each.missed})),
        fold_tables(wasted(every)),
        fold_tables(left_out(rows)),
    ]
    text += [FIGURE_TEXT, SUMMARY, folded(summary(shown)), KINDS_TEXT, folded(kinds_table(shown))]
    text += [INDEX_TEXT, folded(index.table([section for section, _ in shown])), TABLES_TEXT]
    for section, of in shown:
        text.append(f"### {section.title}\n")
        many = sorted({each.row.samples for each in of})
        said = f"{many[0]} to {many[-1]} samples." if len(many) > 1 else f"{many[0]} samples."
        text.append(" ".join(filter(None, [section.note, said if any(many) else ""])) + "\n")
        text.append(folded(grid(section, of)))
    return "\n".join(text)


def question(name: str, kind: str) -> str:
    """Return the line of the first table in which a default is counted."""
    if kind != "coverage":
        return "tests" if kind == "size" else "plans of studies"
    if " of a fit" in name or name.startswith(("wide: fit_band", "wide: q_star")):
        return "a curve fitted by a model"
    found = (asked for asked, starts in QUESTIONS.items() if name.startswith(starts))
    return next(found, "other readings of the curve, thresholds")


def answer(verdicts: Sequence[Verdict]) -> str:
    """Say first what came out: how many miss, and a line for each question."""
    names = by_name(verdicts)
    missed = [each for each in missing(verdicts) if each.name in names]
    said = (
        "None misses."
        if not missed
        else f"{len(missed)} of them {'misses' if len(missed) == 1 else 'miss'}"
    )
    if missed:
        of_each = Counter(plain(each.name) for each in missed).most_common()
        said += ": " + ", ".join(f"{name} ({n})" for name, n in of_each[:NAMED])
        said += f" and {len(of_each) - NAMED} others, all below." if of_each[NAMED:] else "."
    asked: dict[str, list[Verdict]] = {each: [] for each in QUESTIONS}
    for name, of in names.items():
        if " at 0.01" not in name:
            asked[question(name, of[0].section.kind)] += of
    head = f"| question | cells | with {ENOUGH} samples | worst | median | miss |"
    lines = [head, "|---|---:|---:|---:|---:|---:|"]
    for text, of in asked.items():
        known = [e.row.coverage for e in of if e.row.samples >= ENOUGH or not e.row.samples]
        worst = max(known, default=np.nan) if text == "tests" else min(known, default=np.nan)
        shares = f"{100 * worst:.1f} | {100 * median(known or [np.nan]):.1f}"
        many = sum(each.missed for each in of)
        lines.append(f"| {text} | {len(of)} | {len(known)} | {shares} | {many} |")
    told_ = ANSWER_TEXT.format(
        cells=sum(map(len, names.values())),
        defaults=len(names),
        level=100 * LEVEL,
        missed=said,
        enough=ENOUGH,
    )
    return told_ + "\n" + "\n".join(lines)


def how_many(rows: Sequence[Row], parts: Sequence[Part]) -> str:
    """Say how many samples a cell of each part has at most, the fewest first."""
    found: dict[int, list[str]] = {}
    for part in parts:
        most = max((row.samples for row in rows if row.part == part.name), default=0)
        found.setdefault(most, []).append(part.name)
    lines = ["| samples | parts |", "|---:|---|"]
    lines += [f"| {most or 'exact'} | {', '.join(found[most])} |" for most in sorted(found)]
    return "\n".join(lines)


def by_name(verdicts: Sequence[Verdict]) -> dict[str, list[Verdict]]:
    found: dict[str, list[Verdict]] = {}
    for each in verdicts:
        if each.default and each.section.kind != "power":
            found.setdefault(each.name, []).append(each)
    return found


def plain(name: str) -> str:
    """Return the name of a default without the mark of the parts whose populations are wider."""
    return name.removeprefix("wide: ")


def where(each: Verdict) -> str:
    row = each.row
    size = f", {row.size}" if row.size else ""
    many = f"R = {row.samples}" if row.samples else "exact"
    return f"{row.situation}{size} ({many})"


def misses(verdicts: Sequence[Verdict]) -> str:
    lines = [
        "| default | cells | miss | validation | by chance | worst | where |",
        "|---|---:|---:|---:|---:|---:|---|",
    ]
    names = by_name(verdicts)
    ranked = []
    for name, of in names.items():
        missed = [each for each in of if each.missed]
        below = [each for each in of if each.below and not each.missed]
        if missed or below:
            worst = max(missed or below, key=lambda each: lack(each.row, each.section))
            ranked.append((not missed, -lack(worst.row, worst.section), name, missed, below, worst))
    for _, _, name, missed, below, worst in sorted(ranked, key=lambda found: found[:3]):
        validation = sum(each.row.role == "validation" for each in missed)
        counts = f"{len(names[name])} | {len(missed)} | {validation} | {len(below)}"
        share = f"{100 * worst.row.coverage:.1f}"
        lines.append(f"| {plain(name)} | {counts} | {share} | {where(worst)} |")
    cells = sum(map(len, names.values()))
    text = MISSES_TEXT.format(misses=len(missing(verdicts)), cells=cells)
    return text + "\n" + "\n".join(lines) + "\n"


def wasted(verdicts: Sequence[Verdict]) -> str:
    lines = ["| default | cells | wasteful | worst |", "|---|---:|---:|---|"]
    for name, of in by_name(verdicts).items():
        found = [each for each in of if each.waste]
        if found:
            worst = max(found, key=lambda each: (each.wider, each.row.coverage))
            told_ = f"{worst.waste}: {where(worst)}"
            lines.append(f"| {plain(name)} | {len(of)} | {len(found)} | {told_} |")
    return WASTE_TEXT + "\n" + "\n".join(lines) + "\n"


def left_out(rows: Sequence[Row]) -> str:
    found: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        if np.isnan(row.coverage):
            default = plain(f"{row.section}: {row.interval}")
            found.setdefault((default, row.exempt), []).append(f"{row.situation}, {row.size}")
    if not found:
        return LEFT_TEXT + "\nNone.\n"
    lines = ["| default | why | cells |", "|---|---|---|"]
    lines += [
        f"| {name} | {why.removeprefix(LEFT_OUT)} | {'; '.join(of)} |"
        for (name, why), of in found.items()
    ]
    return LEFT_TEXT + "\n" + "\n".join(lines) + "\n"


def summary(shown: Shown) -> str:
    lines = [
        "| quantity | method | lowest | median | highest | mean width | holds |",
        "|---|---|---:|---:|---:|---:|---|",
    ]
    for section, of in shown:
        if section.kind == "power":
            continue
        first = f"{section.title} (size)" if section.kind == "size" else section.title
        for each in told(section, of):
            low, middle, high = each.shares[0], median(each.shares), each.shares[-1]
            shares = " | ".join(f"{100 * x:.1f}" for x in (low, middle, high))
            width = f"{each.width:.3g}" if each.width > 0 else ""
            star = " *" if each.default else ""
            name = f"{each.interval}{star}".replace("*", "\\*")
            lines.append(f"| {first} | {name} | {shares} | {width} | {each.verdict} |")
            first = ""
    return "\n".join(lines) + "\n"


def kinds_table(shown: Shown) -> str:
    head = f"| section | {' | '.join(KINDS)} | not here |"
    lines = [head, "|---|" + "---:|" * len(KINDS) + "---|"]
    for section, of in shown:
        if section.wide:
            continue
        situations = {(each.row.situation, each.row.size): each.row for each in of}
        many = Counter(kind for row in situations.values() for kind in kinds(row))
        counts = " | ".join(str(many[kind] or "") for kind in KINDS)
        lines.append(f"| {section.title} | {counts} | {section.lacks} |")
    return "\n".join(lines) + "\n"


Lines = dict[tuple[str, str], dict[str, list[Verdict]]]


def grid(section: Section, verdicts: Sequence[Verdict]) -> str:
    """One column for each method; a line for each situation, or for each kind if there are many.

    Many methods of fewer situations have a line each, so that the table is not much wider than a
    page.
    """
    names = list(dict.fromkeys(each.row.interval for each in verdicts))
    lines: Lines = {}
    for each in verdicts:
        place = each.row.situation, each.row.size
        lines.setdefault(place, {}).setdefault(each.row.interval, []).append(each)
    first = "situation | size"
    if len(lines) > SHORT:
        first, lines = "kind | situations", by_role(verdicts) if section.wide else by_kind(verdicts)
    table: list[tuple[str, ...]] = [(*first.split(" | "), *names)]
    for where_, found in lines.items():
        table.append((*where_, *(entry(found.get(name, [])) for name in names)))
    texts = 2
    if len(names) > max(len(lines), MANY):
        table, texts = list(zip(*table, strict=True)), 1
    head, *rest = (f"| {' | '.join(line)} |" for line in table)
    rule = "|" + "---|" * texts + "---:|" * (len(table[0]) - texts)
    return "\n".join((head, rule, *rest)) + "\n"


def folded(table: str) -> str:
    """Put a table behind a click."""
    before = "```{raw} html\n<details><summary>Table</summary>\n```"
    return f"{before}\n\n{table}\n```{{raw}} html\n</details>\n```\n"


def fold_tables(text: str) -> str:
    """Put each table of a text behind a click."""
    return re.sub(r"(?:^\|.*\n)+", lambda table: folded(table[0]), text, flags=re.MULTILINE)


def by_kind(verdicts: Sequence[Verdict]) -> Lines:
    found: Lines = {}
    for kind in KINDS:
        of = [each for each in verdicts if kind in kinds(each.row)]
        many = str(len({(each.row.situation, each.row.size) for each in of}))
        for each in of:
            found.setdefault((kind, many), {}).setdefault(each.row.interval, []).append(each)
    return found


def by_role(verdicts: Sequence[Verdict]) -> Lines:
    """Group the situations of the wide parts by their first word and their role."""
    found: Lines = {}
    for each in verdicts:
        kind = f"{each.row.situation.split(',')[0].split(':')[0]}, {each.row.role}"
        found.setdefault((kind, ""), {}).setdefault(each.row.interval, []).append(each)
    return {(kind, str(max(map(len, of.values())))): of for (kind, _), of in sorted(found.items())}


def entry(verdicts: Sequence[Verdict]) -> str:
    """Return one number, or from the lowest to the highest."""
    if not verdicts:
        return ""
    shares = sorted(each.row.coverage for each in verdicts)
    text = f"{100 * shares[0]:.1f}"
    if len(verdicts) > 1:
        text += f" to {100 * shares[-1]:.1f}"
    if any(each.missed for each in verdicts):
        text = f"**{text}**"
    width = float(np.mean([each.row.width for each in verdicts]))
    return f"{text} ({width:.3g})" if width > 0 else text


# --- the figure -------------------------------------------------------------------------------

LEFT = 0.85  # where the axis of coverage begins; what is lower is put there
RIGHT_MOST = 0.15  # where the axis of rejections ends
FEWEST = 4  # lanes that a panel has room for

Lane = tuple[str, list[float]]  # what it is called, and its dots


def draw(rows: Sequence[Row], parts: Sequence[Part]) -> None:
    """Draw the defaults, readable without colour: a lane for each, a dot for each situation."""
    from matplotlib import pyplot as plt

    from rocspace.plot import style

    shown = [(section, told(section, of)) for section, of in sections(rows, parts)]
    covers, sizes = lanes(shown, "coverage"), lanes(shown, "size")
    high = [max(len(of), FEWEST) for of in (covers, sizes)]
    with style("double", figure_figsize=(7.5, 0.17 * sum(high) + 1.4)):
        figure, axes = plt.subplots(2, 1, height_ratios=high)
        _panel(axes[0], covers, nominal=LEVEL, ends=(LEFT, 1.0))
        _panel(axes[1], sizes, nominal=0.05, ends=(0.0, RIGHT_MOST))
        axes[0].set_xlabel("Coverage, nominal .95")
        axes[1].set_xlabel("Rejections of true hypotheses, nominal .05")
        FIGURE.parent.mkdir(exist_ok=True)
        figure.savefig(FIGURE, dpi=160, metadata={"Software": None})
        plt.close(figure)


def lanes(shown: Sequence[tuple[Section, Sequence[Told]]], kind: str) -> list[Lane]:
    """Return the defaults of a kind; the section alone is the name where it has only one."""
    found: list[Lane] = []
    for section, of in shown:
        mine = [each for each in of if each.default and " at 0.01" not in each.interval]
        if section.kind == kind and not section.wide:
            for each in mine:
                name = section.title if len(mine) == 1 else f"{section.title}: {each.interval}"
                found.append((name, each.shares))
    return found


def _panel(ax: object, rows: Sequence[Lane], *, nominal: float, ends: tuple[float, float]) -> None:
    from matplotlib.axes import Axes

    assert isinstance(ax, Axes)
    low, high = ends
    for y, (_, shares) in enumerate(rows):
        dots = np.clip(shares, low, high)
        ax.plot(dots, np.full(dots.size, y), "o", ms=2.4, mew=0, alpha=0.5, color="0.4")
        middle = float(np.clip(median(shares), low, high))
        ax.plot([middle] * 2, [y - 0.35, y + 0.35], color="black", lw=1.6)
    off = LEAST if nominal > 0.5 else LARGER * nominal
    ax.axvline(nominal, color="black", lw=0.6, zorder=0)
    ax.axvline(off, color="black", lw=0.6, ls=(0, (4, 3)), zorder=0)
    ax.set_yticks(range(len(rows)), [name for name, _ in rows], fontsize=7.5)
    ax.tick_params(axis="y", length=0)
    ax.set(xlim=(low - 0.005, high + 0.005), ylim=(len(rows) - 0.4, -0.6))
