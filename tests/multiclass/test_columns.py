"""Cases ranked by a column without sorting it: what sorting says."""

from itertools import product

import numpy as np
import pytest

from rocspace.multiclass import (
    columns,
    hand_till_estimate,
    multiclass_scores,
    one_vs_rest_estimate,
    placements,
)

RESCALED = {
    "continuous": lambda s: s,
    "a few values": lambda s: np.round(2 * s),
    "whole numbers": lambda s: np.round(9 * s).astype(np.int64) + 2**62,
    "heavy tails": lambda s: np.exp(25 * s),
    "infinite": lambda s: np.where(s > 1, np.inf, np.where(s < -1, -np.inf, s)),
    "one value in half": lambda s: np.maximum(s, 0).astype(np.float32),
}


@pytest.mark.parametrize("rescale", RESCALED.values(), ids=RESCALED)
@pytest.mark.parametrize("weighted", [False, True])
def test_looking_cases_up_says_what_sorting_says(monkeypatch, rescale, weighted):
    rng = np.random.default_rng(8)
    label, score = rng.integers(0, 4, 900), rng.normal(size=(900, 5))
    weight = np.arange(900) % 4 + 0.3 if weighted else None
    data = multiclass_scores(label, rescale(score), classes=range(5), sample_weight=weight)

    def found():
        with pytest.warns(UserWarning, match="No case"):
            estimates = [hand_till_estimate(data), one_vs_rest_estimate(data, average="weighted")]
        return placements.pair_placements(data, None), estimates, placements.pair_areas(data, None)

    slow, of_slow, _ = found()
    monkeypatch.setattr(placements, "_COMPILED", 0)
    new, of_new, area = found()
    np.testing.assert_array_equal(area, new.area)
    for field in ("area", "wins", "losses", "ends"):
        np.testing.assert_allclose(getattr(new, field), getattr(slow, field), atol=1e-14)
    for one, other in zip(of_new, of_slow, strict=True):
        for read in (lambda e: e.se, lambda e: e.df, lambda e: e.interval().low):
            assert read(one) == pytest.approx(read(other), rel=1e-12)
    if not weighted:
        np.testing.assert_array_equal(area, slow.area)


# --- by hand ------------------------------------------------------------------------------------


COLUMN = np.array([3.0, 1, 2, 2, 5])
LABEL = np.array([0, 1, 0, 1, 1])
MEMBERS = np.array([0, 2])  # 3 beats 1 and 2; 2 beats 1 and ties with 2
WEIGHT = np.array([1.0, 2, 3, 4, 5])


def test_two_members_among_three_others():
    ranks = columns.RankedColumn(COLUMN, LABEL, None, MEMBERS)
    losses = np.zeros(5)
    assert ranks.twice(np.array([0, 1.0]), losses)[1] == 2 * 2 + 2 + 1
    assert losses[[1, 3, 4]].tolist() == [4, 3, 0]  # by both; by 3, and a tie; by nobody
    assert ranks.beaten(0, 2)[:2, 1].tolist() == [2 + 1, 4]  # in rising order: 2, then 3
    total = np.zeros(5)
    ranks.add_wins(np.array([0, 10.0]), total)
    assert total.tolist() == [40, 0, 30, 0, 0]
    assert ranks.ends(2).tolist() == [[0, 1], [0, 1]]


def test_weights_count_members_and_others():
    ranks = columns.RankedColumn(COLUMN, LABEL, WEIGHT, MEMBERS)
    losses = np.zeros(5)
    # 3 (weight 1) beats weights 2 and 4; 2 (weight 3) beats 2 and ties with 4.
    assert ranks.twice(np.array([0, 1.0]), losses)[1] == 2 * (1 * 6 + 3 * (2 + 4 / 2))
    assert losses[[1, 3, 4]].tolist() == [2 * 4, 2 * (1 + 3 / 2), 0]
    assert ranks.ends(2).tolist() == [[0, 2], [0, 5]]


@pytest.mark.parametrize("weighted", [False, True])
def test_all_columns_by_all_pairs(weighted):
    rng = np.random.default_rng(3)
    label, score = rng.integers(0, 3, 40), rng.integers(0, 6, (40, 3)).astype(float)
    weight = rng.integers(1, 4, 40).astype(float) if weighted else None
    factor = rng.random((3, 3)) * (1 - np.eye(3))
    found = columns.sweep_columns(score, label, weight, factor)
    w = np.ones(40) if weight is None else weight
    twice, contribution = np.zeros((3, 3)), np.zeros(40)
    for c, d in product(range(40), range(40)):
        i, j = label[c], label[d]
        if i != j:
            wins = 2 * (score[c, i] > score[d, i]) + (score[c, i] == score[d, i])
            twice[i, j] += w[c] * w[d] * wins
            contribution[c] += factor[i, j] * w[d] * wins
            contribution[d] += factor[i, j] * w[c] * wins
    off = ~np.eye(3, dtype=bool)
    np.testing.assert_allclose(found.twice[off], twice[off], rtol=1e-14)
    np.testing.assert_allclose(found.contribution, contribution, rtol=1e-12)
    for i in range(3):
        ends = [score[:, i] == end for end in (score[:, i].min(), score[:, i].max())]
        known = [np.bincount(label[at], w[at], 3) for at in ends]
        np.testing.assert_array_equal(found.ends[i], known)


def test_members_are_listed_by_class():
    found = columns.members_by_class(np.array([2, 0, 2, 0]), 4)
    assert [each.tolist() for each in found] == [[1, 3], [], [0, 2], []]


@pytest.mark.parametrize("far", [1e300, np.inf])
def test_scores_that_are_far_apart_find_their_place(far):
    column = np.array([-far, 0.1, 0.2, 0.3, far, 0.25])
    label = np.array([0, 0, 0, 0, 0, 1])
    ranks = columns.RankedColumn(column, label, None, np.arange(5))
    assert ranks.twice(np.array([0, 1.0]))[1] == 2 * 2  # .3 and the largest
