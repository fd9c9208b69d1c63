"""A section is one module, one template and one line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocspace as rs
from reports import Page
from rocspace.report import render_html, sections, summarise
from rocspace.report.explained import entries
from rocspace.report.plain import plain
from rocspace.report.section import Section


def test_a_section_is_one_module_one_template_and_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def most_common(score: Any, table: rs.ScoreTable, work: Any) -> dict[str, Any]:
        return {"most_common": plain(table.score[np.argmax(table.pos + table.neg)])}

    def how(summary: Any, shell: Any) -> Any:
        lines = ("most_common: Commonest score", "  Of both classes.", "  Shell: rocspace columns")
        return entries("\n".join(lines), shell)

    commonest = Section(
        "commonest",
        title="Commonest",
        of_score=most_common,
        view=lambda summary: [score["most_common"] for score in summary["scores"]],
        charts=lambda summary: {"commonest": {"mark": "point"}},
        methods=how,
        template='<section id="commonest"><p>Most common: {{ page.commonest[0] }}</p></section>',
    )
    monkeypatch.setattr(sections, "SECTIONS", (*sections.SECTIONS, commonest))
    summary = summarise({"score": rs.tabulate([0, 0, 1, 1], [1.0, 2, 2, 3])})
    assert summary["scores"][0]["most_common"] == 2
    html = render_html(summary)
    page = Page(html)
    assert page.open == []
    assert "Most common: 2.0" in page.text
    assert "Commonest score" in page.text
    assert '<a href="#commonest">Commonest</a>' in html
    assert json.loads(page.scripts[0])["charts"]["commonest"] == {"mark": "point"}


def test_each_section_has_a_template_of_its_name() -> None:
    folder = Path(sections.__file__).parent.parent / "templates"
    for section in sections.SECTIONS:
        assert (folder / f"{section.name}.html").is_file()
        assert (Path(sections.__file__).parent / f"{section.name}.py").is_file()
