"""Coverage traces the library while a test uses it, and nothing else.

Tracing slows every line of Python that a process runs, also of code that is not measured: four
times in Python 3.11. So it is on while the library's modules are imported, while a fixture is set
up and while a test runs; not while pytest imports tests and reports. Of a test by Hypothesis the
first `TRACED` examples are traced; of one marked `no_cover` nothing, nor of those of the house,
since a room's lines are for the room's tests to cover. What is missed is told as not covered,
never the other way round.
"""

import functools
import importlib
import pkgutil
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import pytest

TRACED = 3


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

    def switch(self, on: bool) -> None:
        plugin = self.config.pluginmanager.getplugin("_cov")
        controller = getattr(plugin, "cov_controller", None)
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
        if not self.config.getoption("numprocesses", None):
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
        if given is None:
            with self.on():
                return (yield)
        test = given.inner_test
        given.inner_test = first(TRACED, test, self)
        try:
            return (yield)
        finally:
            given.inner_test = test
