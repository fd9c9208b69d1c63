"""The page: whole, offline, safe against hostile names, replaced at once."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocspace as rs
from reports import HOSTILE, Page, full_summary, hostile_summary
from rocspace._base import text as words
from rocspace.report import render_html, summarise, write_html
from rocspace.report.html import _library, json_for_html


def test_the_page_is_small_semantic_and_labelled(html: str) -> None:
    assert len(html.encode()) < 1.5e6
    page = Page(html)
    tags = [tag for tag, _ in page.elements]
    assert {"header", "main", "footer", "section", "table", "figure", "h1"} <= set(tags)
    assert tags.count("h1") == 1
    ids = [attrs["id"] for _, attrs in page.elements if "id" in attrs]
    assert len(ids) == len(set(ids))
    wanted = [attrs["aria-labelledby"] for _, attrs in page.elements if "aria-labelledby" in attrs]
    assert set(wanted) <= set(ids)
    drawn = [attrs for _, attrs in page.elements if "data-chart" in attrs]
    assert all(attrs["aria-label"] for attrs in drawn)
    shown = {attrs["data-chart"] for attrs in drawn} - {"histogram"}  # a copy of score-1's
    assert shown == set(json.loads(page.scripts[0])["charts"])


def test_the_page_asks_for_nothing_from_outside(html: str) -> None:
    page = Page(html)
    assert not {"link", "img", "iframe", "base", "form"} & {tag for tag, _ in page.elements}
    for _, attrs in page.elements:
        assert not {"src", "style", "srcset"} & set(attrs)
        assert not any(name.startswith("on") for name in attrs)
        assert (attrs.get("href") or "#").startswith("#")
    assert re.search(r"https?://", html.replace(_library(), "")) is None
    assert "@import" not in html.replace(_library(), "")
    assert "url(" not in html[: html.index("</style>")]


def test_the_policy_allows_only_the_scripts_of_the_page(html: str) -> None:
    page = Page(html)
    (policy,) = [
        attrs["content"]
        for _, attrs in page.elements
        if "content-security-policy" in str(attrs).lower()
    ]
    assert policy is not None
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy
    data, *scripts = page.scripts
    assert json.loads(data)
    assert len(scripts) == 2
    for script in scripts:
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy


def test_a_summary_read_from_json_gives_the_same_page(summary: dict[str, Any], html: str) -> None:
    assert render_html(json.loads(json.dumps(summary, allow_nan=False))) == html


def test_a_long_title_breaks_at_its_underscores(summary: dict[str, Any]) -> None:
    page = render_html(summary, title="<b>_of_a.csv")
    assert "<h1>&lt;b&gt;_<wbr>of_<wbr>a.<wbr>csv</h1>" in page
    assert "<title>&lt;b&gt;_of_a.csv · ROC report</title>" in page


def test_another_schema_is_refused(summary: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"schema 'rocspace\.summary/2'"):
        render_html(summary | {"schema": "rocspace.summary/2"})


def test_the_full_page_compares_and_tells_how_sure_it_is(whole: dict[str, Any]) -> None:
    page = Page(render_html(whole))
    assert page.open == []
    text = " ".join(page.text.split())
    (gap,) = (
        p for p in whole["comparison"]["pairs"] if {p["first"], p["second"]} == {"good", "fair"}
    )
    value = abs(gap["value"])
    for part in (
        f"The difference of {value:.3f}",
        "good minus poor",
        "That all 3 areas are equal: F ",
        "Where the two best curves differ",
        "Which score costs least",
        "Cheapest",
        "Likelihood Bootstrap envelope Kolmogorov-Smirnov Bootstrap at each rate",
        "Areas of each fold's test cases",
        "Measured. At level 0.95 it covers in",
        "rocspace compare f.csv --label y --positive yes --score good",
        "rocspace average f.csv",
        "--fold good",
        "rs.bands.roc_band(table, method='ks', level=0.95)",
    ):
        assert " ".join(part.split()) in text, part


def test_the_contents_lead_to_every_section(whole: dict[str, Any], html: str) -> None:
    for made, wanted in ((render_html(whole), 10), (html, 4)):
        page = Page(made)
        ids = {attrs["id"] for _, attrs in page.elements if "id" in attrs}
        links = [attrs["href"] for tag, attrs in page.elements if tag == "a"]
        inside = [link for link in links if link]
        assert {link.removeprefix("#") for link in inside} <= ids
        at = made.index('<nav class="contents"')
        assert made[at : made.index("</nav>")].count("<a href=") == wanted


def test_a_full_page_is_small_semantic_and_labelled(whole: dict[str, Any]) -> None:
    html = render_html(whole)
    assert len(html.encode()) < 1.6e6
    page = Page(html)
    ids = [attrs["id"] for _, attrs in page.elements if "id" in attrs]
    assert len(ids) == len(set(ids))
    described = (attrs.get("aria-describedby") or "" for _, attrs in page.elements)
    wanted = {name for names in described for name in names.split()}
    assert wanted <= set(ids)
    drawn = [attrs for _, attrs in page.elements if "data-chart" in attrs]
    assert all(attrs["aria-label"] for attrs in drawn)
    shown = {attrs["data-chart"] for attrs in drawn} - {"histogram"}
    assert shown == set(json.loads(page.scripts[0])["charts"])
    for _, attrs in page.elements:
        assert not {"src", "style", "srcset"} & set(attrs)


def test_hostile_names_stay_text_in_every_section() -> None:
    summary = full_summary(tuple(HOSTILE[:4]))
    html = render_html(summary)
    page = Page(html)
    assert page.open == []
    _, *scripts = page.scripts
    assert len(scripts) == 2
    assert not {"img", "i"} & {tag for tag, _ in page.elements}
    assert not any("alert(" in script for script in scripts if script != _library())
    assert "<i>two</i>" in page.text
    charts_of = json.loads(page.scripts[0])["charts"]
    for name in ("bands", "granular", "granular-areas", "folds", "difference"):
        assert "alert" not in json.dumps(charts_of[name])
    known = json.loads(page.scripts[0])["uncertain"]
    assert sorted(score["name"] for score in known) == sorted(HOSTILE[:4])


def test_hostile_names_stay_text() -> None:
    html = render_html(hostile_summary(), title="</title><script>alert(5)</script>")
    page = Page(html.encode("utf-8", "xmlcharrefreplace").decode())
    assert page.open == []
    data, *scripts = page.scripts
    assert len(scripts) == 2
    assert not any("alert(" in script for script in scripts if script != _library())
    assert "img" not in {tag for tag, _ in page.elements}
    for name in HOSTILE[:4]:
        assert name in page.text
    assert "<b>one class</b>" in page.text
    assert "alert(5)" in page.text
    drawn = json.loads(data)
    names = [row["name"] for row in drawn["charts"]["roc"]["datasets"]["curve"]]
    assert sorted(names) == sorted(HOSTILE)
    assert sorted(score["name"] for score in drawn["scores"]) == sorted(HOSTILE)


@given(st.text())
def test_json_in_html_cannot_leave_its_element(text: str) -> None:
    written = json_for_html({"a": text, text: [text]})
    assert written.isascii()
    assert not set("<>&\n\u2028") & set(written)
    assert json.loads(written) == {"a": text, text: [text]}


@pytest.mark.filterwarnings("ignore:(Only|None)")
@pytest.mark.parametrize(
    "table",
    [
        rs.ScoreTable.from_counts([1], [3], [4]),
        rs.tabulate([0, 1], [1, 2]),
        rs.tabulate([1, 1], [1, 2]),
        rs.tabulate([0, 1, 1], [np.inf, -np.inf, np.inf]),
        rs.tabulate([0, 1, 1], [2**60, 2**60 + 1, 2**60 + 2]),
        rs.tabulate([0, 1, 0, 1], [1e-300, 1e300, -1e300, 3], sample_weight=[1, 2, 0.5, 1e-9]),
        rs.tabulate([0, 1, 0], [0.1, 0.2, 0.3], higher_is_positive=False),
        rs.tabulate([0, 1, 0], np.array([0.1, 0.2, 0.3], dtype=np.float32)),
    ],
    ids=["row", "perfect", "class", "inf", "int", "weight", "lower", "float32"],
)
def test_odd_tables_give_a_sound_page(table: rs.ScoreTable) -> None:
    summary = summarise({"score": table})
    page = Page(render_html(summary))
    assert page.open == []
    if table.n_pos and table.n_neg:
        assert words.share(rs.auc(table)) in page.text
    else:
        assert "No score could be evaluated." in page.text


def test_a_million_rows_make_a_small_page() -> None:
    rng = np.random.default_rng(0)
    y = rng.random(10**6) < 0.1
    page = render_html(summarise({"s": rs.tabulate(y, rng.normal(size=10**6) + y)}))
    assert len(page) < 1.5e6


def test_the_file_is_replaced_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, summary: dict[str, Any], html: str
) -> None:
    target = tmp_path / "report.html"
    target.write_text("old")
    assert write_html(summary, target) == target
    assert target.read_text(encoding="utf-8") == html

    def full_disk(self: Path, target: Path) -> Path:
        msg = "disk whole"
        raise OSError(msg)

    monkeypatch.setattr(Path, "replace", full_disk)
    with pytest.raises(OSError, match="disk whole"):
        write_html(summary, target, title="new")
    assert target.read_text(encoding="utf-8") == html
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


def test_hostile_names_can_be_written(tmp_path: Path) -> None:
    path = write_html(hostile_summary(), str(tmp_path / "a.html"))
    assert Page(path.read_text(encoding="utf-8")).open == []


def test_a_missing_folder_is_named(tmp_path: Path, summary: dict[str, Any]) -> None:
    with pytest.raises(FileNotFoundError, match=r"There is no folder .*nowhere.* Make it first"):
        write_html(summary, tmp_path / "nowhere" / "a.html")
