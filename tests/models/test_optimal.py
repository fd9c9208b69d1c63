"""Optimal cuts: printed numbers, a search by brute force, errors by simulation."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

import rocspace as rs
from rocspace.models import fit_binormal, fit_labroc, fit_proper, fit_roc, optimal_cut
from rocspace.models.binormal import Normals

HAN = rs.ScoreTable.from_counts([1, 2, 3, 4, 5], [3, 2, 2, 11, 33], [33, 6, 6, 11, 2])


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


def test_errors_by_simulation() -> None:
    rng, found = np.random.default_rng(5), []
    for _ in range(200):
        fit = fit_binormal(rs.tabulate_classes(rng.normal(1.2, 1.3, 80), rng.normal(size=80)))
        cut = optimal_cut(fit)
        found.append([part for e in (cut.index, cut.fpr, cut.tpr) for part in (e.value, e.se)])
    values, errors = np.array(found).T[0::2], np.array(found).T[1::2]
    np.testing.assert_allclose(errors.mean(axis=1), values.std(axis=1), rtol=0.2)


def test_flagged_curves_and_ratings() -> None:
    flat = optimal_cut(fit_labroc(rs.ScoreTable.from_counts([1, 2, 3], [4, 0, 6], [3, 7, 0])))
    assert (flat.fpr.value, flat.tpr.value) == (0, pytest.approx(0.6))
    assert flat.index.value == pytest.approx(0.6)
    assert np.isnan(flat.index.se)
    rated = optimal_cut(fit_roc(HAN, model="rating"))
    assert rated.threshold in HAN.score
    assert "Threshold" in str(rated)
    with pytest.raises(ValueError, match="slope is 0, but must be positive"):
        optimal_cut(fit_binormal(HAN), slope=0)
