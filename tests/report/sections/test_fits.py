"""Smooth curves in the report have the numbers of the direct calls, and stay folded."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rocspace as rs
from reports import Page
from rocspace.models import fit_roc
from rocspace.report import More, render_html, summarise

MODELS = ["binormal", "labroc", "proper", "kernel"]


def test_fits_are_those_of_the_direct_calls(full: dict[str, Any], cases: rs.PairedScores) -> None:
    at = np.linspace(0.05, 0.95, 19)
    for score in full["scores"]:
        assert [each["model"] for each in score["fits"]] == MODELS
        for each in score["fits"]:
            fit = fit_roc(cases.table(score["name"]), model=each["model"])
            assert each["auc"]["value"] == fit.auc
            assert {p["symbol"]: p["value"] for p in each["parameters"]} == dict(fit.parameters)
            assert each["aic"] == fit.aic
            assert each["flags"] == list(fit.flags)
            drawn = np.interp(at, each["curve"]["fpr"], each["curve"]["tpr"])
            assert drawn == pytest.approx(fit.tpr_at(at), abs=0.002)


def test_the_page_keeps_them_folded(full: dict[str, Any]) -> None:
    html = render_html(full)
    assert Page(html).open == []
    assert '<a href="#fits">Smooth curves</a>' in html
    section = html.split('<section aria-labelledby="fits">')[1].split("</section>")[0]
    assert section.count('<details class="fold">') == len(full["scores"])
    assert section.count("<polyline") == len(full["scores"]) * (1 + len(MODELS))


def test_what_cannot_be_fitted_says_why() -> None:
    table = rs.ScoreTable.from_counts([np.inf, 1], [3, 2], [1, 4])
    summary = summarise({"s": table}, more=More(progress=False))
    (score,) = summary["scores"]
    assert all(each["failure"] for each in score["fits"])
    assert "infinite" in render_html(summary)


def test_few_levels_are_ratings() -> None:
    table = rs.ScoreTable.from_counts([5, 4, 3, 2, 1], [33, 11, 2, 2, 3], [2, 11, 6, 6, 33])
    (score,) = summarise({"s": table}, more=More(progress=False))["scores"]
    found = {each["model"]: each for each in score["fits"]}
    goodness = fit_roc(table, model="rating").goodness
    assert goodness is not None
    assert found["rating"]["goodness"] == goodness.pvalue
    assert found["binormal"]["goodness"] is None


def test_very_many_distinct_scores_have_no_fits() -> None:
    score = np.arange(20_001)
    table = rs.ScoreTable.from_counts(score[::-1], score % 2, 1 - score % 2)
    (found,) = summarise({"s": table}, more=More(n_boot=1, progress=False))["scores"]
    assert "fits" not in found
