"""Criteria smoothed over thresholds: by hand, by a dense hat matrix, and where it helps."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

import rocspace as rs
import slow.data
import slow.operating
from rocspace.measures import CRITERIA
from rocspace.operating import Constraint, Target, criterion_values, optimal_points
from rocspace.operating.smoothing import smoothed_values
from slow.data import INF, assert_close

RNG = np.random.default_rng(17)


def smooth(x, y, degrees):
    """The smoothed values over ascending x."""
    return smoothed_values(x[::-1], y[::-1], degrees, "it")[::-1]


def table_of(n, *, seed=3, distinct=400, weight=None, higher=True):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    score = np.round(rng.normal(y) * distinct / 8) / 8
    return rs.tabulate(
        y, score if higher else -score, sample_weight=weight, higher_is_positive=higher
    )


def index(table, points):
    return [int(np.flatnonzero(table.score == each.threshold)[0]) for each in points]


def test_four_thresholds_by_hand():
    """At 0, 1, 2, 3 the penalty has two modes that are no line: (1, -1, -1, 1) and (1, -3, 3, -1).

    They are the second differences of the curvatures (1, 1) and (1, -1), with squares of 4 and 20;
    with the integrals 2/3 and 1/6 of hats the eigenvalues are 4 / (5/6) = 24/5 and 20 / (1/2) = 40.
    At lambda 5/24 the modes keep 1/2 and 1 / (1 + 25/3) = 3/28: 73/28 degrees of freedom in all.
    """
    x, y = np.arange(4.0), np.array([0.0, 4.0, 2.0, 3.0])
    even, odd = np.array([1, -1, -1, 1]) / 2, np.array([1, -3, 3, -1]) / 20**0.5
    line = y - even * (even @ y) - odd * (odd @ y)
    by_hand = line + even * (even @ y) / 2 + odd * (odd @ y) * 3 / 28
    assert_close(smooth(x, y, 73 / 28), by_hand)
    assert_close(smooth(7 - 1e9 * x[::-1], y[::-1], 73 / 28), by_hand[::-1], 8)


@pytest.mark.parametrize(("k", "knots"), [(5, 5), (20, 20), (49, 49), (50, 49), (60, 52)])
@pytest.mark.parametrize("degrees", [2.0043, 3, 4.75])
def test_hat_matrix(k, knots, degrees):
    x = np.arange(k) + RNG.uniform(0, 0.6, size=k)  # the hat matrix inverts cubes of the gaps
    mine = np.stack([smooth(x, each, degrees) for each in np.eye(k)], axis=1)
    slow_one = slow.operating.smoothing_hat(x, degrees, knots)
    assert np.trace(mine) == pytest.approx(degrees, rel=1e-11)
    assert mine == pytest.approx(slow_one, abs=1e-8)
    assert mine @ x == pytest.approx(x, abs=1e-12)  # a line stays as it is


def test_a_thousand_thresholds_have_few_knots():
    """2 to the log2(100 to 140) a third of the way from 200 to 800 thresholds: 111.8 knots."""
    x = np.arange(400) + RNG.uniform(0, 0.6, size=400)
    y = np.sin(x / 60) + RNG.normal(size=400)
    assert smooth(x, y, 9) == pytest.approx(slow.operating.smoothing_hat(x, 9, 111) @ y, abs=1e-8)
    with pytest.raises(ValueError, match="at most 111, of 111 knots among 400 distinct scores"):
        smooth(x, y, 111.5)
    wave = np.sin(np.linspace(0, 4 * np.pi, 50_000))
    inner = slice(2500, -2500)  # a spline is straight at its ends, and a wave is not
    assert smooth(np.arange(5e4), wave, 40)[inner] == pytest.approx(wave[inner], abs=1e-3)
    with pytest.raises(ValueError, match="at most 208, of 208 knots among 50000"):
        smooth(np.arange(5e4), np.ones(50_000), 209)


@given(
    sample=slow.data.samples(max_size=40, values=st.integers(-20, 20).map(float)), data=st.data()
)
@settings(max_examples=60)
def test_scale_direction_and_degrees(sample, data):
    label, score = sample
    k = len(set(score))
    criterion = data.draw(st.sampled_from(["youden", "accuracy", "closest"]))
    table = rs.tabulate(label, score)
    if k < 4:
        with pytest.raises(ValueError, match="4 distinct finite scores"):
            optimal_points(table, smooth=3)
        return
    degrees = data.draw(st.floats(2.001, k))
    value = criterion_values(table, criterion=criterion, smooth=degrees)
    points = optimal_points(table, criterion=criterion, smooth=degrees)
    assert np.isnan(value[0])
    best = value[1:].max() if CRITERIA[criterion].better == "higher" else value[1:].min()
    assert_close([value[1 + i] for i in index(table, points)], [best] * len(points), 10)
    # Twice the scores are the same floats, a third of them and some more are rounded.
    twice = rs.tabulate(label, 1024 * np.array(score))
    same = optimal_points(twice, criterion=criterion, smooth=degrees)
    assert index(twice, same) == index(table, points)
    moved = rs.tabulate(label, np.array(score) / 3 + 1e3)
    near = criterion_values(moved, criterion=criterion, smooth=degrees)
    assert near[1:] == pytest.approx(value[1:], abs=1e-7)
    back = rs.tabulate(label, [-x for x in score], higher_is_positive=False)
    turned = optimal_points(back, criterion=criterion, smooth=degrees)
    assert index(back, turned) == index(table, points)
    whole = optimal_points(table, criterion=criterion, smooth=k)
    plain = optimal_points(table, criterion=criterion, observed_only=True)
    assert index(table, whole) == index(table, plain)


def test_weights_count_in_the_criterion_and_not_in_the_spline():
    table = table_of(60, weight=np.tile([1.0, 3.0, 2.0], 20))
    label, score = (
        np.arange(60) % 2,
        np.round(np.random.default_rng(3).normal(np.arange(60) % 2) * 50) / 8,
    )
    times = np.tile([1, 3, 2], 20)
    repeated = rs.tabulate(np.repeat(label, times), np.repeat(score, times))
    assert_close(
        criterion_values(table, smooth=5)[1:], criterion_values(repeated, smooth=5)[1:], 11
    )
    assert not np.allclose(
        criterion_values(table, smooth=5)[1:], criterion_values(table_of(60), smooth=5)[1:]
    )


def test_two_degrees_are_a_line():
    table = table_of(40)
    value = criterion_values(table, smooth=2 + 1e-9)[1:]
    assert np.diff(np.diff(value) / np.diff(table.score)) == pytest.approx(0, abs=1e-6)
    (point,) = optimal_points(table, smooth=2 + 1e-9)
    assert point.threshold in (table.score.min(), table.score.max())


def test_minimised_criteria_targets_and_limits():
    table = table_of(60)
    x = table.score.astype(float)
    cost = criterion_values(table, criterion="cost", costs={"fp": 1, "fn": 3})[1:]
    value = smoothed_values(x, cost, 6, "cost")
    (point,) = optimal_points(table, criterion="cost", costs={"fp": 1, "fn": 3}, smooth=6)
    assert point.threshold == x[value.argmin()]
    tnr = criterion_values(table, criterion="tnr", smooth=6)[1:]
    (near,) = optimal_points(table, criterion=Target("tnr", 0.85), smooth=6)
    assert near.threshold == x[np.abs(tnr - 0.85).argmin()]
    youden = criterion_values(table, smooth=6)[1:]
    limit = Constraint("tpr", ">=", 0.9)
    allowed = np.array([each >= 0.9 for each in table.tp / table.n_pos])
    (kept,) = optimal_points(table, subject_to=limit, smooth=6)
    assert kept.threshold == x[np.where(allowed, youden, -1).argmax()]
    assert not allowed[youden.argmax()]
    assert kept.criterion == (
        f"youden, tpr >= 0.9, smoothed with 6 degrees of freedom to {youden[allowed].max():.6g}"
    )
    assert kept.to_frame()["criterion"][0] == kept.criterion
    assert kept.criterion in " ".join(str(kept).split())


def test_ties_are_all_returned_and_later_criteria_decide_between_them():
    """One case of each class at every score: all of youden is 0, and so is its spline."""
    table = rs.tabulate([0, 1] * 6, np.repeat(np.arange(6.0), 2))
    assert len(optimal_points(table, smooth=4)) == 6
    (last,) = optimal_points(table, criterion=("youden", "tpr"), smooth=4)
    assert last.threshold == 0


def test_infinite_scores_are_no_part_of_the_spline():
    y, score = [0, 1, 0, 1, 0, 1, 1, 0, 1, 1], [-INF, 1, 2, 2, 3, 3.5, 4, 5, 6, INF]
    table = rs.tabulate(y, score)
    value = criterion_values(table, smooth=3.5)
    assert np.isnan(value[[0, 1, -1]]).all()
    finite = np.isfinite(table.score)
    plain = criterion_values(table)[1:][finite]
    assert_close(value[1:][finite], smoothed_values(table.score[finite], plain, 3.5, "youden"))


@pytest.mark.parametrize("scale", [1e-300, 1e300, 2.0**-1070])
def test_any_scale(scale):
    x = np.array([0.0, 1, 2, 4, 7, 8])
    y = RNG.normal(size=6)
    assert_close(smooth(scale * x, y, 4), smooth(x, y, 4), 9)
    assert_close(smooth(1e15 + x / 8, y, 4), smooth(x, y, 4), 9)
    assert_close(smooth(np.array([-1.7e308, 0, 1.7e308, 1.75e308]), y[:4], 4), y[:4])


def test_what_cannot_be_smoothed_is_said():
    table = table_of(40)
    k = len(table)
    for degrees in (2, 1, k + 1):
        with pytest.raises(ValueError, match=f"smooth is {degrees} degrees.*at most {k}"):
            optimal_points(table, smooth=degrees)
    for degrees in (0, -1, INF, float("nan")):
        with pytest.raises(ValueError, match=f"smooth is {degrees}, but must be a positive number"):
            optimal_points(table, smooth=degrees)
    with pytest.raises(ValueError, match="smooth is 'gam', but must be one number"):
        optimal_points(table, smooth="gam")
    with pytest.raises(ValueError, match=r"smooth cannot be had of lr_positive.* at \d+ of"):
        optimal_points(table, criterion="lr_positive", smooth=4)
    uneven = rs.tabulate([0, 1, 0, 1, 1], [0, 1e-300, 2e-300, 3e-300, 1])
    with pytest.raises(ValueError, match=r"tell only 2 apart. Leave it out, .*logarithms or ranks"):
        optimal_points(uneven, smooth=3)
    uneven = rs.tabulate([0, 1, 0, 1, 1], [0, 1e-12, 2e-12, 3e-12, 1])
    with pytest.raises(ValueError, match=r"tell only 3 apart. Take fewer, .*logarithms or ranks"):
        optimal_points(uneven, smooth=3.5)
    assert optimal_points(uneven, smooth=3)
    with pytest.raises(TypeError, match=r"a fit is smooth already.*optimal_points"):
        rs.models.optimal_cut(rs.models.fit_binormal(table), smooth=4)
    with pytest.raises(TypeError, match=r"smooth=5"):
        optimal_points(table, method="maximize_spline_metric")


def test_it_helps_where_scores_lie_evenly_and_misleads_where_they_are_skewed():
    """20 + 20 Normal scores, whose best threshold is 0.5, and exp(2 x) of them."""
    rng, y = np.random.default_rng(0), np.repeat([0, 1], 20)
    samples = [rng.normal(y) for _ in range(100)]

    def error(before, after, **options):
        found = [
            after(optimal_points(rs.tabulate(y, before(x)), observed_only=True, **options)[0])
            for x in samples
        ]
        true = norm.sf(np.array(found) - 1) - norm.sf(found)
        return np.mean(np.square(np.array(found) - 0.5)) ** 0.5, true.mean()

    raw = error(np.array, lambda point: point.threshold)
    even = error(np.array, lambda point: point.threshold, smooth=4)
    skewed = error(lambda x: np.exp(2 * x), lambda point: np.log(point.threshold) / 2, smooth=4)
    assert even[0] < 0.9 * raw[0] < raw[0] < 0.5 * skewed[0]
    assert even[1] > raw[1] > 1.5 * skewed[1]
