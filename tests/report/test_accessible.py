"""axe-core finds nothing in the report, whatever its number of scores, width and colours."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocspace as rs
from accessible import violations
from pages import Opened
from rocspace.multiclass import multiclass_scores, ordered_scores
from rocspace.report import More, summarise, write_html


def of_scores(number: int) -> dict[str, Any]:
    rng = np.random.default_rng(number)
    y = rng.random(80) < 0.4
    long = "a score whose name is so long that it does not fit, "
    columns = {
        f"{long * (i == 0)}s{i}": rng.normal(size=80) + y * (2 - i / 8) for i in range(number)
    }
    cases = rs.pair_scores(y, columns)
    tables = {name: cases.table(name) for name in columns}
    if number > 2:
        return summarise(tables, source={"file": "scores.csv", "label": "y"})
    more = More(fold=np.arange(80) % 4, n_boot=40, progress=False)
    return summarise(tables, data=cases, more=more, source={"file": "scores.csv", "label": "y"})


def of_classes() -> dict[str, Any]:
    rng = np.random.default_rng(4)
    y = np.arange(90) % 3
    at = np.eye(3)[y]
    block = {name: np.exp(rng.normal(size=(90, 3)) + d * at) for name, d in (("a", 1), ("b", 2))}
    more = More(costs=1 - np.eye(3), explored="a")
    source = {"file": "classes.csv", "label": "y"}
    return summarise(multiclass_scores(y, block), source=source, more=more)


def of_grades() -> dict[str, Any]:
    rng = np.random.default_rng(4)
    y = np.arange(90) % 3
    scores = {name: rng.normal(y * d, 1) for name, d in (("a", 1), ("b", 2))}
    found = ordered_scores(y, scores, order=[0, 1, 2])
    return summarise(found, source={"file": "grades.csv", "label": "y"})


@pytest.mark.parametrize("shown", [1, 2, 12, "classes", "grades"])
def test_axe_finds_no_violation(browser: Any, tmp_path: Path, shown: Any) -> None:
    pytest.importorskip("axe_playwright_python")
    named = {"classes": of_classes, "grades": of_grades}
    summary = named[shown]() if shown in named else of_scores(shown)
    opened = Opened(browser, write_html(summary, tmp_path / "page.html"))
    # The colours of one score and of twelve are those of two.
    # From 1024 px on only the size of some letters changes.
    assert list(violations(opened.page, contrast=shown in (2, *named), same=1024)) == []
    assert opened.complaints == []
    opened.context.close()


def test_a_violation_would_be_found(browser: Any, tmp_path: Path) -> None:
    pytest.importorskip("axe_playwright_python")
    bad = tmp_path / "bad.html"
    dark = "@media (prefers-color-scheme: dark) { p { color: #222; background: #111; } }"
    scrolls = "<div style='overflow: auto; height: 2rem'><p>a<br>b<br>c<br>d<br>e<br>f</p></div>"
    bad.write_text(
        f"<html data-drawn=yes lang=en><title>a</title><style>{dark}</style>"
        f"<main><h1>a</h1><input>{scrolls}</main>"
    )
    opened = Opened(browser, bad)
    found = list(violations(opened.page, widths=(1024, 1440), same=1024))
    assert any(each.startswith("1024 px, light: label: input") for each in found)
    assert any(each.startswith("1024 px, dark: color-contrast: p") for each in found)
    assert any(each.startswith("1440 px, light: scrollable-region-focusable") for each in found)
    assert not any("light: color-contrast" in each for each in found)
    opened.context.close()
