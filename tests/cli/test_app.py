"""The program: its verbs, exit statuses and the wording of errors."""

import gzip
import importlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

import rocspace as rs
from commands import ILL, LABEL, NEW, N, Run, make
from rocspace import cli
from rocspace.cli import app
from rocspace.cli.verbs import VERBS

COMMANDS = ("report", "auc", "curve", "at", "columns", "data")


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help(run: Run, command: str) -> None:
    out = run(*command.split(), "--help").out
    assert "Usage: rocspace" in out
    assert f"rocspace {command or 'report'}" in out.partition("Usage")[2][10:]
    assert out.isascii()
    assert max(map(len, out.splitlines())) <= 80


def test_version(run: Run) -> None:
    assert run("--version").out == f"rocspace {rs.__version__}\n"


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
    ("auc okk.csv", ["okk.csv", "Did you mean 'ok.csv'"]),
    ("auc ok.parquet", ["Did you mean 'ok.csv'"]),
    ("auc .", ["is a folder"]),
    ("auc ok.csv --label yy", ["no column 'yy'", "Did you mean 'y'"]),
    ("auc ok.csv --score ne", ["no column 'ne'", "Did you mean 'new'"]),
    ("auc ok.csv --score new,y", ["no column 'new,y'", "write --score new --score y."]),
    ("auc s3://bucket/ok.csv", ["is not on this computer", "Copy it here"]),
    ("auc ok.csv --score site", ["'site'", "cannot be a score", "--score", "--null"]),
    ("auc ok.csv --label y --score y", ["'y' is the label", "--score"]),
    ("auc two.csv", ["Which column is the label?", "--label", "'state' (text)"]),
    ("auc two.csv --label state", ["'ill' (60 rows)", "--positive 'ill'"]),
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
    ("auc bad.parquet", ["not a complete parquet file"]),
    ("at ok.csv", ["--threshold", "--youden"]),
    ("at ok.csv --threshold nan", ["NaN"]),
    ("at ok.csv --threshold x", ["--threshold", "See: rocspace at --help"]),
    ("at ok.csv --fpr 2", ["fpr is 2.0"]),
    ("auc ok.csv --level 95", ["--level is 95"]),
    ("auc ok.csv --missing drop", ["--missing", "omit"]),
    ("auc ok.csv --separator ;;", ["separator is ';;'"]),
    ("auc ok.csv --format xls", ["--format", "parquet"]),
    ("auc ok.csv --labell y", ["--labell", "Did you mean --label?"]),
    ("auc ok.csv --score new old", ["Repeat --score", "--score new --score old"]),
    ("auc", ["FILE"]),
    ("aux ok.csv", ["aux", 'Did you mean "auc"']),
    ("ok.csv", ["'ok.csv' is a file", "rocspace report FILE"]),
    ("auc adult", ["no file 'adult'", "Did you mean 'adult_scores'"]),
    ("auc ok.csv --output ok.csv", ["is the file that is read"]),
    ("auc ok.csv adult_scores", ["bundled data set", "read alone"]),
    ("auc ok.csv ok.csv", ["named twice"]),
    ("auc ok.csv --output no/where.txt", ["no folder 'no'", "--output"]),
    ("report ok.csv --output .", ["is a folder"]),
    ("report ok.csv --output roc.pdf", ["not the name of a page", ".html", "--to pdf-figures"]),
    ("auc ok.csv --save day.state", ["--save-state FILE"]),
    ("report ok.csv -o x.html", ["report has no -o", "--output FILE"]),
    ("compare ok.csv -q", ["compare has no -q", "--quiet"]),
    ("report ok.csv --output x.html --force", ["has no --force", "is replaced without it"]),
    ("auc ok.csv --by y --save-state s", ["Leave out --save-state, or save a file of each group"]),
    ("choose ok.csv --top 5", ["--max-selected 500"]),
    ("curve ok.csv --plot a.png", ["Write: --figure roc.svg."]),
    ("auc dbfs:/mnt/x.parquet", ["not on this computer"]),
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


def test_interrupted(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("rocspace.cli.reading.tabulate_file", interrupt)
    assert cli.run(["auc", str(file), *ILL]) == 130
    assert capsys.readouterr().err == "rocspace: interrupted\n"
    assert list(file.parent.iterdir()) == [file]


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
    for _ in range(2000):  # until it waits for more of the file
        if list(tmp_path.glob("rocspace-*")):  # other names are Python's trials of the folder
            break
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    assert (process.returncode, err) == (130, "rocspace: interrupted\n")
    assert list(tmp_path.iterdir()) == []


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
    for verb in ("auc", "compare", "report"):
        said = run(verb, "none.parquet", fails=True).err
        assert "none.parquet has no columns, so there is no label." in said
    for option in ("--width", "--prevalence"):
        said = run("power", "--area", 0.8, option, "1e-300", fails=True).err
        assert f"{option} is 1e-300, too little to plan a study by" in said
    (tmp_path / "s.csv").write_text("y,s\n0,1\n1,2\n")
    assert "like an arrow file" in run("auc", "s.csv", "--format", "arrow", fails=True).err


OTHER_RNG = np.random.default_rng(11)
OTHER_N = 120
OTHER_LABEL = OTHER_RNG.integers(0, 2, OTHER_N)
OTHER_NEW = np.round(OTHER_RNG.normal(OTHER_LABEL, 1.0), 3)
OTHER_OLD = OTHER_RNG.integers(0, 9, OTHER_N) + 2 * OTHER_LABEL


@pytest.fixture
def scores(csv_file):
    return csv_file("scores.csv", {"y": OTHER_LABEL, "new": OTHER_NEW, "old": OTHER_OLD})


@pytest.mark.parametrize(
    "words", [("hull",), ("choose", "--min-tpr", "0.5"), ("combine", "--max-rounds", "0")]
)
def test_output_and_help(run, csv_file, scores, tmp_path, words):
    command, *options = words
    printed = run(command, scores, *options).out
    run(command, scores, *options, "--output", tmp_path / "out.txt")
    assert (tmp_path / "out.txt").read_text(encoding="utf-8") == printed
    assert (
        "is the file that is read"
        in run(command, scores, *options, "--output", scores, fails=True).err
    )
    shown = run(command, "--help").out
    assert f"rocspace {command}" in shown
    assert "FILE" in shown
    assert command in run("--help").out
    one = csv_file("one.csv", {"y": [1, 1], "a": [1, 2], "b": [2, 1]})
    assert (
        "a curve needs both classes" in run(command, one, "--positive", 1, *options, fails=True).err
    )
    assert "There is no file" in run(command, "none.csv", *options, fails=True).err


def test_in_a_process_of_its_own(csv_file):
    file = csv_file("scores.csv", {"label": OTHER_LABEL, "new": OTHER_NEW})
    command = [sys.executable, "-m", "rocspace", "choose", str(file), "--cost-fn", "10", "--json"]
    env = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=env)
    assert json.loads(done.stdout)["rule"]["low"]["score"] == "new"
    assert "label: label" in done.stderr


THIRD_RNG = np.random.default_rng(4)
THIRD_N = 90
THIRD_LABEL = THIRD_RNG.integers(0, 2, THIRD_N)
THIRD_NEW = np.round(THIRD_RNG.normal(THIRD_LABEL, 1.0), 2)
THIRD_OLD = np.round(0.5 * THIRD_NEW + THIRD_RNG.normal(0.3 * THIRD_LABEL, 1.0), 2)
THIRD_WILD = np.round(THIRD_RNG.normal(0.2 * THIRD_LABEL, 1.0), 1)
THIRD_SCORES = {"new": THIRD_NEW, "old": THIRD_OLD, "wild": THIRD_WILD}


@pytest.fixture
def three_scores(csv_file):
    return csv_file("scores.csv", {"y": THIRD_LABEL, **THIRD_SCORES})


def test_what_is_needed_and_help(run, three_scores):
    assert "rocspace band needs FILE, or - for standard input." in run("band", fails=True).err
    said = run("average", three_scores, fails=True).err
    assert "rocspace average needs --fold: column of the fold in which each case was" in said
    assert "rocspace merge needs STATE: the files of saved counts" in run("merge", fails=True).err
    assert "--level needs a value" in run("band", three_scores, "--level", fails=True).err
    assert run("help", "band").out == run("band", "--help").out
    assert "Commands" in run("help").out


INTERRUPTED = {
    "in an exec": 'exec("os.kill(os.getpid(), signal.SIGINT)")',
    "in a callback": (
        "weakref.finalize(Case(), os.kill, os.getpid(), signal.SIGINT)\n"
        "    time.sleep(10)\n"
        "    sys.exit(0)"
    ),
}


@pytest.mark.skipif(os.name == "nt", reason="no SIGINT to send")
@pytest.mark.parametrize("where", INTERRUPTED)
def test_ctrl_c_where_python_loses_it(tmp_path: Path, where: str) -> None:
    """Python ends by the signal after the first, though caught, and drops the second."""
    program = (
        "import os, signal, sys, time, weakref\nfrom rocspace.cli import app\n\n"
        "class Case: pass\n\n"
        f"def execute(arguments):\n    {INTERRUPTED[where]}\n\n"
        "app._execute = execute\napp.main()\n"
    )
    (tmp_path / "program.py").write_text(program)
    done = subprocess.run(
        [sys.executable, "-m", "program"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (130, "rocspace: interrupted\n")
