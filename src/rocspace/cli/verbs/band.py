"""rocspace band: confidence bands of curves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from cyclopts import Group, Parameter

from rocspace._base.text import percent, spaced
from rocspace.bands.api import BandMethod, roc_band
from rocspace.bands.band import Band
from rocspace.cli.console import estimate, heading, interval_title, share, table_text
from rocspace.cli.figures import save_panels
from rocspace.cli.options import CHOICE, PRINTING, Choice, Files, Printing, Whole, check_least
from rocspace.cli.reading import read
from rocspace.counts.table import ScoreTable
from rocspace.curves.roc import roc_curve
from rocspace.inference.area import WeightType
from rocspace.report.plain import plain_fields

_MOST_ROWS = 100_000  # of the table of a band

_BAND = Group("How the band is made", sort_key=-1)

_FIELDS = ("method", "level", "simultaneous", "area", "fpr", "low", "high")


@Parameter(name="*", group=_BAND)
@dataclass(frozen=True, kw_only=True)
class Making:
    """How a band is made.

    Attributes
    ----------
    method
        How the band is made. likelihood, envelope, ks, dkw, fixed-width, working-hotelling, psn and
        jms are simultaneous (for the whole curve), the others pointwise.
    weight_type
        What --weight holds: how much a case matters, or how many equal cases a row stands for.
        Methods that resample cases need the latter, whole numbers.
    n_boot
        Number of simulated or resampled data sets, by default 2000; only for envelope, fixed-width,
        psn, jms, vertical and threshold.
    seed
        Seed of the random numbers, for these methods.
    """

    method: BandMethod = "likelihood"
    weight_type: WeightType = "importance"
    n_boot: Whole | None = None
    seed: Whole = 0


_MAKING = Making()
_DRAWN = ("envelope", "fixed-width", "psn", "jms", "vertical", "threshold")


def band(
    file: Files,
    /,
    *,
    grid: Whole = 10,
    level: float = 0.95,
    figure: str | None = None,
    making: Making = _MAKING,
    choice: Choice = CHOICE,
    printing: Printing = PRINTING,
) -> None:
    """Print a confidence band of the ROC curve of each score.

    By default the band covers the whole true curve simultaneously. --json gives every knot of it.

    Parameters
    ----------
    file
        The file to read; several files, a folder or a pattern count as one.
    grid
        Number of equal steps of the false positive rate in the printed table.
    level
        Confidence level.
    figure
        Also draw the curves in their bands, to a .png, .svg or .pdf file.

    Examples
    --------
    rocspace band two_class_example
    rocspace band scores.csv --score risk --method envelope --figure band.pdf
    """
    check_least("--seed", making.seed, 0)
    check_least("--grid", grid, 1)
    if grid > _MOST_ROWS:
        msg = f"--grid is {grid:,}, but a table has {_MOST_ROWS:,} rows at most. Ask for fewer."
        raise ValueError(msg)
    _check_drawn(making)
    printing.check(file, figure, level=level)
    found = read(file, choice, printing)
    bands = {
        name: roc_band(
            table,
            method=making.method,
            level=level,
            weight_type=making.weight_type,
            n_boot=making.n_boot or 2000,
            rng=making.seed,
            progress=printing.progress,
        )
        for name, table in found.tables.items()
    }
    described: dict[str, Any] = {
        "schema": "rocspace.bands/1",
        "source": found.source,
        "scores": [{"name": name, **plain_fields(each, *_FIELDS)} for name, each in bands.items()],
    }

    def text() -> str:
        parts = [_band_text(name, found.tables[name], each, grid) for name, each in bands.items()]
        return "\n".join(parts)

    def draw(ax: Any, name: str, each: Band) -> None:
        from rocspace.plot import plot_band, plot_roc

        plot_band(each, ax=ax)
        plot_roc(roc_curve(found.tables[name], collinear="drop"), ax=ax)

    printing.answer(described, text)
    save_panels(figure, bands, draw, printing)


def _band_text(name: str, table: ScoreTable, found: Band, grid: int) -> str:
    at = np.arange(grid + 1) / grid
    tpr = roc_curve(table).tpr_at(at)
    rows = [
        (float(x), *estimate(float(y), ends.low, ends.high))
        for x, y, ends in zip(at, tpr, found.at_fpr(at), strict=True)
    ]
    kind = "the whole curve" if found.simultaneous else "each point of it"
    text = table_text(("fpr", "tpr", interval_title(found.level, "band")), rows, left=())
    about = f"{name}: {found.method}, holds {kind}, area between the bounds {share(found.area)}"
    if found.without_width >= 0.01:
        about += f", no width over {spaced(percent(found.without_width))} of the range"
    return f"{heading(about)}\n\n{text}"


def _check_drawn(making: Making) -> None:
    if making.n_boot is None:
        return
    check_least("--n-boot", making.n_boot, 1)
    if making.method not in _DRAWN:
        msg = f"--n-boot has no use: --method {making.method} draws no samples. Leave it out."
        raise ValueError(msg)
