"""The binormal fit of two Normal samples is a curve with parameters."""

import pickle

import numpy as np
import pytest
from scipy import integrate, stats

import rocspace as rs
from rocspace.models.binormal import two_normals
from rocspace.results import Curve, Fit

POS, NEG = np.array([1.0, 2.5, 2.0, 4.0]), np.array([0.5, 1.0, -1.0, 1.5, 0.0])
FIT = two_normals("test", rs.tabulate_classes(POS, NEG))
AT = np.array([0.01, 0.2, 0.5, 0.9])


def test_it_is_a_fit_and_a_curve() -> None:
    assert isinstance(FIT, Fit)
    assert isinstance(FIT, Curve)
    assert pickle.loads(pickle.dumps(FIT)) == FIT
    assert FIT.to_frame()["parameter"].tolist() == ["a", "b"]
    assert FIT.name == "binormal fit"
    assert repr(FIT).startswith("Fit(binormal, a=")
    assert "a:      1.82 (se 0.890)" in str(FIT)


def test_closed_forms_against_the_definition() -> None:
    a, b = (POS.mean() - NEG.mean()) / POS.std(), NEG.std() / POS.std()
    assert (FIT.a, FIT.b) == pytest.approx((a, b))
    tpr = stats.norm.cdf(a + b * stats.norm.ppf(AT))
    np.testing.assert_allclose(FIT.tpr_at(AT), tpr, rtol=1e-12)
    np.testing.assert_allclose(FIT.fpr_at(tpr), AT, rtol=1e-9)
    step = 1e-6
    slope = (FIT.tpr_at(AT + step) - FIT.tpr_at(AT - step)) / (2 * step)
    np.testing.assert_allclose(FIT.slope_at(AT), slope, rtol=1e-5)
    assert FIT.auc == pytest.approx(integrate.quad(FIT.tpr_at, 0, 1)[0], abs=1e-8)


@pytest.mark.parametrize("unit", [1.0, 1000.0, 0.25])
@pytest.mark.parametrize("higher", [True, False])
def test_likelihood_against_the_densities(unit: float, higher: bool) -> None:
    table = rs.tabulate_classes(unit * POS, unit * NEG, higher_is_positive=higher)
    fit = two_normals("test", table)
    terms = [stats.norm.logpdf(unit * x, unit * x.mean(), unit * x.std()).sum() for x in (POS, NEG)]
    assert fit.loglik == pytest.approx(sum(terms))
    assert fit.n_cases == 9
    assert fit.aic == pytest.approx(4 - 2 * sum(terms))
    assert fit.bic == pytest.approx(2 * np.log(9) - 2 * sum(terms))


def test_weights_have_no_likelihood() -> None:
    y, score = np.r_[np.ones(4), np.zeros(5)], np.r_[POS, NEG]
    fit = two_normals("test", rs.tabulate(y, score, sample_weight=np.full(9, 2.0)))
    assert (fit.loglik, fit.aic, fit.bic, fit.n_cases) == (None, None, None, None)
    assert fit.a == pytest.approx(FIT.a)


def test_standard_errors_by_symbol() -> None:
    assert list(FIT.se) == ["a", "b"]
    assert FIT.se["a"] == pytest.approx(np.sqrt(FIT.covariance[0, 0]))
    assert FIT.sd(np.array(0.0)) == pytest.approx(FIT.se["a"])
