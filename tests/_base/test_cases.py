"""What goes in: labels, containers, missing values, weights; and what each message says."""

import array
import re
import subprocess
import sys
import warnings
from collections import deque
from datetime import date
from decimal import Decimal
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

import rocspace as rs
from rocspace._base.arrays import as_vector
from rocspace._base.cases import check_cases, check_labels, exact_sum
from slow.counts import rows_of

INTS = [np.dtype(c) for c in "bhilqBHILQ"]
FLOATS = [np.dtype(c) for c in "efdg"]
TRUTH = [1, 0, 1, 1, 0]
SCORE = [0.5, 0.25, 0.25, 2.0, 1.0]
ROWS = [(2.0, 1, 0), (1.0, 0, 1), (0.5, 1, 0), (0.25, 1, 1)]  # SCORE under TRUTH, by hand


def tabulated(y_true, y_score=SCORE, **options):
    return rows_of(rs.tabulate(y_true, y_score, **options))


def omitting(text, *arguments, **options):
    """Tabulate with missing="omit", and see that the warning ends in this text."""
    with pytest.warns(UserWarning, match="cases omitted for missing values") as caught:
        table = rs.tabulate(*arguments, missing="omit", **options)
    (one,) = caught
    assert str(one.message) == text
    return table


# --- labels: every spelling gives the same table -----------------------------------------------


@pytest.mark.parametrize("dtype", [np.dtype(bool), *INTS, *FLOATS], ids=str)
def test_zero_and_one_of_every_type_are_labels(dtype):
    assert tabulated(np.array(TRUTH, dtype=dtype)) == ROWS


@pytest.mark.parametrize("dtype", [d for d in [*INTS, *FLOATS] if d.kind != "u"], ids=str)
def test_minus_one_and_one_of_every_type_are_labels(dtype):
    assert tabulated(np.array([2 * y - 1 for y in TRUTH], dtype=dtype)) == ROWS


def other_spellings():
    text = ["ill" if y else "well" for y in TRUTH]
    truth = np.array(TRUTH)
    yield "lists", TRUTH, None
    yield "tuple", tuple(TRUTH), None
    yield "generator", (y for y in TRUTH), None
    yield "bool list", [bool(y) for y in TRUTH], None
    yield "deque", deque(TRUTH), None
    yield "dict values", dict(enumerate(TRUTH)).values(), None
    yield "array.array", array.array("b", TRUTH), None
    yield "memoryview", memoryview(array.array("b", TRUTH)), None
    yield "text", text, "ill"
    yield "text array", np.array(text), "ill"
    yield "bytes", np.array(text).astype("S"), b"ill"
    yield "variable-width text", np.array(text, dtype=np.dtypes.StringDType()), "ill"
    yield "text objects", np.array(text, dtype=object), "ill"
    yield "zero is positive", [1 - y for y in TRUTH], 0
    yield "False is positive", [not y for y in TRUTH], False
    yield "one and two", [1 + y for y in TRUTH], 2
    yield "two and one", [2 - y for y in TRUTH], 1
    yield "halves", [y / 2 for y in TRUTH], 0.5
    yield "unsigned, large", np.array([2**63 + y for y in TRUTH], dtype=np.uint64), 2**63 + 1
    yield "decimals", [Decimal(y) for y in TRUTH], None
    yield "bool and int objects", np.array([True, 0, 1, True, False], dtype=object), None
    yield "NumPy bools in objects", np.array([np.True_, 0, 1, 1.0, False], dtype=object), None
    yield "text and number", ["ill", 0, "ill", "ill", 0], "ill"
    yield "bool and text", [True, "no", True, True, "no"], True
    yield "dates", [date(2020, 1, 1 + y) for y in TRUTH], date(2020, 1, 2)
    yield "datetime64", np.array(TRUTH, dtype="M8[D]"), np.datetime64(1, "D")
    yield "column", truth[:, None], None
    yield "reversed view", truth[::-1].copy()[::-1], None
    yield "int8 with strides", np.repeat(truth.astype(np.int8), 3)[::3], None
    yield "big-endian", truth.astype(">i4"), None
    yield "big-endian text", np.array(text).astype(">U4"), "ill"
    yield "pandas", pd.Series(TRUTH, index=[7, 7, 3, 1, 0]), None
    yield "pandas index", pd.Index(TRUTH), None
    yield "pandas frame of one column", pd.DataFrame({"y": TRUTH}), None
    for dtype in ("Int8", "UInt64", "Float64", "boolean"):
        yield f"pandas {dtype}", pd.Series(TRUTH, dtype=dtype), None
    for dtype in ("str", "string", "string[python]", "category", "object"):
        yield f"pandas {dtype}", pd.Series(text, dtype=dtype), "ill"
    yield "pandas category of numbers", pd.Series(TRUTH, dtype="category"), None
    yield "pandas array", pd.array(TRUTH, dtype="Int64"), None
    yield "pandas arrow bool", pd.Series(TRUTH, dtype="bool[pyarrow]"), None
    yield "pandas arrow text", pd.Series(text, dtype=pd.ArrowDtype(pa.string())), "ill"
    yield "polars", pl.Series(TRUTH), None
    yield "polars bool", pl.Series(TRUTH).cast(pl.Boolean), None
    yield "polars text", pl.Series(text), "ill"
    yield "polars categorical", pl.Series(text, dtype=pl.Categorical), "ill"
    yield "polars enum", pl.Series(text, dtype=pl.Enum(["well", "ill"])), "ill"
    yield "polars frame of one column", pl.DataFrame({"y": TRUTH}), None
    yield "arrow", pa.array(TRUTH), None
    yield "arrow bool", pa.array([bool(y) for y in TRUTH]), None
    yield "arrow chunks", pa.chunked_array([TRUTH[:2], TRUTH[2:]]), None
    yield "arrow text", pa.array(text), "ill"
    yield "arrow dictionary", pa.array(text).dictionary_encode(), "ill"
    yield "arrow table of one column", pa.table({"y": TRUTH}), None


@pytest.mark.parametrize(
    ("y_true", "pos_label"), [pytest.param(y, p, id=name) for name, y, p in other_spellings()]
)
def test_every_spelling_of_the_labels_gives_the_same_table(y_true, pos_label):
    assert tabulated(y_true, pos_label=pos_label) == ROWS


@given(
    st.lists(st.booleans(), min_size=1, max_size=20),
    st.sampled_from([(False, True), (0, 1), (-1, 1), ("a", "b"), ("b", "a"), (2, 1), (0.5, 7.0)]),
    st.sampled_from([list, tuple, np.array, pd.Series, pl.Series, pa.array, pd.Categorical]),
)
def test_label_encodings_all_give_the_same_table(truth, spelling, container):
    score = np.arange(len(truth)) // 2
    spelled = container([spelling[y] for y in truth])
    expected = rs.tabulate(np.array(truth), score)
    assert rs.tabulate(spelled, score, pos_label=spelling[True]) == expected
    if spelling in [(False, True), (0, 1)]:
        assert rs.tabulate(spelled, score) == expected


@pytest.mark.parametrize(
    ("y_true", "pos"),
    [([1, 1], 2), ([0, 0], 0), ([True, True], 2), ([-1, -1], 0), ([-1.0, -1.0], 0), ([1.0, 1], 2)],
)
def test_one_class_alone_is_tabulated(y_true, pos):
    table = rs.tabulate(y_true, [3, 4])
    assert (table.n_pos, table.n_neg) == (pos, 2 - pos)


def test_one_class_alone_with_pos_label():
    assert rs.tabulate(["ill", "ill"], [3, 4], pos_label="ill").n_pos == 2
    assert rs.tabulate(["well", "well"], [3, 4], pos_label="ill").n_neg == 2


def test_more_than_two_labels_stand_against_the_one_and_say_so():
    text = (
        "y_true has 7 values: 'c' is taken as positive, "
        "the rest ('a', 'b', 'd', 'e', 'f', ... (6 in all)) as negative."
    )
    with pytest.warns(UserWarning, match="7 values") as caught:
        table = rs.tabulate(list("abcdefgc"), range(8), pos_label="c")
    assert str(caught[0].message) == text
    assert table.score[table.pos > 0].tolist() == [7, 2]
    assert (table.n_pos, table.n_neg) == (2, 6)


@pytest.mark.parametrize(
    ("y_true", "pos_label", "text"),
    [
        (
            ["ill", "well"],
            "Ill",
            ("'Ill' does not occur in y_true, whose values are 'ill', 'well'. Did you mean 'ill'?"),
        ),
        (["ill", "well"], "WELL", "are 'ill', 'well'. Did you mean 'well'?"),
        (["ill", "well"], "zzz", "are 'ill', 'well'."),
        ([0, 1], "1", "'1' does not occur in y_true, whose values are 0, 1. Did you mean 1?"),
        ([0, 0], "1", "'1' does not occur in y_true, whose values are 0."),
        (["0", "1"], 1, "1 does not occur in y_true, whose values are '0', '1'. Did you mean '1'?"),
        (["1", "1"], 1, "1 does not occur in y_true, whose values are '1'. Did you mean '1'?"),
        ([0, 1], 2, "2 does not occur in y_true, whose values are 0, 1."),
        (np.array([0, 1], dtype=np.uint8), -1, "-1 does not occur in y_true, whose values are 0,"),
        (np.array([0, 1], dtype=np.uint8), 300, "300 does not occur in y_true"),
        ([b"a", b"b"], "a", "'a' does not occur in y_true, whose values are b'a', b'b'."),
        ([0, 1], float("nan"), "nan does not occur"),
        ([0, "a"], None, "y_true has the values 0, 'a'; which of them is positive?"),
    ],
)
def test_a_wrong_pos_label_is_an_error_that_names_the_nearest(y_true, pos_label, text):
    with pytest.raises(ValueError, match=r"positive|does not occur") as caught:
        rs.tabulate(y_true, [1, 2], pos_label=pos_label)
    assert text in str(caught.value)
    if text.endswith("."):
        assert str(caught.value).endswith(text)


@pytest.mark.parametrize(
    ("label", "positive", "other"),
    [
        (np.array([2**53 + 1, 2**53]), 2**53 + 1, 2.0**53),
        (np.array([2**64 - 1, 2**64 - 2], dtype=np.uint64), 2**64 - 1, np.uint64(2**64 - 2)),
        (np.array([2.0**53 + 2, 2.0**53]), 2**53 + 2, 2.0**53),
        (np.array([2**24 + 2, 2**24], dtype=np.float32), 2**24 + 2, np.float32(2**24)),
        (["a\0", "a"], "a\0", "a"),
        ([2**70 + 1, 2**70], 2**70 + 1, 2**70),
    ],
)
def test_labels_that_are_nearly_alike_are_told_apart(label, positive, other):
    assert rs.auc_score(label, [2, 1], pos_label=positive) == 1
    assert rs.auc_score(label, [2, 1], pos_label=other) == 0


@pytest.mark.parametrize(
    ("label", "absent"),
    [
        (np.array([2.0**53 + 2, 2.0**53]), 2**53 + 1),
        (np.array([2**24 + 2, 2**24], dtype=np.float32), 2**24 + 1),
        (np.array([np.inf, 1], dtype=np.float16), 70000),
        (np.array([1.0, 0.0]), 10**400),
        (np.array(["a", "b"]), "a\0"),
        (np.array([1, 0]), 0.5),
    ],
)
def test_a_label_that_its_type_cannot_hold_does_not_occur(label, absent):
    with pytest.raises(ValueError, match="does not occur in y_true"):
        rs.tabulate(label, [2, 1], pos_label=absent)


def test_sparse_matrices_are_columns():
    label = sparse.csr_matrix(TRUTH)
    score = sparse.csc_array(np.array([SCORE]).T)
    assert tabulated(label.T, score) == ROWS
    with pytest.raises(ValueError, match=r"y_true has shape \(1, 5\), but one value per case"):
        rs.tabulate(label, SCORE)


def test_numbers_of_128_bits_are_kept_or_refused():
    few = pl.Series([3, 1, 2], dtype=pl.Int128)
    assert rs.tabulate([1, 0, 1], few).score.tolist() == [3, 2, 1]
    far = pl.Series([2**70, None, 2**71], dtype=pl.Int128)
    with pytest.warns(UserWarning, match="1 of 3 cases omitted"):
        table = rs.tabulate([1, 0, 0], far, missing="omit")
    assert table.score.tolist() == [2.0**71, 2.0**70]
    with pytest.raises(ValueError, match="float64 cannot tell apart"):
        rs.tabulate([1, 0], pl.Series([2**70 + 1, 2**70], dtype=pl.Int128))


@pytest.mark.parametrize("pos_label", [[0, 1], (1,), np.array([0, 1])])
def test_pos_label_is_one_value(pos_label):
    with pytest.raises(TypeError, match=r"the one label that is positive.*numpy\.isin"):
        rs.tabulate([0, 1], [1, 2], pos_label=pos_label)


@pytest.mark.parametrize(
    ("y_true", "text"),
    [
        (
            [1, 2],
            (
                "y_true has the values 1, 2; which of them is positive? "
                "Say so with pos_label, as in pos_label=2."
            ),
        ),
        ([-1, 0], "pos_label=0."),
        ([-1, 1, 0], "the values -1, 0, 1; which"),
        (["ill", "well"], "the values 'ill', 'well'; which of them is positive?"),
        ([0.1, 0.7, 0.3], "It looks like a score: are y_true and y_score swapped?"),
        ([-1.0, 0.0, 1.0], "the values -1.0, 0.0, 1.0; which"),
        (list(range(9)), "0, 1, 2, 3, 4, ... (9 in all); which"),
    ],
)
def test_ambiguous_labels_are_an_error_that_lists_them(y_true, text):
    with pytest.raises(ValueError, match="which of them is positive") as caught:
        rs.tabulate(y_true, range(len(y_true)))
    assert text in str(caught.value)
    assert ("swapped" in str(caught.value)) is (len(y_true) == 3 and isinstance(y_true[0], float))


def test_labels_as_scores_are_noticed():
    y = [0, 1]
    with pytest.raises(ValueError, match="y_score is the very same object as y_true"):
        rs.tabulate(y, y)
    with pytest.raises(TypeError, match="y_true is None"):
        rs.tabulate(None, None)


def test_check_labels_stands_alone():
    assert check_labels(["a", "b"], "b", "y_pred").tolist() == [False, True]
    with pytest.raises(ValueError, match=r"^y_pred has 1 missing .* index 1. Fill them or drop"):
        check_labels([1, None], None, "y_pred")


# --- containers: nothing is lost -----------------------------------------------------------------


class OnlyArray:
    def __init__(self, values):
        self.values = np.asarray(values)

    def __array__(self, dtype=None, copy=None):
        return self.values


class OnlyDlpack:
    def __init__(self, values):
        self.values = np.asarray(values)

    def __dlpack__(self, **options):
        return self.values.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.values.__dlpack_device__()


class FakeTensor:
    """What is read of a torch tensor."""

    def __init__(self, values, device="cpu", dtype="float64"):
        self.values, self.dtype = np.asarray(values), dtype
        self.device = SimpleNamespace(type=device.partition(":")[0])
        self.name = device

    def detach(self):
        return self

    def cpu(self):
        return FakeTensor(self.values)

    def numpy(self):
        if self.dtype == "torch.bfloat16":
            msg = "Got unsupported ScalarType BFloat16"
            raise TypeError(msg)
        return self.values


def score_containers():
    numbers = np.array(SCORE)
    read_only = numbers.copy()
    read_only.flags.writeable = False
    yield "array", numbers, "f8"
    yield "not contiguous", np.repeat(numbers, 2)[::2], "f8"
    yield "negative strides", numbers[::-1].copy()[::-1], "f8"
    yield "column of a matrix", np.asfortranarray(np.tile(numbers, (3, 1)).T)[:, 1], "f8"
    yield "row of a Fortran matrix", np.asfortranarray(np.tile(numbers, (3, 1)))[1], "f8"
    yield "big-endian", numbers.astype(">f8"), "f8"
    yield "big-endian float32", numbers.astype(">f4"), "f4"
    yield "read-only", read_only, "f8"
    yield "(n, 1)", numbers[:, None], "f8"
    yield "masked, nothing hidden", np.ma.array(numbers), "f8"
    yield "float32", numbers.astype("f4"), "f4"
    yield "float16", numbers.astype("f2"), "f2"
    yield "longdouble", numbers.astype("g"), "g"
    yield "array.array", array.array("f", SCORE), "f4"
    yield "decimals", [Decimal(x) for x in SCORE], "f8"
    yield "fractions", [Fraction(x) for x in SCORE], "f8"
    yield "objects", np.array(SCORE, dtype=object), "f8"
    yield "__array__ only", OnlyArray(SCORE), "f8"
    yield "DLPack only", OnlyDlpack(SCORE), "f8"
    yield "tensor", FakeTensor(SCORE), "f8"
    yield "pandas", pd.Series(SCORE, index=list("vwxyz")), "f8"
    yield "pandas float32", pd.Series(SCORE, dtype="float32"), "f4"
    yield "pandas Float32", pd.Series(SCORE, dtype="Float32"), "f4"
    yield "pandas arrow", pd.Series(SCORE, dtype="float[pyarrow]"), "f4"
    yield "pandas sparse", pd.Series(pd.arrays.SparseArray(SCORE)), "f8"
    yield "pandas category", pd.Series(SCORE, dtype="category"), "f8"
    yield "polars", pl.Series(SCORE), "f8"
    yield "polars float32", pl.Series(SCORE, dtype=pl.Float32), "f4"
    yield "polars objects", pl.Series(SCORE, dtype=pl.Object), "f8"
    yield "polars decimals", pl.Series([Decimal(x) for x in SCORE]), "f8"
    yield "arrow", pa.array(SCORE), "f8"
    yield "arrow float32", pa.array(SCORE, pa.float32()), "f4"
    yield "arrow chunks", pa.chunked_array([SCORE[:1], SCORE[1:]]), "f8"


@pytest.mark.parametrize(
    ("scores", "dtype"), [pytest.param(s, d, id=name) for name, s, d in score_containers()]
)
def test_scores_in_any_container_keep_their_type(scores, dtype):
    table = rs.tabulate(TRUTH, scores)
    assert rows_of(table) == ROWS
    assert table.score.dtype == np.dtype(dtype)
    assert table.score.dtype.isnative


def test_torch():
    torch = pytest.importorskip("torch")
    scores = torch.tensor(SCORE, requires_grad=True)
    assert tabulated(torch.tensor(TRUTH), scores) == ROWS
    assert rs.tabulate(TRUTH, scores).score.dtype == np.float32
    with pytest.raises(TypeError, match=r"lacks\. Pass y_score\.float\(\)"):
        rs.tabulate(TRUTH, scores.bfloat16())


def test_tensors_that_numpy_cannot_read_say_how_to_mend_it():
    with pytest.raises(TypeError, match=r"^y_score is a tensor on .* Move it first: y_score.cpu\("):
        rs.tabulate(TRUTH, FakeTensor(SCORE, device="cuda:1"))
    with pytest.raises(
        TypeError, match=r"torch.bfloat16, which NumPy lacks\. Pass y_score.float\(\)"
    ):
        rs.tabulate(TRUTH, FakeTensor(SCORE, dtype="torch.bfloat16"))


@pytest.mark.parametrize("dtype", INTS, ids=str)
def test_integer_scores_keep_their_type_and_their_ends(dtype):
    ends = np.iinfo(dtype)
    score = np.array([ends.max, ends.min, ends.max - 1, ends.max], dtype=dtype)
    table = rs.tabulate([1, 1, 0, 0], score)
    assert table.score.dtype == dtype
    assert rows_of(table) == [(ends.max, 1, 1), (ends.max - 1, 0, 1), (ends.min, 1, 0)]


def test_boolean_scores_become_zero_and_one():
    for scores in ([True, False, True], np.array([1, 0, 1], bool), pl.Series([True, False, True])):
        assert tabulated([1, 0, 0], scores) == [(1, 1, 1), (0, 0, 1)]


BIG = 2**53


@pytest.mark.parametrize(
    "scores",
    [
        [BIG, BIG + 1, None],
        np.array([BIG, BIG + 1, None], dtype=object),
        pd.Series([BIG, BIG + 1, None], dtype="Int64"),
        pd.Series([BIG, BIG + 1, None], dtype="UInt64"),
        pd.Series([BIG, BIG + 1, None], dtype="int64[pyarrow]"),
        pd.Series(pd.Categorical([BIG, BIG + 1, None], categories=pd.Index([BIG, BIG + 1]))),
        pd.DataFrame({"s": pd.array([BIG, BIG + 1, None], dtype="Int64")}),
        pl.Series([BIG, BIG + 1, None]),
        pl.Series([BIG, BIG + 1, None], dtype=pl.UInt64),
        pl.DataFrame({"s": [BIG, BIG + 1, None]}),
        pa.array([BIG, BIG + 1, None]),
        pa.chunked_array([[BIG], [BIG + 1, None]]),
        pa.table({"s": [BIG, BIG + 1, None]}),
        np.ma.array([BIG, BIG + 1, 0], mask=[0, 0, 1]),
    ],
    ids=lambda s: type(s).__module__.partition(".")[0] + f" {getattr(s, 'dtype', '')}",
)
def test_large_integers_survive_nulls(scores):
    text = "1 of 3 cases omitted for missing values (1 in y_score)."
    table = omitting(text, [1, 0, 1], scores)
    assert rows_of(table) == [(BIG + 1, 0, 1), (BIG, 1, 0)]
    assert table.score.dtype.kind in "iu"


def test_lists_of_integers_beyond_int64_are_not_rounded():
    assert tabulated([1, 0, 1], [2**63, 1, 2**63 + 1]) == [
        (2**63 + 1, 1, 0),
        (2**63, 1, 0),
        (1, 0, 1),
    ]
    assert rs.tabulate([1, 0], [2**70, 1.5]).score.tolist() == [2.0**70, 1.5]


@pytest.mark.parametrize(
    "scores",
    [
        [BIG, float(BIG), BIG + 1],
        [2**63, -1, 2**63 + 1],
        np.array([2**70, 1, 2**70 + 1], dtype=object),
        [Fraction(1, 3), 1 / 3, 0],
        [Decimal("0.1"), Decimal("0.10000000000000000001"), 0],
    ],
)
def test_distinct_numbers_are_never_made_equal(scores):
    with pytest.raises(ValueError, match="y_score has distinct numbers that float64 cannot tell"):
        rs.tabulate([1, 0, 1], scores)


@pytest.mark.parametrize(
    ("scores", "error", "text"),
    [
        (
            ["1", "2"],
            TypeError,
            (
                "y_score contains text or objects, the first '1' at index 0. Scores "
                "are numbers, larger meaning more positive; if these are the "
                "labels, y_true and y_score are swapped."
            ),
        ),
        ([1, "x"], TypeError, "the first 'x' at index 1."),
        (np.array([1, "2"], dtype=object), TypeError, "the first '2' at index 1."),
        ([b"1", b"2"], TypeError, "the first \"b'1'\" at index 0."),
        (pl.Series(["a", "b"]), TypeError, "the first 'a' at index 0."),
        (pa.array(["a", "b"]), TypeError, "the first 'a' at index 0."),
        ([date(2020, 1, 1)] * 2, TypeError, "the first '2020-01-01' at index 0."),
        ([1j, 2], TypeError, "y_score has the type complex128, which cannot be ranked."),
        (np.array([1, 2], dtype="M8[D]"), TypeError, "the type datetime64[D], which cannot"),
        (pl.Series([date(2020, 1, 1)] * 2), TypeError, "the type datetime64[D], which cannot"),
        (np.zeros(2, dtype=[("a", int)]), TypeError, "which cannot be ranked"),
        (
            np.ones((2, 2)),
            ValueError,
            (
                "y_score has shape (2, 2), but one value per case is needed. "
                "Pass one column, for instance y_score[:, 1]."
            ),
        ),
        (np.ones((1, 2)), ValueError, "y_score has shape (1, 2)"),
        (pd.DataFrame({"a": [1, 2], "b": [1, None]}), ValueError, "instance y_score['b']."),
        (pl.DataFrame({"a": [1, 2], "b": [1, None]}), ValueError, "instance y_score['b']."),
        (
            np.ones((2, 1, 1)),
            ValueError,
            (
                "y_score has shape (2, 1, 1), but one value per case is "
                "needed. Pass a vector, one entry per case."
            ),
        ),
        (np.array(3.0), ValueError, "y_score has shape ()"),
        ([[1, 2], [3]], ValueError, "y_score is ragged: its entries have different lengths."),
        (0.5, TypeError, "y_score is 0.5, a single value. Pass one value per case."),
        ("ab", TypeError, "y_score is 'ab', a single value."),
        (None, TypeError, "y_score is None, a single value."),
        ({1, 2}, TypeError, "y_score is a set, which has no order. Pass a list or an array."),
        ({0: 1, 1: 2}, TypeError, "y_score is a dict, which has no order."),
        (pl.LazyFrame({"a": [1, 2]}), TypeError, "y_score is a LazyFrame, not a vector."),
        (object(), TypeError, "y_score is a object, not a vector."),
        ([1, 2, 3], ValueError, "Lengths differ: y_true has 2, y_score has 3."),
    ],
)
def test_unusable_scores_are_errors_that_say_why(scores, error, text):
    with pytest.raises(error) as caught:
        rs.tabulate([0, 1], scores)
    assert text in str(caught.value)


def test_object_arrays_of_arrays_are_no_scores():
    ragged = np.empty(2, dtype=object)
    ragged[:] = [np.array([1, 2]), np.array([1])]
    with pytest.raises(TypeError, match=r"the first '\[1 2\]' at index 0"):
        rs.tabulate([0, 1], ragged)


@pytest.mark.parametrize("empty", [[], (), np.array([]), pd.Series([], dtype=float), pl.Series([])])
def test_no_cases_is_an_error(empty):
    with pytest.raises(ValueError, match="There are no cases: y_true is empty"):
        rs.tabulate([], empty)


def test_converting_imports_no_other_package():
    code = """
import sys, rocspace
class OnlyArray:
    def __array__(self, dtype=None, copy=None):
        import numpy as np
        return np.array([1.0, 2.0])
rocspace.tabulate([0, 1], OnlyArray(), sample_weight=iter([1, 2]))
rocspace.pair_scores(["a", "b"], {"x": range(2)}, pos_label="a")
heavy = ("pandas", "polars", "pyarrow", "torch", "numba", "scipy", "narwhals")
print([name for name in heavy if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("dtype", ["?", "b", "q", "e", "f", "d", "g"])
def test_inputs_are_neither_changed_nor_frozen(dtype):
    truth = np.array([1, 0, 1, 0], dtype=dtype)
    score = np.array([0, 1, 0, 1], dtype=dtype)
    weight = np.array([1, 2, 1, 0], dtype=dtype)
    before = [x.copy() for x in (truth, score, weight)]
    tables = [
        rs.tabulate(truth, score),
        rs.tabulate(truth, score, sample_weight=weight),
        rs.tabulate_classes(score, weight),
        rs.ScoreTable.from_counts(score, truth, weight),
        rs.pair_scores(truth, {"a": score}, sample_weight=weight, cluster=truth),
        rs.pair_scores(truth, np.stack([score, weight], axis=1)),
    ]
    for array_, old in zip((truth, score, weight), before, strict=True):
        assert array_.flags.writeable
        np.testing.assert_array_equal(array_, old)
        for table in tables:
            columns = [x for x in vars(table).values() if isinstance(x, np.ndarray)]
            assert not any(np.shares_memory(array_, column) for column in columns)
            assert not any(column.flags.writeable for column in columns)


# --- missing values ---------------------------------------------------------------------------


NAN = float("nan")


def vectors_with_holes():
    """The values 1, missing, 0, missing, 1 in whatever can hold them."""
    values = [1, None, 0, None, 1]
    floats = [1.0, NAN, 0.0, NAN, 1.0]
    yield "None in a list", values
    yield "NaN in a list", floats
    yield "None and NaN", [1, None, 0, NAN, 1]
    yield "pandas.NA in a list", [1, pd.NA, 0, pd.NaT, 1]
    yield "a signalling NaN", [1, Decimal("sNaN"), 0, Decimal("NaN"), 1]
    yield "bool and None", [True, None, False, None, True]
    for dtype in FLOATS:
        yield f"array of {dtype}", np.array(floats, dtype=dtype)
    yield "masked", np.ma.array([1, 9, 0, 9, 1], mask=[0, 1, 0, 1, 0])
    yield "masked and NaN", np.ma.array([1, 9.0, 0, NAN, 1], mask=[0, 1, 0, 0, 0])
    yield "masked objects", np.ma.array([1, 9, 0, None, 1], mask=[0, 1, 0, 0, 0], dtype=object)
    yield "masked column", np.ma.array([[1], [9], [0], [9], [1]], mask=[[0], [1], [0], [1], [0]])
    for dtype in ("float64", "float32", "Int64", "UInt8", "Float32", "boolean", "object"):
        yield f"pandas {dtype}", pd.Series(values, dtype=dtype, index=range(5, 0, -1))
    for dtype in ("int8", "uint64", "float", "double", "bool"):
        yield f"pandas arrow {dtype}", pd.Series(values, dtype=f"{dtype}[pyarrow]")
    yield "pandas category", pd.Series(values, dtype="category")
    yield "pandas sparse", pd.Series(pd.arrays.SparseArray(floats))
    yield "pandas index", pd.Index(floats)
    yield "pandas frame", pd.DataFrame({"x": values})
    yield "pandas decimals", pd.Series(values, dtype=pd.ArrowDtype(pa.decimal128(3, 1)))
    for dtype in (pl.Int64, pl.UInt8, pl.Float32, pl.Boolean, pl.Decimal(3, 1)):
        yield f"polars {dtype}", pl.Series(values, dtype=dtype, strict=False)
    yield "polars nulls and NaN", pl.Series([1.0, None, 0.0, NAN, 1.0])
    yield "polars frame", pl.DataFrame({"x": values})
    for dtype in (pa.int64(), pa.uint8(), pa.float32(), pa.bool_()):
        yield f"arrow {dtype}", pa.array(values).cast(dtype)
    yield "arrow decimals", pa.array([None if v is None else Decimal(v) for v in values])
    yield "arrow nulls and NaN", pa.array([1.0, None, 0.0, NAN, 1.0])
    yield "arrow chunks", pa.chunked_array([[1, None], [0, None, 1]])
    yield "tensor", FakeTensor(floats)


HOLES = [pytest.param(v, id=name) for name, v in vectors_with_holes()]
FULL = [3, 4, 5, 6, 7]


@pytest.mark.parametrize("holes", HOLES)
def test_a_missing_value_is_an_error_that_names_the_argument_and_the_first_index(holes):
    text = "has 2 missing values (NaN or null), the first at index 1. Fill them or drop those rows"
    for name, arguments in (
        ("y_true", {"y_true": holes, "y_score": FULL}),
        ("y_score", {"y_true": TRUTH, "y_score": holes}),
        ("sample_weight", {"y_true": TRUTH, "y_score": FULL, "sample_weight": holes}),
    ):
        with pytest.raises(ValueError, match='or pass missing="omit"') as caught:
            rs.tabulate(**arguments)
        assert str(caught.value).startswith(f"{name} {text}")


@pytest.mark.parametrize("holes", HOLES)
def test_omitting_is_dropping_by_hand(holes):
    text = "2 of 5 cases omitted for missing values (2 in {})."
    table = omitting(text.format("y_true"), holes, FULL)
    assert rows_of(table) == [(7, 1, 0), (5, 0, 1), (3, 1, 0)]
    table = omitting(text.format("y_score"), [1, 1, 1, 0, 0], holes)
    assert rows_of(table) == [(1, 1, 1), (0, 1, 0)]
    # Of the three weights 1, 0, 1 that are left, the zero leaves its case out too.
    table = omitting(text.format("sample_weight"), TRUTH, FULL, sample_weight=holes)
    assert rows_of(table) == [(7, 0, 1), (3, 1, 0)]


@pytest.mark.parametrize(
    "labels",
    [
        ["ill", None, "well"],
        ["ill", NAN, "well"],
        np.array(["ill", None, "well"], dtype=object),
        np.array(["ill", NAN, "well"], dtype=object),
        np.array(["ill", None, "well"], dtype=np.dtypes.StringDType(na_object=None)),
        np.ma.array(["ill", "?", "well"], mask=[0, 1, 0]),
        *(
            pd.Series(["ill", None, "well"], dtype=d)
            for d in ("str", "string", "string[python]", "category", "object")
        ),
        pd.Series(["ill", None, "well"], dtype=pd.ArrowDtype(pa.string())),
        pl.Series(["ill", None, "well"]),
        pl.Series(["ill", None, "well"], dtype=pl.Categorical),
        pl.Series(["ill", None, "well"], dtype=pl.Enum(["ill", "well"])),
        pa.array(["ill", None, "well"]),
        pa.array(["ill", None, "well"]).dictionary_encode(),
        pa.chunked_array([["ill"], [None, "well"]]),
    ],
    ids=lambda v: f"{type(v).__module__.partition('.')[0]} {getattr(v, 'dtype', '')}",
)
def test_a_missing_text_is_missing_and_no_label(labels):
    with pytest.raises(ValueError, match=r"^y_true has 1 missing value .* index 1\."):
        rs.tabulate(labels, [1, 2, 3], pos_label="ill")
    text = "1 of 3 cases omitted for missing values (1 in y_true)."
    table = omitting(text, labels, [1, 2, 3], pos_label="ill")
    assert rows_of(table) == [(3, 0, 1), (1, 1, 0)]


def test_a_missing_date_is_missing_and_no_label():
    labels = np.array(["2020", "NaT", "2021"], dtype="M8[Y]")
    text = "1 of 3 cases omitted for missing values (1 in y_true)."
    table = omitting(text, labels, [1, 2, 3], pos_label=np.datetime64("2020"))
    assert rows_of(table) == [(3, 0, 1), (1, 1, 0)]


def test_omitting_counts_cases_once_and_causes_each():
    table = omitting(
        "3 of 5 cases omitted for missing values (1 in y_true, 2 in y_score, 1 in sample_weight).",
        [1, None, 0, 1, 0],
        [1.0, NAN, NAN, 4.0, 5.0],
        sample_weight=[1, 1, 1, NAN, 2.5],
    )
    assert rows_of(table) == [(5.0, 0, Fraction(5, 2)), (1.0, 1, 0)]


def test_omitting_nothing_says_nothing():
    assert rs.tabulate([0, 1], [1.0, 2.0], missing="omit") == rs.tabulate([0, 1], [1.0, 2.0])


@pytest.mark.parametrize("nothing", [[None, None], [NAN, NAN], pl.Series([None, None])])
def test_omitting_everything_is_an_error(nothing):
    with (
        pytest.warns(UserWarning, match="2 of 2 cases omitted"),
        pytest.raises(ValueError, match="There are no cases: all of them were omitted as missing"),
    ):
        rs.tabulate([0, 1], nothing, missing="omit")


def test_messages_count_rows_as_the_user_does_after_omitting():
    for options, index in (({"y_score": [NAN, 1, "x"]}, 2), ({"sample_weight": [NAN, 1, -1]}, 2)):
        arguments = {"y_true": [0, 1, 1], "y_score": [1, 2, 3], "missing": "omit", **options}
        with (
            pytest.warns(UserWarning, match="1 of 3 cases omitted"),
            pytest.raises((TypeError, ValueError), match=f"at index {index}\\."),
        ):
            rs.tabulate(**arguments)


def test_an_omitted_case_may_be_wrong():
    # Dropped by hand, the case with the negative weight would not be there.
    table = omitting(
        "1 of 3 cases omitted for missing values (1 in y_score).",
        [0, 1, 1],
        [NAN, 2, 3],
        sample_weight=[-1, 2, 4],
    )
    assert table.pos.tolist() == [4.0, 2.0]


def test_classes_name_their_argument():
    with pytest.raises(ValueError, match=r"^neg_scores has 1 missing value .* index 0\."):
        rs.tabulate_classes([1.0], [NAN])
    with pytest.warns(UserWarning, match=r"^1 of 2 cases omitted .* \(1 in pos_scores\)"):
        assert rs.tabulate_classes([1.0, NAN], [2.0], missing="omit").n_pos == 1


# --- weights ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("weight", "error", "text"),
    [
        (
            [1, -2.5, -1],
            ValueError,
            (
                "sample_weight has 2 negative or infinite values, the first "
                "-2.5 at index 1. Weights are finite and zero or more."
            ),
        ),
        ([1, 1, float("inf")], ValueError, "the first inf at index 2."),
        (
            [1, NAN, 1],
            ValueError,
            ("sample_weight has 1 missing value (NaN or null), the first at index 1."),
        ),
        ([0, 0, 0], ValueError, "sample_weight is zero for every case, so nothing is left"),
        ([1e308, 1, 1], ValueError, "The largest sample_weight is 1e+308, whose square"),
        ([1e-300, 0, 0], ValueError, "Multiply all weights by one number"),
        (["a", "b", "c"], TypeError, "sample_weight has the type <U1. Weights are numbers"),
        ([1j, 1, 1], TypeError, "sample_weight has the type complex128."),
        ([1, 1], ValueError, "Lengths differ: y_true has 3, y_score has 3, sample_weight has 2."),
        (2.0, TypeError, "sample_weight is 2.0, a single value."),
    ],
)
def test_bad_weights_are_errors_that_say_which(weight, error, text):
    with pytest.raises(error) as caught:
        rs.tabulate([0, 1, 1], [1, 2, 3], sample_weight=weight)
    assert text in str(caught.value)


@pytest.mark.parametrize(
    "weight",
    [
        [True, True, False, True],
        np.array([1, 1, 0, 1], dtype=np.uint8),
        np.array([1, 1, 0, 1], dtype=np.float16),
        np.array([1, 1, 0, 1], dtype="g"),
        pd.Series([1, 1, 0, 1], dtype="Int64"),
        pl.Series([1, 1, 0, 1]),
        [Fraction(1), Decimal(1), 0, 1],
    ],
    ids=lambda w: type(w).__name__,
)
def test_weights_of_every_type_become_float64(weight):
    table = rs.tabulate([1, 0, 1, 1], [4, 3, 2, 1], sample_weight=weight)
    assert rows_of(table) == [(4, 1, 0), (3, 0, 1), (1, 1, 0)]
    assert {c.dtype for c in (table.pos, table.neg, table.pos_w2, table.neg_w2)} == {np.dtype("d")}


def test_tiny_weights_beside_others_are_fine():
    table = rs.tabulate([1, 0, 1], [3, 2, 1], sample_weight=[1, 1, 1e-200])
    assert table.pos.tolist() == [1, 0, 1e-200]


# --- clusters, and cases as a whole ------------------------------------------------------------


@pytest.mark.parametrize(
    "cluster",
    [
        ["b", "a", "b"],
        [2.5, 1, 2.5],
        ["b", 1, "b"],
        pd.Series(["b", "a", "b"]),
        np.array([2, 1, 2]),
    ],
)
def test_clusters_are_numbered(cluster):
    found = check_cases([0, 1, 1], {"s": [1, 2, 3]}, cluster=cluster).cluster
    assert found.dtype == np.int64
    assert found[0] == found[2] != found[1]
    assert set(found.tolist()) == {0, 1}


def test_zero_weights_leave_the_case_out_everywhere():
    cases = check_cases(
        [0, 1, 1], {"s": [1, 2, 3]}, sample_weight=[1, 0, 2], cluster=["a", "b", "c"]
    )
    assert cases.label.tolist() == [False, True]
    assert cases.scores[0].tolist() == [1, 3]
    assert cases.weight.tolist() == [1.0, 2.0]
    assert cases.cluster.tolist() == [0, 2]
    assert cases.n_omitted == 0


def test_a_batch_may_be_empty_and_may_lack_the_positive_label():
    assert check_cases([], {"s": []}, of_many=True).label.size == 0
    cases = check_cases(["a", "c"], {"s": [1, 2]}, pos_label="b", of_many=True)
    assert cases.label.tolist() == [False, False]
    cases = check_cases([0, 1], {"s": [1, 2]}, sample_weight=[0, 0], of_many=True)
    assert cases.label.size == 0


def test_as_vector_gives_the_mask_only_where_something_is_missing():
    assert as_vector([1, 2], "x")[1] is None
    assert as_vector(np.ma.array([1, 2]), "x")[1] is None
    assert as_vector(np.array([1, 2], dtype=object), "x")[1] is None
    assert as_vector([1, None], "x")[1].tolist() == [False, True]


@given(st.lists(st.integers(0, 2**62 - 1), max_size=8))
def test_exact_sum(counts):
    assert exact_sum(np.array(counts, dtype=np.int64)) == sum(counts)


def test_indexes_of_the_same_labels_in_another_order_are_told():
    label = pd.Series([1, 0, 1, 0], index=[3, 1, 2, 0])
    score = pd.Series([0.1, 0.2, 0.3, 0.4])
    with pytest.warns(UserWarning, match=r"another order.*y_score.loc\[y_true.index\]"):
        taken = rs.tabulate(label, score)
    assert taken == rs.tabulate(label.to_numpy(), score.to_numpy())  # by place, as said
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rs.tabulate(label, score.loc[label.index])
        rs.tabulate(label, score.to_numpy())
        rs.tabulate(label.set_axis([10, 11, 12, 13]), score)  # other labels: only the place counts
    with pytest.warns(UserWarning, match="another order"):
        rs.pair_scores(label, pd.DataFrame({"a": score, "b": score}))


@pytest.mark.parametrize("y_true", [[0, 1, 0, 1], ["a", "b", "a", "b"], [0.0, 1.0, 1.0, 0.0]])
def test_a_missing_positive_label_is_refused(y_true):
    with pytest.raises(ValueError, match="a missing value, but must be the positive label"):
        rs.tabulate(y_true, [1, 2, 3, 4], pos_label=pd.NA)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: rs.tabulate(pd.DataFrame([[0, 1], [1, 1]]), [1, 2]), "for instance y_true[1]."),
        (lambda: rs.tabulate([0, 1], pd.DataFrame({"a": [0, 1], "b": [1, 1]})), "y_score['b']."),
        (lambda: rs.tabulate([0, 1], [1, 2], pos_label=np.int64(7)), "pos_label 7 does not"),
        (lambda: rs.tabulate([0, 1], [1, 2], higher_is_positive=np.int64(1)), "_positive is 1,"),
        (lambda: rs.tabulate(["a", "b"], [1, 2], pos_label=np.str_("c")), "pos_label 'c' does"),
        (
            lambda: rs.counts.confusion_table([0, 1], [0, 1]).against_rest(np.int64(7)),
            "There is no label 7. There are: 0, 1.",
        ),
    ],
)
def test_messages_show_values_of_numpy_as_they_are_written(call, said):
    with pytest.raises((ValueError, TypeError), match=re.escape(said)):
        call()
