"""`rocspace combine`: rules and areas are the library's."""

import numpy as np
import pytest

import rocspace as rs
from rocspace import datasets
from rocspace.cli.rules import short_rule
from rocspace.cli.verbs.combine import _search_text
from rocspace.combine.boolean import boolean_search

RNG = np.random.default_rng(11)
N = 120
LABEL = RNG.integers(0, 2, N)
NEW = np.round(RNG.normal(LABEL, 1.0), 3)
OLD = RNG.integers(0, 9, N) + 2 * LABEL
WEIGHT = np.round(RNG.uniform(0.5, 2.0, N), 2)
TABLES = {"new": rs.tabulate(LABEL, NEW), "old": rs.tabulate(LABEL, OLD)}


@pytest.fixture
def scores(csv_file):
    return csv_file("scores.csv", {"y": LABEL, "new": NEW, "old": OLD})


def test_combine(run, scores):
    search = boolean_search(rs.pair_scores(LABEL, {"new": NEW, "old": OLD}))
    found = run("combine", scores, "--json").json
    assert found["schema"] == "rocspace.combine/1"
    assert found["areas"] == list(search.areas)
    assert found["tried"] == search.n_tried
    short = [str(short_rule(rule, TABLES)) for rule in search.path.rules]
    assert [each["text"] for each in found["rules"]] == short
    assert found["rules"][0]["rule"] == "never"
    operators = {
        key
        for each in found["rules"]
        for key in each["rule"]
        if each["rule"] not in ("never", "always")
    }
    assert operators & {"and", "or", "xor", "not"}
    text = run("combine", scores, "--max-rounds", 0).out
    assert "the scores alone" in text
    assert "round 1" not in text
    pairs = np.unique(NEW).size * np.unique(OLD).size
    assert f"{10 * pairs:,} combinations tried" in text


def test_combine_weighted_lower_and_bundled(run, csv_file):
    file = csv_file("w.csv", {"y": LABEL, "a": -NEW, "b": -OLD, "w": WEIGHT})
    options = ("--score", "a", "--score", "b", "--weight", "w")
    options += ("--lower-is-positive", "a", "--lower-is-positive", "b")
    found = run("combine", file, *options, "--json").json
    scores = {"a": -NEW, "b": -OLD}
    data = rs.pair_scores(LABEL, scores, sample_weight=WEIGHT, higher_is_positive=False)
    np.testing.assert_allclose(found["areas"], boolean_search(data).areas)
    assert any("<=" in each["text"] for each in found["rules"])
    adult = run("combine", "adult_scores", "--max-rounds", 0, "--json").json
    assert adult["thinned"]
    assert adult["areas"][1] > adult["areas"][0]
    assert adult["source"]["rows"] == len(datasets.load("adult_scores"))


def test_combine_refuses(run, scores, csv_file):
    assert "takes two scores or more" in run("combine", scores, "--score", "new", fails=True).err
    assert "--max-rounds is -1" in run("combine", scores, "--max-rounds", -1, fails=True).err
    holes = csv_file("holes.csv", {"y": LABEL, "a": NEW, "b": ["", *OLD[1:]]})
    assert "no value in row 1" in run("combine", holes, fails=True).err
    found = run("combine", holes, "--missing", "omit", "--max-rounds", 0, "--json")
    assert "left out: 1 of" in found.err  # from both scores: they stay scores of the same cases
    assert found.json["source"]["dropped"] == {"b": 1}


def test_combine_prints_few_rules_with_equal_decimals(run, scores):
    found = run("combine", scores, "--json").json["rules"]
    lines = run("combine", scores).out.splitlines()
    end = next(i for i, line in enumerate(lines) if not line.strip())
    rows = [line.split()[:2] for line in lines[2:end] if line[0].isdigit()]
    assert len(rows) == min(len(found), 20)
    for column in zip(*rows, strict=True):
        assert len({len(text.partition(".")[2]) for text in column}) == 1
    assert float(rows[0][0]) == 0
    assert float(rows[-1][1]) == 1


def test_long_rules_are_broken_and_leave_the_rates_whole():
    rule = " or ".join(f"(score_{i} >= {i})" for i in range(30))
    rules = [{"text": rule, "fpr": 0.12345, "tpr": 0.76543}]
    described = {"rules": rules, "areas": [0.5, 0.6], "tried": 7, "thinned": False}
    shown = _search_text(described)
    assert max(map(len, shown.splitlines())) <= 80
    assert rule in " ".join(shown.split())
    assert shown.splitlines()[2].split()[:2] == ["0.123", "0.765"]
