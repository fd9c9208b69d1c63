"""The bibliography: every work that is cited has an entry, and every entry is cited."""

import ast
import re
from functools import cache

import pytest

from repository import DOCS, PAGES, SOURCES, extension

pytest.importorskip("sphinx", reason="the documentation's extra is not installed")
bibliography = extension("bibliography")

NAME = r"(?:(?:van|de|von|De|Van) )*[A-Z][\w'-]+"
CITED = re.compile(rf"{NAME}(?:, {NAME})*(?:,? and {NAME})?(?: et al\.)? \(\d{{4}}[a-z]?\)")


@cache
def texts() -> list[tuple[str, str]]:
    """All docstrings of the package, and the pages of the guide, each on one line."""
    found = [
        (path.stem, ast.get_docstring(node) or "")
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef)
    ]
    found += [(page.stem, page.read_text(encoding="utf-8")) for page in PAGES]
    for script in sorted((DOCS / "gallery").glob("*.py")):
        doc = ast.get_docstring(ast.parse(script.read_text(encoding="utf-8")))
        found.append((script.stem, doc or ""))
    return [(where, " ".join(text.split())) for where, text in found]


def cited(text: str) -> set[str]:
    return {work.cited for _, _, work in bibliography.citations(text)}


def unknown(text: str) -> list[str]:
    """What looks like a citation, and is not of a work of the bibliography."""
    found = [(start, end) for start, end, _ in bibliography.citations(text)]
    return [
        match[0]
        for match in CITED.finditer(text)
        if not any(start < match.end() and match.start() < end for start, end in found)
    ]


def test_every_citation_resolves() -> None:
    assert {(where, each) for where, text in texts() for each in unknown(text)} == set()


def test_every_entry_is_cited() -> None:
    entries = {work.cited for work in bibliography.works()}
    assert entries - {each for _, text in texts() for each in cited(text)} == set()


@pytest.mark.parametrize(
    ("text", "works"),
    [
        ("Hanley and McNeil (1982), equations 1 and 2.", {"Hanley and McNeil (1982)"}),
        ("after\nHanley and\nMcNeil (1982)", {"Hanley and McNeil (1982)"}),
        ("DeLong et al. (1988)", {"DeLong, DeLong and Clarke-Pearson (1988)"}),
        ("Zou, Hall and Shapiro (1997)", {"Zou, Hall and Shapiro (1997)"}),
        ("Wilson (1927); Martin et al. (1997)", {"Wilson (1927)", "Martin et al. (1997)"}),
        ("Dong, Li and Li, gROC, definition 5", {"Dong, Li and Li (2013)"}),
        ("Hanley and McNeil's (1982)", {"Hanley and McNeil (1982)"}),
        ("McNeil (1982)", set()),
    ],
)
def test_citations_are_found(text: str, works: set[str]) -> None:
    assert cited(text) == works


def test_what_has_no_entry_is_noticed() -> None:
    assert unknown("Nobody and Noone (1999), the whole paper.") == ["Nobody and Noone (1999)"]


def test_entries_are_complete_and_say_what_was_looked_up() -> None:
    works = bibliography.works()
    assert len({work.anchor for work in works}) == len(works) > 150
    for work in works:
        assert all((work.authors, work.title, work.published)), work.cited
        assert work.checked in bibliography.CHECKED
        assert re.fullmatch(r"\d{4}[a-z]?", work.year), work.cited
        if work.checked == "known":  # volume and pages only where they were looked up
            assert not re.search(r"\d(?:–|\()\d", work.published), work.cited


def test_a_citation_becomes_a_link() -> None:
    before, link, after = bibliography.linked("See Wilson (1927), p. 1.", "bibliography.html")
    assert (before.astext(), link.astext(), after.astext()) == ("See ", "Wilson (1927)", ", p. 1.")
    assert link["refuri"] == "bibliography.html#work-wilson-1927"
