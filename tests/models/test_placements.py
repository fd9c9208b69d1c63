"""Four fits to placements: printed numbers, general optimisers, counting by hand, simulation."""

import csv
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import integrate, optimize, stats
from scipy.special import ndtri
from tests.slow.models import rates_at_negatives

import rocspace as rs
from rocspace import datasets
from rocspace.curves import curve_distance
from rocspace.models import (
    compare_models,
    fit_gls,
    fit_minimum_distance,
    fit_pseudo_likelihood,
    fit_roc,
    fit_roc_glm,
)
from rocspace.models import placements as placements_module
from rocspace.results import Fit

F3 = datasets.load("fawcett20")
TABLE = rs.tabulate(F3.y_true, F3.y_score)
RNG = np.random.default_rng(8)
POS, NEG = np.round(RNG.normal(1.2, 1.4, 25), 1), np.round(RNG.normal(0, 1, 30), 1)
DRAWN = rs.tabulate_classes(POS, NEG)  # with ties
PLACED = (NEG[None, :] >= POS[:, None]).mean(axis=1)
CDF = stats.norm.cdf
FITS = (fit_gls, fit_minimum_distance, fit_pseudo_likelihood, fit_roc_glm)


def values(fit: Fit) -> list[float]:
    return list(fit.parameters.values())


def test_printed_numbers_of_fawcetts_data() -> None:
    fit = fit_gls(TABLE, rates=[0.2, 0.4, 0.6, 0.8], covariance="expected")
    assert values(fit) == pytest.approx([0.6594714, 0.7627631], abs=6e-8)
    printed = [[0.2015317, 0.0323250], [0.0323250, 0.1676798]]
    np.testing.assert_allclose(fit.covariance, printed, atol=6e-8)
    assert fit.covariance_method == "least squares"
    assert values(fit_minimum_distance(TABLE)) == pytest.approx([0.5761606, 0.7294822], abs=2e-7)
    fit = fit_pseudo_likelihood(TABLE, placements="midpoints")
    assert (*values(fit), fit.auc) == pytest.approx((0.6067307, 1.0972286, 0.6586182), abs=1e-7)
    fit = fit_roc_glm(TABLE, rates=np.arange(1, 10) / 10)
    assert (*values(fit), fit.auc) == pytest.approx((0.7186927, 0.7129039, 0.7207956), abs=6e-8)


def test_distance_of_fawcetts_data() -> None:
    fit = fit_minimum_distance(TABLE)
    placed = [sum(y >= x for y in TABLE_NEG) / 10 for x in TABLE_POS]
    total = 0.0
    for low in np.arange(10) / 10:
        height = np.mean([p <= low + 1e-9 for p in placed])
        total += integrate.quad(lambda t, h=height: (h - fit.tpr_at(t)) ** 2, low, low + 0.1)[0]
    assert np.sqrt(total) == pytest.approx(0.0524152, abs=6e-8)


Y = np.asarray(F3.y_true) == 1
TABLE_POS, TABLE_NEG = np.asarray(F3.y_score)[Y], np.asarray(F3.y_score)[~Y]


def test_asah(shared: Path) -> None:
    with (shared / "data" / "asah.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    table = rs.tabulate([int(r["outcome"]) for r in rows], [float(r["s100b"]) for r in rows])
    fit = fit_minimum_distance(table)
    assert values(fit) == pytest.approx([0.747194, 0.716750], abs=6e-7)
    line, square = rs.roc_curve(table).line, 0.0
    for (x0, x1), (y0, y1) in zip(pairwise(line.x), pairwise(line.y), strict=True):
        if x1 > x0:  # piece by piece, slanted where scores are tied
            square += integrate.quad(
                lambda t, x=(x0, x1), y=(y0, y1): (np.interp(t, x, y) - fit.tpr_at(t)) ** 2, x0, x1
            )[0]
    assert np.sqrt(square) == pytest.approx(0.033343, abs=6e-7)  # printed by the beta's authors
    assert curve_distance(fit, table, metric="l2") == pytest.approx(0.033343, abs=2e-6)


def test_pancreas(shared: Path) -> None:
    with (shared / "data" / "pancreas.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    table = rs.tabulate([int(r["status"]) for r in rows], [float(r["ca199"]) for r in rows])
    fit = fit_roc_glm(table, rates=np.arange(1, 51) / 51)
    assert (*values(fit), fit.auc) == pytest.approx((1.2054278, 0.4595123, 0.8633123), abs=1e-7)
    assert fit_roc_glm(table) == fit  # 51 negatives
    fit = fit_roc_glm(table, rates=np.arange(1, 10) / 10)
    assert values(fit) == pytest.approx([1.1877335, 0.4440708], abs=1e-7)


def test_least_squares_slow_twin() -> None:
    """Errors of the points one by one; the fixed point by an equation solver."""
    rates = np.array([0.1, 0.35, 0.6, 0.8])
    tpr = np.array([(t >= PLACED).mean() for t in rates])
    z, y = stats.norm.ppf(rates), stats.norm.ppf(tpr)

    def again(theta: np.ndarray) -> np.ndarray:
        a, b = theta
        sigma = np.empty((4, 4))
        for i in range(4):
            for j in range(4):
                t, u = sorted((rates[i], rates[j]))
                r, s = CDF(a + b * stats.norm.ppf([t, u]))
                q = stats.norm.pdf(a + b * z[[i, j]]).prod() * 25
                sigma[i, j] = r * (1 - s) / q
                sigma[i, j] += b * b * t * (1 - u) / stats.norm.pdf(z[[i, j]]).prod() / 30
        root = np.linalg.inv(np.linalg.cholesky(sigma))
        line = root @ np.column_stack([np.ones(4), z])
        return np.linalg.lstsq(line, root @ y, rcond=None)[0]

    found = optimize.fsolve(lambda theta: again(theta) - theta, [1.0, 0.8])
    assert values(fit_gls(DRAWN, rates=rates)) == pytest.approx(list(found), rel=1e-8)
    two = fit_gls(DRAWN, rates=[0.1, 0.6])  # by hand: through both points
    np.testing.assert_allclose(two.tpr_at([0.1, 0.6]), tpr[[0, 2]], rtol=1e-9)


def test_minimum_distance_slow_twin() -> None:
    middle = (np.arange(6000) + 0.5) / 6000
    curve = rs.roc_curve(DRAWN)
    seen = np.interp(middle, curve.fpr, curve.tpr)
    z = stats.norm.ppf(middle)
    found = optimize.minimize(
        lambda x: np.mean((seen - CDF(x[0] + x[1] * z)) ** 2), [1, 1], method="Nelder-Mead"
    )
    assert values(fit_minimum_distance(DRAWN)) == pytest.approx(list(found.x), abs=3e-3)


def test_midpoints_slow_twin() -> None:
    z = stats.norm.ppf([(np.sum(x <= NEG) + 0.5) / 31 for x in POS])
    found = optimize.minimize(
        lambda x: -np.sum(np.log(x[1] * stats.norm.pdf(x[0] + x[1] * z))), [1, 1], tol=1e-10
    )
    fit = fit_pseudo_likelihood(DRAWN, placements="midpoints")
    assert values(fit) == pytest.approx(list(found.x), abs=1e-5)
    assert fit.b == pytest.approx(1 / z.std())


def test_intervals_slow_twin() -> None:
    above = [np.sum(x <= NEG) for x in POS]
    low, high = (stats.norm.ppf([(j + more) / 31 for j in above]) for more in (0, 1))
    found = optimize.minimize(
        lambda x: -np.sum(np.log(CDF(x[0] + x[1] * high) - CDF(x[0] + x[1] * low))),
        [0.5, 1],
        tol=1e-10,
    )
    assert values(fit_pseudo_likelihood(DRAWN)) == pytest.approx(list(found.x), abs=1e-5)


def test_three_intervals_by_hand() -> None:
    """Of two negatives: both lines between three intervals are met, a quarter and 5/8 below."""
    table = rs.tabulate_classes([9, 8, 7, 6, 6.5, 2, 3, 4], [7.5, 5])
    ends, shares = stats.norm.ppf([1 / 3, 2 / 3]), stats.norm.ppf([2 / 8, 5 / 8])
    b = (shares[1] - shares[0]) / (ends[1] - ends[0])
    assert values(fit_pseudo_likelihood(table)) == pytest.approx([shares[0] - b * ends[0], b])


def test_narrow_intervals_are_points() -> None:
    negatives = ndtri((np.arange(3000) + 0.5) / 3000)
    table = rs.tabulate_classes(np.linspace(-1, 1.5, 40) + 1e-5, negatives)
    points = fit_pseudo_likelihood(table, placements="midpoints")
    assert values(fit_pseudo_likelihood(table)) == pytest.approx(values(points), rel=1e-5)


@pytest.mark.parametrize(
    ("pos", "neg", "axis", "at"),
    [
        ([5, 6, 7], [1, 2, 3], "fpr", 1 / 8),  # before the first negative
        ([5, 6, 2.5], [1, 2, 3], "fpr", 1 / 4),  # on both sides of it
        ([5, 6, 1.5, 1.7], [1, 2, 3], "fpr", None),  # apart: there is a shape
        ([5, 0, 0.5], [1, 2, 3], "tpr", 1 / 3),  # at both ends alone
        ([5, 0], [1], "tpr", 1 / 2),
    ],
)
def test_too_few_intervals(pos: list[float], neg: list[float], axis: str, at: float | None) -> None:
    fit = fit_pseudo_likelihood(rs.tabulate_classes(pos, neg))
    assert ("degenerate" in fit.flags) == (at is not None)
    if at is not None:
        read = fit.tpr_at if axis == "tpr" else fit.fpr_at
        assert read(0.4) == pytest.approx(at)


def test_two_rates_decide_intervals() -> None:
    """Far from all others: rounding leaves digits of the likelihood."""
    negatives = np.arange(2000.0)
    table = rs.tabulate_classes([*np.arange(1990, 1999) + 0.5, -1.0], negatives)
    fit = fit_pseudo_likelihood(table)
    assert fit.flags.keys() <= {"improper"}
    assert np.isfinite(fit.covariance).all()


def test_regression_slow_twin() -> None:
    """Record by record."""
    rates = np.arange(1, 30) / 30
    below = np.array([[p <= t + 1e-12 for t in rates] for p in PLACED])
    z = stats.norm.ppf(rates)

    def minus(x: np.ndarray) -> float:
        q = x[0] + x[1] * z
        return -float(np.where(below, stats.norm.logcdf(q), stats.norm.logsf(q)).sum())

    found = optimize.minimize(minus, [1, 1], tol=1e-10)
    assert values(fit_roc_glm(DRAWN)) == pytest.approx(list(found.x), abs=1e-5)


def test_errors_are_no_smaller_than_those_that_the_fitted_curve_expects() -> None:
    rates = [0.2, 0.5, 0.8]
    both, seen = (fit_roc_glm(DRAWN, rates=rates, covariance=how) for how in ("larger", "sandwich"))
    expected = placements_module._expected_regression(*values(both), np.array(rates), (25.0, 30.0))
    np.testing.assert_allclose(
        both.covariance, placements_module.larger(seen.covariance, expected), rtol=1e-12
    )
    assert not np.allclose(both.covariance, seen.covariance, rtol=1e-3)


def test_firths_score_by_hand() -> None:
    """All 6 indicators are 1 and the rates are symmetric: b is 0, and a as for one proportion.

    Firth's score of a proportion p = Phi(a) of n of n: n phi / p = a / 2, each of both rates having
    the leverage 1, so that n is 3 of each rate.
    """
    fit = fit_roc_glm(rs.tabulate_classes([3, 4, 5], [0, 1, 2]), rates=[0.25, 0.75])
    assert set(fit.flags) == {"separated", "degenerate"}
    a = optimize.brentq(lambda a: 3 * stats.norm.pdf(a) / CDF(a) - a / 2, 0, 5)
    assert fit.parameters["a"] == pytest.approx(a)
    assert fit.auc == pytest.approx(CDF(a))
    # Placed beyond the first of two rates, but below the other: the slope is finite.
    steep = fit_roc_glm(rs.tabulate_classes([2.5] * 3, [0, 1, 2, 3]), rates=[0.2, 0.6])
    assert set(steep.flags) >= {"separated"}
    assert 0 < steep.parameters["b"] < 10
    # One rate between: without Firth's score b would be infinite.
    almost = fit_roc_glm(rs.tabulate_classes([1.5, 4], [0, 1, 2, 3]), rates=[0.25, 0.5, 0.75])
    assert "separated" in almost.flags
    assert 0 < almost.parameters["b"] < 10


@pytest.mark.parametrize("fit", FITS)
def test_errors_are_those_of_samples(fit: Callable[..., Fit]) -> None:
    """Under the model, with 100 + 150 cases, as far as 40 samples tell."""
    draw = np.random.default_rng(3)
    found = [
        fit(rs.tabulate_classes(draw.normal(1.2, 1.4, 100), draw.normal(0, 1, 150)))
        for _ in range(40)
    ]
    spread = np.std([values(each) for each in found], axis=0)
    said = np.sqrt(np.mean([np.diag(each.covariance) for each in found], axis=0))
    np.testing.assert_allclose(said, spread, rtol=0.4)


def test_the_bias_of_points_is_that_of_binomial_placements() -> None:
    """One by one: the share of positives with at most 3 and at most 18 of 30 negatives above."""
    rates = [0.1, 0.6]
    fit, seen = (
        fit_gls(DRAWN, rates=rates, covariance=how) for how in ("squared-error", "expected")
    )
    a, b = values(seen)

    def expected(j: int) -> float:
        def below(z: float) -> float:
            return float(stats.binom.cdf(j, 30, stats.norm.cdf(z)) * stats.norm.pdf(a + b * z) * b)

        return float(integrate.quad(below, -9, 9, limit=200)[0])

    q = a + b * ndtri(rates)
    off = (np.array([expected(3), expected(18)]) - CDF(q)) / stats.norm.pdf(q)
    bias = np.linalg.solve(np.column_stack([np.ones(2), ndtri(rates)]), off)  # two points: a line
    np.testing.assert_allclose(fit.covariance, seen.covariance + np.outer(bias, bias), rtol=1e-6)


@pytest.mark.parametrize("fit", FITS[1:])
def test_expected_errors_are_those_of_influences(fit: Callable[..., Fit]) -> None:
    """Of many cases, under the model: neither few cases nor a bias make a difference."""
    draw = np.random.default_rng(11)
    table = rs.tabulate_classes(draw.normal(1.2, 1.4, 6000), draw.normal(0, 1, 4000))
    both, seen = fit(table), fit(table, covariance="sandwich")
    assert values(both) == values(seen)
    assert both.covariance_method == "sandwich or squared error"
    assert (np.linalg.eigvalsh(both.covariance - seen.covariance) > -1e-12).all()
    np.testing.assert_allclose(list(both.se.values()), list(seen.se.values()), rtol=0.1)


def slopes_near_an_area_of_1(
    fit: Callable[..., Fit], samples: int, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return ln b, which is 0, and its error, of samples of area .97."""
    draw = np.random.default_rng(seed)
    truth, found = 2**0.5 * ndtri(0.97), []
    for _ in range(samples):
        one = fit(rs.tabulate_classes(draw.normal(truth, 1, 200), draw.normal(0, 1, 50)))
        found.append((np.log(one.parameters["b"]), one.se["b"] / one.parameters["b"]))
    log, se = np.transpose(found)
    return log, se


@pytest.mark.parametrize("fit", [fit_minimum_distance, fit_pseudo_likelihood])
def test_errors_near_an_area_of_1(fit: Callable[..., Fit]) -> None:
    """The squared error of ln b, whose bias is a part, as far as 40 samples tell."""
    log, se = slopes_near_an_area_of_1(fit, 40, seed=2)
    assert np.median(se) == pytest.approx(np.sqrt(np.mean(log**2)), rel=0.4)


@pytest.mark.parametrize("fit", FITS[1:])
def test_bootstrap_and_weights(fit: Callable[..., Fit]) -> None:
    drawn = fit(DRAWN, covariance="bootstrap", n_boot=8, rng=2)
    assert drawn.covariance_method == "bootstrap"
    assert values(drawn) == values(fit(DRAWN))
    assert drawn.se["a"] > 0
    rates = {"rates": [0.1, 0.5, 0.8]} if fit is fit_roc_glm else {}
    y, score = np.r_[np.ones(25), np.zeros(30)], np.r_[POS, NEG]
    weighted = fit(rs.tabulate(y, score, sample_weight=np.full(55, 3.0)), **rates)
    plain = fit(DRAWN, **rates)
    assert values(weighted) == pytest.approx(values(plain))
    np.testing.assert_allclose(weighted.covariance, plain.covariance, rtol=1e-6)


def test_edges() -> None:
    with pytest.raises(ValueError, match="needs two rates at which the empirical tpr is inside"):
        fit_gls(TABLE, rates=[0.5])
    with pytest.raises(ValueError, match="strictly between 0 and 1, but some are at an end"):
        fit_roc_glm(TABLE, rates=[0.0, 0.5])
    with pytest.raises(ValueError, match="needs two rates for two parameters, but here is 0"):
        fit_roc_glm(rs.tabulate_classes([1, 2], [0]))
    with pytest.raises(ValueError, match="covariance"):
        fit_pseudo_likelihood(TABLE, covariance="expected")
    with pytest.raises(ValueError, match="placements"):
        fit_pseudo_likelihood(TABLE, placements="middle")
    upright = fit_pseudo_likelihood(
        rs.tabulate_classes([2.5, 2.5], [1, 2, 3, 4]), placements="midpoints"
    )
    assert upright.fpr_at(0.5) == pytest.approx(0.5)
    level = fit_gls(rs.tabulate_classes([0, 9], [1, 2, 3, 4]), rates=[0.3, 0.6])
    assert "degenerate" in level.flags
    assert level.tpr_at(0.5) == 0.5
    upright = fit_pseudo_likelihood(rs.tabulate_classes([2.5, 2.5], [1, 2, 3, 4]))
    assert upright.parameters["b"] == np.inf
    assert upright.auc == pytest.approx(0.5)
    upright = fit_minimum_distance(rs.tabulate_classes([2.5, 2.6], [1, 2, 3]))
    assert upright.auc == pytest.approx(2 / 3)
    assert fit_minimum_distance(rs.tabulate_classes([1, 1], [1])).auc == pytest.approx(0.5)


@pytest.mark.parametrize("name", ["gls", "pseudo-likelihood", "profile-likelihood", "roc-glm"])
def test_ties_that_move_the_area_are_flagged(name: str) -> None:
    rated = rs.ScoreTable.from_counts([1, 2, 3, 4, 5], [3, 2, 2, 11, 33], [33, 6, 6, 11, 2])
    fit = fit_roc(rated, model=name)
    lost = (3 * 33 + 2 * 6 + 2 * 6 + 11 * 11 + 33 * 2) / (51 * 58) / 2
    if name == "gls":  # whose rates are those at the ratings, but for one negative
        lost = fit.auc / 59
    said = fit.flags["tied"]
    assert said.startswith("10.5\N{NARROW NO-BREAK SPACE}% of the pairs")
    assert f"by up to {lost:.3f}".rstrip("0") in said
    assert f"{lost / fit.auc_estimate().se:.1f} standard errors" in said
    assert 'model="rating"' in said
    assert fit.auc < fit_roc(rated, model="rating").auc
    # Continuous scores, and those of sixty levels of a hundred cases, are not.
    rng = np.random.default_rng(3)
    pos, neg = rng.normal(1.46, 1, 50), rng.normal(0, 1, 50)
    assert "tied" not in fit_roc(rs.tabulate_classes(pos, neg), model=name).flags
    fine = rs.tabulate_classes(np.round(pos, 1), np.round(neg, 1))
    assert "tied" not in fit_roc(fine, model=name).flags
    coarse = rs.tabulate_classes(np.round(pos), np.round(neg))
    assert "tied" in fit_roc(coarse, model=name).flags
    for other in ("labroc", "minimum-distance", "binormal", "kernel"):
        assert "tied" not in fit_roc(coarse, model=other).flags
    assert compare_models(coarse, models=[name], n_folds=0).chosen is None


def test_a_weighted_table_has_fifty_rates() -> None:
    rng = np.random.default_rng(5)
    y, w = np.arange(60) % 2, rng.uniform(0.5, 2, 60)
    table = rs.tabulate(y, rng.normal(size=60) + y, sample_weight=w)
    rates = [j / 51 for j in range(1, 51)]
    found, named = fit_roc_glm(table), fit_roc_glm(table, rates=rates)
    assert list(found.parameters.values()) == pytest.approx(list(named.parameters.values()))


def test_a_steep_curve_is_no_boundary() -> None:
    quantile = ndtri((np.arange(200) + 0.5) / 200)
    fit = fit_minimum_distance(rs.tabulate_classes(quantile / 2 + 1, quantile))
    assert "boundary" not in fit.flags
    assert fit.parameters == pytest.approx({"a": 2, "b": 2}, rel=0.02)


def test_two_rates_between_0_and_1_decide_a_curve() -> None:
    table = rs.tabulate_classes([9, 7, 7, 5, 5, 5, 5, 1, 1, 1], [8, 6, 4, 4, 3, 3, 2, 2, 0, 0])
    fit = fit_roc_glm(table, rates=[0.1, 0.2])
    assert "separated" not in fit.flags
    np.testing.assert_allclose(fit.tpr_at([0.1, 0.2]), [0.3, 0.7], rtol=1e-9)


@pytest.mark.parametrize(
    ("pos", "neg", "at"),
    [
        ([0, 1], [2, 3], "is upright at fpr 0.833333"),
        ([2, 3], [0, 1], "is upright at fpr 0.166667"),
        ([0, 5, 6], [2, 3], "is at tpr 0.666667 between its ends: b is 0"),
    ],
)
def test_a_curve_without_shape_says_where_it_stays(pos: list[int], neg: list[int], at: str) -> None:
    fit = fit_pseudo_likelihood(rs.tabulate_classes(pos, neg))
    assert at in fit.flags["degenerate"]
    stays = float(at.split()[4 if "upright" in at else 3])
    assert fit.auc == pytest.approx(1 - stays if "upright" in at else stays, abs=1e-6)


def test_the_influence_of_cases_is_that_of_leaving_one_out() -> None:
    """The jackknife needs no derivative; the moments of midpoints have them by hand."""
    draw = np.random.default_rng(21)
    pos, neg = draw.normal(1.5, 1.6, 300), draw.normal(0, 1, 400)
    fit = partial(fit_pseudo_likelihood, placements="midpoints", covariance="sandwich")
    left = [
        np.array([values(fit(rs.tabulate_classes(*cases))) for cases in each])
        for each in (
            [(np.delete(pos, i), neg) for i in range(pos.size)],
            [(pos, np.delete(neg, i)) for i in range(neg.size)],
        )
    ]
    spread = sum((len(x) - 1) * np.cov(x.T, bias=True) for x in left)
    np.testing.assert_allclose(fit(rs.tabulate_classes(pos, neg)).covariance, spread, rtol=0.15)


@pytest.mark.parametrize(
    ("fit", "expected"),
    [
        (fit_pseudo_likelihood, placements_module._expected_between),
        (fit_minimum_distance, placements_module._expected_nearness),
    ],
)
def test_the_mean_squared_error_is_the_sandwich_where_there_is_no_bias(
    fit: Callable[..., Fit], expected: Callable[..., Any]
) -> None:
    draw = np.random.default_rng(12)
    table = rs.tabulate_classes(draw.normal(1.2, 1, 20_000), draw.normal(0, 1, 16_000))
    seen = fit(table, covariance="sandwich")
    found = np.sqrt(np.diag(expected(*values(seen), (20_000.0, 16_000.0))))
    np.testing.assert_allclose(found, list(seen.se.values()), rtol=0.07)


def test_the_bias_of_a_regression_is_that_of_binomial_placements(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    a, b, n0, at = 1.4, 0.8, 30, np.array([0.1, 0.6])
    pos, _ = placements_module._steps_of(np.array([a, b]), ndtri(at))

    def seen(j: int) -> float:
        def below(z: float) -> float:
            return float(stats.binom.cdf(j, n0, CDF(z)) * stats.norm.pdf(a + b * z) * b)

        return float(integrate.quad(below, -9, 9, limit=200)[0])

    # A positive counts at a rate if at most 3, and at most 18, of 30 negatives are above it.
    moved = np.diff([0, seen(3), seen(18), 1]) - np.diff([0, *CDF(a + b * ndtri(at)), 1])
    bias = pos @ moved
    sizes = (200.0, float(n0))
    found = placements_module._expected_regression(a, b, at, sizes)
    monkeypatch.setattr(placements_module, "_bias_of_tpr", lambda *_: np.zeros(2))
    plain = placements_module._expected_regression(a, b, at, sizes)
    np.testing.assert_allclose(found - plain, np.outer(bias, bias), rtol=1e-3)


def test_rates_are_at_the_negatives_by_hand() -> None:
    """Negatives at 5, 3, 3 and 1: a cut above 5 has one of four on average in 5, and so on."""
    table = rs.tabulate_classes([6, 4, 4, 2, 0], [5, 3, 3, 1])
    assert values(fit_gls(table)) == values(fit_gls(table, rates=[1 / 5, 2 / 5, 4 / 5]))
    seen = [1 / 5, 3 / 5, 4 / 5]  # of positives above 5, 3 and 1
    placed = placements_module._Placed(table)
    np.testing.assert_allclose(placed.ranks(), [1 / 5, 2 / 5, 4 / 5])
    np.testing.assert_allclose(placed.tpr(placed.ranks()), seen)


@pytest.mark.parametrize(
    ("many", "digits"), [(12, 3), (20, 3), (21, 3), (160, 3), (160, 1), (60, 0)]
)
def test_rates_are_those_of_the_slow_twin(many: int, digits: int) -> None:
    draw = np.random.default_rng(many)
    neg, pos = (np.round(draw.normal(mean, 1, many), digits) for mean in (0, 1))
    table = rs.tabulate_classes(pos, neg)
    rates = rates_at_negatives(list(neg), 20)
    assert len(rates) <= 20
    assert values(fit_gls(table)) == pytest.approx(values(fit_gls(table, rates=rates)), rel=1e-5)
    each = values(fit_gls(table, rates=rates_at_negatives(list(neg), 10**6)))
    same = values(fit_gls(table)) == pytest.approx(each, rel=1e-5)
    assert same == (len(set(neg)) <= 20)


def test_rates_are_of_ranks_and_of_effective_numbers() -> None:
    """Increasing functions of the scores change nothing, nor does a weight that all cases have."""
    turned = rs.tabulate_classes(np.exp(POS), np.exp(NEG))
    assert values(fit_gls(turned)) == values(fit_gls(DRAWN))
    y, score = np.r_[np.ones(25), np.zeros(30)], np.r_[POS, NEG]
    weighted = fit_gls(rs.tabulate(y, score, sample_weight=np.full(55, 3.0)))
    assert values(weighted) == pytest.approx(values(fit_gls(DRAWN)))
    np.testing.assert_allclose(weighted.covariance, fit_gls(DRAWN).covariance)


def test_least_squares_near_an_area_of_1() -> None:
    """No sample is refused, and the error is that of the estimates, as far as 60 samples tell."""
    log, se = slopes_near_an_area_of_1(fit_gls, 60, seed=4)
    assert np.mean(log) == pytest.approx(0, abs=0.15)
    assert np.median(se) == pytest.approx(np.sqrt(np.mean(log**2)), rel=0.3)


def test_least_squares_of_ratings() -> None:
    """Each rating is a point, as for the likelihood of ratings: of many cases both agree."""
    draw = np.random.default_rng(6)
    cuts = [-1.0, 0.0, 0.7, 1.4]
    pos, neg = (np.searchsorted(cuts, draw.normal(mean, 1, 4000)) for mean in (1.2, 0))
    table = rs.tabulate_classes(pos, neg)
    fit, twin = fit_gls(table), fit_roc(table, model="rating")
    assert values(fit) == pytest.approx(values(twin), rel=0.02)
    assert "tied" not in fit.flags
    np.testing.assert_allclose(list(fit.se.values()), list(twin.se.values()), rtol=0.03)
    given = fit_gls(table, rates=np.arange(1, 10) / 10)  # which are not where the ratings are
    assert "tied" in given.flags
    assert given.auc < twin.auc - 0.03


def test_rates_are_inside() -> None:
    with pytest.raises(ValueError, match="strictly between 0 and 1"):
        fit_roc_glm(DRAWN, rates=[0.5, 1.0])
    with pytest.raises(ValueError, match="needs two rates at which"):
        fit_gls(rs.tabulate_classes([1, 2, 4], [3]))


def test_one_step_inside_is_a_shape_where_some_positives_are_below_all_negatives() -> None:
    # Half of the positives is placed at 1/2: alone they have an upright curve, others lie at 1.
    alone = placements_module._Placed(rs.tabulate_classes([4.5, 4.5], [5, 4])).flat("it")
    assert alone is not None
    assert set(alone.flags) == {"degenerate"}
    assert placements_module._Placed(rs.tabulate_classes([4.5, 0], [5, 4])).flat("it") is None


@pytest.mark.parametrize("fit", [fit_minimum_distance, fit_pseudo_likelihood])
def test_positives_beyond_all_negatives_have_one_rate(fit: Callable[..., Fit]) -> None:
    # Half of the positives is above all negatives, half below: the curve has no step inside.
    found = fit(rs.tabulate_classes([9, 8, 0, -1], [5, 4, 3]))
    assert "degenerate" in found.flags
    assert found.tpr_at(np.array([0.1, 0.9])).tolist() == [0.5, 0.5]


def test_fewer_than_two_effective_negatives_have_the_errors_of_the_sandwich() -> None:
    # Of one negative there are two intervals, whose one share does not tell a from b.
    table = rs.tabulate(
        [1, 1, 0, 1, 0], [5, 4, 3, 2, 1], sample_weight=[0.43, 1.8, 2.9, 0.12, 0.26]
    )
    assert 1 < table.n_eff[1] < 1.5
    found = fit_pseudo_likelihood(table)
    alone = fit_pseudo_likelihood(table, covariance="sandwich")
    np.testing.assert_array_equal(found.covariance, alone.covariance)
    assert np.isfinite(found.covariance).all()


def test_the_slopes_of_the_distance_are_those_of_differences() -> None:
    placed, x = placements_module._Placed(DRAWN), np.array([0.9, np.log(0.7)])
    near = partial(placements_module._Nearness, placed)
    steps = 1e-5 * np.eye(2)
    slow = [(near(x + step).value - near(x - step).value) / 2e-5 for step in steps]
    np.testing.assert_allclose(near(x).gradient, slow, rtol=1e-6)


def test_tied_negatives_are_placed_in_the_middle_whichever_way_one_counts() -> None:
    pos, neg = [2, 1, 0, 3], [1, 4, 2, 3]
    down, up = (
        placements_module._Placed(rs.ScoreTable.from_counts([4, 3, 2, 1], pos[::way], neg[::way]))
        for way in (1, -1)
    )
    np.testing.assert_allclose(down.inner, [0.05, 0.3, 0.6, 0.85])
    np.testing.assert_allclose(up.inner, 1 - down.inner[::-1])
