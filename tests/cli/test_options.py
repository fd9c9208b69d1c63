"""Options that several verbs share."""

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
WEIGHT = np.round(RNG.uniform(0.5, 2.0, N), 2)
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


def test_separator_format_and_null(run: Run, tmp_path: Path) -> None:
    (tmp_path / "odd").write_text("y#s\n1#2\n0#?\n0#1\n1#1\n")
    options = ("--format", "csv", "--separator", "#", "--null", "?", "--missing", "omit")
    found = run("auc", "odd", "--score", "s", *options, "--json").json["scores"][0]
    assert found["auc"]["value"] == rs.auc_score([1, 0, 1], [2, 1, 1])
    assert run("columns", "odd", "--separator", "#", "--json").json["columns"][1]["name"] == "s"


def test_quiet(run: Run, file: Path) -> None:
    assert run("auc", file, *ILL, "--lower-is-positive", "new", "--quiet").err == ""
