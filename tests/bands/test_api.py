"""Bands by name: what holds for every method, and what is refused."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import rocspace as rs
from rocspace import bands, simulate
from rocspace.bands import difference_band, roc_band
from rocspace.bands.band import effective
from rocspace.bands.likelihood import (
    _local,
    likelihood_bounds,
    reach,
)
from rocspace.counts import SingleClassError
from rocspace.counts.weights import Heaviest
from rocspace.results.curve import Line, left_right
from slow.bands import by_hand, fawcett, separated, stairs
from slow.data import F3, samples

SIMULTANEOUS = ("likelihood", "envelope", "ks", "dkw", "fixed-width", "working-hotelling")


SMOOTH = ("working-hotelling", "binormal", "kernel", "hsieh-turnbull", "psn", "jms")


RANKED = ("likelihood", "envelope", "ks", "dkw", "fixed-width", "vertical", "threshold", "tilbury")


ALL = tuple(dict.fromkeys((*SIMULTANEOUS, *SMOOTH, *RANKED)))


POINTWISE = {"vertical", "threshold", "tilbury", "binormal", "kernel", "hsieh-turnbull"}


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
    for column in (band.fpr, band.low, band.high):
        assert (np.diff(column) >= 0).all()
        assert column.min() >= 0
        assert column.max() <= 1
    assert (band.low <= band.high).all()
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
            for f, i in zip(at, band.at_fpr(at), strict=True)
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
    np.testing.assert_array_equal(made[0].low, made[1].low)
    np.testing.assert_array_equal(made[0].high, made[1].high)


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
    np.testing.assert_allclose(one.low, two.low, atol=1e-12)
    np.testing.assert_allclose(one.high, two.high, atol=1e-12)
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
            roc_band(one, method=method).low, roc_band(two, method=method).low, atol=1e-12
        )


UNSEEN = 1 - 0.025 ** (1 / 50)  # what 50 cases without a sighting leave possible, half the error


@pytest.mark.parametrize(("n_pos", "n_neg"), [(50, 50), (20, 200)])
def test_fixed_width_of_separated_classes_by_hand(n_pos, n_neg):
    # All shifts are 0. Right by u and down by s u: no less than what each class may lack.
    s = (n_neg / n_pos) ** 0.5
    u = max(1 - 0.025 ** (1 / n_neg), (1 - 0.025 ** (1 / n_pos)) / s)
    band = bands.fixed_width_band(separated(n_pos, n_neg), n_boot=100, rng=1)
    assert band.at_fpr(u * 0.999).low == 0
    assert band.at_fpr(u * 1.001).low == pytest.approx(1 - s * u)
    assert band.at_fpr(0).high == 1
    later = bands.fixed_width_band(separated(n_pos, n_neg), n_boot=100, future=(n_pos, n_neg))
    assert later.at_fpr(0.9).low == pytest.approx(1 - s * u * 2**0.5)


@pytest.mark.parametrize("method", ["vertical", "threshold", "fixed-width"])
def test_separated_classes_are_not_known_for_certain(method):
    band = roc_band(separated(50, 50), method=method, n_boot=100, rng=1)
    assert band.without_width == 0
    assert tuple(band.at_fpr(UNSEEN * 0.99)) == (0, 1)  # all negatives may lie below by chance
    for f in (UNSEEN * 1.1, 0.1, 0.5, 0.99):
        assert tuple(band.at_fpr(f)) == pytest.approx((1 - UNSEEN, 1))
    # And as surely if they are separated the wrong way round.
    wrong = rs.tabulate_classes(np.arange(50), np.arange(50) + 50)
    band = roc_band(wrong, method=method, n_boot=100, rng=1)
    assert tuple(band.at_fpr(0.5)) == pytest.approx((0, UNSEEN))
    assert tuple(band.at_fpr(1 - UNSEEN * 0.99)) == (0, 1)


def test_kernels_that_do_not_reach_the_other_class_know_no_more_than_counts():
    band = bands.kernel_band(rs.tabulate_classes(np.arange(50) + 500, np.arange(50)))
    assert tuple(band.at_fpr(UNSEEN * 0.8)) == (0, 1)
    for f in (0.1, 0.5, 0.99):
        assert tuple(band.at_fpr(f)) == pytest.approx((1 - UNSEEN, 1), abs=1e-6)
    wrong = bands.kernel_band(rs.tabulate_classes(np.arange(50), np.arange(50) + 500))
    assert tuple(wrong.at_fpr(0.5)) == pytest.approx((0, UNSEEN), abs=1e-6)
    # A new sample may be as much further off as its own error is.
    later = bands.kernel_band(
        rs.tabulate_classes(np.arange(50) + 500, np.arange(50)), future=(50, 50)
    )
    assert later.at_fpr(0.5).low == pytest.approx(1 - 2**0.5 * UNSEEN, abs=1e-6)


@pytest.mark.parametrize("interval", ["percentile", "normal", "t", "binomial"])
@pytest.mark.parametrize("make", [bands.vertical_band, bands.threshold_band])
def test_intervals_of_replicates_that_agree(make, interval):
    band = make(separated(50, 50), interval=interval, n_boot=100, rng=1)
    assert 0.92 < band.at_fpr(0.5).low < 0.94
    assert band.without_width == 0
    # Ends of the range: the curve is at 1 in all replicates, and lower bounds rise towards it.
    table = simulate.binormal(0.85).draw(100, 100, rng=1)
    assert make(table, interval=interval, n_boot=200, rng=1).at_fpr(0.999).low < 0.97


def test_kernel_band_knows_as_much_as_before_where_it_knows():
    # Only where the smoothed rate is within one positive of 0 or 1 is there more room.
    table = simulate.binormal(0.8).draw(200, 200, rng=2)
    band = bands.kernel_band(table)
    for f in (0.1, 0.3, 0.5):
        ends = band.at_fpr(f)
        sd = np.sqrt(bands.curve_variance(table, f))
        assert ends.width == pytest.approx(2 * stats.norm.ppf(0.975) * sd, rel=0.1)
    assert band.at_fpr(0.9999).low <= 0.025 ** (1 / 200) + 1e-12


def test_a_band_without_width_says_so():
    band = bands.psn_band(rs.tabulate_classes(np.arange(50) + 500, np.arange(50)), n_boot=50)
    assert band.without_width == 1
    assert "no width over 100 % of the range" in repr(band)
    assert stairs().without_width == 0
    assert "width" not in repr(stairs())
    half = by_hand([0, 0.25, 0.5, 1], [0, 0.5, 0.5, 0.5], [0.5, 0.5, 0.5, 1])
    assert half.without_width == 0.25


@given(sample=samples(max_size=16))
@settings(max_examples=15, deadline=None)
@pytest.mark.parametrize("method", ["vertical", "threshold", "fixed-width"])
def test_no_rate_is_known_for_certain(method, sample):
    band = roc_band(rs.tabulate(*sample), method=method, n_boot=60, rng=1)
    for ends in band.at_fpr([0.01, 0.2, 0.5, 0.8, 0.99]):
        assert ends.width > 1e-3


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
    np.testing.assert_array_equal(one.low, two.low)
    np.testing.assert_array_equal(one.high, two.high)


@pytest.mark.filterwarnings("ignore:.* weigh at least half:UserWarning")
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
    for a, b in zip(one.at_fpr(at), two.at_fpr(at), strict=True):
        assert tuple(a) == pytest.approx(tuple(b), abs=1e-9)


@pytest.mark.filterwarnings("ignore:.* weigh at least half:UserWarning")
@pytest.mark.parametrize("method", KNOW_WEIGHTS)
def test_importance_weights_know_less_than_cases(method):
    table = simulate.binormal(0.8).draw(200, 200, rng=1)
    label = np.repeat([True, False], 200)
    score = np.concatenate([np.repeat(table.score, n) for n in (table.pos, table.neg)])
    weight = np.random.default_rng(1).lognormal(0, 1, 400)
    weighted = rs.tabulate(label, score, sample_weight=weight)
    at = np.linspace(0.005, 0.995, 100)
    seen = [rs.roc_curve(t).tpr_at(at) for t in (weighted, table)]
    blind = bands.likelihood_band(weighted, informative=False) if method == "likelihood" else None
    made = [
        blind or roc_band(weighted, method=method, rng=1),
        roc_band(table, method=method, rng=1),
    ]
    found = [band.at_fpr(at) for band in made]
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
    c = reach(0.95, 8 / 3, 2)
    found = bands.likelihood_band(table, informative=False).at_fpr(0.9999).low
    assert found == pytest.approx(np.exp(-c * c / (2 * 8 / 3)), abs=1e-3)
    # A light positive weighs 1, the heaviest 2, of which one was seen: half a case on either side,
    # so that the lowest positives may weigh 4/3, and 8/3 effective cases are two of them.
    found = bands.likelihood_band(table).at_fpr(0.9999).low
    assert found == pytest.approx(np.exp(-c * c / (2 * 2)), abs=1e-3)


def test_the_band_holds_where_heavy_cases_are_missing():
    # Scores above 1 all looked at, one in ten of the others: few positives stand for a fifth.
    rng = np.random.default_rng(6)
    curve = simulate.binormal(0.9)
    hits, warned = np.zeros(2), 0
    for _ in range(25):
        drawn = [rng.normal(mean, 1, 4000) for mean in (1.8124, 0.0)]
        kept = [x[(x > 1) | (rng.random(x.size) < 0.1)] for x in drawn]
        score = np.concatenate([kept[0][:20], kept[1][:500]])
        table = rs.tabulate(
            np.repeat([1, 0], [20, 500]), score, sample_weight=np.where(score > 1, 1.0, 10.0)
        )
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            wide = roc_band(table)
        warned += bool(caught) and "allows for one that was not seen" in str(caught[0].message)
        blind = bands.likelihood_band(table, informative=False)
        hits += [wide.contains(curve), blind.contains(curve)]
    assert hits[0] >= 24
    assert hits[1] <= 18
    assert warned >= 20


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


def test_what_is_refused():
    with pytest.raises(ValueError, match="Did you mean 'envelope'"):
        roc_band(fawcett(), method="envelop")
    with pytest.raises(ValueError, match="no band for a new sample"):
        roc_band(fawcett(), method="likelihood", future=(5, 5))
    with pytest.raises(TypeError, match="takes a ScoreTable"):
        roc_band([0, 1])
    for method in ALL:
        with pytest.raises(SingleClassError, match=r"roc_band needs .* 2 positives and 0"):
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
    assert band.low[0] <= 0 <= band.high[0]
    first, second = population.margins
    near = band.fpr * 50 < 2
    truth = first.tpr_at(band.fpr[near]) - second.tpr_at(band.fpr[near])
    assert (band.low[near] <= truth).all()
    assert (truth <= band.high[near]).all()


def test_local_sizes_by_hand():
    # A share s of weights w: variance (W2above (1 - s)^2 + W2below s^2) / W^2 = s (1 - s) / n.
    total, w2 = np.cumsum([40.0, 60.0, 100.0]), np.array([80.0, 60.0, 60.0])
    size = _local(total, w2, None)
    for at, above in ((40, 80), (100, 140)):
        s = at / 200
        plain = s * (1 - s) / ((above * (1 - s) ** 2 + (200 - above) * s**2) / 200**2)
        # One case more on both sides that weighs 1, and nowhere more than 200.
        assert float(size(s)) == pytest.approx(min(plain, 200), rel=0.03)
    # s = .2: 200 / (81 / 41 .8 + 121 / 161 .2)
    assert float(size(0.2)) == pytest.approx(200 / (81 / 41 * 0.8 + 121 / 161 * 0.2))
    # One case more on both sides that weighs 3, as h = 0 of those were seen.
    heavy = _local(total, w2, Heaviest(weight=3.0, seen=0.0, typical=1.0, total=200.0))
    assert float(heavy(0.2)) == pytest.approx(200 / (89 / 43 * 0.8 + 129 / 163 * 0.2))
    assert [float(heavy(x)) for x in (0, 1)] == pytest.approx([200 / 3, 200 / 3])
    alike = _local(total, np.diff(total, prepend=0), None)
    np.testing.assert_allclose(alike(np.linspace(0, 1, 9)), 200)


def test_cases_drawn_by_their_scores_are_known_less_well():
    # The highest scores weigh four times as much: small rates rest on few cases, and are less
    # certain than n_eff says; nowhere is more known.
    label, score = np.repeat([True, False], 200), np.tile(np.arange(200), 2)
    uneven = rs.tabulate(label, score, sample_weight=np.where(score >= 160, 4.0, 1.0))
    sizes = uneven.n_eff
    band = bands.likelihood_band(uneven)
    line = Line(rs.roc_curve(uneven).fpr, rs.roc_curve(uneven).tpr)
    low, high = likelihood_bounds(line, band.fpr, *sizes, reach(0.95, *sizes))
    wider = (band.high - band.low) / np.maximum(high - low, 1e-12)
    assert (wider[1:-1] > 1 - 1e-9).all()
    assert wider[np.searchsorted(band.fpr, 0.1)] > 1.1


def test_no_width_is_told_from_a_hundredth_of_the_range_on():
    for closed, told in ((0.008, False), (0.012, True)):
        band = bands.Band(
            fpr=np.array([0.0, closed, 1.0]),
            low=np.zeros(3),
            high=np.array([0.0, 0.0, 1.0]),
            level=0.95,
            method="by hand",
            simultaneous=True,
        )
        assert ("no width over" in repr(band)) == told
