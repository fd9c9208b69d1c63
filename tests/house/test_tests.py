"""Tests can fail: none without an assertion, none that drops a comparison."""

import ast
import re
from pathlib import Path

import pytest

from repository import TESTS, functions

SPEAKS = re.compile(r"_?(assert|check|expect|fail|raises|warns)")
SILENT = {"allclose", "approx", "array_equal", "equals", "isclose", "startswith", "endswith"}


def last_name(call: ast.Call) -> str:
    return ast.unparse(call.func).rpartition(".")[2]


def speaks(node: ast.AST) -> bool:
    return isinstance(node, ast.Assert) or (
        isinstance(node, ast.Call) and SPEAKS.match(last_name(node)) is not None
    )


def thrown_away(node: ast.AST) -> bool:
    """A statement that compares, and drops the answer."""
    if not isinstance(node, ast.Expr):
        return False
    value = node.value
    return isinstance(value, ast.Compare) or (
        isinstance(value, ast.Call) and last_name(value) in SILENT
    )


def mute_lines(tree: ast.AST) -> list[int]:
    """Lines of the tests without an assertion, and of comparisons whose answer is dropped."""
    tests = [test for test in functions(tree) if test.name.startswith("test")]
    mute = [test.lineno for test in tests if not any(map(speaks, ast.walk(test)))]
    dropped = [node.lineno for node in ast.walk(tree) if thrown_away(node)]
    return sorted(mute + dropped)


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("def test_a():\n    assert f() == 1", []),
        ("def test_a():\n    with pytest.raises(ValueError):\n        f()", []),
        ("def test_a():\n    np.testing.assert_array_equal(f(), 1)", []),
        ("def test_a():\n    check_same(f(), 1)", []),
        ("def test_a():\n    f()", [1]),
        ("def test_a():\n    assert f()\n    f() == 1", [3]),
        ("def test_a():\n    np.allclose(f(), 1)", [1, 2]),
        ("class TestA:\n    def test_b(self):\n        f()", [2]),
        ("def helper():\n    f()", []),
    ],
)
def test_the_check_for_mute_tests_sees_them(source: str, lines: list[int]) -> None:
    assert mute_lines(ast.parse(source)) == lines


@pytest.mark.parametrize("path", TESTS, ids=lambda path: path.name)
def test_no_mute_tests(path: Path) -> None:
    lines = mute_lines(ast.parse(path.read_text(encoding="utf-8")))
    assert lines == [], f"{path.name}: these tests assert nothing, or drop a comparison"
