"""Subgroups: areas and rates of each, by direct calls."""

from __future__ import annotations

import numpy as np
import pytest

import rocspace as rs
from reports import Page
from rocspace.report import More, render_html, summarise

RNG = np.random.default_rng(2)
Y = RNG.random(200) < 0.4
S = RNG.normal(size=200) + Y
GROUP = np.array(["old", "young", "<b>child</b>"])[np.arange(200) % 3]
DATA = rs.pair_scores(Y, {"s": S})


def summary_of(group: object, source: dict[str, object] | None = None) -> dict[str, object]:
    more = More(group=group, progress=False)  # type: ignore[arg-type]
    return summarise({"s": DATA.table("s")}, data=DATA, more=more, source=source)


def test_each_group_is_that_of_the_direct_calls() -> None:
    summary = summary_of(GROUP)
    (score,) = summary["scores"]  # type: ignore[misc]
    threshold = rs.optimal_points(DATA.table("s"))[0].threshold
    assert [group["name"] for group in score["groups"]] == sorted(set(GROUP))
    for group in score["groups"]:
        table = rs.tabulate(Y[group["name"] == GROUP], S[group["name"] == GROUP])
        assert (group["n_pos"], group["n_neg"]) == (table.n_pos, table.n_neg)
        assert group["auc"]["value"] == rs.auc(table)
        point = rs.point_at(table, threshold)
        assert group["tpr"]["value"] == point.tpr
        assert group["ppv"]["low"] == rs.point_interval(point, "ppv").low
    page = Page(render_html(summary))
    assert page.open == []
    assert "Subgroups by group: the same threshold for all" in " ".join(page.text.split())
    assert "<b>child</b>" in page.text


def test_a_group_without_a_class_has_no_area() -> None:
    group = np.where(Y, "ill", np.where(np.arange(200) % 2, "well", "ill"))
    summary = summary_of(group, {"label": "y", "by": "who", "file": "f.csv"})
    ill, well = summary["scores"][0]["groups"]  # type: ignore[index]
    assert ill["auc"] is not None
    assert well["auc"] is well["tpr"]["value"] is None
    assert well["tnr"]["value"] > 0
    assert Page(render_html(summary)).open == []
    (how,) = [each for each in summary["methods"] if each["id"] == "groups"]  # type: ignore[attr-defined]
    assert how["python"] == "rs.delong(rs.fold_tables(data['y'], data['s'], data['who'])['ill'])"
    assert how["shell"].endswith("--by who --json")


def test_bad_groups_are_refused() -> None:
    with pytest.raises(ValueError, match="There are 200 groups, and a report shows at most 100"):
        summary_of(np.arange(200))
    with pytest.raises(ValueError, match="Groups need the cases"):
        summarise({"s": DATA.table("s")}, more=More(group=GROUP))
