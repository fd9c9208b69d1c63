"""Areas as functions of a covariate: bands and differences."""

import pickle

import numpy as np
import pytest
from scipy import stats

import rocspace as rs
from covariate_studies import only_sex, study
from rocspace.designs import (
    CovariateModel,
    auc_by_covariate,
    auc_by_covariate_difference,
    covariate_scores,
)

NORMAL = CovariateModel(residuals="normal")
GLM = CovariateModel(method="roc-glm")


# --- bands ----------------------------------------------------------------------------------------


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
    for end, outwards in ((band.low, -1e-9), (band.high, 1e-9)):
        assert band.contains(end)
        assert not band.contains(end + outwards)
    assert "Covariate:" in str(found)


def test_a_band_of_one_value_is_its_interval():
    found = auc_by_covariate(study(50), "age", "a", at=[0.3], given={"sex": "m"})
    band, interval = found.band(), found.interval()[0]
    assert band.low[0] == pytest.approx(interval.low, abs=2e-3)
    assert "At sex:" in str(found)
    assert pickle.loads(pickle.dumps(found)) == found


def test_areas_stay_inside_even_where_scores_separate():
    y, age = np.arange(40) % 2, np.arange(40) / 10
    data = covariate_scores(y, 100 * y + age + np.sin(np.arange(40)), {"age": age})
    band = auc_by_covariate(data, "age").band()
    assert (band.auc == 1).all()
    assert (band.low < 1).all()
    assert (band.high <= 1).all()


def test_a_value_far_from_all_cases_is_answered_without_a_warning():
    found = auc_by_covariate(study(50), "age", "a", at=[0.3, 1e308], given={"sex": "m"})
    near = auc_by_covariate(study(50), "age", "a", at=[0.3], given={"sex": "m"})
    assert found.auc[0] == near.auc[0]
    assert 0 <= found.auc[1] <= 1


def exposed(far, gain=0.3):
    """Cases of which one of either class has a covariate far from all others."""
    rng = np.random.default_rng(4)
    y = np.repeat([1, 0], (12, 30))
    x = np.concatenate([np.linspace(-1, 1, 12), np.linspace(-1, 1, 30)])
    x[[0, 12]] = far
    return covariate_scores(y, x + gain * y + rng.normal(size=42), {"x": x})


@pytest.mark.parametrize("model", [CovariateModel(), NORMAL, GLM])
def test_an_interval_is_of_the_probit_with_students_quantile(model):
    found = auc_by_covariate(exposed(1), "x", at=[0.2], model=model).estimates[0]
    assert 0 < found.value < 1
    d = stats.norm.ppf(found.value)
    half = stats.t.ppf(0.975, found.df) * found.se / stats.norm.pdf(d)
    assert tuple(found.interval()) == pytest.approx(tuple(stats.norm.cdf([d - half, d + half])))


@pytest.mark.parametrize("model", [CovariateModel(), NORMAL])
def test_what_one_case_of_each_class_says_has_its_degrees_of_freedom(model):
    near, far = auc_by_covariate(exposed(40), "x", at=[0, 40], model=model).estimates
    assert near.df == 10  # positives minus the coefficients of their mean
    # The lines at 40 follow one case each, so that a squared residual stands alone.
    assert 1 < far.df < 2.5
    middle = auc_by_covariate(exposed(1), "x", at=[0.0], model=model).estimates[0]
    assert middle.df == 10


def test_where_all_moved_scores_separate_the_error_of_the_lines_counts():
    data = exposed(1, gain=1.5)
    found, normal = (
        auc_by_covariate(data, "x", at=[-25.0], model=model).estimates[0]
        for model in (None, NORMAL)
    )
    assert found.value in (0, 1)
    # Twelve cases alone would give 0 to .26, or .74 to 1.
    assert found.interval().width > 0.9
    assert found.interval().low <= normal.interval().low
    assert found.interval().high >= normal.interval().high


# --- differences ----------------------------------------------------------------------------------


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
    alone = covariate_scores([0, 1, 0, 1], {"a": [1, 2, 3, 4]}, {"age": [1, 2, 2, 1]})
    with pytest.raises(ValueError, match="compares two scores, but here is only a"):
        auc_by_covariate_difference(alone, "age")


@pytest.mark.parametrize("many", [10, 11])
def test_few_values_are_all_asked_for(many):
    """Of more than ten, 41 evenly spaced values between two quantiles of those of positives."""
    rng = np.random.default_rng(4)
    age = np.arange(220) % many + 1.0
    data = covariate_scores(np.arange(220) // many % 2, {"a": rng.normal(size=220)}, {"age": age})
    own = age[data.cases.label]
    found = auc_by_covariate(data, "age", "a").at
    if many == 10:
        assert list(found) == list(range(1, 11))
    else:
        ends = np.quantile(own, [0.025, 0.975])
        assert list(found) == np.linspace(*ends, 41).tolist()
