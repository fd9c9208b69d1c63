"""`rocspace at`: what thresholds do."""

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
from rocspace._base import text as words

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
