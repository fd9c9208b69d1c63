"""What is printed, and files that are written whole or not at all."""

import csv
import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

from rocspace.cli import console
from rocspace.cli.console import printable

RNG = np.random.default_rng(11)
N = 120
LABEL = RNG.integers(0, 2, N)
NEW = np.round(RNG.normal(LABEL, 1.0), 3)
OLD = RNG.integers(0, 9, N)
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


def test_output_of_text_and_json(run: Run, file: Path) -> None:
    shown = run("auc", file, *ILL).out
    assert run("auc", file, *ILL, "--output", "a.txt").out == ""
    assert Path("a.txt").read_text() == shown
    run("at", file, *ILL, "--youden", "--json", "--output", "a.json")
    assert json.loads(Path("a.json").read_text())["schema"] == "rocspace.points/1"
    run("auc", file, *ILL, "--output", "/dev/null")
    assert not Path("/dev/null").is_file()
    assert sorted(p.name for p in file.parent.iterdir()) == ["a.json", "a.txt", "scores.csv"]


def test_notes_have_plain_spaces(run: Run, tmp_path: Path) -> None:
    make(tmp_path / "ties.csv", {"y": [0, 1] * 20, "s": [0, 1, 1, 1] * 10})
    assert "In 50.0 % of the pairs" in run("auc", "ties.csv").err


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


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device")
def test_a_full_disk_names_the_file(run: Run, file: Path) -> None:
    said = run("auc", file, *ILL, "--output", "/dev/full", fails=True).err
    assert "/dev/full: No space left on device" in said
