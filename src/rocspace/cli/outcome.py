"""How a command ends when all went well but an area is too low for a pipeline."""

from __future__ import annotations

from collections.abc import Mapping

TOO_LOW = 3  # the exit status


class AreaTooLowError(Exception):
    """An area below ``--fail-below``, told after everything is printed."""


def check_least_area(least: float | None, areas: Mapping[str, float]) -> None:
    """Raise if an area, by the name of what has it, is below the least that was asked for."""
    if least is None:
        return
    if not areas:
        msg = "no group of cases has both classes, so there is no area to compare"
        raise AreaTooLowError(msg)
    low = {name: area for name, area in areas.items() if not area >= least}
    if low:
        listed = ", ".join(f"{name} {float(area)}" for name, area in low.items())
        msg = f"below --fail-below {float(least)}: {listed}"
        raise AreaTooLowError(msg)
