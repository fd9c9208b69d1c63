"""What a reader is warned of."""

from __future__ import annotations

import json
from html import unescape
from typing import Any

import numpy as np

import rocspace as rs
from reports import codes
from rocspace.report import More, render_html, summarise


def test_warnings_name_what_matters() -> None:
    rng = np.random.default_rng(0)
    y, noise = np.arange(400) % 2, rng.normal(size=400)
    assert codes(rs.tabulate(y, noise + 2 * y)) == []
    assert codes(rs.tabulate(y[:8], noise[:8] + y[:8] / 5)) == ["few_positives", "few_negatives"]
    assert codes(rs.tabulate(y, 1.0 * y)) == ["score_is_label"]
    assert codes(rs.tabulate(y, np.arange(400) + 1e3 * y)) == ["perfect_separation"]
    assert codes(rs.tabulate(y, noise - 2 * y)) == ["below_chance"]
    assert codes(rs.tabulate(y, np.ones(400))) == ["single_score"]
    assert codes(rs.tabulate(y, np.round(noise / 2 + y / 2))) == ["heavy_ties"]
    rare = np.arange(5000) < 20
    assert codes(rs.tabulate(rare, rng.normal(size=5000) + rare)) == ["rare_class"]
    assert codes(rs.tabulate(y, noise + y), source={"dropped": {"a": 2}}) == ["dropped_rows"]
    assert codes(rs.tabulate(y, noise + y), source={"left_out": {"b": "why"}}) == ["left_out"]
    assert codes(rs.tabulate(y, noise + y), source={"counting": {"score": "binned"}}) == ["binned"]


def test_what_is_true_of_all_scores_is_said_once() -> None:
    table = rs.tabulate([0, 0, 1, 1], [1.0, 2, 3, 4])
    summary = summarise({"a": table, "b": table})
    few = [each["score"] for each in summary["warnings"] if each["code"].startswith("few")]
    assert few == [None, None]
    other = summarise({"a": table, "b": rs.tabulate([0, 1, 1], [1, 2, 3])})
    assert other["warnings"][0]["code"] == "different_cases"
    assert "as rocspace compare does" in other["warnings"][0]["message"]


def test_the_advice_fits_the_direction() -> None:
    lower = rs.tabulate([0, 1] * 50, [0, 1] * 50, higher_is_positive=False)
    higher = rs.tabulate([0, 1] * 50, [1, 0] * 50)
    summary = summarise({"s": lower, "it's": higher})
    turn = {
        w["score"]: w["higher_is_positive"]
        for w in summary["warnings"]
        if w["code"] == "below_chance"
    }
    assert turn == {"s": True, "it's": False}
    assert "is_positive" not in json.dumps([w["message"] for w in summary["warnings"]])
    page = unescape(render_html(summary))
    assert "higher_is_positive=True in Python, without --lower-is-positive s in a shell." in page
    assert "higher_is_positive=False in Python, --lower-is-positive 'it'\"'\"'s' in" in page


def test_warnings_about_cases() -> None:
    rng = np.random.default_rng(4)
    y = rng.random(300) < 0.5
    scores = {"a": rng.normal(size=300) + y, "b": rng.normal(size=300) + y}

    def told(labels: Any, columns: dict[str, Any]) -> list[str]:
        data = rs.pair_scores(labels, columns)
        tables_ = {name: data.table(name) for name in columns}
        found = summarise(tables_, data=data, more=More(n_boot=60))["warnings"]
        return [each["code"] for each in found]

    assert told(y, scores) == []
    twice = {name: np.append(x, x[:30]) for name, x in scores.items()}
    assert told(np.append(y, y[:30]), twice) == ["duplicate_cases"]
    coarse = {name: np.round(x) for name, x in scores.items()}
    assert "duplicate_cases" not in told(y, coarse)
    assert told(y, {"a": scores["a"], "b": np.exp(scores["a"])}) == ["same_order"]
    numbered = rs.tabulate(y, np.arange(300) + 1)
    assert "looks_like_id" in codes(numbered)
    nearly = rs.tabulate(y, rng.normal(size=300) + 4.2 * y)
    assert codes(nearly) == ["nearly_perfect"]
