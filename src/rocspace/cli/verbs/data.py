"""rocspace data: the bundled data sets."""

from __future__ import annotations

import textwrap

from rocspace import datasets
from rocspace.cli.console import as_json, write
from rocspace.cli.options import PRINTING, Printing

EXAMPLES = ("rocspace data",)


def data(*, printing: Printing = PRINTING) -> None:
    """Print which data sets are bundled; their names serve as FILE."""
    sets = [datasets.load(name) for name in datasets.names()]
    if printing.json:
        found = [
            {
                "name": each.name,
                "title": each.title,
                "rows": len(each),
                "positives": int(each.y_true.sum()),
                "label": each.label,
                "positive": each.positive,
                "scores": list(each.scores),
                "source": each.source,
                "licence": each.licence,
                "path": str(each.path),
            }
            for each in sets
        ]
        write(as_json({"schema": "rocspace.datasets/1", "datasets": found}), printing.output)
        return
    write("\n".join(map(_described, sets)), printing.output)


def _described(each: datasets.Dataset) -> str:
    sizes = f"{len(each):,} rows, {int(each.y_true.sum()):,} positive"
    lines = (each.title, f"From {each.source}.")
    wrapped = (textwrap.fill(x, 78, initial_indent="  ", subsequent_indent="  ") for x in lines)
    return "\n".join([f"{each.name}: {sizes}", *wrapped, ""])
