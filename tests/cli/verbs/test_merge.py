"""`rocspace merge`: areas of saved counts are those of all cases."""

import json
import shlex

import numpy as np
import pytest

import rocspace as rs
from commands import LABEL, NEW, OLD, N, Run
from rocspace.stream import Tabulator, load_states

ODD = np.arange(N) % 2 == 1


@pytest.fixture
def days(run: Run, csv_file):
    """The states of the odd cases and of the even ones."""
    for name, own in (("odd", ODD), ("even", ~ODD)):
        file = csv_file(f"{name}.csv", {"y": LABEL[own], "new": NEW[own], "old": OLD[own]})
        run("auc", file, "--save-state", f"{name}.state")
    csv_file("all.csv", {"y": LABEL, "new": NEW, "old": OLD})
    return "odd.state", "even.state"


def test_merged_areas_are_those_of_all_cases(run: Run, days, tmp_path):
    merged = run("merge", *days, "--json", "--save-state", "both.state").json
    whole = run("auc", "all.csv", "--json").json
    assert [each["auc"] for each in merged["scores"]] == [each["auc"] for each in whole["scores"]]
    assert merged["source"]["labels"] == whole["source"]["labels"]
    assert merged["source"]["rows"] == N
    assert merged["source"]["files"] == list(days)
    assert run("merge", "*d.state", "even.*e", "--json").json["source"]["files"] == list(days)
    assert "No file fits the pattern 'a*.state'" in run("merge", "a*.state", fails=True).err
    text = run("merge", *days).out
    assert text.partition(",")[2] == run("auc", "all.csv").out.partition(",")[2]
    assert text.startswith("2 states, ")
    again = load_states(tmp_path / "both.state").states["new"].table()
    assert again == rs.tabulate(LABEL, NEW)
    assert run("merge", "both.state", "--fail-below", 0.99).status == 3
    assert run("merge", "both.state", "--to", "latex").out.startswith(r"\begin{table}")


def test_other_verbs_say_where_saved_counts_go(run: Run, days):
    for verb in ("auc", "curve"):
        assert "a file of saved counts" in run(verb, days[0], fails=True).err


def test_the_scale_of_the_intervals(run: Run, days):
    for scale in ("identity", "hoeffding", "logit"):
        merged = run("merge", *days, "--scale", scale, "--json").json
        whole = run("auc", "all.csv", "--scale", scale, "--json").json
        assert [each["auc"] for each in merged["scores"]] == [e["auc"] for e in whole["scores"]]
    new = merged["scores"][0]
    low, high = rs.delong(rs.tabulate(LABEL, NEW)).interval(scale="logit")
    assert (new["auc"]["interval"]["low"], new["auc"]["interval"]["high"]) == (low, high)
    assert "scale logit" in run("merge", *days, "--scale", "logit").out
    assert run("merge", *days, "--scale", "logit", "--to", "latex").out.startswith(r"\begin{table}")
    assert run("merge", *days, "--scale", "logit", "--fail-below", 0.99).status == 3
    for words in ((), ("--scale", "logit")):
        gate = json.loads(run("merge", *days, "--fail-below", 0.99, "--json", *words).out)["gate"]
        assert gate == {"fail_below": 0.99, "passed": False}
    said = run("merge", *days, "--scale", "logit", "--figure", "a.svg", fails=True).err
    assert "--scale goes without --figure" in said


def test_counts_that_may_leave_a_site(run: Run, days, tmp_path):
    for name in ("odd", "even"):
        words = ("--score", "new", "--save-state", f"{name}.json", "--min-cases", 8)
        run("auc", f"{name}.csv", *words)
    assert min(sum(row[2:]) for row in json.loads((tmp_path / "odd.json").read_text())["rows"]) >= 8
    score = run("merge", "odd.json", "even.json", "--json").json["scores"][0]
    bounds = score["auc"]["bounds"]
    assert bounds["low"] <= rs.auc_score(LABEL, NEW) <= bounds["high"]
    several = run("auc", "odd.csv", "--save-state", "x.json", "--min-cases", 8, fails=True).err
    assert "has one score, here are new, old. Name one: --score" in several
    assert "Merge one kind at a time" in run("merge", "odd.json", "odd.state", fails=True).err
    kept = run("merge", "odd.json", "--save-state", "k.state", fails=True).err
    assert "which .json files lack" in kept


def test_the_state_of_python(run: Run, tmp_path):
    counter = Tabulator()
    counter.update(LABEL, NEW)
    counter.save(tmp_path / "one.state")
    found = run("merge", "one.state", "--json").json["scores"][0]
    assert (found["name"], found["auc"]["value"]) == ("score", rs.auc_score(LABEL, NEW))


def test_what_cannot_be_merged(run: Run, days, tmp_path, csv_file):
    (tmp_path / "bad.state").write_bytes(b"nothing")
    (tmp_path / "bad.json").write_text("{}")
    other = csv_file("o.csv", {"y": LABEL, "third": NEW})
    run("auc", other, "--save-state", "third.state")
    ill = csv_file("ill.csv", {"ill": LABEL, "new": NEW, "old": OLD})
    run("auc", ill, "--label", "ill", "--save-state", "ill.state")
    for words, said in (
        (("odd.state", "odd.state"), "named twice"),
        (
            ("odd.state", "bad.state"),
            "bad.state is not a file of saved states: the archive cannot be read",
        ),
        (("bad.json",), "bad.json is not a file of site counts"),
        (("odd.state", "third.state"), "Save the same scores everywhere"),
        (("odd.state", "ill.state"), "label is 'y' in one and 'ill' in another"),
        (("none.state",), "none.state"),
        ((), "needs STATE"),
    ):
        assert said in run("merge", *words, fails=True).err


def test_the_lines_of_merged_counts_run(run: Run, days, tmp_path, monkeypatch):
    found = run("merge", *days, "--level", 0.9, "--json").json
    assert found["source"]["format"] == "saved counts"
    lines = {each["shell"] for each in found["methods"]}
    assert lines == {"rocspace merge odd.state even.state --level 0.9 --json"}
    assert run(*shlex.split(lines.pop())[1:]).json == found
    python = {each["id"]: each["python"] for each in found["methods"]}
    made = {"rs": rs}
    exec(python["table"], made)
    assert made["table"] == rs.tabulate(LABEL, NEW)
    run("auc", "odd.csv", "--score", "new", "--save-state", "odd.json", "--min-cases", 3)
    shared = run("merge", "odd.json", "--json").json
    assert {each["shell"] for each in shared["methods"]} == {"rocspace merge odd.json --json"}
    exec(shared["methods"][0]["python"], made)
    assert made["table"].n_pos == LABEL[ODD].sum()


def test_the_lines_of_several_files_run(run: Run, days):
    found = run("auc", "odd.csv", "even.csv", "--score", "new", "--json").json
    lines = {each["id"]: shlex.split(each["shell"]) for each in found["methods"]}
    assert lines["auc"][2:4] == ["odd.csv", "even.csv"]
    again = run(*lines["auc"][1:], "--json").json
    assert again["scores"][0]["auc"] == found["scores"][0]["auc"]


def test_saved_counts_are_compared_as_independent_cases(run: Run, days):
    cases = ("compare", "odd.csv", "even.csv", "--by", "file", "--score", "new")
    whole = run(*cases, "--json").json
    found = run("compare", "even.state", "odd.state", "--score", "new", "--json").json
    for mine, theirs in zip(found["pairs"], whole["pairs"], strict=True):
        names = {"first": mine["first"], "second": mine["second"]}
        assert mine == theirs | names
        assert names == {"first": "even.state", "second": "odd.state"}
    assert found["overall"] == whole["overall"]
    assert found["source"]["files"] == ["even.state", "odd.state"]
    assert found["source"]["format"] == "saved counts"
    assert found["source"]["rows"] == N
    assert found["source"]["counting"] == {"odd.state": "exact", "even.state": "exact"}
    shown = run("compare", "*.state", "--score", "new", "--curves", "--n-perm", 20).out
    assert shown.startswith("Saved counts of independent cases, new by file\n")
    assert "odd.state" in shown
    assert "equal curves" in shown
    other = run("compare", *days, "--score", "new", "--fpr", 0, 0.5, "--json").json
    assert other["pairs"][0]["value"] != found["pairs"][0]["value"]
    run("auc", "odd.csv", "--score", "new", "--save-state", "odd.json", "--min-cases", 3)
    rounded = run("compare", "odd.json", "even.state", "--score", "new", "--score", "score")
    assert "odd.json: counts of ranges, so the area is not exact" in rounded.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("odd.state",), "scores of the same cases are compared by the cases"),
        (("odd.state", "even.state"), "odd.state has counts of new, old. Name the one to compare"),
        (("odd.state", "even.state", "--score", "x"), "odd.state has no score x, but new, old."),
        (("odd.state", "even.csv"), "even.csv is not. Save its counts, too: rocspace auc even.csv"),
        (("odd.state", "./odd.state"), "A file is named twice"),
        (("odd.state", "even.state", "--label", "y"), "--label is for cases"),
        (("odd.state", "even.state", "--cluster", "y"), "--cluster is for cases"),
        (("odd.state", "even.state", "--by", "y"), "--by is for cases"),
        (("odd.state", "even.state", "--order", "a,b"), "saved counts have two"),
    ],
    ids=str,
)
def test_what_saved_counts_do_not_tell(run: Run, days, words, said):
    assert said in run("compare", *words, fails=True).err


def test_counts_that_may_leave_a_site_are_known(run: Run, days):
    run("auc", "odd.csv", "--score", "new", "--save-state", "odd.json", "--min-cases", 3)
    assert "odd.json is a file of saved counts. Merge it" in run("auc", "odd.json", fails=True).err
