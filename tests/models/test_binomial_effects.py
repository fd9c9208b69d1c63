"""The binomial likelihood of studies: by a fine grid, by hand where studies are huge or alike."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import optimize, stats
from scipy.special import logit

from rocspace.models.binomial_effects import BinomialHill, binomial_effects
from rocspace.models.random_effects import RandomEffects, normal_effects
from slow.models import binomial_loglik
from studies import AUDIT_C, counts, large

HITS = AUDIT_C[:, [0, 2]].astype(float)
N = HITS + AUDIT_C[:, [1, 3]]


def test_derivatives() -> None:
    x, step = np.array([2.0, -1.2, 0.8, 0.3, 0.5]), 1e-5 * np.eye(5)
    hill = BinomialHill(x, HITS, N)
    ends = [[BinomialHill(x + s * e, HITS, N) for s in (1, -1)] for e in step]
    # Those of the exact integral; the sum of 15 nodes is near it.
    value = [(up.value - down.value) / 2e-5 for up, down in ends]
    np.testing.assert_allclose(hill.gradient, value, rtol=1e-6, atol=1e-6)
    slopes = [(up.gradient - down.gradient) / 2e-5 for up, down in ends]
    np.testing.assert_allclose(hill.curvature, slopes, rtol=1e-5, atol=1e-5)


def test_likelihood_by_a_fine_grid() -> None:
    root = np.array([[1.1, 0.0], [0.4, 0.5]])
    hill = BinomialHill(np.array([2.0, -1.2, 1.1, 0.4, 0.5]), HITS[:7], N[:7])
    grid = binomial_loglik([2.0, -1.2], root @ root.T, HITS[:7], N[:7], steps=801)
    assert hill.value == pytest.approx(grid, abs=1e-5)


def between_of(x: np.ndarray) -> np.ndarray:
    """The covariance of two log standard deviations and the artanh of their correlation."""
    s, r = np.exp(x[2:4]), np.tanh(x[4])
    return np.array([[s[0] ** 2, r * s.prod()], [r * s.prod(), s[1] ** 2]])


def check_maximum(
    found: RandomEffects, down: Callable[[Any], float], *, value: float, place: float
) -> None:
    """A search without derivatives, from near by, finds the same value at the same place."""
    at = [*found.mean, *np.log(found.sds), np.arctanh(found.correlation)]
    assert found.converged
    assert found.loglik == pytest.approx(-down(at), abs=value)
    begin = np.add(at, [0.1, -0.1, 0.1, 0.1, -0.1])
    options = {"xatol": 1e-5, "fatol": 1e-9, "maxiter": 600}
    best = optimize.minimize(down, begin, method="Nelder-Mead", options=options)
    assert best.x == pytest.approx(at, abs=place)
    assert found.loglik >= -best.fun - value


def test_direct_maximum() -> None:
    hits, n = HITS[[0, 2, 3, 8, 13]], N[[0, 2, 3, 8, 13]]
    found = binomial_effects(hits, n)

    def down(x):  # type: ignore[no-untyped-def]
        between = between_of(x)
        return -binomial_loglik(x[:2], between, hits, n, steps=201)

    check_maximum(found, down, value=1e-6, place=2e-3)


def test_direct_maximum_of_the_penalised_likelihood() -> None:
    hits, n = HITS[[0, 2, 3]], N[[0, 2, 3]]
    assert binomial_effects(hits, n).root[1, 1] == 0  # without a penalty, a correlation of 1 or -1
    found = binomial_effects(hits, n, penalised=True)

    def down(x):  # type: ignore[no-untyped-def]
        between = between_of(x)
        plain = binomial_loglik(x[:2], between, hits, n, steps=201)
        return -plain - 0.75 * np.log(np.linalg.det(between))

    check_maximum(found, down, value=1e-5, place=3e-3)


def test_huge_studies_have_the_normal_likelihood() -> None:
    points = np.array([[1.0, -2.0], [2.0, -1.0], [0.5, -1.5], [1.5, -3.0]])
    given = large(points, 10**7)
    hits = np.column_stack([given["tp"], given["fp"]]).astype(float)
    found = binomial_effects(hits, np.full((4, 2), 1e7))
    assert found.mean == pytest.approx([1.25, -1.875], abs=2e-6)
    assert found.root @ found.root.T == pytest.approx(np.cov(points.T, ddof=0), abs=5e-6)
    beside = normal_effects(points, np.full((4, 2), 1e-6), restricted=False)
    assert found.covariance == pytest.approx(beside.covariance, abs=2e-5)


def test_equal_studies_are_one_study() -> None:
    found = binomial_effects(np.full((4, 2), (15.0, 4.0)), np.full((4, 2), (20.0, 40.0)))
    assert found.sds.tolist() == [0, 0]
    assert found.mean == pytest.approx([np.log(3), -np.log(9)], abs=1e-7)
    # Of 80 and 160 cases together: 1 / (n p (1 - p)).
    variance = np.diag(found.covariance)[:2]
    assert variance == pytest.approx([1 / (80 * 0.75 * 0.25), 1 / (160 * 0.1 * 0.9)], rel=1e-6)
    rates = [stats_of(15, 20), stats_of(4, 40)]
    assert found.loglik == pytest.approx(4 * sum(rates), rel=1e-9)


def stats_of(hits: int, n: int) -> float:
    return float(stats.binom.logpmf(hits, n, hits / n))


def test_no_empty_cell_needs_a_half() -> None:
    found = binomial_effects(HITS, N)
    assert found.converged
    assert (counts()["fn"] == 0).sum() == 2
    # A study of 752 hits and no miss counts as what it is: its tpr is not 752.5 / 753.
    assert found.mean[0] > normal_effects(*corrected(), restricted=False).mean[0]
    assert found.mean[0] < logit(752.5 / 753)


def corrected():  # type: ignore[no-untyped-def]
    cells = AUDIT_C + 0.5 * (AUDIT_C == 0).any(axis=1, keepdims=True)
    points = np.log(cells[:, [0, 2]] / cells[:, [1, 3]])
    return points, 1 / cells[:, [0, 2]] + 1 / cells[:, [1, 3]]
