"""Splines of covariates, and the density of residuals."""

import numpy as np
import pytest

from rocspace.designs.regression import columns_of


def test_a_spline_is_straight_beyond_its_outer_knots():
    from rocspace.designs.regression import Column

    x = np.linspace(-3, 3, 61)
    _, bent = Column(name="x", knots=(-1.0, 0.0, 1.0)).of(x)
    assert (bent[x <= -1] == 0).all()
    np.testing.assert_allclose(np.diff(bent[x >= 1], 2), 0, atol=1e-12)
    assert np.abs(np.diff(bent, 2)).max() > 0.001


def test_scores_may_have_any_unit():
    from rocspace.designs.regression import regress

    rng = np.random.default_rng(2)
    z, y = np.column_stack([np.ones(20), rng.normal(size=20)]), rng.normal(size=20)
    one, small = (regress(y * unit, z, z[:, :1], "all") for unit in (1, 1e-15))
    np.testing.assert_allclose(small.beta, one.beta * 1e-15, rtol=1e-9)
    np.testing.assert_allclose(small.residual, one.residual, rtol=1e-9)
    np.testing.assert_allclose(small.gamma, one.gamma - 15 * np.log(10), rtol=1e-9)
    with pytest.raises(ValueError, match="do not vary"):
        regress(z[:, 1] * 1e-15, z, z[:, :1], "all")


def test_the_density_of_residuals_is_that_of_all_kernels():
    from rocspace.designs.regression import density

    rng = np.random.default_rng(3)
    sample, at = rng.normal(size=300), np.linspace(-2, 2, 9)
    low, high = np.quantile(sample, [0.25, 0.75])
    h = 0.9 * min(sample.std(), (high - low) / 1.34) * 300**-0.2
    slow = np.exp(-(np.subtract.outer(at, sample) ** 2) / 2 / h**2).mean(axis=1)
    np.testing.assert_allclose(density(sample, at), slow / h / (2 * np.pi) ** 0.5)
    large = rng.normal(size=30_000)
    truth = np.exp(-at * at / 2) / (2 * np.pi) ** 0.5
    np.testing.assert_allclose(density(large, at), truth, atol=0.02)


@pytest.mark.parametrize(("knots", "outer"), [(3, 0.1), (4, 0.05), (5, 0.05)])
def test_knots_are_quantiles_and_at_least_three(knots, outer):
    x = np.random.default_rng(1).normal(size=50)
    (found,) = columns_of({"x": x}, ["x"], {}, knots)
    np.testing.assert_allclose(found.knots, np.quantile(x, np.linspace(outer, 1 - outer, knots)))
    assert (found.centre, found.scale) == (x.mean(), x.std())
    few = (np.arange(50) % 3 == 0) * 1.0  # two values: a straight line
    assert columns_of({"x": few}, ["x"], {}, knots)[0].knots == ()
    halves = np.repeat([0.0, 1.0], 25)  # their median lies between
    assert columns_of({"x": halves}, ["x"], {}, knots)[0].knots == ()
    three = np.repeat([0.0, 1.0, 5.0], [14, 11, 25])  # never more knots than values
    middle = 3 if knots == 3 else 1
    assert columns_of({"x": three}, ["x"], {}, knots)[0].knots == (0, middle, 5)
    flat = columns_of({"x": np.full(50, 3.0)}, ["x"], {}, knots)[0]
    assert (flat.scale, flat.knots) == (1, ())
