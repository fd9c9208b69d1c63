"""The repository, as the tests of the house read it: its modules, its rooms, its tests."""

import ast
import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[1]
SRC = ROOT / "src"
PACKAGE = SRC / "rocspace"
SOURCES = sorted(PACKAGE.rglob("*.py"))
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.glob("*.md"))
TESTS = sorted((ROOT / "tests").rglob("test_*.py"))

Function = ast.FunctionDef | ast.AsyncFunctionDef


def module_name(path: Path) -> str:
    parts = path.relative_to(SRC).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = [module_name(path) for path in SOURCES]
ROOMS = [
    module_name(path)
    for path in SOURCES
    if path.name == "__init__.py" and path.parent.parent == PACKAGE and path.parent.name[0] != "_"
]


def place(path: Path, node: ast.AST) -> str:
    return f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 1)}"


def functions(tree: ast.AST) -> Iterator[Function]:
    return (node for node in ast.walk(tree) if isinstance(node, Function))


def fresh_python(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)


def extension(name: str) -> ModuleType:
    """One of the Sphinx extensions in docs/_ext."""
    spec = importlib.util.spec_from_file_location(name, DOCS / "_ext" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # they import each other by these names
    spec.loader.exec_module(module)
    return module
