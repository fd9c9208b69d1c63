"""How a command ends when all went well but an area is too low for a pipeline."""

from __future__ import annotations

from collections.abc import Mapping

TOO_LOW = 3  # the exit status


class AreaTooLowError(Exception):
    """An area below ``--fail-below``, told after everything is printed."""


def check_least_area(least: float | None, areas: Mapping[str, float | None]) -> None:
    """Raise if an area, by the name of what has it, is below the least that was asked for.

    None, the area of a group that lacks a class, is not known to be high enough: it fails, too.
    """
    if least is None:
        return
    if not any(area is not None for area in areas.values()):
        msg = "no group of cases has both classes, so there is no area to compare"
        raise AreaTooLowError(msg)
    unknown = [name for name, area in areas.items() if area is None]
    low = [f"{n} {float(a)}" for n, a in areas.items() if a is not None and not a >= least]
    parts = [f"below --fail-below {float(least)}: {', '.join(low)}"] if low else []
    if unknown:
        lacking = ", ".join(unknown)
        parts.append(f"no area to compare with --fail-below, for lack of a class: {lacking}")
    if parts:
        raise AreaTooLowError("; ".join(parts))
