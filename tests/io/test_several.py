"""Several files are read as one: folders, patterns and lists, rows without files, mixed kinds."""

import datetime
import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

from rocspace.io import read_batches, read_schema, refine_file, scan_columns, tabulate_file

RNG = np.random.default_rng(5)
LABEL = RNG.integers(0, 2, 60)
SCORE = np.round(RNG.normal(LABEL, 1.0), 2)
PARTS = (slice(0, 7), slice(7, 30), slice(30, 60))


def write(path, label=LABEL, score=SCORE):
    """Write labels and scores in the format of the ending."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".parquet":
        pa.parquet.write_table(pa.table({"y": label, "s": score}), path)
    elif path.suffix == ".ndjson":
        rows = [{"y": y, "s": s} for y, s in zip(label.tolist(), score.tolist(), strict=True)]
        path.write_text("\n".join(map(json.dumps, rows)))
    else:
        rows = [f"{y},{s}" for y, s in zip(label, score, strict=True)]
        path.write_text("\n".join(["y,s", *rows, ""]))
    return path


@pytest.fixture
def parts(tmp_path):
    """The cases in three files, one of them in a folder of its own."""
    names = ("part-0.parquet", "day=2/part-1.parquet", "part-2.parquet")
    return [
        write(tmp_path / "d" / n, LABEL[p], SCORE[p]) for n, p in zip(names, PARTS, strict=True)
    ]


@pytest.fixture
def whole(tmp_path):
    return tabulate_file(write(tmp_path / "whole.csv"), label="y").tables["s"]


@pytest.mark.parametrize("how", ["list", "folder", "pattern", "deep"])
def test_several_files_are_one_table(parts, whole, how):
    folder = parts[0].parent
    (folder / "_SUCCESS").touch()
    write(folder / ".hidden.parquet")
    (folder / "notes.txt").write_text("read me")
    paths = {
        "list": parts,
        "folder": folder,
        "pattern": [f"{folder}/*.parquet", parts[1]],
        "deep": f"{folder}/**/part-*.parquet",
    }[how]
    found = tabulate_file(paths, label="y")
    assert found.tables["s"] == whole
    assert found.source["rows"] == len(LABEL)
    assert sorted(found.source["files"]) == sorted(map(str, parts))
    area = refine_file(paths, label="y").areas["s"]
    assert area.exact
    assert area.n_cases == len(LABEL)


def test_a_folder_whose_log_says_which_files_count_is_refused(tmp_path):
    (tmp_path / "cases" / "_delta_log").mkdir(parents=True)
    write(tmp_path / "cases" / "part-0.parquet", LABEL, SCORE)
    with pytest.raises(IsADirectoryError, match="is a Delta table"):
        tabulate_file(tmp_path / "cases", label="y")


def test_dates_are_groups(tmp_path):
    days = [datetime.date(2026, 1, 1 + i % 2) for i in range(8)]
    times = [datetime.datetime(2026, 1, 1, i % 4) for i in range(8)]
    columns = {"y": [0, 1] * 4, "s": range(8), "day": days, "at": times}
    pa.parquet.write_table(pa.table(columns), tmp_path / "days.parquet")
    kinds = read_schema(tmp_path / "days.parquet")
    assert kinds == {"y": "number", "s": "number", "day": "text", "at": "text"}
    (batch,) = read_batches(tmp_path / "days.parquet", ["day"])
    assert batch.columns["day"].categories == ("2026-01-01", "2026-01-02")


@pytest.mark.parametrize("ending", ["parquet", "csv", "ndjson"])
def test_names_of_folders_are_columns(tmp_path, ending):
    days = ("2026-01-01", "a%20b", "__HIVE_DEFAULT_PARTITION__")
    for day, p in zip(days, PARTS, strict=True):
        write(tmp_path / f"d/site=x/day={day}/part.{ending}", LABEL[p], SCORE[p])
    folder = tmp_path / "d"
    assert read_schema(folder) == {"y": "number", "s": "number", "site": "text", "day": "text"}
    assert set(tabulate_file(folder, label="y").tables) == {"s"}
    day = next(c for c in scan_columns(folder) if c.name == "day")
    assert (day.kind, day.n, day.missing, day.distinct) == ("text", 60, 30, 2)
    found = tabulate_file(folder, label="day", score="s", pos_label="a b", missing="omit")
    assert (found.tables["s"].n_pos, found.tables["s"].n_neg) == (23, 7)
    file = folder / f"site=x/day={days[0]}/part.{ending}"
    (alone,) = read_batches(file, ["day"])
    assert alone.columns["day"].decode().tolist() == [days[0]] * 7
    if ending == "csv":
        file.write_text("1,2.5\n0,1.5\n")
        with pytest.raises(ValueError, match="Its first line looks like data"):
            next(read_batches(file, ["day"]))


def test_a_column_of_the_file_comes_before_a_folder(tmp_path):
    path = write(tmp_path / "y=7/part.csv")
    assert read_schema(path) == {"y": "number", "s": "number"}
    assert tabulate_file(path, label="y").tables["s"].n_pos == LABEL.sum()


def test_formats_may_be_mixed_where_they_are_named(tmp_path, whole):
    names = ("a.csv", "b.parquet", "c.ndjson")
    paths = [write(tmp_path / n, LABEL[p], SCORE[p]) for n, p in zip(names, PARTS, strict=True)]
    found = tabulate_file(paths, label="y")
    assert found.tables["s"] == whole
    assert found.source["format"] == "csv, parquet, ndjson"
    with pytest.raises(IsADirectoryError, match=r"several formats \(csv, ndjson, parquet\)"):
        tabulate_file(tmp_path, label="y")


def test_some_files_may_have_no_rows(tmp_path, whole):
    paths = [write(tmp_path / f"{i}.parquet", LABEL[p], SCORE[p]) for i, p in enumerate(PARTS)]
    none = np.zeros(0, dtype=np.int64)
    empty = [write(tmp_path / f"e{i}.parquet", none, none.astype(float)) for i in range(2)]
    assert tabulate_file([empty[0], *paths, empty[1]], label="y").tables["s"] == whole
    assert scan_columns([*empty, *paths])[0].n == len(LABEL)
    with pytest.raises(ValueError, match="has no rows"):
        tabulate_file(empty, label="y")


def test_a_label_that_is_a_number_here_and_a_text_there(tmp_path):
    (tmp_path / "a.csv").write_text("grade,s\n1,0.1\n2,0.4\n")
    (tmp_path / "b.csv").write_text("grade,s\nhigh,0.9\n1,0.3\n")
    paths = [tmp_path / "a.csv", tmp_path / "b.csv"]
    assert read_schema(paths) == {"grade": "text", "s": "number"}
    found = tabulate_file(paths, label="grade", pos_label="high")
    assert found.source["labels"] == {"high": 1, "1": 2, "2": 1}


def test_rows_are_counted_in_their_own_file(tmp_path):
    first = write(tmp_path / "a.csv")
    (tmp_path / "b.csv").write_text("y,s\n1,0.5\n0,\n")
    with pytest.raises(ValueError, match=r"b\.csv has no value in row 2"):
        tabulate_file([first, tmp_path / "b.csv"], label="y")
    (tmp_path / "b.csv").write_text("y,s\n1,0.5\n0,north\n")
    with pytest.raises(ValueError, match="row 2 holds 'north'"):
        tabulate_file([first, tmp_path / "b.csv"], label="y", score="s")


def test_columns_of_several_files(tmp_path):
    (tmp_path / "a.csv").write_text("y,s,only\n1,0.5,3\n0,0.25,4\n")
    (tmp_path / "b.csv").write_text("s,y\n0.75,1\n")
    found = {c.name: c for c in scan_columns([tmp_path / "a.csv", tmp_path / "b.csv"])}
    assert list(found) == ["y", "s", "only"]
    assert (found["s"].n, found["s"].minimum, found["s"].maximum) == (3, 0.25, 0.75)
    assert found["only"].note == "not all of the files have it"
    with pytest.raises(ValueError, match=r"b\.csv has no column 'only'"):
        tabulate_file([tmp_path / "a.csv", tmp_path / "b.csv"], label="y", score="only")


def test_kinds_that_cannot_be_read_together(tmp_path):
    yes = pa.table({"y": [True, False], "s": [0.1, 0.2]})
    pa.parquet.write_table(yes, tmp_path / "a.parquet")
    other = write(tmp_path / "b.parquet")
    with pytest.raises(ValueError, match=r"'y' is boolean in .*a\.parquet and number in .*b\.parq"):
        tabulate_file([tmp_path / "a.parquet", other], label="y")


def test_what_cannot_be_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(Path("a.csv"))
    Path("link.csv").symlink_to("a.csv")
    Path("bare").mkdir()
    for paths, error, said in (
        (["a.csv", "a.csv"], ValueError, r"a\.csv is named twice"),
        (["a.csv", "./link.csv"], ValueError, r"link\.csv \(which is a\.csv\) is named twice"),
        (["a.csv", "-"], ValueError, r"Standard input \(-\) is read alone"),
        ("*.parquet", FileNotFoundError, r"No file fits the pattern '\*\.parquet'"),
        ("bare", IsADirectoryError, "is a folder without a file"),
        ([], ValueError, "No file was named"),
    ):
        with pytest.raises(error, match=said):
            read_schema(paths)


def test_a_name_with_the_letters_of_patterns_is_a_name(tmp_path):
    path = write(tmp_path / "a[1].csv")
    assert read_schema(path) == {"y": "number", "s": "number"}


def test_files_are_groups_of_their_own(tmp_path, run):
    """By `file`, which no file has as a column; each group is as if its file were read alone."""
    for name, shift in (("old", 0), ("new", 3)):
        rows = "".join(f"{i % 2},{(i * 7 + shift * (i % 3)) % 23}\n" for i in range(40))
        (tmp_path / f"{name}.csv").write_text(f"y,s\n{rows}", encoding="utf-8")
    files = [tmp_path / "old.csv", tmp_path / "new.csv"]
    alone = {
        path.name: run("auc", path, "--label", "y", "--json").json["scores"][0]["auc"]["value"]
        for path in files
    }
    assert alone["old.csv"] != alone["new.csv"]
    grouped = run("auc", *files, "--label", "y", "--by", "file", "--json").json["scores"]
    assert {each["group"]: each["auc"]["value"] for each in grouped} == alone
    compared = run("compare", *files, "--label", "y", "--by", "file", "--json").json
    values = [each["auc"]["value"] for each in compared["scores"]]
    assert dict(zip(compared["names"], values, strict=True)) == alone
    refused = run("auc", files[0], "--label", "y", "--by", "file", fails=True).err
    assert "no column 'file'" in refused  # of one file there is nothing to tell apart
    listed = run("columns", *files, "--json").json["columns"]
    assert [each["name"] for each in listed] == ["y", "s"]  # not there unless asked for


def test_files_of_one_name_go_by_their_whole_names(tmp_path, run):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "part.csv").write_text("y,s\n0,1\n1,2\n0,3\n1,4\n", encoding="utf-8")
    found = run("auc", tmp_path, "--label", "y", "--by", "file", "--json").json["scores"]
    assert [each["group"] for each in found] == [
        str(tmp_path / folder / "part.csv") for folder in ("a", "b")
    ]
