"""Curves that were given, not computed from these cases: published, true or average ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from rocspace.bands.api import roc_band
from rocspace.bands.band import Band
from rocspace.counts.table import ScoreTable
from rocspace.curves.distance import curve_distance
from rocspace.report.explained import Entry, Shell, entries
from rocspace.report.plain import plain, plain_fields
from rocspace.report.section import Score, Section, Summary, View, Work
from rocspace.report.shapes import light_line
from rocspace.results.curve import Curve, line_of

_BAND: Literal["likelihood"] = "likelihood"

# --- numbers ----------------------------------------------------------------------------------


def _of_all(summary: Summary, work: Work) -> View:
    if not work.references:
        return {}
    scores = [score for score in summary["scores"] if score["error"] is None]
    tables = {str(name): table for name, table in work.tables.items()}
    bands = {
        score["name"]: roc_band(tables[score["name"]], method=_BAND, level=work.level)
        for score in scores
        if any(band["method"] == _BAND and not band["error"] for band in score.get("bands", ()))
    }
    return {
        "references": [
            {
                "name": name,
                "kind": curve.name,
                **plain_fields(curve, "auc"),
                **light_line(line_of(curve).x, line_of(curve).y),
                "scores": [_beside(score, curve, tables, bands) for score in scores],
            }
            for name, curve in work.references.items()
        ]
    }


def _beside(
    score: Score, curve: Curve, tables: Mapping[str, ScoreTable], bands: Mapping[str, Band]
) -> dict[str, Any]:
    """Compare a score with a curve that has no sampling error of its own."""
    band = bands.get(score["name"])
    return {
        "name": score["name"],
        "difference": plain(score["auc"]["value"] - curve.auc),
        "distance": plain(curve_distance(tables[score["name"]], curve)),
        "inside": None if band is None else band.contains(curve),
    }


# --- what is shown ----------------------------------------------------------------------------


def _view(summary: Summary) -> Any:
    return summary.get("references")


# --- how it was made --------------------------------------------------------------------------

_HOW = """
references: Reference curves
  Curves that were given, without an error of their own. The area between two curves is taken
  vertically, at each false positive rate. A reference is inside the likelihood band of a score if
  all of it is: then these cases do not rule it out.
  Python: rs.curves.curve_distance(table, reference)
  Python: rs.bands.roc_band(table, level={level}).contains(reference)
  Shell:
"""


def _methods(summary: Summary, shell: Shell) -> Iterator[Entry]:
    return entries(_HOW, shell) if "references" in summary else iter(())


SECTION = Section("references", _view, "References", of_all=_of_all, methods=_methods)
