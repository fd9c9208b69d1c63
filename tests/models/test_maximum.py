"""The front of the optimisers: where a maximum is known, and where there is none."""

import numpy as np
import pytest

from rocspace.models.maximum import climb, curvature, maximise


class Parabola:
    """Minus x^4 / 4 minus (x - 1)^2: one maximum, found by Newton's method."""

    def __init__(self, x: np.ndarray) -> None:
        self.value = float(-(x[0] ** 4) / 4 - (x[0] - 1) ** 2)
        self.gradient = np.array([-(x[0] ** 3) - 2 * (x[0] - 1)])
        self.x = x

    def ascent(self) -> np.ndarray:
        return self.gradient / (3 * self.x[0] ** 2 + 2)

    def reach(self, _: np.ndarray) -> float:
        return np.inf


class Slope(Parabola):
    """A function without a maximum."""

    def __init__(self, x: np.ndarray) -> None:
        self.value, self.gradient, self.x = float(np.arctan(x[0])), 1 / (1 + x**2), x

    def ascent(self) -> np.ndarray:
        return np.ones(1)


def test_climbing_finds_the_root_of_the_gradient() -> None:
    found = climb(Parabola, np.array([50.0]))
    assert found.converged
    assert found.flags == {}
    # x^3 + 2 x - 2 = 0, by Cardano's formula.
    root = np.sqrt(1 + 8 / 27)
    assert found.x[0] == pytest.approx(np.cbrt(1 + root) + np.cbrt(1 - root), rel=1e-9)


class Far(Parabola):
    """The parabola far below zero, whose last digits are noise."""

    seen = 0

    def __init__(self, x: np.ndarray) -> None:
        super().__init__(x)
        Far.seen += 1
        self.value -= 1e8 + 3e-8 * Far.seen


def test_a_climb_ends_where_rounding_hides_the_way() -> None:
    Far.seen = 0
    found = climb(Far, np.array([2.0]), near=1e-13)
    assert found.converged
    assert found.x[0] == pytest.approx(climb(Parabola, np.array([2.0])).x[0], abs=1e-3)
    assert Far.seen < 15  # no search for a way up that cannot be seen


def test_what_has_no_maximum_is_flagged() -> None:
    found = climb(Slope, np.zeros(1))
    assert not found.converged
    assert list(found.flags) == ["unconverged"]


def bumps(x: np.ndarray) -> tuple[float, np.ndarray]:
    """Two hills, the higher one at 3."""
    parts = [(2.0, 3.0), (1.0, -3.0)]
    each = [h * np.exp(-((x[0] - at) ** 2) / 2) for h, at in parts]
    slope = -sum(value * (x[0] - at) for value, (_, at) in zip(each, parts, strict=True))
    return float(sum(each)), np.array([slope])


def test_the_best_of_several_starts_is_kept() -> None:
    assert maximise(bumps, [[-2.5]]).x[0] == pytest.approx(-3, abs=1e-3)
    found = maximise(bumps, [[-2.5], [2.5]])
    assert found.converged
    assert found.x[0] == pytest.approx(3, abs=1e-3)
    assert found.value == pytest.approx(2, abs=1e-6)


def test_bounds_hold_and_the_border_is_a_maximum() -> None:
    found = maximise(bumps, [[1.0]], bounds=[(0.0, 2.0)])
    assert found.x[0] == 2.0
    assert found.converged


def test_impossible_points_are_left() -> None:
    def log(x: np.ndarray) -> tuple[float, np.ndarray]:
        if x[0] <= 0:
            return -np.inf, np.zeros(1)
        return float(np.log(x[0]) - x[0]), 1 / x - 1

    assert maximise(log, [[0.1]]).x[0] == pytest.approx(1, abs=1e-6)
    nowhere = maximise(lambda _: (-np.inf, np.zeros(1)), [[1.0]])
    assert not nowhere.converged


def test_curvature() -> None:
    matrix = np.array([[2.0, 0.5], [0.5, 3.0]])
    np.testing.assert_allclose(curvature(lambda x: matrix @ x, np.array([4.0, 0.1])), matrix)
