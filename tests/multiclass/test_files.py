"""Several classes from a file: the same as from arrays, whatever its columns are called."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rocspace import datasets
from rocspace.io import Reading
from rocspace.multiclass import multiclass_file, multiclass_scores, ordered_file

CsvFile = Callable[..., Path]
N = 12
LABELS = [2, 1, 7] * 4
COLUMNS = {f"{b}{k}": [(i * 5 + 3 * k) % 8 / 8 for i in range(N)] for b in "pq" for k in (1, 2, 7)}


def test_a_file_gives_what_arrays_give() -> None:
    known = datasets.load("vehicle_scores")
    data = multiclass_file(known.path, label="obs")
    blocks = {n: {k: known.columns[f"{n}_{k}"] for k in data.classes} for n in ("nb", "knn")}
    wanted = multiclass_scores(known.columns["obs"], blocks)
    assert (data.names, data.classes) == (wanted.names, wanted.classes)
    np.testing.assert_array_equal(data.score, wanted.score)
    np.testing.assert_array_equal(data.label, wanted.label)
    one = multiclass_file(known.path, label="obs", score=[f"knn_{k}" for k in data.classes])
    np.testing.assert_array_equal(one.score[:, 0], wanted.score[:, 1])


def test_weights_clusters_and_rows_without_a_value(csv_file: CsvFile) -> None:
    columns: dict[str, Any] = {
        "y": LABELS,
        **COLUMNS,
        "w": list(range(1, N + 1)),
        "farm": [1, 2] * 6,
    }
    whole = csv_file("whole.csv", columns)
    data = multiclass_file(whole, label="y", weight="w", cluster="farm")
    assert data.classes == (1, 2, 7)
    assert data.names == ("p", "q")
    assert data.weight is not None
    assert data.cluster is not None
    assert data.weight.tolist() == columns["w"]
    assert len(set(data.cluster.tolist())) == 2
    lacking = csv_file("lacking.csv", {**columns, "p2": ["", *COLUMNS["p2"][1:]]})
    with pytest.raises(ValueError, match="has no value in row 1"):
        multiclass_file(lacking, label="y")
    rest = multiclass_file(lacking, label="y", missing="omit")
    np.testing.assert_array_equal(rest.score, data.score[1:])
    semicolons = whole.with_name("other.txt")
    semicolons.write_text(whole.read_text().replace(",", ";"))
    again = multiclass_file(semicolons, label="y", reading=Reading(separator=";"))
    np.testing.assert_array_equal(again.score, data.score)


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"label": "one"}, "Column 'one' has 1 value. Classes are 2 to 100"),
        ({"label": "id"}, "Column 'id' has more than 100 values"),
        ({"label": "y", "score": ["p1", "p2"]}, "(as p_1, p_2, p_7), and no other column. Given"),
        ({"label": "y", "score": [*COLUMNS, "id"]}, "and no other column. Given are 'p1', 'p2'"),
        ({"label": "z"}, "has no column 'z'"),
    ],
)
def test_what_does_not_fit_is_refused(csv_file: CsvFile, how: dict[str, Any], said: str) -> None:
    many = {name: column * 10 for name, column in {"y": LABELS, **COLUMNS}.items()}
    path = csv_file("cases.csv", {**many, "one": [1] * 10 * N, "id": list(range(10 * N))})
    with pytest.raises(ValueError, match=re.escape(said)):
        multiclass_file(path, **how)


def test_markers_of_classes_in_an_order(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("g,up,down,w,who\n2,1,9,1,a\n9,2,7,2,a\n10,4,,1,b\n10,3,5,1,b\n2,0,8,1,c\n")
    how = {"label": "g", "order": ["2", "9", "10"]}
    data = ordered_file(path, **how, score=["up"], weight="w", cluster="who")
    assert data.classes == ("2", "9", "10")
    assert data.label.tolist() == [0, 1, 2, 2, 0]
    assert data.score[:, 0].tolist() == [1, 2, 4, 3, 0]
    assert data.weight.tolist() == [1, 2, 1, 1, 1]
    assert data.cluster.tolist() == [0, 0, 1, 1, 2]
    with pytest.raises(ValueError, match="no value in row 3"):
        ordered_file(path, **how, weight="w")
    both = ordered_file(path, **how, higher_is_positive={"down": False}, weight="w", missing="omit")
    assert both.names == ("up", "down")
    assert both.score[:, 1].tolist() == [-9, -7, -5, -8]
    with pytest.raises(ValueError, match=r"order is 2, 9, and column 'g' also has '10'\. Name all"):
        ordered_file(path, label="g", order=["2", "9"], score=["up"])
