"""axe-core finds nothing in the report, whatever its number of scores, width and colours."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocspace as rs
from accessible import violations
from pages import Opened
from rocspace.multiclass import multiclass_scores
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
    block = {name: rng.normal(size=(90, 3)) + d * np.eye(3)[y] for name, d in (("a", 1), ("b", 2))}
    return summarise(multiclass_scores(y, block), source={"file": "classes.csv", "label": "y"})


@pytest.mark.parametrize("shown", [1, 2, 12, "classes"])
def test_axe_finds_no_violation(browser: Any, tmp_path: Path, shown: Any) -> None:
    pytest.importorskip("axe_playwright_python")
    summary = of_classes() if shown == "classes" else of_scores(shown)
    opened = Opened(browser, write_html(summary, tmp_path / "page.html"))
    # The colours of one score and of twelve are those of two.
    assert list(violations(opened.page, contrast=shown in (2, "classes"))) == []
    assert opened.complaints == []
    opened.context.close()


def test_a_violation_would_be_found(browser: Any, tmp_path: Path) -> None:
    pytest.importorskip("axe_playwright_python")
    bad = tmp_path / "bad.html"
    bad.write_text("<html data-drawn=yes lang=en><title>a</title><main><h1>a</h1><input></main>")
    opened = Opened(browser, bad)
    assert any("label: input" in each for each in violations(opened.page, widths=(1024,)))
    opened.context.close()
