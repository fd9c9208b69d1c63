"""Options that several verbs share."""

from pathlib import Path

import rocspace as rs
from commands import ILL, LABEL, NEW, WEIGHT, Run, make


def test_lower_is_positive(run: Run, file: Path) -> None:
    result = run("auc", file, *ILL, "--score", "new", "--lower-is-positive", "--json")
    expected = rs.auc(rs.tabulate(LABEL, NEW, higher_is_positive=False))
    assert result.json["scores"][0]["auc"]["value"] == expected
    text = run("at", file, *ILL, "--score", "new", "--lower-is-positive", "--threshold", "0").out
    assert text.startswith("new <= 0")
    both = ("--lower-is-positive", "new", "--lower-is-positive", "old")
    assert "lower is positive" in run("auc", file, *ILL, *both).out
    assert "lower of old is positive" in run("auc", file, *ILL, *both[2:]).out
    (new, old) = run("auc", file, *ILL, "--lower-is-positive", "old", "--json").json["scores"]
    assert (new["direction"], old["direction"]) == ("higher", "lower")
    said = run("auc", file, *ILL, "--lower-is-positive", fails=True).err
    assert "There are new, old. Name it, as in --lower-is-positive new." in said
    said = run("auc", file, *ILL, "--lower-is-positive", "newer", fails=True).err
    assert "--lower-is-positive names 'newer', which is not a score" in said


def test_weights(run: Run, tmp_path: Path) -> None:
    make(tmp_path / "w.csv", {"y": LABEL, "new": NEW, "w": WEIGHT})
    result = run("auc", "w.csv", "--weight", "w", "--json")
    (score,) = result.json["scores"]
    table = rs.tabulate(LABEL, NEW, sample_weight=WEIGHT)
    assert score["auc"]["value"] == rs.auc(table)
    assert score["auc"]["se"] == rs.delong(table).se
    assert "by weight" in run("auc", "w.csv", "--weight", "w").out
    assert "called positive" in run("at", "w.csv", "--weight", "w", "--youden").out


def test_separator_format_and_null(run: Run, tmp_path: Path) -> None:
    (tmp_path / "odd").write_text("y#s\n1#2\n0#?\n0#1\n1#1\n")
    options = ("--format", "csv", "--separator", "#", "--null", "?", "--missing", "omit")
    found = run("auc", "odd", "--score", "s", *options, "--json").json["scores"][0]
    assert found["auc"]["value"] == rs.auc_score([1, 0, 1], [2, 1, 1])
    assert run("columns", "odd", "--separator", "#", "--json").json["columns"][1]["name"] == "s"


def test_quiet(run: Run, file: Path) -> None:
    assert run("auc", file, *ILL, "--lower-is-positive", "new", "--quiet").err == ""
