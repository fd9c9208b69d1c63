"""Figures that verbs draw beside their text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import numpy as np

from rocspace._base.optional import require
from rocspace.cli.console import check_output, write
from rocspace.plot.files import LEGEND_INSIDE, drawn, literal

if TYPE_CHECKING:
    from rocspace.cli.options import Printing

_KINDS = (".png", ".svg", ".pdf")
Thing = TypeVar("Thing")


def check_figure(path: str | None, source: Sequence[str]) -> None:
    """Refuse, before any work, a figure that cannot be written."""
    if path is None:
        return
    require("matplotlib", extra="plot")
    if Path(path).suffix.lower() not in _KINDS:
        msg = f"--figure {path!r} must end in one of {', '.join(_KINDS)}, which says what to write."
        raise ValueError(msg)
    check_output(path, source)


def save_panels(
    path: str | None,
    things: Mapping[str, Thing],
    draw: Callable[[Any, str, Thing], None],
    printing: Printing,
) -> None:
    """Draw each thing on axes of its own, beside each other under their names, and write that."""

    def draw_all(canvas: Any) -> None:
        axes = np.atleast_1d(canvas.subplots(1, len(things)))
        for ax, (name, thing) in zip(axes, things.items(), strict=True):
            ax.set_title(literal(name))
            draw(ax, name, thing)

    save_figure(path, draw_all, printing, panels=len(things))


def save_figure(
    path: str | None,
    draw: Callable[[Any], None],
    printing: Printing,
    *,
    panels: int = 2,
    rows: int = 0,
    curves: bool = False,
    names: int = 0,
) -> None:
    """Draw a figure as wide as its panels need, and as high as its rows of text, and write it.

    With curves there is room for these above many rows.
    A single panel with so many names that they stand beside it is as wide as two.
    """
    if path is not None:
        kind = Path(path).suffix.lower().removeprefix(".")
        single = panels == 1 and names <= LEGEND_INSIDE
        size: Literal["single", "double"] = "single" if single else "double"
        write(drawn(draw, kind, size=size, rows=rows, curves=curves), path)
        printing.note(f"figure: {path}")


def write_all(figures: Iterable[tuple[str, Callable[[Any], Any]]], folder: str) -> None:
    """Write figures, by their names, as vector graphics into a folder."""
    target = Path(folder)
    if target.exists() and not target.is_dir():
        msg = f"--output {folder!r} is a file, but the figures need a folder. Name another one."
        raise FileExistsError(msg)
    target.mkdir(exist_ok=True)
    for name, draw in figures:
        write(drawn(draw, "pdf", size="single"), str(target / f"{name}.pdf"))
