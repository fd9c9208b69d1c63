"""Intervals of readings of the curve: by hand, against the slow definition, and how they cover."""

from functools import partial
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import optimize, special, stats
from scipy.stats import binomtest

import rocspace as rs
from rocspace.curves import youden
from rocspace.inference import (
    eer_interval,
    fpr_at_interval,
    rate_interval,
    tpr_at_interval,
    youden_interval,
)
from rocspace.inference import on_curve as _on_curve
from rocspace.resampling import bootstrap, fpr_at, tpr_at
from slow.data import samples
from slow.inference import tpr_at_limits, tpr_at_profile

RATES = st.sampled_from([0.0, 0.01, 0.1, 0.25, 0.5, 0.9, 1.0])


def test_by_hand():
    # One case in each class, the positive on top. All negatives are called at rate 1, and the
    # positive with them: mid-p of 1 out of 1, half of Beta(1, 1) and half of a point at 1.
    table = rs.tabulate([1, 0], [2, 1])
    assert tuple(tpr_at_interval(table, 1)) == pytest.approx((0.05, 1))
    # At rate 0 the threshold is above the negative; how far is unknown.
    assert tuple(tpr_at_interval(table, 0)) == (0, 1)
    # The positive below: at rate 0 it is not called, mid-p of 0 out of 1.
    below = rs.tabulate([1, 0], [1, 2])
    assert tuple(tpr_at_interval(below, 0)) == pytest.approx((0, 0.95))
    # At rate 1/2 either rank has half of the chance. The upper limit u solves
    # 1/2 (1 + u) / 2 + 1/2 1/2 = .975, which no u < 1 does.
    assert tpr_at_interval(below, 0.5).high == 1


@pytest.mark.parametrize(
    ("above", "of", "low", "high"),
    # Printed for R's stests::ci_p_mid_p: x of 5, 10, 15 and n of 20, 30, 40.
    [
        (5, 20, 0.09786008, 0.47022380),
        (10, 30, 0.1833232, 0.5141852),
        (15, 40, 0.2361295, 0.5313959),
    ],
)
def test_between_two_heaps_of_positives_it_is_the_mid_p_interval(above, of, low, high):
    # Whichever negative is the last one called, the same positives are.
    score = np.concatenate(
        [np.full(above, 3.0), np.full(of - above, 1.0), np.linspace(1.5, 2.5, 200)]
    )
    table = rs.tabulate(np.repeat([1, 0], [of, 200]), score)
    assert tuple(tpr_at_interval(table, 0.5)) == pytest.approx((low, high), abs=5e-7)


def test_the_mid_p_interval_covers_what_the_docstring_says():
    p, least, few = np.linspace(0.001, 0.999, 4000), 1.0, 0.0
    for n in (5, 8, 10, 15, 20, 30, 50, 100, 200, 1000):
        chance = stats.binom.pmf(np.arange(n + 1)[:, None], n, p)
        middle = chance.cumsum(axis=0) - chance / 2
        covers = (chance * (np.abs(middle - 0.5) <= 0.475)).sum(axis=0)
        least, few = min(least, covers.min()), max(few, (covers < 0.935).mean())
    assert least == pytest.approx(0.917, abs=5e-4)
    assert few < 0.07


@pytest.mark.parametrize(
    ("method", "slowly", "near"),
    [("rank mixture", tpr_at_limits, 1e-9), ("profile", tpr_at_profile, 1e-8)],
)
@settings(max_examples=15, deadline=None)
@given(sample=samples(), rate=RATES, level=st.sampled_from([0.5, 0.95, 0.999]))
def test_limits_against_their_slow_definitions(method, slowly, near, sample, rate, level):
    label, score = sample
    table, options = rs.tabulate(label, score), {"level": level, "method": method}
    slow = slowly(label, score, rate, level)
    assert tuple(tpr_at_interval(table, rate, **options)) == pytest.approx(slow, abs=near)
    swapped = [not one for one in label], [-s for s in score]
    low, high = slowly(*swapped, 1 - rate, level)
    found = tuple(fpr_at_interval(table, rate, **options))
    assert found == pytest.approx((1 - high, 1 - low), abs=near)


@pytest.mark.parametrize(("sizes", "tpr", "fpr"), [((50, 20), 0.95, 0.1), ((5, 60), 0.8, 0.02)])
def test_a_corner_of_a_yes_no_test_is_covered(sizes, tpr, fpr):
    m, n = sizes
    chances = (stats.binom.pmf(np.arange(k + 1), k, rate) for k, rate in ((m, tpr), (n, fpr)))
    held = lost = 0.0
    for (i, first), (j, second) in product(*map(enumerate, chances)):
        if first * second < 1e-5:
            lost += first * second
            continue
        table = rs.ScoreTable.from_counts([1, 0], [i, m - i], [j, n - j])
        held += first * second * (tpr in tpr_at_interval(table, fpr))
    assert held / (1 - lost) >= 0.935


def test_a_corner_of_continuous_scores_is_covered_by_the_profile_alone():
    rng, missed = np.random.default_rng(5), np.zeros(2)
    for _ in range(400):
        pos, neg = (rng.random(200) + (rng.random(200) < rate) for rate in (0.95, 0.1))
        table = rs.tabulate_classes(pos, neg)
        for i, method in enumerate(("profile", "rank mixture")):
            missed[i] += 0.95 not in tpr_at_interval(table, 0.1, method=method)
    assert missed[0] <= 32  # 6.5 percent would be 26, and two standard errors more 36
    assert missed[1] > missed[0]


def test_whoever_does_not_ask_has_the_profile():
    table = rs.tabulate([1, 1, 0, 1, 0, 0, 0], [9, 8, 7, 5, 4, 3, 1])
    for function, at in ((tpr_at_interval, (0.4,)), (fpr_at_interval, (0.4,)), (eer_interval, ())):
        assert function(table, *at) == function(table, *at, method="profile")
        assert function(table, *at) != function(table, *at, method="rank mixture")
    assert eer_interval(table).method == "profile, inverted"


def test_within_a_tie_positives_count_in_proportion():
    # A yes/no test: between its level and (1, 1) the curve is a line, and known as one.
    table = rs.ScoreTable.from_counts([1, 0], [160, 40], [4, 196])
    line, whole = (tpr_at_interval(table, 0.3, method=each) for each in ("profile", "rank mixture"))
    assert line.high - line.low < 0.7 * (whole.high - whole.low)


@pytest.mark.parametrize("method", ["rank mixture", "profile"])
@settings(max_examples=40, deadline=None)
@given(sample=samples(), rates=st.tuples(RATES, RATES))
def test_limits_hold_the_reading_rise_with_the_rate_and_widen_with_the_level(method, sample, rates):
    table = rs.tabulate(*sample)
    curve, interval = rs.roc_curve(table), partial(tpr_at_interval, table, method=method)
    low, high = (interval(rate) for rate in sorted(rates))
    assert low.low <= high.low + 1e-12
    assert low.high <= high.high + 1e-12
    for rate in rates:
        inner, outer = (interval(rate, level=level) for level in (0.5, 0.9))
        assert outer.low <= inner.low <= inner.high <= outer.high
        if 0 < rate < 1:
            assert curve.tpr_at(rate) in interval(rate, level=0.9)


def test_many_negatives_leave_the_limits_of_a_known_threshold():
    rng = np.random.default_rng(1)
    pos, neg = rng.normal(1, 1, 40), rng.normal(0, 1, 400_000)
    table = rs.tabulate(np.repeat([1, 0], [40, 400_000]), np.append(pos, neg))
    above = int((pos > np.quantile(neg, 0.9)).sum())
    known = rate_interval(above, 40)
    found = tpr_at_interval(table, 0.1)
    assert tuple(found) == pytest.approx(tuple(known), abs=0.03)
    assert known.low < found.low < found.high < known.high  # mid-p inside Clopper-Pearson


def test_a_weight_that_all_cases_share_changes_nothing():
    label, score = [1, 1, 0, 1, 0, 0, 0], [9, 8, 7, 5, 4, 3, 1]
    plain, weighted = rs.tabulate(label, score), rs.tabulate(label, score, sample_weight=[3.5] * 7)
    for function, at in (
        (tpr_at_interval, (0.3,)),
        (fpr_at_interval, (0.6,)),
        (eer_interval, ()),
        (youden_interval, ()),
    ):
        assert tuple(function(weighted, *at)) == pytest.approx(tuple(function(plain, *at)))


@settings(max_examples=40)
@given(sample=samples())
def test_youdens_limits_hold_the_index_and_widen_with_the_level(sample):
    table = rs.tabulate(*sample)
    assume(youden(table) > 0)
    inner, outer = (youden_interval(table, level=level) for level in (0.5, 0.95))
    assert 0 <= outer.low <= inner.low <= youden(table) <= inner.high <= outer.high <= 1
    plain = youden_interval(table, method="newcombe")
    assert outer.low <= plain.low
    assert plain.high <= outer.high


def test_youdens_newcombe_is_that_of_two_proportions():
    # 56/70 - 48/80: .0524 to .3339 in Newcombe (1998), table II, method 10.
    score = [1] * 56 + [0] * 14 + [1] * 48 + [0] * 32
    table = rs.tabulate([1] * 70 + [0] * 80, score)
    found = youden_interval(table, method="newcombe")
    assert tuple(found) == pytest.approx((0.0524, 0.3339), abs=5e-5)


def test_where_the_score_knows_nothing_the_search_is_allowed_for():
    # True index 0: BCa covers it in half of the samples or fewer.
    rng = np.random.default_rng(7)
    label = np.repeat([1, 0], [30, 30])
    ours = bca = 0
    for _ in range(150):
        table = rs.tabulate(label, rng.normal(size=60))
        ours += 0.0 in youden_interval(table, n_sim=300)
        bca += 0.0 in bootstrap(table, "youden", n_boot=99, rng=1).interval(method="bca")
    assert binomtest(ours, 150, 0.935, "less").pvalue > 0.01
    assert bca < 110


def test_the_bootstrap_takes_these_limits_unless_told():
    table = rs.tabulate([1, 1, 0, 1, 0, 0, 0], [9, 8, 7, 5, 4, 3, 1])
    for statistic, found in (
        ("youden", youden_interval(table, level=0.9)),
        (tpr_at(0.2), tpr_at_interval(table, 0.2, level=0.9)),
        (fpr_at(0.8), fpr_at_interval(table, 0.8, level=0.9)),
    ):
        sample = bootstrap(table, statistic, n_boot=50, rng=1)
        assert sample.interval(0.9) == found
        assert sample.interval(0.9, method="percentile").method == "bootstrap percentile"


def test_errors():
    table = rs.tabulate([1, 0], [2, 1])
    with pytest.raises(ValueError, match="fpr"):
        tpr_at_interval(table, 1.5)
    with pytest.raises(ValueError, match="tpr"):
        fpr_at_interval(table, -0.1)
    with pytest.raises(ValueError, match="method"):
        eer_interval(table, method="delta")
    with pytest.raises(ValueError, match="method"):
        youden_interval(table, method="delta")
    with pytest.raises(ValueError, match="n_sim"):
        youden_interval(table, n_sim=0)
    with pytest.raises(
        rs.counts.SingleClassError,
        match=r"youden_interval needs .* 2 positives and 0",
    ):
        youden_interval(rs.tabulate([1, 1], [2, 1]))


def test_the_error_of_the_search_is_studentised_by_beta_variances(monkeypatch):
    # The errors of order statistics are those of Beta(x, k + 1 - x).
    table = rs.tabulate([1] * 8 + [0] * 30, [*range(20, 36, 2), *range(30)])
    seen = []
    largest = _on_curve._largest

    def watched(classes, seeds, many, view):
        seen.append((classes, view))
        return largest(classes, seeds, many, view)

    monkeypatch.setattr(_on_curve, "_largest", watched)
    youden_interval(table, rng=1)
    (classes, view), *_ = seen
    variance = sum(
        np.where(x > 0, stats.beta(np.maximum(x, 1), k + 1 - x).var(), 0) for x, k in classes
    )
    np.testing.assert_allclose((view(1.0) - view(0.0)) ** -2, variance)


@pytest.mark.parametrize("sizes", [(5, 60), (60, 5)])
def test_the_search_is_allowed_for_with_five_cases_of_a_class(sizes):
    rng, missed = np.random.default_rng(11), 0
    for _ in range(200):
        table = rs.tabulate(np.repeat([1, 0], sizes), rng.standard_normal(sum(sizes)))
        missed += youden_interval(table, n_sim=200).low > 0
    assert missed <= 10  # nominal: 5


def test_the_errors_of_the_search_are_those_just_above_a_case():
    # One threshold, two positives of five and three negatives of eight: U_(2) and V_(4).
    classes = ((np.array([2.0, 5.0]), 5.0), (np.array([3.0, 8.0]), 8.0))
    first = _on_curve._largest(classes, np.array([1]), 4000, lambda error: error[:, :1])
    assert first.mean() == pytest.approx(2 / 5 - 2 / 6 + 4 / 9 - 3 / 8, abs=0.02)
    variance = stats.beta(2, 4).var() + stats.beta(4, 5).var()
    assert first.var() == pytest.approx(variance, rel=0.1)
    last = _on_curve._largest(classes, np.array([1]), 50, lambda error: error[:, 1:])
    assert (last >= 0).all()  # all negatives are called: their rate is 1


@pytest.mark.parametrize("method", ["rank mixture", "profile"])
@settings(max_examples=8, deadline=None)
@given(sample=samples(), level=st.sampled_from([0.5, 0.95]))
def test_the_equal_error_rate_is_where_the_curve_may_meet_the_other_diagonal(method, sample, level):
    table = rs.tabulate(*sample)
    low, high = eer_interval(table, level=level, method=method)
    assert 0 <= low <= rs.curves.eer(table) <= high <= 1
    for x in np.linspace(0.01, 0.99, 7):
        ends = tpr_at_interval(table, x, level=level, method=method)
        inside = ends.low <= 1 - x <= ends.high
        assert inside == (low <= x <= high) or min(abs(x - low), abs(x - high)) < 1e-9
    wider = eer_interval(table, level=(1 + level) / 2, method=method)
    assert wider.low <= low + 1e-9
    assert high - 1e-9 <= wider.high


@pytest.mark.parametrize(("method", "most"), [("rank mixture", 0.99**0.5), ("profile", 0.99)])
def test_equal_error_rates_of_swapped_classes_and_of_one_case(method, most):
    rng = np.random.default_rng(2)
    y = np.arange(50) % 2 == 1
    score = y + rng.normal(size=50)
    one, other = (
        tuple(eer_interval(table, method=method))
        for table in (rs.tabulate(y, score), rs.tabulate(~y, -score))
    )
    assert one == pytest.approx(other, abs=1e-9)
    # One case in each class, the positive on top. At x the profile has the mid-p of 1 out of 1,
    # (1 - x) / 2 = .005. The mixture has (1 - x) / 2 at 0, where K = 0, and x / 2 of Beta(1, 1),
    # where K = 1: up to 1 - x that is (1 - x^2) / 2 = .005.
    found = eer_interval(rs.tabulate([1, 0], [2, 1]), level=0.99, method=method)
    assert tuple(found) == pytest.approx((0, most), abs=1e-9)


def test_the_upper_limit_of_the_index_allows_for_other_thresholds():
    # All five positives are called at the best threshold of the sample, whose rate of 1 has no
    # error upwards; one step higher the rate of .6 has one.
    table = rs.ScoreTable([3, 2, 1], [3, 2, 0], [200, 250, 550])
    plain, found = (youden_interval(table, method=of) for of in ("newcombe", "intersection"))
    other = youden_interval(rs.ScoreTable([3, 1], [3, 2], [200, 800]))
    best = youden_interval(rs.ScoreTable([2, 1], [5, 0], [450, 550]))
    assert plain.high < best.high < other.high
    assert found.high == pytest.approx(other.high)
    assert found.low <= plain.low


def test_a_constant_score_may_have_high_values_that_were_not_drawn():
    # The threshold above all scores: of neither class was a case called, the one-sided exact limit
    # of 0 of 2, which is farther than Wilson's.
    few, many = 2, 60
    table = rs.ScoreTable([1], [few], [many])
    assert tuple(youden_interval(table)) == pytest.approx((0, 1 - 0.05 ** (1 / few)))
    mirrored = rs.ScoreTable([1], [many], [few])
    assert tuple(youden_interval(mirrored)) == pytest.approx(tuple(youden_interval(table)))


def test_the_index_of_a_rare_finding_is_covered():
    # Exactly: a finding in .3 of the positives and .005 of the negatives. The samples without any
    # have a probability of .1, and their interval ended at .04.
    pos, neg, index, covered = stats.binom(5, 0.3), stats.binom(100, 0.005), 0.295, 0.0
    for i in range(6):
        for h in range(5):
            found = i or h
            rows = ([2, 1], [i, 5 - i], [h, 100 - h]) if found else ([1], [5], [100])
            low, high = youden_interval(rs.ScoreTable(*rows), n_sim=200)
            covered += float(pos.pmf(i) * neg.pmf(h)) * (low <= index <= high)
    assert covered > 0.95


@pytest.mark.parametrize(
    ("sizes", "tpr", "fpr", "share"),
    [
        ((3, 300), 0.95, 0.01, 0.9927),  # was 85.7 percent
        ((5, 100), 0.97, 0.005, 0.9897),  # was 85.9
        ((20, 100), 0.99, 0.007, 0.9569),  # was 89.9
        ((50, 50), 0.995, 0.011, 0.9534),  # was 89.1
    ],
)
def test_the_index_of_a_yes_no_test_with_few_errors_is_covered(sizes, tpr, fpr, share):
    # Exactly, but for outcomes of a chance below 1e-10.
    (m, n), index, covered = sizes, tpr - fpr, 0.0
    for i, h in product(range(m + 1), range(n + 1)):
        chance = float(stats.binom.pmf(i, m, tpr) * stats.binom.pmf(h, n, fpr))
        if chance > 1e-10:
            table = rs.ScoreTable.from_counts([2, 1], [i, m - i], [h, n - h])
            covered += chance * (index in youden_interval(table, n_sim=200))
    assert covered == pytest.approx(share, abs=5e-5)


def exact_or_wilson(x, n, upper):
    """The farther of Wilson's limit, by root finding, and the one-sided exact one."""
    z, near, far = stats.norm.ppf(0.975), x / n, float(upper)
    if near == far:
        return far

    def surprise(p):
        return (near - p) ** 2 - z * z * p * (1 - p) / n

    def tail(p):
        return (stats.binom.cdf(x, n, p) if upper else stats.binom.sf(x - 1, n, p)) - 0.05

    inside = near + (far - near) * 1e-9
    ends = [optimize.brentq(surprise, inside, far - (far - near) * 1e-9, xtol=1e-13)]
    ends.append(optimize.brentq(tail, inside, far, xtol=1e-13))
    return max(ends) if upper else min(ends)


def by_score(tp, m, fp, n):
    """Miettinen and Nurminen's upper limit, with the second rate searched where most likely."""

    def excess(gap):
        def surprise(second):
            both = ((tp, m, second + gap), (fp, n, second))
            return -sum(special.xlogy(x, p) + special.xlog1py(size - x, -p) for x, size, p in both)

        bounds = (0.0, 1 - gap)
        second = optimize.minimize_scalar(surprise, bounds=bounds, options={"xatol": 1e-12}).x
        first = second + gap
        variance = (first * (1 - first) / m + second * (1 - second) / n) * (m + n) / (m + n - 1)
        return (tp / m - fp / n - gap) ** 2 - stats.norm.ppf(0.975) ** 2 * variance

    return optimize.brentq(excess, tp / m - fp / n, 1 - 1e-9)


@pytest.mark.parametrize(
    ("counts", "by"),
    [((2, 3, 1, 300), "rates"), ((4, 5, 0, 100), "rates"), ((45, 50, 2, 50), "score")],
)
def test_the_upper_limit_of_a_yes_no_test_by_search(counts, by):
    tp, m, fp, n = counts
    up, down = exact_or_wilson(tp, m, True) - tp / m, fp / n - exact_or_wilson(fp, n, False)
    ends = {"rates": tp / m - fp / n + np.hypot(up, down), "score": by_score(*counts)}
    assert max(ends, key=ends.get) == by
    found = youden_interval(rs.ScoreTable.from_counts([2, 1], [tp, m - tp], [fp, n - fp]))
    assert found.high == pytest.approx(ends[by], abs=1e-7)


def test_an_upper_limit_of_another_threshold_may_be_farther_still():
    # All 100 positives are called at the best threshold; where 80 are, and no negatives, the limit
    # is farther than both there, and made of Wilson's limits alone.
    table = rs.ScoreTable([3, 2, 1], [80, 20, 0], [0, 79, 321])
    plain = youden_interval(rs.ScoreTable([3, 1], [80, 20], [0, 400]), method="newcombe")
    best = youden_interval(rs.ScoreTable([2, 1], [100, 0], [79, 321]))
    assert best.high < plain.high
    assert youden_interval(table).high == pytest.approx(plain.high, abs=1e-12)
