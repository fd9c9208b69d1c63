"""The binormal fit of two Normal samples is a curve with parameters."""

import csv
import json
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import integrate, stats

import rocspace as rs
from rocspace import datasets
from rocspace.bands import fit_band
from rocspace.models import family_roc, fit_binormal, fit_probit_line, fit_roc
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
    assert fit.aic == pytest.approx(8 - 2 * sum(terms))  # two means, two standard deviations
    assert fit.bic == pytest.approx(4 * np.log(9) - 2 * sum(terms))


def test_weights_have_no_likelihood() -> None:
    y, score = np.r_[np.ones(4), np.zeros(5)], np.r_[POS, NEG]
    fit = two_normals("test", rs.tabulate(y, score, sample_weight=np.full(9, 2.0)))
    assert (fit.loglik, fit.aic, fit.bic, fit.n_cases) == (None, None, None, None)
    assert fit.a == pytest.approx(FIT.a)


def test_standard_errors_by_symbol() -> None:
    assert list(FIT.se) == ["a", "b"]
    assert FIT.se["a"] == pytest.approx(np.sqrt(FIT.covariance[0, 0]))
    assert FIT.sd(np.array(0.0)) == pytest.approx(FIT.se["a"])


# --- the public fits --------------------------------------------------------------------------

F3 = datasets.load("fawcett20")
FAWCETT = rs.tabulate(F3.y_true, F3.y_score)


def oracle(shared: Path, marker: str) -> tuple[dict[str, Any], rs.ScoreTable]:
    with (shared / "data" / "asah.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    answers = json.loads((shared / "oracle" / f"smooth__asah__{marker}.json").read_text("utf-8"))
    y = [int(row["outcome"]) for row in rows]
    return answers, rs.tabulate(y, [float(row[marker]) for row in rows])


def test_printed_numbers_of_fawcetts_data() -> None:
    fit = fit_binormal(FAWCETT)
    assert fit.parameters["a"] == pytest.approx(0.6281624, abs=5e-8)
    assert fit.parameters["b"] == pytest.approx(0.8175923, abs=5e-8)
    assert fit.auc == pytest.approx(0.6866268, abs=5e-8)
    # mean .4155 and sd .1516320 of the negatives: at half of them, and at one sd more.
    assert fit.threshold_at(0.5) == pytest.approx(0.4155)
    assert fit.threshold_at(stats.norm.sf(1)) == pytest.approx(0.5671320, abs=5e-8)
    assert fit.flags == {}
    assert fit.crossing == pytest.approx(stats.norm.cdf(fit.a / (1 - fit.b)))
    assert fit.tpr_at(fit.crossing) == pytest.approx(fit.crossing)
    # The band of Working and Hotelling at fpr .2, and N(.65, .2^2) against N(.45, .2^2).
    low, high = fit_band(replace(fit, df=np.inf)).at_fpr(0.2)
    assert (low, fit.tpr_at(0.2), high) == pytest.approx((0.129480, 0.476101, 0.843506), abs=1e-6)
    given = family_roc("lognormal", mean1=0.65, sd1=0.2, mean0=0.45, sd0=0.2)
    assert given.auc == pytest.approx(0.7602499, abs=5e-8)


@pytest.mark.parametrize("marker", ["s100b", "ndka"])
def test_pROC_and_its_line(shared: Path, marker: str) -> None:
    answers, table = oracle(shared, marker)
    found, exact = fit_binormal(table, ddof=1), answers["moment_binormal"]
    assert found.parameters["a"] == pytest.approx(exact["a"], rel=1e-12)
    assert found.parameters["b"] == pytest.approx(exact["b"], rel=1e-12)
    assert found.auc == pytest.approx(exact["auc"], rel=1e-12)
    line, exact = fit_probit_line(table), answers["proc_binormal"]
    assert line.parameters["a"] == pytest.approx(exact["a"], rel=1e-9)
    assert line.parameters["b"] == pytest.approx(exact["b"], rel=1e-9)
    assert line.auc == pytest.approx(exact["auc_exact"], rel=1e-9)
    assert np.isnan(line.auc_estimate().se)


@pytest.mark.parametrize(("a", "b"), [(0.8, 0.5), (1.5, 1.0), (-0.3, 1.7), (0.0, 1.0), (0.0, 2.0)])
def test_parts_of_the_area_in_closed_form(a: float, b: float) -> None:
    fit = replace(FIT, parameters={"a": a, "b": b})
    for low, high in ((0, 0.2), (0.1, 0.5), (0.5, 1), (0.03, 0.04)):
        over_fpr = integrate.quad(fit.tpr_at, low, high, epsabs=1e-12)[0]
        beside_tpr = integrate.quad(lambda t: 1 - fit.fpr_at(t), low, high, epsabs=1e-12)[0]
        assert fit.partial_auc(fpr=(low, high)) == pytest.approx(over_fpr, abs=1e-9)
        assert fit.partial_auc(tpr=(low, high)) == pytest.approx(beside_tpr, abs=1e-9)


def test_delta_method_by_hand() -> None:
    # Phi(q), q = a / sqrt(1 + b^2): by a phi(q) / sqrt(1 + b^2), by b -phi(q) a b / (1 + b^2)^1.5.
    fit = two_normals("test", FAWCETT)
    root = np.hypot(1, fit.b)
    q = fit.a / root
    gradient = stats.norm.pdf(q) * np.array([1 / root, -fit.a * fit.b / root**3])
    exact = np.sqrt(gradient @ fit.covariance @ gradient)
    estimate = fit.auc_estimate()
    assert estimate.se == pytest.approx(exact, rel=1e-8)
    assert estimate.df == 9
    half = stats.t.ppf(0.975, 9) * exact / stats.norm.pdf(q)
    assert tuple(estimate.interval()) == pytest.approx(
        (stats.norm.cdf(q - half), stats.norm.cdf(q + half)), rel=1e-7
    )
    z = stats.norm.ppf(0.2)
    assert fit.tpr_estimate(0.2).se == pytest.approx(
        fit.sd(z) * stats.norm.pdf(fit.height(z)), rel=1e-7
    )
    part = fit.partial_auc_estimate(fpr=(0, 0.2))
    assert part.range == (0.0, 0.2)
    assert 0 < part.interval().low < part.value < part.interval().high < 0.2
    assert fit.fpr_estimate(0.8).interval().low > 0


def test_expected_covariance_by_simulation_and_by_its_other_estimates() -> None:
    rng = np.random.default_rng(5)
    table = rs.tabulate_classes(1 + 1.5 * rng.normal(size=4000), rng.normal(size=6000))
    expected = fit_binormal(table).covariance
    np.testing.assert_allclose(
        fit_binormal(table, covariance="sandwich").covariance, expected, rtol=0.1
    )
    few = rs.tabulate_classes(1 + rng.normal(size=60), rng.normal(size=80))
    boot = fit_binormal(few, covariance="bootstrap", n_boot=400, rng=1)
    sandwich = fit_binormal(few, covariance="sandwich")
    asked = {"ddof": 0, "n_boot": 1000, "rng": 0}
    usual, same = (fit_binormal(few, covariance="bootstrap", **how) for how in ({}, asked))
    np.testing.assert_array_equal(usual.covariance, same.covariance)
    assert boot.covariance_method == "bootstrap"
    np.testing.assert_allclose(np.diag(boot.covariance), np.diag(sandwich.covariance), rtol=0.35)


def test_weights_that_are_counts_repeat_cases() -> None:
    y, score = np.r_[np.ones(4), np.zeros(5)], np.r_[POS, NEG]
    weighted = fit_binormal(rs.tabulate(y, score, sample_weight=np.full(9, 3.0)))
    assert weighted.covariance_method == "sandwich"
    once = fit_binormal(rs.tabulate(y, score), covariance="sandwich")
    np.testing.assert_allclose(weighted.covariance, once.covariance, rtol=1e-12)
    assert weighted.df == pytest.approx(3)


@pytest.mark.parametrize(
    ("unit", "shift"), [(1.0, 0.0), (3.0, 5.0), (1e150, 0.0), (1e-150, 0.0), (1e300, 0.0)]
)
def test_affine_scores_change_nothing(unit: float, shift: float) -> None:
    fit = fit_binormal(rs.tabulate_classes(unit * POS + shift, unit * NEG + shift))
    assert fit.a == pytest.approx(FIT.a)
    assert fit.b == pytest.approx(FIT.b)
    lower = rs.tabulate_classes(shift - unit * POS, shift - unit * NEG, higher_is_positive=False)
    turned = fit_binormal(lower)
    assert turned.a == pytest.approx(FIT.a)
    at = np.array([0.1, 0.7])
    exact = unit * (NEG.mean() - NEG.std() * stats.norm.ppf(at)) + shift  # of scores near 1
    np.testing.assert_allclose(fit.threshold_at(at), exact)
    np.testing.assert_allclose(turned.threshold_at(at), 2 * shift - exact)


def test_reversal() -> None:
    swapped = fit_binormal(rs.tabulate_classes(-NEG, -POS))
    assert swapped.a == pytest.approx(FIT.a / FIT.b)
    assert swapped.b == pytest.approx(1 / FIT.b)


@pytest.mark.parametrize(
    ("pos", "neg", "area"),
    [
        ([3, 3], [1, 2], stats.norm.cdf(1.5 / 0.5)),  # vertical where the negatives reach 3
        ([1, 2], [0, 0], stats.norm.cdf(1.5 / 0.5)),
        ([2], [1], 1.0),
        ([1], [2], 0.0),
        ([1, 1], [1], 0.5),
        ([0.1, 0.1, 0.1], [0.3, 0.2], stats.norm.cdf(-0.15 / 0.05)),
    ],
)
def test_scores_without_spread_are_flagged(pos: list[float], neg: list[float], area: float) -> None:
    fit = fit_roc(rs.tabulate_classes(pos, neg))
    assert "degenerate" in fit.flags
    assert fit.auc == pytest.approx(area)
    assert np.isnan(fit.covariance).all()
    assert tuple(fit.auc_estimate().interval()) == (0, 1)
    assert "degenerate" in repr(fit)
    assert "Degenerate" in str(fit)


def test_hook_is_named_with_its_crossing() -> None:
    fit = fit_binormal(rs.tabulate_classes([-2, 0, 2, 4], [0, 0.1, 0.2, 0.3]))
    assert fit.crossing == pytest.approx(stats.norm.cdf(fit.a / (1 - fit.b)))
    assert f"({fit.crossing:.6g}, " in fit.flags["improper"]
    assert replace(fit, parameters={"a": 1.0, "b": 1.0}).crossing is None


def test_two_points_have_a_line() -> None:
    # The points (1/3, 1/2) and (2/3, 3/4) alone are inside.
    table = rs.ScoreTable.from_counts([3, 2, 1], [2, 1, 1], [1, 1, 1])
    fit = fit_probit_line(table)
    x, y = stats.norm.ppf([1 / 2, 3 / 4]), stats.norm.ppf([1 / 3, 2 / 3])
    assert stats.norm.ppf(fit.tpr_at(np.array([1 / 3, 2 / 3]))) == pytest.approx(x)
    assert fit.b == pytest.approx((x[1] - x[0]) / (y[1] - y[0]))


def test_what_cannot_be_fitted() -> None:
    with pytest.raises(ValueError, match="some are infinite"):
        fit_binormal(rs.tabulate([0, 1, 1], [1, 2, np.inf]))
    with pytest.raises(ValueError, match="needs two points inside the unit square"):
        fit_probit_line(rs.tabulate([0, 1, 1], [1, 2, 3]))
    with pytest.raises(ValueError, match="ddof is 2"):
        fit_binormal(FAWCETT, ddof=2)  # type: ignore[arg-type]
