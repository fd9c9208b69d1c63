"""Limits of shares and of their ratios: as scipy has them, and by the equations that they solve."""

from math import factorial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, stats

from rocspace.results.limits import hoeffding_limits, untied_share, wilson_ends
from rocspace.results.proportions import (
    added_distances,
    difference_limits,
    exact_tango_limits,
    log_multinomial,
    midp_odds_limits,
    mover_limits,
    normal_quantile,
    rate_limits,
    score_limits,
    tango_limits,
    tango_statistic,
)
from slow.data import reference

levels = st.sampled_from([0.5, 0.9, 0.95, 0.999])
METHODS = (
    "wilson",
    "clopper-pearson",
    "jeffreys",
    "agresti-coull",
    "rubin-schenker",
    "wald-corrected",
)


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
        for method in METHODS
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
    # Wald's: of the log odds of x + 1/2 against n - x + 1/2, whose variance is that of two counts,
    # and of the share, a half step of 1/n farther.
    z, (yes, no) = z2**0.5, (x + 0.5, n - x + 0.5)
    odds = yes / no * np.exp(np.array([-z, z]) * (1 / yes + 1 / no) ** 0.5)
    assert found["rubin-schenker"] == pytest.approx(
        [min(odds[0] / (1 + odds[0]), x / n), max(odds[1] / (1 + odds[1]), x / n)], **near
    )
    half = z * (x / n * (1 - x / n) / n) ** 0.5 + 0.5 / n
    assert found["wald-corrected"] == pytest.approx(
        [max(x / n - half, 0), min(x / n + half, 1)], **near
    )


@given(one=shares(), two=shares(), level=levels)
def test_limits_of_differences_add_squared_distances(one, two, level):
    (x, m), (y, n) = one, two
    of_p, of_q = (
        stats.binomtest(*each).proportion_ci(level, method="wilson") for each in (one, two)
    )
    p, q = x / m, y / n
    low, high = (
        float(end[0])
        for end in difference_limits(np.array([p]), float(m), np.array([q]), float(n), level)
    )
    near = {"rel": 1e-7, "abs": 1e-9}
    assert p - q - low == pytest.approx(np.hypot(p - of_p.low, of_q.high - q), **near)
    assert high - p + q == pytest.approx(np.hypot(of_p.high - p, q - of_q.low), **near)


def test_added_distances_by_hand():
    # Twice .1 and thrice .1 below, twice .2 and thrice .4 above.
    down, up = added_distances([(2, 0.5, 0.4, 0.7), (3, 0.2, 0.1, 0.6)])
    assert (down**2, up**2) == pytest.approx((0.04 + 0.09, 0.16 + 1.44))


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


@pytest.mark.parametrize(
    ("counts", "level"),
    [((3, 1, 12), 0.95), ((1, 0, 1), 0.9), ((0, 0, 3), 0.8), ((2, 5, 9), 0.95), ((4, 1, 20), 0.01)],
)
def test_exact_limits_of_tango_begin_and_end_what_his_test_does_not_reject(counts, level):
    b, c, n = counts
    outcomes = [np.array((i, j, n - i - j)) for i in range(n + 1) for j in range(n + 1 - i)]

    def p_value(d):
        """Return the largest probability of outcomes as far from d, at rates that differ by d."""
        far = [abs(float(tango_statistic(*map(float, (i, j, n)), d))) for i, j, _ in outcomes]
        own = far[[(i, j) for i, j, _ in outcomes].index((b, c))]
        second = np.linspace(max(-d, 0), (1 - d) / 2, 81)
        rates = np.column_stack([second + d, second, 1 - d - 2 * second]).clip(0)
        as_far = [each for each, t in zip(outcomes, far, strict=True) if t >= own * (1 - 1e-9)]
        return sum(stats.multinomial.pmf(each, n, rates) for each in as_far).max()

    low, high = exact_tango_limits(b, c, n, level)
    assert low <= (b - c) / n <= high
    for end, outwards in ((low, -1), (high, 1)):
        if abs(end) < 1:
            assert p_value(end - outwards * 1e-7) > 1 - level
            assert p_value(end + outwards * 1e-7) <= 1 - level
    for d in np.linspace(-1, (b - c) / n, 41):
        assert d >= low - 0.01 or p_value(d) <= 1 - level
    for d in np.linspace(1, (b - c) / n, 41):
        assert d <= high + 0.01 or p_value(d) <= 1 - level


def test_orders_of_counts():
    for counts in ((3, 1, 8), (0, 0, 5), (2, 2, 2)):
        orders = factorial(sum(counts)) / np.prod([factorial(x) for x in counts])
        assert log_multinomial(np.array([counts]))[0] == pytest.approx(np.log(orders), abs=1e-12)


# --- odds ratios ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "cells", [(9, 3, 1, 7), (3, 0, 2, 15), (0, 3, 5, 4), (4000, 4100, 3900, 4000)]
)
@pytest.mark.parametrize("level", [0.5, 0.95])
def test_midp_limits_as_scipy_has_the_distribution(cells, level):
    tp, fp, fn, tn = cells
    low, high = midp_odds_limits(*cells, level)
    sums = sum(cells), tp + fp, tp + fn

    def half_and_beyond(ratio, sign):
        of_cell = stats.nchypergeom_fisher(*sums, ratio)
        beyond = of_cell.sf(tp) if sign > 0 else of_cell.cdf(tp - 1)
        return beyond + of_cell.pmf(tp) / 2

    tail = pytest.approx((1 - level) / 2, rel=1e-6)
    assert (low == 0) == (min(tp, tn) == 0)
    assert (high == np.inf) == (min(fp, fn) == 0)
    assert low == 0 or half_and_beyond(low, 1) == tail
    assert high == np.inf or half_and_beyond(high, -1) == tail


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
