"""Pictures of the command line: files by matplotlib, and intervals in a line of text."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from rocspace._base.optional import require
from rocspace.cli._console import check_output, note, printable, write

_KINDS = (".png", ".svg", ".pdf")


def check_figure(path: str | None, source: str) -> None:
    """Refuse, before any work, a figure that cannot be written."""
    if path is None:
        return
    require("matplotlib", extra="plot")
    if Path(path).suffix.lower() not in _KINDS:
        msg = f"--figure {path!r} must end in one of {', '.join(_KINDS)}, which says what to write."
        raise ValueError(msg)
    check_output(path, source)


def save_figure(
    path: str | None, draw: Callable[[Any], None], *, panels: int = 2, quiet: bool
) -> None:
    """Draw a figure as wide as its panels need, and write it."""
    if path is None:
        return
    figure = require("matplotlib.figure", extra="plot")
    from rocspace.plot import style

    kept = BytesIO()
    with style("single" if panels == 1 else "double"):
        made = figure.Figure()
        draw(made)
        made.savefig(kept, format=Path(path).suffix.lower()[1:], dpi=200, bbox_inches="tight")
    write(kept.getvalue(), path)
    note(f"figure: {printable(path)}", quiet=quiet)


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
