"""Tuning by ROC: settings by hand, by brute force, and the promise that refining never hurts."""

import itertools
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocspace as rs
from rocspace.counts import ConfusionMatrix
from rocspace.select import parameter_roc


def counts(fpr: float, tpr: float, n: int = 100) -> ConfusionMatrix:
    return ConfusionMatrix(tp=n * tpr, fp=n * fpr, fn=n * (1 - tpr), tn=n * (1 - fpr))


def test_front_and_area_by_hand():
    # (.1, .5), (.3, .4) and (.4, .8): the second is dominated. Staircase: .5 from .1 to .4,
    # then .8 to 1: .15 + .48 = .63.
    of = {0.0: (0.1, 0.5), 1.0: (0.3, 0.4), 2.0: (0.4, 0.8)}
    found = parameter_roc(
        lambda s: counts(*of[min(of, key=lambda x: abs(x - s["x"]))]), {"x": [2, 0, 1]}
    )
    assert found.auc == pytest.approx(0.63)
    assert found.complete
    assert found.areas == pytest.approx((0.63, 0.63))
    fronts = {found.settings[i]["x"] for i in found.front}
    assert {0.0, 2.0} <= fronts
    assert 1.0 not in fronts
    # tpr - fpr is .4 at both: the conservative one. Dear alarms: still; cheap ones: the other.
    assert found.best() == {"x": 0.0}
    assert found.best(3.0) == {"x": 0.0}
    assert found.best(0.5)["x"] > 1
    assert found.best(float("inf")) == {"x": 0.0}


def smooth(s):
    """The more sensitive x, the more alarms; y is best at .3, whatever x."""
    x, y = s["x"], s["y"]
    return counts(x**2, (2 * x - x**2) * (1 - (y - 0.3) ** 2))


def test_refinement_finds_what_a_fine_grid_finds():
    grid = {"x": [0, 0.5, 1], "y": [0, 1]}
    found = parameter_roc(smooth, grid, tolerance=3e-3, max_evaluations=3000)
    fine = [
        (x**2, (2 * x - x**2) * (1 - (y - 0.3) ** 2))
        for x, y in itertools.product(np.linspace(0, 1, 65), np.linspace(0, 1, 33))
    ]
    fine.sort()
    f, t = np.array(fine).T
    top = np.maximum.accumulate(t)
    brute = float((np.diff(np.append(f, 1)) * top).sum())
    assert found.complete
    assert found.auc == pytest.approx(brute, abs=0.02)
    assert len(found.settings) < 0.6 * len(fine)


@given(
    st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=2, max_size=6),
    st.integers(1, 40),
)
def test_refining_never_lowers_the_area(rates, most):
    def detector(s):
        return counts(*rates[int(s["x"] * 7) % len(rates)])

    found = parameter_roc(detector, {"x": [0, 1, 2]}, tolerance=1e-9, max_evaluations=most)
    assert list(found.areas) == sorted(found.areas)
    assert 0 <= found.auc <= 1
    assert len(found.settings) <= max(most, 3)
    f, t = found.fpr[found.front], found.tpr[found.front]
    assert (np.diff(f) >= 0).all()
    assert (np.diff(t) >= 0).all()


def test_images_are_pooled_or_averaged():
    # Image one: 1 of 2 found, 0 of 2 alarms; image two: 8 of 8, 4 of 8.
    images = [
        ConfusionMatrix(tp=1, fp=0, fn=1, tn=2),
        ConfusionMatrix(tp=8, fp=4, fn=0, tn=4),
    ]
    micro = parameter_roc(lambda s: images, {"x": [1]})
    macro = parameter_roc(lambda s: images, {"x": [1]}, average="macro")
    assert (micro.tpr[0], micro.fpr[0]) == (0.9, 0.4)
    assert (macro.tpr[0], macro.fpr[0]) == (0.75, 0.25)
    assert repr(micro) == "ParameterRoc(1 of 1 settings on the front, area 0.54)"


def test_a_curve_of_settings_travels():
    def detector(setting):
        return ConfusionMatrix(tp=10 - round(setting["x"]), fp=2, fn=round(setting["x"]), tn=8)

    found = parameter_roc(detector, {"x": [0, 2]}, max_evaluations=2)
    assert pickle.loads(pickle.dumps(found)) == found
    with pytest.raises(TypeError, match="cannot be changed"):
        found.settings[0]["x"] = 3


def test_evaluations_run_out():
    found = parameter_roc(smooth, {"x": [0, 1], "y": [0, 1]}, tolerance=1e-9, max_evaluations=30)
    assert len(found.settings) <= 30
    assert not found.complete


def test_what_cannot_be_tuned_is_refused():
    with pytest.raises(ValueError, match="at least one value"):
        parameter_roc(smooth, {"x": []})
    with pytest.raises(ValueError, match="tolerance is 0"):
        parameter_roc(smooth, {"x": [1], "y": [1]}, tolerance=0)
    with pytest.raises(rs.SingleClassError):
        parameter_roc(lambda s: ConfusionMatrix(tp=1, fp=0, fn=0, tn=0), {"x": [1]})
    with pytest.raises(ValueError, match="slope is -1"):
        parameter_roc(smooth, {"x": [1], "y": [1]}).best(-1)
