"""Numbers that do not fit float64 are kept exact or refused, in every reader and engine."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import warnings
from decimal import Decimal

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest

import rocspace as rs
from rocspace.io import (
    Reading,
    read_batches,
    refine_file,
    scan_columns,
    tabulate_file,
    tabulate_frame,
)

BIG = 2**53 + 1


def written(tmp_path, form, label, score):
    """A file of labels and scores, in text or with decimals."""
    path = tmp_path / f"scores.{form}"
    if form == "parquet":
        exact = [None if s is None else Decimal(str(s)) for s in score]
        scale = max((-s.as_tuple().exponent for s in exact if s is not None), default=0)
        column = pa.array(exact, pa.decimal128(38, scale))
        pa.parquet.write_table(pa.table({"y": label, "s": column}), path)
    elif form == "csv":
        rows = [f"{y},{'' if s is None else s}\n" for y, s in zip(label, score, strict=True)]
        path.write_text("y,s\n" + "".join(rows), encoding="utf-8")
    else:
        rows = [json.dumps({"y": y, "s": s}) for y, s in zip(label, score, strict=True)]
        path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def area(path, **options):
    return rs.auc(tabulate_file(path, label="y", score="s", **options).tables["s"])


@pytest.mark.parametrize("form", ["csv", "ndjson", "parquet"])
@pytest.mark.parametrize(
    ("score", "dtype"),
    [
        ([BIG, BIG - 1, 1, 0], np.int64),
        ([2**63 - 1, 2**63 - 2, 1, 0], np.int64),
        ([2**64 - 1, 2**64 - 2, 1, 0], np.uint64),
        ([2**64 - 1, 2**64 - 2, BIG, 0], np.uint64),
        ([-1, -(2**63), 1 - 2**63, -BIG], np.int64),
    ],
)
def test_whole_numbers_are_exact(tmp_path, form, score, dtype):
    table = tabulate_file(
        written(tmp_path, form, [1, 0, 0, 1], score), label="y", score="s"
    ).tables["s"]
    assert table.score.dtype == dtype
    assert table.score.tolist() == sorted(score, reverse=True)
    assert rs.auc(table) == rs.auc_score([1, 0, 0, 1], score)


@pytest.mark.no_cover
@pytest.mark.parametrize("form", ["csv", "ndjson", "parquet"])
@pytest.mark.parametrize("n", [0, 10, "more than a block"])
@pytest.mark.parametrize("first", ["fraction", "large"])
def test_beside_fractions_they_are_refused_wherever_the_first_fraction_stands(
    tmp_path, form, n, first
):
    if n == "more than a block":  # of 1 MB of text: a row of JSON is four times as long
        n = 70_000 if form == "ndjson" else 300_000
    ends = [0.5, BIG] if first == "fraction" else [BIG, 0.5]
    score = [ends[0], *[3] * n, ends[1]]
    path = written(tmp_path, form, [1, *[0] * n, 0], score)
    row = n + 2 if first == "fraction" else 1
    with pytest.raises(ValueError, match=r"Column 's' of .*float64 would round") as caught:
        area(path)
    if form != "parquet":
        assert f"row {row} " in str(caught.value)
        assert f"holds '{BIG}'" in str(caught.value)


def test_what_fits_float64_is_counted_beside_fractions(tmp_path):
    for form in ("csv", "ndjson", "parquet"):
        for score in ([2**60, 0.5, 2**60 + 2**8], [0.5, 2**60, 2**60 + 2**8]):
            path = written(tmp_path, form, [0, 0, 1], score)
            assert area(path) == 1
    exponents = written(tmp_path, "csv", [0, 0, 1], ["1e300", "8643602391108606e2", "inf"])
    assert area(exponents) == 1


def test_larger_numbers_than_any_integer_type_are_refused(tmp_path):
    for score in ([2**64 + 1, 2**64], [-1, 2**64 - 1], [10**40 + 1, 1]):
        for form in ("csv", "ndjson"):
            with pytest.raises(ValueError, match=r"row . .*which float64 would round"):
                area(written(tmp_path, form, [1, 0], score))
    path = written(tmp_path, "csv", [1, 0], ["36893488147419103233", "0.5"])
    assert scan_columns(path)[1].kind == "text"
    assert "would round" in scan_columns(path)[1].note


@pytest.mark.no_cover
def test_small_whole_numbers_stay_floats_and_missing_ones_missing(tmp_path):
    score = [1, None, *[2] * 300_000, BIG, None, BIG - 1, 1]
    for form in ("csv", "ndjson", "parquet"):
        path = written(tmp_path, form, [i % 2 for i in range(len(score))], score)
        table = tabulate_file(path, label="y", score="s", missing="omit").tables["s"]
        assert table.score.tolist() == [BIG, BIG - 1, 2, 1]
        first = next(read_batches(path, ["s"]))
        assert first.columns["s"].dtype == np.float64


@pytest.mark.parametrize("form", ["arrow", "polars", "polars-lazy", "duckdb"])
def test_decimals_that_float64_cannot_tell_apart_are_refused_in_each_engine(form):
    label = [1, 0, 0, 1]

    def frame(score, kind):
        table = pa.table({"y": label, "s": pa.array(map(Decimal, score), kind)})
        if form == "duckdb":
            return duckdb.connect().from_arrow(table)
        if form == "arrow":
            return table
        return pl.from_arrow(table) if form == "polars" else pl.from_arrow(table).lazy()

    for scale, score in ((0, [BIG, BIG - 1, 1, 0]), (20, ["0.10000000000000000001", "0.1", 0, 1])):
        with pytest.raises(ValueError, match="float64 cannot tell apart"):
            tabulate_frame(frame(score, pa.decimal128(38, scale)), label="y", score="s")
    table = tabulate_frame(
        frame(["0.3", "0.2", "0.1", "0.2"], pa.decimal128(9, 2)), label="y", score="s"
    )
    assert table.score.tolist() == [0.3, 0.2, 0.1]


def test_duckdb_omits_a_weight_that_is_not_a_number():
    query = """select * from (values (1, 0.5::double, 1.0::double), (0, 0.2, 'nan'::double),
        (0, 0.1, 2.0), (1, 0.3, 1.0)) cases(y, s, w)"""
    with pytest.warns(UserWarning, match="1 of 4 cases omitted"):
        table = tabulate_frame(
            duckdb.connect().sql(query), label="y", score="s", weight="w", missing="omit"
        )
    assert (table.n_pos, table.n_neg) == (2, 2)


@pytest.mark.parametrize("by", ["pyarrow", "polars"])
def test_duckdb_sees_nan_that_the_statistics_of_a_file_do_not_count(tmp_path, by):
    """It takes isnan() for never true there, and groups by nan all the same."""
    score, path = [0.5, float("nan"), 0.1, 0.3, float("nan"), 0.2], tmp_path / "cases.parquet"
    table = pa.table({"y": [1, 0, 0, 1, 1, 0], "s": score})
    if by == "polars":
        pl.from_arrow(table).write_parquet(path)
    else:
        pa.parquet.write_table(table, path)
    cases = duckdb.connect().from_parquet(str(path))
    with pytest.raises(ValueError, match="s has 2 missing values"):
        tabulate_frame(cases, label="y", score="s")
    with pytest.warns(UserWarning, match="2 of 6 cases omitted"):
        counted = tabulate_frame(cases, label="y", score="s", missing="omit")
    assert counted.score.tolist() == [0.5, 0.3, 0.2, 0.1]


def test_rows_that_stand_for_several_scores_are_told():
    scores = np.random.default_rng(4).normal(size=400)
    cases = pl.LazyFrame({"y": np.arange(400) % 2, "s": scores})
    with pytest.warns(UserWarning, match="more than max_rows=100 distinct scores: .* rows stand"):
        tabulate_frame(cases, label="y", score="s", max_rows=100, tolerance=0.1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(tabulate_frame(cases, label="y", score="s", max_rows=400)) == 400


def test_hexadecimal_numbers_are_texts(tmp_path):
    for values in (["0x1A", "0X2"], [1, "0x1A"], ["-0x1A", 2]):
        path = written(tmp_path, "csv", [1, 0], values)
        with pytest.raises(ValueError, match=r"holds .-?0[xX][12]A?."):
            area(path)
        assert scan_columns(path)[1].kind == "text"
    named = written(tmp_path, "csv", [1, 0], [1, 2])
    named.write_text("y,s,0x\n1,2,a\n0,1,0x5g\n", encoding="utf-8")
    assert area(named) == 1


def test_objects_nested_too_deeply_are_named(tmp_path):
    for depth in (50_000, 100_000):  # how deep Python reads depends on its version
        path = tmp_path / "deep.ndjson"
        deep = "[" * depth + "]" * depth
        path.write_text(f'{{"y": 1, "s": 1}}\n{{"y": 0, "s": 2, "x": {deep}}}\n', encoding="utf-8")
        with pytest.raises(ValueError, match=r"Line 2 of .* JSON object"):
            tabulate_file(path, label="y", score="s", reading=Reading())


@pytest.mark.parametrize("field", ["1", '"x', "x"])
def test_a_field_without_end_is_refused_soon(tmp_path, field):
    path = tmp_path / "long.csv"
    path.write_text("y,s\n1,2\n0," + field + field[-1] * 70_000_000 + "\n1,3\n", encoding="utf-8")
    with pytest.raises(ValueError, match="has a row longer than 64 MB after row 1"):
        area(path)


def test_a_long_value_is_listed_by_its_beginning(tmp_path):
    path = written(tmp_path, "csv", [1, 0], ["a" * 5_000_000, "b"])
    assert [len(each) for each in scan_columns(path)[1].examples] == [83, 1]


SPOOLING = """
import signal, sys, time
for name in ("SIGTERM", "SIGHUP"):  # which nohup would have ignored
    signal.signal(getattr(signal, name), signal.SIG_DFL)
from rocspace.io import read_schema
print(read_schema("-"), flush=True)
time.sleep(60)
"""


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_signal_leaves_no_copy_of_standard_input(tmp_path, name):
    with subprocess.Popen(
        [sys.executable, "-c", SPOOLING],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | {"TMPDIR": str(tmp_path)},
    ) as process:
        try:
            process.stdin.write(b"y,s\n1,2\n")
            process.stdin.close()
            assert b"number" in process.stdout.readline()
            assert list(tmp_path.glob("rocspace-*"))
            process.send_signal(getattr(signal, name))
            assert process.wait(timeout=120) == -getattr(signal, name)
        finally:  # else its pipes would be closed in the middle of another test
            process.kill()
    assert not list(tmp_path.glob("rocspace-*"))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "utf-32-be"])
def test_encodings_are_named(tmp_path, encoding):
    path = tmp_path / "wide.csv"
    mark = "\ufeff" if encoding.endswith("be") else ""
    path.write_text(f"{mark}y,s\n1,2\n", encoding=encoding)
    with pytest.raises(ValueError, match=encoding[:6].upper()):
        area(path)


def test_a_csv_without_names_does_not_lose_its_first_row(tmp_path):
    path = tmp_path / "bare.csv"
    path.write_text("1,0.9\n0,0.2\n1,0.4\n", encoding="utf-8")
    with pytest.raises(ValueError, match="looks like data: add a line with the names"):
        tabulate_file(path, label="1", score="0.9")
    path.write_text("0,1\n1,0.9\n0,0.2\n", encoding="utf-8")  # a frame without names
    assert rs.auc(tabulate_file(path, label="0", score="1").tables["1"]) == 1


@pytest.mark.parametrize("name", ["id", "ID", "patient_id", "PatientId", "id_visit", "uuid", "row"])
def test_a_column_named_like_an_id_is_no_score_unless_named(tmp_path, name):
    path = tmp_path / "data.csv"
    rows = [f"{i % 2},{i * 7919 % 101},{i % 5}\n" for i in range(40)]
    path.write_text(f"y,{name},s\n" + "".join(rows), encoding="utf-8")
    if name != "row":
        with pytest.warns(UserWarning, match=f"'{name}' of .* is an id, so it is not a score"):
            assert list(tabulate_file(path, label="y").tables) == ["s"]
    else:
        assert list(tabulate_file(path, label="y").tables) == ["s"]
    assert list(tabulate_file(path, label="y", score=name).tables) == [name]


def test_an_id_alone_is_refused_and_words_with_id_in_them_are_scores(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("y,id\n" + "0,31\n1,7\n" * 5, encoding="utf-8")
    with pytest.raises(ValueError, match="no numeric column beside the label 'y' except ids"):
        tabulate_file(path, label="y")
    for name in ("covid", "fluid", "idea", "valid", "frailty_index"):
        path.write_text(f"y,{name}\n" + "0,31\n1,7\n" * 5, encoding="utf-8")
        assert list(tabulate_file(path, label="y").tables) == [name]


def test_a_score_with_a_stray_text_is_not_left_out_in_silence(tmp_path):
    path = tmp_path / "data.csv"
    rows = [f"{i % 2},{i * 7919 % 101},{i / 7 if i != 30 else 'missing'},c{i}\n" for i in range(40)]
    path.write_text("y,old,new,note\n" + "".join(rows), encoding="utf-8")
    said = (
        r"^'new' of .*data.csv is left out: row 31 holds 'missing', which is not a number, but 39 "
        r"of its first 40 values are numbers\. Say which texts mean a missing value \(null_values"
    )
    for read in (tabulate_file, refine_file):
        with pytest.warns(UserWarning, match=said) as told:
            left_out = read(path, label="y").source["left_out"]
        assert len(told) == 1  # nothing of the notes, none of which is a number
        why = "row 31 holds 'missing', which is not a number, but 39 of its first 40 values are"
        assert left_out == {"new": f"{why} numbers"}
    reading = rs.io.Reading(null_values=["missing"])
    found = tabulate_file(path, label="y", missing="omit", reading=reading)
    assert list(found.tables) == ["old", "new"]
    assert "left_out" not in found.source
    assert list(tabulate_file(path, label="y", score="old").tables) == ["old"]


def test_a_stray_text_is_found_in_the_file_that_has_it(tmp_path):
    (tmp_path / "a.csv").write_text("y,s,t\n0,1,1\n1,2,3\n", encoding="utf-8")
    (tmp_path / "b.csv").write_text("y,s,t\n0,1,2\n1,low,4\n", encoding="utf-8")
    with pytest.warns(UserWarning, match=r"row 2 holds 'low' of .*b\.csv, which is not a number"):
        tabulate_file([tmp_path / "a.csv", tmp_path / "b.csv"], label="y")


def test_numbers_that_are_stored_as_text_are_told_of(tmp_path):
    path = tmp_path / "data.parquet"
    columns = {"y": [0, 1, 1], "s": ["0.5", "0.7", ".1"], "t": [1, 2.5, 3]}
    pd.DataFrame(columns).to_parquet(path)
    with pytest.warns(UserWarning, match=r"'s' of .* it is text, but 3 .* Convert it to numbers"):
        assert list(tabulate_file(path, label="y").tables) == ["t"]


def test_a_score_that_is_named_like_a_weight_is_told_of(tmp_path):
    path = tmp_path / "data.csv"
    rows = [f"{i % 2},{i * 31 % 17},{i * 7 % 5 + 1}\n" for i in range(20)]
    path.write_text("y,s,case_weight\n" + "".join(rows), encoding="utf-8")
    with pytest.warns(UserWarning, match="'case_weight' of .* is taken for a score.*as the weight"):
        assert list(tabulate_file(path, label="y").tables) == ["s", "case_weight"]
    assert list(tabulate_file(path, label="y", weight="case_weight").tables) == ["s"]


def test_a_score_that_rises_with_the_rows_is_told_of(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("y,s\n" + "".join(f"{i % 2},{3 * i}\n" for i in range(12)), encoding="utf-8")
    with pytest.warns(UserWarning, match="rise from row to row, as ids do"):
        tabulate_file(path, label="y")
    with pytest.warns(UserWarning, match="rise from row to row, as ids do"):
        refine_file(path, label="y")
    assert list(tabulate_file(path, label="y", score="s").tables) == ["s"]
    path.write_text("y,s\n" + "".join(f"{i % 2},{i}\n" for i in range(9)), encoding="utf-8")
    assert list(tabulate_file(path, label="y").tables) == ["s"]


@pytest.mark.parametrize(
    "score",
    [
        [f"+{BIG}", BIG - 1],
        [f"{BIG}.0", f"{BIG - 1}.0"],
        ["1e400", "inf"],
        [2, "-1e400"],
        ["1.8e308", 1],
        [2, "9" * 310 + ".5"],
    ],
)
def test_other_spellings_are_not_rounded_either(tmp_path, score):
    with pytest.raises(ValueError, match=r"row [12] .*, which float64 would round"):
        area(written(tmp_path, "csv", [1, 0], score))


def test_large_numbers_are_read_in_every_spelling(tmp_path):
    score = ["1.79769313486231570e308", f"+{BIG - 1}", f"{BIG + 1}.00", "Infinity", "-inf", "+3"]
    path = written(tmp_path, "csv", [0, 1, 0, 1, 0, 1], score)
    table = tabulate_file(path, label="y", score="s").tables["s"]
    assert table.score.tolist() == [np.inf, 1.7976931348623157e308, BIG + 1, BIG - 1, 3, -np.inf]
    path = tmp_path / "point.ndjson"
    path.write_text(f'{{"y": 1, "s": {BIG}.0}}\n{{"y": 0, "s": 1}}\n', encoding="utf-8")
    with pytest.raises(ValueError, match=rf"row 1 holds '{BIG}.0', which float64 would round"):
        area(path)


@pytest.mark.parametrize("form", ["csv", "ndjson", "parquet"])
def test_large_labels_are_told_apart(tmp_path, form):
    path = written(tmp_path, form, [BIG, BIG - 1, BIG], [3, 2, 1])
    for positive in (BIG, str(BIG), np.int64(BIG)):
        table = tabulate_file(path, label="y", score="s", pos_label=positive).tables["s"]
        assert table.pos.tolist() == [1, 0, 1]
    with pytest.raises(ValueError, match=f"pos_label {BIG + 2} does not occur"):
        area(path, pos_label=BIG + 2)
    plain = written(tmp_path, "csv", [1, 0, 1], [3, 2, 1])
    for positive in ("1.0", "1e0", True, 1.0, Decimal(1)):
        assert area(plain, pos_label=positive) == 0.5


@pytest.mark.parametrize("form", ["arrow", "polars", "polars-lazy", "duckdb"])
def test_labels_are_told_apart_in_each_engine(form):
    def count(labels, pos_label):
        table = pa.table({"y": labels, "s": [4.0, 3.0, 2.0, 1.0]})
        frame = duckdb.connect().from_arrow(table) if form == "duckdb" else table
        if form.startswith("polars"):
            frame = pl.from_arrow(table)
        frame = frame.lazy() if form == "polars-lazy" else frame
        return tabulate_frame(frame, label="y", score="s", pos_label=pos_label).pos.tolist()

    assert count([BIG, BIG - 1, BIG - 1, BIG], BIG) == [1, 0, 0, 1]
    assert count([BIG, BIG - 1, BIG - 1, BIG], float(BIG - 1)) == [0, 1, 1, 0]
    assert count(["a\0", "a", "a", "a\0"], "a\0") == [1, 0, 0, 1]
    for labels, absent in (
        ([float(BIG - 1), float(BIG + 1)] * 2, BIG),
        (np.array([2**24, 2**24 + 2] * 2, dtype=np.float32), 2**24 + 1),
        ([1.0, 0.0] * 2, 10**400),
        ([0, 1] * 2, 2**70),
    ):
        cut = f"{str(absent)[:50]}[0-9]*(\\.\\.\\.)?"  # a label of 400 digits is not shown whole
        with pytest.raises(ValueError, match=f"pos_label {cut} does not occur"):
            count(labels, absent)
    with pytest.raises(TypeError, match=r"'y' is of type List.*\. A label is a single value"):
        count([[1], [0], [0], [1]], None)


@pytest.mark.parametrize("form", ["polars-lazy", "duckdb"])
def test_decimal_labels_that_float64_cannot_tell_apart_are_refused(form):
    label = pa.array([Decimal(BIG), Decimal(BIG - 1)], pa.decimal128(38, 0))
    table = pa.table({"y": label, "s": [2.0, 1.0]})
    frame = duckdb.connect().from_arrow(table) if form == "duckdb" else pl.from_arrow(table).lazy()
    with pytest.raises(ValueError, match="y has distinct numbers that float64 cannot tell apart"):
        tabulate_frame(frame, label="y", score="s", pos_label=BIG)


def test_columns_of_a_frame_are_chosen_by_one_name():
    twice = pd.DataFrame([[1, 2.0, 3.0], [0, 1.0, 4.0]], columns=["y", "s", "s"])
    with pytest.raises(ValueError, match=r"columns of the same name.*'s' 2 times\. Rename them"):
        tabulate_frame(twice, label="y", score="s")
    numbered = pd.DataFrame({0: [1, 0], 1: [1.0, 2.0]})
    with pytest.raises(TypeError, match="label is 0, but columns are chosen by name"):
        tabulate_frame(numbered, label=0, score=1)
    with pytest.raises(TypeError, match=r"score is \['s'\], but columns are chosen by name"):
        tabulate_frame(pd.DataFrame({"y": [1, 0], "s": [1.0, 2.0]}), label="y", score=["s"])
    nested = pd.DataFrame(np.eye(2), columns=pd.MultiIndex.from_tuples([("y", "a"), ("s", "b")]))
    with pytest.raises(ValueError, match=r"There is no column 'y'.*\('y', 'a'\)"):
        tabulate_frame(nested, label="y", score="s")
