"""The bivariate Normal distribution function against scipy's quadrature, and at its corners."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import stats

from rocspace.models.bivariate import bivariate_normal

limits = st.one_of(st.just(0.0), st.floats(-6, 6))


@example(h=1.0, k=2.2e-309, rho=0.0)  # whose ratio overflows
@given(h=limits, k=limits, rho=st.floats(-0.99, 0.99))
def test_against_quadrature(h: float, k: float, rho: float) -> None:
    both = stats.multivariate_normal([0, 0], [[1, rho], [rho, 1]])
    assert bivariate_normal(h, k, rho) == pytest.approx(both.cdf([h, k]), abs=1e-7)
    assert bivariate_normal(h, k, rho) == pytest.approx(bivariate_normal(k, h, rho), abs=1e-15)
    assert bivariate_normal(-h, -k, rho) == pytest.approx(
        1 - stats.norm.cdf(h) - stats.norm.cdf(k) + bivariate_normal(h, k, rho), abs=1e-14
    )


def test_corners() -> None:
    assert bivariate_normal(0, 0, 0.5) == pytest.approx(1 / 3)  # 1/4 + (pi / 6) / (2 pi)
    assert bivariate_normal(-0.0, 1, 0.5) == bivariate_normal(0, 1, 0.5)
    assert bivariate_normal(np.inf, 0.3, 0.5) == stats.norm.cdf(0.3)
    assert bivariate_normal(-np.inf, 0.3, 0.5) == 0
    assert bivariate_normal([0.0, np.inf], [1.0, np.inf], 0).tolist() == pytest.approx(
        [stats.norm.cdf(1) / 2, 1]
    )
