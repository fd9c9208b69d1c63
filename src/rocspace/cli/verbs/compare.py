"""rocspace compare: paired tests of areas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from textwrap import fill
from typing import Any, Literal

import numpy as np
from cyclopts import Group, Parameter

from rocspace._base import text as words
from rocspace._base.text import adjusted, adjustment_note, in_ascii, joint_test, shown_note
from rocspace._base.words import counted
from rocspace.cli.classes import TITLES, about_classes
from rocspace.cli.console import (
    PAGE,
    count,
    estimate_of,
    heading,
    interval_title,
    printable,
    pvalue,
    room_beside,
    shares,
    table_text,
)
from rocspace.cli.curve_tests import TESTING, CurveTests, curves_text
from rocspace.cli.estimates import note_lacking, split
from rocspace.cli.figures import save_figure
from rocspace.cli.margin_tests import check_margin, margins_text, tested_margins
from rocspace.cli.options import CHOICE, OUTPUT, PRINTING, Choice, Files, Printing, Range, To
from rocspace.cli.reading import (
    about_cases,
    read_cases,
    read_classes,
    read_ordered,
)
from rocspace.cli.states import read_counts, saved_files
from rocspace.cli.tables import in_papers, note_direction
from rocspace.compare.areas import AucComparison, compare_aucs
from rocspace.compare.multiplicity import Adjustment
from rocspace.counts.paired import PairedScores
from rocspace.counts.table import ScoreTable
from rocspace.curves.roc import roc_curve
from rocspace.io.cases import SeveralLabelsError
from rocspace.io.kept import FoundCases
from rocspace.multiclass.files import FileClasses, FileOrdered
from rocspace.multiclass.several import Measure, compare_classifiers
from rocspace.plot.files import curves_and_rows, literal
from rocspace.report.explained import SAVED_COUNTS
from rocspace.report.plain import plain_comparison
from rocspace.results.estimates import Scale
from rocspace.results.test import Alternative

HOW = Group("How areas are compared", sort_key=-1)
_NARROWEST, _WIDEST = 12, 32  # letters of a drawn interval


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Classes:
    """What is compared of more than two classes.

    Attributes
    ----------
    measure
        The area or volume of more than two classes, by default "hand-till", with --order "vus".
        "hum" looks at each set of one case of each class, of which there may be 10^9.
    order
        Labels of ordered classes with commas between, the one with the smallest scores first.
    """

    measure: Measure | None = None
    order: str | None = None


CLASSES = Classes()


@Parameter(name="*", group=HOW)
@dataclass(frozen=True, kw_only=True)
class Comparing:
    """Which areas are compared, and how.

    Attributes
    ----------
    reference
        Compare every score with this one only; by default each pair.
    by
        Column of groups of cases. Scores are compared within each group; a single score is compared
        between the groups, as in independent samples without clusters.
    cluster
        Column that identifies clusters of cases, such as a patient.
    fpr
        Compare only the areas over this range of false positive rates, as in --fpr 0 0.1.
    tpr
        Compare only the areas over this range of true positive rates, as in --tpr 0.8 1.
    adjust
        How p values are adjusted for the number of pairs.
    variance
        How the variance of clusters is computed; by default "jackknife".
    distribution
        Distribution of the test statistics; by default the test belongs to the interval. "normal"
        is the z test of DeLong et al., as pROC prints it, "welch" its t test of two groups.
    alternative
        "greater" and "less" make the p values one-sided: evidence that the first area of a pair is
        the larger, or the smaller one.
    margin
        Also test that neither area of a pair is worse than the other by as much as this margin:
        non-inferiority of each, and equivalence. Choose it before looking at the data.
    scale
        Scale of the intervals; by default that with the best measured coverage. "identity" is value
        +- z se.
    """

    reference: str | None = None
    by: str | None = None
    cluster: str | None = None
    fpr: Range = None
    tpr: Range = None
    adjust: Adjustment = "holm"
    variance: Literal["jackknife", "obuchowski"] | None = None
    distribution: Literal["t", "welch", "normal"] | None = None
    alternative: Alternative = "two-sided"
    margin: float | None = None
    scale: Scale | None = None

    @property
    def named(self) -> dict[str, Any]:
        """The options of two classes alone that were given, by their names."""
        names = ("by", "fpr", "tpr", "variance", "distribution", "scale")
        found = {f"--{name}": getattr(self, name) for name in names}
        found["--alternative"] = None if self.alternative == "two-sided" else self.alternative
        return {name: value for name, value in found.items() if value is not None}

    def of(self, data: PairedScores | Mapping[str, ScoreTable]) -> AucComparison:
        """Compare scores of the same cases, or tables of independent groups."""
        return compare_aucs(
            data,
            reference=self.reference,
            fpr=self.fpr,
            tpr=self.tpr,
            adjust=self.adjust,
            distribution=self.distribution,
            alternative=self.alternative,
            method=self.variance,
        )

    def plain(self, found: AucComparison, level: float) -> dict[str, Any]:
        """Describe a comparison."""
        described = plain_comparison(found, level, self.reference, scale=self.scale)
        if self.margin is not None:
            tests = tested_margins(found, self.margin, self.distribution or "interval")
            for pair, test in zip(described["pairs"], tests, strict=True):
                pair["margin"] = test
        return described


COMPARING = Comparing()


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True, kw_only=True)
class Ending:
    """What is made of a comparison.

    Attributes
    ----------
    figure
        Also draw the curves and the differences, to a .png, .svg or .pdf file. Of more than two
        classes these are the areas and the differences.
    to
        What to print: text, or a table for papers in Markdown, LaTeX or HTML.
    """

    figure: str | None = None
    to: To = "text"


ENDING = Ending()


def compare(
    file: Files,
    /,
    *,
    level: float = 0.95,
    comparing: Comparing = COMPARING,
    testing: CurveTests = TESTING,
    several: Classes = CLASSES,
    ending: Ending = ENDING,
    choice: Choice = CHOICE,
    printing: Printing = PRINTING,
) -> None:
    """Compare the areas of scores of the same cases by paired tests.

    The area of each score with its interval, the difference of each pair with its interval and
    p value, and one test that all areas are equal. A case without one of the scores is left out
    of all.

    Of more than two classes it compares classifiers that have a column of scores for each class
    (rf_a, rf_b, rf_c and svm_a, svm_b, svm_c for a, b, c). With --order the classes have an order,
    in which each score should rise, and it compares their volumes.

    Files of saved counts (auc --save-state) are compared with each other, as independent cases.

    Parameters
    ----------
    file
        The file to read; several files, a folder or a pattern count as one.
    level
        Confidence level of each interval.

    Examples
    --------
    rocspace compare adult_scores
    rocspace compare scores.csv --label y --reference old --figure forest.pdf
    rocspace compare visits.parquet --label ill --cluster patient --json
    rocspace compare scores.csv --label y --score new --by sex
    rocspace compare scores.csv --label y --curves --n-perm 5000
    rocspace compare scores.csv --label y --distribution normal --scale identity
    rocspace compare scores.csv --label y --reference old --alternative greater
    rocspace compare scores.csv --label y --reference old --margin 0.02
    rocspace compare monday.state friday.state --score risk
    rocspace compare species.csv --label species --measure macro
    rocspace compare tumours.csv --label grade --order none,mild,severe
    """
    printing.check(file, ending.figure, level=level)
    measure, order = several.measure, several.order
    _check_measure(measure, ordered=order is not None)
    _check(comparing, ending)
    testing.check(several=order is not None or measure is not None)
    cluster = comparing.cluster
    if saved := saved_files(file):
        if named := [*["--order"] * (order is not None), *["--measure"] * (measure is not None)]:
            msg = f"{named[0]} is for more than two classes; saved counts have two. Leave it out."
            raise ValueError(msg)
        _compare_saved(saved, level, comparing, testing, ending, choice, printing)
        return
    if order is not None:
        _refuse_of_classes(comparing, ending)
        ordered = read_ordered(file, choice, printing, order, cluster=cluster)
        _print_compared(ordered, measure or "vus", level, comparing, printing, ending.figure)
        return
    beside = [name for name in (cluster, comparing.by) if name is not None]
    try:
        found = read_cases(file, choice, printing, beside=beside)
    except SeveralLabelsError as labels:
        testing.check(several=True)
        _refuse_of_classes(comparing, ending)
        classes = read_classes(file, choice, printing, labels, cluster=cluster)
        _print_compared(classes, measure or "hand-till", level, comparing, printing, ending.figure)
        return
    if measure is not None:
        msg = "--measure is for more than two classes; of two there is one area. Leave it out."
        raise ValueError(msg)
    data = found.data if cluster is None else found.in_clusters(cluster)
    if comparing.by is None:
        if len(file) > 1:
            printing.note(
                f"{len(file)} files count as one sample; to compare them with each other say "
                "--by file"
            )
        _compare_scores(found, data, level, comparing, testing, ending, printing)
        return
    groups = _groups(data, found.beside[comparing.by], printing)
    if len(data.names) == 1:
        _compare_groups(found, groups, level, comparing, testing, ending, printing)
    else:
        testing.check(several=True)
        _print_groups(found, groups, level, comparing, ending, printing)


def _compare_scores(
    found: FoundCases,
    data: PairedScores,
    level: float,
    comparing: Comparing,
    testing: CurveTests,
    ending: Ending,
    printing: Printing,
) -> None:
    """Compare scores of the same cases."""
    _check_two(data)
    tables = {name: data.table(name) for name in data.names}
    compared = comparing.of(data)
    described = comparing.plain(compared, level) | {"source": found.source}
    described |= testing.tested(data, _pairs(compared), printing)
    about = about_cases(found, cluster=comparing.cluster)
    _print_pairs(described, about, compared, tables, comparing, ending, printing)


def _compare_groups(
    found: FoundCases,
    groups: Mapping[str, PairedScores],
    level: float,
    comparing: Comparing,
    testing: CurveTests,
    ending: Ending,
    printing: Printing,
) -> None:
    """Compare one score between groups of cases."""
    (score,) = found.data.names
    _refuse_clusters(str(comparing.by), comparing.cluster)
    tables = {name: each.table(score) for name, each in groups.items()}
    compared = comparing.of(tables)
    source = found.source | {"by": comparing.by}
    described = comparing.plain(compared, level) | {"source": source}
    # Counts do not know the order of tied cases.
    known = groups if testing.ties == "first" else tables
    described |= testing.tested(known, _pairs(compared), printing)
    about = f"{about_cases(found)}, {score} by {comparing.by}"
    _print_pairs(described, about, compared, tables, comparing, ending, printing)


def _refuse_clusters(by: str, cluster: str | None) -> None:
    """Raise if cases of groups, which are compared as independent, are in clusters."""
    if cluster is not None:
        msg = (
            f"Groups are compared as independent cases, and --cluster {cluster} says that they are "
            "not. The area of each group, with its clusters: rocspace auc FILE "
            f"--by {by} --cluster {cluster}."
        )
        raise ValueError(msg)


def _check_two(data: PairedScores) -> None:
    """Raise unless there are two scores to compare."""
    if len(data.names) < 2:
        msg = (
            f"Comparing takes two scores or more, and there is only {data.names[0]!r}. Name "
            "others with --score, or groups of cases to compare it between with --by."
        )
        raise ValueError(msg)


def _check(comparing: Comparing, ending: Ending) -> None:
    """Raise, before any work, if options were given that do not go together."""
    check_margin(comparing.margin)
    if comparing.fpr is not None and comparing.tpr is not None:
        msg = "--fpr and --tpr are two ranges. Leave out one of them."
        raise ValueError(msg)
    if comparing.variance is not None and comparing.cluster is None:
        msg = f"--variance {comparing.variance} is for clusters. Name their column with --cluster."
        raise ValueError(msg)
    named = ["--scale"] * (comparing.scale is not None)
    named += ["--margin"] * (comparing.margin is not None)
    if ending.to != "text" and named:
        msg = f"--to prints default intervals and tests. Leave out {named[0]}, or print --json."
        raise ValueError(msg)


def _refuse_of_classes(comparing: Comparing, ending: Ending) -> None:
    named = [*comparing.named, *["--to"] * (ending.to != "text")]
    if named:
        msg = f"{named[0]} is for two classes. Leave it out, or name one class with --positive."
        raise ValueError(msg)


def _groups(data: PairedScores, group: Any, printing: Printing) -> dict[str, PairedScores]:
    """Return the cases of each group that has both classes."""
    groups = split(data, group)
    whole = {name: each for name, each in groups.items() if 0 < each.label.sum() < len(each)}
    note_lacking([name for name in groups if name not in whole], printing, "left out")
    if not whole or (len(data.names) == 1 and len(whole) < 2):
        n = counted(len(whole), "group")
        msg = f"--by gives {n} with both classes, too few to compare. Name another column."
        raise ValueError(msg)
    return whole


def _print_pairs(
    described: dict[str, Any],
    about: str,
    comparison: AucComparison,
    tables: Mapping[str, ScoreTable],
    comparing: Comparing,
    ending: Ending,
    printing: Printing,
) -> None:
    """Print the comparison of scores, or of groups."""
    level = described["level"]
    area = "area" if comparing.fpr or comparing.tpr else "AUC"

    def text() -> str:
        if ending.to == "text":
            return _comparison_text(about, described, area) + curves_text(described)
        return in_papers(comparison, ending.to, level=level)

    printing.answer(described, text)
    for (name, table), each in zip(tables.items(), comparison.estimates, strict=True):
        if each.value < each.range[1] / 2 and area == "AUC" and comparing.by is None:
            note_direction([name], printing, lower=not table.higher_is_positive)

    def draw(canvas: Any) -> None:
        from rocspace.plot import plot_comparison, plot_roc

        curves, differences = curves_and_rows(canvas, len(comparison.pairs))
        plot_comparison(comparison, ax=differences, level=level)
        canvas.draw_without_rendering()  # so that the legend knows how much room its axes keep
        for name, table in tables.items():
            plot_roc(roc_curve(table), ax=curves, label=literal(name))

    save_figure(ending.figure, draw, printing, rows=len(comparison.pairs), curves=True)


def _print_groups(
    found: FoundCases,
    groups: Mapping[str, PairedScores],
    level: float,
    comparing: Comparing,
    ending: Ending,
    printing: Printing,
) -> None:
    """Print the comparison of the scores in each group."""
    if ending.figure is not None or ending.to != "text":
        wrong = "--figure" if ending.figure is not None else "--to"
        msg = f"{wrong} is for one comparison. Leave it out, or name one --score."
        raise ValueError(msg)
    compared = {name: comparing.of(each) for name, each in groups.items()}
    described: dict[str, Any] = {
        "schema": "rocspace.comparisons/1",
        "source": found.source,
        "by": comparing.by,
        "groups": [
            {
                "group": name,
                "n": len(groups[name]),
                "n_pos": int(groups[name].label.sum()),
                "comparison": comparing.plain(each, level),
            }
            for name, each in compared.items()
        ],
    }
    area = "area" if comparing.fpr or comparing.tpr else "AUC"

    def text() -> str:
        parts = [
            _comparison_text(
                f"{comparing.by} = {each['group']}: {count(each['n'])} cases, "
                f"{count(each['n_pos'])} positive",
                each["comparison"],
                area,
            )
            for each in described["groups"]
        ]
        about = about_cases(found, cluster=comparing.cluster)
        return f"{heading(about)}\n\n" + "\n\n".join(parts)

    printing.answer(described, text)


def _pairs(compared: AucComparison) -> list[tuple[str, str]]:
    """Name the two of each pair."""
    return [(pair.first, pair.second) for pair in compared.pairs]


def _compare_saved(
    files: Sequence[str],
    level: float,
    comparing: Comparing,
    testing: CurveTests,
    ending: Ending,
    choice: Choice,
    printing: Printing,
) -> None:
    """Compare saved counts of independent cases, a file with each other one."""
    _check_saved(files, comparing, choice)
    tables, scores, sources = {}, [], []
    for file in files:
        counts, source, _ = read_counts([file])
        name = _score_of(file, counts, choice.score)
        tables[file] = counts[name]
        scores.append(name)
        sources.append(source)
        if source["counting"][name] != "exact":
            printing.note(f"{file}: counts of ranges, so the area is not exact (rocspace merge)")
    compared = comparing.of(tables)
    described = comparing.plain(compared, level)
    described["source"] = {
        "file": f"{files[0]} and {counted(len(files) - 1, 'more file')}",
        "files": [*files],
        "by": "file",
        "format": SAVED_COUNTS,
        "rows": sum(source["rows"] for source in sources),
        "counting": {
            file: each["counting"][name]
            for file, each, name in zip(files, sources, scores, strict=True)
        },
    }
    described |= testing.tested(tables, _pairs(compared), printing)
    about = f"Saved counts of independent cases, {' and '.join(dict.fromkeys(scores))} by file"
    _print_pairs(described, about, compared, tables, comparing, ending, printing)


def _check_saved(files: Sequence[str], comparing: Comparing, choice: Choice) -> None:
    """Raise if counts are too few to compare, or lack what was asked for."""
    if len(files) < 2:
        msg = (
            f"{files[0]} has counts, and scores of the same cases are compared by the cases. Name "
            "the file of cases instead, or more files of saved counts, of other cases."
        )
        raise ValueError(msg)
    if len({Path(name).resolve() for name in files}) < len(files):
        msg = "A file is named twice, and the same cases are not independent. Name each once."
        raise ValueError(msg)
    given = [
        f"--{each.name.replace('_', '-')}"
        for each in fields(choice)
        if each.name != "score" and getattr(choice, each.name) != each.default
    ]
    given += ["--cluster"] * (comparing.cluster is not None)
    given += ["--by"] * (comparing.by not in (None, "file"))
    if given:
        msg = f"{given[0]} is for cases, and {files[0]} has counts. Leave it out."
        raise ValueError(msg)


def _score_of(file: str, counts: Mapping[str, ScoreTable], wanted: Sequence[str] | None) -> str:
    """Return the score of a file that is compared with those of other files."""
    named = [name for name in counts if wanted is None or name in wanted]
    if len(named) == 1:
        return named[0]
    listed = ", ".join(counts)
    if not named:
        msg = f"{file} has no score {' or '.join(wanted or ())}, but {listed}."
    else:
        msg = (
            f"{file} has counts of {listed}. Name the one to compare between the files: "
            f"--score {named[0]}. (Scores of the same cases are compared by the cases.)"
        )
    raise ValueError(msg)


def _draw_areas(comparison: AucComparison, level: float, canvas: Any) -> None:
    from rocspace.plot import plot_comparison

    rows = [len(comparison.names), len(comparison.pairs)]
    above, below = canvas.subplots(2, 1, height_ratios=[1 + each for each in rows])
    plot_comparison(comparison, ax=above, show="areas", level=level)
    plot_comparison(comparison, ax=below, level=level)


def _check_measure(measure: Measure | None, *, ordered: bool) -> None:
    """Raise unless classes that have an order, or have none, have the measure."""
    if ordered and measure not in (None, "vus", "hand-till"):
        msg = f'--measure {measure} takes a column for each class. With --order say "vus".'
        raise ValueError(msg)
    if measure == "vus" and not ordered:
        msg = "--measure vus is the volume of ordered classes. Give their labels: --order a,b,c."
        raise ValueError(msg)


def _print_compared(
    found: FileClasses | FileOrdered,
    measure: Measure,
    level: float,
    comparing: Comparing,
    printing: Printing,
    figure: str | None,
) -> None:
    """Compare classifiers of several classes, or markers of ordered ones."""
    _check_two_classifiers(found)
    compared = compare_classifiers(
        found.data, measure=measure, reference=comparing.reference, adjust=comparing.adjust
    )
    described = comparing.plain(compared, level) | {"source": found.source}
    about = f"{about_classes(found)}; {TITLES[measure]}"
    shown = {"pdi": "PDI", "hum": "HUM", "vus": "VUS"}.get(measure, "AUC")
    printing.answer(described, lambda: _comparison_text(about, described, shown))
    rows = len(compared.names) + len(compared.pairs)
    save_figure(figure, partial(_draw_areas, compared, level), printing, rows=rows)


def _check_two_classifiers(found: FileClasses | FileOrdered) -> None:
    """Raise unless there are two classifiers, or two markers of ordered classes, to compare."""
    if len(found.data.names) > 1:
        return
    if isinstance(found, FileOrdered):
        what, cure = f"scores or more, and there is only {found.data.names[0]!r}", ""
    else:
        what = "classifiers or more, and the columns of scores are those of one"
        labels = next(iter(found.columns.values()))
        listed = ", ".join(printable(f"svm_{label}") for label in labels)
        cure = f" Each has a column for each class, as in {listed}."
    msg = f"Comparing takes two {what}. Name others with --score.{cure}"
    raise ValueError(msg)


def _comparison_text(about: str, described: dict[str, Any], area: str = "AUC") -> str:
    percent, adjustment = interval_title(described["level"]), described["adjustment"]
    scores, pairs, overall = (described[key] for key in ("scores", "pairs", "overall"))
    several = adjustment != "none"
    titles = {words.difference_name(each["first"], each["second"]): each for each in pairs}
    areas = {each["name"]: each["auc"] for each in scores}
    gaps = [
        (name, *estimate_of(pair), pvalue(pair["test"]["pvalue"]))
        + (pvalue(pair["adjusted_pvalue"]),) * several
        for name, pair in titles.items()
    ]
    side = next((each["test"]["alternative"] for each in pairs), "two-sided")
    header = ("difference", "", percent, adjusted("none", side))
    header += (adjusted(adjustment, side),) * several
    rows = [(name, *estimate_of(area)) for name, area in areas.items()]
    said = (
        f"{heading(about)}\n\n"
        f"{forest_text(('score', area, percent), rows, list(areas.values()))}\n"
        f"{forest_text(header, gaps, pairs, zero=True)}"
    )
    if several and len(pairs) > 1:
        note = in_ascii(adjustment_note(adjustment, described["level"]))
        said += f"\n{fill(note, PAGE)}\n"
    if len(scores) > 2:
        test = joint_test(overall.__getitem__)
        said += f"\nAll areas equal: {in_ascii(test)}\n"
    unusual = {name: shown_note(pair["test"]["note"]) for name, pair in titles.items()}
    notes = [f"{name}: {note}" for name, note in unusual.items() if note]
    said = "\n".join([said, *notes, ""]) if notes else said
    return said + margins_text(described)


def forest_text(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    found: Sequence[dict[str, Any]],
    *,
    zero: bool = False,
) -> str:
    """Lay out estimates with their intervals, also drawn above a common axis.

    The drawing stands beside the numbers where it has room on the same line, else below them.
    """
    ends = [(each["interval"]["low"], each["interval"]["high"]) for each in found]
    span = min(low for low, _ in ends), max(high for _, high in ends)
    if zero:
        span = min(span[0], 0.0), max(span[1], 0.0)
    room = room_beside(header, rows)
    beside = room >= _NARROWEST
    if not beside:
        room = room_beside(header[:1], [row[:1] for row in rows])
    width = min(room, _WIDEST)
    if width < _NARROWEST or not span[1] > span[0]:
        return table_text(header, rows)
    lines = [
        whisker(each["value"], pair, span, width) for each, pair in zip(found, ends, strict=True)
    ]
    scale = axis(span, width)
    if beside:
        drawn = [(*row, line) for row, line in zip(rows, lines, strict=True)]
        drawn.append((*("" for _ in header), scale))
        return table_text((*header, ""), drawn, left=(0, len(header)))
    names = [*(row[0] for row in rows), ""]
    below = table_text((header[0], ""), list(zip(names, [*lines, scale], strict=True)), left=(0, 1))
    return f"{table_text(header, rows)}\n{below}"


def axis(span: tuple[float, float], width: int) -> str:
    """Write the ends of a span below its drawing, and zero where it is."""
    low, high = shares(span)
    line = f"{low}{high:>{width - len(low)}}"
    at = _place(0.0, span, width)
    free = line[max(at - 1, 0) : at + 2].isspace()
    return f"{line[:at]}0{line[at + 1 :]}" if span[0] < 0 < span[1] and free else line


def _place(x: float, span: tuple[float, float], width: int) -> int:
    low, high = span
    return int(np.clip(round((x - low) / (high - low) * (width - 1)), 0, width - 1))


def whisker(value: float, ends: tuple[float, float], span: tuple[float, float], width: int) -> str:
    """Draw an interval between the ends of a span, a colon where zero is."""
    line = [" "] * width
    if span[0] <= 0 <= span[1]:
        line[_place(0.0, span, width)] = ":"
    first, last = (_place(end, span, width) for end in ends)
    line[first : last + 1] = "-" * (last - first + 1)
    line[first] = line[last] = "|"
    line[_place(value, span, width)] = "o"
    return "".join(line)
