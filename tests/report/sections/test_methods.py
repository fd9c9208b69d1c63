"""How each number was made: the lines can be run, what was measured is quoted."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np

import rocspace as rs
from reports import tables
from rocspace import datasets
from rocspace.report import summarise


def test_the_quoted_coverage_is_what_was_measured() -> None:
    measured = Path(__file__).parents[3] / "benchmarks" / "results" / "coverage.csv"
    with measured.open(newline="") as file:
        rows = list(csv.DictReader(file))

    def ends(*, section: str, interval: str, single: bool = False) -> tuple[str, str]:
        found = [
            float(row["coverage"])
            for row in rows
            if row["section"].startswith(section)
            and row["interval"] == interval
            and (single or not row["size"].startswith("1 +"))
        ]
        return f"{100 * min(found):.1f}", f"{100 * max(found):.1f}"

    said = {m["id"]: m["coverage"] for m in summarise(tables("fawcett20"))["methods"]}
    quoted = {
        "auc.interval": ("area", "delong unseen"),
        "operating_points.rates": ("rate", "clopper-pearson"),
    }
    for key, (section, interval) in quoted.items():
        exact = [r for r in rows if r["section"] == section]
        assert exact
        low, high = ends(section=section, interval=interval)
        assert f"{low} to {high} percent" in said[key], key
    low, high = ends(section="part of the area, fpr 0 to 0.1", interval="placements unseen")
    assert f"{low} to {high} percent" in said["partial_auc"]


def test_the_python_lines_reproduce_the_numbers() -> None:
    data = datasets.load("fawcett20")
    source = {"file": "my file.csv", "label": "label", "positive": 1}
    table = rs.tabulate(data.y_true, data.y_score)
    summary = summarise({"score": table}, source=source)
    score = summary["scores"][0]
    lines = {each["id"]: each["python"] for each in summary["methods"]}
    names: dict[str, Any] = {"rs": rs, "data": data.columns}
    exec(lines.pop("table"), names)
    assert names["table"] == table
    (names["point"],) = rs.optimal_points(table)
    got = {key: eval(line, names) for key, line in lines.items()}
    assert got["auc"] == score["auc"]["value"]
    assert got["auc.interval"].low == score["auc"]["interval"]["low"]
    assert got["auc.bounds"].high == score["auc"]["bounds"]["high"]
    assert got["auc.test"].pvalue == score["auc"]["test"]["pvalue"]
    partial = score["partial_auc"][0]
    assert got["partial_auc"] == (partial["value"], partial["standardised"])
    for key in ("gini", "ks", "youden", "eer", "closest_to_perfect"):
        assert got[key] == score[key]
    point = score["operating_points"][0]
    assert got["operating_points.youden"][0][0].threshold == point["threshold"]
    assert got["operating_points.rates"].low == point["rates"]["tpr"]["low"]
    assert got["operating_points.ratios"].low == point["rates"]["lr_positive"]["low"]
    assert got["histogram"] == score["histogram"]
    assert len(got["curve"]) == score["curve"]["points"]


def test_the_python_lines_of_more_reproduce_its_numbers(whole: dict[str, Any]) -> None:
    rng = np.random.default_rng(8)
    y = rng.random(150) < 0.5
    columns = {
        name: rng.normal(size=150) + (2 - i) * y for i, name in enumerate(("good", "fair", "poor"))
    }
    label = np.where(y, "yes", "no")
    fold = np.array(["good", "<i>two</i>"])[np.arange(150) % 2]
    names: dict[str, Any] = {"rs": rs, "data": {"y": label, **columns}}
    names["table"] = rs.tabulate(label, columns["good"], pos_label="yes")
    lines = {each["id"]: each["python"].splitlines() for each in whole["methods"]}
    score, found = whole["scores"][0], whole["comparison"]

    def result(key: str) -> Any:
        *first, last = lines[key]
        for line in first:
            exec(line, names)
        return eval(last, names)

    pairs = result("comparison.pairs")
    assert [p.difference.value for p in pairs] == [p["value"] for p in found["pairs"]]
    assert result("comparison.difference").names == ("good", "fair")
    assert result("comparison.costs").names == ("good", "fair", "poor")
    areas = {f"bands.{band['method']}": band["area"] for band in score["bands"]}
    assert {key: result(key).area for key in areas} == areas
    assert result("granular").auc_low == score["granular"]["curves"][4]["auc_low"]
    names["data"]["good"] = fold  # the column of folds has this name in the test
    assert result("folds.mean").low == score["folds"]["mean"]["interval"]["low"]
    assert result("folds.average").tpr_low.tolist() == score["folds"]["average"]["low"]
