"""What was read, and the answer in words."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

import rocspace as rs
from reports import Page
from rocspace._base.text import p_equals
from rocspace.report import More, render_html, summarise
from rocspace.report.drawing import ranked


def test_the_page_has_the_answer_in_words_and_numbers(html: str) -> None:
    page = Page(html)
    assert page.open == []
    text = " ".join(page.text.split())
    for part in (
        "adult.csv",
        "32,561",
        "7,841",
        "24.1\u202f%",
        "hgb ranks best: AUC 0.927 (95\u202f% CI 0.924 to 0.930).",
        "logreg follows with 0.904 (0.900 to 0.907).",
        "by name",
        "0: 1, 1: 2, 2: 3",
        "How each number was made",
        "DeLong, DeLong and Clarke-Pearson (1988)",
        "rs.delong(table).interval(0.95)",
        "Of 1,000 cases, 241 are positive (label = 1).",
        "356 are called positive: 211 rightly, 145 wrongly; 30 are missed.",
        "Beside logreg at its own best threshold, it finds 10 more positives, with 5 fewer false",
        "(of pairs, not of cases: 825 of 1,000 are called correctly)",
        "To decide: how many false alarms is one miss worth?",
        "sensitivity 0.877 (0.869 to 0.884) and specificity 0.809 (0.804 to 0.814)",
        "the positive and negative predictive values are 0.593 and 0.954 at a prevalence of 24.1",
        "a missed positive costs as much as 3.15 false positives",
        f"rocspace {rs.__version__}",
    ):
        assert " ".join(part.split()) in text


def test_ties_and_failures_are_said() -> None:
    table = rs.tabulate([0, 0, 1, 1], [1.0, 2, 2, 3])
    text = Page(render_html(summarise({"a": table, "b": table}))).text
    assert "ties for best: AUC 0.875" in text
    assert "b has as much: 0.875" in text
    assert "follows with" not in text
    y = [0, 1] * 20
    many = Page(render_html(summarise({"s": rs.tabulate(y, np.arange(40))}))).text
    assert "thresholds tie for the best Youden index; the first 10 are listed." in many


def test_the_first_sentence_says_where_the_order_may_be_chance() -> None:
    y = [1, 1, 0, 0, 1, 0, 1, 0]
    columns = {"a": [9, 4, 4, 2, 7, 1, 8, 5], "b": [6, 7, 3, 8, 1, 2, 9, 4]}
    data = rs.pair_scores(y, columns)
    tables = {name: data.table(name) for name in data.names}
    text = " ".join(Page(render_html(summarise(tables, data=data))).text.split())
    assert "a ranks first with AUC 0.906" in text
    assert "; its lead may be chance." in text
    assert "a minus b, may be chance" in text
    assert "may be chance: p = 0.47, paired test" in text


def test_dropped_rows_are_added_up_only_where_they_differ() -> None:
    table = rs.tabulate([0, 0, 1, 1], [1.0, 2, 2, 3])

    def told(dropped: dict[str, int], *names: str) -> str:
        source = {"dropped": dropped}
        text = Page(render_html(summarise(dict.fromkeys(names, table), source=source))).text
        return text[text.index("Dropped") :]

    assert re.match(r"Dropped\s+5\s+3 without y, 2 without a", told({"y": 3, "a": 2}, "a"))
    assert re.match(r"Dropped\s+5\s+3 without y, 2 without w", told({"y": 3, "w": 2}, "a", "b"))
    # The rows without a may be those without b.
    assert re.search(
        r"Dropped\s+differ\s+3 without a, 2 without b", told({"a": 3, "b": 2}, "a", "b")
    )


def test_the_p_value_of_the_two_best_allows_for_all_comparisons() -> None:
    """Of many scores the two best differ by more than two fixed ones would."""
    rng = np.random.default_rng(5)
    y = np.repeat([0, 1], [150, 100])
    data = rs.pair_scores(y, {f"s{i}": y + rng.normal(size=y.size) * 1.4 for i in range(8)})
    summary = summarise({name: data.table(name) for name in data.names}, data=data)
    first, second = (score["name"] for score in ranked(summary)[:2])
    pairs = summary["comparison"]["pairs"]
    (pair,) = (each for each in pairs if {each["first"], each["second"]} == {first, second})
    assert pair["adjusted_pvalue"] > pair["test"]["pvalue"]
    text = " ".join(Page(render_html(summary)).text.split())
    said = p_equals(pair["adjusted_pvalue"])
    assert f"may be chance: {said}, adjusted for {len(pairs)} comparisons as" in text
    assert f"{first} ranks first with AUC" in text
    assert f"{first} minus {second}, may be chance" in text


def test_names_break_at_their_underscores() -> None:
    name = "deep_net<v2>_of.all/folds"
    html = render_html(summarise({name: rs.tabulate([0, 1, 0, 1], [1, 2, 3, 4])}))
    assert "deep_<wbr>net&lt;v2&gt;_<wbr>of.<wbr>all/<wbr>folds</b> has" in html


def test_charts_of_several_scores_have_keys_and_one_score_needs_none(full: dict[str, Any]) -> None:
    assert render_html(full).count('class="key inline"') == 2  # precision and recall, decisions
    table = rs.tabulate([0, 1, 0, 1], [1, 2, 3, 4])
    alone = render_html(summarise({"s": table}, more=More(progress=False)))
    assert 'class="key inline"' not in alone


def test_of_many_scores_long_tables_are_folded_and_names_in_the_verdict_break() -> None:
    rng = np.random.default_rng(5)
    y = np.arange(60) % 2
    data = rs.pair_scores(y, {f"a_{i}": y + rng.normal(size=60) for i in range(5)})
    found = {name: data.table(name) for name in data.names}
    html = render_html(summarise(found, data=data, more=More(n_boot=60, progress=False)))
    assert "predictive values of 5 scores</summary>" in html
    assert re.search(r"a_<wbr>\d minus a_<wbr>\d, ", html)
    few = {name: found[name] for name in data.names[:4]}
    assert "predictive values of" not in render_html(summarise(few, more=More(progress=False)))
