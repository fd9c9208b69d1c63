"""The commands about how sure one can be: compare, average, band."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from cyclopts import Group, Parameter
from numpy.typing import NDArray

from rocspace._base.checks import check_level, counted
from rocspace._base.text import joint_law
from rocspace.averaging import averages
from rocspace.averaging.folds import cv_auc_estimate, fold_tables
from rocspace.averaging.meeting import AverageCurve
from rocspace.averaging.scale import on_rank_scale
from rocspace.bands.api import BandMethod, roc_band
from rocspace.bands.band import Band
from rocspace.cli._commands import _examples, app
from rocspace.cli._console import (
    as_json,
    check_output,
    interval,
    note,
    number,
    pvalue,
    share,
    table_text,
    write,
)
from rocspace.cli._figures import check_figure, save_figure, whisker
from rocspace.cli._options import Choice, Flag, Printing, Whole, label_text, read, shown
from rocspace.cli._same_cases import FoundCases, read_cases
from rocspace.compare.areas import AucComparison, compare_aucs
from rocspace.compare.multiplicity import Adjustment
from rocspace.counts.table import ScoreTable, SingleClassError
from rocspace.curves.areas import auc
from rocspace.curves.roc import roc_curve
from rocspace.inference.area import WeightType
from rocspace.report.plain import plain, plain_comparison, plain_interval, plain_list
from rocspace.results.estimates import Estimate

_CHOICE = Choice()
_PRINTING = Printing()
_BAND = Group("How the band is made", sort_key=-1)


# --- compare --------------------------------------------------------------------------------------


@app.command(
    help_epilogue=_examples(
        "rocspace compare adult_scores",
        "rocspace compare scores.csv --label y --reference old --figure forest.pdf",
        "rocspace compare visits.parquet --label ill --cluster patient --json",
    )
)
def compare(
    file: str,
    /,
    *,
    reference: str | None = None,
    cluster: str | None = None,
    adjust: Adjustment = "holm",
    level: float = 0.95,
    figure: str | None = None,
    choice: Choice = _CHOICE,
    printing: Printing = _PRINTING,
) -> None:
    """Print whether scores of the same cases have different areas: paired tests.

    The area of each score with its interval, the difference of each pair with its interval and
    p value, and one test that all areas are equal. A case without one of the scores is left out
    of all.

    Parameters
    ----------
    file
        The file to read.
    reference
        Compare every score with this one only; by default each pair.
    cluster
        Column that tells which cases belong together, such as a patient.
    adjust
        How p values are adjusted for the number of pairs.
    level
        Confidence level of each interval.
    figure
        Also draw the curves and the differences, to a .png, .svg or .pdf file.
    """
    check_level(level)
    check_output(printing.output, file)
    check_figure(figure, file)
    beside = () if cluster is None else (cluster,)
    found = read_cases(file, choice, beside=beside, quiet=printing.quiet)
    data = found.data
    if cluster is not None:
        data = replace(data, cluster=np.unique(found.beside[cluster], return_inverse=True)[1])
    comparison = compare_aucs(data, reference=reference, adjust=adjust)
    if printing.json:
        described = plain_comparison(comparison, level, reference) | {"source": found.source}
        write(as_json(described), printing.output)
    else:
        write(_comparison_text(found, comparison, level), printing.output)

    def draw(canvas: Any) -> None:
        from rocspace.plot import plot_comparison, plot_roc

        left, right = canvas.subplots(1, 2)
        for name in data.names:
            plot_roc(roc_curve(data.table(name), collinear="drop"), ax=left, label=name)
        left.legend(loc="lower right", frameon=False)
        plot_comparison(comparison, ax=right, level=level)

    save_figure(figure, draw, quiet=printing.quiet)


def _comparison_text(found: FoundCases, comparison: AucComparison, level: float) -> str:
    percent = f"{100 * level:g} % interval"
    areas = [_ends_of(estimate, level) for estimate in comparison.estimates]
    gaps = [_ends_of(pair.difference, level) for pair in comparison.pairs]
    area_rows = [
        (name, share(value), interval(*ends), whisker(value, ends, _span(areas)))
        for name, (value, ends) in zip(comparison.names, areas, strict=True)
    ]
    gap_rows = [
        (
            f"{pair.first} - {pair.second}",
            share(value),
            interval(*ends),
            pvalue(pair.test.pvalue),
            *([] if comparison.adjustment == "none" else [pvalue(pair.adjusted_pvalue)]),
            whisker(value, ends, _span(gaps)),
        )
        for pair, (value, ends) in zip(comparison.pairs, gaps, strict=True)
    ]
    adjusted = [] if comparison.adjustment == "none" else [comparison.adjustment]
    difference = ("difference", "", percent, "p", *adjusted, "")
    last = len(difference) - 1
    all_equal = f"\n{_overall_text(comparison)}\n" if len(comparison.names) > 2 else ""
    notes = "".join(
        f"{pair.first} - {pair.second}: {pair.test.note}\n"
        for pair in comparison.pairs
        if pair.test.note
    )
    return (
        f"{_about(found)}\n\n"
        f"{table_text(('score', 'AUC', percent, ''), area_rows, left=(0, 3))}\n"
        f"{table_text(difference, gap_rows, left=(0, last))}"
        f"{all_equal}{notes and chr(10)}{notes}"
    )


def _overall_text(comparison: AucComparison) -> str:
    overall = comparison.overall
    law = joint_law(overall.statistic, overall.df, overall.df_denominator, number)
    said = f"All areas equal: {law}p {pvalue(overall.pvalue)}"
    return f"{said} ({overall.note})" if overall.note else said


def _ends_of(estimate: Estimate, level: float) -> tuple[float, tuple[float, float]]:
    low, high = estimate.interval(level)
    return estimate.value, (low, high)


def _span(rows: Sequence[tuple[float, tuple[float, float]]]) -> tuple[float, float]:
    return min(ends[0] for _, ends in rows), max(ends[1] for _, ends in rows)


def _about(found: FoundCases) -> str:
    n, n_pos = len(found.data), int(np.count_nonzero(found.data.label))
    label = f"{found.source['label']} = {label_text(found.source['positive'])}"
    return f"{found.source['file']}, {n:,} cases, {n_pos:,} positive, {label}"


# --- average --------------------------------------------------------------------------------------

_AVERAGES = {
    "vertical": averages.vertical_average,
    "horizontal": averages.horizontal_average,
    "threshold": averages.threshold_average,
    "radial": averages.radial_average,
    "rate": averages.rate_average,
}
_Average = Literal["vertical", "horizontal", "threshold", "radial", "rate"]
_STEPS = 10


def _averaged(tables: dict[Any, ScoreTable], method: _Average, same_scale: bool) -> AverageCurve:
    if method != "threshold":
        return _AVERAGES[method](tables, samples=_STEPS)
    alike = tables if same_scale else {k: on_rank_scale(t) for k, t in tables.items()}
    return averages.threshold_average(alike, samples=_STEPS, same_scale=True)


@app.command(
    help_epilogue=_examples(
        "rocspace average folds.csv --label y --fold fold",
        "rocspace average folds.csv --label y --fold fold --method threshold --figure mean.svg",
    )
)
def average(
    file: str,
    /,
    *,
    fold: str,
    method: _Average = "vertical",
    same_scale: Flag = False,
    level: float = 0.95,
    figure: str | None = None,
    choice: Choice = _CHOICE,
    printing: Printing = _PRINTING,
) -> None:
    """Print the average ROC curve of cross-validation folds, and how sure their mean area is.

    The interval of the mean area is that of LeDell, Petersen and van der Laan; the limits of
    each rate where all curves are met are those of the true curve there, which averages of small
    folds lie beside.

    Parameters
    ----------
    file
        The file to read.
    fold
        Column that tells in which fold a case was tested.
    method
        Where the curves are met: at equal false positive rates, true positive rates,
        thresholds, angles, or shares called positive.
    same_scale
        Scores mean the same in all folds, as those of calibrated models. Otherwise the average
        at equal thresholds takes the ranks within each fold, and no area of all folds pooled
        is shown.
    level
        Confidence level.
    figure
        Also draw the average of each score, to a .png, .svg or .pdf file.
    """
    check_level(level)
    check_output(printing.output, file)
    check_figure(figure, file)
    found = read_cases(file, choice, beside=(fold,), quiet=printing.quiet)
    data, which = found.data, _whole(found.beside[fold])
    folds = {
        name: fold_tables(
            data.label,
            np.ascontiguousarray(data.score[:, j]),
            which,
            sample_weight=data.weight,
            higher_is_positive=data.higher_is_positive,
        )
        for j, name in enumerate(data.names)
    }
    _check_folds(fold, next(iter(folds.values())), len(data))
    if ranked := method == "threshold" and not same_scale:
        line = "thresholds are ranks: 0.9 calls the most positive tenth of each fold"
        note(f"{line}; --same-scale takes the scores themselves", quiet=printing.quiet)
    curves = {name: _averaged(tables, method, same_scale) for name, tables in folds.items()}
    described = {
        "schema": "rocspace.average/1",
        "source": found.source,
        "settings": {"level": level, "method": method, "fold": fold, "ranked": ranked},
        "scores": [
            _plain_average(name, tables, curves[name], level, same_scale)
            for name, tables in folds.items()
        ],
    }
    if printing.json:
        write(as_json(described), printing.output)
    else:
        write(_average_text(found, described), printing.output)

    def draw(canvas: Any) -> None:
        from rocspace.plot import plot_average

        axes = np.atleast_1d(canvas.subplots(1, len(curves)))
        for ax, (name, curve) in zip(axes, curves.items(), strict=True):
            plot_average(curve, ax=ax, bars=curve.interval(level), each=True)
            ax.set_title(name)

    save_figure(figure, draw, panels=len(curves), quiet=printing.quiet)


def _whole(fold: NDArray[Any]) -> NDArray[Any]:
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
    estimate = cv_auc_estimate(tables)
    limits = curve.interval(level)
    columns = ("fpr_low", "fpr_high", "tpr_low", "tpr_high")
    return {
        "name": name,
        "folds": [{"fold": plain(key), "auc": auc(table)} for key, table in tables.items()],
        "mean_auc": {
            "value": plain(estimate.value),
            "se": plain(estimate.se),
            "interval": plain_interval(estimate.interval(level)),
        },
        "pooled_auc": auc(averages.pooled_table(tables, same_scale=True)) if same_scale else None,
        "curve": {
            "at": plain_list(curve.at),
            "fpr": plain_list(curve.fpr),
            "tpr": plain_list(curve.tpr),
            **{column: plain_list(getattr(limits, column)) for column in columns},
        },
    }


def _average_text(found: FoundCases, described: dict[str, Any]) -> str:
    settings = described["settings"]
    percent = f"{100 * settings['level']:g} % interval"
    n_folds = len(described["scores"][0]["folds"])
    parts = [f"{_about(found)}, {counted(n_folds, 'fold')}\n"]
    pooled = described["scores"][0]["pooled_auc"] is not None
    header = ("score", "mean AUC", percent, "lowest", "highest", *["all pooled"] * pooled)
    rows = []
    for score in described["scores"]:
        areas = [each["auc"] for each in score["folds"]]
        mean = score["mean_auc"]
        ends = interval(mean["interval"]["low"], mean["interval"]["high"])
        folds = [share(min(areas)), share(max(areas)), *[share(score["pooled_auc"])] * pooled]
        rows.append((score["name"], share(mean["value"]), ends, *folds))
    parts.append(table_text(header, rows))
    met = "rank" if settings["ranked"] else settings["method"]
    parts += [_curve_text(score, met, percent) for score in described["scores"]]
    return "\n".join(parts)


def _curve_text(score: dict[str, Any], method: str, percent: str) -> str:
    """Lay out an average curve; a rate that was given, and not averaged, has no limits."""
    curve = score["curve"]
    columns = [[number(at) for at in curve["at"]]]
    header = [f"{score['name']}: {_MET[method]}"]
    for rate in ("fpr", "tpr"):
        if method != {"fpr": "vertical", "tpr": "horizontal"}[rate]:
            ends = zip(curve[f"{rate}_low"], curve[f"{rate}_high"], strict=True)
            columns += [[share(mean) for mean in curve[rate]], [interval(*pair) for pair in ends]]
            header += [f"mean {rate}", percent]
    return table_text(header, list(zip(*columns, strict=True)))


_MET = {
    "vertical": "at fpr",
    "horizontal": "at tpr",
    "threshold": "at threshold",
    "rank": "at rank",
    "radial": "at angle",
    "rate": "at share called",
}


# --- band -----------------------------------------------------------------------------------------


@Parameter(name="*", group=_BAND)
@dataclass(frozen=True, kw_only=True)
class Making:
    """How a band is made.

    Attributes
    ----------
    method
        How the band is made. likelihood (the default), envelope, ks, dkw, fixed-width,
        working-hotelling, psn and jms hold the whole curve, the others each point by itself;
        rocspace.bands.roc_band tells more.
    weight_type
        What --weight holds: how much a case matters, or how many equal cases a row stands for.
        Methods that draw cases need the latter, whole numbers.
    seed
        Of what is drawn, for methods that draw.
    """

    method: BandMethod | None = None
    weight_type: WeightType = "importance"
    seed: Whole = 0


_MAKING = Making()


@app.command(
    help_epilogue=_examples(
        "rocspace band two_class_example",
        "rocspace band scores.csv --label y --score risk --method envelope --figure band.pdf",
    )
)
def band(
    file: str,
    /,
    *,
    samples: Whole = 10,
    level: float = 0.95,
    figure: str | None = None,
    making: Making = _MAKING,
    choice: Choice = _CHOICE,
    printing: Printing = _PRINTING,
) -> None:
    """Print a confidence band of the ROC curve of each score.

    By default the band holds the whole true curve at once. With --json every knot of it.

    Parameters
    ----------
    file
        The file to read.
    samples
        Into how many steps of the false positive rate the printed table is cut.
    level
        Confidence level.
    figure
        Also draw the curves in their bands, to a .png, .svg or .pdf file.
    """
    check_level(level)
    if making.seed < 0:
        msg = f"--seed is {making.seed}, but must be zero or more."
        raise ValueError(msg)
    if samples < 1:
        msg = f"--samples is {samples}, but must be one or more."
        raise ValueError(msg)
    check_output(printing.output, file)
    check_figure(figure, file)
    found = read(file, choice, quiet=printing.quiet)
    bands = {
        name: roc_band(
            table,
            method=making.method or "likelihood",
            level=level,
            weight_type=making.weight_type,
            rng=making.seed,
            progress=shown(printing.quiet),
        )
        for name, table in found.tables.items()
    }
    if printing.json:
        described = {
            "schema": "rocspace.bands/1",
            "source": found.source,
            "scores": [_plain_band(name, each) for name, each in bands.items()],
        }
        write(as_json(described), printing.output)
    else:
        parts = [
            _band_text(name, found.tables[name], each, samples) for name, each in bands.items()
        ]
        write("\n".join(parts), printing.output)

    def draw(canvas: Any) -> None:
        from rocspace.plot import plot_band, plot_roc

        axes = np.atleast_1d(canvas.subplots(1, len(bands)))
        for ax, (name, each) in zip(axes, bands.items(), strict=True):
            plot_band(each, ax=ax)
            plot_roc(roc_curve(found.tables[name], collinear="drop"), ax=ax)
            ax.set_title(name)

    save_figure(figure, draw, panels=len(bands), quiet=printing.quiet)


def _plain_band(name: str, found: Band) -> dict[str, Any]:
    return {
        "name": name,
        "method": found.method,
        "level": found.level,
        "simultaneous": found.simultaneous,
        "area": plain(found.area),
        **{column: plain_list(getattr(found, column)) for column in ("fpr", "lower", "upper")},
    }


def _band_text(name: str, table: ScoreTable, found: Band, samples: int) -> str:
    at = np.arange(samples + 1) / samples
    tpr = roc_curve(table).tpr_at(at)
    rows = [
        (number(float(x)), share(float(y)), interval(ends.low, ends.high))
        for x, y, ends in zip(at, tpr, found.at(at), strict=True)
    ]
    kind = "the whole curve" if found.simultaneous else "each point of it"
    text = table_text(("fpr", "tpr", f"{100 * found.level:g} % band"), rows, left=())
    about = f"{name}: {found.method}, holds {kind}, area between the bounds {share(found.area)}"
    if found.without_width >= 0.01:
        about += f", no width over {found.without_width:.0%} of the range"
    return f"{about}\n\n{text}"
