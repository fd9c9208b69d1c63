"""How cases rank among other classes, and the variances that follow."""

import numpy as np
import pytest

from rocspace.multiclass import (
    hand_till,
    hand_till_estimate,
    mu_auc,
    mu_auc_estimate,
    multiclass_scores,
    ordered_scores,
    pairs,
    placements,
)
from several_classes import drawn, in_clusters
from slow.multiclass import jackknife_of_class, placements_by_pairs


@pytest.mark.parametrize(
    ("value", "estimate"), [(hand_till, hand_till_estimate), (mu_auc, mu_auc_estimate)]
)
def test_the_variance_is_that_of_leaving_out_cases_class_by_class(value, estimate):
    data = drawn(22, 3, m=1)
    slow = sum(jackknife_of_class(value, data, i) for i in range(3))
    assert estimate(data).se ** 2 == pytest.approx(slow, rel=1e-10)


def test_intervals_of_weights_and_clusters_hold_the_moderated_ones():
    label, score, cluster, weight = in_clusters()
    for design in ({"cluster": cluster}, {"sample_weight": weight}, {}):
        estimate = hand_till_estimate(multiclass_scores(label, score, **design))
        usual, other = estimate.interval(), estimate.interval(scale="moderated")
        assert usual.method.endswith("unseen")
        if design:
            assert usual.low <= other.low
            assert other.high <= usual.high
    even = hand_till_estimate(multiclass_scores(label, score, sample_weight=np.full(90, 2.0)))
    counted = estimate.interval()
    assert even.interval().high >= counted.high - 1e-12


def test_a_class_of_one_case_has_no_error_but_an_interval():
    data = multiclass_scores([0, 0, 0, 1, 1, 1, 2], drawn(7, 3, m=1).score[:, 0])
    found = hand_till_estimate(data)
    assert np.isnan(found.se)
    low, high = found.interval()
    assert 0 <= low < found.value < high <= 1


# --- by definition ------------------------------------------------------------------------------


@pytest.mark.parametrize("weighted", [False, True])
def test_placements_by_all_pairs(weighted):
    known = drawn(30, 3, m=1, decimals=0)
    weight = np.random.default_rng(2).integers(1, 4, 30) if weighted else None
    data = multiclass_scores(known.label, known.score[:, 0], sample_weight=weight)
    found = placements.pair_placements(data, None)
    for fast, slow in zip(
        (found.area, found.wins, found.losses), placements_by_pairs(data), strict=True
    ):
        np.testing.assert_allclose(fast, slow, atol=1e-14)


def test_placements_by_one_score_may_be_turned():
    # The second class is below the first: 1/4 of the pairs stand in their order.
    data = ordered_scores(["a", "a", "b", "b"], [2, 4, 3, 1], order=["a", "b"])
    found = placements.ordered_placements(data, None)
    assert found.area[1, 0] == found.area[0, 1] == 1 / 4
    assert found.wins[:, 1].tolist() == [1 / 2, 0, 0, 0]  # 2 is below 3, 4 below none
    assert found.wins[:, 0].tolist() == [0, 0, 1 / 2, 0]
    turned = placements.ordered_placements(data, None, turn=True)
    assert turned.area[1, 0] == 3 / 4
    assert turned.wins[:, 1].tolist() == [1 / 2, 1, 0, 0]
    assert turned.wins[:, 0].tolist() == [0, 0, 1 / 2, 1]
    same = ordered_scores(["a", "a", "b", "b"], [1, 3, 2, 4], order=["a", "b"])
    assert placements.ordered_placements(same, None, turn=True).area[1, 0] == 3 / 4


@pytest.mark.parametrize("turn", [False, True])
def test_no_case_can_be_placed_beyond_the_ends(turn):
    """The placements of new cases with the smallest and the largest score that occur."""
    values, label = np.array([2.0, 4, 3, 1, 4, 1]), np.array([0, 0, 0, 1, 1, 1])
    data = ordered_scores(label, values, order=[0, 1])
    found = placements.ordered_placements(data, None, turn=turn)
    area = np.mean([(x > y) + (x == y) / 2 for x in values[3:] for y in values[:3]])
    sign = -1 if turn and area < 0.5 else 1
    ranked = sign * values
    for end, score in enumerate((ranked.min(), ranked.max())):
        later = np.mean((score > ranked[:3]) + (score == ranked[:3]) / 2)
        earlier = np.mean((score < ranked[3:]) + (score == ranked[3:]) / 2)
        assert found.ends[0, end, 1, 0] == pytest.approx(later)
        assert found.ends[0, 1 - end, 0, 1] == pytest.approx(earlier)


def test_counts_by_score_by_hand():
    column, label = np.array([2.0, 1, 2, 3]), np.array([0, 1, 1, 0])
    counts, row = placements.counts_by_score(column, label, None, 2)
    assert counts.tolist() == [[0, 1], [1, 1], [1, 0]]
    assert row.tolist() == [1, 0, 1, 2]
    weighted, _ = placements.counts_by_score(column, label, np.array([0.5, 2, 3, 4]), 2)
    assert weighted.tolist() == [[0, 2], [0.5, 3], [4, 0]]


@pytest.mark.parametrize(
    ("n", "parts"),
    [
        ([10, 10, 10], [1 / 3] * 3),
        ([2, 100, 100], [1 / 2, 1 / 4, 1 / 4]),  # at most half, of which the others share the rest
        ([1, 1, 100], [100 / 201, 100 / 201, 1 / 201]),
        ([4, 6, 12, 12], [3 / 7, 2 / 7, 1 / 7, 1 / 7]),
    ],
)
def test_classes_share_one_unseen_case(n, parts):
    found = placements._unseen_shares(np.array(n, float), np.full(len(n), 0.1))
    np.testing.assert_allclose(found, parts, atol=1e-15)


def test_covariances_are_those_whose_differences_have_their_variances():
    data = drawn(60, 3, m=3)
    parts = [pairs.hand_till_parts(data, name) for name in data.names]
    found = placements.covariance_of(parts)
    for a in range(3):
        assert found[a, a] == pytest.approx(parts[a].spread.variance)
        for b in range(a):
            gap = found[a, a] + found[b, b] - 2 * found[a, b]
            away = parts[a].deviation - parts[b].deviation
            slow = sum(
                (away[own] ** 2).sum() / own.sum() / (own.sum() - 1)
                for own in (data.label == i for i in range(3))
            )
            assert gap == pytest.approx(slow)
    np.testing.assert_array_equal(found, found.T)


def test_an_area_is_a_mean_over_each_of_its_classes():
    """Value, spread and ends of what `Estimate` is told of each class."""
    data = drawn(40, 3, m=1)
    weights = np.zeros((3, 3))
    weights[0, 2], weights[2, 0] = 0.25, 0.75
    placed = placements.pair_placements(data, None)
    found = placed.components(weights)
    theta = 0.25 * placed.area[0, 2] + 0.75 * placed.area[2, 0]
    assert found.theta == pytest.approx(theta)
    assert found.concerned.tolist() == [True, False, True]
    first, last = found.estimate("x").classes
    own = data.label == 0
    each = 0.25 * placed.wins[own, 2] + 0.75 * placed.losses[own, 2]
    assert each.mean() == pytest.approx(theta)
    assert (first.n, last.n) == (own.sum(), (data.label == 2).sum())
    assert first.spread == pytest.approx(each.var())
    assert first.low <= each.min() < each.max() <= first.high
    assert found.estimate("x").n_pairs == min(first.n, last.n)


def test_weights_leave_out_what_has_no_area():
    data = multiclass_scores([0, 0, 2], np.eye(3), classes=[0, 1, 2])
    weights = placements.equal_weights(data)
    np.testing.assert_allclose(weights, [[0, 0, 1 / 2], [0, 0, 0], [1 / 2, 0, 0]])
    area = np.array([[np.nan, np.nan, 0.5], [np.nan] * 3, [0.75, np.nan, np.nan]])
    assert placements.mean_of(area, weights) == 0.625
