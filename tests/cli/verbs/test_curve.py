"""`rocspace curve`: every point, in every format."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

import rocspace as rs
from commands import ILL, LABEL, NEW, OLD, SUFFIXES, TABLES, Run, make


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


def test_curve_draws_the_points_that_it_prints(file: Path, drawn: Callable[..., Any]) -> None:
    ax, _, _ = drawn("curve", file, *ILL, "--score", "old", "--ties", "optimistic")
    (line,) = [line for line in ax.lines if line.get_label().startswith("old")]
    curve = rs.roc_curve(TABLES["old"], ties="optimistic", collinear="drop")
    assert line.get_xydata().tolist() == [*map(list, zip(curve.fpr, curve.tpr, strict=True))]
