"""Summaries that the tests of the report share, and a page as they read it."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from typing import Any

import numpy as np

import rocspace as rs
from rocspace import datasets
from rocspace.report import More, summarise

N = 240
FOLD = np.arange(N) % 4
SCORE = [
    *("name", "error", "direction", "weighted", "n", "n_pos", "n_neg", "n_eff", "prevalence"),
    *("distinct", "lowest", "highest", "tie_chance", "auc", "gini", "ks", "youden", "eer"),
    *("closest_to_perfect", "partial_auc", "operating_points", "curve", "histogram"),
]
HOSTILE = [
    "<script>alert(1)</script>",
    "</script><script>alert(2)</script>",
    "<!-- <script>",
    "{{ 7 * 7 }}{% raw %}",
    "a\u2028b'\"\\\n`${x}",
    "a.b[c]",
    "datum.x",
    "\ud800 lone",
    "<img src=x onerror=alert(3)>",
]


VOID = {"meta", "br", "wbr", "input"}


class Page(HTMLParser):
    """Elements, their attributes, and the texts outside scripts and styles."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.text = ""
        self.open: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "script":
            self.scripts.append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "script":
            self.scripts[-1] += data
        elif not self.open or self.open[-1] != "style":
            self.text += data


def adult_summary() -> dict[str, Any]:
    data = datasets.load("adult_scores")
    tables = {name: rs.tabulate(data.y_true, data.columns[name]) for name in data.scores}
    source = {"file": "data/adult.csv", "rows": len(data), "label": "label", "positive": 1}
    more = {"dropped": {"label": 0}, "scores_chosen": "by name", "labels": {"0": 1, "1": 2, "2": 3}}
    return summarise(tables, source=source | more)


def full_summary(names: tuple[str, ...] = ("good", "fair", "poor")) -> dict[str, Any]:
    rng = np.random.default_rng(8)
    y = rng.random(150) < 0.5
    columns = {name: rng.normal(size=150) + (2 - i) * y for i, name in enumerate(names)}
    data = rs.pair_scores(y, columns)
    tables = {name: data.table(name) for name in names}
    fold = np.array([names[0], "<i>two</i>"])[np.arange(150) % 2]
    more = More(fold=fold, n_boot=60, progress=False)
    source = {"file": "f.csv", "label": "y", "positive": "yes", "fold": names[0]}
    return summarise(tables, data=data, more=more, source=source)


def hostile_summary() -> dict[str, Any]:
    rng = np.random.default_rng(0)
    y = rng.random(60) < 0.5
    tables = {name: rs.tabulate(y, rng.normal(size=60) + y) for name in HOSTILE}
    tables["<b>one class</b>"] = rs.tabulate([1, 1], [1, 2])
    source = dict.fromkeys(("file", "label", "positive", "weight"), "<script>alert(4)</script>")
    return summarise(tables, source=source | {"dropped": {HOSTILE[0]: 3}, HOSTILE[1]: HOSTILE[2]})


def tables(name: str = "adult_scores") -> dict[str, rs.ScoreTable]:
    data = datasets.load(name)
    return {score: rs.tabulate(data.y_true, data.columns[score]) for score in data.scores}


def one(table: rs.ScoreTable, **options: Any) -> dict[str, Any]:
    """The only score of a summary, after a round trip through JSON."""
    summary = summarise({"score": table}, **options)
    assert json.loads(json.dumps(summary, allow_nan=False)) == summary
    return summary["scores"][0]


def codes(table: rs.ScoreTable, **options: Any) -> list[str]:
    return [each["code"] for each in summarise({"score": table}, **options)["warnings"]]
