"""Trinormal surfaces of two markers and after a power: by hand, numerically, by simulation."""

import csv

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import boxcox_llf, chi2, f, norm
from scipy.stats import t as t_distribution

from rocspace.multiclass import (
    fit_trinormal,
    ordered_scores,
    trinormal,
    trinormal_difference,
    trinormal_test,
    vus_difference,
)

ORDER = [0, 1, 2]


def pair(seed=1, sizes=(20, 25, 22), r=0.6, *, gain=0.4):
    rng = np.random.default_rng(seed)
    y = np.repeat(ORDER, sizes)
    z = rng.normal(size=(2, y.size))
    a = (0.8 + gain) * y + z[0] * (1 + 0.3 * y)
    b = 0.8 * y + (r * z[0] + (1 - r * r) ** 0.5 * z[1]) * (1.2 - 0.2 * y)
    return y, a, b


def markers(y, a, b):
    return ordered_scores(y, {"a": a, "b": b}, order=ORDER)


def numbers(fit):
    return np.array([fit.a, fit.b, fit.c, fit.d])


# --- two markers ------------------------------------------------------------------------------


def test_the_covariance_by_hand():
    """Cov(m, m') = r s s' / n and Cov(s, s') = r^2 s s' / (2 n), through numerical slopes."""
    y, a, b = pair()
    found = trinormal_difference(markers(y, a, b))
    slopes, errors = [], np.zeros((6, 6))
    for x in (a, b):
        fit = fit_trinormal(ordered_scores(y, x, order=ORDER))
        at = np.concatenate([fit.mean, fit.sd])

        def volume(at, fit=fit):
            moved = type(fit)(classes=fit.classes, size=fit.size, mean=at[:3], sd=at[3:])
            return moved.vus_estimate().value

        steps = np.eye(6) * 1e-5
        slopes.append(np.array([(volume(at + h) - volume(at - h)) / 2e-5 for h in steps]))
    for i in ORDER:
        one, two = a[y == i], b[y == i]
        r = np.corrcoef(one, two)[0, 1]
        errors[i, i] = r * one.std() * two.std() / one.size
        errors[3 + i, 3 + i] = r * errors[i, i] / 2
    by_hand = found.first.se**2 + found.second.se**2 - 2 * slopes[0] @ errors @ slopes[1]
    assert found.se**2 == pytest.approx(by_hand, rel=1e-6)
    z = found.value / found.se
    test = found.test()
    assert test.statistic == pytest.approx(z, rel=1e-12)
    student = t_distribution(19)  # of 20 cases in the smallest class
    assert test.pvalue == pytest.approx(2 * student.sf(abs(z)), rel=1e-10)
    assert found.interval(0.9).high == pytest.approx(found.value + student.ppf(0.95) * found.se)


@pytest.mark.no_cover
@pytest.mark.parametrize("transform", [None, "box-cox"])
def test_errors_are_those_of_simulated_studies(transform):
    def drawn(seed):
        y, a, b = pair(seed, (40, 50, 45))
        return markers(y, np.exp(a), np.exp(b)) if transform else markers(y, a, b)

    found = [
        trinormal_difference(drawn(seed), transform=transform)
        for seed in range(150 if transform else 300)
    ]
    values = np.array([each.value for each in found])
    near = 0.18 if transform else 0.14
    assert np.mean([each.se for each in found]) == pytest.approx(values.std(), rel=near)
    firsts = np.array([each.first.value for each in found])
    assert np.mean([each.first.se for each in found]) == pytest.approx(firsts.std(), rel=near)
    alike = np.corrcoef(firsts, [each.second.value for each in found])[0, 1]
    assert np.mean([each.correlation for each in found]) == pytest.approx(alike, abs=0.12)


@pytest.mark.no_cover
@pytest.mark.parametrize("transform", [None, "box-cox"])
def test_the_test_of_surfaces_has_its_size(transform):
    found = []
    for seed in range(100 if transform else 250):
        rng = np.random.default_rng(seed)
        y = np.repeat(ORDER, 60)
        z = rng.normal(size=(2, y.size))
        a, b = y + z[0], 2 * (y + 0.5 * z[0] + 0.75**0.5 * z[1]) + 3
        data = markers(y, np.exp(a), np.exp(b / 4)) if transform else markers(y, a, b)
        found.append(trinormal_test(data, transform=transform))
    assert np.mean([each.statistic for each in found]) == pytest.approx(
        4, abs=1.1 if transform else 0.75
    )  # 4 standard errors
    assert np.mean([each.pvalue < 0.05 for each in found]) == pytest.approx(0.05, abs=0.06)


def test_with_powers_the_degrees_of_freedom_are_those_of_the_classes():
    """Krishnamoorthy and Yu: literally, by the covariance of each case's moves of both markers."""
    y, a, b = pair(7, (7, 12, 30))
    data = markers(y, np.exp(a / 3), np.exp(b / 3))
    found = trinormal_test(data, transform="box-cox")
    one, two, joint, _ = trinormal._pair("x", data, None, None, "box-cox")
    apart = np.hstack([np.eye(4), -np.eye(4)])
    covariance = apart @ joint @ apart.T
    moves = []
    for fit, name in ((one, "a"), (two, "b")):
        log_score = trinormal._fitted("x", data, name, "box-cox")[1]
        raw = trinormal._influences(fit, data, log_score)[:, :6] @ fit._slopes().T
        moves.append(raw @ trinormal._matched(raw.T @ raw, fit._covariance()).T)
    spent, whole = 0.0, np.zeros((4, 4))
    for i, n in zip(ORDER, (7, 12, 30), strict=True):
        share = np.zeros((4, 4))
        for case in np.flatnonzero(y == i):
            share += np.outer(moves[0][case] - moves[1][case], moves[0][case] - moves[1][case])
        part = share @ np.linalg.inv(covariance)
        spent += (np.trace(part @ part) + np.trace(part) ** 2) / (n - 1)
        whole += share
    np.testing.assert_allclose(whole, covariance, rtol=1e-8)
    known = 20 / spent
    assert 6 < known < 46  # between the smallest class's and the sum of all classes'
    gap = numbers(one) - numbers(two)
    square = gap @ np.linalg.solve(covariance, gap)
    assert (found.method, found.df) == ("F", 4)
    assert found.df_denominator == pytest.approx(known - 3)
    assert found.statistic == pytest.approx(square * (known - 3) / known)
    assert found.pvalue == pytest.approx(f.sf(square * (known - 3) / (4 * known), 4, known - 3))
    back = trinormal_test(data, "b", "a", transform="box-cox")
    assert back.pvalue == pytest.approx(found.pvalue)


def test_classes_of_two_cases_leave_one_degree_of_freedom():
    y, a, b = pair(8, (2, 2, 3))
    found = trinormal_test(markers(y, np.exp(a / 3), np.exp(b / 3)), transform="box-cox")
    assert found.df_denominator == 1
    assert found.pvalue == pytest.approx(f.sf(found.statistic / 4, 4, 1))


def test_the_chi_square_by_hand():
    y, a, b = pair(3)
    data = markers(y, a, b)
    one, two = fit_trinormal(data, "a"), fit_trinormal(data, "b")
    found = trinormal_test(data)
    assert found.difference == pytest.approx(trinormal_difference(data).value)
    gap = numbers(one) - numbers(two)
    joint = trinormal._pair("x", data, None, None, None)[2]
    np.testing.assert_allclose(joint[:4, :4], one._covariance(), rtol=1e-13)
    errors = one._covariance() + two._covariance() - joint[:4, 4:] - joint[4:, :4]
    assert found.statistic == pytest.approx(gap @ np.linalg.inv(errors) @ gap, rel=1e-9)
    back = trinormal_test(data, "b", "a")
    assert (back.statistic, back.pvalue) == pytest.approx((found.statistic, found.pvalue))
    assert back.difference == -found.difference


def test_one_marker_by_hand():
    """The likelihood of three Normal distributions against that of one, and Wald's chi-square."""
    y, a, _ = pair(4, (8, 12, 30), gain=-0.7)
    fit = fit_trinormal(ordered_scores(y, a, order=ORDER))
    logs = [norm.logpdf(x, x.mean(), x.std()).sum() for x in (a, *(a[y == i] for i in ORDER))]
    ratio = 2 * (sum(logs[1:]) - logs[0])
    rng = np.random.default_rng(2)
    null = rng.normal(size=(100_000, 50))
    parts = np.split(null, [8, 20], axis=1)
    of_null = 50 * np.log(null.var(axis=1)) - sum(x.shape[1] * np.log(x.var(axis=1)) for x in parts)
    found, wald = fit.test(), fit.test(method="wald")
    four_errors = 4 * of_null.std() / of_null.mean() / 100_000**0.5
    assert found.statistic == pytest.approx(4 * ratio / of_null.mean(), rel=four_errors)
    assert np.mean(4 * of_null / of_null.mean() > chi2.isf(0.05, 4)) == pytest.approx(
        0.05, abs=0.003
    )
    gap = numbers(fit) - [1, 0, 1, 0]
    assert wald.statistic == pytest.approx(gap @ np.linalg.solve(fit._covariance(), gap))
    for each in (found, wald):
        assert each.pvalue == pytest.approx(chi2.sf(each.statistic, 4))
    with pytest.raises(ValueError, match="method"):
        fit.test(method="score")


def test_volume_of_chance_is_tested_as_its_interval_says():
    y, a, _ = pair(5, (10, 12, 15), gain=-0.5)
    fit = fit_trinormal(ordered_scores(y, a, order=ORDER))
    p = fit.vus_test().pvalue
    assert 0 < p < 1
    for level, inside in ((1 - 0.99 * p, True), (1 - 1.01 * p, False)):
        low, high = fit.vus_estimate().interval(level)
        assert (low <= 1 / 6 <= high) is inside


def test_with_powers_each_marker_keeps_its_own_covariance():
    y, a, b = pair(6, (6, 9, 40))
    data = markers(y, np.exp(a), np.exp(b))
    one, two, joint, _ = trinormal._pair("x", data, None, None, "box-cox")
    np.testing.assert_allclose(joint[:4, :4], one._covariance(), rtol=1e-12)
    np.testing.assert_allclose(joint[4:, 4:], two._covariance(), rtol=1e-12)
    assert np.linalg.eigvalsh(joint).min() > 0
    found = trinormal_difference(data, transform="box-cox")
    shared = found.correlation * found.first.se * found.second.se
    assert found.se**2 == pytest.approx(found.first.se**2 + found.second.se**2 - 2 * shared)


def test_cancer_markers(shared):
    """The volumes are the reference values; the empirical difference is beside them."""
    with (shared / "data" / "trinroc_cancer.csv").open() as file:
        rows = list(csv.DictReader(file))
    scores = {name: [float(row[name]) for row in rows] for name in ("Class2", "Class4")}
    order = ["healthy", "intermediate", "diseased"]
    data = ordered_scores([row["trueClass"] for row in rows], scores, order=order)
    found, free = trinormal_difference(data), vus_difference(data)
    assert found.first.value == pytest.approx(0.4328246806, abs=1e-9)
    assert found.first.se == pytest.approx(0.0563798713, abs=1e-9)
    assert found.value == pytest.approx(free.value, abs=0.03)
    assert 0.7 * free.se < found.se < free.se
    assert found.test().pvalue == pytest.approx(free.test(distribution="normal").pvalue, abs=0.2)
    single = fit_trinormal(data, "Class2").vus_test()
    assert single.statistic == pytest.approx((0.4328246806 - 1 / 6) / 0.0563798713, rel=1e-8)
    low, _ = fit_trinormal(data, "Class2").vus_estimate().interval(1 - single.pvalue)
    assert low == pytest.approx(1 / 6, abs=1e-9)


# --- powers -----------------------------------------------------------------------------------


def test_the_power_has_the_largest_likelihood():
    y, a, _ = pair(5)
    score = np.exp(a / 3)
    fit = fit_trinormal(ordered_scores(y, score, order=ORDER), transform="box-cox")

    def loglik(power):
        return sum(boxcox_llf(power, score[y == i]) for i in ORDER)

    # Each class's own likelihood has its own Jacobian, so that their sum is the whole one.
    near = [loglik(fit.power + step) for step in (-1e-3, 0, 1e-3)]
    assert near[1] == max(near)
    assert loglik(fit.power) > max(loglik(power) for power in np.arange(-4, 4.1, 0.5))
    transformed = fit_trinormal(ordered_scores(y, (score**fit.power - 1) / fit.power, order=ORDER))
    assert numbers(fit) == pytest.approx(numbers(transformed), rel=1e-9)
    assert fit.vus_estimate().value == pytest.approx(transformed.vus_estimate().value, rel=1e-9)


@given(st.integers(0, 10**6), st.floats(0.01, 100))
@settings(max_examples=20)
def test_the_unit_of_a_score_does_not_matter(seed, unit):
    y, a, b = pair(seed)
    scores = np.exp(a / 2), np.exp(b / 3)
    one = trinormal_difference(markers(y, *scores), transform="box-cox")
    two = trinormal_difference(markers(y, unit * scores[0], scores[1]), transform="box-cox")
    assert (two.value, two.se) == pytest.approx((one.value, one.se), rel=1e-5)


@pytest.mark.parametrize("power", [-1.3, -0.004, 0.0, 0.004, 0.7])
def test_derivatives_by_the_power(power):
    x = np.linspace(-1.5, 2, 9)
    y, u, v = trinormal._powered(x, power)
    h = 1e-3
    up, down = (trinormal._powered(x, power + way * h) for way in (1, -1))
    np.testing.assert_allclose(u, (up[0] - down[0]) / (2 * h), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(v, (up[1] - down[1]) / (2 * h), rtol=1e-5, atol=1e-6)
    exact = x if power == 0 else np.expm1(power * x) / power
    np.testing.assert_allclose(y, exact, rtol=1e-10)


def test_the_information_is_the_curvature():
    y, a, _ = pair(2)
    data = ordered_scores(y, np.exp(a / 4), order=ORDER)
    fit = fit_trinormal(data, transform="box-cox")
    x = a / 4 - np.mean(a / 4)

    def score(at):
        moved = type(fit)(
            classes=fit.classes, size=fit.size, mean=at[:3], sd=at[3:6], power=float(at[6])
        )
        return trinormal._scores(moved, data, x).sum(axis=0)

    at = np.concatenate([fit.mean, fit.sd, [fit.power]])
    np.testing.assert_allclose(score(at), 0, atol=1e-4)
    steps = np.eye(7) * 1e-5
    slow = -np.array([(score(at + h) - score(at - h)) / 2e-5 for h in steps])
    known = trinormal._information(fit, data, x)
    np.testing.assert_allclose(known, slow, rtol=1e-4, atol=1e-4 * known.max())


# --- edges ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda y, a, b: fit_trinormal(markers(y, a, b), "a", transform="box-cox"), "smallest"),
        (lambda y, a, b: trinormal_test(markers(y, a, 2 * a + 1)), "differ only in scale"),
        (
            lambda y, a, b: trinormal_difference(ordered_scores(y, a, order=ORDER)),
            "here is only score",
        ),
        (lambda y, a, b: fit_trinormal(markers(y, a, b), "a", transform="log"), "log"),
        (
            lambda y, a, b: trinormal_difference(
                ordered_scores(y, {"a": a, "b": b}, order=ORDER, cluster=np.arange(y.size))
            ),
            "without weights or clusters",
        ),
    ],
)
def test_what_cannot_be_answered_is_told(call, said):
    with pytest.raises(ValueError, match=said):
        call(*pair())


def test_one_marker_on_two_scales_has_no_difference():
    y, a, _ = pair()
    found = trinormal_difference(markers(y, a, 2 * a + 1))
    assert (found.value, found.correlation) == pytest.approx((0, 1), abs=1e-12)
    assert found.se < 1e-7


@pytest.mark.parametrize("power", [1e-4, 0.004, 0.05, -0.05, 0.7])
def test_a_power_of_large_logarithms(power):
    x = np.array([60.0, -3.0, 0.1])
    value, first, _ = trinormal._powered(x, power)
    np.testing.assert_allclose(value, np.expm1(power * x) / power, rtol=1e-9)
    step = 1e-6
    ends = [np.expm1((power + d) * x) / (power + d) for d in (step, -step)]
    np.testing.assert_allclose(first, (ends[0] - ends[1]) / 2 / step, rtol=1e-4)
