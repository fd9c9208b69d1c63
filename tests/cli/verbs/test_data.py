"""`rocspace data`: bundled sets stand for files."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rocspace import datasets

Run = Callable[..., Any]  # see conftest.py


def test_bundled_data(run: Run, tmp_path: Path) -> None:
    result = run("auc", "hpc_cv", "--json")
    assert "is a bundled data set" not in result.err
    (score,) = result.json["scores"]
    answer = datasets.load("hpc_cv").answers["auc:VF"]
    assert score["auc"]["value"] == pytest.approx(answer.value, rel=1e-14)
    assert result.json["source"]["file"] == "hpc_cv"
    run("report", "fawcett20")
    assert (tmp_path / "fawcett20-roc.html").exists()
    text = run("data").out
    assert all(name in text for name in datasets.names())
    assert [each["name"] for each in run("data", "--json").json["datasets"]] == list(
        datasets.names()
    )
