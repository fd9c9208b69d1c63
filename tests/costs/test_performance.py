"""Expected performance curves: by hand, by search over all thresholds, and what must hold."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import rocspace as rs
from rocspace.costs import expected_performance
from rocspace.inference import rate_interval
from rocspace.operating import cost_interval
from slow.data import samples

SHARES = st.integers(0, 20).map(lambda k: k / 20)


def test_by_hand():
    chosen_on = rs.tabulate([0, 1, 0, 1], [1, 2, 3, 4])
    judged_on = rs.tabulate([0, 0, 1, 1, 1], [1, 5, 2, 3, 4])
    curve = expected_performance(chosen_on, judged_on, share=[0.0, 0.4, 0.6, 1.0])
    # Misses alone count: call all. Then 4 or 2 (fpr 1/2, fnr 0) against 4 (0, 1/2); alarms: none.
    assert curve.threshold.tolist() == [2, 2, 4, np.inf]
    assert curve.fpr.tolist() == [0.5, 0.5, 0.5, 0]
    assert curve.fnr.tolist() == pytest.approx([0, 0, 2 / 3, 1])
    assert curve.apparent.tolist() == pytest.approx([0, 0.2, 0.2, 0])
    assert curve.loss.tolist() == pytest.approx([0, 0.2, 0.3 + 0.4 * 2 / 3, 0])
    assert curve.half_total_error.tolist() == pytest.approx([0.25, 0.25, 7 / 12, 0.5])
    point = curve.at_share([0.5, 0.6])
    assert point.loss == pytest.approx([0.25, 0.3 + 0.8 / 3])
    assert point.half_total_error == pytest.approx([0.25, 7 / 12])
    assert len(curve) == 4


@settings(max_examples=60)
@given(one=samples(), two=samples(), share=SHARES)
def test_the_threshold_is_the_best_of_all_on_the_choosing_cases(one, two, share):
    chosen_on, judged_on = rs.tabulate(*one), rs.tabulate(*two)
    found = expected_performance(chosen_on, judged_on, share=[share])
    curve = rs.roc_curve(chosen_on)
    loss = share * curve.fpr + (1 - share) * curve.fnr
    best = np.flatnonzero(np.isclose(loss, loss.min(), rtol=0, atol=1e-12))
    assert found.apparent[0] == pytest.approx(loss.min(), abs=1e-12)
    assert found.threshold[0] in curve.threshold[best]
    label, score = map(np.asarray, two)
    called = score >= found.threshold[0]
    assert found.fpr[0] == pytest.approx(called[~label].mean())
    assert found.fnr[0] == pytest.approx((~called[label]).mean())
    # In hindsight, on its own cases, the choice is never worse.
    own = expected_performance(judged_on, judged_on, share=[share])
    assert own.loss[0] <= found.loss[0] + 1e-12
    assert own.loss[0] == pytest.approx(own.apparent[0], abs=1e-12)


def test_the_interval_adds_the_squares_of_exact_limits():
    rng = np.random.default_rng(1)
    y = np.arange(60) % 2
    curve = expected_performance(*(rs.tabulate(y, y + rng.normal(size=60)) for _ in range(2)))
    band = curve.interval(0.9)
    i = 40
    fnr, fpr = (rate_interval(30 * rate[i], 30, level=0.9) for rate in (curve.fnr, curve.fpr))
    middle = (curve.fnr[i] + curve.fpr[i]) / 2
    down = np.hypot(curve.fnr[i] - fnr.low, curve.fpr[i] - fpr.low)
    up = np.hypot(fnr.high - curve.fnr[i], fpr.high - curve.fpr[i])
    assert band.low[i] == pytest.approx(middle - down / 2)
    assert band.high[i] == pytest.approx(middle + up / 2)
    assert (band.low <= curve.half_total_error).all()
    assert (curve.half_total_error <= band.high).all()


def test_the_interval_is_that_of_the_cost_of_both_errors():
    chosen_on = rs.tabulate([0, 1, 0, 1], [1, 2, 3, 4])
    judged_on = rs.tabulate([0, 0, 1, 1, 1], [1, 5, 2, 3, 4])
    band = expected_performance(chosen_on, judged_on, share=[0.6]).interval(0.9)
    point = rs.point_at(judged_on, 4)
    half = cost_interval(point, rs.operating.Costs(fp=1, fn=1), prevalence=0.5, level=0.9)
    assert (band.low[0], band.high[0]) == pytest.approx(tuple(half))


@pytest.mark.parametrize(("fnr", "fpr"), [(0.005, 0.02), (0.05, 0.1), (0.1, 0.1)])
def test_the_interval_covers_of_few_cases(fnr, fpr):
    # Newcombe's interval, which it was, covers in 88.2, 90 and 93.9 percent of samples of 5 + 5.
    chosen_on = rs.ScoreTable.from_counts([1, 0], [9, 1], [1, 9])
    covered = 0.0
    for fn, fp in product(range(6), range(6)):
        judged_on = rs.ScoreTable.from_counts([1, 0], [5 - fn, fn], [fp, 5 - fp])
        band = expected_performance(chosen_on, judged_on, share=[0.5]).interval()
        chance = stats.binom.pmf(fn, 5, fnr) * stats.binom.pmf(fp, 5, fpr)
        covered += chance * (band.low[0] <= (fnr + fpr) / 2 <= band.high[0])
    assert covered > 0.935


def test_bad_input():
    table = rs.tabulate([0, 1], [1, 2])
    with pytest.raises(rs.SingleClassError, match="expected_performance"):
        expected_performance(table, rs.tabulate([1, 1], [1, 2]))
    with pytest.raises(ValueError, match=r"share is 2.0, but must be between 0 and 1"):
        expected_performance(table, table, share=[2.0])
    with pytest.raises(ValueError, match="in only one of the two tables"):
        expected_performance(table, rs.tabulate([0, 1], [2, 1], higher_is_positive=False))
