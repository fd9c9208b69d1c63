"""Areas of several kinds of cases, one at a time."""

import numpy as np
import pytest

import rocspace as rs
from rocspace.designs.kinds import Kinds

KINDS = Kinds(
    values=np.array([0.7, 0.8]),
    covariance=np.array([[-1e-20, 0.0], [0.0, 0.09]]),
    errors=np.zeros((2, 5)),
    df=np.array([11.0, 7.0]),
    pairs=np.array([30.0, 20.0]),
)


def test_an_area_has_its_own_place_of_each():
    found = KINDS.estimate(1, "location-scale")
    assert (found.value, found.df, found.n_pairs) == (0.8, 7, 20)
    assert found.se == pytest.approx(0.3)
    assert found.method == "location-scale"


def test_a_variance_below_zero_by_rounding_is_zero():
    assert KINDS.estimate(0, "location-scale").se == 0


def test_an_estimate_that_is_known_keeps_all_but_its_name():
    known = rs.delong(rs.tabulate([0, 1, 0, 1, 1], [1, 2, 3, 4, 5]))
    other = rs.delong(rs.tabulate([0, 1, 0, 1, 1], [5, 2, 3, 4, 1]))
    kinds = Kinds(
        values=np.array([other.value, known.value]),
        covariance=np.eye(2),
        errors=np.zeros((2, 5)),
        df=np.ones(2),
        pairs=np.ones(2),
        estimates=(other, known),
    )
    found = kinds.estimate(1, "stratified")
    assert found.method == "stratified"
    assert (found.value, found.se, found.n_pairs) == (known.value, known.se, known.n_pairs)
    assert tuple(found.interval()) == tuple(known.interval())
