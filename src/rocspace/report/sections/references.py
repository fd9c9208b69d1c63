"""Curves that were given, not made of these cases: what is published, true, or another average."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rocspace._base.text import NOTHING, share
from rocspace.bands.api import roc_band
from rocspace.curves.distance import curve_distance
from rocspace.report.drawing import signed
from rocspace.report.explained import Entry, Shell, entries
from rocspace.report.plain import plain, plain_fields
from rocspace.report.section import Section, Summary, View, Work
from rocspace.report.shapes import light_line
from rocspace.results.curve import Curve, line_of

# --- numbers ----------------------------------------------------------------------------------


def _of_all(summary: Summary, work: Work) -> View:
    if not work.references:
        return {}
    scores = [score for score in summary["scores"] if score["error"] is None]
    bands = {score["name"]: _band(score["name"], work) for score in scores if "bands" in score}
    return {
        "references": [
            {
                "name": name,
                "kind": curve.name,
                **plain_fields(curve, "auc"),
                **_drawn(curve),
                "scores": [_beside(score, curve, work, bands) for score in scores],
            }
            for name, curve in work.references.items()
        ]
    }


def _drawn(curve: Curve) -> View:
    line = line_of(curve)
    return light_line(line.x, line.y)


def _band(name: str, work: Work) -> Any:
    try:
        return roc_band(work.tables[name], method="likelihood", level=work.level)
    except ValueError:  # a class that is too small, or a table without a band
        return None


def _beside(
    score: Mapping[str, Any], curve: Curve, work: Work, bands: Mapping[str, Any]
) -> dict[str, Any]:
    """Compare a score with a curve that has no error of its own."""
    band = bands.get(score["name"])
    return {
        "name": score["name"],
        "difference": plain(score["auc"]["value"] - curve.auc),
        "distance": plain(curve_distance(work.tables[score["name"]], curve)),
        "inside": None if band is None else band.contains(curve),
    }


# --- what is shown ----------------------------------------------------------------------------


def _view(summary: Summary) -> list[View] | None:
    return [
        {
            **reference,
            "auc": share(reference["auc"]),
            "scores": [
                {
                    **score,
                    "difference": signed(score["difference"], 3),
                    "distance": share(score["distance"]),
                    "inside": {True: "yes", False: "no", None: NOTHING}[score["inside"]],
                }
                for score in reference["scores"]
            ],
        }
        for reference in summary.get("references", ())
    ] or None


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


SECTION = Section("references", view=_view, title="References", of_all=_of_all, methods=_methods)
