"""The curve that is drawn, and the charts of the explorer."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

import rocspace as rs
from reports import hostile_summary, one, tables
from rocspace.report import summarise
from rocspace.report.sections import explorer


def test_small_curves_are_kept_whole() -> None:
    table = tables("two_class_example")["Class1"]
    curve, whole = one(table)["curve"], rs.roc_curve(table)
    assert (curve["points"], curve["points_kept"], curve["thinning"]) == (500 + 1, 501, "none")
    assert curve["tpr"] == whole.tpr.tolist()
    assert curve["fp"] == whole.fp.tolist()


def test_large_curves_are_thinned_and_keep_the_operating_points() -> None:
    table = tables()["hgb"]
    score = one(table)
    curve = score["curve"]
    assert (curve["points"], curve["thinning"], curve["within"]) == (25589, "within", 0.0005)
    assert 300 < curve["points_kept"] == len(curve["fpr"]) < 1000
    drawn = np.interp(np.linspace(0, 1, 999), curve["fpr"], curve["tpr"])
    assert np.trapezoid(curve["tpr"], curve["fpr"]) == pytest.approx(rs.auc(table), abs=5e-4)
    assert (np.diff(drawn) >= 0).all()
    assert {p["threshold"] for p in score["operating_points"]} <= set(curve["threshold"])


def test_straight_runs_are_left_out_first() -> None:
    y = np.repeat([1, 0], 2000)
    curve = one(rs.tabulate(y, -np.arange(4000.0)))["curve"]
    assert (curve["points"], curve["thinning"]) == (4001, "collinear")
    assert {(0, 0), (0, 1), (1, 1)} <= set(zip(curve["fpr"], curve["tpr"], strict=True))
    assert curve["points_kept"] < 20 + explorer.ROUND


def test_many_curves_share_the_points_that_a_page_can_carry() -> None:
    y, rng = np.arange(1500) % 3 == 0, np.random.default_rng(1)
    scores = {f"s{j}": rs.tabulate(y, rng.normal(size=y.size) + y) for j in range(14)}
    alone = explorer.IN_ALL // explorer.KEEP_ALL
    few = summarise(dict(list(scores.items())[:alone]))["scores"]
    assert {score["curve"]["thinning"] for score in few} == {"none"}
    curves = [score["curve"] for score in summarise(scores)["scores"]]
    assert {curve["thinning"] for curve in curves} == {"collinear"}
    assert sum(curve["points_kept"] for curve in curves) <= explorer.IN_ALL
    for curve, whole in zip(
        curves, (rs.roc_curve(table) for table in scores.values()), strict=True
    ):
        drawn = np.interp(whole.fp + whole.tp, np.add(curve["fp"], curve["tp"]), curve["tp"])
        assert drawn == pytest.approx(whole.tp, abs=1e-9)  # the same line


@pytest.mark.parametrize("up", [True, False])
def test_round_thresholds_are_kept_with_the_numbers_that_decide_alike(up: bool) -> None:
    rng = np.random.default_rng(1)
    y = rng.random(20_000) < 0.3
    chance = 1 / (1 + np.exp(rng.normal(size=y.size) - y))
    table = rs.tabulate(y, chance, higher_is_positive=up)
    curve = one(table)["curve"]
    assert curve["thinning"] == "within"
    way = 1 if up else -1
    kept = list(zip(curve["threshold"], curve["next_score"], curve["tp"], curve["fp"], strict=True))
    for asked in (0.1, 0.25, 0.5, 0.75, 0.9):
        ((*_, tp, fp),) = (
            row for row in kept if way * float(row[0]) >= way * asked > way * float(row[1])
        )
        point = rs.point_at(table, asked)
        assert (tp, fp) == (point.tp, point.fp)
    assert curve["tp"][1] + curve["fp"][1] == 1


def test_names_are_only_values_of_data() -> None:
    spec = explorer.roc_chart(hostile_summary())
    for layer in spec["layer"]:
        fields = re.findall(r'"field": "([^"]*)"', json.dumps(layer))
        assert set(fields) <= {
            *("fpr", "tpr", "name", "kind", "label", "area", "x", "x0", "x1"),
            *("y", "y0", "y1", "line0", "line1", "x_area", "fitting"),
        }
        # The scales list names as values of their domain; else the layers know none.
        encoding = {key: value for key, value in layer["encoding"].items() if "scale" not in value}
        assert "alert" not in json.dumps([layer["mark"], encoding, layer.get("transform")])
