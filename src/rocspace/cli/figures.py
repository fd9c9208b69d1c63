"""Figures that verbs draw beside their text."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

from rocspace._base.optional import require
from rocspace.cli.console import check_output, note, printable, write

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
