"""Bands, granularities and folds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rocspace as rs
from reports import FOLD, SCORE
from rocspace.averaging import cv_auc_estimate, fold_tables, vertical_average
from rocspace.bands import difference_band, roc_band
from rocspace.granular import granular_areas, groc
from rocspace.report import More, summarise


def test_bands_are_those_of_the_direct_calls(full: dict[str, Any], cases: rs.PairedScores) -> None:
    at = np.linspace(0.02, 0.98, 49)
    for band in full["scores"][0]["bands"]:
        direct = roc_band(cases.table("a"), method=band["method"], n_boot=1000, rng=3)
        assert band["area"] == direct.area
        assert band["simultaneous"] == direct.simultaneous == (band["method"] != "vertical")
        area = [np.trapezoid(band[end]["tpr"], band[end]["fpr"]) for end in ("low", "high")]
        assert area[1] - area[0] == pytest.approx(direct.area, abs=0.002)
        low = np.interp(at, band["low"]["fpr"], band["low"]["tpr"])
        assert (low <= np.array([each.high for each in direct.at_fpr(at)]) + 0.001).all()


def test_granularities_are_those_of_the_direct_calls(
    full: dict[str, Any], cases: rs.PairedScores
) -> None:
    table, found = cases.table("b"), full["scores"][1]["granular"]
    assert found["range"] == table.score.max() - table.score.min()
    direct = granular_areas(table, found["areas"]["delta"])
    assert found["areas"]["low"] == direct.auc_low.tolist()
    assert found["areas"]["high"] == direct.auc_high.tolist()
    for curve in found["curves"]:
        one_delta = groc(table, curve["delta"])
        assert (curve["auc_low"], curve["auc_high"]) == (
            one_delta.auc_low,
            one_delta.auc_high,
        )
        shown = np.trapezoid(curve["high"]["tpr"], curve["high"]["fpr"])
        assert shown == pytest.approx(one_delta.auc_high, abs=0.003)


def test_folds_are_those_of_the_direct_calls(full: dict[str, Any], cases: rs.PairedScores) -> None:
    found = full["scores"][0]["folds"]
    folds = fold_tables(cases.label, cases.score[:, 0], FOLD)
    assert found["names"] == ["0", "1", "2", "3"]
    assert found["auc"] == [rs.auc(table) for table in folds.values()]
    assert found["mean"]["value"] == cv_auc_estimate(folds).value
    average = vertical_average(folds)
    assert found["average"]["tpr"] == average.tpr.tolist()
    assert found["average"]["low"] == average.interval(0.95).tpr_low.tolist()
    assert len(found["curves"]) == 4


def test_folds_without_a_class_are_counted() -> None:
    y = np.array([0, 1, 0, 1, 1, 1])
    data = rs.pair_scores(y, {"s": np.arange(6.0)})
    summary = summarise({"s": data.table("s")}, data=data, more=More(fold=list("aabbcc")))
    folds = summary["scores"][0]["folds"]
    assert (folds["single_class"], folds["auc"]) == (1, [1.0, 1.0, None])
    assert "comparison" not in summary
    alone = summarise({"s": data.table("s")}, data=data, more=More(fold=[1] * 6))
    assert alone["scores"][0]["folds"]["mean"] is alone["scores"][0]["folds"]["average"] is None


@pytest.mark.filterwarnings("ignore:(Only|None)")
def test_what_cannot_be_worked_out_is_told_or_null() -> None:
    y = np.arange(40) % 2
    rng = np.random.default_rng(1)
    weight = rng.random(40)
    data = rs.pair_scores(
        y, {"a": rng.normal(size=40) + y, "b": rng.normal(size=40)}, sample_weight=weight
    )
    summary = summarise({name: data.table(name) for name in data.names}, data=data)
    gap = summary["comparison"]["difference"]
    band = difference_band(data, "a", "b", n_boot=gap["replicates"], rng=0)
    assert gap["high"][50] == band.at_fpr(gap["fpr"][50]).high
    errors = {band["method"]: band["error"] for band in summary["scores"][0]["bands"]}
    assert errors.pop("likelihood") is None
    assert all("importance weights" in error for error in errors.values())
    infinite = rs.tabulate([0, 1, 1], [-np.inf, 1, np.inf])
    assert summarise({"s": infinite}, more=More())["scores"][0]["granular"] is None
    tie = rs.tabulate([0, 1, 1], [2, 2, 2])
    assert summarise({"s": tie}, more=More())["scores"][0]["granular"] is None
    one_class = rs.tabulate([1, 1], [1, 2])
    assert list(summarise({"s": one_class}, more=More())["scores"][0]) == SCORE


def test_the_seed_is_recorded_and_written_in_the_lines_to_run() -> None:
    y = np.arange(60) % 2
    data = rs.pair_scores(y, {"a": np.arange(60.0) % 7 + y, "b": np.arange(60.0) % 11})
    tables = {name: data.table(name) for name in data.names}
    summary = summarise(tables, data=data, more=More(n_boot=60, rng=12))
    assert {band["seed"] for band in summary["scores"][0]["bands"]} == {12}
    assert summary["comparison"]["difference"]["seed"] == 12
    made = {entry["id"]: entry for entry in summary["methods"]}
    for key in ("bands.envelope", "bands.vertical", "comparison.difference"):
        assert "rng=12)" in made[key]["python"]
    assert made["bands.envelope"]["shell"].endswith(" --seed 12")
