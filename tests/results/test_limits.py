"""Limits of a curve that never falls: by hand, and by what the limits promise."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rocspace.results.limits import nondecreasing

LIMITS = st.lists(st.integers(0, 9), min_size=1, max_size=8).map(np.array)


def test_by_hand():
    limit = np.array([0.1, 0.4, 0.2, 0.5])
    for lower, tight, expected in (
        (True, True, [0.1, 0.4, 0.4, 0.5]),  # the largest on the left
        (True, False, [0.1, 0.2, 0.2, 0.5]),  # the smallest on the right
        (False, True, [0.1, 0.2, 0.2, 0.5]),
        (False, False, [0.1, 0.4, 0.4, 0.5]),
    ):
        assert nondecreasing(limit, lower=lower, tight=tight).tolist() == expected


@given(LIMITS, LIMITS)
def test_tight_limits_hold_for_the_same_curves(limit, steps):
    curve = np.cumsum(np.resize(steps, limit.size))
    for lower, sign in ((True, 1), (False, -1)):
        tight = nondecreasing(limit, lower=lower, tight=True)
        assert (sign * (curve - limit) >= 0).all() == (sign * (curve - tight) >= 0).all()
        assert (sign * (tight - limit) >= 0).all()
        assert (np.diff(tight) >= 0).all()


@given(LIMITS)
def test_relaxed_limits_hold_wherever_each_holds_and_no_wider_than_needed(limit):
    for lower, sign in ((True, 1), (False, -1)):
        relaxed = nondecreasing(limit, lower=lower, tight=False)
        assert (sign * (limit - relaxed) >= 0).all()
        assert (np.diff(relaxed) >= 0).all()
        places = range(limit.size)
        least = [limit[i:].min() if lower else limit[: i + 1].max() for i in places]
        assert relaxed.tolist() == least
