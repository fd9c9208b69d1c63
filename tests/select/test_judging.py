"""Comparison of measures: every ranking of four and four, by hand, by counting pairs."""

from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocspace.select import compare_measures, probability_rms, two_level_rank
from slow.select import count_pairs

few = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=25)


def test_by_hand():
    # Pairs: 12 tie in the second, 13 agree, 14 agree, 23, 24 agree, 34 opposite.
    found = compare_measures([1, 2, 3, 4], [1, 1, 3, 2])
    assert (found.agree, found.disagree) == (4, 1)
    assert (found.first_only, found.second_only, found.neither) == (1, 0, 0)
    assert found.consistency == 0.8
    assert found.discriminancy == np.inf
    assert found.first_is_better
    none = compare_measures([1, 1], [2, 2])
    assert none.neither == 1
    assert np.isnan(none.consistency)
    assert np.isnan(none.discriminancy)
    assert not none.first_is_better


def rankings(n_pos, n_neg):
    """AUC and accuracy of every ranking, the upper half being called positive, as fractions."""
    n = n_pos + n_neg
    for places in combinations(range(n), n_pos):  # places counted from the worst
        wins = sum(place - i for i, place in enumerate(places))
        right = 2 * sum(place >= n - n_pos for place in places) + n_neg - n_pos
        yield Fraction(wins, n_pos * n_neg), Fraction(right, n)


def test_every_ranking_of_four_and_four():
    # Huang and Ling's kind of check: 70 rankings, 2415 pairs.
    auc, accuracy = (list(column) for column in zip(*rankings(4, 4), strict=True))
    assert len(auc) == 70
    found = compare_measures(auc, accuracy)
    assert found == count_pairs(auc, accuracy)
    assert (
        found.agree + found.disagree + found.first_only + found.second_only + found.neither == 2415
    )
    assert found.consistency > 0.9
    assert found.discriminancy > 4
    assert found.first_is_better
    # The area with ties decided by accuracy never contradicts the area, and decides more.
    both = two_level_rank(auc, accuracy)
    finer = compare_measures(both, auc)
    assert finer.consistency == 1
    assert finer.discriminancy == np.inf
    assert compare_measures(both, accuracy).consistency > found.consistency - 1e-12
    assert compare_measures(both, accuracy).discriminancy > found.discriminancy


@given(values=few)
@settings(max_examples=80)
def test_counts_are_those_of_all_pairs(values):
    first, second = [a for a, _ in values], [b for _, b in values]
    found = compare_measures(first, second)
    assert found == count_pairs(first, second)
    other = compare_measures(second, first)
    assert (other.agree, other.disagree) == (found.agree, found.disagree)
    if found.first_only and found.second_only:
        assert found.discriminancy == pytest.approx(1 / other.discriminancy)
    ranks = two_level_rank(first, second).tolist()
    order = sorted(zip(ranks, values, strict=True))
    assert all((a[0] < b[0]) == (a[1] < b[1]) for a, b in pairwise(order))


def test_many_are_counted_fast():
    rng = np.random.default_rng(1)
    n = 100_000
    found = compare_measures(np.arange(n), rng.permutation(n))
    assert found.agree + found.disagree == n * (n - 1) // 2
    assert found.consistency == pytest.approx(0.5, abs=0.01)
    assert compare_measures(np.arange(n), -np.arange(n)).agree == 0


def test_a_comparison_prints_and_frames_both_shares():
    found = compare_measures([1, 2, 3, 4], [1, 1, 3, 2])
    assert "Consistency:   0.8" in str(found)
    frame = found.to_frame(backend="pandas")
    assert frame[["consistency", "first_is_better"]].iloc[0].tolist() == [0.8, True]


def test_rms():
    assert probability_rms([0.5, 1, 0.25, 0], [0.5, 0.5, 0.25, 0]) == 0.25
    assert probability_rms([0.2], [0.2]) == 0


def test_bad_input():
    with pytest.raises(ValueError, match="second is NaN at index 1"):
        compare_measures([1, 2], [1, np.nan])
    with pytest.raises(ValueError, match="must be a vector"):
        compare_measures([[1, 2]], [1, 2])
    for function in (compare_measures, two_level_rank):
        with pytest.raises(ValueError, match="second has 3"):
            function([1, 2], [1, 2, 3])
    with pytest.raises(ValueError, match="at least one"):
        probability_rms([], [])
    with pytest.raises(ValueError, match="estimated is 2"):
        probability_rms([0.5], [2])
    with pytest.raises(ValueError, match="estimated has 2"):
        probability_rms([0.5], [0.5, 0.5])
