"""Bands by formula: Kolmogorov-Smirnov, two normal distributions, Beta boxes."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import rocspace as rs
from rocspace import bands
from rocspace.averaging import (
    horizontal_average,
    rate_average,
    threshold_average,
    vertical_average,
)
from rocspace.bands import fit_band, roc_band
from rocspace.bands.formulas import _hotelling_factor, _naiman_factor
from rocspace.counts import ScoreTable
from rocspace.models import fit_binormal, fit_roc
from rocspace.models.binormal import two_normals
from slow.bands import fawcett, separated
from slow.data import F6, reference, samples


@pytest.mark.parametrize("n", [10, 20, 100, 2000])
def test_reference_critical_values(n):
    expected = reference()
    # Separated classes: the curve is at 1, so right of e the lower bound is 1 - d.
    table = separated(n, n)
    each, root, asymptotic = expected[f"ks_crit_{n}"]
    assert 1 - bands.ks_band(table, level=0.95**2).at_fpr(0.6).low == pytest.approx(each, rel=1e-9)
    assert 1 - bands.ks_band(table).at_fpr(0.6).low == pytest.approx(root, rel=1e-9)
    found = bands.ks_band(table, level=0.95**2, critical="asymptotic").at_fpr(0.6).low
    assert 1 - found == pytest.approx(asymptotic, rel=1e-9)
    found = 1 - bands.ks_band(table, split="bonferroni").at_fpr(0.6).low
    assert found == pytest.approx(expected["ks_crit_bonferroni_95"][str(n)], rel=1e-9)


def test_one_case_of_each_class():
    # METHODS: exact d = .98734, asymptotic or future d > 1: the whole square.
    table = rs.tabulate([0, 1], [1, 2])
    assert 1 - bands.ks_band(table).at_fpr(0.99).low == pytest.approx(0.9873397172404481, rel=1e-9)
    for band in (
        bands.ks_band(table, critical="asymptotic"),
        bands.ks_band(table, future=(1, 1)),
        bands.dkw_band(table),
    ):
        assert band.area == 1


@given(sample=samples(values=st.floats(-9, 9)))
@settings(max_examples=60)
def test_ks_band_is_the_union_of_rectangles(sample):
    label, score = np.array(sample[0]), np.array(sample[1])
    score = np.argsort(np.argsort(score, kind="stable"), kind="stable")  # no ties
    table = rs.tabulate(label, score)
    curve = rs.roc_curve(table)
    d, e = (stats.kstwo.ppf(0.95**0.5, n) for n in (table.n_pos, table.n_neg))
    band = bands.ks_band(table)
    for f in np.linspace(0.013, 0.987, 23):
        found = band.at_fpr(f)
        top = curve.tpr[curve.fpr <= f + e].max()
        assert found.high == pytest.approx(min(1, top + d), abs=1e-12)
        later = curve.tpr[curve.fpr >= f - e]
        assert found.low == pytest.approx(max(0, (later.min() if f > e else 0) - d), abs=1e-12)


def test_ks_band_follows_the_polygon_over_ties():
    # All scores tied: the curve is the diagonal, and the true one may be too.
    table = rs.tabulate(*F6)
    d, e = (stats.kstwo.ppf(0.95**0.5, n) for n in (6, 4))
    assert bands.ks_band(table).at_fpr(0.2).high == pytest.approx(
        0.2 + e + d if 0.2 + e + d < 1 else 1
    )
    big = ScoreTable.from_counts([1], [3000], [3000])
    d = stats.kstwo.ppf(0.95**0.5, 3000)
    assert tuple(bands.ks_band(big).at_fpr(0.5)) == pytest.approx((0.5 - 2 * d, 0.5 + 2 * d))


@given(sample=samples())
@settings(max_examples=30)
def test_dkw_contains_the_exact_bonferroni_band(sample):
    table = rs.tabulate(*sample)
    wide, exact = bands.dkw_band(table), bands.ks_band(table, split="bonferroni")
    at = np.linspace(0, 1, 41)
    for a, b in zip(wide.at_fpr(at), exact.at_fpr(at), strict=True):
        assert a.low <= b.low + 1e-12
        assert a.high >= b.high - 1e-12


def test_dkw_by_formula():
    # e = d = sqrt(ln(4 / .05) / (2 n))
    d = np.sqrt(np.log(80) / 100)
    assert 1 - bands.dkw_band(separated(50, 50)).at_fpr(0.6).low == pytest.approx(d, rel=1e-12)


@pytest.mark.parametrize("method", ["ks", "dkw"])
def test_new_samples_need_more_room(method):
    table = separated(400, 900)
    now = 1 - roc_band(table, method=method).at_fpr(0.5).low
    later = roc_band(table, method=method, future=(100, 900))
    assert later.target == "sample"
    assert 1 - later.at_fpr(0.5).low == pytest.approx(now * np.sqrt(1 + 400 / 100), rel=1e-9)
    same = roc_band(table, method=method, future=(400, 900))
    assert 1 - same.at_fpr(0.5).low == pytest.approx(now * np.sqrt(2), rel=1e-9)
    with pytest.raises(ValueError, match=r"future is \(0, 3\)"):
        roc_band(table, method=method, future=(0, 3))


def test_reference_working_hotelling():
    expected = reference()
    fit = two_normals("x", fawcett())
    assert fit.a == pytest.approx(0.6281624, abs=5e-8)
    assert fit.b == pytest.approx(0.8175923, abs=5e-8)
    low, centre, high = expected["F3_WHB_t.2"]
    assert tuple(bands.working_hotelling_band(fawcett()).at_fpr(0.2)) == pytest.approx(
        (low, high), abs=5e-7
    )
    assert stats.norm.cdf(fit.height(stats.norm.ppf(0.2))) == pytest.approx(centre, rel=1e-9)
    both = _hotelling_factor(fit, 0.95, (0, 1), one_sided=False)
    assert both == pytest.approx(np.sqrt(-2 * np.log(0.05)), rel=1e-9)
    one = _hotelling_factor(fit, 0.95, (0, 1), one_sided=True)
    assert one == pytest.approx(expected["whb_one_sided_k_95"], rel=1e-9)


def test_hyperbola_in_probits():
    fit = two_normals("x", fawcett())
    band = bands.working_hotelling_band(fawcett())
    f = np.array([0.05, 0.2, 0.5, 0.7])
    z, ends = stats.norm.ppf(f), band.at_fpr(f)
    low, high = (stats.norm.ppf([getattr(i, name) for i in ends]) for name in ("low", "high"))
    np.testing.assert_allclose((low + high) / 2, fit.height(z), atol=1e-4)
    np.testing.assert_allclose((high - low) / 2, np.sqrt(-2 * np.log(0.05)) * fit.sd(z), atol=1e-4)
    assert tuple(band.at_fpr(0)) == (0, 0)
    assert tuple(band.at_fpr(1)) == (1, 1)


def test_covariance_of_the_binormal_fit_by_simulation():
    rng = np.random.default_rng(1)
    n1, n0, draws = 60, 90, 4000
    x, y = rng.normal(1, 2, (draws, n1)), rng.normal(0, 1, (draws, n0))
    a, b = (x.mean(1) - y.mean(1)) / x.std(1), y.std(1) / x.std(1)
    fit = two_normals("x", rs.tabulate_classes(1 + 2 * quantiles(n1), quantiles(n0)))
    found = np.cov(a, b)
    assert fit.covariance[0, 0] == pytest.approx(found[0, 0], rel=0.1)
    assert fit.covariance[1, 1] == pytest.approx(found[1, 1], rel=0.1)
    assert fit.covariance[0, 1] == pytest.approx(found[0, 1], rel=0.25)


def quantiles(n):
    z = stats.norm.ppf((np.arange(n) + 0.5) / n)
    return z / z.std()


@pytest.mark.parametrize("one_sided", [False, True])
def test_factor_on_a_part_of_the_range_by_simulation(one_sided):
    fit = two_normals("x", fawcett())
    ends = (0.1, 0.6)
    k = _hotelling_factor(fit, 0.9, ends, one_sided=one_sided)
    u = np.random.default_rng(2).multivariate_normal([0, 0], fit.covariance, 40_000)
    z = np.linspace(*stats.norm.ppf(ends), 60)
    process = (u[:, :1] + u[:, 1:] * z) / fit.sd(z)
    sup = (process if one_sided else np.abs(process)).max(axis=1)
    assert (sup <= k).mean() == pytest.approx(0.9, abs=0.008)  # 5 standard errors


def test_a_point_alone_has_the_normal_quantile():
    fit = two_normals("x", fawcett())
    for one_sided, level in ((False, 0.975), (True, 0.95)):
        k = _hotelling_factor(fit, 0.95, (0.3, 0.3 + 1e-9), one_sided=one_sided)
        assert k == pytest.approx(stats.norm.ppf(level), rel=1e-6)
    assert _hotelling_factor(fit, 0.1, (0.3, 0.3 + 1e-9), one_sided=True) == 0


def test_working_hotelling_on_a_part_and_one_side():
    part = bands.working_hotelling_band(fawcett(), fpr=(0.1, 0.5))
    whole = bands.working_hotelling_band(fawcett())
    for f in (0.11, 0.3, 0.49):
        assert whole.at_fpr(f).low < part.at_fpr(f).low < part.at_fpr(f).high < whole.at_fpr(f).high
    assert part.at_fpr(0.05).low == 0
    assert part.at_fpr(0.05).high == pytest.approx(part.at_fpr(0.1).high)
    assert part.at_fpr(0.9).low == pytest.approx(part.at_fpr(0.5).low)
    assert part.at_fpr(0.9).high == 1
    low = bands.working_hotelling_band(fawcett(), side="lower")
    assert (low.high == 1).all()
    assert low.at_fpr(0.2).low > whole.at_fpr(0.2).low
    high = bands.working_hotelling_band(fawcett(), side="upper")
    assert (high.low == 0).all()
    assert high.at_fpr(0.2).high < whole.at_fpr(0.2).high


def test_pointwise_binormal_band():
    fit, z = two_normals("x", fawcett()), stats.norm.ppf(0.3)
    half = stats.norm.ppf(0.975) * fit.sd(z)
    expected = stats.norm.cdf([fit.height(z) - half, fit.height(z) + half])
    assert tuple(bands.binormal_band(fawcett()).at_fpr(0.3)) == pytest.approx(
        tuple(expected), abs=1e-6
    )
    later = bands.binormal_band(fawcett(), future=(10, 5))
    expected = stats.norm.cdf([fit.height(z) - half * 3**0.5, fit.height(z) + half * 3**0.5])
    assert tuple(later.at_fpr(0.3)) == pytest.approx(tuple(expected), abs=1e-6)


@pytest.mark.parametrize("method", ["working-hotelling", "binormal", "kernel", "psn", "jms"])
def test_models_need_scores_that_vary(method):
    with pytest.raises(ValueError, match="do not vary"):
        roc_band(rs.tabulate([0, 0, 1, 1], [1, 2, 3, 3]), method=method)
    with pytest.raises(ValueError, match="some are infinite"):
        roc_band(rs.tabulate([0, 0, 1, 1], [1, 2, 3, np.inf]), method=method)


def test_tilbury_by_hand():
    # Two of each class, one row: the boxes of (0, 0) and (1, 1) alone.
    band = bands.tilbury_band(rs.tabulate([0, 0, 1, 1], [1, 1, 1, 1]), level=0.81)
    # Each side has .9: quantile .95 of Beta(.5, 2.5), above for 0 of 2, mirrored for 2 of 2.
    q = stats.beta(0.5, 2.5).ppf(0.95)
    assert band.at_fpr(0).high == pytest.approx(q)
    assert band.at_fpr(1).low == pytest.approx(1 - q)
    assert band.at_fpr(q / 2).low == 0
    later = bands.tilbury_band(rs.tabulate([0, 0, 1, 1], [1, 1, 1, 1]), level=0.81, future=(2, 2))
    assert later.at_fpr(0).high == pytest.approx(min(1, q * 2**0.5))
    assert later.at_fpr(1).low == pytest.approx(1 - q * 2**0.5)
    assert band.contains(rs.roc_curve(rs.tabulate([0, 0, 1, 1], [1, 1, 1, 1])))


# Two curves by hand.
TWO = [
    ScoreTable.from_counts([4, 3, 2, 1], [1, 0, 1, 0], [0, 1, 0, 1]),
    ScoreTable.from_counts([2, 1], [3, 2], [1, 4]),
]


def test_band_of_an_average_joins_its_bars():
    average = vertical_average(TWO, grid=4)
    for method in ("bracket", "t", "wilson"):
        limits = average.interval(0.9, method=method)
        band = bands.average_band(limits)
        assert (band.level, band.simultaneous, band.target) == (0.9, False, "curve")
        assert band.method == f"average, {method}"
        inner = slice(1, -1)
        ends = np.array([tuple(band.at_fpr(f)) for f in average.fpr[inner]])
        # A lower bound is never above what it will be, an upper one not below what it was.
        low = np.minimum.accumulate(limits.tpr_low[::-1])[::-1]
        high = np.maximum.accumulate(limits.tpr_high)
        np.testing.assert_allclose(ends[:, 0], low[inner])
        np.testing.assert_allclose(ends[:, 1], high[inner])
    assert bands.average_band(average.interval(method="prediction")).target == "sample"
    with pytest.raises(TypeError, match="not an AverageCurve"):
        bands.average_band(average)


def test_band_of_an_average_goes_through_the_corners_of_its_boxes():
    limits = threshold_average(TWO, same_scale=True, grid=[4, 2, 1]).interval(0.5, method="t")
    band = bands.average_band(limits)
    for i in range(len(limits.fpr_low)):
        assert band.at_fpr(limits.fpr_low[i]).high >= limits.tpr_high[i] - 1e-12
        assert band.at_fpr(limits.fpr_high[i]).low <= limits.tpr_low[i] + 1e-12


@given(st.lists(samples(), min_size=2, max_size=4))
@settings(max_examples=25)
def test_band_of_an_average_holds_it(several):
    tables = [rs.tabulate(label, score) for label, score in several]
    for make in (vertical_average, horizontal_average, rate_average):
        average = make(tables)
        band = bands.average_band(average.interval())
        assert (np.diff(band.low) >= 0).all()
        assert (np.diff(band.high) >= 0).all()
        assert (band.low <= band.high).all()
        for f, t in zip(average.fpr, average.tpr, strict=True):
            low, high = band.at_fpr(f)
            assert low - 1e-9 <= t <= high + 1e-9


# --- bands of fits ----------------------------------------------------------------------------


def test_band_of_a_fit_is_working_and_hotellings() -> None:
    table = fawcett()
    fit = replace(fit_binormal(table), df=np.inf)
    at = np.linspace(0.01, 0.99, 9)
    for part in ((0.0, 1.0), (0.1, 0.4)):
        ours, theirs = fit_band(fit, fpr=part), bands.working_hotelling_band(table, fpr=part)
        for f in at:
            assert tuple(ours.at_fpr(f)) == pytest.approx(tuple(theirs.at_fpr(f)), abs=1e-6)
    point, theirs = fit_band(fit, simultaneous=False), bands.binormal_band(table)
    assert not point.simultaneous
    for f in at:
        assert tuple(point.at_fpr(f)) == pytest.approx(tuple(theirs.at_fpr(f)), abs=1e-6)


@pytest.mark.parametrize(
    "model", ["binormal", "rating", "pseudo-likelihood", "yeo-johnson", "beta"]
)
def test_band_at_each_point_is_the_delta_method_s(model) -> None:
    # A rate that rounds to 1 has no derivative: it must not widen the band elsewhere.
    rng = np.random.default_rng(0)
    fit = fit_roc(rs.tabulate_classes(rng.normal(1.5, 1, 200), rng.normal(0, 1, 200)), model=model)
    band, at = fit_band(fit, simultaneous=False), np.array([0.02, 0.1, 0.3, 0.6, 0.9])
    half = stats.t.ppf(0.975, 199) * fit.probit_se(at)
    q = stats.norm.ppf(fit.tpr_at(at))
    expected = stats.norm.cdf(np.stack([q - half, q + half]))
    found = np.array([tuple(interval) for interval in band.at_fpr(at)]).T
    assert found == pytest.approx(expected, abs=1e-3)
    assert band.area < fit_band(fit).area


def test_band_reaches_1_where_rates_round_to_it() -> None:
    rng = np.random.default_rng(1)
    fit = fit_binormal(rs.tabulate_classes(rng.normal(0.75, 0.5, 50), rng.normal(0, 1, 200)))
    at = stats.norm.cdf((5.5 - fit.a) / fit.b)  # a rate of 1 - 2e-8
    assert fit_band(fit).at_fpr(at).high == 1
    assert fit_band(fit).at_fpr(0.5).high < 1


def test_band_of_few_cases_has_the_quantile_of_f() -> None:
    fit = fit_binormal(fawcett())
    assert fit.df == 9
    q, se = stats.norm.ppf(fit.tpr_at(0.2)), fit.probit_se(np.array([0.2]))[0]
    low, high = stats.norm.ppf(tuple(fit_band(fit).at_fpr(0.2)))
    k = np.sqrt(2 * stats.f.ppf(0.95, 2, 9))
    assert (low, high) == pytest.approx((q - k * se, q + k * se), abs=1e-4)
    narrow = _hotelling_factor(fit, 0.95, (0.3, 0.3 + 1e-9), one_sided=False, df=9)
    assert narrow == pytest.approx(stats.t.ppf(0.975, 9), rel=1e-6)
    none = fit_band(replace(fit, df=0.0))
    assert (none.at_fpr(0.2).low, none.at_fpr(0.2).high) == (0, 1)


def test_band_of_another_fit_is_scheffes() -> None:
    fit = fit_roc(fawcett(), model="beta")
    half = np.sqrt(2 * stats.f.ppf(0.95, 2, 9)) * fit.probit_se(np.array([0.2]))[0]
    q = stats.norm.ppf(fit.tpr_at(0.2))
    low, high = stats.norm.ppf(tuple(fit_band(fit).at_fpr(0.2)))
    assert (low, high) == pytest.approx((q - half, q + half), abs=1e-3)
    large = stats.norm.ppf(tuple(fit_band(replace(fit, df=np.inf)).at_fpr(0.2)))
    assert np.ptp(large) / np.ptp([low, high]) == pytest.approx(
        np.sqrt(stats.chi2.ppf(0.95, 2) / 2 / stats.f.ppf(0.95, 2, 9)), rel=1e-3
    )


def test_band_of_a_curve_with_one_parameter_is_that_of_a_point() -> None:
    fit = fit_roc(
        rs.tabulate_classes([1.0, 2.5, 2.0, 4.0, 1.2], [0.5, 1.0, 0.1, 1.5, 0.3]),
        model="exponential",
    )
    fixed = replace(fit, covariance=np.diag([fit.covariance[0, 0], 0.0]))
    whole, point = fit_band(fixed), fit_band(fixed, simultaneous=False)
    for f in (0.1, 0.3, 0.7):
        assert tuple(whole.at_fpr(f)) == pytest.approx(tuple(point.at_fpr(f)), abs=1e-4)


@pytest.mark.parametrize("df", [19.0, np.inf])
def test_naimans_factor_holds_where_scheffes_wastes(df) -> None:
    rng = np.random.default_rng(0)
    fit = fit_roc(rs.tabulate_classes(rng.gamma(2, 2, 40), rng.gamma(1, 1, 40)), model="gamma")
    at = np.linspace(0.005, 0.995, 199)
    root = fit.root_of(lambda one: stats.norm.ppf(one.tpr_at(at)))
    np.testing.assert_allclose(np.sqrt((root**2).sum(axis=0)), fit.probit_se(at), rtol=1e-9)
    k = _naiman_factor(replace(fit, df=df), 0.95, root)
    z = rng.standard_normal((40_000, 4)) @ (root / fit.probit_se(at))
    s = 1.0 if np.isinf(df) else np.sqrt(rng.chisquare(df, 40_000) / df)
    assert 0.945 < np.mean(np.abs(z).max(axis=1) <= k * s) < 0.97
    quantile = stats.chi2.ppf(0.95, 4) / 4 if np.isinf(df) else stats.f.ppf(0.95, 4, df)
    assert k < 0.9 * np.sqrt(4 * quantile)


def test_band_of_a_density_ratio_allows_for_more_than_its_parameters() -> None:
    rng = np.random.default_rng(2)
    fit = fit_roc(
        rs.tabulate_classes(rng.normal(1.5, 1, 12), rng.normal(0, 1, 12)), model="density-ratio"
    )
    q, se = stats.norm.ppf(fit.tpr_at(0.4)), fit.probit_se(np.array([0.4]))[0]
    low, _ = stats.norm.ppf(tuple(fit_band(fit).at_fpr(0.4)))
    assert q - low > 1.05 * np.sqrt(2 * stats.f.ppf(0.95, 2, 11)) * se


def test_a_fit_without_covariance_has_no_band() -> None:
    with pytest.raises(ValueError, match="covariance of this binormal fit is unknown"):
        fit_band(fit_binormal(rs.tabulate_classes([2, 2], [0, 1])))


def test_the_middle_of_the_range_is_a_knot():
    band = bands.working_hotelling_band(fawcett(), fpr=(0.1, 0.9))
    assert 0.5 in band.fpr
    inner = np.unique(band.fpr[(band.fpr > 0.10005) & (band.fpr < 0.89995)])
    assert inner.size == 8 * 512 - 1  # equal steps of the probits
