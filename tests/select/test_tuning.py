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
    with pytest.raises(rs.SingleClassError, match=r"parameter_roc needs .* 1 positive and 0"):
        parameter_roc(lambda s: ConfusionMatrix(tp=1, fp=0, fn=0, tn=0), {"x": [1]})
    with pytest.raises(ValueError, match="slope is -1"):
        parameter_roc(smooth, {"x": [1], "y": [1]}).best(-1)


# --- chosen on some images, evaluated on others -------------------------------------------------


def test_the_front_is_evaluated_again_on_other_images():
    train = {0.0: (0.1, 0.5), 1.0: (0.3, 0.4), 2.0: (0.4, 0.8)}
    test = {0.0: (0.2, 0.4), 2.0: (0.4, 0.9)}
    grid = {"x": [0, 2]}
    found = parameter_roc(lambda s: counts(*train[round(s["x"])]), grid, tolerance=1)
    again = found.evaluated(lambda s: counts(*test[s["x"]]))
    assert [s["x"] for s in again.settings] == [0.0, 2.0]
    assert again.fpr.tolist() == pytest.approx([0.2, 0.4])
    # Staircase: .4 from .2 to .4, then .9: .08 + .54.
    assert again.auc == pytest.approx(0.62)
    assert again.areas == (again.auc,)
    # The same images: the same front and area.
    same = found.evaluated(lambda s: counts(*train[round(s["x"])]))
    assert same.auc == pytest.approx(found.auc)
    # Two images, whose rates are averaged.
    images = lambda s: [counts(*test[s["x"]]), counts(0.5, 0.5, 200)]  # noqa: E731
    assert found.evaluated(images, average="macro").tpr[0] == pytest.approx(0.45)
    assert found.evaluated(images).tpr[0] == pytest.approx((40 + 100) / 300)
    with pytest.raises(ValueError, match="average is 'mean'"):
        found.evaluated(images, average="mean")


def test_the_hull_of_settings_by_hand():
    # (.2, .4) lies below the line from (.1, .5)... to (.4, .8), (.5, .6) is dominated.
    of = {0.0: (0.1, 0.5), 1.0: (0.2, 0.52), 2.0: (0.4, 0.8), 3.0: (0.5, 0.6)}
    found = parameter_roc(lambda s: counts(*of[round(s["x"])]), {"x": list(of)}, tolerance=1)
    on_hull = {round(found.settings[i]["x"]) for i in found.hull}
    assert on_hull == {0, 2}
    # 0 to .1: .025; to .4: .3 * .65; to 1: .6 * .9.
    assert found.hull_auc == pytest.approx(0.025 + 0.195 + 0.54)
    assert found.hull_auc >= found.auc


def test_regions_that_do_not_count_are_ignored():
    truth, decided = [1, 1, 0, 0, 1], [1, 0, 1, 0, 1]
    ignore = np.array([False, False, True, False, True])
    found = rs.counts.confusion_matrix(truth, decided, ignore=ignore)
    assert found == ConfusionMatrix(tp=1, fp=0, fn=1, tn=1)
    weight = [1.0, 2.0, 3.0, 4.0, 5.0]
    found = rs.counts.confusion_matrix(truth, decided, sample_weight=weight, ignore=ignore)
    assert found == ConfusionMatrix(tp=1.0, fp=0.0, fn=2.0, tn=4.0)
    for wrong in ([0, 0, 1, 0, 1], [True, False]):
        with pytest.raises(ValueError, match="True or False for each of the 5 cases"):
            rs.counts.confusion_matrix(truth, decided, ignore=wrong)
