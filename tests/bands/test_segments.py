"""Confidence segments: Tango's interval as printed, and by definition on every point."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import rocspace as rs
from rocspace.bands import confidence_segment, tango_interval
from rocspace.counts import SingleClassError
from slow.data import F3, reference, samples


@pytest.mark.parametrize("counts", [(10, 3, 100), (5, 5, 50), (0, 0, 20), (12, 2, 44), (1, 0, 44)])
def test_reference_tango(counts):
    d, low, high = reference()["tango_{}_{}_{}".format(*counts)]
    found = tango_interval(*counts, method="score")
    assert tuple(found) == pytest.approx((low, high), abs=6e-7)
    b, c, n = counts
    assert (b - c) / n == pytest.approx(d, abs=6e-7)


def tango_by_definition(b, c, n, z, d):
    """T(D) of Tango (1998), from the likelihood of three cells, maximised on a grid."""
    q = np.linspace(max(0.0, -d), (1 - d) / 2, 400_001)[1:-1]  # chance of c; that of b is q + d
    with np.errstate(divide="ignore", invalid="ignore"):
        rest = 1 - 2 * q - d
        log = b * np.log(q + d) + c * np.log(q) + (n - b - c) * np.log(rest)
    q = q[np.nanargmax(log)]
    return (b - c - n * d) / np.sqrt(n * (2 * q + d * (1 - d)))


@pytest.mark.parametrize("counts", [(10, 3, 100), (7, 2, 30)])
def test_ends_are_where_the_test_turns(counts):
    z = stats.norm.ppf(0.95)
    for end in tango_interval(*counts, level=0.9, method="score"):
        assert abs(tango_by_definition(*counts, z, end)) == pytest.approx(z, rel=1e-3)


@given(
    b=st.integers(0, 20), c=st.integers(0, 20), more=st.integers(0, 30), level=st.floats(0.5, 0.99)
)
@settings(max_examples=100)
def test_tango_keeps_its_promises(b, c, more, level):
    n = b + c + more
    if n == 0:
        return
    one, two = (tango_interval(*x, n, level=level, method="score") for x in ((b, c), (c, b)))
    assert tuple(one) == pytest.approx((-two.high, -two.low), abs=1e-9)
    assert -1 <= one.low <= (b - c) / n <= one.high <= 1
    z = stats.norm.ppf((1 + level) / 2)
    if abs(abs(b - c) - z * (b + c) ** 0.5) > 1e-6:  # McNemar's test
        assert (0 in one) == (abs(b - c) <= z * (b + c) ** 0.5)
    if b == c == 0:
        assert one.high == pytest.approx(z * z / (n + z * z), rel=1e-6)


@pytest.mark.parametrize(
    ("n", "least", "below", "wider"), [(5, 85.78, 3.3, 1.06), (10, 90.04, 0.9, 1.05)]
)
def test_coverage_at_all_rates_is_as_the_docstring_says(n, least, below, wider):
    """Summed over all outcomes, at all pairs of rates in steps of .01."""
    outcomes = [(b, c) for b in range(n + 1) for c in range(n + 1 - b)]
    rates = np.array([(i, j) for i in range(101) for j in range(101 - i)]) / 100
    shares = np.column_stack([rates, np.maximum(1 - rates.sum(axis=1), 0)])
    chance = np.array([stats.multinomial.pmf((b, c, n - b - c), n, shares) for b, c in outcomes])
    truth = rates[:, 0] - rates[:, 1]
    cover, width = [], []
    for method in ("score", None):
        ends = [tuple(tango_interval(*each, n, method=method)) for each in outcomes]
        low, high = np.array(ends).T[:, :, None]
        inside = (low - 1e-9 <= truth) & (truth <= high + 1e-9)
        cover.append(100 * (chance * inside).sum(axis=0))
        width.append((chance * (high - low)).sum(axis=0).mean())
    assert cover[0].min() == pytest.approx(least, abs=0.005)
    assert 100 * (cover[0] < 93.5).mean() == pytest.approx(below, abs=0.05)
    assert rates[cover[0].argmin()].max() >= 0.96  # one answer alone is yes in nearly all cases
    assert cover[1].min() >= 95 - 1e-6
    assert width[1] / width[0] == pytest.approx(wider, abs=0.01)


def test_the_exact_interval_of_one_pair_by_hand():
    # Only the first is yes. Of a D below 0 no outcome is as far: its probability is at most
    # (1 + D) / 2, which is .05 at D = -.9. Of no discordant pair: 1 - |D| = .05.
    assert tuple(tango_interval(1, 0, 1)) == pytest.approx((-0.9, 1))
    assert tuple(tango_interval(0, 0, 1)) == pytest.approx((-0.95, 0.95))


@pytest.mark.parametrize("counts", [(3, 1, 12), (0, 0, 7), (5, 5, 10), (9, 0, 9)])
def test_the_exact_interval_mirrors_and_contains_the_difference(counts):
    b, c, n = counts
    one, two = tango_interval(b, c, n), tango_interval(c, b, n)
    assert one.method == "tango, exact"
    assert tuple(one) == pytest.approx((-two.high, -two.low), abs=1e-9)
    assert -1 <= one.low <= (b - c) / n <= one.high <= 1
    assert tango_interval(b, c, n, level=0.8).width <= one.width


def test_exact_up_to_fifty_cases():
    assert tango_interval(4, 1, 50).method == "tango, exact"
    assert tango_interval(4, 1, 51).method == "tango"
    assert tango_interval(4, 1, 51, method="exact").method == "tango, exact"
    with pytest.raises(ValueError, match="method is 'normal'"):
        tango_interval(4, 1, 51, method="normal")


def test_reference_segment():
    expected = reference()["F3_confidence_segment_95"]
    found = confidence_segment(rs.tabulate(*F3))
    assert found.fpr.size == expected["n_points"]
    assert (found.fpr[0], found.tpr[0]) == pytest.approx(expected["first"])
    assert (found.fpr[-1], found.tpr[-1]) == pytest.approx(expected["last"])
    curve = found.curve
    clipped = curve.tpr_at(np.linspace(0.1, 0.8, 100_001)).mean()
    assert found.normalised_area == pytest.approx(clipped, abs=1e-3)
    assert found.area == pytest.approx(found.normalised_area * 0.7)
    errors = [(10 - tp) - fp for tp, fp in zip(curve.tp, curve.fp, strict=True)]
    inside = [e / 20 for e, i in zip(errors, found.inside, strict=True) if i]
    assert found.mean_difference == pytest.approx(np.mean(inside))


@given(sample=samples(), level=st.sampled_from([0.5, 0.8, 0.95]))
@settings(max_examples=25)
def test_inside_is_where_the_interval_holds_zero(sample, level):
    table = rs.tabulate(*sample)
    found = confidence_segment(table, level=level)
    where = np.flatnonzero(found.inside)
    assert where.size == 0 or where[-1] - where[0] + 1 == where.size  # one run
    z = stats.norm.ppf((1 + level) / 2)
    curve = found.curve
    for i in range(len(curve)):
        fn, fp = int(curve.n_pos - curve.tp[i]), int(curve.fp[i])
        n = int(curve.n_pos + curve.n_neg)
        one = tango_interval(fn, fp, n, level=level, method="score")
        assert tuple(one) == pytest.approx((found.low[i], found.high[i]), abs=1e-12)
        if abs(abs(fn - fp) - z * (fn + fp) ** 0.5) > 1e-6:
            assert found.inside[i] == (0 in one)


def test_no_segment_and_perfect_point():
    # One row: three misses and no alarm, or four alarms; z = .67 < 3 / sqrt(3).
    none = confidence_segment(rs.tabulate_classes([1] * 3, [1] * 4), level=0.5)
    assert none.fpr.size == 0
    assert np.isnan(none.mean_difference)
    assert np.isnan(none.normalised_area)
    assert none.area == 0
    perfect = confidence_segment(rs.tabulate_classes([3, 4], [1, 2]))
    assert perfect.inside[2]  # no error of either kind


def test_frequency_weights_are_repeated_cases():
    label, score = F3
    times = [1 + i % 4 for i in range(20)]
    weighted = rs.tabulate(label, score, sample_weight=times)
    one = confidence_segment(weighted, weight_type="frequency")
    two = confidence_segment(rs.tabulate(np.repeat(label, times), np.repeat(score, times)))
    np.testing.assert_array_equal(one.low, two.low)
    np.testing.assert_array_equal(one.inside, two.inside)
    assert one.area == two.area


def test_what_is_refused():
    with pytest.raises(ValueError, match=r"b is -1"):
        tango_interval(-1, 2, 10)
    with pytest.raises(ValueError, match="more than the 5 cases"):
        tango_interval(3, 3, 5)
    weighted = rs.tabulate(*F3, sample_weight=[2.0] * 20)
    with pytest.raises(ValueError, match='say weight_type="frequency"'):
        confidence_segment(weighted)
    with pytest.raises(ValueError, match="weight_type is 'frequencies'"):
        confidence_segment(weighted, weight_type="frequencies")
    with pytest.raises(ValueError, match=r"whole numbers, but .* weigh 0\.5 together"):
        confidence_segment(rs.tabulate(*F3, sample_weight=[0.5] * 20), weight_type="frequency")
    with pytest.raises(SingleClassError, match=r"confidence_segment needs .* 2 positives and 0"):
        confidence_segment(rs.tabulate([1, 1], [1, 2]))
    with pytest.raises(ValueError, match="level is 2"):
        confidence_segment(rs.tabulate(*F3), level=2)


def test_few_pairs_by_the_most_likely_rates():
    # Tango: at both ends the statistic, with the most likely share q of one kind given d, is z.
    b, c, n = 1, 0, 4
    found = tango_interval(b, c, n, level=0.9, method="score")
    for d, sign in ((found.low, 1), (found.high, -1)):
        q = np.linspace(max(0, -d), (1 - d) / 2, 400_001)[1:-1]
        likely = b * np.log(q + d) + (n - b - c) * np.log1p(-2 * q - d)
        variance = n * (2 * q[likely.argmax()] + d * (1 - d))
        assert (b - c - n * d) / variance**0.5 == pytest.approx(sign * 1.6448536, abs=1e-3)
