"""The bibliography: docs/bibliography.csv as a page, and every citation of a work a link to it.

A work is cited as "Hanley and McNeil (1982)", one of many authors as "Martin et al. (1997)".
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

SOURCE = Path(__file__).parents[1] / "bibliography.csv"
PAGE = "bibliography"
NO_YEAR = "Dong, Li and Li"  # the one paper of these three, cited by its name
LETTERS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})  # docstrings keep to ASCII

# What is known of an entry, as `checked` says it.
CHECKED = {
    "papers": "",
    "found": "",
    "known": " ◦",
}


@dataclass(frozen=True, slots=True)
class Work:
    """A row of the file."""

    cited: str
    authors: str
    title: str
    published: str
    checked: str

    @property
    def names(self) -> str:
        """The authors as they are cited."""
        return self.cited.rpartition(" (")[0]

    @property
    def year(self) -> str:
        return self.cited.rpartition(" (")[2].rstrip(")")

    @property
    def anchor(self) -> str:
        return "work-" + re.sub(r"[^a-z0-9]+", "-", self.cited.lower()).strip("-")

    @property
    def short(self) -> str:
        """The first author and the year, by which "et al." finds the work."""
        first = re.split(r",| and | et al\.", self.names)[0]
        return f"{first} ({self.year})"


@cache
def works() -> tuple[Work, ...]:
    with SOURCE.open(encoding="utf-8", newline="") as file:
        return tuple(Work(**row) for row in csv.DictReader(file))


@cache
def _found() -> dict[str, Work]:
    """Each way of citing a work; "et al." only where the first author and the year name one."""
    ways: dict[str, Work] = {}
    shared: dict[str, list[Work]] = {}
    for work in works():
        ways[work.cited] = work
        shared.setdefault(work.short, []).append(work)
        if work.names == NO_YEAR:
            ways[NO_YEAR] = work
    for short, those in shared.items():
        if len(those) == 1:
            first, _, year = short.rpartition(" ")
            ways[f"{first} et al. {year}"] = those[0]
    return ways


@cache
def _pattern() -> re.Pattern[str]:
    """Match any of the ways; longer names first, blanks may be line breaks, genitives are read."""
    ways = sorted(_found(), key=len, reverse=True)
    spelled = [re.escape(way).replace(r"\ \(", r"(?:'s)?\s+\(") for way in ways]
    spelled = [re.sub("([aou])e", _either, way).replace(r"\ ", r"\s+") for way in spelled]
    return re.compile(r"(?<![A-Za-z-])(?:" + "|".join(spelled) + ")")


def _either(umlaut: re.Match[str]) -> str:
    """Accept ue and ü."""
    return f"(?:{umlaut[0]}|{dict(zip('aou', 'äöü', strict=True))[umlaut[1]]})"


def citations(text: str) -> Iterator[tuple[int, int, Work]]:
    """Where works of the bibliography are cited: start, end and the work."""
    for match in _pattern().finditer(text):
        way = " ".join(match[0].translate(LETTERS).split())
        yield match.start(), match.end(), _found()[way.replace("'s (", " (")]


def linked(text: str, address: str) -> list[nodes.Node]:
    """Cut a text at its citations, each a link to its entry."""
    parts: list[nodes.Node] = []
    end = 0
    for start, stop, work in citations(text):
        parts.append(nodes.Text(text[end:start]))
        look = {"refuri": f"{address}#{work.anchor}", "internal": True, "classes": ["work"]}
        parts.append(nodes.reference("", text[start:stop], **look))
        end = stop
    return [*parts, nodes.Text(text[end:])]


def link_citations(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Link the citations of a page, except those in code, in headings, and on the page itself."""
    if docname == PAGE:
        return
    address = app.builder.get_relative_uri(docname, PAGE)
    outside = (nodes.reference, nodes.literal, nodes.literal_block, nodes.title, nodes.raw)
    for text in list(doctree.findall(nodes.Text)):
        above = text.parent
        while above is not None and not isinstance(above, outside):
            above = above.parent
        if above is None and next(citations(text.astext()), None):
            text.parent.replace(text, linked(text.astext(), address))


class Bibliography(SphinxDirective):
    """All works, in the order of their authors."""

    def run(self) -> list[nodes.Node]:
        self.env.note_dependency(str(SOURCE))
        entries = nodes.bullet_list(classes=["bibliography"])
        for work in sorted(works(), key=lambda work: work.cited.lower()):
            entry = nodes.list_item("", ids=[work.anchor])
            line = nodes.paragraph("", "", nodes.strong("", work.cited))
            line += nodes.Text(f" {work.authors}: ")
            line += nodes.emphasis("", work.title)
            stop = "" if work.title.endswith("?") else "."
            line += nodes.Text(f"{stop} {work.published}.{CHECKED[work.checked]}")
            entry += line
            entries += entry
        return [entries]


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("bibliography", Bibliography)
    app.connect("doctree-resolved", link_citations)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
