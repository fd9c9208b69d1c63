"""How LaTeX, Markdown and HTML write a table of texts.

Every text is escaped here, where it is written, never before.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from rocspace._base.text import MINUS, NOTHING

if TYPE_CHECKING:
    from rocspace.report.paper.parts import PaperTable

_LATEX = {
    "\\": r"\textbackslash{}",
    **{sign: f"\\{sign}" for sign in "{}$&#%_"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "\n": " ",
    "\r": " ",
    MINUS: "$-$",
    "∞": r"$\infty$",
    NOTHING: "--",
}


def _tex(text: str) -> str:
    return "".join(_LATEX.get(sign, sign) for sign in text)


def latex_of(table: PaperTable) -> str:
    """Write a table for LaTeX with booktabs."""
    width = len(table.parts[0].header)
    lines = [r"\begin{table}"]
    if table.caption:
        lines.append(rf"\caption{{{_tex(table.caption)}}}")
    lines += [rf"\begin{{tabular}}{{l{'r' * (width - 1)}}}", r"\toprule"]
    for i, part in enumerate(table.parts):
        lines += [r"\midrule"] * (i > 0)
        lines += [_tex_row(part.header), r"\midrule", *map(_tex_row, part.rows)]
    lines += [r"\bottomrule", r"\end{tabular}"]
    if table.note:
        lines.append(rf"\par\smallskip {_tex(table.note)}")
    return "\n".join([*lines, r"\end{table}"])


def _tex_row(texts: Sequence[str]) -> str:
    return " & ".join(map(_tex, texts)) + r" \\"


_MARKS = "\\`*_{}[]<>#|~$"


def markdown_text(text: str) -> str:
    """Escape what Markdown would read as markup, and what would end a cell."""
    flat = " ".join(text.splitlines())
    return "".join(f"\\{sign}" if sign in _MARKS else sign for sign in flat).replace("&", "&amp;")


def markdown_of(table: PaperTable) -> str:
    """Write a table for Markdown, each part by itself."""
    blocks = [f"**{markdown_text(table.caption)}**"] if table.caption else []
    for part in table.parts:
        align = [":---", *["---:"] * (len(part.header) - 1)]
        head, *rows = (map(markdown_text, row) for row in (part.header, *part.rows))
        blocks.append("\n".join(f"| {' | '.join(row)} |" for row in (head, align, *rows)))
    if table.note:
        blocks.append(markdown_text(table.note))
    return "\n\n".join(blocks)


def html_of(table: PaperTable) -> str:
    """Write a table for HTML without any style."""
    parts = [f"<caption>{escape(table.caption)}</caption>"] if table.caption else []
    for i, part in enumerate(table.parts):
        head = "".join(f'<th scope="col">{escape(name)}</th>' for name in part.header)
        rows = "".join(map(_html_row, part.rows))
        start = f"<tbody><tr>{head}</tr>" if i else f"<thead><tr>{head}</tr></thead><tbody>"
        parts.append(f"{start}{rows}</tbody>")
    if table.note:
        width = len(table.parts[0].header)
        parts.append(f'<tfoot><tr><td colspan="{width}">{escape(table.note)}</td></tr></tfoot>')
    return f"<table>{''.join(parts)}</table>"


def _html_row(row: Sequence[str]) -> str:
    cells = "".join(f"<td>{escape(text)}</td>" for text in row[1:])
    return f'<tr><th scope="row">{escape(row[0])}</th>{cells}</tr>'
