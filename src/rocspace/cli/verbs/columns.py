"""rocspace columns: what a file holds."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from rocspace._base.text import brief
from rocspace.cli.console import count, printable, table_text
from rocspace.cli.options import CHOICE, OPENING, PRINTING, Files, Opening, Printing
from rocspace.cli.reading import located
from rocspace.io.files import Column, scan_columns


def columns(file: Files, /, *, opening: Opening = OPENING, printing: Printing = PRINTING) -> None:
    """Print what each column of a file holds.

    Parameters
    ----------
    file
        The file to read; several files, a folder or a pattern count as one.

    Examples
    --------
    rocspace columns mine.csv
    rocspace columns - < mine.csv
    """
    printing.check(file)
    path, _ = located(file, CHOICE)
    found = scan_columns(
        path, format=opening.format, separator=opening.separator, null_values=opening.null
    )
    plain = _plain(found) if printing.as_json else []  # of 20,000 columns it takes seconds
    described = {"schema": "rocspace.columns/1", "file": ", ".join(path), "columns": plain}
    printing.answer(described, lambda: _columns_text(found))


def _plain(found: Sequence[Column]) -> Any:
    from rocspace.report.plain import plain_copy

    return plain_copy([dataclasses.asdict(c) | {"counts": dict(c.counts)} for c in found])


def _columns_text(found: Sequence[Column]) -> str:
    header = ("column", "kind", "missing", "distinct", "range", "examples")
    text = table_text(header, map(_column_row, found), left=(0, 1, 4, 5))
    notes = "".join(f"{printable(c.name)}: {printable(c.note)}\n" for c in found if c.note)
    n = found[0].n if found else 0
    return f"{count(n)} rows\n\n{text}{notes and chr(10)}{notes}"


def _column_row(column: Column) -> tuple[str, ...]:
    distinct = "-" if column.kind == "other" else "> 1,000"
    if column.distinct is not None:
        distinct = count(column.distinct)
    ends = ""
    if column.minimum is not None and column.maximum is not None:
        ends = f"{brief(column.minimum)} to {brief(column.maximum)}"
    counts = sorted(column.counts, key=lambda pair: -pair[1])
    if 0 < len(counts) <= 4:
        examples = ", ".join(f"{value} ({n:,})" for value, n in counts)
    else:
        examples = ", ".join(column.examples[:3])
    kind = column.dtype if column.kind == "other" else column.kind
    return (column.name, kind, count(column.missing), distinct, ends, examples)
