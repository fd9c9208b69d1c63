"""Chart specifications (Vega-Lite, by Altair) from a summary. They draw, and compute nothing.

Colours are CSS variables of the page, so a chart follows its light, dark and print styles.
Names of columns are only ever values of data, never parts of a specification.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rocspace._base import text as words
from rocspace._base.optional import require
from rocspace._base.text import number

PALETTE = 6
"""Scores that have a colour and a dash pattern of their own; the rest is grey."""

_DASHES = ([1, 0], [9, 2], [5, 2], [2, 2], [9, 2, 2, 2], [1, 3])
_FONT = 'Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif'
# Where names stand, in units of the axes: backing, line, name, area.
_KEY_X = {"x0": 0.53, "line0": 0.55, "line1": 0.63, "x": 0.66, "x_area": 0.98, "x1": 0.995}
_KEY_BOTTOM, _KEY_STEP = 0.05, 0.062

Summary = Mapping[str, Any]
Spec = dict[str, Any]


def ranked(summary: Summary) -> list[Mapping[str, Any]]:
    """Return the scores that have a curve, the largest area first."""
    scored = [score for score in summary["scores"] if score["error"] is None]
    return sorted(scored, key=lambda score: -score["auc"]["value"])


def _theme(alt: Any, chart: Any) -> Any:
    """Calm axes in the colours of the page."""
    return (
        chart.configure(background="transparent", font=_FONT, padding=2)
        .configure_view(stroke=None)
        .configure_axis(
            labelColor="var(--muted)",
            titleColor="var(--ink)",
            gridColor="var(--grid)",
            domainColor="var(--rule)",
            tickColor="var(--rule)",
            labelFontSize=12,
            titleFontSize=13,
            titleFontWeight="normal",
            titlePadding=8,
            labelPadding=5,
            tickSize=4,
        )
    )


def finished(alt: Any, chart: Any, datasets: Mapping[str, list[Any]]) -> Spec:
    """Return a specification in the colours of the page, with its named data sets."""
    spec: Spec = _theme(alt, chart).to_dict()
    del spec["$schema"]  # an address, which a page without a network need not name
    spec.setdefault("datasets", {}).update(datasets)
    return spec


# --- the curves -----------------------------------------------------------------------------


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
    dashes = [_DASHES[i] if i < PALETTE else [1, 0] for i in range(len(names))]
    return {
        "color": alt.Color("name:N", scale=alt.Scale(domain=names, range=colours), legend=None),
        "strokeDash": alt.StrokeDash(
            "name:N", scale=alt.Scale(domain=names, range=dashes), legend=None
        ),
    }


def colour(rank: int) -> str:
    """Return the colour of the score with that rank, a CSS variable."""
    return f"var(--score-{rank + 1})" if rank < PALETTE else "var(--faint)"


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


_SHAPES = {"youden": "circle", "closest": "diamond", "fpr": "cross", "tpr": "cross"}


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


# --- the scores -----------------------------------------------------------------------------


def histogram_chart(score: Mapping[str, Any], rank: int) -> Spec:
    """Specify the distribution of one score: positives upward, negatives downward."""
    alt = require("altair", extra="app")
    bins = _bin_rows(score)
    edges = score["histogram"]["edges"]
    x = alt.Scale(domain=[edges[0], edges[-1]], nice=False, zero=False)
    top = max((row["up"] for row in bins), default=0) or 1
    low = min((row["down"] for row in bins), default=0) or -1
    y = alt.Scale(domain=[low * 1.02, top * 1.16], nice=False)
    base = alt.Chart(alt.NamedData(name="bins")).encode(
        x=alt.X("from:Q", scale=x, title="Score", axis=alt.Axis(grid=False, tickCount=8)),
        x2="to:Q",
    )
    axis = alt.Axis(
        tickCount=5,
        labelExpr="format(abs(datum.value), '.0~%')" if top - low > 0.1 else _FINE,
        minExtent=44,
        maxExtent=44,
    )
    up = base.mark_bar(color=colour(rank), binSpacing=1, minBandSize=1).encode(
        y=alt.Y("up:Q", scale=y, title="Share of class", axis=axis), y2=alt.datum(0)
    )
    down = base.mark_bar(color="var(--negative)", binSpacing=1).encode(y="down:Q", y2=alt.datum(0))
    hover = base.mark_rect(opacity=0).encode(
        y=alt.datum(top), y2=alt.datum(low), tooltip=[alt.Tooltip(f"{t}:N") for t in _TOOLTIP]
    )
    chart = alt.layer(up, down, _zero(alt), *_thresholds(alt), hover).properties(
        width=560, height=210
    )
    return finished(alt, chart, {"bins": bins, "rule": _rule_rows(score, edges)})


_FINE = "format(abs(datum.value), '.1~%')"
_TOOLTIP = ("score", "positives", "negatives")


def _zero(alt: Any) -> Any:
    return (
        alt.Chart(alt.Data(values=[{"y": 0}]))
        .mark_rule(color="var(--rule)", strokeWidth=1)
        .encode(y="y:Q")
    )


def _bin_rows(score: Mapping[str, Any]) -> list[dict[str, Any]]:
    shown = score["histogram"]
    edges = words.distinct(shown["edges"])
    return [
        {
            "from": shown["edges"][i],
            "to": shown["edges"][i + 1],
            "up": shown["pos_share"][i],
            "down": -shown["neg_share"][i],
            "score": f"{edges[i]} to {edges[i + 1]}",
            **{
                name: f"{words.count(shown[key][i])} ({words.percent(shown[f'{key}_share'][i])})"
                for name, key in (("positives", "pos"), ("negatives", "neg"))
            },
        }
        for i in range(len(shown["pos"]))
    ]


def _thresholds(alt: Any) -> list[Any]:
    base = alt.Chart(alt.NamedData(name="rule"))
    return [
        base.mark_rule(color="var(--ink)", strokeWidth=1).encode(x="x:Q"),
        base.mark_text(
            align="left", baseline="top", dx=5, dy=1, fontSize=12, color="var(--ink)"
        ).encode(x="x:Q", y=alt.value(0), text="label:N"),
    ]


def _rule_rows(score: Mapping[str, Any], edges: Sequence[float]) -> list[dict[str, Any]]:
    """Return the first threshold of the best Youden index, if it is in the picture."""
    first = next((p for p in score["operating_points"] if p["kind"] == "youden"), None)
    if first is None or not edges[0] <= number(first["threshold"]) <= edges[-1]:
        return []
    return [{"x": first["threshold"], "label": f"Youden {first['threshold_text']}"}]
