"""rocspace compare: paired tests of areas."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rocspace._base.checks import check_level
from rocspace._base.text import adjusted, adjustment_note, in_ascii, joint_distribution, p_equals
from rocspace.cli.areas import note_direction
from rocspace.cli.console import (
    as_json,
    check_output,
    estimate,
    interval_title,
    pvalue,
    table_text,
    write,
)
from rocspace.cli.figures import check_figure, save_figure
from rocspace.cli.options import CHOICE, PRINTING, Choice, Printing
from rocspace.cli.reading import FoundCases, about_cases, read_cases
from rocspace.compare.areas import AucComparison, compare_aucs
from rocspace.compare.multiplicity import Adjustment
from rocspace.curves.roc import roc_curve
from rocspace.report.plain import plain_comparison
from rocspace.results.estimates import Estimate

EXAMPLES = (
    "rocspace compare adult_scores",
    "rocspace compare scores.csv --label y --reference old --figure forest.pdf",
    "rocspace compare visits.parquet --label ill --cluster patient --json",
)


def compare(
    file: str,
    /,
    *,
    reference: str | None = None,
    cluster: str | None = None,
    adjust: Adjustment = "holm",
    level: float = 0.95,
    figure: str | None = None,
    choice: Choice = CHOICE,
    printing: Printing = PRINTING,
) -> None:
    """Print whether scores of the same cases have different areas: paired tests.

    The area of each score with its interval, the difference of each pair with its interval and
    p value, and one test that all areas are equal. A case without one of the scores is left out
    of all.

    Parameters
    ----------
    file
        The file to read.
    reference
        Compare every score with this one only; by default each pair.
    cluster
        Column that tells which cases belong together, such as a patient.
    adjust
        How p values are adjusted for the number of pairs.
    level
        Confidence level of each interval.
    figure
        Also draw the curves and the differences, to a .png, .svg or .pdf file.
    """
    check_level(level)
    check_output(printing.output, file)
    check_figure(figure, file)
    beside = () if cluster is None else (cluster,)
    found = read_cases(file, choice, beside=beside, quiet=printing.quiet)
    data = found.data
    if cluster is not None:
        data = replace(data, cluster=np.unique(found.beside[cluster], return_inverse=True)[1])
    comparison = compare_aucs(data, reference=reference, adjust=adjust)
    if printing.json:
        described = plain_comparison(comparison, level, reference) | {"source": found.source}
        write(as_json(described), printing.output)
    else:
        write(_comparison_text(found, comparison, level), printing.output)
    for j, (name, area) in enumerate(zip(data.names, comparison.estimates, strict=True)):
        if area.value < 0.5:
            note_direction(name, lower=not data.rises(j), quiet=printing.quiet)

    def draw(canvas: Any) -> None:
        from rocspace.plot import plot_comparison, plot_roc

        left, right = canvas.subplots(1, 2)
        for name in data.names:
            plot_roc(roc_curve(data.table(name), collinear="drop"), ax=left, label=name)
        left.legend(loc="lower right", frameon=False)
        plot_comparison(comparison, ax=right, level=level)

    save_figure(figure, draw, quiet=printing.quiet)


def _comparison_text(found: FoundCases, comparison: AucComparison, level: float) -> str:
    percent = interval_title(level)
    areas = [_ends_of(found, level) for found in comparison.estimates]
    gaps = [_ends_of(pair.difference, level) for pair in comparison.pairs]
    area_rows = [
        (name, *estimate(value, *ends), whisker(value, ends, _span(areas)))
        for name, (value, ends) in zip(comparison.names, areas, strict=True)
    ]
    gap_rows = [
        (
            f"{pair.first} - {pair.second}",
            *estimate(value, *ends),
            pvalue(pair.test.pvalue),
            *([] if comparison.adjustment == "none" else [pvalue(pair.adjusted_pvalue)]),
            whisker(value, ends, _span(gaps)),
        )
        for pair, (value, ends) in zip(comparison.pairs, gaps, strict=True)
    ]
    last_p = [] if comparison.adjustment == "none" else [adjusted(comparison.adjustment)]
    difference = ("difference", "", percent, "p", *last_p, "")
    last = len(difference) - 1
    all_equal = f"\n{_overall_text(comparison)}\n" if len(comparison.names) > 2 else ""
    said = in_ascii(adjustment_note(comparison.adjustment, level))
    said = f"\n{said}\n" if said and len(comparison.pairs) > 1 else ""
    notes = "".join(
        f"{pair.first} - {pair.second}: {pair.test.note}\n"
        for pair in comparison.pairs
        if pair.test.note
    )
    return (
        f"{about_cases(found)}\n\n"
        f"{table_text(('score', 'AUC', percent, ''), area_rows, left=(0, 3))}\n"
        f"{table_text(difference, gap_rows, left=(0, last))}"
        f"{said}{all_equal}{notes and chr(10)}{notes}"
    )


def _overall_text(comparison: AucComparison) -> str:
    overall = comparison.overall
    shown = joint_distribution(overall.statistic, overall.df, overall.df_denominator)
    said = in_ascii(f"All areas equal: {shown}{p_equals(overall.pvalue)}")
    return f"{said} ({overall.note})" if overall.note else said


def _ends_of(found: Estimate, level: float) -> tuple[float, tuple[float, float]]:
    low, high = found.interval(level)
    return found.value, (low, high)


def _span(rows: Sequence[tuple[float, tuple[float, float]]]) -> tuple[float, float]:
    return min(ends[0] for _, ends in rows), max(ends[1] for _, ends in rows)


def whisker(value: float, ends: tuple[float, float], span: tuple[float, float]) -> str:
    """Draw an interval between the ends of a span, a colon where zero is."""
    width = 28
    low, high = span
    if not high > low:
        return ""

    def place(x: float) -> int:
        return int(np.clip(round((x - low) / (high - low) * (width - 1)), 0, width - 1))

    line = [" "] * width
    if low < 0 < high:
        line[place(0.0)] = ":"
    for i in range(place(ends[0]), place(ends[1]) + 1):
        line[i] = "-"
    line[place(ends[0])] = line[place(ends[1])] = "|"
    line[place(value)] = "o"
    return "".join(line)
