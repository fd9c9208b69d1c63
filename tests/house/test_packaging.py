"""What is shipped and what it needs: a light import, a whole wheel, optional packages."""

import importlib
import zipfile
from pathlib import Path

import pytest

import rocspace
from repository import PACKAGE, ROOT, SRC, fresh_python
from rocspace._base.optional import require

HEAVY = ("numba", "scipy", "scipy.stats", "pandas", "polars", "pyarrow", "matplotlib", "altair")


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
