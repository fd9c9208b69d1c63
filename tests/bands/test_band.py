"""The band itself."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocspace as rs
from rocspace.bands import Band
from rocspace.bands.band import bounded, least_room, shifted
from rocspace.results.curve import Line, left_right
from slow.bands import stairs
from slow.data import samples


def test_band_by_hand():
    band = stairs()
    assert tuple(band.at_fpr(0.25)) == (0, 0.75)
    assert tuple(band.at_fpr(0.5)) == (0, 1)  # closed: at the jump it holds both ends
    assert [tuple(i) for i in band.at_fpr([0.75, 1])] == [(0.4, 1), (0.4, 1)]
    assert band.at_fpr(0.25).level == 0.9
    assert band.area == pytest.approx(0.5 * 0.75 + 0.5 * 0.6)
    assert repr(band) == "Band(hand, level 0.9, simultaneous, area 0.675)"
    with pytest.raises(ValueError, match="read-only"):
        band.low[0] = 1


def test_contains_by_hand():
    band = stairs()
    assert band.contains(lambda f: np.maximum(f, 0.4 * (f >= 0.5)))
    assert band.contains(lambda f: f)
    assert not band.contains(lambda f: f**2)  # .25 just right of the jump to .4
    assert not band.contains(lambda f: np.minimum(1, 0.51 + f))
    up = rs.roc_curve(rs.tabulate([1, 0, 0, 1], [4, 3, 2, 1]))  # .5 from 0 on, 1 at 1
    assert band.contains(up)
    late = rs.roc_curve(rs.tabulate([0, 1, 0], [3, 2, 1]))  # 0 up to f = .5, then 1
    assert band.contains(late)
    later = rs.roc_curve(rs.tabulate([0, 0, 1, 0], [4, 3, 2, 1]))  # still 0 at f = .6
    assert not band.contains(later)
    found = band.inside(later)
    assert found.fpr[~found.inside].tolist() == [0.5, 2 / 3]
    with pytest.raises(TypeError, match="not a list"):
        band.contains([0, 1])


@given(sample=samples(max_size=14), shift=st.tuples(st.integers(-6, 6), st.integers(-6, 6)))
@settings(max_examples=100)
def test_contains_is_that_of_many_points(sample, shift):
    table = rs.tabulate(*sample)
    curve = rs.roc_curve(table)
    other = rs.roc_curve(rs.tabulate(sample[0], np.cos(sample[1])))
    right, up = (abs(s) / 10 for s in shift)
    line = Line(curve.fpr, curve.tpr)
    fpr, low, high = bounded(shifted(line, right, -up), shifted(line, -right, up))
    band = Band(fpr=fpr, low=low, high=high, level=0.9, method="x", simultaneous=True)
    # Points all along the other curve, its vertical runs included; never just at a knot.
    share = np.linspace(0, 1, 101)
    f = np.concatenate([a + share * (b - a) for a, b in pairwise(other.fpr)])
    t = np.concatenate([a + share * (b - a) for a, b in pairwise(other.tpr)])
    inner = (f > 0) & (f < 1)
    ends = band.at_fpr(f[inner])
    good = [i.low - 1e-9 <= y <= i.high + 1e-9 for i, y in zip(ends, t[inner], strict=True)]
    assert band.contains(curve)
    if not all(good):
        assert not band.contains(other)
    elif not band.contains(other):  # then it is only just outside, between two of the points
        wider = bounded(
            shifted(line, right + 0.02, -up - 0.02), shifted(line, -right - 0.02, up + 0.02)
        )
        wide = Band(
            fpr=wider[0], low=wider[1], high=wider[2], level=0.9, method="x", simultaneous=True
        )
        assert wide.contains(other)


def test_shifted_lines_by_hand():
    diagonal = Line(np.array([0.0, 1.0]), np.array([0.0, 1.0]))
    at = np.array([0.125, 0.25, 0.5, 0.75, 1])
    down = left_right(shifted(diagonal, 0.25, -0.25), at)
    assert [x.tolist() for x in down] == [[0, 0, 0, 0.25, 0.5], [0, 0, 0, 0.25, 1]]
    over = left_right(shifted(diagonal, 0.25, 0.25), at)
    assert [x.tolist() for x in over] == [[0, 0, 0.5, 0.75, 1], [0, 0.25, 0.5, 0.75, 1]]
    up = left_right(shifted(diagonal, -0.25, 0.25), at)
    assert [x.tolist() for x in up] == [[0.625, 0.75, 1, 1, 1]] * 2


def test_limits_of_few_cases_are_rates():
    rate = np.array([0, 0.1, 0.5, 0.9, 1])
    low, high = least_room(rate, rate, (12, 8), 0.95)
    # Of 8 negatives none may show a rate of 1 - .025^(1/8) = .37.
    assert low[:2].tolist() == [0, 0]
    assert high[3:].tolist() == [1, 1]
    assert low[2] == pytest.approx(1 - high[2])
    assert 0 < low[2] < 0.5
