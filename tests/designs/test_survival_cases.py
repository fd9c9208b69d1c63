"""Times, what ended them, and scores of the same cases: the checked data."""

import re

import numpy as np
import pytest

from rocspace.designs import (
    auc_over_time,
    survival_scores,
)
from rocspace.designs.survival_cases import check_horizons, check_survival

# Six cases. Nobody is censored before 2; then one of the five still there is, so G(2) = 4/5.
SIX = survival_scores([1, 2, 3, 4, 5, 6], [1, 0, 1, 0, 1, 0], [4, 2, 3, 5, 3, 1])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"time": [-1, 2, 3]}, "time is -1 at index 0"),
        ({"time": [1, 2, np.inf]}, "time is inf at index 2"),
        ({"time": ["a", "b", "c"]}, "Times are numbers"),
        ({"status": [1, 2, 1]}, "pass status - 1"),
        ({"status": [1, 0.5, 1]}, r"status is 0.5 at index 1"),
        ({"status": [1, -1, 1]}, r"status is -1 at index 1"),
        ({"status": ["dead", "alive", "dead"]}, "'alive', 'dead'"),
        ({"status": [0, 0, 0]}, "Nobody has the event of interest"),
        ({"status": [1, 0, 0], "cause": 2}, "status is never 2"),
        ({"status": [1, 0], "cause": 1}, "Lengths differ"),
        ({"cause": 0}, "cause is 0"),
        ({"sample_weight": [1, -1, 1]}, "negative"),
        ({"time": [1, np.nan, 3]}, "1 missing value"),
    ],
)
def test_first_mistakes_of_data(change, words):
    with pytest.raises((ValueError, TypeError), match=words):
        survival_scores(**{"time": [1, 2, 3], "status": [1, 0, 1], "y_scores": [3, 1, 2]} | change)


def test_a_status_with_too_many_values_is_not_one():
    with pytest.raises(ValueError, match="Is it a time"):
        survival_scores(np.arange(40), np.arange(40), np.arange(40))


@pytest.mark.parametrize(
    ("at", "words"),
    [
        (6, "The largest time that can be used is 5"),
        (0.5, "The first has it at 1"),
        (-1, "zero or more"),
        ([3, 2], "the earliest first"),
        ("x", "must be a time"),
        ([], "must be a time"),
    ],
)
def test_first_mistakes_of_times(at, words):
    with pytest.raises(ValueError, match=words):
        auc_over_time(SIX, at)


DATA = survival_scores(
    [4, 0, 7, 2, 9],
    [1, 0, 2, 1, 3],
    {"a": [1, 2, 3, 4, 5], "b": [9, 8, 7, 6, 5]},
    strata=list("yxyxy"),
    higher_is_positive={"b": False},
)


def test_cases_are_counted_by_what_ended_them():
    assert repr(DATA) == "SurvivalScores(a, b: 5 cases, 2 events, 2 competing events, 1 censored)"
    assert DATA.failed.tolist() == [True, False, False, True, False]
    other = survival_scores([1, 2, 3], [1, 2, 2], [1, 2, 3], cause=2)
    assert other.failed.tolist() == [False, True, True]
    assert repr(other) == "SurvivalScores(score: 3 cases, 2 events, 1 competing event, 0 censored)"


def test_scores_are_found_by_name_with_their_direction():
    assert DATA.column("b").tolist() == [9, 8, 7, 6, 5]
    assert (DATA.rises("a"), DATA.rises("b")) == (True, False)
    for of in (DATA.name_of, DATA.column, DATA.rises):
        with pytest.raises(ValueError, match="several scores: 'a', 'b'"):
            of()
        with pytest.raises(ValueError, match="no score 'c' among a, b"):
            of("c")
    assert list(DATA.to_frame()) == ["time", "status", "a", "b", "stratum"]


def test_strata_are_numbered_in_the_order_of_their_names():
    assert DATA.stratum.tolist() == [1, 0, 1, 0, 1]


def test_cases_without_weight_are_not_there():
    data = survival_scores([1, 2, 3], [1, 1, 0], [5, 6, 7], sample_weight=[0, 2, 0.5])
    assert (data.time.tolist(), data.case_weight.tolist()) == ([2, 3], [2, 0.5])
    assert DATA.case_weight.tolist() == [1] * 5
    with pytest.raises(ValueError, match="sample_weight is zero for every case"):
        survival_scores([1, 2], [1, 0], [1, 2], sample_weight=[0, 0])


def test_cases_that_lack_a_value_can_be_left_out():
    with pytest.warns(UserWarning, match="1 of 3 cases omitted"):
        data = survival_scores([1, np.nan, 3], [1, 1, 0], [5, 6, 7], missing="omit")
    assert data.time.tolist() == [1, 3]
    with (
        pytest.warns(UserWarning, match="2 of 2 cases omitted"),
        pytest.raises(ValueError, match="time has no cases"),
    ):
        survival_scores([np.nan, 1], [1, np.nan], [5, 6], missing="omit")


def test_a_status_of_truth_values_is_that_of_0_and_1():
    data = survival_scores([1, 2], [True, False], [1, 2])
    assert data.status.tolist() == [1, 0]
    named = survival_scores([1, 2], [1, 2], [1, 2], cause=1)
    assert named.failed.tolist() == [True, False]


def test_times_that_are_asked_for_rise():
    assert check_horizons(3).tolist() == [3]
    assert check_horizons([0, 1.5]).tolist() == [0, 1.5]
    assert check_horizons([1, 1.25, 3]).tolist() == [1, 1.25, 3]
    for wrong in ([1, 1], [2, 1], [-0.1], [np.nan], [np.inf], [], [[1, 2]], "soon"):
        with pytest.raises(ValueError, match="at is"):
            check_horizons(wrong)


def test_only_these_data_are_taken():
    check_survival("auc_over_time", DATA)
    with pytest.raises(TypeError, match=r"auc_over_time takes .*, not a list"):
        check_survival("auc_over_time", [1, 2])


@pytest.mark.parametrize(
    ("status", "hint"),
    [
        (["dead", "alive"], "Which is the event? Say so, as in [{'alive': 0, 'dead': 1}[x] for x "),
        (["no", "yes"], "Which is the event? Say so, as in [{'no': 0, 'yes': 1}[x] for x in"),
        (["a", "b"], "Which is the event? Say so, as in [{'a': 0, 'b': 1}[x] for x in status]."),
        (["0", "1"], "These are texts: pass numpy.asarray(status).astype(int)."),
        (["a", "b", "c"], "Say which is which, as in [{'alive': 0, 'dead': 1}[x] for x in"),
    ],
)
def test_a_status_of_words_is_told_what_to_write(status, hint):
    values = ", ".join(map(repr, sorted(status)))
    codes = "but must be whole numbers: 0 is censored, 1 the event"
    with pytest.raises(ValueError, match=re.escape(hint)) as caught:
        survival_scores(range(1, len(status) + 1), status, range(len(status)))
    assert str(caught.value).startswith(f"status holds {values}, {codes}")


def test_the_line_for_a_status_of_words_works():
    status = ["dead", "alive"]
    with pytest.raises(ValueError, match="status holds") as caught:
        survival_scores([3, 5], status, [2.0, 1.0])
    line = str(caught.value).partition("as in ")[2].removesuffix(".")
    coded = [{"alive": 0, "dead": 1}[x] for x in status]
    assert line == "[{'alive': 0, 'dead': 1}[x] for x in status]"
    assert survival_scores([3, 5], coded, [2.0, 1.0]).status.tolist() == [1, 0]
    texts = ["1", "0"]
    assert np.asarray(texts).astype(int).tolist() == [1, 0]


def test_times_are_not_complex():
    with pytest.raises(ValueError, match=r"at is \(1\+1j\), but must be a time, or several"):
        check_horizons(1 + 1j)
