"""How LaTeX, Markdown and HTML write a table: no text leaves its cell."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import rocspace as rs
from rocspace import datasets
from rocspace import report as tables

DATA = datasets.load("fawcett20")
TABLE = rs.tabulate(DATA.y_true, DATA.y_score)
HOSTILE = r"a_b & 50% $x$ #1 {z} ~^\ | <b>"


class Cells(HTMLParser):
    """The texts of the cells of a table."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.cells: list[str] = []
        self.tags: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append(tag)
        if tag in ("td", "th", "caption"):
            self.cells.append("")

    def handle_data(self, data: str) -> None:
        self.cells[-1] += data


def test_latex_escapes_every_special_sign() -> None:
    made = tables.to_latex({HOSTILE: TABLE})
    row = next(line for line in made.splitlines() if "0.680" in line)
    assert row.startswith(
        r"a\_b \& 50\% \$x\$ \#1 \{z\} \textasciitilde{}\textasciicircum{}"
        r"\textbackslash{} \textbar{} \textless{}b\textgreater{} & 0.680"
    )
    assert len(re.findall(r"(?<!\\)&", row)) == 3


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), max_size=30))
def test_no_name_leaves_its_cell(name: str) -> None:
    latex = tables.to_latex({name: TABLE}).splitlines()[6]
    assert len(re.findall(r"(?<!\\)(?:\\\\)*&", latex.removesuffix(r" \\"))) == 3
    assert not re.search(r"(?<!\\)[#%_]", latex)
    markdown = tables.to_markdown({name: TABLE}).splitlines()[-1]
    assert len(re.findall(r"(?<!\\)\|", markdown)) == 5
    page = Cells(tables.to_html({name: TABLE}))
    assert page.cells[5] == name
    assert set(page.tags) == {"table", "caption", "thead", "tbody", "tr", "th", "td"}


def test_line_breaks_do_not_end_a_row() -> None:
    name = "a\n| b\r\n\\\\"
    assert len(tables.to_markdown({name: TABLE}).splitlines()) == 5
    assert len(tables.to_latex({name: TABLE}).splitlines()) == len(
        tables.to_latex({"a": TABLE}).splitlines()
    )
