"""Optimal cuts: printed numbers, a search by brute force, errors by simulation."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import special, stats

import rocspace as rs
from rocspace._base.arrays import Vector
from rocspace.counts import resample
from rocspace.models import OptimalCut, fit_binormal, fit_labroc, fit_proper, fit_roc, optimal_cut
from rocspace.models.binormal import Normals
from rocspace.models.optimal import _drawn_cuts, _moving
from rocspace.results import Estimate

HAN = rs.ScoreTable.from_counts([1, 2, 3, 4, 5], [3, 2, 2, 11, 33], [33, 6, 6, 11, 2])

OPTIONS: dict[str, dict[str, str]] = {
    "kernel": {},
    **{name: {"covariance": "sandwich"} for name in ("binormal", "yeo-johnson", "gamma")},
}


def normals(mean: float, sd: float) -> Normals:
    """The curve of N(0, 1) negatives and N(mean, sd^2) positives, with a covariance of 1e-4."""
    return Normals(
        method="known",
        parameters={"a": mean / sd, "b": 1 / sd},
        covariance=np.eye(2) * 1e-4,
        covariance_method="given",
        line_of_scores=(0.0, -1.0),
    )


@pytest.mark.parametrize(
    ("mean", "sd", "cut", "index"),
    [
        (1, 1.5, 0.9028430313, 0.3425173539),
        (1, 0.6, 0.3568528390, 0.4975192),
        (-1, 1.5, 2.5028430313, 0.0036057),
        (1, 1, 0.5, 2 * stats.norm.cdf(0.5) - 1),
    ],
)
def test_printed_cuts(mean: float, sd: float, cut: float, index: float) -> None:
    found = optimal_cut(normals(mean, sd))
    assert found.threshold == pytest.approx(cut, abs=1e-10)
    assert found.index.value == pytest.approx(index, abs=5e-8)
    assert found.fpr.value == pytest.approx(stats.norm.sf(cut), rel=1e-9)
    assert found.tpr.value == pytest.approx(stats.norm.sf((cut - mean) / sd), rel=1e-9)


@pytest.mark.parametrize("slope", [0.2, 1.0, 3.0])
@pytest.mark.parametrize(
    ("mean", "sd"),
    [(1, 1.5), (1, 0.6), (-1, 1.5), (-1, 0.6), (0.2, 1), (-0.5, 1), (0, 2), (0, 0.5)],
)
def test_brute_force(mean: float, sd: float, slope: float) -> None:
    fit = normals(mean, sd)
    found = optimal_cut(fit, slope=slope)
    fpr = np.r_[0, stats.norm.sf(np.linspace(8, -8, 20_001)), 1]
    gains = fit.tpr_at(fpr) - slope * fpr
    assert found.index.value == pytest.approx(gains.max(), abs=1e-6)
    if 0 < found.fpr.value < 1:
        assert fit.slope_at(found.fpr.value) == pytest.approx(slope, rel=1e-9)
    else:
        assert np.isnan(found.fpr.se)
        assert found.tpr.value == found.fpr.value
        assert np.isinf(found.threshold)


def test_a_root_agrees_with_the_closed_form() -> None:
    fit = normals(1.2, 1.0)
    proper = replace(fit_proper(HAN), parameters={"d_a": 1.2, "c": 0.0}, covariance=fit.covariance)
    one, two = optimal_cut(fit, slope=2), optimal_cut(proper, slope=2)
    assert two.fpr.value == pytest.approx(one.fpr.value, rel=1e-9)
    assert two.index.value == pytest.approx(one.index.value, rel=1e-9)


@pytest.mark.parametrize("model", ["binormal", "labroc", "proper", "weibull", "gamma", "logistic"])
def test_models(model: str) -> None:
    rng = np.random.default_rng(3)
    table = rs.tabulate_classes(rng.gamma(3, 1, 80), rng.gamma(1.5, 1, 80))
    fit = fit_roc(table, model=model)
    found = optimal_cut(fit)
    at = np.linspace(0, 1, 4001)
    assert found.index.value == pytest.approx((fit.tpr_at(at) - at).max(), abs=1e-6)
    assert fit.slope_at(found.fpr.value) == pytest.approx(1, rel=1e-4)
    empirical = rs.roc_curve(table)
    assert found.index.value == pytest.approx((empirical.tpr - empirical.fpr).max(), abs=0.1)
    assert 0.01 < found.index.se < 0.12
    assert found.fpr.se > 0
    low, high = found.index.interval()
    assert 0 <= low < found.index.value < high <= 1


def readings(cut: OptimalCut) -> tuple[Estimate, ...]:
    return cut.threshold_estimate, cut.index, cut.fpr, cut.tpr


@pytest.mark.parametrize("model", ["proper", "beta"])
def test_a_step_of_newtons_method_leads_to_the_optimum_of_a_curve_nearby(model: Any) -> None:
    rng = np.random.default_rng(3)
    pos, neg = rng.normal(1.2, 1.3, 300).round(1), rng.normal(0, 1, 300).round(1)
    fit = fit_roc(rs.tabulate_classes(pos, neg), model=model)
    other = fit_roc(rs.tabulate_classes([*pos, 0.1, 0.2, 0.3], [*neg, 1.5]), model=model)
    here, there = optimal_cut(fit).fpr.value, optimal_cut(other).fpr.value
    reached = _moving(fit, 1.0, here)(other)[0]
    assert abs(there - here) > 0.002
    assert abs(reached - there) < 0.1 * abs(there - here)


def test_errors_by_simulation() -> None:
    rng, found = np.random.default_rng(5), []
    for _ in range(200):
        fit = fit_binormal(rs.tabulate_classes(rng.normal(1.2, 1.3, 80), rng.normal(size=80)))
        found.append([part for e in readings(optimal_cut(fit)) for part in (e.value, e.se)])
    values, errors = np.array(found).T[0::2], np.array(found).T[1::2]
    np.testing.assert_allclose(errors.mean(axis=1), values.std(axis=1), rtol=0.2)


@pytest.mark.parametrize("sign", [1, -1])
def test_the_error_of_the_threshold_is_that_of_the_four_moments(sign: int) -> None:
    rng = np.random.default_rng(5)
    pos, neg = 3 + 2 * rng.normal(1.2, 1.3, 30), 3 + 2 * rng.normal(size=50)
    table = rs.tabulate_classes(sign * pos, sign * neg, higher_is_positive=sign > 0)

    def cut(x: Vector) -> Vector:
        mean0, sd0, mean1, sd1 = x
        g = sd1 / sd0
        gap = mean1 - mean0
        root = np.sqrt(gap**2 + (g**2 - 1) * sd0**2 * np.log(g**2))
        return np.asarray(mean0 + (gap**2 + g**2 * sd0**2 * np.log(g**2)) / (gap + g * root))

    x = np.array([neg.mean(), neg.std(), pos.mean(), pos.std()])
    variances = x[[1, 1, 3, 3]] ** 2 / [50, 100, 30, 60]
    slopes = [(cut(x + step) - cut(x - step)) / 2e-6 for step in np.eye(4) * 1e-6]
    found = optimal_cut(fit_binormal(table)).threshold_estimate
    assert found.value == pytest.approx(sign * cut(x), rel=1e-9)
    assert found.se == pytest.approx(np.sqrt(np.square(slopes) @ variances), rel=1e-6)
    low, high = found.interval(0.9, scale="t")
    half = stats.t.ppf(0.95, 29) * found.se
    assert low == pytest.approx(found.value - half)
    assert high == pytest.approx(found.value + half)
    sandwich = optimal_cut(fit_binormal(table, covariance="sandwich")).threshold_estimate
    bootstrap = fit_binormal(table, covariance="bootstrap", n_boot=300)
    assert sandwich.se == pytest.approx(found.se, rel=0.5)
    assert optimal_cut(bootstrap).threshold_estimate.se == pytest.approx(sandwich.se, rel=0.25)


def scored(sign: int) -> rs.ScoreTable:
    rng = np.random.default_rng(11)
    pos, neg = np.exp(rng.normal(0.6, 1.3, 30)), np.exp(rng.normal(size=40))
    if sign > 0:
        return rs.tabulate_classes(pos, neg)
    return rs.tabulate_classes(1 / pos, 1 / neg, higher_is_positive=False)


def made_normal(fit: Any, score: float, power: float) -> float:
    if fit.method == "binormal":
        return score
    if fit.method == "box-cox":
        return float(special.boxcox(score / np.exp(fit.centre), power))
    return float(stats.yeojohnson(np.array([score]), lmbda=power)[0])


@pytest.mark.parametrize("slope", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("model", ["binormal", "box-cox", "yeo-johnson"])
@pytest.mark.parametrize("sign", [1, -1])
def test_drawn_cuts_are_those_of_curves_with_drawn_parameters(
    sign: int, model: Any, slope: float
) -> None:
    fit = fit_roc(scored(sign), model=model)
    assert isinstance(fit, Normals)
    drawn, found = fit.drawn(), _drawn_cuts(fit, slope)
    assert drawn is not None
    assert found is not None
    parameters, thresholds = drawn
    ends = thresholds(np.zeros(4000)), thresholds(np.full(4000, 0.1))
    whole = 0
    for i in range(0, 4000, 80):
        own = {name: float(x[i]) for name, x in parameters.items()}
        level, next_to = (made_normal(fit, end[i], own.get("lambda", 1.0)) for end in ends)
        if not np.isfinite([level, next_to]).all():
            continue  # where no power of a score is so far away
        line = (level, (next_to - level) / 0.1)
        cut = optimal_cut(replace(fit, parameters=own, line_of_scores=line), slope=slope)
        assert found[i] == pytest.approx(cut.threshold, rel=1e-6)
        whole += 1
    assert whole > 30


def test_parameters_are_drawn_with_their_covariance() -> None:
    fit = fit_binormal(scored(1))
    assert isinstance(fit, Normals)
    assert fit.joint is not None
    drawn = fit.drawn()
    assert drawn is not None
    parameters, thresholds = drawn
    level, step = fit.line_of_scores or (0, 1)
    ahead = (thresholds(np.zeros(4000)) - level) / step
    wider = np.log((thresholds(np.ones(4000)) - thresholds(np.zeros(4000))) / step)
    moves = [parameters["a"] - fit.a, fit.b * np.log(parameters["b"] / fit.b), ahead, wider]
    wanted = fit.joint * fit.df / (fit.df - 2)  # the covariance of Student's t
    assert fit.df == 29
    size = np.sqrt(np.diag(wanted))
    np.testing.assert_allclose(
        np.cov(moves) / np.outer(size, size), wanted / np.outer(size, size), atol=0.1
    )
    np.testing.assert_allclose(np.mean(moves, axis=1) / size, 0, atol=0.06)


def test_the_interval_of_the_best_threshold_is_of_drawn_curves() -> None:
    table = scored(1)
    found = optimal_cut(fit_binormal(table)).threshold_estimate
    drawn = _drawn_cuts(fit_binormal(table), 1.0)
    assert drawn is not None
    low, high = found.interval(0.9)
    assert low <= found.value <= high
    assert np.mean(drawn < low) == pytest.approx(0.05, abs=1e-3)
    assert np.mean(drawn > high) == pytest.approx(0.05, abs=1e-3)
    assert "drawn parameters" in found.interval().method
    assert found.interval(0.5).low > low
    moved = rs.ScoreTable.from_counts(10 * table.score + 3, table.pos, table.neg)
    other = optimal_cut(fit_binormal(moved)).threshold_estimate.interval(0.9)
    np.testing.assert_allclose(tuple(other), [10 * low + 3, 10 * high + 3])
    with pytest.raises(ValueError, match="level"):
        found.interval(1.5)
    assert _drawn_cuts(normals(1, 1.5), 1.0) is None  # whose line of scores has no covariance


def test_of_equal_classes_a_threshold_may_be_anywhere() -> None:
    rng = np.random.default_rng(2)
    score = rng.normal(size=(2, 20))
    score = (score - score.mean(axis=1, keepdims=True)) / score.std(axis=1, keepdims=True)
    fit = fit_binormal(rs.tabulate_classes(score[0] + 1e-3, score[1]))
    found = optimal_cut(fit).threshold_estimate
    assert found.interval().high - found.interval().low > 4
    assert found.interval(0.999).low < found.interval().low


@pytest.mark.slow
@pytest.mark.parametrize("model", ["binormal", "yeo-johnson", "kernel", "gamma"])
def test_errors_by_the_bootstrap(model: str) -> None:
    rng = np.random.default_rng(3)
    table = rs.tabulate_classes(rng.gamma(6, 0.5, 40), rng.gamma(2, 0.6, 40))
    at, values = np.linspace(0, 1, 401), []
    for _ in range(40):
        fit = fit_roc(resample(table, rng=rng), model=model)
        gains = fit.tpr_at(at) - at
        best = int(np.argmax(gains))
        values.append([fit.threshold_at(at[best]), gains[best], at[best], gains[best] + at[best]])
    errors = [e.se for e in readings(optimal_cut(fit_roc(table, model=model, **OPTIONS[model])))]
    np.testing.assert_allclose(errors, np.std(values, axis=0), rtol=0.5)


def test_a_slope_other_than_one_moves_the_threshold() -> None:
    rng = np.random.default_rng(3)
    table = rs.tabulate_classes(rng.gamma(3, 1, 80), rng.gamma(1.5, 1, 80))
    for model in ("binormal", "gamma"):
        fit = fit_roc(table, model=model)
        strict, mild = (optimal_cut(fit, slope=slope) for slope in (2, 0.5))
        assert strict.threshold > mild.threshold
        assert fit.slope_at(strict.fpr.value) == pytest.approx(2, rel=1e-4)
        assert strict.threshold_estimate.se > 0
        assert "Threshold" in str(strict)


def test_flagged_curves_and_ratings() -> None:
    flat = optimal_cut(fit_labroc(rs.ScoreTable.from_counts([1, 2, 3], [4, 0, 6], [3, 7, 0])))
    assert (flat.fpr.value, flat.tpr.value) == (0, pytest.approx(0.6))
    assert flat.index.value == pytest.approx(0.6)
    assert np.isnan(flat.index.se)
    rated = optimal_cut(fit_roc(HAN, model="rating"))
    assert rated.threshold in HAN.score
    assert "Threshold" in str(rated)
    assert np.isnan(rated.threshold_estimate.se)
    assert tuple(rated.threshold_estimate.interval()) == (-np.inf, np.inf)
    with pytest.raises(ValueError, match="slope is 0, but must be positive"):
        optimal_cut(fit_binormal(HAN), slope=0)


def test_estimates_of_scores_and_ratios() -> None:
    rng = np.random.default_rng(3)
    table = rs.tabulate_classes(rng.normal(1.2, 1.3, 60), rng.normal(size=80))
    fit = fit_binormal(table)
    found = fit.threshold_estimate(0.1)
    sd, z = float(np.std(table.score[table.neg > 0])), stats.norm.isf(0.1)
    assert found.se == pytest.approx(sd * np.sqrt(1 / 80 + z**2 / 160), rel=1e-6)
    slope = fit.slope_estimate(0.1)
    low, high = slope.interval()
    assert np.sqrt(low * high) == pytest.approx(slope.value)
    assert 0 < low < slope.value < high
    chord = fit.category_ratio_estimate(0.1, 0.3)
    assert chord.value == pytest.approx((fit.tpr_at(0.3) - fit.tpr_at(0.1)) / 0.2)
    assert 0 < chord.interval().low < chord.value < chord.interval().high < 5
    narrow = fit.category_ratio_estimate(0.1, 0.1001)
    assert narrow.value == pytest.approx(slope.value, rel=1e-2)
    assert narrow.se == pytest.approx(slope.se, rel=1e-2)
    with pytest.raises(ValueError, match=r"scale"):
        slope.interval(scale="logit")
    flat = fit_labroc(rs.tabulate_classes([3, 4, 5], [0, 1, 2]))
    assert tuple(flat.slope_estimate(0.5).interval()) == (0, np.inf)


def test_thresholds_of_ranks_are_observed_scores_without_an_error() -> None:
    # Whatever rounding makes of the derivative: the threshold jumps from score to score.
    rng = np.random.default_rng(0)
    for _ in range(20):
        table = rs.tabulate_classes(rng.normal(1, 1, 8), rng.normal(0, 1, 8))
        fit = fit_roc(table, model="minimum-distance")
        found = fit.score_estimate(lambda one: 2 * one.parameters["a"])
        assert np.isnan(found.se)


@pytest.mark.parametrize(
    ("model", "rate"), [("beta", 7e-7), ("kernel", 1 - 7e-7), ("weibull", 1 - 7e-7)]
)
def test_optima_next_to_the_corners_are_roots_too(model: Any, rate: float) -> None:
    fit = fit_roc(HAN, model=model)  # points of the first search are 6e-7 away from the corners
    found = optimal_cut(fit, slope=float(fit.slope_at(rate)))
    assert found.fpr.value == pytest.approx(rate, abs=1e-11)
    assert found.threshold == pytest.approx(float(fit.threshold_at(rate)), rel=1e-4)
    assert not found.fpr.se < 0  # nan where a step leads beyond all scores
