"""Figures as the bytes of files."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any, Literal

from rocspace._base.optional import require

LEGEND_INSIDE = 6  # names in a legend that leave room for the curves
_ROW = 0.14  # inches that a row takes whose letters can be read, and
_AROUND = 1.0  # what stands above and below the rows


def drawn(
    draw: Callable[[Any], None],
    kind: str,
    *,
    size: Literal["single", "double"],
    rows: int = 0,
) -> bytes:
    """Return a figure as the bytes of a file, high enough for so many rows of text."""
    figure = require("matplotlib.figure", extra="plot")
    from rocspace.plot import style

    kept = BytesIO()
    with style(size):
        made = figure.Figure()
        made.set_figheight(max(made.get_figheight(), _AROUND + _ROW * rows))
        draw(made)
        made.savefig(kept, format=kind, dpi=200, bbox_inches="tight")
    return kept.getvalue()


def literal(name: str) -> str:
    """Return a name that matplotlib does not take for a formula, nor for one to hide."""
    return name.replace("$", r"\$").lstrip("_") or "score"
