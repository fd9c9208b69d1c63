"""Sweeps: which vertices they have, and which scores can be probabilities."""

import numpy as np
import pytest

import rocspace as rs
from rocspace.curves.sweep import need_probabilities, vertices


def test_vertices_of_a_sweep_without_a_class():
    nothing, counts = np.zeros(4, dtype=int), np.array([0, 2, 3, 5])
    tp, fp, share = vertices(counts, nothing)
    assert (tp.tolist(), fp.tolist(), share.tolist()) == ([0, 5], [0, 0], [1])
    tp, fp, share = vertices(nothing, counts)
    assert (tp.tolist(), fp.tolist(), share.tolist()) == ([0, 0], [0, 5], [0])


@pytest.mark.parametrize("score", [1.5, -0.5, 2, 1 + 1e-15])
def test_what_is_no_probability(score):
    need_probabilities("it", rs.tabulate([0, 1], [0, 1]))
    with pytest.raises(ValueError, match=f"it needs probabilities, but a score is {score}"):
        need_probabilities("it", rs.tabulate([0, 1], [0.5, score]))
