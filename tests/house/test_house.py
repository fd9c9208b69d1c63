"""The architecture: rooms, what they may import, sizes of functions, names."""

import ast
import importlib
import inspect
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import rocspace
from repository import (
    PACKAGE,
    ROOMS,
    SOURCES,
    Function,
    fresh_python,
    functions,
    module_name,
    place,
)
from rocspace._base.moved import MOVED

# Size


def body_lines(function: Function) -> int:
    body = function.body
    if ast.get_docstring(function, clean=False) is not None:
        body = body[1:]
    return body[-1].end_lineno - body[0].lineno + 1 if body else 0


# How work is run, and how cases are read: the same words everywhere, so a reader learns them once.
SHARED = {"rng", "threads", "n_jobs", "progress", "sample_weight", "weight_type", "level"}
READING = {"pos_label", "higher_is_positive", "missing"}


def n_parameters(function: Function) -> int:
    """Count a function's own parameters; those that many functions share are no burden."""
    a = function.args
    names = [arg.arg for arg in (*a.posonlyargs, *a.args, *a.kwonlyargs)]
    own = [name for name in names if name not in SHARED | READING]
    return len(own) - (own[:1] in (["self"], ["cls"]))


def test_parameters_are_visible() -> None:
    """No signature hides its keywords in a TypedDict."""
    hidden = [
        f"{place(path, function)} {function.name}"
        for path in SOURCES
        for function in functions(ast.parse(path.read_text(encoding="utf-8")))
        if (more := function.args.kwarg) and "Unpack" in ast.unparse(more.annotation or more)
    ]
    assert hidden == []


def test_functions_are_short() -> None:
    too_big = []
    for path in SOURCES:
        text = path.read_text(encoding="utf-8")
        for function in functions(ast.parse(text)):
            where = f"{place(path, function)} {function.name}"
            if (n := body_lines(function)) > 60:
                too_big.append(f"{where}: a body of {n} lines")
            compiled = path.parent.name == "_kernels"  # loops over arrays, called from one place
            if (n := n_parameters(function)) > 8 and not compiled:
                too_big.append(f"{where}: {n} parameters")
    assert too_big == []


# Names

STARTED = {"rocspace.cli", "rocspace.web"}  # rooms that are programs


@pytest.mark.parametrize("name", ["rocspace", *ROOMS])
def test_all_is_sorted_and_importable(name: str) -> None:
    module = importlib.import_module(name)
    names = getattr(module, "__all__", None)
    assert names is not None, f"{name} has no __all__"
    assert list(names) == sorted(set(names))
    missing = [each for each in names if not hasattr(module, each)]
    assert missing == []


def test_the_lazy_names_are_listed_by_dir() -> None:
    assert set(rocspace.__all__) <= set(dir(rocspace))
    code = "import rocspace; print(*(n for n in dir(rocspace) if n[0] != '_'))"
    rooms = [name.removeprefix("rocspace.") for name in ROOMS]
    assert fresh_python("-c", code).stdout.split() == sorted([*rocspace.__all__, *rooms])


def test_a_wrong_name_is_told_the_nearest() -> None:
    with pytest.raises(AttributeError, match=r"'ouc_score'\. Did you mean 'auc_score'\?"):
        _ = rocspace.ouc_score
    with pytest.raises(AttributeError, match=r"'zebra'$"):
        _ = rocspace.zebra


@pytest.mark.parametrize("name", [each for each in ROOMS if each not in STARTED])
def test_every_public_function_answers_a_wrong_call(name: str) -> None:
    module = importlib.import_module(name)
    found = {each: getattr(module, each) for each in module.__all__}
    bare = [each for each, one in found.items() if inspect.isfunction(one) and not _answers(one)]
    assert bare == [], "decorate them with @explained"


def _answers(function: Callable[..., object]) -> bool:
    return hasattr(function, "__wrapped__")


def test_every_module_stands_in_a_room() -> None:
    root = [path.name for path in SOURCES if path.parent == PACKAGE]
    assert root == ["__init__.py", "__main__.py"]


def imported(path: Path) -> Iterator[tuple[int, str]]:
    """Every module of the package, or name in one, that a file imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("rocspace"):
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


@pytest.mark.parametrize("path", SOURCES, ids=module_name)
def test_no_private_import_across_rooms(path: Path) -> None:
    """Of another room only what has no underscore, whether a module or a name."""
    room = module_name(path).split(".")[1:2]
    trespasses = [
        f"line {line}: {name}"
        for line, name in imported(path)
        if name.split(".")[1:2] != room and any(p.startswith("_") for p in name.split(".")[2:])
    ]
    assert trespasses == []


def contract(kind: str) -> list[dict[str, Any]]:
    """Every contract of one type that import-linter holds."""
    text = (PACKAGE.parents[1] / "pyproject.toml").read_text(encoding="utf-8")
    contracts = tomllib.loads(text)["tool"]["importlinter"]["contracts"]
    return [each for each in contracts if each["type"] == kind]


def test_every_private_module_has_a_contract() -> None:
    """Delete the contract of a room that has none left."""
    private = {
        module_name(path)
        for path in SOURCES
        if path.stem.startswith("_") and not path.stem.startswith("__")
    }
    protected = {
        (name, tuple(each["allowed_importers"]))
        for each in contract("protected")
        for name in each["protected_modules"]
    }
    assert protected == {(name, (".".join(name.split(".")[:2]),)) for name in private}


def test_every_room_but_the_kernels_is_forbidden_numba() -> None:
    (numba,) = contract("forbidden")
    assert numba["forbidden_modules"] == ["numba"]
    assert set(numba["source_modules"]) == {*ROOMS, "rocspace._base"}


@pytest.mark.parametrize("room", ROOMS)
def test_no_public_name_is_that_of_a_module(room: str) -> None:
    """Importing the module would put it in the name's place."""
    modules = {path.stem for path in (PACKAGE / room.removeprefix("rocspace.")).glob("*.py")}
    assert set(importlib.import_module(room).__all__) & modules == set()


@pytest.mark.parametrize("old", ["bootstrapping", "design", "pr", "table"])
def test_moved_modules_are_named(old: str) -> None:
    new = MOVED[old]
    with pytest.raises(AttributeError, match=rf"rocspace\.{old} is rocspace\.{new} now"):
        getattr(rocspace, old)
    for line in (f"import rocspace.{old}", f"from rocspace import {old}"):
        with pytest.raises(ModuleNotFoundError, match=rf"it is rocspace\.{new} now"):
            exec(line)


def test_hints_name_rooms() -> None:
    assert {f"rocspace.{room}" for room in MOVED.values()} <= set(ROOMS)
    assert not {f"rocspace.{old}" for old in MOVED} & set(ROOMS)
