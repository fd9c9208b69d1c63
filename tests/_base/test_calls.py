"""Arguments are checked where a function is called, by their names and annotations."""

from __future__ import annotations

from typing import Any, Literal

import pytest

from rocspace._base.calls import explained


@explained
def moved(x: float, *more: float, way: Literal["up", "down"] = "up", level: float = 0.95) -> float:
    """Move a number."""
    return x + sum(more) + (level if way == "up" else -level)


@explained
def named(x: float, way: Literal["up", "down"] = "up") -> str:
    """Name a way."""
    return f"{x} {way}"


def test_words_and_levels_are_checked_by_name() -> None:
    assert moved(1.0, 2.0, 3.0, way="down", level=0.5) == 5.5
    assert named(1.0, "down") == "1.0 down"
    with pytest.raises(ValueError, match="way is 'upp', but must be one of 'up', 'down'"):
        moved(1.0, way="upp")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="way is 3, but must be one of"):
        named(1.0, 3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="level is 2, but must lie strictly between"):
        moved(1.0, level=2)
    with pytest.raises(TypeError, match="level is '1', but must be one number"):
        moved(1.0, level="1")  # type: ignore[arg-type]


def test_a_call_that_does_not_fit_is_told_so_first() -> None:
    with pytest.raises(TypeError, match="moved has no argument 'wayy'"):
        moved(1.0, wayy="up", level=2)  # type: ignore[call-arg]


def test_the_first_argument_may_have_a_check_of_its_own() -> None:
    def first(name: str, value: Any) -> None:
        if value is None:
            msg = f"{name} takes a number."
            raise TypeError(msg)

    def doubled(x: float) -> float:
        return 2 * x

    checked = explained(doubled, first)
    assert checked(2.0) == 4.0
    with pytest.raises(TypeError, match="takes a number"):
        checked(None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="takes a number"):
        checked(x=None)  # type: ignore[arg-type]
