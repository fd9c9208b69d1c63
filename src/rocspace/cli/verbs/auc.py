"""rocspace auc: areas under the curves."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import rocspace
from rocspace._base.checks import check_level
from rocspace._base.progress import Counter, Elapsed
from rocspace.cli.areas import print_areas
from rocspace.cli.console import (
    as_json,
    check_output,
    count,
    interval,
    note,
    printable,
    table_text,
    write,
)
from rocspace.cli.options import CHOICE, PRINTING, Choice, Flag, Printing
from rocspace.cli.reading import (
    _remarks,
    columns_of,
    label_text,
    note_scores,
    read,
    reading_of,
    shown,
)
from rocspace.io.tables import FileAreas, refine_file

EXAMPLES = (
    "rocspace auc adult_scores",
    "rocspace auc scores.csv --label y --score new --score old --level 0.9",
    "rocspace auc huge.parquet --tolerance 1e-6 --memory 1GB",
    "zcat big.csv.gz | rocspace auc - --label y --json",
)


def auc(
    file: str,
    /,
    *,
    level: float = 0.95,
    exact: Flag = False,
    tolerance: float | None = None,
    memory: str | None = None,
    choice: Choice = CHOICE,
    printing: Printing = PRINTING,
) -> None:
    """Print the area under the curve of each score, with its interval.

    Beside it the Gini coefficient, the Kolmogorov-Smirnov distance, and the p value of the
    Mann-Whitney test of area 1/2. With --json the whole summary that a report shows.

    Beyond some four million distinct scores the area comes with bounds, between which it lies
    for certain. With --exact or --tolerance the file is read again until they are closed; then
    only the area, its bounds and the number of passes are printed.

    Parameters
    ----------
    file
        The file to read.
    level
        Confidence level of the interval.
    exact
        The exact area, however many distinct scores there are.
    tolerance
        The area with bounds at most so far apart, such as 1e-6.
    memory
        Most memory that --exact and --tolerance may use, such as 500MB or 2GiB.
        By default 1GB; less memory takes more passes.
    """
    check_output(printing.output, file)
    if exact or tolerance is not None:
        if exact and tolerance is not None:
            msg = "--exact asks for a tolerance of zero. Leave out one of --exact and --tolerance."
            raise ValueError(msg)
        found = refined(
            file, choice, tolerance=tolerance or 0.0, memory=memory, quiet=printing.quiet
        )
        _print_refined(found, printing)
        return
    if memory is not None:
        msg = "--memory goes with --exact or --tolerance. Add one of them, or leave it out."
        raise ValueError(msg)
    summary = summary_of(file, choice, level, printing.quiet)
    if printing.json:
        write(as_json(summary), printing.output)
    else:
        print_areas(summary, printing, printing.output)


def summary_of(file: str, choice: Choice, level: float, quiet: bool) -> dict[str, Any]:
    """Return the summary that a report shows."""
    check_level(level)
    found = read(file, choice, quiet=quiet)
    with Elapsed("working out the numbers", show=shown(quiet)):
        from rocspace.report import summarise

        return summarise(found.tables, source=found.source, level=level)


def refined(
    file: str, choice: Choice, *, tolerance: float, memory: str | None, quiet: bool
) -> FileAreas:
    """Read areas in as many passes as they need."""
    if choice.weight is not None:
        msg = "--exact and --tolerance count cases, so they go without --weight. Leave it out."
        raise ValueError(msg)
    how = {} if memory is None else {"memory": size(memory)}
    path, choice, columns = columns_of(file, choice, quiet)
    with Counter("rows read", show=shown(quiet)) as progress:
        reading = reading_of(choice, progress, **how)
        found = refine_file(path, tolerance=tolerance, reading=reading, **columns)
    if path not in (file, "-"):
        found = dataclasses.replace(found, source={**found.source, "file": file})
    note_scores(choice, found.areas, quiet)
    for line in _remarks(found):
        note(line, quiet=quiet)
    return found


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
    if printing.json:
        areas = [{"name": name, **dataclasses.asdict(a)} for name, a in found.areas.items()]
        about = {"schema": "rocspace.areas/1", "rocspace": rocspace.__version__}
        write(as_json({**about, "source": found.source, "scores": areas}), printing.output)
        return
    header = ("score", "cases", "positive", "AUC", "certain bounds", "width", "passes")
    rows = []
    for name, area in found.areas.items():
        bounds = "exact" if area.exact else interval(area.low, area.high, lambda x: f"{x:.10f}")
        width = "0" if area.exact else f"{area.high - area.low:.1e}"
        value = f"{area.value:.10f}"
        cases = (count(area.n_cases), count(area.n_pos))
        rows.append((name, *cases, value, bounds, width, str(area.passes)))
    source = found.source
    title = f"{source['file']}, {source['label']} = {label_text(source['positive'])}"
    write(f"{printable(title)}\n\n{table_text(header, rows)}", printing.output)
