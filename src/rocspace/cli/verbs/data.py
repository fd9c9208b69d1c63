"""rocspace data: the bundled data sets."""

from __future__ import annotations

import textwrap
from typing import Any

from rocspace import datasets
from rocspace.cli.console import count
from rocspace.cli.options import PRINTING, Printing


def data(*, printing: Printing = PRINTING) -> None:
    """List the bundled data sets, whose names can be given as FILE.

    Examples
    --------
    rocspace data
    """
    sets = [datasets.load(name) for name in datasets.names()]
    described: dict[str, Any] = {
        "schema": "rocspace.datasets/1",
        "datasets": [
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
        ],
    }
    printing.answer(described, lambda: "\n".join(map(_set_text, described["datasets"])))


def _set_text(each: dict[str, Any]) -> str:
    sizes = f"{count(each['rows'])} rows, {count(each['positives'])} positive"
    lines = (each["title"], f"From {each['source']}.")
    wrapped = (textwrap.fill(x, 78, initial_indent="  ", subsequent_indent="  ") for x in lines)
    return "\n".join([f"{each['name']}: {sizes}", *wrapped, ""])
