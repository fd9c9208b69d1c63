"""Incident cases and dynamic controls: by hand, by definition."""

from fractions import Fraction

import numpy as np
import pytest

from followed import drawn
from rocspace.designs import (
    incident_auc_over_time,
    integrated_auc_estimate,
    survival_scores,
)
from slow.designs import slow_incident, slow_integrated, slow_se

# Events at 1, 3 and 4. The case at 1 beats all four others, that at 3 one of two, that at 4 the
# last. Free of the event after 1, 3 and 4 are 4/5, 8/15 and 4/15, so that f(t) S(t) is
# 1/5 * 4/5 = 36/225, 4/15 * 8/15 = 32/225 and 4/15 * 4/15 = 16/225.
FIVE = survival_scores([1, 2, 3, 4, 5], [1, 0, 1, 1, 0], [9, 4, 5, 7, 1])
EIGHT = survival_scores(range(1, 9), [1, 1, 0, 1, 0, 1, 0, 0], [7, 4, 6, 8, 1, 5, 2, 3])


# --- by hand ----------------------------------------------------------------------------------


def test_the_mean_over_time_by_hand():
    assert integrated_auc_estimate(FIVE).value == pytest.approx((36 + 16 + 16) / (36 + 32 + 16))


def test_an_event_at_the_last_time_is_not_before_it():
    assert integrated_auc_estimate(FIVE, until=4).value == pytest.approx((36 + 16) / (36 + 32))


def test_a_last_event_has_nobody_to_be_compared_with():
    # S is 0 after the last of three events, so that its time has no weight: 2/9 and 1/9 remain.
    data = survival_scores([1, 2, 3], [1, 1, 1], [1, 3, 2])
    found = integrated_auc_estimate(data)
    assert found.value == pytest.approx((2 * 0 + 1 * 1) / 3)
    assert found.n_pairs == pytest.approx(3**2 / (2**2 + 1**2))


def test_the_curve_by_hand():
    # Around 3, up to 3 away: events at 1, 2 and 4, with weights 1 - (2/3)^2, 1 - (1/3)^2 twice;
    # the event at 6 is exactly 3 away. They beat 6 of 7, 3 of 6 and 4 of 4. A line through
    # the three by weighted least squares, at 3.
    rows = [(5, -2, Fraction(6, 7)), (8, -1, Fraction(3, 6)), (8, 1, Fraction(4, 4))]
    s0, s1, s2 = (sum(w * x**k for w, x, _ in rows) for k in range(3))
    t0, t1 = (sum(w * x**k * y for w, x, y in rows) for k in range(2))
    found = incident_auc_over_time(EIGHT, 3, bandwidth=3)
    assert found.value[0] == pytest.approx(float((s2 * t0 - s1 * t1) / (s0 * s2 - s1**2)))
    assert (found.cases.tolist(), found.controls.tolist()) == ([3], [2])  # 7 and 8 are beyond 6


def test_areas_that_fall_along_a_line_are_that_line():
    # Of four cases the first beats all three others; then one of two, then none of one: the shares
    # 1, 1/2 and 0 at 1, 2 and 3 are on a line, whatever the weights.
    data = survival_scores([1, 2, 3, 4], [1, 1, 1, 0], [4, 2, 1, 3])
    found = incident_auc_over_time(data, [1, 2.5], bandwidth=5)
    np.testing.assert_allclose(found.value, [1, 0.25], rtol=1e-12)


def test_a_line_that_leads_beyond_1_is_cut_there():
    # The shares 1/2 at 2 and 1 at 3 lead to 3/2 at 4.
    data = survival_scores([1, 2, 3, 4], [0, 1, 1, 0], [4, 2, 3, 1])
    (found,) = incident_auc_over_time(data, 4, bandwidth=5).estimates
    assert found.value == 1
    assert 0 <= found.interval().low < found.interval().high == 1


# --- by definition ----------------------------------------------------------------------------


READINGS = {
    "integrated": (integrated_auc_estimate, slow_integrated),
    "integrated until 7": (
        lambda d, name, **how: integrated_auc_estimate(d, name, until=7, **how),
        lambda d: slow_integrated(d, 7),
    ),
    "incident": (
        lambda d, name, **how: incident_auc_over_time(d, 5, name, bandwidth=4, **how).estimates[0],
        lambda d: slow_incident(d, 5, 4),
    ),
}


@pytest.mark.parametrize("name", READINGS)
def test_values_and_standard_errors_by_definition(name):
    fast, slow = READINGS[name]
    w = np.random.default_rng(3).integers(1, 4, 24).astype(float)

    def given(weight):
        return drawn(n=24, weight=weight)

    found = fast(given(w), "a", weight_type="frequency")
    assert found.value == pytest.approx(slow(given(w)), rel=1e-12)
    if name != "incident":  # whose standard error knows of leverage
        se = slow_se(lambda v: fast(given(v), "a").value, w)
        assert found.se == pytest.approx(se, rel=1e-6)


def test_an_event_adds_how_far_the_line_moves_without_it():
    # Events left out of the line, but not of those at risk; what is left is by slopes.
    data, at, width, n = drawn(n=24), 5.0, 4.0, 24
    found = incident_auc_over_time(data, at, "a", bandwidth=width).estimates[0]
    time, score = data.time, data.column("a")
    later = time[None, :] + (data.status == 0)[None, :] / 2 > time[:, None]
    share = np.full(n, np.nan)
    for i in np.flatnonzero(data.failed & later.any(axis=1)):
        others = score[later[i]]
        share[i] = np.mean((score[i] > others) + (score[i] == others) / 2)
    near = np.flatnonzero(~np.isnan(share) & (np.abs(time - at) < width))

    def line(kept, weight):
        kernel = weight[kept] * (1 - ((time[kept] - at) / width) ** 2)
        return np.polyfit(time[kept] - at, share[kept], 1, w=np.sqrt(kernel))[1]

    ones, step = np.ones(n), 1e-5
    slopes = np.array(
        [
            incident_auc_over_time(
                drawn(n=24, weight=ones + step * (np.arange(n) == i)), at, "a", bandwidth=width
            ).value[0]
            - incident_auc_over_time(
                drawn(n=24, weight=ones - step * (np.arange(n) == i)), at, "a", bandwidth=width
            ).value[0]
            for i in range(n)
        ]
    ) / (2 * step)
    for i in near:
        more, less = (ones + sign * step * (np.arange(n) == i) for sign in (1, -1))
        slopes[i] -= (line(near, more) - line(near, less)) / (2 * step)
        slopes[i] += line(near, ones) - line(near[near != i], ones)
    assert found.value == pytest.approx(line(near, ones))
    assert found.se == pytest.approx(np.sqrt(n / (n - 1) * (slopes @ slopes)), rel=1e-6)


@pytest.mark.parametrize("name", READINGS)
def test_a_reversed_score_has_the_area_that_is_left(name):
    data = drawn(n=40)
    turned = survival_scores(data.time, data.status, {"a": -data.column("a")}, cause=1)
    one, two = (READINGS[name][0](each, "a") for each in (data, turned))
    assert one.value + two.value == pytest.approx(1)
    assert one.se == pytest.approx(two.se)


# --- what cannot be asked ---------------------------------------------------------------------


def test_other_concordances_know_no_strata_of_censoring():
    data = drawn(n=24, strata=np.arange(24) % 3)
    for call in (
        lambda: integrated_auc_estimate(data, "a"),
        lambda: incident_auc_over_time(data, 5, "a", bandwidth=4),
    ):
        with pytest.raises(ValueError, match="without strata of censoring"):
            call()


def test_first_mistakes():
    last = survival_scores([1, 2], [0, 1], [1, 2])
    with pytest.raises(ValueError, match="nobody is at risk after"):
        integrated_auc_estimate(last)
    with pytest.raises(ValueError, match="the first event is at"):
        integrated_auc_estimate(drawn(), "a", until=0.5)
    with pytest.raises(ValueError, match="bandwidth is 0, but must be a positive number"):
        incident_auc_over_time(EIGHT, 3, bandwidth=0)
    with pytest.raises(ValueError, match="within which of 3 there are fewer than two times"):
        incident_auc_over_time(EIGHT, 3, bandwidth=1)
