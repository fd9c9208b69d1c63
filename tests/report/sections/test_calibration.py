"""Calibration in the report: numbers of the library, refusals in words, and what is drawn."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import rocspace as rs
from reports import one
from rocspace.calibrate import calibration_curve, calibration_estimates
from rocspace.costs import brier_parts
from rocspace.report import More, render_html, summarise
from rocspace.report.sections import calibration

RNG = np.random.default_rng(7)
Z = RNG.normal(size=400)
P = 1 / (1 + np.exp(-Z))
Y = RNG.random(400) < P
FAIR, EXTREME = rs.tabulate(Y, P), rs.tabulate(Y, 1 / (1 + np.exp(-3 * Z - 1)))


def found(table: rs.ScoreTable) -> dict[str, Any]:
    return dict(one(table, more=More(progress=False))["calibration"])


def test_numbers_are_those_of_the_library() -> None:
    shown, wanted = found(FAIR), calibration_estimates(FAIR)
    for name in ("slope", "intercept", "in_the_large"):
        estimate = getattr(wanted, f"{name}_estimate")
        assert shown[name]["value"] == estimate.value
        assert shown[name]["interval"]["low"] == estimate.interval().low
        assert shown[name]["test"]["pvalue"] == estimate.test().pvalue
    assert shown["joint_test"]["pvalue"] == wanted.joint_test.pvalue
    assert shown["groups"]["observed"] == calibration_curve(FAIR).observed.tolist()
    parts = shown["brier"]
    assert parts["score"] == brier_parts(FAIR).score
    whole = parts["miscalibration"] - parts["discrimination"] + parts["uncertainty"]
    assert whole == pytest.approx(parts["score"])
    assert np.all(np.diff(shown["isotonic"]["predicted"]) >= 0)
    assert np.all(np.diff(shown["isotonic"]["observed"]) >= 0)


def test_a_verdict_says_what_the_slopes_say() -> None:
    nothing = "nothing speaks against these probabilities"
    assert calibration._verdict(found(FAIR), 100) == nothing
    assert calibration._verdict(found(FAIR), 99) == (
        f"{nothing}, but so few cases show only gross errors"
    )
    assert "too high on average and too extreme" in calibration._verdict(found(EXTREME), 9)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (rs.tabulate([0, 1, 0, 1], [1, 2.5, 3, 17]), "its scores run from 1 to 17,"),
        (rs.tabulate([0, 1], [0.2, 0.1], higher_is_positive=False), "lower scores are the more"),
        (rs.tabulate([0, 1, 1], [0, 1, 0]), "says only 0 or 1"),
        (rs.tabulate([0, 1], [0.5, 0.5]), "all cases have the same score"),
        (rs.tabulate([0, 1], [-math.inf, 0.5]), "run from −∞ to 0.500"),
    ],
)
def test_other_scores_are_refused_in_a_sentence(table: rs.ScoreTable, said: str) -> None:
    summary = summarise({"score": table}, more=More(progress=False))
    score = summary["scores"][0]
    assert set(score["calibration"]) == set(score["decision"]) == {"error"}
    html = render_html(summary)
    assert html.count(score["calibration"]["error"]) == 2  # of calibration and of decisions
    assert calibration._charts(summary) == {}
    assert not any(each["id"].startswith("calibration") for each in summary["methods"])
    assert said in score["calibration"]["error"]


def test_many_refusals_are_folded() -> None:
    tables = {f"s{i}": rs.tabulate([0, 1, 1], [i, i + 1, 2]) for i in range(2, 6)}
    html = render_html(summarise(tables, more=More(progress=False)))
    for said in (
        "None of the 4 scores has a calibration curve: why?",
        "None of the scores has a decision curve, which needs probabilities: why?",
    ):
        folded = html[html.index(said) :].partition("</details>")[0]
        assert folded.count("<li>") == 4
    three = render_html(summarise(dict(list(tables.items())[1:]), more=More(progress=False)))
    assert "There is no calibration curve: " in three


def test_probabilities_of_one_are_clipped_for_the_slope_and_it_is_said() -> None:
    p = np.append(P, [0.0, 1.0, 1.0])
    y = np.append(Y, [False, True, True])
    shown = found(rs.tabulate(y, p))
    wanted = calibration_estimates(rs.tabulate(y, p.clip(1e-6, 1 - 1e-6)))
    assert shown["slope"]["value"] == wanted.slope
    assert shown["joint_test"]["pvalue"] == wanted.joint_test.pvalue
    assert "(3 cases), as 0.000001 and 0.999999." in shown["remark"]
    assert shown["brier"]["score"] == brier_parts(rs.tabulate(y, p)).score
    html = render_html(summarise({"p": rs.tabulate(y, p)}, more=More(progress=False)))
    assert shown["remark"] in html
    assert "have no slope" not in html
    assert found(FAIR)["remark"] == ""


def test_the_histogram_stands_at_the_foot() -> None:
    summary = summarise({"p": FAIR}, more=More(progress=False))
    chart = calibration._charts(summary)["calibration-1"]
    bars = chart["datasets"]["bars"]
    assert max(row["y"] for row in bars) == pytest.approx(0.16)
    assert all(0 <= row["from"] < row["to"] <= 1 for row in bars)
