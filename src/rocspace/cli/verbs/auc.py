"""rocspace auc: areas under the curves."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from cyclopts import Parameter

import rocspace
from rocspace._base.checks import check_fraction
from rocspace._base.progress import Elapsed
from rocspace.cli.console import estimate, number, printable, table_text
from rocspace.cli.estimating import ESTIMATING, Estimating
from rocspace.cli.figures import save_figure
from rocspace.cli.options import (
    CHOICE,
    OUTPUT,
    PRINTING,
    Choice,
    Files,
    Flag,
    Printing,
    To,
    Whole,
)
from rocspace.cli.outcome import Gate, areas_by_name
from rocspace.cli.reading import label_is, read, read_by, read_classes, read_ordered
from rocspace.cli.states import CountingStates, check_state, save_counts
from rocspace.cli.tables import areas_text, draw_tables, in_papers, note_warnings
from rocspace.io.cases import Reading, SeveralLabelsError
from rocspace.io.tables import FileAreas, FileTables, refine_file

if TYPE_CHECKING:
    from rocspace.multiclass.pairs import Direction


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


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Kind:
    """Which area it is.

    Attributes
    ----------
    model
        Fit this model, such as binormal or proper, and print the area under its curve.
    order
        Labels of ordered classes with commas between, the one with the smallest scores first.
    pairwise
        With --order: of each pair of classes take the direction whose area is 1/2 or more, for
        classes without an order.
    """

    model: str | None = None
    order: str | None = None
    pairwise: Flag = False


KIND = Kind()


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True, kw_only=True)
class Ending:
    """What is made of the areas.

    Attributes
    ----------
    figure
        Also draw the curves, to a .png, .svg or .pdf file; with --by a forest plot of the areas of
        all groups. Of more than two classes these are the curves of each class against the rest,
        and the areas of all pairs.
    to
        What to print: text, or a table for papers in Markdown, LaTeX or HTML.
    fail_below
        End with exit status 3 if an area is below this, or a group has none for lack of a class,
        after printing all.
    save_state
        Also write the counts to this file, which rocspace merge adds to others. A name that
        ends in .json, with --min-cases, is for counts that may leave a site.
    min_cases
        Least number of cases in each row of such a .json file.
    """

    figure: str | None = None
    to: To = "text"
    fail_below: float | None = None
    save_state: str | None = None
    min_cases: Whole | None = None


ENDING = Ending()


def auc(
    file: Files,
    /,
    *,
    level: float = 0.95,
    estimating: Estimating = ESTIMATING,
    passes: Passes = PASSES,
    kind: Kind = KIND,
    ending: Ending = ENDING,
    choice: Choice = CHOICE,
    printing: Printing = PRINTING,
) -> None:
    """Print the area under the curve of each score, with its interval.

    It also prints the Gini coefficient, the Kolmogorov-Smirnov distance, and the p value of the
    Mann-Whitney test of area 1/2. --json prints the whole summary that a report shows, --brief
    the numbers of the table on one line.

    With --by each group of cases has its own row, and a test says whether their areas are equal.

    Beyond twelve million cases with some four million distinct scores, those of all scores
    together, the area comes with bounds, between which it lies for certain. With --exact or
    --tolerance the file is read again until they are closed; then only the area, its bounds and
    the number of passes are printed.

    Of more than two classes, with a column of scores for each (p_a, p_b, p_c for a, b, c), it
    prints the areas of Hand and Till, of each class against the rest, and of each pair, and the
    volumes of all classes. Several beginnings (rf_a, svm_a) are several classifiers.

    With --order the classes have an order, in which each score should rise: it prints the volume
    under the ROC surface of each, and the mean area of all pairs of classes.

    With --model it is the area under a smooth curve instead: what rocspace fit prints for the
    model, without the log score.

    Parameters
    ----------
    file
        The file to read; several files, a folder or a pattern count as one.
    level
        Confidence level of the interval.

    Examples
    --------
    rocspace auc adult_scores
    rocspace auc scores.csv --label y --score new --score old --level 0.9
    rocspace auc 'logs/day-*.parquet' --label clicked --by country --brief
    rocspace auc scores.csv --label y --score risk --fail-below 0.8
    rocspace auc visits.csv --label ill --cluster patient --fpr 0 0.1
    rocspace auc adult_scores --model proper
    rocspace auc species.csv --label species --score 'p_*' --figure species.pdf
    rocspace auc tumours.csv --label grade --score marker --order none,mild,severe
    rocspace auc cars.csv --label kind --score length --order a,b,c --pairwise
    rocspace auc huge.parquet --tolerance 1e-6 --memory 1GB
    zcat big.csv.gz | rocspace auc - --label y --json
    """
    printing.check(file, ending.figure, level=level)
    check_state(ending.save_state, ending.min_cases, file)
    if ending.fail_below is not None:
        check_fraction("--fail-below", ending.fail_below)
    _check_together(estimating, passes, kind, ending, choice)
    if kind.order is not None:
        from rocspace.cli.classes import ordered_text, plain_ordered

        found = read_ordered(file, choice, printing, kind.order)
        direction: Direction = "pairwise" if kind.pairwise else "order"
        described = plain_ordered(found, level, direction)
        printing.answer(described, lambda: ordered_text(found, described))
        return
    if kind.model is not None:
        from rocspace.cli.verbs.fit import Judging, fit

        judging = Judging(n_folds=0)
        to, figure = ending.to, ending.figure
        how: dict[str, Any] = {"judging": judging, "to": to, "figure": figure, "level": level}
        fit(file, model=[kind.model], choice=choice, printing=printing, **how)
    elif passes.exact or passes.tolerance is not None:
        most = Reading().memory if passes.memory is None else size(passes.memory)
        count = partial(_refined, tolerance=passes.tolerance or 0.0, memory=most)
        _print_refined(read_by(count, file, choice, printing), ending, printing)
    elif estimating.said:
        _print_estimates(file, estimating, ending, level, choice, printing)
    else:
        _print_summary(file, ending, level, choice, printing)


class _Clash(NamedTuple):
    """Options that do not go with what was asked for."""

    asked: bool
    told: str  # the beginning of the sentence that the options end
    others: list[str]
    cure: str = "Leave out {}"  # the first of them


def _check_together(
    estimating: Estimating, passes: Passes, kind: Kind, ending: Ending, choice: Choice
) -> None:
    """Raise, before any work, if options were given that do not go together."""
    estimating.check(weighted=choice.weight is not None)
    refining = passes.exact or passes.tolerance is not None
    if passes.exact and passes.tolerance is not None:
        msg = "--exact asks for a tolerance of zero. Leave out one of --exact and --tolerance."
        raise ValueError(msg)
    given = {
        "--figure": ending.figure is not None,
        "--to": ending.to != "text",
        "--fail-below": ending.fail_below is not None,
        "--save-state": ending.save_state is not None,
        "--model": kind.model is not None,
        "--weight": choice.weight is not None,
    }
    for clash in _clashes(estimating, passes, kind, ending):
        wrong = [option for option in clash.others if given.get(option, True)]
        if clash.asked and wrong:
            msg = f"{clash.told} {' and '.join(wrong)}. {clash.cure.format(wrong[0])}."
            raise ValueError(msg)
    if kind.pairwise and kind.order is None:
        msg = (
            "--pairwise goes with --order, which names the classes of one score. Add it; columns "
            "for each class have one direction only."
        )
        raise ValueError(msg)
    if passes.memory is not None and not refining:
        msg = "--memory goes with --exact or --tolerance. Add one of them, or leave it out."
        raise ValueError(msg)


def _clashes(
    estimating: Estimating, passes: Passes, kind: Kind, ending: Ending
) -> tuple[_Clash, ...]:
    """Return what does not go together: options that count if they were given, or were."""
    refining = passes.exact or passes.tolerance is not None
    refined = [*["--exact"] * passes.exact, *["--tolerance"] * (passes.tolerance is not None)]
    refined += ["--memory"] * (passes.memory is not None)
    counts, kept = ["--fail-below", "--save-state"], ["--figure", "--to"]
    first, alone = "".join(estimating.said[:1]), ""
    if first == "--by" and ending.save_state is not None:
        alone = ", or save a file of each group by itself: rocspace auc GROUP.csv "
        alone += "--save-state GROUP.state"
    drawn = estimating.by is not None and estimating.scale is None
    return (
        _Clash(
            kind.order is not None,
            "--order has no",
            [*refined, *estimating.said, "--model", *kept, *counts],
            "Leave them out",
        ),
        _Clash(
            kind.model is not None,
            "--model fits a smooth curve, so it goes without",
            [*refined, *estimating.said, *counts],
        ),
        _Clash(
            refining,
            "--exact and --tolerance count cases and keep no curve, so they go without",
            [*estimating.said, *kept, "--save-state", "--weight"],
            "Leave out them, or {}",
        ),
        _Clash(
            bool(first),
            f"{'--scale' if estimating.by and not drawn else first} goes without",
            ["--save-state"] if drawn else ["--figure", "--save-state"],
            "Leave out {}" + alone,
        ),
    )


def _print_estimates(
    file: Files,
    estimating: Estimating,
    ending: Ending,
    level: float,
    choice: Choice,
    printing: Printing,
) -> None:
    """Print areas by the method that was asked for."""
    from rocspace.cli.estimates import (
        draw_groups,
        note_groups,
        plain_estimates,
        print_estimates,
        read_groups,
    )

    found = read_groups(file, choice, printing, estimating)
    described = plain_estimates(found, estimating, level)
    gate = Gate(ending.fail_below, areas_by_name(described["scores"]))
    print_estimates(gate.told(described), ending.to, printing)
    note_groups(described, printing)
    rows = sum(score["auc"] is not None for score in described["scores"])
    if rows:
        draw = partial(draw_groups, found, estimating, level)
        save_figure(ending.figure, draw, printing, panels=1, rows=rows)
    elif ending.figure is not None:
        printing.note("no figure, for there is no area")
    gate.check()


def _print_summary(
    file: Files, ending: Ending, level: float, choice: Choice, printing: Printing
) -> None:
    """Print the areas of a summary, or of more than two classes."""
    counting = CountingStates()
    try:
        if ending.save_state is None:
            found = read(file, choice, printing)
        else:
            found = read_by(counting, file, choice, printing)
    except SeveralLabelsError as several:
        _print_classes(file, choice, printing, several, level, ending)
        return
    if ending.save_state is not None:
        save_counts(ending.save_state, counting.states, found.source, ending.min_cases)
    with Elapsed("working out the numbers", show=printing.progress):
        summary = _summary(found, level, whole=printing.json)
    gate = Gate(ending.fail_below, areas_by_name(summary["scores"]))
    printing.answer(
        gate.told(summary),
        lambda: (
            areas_text(summary)
            if ending.to == "text"
            else in_papers(found.tables, ending.to, level=level)
        ),
    )
    if not printing.as_json:
        note_warnings(summary, printing)
    draw = partial(draw_tables, found.tables)
    save_figure(ending.figure, draw, printing, panels=1, names=len(found.tables))
    gate.check()


def _summary(found: FileTables, level: float, *, whole: bool) -> dict[str, Any]:
    """Summarise the scores of a file: all of a report, or only what the table shows."""
    if whole:
        from rocspace.report.summary import summarise

        return summarise(found.tables, source=found.source, level=level)
    from rocspace.report.areas import summarise_areas

    return summarise_areas(found.tables, source=found.source, level=level)


def _print_classes(
    file: Files,
    choice: Choice,
    printing: Printing,
    several: SeveralLabelsError,
    level: float,
    ending: Ending,
) -> None:
    if wrong := [
        name
        for name, given in (
            ("--to", ending.to != "text"),
            ("--fail-below", ending.fail_below is not None),
            ("--save-state", ending.save_state is not None),
        )
        if given
    ]:
        msg = f"{wrong[0]} is for two classes. Leave it out, or name one class with --positive."
        raise ValueError(msg) from several
    from rocspace.cli.classes import classes_text, draw_classes, plain_classes

    found = read_classes(file, choice, printing, several)
    described = plain_classes(found, level)
    printing.answer(described, lambda: classes_text(found, described))
    save_figure(ending.figure, partial(draw_classes, found.data, level), printing)


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


def _print_refined(found: FileAreas, ending: Ending, printing: Printing) -> None:
    described = {
        "schema": "rocspace.areas/1",
        "rocspace": rocspace.__version__,
        "source": found.source,
        "scores": [{"name": name, **asdict(area)} for name, area in found.areas.items()],
    }
    gate = Gate(ending.fail_below, {name: area.value for name, area in found.areas.items()})
    printing.answer(gate.told(described), lambda: _refined_text(found))
    gate.check()


def _refined_text(found: FileAreas) -> str:
    header = ("score", "cases", "positive", "AUC", "certain bounds", "width", "passes")
    rows = []
    for name, area in found.areas.items():
        value, bounds = estimate(area.value, area.low, area.high)
        closed = ("exact", "0") if area.exact else (bounds, number(area.high - area.low))
        rows.append((name, area.n_cases, area.n_pos, value, *closed, area.passes))
    title = printable(f"{found.source['file']}, {label_is(found.source)}")
    return f"{title}\n\n{table_text(header, rows)}"
