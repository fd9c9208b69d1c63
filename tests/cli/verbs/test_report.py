"""`rocspace report`: where the page and the summary go."""

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
