"""Lines thinned to what can be seen."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rocspace.report.shapes import thin

steps = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 9)).filter(any), min_size=2, max_size=120
)


@given(steps=steps, within=st.sampled_from([0.0005, 0.01, 0.05]), grid=st.integers(1, 30))
def test_no_point_left_out_is_far_from_what_is_drawn(
    steps: list[tuple[int, int]], within: float, grid: int
) -> None:
    xy = np.vstack([[0, 0], np.cumsum(steps, axis=0)]) + 0.0
    xy /= np.maximum(xy[-1], 1)
    x, y = xy.T
    marked = [len(x) // 2]
    kept = thin(x, y, within, marked, grid=grid)
    assert {0, len(x) - 1, *marked} <= set(kept.tolist())
    assert (np.diff(kept) > 0).all()
    for start, end in pairwise(kept.tolist()):
        for i in range(start + 1, end):
            assert distance(xy[i], xy[start], xy[end]) <= within + 1e-12


def distance(p: np.ndarray, a: np.ndarray, b: np.ndarray) -> float:
    """From a point to a segment, by the textbook."""
    t = np.clip((p - a) @ (b - a) / ((b - a) @ (b - a)), 0, 1)
    return float(np.hypot(*(p - a - t * (b - a))))
