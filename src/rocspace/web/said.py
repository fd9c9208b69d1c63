"""The parts of answers: areas and tables of clusters as the page shows them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
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


def json_text(value: Any) -> str:
    """Return numbers as a file of JSON has them."""
    return json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
