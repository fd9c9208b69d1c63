"""What takes more than one look at a table: bands, granularities, folds, and comparisons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocspace._base.arrays import ArrayLike
from rocspace.averaging.averages import vertical_average
from rocspace.averaging.folds import cv_auc_estimate, fold_tables
from rocspace.bands.api import BandMethod, roc_band
from rocspace.bands.difference import DifferenceBand, difference_band
from rocspace.compare.areas import compare_aucs
from rocspace.costs.comparison import relative_superiority
from rocspace.counts.paired import PairedScores
from rocspace.counts.table import ScoreTable
from rocspace.curves.areas import auc
from rocspace.curves.roc import roc_curve
from rocspace.granular.curve import granular_areas, groc
from rocspace.report._shapes import thin
from rocspace.report.plain import plain, plain_comparison, plain_interval, plain_list

BANDS: tuple[BandMethod, ...] = ("likelihood", "envelope", "ks", "vertical")
SHARES = (0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
"""Granularities that are drawn, as shares of the range of the scores."""
EVERY_PAIR = 8  # of more scores than that, each is compared with the best one only
_DRAWN_FOLDS = 20
_WITHIN = 0.001  # what is drawn lies at most so far from the truth
_CELLS = 4000
_WORK = 1e8  # cases times replicates of the difference of two curves
_MOST = 1_000_000  # cases of which replicates are drawn


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class More:
    """What `summarise` is to work out beyond the tables.

    Attributes
    ----------
    fold : array-like, shape (n,), optional
        The fold that each case of ``data`` was tested in: numbers or names.
    n_boot : int, optional
        Bootstrap replicates of the difference of two curves; by default 200 to 1000, fewer
        for more cases.
    rng : int
        Seed of everything that is drawn at random.
    progress : bool, optional
        Whether to show progress; by default in a terminal.
    """

    fold: ArrayLike | None = None
    n_boot: int | None = None
    rng: int = 0
    progress: bool | None = None


# --- one score --------------------------------------------------------------------------------


def bands_of(table: ScoreTable, level: float, more: More) -> list[dict[str, Any]]:
    """Return bands of a curve by several methods, each with the reason where there is none."""
    return [_band(table, method, level, more) for method in BANDS]


def _band(table: ScoreTable, method: BandMethod, level: float, more: More) -> dict[str, Any]:
    about: dict[str, Any] = {"method": method, "error": None}
    try:
        band = roc_band(
            table, method=method, level=level, n_boot=1000, rng=more.rng, progress=more.progress
        )
    except ValueError as error:  # importance weights, too few cases
        return about | {"error": str(error)}
    return about | {
        "simultaneous": band.simultaneous,
        "level": plain(band.level),
        "area": plain(band.area),
        "lower": _light(band.fpr, band.lower),
        "upper": _light(band.fpr, band.upper),
    }


def _light(fpr: NDArray[np.float64], tpr: NDArray[np.float64]) -> dict[str, Any]:
    """Return the points of a line, which need not rise, that a picture needs."""
    cell = np.round(np.stack([fpr, tpr]) * _CELLS)
    moved = np.append(np.True_, (cell[:, 1:] != cell[:, :-1]).any(axis=0))
    moved[-1] = True
    x, y = fpr[moved], tpr[moved]
    rows = thin(x, y, _WITHIN - 1 / _CELLS, grid=0)
    return {"fpr": plain_list(x[rows]), "tpr": plain_list(y[rows])}


def granular_of(table: ScoreTable, more: More) -> dict[str, Any] | None:
    """Return what granularities do to the curve; None where scores have no finite range."""
    with np.errstate(over="ignore"):
        span = float(abs(np.float64(table.score[0]) - np.float64(table.score[-1])))
    if not 0 < span < np.inf:
        return None
    shares = np.concatenate([[0.0], np.geomspace(0.001, 1, 31)])
    areas = granular_areas(table, shares * span, progress=more.progress)
    curves = [groc(table, share * span) for share in SHARES]
    return {
        "range": plain(span),
        "areas": {
            "share": plain_list(shares),
            "delta": plain_list(areas.delta),
            "lower": plain_list(areas.auc_lower),
            "upper": plain_list(areas.auc_upper),
        },
        "curves": [
            {
                "share": share,
                "delta": plain(curve.delta),
                "auc_lower": plain(curve.auc_lower),
                "auc_upper": plain(curve.auc_upper),
                "lower": _light(curve.lower_fpr, curve.lower_tpr),
                "upper": _light(curve.upper_fpr, curve.upper_tpr),
            }
            for share, curve in zip(SHARES, curves, strict=True)
        ],
    }


def folds_of(data: PairedScores, name: str, fold: ArrayLike, level: float) -> dict[str, Any] | None:
    """Return the areas of the folds and the average of their curves."""
    column = data.names.index(name)
    tables = fold_tables(
        data.label,
        data.score[:, column],
        fold,
        sample_weight=data.weight,
        higher_is_positive=data.rises(column),
    )
    whole = {key: table for key, table in tables.items() if table.n_pos and table.n_neg}
    found: dict[str, Any] = {
        "names": [str(key) for key in tables],
        "n_pos": [plain(table.n_pos) for table in tables.values()],
        "n_neg": [plain(table.n_neg) for table in tables.values()],
        "auc": [plain(auc(whole[key])) if key in whole else None for key in tables],
        "single_class": len(tables) - len(whole),
    }
    if len(whole) < 2:
        return found | {"mean": None, "average": None, "curves": []}
    estimate = cv_auc_estimate(whole)
    average = vertical_average(whole, grid=100)
    limits = average.interval(level)
    columns = {"fpr": average.fpr, "tpr": average.tpr, "low": limits.tpr_low}
    drawn = [roc_curve(table) for table in list(whole.values())[:_DRAWN_FOLDS]]
    return found | {
        "mean": {
            "value": plain(estimate.value),
            "se": plain(estimate.se),
            "method": estimate.method,
            "interval": plain_interval(estimate.interval(level)),
        },
        "average": {
            "method": f"{average.method}, {limits.method}",
            **{key: plain_list(column) for key, column in columns.items()},
            "high": plain_list(limits.tpr_high),
        },
        "curves": [_light(curve.fpr, curve.tpr) for curve in drawn],
    }


# --- several scores ---------------------------------------------------------------------------


def comparison_of(
    data: PairedScores, tables: Mapping[str, ScoreTable], level: float, more: More
) -> dict[str, Any]:
    """Compare the scores of the same cases: areas, the two best curves, and costs."""
    best = sorted(data.names, key=lambda name: -auc(tables[name]))
    reference = best[0] if len(best) > EVERY_PAIR else None
    found = compare_aucs(data, reference=reference)
    return {
        **plain_comparison(found, level, reference),
        "difference": _difference(data, (best[0], best[1]), level, more),
        "costs": _costs({name: tables[name] for name in data.names}),
    }


def _difference(
    data: PairedScores, names: tuple[str, str], level: float, more: More
) -> dict[str, Any] | None:
    """Return the difference of two curves at false positive rates dense near 0 and 1."""
    if len(data) > _MOST:
        return None
    n = more.n_boot or int(np.clip(_WORK / len(data), 200, 1000))
    try:
        band = difference_band(
            data, names, level=level, n_boot=n, rng=more.rng, progress=more.progress
        )
    except ValueError:  # too few replicates for the level, or a class too small to draw from
        return None
    at = np.sin(np.linspace(0, np.pi / 2, 101)) ** 2
    columns = {"difference": band.difference, "lower": band.lower, "upper": band.upper}
    return {
        "first": names[0],
        "second": names[1],
        "method": band.method,
        "level": plain(band.level),
        "replicates": n,
        "fpr": plain_list(at),
        **{key: plain_list(np.interp(at, band.fpr, y)) for key, y in columns.items()},
        "differs": _runs(band),
    }


def _runs(band: DifferenceBand) -> list[dict[str, Any]]:
    """Return the false positive rates between which the curves differ, and who is above."""
    side = np.where(band.lower > 0, 1, np.where(band.upper < 0, -1, 0))
    starts = np.flatnonzero(np.diff(side, prepend=0))
    ends = np.append(starts, side.size)[1:]
    return [
        {
            "low": plain(band.fpr[a]),
            "high": plain(band.fpr[b - 1]),
            "above": band.names[0] if side[a] > 0 else band.names[1],
        }
        for a, b in zip(starts.tolist(), ends.tolist(), strict=True)
        if side[a]
    ]


def _costs(tables: Mapping[str, ScoreTable]) -> dict[str, Any] | None:
    first = next(iter(tables.values()))
    prevalence = float(first.prevalence)
    found = relative_superiority(tables, prevalence=prevalence)
    merged: list[tuple[float, Sequence[str]]] = []
    for share, best in zip(found.share.tolist(), found.best, strict=False):
        if not merged or merged[-1][1] != best:
            merged.append((share, best))
    return {
        "prevalence": plain(prevalence),
        "share": [plain(share) for share, _ in merged] + [1.0],
        "best": [list(best) for _, best in merged],
    }
