"""Precision and recall in the report: areas, intervals, and the drawn curve."""

from __future__ import annotations

import numpy as np
import pytest

import rocspace as rs
from reports import one
from rocspace.curves import pr_area_estimate, pr_curve
from rocspace.report import More, summarise
from rocspace.report.sections import precision

RNG = np.random.default_rng(3)
Y = RNG.random(300) < 0.3
TABLE = rs.tabulate(Y, RNG.normal(size=300) + Y)
MORE = More(progress=False)


def test_numbers_are_those_of_the_library() -> None:
    found = one(TABLE, more=MORE)["precision_recall"]
    area = pr_area_estimate(TABLE)
    assert found["average_precision"]["value"] == rs.average_precision(TABLE)
    ends = found["average_precision"]["interval"]
    assert ends["low"] < found["average_precision"]["value"] < ends["high"]
    assert found["area"]["value"] == area.value
    assert found["area"]["interval"]["high"] == area.interval(0.95).high


@pytest.mark.parametrize(
    "table",
    [TABLE, rs.tabulate([0, 1, 0, 1], [1, 2, 3, 4]), rs.tabulate([0, 1, 1, 0], [1, 1, 1, 1])],
    ids=["many", "four", "tied"],
)
def test_the_drawn_curve_bends_as_the_true_one(table: rs.ScoreTable) -> None:
    drawn = one(table, more=MORE)["precision_recall"]["curve"]
    at = np.linspace(0.013, 0.987, 40)
    # Away from the falls at one recall, where a line has no single value.
    falls = pr_curve(table).recall
    at = at[np.abs(at[:, None] - falls).min(axis=1) > 1e-3]
    seen = np.interp(at, drawn["recall"], drawn["precision"])
    assert seen == pytest.approx(pr_curve(table).precision_at(at), abs=0.02)
    assert drawn["recall"][-1] == 1
    assert drawn["precision"][-1] == pytest.approx(table.prevalence, abs=0.001)


def test_all_scores_are_in_one_chart_and_the_best_is_first() -> None:
    tables = {
        name: rs.tabulate(Y, RNG.normal(size=300) + d * Y) for name, d in (("a", 1), ("b", 3))
    }
    summary = summarise(tables, more=MORE)
    rows = precision._charts(summary)["precision-recall"]["datasets"]["curve"]
    assert {row["name"] for row in rows} == {"a", "b"}
    view = precision._view(summary)
    assert view is not None
    assert [row["name"] for row in view["rows"]] == ["b", "a"]
    assert view["prevalence"] == tables["a"].prevalence
