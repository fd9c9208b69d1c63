"""Intervals of an estimate: by hand, by definition, and never outside the range or a point."""

from math import comb, exp, log

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from scipy import stats

import rocspace as rs
from rocspace.compare import auc_difference, noninferiority_test
from rocspace.counts import tabulate
from rocspace.inference import auc_estimate, delong, partial_auc_estimate
from rocspace.results import Difference, Estimate, Interval, OperatingPoint, TestResult
from rocspace.results.estimates import AreaEstimate, n_pairs_of, no_spread
from rocspace.results.interval import intervals_of
from slow.data import F3, assert_close, samples

SCALES = ["moderated", "logit", "identity", "hoeffding"]
LEVELS = st.floats(0.01, 0.9999)


def estimate(value, se=0.1, **rest):
    return AreaEstimate(value=value, se=se, method="test", **{"n_pairs": 10, **rest})


def estimates_of(sample):
    """The whole area and two parts of it, however the sample looks."""
    table = tabulate(*sample)
    return [
        delong(table),
        auc_estimate(table, method="unbiased"),
        partial_auc_estimate(table, fpr=(0, 0.3)),
        partial_auc_estimate(table, tpr=(0.55, 0.9)),
    ]


# --- by hand ----------------------------------------------------------------------------------


def test_identity_by_hand():
    interval = estimate(0.7).interval(0.95, scale="identity")
    assert_close(list(interval), [0.7 - 0.1959963984540054, 0.7 + 0.1959963984540054], 14)
    assert interval.method == "test, identity"
    assert estimate(0.9).interval(0.95, scale="identity").high == 1.0


def test_logit_by_hand():
    # logit .8 = log 4, its standard error .1/.16.
    low, high = estimate(0.8).interval(0.9, scale="logit")
    half = 1.6448536269514722 * 0.1 / 0.16
    assert_close([low, high], [1 / (1 + exp(half) / 4), 1 / (1 + exp(-half) / 4)], 13)


def test_moderated_by_hand():
    # df 5, se .05, model .1: variance (5 x .0025 + 20 x .01)/25 = .0085, t with 10 df. Both
    # ends are where (.8 - a)^2 = t^2 .0085 a (1 - a)/.16, as is seen by putting them in.
    got = estimate(0.8, 0.05, df=5.0, model_se=0.1).interval(0.95)
    for a in got:
        assert_close((0.8 - a) ** 2, 2.2281388519649385**2 * 0.0085 * a * (1 - a) / 0.16, 9)
    assert got.low < 0.8 < got.high
    assert got.method == "test, moderated"
    # A model that promises more than the sample shows is not believed.
    for a in estimate(0.8, 0.05, df=5.0, model_se=0.01).interval(0.95):
        assert_close((0.8 - a) ** 2, 2.2281388519649385**2 * 0.0025 * a * (1 - a) / 0.16, 9)


@given(st.integers(1, 200), st.integers(1, 200), LEVELS)
def test_moderated_is_wilsons_where_the_standard_error_is_known(right, wrong, level):
    # A share of n cases has the variance x (1 - x)/n.
    n = right + wrong
    x = right / n
    known = estimate(x, (x * (1 - x) / n) ** 0.5)
    wilson = rs.rate_interval(right, n, level=level, method="wilson")
    assert_close(list(known.interval(level)), list(wilson), 9)
    almost = estimate(x, known.se, df=1e14, model_se=0.3)
    assert_close(list(almost.interval(level)), list(wilson), 6)


@pytest.mark.parametrize("m", [1, 3, 10, 100, 1e6])
def test_hoeffding_at_the_ends_by_hand(m):
    # KL(1, a) = -log a, so a = (alpha / 2) ** (1 / m).
    limit = 0.025 ** (1 / m)
    perfect = estimate(1.0, 0.0, n_pairs=m).interval(0.95)
    assert_close([perfect.low, perfect.high], [limit, 1], 13)
    assert perfect.method == "hoeffding"
    worst = estimate(0.0, 0.0, n_pairs=m).interval(0.95)
    np.testing.assert_allclose([worst.low, worst.high], [0, 1 - limit], 1e-9, 1e-15)
    # This is Clopper and Pearson's interval of m successes among m.
    if m >= 3:
        cp = rs.rate_interval(m, m, method="clopper-pearson")
        assert_close(cp.low, perfect.low, 12)


@pytest.mark.parametrize("value", [0.2, 0.5, 0.93])
def test_hoeffding_inverts_the_divergence(value):
    low, high = estimate(value, n_pairs=20).interval(0.9, scale="hoeffding")
    for a in (low, high):
        kl = value * log(value / a) + (1 - value) * log((1 - value) / (1 - a))
        assert_close(20 * kl, log(2 / 0.1), 9)
    assert low < value < high


def test_hoeffding_bound_holds_for_pairs_with_ties():
    # m pairs won, tied or lost with chances p, q, r: the chance that the mean is so high that
    # the interval excludes its true value, added up over all outcomes, is at most alpha / 2.
    m, p, q = 7, 0.55, 0.2
    truth = p + q / 2
    below = above = 0.0
    for wins in range(m + 1):
        for ties in range(m + 1 - wins):
            chance = (
                comb(m, wins)
                * comb(m - wins, ties)
                * p**wins
                * q**ties
                * (1 - p - q) ** (m - wins - ties)
            )
            interval = estimate((wins + ties / 2) / m, n_pairs=m).interval(0.8, scale="hoeffding")
            below += chance * (interval.high < truth)
            above += chance * (interval.low > truth)
    assert 0 < below <= 0.1
    assert 0 < above <= 0.1


def test_part_of_an_area_takes_the_limits_of_the_whole():
    # The whole area is perfect, its lower limit .025 ** (1 / 10) = .6915; a part of width .5
    # loses no more than 1 - .6915.
    part = estimate(0.5, 0.0, range=(0.0, 0.5), whole=1.0)
    assert_close(list(part.interval()), [0.5 - (1 - 0.025**0.1), 0.5], 12)
    # With width .2 that is more than everything.
    part = estimate(0.2, 0.0, range=(0.0, 0.2), whole=1.0)
    assert list(part.interval()) == [0.0, 0.2]
    assert part.interval().method == "hoeffding"


def test_bound_of_a_part_is_kept_where_its_negatives_are_few():
    # 10 negatives, 9 % of which beat every positive: with chance .39 none of them is in the
    # sample, and then everything is separated. The true area up to fpr .1 is .01.
    perfect = partial_auc_estimate(rs.tabulate_classes(range(10, 60), range(10)), fpr=(0, 0.1))
    assert perfect.value == pytest.approx(0.1)
    assert 0.01 in perfect.interval(0.95)


# --- promises ---------------------------------------------------------------------------------


@given(samples(), LEVELS, st.sampled_from(SCALES))
@example(([True, False], [1.0, 1.0]), 0.95, "identity")
def test_interval_stays_inside_contains_and_is_no_point(sample, level, scale):
    for each in estimates_of(sample):
        interval = each.interval(level, scale=scale)
        low, high = each.range
        assert low <= interval.low <= each.value <= interval.high <= high + 1e-15
        assert interval.low < interval.high
        assert interval.level == level


@given(samples(), LEVELS, LEVELS, st.sampled_from(SCALES))
def test_intervals_nest_in_level(sample, one, other, scale):
    assume(one < other)
    for each in estimates_of(sample):
        inner, outer = each.interval(one, scale=scale), each.interval(other, scale=scale)
        assert outer.low <= inner.low + 1e-12
        assert inner.high <= outer.high + 1e-12


@given(samples(), LEVELS, st.sampled_from(SCALES))
def test_interval_after_swapping_classes_and_sign_is_the_same(sample, level, scale):
    label, score = sample
    one = delong(tabulate(label, score)).interval(level, scale=scale)
    other = delong(tabulate([not y for y in label], [-s for s in score]))
    np.testing.assert_allclose(list(other.interval(level, scale=scale)), list(one), 1e-8, 1e-9)


@given(samples(), LEVELS, st.sampled_from(SCALES))
def test_interval_after_swapping_classes_is_the_mirror_image(sample, level, scale):
    label, score = sample
    low, high = delong(tabulate(label, score)).interval(level, scale=scale)
    mirrored = delong(tabulate([not y for y in label], score)).interval(level, scale=scale)
    np.testing.assert_allclose([1 - mirrored.high, 1 - mirrored.low], [low, high], 1e-8, 1e-9)


@pytest.mark.filterwarnings("ignore:(Only|None)")
@given(samples(weights=st.sampled_from([0.1, 0.3, 1.0, 7.7])), st.sampled_from(SCALES))
def test_interval_does_not_know_the_scale_of_weights(sample, scale):
    label, score, weight = sample
    one = delong(tabulate(label, score, sample_weight=weight)).interval(scale=scale)
    more = delong(tabulate(label, score, sample_weight=[1e4 * w for w in weight]))
    np.testing.assert_allclose(list(more.interval(scale=scale)), list(one), 1e-8, 1e-9)
    assert 0 <= one.low < one.high <= 1


@given(
    value=st.floats(-1, 3),
    se=st.floats(1e-6, 2),
    df=st.floats(0.1, 1e12),
    model_se=st.floats(0, 2),
    n_pairs=st.floats(1, 1e9),
    level=LEVELS,
    scale=st.sampled_from(SCALES),
)
def test_any_range(value, se, df, model_se, n_pairs, level, scale):
    each = estimate(value, se, df=df, model_se=model_se, n_pairs=n_pairs, range=(-1.0, 3.0))
    interval = each.interval(level, scale=scale)
    assert -1 <= interval.low <= value <= interval.high <= 3
    assert interval.low < interval.high
    unit = estimate(
        (value + 1) / 4, se / 4, df=df, model_se=model_se / 4, n_pairs=n_pairs
    ).interval(level, scale=scale)
    np.testing.assert_allclose([4 * end - 1 for end in unit], list(interval), 1e-6, 1e-6)


@pytest.mark.parametrize("level", [1e-9, 1 - 1e-12, np.nextafter(1, 0)])
@pytest.mark.parametrize("scale", SCALES)
def test_extreme_levels(level, scale):
    interval = delong(tabulate(*F3)).interval(level, scale=scale)
    assert 0 <= interval.low <= 0.68 <= interval.high <= 1
    assert np.isfinite(interval.width)
    if level > 0.5:
        assert interval.width > 0.9


@pytest.mark.parametrize("level", [0, 1, -0.5, 95, float("nan")])
def test_level_out_of_range(level):
    with pytest.raises(ValueError, match=r"^level is .*, but must lie strictly between 0 and 1"):
        estimate(0.7).interval(level)


def test_unknown_scale():
    with pytest.raises(
        ValueError, match=r"^scale is 'wald', but must be one of 'discordance', 'moder"
    ):
        estimate(0.7).interval(scale="wald")
    with pytest.raises(ValueError, match=r"Did you mean 'logit'"):
        estimate(0.7).interval(scale="logti")


def test_unknown_value_has_the_whole_range():
    interval = estimate(float("nan")).interval()
    assert (*interval, interval.method) == (0.0, 1.0, "whole range")


def test_nothing_to_rest_on():
    assert list(estimate(0.7, float("nan"), n_pairs=0).interval()) == [0.0, 1.0]


def test_perfect_separation_of_more_cases_than_digits():
    interval = estimate(1.0, 0.0, n_pairs=1e18).interval()
    assert interval.low < interval.high == 1.0


def test_the_statistic_of_the_moderated_interval_is_as_large_at_both_ends():
    for got in (estimate(0.8, 0.05, df=5.0), estimate(0.3, 0.04, df=5.0, range=(0.0, 0.4))):
        low, high = got.interval(0.9, scale="moderated")
        assert got.wilson_statistic(low) == pytest.approx(-got.wilson_statistic(high), rel=1e-9)
        assert got.wilson_statistic(low) > 1.6


def test_a_constant_score_and_a_part_that_is_the_whole_area():
    whole = estimate(0.5, 0, tied=True).interval()
    assert whole.method == "ties"
    assert 0 < whole.low < 0.5 < whole.high < 1
    assert estimate(0.5, 0, tied=True, whole=0.5).interval() == whole


def test_only_estimates_of_areas_count_pairs():
    assert n_pairs_of(estimate(0.5, n_pairs=7)) == 7
    assert n_pairs_of(Estimate(value=0.5, se=0.1, method="other")) == 0


def test_scales_agree_for_large_samples():
    rng = np.random.default_rng(1)
    table = rs.tabulate_classes(rng.normal(1, 1, 200_000), rng.normal(0, 1, 300_000))
    each = delong(table)
    for scale in ("logit", "identity"):
        assert_close(list(each.interval()), list(each.interval(scale=scale)), 5)


def test_nearly_perfect_samples_have_no_absurd_interval():
    # One swapped pair of 50 x 50: not much wider than after none.
    pos, neg = [*range(50, 99), 49], [*range(49), 49.5]
    swapped = delong(rs.tabulate_classes(pos, neg))
    assert swapped.value == 1 - 1 / 2500
    assert swapped.interval().low > 0.93
    assert delong(rs.tabulate_classes(range(50, 100), range(50))).interval().low > 0.92


# --- the other results ------------------------------------------------------------------------


def test_interval_is_a_pair():
    interval = Interval(low=0.2, high=0.5, level=0.9, method="m")
    low, high = interval
    assert (low, high, interval.width) == (0.2, 0.5, 0.3)
    assert 0.2 in interval
    assert 0.5 in interval
    assert 0.51 not in interval
    assert np.isnan(Interval(low=0, high=1).level)


def test_results_are_frozen():
    test = TestResult(
        statistic=1.0, pvalue=0.3, alternative="two-sided", method="m", difference=0.1
    )
    for result, field in (
        (estimate(0.5), "value"),
        (test, "pvalue"),
        (Interval(low=0, high=1), "low"),
    ):
        with pytest.raises(AttributeError, match=f"cannot assign to field '{field}'"):
            setattr(result, field, 2)


def test_rates_of_an_operating_point():
    point = OperatingPoint(threshold=1.0, tp=3, fp=1, fn=1, tn=4, next_score=0.0, n_eff=(4.0, 5.0))
    assert (point.tpr, point.fpr) == (0.75, 0.2)
    empty = OperatingPoint(threshold=1.0, tp=0, fp=0, fn=0, tn=0, next_score=0.0, n_eff=(0, 0))
    assert np.isnan(empty.tpr)
    assert np.isnan(empty.fpr)


def test_t_quantile_is_scipys():
    # At 1/2 the ends are (1 -+ sqrt(c / (1 + c)))/2 with c = 4 t^2 se^2.
    each = estimate(0.5, 0.1, df=3.5, model_se=0.0)
    c = 4 * stats.t.ppf(0.975, 8.5) ** 2 * 0.01
    assert_close(each.interval().low, (1 - (c / (1 + c)) ** 0.5) / 2, 9)


def test_without_degrees_of_freedom_t_gives_the_bound():
    found = estimate(0.5, 0.2, df=0.0, model_se=0.0)
    assert tuple(found.interval(scale="t")) == tuple(found.interval(scale="hoeffding"))


def test_the_scale_of_a_difference_knows_what_its_areas_keep():
    one, two = (delong(tabulate([1, 0] * 9, np.arange(18) % k)) for k in (5, 7))
    bare = estimate(0.7), estimate(0.6)
    for first, second, cases, scale in (
        (one, two, (18.0, 18.0), "unseen"),
        (one, two, None, "moderated"),
        (one, bare[0], (18.0, 18.0), "moderated"),
        (bare[0], two, (18.0, 18.0), "moderated"),
        (*bare, (18.0, 18.0), "moderated"),
    ):
        gap = Difference(
            value=first.value - second.value,
            se=0.1,
            method="test",
            n_pairs=9,
            range=(-1, 1),
            first=first,
            second=second,
            cases=cases,
        )
        assert gap.interval().method == f"test, {scale}"
        assert gap.test_inverts_interval == (scale == "unseen")


# --- differences, by hand ---------------------------------------------------------------------


def gap_by_hand(**rest):
    """A difference of .7 - .6 with standard error .05 and seven degrees of freedom."""
    options = {"value": 0.1, "se": 0.05, "df": 7.0, "range": (-1.0, 1.0)}
    both = {"first": estimate(0.7, 0.03), "second": estimate(0.6, 0.04)}
    return Difference(method="test", n_pairs=9, **{**options, **both, **rest})


def test_interval_of_a_difference_by_hand():
    for level in (0.9, 0.95):
        z, t = stats.norm.ppf((1 + level) / 2), stats.t.ppf((1 + level) / 2, 7)
        for scale, quantile in (("identity", z), ("t", t)):
            found = gap_by_hand().interval(level, scale=scale)
            expected = (0.1 - 0.05 * quantile, 0.1 + 0.05 * quantile)
            assert tuple(found) == pytest.approx(expected, rel=1e-12)
            assert (found.level, found.method) == (level, f"test, {scale}")
    narrow = gap_by_hand(range=(0.05, 0.12)).interval(scale="identity")
    assert tuple(narrow) == (0.05, 0.12)


def test_squares_add_by_hand():
    # Ends at .7 -+ 1.96 x .03 and .6 -+ 1.96 x .04; they are 3, 4 and 5 without correlation,
    # and sqrt(9 + 16 - 2 x r x 12) with a correlation, of whose positive ones 9 / 10 count, as
    # there are nine pairs.
    z = stats.norm.ppf(0.975) / 100
    for r, size in ((0.0, 25), (0.5, 14.2), (-0.5, 37), (-1.5, 49), (float("nan"), 25), (1.0, 3.4)):
        found = gap_by_hand(correlation=r).interval(scale="logit")
        one, two = (
            each.interval(scale="logit") for each in (estimate(0.7, 0.03), estimate(0.6, 0.04))
        )
        rho = 0 if r != r else max(min(r, 0.9 * r), -1)
        x, y = 0.7 - one.low, two.high - 0.6
        assert found.low == pytest.approx(0.1 - (x * x + y * y - 2 * rho * x * y) ** 0.5, rel=1e-9)
        x, y = one.high - 0.7, 0.6 - two.low
        assert found.high == pytest.approx(0.1 + (x * x + y * y - 2 * rho * x * y) ** 0.5, rel=1e-9)
        assert found.width == pytest.approx(2 * size**0.5 * z, rel=0.05)


def test_tests_of_a_difference_by_hand():
    for distribution, law in (("t", stats.t(7)), ("normal", stats.norm)):
        found = gap_by_hand().test(distribution=distribution)
        assert (found.statistic, found.difference) == pytest.approx((2, 0.1), rel=1e-12)
        assert found.pvalue == pytest.approx(2 * law.sf(2), rel=1e-9)
        below = gap_by_hand().test(null=-0.05, alternative="greater", distribution=distribution)
        assert below.pvalue == pytest.approx(law.sf(3), rel=1e-9)
        above = gap_by_hand().test(null=0.15, alternative="less", distribution=distribution)
        assert above.pvalue == pytest.approx(law.cdf(-1), rel=1e-9)


def test_welch_by_hand():
    # Variances 9 and 16 in units of 1e-4 of 10 and 21 cases: 25^2 / (81 / 9 + 256 / 20).
    found = gap_by_hand(cases=(10.0, 21.0)).test(distribution="welch")
    assert found.df == pytest.approx(625 / (9 + 12.8), rel=1e-12)
    assert found.pvalue == pytest.approx(2 * stats.t.sf(2, 625 / 21.8), rel=1e-9)


def test_welch_of_two_perfect_scores_has_no_degrees_of_freedom():
    one = estimate(1.0, 0.0)
    gap = gap_by_hand(value=0.0, se=0.0, cases=(4.0, 4.0), first=one, second=one)
    found = gap.test(distribution="welch")
    assert (found.statistic, found.pvalue, found.df) == (0, 1, 0)


def test_only_an_area_inside_its_range_lacks_spread():
    # All pairs won: a standard error of 0 is what such a sample has.
    assert not no_spread(estimate(1.0, 0.0))
    assert not no_spread(estimate(0.0, 0.0))
    assert no_spread(estimate(0.5, 0.0))
    assert not no_spread(estimate(0.5, 0.1))


def test_a_note_of_a_class_with_one_case():
    note = "a class with a single case: its variance is the model's"
    for positives, expected in ((1, note), (2, "")):
        label = [1] * positives + [0] * 5
        a, b = np.arange(len(label))[::-1] % 5, np.arange(len(label)) * 3 % 7
        found = auc_difference(rs.pair_scores(label, {"a": a, "b": b}), "a", "b")
        assert found.test().note == expected


def test_one_interval_or_one_for_each():
    for shape in ((), (1,), (3,)):
        found = intervals_of(np.zeros(shape), np.ones(shape), 0.9, "test")
        one = Interval(low=0, high=1, level=0.9, method="test")
        assert found == (one if shape == () else (one,) * shape[0])


# --- p values from intervals ------------------------------------------------------------------


def _apart(n, by=3.0):
    """Two groups of cases: one score tells the classes apart, the other the wrong way round."""
    y = np.arange(2 * n) < n
    score = by * y + np.tile(stats.norm.ppf((np.arange(n) + 0.5) / n), 2)
    return {"right": tabulate(y, score), "wrong": tabulate(y, -score)}


def test_a_p_value_that_is_not_resolved_says_so():
    small = auc_difference(_apart(200)).test()
    assert (small.pvalue, small.note) == (2e-12, "p is at most this")
    assert repr(small).endswith("note='p is at most this')")
    assert "p is at most this" in small._repr_html_()
    one_sided = auc_difference(_apart(200)).test(alternative="greater")
    assert (one_sided.pvalue, one_sided.note) == (1e-12, small.note)
    large = auc_difference(_apart(5, by=1.0)).test()
    assert large.pvalue > 1e-6
    assert large.note == ""
    assert "at most" not in repr(large)


def test_notes_of_a_p_value_are_joined():
    found = auc_difference(_apart(200, by=20.0)).test()
    assert found.note == "no variance: p from the interval; p is at most this"
    assert noninferiority_test(auc_difference(_apart(200)), 0.5).note == "p is at most this"


def test_two_estimates_without_variance_that_agree_need_no_interval():
    # Whatever the distribution, a gap of 0 has the statistic 0, also where an error of 0 tells
    # nothing: the p value is 1 by the distribution itself.
    data = rs.pair_scores(F3[0], {"a": F3[1], "b": F3[1]})
    found = auc_difference(data, "a", "b").test(distribution="t")
    assert (found.statistic, found.pvalue, found.note) == (0, 1, "no variance")
    assert found.method.endswith(", t")
