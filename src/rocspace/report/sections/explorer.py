"""One threshold in every graph: the curve, its relatives, and the costs of errors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from rocspace._base import text as words
from rocspace._base.arrays import Array, Vector
from rocspace._base.geometry import hull_indices
from rocspace._base.text import LONGEST, number
from rocspace.counts.confusion import rows_called_positive
from rocspace.counts.table import ScoreTable
from rocspace.curves.det import det_position
from rocspace.curves.roc import roc_curve
from rocspace.report import drawing
from rocspace.report.drawing import (
    LOOKS,
    PALETTE,
    Spec,
    field,
    fields,
    layer,
    line,
    ranked,
    score_style,
)
from rocspace.report.explained import Entry, Shell, entries, table_code
from rocspace.report.plain import plain_list
from rocspace.report.section import Score, Section, Summary, View, Work
from rocspace.report.sections.thresholds import bin_edges, described_point, operating_points
from rocspace.report.shapes import thin
from rocspace.results.point import OperatingPoint

KEEP_ALL = 2000  # curves of up to so many points are kept whole,
IN_ALL = 20_000  # as far as all curves together have no more than this
WITHIN = 0.0005  # half a pixel of a picture 1000 pixels wide
ROUND = 100  # round thresholds whose points are kept, at most

# Where names stand, in units of the axes: backing, line, name, area.
_KEY_X = {"x0": 0.53, "line0": 0.55, "line1": 0.63, "x": 0.66}
_KEY_WIDE = {"x0": 0.33, "line0": 0.35, "line1": 0.43, "x": 0.46}  # of few scores, below all curves
_KEY_FEW = 4
_KEY_BOTTOM, _KEY_STEP, _KEY_HEIGHT = 0.05, 0.062, 0.56
_NARROW = 450  # pixels of a graph below which its letters shrink with it, and names are shorter
# Where the name of a reference may stand, as fpr + tpr, the best place first; and its height.
_ALONG, _LINE = (1.0, 1.1, 0.9, 1.2, 0.8, 1.3, 0.7, 1.4, 0.6, 1.5, 0.5), 0.04

_TICKS = (0.001, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999)
_COLUMNS = ("threshold", "tp", "fp", "tpr", "fpr")

# --- numbers ----------------------------------------------------------------------------------


def _of_score(score: Score, table: ScoreTable, work: Work) -> View:
    if score["error"] is not None:
        return {}
    points = operating_points(table, work)
    return {
        "operating_points": [described_point(*each, work.level) for each in points],
        "curve": drawn_curve(
            table, [point for point, *_ in points], min(KEEP_ALL, IN_ALL // len(work.tables))
        ),
    }


def drawn_curve(
    table: ScoreTable, points: Sequence[OperatingPoint], whole: int = KEEP_ALL
) -> dict[str, Any]:
    """Return the points of the curve that a picture needs, and those that a reader may ask for.

    All of them, if there are no more than `whole`.
    The operating points and the vertices of the convex hull are among them: whatever the costs
    and the prevalence, the best threshold is. So are the points of round thresholds.
    """
    curve = roc_curve(table)
    along = curve.fp + curve.tp
    hull = hull_indices(curve.fp, curve.tp)
    chosen = np.searchsorted(along, [point.fp + point.tp for point in points])
    marked = np.unique(np.concatenate([chosen, hull, [1], np.searchsorted(along, _round(table))]))
    rows, thinning, within = np.arange(len(curve)), "none", 0.0
    if rows.size > whole:
        corners = roc_curve(table, collinear="drop")
        found = np.searchsorted(along, corners.fp + corners.tp)
        rows = _distinct(np.sort(np.concatenate([found, marked]), kind="stable"))
        thinning = "collinear"
    if rows.size > whole:
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
        **{name: plain_list(getattr(curve, name)[rows]) for name in _COLUMNS},
        "next_score": [*plain_list(curve.threshold[rows[:-1] + 1]), _far_end(table)],
        "hull": np.searchsorted(rows, hull).tolist(),
    }


def _far_end(table: ScoreTable) -> str:
    """Return what lies beyond the last score, as JSON has it."""
    return "-inf" if table.higher_is_positive else "inf"


def _round(table: ScoreTable) -> Vector:
    """Return how many cases round thresholds call positive: 0.5 is asked for more than 0.4983."""
    score = table.score.astype(np.float64)
    finite = score[np.isfinite(score)]
    if not finite.size:
        return np.array([])
    edges = bin_edges(finite.min(), finite.max(), ROUND, whole=False)
    called = np.append(0.0, table.tp + table.fp)
    return np.asarray(called[rows_called_positive(table, edges)])


def _distinct(ascending: Array) -> Array:
    """Leave out repetitions; `np.unique` would hash values that are in order already."""
    return np.asarray(ascending[np.append(np.True_, ascending[1:] != ascending[:-1])])


# --- what is shown ----------------------------------------------------------------------------


def _view(summary: Summary) -> View | None:
    scores = ranked(summary)
    return {"scores": scores, "what": "Score", "note": ""} if scores else None


def _drawn(summary: Summary) -> Mapping[str, Any]:
    scores = enumerate(ranked(summary))
    return {"scores": [explored(score, rank, summary["source"]) for rank, score in scores]}


def explored(score: Score, rank: int, source: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the page's script reads of one score."""
    curve, sizes = score["curve"], score["n_eff"]
    fnr = [1 - number(rate) for rate in curve["tpr"]]
    youden = next(p for p in score["operating_points"] if p["kind"] == "youden")
    beyond = curve["next_score"]
    return {
        **{key: score[key] for key in ("name", "n_pos", "n_neg", "prevalence")},
        **{key: curve[key] for key in ("tp", "fp", "hull")},
        "style": score_style(rank),
        "sign": "≤" if score["direction"] == "lower" else "≥",
        "threshold": [
            words.threshold(*ends) for ends in zip(curve["threshold"], beyond, strict=True)
        ],
        "exact": [str(value) for value in curve["threshold"]],
        "next": None if curve["thinning"] == "none" else [str(value) for value in beyond],
        "points": curve["points"],
        "straight": curve["thinning"] == "within",
        "sizes": [sizes["pos"], sizes["neg"]],
        "det_x": _places([number(rate) for rate in curve["fpr"]], 0.5 / number(sizes["neg"])),
        "det_y": _places(fnr, 0.5 / number(sizes["pos"])),
        "youden": _drawn_at(curve, youden),
        "python": table_code(score, source),
        "shell": f"rocspace at {Shell([score], source, 0.95).columns}",
    }


def _places(rates: list[float], margin: float) -> list[float]:
    inside = [min(max(rate, margin), 1 - margin) for rate in rates]
    return [round(float(place), 4) for place in det_position(inside)]


def _drawn_at(curve: Mapping[str, Any], point: Mapping[str, Any]) -> int:
    """Return which drawn point an operating point is."""
    pairs = zip(curve["tp"], curve["fp"], strict=True)
    return next(i for i, pair in enumerate(pairs) if pair == (point["tp"], point["fp"]))


# --- the curves -------------------------------------------------------------------------------


def _charts(summary: Summary) -> dict[str, Spec]:
    if not ranked(summary):
        return {}
    return {
        "roc": roc_chart(summary),
        "pr": pr_chart(summary),
        "det": det_chart(summary),
        "cost": cost_chart(summary),
    }


_XY = {
    "x": drawing.unit_axis("fpr", "False positive rate"),
    "y": drawing.unit_axis("tpr", "True positive rate", minExtent=30, maxExtent=30),
}
_OPAQUE = {"opacity": {"value": 1}}
_INK = {"value": "var(--ink)"}


def roc_chart(summary: Summary) -> Spec:
    """Specify the ROC curves of all scores, with their operating points.

    Its data sets: ``curve`` (one row for each score, columns inside), ``point``, ``key`` and
    empty ones that the page fills: ``picked`` with the reader's point, ``hull`` of the score
    chosen, ``best`` with the point of least cost, and ``line`` of points that cost as much.
    """
    scores = ranked(summary)
    style = drawing.looks({score["name"]: rank for rank, score in enumerate(scores)})
    look: Spec = {"strokeWidth": 1.8, "strokeJoin": "round", "clip": False}
    diagonal = [{"fpr": 0, "tpr": 0}, {"fpr": 1, "tpr": 1}]
    layers = [
        layer(diagonal, "line", _XY, color="var(--faint)", strokeWidth=1),
        layer("hull", "line", _XY, color="var(--muted)", strokeWidth=1, strokeDash=[2, 2]),
        layer("line", "line", _XY, color="var(--ink)", strokeWidth=1, clip=True),
        layer("curve", "line", _XY | style, transform={"flatten": ["fpr", "tpr"]}, **look),
        *_marks(style["color"]),
        *_key(_key_step(scores), 0.86 - _key_x(scores)["x"]),
        *_picked(),
        layer("best", "point", _XY | {"stroke": _INK} | _OPAQUE, **_hollow("diamond", 190)),
    ]
    references = _reference_rows(summary.get("references", ()))
    layers += _references() if references else []
    data = {
        "curve": [_curve_row(score, i) for i, score in enumerate(scores)],
        "point": [row for score in scores[:PALETTE] for row in _point_rows(score)],
        "key": _key_rows(scores),
        **{name: [] for name in ("hull", "line", "best", "picked")},
        **({"reference": references} if references else {}),
    }
    return drawing.chart(layers, data, 480, 480)


def _reference_rows(references: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return curves that were given, with a place for each name where no other name stands.

    The first choice is where the curve crosses the other diagonal.
    """
    rows: list[dict[str, Any]] = []
    for reference in references:
        points = np.array(drawing.line_of(reference))
        places = [points[np.abs(points.sum(axis=1) - along).argmin()] for along in _ALONG]
        free = (at for at in places if all(abs(at[1] - row["y"]) >= _LINE for row in rows))
        x, y = next(free, places[0]).tolist()
        fpr, tpr = points.T.tolist()
        rows.append({"name": reference["name"], "x": x, "y": y, "fpr": fpr, "tpr": tpr})
    return rows


def _references() -> list[Spec]:
    dashed: Spec = {"color": "var(--muted)", "strokeWidth": 1.5, "strokeDash": [7, 3, 2, 3]}
    named: Spec = {"align": "left", "baseline": "top", "dx": 5, "dy": 4, "fontSize": 12}
    lines = _XY | fields(detail="name")
    text = fields(x="x", y="y", text="name")
    return [
        layer("reference", "line", lines, transform={"flatten": ["fpr", "tpr"]}, **dashed),
        layer("reference", "text", text, color="var(--muted)", **named),
    ]


def _hollow(shape: str, size: int) -> dict[str, Any]:
    return {"shape": shape, "size": size, "filled": False, "strokeWidth": 2}


def _curve_row(score: Score, rank: int) -> dict[str, Any]:
    rates = {name: [round(rate, 6) for rate in score["curve"][name]] for name in ("fpr", "tpr")}
    return {"name": score["name"], "rank": rank, **rates}


def _point_rows(score: Score) -> Iterator[dict[str, Any]]:
    for point in score["operating_points"]:
        rates = {rate: point["rates"][rate]["value"] for rate in ("fpr", "tpr")}
        yield {"name": score["name"], "kind": point["kind"], **rates}


def _marks(colours: Spec) -> list[Spec]:
    """Draw fixed rates as small ticks across the curve, the best points as shapes."""
    coloured = _XY | {"color": colours}
    look: Spec = {"filled": True, "stroke": "var(--paper)", "strokeWidth": 1.5}
    rates = {"filter": {"field": "kind", "oneOf": ["fpr", "tpr"]}}
    small: Spec = {"shape": "circle", "size": 16, "filled": True, "opacity": 1}
    found = [layer("point", "point", coloured, transform=rates, **small)]
    for kind, shape, size in (("closest", "diamond", 110), ("youden", "circle", 100)):
        chosen = {"filter": {"field": "kind", "equal": kind}}
        marks: Spec = {"shape": shape, "size": size, **look}
        found.append(layer("point", "point", coloured | _OPAQUE, transform=chosen, **marks))
    return found


def _key_rows(scores: Sequence[Score]) -> list[dict[str, Any]]:
    """Names in the empty corner below the diagonal, in the order of the curves.

    All whose looks differ; the others, which are drawn alike, are one line.
    """
    labels = [(score["name"], words.share(score["auc"]["value"])) for score in scores[:LOOKS]]
    if len(scores) > LOOKS:
        more = len(scores) - LOOKS
        labels.append((f"{more} other{'s' if more > 1 else ''}", ""))
    names = [score["name"] for score in scores]
    most = LONGEST if len(scores) <= _KEY_FEW else LONGEST // 2
    short = words.shortened([label for label, _ in labels], most)
    brief = words.shortened([label for label, _ in labels], 7 * most // 12)
    rows, step, x, right = [], _key_step(scores), _key_x(scores), {"x_area": 0.98, "x1": 0.995}
    for i, (label, (_, area)) in enumerate(zip(short, labels, strict=True)):
        y = _KEY_BOTTOM + step * (len(labels) - 1 - i)
        ends = {"y": y, "y0": y - step / 2, "y1": y + step / 2}
        said = {"name": names[i], "label": label, "brief": brief[i], "area": area}
        rows.append({**said, **ends, **x, **right})
    return rows


def _key_x(scores: Sequence[Score]) -> dict[str, float]:
    return _KEY_WIDE if len(scores) <= _KEY_FEW else _KEY_X


def _key_step(scores: Sequence[Score]) -> float:
    return min(_KEY_STEP, _KEY_HEIGHT / min(len(scores), LOOKS + 1))


def _key(step: float, room: float) -> list[Spec]:
    box, rule = fields(x="x0", x2="x1", y="y0", y2="y1"), fields(x="line0", x2="line1", y="y")
    fitting = {"calculate": f"width < {_NARROW} ? datum.brief : datum.label", "as": "fitting"}
    named = {channel: field("name", legend=None) for channel in ("color", "strokeDash")}
    size = {"expr": f"min(13, height * {round(0.75 * step, 4)})"}
    text: Spec = {"fontSize": size, "baseline": "middle", "color": "var(--ink)"}
    name: Spec = {"align": "left", "limit": {"expr": f"width * {round(room, 2)}"}, **text}
    return [
        layer("key", "rect", box, color="var(--paper)", opacity=0.85),
        layer("key", "rule", rule | named, strokeWidth=2),
        layer("key", "text", fields(x="x", y="y", text="fitting"), transform=fitting, **name),
        layer("key", "text", fields(x="x_area", y="y", text="area"), align="right", **text),
    ]


def _picked() -> list[Spec]:
    zero, at = {"datum": 0}, fields(x="fpr", y="tpr")
    look: Spec = {"color": "var(--muted)", "strokeWidth": 1, "strokeDash": [2, 3]}
    return [
        layer("picked", "rule", at | {"y2": zero}, **look),
        layer("picked", "rule", at | {"x2": zero}, **look),
        layer("picked", "point", _XY | {"stroke": _INK} | _OPAQUE, **_hollow("circle", 110)),
    ]


# --- the charts that one threshold moves through ---------------------------------------------


def _linked(summary: Summary, layers: Sequence[Spec], x: Spec, y: Spec, *names: str) -> Spec:
    """Specify a graph of all scores with one in front: ``others``, the layers, and two marks.

    The best threshold is a hollow diamond, the reader's a dot.
    """
    at = {"x": x, "y": y}
    style = drawing.looks({each["name"]: i for i, each in enumerate(ranked(summary))})
    thin: Spec = {"strokeWidth": 1.1, "strokeJoin": "round", "clip": True, "opacity": 0.75}
    best: Spec = {**_hollow("diamond", 150), "stroke": "var(--ink)", "opacity": 1}
    dot: Spec = {"shape": "circle", "size": 90, "filled": True, "color": "var(--ink)", "opacity": 1}
    others = layer("others", "line", drawing.in_order(x, y) | style, **thin)
    dots = [layer("best", "point", at, **best), layer("picked", "point", at, **dot)]
    data: dict[str, Any] = {name: [] for name in ("others", "curve", "picked", "best", *names)}
    return drawing.chart([others, *layers, *dots], data, 300, 300)


def pr_chart(summary: Summary) -> Spec:
    """Specify precision against recall; ``chance`` is the level of a random order."""
    x = drawing.unit_axis("x", "Recall (true positive rate)")
    y = drawing.unit_axis("y", "Precision")
    layers = [
        layer("chance", "rule", {"y": y}, color="var(--faint)", strokeDash=[4, 3]),
        line("curve", "var(--series)", drawing.in_order(x, y)),
    ]
    return _linked(summary, layers, x, y, "chance")


def det_chart(summary: Summary) -> Spec:
    """Specify misses against false alarms on Normal-deviate axes."""
    low, high = _limits(summary)
    places = [round(float(place), 6) for place in det_position(list(_TICKS))]
    look: Spec = {
        "values": [place for place in places if low <= place <= high],
        "labelExpr": "format(cumulativeNormal(datum.value), '.2~%')",
        "labelOverlap": "greedy",
        "labelSeparation": 4,
    }
    x = drawing.axis("x", "False positive rate", low, high, **look)
    y = drawing.axis("y", "False negative rate", low, high, **look)
    chance = [{"x": low, "y": -low}, {"x": high, "y": -high}]  # where both rates add up to one
    faint: Spec = {"color": "var(--faint)", "strokeDash": [4, 3], "clip": True}
    layers = [
        layer(chance, "line", {"x": x, "y": y}, **faint),
        line("curve", "var(--series)", drawing.in_order(x, y)),
    ]
    return _linked(summary, layers, x, y)


def _limits(summary: Summary) -> tuple[float, float]:
    """Return ends of both axes: as far as one half case of any score, and symmetric."""
    sizes = [number(size) for score in ranked(summary) for size in score["n_eff"].values()]
    smallest = min(0.5 / max(sizes), 0.1)
    end = float(det_position(max(smallest, 1e-5)))
    return end, -end


def cost_chart(summary: Summary) -> Spec:
    """Specify the normalised expected cost against the probability cost.

    ``line`` is the reader's threshold, ``trivial`` the two classifiers that call all cases
    alike, ``now`` the probability cost of the sliders.
    """
    x = drawing.unit_axis("x", "Probability cost of positives")
    ticks: Spec = {"values": [0, 0.1, 0.2, 0.3, 0.4, 0.5], "format": ".1f"}
    y = drawing.axis("y", "Normalised expected cost", 0, 0.55, **ticks)
    trivial = {"x": x, "y": y, **fields(detail="which")}
    layers = [
        line("trivial", "var(--faint)", trivial, width=1, dash=(4, 3)),
        layer("now", "rule", {"x": x}, color="var(--muted)", strokeDash=[2, 3]),
        line("curve", "var(--series)", drawing.in_order(x, y)),
        line("line", "var(--ink)", {"x": x, "y": y}, width=1.2),
    ]
    return _linked(summary, layers, x, y, "line", "trivial", "now")


# --- how it was made --------------------------------------------------------------------------

_HOW = """
curve: The ROC curve that is drawn
  One point for each distinct score, joined by straight lines. Of more than 2000 points (with more
  than ten scores, of more than their share of 20,000) those inside straight runs are left out, then
  those within 1/2000 of the axis of what is drawn. No number is read from the picture.
  Source: Fawcett (2006), Pattern Recognition Letters 27:861-874, algorithm 1; Douglas and Peucker
  (1973), Cartographica 10:112-122
  Python: rs.roc_curve(table)
  Shell: rocspace curve {columns}
"""


def _methods(summary: Summary, shell: Shell) -> Iterator[Entry]:
    return entries(_HOW, shell)


SECTION = Section(
    "explorer",
    _view,
    "Explorer",
    of_score=_of_score,
    charts=_charts,
    drawn=_drawn,
    methods=_methods,
)
