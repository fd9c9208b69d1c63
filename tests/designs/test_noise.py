"""Labels that are wrong: printed numbers, exact mixtures, simulations with known truth."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocspace import ScoreTable, delong, roc_curve, simulate, tabulate
from rocspace.designs import (
    LabelNoise,
    audited_noise,
    denoised_auc_bounds,
    denoised_auc_estimate,
    denoised_band,
    denoised_curve,
    denoised_rates,
    flip_noise,
    label_noise,
    positive_unlabelled,
)
from rocspace.inference import rate_interval

TABLE = simulate.binormal(0.8).draw(80, 120, rng=1)


def mixed(table: ScoreTable, pos: int, neg: int) -> ScoreTable:
    """Replace tenths of each class by the other one, exactly."""
    one, two = table.pos * table.n_neg, table.neg * table.n_pos
    return replace(table, pos=(10 - pos) * one + pos * two, neg=(10 - neg) * two + neg * one)


# --- printed numbers and by hand ------------------------------------------------------------------


@pytest.mark.parametrize(
    "noise", [label_noise(pos=0.1, neg=0.2), positive_unlabelled(0.3)], ids=["both", "unlabelled"]
)
def test_an_observed_area_of_71_is_one_of_80(noise: LabelNoise) -> None:
    """Wrong labels .1 and .2, or .3 of the unlabelled, turn .8 into .71."""
    # 100 x 100 pairs of which 7100 are won: 71 negatives below all positives, 29 above
    table = tabulate([1] * 100 + [0] * 100, [0.5] * 100 + [0.2] * 71 + [0.9] * 29)
    area = denoised_auc_estimate(table, noise)
    assert area.observed_area.value == pytest.approx(0.71)
    assert area.value == pytest.approx(0.8)
    assert area.se == pytest.approx(delong(table).se / 0.7)


def test_flips_by_hand() -> None:
    """40 of 100 are labelled positive; a fifth of positives and a tenth of negatives flip."""
    # prevalence p: .8 p + .1 (1 - p) = .4, p = 3/7; among labelled positives .1 * 4/7 / .4 = 1/7
    noise = flip_noise(tabulate([1] * 40 + [0] * 60, range(100)), pos=0.2, neg=0.1)
    assert (noise.pos, noise.neg) == pytest.approx((1 / 7, 1 / 7))
    step = 1e-6
    ends = [
        flip_noise(tabulate([1, 0], [1, 0], sample_weight=[0.4 + way, 0.6 - way]), pos=0.2, neg=0.1)
        for way in (step, -step)
    ]
    slope = [(getattr(ends[0], k) - getattr(ends[1], k)) / (2 * step) for k in ("pos", "neg")]
    assert noise.covariance == pytest.approx(0.4 * 0.6 / 100 * np.outer(slope, slope), rel=1e-5)


def test_rates_by_hand() -> None:
    """30 of 50 and 5 of 50 are called; a tenth of the unlabelled is positive."""
    table = tabulate([1] * 50 + [0] * 50, [2] * 30 + [1] * 20 + [2] * 5 + [1] * 45)
    rates = denoised_rates(table, 2, positive_unlabelled(0.1))
    assert rates.tpr.value == pytest.approx(0.6)
    assert rates.fpr.value == pytest.approx((0.1 - 0.1 * 0.6) / 0.9)
    assert rates.tpr.se == pytest.approx((0.6 * 0.4 / 50) ** 0.5)
    spread = (0.09 / 50 / 0.81 + 0.24 / 50 * (0.1 / 0.9) ** 2) ** 0.5
    assert rates.fpr.se == pytest.approx(spread)
    assert 0 < rates.tpr.interval().low < 0.6 < rates.tpr.interval().high < 1


def test_an_error_of_audited_shares_is_the_derivative() -> None:
    noise = audited_noise(pos=(6, 60), neg=(20, 100))
    table = TABLE
    for read in (
        lambda n: denoised_auc_estimate(table, n).raw,
        lambda n: denoised_rates(table, 0.5, n).tpr.raw,  # type: ignore[attr-defined]
        lambda n: denoised_rates(table, 0.5, n).fpr.raw,  # type: ignore[attr-defined]
    ):
        step = 1e-6
        slope = []
        for k in ("pos", "neg"):
            up, down = (replace(noise, **{k: getattr(noise, k) + way}) for way in (step, -step))
            slope.append((read(up) - read(down)) / (2 * step))
        variance = float(np.array(slope) @ noise.covariance @ np.array(slope))
        plain = label_noise(pos=noise.pos, neg=noise.neg)
        which = read.__code__.co_names[-2]
        both = [
            denoised_auc_estimate(table, n)
            if which == "denoised_auc_estimate"
            else getattr(denoised_rates(table, 0.5, n), which)
            for n in (noise, plain)
        ]
        assert both[0].se ** 2 - both[1].se ** 2 == pytest.approx(variance, rel=1e-6)
        inner, outer = both[1].interval(), both[0].interval()
        assert outer.low < inner.low < inner.high <= outer.high


# --- exact mixtures -------------------------------------------------------------------------------

SHARES = st.floats(0, 0.45)
TABLES = st.integers(0, 10**6).map(lambda seed: simulate.binormal(0.8).draw(15, 12, rng=seed))


@given(TABLES, st.integers(0, 4), st.integers(0, 4))
def test_what_was_mixed_is_un_mixed(table: ScoreTable, pos: int, neg: int) -> None:
    seen, noise = mixed(table, pos, neg), label_noise(pos=pos / 10, neg=neg / 10)
    assert denoised_auc_estimate(seen, noise).raw == pytest.approx(delong(table).value, abs=1e-9)
    curve = denoised_curve(seen, noise)
    assert curve.fpr == pytest.approx(roc_curve(table).fpr, abs=1e-9)
    assert curve.tpr == pytest.approx(roc_curve(table).tpr, abs=1e-9)
    at = float(table.score[5])
    rates, true = denoised_rates(seen, at, noise), roc_curve(table).at_threshold(at)
    assert (rates.tpr.value, rates.fpr.value) == pytest.approx((true.tpr, true.fpr), abs=1e-9)


@given(TABLES)
def test_right_labels_change_nothing(table: ScoreTable) -> None:
    area, plain = denoised_auc_estimate(table, label_noise()), delong(table)
    assert (area.value, area.se) == (plain.value, plain.se)
    ends, usual = area.interval(0.9), plain.interval(0.9)
    assert (ends.low, ends.high) == pytest.approx((usual.low, usual.high), abs=1e-12)
    assert not denoised_curve(table, label_noise()).rearranged


@given(TABLES, SHARES, SHARES)
def test_swapped_labels_swap_the_shares(table: ScoreTable, pos: float, neg: float) -> None:
    swapped = replace(table, pos=table.neg, neg=table.pos)
    one = denoised_auc_estimate(table, label_noise(pos=pos, neg=neg))
    two = denoised_auc_estimate(swapped, label_noise(pos=neg, neg=pos))
    assert one.raw == pytest.approx(1 - two.raw)


@given(TABLES, SHARES, SHARES)
def test_every_share_in_the_ranges_is_inside_the_bounds(
    table: ScoreTable, pos: float, neg: float
) -> None:
    bounds = denoised_auc_bounds(table, pos=(0, 0.45), neg=(0, 0.45))
    inside = denoised_auc_estimate(table, label_noise(pos=pos, neg=neg))
    assert bounds.low - 1e-12 <= inside.value <= bounds.high + 1e-12
    ends, each = bounds.interval(), inside.interval()
    assert ends.low - 1e-12 <= each.low
    assert each.high <= ends.high + 1e-12


# --- known truth ----------------------------------------------------------------------------------


def test_flipped_labels_of_a_large_sample() -> None:
    rng = np.random.default_rng(2)
    truth = rng.random(60_000) < 0.3
    score = rng.normal(size=truth.size) + truth
    flipped = np.where(truth, rng.random(truth.size) < 0.25, rng.random(truth.size) < 0.1)
    table = tabulate(truth ^ flipped, score)
    noise = flip_noise(table, pos=0.25, neg=0.1)
    area, right = denoised_auc_estimate(table, noise), delong(tabulate(truth, score)).value
    assert abs(area.value - right) < 3.5 * area.se
    assert abs(area.observed_area.value - right) > 20 * area.se
    rates = denoised_rates(table, 0.5, noise)
    assert abs(rates.tpr.value - (score[truth] >= 0.5).mean()) < 3.5 * rates.tpr.se
    assert abs(rates.fpr.value - (score[~truth] >= 0.5).mean()) < 3.5 * rates.fpr.se


def test_band_contains_the_curve_of_each_share() -> None:
    band = denoised_band(TABLE, neg=(0.0, 0.2), n_boot=60, grid=21, rng=1)
    for share in (0.0, 0.1, 0.2):
        heights = denoised_curve(TABLE, positive_unlabelled(share)).tpr_at(band.fpr[1:-1])
        assert (band.low[1:-1] <= heights + 0.02).all()
        assert (heights - 0.02 <= band.high[1:-1]).all()
    narrow = denoised_band(TABLE, neg=(0.1, 0.1), n_boot=60, grid=21, rng=1)
    assert (narrow.low >= band.low - 1e-12).all()
    assert (narrow.high <= band.high + 1e-12).all()


def test_a_perfect_score_has_a_band_of_some_width() -> None:
    table = tabulate([1] * 20 + [0] * 20, range(40, 0, -1))
    band = denoised_band(table, n_boot=60, grid=5, rng=1)
    assert band.at_fpr(0.5).low == pytest.approx(0.025 ** (1 / 20))


def test_the_room_of_a_band_grows_as_labels_keep_less() -> None:
    """Of 20 positives that all score above, or all below, by labels of which a fifth is wrong."""
    exact = (1 - 0.025 ** (1 / 20)) / 0.8
    for score, end, limit in ((range(40, 0, -1), "low", 1 - exact), (range(40), "high", exact)):
        table = tabulate([1] * 20 + [0] * 20, score)
        band = denoised_band(table, neg=(0.2, 0.2), n_boot=60, grid=5, rng=1)
        assert getattr(band.at_fpr(0.5), end) == pytest.approx(limit)


def test_a_limit_of_one_place_is_not_raised_by_another() -> None:
    # The exact limit where the curve is 1 holds there: a limit of a lower place, where all samples
    # agree by luck, must not be taken for it, and is itself relaxed to it.
    table = simulate.binormal(0.95).draw(30, 30, rng=0)
    band = denoised_band(table, neg=(0.0, 0.1), n_boot=100, grid=21)
    ones = denoised_curve(table, label_noise()).tpr_at(band.fpr) > 1 - 1e-9
    exact = 0.025 ** (1 / 30)
    assert ones[:-1].any()
    assert (band.low[ones] <= exact + 1e-12).all()
    assert (np.diff(band.low) >= 0).all()
    assert (np.diff(band.high) >= 0).all()


# --- edges and first mistakes ---------------------------------------------------------------------


def test_too_many_wrong_labels_are_told() -> None:
    area = denoised_auc_estimate(TABLE, label_noise(neg=0.45))
    assert area.clipped
    assert area.value == 1
    assert area.interval().low < 1
    assert "Before it was cut" in area._repr_html_()


def test_none_found_wrong_is_not_none_wrong() -> None:
    noise = audited_noise(pos=(0, 20))
    assert (noise.pos, noise.neg) == (0, 0)
    assert noise.se > 0.02


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: label_noise(pos=0.6, neg=0.5), "swapped"),
        (lambda: label_noise(pos=-0.1), "pos"),
        (lambda: positive_unlabelled(1.0), "below 1"),
        (lambda: audited_noise(pos=(5, 3)), "how many were wrong"),
        (lambda: flip_noise(TABLE, pos=0.5, neg=0.5), "below 1"),
        (lambda: flip_noise(TABLE, neg=0.45), "labelled positive"),
        (lambda: denoised_auc_bounds(TABLE, pos=(0.2, 0.1)), "least"),
        (lambda: denoised_band(TABLE, n_boot=10), "at least 39"),
        (lambda: denoised_auc_bounds(TABLE, pos=(0, 1)), r"pos is .* must be two shares, 0 <= "),
        (lambda: denoised_rates(TABLE, float("nan"), label_noise()), "A threshold is NaN"),
        (
            lambda: denoised_rates(TABLE, 0, label_noise()).tpr.interval(scale="logit"),
            "one kind of interval",
        ),
    ],
)
def test_first_mistakes(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


def test_the_error_of_audited_shares_is_that_of_half_a_case_more() -> None:
    noise = audited_noise(pos=(3, 60), neg=(0, 100))
    assert (noise.pos, noise.neg) == (3 / 60, 0)
    q = np.array([3.5 / 61, 0.5 / 101])
    np.testing.assert_allclose(noise.covariance, np.diag(q * (1 - q) / [60, 100]))
    with pytest.raises(ValueError, match="1 of those labelled positive and 0"):
        audited_noise(pos=(5, 5))  # all of them wrong: a share, but not of labels
    for wrong in ((6, 5), (-1, 5), (0, 0)):
        with pytest.raises(ValueError, match="say"):
            audited_noise(pos=wrong)


@pytest.mark.parametrize(("positives", "fits"), [(89, True), (95, False), (90, False)])
def test_flips_leave_a_share_of_positives_inside_the_unit_interval(
    positives: int, fits: bool
) -> None:
    table = tabulate([1] * positives + [0] * (100 - positives), range(100))
    if fits:
        assert flip_noise(table, pos=0.1).pos == 0
        return
    with pytest.raises(ValueError, match="it would be between"):
        flip_noise(table, pos=0.1)


def test_areas_between_two_bounds_have_evenly_more_wrong_labels() -> None:
    table = tabulate([1] * 4 + [0] * 6, [9, 8, 7, 4, 8, 6, 5, 3, 2, 1])
    found = denoised_auc_bounds(table, pos=(0, 0.1), neg=(0.05, 0.2)).between(3)
    shares = [(each.noise.pos, each.noise.neg) for each in found]
    np.testing.assert_allclose(shares, [(0, 0.05), (0.05, 0.125), (0.1, 0.2)])
    for each in found:
        alone = denoised_auc_estimate(table, label_noise(pos=each.noise.pos, neg=each.noise.neg))
        assert each.value == pytest.approx(alone.value)


def test_limits_of_a_rate_add_the_squares_of_what_audited_shares_leave_open() -> None:
    noise = audited_noise(pos=(6, 60), neg=(20, 100))
    rate, plain = (
        denoised_rates(TABLE, 0.5, each).tpr
        for each in (noise, label_noise(pos=noise.pos, neg=noise.neg))
    )
    assert 0 < rate.value < 1
    outer, inner = rate.interval(0.6), plain.interval(0.6)
    z = 0.8416212335729143  # of level .6
    more = z**2 * (rate.se**2 - plain.se**2)
    for end in ("low", "high"):
        away = [(getattr(each, end) - rate.value) ** 2 for each in (outer, inner)]
        assert away[0] - away[1] == pytest.approx(more)


def test_a_band_allows_for_as_many_positives_as_there_are() -> None:
    """Of ten, all above 40 negatives: at least the limit of none in ten, for each shown label."""
    table = tabulate([1] * 10 + [0] * 40, np.arange(50, 0, -1))
    none = denoised_band(table, pos=(0, 0), n_boot=60, grid=5, rng=1)
    some = denoised_band(table, pos=(0.1, 0.1), n_boot=60, grid=5, rng=1)
    limit = 1 - none.low[1]
    assert 1 - 0.05**0.1 <= limit <= 1 - 0.025**0.1 + 1e-12
    np.testing.assert_allclose(none.low[1:], 1 - limit)
    np.testing.assert_allclose(1 - some.low[1], limit / 0.9)


def test_shares_that_are_known_are_not_said_to_be_estimated() -> None:
    assert "estimated" not in repr(label_noise(pos=0.1, neg=0.2))
    assert "estimated" in repr(audited_noise(pos=(2, 40), neg=(1, 50)))


def test_rates_of_labels_that_are_right_have_the_exact_limits() -> None:
    table = tabulate([1] * 15 + [0] * 20, [*[1] * 14, 0, *[0] * 17, *[1] * 3])
    rates = denoised_rates(table, 1, label_noise())
    for rate, counts in ((rates.tpr, (14, 15)), (rates.fpr, (3, 20))):
        assert tuple(rate.interval()) == pytest.approx(tuple(rate_interval(*counts)), abs=1e-12)
