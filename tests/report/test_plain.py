"""Numbers as plain JSON types."""

from __future__ import annotations

from datetime import date
from pathlib import PurePosixPath

import numpy as np
import pytest

import rocspace as rs
from rocspace.report.plain import plain, plain_copy, plain_fields


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (np.float64(0.5), 0.5),
        (np.int64(2**60), 2**60),
        (np.True_, True),
        (np.inf, "inf"),
        (np.float32(-np.inf), "-inf"),
        (np.nan, None),
        (None, None),
        ("text", "text"),
    ],
)
def test_numbers_are_as_json_has_them(value: object, wanted: object) -> None:
    found = plain(value)
    assert found == wanted
    assert type(found) is type(wanted)


def test_fields_are_numbers_or_lists_under_the_name_asked_for() -> None:
    curve = rs.roc_curve(rs.tabulate([0, 1], [1, 2]))
    found = plain_fields(curve, "auc", "tpr", at="threshold")
    assert found == {"auc": 1.0, "tpr": [0.0, 1.0, 1.0], "at": ["inf", 2, 1]}


def test_a_copy_has_texts_for_what_json_has_no_type_for() -> None:
    given = {1: (PurePosixPath("a/b"), date(2026, 1, 2), b"x"), "n": np.array([1.5, np.nan])}
    assert plain_copy(given) == {"1": ["a/b", "2026-01-02", "b'x'"], "n": [1.5, None]}
