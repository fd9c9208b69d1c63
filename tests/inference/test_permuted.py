"""The rank sum over all permutations, where one score dominates: other ways to the same number."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from rocspace.counts import ScoreTable, tabulate
from rocspace.inference import auc_test
from slow.data import assert_close


@given(st.data())
def test_rank_test_where_a_score_dominates_is_that_of_all_permutations(data):
    few = data.draw(st.lists(st.integers(-2, 2), min_size=1, max_size=4).filter(any))
    score = np.array([*few, *[0] * data.draw(st.integers(len(few) + 1, 7))])
    n_pos = data.draw(st.integers(1, min(4, score.size - 1)))
    label = np.array(data.draw(st.permutations([1] * n_pos + [0] * (score.size - n_pos))))
    rank = stats.rankdata(score)
    sums = np.array([rank[list(pick)].sum() for pick in combinations(range(score.size), n_pos)])
    off, seen = sums - sums.mean(), rank[label == 1].sum() - sums.mean()
    table = tabulate(label, score)
    for side, tail in (
        ("two-sided", np.abs(off) >= abs(seen) - 1e-9),
        ("greater", off >= seen - 1e-9),
        ("less", off <= seen + 1e-9),
    ):
        assert_close(auc_test(table, alternative=side).pvalue, tail.mean(), 9)


def test_rank_test_of_a_rare_yes_is_fishers():
    # 3 of 8 positives and 4 of 400 negatives: the other side has nothing as far from one half.
    table = ScoreTable.from_counts([1, 0], [3, 5], [4, 396])
    fisher = stats.fisher_exact([[3, 5], [4, 396]]).pvalue
    assert_close(auc_test(table).pvalue, fisher, 11)
    # More outcomes than are told apart: the rest is Normal, and hardly differs from all of them.
    pos, neg = np.r_[np.zeros(37, int), [1] * 3, 5], np.r_[np.ones(37, int), [0] * 3, 395]
    found = auc_test(ScoreTable.from_counts(np.arange(41, 0, -1), pos, neg)).pvalue
    rank = stats.rankdata(np.repeat(np.arange(41, 0, -1), pos + neg))
    rng = np.random.default_rng(1)
    sums = np.array([rank[rng.permutation(rank.size)[:8]].sum() for _ in range(20_000)])
    off, seen = sums - 8 * rank.mean(), rank[37:40].sum() + 5 * rank[-1] - 8 * rank.mean()
    assert found == pytest.approx(np.mean(np.abs(off) >= abs(seen) - 1e-9), rel=0.1)
