"""One text for one number: statistics are written by `_base/text`, wherever they are shown."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from repository import PACKAGE, SOURCES

DIGITS = re.compile(r"\.\d+[eEfFgG%]$|%$")  # so many digits, whatever the number is worth
IN_TEXT = re.compile(r"\{\w*:[^{}]*?(?:\.\d+[eEfFgG]|%)\}")

# Where a number is no statistic, and why it has digits of its own.
MEANT = {
    "_base/checks.py": "gigabytes of memory",
    "_base/progress.py": "seconds that are left",
    "_base/text.py": "the place itself",
    "_base/words.py": "counts with every digit that they were given",
    "cli/verbs/power.py": "cases of a plan, with the hundredths that the next test rounds up",
    "simulate/models.py": "the name of a population says the share that it was made with",
}


def formats(path: Path) -> Iterator[str]:
    """Yield the formats of numbers in the f-strings and templates of a module."""
    tree = ast.parse(path.read_text("utf-8"))
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        match node:
            case ast.FormattedValue(format_spec=ast.JoinedStr(values=[*parts])):
                spec = "".join(str(p.value) for p in parts if isinstance(p, ast.Constant))
                if DIGITS.search(spec):
                    yield f"line {node.lineno}: {ast.unparse(node.value)}:{spec}"
            case ast.Constant(value=str(text)) if id(node) not in docs:
                yield from (f"line {node.lineno}: {found}" for found in IN_TEXT.findall(text))


def test_numbers_are_written_in_one_place() -> None:
    found = {path.relative_to(PACKAGE).as_posix(): [*formats(path)] for path in SOURCES}
    used = {module: lines for module, lines in found.items() if lines}
    assert {module: lines for module, lines in used.items() if module not in MEANT} == {}
    assert set(MEANT) <= set(used), "an exception that nobody needs any more"
