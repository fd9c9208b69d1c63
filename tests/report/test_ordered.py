"""The report about classes that have an order: its numbers, its page, and that it is safe."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocspace as rs
from reports import HOSTILE, Page
from rocspace.counts import SingleClassError
from rocspace.multiclass import (
    best_cuts,
    compare_classifiers,
    ordered_scores,
    roc_surface,
    vus_estimate,
)
from rocspace.report import More, render_html, summarise

STAGES = ["none", "early", "late"]


def stages(k: int = 3, n: int = 20, labels: Any = None) -> Any:
    rng = np.random.default_rng(5)
    known = (STAGES if k == 3 else [f"s{i}" for i in range(k)]) if labels is None else labels
    at = np.repeat(np.arange(k), n)
    scores = {"a": np.round(rng.normal(1.2 * at), 2), "b": rng.normal(size=at.size)}
    return ordered_scores([known[i] for i in at], scores, order=known)


def lead(summary: dict[str, Any]) -> str:
    """Return the first sentence of the page."""
    text = re.sub(
        r"<[^>]*>", "", render_html(summary).split('<p class="lead">')[1].split("</p>")[0]
    )
    return " ".join(text.split())


@pytest.fixture(scope="module")
def summary() -> dict[str, Any]:
    return summarise(stages())


def test_every_number_is_the_library_s(summary: dict[str, Any]) -> None:
    data = stages()
    json.dumps(summary, allow_nan=False)
    assert [each["label"] for each in summary["classes"]] == STAGES
    for each in summary["scores"]:
        volume, cuts = vus_estimate(data, each["name"]), best_cuts(data, each["name"])
        assert (each["vus"]["value"], each["vus"]["se"]) == (volume.value, volume.se)
        assert each["vus"]["interval"]["low"] == volume.interval().low
        assert each["cuts"]["cut"] == cuts.cut.tolist()
        assert each["cuts"]["rate"] == cuts.rate.tolist()
        rate, middle = each["surface"]["rate"], each["surface"]["middle"]
        expected = roc_surface(data, np.reshape(rate, (-1, 1)), rate, each["name"])
        np.testing.assert_array_equal(middle, expected)
    gap = compare_classifiers(data, measure="vus").pairs[0].difference
    assert summary["comparison"]["pairs"][0]["value"] == gap.value


def test_the_page_shows_the_best_marker_and_warns_of_the_other(summary: dict[str, Any]) -> None:
    page = render_html(summary)
    assert "a</b> ranks best" in page
    assert "covariance of the two volumes" in page
    assert [(each["code"], each["score"]) for each in summary["warnings"]] == [
        ("volume_by_chance", "b")
    ]
    assert 'data-chart="surface"' in page
    more = render_html(summarise(stages(k=5)))
    assert 'data-chart="surface"' not in more
    assert "1/120" in more


def test_what_falls_is_warned_of() -> None:
    data = stages()
    labels = np.array(STAGES)[data.label]
    found = summarise(ordered_scores(labels, -data.score[:, 0], order=STAGES))
    assert [each["code"] for each in found["warnings"]] == ["volume_below_chance"]
    assert "fall where they should rise through the 3 classes: volume" in lead(found)
    assert "put in their order" not in lead(found)
    perfect = summarise(ordered_scores(labels, data.label, order=STAGES))
    assert "The 3 classes are put in their order: volume 1" in lead(perfect)
    assert [each["code"] for each in perfect["warnings"]] == ["perfect_separation"]


def test_what_may_be_chance_is_called_so() -> None:
    data = stages()
    labels = np.array(STAGES)[data.label]
    alone = summarise(ordered_scores(labels, data.score[:, 1], order=STAGES))
    assert "may put the 3 classes in their order by chance alone: volume" in lead(alone)
    both = {"b": data.score[:, 1], "c": -data.score[:, 0]}
    several = summarise(ordered_scores(labels, both, order=STAGES))
    assert "but may be no better than chance: volume" in lead(several)


def test_hostile_names_stay_text() -> None:
    source = dict.fromkeys(("file", "label", "weight"), "<script>alert(4)</script>")
    page = Page(render_html(summarise(stages(labels=list(HOSTILE[:3])), source=source)))
    assert page.open == []
    assert len(page.scripts) == 3
    assert not {"img", "i"} & {tag for tag, _ in page.elements}
    for name in HOSTILE[:3]:
        assert name in page.text


def test_what_does_not_belong_is_refused() -> None:
    with pytest.raises(ValueError, match="costs go with a column for each class"):
        summarise(stages(), more=More(costs=1 - np.eye(3)))
    with pytest.raises(ValueError, match="goes with tables of two classes"):
        summarise(stages(), references={"x": rs.roc_curve(rs.tabulate([0, 1], [0, 1]))})
    with pytest.raises(SingleClassError, match="no case is of 'z'"):
        summarise(ordered_scores(["x", "y"], [1, 2], order=["x", "y", "z"]))


def test_the_page_about_json_lists_every_field_and_no_other(summary: dict[str, Any]) -> None:
    from report.test_summary import keys

    page = (Path(__file__).parents[2] / "docs" / "json.md").read_text(encoding="utf-8")
    listed = {
        part.split("`", 1)[0]: set(re.findall(r"^\| `([^`]+)` \|", part, re.MULTILINE))
        for part in page.split("## `")[1:]
    }
    found = {key for key in keys(summary) if not key.startswith("comparison.")}
    assert found == listed["rocspace.ordered_summary/1"]
