"""Cards: what a result shows in a notebook and when printed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from rocspace._base.text import NOTHING, Said, count, estimate, interval, level_text, share

LEVEL = 0.95
ROWS = 8  # of a table that is longer
_SIDE, _PAD = 180, 6  # of a picture, in pixels
_MOST = 400  # points of a line in a picture

Line = tuple[Any, Any]  # two columns


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """Rows by name, perhaps a table, and a picture for notebooks."""

    rows: Mapping[str, str]
    header: Sequence[str] = ()
    table: Sequence[Sequence[str]] = ()
    image: str = ""


def ends_of(found: Any) -> str:
    """Return both ends of an interval."""
    return interval(found.low, found.high)


def said(found: Any) -> Said:
    """Return an estimate and its interval as texts."""
    return estimate(found.value, *found.interval(LEVEL))


def level_of(level: float = LEVEL) -> str:
    """Return a confidence level as text, or "certain" for NaN, the level of a certain bound."""
    return level_text(level) if level == level else "certain"


def first_rows(rows: Sequence[Sequence[str]], n: int) -> list[Sequence[str]]:
    """Return the first of n rows, and how many more there are."""
    first = list(rows[:ROWS])
    if n > ROWS:
        first.append((f"and {n - ROWS:,} more", *[""] * (len(first[0]) - 1)))
    return first


def crossed(counts: Any, before: Mapping[str, str], after: Mapping[str, str]) -> Card:
    """Return the card of a confusion matrix: a cross table and its rates, between other rows."""
    pairs = {
        "True positive rate": (counts.tp, counts.fn),
        "False positive rate": (counts.fp, counts.tn),
        "Precision": (counts.tp, counts.fp),
        "Accuracy": (counts.tp + counts.tn, counts.fp + counts.fn),
        "F1": (2 * counts.tp, counts.fp + counts.fn),
        "Prevalence": (counts.tp + counts.fn, counts.fp + counts.tn),
    }
    rates = {
        name: share(part / (part + rest)) if part + rest else NOTHING
        for name, (part, rest) in pairs.items()
    }
    return Card(
        rows={**before, **rates, **after},
        header=("", "called positive", "called negative"),
        table=[
            ("positive", count(counts.tp), count(counts.fn)),
            ("negative", count(counts.fp), count(counts.tn)),
        ],
    )


# --- in a notebook ----------------------------------------------------------------------------


def card(title: str, shown: Card) -> str:
    """Return a result as HTML: its name, its numbers, perhaps a table and a picture.

    All texts are escaped here; only the image, which `picture` made, is not.
    """
    left, right = "text-align:left;padding:.1em .9em .1em 0", "text-align:right;padding:.1em .9em"
    left += ";overflow-wrap:anywhere"  # long names are broken, numbers are not
    right += ";white-space:nowrap"
    names = any(str(row[0])[:1].isalpha() for row in shown.table[:1])
    aligned = (left if names else right, *[right] * (len(shown.header) - 1))
    title_style = f"{left};min-width:6em;font-weight:normal;opacity:.7"
    body = "".join(
        f'<tr><th scope="row" style="{title_style}">{escape(str(name))}</th>'
        f'<td style="{left}">{escape(str(value))}</td></tr>'
        for name, value in shown.rows.items()
    )
    parts = [f'<table style="border-collapse:collapse"><tbody>{body}</tbody></table>']
    if shown.header:
        head = "".join(
            f'<th scope="col" style="{style};font-weight:normal;opacity:.7">{escape(name)}</th>'
            for style, name in zip(aligned, shown.header, strict=True)
        )
        lines = "".join(
            "<tr>"
            + "".join(
                f'<td style="{style}">{escape(str(x))}</td>'
                for style, x in zip(aligned, row, strict=False)
            )
            + "</tr>"
            for row in shown.table
        )
        parts.append(
            f'<table style="border-collapse:collapse"><thead><tr>{head}</tr></thead>'
            f"<tbody>{lines}</tbody></table>"
        )
    return (
        '<div style="font-variant-numeric:tabular-nums">'
        f'<div style="font-weight:600;padding:.2em 0">{escape(title)}</div>'
        '<div style="display:flex;flex-wrap:wrap;gap:1em;align-items:flex-start">'
        f'{shown.image}<div style="min-width:0">{"".join(parts)}</div></div></div>'
    )


def picture(
    lines: Sequence[Line],
    *,
    region: tuple[Line, Line] | None = None,
    name: str = "ROC curve",
    diagonal: bool = True,
) -> str:
    """Return a small SVG drawing of lines in the unit square, with a region if one is given."""
    parts = [
        (
            f'<rect x="{_PAD}" y="{_PAD}" width="{_SIDE}" height="{_SIDE}" fill="none" '
            'stroke="currentColor" stroke-opacity=".25"/>'
        )
    ]
    if diagonal:
        ends = _path(((0.0, 1.0), (0.0, 1.0)))
        parts.append(f'<path d="{ends}" fill="none" stroke="currentColor" stroke-opacity=".25"/>')
    if region is not None:
        (x, low), (u, high) = region
        around = _path(([*x, *list(u)[::-1]], [*low, *list(high)[::-1]]), most=2 * _MOST)
        parts.append(f'<path d="{around}Z" fill="#3a87c8" fill-opacity=".35"/>')
    for i, line in enumerate(lines):
        dash = ' stroke-dasharray="4 2"' if i else ""
        parts.append(
            f'<path d="{_path(line)}" fill="none" stroke="{"#c94f00" if i else "#3a87c8"}" '
            f'stroke-width="1.6" stroke-linejoin="round"{dash}/>'
        )
    size = _SIDE + 2 * _PAD
    return (
        f'<svg width="{size}" height="{size}" viewBox="0 0 {size} {size}" role="img" '
        f'aria-label="{escape(name)}">{"".join(parts)}</svg>'
    )


def interval_picture(value: float, found: Iterable[float], ends: tuple[float, float]) -> str:
    """Return a small SVG drawing of a value and its interval on its range; "" without one."""
    (low, high), width = found, ends[1] - ends[0]
    if not (0 < width < float("inf") and low <= value <= high):
        return ""
    x, a, b = (round(_PAD + _SIDE * (at - ends[0]) / width, 1) for at in (value, low, high))
    y, right = 12, _PAD + _SIDE
    words = "".join(
        f'<text x="{at}" y="{y + 16}" font-size="10" text-anchor="{anchor}" fill="currentColor" '
        f'fill-opacity=".6">{end:g}</text>'
        for at, anchor, end in ((_PAD, "start", ends[0]), (right, "end", ends[1]))
    )
    return (
        f'<svg width="{_SIDE + 2 * _PAD}" height="32" viewBox="0 0 {_SIDE + 2 * _PAD} 32" '
        f'role="img" aria-label="value and interval">'
        f'<path d="M{_PAD} {y}H{right}" stroke="currentColor" stroke-opacity=".25"/>'
        f'<path d="M{a:g} {y}H{b:g}" stroke="#3a87c8" stroke-width="3"/>'
        f'<circle cx="{x:g}" cy="{y}" r="4" fill="#0a63ad"/>{words}</svg>'
    )


def _path(line: Line, most: int = _MOST) -> str:
    """Return the SVG path of a line, without points that fall on the pixel of the one before."""
    pixels = [
        (round(_PAD + _SIDE * min(max(float(x), 0.0), 1.0), 1), round(_PAD + _SIDE * (1 - y), 1))
        for x, y in zip(*_fewer(line, most), strict=True)
    ]
    kept = [p for i, p in enumerate(pixels) if i == 0 or p != pixels[i - 1]]
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in kept)


def _fewer(line: Line, most: int) -> tuple[list[float], list[float]]:
    """Thin the line to about `most` points evenly spaced along its length, keeping both ends."""
    x, y = list(line[0]), [min(max(float(value), 0.0), 1.0) for value in line[1]]
    if len(x) <= most:
        return x, y
    kept, gone = [0], 0.0
    for i in range(1, len(x)):
        gone += abs(x[i] - x[i - 1]) + abs(y[i] - y[i - 1])
        if gone >= 4 / most:
            kept.append(i)
            gone = 0.0
    if kept[-1] != len(x) - 1:
        kept.append(len(x) - 1)
    return [x[i] for i in kept], [y[i] for i in kept]
