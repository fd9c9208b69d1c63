"""Costs of errors: slopes, and expected costs of points."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocspace as rs
from rocspace import measures as m
from rocspace.counts import evaluate
from rocspace.operating import (
    Costs,
)
from slow.data import INF, assert_close, samples


def test_slopes_of_costs():
    # M-25, Ref: negatives 10 times as many, equal costs; balanced, a miss 10 times as dear.
    assert Costs().iso_performance_slope(1 / 11) == 10
    assert Costs(fn=10).iso_performance_slope(0.5) == 0.1
    assert Costs(fp=0.1, fn=0.3).iso_performance_slope(0.5) == 1 / 3
    assert Costs(fp=1, fn=5, tp=-1, tn=-1).iso_performance_slope(0.5) == 2 / 6
    assert Costs(fp=0).iso_performance_slope(0.3) == 0
    assert Costs(fn=0).iso_performance_slope(0.3) == INF
    assert Costs().iso_performance_slope(0) == INF
    assert Costs().iso_performance_slope(1) == 0


def test_costs_that_tell_nothing():
    with pytest.raises(ValueError, match="No error costs more than being right"):
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
