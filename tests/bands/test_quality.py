"""The harness of the bands: what it measures, and bands scaled to replicates."""

import numpy as np
import pytest

import rocspace as rs
from rocspace import simulate
from rocspace.bands import Band, band_coverage, ks_band, optimise_band, roc_band
from rocspace.bands.band import thinned
from rocspace.bands.replicates import CELLS, heights_at
from rocspace.resampling.replicates import replicate


def strip(low, high):
    """A band of fixed bounds."""
    return Band(
        fpr=np.array([0.0, 1.0]),
        low=np.array([0.0, low]),
        high=np.array([high, 1.0]),
        level=0.9,
        method="strip",
        simultaneous=True,
    )


def test_coverage_counts_by_hand():
    # Every other sample gets the whole square, the others a band below the truth.
    turn = iter(range(100))

    def make(_table, _rng):
        return strip(0, 1) if next(turn) % 2 == 0 else strip(0, 0)

    found = band_coverage(
        simulate.binormal(0.9), make, sizes=(5, 5), n_sim=10, fpr=[0.1, 1.0], rng=1
    )
    assert found.containment == 0.5
    assert found.pointwise.tolist() == [0.5, 1]
    # Heights at .1 are 1 and .1 (the band from (0, 0) to (1, 1) above zero).
    assert found.width == pytest.approx([0.55, 1])
    assert found.width_sd == pytest.approx([0.45, 0])
    assert found.area == pytest.approx(0.75)
    assert found.area_sd == pytest.approx(0.25)
    assert (found.n_sim, found.failures) == (10, 0)
    assert found.containment_se == pytest.approx((0.25 / 10) ** 0.5)


def test_failures_are_counted():
    found = band_coverage(simulate.ratings(), "working-hotelling", sizes=(3, 3), n_sim=60, rng=1)
    assert 0 < found.failures < 60
    assert found.n_sim == 60 - found.failures
    with pytest.raises(ValueError, match="do not vary"):
        band_coverage(simulate.ratings(), "binormal", sizes=(1, 5), n_sim=3, rng=1)
    with pytest.raises(ValueError, match="n_sim is 0"):
        band_coverage(simulate.ratings(), sizes=(3, 3), n_sim=0)


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("population", "sizes"),
    [(simulate.binormal(0.85), (40, 40)), (simulate.ratings(), (30, 60))],
    ids=["normal", "ratings"],
)
def test_distribution_free_bands_hold(population, sizes):
    for method in ("ks", "dkw"):
        assert band_coverage(population, method, sizes=sizes, n_sim=60, rng=1).containment >= 0.95


@pytest.mark.no_cover
def test_the_default_holds_and_is_far_narrower():
    population = simulate.binormal(0.85)
    default, wide = (
        band_coverage(population, m, sizes=(60, 60), n_sim=60, rng=2) for m in ("likelihood", "ks")
    )
    assert default.containment >= 0.88  # nominal .95; fails by chance once in 100 000 at .97
    assert default.area < 0.6 * wide.area


@pytest.mark.parametrize("method", ["binormal", "hsieh-turnbull", "kernel", "tilbury"])
def test_pointwise_bands_cover_points_but_not_curves(method):
    found = band_coverage(
        simulate.binormal(0.8), method, sizes=(100, 100), n_sim=60, fpr=[0.2, 0.5], rng=3
    )
    assert (found.pointwise >= 0.82).all()  # nominal .95 or more, six standard errors
    assert found.containment < found.pointwise.min()


def test_optimised_band_reaches_the_level_on_replicates():
    table = simulate.binormal(0.8).draw(60, 80, rng=1)
    start = roc_band(table, method="hsieh-turnbull")
    made = [optimise_band(table, start, level=q, n_boot=400, rng=2) for q in (0.5, 0.8, 0.95)]
    for level, found in zip((0.5, 0.8, 0.95), made, strict=True):
        assert found.containment >= level
        assert found.band.simultaneous
        drawn = replicate(thinned(table, CELLS), heights_at(found.band.fpr), n_boot=400, rng=2)
        inside = (drawn >= found.band.low - 1e-9) & (drawn <= found.band.high + 1e-9)
        assert inside.all(axis=1).mean() == found.containment
    factors = [found.factor for found in made]
    assert factors == sorted(factors)
    areas = [found.band.area for found in made]
    assert areas == sorted(areas)
    assert made[2].band.contains(rs.roc_curve(thinned(table, CELLS)))


def test_a_wide_band_shrinks():
    table = simulate.binormal(0.8).draw(100, 100, rng=1)
    found = optimise_band(table, ks_band(table), n_boot=300, rng=1)
    assert found.factor < 1
    assert found.band.area < ks_band(table).area


def test_a_band_without_width_cannot_be_scaled():
    table = simulate.binormal(0.8).draw(50, 50, rng=1)
    line = rs.roc_curve(table)
    flat = Band(
        fpr=line.fpr,
        low=line.tpr,
        high=line.tpr,
        level=0.9,
        method="curve",
        simultaneous=True,
    )
    with pytest.raises(ValueError, match="No factor"):
        optimise_band(table, flat, n_boot=50, rng=1)
