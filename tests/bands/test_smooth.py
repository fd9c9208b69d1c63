"""Kernels and bridges."""

import numpy as np
import pytest
from scipy import stats

import rocspace as rs
from rocspace import bands, simulate
from rocspace.bands.band import wilson_variance
from rocspace.bands.smooth import _smoothed_replicates, both_classes, bridge_sups, narrowest
from slow.bands import fawcett
from slow.data import reference


def test_reference_bandwidths():
    expected = reference()["F3_kernel"]
    pos, neg = both_classes("x", fawcett())
    assert pos.bandwidth("silverman") == pytest.approx(expected["h1"], rel=1e-9)
    assert neg.bandwidth("silverman") == pytest.approx(expected["h0"], rel=1e-9)


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
    assert tuple(band.at_fpr(f)) == pytest.approx((seen - half, min(1, seen + half)), abs=0.01)
    later = bands.hsieh_turnbull_band(table, slope="binormal", future=(100, 100))
    assert later.at_fpr(0.1).width == pytest.approx(band.at_fpr(0.1).width * 2**0.5, rel=0.02)


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
    assert wide.at_fpr(0.3).width >= narrow.at_fpr(0.3).width
    assert narrow.at_fpr(0.1).low == 0
    assert narrow.at_fpr(0.9).high == 1


def test_jms_holds_from_a_twentieth_on_if_not_asked_otherwise():
    plain, asked = (
        bands.jms_band(fawcett(), n_boot=40, rng=1, **e) for e in ({}, {"fpr": (0.05, 0.95)})
    )
    assert plain.low.tolist() == asked.low.tolist()
    assert plain.fpr.tolist() == asked.fpr.tolist()


def test_the_error_goes_where_it_narrows_most():
    # Nothing is gained above, so that below gets all but a fortieth of the error.
    smallest = np.linspace(-1, 0, 1001)
    high, low = narrowest(np.ones(1001), smallest, 0.2)
    assert (high, low) == (1, pytest.approx(-1 + 0.2 * 39 / 40))


def test_psn_shares_the_error_out():
    # Largest values 0..99, smallest -1 always: all of the error belongs above.
    high, low = narrowest(np.arange(100.0), np.full(100, -1.0), 0.1)
    assert low == -1
    assert high == pytest.approx(np.quantile(np.arange(100.0), 0.9), abs=0.3)
    with pytest.raises(ValueError, match="scale is 0"):
        bands.psn_band(fawcett(), scale=0)
    one, two = (bands.psn_band(fawcett(), scale=s, n_boot=300, rng=1).area for s in (0.1, 1))
    assert one != two


def test_horizontal_variance_by_formula():
    # Var f(t) = f (1 - f) / N + t (1 - t) / (P R'^2), R' = b phi(a + b z) / phi(z)
    # of the binormal fit a = .628162, b = .817592 where its height is t.
    a, b = 0.628162, 0.817592
    curve = rs.roc_curve(fawcett())
    for t in (0.45, 0.75):  # where no point of the curve is
        f = curve.fpr_at(t)
        z = (stats.norm.ppf(t) - a) / b
        slope = b * stats.norm.pdf(a + b * z) / stats.norm.pdf(z)
        expected = f * (1 - f) / 10 + t * (1 - t) / (10 * slope**2)
        found = bands.curve_variance(fawcett(), tpr=t, slope="binormal")
        assert found == pytest.approx(expected, rel=1e-5)
    # No false positive: Wilson's variance of none of N.
    low = bands.curve_variance(fawcett(), tpr=[0.1], slope="binormal")[0]
    z = (stats.norm.ppf(0.1) - a) / b
    slope = b * stats.norm.pdf(a + b * z) / stats.norm.pdf(z)
    edge = wilson_variance(0.0, 10.0, stats.norm.isf(0.025))
    assert low == pytest.approx(edge + 0.09 / (10 * slope**2), rel=1e-5)
    for rates in ({}, {"fpr": 0.1, "tpr": 0.9}):
        with pytest.raises(ValueError, match="Give either fpr or tpr"):
            bands.curve_variance(fawcett(), **rates)


def test_horizontal_variance_is_the_vertical_one_of_exchanged_classes():
    label, score = np.array([0, 1] * 40), np.random.default_rng(3).normal(size=80)
    score += label
    table = rs.tabulate(label, score)
    # Seen from the other side: what is called negative is the positive class.
    mirrored = rs.tabulate(1 - label, score)
    at = np.array([0.31, 0.52, 0.77])
    for slope in ("kernel", "binormal"):
        np.testing.assert_allclose(
            bands.curve_variance(table, tpr=at, slope=slope),
            bands.curve_variance(mirrored, fpr=at, slope=slope),
            rtol=0.2,  # at a step one reads its lower end, the other its upper one
        )


def test_horizontal_intervals_are_normal():
    table = simulate.binormal(0.8).draw(100, 100, rng=1)
    curve, z = rs.roc_curve(table), stats.norm.ppf(0.975)
    band = bands.hsieh_turnbull_band(table, rate="fpr", slope="binormal")
    assert (band.simultaneous, band.method) == (False, "hsieh-turnbull")
    for t in (0.55, 0.7):
        half = z * np.sqrt(bands.curve_variance(table, tpr=t, slope="binormal"))
        f = curve.fpr_at(t)
        # To the right of the far end the lower bound is above t, to the left of the near one not.
        assert np.interp(t, band.low, band.fpr) == pytest.approx(f + half, abs=0.015)
        assert np.interp(t, band.high, band.fpr) == pytest.approx(f - half, abs=0.015)
    fpr = np.linspace(0.05, 0.95, 19)
    low, high = np.transpose([tuple(interval) for interval in band.at_fpr(fpr)])
    assert ((low < curve.tpr_at(fpr)) & (curve.tpr_at(fpr) <= high)).all()
    later = bands.hsieh_turnbull_band(table, rate="fpr", slope="binormal", future=(100, 100))
    assert later.target == "sample"
    assert later.area > 1.2 * band.area
    with pytest.raises(ValueError, match="rate is 'both'"):
        bands.hsieh_turnbull_band(table, rate="both")


def test_slopes_whose_squares_are_no_numbers_do_not_stop_a_band():
    fpr = np.array([0.2, 0.5, 0.8])
    tpr, steep = np.array([0.5, 0.7, 0.9]), np.array([1e200, 2.0, 1.0])
    sup = [
        bridge_sups(fpr, tpr, np.array([first, *steep[1:]]), (20.0, 30.0), n_boot=50, rng=1)
        for first in (steep[0], np.inf, -np.inf)
    ]
    assert np.isfinite(sup[0]).all()
    assert (sup[0] == sup[1:]).all()  # each has an infinite variance there


def test_a_kernel_band_begins_at_zero_and_ends_at_one():
    apart = rs.tabulate([0] * 200 + [1] * 200, [*range(200), *range(100, 300)])
    for table in (fawcett(), apart):
        band = bands.kernel_band(table)
        assert (band.fpr[0], band.low[0]) == (0, 0)
        assert (band.fpr[-1], band.high[-1]) == (1, 1)
        assert (np.diff(band.fpr) >= 0).all()


def test_psn_replicates_have_the_bandwidth_of_the_smaller_class():
    # Each case is smoothed by a Normal distribution, whose width is scale min(n)^(-1/5) sd.
    score = np.arange(12.0)[::-1]
    pos, neg = np.where(score >= 4, 250, 0), np.where(score < 9, 350, 0)
    table = rs.ScoreTable.from_counts(score, pos, neg)
    fpr, at = np.array([0.05, 0.2, 0.5, 0.8]), np.linspace(-90, 110, 20001)
    for scale in (0.3, 1.0, 3.0):
        block, _ = _smoothed_replicates(table, fpr, scale)
        found = block(np.random.default_rng(1), 100).mean(axis=0)
        t, f = (
            stats.norm.sf(
                (at[:, None] - score) / (scale * 2000**-0.2 * np.repeat(score, n).std(ddof=1))
            )
            @ (n / n.sum())
            for n in (pos, neg)
        )
        np.testing.assert_allclose(found, np.interp(fpr, f[::-1], t[::-1]), atol=0.01)
