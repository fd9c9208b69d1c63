"""One threshold, seen from every side: the curve, its relatives, and the costs of errors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from rocspace._base import text as words
from rocspace._base.arrays import Array
from rocspace._base.geometry import hull_indices
from rocspace._base.optional import require
from rocspace._base.text import number
from rocspace.counts.table import ScoreTable
from rocspace.curves.det import det_position
from rocspace.curves.roc import RocCurve, roc_curve
from rocspace.report.drawing import (
    DASHES,
    PALETTE,
    Spec,
    colour,
    data_line,
    finished,
    flow,
    named_chart,
    plain_scale,
    ranked,
    unit_axis,
)
from rocspace.report.explained import Entry, Shell, entry, shell_code, table_code
from rocspace.report.plain import plain_list
from rocspace.report.section import Score, Section, Summary, View, Work
from rocspace.report.sections.areas import FAWCETT
from rocspace.report.sections.thresholds import described_point, operating_points
from rocspace.report.shapes import thin
from rocspace.results.point import OperatingPoint

KEEP_ALL = 2000  # curves of up to so many points are kept whole
WITHIN = 0.0005  # half a pixel of a picture 1000 pixels wide

# Where names stand, in units of the axes: backing, line, name, area.

# Where names stand, in units of the axes: backing, line, name, area.
_KEY_X = {"x0": 0.53, "line0": 0.55, "line1": 0.63, "x": 0.66, "x_area": 0.98, "x1": 0.995}
_KEY_BOTTOM, _KEY_STEP = 0.05, 0.062

_TICKS = (0.001, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999)
_SIDE = 300

# --- numbers ----------------------------------------------------------------------------------


def _of_score(score: Score, table: ScoreTable, work: Work) -> View:
    if score["error"] is not None:
        return {}
    points = operating_points(table, work)
    return {
        "operating_points": [described_point(*each, work.level) for each in points],
        "curve": drawn_curve(table, [point for point, *_ in points]),
    }


def drawn_curve(table: ScoreTable, points: Sequence[OperatingPoint]) -> dict[str, Any]:
    """Return the points of the curve that a picture needs.

    The operating points and the vertices of the convex hull are among them: whatever the costs
    and the prevalence, the best threshold is.
    """
    curve = roc_curve(table)
    along = curve.fp + curve.tp
    hull = hull_indices(curve.fp, curve.tp)
    chosen = np.searchsorted(along, [point.fp + point.tp for point in points])
    marked = np.unique(np.concatenate([chosen, hull]))
    rows, thinning, within = np.arange(len(curve)), "none", 0.0
    if rows.size > KEEP_ALL:
        corners = roc_curve(table, collinear="drop")
        found = np.searchsorted(along, corners.fp + corners.tp)
        rows = _distinct(np.sort(np.concatenate([found, marked]), kind="stable"))
        thinning = "collinear"
    if rows.size > KEEP_ALL:
        rows = thin(curve.fpr, curve.tpr, WITHIN, marked)
        recall, precision = curve.tpr[1:], curve.tp[1:] / along[1:]
        # As near in the graph of precision and recall, whose left end the other leaves coarse.
        rows = np.union1d(rows, 1 + thin(recall, precision, WITHIN, rows[1:] - 1, grid=0))
        thinning, within = "within", WITHIN
    return {
        "points": len(curve),
        "points_kept": int(rows.size),
        "thinning": thinning,
        "within": within,
        **_columns(curve, rows),
        "hull": np.searchsorted(rows, hull).tolist(),
    }


def _distinct(ascending: Array) -> Array:
    """Leave out repetitions; `np.unique` would hash what is in order already."""
    return np.asarray(ascending[np.append(np.True_, ascending[1:] != ascending[:-1])])


def _columns(curve: RocCurve, rows: Array) -> dict[str, Any]:
    names = ("threshold", "tp", "fp", "tpr", "fpr")
    return {name: plain_list(getattr(curve, name)[rows]) for name in names}


# --- what is shown ----------------------------------------------------------------------------


def _view(summary: Summary) -> View | None:
    scores = ranked(summary)
    if not scores:
        return None
    return {"names": [score["name"] for score in scores], "readout": _readout(scores[0])}


def _drawn(summary: Summary) -> Mapping[str, Any]:
    return {"scores": [_explored(score, summary["source"]) for score in ranked(summary)]}


def _readout(score: Score) -> View:
    """Return the point that is read off before the reader points at another one."""
    point = next(p for p in score["operating_points"] if p["kind"] == "youden")
    sign = "≤" if score["direction"] == "lower" else "≥"
    return {
        "name": score["name"],
        "note": "largest Youden index",
        "rows": [
            ("Threshold", f"{sign} {point['threshold_text']}", ""),
            *(
                (
                    rate.upper(),
                    words.share(point["rates"][rate]["value"]),
                    f"{words.count(point[cell])} of {words.count(score[size])} {name}",
                )
                for rate, cell, size, name in (
                    ("tpr", "tp", "n_pos", "positives"),
                    ("fpr", "fp", "n_neg", "negatives"),
                )
            ),
        ],
    }


def _explored(score: Mapping[str, Any], source: Mapping[str, Any]) -> dict[str, Any]:
    curve = score["curve"]
    fpr = [number(rate) for rate in curve["fpr"]]
    fnr = [1 - number(rate) for rate in curve["tpr"]]
    margins = (0.5 / number(score["n_eff"]["neg"]), 0.5 / number(score["n_eff"]["pos"]))
    x, y = (_places(rates, margin) for rates, margin in zip((fpr, fnr), margins, strict=True))
    youden = next(p for p in score["operating_points"] if p["kind"] == "youden")
    return {
        "name": score["name"],
        "sign": "≤" if score["direction"] == "lower" else "≥",
        "threshold": words.distinct(curve["threshold"]),
        "exact": [str(value) for value in curve["threshold"]],
        "tp": curve["tp"],
        "fp": curve["fp"],
        "hull": curve["hull"],
        "straight": curve["thinning"] == "within",
        "det_x": x,
        "det_y": y,
        "n_pos": score["n_pos"],
        "n_neg": score["n_neg"],
        "prevalence": score["prevalence"],
        "start": _start(curve, youden),
        "python": table_code(score, source),
        "shell": shell_code(score, source, "at"),
    }


def _places(rates: list[float], margin: float) -> list[float]:
    inside = [min(max(rate, margin), 1 - margin) for rate in rates]
    return [round(float(place), 4) for place in det_position(inside)]


def _start(curve: Mapping[str, Any], point: Mapping[str, Any]) -> int:
    """Return which drawn point an operating point is."""
    pairs = zip(curve["tp"], curve["fp"], strict=True)
    return next(i for i, pair in enumerate(pairs) if pair == (point["tp"], point["fp"]))


# --- the curves -------------------------------------------------------------------------------


def _charts(summary: Summary) -> dict[str, Spec]:
    if not ranked(summary):
        return {}
    return {
        "roc": roc_chart(summary),
        "pr": pr_chart(),
        "det": det_chart(summary),
        "cost": cost_chart(),
    }


def roc_chart(summary: Summary) -> Spec:
    """Specify the ROC curves of all scores, with their operating points.

    Its data sets: ``curve`` (one row for each score, columns inside), ``point``, ``key`` and
    empty ones that the page fills: ``picked`` with the reader's point, ``hull`` of the score
    chosen, ``best`` with the point of least cost, and ``line`` of points that cost as much.
    """
    alt = require("altair", extra="app")
    scores = ranked(summary)
    layers = [
        _diagonal(alt),
        *_hull(alt),
        _curves(alt, scores),
        *_marks(alt, scores),
        *_key(alt),
        *_picked(alt),
        _best(alt),
    ]
    chart = alt.layer(*layers).properties(width=480, height=480)
    return finished(
        alt,
        chart,
        {
            "curve": [_curve_row(score, i) for i, score in enumerate(scores)],
            "point": [_point_row(score, point) for score, point in _points(scores)],
            "key": _key_rows(scores),
            "hull": [],
            "line": [],
            "best": [],
            "picked": [],
        },
    )


def _rates(alt: Any) -> dict[str, Any]:
    axis = {"values": [0, 0.2, 0.4, 0.6, 0.8, 1], "format": ".1f", "labelFlush": False}
    scale = alt.Scale(domain=[0, 1], nice=False, zero=False)
    return {
        "x": alt.X("fpr:Q", scale=scale, title="False positive rate", axis=alt.Axis(**axis)),
        "y": alt.Y(
            "tpr:Q",
            scale=scale,
            title="True positive rate",
            axis=alt.Axis(**axis, minExtent=30, maxExtent=30),
        ),
    }


def _diagonal(alt: Any) -> Any:
    ends = alt.Data(values=[{"fpr": 0, "tpr": 0}, {"fpr": 1, "tpr": 1}])
    return alt.Chart(ends).mark_line(color="var(--faint)", strokeWidth=1).encode(**_rates(alt))


def _styles(alt: Any, scores: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Give each score its colour and dash by name."""
    names = [score["name"] for score in scores]
    colours = [colour(i) for i in range(len(names))]
    dashes = [DASHES[i] if i < PALETTE else [1, 0] for i in range(len(names))]
    return {
        "color": alt.Color("name:N", scale=alt.Scale(domain=names, range=colours), legend=None),
        "strokeDash": alt.StrokeDash(
            "name:N", scale=alt.Scale(domain=names, range=dashes), legend=None
        ),
    }


def _curves(alt: Any, scores: Sequence[Mapping[str, Any]]) -> Any:
    return (
        alt.Chart(alt.NamedData(name="curve"))
        .transform_flatten(["fpr", "tpr"])
        .mark_line(strokeWidth=1.8, strokeJoin="round", clip=False)
        .encode(**_rates(alt), **_styles(alt, scores))
    )


def _curve_row(score: Mapping[str, Any], rank: int) -> dict[str, Any]:
    curve = score["curve"]
    return {
        "name": score["name"],
        "rank": rank,
        "fpr": [round(rate, 6) for rate in curve["fpr"]],
        "tpr": [round(rate, 6) for rate in curve["tpr"]],
        "fp": curve["fp"],
        "tp": curve["tp"],
        "threshold": words.distinct(curve["threshold"]),
        "n_pos": score["n_pos"],
        "n_neg": score["n_neg"],
        "sign": "≤" if score["direction"] == "lower" else "≥",
    }


def _points(
    scores: Sequence[Mapping[str, Any]],
) -> list[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """Operating points of the scores that have a colour."""
    return [(s, point) for s in scores[:PALETTE] for point in s["operating_points"]]


def _point_row(score: Mapping[str, Any], point: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "name": score["name"],
        "kind": point["kind"],
        "fpr": point["rates"]["fpr"]["value"],
        "tpr": point["rates"]["tpr"]["value"],
    }


def _marks(alt: Any, scores: Sequence[Mapping[str, Any]]) -> list[Any]:
    """Draw fixed rates as small ticks across the curve, the best points as shapes."""
    base = alt.Chart(alt.NamedData(name="point"))
    style = _styles(alt, scores)["color"]
    fixed = (
        base.transform_filter(alt.FieldOneOfPredicate(field="kind", oneOf=["fpr", "tpr"]))
        .mark_point(shape="circle", size=16, filled=True, opacity=1)
        .encode(**_rates(alt), color=style)
    )
    best = [
        base.transform_filter(alt.FieldEqualPredicate(field="kind", equal=kind))
        .mark_point(shape=shape, size=size, filled=True, stroke="var(--paper)", strokeWidth=1.5)
        .encode(**_rates(alt), color=style, opacity=alt.value(1))
        for kind, shape, size in (("closest", "diamond", 110), ("youden", "circle", 100))
    ]
    return [fixed, *best]


def _key_rows(scores: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Names in the empty corner below the diagonal, in the order of the curves."""
    shown = scores[:PALETTE]
    labels = [(score["name"], words.share(score["auc"]["value"])) for score in shown]
    if len(scores) > PALETTE:
        more = len(scores) - PALETTE
        labels.append((f"{more} other{'s' if more > 1 else ''}", ""))
    names = [score["name"] for score in scores]
    rows = []
    for i, (label, area) in enumerate(labels):
        y = _KEY_BOTTOM + _KEY_STEP * (len(labels) - 1 - i)
        ends = {"y": y, "y0": y - _KEY_STEP / 2, "y1": y + _KEY_STEP / 2}
        rows.append({"name": names[i], "label": label, "area": area, **ends, **_KEY_X})
    return rows


def _key(alt: Any) -> list[Any]:
    base = alt.Chart(alt.NamedData(name="key"))
    text = {"fontSize": 13, "baseline": "middle", "color": "var(--ink)"}
    return [
        base.mark_rect(color="var(--paper)", opacity=0.85).encode(
            x="x0:Q", x2="x1:Q", y="y0:Q", y2="y1:Q"
        ),
        base.mark_rule(strokeWidth=2).encode(
            x="line0:Q",
            x2="line1:Q",
            y="y:Q",
            color=alt.Color("name:N", legend=None),
            strokeDash=alt.StrokeDash("name:N", legend=None),
        ),
        base.mark_text(**text, align="left", limit=alt.ExprRef("width * 0.2")).encode(
            x="x:Q", y="y:Q", text="label:N"
        ),
        base.mark_text(**text, align="right").encode(x="x_area:Q", y="y:Q", text="area:N"),
    ]


def _hull(alt: Any) -> list[Any]:
    """Draw the convex hull, and the points that cost as much as the best one."""
    return [
        alt.Chart(alt.NamedData(name="hull"))
        .mark_line(color="var(--muted)", strokeWidth=1, strokeDash=[2, 2])
        .encode(**_rates(alt)),
        alt.Chart(alt.NamedData(name="line"))
        .mark_line(color="var(--ink)", strokeWidth=1, clip=True)
        .encode(**_rates(alt)),
    ]


def _best(alt: Any) -> Any:
    return (
        alt.Chart(alt.NamedData(name="best"))
        .mark_point(shape="diamond", size=190, filled=False, strokeWidth=2)
        .encode(**_rates(alt), stroke=alt.value("var(--ink)"), opacity=alt.value(1))
    )


def _picked(alt: Any) -> list[Any]:
    base = alt.Chart(alt.NamedData(name="picked"))
    thin = {"color": "var(--muted)", "strokeWidth": 1, "strokeDash": [2, 3]}
    zero = alt.value
    return [
        base.mark_rule(**thin).encode(x="fpr:Q", y="tpr:Q", y2=alt.datum(0)),
        base.mark_rule(**thin).encode(y="tpr:Q", x="fpr:Q", x2=alt.datum(0)),
        base.mark_point(shape="circle", size=110, strokeWidth=2, filled=False).encode(
            **_rates(alt), stroke=zero("var(--ink)"), opacity=zero(1)
        ),
    ]


# --- the charts that one threshold moves through ---------------------------------------------


def _dots(alt: Any, x: Any, y: Any) -> list[Any]:
    """Mark the best threshold by a hollow diamond, the reader's by a dot."""
    best = alt.Chart(alt.NamedData(name="best")).mark_point(
        shape="diamond", size=150, filled=False, stroke="var(--ink)", strokeWidth=2, opacity=1
    )
    picked = alt.Chart(alt.NamedData(name="picked")).mark_point(
        shape="circle", size=90, filled=True, color="var(--ink)", opacity=1
    )
    return [best.encode(x=x, y=y), picked.encode(x=x, y=y)]


def _linked(alt: Any, layers: list[Any], *names: str) -> Spec:
    return named_chart(alt, layers, "curve", "picked", "best", *names, side=_SIDE)


def pr_chart() -> Spec:
    """Specify precision against recall; ``chance`` is the level of a random order."""
    alt = require("altair", extra="app")
    x = unit_axis(alt, alt.X, "x", "Recall (true positive rate)")
    y = unit_axis(alt, alt.Y, "y", "Precision")
    encoded = flow(alt, x, y)
    chance = alt.Chart(alt.NamedData(name="chance")).mark_rule(
        color="var(--faint)", strokeDash=[4, 3]
    )
    layers = [
        chance.encode(y=y),
        data_line(alt, "curve", "var(--series)").encode(**encoded),
        *_dots(alt, x, y),
    ]
    return _linked(alt, layers, "chance")


def det_chart(summary: Mapping[str, Any]) -> Spec:
    """Specify misses against false alarms on Normal-deviate axes."""
    alt = require("altair", extra="app")
    low, high = _limits(summary)
    places = [round(float(place), 6) for place in det_position(list(_TICKS))]
    values = [place for place in places if low <= place <= high]
    axis = alt.Axis(values=values, labelExpr="format(cumulativeNormal(datum.value), '.2~%')")

    def of(channel: Any, field: str, title: str) -> Any:
        return channel(f"{field}:Q", scale=plain_scale(alt, low, high), title=title, axis=axis)

    x, y = of(alt.X, "x", "False positive rate"), of(alt.Y, "y", "False negative rate")
    # Chance is where the two rates add up to one.
    ends = alt.Data(values=[{"x": low, "y": -low}, {"x": high, "y": -high}])
    chance = alt.Chart(ends).mark_line(color="var(--faint)", strokeDash=[4, 3], clip=True)
    layers = [
        chance.encode(x=x, y=y),
        data_line(alt, "curve", "var(--series)").encode(**flow(alt, x, y)),
        *_dots(alt, x, y),
    ]
    return _linked(alt, layers)


def _limits(summary: Mapping[str, Any]) -> tuple[float, float]:
    """Return ends of both axes: as far as one half case of any score, and symmetric."""
    sizes = [number(size) for score in ranked(summary) for size in score["n_eff"].values()]
    smallest = min(0.5 / max(sizes), 0.1)
    end = float(det_position(max(smallest, 1e-5)))
    return end, -end


def cost_chart() -> Spec:
    """Specify the normalised expected cost against the probability cost.

    ``line`` is the reader's threshold, ``trivial`` the two classifiers that call all cases
    alike, ``now`` the probability cost of the sliders.
    """
    alt = require("altair", extra="app")
    x = unit_axis(alt, alt.X, "x", "Probability cost of positives")
    scale = alt.Scale(domain=[0, 0.55], nice=False, zero=False, clamp=False)
    axis = alt.Axis(values=[0, 0.1, 0.2, 0.3, 0.4, 0.5], format=".1f")
    y = alt.Y("y:Q", scale=scale, title="Normalised expected cost", axis=axis)
    now = alt.Chart(alt.NamedData(name="now")).mark_rule(color="var(--muted)", strokeDash=[2, 3])
    encoded = {"x": x, "y": y}
    layers = [
        data_line(alt, "trivial", "var(--faint)", width=1, dash=(4, 3)).encode(
            **encoded, detail="which:N"
        ),
        now.encode(x=x),
        data_line(alt, "curve", "var(--series)").encode(**flow(alt, x, y)),
        data_line(alt, "line", "var(--ink)", width=1.2).encode(**encoded),
        *_dots(alt, x, y),
    ]
    return _linked(alt, layers, "line", "trivial", "now")


# --- how it was made --------------------------------------------------------------------------


def _methods(summary: Summary, shell: Shell) -> Iterator[Entry]:
    yield entry(
        "curve",
        "The ROC curve that is drawn",
        "One point for each distinct score, joined by straight lines. Of more than 2000 points "
        "those inside straight runs are left out, then those within 1/2000 of the axis of what "
        "is drawn. No number is read from the picture.",
        f"{FAWCETT}, algorithm 1; Douglas and Peucker (1973), Cartographica 10:112-122",
        "rs.roc_curve(table)",
        shell("curve"),
    )


SECTION = Section(
    name="explorer",
    title="Explorer",
    view=_view,
    of_score=_of_score,
    charts=_charts,
    drawn=_drawn,
    methods=_methods,
)
