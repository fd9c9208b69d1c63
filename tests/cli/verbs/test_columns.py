"""`rocspace columns`: what a file holds."""

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

RNG = np.random.default_rng(11)
N = 120
LABEL = RNG.integers(0, 2, N)
NEW = np.round(RNG.normal(LABEL, 1.0), 3)
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
