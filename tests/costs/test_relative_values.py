"""Relative economic value: by hand, from expenses case by case, and against net benefit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocspace as rs
from rocspace.costs import (
    best_net_benefit,
    best_relative_value,
    net_benefit,
    relative_value,
    relative_value_curve,
)
from slow.data import samples

EIGHTHS = st.integers(0, 8).map(lambda k: k / 8)
RATIOS = st.integers(1, 15).map(lambda k: k / 16)


def test_by_hand():
    # Two of four are bad days; protection costs 1/2. Protecting at .6 and .9 costs 1, and one of
    # the two bad days, that of .3, is a loss of 1: 2 / 4. Always or never costs 1/2, knowledge 1/4.
    table = rs.tabulate([0, 1, 0, 1], [0.1, 0.3, 0.6, 0.9])
    assert relative_value(table, 0.5) == 0
    # At 1/5 three protect, nothing is lost: .15. Always .2, knowledge .1.
    assert relative_value(table, 0.2) == pytest.approx(0.5)
    # The best cut at 1/2 protects on the day of .9 alone: 1/2 + 1 over 4 = 3/8.
    assert best_relative_value(table, 0.5) == pytest.approx(0.5)


def expense(label, score, ratio):
    """Add up what each case costs, in units of the loss."""
    return np.mean([ratio if s >= ratio else float(y) for y, s in zip(label, score, strict=True)])


@settings(max_examples=80)
@given(sample=samples(values=EIGHTHS), ratio=RATIOS)
def test_against_expenses_and_net_benefit(sample, ratio):
    label, score = sample
    table, pi = rs.tabulate(label, score), np.mean(label)
    known, perfect = min(ratio, pi), ratio * pi
    value = relative_value(table, ratio)
    assert value == pytest.approx((known - expense(label, score, ratio)) / (known - perfect))
    # Baker's relative utility: net benefit above that of the better of all and none.
    trivial = max(0.0, pi - (1 - pi) * ratio / (1 - ratio))
    for found, benefit in (
        (value, net_benefit(table, ratio)),
        (best_relative_value(table, ratio), best_net_benefit(table, ratio)),
    ):
        assert found == pytest.approx((benefit - trivial) / (pi - trivial), abs=1e-12)
    assert max(value, 0.0) <= best_relative_value(table, ratio) + 1e-12 <= 1 + 2e-12


@settings(max_examples=40)
@given(sample=samples())
def test_the_best_value_is_youden_at_the_prevalence(sample):
    table = rs.tabulate(*sample)
    curve = relative_value_curve(table)
    at = np.flatnonzero(np.isclose(curve.ratio, table.prevalence, atol=0))
    assert curve.best[at] == pytest.approx(rs.youden(table))
    assert curve.best.max() == pytest.approx(rs.youden(table))


def test_scores_that_are_no_probabilities_have_a_best_value_only():
    curve = relative_value_curve(rs.tabulate([0, 1, 0, 1], [1, 2, 3, 4]), [0.2, 0.5])
    assert np.isnan(curve.value).all()
    assert curve.best == pytest.approx([0.5, 0.5])
    assert len(curve) == 2
    with pytest.raises(ValueError, match="needs probabilities"):
        relative_value(rs.tabulate([0, 1], [1, 2]), 0.5)


def test_bad_input():
    table = rs.tabulate([0, 1], [0.2, 0.9])
    for function in (relative_value, best_relative_value):
        for ratio in (0.0, [0.5, 1.0]):
            with pytest.raises(ValueError, match="strictly between 0 and 1"):
                function(table, ratio)
    with pytest.raises(rs.SingleClassError, match=r"relative_value needs .* 2 positives and 0"):
        relative_value(rs.tabulate([1, 1], [0.2, 0.9]), 0.5)
