"""Likelihood-ratio regions."""

from itertools import pairwise

import numpy as np
import pytest
from benchmarks.constants.likelihood_band import (
    CURVES,
    LEVELS,
    N_SIM,
    SIZES,
    TABLE,
    cauchy,
    entropies,
    in_order,
    largest,
    needed,
    simulated,
    student,
    true_points,
)
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
    c = reach(0.95, 30, 20)
    band = bands.likelihood_band(separated(30, 20))
    edge = 1 - np.exp(-(c**2) / 40)
    assert band.at_fpr(edge * 0.98).low == 0
    assert band.at_fpr(edge * 1.02).low > 0
    # Far right only the positives' share counts: all 30 above.
    assert band.at_fpr(0.999).low == pytest.approx(np.exp(-(c**2) / 60), abs=1e-3)
    assert band.at_fpr(0).high == 1


# --- the critical value -----------------------------------------------------------------------


def test_the_table_is_what_its_script_writes():
    found = needed(6, 10, N_SIM)
    # A rounded value may be another on another machine.
    for level, c in zip(LEVELS, found.max(axis=0), strict=True):
        assert reach(level, 6, 10) == pytest.approx(c, abs=1.1e-3)
        assert reach(level, 10, 6) == reach(level, 6, 10)
    rows = np.loadtxt(TABLE)
    assert rows[0].tolist() == [0, 0, *LEVELS]
    assert {tuple(sorted(pair)) for pair in rows[1:, :2].tolist()} == {
        (few, many) for many in SIZES for few in SIZES if few <= many
    }
    assert f"{N_SIM} samples" in TABLE.read_text(encoding="utf-8")


@pytest.mark.parametrize(("curve", "n"), [(cauchy(3), 30), (cauchy(3), 40), (student(3, 3), 150)])
def test_heavy_tails_are_contained_as_often_as_stated(curve, n):
    # Before Student's t and these sizes served for the table: 86.6, 88.3 and 89.1 at level .9.
    found = simulated(curve, n, n, 4000, seed=3)
    for level in (0.9, 0.95, 0.99):
        share = np.mean(found <= reach(level, n, n) + 1e-9)
        assert share > level - 3 * (level * (1 - level) / 4000) ** 0.5


def test_the_script_finds_the_nearest_point_of_the_staircase():
    rng = np.random.default_rng(1)
    curve = CURVES[2]
    f, t = (points[::40] for points in true_points(curve, 12, 9))
    neg, pos = in_order(rng, 8, 9), curve.fpr_at(in_order(rng, 8, 12))
    found = largest(neg, pos, f, t, (entropies(9), entropies(12)))
    for of_neg, of_pos, c in zip(neg, pos, found, strict=True):
        table = rs.tabulate([0] * 9 + [1] * 12, -np.concatenate([of_neg, of_pos]))
        line = rs.roc_curve(table).line
        seen = [filled(line.x), filled(line.y)]
        least = _deviance(seen[0][:, None], f, 9) + _deviance(seen[1][:, None], t, 12)
        assert c == pytest.approx(np.sqrt(least.min(axis=0).max()), abs=1e-4)


def filled(ends):
    return np.concatenate([a + np.linspace(0, 1, 300) * (b - a) for a, b in pairwise(ends)])


@given(
    n_pos=st.floats(1, 1e7),
    n_neg=st.floats(1, 1e7),
    levels=st.tuples(st.floats(0.01, 0.9999), st.floats(0.01, 0.9999)),
)
def test_reach_rises_with_the_level_and_is_continuous(n_pos, n_neg, levels):
    low, high = (reach(level, n_pos, n_neg) for level in sorted(levels))
    assert 0 < low <= high
    assert reach(levels[0], n_neg, n_pos) == pytest.approx(reach(levels[0], n_pos, n_neg))
    for n in (n_pos * 0.999, n_pos * 1.001):
        assert abs(reach(levels[0], n, n_neg) - reach(levels[0], n_pos, n_neg)) < 2e-3


def test_reach_grows_with_size():
    for level in (0.5, 0.9, 0.95, 0.99):
        reaches = [reach(level, n, n) for n in (10, 50, 300, 10_000, 10**6, 10**9)]
        assert reaches == sorted(reaches)


def test_reach_grows_with_level():
    for n in (10, 300, 10**6, 10**9):
        assert reach(0.5, n, n) < reach(0.9, n, n) < reach(0.95, n, n) < reach(0.99, n, n)


def test_reach_of_huge_samples_follows_the_tail_of_the_largest_value():
    # 2 t c phi(c) with t in proportion to log n, so c^2 - 2 log t tends to be constant.
    c = [reach(0.95, n, n) ** 2 - 2 * np.log(np.log(n)) for n in (SIZES[-1], 1e8, 1e30, 1e300)]
    assert c == pytest.approx([c[0]] * 4)
    assert reach(0.95, SIZES[-1], 1) == reach(0.95, SIZES[-1], SIZES[0])


def test_reach_beyond_the_levels():
    assert 0 < reach(1e-6, 10, 10) < 1e-4
    away = stats.norm.ppf(1 - 1e-6 / 2) - stats.norm.ppf(1 - 5e-3 / 2)
    assert reach(1 - 1e-6, 10, 10) - reach(0.995, 10, 10) == pytest.approx(away, rel=1e-6)


@pytest.mark.no_cover
@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_the_band_of_few_cases_contains_the_curve(level):
    # With the two constants that were here before: 75, 91 and 99 percent of samples.
    population = rs.simulate.binormal(0.75)
    made = [
        bands.likelihood_band(population.draw(10, 10, rng=i), level=level).contains(population)
        for i in range(200)
    ]
    # Four standard errors below the level.
    assert np.mean(made) > level - 4 * np.sqrt(level * (1 - level) / 200)


def test_bounds_begin_at_zero_and_end_at_one():
    diagonal, fpr = Line(np.array([0.0, 1.0]), np.array([0.0, 1.0])), np.array([0, 0.5, 1])
    low, high = likelihood_bounds(diagonal, fpr, 20, 30, 2.0)
    assert (low[0], high[2]) == (0, 1)
    assert low[1] == pytest.approx(1 - high[1])
