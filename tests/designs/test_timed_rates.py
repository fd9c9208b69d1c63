"""Rates of a threshold at a time: by hand, and where they are 0 or 1."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import multinomial

from followed import arguments
from rocspace.designs import (
    net_benefit_over_time,
    rates_at_time,
    survival_scores,
)
from slow.designs import slow_se

# Six cases. Nobody is censored before 2; then one of the five still there is, so G(2) = 4/5.
SIX = survival_scores([1, 2, 3, 4, 5, 6], [1, 0, 1, 0, 1, 0], [4, 2, 3, 5, 3, 1])


def test_rates_by_hand():
    # From 4 on: of the weight 9/4 of the cases 1, of the weight 15/4 of the controls 5/4.
    found = rates_at_time(SIX, 3, 4)
    assert found.tpr.value == pytest.approx(4 / 9)
    assert found.fpr.value == pytest.approx(1 / 3)
    assert found.ppv.value == pytest.approx(1 / (1 + 5 / 4))
    assert found.npv.value == pytest.approx((10 / 4) / (10 / 4 + 5 / 4))
    assert found.risk.value == pytest.approx((9 / 4) / 6)
    benefit = net_benefit_over_time(SIX, 3, 0.2, threshold=4)
    assert benefit.value[0] == pytest.approx((1 - 5 / 4 / 4) / 6)


def test_rates_are_moderated_by_the_variance_of_a_proportion_of_effective_cases():
    # The cases weigh 1 and 5/4, which is (9/4)^2 / (1 + 25/16) = 81/41 effective ones.
    found = rates_at_time(SIX, 3, 4)
    assert found.tpr.model_se == pytest.approx((4 / 9 * 5 / 9 * 41 / 81) ** 0.5)
    # Heavy controls of one kind hardly vary: of five known at 3 the three of one centre, of whom
    # most were censored, are not called.
    time, status = [1] * 4 + [2] * 12 + [4] * 15, [1] * 4 + [0] * 12 + [0] * 15
    score, strata = [9] * 4 + [1] * 12 + [1] * 3 + [9] * 3 + [1] * 9, [0] * 2 + [1] * 2 + [1] * 12
    strata += [1] * 3 + [0] * 12
    rate = rates_at_time(survival_scores(time, status, score, strata=strata), 3, 5).fpr
    assert rate.model_se > 1.5 * rate.se
    assert rate.interval().width > 1.1 * replace(rate, model_se=0).interval().width


def test_rates_of_one_allow_for_the_heaviest_case_that_was_not_seen():
    # Four events at 1, all called; of six others four are censored at 2, so that each of the two
    # known at 3 weighs 1 / (1 - 4 / 6) = 3: a called case without the event would, too.
    time, status = [1] * 4 + [2] * 4 + [4] * 2, [1] * 4 + [0] * 6
    found = rates_at_time(survival_scores(time, status, [9] * 4 + [1] * 6), 3, 5)
    effective = {"tpr": 4, "ppv": 4 / 3, "npv": 6 / 3}  # total weight / weight of such a case
    for name, n in effective.items():
        each = getattr(found, name)
        assert (each.value, each.interval().high) == (1, 1)
        assert each.interval().low == pytest.approx(0.025 ** (1 / n))


def test_rates_of_one_of_cases_that_stand_for_several():
    # Four events at 1, each of which stands for two cases: eight cases by frequency, four cases of
    # weight 2 by importance.
    data = survival_scores([1] * 4 + [4] * 2, [1] * 4 + [0] * 2, [9] * 4 + [1] * 2)
    data = replace(data, weight=np.array([2.0] * 4 + [1.0] * 2))
    for weight_type, n in (("frequency", 8), ("importance", 4)):
        found = rates_at_time(data, 3, 5, weight_type=weight_type).tpr
        assert (found.value, found.interval().high) == (1, 1)
        assert found.interval().low == pytest.approx(0.025 ** (1 / n))


def test_one_event_has_a_rate():
    data = survival_scores([1, 4, 4, 4], [1, 0, 0, 0], [9, 1, 2, 3])
    assert rates_at_time(data, 3, 5).tpr.value == 1
    assert rates_at_time(data, 3, 5).ppv.value == 1


# Four kinds of cases, nobody censored before 3: the events by 3 are the first two, the third has
# another event.
OTHER = survival_scores([1, 2, 3, 4, 5, 6], [1, 1, 2, 0, 1, 0], [6, 1, 5, 4, 2, 3])


def test_a_competing_event_is_no_event_but_known():
    found = rates_at_time(OTHER, 3, 4)
    assert found.tpr.value == pytest.approx(1 / 2)  # 6 of 6 and 1
    assert found.fpr.value == pytest.approx(2 / 4)  # 5 and 4 of 5, 4, 2 and 3
    free = rates_at_time(OTHER, 3, 4, controls="event-free")
    assert free.fpr.value == pytest.approx(1 / 3)  # 4 of 4, 2 and 3
    assert found.ppv.value == free.ppv.value == pytest.approx(1 / 3)  # 6 of 6, 5 and 4
    assert found.npv.value == pytest.approx(2 / 3)
    assert found.called.value == pytest.approx(3 / 6)
    assert found.risk.value == pytest.approx(2 / 6)
    benefit = net_benefit_over_time(OTHER, 3, 0.25, threshold=4)
    assert benefit.value[0] == pytest.approx((1 - 2 / 3) / 6)
    assert benefit.estimates[0].range == (-1 / 3, 1.0)


def test_a_score_may_fall_with_the_risk():
    turned = survival_scores(OTHER.time, OTHER.status, -OTHER.column(), higher_is_positive=False)
    one, two = rates_at_time(OTHER, 3, 4), rates_at_time(turned, 3, -4)
    for name in ("tpr", "fpr", "ppv", "npv", "called"):
        assert getattr(one, name).value == getattr(two, name).value
        assert getattr(one, name).se == getattr(two, name).se


def test_where_nobody_or_everybody_is_called_a_value_is_missing():
    none, every = rates_at_time(OTHER, 3, 7), rates_at_time(OTHER, 3, 1)
    assert none.ppv is None
    assert every.npv is None
    assert none.npv.value == pytest.approx(4 / 6)
    assert every.ppv.value == pytest.approx(2 / 6)
    assert list(none.to_frame()["quantity"]) == ["tpr", "fpr", "npv", "risk", "called"]


@pytest.mark.parametrize("name", ["tpr", "fpr", "ppv", "npv", "risk", "called", "benefit"])
def test_standard_errors_are_those_of_slopes(name):
    given = arguments(5, 30, causes=2, weights=True)
    w = given["sample_weight"]

    def read(weight, **how):
        data = survival_scores(**{**given, "sample_weight": weight})
        if name == "benefit":
            return net_benefit_over_time(data, 6, 0.3, "a", threshold=3, **how).estimates[0]
        return getattr(rates_at_time(data, 6, 3, "a", **how), name)

    found = read(w, weight_type="frequency")
    assert found.se == pytest.approx(slow_se(lambda v: read(v).value, w), rel=1e-6)


def test_a_net_benefit_allows_for_a_called_case_without_the_event():
    # Nobody is censored, and one false positive costs nine true ones. Summed over all numbers of
    # called cases with and without the event; often there are none of the latter.
    n, chances, odds = 30, (0.12, 0.01), 9
    truth, covered = chances[0] - odds * chances[1], 0.0
    for a in range(12):
        for b in range(4):
            rest = n - a - b
            time = [1] * a + [3] * b + [1] + [3] * (rest - 1)
            data = survival_scores(time, [1] * n, [9] * (a + b) + [1] * rest)
            (found,) = net_benefit_over_time(data, 2, 0.9, threshold=5).estimates
            low, high = found.interval()
            assert -odds <= low < found.value < high <= 1
            chance = multinomial.pmf([a, b, rest], n, [*chances, 1 - sum(chances)])
            covered += chance * (low <= truth <= high)
    assert covered > 0.95


def test_thresholds_are_numbers():
    for wrong in ("4", [4], None):
        with pytest.raises((ValueError, TypeError), match="threshold"):
            rates_at_time(OTHER, 3, wrong)
    with pytest.raises(ValueError, match="risk is 0"):
        net_benefit_over_time(OTHER, 3, 0)
