"""Curves induced by location and scale of both classes: by hand, by slow twins."""

import numpy as np
import pytest
from scipy import stats

import rocspace as rs
from covariate_studies import only_sex, study
from rocspace.designs import CovariateModel, covariate_scores
from rocspace.designs.covariate_models import settled
from rocspace.designs.induced import binormal_at, both_classes, empirical_area

NORMAL = CovariateModel(method="location-scale", residuals="normal")


def one_kind(data, model, values):
    """Both classes of the stratum of some values, and the columns of mean and sd there."""
    found = settled(data, model)
    both = both_classes(data, "a", found)[tuple(float(values[name]) for name in found.strata)]
    z, w = found.rows({name: np.array([float(x)]) for name, x in values.items()}, 1)
    return both, z[0], w[0], found


# --- by hand ----------------------------------------------------------------------------------


def test_an_area_and_its_placements_by_hand():
    # 3 beats both negatives, 1 beats 0, and 2 ties with 2 and beats 0; of the positives a half is
    # above 2, ties one half, and all are above 0.
    value, (pos, neg) = empirical_area(np.array([3.0, 1, 2]), np.array([2.0, 0]))
    assert value == pytest.approx((1 + 1 / 2 + 3 / 4) / 3)
    np.testing.assert_allclose(pos, [1 / 4, -1 / 4, 0], atol=1e-15)
    np.testing.assert_allclose(neg, [-1 / 4, 1 / 4], atol=1e-15)


def test_a_case_of_a_class_alone_has_no_known_error():
    data = covariate_scores([1, 0, 0, 0, 1, 1], {"a": [3, 1, 2, 4, 5, 6]}, {"site": list("xxxyyy")})
    found = both_classes(data, "a", settled(data, "stratified"))
    first = found[(0.0,)].placed(data.column("a"))
    assert np.isnan(first[0])
    assert np.isfinite(first[1:3]).all()
    assert first[3:].tolist() == [0, 0, 0]  # of the other stratum


# --- slow twins -------------------------------------------------------------------------------


def test_what_cases_of_a_stratum_add_is_delongs_variance():
    data = only_sex(study(50))
    for both in both_classes(data, "a", settled(data, "stratified")).values():
        error = both.placed(data.column("a"))
        usual = rs.delong(both.table)
        assert (error**2).sum() == pytest.approx(usual.se**2, rel=1e-12)
        assert both.count == both.pos.size == usual.n_pairs
        assert both.df == both.count - 1


def test_a_normal_area_by_means_and_sds():
    data = only_sex(study(50))
    both, z, w, _ = one_kind(data, NORMAL, {"sex": 1})
    x, y = (data.column("a")[rows] for rows in (both.pos, both.neg))
    value, by_pos, by_neg = both.area(z, w)
    assert value == pytest.approx(
        stats.norm.cdf((x.mean() - y.mean()) / np.hypot(x.std(), y.std()))
    )
    # A shift of both classes changes nothing, so the errors of one class are those of its own mean
    # and sd; leaving out a case moves the area by nearly minus its error.
    for rows, error, shift in ((both.pos, by_pos, 1), (both.neg, by_neg, 0)):
        moved = []
        for case in rows:
            left = [np.delete(x, np.flatnonzero(both.pos == case))] if shift else [x]
            left.append(y if shift else np.delete(y, np.flatnonzero(both.neg == case)))
            gap = left[0].mean() - left[1].mean()
            moved.append(stats.norm.cdf(gap / np.hypot(left[0].std(), left[1].std())) - value)
        assert np.polyfit(error, moved, 1)[0] == pytest.approx(-1, abs=0.1)


def weighted_fit(z, y, weight):
    """Coefficients of weighted least squares, and the root of the weighted mean square."""
    root = np.sqrt(weight)[:, None]
    beta = np.linalg.lstsq(z * root, y * root[:, 0], rcond=None)[0]
    return beta, np.sqrt(np.average((y - z @ beta) ** 2, weights=weight))


@pytest.mark.parametrize("age", [0.0, 1.3])
def test_parameters_of_a_binormal_curve_and_their_covariance_by_slopes(age):
    """Of a and b by the weight of each case, with leverage and degrees of freedom allowed for."""
    data = study(30)
    both, z, w, found = one_kind(data, NORMAL, {"age": age, "sex": 0})
    rows = {side: getattr(both, side) for side in ("pos", "neg")}
    columns = np.column_stack([np.ones(len(data)), data.covariates["age"]])
    at, score = np.array([1.0, age]), data.column("a")

    def parameters(**weight):
        fits = {}
        for side, own in rows.items():
            each = weight.get(side, np.ones(own.size))
            fits[side] = weighted_fit(columns[own], score[own], each)
        (beta1, s1), (beta0, s0) = fits["pos"], fits["neg"]
        return np.array([at @ (beta1 - beta0) / s1, s0 / s1])

    total, step = np.zeros((2, 2)), 1e-5
    for side, own in rows.items():
        n, x = own.size, columns[own]
        leverage = np.diag(x @ np.linalg.inv(x.T @ x) @ x.T)
        for i in range(n):
            move = step * (np.arange(n) == i)
            ends = [parameters(**{side: 1 + sign * move}) for sign in (1, -1)]
            slope = n * (ends[0] - ends[1]) / 2 / step / np.sqrt(1 - leverage[i])
            total += np.outer(slope, slope) / n / (n - 2)
    sds = both.moved(z, w)[2:]
    curve = binormal_at(both, z, w, sds, found)
    np.testing.assert_allclose(list(curve.parameters.values()), parameters(), rtol=1e-9)
    np.testing.assert_allclose(curve.covariance, total, rtol=1e-4)
    assert curve.auc == pytest.approx(both.area(z, w)[0])
    assert both.df == min(map(len, rows.values())) - 2


@pytest.mark.parametrize("age", [0.4, 1.3])
def test_with_sds_that_depend_on_covariates_curve_and_area_have_one_error(age):
    """That of the parameters of the curve, and that of the area by its own slopes."""
    data = study(80, wide=0.2)
    model = CovariateModel(method="location-scale", residuals="normal", scale="linear", strata=())
    found = settled(data, model)
    (both,) = both_classes(data, "a", found).values()
    z, w = (each[0] for each in found.rows({"age": np.array([age]), "sex": np.zeros(1)}, 1))
    assert w.size == z.size == 3
    assert 0 in z  # the other sex
    value, by_pos, by_neg = both.area(z, w)
    curve = binormal_at(both, z, w, both.moved(z, w)[2:], found)
    assert curve.auc == pytest.approx(value)
    slow = np.sqrt((by_pos**2).sum() + (by_neg**2).sum())
    assert curve.auc_estimate().se == pytest.approx(slow, rel=1e-4)


@pytest.mark.parametrize("age", [-1.5, 2.5])
def test_of_normal_residuals_slopes_by_kernels_are_nearly_those_by_formula(age):
    """With sds other than 1, where the errors of mean and sd both count."""
    data = study(4000, wide=0.3)
    model = CovariateModel(method="location-scale", scale="linear", strata=())
    found = settled(data, model)
    (both,) = both_classes(data, "a", found).values()
    z, w = (each[0] for each in found.rows({"age": np.array([age]), "sex": np.zeros(1)}, 1))
    assert min(abs(np.log(sd)) for sd in both.moved(z, w)[2:]) > 0.4
    (value, *by_kernel), (normal, *by_formula) = both.area(z, w), both.area(z, w, normal=True)
    assert value == pytest.approx(normal, abs=0.01)
    for one, two in zip(by_kernel, by_formula, strict=True):
        assert np.corrcoef(one, two)[0, 1] > 0.98
        assert (one @ one) ** 0.5 == pytest.approx((two @ two) ** 0.5, rel=0.05)
