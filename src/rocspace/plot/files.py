"""Figures as the bytes of files."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any, Literal

from rocspace._base.optional import require

LEGEND_INSIDE = 6  # names in a legend that leave room for the curves
_ROW = 0.14  # inches that a row takes whose letters can be read, and
_AROUND = 1.0  # what stands above and below the rows
_BESIDE = 21  # rows that curves stand beside; more stand below them


def drawn(
    draw: Callable[[Any], None],
    kind: str,
    *,
    size: Literal["single", "double"],
    rows: int = 0,
    curves: bool = False,
) -> bytes:
    """Return a figure as the bytes of a file, high enough for so many rows of text.

    Where curves stand above many rows they have the usual height to themselves.
    """
    figure = require("matplotlib.figure", extra="plot")
    from rocspace.plot import style

    kept = BytesIO()
    with style(size):
        made = figure.Figure()
        usual, needed = made.get_figheight(), _AROUND + _ROW * rows
        above = usual if curves and rows > _BESIDE else 0.0
        made.set_figheight(above + max(usual, needed))
        draw(made)
        made.savefig(kept, format=kind, dpi=200, bbox_inches="tight")
    return kept.getvalue()


def curves_and_rows(figure: Any, rows: int) -> tuple[Any, Any]:
    """Return axes for curves, and for rows of text beside them, or below them if they are many."""
    if rows <= _BESIDE:
        left, right = figure.subplots(1, 2, width_ratios=[2, 1])
        return left, right
    needed = _AROUND + _ROW * rows
    heights = [figure.get_figheight() - needed, needed]
    above, below = figure.subfigures(2, 1, height_ratios=heights)
    return above.subplots(), below.subplots()


def literal(name: str) -> str:
    """Return a name that matplotlib does not take for a formula, nor for one to hide."""
    return name.replace("$", r"\$").lstrip("_") or "score"
