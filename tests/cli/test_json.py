"""Every verb with --json prints the keys that docs/json.md lists for its schema, and no others."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from rocspace.cli.verbs import VERBS

RNG = np.random.default_rng(3)
N = 80
LABEL = np.arange(N) % 2
COLUMNS = {
    "y": LABEL,
    "a": np.round(RNG.normal(LABEL, 1.0), 2),
    "b": np.round(RNG.normal(LABEL, 1.0), 2),
    "fold": np.arange(N) // 2 % 3,
    "split": np.where(np.arange(N) % 3, "train", "test"),
}
SCORES = ("s.csv", "--score", "a", "--score", "b")
LINES = {
    "auc": [(*SCORES, "--exact")],
    "curve": [SCORES],
    "at": [(*SCORES, "--youden")],
    "columns": [("s.csv",)],
    "data": [()],
    "hull": [(*SCORES, "--cost-fn", 2)],
    "choose": [(*SCORES, "--cost-fn", 2)],
    "combine": [(*SCORES, "--max-rounds", 0)],
    "compare": [SCORES],
    "average": [(*SCORES, "--fold", "fold")],
    "band": [SCORES],
    "fit": [(*SCORES, "--model", "rating", "--model", "gamma", "--folds", 2)],
    "power": [
        ("--area", 0.8, "--formula"),
        ("--area", 0.8, "--width", 0.05),
        ("s.csv", "--label", "y", "--score", "a", "--model", "binormal", "--formula"),
    ],
    "granular": [SCORES],
    "select": [(*SCORES, "--test", "split")],
}
BY_NAME = (
    "labels",
    "counting",
    "dropped",
    "areas",
    "volumes",
    "values",
    "counts",
)  # keys are the user's
PAGE = Path(__file__).parents[2] / "docs" / "json.md"


def written():
    """Return the keys that the page lists, by schema."""
    found, schema = {}, ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            schema = line.strip("# `")
        elif key := re.match(r"\| `([^`]+)` \|", line):
            found.setdefault(schema, set()).add(key[1])
    return found


def keys(value, name=""):
    """Yield each key of nested mappings and lists, as a.b[].c; rules are not looked into."""
    if isinstance(value, list):
        for each in value:
            yield from keys(each, f"{name}[]")
    elif isinstance(value, dict):
        for key, each in value.items():
            inner = f"{name}.{key}".lstrip(".")
            yield inner
            by_name = key in BY_NAME and isinstance(each, dict)
            a_rule = inner in ("rule.low", "rule.high") or (name and key == "rule")
            if not (by_name or a_rule or inner == "source"):
                yield from keys(each, inner)


@pytest.mark.parametrize("verb", LINES)
def test_each_verb_prints_what_is_written(run, csv_file, verb):
    csv_file("s.csv", COLUMNS)
    printed, schema = set(), ""
    for words in LINES[verb]:
        found = run(verb, *words, "--json", "--quiet").json
        printed |= set(keys(found))
        schema = found["schema"]
    listed = written()[schema]
    if verb == "compare":  # these two are the report's
        listed -= {"difference", "costs"}
    assert printed == listed


def test_the_summary_of_auc_is_written(run, csv_file):
    csv_file("few.csv", {name: column[:12] for name, column in COLUMNS.items()})
    found = run("auc", "few.csv", "--score", "a", "--json", "--quiet").json
    assert found["warnings"]
    printed = {re.sub(r"\.(rates|outside)\.\w+\.", r".\1.*.", key) for key in keys(found)}
    more = (
        *("calibration", "precision_recall", "decision", "gains", "predictive_values"),
        *("bands", "granular", "folds", "fits"),
    )
    report = (*(f"scores[].{key}" for key in more), "comparison", "references")
    listed = {key for key in written()[found["schema"]] if not key.startswith(report)}
    assert printed == listed


def test_several_classes_are_written(run, csv_file):
    label = np.arange(N) % 3
    scores = {f"p_{i}": np.round(RNG.normal(label == i, 1.0), 2) for i in range(3)}
    csv_file("k.csv", {"y": label, **scores})
    found = run("auc", "k.csv", "--json", "--quiet").json
    assert set(keys(found)) == written()[found["schema"]]
    ordered = run("auc", "k.csv", "--order", "0,1,2", "--json", "--quiet").json
    assert set(keys(ordered)) == written()[ordered["schema"]]


def test_weights_of_several_classes_are_written(run, csv_file, tmp_path):
    label = np.arange(N) % 3
    scores = {f"p_{i}": np.round(np.exp(RNG.normal(label == i, 1.0)), 2) for i in range(3)}
    csv_file("k.csv", {"y": label, **scores})
    costs = {str(i): {str(j): 1 + i for j in range(3) if j != i} for i in range(3)}
    (tmp_path / "costs.json").write_text(json.dumps(costs))
    words = ("--cost-matrix", "costs.json", "--n-boot", 3, "--json", "--quiet")
    found = run("choose", "k.csv", *words).json
    assert set(keys(found)) == written()[found["schema"]]


def test_every_verb_and_every_source_is_written(run, csv_file):
    csv_file("s.csv", COLUMNS)
    assert set(VERBS) == {"report", "serve", *LINES}
    source = run("auc", *SCORES, "--exact", "--json", "--quiet").json["source"]
    assert set(source) <= written()["source"]
    for page in re.findall(r"```json\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL):
        json.loads(page)


def test_the_report_has_the_same_comparison(run, csv_file):
    csv_file("s.csv", COLUMNS)
    mine = run("compare", *SCORES, "--json", "--quiet").json
    theirs = run("report", *SCORES, "--json", "--quiet").json["comparison"]
    assert {key: theirs[key] for key in mine if key != "source"} == {
        key: mine[key] for key in mine if key != "source"
    }
