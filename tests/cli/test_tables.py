"""Tables that several verbs print."""

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


def test_an_area_below_one_half_is_told_of_by_auc_and_compare(run: Run, file: Path) -> None:
    turned = ("--lower-is-positive", "new")
    for verb in ("auc", "compare"):
        told = run(verb, file, *ILL, *turned).err
        assert "new: the area is below 1/2. If higher values are more positive" in told
