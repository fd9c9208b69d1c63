"""Charts as Vega-Lite specifications."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import rocspace as rs
from reports import Page
from rocspace.report import drawing, render_html, summarise
from rocspace.report.sections import explorer


def test_every_chart_is_valid_vega_lite(whole: dict[str, Any], html: str) -> None:
    altair = pytest.importorskip("altair")
    for page in (Page(render_html(whole)), Page(html)):
        charts = json.loads(page.scripts[0])["charts"]
        assert {"roc", "pr", "det", "cost", "score-1"} <= set(charts)
        for spec in charts.values():
            altair.LayerChart.from_dict(spec, validate=True)


def test_grey_beyond_the_palette_and_the_rest_is_counted() -> None:
    rng = np.random.default_rng(3)
    y = rng.random(50) < 0.4
    summary = summarise({f"s{i}": rs.tabulate(y, rng.normal(size=50)) for i in range(15)})
    key = explorer.roc_chart(summary)["datasets"]["key"]
    assert key[-1]["label"] == "3 others"
    names = [score["name"] for score in drawing.ranked(summary)]
    assert [row["label"] for row in key[:-1]] == names[:12]
    assert key[0]["y1"] < 0.65  # below the curves, and none upon another
    assert all(row["y0"] >= following["y1"] - 1e-9 for row, following in pairwise(key))
    few = summary | {"scores": summary["scores"][:4]}
    wide = explorer.roc_chart(few)["datasets"]["key"]
    assert wide[0]["x"] < key[0]["x"]  # names of few scores have more room
    assert wide[0]["y1"] < 0.35
    areas = [score["auc"]["value"] for score in drawing.ranked(summary)]
    assert areas == sorted(areas, reverse=True)
    assert drawing.colour(5) == "var(--score-6)"
    looks = {(drawing.colour(i), tuple(drawing.DASHES[i])) for i in range(12)}
    assert len(looks) == 12
    assert drawing.colour(12) == "var(--faint)"


def test_an_interval_from_0_to_1_reads_as_it_does_in_the_command_line() -> None:
    assert drawing.said({"value": 0.5, "low": 1e-9, "high": 1})["interval"] == "0 to 1"
    assert drawing.said({"value": 0.5, "low": 0.1, "high": 1})["interval"] == "0.100 to 1"


def test_long_names_in_the_key_stay_apart() -> None:
    table = rs.tabulate([0, 1, 1, 0], [1, 2, 3, 4])
    long = "gradient boosting with a very long name number {} of twelve"
    named = {long.format(i): table for i in range(12)}
    key = explorer.roc_chart(summarise(named))["datasets"]["key"]
    labels = [row["label"] for row in key]
    assert len(set(labels)) == 12
    assert max(map(len, labels)) <= 13
    brief = [row["brief"] for row in key]  # on a phone
    assert len(set(brief)) == 12
    assert max(map(len, brief)) <= 8
    assert [row["name"] for row in key] == list(named)
