"""Beta curves: printed fits, quadrature, concavity, errors by simulation, goodness, edges."""

import csv
import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import rocspace as rs
from rocspace import datasets
from rocspace.models import check_curve, fit_beta
from rocspace.models.beta import BetaFit, Pieces
from rocspace.results.curve import left_right

F3 = datasets.load("fawcett20")
FAWCETT = rs.tabulate(F3.y_true, F3.y_score)
LINE = rs.roc_curve(FAWCETT).line


def fitted(table: rs.ScoreTable, **options: Any) -> BetaFit:
    fit = fit_beta(table, **options)
    assert isinstance(fit, BetaFit)
    return fit


def drawn(n: int, seed: int, alpha: float = 0.5, beta: float = 1.2) -> rs.ScoreTable:
    rng = np.random.default_rng(seed)
    return rs.tabulate_classes(-rng.beta(alpha, beta, n), -rng.random(n))


@pytest.mark.parametrize(
    ("concave", "alpha", "beta", "distance"),
    [
        (None, 0.4105520, 0.8719526, 0.0526331),
        ("exact", 0.4604856, 1, 0.0541752),
        ("published", 0.6158541, 1.3841459, 0.0678842),
    ],
)
def test_printed_numbers(concave: Any, alpha: float, beta: float, distance: float) -> None:
    fit = fitted(FAWCETT, concave=concave)
    assert fit.parameters == pytest.approx({"alpha": alpha, "beta": beta}, abs=2e-6)
    assert fit.distance == pytest.approx(distance, abs=6e-8)
    assert fit.auc == pytest.approx(beta / (alpha + beta), abs=1e-6)
    assert ("boundary" in fit.flags) == (concave is not None)
    assert check_curve(fit).concave == (concave is not None)


@pytest.mark.parametrize(
    ("concave", "alpha", "beta", "distance"),
    [
        (None, 0.355127, 0.958335, 0.031894),
        ("exact", 0.367905, 1, 0.032110),
        ("published", 0.517141, 1.482859, 0.049524),
    ],
)
def test_fits_of_its_authors(
    shared: Path, concave: Any, alpha: float, beta: float, distance: float
) -> None:
    with (shared / "data" / "asah.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    table = rs.tabulate(
        [int(row["outcome"]) for row in rows], [float(row["s100b"]) for row in rows]
    )
    fit = fitted(table, concave=concave)
    assert fit.parameters == pytest.approx({"alpha": alpha, "beta": beta}, abs=2e-6)
    assert fit.distance == pytest.approx(distance, abs=6e-7)


@pytest.mark.parametrize(
    "of", [(0.4, 0.9, 0, 1), (0.5, 2, 0.2, 1), (2, 0.3, 0, 0.7), (1, 1, 0.1, 0.8)]
)
def test_distance_by_quadrature(of: tuple[float, ...]) -> None:
    alpha, beta, gamma, delta = of

    def height(f: Any) -> Any:
        return gamma + (1 - gamma) * stats.beta.cdf(np.minimum(f / delta, 1), alpha, beta)

    total = 0.0
    node, weight = np.polynomial.legendre.leggauss(120)
    v = (node + 1) / 2
    ends = np.unique(np.append(LINE.x, delta))
    for low, high in itertools.pairwise(ends):  # steep ends are made flat
        f = low + (high - low) * v**4 * (35 - 84 * v + 70 * v**2 - 20 * v**3)
        inner = 140 * v**3 * (1 - v) ** 3 * (high - low) * weight / 2
        total += float(inner @ (left_right(LINE, f)[1] - height(f)) ** 2)
    assert Pieces(LINE).distance(np.array(of)) == pytest.approx(total, abs=1e-11)


def test_by_hand() -> None:
    # The diagonal, alpha = beta = 1, is where a score without ranks is: no distance is left.
    flat = fitted(rs.tabulate_classes([1, 1, 1], [1, 1]))
    assert flat.parameters == pytest.approx({"alpha": 1, "beta": 1}, abs=1e-4)
    assert flat.distance == pytest.approx(0, abs=1e-4)
    # alpha 1/2, beta 1: the curve is the root of fpr, its slope 1 / (2 root), its area 2/3.
    root = fitted(drawn(2000, 1, 0.5, 1.0))
    assert root.auc == pytest.approx(2 / 3, abs=0.02)
    exact = BetaFit(
        method="beta",
        parameters={"alpha": 0.5, "beta": 1.0},
        covariance=np.eye(2),
        covariance_method="given",
        distance=0.0,
    )
    at = np.array([0.01, 0.25, 0.81])
    np.testing.assert_allclose(exact.tpr_at(at), np.sqrt(at))
    np.testing.assert_allclose(exact.slope_at(at), 0.5 / np.sqrt(at))
    np.testing.assert_allclose(exact.fpr_at(np.sqrt(at)), at)
    assert exact.auc == pytest.approx(2 / 3)
    assert exact.partial_auc(fpr=(0, 0.25)) == pytest.approx(2 / 3 * 0.125)


def test_distances_are_nested() -> None:
    table = drawn(60, 3)
    free, exact, published = (
        fitted(table, concave=concave).distance for concave in (None, "exact", "published")
    )
    assert free <= exact + 1e-9
    assert exact <= published + 1e-9
    more = fitted(table, mass="both")
    assert more.distance <= free + 1e-9
    assert list(more.parameters) == ["alpha", "beta", "gamma", "delta"]


def test_gamma_and_delta_are_found() -> None:
    rng = np.random.default_rng(4)
    above = 0.6 * rng.beta(0.8, 1.5, 500)
    above[:150] = 0.0
    fit = fitted(rs.tabulate_classes(-above, -rng.random(500)), mass="both")
    assert fit.parameters["gamma"] == pytest.approx(0.3, abs=0.12)
    assert fit.parameters["delta"] == pytest.approx(0.6, abs=0.12)
    assert fit.tpr_at(0) == pytest.approx(fit.parameters["gamma"])
    assert fit.tpr_at(0.9) == pytest.approx(1)


def test_errors_by_simulation() -> None:
    fits = [fit_beta(drawn(60, seed)) for seed in range(25)]
    for name in ("alpha", "beta"):
        spread = np.std([fit.parameters[name] for fit in fits])
        assert np.mean([fit.se[name] for fit in fits]) == pytest.approx(spread, rel=0.35)
    errors = np.mean([fit.auc_estimate().se for fit in fits])
    assert errors == pytest.approx(np.std([fit.auc for fit in fits]), rel=0.3)
    assert errors == pytest.approx(rs.auc_estimate(drawn(60, 1)).se, rel=0.2)


def test_expected_errors_are_those_of_influences() -> None:
    """Of many cases, under the model: neither few cases nor a bias make a difference."""
    table = drawn(4000, 5)
    both, seen = fitted(table), fitted(table, covariance="sandwich")
    assert both.parameters == seen.parameters
    assert both.covariance_method == "sandwich or squared error"
    assert (np.linalg.eigvalsh(both.covariance - seen.covariance) > -1e-12).all()
    np.testing.assert_allclose(list(both.se.values()), list(seen.se.values()), rtol=0.08)


def test_errors_where_few_negatives_are_above() -> None:
    """The squared error of ln alpha, as far as 30 samples tell, with its bias."""
    draw, found = np.random.default_rng(6), []
    for _ in range(30):
        one = fitted(rs.tabulate_classes(draw.beta(1.8, 0.3, 200), draw.uniform(size=50)))
        found.append((np.log(one.parameters["alpha"] / 0.3), one.se["alpha"]))
    log, se = np.transpose(found)
    se = se / (0.3 * np.exp(log))
    assert np.median(se) == pytest.approx(np.sqrt(np.mean(log**2)), rel=0.35)


def test_goodness_of_fit() -> None:
    fit = fitted(drawn(15, 5), n_sim=4, rng=3)
    assert fit.goodness is not None
    assert fit.goodness.statistic == fit.distance
    assert fit.goodness.pvalue in {0.4, 0.6, 0.8, 1.0}
    assert fit.goodness.pvalue > 0.2
    steps = rs.tabulate_classes(np.repeat([1.25, 1.75], 30), np.linspace(1, 2, 60))
    assert fitted(steps, n_sim=4).goodness.pvalue == 0.2  # type: ignore[union-attr]


def test_bootstrap_covariance_and_edges() -> None:
    table = drawn(40, 6)
    fit = fit_beta(table, covariance="bootstrap", n_boot=10)
    assert fit.covariance_method == "bootstrap"
    assert np.isfinite(fit.covariance).all()
    apart = fit_beta(rs.tabulate_classes([3, 4], [1, 2]))
    assert list(apart.flags) == ["degenerate", "separated"]
    assert apart.auc == 1
    assert fit_beta(rs.tabulate_classes([1, 2], [3, 4])).auc == 0
    assert np.isinf(fit.threshold_at(0.0)) or fit.threshold_at(0.0) > table.score[-1]
    with pytest.raises(ValueError, match="concave"):
        fit_beta(table, concave="very")  # type: ignore[arg-type]


@pytest.mark.parametrize(("turned", "limits"), [(False, (0.0, 1.0)), (True, (1.0, 0.0))])
def test_scores_that_separate_have_a_corner(turned: bool, limits: tuple[float, float]) -> None:
    table = rs.tabulate([turned, turned, not turned, not turned], [1, 2, 3, 4])
    fit = fit_beta(table)
    assert (fit.parameters["alpha"], fit.parameters["beta"]) == limits
    assert fit.auc == (0 if turned else 1)
    assert "degenerate" in fit.flags
