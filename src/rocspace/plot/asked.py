"""What to write instead where a plot is given another object than the one that it draws."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, ParamSpec, TypeVar

from rocspace._base.calls import MADE_OF_TABLE, explained
from rocspace._base.frozen import kind_of

P = ParamSpec("P")
R = TypeVar("R")


def _one(kind: str) -> str:
    return f"{'an' if kind[0] in 'AEIOaeio' else 'a'} {kind}"


def drawn(function: Callable[P, R]) -> Callable[P, R]:
    """Let a plot say what it draws, and the line that makes it, if it is given anything else."""
    kinds = re.findall(r"\w+", next(iter(function.__annotations__.values())))

    def fits(given: Any) -> bool:
        return any(one.__name__ in kinds for one in type(given).__mro__)

    def check(name: str, given: Any) -> None:
        if fits(given):
            return
        made = MADE_OF_TABLE.get(kinds[0])
        line = f" Say {name}({made})." if made else ""
        several = given.values() if isinstance(given, Mapping) else given
        if isinstance(given, Mapping | list | tuple) and several and all(map(fits, several)):
            first = f' Draw one after the other: ax = {name}(a, label="a")'
            line = f'{first}, then {name}(b, label="b", ax=ax).'
        msg = f"{name} takes {_one(kinds[0])}, not {_one(kind_of(given))}.{line}"
        raise TypeError(msg)

    return explained(function, check)
