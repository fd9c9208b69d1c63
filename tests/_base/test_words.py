"""The words of messages, and where a warning points."""

import inspect
import re
import warnings
from pathlib import Path

import numpy as np
import pytest

import rocspace as rs
from rocspace._base.words import _PACKAGE, nearest, shown, warn

NAN = float("nan")


@pytest.mark.parametrize(
    "call",
    [
        lambda: rs.tabulate([0, 1, 1], [NAN, 1, 2], missing="omit"),
        lambda: rs.tabulate([0, 1, 2], [3, 1, 2], pos_label=1),
        lambda: rs.tabulate_classes([NAN, 1], [3, 1, 2], missing="omit"),
        lambda: rs.auc_score([0, 1, 0], [NAN, 1, 2], missing="omit"),
        lambda: rs.pair_scores([0, 1, 1], {"a": [NAN, 1, 2]}, missing="omit"),
    ],
    ids=["omit", "labels", "classes", "auc_score", "pairs"],
)
def test_warnings_point_at_the_caller(call):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    assert [w.category for w in caught] == [UserWarning]
    assert [Path(w.filename).name for w in caught] == [Path(__file__).name]
    assert caught[0].lineno == inspect.getsourcelines(call)[1]


def test_a_package_with_a_longer_name_is_a_caller_too():
    code = "def go():\n    warn('here')\n"
    outside = {"warn": warn}
    exec(compile(code, _PACKAGE.rstrip("/\\") + "_plus/user.py", "exec"), outside)
    with pytest.warns(UserWarning, match="here") as caught:
        outside["go"]()
    assert caught[0].filename.endswith("rocspace_plus/user.py")
    assert caught[0].lineno == 2


def test_values_are_quoted_on_one_line():
    assert shown(np.array([[0.5], [0.25]])) == "array([[0.5 ], [0.25]])"
    assert re.fullmatch(r"'x{50,}\.\.\.'", shown("x" * 10_000))  # the quote is closed
    assert shown([rs.delong(rs.tabulate([1, 0], [0.5, 0.25]))]) == "[Estimate(...)]"


@pytest.mark.parametrize(
    ("wanted", "existing", "hint"),
    [
        ("score", ["scores", "label"], " Did you mean 'scores'?"),
        ("modelA", ["model b", "model a"], " Did you mean 'model a'?"),
        ("ABC", ["x", "abc"], " Did you mean 'abc'?"),
        ("status", ["age", "Status (final)"], " Did you mean 'Status (final)'?"),
        ("label", ["age", "sex"], ""),
        ("at", ["a category"], ""),
        ("q", ["scores", "label"], ""),
        ("q", [], ""),
    ],
)
def test_nearest(wanted, existing, hint):
    assert nearest(wanted, existing) == hint
