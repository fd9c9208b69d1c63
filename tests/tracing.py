"""Coverage traces the library while a test uses it, and nothing else.

Tracing slows every line of Python that a process runs, also of code that is not measured: four
times in Python 3.11. So it is on while the library's modules are imported, while a fixture is set
up and while a test runs; not while pytest imports tests and reports, nor inside the functions of
other packages that are slow and call nothing of ours (`SLOW`). Of a test by Hypothesis the first
`TRACED` examples are traced; of one with parameters the cases until `IDLE` in a row have reached
nothing new; of one marked `no_cover` nothing, nor of those of the house, since a room's lines are
for the room's tests to cover. What is missed is told as not covered, never the other way round.
"""

import functools
import importlib
import pkgutil
import sys
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, nullcontext, suppress
from typing import Any

import pytest

TRACED = 3
IDLE = 4
# What the library imports, and the tests: a package's own lines are of no interest.
PACKAGES = (
    "cyclopts fastapi jinja2 matplotlib.pyplot narwhals numba numpy pandas polars pyarrow.parquet "
    "rich.console scipy.stats sklearn.ensemble sklearn.linear_model sklearn.model_selection"
)
SLOW = (
    ("cyclopts.core", "App", "assemble_argument_collection"),
    ("cyclopts.core", "App", "command"),
    ("matplotlib.axes._base", "_AxesBase", "__init__"),
    ("matplotlib.axis", "Axis", "get_tightbbox"),
    ("matplotlib.figure", "Figure", "draw"),
    ("numba.core.dispatcher", "Dispatcher", "compile"),
)


def import_packages() -> None:
    """Import what is slow to import; a package that is not there is not tested either."""
    for name in PACKAGES.split():
        with suppress(ImportError):
            importlib.import_module(name)


def untraced(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same function; the thread that calls it is not traced until it returns."""

    @functools.wraps(function)
    def quick(*args: Any, **kwargs: Any) -> Any:
        tracer = sys.gettrace()
        sys.settrace(None)
        try:
            return function(*args, **kwargs)
        finally:
            sys.settrace(tracer)

    return quick


def leave_packages_untraced() -> None:
    for module, cls, name in SLOW:
        with suppress(ImportError, AttributeError):  # in other versions it may have another name
            owner = getattr(importlib.import_module(module), cls)
            setattr(owner, name, untraced(getattr(owner, name)))


def import_library() -> None:
    """Import each module but the compiled ones, which coverage cannot see."""
    import rocspace

    for module in pkgutil.walk_packages(rocspace.__path__, "rocspace."):
        if not module.name.startswith("rocspace._kernels") and not module.name.endswith("__main__"):
            importlib.import_module(module.name)


def first(examples: int, test: Callable[..., Any], tracing: "Tracing") -> Callable[..., Any]:
    """The same test, traced for so many examples."""
    left = iter(range(examples))

    @functools.wraps(test)
    def traced(*args: Any, **kwargs: Any) -> Any:
        with nullcontext() if next(left, None) is None else tracing.on():
            return test(*args, **kwargs)

    return traced


class Tracing:
    """Pauses and resumes what pytest-cov measures; without `--cov` it does nothing."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.depth = 0
        self.idle: Counter[str] = Counter()  # cases in a row that reached nothing new

    @property
    def controller(self) -> Any:
        return getattr(self.config.pluginmanager.getplugin("_cov"), "cov_controller", None)

    def reached(self) -> float:
        """How many lines and branches have been reached so far; nan if that is not known."""
        collector = getattr(getattr(self.controller, "cov", None), "_collector", None)
        return sum(map(len, [*collector.data.values()])) if collector else float("nan")

    def switch(self, on: bool) -> None:
        controller = self.controller
        if controller is not None and controller.started is not on:
            (controller.cov.start if on else controller.cov.stop)()
            controller.started = on

    @contextmanager
    def on(self) -> Iterator[None]:
        """Trace; a fixture that a test asks for while it runs changes nothing."""
        self.depth += 1
        self.switch(True)
        try:
            yield
        finally:
            self.depth -= 1
            self.switch(self.depth > 0)

    @contextmanager
    def off(self) -> Iterator[None]:
        self.switch(False)
        try:
            yield
        finally:
            self.switch(self.depth > 0)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection(self) -> Generator[None, object, object]:
        if self.controller is not None and not self.config.getoption("numprocesses", None):
            with self.off():
                import_packages()
                leave_packages_untraced()
            with self.on():
                import_library()
        with self.off():
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self) -> Generator[None, object, object]:
        with self.on():
            return (yield)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, object, object]:
        given = getattr(getattr(item, "obj", None), "hypothesis", None)
        if item.get_closest_marker("no_cover") or "house" in item.path.parts:
            return (yield)
        function, _, case = item.nodeid.partition("[")
        if case and self.idle[function] >= IDLE:
            return (yield)
        before = self.reached()
        try:
            if given is None:
                with self.on():
                    return (yield)
            test = given.inner_test
            given.inner_test = first(TRACED, test, self)
            try:
                return (yield)
            finally:
                given.inner_test = test
        finally:
            idle = self.reached() == before
            self.idle[function] = self.idle[function] + 1 if idle else 0
