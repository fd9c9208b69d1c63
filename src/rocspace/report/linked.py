"""The charts of the explorer, which one threshold moves through; the page fills in their data.

Every chart names its data sets: ``curve`` (what it draws), ``picked`` (the reader's threshold)
and ``best`` (the threshold of least cost). They draw, and compute nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rocspace._base import text as words
from rocspace._base.optional import require
from rocspace._base.text import number
from rocspace.curves.det import det_position
from rocspace.report._methods import shell_code, table_code
from rocspace.report.charts import Spec, finished, ranked

_TICKS = (0.001, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999)
_SIDE = 300


def explored_scores(summary: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return of each score, best area first, the points that a reader can walk along.

    Parameters
    ----------
    summary : mapping
        What `summarise` returned.

    Returns
    -------
    list of dict
        Counts and thresholds of the drawn points, the vertices of the hull among them, and
        the places of the points on the axes of the DET graph.
    """
    return [_explored(score, summary["source"]) for score in ranked(summary)]


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


# --- the charts ---------------------------------------------------------------------------------


def _scale(alt: Any, low: float, high: float) -> Any:
    return alt.Scale(domain=[low, high], nice=False, zero=False)


def unit_axis(alt: Any, channel: Any, field: str, title: str) -> Any:
    """Encode a rate: an axis from 0 to 1."""
    axis = alt.Axis(values=[0, 0.2, 0.4, 0.6, 0.8, 1], format=".1f", labelFlush=False)
    return channel(f"{field}:Q", scale=_scale(alt, 0, 1), title=title, axis=axis)


def data_line(alt: Any, name: str, colour: str, *, width: float = 1.8, dash: Any = (1, 0)) -> Any:
    """Draw a named data set as a line."""
    return alt.Chart(alt.NamedData(name=name)).mark_line(
        color=colour, strokeWidth=width, strokeDash=list(dash), strokeJoin="round", clip=True
    )


def _dots(alt: Any, x: Any, y: Any) -> list[Any]:
    """Mark the best threshold by a hollow diamond, the reader's by a dot."""
    best = alt.Chart(alt.NamedData(name="best")).mark_point(
        shape="diamond", size=150, filled=False, stroke="var(--ink)", strokeWidth=2, opacity=1
    )
    picked = alt.Chart(alt.NamedData(name="picked")).mark_point(
        shape="circle", size=90, filled=True, color="var(--ink)", opacity=1
    )
    return [best.encode(x=x, y=y), picked.encode(x=x, y=y)]


def _chart(alt: Any, layers: list[Any], *names: str) -> Spec:
    chart = alt.layer(*layers).properties(width=_SIDE, height=_SIDE)
    return finished(alt, chart, {name: [] for name in ("curve", "picked", "best", *names)})


def pr_chart() -> Spec:
    """Specify precision against recall; ``chance`` is the level of a random order."""
    alt = require("altair", extra="app")
    x = unit_axis(alt, alt.X, "x", "Recall (true positive rate)")
    y = unit_axis(alt, alt.Y, "y", "Precision")
    encoded = {"x": x, "y": y, "order": alt.Order("i:Q")}
    chance = alt.Chart(alt.NamedData(name="chance")).mark_rule(
        color="var(--faint)", strokeDash=[4, 3]
    )
    layers = [
        chance.encode(y=y),
        data_line(alt, "curve", "var(--series)").encode(**encoded),
        *_dots(alt, x, y),
    ]
    return _chart(alt, layers, "chance")


def det_chart(summary: Mapping[str, Any]) -> Spec:
    """Specify misses against false alarms on Normal-deviate axes."""
    alt = require("altair", extra="app")
    low, high = _limits(summary)
    places = [round(float(place), 6) for place in det_position(list(_TICKS))]
    values = [place for place in places if low <= place <= high]
    axis = alt.Axis(values=values, labelExpr="format(cumulativeNormal(datum.value), '.2~%')")

    def of(channel: Any, field: str, title: str) -> Any:
        return channel(f"{field}:Q", scale=_scale(alt, low, high), title=title, axis=axis)

    x, y = of(alt.X, "x", "False positive rate"), of(alt.Y, "y", "False negative rate")
    # Chance is where the two rates add up to one.
    ends = alt.Data(values=[{"x": low, "y": -low}, {"x": high, "y": -high}])
    chance = alt.Chart(ends).mark_line(color="var(--faint)", strokeDash=[4, 3], clip=True)
    layers = [
        chance.encode(x=x, y=y),
        data_line(alt, "curve", "var(--series)").encode(x=x, y=y, order=alt.Order("i:Q")),
        *_dots(alt, x, y),
    ]
    return _chart(alt, layers)


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
        data_line(alt, "curve", "var(--series)").encode(**encoded, order=alt.Order("i:Q")),
        data_line(alt, "line", "var(--ink)", width=1.2).encode(**encoded),
        *_dots(alt, x, y),
    ]
    return _chart(alt, layers, "line", "trivial", "now")
