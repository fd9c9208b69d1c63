"""Curves for given covariates: printed numbers, slow twins, the bootstrap."""

import numpy as np
import pytest

import rocspace as rs
from covariate_studies import only_sex, read_endosyn, study
from rocspace.designs import (
    CovariateModel,
    auc_by_covariate,
    conditional_roc,
    covariate_scores,
    covariate_test,
)
from rocspace.designs.conditional import areas_at
from rocspace.designs.covariate_cases import rows_at
from rocspace.designs.covariate_models import settled

NORMAL = CovariateModel(residuals="normal")
GLM = CovariateModel(method="roc-glm")
AT = {"age": 0.5, "sex": "f"}


# --- printed numbers ------------------------------------------------------------------------------


@pytest.mark.parametrize("gender", ["Men", "Women"])
def test_areas_of_endosyn_at_three_ages(shared, gender):
    columns, answers = read_endosyn(shared)
    data = covariate_scores(
        columns["cvd_idf"], columns["bmi"], {"age": columns["age"], "sex": columns["gender"]}
    )
    at = [30, 50, 70]
    found = auc_by_covariate(data, "age", at=at, given={"sex": gender}, model=NORMAL)
    expected = [answers["auc_at_age_divisor_n"][f"{gender.lower()}_{age}"] for age in at]
    np.testing.assert_allclose(found.auc, expected, atol=1e-10)
    curve = conditional_roc(data, {"age": 30, "sex": gender}, model=NORMAL)
    assert curve.curve.auc == pytest.approx(expected[0], abs=1e-10)
    assert curve.curve.auc_estimate().se == pytest.approx(found.se[0], rel=1e-6)


# --- slow twins -----------------------------------------------------------------------------------


def test_the_area_of_residuals_is_that_of_all_pairs():
    data = study(60)
    label, age, score = data.cases.label, data.covariates["age"], data.column("a")
    own = data.covariates["sex"] == 0
    moved = []
    for chosen in (label, ~label):
        rows = own & chosen
        slope = np.polyfit(age[rows], score[rows], 1)[0]
        moved.append(score[rows] + slope * (0.5 - age[rows]))
    pairs = np.subtract.outer(*moved)
    expected = np.mean(pairs > 0) + np.mean(pairs == 0) / 2
    found = conditional_roc(data, AT, "a")
    assert found.auc_estimate.value == pytest.approx(expected)
    assert found.curve.auc == pytest.approx(expected)


@pytest.mark.parametrize(
    "model",
    [
        NORMAL,
        CovariateModel(),
        CovariateModel(scale="linear"),
        CovariateModel(scale="linear", residuals="normal", strata=()),
        GLM,
        CovariateModel(method="roc-glm", residuals="normal", scale="linear", rates=15),
    ],
    ids=["normal", "empirical", "sd", "normal sd", "glm", "glm normal"],
)
def test_errors_are_what_cases_more_change(model):
    """The error that a case adds is the change when it is there three times."""
    data = study(160, wide=0.15)
    values, m = rows_at(data, {"age": [1.5], "sex": "f"})
    base = areas_at(data, "a", settled(data, model), values, m)
    label = data.cases.label
    for own in (label, ~label):
        rows = np.flatnonzero(own)[::7]
        moved = []
        for i in rows:
            again = data.take(np.append(np.arange(label.size), [i, i]))
            moved.append(areas_at(again, "a", settled(again, model), values, m).values[0])
        change = (np.array(moved) - base.values) / 2 * (own.sum() + 2) / own.sum()
        errors = base.errors[0, rows]
        assert np.corrcoef(change, errors)[0, 1] > 0.93
        assert np.polyfit(errors, change, 1)[0] == pytest.approx(1, abs=0.15)


# --- strata ---------------------------------------------------------------------------------------


def test_strata_have_their_own_curves():
    data = only_sex(study(50))
    found = auc_by_covariate(data, "sex", "a")
    assert found.at == ("f", "m")
    own = data.covariates["sex"] == 1
    table = rs.tabulate(data.cases.label[own], data.column("a")[own])
    assert found.estimates[1].se == pytest.approx(rs.delong(table).se)
    np.testing.assert_allclose(found.correlation, np.eye(2))
    curve = conditional_roc(data, {"sex": "m"}, "a").curve
    np.testing.assert_array_equal(curve.tpr, rs.roc_curve(table).tpr)


def test_a_stratum_without_a_class_has_no_curve():
    data = covariate_scores([0, 0, 1, 0, 1], [1, 2, 3, 4, 3], {"site": list("aaabb")})
    lone = covariate_scores([0, 0, 1, 0, 0], [1, 2, 3, 4, 3], {"site": list("aaabb")})
    assert conditional_roc(data, {"site": "b"}).auc_estimate.value == 0
    with pytest.raises(ValueError, match="not both classes among the cases with site b"):
        conditional_roc(lone, {"site": "b"})


# --- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda d: auc_by_covariate(d, "age", "a"), ValueError, "also depends on sex"),
        (lambda d: auc_by_covariate(d, "ago", "a"), ValueError, "Did you mean 'age'"),
        (
            lambda d: auc_by_covariate(d, "age", "a", given={"age": 1, "sex": "f"}),
            ValueError,
            "'age' varies",
        ),
        (lambda d: conditional_roc(d, {"age": [1, 2], "sex": "f"}, "a"), ValueError, "2 values"),
        (lambda d: conditional_roc(d, {"age": 1}, "a"), ValueError, "lacks 'sex'"),
        (lambda d: conditional_roc(d, 50, "a"), TypeError, "must map every covariate"),
        (lambda d: covariate_test(d, "x", "a"), ValueError, "no covariate 'x'"),
        (lambda d: covariate_test(d, name="a", method="score"), ValueError, "must be one of"),
    ],
)
def test_first_mistakes(call, error, says):
    with pytest.raises(error, match=says):
        call(study(40))
