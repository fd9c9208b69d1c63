"""Numbers as text: one text for one value, few digits, and never a wrong one."""

from __future__ import annotations

import json
import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocspace._base import text as words
from rocspace._base.text import shortened


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.92721, "0.927"),
        (0.99996, "0.99996"),
        (0.9999, "0.9999"),
        (1 - 1e-12, ">0.9999999"),
        (1.0, "1"),
        (0.00042, "0.00042"),
        (1e-12, "<0.0000001"),
        (0, "0"),
        (-0.2, "−0.200"),
        (None, "–"),
    ],
)
def test_shares_are_never_rounded_to_certainty(value: float | None, text: str) -> None:
    assert words.share(value) == text


@given(st.floats(0, 1, exclude_min=True, exclude_max=True), st.integers(3, 6))
def test_shares_keep_two_digits_of_the_rest(value: float, decimals: int) -> None:
    text = words.share(value, decimals)
    if text[0] in "<>":
        assert min(value, 1 - value) < 1e-7
    else:
        assert 0 < float(text) < 1
        assert abs(float(text) - value) <= 0.5 * 10**-decimals * (1 + 1e-9)


@given(st.lists(st.floats(allow_nan=False), min_size=2, max_size=8, unique=True), st.booleans())
def test_a_shown_threshold_decides_like_the_true_one(values: list[float], up: bool) -> None:
    ordered = sorted(values, reverse=up)
    shown = []
    for at, following in zip(ordered, [*ordered[1:], -np.inf if up else np.inf], strict=True):
        if not np.isfinite(at):
            continue
        beyond = following if np.isfinite(following) else ("-inf" if following < 0 else "inf")
        text = words.threshold(at, beyond).replace("−", "-")
        shown.append(text)
        value = float(text)
        assert (following < value <= at) if up else (at <= value < following)
    assert len(set(shown)) == len(shown)


def test_other_numbers() -> None:
    assert [words.general(x) for x in (1.5, 23.456, 1234.5, "inf", None, 0)] == [
        *("1.50", "23.5", "1,234", "∞", "–", "0"),
    ]
    assert [words.general(x) for x in (0.1, 0.5, 0.9996, 2.9996, 3.0, 999.7, -12.0)] == [
        *("0.100", "0.500", "1.00", "3.00", "3", "1,000", "−12"),
    ]
    assert [words.count(x) for x in (12345, 12.0, 12.34, 1.234, None)] == [
        *("12,345", "12", "12.3", "1.23", "–"),
    ]
    assert [words.percent(x) for x in (0.2408, 1, 0.0001)] == [
        *("24.1\u202f%", "100\u202f%", "0.01\u202f%"),
    ]
    assert [words.pvalue(x) for x in (0.0, 0.00345, 0.045, 0.5)] == [
        *("<0.0001", "0.0034", "0.045", "0.50"),
    ]
    assert words.distinct([0.1, 0.10000001, "inf", 3]) == ["0.1", "0.10000001", "∞", "3"]


def test_cards_and_the_terminal_write_the_same_digits() -> None:
    assert [words.share(x) for x in (0.5, 0.99999, 1, -0.2, math.nan, -0.0)] == [
        *("0.500", "0.99999", "1", "−0.200", "–", "0"),
    ]
    assert [words.general(x) for x in (1234.5, 0.00001, -math.inf)] == ["1,234", "1.00e-05", "−∞"]
    assert [words.in_ascii(words.either(x)) for x in (-0.2, None, -12.345, math.inf)] == [
        *("-0.200", "-", "-12.3", "inf"),
    ]
    assert words.in_ascii(words.level_text(0.95)) == words.spaced(words.level_text(0.95)) == "95 %"
    assert words.pvalue(1e-9) == "<0.0001"
    assert [words.p_equals(p) for p in (1e-9, 0.03, None)] == ["p <0.0001", "p = 0.030", "p = –"]
    assert [words.decimals_for(x) for x in (0.3, 0.0004, 0, math.inf)] == [3, 4, 3, 3]


def test_intervals_have_the_decimals_that_their_width_is_worth() -> None:
    assert words.interval(0.1, 12) == "0.100 to 12"
    assert words.estimate(0.92721, 0.9243, 0.9301) == ("0.927", "0.924 to 0.930")
    assert words.estimate(0.92721, 0.92719, 0.92724) == ("0.92721", "0.92719 to 0.92724")
    assert words.estimate(None, None, None) == ("–", "")
    assert words.estimate(-0.2, -0.4, 0.01) == ("−0.200", "−0.400 to 0.010")
    assert words.interval(0.9771, 0.99341) == "0.977 to 0.993"
    assert words.interval(0.0043, 0.1) == "0.004 to 0.100"
    assert words.interval(0.971, 0.999967) == "0.97100 to 0.99997"
    assert words.interval(-0.0002, 0.31) == "−0.0002 to 0.3100"
    assert words.interval(0.97, 1) == "0.970 to 1"
    assert words.interval(-1, 0) == "−1 to 0"
    assert words.interval(1e-9, 1 - 1e-12) == "0 to 1"
    assert words.interval(-1 + 1e-9, 0.3) == "−1 to 0.300"
    assert words.interval(1e-9, 2e-9) == "1e-9 to 2e-9"
    assert words.interval(0.97, 0.9999997) == "0.970 to 0.9999997"
    assert words.ratio(0.5556, 0.31, 1.2) == ("0.556", "0.310 to 1.20")
    assert words.ratio(None, 0, "inf") == ("–", "")


@given(st.floats(-1, 1), st.floats(-1, 1))
def test_ends_that_differ_look_different(low: float, high: float) -> None:
    low, high = sorted((low, high))
    texts = words.interval(low, high).split(" to ")
    assert (texts[0] == texts[1]) == (low == high)


@given(st.floats(-1, 1), st.floats(-1, 1))
def test_both_ends_have_one_number_of_decimals(low: float, high: float) -> None:
    low, high = sorted((low, high))
    texts = words.in_ascii(words.interval(low, high)).split(" to ")
    decimals = {len(text.split(".")[1]) for text in texts if "." in text}
    tiny = any(0 < min(abs(x), 1 - abs(x)) < 1e-5 for x in (low, high))
    assert len(decimals) <= 1 or tiny or high - low < 1e-6
    for text, x in zip(texts, (low, high), strict=True):
        if text in ("0", "1", "-1") and float(text) != x:  # no decimal shows it: outside of it
            assert abs(float(text) - x) < 1e-7
            assert float(text) == (math.floor if x == low else math.ceil)(x)
            assert high - low > 0.01


def test_tests_and_differences_are_named() -> None:
    assert words.difference_name("a", "b") == "a minus b"
    assert [words.adjusted(way) for way in ("none", "holm")] == ["p", "p, Holm"]
    assert words.adjustment_note("none", 0.95) == ""
    assert "(Holm); the 90\u202f% intervals are not" in words.adjustment_note("holm", 0.9)
    assert words.joint_distribution(6, 2, 40.04) == "F 3 with 2 and 40.0 degrees of freedom, "
    assert words.joint_distribution(6, 2, None) == "chi-square 6 with 2 degrees of freedom, "
    assert words.joint_distribution(6, None, None) == ""


# --- thresholds -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "beyond", "text"),
    [
        (3.8, 3.7, "3.8"),  # the double is a little less than 3.8
        (0.7, 0.699, "0.7"),
        (np.float32(0.3), np.float32(0.2999), "0.3"),
        (0.855742, 0.81, "0.85"),
        (0.0003, -5, "0"),
        (65, 58, "65"),
        (2**60 + 1, 2**60, "1152921504606846977"),
        (65.5, 58, "65"),
        (1234.5, -math.inf, "1234"),
        (1e300, "-inf", "1e+300"),
        (-0.2, -0.25, "−0.2"),
        (0.1, 0.13, "0.1"),  # lower scores are more positive
        (0.111, 0.13, "0.12"),
        ("inf", 0.9, "∞"),
        ("-inf", 0.9, "−∞"),
    ],
)
def test_thresholds(value: Any, beyond: Any, text: str) -> None:
    if isinstance(value, np.generic):
        value, beyond = value.item(), beyond.item()
    assert words.threshold(value, beyond) == text


@given(st.lists(st.decimals(-1000, 1000, places=4), min_size=2, max_size=2, unique=True))
def test_no_number_with_fewer_decimals_decides_alike(values: list[Decimal]) -> None:
    at, beyond = map(float, values)
    text = words.threshold(at, beyond).replace("−", "-")
    assert float(text) == words.short_threshold(at, beyond)
    places = len(text.partition(".")[2])
    for fewer in range(places):
        unit = Decimal(1).scaleb(-fewer)
        near = [values[0].quantize(unit, way) for way in (ROUND_FLOOR, ROUND_CEILING)]
        assert not [x for x in map(float, near) if beyond < x <= at or at <= x < beyond]


@given(st.lists(st.floats(width=32, allow_nan=False), min_size=2, max_size=2, unique=True))
def test_single_scores_are_decided_alike_in_single_precision(values: list[float]) -> None:
    at, beyond = values
    short = np.float32(words.short_threshold(at, beyond))
    assert beyond < short <= at if at > beyond else at <= short < beyond


@given(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=2, max_size=2, unique=True))
def test_whole_scores_are_shown_whole(values: list[int]) -> None:
    assert words.threshold(*values).replace("−", "-") == str(values[0])


def test_a_column_of_shares_has_equal_decimals():
    assert words.shares([0, 0.5, 0.9946, 1]) == ["0.0000", "0.5000", "0.9946", "1.0000"]
    assert words.shares([0.25, -0.1]) == ["0.250", f"{words.MINUS}0.100"]
    assert words.shares([None, 0.25]) == [words.NOTHING, "0.250"]
    assert words.shares([0, 1]) == ["0", "1"]
    assert words.shares([]) == []


def test_a_note_leaves_out_what_the_printed_p_shows():
    assert words.shown_note("") == ""
    assert words.shown_note("no variance") == "no variance"
    assert words.shown_note(words.AT_MOST) == ""
    assert words.shown_note(f"no variance; {words.AT_MOST}") == "no variance"
    joint = {"statistic": 9.0, "df": math.nan, "df_denominator": math.nan, "pvalue": 4e-12}
    assert words.joint_test((joint | {"note": words.AT_MOST}).__getitem__) == "p <0.0001"
    assert words.joint_test((joint | {"note": "odd"}).__getitem__) == "p <0.0001 (odd)"


def test_shortened_names_still_differ():
    assert shortened(["short", "also short"]) == ["short", "also short"]
    assert shortened(["x" * 20 + "y" * 20]) == ["x" * 11 + "…" + "y" * 12]
    names = [f"boosting with {n} trees, calibrated by isotonic regression" for n in range(12)]
    for most in (24, 14):
        short = shortened(names, most)
        assert len(set(short)) == 12
        assert max(map(len, short)) <= most + 1
    tricky = ["a" * 50 + "1" + "b" * 50, "a" * 50 + "2" + "b" * 50, "a" * 50 + "1" + "b" * 49]
    assert len(set(shortened(tricky, 12))) == 3
    assert shortened([r"\$" * 30]) == [r"\$" * 30]


def test_numbers_in_a_file_are_those_of_json() -> None:
    text = words.json_text({"größe": [1, None]})
    assert text.endswith("}\n")
    assert "größe" in text
    assert json.loads(text) == {"größe": [1, None]}
    assert words.json_line([1, "größe"]) == '[1, "größe"]\n'
    with pytest.raises(ValueError, match="JSON"):
        words.json_text({"a": float("nan")})
