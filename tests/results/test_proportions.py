"""Limits of shares and of their ratios: as scipy has them, and by the equations that they solve."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, stats

from rocspace.results.limits import hoeffding_limits, untied_share, wilson_ends
from rocspace.results.proportions import (
    mover_limits,
    normal_quantile,
    rate_limits,
    score_limits,
    tango_limits,
)
from slow.data import reference

levels = st.sampled_from([0.5, 0.9, 0.95, 0.999])


@st.composite
def shares(draw):
    n = draw(st.integers(1, 40))
    return draw(st.integers(0, n)), n


def test_normal_quantile():
    for level in (0.5, 0.9, 0.95):
        assert normal_quantile(level) == pytest.approx(stats.norm.ppf((1 + level) / 2), rel=1e-13)


@given(share=shares(), level=levels)
def test_limits_of_shares(share, level):
    x, n = share
    found = {
        method: [float(end[0]) for end in rate_limits(np.array([float(x)]), n, level, method)]
        for method in ("wilson", "clopper-pearson", "jeffreys", "agresti-coull")
    }
    near = {"rel": 1e-9, "abs": 1e-12}
    for method, name in (("clopper-pearson", "exact"), ("wilson", "wilson")):
        theirs = stats.binomtest(x, n).proportion_ci(level, method=name)
        assert found[method] == pytest.approx([theirs.low, theirs.high], **near)
    posterior = stats.beta(x + 0.5, n - x + 0.5)
    ends = posterior.ppf((1 - level) / 2), posterior.ppf((1 + level) / 2)
    ends = (0 if x == 0 else min(ends[0], x / n), 1 if x == n else max(ends[1], x / n))
    assert found["jeffreys"] == pytest.approx(ends, **near)
    # Agresti and Coull: the textbook interval after z^2 / 2 successes and as many failures more.
    z2 = stats.norm.ppf((1 + level) / 2) ** 2
    p = (x + z2 / 2) / (n + z2)
    half = np.sqrt(z2 * p * (1 - p) / (n + z2))
    ends = min(max(p - half, 0), x / n), max(min(p + half, 1), x / n)
    assert found["agresti-coull"] == pytest.approx(ends, **near)


@given(share=shares(), level=levels)
def test_modified_wilson_is_the_farther_of_two_limits(share, level):
    x, n = share
    found = rate_limits(np.array([float(x)]), n, level, "modified-wilson")
    wilson = stats.binomtest(x, n).proportion_ci(level, method="wilson")
    # One-sided: scipy's other limit of an alternative is 0 or 1.
    above = stats.binomtest(x, n, alternative="less").proportion_ci(level, method="exact").high
    below = stats.binomtest(x, n, alternative="greater").proportion_ci(level, method="exact").low
    near = {"rel": 1e-9, "abs": 1e-12}
    assert float(found[0][0]) == pytest.approx(min(wilson.low, below), **near)
    assert float(found[1][0]) == pytest.approx(max(wilson.high, above), **near)


def score_by_search(x, m, y, n, ratio):
    """Gap p - ratio q over its standard error at the likeliest q of those that keep the ratio."""

    def surprise(q):
        p = ratio * q
        return -(
            stats.binom.logpmf(x, m, min(p, 1)) + stats.binom.logpmf(y, n, q)
        )  # of counts that are whole

    top = min(1, 1 / ratio)
    q = optimize.minimize_scalar(
        surprise, bounds=(1e-12, top - 1e-12), method="bounded", options={"xatol": 1e-13}
    ).x
    p = ratio * q
    variance = p * (1 - p) / m + ratio**2 * q * (1 - q) / n
    return (x / m - ratio * y / n) / np.sqrt(variance * (m + n) / (m + n - 1))


@pytest.mark.parametrize(
    "counts", [(8, 10, 3, 12), (15, 40, 20, 30), (3, 9, 4, 7), (30, 50, 2, 90)]
)
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_score_limits_are_where_the_test_begins_to_reject(counts, level):
    low, high = score_limits(*counts, level)
    z = stats.norm.ppf((1 + level) / 2)
    assert score_by_search(*counts, low) == pytest.approx(z, rel=1e-4)
    assert score_by_search(*counts, high) == pytest.approx(-z, rel=1e-4)


@given(one=shares(), two=shares(), level=levels)
@settings(max_examples=60)
def test_limits_of_ratios(one, two, level):
    (x, m), (y, n) = one, two
    for limits in (score_limits, mover_limits):
        low, high = limits(x, m, y, n, level)
        assert 0 <= low <= high
        assert (low == 0) == (x == 0)
        assert (high == np.inf) == (y == 0)
        # The ratio the other way round.
        swapped = limits(y, n, x, m, level)
        around = (1 / high if high else np.inf, 1 / low if low else np.inf)
        assert swapped == pytest.approx(around, rel=1e-7)
        if x and y:
            assert low <= x / m / (y / n) <= high


@pytest.mark.parametrize(
    "counts", [(8, 10, 3, 12), (15, 40, 20, 30), (3, 9, 4, 7), (30, 50, 2, 90)]
)
def test_mover_limits_solve_their_equation(counts):
    x, m, y, n = counts
    low, high = mover_limits(*counts, 0.95)
    p, q = x / m, y / n
    of_p, of_q = (stats.binomtest(*each).proportion_ci(0.95) for each in ((x, m), (y, n)))
    for r, p1, q1 in ((low, of_p.low, of_q.high), (high, of_p.high, of_q.low)):
        assert (p - r * q) ** 2 == pytest.approx((p - p1) ** 2 + r**2 * (q - q1) ** 2, rel=1e-9)
    assert low < p / q < high


def test_less_than_one_case_tells_no_ratio():
    assert score_limits(0.2, 0.4, 0.3, 0.6, 0.95) == (0, np.inf)
    assert score_limits(0.3, 0.7, 0.3, 0.6, 0.95)[0] > 0


# --- differences of paired proportions ---------------------------------------------------------


def tango_by_definition(b, c, n, d):
    """T of Tango (1998) at a difference: the gap over its error at the likeliest three cells."""

    def surprise(q):
        cells = np.array([q + d, q, 1 - 2 * q - d])
        return -float(np.array([b, c, n - b - c]) @ np.log(cells))

    ends = max(0.0, -d) + 1e-12, (1 - d) / 2 - 1e-12
    q = optimize.minimize_scalar(surprise, bounds=ends, method="bounded", options={"xatol": 1e-12})
    return (b - c - n * d) / np.sqrt(n * (2 * q.x + d * (1 - d)))


@pytest.mark.parametrize("counts", [(10, 3, 100), (12, 2, 44), (2, 12, 44)])
def test_limits_of_tango_are_where_his_test_begins_to_reject(counts):
    b, c, n = counts
    low, high = (
        float(end[0]) for end in tango_limits(np.array([float(b)]), np.array([float(c)]), n, 1.96)
    )
    assert tango_by_definition(b, c, n, low) == pytest.approx(1.96, rel=1e-4)
    assert tango_by_definition(b, c, n, high) == pytest.approx(-1.96, rel=1e-4)
    if b > c:
        printed = reference()["tango_{}_{}_{}".format(*counts)]
        assert [(b - c) / n, low, high] == pytest.approx(printed, abs=1e-4)


# --- limits from a few numbers ------------------------------------------------------------------


@given(x=st.floats(0, 1), m=st.integers(1, 500), level=levels)
def test_hoeffding_limits_solve_their_equation(x, m, level):
    low, high = hoeffding_limits(x, m, level)
    bound = np.log(2 / (1 - level)) / m
    assert 0 <= low <= x <= high <= 1

    def divergence(a):
        parts = [(x, a), (1 - x, 1 - a)]
        return sum(u * np.log(u / v) for u, v in parts if u > 0)

    if low > 1e-9:
        assert divergence(low) == pytest.approx(bound, rel=1e-5)
    if high < 1 - 1e-9:
        assert divergence(high) == pytest.approx(bound, rel=1e-5)


def test_limits_at_the_ends():
    # All of 10: a^10 = .025. None of 10: the mirror image. Of nothing, nothing is known.
    assert hoeffding_limits(1, 10, 0.95) == pytest.approx((0.025**0.1, 1), rel=1e-12)
    assert hoeffding_limits(0, 10, 0.95) == pytest.approx((0, 1 - 0.025**0.1), rel=1e-12)
    assert hoeffding_limits(0.3, 0, 0.95) == (0, 1)
    assert untied_share(10, 0.95) == pytest.approx(1 - 0.025**0.1, rel=1e-12)
    assert untied_share(0, 0.95) == 1


@given(x=st.floats(0, 1), c=st.floats(0.01, 5))
def test_wilson_ends_solve_their_equation(x, c):
    for end, outside in zip(wilson_ends(x, c), (-1, 1), strict=True):
        assert (x - end) ** 2 == pytest.approx(c * end * (1 - end), rel=1e-9, abs=1e-14)
        assert (end - x) * outside >= -1e-15
