"""The one registry of measures, criteria and summaries, and its three views.

Summaries of a table are computed in rooms above this one, so each entry names its function as text,
which is imported on first use. The content of the registry does not depend on what was imported.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import rocspace.measures.criteria
import rocspace.measures.rates  # noqa: F401  both fill `ENTERED`
from rocspace._base.synonyms import understood
from rocspace._base.words import nearest
from rocspace.measures.entry import ENTERED, Measure


def _summary(home: str, name: str, low: float, high: float, **facts: Any) -> Measure:
    facts = {"better": "higher", **facts}
    home = f"rocspace.{home}"
    return Measure(name=name, home=home, of="table", range=(low, high), **facts)


_LOW: Any = {"better": "lower"}
_MIXED: Any = {"uses_prevalence": True}
_SCORES: Any = {"rank_based": False}

FACTS: tuple[Measure, ...] = (
    *ENTERED,
    _summary("curves", "auc", 0, 1),
    _summary("curves", "gini", -1, 1),
    _summary("curves", "youden", 0, 1),
    _summary("curves", "ks", 0, 1),
    _summary("curves", "closest_to_perfect", 0, 1, **_LOW),
    _summary("curves", "eer", 0, 1, **_LOW),
    _summary("hull", "auch", 0.5, 1),
    _summary("hull", "eer_hull", 0, 0.5, **_LOW),
    _summary("curves", "average_precision", 0, 1, **_MIXED),
    _summary("curves", "pr_area", 0, 1, **_MIXED),
    _summary("curves", "break_even", 0, 1, **_MIXED),
    _summary("curves", "auprg", float("-inf"), 1, **_MIXED),
    _summary("granular", "prob_auc", 0, 1, **_SCORES),
    _summary("granular", "buffered_auc", 0, 1, **_SCORES),
    _summary("granular", "scored_auc", 0, float("inf"), **_SCORES),
    _summary("granular", "rho_auc", 0, 1, **_SCORES),
    _summary("costs", "brier_score", 0, 1, **_LOW, **_MIXED, **_SCORES),
    _summary("costs", "log_loss", 0, float("inf"), **_LOW, **_MIXED, **_SCORES),
    _summary("costs", "h_measure", 0, 1, **_MIXED),
)
"""Every measure, criterion and summary."""

MEASURES: dict[str, Measure] = {each.name: each for each in FACTS if each.of == "counts"}
"""Every measure of a confusion matrix by name."""

CRITERIA: dict[str, Measure] = {
    each.name: each
    for each in sorted(FACTS, key=lambda each: each.of == "counts")
    if each.exact is not None
}
"""Every criterion for choosing a threshold, by name."""

SUMMARIES: dict[str, Measure] = {each.name: each for each in FACTS if each.of == "table"}
"""Every summary of a whole table, by name."""


def fact_of(name: str, registry: Mapping[str, Measure], what: str = "measure") -> Measure:
    """Return an entry by its own or another name; the error names the nearest one."""
    ours = understood(name, registry)
    if ours is None:
        hint = nearest(str(name), registry) or f" Choose from {', '.join(registry)}."
        msg = f"There is no {what} {name!r}.{hint}"
        raise ValueError(msg)
    return registry[ours]
