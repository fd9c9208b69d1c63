"""Bands: by hand, by definition, with the printed numbers, and what must always hold."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import rocspace as rs
from rocspace import bands, simulate
from rocspace.bands import Band, difference_band, roc_band
from rocspace.bands.band import Line, bounded, effective, left_right, shifted, thinned
from rocspace.bands.formulas import _hotelling_factor, two_normals
from rocspace.bands.likelihood import (
    _deviance,
    _farthest,
    _highest,
    _local,
    likelihood_bounds,
    reach,
)
from rocspace.bands.replicates import displacement, order_statistic, slanted, wilson_variance
from rocspace.bands.simulated import bridge_sups, narrowest
from rocspace.bands.smooth import both_classes
from rocspace.counts import ScoreTable, SingleClassError
from rocspace.resampling.replicates import run_blocks
from slow.data import F3, F6, reference, samples

# A second score of the cases of Fawcett's figure 3 (METHODS.md, appendix R).
S2 = [0.8, 0.85, 0.45, 0.5, 0.7, 0.65, 0.3, 0.6, 0.75, 0.2]
S2 += [0.35, 0.55, 0.25, 0.4, 0.15, 0.1, 0.62, 0.05, 0.32, 0.12]
SIMULTANEOUS = ("likelihood", "envelope", "ks", "dkw", "fixed-width", "working-hotelling")
SMOOTH = ("working-hotelling", "binormal", "kernel", "hsieh-turnbull", "psn", "jms")
RANKED = ("likelihood", "envelope", "ks", "dkw", "fixed-width", "vertical", "threshold", "tilbury")
ALL = tuple(dict.fromkeys((*SIMULTANEOUS, *SMOOTH, *RANKED)))
POINTWISE = {"vertical", "threshold", "tilbury", "binormal", "kernel", "hsieh-turnbull"}


def fawcett():
    return rs.tabulate(*F3)


def separated(n_pos, n_neg):
    return rs.tabulate_classes(np.arange(n_pos) + n_neg, np.arange(n_neg))


# --- the band itself --------------------------------------------------------------------------


def stairs():
    # Below: 0 up to f = .5, then .4. Above: from .5 up to 1 at f = .5.
    return by_hand([0, 0.5, 0.5, 1], [0, 0, 0.4, 0.4], [0.5, 1, 1, 1])


def by_hand(fpr, lower, upper):
    bounds = {"fpr": np.array(fpr), "lower": np.array(lower), "upper": np.array(upper)}
    return Band(**bounds, level=0.9, method="hand", simultaneous=True)


def test_band_by_hand():
    band = stairs()
    assert tuple(band.at(0.25)) == (0, 0.75)
    assert tuple(band.at(0.5)) == (0, 1)  # closed: at the jump it holds both ends
    assert [tuple(i) for i in band.at([0.75, 1])] == [(0.4, 1), (0.4, 1)]
    assert band.at(0.25).level == 0.9
    assert band.area == pytest.approx(0.5 * 0.75 + 0.5 * 0.6)
    assert repr(band) == "Band(hand, level 0.9, simultaneous, area 0.675)"
    with pytest.raises(ValueError, match="read-only"):
        band.lower[0] = 1


def test_contains_by_hand():
    band = stairs()
    assert band.contains(lambda f: np.maximum(f, 0.4 * (f >= 0.5)))
    assert band.contains(lambda f: f)
    assert not band.contains(lambda f: f**2)  # .25 just right of the jump to .4
    assert not band.contains(lambda f: np.minimum(1, 0.51 + f))
    up = rs.roc_curve(rs.tabulate([1, 0, 0, 1], [4, 3, 2, 1]))  # .5 from 0 on, 1 at 1
    assert band.contains(up)
    late = rs.roc_curve(rs.tabulate([0, 1, 0], [3, 2, 1]))  # 0 up to f = .5, then 1
    assert band.contains(late)
    later = rs.roc_curve(rs.tabulate([0, 0, 1, 0], [4, 3, 2, 1]))  # still 0 at f = .6
    assert not band.contains(later)
    at, inside = band.inside(later)
    assert at[~inside].tolist() == [0.5, 2 / 3]
    with pytest.raises(TypeError, match="not a list"):
        band.contains([0, 1])


@given(sample=samples(max_size=14), shift=st.tuples(st.integers(-6, 6), st.integers(-6, 6)))
@settings(max_examples=100)
def test_contains_is_that_of_many_points(sample, shift):
    table = rs.tabulate(*sample)
    curve = rs.roc_curve(table)
    other = rs.roc_curve(rs.tabulate(sample[0], np.cos(sample[1])))
    right, up = (abs(s) / 10 for s in shift)
    line = Line(curve.fpr, curve.tpr)
    fpr, low, high = bounded(shifted(line, right, -up), shifted(line, -right, up))
    band = Band(fpr=fpr, lower=low, upper=high, level=0.9, method="x", simultaneous=True)
    # Points all along the other curve, its vertical runs included; never just at a knot.
    share = np.linspace(0, 1, 101)
    f = np.concatenate([a + share * (b - a) for a, b in pairwise(other.fpr)])
    t = np.concatenate([a + share * (b - a) for a, b in pairwise(other.tpr)])
    inner = (f > 0) & (f < 1)
    ends = band.at(f[inner])
    good = [i.low - 1e-9 <= y <= i.high + 1e-9 for i, y in zip(ends, t[inner], strict=True)]
    assert band.contains(curve)
    if not all(good):
        assert not band.contains(other)
    elif not band.contains(other):  # then it is only just outside, between two of the points
        wider = bounded(
            shifted(line, right + 0.02, -up - 0.02), shifted(line, -right - 0.02, up + 0.02)
        )
        wide = Band(
            fpr=wider[0], lower=wider[1], upper=wider[2], level=0.9, method="x", simultaneous=True
        )
        assert wide.contains(other)


# --- invariants of every method ---------------------------------------------------------------


def overlapping(sample):
    """Give each class some variance, so that smooth methods work too."""
    label, score = sample
    return rs.tabulate([*label, True, True, False, False], [*score, 0.0, 2.0, -1.0, 1.0])


@pytest.mark.parametrize("method", ALL)
@given(sample=samples(max_size=20), level=st.sampled_from([0.5, 0.8, 0.95]))
@settings(max_examples=8)
def test_every_band_rises_inside_the_square(method, sample, level):
    table = overlapping(sample)
    band = roc_band(table, method=method, level=level, n_boot=100, rng=1)
    assert band.fpr[0] == 0
    assert band.fpr[-1] == 1
    assert band.simultaneous is (method not in POINTWISE)
    assert band.level == level
    for column in (band.fpr, band.lower, band.upper):
        assert (np.diff(column) >= 0).all()
        assert column.min() >= 0
        assert column.max() <= 1
    assert (band.lower <= band.upper).all()
    assert 0 <= band.area <= 1


@pytest.mark.parametrize("method", ["likelihood", "ks", "dkw", "fixed-width", "envelope"])
@given(sample=samples())
@settings(max_examples=15)
def test_simultaneous_bands_contain_the_empirical_curve(method, sample):
    table = rs.tabulate(*sample)
    band = roc_band(table, method=method, n_boot=100, rng=1)
    # Knots at which the band was computed: exactly the curve; between them within one knot.
    at = band.fpr
    inside = np.array(
        [
            i.low - 1e-9 <= rs.roc_curve(table).tpr_at(f) <= i.high + 1e-9
            for f, i in zip(at, band.at(at), strict=True)
        ]
    )
    assert inside.all()
    if method in ("ks", "dkw", "fixed-width"):
        assert band.contains(rs.roc_curve(table))


@pytest.mark.parametrize("method", RANKED)
@given(sample=samples())
@settings(max_examples=6)
def test_ranked_bands_depend_on_ranks_only(method, sample):
    label, score = sample
    made = [
        roc_band(rs.tabulate(label, s), method=method, n_boot=100, rng=1)
        for s in (score, np.exp(score))
    ]
    np.testing.assert_array_equal(made[0].lower, made[1].lower)
    np.testing.assert_array_equal(made[0].upper, made[1].upper)


@pytest.mark.parametrize("method", [m for m in ALL if m not in ("psn", "jms")])
def test_bands_widen_with_the_level(method):
    table = fawcett()
    areas = [
        roc_band(table, method=method, level=q, n_boot=400, rng=1).area for q in (0.5, 0.9, 0.99)
    ]
    assert areas[0] < areas[1] < areas[2]


@pytest.mark.parametrize("method", ALL)
def test_frequency_weights_are_repeated_cases(method):
    label, score = F3
    weight = [1 + i % 3 for i in range(len(label))]
    weighted = rs.tabulate(label, score, sample_weight=weight)
    repeated = rs.tabulate(np.repeat(label, weight), np.repeat(score, weight))
    one = roc_band(weighted, method=method, n_boot=100, rng=1, weight_type="frequency")
    two = roc_band(repeated, method=method, n_boot=100, rng=1)
    np.testing.assert_allclose(one.lower, two.lower, atol=1e-12)
    np.testing.assert_allclose(one.upper, two.upper, atol=1e-12)
    broken = rs.tabulate(label, score, sample_weight=[0.5] * len(label))
    with pytest.raises(ValueError, match=r"whole numbers, but .* weigh 0\.5 together"):
        roc_band(broken, method=method, weight_type="frequency")
    with pytest.raises(ValueError, match="weight_type is 'count'"):
        roc_band(weighted, method=method, weight_type="count")


def test_lower_scores_that_are_positive():
    label, score = F3
    one = rs.tabulate(label, score)
    two = rs.tabulate(label, -np.asarray(score), higher_is_positive=False)
    for method in ("ks", "binormal", "kernel"):
        np.testing.assert_allclose(
            roc_band(one, method=method).lower, roc_band(two, method=method).lower, atol=1e-12
        )


# --- Kolmogorov-Smirnov rectangles ------------------------------------------------------------


@pytest.mark.parametrize("n", [10, 20, 100, 2000])
def test_reference_critical_values(n):
    expected = reference()
    # Separated classes: the curve is at 1, so right of e the lower bound is 1 - d.
    table = separated(n, n)
    each, root, asymptotic = expected[f"ks_crit_{n}"]
    assert 1 - bands.ks_band(table, level=0.95**2).at(0.6).low == pytest.approx(each, rel=1e-9)
    assert 1 - bands.ks_band(table).at(0.6).low == pytest.approx(root, rel=1e-9)
    found = bands.ks_band(table, level=0.95**2, critical="asymptotic").at(0.6).low
    assert 1 - found == pytest.approx(asymptotic, rel=1e-9)
    found = 1 - bands.ks_band(table, split="bonferroni").at(0.6).low
    assert found == pytest.approx(expected["ks_crit_bonferroni_95"][str(n)], rel=1e-9)


def test_one_case_of_each_class():
    # METHODS: exact d = .98734, asymptotic or future d > 1: the whole square.
    table = rs.tabulate([0, 1], [1, 2])
    assert 1 - bands.ks_band(table).at(0.99).low == pytest.approx(0.9873397172404481, rel=1e-9)
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
        found = band.at(f)
        top = curve.tpr[curve.fpr <= f + e].max()
        assert found.high == pytest.approx(min(1, top + d), abs=1e-12)
        later = curve.tpr[curve.fpr >= f - e]
        assert found.low == pytest.approx(max(0, (later.min() if f > e else 0) - d), abs=1e-12)


def test_ks_band_follows_the_polygon_over_ties():
    # All scores tied: the curve is the diagonal, and the true one may be too.
    table = rs.tabulate(*F6)
    d, e = (stats.kstwo.ppf(0.95**0.5, n) for n in (6, 4))
    assert bands.ks_band(table).at(0.2).high == pytest.approx(0.2 + e + d if 0.2 + e + d < 1 else 1)
    big = ScoreTable.from_counts([1], [3000], [3000])
    d = stats.kstwo.ppf(0.95**0.5, 3000)
    assert tuple(bands.ks_band(big).at(0.5)) == pytest.approx((0.5 - 2 * d, 0.5 + 2 * d))


@given(sample=samples())
@settings(max_examples=30)
def test_dkw_contains_the_exact_bonferroni_band(sample):
    table = rs.tabulate(*sample)
    wide, exact = bands.dkw_band(table), bands.ks_band(table, split="bonferroni")
    at = np.linspace(0, 1, 41)
    for a, b in zip(wide.at(at), exact.at(at), strict=True):
        assert a.low <= b.low + 1e-12
        assert a.high >= b.high - 1e-12


def test_dkw_by_formula():
    # e = d = sqrt(ln(4 / .05) / (2 n))
    d = np.sqrt(np.log(80) / 100)
    assert 1 - bands.dkw_band(separated(50, 50)).at(0.6).low == pytest.approx(d, rel=1e-12)


@pytest.mark.parametrize("method", ["ks", "dkw"])
def test_new_samples_need_more_room(method):
    table = separated(400, 900)
    now = 1 - roc_band(table, method=method).at(0.5).low
    later = roc_band(table, method=method, future=(100, 900))
    assert later.target == "sample"
    assert 1 - later.at(0.5).low == pytest.approx(now * np.sqrt(1 + 400 / 100), rel=1e-9)
    same = roc_band(table, method=method, future=(400, 900))
    assert 1 - same.at(0.5).low == pytest.approx(now * np.sqrt(2), rel=1e-9)
    with pytest.raises(ValueError, match=r"future is \(0, 3\)"):
        roc_band(table, method=method, future=(0, 3))


# --- two normal laws --------------------------------------------------------------------------


def test_reference_working_hotelling():
    expected = reference()
    fit = two_normals("x", fawcett())
    assert fit.a == pytest.approx(0.6281624, abs=5e-8)
    assert fit.b == pytest.approx(0.8175923, abs=5e-8)
    low, centre, high = expected["F3_WHB_t.2"]
    assert tuple(bands.working_hotelling_band(fawcett()).at(0.2)) == pytest.approx(
        (low, high), abs=5e-7
    )
    assert stats.norm.cdf(fit.line(stats.norm.ppf(0.2))) == pytest.approx(centre, rel=1e-9)
    both = _hotelling_factor(fit, 0.95, (0, 1), one_sided=False)
    assert both == pytest.approx(np.sqrt(-2 * np.log(0.05)), rel=1e-9)
    one = _hotelling_factor(fit, 0.95, (0, 1), one_sided=True)
    assert one == pytest.approx(expected["whb_one_sided_k_95"], rel=1e-9)


def test_hyperbola_in_probits():
    fit = two_normals("x", fawcett())
    band = bands.working_hotelling_band(fawcett())
    f = np.array([0.05, 0.2, 0.5, 0.7])
    z, ends = stats.norm.ppf(f), band.at(f)
    low, high = (stats.norm.ppf([getattr(i, name) for i in ends]) for name in ("low", "high"))
    np.testing.assert_allclose((low + high) / 2, fit.line(z), atol=1e-4)
    np.testing.assert_allclose((high - low) / 2, np.sqrt(-2 * np.log(0.05)) * fit.sd(z), atol=1e-4)
    assert tuple(band.at(0)) == (0, 0)
    assert tuple(band.at(1)) == (1, 1)


def test_covariance_of_the_binormal_fit_by_simulation():
    rng = np.random.default_rng(1)
    n1, n0, draws = 60, 90, 4000
    x, y = rng.normal(1, 2, (draws, n1)), rng.normal(0, 1, (draws, n0))
    a, b = (x.mean(1) - y.mean(1)) / x.std(1), y.std(1) / x.std(1)
    fit = two_normals("x", rs.tabulate_classes(1 + 2 * quantiles(n1), quantiles(n0)))
    found = np.cov(a, b)
    assert fit.var_a == pytest.approx(found[0, 0], rel=0.1)
    assert fit.var_b == pytest.approx(found[1, 1], rel=0.1)
    assert fit.cov == pytest.approx(found[0, 1], rel=0.25)


def quantiles(n):
    z = stats.norm.ppf((np.arange(n) + 0.5) / n)
    return z / z.std()


@pytest.mark.parametrize("one_sided", [False, True])
def test_factor_on_a_part_of_the_range_by_simulation(one_sided):
    fit = two_normals("x", fawcett())
    ends = (0.1, 0.6)
    k = _hotelling_factor(fit, 0.9, ends, one_sided=one_sided)
    u = np.random.default_rng(2).multivariate_normal(
        [0, 0], [[fit.var_a, fit.cov], [fit.cov, fit.var_b]], 40_000
    )
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
        assert whole.at(f).low < part.at(f).low < part.at(f).high < whole.at(f).high
    assert part.at(0.05).low == 0
    assert part.at(0.05).high == pytest.approx(part.at(0.1).high)
    assert part.at(0.9).low == pytest.approx(part.at(0.5).low)
    assert part.at(0.9).high == 1
    low = bands.working_hotelling_band(fawcett(), side="lower")
    assert (low.upper == 1).all()
    assert low.at(0.2).low > whole.at(0.2).low
    high = bands.working_hotelling_band(fawcett(), side="upper")
    assert (high.lower == 0).all()
    assert high.at(0.2).high < whole.at(0.2).high


def test_pointwise_binormal_band():
    fit, z = two_normals("x", fawcett()), stats.norm.ppf(0.3)
    half = stats.norm.ppf(0.975) * fit.sd(z)
    expected = stats.norm.cdf([fit.line(z) - half, fit.line(z) + half])
    assert tuple(bands.binormal_band(fawcett()).at(0.3)) == pytest.approx(tuple(expected), abs=1e-6)
    later = bands.binormal_band(fawcett(), future=(10, 5))
    expected = stats.norm.cdf([fit.line(z) - half * 3**0.5, fit.line(z) + half * 3**0.5])
    assert tuple(later.at(0.3)) == pytest.approx(tuple(expected), abs=1e-6)


@pytest.mark.parametrize("method", ["working-hotelling", "binormal", "kernel", "psn", "jms"])
def test_models_need_scores_that_vary(method):
    with pytest.raises(ValueError, match="do not vary"):
        roc_band(rs.tabulate([0, 0, 1, 1], [1, 2, 3, 3]), method=method)
    with pytest.raises(ValueError, match="some are infinite"):
        roc_band(rs.tabulate([0, 0, 1, 1], [1, 2, 3, np.inf]), method=method)


# --- Beta boxes -------------------------------------------------------------------------------


def test_tilbury_by_hand():
    # Two of each class, one row: the boxes of (0, 0) and (1, 1) alone.
    band = bands.tilbury_band(rs.tabulate([0, 0, 1, 1], [1, 1, 1, 1]), level=0.81)
    # Each side has .9: quantile .95 of Beta(.5, 2.5), above for 0 of 2, mirrored for 2 of 2.
    q = stats.beta(0.5, 2.5).ppf(0.95)
    assert band.at(0).high == pytest.approx(q)
    assert band.at(1).low == pytest.approx(1 - q)
    assert band.at(q / 2).low == 0
    later = bands.tilbury_band(rs.tabulate([0, 0, 1, 1], [1, 1, 1, 1]), level=0.81, future=(2, 2))
    assert later.at(0).high == pytest.approx(min(1, q * 2**0.5))
    assert band.contains(rs.roc_curve(rs.tabulate([0, 0, 1, 1], [1, 1, 1, 1])))


# --- regions of the likelihood ratio ----------------------------------------------------------


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
    assert band.at(edge * 0.98).low == 0
    assert band.at(edge * 1.02).low > 0
    # Far right only the positives' share counts: all 30 above.
    assert band.at(0.999).low == pytest.approx(np.exp(-(reach(0.95, 30) ** 2) / 60), abs=1e-3)
    assert 1.96 < c < reach(0.95, 30)
    assert band.at(0).high == 1


def test_reach_grows_with_size_and_level():
    assert reach(0.95, 10) == pytest.approx(stats.norm.ppf(0.975))
    reaches = [reach(0.95, n) for n in (20, 200, 20_000, 10**8)]
    assert reaches == sorted(reaches)
    assert reach(0.5, 10**9) < reach(0.9, 10**9) < reach(0.99, 10**9)
    # 2 Phi(-c) + 2 t c phi(c) = .05 with t = log(200 / 13) / 3
    c, t = reach(0.95, 200), np.log(200 / 13) / 3
    assert 2 * stats.norm.sf(c) + 2 * t * c * stats.norm.pdf(c) == pytest.approx(0.05)


# --- replicates -------------------------------------------------------------------------------


def test_reference_displacement():
    expected = reference()["fwb_u_F3_S2"]
    one = rs.roc_curve(fawcett())
    two = rs.roc_curve(rs.tabulate(F3[0], S2))
    for s in (1, 2):
        found = displacement(*slanted(one.fpr, one.tpr, s), *slanted(two.fpr, two.tpr, s))
        assert found == pytest.approx(expected[f"s={s}"], rel=1e-12)


@given(sample=samples(max_size=12), s=st.sampled_from([0.5, 1.0, 3.0]))
@settings(max_examples=40)
def test_displacement_is_the_least_that_encloses(sample, s):
    label, score = sample
    one = rs.roc_curve(rs.tabulate(label, score))
    two = rs.roc_curve(rs.tabulate(label, np.cos(score)))
    u = displacement(*slanted(one.fpr, one.tpr, s), *slanted(two.fpr, two.tpr, s))
    line = Line(one.fpr, one.tpr)

    def encloses(u):
        fpr, low, high = bounded(shifted(line, u, -s * u), shifted(line, -u, s * u))
        band = Band(fpr=fpr, lower=low, upper=high, level=0.9, method="x", simultaneous=True)
        return band.contains(two)

    assert encloses(u + 1e-9)
    # Less is too little, unless the two touch only where the square cuts the copies.
    corner = np.interp(0, *slanted(two.fpr, two.tpr, s)) == 0
    assert u == 0 or corner or not encloses(u * 0.98 - 1e-9) or touches_the_border(one, two, s, u)


def touches_the_border(one, two, s, u):
    """Whether the largest distance is at a point whose shifted copy lies outside the square."""
    w0, h0 = slanted(one.fpr, one.tpr, s)
    w1, h1 = slanted(two.fpr, two.tpr, s)
    w = np.union1d(w0, w1)
    gap = np.interp(w, w1, h1) - np.interp(w, w0, h0)
    at = w[np.abs(np.abs(gap) - u) < 1e-9]
    f, t = np.interp(at, w1, two.fpr), np.interp(at, w1, two.tpr)
    return bool(((f <= 1e-9) | (f >= 1 - 1e-9) | (t <= 1e-9) | (t >= 1 - 1e-9)).any())


def test_fixed_width_is_what_it_says(monkeypatch):
    # More than what 50 positives may lack by chance, so that it counts as it is.
    monkeypatch.setattr("rocspace.bands.replicates.order_statistic", lambda *_: 0.15)
    table = simulate.binormal(0.8).draw(50, 200, rng=3)
    curve = rs.roc_curve(table)
    for slope, s in (("sqrt(N/P)", 2.0), ("sqrt(P/N)", 0.5)):
        for future, u in ((None, 0.15), ((50, 200), 0.15 * 2**0.5), ((50, 100), 0.15 * 3**0.5)):
            band = bands.fixed_width_band(table, slope=slope, n_boot=20, rng=1, future=future)
            for f in (0.1931, 0.5173):  # where no point is, before or after the shift
                left, right = max(0, f - u), min(1, f + u)
                assert band.at(f).high == pytest.approx(min(1, curve.tpr_at(right) + s * u))
                low = curve.tpr_at(left) - s * u if f > u else 0
                assert band.at(f).low == pytest.approx(max(0, low))


def test_order_statistic():
    # 19 replicates at .95: the ceil(.95 * 20) = 19th, the largest; 18 are too few.
    values = np.arange(19.0)[::-1]
    assert order_statistic(values, 0.95, 19) == 18
    assert order_statistic(values, 0.9, 19) == 17
    with pytest.raises(ValueError, match="n_boot must be at least 19"):
        order_statistic(values[:18], 0.95, 18)


@pytest.mark.parametrize("method", ["envelope", "fixed-width", "vertical", "threshold"])
def test_threads_do_not_matter_and_seeds_do(method):
    table = simulate.binormal(0.8).draw(300, 400, rng=1)
    found = [roc_band(table, method=method, n_boot=600, rng=7, threads=t) for t in (1, 3)]
    np.testing.assert_array_equal(found[0].upper, found[1].upper)
    other = roc_band(table, method=method, n_boot=600, rng=8)
    assert found[0].area != other.area


def test_thinning_keeps_points_of_the_curve():
    table = simulate.binormal(0.9).draw(3000, 5000, rng=2)
    thin = thinned(table, 256)
    assert len(thin) < 300
    assert (thin.n_pos, thin.n_neg) == (3000, 5000)
    assert set(zip(thin.fp.tolist(), thin.tp.tolist(), strict=True)) <= set(
        zip(table.fp.tolist(), table.tp.tolist(), strict=True)
    )
    assert thinned(thin, 1000) is thin


def test_vertical_intervals():
    table = simulate.binormal(0.8).draw(40, 60, rng=1)
    found = {
        kind: bands.vertical_band(table, interval=kind, n_boot=1500, rng=1).at(0.3)
        for kind in ("percentile", "normal", "t", "binomial")
    }
    assert found["t"].width == pytest.approx(found["normal"].width, rel=2e-3)
    assert found["t"].width > found["normal"].width
    # Without the threshold's error.
    assert found["binomial"].width < found["normal"].width
    wide = bands.threshold_band(table, n_boot=1500, rng=1).at(0.3)
    assert wide.width > found["percentile"].width
    with pytest.raises(ValueError, match="interval is 'wilson'"):
        bands.vertical_band(table, interval="wilson")


def test_envelope_never_vanishes():
    band = bands.envelope_band(separated(20, 20), n_boot=100, rng=1)
    assert band.at(0.01).low == 0
    assert 0.8 < band.at(0.9).low < 0.95


# --- kernels and bridges ----------------------------------------------------------------------


def test_reference_bandwidths():
    expected = reference()["F3_kernel"]
    pos, neg = both_classes("x", fawcett())
    assert pos.bandwidth("density") == pytest.approx(expected["h1"], rel=1e-9)
    assert neg.bandwidth("density") == pytest.approx(expected["h0"], rel=1e-9)


def test_reference_variance():
    # F3 at f = .2: R = .5, binormal slope 1.1630: .5 .5 / 10 + 1.163^2 .2 .8 / 10 = .0466.
    found = bands.curve_variance(fawcett(), [0.2], slope="binormal")[0]
    assert found == pytest.approx(0.0466, abs=5e-5)
    z = stats.norm.ppf(0.2)
    slope = 0.8175923 * stats.norm.pdf(0.6281624 + 0.8175923 * z) / stats.norm.pdf(z)
    assert slope == pytest.approx(1.1630, abs=5e-5)
    assert found == pytest.approx(0.025 + slope**2 * 0.016, rel=1e-6)
    # The first term at R = 1 is Wilson's.
    assert bands.curve_variance(fawcett(), 1.0) == pytest.approx(0.0050127, abs=5e-8)
    assert wilson_variance(np.array([1.0]), 10, 1.959964)[0] == pytest.approx(0.0050127, abs=5e-8)


def test_kernel_slope_is_near_that_of_the_population():
    table = simulate.binormal(0.8).draw(20_000, 20_000, rng=1)
    mu = stats.norm.ppf(0.8) * 2**0.5
    f = np.array([0.1, 0.3, 0.6])
    z = stats.norm.isf(f)
    truth = stats.norm.pdf(z - mu) / stats.norm.pdf(z)
    tpr = stats.norm.sf(z - mu)
    expected = tpr * (1 - tpr) / 20_000 + truth**2 * f * (1 - f) / 20_000
    np.testing.assert_allclose(bands.curve_variance(table, f), expected, rtol=0.12)
    np.testing.assert_allclose(
        bands.curve_variance(table, f, slope="binormal"), expected, rtol=0.05
    )


def test_hsieh_turnbull_band_is_normal():
    table = simulate.binormal(0.8).draw(100, 100, rng=1)
    band = bands.hsieh_turnbull_band(table, slope="binormal")
    f = 0.3
    half = stats.norm.ppf(0.975) * np.sqrt(bands.curve_variance(table, f, slope="binormal"))
    seen = rs.roc_curve(table).tpr_at(f)
    assert tuple(band.at(f)) == pytest.approx((seen - half, min(1, seen + half)), abs=0.01)
    later = bands.hsieh_turnbull_band(table, slope="binormal", future=(100, 100))
    assert later.at(0.1).width == pytest.approx(band.at(0.1).width * 2**0.5, rel=0.02)


@pytest.mark.parametrize(("ends", "expected"), [((0.1, 0.9), 3.05), ((0.05, 0.95), 3.13)])
def test_reference_bridges(ends, expected):
    # a = b = 1, P = N: simulated K about 3.05 and 3.13.
    z = np.linspace(*stats.norm.ppf(ends), 1500)
    f, tpr = stats.norm.cdf(z), stats.norm.cdf(1 + z)
    slope = stats.norm.pdf(1 + z) / stats.norm.pdf(z)
    sup = bridge_sups(f, tpr, slope, (100.0, 100.0), n_boot=4000, rng=1)
    assert np.quantile(sup, 0.95) == pytest.approx(expected, abs=0.08)
    assert sup.std() > 0


def test_jms_needs_an_inner_range():
    with pytest.raises(ValueError, match="strictly between"):
        bands.jms_band(fawcett(), fpr=(0, 0.5))
    wide, narrow = (bands.jms_band(fawcett(), fpr=e, rng=1) for e in ((0.01, 0.99), (0.2, 0.6)))
    assert wide.at(0.3).width >= narrow.at(0.3).width
    assert narrow.at(0.1).low == 0
    assert narrow.at(0.9).high == 1


def test_psn_shares_the_error_out():
    # Largest values 0..99, smallest -1 always: all of the error belongs above.
    high, low = narrowest(np.arange(100.0), np.full(100, -1.0), 0.1)
    assert low == -1
    assert high == pytest.approx(np.quantile(np.arange(100.0), 0.9), abs=0.3)
    with pytest.raises(ValueError, match="scale is 0"):
        bands.psn_band(fawcett(), scale=0)
    one, two = (bands.psn_band(fawcett(), scale=s, n_boot=300, rng=1).area for s in (0.1, 1))
    assert one != two


# --- bands that would have no width ------------------------------------------------------------

UNSEEN = 1 - 0.025 ** (1 / 50)  # what 50 cases without a sighting leave possible, half the error


@pytest.mark.parametrize(("n_pos", "n_neg"), [(50, 50), (20, 200)])
def test_fixed_width_of_separated_classes_by_hand(n_pos, n_neg):
    # All shifts are 0. Right by u and down by s u: no less than what each class may lack.
    s = (n_neg / n_pos) ** 0.5
    u = max(1 - 0.025 ** (1 / n_neg), (1 - 0.025 ** (1 / n_pos)) / s)
    band = bands.fixed_width_band(separated(n_pos, n_neg), n_boot=100, rng=1)
    assert band.at(u * 0.999).low == 0
    assert band.at(u * 1.001).low == pytest.approx(1 - s * u)
    assert band.at(0).high == 1
    later = bands.fixed_width_band(separated(n_pos, n_neg), n_boot=100, future=(n_pos, n_neg))
    assert later.at(0.9).low == pytest.approx(1 - s * u * 2**0.5)


@pytest.mark.parametrize("method", ["vertical", "threshold", "fixed-width"])
def test_separated_classes_are_not_known_for_certain(method):
    band = roc_band(separated(50, 50), method=method, n_boot=100, rng=1)
    assert band.without_width == 0
    assert tuple(band.at(UNSEEN * 0.99)) == (0, 1)  # all negatives may lie below by chance
    for f in (UNSEEN * 1.1, 0.1, 0.5, 0.99):
        assert tuple(band.at(f)) == pytest.approx((1 - UNSEEN, 1))
    # And as surely if they are separated the wrong way round.
    wrong = rs.tabulate_classes(np.arange(50), np.arange(50) + 50)
    band = roc_band(wrong, method=method, n_boot=100, rng=1)
    assert tuple(band.at(0.5)) == pytest.approx((0, UNSEEN))
    assert tuple(band.at(1 - UNSEEN * 0.99)) == (0, 1)


def test_kernels_that_do_not_reach_the_other_class_know_no_more_than_counts():
    band = bands.kernel_band(rs.tabulate_classes(np.arange(50) + 500, np.arange(50)))
    assert tuple(band.at(UNSEEN * 0.8)) == (0, 1)
    for f in (0.1, 0.5, 0.99):
        assert tuple(band.at(f)) == pytest.approx((1 - UNSEEN, 1), abs=1e-6)
    wrong = bands.kernel_band(rs.tabulate_classes(np.arange(50), np.arange(50) + 500))
    assert tuple(wrong.at(0.5)) == pytest.approx((0, UNSEEN), abs=1e-6)
    # A new sample may be as much further off as its own error is.
    later = bands.kernel_band(
        rs.tabulate_classes(np.arange(50) + 500, np.arange(50)), future=(50, 50)
    )
    assert later.at(0.5).low == pytest.approx(1 - 2**0.5 * UNSEEN, abs=1e-6)


@pytest.mark.parametrize("interval", ["percentile", "normal", "t", "binomial"])
@pytest.mark.parametrize("make", [bands.vertical_band, bands.threshold_band])
def test_intervals_of_replicates_that_agree(make, interval):
    band = make(separated(50, 50), interval=interval, n_boot=100, rng=1)
    assert 0.92 < band.at(0.5).low < 0.94
    assert band.without_width == 0
    # Ends of the range: the curve is at 1 in all replicates, and lower bounds rise towards it.
    table = simulate.binormal(0.85).draw(100, 100, rng=1)
    assert make(table, interval=interval, n_boot=200, rng=1).at(0.999).low < 0.97


def test_kernel_band_knows_as_much_as_before_where_it_knows():
    # Only where the smoothed rate is within one positive of 0 or 1 is there more room.
    table = simulate.binormal(0.8).draw(200, 200, rng=2)
    band = bands.kernel_band(table)
    for f in (0.1, 0.3, 0.5):
        ends = band.at(f)
        sd = np.sqrt(bands.curve_variance(table, f))
        assert ends.width == pytest.approx(2 * stats.norm.ppf(0.975) * sd, rel=0.1)
    assert band.at(0.9999).low <= 0.025 ** (1 / 200) + 1e-12


def test_a_band_without_width_says_so():
    band = bands.psn_band(rs.tabulate_classes(np.arange(50) + 500, np.arange(50)), n_boot=50)
    assert band.without_width == 1
    assert "no width over 100% of the range" in repr(band)
    assert stairs().without_width == 0
    assert "width" not in repr(stairs())
    half = by_hand([0, 0.25, 0.5, 1], [0, 0.5, 0.5, 0.5], [0.5, 0.5, 0.5, 1])
    assert half.without_width == 0.25


@given(sample=samples(max_size=16))
@settings(max_examples=15, deadline=None)
@pytest.mark.parametrize("method", ["vertical", "threshold", "fixed-width"])
def test_no_rate_is_known_for_certain(method, sample):
    band = roc_band(rs.tabulate(*sample), method=method, n_boot=60, rng=1)
    for ends in band.at([0.01, 0.2, 0.5, 0.8, 0.99]):
        assert ends.width > 1e-3


# --- importance weights -----------------------------------------------------------------------

KNOW_WEIGHTS = (
    "likelihood",
    "working-hotelling",
    "binormal",
    "tilbury",
    "kernel",
    "hsieh-turnbull",
    "jms",
)


@pytest.mark.parametrize("method", KNOW_WEIGHTS)
@pytest.mark.parametrize("weights", [(100, 100), (0.3, 7.7), (1 / 3, 1e9)])
def test_weights_that_are_all_alike_say_nothing(method, weights):
    label, score = F3
    weight = np.where(label, *weights)
    one = roc_band(rs.tabulate(label, score), method=method, rng=1, n_boot=50)
    two = roc_band(rs.tabulate(label, score, sample_weight=weight), method=method, rng=1, n_boot=50)
    np.testing.assert_array_equal(one.lower, two.lower)
    np.testing.assert_array_equal(one.upper, two.upper)


@pytest.mark.parametrize("method", KNOW_WEIGHTS)
@given(scale=st.tuples(st.floats(1e-6, 1e6), st.floats(1e-6, 1e6)), seed=st.integers(0, 50))
@settings(max_examples=6, deadline=None)
def test_the_scale_of_importance_weights_has_no_effect(method, scale, seed):
    label, score = F3
    weight = np.random.default_rng(seed).lognormal(0, 1, len(label))
    one, two = (
        roc_band(rs.tabulate(label, score, sample_weight=w), method=method, rng=1, n_boot=50)
        for w in (weight, weight * np.where(label, *scale))
    )
    at = np.linspace(0, 1, 21)
    for a, b in zip(one.at(at), two.at(at), strict=True):
        assert tuple(a) == pytest.approx(tuple(b), abs=1e-9)


@pytest.mark.parametrize("method", KNOW_WEIGHTS)
def test_importance_weights_know_less_than_cases(method):
    table = simulate.binormal(0.8).draw(200, 200, rng=1)
    label = np.repeat([True, False], 200)
    score = np.concatenate([np.repeat(table.score, n) for n in (table.pos, table.neg)])
    weight = np.random.default_rng(1).lognormal(0, 1, 400)
    weighted = rs.tabulate(label, score, sample_weight=weight)
    at = np.linspace(0.005, 0.995, 100)
    seen = [rs.roc_curve(t).tpr_at(at) for t in (weighted, table)]
    found = [roc_band(t, method=method, rng=1).at(at) for t in (weighted, table)]
    below = [
        np.mean(tpr - [each.low for each in ends]) for tpr, ends in zip(seen, found, strict=True)
    ]
    # Some 70 effective cases of 200: lower by about the root of the ratio.
    ratio = (np.array([200, 200]) / weighted.n_eff) ** 0.5
    assert ratio.min() > 1.5
    assert 0.75 * ratio.min() < below[0] / below[1] < 1.25 * ratio.max()


def test_effective_sizes_by_hand():
    # Positives weigh 1, 1, 2: 16 / 6 = 8/3 effective cases, of which the last is 4/3.
    # Positives above negatives: the likelihood band's right end is 1 - exp(-c^2 / (2 n_eff)) off.
    table = rs.tabulate([1, 1, 1, 0, 0], [5, 4, 3, 2, 1], sample_weight=[1, 1, 2, 3, 3])
    made = effective("x", table, "importance")
    assert made.pos.tolist() == pytest.approx([2 / 3, 2 / 3, 4 / 3, 0, 0])
    assert made.neg.tolist() == pytest.approx([0, 0, 0, 1, 1])
    assert made.n_eff == pytest.approx((8 / 3, 2))
    c = reach(0.95, 8 / 3)
    found = bands.likelihood_band(table).at(0.9999).low
    assert found == pytest.approx(np.exp(-c * c / (2 * 8 / 3)), abs=1e-3)


@pytest.mark.parametrize("method", [m for m in ALL if m not in KNOW_WEIGHTS])
def test_who_needs_equal_cases_says_so(method):
    # However whole they are: nobody said that they are frequencies.
    table = rs.tabulate(*F3, sample_weight=np.full(20, 100))
    with pytest.raises(ValueError, match="importance weights") as caught:
        roc_band(table, method=method, n_boot=100)
    assert 'weight_type="frequency"' in str(caught.value)
    assert 'method="likelihood"' in str(caught.value)


def test_curve_variance_and_optimised_bands_of_weights():
    label, score = F3
    alike = rs.tabulate(label, score, sample_weight=np.full(20, 7))
    np.testing.assert_array_equal(
        bands.curve_variance(alike, [0.2, 0.5]), bands.curve_variance(fawcett(), [0.2, 0.5])
    )
    more = bands.curve_variance(alike, [0.2], weight_type="frequency")
    assert more < bands.curve_variance(alike, [0.2]) / 5
    band = bands.likelihood_band(alike)
    with pytest.raises(ValueError, match="optimise_band needs cases that count the same"):
        rs.bands.optimise_band(alike, band)
    found = rs.bands.optimise_band(alike, band, weight_type="frequency", n_boot=50, rng=1)
    assert found.containment >= 0.95


# --- replicates: how many, in how many threads, from which seed -----------------------------------

DRAWN = ("envelope", "fixed-width", "psn", "jms", "vertical", "threshold")


@pytest.mark.parametrize("method", DRAWN)
def test_too_few_replicates(method):
    # One in each tail: 1 / .05 - 1 = 19, and 1 / .025 - 1 = 39 where both tails are cut off.
    least = 39 if method in ("vertical", "threshold") else 19
    for n_boot in (0, 1, 5, least - 1):
        with pytest.raises(ValueError, match=f"n_boot must be at least {least}"):
            roc_band(fawcett(), method=method, n_boot=n_boot)
    assert roc_band(fawcett(), method=method, n_boot=least, rng=1).area > 0
    with pytest.raises(ValueError, match="from two on"):
        bands.vertical_band(fawcett(), interval="t", n_boot=1)
    assert bands.vertical_band(fawcett(), interval="t", n_boot=2, rng=1).area > 0
    assert roc_band(fawcett(), method="envelope", level=0.9, n_boot=9, rng=1).area > 0


@pytest.mark.parametrize("method", DRAWN)
def test_seeds_that_are_none(method):
    with pytest.raises(ValueError, match="rng is -1, but must be"):
        roc_band(fawcett(), method=method, rng=-1)
    with pytest.raises(TypeError, match="rng is 'a', but must be"):
        roc_band(fawcett(), method=method, rng="a")


@pytest.mark.parametrize("method", ["psn", "jms"])
def test_simulated_bands_take_threads_and_progress(method, capsys, monkeypatch):
    monkeypatch.setattr("rocspace._base.progress._PATIENCE", -1.0)
    found = [
        roc_band(fawcett(), method=method, n_boot=1500, rng=7, threads=t, progress=p)
        for t, p in ((1, True), (3, False))
    ]
    np.testing.assert_array_equal(found[0].upper, found[1].upper)
    shown = capsys.readouterr().err
    assert "of 1500" in shown
    assert ("simulated bridges" in shown) is (method == "jms")


def test_options_that_do_not_exist():
    for make in (roc_band, bands.fixed_width_band):
        with pytest.raises(TypeError, match="unexpected keyword argument 'thread'"):
            make(fawcett(), thread=1)


def test_interrupted_bands_stop_at_once():
    drawn = []

    def block(generator, many):
        drawn.append(many)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_blocks(block, 30_000, 1500, 1, 2, False)
    assert len(drawn) <= 4


# --- the difference of two curves -------------------------------------------------------------


def paired(n, seed):
    rng = np.random.default_rng(seed)
    label = np.arange(n) % 2 == 0
    common = rng.normal(size=n)
    good = 2 * label + common + rng.normal(size=n) / 2
    poor = 0.5 * label + common + rng.normal(size=n) / 2
    return rs.pair_scores(label, {"good": good, "poor": poor, "twin": good})


def test_difference_of_a_score_and_its_twin():
    band = difference_band(paired(200, 1), ("good", "twin"), n_boot=100, rng=1)
    assert (band.difference == 0).all()
    assert not band.differs.any()
    assert band.contains(lambda f: 0 * f)
    assert (band.upper > 0).all()  # even where all replicates agree


def test_difference_band():
    data = paired(300, 1)
    band = difference_band(data, n_boot=300, rng=1, threads=1)
    curves = [rs.roc_curve(data.table(name)) for name in ("good", "poor")]
    expected = curves[0].tpr_at(band.fpr) - curves[1].tpr_at(band.fpr)
    np.testing.assert_allclose(band.difference, expected, atol=1e-12)
    assert band.names == ("good", "poor")
    assert band.differs[np.searchsorted(band.fpr, 0.2)]
    assert not band.differs[0]
    assert (band.lower >= -1).all()
    assert (band.upper <= 1).all()
    other = difference_band(data, ("poor", "good"), n_boot=300, rng=1, threads=2)
    np.testing.assert_allclose(other.lower, -band.upper, atol=1e-12)
    assert band.at(0.2).low == pytest.approx(-other.at(0.2).high)
    assert len(band.at([0.1, 0.2])) == 2


def test_difference_band_draws_cases_together():
    # Scores that share their noise: a band of unpaired replicates would be far wider.
    rng = np.random.default_rng(5)
    label = np.arange(400) % 2 == 0
    score = label + rng.normal(size=400)
    near = rs.pair_scores(label, {"a": score, "b": score + rng.normal(size=400) / 50})
    other = rs.pair_scores(label, {"a": score, "b": label + rng.normal(size=400)})
    widths = [difference_band(d, n_boot=200, rng=1).at(0.3).width for d in (near, other)]
    assert widths[0] < widths[1] / 2


def test_difference_band_of_an_unknown_score():
    data = paired(100, 2)
    with pytest.raises(ValueError, match="no score 'god'"):
        difference_band(data, ("god", "poor"))


# --- refusals ---------------------------------------------------------------------------------


def test_what_is_refused():
    with pytest.raises(ValueError, match="Did you mean 'envelope'"):
        roc_band(fawcett(), method="envelop")
    with pytest.raises(ValueError, match="no band for a new sample"):
        roc_band(fawcett(), method="likelihood", future=(5, 5))
    with pytest.raises(TypeError, match="takes a ScoreTable"):
        roc_band([0, 1])
    for method in ALL:
        with pytest.raises(SingleClassError):
            roc_band(rs.tabulate([1, 1], [1, 2]), method=method)
        with pytest.raises(ValueError, match="level is 95"):
            roc_band(fawcett(), method=method, level=95)
    with pytest.raises(ValueError, match="split is 'half'"):
        bands.ks_band(fawcett(), split="half")
    with pytest.raises(ValueError, match="side is 'both'"):
        bands.working_hotelling_band(fawcett(), side="both")
    with pytest.raises(ValueError, match="slope is '1'"):
        bands.fixed_width_band(fawcett(), slope="1")


def test_limits_of_a_line():
    line = Line(np.array([0, 0, 0.5, 0.5, 1]), np.array([0, 0.2, 0.4, 0.8, 1]))
    left, right = left_right(line, np.array([0, 0.25, 0.5, 0.75, 1]))
    assert left.tolist() == pytest.approx([0, 0.3, 0.4, 0.9, 1])
    assert right.tolist() == pytest.approx([0.2, 0.3, 0.8, 0.9, 1])


def test_kernel_band_ends_at_one_where_shares_add_up_to_more():
    # The 100 shares of .01 add up to 1 + 2e-16, which is no false positive rate.
    band = roc_band(simulate.exponential(0.9).draw(100, 100, rng=0), method="kernel")
    assert band.fpr.max() == 1


@pytest.mark.parametrize(
    "method", ["working-hotelling", "binormal", "kernel", "hsieh-turnbull", "jms", "psn"]
)
@pytest.mark.parametrize("unit", [1.7e308, 1e-200])
def test_the_unit_of_the_scores_does_not_matter_however_large_or_small(method, unit):
    label, score = F3
    plain, other = (
        roc_band(rs.tabulate(label, np.asarray(score) * u), method=method, n_boot=100, rng=1)
        for u in (1.0, unit)
    )
    assert other.area == pytest.approx(plain.area, rel=1e-9)


def test_rounding_is_no_spread_of_equal_scores():
    with pytest.raises(ValueError, match="do not vary"):
        roc_band(rs.tabulate([1, 1, 1, 0, 0, 0], [0.1, 0.1, 0.1, 0.2, 0.3, 0]), method="kernel")


def test_a_difference_needs_two_scores():
    label, score = F3
    with pytest.raises(ValueError, match="here is only a"):
        difference_band(rs.pair_scores(label, {"a": score}))


@pytest.mark.parametrize("seed", range(5))
def test_every_difference_of_curves_starts_at_0(seed):
    """The ledger found it: near fpr 0 steep curves left the band of a difference."""
    population = simulate.paired_binormal([0.995, 0.98])
    data = population.draw(50, 50, rng=seed)
    band = bands.difference_band(data, n_boot=200, rng=seed)
    assert band.lower[0] <= 0 <= band.upper[0]
    first, second = population.margins
    near = band.fpr * 50 < 2
    truth = first.tpr_at(band.fpr[near]) - second.tpr_at(band.fpr[near])
    assert (band.lower[near] <= truth).all()
    assert (truth <= band.upper[near]).all()


def test_local_sizes_by_hand():
    # A share s of weights w: variance (W2above (1 - s)^2 + W2below s^2) / W^2 = s (1 - s) / n.
    total, w2 = np.cumsum([40.0, 60.0, 100.0]), np.array([80.0, 60.0, 60.0])
    size = _local(total, w2)
    for at, above in ((40, 80), (100, 140)):
        s = at / 200
        plain = s * (1 - s) / ((above * (1 - s) ** 2 + (200 - above) * s**2) / 200**2)
        # One case more on both sides that weighs 1, and nowhere more than 200.
        assert float(size(s)) == pytest.approx(min(plain, 200), rel=0.03)
    # s = .2: 200 / (81 / 41 .8 + 121 / 161 .2)
    assert float(size(0.2)) == pytest.approx(200 / (81 / 41 * 0.8 + 121 / 161 * 0.2))
    np.testing.assert_allclose(_local(total, np.diff(total, prepend=0))(np.linspace(0, 1, 9)), 200)


def test_cases_drawn_by_their_scores_are_known_less_well():
    # The highest scores weigh four times as much: small rates rest on few cases, and are less
    # certain than n_eff says; nowhere is more known.
    label, score = np.repeat([True, False], 200), np.tile(np.arange(200), 2)
    uneven = rs.tabulate(label, score, sample_weight=np.where(score >= 160, 4.0, 1.0))
    sizes = uneven.n_eff
    band = bands.likelihood_band(uneven)
    line = Line(rs.roc_curve(uneven).fpr, rs.roc_curve(uneven).tpr)
    low, high = likelihood_bounds(line, band.fpr, *sizes, reach(0.95, max(sizes)))
    wider = (band.upper - band.lower) / np.maximum(high - low, 1e-12)
    assert (wider[1:-1] > 1 - 1e-9).all()
    assert wider[np.searchsorted(band.fpr, 0.1)] > 1.1
