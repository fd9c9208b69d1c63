"""Scores of the same cases, compared."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rocspace as rs
from reports import Page
from rocspace._base import text as words
from rocspace.bands import difference_band
from rocspace.compare import compare_aucs
from rocspace.costs import relative_superiority
from rocspace.report import More, render_html, summarise


def test_comparisons_are_those_of_the_direct_calls(
    full: dict[str, Any], cases: rs.PairedScores
) -> None:
    found, direct = full["comparison"], compare_aucs(cases)
    assert found["names"] == list(direct.names)
    assert found["covariance"] == direct.covariance.tolist()
    assert found["overall"]["pvalue"] == direct.overall.pvalue
    assert found["reference"] is None
    for shown, pair in zip(found["pairs"], direct.pairs, strict=True):
        assert (shown["first"], shown["second"]) == (pair.first, pair.second)
        assert (shown["value"], shown["se"]) == (pair.difference.value, pair.difference.se)
        ends = shown["interval"]
        assert (ends["low"], ends["high"]) == tuple(pair.difference.interval(0.95))
        assert shown["test"]["pvalue"] == pair.test.pvalue
        assert shown["adjusted_pvalue"] == pair.adjusted_pvalue
    gap = found["difference"]
    band = difference_band(cases, "a", "b", n_boot=60, rng=3)
    assert (gap["first"], gap["second"], gap["replicates"]) == ("a", "b", 60)
    for at in (3, 50, 97):
        low, high = band.at_fpr(gap["fpr"][at])
        assert gap["low"][at] == pytest.approx(low, abs=1e-12)
        assert gap["high"][at] == pytest.approx(high, abs=1e-12)
    inside = np.zeros(band.fpr.size, dtype=bool)
    for run in gap["differs"]:
        inside |= (band.fpr >= run["low"]) & (band.fpr <= run["high"])
    assert (inside == band.differs).all()
    prevalence = full["scores"][0]["prevalence"]
    tables_ = {name: cases.table(name) for name in cases.names}
    costs = relative_superiority(tables_, prevalence=prevalence)
    for share in np.linspace(0.013, 0.987, 41):
        shown = found["costs"]["best"][np.searchsorted(found["costs"]["share"], share) - 1]
        assert tuple(shown) == costs.best[np.searchsorted(costs.share, share) - 1]


def test_many_scores_are_compared_with_the_best(cases: rs.PairedScores) -> None:
    rng = np.random.default_rng(2)
    y = rng.random(60) < 0.5
    many = {f"s{i}": rng.normal(size=60) + (i == 4) * y for i in range(10)}
    data = rs.pair_scores(y, many)
    summary = summarise({name: data.table(name) for name in many}, data=data, more=More(n_boot=60))
    found = summary["comparison"]
    best = max(summary["scores"], key=lambda score: score["auc"]["value"])["name"]
    assert found["reference"] == best
    assert len(found["pairs"]) == 9
    with pytest.raises(ValueError, match=r"data has the scores s0, .* but the tables are those"):
        summarise({"other": data.table("s0")}, data=data)
    with pytest.raises(ValueError, match="Folds need the cases"):
        summarise({"s0": data.table("s0")}, more=More(fold=[1]))


def test_a_sure_difference_and_an_unsure_one() -> None:
    rng = np.random.default_rng(0)
    y = np.arange(80) % 2
    noise = rng.normal(size=80)
    columns = {
        "a": noise + 2 * y,
        "b": rng.normal(size=80),
        "c": noise + 2 * y + rng.normal(size=80) / 9,
    }

    def said(*names: str) -> str:
        data = rs.pair_scores(y, {name: columns[name] for name in names})
        more = More(n_boot=60, progress=False)
        tables = {name: data.table(name) for name in names}
        return Page(render_html(summarise(tables, data=data, more=more))).text

    assert "is more than chance would explain: p <0.0001" in said("a", "b")
    assert "may be chance: p =" in said("a", "c")


def test_differences_are_those_of_the_better_score_minus_the_other() -> None:
    rng = np.random.default_rng(3)
    y = np.arange(80) % 2
    data = rs.pair_scores(y, {"bad": rng.normal(size=80), "good": 3 * y + rng.normal(size=80)})
    summary = summarise({name: data.table(name) for name in data.names}, data=data)
    (pair,) = summary["comparison"]["pairs"]
    assert pair["first"] == "bad"
    assert pair["value"] < 0
    html = render_html(summary)
    part = html[html.index('<table class="areas">', html.index('id="compare"')) :]
    text = " ".join(Page(part[: part.index("</table>")] + "</table>").text.split())
    ends = (-pair["interval"]["high"], -pair["interval"]["low"])
    assert f"good minus bad {' '.join(words.estimate(-pair['value'], *ends))}" in text
    whole = " ".join(Page(html).text.split())
    assert f"{words.estimate(-pair['value'], *ends)[0]} (" in whole
    assert "Cheapest in this sample (whether costs differ was not tested)" in whole
