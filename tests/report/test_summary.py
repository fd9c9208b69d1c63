"""The summary: its schema, its settings, all sorts of tables."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocspace as rs
from reports import SCORE, one, tables
from rocspace.report import More, summarise
from rocspace.report.summary import SCHEMA

TOP = ["schema", "rocspace", "source", "settings", "scores", "warnings", "methods"]


MORE = [
    *("calibration", "precision_recall", "decision", "gains", "predictive_values"),
    *("bands", "granular", "folds", "fits"),
]


def test_keys_come_in_the_documented_order() -> None:
    source = {"file": Path("a/b.csv"), "dropped": {"x": np.int64(3)}, "more": (1, float("inf"))}
    summary = summarise(tables("fawcett20"), source=source, level=0.9)
    assert list(summary) == TOP
    assert summary["schema"] == SCHEMA == "rocspace.summary/1"
    assert summary["source"] == {"file": "a/b.csv", "dropped": {"x": 3}, "more": [1, "inf"]}
    assert summary["settings"] == {
        "level": 0.9,
        "fpr": [0.01, 0.05, 0.1, 0.2],
        "tpr": [0.8, 0.9, 0.95, 0.99],
    }
    assert [list(score) for score in summary["scores"]] == [SCORE]
    assert json.loads(json.dumps(summary, allow_nan=False)) == summary


def test_every_key_is_documented() -> None:
    text = sys.modules["rocspace.report.summary"].__doc__ or ""
    score = one(rs.tabulate([0, 1, 1], [1, 2, 3]))
    point, curve = score["operating_points"][0], score["curve"]
    keys = [*TOP, *SCORE, *score["auc"], *point, *point["rates"], *curve, *score["histogram"]]
    assert [key for key in keys if key not in text] == []


def test_failed_scores_have_the_same_keys_and_do_not_stop_the_others() -> None:
    given_tables = {
        "fine": rs.tabulate([0, 1], [1, 2]),
        "no negatives": rs.tabulate([1, 1], [1, 2]),
        "no positives": rs.tabulate([0, 0], [1.5, 2]),
        "nothing": rs.ScoreTable.from_counts([1.0], [0], [0]),
    }
    summary = summarise(given_tables)
    fine, *failed = summary["scores"]
    assert fine["error"] is None
    assert all(list(score) == SCORE for score in failed)
    assert failed[0]["error"].startswith("There are 2 positives and 0 negatives")
    assert failed[0]["auc"] is None
    assert failed[0]["histogram"]["pos"] == [1, 1]
    assert failed[2]["prevalence"] is failed[2]["histogram"] is None
    assert "single_class" in {each["code"] for each in summary["warnings"]}
    assert json.dumps(summary, allow_nan=False)


def test_bad_settings_are_refused() -> None:
    table = {"score": rs.tabulate([0, 1], [1, 2])}
    with pytest.raises(ValueError, match="tables is empty"):
        summarise({})
    with pytest.raises(ValueError, match="level is 95"):
        summarise(table, level=95)
    with pytest.raises(ValueError, match=r"fpr is 1\.5"):
        summarise(table, fpr=[1.5])


def test_importing_the_report_loads_nothing_heavy() -> None:
    heavy = ("altair", "jinja2", "vl_convert", "scipy", "numba", "polars")
    code = f"import sys, rocspace.report; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_weights_infinities_integers_and_direction() -> None:
    y = [0, 1, 0, 1, 1]
    weighted = one(rs.tabulate(y, [1, 2, 3, 4, 5], sample_weight=[1, 0.5, 2, 1, 1]))
    assert weighted["weighted"]
    assert weighted["auc"]["test"] is None
    assert weighted["n_pos"] == 2.5
    lower = one(rs.tabulate(y, [5, 4, 3, 2, 1], higher_is_positive=False))
    assert lower["direction"] == "lower"
    assert lower["curve"]["threshold"][0] == "-inf"
    assert (lower["lowest"], lower["highest"]) == (1, 5)
    infinite = one(rs.tabulate(y, [-np.inf, 1, 2, np.inf, np.inf]))
    assert infinite["histogram"]["outside"]["infinity"] == {"pos": 2, "neg": 0}
    assert infinite["histogram"]["outside"]["minus_infinity"] == {"pos": 0, "neg": 1}
    big = 2**60
    exact = one(rs.tabulate(y, [big, big + 1, big + 2, big + 3, big + 4]))
    assert exact["operating_points"][0]["threshold"] in range(big, big + 5)
    assert exact["curve"]["threshold"][1] == big + 4


def test_a_table_of_one_row() -> None:
    score = one(rs.ScoreTable.from_counts([1], [3], [4]))
    assert score["auc"]["value"] == 0.5
    assert score["tie_chance"] == 1
    assert score["histogram"]["pos"] == [3]


def test_more_is_plain_documented_and_in_order(full: dict[str, Any]) -> None:
    assert json.loads(json.dumps(full, allow_nan=False)) == full
    assert list(full) == [*TOP[:5], "comparison", *TOP[5:]]
    assert [list(score) for score in full["scores"]] == [SCORE + MORE] * 3
    text = sys.modules["rocspace.report.summary"].__doc__ or ""
    score, found = full["scores"][0], full["comparison"]
    keys = [*MORE, *found, *found["pairs"][0], *found["overall"], *found["difference"]]
    keys += [*found["costs"], *score["bands"][0], *score["granular"], *score["folds"]]
    keys += [*score["granular"]["areas"], *score["granular"]["curves"][0]]
    keys += list(score["fits"][0])
    assert [key for key in keys if key not in text] == []


def keys(value: Any, name: str = "") -> Iterator[str]:
    """Yield each key of nested mappings and lists, as a.b[].c; the source is the caller's."""
    for each in value if isinstance(value, list) else ():
        yield from keys(each, f"{name}[]")
    for key, each in value.items() if isinstance(value, dict) else ():
        inner = f"{name}.{key}".lstrip(".")
        yield re.sub(r"(rates|outside)\.\w+\.", r"\1.*.", inner)
        yield from keys(each, inner) if inner != "source" else ()


def test_the_page_about_json_lists_every_field_and_no_other(
    full: dict[str, Any], cases: rs.PairedScores
) -> None:
    page = (Path(__file__).parents[2] / "docs" / "json.md").read_text(encoding="utf-8")
    listed = {
        part.split("`", 1)[0]: set(re.findall(r"^\| `([^`]+)` \|", part, re.MULTILINE))
        for part in page.split("## `")[1:]
    }
    table = cases.table("a")
    with_references = summarise({"a": table}, references={"itself": rs.roc_curve(table)})
    turned = summarise({"a": rs.tabulate([0, 1], [2, 1])})
    probabilities = {"p": rs.tabulate([0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.4, 0.5])}
    several = summarise(probabilities, more=More(progress=False))
    data = rs.pair_scores([0, 1, 0, 1, 1], {"s": [1, 2, 3, 4, 5]})
    grouped = summarise(
        {"s": data.table("s")}, data=data, more=More(group=list("aabbb"), progress=False)
    )
    found = {
        key for each in (full, with_references, turned, several, grouped) for key in keys(each)
    }
    compared = {f"comparison.{key}" for key in listed["rocspace.comparison/1"] - {"source"}}
    of_verb = ("comparison.curves", "comparison.pairs[].margin")
    compared -= {key for key in compared if key.startswith(of_verb)}
    found |= {"further"}  # see test_areas.py
    found |= {"gate", "gate.fail_below", "gate.passed"}  # of `rocspace auc`, see test_json.py
    assert found == listed["rocspace.summary/1"] | compared
