"""`rocspace curve`: every point, in every format."""

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

import rocspace as rs

RNG = np.random.default_rng(11)
N = 120
LABEL = RNG.integers(0, 2, N)
NEW = np.round(RNG.normal(LABEL, 1.0), 3)
OLD = RNG.integers(0, 9, N)
TABLES = {"new": rs.tabulate(LABEL, NEW), "old": rs.tabulate(LABEL, OLD)}
SUFFIXES = ("csv", "csv.gz", "tsv", "parquet", "arrow", "ndjson")
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
