"""What options may be, and what is said of others."""

import re
from decimal import Decimal
from fractions import Fraction
from functools import partial

import numpy as np
import pandas as pd
import pytest

import rocspace as rs
from rocspace._base import checks as _checks
from rocspace._base import synonyms
from rocspace.bands import roc_band
from rocspace.compare import venkatraman_test
from rocspace.designs import posterior
from rocspace.resampling import bayesian_bootstrap

NAN = float("nan")


@pytest.mark.parametrize(
    ("names", "asked", "error", "said"),
    [
        ("abc", (None, None), TypeError, "f compares two scores of a, b, c. Name them, as in"),
        ("abc", ("a", None), TypeError, "as in first='a', second='b'."),
        ("abc", ("a", "d"), ValueError, "There is no score 'd' among a, b, c."),
        ("abc", ("a", "a"), ValueError, "f compares two scores, but both are 'a', of a, b, c."),
        ("a", (None, None), ValueError, "f compares two scores, but here is only a."),
        ("", ("a", "b"), ValueError, "f compares two scores, but here is only none."),
    ],
)
def test_two_names_have_to_be_clear(names, asked, error, said):
    with pytest.raises(error, match=re.escape(said)):
        _checks.two_names("f", tuple(names), *asked)


def test_two_names_need_not_be_said_of_two():
    assert _checks.two_names("f", ("a", "b"), None, None) == ("a", "b")
    assert _checks.two_names("f", ("a", "b"), "b", "a") == ("b", "a")


def test_a_word_that_is_no_choice_names_the_nearest():
    text = r"^missing is 'omitt', but must be one of 'raise', 'omit'. Did you mean 'omit'\?$"
    for call in (
        lambda: rs.tabulate([0, 1], [1, 2], missing="omitt"),
        lambda: rs.tabulate_classes([0, 1], [1, 2], missing="omitt"),
        lambda: rs.pair_scores([0, 1], {"a": [1, 2]}, missing="omitt"),
    ):
        with pytest.raises(ValueError, match=text):
            call()
    with pytest.raises(ValueError, match=r"'omit'\.$"):
        _checks.check_choice("missing", None, ("raise", "omit"))


@pytest.mark.parametrize("threads", [0, -1, 1.5])
@pytest.mark.parametrize("function", [rs.tabulate, rs.auc_score])
def test_threads_are_a_whole_number(function, threads):
    with pytest.raises(ValueError, match=f"^threads is {threads}, but must be a whole number"):
        function([0, 1], [1, 2], threads=threads)


def test_check_fraction():
    assert _checks.check_fraction("f", [0, 0.5, 1]).tolist() == [0, 0.5, 1]
    for bad in (-1e-300, 1 + 2**-52, NAN, [[0.5], [1.5]]):
        with pytest.raises(ValueError, match=r"^f is .*, but must be between 0 and 1\.$"):
            _checks.check_fraction("f", bad)
    for check in (_checks.check_fraction, _checks.check_inside):
        with pytest.raises(ValueError, match=r"^f is 95.*\. 95 percent is 0\.95\.$"):
            check("f", 95)


def test_check_fraction_refuses_what_is_hidden_or_no_number():
    curve = rs.roc_curve(rs.tabulate([0, 1, 0, 1], [1, 2, 3, 4]))
    hidden = np.ma.MaskedArray([0.1, 0.2, 0.3], [True, False, True])
    for read in (curve.tpr_at, curve.fpr_at):
        with pytest.raises(ValueError, match=r"^[ft]pr has 2 masked values, .* Leave them out\.$"):
            read(hidden)
        with pytest.raises(ValueError, match=r"^[ft]pr is 'half', but must be a number between"):
            read("half")
        assert read(np.ma.MaskedArray([0.1, 0.2], [False, False])).shape == (2,)


@pytest.mark.parametrize("name", ["check_inside", "check_positive", "check_not_negative"])
def test_one_number(name):
    check = getattr(_checks, name)
    assert check("f", Fraction(1, 4)) == check("f", Decimal("0.25")) == check("f", np.array(0.25))
    for bad in ("0.1", None, [0.1], np.ma.masked, 1j):
        with pytest.raises(ValueError, match=r"^f is .*, but must be one number\.$"):
            check("f", bad)


def test_numbers_whose_squares_vanish_or_overflow_are_refused():
    for good in (1e-150, 1e150, 2**400):
        assert _checks.check_positive("f", good) == good
    for bad in (1e-320, 1e308, 10**200):
        with pytest.raises(ValueError, match=r"^f is 1.*, whose square does not fit float64\.$"):
            _checks.check_positive("f", bad)


def test_a_level_that_is_zero_to_float64_is_refused():
    assert _checks.check_level(1e-15) == 1e-15
    with pytest.raises(ValueError, match=r"^level is 1e-17, which float64 cannot tell from 0\."):
        _checks.check_level(1e-17)


@pytest.mark.parametrize(
    "make", [partial(rs.bootstrap, statistic="auc"), posterior, bayesian_bootstrap]
)
def test_a_spread_needs_two_draws(make):
    table = rs.tabulate([0, 1, 0, 1], [1, 2, 3, 4])
    with pytest.raises(ValueError, match=r"^n_boot is 1, but must be 2 or more\.$"):
        make(table, n_boot=1)
    found = make(table, n_boot=2, rng=1)
    assert np.isfinite([*found.interval()]).all()


def test_a_level_may_be_an_array_without_dimensions():
    level = np.array(0.9)
    interval = rs.auc_estimate(rs.tabulate([0, 1, 0, 1], [1, 2, 3, 4])).interval(level)
    assert interval.level == 0.9
    assert "level=0.9," in repr(interval)


def test_check_level():
    assert _checks.check_level(np.float32(0.5)) == 0.5
    for bad in (0, 1, 95, -0.1, NAN):
        with pytest.raises(ValueError, match=f"^level is {bad}, but must lie strictly between"):
            _checks.check_level(bad)


@pytest.mark.parametrize("ends", [(0, 0.2 + 1j), (0j, 0.2), np.array([0, 0.2 + 0j])])
def test_a_range_of_complex_numbers_is_refused(ends):
    with pytest.raises(ValueError, match=r"^fpr is .*j.*, but must be a number between 0 and 1"):
        _checks.check_range("fpr", ends)


def test_check_range():
    assert _checks.check_range("fpr", (0, 0.25)) == (0.0, 0.25)
    for bad in ((0.5, 0.5), (0.5, 0.25)):
        with pytest.raises(ValueError, match="its first end must be the smaller one"):
            _checks.check_range("fpr", bad)
    with pytest.raises(ValueError, match=r"fpr is 1\.5"):
        _checks.check_range("fpr", (0, 1.5))
    for bad in (0.1, (), (0.1,), (0, 0.1, 0.2)):
        with pytest.raises(ValueError, match=r"two ends, as in fpr=\(0, 0\.1\)"):
            _checks.check_range("fpr", bad)


def test_work_without_end_or_room_is_refused_before_it_starts(monkeypatch):
    table = rs.tabulate([0, 0, 1, 1], [1, 2, 2, 3])
    data = rs.pair_scores([0, 0, 1, 1], {"a": [1, 2, 2, 3], "b": [2, 1, 3, 3]})
    for refused in (
        lambda: rs.bootstrap(table, "auc", n_boot=10**9),
        lambda: rs.bootstrap(data, "auc", n_boot=10**9),
        lambda: roc_band(table, method="envelope", n_boot=10**9),
        lambda: venkatraman_test(data, "a", "b", n_perm=10**9),
    ):
        with pytest.raises(ValueError, match="is 1,000,000,000, but 100,000,000 is the most"):
            refused()
    monkeypatch.setattr(_checks, "_memory", lambda: 1 << 20)
    with pytest.raises(ValueError, match="n_boot is 1,000,000, whose results would take"):
        rs.bootstrap(table, "auc", n_boot=10**6)


def test_a_value_that_equals_a_name_in_part_is_not_among_names():
    known = ("tpr", "ppv")
    for value in (pd.array([1, None], dtype="Int64"), pd.NA, np.array(["tpr"]), ["tpr"], None):
        assert not _checks.is_among(value, known)
        assert synonyms.understood(value, known) is None
    assert _checks.is_among(np.str_("tpr"), known)
    assert synonyms.understood("recall", known) == "tpr"


def test_rows_are_a_list_of_places():
    assert _checks.check_rows([2, 0, -1], 3).tolist() == [2, 0, -1]
    assert _checks.check_rows([], 3).size == 0
    for wrong in (0, [[0, 1]], [3], [True, False], [0.5]):
        with pytest.raises(IndexError, match="must be whole numbers from 0 to 2"):
            _checks.check_rows(wrong, 3)
