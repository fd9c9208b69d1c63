"""What another sample might have shown: bands, granularities, folds."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from rocspace._base import text as words
from rocspace._base.arrays import ArrayLike
from rocspace._base.optional import require
from rocspace.averaging.averages import vertical_average
from rocspace.averaging.folds import cv_auc_estimate, fold_tables
from rocspace.bands.api import BandMethod, roc_band
from rocspace.counts.paired import PairedScores
from rocspace.counts.table import ScoreTable
from rocspace.curves.roc import roc_curve
from rocspace.curves.summaries import auc
from rocspace.granular.curve import granular_areas, groc
from rocspace.report.drawing import (
    PALETTE,
    Spec,
    data_line,
    finished,
    flow,
    line_of,
    named_chart,
    ranked,
    score_style,
    unit_axis,
)
from rocspace.report.explained import Entry, Shell, entry
from rocspace.report.plain import plain, plain_estimate, plain_list
from rocspace.report.section import More, Score, Section, Summary, View, Work
from rocspace.report.shapes import light_line

BANDS: tuple[BandMethod, ...] = ("likelihood", "envelope", "ks", "vertical")
SHARES = (0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5)

_DRAWN_FOLDS = 20

_NAMES = {
    "likelihood": "Likelihood",
    "envelope": "Bootstrap envelope",
    "ks": "Kolmogorov-Smirnov",
    "vertical": "Bootstrap at each rate",
}
_SIDE = 440

# --- numbers ----------------------------------------------------------------------------------


def _of_score(score: Score, table: ScoreTable, work: Work) -> View:
    """Return what takes longer about one score."""
    if work.more is None or score["error"] is not None:
        return {}
    found: View = {
        "bands": [_band(table, method, work.level, work.more) for method in BANDS],
        "granular": _granular(table, work.more),
    }
    if work.data is not None and work.more.fold is not None:
        found["folds"] = _folds(work.data, score["name"], work.more.fold, work.level)
    return found


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
        "low": light_line(band.fpr, band.low),
        "high": light_line(band.fpr, band.high),
    }


def _granular(table: ScoreTable, more: More) -> dict[str, Any] | None:
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
            "low": plain_list(areas.auc_low),
            "high": plain_list(areas.auc_high),
        },
        "curves": [
            {
                "share": share,
                "delta": plain(curve.delta),
                "auc_low": plain(curve.auc_low),
                "auc_high": plain(curve.auc_high),
                "low": light_line(curve.low_fpr, curve.low_tpr),
                "high": light_line(curve.high_fpr, curve.high_tpr),
            }
            for share, curve in zip(SHARES, curves, strict=True)
        ],
    }


def _folds(data: PairedScores, name: str, fold: ArrayLike, level: float) -> dict[str, Any] | None:
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
    average = vertical_average(whole, grid=100)
    limits = average.interval(level)
    columns = {"fpr": average.fpr, "tpr": average.tpr, "low": limits.tpr_low}
    drawn = [roc_curve(table) for table in list(whole.values())[:_DRAWN_FOLDS]]
    return found | {
        "mean": plain_estimate(cv_auc_estimate(whole), level),
        "average": {
            "method": f"{average.method}, {limits.method}",
            **{key: plain_list(column) for key, column in columns.items()},
            "high": plain_list(limits.tpr_high),
        },
        "curves": [light_line(curve.fpr, curve.tpr) for curve in drawn],
    }


# --- what is shown ----------------------------------------------------------------------------


def _view(summary: Summary) -> View | None:
    scores = _known(summary)
    if not scores:
        return None
    granular = scores[0]["granular"]
    return {
        "style": score_style(0),
        "names": [score["name"] for score in scores],
        "methods": [_NAMES[band["method"]] for band in scores[0]["bands"]],
        "granular": any(score["granular"] for score in scores),
        "steps": len(granular["curves"]) - 1 if granular else 9,
        "folds": _fold_table(summary),
    }


def _known(summary: Summary) -> list[Score]:
    """Return the scores that have a colour, best area first, if more than tables was looked at."""
    return [score for score in ranked(summary)[:PALETTE] if "bands" in score]


def _fold_table(summary: Summary) -> View | None:
    scores = [score for score in ranked(summary) if score.get("folds")]
    if not scores:
        return None
    names = scores[0]["folds"]["names"]
    lacking = max(score["folds"]["single_class"] for score in scores)
    return {
        "drawn": any(score["folds"]["average"] for score in scores[:PALETTE]),
        "names": names[:50],
        "untold": max(len(names) - 50, 0),
        "lacking": lacking,
        "rows": [
            {
                "name": score["name"],
                "style": score_style(rank),
                "mean": _mean(score["folds"]["mean"]),
                "auc": [words.share(area) for area in score["folds"]["auc"][:50]],
            }
            for rank, score in enumerate(scores)
        ],
    }


def _mean(mean: Mapping[str, Any] | None) -> View:
    if mean is None:
        return {"value": words.NOTHING, "interval": ""}
    ends = mean["interval"]
    return words.estimate(mean["value"], ends["low"], ends["high"])._asdict()


def _drawn(summary: Summary) -> View:
    return {
        "uncertain": [
            {
                "name": score["name"],
                "bands": [_drawn_band(band) for band in score["bands"]],
                "granular": _drawn_granular(score),
                "folds": _drawn_folds(score),
            }
            for score in _known(summary)
        ]
    }


def _drawn_band(band: Mapping[str, Any]) -> dict[str, Any]:
    name = _NAMES[band["method"]]
    if band["error"] is not None:
        return {"name": name, "error": band["error"], "low": [], "high": [], "rows": []}
    kind = "the whole curve" if band["simultaneous"] else "each fpr by itself"
    return {
        "name": name,
        "error": None,
        "low": line_of(band["low"]),
        "high": line_of(band["high"]),
        "rows": [
            ["Holds", f"{words.level_text(band['level'])} for {kind}"],
            ["Area between", words.share(band["area"])],
            ["Measured", _MEASURED.get(band["method"], "Its coverage was not measured here.")],
        ],
    }


def _drawn_granular(score: Score) -> dict[str, Any] | None:
    found = score["granular"]
    if found is None:
        return None
    return {
        "curves": [
            {
                "share": curve["share"],
                "delta": words.general(curve["delta"]),
                "area_low": words.either(curve["auc_low"]),
                "area_high": words.either(curve["auc_high"]),
                "low": line_of(curve["low"]),
                "high": line_of(curve["high"]),
            }
            for curve in found["curves"]
        ],
        "areas": line_of(found["areas"], "share", "low", "high")[1:],
        "auc": words.share(score["auc"]["value"]),
    }


def _drawn_folds(score: Score) -> dict[str, Any] | None:
    found = score.get("folds")
    if not found or not found["average"]:
        return None
    average = found["average"]
    return {
        "average": line_of(average),
        "low": line_of(average, "fpr", "low"),
        "high": line_of(average, "fpr", "high"),
        "curves": [line_of(curve) for curve in found["curves"]],
    }


# --- charts -----------------------------------------------------------------------------------


def _charts(summary: Summary) -> dict[str, Spec]:
    known = _known(summary)
    if not known:
        return {}
    alt = require("altair", extra="app")
    x = unit_axis(alt, alt.X, "x", "False positive rate")
    y = unit_axis(alt, alt.Y, "y", "True positive rate")
    ends = alt.Data(values=[{"x": 0, "y": 0}, {"x": 1, "y": 1}])
    diagonal = alt.Chart(ends).mark_line(color="var(--faint)", strokeWidth=1).encode(x=x, y=y)
    region = _region(alt, "var(--series)").encode(**flow(alt, x, y))

    def line(name: str, colour: str, *, detail: str | None = None, **look: Any) -> Any:
        drawn = data_line(alt, name, colour, **look).encode(**flow(alt, x, y))
        return drawn.encode(detail=detail) if detail else drawn

    def square(*layers: Any, names: tuple[str, ...]) -> Spec:
        return named_chart(alt, [diagonal, *layers], *names, side=_SIDE)

    specs = {"bands": square(region, line("curve", "var(--series)"), names=("region", "curve"))}
    if any(score["granular"] for score in known):
        specs["granular"] = square(
            line("curve", "var(--muted)", width=1),
            line("high", "var(--series)", dash=(5, 2)),
            line("low", "var(--series)"),
            names=("curve", "high", "low"),
        )
        specs["granular-areas"] = _areas_chart(alt)
    if any((score.get("folds") or {}).get("average") for score in known):
        each = line("each", "var(--faint)", width=0.8, detail="fold:N")
        average = line("average", "var(--series)")
        specs["folds"] = square(region, each, average, names=("region", "each", "average"))
    return specs


def _region(alt: Any, colour: str) -> Any:
    """Fill a polygon; its bounds need not have the same rates."""
    return alt.Chart(alt.NamedData(name="region")).mark_line(
        filled=True, fill=colour, fillOpacity=0.16, stroke=colour, strokeWidth=0.75, clip=True
    )


def _areas_chart(alt: Any) -> Spec:
    """Specify the areas of the lower and the upper curve against the granularity."""
    ticks = [0.001, 0.01, 0.1, 1]
    x = alt.X(
        "x:Q",
        scale=alt.Scale(type="log", domain=[0.001, 1], nice=False),
        axis=alt.Axis(values=ticks, format=".1~%"),
        title="Granularity δ, share of the range of the scores",
    )
    scale = alt.Scale(domain=[0, 1], nice=False, zero=False)
    y = alt.Y("y:Q", scale=scale, title="Area", axis=alt.Axis(format=".1f", tickCount=5))
    encoded = flow(alt, x, y)
    now = alt.Chart(alt.NamedData(name="now")).mark_rule(color="var(--muted)", strokeDash=[2, 3])
    layers = [
        now.encode(x=x),
        data_line(alt, "high", "var(--series)", dash=(5, 2)).encode(**encoded),
        data_line(alt, "low", "var(--series)").encode(**encoded),
    ]
    chart = alt.layer(*layers).properties(width=300, height=200)
    return finished(alt, chart, {"high": [], "low": [], "now": []})


# --- how it was made --------------------------------------------------------------------------

_BANDS = {
    "likelihood": (
        "Band by likelihood",
        (
            "Rates that the likelihood of the counts does not rule out, anywhere along the curve: "
            "a band for the whole curve, never a point where the classes are separated."
        ),
        "Wilks (1938), Annals of Mathematical Statistics 9:60-62, for the deviance",
    ),
    "envelope": (
        "Band by bootstrap envelope",
        (
            "The envelope of those bootstrap curves that are nearest to the curve, in 1000 "
            "replicates: a band for the whole curve."
        ),
        "",
    ),
    "ks": (
        "Band by Kolmogorov and Smirnov",
        (
            "A rectangle of fixed size at every point, from bounds of both distribution functions: "
            "a band for the whole curve that holds at every sample size, and is wide."
        ),
        "Campbell (1994), Statistics in Medicine 13:499-508",
    ),
    "vertical": (
        "Limits at each false positive rate",
        (
            "Limits of the true positive rate from 1000 bootstrap replicates at each rate by "
            "itself: the whole curve leaves them more often than the level says."
        ),
        "Macskassy and Provost (2004), ROC Analysis in Artificial Intelligence workshop",
    ),
}


_MEASURED = {
    "likelihood": (
        "At level 0.95 the whole true curve was inside in 93.5 to 99.5 percent of 200 samples each "
        "of seven populations and sizes."
    ),
    "ks": "At level 0.95 it fails in 1 of 1,000 samples or fewer: wider than it need be.",
}


def _methods(summary: Summary, shell: Shell) -> Iterator[Entry]:
    yield from _about_bands(summary, shell)
    yield from _about_granularity(summary, shell)
    yield from _about_folds(summary, shell)


def _about_bands(summary: Summary, shell: Shell) -> Iterator[Entry]:
    made = {
        band["method"]
        for score in summary["scores"]
        for band in score.get("bands", ())
        if band["error"] is None
    }
    level = summary["settings"]["level"]
    for method, (name, sentence, citation) in _BANDS.items():
        if method in made:
            drawn = ", n_boot=1000, rng=0" if method in ("envelope", "vertical") else ""
            yield entry(
                f"bands.{method}",
                name,
                sentence,
                citation,
                f"rs.bands.roc_band(table, method={method!r}, level={level:g}{drawn})",
                shell("band", f" --method {method}{shell.level}"),
                measured=_MEASURED.get(method, ""),
            )


def _about_granularity(summary: Summary, shell: Shell) -> Iterator[Entry]:
    found = [score["granular"] for score in summary["scores"] if score.get("granular")]
    if not found:
        return
    delta = found[0]["curves"][4]["delta"]
    yield entry(
        "granular",
        "Granular ROC",
        "Scores closer than delta are taken for indistinguishable: the upper curve reads the cases "
        "between them all as positive, the lower one as negative. Areas are signed and depend on "
        "prevalence.",
        "Dong, Li and Li, gROC, definitions 1 to 7",
        f"rs.granular.groc(table, {delta!r})",
        shell("granular", f" --delta {delta!r}"),
    )


def _about_folds(summary: Summary, shell: Shell) -> Iterator[Entry]:
    found = [score["folds"] for score in summary["scores"] if score.get("folds")]
    if not any(each["mean"] for each in found):
        return
    fold = summary["source"].get("fold")
    column = "fold" if fold is None else f"data[{fold!r}]"
    name = summary["scores"][0]["name"]
    option = f" --fold {shlex.quote(str(fold))}" if fold is not None else " --fold FOLD"
    line = shell("average", f"{option}{shell.level}")
    yield entry(
        "folds.mean",
        "Mean area of the folds",
        "DeLong's variance within the folds, its spread taken over all of them; about the models "
        "that were fitted, not about this way of fitting models.",
        "LeDell, Petersen and van der Laan (2015), Electronic Journal of Statistics 9:1583-1607",
        f"folds = rs.fold_tables(cases.label, cases.score[:, cases.names.index({name!r})], "
        f"{column})\nrs.cv_auc_estimate(folds).interval({summary['settings']['level']:g})",
        line,
        measured=(
            "At level 0.95 it covers the mean true area of the fitted models in 93.2 to 100 "
            "percent of samples, over 17 situations from 5 + 50 cases in 5 or 10 folds."
        ),
    )
    yield entry(
        "folds.average",
        "Average curve of the folds",
        "The mean true positive rate at equal false positive rates; and at each rate by itself "
        "limits of the true curve, between two readings of each fold's curve, one too low and one "
        "too high on average, with the spread between the folds and no narrower than counts allow.",
        "Provost, Fawcett and Kohavi (1998); Fawcett (2006), algorithm 3; Imbens and Manski (2004)",
        f"rs.averaging.vertical_average(folds).interval({summary['settings']['level']:g})",
        line,
        measured=(
            "At level 0.95 it covers the true curve at each rate in 96 to 100 percent of samples, "
            "over 48 situations from 5 + 50 cases in 5 or 10 folds."
        ),
    )


SECTION = Section(
    name="uncertainty",
    title="Uncertainty",
    view=_view,
    of_score=_of_score,
    charts=_charts,
    drawn=_drawn,
    methods=_methods,
)
