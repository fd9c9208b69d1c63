"""Sweeps: which vertices they have, and which scores can be probabilities."""

import numpy as np
import pytest

import rocspace as rs
from rocspace.curves.sweep import best_counts, need_probabilities, vertices


def test_vertices_of_a_sweep_without_a_class():
    nothing, counts = np.zeros(4, dtype=int), np.array([0, 2, 3, 5])
    tp, fp, share = vertices(counts, nothing)
    assert (tp.tolist(), fp.tolist(), share.tolist()) == ([0, 5], [0, 0], [1])
    tp, fp, share = vertices(nothing, counts)
    assert (tp.tolist(), fp.tolist(), share.tolist()) == ([0, 0], [0, 5], [0])
    tp, fp, share = vertices(counts / 4, nothing / 4)  # weights
    assert (tp.tolist(), fp.tolist(), share.tolist()) == ([0, 1.25], [0, 0], [1])


def test_shares_of_positives_on_the_edges_by_hand():
    # 2 positives alone; then 1 of 1 + 1; then 2 negatives.
    tp, fp, share = vertices(np.array([0, 1, 2, 3, 3]), np.array([0, 0, 0, 1, 3]))
    assert (tp.tolist(), fp.tolist()) == ([0, 2, 3, 3], [0, 0, 1, 3])
    assert share.tolist() == [1, 0.5, 0]
    table = rs.tabulate([1, 1, 0, 1, 0, 0], [5, 4, 3, 3, 2, 2])
    # A false positive that has a share above one half of the cost of both is not worth a positive.
    best = best_counts(table, np.array([0.4, 0.6]))
    assert [column.tolist() for column in best] == [[3, 2], [1, 0]]


@pytest.mark.parametrize("score", [1.5, -0.5, 2, 1 + 1e-15])
def test_what_is_no_probability(score):
    need_probabilities("it", rs.tabulate([0, 1], [0, 1]))
    with pytest.raises(ValueError, match=f"it needs probabilities, but a score is {score}"):
        need_probabilities("it", rs.tabulate([0, 1], [0.5, score]))
