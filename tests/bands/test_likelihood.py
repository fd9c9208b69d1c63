"""Likelihood-ratio regions."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import rocspace as rs
from rocspace import bands
from rocspace.bands.likelihood import (
    _deviance,
    _farthest,
    _highest,
    likelihood_bounds,
    reach,
)
from rocspace.results.curve import Line
from slow.bands import separated
from slow.data import samples


def solved(function, low, high):
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) else (low, middle)
    return (low + high) / 2


@given(
    rate=st.floats(1e-6, 1 - 1e-6),
    n=st.sampled_from([1, 7, 100, 10**5]),
    root=st.floats(0.05, 5),
)
@settings(max_examples=200)
def test_deviances_are_solved(rate, n, root):
    seen, r = np.array([rate]), np.array([root])
    expected = solved(lambda p: _deviance(seen, np.array([p]), n)[0] <= root**2, rate, 1.0)
    assert _highest(seen, n, r)[0] == pytest.approx(expected, abs=1e-7)
    found, beyond = _farthest(seen, n, r)
    expected = solved(lambda p: _deviance(np.array([p]), seen, n)[0] <= root**2, rate, 1.0)
    assert found[0] == pytest.approx(expected, abs=2e-5)
    assert beyond[0] == (root**2 >= -2 * n * np.log(rate))


def test_deviance_where_nothing_or_all_was_seen():
    # 0 of n: 2 n log(1 / (1 - p)) = r^2.
    ends = _highest(np.array([0.0, 1.0]), 10, np.array([2.0]))
    assert ends == pytest.approx([1 - np.exp(-0.2), 1])


@given(sample=samples(max_size=12), c=st.sampled_from([1.0, 2.5]))
@settings(max_examples=20)
def test_likelihood_bounds_by_definition(sample, c):
    with pytest.MonkeyPatch.context() as patch:  # 17 directions are near, not exact
        patch.setattr("rocspace.bands.likelihood._ANGLES", 601)
        check_likelihood_bounds(sample, c)


def check_likelihood_bounds(sample, c):
    table = rs.tabulate(*sample)
    curve = rs.roc_curve(table)
    P, N = float(table.n_pos), float(table.n_neg)
    share = np.linspace(0, 1, 120)
    F = np.concatenate([a + share * (b - a) for a, b in pairwise(curve.fpr)])
    T = np.concatenate([a + share * (b - a) for a, b in pairwise(curve.tpr)])
    t = np.linspace(0.001, 0.999, 300)
    for f in (0.07, 0.4, 0.83):
        with np.errstate(divide="ignore", invalid="ignore"):
            deviance = _deviance(F, np.full_like(F, f), N)[:, None]
            deviance = deviance + _deviance(T[:, None], t[None, :], P)
        inside = t[(deviance <= c * c).any(axis=0)]
        low, high = likelihood_bounds(Line(curve.fpr, curve.tpr), np.array([f]), P, N, c)
        assert high[0] == pytest.approx(inside.max(), abs=0.02)
        assert low[0] == pytest.approx(inside.min(), abs=0.02)


def test_likelihood_band_of_separated_classes():
    # Left of f with 40 log(1 / (1 - f)) = c^2 it may be that no positive is above a negative.
    c = reach(0.95, 20)
    band = bands.likelihood_band(separated(30, 20))
    edge = 1 - np.exp(-(reach(0.95, 30) ** 2) / 40)
    assert band.at_fpr(edge * 0.98).low == 0
    assert band.at_fpr(edge * 1.02).low > 0
    # Far right only the positives' share counts: all 30 above.
    assert band.at_fpr(0.999).low == pytest.approx(np.exp(-(reach(0.95, 30) ** 2) / 60), abs=1e-3)
    assert 1.96 < c < reach(0.95, 30)
    assert band.at_fpr(0).high == 1


def test_reach_grows_with_size_and_level():
    assert reach(0.95, 10) == pytest.approx(stats.norm.ppf(0.975))
    reaches = [reach(0.95, n) for n in (20, 200, 20_000, 10**8)]
    assert reaches == sorted(reaches)
    assert reach(0.5, 10**9) < reach(0.9, 10**9) < reach(0.99, 10**9)
    # 2 Phi(-c) + 2 t c phi(c) = .05 with t = log(200 / 13) / 3
    c, t = reach(0.95, 200), np.log(200 / 13) / 3
    assert 2 * stats.norm.sf(c) + 2 * t * c * stats.norm.pdf(c) == pytest.approx(0.05)
