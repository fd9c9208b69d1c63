"""What the charts of the report share, as Vega-Lite specifications. They draw, and compute nothing.

Colours are CSS variables of the page, so a chart follows its light, dark and print styles.
Names of columns are only ever values of data, never parts of a specification.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from rocspace._base import text as words
from rocspace._base.text import MINUS, number
from rocspace.report.section import Summary, View

Spec = dict[str, Any]

PALETTE = 6
"""Colours; and how many scores are described in detail where all would be too many."""

DASHES = (
    *([1, 0], [9, 2], [5, 2], [2, 2], [9, 2, 2, 2], [1, 3]),
    *([14, 3], [7, 4, 1, 4], [4, 4], [12, 3, 3, 3], [3, 1], [6, 2, 1, 2, 1, 2]),
)
"""Dash patterns: as many scores differ in colour and dash, also in grey; the others are grey."""

LOOKS = len(DASHES)

WIDTH, PAD = 260, 8  # of the picture of one interval, in pixels
_DIGITS = 5  # of what is drawn


def ranked(summary: Summary) -> list[Mapping[str, Any]]:
    """Return the scores that have a curve, the largest area first; those that stand after, last."""
    scored = [score for score in summary["scores"] if score["error"] is None]
    return sorted(scored, key=lambda score: (score.get("after", 0), -score["auc"]["value"]))


def by_rank(summary: Summary) -> dict[str, int]:
    """Return the rank of each score that has a curve, 0 for the largest area."""
    return {score["name"]: rank for rank, score in enumerate(ranked(summary))}


def colour(rank: int) -> str:
    """Return the colour of the score with that rank, a CSS variable."""
    return f"var(--score-{rank % PALETTE + 1})" if rank < LOOKS else "var(--faint)"


def score_style(rank: int) -> str:
    """Return the style class of the score with that rank."""
    return f"series-{rank + 1}" if rank < LOOKS else "series-other"


def looks(ranks: Mapping[str, int]) -> Spec:
    """Encode names of scores by the colour and the dash pattern of their ranks."""
    ranges = {
        "color": [colour(rank) for rank in ranks.values()],
        "strokeDash": [DASHES[rank] if rank < LOOKS else [1, 0] for rank in ranks.values()],
    }
    return {
        channel: field("name", scale={"domain": list(ranks), "range": values}, legend=None)
        for channel, values in ranges.items()
    }


def line_of(line: Mapping[str, Any], *columns: str) -> list[list[float]]:
    """Return the points of a line, rounded to what a picture can show."""
    names = columns or ("fpr", "tpr")
    return [
        [round(number(value), _DIGITS) for value in row]
        for row in zip(*(line[name] for name in names), strict=True)
    ]


# --- intervals in a table ---------------------------------------------------------------------


def whisker_axis(
    ends: Iterable[float], low: float, *, smallest: int
) -> tuple[View, Callable[[float], float]]:
    """Return an axis that contains all ends, at most five steps long, and the place of a number.

    `low` and 1 are its outermost ends, 10 to the power `smallest` its smallest step.
    """
    held, high = list(ends), 1.0
    step = (high - low) / 5
    for power in range(smallest, 1):
        steps = (factor * 10.0**power for factor in (1, 2, 5))
        fit = (s for s in steps if _ends(held, s)[1] - _ends(held, s)[0] <= 5 * s * (1 + 1e-9))
        if (found := next(fit, None)) is not None:
            start, end = _ends(held, found)
            low, high, step = max(start, low), min(max(end, start + found), high), found
            break
    scale = (WIDTH - 2 * PAD) / (high - low)

    def place(x: float) -> float:
        return round(PAD + (x - low) * scale, 2)

    digits = max(1, -math.floor(math.log10(step) + 1e-9))
    ticks = [low + i * step for i in range(round((high - low) / step) + 1)]
    labels = [{"x": place(tick), "label": signed(tick, digits)} for tick in ticks]
    return {"width": WIDTH, "low": low, "high": high, "ticks": labels}, place


def drawn_interval(found: Mapping[str, Any], place: Callable[[float], float]) -> View:
    """Return an estimate and its interval as texts, and their places on an axis."""
    ends = found["interval"]
    at = {"x": place(found["value"]), "low": place(ends["low"]), "high": place(ends["high"])}
    return said(found) | at


def said(found: Mapping[str, Any] | None) -> View:
    """Return an estimate and its interval with as many decimals as its width justifies."""
    if found is None:
        return {"value": words.NOTHING, "interval": ""}
    ends = found.get("interval", found)
    return words.estimate(found["value"], ends["low"], ends["high"])._asdict()


def _ends(held: list[float], step: float) -> tuple[float, float]:
    return (step * math.floor(min(held) / step + 1e-9), step * math.ceil(max(held) / step - 1e-9))


def signed(value: float, digits: int) -> str:
    """Return a number with that many decimals, and zero as 0."""
    text = f"{value:.{max(digits, 1)}f}"
    return text.replace("-", MINUS) if float(text) else "0"


# --- charts -----------------------------------------------------------------------------------

_KINDS = {"x": "quantitative", "y": "quantitative", "order": "quantitative", "x2": "", "y2": ""}


def chart(layers: Iterable[Spec], data: Mapping[str, Any], width: int, height: int) -> Spec:
    """Return a chart with its named data sets; the page's script gives it colours and a font."""
    return {"layer": list(layers), "width": width, "height": height, "datasets": dict(data)}


def layer(
    data: str | list[Any], kind: str, encoding: Spec, *, transform: Spec | None = None, **look: Any
) -> Spec:
    """Return marks of one kind for a data set of that name, or for these rows."""
    found = {
        "data": {"name": data} if isinstance(data, str) else {"values": data},
        "mark": {"type": kind, **look},
        "encoding": encoding,
    }
    return found if transform is None else found | {"transform": [transform]}


def line(
    data: str, colour: str, encoding: Spec, *, width: float = 1.8, dash: Sequence[int] = (1, 0)
) -> Spec:
    """Draw a named data set as a line."""
    look: Spec = {
        "strokeWidth": width,
        "strokeDash": list(dash),
        "strokeJoin": "round",
        "clip": True,
    }
    return layer(data, "line", encoding, color=colour, **look)


def curves(data: str, ranks: Mapping[str, int], x: Spec, y: Spec) -> Spec:
    """Draw a line for each row of a named data set, whose columns of points are lists."""
    columns = [x["field"], y["field"]]
    return layer(
        data,
        "line",
        {"x": x, "y": y, **looks(ranks)},
        transform={"flatten": columns},
        strokeWidth=1.8,
        strokeJoin="round",
        clip=True,
    )


def fields(**channels: str) -> Spec:
    """Encode columns: numbers along the axes and in their order, names elsewhere."""
    return {channel: field(column, channel) for channel, column in channels.items()}


def field(column: str, channel: str = "", **more: Any) -> Spec:
    """Encode one column."""
    kind = _KINDS.get(channel, "nominal")
    return {"field": column, **({"type": kind} if kind else {}), **more}


def axis(column: str, title: str, low: float, high: float, **look: Any) -> Spec:
    """Encode numbers along an axis that has exactly these ends."""
    scale = {"domain": [low, high], "nice": False, "zero": False}
    return field(column, "x", scale=scale, title=title, axis=look)


def unit_axis(column: str, title: str, **look: Any) -> Spec:
    """Encode a rate: an axis from 0 to 1."""
    ticks: Spec = {"values": [0, 0.2, 0.4, 0.6, 0.8, 1], "format": ".1f", "labelFlush": False}
    return axis(column, title, 0, 1, **ticks, **look)


def in_order(x: Spec, y: Spec) -> Spec:
    """Encode a line whose points come in an order of their own."""
    return {"x": x, "y": y, "order": field("i", "order")}
