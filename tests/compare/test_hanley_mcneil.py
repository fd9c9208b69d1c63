"""Hanley and McNeil's comparison: by hand, as printed, by integration."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import rocspace as rs
from rocspace.compare import area_correlation, hanley_mcneil_difference, published_difference
from rocspace.inference import auc_variance
from rocspace.inference.area_models import (
    area_model_variance,
    fewest_cases,
    hanley_mcneil_pairs,
    pair_variance,
)
from rocspace.planning.area_variance import Binormal, covariance_of
from slow.data import F3, assert_close, reference

S2 = reference()["paired_s2"]

# Hanley and McNeil (1983), Table I: (correlation of scores, mean area): correlation of areas.
TABLE = {
    (0.02, 0.7): 0.02,
    (0.1, 0.9): 0.07,
    (0.3, 0.8): 0.26,
    (0.5, 0.7): 0.47,
    (0.5, 0.85): 0.43,
    (0.5, 0.975): 0.32,
    (0.7, 0.75): 0.66,
    (0.7, 0.95): 0.58,
    (0.8, 0.9): 0.74,
    (0.9, 0.7): 0.88,
    (0.9, 0.975): 0.82,
}


@pytest.mark.parametrize(("at", "printed"), TABLE.items())
def test_the_printed_table(at, printed):
    assert area_correlation(*at) == pytest.approx(printed, abs=0.0151)


@given(r=st.floats(-1, 1), area=st.floats(0.02, 0.98))
@settings(max_examples=40)
def test_correlation_is_that_of_normal_laws(r, area):
    z = stats.norm.ppf(area)

    def both(c):
        return stats.multivariate_normal.cdf([z, z], cov=[[1, c], [c, 1]]) - area**2

    assert area_correlation(r, area) == pytest.approx(both(r / 2) / both(0.5), abs=1e-4)
    assert area_correlation(r, 1 - area) == pytest.approx(area_correlation(r, area), abs=1e-9)


def unequal_spread(n):
    """Both true variances, and the covariance, of the ledger's areas of .8 with n + n cases."""
    curves = []
    for sd in (2.5, 0.4):  # of the positives; the slope b is 1 / sd
        a = stats.norm.ppf(0.8) * np.hypot(1, 1 / sd)
        curves.append(Binormal(a=a, b=1 / sd))

    def of(i, j, r):
        found = covariance_of(curves[i], curves[j], r, r, 1.0, "empirical")
        return (found.large + found.small / n) / n

    return of(0, 0, 1.0), of(1, 1, 1.0), of(0, 1, 0.3)


def test_what_is_missed_where_spreads_are_unequal():
    """The docstring: the formula's errors and the table's correlation are wrong by as much."""
    one, two, shared = unequal_spread(60)
    formula = pair_variance(*hanley_mcneil_pairs(0.8), 60, 60)
    r = {"table": area_correlation(0.3, 0.8), "true": shared / (one * two) ** 0.5}
    assert one**0.5 == pytest.approx(0.0435, abs=5e-5)
    assert formula**0.5 == pytest.approx(0.0406, abs=5e-5)
    assert (r["table"], r["true"]) == pytest.approx((0.263, 0.149), abs=5e-4)
    said = (
        (0.057, one + two - 2 * shared),
        (0.049, 2 * formula * (1 - r["table"])),
        (0.053, 2 * formula * (1 - r["true"])),
        (0.053, one + two - 2 * r["table"] * (one * two) ** 0.5),
    )
    for error, variance in said:
        assert variance**0.5 == pytest.approx(error, abs=5e-4)
    told, largest = [(0.8, formula**0.5)] * 2, [(0.8, (0.8 * 0.2 / 60) ** 0.5)] * 2
    widths = [
        published_difference(*areas, score_correlation=known, n_pos=60, n_neg=60).interval().width
        for areas, known in ((told, 0.3), (largest, 0.0))
    ]
    assert widths[1] / widths[0] == pytest.approx(1.5, abs=0.05)


@given(
    area=st.floats(0.02, 0.98), log_sd=st.floats(-4, 4), m=st.integers(1, 200), n=st.integers(1, 99)
)
@settings(max_examples=60)
def test_no_error_is_larger_than_the_bound(area, log_sd, m, n):
    b = np.exp(log_sd)
    curve = Binormal(a=stats.norm.ppf(area) * np.hypot(1, b), b=b)
    found = covariance_of(curve, curve, 1.0, 1.0, n / m, "empirical")
    assert (found.large + found.small / m) / m <= area * (1 - area) / min(m, n) * (1 + 1e-9)


def test_ends_of_the_correlation():
    for area in (0.1, 0.5, 0.97):
        assert area_correlation(0, area) == 0
        assert area_correlation(1, area) == pytest.approx(1, abs=1e-12)


def test_correlation_by_hand_at_one_half():
    # At area 1/2 the chances are arcsines: (asin(r / 2) / 2 pi) / (asin(1 / 2) / 2 pi).
    assert_close(area_correlation(0.6, 0.5), np.arcsin(0.3) / np.arcsin(0.5))


def test_difference_by_the_formula():
    data = rs.pair_scores(F3[0], {"a": F3[1], "b": S2})
    found = hanley_mcneil_difference(data, "a", "b", score_correlation=0.3)
    v, w = (auc_variance(data.table(n), method="hanley-mcneil") for n in "ab")
    assert_close(v, 0.0148504935, 8)
    r = area_correlation(0.3, (0.68 + 0.85) / 2)
    assert_close(found.se**2, v + w - 2 * r * (v * w) ** 0.5)
    assert_close(found.value, -0.17)
    kendall = hanley_mcneil_difference(data, "a", "b")
    own = [np.array(F3[0]) == y for y in (True, False)]
    taus = [stats.kendalltau(data.score[o, 0], data.score[o, 1]).statistic for o in own]
    assert_close(kendall.correlation, area_correlation(np.mean(taus), 0.765))
    pearson = hanley_mcneil_difference(data, "a", "b", score_correlation="pearson")
    rhos = [np.corrcoef(data.score[o].T)[0, 1] for o in own]
    assert_close(pearson.correlation, area_correlation(np.mean(rhos), 0.765))


def test_it_comes_near_to_delong():
    from rocspace.compare import auc_difference

    rng = np.random.default_rng(3)
    label = np.repeat([True, False], 3000)
    z = rng.multivariate_normal([0, 0], [[1, 0.6], [0.6, 1]], 6000) + label[:, None] * [1.5, 1.2]
    data = rs.pair_scores(label, z, names=["a", "b"])
    theirs = hanley_mcneil_difference(data, "a", "b", score_correlation="pearson")
    ours = auc_difference(data, "a", "b")
    assert theirs.se == pytest.approx(ours.se, rel=0.05)
    assert theirs.correlation == pytest.approx(ours.correlation, abs=0.04)


def test_constant_scores_and_perfect_areas():
    data = rs.pair_scores([1, 1, 0, 0], {"a": [2, 2, 1, 1], "b": [2, 3, 1, 0]})
    for how in ("kendall", "pearson"):
        found = hanley_mcneil_difference(data, "a", "b", score_correlation=how)
        assert (found.value, found.correlation, found.test().pvalue) == (0, 0, 1)
        # Without spread in one class the correlation is 0 there, and 1 in the other: 1/2.
        half = rs.pair_scores([1, 1, 0, 0, 0], {"a": [2, 2, 1, 0, 3], "b": [2, 3, 1, 0, 4]})
        found = hanley_mcneil_difference(half, "a", "b", score_correlation=how)
        mean = (found.first.value + found.second.value) / 2
        rank = 1 if how == "kendall" else np.corrcoef([1, 0, 3], [1, 0, 4])[0, 1]
        assert found.correlation == pytest.approx(area_correlation(rank / 2, mean))


def test_published_areas():
    found = published_difference((0.9, 0.03), (0.8, 0.04), score_correlation=0)
    assert_close(found.se, 0.05)
    assert_close(found.test(distribution="normal").pvalue, 2 * stats.norm.sf(2))
    low, high = found.interval(0.95, scale="identity")
    half = stats.norm.ppf(0.975) * 0.05
    assert_close([low, high], [0.1 - half, 0.1 + half])
    tight = published_difference((0.9, 0.03), (0.8, 0.04), score_correlation=0.6)
    assert tight.interval().width < found.interval().width


def test_few_cases_of_a_published_area_by_hand():
    # .9 * .1 / .03^2 = 100 times min(.1 / 1.1, .9 / 1.9) = 1 / 11; .8 * .2 / .04^2 = 100 times
    # min(.2 / 1.2, .8 / 1.8) = 1 / 6. An area of .1 is as good as one of .9.
    found = published_difference((0.9, 0.03), (0.8, 0.04), score_correlation=0)
    assert_close([found.first.df, found.second.df], [100 / 11 - 1, 100 / 6 - 1])
    assert_close([found.first.n_pairs, found.df], [100 / 11, 100 / 11 - 1])
    assert_close(fewest_cases(0.1, 0.03), 100 / 11)
    # Wilson's interval with the quantile of Student's t, at no credit: (x - a)^2 = c a (1 - a).
    c = (stats.t.ppf(0.975, 100 / 11 - 1) * 0.03) ** 2 / 0.09
    ends = np.roots([1 + c, -(2 * 0.9 + c), 0.81])
    assert_close(list(found.first.interval()), sorted(ends), 9)
    crude = published_difference((0.99, 0.05), (0.8, 0.04), score_correlation=0)
    assert crude.first.df == 1
    assert crude.interval().width > 0.9


def test_fewest_cases_are_those_that_give_the_error():
    # With the other class almost without limit, the model's variance of n cases is the given one.
    for area in (0.6, 0.9, 0.97):
        n = fewest_cases(area, 0.05)
        both = [pair_variance(*hanley_mcneil_pairs(area), *s) for s in ((n, 1e12), (1e12, n))]
        assert_close(min(both), 0.05**2, 9)


def test_published_areas_with_their_class_sizes():
    areas = (0.9, 0.03), (0.8, 0.04)
    found = published_difference(*areas, score_correlation=0, n_pos=30, n_neg=12)
    assert (found.first.df, found.second.df, found.df, found.n_pairs) == (11, 11, 11, 12)
    assert_close(found.first.model_se**2, area_model_variance(0.9, 30, 12))
    apart = published_difference(*areas, score_correlation=0, n_pos=(30, 50), n_neg=[12, 9])
    assert (apart.first.df, apart.second.df) == (11, 8)
    assert_close(apart.second.model_se**2, area_model_variance(0.8, 50, 9))
    bare, found = (
        published_difference(*areas, score_correlation=0, **n)
        for n in ({}, {"n_pos": 60, "n_neg": 60})
    )
    assert found.interval().width < bare.interval().width
    # It is the interval of the difference by the formulas, whose cases have as many df.
    data = rs.pair_scores(F3[0], {"a": F3[1], "b": S2})
    known = hanley_mcneil_difference(data, score_correlation=0.3)
    told = [(one.value, one.se) for one in (known.first, known.second)]
    same = published_difference(*told, score_correlation=0.3, n_pos=10, n_neg=10)
    assert_close([same.se, same.correlation], [known.se, known.correlation])
    assert same.first.model_se == known.first.model_se
    least = replace(known, first=replace(known.first, df=9), second=replace(known.second, df=9))
    assert_close(list(same.interval()), list(least.interval()))


@pytest.mark.parametrize("sizes", [{}, {"n_pos": 30, "n_neg": 12}])
def test_the_test_of_published_areas_inverts_the_interval(sizes):
    found = published_difference((0.93, 0.03), (0.8, 0.04), score_correlation=0.3, **sizes)
    assert found.test_inverts_interval
    p = found.test().pvalue
    assert 0 < p < 0.1
    assert found.interval(1 - p).low == pytest.approx(0, abs=1e-9)
    high = found.interval(0.9).high
    assert found.test(null=high, alternative="less").pvalue == pytest.approx(0.05, abs=1e-9)
    assert_close(found.test().statistic, found.value / found.se)


def test_messages():
    data = rs.pair_scores(F3[0], {"a": F3[1], "b": S2}, sample_weight=np.ones(20))
    with pytest.raises(ValueError, match="leave out the weights"):
        hanley_mcneil_difference(data, "a", "b")
    data = rs.pair_scores(F3[0], {"a": F3[1], "b": S2}, cluster=np.arange(20) // 2)
    with pytest.raises(ValueError, match=r"the data have clusters\. Use auc_difference"):
        hanley_mcneil_difference(data, "a", "b")
    data = rs.pair_scores(F3[0], {"a": F3[1], "b": S2})
    with pytest.raises(ValueError, match="score_correlation is 'spearman'"):
        hanley_mcneil_difference(data, "a", "b", score_correlation="spearman")
    with pytest.raises(ValueError, match=r"score_correlation is 1\.5, but must be in"):
        hanley_mcneil_difference(data, "a", "b", score_correlation=1.5)
    with pytest.raises(ValueError, match="area is 1, but must lie strictly"):
        area_correlation(0.5, 1)
    with pytest.raises(ValueError, match="standard error -1"):
        published_difference((0.9, -1), (0.8, 0.1), score_correlation=0)
    areas = (0.9, 0.03), (0.8, 0.04)
    with pytest.raises(ValueError, match="Give both n_pos and n_neg, as n_pos=60"):
        published_difference(*areas, score_correlation=0, n_pos=30)
    for bad in (0.5, (3, 4, 5), (0.2, 8)):
        with pytest.raises(ValueError, match=r"must be a number of cases.* or a pair, as"):
            published_difference(*areas, score_correlation=0, n_pos=30, n_neg=bad)
    with pytest.raises(ValueError, match="n_neg is 'many', but must be one number"):
        published_difference(*areas, score_correlation=0, n_pos=30, n_neg="many")
