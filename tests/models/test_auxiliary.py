"""Weights by auxiliary information: by hand, by optimisation, their variance, edges."""

from typing import Any

import numpy as np
import pytest
from scipy import optimize

import rocspace as rs
from rocspace.models import auxiliary_weights, fit_kernel


def test_by_hand() -> None:
    # Values 0 and 1 with known mean 3/4: the second has three times the weight of the first.
    weight = auxiliary_weights([0, 0, 1], [0.0, 1.0, 5.0], neg_mean=0.75)
    assert weight.tolist() == pytest.approx([0.5, 1.5, 1.0])
    # Of 2 + 1 values: each of the two has 1/8, the third 3/4.
    weight = auxiliary_weights([1, 1, 1, 0], [0, 0, 1, 9], pos_mean=0.75)
    assert weight.tolist() == pytest.approx([3 / 8, 3 / 8, 9 / 4, 1])


def test_by_constrained_optimisation() -> None:
    rng = np.random.default_rng(1)
    z, known = rng.normal(size=(8, 2)), np.array([0.2, -0.1])
    found = auxiliary_weights(np.repeat([1, 0], [8, 1]), np.vstack([z, [[0, 0]]]), pos_mean=known)
    limits: Any = [
        {"type": "eq", "fun": lambda p: p.sum() - 1},
        {"type": "eq", "fun": lambda p: p @ z - known},
    ]
    ends: Any = [(1e-6, 1.0)] * 8

    def loss(p: np.ndarray) -> float:
        return -float(np.log(p).sum())

    best = optimize.minimize(
        loss,
        np.full(8, 1 / 8),
        method="SLSQP",
        constraints=limits,
        bounds=ends,
        tol=1e-12,
    )
    np.testing.assert_allclose(found[:8] / 8, best.x, atol=1e-5)


def test_what_characterises_the_weights() -> None:
    rng = np.random.default_rng(2)
    y, z = np.arange(200) < 80, rng.normal(size=(200, 3))
    weight = auxiliary_weights(y, z, pos_mean=[0.1, 0, 0], neg_mean=[0, 0, -0.1])
    assert (weight > 0).all()
    for rows, mean in ((y, [0.1, 0, 0]), (~y, [0, 0, -0.1])):
        assert weight[rows].mean() == pytest.approx(1)
        np.testing.assert_allclose((weight[rows] @ z[rows]) / rows.sum(), mean, atol=1e-9)
    same = auxiliary_weights(y, z, pos_mean=z[y].mean(axis=0))
    np.testing.assert_allclose(same, 1, atol=1e-9)  # nothing new
    twice = auxiliary_weights(y, np.column_stack([z, 2 * z]), pos_mean=[0.1, 0, 0, 0.2, 0, 0])
    np.testing.assert_allclose(twice[y], weight[y], atol=1e-8)


def test_the_area_has_a_smaller_variance() -> None:
    rng = np.random.default_rng(3)
    y = np.arange(120) < 60
    plain, informed = [], []
    for _ in range(60):
        z = rng.normal(size=120)
        score = 0.9 * z + 0.4 * rng.normal(size=120) + y
        weight = auxiliary_weights(y, z, pos_mean=0, neg_mean=0)
        plain.append(rs.auc(rs.tabulate(y, score)))
        informed.append(rs.auc(rs.tabulate(y, score, sample_weight=weight)))
    assert np.std(informed) < 0.7 * np.std(plain)
    fit = fit_kernel(rs.tabulate(y, score, sample_weight=weight))
    assert fit.auc == pytest.approx(informed[-1], abs=0.03)


def test_what_is_refused() -> None:
    with pytest.raises(ValueError, match="No weights of the cases reach neg_mean"):
        auxiliary_weights([0, 0, 1], [1.0, 2.0, 3.0], neg_mean=5)
    with pytest.raises(ValueError, match="No weights of the cases reach pos_mean"):
        auxiliary_weights([0, 1, 1], [1.0, 2.0, 2.0], pos_mean=3)
    with pytest.raises(ValueError, match="must be 1 finite numbers"):
        auxiliary_weights([0, 1], [1.0, 2.0], pos_mean=[1, 2])
    with pytest.raises(ValueError, match="auxiliary has 3 rows for 2 labels"):
        auxiliary_weights([0, 1], [1.0, 2.0, 3.0], pos_mean=1)
    with pytest.raises(ValueError, match="auxiliary has infinite values"):
        auxiliary_weights([0, 1], [1.0, np.inf], pos_mean=1)
    with pytest.raises(ValueError, match="auxiliary"):
        auxiliary_weights([0, 1], [1.0, np.nan], pos_mean=1)
