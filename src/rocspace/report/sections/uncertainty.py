"""What another sample might have shown: bands, granularities, folds."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from rocspace._base import text as words
from rocspace._base.arrays import ArrayLike
from rocspace.averaging.averages import vertical_average
from rocspace.averaging.folds import cv_auc_estimate, fold_tables
from rocspace.bands.api import BandMethod, roc_band
from rocspace.counts.paired import PairedScores
from rocspace.counts.table import ScoreTable
from rocspace.curves.roc import roc_curve
from rocspace.curves.summaries import auc
from rocspace.granular.curve import granular_areas, groc
from rocspace.report import drawing
from rocspace.report.drawing import PALETTE, Spec, layer, line, line_of, ranked, score_style
from rocspace.report.explained import Entry, Shell, entries
from rocspace.report.plain import plain, plain_estimate, plain_fields, plain_list
from rocspace.report.section import More, Score, Section, Summary, View, Work
from rocspace.report.shapes import light_line

_NOT_MEASURED = "Its coverage was not measured here."
BANDS: tuple[BandMethod, ...] = ("likelihood", "envelope", "ks", "vertical")
SHARES = (0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5)

_DRAWN_FOLDS = 20

_NAMES = {
    "likelihood": "Likelihood",
    "envelope": "Bootstrap envelope",
    "ks": "Kolmogorov-Smirnov",
    "vertical": "Bootstrap at each rate",
}

# --- numbers ----------------------------------------------------------------------------------


def _of_score(score: Score, table: ScoreTable, work: Work) -> View:
    """Return the slower results of one score."""
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
    about: dict[str, Any] = {"method": method, "seed": more.seed, "error": None}
    try:
        band = roc_band(
            table, method=method, level=level, n_boot=1000, rng=more.rng, progress=more.progress
        )
    except ValueError as error:  # importance weights, too few cases
        return about | {"error": str(error)}
    return about | {
        **plain_fields(band, "simultaneous", "level", "area"),
        "low": light_line(band.fpr, band.low),
        "high": light_line(band.fpr, band.high),
    }


def _granular(table: ScoreTable, more: More) -> dict[str, Any] | None:
    """Return the effect of granularities on the curve; None where scores have no finite range."""
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
            **plain_fields(areas, "delta", low="auc_low", high="auc_high"),
        },
        "curves": [
            {
                "share": share,
                **plain_fields(curve, "delta", "auc_low", "auc_high"),
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
        higher_is_positive=data.rises(name),
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
    drawn = [roc_curve(table) for table in list(whole.values())[:_DRAWN_FOLDS]]
    return found | {
        "mean": plain_estimate(cv_auc_estimate(whole), level),
        "average": {
            "method": f"{average.method}, {limits.method}",
            **plain_fields(average, "fpr", "tpr"),
            **plain_fields(limits, low="tpr_low", high="tpr_high"),
        },
        "curves": [light_line(curve.fpr, curve.tpr) for curve in drawn],
    }


# --- what is shown ----------------------------------------------------------------------------


def _view(summary: Summary) -> View | None:
    scores = _known(summary)
    if not scores:
        return None
    return {
        "scores": scores,
        "style": score_style(0),
        "methods": [_NAMES[band["method"]] for band in scores[0]["bands"]],
        "granular": any(score["granular"] for score in scores),
        "steps": len(SHARES) - 1,
        "folds": [score for score in ranked(summary) if score.get("folds")],
    }


def _known(summary: Summary) -> list[Score]:
    """Return the scores that have a colour, best area first, if more than the tables was used."""
    return [score for score in ranked(summary)[:PALETTE] if "bands" in score]


def _drawn(summary: Summary) -> View:
    measured = {each["id"]: each.get("coverage") for each in summary["methods"]}
    return {
        "uncertain": [
            {
                "name": score["name"],
                "bands": [_drawn_band(band, measured) for band in score["bands"]],
                "granular": _drawn_granular(score),
                "folds": _drawn_folds(score),
            }
            for score in _known(summary)
        ]
    }


def _drawn_band(band: Mapping[str, Any], measured: Mapping[str, Any]) -> dict[str, Any]:
    name = _NAMES[band["method"]]
    if band["error"] is not None:
        return {"name": name, "error": band["error"], "low": [], "high": [], "rows": []}
    kind = "the whole curve" if band["simultaneous"] else "each false positive rate by itself"
    return {
        "name": name,
        "error": None,
        "low": line_of(band["low"]),
        "high": line_of(band["high"]),
        "rows": [
            ["Holds", f"{words.level_text(band['level'])} for {kind}"],
            ["Area between", words.share(band["area"])],
            ["Measured", measured[f"bands.{band['method']}"] or _NOT_MEASURED],
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


_SERIES, _UPPER = "var(--series)", (5, 2)


def _charts(summary: Summary) -> dict[str, Spec]:
    known = _known(summary)
    if not known:
        return {}
    x = drawing.unit_axis("x", "False positive rate")
    y = drawing.unit_axis("y", "True positive rate")
    along, ends = drawing.in_order(x, y), [{"x": 0, "y": 0}, {"x": 1, "y": 1}]
    diagonal = layer(ends, "line", {"x": x, "y": y}, color="var(--faint)", strokeWidth=1)
    # A filled line, because the bounds of a region need not have the same rates.
    edge: Spec = {"stroke": _SERIES, "strokeWidth": 0.75, "clip": True}
    region = layer("region", "line", along, filled=True, fill=_SERIES, fillOpacity=0.16, **edge)

    def square(*layers: Spec) -> Spec:
        names: dict[str, Any] = {each["data"]["name"]: [] for each in layers}
        return drawing.chart([diagonal, *layers], names, 440, 440)

    specs = {"bands": square(region, line("curve", _SERIES, along))}
    if any(score["granular"] for score in known):
        specs["granular"] = square(
            line("curve", "var(--muted)", along, width=1),
            line("high", _SERIES, along, dash=_UPPER),
            line("low", _SERIES, along),
        )
        specs["granular-areas"] = _areas_chart()
    if any((score.get("folds") or {}).get("average") for score in known):
        each = line("each", "var(--faint)", along | drawing.fields(detail="fold"), width=0.8)
        specs["folds"] = square(region, each, line("average", _SERIES, along))
    return specs


def _areas_chart() -> Spec:
    """Specify the areas of the lower and the upper curve against the granularity."""
    scale = {"type": "log", "domain": [0.001, 1], "nice": False}
    ticks = {"values": [0.001, 0.01, 0.1, 1], "format": ".1~%"}
    title = "Granularity δ, share of the range of the scores"
    x = drawing.field("x", "x", scale=scale, axis=ticks, title=title)
    along = drawing.in_order(x, drawing.axis("y", "Area", 0, 1, format=".1f", tickCount=5))
    layers = [
        layer("now", "rule", {"x": x}, color="var(--muted)", strokeDash=[2, 3]),
        line("high", _SERIES, along, dash=_UPPER),
        line("low", _SERIES, along),
    ]
    return drawing.chart(layers, {"high": [], "low": [], "now": []}, 300, 200)


# --- how it was made --------------------------------------------------------------------------

_BANDS = """
bands.likelihood: Band by likelihood
  Rates that the likelihood of the counts does not rule out, anywhere along the curve: a band for
  the whole curve, never a point where the classes are separated.
  Source: Wilks (1938), Annals of Mathematical Statistics 9:60-62, for the deviance
  Measured: At level 0.95 the whole true curve was inside in 93.5 to 99.5 percent of 200 samples
  each of seven populations and sizes.
  Python: rs.bands.roc_band(table, method='likelihood', level={level})
  Shell: rocspace band {columns} --method likelihood{at_level}
bands.envelope: Band by bootstrap envelope
  The envelope of those bootstrap curves that are nearest to the curve, in 1000 replicates: a band
  for the whole curve.
  Python: rs.bands.roc_band(table, method='envelope', level={level}, n_boot=1000, rng={seed})
  Shell: rocspace band {columns} --method envelope{at_level}{at_seed}
bands.ks: Band by Kolmogorov and Smirnov
  A rectangle of fixed size at every point, from bounds of both distribution functions: a band for
  the whole curve that holds at every sample size, and is wide.
  Source: Campbell (1994), Statistics in Medicine 13:499-508
  Measured: At level 0.95 it fails in 1 of 1,000 samples or fewer: it is wider than it needs to be.
  Python: rs.bands.roc_band(table, method='ks', level={level})
  Shell: rocspace band {columns} --method ks{at_level}
bands.vertical: Limits at each false positive rate
  Limits of the true positive rate from 1000 bootstrap replicates at each rate by itself: the whole
  curve leaves them more often than the level says.
  Source: Macskassy and Provost (2004), ROC Analysis in Artificial Intelligence workshop
  Python: rs.bands.roc_band(table, method='vertical', level={level}, n_boot=1000, rng={seed})
  Shell: rocspace band {columns} --method vertical{at_level}{at_seed}
"""
_GRANULAR = """
granular: Granular ROC
  Scores closer than delta are treated as indistinguishable: the upper curve counts all cases
  between them as positive, the lower one as negative. Areas are signed and depend on prevalence.
  Source: Dong, Li and Li, gROC, definitions 1 to 7
  Python: rs.granular.groc(table, {delta!r})
  Shell: rocspace granular {columns} --delta {delta!r}
"""
_FOLDS = """
folds.mean: Mean area of the folds
  DeLong's variance within the folds, its spread taken over all of them, and what dependent folds
  may add near chance; about the models that were fitted, not about this way of fitting models.
  Source: LeDell, Petersen and van der Laan (2015), Electronic Journal of Statistics 9:1583-1607
  Measured: At level 0.95 it covers the mean true area of the fitted models in 92.8 to 100 percent
  of samples, over 53 situations with weak and good models in 5 or 10 folds.
  Python: folds = rs.fold_tables(cases.label, cases.score[:, cases.names.index({name!r})], {fold})
  Python: rs.cv_auc_estimate(folds).interval({level})
  Shell: rocspace average {columns} --fold {option}{at_level}
folds.average: Average curve of the folds
  The mean true positive rate at equal false positive rates; and at each rate by itself limits of
  the true curve, between two readings of each fold's curve, one too low and one too high on
  average, with the spread between the folds and no narrower than counts allow.
  Source: Provost, Fawcett and Kohavi (1998); Fawcett (2006), algorithm 3; Imbens and Manski (2004)
  Measured: At level 0.95 it covers the true curve at each rate in 96 to 100 percent of samples,
  over 48 situations from 5 + 50 cases in 5 or 10 folds.
  Python: rs.averaging.vertical_average(folds).interval({level})
  Shell: rocspace average {columns} --fold {option}{at_level}
"""


def _methods(summary: Summary, shell: Shell) -> Iterator[Entry]:
    scores = summary["scores"]
    bands = [band for score in scores for band in score.get("bands", ())]
    made = {f"bands.{band['method']}" for band in bands if band["error"] is None}
    seed = bands[0]["seed"] if bands else None
    at_seed = f" --seed {seed}" if seed else ""
    written = entries(_BANDS, shell, seed=seed, at_seed=at_seed)
    yield from (each for each in written if each["id"] in made)
    granular = [score["granular"] for score in scores if score.get("granular")]
    if granular:
        yield from entries(_GRANULAR, shell, delta=granular[0]["curves"][4]["delta"])
    if any(score["folds"]["mean"] for score in scores if score.get("folds")):
        column = summary["source"].get("fold")
        fold = "fold" if column is None else f"data[{column!r}]"
        option = "FOLD" if column is None else shlex.quote(str(column))
        yield from entries(_FOLDS, shell, name=scores[0]["name"], fold=fold, option=option)


SECTION = Section(
    "uncertainty",
    _view,
    "Uncertainty",
    of_score=_of_score,
    charts=_charts,
    drawn=_drawn,
    methods=_methods,
)
