"""Confidence bands of ROC curves: where the whole curve lies, or each of its points."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from rocspace._band import Band
from rocspace._band_kinds import (
    Future,
    binormal_band,
    dkw_band,
    ks_band,
    tilbury_band,
    working_hotelling_band,
)
from rocspace._checks import check_choice
from rocspace.table import ScoreTable, need

__all__ = [
    "Band",
    "binormal_band",
    "dkw_band",
    "ks_band",
    "roc_band",
    "tilbury_band",
    "working_hotelling_band",
]

BandMethod: TypeAlias = Literal["ks", "dkw", "working-hotelling", "binormal", "tilbury"]

_FORMULAS = {"ks": ks_band, "dkw": dkw_band, "binormal": binormal_band, "tilbury": tilbury_band}
_METHODS = (*_FORMULAS, "working-hotelling")


def roc_band(
    table: ScoreTable,
    *,
    method: BandMethod = "ks",
    level: float = 0.95,
    n_boot: int = 2000,
    rng: np.random.Generator | int | None = None,
    future: Future = None,
) -> Band:
    """Return a confidence band of a table's ROC curve."""
    need("roc_band", table)
    check_choice("method", method, _METHODS)
    if method == "working-hotelling":
        return working_hotelling_band(table, level=level)
    return _FORMULAS[method](table, level=level, future=future)
