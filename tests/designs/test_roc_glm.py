"""Regression of the curve on covariates: the likelihood, and the plain regression."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import norm

import rocspace as rs
from covariate_studies import only_sex, study
from rocspace.designs import (
    CovariateModel,
    conditional_roc,
    covariate_scores,
    covariate_test,
)
from rocspace.models import fit_roc_glm


def test_the_regression_maximises_the_likelihood_of_all_indicators():
    data = only_sex(study(30))
    label, score, sex = data.cases.label, data.column("a"), data.covariates["sex"]
    t = np.arange(1, 21) / 21
    records = []
    for i in np.flatnonzero(label):
        negatives = score[~label & (sex == sex[i])]
        records += [(np.mean(negatives >= score[i]) <= x, norm.ppf(x), sex[i]) for x in t]
    below, z, x = (np.array(column, dtype=float) for column in zip(*records, strict=True))

    def loss(theta):
        eta = theta[0] + theta[1] * z + theta[2] * x
        return -(below * norm.logcdf(eta) + (1 - below) * norm.logcdf(-eta)).sum()

    best = minimize(loss, [0.5, 1, 0], method="BFGS", options={"gtol": 1e-7}).x
    model = CovariateModel(method="roc-glm", rates=20)
    for code, level in enumerate("fm"):
        fit = conditional_roc(data, {"sex": level}, "a", model=model).curve
        assert fit.parameters["a"] == pytest.approx(best[0] + best[2] * code, abs=1e-4)
        assert fit.parameters["b"] == pytest.approx(best[1], abs=1e-4)


def test_without_an_effect_of_covariates_it_is_the_plain_regression():
    data = study(40)
    label, score = data.cases.label, data.column("a")
    one = covariate_scores(label, score, {"site": ["one"] * len(data)})
    fit = conditional_roc(one, {"site": "one"}, model=CovariateModel(method="roc-glm", rates=9))
    table = rs.tabulate(label, score)
    plain = fit_roc_glm(table, rates=np.arange(1, 10) / 10, covariance="sandwich")
    assert fit.curve.parameters == pytest.approx(plain.parameters)
    # its errors lose two degrees of freedom, the plain ones none
    np.testing.assert_allclose(fit.curve.covariance, plain.covariance, rtol=0.1)


def test_a_regression_without_a_solution_says_so():
    data = covariate_scores(
        [0, 0, 0, 1, 1, 1], [1, 2, 3, 4, 5, 6], {"site": ["a", "b", "a", "b", "a", "b"]}
    )
    with pytest.raises(ValueError, match="no finite solution"):
        covariate_test(data)
