"""`rocspace auc` by group, cluster, range, variance and scale: the numbers of the functions."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocspace as rs
from commands import LABEL, NEW, OLD, N, Run, make
from rocspace.inference import (
    auc_estimate,
    clustered_auc_estimate,
    clustered_test,
    partial_auc_estimate,
)

GROUP = np.where(np.arange(N) % 3, "b", "a c")
WARD = np.arange(N) // 2
FILE = {"y": LABEL, "new": NEW, "old": OLD, "sex": GROUP, "ward": WARD}


@pytest.fixture
def file(csv_file):
    return csv_file("s.csv", FILE)


def areas(printed):
    """Return the areas of scores by group and name."""
    return {(each["group"], each["name"]): each["auc"] for each in printed["scores"]}


def test_each_group_has_its_own_table(run: Run, file, csv_file, monkeypatch):
    words = ("--score", "new", "--score", "old", "--by", "sex")
    found = run("auc", file, *words, "--json").json
    for group in ("a c", "b"):
        own = group == GROUP
        for name, score in (("new", NEW), ("old", OLD)):
            table = rs.tabulate(LABEL[own], score[own])
            area = areas(found)[group, name]
            low, high = rs.delong(table).interval()
            assert (area["value"], area["interval"]["low"]) == (rs.auc(table), low)
            assert area["interval"]["high"] == high
    (new, _) = found["equality"]
    tables = {g: rs.tabulate(LABEL[g == GROUP], NEW[g == GROUP]) for g in ("a c", "b")}
    assert new["pvalue"] == rs.compare.compare_aucs(tables).overall.pvalue
    monkeypatch.chdir(Path(file).parent)  # the text names the file, and temporary paths are long
    text = run("auc", Path(file).name, *words).out
    assert "All areas of new equal: p = " in text  # that of their difference: no chi-square's
    assert "degree of freedom" not in text
    assert max(map(len, text.splitlines())) <= 80
    numbers = csv_file("n.csv", FILE | {"sex": 10 - np.arange(N) % 3})
    groups = [each["group"] for each in run("auc", numbers, *words[2:], "--json").json["scores"]]
    assert list(dict.fromkeys(groups)) == ["8", "9", "10"]


def test_groups_with_too_many_scores_have_certain_bounds(run: Run, file, monkeypatch):
    monkeypatch.setattr("rocspace.cli.estimates._SHARE", 1 << 20)
    monkeypatch.setattr("rocspace.cli.estimates._FLOOR", 16)
    found = run("auc", file, "--score", "new", "--by", "sex", "--json").json
    assert found["source"]["counting"] == {"new": "binned"}
    for score in found["scores"]:
        own = score["group"] == GROUP
        bounds = score["auc"]["bounds"]
        assert bounds["low"] <= rs.auc_score(LABEL[own], NEW[own]) <= bounds["high"]
    assert "certain bounds" in run("auc", file, "--score", "new", "--by", "sex").out


def test_a_group_without_a_class_has_no_area(run: Run, csv_file):
    label = LABEL.copy()
    label[GROUP == "b"] = 1
    file = csv_file("s.csv", FILE | {"y": label})
    found = run("auc", file, "--score", "new", "--by", "sex", "--json")
    assert areas(found.json)["b", "new"] is None
    assert "1 group without an area, for lack of a class: b" in found.err
    assert found.json["equality"] == []
    assert "b" in run("auc", file, "--score", "new", "--by", "sex").out


def test_too_many_groups(run: Run, csv_file):
    n = 1200
    file = csv_file("s.csv", {"y": np.arange(n) % 2, "s": np.arange(n) % 7, "who": np.arange(n)})
    said = run("auc", file, "--score", "s", "--by", "who", fails=True).err
    assert "more than 1,000 values: is it a group? Name another column with --by" in said


def test_the_heading_says_whether_it_counts_a_group_or_all(run: Run, csv_file) -> None:
    file = csv_file("equal.csv", {"y": [0, 1] * 6, "s": range(12), "g": ["a", "a", "b", "b"] * 3})
    heading = run("auc", file, "--label", "y", "--score", "s", "--by", "g").out.splitlines()[0]
    assert heading.endswith("equal.csv, in each group 6 cases, 3 positive, y = 1")
    heading = run("auc", file, "--label", "y", "--score", "s").out.splitlines()[0]
    assert "equal.csv, 12 cases, 6 positive" in heading


@pytest.mark.parametrize("variance", ["delong", "hanley-mcneil", "bamber", "unbiased"])
@pytest.mark.parametrize("scale", ["identity", "logit"])
def test_variances_and_scales(run: Run, file, variance, scale):
    words = ("--score", "new", "--variance", variance, "--scale", scale, "--level", 0.9)
    area = run("auc", file, *words, "--json").json["scores"][0]["auc"]
    expected = auc_estimate(rs.tabulate(LABEL, NEW), method=variance)
    low, high = expected.interval(0.9, scale=scale)
    assert (area["se"], area["interval"]["low"]) == (expected.se, low)
    assert area["interval"]["high"] == high


def test_parts(run: Run, file):
    table = rs.tabulate(LABEL, NEW)
    for axis, ends in (("fpr", (0.0, 0.1)), ("tpr", (0.8, 1.0))):
        words = ("--score", "new", f"--{axis}", *ends)
        score = run("auc", file, *words, "--json").json["scores"][0]
        assert score["auc"]["value"] == partial_auc_estimate(table, **{axis: ends}).value
        share = rs.partial_auc(table, **{axis: ends}, standardised=True)
        assert score["standardised"] == share
        assert score["auc"]["test"] is None
        assert f"{axis} {ends[0]:g} to {ends[1]:g}" in run("auc", file, *words).out


def test_clusters(run: Run, file):
    data = rs.pair_scores(LABEL, {"new": NEW}, cluster=WARD)
    for method in ("jackknife", "obuchowski"):
        words = ("--score", "new", "--cluster", "ward", "--variance", method)
        area = run("auc", file, *words, "--null-area", 0.6, "--json").json["scores"][0]["auc"]
        expected = clustered_auc_estimate(data, method=method)
        assert (area["value"], area["se"]) == (expected.value, expected.se)
        test = clustered_test(data, null_area=0.6, method=method)
        assert area["test"]["pvalue"] == test.pvalue
    both = run("auc", file, "--score", "new", "--cluster", "ward", "--by", "sex", "--json").json
    own = GROUP == "b"
    inner = rs.pair_scores(LABEL[own], {"new": NEW[own]}, cluster=WARD[own])
    assert areas(both)["b", "new"]["se"] == clustered_auc_estimate(inner).se


def test_the_test_belongs_to_the_interval(run: Run, file):
    for scale in ("identity", "unseen"):
        words = ("--score", "new", "--scale", scale, "--json")
        level = 0.95
        ends = run("auc", file, *words).json["scores"][0]["auc"]["interval"]
        for end in (ends["low"], ends["high"]):
            area = run("auc", file, *words, "--null-area", end).json["scores"][0]["auc"]
            assert area["test"]["pvalue"] == pytest.approx(1 - level, abs=1e-6)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--fpr", 0, 0.1, "--tpr", 0, 1), "--fpr and --tpr are two ranges"),
        (("--variance", "obuchowski"), "is for clusters. Name their column with --cluster"),
        (("--variance", "bamber", "--fpr", 0, 1), "goes without --fpr or --tpr"),
        (("--variance", "delong", "--cluster", "ward"), "ignores clusters"),
        (("--null-area", 2), "--null-area is 2"),
        (("--null-area", 0.6, "--fpr", 0, 0.1), "--null-area is for whole areas"),
        (("--by", "sex", "--exact"), "so they go without --by"),
        (("--by", "sex", "--scale", "logit", "--figure", "a.png"), "--scale goes without --figure"),
        (("--cluster", "ward", "--figure", "a.png"), "--cluster goes without --figure"),
        (("--by", "sex", "--model", "proper"), "goes without --by"),
        (("--by", "sexx"), "no column 'sexx'. Did you mean 'sex'"),
        (("--fpr", 0.2, 0.1), "--fpr is (0.2, 0.1), but its first end must be the smaller one"),
        (("--fpr", 0.2), "--fpr takes two numbers, as in --fpr 0 0.1"),
        (("--scale",), "--scale needs a value: scale of the interval. See"),
        (("--score", "--json"), "It is followed by the option --json."),  # after --score new
        (("--scale", "--json"), "--scale needs a value: scale of the interval. It is followed by"),
        (("--fpr", 0.2, 0.2), "which has no width."),
        (("--scale", "unseen", "--variance", "bamber"), "Use --scale moderated"),
        (("--save-state", "a.json", "--min-cases", 500), "fewer than --min-cases 500"),
        (("--fail-below", 80), "--fail-below is 80"),
        (("--save-state", "a.json"), "--min-cases 10"),
        (("--save-state", "s.csv"), "--save-state 's.csv' is the file that is read"),
        (("--min-cases", 5), "--min-cases goes with --save-state"),
    ],
    ids=str,
)
def test_what_does_not_go_together(run: Run, file, words, said):
    assert said in run("auc", "s.csv", "--score", "new", *words, fails=True).err


def test_an_area_that_is_too_low_ends_with_status_3(run: Run, file):
    value = rs.auc_score(LABEL, NEW)
    for words in ((), ("--by", "sex"), ("--exact",), ("--json",)):
        good = run("auc", file, "--score", "new", "--fail-below", 0.1, *words)
        bad = run("auc", file, "--score", "new", "--fail-below", 0.99, *words)
        assert (good.status, bad.status) == (0, 3)
        outs = [re.sub(r'"gate": \{.*?\}', "", each.out, flags=re.DOTALL) for each in (good, bad)]
        assert outs[0] == outs[1]
        assert "below --fail-below 0.99: " in bad.err
    for words in ((), ("--by", "sex"), ("--exact",)):
        for least, passed in ((0.1, True), (0.99, False)):
            for form in ("--json", "--brief"):
                found = run("auc", file, "--score", "new", "--fail-below", least, *words, form)
                assert found.status == (0 if passed else 3)
                assert json.loads(found.out)["gate"] == {"fail_below": least, "passed": passed}
        assert "gate" not in run("auc", file, "--score", "new", *words, "--json").json
    assert run("auc", file, "--score", "new", "--fail-below", value).status == 0


def test_a_group_without_an_area_does_not_pass(run: Run, csv_file):
    """A group of one class is not known to be good enough; without it all would pass."""
    columns = {"y": [1, 0, 1, 1], "s": [3, 2, 5, 6], "ward": ["east", "east", "west", "west"]}
    file = csv_file("wards.csv", columns)
    words = ("auc", file, "--label", "y", "--by", "ward", "--fail-below", 0.8)
    for form in ((), ("--json",)):
        ended = run(*words, *form)
        assert ended.status == 3
        assert "no area to compare with --fail-below, for lack of a class: west, s" in ended.err
        assert "below --fail-below 0.8" not in ended.err
    assert run("auc", file, "--label", "y", "--fail-below", 0.8).status == 0


def test_tables_for_papers(run: Run, file):
    for words in ((), ("--by", "sex")):
        text = run("auc", file, "--score", "new", *words, "--to", "latex").out
        assert r"\begin{tabular}" in text
        assert run("auc", file, "--score", "new", *words, "--to", "md").out.count("|") > 10


def test_areas_of_groups_are_drawn_as_a_forest(file: Path, drawn: Callable[..., Any]) -> None:
    words = (file, "--score", "new", "--score", "old", "--by", "sex")
    ax, how, ran = drawn("auc", *words, "--json")
    found = ran.json
    rows = [(each["name"], each["group"]) for each in found["scores"]]
    names = [label.get_text() for label in ax.get_yticklabels()]
    assert names == [f"{name}, {group}" for name, group in sorted(rows)]
    assert how["rows"] == len(names)
    assert ax.get_xlabel() == "AUC and 95 % interval"


def test_groups_without_an_area_have_no_figure(run: Run, tmp_path: Path) -> None:
    make(tmp_path / "pure.csv", {"y": LABEL, "new": NEW, "group": [f"g{each}" for each in LABEL]})
    said = run("auc", "pure.csv", "--label", "y", "--by", "group", "--figure", "f.svg").err
    assert "no figure, for there is no area" in said
    assert not (tmp_path / "f.svg").exists()
