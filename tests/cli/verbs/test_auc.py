"""`rocspace auc`: areas of every format, and of files that are read in several passes."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pyarrow.parquet as pq
import pytest

import rocspace as rs
from commands import LABEL, NEW, OLD, SUFFIXES, TABLES, N, Run, make
from rocspace._base import text as words
from rocspace._base.text import share
from rocspace.cli import run
from rocspace.cli.verbs.auc import size
from rocspace.io import refine_file
from rocspace.io import tables as file_tables
from rocspace.models import fit_roc
from rocspace.report import summarise


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


MANY_RNG = np.random.default_rng(5)
MANY = 60_000
MANY_LABEL = MANY_RNG.random(MANY) < 0.2
MANY_NEW = MANY_RNG.normal(size=MANY) + MANY_LABEL
MANY_OLD = (MANY_RNG.normal(size=MANY) + MANY_LABEL).astype(np.float32)
FEW = MANY_RNG.integers(0, 50, MANY)
AREAS = {
    name: rs.auc_score(MANY_LABEL, s)
    for name, s in (("new", MANY_NEW), ("old", MANY_OLD), ("few", FEW))
}


@pytest.fixture(scope="module")
def large_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("files") / "s.parquet"
    pq.write_table(pa.table({"y": MANY_LABEL, "new": MANY_NEW, "old": MANY_OLD, "few": FEW}), path)
    return path


def said(
    capsys: pytest.CaptureFixture[str], *arguments: object, status: int = 0
) -> tuple[str, str]:
    capsys.readouterr()
    assert run([str(a) for a in arguments]) == status
    captured = capsys.readouterr()
    return captured.out, captured.err


@pytest.mark.usefixtures("little_memory")
def test_the_command_prints_area_bounds_and_passes(
    large_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, err = said(capsys, "auc", large_file, "--exact", "--score", "new", "--score", "few")
    new, few = (line.split() for line in out.splitlines()[-2:])
    assert new[:4] == ["new", "60,000", f"{MANY_LABEL.sum():,}", share(AREAS["new"])]
    assert new[4:] == [
        "exact",
        "0",
        str(refine_file(large_file, label="y", score=["new", "few"]).areas["new"].passes),
    ]
    assert few[4:] == ["exact", "0", "1"]
    assert "label: y" in err
    out, err = said(capsys, "auc", large_file, "--tolerance", "1e-3", "--score", "new", "--json")
    found = json.loads(out)
    assert found["schema"] == "rocspace.areas/1"
    (score,) = found["scores"]
    assert score["low"] <= AREAS["new"] <= score["high"] <= score["low"] + 1e-3
    assert found["source"]["counting"] == {"new": "bounded"}
    assert found["source"]["rows"] == MANY


def test_standard_input_is_read_again(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_tables, "_PROGRAM", 10**9 - 2000 * file_tables.ROW_BYTES)
    rows = "".join(
        f"{y:d},{s!r}\n" for y, s in zip(MANY_LABEL[:9000], MANY_NEW[:9000].tolist(), strict=True)
    )
    stream = io.TextIOWrapper(io.BytesIO(f"y,s\n{rows}".encode()))
    monkeypatch.setattr(sys, "stdin", stream)
    out, _ = said(capsys, "auc", "-", "--exact", "--json")
    (score,) = json.loads(out)["scores"]
    assert score["value"] == rs.auc_score(MANY_LABEL[:9000], MANY_NEW[:9000])
    assert score["passes"] == 2


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1GB", 10**9),
        ("500MB", 5 * 10**8),
        ("2GiB", 2**31),
        ("1.5 gb", 1_500_000_000),
        ("64k", 64_000),
        ("123456789", 123_456_789),
        ("7b", 7),
    ],
)
def test_sizes(text: str, number: int) -> None:
    assert size(text) == number


@pytest.mark.parametrize("text", ["", "GB", "1XB", "-1GB", "1 G B", "1e9", "1,5GB"])
def test_what_is_no_size(text: str) -> None:
    with pytest.raises(ValueError, match=r"which is not a size\. Write it like 500MB"):
        size(text)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--exact", "--tolerance", "1e-6"], "Leave out one of --exact and --tolerance"),
        (["--memory", "1GB"], "--memory goes with --exact or --tolerance"),
        (["--exact", "--memory", "much"], "--memory is 'much', which is not a size"),
        (
            ["--exact", "--memory", "9MB"],
            "--memory is 9,000,000 bytes, but the program and 3 scores",
        ),
        (["--exact", "--weight", "few"], "they go without --weight"),
        (["--tolerance", "-0.1"], "--tolerance is -0.1, but must be zero or more"),
        (["--tolerance", "nan"], "--tolerance is nan, but must be zero or more"),
        (["--exact", "--positive", "x"], "--positive"),
    ],
)
def test_mistakes_are_one_line_and_status_2(
    large_file: Path, capsys: pytest.CaptureFixture[str], options: list[str], words: str
) -> None:
    out, err = said(capsys, "auc", large_file, "--quiet", *options, status=2)
    assert out == ""
    assert words in err
    assert err.count("\n") == 1


def test_a_missing_class_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pq.write_table(pa.table({"y": [1, 1], "s": [0.1, 0.2]}), tmp_path / "s.parquet")
    _, err = said(
        capsys, "auc", tmp_path / "s.parquet", "--exact", "--positive", 1, "--quiet", status=2
    )
    assert "negative" in err


@pytest.mark.skipif(os.name == "nt", reason="no SIGINT to send")
def test_ctrl_c_between_passes_leaves_nothing(tmp_path: Path) -> None:
    n = 1_500_000
    label = MANY_RNG.random(n) < 0.1
    data = tmp_path / "data"
    data.mkdir()
    pq.write_table(pa.table({"y": label, "s": MANY_RNG.normal(size=n) + label}), data / "s.parquet")
    work = tmp_path / "work"
    work.mkdir()
    command = ["-m", "rocspace", "auc", str(data / "s.parquet"), "--exact"]
    # Little more than the program needs, so a dozen passes.
    command += ["--memory", str(file_tables._PROGRAM + 1_500_000), "--output", "areas.txt"]
    process = subprocess.Popen(
        [sys.executable, *command],
        cwd=work,
        env=os.environ | {"TMPDIR": str(work)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    assert process.stderr.readline().startswith("rocspace: label: y")
    time.sleep(0.5)  # now it reads
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, "", "rocspace: interrupted\n")
    assert list(work.iterdir()) == []
    assert [path.name for path in data.iterdir()] == ["s.parquet"]


def test_the_area_of_a_model(run: Run, tmp_path: Path) -> None:
    make(tmp_path / "s.csv", {"y": LABEL, "new": NEW})
    found = json.loads(run("auc", "s.csv", "--model", "proper", "--json").out)
    assert found["schema"] == "rocspace.fit/1"
    (model,) = found["scores"][0]["models"]
    fit = fit_roc(TABLES["new"], model="proper")
    assert model["auc"]["value"] == pytest.approx(fit.auc)
    assert model["auc"]["interval"]["low"] == pytest.approx(fit.auc_estimate().interval().low)
    text = run("auc", "s.csv", "--model", "proper").out
    assert share(fit.auc) in text
    assert max(map(len, text.splitlines())) <= 80
    wrong = run("auc", "s.csv", "--model", "propper", fails=True)
    assert "Did you mean 'proper'?" in wrong.err
    both = run("auc", "s.csv", "--model", "proper", "--exact", fails=True)
    assert "Leave out --exact" in both.err
