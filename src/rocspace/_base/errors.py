"""Errors whose messages mark the names of arguments, so that each interface can spell them.

``str(error)`` is the message as Python's users read it. The command line writes ``--missing omit``
instead of ``missing="omit"``: it gives `spelled` its own spelling of the same parts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument that a message names.

    Attributes
    ----------
    name : str
        Its name in the functions of the library.
    value : object, optional
        The value that the reader might pass.
    text : str, optional
        How Python's users read it; by default ``name``, or ``name=value``.
    """

    name: str
    value: object = None
    text: str = ""

    def __str__(self) -> str:
        return self.text or (self.name if self.value is None else f"{self.name}={self.value!r}")


def keyword(name: str) -> Argument:
    """Return an argument that Python's users read as ``name=``."""
    return Argument(name, text=f"{name}=")


@dataclass(frozen=True, slots=True)
class Caller:
    """The function that raises the error."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class InPython:
    """Words that help only users of Python."""

    text: str

    def __str__(self) -> str:
        return self.text


Part: TypeAlias = str | Argument | Caller | InPython


class ArgumentError(ValueError):
    """A value that cannot be used; ``args`` are the parts of the message."""

    def __str__(self) -> str:
        return "".join(map(str, self.args))


def unknown_attribute(text: str, name: str, of: object) -> AttributeError:
    """Return the error of an attribute that `of` lacks.

    Python adds a guess of its own where it knows the object: not to a text that says what to write.
    """
    return AttributeError(text, name=name, obj=None if ". " in text else of)


def spelled(error: BaseException, spell: Callable[[Part], str]) -> str:
    """Return the message of an error, with its parts spelled by ``spell``."""
    if isinstance(error, ArgumentError):
        return "".join(part if isinstance(part, str) else spell(part) for part in error.args)
    return str(error)
