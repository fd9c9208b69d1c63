"""Kernels and bridges."""

import numpy as np
import pytest
from scipy import stats

import rocspace as rs
from rocspace import bands, simulate
from rocspace.bands.band import wilson_variance
from rocspace.bands.smooth import both_classes, bridge_sups, narrowest
from slow.bands import fawcett
from slow.data import reference


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


def test_psn_shares_the_error_out():
    # Largest values 0..99, smallest -1 always: all of the error belongs above.
    high, low = narrowest(np.arange(100.0), np.full(100, -1.0), 0.1)
    assert low == -1
    assert high == pytest.approx(np.quantile(np.arange(100.0), 0.9), abs=0.3)
    with pytest.raises(ValueError, match="scale is 0"):
        bands.psn_band(fawcett(), scale=0)
    one, two = (bands.psn_band(fawcett(), scale=s, n_boot=300, rng=1).area for s in (0.1, 1))
    assert one != two
