"""The volume that several classifiers dominate: by hand, by a grid, and for two classes."""

import numpy as np
import pytest

import rocspace as rs
from rocspace.multiclass import dominated_volume


def test_two_boxes_by_hand():
    # Each has 1/4; what they share is (1/2)^3 = 1/8.
    assert dominated_volume([[0.5, 1.0, 0.5], [1.0, 0.5, 0.5]]) == 0.375
    assert dominated_volume([[0.2, 0.4, 0.5, 1.0]]) == pytest.approx(0.04)
    assert dominated_volume(np.eye(3)) == 0
    assert dominated_volume([[1, 1, 1], [0.3, 0.2, 1]]) == 1


@pytest.mark.parametrize("k", [2, 3, 4])
def test_a_grid_says_the_same(k):
    rates = np.random.default_rng(k).integers(0, 7, (12, k)) / 6
    middle = np.stack(np.meshgrid(*[(np.arange(6) + 0.5) / 6] * k), axis=-1).reshape(-1, 1, k)
    reached = (middle <= rates).all(axis=2).any(axis=1)
    assert dominated_volume(rates) == pytest.approx(reached.mean(), abs=1e-14)
    again = np.concatenate([rates, rates * 0.7])[::-1]
    assert dominated_volume(again[:, ::-1]) == pytest.approx(reached.mean(), abs=1e-14)


def test_two_classes_have_the_steps_of_the_curve():
    rng = np.random.default_rng(1)
    y, score = rng.integers(0, 2, 40), rng.integers(0, 12, 40)
    curve = rs.roc_curve(rs.tabulate(y, score))
    wins = np.mean(score[y == 1][:, None] > score[y == 0])
    assert dominated_volume(np.column_stack([1 - curve.fpr, curve.tpr])) == pytest.approx(wins)


@pytest.mark.parametrize(
    ("rates", "said"),
    [
        ([0.5, 0.5], r"shape \(2,\)"),
        ([[0.5, 1.5]], "rates"),
        (
            np.random.default_rng(1).random((300, 4)),
            "300 points of 4 classes make up to 27,000,000",
        ),
    ],
)
def test_what_cannot_be_answered_is_told(rates, said):
    with pytest.raises(ValueError, match=said):
        dominated_volume(rates)
