"""The interval that allows for half a case that was not seen."""

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import optimize, special, stats

import rocspace as rs
from rocspace.inference import partial_auc_estimate
from rocspace.multiclass import hand_till_estimate, multiclass_scores
from rocspace.results.limits import wilson_ends
from rocspace.results.unseen import (
    ClassMean,
    Cuts,
    TiedEnds,
    WeightedMean,
    cut_distances,
    heavy_half,
    heavy_limits,
    means_over_strata,
    null_limits,
    part_of_case,
    square_and_add,
    stacked,
    unseen_limits,
    unseen_limits_of_many,
    weighted_variance,
)
from slow.data import samples


def yes_no(tp, n_pos, fp, n_neg):
    return rs.delong(rs.ScoreTable.from_counts([1, 0], [tp, n_pos - tp], [fp, n_neg - fp]))


def by_definition(label, score, level):
    """Placements of the cases themselves, one by one; the limits as the docs tell them."""
    label, score = np.array(label), np.array(score)
    pos, neg = score[label], score[~label]
    wins = (pos[:, None] > neg) + (pos[:, None] == neg) / 2
    area = wins.mean()

    def as_pos(x):
        return np.mean((x > neg) + (x == neg) / 2)

    def as_neg(x):
        return np.mean((pos > x) + (pos == x) / 2)

    bottom, top = score.min(), score.max()
    ends = [(as_pos(bottom), as_pos(top)), (as_neg(top), as_neg(bottom))]

    def limit(seen, low, high, *, upper):
        weight = np.append(np.ones(seen.size), 0.5 if np.ptp(seen) > 1e-12 else 1.0)
        placed = np.append(seen, high if upper else low)
        mean = np.average(placed, weights=weight)
        variance = np.average((placed - mean) ** 2, weights=weight) / (weight.sum() + 1)
        if not (high > low and variance > 1e-25):  # of equal numbers, but for their rounding
            return mean
        u = (mean - low) / (high - low)
        size = u * (1 - u) * (high - low) ** 2 / variance - 1
        tail = (1 + level) / 2 if upper else (1 - level) / 2
        return low + (high - low) * stats.beta.ppf(tail, u * size, (1 - u) * size)

    seen = [wins.mean(axis=1), wins.mean(axis=0)]
    down = [max(area - limit(s, *e, upper=False), 0) for s, e in zip(seen, ends, strict=True)]
    up = [max(limit(s, *e, upper=True) - area, 0) for s, e in zip(seen, ends, strict=True)]
    low, high = max(area - np.hypot(*down), 0), min(area + np.hypot(*up), 1)
    tpr, fpr = (np.mean(of == top) for of in (pos, neg))
    if len(set(score)) == 2 and (0 < tpr < 1 or 0 < fpr < 1):
        of_rates = score_limits(tpr, fpr, pos.size, neg.size, level)
        low = min(low, of_rates[0]) if area <= 0.5 else low
        high = max(high, of_rates[1]) if area >= 0.5 else high
    return low, high


def score_limits(tpr, fpr, n_pos, n_neg, level):
    """Miettinen and Nurminen's, with proportions that are most likely where a slope is zero."""
    z, n = stats.norm.ppf((1 + level) / 2), n_pos + n_neg

    def excess(gap):
        def slope(second):
            """Return that of the likelihood, which falls."""
            both = ((tpr, second + gap, n_pos), (fpr, second, n_neg))
            parts = [m * (p / q if p else 0.0) for p, q, m in both]
            return sum(parts) - sum(m * ((1 - p) / (1 - q) if p < 1 else 0.0) for p, q, m in both)

        least, most = (np.float64(end) for end in (max(0, -gap) + 1e-15, min(1, 1 - gap) - 1e-15))
        if slope(least) <= 0 or slope(most) >= 0:
            two = least if slope(least) <= 0 else most
        else:
            two = optimize.brentq(slope, least, most, xtol=1e-16)
        one = two + gap
        variance = (one * (1 - one) / n_pos + two * (1 - two) / n_neg) * n / (n - 1)
        return (tpr - fpr - gap) ** 2 - z * z * variance

    ends = (optimize.brentq(excess, tpr - fpr, end) for end in (-1 + 1e-9, 1 - 1e-9))
    return [(1 + end) / 2 for end in ends]


@given(samples().filter(lambda s: len(set(s[1])) > 1), st.sampled_from([0.5, 0.9, 0.95, 0.99]))
@example(([False] * 5 + [True], [0.0, 0.0, -1.0, -1.0, -1.0, 0.0]), 0.5)
@example(([False, True, True, False, True], [0.0, 0.0, -1.0, -1.0, -1.0]), 0.9)
def test_by_definition(sample, level):
    estimate = rs.delong(rs.tabulate(*sample))
    if 0 < estimate.value < 1:
        expected = by_definition(*sample, level)
        assert tuple(estimate.interval(level)) == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(
    ("counts", "low", "high"),
    [  # a prototype by another author, to its six digits
        ((20, 20, 100, 1000), 0.889481, 0.958927),
        ((19, 20, 10, 100), 0.834894, 0.960167),
        ((5, 5, 1, 5), 0.588265, 0.997195),
        ((3, 5, 2, 5), 0.293791, 0.840952),
    ],
)
def test_numbers_of_a_prototype(counts, low, high):
    estimate = yes_no(*counts)
    found = square_and_add(estimate.value, estimate.classes, 0.95, [0.5, 0.5])
    assert found == pytest.approx((low, high), abs=6e-7)


def test_rounding_beyond_an_end_leaves_limits():
    # Of a volume: each set with a case of the first class is right or not by the other two alone.
    area, spread = 0.9833634719710669, 3.562200025138632e-30
    first = ClassMean(1.8615384615384616, spread, 0.0, 0.983363471971065, 0.5)
    means = [first, ClassMean(11.0, 8.4e-4, 0.0063, 1.0, 0.26), ClassMean(11.6, 4.7e-4, 0, 1, 0.24)]
    parts = [each.added for each in means]
    exact = [first._replace(spread=0.0, high=area), *means[1:]]
    found = square_and_add(area, means, 0.95, parts)
    assert found == pytest.approx(square_and_add(area, exact, 0.95, parts), rel=1e-9)
    assert area < found[1] < 1
    many = unseen_limits_of_many(area, stacked(means, parts), 0.95)
    assert [float(end) for end in many] == pytest.approx(found, rel=1e-12)


def test_a_yes_no_test_has_score_limits_by_hand():
    # Four of five positives are called, and one of five negatives. Restricted to a difference d the
    # likeliest rates are (1 + d) / 2 and (1 - d) / 2, so that (A - a)^2 = z^2 a (1 - a) / 9 with
    # ten cases less one: Wilson's limit. Square-and-add ends at .9375, below it.
    estimate = yes_no(4, 5, 1, 5)
    found = estimate.interval()
    assert found.high == pytest.approx(wilson_ends(0.8, stats.norm.ppf(0.975) ** 2 / 9)[1])
    low, high = square_and_add(estimate.value, estimate.classes, 0.95, [0.5, 0.5])
    assert found.low == low
    assert high == pytest.approx(0.9375, abs=5e-5)


@pytest.mark.parametrize("counts", [(4, 5, 2, 9), (7, 9, 5, 12), (2, 6, 3, 6), (9, 20, 9, 20)])
@pytest.mark.parametrize("level", [0.5, 0.95])
def test_score_limits_by_search(counts, level):
    tp, n_pos, fp, n_neg = counts
    label = np.repeat([True, True, False, False], [tp, n_pos - tp, fp, n_neg - fp])
    score = np.repeat([1, 0, 1, 0], [tp, n_pos - tp, fp, n_neg - fp])
    expected = by_definition(label, score, level)
    assert tuple(yes_no(*counts).interval(level)) == pytest.approx(expected, abs=1e-8)


def test_a_yes_no_test_of_few_cases_is_covered():
    # Summed over all outcomes of 5 + 5 cases; without the score limits 92.8 percent of them.
    cases = np.arange(6)
    chances = stats.binom.pmf(cases[:, None], 5, 0.93) * stats.binom.pmf(cases, 5, 0.05)
    held = [[0.94 in yes_no(tp, 5, fp, 5).interval() for fp in cases] for tp in cases]
    assert np.sum(chances * held) > 0.935


@pytest.mark.parametrize(
    ("n_pos", "n_neg", "tpr", "fpr", "without"),
    [(6, 300, 0.38, 0.03, 0.911), (20, 400, 0.871, 0.02, 0.929), (12, 60, 0.35, 0.005, 0.933)],
)
def test_a_yes_no_test_with_one_small_class_is_covered(n_pos, n_neg, tpr, fpr, without):
    # Half a case in a class that shows no spread, and no score limit where a rate is 0, is too
    # little: `without` is what that covers at these rates, which lie between round ones.
    truth, held, plain = (1 + tpr - fpr) / 2, 0.0, 0.0
    likely = int(stats.binom.ppf(1 - 1e-6, n_neg, fpr)) + 1
    for tp, fp in product(range(n_pos + 1), range(likely)):
        chance = stats.binom.pmf(tp, n_pos, tpr) * stats.binom.pmf(fp, n_neg, fpr)
        estimate = yes_no(tp, n_pos, fp, n_neg)
        low, high = ends = estimate.interval()
        held += chance * (truth in ends)
        if ends.method.endswith("unseen"):
            low, high = square_and_add(estimate.value, estimate.classes, 0.95, [0.5, 0.5])
        if 0 < tp < n_pos and fp > 0:
            low, high = ends
        plain += chance * (low <= truth <= high)
    assert held > 0.94
    assert plain == pytest.approx(without, abs=5e-4)


def test_a_class_without_spread_has_clopper_and_pearsons_limit():
    # All 30 positives are called, and 400 of 4,000 negatives: hardly any error is the negatives'.
    estimate = yes_no(30, 30, 400, 4000)
    assert [c.added for c in estimate.classes] == [1.0, 0.5]
    of_tpr = 1 - 0.025 ** (1 / 30)
    assert 2 * (0.95 - estimate.interval().low) == pytest.approx(of_tpr, rel=0.01)


def called(sizes, right):
    """Return M where so many cases of each class are called right, the others the next class."""
    k, label = len(sizes), np.repeat(np.arange(len(sizes)), sizes)
    pairs = enumerate(zip(sizes, right, strict=True))
    named = np.concatenate([np.where(np.arange(n) < x, i, (i + 1) % k) for i, (n, x) in pairs])
    return hand_till_estimate(multiclass_scores(label, np.eye(k)[named], classes=list(range(k))))


def without_score_limits(estimate):
    parts = [c.added for c in estimate.classes]
    return square_and_add(estimate.value, estimate.classes, 0.95, parts)


def test_called_classes_have_score_limits_by_hand():
    # Of 10 + 10 + 10 cases 9, 9 and 10 are called right: M = 1/2 + (2.8 - 1) / 4. The likeliest
    # rates with a larger sum are p, p and 1, so that (.9 - p)^2 = z^2 30 / 29 p (1 - p) / 20:
    # Wilson's limit of 18 of 20, and M = 1/2 + 2 p / 4.
    estimate = called((10, 10, 10), (9, 9, 10))
    p = wilson_ends(0.9, stats.norm.ppf(0.975) ** 2 * 30 / 29 / 20)[1]
    assert estimate.value == pytest.approx(0.95)
    assert estimate.interval().high == pytest.approx(0.5 + p / 2, abs=1e-9)
    assert estimate.interval().low == without_score_limits(estimate)[0]
    assert without_score_limits(estimate)[1] < 0.5 + p / 2 - 0.002


def test_two_classes_of_four_that_are_called_wrong_suffice():
    # As above with 9, 9, 10 and 10 of ten: M = 1/2 + (2 p + 2 - 1) / 6, N / (N - 1) = 40 / 39.
    estimate = called((10, 10, 10, 10), (9, 9, 10, 10))
    p = wilson_ends(0.9, stats.norm.ppf(0.975) ** 2 * 40 / 39 / 20)[1]
    assert estimate.interval().high == pytest.approx(0.5 + (2 * p + 1) / 6, abs=1e-9)


@pytest.mark.parametrize(
    ("sizes", "right"),
    [((9, 12, 7), (8, 11, 5)), ((8, 8, 20), (7, 8, 19)), ((6, 9, 7, 8), (5, 8, 6, 8))],
)
def test_score_limits_of_a_sum_by_search(sizes, right):
    n, x = np.array(sizes), np.array(right)
    k, rates = n.size, x / n
    factor = stats.norm.ppf(0.975) ** 2 * n.sum() / (n.sum() - 1)

    def likeliest(total):
        def loss(p):
            return -float(special.xlogy(x, p).sum() + special.xlog1py(n - x, -p).sum())

        start = rates + (total - rates.sum()) * (1 - rates) / (k - rates.sum())
        equal = {"type": "eq", "fun": lambda p: p.sum() - total}
        ends = [(1e-9, 1 - 1e-12)] * k
        options = {"ftol": 1e-14, "maxiter": 500}
        return optimize.minimize(loss, start, bounds=ends, constraints=equal, options=options).x

    def excess(total):
        p = likeliest(total)
        return (rates.sum() - total) ** 2 - factor * (p * (1 - p) / n).sum()

    top = optimize.brentq(excess, rates.sum() + 1e-6, k - 1e-6, xtol=1e-10)
    estimate = called(sizes, right)
    limit = max(without_score_limits(estimate)[1], 0.5 + (top - 1) / (2 * (k - 1)))
    assert estimate.interval().high == pytest.approx(limit, abs=1e-5)


def test_called_classes_near_one_are_covered():
    # Summed over all outcomes of 10 + 10 + 10 cases; without the score limits 90.5 percent.
    truth, held, without = 0.5 + (3 * 0.98 - 1) / 4, 0.0, 0.0
    for right in product(range(7, 11), repeat=3):
        chance = stats.binom.pmf(right, 10, 0.98).prod()
        estimate = called((10, 10, 10), right)
        held += chance * (truth in estimate.interval())
        if min(right) < 10:
            low, high = without_score_limits(estimate)
            without += chance * (low <= truth <= high)
    without += stats.binom.pmf(10, 10, 0.98) ** 3
    assert held > 0.935
    assert without < 0.92


def test_scores_that_do_more_than_name_a_class_have_no_score_limits():
    rng = np.random.default_rng(3)
    label = np.repeat([0, 1, 2], 10)
    score = np.eye(3)[label] * rng.choice([0.0, 1.0, 2.0], p=[0.1, 0.4, 0.5], size=(30, 3))
    estimate = hand_till_estimate(multiclass_scores(label, score, classes=[0, 1, 2]))
    assert tuple(estimate.interval()) == without_score_limits(estimate)


def test_by_hand():
    # Positives 2 and 1, negative 0 and 1: placements 1, 3/4 and 1, 3/4, area 7/8. Worst: a positive
    # tied with 0 beats 1/4, so lo = 1/4, hi = 3/4 + 1/4 = 1. With half a case at 1/4: m = (7/4 +
    # 1/8) / (5/2) = 3/4, s = (1/16 + 0 + 1/8) / (5/2) = 3/40, variance (3/40) / (7/2) = 3/140.
    # u = 2/3, nu = 2/9 x 9/16 / (3/140) - 1 = 29/6: Beta(29/9, 29/18) on [1/4, 1].
    estimate = rs.delong(rs.tabulate([1, 1, 0, 0], [2, 1, 0, 1]))
    end = 0.25 + 0.75 * stats.beta.ppf(0.025, 29 / 9, 29 / 18)
    assert estimate.value == 7 / 8
    assert estimate.interval().low == pytest.approx(7 / 8 - 2**0.5 * (7 / 8 - end), rel=1e-12)


SHARES = st.integers(0, 1000).map(lambda thousandths: thousandths / 1000)


@given(
    SHARES,
    st.lists(st.tuples(st.floats(1, 1e12), SHARES, SHARES, SHARES), min_size=1, max_size=4),
    st.sampled_from([0.125, 0.5, 1.0]),
    st.sampled_from([0.5, 0.9, 0.95, 0.999]),
)
def test_one_area_has_the_limits_that_it_has_among_many(area, classes, added, level):
    means = [
        ClassMean(n, share * (area - low) * (high - area), low, high, added)
        for n, share, low, high in (
            (n, share, area * below, area + (1 - area) * above)
            for n, share, below, above in classes
        )
    ]
    parts = [added] * len(means)
    low, high = unseen_limits_of_many(area, stacked(means, parts), level)
    assert square_and_add(area, means, level, parts) == (low, high)
    assert 0 <= low <= area <= high <= 1


def test_a_class_whose_range_is_a_point_is_at_that_point():
    point = ClassMean(n=10, spread=0.01, low=0.6, high=0.6)
    assert square_and_add(0.6, [point], 0.95, [0.5]) == pytest.approx((0.6, 0.6))
    assert unseen_limits_of_many(0.6, stacked([point], [0.5]), 0.95) == pytest.approx((0.6, 0.6))


def test_which_part_of_a_case_by_hand():
    # A sum of squares of 2e-20 is a spread, of half of 1e-20 it is rounding: of numbers and arrays.
    spreads, n = [1e-24, 2e-21, 5e-22, 0.0], [1e5, 10.0, 10.0, 5.0]
    parts = [0.5, 0.5, 1.0, 1.0]
    assert list(map(part_of_case, spreads, n)) == parts
    assert part_of_case(np.array(spreads), np.array(n)).tolist() == parts


def test_means_over_strata_by_hand():
    # A quarter and three quarters. Of the negatives .2 and .4 have the lowest score, .1 and .3 the
    # highest: the lowest positive beats half of .05 + .3, the highest all but half of .025 + .225.
    # Of the positives .1 and .3 are lowest, .5 and 0 highest: a negative at the top is below half
    # of .125, one at the bottom is below all but half of .025 + .225.
    tied = [
        TiedEnds(pos=(0.1, 0.5), neg=(0.2, 0.1)),
        TiedEnds(pos=(0.3, 0.0), neg=(0.4, 0.3)),
    ]
    pos, neg = means_over_strata([0.01, 0.0], [9.0, 0.5], tied, [0.25, 0.75])
    assert pos == pytest.approx((9, 0.01 * 8, 0.175, 1 - 0.125, 0.5))
    assert neg == pytest.approx((0.5, 0, 0.0625, 1 - 0.125, 1))


def test_a_heavy_case_more_in_each_class_by_hand():
    # Satterthwaite: .05^2 / (.04^2 / 9 + .01^2 / 20); a class without variance adds nothing.
    mean = ClassMean(n=10, spread=0.1, low=0, high=1)
    one = WeightedMean(mean, variance=0.04, df=9, unseen=0.01, heavy=1)
    none = WeightedMean(mean, variance=0, df=0, unseen=0, heavy=1)
    variance, df = weighted_variance([one, none])
    assert variance == pytest.approx(0.05)
    assert df == pytest.approx(0.0025 / (0.0016 / 9 + 0.0001 / 20))
    half = stats.t.ppf(0.95, df) * 0.05**0.5
    assert heavy_half((one, none), 0.9) == pytest.approx(half)
    # Wilson's limits a of .8: the variance there is .05 a (1 - a) / (.8 x .2).
    for limit in heavy_limits(0.8, (one, none), 0.9):
        assert (0.8 - limit) ** 2 == pytest.approx(half**2 * limit * (1 - limit) / 0.16)


def test_wilsons_limits_of_a_volume_by_hand():
    low, high = null_limits(0.3, 0.02, 0.9)
    assert low < 0.3 < high
    for limit in (low, high):
        variance = 0.02 * limit * (1 - limit)
        assert (0.3 - limit) ** 2 == pytest.approx(stats.norm.ppf(0.95) ** 2 * variance)


@example(([False] * 3 + [True] * 3, [0.0, 0.0, 1.0, 0.0, 0.0, 1.0]))  # half the calls right
@given(samples())
def test_classes_and_directions_may_be_swapped(sample):
    label, score = (np.array(column) for column in sample)
    low, high = rs.delong(rs.tabulate(label, score)).interval()
    swapped = rs.delong(rs.tabulate(~label, -score)).interval()
    assert tuple(swapped) == pytest.approx((low, high), abs=1e-9)
    turned = rs.delong(rs.tabulate(label, -score)).interval()
    assert tuple(turned) == pytest.approx((1 - high, 1 - low), abs=1e-9)


@given(samples())
def test_a_higher_level_is_wider(sample):
    estimate = rs.delong(rs.tabulate(*sample))
    found = [estimate.interval(level) for level in (0.2, 0.5, 0.9, 0.99, 0.9999)]
    assert all(0 <= i.low <= estimate.value <= i.high <= 1 for i in found)
    for inner, outer in pairwise(found):
        assert outer.low <= inner.low + 1e-12
        assert outer.high >= inner.high - 1e-12


def test_a_single_case_has_nested_intervals():
    # Its limits are those of a uniform distribution, whose quantiles SciPy inverts wrongly where
    # rounding makes both shapes a little more than 1: at level .5 the lower limit was .093.
    estimate = rs.delong(rs.tabulate([0, 0, 0, 0, 0, 1], [0, 0, 0, -1, -2, 0]))
    lows = [estimate.interval(level).low for level in (0.4, 0.5, 0.6, 0.9)]
    assert lows == sorted(lows, reverse=True)
    # The positive, .7, ranges from .1; one more at .1 gives a uniform distribution on (.1, .7).
    # Negatives: .7 with the spread .06 in (.5, 1), half a case at .5: beta(2, 3.5).
    of_neg = 0.7 - (0.5 + 0.5 * stats.beta(2, 3.5).ppf(0.25))
    assert lows[1] == pytest.approx(0.7 - np.hypot(0.7 - (0.1 + 0.6 * 0.25), of_neg), abs=1e-12)


def test_a_part_by_hand():
    # Positives 4 and 2, negatives 3 and 1, fpr 0 to .5, all in shares of .5. The area is .5. Of the
    # positives 4 beats the one negative of the range, 2 does not; a case tied with the lowest score
    # has 0, with the highest 1. Negative 3: S(3) - S(cut) (1 - f) = .5 - .5 = 0, negative 1:
    # f S(cut) = .5, as a share 1; one tied with 4: .25 - .5 = -.25, as a share -.5.
    # With half a case at 0: m = .4, s = .24, u = .4, nu = .24 / (.24 / 3.5) - 1 = 2.5. At -.5: m =
    # .3, s = .36, u = 8/15, nu = (56/225) (9/4) / (.36 / 3.5) - 1 = 40/9.
    estimate = partial_auc_estimate(rs.tabulate([1, 0, 1, 0], [4, 3, 2, 1]), fpr=(0, 0.5))
    of_pos = stats.beta.ppf(0.4, 1, 1.5)
    of_neg = -0.5 + 1.5 * stats.beta.ppf(0.4, 8 / 15 * 40 / 9, 7 / 15 * 40 / 9)
    assert estimate.value == 0.25
    below = np.hypot(0.5 - of_pos, 0.5 - of_neg)
    assert estimate.interval(0.2).low == pytest.approx(0.5 * (0.5 - below), rel=1e-12)
    assert estimate.interval(0.2).method == "placements, unseen"


PARTS = st.sampled_from([(0.0, 0.1), (0.0, 0.3), (0.2, 0.5), (0.8, 1.0), (1 / 3, 2 / 3)])


@given(samples(), PARTS)
def test_parts_hold_their_value_and_are_nested(sample, part):
    estimate = partial_auc_estimate(rs.tabulate(*sample), fpr=part)
    found = [estimate.interval(level) for level in (0.2, 0.5, 0.9, 0.99, 0.9999)]
    least, most = estimate.range
    assert all(least <= i.low <= estimate.value <= i.high <= most for i in found)
    for inner, outer in pairwise(found):
        assert outer.low <= inner.low + 1e-12
        assert outer.high >= inner.high - 1e-12


@given(samples(), PARTS)
def test_parts_of_swapped_classes(sample, part):
    # Beside the tpr of a score is under the fpr of the same with the classes swapped and turned.
    label, score = (np.array(column) for column in sample)
    one = partial_auc_estimate(rs.tabulate(label, score), tpr=(1 - part[1], 1 - part[0]))
    other = partial_auc_estimate(rs.tabulate(~label, -score), fpr=part)
    assert tuple(one.interval()) == pytest.approx(tuple(other.interval()), abs=1e-8)


def test_a_part_of_a_yes_no_test():
    # All of 20 positives are called, and 100 of 1000 negatives, of a test with tpr .95 and fpr .1:
    # its curve goes straight to (.1, .95), and from there to (1, 1).
    called = rs.ScoreTable.from_counts([1, 0], [20, 0], [100, 900])
    estimate = partial_auc_estimate(called, tpr=(0.8, 1))
    truth = 0.15 - 0.1 / 0.95 * (0.95**2 - 0.8**2) / 2 + 0.05 * 0.9 / 2
    assert truth in estimate.interval()
    assert truth not in estimate.interval(scale="moderated")


def test_large_samples_have_the_usual_interval():
    rng = np.random.default_rng(1)
    label = rng.random(200_000) < 0.5
    estimate = rs.delong(rs.tabulate(label, rng.normal(size=label.size) + label))
    usual = estimate.interval(scale="identity")
    assert tuple(estimate.interval()) == pytest.approx(tuple(usual), abs=1e-4)


def test_cuts_by_hand():
    """On the diagonal a cut that moves by a step moves the other rate by as much."""
    table = rs.tabulate(np.tile([1, 0], 50), np.repeat(np.arange(50), 2))
    cuts = Cuts(curve=rs.roc_curve(table), low=0.4, high=0.6, n=400.0)
    rate = 0.4 + 0.2 * (np.arange(256) + 0.5) / 256
    step = stats.norm.ppf(0.95) * np.sqrt(rate * (1 - rate) / 400)
    assert cut_distances(cuts, 0.9) == pytest.approx((step.mean(), step.mean()), rel=1e-12)


def test_cuts_beyond_the_curve():
    """With few cases the cuts may be anywhere, where the other rate is 0 and 1."""
    table = rs.tabulate([1, 0, 1, 0], [4, 3, 2, 1])  # the curve is 1/2 up to fpr 1/2, then 1
    cuts = Cuts(curve=rs.roc_curve(table), low=0.2, high=0.3, n=1e-3)
    assert cut_distances(cuts, 0.95) == (0.5, 0.5)


@pytest.mark.parametrize("part", [{"fpr": (0.1, 0.3)}, {"tpr": (0.6, 0.9)}])
def test_a_part_inside_is_as_wide_as_its_cuts(part):
    rng = np.random.default_rng(5)
    table = rs.tabulate_classes(rng.normal(1, 1, 30), rng.normal(0, 1, 12))
    estimate = partial_auc_estimate(table, **part)
    cuts, width = estimate.cuts, estimate.range[1]
    assert cuts.n == (12 if "fpr" in part else 30)
    mean = estimate.value / width
    without = unseen_limits(mean, estimate.classes, 0.95)
    low, high = unseen_limits(mean, estimate.classes, 0.95, cuts=cuts)
    below, above = cut_distances(cuts, 0.95)
    assert low <= min(without[0], max(mean - below, 0))
    assert high >= max(without[1], min(mean + above, 1))
    found = estimate.interval(0.95)
    assert found.low == pytest.approx(width * low)
    assert found.high >= width * high - 1e-12


def test_a_part_inside_holds_with_few_negatives():
    """A hooked curve: without moved cuts the interval held it in 109 of 150 samples."""
    rng, held = np.random.default_rng(6), 0
    mean, sd = stats.norm.ppf(0.85) * (1 + 1 / 9) ** 0.5, 1 / 3
    at = np.linspace(0.1, 0.3, 2001)
    truth = 0.2 * stats.norm.sf((stats.norm.isf(at) - mean) / sd).mean()
    for _ in range(150):
        table = rs.tabulate_classes(rng.normal(mean, sd, 100), rng.normal(0, 1, 12))
        low, high = partial_auc_estimate(table, fpr=(0.1, 0.3)).interval(0.95)
        held += low <= truth <= high
    assert held >= 141


@pytest.mark.parametrize("many", [10**7, 10**8, 10**10, 10**12])
def test_many_cases_that_share_one_score_have_no_variance(many):
    """Quantiles of beta distributions of such shapes are nan in SciPy."""

    def limits(n):
        score, pos, neg = np.array([3.0, 2, 1]), np.array([0, n, 0]), np.array([15, 0, 1])
        return rs.delong(rs.ScoreTable(score=score, pos=pos, neg=neg)).interval()

    assert tuple(limits(many)) == pytest.approx(tuple(limits(10**6)), abs=1e-6)


def test_a_small_class_in_one_category_is_no_certainty():
    # All of 100 positives are called, and 200 of 10 000 negatives.
    estimate = yes_no(100, 100, 200, 10_000)
    # Numbers of a prototype by another author, with half a case and with a whole one.
    low, _ = square_and_add(estimate.value, estimate.classes, 0.95, [0.5, 0.5])
    assert low == pytest.approx(0.9775, abs=5e-5)
    assert estimate.interval().low == pytest.approx(0.9718, abs=5e-5)
    assert estimate.interval(scale="moderated").low > 0.987


def test_who_has_it():
    table = rs.tabulate([0, 0, 1, 1, 1], [1, 2, 2, 3, 1])
    assert rs.delong(table).interval().method == "delong, unseen"
    assert rs.auc_estimate(table, method="bamber").interval().method == "bamber, moderated"
    weighted = rs.tabulate([0, 0, 1, 1, 1], [1, 2, 2, 3, 1], sample_weight=[1, 2, 1, 2, 1.5])
    assert rs.delong(weighted).interval().method == "delong, unseen"
    with pytest.raises(ValueError, match=r'"unseen" needs the placements of both classes'):
        rs.auc_estimate(table, method="bamber").interval(scale="unseen")
