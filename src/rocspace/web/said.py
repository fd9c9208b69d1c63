"""The parts of answers: areas and tables of clusters as the page shows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rocspace._base import text as words
from rocspace.web.choices import Choice

Answer = dict[str, Any]


def of_area(name: str, area: Mapping[str, Any]) -> Answer:
    """Return an area with its interval."""
    ends = area["interval"]
    value, between = words.estimate(area["value"], ends["low"], ends["high"])
    return {"name": name, "value": value, "interval": between}


def clustered_table(
    areas: Mapping[str, Mapping[str, Any]], pairs: Sequence[Mapping[str, Any]], chosen: Choice
) -> Answer:
    """Return areas, and differences of pairs, with intervals that allow for clusters."""
    return {
        "column": chosen.cluster,
        "level": words.level_text(chosen.level),
        "scores": [of_area(each, area) for each, area in areas.items()],
        "pairs": [
            {
                **of_area(words.difference_name(each["first"], each["second"]), each),
                "pvalue": words.pvalue(each["test"]["pvalue"]),
            }
            for each in pairs
        ],
    }


def keep_report(summary: Mapping[str, Any], folder: str, title: str) -> None:
    """Write the page and the numbers of a report into a folder."""
    from rocspace.report import render_html

    made = Path(folder)
    (made / "report.html").write_text(render_html(summary, title=title), encoding="utf-8")
    (made / "summary.json").write_text(words.json_text(summary), encoding="utf-8")
