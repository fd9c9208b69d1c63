"""What the verbs read, and what they say of it."""

import sys
from pathlib import Path

import numpy as np
import pytest

import rocspace as rs
from commands import ILL, LABEL, NEW, OLD, RNG, TABLES, N, Run, make
from rocspace import cli
from rocspace.io import tables as file_tables


def test_omitted_cases_are_counted(run: Run, tmp_path: Path) -> None:
    new, y = NEW.astype(object), LABEL.astype(object)
    new[[4, 7]], y[9] = None, None
    make(tmp_path / "m.parquet", {"y": y.tolist(), "new": new.tolist(), "old": OLD})
    error = run("auc", "m.parquet", fails=True).err
    assert "Column 'new' of m.parquet has no value in row 5." in error
    assert "--missing omit" in error
    result = run("auc", "m.parquet", "--missing", "omit")
    assert f"left out: 2 of {N} rows without new" in result.err
    assert f"left out: 1 of {N} rows without y" in result.err
    assert str(N - 3) in result.out
    assert str(N - 1) in result.out
    summary = run("auc", "m.parquet", "--missing", "omit", "--json").json
    assert summary["source"]["dropped"] == {"y": 1, "new": 2}
    kept = np.setdiff1d(np.arange(N), [4, 7, 9])
    assert summary["scores"][0]["auc"]["value"] == rs.auc_score(LABEL[kept], NEW[kept])


def test_one_class_against_the_rest_is_said(run: Run, tmp_path: Path) -> None:
    make(tmp_path / "k.csv", {"class": ["a", "b", "c"] * (N // 3), "new": NEW})
    result = run("auc", "k.csv", "--positive", "b")
    assert "positive: class = b, against all of a, c" in result.err


def test_standard_input(run: Run, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with file.open() as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        summary = run("auc", "-", *ILL, "--json").json
    assert summary["source"]["file"] == "standard input"
    assert summary["scores"][0]["auc"]["value"] == rs.auc(TABLES["new"])


def test_binned_tables_are_flagged(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    n = 5000
    label = RNG.integers(0, 2, n)
    score = RNG.normal(label, 1.0)
    make(tmp_path / "b.parquet", {"y": label, "s": score})
    real = file_tables.Tabulator
    monkeypatch.setattr(file_tables, "Tabulator", lambda **k: real(**k | {"max_rows": 500}))
    monkeypatch.setattr(file_tables, "_KEPT", 0)
    result = run("auc", "b.parquet")
    assert "s: too many distinct scores to keep apart" in result.err
    assert "certain bounds" in result.out
    found = run("auc", "b.parquet", "--json").json
    assert found["source"]["counting"] == {"s": "binned"}
    bounds = found["scores"][0]["auc"]["bounds"]
    assert bounds["low"] <= rs.auc_score(label, score) <= bounds["high"]


def test_row_numbers_are_told_of(tmp_path, capsys):
    file = tmp_path / "ids.csv"
    rows = "".join(f"{i % 3 == 0:d},{i},{i % 7}\n" for i in range(100, 130))
    file.write_text("y,nth,s\n" + rows, encoding="utf-8")
    assert cli.run(["auc", str(file)]) == 0
    told = [x for x in capsys.readouterr().err.splitlines() if "row numbers" in x]
    (line,) = told
    assert line.startswith("rocspace: nth has every whole number from 100 to 129 once")


OTHER_RNG = np.random.default_rng(4)
OTHER_N = 90
OTHER_LABEL = OTHER_RNG.integers(0, 2, OTHER_N)
OTHER_NEW = np.round(OTHER_RNG.normal(OTHER_LABEL, 1.0), 2)
OTHER_OLD = np.round(0.5 * OTHER_NEW + OTHER_RNG.normal(0.3 * OTHER_LABEL, 1.0), 2)


@pytest.mark.parametrize("command", [("auc",), ("band",), ("average", "--fold", "w"), ("compare",)])
def test_weights_of_zero_are_named(run, csv_file, command):
    path = csv_file(
        "zero.csv", {"y": OTHER_LABEL, "new": OTHER_NEW, "old": OTHER_OLD, "w": [0] * OTHER_N}
    )
    name, *options = command
    options += ["--score", "new", "--score", "old", "--weight", "w"]
    said = run(name, path, *options, fails=True).err
    assert "is zero for every case" in said
    assert "--weight" in said or "Weight 'w'" in said


def test_a_file_without_rows_says_so_whatever_is_asked(run, csv_file):
    path = csv_file("empty.csv", {"y": [], "new": [], "old": []})
    for words in [("auc",), ("band",), ("average", "--fold", "old"), ("compare",)]:
        for label in [(), ("--positive", "ill")]:
            said = run(words[0], path, *words[1:], *label, fails=True).err
            assert "has a header but no rows" in said


def test_several_files_are_one(run, csv_file, tmp_path):
    whole = csv_file("whole.csv", {"y": LABEL, "new": NEW, "old": OLD})
    (tmp_path / "parts").mkdir()
    parts = [
        csv_file(f"parts/{i}.csv", {"y": LABEL[i::3], "new": NEW[i::3], "old": OLD[i::3]})
        for i in range(3)
    ]
    expected = run("auc", whole, "--label", "y").out.partition(",")[2]
    for words in (parts, [tmp_path / "parts"], [tmp_path / "parts" / "*.csv"]):
        assert run("auc", *words).out.partition(" and 2 more files,")[2] == expected
    pair = run("compare", *parts[:2], "--json").json
    assert pair["source"]["files"] == list(map(str, parts[:2]))
    assert pair["source"]["file"] == f"{parts[0]} and {parts[1]}"
    refused = run("auc", *parts, "--output", parts[1], fails=True).err
    assert "is the file that is read" in refused


def test_files_without_a_column_in_common_say_so(run, csv_file):
    one = csv_file("one.csv", {"y": LABEL, "new": NEW})
    two = csv_file("two.csv", {"y": LABEL, "old": OLD})
    three = csv_file("three.csv", {"z": LABEL})
    said = run("auc", one, two, fails=True).err
    assert "one.csv and " in said
    assert "two.csv do not share a numeric column beside the label 'y'" in said
    assert "They share no other column at all." in said
    assert "have no column in common" in run("auc", one, three, fails=True).err


def test_the_only_column_with_two_values_is_suggested_as_the_label(run, csv_file):
    columns = {"age": [30, 40, 50, 33], "ill or well": ["w", "i", "w", "w"], "s": [1, 2, 3, 4]}
    said = run("auc", csv_file("a.csv", columns), fails=True).err
    assert "Only 'ill or well' has two values, i and w: --label 'ill or well'." in said
    columns["sex"] = [0, 1, 1, 0]
    assert "has two values" not in run("auc", csv_file("b.csv", columns), fails=True).err
    columns = {"ill": [1, 0, "", 1], "s": [1, 2, 3, 4]}
    said = run("auc", csv_file("c.csv", columns), fails=True).err
    assert "Only 'ill' has two values, 0 and 1: --label ill." in said


def test_first_files_of_a_newcomer_are_answered(run: Run, tmp_path: Path) -> None:
    make(tmp_path / "ids.csv", {"y": LABEL, "id": range(N), "patient_id": range(N), "s": NEW})
    assert "By their names 'id', 'patient_id' of ids.csv are ids, so" in run("auc", "ids.csv").err
    (tmp_path / "one.csv").write_text("y,s\n1,2\n")
    assert "The only case is positive: a curve needs" in run("auc", "one.csv", fails=True).err
    (tmp_path / "text.csv").write_text("y,s\n1,2\n0,1\n1,n/k\n")
    assert "--null 'n/k'." in run("auc", "text.csv", "--score", "s", fails=True).err
    told = run("at", "ids.csv", "--threshold", "0,5", fails=True).err
    assert '"0,5" is not a number. Write a point: 0.5.' in told


@pytest.mark.parametrize(
    ("verb", "word"),
    [("noise", "--wrong-negatives 0.1"), ("verification", "Leave the label empty")],
)
def test_a_correction_of_nothing_says_so(run: Run, tmp_path: Path, verb: str, word: str) -> None:
    make(tmp_path / "s.csv", {"y": LABEL, "s": NEW})
    told = run(verb, "s.csv", "--score", "s").err
    assert "so nothing is corrected." in told
    assert word in told
    if verb == "noise":
        assert "nothing" not in run(verb, "s.csv", "--score", "s", "--wrong-negatives", 0.1).err
