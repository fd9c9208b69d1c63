"""Which argument is not of the kind that its annotation says."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np
import pytest

import rocspace as rs
from rocspace._base.arrays import ArrayLike
from rocspace._base.calls import explained
from rocspace._base.kinds import KindError, is_ours
from rocspace.combine import Constant, ThresholdRule
from rocspace.costs import Triangle

TABLE = rs.tabulate([0, 1, 0, 1], [1, 2, 3, 4])


class Named(Protocol):
    name: str


@explained
def failing(
    first: ArrayLike = (1,),
    *,
    size: int = 1,
    share: float = 0.5,
    word: Literal["a", "b"] = "a",
    names: Sequence[str] = (),
    shares: Mapping[str, float] | None = None,
    ends: tuple[float, float] = (0, 1),
    named: Named | None = None,
    table: rs.ScoreTable | None = None,
    function: Callable[[int], int] | None = None,
    columns: ArrayLike | Mapping[str, ArrayLike] = (),
    sets: Mapping[str, Sequence[str]] | None = None,
    path: str | Path = "a",
    anything: Any = None,
    flag: bool = False,
) -> float:
    """Fail by an error that is not ours."""
    return 1 / 0


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"first": {"a": 1}}, "takes an array as first, not {'a': 1}."),
        ({"first": [1, "a"]}, "cannot use 'a', which is in first."),
        ({"first": [0.5, None]}, "cannot use None, which is in first."),
        ({"size": 1.5}, "takes a whole number as size, not 1.5."),
        ({"size": True}, "takes a whole number as size, not True."),
        ({"share": "half"}, "takes a number as share, not 'half'."),
        ({"names": "ab"}, "takes a list of texts as names, not 'ab'."),
        ({"names": ["a", 1]}, "takes a list of texts as names, not ['a', 1]."),
        ({"shares": [1]}, "takes a mapping of numbers or None as shares, not [1]."),
        ({"shares": {"a": "b"}}, "takes a mapping of numbers or None as shares"),
        ({"ends": (0, 1, 2)}, "takes 2 values in a tuple as ends, not (0, 1, 2)."),
        ({"named": 3}, "takes a Named or None as named, not 3."),
        ({"table": 3}, "takes a ScoreTable or None as table, not 3."),
        ({"function": 3}, "takes a function or None as function, not 3."),
        ({"names": {"a"}}, "takes a list of texts as names, not {'a'}."),
        (
            {"columns": {"a": np.array([0, [1]], dtype=object)}},
            "cannot use [1], which is in columns['a'].",
        ),
        ({"sets": {"a": np.array(["b"])}}, "takes no ndarray in sets: pass a list, or one value."),
    ],
)
def test_what_is_not_of_its_kind_is_named(given, said):
    with pytest.raises(KindError) as caught:
        failing(**given)
    assert str(caught.value).startswith(f"failing {said}")


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"first": ["a", "b"]},
        {"first": np.arange(3), "size": np.int64(2), "share": np.float32(0.1)},
        {"share": 1, "names": ["a"], "shares": {"a": 1}, "ends": [0.1, 0.2]},
        {"named": failing, "table": TABLE, "function": abs, "anything": object()},
        {"share": 1e-100, "size": 2**40, "columns": {"a": [0, 1]}, "path": Path("a")},
    ],
)
def test_an_error_of_something_else_stays_as_it_is(given, monkeypatch):
    monkeypatch.setattr(failing, "name", "so that it is a Named", raising=False)
    with pytest.raises(ZeroDivisionError, match="division by zero"):
        failing(**given)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"share": 1e-320}, "share is 1e-320, which is too small for failing."),
        ({"share": -1e200}, "share is -1e+200, which is too large for failing."),
        ({"size": 2**70}, f"size is {2**70}, which is too large for failing."),
        ({"first": [0, 2**70]}, f"first has {2**70}, which is too large for failing."),
        ({"first": np.array([[0, 2**70]])}, f"first has {2**70}, which is too large for failing."),
        ({"path": ""}, "path is an empty text, but failing takes the name of a file."),
    ],
)
def test_what_nothing_can_be_computed_of_is_named(given, said):
    with pytest.raises(KindError) as caught:
        failing(**given)
    assert str(caught.value) == said


@explained
def kept(size: int, beside: int = 3) -> int:
    return np.empty(size, dtype="V8").size + beside


@pytest.mark.parametrize("size", [2**45, 2**60, 2**61])
def test_what_no_memory_has_room_for_is_named(size):
    with pytest.raises(KindError, match=f"^size is {size}, which is too large for kept"):
        kept(size)


@pytest.mark.parametrize("flag", [1, "False", None, [True]])
def test_a_flag_is_true_or_false(flag):
    with pytest.raises(ValueError, match=r"flag is .*, but must be True or False"):
        failing(flag=flag)
    with pytest.raises(ZeroDivisionError, match="division by zero"):
        failing(flag=np.True_)


def test_an_inner_call_does_not_hide_the_outer_one():
    @explained
    def outer(*, size: int = 1) -> float:
        return failing(size=size)

    with pytest.raises(KindError, match="outer takes a whole number as size"):
        outer(size="a")


def test_errors_of_this_package_are_told_from_others():
    with pytest.raises(ValueError, match="level") as ours:
        rs.delong(TABLE).interval(2)
    assert is_ours(ours.value)
    with pytest.raises(ZeroDivisionError, match="division by zero") as theirs:
        failing()
    assert not is_ours(theirs.value)


def counted(tp):
    return rs.ConfusionMatrix(tp=tp, fp=1, fn=1, tn=1)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: ThresholdRule(1, 0.5), "ThresholdRule takes a text as name, not 1"),
        (lambda: ThresholdRule("a", [0.5]), r"takes a number as threshold, not \[0\.5\]"),
        (lambda: Triangle(low=0, mode=[1], high=1), r"takes a number as mode, not \[1\]"),
        (lambda: Triangle(low="0", mode=0.5, high=1), "takes a number as low, not '0'"),
        (lambda: counted(tp="1"), "tp is '1', but must be a number"),
        (
            lambda: counted(tp=[1, "2"]),
            "tp is array.* but must be a number, or an array of numbers",
        ),
        (lambda: counted(tp=-1), "tp is -1, but counts are not negative"),
        (
            lambda: counted(tp=np.array([1, -1])),
            r"tp is array\(\[ 1, -1\]\), but counts are not neg",
        ),
    ],
)
def test_values_check_their_fields(make, said):
    with pytest.raises((TypeError, ValueError), match=said) as caught:
        make()
    assert is_ours(caught.value)


def test_constants_are_sound():
    assert Constant(positive=True).positive


@explained
def _of_a_number(share: float, words: Sequence[str] = (), n: int = 1) -> float:
    if words:
        return 1.0
    return float(np.isfinite(share)) + float(n)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: _of_a_number(Fraction(1, 3)), "takes a float as share, not Fraction(1, 3)."),
        (lambda: _of_a_number(Decimal("0.1")), "takes a float as share, not Decimal('0.1')."),
        (lambda: _of_a_number(0.5, n=10**400), "which is too large for _of_a_number."),
        (lambda: _of_a_number(0.5, np.array(["a", "b"])), "takes no ndarray as words: pass a list"),
    ],
)
def test_numbers_that_no_float_is_and_arrays_for_lists_are_named(call, said):
    with pytest.raises(KindError) as caught:
        call()
    assert said in str(caught.value)


def test_a_fraction_that_works_is_left_alone():
    assert rs.evaluate(rs.tabulate([0, 1], [1, 2]), Fraction(3, 2)).tp == 1


def test_families_of_models_may_come_in_an_array():
    table = rs.tabulate([0, 0, 1, 0, 1, 1], [1, 2, 3, 4, 5, 6])
    names = np.array(["binormal", "labroc"])
    found = rs.models.compare_models(table, models=names, n_folds=0)
    assert found.models == ("binormal", "labroc")
