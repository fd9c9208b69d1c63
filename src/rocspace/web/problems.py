"""What keeps a choice from giving a report, and the changes that mend it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Fix:
    """A change of the choices that one click makes.

    Attributes
    ----------
    words : str
        What the button says.
    change : dict
        The choices that it sets.
    """

    words: str
    change: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Why there is no report yet, and how to mend it.

    Attributes
    ----------
    field : str
        The field of the page that it is about.
    message : str
        A sentence.
    fixes : tuple of Fix
        Changes that mend it.
    """

    field: str
    message: str
    fixes: tuple[Fix, ...] = ()
