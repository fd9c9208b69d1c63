"""The charts of comparison and uncertainty; the page fills in what the reader chooses.

They draw, and compute nothing. What a chart shows of the chosen score comes from
`uncertain_scores`, rounded to what a picture can show.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rocspace._base import text as words
from rocspace._base.optional import require
from rocspace._base.text import number
from rocspace.report._coverage import COVERAGE
from rocspace.report.charts import PALETTE, Spec, finished, ranked
from rocspace.report.linked import data_line, unit_axis

BAND_NAMES = {
    "likelihood": "Likelihood",
    "envelope": "Bootstrap envelope",
    "ks": "Kolmogorov-Smirnov",
    "vertical": "Bootstrap at each rate",
}
_SIDE = 440
_DIGITS = 5  # of what is drawn

Score = Mapping[str, Any]


# --- what the page knows of each score --------------------------------------------------------


def uncertain_scores(summary: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return what is drawn of each score that has a colour, best area first.

    Parameters
    ----------
    summary : mapping
        What `summarise` returned.

    Returns
    -------
    list of dict
        ``name``, ``bands``, ``granular`` and ``folds``; empty if none of these was asked for.
    """
    scores = ranked(summary)[:PALETTE]
    if not any("bands" in score for score in scores):
        return []
    return [
        {
            "name": score["name"],
            "bands": [_band(band) for band in score["bands"]],
            "granular": _granular(score),
            "folds": _folds(score),
        }
        for score in scores
    ]


def _line(line: Mapping[str, Any], *columns: str) -> list[list[float]]:
    names = columns or ("fpr", "tpr")
    return [
        [round(number(value), _DIGITS) for value in row]
        for row in zip(*(line[name] for name in names), strict=True)
    ]


def _band(band: Mapping[str, Any]) -> dict[str, Any]:
    name = BAND_NAMES[band["method"]]
    if band["error"] is not None:
        return {"name": name, "error": band["error"], "lower": [], "upper": [], "rows": []}
    kind = "the whole curve" if band["simultaneous"] else "each fpr by itself"
    return {
        "name": name,
        "error": None,
        "lower": _line(band["lower"]),
        "upper": _line(band["upper"]),
        "rows": [
            ["Holds", f"{words.level_text(band['level'])} for {kind}"],
            ["Area between", words.share(band["area"])],
            [
                "Measured",
                COVERAGE.get(f"bands.{band['method']}", "Its coverage was not measured here."),
            ],
        ],
    }


def _granular(score: Score) -> dict[str, Any] | None:
    found = score["granular"]
    if found is None:
        return None
    return {
        "curves": [
            {
                "share": curve["share"],
                "delta": words.general(curve["delta"]),
                "area_lower": words.either(curve["auc_lower"]),
                "area_upper": words.either(curve["auc_upper"]),
                "lower": _line(curve["lower"]),
                "upper": _line(curve["upper"]),
            }
            for curve in found["curves"]
        ],
        "areas": _line(found["areas"], "share", "lower", "upper")[1:],
        "auc": words.share(score["auc"]["value"]),
    }


def _folds(score: Score) -> dict[str, Any] | None:
    found = score.get("folds")
    if not found or not found["average"]:
        return None
    average = found["average"]
    return {
        "average": _line(average),
        "low": _line(average, "fpr", "low"),
        "high": _line(average, "fpr", "high"),
        "curves": [_line(curve) for curve in found["curves"]],
    }


# --- charts of the chosen score ---------------------------------------------------------------


def _square(alt: Any, layers: list[Any], *names: str) -> Spec:
    chart = alt.layer(*layers).properties(width=_SIDE, height=_SIDE)
    return finished(alt, chart, {name: [] for name in names})


def _region(alt: Any, colour: str) -> Any:
    """Fill a polygon; its bounds need not have the same rates."""
    return alt.Chart(alt.NamedData(name="region")).mark_line(
        filled=True, fill=colour, fillOpacity=0.16, stroke=colour, strokeWidth=0.75, clip=True
    )


def _diagonal(alt: Any, x: Any, y: Any) -> Any:
    ends = alt.Data(values=[{"x": 0, "y": 0}, {"x": 1, "y": 1}])
    return alt.Chart(ends).mark_line(color="var(--faint)", strokeWidth=1).encode(x=x, y=y)


def _rate_axes(alt: Any) -> tuple[Any, Any]:
    return (
        unit_axis(alt, alt.X, "x", "False positive rate"),
        unit_axis(alt, alt.Y, "y", "True positive rate"),
    )


def band_chart() -> Spec:
    """Specify a curve in a band."""
    alt = require("altair", extra="app")
    x, y = _rate_axes(alt)
    encoded = {"x": x, "y": y, "order": alt.Order("i:Q")}
    layers = [
        _diagonal(alt, x, y),
        _region(alt, "var(--series)").encode(**encoded),
        data_line(alt, "curve", "var(--series)").encode(**encoded),
    ]
    return _square(alt, layers, "region", "curve")


def granular_chart() -> Spec:
    """Specify the lower and the upper curve of one granularity, and the ordinary one."""
    alt = require("altair", extra="app")
    x, y = _rate_axes(alt)
    encoded = {"x": x, "y": y, "order": alt.Order("i:Q")}
    layers = [
        _diagonal(alt, x, y),
        data_line(alt, "curve", "var(--muted)", width=1).encode(**encoded),
        data_line(alt, "upper", "var(--series)", dash=(5, 2)).encode(**encoded),
        data_line(alt, "lower", "var(--series)").encode(**encoded),
    ]
    return _square(alt, layers, "curve", "upper", "lower")


def areas_chart() -> Spec:
    """Specify the areas of the lower and the upper curve against the granularity."""
    alt = require("altair", extra="app")
    ticks = [0.001, 0.01, 0.1, 1]
    x = alt.X(
        "x:Q",
        scale=alt.Scale(type="log", domain=[0.001, 1], nice=False),
        axis=alt.Axis(values=ticks, format=".1~%"),
        title="Granularity δ, share of the range of the scores",
    )
    scale = alt.Scale(domain=[0, 1], nice=False, zero=False)
    y = alt.Y("y:Q", scale=scale, title="Area", axis=alt.Axis(format=".1f", tickCount=5))
    encoded = {"x": x, "y": y, "order": alt.Order("i:Q")}
    now = alt.Chart(alt.NamedData(name="now")).mark_rule(color="var(--muted)", strokeDash=[2, 3])
    layers = [
        now.encode(x=x),
        data_line(alt, "upper", "var(--series)", dash=(5, 2)).encode(**encoded),
        data_line(alt, "lower", "var(--series)").encode(**encoded),
    ]
    chart = alt.layer(*layers).properties(width=300, height=200)
    return finished(alt, chart, {"upper": [], "lower": [], "now": []})


def folds_chart() -> Spec:
    """Specify the curves of the folds, their average, and its limits."""
    alt = require("altair", extra="app")
    x, y = _rate_axes(alt)
    encoded = {"x": x, "y": y, "order": alt.Order("i:Q")}
    layers = [
        _diagonal(alt, x, y),
        _region(alt, "var(--series)").encode(**encoded),
        data_line(alt, "each", "var(--faint)", width=0.8).encode(**encoded, detail="fold:N"),
        data_line(alt, "average", "var(--series)").encode(**encoded),
    ]
    return _square(alt, layers, "region", "each", "average")


# --- two scores -------------------------------------------------------------------------------


def difference_chart(found: Mapping[str, Any]) -> Spec:
    """Specify the difference of two curves in its band."""
    alt = require("altair", extra="app")
    x = unit_axis(alt, alt.X, "x", "False positive rate")
    ends = [number(value) for key in ("lower", "upper") for value in found[key]]
    scale = alt.Scale(domain=[min(*ends, 0) * 1.05, max(*ends, 0) * 1.05], nice=False, zero=True)
    y = alt.Y("y:Q", scale=scale, title="Difference of tpr", axis=alt.Axis(tickCount=5))
    points = enumerate(_line(found, "fpr", "difference", "lower", "upper"))
    rows = [{"x": r[0], "y": r[1], "low": r[2], "high": r[3], "i": i} for i, r in points]
    base = alt.Chart(alt.NamedData(name="difference"))
    band = base.mark_area(color="var(--series)", opacity=0.16).encode(
        x=x, y=alt.Y("low:Q", scale=scale, title="Difference of tpr"), y2="high:Q"
    )
    zero = alt.Chart(alt.Data(values=[{"y": 0}])).mark_rule(color="var(--muted)").encode(y=y)
    line = data_line(alt, "difference", "var(--series)").encode(x=x, y=y, order=alt.Order("i:Q"))
    chart = alt.layer(band, zero, line).properties(width=560, height=230)
    return finished(alt, chart, {"difference": rows})
