"""The likelihood of cells: its derivatives by differences, its step by dense algebra."""

import numpy as np
import pytest
from scipy import stats

import rocspace as rs
from rocspace.models.cells import Bordered, CellHill, cells_of, expected_counts
from rocspace.models.rating import binormal_edges

TABLE = rs.ScoreTable.from_counts([1, 2, 3, 4, 5], [3, 2, 0, 11, 33], [33, 6, 6, 0, 2])
CELLS = cells_of(TABLE, runs=False)
X = np.array([1.4, 0.7, -0.1, 0.4, 0.9, 1.6])


def hill(x: np.ndarray) -> CellHill:
    return CellHill(CELLS, binormal_edges, 2, x)


def dense(matrix: Bordered) -> np.ndarray:
    inner = np.diag(matrix.diagonal) + np.diag(matrix.beside, 1) + np.diag(matrix.beside, -1)
    return np.block([[matrix.corner, matrix.border], [matrix.border.T, inner]])


def test_cells_of_a_table() -> None:
    assert CELLS.neg.tolist() == [33, 6, 6, 0, 2]
    assert CELLS.last.tolist() == [4, 3, 2, 1, 0]
    fpr, tpr = CELLS.points
    assert fpr.tolist() == pytest.approx([2 / 47, 2 / 47, 8 / 47, 14 / 47])
    assert tpr.tolist() == pytest.approx([33 / 49, 44 / 49, 44 / 49, 46 / 49])
    # Highest first: + + | -+ | - - | + | -, by hand.
    table = rs.tabulate_classes([9, 8, 7, 4], [7, 6, 5, 3])
    runs = cells_of(table, runs=True)
    assert runs.pos.tolist() == [0, 1, 0, 1, 2]
    assert runs.neg.tolist() == [1, 0, 2, 1, 0]
    assert table.score[runs.last].tolist() == [3, 4, 5, 7, 8]


def test_neighbouring_mixed_scores_stay_apart() -> None:
    table = rs.ScoreTable.from_counts([1, 2, 3], [1, 2, 3], [3, 2, 1])
    assert cells_of(table, runs=True).pos.tolist() == [1, 2, 3]


def test_weights_add_up_to_the_effective_number() -> None:
    y, score = [0, 0, 1, 1, 1], [1, 2, 2, 3, 4]
    one, two = (
        cells_of(rs.tabulate(y, score, sample_weight=np.full(5, w)), runs=False) for w in (1, 7)
    )
    np.testing.assert_allclose(one.pos, two.pos)
    np.testing.assert_allclose(one.pos_w2, two.pos_w2)
    assert two.pos.sum() + two.neg.sum() == pytest.approx(5)


def test_loglik_by_its_definition() -> None:
    a, b, cuts = X[0], X[1], X[2:]
    neg = np.diff(np.r_[0, stats.norm.cdf(cuts), 1])
    pos = np.diff(np.r_[0, stats.norm.cdf(b * cuts - a), 1])
    seen = hill(X)
    assert seen.value == pytest.approx(CELLS.neg @ np.log(neg) + CELLS.pos @ np.log(pos))
    for found, exact in zip(expected_counts(seen), (47 * neg, 49 * pos), strict=True):
        np.testing.assert_allclose(found, exact)


def test_derivatives_by_differences() -> None:
    step = 1e-5
    moves = step * np.eye(6)
    gradient = [(hill(X + m).value - hill(X - m).value) / (2 * step) for m in moves]
    np.testing.assert_allclose(hill(X).gradient, gradient, rtol=1e-6, atol=1e-6)
    second = [(hill(X - m).gradient - hill(X + m).gradient) / (2 * step) for m in moves]
    observed = dense(hill(X).information(expected=False))
    np.testing.assert_allclose(observed, second, rtol=1e-6, atol=1e-5)


def test_expected_information_is_the_mean_of_squared_scores() -> None:
    # Of one case in each class: the sum over cells of chance times score times score.
    found = np.zeros((6, 6))
    for each, n in zip(hill(X).classes, (47, 49), strict=True):
        for j in range(5):
            score = np.r_[each.by[:, j], np.zeros(4)]
            if j > 0:
                score[2 + j - 1] += each.low[j]
            if j < 4:
                score[2 + j] += each.high[j]
            found += n * each.chance[j] * np.outer(score, score)
    np.testing.assert_allclose(dense(hill(X).information(expected=True)), found, rtol=1e-10)


def test_bordered_algebra_is_that_of_the_dense_matrix() -> None:
    matrix = hill(X).information(expected=True)
    whole, right = dense(matrix), np.arange(1.0, 7)
    np.testing.assert_allclose(matrix.solve(right), np.linalg.solve(whole, right), rtol=1e-8)
    inverse = np.linalg.inv(whole)
    np.testing.assert_allclose(matrix.influences(), inverse[:, :2], rtol=1e-8)
    np.testing.assert_allclose(np.linalg.inv(matrix.reduced()), inverse[:2, :2], rtol=1e-8)


def test_steps_go_up_and_stay_inside() -> None:
    seen = hill(np.array([3.0, 0.1, -2.0, 0.0, 0.1, 3.0]))
    step = seen.ascent()
    assert seen.gradient @ step > 0
    reach = seen.reach(step)
    assert np.diff(seen.x[2:] + 0.999 * reach * step[2:]).min() > 0
    assert hill(np.array([1.0, 0.5, 0.3, 0.2, 0.4, 0.5])).value == -np.inf
    assert hill(np.array([1.0, -0.5, 0.1, 0.2, 0.4, 0.5])).value == -np.inf


def test_far_cuts_keep_their_digits() -> None:
    far = hill(np.array([1.4, 0.7, 7.0, 7.5, 8.0, 8.5]))
    exact = stats.norm.sf(8.0) - stats.norm.sf(8.5)
    assert far.classes[0].chance[3] == pytest.approx(exact, rel=1e-12)
