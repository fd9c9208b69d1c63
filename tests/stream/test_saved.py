"""Damaged states and site files are refused with one ValueError that says why."""

from __future__ import annotations

import io
import json
import zipfile

import numpy as np
import pytest

from rocspace.stream import SiteCounts, Tabulator, coarsen


def site(**changed):
    counter = Tabulator()
    counter.update([0, 1, 0, 1], [0.1, 0.2, 0.6, 0.7])
    return json.loads(coarsen(counter, min_cases=2).to_json()) | changed


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"rows": [[0.0, 0.5, 1.9, 1]]}, "pos of row 1 is 1.9, but must be a whole number"),
        ({"rows": [[0.0, 0.5, 2, True]]}, "neg of row 1 is True"),
        ({"rows": [[0.0, 0.5, 2, -1]]}, "neg of row 1 is -1"),
        ({"rows": [[0.0, 0.5, 2, 10**30]]}, "neg of row 1 is 10{30}"),
        ({"rows": [[0.0, 0.5, 2, 2**62 - 1], [1, 2, 1, 1]]}, "more cases than can be counted"),
        ({"rows": [[0.0, 0.5, 1, 0]]}, "row 1 has 1 case, fewer cases than 'min_cases', 2"),
        ({"rows": [[0.0, "x", 2, 0]]}, "last of row 1 is 'x'"),
        ({"rows": [[0, 2**53 + 1, 2, 0]]}, "must be a number of float64"),
        ({"rows": [[0.0, float("nan"), 2, 0]]}, "last of row 1 is 'NaN'"),
        ({"rows": [[0.5, 0.0, 2, 0]]}, "ranges meet: that of row 1"),
        ({"rows": [[0.0, 0.5, 2, 0], [0.5, 1.0, 2, 0]]}, "ranges meet: that of row 2"),
        ({"rows": [[0.0, 0.5, 2]]}, "row 1 is .0.0, 0.5, 2., but must have"),
        ({"rows": []}, "'rows' a list of such rows"),
        ({"rows": {}}, "'rows' a list of such rows"),
        ({"columns": ["last", "first", "pos", "neg"]}, "'columns' must be"),
        ({"higher_is_positive": "false"}, "'higher_is_positive' is 'false', but must be one of"),
        ({"higher_is_positive": 0}, "'higher_is_positive' is 0, but must be one of False, True"),
        ({"min_cases": 0}, "'min_cases' is 0, but must be a whole number of 1 or more"),
        ({"min_cases": -5}, "'min_cases' is -5"),
        ({"min_cases": 10**400}, "'min_cases' is 10000"),
        ({"version": -1}, "'version' is -1"),
        ({"version": 2}, "version is 2, and this program reads up to 1"),
        ({"version": "1"}, "'version' is '1'"),
        ({"scores": "O"}, "'scores' is 'O', but must be one of 'float64', 'int64', 'uint64'"),
        ({"scores": "complex128"}, "'scores' is 'complex128'"),
        ({"scores": ["f8"]}, "'scores' is"),
        ({"scores": "uint64"}, "first of row 1 is 0.0078125, but must be a whole number"),
    ],
)
def test_each_field_of_site_counts_is_checked(changed, message):
    with pytest.raises(ValueError, match=message) as caught:
        SiteCounts.from_json(json.dumps(site(**changed)))
    assert type(caught.value) is ValueError
    assert str(caught.value).startswith("This is not a file of site counts: ")


@pytest.mark.parametrize(
    "text", ["[" * 100_000, "[]", "null", '"text"', "9" * 5000, 3, None, b"\xff"]
)
def test_no_other_text_is_read_as_site_counts(text):
    with pytest.raises(ValueError, match="not a file of site counts: the text"):
        SiteCounts.from_json(text)


def test_ends_are_read_exactly():
    read = SiteCounts.from_json(json.dumps(site(rows=[["-inf", 0, 2, 0], [1, "inf", 0, 2]])))
    assert read.first.tolist() == [-np.inf, 1.0]
    whole = site(scores="uint64", rows=[[2**53 + 1, 2**64 - 1, 1, 1]])
    assert SiteCounts.from_json(json.dumps(whole)).first.tolist() == [2**53 + 1]


def state(about=None, drop=None, **columns):
    """A state of three scores, with other fields or columns, in a sound archive."""
    counter = Tabulator()
    weighted = any(name.endswith("w2") for name in columns)
    counter.update([0, 1, 0, 1], [0.1, 0.2, 0.2, 0.7], [2.0, 2, 2, 2] if weighted else None)
    with np.load(io.BytesIO(counter.to_bytes())) as npz:
        arrays = {name: npz[name] for name in npz.files}
    fields = json.loads(str(arrays["about"])) | (about or {})
    arrays |= {"about": np.array(json.dumps(fields))} | columns
    arrays.pop(drop, None)
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


KEY = np.array([1, 2, 3], dtype=np.uint64) << np.uint64(62)
NAN_KEY = np.array([5, 6, 2**64 - 1], dtype=np.uint64)
ZEROS = np.array([2**63 - 1, 2**63, 2**63 + 5], dtype=np.uint64)  # of -0.0 and 0.0


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"key": KEY[::-1].copy()}, "scores do not rise"),
        ({"key": KEY[[0, 0, 1]]}, "scores do not rise"),
        ({"key": NAN_KEY}, "scores that float64 does not have"),
        ({"key": ZEROS}, "scores that float64 does not have"),
        ({"key": KEY[:2]}, "column 'level' has the type uint8 and 3 rows"),
        ({"key": KEY.astype(float)}, "column 'key' has the type float64"),
        ({"level": np.array([0, 65, 0], np.uint8)}, "spans more than all"),
        ({"level": np.array([0, 64, 0], np.uint8)}, "scores do not rise"),
        ({"pos": np.array([0.5, 1, 1])}, "column 'pos' has the type float64"),
        ({"pos": np.array([0, -1, 3])}, "negative counts"),
        ({"pos": np.array([0, 1, 2])}, "counts 5 cases, where 'n_cases' is 4"),
        ({"pos": np.array([0, 3, 0])}, "rows without cases"),
        ({"drop": "pos"}, "its columns are key, level, neg"),
        ({"pos_w2": np.array([0, np.nan, 4.0])}, "no weights add up to"),
        ({"pos_w2": np.array([0, 400.0, 4.0])}, "no weights add up to"),
        ({"about": {"version": 0}}, "'version' is 0"),
        ({"about": {"version": 9}}, "version is 9, and this program reads up to 1"),
        ({"about": {"max_rows": 15}}, "'max_rows' is 15"),
        ({"about": {"higher_is_positive": 1}}, "'higher_is_positive' is 1"),
        ({"about": {"n_cases": 4.0}}, "'n_cases' is 4.0"),
        ({"about": {"n_omitted": -1}}, "'n_omitted' is -1"),
        ({"about": {"negative": True}}, "'negative' is True"),
        ({"about": {"dtype": "<c16"}}, "'dtype' is '<c16'"),
        ({"about": {"dtype": None}}, "cases, but no type of scores"),
        ({"about": {"dtype": "<f4"}}, "scores that float32 does not have"),
        ({"about": np.zeros(2)}, "cannot be read as JSON"),
        ({"drop": "about"}, "the archive cannot be read"),
    ],
)
def test_each_field_of_a_state_is_checked(changed, message):
    if isinstance(changed.get("about"), np.ndarray):
        file = io.BytesIO()
        np.savez(file, about=changed["about"])
        data = file.getvalue()
    else:
        data = state(**changed)
    with pytest.raises(ValueError, match=message) as caught:
        Tabulator.from_bytes(data)
    assert type(caught.value) is ValueError


def test_a_sound_state_is_read_on_a_machine_of_the_other_byte_order():
    swapped = state(about={"dtype": ">f8"}, key=KEY.astype(">u8"))
    assert Tabulator.from_bytes(swapped).table().score.dtype == np.float64


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, 99])
def test_whatever_is_wrong_with_an_archive_is_a_value_error(method):
    data = bytearray(state())
    for at in range(len(data) - 3):
        if data[at : at + 4] in (b"PK\x01\x02", b"PK\x03\x04"):
            data[at + (10 if data[at + 2] == 1 else 8)] = method
    with pytest.raises(ValueError, match="the archive cannot be read"):
        Tabulator.from_bytes(bytes(data))


def test_an_array_that_claims_to_be_huge_is_not_made():
    file = io.BytesIO()
    header = b"{'descr': '<u8', 'fortran_order': False, 'shape': (999999999999999,), }\n"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(
            "key.npy", b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header
        )
        archive.writestr("about.npy", b"")
    with pytest.raises(ValueError, match="the archive cannot be read"):
        Tabulator.from_bytes(file.getvalue())


def test_two_tabulators_never_count_beyond_int64():
    full = state(about={"n_cases": 2**61 + 3}, pos=np.array([0, 1, 2**61]))
    counter = Tabulator.from_bytes(full)
    with pytest.raises(ValueError, match="2\\*\\*62 or more"):
        counter.merge(Tabulator.from_bytes(full))
