"""rocspace average: the average curve of folds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

from rocspace._base.arrays import Array
from rocspace._base.words import counted
from rocspace.averaging import averages
from rocspace.averaging.average_curve import AverageCurve
from rocspace.averaging.folds import cv_auc_estimate, fold_tables
from rocspace.averaging.scale import on_rank_scale
from rocspace.cli.console import estimate, estimate_of, heading, interval_title, table_text
from rocspace.cli.figures import save_panels
from rocspace.cli.options import CHOICE, PRINTING, Choice, Files, Flag, Printing
from rocspace.cli.reading import about_cases, read_cases
from rocspace.counts.table import ScoreTable, SingleClassError
from rocspace.curves.summaries import auc
from rocspace.io.kept import FoundCases
from rocspace.report.plain import plain, plain_estimate, plain_fields

_AVERAGES: dict[str, Callable[..., AverageCurve]] = {
    "vertical": averages.vertical_average,
    "horizontal": averages.horizontal_average,
    "threshold": averages.threshold_average,
    "radial": averages.radial_average,
    "rate": averages.rate_average,
}
_Average = Literal["vertical", "horizontal", "threshold", "radial", "rate"]
_STEPS = 10
_MET = {
    "vertical": "at fpr",
    "horizontal": "at tpr",
    "threshold": "at threshold",
    "rank": "at rank",
    "radial": "at angle",
    "rate": "at share called",
}


def average(
    file: Files,
    /,
    *,
    fold: str,
    method: _Average = "vertical",
    same_scale: Flag = False,
    level: float = 0.95,
    figure: str | None = None,
    choice: Choice = CHOICE,
    printing: Printing = PRINTING,
) -> None:
    """Print the average ROC curve of cross-validation folds, and their mean area.

    The interval of the mean area is for the models that were fitted, and allows for folds that
    depend on each other, since each case tests one model and trains the others. The limits of each
    rate, where the curves meet, are those of the true curve, from which averages of small folds may
    differ.

    Parameters
    ----------
    file
        The file to read; several files, a folder or a pattern count as one.
    fold
        Column of the fold in which each case was tested.
    method
        What is held equal in averaging the curves: false positive rates, true positive rates,
        thresholds, angles, or shares called positive.
    same_scale
        Scores mean the same in all folds, as those of calibrated models. Otherwise the average
        at equal thresholds takes the ranks within each fold, and no area of all folds pooled
        is shown.
    level
        Confidence level.
    figure
        Also draw the average of each score, to a .png, .svg or .pdf file.

    Examples
    --------
    rocspace average folds.csv --label y --fold fold
    rocspace average folds.csv --fold fold --method threshold --figure mean.svg
    """
    printing.check(file, figure, level=level)
    found = read_cases(file, choice, printing, beside=(fold,))
    data, which = found.data, _whole(found.beside[fold])
    folds = {
        name: fold_tables(
            data.label,
            np.ascontiguousarray(data.score[:, j]),
            which,
            sample_weight=data.weight,
            higher_is_positive=data.rises(name),
        )
        for j, name in enumerate(data.names)
    }
    _check_folds(fold, next(iter(folds.values())), len(data))
    if ranked := method == "threshold" and not same_scale:
        line = "thresholds are ranks: 0.9 calls the most positive tenth of each fold"
        printing.note(f"{line}; --same-scale takes the scores themselves")
    curves = {name: _averaged(tables, method, same_scale) for name, tables in folds.items()}
    described: dict[str, Any] = {
        "schema": "rocspace.average/1",
        "source": found.source,
        "settings": {"level": level, "method": method, "fold": fold, "ranked": ranked},
        "scores": [
            _plain_average(name, tables, curves[name], level, same_scale)
            for name, tables in folds.items()
        ],
    }

    def draw(ax: Any, _: str, curve: AverageCurve) -> None:
        from rocspace.plot import plot_average

        plot_average(curve, ax=ax, bars=curve.interval(level), each=True)

    printing.answer(described, lambda: _average_text(found, described))
    save_panels(figure, curves, draw, printing)


def _averaged(tables: dict[Any, ScoreTable], method: _Average, same_scale: bool) -> AverageCurve:
    if method != "threshold":
        return _AVERAGES[method](tables, grid=_STEPS)
    alike = tables if same_scale else {k: on_rank_scale(t) for k, t in tables.items()}
    return averages.threshold_average(alike, grid=_STEPS, same_scale=True)


def _whole(fold: Array) -> Array:
    """Name folds by whole numbers, where a file has them as floats."""
    whole = fold.dtype.kind == "f" and bool((fold == np.rint(fold)).all())
    return fold.astype(np.int64) if whole else fold


def _check_folds(fold: str, tables: dict[Any, ScoreTable], n: int) -> None:
    """Refuse folds without a class, and say whether they are folds at all."""
    for key, table in tables.items():
        if not (table.n_pos and table.n_neg):
            both = f"{counted(table.n_pos, 'positive')} and {counted(table.n_neg, 'negative')}"
            msg = f"Fold {key} of column {fold!r} has {both}, but each fold needs both classes."
            if 2 * len(tables) > n:
                msg += f" With {len(tables):,} folds of {n:,} cases it looks like an id: is it one?"
            else:
                msg += " Stratify folds by the label, or join such folds with others."
            raise SingleClassError(msg)


def _plain_average(
    name: str, tables: dict[Any, ScoreTable], curve: AverageCurve, level: float, same_scale: bool
) -> dict[str, Any]:
    mean = plain_estimate(cv_auc_estimate(tables), level)
    limits = ("fpr_low", "fpr_high", "tpr_low", "tpr_high")
    return {
        "name": name,
        "folds": [{"fold": plain(key), "auc": auc(table)} for key, table in tables.items()],
        "mean_auc": {key: mean[key] for key in ("value", "se", "interval")},
        "pooled_auc": auc(averages.pooled_table(tables, same_scale=True)) if same_scale else None,
        "curve": plain_fields(curve, "at", "fpr", "tpr")
        | plain_fields(curve.interval(level), *limits),
    }


def _average_text(found: FoundCases, described: dict[str, Any]) -> str:
    settings = described["settings"]
    percent = interval_title(settings["level"])
    n_folds = len(described["scores"][0]["folds"])
    parts = [heading(f"{about_cases(found)}, {counted(n_folds, 'fold')}") + "\n"]
    pooled = described["scores"][0]["pooled_auc"] is not None
    header = ("score", "mean AUC", percent, "lowest", "highest", *["all pooled"] * pooled)
    rows = []
    for score in described["scores"]:
        areas = [each["auc"] for each in score["folds"]]
        over = (min(areas), max(areas), *[score["pooled_auc"]] * pooled)
        rows.append((score["name"], *estimate_of(score["mean_auc"]), *over))
    parts.append(table_text(header, rows))
    met = "rank" if settings["ranked"] else settings["method"]
    parts += [_curve_text(score, met, percent) for score in described["scores"]]
    return "\n".join(parts)


def _curve_text(score: dict[str, Any], method: str, percent: str) -> str:
    """Lay out an average curve; a rate that was given, and not averaged, has no limits."""
    curve = score["curve"]
    columns: list[Sequence[Any]] = [curve["at"]]
    header = [f"{score['name']}: {_MET[method]}"]
    for rate in ("fpr", "tpr"):
        if method != {"fpr": "vertical", "tpr": "horizontal"}[rate]:
            ends = (curve[rate], curve[f"{rate}_low"], curve[f"{rate}_high"])
            columns += zip(*map(estimate, *ends), strict=True)
            header += [f"mean {rate}", percent]
    return table_text(header, list(zip(*columns, strict=True)))
