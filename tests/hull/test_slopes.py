"""Uncertain costs: shares by hand, by exact integration, and by many slopes."""

import math
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import rocspace as rs
from rocspace.hull import (
    best_by_density,
    best_by_weights,
    best_in_range,
    roc_hull,
    slope_interval,
)
from rocspace.operating import Costs
from slow.data import F3, samples

INF = float("inf")
ratios = st.fractions(0, 12, max_denominator=10).map(float)


def shares(found):
    return {v.vertex: v.share for v in found}


def test_slopes_that_no_share_of_the_cost_tells_apart():
    hull = roc_hull(rs.tabulate([0, 1, 0, 1], [1, 2, 3, 4]))
    assert best_in_range(hull, 0.0, 1e-320) == best_in_range(hull, 0.0, 0.0)


def test_by_hand():
    # F3: vertices 0 to 5, edges inf, 3, 3/4, 1/2, 0. In the share 1 / (1 + m) of the positives:
    # 0, 1/4, 4/7, 2/3, 1. Slopes 1/3 to 3 are shares 1/4 to 3/4.
    hull = roc_hull(rs.tabulate(*F3))
    found = shares(best_in_range(hull, 1 / 3, 3))
    wanted = {1: 0, 2: (4 / 7 - 1 / 4) * 2, 3: (2 / 3 - 4 / 7) * 2, 4: (3 / 4 - 2 / 3) * 2}
    assert found == pytest.approx(wanted, abs=1e-12)
    everything = shares(best_in_range(hull, 0, INF))
    assert everything == pytest.approx({1: 1 / 4, 2: 9 / 28, 3: 2 / 21, 4: 1 / 3}, abs=1e-12)
    assert shares(best_in_range(hull, 1, 1)) == {2: 1}
    assert shares(best_in_range(hull, 0.5, 0.5)) == {3: 0.5, 4: 0.5}
    assert shares(best_in_range(hull, 5, 9)) == {1: 1}


def test_ranges_of_slopes_by_hand():
    # Dearest false positives, cheapest false negatives, fewest positives: 2 (0.9) / (1 (0.1)).
    interval = slope_interval(costs={"fp": (1, 2), "fn": (1, 3)}, prevalence=(0.1, 0.5))
    assert tuple(interval) == (1 / 3, 18)
    assert tuple(slope_interval()) == (1, 1)
    assert slope_interval(prevalence=(0, 0.5)).high == INF


@given(sample=samples(), low=ratios, high=st.one_of(ratios, st.just(INF)))
@settings(max_examples=40)
def test_range_is_the_uniform_density(sample, low, high):
    low, high = min(low, high), max(low, high)
    hull = roc_hull(rs.tabulate(*sample))
    found = shares(best_in_range(hull, low, high))
    assert sum(found.values()) == pytest.approx(1, rel=1e-12)
    assert set(hull.optimal(low)) | set(hull.optimal(high)) <= set(found)
    for m in np.linspace(low, min(high, 50), 20):
        assert set(hull.optimal(m)) <= set(found)
    if low < high:
        start, end = 1 / (1 + high), 1 / (1 + low)
        by_density = shares(best_by_density(hull, stats.uniform(start, end - start)))
        some = {vertex: share for vertex, share in found.items() if share > 1e-12}
        by_density = {vertex: share for vertex, share in by_density.items() if share > 1e-12}
        assert by_density == pytest.approx(some, abs=1e-9)


SHARES = (np.arange(4000) + 0.5) / 4000


@cache
def slopes(prevalence):
    return [Costs(fp=1 - x, fn=x).iso_performance_slope(prevalence) for x in SHARES]


@given(sample=samples(), prevalence=st.sampled_from([0.1, 0.5, 0.7]))
@settings(max_examples=20)
def test_density_is_many_weights(sample, prevalence):
    hull = roc_hull(rs.tabulate(*sample))
    density = stats.beta(2, 3)
    by_weights = shares(best_by_weights(hull, slopes(prevalence), density.pdf(SHARES)))
    by_density = shares(best_by_density(hull, density, prevalence=prevalence))
    for vertex in set(by_weights) | set(by_density):
        assert by_weights.get(vertex, 0) == pytest.approx(by_density.get(vertex, 0), abs=2e-3)


@given(sample=samples(), weights=st.lists(st.integers(0, 5), min_size=4, max_size=4))
@settings(max_examples=30)
def test_weights_by_brute_force(sample, weights):
    if not any(weights):
        return
    hull = roc_hull(rs.tabulate(*sample))
    slopes = [0.3, 1.0, 1.0, 5.0]
    corners = list(zip(hull.fpr, hull.tpr, strict=True))
    wanted = dict.fromkeys(range(len(hull)), Fraction(0))
    for m, w in zip(slopes, weights, strict=True):
        gain = [t - m * f for f, t in corners]
        best = [i for i, g in enumerate(gain) if g >= max(gain) - 1e-12]
        for i in best:
            wanted[i] += Fraction(w, sum(weights) * len(best))
    found = shares(best_by_weights(hull, slopes, weights))
    assert found == pytest.approx({i: float(s) for i, s in wanted.items() if s})


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda h: best_in_range(h, 2, 1), "must not be the larger"),
        (lambda h: best_in_range(h, -1, 1), "slope is -1"),
        (lambda h: best_in_range(h, math.nan, 1), "slope is nan"),
        (lambda _: slope_interval(costs={"fn": (3, 2)}), "cost fn is"),
        (lambda h: best_by_density(h, stats.norm()), "outside"),
        (lambda h: best_by_density(h, stats.beta(2, 2), prevalence=1), "prevalence is 1"),
        (lambda h: best_by_weights(h, [1, 2], [1]), "Lengths differ"),
        (lambda h: best_by_weights(h, [1, 2], [0, 0]), "not all zero"),
        (lambda h: best_by_weights(h, [1, math.nan], [1, 1]), "zero or more"),
    ],
)
def test_what_makes_no_sense(call, message):
    with pytest.raises(ValueError, match=message):
        call(roc_hull(rs.tabulate(*F3)))
