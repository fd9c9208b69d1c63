"""rocspace rank: columns by their p values."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from commands import Run, make
from rocspace.compare import rank_features


@pytest.fixture
def genes(tmp_path: Path) -> dict:
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    columns = {"y": y.tolist()} | {f"g{j}": rng.normal(size=40).tolist() for j in range(30)}
    columns["g4"] = (np.array(columns["g4"]) - 3 * y).tolist()
    make(tmp_path / "genes.csv", columns)
    return columns


def test_text_json_and_figure(run: Run, genes: dict) -> None:
    shown = run("rank", "genes.csv", "--top", "3", "--figure", "v.png")
    lines = shown.out.splitlines()
    assert lines[0] == "genes.csv, y = 1, 1 of 30 columns at 0.05"
    assert lines[4].split()[0] == "g4"
    assert "lower" in lines[4]
    assert "and 27 more" in shown.out
    assert Path("v.png").stat().st_size > 1000
    found = json.loads(run("rank", "genes.csv", "--json", "--adjust", "holm").out)
    wanted = rank_features(genes, "y", adjustment="holm")
    assert found["schema"] == "rocspace.ranking/1"
    assert found["columns"]["name"] == list(wanted.names)
    assert found["columns"]["auc"] == wanted.auc.tolist()
    assert found["columns"]["adjusted_pvalue"] == wanted.adjusted_pvalue.tolist()
    assert found["columns"]["direction"][0] == "lower"
    assert found["found"] == 1


def test_each_column_omits_its_own(run: Run, genes: dict) -> None:
    genes["g1"][2:5] = [None] * 3
    make(Path("holes.csv"), genes)
    assert "missing" in run("rank", "holes.csv", fails=True).err
    found = json.loads(run("rank", "holes.csv", "--missing", "omit", "--json").out)["columns"]
    sizes = dict(zip(found["name"], zip(found["n_pos"], found["n_neg"], strict=True), strict=True))
    assert sizes["g1"] == (19, 18)
    assert sizes["g2"] == (20, 20)
    values = np.array(genes["g1"], dtype=float)
    wanted = rank_features({"y": genes["y"], "g1": values}, "y", missing="omit")
    assert found["auc"][found["name"].index("g1")] == wanted.auc[0]


def test_what_does_not_fit(run: Run, genes: dict) -> None:
    assert "without --weight" in run("rank", "genes.csv", "--weight", "g1", fails=True).err
    told = run("rank", "genes.csv", "--lower-is-positive", "g1", fails=True).err
    assert "without --lower-is-positive" in told
    assert "--top is 0" in run("rank", "genes.csv", "--top", "0", fails=True).err
