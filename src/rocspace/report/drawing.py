"""What the charts of the report share (Vega-Lite, by Altair). They draw, and compute nothing.

Colours are CSS variables of the page, so a chart follows its light, dark and print styles.
Names of columns are only ever values of data, never parts of a specification.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from rocspace._base.text import MINUS, number
from rocspace.report.section import Summary, View

Spec = dict[str, Any]


PALETTE = 6

"""Scores that have a colour and a dash pattern of their own; the rest is grey."""

DASHES = ([1, 0], [9, 2], [5, 2], [2, 2], [9, 2, 2, 2], [1, 3])

_FONT = 'Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif'

WIDTH, PAD = 260, 8  # of the picture of one interval, in pixels
_DIGITS = 5  # of what is drawn


def ranked(summary: Summary) -> list[Mapping[str, Any]]:
    """Return the scores that have a curve, the largest area first."""
    scored = [score for score in summary["scores"] if score["error"] is None]
    return sorted(scored, key=lambda score: -score["auc"]["value"])


def by_rank(summary: Summary) -> dict[str, int]:
    """Return the rank of each score that has a curve, 0 for the largest area."""
    return {score["name"]: rank for rank, score in enumerate(ranked(summary))}


def colour(rank: int) -> str:
    """Return the colour of the score with that rank, a CSS variable."""
    return f"var(--score-{rank + 1})" if rank < PALETTE else "var(--faint)"


def score_style(rank: int) -> str:
    """Return the style class of the score with that rank."""
    return f"series-{rank + 1}" if rank < PALETTE else "series-other"


def line_of(line: Mapping[str, Any], *columns: str) -> list[list[float]]:
    """Return the points of a line, rounded to what a picture can show."""
    names = columns or ("fpr", "tpr")
    return [
        [round(number(value), _DIGITS) for value in row]
        for row in zip(*(line[name] for name in names), strict=True)
    ]


# --- intervals in a table ---------------------------------------------------------------------


def whisker_axis(
    ends: Iterable[float], low: float, high: float, *, smallest: int
) -> tuple[View, Callable[[float], float]]:
    """Return an axis that holds all ends, at most five steps long, and where a number stands.

    `low` and `high` are its outermost ends, 10 to the power `smallest` its smallest step.
    """
    held = list(ends)
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


def _ends(held: list[float], step: float) -> tuple[float, float]:
    return (
        step * math.floor(min(held) / step + 1e-9),
        step * math.ceil(max(held) / step - 1e-9),
    )


def signed(value: float, digits: int) -> str:
    """Return a number with that many decimals, and zero as 0."""
    text = f"{value:.{max(digits, 1)}f}"
    return text.replace("-", MINUS) if float(text) else "0"


# --- charts -----------------------------------------------------------------------------------


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


def plain_scale(alt: Any, low: float, high: float) -> Any:
    """Return a scale with just these ends."""
    return alt.Scale(domain=[low, high], nice=False, zero=False)


def unit_axis(alt: Any, channel: Any, field: str, title: str) -> Any:
    """Encode a rate: an axis from 0 to 1."""
    axis = alt.Axis(values=[0, 0.2, 0.4, 0.6, 0.8, 1], format=".1f", labelFlush=False)
    return channel(f"{field}:Q", scale=plain_scale(alt, 0, 1), title=title, axis=axis)


def data_line(alt: Any, name: str, colour: str, *, width: float = 1.8, dash: Any = (1, 0)) -> Any:
    """Draw a named data set as a line."""
    return alt.Chart(alt.NamedData(name=name)).mark_line(
        color=colour, strokeWidth=width, strokeDash=list(dash), strokeJoin="round", clip=True
    )


def flow(alt: Any, x: Any, y: Any) -> dict[str, Any]:
    """Encode a line whose points come in an order of their own."""
    return {"x": x, "y": y, "order": alt.Order("i:Q")}


def named_chart(alt: Any, layers: list[Any], *names: str, side: int) -> Spec:
    """Return a square chart whose data sets the page fills in."""
    chart = alt.layer(*layers).properties(width=side, height=side)
    return finished(alt, chart, {name: [] for name in names})
