"""Normal studies: by hand without sampling error, and by stacked matrices with it."""

import numpy as np
import pytest
from scipy import optimize

from rocspace.models.random_effects import (
    NormalHill,
    Penalised,
    inverse,
    normal_effects,
    tidied,
    upward,
)
from slow.models import restricted
from studies import AUDIT_C

CELLS = AUDIT_C + 0.5
POINTS = np.log(CELLS[:, [0, 2]] / CELLS[:, [1, 3]])
WITHIN = 1 / CELLS[:, [0, 2]] + 1 / CELLS[:, [1, 3]]


@pytest.mark.parametrize("kind", [True, False])
def test_derivatives(kind: bool) -> None:
    x, step = np.array([0.9, 0.3, -0.5]), 1e-5 * np.eye(3)
    hill = NormalHill(x, POINTS, WITHIN, kind)
    ends = [[NormalHill(x + s * e, POINTS, WITHIN, kind) for s in (1, -1)] for e in step]
    value = [(up.value - down.value) / 2e-5 for up, down in ends]
    np.testing.assert_allclose(hill.gradient, value, rtol=1e-7)
    slopes = [(up.gradient - down.gradient) / 2e-5 for up, down in ends]
    np.testing.assert_allclose(hill.curvature, slopes, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("kind", [True, False])
def test_direct_maximum(kind: bool) -> None:
    found = normal_effects(POINTS, WITHIN, restricted=kind)

    def down(theta):  # type: ignore[no-untyped-def]
        return -restricted(theta, POINTS, WITHIN, ml=not kind)[0]

    best = optimize.minimize(
        down, [0, 0, 0], method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-12}
    )
    assert found.converged
    assert found.loglik == pytest.approx(-best.fun, rel=1e-10)
    assert found.sds == pytest.approx(np.exp(best.x[:2]), rel=1e-6)
    assert found.correlation == pytest.approx(np.tanh(best.x[2]), rel=1e-6)
    mean = restricted(best.x, POINTS, WITHIN, ml=not kind)[1]
    assert found.mean == pytest.approx(mean, rel=1e-7)
    # Errors of the standard deviations: from the curvature in (ln s, ln s, atanh r).
    step = 1e-4 * np.eye(3)
    bend = [
        [
            (
                down(best.x + a + b)
                - down(best.x + a - b)
                - down(best.x - a + b)
                + down(best.x - a - b)
            )
            / 4e-8
            for a in step
        ]
        for b in step
    ]
    error = np.sqrt(np.diag(np.linalg.inv(bend)))[:2] * found.sds
    assert np.sqrt(np.diag(found.covariance))[2:] == pytest.approx(error, rel=1e-4)


def test_without_sampling_error_it_is_the_mean_and_the_covariance() -> None:
    points = np.array([[1.0, -2.0], [2.0, -1.0], [0.5, -1.5], [1.5, -3.0]])
    for kind, ddof in ((True, 1), (False, 0)):
        found = normal_effects(points, np.full((4, 2), 1e-12), restricted=kind)
        assert found.mean == pytest.approx([1.25, -1.875])
        assert found.root @ found.root.T == pytest.approx(np.cov(points.T, ddof=ddof))
        assert found.covariance[:2, :2] == pytest.approx(np.cov(points.T, ddof=ddof) / 4)


def test_more_alike_than_by_chance() -> None:
    points, within = np.array([[1.0, -2.0], [1.1, -2.1], [0.9, -2.2]]), np.full((3, 2), 0.5)
    found = normal_effects(points, within, restricted=True)
    assert found.sds.tolist() == [0, 0]
    assert np.isnan(found.correlation)
    assert found.mean == pytest.approx([1.0, -2.1])
    assert found.covariance[:2, :2] == pytest.approx(np.eye(2) / 6)
    assert np.isnan(found.covariance[2:]).all()


def test_one_variance_of_zero() -> None:
    points = np.column_stack([np.array([3.0, -1.0, 0.5, 2.0]), np.full(4, -1.5)])
    for swap in (1, -1):
        found = normal_effects(points[:, ::swap], np.full((4, 2), 0.1), restricted=True)
        assert found.sds[::swap][1] == 0
        assert found.sds[::swap][0] ** 2 == pytest.approx(np.var(points[:, 0], ddof=1) - 0.1)
        assert np.isnan(found.covariance[2:]).any()


def test_studies_on_a_line_have_a_correlation_of_one() -> None:
    x = np.linspace(-1, 1, 7)
    for sign in (1, -1):
        points = np.column_stack([1 + x, sign * x - 2])
        found = normal_effects(points, np.full((7, 2), 0.01), restricted=True)
        assert found.correlation == sign
        assert found.root[1, 1] == 0
        assert np.isfinite(found.covariance).all()
        # Along the line both variances are one: twice that of each, of which errors are 0.01.
        assert found.sds[0] == pytest.approx(found.sds[1])


def test_roots_are_made_clean() -> None:
    within = np.full((3, 2), 1.0)
    assert tidied(np.array([-2.0, 1.0, -3.0]), within).tolist() == [[2, 0], [-1, 3]]
    assert tidied(np.array([2.0, 1.0, 1e-5]), within).tolist() == [[2, 0], [1, 0]]
    assert tidied(np.array([1e-5, 3.0, 4.0]), within).tolist() == [[0, 0], [0, 5]]
    assert tidied(np.array([2.0, 1e-5, 1e-5]), within).tolist() == [[2, 0], [0, 0]]


def test_derivatives_of_the_penalised_likelihood() -> None:
    x, step = np.array([0.9, 0.3, -0.5]), 1e-5 * np.eye(3)

    def at(x):  # type: ignore[no-untyped-def]
        return Penalised(NormalHill(x, POINTS, WITHIN, True))

    ends = [[at(x + s * e) for s in (1, -1)] for e in step]
    value = [(up.value - down.value) / 2e-5 for up, down in ends]
    np.testing.assert_allclose(at(x).gradient, value, rtol=1e-7)
    slopes = [(up.gradient - down.gradient) / 2e-5 for up, down in ends]
    np.testing.assert_allclose(at(x).curvature, slopes, rtol=1e-6, atol=1e-6)
    plain = NormalHill(x, POINTS, WITHIN, True)
    root = np.array([[0.9, 0], [0.3, -0.5]])
    determinant = np.linalg.det(root @ root.T)
    assert at(x).value - plain.value == pytest.approx(0.75 * np.log(determinant))
    # A step may go on for ever away from 0, and to 0 only: 0.9 - 3 * 0.3, -0.5 + 5 * 0.1.
    assert at(x).reach(np.array([0.3, -9.0, -0.1])) == np.inf
    assert at(x).reach(np.array([-0.3, 9.0, 0.1])) == pytest.approx(3)
    assert at(np.array([0.9, 0.3, 0.0])).value == -np.inf


@pytest.mark.parametrize(("kind", "lost"), [(True, 2.5), (False, 1.5)])
def test_penalised_variance_of_exact_studies_by_hand(kind: bool, lost: float) -> None:
    # Of n exact studies with the sum of squares A the likelihood is |S|^(-n/2) exp(-tr(A / S) / 2),
    # the restricted one has n - 1 for n; times |S|^(3/4) its maximum is A / (n - 3/2).
    found = normal_effects(POINTS, np.full(POINTS.shape, 1e-12), restricted=kind, penalised=True)
    n = len(POINTS)
    squares = (n - 1) * np.cov(POINTS.T)
    assert found.converged
    assert found.root @ found.root.T == pytest.approx(squares / (n - lost), rel=1e-6)
    assert found.mean == pytest.approx(POINTS.mean(axis=0), rel=1e-6)


@pytest.mark.parametrize("kind", [True, False])
def test_penalised_variance_is_never_0(kind: bool) -> None:
    alike = np.full((5, 2), (1.0, -2.0))
    assert not normal_effects(alike, WITHIN[:5], restricted=kind).sds.any()
    found = normal_effects(alike, WITHIN[:5], restricted=kind, penalised=True)
    assert found.converged
    assert abs(found.correlation) < 1e-6
    assert (found.sds**2 > WITHIN[:5].min(axis=0) / 4).all()


def test_flat_directions_by_hand() -> None:
    # Curvatures below 1e-10 of the largest: nothing is known of them, and a step is no longer.
    assert inverse(np.diag([4.0, 0.0])).tolist() == [[0.25, 0], [0, 0]]
    assert inverse(np.diag([2e6, 1e-6])).tolist() == [[5e-7, 0], [0, 0]]
    assert inverse(np.diag([2e6, 1e-3])) == pytest.approx(np.diag([5e-7, 1e3]))
    assert upward(np.diag([-4.0, 0.0]), np.array([8.0, 4e-10])) == pytest.approx([2, 1])
