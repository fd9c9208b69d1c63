"""rocspace auc: areas under the curves."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

from cyclopts import Parameter

import rocspace
from rocspace._base.checks import check_level
from rocspace._base.progress import Elapsed
from rocspace._base.text import share
from rocspace.cli.console import as_json, estimate, number, printable, table_text, write
from rocspace.cli.figures import save_figure
from rocspace.cli.options import CHOICE, PRINTING, Choice, Files, Flag, Printing
from rocspace.cli.reading import label_is, read, read_by, read_classes, read_ordered
from rocspace.cli.tables import print_areas
from rocspace.cli.verbs.fit import Judging, fit
from rocspace.counts.table import ScoreTable
from rocspace.curves.roc import roc_curve
from rocspace.io.cases import Reading, SeveralLabelsError
from rocspace.io.tables import FileAreas, refine_file
from rocspace.plot.files import literal


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Passes:
    """How often the file is read.

    Attributes
    ----------
    exact
        Find the exact area, however many distinct scores there are.
    tolerance
        Read on until the bounds of the area are at most this far apart, such as 1e-6.
    memory
        Most memory that --exact and --tolerance may use, such as 500MB or 2GiB.
        By default 1GB; less memory takes more passes.
    """

    exact: Flag = False
    tolerance: float | None = None
    memory: str | None = None


PASSES = Passes()


def auc(
    file: Files,
    /,
    *,
    level: float = 0.95,
    passes: Passes = PASSES,
    model: str | None = None,
    order: str | None = None,
    figure: str | None = None,
    choice: Choice = CHOICE,
    printing: Printing = PRINTING,
) -> None:
    """Print the area under the curve of each score, with its interval.

    It also prints the Gini coefficient, the Kolmogorov-Smirnov distance, and the p value of the
    Mann-Whitney test of area 1/2. --json prints the whole summary that a report shows.

    Beyond some four million distinct scores the area comes with bounds, between which it lies
    for certain. With --exact or --tolerance the file is read again until they are closed; then
    only the area, its bounds and the number of passes are printed.

    Of more than two classes, with a column of scores for each (p_a, p_b, p_c for a, b, c), it
    prints the areas of Hand and Till, of each class against the rest, and of each pair, and the
    volumes of all classes. Several beginnings (rf_a, svm_a) are several classifiers.

    With --order the classes have an order, in which each score should rise: it prints the volume
    under the ROC surface of each.

    With --model it is the area under a smooth curve instead: what rocspace fit prints for the
    model, without the log score.

    Parameters
    ----------
    file
        The file to read, or several, whose cases count together.
    level
        Confidence level of the interval.
    model
        Fit this model, such as binormal or proper, and print the area under its curve.
    order
        Labels of ordered classes with commas between, the one with the smallest scores first.
    figure
        Also draw the curves, to a .png, .svg or .pdf file. Of more than two classes these are the
        curves of each class against the rest, and the areas of all pairs.

    Examples
    --------
    rocspace auc adult_scores
    rocspace auc scores.csv --label y --score new --score old --level 0.9
    rocspace auc adult_scores --model proper
    rocspace auc species.csv --label species --score 'p_*' --figure species.pdf
    rocspace auc tumours.csv --label grade --score marker --order none,mild,severe
    rocspace auc huge.parquet --tolerance 1e-6 --memory 1GB
    zcat big.csv.gz | rocspace auc - --label y --json
    """
    exact, tolerance, memory = passes.exact, passes.tolerance, passes.memory
    if order is not None:
        _print_ordered(
            file, choice, printing, order, level, others=(exact, tolerance, memory, model, figure)
        )
        return
    if model is not None:
        if exact or tolerance is not None or memory is not None:
            msg = (
                "--model fits a smooth curve, which has no exact area. Leave out --exact, "
                "--tolerance and --memory, or --model."
            )
            raise ValueError(msg)
        fit(
            file,
            model=[model],
            judging=Judging(folds=0),
            figure=figure,
            level=level,
            choice=choice,
            printing=printing,
        )
        return
    printing.check(file, figure)
    if exact or tolerance is not None:
        if figure is not None:
            msg = "--exact and --tolerance keep no curve to draw. Leave out them, or --figure."
            raise ValueError(msg)
        if exact and tolerance is not None:
            msg = "--exact asks for a tolerance of zero. Leave out one of --exact and --tolerance."
            raise ValueError(msg)
        if choice.weight is not None:
            msg = "--exact and --tolerance count cases, so they go without --weight. Leave it out."
            raise ValueError(msg)
        most = Reading().memory if memory is None else size(memory)
        count = partial(_refined, tolerance=tolerance or 0.0, memory=most)
        _print_refined(read_by(count, file, choice, printing), printing)
        return
    if memory is not None:
        msg = "--memory goes with --exact or --tolerance. Add one of them, or leave it out."
        raise ValueError(msg)
    check_level(level)
    try:
        found = read(file, choice, printing)
    except SeveralLabelsError as several:
        _print_classes(file, choice, printing, several, level, figure)
        return
    with Elapsed("working out the numbers", show=printing.progress):
        from rocspace.report import summarise

        summary = summarise(found.tables, source=found.source, level=level)
    if printing.json:
        write(as_json(summary), printing.output)
    else:
        print_areas(summary, printing, printing.output)
    save_figure(figure, partial(_draw, found.tables), printing, panels=1)


def _draw(tables: Mapping[str, ScoreTable], canvas: Any) -> None:
    from rocspace.plot import plot_roc

    words = {
        name: f"{literal(name)}: {share(rocspace.auc(table))}" for name, table in tables.items()
    }
    curves = {words[name]: roc_curve(table, collinear="drop") for name, table in tables.items()}
    plot_roc(curves, ax=canvas.subplots())


def _print_ordered(
    file: Files,
    choice: Choice,
    printing: Printing,
    order: str,
    level: float,
    *,
    others: tuple[Any, ...],
) -> None:
    from rocspace.cli.classes import ordered_text, plain_ordered

    if any(each not in (None, False) for each in others):
        msg = "--order has no --exact, --tolerance, --memory, --model or --figure. Leave them out."
        raise ValueError(msg)
    printing.check(file)
    check_level(level)
    found = read_ordered(file, choice, printing, order)
    described = plain_ordered(found, level)
    printing.answer(described, lambda: ordered_text(found, described))


def _print_classes(
    file: Files,
    choice: Choice,
    printing: Printing,
    several: SeveralLabelsError,
    level: float,
    figure: str | None,
) -> None:
    from rocspace.cli.classes import classes_text, draw_classes, plain_classes

    found = read_classes(file, choice, printing, several)
    described = plain_classes(found, level)
    printing.answer(described, lambda: classes_text(found, described))
    save_figure(figure, partial(draw_classes, found.data, level), printing)


def _refined(
    path: list[str], *, tolerance: float, memory: int, reading: Reading, **columns: Any
) -> FileAreas:
    """Read areas in as many passes as they need."""
    return refine_file(
        path, tolerance=tolerance, reading=replace(reading, memory=memory), **columns
    )


def size(text: str) -> int:
    """Return the bytes that a size such as 500MB, 1.5 GB or 2GiB means."""
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*(?:([kmgt])(i?))?b?\s*", text, re.IGNORECASE)
    if found is None:
        msg = f"--memory is {text!r}, which is not a size. Write it like 500MB, 1.5GB or 2GiB."
        raise ValueError(msg)
    number, unit, binary = found.groups()
    power = " kmgt".index(unit.lower()) if unit else 0
    return int(float(number) * (1024 if binary else 1000) ** power)


def _print_refined(found: FileAreas, printing: Printing) -> None:
    described = {
        "schema": "rocspace.areas/1",
        "rocspace": rocspace.__version__,
        "source": found.source,
        "scores": [{"name": name, **asdict(area)} for name, area in found.areas.items()],
    }
    printing.answer(described, lambda: _refined_text(found))


def _refined_text(found: FileAreas) -> str:
    header = ("score", "cases", "positive", "AUC", "certain bounds", "width", "passes")
    rows = []
    for name, area in found.areas.items():
        value, bounds = estimate(area.value, area.low, area.high)
        closed = ("exact", "0") if area.exact else (bounds, number(area.high - area.low))
        rows.append((name, area.n_cases, area.n_pos, value, *closed, area.passes))
    title = printable(f"{found.source['file']}, {label_is(found.source)}")
    return f"{title}\n\n{table_text(header, rows)}"
