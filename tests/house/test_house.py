"""What a machine can see of the house rules (CONTRIBUTING.md)."""

import ast
import importlib
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import rocspace
from rocspace._base.moved import MOVED
from rocspace._base.optional import require

ROOT = Path(__file__).parents[2]
SRC = ROOT / "src"
PACKAGE = SRC / "rocspace"
SOURCES = sorted(PACKAGE.rglob("*.py"))
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


# Tests that can fail


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


# Size


def body_lines(function: Function) -> int:
    body = function.body
    if ast.get_docstring(function, clean=False) is not None:
        body = body[1:]
    return body[-1].end_lineno - body[0].lineno + 1 if body else 0


# How work is run, and how cases are read: the same words everywhere, so a reader learns them once.
SHARED = {"rng", "threads", "progress", "weight_type", "level"}
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
    with pytest.raises(AttributeError, match=r"'roc_auc_score'\. Did you mean 'auc_score'\?"):
        _ = rocspace.roc_auc_score
    with pytest.raises(AttributeError, match=r"'zebra'$"):
        _ = rocspace.zebra


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


# A light import


HEAVY = ("numba", "scipy", "scipy.stats", "pandas", "polars", "pyarrow", "matplotlib", "altair")


def fresh_python(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)


def test_import_loads_nothing_heavy() -> None:
    code = f"import sys, rocspace; print([m for m in {HEAVY!r} if m in sys.modules])"
    assert fresh_python("-c", code).stdout.strip() == "[]"


def import_seconds() -> float:
    """Time of `import rocspace` in a fresh interpreter, NumPy's own included."""
    lines = fresh_python("-X", "importtime", "-c", "import rocspace").stderr.splitlines()
    total = next(line for line in lines if line.split("|")[-1] == " rocspace")
    return int(total.split("|")[1]) / 1e6


def test_import_is_fast() -> None:
    # The best of several: a busy machine makes one run slow, never fast.
    assert min(import_seconds() for _ in range(5)) < 0.25


# What is shipped


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = ["-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    fresh_python(*build)
    (made,) = folder.glob("*.whl")
    return made


def test_wheel_is_pure_and_complete(wheel: Path) -> None:
    assert wheel.name == f"rocspace-{rocspace.__version__}-py3-none-any.whl"
    shipped = set(zipfile.ZipFile(wheel).namelist())
    files = [path for path in PACKAGE.rglob("*") if path.is_file()]
    ours = {str(p.relative_to(SRC)) for p in files if "__pycache__" not in p.parts}
    assert "rocspace/py.typed" in ours
    assert any(name.startswith("rocspace/datasets/_data/") for name in ours)
    assert ours <= shipped
    assert {name.split("/")[0].partition("-")[0] for name in shipped} == {"rocspace"}


# What must not be committed


# Written so that this file does not match itself.
PRIVATE = re.compile(
    r"(?<![\w.])/(?:wor[k]|roo[t]|home/\w+|Users/\w+)/|/tmp/bas[h]_jobs"
    r"|\b(?:pyp[i]\.org|pythonhoste[d]\.org|npmj[s]\.(?:com|org)|anacond[a]\.org|crate[s]\.io)"
)


def tracked_files() -> list[Path]:
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        return [*SOURCES, *TESTS]
    names = subprocess.run(
        [git, "ls-files", "-z"], capture_output=True, text=True, check=True, cwd=ROOT
    ).stdout
    return [ROOT / name for name in names.split("\0") if (ROOT / name).is_file()]


@pytest.mark.parametrize(
    ("text", "private"),
    [
        ("open('/" + "root/data.csv')", True),
        ("https://pypi" + ".org/project/rocspace", True),
        ("see docs/work/notes.md", False),
    ],
)
def test_the_check_for_private_places_sees_them(text: str, private: bool) -> None:
    assert bool(PRIVATE.search(text)) is private


def test_no_machine_paths_or_registries_in_tracked_files() -> None:
    found = []
    for path in tracked_files():
        lines = path.read_text(encoding="utf-8", errors="ignore").splitlines()
        found += [f"{path.name}:{i}" for i, line in enumerate(lines, 1) if PRIVATE.search(line)]
    assert found == []


# Optional packages


def test_require_names_the_cure() -> None:
    cure = r"^no_such_package is not installed\. Run: pip install 'rocspace\[plot\]'$"
    with pytest.raises(ModuleNotFoundError, match=cure) as caught:
        require("no_such_package.part", extra="plot")
    assert caught.value.name == "no_such_package"
    assert caught.value.__suppress_context__


def test_require_shows_the_true_cause(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken_package.py").write_text("import no_such_part\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match=r"^No module named 'no_such_part'$"):
        require("broken_package", extra="plot")


def test_require_returns_the_module() -> None:
    assert require("xml.dom", extra="app") is importlib.import_module("xml.dom")
