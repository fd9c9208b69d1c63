"""How a command ends when all went well but an area is too low for a pipeline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

TOO_LOW = 3  # the exit status


class AreaTooLowError(Exception):
    """An area below ``--fail-below``, told after everything is printed."""


class Gate:
    """The least area that a pipeline lets pass, and the areas, by the name of what has each.

    None, the area of a group that lacks a class, is not known to be high enough: it fails, too.
    """

    def __init__(self, least: float | None, areas: Mapping[str, float | None]) -> None:
        self.least = least
        self.complaint = "" if least is None else _complaint(least, areas)

    def told(self, described: dict[str, Any]) -> dict[str, Any]:
        """Add to what is printed as JSON the limit, if there is one, and whether all pass."""
        if self.least is None:
            return described
        return described | {"gate": {"fail_below": self.least, "passed": not self.complaint}}

    def check(self) -> None:
        """Raise, after everything is printed, if an area does not pass."""
        if self.complaint:
            raise AreaTooLowError(self.complaint)


def _complaint(least: float, areas: Mapping[str, float | None]) -> str:
    if not any(area is not None for area in areas.values()):
        return "no group of cases has both classes, so there is no area to compare"
    unknown = [name for name, area in areas.items() if area is None]
    low = [f"{n} {float(a)}" for n, a in areas.items() if a is not None and not a >= least]
    parts = [f"below --fail-below {float(least)}: {', '.join(low)}"] if low else []
    if unknown:
        lacking = ", ".join(unknown)
        parts.append(f"no area to compare with --fail-below, for lack of a class: {lacking}")
    return "; ".join(parts)


def areas_by_name(scores: Sequence[Mapping[str, Any]]) -> dict[str, float | None]:
    """Return the areas of described scores, perhaps of groups, by name."""
    areas = {
        f"{score['group']}, {score['name']}" if score.get("group") else score["name"]: score["auc"]
        for score in scores
    }
    return {name: area and area["value"] for name, area in areas.items()}
