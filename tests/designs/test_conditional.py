"""Curves for given covariates: printed numbers, slow twins, the bootstrap, known truth."""

import pickle

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import norm

import rocspace as rs
from covariate_studies import only_sex, read_endosyn, study
from rocspace.designs import (
    CovariateModel,
    auc_by_covariate,
    auc_by_covariate_difference,
    conditional_roc,
    covariate_scores,
    covariate_test,
)
from rocspace.designs.conditional import areas_at
from rocspace.designs.covariates import rows_at, settled
from rocspace.models import fit_roc_glm

NORMAL = CovariateModel(residuals="normal")
GLM = CovariateModel(method="roc-glm")
AT = {"age": 0.5, "sex": "f"}


# --- printed numbers ----------------------------------------------------------------------------


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


# --- slow twins ---------------------------------------------------------------------------------


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
    plain = fit_roc_glm(rs.tabulate(label, score), rates=np.arange(1, 10) / 10)
    assert fit.curve.parameters == pytest.approx(plain.parameters)
    # its errors lose two degrees of freedom, the plain ones none
    np.testing.assert_allclose(fit.curve.covariance, plain.covariance, rtol=0.1)


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


# --- strata -------------------------------------------------------------------------------------


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


# --- bands --------------------------------------------------------------------------------------


def test_the_simultaneous_band_of_independent_areas_has_sidaks_level():
    found = auc_by_covariate(only_sex(study(50)), "sex", "a")
    band, points = found.band(0.95), found.band(0.95, simultaneous=False)
    each = 0.95**0.5
    expected = [one.interval(each) for one in found.estimates]
    np.testing.assert_allclose(band.low, [e.low for e in expected], atol=2e-3)
    assert (band.low < points.low).all()
    assert (band.high > points.high).all()
    assert band.contains(found.auc)
    assert not band.contains([0.0, 0.5])


def test_a_band_of_one_value_is_its_interval():
    found = auc_by_covariate(study(50), "age", "a", at=[0.3], given={"sex": "m"})
    band, interval = found.band(), found.interval()[0]
    assert band.low[0] == pytest.approx(interval.low, abs=2e-3)
    assert pickle.loads(pickle.dumps(found)) == found


def test_areas_stay_inside_even_where_scores_separate():
    y, age = np.arange(40) % 2, np.arange(40) / 10
    data = covariate_scores(y, 100 * y + age + np.sin(np.arange(40)), {"age": age})
    band = auc_by_covariate(data, "age").band()
    assert (band.auc == 1).all()
    assert (band.low < 1).all()
    assert (band.high <= 1).all()


# --- the test -----------------------------------------------------------------------------------


def dependent(n, seed, effect):
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1], n)
    age = rng.normal(size=2 * n) + 0.5 * y
    score = age + y * (1 + effect * age) + rng.normal(size=2 * n)
    return covariate_scores(y, score, {"age": age})


def test_dependence_is_found_and_independence_is_not():
    assert covariate_test(dependent(150, 1, 0.8), "age").pvalue < 1e-4
    assert covariate_test(dependent(150, 1, 0.0), "age").pvalue > 0.05
    # age shifts both classes alike, so that the pooled area of the young and old differs from ours
    found = covariate_test(dependent(60, 2, 0.9), "age", method="permutation", n_perm=39, rng=1)
    assert found.pvalue == pytest.approx(1 / 40)
    assert found.method == "permutation of residuals"


def test_the_test_of_one_covariate_is_that_of_its_coefficient():
    data = study(150)
    both, one = covariate_test(data, name="a"), covariate_test(data, "sex", "a")
    assert (both.df, one.df) == (2, 1)
    assert both.statistic >= one.statistic
    again = covariate_test(data, ["age", "sex"], "a")
    assert again == both


def test_permutations_in_strata_keep_the_placements():
    found = covariate_test(only_sex(study(30)), name="a", method="permutation", n_perm=19, rng=2)
    assert 0.05 <= found.pvalue <= 1
    assert found == covariate_test(
        only_sex(study(30)), name="a", method="permutation", n_perm=19, rng=2
    )


# --- what is refused ----------------------------------------------------------------------------


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


def test_a_regression_without_a_solution_says_so():
    data = covariate_scores(
        [0, 0, 0, 1, 1, 1], [1, 2, 3, 4, 5, 6], {"site": ["a", "b", "a", "b", "a", "b"]}
    )
    with pytest.raises(ValueError, match="no finite solution"):
        covariate_test(data)


def test_a_stratum_without_a_class_has_no_curve():
    data = covariate_scores([0, 0, 1, 0, 1], [1, 2, 3, 4, 3], {"site": list("aaabb")})
    lone = covariate_scores([0, 0, 1, 0, 0], [1, 2, 3, 4, 3], {"site": list("aaabb")})
    assert conditional_roc(data, {"site": "b"}).auc_estimate.value == 0
    with pytest.raises(ValueError, match="not both classes among the cases with site b"):
        conditional_roc(lone, {"site": "b"})


# --- differences --------------------------------------------------------------------------------


@pytest.mark.parametrize("model", [None, NORMAL, GLM, "stratified"])
def test_a_difference_has_the_error_of_the_joint_influence(model):
    data = study(60) if model != "stratified" else only_sex(study(60))
    how = {"at": ["f", "m"]} if model == "stratified" else {"at": [0.2, 0.8], "given": {"sex": "f"}}
    covariate = "sex" if model == "stratified" else "age"
    gap = auc_by_covariate_difference(data, covariate, "a", "b", model=model, **how)
    one, two = (auc_by_covariate(data, covariate, name, model=model, **how) for name in "ab")
    np.testing.assert_allclose(gap.auc, one.auc - two.auc)
    back = auc_by_covariate_difference(data, covariate, "b", "a", model=model, **how)
    np.testing.assert_allclose(gap.se, back.se)
    for each, first, second in zip(gap.estimates, one.estimates, two.estimates, strict=True):
        shared = each.correlation * first.se * second.se
        assert each.se**2 == pytest.approx(first.se**2 + second.se**2 - 2 * shared, rel=1e-9)
        assert 0 < each.correlation < 1
        low, high = each.interval()
        assert (each.test().pvalue < 0.05) == (not low <= 0 <= high)
    assert gap.band().low[0] <= gap.estimates[0].interval().low
    columns = data._columns()
    beside = {name: columns[name] for name in data.covariates}
    copies = covariate_scores(
        data.cases.label, {"a": data.column("a"), "copy": data.column("a")}, beside
    )
    same = auc_by_covariate_difference(copies, covariate, model=model, **how)
    assert same.auc.tolist() == [0, 0]
    np.testing.assert_allclose(same.se, 0, atol=1e-12)


def test_a_difference_in_strata_is_delongs():
    data = only_sex(study(60))
    gap = auc_by_covariate_difference(data, "sex", "a", "b", at=["m"])
    own = data.covariates["sex"] == 1
    pairs = rs.pair_scores(
        data.cases.label[own], {name: data.column(name)[own] for name in ("a", "b")}
    )
    assert gap.se[0] == pytest.approx(rs.auc_difference(pairs, "a", "b").se, rel=1e-9)


def test_a_difference_needs_two_scores():
    with pytest.raises(TypeError, match="Name them"):
        auc_by_covariate_difference(study(60), "age", "a")
    with pytest.raises(TypeError, match="covariate_scores"):
        auc_by_covariate_difference(rs.pair_scores([0, 1], {"a": [1, 2], "b": [1, 2]}), "age")
