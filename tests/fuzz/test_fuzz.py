"""A minute of each fuzz, from fixed seeds; `make fuzz` goes on for as long as one likes."""

from __future__ import annotations

import numpy as np
import pytest

from fuzz import states


@pytest.mark.parametrize("seed", range(0, 200, 20))
def test_damaged_states_are_read_as_they_were_or_refused(seed):
    n = sum(states.one_round(np.random.default_rng(s)) for s in range(seed, seed + 20))
    assert n >= 20 * 40
