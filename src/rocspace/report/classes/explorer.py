"""One threshold for each class against the rest, in every graph."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rocspace.report.classes.areas import name_of
from rocspace.report.classes.shell import shell_of
from rocspace.report.drawing import ranked
from rocspace.report.section import Section, Summary, View
from rocspace.report.sections import explorer


def _drawn(summary: Summary) -> Mapping[str, Any]:
    """Return the script's data of each class, with the lines that read this class."""
    source = summary["source"]
    place = {each["label"]: i for i, each in enumerate(summary["classes"])}
    name = name_of(summary).replace(", ", ", name=")
    return {
        "scores": [
            {
                **explorer.explored(score, rank, source),
                "python": f"table = data.table(data.classes[{place[score['name']]}]{name})",
                "shell": f"rocspace at {shell_of(summary, score['name'])}",
            }
            for rank, score in enumerate(ranked(summary))
        ]
    }


def _view(summary: Summary) -> View | None:
    found: View | None = explorer.SECTION.view(summary)
    by = f" by {summary['explored']}" if len(summary["classifiers"]) > 1 else ""
    note = (
        f"Each class against the rest{by}: the cases of the class are positive, all others "
        "negative, and the score is the column of the class."
    )
    return None if found is None else found | {"what": "Class", "note": note}


SECTION = Section(
    "explorer",
    _view,
    "Explorer",
    of_score=explorer.SECTION.of_score,
    charts=explorer.SECTION.charts,
    drawn=_drawn,
)
