"""Costs of errors: slopes, and expected costs of points."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocspace as rs
from rocspace import measures as m
from rocspace.counts import ConfusionMatrix, evaluate
from rocspace.operating import Costs
from slow.data import INF, assert_close, samples


def test_slopes_of_costs():
    # Negatives 10 times as many, equal costs; balanced, a miss 10 times as dear.
    assert Costs().iso_performance_slope(1 / 11) == 10
    assert Costs(fn=10).iso_performance_slope(0.5) == 0.1
    assert Costs(fp=0.1, fn=0.3).iso_performance_slope(0.5) == 1 / 3
    assert Costs(fp=1, fn=5, tp=-1, tn=-1).iso_performance_slope(0.5) == 2 / 6
    assert Costs(fp=0).iso_performance_slope(0.3) == 0
    assert Costs(fn=0).iso_performance_slope(0.3) == INF
    assert Costs().iso_performance_slope(0) == INF
    assert Costs().iso_performance_slope(1) == 0


def test_costs_may_be_decimals():
    matrix = rs.ConfusionMatrix(tp=6, fp=1, fn=4, tn=9)
    decimal, plain = Costs(fp=Decimal("0.1"), fn=10), Costs(fp=0.1, fn=10)
    assert decimal == plain
    assert decimal.expected(matrix) == plain.expected(matrix)


def test_costs_that_tell_nothing():
    with pytest.raises(ValueError, match="No error costs more than a correct call"):
        Costs(fp=0, fn=0)
    with pytest.raises(ValueError, match="No error costs more"):
        Costs(fp=1, fn=2, tp=2, tn=1)
    with pytest.raises(ValueError, match=r"fp costs 1\.0 and tn 2"):
        Costs(tn=2)
    with pytest.raises(ValueError, match="cost fn is inf"):
        Costs(fn=INF)
    with pytest.raises(ValueError, match="At prevalence 0 no error that can occur"):
        Costs(fp=0).iso_performance_slope(0)
    with pytest.raises(ValueError, match=r"prevalence is 1\.5"):
        Costs().iso_performance_slope(1.5)


@given(sample=samples(), fp=st.floats(0, 9), fn=st.floats(0.1, 9), mix=st.floats(0, 1))
@settings(max_examples=30)
def test_expected_cost_of_points(sample, fp, fn, mix):
    table = rs.tabulate(*sample)
    costs = Costs(fp=fp, fn=fn)
    c = evaluate(table, table.score)
    same = m.expected_cost(c, costs=Costs(fp=fp, fn=fn), prevalence=mix)
    assert_close(costs.expected(c, prevalence=mix), same, digits=13)
    assert_close(costs.expected(c), m.expected_cost(c, costs=Costs(fp=fp, fn=fn)), digits=13)


def test_probability_cost_by_hand():
    # One positive in four: misses 1 / 4 * 2, false alarms 3 / 4 * 3.
    costs = Costs(fp=3, fn=2)
    assert costs.probability_cost(0.25) == pytest.approx(0.5 / 2.75, rel=1e-15)
    assert costs.probability_cost([0, 0.25, 1]) == pytest.approx([0, 2 / 11, 1], rel=1e-15)
    # What being right costs is taken off: a miss costs 3 more, a false alarm 2.
    assert Costs(fp=3, fn=2, tp=-1, tn=1).probability_cost(0.5) == pytest.approx(0.6, rel=1e-15)
    with pytest.raises(ValueError, match="Nothing costs anything"):
        Costs(fp=0).probability_cost([0.5, 0])


@given(fp=st.floats(0.1, 9), fn=st.floats(0.1, 9), pi=st.floats(0.01, 0.99))
def test_probability_cost_is_the_other_side_of_the_slope(fp, fn, pi):
    costs = Costs(fp=fp, fn=fn)
    share = costs.probability_cost(pi)
    assert 1 / share - 1 == pytest.approx(costs.iso_performance_slope(pi), rel=1e-9)
    # Its share of what all errors would cost.
    everything = costs.expected(ConfusionMatrix(tp=0, fp=1, fn=1, tn=0), prevalence=pi)
    assert share * everything == pytest.approx(pi * fn, rel=1e-12)


def test_cost_share_by_hand():
    assert Costs(fp=3, fn=2).cost_share == 0.4
    assert Costs(fp=3, fn=2, tp=-1, tn=1).cost_share == 0.6
    assert (Costs(fp=0).cost_share, Costs(fn=0).cost_share) == (1, 0)


def test_expected_cost_of_being_right_by_hand():
    # 8 positives of which 6 are found, 12 negatives of which 9 are passed over.
    c = ConfusionMatrix(tp=6, fp=3, fn=2, tn=9)
    costs = Costs(fp=4, fn=10, tp=2, tn=-1)
    own = (4 * 3 + 10 * 2 + 2 * 6 - 9) / 20
    elsewhere = 0.1 * (10 * 2 / 8 + 2 * 6 / 8) + 0.9 * (4 * 3 / 12 - 9 / 12)
    for prevalence, value in ((None, own), (0.1, elsewhere)):
        assert costs.expected(c, prevalence=prevalence) == pytest.approx(value, rel=1e-14)
        found = m.expected_cost(c, costs=costs, prevalence=prevalence)
        assert found == pytest.approx(value, rel=1e-14)


def test_equal_costs_are_the_default():
    assert Costs() == Costs(fp=1, fn=1, tp=0, tn=0)
    assert Costs().net == (1, 1)
    assert Costs(fp=0.1, fn=1 / 3).net == (Fraction(1, 3), Fraction(1, 10))
    assert Costs(fp=2).iso_performance_slope() == 2  # of balanced classes


@pytest.mark.parametrize("cost", ["1", None, 10**400, float("nan"), INF, [1]])
def test_a_cost_is_one_finite_number(cost):
    with pytest.raises(ValueError, match=r"The cost fp is .*, but costs are finite numbers"):
        Costs(fp=cost)
