"""rocspace compare: paired tests of areas."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from cyclopts import Parameter

from rocspace._base import text as words
from rocspace._base.text import adjusted, adjustment_note, in_ascii, joint_test
from rocspace.cli.classes import TITLES, about_classes
from rocspace.cli.console import (
    estimate_of,
    interval_title,
    pvalue,
    room_beside,
    shares,
    table_text,
)
from rocspace.cli.figures import save_figure
from rocspace.cli.options import CHOICE, PRINTING, Choice, Files, Printing
from rocspace.cli.reading import (
    FoundClasses,
    FoundOrdered,
    about_cases,
    read_cases,
    read_classes,
    read_ordered,
)
from rocspace.cli.tables import note_direction
from rocspace.compare.areas import AucComparison, compare_aucs
from rocspace.compare.multiplicity import Adjustment
from rocspace.curves.roc import roc_curve
from rocspace.io.cases import SeveralLabelsError
from rocspace.multiclass.several import Measure, compare_classifiers
from rocspace.plot.files import literal
from rocspace.report.plain import plain_comparison

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


def compare(
    file: Files,
    /,
    *,
    reference: str | None = None,
    cluster: str | None = None,
    adjust: Adjustment = "holm",
    level: float = 0.95,
    several: Classes = CLASSES,
    figure: str | None = None,
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

    Parameters
    ----------
    file
        The file to read, or several, whose cases count together.
    reference
        Compare every score with this one only; by default each pair.
    cluster
        Column that identifies clusters of cases, such as a patient.
    adjust
        How p values are adjusted for the number of pairs.
    level
        Confidence level of each interval.
    figure
        Also draw the curves and the differences, to a .png, .svg or .pdf file. Of more than two
        classes these are the areas and the differences.

    Examples
    --------
    rocspace compare adult_scores
    rocspace compare scores.csv --label y --reference old --figure forest.pdf
    rocspace compare visits.parquet --label ill --cluster patient --json
    rocspace compare species.csv --label species --measure macro
    rocspace compare tumours.csv --label grade --order none,mild,severe
    """
    printing.check(file, figure, level=level)
    measure, order = several.measure, several.order
    _check_measure(measure, ordered=order is not None)
    if order is not None:
        ordered = read_ordered(file, choice, printing, order, cluster=cluster)
        chosen = measure or "vus"
        _print_compared(ordered, chosen, level, reference, adjust, printing, figure)
        return
    beside = () if cluster is None else (cluster,)
    try:
        found = read_cases(file, choice, printing, beside=beside)
    except SeveralLabelsError as labels:
        classes = read_classes(file, choice, printing, labels, cluster=cluster)
        chosen = measure or "hand-till"
        _print_compared(classes, chosen, level, reference, adjust, printing, figure)
        return
    if measure is not None:
        msg = "--measure is for more than two classes; of two there is one area. Leave it out."
        raise ValueError(msg)
    data = found.data
    if cluster is not None:
        data = found.in_clusters(cluster)
    comparison = compare_aucs(data, reference=reference, adjust=adjust)
    described = plain_comparison(comparison, level, reference) | {"source": found.source}
    printing.answer(described, lambda: _comparison_text(about_cases(found), described))
    for j, (name, area) in enumerate(zip(data.names, comparison.estimates, strict=True)):
        if area.value < 0.5:
            note_direction(name, printing, lower=not data.rises(j))

    def draw(canvas: Any) -> None:
        from rocspace.plot import plot_comparison, plot_roc

        left, right = canvas.subplots(1, 2)
        for name in data.names:
            plot_roc(roc_curve(data.table(name)), ax=left, label=literal(name))
        plot_comparison(comparison, ax=right, level=level)

    save_figure(figure, draw, printing)


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
    found: FoundClasses | FoundOrdered,
    measure: Measure,
    level: float,
    reference: str | None,
    adjust: Adjustment,
    printing: Printing,
    figure: str | None,
) -> None:
    """Compare classifiers of several classes, or markers of ordered ones."""
    compared = compare_classifiers(found.data, measure=measure, reference=reference, adjust=adjust)
    described = plain_comparison(compared, level, reference) | {"source": found.source}
    about = f"{about_classes(found)}; {TITLES[measure]}"
    shown = {"pdi": "PDI", "hum": "HUM", "vus": "VUS"}.get(measure, "AUC")
    printing.answer(described, lambda: _comparison_text(about, described, shown))
    save_figure(figure, partial(_draw_areas, compared, level), printing)


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
    header = ("difference", "", percent, "p", *[adjusted(adjustment)] * several)
    rows = [(name, *estimate_of(area)) for name, area in areas.items()]
    said = (
        f"{about}\n\n"
        f"{forest_text(('score', area, percent), rows, list(areas.values()))}\n"
        f"{forest_text(header, gaps, pairs, zero=True)}"
    )
    if several and len(pairs) > 1:
        said += f"\n{in_ascii(adjustment_note(adjustment, described['level']))}\n"
    if len(scores) > 2:
        test = joint_test(overall.__getitem__)
        said += f"\nAll areas equal: {in_ascii(test)}\n"
    notes = [
        f"{name}: {pair['test']['note']}" for name, pair in titles.items() if pair["test"]["note"]
    ]
    return "\n".join([said, *notes, ""]) if notes else said


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
