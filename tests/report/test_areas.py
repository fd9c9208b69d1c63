"""Areas by themselves, and reports of more scores than are described in full."""

from __future__ import annotations

import re

import numpy as np
import pytest

from rocspace import auc, pair_scores, tabulate
from rocspace.report import More, render_html, summarise
from rocspace.report import summary as summary_module
from rocspace.report.areas import summarise_areas


def _tables(m: int, n: int = 60) -> dict:
    rng = np.random.default_rng(3)
    y = np.arange(n) % 2
    return {f"s{j}": tabulate(y, rng.normal(size=n) + 0.1 * j * y) for j in range(m)}


def test_areas_are_those_of_the_whole_summary():
    tables = {
        **_tables(3),
        "one class": tabulate([1, 1], [1, 2]),
        "lower": tabulate([0, 0, 1, 1], [4, 3, 3, 1], higher_is_positive=False),
        "weighted": tabulate([0, 0, 1, 1], [1, 2, 2, 3], sample_weight=[1, 2, 1.5, 1]),
    }
    source = {"file": "x.csv", "counting": dict.fromkeys(tables, "exact")}
    brief = summarise_areas(tables, source=source, level=0.9)
    whole = summarise(tables, source=source, level=0.9)
    assert brief["source"] == whole["source"]
    assert brief["warnings"] == whole["warnings"]
    for ours, theirs in zip(brief["scores"], whole["scores"], strict=True):
        assert ours == {key: theirs[key] for key in ours}
        assert {"auc", "gini", "ks", "n", "n_pos", "direction", "weighted", "error"} <= set(ours)


def test_only_the_best_scores_are_described_in_full(monkeypatch):
    monkeypatch.setattr(summary_module, "_DEEP", 1)  # each takes a second
    tables = _tables(7)
    y, n = np.arange(60) % 2, 60
    rng = np.random.default_rng(3)
    data = pair_scores(y, {f"s{j}": rng.normal(size=n) + 0.1 * j * y for j in range(7)})
    areas = {name: data.table(name) for name in data.names}
    assert areas["s3"].score.tolist() == tables["s3"].score.tolist()
    summary = summarise(tables, data=data, more=More(most=4, n_boot=50))
    full = [score["name"] for score in summary["scores"]]
    rest = [score["name"] for score in summary["further"]]
    assert len(full) == 4
    assert sorted(full + rest) == sorted(tables)
    assert full == sorted(full, key=lambda name: -auc(areas[name]))  # the best first
    values = [score["auc"]["value"] for score in summary["further"]]
    assert values == sorted(values, reverse=True)
    assert min(score["auc"]["value"] for score in summary["scores"]) >= values[0]
    assert summary["comparison"]["names"] == full
    deep = [score["name"] for score in summary["scores"] if "fits" in score]
    assert deep == full[:1]
    summary["source"]["scores_chosen"] = "every numeric column"
    page = render_html(summary)
    assert "Further scores" in page
    assert re.search(r"<dt>Scores</dt>\s*<dd>7 ", page)  # all of them, not those in full
    assert all(f'title="{name}"' in page for name in rest)
    alone = summarise_areas(tables, source={}, level=0.95)["scores"]
    assert {score["name"]: score for score in alone}[rest[0]] == summary["further"][0]


def test_no_further_scores_without_need():
    tables = _tables(3, 20)
    assert summary_module._divided(tables, More(most=3)) == (tables, {})
    assert summary_module._divided(tables, None) == (tables, {})
    assert [*summary_module._divided(tables, More(most=1))[0]] == ["s1"]
    with pytest.raises(ValueError, match="most is 0"):
        summarise(tables, more=More(most=0))
