"""Bands of replicates."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocspace as rs
from rocspace import bands, simulate
from rocspace.bands import Band, roc_band
from rocspace.bands import replicates as _replicates
from rocspace.bands.band import bounded, rates, shifted, thinned
from rocspace.bands.replicates import _ends, displacement, order_statistic, slanted
from rocspace.counts import ScoreTable
from rocspace.resampling.replicates import run_blocks
from rocspace.results.curve import Line, left_right
from slow.bands import fawcett, separated
from slow.data import F3, reference, samples

# A second score of the cases of Fawcett's figure 3.
S2 = [0.8, 0.85, 0.45, 0.5, 0.7, 0.65, 0.3, 0.6, 0.75, 0.2]


S2 += [0.35, 0.55, 0.25, 0.4, 0.15, 0.1, 0.62, 0.05, 0.32, 0.12]


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
        band = Band(fpr=fpr, low=low, high=high, level=0.9, method="x", simultaneous=True)
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
                assert band.at_fpr(f).high == pytest.approx(min(1, curve.tpr_at(right) + s * u))
                low = curve.tpr_at(left) - s * u if f > u else 0
                assert band.at_fpr(f).low == pytest.approx(max(0, low))


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
    np.testing.assert_array_equal(found[0].high, found[1].high)
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
        kind: bands.vertical_band(table, interval=kind, n_boot=1500, rng=1).at_fpr(0.3)
        for kind in ("percentile", "normal", "t", "binomial")
    }
    assert found["t"].width == pytest.approx(found["normal"].width, rel=2e-3)
    assert found["t"].width > found["normal"].width
    # Without the threshold's error.
    assert found["binomial"].width < found["normal"].width
    wide = bands.threshold_band(table, n_boot=1500, rng=1).at_fpr(0.3)
    assert wide.width > found["percentile"].width
    with pytest.raises(ValueError, match="interval is 'wilson'"):
        bands.vertical_band(table, interval="wilson")


def test_envelope_never_vanishes():
    band = bands.envelope_band(separated(20, 20), n_boot=100, rng=1)
    assert band.at_fpr(0.01).low == 0
    assert 0.8 < band.at_fpr(0.9).low < 0.95


DRAWN = ("envelope", "fixed-width", "psn", "jms", "vertical", "threshold")


@pytest.mark.parametrize("method", DRAWN)
def test_too_few_replicates(method):
    # One in each tail: 1 / .05 - 1 = 19, and 1 / .025 - 1 = 39 where both tails are cut off.
    least = 39 if method in ("vertical", "threshold") else 19
    for n_boot in (0, 1, 5, least - 1):
        mend = f"n_boot must be at least {least}" if n_boot else "n_boot is 0, .* 1 or more"
        with pytest.raises(ValueError, match=mend):
            roc_band(fawcett(), method=method, n_boot=n_boot)
    assert roc_band(fawcett(), method=method, n_boot=least, rng=1).area > 0
    with pytest.raises(ValueError, match="two replicates or more"):
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
    np.testing.assert_array_equal(found[0].high, found[1].high)
    shown = capsys.readouterr().err
    assert "of 1500" in shown
    assert ("simulated bridges" in shown) is (method == "jms")


def test_options_that_do_not_exist():
    for make in (roc_band, bands.fixed_width_band):
        with pytest.raises(TypeError, match="has no argument 'thread'"):
            make(fawcett(), thread=1)


def test_interrupted_bands_stop_at_once():
    drawn = []

    def block(generator, many):
        drawn.append(many)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_blocks(block, 30_000, 1500, 1, 2, False)
    assert len(drawn) <= 2  # one in each thread, however late the first is told of it


def test_new_samples_need_more_room_at_each_point():
    table = simulate.binormal(0.8).draw(40, 60, rng=1)
    options = {"level": 0.5, "interval": "normal", "n_boot": 200, "rng": 1}
    now, later = (
        bands.vertical_band(table, future=future, **options) for future in (None, (40, 60))
    )
    assert (now.target, later.target) == ("curve", "sample")
    one, two = now.at_fpr(0.21), later.at_fpr(0.21)
    assert two.width == pytest.approx(one.width * 2**0.5)  # as many cases again
    assert two.low + two.high == pytest.approx(one.low + one.high)
    # Of unequal sizes the larger factor: 1 + 60 / 20 against 1 + 40 / 40.
    few = bands.vertical_band(table, future=(40, 20), **options).at_fpr(0.21)
    assert few.low == pytest.approx((one.low + one.high) / 2 - one.width)
    for make in (bands.vertical_band, bands.threshold_band):
        for kind in ("percentile", "t", "binomial"):
            same = {"interval": kind, "n_boot": 200, "rng": 1}
            close, wide, vast = (
                make(table, future=future, **same) for future in (None, (400, 600), (2, 3))
            )
            fpr = np.linspace(0, 1, 61)
            ends = [np.array([tuple(i) for i in b.at_fpr(fpr)]) for b in (close, wide, vast)]
            for inner, outer in pairwise(ends):
                assert (outer[:, 0] <= inner[:, 0] + 1e-12).all()
                assert (outer[:, 1] >= inner[:, 1] - 1e-12).all()
            assert wide.area < 1.2 * close.area < vast.area
    with pytest.raises(ValueError, match=r"future is \(0, 3\)"):
        bands.threshold_band(table, future=(0, 3))


def test_boxes_of_new_samples_grow_along_their_axes():
    # One threshold between two ties: a single box, whose corners the bounds go through.
    table = ScoreTable.from_counts([2, 1], [60, 40], [30, 70])
    options = {"level": 0.5, "interval": "normal", "n_boot": 500, "rng": 1}
    now = box(bands.threshold_band(table, **options))
    for future, factors in (((100, 100), (2, 2)), ((25, 100), (2, 5)), ((100, 50), (3, 2))):
        later = box(bands.threshold_band(table, future=future, **options))
        for one, two, factor in zip(now, later, factors, strict=True):
            assert two[1] - two[0] == pytest.approx((one[1] - one[0]) * factor**0.5)
            assert sum(two) == pytest.approx(sum(one))  # round the same mean


def box(band):
    """Both sides of the middle box of three: those of all and of nobody are exact limits."""
    left, right = 2, 3
    assert band.fpr.size == 6
    return (band.fpr[left], band.fpr[right]), (band.low[right], band.high[left])


def test_percentiles_leave_out_as_many_on_both_sides():
    low, high = _ends(np.arange(101.0)[:, np.newaxis], 50, 0.9, "percentile")
    assert (low, high) == (pytest.approx(5), pytest.approx(95))


def test_the_envelope_leaves_out_what_is_far_in_standard_errors(monkeypatch):
    # Of forty replicates three rise where the others hardly differ from the curve, by less than
    # all differ elsewhere. They are the farthest in standard errors, though not in height.
    rng = np.random.default_rng(1)
    table = rs.tabulate_classes(rng.normal(1, 1, 20_000), rng.normal(size=20_000))

    def drawn(rows, statistic, n_boot, *options):
        line = rs.roc_curve(rows).line
        fpr = rates(line.x)
        away = np.where((fpr > 0.1) & (fpr < 0.2), 0.1, 0.01) * np.ones((n_boot, 1))
        away[::2] *= -1
        away[:3, (fpr > 0.5) & (fpr < 0.6)] = 0.08
        return left_right(line, fpr)[1] + away

    monkeypatch.setattr(_replicates, "replicate", drawn)
    band = bands.envelope_band(table, level=0.9, n_boot=40)
    height = rs.roc_curve(table).tpr_at(0.55)
    assert height + 0.009 < band.at_fpr(0.55).high < height + 0.02
