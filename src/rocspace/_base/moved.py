"""Hints for names that are not there: where a module of version 0.1 went, and the nearest name."""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # that of `typing` takes most of the time that importing rocspace takes
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

MOVED = {
    "adequacy": "select",
    "band_quality": "bands",
    "boolean": "combine",
    "bootstrapping": "resampling",
    "brier": "costs",
    "clustered": "inference",
    "confusion": "counts",
    "cost_comparison": "costs",
    "cost_curves": "costs",
    "cost_samples": "costs",
    "criteria": "measures",
    "curve_distances": "curves",
    "decision": "costs",
    "design": "planning",
    "det": "curves",
    "equivalence": "compare",
    "expected_loss": "costs",
    "federated": "stream",
    "file_tables": "io",
    "files": "io",
    "folds": "averaging",
    "frames": "io",
    "fuzzy": "curves",
    "gains": "curves",
    "goals": "operating",
    "granular_readings": "granular",
    "hanley_mcneil": "compare",
    "intervals": "inference",
    "isometrics": "hull",
    "leaves": "calibrate",
    "measure_comparison": "select",
    "meta": "models",
    "mixtures": "combine",
    "multiplicity": "compare",
    "optimism": "operating",
    "paired": "counts",
    "pairwise": "granular",
    "pr": "curves",
    "prg": "curves",
    "refine": "stream",
    "registry": "measures",
    "repair": "hull",
    "resampling_tests": "compare",
    "rules": "combine",
    "segments": "bands",
    "significance": "inference",
    "slopes": "hull",
    "summary": "curves",
    "table": "counts",
    "tables": "report",
    "tuning": "select",
    "venkatraman": "compare",
    "votes": "calibrate",
}
"""The room of each public module of version 0.1 that no longer stands at the root."""


SLIP = 0.75  # likeness from which on a name may be a slip of the finger


def hint_for(name: str, package: str, listed: Sequence[str]) -> str:
    """Return ``. Did you mean ...?``, or where a module went; empty if there is nothing to say."""
    from difflib import get_close_matches

    if name.startswith("_"):
        return ""
    place = _place(name, package, listed)
    if package == "rocspace" and name in MOVED:
        return f". rocspace.{name} is {_went(name, place)}"
    if place:
        return f": {place}"
    close = get_close_matches(name, listed, n=1, cutoff=SLIP)
    return f". Did you mean {close[0]!r}?" if close else ""


def _went(name: str, place: str | None) -> str:
    """Return where a module went, and what else its name may mean."""
    return f"rocspace.{MOVED[name]} now" + (f"; {place}" if place else "")


def _place(name: str, package: str, listed: Sequence[str] = ()) -> str | None:
    """Return where a name is, in another room or by another name; None if it is unknown."""
    from pathlib import Path

    from rocspace._base.synonyms import IN_ROOM, place_of

    room = package.rpartition(".")[2]
    for graph in (name, name.removesuffix("_curve"), name.removesuffix("_graph")):
        if f"plot_{graph}" in listed:
            return f"it is plot_{graph}"
    if name in IN_ROOM.get(room, {}):
        return place_of(name, room)
    for stub in sorted(Path(__file__).parents[1].glob("*/__init__.pyi")):
        elsewhere = stub.parent.name != room
        if elsewhere and f" as {name}\n" in stub.read_text(encoding="utf-8"):
            return f"it is {name}, in rs.{stub.parent.name}"
    return place_of(name)


class _Guide:
    """A finder that finds no module; for a moved or renamed one, its error says the new name."""

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> None:
        package, name = fullname.rpartition(".")[::2]
        if package.partition(".")[0] != "rocspace" or name.startswith("_"):
            return
        place = _place(name, package)
        if package == "rocspace" and name in MOVED:
            msg = f"No module named {fullname!r}: it is {_went(name, place)}"
            raise ModuleNotFoundError(msg)
        if place and not _is_room(fullname):
            msg = f"cannot import {name!r} from {package!r}: {place}"
            raise ModuleNotFoundError(msg)
        listed = [known for known in dir(sys.modules.get(package)) if known[0] != "_"]
        if name not in listed and (hint := hint_for(name, package, listed)):
            msg = f"cannot import {name!r} from {package!r}{hint}"
            raise ModuleNotFoundError(msg)


def _is_room(fullname: str) -> bool:
    """Whether it is a room, for which some finder may have looked elsewhere, as pytest does."""
    from pathlib import Path

    package, name = fullname.rpartition(".")[::2]
    return package == "rocspace" and (Path(__file__).parents[1] / name).is_dir()


def listen() -> None:
    """Answer ``import rocspace.old_name``, after every finder that could find it."""
    sys.meta_path.append(_Guide())
