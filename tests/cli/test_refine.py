"""`rocspace auc --exact` and `--tolerance`: several passes over a file, and what Ctrl-C leaves."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rocspace as rs
from rocspace._base import progress as _progress
from rocspace._base.prefetch import read_ahead
from rocspace._base.text import share
from rocspace.cli import run
from rocspace.cli.verbs.auc import size
from rocspace.io import Reading, refine_file
from rocspace.io import tables as file_tables

RNG = np.random.default_rng(5)
N = 60_000
LABEL = RNG.random(N) < 0.2
NEW = RNG.normal(size=N) + LABEL
OLD = (RNG.normal(size=N) + LABEL).astype(np.float32)
FEW = RNG.integers(0, 50, N)
AREAS = {name: rs.auc_score(LABEL, s) for name, s in (("new", NEW), ("old", OLD), ("few", FEW))}


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("files") / "s.parquet"
    pq.write_table(pa.table({"y": LABEL, "new": NEW, "old": OLD, "few": FEW}), path)
    return path


@pytest.fixture
def little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave room for some two thousand bins of each of three scores, whatever the memory."""
    monkeypatch.setattr(file_tables, "_PROGRAM", 10**9 - 3 * 2000 * file_tables.ROW_BYTES)


@pytest.mark.usefixtures("little_memory")
def test_exact_areas_of_several_scores_in_shared_passes(file: Path) -> None:
    seen: list[int] = []
    found = refine_file(file, label="y", reading=Reading(progress=seen.append))
    assert {name: area.value for name, area in found.areas.items()} == AREAS
    assert all(area.exact for area in found.areas.values())
    assert found.source["counting"] == dict.fromkeys(AREAS, "exact")
    passes = {name: area.passes for name, area in found.areas.items()}
    assert passes["few"] == 1
    assert min(passes["new"], passes["old"]) > 1
    assert seen == [N] * max(passes.values())
    assert found.areas["new"].n_pos == LABEL.sum()


@pytest.mark.usefixtures("little_memory")
@pytest.mark.parametrize("tolerance", [1e-2, 1e-4])
def test_bounds_are_as_narrow_as_asked(file: Path, tolerance: float) -> None:
    found = refine_file(file, label="y", tolerance=tolerance, score=["old", "new"])
    for name, area in found.areas.items():
        assert area.low <= AREAS[name] <= area.high
        assert area.high - area.low <= tolerance
        assert not area.exact


@pytest.mark.usefixtures("little_memory")
def test_lower_scores_and_missing_ones(tmp_path: Path) -> None:
    holed = np.where(np.arange(N) % 7 == 0, np.nan, NEW)
    pq.write_table(pa.table({"y": LABEL.astype(int), "s": holed}), tmp_path / "s.parquet")
    kept = ~np.isnan(holed)
    found = refine_file(tmp_path / "s.parquet", label="y", higher_is_positive=False, missing="omit")
    area = found.areas["s"]
    exact = rs.auc_score(LABEL[kept], NEW[kept], higher_is_positive=False)
    assert (area.value, area.n_cases) == (exact, kept.sum())
    assert found.source["dropped"] == {"s": N - kept.sum()}


def said(
    capsys: pytest.CaptureFixture[str], *arguments: object, status: int = 0
) -> tuple[str, str]:
    capsys.readouterr()
    assert run([str(a) for a in arguments]) == status
    captured = capsys.readouterr()
    return captured.out, captured.err


@pytest.mark.usefixtures("little_memory")
def test_the_command_prints_area_bounds_and_passes(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, err = said(capsys, "auc", file, "--exact", "--score", "new", "--score", "few")
    new, few = (line.split() for line in out.splitlines()[-2:])
    assert new[:4] == ["new", "60,000", f"{LABEL.sum():,}", share(AREAS["new"])]
    assert new[4:] == [
        "exact",
        "0",
        str(refine_file(file, label="y", score=["new", "few"]).areas["new"].passes),
    ]
    assert few[4:] == ["exact", "0", "1"]
    assert "label: y" in err
    out, err = said(capsys, "auc", file, "--tolerance", "1e-3", "--score", "new", "--json")
    found = json.loads(out)
    assert found["schema"] == "rocspace.areas/1"
    (score,) = found["scores"]
    assert score["low"] <= AREAS["new"] <= score["high"] <= score["low"] + 1e-3
    assert found["source"]["counting"] == {"new": "bounded"}
    assert found["source"]["rows"] == N


def test_standard_input_is_read_again(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_tables, "_PROGRAM", 10**9 - 2000 * file_tables.ROW_BYTES)
    rows = "".join(f"{y:d},{s!r}\n" for y, s in zip(LABEL[:9000], NEW[:9000].tolist(), strict=True))
    stream = io.TextIOWrapper(io.BytesIO(f"y,s\n{rows}".encode()))
    monkeypatch.setattr(sys, "stdin", stream)
    out, _ = said(capsys, "auc", "-", "--exact", "--json")
    (score,) = json.loads(out)["scores"]
    assert score["value"] == rs.auc_score(LABEL[:9000], NEW[:9000])
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
    file: Path, capsys: pytest.CaptureFixture[str], options: list[str], words: str
) -> None:
    out, err = said(capsys, "auc", file, "--quiet", *options, status=2)
    assert out == ""
    assert words in err
    assert err.count("\n") == 1


def test_a_missing_class_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pq.write_table(pa.table({"y": [1, 1], "s": [0.1, 0.2]}), tmp_path / "s.parquet")
    _, err = said(
        capsys, "auc", tmp_path / "s.parquet", "--exact", "--positive", 1, "--quiet", status=2
    )
    assert "negative" in err


# --- progress --------------------------------------------------------------------------------


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.usefixtures("little_memory")
def test_progress_names_the_pass(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_progress, "_PATIENCE", 0.0)
    monkeypatch.setattr(_progress, "_INTERVAL", 0.0)
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    with _progress.Counter("rows read") as progress:
        refine_file(file, label="y", score="new", reading=Reading(progress=progress))
    assert "60,000 rows read, pass 2 of" in screen.getvalue()


@pytest.mark.parametrize(("patience", "shown"), [(0.0, True), (60.0, False)])
def test_waiting_is_shown_to_those_who_wait(
    monkeypatch: pytest.MonkeyPatch, patience: float, shown: bool
) -> None:
    monkeypatch.setattr(_progress, "_PATIENCE", patience)
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    with _progress.Elapsed("counting sheep"):
        time.sleep(0.3)
    assert ("counting sheep" in screen.getvalue()) is shown
    with _progress.Elapsed("counting goats", show=False):
        time.sleep(0.1)
    assert "goats" not in screen.getvalue()


# --- reading ahead, and being interrupted ----------------------------------------------------


def reading_threads() -> list[threading.Thread]:
    return [t for t in threading.enumerate() if t.name == "rocspace-read-ahead"]


def test_reading_ahead_keeps_order_and_errors() -> None:
    def items() -> Any:
        yield from range(10)
        raise ValueError(message)

    message = "no more"
    got: list[int] = []
    with pytest.raises(ValueError, match=message):
        got.extend(read_ahead(items()))
    assert got == list(range(10))
    assert list(read_ahead([])) == []
    assert reading_threads() == []


def test_reading_ahead_stops_and_closes_what_it_reads() -> None:
    closed, made = [], []

    def items() -> Any:
        try:
            for i in range(10**9):
                made.append(i)
                yield i
        finally:
            closed.append(True)

    ahead = read_ahead(items())
    assert next(ahead) == 0
    ahead.close()
    assert closed == [True]
    assert len(made) < 10
    assert reading_threads() == []


@pytest.mark.skipif(os.name == "nt", reason="no SIGINT to send")
def test_ctrl_c_between_passes_leaves_nothing(tmp_path: Path) -> None:
    n = 1_500_000
    label = RNG.random(n) < 0.1
    data = tmp_path / "data"
    data.mkdir()
    pq.write_table(pa.table({"y": label, "s": RNG.normal(size=n) + label}), data / "s.parquet")
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
    time.sleep(1.0)  # now it reads
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, "", "rocspace: interrupted\n")
    assert list(work.iterdir()) == []
    assert [path.name for path in data.iterdir()] == ["s.parquet"]
