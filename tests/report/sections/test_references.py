"""Curves that were given, beside those of the scores."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import rocspace as rs
from reports import Page
from rocspace.averaging import vertical_average
from rocspace.bands import roc_band
from rocspace.curves import curve_distance
from rocspace.models import fit_summary_roc
from rocspace.report import More, render_html, summarise, to_markdown
from rocspace.report.sections.explorer import roc_chart
from rocspace.results import Curve
from rocspace.simulate import binormal

RNG = np.random.default_rng(0)
LABEL = np.arange(200) % 2
TABLES = {
    "good": rs.tabulate(LABEL, RNG.normal(size=200) + 1.5 * LABEL),
    "poor": rs.tabulate(LABEL, RNG.normal(size=200) + 0.2 * LABEL),
}
CURVES: dict[str, Curve] = {
    "true": binormal(0.8553),
    "<i>studies</i>": fit_summary_roc(
        tp=[20, 45, 18], fp=[5, 20, 1], fn=[5, 5, 7], tn=[45, 30, 49]
    ),
    "mean": vertical_average(TABLES),
    "measured": rs.roc_curve(TABLES["poor"]),
}


@pytest.fixture(scope="module")
def compared() -> dict[str, Any]:
    return summarise(TABLES, references=CURVES, more=More(progress=False))


def test_references_have_the_numbers_of_direct_calls(compared: dict[str, Any]) -> None:
    assert json.loads(json.dumps(compared, allow_nan=False)) == compared
    assert [each["name"] for each in compared["references"]] == list(CURVES)
    for found, curve in zip(compared["references"], CURVES.values(), strict=True):
        assert found["kind"] == curve.name
        assert found["auc"] == curve.auc
        at = np.linspace(0.01, 0.99, 50)
        assert np.interp(at, found["fpr"], found["tpr"]) == pytest.approx(
            curve.tpr_at(at), abs=0.01
        )  # within 0.001 of the drawn line, which may be steep
        for beside, table in zip(found["scores"], TABLES.values(), strict=True):
            assert beside["difference"] == rs.auc(table) - curve.auc
            assert beside["distance"] == curve_distance(table, curve)
            assert beside["inside"] == roc_band(table).contains(curve)
    inside = {
        each["name"]: [s["inside"] for s in each["scores"]] for each in compared["references"]
    }
    assert inside["true"] == [True, False]
    assert inside["measured"] == [False, True]


def test_the_page_draws_and_tabulates_them(compared: dict[str, Any]) -> None:
    html = render_html(compared)
    page = Page(html)
    assert page.open == []
    assert "i" not in {tag for tag, _ in page.elements}
    text = " ".join(page.text.split())
    assert "References" in text
    assert "<i>studies</i>summary curve of 3 studies 0.893 good" in text
    assert "Reference curves" in text
    assert '<a href="#references">References</a>' in html
    chart = json.loads(page.scripts[0])["charts"]["roc"]
    rows = chart["datasets"]["reference"]
    assert [row["name"] for row in rows] == list(CURVES)
    assert rows[0]["x"] + rows[0]["y"] == pytest.approx(1, abs=0.1)
    pytest.importorskip("altair").LayerChart.from_dict(chart, validate=True)


def test_without_bands_nothing_is_said_of_them() -> None:
    one_class = rs.tabulate([1, 1], [1, 2])
    summary = summarise({**TABLES, "one": one_class}, references={"true": CURVES["true"]})
    (found,) = summary["references"]
    assert [each["name"] for each in found["scores"]] == ["good", "poor"]
    assert {each["inside"] for each in found["scores"]} == {None}
    assert Page(render_html(summary)).open == []
    assert "references" not in summarise(TABLES)


def test_what_is_not_a_curve_is_refused() -> None:
    with pytest.raises(
        TypeError, match=r"references\['old'\] is a ScoreTable, not a curve. Give one"
    ):
        summarise(TABLES, references={"old": TABLES["poor"]})  # type: ignore[dict-item]


def test_a_paper_table_takes_curves() -> None:
    lines = to_markdown({"true": CURVES["true"], "good": TABLES["good"]}).splitlines()
    assert lines[-2] == "| true | 0.855 | – | – |"
    assert lines[-1].startswith("| good | 0.886 | 0.023 | 0.8")


def test_names_of_curves_that_lie_close_do_not_overlap() -> None:
    near = {f"area {area}": binormal(area) for area in (0.8, 0.81, 0.82, 0.83)}
    summary = summarise({"good": TABLES["good"]}, references=near)
    drawn = roc_chart(summary)["datasets"]["reference"]
    heights = sorted(each["y"] for each in drawn)
    assert min(np.diff(heights)) >= 0.04
    assert drawn[0]["x"] + drawn[0]["y"] == pytest.approx(1, abs=0.02)
