"""Hints for names that are not there: where a module of version 0.1 went, and the nearest name."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from typing import Any

from rocspace._base.synonyms import place_of

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
"""The room of each public module of version 0.1 that stands at the root no more."""


def hint_for(name: str, package: str, listed: Sequence[str]) -> str:
    """Return ``. Did you mean ...?``, or where a module went; empty if there is nothing to say."""
    from difflib import get_close_matches

    if name.startswith("_"):
        return ""
    if package == "rocspace" and name in MOVED:
        return f". rocspace.{name} is rocspace.{MOVED[name]} now"
    place = place_of(name)
    if place is not None and not place.startswith(f"it is {name}, in rs.{package[9:]}"):
        return f": {place}"
    close = get_close_matches(name, listed, n=1)
    return f". Did you mean {close[0]!r}?" if close else ""


class _Guide(MetaPathFinder):
    """Finds nothing, and says of a module that moved where it went."""

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> None:
        package, name = fullname.rpartition(".")[::2]
        if package == "rocspace" and name in MOVED:
            msg = f"No module named {fullname!r}: it is rocspace.{MOVED[name]} now"
            raise ModuleNotFoundError(msg)


def listen() -> None:
    """Answer ``import rocspace.old_name``, after every finder that could find it."""
    sys.meta_path.append(_Guide())
