"""How full the pages of a printed report are."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np

RASTER = shutil.which("pdftoppm")
_DOTS = 20  # to an inch
_MARGIN = 12 / 25.4  # inches, as the style sheet has it


def emptiness(page: Any, folder: Path) -> list[float]:
    """Print a page, and return of each sheet the share below the last thing on it."""
    pdf = folder / "printed.pdf"
    page.pdf(path=str(pdf), format="A4", print_background=True)
    assert RASTER is not None
    subprocess.run([RASTER, "-gray", "-r", str(_DOTS), str(pdf), str(folder / "sheet")], check=True)
    return [_empty(_gray(path)) for path in sorted(folder.glob("sheet-*.pgm"))]


def _gray(path: Path) -> Any:
    """Read the pixels of a binary PGM file."""
    _, width, height, _, pixels = path.read_bytes().split(maxsplit=4)
    size = int(width) * int(height)
    return np.frombuffer(pixels[-size:], dtype=np.uint8).reshape(int(height), int(width))


def _empty(pixels: Any) -> float:
    margin = round(_MARGIN * _DOTS)
    inked = np.flatnonzero((pixels < 235).any(axis=1))
    last = int(inked.max(initial=0))
    return 1 - (last + 1 - margin) / (len(pixels) - 2 * margin)
