"""The areas of a summary by themselves: what a table of areas shows, and nothing that it does not.

A report computes curves, thresholds and hulls of each score; of a thousand scores that takes a
minute, and their areas a second.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import rocspace
from rocspace._base.text import count
from rocspace.counts.table import ScoreTable
from rocspace.report.plain import plain, plain_copy, plain_fields
from rocspace.report.sections.areas import area_of
from rocspace.report.sections.warnings import warnings_of


def summarise_areas(
    tables: Mapping[str, ScoreTable], *, source: Mapping[str, Any], level: float
) -> dict[str, Any]:
    """Return of `summarise` the keys that a table of areas shows, with the same numbers."""
    scores = [described_area(name, table, level) for name, table in tables.items()]
    summary = {
        "schema": "rocspace.summary/1",
        "rocspace": rocspace.__version__,
        "source": plain_copy(source),
        "settings": {"level": level},
        "scores": scores,
    }
    return summary | {"warnings": warnings_of(summary, tables)}


def described_area(name: str, table: ScoreTable, level: float) -> dict[str, Any]:
    """Describe the cases of a score and its area, or say why there is none."""
    complete = bool(table.n_pos and table.n_neg)
    return {
        "name": str(name),
        "error": None if complete else single_class(table),
        **facts_of(table),
        **(area_of(table, level) if complete else dict.fromkeys(_AREA)),
    }


_AREA = ("tie_chance", "auc", "gini", "ks")


def single_class(table: ScoreTable) -> str:
    """Say that a class is missing."""
    return (
        f"There are {count(table.n_pos)} positives and {count(table.n_neg)} negatives, and a curve "
        "needs both. Check which value of the label is the positive one."
    )


def facts_of(table: ScoreTable) -> dict[str, Any]:
    """Describe how many cases a score has, and its range."""
    n = table.n_pos + table.n_neg
    ends = sorted(table.score[[0, -1]].tolist()) if len(table) else [None, None]
    return {
        "direction": "higher" if table.higher_is_positive else "lower",
        "weighted": table.is_weighted,
        "n": plain(n),
        **plain_fields(table, "n_pos", "n_neg"),
        "n_eff": {"pos": plain(table.n_eff[0]), "neg": plain(table.n_eff[1])},
        "prevalence": plain(table.prevalence) if n else None,
        "distinct": len(table),
        "lowest": plain(ends[0]),
        "highest": plain(ends[1]),
    }
