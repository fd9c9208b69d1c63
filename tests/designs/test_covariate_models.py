"""How scores depend on covariates: what a model leaves open, and what it comes to."""

import numpy as np
import pytest

from rocspace.designs import CovariateModel, covariate_scores
from rocspace.designs.covariate_models import needs_placements, settled, strata_of

N = 42
Y = np.tile([0, 1], N // 2)
SCORE = np.random.default_rng(1).normal(size=N)
SITE, SEX = np.tile(["north", "south", "west"], N // 3), np.repeat(["m", "f"], N // 2)
BOTH = covariate_scores(Y, SCORE, {"site": SITE, "sex": SEX})
AGED = covariate_scores(Y, SCORE, {"age": np.arange(N) / 4, "site": SITE, "sex": SEX})


def names(columns):
    return [each.name for each in columns]


def test_categories_alone_are_strata_by_default():
    found = settled(BOTH, None)
    assert (found.model.method, found.strata, found.columns) == ("stratified", ("site", "sex"), ())
    assert found.described == "stratified"


def test_with_a_number_the_mean_is_linear_in_it_in_each_stratum():
    found = settled(AGED, None)
    assert (found.model.method, found.strata) == ("location-scale", ("site", "sex"))
    assert names(found.columns) == ["age"]
    assert found.described == "location-scale, empirical residuals"


def test_categories_that_are_no_strata_shift_the_mean():
    found = settled(AGED, CovariateModel(strata=("sex",)))
    assert names(found.columns) == ["age", "site"]
    z, w = found.rows({"age": np.array([2.0]), "site": np.array([2.0])}, 1)
    age = np.arange(N) / 4
    np.testing.assert_allclose(z, [[1, (2 - age.mean()) / age.std(), 0, 1]])
    np.testing.assert_allclose(w, [[1]])
    linear = settled(AGED, CovariateModel(strata=("sex",), scale="linear"))
    z, w = linear.rows({"age": np.array([2.0]), "site": np.array([2.0])}, 1)
    np.testing.assert_array_equal(w, z)


@pytest.mark.parametrize(("different", "fits"), [(20, True), (21, False)])
def test_numbers_may_be_strata_if_they_have_few_values(different, fits):
    age = np.arange(N) % different + 0.5
    data = covariate_scores(Y, SCORE, {"age": age})
    if fits:
        assert settled(data, "stratified").strata == ("age",)
        return
    with pytest.raises(ValueError, match="'age' has 21 distinct values, too many for strata"):
        settled(data, "stratified")


def test_strata_are_combinations_that_occur_and_have_names():
    y, score = [0, 1, 0, 1, 0], [1, 2, 3, 4, 5]
    data = covariate_scores(y, score, {"site": list("babbb"), "sex": list("fmmfm")})
    stratum, called = strata_of(data, ("site", "sex"))
    # a and f do not occur together; the first covariate counts first.
    assert called == ["site a, sex m", "site b, sex f", "site b, sex m"]
    assert stratum.tolist() == [1, 0, 2, 1, 2]
    stratum, called = strata_of(data, ())
    assert (stratum.tolist(), called) == ([0] * 5, ["all cases"])


def test_a_model_of_the_curve_places_no_positives():
    found = settled(AGED, "location-scale")
    assert needs_placements("aauc_estimate", found) is found
    glm = settled(AGED, CovariateModel(method="roc-glm"))
    with pytest.raises(ValueError, match=r'aauc_estimate averages .*"roc-glm" is a model'):
        needs_placements("aauc_estimate", glm)


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: CovariateModel(method="linear"), ValueError, "method"),
        (lambda: CovariateModel(strata="site"), TypeError, r"strata=\('site',\)"),
        (lambda: CovariateModel(residuals="t"), TypeError, "residuals"),
        (lambda: CovariateModel(scale="log"), TypeError, "scale"),
        (lambda: CovariateModel(knots=2), ValueError, "knots"),
        (lambda: CovariateModel(rates=0), ValueError, "rates"),
        (lambda: settled(AGED, CovariateModel(strata=("seks",))), ValueError, "Did you mean 'sex'"),
        (lambda: settled(AGED, 7), TypeError, "model is a int, but must be a CovariateModel"),
    ],
)
def test_first_mistakes(call, error, says):
    with pytest.raises(error, match=says):
        call()
