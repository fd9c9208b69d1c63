import bz2
import gzip
import io
import json
import math
import os
import struct
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocspace._base.optional import require
from rocspace.io import NULL_VALUES, files
from rocspace.io import sniff as _sniff

pa = pytest.importorskip("pyarrow")
pq = require("pyarrow.parquet", extra="app")

LABEL = ["ill", "well", "ill", None, "well", "well"]
SCORE = [0.1, 1e-310, 12345678901234567.0, math.pi, None, -0.0]
OTHER = [1, 2, 3, 4, 5, 6]


def csv_text(separator=",", end="\n"):
    rows = zip(LABEL, SCORE, OTHER, strict=True)
    lines = [("label", "score", "other"), *rows]
    fields = [["" if x is None else x if isinstance(x, str) else repr(x) for x in r] for r in lines]
    return "".join(separator.join(row) + end for row in fields)


def json_text():
    rows = [
        {"label": label, "score": score, "other": other}
        for label, score, other in zip(LABEL, SCORE, OTHER, strict=True)
    ]
    return "".join(json.dumps(row) + "\n" for row in rows)


def arrow_table():
    return pa.table({"label": LABEL, "score": SCORE, "other": OTHER})


def arrow_bytes(opener, table, **options):
    sink = io.BytesIO()
    with opener(sink, table.schema, **options) as writer:
        writer.write_table(table)
    return sink.getvalue()


def parquet_bytes(table, **options):
    sink = io.BytesIO()
    pq.write_table(table, sink, **options)
    return sink.getvalue()


FORMATS = {
    "plain.csv": lambda: csv_text(",").encode(),
    "crlf.csv": lambda: csv_text(end="\r\n").encode(),
    "bom.csv": lambda: b"\xef\xbb\xbf" + csv_text().encode(),
    "semicolon.csv": lambda: csv_text(";").encode(),
    "pipe.txt": lambda: csv_text("|").encode(),
    "tab.tsv": lambda: csv_text("\t").encode(),
    "tab.txt": lambda: csv_text("\t").encode(),
    "no-end.csv": lambda: csv_text().rstrip("\n").encode(),
    "blank-lines.csv": lambda: b"\n" + csv_text(end="\n\n").encode() + b"\n",
    "c.csv.gz": lambda: gzip.compress(csv_text().encode()),
    "members.csv.gz": lambda: b"".join(
        map(gzip.compress, csv_text().encode().splitlines(keepends=True))
    ),
    "hidden-gzip.csv": lambda: gzip.compress(csv_text().encode()),
    "c.csv.bz2": lambda: bz2.compress(csv_text().encode()),
    "c.csv.zst": lambda: pa.compress(csv_text().encode(), "zstd", asbytes=True),
    "c.parquet": lambda: parquet_bytes(arrow_table()),
    "groups.parquet": lambda: parquet_bytes(arrow_table(), row_group_size=2),
    "wrongly-named.csv": lambda: parquet_bytes(arrow_table()),
    "c.arrow": lambda: arrow_bytes(pa.ipc.new_file, arrow_table()),
    "c.feather": lambda: arrow_bytes(
        pa.ipc.new_file, arrow_table(), options=pa.ipc.IpcWriteOptions(compression="zstd")
    ),
    "stream.arrow": lambda: arrow_bytes(pa.ipc.new_stream, arrow_table()),
    "c.ndjson": lambda: json_text().encode(),
    "bom.jsonl": lambda: b"\xef\xbb\xbf" + json_text().encode(),
    "c.jsonl.gz": lambda: gzip.compress(json_text().encode()),
    "no-extension": lambda: json_text().encode(),
}


def write(folder, name, content):
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def read(path, columns, **options):
    """All rows at once, as lists with None where missing."""
    batches = list(files.read_batches(path, columns, **options))
    found = {name: [] for name in batches[0].columns}
    for batch in batches:
        assert list(batch.columns) == list(batch.missing) == list(found)
        for name, values in batch.columns.items():
            listed = (values.decode() if isinstance(values, files.Codes) else values).tolist()
            assert len(listed) == len(batch)
            missing = batch.missing[name].tolist()
            found[name] += [None if m else v for v, m in zip(listed, missing, strict=True)]
    return found


def bits(values):
    return [None if v is None else struct.pack("d", v) for v in values]


# --- every format, the same numbers ---------------------------------------------------------


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_gives_the_same_numbers(tmp_path, name):
    path = write(tmp_path, name, FORMATS[name]())
    found = read(path, ["score", "label"])
    assert list(found) == ["score", "label"]
    assert bits(found["score"]) == bits(SCORE)
    assert found["label"] == LABEL
    assert files.read_schema(path) == {"label": "text", "score": "number", "other": "number"}


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_described_alike(tmp_path, name):
    label, score, other = files.scan_columns(write(tmp_path, name, FORMATS[name]()))
    assert (label.name, label.kind, label.dtype) == ("label", "text", "string")
    assert (label.n, label.missing, label.distinct) == (6, 1, 2)
    assert label.counts == (("well", 3), ("ill", 2))
    assert label.examples == ("ill", "well")
    assert label.minimum is None
    assert (score.kind, score.dtype, score.missing, score.distinct) == ("number", "float64", 1, 5)
    assert (score.minimum, score.maximum) == (-0.0, 12345678901234567.0)
    assert (other.dtype, other.minimum, other.maximum, other.note) == ("int64", 1, 6, "")
    assert type(other.minimum) is int


@pytest.mark.parametrize("batch_rows", [1, 2, 4, 5, 6, 100])
@pytest.mark.parametrize("name", ["plain.csv", "groups.parquet", "c.arrow", "c.ndjson"])
def test_batches_know_their_rows(tmp_path, name, batch_rows):
    path = write(tmp_path, name, FORMATS[name]())
    batches = list(files.read_batches(path, ["other"], batch_rows=batch_rows))
    assert [batch.row for batch in batches] == list(range(0, 6, batch_rows))
    assert all(len(batch) == batch_rows for batch in batches[:-1])
    assert np.concatenate([batch.columns["other"] for batch in batches]).tolist() == OTHER


def test_a_file_of_many_blocks_keeps_its_order(tmp_path):
    n = 300_000
    path = write(tmp_path, "long.csv", "x,y\n" + "".join(f"{i},s{i % 7}\n" for i in range(n)))
    batches = list(files.read_batches(path, ["x", "y"], batch_rows=70_001))
    assert [b.row for b in batches] == [0, 70_001, 140_002, 210_003, 280_004]
    assert np.array_equal(np.concatenate([b.columns["x"] for b in batches]), np.arange(n))
    for batch in batches:
        assert set(batch.columns["y"].categories) == {f"s{i}" for i in range(7)}
        rows = batch.row + np.arange(len(batch))
        assert np.array_equal(batch.columns["y"].equals("s3"), rows % 7 == 3)
        assert not batch.columns["y"].equals("absent").any()


def test_only_the_named_columns_are_decoded(tmp_path, monkeypatch):
    broken = "good,bad\n" + "1,2\n" * 300_000 + "3,abc\n"
    path = write(tmp_path, "c.csv", broken)
    assert len(read(path, ["good"])["good"]) == 300_001
    with pytest.raises(ValueError, match="'abc'"):
        read(path, ["bad"])
    asked = []
    whole = pq.ParquetFile.iter_batches

    def spy(self, *arguments, columns, **options):
        asked.append(columns)
        return whole(self, *arguments, columns=columns, **options)

    monkeypatch.setattr(pq.ParquetFile, "iter_batches", spy)
    read(write(tmp_path, "c.parquet", FORMATS["c.parquet"]()), ["score"])
    assert asked == [["score"]]


def test_complete_rows():
    nan = np.array([True, False, False])
    batch = files.Batch(row=0, columns={}, missing={"a": nan, "b": nan[::-1]})
    assert batch.complete().tolist() == [False, True, False]


# --- numbers ----------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(allow_nan=False), min_size=1, max_size=50))
def test_floats_survive_csv_and_json_bit_for_bit(tmp_path_factory, values):
    folder = tmp_path_factory.mktemp("floats")
    csv = write(folder, "f.csv", "x\n" + "".join(f"{v!r}\n" for v in values))
    ndjson = write(folder, "f.ndjson", "".join(f'{{"x": {json.dumps(v)}}}\n' for v in values))
    # -0.0 and 0.0 differ here; a whole number in JSON comes as a float all the same.
    assert bits(read(csv, ["x"])["x"]) == bits(values)
    assert bits(read(ndjson, ["x"])["x"]) == bits(values)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 10**40), st.integers(-340, 300))
        .map(lambda t: f"{t[0]}e{t[1]}")
        .filter(lambda text: math.isfinite(float(text))),  # others are refused
        min_size=1,
        max_size=30,
    )
)
def test_any_digits_are_parsed_as_python_does(tmp_path_factory, texts):
    path = write(tmp_path_factory.mktemp("digits"), "f.csv", "x\n" + "\n".join(texts) + "\n")
    assert bits(read(path, ["x"])["x"]) == bits(map(float, texts))


@pytest.mark.no_cover
@pytest.mark.parametrize("name", ["c.csv", "c.ndjson"])
def test_a_fraction_after_many_whole_numbers(tmp_path, name):
    whole = [7] * 100_000
    values = [*whole, 0.1, 3]
    if name == "c.csv":
        text = "x,y\n" + "".join(f"{v},{9007199254740993}\n" for v in values)
    else:
        text = "".join(f'{{"x":{v},"y":9007199254740993}}\n' for v in values)
    path = write(tmp_path, name, text)
    batches = list(files.read_batches(path, ["x", "y"], batch_rows=60_000))
    assert [b.row for b in batches] == np.cumsum([0, *map(len, batches[:-1])]).tolist()
    assert {b.columns["x"].dtype for b in batches} == {np.dtype(np.float64)}
    assert np.concatenate([b.columns["x"] for b in batches]).tolist() == values
    if name == "c.csv":  # JSON widens all columns together
        assert all((b.columns["y"] == 9007199254740993).all() for b in batches)


@pytest.mark.parametrize("name", ["c.csv", "c.ndjson", "c.parquet"])
def test_large_whole_numbers_lose_nothing(tmp_path, name):
    big = [9007199254740993, -9007199254740993, 9223372036854775807]
    content = {
        "c.csv": "x\n" + "".join(f"{v}\n" for v in big),
        "c.ndjson": "".join(f'{{"x":{v}}}\n' for v in big),
        "c.parquet": parquet_bytes(pa.table({"x": big})),
    }
    (batch,) = files.read_batches(write(tmp_path, name, content[name]), ["x"])
    assert batch.columns["x"].dtype == np.int64
    assert batch.columns["x"].tolist() == big


def test_large_whole_numbers_beside_a_missing_one(tmp_path):
    path = write(tmp_path, "c.csv", "x\n9007199254740993\nNA\n")
    (batch,) = files.read_batches(path, ["x"])
    assert batch.columns["x"].tolist() == [9007199254740993, 0]
    assert batch.missing["x"].tolist() == [False, True]


@pytest.mark.parametrize(
    ("dtype", "expected"),
    [
        (pa.float16(), np.float32),
        (pa.float32(), np.float32),
        (pa.float64(), np.float64),
        (pa.int8(), np.float64),
        (pa.uint64(), np.float64),
        (pa.decimal128(12, 3), np.float64),
        (pa.null(), np.float64),
    ],
)
def test_types_of_binary_files(tmp_path, dtype, expected):
    values = [None, None] if dtype == pa.null() else [1, None]
    table = pa.table({"x": pa.array(values, dtype)})
    path = tmp_path / "c.arrow"
    with pa.ipc.new_file(path, table.schema) as writer:
        writer.write_table(table)
    (batch,) = files.read_batches(path, ["x"])
    assert batch.columns["x"].dtype == expected
    np.testing.assert_array_equal(batch.columns["x"], np.array(values, dtype=float))


def test_decimals_become_the_nearest_float(tmp_path):
    decimal = pa.array(["0.1", "2.675", "0.30"]).cast(pa.decimal128(20, 10))
    path = write(tmp_path, "c.parquet", parquet_bytes(pa.table({"x": decimal})))
    assert read(path, ["x"])["x"] == [0.1, 2.675, 0.3]


@pytest.mark.parametrize("dtype", ["string", "large_string", "string_view", "dictionary"])
@pytest.mark.parametrize("name", ["c.arrow", "c.parquet"])
def test_texts_of_binary_files(tmp_path, dtype, name):
    types = {"dictionary": pa.dictionary(pa.int8(), pa.string()), "string_view": pa.string_view()}
    kind = types.get(dtype) or getattr(pa, dtype)()
    plain = pa.array(["b", None, "a", "", "b"])
    column = plain.dictionary_encode() if dtype == "dictionary" else plain.cast(kind)
    table = pa.table({"x": column, "f": [1.0] * 5})
    if name == "c.arrow":
        with pa.ipc.new_file(tmp_path / name, table.schema) as writer:
            writer.write_table(table)
    else:
        write(tmp_path, name, parquet_bytes(table))
    # In a typed file an empty text is a text.
    assert read(tmp_path / name, ["x"])["x"] == ["b", None, "a", "", "b"]
    for batch in files.read_batches(tmp_path / name, ["x"], batch_rows=1):
        assert len(batch.columns["x"].categories) == 1 - batch.missing["x"].sum()


def test_polars_files(tmp_path):
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame(
        {"label": LABEL, "score": SCORE, "c": pl.Series(LABEL, dtype=pl.Categorical)}
    )
    frame.write_ipc(tmp_path / "a.arrow", compression="lz4")
    frame.write_ipc_stream(tmp_path / "b.arrow")
    frame.write_parquet(tmp_path / "c.parquet")
    for name in ("a.arrow", "b.arrow", "c.parquet"):
        found = read(tmp_path / name, ["label", "score", "c"])
        assert found == {"label": LABEL, "score": SCORE, "c": LABEL}, name


@pytest.mark.parametrize("decimal_comma", [None, True])
def test_decimal_commas(tmp_path, decimal_comma):
    path = write(tmp_path, "c.csv", "a;b\n1,5;x\n-2,5e-3;y\n3;z\n")
    assert read(path, ["a"], decimal_comma=decimal_comma)["a"] == [1.5, -0.0025, 3.0]
    assert files.read_schema(path, decimal_comma=False)["a"] == "text"


def test_a_point_tells_against_decimal_commas(tmp_path):
    path = write(tmp_path, "c.csv", 'a;b\n1.5;"1,2"\n')
    assert read(path, ["a", "b"]) == {"a": [1.5], "b": ["1,2"]}


def test_spaces_and_quotes_around_numbers(tmp_path):
    path = write(tmp_path, "c.csv", 'a,b\n 1.5 ,"2"\n"0.5", 3\n')
    assert read(path, ["a", "b"]) == {"a": [1.5, 0.5], "b": [2.0, 3.0]}


def test_infinities_are_numbers(tmp_path):
    assert read(write(tmp_path, "c.csv", "x\ninf\n-inf\n1\n"), ["x"])["x"] == [
        math.inf,
        -math.inf,
        1,
    ]


# --- texts, booleans, missing values -------------------------------------------------------------


@pytest.mark.parametrize("text", [t for t in NULL_VALUES if t])
def test_missing_numbers(tmp_path, text):
    path = write(tmp_path, "c.csv", f'x,y\n{text},a\n1,b\n"{text}",c\n')
    (batch,) = files.read_batches(path, ["x"])
    assert batch.missing["x"].tolist() == [True, False, True]
    assert np.isnan(batch.columns["x"]).tolist() == [True, False, True]


def test_a_class_may_be_called_none(tmp_path):
    path = write(tmp_path, "c.csv", 'x\nNone\nNA\nmild\n""\n')
    assert read(path, ["x"])["x"] == ["None", "NA", "mild", None]
    assert read(path, ["x"], null_values=["NA"])["x"] == ["None", None, "mild", None]


def test_declared_missing_numbers(tmp_path):
    path = write(tmp_path, "c.csv", "x\n" + "1\n" * 700_000 + "-\n.\n")
    with pytest.raises(ValueError, match=r"row 700001 .*'-', which is not a number.*null_values"):
        read(path, ["x"])
    assert read(path, ["x"], null_values=["-", "."])["x"][-3:] == [1.0, None, None]


def test_declared_missing_numbers_in_the_schema(tmp_path):
    path = write(tmp_path, "c.csv", "x\n1\nn.a.\n2\n")
    assert files.read_schema(path) == {"x": "text"}
    assert files.read_schema(path, null_values=["n.a."]) == {"x": "number"}


def test_booleans(tmp_path):
    (batch,) = files.read_batches(write(tmp_path, "c.csv", "x\ntrue\nFalse\nNA\nTRUE\n"), ["x"])
    assert batch.columns["x"].dtype == bool
    assert batch.columns["x"].tolist() == [True, False, False, True]
    assert batch.missing["x"].tolist() == [False, False, True, False]
    path = write(tmp_path, "c.parquet", parquet_bytes(pa.table({"x": [True, None, False]})))
    assert read(path, ["x"])["x"] == [True, None, False]
    (column,) = files.scan_columns(path)
    assert (column.kind, column.missing, column.distinct) == ("boolean", 1, 2)
    assert set(column.counts) == {("true", 1), ("false", 1)}


def test_a_stray_boolean(tmp_path):
    path = write(tmp_path, "c.csv", "x\n" + "true\nfalse\n" * 200_000 + "maybe\n")
    with pytest.raises(ValueError, match=r"row 400001 \(line 400002\) .*'maybe'.* not a boolean"):
        read(path, ["x"])


def test_kinds_can_be_said(tmp_path):
    path = write(tmp_path, "c.csv", "site,score\n1,0.5\n2,0.2\n")
    assert read(path, ["site"], kinds={"site": "text"})["site"] == ["1", "2"]
    mixed = write(tmp_path, "m.csv", "site,score\n1,0.5\n10a,bad\n")
    with pytest.raises(ValueError, match=r"Column 'score' of .*: row 2 \(line 3\) holds 'bad'"):
        read(mixed, ["score"], kinds={"score": "number"})
    typed = parquet_bytes(
        pa.table({"n": [1, 2], "t": ["0.5", "NA"], "u": ["1", "x"], "b": [True, False]})
    )
    path = write(tmp_path, "t.parquet", typed)
    assert read(path, ["n", "b"], kinds={"n": "text", "b": "text"}) == {
        "n": ["1", "2"],
        "b": ["true", "false"],
    }
    assert read(path, ["t", "b"], kinds={"t": "number", "b": "number"}) == {
        "t": [0.5, None],
        "b": [1.0, 0.0],
    }
    with pytest.raises(ValueError, match=r"Column 'u' .*row 2 holds 'x', which is not a number"):
        read(path, ["u"], kinds={"u": "number"})


@pytest.mark.parametrize(
    ("kinds", "message"),
    [
        ({"a": "numeric"}, r"kinds\['a'\] is 'numeric'.*'number', 'text' or 'boolean'"),
        ({"b": "text"}, r"kinds has 'b', which is not among the columns \['a'\]"),
    ],
)
def test_wrong_kinds(tmp_path, kinds, message):
    with pytest.raises(ValueError, match=message):
        files.read_batches(write(tmp_path, "c.csv", "a,b\n1,2\n"), ["a"], kinds=kinds)


def test_the_kind_shows_after_missing_rows(tmp_path):
    text = "x,y\n" + ",1\n" * 400_000
    assert read(write(tmp_path, "a.csv", text + "0.5,1\n"), ["x"])["x"][-2:] == [None, 0.5]
    with pytest.raises(ValueError, match=r"row 400001 .*'ill', which is not a number.*'text'"):
        read(write(tmp_path, "b.csv", text + "ill,1\n"), ["x"])
    assert read(tmp_path / "b.csv", ["x"], kinds={"x": "text"})["x"][-2:] == [None, "ill"]


# --- names -----------------------------------------------------------------------------------


HOSTILE = [
    "<script>alert(1)</script>",
    "a,b",
    'say "no"',
    "two\nlines",
    "größe 尺 😀",
    " blanks ",
    "",
    "a.b",
    "a",
    "nul\tl",
    "{{ 7 * 7 }}",
    "../../etc",
]


@pytest.mark.parametrize("name", ["c.csv", "c.tsv", "c.parquet", "c.arrow", "c.ndjson"])
def test_hostile_names(tmp_path, name):
    if name.endswith("sv"):
        import csv

        text = io.StringIO(newline="")
        writer = csv.writer(text, delimiter="\t" if name == "c.tsv" else ",", lineterminator="\n")
        writer.writerows([HOSTILE, range(len(HOSTILE))])
        path = write(tmp_path, name, text.getvalue())
    elif name == "c.ndjson":
        path = write(
            tmp_path, name, json.dumps(dict(zip(HOSTILE, range(len(HOSTILE)), strict=True)))
        )
    else:
        table = pa.table([[i] for i in range(len(HOSTILE))], names=HOSTILE)
        path = tmp_path / name
        if name == "c.parquet":
            pq.write_table(table, path)
        else:
            with pa.ipc.new_file(path, table.schema) as writer:
                writer.write_table(table)
    assert list(files.read_schema(path)) == HOSTILE
    for i, each in enumerate(HOSTILE):
        assert read(path, [each]) == {each: [float(i)]}
    assert read(path, HOSTILE[::-1]) == {each: [float(i)] for i, each in enumerate(HOSTILE)}
    assert [column.name for column in files.scan_columns(path)] == HOSTILE


def test_a_name_that_occurs_twice(tmp_path):
    path = write(tmp_path, "c.csv", "a,b,a,,\n1,2,3,4,5\n")
    assert read(path, ["b"]) == {"b": [2.0]}
    assert files.read_schema(path) == {"a": "other", "b": "number", "": "other"}
    with pytest.raises(ValueError, match=r"Column 'a' occurs 2 times .*, as columns 1, 3\. Rename"):
        files.read_batches(path, ["a"])
    columns = files.scan_columns(path)
    assert [c.kind for c in columns] == ["other", "number", "other", "other", "other"]
    assert columns[0].note.startswith("the name occurs twice")


def test_a_parquet_file_in_which_every_name_occurs_twice(tmp_path):
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table([[1, 2, 3], [4, 5, 6]], names=["s", "s"]), path)
    columns = files.scan_columns(path)
    assert [(c.name, c.kind, c.n) for c in columns] == [("s", "other", 3)] * 2
    assert columns[0].note.startswith("the name occurs twice")


def test_only_names_that_occur_twice(tmp_path):
    first, second = files.scan_columns(write(tmp_path, "c.csv", "a,a\n1,2\n3,4\n"))
    assert (first.n, first.missing, second.kind) == (2, None, "other")


def test_a_wrong_name(tmp_path):
    path = write(tmp_path, "c.csv", "label,score,age\n1,2,3\n")
    with pytest.raises(
        ValueError, match=r"no column 'scroe'\. Did you mean 'score'\? It has 'label'"
    ):
        files.read_batches(path, ["label", "scroe"])
    with pytest.raises(ValueError, match=r"Did you mean 'score'"):
        files.read_batches(path, ["SCORE"])
    many = write(
        tmp_path, "m.csv", ",".join(f"c{i}" for i in range(500)) + "\n" + "1," * 499 + "1\n"
    )
    with pytest.raises(ValueError, match=r"'c19', \.\.\. \(500 in all\)"):
        files.read_batches(many, ["zzz"])


def test_a_file_without_names(tmp_path):
    path = write(tmp_path, "c.csv", "0.5,1\n0.25,0\n")
    with pytest.raises(ValueError, match="first line looks like data: add a line with the names"):
        files.read_batches(path, ["score"])


def test_names_come_as_a_list(tmp_path):
    path = write(tmp_path, "c.csv", "a\n1\n")
    with pytest.raises(TypeError, match=r"columns is 'a'\. Pass a list of names, as in \['a'\]"):
        files.read_batches(path, "a")
    with pytest.raises(ValueError, match="columns is empty"):
        files.read_batches(path, [])
    assert read(path, ["a", "a"]) == {"a": [1.0]}


# --- what can be wrong with a file -------------------------------------------------------------


GZ = gzip.compress(("x,y\n" + "".join(f"{i},{i * 7919 % 10007}\n" for i in range(99_999))).encode())

X = pa.table({"x": [0.5] * 1000})
X_FILES = {
    "parquet": parquet_bytes(X),
    "file": arrow_bytes(pa.ipc.new_file, X),
    "stream": arrow_bytes(pa.ipc.new_stream, X),
}

DAMAGED = {
    "empty.csv": (b"", r"empty\.csv is empty \(0 bytes\)"),
    "empty.parquet": (b"", r"is empty \(0 bytes\)"),
    "empty.csv.gz": (gzip.compress(b""), r"empty\.csv\.gz is empty \(0 bytes when decompressed\)"),
    "header.csv": (b"x,y\n", r"a header but no rows"),
    "header-only.csv": (b"x,y", r"a header but no rows"),
    "blank.csv": (b"\n\n\n", r"no rows"),
    "blank.ndjson": (b"  \n", r"no rows"),
    "rowless.parquet": (parquet_bytes(pa.table({"x": pa.array([], pa.float64())})), r"has no rows"),
    "short.csv": (
        b"x,y,z\n1,2,3\n4,5\n",
        r"Row 2 \(line 3\) of .* has 2 fields where .* has 3: '4,5'",
    ),
    "long.csv": (
        b'x,y\n"a\nb",2\n\n4,5,6\n',
        r"Row 2 \(line 5\) of .* has 3 fields where the header has 2: '4,5,6'\. Quote",
    ),
    "late.csv": (
        b"x,y\n" + b"1,2\n" * 400_000 + b"\n0,5,1\n",
        r"Row 400001 \(line 400003\) of .* has 3 fields where the header has 2",
    ),
    "text.csv": (
        b"x,y\n" + b"1,2\n" * 400_000 + b"abc,1\n",
        (
            r"'x' of .*text\.csv: row 400001 \(line 400002\) holds 'abc', which is not a number\..*"
            r"null_values=\[\.\.\., 'abc'\], .*kinds=\{'x': 'text'\}"
        ),
    ),
    "quote.csv": (
        b'y,x\n1,2\n1,"3\n' + b"1,2\n" * 9,
        r"Row 2 \(line 3\) .* never closed, in column 'x'",
    ),
    "zeros.csv": (
        b"x\0\0\1\2" * 9,
        r"is not text: byte 2 is zero.*csv, tsv, parquet, arrow or ndjson",
    ),
    "junk": (bytes(range(255)) * 9, r"is not text: byte 1 is zero"),
    "utf16.csv": (
        "x,y\n1,2\n".encode("utf-16"),
        r"is UTF-16 text\. In Excel save .* 'CSV UTF-8'.*iconv",
    ),
    "latin.csv": (
        "x,é\n1,2\n".encode("latin1"),
        r"not UTF-8 text\. In Excel save .* 'CSV UTF-8'.*iconv",
    ),
    "latin-value.csv": (
        "x,y\né,2\n".encode("latin1"),
        r"not UTF-8 text: column 'x' in row 1 \(line 2\).*iconv",
    ),
    "book.csv": (b"PK\x03\x04aaaaaaaa", r"is a zip archive or an Excel workbook\..* as csv"),
    "x.rds": (gzip.compress(b"X\n\0\0\0\3\0\4" * 9), r"is an R object\. In R: write\.csv"),
    "page.csv": (b"<!DOCTYPE html><html>", r"is a web page, perhaps of a failed download"),
    "x.csv.xz": (b"\xfd7zXZ\0aaaa", r"is compressed with xz\. Run: unxz"),
    "cut.csv.gz": (GZ[:-100], r"cut off or damaged: its gzip data end too soon"),
    "cut-early.csv.gz": (GZ[:30], r"cut off or damaged: its gzip data"),
    "cut-end.csv.gz": (GZ[:-4], r"cut off or damaged: its gzip data"),
    "sum.csv.gz": (GZ[:-8] + b"abcd" + GZ[-4:], r"cut off or damaged: its gzip data.*check"),
    "cut.parquet": (X_FILES["parquet"][:-9], r"is not a complete parquet file"),
    "start.parquet": (b"PAR1", r"is not a complete parquet file"),
    "text.parquet": (b"x,y\n1,2\n", r"does not start like a parquet file: it begins with b'x,y"),
    "text.arrow": (b"x,y\n1,2\n", r"does not start like a arrow file|an arrow file"),
    "cut.arrow": (X_FILES["file"][:-30], r"is not a complete arrow file"),
    "cut-stream.arrow": (X_FILES["stream"][:-200], r"is not a complete arrow file"),
    "list.json": (b'[{"x":1},\n{"x":2}]', r"is one JSON array\..*jq -c '\.\[\]'"),
    "pretty.json": (b'{\n "x": 1\n}\n', r"Line 1 of .* is not a JSON object: '\{'\. .*one line"),
    "bad.ndjson": (b'{"x":1}\n\n{"x":2\n', r"Line 3 of .* is not a JSON object: '\{\"x\":2'"),
    "bad-late.ndjson": (
        b'{"x":1}\n' * 300_000 + b'{"x":2\n',
        r"Line 300001 of .* is not a JSON object",
    ),
    "array.ndjson": (b'{"x":1}\n[1]\n', r"Line 2 of .* is not a JSON object: '\[1\]'"),
    "mixed.ndjson": (
        b'{"x":1}\n' * 300_000 + b'{"x":"abc"}\n',
        r"Column 'x' of .*: row 300001 holds 'abc', which is not a number\. .*write null",
    ),
    "boolean.ndjson": (b'{"x":1}\n{"x":true}\n', r"row 2 holds True, which is not a number"),
    "number.ndjson": (b'{"x":"a"}\n{"x":1}\n', r"row 2 holds 1, which is not text"),
    "nested.ndjson": (b'{"x":{"y":1}}\n', r"Column 'x' .* neither number, text nor boolean"),
    "times.parquet": (
        parquet_bytes(pa.table({"x": pa.array([0], pa.duration("s"))})),
        r"Column 'x' of .* has duration\[.*\], which is neither",
    ),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_what_is_wrong_is_told(tmp_path, name):
    content, message = DAMAGED[name]
    path = write(tmp_path, name, content)
    with pytest.raises(ValueError, match=message) as caught:
        read(path, ["x"])
    told = str(caught.value)
    assert len(told) < 500
    assert "pyarrow" not in told.lower()
    assert caught.value.__context__ is None or caught.value.__suppress_context__


def test_missing_files(tmp_path):
    write(tmp_path, "scores.csv", "x\n1\n")
    with pytest.raises(
        FileNotFoundError, match=r"no file 'score\.csv' .*Did you mean 'scores\.csv'"
    ):
        files.read_schema(tmp_path / "score.csv")
    with pytest.raises(FileNotFoundError, match="there is no folder"):
        files.read_schema(tmp_path / "none" / "scores.csv")
    with pytest.raises(
        FileNotFoundError, match=r"no file .*x, since there is no folder .*scores\.csv\."
    ):
        files.read_schema(tmp_path / "scores.csv" / "x")
    assert files.read_schema(tmp_path) == files.read_schema(tmp_path / "scores.csv")
    (tmp_path / "empty").mkdir()
    with pytest.raises(IsADirectoryError, match=r"is a folder without a file whose .* Name one"):
        files.read_schema(tmp_path / "empty")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"format": "xlsx"}, "format is 'xlsx'. It must be one of 'csv', 'tsv', 'parquet'"),
        ({"separator": "::"}, "separator is '::'. It must be one character"),
        ({"batch_rows": 0}, "batch_rows is 0. It must be at least 1"),
    ],
)
def test_wrong_options(tmp_path, options, message):
    with pytest.raises(ValueError, match=message.replace(".", r"\.")):
        files.read_batches(write(tmp_path, "c.csv", "x\n1\n"), ["x"], **options)


def test_a_format_that_contradicts_the_bytes(tmp_path):
    path = write(tmp_path, "c.bin", FORMATS["c.parquet"]())
    with pytest.raises(ValueError, match=r"starts like a parquet file\. Leave format='csv' out"):
        files.read_schema(path, format="csv")
    assert read(path, ["other"], format="parquet")["other"] == OTHER


def test_rows_longer_than_a_block(tmp_path):
    path = write(tmp_path, "c.csv", "x,y\n1," + "a" * 3_000_000 + "\n2,b\n")
    assert read(path, ["x"])["x"] == [1.0, 2.0]
    path = write(tmp_path, "c.ndjson", '{"x":1}\n' + json.dumps({"x": 2, "y": "a" * 3_000_000}))
    assert read(path, ["x"])["x"] == [1.0, 2.0]


def test_inner_quotes_do_no_harm(tmp_path):
    path = write(tmp_path, "c.csv", 'x,y\n1,5" pipe\n2,"a\nb"\n3,c\n')
    assert read(path, ["y", "x"]) == {"y": ['5" pipe', "a\nb", "c"], "x": [1.0, 2.0, 3.0]}
    assert read(path, ["x"])["x"] == [1.0, 2.0, 3.0]


@pytest.mark.parametrize(
    ("text", "separator"),
    [
        ("a;b\n1;2,5\n", ";"),
        ("a,b\nx;y,2\nz;w,3\n", ","),
        ("a\tb\n1,2\t3\n", "\t"),
        ("a|b|c\n1|2|3\n", "|"),
        ("a\n1\n", ","),
        ('"a,b";c\n1;2\n', ";"),
    ],
)
def test_the_separator_is_found(tmp_path, text, separator):
    path = write(tmp_path, "c.csv", text)
    assert _sniff.look(path).separator == separator


def test_the_separator_that_is_said_wins(tmp_path):
    path = write(tmp_path, "c.csv", "a,b c\n1,2 3\n")
    assert list(files.read_schema(path, separator=" ")) == ["a,b", "c"]
    path = write(tmp_path, "t.csv", "a,b\tc\n1,2\t3\n")
    assert list(files.read_schema(path, separator="\\t")) == ["a,b", "c"]


# --- an overview -------------------------------------------------------------------------------


def test_scan_goes_on_after_a_stray_text(tmp_path):
    path = write(tmp_path, "c.csv", "x,y\n" + "1,2\n" * 400_000 + "abc,3\n")
    x, y = files.scan_columns(path)
    assert (x.kind, x.n, x.missing, x.counts) == ("text", 400_001, 0, (("1", 400_000), ("abc", 1)))
    assert x.note == "row 400001 holds 'abc', which is not a number"
    assert (y.kind, y.minimum, y.maximum, y.note) == ("number", 2, 3, "")


def test_scan_leaves_out_what_is_mixed(tmp_path):
    text = '{"x":"a","y":1,"z":[1]}\n{"x":2,"y":null,"z":[]}\n'
    x, y, z = files.scan_columns(write(tmp_path, "c.ndjson", text))
    assert (x.kind, x.n, x.missing, x.note) == (
        "other",
        2,
        None,
        "row 2 holds 2, which is not text",
    )
    assert (y.kind, y.missing, z.kind) == ("number", 1, "other")
    (only,) = files.scan_columns(write(tmp_path, "d.ndjson", '{"z":[1]}\n{"z":[]}\n'))
    assert (only.n, only.kind) == (2, "other")


def test_scan_counts_up_to_a_thousand(tmp_path):
    rows = "".join(f"{i % 1000},{i % 1001},{i % 10},{i % 11}\n" for i in range(3003))
    a, b, c, d = files.scan_columns(write(tmp_path, "c.csv", "a,b,c,d\n" + rows))
    assert (a.distinct, b.distinct, c.distinct, d.distinct) == (1000, None, 10, 11)
    assert (len(a.counts), len(b.counts), len(c.counts), len(d.counts)) == (0, 0, 10, 0)
    assert sum(n for _, n in c.counts) == 3003
    assert a.examples == ("0", "1", "2", "3", "4")


def test_scan_of_nothing_but_missing(tmp_path):
    x, y = files.scan_columns(write(tmp_path, "c.csv", "x,y\nNA,1\n,2\n"))
    assert (x.kind, x.missing, x.distinct, x.minimum, x.maximum) == ("number", 2, 0, None, None)
    assert (x.examples, x.counts, y.missing) == ((), (), 0)


# --- standard input ------------------------------------------------------------------------------


SCRIPT = """
import sys
from rocspace.io import files
n = sum(len(batch) for batch in files.read_batches("-", ["score"]))
names = ",".join(column.name for column in files.scan_columns("-"))
where = files.look("-").path
print(n, names, where)
"""


@pytest.mark.parametrize("name", ["plain.csv", "c.csv.gz", "c.parquet", "stream.arrow", "c.ndjson"])
def test_standard_input_is_read_twice_and_leaves_nothing(tmp_path, name):
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        input=FORMATS[name](),
        capture_output=True,
        check=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    n, names, where = done.stdout.decode().split()
    assert (n, names) == ("6", "label,score,other")
    assert Path(where).parent == tmp_path
    assert list(tmp_path.iterdir()) == []


def test_standard_input_within_a_process(monkeypatch):
    class Standard:
        buffer = io.BytesIO(b"x;y\n1;2\n")

    monkeypatch.setattr(sys, "stdin", Standard)
    assert read("-", ["y"]) == {"y": [2.0]}
    assert files.read_schema("-", format="csv") == {"x": "number", "y": "number"}
    with pytest.raises(ValueError, match="standard input has no column 'z'"):
        files.read_batches("-", ["z"])


def test_empty_standard_input(monkeypatch):
    class Standard:
        buffer = io.BytesIO(b"")

    monkeypatch.setattr(sys, "stdin", Standard)
    with pytest.raises(ValueError, match="standard input is empty"):
        files.read_schema("-")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_read_twice(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(FORMATS["plain.csv"](),))
    writer.start()
    assert list(files.read_schema(pipe)) == ["label", "score", "other"]
    writer.join()
    assert read(pipe, ["other"])["other"] == OTHER


def test_no_room_for_standard_input(monkeypatch):
    class Full:
        def read(self, *_):
            raise OSError(28, "No space left on device")

    class Standard:
        buffer = Full()

    monkeypatch.setattr(sys, "stdin", Standard)
    with pytest.raises(OSError, match=r"standard input could not be kept in .*TMPDIR"):
        files.read_schema("-")


# --- memory ----------------------------------------------------------------------------------


PEAK = """
import sys
from rocspace.io import files
batches = files.read_batches(sys.argv[1], ["label", "score"], batch_rows=50_000)
n = sum(len(batch) for batch in batches)
status = open("/proc/self/status").read()
print(n, int(status.split("VmHWM:")[1].split()[0]) / 1024)
"""


def peak_megabytes(path):
    command = [sys.executable, "-c", PEAK, str(path)]
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    n, peak = done.stdout.split()
    return int(n), float(peak)


def repeated(name, times):
    """A file of 20 000 rows, repeated: about 60 bytes a row in text."""
    rng = np.random.default_rng(1)
    label, score = rng.integers(0, 2, 20_000), rng.random(20_000)
    if name == "c.parquet":
        table = pa.table({"label": label, "score": score, "text": score.astype(str)})
        return parquet_bytes(pa.concat_tables([table] * times), use_dictionary=False)
    start, row = "label,score,text\n", "{},{},{}\n"
    if name == "c.ndjson":
        start, row = "", '{{"label":{},"score":{},"text":"{}"}}\n'
    pairs = zip(label.tolist(), score.tolist(), strict=True)
    rows = "".join(row.format(a, b, "x" * 40) for a, b in pairs).encode()
    if name.endswith("gz"):
        return gzip.compress(start.encode()) + gzip.compress(rows, 1) * times
    return start.encode() + rows * times


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.parametrize("name", ["c.csv", "c.csv.gz", "c.ndjson", "c.parquet"])
def test_memory_does_not_grow_with_the_file(tmp_path, name):
    # The small file is large enough to fill what is read ahead; how full depends on timing.
    _, small = peak_megabytes(write(tmp_path, f"small-{name}", repeated(name, 60)))
    rows, large = peak_megabytes(write(tmp_path, f"large-{name}", repeated(name, 200)))
    assert rows == 4_000_000
    assert large - small < 80  # MB, where the rows in between are 160 MB or more of text


@pytest.mark.parametrize("stream", [False, True])
def test_texts_that_end_outside_of_an_arrow_file_are_refused(tmp_path, stream):
    """Found by the fuzz of uploads: the reading library itself ends the process on such a file."""
    table = pa.table({"ill": ["yes", "no"] * 30, "risk": [i / 60 for i in range(60)]})
    file = io.BytesIO()
    with (pa.ipc.new_stream if stream else pa.ipc.new_file)(file, table.schema) as writer:
        writer.write_table(table)
    data = bytearray(file.getvalue())
    ends = table["ill"].chunk(0).buffers()[1].to_pybytes()[: 4 * 61]
    at = bytes(data).index(ends) + 40
    data[at : at + 4] = (1 << 30).to_bytes(4, "little")
    path = tmp_path / "cases.arrow"
    path.write_bytes(data)
    with pytest.raises(ValueError, match="not a complete arrow file"):
        files.scan_columns(path)
