"""Tables from files: the same as from arrays, every role of a column, every mistake."""

import csv
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

import rocspace as rs
from rocspace.io import FileTables, Reading, tabulate_file

RNG = np.random.default_rng(7)
N = 400
LABEL = RNG.integers(0, 2, N)
SCORE = np.round(RNG.normal(LABEL, 1.0), 2)
OTHER = RNG.integers(0, 20, N)
WEIGHT = np.round(RNG.uniform(0.0, 2.0, N), 1)


def write_csv(path: Path, header: Sequence[str], rows: Iterable[Sequence[Any]]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])
    return path


def columns(label: Any = LABEL, **more: Any) -> dict[str, Any]:
    return {"y": label, "a": SCORE, "b": OTHER, "w": WEIGHT, **more}


def make(path: Path, data: dict[str, Any]) -> Path:
    """Write the columns in the format that the name of the file says."""
    table = pa.table({name: list(np.asarray(values).tolist()) for name, values in data.items()})
    if path.suffix == ".parquet":
        pa.parquet.write_table(table, path, row_group_size=64)
    elif path.suffix == ".arrow":
        pa.feather.write_feather(table, path, chunksize=50)
    elif path.suffix == ".ndjson":
        lines = (json.dumps(row) for row in table.to_pylist())
        path.write_text("\n".join(lines), encoding="utf-8")
    else:
        write_csv(path, table.column_names, zip(*table.to_pydict().values(), strict=True))
    return path


SUFFIXES = ("csv", "parquet", "arrow", "ndjson")


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_every_format_gives_the_tables_of_the_arrays(tmp_path: Path, suffix: str) -> None:
    path = make(tmp_path / f"data.{suffix}", columns(site=["x"] * N))
    found = tabulate_file(path, label="y", weight="w")
    assert list(found.tables) == ["a", "b"]
    assert found.tables["a"] == rs.tabulate(LABEL, SCORE, sample_weight=WEIGHT)
    assert found.tables["b"] == rs.tabulate(LABEL, OTHER, sample_weight=WEIGHT)
    assert found.source == {
        "file": str(path),
        "format": suffix,
        "rows": N,
        "label": "y",
        "positive": 1,
        "labels": {"1": int(LABEL.sum()), "0": int(N - LABEL.sum())},
        "weight": "w",
        "scores_chosen": "every numeric column",
        "dropped": {},
        "counting": {"a": "exact", "b": "exact"},
    }
    assert json.loads(json.dumps(found.source)) == found.source


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize(
    ("no", "yes"),
    [(0, 1), (-1, 1), (False, True), ("false", "true"), ("False", "True"), (0.0, 1.0)],
)
def test_labels_that_need_no_positive(tmp_path: Path, suffix: str, no: Any, yes: Any) -> None:
    path = make(tmp_path / f"data.{suffix}", columns([yes if each else no for each in LABEL]))
    found = tabulate_file(path, label="y", score="a")
    assert found.tables == {"a": rs.tabulate(LABEL, SCORE)}
    assert next(iter(found.source["labels"].values())) == LABEL.sum()


@pytest.mark.parametrize("suffix", ["parquet", "ndjson"])
def test_texts_that_are_digits_need_no_positive(tmp_path: Path, suffix: str) -> None:
    path = make(tmp_path / f"data.{suffix}", columns([str(each) for each in LABEL]))
    found = tabulate_file(path, label="y", score="a")
    assert found.tables["a"] == rs.tabulate(LABEL, SCORE)
    assert found.source["positive"] == "1"


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize(
    ("no", "yes", "said"),
    [
        ("well", "ill", "ill"),
        ("NA", 'é, "x"', 'é, "x"'),
        (1, 2, 2),
        (1, 2, "2"),
        (0.5, 2.5, "2.5"),
        (True, False, False),
        (True, False, "false"),
    ],
)
def test_the_value_named_is_positive(
    tmp_path: Path, suffix: str, no: Any, yes: Any, said: Any
) -> None:
    path = make(tmp_path / f"data.{suffix}", columns([yes if each else no for each in LABEL]))
    found = tabulate_file(path, label="y", score=["a"], pos_label=said)
    assert found.tables == {"a": rs.tabulate(LABEL, SCORE)}
    assert found.source["positive"] == yes


def test_one_value_against_the_rest(tmp_path: Path) -> None:
    label = np.array(["a", "b", "c", "d"])[np.arange(N) % 4]
    path = make(tmp_path / "data.csv", columns(label))
    found = tabulate_file(path, label="y", score="a", pos_label="c")
    assert found.tables["a"] == rs.tabulate(label == "c", SCORE)
    assert found.source["labels"] == {"c": 100, "a": 100, "b": 100, "d": 100}


def test_batches_may_lack_a_value(tmp_path: Path) -> None:
    # Sorted by label, and more rows than a batch: one has zeros only, one ones only.
    n = 300_000
    label = np.repeat([0, 1], n)
    score = RNG.integers(0, 50, 2 * n)
    path = make(tmp_path / "data.parquet", {"y": label, "s": score})
    seen: list[int] = []
    found = tabulate_file(path, label="y", reading=Reading(progress=seen.append))
    assert found.tables["s"] == rs.tabulate(label, score)
    assert seen == sorted(seen)
    assert len(seen) > 2
    assert seen[-1] == 2 * n


def test_lower_scores_can_be_positive(tmp_path: Path) -> None:
    path = make(tmp_path / "data.csv", columns())
    found = tabulate_file(path, label="y", score="a", higher_is_positive=False)
    assert found.tables["a"] == rs.tabulate(LABEL, SCORE, higher_is_positive=False)


def test_true_and_false_can_score(tmp_path: Path) -> None:
    path = make(tmp_path / "data.parquet", columns(said=SCORE > 0))
    found = tabulate_file(path, label="y", score="said")
    assert rs.auc(found.tables["said"]) == rs.auc_score(LABEL, SCORE > 0)


def test_options_of_csv(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_text("y;s\n1;0,5\n0;0,25\n1;?\n0;0,75\n", encoding="utf-8")
    reading = Reading(null_values=["?"], kinds={"s": "number"})
    found = tabulate_file(path, label="y", missing="omit", reading=reading)
    assert found.tables["s"] == rs.tabulate([1, 0, 0], [0.5, 0.25, 0.75])
    assert found.source["dropped"] == {"s": 1}


# Missing values


def holes(values: Any, at: Sequence[int]) -> list[Any]:
    return [None if i in at else value for i, value in enumerate(np.asarray(values).tolist())]


@pytest.fixture
def holed(tmp_path: Path) -> Path:
    path = tmp_path / "holes.parquet"
    data = {
        "y": holes(LABEL, [3, 9]),
        "a": holes(SCORE, [9, 20]),
        "b": holes(OTHER, [30]),
        "w": holes(WEIGHT + 1, [3, 40]),
    }
    pa.parquet.write_table(pa.table(data), path)
    return path


def test_missing_values_are_an_error_that_names_the_first(holed: Path) -> None:
    message = r"Column 'y' of .*holes.parquet has no value in row 4\. .*missing=\"omit\""
    with pytest.raises(ValueError, match=message):
        tabulate_file(holed, label="y")
    with pytest.raises(ValueError, match=r"Column 'a' .* row 10\."):
        tabulate_file(holed, label="b", score="a", pos_label=1)


def test_a_case_is_left_out_where_it_is_incomplete(holed: Path) -> None:
    found = tabulate_file(holed, label="y", score=["a", "b"], weight="w", missing="omit")
    for name, values, without in (("a", SCORE, [3, 9, 20, 40]), ("b", OTHER, [3, 9, 30, 40])):
        kept = np.setdiff1d(np.arange(N), without)
        expected = rs.tabulate(LABEL[kept], values[kept], sample_weight=WEIGHT[kept] + 1)
        assert found.tables[name] == expected
    # Row 3 lacks label and weight: it counts as without a label.
    assert found.source["dropped"] == {"y": 2, "a": 1, "b": 1, "w": 1}
    assert found.source["labels"] == {
        "1": int(np.delete(LABEL, [3, 9]).sum()),
        "0": int((np.delete(LABEL, [3, 9]) == 0).sum()),
    }


def test_nan_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "nan.csv"
    path.write_text("y,s\n1,2\n0,NaN\n0,1\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"Column 's' .* row 2 \(line 3\)\."):
        tabulate_file(path, label="y")
    assert tabulate_file(path, label="y", missing="omit").source["dropped"] == {"s": 1}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("y,s\n1,3\n0,\n0,1\n1,\n", r"row 2 \(line 3\)\. Fill it in"),
        ("y,r,s\n1,3,\n0,2,\n0,1,\n1,4,\n", r"row 1 \(line 2\), nor in the next 3\. Name other"),
    ],
)
def test_a_column_without_values_is_told_from_one_that_lacks_some(
    tmp_path: Path, text: str, said: str
) -> None:
    path = tmp_path / "empty.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=said):
        tabulate_file(path, label="y")


def test_nothing_left(tmp_path: Path) -> None:
    path = tmp_path / "void.csv"
    path.write_text("y,s\n1,\n0,\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"'s' .* leaves no case to count: of 2 rows 2"):
        tabulate_file(path, label="y", score="s", missing="omit")


# Bounded memory


def test_many_scores_are_binned_and_the_bounds_hold(tmp_path: Path) -> None:
    n = 20_000
    label = RNG.integers(0, 2, n)
    score = RNG.normal(label, 1.0)
    path = make(tmp_path / "data.parquet", {"y": label, "s": score, "few": np.arange(n) % 10})
    found = tabulate_file(path, label="y", reading=Reading(max_rows=1000))
    assert found.source["counting"] == {"s": "binned", "few": "exact"}
    assert len(found.tables["s"]) <= 1000
    low, high = rs.auc_bounds(found.tables["s"])
    assert low <= rs.auc_score(label, score) <= high
    assert 0 < high - low < 0.01


def test_many_columns_share_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = {"y": LABEL, **{f"s{i}": RNG.normal(size=N) for i in range(8)}}
    path = make(tmp_path / "data.parquet", data)
    monkeypatch.setattr("rocspace.io.tables._FLOOR", 64)
    found = tabulate_file(path, label="y", reading=Reading(max_rows=N))
    assert {len(table) <= N // 4 for table in found.tables.values()} == {True}
    assert set(found.source["counting"].values()) == {"binned"}


# Mistakes


def mistake(path: Path, **options: Any) -> str:
    with pytest.raises(ValueError, match=r".") as caught:
        tabulate_file(path, **options)
    return str(caught.value)


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    label = np.where(LABEL == 1, "ill", "well")
    return make(tmp_path / "plain.csv", columns(label, site=["north"] * N))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"label": "yy"}, ["no column 'yy'", "Did you mean 'y'"]),
        ({"label": "y", "score": "aa"}, ["no column 'aa'", "Did you mean 'a'"]),
        ({"label": "y", "weight": "ww"}, ["no column 'ww'", "Did you mean 'w'"]),
        ({"label": "y", "score": "y"}, ["'y' is the label", "cannot be a score"]),
        ({"label": "y", "score": ["a", "w"], "weight": "w"}, ["'w' is the weight"]),
        ({"label": "y", "weight": "y"}, ["both label and weight"]),
        ({"label": "y", "score": []}, ["score is empty"]),
        (
            {"label": "y", "score": "site", "pos_label": "ill"},
            ["'site'", "cannot be a score", "row 1 holds 'north'"],
        ),
        ({"label": "y", "weight": "site", "pos_label": "ill"}, ["'site'", "weights are numbers"]),
        (
            {"label": "y", "score": "a"},
            ["2 values", f"'ill' ({LABEL.sum()} rows)", "pos_label='ill'"],
        ),
        ({"label": "y", "score": "a", "pos_label": "il"}, ["'il' does not occur", "mean 'ill'"]),
        ({"label": "site", "score": "a"}, ["one value only, 'north'", "pos_label='north'"]),
        ({"label": "b", "score": "a"}, ["20 values", "pos_label="]),
        ({"label": "b", "score": "a", "pos_label": "x"}, ["has numbers", "cannot be 'x'"]),
        ({"label": "b", "score": "a", "pos_label": "1,2"}, ["cannot be '1,2'. It is one label."]),
        ({"label": "b", "score": "a", "pos_label": 99}, ["99 does not occur"]),
        ({"label": "y", "missing": "drop"}, ["missing is 'drop'", "'omit'"]),
    ],
)
def test_mistakes_are_named(plain: Path, options: dict[str, Any], words: list[str]) -> None:
    message = mistake(plain, **options)
    assert [word for word in words if word not in message] == [], message


def test_a_label_with_too_many_values(tmp_path: Path) -> None:
    path = make(tmp_path / "data.parquet", {"y": np.arange(3000), "s": np.arange(3000)})
    assert "more than 1,000 values" in mistake(path, label="y")
    found = tabulate_file(path, label="y", score="s", pos_label=2999)
    assert found.tables["s"].n_pos == 1
    assert found.source["labels"]["(others)"] == 2990


def test_a_label_that_looks_like_a_score(tmp_path: Path) -> None:
    many = np.linspace(0, 1, 101)
    path = make(tmp_path / "data.parquet", {"y": many, "s": np.arange(101)})
    assert "It looks like a score. Name the column of labels with label=." in mistake(
        path, label="y"
    )
    assert "Name the positive one" in mistake(path, label="s")
    few = make(tmp_path / "few.parquet", {"y": many[:10], "s": np.arange(10)})
    assert "Name the positive one" in mistake(few, label="y")


def test_several_labels_for_one(tmp_path: Path) -> None:
    path = make(tmp_path / "data.parquet", {"y": ["a", "b", "c"], "s": [1, 2, 3]})
    said = mistake(path, label="y", pos_label="a, b")
    assert said.endswith("Where several are positive, write a column that is 1 for them.")
    assert "one label" not in mistake(path, label="y", pos_label="a,d")


def test_a_file_without_scores(tmp_path: Path) -> None:
    path = make(tmp_path / "data.csv", {"y": LABEL, "site": ["x"] * N})
    message = mistake(path, label="y")
    assert "no numeric column beside the label 'y'" in message
    assert "'site' (text: row 1 holds 'x')" in message


@pytest.mark.parametrize("bad", [-1.0, np.inf])
def test_weights_are_finite_and_not_negative(tmp_path: Path, bad: float) -> None:
    weight = np.ones(N)
    weight[6] = bad
    path = make(tmp_path / "data.parquet", columns(w=weight))
    assert "row 7" in mistake(path, label="y", weight="w")


def test_a_stray_text_among_scores_is_found(tmp_path: Path) -> None:
    rows = [
        (y, "abc" if i == 100 else s) for i, (y, s) in enumerate(zip(LABEL, SCORE, strict=True))
    ]
    path = write_csv(tmp_path / "data.csv", ("y", "s"), rows)
    assert "row 101 holds 'abc'" in mistake(path, label="y", score="s")
    reading = Reading(null_values=["abc"])
    found = tabulate_file(path, label="y", score="s", missing="omit", reading=reading)
    assert found.source["dropped"] == {"s": 1}


def test_large_whole_numbers_stay_apart_or_are_refused(tmp_path: Path) -> None:
    big = 2**60
    path = make(
        tmp_path / "big.parquet", {"y": [0, 1, 0, 1], "s": [big, big + 1, big + 2, big + 3]}
    )
    found: FileTables = tabulate_file(path, label="y")
    assert found.tables["s"].score.tolist() == [big + 3, big + 2, big + 1, big]
    n = 1 << 18  # a batch of small numbers, then one of large ones
    score = np.concatenate([np.arange(n), big + np.arange(10)])
    path = make(tmp_path / "mixed.parquet", {"y": np.arange(n + 10) % 2, "s": score})
    read = tabulate_file(path, label="y").tables["s"].score
    assert read.tolist() == sorted(score.tolist(), reverse=True)
    file = tmp_path / "mixed.csv"
    rows = [f"{i % 2},{s}\n" for i, s in enumerate([*score.tolist(), big + 1, 0.5])]
    file.write_text("y,s\n" + "".join(rows), encoding="utf-8")
    assert f"row {n + 2} (line {n + 3}) holds '{big + 1}', which float64" in mistake(
        file, label="y"
    )


def test_one_class_is_no_mistake_here(tmp_path: Path) -> None:
    path = make(tmp_path / "data.csv", columns(np.zeros(N, dtype=int)))
    found = tabulate_file(path, label="y", score="a")
    assert found.tables["a"].n_pos == 0
    assert found.source["positive"] is None


def test_row_numbers_without_a_name_are_no_score(tmp_path):
    file = tmp_path / "frame.csv"
    file.write_text(",y,risk,Unnamed: 3\n0,1,0.9,7\n1,0,0.2,8\n", encoding="utf-8")
    assert list(tabulate_file(file, label="y").tables) == ["risk"]


def test_declared_missing_values_do_not_make_a_score_text(tmp_path):
    file = tmp_path / "holes.csv"
    file.write_text("y,risk\n1,0.9\n0,n.a.\n0,0.2\n", encoding="utf-8")
    reading = Reading(null_values=["n.a."])
    with pytest.raises(ValueError, match="no numeric column"):
        tabulate_file(file, label="y")
    read = tabulate_file(file, label="y", missing="omit", reading=reading)
    assert read.tables["risk"].n_neg == 1


def test_several_labels_lead_to_the_room_of_several_classes(tmp_path: Path) -> None:
    path = tmp_path / "three.csv"
    path.write_text("y,s\na,1\nb,2\nc,3\n")
    with pytest.raises(ValueError, match=r"pos_label='c'\. For all of them: rocspace\.multiclass"):
        tabulate_file(path, label="y")
    path.write_text("y,s\na,1\nb,2\nb,3\n")
    with pytest.raises(ValueError, match=r"pos_label='a'\.$"):
        tabulate_file(path, label="y")
