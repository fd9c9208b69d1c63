"""How likely each case was still under observation: by hand, by definition."""

import numpy as np
import pytest

from followed import arguments
from rocspace.designs import (
    auc_over_time,
    survival_scores,
    survival_table,
)
from rocspace.designs.censoring import check_uncensored, observed_at, strata_of


def test_a_censored_case_is_at_risk_after_the_event_of_its_time():
    # Both at 2: the event comes first, so one of three is censored; G(2) = 2/3, G(2-) = 1.
    data = survival_scores([1, 2, 2, 3, 4], [1, 1, 0, 0, 0], [5, 4, 3, 2, 1])
    table = survival_table(data, 2)
    np.testing.assert_allclose(table.pos, [1, 1, 0, 0])
    np.testing.assert_allclose(table.neg, [0, 0, 1.5, 1.5])
    # Just below 2 only the first is a case, and nobody is censored.
    before = survival_table(data, np.nextafter(2, 0))
    assert (before.n_pos, before.n_neg) == (1, 4)


def test_one_stratum_is_no_stratum():
    given = arguments(6)
    one = auc_over_time(survival_scores(**given), 5, "a")
    two = auc_over_time(survival_scores(**{**given, "strata": ["x"] * 50}), 5, "a")
    assert (one.value[0], one.se[0]) == (two.value[0], two.se[0])


def test_a_stratum_that_ends_before_the_time_is_named():
    data = survival_scores(
        [1, 2, 3, 4, 5, 6], [1, 0, 0, 1, 0, 0], [4, 2, 3, 5, 3, 1], strata=list("aaabbb")
    )
    with pytest.raises(ValueError, match=r"stratum 0 .* longer than 3.* used is 2"):
        auc_over_time(data, 4)
    assert auc_over_time(data, 2).value[0] >= 0


# --- by hand ----------------------------------------------------------------------------------


# Censored at 1, 2, 3 and 5. At risk of it are 6, then 4 (the event at 2 is first), 3 and 1, so
# that 5/6, 5/8, 5/12 and 0 are left.
SIX = survival_scores([1, 2, 2, 3, 4, 5], [0, 1, 0, 0, 1, 0], [1, 2, 3, 4, 5, 6])


def test_what_is_left_after_each_time_of_censoring():
    (found,) = strata_of(SIX)
    assert found.time.tolist() == [1, 2, 3, 5]
    assert found.risk.tolist() == [6, 4, 3, 1]
    np.testing.assert_allclose(found.hazard, [1 / 6, 1 / 4, 1 / 3, 1])
    np.testing.assert_allclose(found.kept, [1, 5 / 6, 5 / 8, 5 / 12, 0], atol=1e-15)
    assert found.before.tolist() == [0, 1, 1, 2, 3, 3]
    assert found.own.tolist() == [1, 1, 2, 3, 3, 4]  # its own one too, if it was censored then


def test_those_whose_state_is_known_stand_for_all():
    seen = observed_at(SIX, strata_of(SIX), 3, None)
    np.testing.assert_allclose(seen.factor, [0, 6 / 5, 0, 0, 12 / 5, 12 / 5])
    assert seen.weight.sum() == pytest.approx(6)
    # At 2 itself, the third is censored and no longer known, the fourth still free of it.
    early = observed_at(SIX, strata_of(SIX), 2, None)
    np.testing.assert_allclose(early.factor, [0, 6 / 5, 0, 8 / 5, 8 / 5, 8 / 5])


def test_where_nobody_is_censored_all_count_once():
    data = survival_scores([1, 2, 3], [1, 1, 2], [1, 2, 3], cause=1)
    (found,) = strata_of(data)
    assert found.time.size == 0
    assert found.derivative(np.ones(3), np.zeros(3, dtype=int)).tolist() == [0, 0, 0]
    assert observed_at(data, [found], 2, None).factor.tolist() == [1, 1, 1]


def test_strata_are_estimated_apart():
    time, status = [1, 2, 3, 4, 1, 2, 3, 4], [0, 1, 0, 1, 1, 0, 0, 0]
    site = list("abababab")
    data = survival_scores(time, status, range(8), strata=site, sample_weight=range(1, 9))
    found = strata_of(data)
    for each, name in zip(found, "ab", strict=True):
        rows = [i for i in range(8) if site[i] == name]
        assert sorted(each.rows.tolist()) == rows
        alone = survival_scores(
            np.array(time)[rows], np.array(status)[rows], rows, sample_weight=np.array(rows) + 1.0
        )
        np.testing.assert_allclose(each.kept, strata_of(alone)[0].kept)


# --- slopes -----------------------------------------------------------------------------------


@pytest.mark.parametrize("strata", [0, 2])
def test_a_sum_of_weights_changes_with_the_weight_of_each_case(strata):
    given = arguments(4, 30, strata=strata, weights=True)
    coefficient, step = np.sin(np.arange(30.0)), 1e-6

    def total(weight):
        data = survival_scores(**{**given, "sample_weight": weight})
        seen = observed_at(data, strata_of(data), 5, None)
        return seen.weight @ coefficient, seen.derivative(coefficient)

    w = given["sample_weight"]
    found = total(w)[1]
    for i in range(30):
        move = step * (np.arange(30) == i)
        slope = (total(w + move)[0] - total(w - move)[0]) / 2 / step
        assert found[i] == pytest.approx(slope, abs=1e-7)


# --- given probabilities ----------------------------------------------------------------------


def test_given_probabilities_take_the_place_of_estimated_ones():
    p = np.array([0.5, 0.4, 1, 1, 0.8, 0.25])
    seen = observed_at(SIX, [], 3, p)
    np.testing.assert_allclose(seen.factor, [0, 1 / 0.4, 0, 0, 1 / 0.8, 4])
    coefficient = np.arange(6.0)
    np.testing.assert_allclose(seen.derivative(coefficient), seen.factor * coefficient)
    unknown = np.where(seen.factor > 0, p, 0.0)  # 0 does not matter of those whose state is unknown
    np.testing.assert_array_equal(observed_at(SIX, [], 3, unknown).factor, seen.factor)
    with pytest.raises(ValueError, match="uncensored is 0 at index 4, of a case whose state at 3"):
        observed_at(SIX, [], 3, p * (np.arange(6) != 4))


def test_given_probabilities_are_one_for_each_case_and_time():
    assert check_uncensored(None, 6, 1) is None
    assert check_uncensored(np.ones(6), 6, 1).shape == (6, 1)
    assert check_uncensored(np.ones((6, 2)), 6, 2).shape == (6, 2)
    for wrong, n_times in ((np.ones(6), 2), (np.ones(5), 1), (np.ones((2, 6)), 2)):
        with pytest.raises(ValueError, match="uncensored has the shape"):
            check_uncensored(wrong, 6, n_times)
    with pytest.raises(ValueError, match="uncensored"):
        check_uncensored(np.full(6, 1.5), 6, 1)


def test_a_time_when_nobody_is_left_is_refused():
    with pytest.raises(ValueError, match=r"at is 5, but nobody was .* than 5\. .* be used is 4"):
        observed_at(SIX, strata_of(SIX), 5, None)
