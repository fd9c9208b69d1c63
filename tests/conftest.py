"""Hypothesis profiles, and where the reference answers are."""

import csv
import gc
import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from pages import CHROMIUM
from tracing import Tracing

# Thousands of collected tests stay alive: looking through them for cycles after each 700 new
# objects took a tenth of the time.
gc.set_threshold(20_000, 20, 20)

# No test rests on a wall time. No deadline: the first call of a numba kernel compiles it. No check
# of how long drawing takes: the first draw of a process reads the source of all that is imported.
UNTIMED = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("dev", **UNTIMED)
CI = {"derandomize": True, "print_blob": True, "max_examples": 20}  # by hand 100, and new ones
settings.register_profile("ci", **CI, **UNTIMED)
settings.load_profile("ci" if os.environ.get("CI") else "dev")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Tracing(config))


def pytest_itemcollected(item: pytest.Item) -> None:
    """In CI no test tries more examples than the profile says, whatever it asks for by hand."""
    test = getattr(item, "obj", None)
    asked = getattr(test, "_hypothesis_internal_use_settings", None)
    if os.environ.get("CI") and asked is not None and asked.max_examples > CI["max_examples"]:
        fewer = settings(asked, max_examples=CI["max_examples"])
        getattr(test, "__func__", test)._hypothesis_internal_use_settings = fewer


@pytest.fixture(autouse=True)
def in_the_foreground() -> Iterator[None]:
    """Let programs be interrupted also where pytest was started in the background of a script.

    There it ignores Ctrl-C, and so would every program that it starts.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(autouse=True)
def no_figure_stays() -> Iterator[None]:
    """Fail the test that leaves a figure open, and not one that happens to come after it."""
    yield
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        left = pyplot.get_fignums()
        pyplot.close("all")
        assert not left, "this test left figures of pyplot open: give the plot axes of its own"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of reference data and other programs' answers, where there is one."""
    beside = Path(__file__).parents[2] / "shared"
    folder = Path(os.environ.get("ROCSPACE_SHARED", beside))
    if not folder.is_dir():
        pytest.skip(f"no reference folder at {folder}; set ROCSPACE_SHARED")
    return folder


@dataclass(frozen=True)
class Printed:
    """What a command of the command line printed."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Printed]:
    """Run the command line in an empty folder, and look at what it prints."""
    from rocspace import cli

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")

    def command(*arguments: object, fails: bool = False) -> Printed:
        capsys.readouterr()
        status = cli.run([str(each) for each in arguments])
        printed = Printed(status, *capsys.readouterr())
        assert (status == 2) is fails, printed.err
        return printed

    return command


@pytest.fixture
def csv_file(tmp_path: Path) -> Callable[..., Path]:
    """Write columns to a csv file of that name."""

    def make(name: str, columns: dict[str, Any]) -> Path:
        path = tmp_path / name
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(columns)
            writer.writerows(zip(*columns.values(), strict=True))
        return path

    return make


@pytest.fixture(scope="module")
def none_is_kept() -> Iterator[None]:
    """Count cases from the first on, however few: for tests of passes over the same cases."""
    from rocspace.stream import refine

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(refine, "_HELD_BYTES", 1 << 40)
        yield


@pytest.fixture
def little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave room for some two thousand bins of each of three scores, whatever the memory."""
    from rocspace.io import tables

    monkeypatch.setattr(tables, "_PROGRAM", 10**9 - 3 * 2000 * tables.ROW_BYTES)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium, Debian's, driven by Playwright; CI installs it. Without one tests are skipped."""
    playwright = pytest.importorskip("playwright.sync_api")
    if CHROMIUM is None:
        pytest.skip("no Chromium")
    with playwright.sync_playwright() as p:
        chromium = p.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield chromium
        chromium.close()
