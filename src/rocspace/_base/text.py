"""Results as notebooks show them, and the numbers in them: few digits, but never a wrong one.

A card is a small table, with a picture of curves beside it: plain HTML with the styles inside,
so it looks the same in every notebook, light or dark, and needs no script.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Context
from html import escape
from typing import Any

NOTHING = "–"
MINUS = "\N{MINUS SIGN}"
_SMALLEST = 7  # decimals at which a share that is not quite 0 or 1 becomes "<" or ">"
_SIDE, _PAD = 180, 6  # of a picture, in pixels
_MOST = 400  # points of a line in a picture

Line = tuple[Sequence[float], Sequence[float]]


# --- numbers ----------------------------------------------------------------------------------


def sign(text: str) -> str:
    """Give a negative number its sign in print."""
    return text.replace("-", MINUS, 1) if text.startswith("-") else text


def share(x: float, decimals: int = 3) -> str:
    """Return a number in [-1, 1] such as 0.927: never 1.000 unless it is 1, never 0.000.

    Near 0 and near 1 it has as many decimals as the first two digits of the rest need.
    """
    if math.isnan(x):
        return NOTHING
    if x in (0, 1, -1):
        return sign(f"{x:.0f}")
    if x < 0:
        return MINUS + share(-x, decimals)
    rest = min(x, 1 - x)
    digits = max(decimals, 1 - math.floor(math.log10(rest)) if rest < 0.01 else 0)
    if digits > _SMALLEST:
        if rest < 10**-_SMALLEST:
            return ">0." + "9" * _SMALLEST if x > 0.5 else "<0." + "0" * (_SMALLEST - 1) + "1"
        digits = _SMALLEST
    text = f"{x:.{digits}f}"
    if not 0 < float(text) < 1:
        text = f"{x:.{digits + 1}f}"
    while len(text) > decimals + 2 and text.endswith("0"):
        text = text[:-1]
    return text


def decimals_for(width: float) -> int:
    """Return how many decimals an interval of that width is worth."""
    if not 0 < width < math.inf:
        return 3
    return min(max(math.ceil(-math.log10(width)), 3), 6)


def general(x: float) -> str:
    """Return a number of any size with three significant digits."""
    if math.isnan(x):
        return NOTHING
    if math.isinf(x):
        return "∞" if x > 0 else f"{MINUS}∞"
    if x == 0:
        return "0"
    if 1e-4 <= abs(x) < 1000:
        return sign(f"{Context(prec=3).create_decimal(x):f}")
    return sign(f"{x:,.0f}" if 1000 <= abs(x) < 1e7 else f"{x:.2e}")


def pvalue(x: float) -> str:
    """Return a p value, at least 0.0001."""
    if math.isnan(x):
        return NOTHING
    return (
        "<0.0001" if x < 1e-4 else f"{x:.4f}" if x < 0.01 else f"{x:.3f}" if x < 0.1 else f"{x:.2f}"
    )


def joint_law(
    statistic: float, df: float, df_denominator: float, text: Callable[[float], str] = general
) -> str:
    """Return a joint test's statistic and degrees of freedom, comma behind; "" without a law."""
    if not df > 0:
        return ""
    if math.isnan(df_denominator):
        name, of = f"chi-square {text(statistic)}", text(df)
    else:
        name, of = f"F {text(statistic / df)}", f"{text(df)} and {text(df_denominator)}"
    return f"{name} with {of} degrees of freedom, "


def interval(low: float, high: float, text: Any = None) -> str:
    """Return both ends, as shares unless they are none."""
    if text is None:
        text = share if -1 <= low <= high <= 1 else general
    return f"{text(low)} to {text(high)}"


# --- cards ------------------------------------------------------------------------------------


def card(
    title: str,
    rows: Mapping[str, object],
    *,
    header: Sequence[str] = (),
    table: Iterable[Sequence[object]] = (),
    image: str = "",
) -> str:
    """Return a result as HTML: its name, its numbers, perhaps a table and a picture.

    Parameters
    ----------
    title : str
        Its name.
    rows : mapping of str to object
        Numbers and words by their names, escaped here.
    header, table : sequence
        A table below them, escaped here.
    image : str
        What `picture` made; the only thing that is not escaped.
    """
    left, right = "text-align:left;padding:.1em .9em .1em 0", "text-align:right;padding:.1em .9em"
    body = "".join(
        f'<tr><th scope="row" style="{left};font-weight:normal;opacity:.7">{escape(str(name))}</th>'
        f'<td style="{left}">{escape(str(value))}</td></tr>'
        for name, value in rows.items()
    )
    parts = [f'<table style="border-collapse:collapse"><tbody>{body}</tbody></table>']
    if header:
        head = "".join(
            f'<th scope="col" style="{right};font-weight:normal;opacity:.7">{escape(name)}</th>'
            for name in header
        )
        lines = "".join(
            "<tr>" + "".join(f'<td style="{right}">{escape(str(x))}</td>' for x in row) + "</tr>"
            for row in table
        )
        parts.append(
            f'<table style="border-collapse:collapse"><thead><tr>{head}</tr></thead>'
            f"<tbody>{lines}</tbody></table>"
        )
    return (
        '<div style="font-variant-numeric:tabular-nums">'
        f'<div style="font-weight:600;padding:.2em 0">{escape(title)}</div>'
        '<div style="display:flex;flex-wrap:wrap;gap:1em;align-items:flex-start">'
        f"{image}<div>{''.join(parts)}</div></div></div>"
    )


def picture(
    lines: Sequence[Line],
    *,
    region: tuple[Line, Line] | None = None,
    name: str = "ROC curve",
    diagonal: bool = True,
) -> str:
    """Return lines in the unit square, perhaps with a region, as a small drawing (SVG)."""
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
        parts.append(f'<path d="{around}Z" fill="#0a63ad" fill-opacity=".18"/>')
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


def _path(line: Line, most: int = _MOST) -> str:
    """Return the points of a line, but for those that fall on one that is drawn."""
    pixels = [
        (round(_PAD + _SIDE * min(max(float(x), 0.0), 1.0), 1), round(_PAD + _SIDE * (1 - y), 1))
        for x, y in zip(*_fewer(line, most), strict=True)
    ]
    kept = [p for i, p in enumerate(pixels) if i == 0 or p != pixels[i - 1]]
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in kept)


def _fewer(line: Line, most: int) -> tuple[list[float], list[float]]:
    """Return every so manieth point along the line, both ends among them."""
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
