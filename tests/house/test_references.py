"""References say where in the paper: an equation, a section, ..., or that there is no number."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from repository import PACKAGE, SOURCES

WORDS = (
    "algorithm|appendix|chapter|corollary|definition|eq|equation|figure|item|lemma|line|method|"
    "page|proposition|section|table|test|theorem"
)
PLACE = re.compile(rf"\b(?:{WORDS})s?\b\.? \(?(?:\d|[IVX]+\b)", re.IGNORECASE)
NO_NUMBER = re.compile(
    r"the whole (?:paper|book|list)s?\b|no numbered equation|a paper on this alone|our own"
)


def references(docstring: str) -> list[str]:
    """The works that a docstring's section References names, apart."""
    found = re.search(r"^References\n-+\n(.+?)(?:\n\n|\Z)", docstring, re.MULTILINE | re.DOTALL)
    return " ".join(found[1].split()).split("; ") if found else []


def placeless(docstring: str) -> list[str]:
    """References that name a work by its year, and not where in it."""
    return [
        each
        for each in references(docstring)
        if re.search(r"\(\d{4}", each) and not (PLACE.search(each) or NO_NUMBER.search(each))
    ]


@cache
def documented(path: Path) -> list[tuple[str, str]]:
    """Functions, methods and classes of a module, with their docstrings."""
    return [
        (node.name, ast.get_docstring(node) or "")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    ]


@pytest.mark.parametrize(
    ("reference", "sees"),
    [
        ("Fawcett (2006), Algorithm 3; Andrew (1979).", ["Andrew (1979)."]),
        ("Hanley and McNeil (1983), Table I.", []),
        ("Adams and Hand (1999), the whole paper.", []),
        (
            "Forman (2002) for the question; the construction is our own.",
            ["Forman (2002) for the question"],
        ),
        (
            "Provost and Fawcett (2001), equation one.",
            ["Provost and Fawcett (2001), equation one."],
        ),
        ("DeLong et al. (1988),\nsection 2;\nBamber (1975), no numbered equation.", []),
    ],
)
def test_the_check_of_references_sees_them(reference: str, sees: list[str]) -> None:
    assert placeless(f"A sum.\n\nReferences\n----------\n{reference}\n\nExamples\n") == sees


def test_references_say_where() -> None:
    vague = [
        f"{path.relative_to(PACKAGE)}: {name}: {each}"
        for path in SOURCES
        for name, docstring in documented(path)
        for each in placeless(docstring)
    ]
    assert vague == []


def test_more_references_say_where_than_before() -> None:
    """How many name a whole work: look a number up, and lower the bound; never raise it."""
    whole = [r for path in SOURCES for _, doc in documented(path) for r in references(doc)]
    assert sum("the whole" in each and not PLACE.search(each) for each in whole) <= 38


def test_there_are_references() -> None:
    found = [r for path in SOURCES for _, doc in documented(path) for r in references(doc)]
    assert len(found) > 150
    assert sum(PLACE.search(each) is not None for each in found) > 60
