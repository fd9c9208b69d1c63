"""Tests mirror the rooms: each module has its test file, or a file that tests it and a reason."""

from pathlib import Path

import pytest

from repository import PACKAGE, ROOT, SOURCES

FOLDER = ROOT / "tests"
LISTED = Path(__file__).with_name("tested_through.txt")
MODULES = [path.relative_to(PACKAGE) for path in SOURCES if not path.name.startswith("__")]


def own_tests(module: Path) -> list[Path]:
    """Where a module's tests are: in a file of its name, or of the package inside its room."""
    own = FOLDER / module.parent / f"test_{module.stem.lstrip('_')}.py"
    packages = list(module.parents)[:-2]  # but the room itself
    return [own, *(FOLDER / each.parent / f"test_{each.name}.py" for each in packages)]


def listed() -> dict[Path, tuple[str, str]]:
    """The modules that another file tests: that file, and why."""
    rows = [line.split(" | ") for line in LISTED.read_text(encoding="utf-8").splitlines()[3:]]
    return {Path(module): (test, why) for module, test, why in rows}


def test_where_tests_are_looked_for() -> None:
    assert own_tests(Path("hull/convex.py")) == [FOLDER / "hull/test_convex.py"]
    assert own_tests(Path("report/classes/pairs.py")) == [
        FOLDER / "report/classes/test_pairs.py",
        FOLDER / "report/test_classes.py",
    ]


def test_each_module_has_tests_of_its_own_or_is_listed_with_a_reason() -> None:
    lacking = [
        str(module)
        for module in MODULES
        if module not in listed() and not any(path.exists() for path in own_tests(module))
    ]
    assert lacking == [], f"write tests/<room>/test_<module>.py, or a row of {LISTED.name}"


@pytest.mark.parametrize(("module", "row"), listed().items(), ids=lambda each: str(each)[:40])
def test_what_is_listed_is_true_and_needed(module: Path, row: tuple[str, str]) -> None:
    test, why = row
    assert module in MODULES, "there is no such module"
    assert not any(path.exists() for path in own_tests(module)), "it has tests of its own by now"
    assert (FOLDER / test).exists(), "there is no such test file"
    assert len(why.split()) > 3


def test_rows_are_sorted() -> None:
    rows = list(listed())
    assert rows == sorted(rows, key=lambda path: path.parts)
