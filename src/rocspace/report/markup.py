"""Tables of texts and flows of cases, and how LaTeX, Markdown and HTML write them.

Every text is escaped where it is written, never before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from rocspace._base.text import MINUS, NOTHING, count


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Rows that have a header of their own.

    Attributes
    ----------
    header : tuple of str
        Names of the columns.
    rows : tuple of tuple of str
        Texts, as many in each row as there are columns.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperTable:
    """A table of texts, not escaped yet; the first column is left-aligned, the rest right.

    Attributes
    ----------
    caption : str
        What it shows.
    parts : tuple of Part
        One below the other, with as many columns each.
    note : str
        What is to be known of it, below.
    """

    caption: str
    parts: tuple[Part, ...]
    note: str = ""

    def _repr_html_(self) -> str:
        return html_of(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """How many cases there were, which were left out and why, and which were analysed.

    Attributes
    ----------
    start : tuple of str and int
        What there was, and how many.
    excluded : tuple of tuple of str and int
        Reasons and numbers, in order; each is out of what the ones before had left.
    end : tuple of tuple of str and int
        What is left, by class.
    """

    start: tuple[str, int]
    excluded: tuple[tuple[str, int], ...]
    end: tuple[tuple[str, int], ...]

    def __str__(self) -> str:
        """Return the flow as lines of text."""
        lines = [f"{self.start[0]}: {count(self.start[1])}"]
        lines += [f"  |-- left out, {reason}: {count(n)}" for reason, n in self.excluded]
        lines += ["  v", f"Analysed: {count(sum(n for _, n in self.end))}"]
        return "\n".join([*lines, *(f"  {name}: {count(n)}" for name, n in self.end)])

    def _repr_html_(self) -> str:
        return html_of(flow_table(self))


def flow_table(flow: Flow) -> PaperTable:
    """Return a flow as a table of two columns."""
    rows = [flow.start, *((f"left out: {why}", n) for why, n in flow.excluded)]
    rows += [("analysed", sum(n for _, n in flow.end)), *flow.end]
    texts = tuple((name, count(n)) for name, n in rows)
    return PaperTable(caption="Flow of cases", parts=(Part(header=("", "Cases"), rows=texts),))


# --- the formats ------------------------------------------------------------------------------


_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
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
        align = ["---:"] * len(part.header)
        align[0] = ":---"
        texts = [
            map(markdown_text, part.header),
            align,
            *(map(markdown_text, row) for row in part.rows),
        ]
        blocks.append("\n".join(f"| {' | '.join(row)} |" for row in texts))
    if table.note:
        blocks.append(markdown_text(table.note))
    return "\n\n".join(blocks)


def html_of(table: PaperTable) -> str:
    """Write a table for HTML without any style."""
    parts = [f"<caption>{escape(table.caption)}</caption>"] if table.caption else []
    for i, part in enumerate(table.parts):
        head = "".join(f'<th scope="col">{escape(name)}</th>' for name in part.header)
        rows = "".join(
            f'<tr><th scope="row">{escape(row[0])}</th>'
            + "".join(f"<td>{escape(text)}</td>" for text in row[1:])
            + "</tr>"
            for row in part.rows
        )
        kind = "tbody" if i else "thead"
        parts.append(
            f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody>"
            if kind == "thead"
            else f"<tbody><tr>{head}</tr>{rows}</tbody>"
        )
    if table.note:
        width = len(table.parts[0].header)
        parts.append(f'<tfoot><tr><td colspan="{width}">{escape(table.note)}</td></tr></tfoot>')
    return f"<table>{''.join(parts)}</table>"
