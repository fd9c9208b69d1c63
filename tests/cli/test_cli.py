"""The command line: every command, every format, every mistake; numbers are the library's."""

import csv
import gzip
import importlib
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

import rocspace as rs
from rocspace import cli, datasets
from rocspace._base import progress as _progress
from rocspace._base import text as words
from rocspace.cli import app, console
from rocspace.cli.console import printable
from rocspace.cli.verbs import VERBS
from rocspace.io import tables as file_tables
from rocspace.report import summarise

RNG = np.random.default_rng(11)
N = 120
LABEL = RNG.integers(0, 2, N)
NEW = np.round(RNG.normal(LABEL, 1.0), 3)
OLD = RNG.integers(0, 9, N)
WEIGHT = np.round(RNG.uniform(0.5, 2.0, N), 2)
TABLES = {"new": rs.tabulate(LABEL, NEW), "old": rs.tabulate(LABEL, OLD)}

SUFFIXES = ("csv", "csv.gz", "tsv", "parquet", "arrow", "ndjson")
COMMANDS = ("report", "auc", "curve", "at", "columns", "data")


Run = Callable[..., Any]  # see conftest.py


def make(path: Path, data: dict[str, Any]) -> Path:
    table = pa.table(data)
    suffix = path.name.partition(".")[2]
    if suffix == "parquet":
        pa.parquet.write_table(table, path)
    elif suffix == "arrow":
        pa.feather.write_feather(table, path)
    elif suffix == "ndjson":
        path.write_text("\n".join(map(json.dumps, table.to_pylist())), encoding="utf-8")
    else:
        text = io.StringIO()
        writer = csv.writer(text, delimiter="\t" if suffix == "tsv" else ",")
        writer.writerow(table.column_names)
        writer.writerows(zip(*table.to_pydict().values(), strict=True))
        bytes_ = text.getvalue().encode()
        path.write_bytes(gzip.compress(bytes_) if suffix == "csv.gz" else bytes_)
    return path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    data = {"ill": np.where(LABEL == 1, "yes", "no"), "new": NEW, "old": OLD}
    return make(tmp_path / "scores.csv", data)


ILL = ("--label", "ill", "--positive", "yes")


# Commands


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_auc_of_every_format(run: Run, tmp_path: Path, suffix: str) -> None:
    make(tmp_path / f"s.{suffix}", {"y": LABEL, "new": NEW, "old": OLD, "site": ["a"] * N})
    result = run("auc", f"s.{suffix}")
    for name, table in TABLES.items():
        (line,) = (line for line in result.out.splitlines() if line.startswith(name))
        assert "   ".join(words.estimate(rs.auc(table), *rs.delong(table).interval())) in line
    assert "label: y (by its name" in result.err
    assert "scores: new, old (every numeric column" in result.err
    summary = run("auc", f"s.{suffix}", "--json").json
    expected = summarise(TABLES, source=summary["source"])
    assert summary == json.loads(json.dumps(expected))


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_columns_of_every_format(run: Run, tmp_path: Path, suffix: str) -> None:
    make(tmp_path / f"s.{suffix}", {"y": LABEL, "new": NEW, "site": ["a", "b"] * (N // 2)})
    out = run("columns", f"s.{suffix}").out
    assert out.startswith(f"{N} rows")
    assert f"{NEW.min():g} to {NEW.max():g}" in out
    found = {c["name"]: c for c in run("columns", f"s.{suffix}", "--json").json["columns"]}
    assert found["new"]["minimum"] == NEW.min()
    assert found["site"]["counts"] == {"a": N // 2, "b": N // 2}
    assert [c["kind"] for c in found.values()] == ["number", "number", "text"]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_curve_of_every_format(run: Run, tmp_path: Path, suffix: str) -> None:
    make(tmp_path / f"s.{suffix}", {"y": LABEL, "new": NEW, "old": OLD})
    rows = list(csv.DictReader(io.StringIO(run("curve", f"s.{suffix}").out)))
    assert list(rows[0]) == ["score", "threshold", "fpr", "tpr", "tp", "fp"]
    for name, table in TABLES.items():
        curve = rs.roc_curve(table)
        mine = [row for row in rows if row["score"] == name]
        for column in ("threshold", "fpr", "tpr", "tp", "fp"):
            assert [float(row[column]) for row in mine] == getattr(curve, column).tolist()


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_at_of_every_format(run: Run, tmp_path: Path, suffix: str) -> None:
    make(tmp_path / f"s.{suffix}", {"y": LABEL, "new": NEW, "old": OLD})
    found = run("at", f"s.{suffix}", "--threshold", "0.5", "--json").json
    for score in found["scores"]:
        (point,) = score["operating_points"]
        expected = rs.point_at(TABLES[score["name"]], 0.5)
        assert [point[c] for c in ("tp", "fp", "fn", "tn")] == [
            getattr(expected, c) for c in ("tp", "fp", "fn", "tn")
        ]
        low, high = rs.point_interval(expected, "ppv")
        assert (point["rates"]["ppv"]["low"], point["rates"]["ppv"]["high"]) == (low, high)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_report_of_every_format(run: Run, tmp_path: Path, suffix: str) -> None:
    make(tmp_path / f"s.{suffix}", {"y": LABEL, "new": NEW})
    result = run("report", f"s.{suffix}", "--title", "A & B")
    assert result.out.splitlines()[-1] == "s-roc.html"
    assert words.share(rs.auc(TABLES["new"])) in result.out
    page = (tmp_path / "s-roc.html").read_text(encoding="utf-8")
    assert page.lstrip().lower().startswith("<!doctype html>")
    assert "A &amp; B" in page


def test_report_goes_where_it_is_told(run: Run, file: Path) -> None:
    result = run("report", file, *ILL, "--output", "r.html", "--quiet")
    assert result.out.splitlines()[-1] == "r.html"
    assert Path("r.html").exists()
    assert result.err == ""


def test_report_json_writes_a_page_only_where_told(run: Run, file: Path) -> None:
    summary = run("report", file, *ILL, "--json", "--level", "0.9").json
    assert summary["settings"]["level"] == 0.9
    assert list(file.parent.glob("*.html")) == []
    assert run("report", file, *ILL, "--json", "--output", "r.html").json["scores"]
    assert Path("r.html").exists()


def test_points_by_every_way(run: Run, file: Path) -> None:
    ways = ("--threshold", "-1", "--threshold", "2", "--fpr", "0.1", "--tpr", "0.9", "--youden")
    (score,) = run("at", file, *ILL, "--score", "new", *ways, "--json").json["scores"]
    found = [(p["kind"], p["target"], p["threshold"]) for p in score["operating_points"]]
    table = TABLES["new"]
    best = [("youden", None, p.threshold) for p in rs.optimal_points(table)]
    assert found == [
        ("threshold", -1, -1),
        ("threshold", 2, 2),
        ("fpr", 0.1, rs.point_at_fpr(table, 0.1).threshold),
        ("tpr", 0.9, rs.point_at_tpr(table, 0.9).threshold),
        *best,
    ]
    text = run("at", file, *ILL, "--score", "new", *ways).out
    point = rs.point_at(table, 2.0)
    assert "new >= 2.0" in text
    assert words.share(point.tpr) in text
    assert "looks better than it is" in text
    assert max(map(len, text.splitlines())) <= 80


def test_curve_options_and_files(run: Run, file: Path) -> None:
    base = ("curve", file, *ILL, "--score", "old")
    run(*base, "--ties", "optimistic", "--drop-collinear", "--output", "c.json")
    found = json.loads(Path("c.json").read_text())["scores"][0]["points"]
    curve = rs.roc_curve(TABLES["old"], ties="optimistic", collinear="drop")
    assert found["tp"] == curve.tp.tolist()
    assert found["threshold"][0] == "inf"
    run(*base, "--output", "c.csv")
    assert Path("c.csv").read_text() == run(*base).out
    run(*base, "--output", "c.parquet")
    stored = pa.parquet.read_table("c.parquet")
    assert stored["fpr"].to_pylist() == rs.roc_curve(TABLES["old"]).fpr.tolist()
    assert stored["tp"].type == pa.int64()
    assert run(*base, "--json").json["scores"][0]["n_pos"] == TABLES["old"].n_pos
    assert "must end in" in run(*base, "--output", "c.xlsx", fails=True).err


def test_bundled_data(run: Run, tmp_path: Path) -> None:
    result = run("auc", "hpc_cv", "--json")
    assert "is a bundled data set" not in result.err
    (score,) = result.json["scores"]
    answer = datasets.load("hpc_cv").answers["auc:VF"]
    assert score["auc"]["value"] == pytest.approx(answer.value, rel=1e-14)
    assert result.json["source"]["file"] == "hpc_cv"
    run("report", "fawcett20")
    assert (tmp_path / "fawcett20-roc.html").exists()
    text = run("data").out
    assert all(name in text for name in datasets.names())
    assert [each["name"] for each in run("data", "--json").json["datasets"]] == list(
        datasets.names()
    )


# Options


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


def test_separator_format_and_null(run: Run, tmp_path: Path) -> None:
    (tmp_path / "odd").write_text("y#s\n1#2\n0#?\n0#1\n1#1\n")
    options = ("--format", "csv", "--separator", "#", "--null", "?", "--missing", "omit")
    found = run("auc", "odd", "--score", "s", *options, "--json").json["scores"][0]
    assert found["auc"]["value"] == rs.auc_score([1, 0, 1], [2, 1, 1])
    assert run("columns", "odd", "--separator", "#", "--json").json["columns"][1]["name"] == "s"


def test_output_of_text_and_json(run: Run, file: Path) -> None:
    shown = run("auc", file, *ILL).out
    assert run("auc", file, *ILL, "--output", "a.txt").out == ""
    assert Path("a.txt").read_text() == shown
    run("at", file, *ILL, "--youden", "--json", "--output", "a.json")
    assert json.loads(Path("a.json").read_text())["schema"] == "rocspace.points/1"
    run("auc", file, *ILL, "--output", "/dev/null")
    assert not Path("/dev/null").is_file()
    assert sorted(p.name for p in file.parent.iterdir()) == ["a.json", "a.txt", "scores.csv"]


def test_quiet(run: Run, file: Path) -> None:
    assert run("auc", file, *ILL, "--lower-is-positive", "new", "--quiet").err == ""


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help(run: Run, command: str) -> None:
    out = run(*command.split(), "--help").out
    assert "Usage: rocspace" in out
    assert f"rocspace {command or 'report'}" in out.partition("Usage")[2][10:]
    assert out.isascii()
    assert max(map(len, out.splitlines())) <= 80


def test_version(run: Run) -> None:
    assert run("--version").out == f"rocspace {rs.__version__}\n"


def test_standard_input(run: Run, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with file.open() as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        summary = run("auc", "-", *ILL, "--json").json
    assert summary["source"]["file"] == "standard input"
    assert summary["scores"][0]["auc"]["value"] == rs.auc(TABLES["new"])


# Notes


def test_notes_have_plain_spaces(run: Run, tmp_path: Path) -> None:
    make(tmp_path / "ties.csv", {"y": [0, 1] * 20, "s": [0, 1, 1, 1] * 10})
    assert "In 50.0 % of the pairs" in run("auc", "ties.csv").err


# Bins


def test_binned_tables_are_flagged(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    n = 5000
    label = RNG.integers(0, 2, n)
    score = RNG.normal(label, 1.0)
    make(tmp_path / "b.parquet", {"y": label, "s": score})
    real = file_tables.Tabulator
    monkeypatch.setattr(file_tables, "Tabulator", lambda **k: real(**k | {"max_rows": 500}))
    result = run("auc", "b.parquet")
    assert "s: too many distinct scores to keep apart" in result.err
    assert "certain bounds" in result.out
    found = run("auc", "b.parquet", "--json").json
    assert found["source"]["counting"] == {"s": "binned"}
    bounds = found["scores"][0]["auc"]["bounds"]
    assert bounds["low"] <= rs.auc_score(label, score) <= bounds["high"]


# Hostile names


HOSTILE = ("<script>alert(1)</script>", "[red]x[/red]", "new\nline", "\x1b[31mesc", 'a,b"c', "é")


def test_hostile_names_are_text(run: Run, tmp_path: Path) -> None:
    make(tmp_path / "h.parquet", {"y": LABEL, **dict.fromkeys(HOSTILE, NEW)})
    result = run("auc", "h.parquet")
    for name in HOSTILE:
        assert printable(name) in result.out
        assert printable(name) in result.err
    assert "\x1b" not in result.out + result.err
    assert len(run("columns", "h.parquet").out.splitlines()) == 4 + 1 + len(HOSTILE)
    rows = csv.DictReader(io.StringIO(run("curve", "h.parquet").out))
    assert {row["score"] for row in rows} == set(HOSTILE)
    assert [s["name"] for s in run("auc", "h.parquet", "--json").json["scores"]] == list(HOSTILE)
    error = run("auc", "h.parquet", "--score", "[red]y[/red]\n\x1b[2J", fails=True).err
    assert error.count("\n") == 2
    assert "\x1b" not in error


# Mistakes: status 2, one line, no traceback


def broken(folder: Path) -> None:
    make(folder / "ok.csv", {"y": LABEL, "new": NEW, "site": ["north"] * N})
    make(folder / "two.csv", {"state": ["ill", "well"] * (N // 2), "s": NEW})
    make(folder / "three.csv", {"y": ["a", "b", "c"] * (N // 3), "s": NEW})
    make(folder / "one.csv", {"y": [0] * N, "s": NEW})
    (folder / "nan.csv").write_text("y,s\n0,1\n1,NaN\n")
    (folder / "header.csv").write_text("y,s\n")
    (folder / "empty.csv").write_text("")
    (folder / "ragged.csv").write_text("y,s\n0,1\n1,2,3\n")
    (folder / "stray.csv").write_text("y,s\n0,1\n1,abc\n")
    whole = gzip.compress((folder / "ok.csv").read_bytes())
    (folder / "cut.csv.gz").write_bytes(whole[: len(whole) // 2])
    (folder / "bad.parquet").write_bytes(b"PAR1 and nothing else")


MISTAKES: list[tuple[str, list[str]]] = [
    ("auc okay.csv", ["okay.csv", "Did you mean 'ok.csv'"]),
    ("auc .", ["is a folder"]),
    ("auc ok.csv --label yy", ["no column 'yy'", "Did you mean 'y'"]),
    ("auc ok.csv --score ne", ["no column 'ne'", "Did you mean 'new'"]),
    ("auc ok.csv --score site", ["'site'", "cannot be a score", "--score", "--null"]),
    ("auc ok.csv --label y --score y", ["'y' is the label", "--score"]),
    ("auc two.csv", ["Which column is the label?", "--label", "'state' (text)"]),
    ("auc two.csv --label state", ["'ill' (60 rows)", "--positive 'well'"]),
    ("auc two.csv --label state --positive il", ["--positive 'il'", "Did you mean 'ill'"]),
    ("auc three.csv", ["3 values", "'a' (40 rows)", "--positive"]),
    ("auc one.csv", ["All 120 cases are negative", "both classes"]),
    ("report one.csv", ["All 120 cases are negative"]),
    ("curve nan.csv", ["'s'", "row 2", "--missing omit"]),
    ("at nan.csv --youden", ["'s'", "row 2"]),
    ("auc header.csv", ["no rows"]),
    ("columns empty.csv", ["is empty"]),
    ("auc ragged.csv", ["ragged.csv", "3"]),
    ("auc stray.csv --score s", ["row 2 holds 'abc'"]),
    ("auc cut.csv.gz", ["cut off"]),
    ("auc bad.parquet", ["no complete parquet file"]),
    ("at ok.csv", ["--threshold", "--youden"]),
    ("at ok.csv --threshold nan", ["NaN"]),
    ("at ok.csv --threshold x", ["--threshold", "See: rocspace at --help"]),
    ("at ok.csv --fpr 2", ["fpr is 2.0"]),
    ("auc ok.csv --level 95", ["--level is 95"]),
    ("auc ok.csv --missing drop", ["--missing", "omit"]),
    ("auc ok.csv --separator ;;", ["separator is ';;'"]),
    ("auc ok.csv --format xls", ["--format", "parquet"]),
    ("auc ok.csv --labell y", ["--labell", "Did you mean --label?"]),
    ("auc ok.csv --score new old", ["'old'", "repeat --score"]),
    ("auc", ["FILE"]),
    ("aux ok.csv", ["aux", 'Did you mean "auc"']),
    ("ok.csv", ["'ok.csv' is a file", "rocspace report FILE"]),
    ("auc adult", ["no file 'adult'", "Did you mean 'adult_scores'"]),
    ("auc ok.csv --output ok.csv", ["is the file that is read"]),
    ("auc ok.csv --output no/where.txt", ["no folder 'no'", "--output"]),
    ("report ok.csv --output .", ["is a folder"]),
    ("curve ok.csv --json --output c.csv", ["must end in .json"]),
]


@pytest.mark.parametrize(("line", "words"), MISTAKES, ids=[line for line, _ in MISTAKES])
def test_mistakes_are_one_line_and_status_2(
    run: Run, tmp_path: Path, line: str, words: list[str]
) -> None:
    broken(tmp_path)
    before = sorted(tmp_path.iterdir())
    result = run(*line.split(), "--quiet" if "FILE" not in words else "--json", fails=True)
    assert result.out == ""
    assert result.err.startswith("rocspace: error: ")
    assert result.err.count("\n") == 1
    assert [word for word in words if word not in result.err] == [], result.err
    assert "pos_label" not in result.err
    assert sorted(tmp_path.iterdir()) == before


def test_the_traceback_can_be_had(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROCSPACE_TRACEBACK", "1")
    with pytest.raises(FileNotFoundError, match=r"nowhere\.csv"):
        run("auc", "nowhere.csv")


def test_a_fault_of_ours_is_status_1(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fault(*_: Any, **__: Any) -> None:
        raise KeyError("x")  # noqa: EM101

    monkeypatch.setattr("rocspace.cli.reading.tabulate_file", fault)
    assert cli.run(["auc", str(file), *ILL]) == 1
    assert "KeyError: 'x'. This is a fault of rocspace" in capsys.readouterr().err


def test_without_the_extra(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "cyclopts", None)
    assert cli.run(["--help"]) == 2
    said = "rocspace: error: cyclopts is not installed. Run: pip install 'rocspace[app]'\n"
    assert capsys.readouterr().err == said


def test_half_a_file_is_never_left(tmp_path: Path) -> None:
    place = tmp_path / "out.txt"
    place.write_text("before")

    def pieces() -> Any:
        yield "one"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        console.write(pieces(), str(place))
    assert [p.name for p in tmp_path.iterdir()] == ["out.txt"]
    assert place.read_text() == "before"


def test_interrupted(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("rocspace.cli.reading.tabulate_file", interrupt)
    assert cli.run(["auc", str(file), *ILL]) == 130
    assert capsys.readouterr().err == "rocspace: interrupted\n"
    assert list(file.parent.iterdir()) == [file]


# Numbers as they are shown


def test_progress_waits_and_needs_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    for stream, patience, shown in (
        (io.StringIO(), 0.0, False),
        (Terminal(), 1e9, False),
        (Terminal(), 0.0, True),
    ):
        monkeypatch.setattr(sys, "stderr", stream)
        monkeypatch.setattr(_progress, "_PATIENCE", patience)
        with _progress.Counter("rows read") as progress:
            progress(1_234_567)
            progress(2_345_678)
        assert ("rows read" in stream.getvalue()) is shown


# As a process


def start(*arguments: str, **options: Any) -> subprocess.Popen[str]:
    command: Sequence[str] = [sys.executable, "-m", "rocspace", *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, **options)


def test_as_a_module() -> None:
    process = start("auc", "-", "--label", "y", stdin=subprocess.PIPE)
    out, err = process.communicate("y,s\n0,1\n1,2\n1,1\n0,0\n")
    assert process.returncode == 0, err
    assert "0.875" in out
    process = start("auc", "nowhere.csv")
    out, err = process.communicate()
    assert (process.returncode, out) == (2, "")
    assert err.startswith("rocspace: error: There is no file 'nowhere.csv'")


def test_a_closed_pipe_is_quiet() -> None:
    process = start("curve", "adult_scores", "--quiet")
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline() == "score,threshold,fpr,tpr,tp,fp\n"
    process.stdout.close()
    assert process.wait() == 141
    assert process.stderr.read() == ""
    process.stderr.close()


@pytest.mark.skipif(os.name == "nt", reason="no SIGINT to send")
def test_ctrl_c(tmp_path: Path) -> None:
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    process = start("auc", "-", stdin=subprocess.PIPE, env=environment, cwd=tmp_path)
    assert process.stdin is not None
    process.stdin.write("y,s\n0,1\n")
    process.stdin.flush()
    for _ in range(200):  # until it waits for more of the file
        if list(tmp_path.iterdir()):
            break
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    assert (process.returncode, err) == (130, "rocspace: interrupted\n")
    assert list(tmp_path.iterdir()) == []


def test_row_numbers_are_told_of(tmp_path, capsys):
    file = tmp_path / "ids.csv"
    rows = "".join(f"{i % 3 == 0:d},{i},{i % 7}\n" for i in range(100, 130))
    file.write_text("y,id,s\n" + rows, encoding="utf-8")
    assert cli.run(["auc", str(file)]) == 0
    told = [x for x in capsys.readouterr().err.splitlines() if "row numbers" in x]
    (line,) = told
    assert line.startswith("rocspace: id holds every whole number from 100 to 129 once")


def test_a_type_error_is_no_fault_of_the_user(monkeypatch, capsys):
    def broken(_):
        msg = "unsupported operand"
        raise TypeError(msg)

    monkeypatch.setattr("rocspace.cli.app._execute", broken)
    assert cli.run(["data"]) == 1
    assert "This is a fault of rocspace" in capsys.readouterr().err


@pytest.mark.parametrize(("old", "new"), app.RETIRED.items())
def test_an_old_option_answers_with_the_new_name(run: Run, file: Path, old: str, new: str) -> None:
    assert f"{old} is {new} now." in run("band", file, old, 3, fails=True).err
    assert f"{old} is {new} now." in run("choose", file, f"{old}=3", fails=True).err


def test_the_list_of_verbs_is_what_their_help_begins_with() -> None:
    for name, summary in VERBS.items():
        verb = getattr(importlib.import_module(f"rocspace.cli.verbs.{name}"), name)
        assert " ".join(verb.__doc__.split()).startswith(summary)


@pytest.mark.parametrize(("word", "loaded"), [("--help", []), ("data", ["data"])])
def test_a_verb_is_imported_when_it_is_asked_for(word: str, loaded: list[str]) -> None:
    code = f"""
import sys
from rocspace.cli import run
run([{word!r}])
verbs = [m for m in sys.modules if m.startswith("rocspace.cli.verbs.")]
assert verbs == ["rocspace.cli.verbs." + name for name in {loaded!r}], verbs
heavy = {{"scipy", "numba", "pyarrow", "matplotlib", "rocspace.report"}} & set(sys.modules)
assert not heavy, heavy
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_faults_of_old_are_mistakes_that_are_told(run: Run, tmp_path: Path) -> None:
    pa.parquet.write_table(pa.table({}), tmp_path / "none.parquet")
    assert "none.parquet has no columns." in run("columns", "none.parquet", fails=True).err
    for option in ("--width", "--prevalence"):
        said = run("power", "--area", 0.8, option, "1e-300", fails=True).err
        assert f"{option} is 1e-300, too little to plan a study by" in said
    (tmp_path / "s.csv").write_text("y,s\n0,1\n1,2\n")
    assert "like an arrow file" in run("auc", "s.csv", "--format", "arrow", fails=True).err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device")
def test_a_full_disk_names_the_file(run: Run, file: Path) -> None:
    said = run("auc", file, *ILL, "--output", "/dev/full", fails=True).err
    assert "/dev/full: No space left on device" in said


def test_an_area_below_one_half_is_told_of_by_auc_and_compare(run: Run, file: Path) -> None:
    turned = ("--lower-is-positive", "new")
    for verb in ("auc", "compare"):
        told = run(verb, file, *ILL, *turned).err
        assert "new: the area is below 1/2. If higher values are more positive" in told
