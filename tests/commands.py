"""Scores of 120 cases that tests of the command line share, and files of every format."""

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

import rocspace as rs

RNG = np.random.default_rng(11)
N = 120
LABEL = RNG.integers(0, 2, N)
NEW = np.round(RNG.normal(LABEL, 1.0), 3)
OLD = RNG.integers(0, 9, N)
WEIGHT = np.round(RNG.uniform(0.5, 2.0, N), 2)
TABLES = {"new": rs.tabulate(LABEL, NEW), "old": rs.tabulate(LABEL, OLD)}
SUFFIXES = ("csv", "csv.gz", "tsv", "parquet", "arrow", "ndjson")
ILL = ("--label", "ill", "--positive", "yes")
Run = Callable[..., Any]  # see conftest.py


def make(path: Path, data: dict[str, Any]) -> Path:
    """Write columns to a file in the format of its ending."""
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
