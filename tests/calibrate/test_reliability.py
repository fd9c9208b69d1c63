"""The calibration curve: groups by hand, against the slow definition, and its limits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocspace as rs
from rocspace.calibrate import calibration_curve
from rocspace.inference import rate_interval

TABLE = rs.tabulate([0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.4, 0.6, 0.9])


def test_groups_by_hand() -> None:
    # Halves of six cases: (.1 + .2 + .3) / 3 = .2 with 1 of 3; (.4 + .6 + .9) / 3 with 2 of 3.
    found = calibration_curve(TABLE, bins=2)
    assert found.predicted == pytest.approx([0.2, 1.9 / 3])
    assert found.observed == pytest.approx([1 / 3, 2 / 3])
    assert (found.size.tolist(), found.pos.tolist()) == ([3, 3], [1, 2])
    assert (found.least.tolist(), found.most.tolist()) == ([0.1, 0.4], [0.3, 0.9])
    assert len(found) == 2


def test_limits_are_those_of_a_proportion() -> None:
    found = calibration_curve(TABLE, bins=2, level=0.9)
    for i, k in enumerate((1, 2)):
        assert (found.low[i], found.high[i]) == tuple(rate_interval(k, 3, level=0.9))


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 8)), min_size=2, max_size=40))
def test_groups_are_whole_and_ordered(cases: list[tuple[bool, int]]) -> None:
    cases = [*cases, (True, 4), (False, 4)]
    y, p = (np.array(column) for column in zip(*cases, strict=True))
    found = calibration_curve(rs.tabulate(y, p / 8), bins=5)
    assert found.size.sum() == len(cases)
    assert len(found) <= 5
    assert (np.diff(found.predicted) > 0).all()
    assert ((found.low <= found.observed) & (found.observed <= found.high)).all()
    for i in range(len(found)):
        inside = (p / 8 >= found.least[i]) & (p / 8 <= found.most[i])
        assert found.size[i] == inside.sum()
        assert found.pos[i] == y[inside].sum()
        assert found.predicted[i] == pytest.approx((p / 8)[inside].mean())


def test_equal_weights_change_nothing() -> None:
    y, p = [0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.4, 0.6, 0.9]
    weighted = calibration_curve(rs.tabulate(y, p, sample_weight=[3.0] * 6), bins=2)
    counted = calibration_curve(TABLE, bins=2)
    for name in ("predicted", "observed", "low", "high"):
        assert getattr(weighted, name) == pytest.approx(getattr(counted, name))


def test_other_scores_are_refused() -> None:
    with pytest.raises(ValueError, match=r"calibration_curve needs probabilities, but a score is"):
        calibration_curve(rs.tabulate([0, 1], [1, 2]))
    with pytest.raises(ValueError, match="bins"):
        calibration_curve(TABLE, bins=0)
    with pytest.raises(ValueError, match="level"):
        calibration_curve(TABLE, level=95)


def test_equally_wide_groups_by_hand() -> None:
    """0.5 is on the edge and belongs below it; from 0.5 to 0.75 there is no case."""
    table = rs.tabulate([0, 1, 0, 1, 1, 1], [0.1, 0.2, 0.4, 0.5, 0.8, 1.0])
    groups = calibration_curve(table, bins=4, strategy="uniform")
    np.testing.assert_allclose(groups.predicted, [0.15, 0.45, 0.9])
    assert groups.observed.tolist() == [0.5, 0.5, 1.0]
    assert groups.size.tolist() == [2, 2, 2]
    assert (groups.least.tolist(), groups.most.tolist()) == ([0.1, 0.4, 0.8], [0.2, 0.5, 1.0])
    with pytest.raises(ValueError, match="strategy is 'width'"):
        calibration_curve(table, strategy="width")  # type: ignore[arg-type]
