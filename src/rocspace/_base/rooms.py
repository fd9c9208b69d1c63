"""How a room shows its names: listed in its ``__init__.pyi``, imported when first asked for.

The stub is the one list of what a room has: type checkers read it as it stands, and `open_room`
reads the same lines, each of the form ``from rocspace.room.module import name as name``.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType

from rocspace._base.moved import hint_for

TYPE_CHECKING = False  # as in `moved`
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn


class _Room(ModuleType):
    """A room; calling it raises an error that shows the line to write."""

    def __call__(self, *args: object, **kwargs: object) -> NoReturn:
        from rocspace._base.synonyms import LINES

        line = LINES.get(self.__name__.rpartition(".")[2])
        hint = f"Say {line}." if line else f"It has {', '.join(self.__all__)}."
        msg = f"{self.__name__} is not a function. {hint}"
        raise TypeError(msg)


def homes_of(package: str) -> dict[str, str]:
    """Return the module of each public name of a room, as its stub lists them."""
    spec: Any = sys.modules[package].__spec__
    stub = spec.loader.get_data(spec.origin.removesuffix("py") + "pyi").decode()
    listed = (line.split() for line in stub.splitlines() if line.startswith("from rocspace."))
    return {words[-1]: words[1] for words in listed}


def open_room(package: str) -> tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]:
    """Return ``__all__``, ``__getattr__`` and ``__dir__`` of a room.

    Parameters
    ----------
    package : str
        The ``__name__`` of the room, beside whose ``__init__.py`` the stub lies.
    """
    homes = homes_of(package)
    sys.modules[package].__class__ = _Room
    listed = sorted(homes)

    def lookup(name: str) -> Any:
        if name in homes:
            value = getattr(import_module(homes[name]), name)
            setattr(sys.modules[package], name, value)
            return value
        from rocspace._base.errors import unknown_attribute

        msg = f"module {package!r} has no attribute {name!r}{hint_for(name, package, listed)}"
        raise unknown_attribute(msg, name, sys.modules[package])

    return listed, lookup, lambda: listed
