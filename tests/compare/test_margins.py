"""Non-inferiority and equivalence: by hand, and as the other side of intervals."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

import rocspace as rs
from rocspace.compare import (
    auc_difference,
    equivalence_test,
    noninferiority_test,
    published_difference,
    superiority_test,
)
from rocspace.results import Difference
from rocspace.results.estimates import AreaEstimate
from slow.data import F3, assert_close, reference

S2 = reference()["paired_s2"]


def gain():
    data = rs.pair_scores(F3[0], {"a": S2, "b": F3[1]})
    return auc_difference(data, "a", "b")


def test_by_hand():
    # The difference is .10 with standard error .05: above -.05 by 3 of them, below .2 by 2.
    found = published_difference((0.9, 0.03), (0.8, 0.04), score_correlation=0)
    below = noninferiority_test(found, 0.05, method="normal")
    assert_close(below.statistic, 3)
    assert_close(below.pvalue, stats.norm.sf(3))
    both = equivalence_test(found, (-0.05, 0.2), method="normal")
    assert both.low == below
    assert_close(both.high.pvalue, stats.norm.sf(2))
    assert both.pvalue == both.high.pvalue
    assert (both.difference, both.limits) == (found.value, (-0.05, 0.2))
    better = superiority_test(found, 0.02, method="normal")
    assert_close(better.pvalue, stats.norm.sf((0.1 - 0.02) / 0.05))


def test_statistic_beside_an_interval_by_hand():
    # The interval gives the p value; the statistic is the distance from the margin in standard
    # errors: (.10 + .05) / .05, (.10 - .2) / .05 and (.10 - .02) / .05.
    # The test of a published difference inverts its interval; that of others like it does not.
    published = published_difference((0.9, 0.03), (0.8, 0.04), score_correlation=0)
    found = replace(published, usual=None)
    assert not found.test_inverts_interval
    assert noninferiority_test(published, 0.05).pvalue == noninferiority_test(found, 0.05).pvalue
    below, both = noninferiority_test(found, 0.05), equivalence_test(found, (-0.05, 0.2))
    assert_close([below.statistic, below.difference], [3, 0.15])
    assert_close([both.low.statistic, both.low.difference], [3, 0.15])
    assert_close([both.high.statistic, both.high.difference], [-2, -0.1])
    better = superiority_test(found, 0.02)
    assert_close([better.statistic, better.difference], [1.6, 0.08])
    assert (below.alternative, both.high.alternative) == ("greater", "less")
    assert np.isnan(noninferiority_test(replace(found, se=0.0), 0.05).statistic)


def test_laws_are_those_of_the_difference():
    for law in ("t", "normal"):
        ours = noninferiority_test(gain(), 0.03, method=law)
        assert ours == gain().test(null=-0.03, alternative="greater", distribution=law)
    apart = auc_difference({"first": rs.tabulate(F3[0], S2), "second": rs.tabulate(*F3)})
    ours = superiority_test(apart, method="welch")
    assert ours == apart.test(alternative="greater", distribution="welch")


@st.composite
def differences(draw):
    ints = st.integers(2, 12)
    n_pos, n_neg = draw(ints), draw(ints)
    n = n_pos + n_neg
    score = st.lists(st.integers(-3, 3), min_size=n, max_size=n)
    label = [True] * n_pos + [False] * n_neg
    data = rs.pair_scores(label, {"a": draw(score), "b": draw(score)})
    return auc_difference(data, "a", "b")


@given(found=differences(), margin=st.floats(0.01, 0.6))
@settings(max_examples=80)
def test_p_values_are_where_intervals_touch(found, margin):
    for result, low in (
        (noninferiority_test(found, margin), True),
        (equivalence_test(found, margin).high, False),
    ):
        p, null = result.pvalue, -margin if low else margin
        assert 0 <= p <= 1
        if 1e-9 < p < 0.499:
            ends = found.interval(1 - 2 * p)
            if found.value in tuple(
                ends
            ):  # an area at its end, half a pair from where T is centred
                return
            assert (ends.low if low else ends.high) == pytest.approx(null, abs=1e-7)
        if 0.501 < p < 1 - 1e-9:
            ends = found.interval(1 - 2 * (1 - p))
            assert (ends.high if low else ends.low) == pytest.approx(null, abs=1e-7)
        for level in (0.9, 0.95):
            ends = found.interval(level)
            beyond = ends.low > null if low else ends.high < null
            distance = abs((ends.low if low else ends.high) - null)
            assume(distance > 1e-9)
            assert (p < (1 - level) / 2) == beyond


@given(found=differences(), margins=st.tuples(st.floats(0.01, 0.5), st.floats(0.01, 0.5)))
@settings(max_examples=40)
def test_wider_margins_are_easier(found, margins):
    narrow, wide = sorted(margins)
    for test in (noninferiority_test, equivalence_test):
        for method in ("interval", "t"):
            p = [test(found, m, method=method).pvalue for m in (narrow, wide)]
            assert not p[1] > p[0] + 1e-9
    p = [superiority_test(found, m).pvalue for m in (0.0, narrow, wide)]
    assert p[0] <= p[1] + 1e-9 <= p[2] + 2e-9


def test_equivalence_is_symmetric():
    data = rs.pair_scores(F3[0], {"a": S2, "b": F3[1]})
    there, back = (auc_difference(data, *names) for names in ("ab", "ba"))
    one, two = equivalence_test(there, 0.3), equivalence_test(back, 0.3)
    assert one.pvalue == pytest.approx(two.pvalue, abs=1e-9)
    assert one.low.pvalue == pytest.approx(two.high.pvalue, abs=1e-9)


def test_nothing_is_shown_by_perfect_tiny_samples():
    # Both are perfect on 3 + 3 cases: no variance, and yet not shown to be as good.
    data = rs.pair_scores([1, 1, 1, 0, 0, 0], {"a": [6, 5, 4, 3, 2, 1], "b": [6, 4, 5, 1, 2, 3]})
    found = auc_difference(data, "a", "b")
    assert noninferiority_test(found, 0.1, method="normal").pvalue == 0
    by_interval = noninferiority_test(found, 0.1, method="t")
    assert by_interval.pvalue == noninferiority_test(found, 0.1).pvalue
    assert noninferiority_test(found, 0.1).pvalue > 0.2
    assert np.isnan(noninferiority_test(found, 0.1).statistic)


def test_unknown_values_stay_unknown():
    nan = float("nan")
    one = AreaEstimate(value=nan, se=nan, method="m", n_pairs=3)
    gap = Difference(value=nan, se=nan, method="m", n_pairs=3, range=(-1, 1), first=one, second=one)
    assert np.isnan(noninferiority_test(gap, 0.1).pvalue)
    assert np.isnan(equivalence_test(gap, 0.1).pvalue)


def test_messages():
    for margin in (0, -0.1, float("inf"), float("nan")):
        with pytest.raises(ValueError, match="must be a positive number"):
            noninferiority_test(gain(), margin)
    for test in (noninferiority_test, superiority_test, equivalence_test):
        for margin in (1, 5):  # five percent, as a newcomer may write it: p was 0
            with pytest.raises(ValueError, match=r"A margin of \d shows nothing: .* -1 and 1"):
                test(gain(), margin)
    with pytest.raises(ValueError, match=r"The limits are 0\.1 and 0\.2"):
        equivalence_test(gain(), (0.1, 0.2))
    with pytest.raises(ValueError, match=r"The limits are -0\.1 and inf"):
        equivalence_test(gain(), (-0.1, float("inf")))
    with pytest.raises(ValueError, match="method is 'z', but must be one of"):
        superiority_test(gain(), method="z")
    with pytest.raises(ValueError, match="these are paired"):
        noninferiority_test(gain(), 0.1, method="welch")
    for test in (noninferiority_test, superiority_test, equivalence_test):
        with pytest.raises(TypeError, match=r"difference is 0\.1, but must be a Difference"):
            test(0.1, 0.1)


def test_limits_may_be_any_pair():
    found = published_difference((0.9, 0.03), (0.8, 0.04), score_correlation=0)
    assert equivalence_test(found, [-0.05, 0.2]).limits == (-0.05, 0.2)
